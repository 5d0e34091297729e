//! Checking unrollings: trees that claim to hold all runs.
//!
//! The tree is walked from the root. At each node the state is known as one
//! term per variable, over the initial values and the inputs chosen so far;
//! the conditions of the steps on the way are asserted. It is refuted there
//!
//! 1. that the state is a target;
//! 2. for each transition that has no child at the node, that it can be taken.
//!
//! Where a node names processes that move, the second is asked of their transitions
//! only, and moreover
//!
//! 3. the order of their next steps and of what others can do before them does not
//!    matter (`order.rs`);
//! 4. if the others alone may come to a target: some transition of those processes
//!    can be taken that has a child which is looked at.
//!
//! Two kinds of nodes are not looked at, nor what is below them: one whose
//! condition is false on its face, and one whose state is, term for term, that
//! of a node above it (a *repetition*).
//!
//! # Soundness
//! A run *belongs* to a node if the path to the node is the run's sequence of
//! transitions; its choice of initial state and inputs then satisfies all
//! conditions on the path, and gives the terms of the node the values of the
//! run's last state.
//!
//! Claim: for every run there is one that ends in the same state and belongs
//! to a node that was looked at. By induction on the length. The run without
//! steps belongs to the root. For a run `r` with one more step `t` take the
//! run for `r` and let it take `t` with the same inputs: its choice satisfies
//! the condition to take `t` at its node, so by 2 the node has a child for `t`,
//! and the longer run belongs to the child, since the terms of the child are
//! the updates over the terms of the node, with new symbols for the inputs. If
//! the child repeats the state of a node above it, the part of the run up to
//! that node ends in the same state, and that node was looked at.
//!
//! By 1 no run that belongs to a node that was looked at ends in a target, and
//! so no run does.
//!
//! If nodes name processes, the claim is another one: from the last state of a run that
//! belongs to a node that was looked at, no target is reached in `n` steps. By induction
//! on `n`, and for the same `n` on the height of the node in the tree. For `n = 0` this
//! is 1. If all move, or if one of the processes moves on the way to the target, such a
//! step can come first (`order.rs`); as above it leads to a node that was looked at, or
//! to a state of one, and the target is `n - 1` steps away. If none of them moves on the
//! way, 4 gives a step to a child, which is lower, with a target `n` steps away
//! (`order.rs`). The run without steps belongs to the root.

use crate::order::Orders;
use crate::{Accepted, Rejected};
use parallax_base::{Budget, Id};
use parallax_evidence::Unrolling;
use parallax_ir::{Program, Property, Transition};
use parallax_solver::{Answer, Solver};
use parallax_term::{Substitution, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// What is left to do.
enum Task {
    /// Look at a node: its number, the condition of the step to it, its state.
    Enter(u32, Term, Rc<[Term]>),
    /// Forget a node: its state, and whether it has a scope of the solver.
    Leave(Rc<[Term]>, bool),
}

/// Accepts the tree if it shows that no target of the property is reachable.
pub(crate) fn check(
    program: &Program,
    property: Id<Property>,
    unrolling: &Unrolling,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let mut store = program.store.clone();
    let transitions = program.transitions(&mut store);
    let children = children(unrolling, transitions.len())?;
    let before = solver.statistics().queries;
    let variables: Vec<Term> = program.variables.iter().map(|v| v.term).collect();
    let target = program.properties[property].target;
    let mut movers = FxHashMap::default();
    for (node, processes) in &unrolling.movers {
        if movers.insert(*node, &**processes).is_some() {
            return Err(Rejected::Malformed(format!("node {node} has movers twice")));
        }
    }
    let orders = Orders::new(program, &mut store, &transitions, target);
    let mut walk =
        Walk { program, store, variables, transitions, solver, budget, target, orders, movers };
    let mut tasks = vec![walk.root()];
    let mut above: FxHashSet<Rc<[Term]>> = FxHashSet::default();
    let mut evaluated = 0;
    while let Some(task) = tasks.pop() {
        let (node, condition, state) = match task {
            Task::Enter(node, condition, state) => (node, condition, state),
            Task::Leave(state, has_scope) => {
                above.remove(&state);
                if has_scope {
                    walk.solver.pop();
                }
                continue;
            }
        };
        if walk.store.is_false(condition) || !above.insert(state.clone()) {
            continue;
        }
        let has_scope = !walk.store.is_true(condition);
        if has_scope {
            walk.solver.push();
            walk.solver.assert(&walk.store, condition);
        }
        tasks.push(Task::Leave(state.clone(), has_scope));
        let child = |t| children.get(&(node, t)).copied();
        tasks.extend(walk.visit(node, &state, &above, &child)?);
        evaluated += 1;
    }
    // All scopes are closed: what is left to ask is about all states.
    walk.orders.settle(&mut walk.store, walk.solver, walk.budget)?;
    let queries = walk.solver.statistics().queries - before;
    Ok(Accepted { evaluated, queries, ..Accepted::default() })
}

/// The child of each node by each transition.
fn children(unrolling: &Unrolling, count: usize) -> Result<FxHashMap<(u32, u32), u32>, Rejected> {
    let mut found = FxHashMap::default();
    for (step, child) in unrolling.steps.iter().zip(1..) {
        if step.parent >= child {
            return Err(Rejected::Malformed(format!("node {child} comes before its parent")));
        }
        if step.transition as usize >= count {
            return Err(Rejected::Malformed(format!("node {child} has no transition")));
        }
        if found.insert((step.parent, step.transition), child).is_some() {
            return Err(Rejected::Malformed(format!("node {child} occurs twice")));
        }
    }
    Ok(found)
}

struct Walk<'a> {
    program: &'a Program,
    store: TermStore,
    variables: Vec<Term>,
    transitions: Vec<Transition>,
    solver: &'a mut dyn Solver,
    budget: &'a Budget,
    target: Term,
    orders: Orders<'a>,
    /// The processes that move, by node; all where it has none.
    movers: FxHashMap<u32, &'a [u32]>,
}

impl Walk<'_> {
    /// The initial states: symbols of variables stand for their initial values.
    fn root(&mut self) -> Task {
        let mut state = self.variables.clone();
        for (value, fixed) in state.iter_mut().zip(&self.program.init.fixed) {
            if let Some(fixed) = fixed {
                *value = self.store.constant(fixed.clone());
            }
        }
        let initial = self.program.initial_formula(&mut self.store);
        let pairs = self.variables.iter().copied().zip(state.iter().copied());
        let condition = Substitution::new(pairs).apply(&mut self.store, initial);
        Task::Enter(0, condition, state.into())
    }

    /// Refutes what must not happen at a node and returns what lies below it.
    fn visit(
        &mut self,
        node: u32,
        state: &[Term],
        above: &FxHashSet<Rc<[Term]>>,
        child: &dyn Fn(u32) -> Option<u32>,
    ) -> Result<Vec<Task>, Rejected> {
        let movers = self.movers.get(&node).copied();
        let group = self.orders.group(movers)?;
        let mut possible: Vec<usize> =
            (0..self.transitions.len()).filter(|&t| self.may_start(t, state)).collect();
        possible.retain(|&t| self.orders.moves(t, &group));
        let mut pairs: FxHashMap<Term, Term> =
            self.variables.iter().copied().zip(state.iter().copied()).collect();
        for input in possible.iter().flat_map(|&t| &self.transitions[t].inputs) {
            let store = &mut self.store;
            let sort = store.sort(input.term);
            pairs.entry(input.term).or_insert_with(|| store.fresh("input", sort));
        }
        let mut here = Substitution::new(pairs);
        let target = here.apply(&mut self.store, self.target);
        self.refute(target, || Rejected::Target("a run of the tree ends in one".into()))?;
        let own = match movers {
            Some(_) => self.may_wait(&group, state, &mut here)?,
            None => None,
        };
        let (mut below, mut ways) = (Vec::new(), Vec::new());
        for index in possible {
            let transition = &self.transitions[index];
            let bounds = transition.input_bounds(&mut self.store);
            let whole = [transition.guard, bounds].map(|f| here.apply(&mut self.store, f));
            let condition = self.store.and(whole);
            let Some(node) = child(index as u32) else {
                let name = transition.name.clone();
                let left = || Rejected::Step(format!("`{name}` leaves the tree"));
                self.refute(condition, left)?;
                continue;
            };
            let mut next = state.to_vec();
            for update in &transition.updates {
                next[update.variable.index()] = here.apply(&mut self.store, update.value);
            }
            let next: Rc<[Term]> = next.into();
            // Where a constraint decides, a guard does not say that a step is possible.
            if own.as_ref().is_some_and(|own| own.contains(&index))
                && !above.contains(&next)
                && self.store.is_true(transition.constraint)
            {
                let guard = transition.guard;
                ways.push(here.apply(&mut self.store, guard));
            }
            below.push(Task::Enter(node, condition, next));
        }
        if own.is_some() {
            let some = self.store.or(ways);
            let stuck = self.store.not(some);
            self.refute(stuck, || Rejected::Step("others are put off for ever".into()))?;
        }
        Ok(below)
    }

    /// What item 3 asks is noted; the steps of the processes if item 4 is asked.
    fn may_wait(
        &mut self,
        group: &[bool],
        state: &[Term],
        here: &mut Substitution,
    ) -> Result<Option<Box<[usize]>>, Rejected> {
        let control = |slot: usize| self.store.int_value(state[slot]).and_then(|i| i.to_i64());
        let locations = self.orders.locations(control)?;
        let parts: Vec<Term> = self.orders.steps.parts().collect();
        let mut may = Vec::new();
        for part in parts {
            let part = here.apply(&mut self.store, part);
            may.push(!self.store.is_false(part));
        }
        self.orders.may_wait((locations, may.into()), group)
    }

    /// False if a process that has to move is known to be elsewhere: the guard
    /// demands that each of them is at its source.
    fn may_start(&self, transition: usize, state: &[Term]) -> bool {
        self.transitions[transition].moves.iter().all(|part| {
            let control = self.program.processes[part.process].control;
            let at = self.store.int_value(state[control.index()]).and_then(|i| i.to_i64());
            at.is_none_or(|at| at == part.source.index() as i64)
        })
    }

    /// Accepts only a definite "cannot be satisfied".
    fn refute(&mut self, formula: Term, failed: impl FnOnce() -> Rejected) -> Result<(), Rejected> {
        self.budget.check()?;
        if self.store.is_false(formula) {
            return Ok(());
        }
        match self.solver.check(&self.store, &[formula], self.budget)? {
            Answer::Unsat => Ok(()),
            Answer::Sat => Err(failed()),
            Answer::Unknown(why) => Err(Rejected::GaveUp(why)),
        }
    }
}
