//! The result of a run that reached its limits before anything was known.

use crate::exit::Exit;
use crate::terminal;
use parallax::Verdict;
use parallax::report::escape::visible;
use parallax::report::{RunJson, SCHEMA, StatsJson};
use parallax_base::{Budget, Stop, peak_memory_bytes};
use std::path::Path;

/// Prints `unknown` for a file of which nothing else can be said.
pub(crate) fn unfinished(file: &Path, budget: &Budget, stop: Stop, json: bool) -> Exit {
    let name = file.to_string_lossy();
    if json {
        terminal::print_json(&RunJson {
            schema: SCHEMA,
            verdict: Verdict::Unknown.word(),
            model: name.into_owned(),
            properties: Vec::new(),
            assumptions: Vec::new(),
            stats: StatsJson {
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
            },
            native: None,
            next: None,
        });
    } else {
        let name = visible(&name);
        terminal::print(&format!("{name}: unknown\n  {stop} reached before the work began\n"));
    }
    Exit::Unknown
}
