//! Symbolic execution with state matching.
//!
//! The values of parameters are symbolic. A state is a heap with terms in it,
//! and what the path says about them. Two states with one shape (and one set of
//! known data) are compared by what they say about the terms, in the order in
//! which linearization meets them; all other variables are eliminated. A state
//! that is contained in one seen before is discarded; a state that contains
//! others takes their place, so what is kept is an antichain.
//!
//! Deviation: the paper asks the Omega library. Constraints here are
//! differences, for which elimination and implication are exact on closed
//! bounds; values that are used otherwise are split into cases. A test compares
//! both with an SMT solver.

mod differences;
mod path;

pub use differences::{Difference, Differences};

use crate::api::{Call, Parameter};
use crate::explicit::{Book, counts_as_new, unsupported};
use crate::outcome::{Failure, Found, Test, Unsupported, Wrong};
use crate::runner::{Runner, State};
use crate::subject::Subject;
use crate::{Config, Match};
use differences::NONE;
use parallax_base::Budget;
use parallax_machine::{What, Word};
use path::{Decisions, Need, Path, Terms, Theory};
use rustc_hash::FxHashMap;

/// A value of a symbolic call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Value {
    Known(i64),
    Variable(usize),
}

/// An operation with symbolic values.
#[derive(Clone, PartialEq, Eq, Debug)]
struct SymbolicCall {
    operation: usize,
    values: Vec<Value>,
}

/// A symbolic state and how it was reached.
#[derive(Clone)]
struct Node {
    state: State,
    known: Differences,
    calls: Vec<SymbolicCall>,
}

/// Bounds of the terms of a state, in the order of linearization.
type Matrix = Box<[i64]>;

struct Search<'s, 'c> {
    runner: Runner<'s>,
    /// Runs the tests with the values that were found.
    confirm: Runner<'s>,
    /// Ends containers; what that covers does not count for operations.
    ender: Runner<'s>,
    config: &'c Config,
    theory: Theory,
    terms: Terms,
    seen: FxHashMap<Box<[u8]>, Vec<Matrix>>,
    book: Book,
}

/// Why a search ends.
enum End {
    Need(Need),
    Unsupported(Unsupported),
}

/// Searches; begins again with more theory if the code needs it.
pub(crate) fn search(
    subject: &Subject<'_>,
    config: &Config,
    budget: &Budget,
) -> Result<Found, Unsupported> {
    let mut theory = Theory::Order;
    loop {
        let mut search = Search {
            runner: Runner::new(subject),
            confirm: Runner::new(subject),
            ender: Runner::new(subject),
            config,
            theory,
            terms: Terms::default(),
            seen: FxHashMap::default(),
            book: Book::new(config),
        };
        match search.run(budget) {
            Ok(()) => {
                let coverage = search.confirm.machine.coverage;
                return Ok(search.book.found(coverage));
            }
            Err(End::Unsupported(limit)) => return Err(limit),
            Err(End::Need(Need::Integers)) => theory = Theory::Integers,
            Err(End::Need(Need::Bounds)) => theory = Theory::Bounded,
        }
    }
}

impl Search<'_, '_> {
    fn run(&mut self, budget: &Budget) -> Result<(), End> {
        let (_, wrong) = self.confirm.perform(&[]);
        if let Some(wrong) = wrong.or_else(|| self.ender.replay(&[]).1) {
            return self.fail(Vec::new(), wrong);
        }
        if counts_as_new(&mut self.confirm, self.config.goal) {
            self.book.tests.push(Test { calls: Vec::new() });
        }
        if let Err(wrong) = self.runner.begin() {
            return self.fail(Vec::new(), wrong);
        }
        self.runner.machine.coverage.take_news();
        let first = Node {
            state: self.runner.save(),
            known: Differences::new(self.theory == Theory::Order),
            calls: Vec::new(),
        };
        self.is_new(&first.known);
        self.book.figures.states = 1;
        self.book.note_shape(&mut self.runner, Vec::new);
        self.book.end_level(&self.confirm, 0);
        let mut frontier = vec![first];
        for length in 1..=self.config.length {
            let mut next = Vec::new();
            for node in &frontier {
                if let Err(stop) = budget.check() {
                    self.book.stopped = Some(stop);
                    self.book.end_level(&self.confirm, length);
                    return Ok(());
                }
                self.book.tell(budget);
                for operation in 0..self.runner.subject.api.operations.len() {
                    self.expand(node, operation, &mut next)?;
                    if self.book.failure.is_some() {
                        self.book.end_level(&self.confirm, length);
                        return Ok(());
                    }
                }
            }
            self.book.end_level(&self.confirm, length);
            if next.is_empty() {
                break;
            }
            frontier = next;
        }
        Ok(())
    }

    /// All paths of an operation from a state.
    fn expand(&mut self, node: &Node, operation: usize, next: &mut Vec<Node>) -> Result<(), End> {
        let parameters = &self.runner.subject.api.operations[operation].parameters;
        // Parameters with listed values are tried value by value.
        let mut variants = vec![(node.known.clone(), Vec::new())];
        for parameter in parameters {
            match parameter {
                Parameter::Container | Parameter::Constant(_) => {}
                Parameter::Values(_) | Parameter::Given(..) | Parameter::Chosen(_) => {
                    let list = parameter.values(1).unwrap_or_default();
                    let list = &list;
                    let with = |(known, values): &(Differences, Vec<Value>), value: i64| {
                        let mut values = values.clone();
                        values.push(Value::Known(value));
                        (known.clone(), values)
                    };
                    variants = variants
                        .iter()
                        .flat_map(|variant| list.iter().map(move |value| with(variant, *value)))
                        .collect();
                }
                Parameter::Value { first } => {
                    let last = match self.theory {
                        Theory::Bounded => first + i64::from(self.config.values) - 1,
                        _ => first + (1 << 20),
                    };
                    for (known, values) in &mut variants {
                        values.push(Value::Variable(known.add_variable(*first, last)));
                    }
                }
            }
        }
        for (known, values) in variants {
            let known_values = values.iter().map(|value| match value {
                Value::Known(value) => *value,
                Value::Variable(_) => 0,
            });
            let of = &self.runner.subject.api.operations[operation];
            if !of.has_different_containers(known_values) {
                continue;
            }
            let call = SymbolicCall { operation, values };
            let mut decisions = Decisions::default();
            loop {
                self.path(node, &known, &call, &mut decisions, next)?;
                if self.book.failure.is_some() || !decisions.next() {
                    break;
                }
            }
        }
        Ok(())
    }

    /// One path of an operation.
    fn path(
        &mut self,
        node: &Node,
        known: &Differences,
        call: &SymbolicCall,
        decisions: &mut Decisions,
        next: &mut Vec<Node>,
    ) -> Result<(), End> {
        self.runner.restore(&node.state);
        self.book.figures.operations += 1;
        self.book.figures.paths += 1;
        let words: Vec<Word> = call
            .values
            .iter()
            .map(|value| match value {
                Value::Known(value) => Word::Known(*value as u64),
                Value::Variable(variable) => Word::Term(self.terms.make(*variable as u32, 0)),
            })
            .collect();
        let mut path = Path::new(known.clone(), &mut self.terms, decisions, self.theory);
        let result = self.runner.apply_words(call.operation, &words, &mut path);
        let Path { known, need, .. } = path;
        if let Some(need) = need {
            return Err(End::Need(need));
        }
        let mut calls = node.calls.clone();
        calls.push(call.clone());
        let is_infeasible =
            matches!(&result, Err(Wrong::Trap(parallax_machine::Trap::Infeasible, _)));
        if is_infeasible {
            return Ok(());
        }
        let has_news = self.runner.machine.coverage.has_news();
        let is_goal = counts_as_new(&mut self.runner, self.config.goal);
        if has_news {
            self.confirm_test(&known, &calls, is_goal)?;
        }
        if let Err(wrong) = result {
            return self.failed(&known, &calls, wrong);
        }
        let state = self.runner.save();
        if !self.is_new(&known) {
            self.book.figures.matched += 1;
            return Ok(());
        }
        if self.runner.subject.api.invariant.is_some() {
            self.check_invariant(&state, &known, &calls)?;
            self.runner.restore(&state);
        }
        self.book.figures.states += 1;
        let concrete = concrete(&known, &calls, self.first());
        if self.runner.subject.api.container.delete.is_some()
            && let (_, Some(wrong)) = self.ender.replay(&concrete)
        {
            return self.fail(concrete, wrong);
        }
        self.book.note_shape(&mut self.runner, || concrete);
        next.push(Node { state, known, calls });
        Ok(())
    }

    /// The invariant on all paths through it.
    fn check_invariant(
        &mut self,
        state: &State,
        known: &Differences,
        calls: &[SymbolicCall],
    ) -> Result<(), End> {
        let mut decisions = Decisions::default();
        loop {
            self.runner.restore(state);
            let mut path = Path::new(known.clone(), &mut self.terms, &mut decisions, self.theory);
            let result = self.runner.check(&mut path);
            let Path { known, need, .. } = path;
            if let Some(need) = need {
                return Err(End::Need(need));
            }
            match result {
                Err(Wrong::Trap(parallax_machine::Trap::Infeasible, _)) | Ok(()) => {}
                Err(wrong) => return self.failed(&known, calls, wrong),
            }
            if !decisions.next() {
                return Ok(());
            }
        }
    }

    fn first(&self) -> i64 {
        let operations = self.runner.subject.api.operations.iter();
        let firsts = operations.flat_map(|o| &o.parameters).filter_map(|p| match p {
            Parameter::Value { first } => Some(*first),
            _ => None,
        });
        firsts.max().unwrap_or(0)
    }

    /// Runs a sequence with values; keeps it if that covers something new.
    fn confirm_test(
        &mut self,
        known: &Differences,
        calls: &[SymbolicCall],
        is_goal: bool,
    ) -> Result<(), End> {
        let calls = concrete(known, calls, self.first());
        let (_, wrong) = self.confirm.perform(&calls);
        let is_new = counts_as_new(&mut self.confirm, self.config.goal);
        match wrong {
            Some(wrong) => self.fail(calls, wrong),
            None if is_new => {
                self.book.tests.push(Test { calls });
                Ok(())
            }
            None => {
                self.book.figures.unconfirmed += u64::from(is_goal);
                Ok(())
            }
        }
    }

    /// A symbolic failure counts if a run with values fails.
    fn failed(
        &mut self,
        known: &Differences,
        calls: &[SymbolicCall],
        wrong: Wrong,
    ) -> Result<(), End> {
        let calls = concrete(known, calls, self.first());
        if let Some(limit) = unsupported(&wrong, calls.clone()) {
            return Err(End::Unsupported(limit));
        }
        let (_, found) = self.ender.replay(&calls);
        match found {
            Some(wrong) => self.fail(calls, wrong),
            None => {
                self.book.figures.unconfirmed += 1;
                Ok(())
            }
        }
    }

    fn fail(&mut self, calls: Vec<Call>, wrong: Wrong) -> Result<(), End> {
        if let Some(limit) = unsupported(&wrong, calls.clone()) {
            return Err(End::Unsupported(limit));
        }
        self.book.failure = Some(Failure { calls, wrong });
        Ok(())
    }

    /// Whether the current state is in none that was seen.
    fn is_new(&mut self, known: &Differences) -> bool {
        if self.config.matching == Match::SymbolicShape {
            let key = self.runner.linearize(What::Shape);
            if self.seen.contains_key(&key.bytes[..]) {
                return false;
            }
            self.seen.insert(key.bytes.clone().into(), Vec::new());
            return true;
        }
        let linear = self.runner.linearize(What::Complete);
        let new = matrix(&self.terms, known, &linear.terms, self.theory);
        if !self.seen.contains_key(&linear.bytes[..]) {
            self.seen.insert(linear.bytes.clone().into(), vec![new]);
            return true;
        }
        let Some(old) = self.seen.get_mut(&linear.bytes[..]) else { return true };
        self.book.figures.implications += old.len() as u64;
        let within = |a: &Matrix, b: &Matrix| a.iter().zip(b).all(|(a, b)| a <= b);
        if old.iter().any(|old| within(&new, old)) {
            return false;
        }
        old.retain(|old| !within(old, &new));
        old.push(new);
        true
    }
}

/// What is known of the terms, the other variables eliminated.
fn matrix(terms: &Terms, known: &Differences, of: &[u32], theory: Theory) -> Matrix {
    let mut parts: Vec<(u32, i64)> = of.iter().map(|term| terms.get(*term)).collect();
    if theory != Theory::Order {
        parts.push((0, 0));
    }
    let mut bounds = Vec::with_capacity(parts.len() * parts.len());
    for (x, c) in &parts {
        for (y, d) in &parts {
            let bound = known.get(*x as usize, *y as usize);
            bounds.push(if bound >= NONE { NONE } else { bound + c - d });
        }
    }
    bounds.into()
}

/// The sequence with values that satisfy the path.
fn concrete(known: &Differences, calls: &[SymbolicCall], first: i64) -> Vec<Call> {
    let solution = known.solve(first);
    let value = |value: &Value| match value {
        Value::Known(value) => *value,
        Value::Variable(variable) => solution.get(variable - 1).copied().unwrap_or(first),
    };
    calls
        .iter()
        .map(|call| Call {
            operation: call.operation,
            values: call.values.iter().map(value).collect(),
        })
        .collect()
}
