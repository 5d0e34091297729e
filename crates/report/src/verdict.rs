//! The verdict block: what holds, why we believe it, what to do next.
//!
//! All properties are listed, as long as they fit a screen or so.

use std::collections::BTreeSet;
use std::fmt::Write;

use parallax_evidence::{Finding, Statistics, Verdict, Why};

use crate::diagnostics::Look;
use crate::escape::{clip, visible};
use crate::metrics::columns;
use crate::run::{Answer, Run, count, evidence_summary, hint};

/// Lines about single properties in a block.
const PROPERTY_LINES: usize = 40;

/// The verdict block of a run.
pub fn render_verdict(run: &Run<'_>, look: Look) -> String {
    let mut out = String::new();
    write_verdict(&mut out, run, look).map_or_else(|_| String::new(), |()| out)
}

fn write_verdict(out: &mut String, run: &Run<'_>, look: Look) -> std::fmt::Result {
    let program = run.program;
    let verdict = run.verdict();
    writeln!(out, "{}: {}", visible(&program.name), painted(verdict, verdict.word(), look))?;

    // What needs attention comes first when there is not room for all.
    let urgency = |a: &&Answer<'_>| match a.verdict(program) {
        Verdict::Violated => 0,
        Verdict::Unknown => 1,
        Verdict::Holds => 2,
    };
    let mut answers: Vec<&Answer<'_>> = run.answers.iter().collect();
    let name = |a: &Answer<'_>| clip(&visible(a.title(program)), 40).into_owned();
    let lines: usize = answers.iter().map(|a| 1 + usize::from(remedy(run, a).is_some())).sum();
    if lines > PROPERTY_LINES {
        answers.sort_by_key(urgency);
    }
    let names = answers.iter().map(|a| columns(&name(a))).max().unwrap_or(0);
    let mut left = PROPERTY_LINES;
    let mut shown = 0;
    for answer in &answers {
        let verdict = answer.verdict(program);
        let remedy = remedy(run, answer);
        let needed = 1 + usize::from(remedy.is_some());
        if needed > left {
            break;
        }
        left -= needed;
        shown += 1;
        let name = name(answer);
        let pad = " ".repeat(names - columns(&name));
        let word = painted(verdict, &format!("{:8}", verdict.word()), look);
        writeln!(out, "  {name}{pad}  {word}  {}", reason(answer))?;
        if let Some(remedy) = remedy {
            writeln!(out, "  {}            {remedy}", " ".repeat(names))?;
        }
    }
    if shown < answers.len() {
        writeln!(out, "  ... and {} more (--json lists all)", answers.len() - shown)?;
    }
    let assumptions = match run.assumptions.len() {
        0 => String::from("nothing"),
        _ => visible(&clip(&run.assumptions.join("; "), 1000)).into_owned(),
    };
    writeln!(out, "  assumes: {assumptions}")?;
    let trusts: BTreeSet<&str> =
        run.answers.iter().flat_map(|a| a.trusts.iter().copied()).collect();
    if !trusts.is_empty() {
        let trusts: Vec<&str> = trusts.into_iter().collect();
        writeln!(out, "  trusts: {}", trusts.join(", "))?;
    }
    writeln!(out, "  used: {}", figures(&run.statistics))?;
    if let Some(next) = &run.next {
        writeln!(out, "  next: {}", visible(&clip(next, 300)))?;
    }
    Ok(())
}

/// The evidence with the engine and the checkers, or why there is none.
fn reason(answer: &Answer<'_>) -> String {
    let outcome = answer.outcome;
    let mut summary = evidence_summary(&outcome.finding);
    if !answer.contracts.is_empty() {
        summary.push_str(&format!(" with {}", count(answer.contracts.len(), "contract")));
    }
    if !answer.assumes.is_empty() {
        summary = format!("if {}: {summary}", answer.assumes.join(", "));
    }
    let summary = visible(&clip(&summary, 200)).into_owned();
    let engine = visible(outcome.engine);
    match &outcome.finding {
        Finding::Unknown(_) => format!("{summary} ({engine})"),
        _ if answer.checked_by.is_empty() => format!("{summary} ({engine}; not checked)"),
        _ => {
            let checkers = visible(&clip(&answer.checked_by.join(", "), 120)).into_owned();
            format!("{summary} ({engine}; checked by {checkers})")
        }
    }
}

/// For an open question: where it stuck and what to try.
pub(crate) fn remedy(run: &Run<'_>, answer: &Answer<'_>) -> Option<String> {
    let Finding::Unknown(why) = &answer.outcome.finding else { return None };
    let place = match why {
        Why::Unsupported { place, .. } => *place,
        _ => None,
    };
    let place = place.map(|span| format!("at {}", run.sources.place(span)));
    let hint = hint(why).map(|hint| format!("try: {hint}"));
    // How far it came: the last step that asked for a new predicate.
    let stopped = matches!(why, Why::Stopped(_));
    let last = answer.outcome.history.last().filter(|last| stopped && !last.reason.is_empty());
    let last = last.map(|last| format!("round {}: {}", last.iteration, last.reason));
    let parts: Vec<String> = place.into_iter().chain(last).chain(hint).collect();
    (!parts.is_empty()).then(|| visible(&clip(&parts.join("; "), 200)).into_owned())
}

pub(crate) fn painted(verdict: Verdict, text: &str, look: Look) -> String {
    let code = match verdict {
        Verdict::Holds => "1;32",
        Verdict::Violated => "1;31",
        Verdict::Unknown => "1;33",
    };
    if look.color { format!("\u{1b}[{code}m{text}\u{1b}[0m") } else { text.to_owned() }
}

/// The figures of a run on one line.
pub(crate) fn figures(s: &Statistics) -> String {
    let mut parts = Vec::new();
    let counts = [
        (s.iterations, "iteration", "iterations"),
        (s.predicates, "predicate", "predicates"),
        (s.solver_queries, "solver query", "solver queries"),
        (s.states, "state", "states"),
        (s.abstract_states, "abstract state", "abstract states"),
    ];
    for (n, one, many) in counts {
        parts.push(format!("{n} {}", if n == 1 { one } else { many }));
    }
    let seconds = s.time.as_secs_f64();
    let decimals = if seconds < 10.0 { 2 } else { 0 };
    parts.push(format!("{seconds:.decimals$} s"));
    if s.peak_memory_bytes > 0 {
        parts.push(format!("{} MB", s.peak_memory_bytes.div_ceil(1_000_000)));
    }
    if s.attack_runs > 0 {
        let runs = if s.attack_runs == 1 { "run" } else { "runs" };
        parts.push(format!("survived {} {runs}", s.attack_runs));
    }
    parts.join(", ")
}
