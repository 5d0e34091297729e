//! Whether a step can be taken: by the concrete run at hand, or by the solver.

use super::search::{Open, Search};
use super::tree::{Choice, NodeId};
use parallax_engine::follow;
use parallax_evidence::Trace;
use parallax_ir::{Input, State};
use parallax_solver::Answer;
use parallax_solver::Halt;
use parallax_term::{Bv, Sort, Term, TermStore, Value};
use std::collections::BTreeMap;

/// What the solver says about a step or a target.
pub(super) enum Said {
    /// No run does that.
    No,
    /// The solver does not know.
    Maybe(String),
    /// A run does; it is missing if its values cannot be written down.
    Yes(Option<Trace>),
}

/// What a run found by the solver means for a new node.
pub(super) fn whole(trace: Option<Trace>) -> (Choice, Option<State>) {
    let Some(trace) = trace else { return (Choice::Missing, None) };
    let last = trace.last().clone();
    let inputs = trace.steps.into_iter().map(|step| step.inputs).collect();
    (Choice::Whole(trace.initial, inputs), Some(last))
}

/// Values that are tried for inputs before the solver is asked.
#[derive(Clone, Copy)]
enum Guess {
    Number(u8),
    Low,
    High,
}

const GUESSES: [Guess; 4] = [Guess::Number(0), Guess::Number(1), Guess::Low, Guess::High];

impl Guess {
    fn value(self, store: &TermStore, input: &Input) -> Value {
        let bound = match self {
            Guess::Number(_) => None,
            Guess::Low => input.low,
            Guess::High => input.high,
        };
        if let Some(value) = bound.and_then(|term| store.value(term)) {
            return value.clone();
        }
        match (self, store.sort(input.term)) {
            (Guess::Number(n), Sort::Int) => Value::int(n.into()),
            (Guess::Number(n), Sort::Bool) => Value::Bool(n == 1),
            (Guess::Number(n), Sort::Bv(width)) => Value::Bv(Bv::new(width, n.into())),
            (_, sort) => Value::default_of(sort),
        }
    }
}

impl Search<'_> {
    /// The symbols that stand for the inputs of a transition, behind a way on which
    /// inputs were chosen so often: names that do not depend on the order of steps.
    pub(super) fn input_symbols(
        &mut self,
        transition: usize,
        chosen: &BTreeMap<Term, u32>,
    ) -> Vec<(Term, Term)> {
        let (store, inputs) = (&mut self.store, &mut self.inputs);
        let symbol = |input: &Input| {
            let sort = store.sort(input.term);
            let fresh = || store.fresh(&input.name, sort);
            let often = chosen.get(&input.term).copied().unwrap_or(0);
            (input.term, *inputs.entry((input.term, often)).or_insert_with(fresh))
        };
        self.transitions[transition].inputs.iter().map(symbol).collect()
    }

    /// How the concrete run to a node goes on by a transition, if it can and
    /// inputs are easily guessed.
    pub(super) fn continued(&mut self, open: &Open, index: usize) -> Option<(Vec<Value>, State)> {
        let state = open.witness.as_ref()?;
        if !self.interpreter.is_enabled(state, index) {
            return None;
        }
        let tries = if self.transitions[index].inputs.is_empty() { 1 } else { GUESSES.len() };
        GUESSES[..tries].iter().find_map(|guess| {
            let inputs = self.transitions[index].inputs.iter();
            let inputs: Vec<Value> = inputs.map(|i| guess.value(&self.store, i)).collect();
            let next = self.interpreter.step(state, index, &inputs)?;
            Some((inputs, next))
        })
    }

    /// Whether some run to a node satisfies a formula over its symbols; if a
    /// transition is given, the formula says that it is taken there, and the
    /// run takes it.
    pub(super) fn ask(
        &mut self,
        node: NodeId,
        formula: Term,
        transition: Option<usize>,
    ) -> Result<Said, Halt> {
        self.move_to(node);
        match self.solver.check(&self.store, &[formula], self.budget)? {
            Answer::Unsat => return Ok(Said::No),
            Answer::Unknown(why) => return Ok(Said::Maybe(why)),
            Answer::Sat => {}
        }
        let mut path = self.tree.path(node);
        path.extend(transition);
        let mut chosen = BTreeMap::new();
        let mut steps: Vec<Vec<Term>> = Vec::new();
        for transition in path.iter().copied() {
            let symbols = self.input_symbols(transition, &chosen);
            steps.push(symbols.into_iter().map(|pair| pair.1).collect());
            for input in &self.transitions[transition].inputs {
                *chosen.entry(input.term).or_default() += 1;
            }
        }
        let mut symbols = self.variables.clone();
        symbols.extend(steps.iter().flatten());
        let Some(model) = self.solver.model(&self.store, &symbols) else {
            return Ok(Said::Yes(None));
        };
        let value = |symbol: &Term| model.value_of(&self.store, *symbol);
        let fixed = self.program.init.fixed.iter().zip(&self.variables);
        let initial = fixed.map(|(fixed, v)| fixed.clone().unwrap_or_else(|| value(v)));
        let initial = State::new(initial.collect::<Vec<_>>());
        let inputs: Vec<Vec<Value>> =
            steps.iter().map(|step| step.iter().map(value).collect()).collect();
        Ok(Said::Yes(follow(&mut self.interpreter, initial, &path, inputs)))
    }

    /// Makes the solver hold the conditions on the way to a node.
    fn move_to(&mut self, node: NodeId) {
        let is_held = |id: NodeId| self.asserted.get(self.tree.depth(id) as usize) == Some(&id);
        let mut missing: Vec<NodeId> =
            self.tree.upward(node).take_while(|&id| !is_held(id)).collect();
        let kept = self.tree.depth(node) as usize + 1 - missing.len();
        while self.asserted.len() > kept {
            self.asserted.pop();
            self.solver.pop();
        }
        while let Some(id) = missing.pop() {
            self.solver.push();
            self.solver.assert(&self.store, self.tree.condition(id));
            self.asserted.push(id);
        }
    }
}
