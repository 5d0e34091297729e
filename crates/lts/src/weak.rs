//! Weak bisimulation (observational equivalence).
//!
//! States on a silent cycle are joined, the result is made smaller by strong
//! bisimulation, and then the weak arrows `tau* a tau*` are made explicit;
//! strong bisimulation of that system is weak bisimulation of the given one.

use crate::minimize::{minimize_strong, strong_blocks};
use crate::progress::components_by;
use crate::system::{Edge, Lts, StateId, TAU};
use parallax_base::{Budget, Stop};
use std::sync::Arc;

/// Joins states that reach each other silently.
fn join_silent_cycles(lts: &Lts) -> Lts {
    let (component, count) = components_by(lts, |edge| edge.action == TAU);
    lts.quotient(&component, count, true)
}

/// For every state the states reached by silent steps, itself included, sorted.
fn silent_closure(lts: &Lts, budget: &Budget) -> Result<Vec<Arc<Vec<StateId>>>, Stop> {
    let (component, count) = components_by(lts, |edge| edge.action == TAU);
    // Without a limit there is always a result.
    let shared = component_closures(lts, &component, count, usize::MAX, budget)?;
    let shared = shared.unwrap_or_default();
    Ok(component.iter().map(|&own| Arc::clone(&shared[own as usize])).collect())
}

/// The same for every set of states that reach each other silently. Such sets
/// are numbered successors first.
fn component_closures(
    lts: &Lts,
    component: &[StateId],
    count: usize,
    most: usize,
    budget: &Budget,
) -> Result<Option<Vec<Arc<Vec<StateId>>>>, Stop> {
    let mut members: Vec<Vec<StateId>> = vec![Vec::new(); count];
    for state in lts.states() {
        members[component[state as usize] as usize].push(state);
    }
    let mut closures: Vec<Arc<Vec<StateId>>> = Vec::with_capacity(count);
    let mut total = 0usize;
    for (own, states) in members.into_iter().enumerate() {
        if own % 64 == 0 {
            budget.check()?;
        }
        let mut later: Vec<StateId> = states
            .iter()
            .flat_map(|&state| lts.edges_with(state, TAU))
            .map(|edge| component[edge.target as usize])
            .filter(|&other| other as usize != own)
            .collect();
        later.sort_unstable();
        later.dedup();
        let mut all = states;
        for other in later {
            all.extend_from_slice(&closures[other as usize]);
        }
        all.sort_unstable();
        all.dedup();
        total = total.saturating_add(all.len());
        if total > most {
            return Ok(None);
        }
        closures.push(Arc::new(all));
    }
    Ok(Some(closures))
}

/// The system of weak arrows: `s -a-> t` if `s tau* a tau* t`, and `s -tau-> t`
/// if `s tau* t`, the empty sequence included.
///
/// # Errors
/// When the budget ends.
pub fn saturate(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    // Without a limit there is always a result.
    Ok(saturate_within(lts, usize::MAX, budget)?.unwrap_or_else(|| lts.clone()))
}

/// The same, unless there are more than `most` weak arrows.
///
/// # Errors
/// When the budget ends.
pub fn saturate_within(lts: &Lts, most: usize, budget: &Budget) -> Result<Option<Lts>, Stop> {
    let (component, count) = components_by(lts, |edge| edge.action == TAU);
    let Some(closures) = component_closures(lts, &component, count, most, budget)? else {
        return Ok(None);
    };
    // States that reach each other silently have the same weak arrows.
    let mut members: Vec<Vec<StateId>> = vec![Vec::new(); count];
    for state in lts.states() {
        members[component[state as usize] as usize].push(state);
    }
    let mut arrows: Vec<Vec<Edge>> = Vec::with_capacity(count);
    let mut total = 0usize;
    for (own, states) in members.iter().enumerate() {
        if own % 64 == 0 {
            budget.check()?;
        }
        // Actions with the set of states their target belongs to, and the sets
        // that silent steps lead to.
        let (mut steps, mut later) = (Vec::new(), Vec::new());
        for edge in states.iter().flat_map(|&state| lts.edges(state)) {
            let target = component[edge.target as usize];
            if edge.action != TAU {
                steps.push((edge.action, target));
            } else if target as usize != own {
                later.push(target);
            }
        }
        steps.sort_unstable();
        steps.dedup();
        later.sort_unstable();
        later.dedup();
        let mut edges: Vec<Edge> =
            closures[own].iter().map(|&target| Edge { action: TAU, target }).collect();
        for (action, target) in steps {
            let reached = closures[target as usize].iter();
            edges.extend(reached.map(|&target| Edge { action, target }));
        }
        for other in later {
            let visible = arrows[other as usize].iter().filter(|edge| edge.action != TAU);
            edges.extend(visible.copied());
        }
        edges.sort_unstable();
        edges.dedup();
        total = total.saturating_add(edges.len().saturating_mul(states.len()));
        if total > most {
            return Ok(None);
        }
        arrows.push(edges);
    }
    let mut result = lts.like();
    for state in lts.states() {
        let new = result.add_state();
        result.set_edges(new, arrows[component[state as usize] as usize].clone());
    }
    result.set_initial(lts.initial());
    result.set_error(lts.error());
    result.set_end(lts.end());
    Ok(Some(result))
}

/// The coarsest weak bisimulation. To be at `END` or at `ERROR` is something
/// that can be seen, like an action: a state that silently ends up there, and
/// can do nothing else, is no different.
fn weak_blocks(lts: &Lts, budget: &Budget) -> Result<(Vec<StateId>, usize), Stop> {
    let mut marked = lts.clone();
    for (state, mark) in [(lts.end(), "*END*"), (lts.error(), "*ERROR*")] {
        if let Some(state) = state {
            let action = marked.action(mark);
            marked.add_edge(state, action, state);
        }
    }
    marked.set_end(None);
    marked.set_error(None);
    strong_blocks(&saturate(&marked, budget)?, budget)
}

/// The smallest system that is weakly bisimilar, without edges that other
/// edges make superfluous.
///
/// # Errors
/// When the budget ends.
pub fn minimize_weak(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let small = minimize_strong(&join_silent_cycles(lts), budget)?;
    let small = join_silent_cycles(&small);
    let (class, classes) = weak_blocks(&small, budget)?;
    let joined = small.quotient(&class, classes, true);
    thin(&joined, budget)
}

/// Drops every edge that is a weak arrow of the remaining ones. There are no
/// silent cycles any more, so an edge never supports itself.
fn thin(lts: &Lts, budget: &Budget) -> Result<Lts, Stop> {
    let closure = silent_closure(lts, budget)?;
    let weak = saturate(lts, budget)?;
    let mut result = lts.clone();
    for state in lts.states() {
        budget.check()?;
        let edges = lts.edges(state);
        let needed = |edge: &&Edge| {
            let steps = edges.iter().filter(|step| step.action == TAU && step != edge);
            let later = |middle: StateId, action| {
                weak.edges_with(middle, action).iter().any(|e| e.target == edge.target)
            };
            if steps.clone().any(|step| later(step.target, edge.action)) {
                return false;
            }
            // The same action to a state that silently reaches the target.
            edge.action == TAU
                || !edges.iter().any(|other| {
                    other.action == edge.action
                        && other.target != edge.target
                        && closure[other.target as usize].binary_search(&edge.target).is_ok()
                })
        };
        let kept: Vec<Edge> = edges.iter().filter(needed).copied().collect();
        result.set_edges(state, kept);
    }
    Ok(result.reachable())
}

/// Whether two systems are weakly bisimilar, alphabets aside.
///
/// # Errors
/// When the budget ends.
pub fn weakly_bisimilar(one: &Lts, two: &Lts, budget: &Budget) -> Result<bool, Stop> {
    let mut both = Lts::new("both");
    let mut starts = Vec::new();
    let (mut error, mut end) = (None, None);
    for lts in [one, two] {
        let numbers: Vec<_> = lts.labels().iter().map(|label| both.action(label)).collect();
        // The error states of both are one, and so are the ends.
        let mut place = Vec::new();
        for state in lts.states() {
            let shared = if lts.error() == Some(state) {
                Some(&mut error)
            } else if lts.end() == Some(state) {
                Some(&mut end)
            } else {
                None
            };
            let new = match shared {
                Some(slot) => *slot.get_or_insert_with(|| both.add_state()),
                None => both.add_state(),
            };
            place.push(new);
        }
        for state in lts.states() {
            for edge in lts.edges(state) {
                let action = numbers[edge.action as usize];
                both.add_edge(place[state as usize], action, place[edge.target as usize]);
            }
        }
        starts.push(place[lts.initial() as usize]);
    }
    both.set_error(error);
    both.set_end(end);
    let (class, _) = weak_blocks(&both, budget)?;
    Ok(class[starts[0] as usize] == class[starts[1] as usize])
}
