//! The suite as JSON: every fact that the text shows.

use crate::Suite;
use crate::report::Totals;
use crate::words::call_text;
use parallax_base::Span;
use parallax_containers::{Call, Goal, Observed, Runner, Wrong};
use serde_json::{Value, json};

/// Name and version of the format.
pub const SCHEMA: &str = "parallax-testgen/2";

/// The suite as a JSON object.
pub fn suite_json(suite: &Suite<'_>) -> Value {
    let totals = Totals::new(suite);
    let mut runner = Runner::new(suite.subject);
    let tests: Vec<Value> = suite
        .found
        .tests
        .iter()
        .map(|test| {
            let (observed, _) = runner.replay(&test.calls);
            json!({ "calls": calls(suite, &test.calls, &observed) })
        })
        .collect();
    let levels: Vec<Value> = suite
        .found
        .levels
        .iter()
        .map(|level| {
            json!({
                "length": level.length,
                "states": level.states,
                "operations": level.operations,
                "blocks": level.blocks,
                "branches": level.branches,
                "combinations": level.combinations,
                "shapes": level.shapes,
            })
        })
        .collect();
    let shapes: Vec<Value> = suite
        .found
        .shape_counts
        .iter()
        .map(|(objects, count)| json!({ "objects": objects, "shapes": count }))
        .collect();
    let figures = suite.found.figures;
    json!({
        "schema": SCHEMA,
        "kind": "testgen",
        "files": suite.files.iter().map(|file| file.display().to_string()).collect::<Vec<_>>(),
        "match": suite.config.matching.name(),
        "length": suite.config.length,
        "values": suite.config.values,
        "goal": match suite.config.goal {
            Goal::Blocks => "blocks",
            Goal::Branches => "branches",
            Goal::Predicates => "predicates",
        },
        "coverage": {
            "blocks": { "covered": totals.blocks, "of": totals.block_count },
            "branches": { "covered": totals.branches, "of": totals.branch_count },
            "lines": { "covered": totals.lines, "of": totals.line_count },
            "probes": suite.subject.has_probes.then_some(totals.probe_blocks),
            "combinations": totals.combinations,
        },
        "figures": {
            "operations": figures.operations,
            "states": figures.states,
            "matched": figures.matched,
            "paths": figures.paths,
            "implications": figures.implications,
            "unconfirmed": figures.unconfirmed,
            "bytes": figures.bytes,
        },
        "stopped": suite.found.stopped.map(|stop| stop.to_string()),
        "levels": levels,
        "shapes": shapes,
        "tests": tests,
        "failure": suite.found.failure.as_ref().map(|failure| {
            let (observed, _) = runner.replay(&failure.calls);
            json!({
                "what": failure.wrong.to_string(),
                "kind": kind(&failure.wrong),
                "at": failure.wrong.place().map(|place| place_text(suite, place.span)),
                "calls": calls(suite, &failure.calls, &observed),
            })
        }),
    })
}

fn kind(wrong: &Wrong) -> &'static str {
    match wrong {
        Wrong::Trap(parallax_machine::Trap::Error(_), _) => "assertion",
        Wrong::Trap(..) => "undefined-behavior",
        Wrong::Invariant => "invariant",
        Wrong::InvariantTrap(..) => "invariant-error",
        Wrong::ModelTrap(..) => "model-error",
        Wrong::Difference { .. } => "difference",
        Wrong::Leak { .. } => "leak",
    }
}

fn place_text(suite: &Suite<'_>, span: Span) -> String {
    suite.sources.place(span)
}

fn calls(suite: &Suite<'_>, calls: &[Call], observed: &[Observed]) -> Vec<Value> {
    let api = &suite.subject.api;
    calls
        .iter()
        .enumerate()
        .map(|(at, call)| {
            json!({
                "operation": api.operations[call.operation].name,
                "values": call.values,
                "text": call_text(api, call),
                "returns": match observed.get(at) {
                    Some(Observed::Number(value)) => json!(value),
                    Some(Observed::Pointer { null: is_null }) => json!({ "null": is_null }),
                    _ => Value::Null,
                },
            })
        })
        .collect()
}
