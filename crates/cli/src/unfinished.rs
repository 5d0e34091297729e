//! The result of a run that reached its limits before it had one.

use crate::board::Status;
use crate::deliver::Delivery;
use crate::exit::Exit;
use parallax::report::escape::{clip, visible};
use parallax::report::{Page, PropertyJson, RunJson, StatsJson};
use parallax::{Verdict, Why};
use parallax_base::{Budget, Stop, peak_memory_bytes};
use std::path::Path;

/// What a command is asked, as far as that is known without its work.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The format that it prints.
    pub(crate) schema: &'static str,
    /// What it is about: a file, most often.
    pub(crate) subject: String,
    /// The names of what was asked.
    pub(crate) names: Vec<String>,
    /// What to try if there is no answer.
    pub(crate) hint: Option<&'static str>,
}

impl Asked {
    /// Something is asked about a file.
    pub(crate) fn about(schema: &'static str, file: &Path) -> Asked {
        let subject = file.to_string_lossy().into_owned();
        Asked { schema, subject, names: Vec::new(), hint: None }
    }

    /// What to try if there is no answer, as a line.
    pub(crate) fn hint(&self) -> String {
        self.hint.map(|hint| format!("  try: {hint}\n")).unwrap_or_default()
    }
}

/// Prints `unknown` where nothing else can be said than what was asked.
pub(crate) fn unfinished(
    of: &Asked,
    status: &Status,
    budget: &Budget,
    stop: Stop,
    delivery: &Delivery,
) -> Exit {
    let stats = || StatsJson {
        iterations: status.iteration,
        predicates: status.predicates,
        solver_queries: status.queries,
        states: status.states,
        abstract_states: status.abstract_states,
        time_s: budget.elapsed().as_secs_f64(),
        peak_memory_bytes: peak_memory_bytes(),
        attack_runs: 0,
        attack_states: 0,
        doubt_s: None,
    };
    let why = Why::Stopped(stop);
    let open = |name: &String| PropertyJson::open(name.clone(), &why, stats());
    let object = RunJson {
        schema: of.schema,
        verdict: Verdict::Unknown.word(),
        model: of.subject.clone(),
        properties: of.names.iter().map(open).collect(),
        assumptions: Vec::new(),
        stats: stats(),
        native: None,
        next: None,
    };
    let text = || {
        let subject = visible(&of.subject);
        let subject = clip(&subject, 100);
        format!("{subject}: unknown\n  {stop} reached {}\n{}", during(status), of.hint())
    };
    match delivery.result(&object, text, Page::default) {
        Ok(_) => Exit::Unknown,
        Err(failure) => {
            // The result is out already.
            failure.print(false);
            failure.exit()
        }
    }
}

/// What the work was at.
fn during(status: &Status) -> String {
    let phase = match status.phase {
        "" | "load" => return String::from("before the work began"),
        phase => format!("in the phase `{phase}`"),
    };
    match status.states {
        0 => phase,
        states => format!("{phase}, after {states} states"),
    }
}
