//! Runs of the program, and what its recursive functions were seen to do.
//!
//! Inputs are tried in turn: the constants of the program and numbers near
//! them, small numbers, then anything. A run that breaks a property is kept:
//! it is evidence of its own.

use crate::subject::Subject;
use parallax_base::{Budget, Id};
use parallax_cfa::run::{
    Arbitrary, CheckSet, Interpreter, Observer, Options, Oracle, Seeded, View,
};
use parallax_cfa::{
    Base, CProperty, Edge, ExprKind, Function, Op, Place, Program, Scalar, ScalarType,
};
use std::collections::{BTreeMap, BTreeSet};

/// Most runs.
const RUNS: usize = 300;

/// Most steps of the one run of a program that asks for no input.
const ONLY_STEPS: u64 = 20_000_000;

/// Most calls in each other: a run that goes deeper is not followed.
const DEPTH: usize = 20_000;

/// Most calls that are kept of one function.
const ROWS: usize = 3_000;

/// Most constants that are tried.
const POOL: usize = 60;

/// How far runs go.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Length {
    /// Most steps of a run.
    pub run: u64,
    /// Most steps of all runs together, but for the last.
    pub all: u64,
}

impl Length {
    /// Many short runs.
    pub const SHORT: Length = Length { run: 100_000, all: 10_000_000 };
    /// A few long ones, to what lies behind loops of many rounds.
    pub const LONG: Length = Length { run: 5_000_000, all: 10_000_000 };
}

/// The values of one call: those of [`Subject::early`], then those of
/// [`Subject::late`].
pub(crate) type Row = Vec<i128>;

/// What was seen of one function.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    /// The early values of calls.
    pub(crate) calls: BTreeSet<Row>,
    /// The early and late values of calls that returned.
    pub(crate) returns: BTreeSet<Row>,
}

/// What runs have shown.
#[derive(Clone, Debug, Default)]
pub struct Runs {
    /// Of each function.
    pub(crate) seen: BTreeMap<Id<Function>, Seen>,
    /// Runs that break a property: its position, and the inputs.
    pub broken: Vec<(usize, Vec<i128>)>,
}

/// The numbers that a program mentions, and those next to them.
pub(crate) fn constants(program: &Program) -> Vec<i128> {
    let mut found: BTreeSet<i128> = (0..=8).collect();
    let limit = 1i128 << 62;
    for expr in &program.exprs {
        if let ExprKind::Int(value) = expr.kind
            && value.abs() < limit
            && found.len() < POOL
        {
            found.extend([value - 1, value, value + 1]);
        }
    }
    let mut found: Vec<i128> = found.into_iter().collect();
    found.sort_by_key(|v| (v.unsigned_abs(), *v < 0));
    found
}

/// Whether the program ever asks for something that it does not determine.
fn is_determined(program: &Program) -> bool {
    let open = |op: &Op| matches!(op, Op::Input { .. } | Op::Havoc { .. });
    !program.functions.iter().any(|f| f.edges.iter().any(|e| open(&e.op)))
}

/// Runs the program. `checks` are the failed checks that end a run.
pub fn runs(
    program: &Program,
    subjects: &[Subject],
    properties: &[CProperty],
    checks: CheckSet,
    length: Length,
    budget: &Budget,
) -> Runs {
    let mut runs = Runs::default();
    let pool = constants(program);
    let only = is_determined(program);
    let max_steps = if only { ONLY_STEPS } else { length.run };
    let options = Options { checks, max_steps, max_depth: DEPTH, ..Options::default() };
    let interpreter = Interpreter::new(program, options);
    let mut steps = 0;
    for number in 0..if only { 1 } else { RUNS } {
        if steps > length.all || budget.check().is_err() {
            break;
        }
        let mut oracle =
            Tried { pool: &pool, number, random: Seeded::new(number as u64), given: Vec::new() };
        let mut watch = Watch { program, subjects, open: Vec::new(), seen: &mut runs.seen };
        let report = interpreter.observe(&mut oracle, &mut watch);
        steps += report.steps;
        for (at, property) in properties.iter().enumerate() {
            let is_new = runs.broken.iter().all(|(known, _)| *known != at);
            if is_new && report.violates(property) {
                runs.broken.push((at, oracle.given.clone()));
            }
        }
        if !properties.is_empty() && runs.broken.len() == properties.len() {
            break;
        }
    }
    runs
}

/// Inputs from the pool of constants, and others. What is arbitrary is zero, so
/// that the inputs alone determine the run.
struct Tried<'a> {
    pool: &'a [i128],
    number: usize,
    random: Seeded,
    given: Vec<i128>,
}

impl Oracle for Tried<'_> {
    fn input(&mut self, name: &str, ty: ScalarType) -> Option<Scalar> {
        let other = self.random.input(name, ty)?;
        let index = (other.bits ^ other.bits >> 7) as usize;
        let value = match ty {
            ScalarType::Int { .. } | ScalarType::Bool => {
                let value = match self.number {
                    n if n < self.pool.len() => self.pool[n],
                    n if n % 4 != 0 => self.pool[index % self.pool.len()],
                    _ => other.as_int(),
                };
                Scalar::int(ty, value)
            }
            _ => other,
        };
        self.given.push(value.as_int());
        Some(value)
    }

    fn arbitrary(&mut self, _what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        Scalar { ty, bits: 0 }
    }
}

/// A call that has not returned.
struct Open {
    function: Id<Function>,
    /// Its early values, if somebody wants to know.
    early: Option<Row>,
    /// Where the caller wants the result.
    to: Option<Id<Place>>,
}

struct Watch<'a> {
    program: &'a Program,
    subjects: &'a [Subject],
    /// The calls of the run, outermost first.
    open: Vec<Open>,
    seen: &'a mut BTreeMap<Id<Function>, Seen>,
}

impl Watch<'_> {
    fn subject(&self, function: Id<Function>) -> Option<&Subject> {
        self.subjects.iter().find(|s| s.function == function)
    }

    fn enter(&mut self, view: &View<'_>, function: Id<Function>) {
        let caller = self.open.len().checked_sub(1).and_then(|d| view.position(d));
        let to =
            caller.and_then(|at| match &self.program.functions[at.function].edges[at.edge].op {
                Op::Call { to, .. } => *to,
                _ => None,
            });
        let early = self.subject(function).and_then(|s| s.early_values(self.program, view));
        if let Some(row) = &early {
            let seen = self.seen.entry(function).or_default();
            if seen.calls.len() < ROWS {
                seen.calls.insert(row.clone());
            }
        }
        self.open.push(Open { function, early, to });
    }

    /// A call has returned; the view is that of its caller.
    fn leave(&mut self, view: &View<'_>, open: Open) {
        let Some(mut row) = open.early else { return };
        let result = open.to.and_then(|to| {
            let place = &self.program.places[to];
            match place.base {
                Base::Variable(v) if place.path.is_empty() => view.scalar(v),
                _ => None,
            }
        });
        let subject = self.subject(open.function);
        let Some(late) = subject.and_then(|s| s.late_values(view, result)) else { return };
        row.extend(late);
        let seen = self.seen.entry(open.function).or_default();
        if seen.returns.len() < ROWS {
            seen.returns.insert(row);
        }
    }
}

impl Observer for Watch<'_> {
    fn step(&mut self, view: &View<'_>, _edge: Id<Edge>) {
        let depth = view.depth();
        while self.open.len() > depth {
            if let Some(open) = self.open.pop()
                && self.open.len() == depth
            {
                self.leave(view, open);
            }
        }
        if self.open.len() < depth
            && let Some(function) = view.function()
        {
            self.enter(view, function);
        }
    }
}
