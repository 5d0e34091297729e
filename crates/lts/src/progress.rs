//! Progress under fair choice: what happens again and again.
//!
//! A fair run ends up in a terminal set of states: a strongly connected
//! component that is never left. A property `{a, b}` holds if every terminal
//! set does `a` or `b`; `if A then B` if every terminal set that does one of
//! `A` does one of `B`. A deadlock is a terminal set that does nothing. `END`
//! and `ERROR` are not looked at here.

use crate::check::Tree;
use crate::system::{Action, Edge, Lts, StateId};
use std::collections::{BTreeSet, VecDeque};

/// A progress property.
#[derive(Clone, Debug)]
pub struct ProgressCheck {
    /// Its name.
    pub name: String,
    /// `if` these, for the conditional form.
    pub condition: Option<Vec<String>>,
    /// One of these happens again and again.
    pub actions: Vec<String>,
}

/// A terminal set in which a property fails.
#[derive(Clone, Debug)]
pub struct ProgressViolation {
    /// The property.
    pub name: String,
    /// A shortest way into the set.
    pub trace: Vec<Action>,
    /// A state of the set, where the trace ends.
    pub state: StateId,
    /// The set.
    pub states: Vec<StateId>,
    /// The actions that happen in the set.
    pub actions: Vec<Action>,
}

/// The strongly connected components by Tarjan's algorithm, without recursion:
/// the component of every state and their number. Components are numbered in
/// reverse topological order.
pub fn components(lts: &Lts) -> (Vec<StateId>, usize) {
    components_by(lts, |_| true)
}

/// The components of the graph of some edges only.
pub(crate) fn components_by(lts: &Lts, counts: impl Fn(&Edge) -> bool) -> (Vec<StateId>, usize) {
    const NONE: u32 = u32::MAX;
    let size = lts.state_count();
    let mut index = vec![NONE; size];
    let mut low = vec![0; size];
    let mut component = vec![NONE; size];
    let (mut stack, mut work) = (Vec::new(), Vec::new());
    let (mut clock, mut count) = (0, 0);
    for root in lts.states() {
        if index[root as usize] != NONE {
            continue;
        }
        work.push((root, 0usize));
        while let Some((state, at)) = work.pop() {
            let s = state as usize;
            if at == 0 {
                index[s] = clock;
                low[s] = clock;
                clock += 1;
                stack.push(state);
            }
            let mut deeper = None;
            for (place, edge) in lts.edges(state).iter().enumerate().skip(at) {
                let t = edge.target as usize;
                if !counts(edge) {
                    continue;
                }
                if index[t] == NONE {
                    deeper = Some((place + 1, edge.target));
                    break;
                }
                if component[t] == NONE {
                    low[s] = low[s].min(index[t]);
                }
            }
            if let Some((resume, target)) = deeper {
                work.push((state, resume.max(1)));
                work.push((target, 0));
                continue;
            }
            if low[s] == index[s] {
                while let Some(member) = stack.pop() {
                    component[member as usize] = count;
                    if member == state {
                        break;
                    }
                }
                count += 1;
            }
            if let Some(&(parent, _)) = work.last() {
                let p = parent as usize;
                low[p] = low[p].min(low[s]);
            }
        }
    }
    (component, count as usize)
}

/// Checks progress properties; every violation names one terminal set.
pub fn check_progress(lts: &Lts, properties: &[ProgressCheck]) -> Vec<ProgressViolation> {
    let tree = Tree::new(lts);
    let (component, count) = components(lts);
    let mut leaves = vec![false; count];
    let mut members: Vec<Vec<StateId>> = vec![Vec::new(); count];
    let mut actions: Vec<BTreeSet<Action>> = vec![BTreeSet::new(); count];
    // The first member of a component is the nearest.
    for &state in &tree.order {
        let own = component[state as usize] as usize;
        members[own].push(state);
        for edge in lts.edges(state) {
            if component[edge.target as usize] as usize == own {
                actions[own].insert(edge.action);
            } else {
                leaves[own] = true;
            }
        }
    }
    let mut violations = Vec::new();
    for property in properties {
        let does = |set: &BTreeSet<Action>, labels: &[String]| {
            labels.iter().filter_map(|l| lts.find_action(l)).any(|action| set.contains(&action))
        };
        for own in 0..count {
            let Some(&state) = members[own].first() else { continue };
            let special = lts.error() == Some(state) || lts.end() == Some(state);
            if leaves[own] || special || does(&actions[own], &property.actions) {
                continue;
            }
            if property.condition.as_ref().is_some_and(|labels| !does(&actions[own], labels)) {
                continue;
            }
            violations.push(ProgressViolation {
                name: property.name.clone(),
                trace: tree.trace(state),
                state,
                states: members[own].clone(),
                actions: actions[own].iter().copied().collect(),
            });
        }
    }
    violations
}

/// Why a progress property holds: from every reachable state there is a way to
/// where it is fulfilled.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProgressRanks {
    /// All reachable states with the length of that way. At its end an action
    /// of the property is possible, or the system ends, or it is `quiet`.
    pub ranks: Vec<(StateId, u32)>,
    /// For the conditional form: states from which the condition never happens.
    pub quiet: Vec<StateId>,
}

/// The ranks of a progress property; `None` if it does not hold.
pub fn progress_ranks(lts: &Lts, property: &ProgressCheck) -> Option<ProgressRanks> {
    let reachable = Tree::new(lts).order;
    let numbers = |labels: &[String]| -> BTreeSet<Action> {
        labels.iter().filter_map(|label| lts.find_action(label)).collect()
    };
    let wanted = numbers(&property.actions);
    let mut before: Vec<Vec<StateId>> = vec![Vec::new(); lts.state_count()];
    for &state in &reachable {
        for edge in lts.edges(state) {
            before[edge.target as usize].push(state);
        }
    }
    let does = |state: StateId, set: &BTreeSet<Action>| {
        lts.edges(state).iter().any(|edge| set.contains(&edge.action))
    };
    let mut is_quiet = vec![false; lts.state_count()];
    if let Some(condition) = &property.condition {
        let condition = numbers(condition);
        let loud = reachable.iter().copied().filter(|&state| does(state, &condition));
        let loud = backward(&before, loud.collect());
        for &state in &reachable {
            is_quiet[state as usize] = loud[state as usize].is_none();
        }
    }
    let fulfilled = reachable.iter().copied().filter(|&state| {
        let special = lts.error() == Some(state) || lts.end() == Some(state);
        special || is_quiet[state as usize] || does(state, &wanted)
    });
    let ranks = backward(&before, fulfilled.collect());
    let ranks: Option<Vec<_>> =
        reachable.iter().map(|&state| Some((state, ranks[state as usize]?))).collect();
    let quiet = reachable.into_iter().filter(|&state| is_quiet[state as usize]).collect();
    Some(ProgressRanks { ranks: ranks?, quiet })
}

/// How far each state is from some of them, along reversed edges.
fn backward(before: &[Vec<StateId>], from: Vec<StateId>) -> Vec<Option<u32>> {
    let mut distance = vec![None; before.len()];
    for &state in &from {
        distance[state as usize] = Some(0);
    }
    let mut queue: VecDeque<StateId> = from.into();
    while let Some(state) = queue.pop_front() {
        let next = distance[state as usize].map_or(0, |d: u32| d + 1);
        for &earlier in &before[state as usize] {
            if distance[earlier as usize].is_none() {
                distance[earlier as usize] = Some(next);
                queue.push_back(earlier);
            }
        }
    }
    distance
}
