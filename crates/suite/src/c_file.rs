//! The suite as one C file: plain `cc`, asserts, TAP on standard output.
//!
//! Every test runs in a process of its own where there is `fork`, so a test that
//! crashes is one `not ok`, and static variables begin anew.

use crate::Suite;
use crate::source::{names, probe_definition, program_text};
use crate::words::{CONTAINER, call_in_c, ending, invariant, making, sequence_text};
use parallax_engine_test::{Call, Failure, MakerKind, Observed, ResultUse, Runner};
use std::fmt::Write;

/// All tests that were kept.
pub fn c_suite(suite: &Suite<'_>, file_name: &str) -> String {
    let tests: Vec<&[Call]> = suite.found.tests.iter().map(|test| &test.calls[..]).collect();
    file(suite, &tests, file_name)
}

/// The failing sequence alone.
pub fn c_failure(suite: &Suite<'_>, failure: &Failure, file_name: &str) -> String {
    file(suite, &[&failure.calls], file_name)
}

fn file(suite: &Suite<'_>, tests: &[&[Call]], file_name: &str) -> String {
    let text = program_text(suite);
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/* Tests for {}, made by parallax testgen: compile with `cc {file_name}`, run, read as TAP. */",
        names(suite)
    );
    out.push_str(&text);
    let line = out.lines().count() + 2;
    let _ = writeln!(out, "#line {line} \"{file_name}\"");
    out.push_str(PRELUDE);
    if let Some(definition) = probe_definition(suite, &text) {
        out.push('\n');
        out.push_str(definition);
    }
    let mut runner = Runner::new(suite.subject);
    for (number, calls) in tests.iter().enumerate() {
        out.push('\n');
        test(&mut out, suite, &mut runner, number + 1, calls);
    }
    main(&mut out, suite, tests);
    out
}

const PRELUDE: &str = "\
#undef NDEBUG
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#if defined(__unix__) || defined(__APPLE__)
#include <sys/wait.h>
#include <unistd.h>
#define PARALLAX_FORKS 1
#endif
";

fn test(
    out: &mut String,
    suite: &Suite<'_>,
    runner: &mut Runner<'_>,
    number: usize,
    calls: &[Call],
) {
    let subject = suite.subject;
    let (observed, _) = runner.replay(calls);
    let _ = writeln!(out, "static void parallax_test_{number}(void)\n{{");
    for line in making(subject) {
        let _ = writeln!(out, "    {line}");
    }
    let invariant = invariant(subject);
    let check = |out: &mut String| {
        if let Some(invariant) = &invariant {
            let _ = writeln!(out, "    assert({invariant});");
        }
    };
    if subject.api.container.pointer.is_some() && calls.is_empty() && invariant.is_none() {
        let _ = writeln!(out, "    (void){CONTAINER};");
    }
    check(out);
    for (at, call) in calls.iter().enumerate() {
        let operation = &subject.api.operations[call.operation];
        let text = call_in_c(operation, call, CONTAINER);
        let _ = match (operation.result, observed.get(at)) {
            (ResultUse::Container, _) => writeln!(out, "    {CONTAINER} = {text};"),
            (_, Some(Observed::Number(value))) => {
                let value = number_in_c(operation.result, *value);
                writeln!(out, "    assert({text} == {value});")
            }
            (_, Some(Observed::Pointer { null: true })) => {
                writeln!(out, "    assert({text} == NULL);")
            }
            (_, Some(Observed::Pointer { null: false })) => {
                writeln!(out, "    assert({text} != NULL);")
            }
            _ => writeln!(out, "    {text};"),
        };
        check(out);
    }
    if let Some(ending) = ending(subject) {
        let _ = writeln!(out, "    {ending}");
    } else if matches!(subject.api.container.kind, MakerKind::Null) {
        let _ = writeln!(out, "    (void){CONTAINER};");
    }
    out.push_str("}\n");
}

/// A value as a constant of its type; the least integers have no literal.
fn number_in_c(result: ResultUse, value: i64) -> String {
    match result {
        ResultUse::Scalar(ty) if !ty.is_signed() && ty.bits() == 64 => {
            format!("{}ULL", value as u64)
        }
        _ if value == i64::MIN => "(-9223372036854775807LL - 1)".to_owned(),
        _ if value == i64::from(i32::MIN) => "(-2147483647 - 1)".to_owned(),
        _ if i32::try_from(value).is_err() => format!("{value}LL"),
        _ => value.to_string(),
    }
}

fn main(out: &mut String, suite: &Suite<'_>, tests: &[&[Call]]) {
    out.push_str("\nstatic const struct {\n    void (*run)(void);\n    const char *name;\n} ");
    out.push_str("parallax_tests[] = {\n");
    for (number, calls) in tests.iter().enumerate() {
        let name = sequence_text(&suite.subject.api, calls);
        let _ = writeln!(out, "    {{parallax_test_{}, \"{name}\"}},", number + 1);
    }
    if tests.is_empty() {
        out.push_str("    {0, 0},\n");
    }
    let _ = write!(
        out,
        "}};

static int parallax_run(void (*test)(void))
{{
#ifdef PARALLAX_FORKS
    int status = 0;
    pid_t child;
    fflush(stdout);
    child = fork();
    if (child == 0) {{
        test();
        exit(0);
    }}
    if (child > 0 && waitpid(child, &status, 0) == child)
        return WIFEXITED(status) && WEXITSTATUS(status) == 0;
#endif
    test();
    return 1;
}}

int main(void)
{{
    int failed = 0;
    int i;
    printf(\"1..%d\\n\", {count});
    for (i = 0; i < {count}; i++) {{
        int good = parallax_run(parallax_tests[i].run);
        failed += !good;
        printf(\"%sok %d - %s\\n\", good ? \"\" : \"not \", i + 1, parallax_tests[i].name);
    }}
    return failed != 0;
}}
",
        count = tests.len()
    );
}
