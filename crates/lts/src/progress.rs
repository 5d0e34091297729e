//! Progress under fair choice: what happens again and again.
//!
//! A fair run ends up in a terminal set of states: a strongly connected
//! component that is never left. A property `{a, b}` holds if every terminal
//! set does `a` or `b`; `if A then B` if every terminal set that does one of
//! `A` does one of `B`. A deadlock is a terminal set that does nothing. `END`
//! and `ERROR` are not looked at here.

use crate::check::shortest_trace;
use crate::system::{Action, Edge, Lts, StateId};
use std::collections::BTreeSet;

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
    /// The size of the set.
    pub states: usize,
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
    let lts = &lts.reachable();
    let (component, count) = components(lts);
    let mut leaves = vec![false; count];
    let mut members: Vec<Vec<StateId>> = vec![Vec::new(); count];
    let mut actions: Vec<BTreeSet<Action>> = vec![BTreeSet::new(); count];
    for state in lts.states() {
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
            let nearest = members[own]
                .iter()
                .filter_map(|&state| Some((shortest_trace(lts, state)?, state)))
                .min_by_key(|(trace, _)| trace.len());
            let Some((trace, state)) = nearest else { continue };
            violations.push(ProgressViolation {
                name: property.name.clone(),
                trace,
                state,
                states: members[own].len(),
                actions: actions[own].iter().copied().collect(),
            });
        }
    }
    violations
}
