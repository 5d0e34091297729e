//! The suite as one C file: plain `cc`, asserts, TAP on standard output.
//!
//! Every test runs in a process of its own where there is `fork`, so a test that
//! crashes is one `not ok`, and static variables begin anew.

use crate::Suite;
use crate::source::{names, probe_definition, program_text};
use crate::words::{
    CONTAINER, MODEL, call_in_c, containers, ending, given, invariant, making, making_model,
    sequence_text, subject_of,
};
use parallax_cfa::Type;
use parallax_containers::{Call, Failure, Observed, Operation, ResultUse, Runner};
use std::collections::BTreeSet;
use std::fmt::Write;

/// All tests that were kept.
pub fn c_suite(suite: &Suite<'_>, file_name: &str) -> String {
    let tests: Vec<&[Call]> = suite.found.tests.iter().map(|test| &test.calls[..]).collect();
    file(suite, &tests, Asked::Observed, file_name)
}

/// The failing sequence alone.
pub fn c_failure(suite: &Suite<'_>, failure: &Failure, file_name: &str) -> String {
    file(suite, &[&failure.calls], Asked::Judged, file_name)
}

/// A failing sequence as a program without inputs that fails when it is run:
/// what `c_failure` runs, without a report on it.
pub fn failing_program(suite: &Suite<'_>, calls: &[Call]) -> String {
    let text = program_text(suite);
    let mut out = format!("{text}\n#undef NDEBUG\n#include <assert.h>\n#include <string.h>\n");
    out.push_str(probe_definition(suite, &text).unwrap_or_default());
    out.push_str(KEPT);
    let mut runner = Runner::new(suite.subject);
    test(&mut out, suite, &mut runner, 1, calls, Asked::Judged);
    out.push_str("\nint main(void)\n{\n    parallax_test_1();\n    return 0;\n}\n");
    out
}

/// What a test asserts of the results of operations.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// That they are what they were.
    Observed,
    /// That they are what the model says.
    Judged,
}

fn file(suite: &Suite<'_>, tests: &[&[Call]], asked: Asked, file_name: &str) -> String {
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
    out.push_str(KEPT);
    let mut runner = Runner::new(suite.subject);
    for (number, calls) in tests.iter().enumerate() {
        out.push('\n');
        test(&mut out, suite, &mut runner, number + 1, calls, asked);
    }
    main(&mut out, suite, tests);
    out
}

/// What tests hold on to for ever, so that it is no leak: containers that the
/// API has no end for, models, and pointers that operations return.
const KEPT: &str = "
static const void *parallax_kept[256];
static unsigned parallax_kept_count;

static void *parallax_keep(const void *pointer)
{
    if (parallax_kept_count < 256)
        parallax_kept[parallax_kept_count++] = pointer;
    return (void *)pointer;
}
";

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
    asked: Asked,
) {
    let subject = suite.subject;
    let (observed, _) = runner.replay(calls);
    let _ = writeln!(out, "static void parallax_test_{number}(void)\n{{");
    let judged = asked == Asked::Judged && subject.api.model.is_some();
    let model = if judged { making_model(subject) } else { Vec::new() };
    let used: BTreeSet<usize> = calls.iter().map(|call| call.operation).collect();
    let given = used.into_iter().flat_map(|operation| given(subject, operation));
    for line in given.chain(making(subject)).chain(model) {
        let _ = writeln!(out, "    {line}");
    }
    let invariant = invariant(subject);
    let check = |out: &mut String| {
        for invariant in &invariant {
            let _ = writeln!(out, "    assert({invariant});");
        }
    };
    check(out);
    for (at, call) in calls.iter().enumerate() {
        let operation = &subject.api.operations[call.operation];
        let own = subject_of(operation, call);
        let held = returns_pointer(suite, operation) && operation.result != ResultUse::Container;
        let keep = |text: String| if held { format!("parallax_keep({text})") } else { text };
        let text = keep(call_in_c(&operation.name, operation, call, CONTAINER));
        if asked == Asked::Judged {
            let model = operation.model.filter(|_| judged).map(|function| {
                let name = &subject.program().functions[function].name;
                keep(call_in_c(name, operation, call, MODEL))
            });
            let _ = match (operation.result, model) {
                (ResultUse::Container, None) => writeln!(out, "    {own} = {text};"),
                (ResultUse::Container, Some(model)) => {
                    writeln!(out, "    {own} = {text};\n    {MODEL} = {model};")
                }
                (ResultUse::Scalar(_), Some(model)) => {
                    writeln!(out, "    assert({text} == {model});")
                }
                (ResultUse::Pointer, Some(model)) => {
                    writeln!(out, "    assert(({text} == NULL) == ({model} == NULL));")
                }
                (_, Some(model)) => writeln!(out, "    {text};\n    {model};"),
                (_, None) => writeln!(out, "    {text};"),
            };
            check(out);
            continue;
        }
        let _ = match (operation.result, observed.get(at)) {
            (ResultUse::Container, _) => writeln!(out, "    {own} = {text};"),
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
    if judged && subject.api.model.as_ref().is_some_and(|model| model.pointer.is_some()) {
        let _ = writeln!(out, "    parallax_keep({MODEL});");
    }
    let ending = ending(subject);
    let kept = containers(subject).into_iter().filter(|_| ending.is_empty());
    let kept = kept.map(|container| format!("parallax_keep({container})"));
    for line in ending.iter().cloned().chain(kept) {
        let _ = writeln!(out, "    {line};");
    }
    out.push_str("}\n");
}

/// Whether what an operation returns may have to be freed by its caller.
fn returns_pointer(suite: &Suite<'_>, operation: &Operation) -> bool {
    let program = suite.subject.program();
    let Type::Function(function) = program.types.get(program.functions[operation.function].ty)
    else {
        return false;
    };
    matches!(program.types.get(function.result), Type::Pointer { .. })
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
        let name = name.replace('\\', "\\\\").replace('"', "\\\"");
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
