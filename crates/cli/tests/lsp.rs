//! `parallax lsp`, driven as an editor drives it.

mod support;

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};
use std::time::{Duration, Instant};
use support::{COUNTER, Folder};

/// An editor with a server.
struct Editor {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    number: i64,
    /// What the server said unasked.
    heard: Vec<Value>,
}

impl Editor {
    fn new(folder: &Folder, arguments: &[&str]) -> Editor {
        let mut command = folder.command("lsp");
        command.env("MARK", folder.mark());
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the binary runs");
        let to = child.stdin.take().expect("a pipe");
        let from = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut editor = Editor { child, to, from, number: 0, heard: Vec::new() };
        let options = json!({ "arguments": arguments });
        let about = editor
            .ask("initialize", json!({ "capabilities": {}, "initializationOptions": options }));
        assert_eq!(about["serverInfo"]["name"], "parallax");
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("it listens");
        self.to.flush().expect("it listens");
    }

    fn hear(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.from.read_line(&mut line).expect("a line") > 0, "the server ended");
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().expect("a number"),
                None if line.trim().is_empty() => break,
                None => {}
            }
        }
        let mut bytes = vec![0; length];
        self.from.read_exact(&mut bytes).expect("a message");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    fn tell(&mut self, method: &str, parameters: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": parameters }));
    }

    fn ask(&mut self, method: &str, parameters: Value) -> Value {
        self.number += 1;
        let id = self.number;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": parameters }));
        loop {
            let message = self.hear();
            if message["id"] == json!(id) && message["method"].is_null() {
                assert!(message["error"].is_null(), "{method}: {message}");
                return message["result"].clone();
            }
            self.heard.push(message);
        }
    }

    /// What was published next about documents.
    fn diagnostics(&mut self) -> Vec<Value> {
        loop {
            let found =
                self.heard.iter().position(|m| m["method"] == "textDocument/publishDiagnostics");
            if let Some(at) = found {
                let message = self.heard.remove(at);
                return message["params"]["diagnostics"].as_array().expect("a list").clone();
            }
            let message = self.hear();
            self.heard.push(message);
        }
    }

    fn open(&mut self, folder: &Folder, name: &str) -> String {
        let uri = format!("file://{}", folder.path(name).display());
        let text = folder.read(name);
        self.tell("textDocument/didOpen", json!({ "textDocument": { "uri": uri, "languageId": "x", "version": 1, "text": text } }));
        uri
    }

    fn save(&mut self, folder: &Folder, uri: &str, name: &str, text: &str) {
        self.tell("textDocument/didChange", json!({ "textDocument": { "uri": uri, "version": 2 }, "contentChanges": [{ "text": text }] }));
        folder.write(name, text);
        self.tell("textDocument/didSave", json!({ "textDocument": { "uri": uri }, "text": text }));
    }

    fn leave(mut self) {
        self.ask("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let status = self.child.wait().expect("it ends");
        assert!(status.success(), "{status}");
    }
}

#[test]
fn verdicts_hovers_and_actions() {
    let folder = Folder::with("counter.plx", COUNTER.replace("x <= N", "x < N"));
    let mut editor = Editor::new(&folder, &["--time", "60s"]);
    let uri = editor.open(&folder, "counter.plx");
    let found = editor.diagnostics();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["severity"], &found[0]["code"]), (&json!(1), &json!("low")));
    let line = found[0]["range"]["start"]["line"].as_u64().expect("a line");
    let steps = found[0]["relatedInformation"].as_array().expect("steps");
    assert_eq!(steps.len(), 4, "{steps:?}");
    assert!(steps[1]["message"].as_str().expect("text").contains("x = 1"));
    let at =
        json!({ "textDocument": { "uri": uri }, "position": { "line": line, "character": 2 } });
    let hover = editor.ask("textDocument/hover", at);
    assert!(hover["contents"]["value"].as_str().expect("text").contains("violated"), "{hover}");
    let lenses = editor.ask("textDocument/codeLens", json!({ "textDocument": { "uri": uri } }));
    let titles: Vec<&str> = lenses
        .as_array()
        .expect("a list")
        .iter()
        .filter_map(|l| l["command"]["title"].as_str())
        .collect();
    assert_eq!(titles.len(), 3, "{titles:?}");
    assert!(titles[1].starts_with('\u{2713}') && titles[1].contains("`top` holds"), "{titles:?}");

    // A mistake, then a text that was answered before: at once.
    editor.save(&folder, &uri, "counter.plx", "var x: int = ;\n");
    let found = editor.diagnostics();
    assert!(found[0]["code"].as_str().expect("a code").starts_with('M'), "{found:?}");
    let start = Instant::now();
    editor.save(&folder, &uri, "counter.plx", &COUNTER.replace("x <= N", "x < N"));
    assert_eq!(editor.diagnostics().len(), 1);
    assert!(start.elapsed() < Duration::from_millis(300), "{:?}", start.elapsed());
    editor.save(&folder, &uri, "counter.plx", COUNTER);
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    let actions = editor.ask("textDocument/codeAction", json!({ "textDocument": { "uri": uri }, "range": { "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } }, "context": { "diagnostics": [] } }));
    assert_eq!(actions.as_array().map(Vec::len), Some(2), "{actions}");
    let page = editor.ask(
        "workspace/executeCommand",
        json!({ "command": "parallax.report", "arguments": [uri] }),
    );
    assert!(page.as_str().expect("a file").ends_with("counter.html"));
    assert!(
        folder.read("counter.html").ends_with("</html>\n")
            || folder.read("counter.html").ends_with("</html>")
    );
    editor.leave();
}

#[test]
fn c_has_invariants_and_harnesses() {
    let folder = Folder::with(
        "loop.c",
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\nint main(void) {\n  int n = __VERIFIER_nondet_int(), i = 0;\n  if (n < 0 || n > 5) return 0;\n  while (i < n) {\n    i++;\n  }\n  if (i > 5) { reach_error(); }\n  return 0;\n}\n",
    );
    let mut editor = Editor::new(&folder, &["--time", "60s", "--engine", "cegar"]);
    let uri = editor.open(&folder, "loop.c");
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    let hover = editor.ask(
        "textDocument/hover",
        json!({ "textDocument": { "uri": uri }, "position": { "line": 5, "character": 2 } }),
    );
    assert!(hover["contents"]["value"].as_str().expect("text").contains("always here"), "{hover}");
    let range =
        json!({ "start": { "line": 5, "character": 0 }, "end": { "line": 5, "character": 0 } });
    let actions = editor.ask(
        "textDocument/codeAction",
        json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } }),
    );
    let edit = actions
        .as_array()
        .expect("a list")
        .iter()
        .find(|a| a["kind"] == "quickfix")
        .expect("an edit");
    let text = edit["edit"]["changes"][&uri][0]["newText"].as_str().expect("text");
    assert!(text.starts_with("  assert(") && text.ends_with(");\n"), "{text}");
    let broken = folder.read("loop.c").replace("i > 5", "i > 4");
    editor.save(&folder, &uri, "loop.c", &broken);
    let found = editor.diagnostics();
    assert_eq!(found[0]["range"]["start"]["line"], 8, "{found:?}");
    let written = editor.ask(
        "workspace/executeCommand",
        json!({ "command": "parallax.harness", "arguments": [uri] }),
    );
    assert!(written.as_str().expect("a file").ends_with("loop-harness/harness.c"));
    editor.leave();
}

#[test]
fn an_edit_cancels() {
    // There is no end to its states.
    let slow = "var x: int = 0;\nprocess P { up: do x := x + 1; }\ninvariant far: x < 900000000;\n";
    let folder = Folder::with("slow.plx", slow);
    let mut editor = Editor::new(&folder, &["--time", "120s", "--engine", "explicit"]);
    let uri = editor.open(&folder, "slow.plx");
    std::thread::sleep(Duration::from_millis(500));
    let start = Instant::now();
    editor.save(&folder, &uri, "slow.plx", "var x: int = ;\n");
    let found = editor.diagnostics();
    assert_eq!(found[0]["severity"], 1, "{found:?}");
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    let cancelled = editor.heard.iter().any(|m| m["params"]["status"] == "cancelled");
    assert!(cancelled, "{:?}", editor.heard);
    editor.leave();
    assert_eq!(support::survivors(&folder.mark()), Vec::<String>::new());
}
