//! From a C program to a task over terms, and back with its runs.

use super::CProgram;
use super::concrete::{RECORDED, checks};
use crate::load::{LoadError, Task};
use parallax_base::{Id, IdVec, Span};
use parallax_cfa::run::{Arbitrary, Options, Oracle, Recorded, Unwritten};
use parallax_cfa::{CProperty, Function, Op, Program, Recording, Scalar, ScalarType, record};
use parallax_encode::{Calls, Given, Prepared, prepare, violates};
use parallax_evidence::{Execution, Trace, Why};
use parallax_ir as ir;
use parallax_term::TermStore;
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
    /// Its encoding; `None` if there is none.
    pub prepared: Option<Prepared>,
    /// What is asked, by the position of the property in the program over terms.
    pub asked: Vec<CProperty>,
    /// What became of recursive calls.
    pub calls: Calls,
}

/// Encodes a program with what is asked of it.
pub(crate) fn c_task(source: CProgram) -> Result<Task, LoadError> {
    c_task_by(source, Calls::Deepest)
}

/// Encodes a program with its recursive calls treated in one way.
pub(crate) fn c_task_by(mut source: CProgram, calls: Calls) -> Result<Task, LoadError> {
    if !source.options.whole {
        source.properties = asked_of(&source);
        if source.properties.is_empty() {
            return Err(LoadError::NothingAsked);
        }
    }
    let is_other = |p: &&CProperty| matches!(p, CProperty::Other(_));
    let others: Vec<CProperty> = source.properties.iter().filter(is_other).cloned().collect();
    let known = source.properties.iter().filter(|p| !is_other(p)).cloned().collect();
    let options = parallax_encode::Options {
        encoding: source.options.encoding,
        blocks: source.options.blocks,
        properties: known,
        keep_all: source.options.whole,
    };
    let mut refused = Vec::new();
    let mut asked = options.properties.clone();
    let prepared = prepare(&source.program, &options, &calls);
    let (mut program, prepared) = match prepared {
        Ok(mut prepared) => {
            let program = std::mem::replace(&mut prepared.encoded.program, nothing());
            (program, Some(prepared))
        }
        Err(failure) => {
            let mut program = nothing();
            for property in &asked {
                let id = add(&mut program, property);
                let hint = "a smaller program, or one entry function at a time".to_owned();
                let construct = failure.to_string();
                refused.push((id, Why::Unsupported { construct, place: None, hint }));
            }
            (program, None)
        }
    };
    // The property about gaps comes after those that were asked.
    asked.resize(program.properties.len(), CProperty::Other(parallax_encode::COVERED.into()));
    for property in others {
        let id = add(&mut program, &property);
        let why = Why::Unsupported {
            construct: format!("property `{property}`"),
            place: None,
            hint: "a property about single states, such as `unreach-call`".to_owned(),
        };
        refused.push((id, why));
        asked.push(property);
    }
    program.name = name(&source);
    program.store.freeze();
    program.validate()?;
    Ok(Task {
        program,
        sources: source.sources.clone(),
        warnings: source.warnings.clone(),
        constants: Vec::new(),
        c: Some(Arc::new(CTask { source, prepared, asked, calls })),
        predicates: Vec::new(),
        invariants: Vec::new(),
        refused,
    })
}

/// The same task, but for its properties: to arrive at what is not covered is
/// to break each of them, so a proof of one needs no second one.
pub(crate) fn whole(mut task: Task) -> Task {
    let Some(c) = task.c.take() else { return task };
    let mut c = Arc::unwrap_or_clone(c);
    if let Some(prepared) = &mut c.prepared
        && let Some(covered) = prepared.encoded.covered.take()
    {
        let program = &mut task.program;
        let gap = program.properties[covered].target;
        let kept = program.properties.iter_enumerated().filter(|(id, _)| *id != covered);
        let mut kept: Vec<ir::Property> = kept.map(|(_, property)| property.clone()).collect();
        for property in &mut kept {
            property.target = program.store.or([property.target, gap]);
        }
        program.properties = kept.into_iter().collect();
        program.store.freeze();
        c.asked.remove(covered.index());
    }
    task.c = Some(Arc::new(c));
    task
}

/// What the program is called: its first file.
fn name(source: &CProgram) -> String {
    let file = source.files.first().and_then(|path: &std::path::PathBuf| Path::file_name(path));
    file.map_or_else(|| "program".to_owned(), |name| name.to_string_lossy().into_owned())
}

/// What is asked of a program: what was said, else that its errors are not
/// reached, if it has any.
pub(crate) fn asked_of(source: &CProgram) -> Vec<CProperty> {
    match source.properties.is_empty() && has_errors(&source.program) {
        true => vec![CProperty::Errors],
        false => source.properties.clone(),
    }
}

/// Whether the program can fail at all when nothing else is asked.
fn has_errors(program: &Program) -> bool {
    program.functions.iter().any(|f| f.edges.iter().any(|e| matches!(e.op, Op::Error(_))))
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
    /// The run of the C program that a run over terms stands for, if it breaks
    /// the property there as well.
    pub fn replay(&self, property: Id<ir::Property>, trace: &Trace) -> Option<Recording> {
        let property = self.asked.get(property.index())?;
        let prepared = self.prepared.as_ref()?;
        let checks = checks(std::slice::from_ref(property));
        let options = Options { checks, max_steps: REPLAYED, lazy: true, ..Options::default() };
        let options = prepared.encoded.arguments(&trace.initial, options);
        let steps = trace.steps.iter().map(|step| (step.transition, &step.inputs[..]));
        let replayed = prepared.encoded.replay(&trace.initial, steps, options.clone());
        let given = prepared.restate(&self.source.program, &replayed, options.clone());
        let mut oracle = Script { given: given.into_iter() };
        let recording = record(&self.source.program, &mut oracle, options, RECORDED);
        breaks(&self.source, property, &recording).then_some(recording)
    }
}

impl CTask {
    /// The run of the C program with these inputs, if it breaks the property.
    pub fn execute(&self, property: Id<ir::Property>, run: &Execution) -> Option<Recording> {
        let property = self.asked.get(property.index())?;
        let checks = checks(std::slice::from_ref(property));
        let options = Options { checks, max_steps: REPLAYED, ..Options::default() };
        let mut oracle = Recorded::new(run.inputs.clone());
        let recording = record(&self.source.program, &mut oracle, options, RECORDED);
        breaks(&self.source, property, &recording).then_some(recording)
    }
}

/// Whether a run does what a property forbids.
pub fn breaks(c: &CProgram, property: &CProperty, recording: &Recording) -> bool {
    let passes = |label: &str| {
        recording.steps.iter().any(|step| {
            let function = &c.program.functions[step.at.function];
            let edge = &function.edges[step.at.edge];
            let at = |l| function.locations[l].label.as_deref() == Some(label);
            at(edge.source) || at(edge.target)
        })
    };
    violates(&recording.report, property)
        || matches!(property, CProperty::Label(label) if passes(label))
}

/// The choices of a run, in order.
struct Script {
    given: std::vec::IntoIter<Given>,
}

impl Oracle for Script {
    fn input(&mut self, _name: &str, ty: ScalarType) -> Option<Scalar> {
        match self.given.next()? {
            Given::Input(value) => Some(value).filter(|value| value.ty == ty),
            _ => None,
        }
    }

    fn arbitrary(&mut self, _what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        match self.given.next() {
            Some(Given::Arbitrary(value)) if value.ty == ty => value,
            _ => Scalar { ty, bits: 0 },
        }
    }

    fn call_back(&mut self, _known: &[Id<Function>]) -> Option<Id<Function>> {
        match self.given.next()? {
            Given::CallBack(function) => function,
            _ => None,
        }
    }

    fn unwritten(&mut self, _at: Unwritten, bytes: &mut [u8]) {
        if let Some(Given::Contents(given)) = self.given.next() {
            let size = bytes.len().min(given.len());
            bytes[..size].copy_from_slice(&given[..size]);
        }
    }
}
