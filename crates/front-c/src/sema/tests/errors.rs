//! Wrong programs: the code and place of every error, and no others.

use super::parse;
use parallax_base::Diagnostics;
use parallax_cfa::DataModel;

/// Checks the errors of a text, each as `code line:column message`, with the
/// help after ` / `.
fn check(text: &str, expected: &[&str]) {
    let (sources, units) = parse(&[text]);
    let mut warnings = Diagnostics::default();
    let errors = match super::super::check(&units, DataModel::Lp64, &mut warnings) {
        Ok(_) => Vec::new(),
        Err(errors) => errors
            .iter()
            .map(|error| {
                let place = sources.place(error.labels[0].span);
                let place = place.trim_start_matches("0.c:");
                let help = error.help.as_ref().map_or(String::new(), |help| format!(" / {help}"));
                format!("{} {place} {}{help}", error.code, error.message)
            })
            .collect(),
    };
    assert_eq!(errors, expected, "{text}");
}

#[test]
fn names_and_types() {
    check(
        "int counter;\nint f(void) { return conter + conter; }",
        &["C1202 2:22 `conter` is not declared / did you mean `counter`?"],
    );
    check(
        "struct s { int width; } x;\nint f(void) { return x.widht; }",
        &["C1312 2:24 `struct s` has no member `widht` / did you mean `width`?"],
    );
    check(
        "struct s { int a; } *p;\nint f(void) { return p.a; }",
        &["C1311 2:22 `.` needs a structure or union, not `struct s *` / write `->a`"],
    );
    check(
        "struct s *p;\nint f(void) { return p->a; }",
        &["C1101 2:25 `struct s` is declared but not defined"],
    );
    check("int f(void) { int a; char a; }", &["C1411 1:27 `a` is declared twice"]);
    check("int a; char a;", &["C1412 1:13 conflicting types for `a`"]);
    check("int f(int); int f(char *);", &["C1412 1:17 conflicting types for `f`"]);
    check("int a = 1; int a = 2;", &["C1414 1:16 `a` is defined twice"]);
    check("int f() { } int f() { }", &["C1414 1:17 `f` is defined twice"]);
    check("struct s { int a; }; struct s { int b; };", &["C1405 1:22 `s` is defined twice"]);
    check("struct s { int a, a; };", &["C1407 1:19 the member `a` is declared twice"]);
    check(
        "struct s { struct s t; };",
        &["C1408 1:21 a member cannot have the incomplete type `struct s`"],
    );
    check("struct s x;", &["C1415 1:10 `x` has the incomplete type `struct s`"]);
    check("void f(void) { void x; }", &["C1418 1:21 `x` cannot have type `void`"]);
    check("int f(void)[3];", &["C1404 1:5 a function cannot return `int [3]`"]);
    check("struct s { int a : 33; };", &["C1004 1:20 the width of a bit-field is too large"]);
}

#[test]
fn operators_and_conversions() {
    let prologue = "struct s { int a; } x; int *p; double d; void v(void);\n";
    let one = |text: &str, expected: &str| {
        check(&format!("{prologue}int f(void) {{ {text}; }}"), &[expected]);
    };
    one("x + 1", "C1307 2:15 `+` cannot combine `struct s` and `int`");
    one("d % 2", "C1307 2:15 `%` cannot combine `double` and `int`");
    one("p * 2", "C1307 2:15 `*` cannot combine `int *` and `int`");
    one("~d", "C1301 2:15 `~` cannot be applied to `double`");
    one("*d", "C1304 2:15 `*` needs a pointer, not `double`");
    one("&3", "C1302 2:15 `&` needs an object or a function");
    one("3 = 4", "C1305 2:15 this is no object that could be changed");
    one("if (x) ;", "C1102 2:19 a condition must be a number or a pointer");
    one("x = 3", "C1103 2:19 the assignment cannot convert `int` to `struct s`");
    one("p = d", "C1103 2:19 the assignment cannot convert `double` to `int *`");
    one("d = v()", "C1103 2:19 the assignment needs a value, and there is none");
    one("(struct s)3", "C1103 2:15 the cast cannot convert `int` to `struct s`");
    one("v(1)", "C1315 2:15 the call needs 0 arguments and has 1");
    one("d()", "C1314 2:15 `double` is not a function");
    one("p[d]", "C1309 2:15 an index must be an integer, not `double`");
    one("const int k = 1; k = 2", "C1305 2:32 a `const` object cannot be changed");
    one("sizeof(struct t)", "C1101 2:15 the size of `struct t` is not known here");
    one("1 ? x : d", "C1306 2:15 the branches have types `struct s` and `double`");
}

#[test]
fn statements_and_constants() {
    check(
        "void f(void) { break; }",
        &["C1508 1:16 `break` stands outside of any loop or `switch`"],
    );
    check(
        "void f(void) { goto a; }",
        &["C1502 1:21 the label `a` stands nowhere in this function"],
    );
    check("void f(void) { a:; a:; }", &["C1504 1:20 the label `a` stands twice in this function"]);
    check(
        "void f(int x) { switch (x) { case 1: case 0 ... 2: ; } }",
        &["C1506 1:43 this case stands twice"],
    );
    check("void f(void) { case 1: ; }", &["C1507 1:16 `case` stands outside of any `switch`"]);
    check("int n; int a[n];", &["C1002 1:14 the length of an array is not constant"]);
    check("int a[-1];", &["C1004 1:7 the length of an array is negative"]);
    check(
        "int n; int m = n;",
        &["C1604 1:16 the initial value of a static object is not constant"],
    );
    check("_Static_assert(1 == 2, \"no\");", &["C1003 1:16 static assertion failed: no"]);
    check("enum { A = 1 / 0 };", &["C1002 1:12 the value of an enumerator is not constant"]);
    check("int a[2] = { [2] = 1 };", &["C1004 1:15 an index is too large"]);
    check(
        "struct { int a; } x = { .b = 1 };",
        &["C1312 1:26 `struct <anonymous>` has no member `b`"],
    );
}

#[test]
fn one_mistake_is_one_error() {
    // A poisoned name is silent, and the rest of the text is still checked.
    check(
        "struct t x;\nint f(void) { return x.a + x.b; }\nint g(void) { undeclared = 1; undeclared = 2; return other; }",
        &[
            "C1101 2:24 `struct t` is declared but not defined",
            "C1101 2:30 `struct t` is declared but not defined",
            "C1202 3:15 `undeclared` is not declared",
            "C1202 3:54 `other` is not declared",
            "C1415 1:10 `x` has the incomplete type `struct t`",
        ],
    );
    check(
        "int f(void) { unknown_t *p; return 0; }",
        &["C1202 1:15 `unknown_t` is not declared", "C1202 1:26 `p` is not declared"],
    );
    check(
        "int a[1 / 0];\nint f(void) { return a[1] + a[2]; }",
        &["C1002 1:7 the length of an array is not constant"],
    );
}
