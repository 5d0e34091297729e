//! The program that Test-Comp runs: it asks for the operations as inputs.

use crate::Suite;
use crate::source::{names, probe_definition, program_text};
use crate::words::{CONTAINER, ending, given, given_in_c, invariant, making};
use parallax_containers::{Call, Parameter, ResultUse};
use std::fmt::Write;

/// The driver: how many operations, then for each its number and its values.
pub(crate) fn driver(suite: &Suite<'_>) -> String {
    let text = program_text(suite);
    let subject = suite.subject;
    let mut out = String::new();
    let _ = writeln!(out, "/* A driver for {}, made by parallax testgen. */", names(suite));
    out.push_str(&text);
    out.push_str("#line 1 \"driver\"\n#include <string.h>\n");
    if let Some(definition) = probe_definition(suite, &text) {
        out.push_str(definition);
    }
    out.push_str(
        "extern int __VERIFIER_nondet_int(void);\nextern void reach_error(void);\n\n\
         int main(void)\n{\n    int parallax_left = __VERIFIER_nondet_int();\n",
    );
    let given = (0..subject.api.operations.len()).flat_map(|number| given(subject, number));
    for line in given.chain(making(subject)) {
        let _ = writeln!(out, "    {line}");
    }
    out.push_str("    for (; parallax_left > 0; parallax_left--) {\n");
    out.push_str("        switch (__VERIFIER_nondet_int()) {\n");
    for (number, operation) in subject.api.operations.iter().enumerate() {
        // The values are asked for one after the other: the order in which C
        // evaluates arguments is not fixed.
        let _ = writeln!(out, "        case {number}: {{");
        let mut arguments = Vec::new();
        let mut own: Option<String> = None;
        for (at, parameter) in operation.parameters.iter().enumerate() {
            arguments.push(match parameter {
                Parameter::Container => CONTAINER.to_owned(),
                Parameter::Constant(value) => value.to_string(),
                Parameter::Chosen(_) => {
                    let _ = writeln!(out, "            int v{at} = __VERIFIER_nondet_int();");
                    let chosen = format!("{CONTAINER}[v{at}]");
                    own.get_or_insert_with(|| chosen.clone());
                    chosen
                }
                Parameter::Given(passing, _) => {
                    let _ = writeln!(out, "            int v{at} = __VERIFIER_nondet_int();");
                    given_in_c(*passing, number, at, &format!("v{at}"))
                }
                _ => {
                    let _ = writeln!(out, "            int v{at} = __VERIFIER_nondet_int();");
                    format!("v{at}")
                }
            });
        }
        let taken = match operation.result {
            ResultUse::Container => format!("{} = ", own.as_deref().unwrap_or(CONTAINER)),
            _ => String::new(),
        };
        let _ = writeln!(
            out,
            "            {taken}{}({});\n            break;\n        }}",
            operation.name,
            arguments.join(", ")
        );
    }
    out.push_str("        }\n");
    for invariant in invariant(subject) {
        let _ = writeln!(out, "        if (!{invariant})\n            reach_error();");
    }
    out.push_str("    }\n");
    for ending in ending(subject) {
        let _ = writeln!(out, "    {ending};");
    }
    out.push_str("    return 0;\n}\n");
    out
}

/// The inputs that make the driver run a sequence.
pub(crate) fn inputs(calls: &[Call]) -> Vec<i64> {
    let mut inputs = vec![calls.len() as i64];
    for call in calls {
        inputs.push(call.operation as i64);
        inputs.extend(&call.values);
    }
    inputs
}
