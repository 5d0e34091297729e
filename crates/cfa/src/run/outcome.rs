//! How a run ends.

use super::accident::Accident;
use crate::{CProperty, Check, Edge, Function, Op, Place, Temporal, Variable};
use parallax_base::{Id, Span};
use parallax_ltl::Lasso;
use std::fmt;
use std::sync::Arc;

/// The kinds of [`Check`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "each is the check of that name")]
pub enum CheckKind {
    Overflow,
    Division,
    Shift,
    FloatConversion,
    Access,
    Initialized,
    Free,
    Callable,
    Sequenced,
    Index,
    Alone,
    Lock,
    Unreachable,
}

impl CheckKind {
    /// All kinds.
    pub const ALL: [CheckKind; 13] = [
        CheckKind::Overflow,
        CheckKind::Division,
        CheckKind::Shift,
        CheckKind::FloatConversion,
        CheckKind::Access,
        CheckKind::Initialized,
        CheckKind::Free,
        CheckKind::Callable,
        CheckKind::Sequenced,
        CheckKind::Index,
        CheckKind::Alone,
        CheckKind::Lock,
        CheckKind::Unreachable,
    ];
}

impl Check {
    /// Its kind.
    pub fn kind(&self) -> CheckKind {
        match self {
            Check::Overflow(_) => CheckKind::Overflow,
            Check::Division(_) => CheckKind::Division,
            Check::Shift(_) => CheckKind::Shift,
            Check::FloatConversion(_) => CheckKind::FloatConversion,
            Check::Access { .. } | Check::AccessBytes { .. } => CheckKind::Access,
            Check::Initialized(_) => CheckKind::Initialized,
            Check::Free(_) => CheckKind::Free,
            Check::Callable(_) => CheckKind::Callable,
            Check::Sequenced { .. } => CheckKind::Sequenced,
            Check::Index { .. } => CheckKind::Index,
            Check::Alone { .. } | Check::AloneBytes { .. } => CheckKind::Alone,
            Check::Lock(..) => CheckKind::Lock,
            Check::Unreachable => CheckKind::Unreachable,
        }
    }
}

/// A set of kinds of checks.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CheckSet(u16);

impl CheckSet {
    /// What ends every run, and what these properties are about besides.
    pub fn of(properties: &[CProperty]) -> CheckSet {
        properties.iter().fold(CheckSet::default(), |set, property| match property {
            CProperty::Overflow => set.with(CheckKind::Overflow),
            CProperty::Initialized => set.with(CheckKind::Initialized),
            CProperty::Sequencing => set.with(CheckKind::Sequenced),
            CProperty::ObjectBounds => set.with(CheckKind::Index),
            CProperty::Race => set.with(CheckKind::Alone),
            CProperty::Locks => set.with(CheckKind::Lock),
            _ => set,
        })
    }

    /// Every kind.
    pub fn all() -> CheckSet {
        CheckKind::ALL.into_iter().fold(CheckSet(0), CheckSet::with)
    }

    /// This set and one more kind.
    #[must_use]
    pub fn with(self, kind: CheckKind) -> CheckSet {
        CheckSet(self.0 | 1 << kind as u16)
    }

    /// This set less one kind.
    #[must_use]
    pub fn without(self, kind: CheckKind) -> CheckSet {
        CheckSet(self.0 & !(1 << kind as u16))
    }

    /// Whether the kind is in it.
    pub fn contains(self, kind: CheckKind) -> bool {
        self.0 & 1 << kind as u16 != 0
    }
}

impl Default for CheckSet {
    /// What ends every run that does it: all but signed overflow, which wraps,
    /// reads of uninitialized objects, which give an arbitrary value, accesses in
    /// no fixed order, which happen from left to right, and what threads do to each
    /// other.
    fn default() -> CheckSet {
        CheckSet::all()
            .without(CheckKind::Overflow)
            .without(CheckKind::Initialized)
            .without(CheckKind::Sequenced)
            .without(CheckKind::Index)
            .without(CheckKind::Alone)
            .without(CheckKind::Lock)
    }
}

/// How a run ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// `main` returned; the value, if it has one.
    Exit(Option<i32>),
    /// The program stopped itself in good order (`exit`, `abort`, a failed assumption).
    Halt,
    /// The program did what must never happen.
    Error(Arc<str>),
    /// The program did what the standard leaves undefined.
    Undefined(CheckKind),
    /// A construct that is not modelled.
    Unsupported(Arc<str>),
    /// The oracle has no further input.
    OutOfInputs,
    /// No edge can be taken: the program is not well formed.
    Stuck,
    /// No thread can move: every one that has not ended waits for another.
    Deadlock,
    /// It waits for ever, or came back to a state it was in, so it may go on for
    /// ever.
    Endless,
    /// More steps than allowed.
    StepLimit,
    /// More calls inside each other than allowed, or more stack.
    DepthLimit,
    /// More memory than allowed.
    MemoryLimit,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Exit(Some(code)) => write!(f, "exit with {code}"),
            Outcome::Exit(None) => write!(f, "exit"),
            Outcome::Halt => write!(f, "halt"),
            Outcome::Error(text) => write!(f, "error: {text}"),
            Outcome::Undefined(kind) => write!(f, "undefined behavior: {kind:?}"),
            Outcome::Unsupported(text) => write!(f, "unsupported: {text}"),
            Outcome::OutOfInputs => write!(f, "no further input"),
            Outcome::Stuck => write!(f, "no edge can be taken"),
            Outcome::Deadlock => write!(f, "deadlock"),
            Outcome::Endless => write!(f, "goes on for ever"),
            Outcome::StepLimit => write!(f, "step limit"),
            Outcome::DepthLimit => write!(f, "call depth limit"),
            Outcome::MemoryLimit => write!(f, "memory limit"),
        }
    }
}

/// Where a run is: in which function, on which edge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    /// The function.
    pub function: Id<Function>,
    /// The edge that is executed.
    pub edge: Id<Edge>,
    /// Its source.
    pub span: Span,
}

/// A heap object that was never freed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Leak {
    /// The edge that allocated it.
    pub origin: Option<Position>,
    /// Its size in bytes.
    pub size: u64,
    /// Whether a live pointer still leads to it, directly or through others.
    pub reachable: bool,
}

/// What a run did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// How it ended.
    pub outcome: Outcome,
    /// The thread that ran last; zero is that of `main`.
    pub thread: usize,
    /// Where it ended; `None` if it never began.
    pub position: Option<Position>,
    /// The calls of that thread that lead there, outermost first.
    pub calls: Vec<Position>,
    /// How many edges it took.
    pub steps: u64,
    /// What it printed.
    pub output: Vec<u8>,
    /// Heap objects alive at the end, in order of allocation.
    pub leaks: Vec<Leak>,
    /// The access that went wrong, if that is how it ended.
    pub accident: Option<Accident>,
    /// The operands of arithmetic that overflowed, if that is how it ended and they
    /// have at most 64 bits.
    pub operands: Option<[i64; 2]>,
    /// What it showed to the formulas that were asked, by their numbers. Only of
    /// runs that are known to the end.
    pub words: Vec<(u32, Lasso)>,
}

impl Report {
    /// Whether a run that ended this way did what a property forbids.
    pub fn violates(&self, property: &CProperty) -> bool {
        let outcome = &self.outcome;
        let undefined =
            |kinds: &[CheckKind]| matches!(outcome, Outcome::Undefined(k) if kinds.contains(k));
        let ended = matches!(outcome, Outcome::Exit(_) | Outcome::Halt | Outcome::Error(_));
        match property {
            CProperty::Errors | CProperty::Call(_) | CProperty::Label(_) => match outcome {
                Outcome::Error(text) => property.asks_error(&Op::Error(text.clone())),
                _ => false,
            },
            CProperty::Overflow => undefined(&[CheckKind::Overflow]),
            CProperty::Division => undefined(&[CheckKind::Division]),
            CProperty::Shift => undefined(&[CheckKind::Shift]),
            CProperty::FloatConversion => undefined(&[CheckKind::FloatConversion]),
            CProperty::Deref => undefined(&[CheckKind::Access, CheckKind::Callable]),
            CProperty::Free => undefined(&[CheckKind::Free]),
            CProperty::Initialized => undefined(&[CheckKind::Initialized]),
            CProperty::Sequencing => undefined(&[CheckKind::Sequenced]),
            CProperty::ObjectBounds => undefined(&[CheckKind::Index]),
            CProperty::Cleanup => ended && !self.leaks.is_empty(),
            CProperty::Track => ended && self.leaks.iter().any(|leak| !leak.reachable),
            CProperty::Race => undefined(&[CheckKind::Alone]),
            CProperty::Locks => undefined(&[CheckKind::Lock]),
            CProperty::Deadlock => *outcome == Outcome::Deadlock,
            CProperty::Termination => *outcome == Outcome::Endless,
            CProperty::Temporal(formula) => match formula.always() {
                Some(_) => match outcome {
                    Outcome::Error(text) => property.asks_error(&Op::Error(text.clone())),
                    _ => false,
                },
                None => self
                    .words
                    .iter()
                    .any(|(number, word)| *number == formula.number && formula.is_broken(word)),
            },
            CProperty::Other(_) => false,
        }
    }
}

/// Limits and choices of runs.
#[derive(Clone, Debug)]
pub struct Options {
    /// Which failed checks end a run. The others are not evaluated: the values
    /// are those that expressions have without checks. An access outside all
    /// objects ends a run in any case.
    pub checks: CheckSet,
    /// How many edges may be taken.
    pub max_steps: u64,
    /// How many calls may be open at once.
    pub max_depth: usize,
    /// How many bytes all live objects may have together.
    pub max_memory: u64,
    /// How many bytes of output are kept.
    pub max_output: usize,
    /// The arguments of `main`, the program's name first.
    pub arguments: Vec<Vec<u8>>,
    /// Whether arbitrary contents of memory are asked for when they are read
    /// first, not when the object begins to live. Then there is also memory
    /// outside the program: wherever a pointer between [`super::OUTSIDE`] and
    /// [`super::OUTSIDE_END`] from the oracle points to. Of no effect if reads
    /// of uninitialized objects end the run.
    pub lazy: bool,
    /// Whether a run ends where it waits for ever, or comes back to a state it was in.
    pub ends: bool,
    /// Whether it matters that no thread can move: threads that sleep count as
    /// waiting then, though they may wake up at any time.
    pub deadlocks: bool,
    /// Formulas about runs: one ends where it waits for ever, or where it comes back
    /// to a state so that to go on for ever breaks one of them.
    pub formulas: Vec<Arc<Temporal>>,
}

impl Options {
    /// Whether it matters that a run goes on for ever.
    pub(crate) fn repeats(&self) -> bool {
        self.ends || !self.formulas.is_empty()
    }

    /// For runs that are held against these properties.
    pub fn about(properties: &[CProperty]) -> Options {
        let ends = properties.contains(&CProperty::Termination);
        let deadlocks = properties.contains(&CProperty::Deadlock);
        let formulas = properties.iter().filter_map(|property| match property {
            CProperty::Temporal(formula) if formula.always().is_none() => Some(formula.clone()),
            _ => None,
        });
        let (checks, formulas) = (CheckSet::of(properties), formulas.collect());
        Options { checks, ends, deadlocks, formulas, ..Options::default() }
    }
}

impl Default for Options {
    fn default() -> Options {
        Options {
            checks: CheckSet::default(),
            max_steps: u64::MAX,
            max_depth: 100_000,
            max_memory: 1 << 30,
            max_output: 1 << 26,
            arguments: vec![b"program".to_vec()],
            lazy: false,
            ends: false,
            deadlocks: false,
            formulas: Vec::new(),
        }
    }
}

/// A place in memory that was never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unwritten {
    /// The object.
    pub object: UnwrittenObject,
    /// Bytes from its start.
    pub offset: u64,
    /// The place that is read.
    pub place: Id<Place>,
    /// Who reads: the edge that is executed, or one of those whose conditions
    /// are evaluated.
    pub edge: Option<(Id<Function>, Id<Edge>)>,
}

/// An object with contents that were never written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum UnwrittenObject {
    /// A variable.
    Variable(Id<Variable>),
    /// A heap object, by the number of its allocation, from one.
    Heap(u64),
    /// Memory outside the program; the offset is the address.
    Outside,
    /// Anything else.
    Other,
}

/// What an arbitrary value is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Arbitrary<'a> {
    /// The first contents of a variable, or of what is declared and defined nowhere.
    Variable(Id<Variable>),
    /// The first contents of a heap object or of `alloca`.
    Allocated,
    /// The result of a function that is not defined.
    Result(&'a str),
    /// An unknown effect; the text says of what.
    Havoc(&'a str),
    /// An argument of a function that unknown code calls.
    Argument,
}
