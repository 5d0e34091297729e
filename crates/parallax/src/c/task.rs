//! From a C program to a task over terms, and back with its runs.

use super::CProgram;
use super::given::give;
use crate::load::{LoadError, Task};
use parallax_base::{Id, IdVec, Span};
use parallax_cfa::run::{Options, Script};
use parallax_cfa::{CProperty, Recording};
use parallax_encode::{Calls, GapPlace, Passes, Prepared, prepare};
use parallax_evidence::{Trace, Why};
use parallax_ir as ir;
use parallax_term::{Term, TermStore};
use std::path::Path;
use std::sync::Arc;

/// A run over terms that takes more steps of the program than this is not
/// repeated: a program that takes another way may run for ever.
const REPLAYED: u64 = 20_000_000;

/// A C program, and how it was turned into terms.
#[derive(Clone, Debug)]
pub struct CTask {
    /// The program.
    pub source: CProgram,
    /// Its encoding; `None` if there is none, or one for each property.
    pub prepared: Option<Prepared>,
    /// What is asked, by the position of the property in the program over terms.
    pub asked: Vec<CProperty>,
    /// What became of recursive calls.
    pub calls: Calls,
    /// The states that the encoding does not cover, if there are any. Every
    /// property forbids them: a proof of it shows that no run gets there.
    pub gap: Option<Term>,
}

/// Encodes a program with what is asked of it.
pub(crate) fn c_task(source: CProgram) -> Result<Task, LoadError> {
    c_task_by(source, Calls::Deepest)
}

/// Encodes a program with its recursive calls treated in one way. Of several
/// properties each has an encoding of its own: a run over terms ends where its
/// property is violated, so what is asked besides cannot hide anything.
pub(crate) fn c_task_by(mut source: CProgram, calls: Calls) -> Result<Task, LoadError> {
    if source.options.passes != Passes::Whole {
        source.properties = asked_of(&source);
        if source.properties.is_empty() {
            return Err(LoadError::NothingAsked);
        }
    }
    // Threads that wait for each other do not end.
    let has_threads = source.program.has_threads();
    let is_other =
        |p: &&CProperty| matches!(p, CProperty::Other(_)) || (has_threads && p.is_about_runs());
    let others: Vec<CProperty> = source.properties.iter().filter(is_other).cloned().collect();
    let known: Vec<CProperty> =
        source.properties.iter().filter(|p| !is_other(p)).cloned().collect();
    let mut task = match known.len() {
        0 | 1 => encoded(source, known, calls)?,
        _ => several(source, known, &calls)?,
    };
    if let Some(c) = &mut task.c {
        Arc::make_mut(c).asked.extend_from_slice(&others);
    }
    for property in others {
        let id = add(&mut task.program, &property);
        let why = Why::Unsupported {
            construct: match property.is_about_runs() {
                true => String::from("runs of a program with threads as wholes"),
                false => format!("property `{property}`"),
            },
            place: None,
            hint: "a property about single states, such as `unreach-call`".to_owned(),
        };
        task.refused.push((id, why));
    }
    task.program.store.freeze();
    task.program.validate()?;
    Ok(task)
}

/// A program with one property or, to look for invariants, none.
fn encoded(source: CProgram, asked: Vec<CProperty>, calls: Calls) -> Result<Task, LoadError> {
    let options = parallax_encode::Options {
        encoding: source.options.encoding,
        blocks: source.options.blocks,
        properties: asked,
        passes: source.options.passes,
    };
    match prepare(&source.program, &options, &calls) {
        Ok(mut prepared) => {
            let mut program = std::mem::replace(&mut prepared.encoded.program, nothing());
            let letter = &prepared.encoded.letter;
            let mut asked = options.properties;
            let gap = forbid_gap(&mut program, prepared.encoded.covered.take());
            if gap.is_some() {
                // The same again, without the gap.
                asked.extend_from_within(..);
            }
            let is_end = |(_, p): &(usize, &CProperty)| **p == CProperty::Termination;
            let ends: Vec<Id<ir::Property>> =
                asked.iter().enumerate().filter(is_end).map(|(i, _)| Id::new(i)).collect();
            if !ends.is_empty() {
                program.ask_for_ends(&ends);
            }
            for (i, property) in asked.iter().enumerate() {
                if let (CProperty::Temporal(formula), true) = (property, property.is_about_runs()) {
                    program.ask_for_words(Id::new(i), &formula.formula, letter, &formula.text);
                }
            }
            let c = CTask { source, prepared: Some(prepared), asked, calls, gap };
            let mut task = task(program, c);
            give(&mut task)?;
            Ok(task)
        }
        Err(failure) => {
            let asked = options.properties;
            let c = CTask { source, prepared: None, asked: asked.clone(), calls, gap: None };
            let mut task = task(nothing(), c);
            for property in &asked {
                let id = add(&mut task.program, property);
                let hint = "a smaller program, or one entry function at a time".to_owned();
                let construct = failure.to_string();
                task.refused.push((id, Why::Unsupported { construct, place: None, hint }));
            }
            Ok(task)
        }
    }
}

/// To arrive at what is not covered is to break each property. Behind the
/// properties comes each of them once more, as it is without the gap: a gap
/// that lies in front must not hide a violation.
fn forbid_gap(program: &mut ir::Program, covered: Option<Id<ir::Property>>) -> Option<Term> {
    let gap = program.properties[covered?].target;
    let all = std::mem::take(&mut program.properties);
    let asked: Vec<ir::Property> =
        all.iter_enumerated().filter(|(id, _)| Some(*id) != covered).map(|p| p.1.clone()).collect();
    for mut property in asked.iter().cloned() {
        property.target = program.store.or([property.target, gap]);
        program.properties.push(property);
    }
    for mut property in asked {
        property.name = format!("{}, gaps aside", property.name).into();
        property.implicit = true;
        program.properties.push(property);
    }
    Some(gap)
}

/// A task for each property. The program of the whole names them; that nothing
/// is proved of it by mistake, it violates them all.
fn several(source: CProgram, asked: Vec<CProperty>, calls: &Calls) -> Result<Task, LoadError> {
    let mut program = nothing();
    let mut parts = Vec::new();
    for property in &asked {
        let id = add(&mut program, property);
        program.properties[id].target = program.store.bool(true);
        let source = source.asking(vec![property.clone()]);
        parts.push(Arc::new(c_task_by(source, calls.clone())?));
    }
    let c = CTask { source, prepared: None, asked, calls: calls.clone(), gap: None };
    Ok(Task { parts, ..task(program, c) })
}

fn task(mut program: ir::Program, c: CTask) -> Task {
    program.name = name(&c.source);
    Task {
        program,
        sources: c.source.sources.clone(),
        warnings: c.source.warnings.clone(),
        constants: Vec::new(),
        fair: Vec::new(),
        c: Some(Arc::new(c)),
        predicates: Vec::new(),
        templates: Vec::new(),
        invariants: Vec::new(),
        refused: Vec::new(),
        parts: Vec::new(),
    }
}

impl CTask {
    /// The property without what the encoding does not cover, if that is
    /// another one.
    pub(crate) fn gaps_aside(&self, property: Id<ir::Property>) -> Option<Id<ir::Property>> {
        let asked = self.asked.get(property.index())?;
        let mut later = self.asked.iter().enumerate().skip(property.index() + 1);
        let (at, _) = later.find(|(_, other)| *other == asked)?;
        Some(Id::new(at))
    }

    /// The gap that a run over terms of the program ends in, if it ends in one.
    pub(crate) fn gap_of(&self, program: &ir::Program, trace: &Trace) -> Option<&GapPlace> {
        let encoded = &self.prepared.as_ref()?.encoded;
        // The locations of all processes are counted in one row.
        let before = |process: usize| process.checked_sub(1).map_or(0, |last| encoded.ends[last]);
        encoded.gaps.iter().find(|gap| {
            let control = program.processes[gap.process].control;
            let at = trace.last().get(control.index());
            let at = at.and_then(|at| at.to_string().parse::<usize>().ok());
            at.is_some_and(|at| gap.location.index() == before(gap.process.index()) + at)
        })
    }
}

/// What the program is called: its first file.
fn name(source: &CProgram) -> String {
    let file = source.files.first().and_then(|path: &std::path::PathBuf| Path::file_name(path));
    file.map_or_else(|| "program".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// What is asked of a program: what was said, else that its errors are not
/// reached, if it has any.
pub(crate) fn asked_of(source: &CProgram) -> Vec<CProperty> {
    match source.properties.is_empty() && source.asserts {
        true => vec![CProperty::Errors],
        false => source.properties.clone(),
    }
}

/// A program that does nothing.
fn nothing() -> ir::Program {
    let mut store = TermStore::new();
    let predicate = store.bool(true);
    ir::Program {
        name: String::new(),
        store,
        variables: IdVec::default(),
        processes: IdVec::default(),
        actions: IdVec::default(),
        init: ir::Init { fixed: Vec::new(), predicate },
        properties: IdVec::default(),
    }
}

/// Adds a property that a file says nothing about.
pub(crate) fn add_silent(task: &mut Task, property: CProperty) {
    let id = add(&mut task.program, &property);
    task.program.store.freeze();
    task.refused.push((id, Why::NoEvidence));
    if let Some(c) = &mut task.c {
        Arc::make_mut(c).asked.push(property);
    }
}

/// Adds a property that nobody will be asked for.
fn add(program: &mut ir::Program, property: &CProperty) -> Id<ir::Property> {
    let target = program.store.bool(false);
    program.properties.push(ir::Property {
        name: property.name().into(),
        kind: ir::PropertyKind::Unreachable,
        temporal: None,
        target,
        implicit: false,
        span: Span::default(),
    })
}

impl CTask {
    /// The choices of the run of the C program that a run over terms stands for.
    /// A program with contracts has runs that the program has not.
    pub(crate) fn script(&self, trace: &Trace) -> Option<Script> {
        if matches!(self.calls, Calls::Contracts(..)) {
            return None;
        }
        let prepared = self.prepared.as_ref()?;
        let options = Options { max_steps: REPLAYED, lazy: true, ..Options::about(&self.asked) };
        let options = prepared.encoded.arguments(&trace.initial, options);
        let steps = trace.steps.iter();
        // Of a run without end, what is repeated for ever a few times more: what is
        // left over from before the cycle is gone then, and the interpreter, which
        // keeps few states, has kept one of the cycle.
        let cycle = trace.cycle.map_or(&[][..], |cycle| &trace.steps[cycle.min(steps.len())..]);
        let times = 2 + 4 * (trace.steps.len() - cycle.len()) / cycle.len().max(1);
        let steps = steps.chain(std::iter::repeat_n(cycle, times).flatten());
        let steps = steps.map(|step| (step.transition, &step.inputs[..]));
        let replayed = prepared.encoded.replay(&trace.initial, steps, options.clone());
        let given = prepared.restate(&self.source.program, &replayed, options.clone());
        Some(Script::Choices { arguments: options.arguments, given })
    }
}

/// Whether a run does what a property forbids.
pub fn breaks(property: &CProperty, recording: &Recording) -> bool {
    recording.report.violates(property)
}
