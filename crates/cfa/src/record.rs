//! A run written down: every step, every input, how it ended.

mod read;

use self::read::read;
use crate::run::{
    Arbitrary, Interpreter, Observer, Options, Oracle, Report, Unwritten, UnwrittenObject, View,
};
use crate::{
    Base, Edge, Executed, Function, Op, Place, Program, Scalar, ScalarType, Storage, Variable,
    arith,
};
use parallax_base::Id;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// A step with what it stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RecordedStep {
    /// The edge that was taken.
    pub at: Executed,
    /// The thread that took it; zero is that of `main`.
    pub thread: usize,
    /// The scalar that it stored or returned, if it did and if it is known.
    pub value: Option<Scalar>,
}

/// What an input of a run stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputSource {
    /// The result of an input function.
    Call,
    /// The result of a function that is not defined.
    Result,
    /// The value of a variable that is declared and defined nowhere.
    Extern,
    /// The value of a variable, or of memory, before anything is written there.
    Uninitialized,
    /// An effect that is not known.
    Unknown,
}

impl InputSource {
    /// A stable word.
    pub fn name(self) -> &'static str {
        match self {
            InputSource::Call => "call",
            InputSource::Result => "result",
            InputSource::Extern => "extern",
            InputSource::Uninitialized => "uninitialized",
            InputSource::Unknown => "unknown",
        }
    }
}

/// An input of a run: everything it depends on beside the program. What is not
/// the result of a function is left out if it is zero.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordedInput {
    /// What it stands for.
    pub source: InputSource,
    /// The function that was called for it, such as `__VERIFIER_nondet_int`,
    /// or what had the value.
    pub name: Arc<str>,
    /// The value.
    pub value: Scalar,
    /// The step that asked for it.
    pub step: usize,
}

/// A run that was recorded.
#[derive(Clone, Debug)]
pub struct Recording {
    /// The steps; empty if they were more than wanted.
    pub steps: Vec<RecordedStep>,
    /// The inputs, in the order they were asked for.
    pub inputs: Vec<RecordedInput>,
    /// How many arguments `main` had, the program's name among them.
    pub arguments: usize,
    /// How it ended.
    pub report: Report,
}

/// Runs a program and writes down its inputs, and its steps if they are at
/// most `max_steps`.
pub fn record(
    program: &Program,
    oracle: &mut dyn Oracle,
    options: Options,
    max_steps: usize,
) -> Recording {
    let log = Rc::new(RefCell::new(Log::default()));
    let mut oracle = Listening { program, inner: oracle, log: Rc::clone(&log) };
    let arguments = options.arguments.len();
    let interpreter = Interpreter::new(program, options);
    let report = if max_steps > 0 {
        let mut watch = Watch { program, log: Rc::clone(&log), max_steps };
        interpreter.observe(&mut oracle, &mut watch)
    } else {
        interpreter.run(&mut oracle)
    };
    let Log { mut steps, inputs, is_too_long, .. } = log.take();
    if is_too_long {
        steps.clear();
    }
    Recording { steps, inputs, arguments, report }
}

/// What was seen so far.
#[derive(Default)]
struct Log {
    steps: Vec<RecordedStep>,
    inputs: Vec<RecordedInput>,
    /// Where the results of open calls go, for each thread.
    calls: Vec<Vec<Option<Id<Place>>>>,
    is_too_long: bool,
}

/// An oracle whose inputs are written down.
struct Listening<'o> {
    program: &'o Program,
    inner: &'o mut dyn Oracle,
    log: Rc<RefCell<Log>>,
}

impl Listening<'_> {
    fn note(&self, source: InputSource, name: &str, value: Scalar) {
        let mut log = self.log.borrow_mut();
        let step = log.steps.len().saturating_sub(1);
        let ordered = matches!(source, InputSource::Call | InputSource::Result);
        if ordered || value.bits != 0 {
            log.inputs.push(RecordedInput { source, name: name.into(), value, step });
        }
    }

    /// A variable with contents that the program does not determine.
    fn variable(&self, id: Id<Variable>) -> (InputSource, &str) {
        let variable = &self.program.variables[id];
        let source = match variable.storage {
            Storage::Static | Storage::Thread => InputSource::Extern,
            _ => InputSource::Uninitialized,
        };
        (source, &variable.name)
    }
}

impl Oracle for Listening<'_> {
    fn input(&mut self, name: &str, ty: ScalarType) -> Option<Scalar> {
        let value = self.inner.input(name, ty)?;
        self.note(InputSource::Call, name, value);
        Some(value)
    }

    fn arbitrary(&mut self, what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        let value = self.inner.arbitrary(what, ty);
        let (source, name) = match what {
            Arbitrary::Variable(v) => self.variable(v),
            Arbitrary::Result(name) => (InputSource::Result, name),
            Arbitrary::Havoc(why) => (InputSource::Unknown, why),
            Arbitrary::Argument => (InputSource::Unknown, "argument of a function called back"),
            Arbitrary::Allocated => (InputSource::Uninitialized, "heap"),
        };
        self.note(source, name, value);
        value
    }

    fn unwritten(&mut self, at: Unwritten, bytes: &mut [u8]) {
        self.inner.unwritten(at, bytes);
        let mut whole = [0; 16];
        let Some(used) = whole.get_mut(..bytes.len()) else { return };
        used.copy_from_slice(bytes);
        let ty = ScalarType::Int { bits: bytes.len() as u32 * 8, signed: true };
        let value = Scalar { ty, bits: arith::wrap(ty, u128::from_le_bytes(whole)) };
        let offset = at.offset;
        let (source, name) = match at.object {
            UnwrittenObject::Variable(v) => {
                let (source, name) = self.variable(v);
                let is_whole = self.program.types.size_of(self.program.variables[v].ty)
                    == Some(bytes.len() as u64);
                let name = match is_whole {
                    true => name.to_owned(),
                    false => format!("{name}, byte {offset}"),
                };
                (source, name)
            }
            UnwrittenObject::Heap(number) => {
                (InputSource::Uninitialized, format!("heap object {number}, byte {offset}"))
            }
            UnwrittenObject::Outside => {
                (InputSource::Unknown, format!("memory outside the program at {offset:#x}"))
            }
            UnwrittenObject::Other => (InputSource::Uninitialized, "stack memory".to_owned()),
        };
        self.note(source, &name, value);
    }

    fn contents(&mut self, what: Arbitrary<'_>, bytes: &mut [u8]) {
        self.inner.contents(what, bytes);
    }

    fn overwrite(&mut self, by: &str, bytes: &mut [u8]) -> bool {
        self.inner.overwrite(by, bytes)
    }

    fn call_back(&mut self, known: &[Id<Function>]) -> Option<Id<Function>> {
        self.inner.call_back(known)
    }

    fn choose(&mut self, count: usize) -> usize {
        self.inner.choose(count)
    }

    fn turn(&mut self, able: &[usize]) -> usize {
        self.inner.turn(able)
    }
}

/// Writes the steps down, each with the value it stored.
struct Watch<'p> {
    program: &'p Program,
    log: Rc<RefCell<Log>>,
    max_steps: usize,
}

impl Observer for Watch<'_> {
    fn step(&mut self, view: &View<'_>, edge: Id<Edge>) {
        let Some(function) = view.function() else { return };
        let mut log = self.log.borrow_mut();
        if log.steps.len() >= self.max_steps {
            log.is_too_long = true;
            return;
        }
        // The step before is done now: what it stored can be read.
        if let Some(last) = log.steps.len().checked_sub(1) {
            let RecordedStep { at, thread, .. } = log.steps[last];
            log.steps[last].value = match thread == view.thread() {
                true => self.target(&mut log, view, at).and_then(|to| read(self.program, view, to)),
                // What is another thread's own cannot be read from here.
                false => self.shared_target(at).and_then(|to| read(self.program, view, to)),
            };
        }
        let (at, thread) = (Executed { function, edge }, view.thread());
        log.steps.push(RecordedStep { at, thread, value: None });
    }
}

impl Watch<'_> {
    /// The place that a step wrote, if it is a whole static variable.
    fn shared_target(&self, at: Executed) -> Option<Id<Place>> {
        let Op::Assign(to, _) = self.program.functions[at.function].edges[at.edge].op else {
            return None;
        };
        let place = &self.program.places[to];
        let Base::Variable(variable) = place.base else { return None };
        let is_static = self.program.variables[variable].storage == Storage::Static;
        (is_static && place.path.is_empty()).then_some(to)
    }

    /// The place that a step wrote, seen from where the run is after it.
    fn target(&self, log: &mut Log, view: &View<'_>, at: Executed) -> Option<Id<Place>> {
        let function = &self.program.functions[at.function];
        let done = &function.edges[at.edge];
        match &done.op {
            Op::Assign(to, _) | Op::Input { to, .. } | Op::Havoc { to, .. } => Some(*to),
            Op::Primitive { to, .. } => *to,
            Op::Call { to, .. } => {
                let thread = view.thread();
                if log.calls.len() <= thread {
                    log.calls.resize(thread + 1, Vec::new());
                }
                let calls = &mut log.calls[thread];
                if view.depth() <= calls.len() + 1 {
                    return *to;
                }
                calls.push(*to);
                None
            }
            // The value that is returned is what the caller stores.
            _ if done.target == function.exit => {
                log.calls.get_mut(view.thread()).and_then(Vec::pop).flatten()
            }
            _ => None,
        }
    }
}
