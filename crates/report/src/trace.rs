//! Runs as text: the inputs first, then each step with what it changed.

use std::fmt::Write;

use parallax_base::SourceMap;
use parallax_evidence::Trace;
use parallax_ir::{Program, Property, PropertyKind, Transition};
use parallax_term::Value;

use crate::escape::{clip, visible};
use crate::formula::Printer;
use crate::ltl::{render_word, word_of};
use crate::metrics::columns;
use crate::run::{count, title};
use crate::state::{assignment, shown, state_changes, state_values};

/// The last steps of a long run that are always shown.
const TAIL: usize = 20;
/// Characters of a line that lists values.
const VALUES: usize = 400;

/// How much of a run is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TraceLook {
    /// Of a run with more steps, the middle is left out.
    pub max_steps: usize,
    /// Whether each step shows the line of source it comes from.
    pub source: bool,
}

impl Default for TraceLook {
    fn default() -> TraceLook {
        TraceLook { max_steps: 100, source: false }
    }
}

/// A run that reaches the target of a property.
pub fn render_trace(
    program: &Program,
    sources: &SourceMap,
    property: &Property,
    trace: &Trace,
    look: TraceLook,
) -> String {
    let mut out = String::new();
    write_trace(&mut out, program, sources, property, trace, look)
        .map_or_else(|_| String::new(), |()| out)
}

fn write_trace(
    out: &mut String,
    program: &Program,
    sources: &SourceMap,
    property: &Property,
    trace: &Trace,
    look: TraceLook,
) -> std::fmt::Result {
    let name = visible(title(property));
    let role = if property.kind.wants_target() { "run to" } else { "counterexample to" };
    let cycle = trace.cycle.unwrap_or(usize::MAX);
    let length = match trace.steps.len().checked_sub(cycle) {
        None | Some(0) => count(trace.steps.len(), "step"),
        Some(repeated) => format!("{}, then {repeated} for ever", count(cycle, "step")),
    };
    writeln!(out, "{role} {name}: {length}")?;
    let mut store = program.store.clone();
    let transitions = program.transitions(&mut store);

    let inputs = inputs(program, &transitions, trace);
    match inputs.len() {
        0 => writeln!(out, "inputs: none")?,
        _ => writeln!(out, "inputs:")?,
    }
    let left_out = hidden(inputs.len(), look.max_steps);
    for (i, line) in inputs.iter().enumerate() {
        if i == left_out.start && !left_out.is_empty() {
            writeln!(out, "  ... {} more", left_out.len())?;
        }
        if !left_out.contains(&i) {
            writeln!(out, "  {line}")?;
        }
    }

    writeln!(out, "run:")?;
    let label = |t: usize| {
        transitions.get(t).map_or(String::from("?"), |t| clip(&visible(&t.name), 40).into_owned())
    };
    let place = |t: usize| {
        transitions.get(t).map_or(String::new(), |t| visible(&sources.place(t.span)).into_owned())
    };
    let source_line = |t: usize| {
        let span = transitions.get(t)?.span;
        let file = sources.get(span.file)?;
        let line = file.line(file.line_column(span.lo).line).trim();
        Some(visible(&clip(line, 120)).into_owned())
    };
    let left_out = hidden(trace.steps.len(), look.max_steps);
    let visible_steps = || trace.steps.iter().enumerate().filter(|(i, _)| !left_out.contains(i));
    let widest = |f: &dyn Fn(usize) -> String| {
        visible_steps().map(|(_, s)| columns(&f(s.transition))).max().unwrap_or(0)
    };
    let (names, places) = (widest(&label).max(5), widest(&place));
    let digits = trace.steps.len().to_string().len().max(1);
    let blank = " ".repeat(places);
    let start = values(state_values(program, &trace.initial));
    writeln!(out, "  {:>digits$}  {}  {blank}  {start}", 0, padded("start", names))?;
    let mut before = &trace.initial;
    for (i, step) in trace.steps.iter().enumerate() {
        if i == left_out.start && !left_out.is_empty() {
            writeln!(out, "  {:>digits$}  {} left out", "..", count(left_out.len(), "step"))?;
        }
        if i == cycle {
            writeln!(out, "for ever:")?;
        }
        if !left_out.contains(&i) {
            let changes = state_changes(program, before, &step.state);
            let changes =
                if changes.is_empty() { String::from("(no change)") } else { values(changes) };
            let (name, at) = (label(step.transition), place(step.transition));
            let (name, at) = (padded(&name, names), padded(&at, places));
            writeln!(out, "  {:>digits$}  {name}  {at}  {changes}", i + 1)?;
            if let Some(line) = source_line(step.transition).filter(|_| look.source) {
                writeln!(out, "  {:>digits$}  | {line}", "")?;
            }
        }
        before = &step.state;
    }
    let mut printer = Printer::new(program, &program.store);
    match property.kind {
        PropertyKind::DeadlockFree => {
            let state = values(state_values(program, trace.last()));
            writeln!(out, "no step is possible at: {state}")
        }
        PropertyKind::Ltl => write_break(out, program, property, trace, look),
        _ => {
            let target = printer.conjunction(property.target);
            writeln!(out, "which reaches: {}", clip(&target, VALUES))
        }
    }
}

/// How an infinite run goes on, and what it breaks.
fn write_break(
    out: &mut String,
    program: &Program,
    property: &Property,
    trace: &Trace,
    look: TraceLook,
) -> std::fmt::Result {
    if trace.cycle == Some(trace.steps.len()) {
        writeln!(out, "no step is possible: the last state stays for ever")?;
    }
    if let Some(recurrence) = &trace.recurrence {
        let region = Printer::new(program, &recurrence.store).conjunction(recurrence.region);
        writeln!(out, "which is possible again as long as: {}", clip(&region, VALUES))?;
    }
    let Some(temporal) = &property.temporal else { return Ok(()) };
    let formula = &temporal.formula;
    writeln!(out, "which breaks: {}", clip(&visible(&formula.show()), VALUES))?;
    if look.source
        && let Some(word) = word_of(program, temporal, trace)
    {
        write!(out, "{}", render_word(formula, &word))?;
    }
    Ok(())
}

fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

fn values(list: Vec<String>) -> String {
    clip(&list.join(", "), VALUES).into_owned()
}

/// The steps that are not shown.
fn hidden(steps: usize, max: usize) -> std::ops::Range<usize> {
    let max = max.max(1);
    if steps <= max {
        return 0..0;
    }
    let tail = TAIL.min(max / 2);
    max - tail..steps - tail
}

/// Everything that was chosen: open initial values, then choices of steps.
fn inputs(program: &Program, transitions: &[Transition], trace: &Trace) -> Vec<String> {
    let mut lines = Vec::new();
    let open = program.variables.iter().zip(&program.init.fixed).zip(trace.initial.iter());
    let open: Vec<String> = open
        .filter(|((_, fixed), _)| fixed.is_none())
        .filter_map(|((variable, _), value)| assignment(program, variable, value))
        .collect();
    if !open.is_empty() {
        lines.push(format!("start: {}", values(open)));
    }
    for (i, step) in trace.steps.iter().enumerate() {
        let Some(transition) = transitions.get(step.transition) else { continue };
        let chosen = step_inputs(program, transition, &step.inputs);
        if !chosen.is_empty() {
            let chosen = chosen.into_iter().map(|(name, value)| format!("{name} = {value}"));
            lines.push(format!("step {}: {}", i + 1, values(chosen.collect())));
        }
    }
    lines
}

/// The inputs of a step with their names, enumeration constants by name.
fn step_inputs(program: &Program, step: &Transition, inputs: &[Value]) -> Vec<(String, String)> {
    let pairs = step.inputs.iter().zip(inputs);
    pairs
        .map(|(input, value)| {
            // An input is called after the variable it goes into.
            let variable = program.variables.iter().find(|v| v.name == input.name);
            let text = match variable {
                Some(variable) => shown(&variable.domain, value),
                None => clip(&value.to_string(), 60).into_owned(),
            };
            (visible(&input.name).into_owned(), text)
        })
        .collect()
}
