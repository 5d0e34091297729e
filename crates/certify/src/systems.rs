//! Checks answers about labelled transition systems.
//!
//! Every kind of evidence is looked up, never searched for:
//!
//! 1. A closed set of states holds the initial state and, with each state, its
//!    successors. So it holds all reachable states.
//! 2. Progress under fair choice: a fair run ends up in a terminal set, which is
//!    strongly connected and never left. If every reachable state has a way to a
//!    state that can do a wanted action, every terminal set has such a state and
//!    does the action, because it is not left. `END` and `ERROR` are not asked.
//!    A way into *quiet* states, which are closed and never do the condition,
//!    puts the whole terminal set among them.
//! 3. A relation is a weak simulation if every step on the left has a weak
//!    answer on the right that leads back into it. It is a matter of looking up
//!    the answers, which are computed here by their definition.
//! 4. A counterexample graph is a strategy: in each node the left takes a step
//!    that it has, and for every weak answer of the right there is a node to go
//!    on from. Children have larger numbers, so the strategy ends, and it ends
//!    where the right has no answer.
//! 5. Relations of many pairs, and formulas: see `blocks.rs`.
//! 6. Formulas under fair choice: see `fair.rs`.
//! 7. Sets: all states of a set are reached on the right by the trace that
//!    leads to the state on the left. If every step finds a set that is not
//!    empty, the right has every trace of the left.

use crate::weak::Arrows;
use crate::{Accepted, Rejected, blocks, fair};
use parallax_base::Budget;
use parallax_evidence::{SystemEvidence, SystemQuestion};
use parallax_lts::{Action, CeDag, Edge, Lts, ProgressCheck, ProgressRanks, StateId, TAU};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Accepts the evidence if it answers the question: with yes or no, as
/// [`SystemEvidence::holds`] says.
///
/// # Errors
/// Why the evidence is not accepted.
pub fn check_system(
    lts: &Lts,
    question: SystemQuestion<'_>,
    evidence: &SystemEvidence,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    if lts.state_count() == 0 {
        return Err(Rejected::Malformed("a system without states".into()));
    }
    let evaluated = match (question, evidence) {
        (SystemQuestion::NoError, SystemEvidence::Closed(states)) => {
            closed(lts, states, |state| lts.error() == Some(state))?
        }
        (SystemQuestion::NoDeadlock, SystemEvidence::Closed(states)) => {
            closed(lts, states, |state| is_stuck(lts, state))?
        }
        (SystemQuestion::NoError, SystemEvidence::Path(path)) => {
            let end = walk(lts, path)?;
            require(lts.error() == Some(end), || "the path does not end in ERROR")?;
            path.len()
        }
        (SystemQuestion::NoDeadlock, SystemEvidence::Path(path)) => {
            let end = walk(lts, path)?;
            require(is_stuck(lts, end), || "the path does not end in a deadlock")?;
            path.len()
        }
        (SystemQuestion::Progress(property), SystemEvidence::Ranked(ranks)) => {
            ranked(lts, property, ranks)?
        }
        (SystemQuestion::Progress(property), SystemEvidence::Terminal { path, states }) => {
            terminal(lts, property, path, states)?
        }
        (SystemQuestion::SimulatedBy(right), SystemEvidence::Relation(pairs)) => {
            relation(lts, right, pairs, budget)?
        }
        (SystemQuestion::SimulatedBy(right), SystemEvidence::Differs(dag)) => {
            strategy(lts, right, dag, budget)?
        }
        (SystemQuestion::SimulatedBy(right), SystemEvidence::Blocks(proof)) => {
            blocks::related(lts, right, proof, budget)?
        }
        (SystemQuestion::SimulatedBy(right), SystemEvidence::Distinguished(formula)) => {
            blocks::distinguished(lts, right, formula, budget)?
        }
        (SystemQuestion::Assertion(assertion), SystemEvidence::Fair(proof)) => {
            fair::check(lts, assertion, proof, budget)?
        }
        (SystemQuestion::Assertion(assertion), SystemEvidence::Run { path, cycle }) => {
            fair::violates(lts, assertion, path, cycle)?
        }
        (SystemQuestion::TracesOf(right), SystemEvidence::Sets { pairs, sets }) => {
            simulation_by_sets(lts, right, pairs, sets, budget)?
        }
        (SystemQuestion::TracesOf(right), SystemEvidence::Trace(path)) => {
            foreign_trace(lts, right, path)?
        }
        _ => return Err(crate::confused()),
    };
    Ok(Accepted { evaluated: evaluated as u64, ..Accepted::default() })
}

/// Fails with a remark about a target.
fn require<T: Into<String>>(fine: bool, what: impl FnOnce() -> T) -> Result<(), Rejected> {
    if fine { Ok(()) } else { Err(Rejected::Target(what().into())) }
}

/// A state that can do nothing although it has not ended.
fn is_stuck(lts: &Lts, state: StateId) -> bool {
    lts.edges(state).is_empty() && lts.end() != Some(state) && lts.error() != Some(state)
}

/// The states as a set, if they are states, hold the initial one and are
/// closed under steps.
fn successors_inside(lts: &Lts, states: &[StateId]) -> Result<FxHashSet<StateId>, Rejected> {
    let set: FxHashSet<StateId> = states.iter().copied().collect();
    for &state in states {
        if state as usize >= lts.state_count() {
            return Err(Rejected::Malformed("a state that does not exist".into()));
        }
        if let Some(edge) = lts.edges(state).iter().find(|edge| !set.contains(&edge.target)) {
            let label = lts.label(edge.action);
            return Err(Rejected::Step(format!("`{label}` from state {state} leads outside")));
        }
    }
    Ok(set)
}

fn closed(
    lts: &Lts,
    states: &[StateId],
    is_wrong: impl Fn(StateId) -> bool,
) -> Result<usize, Rejected> {
    let set = successors_inside(lts, states)?;
    if !set.contains(&lts.initial()) {
        return Err(Rejected::Initial("the initial state is not among the states".into()));
    }
    let wrong = states.iter().find(|&&state| is_wrong(state));
    require(wrong.is_none(), || "the states hold one that the property forbids")?;
    Ok(states.len())
}

/// Where a path leads, if the system has it.
pub(crate) fn walk(lts: &Lts, path: &[Edge]) -> Result<StateId, Rejected> {
    let mut at = lts.initial();
    for (number, edge) in path.iter().enumerate() {
        if lts.edges(at).binary_search(edge).is_err() {
            return Err(Rejected::Step(format!("step {} is not possible", number + 1)));
        }
        at = edge.target;
    }
    Ok(at)
}

fn numbers(lts: &Lts, labels: &[String]) -> BTreeSet<Action> {
    labels.iter().filter_map(|label| lts.find_action(label)).collect()
}

fn ranked(lts: &Lts, property: &ProgressCheck, proof: &ProgressRanks) -> Result<usize, Rejected> {
    let states: Vec<StateId> = proof.ranks.iter().map(|&(state, _)| state).collect();
    let all = successors_inside(lts, &states)?;
    if !all.contains(&lts.initial()) {
        return Err(Rejected::Initial("the initial state is not among the states".into()));
    }
    let quiet = successors_inside(lts, &proof.quiet)?;
    match &property.condition {
        None if !quiet.is_empty() => {
            return Err(Rejected::Malformed("quiet states without a condition".into()));
        }
        None => {}
        Some(condition) => {
            let condition = numbers(lts, condition);
            let is_loud = |&&state: &&StateId| {
                lts.edges(state).iter().any(|edge| condition.contains(&edge.action))
            };
            require(
                !proof.quiet.iter().any(|state| is_loud(&state)),
                || "a quiet state does the condition",
            )?;
        }
    }
    let wanted = numbers(lts, &property.actions);
    let rank: FxHashMap<StateId, u32> = proof.ranks.iter().copied().collect();
    for &(state, own) in &proof.ranks {
        let fulfilled = lts.end() == Some(state)
            || lts.error() == Some(state)
            || quiet.contains(&state)
            || lts.edges(state).iter().any(|edge| wanted.contains(&edge.action));
        let nearer = |edge: &Edge| rank.get(&edge.target).is_some_and(|&next| next < own);
        if !fulfilled && !lts.edges(state).iter().any(nearer) {
            return Err(Rejected::Step(format!("no way on from state {state}")));
        }
    }
    Ok(proof.ranks.len())
}

fn terminal(
    lts: &Lts,
    property: &ProgressCheck,
    path: &[Edge],
    states: &[StateId],
) -> Result<usize, Rejected> {
    let end = walk(lts, path)?;
    let set = successors_inside(lts, states)?;
    require(set.contains(&end), || "the path does not lead into the set")?;
    let special = |state: &StateId| lts.end() == Some(*state) || lts.error() == Some(*state);
    require(!states.iter().any(special), || "the set holds END or ERROR")?;
    let done: BTreeSet<Action> =
        states.iter().flat_map(|&s| lts.edges(s)).map(|edge| edge.action).collect();
    let does = |labels: &[String]| numbers(lts, labels).iter().any(|a| done.contains(a));
    require(!does(&property.actions), || "progress is made in the set")?;
    if let Some(condition) = &property.condition {
        // The condition happens for ever only if the set is connected.
        require(does(condition), || "the condition never happens in the set")?;
        require(is_connected(lts, &set, end), || "the set is not strongly connected")?;
    }
    Ok(path.len() + states.len())
}

/// Whether each state of a closed set leads to each other.
fn is_connected(lts: &Lts, set: &FxHashSet<StateId>, from: StateId) -> bool {
    let mut back: FxHashMap<StateId, Vec<StateId>> = FxHashMap::default();
    let mut seen = FxHashSet::from_iter([from]);
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        for edge in lts.edges(state) {
            back.entry(edge.target).or_default().push(state);
            if seen.insert(edge.target) {
                open.push(edge.target);
            }
        }
    }
    let mut returned = FxHashSet::from_iter([from]);
    let mut open = vec![from];
    while let Some(state) = open.pop() {
        for &earlier in back.get(&state).map_or(&[][..], |list| list) {
            if returned.insert(earlier) {
                open.push(earlier);
            }
        }
    }
    seen.len() == set.len() && returned.len() == set.len()
}

fn label(lts: &Lts, action: Action) -> Option<&str> {
    (action != TAU).then(|| lts.label(action))
}

fn relation(
    left: &Lts,
    right: &Lts,
    pairs: &[(StateId, StateId)],
    budget: &Budget,
) -> Result<usize, Rejected> {
    let related: FxHashSet<(StateId, StateId)> = pairs.iter().copied().collect();
    if !related.contains(&(left.initial(), right.initial())) {
        return Err(Rejected::Initial("the initial states are not related".into()));
    }
    let mut arrows = Arrows::new(right);
    for &(p, q) in pairs {
        budget.check()?;
        if p as usize >= left.state_count() || q as usize >= right.state_count() {
            return Err(Rejected::Malformed("a pair of states that do not exist".into()));
        }
        for edge in left.edges(p) {
            let label = label(left, edge.action);
            let answers = arrows.weak(q, label);
            if !answers.iter().any(|&answer| related.contains(&(edge.target, answer))) {
                let label = label.unwrap_or("tau");
                return Err(Rejected::Step(format!("`{label}` from ({p}, {q}) is not matched")));
            }
        }
    }
    Ok(pairs.len())
}

fn strategy(left: &Lts, right: &Lts, dag: &CeDag, budget: &Budget) -> Result<usize, Rejected> {
    let root = dag.nodes.first().map(|node| (node.left, node.right));
    if root != Some((left.initial(), right.initial())) {
        return Err(Rejected::Initial("the graph does not begin in the initial states".into()));
    }
    let mut arrows = Arrows::new(right);
    for (number, node) in dag.nodes.iter().enumerate() {
        budget.check()?;
        let exists = (node.left as usize) < left.state_count()
            && (node.right as usize) < right.state_count()
            && (node.action as usize) < left.labels().len();
        if !exists || node.children.iter().any(|&c| c <= number || c >= dag.nodes.len()) {
            return Err(Rejected::Malformed(format!("node {number} fits no system")));
        }
        let edge = Edge { action: node.action, target: node.target };
        if left.edges(node.left).binary_search(&edge).is_err() {
            return Err(Rejected::Step(format!("the step of node {number} is not possible")));
        }
        answered(dag, number, &arrows.weak(node.right, label(left, node.action)), |child| {
            dag.nodes[child].left == node.target
        })?;
    }
    Ok(dag.nodes.len())
}

/// Accepts a node of a counterexample if there is a child for every answer of
/// the specification.
pub(crate) fn answered(
    dag: &CeDag,
    number: usize,
    answers: &[StateId],
    goes_on: impl Fn(usize) -> bool,
) -> Result<(), Rejected> {
    for &answer in answers {
        let fits = |&child: &usize| dag.nodes[child].right == answer && goes_on(child);
        if !dag.nodes[number].children.iter().any(fits) {
            let why = format!("node {number}: the specification can answer with state {answer}");
            return Err(Rejected::Target(why));
        }
    }
    Ok(())
}

fn simulation_by_sets(
    left: &Lts,
    right: &Lts,
    pairs: &[(StateId, u32)],
    sets: &[Vec<StateId>],
    budget: &Budget,
) -> Result<usize, Rejected> {
    let exists = |&q: &StateId| (q as usize) < right.state_count();
    if !sets.iter().all(|set| !set.is_empty() && set.iter().all(exists)) {
        return Err(Rejected::Malformed("a set is empty or holds what is no state".into()));
    }
    let mut by_state: FxHashMap<StateId, Vec<u32>> = FxHashMap::default();
    for &(state, set) in pairs {
        if state as usize >= left.state_count() || set as usize >= sets.len() {
            return Err(Rejected::Malformed("a pair that does not exist".into()));
        }
        by_state.entry(state).or_default().push(set);
    }
    let arrows = Arrows::new(right);
    let known = |state: StateId, reached: &BTreeSet<StateId>| {
        let within = |&set: &u32| sets[set as usize].iter().all(|q| reached.contains(q));
        by_state.get(&state).is_some_and(|list| list.iter().any(within))
    };
    if !known(left.initial(), &arrows.silent(BTreeSet::from([right.initial()]))) {
        return Err(Rejected::Initial("the initial state has no set".into()));
    }
    let mut after: FxHashMap<(u32, Action), BTreeSet<StateId>> = FxHashMap::default();
    for &(state, set) in pairs {
        budget.check()?;
        for edge in left.edges(state) {
            let reached = after.entry((set, edge.action)).or_insert_with(|| {
                let own = arrows.silent(sets[set as usize].iter().copied().collect());
                match label(left, edge.action) {
                    None => own,
                    Some(label) => right
                        .find_action(label)
                        .map_or_else(BTreeSet::new, |action| arrows.after(&own, action)),
                }
            });
            if !known(edge.target, reached) {
                let label = left.label(edge.action);
                return Err(Rejected::Step(format!("`{label}` from state {state} has no set")));
            }
        }
    }
    Ok(pairs.len())
}

fn foreign_trace(left: &Lts, right: &Lts, path: &[Edge]) -> Result<usize, Rejected> {
    walk(left, path)?;
    let arrows = Arrows::new(right);
    let mut reached = arrows.silent(BTreeSet::from([right.initial()]));
    for label in path.iter().filter_map(|edge| label(left, edge.action)) {
        reached = right
            .find_action(label)
            .map_or_else(BTreeSet::new, |action| arrows.after(&reached, action));
    }
    require(reached.is_empty(), || "the specification has this trace")?;
    Ok(path.len())
}
