//! `parallax invariants` from end to end.

#![cfg(unix)]

mod support;

use support::Folder;

const TEXT: &str = "\
extern int any(void);
int main(void) {
  int x = 0, y = 0;
  while (x < 100) {
    x++;
    if (any()) y++;
  }
  return y;
}
";

#[test]
fn invariants_are_shown_saved_and_checked() {
    let folder = Folder::with("count.c", TEXT);
    let shown = folder.run("invariants count.c --templates octagons --certificate proof.json");
    assert_eq!(shown.code, 0, "{}", shown.err);
    for fact in ["4:3 in main", "    x <= 100\n", "    y >= 0\n", "(long long)x >= (long long)y"] {
        assert!(shown.out.contains(fact), "`{fact}` in\n{}", shown.out);
    }
    let certified = folder.run("certify -p invariants count.c proof.json");
    assert_eq!(certified.code, 0, "{}", certified.out);
    assert!(certified.out.contains("invariants  holds"), "{}", certified.out);
    // Invariants are claims of the file: they count when they are asked for.
    let unasked = folder.run("certify count.c proof.json");
    assert_eq!(unasked.code, 65, "{}", unasked.out);
    assert!(unasked.err.contains("add: -p invariants"), "{}", unasked.err);
    folder.write("proof.json", folder.read("proof.json").replace("(<= x 100)", "(<= x 99)"));
    let refused = folder.run("certify -p invariants count.c proof.json");
    assert_eq!(refused.code, 20, "{}", refused.out);
    // The same certificate is about another program after a change.
    folder.write("count.c", TEXT.replace("x < 100", "x < 101"));
    assert_ne!(folder.run("certify -p invariants count.c proof.json").code, 0);
}

#[test]
fn analyses_are_compared_as_json() {
    let folder = Folder::with("count.c", TEXT);
    let compared = folder.run("invariants count.c --templates intervals --analysis compare --json");
    assert_eq!(compared.code, 0, "{}", compared.err);
    let json: serde_json::Value = serde_json::from_str(&compared.out).expect("JSON");
    let first = &json["loops"][0];
    assert_eq!((&first["line"], &first["at"]), (&4.into(), &"main".into()));
    assert_eq!(json["check"]["verdict"], "holds");
    assert!(first["other"]["comparison"].is_string(), "{first}");
}

#[test]
fn mistakes_are_explained() {
    let folder = Folder::with("count.c", TEXT);
    let unknown = folder.run("invariants count.c --template x+z");
    assert_eq!(unknown.code, 2);
    assert!(unknown.err.contains("P0015"), "{}", unknown.err);
    assert!(unknown.err.contains("no loop knows all of the integer variables x, z"));
    folder.write("broken.c", "int main(void) { while (1) { x++; } }");
    assert_eq!(folder.run("invariants broken.c").code, 65);
    // What is not modelled is said, with its place, and nothing is accepted.
    let varargs = "#include <stdarg.h>\nint f(int n, ...) {\n  va_list l;\n  va_start(l, n);\n  \
                   return va_arg(l, int);\n}\nint main(void) { int x = 0; while (x < 3) x += f(1, 1); }\n";
    folder.write("varargs.c", varargs);
    let open = folder.run("invariants varargs.c");
    assert_eq!(open.code, 20, "{}{}", open.out, open.err);
    assert!(open.out.contains("unsupported: variable arguments"), "{}", open.out);
    assert!(open.out.contains("not accepted"), "{}", open.out);
}
