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
//! condition is false on its face, and a *repetition*: one whose state is, term for
//! term, that of a node that is looked at, all of whose conditions are among its own.
//! The symbol of an input says how often it was chosen before on the way, so what two
//! processes choose has the same names whoever moves first.
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
//! the child repeats a node, the choice of the longer run satisfies the conditions on
//! the way to that node, whatever it takes for symbols that they do not mention; so a
//! run belongs to that node that ends in the same state, and that node was looked at.
//!
//! By 1 no run that belongs to a node that was looked at ends in a target, and
//! so no run does.
//!
//! If nodes name processes, the claim is another one: from the last state of a run that
//! belongs to a node that was looked at, no target is reached in `n` steps. By induction
//! on `n`, and for the same `n` on the height of the node in the tree. For `n = 0` this
//! is 1. If all move, or if one of the processes moves on the way to the target, such a
//! step can come first (`order.rs`); as above it leads to a node that was looked at, or
//! to a state that a run of one ends in, and the target is `n - 1` steps away. If none of
//! them moves on the way, 4 gives a step to a child that is looked at, which is lower,
//! with a target `n` steps away (`order.rs`). The run without steps belongs to the root.

use crate::order::Orders;
use crate::{Accepted, Rejected};
use parallax_base::{Budget, Id};
use parallax_evidence::Unrolling;
use parallax_ir::{Program, Property, Transition};
use parallax_solver::{Answer, Solver};
use parallax_term::{Substitution, Term, TermStore};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// A node to look at.
struct Node {
    number: u32,
    /// One term per variable.
    state: Rc<[Term]>,
    /// The conditions on the way to it, in order.
    conditions: Rc<[Term]>,
    /// How often each input was chosen on the way.
    chosen: Rc<BTreeMap<Term, u32>>,
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
    let is_asked = |part| store.vars(part).iter().all(|v| store.sort(*v).scalar().is_some());
    let parts = orders.steps.parts().map(|part| (part, is_asked(part))).collect();
    let mut walk = Walk {
        program,
        store,
        variables,
        transitions,
        solver,
        budget,
        target,
        orders,
        parts,
        movers,
        unrolling,
        conditions: FxHashMap::default(),
        met: FxHashMap::default(),
        symbols: FxHashMap::default(),
        held: Vec::new(),
    };
    let mut open: VecDeque<Node> = walk.root().into_iter().collect();
    let mut evaluated = 0;
    while let Some(node) = open.pop_front() {
        let child = |t| children.get(&(node.number, t)).copied();
        open.extend(walk.visit(&node, &child)?);
        evaluated += 1;
    }
    // What is left to ask is about all states.
    while walk.held.pop().is_some() {
        walk.solver.pop();
    }
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
    /// The parts of guards and target, and whether it is asked if they may hold: of
    /// those about arrays, which are large, it is not.
    parts: Vec<(Term, bool)>,
    /// The processes that move, by node; all where it has none.
    movers: FxHashMap<u32, &'a [u32]>,
    unrolling: &'a Unrolling,
    /// The condition of the step to each node that is looked at.
    conditions: FxHashMap<u32, Term>,
    /// The conditions on the way to nodes that are looked at, by state.
    met: FxHashMap<Rc<[Term]>, Vec<Rc<[Term]>>>,
    /// The symbol of an input that was chosen so often before.
    symbols: FxHashMap<(Term, u32), Term>,
    /// The nodes whose conditions the solver holds, from the root down.
    held: Vec<u32>,
}

impl Walk<'_> {
    /// The initial states: symbols of variables stand for their initial values.
    fn root(&mut self) -> Option<Node> {
        let mut state = self.variables.clone();
        for (value, fixed) in state.iter_mut().zip(&self.program.init.fixed) {
            if let Some(fixed) = fixed {
                *value = self.store.constant(fixed.clone());
            }
        }
        let initial = self.program.initial_formula(&mut self.store);
        let pairs = self.variables.iter().copied().zip(state.iter().copied());
        let condition = Substitution::new(pairs).apply(&mut self.store, initial);
        self.enter(0, condition, state, &[], Rc::default())
    }

    /// The node, if it is to be looked at: neither impossible nor a repetition.
    fn enter(
        &mut self,
        number: u32,
        condition: Term,
        state: Vec<Term>,
        above: &[Term],
        chosen: Rc<BTreeMap<Term, u32>>,
    ) -> Option<Node> {
        if self.store.is_false(condition) {
            return None;
        }
        let mut conditions = above.to_vec();
        match self.store.node(condition) {
            _ if self.store.is_true(condition) => {}
            parallax_term::Node::And(parts) => conditions.extend(parts.iter().copied()),
            _ => conditions.push(condition),
        }
        conditions.sort_unstable();
        conditions.dedup();
        let (state, conditions): (Rc<[Term]>, Rc<[Term]>) = (state.into(), conditions.into());
        let known = self.met.entry(Rc::clone(&state)).or_default();
        if known.iter().any(|other| is_part(other, &conditions)) {
            return None;
        }
        known.push(Rc::clone(&conditions));
        self.conditions.insert(number, condition);
        Some(Node { number, state, conditions, chosen })
    }

    /// The symbols for the inputs of transitions at a node.
    fn inputs(&mut self, node: &Node, transitions: &[usize]) -> Vec<(Term, Term)> {
        let mut found = Vec::new();
        for input in transitions.iter().flat_map(|&t| &self.transitions[t].inputs) {
            let often = node.chosen.get(&input.term).copied().unwrap_or(0);
            let store = &mut self.store;
            let fresh = || {
                let sort = store.sort(input.term);
                store.fresh("input", sort)
            };
            let symbol = *self.symbols.entry((input.term, often)).or_insert_with(fresh);
            found.push((input.term, symbol));
        }
        found
    }

    /// Refutes what must not happen at a node and returns what lies below it.
    fn visit(
        &mut self,
        node: &Node,
        child: &dyn Fn(u32) -> Option<u32>,
    ) -> Result<Vec<Node>, Rejected> {
        self.hold(node.number);
        let state = &node.state;
        let movers = self.movers.get(&node.number).copied();
        let group = self.orders.group(movers)?;
        let mut possible: Vec<usize> =
            (0..self.transitions.len()).filter(|&t| self.may_start(t, state)).collect();
        possible.retain(|&t| self.orders.moves(t, &group));
        let inputs = self.inputs(node, &possible);
        let values = self.variables.iter().copied().zip(state.iter().copied());
        let mut here = Substitution::new(values.chain(inputs));
        let target = here.apply(&mut self.store, self.target);
        self.refute(target, || Rejected::Target("a run of the tree ends in one".into()))?;
        let own = match movers {
            Some(_) => self.may_wait(&group, state, &mut here)?,
            None => None,
        };
        // Children in the order of their numbers: of two that are alike, the first
        // is looked at.
        let mut steps: Vec<(Option<u32>, usize)> =
            possible.into_iter().map(|t| (child(t as u32), t)).collect();
        steps.sort_unstable();
        let (mut below, mut ways) = (Vec::new(), Vec::new());
        for (number, index) in steps {
            let transition = &self.transitions[index];
            let bounds = transition.input_bounds(&mut self.store);
            let whole = [transition.guard, bounds].map(|f| here.apply(&mut self.store, f));
            let condition = self.store.and(whole);
            let Some(number) = number else {
                let name = transition.name.clone();
                let left = || Rejected::Step(format!("`{name}` leaves the tree"));
                self.refute(condition, left)?;
                continue;
            };
            let mut next = state.to_vec();
            for update in &transition.updates {
                next[update.variable.index()] = here.apply(&mut self.store, update.value);
            }
            let mut chosen = Rc::clone(&node.chosen);
            for input in &transition.inputs {
                *Rc::make_mut(&mut chosen).entry(input.term).or_default() += 1;
            }
            let entered = self.enter(number, condition, next, &node.conditions, chosen);
            let transition = &self.transitions[index];
            // Where a constraint decides, a guard does not say that a step is possible.
            if own.as_ref().is_some_and(|own| own.contains(&index))
                && entered.is_some()
                && self.store.is_true(transition.constraint)
            {
                let guard = transition.guard;
                ways.push(here.apply(&mut self.store, guard));
            }
            below.extend(entered);
        }
        if own.is_some() {
            let some = self.store.or(ways);
            let stuck = self.store.not(some);
            self.refute(stuck, || Rejected::Step("others are put off for ever".into()))?;
        }
        Ok(below)
    }

    /// Makes the solver hold the conditions on the way to a node.
    fn hold(&mut self, node: u32) {
        let mut way = vec![node];
        while let Some(step) = way.last().and_then(|n| n.checked_sub(1)) {
            way.push(self.unrolling.steps[step as usize].parent);
        }
        way.reverse();
        let same = self.held.iter().zip(&way).take_while(|(a, b)| a == b).count();
        while self.held.len() > same {
            self.held.pop();
            self.solver.pop();
        }
        for &node in &way[same..] {
            self.solver.push();
            if let Some(&condition) = self.conditions.get(&node) {
                self.solver.assert(&self.store, condition);
            }
            self.held.push(node);
        }
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
        let mut may = Vec::new();
        for &(part, is_asked) in &self.parts {
            let holds = !is_asked || {
                let part = here.apply(&mut self.store, part);
                !self.store.is_false(part)
            };
            may.push(holds);
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

/// Whether all of one list are in the other; both are in order.
fn is_part(one: &[Term], other: &[Term]) -> bool {
    let mut rest = other.iter();
    one.iter().all(|term| rest.any(|other| other == term))
}
