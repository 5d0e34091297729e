//! Nodes of a search: concrete points where possible, symbolic sets else.
//!
//! A point costs no solver call: guards, updates, predicates and the target
//! are evaluated. A step with an unbounded input leaves the points; the result
//! is split so that every symbolic state decides every predicate and every
//! explicit value (Albarghouthi 2010, Fig. 4.4, by AllSAT).

use crate::symbolic::Symbolic;
use crate::work::Work;
use parallax_domain::{Bits, Cube, Query, state_of};
use parallax_evidence::Why;
use parallax_ir::{Choices, State};
use parallax_solver::Halt;
use parallax_term::{Substitution, Term, Value};

/// Up to this many input choices of one step are tried one by one.
const CHOICE_LIMIT: usize = 256;

/// A state of a search.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node {
    Point(State),
    Symbolic(Symbolic),
}

/// A node that a step leads to.
#[derive(Clone, Debug)]
pub(crate) struct Successor {
    pub(crate) node: Node,
    pub(crate) cube: Cube,
    /// The inputs chosen, when the successor is a point.
    pub(crate) inputs: Vec<Value>,
}

/// Why a question stays open where a search was halted.
pub(crate) fn why(halt: Halt) -> Why {
    match halt {
        Halt::Stop(stop) => Why::Stopped(stop),
        Halt::GaveUp(what) => Why::SolverGaveUp(what),
    }
}

impl Work<'_> {
    /// The initial nodes.
    pub(crate) fn initial_nodes(&mut self) -> Result<Vec<Successor>, Halt> {
        if self.interpreter.has_listable_initial_states() {
            let states = self.interpreter.initial_states();
            return Ok(states.into_iter().map(|state| self.point(state, Vec::new())).collect());
        }
        let mut values = Vec::new();
        let mut pairs = Vec::new();
        let mut path = Vec::new();
        for (slot, fixed) in self.program.init.fixed.iter().enumerate() {
            let variable = &self.program.variables.as_slice()[slot];
            let value = match fixed {
                Some(value) => self.store.constant(value.clone()),
                None => {
                    let value = self.store.fresh(&variable.name, variable.domain.sort());
                    path.push(variable.domain.constraint(&mut self.store, value));
                    value
                }
            };
            values.push(value);
            pairs.push((variable.term, value));
        }
        let predicate = self.program.init.predicate;
        path.push(Substitution::new(pairs).apply(&mut self.store, predicate));
        self.split(values, path)
    }

    fn point(&mut self, state: State, inputs: Vec<Value>) -> Successor {
        let cube = self.cube(&state);
        Successor { node: Node::Point(state), cube, inputs }
    }

    /// The transitions that might be enabled at an abstract state, in order.
    pub(crate) fn candidates(&mut self, node: &Node, cube: &Cube) -> Vec<usize> {
        match node {
            Node::Point(state) => self.interpreter.candidates(state),
            Node::Symbolic(_) => {
                let starts = |t: &usize| self.post.starts_at(self.rules_of[*t][0], cube);
                (0..self.transitions.len()).filter(starts).collect()
            }
        }
    }

    /// All successors of a node by one transition; none if it is disabled.
    pub(crate) fn fire(
        &mut self,
        node: &Node,
        cube: &Cube,
        transition: usize,
    ) -> Result<Vec<Successor>, Halt> {
        match node {
            Node::Point(state) => {
                if !self.interpreter.is_enabled(state, transition) {
                    return Ok(Vec::new());
                }
                match self.interpreter.choices(state, transition, CHOICE_LIMIT) {
                    Choices::All(all) => {
                        let mut found = Vec::with_capacity(all.len());
                        for inputs in all {
                            let next = self.interpreter.fire(state, transition, &inputs);
                            found.push(self.point(next, inputs));
                        }
                        Ok(found)
                    }
                    Choices::TooMany => {
                        let values: Vec<Term> =
                            state.iter().map(|v| self.store.constant(v.clone())).collect();
                        self.execute(
                            &Symbolic { values: values.into(), path: [].into() },
                            transition,
                        )
                    }
                }
            }
            Node::Symbolic(symbolic) => {
                let mut from = self.residual(cube);
                let guard = from.simplify(&mut self.store, self.guards[transition]);
                if self.store.is_false(guard) {
                    return Ok(Vec::new());
                }
                self.execute(symbolic, transition)
            }
        }
    }

    /// Symbolic execution of one transition, split by predicates.
    fn execute(&mut self, from: &Symbolic, transition: usize) -> Result<Vec<Successor>, Halt> {
        let mut found = Vec::new();
        for index in self.rules_of[transition].clone() {
            let rule = self.post.rules()[index].clone();
            let mut at = from.at(self);
            let mut path = from.path.to_vec();
            path.push(at.apply(&mut self.store, rule.guard));
            let inputs = rule.step.fresh_inputs(&mut self.store);
            let mut here = state_of(&self.variables, &from.values, &rule.step, &inputs);
            path.push(here.apply(&mut self.store, rule.input_bounds));
            let values = rule.step.image(&mut self.store, &mut here, &from.values);
            found.extend(self.split(values, path)?);
        }
        Ok(found)
    }

    /// Splits a set of states by everything an abstract state decides.
    fn split(&mut self, values: Vec<Term>, path: Vec<Term>) -> Result<Vec<Successor>, Halt> {
        let whole = self.store.and(path);
        if self.store.is_false(whole) {
            return Ok(Vec::new());
        }
        let mut at = Substitution::new(self.variables.iter().copied().zip(values.iter().copied()));
        let explicit: Vec<Term> =
            self.partition().explicit.iter().map(|&slot| values[slot]).collect();
        let atoms: Vec<Term> = self.predicates.atoms().to_vec();
        let bits: Vec<Term> = atoms.iter().map(|&atom| at.apply(&mut self.store, atom)).collect();
        let mut open: Vec<Term> = explicit.iter().chain(&bits).copied().collect();
        open.retain(|&t| self.store.value(t).is_none());
        open.sort_unstable();
        open.dedup();
        let mut found = Vec::new();
        for minterm in self.minterms(whole, &open)? {
            let value = |t: Term| match open.binary_search(&t) {
                Ok(i) => minterm[i].clone(),
                Err(_) => self.store.value(t).cloned().unwrap_or(Value::Bool(false)),
            };
            let cube = Cube {
                explicit: explicit.iter().map(|&t| value(t)).collect(),
                bits: Bits::new(bits.iter().map(|&t| value(t) == Value::Bool(true))),
            };
            let mut path = vec![whole];
            for (&term, value) in open.iter().zip(&minterm) {
                let value = self.store.constant(value.clone());
                path.push(self.store.eq(term, value));
            }
            let path = self.store.and(path);
            let path = self.conjuncts(path);
            let mut values = values.clone();
            for (&slot, value) in self.post.partition().explicit.iter().zip(&cube.explicit) {
                values[slot] = self.store.constant(value.clone());
            }
            let symbolic = Symbolic::new(self, values, path)?;
            let node = match symbolic.as_point(&self.store) {
                // Without inputs recorded, the trace is found by `solve_path`.
                Some(state) => Node::Point(state),
                None => Node::Symbolic(symbolic),
            };
            found.push(Successor { node, cube, inputs: Vec::new() });
        }
        Ok(found)
    }

    fn conjuncts(&self, formula: Term) -> Vec<Term> {
        match self.store.node(formula) {
            parallax_term::Node::And(items) => items.to_vec(),
            _ => vec![formula],
        }
    }

    /// All combinations of values that `open` takes where `whole` holds.
    fn minterms(&mut self, whole: Term, open: &[Term]) -> Result<Vec<Vec<Value>>, Halt> {
        let mut symbols: Vec<Term> = self.store.vars(whole);
        symbols.extend(open.iter().flat_map(|&t| self.store.vars(t)));
        symbols.sort_unstable();
        symbols.dedup();
        if symbols.is_empty() {
            return Ok(vec![Vec::new()]);
        }
        let (store, solver) = (&mut self.store, self.oracle.solver());
        let mut query = Query { store, solver, budget: self.budget };
        let mut found = Vec::new();
        query.solver.push();
        query.assert(whole);
        let ended = query.combinations(open, &symbols, None, &mut |values| {
            found.push(values);
            true
        });
        query.solver.pop();
        // The order must not depend on the solver.
        found.sort_unstable();
        ended?;
        Ok(found)
    }

    /// Whether a node is (all) target: its abstract state decides.
    pub(crate) fn is_target_node(&mut self, node: &Node, cube: &Cube) -> bool {
        match node {
            Node::Point(state) => self.is_target(state),
            Node::Symbolic(_) => {
                let mut from = self.residual(cube);
                let decided = from.simplify(&mut self.store, self.target);
                self.store.is_true(decided)
            }
        }
    }

    /// Whether no state of an abstract state is a target.
    pub(crate) fn excludes_target(&mut self, cube: &Cube) -> Result<bool, Halt> {
        let mut from = self.residual(cube);
        let target = from.simplify(&mut self.store, self.target);
        let (_, cx) = self.post();
        let free = cx.store.not(target);
        Ok(cx.oracle.implies(cx.store, &from.literals, free, cx.budget)? == Some(true))
    }
}
