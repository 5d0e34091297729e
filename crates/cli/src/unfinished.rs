//! The result of a run that reached its limits before anything was known.

use crate::exit::Exit;
use crate::terminal;
use parallax::report::escape::visible;
use parallax::report::{PropertyJson, RunJson, SCHEMA, StatsJson};
use parallax::{Verdict, Why};
use parallax_base::{Budget, Stop, peak_memory_bytes};
use std::path::Path;

/// Prints `unknown` for a file of which nothing else can be said than what was
/// asked.
pub(crate) fn unfinished(
    file: &Path,
    asked: Vec<String>,
    budget: &Budget,
    stop: Stop,
    json: bool,
) -> Exit {
    let name = file.to_string_lossy();
    let stats = || StatsJson {
        iterations: 0,
        predicates: 0,
        solver_queries: 0,
        states: 0,
        abstract_states: 0,
        time_s: budget.elapsed().as_secs_f64(),
        peak_memory_bytes: peak_memory_bytes(),
        attack_runs: 0,
        attack_states: 0,
        doubt_s: None,
    };
    if json {
        let why = Why::Stopped(stop);
        let open = |name: String| PropertyJson::open(name, &why, stats());
        terminal::print_json(&RunJson {
            schema: SCHEMA,
            verdict: Verdict::Unknown.word(),
            model: name.into_owned(),
            properties: asked.into_iter().map(open).collect(),
            assumptions: Vec::new(),
            stats: stats(),
            native: None,
            next: None,
        });
    } else {
        let name = visible(&name);
        terminal::print(&format!("{name}: unknown\n  {stop} reached before the work began\n"));
    }
    Exit::Unknown
}
