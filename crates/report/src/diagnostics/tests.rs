//! Diagnostics as they are seen.

use super::*;
use parallax_base::{Label, SourceFile};

fn sources(text: &str) -> SourceMap {
    let mut map = SourceMap::default();
    map.add(SourceFile::new("model.plx", text));
    map
}

/// The span of the `nth` occurrence of `what`.
fn at(map: &SourceMap, what: &str, nth: usize) -> Span {
    let text = map.get(FileId(0)).expect("one file").text();
    let (lo, _) = text.match_indices(what).nth(nth).expect("present");
    Span::new(FileId(0), lo, lo + what.len())
}

fn plain(map: &SourceMap, diagnostic: &Diagnostic) -> String {
    render_diagnostic(map, diagnostic, Look::default())
}

#[test]
fn primary_and_further_places_with_help() {
    let map = sources("const N = M;\n\n\n\n\nconst M = N;\nvar x: int;\n");
    let diagnostic = Diagnostic::error("M0102", at(&map, "N", 0), "constant `N` depends on itself")
        .label("defined through `M`")
        .also(at(&map, "M", 1), "which is defined through `N`")
        .help("give one of them a value");
    insta::assert_snapshot!(plain(&map, &diagnostic), @"
    error[M0102]: constant `N` depends on itself
     --> model.plx:1:7
      |
    1 | const N = M;
      |       ^ defined through `M`
    ...
    6 | const M = N;
      |       - which is defined through `N`
      |
      = help: give one of them a value
    ");
}

#[test]
fn several_lines_are_bracketed_and_very_many_are_not() {
    let map = sources("process P {\n  var x: int;\n}\n");
    let whole = Span::new(FileId(0), 0, 29);
    let diagnostic = Diagnostic::warning("M0300", whole, "process `P` does nothing").label("here");
    insta::assert_snapshot!(plain(&map, &diagnostic), @"
    warning[M0300]: process `P` does nothing
     --> model.plx:1:1
      |
    1 | / process P {
    2 | |   var x: int;
    3 | | }
      | |_^ here
    ");

    let long = format!("process P {{\n{}}}\n", "  var x: int;\n".repeat(1000));
    let map = sources(&long);
    let whole = Span::new(FileId(0), 0, long.len());
    let diagnostic = Diagnostic::warning("M0300", whole, "process `P` does nothing").label("here");
    insta::assert_snapshot!(plain(&map, &diagnostic), @"
    warning[M0300]: process `P` does nothing
     --> model.plx:1:1
      |
    1 | process P {
      | ^^^^^^^^^^^ here
    ");
}

#[test]
fn lines_between_labels_are_shown_or_folded() {
    let map = sources(
        "var a: int;\nvar b: int;\nvar a: int;\nvar c: int;\nvar d: int;\nvar e: int;\nvar a: int;\n",
    );
    let diagnostic = Diagnostic::error("M0110", at(&map, "a: int", 1), "`a` is declared twice")
        .also(at(&map, "a: int", 0), "first here")
        .also(at(&map, "a: int", 2), "and once more");
    insta::assert_snapshot!(plain(&map, &diagnostic), @"
    error[M0110]: `a` is declared twice
     --> model.plx:3:5
      |
    1 | var a: int;
      |     ------ first here
    2 | var b: int;
    3 | var a: int;
      |     ^^^^^^
    ...
    7 | var a: int;
      |     ------ and once more
    ");
}

#[test]
fn far_places_and_foreign_files_get_snippets_of_their_own() {
    let mut map = sources(&format!("var a: int;\n{}var a: int;", "\n".repeat(50_000)));
    let other = map.add(SourceFile::new("b.plx", "enum a { x }"));
    let diagnostic = Diagnostic::error("M0110", at(&map, "a: int", 1), "`a` is declared twice")
        .also(at(&map, "a: int", 0), "first here")
        .also(Span::new(other, 5, 6), "and here")
        .also(Span::new(FileId(9), 5, 6), "nowhere");
    insta::assert_snapshot!(plain(&map, &diagnostic), @"
    error[M0110]: `a` is declared twice
         --> model.plx:50002:5
          |
    50002 | var a: int;
          |     ^^^^^^
          |
         ::: model.plx:1:5
          |
        1 | var a: int;
          |     ------ first here
          |
         ::: b.plx:1:6
          |
        1 | enum a { x }
          |      - and here
    ");
}

#[test]
fn hidden_characters_are_written_out_and_underlined_as_written() {
    let map = sources("var x\u{202e}\u{1b}[31m: int; // µ\tend");
    let hidden = Diagnostic::error("M0001", at(&map, "\u{202e}", 0), "hidden \u{202e} character");
    insta::assert_snapshot!(plain(&map, &hidden), @r"
    error[M0001]: hidden \u{202e} character
     --> model.plx:1:6
      |
    1 | var x\u{202e}\u{1b}[31m: int; // µ    end
      |      ^^^^^^^^
    ");
    let after = Diagnostic::error("M0001", at(&map, "end", 0), "after it").help("two\nlines\u{7}");
    insta::assert_snapshot!(plain(&map, &after), @r"
    error[M0001]: after it
     --> model.plx:1:24
      |
    1 | var x\u{202e}\u{1b}[31m: int; // µ    end
      |                                       ^^^
      |
      = help: two
              lines\u{7}
    ");
}

#[test]
fn long_lines_and_long_messages_are_cut() {
    let map = sources(&format!("{}x{}", "µ".repeat(1_000_000), "1".repeat(1_000_000)));
    let message = format!("literal {} is odd", "7".repeat(10_000));
    let diagnostic = Diagnostic::error("M0002", at(&map, "x", 0), message).label("this one");
    let text = plain(&map, &diagnostic);
    assert!(text.len() < 2_000, "{}", text.len());
    assert!(text.contains("model.plx:1:1000001"), "{text}");
    insta::assert_snapshot!(text.lines().skip(1).collect::<Vec<_>>().join("\n"), @"
     --> model.plx:1:1000001
      |
    1 | …µµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµµx111111111111111111111111111111...
      |                                                               ^ this one
    ");
}

#[test]
fn odd_spans_do_no_harm() {
    for text in ["", "µ", "ab\r\ncd\n", "\n\n", "x\ty\u{0}"] {
        let map = sources(text);
        for lo in 0..=text.len() + 2 {
            for hi in 0..=text.len() + 2 {
                let span = Span { file: FileId(0), lo: lo as u32, hi: hi as u32 };
                let diagnostic = Diagnostic::error("X0001", span, "odd").also(span, "again");
                assert!(plain(&map, &diagnostic).contains("odd"));
                let label = Label { span: Span::new(FileId(7), lo, hi), text: String::new() };
                let lost = Diagnostic { labels: vec![label], ..diagnostic };
                assert!(plain(&map, &lost).contains("odd"));
            }
        }
    }
}

#[test]
fn color_is_optional_and_the_rest_is_counted() {
    let map = sources("var x;");
    let mut all = Diagnostics::default();
    (0..22).for_each(|_| all.push(Diagnostic::error("M0001", at(&map, "x", 0), "no type")));
    let text = render_diagnostics(&map, &all, Look::default());
    assert!(!text.contains('\u{1b}'));
    assert!(text.ends_with("\n2 more errors not shown\n"));
    let look = Look { color: true, ..Look::default() };
    assert!(render_diagnostics(&map, &all, look).contains('\u{1b}'));
}

#[test]
fn json_has_every_place() {
    let map = sources("var x;\nvar µ x;");
    let diagnostic = Diagnostic::error("M0001", at(&map, "x", 1), "no type").help("add one");
    let json = serde_json::to_string(&diagnostic_json(&map, &diagnostic)).expect("plain data");
    insta::assert_snapshot!(json, @r#"{"code":"M0001","severity":"error","message":"no type","labels":[{"file":"model.plx","start":{"line":2,"column":7,"offset":14},"end":{"line":2,"column":8,"offset":15}}],"help":"add one"}"#);
}
