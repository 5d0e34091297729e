//! From a C program to a task over terms, and back with its runs.

use super::CProgram;
use super::gap::forbid_gap;
use super::given::give;
use crate::{LoadError, Origin, Task};
use parallax_base::{Id, Span};
use parallax_cfa::run::{Options, Script};
use parallax_cfa::{CProperty, Recording};
use parallax_encode::{Calls, Passes, Prepared, prepare};
use parallax_evidence::{Trace, Why};
use parallax_ir as ir;
use parallax_term::Term;
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
pub fn c_task(source: CProgram) -> Result<Task, LoadError> {
    c_task_by(source, Calls::Deepest)
}

/// Encodes a program with its recursive calls treated in one way. Of several
/// properties each has an encoding of its own: a run over terms ends where its
/// property is violated, so what is asked besides cannot hide anything.
pub fn c_task_by(mut source: CProgram, calls: Calls) -> Result<Task, LoadError> {
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
    for property in others {
        task.origin.ask(property.clone());
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
            let mut program =
                std::mem::replace(&mut prepared.encoded.program, ir::Program::nothing());
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
            let mut task = task(ir::Program::nothing(), c);
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

/// A task for each property. The program of the whole names them; that nothing
/// is proved of it by mistake, it violates them all.
fn several(source: CProgram, asked: Vec<CProperty>, calls: &Calls) -> Result<Task, LoadError> {
    let mut program = ir::Program::nothing();
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
    let (sources, warnings) = (c.source.sources.clone(), c.source.warnings.clone());
    let task = Task::about(Origin::C(Arc::new(c)), sources);
    Task { program, warnings, ..task }
}

/// What the program is called: its first file.
fn name(source: &CProgram) -> String {
    let file = source.files.first().and_then(|path: &std::path::PathBuf| Path::file_name(path));
    file.map_or_else(|| "program".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// What is asked of a program: what was said, else that its errors are not
/// reached, if it has any.
pub fn asked_of(source: &CProgram) -> Vec<CProperty> {
    match source.properties.is_empty() && source.asserts {
        true => vec![CProperty::Errors],
        false => source.properties.clone(),
    }
}

impl Task {
    /// Asks something that has its answer: why it is open.
    pub fn refuse(&mut self, property: CProperty, why: Why) {
        let id = add(&mut self.program, &property);
        self.program.store.freeze();
        self.refused.push((id, why));
        self.origin.ask(property);
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
    pub fn script(&self, trace: &Trace) -> Option<Script> {
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
