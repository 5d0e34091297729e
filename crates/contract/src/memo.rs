//! What a recursive function returns, computed once for each argument.
//!
//! The program with contracts that say nothing is run from the body of the
//! function. A call in it takes what is known of its arguments; what is not
//! known is computed first. So a function that would call itself a billion
//! times is computed in as many runs as it has different arguments. What a call
//! writes to static variables is taken for a sum of what was there and what it
//! adds: they start at zero. Where that is not true, what comes out is not true
//! either, and will not hold as a contract.

use crate::subject::Subject;
use parallax_base::{Budget, Id};
use parallax_cfa::run::{
    Arbitrary, CheckSet, Interpreter, Observer, Options, Oracle, Outcome, View,
};
use parallax_cfa::{Base, Edge, Function, Op, Program, Scalar, ScalarType, Variable};
use parallax_encode::resolved;
use parallax_transform::contracts::{Atom, Contract, Contracted, Mode, apply};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Most steps of one run.
const STEPS: u64 = 100_000;

/// Most runs, and most that wait for each other.
const RUNS: usize = 5_000;
const WAITING: usize = 1_000;

/// A call: the number of its function among the subjects, and its early values.
type Call = (usize, Vec<i128>);

/// The functions of a program and what is known of them.
pub(crate) struct Memo<'a> {
    subjects: &'a [Subject],
    made: Contracted,
    checks: CheckSet,
    known: BTreeMap<Call, Vec<i128>>,
    runs: usize,
}

/// How a run ended.
enum Ended {
    Returned(Vec<i128>),
    Needs(Call),
    Lost,
}

impl<'a> Memo<'a> {
    /// Nothing is known yet. `None` if calls touch more than the subjects tell.
    pub(crate) fn new(
        program: &Program,
        subjects: &'a [Subject],
        checks: CheckSet,
    ) -> Option<Memo<'a>> {
        if !subjects.iter().all(|s| s.is_told) {
            return None;
        }
        let nothing = |s: &Subject| Contract {
            function: s.function,
            requires: Vec::new(),
            ensures: Vec::new(),
        };
        let contracts: Vec<Contract> = subjects.iter().map(nothing).collect();
        let made = apply(&resolved(program).program, &contracts, Mode::Whole).ok()?;
        Some(Memo { subjects, made, checks, known: BTreeMap::new(), runs: 0 })
    }

    /// Forgets how many runs were made, but not what they have shown.
    pub(crate) fn rest(&mut self) {
        self.runs = 0;
    }

    /// The late values of a call; `None` if it does not return, takes too long
    /// or depends on more than its early values.
    pub(crate) fn value(
        &mut self,
        subject: usize,
        early: Vec<i128>,
        budget: &Budget,
    ) -> Option<Vec<i128>> {
        let wanted = (subject, early);
        let mut waiting = vec![wanted.clone()];
        while let Some(call) = waiting.last().cloned() {
            if self.known.contains_key(&call) {
                waiting.pop();
                continue;
            }
            self.runs += 1;
            if self.runs > RUNS || waiting.len() > WAITING || budget.check().is_err() {
                return None;
            }
            match self.run(&call) {
                Ended::Returned(late) => {
                    self.known.insert(call, late);
                }
                // A call that needs itself never returns.
                Ended::Needs(other) if !waiting.contains(&other) => waiting.push(other),
                Ended::Needs(_) | Ended::Lost => return None,
            }
        }
        self.known.get(&wanted).cloned()
    }

    fn run(&self, call: &Call) -> Ended {
        let shared = Rc::new(RefCell::new(Shared::default()));
        let mut guide = Guide { memo: self, call, shared: Rc::clone(&shared), choices: 0 };
        let mut answers = Answers { shared: Rc::clone(&shared) };
        let options = Options { checks: self.checks, max_steps: STEPS, ..Options::default() };
        let interpreter = Interpreter::new(&self.made.program, options);
        let report = interpreter.observe(&mut answers, &mut guide);
        let shared = shared.borrow();
        match (&shared.needs, &shared.late, &report.outcome) {
            (Some(other), _, _) => Ended::Needs(other.clone()),
            (None, Some(late), Outcome::Halt) if !shared.is_lost => Ended::Returned(late.clone()),
            _ => Ended::Lost,
        }
    }
}

/// What observer and oracle tell each other.
#[derive(Default)]
struct Shared {
    /// The value of the next thing that is not determined.
    next: Option<i128>,
    /// What the call that is being made gives.
    result: Vec<i128>,
    needs: Option<Call>,
    late: Option<Vec<i128>>,
    is_lost: bool,
}

struct Answers {
    shared: Rc<RefCell<Shared>>,
}

impl Oracle for Answers {
    fn input(&mut self, _name: &str, _ty: ScalarType) -> Option<Scalar> {
        None
    }

    fn arbitrary(&mut self, what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        let mut shared = self.shared.borrow_mut();
        let value = shared.next.take().filter(|_| matches!(what, Arbitrary::Havoc(_)));
        // What nobody answers for is not a matter of the early values alone,
        // but for variables that are written before they are read.
        shared.is_lost |= value.is_none() && !matches!(what, Arbitrary::Variable(_));
        Scalar::int(ty, value.unwrap_or(0))
    }
}

struct Guide<'m> {
    memo: &'m Memo<'m>,
    call: &'m Call,
    shared: Rc<RefCell<Shared>>,
    /// How many choices of a start were made.
    choices: usize,
}

impl Guide<'_> {
    fn value(&self, view: &View<'_>, variable: Id<Variable>) -> Option<i128> {
        view.scalar(variable).map(Scalar::as_int)
    }

    /// The early values of a call that has just begun.
    fn early(&self, view: &View<'_>, stand: Id<Function>, subject: &Subject) -> Option<Vec<i128>> {
        let parameters = &self.memo.made.program.functions[stand].parameters;
        let value = |atom: &Atom| match *atom {
            Atom::Parameter(at) => self.value(view, *parameters.get(at)?),
            Atom::Before(v) if subject.late.contains(&Atom::After(v)) => Some(0),
            Atom::Before(v) => self.value(view, v),
            Atom::Result | Atom::After(_) => None,
        };
        subject.early.iter().map(value).collect()
    }

    /// What an arbitrary value of a variable is to be.
    fn answer(
        &mut self,
        view: &View<'_>,
        function: Id<Function>,
        to: Id<Variable>,
    ) -> Option<i128> {
        let made = &self.memo.made;
        let (number, early) = self.call;
        let subject = &self.memo.subjects[*number];
        if Some(function) == made.program.main {
            self.choices += 1;
            return Some(i128::from(self.choices != number + 1));
        }
        let (_, stand, start) = made.pairs[*number];
        if function == start {
            let first = made
                .program
                .variables
                .ids()
                .find(|v| made.program.variables[*v].owner == Some(start))?;
            let atom = match made.program.variables[to].owner {
                Some(_) => Atom::Parameter(to.index() - first.index()),
                None => Atom::Before(to),
            };
            return early.get(subject.early.iter().position(|a| *a == atom)?).copied();
        }
        // What stands for a call.
        let (at, _) = made.pairs.iter().enumerate().find(|(_, pair)| pair.1 == function)?;
        debug_assert!(at != *number || function == stand);
        let atom = match made.program.variables[to].owner {
            Some(_) => Atom::Result,
            None => Atom::After(to),
        };
        let late = &self.memo.subjects[at].late;
        let given =
            self.shared.borrow().result.get(late.iter().position(|a| *a == atom)?).copied()?;
        match atom {
            Atom::After(v) => self.value(view, v)?.checked_add(given),
            _ => Some(given),
        }
    }

    /// The late values, seen from the function that started the body.
    fn late(&self, view: &View<'_>) -> Option<Vec<i128>> {
        let made = &self.memo.made;
        let (_, _, start) = made.pairs[self.call.0];
        let is_result = |v: &Id<Variable>| {
            let variable = &made.program.variables[*v];
            variable.owner == Some(start) && &*variable.name == "$result"
        };
        let value = |atom: &Atom| match *atom {
            Atom::Result => self.value(view, made.program.variables.ids().find(is_result)?),
            Atom::After(v) => self.value(view, v),
            Atom::Parameter(_) | Atom::Before(_) => None,
        };
        self.memo.subjects[self.call.0].late.iter().map(value).collect()
    }
}

impl Observer for Guide<'_> {
    fn step(&mut self, view: &View<'_>, edge: Id<Edge>) {
        let Some(function) = view.function() else { return };
        let made = &self.memo.made;
        let data = &made.program.functions[function];
        let edge = &data.edges[edge];
        if edge.source == data.entry
            && let Some(at) = made.pairs.iter().position(|pair| pair.1 == function)
        {
            let early = self.early(view, function, &self.memo.subjects[at]);
            let mut shared = self.shared.borrow_mut();
            match early.map(|early| (at, early)) {
                Some(call) => match self.memo.known.get(&call) {
                    Some(late) => shared.result = late.clone(),
                    None if shared.needs.is_none() => shared.needs = Some(call),
                    None => {}
                },
                None => shared.is_lost = true,
            }
        }
        match edge.op {
            Op::Havoc { to, .. } => {
                let next = match made.program.places[to].base {
                    Base::Variable(v) => self.answer(view, function, v),
                    Base::Pointer(_) => None,
                };
                self.shared.borrow_mut().next = next;
            }
            Op::Return(_) if function == made.pairs[self.call.0].2 => {
                let late = self.late(view);
                self.shared.borrow_mut().late = late;
            }
            _ => {}
        }
    }
}
