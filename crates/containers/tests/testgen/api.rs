//! API texts that do not fit get an error with a place and a hint.

use parallax_base::{SourceFile, SourceMap};
use parallax_containers::{parse_api, resolve};
use parallax_front_c as front;

const PROGRAM: &str = "
    struct stack { int top; };
    struct other { int x; };
    struct stack *stack_new(int size) { static struct stack s; s.top = size - size; return &s; }
    void stack_push(struct stack *s, int x) { s->top += x; }
    int stack_pop(struct stack *s) { return s->top; }
    int stack_mix(struct stack *s, struct other *o) { return s->top + o->x; }
    double stack_half(struct stack *s) { return s->top / 2.0; }
    int stack_ok(const struct stack *s) { return s->top >= 0; }
    void stack_dump(struct stack *s);
    void use(struct stack *s) { stack_dump(s); }";

/// The first message for an API text: code, text, what is pointed at, hint.
fn message(api: &str) -> (String, String, String, String) {
    let mut sources = SourceMap::default();
    let input = front::Input::text("stack.c", PROGRAM);
    let loaded =
        front::load(&mut sources, &[input], &front::Options::default()).expect("a program");
    let file = sources.add(SourceFile::new("api.toml", api));
    let found = parse_api(file, api, false).and_then(|text| resolve(&text, &loaded.program));
    let found = found.expect_err("a bad API");
    let first = found.iter().next().expect("a message");
    let pointed = first.labels.first().map_or("", |label| {
        assert_eq!(label.span.file, file, "the place is in the API text");
        sources.snippet(label.span)
    });
    let help = first.help.clone().unwrap_or_default();
    (first.code.to_owned(), first.message.clone(), pointed.to_owned(), help)
}

#[test]
fn bad_texts_are_explained() {
    let check = |api: &str, code: &str, text: &str, pointed: &str, help: &str| {
        let (found_code, found_text, found_pointed, found_help) = message(api);
        assert_eq!(found_code, code, "{api}");
        assert!(found_text.contains(text), "{api}: {found_text}");
        assert!(found_pointed.contains(pointed), "{api}: {found_pointed}");
        assert!(found_help.contains(help), "{api}: {found_help}");
    };
    let new = "[container]\nnew = \"stack_new\"\narguments = [4]\n";
    let with = |rest: &str| format!("{new}{rest}");
    check("[container", "T0001", "", "", "");
    check("", "T0001", "no operation", "", "[[operation]]");
    check(&with("[[operation]]\nkall = \"x\""), "T0001", "unknown field", "kall", "");
    check(&with("[[operation]]\ncall = 3"), "T0001", "", "3", "");
    check(
        &with("[[operation]]\ncall = \"stack_pusch\""),
        "T0002",
        "no function `stack_pusch`",
        "stack_pusch",
        "`stack_push`",
    );
    check(
        &with("[[operation]]\ncall = \"stack_dump\""),
        "T0002",
        "no body",
        "stack_dump",
        "C file",
    );
    check(
        "[container]\nnew = \"stack_new\"\n[[operation]]\ncall = \"stack_pop\"",
        "T0003",
        "1 further argument",
        "stack_new",
        "arguments = [",
    );
    check(
        &with("[[operation]]\ncall = \"stack_mix\""),
        "T0003",
        "struct other *",
        "stack_mix",
        "arguments = [",
    );
    check(
        &with("[[operation]]\ncall = \"stack_push\"\narguments = [\"container\"]"),
        "T0003",
        "2 parameter(s), and 1",
        "stack_push",
        "one for each",
    );
    check(
        &with("[[operation]]\ncall = \"stack_push\"\narguments = [\"value\", \"container\"]"),
        "T0003",
        "cannot be passed",
        "value",
        "container",
    );
    check(
        &with("[[operation]]\ncall = \"stack_push\"\narguments = [\"container\", \"vale\"]"),
        "T0001",
        "no argument",
        "vale",
        "\"value\"",
    );
    check(
        &with("[[operation]]\ncall = \"stack_pop\"\nresult = \"container\""),
        "T0003",
        "no container",
        "container",
        "leave",
    );
    check(
        &with("[[operation]]\ncall = \"stack_pop\"\nmodel = \"stack_pop\""),
        "T0001",
        "no [model]",
        "stack_pop",
        "[model]",
    );
    check(&with("count = 5\n[[operation]]\ncall = \"stack_pop\""), "T0001", "1 and 4", "5", "");
    check(
        &with("count = 2\n[model]\n[[operation]]\ncall = \"stack_pop\""),
        "T0001",
        "only one container",
        "2",
        "",
    );
    check(
        &with(
            "[[operation]]\ncall = \"stack_push\"\narguments = [\"container\", { strings = [\"a\"] }]",
        ),
        "T0003",
        "cannot be passed",
        "strings",
        "",
    );
    check(
        &with(
            "[[operation]]\ncall = \"stack_push\"\narguments = [\"container\", { records = [{ a = 1 }] }]",
        ),
        "T0003",
        "no structure",
        "records",
        "",
    );
    check(
        &with("[[operation]]\ncall = \"stack_pop\"\narguments = [{ records = [{ depth = 1 }] }]"),
        "T0003",
        "no member `depth`",
        "records",
        "",
    );
    let invariant =
        |name: &str| format!("{new}invariant = \"{name}\"\n[[operation]]\ncall = \"stack_pop\"");
    check(&invariant("stack_okay"), "T0002", "no function", "stack_okay", "stack_ok");
    check(&invariant("stack_push"), "T0003", "the container alone", "stack_push", "one parameter");
    check(&invariant("stack_half"), "T0003", "no number", "stack_half", "not zero");
}

#[test]
fn annotations_are_found_in_comments() {
    let mut sources = SourceMap::default();
    let text = "/* a */ /*@ loop */ int x; /*@ testgen\n[[operation]]\ncall = \"f\"\n*/";
    let file = sources.add(SourceFile::new("a.c", text));
    assert!(parse_api(file, text, true).is_ok());
    assert!(parse_api(file, "int x;", true).is_err());
}
