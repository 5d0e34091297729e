//! `--report`: pages in a real browser. They are clicked and typed through, nothing of a
//! hostile program runs, and nothing is fetched.

mod support;

#[path = "support/browser.rs"]
mod browser;

use browser::Browser;
use serde_json::json;
use support::{COUNTER, Folder};

const SEARCH: &str = "\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int n = __VERIFIER_nondet_int(), i = 0, s = 0;
  if (n < 0 || n > 5) return 0;
  while (i < n) {
    i++;
    s += 2;
  }
  if (s == 6) { reach_error(); }
  return 0;
}
";

/// A page of a command, opened.
fn page(folder: &Folder, browser: &mut Browser, arguments: &str, code: i32) {
    let ran = folder.run(&format!("{arguments} --report out.html"));
    assert_eq!(ran.code, code, "{arguments}: {ran:?}");
    browser.open(&folder.path("out.html"));
}

#[test]
fn pages_are_clicked_and_typed_through() {
    let folder = Folder::with("search.c", SEARCH);
    folder.write("safe.c", SEARCH.replace("s == 6", "s != 2 * i"));
    folder.write("counter.plx", COUNTER.replace("x <= N", "x < N"));
    folder.write("buffer.lts", "B = EMPTY, EMPTY = (put -> FULL), FULL = (get -> EMPTY).\n");
    let mut browser = Browser::new(&folder.path(""));

    // A counterexample: forward and back, with values and lines.
    page(&folder, &mut browser, "check search.c --engine cegar", 10);
    assert_eq!(browser.text(".top .badge").trim_start_matches(|c: char| !c.is_ascii()), "violated");
    assert_eq!(browser.text("[role=tab][aria-selected=true]"), "Counterexample2");
    let last = browser.value("document.querySelectorAll('.steps li').length - 1");
    browser.press("End");
    assert_eq!(browser.text(".side .bar .count"), format!("{last} of {last}"));
    assert!(browser.text(".steps li[aria-current=true]").contains("reach_error"));
    assert_eq!(browser.value("document.querySelector('.row.now').dataset.line"), json!("10"));
    browser.press("ArrowLeft");
    assert_eq!(
        browser.text(".side .bar .count"),
        format!("{} of {last}", last.as_u64().expect("a number") - 1)
    );
    assert!(browser.text(".values tbody").contains("s6"), "{}", browser.text(".values tbody"));
    browser.press("Home");
    assert_eq!(browser.text(".side .bar .count"), format!("0 of {last}"));
    browser.click(".steps li:nth-child(3)");
    assert_eq!(browser.text(".side .bar .count"), format!("2 of {last}"));

    // The graph and the source, both ways.
    browser.press("3");
    browser.wait("document.querySelectorAll('.node').length > 3");
    browser.click(".code .row[data-line='6'] .number");
    browser.wait("document.querySelectorAll('.node.picked').length > 0");
    let before = browser.value("document.querySelectorAll('.node').length");
    browser.value("document.querySelector('.node').focus()");
    browser.press("Enter");
    let after = browser.value("document.querySelectorAll('.node').length");
    assert!(after.as_u64() < before.as_u64(), "{after} of {before}");
    browser.click(".bar button[title='zoom in (+)']");

    // Refinement, round by round.
    browser.press("4");
    assert!(browser.text(".film + div h2").starts_with("Round "));
    browser.click(".bar button[aria-label='round before']");
    assert!(browser.text(".chips").contains("main@"));

    // A proof: invariants at their lines.
    page(&folder, &mut browser, "check safe.c --engine cegar", 0);
    assert!(browser.text(".note").contains("always"), "{}", browser.text(".code"));
    browser.press("4");
    assert!(browser.text(".panel").contains("States that no run leaves"));
    let theme = browser.value("document.documentElement.dataset.theme");
    browser.press("t");
    assert_ne!(browser.value("document.documentElement.dataset.theme"), theme);

    // A model, a system, what cannot be read, a question left open.
    page(&folder, &mut browser, "check counter.plx", 10);
    assert!(browser.text(".steps li:last-child .what").contains('.'));
    page(&folder, &mut browser, "lts buffer.lts", 0);
    browser.press("2");
    browser.wait("document.querySelectorAll('.node').length === 2");
    page(&folder, &mut browser, "check safe.c -p unreach-call --time 1ms", 20);
    assert!(browser.text(".panel").contains("In the way: time limit reached"));
    folder.write("bad.plx", "var x: int = ;\n");
    page(&folder, &mut browser, "check bad.plx", 65);
    assert!(browser.text(".card").contains("M0"));
    assert_eq!(browser.complaints, Vec::<String>::new());
}

/// Text that would run, or lead out of where it stands, if it were read as markup.
fn hostile() -> Vec<String> {
    let call = "window.pwned=1";
    let mut found = Vec::new();
    let handlers = ["onerror", "onload", "onfocus", "ontoggle", "onclick", "onbegin"];
    let tags = [
        "img src=x",
        "svg",
        "body",
        "details open",
        "iframe srcdoc=x",
        "video src=x",
        "input autofocus",
        "animate",
    ];
    for (handler, tag) in handlers.iter().flat_map(|h| tags.iter().map(move |t| (h, t))) {
        for close in ["", "'>", "\">", "--></title></style></script>"] {
            found.push(format!("{close}<{tag} {handler}={call}>"));
        }
    }
    for open in [
        "</script><script>",
        "<script>",
        "{{ 7*7 }}<script>",
        "`${",
        "\\u003cscript\\u003e",
        "<!--<script>",
    ] {
        found.push(format!("{open}{call}</script>"));
    }
    found.extend(
        [
            "\u{202e}evil",
            "]]><x>",
            "javascript:window.pwned=1",
            "'+window.pwned=1+'",
            "\\\"};window.pwned=1;//",
        ]
        .map(str::to_owned),
    );
    found
}

#[test]
fn nothing_of_a_hostile_program_runs() {
    let folder = Folder::new();
    let all = hostile();
    assert!(all.len() >= 200, "{}", all.len());
    let mut browser = Browser::new(&folder.path(""));
    let name = "<img src=x onerror=window.pwned=1>.plx";
    let text: String =
        all.iter().map(|evil| format!("// {}\n", evil.replace('\u{202e}', ""))).collect();
    folder.write(name, format!("{text}{COUNTER}"));
    let command = |arguments: &[&str]| {
        let mut command = folder.command("check");
        command.args(arguments).args(["--report", "out.html"]).output().expect("the binary runs")
    };
    command(&[name, "--ltl", "\"<img src=x onerror=window.pwned=1>\": [] x < 2"]);
    browser.open(&folder.path("out.html"));
    let c: String = all.iter().map(|evil| format!("  s = {};\n", json!(evil))).collect();
    let c = format!(
        "extern void reach_error(void);\nextern int __VERIFIER_nondet_int(void);\n\
         int main(void) {{\n  const char *s = \"\";\n{}  if (__VERIFIER_nondet_int() == 7) {{ reach_error(); }}\n  return s == 0;\n}}\n",
        c.replace("\\u003c", "<")
    );
    folder.write("evil.c", c);
    let ran = command(&["evil.c"]);
    assert_eq!(ran.status.code(), Some(10), "{ran:?}");
    browser.open(&folder.path("out.html"));
    for key in ["1", "2", "3", "4", "?", "Escape", "End"] {
        browser.press(key);
        assert_eq!(browser.value("typeof window.pwned"), json!("undefined"), "{key}");
    }
    assert_eq!(
        browser.value("document.querySelectorAll('img, iframe, video, body script').length"),
        json!(2)
    );
    // The policy holds even where the page would not.
    browser.value("document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.pwned=1' })), 0");
    browser.value("document.body.append(Object.assign(document.createElement('img'), { src: 'https://127.0.0.1:9/x' })), 0");
    assert_eq!(browser.value("typeof window.pwned"), json!("undefined"));
    browser.wait("true");
    let refused = browser.complaints.iter().filter(|text| text.contains("Content Security Policy"));
    assert!(refused.count() >= 2, "{:?}", browser.complaints);
}
