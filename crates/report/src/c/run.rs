//! Runs of C programs: the inputs first, then the steps that matter beside
//! their lines of source, then where it ends.
//!
//! Of a run, shown are the steps that its end depends on (see
//! [`parallax_cfa::relevance`]), grouped by line. With `full`, all steps are.

use std::fmt::Write;

use parallax_base::{Diagnostic, Id, SourceMap, Span};
use parallax_cfa::run::{CheckKind, Outcome, Position, Report};
use parallax_cfa::{
    CProperty, Executed, Function, InputSource, Op, Printer, Program, RecordedInput, RecordedStep,
    Relevance, Storage, relevance,
};
use serde::Serialize;

use super::accident;
use super::rounds::folded;
use super::schedule::{has_threads, write_schedule};
use super::value::shown_scalar;
use crate::diagnostics::{Look, SpanJson, render_diagnostic, span_json};
use crate::escape::{clip, visible};
use crate::metrics::columns;
use crate::run::count;

/// The last rows of a long run that are always shown.
const TAIL: usize = 15;
/// Columns of source beside the values.
const SOURCE: usize = 60;
/// Characters of what a row says about values.
const NOTES: usize = 120;

/// A run of a C program.
#[derive(Clone, Copy, Debug)]
pub struct CRun<'a> {
    /// The program.
    pub program: &'a Program,
    /// Its files.
    pub sources: &'a SourceMap,
    /// The inputs, in the order they were asked for.
    pub inputs: &'a [RecordedInput],
    /// The steps.
    pub steps: &'a [RecordedStep],
    /// How it ended.
    pub report: &'a Report,
}

/// How much of a run is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CRunLook {
    /// Of more rows, the middle is left out.
    pub max_rows: usize,
    /// Whether steps are shown that do not matter to the end.
    pub full: bool,
    /// Colors and width of the last window.
    pub look: Look,
}

impl Default for CRunLook {
    fn default() -> CRunLook {
        CRunLook { max_rows: 40, full: false, look: Look::default() }
    }
}

/// One line of source that was executed, or a change of function.
struct Row {
    /// Call depth, function and line: equal rows in a row are one.
    key: (u32, usize, u32, u32),
    header: Option<String>,
    line: u32,
    source: String,
    notes: Vec<String>,
    /// How many rounds of a loop are left out before it.
    rounds: usize,
}

/// The run as text.
pub fn render_c_run(run: &CRun<'_>, look: CRunLook) -> String {
    let mut out = String::new();
    write_run(&mut out, run, look).map_or_else(|_| String::new(), |()| out)
}

fn write_run(out: &mut String, run: &CRun<'_>, look: CRunLook) -> std::fmt::Result {
    write_inputs(out, run, look)?;
    if has_threads(run) {
        write_schedule(out, run, look.max_rows)?;
        out.push_str(&render_end(run, look.look));
        return Ok(());
    }
    let executed: Vec<Executed> = run.steps.iter().map(|s| s.at).collect();
    let found = relevance(run.program, &executed);
    let mut rows = rows(run, &found, look.full);
    if !look.full && look.max_rows != usize::MAX {
        fold(&mut rows);
    }
    let matter = found.relevant.iter().filter(|r| **r).count();
    let total = count(run.steps.len(), "step");
    match look.full {
        true => writeln!(out, "run: {total}")?,
        false => writeln!(out, "run: {matter} of {total} matter")?,
    }
    let left_out = hidden(rows.len(), look.max_rows);
    let shown = || rows.iter().enumerate().filter(|(i, _)| !left_out.contains(i));
    let digits = shown().map(|(_, r)| r.line.to_string().len()).max().unwrap_or(1);
    let width = shown().map(|(_, r)| columns(&r.source)).max().unwrap_or(0);
    for (index, row) in rows.iter().enumerate() {
        if index == left_out.start && !left_out.is_empty() {
            writeln!(out, "  {:>digits$}   ... {} left out", "", count(left_out.len(), "line"))?;
        }
        if left_out.contains(&index) {
            continue;
        }
        if row.rounds > 0 {
            writeln!(out, "  {:>digits$}   ... {}", "", count(row.rounds, "more round"))?;
        }
        if let Some(header) = &row.header {
            writeln!(out, "  {header}")?;
        }
        let pad = " ".repeat(width.saturating_sub(columns(&row.source)));
        let notes = clip(&noted(&row.notes, look.max_rows), NOTES).into_owned();
        let line = format!("  {:>digits$} | {}{pad}  {notes}", row.line, row.source);
        writeln!(out, "{}", line.trim_end())?;
    }
    out.push_str(&render_end(run, look.look));
    Ok(())
}

fn write_inputs(out: &mut String, run: &CRun<'_>, look: CRunLook) -> std::fmt::Result {
    if run.inputs.is_empty() {
        return writeln!(out, "inputs: none");
    }
    writeln!(out, "inputs:")?;
    let left_out = hidden(run.inputs.len(), look.max_rows);
    let digits = run.inputs.len().to_string().len();
    for (index, input) in run.inputs.iter().enumerate() {
        if index == left_out.start && !left_out.is_empty() {
            writeln!(out, "  {:>digits$}  ... {} more", "", left_out.len())?;
        }
        if left_out.contains(&index) {
            continue;
        }
        let place = run.steps.get(input.step).map(|s| run.sources.place(span(run.program, s)));
        let place = place.unwrap_or_default();
        let (name, value) = (visible(&input.name), shown_scalar(input.value));
        let kind = match input.source {
            InputSource::Call => "()",
            InputSource::Result => "() (not defined)",
            InputSource::Extern => " (defined elsewhere)",
            InputSource::Uninitialized => " (uninitialized)",
            InputSource::Unknown => " (unknown)",
        };
        write!(out, "  {:>digits$}  {name}{kind} = {value}", index + 1)?;
        match input.source {
            InputSource::Extern => writeln!(out)?,
            _ => writeln!(out, "  at {}", visible(&place))?,
        }
    }
    Ok(())
}

pub(super) fn span(program: &Program, step: &RecordedStep) -> Span {
    program.functions[step.at.function].edges[step.at.edge].span
}

/// The rows of the steps that are shown.
fn rows(run: &CRun<'_>, found: &Relevance, full: bool) -> Vec<Row> {
    let mut printer = Printer::plain(run.program);
    printer.limit = NOTES;
    let mut rows: Vec<Row> = Vec::new();
    let mut frame = (0, None);
    let watchers = watchers(run.program);
    for (index, step) in run.steps.iter().enumerate() {
        if !full && !found.relevant[index] || watchers.contains(&step.at.function) {
            continue;
        }
        let Some(note) = note(run, &printer, step, index + 1 == run.steps.len()) else { continue };
        let span = span(run.program, step);
        let Some(file) = run.sources.get(span.file) else { continue };
        let line = file.line_column(span.lo).line;
        let here = (found.depth[index], found.caller[index]);
        let function = &run.program.functions[step.at.function];
        let changes = rows.is_empty() || here != frame;
        let key = (here.0, step.at.function.index(), span.file.0, line);
        if !changes && let Some(last) = rows.last_mut().filter(|r| r.key == key) {
            if !note.is_empty() && !last.notes.contains(&note) {
                last.notes.push(note);
            }
            continue;
        }
        let header = changes.then(|| {
            let name = visible(&function.name);
            let file = visible(file.name());
            match here.1.and_then(|call| run.steps.get(call)) {
                _ if here.0 < frame.0 => format!("back in {name}:"),
                Some(call) => {
                    let place = run.sources.place(self::span(run.program, call));
                    format!("in {name} ({file}), called at {}:", visible(&place))
                }
                None => format!("in {name} ({file}):"),
            }
        });
        frame = here;
        let source = visible(&clip(file.line(line).trim_end(), SOURCE)).replace("\\t", "    ");
        let notes = if note.is_empty() { Vec::new() } else { vec![note] };
        rows.push(Row { key, header, line, source, notes, rounds: 0 });
    }
    rows
}

/// Leaves out rounds of loops between the first and the last.
fn fold(rows: &mut Vec<Row>) {
    let keys: Vec<_> = rows.iter().map(|row| row.key).collect();
    for (left_out, rounds) in folded(&keys).into_iter().rev() {
        if let Some(next) = rows.get_mut(left_out.end) {
            next.rounds = rounds;
        }
        rows.drain(left_out);
    }
}

/// What happened in a line; of many things the first and the last.
fn noted(notes: &[String], max_rows: usize) -> String {
    if notes.len() <= THINGS || max_rows == usize::MAX {
        return notes.join(", ");
    }
    let (first, last) = (&notes[..THINGS / 2], &notes[notes.len() - 2..]);
    format!("{}, …, {}", first.join(", "), last.join(", "))
}

/// Things that happened in one line, as far as they are shown.
const THINGS: usize = 8;

/// The functions that show the program to formulas.
fn watchers(program: &Program) -> Vec<Id<Function>> {
    let functions = program.functions.iter_enumerated();
    functions.filter(|(_, f)| f.is_watcher()).map(|(id, _)| id).collect()
}

/// What a step did, in a few words; `None` if it is not worth a row.
pub(super) fn note(
    run: &CRun<'_>,
    printer: &Printer<'_>,
    step: &RecordedStep,
    is_last: bool,
) -> Option<String> {
    let edge = &run.program.functions[step.at.function].edges[step.at.edge];
    let value = step.value.map(shown_scalar);
    let stored = |place| {
        let is_hidden = is_temporary(run.program, place);
        match &value {
            _ if is_hidden => String::new(),
            Some(value) => format!("{} = {value}", visible(&printer.place(place))),
            None => String::new(),
        }
    };
    match &edge.op {
        Op::Skip | Op::Live(..) | Op::Dead(_) => None,
        Op::Check(_) => is_last.then(String::new),
        Op::Assume(_) => match edge.branch {
            Some(taken) => {
                let text = run.sources.snippet(edge.span);
                let condition = match text.len() <= 40 && !text.contains('\n') && !text.is_empty() {
                    true => visible(text).into_owned(),
                    false => "condition".to_owned(),
                };
                Some(format!("{condition}: {taken}"))
            }
            None => Some(visible(&printer.op(&edge.op)).into_owned()),
        },
        Op::Assign(to, _)
        | Op::Input { to, .. }
        | Op::Havoc { to, .. }
        | Op::Primitive { to: Some(to), .. } => Some(stored(*to)),
        Op::Copy { .. } | Op::Primitive { to: None, .. } => Some(String::new()),
        Op::Call { to, callee, .. } => Some(match (callee, to) {
            (parallax_cfa::Callee::Direct(f), to) => {
                let callee = &run.program.functions[*f];
                if callee.is_watcher() {
                    return None;
                }
                match to {
                    Some(to) if !callee.is_defined => stored(*to),
                    _ => format!("calls {}", visible(&callee.name)),
                }
            }
            _ => "calls through a pointer".to_owned(),
        }),
        Op::Return(_) => Some(match &value {
            Some(value) => format!("returns {value}"),
            None => "returns".to_owned(),
        }),
        Op::Error(_) | Op::Halt(_) | Op::Unsupported(_) => Some(String::new()),
    }
}

/// The place that an operation stores a value in, if the program has a name for it.
fn stored_in(program: &Program, op: &Op) -> Option<Id<parallax_cfa::Place>> {
    let place = match op {
        Op::Assign(to, _)
        | Op::Input { to, .. }
        | Op::Havoc { to, .. }
        | Op::Primitive { to: Some(to), .. }
        | Op::Call { to: Some(to), .. } => *to,
        _ => return None,
    };
    (!is_temporary(program, place)).then_some(place)
}

fn is_temporary(program: &Program, place: parallax_base::Id<parallax_cfa::Place>) -> bool {
    match program.places[place].base {
        parallax_cfa::Base::Variable(v) => program.variables[v].storage == Storage::Temporary,
        parallax_cfa::Base::Pointer(_) => false,
    }
}

/// The rows that are not shown.
fn hidden(rows: usize, max: usize) -> std::ops::Range<usize> {
    let max = max.max(1);
    if rows <= max {
        return 0..0;
    }
    let tail = TAIL.min(max / 2);
    max - tail..rows - tail
}

/// What happened in the end, with a code for scripts; `None` for an end in
/// good order.
fn end(run: &CRun<'_>) -> Option<(&'static str, String)> {
    let position = run.report.position?;
    let op = &run.program.functions[position.function].edges[position.edge].op;
    match &run.report.outcome {
        Outcome::Error(text) => {
            let code = match (CProperty::label_of(text), CProperty::formula_of(text)) {
                (Some(_), _) => "unreach-label",
                (_, Some(_)) => "ltl",
                _ => "unreach-call",
            };
            Some((code, error_message(text)))
        }
        Outcome::Undefined(kind) => {
            let text = match op {
                Op::Check(check) => accident::message(run, check)
                    .unwrap_or_else(|| Printer::plain(run.program).failure(check)),
                _ => "undefined behavior".to_owned(),
            };
            Some((property_of(*kind), text))
        }
        Outcome::Unsupported(text) => Some(("unsupported", format!("not modelled: {text}"))),
        Outcome::OutOfInputs => Some(("inputs", "there is no further input".into())),
        Outcome::StepLimit => Some(("steps", "the run was stopped here".into())),
        Outcome::DepthLimit => Some(("depth", "too many calls inside each other".into())),
        Outcome::MemoryLimit => Some(("memory", "the program uses too much memory".into())),
        Outcome::Endless => Some((
            if run.report.words.is_empty() { "termination" } else { "ltl" },
            match op {
                Op::Halt(_) => "the program waits for ever".into(),
                _ => "the run is in a state it was in before, and may go on for ever".into(),
            },
        )),
        Outcome::Deadlock => Some(("deadlock", "every thread waits for another".into())),
        Outcome::Stuck => Some(("internal", "no edge can be taken".into())),
        Outcome::Exit(_) | Outcome::Halt => None,
    }
}

/// An error operation as a sentence. Its text is the function that was called,
/// with the condition of an assertion if that is known.
fn error_message(text: &str) -> String {
    if let Some(label) = CProperty::label_of(text) {
        return format!("label `{label}` is reached");
    }
    if let Some(formula) = CProperty::formula_of(text) {
        return format!("`{}` does not hold here", visible(formula));
    }
    match text.split_once(": ") {
        Some((_, condition)) => format!("the assertion `{condition}` fails"),
        None if text.contains("assert") => "an assertion fails".to_owned(),
        None => format!("`{text}` is called"),
    }
}

/// The property that a failed check breaks.
fn property_of(kind: CheckKind) -> &'static str {
    match kind {
        CheckKind::Overflow => "overflow",
        CheckKind::Division => "division",
        CheckKind::Shift => "shift",
        CheckKind::FloatConversion => "float-conversion",
        CheckKind::Access | CheckKind::Callable => "valid-deref",
        CheckKind::Initialized => "initialized",
        CheckKind::Free => "valid-free",
        CheckKind::Sequenced => "sequencing",
        CheckKind::Index => "object-bounds",
        CheckKind::Alone => "no-data-race",
        CheckKind::Lock => "lock-discipline",
        CheckKind::Unreachable => "undefined",
    }
}

/// The place where a run went wrong, with the calls that lead there; empty if
/// it did not.
pub fn render_end(run: &CRun<'_>, look: Look) -> String {
    let Some((code, message)) = end(run) else { return String::new() };
    // What a formula looks at it with is no part of the program.
    let is_own = |at: &&Position| !run.program.functions[at.function].is_watcher();
    let position = run.report.position.iter().chain(run.report.calls.iter().rev()).find(is_own);
    let span = position.map(|p| p.span).unwrap_or_default();
    let mut diagnostic = accident::explained(run, Diagnostic::error(code, span, message));
    // The innermost calls; a deep recursion is not listed in full.
    let calls = run.report.calls.iter().rev().filter(is_own);
    for call in calls.filter(|call| Some(*call) != position).take(3) {
        let function = &run.program.functions[call.function].name;
        diagnostic = diagnostic.also(call.span, format!("called from `{function}` here"));
    }
    render_diagnostic(run.sources, &diagnostic, look)
}

/// A run for scripts.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CRunJson {
    /// The inputs in the order they were asked for.
    pub inputs: Vec<CInputJson>,
    /// What the program printed; what is not text is replaced.
    pub output: String,
    /// How many steps were taken in all.
    pub step_count: u64,
    /// The steps that matter, in order.
    pub steps: Vec<CStepJson>,
    /// A stable word for the end: a property, `exit`, `halt` and so on.
    pub end: &'static str,
    /// The end as a sentence.
    pub text: String,
    /// The status that `main` returned.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status: Option<i32>,
    /// Where it ended.
    pub span: Option<SpanJson>,
    /// The calls open in the end, outermost first.
    pub calls: Vec<SpanJson>,
}

/// An input of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CInputJson {
    /// What it is: `call` of an input function, `result` of a function that is
    /// not defined, `extern`, `uninitialized`, `unknown`. Those of the last
    /// three are left out if they are zero.
    pub source: &'static str,
    /// The function that was called for it, or what had the value.
    pub name: String,
    /// The value, as text: exact for every type.
    pub value: String,
    /// Where it was asked for.
    pub span: Option<SpanJson>,
}

/// A step of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct CStepJson {
    /// The function it is in.
    pub function: String,
    /// How many calls are open.
    pub depth: u32,
    /// What it does.
    pub text: String,
    /// What it stored or returned.
    pub value: Option<String>,
    /// What it stored the value in.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stored: Option<String>,
    /// The thread that took it, from 1; left out for that of `main`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub thread: Option<usize>,
    /// For a branch: which way it went.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub branch: Option<bool>,
    /// Its source.
    pub span: Option<SpanJson>,
}

/// The run as data for JSON.
pub fn c_run_json(run: &CRun<'_>) -> CRunJson {
    let executed: Vec<Executed> = run.steps.iter().map(|s| s.at).collect();
    let found = relevance(run.program, &executed);
    let printer = Printer::plain(run.program);
    let place = |span: Span| span_json(run.sources, span, String::new());
    let steps = run.steps.iter().enumerate().filter(|(i, _)| found.relevant[*i]);
    let steps = steps.map(|(i, step)| {
        let function = &run.program.functions[step.at.function];
        let edge = &function.edges[step.at.edge];
        CStepJson {
            function: function.name.to_string(),
            depth: found.depth[i],
            text: printer.op(&edge.op),
            value: step.value.map(shown_scalar),
            stored: stored_in(run.program, &edge.op).map(|place| printer.place(place)),
            thread: (step.thread > 0).then_some(step.thread),
            branch: edge.branch,
            span: place(edge.span),
        }
    });
    let inputs = run.inputs.iter().map(|input| CInputJson {
        source: input.source.name(),
        name: input.name.to_string(),
        value: shown_scalar(input.value),
        span: run.steps.get(input.step).and_then(|s| place(span(run.program, s))),
    });
    let (word, text) = end(run).unwrap_or_else(|| {
        let word = if run.report.outcome == Outcome::Halt { "halt" } else { "exit" };
        (word, run.report.outcome.to_string())
    });
    CRunJson {
        inputs: inputs.collect(),
        output: String::from_utf8_lossy(&run.report.output).into_owned(),
        step_count: run.report.steps,
        steps: steps.collect(),
        end: word,
        text,
        status: match run.report.outcome {
            Outcome::Exit(status) => status,
            _ => None,
        },
        span: run.report.position.and_then(|p| place(p.span)),
        calls: run.report.calls.iter().filter_map(|c| place(c.span)).collect(),
    }
}
