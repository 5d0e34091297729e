//! Checks that programs together conform to a labelled transition system.
//!
//! Three questions, asked from scratch. Does every cover match the initial
//! states of its program? Is every step of a program, from every state that a
//! formula describes, matched by the cover: silently, or by the action with
//! silent steps around it? And is the relation between the composed covers and
//! the specification a weak simulation? The first two are queries, one for each
//! formula and edge; the third is looked up.
//!
//! That this is enough: simulation is transitive, and if each program is
//! simulated by its cover, the composition of the programs is simulated by the
//! composition of the covers, because silent steps never synchronize.
//!
//! Freedom from deadlock is read off the same data. A program that is not at a
//! location where it waits can move, so only tuples of states that match
//! waiting locations matter; some action must be offered by all who share it.

use crate::refute::refute;
use crate::weak::Arrows;
use crate::{Accepted, Rejected};
use parallax_base::{Budget, Id};
use parallax_evidence::{ConformanceProof, Cover, Labelled};
use parallax_ir::{Location, bounds};
use parallax_lts::{Lts, StateId, TAU};
use parallax_solver::Solver;
use parallax_term::{Sort, Substitution, Term};
use std::collections::{BTreeMap, BTreeSet};

/// Accepts the proof if it shows that the programs, run together, are weakly
/// simulated by the specification when the actions in `hidden` are silent.
/// There is one solver for each program, with nothing asserted.
///
/// # Errors
/// Why the proof is not accepted.
pub fn check_conformance(
    programs: &[Labelled<'_>],
    hidden: &BTreeSet<String>,
    specification: &Lts,
    proof: &ConformanceProof,
    solvers: &mut [Box<dyn Solver>],
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    if solvers.len() != programs.len() {
        return Err(Rejected::NoSolver);
    }
    if programs.len() != proof.covers.len() || programs.is_empty() {
        return Err(Rejected::Malformed("one cover for each program is needed".into()));
    }
    let mut accepted = Accepted::default();
    for ((program, cover), solver) in programs.iter().zip(&proof.covers).zip(solvers) {
        check_cover(*program, cover, &mut **solver, budget, &mut accepted)?;
    }
    check_relation(programs, hidden, specification, proof, budget, &mut accepted)?;
    if proof.deadlock_free {
        check_deadlock(programs, proof, budget)?;
    }
    Ok(accepted)
}

fn check_cover(
    labelled: Labelled<'_>,
    cover: &Cover,
    solver: &mut dyn Solver,
    budget: &Budget,
    accepted: &mut Accepted,
) -> Result<(), Rejected> {
    let Labelled { program, actions, .. } = labelled;
    let malformed = |what: &str| Err(Rejected::Malformed(what.into()));
    let Some(process) = program.processes.iter().next().filter(|_| program.processes.len() == 1)
    else {
        return malformed("a program of one process is needed");
    };
    let mut store = cover.store.clone();
    let control = program.variables[process.control].term;
    let mut known: BTreeMap<(Id<Location>, StateId), Term> = BTreeMap::new();
    for &(location, state, formula) in &cover.formulas {
        let is_known = |v: Term| v != control && program.variables.iter().any(|d| d.term == v);
        let fits = location.index() < process.locations.len()
            && (state as usize) < cover.abstraction.state_count()
            && store.sort(formula) == Sort::Bool
            && store.vars(formula).into_iter().all(is_known);
        if !fits || known.insert((location, state), formula).is_some() {
            return malformed("a formula for no location or state, or two for one");
        }
    }
    let before = solver.statistics().queries;
    let mut arrows = Arrows::new(&cover.abstraction);
    let start = known.get(&(process.initial, cover.abstraction.initial())).copied();
    let start = start.unwrap_or_else(|| store.bool(false));
    let initial = program.initial_formula(&mut store);
    let missed = store.not(start);
    let uncovered = || Rejected::Step("an initial state is not covered".into());
    refute(&mut store, solver, budget, &[initial, missed], uncovered)?;
    for (&(location, state), &formula) in &known {
        for (edge, action) in process.edges.iter().zip(actions) {
            if edge.source != location {
                continue;
            }
            let updates =
                edge.updates.iter().map(|u| (program.variables[u.variable].term, u.value));
            let mut after = Substitution::new(updates);
            let mut matches = Vec::new();
            for &answer in arrows.weak(state, action.as_deref()).iter() {
                if let Some(&target) = known.get(&(edge.target, answer)) {
                    matches.push(after.apply(&mut store, target));
                }
            }
            let matched = store.or(matches);
            let unmatched = store.not(matched);
            let within = bounds(&mut store, &edge.inputs);
            let step = [formula, edge.guard, within, edge.constraint, unmatched];
            let why =
                || Rejected::Step(format!("`{}` from state {state} is not matched", edge.name));
            refute(&mut store, solver, budget, &step, why)?;
        }
    }
    accepted.queries += solver.statistics().queries - before;
    Ok(())
}

/// Which programs take part in an action.
pub(crate) fn owners(programs: &[Labelled<'_>], label: &str) -> Vec<usize> {
    (0..programs.len()).filter(|&i| programs[i].alphabet.contains(label)).collect()
}

/// All steps of a tuple of states of the covers; `None` is silent.
fn steps(
    programs: &[Labelled<'_>],
    covers: &[Cover],
    tuple: &[StateId],
) -> Vec<(Option<String>, Vec<StateId>)> {
    let mut found = Vec::new();
    for (index, cover) in covers.iter().enumerate() {
        let lts = &cover.abstraction;
        for edge in lts.edges(tuple[index]) {
            let moved = |way: &[StateId], owner: usize, target: StateId| {
                let mut way = way.to_vec();
                way[owner] = target;
                way
            };
            if edge.action == TAU {
                found.push((None, moved(tuple, index, edge.target)));
                continue;
            }
            let label = lts.label(edge.action);
            let sharing = owners(programs, label);
            // The first of those who share an action speaks for all.
            if sharing.first().is_some_and(|&first| first != index) {
                continue;
            }
            let mut ways = vec![moved(tuple, index, edge.target)];
            for &owner in sharing.iter().filter(|&&owner| owner != index) {
                let other = &covers[owner].abstraction;
                let action = other.find_action(label);
                let targets = action.map_or(&[][..], |a| other.edges_with(tuple[owner], a));
                let all = ways
                    .iter()
                    .flat_map(|way| targets.iter().map(move |edge| moved(way, owner, edge.target)));
                ways = all.collect();
            }
            found.extend(ways.into_iter().map(|way| (Some(label.to_owned()), way)));
        }
    }
    found
}

fn check_relation(
    programs: &[Labelled<'_>],
    hidden: &BTreeSet<String>,
    specification: &Lts,
    proof: &ConformanceProof,
    budget: &Budget,
    accepted: &mut Accepted,
) -> Result<(), Rejected> {
    let relation: BTreeSet<(&[StateId], StateId)> =
        proof.relation.iter().map(|(tuple, state)| (tuple.as_slice(), *state)).collect();
    let initial: Vec<StateId> = proof.covers.iter().map(|c| c.abstraction.initial()).collect();
    if !relation.contains(&(initial.as_slice(), specification.initial())) {
        return Err(Rejected::Initial("the initial states are not related".into()));
    }
    let mut arrows = Arrows::new(specification);
    for &(tuple, state) in &relation {
        budget.check()?;
        accepted.evaluated += 1;
        let fits = tuple.len() == proof.covers.len()
            && (state as usize) < specification.state_count()
            && tuple
                .iter()
                .zip(&proof.covers)
                .all(|(&s, cover)| (s as usize) < cover.abstraction.state_count());
        if !fits {
            return Err(Rejected::Malformed("a pair of states that do not exist".into()));
        }
        for (label, next) in steps(programs, &proof.covers, tuple) {
            let label = label.filter(|label| !hidden.contains(label));
            let answers = arrows.weak(state, label.as_deref());
            if !answers.iter().any(|&answer| relation.contains(&(next.as_slice(), answer))) {
                let label = label.unwrap_or_else(|| "tau".into());
                let why = format!("`{label}` from {tuple:?} is not allowed in state {state}");
                return Err(Rejected::Step(why));
            }
        }
    }
    Ok(())
}

/// No reachable tuple can be one in which all programs wait and nobody can go
/// on, unless all have ended.
fn check_deadlock(
    programs: &[Labelled<'_>],
    proof: &ConformanceProof,
    budget: &Budget,
) -> Result<(), Rejected> {
    // For each cover and state, what its waiting locations offer; an ended
    // program offers nothing.
    let mut offers: Vec<Vec<BTreeSet<BTreeSet<String>>>> = Vec::new();
    for (labelled, cover) in programs.iter().zip(&proof.covers) {
        let mut list = vec![BTreeSet::new(); cover.abstraction.state_count()];
        for &(location, state, formula) in &cover.formulas {
            if cover.store.is_false(formula) || !labelled.waits[location.index()] {
                continue;
            }
            let edges = labelled.program.processes.iter().flat_map(|p| p.edges.iter());
            let here = edges.zip(labelled.actions).filter(|(edge, _)| edge.source == location);
            // Only an edge that is never refused is an offer.
            let sure = here.filter(|(e, _)| cover.store.is_true(e.guard));
            let labels = sure.filter_map(|(_, action)| action.as_deref().map(str::to_owned));
            list[state as usize].insert(labels.collect());
        }
        offers.push(list);
    }
    let tuples: BTreeSet<&Vec<StateId>> = proof.relation.iter().map(|(tuple, _)| tuple).collect();
    for tuple in tuples {
        budget.check()?;
        let mut choices: Vec<Vec<&BTreeSet<String>>> = vec![Vec::new()];
        for (index, &state) in tuple.iter().enumerate() {
            let here = &offers[index][state as usize];
            let all = choices.iter().flat_map(|chosen| {
                here.iter().map(move |offer| {
                    let mut chosen = chosen.clone();
                    chosen.push(offer);
                    chosen
                })
            });
            choices = all.collect();
        }
        for offered in choices {
            let ended = offered.iter().all(|offer| offer.is_empty());
            let possible = offered.iter().flat_map(|offer| offer.iter()).any(|label| {
                owners(programs, label).iter().all(|&owner| offered[owner].contains(label))
            });
            if !ended && !possible {
                return Err(Rejected::Target(format!("{tuple:?} may be a deadlock")));
            }
        }
    }
    Ok(())
}
