//! What other processes can do while some stay where they are.
//!
//! A set of processes is *persistent* in a state if whatever the others do before
//! one of the set moves is independent of the next steps of the set (Godefroid,
//! LNCS 1032, 1996; stubborn sets: Valmari, 1989). This file says what the others
//! can do ([`Persistent::before`]) and when two steps are independent
//! ([`Persistent::is_apart`], [`disagree`]). Engines use it to leave
//! steps out, the checker to see that they could; so it is trusted, as what a
//! step is.
//!
//! # Soundness
//! Let `s` be a state and `G` a set of processes. Take any run from `s` in which no
//! process of `G` moves. Claim: every transition it takes is listed in
//! `Before::others`. Take the first one that is not. Processes outside of `G` that
//! move in it have come to its sources by listed transitions, so these locations
//! are among those reached. It was not listed, so a part of its guard is false in
//! `s` and has no variable that a listed transition writes. The run wrote nothing
//! else so far, so the part is still false: the transition is not possible.
//!
//! In the same way, a step in which a process of `G` moves and which is possible
//! after such a run is listed in `Before::own` (all of `G` is where it was), unless
//! a process outside of `G` takes part in it, and then the answer is `None`. And a
//! target after such a run of at least one step has an alternative that may have become
//! true.

use crate::{Program, Transition};
use parallax_term::{Code, Node, Substitution, Term, TermStore};
use rustc_hash::FxHashMap;

/// What can happen before a process of a set moves, and what the set does then.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Before {
    /// Transitions that others may take.
    pub others: Vec<usize>,
    /// Transitions of which one may be the first that the set takes.
    pub own: Vec<usize>,
    /// Whether others alone may come to a target, in at least one step.
    pub target: bool,
}

/// The variables of a transition, by position.
struct Footprint {
    /// For each process that moves: its number, where from, where to.
    moves: Vec<(usize, usize, usize)>,
    /// The parts of the guard, but not where processes are.
    guard: Vec<usize>,
    reads: Slots,
    writes: Slots,
}

/// A set of variables, by position.
struct Slots(Box<[u64]>);

impl Slots {
    fn new(width: usize, slots: impl IntoIterator<Item = usize>) -> Slots {
        let mut words = vec![0; width.div_ceil(64)];
        for slot in slots {
            words[slot / 64] |= 1 << (slot % 64);
        }
        Slots(words.into())
    }

    fn meets(&self, other: &Slots) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    fn extend(&mut self, other: &Slots) {
        self.0.iter_mut().zip(&other.0).for_each(|(a, b)| *a |= b);
    }
}

/// The steps of a program as those of processes that may disturb each other.
pub struct Persistent {
    footprints: Vec<Footprint>,
    /// Parts of guards and of the target: formulas and their variables.
    parts: Vec<(Term, Slots)>,
    /// The target: alternatives, each a conjunction of parts.
    target: Vec<Vec<usize>>,
    /// For each process and location: the transitions that leave it.
    leaving: Vec<Vec<Vec<usize>>>,
    controls: Vec<usize>,
    width: usize,
}

impl Persistent {
    /// Looks at all steps; the terms belong to `store`.
    pub fn new(
        program: &Program,
        store: &mut TermStore,
        transitions: &[Transition],
        target: Term,
    ) -> Persistent {
        let slots: FxHashMap<Term, usize> =
            program.variables.iter().enumerate().map(|(i, v)| (v.term, i)).collect();
        let width = program.variables.len();
        let mut parts = Parts { slots, found: Vec::new(), known: FxHashMap::default() };
        let mut leaving: Vec<Vec<Vec<usize>>> =
            program.processes.iter().map(|p| vec![Vec::new(); p.locations.len()]).collect();
        let mut footprints = Vec::new();
        for (index, transition) in transitions.iter().enumerate() {
            let mut places = Vec::new();
            let mut moves = Vec::new();
            for part in &transition.moves {
                places.push(program.at(store, part.process, part.source));
                leaving[part.process.index()][part.source.index()].push(index);
                moves.push((part.process.index(), part.source.index(), part.target.index()));
            }
            let guard = conjuncts(store, transition.guard);
            let guard = guard.into_iter().filter(|part| !places.contains(part));
            let guard = guard.map(|part| parts.number(store, part)).collect();
            let mut terms = vec![transition.guard, transition.constraint];
            terms.extend(transition.inputs.iter().flat_map(|i| [i.low, i.high]).flatten());
            terms.extend(transition.updates.iter().map(|u| u.value));
            let reads = terms.into_iter().flat_map(|t| parts.variables(store, t));
            let reads = Slots::new(width, reads.collect::<Vec<_>>());
            let writes = transition.updates.iter().map(|u| u.variable.index());
            let writes = Slots::new(width, writes);
            footprints.push(Footprint { moves, guard, reads, writes });
        }
        let alternatives = match store.node(target) {
            Node::Or(items) => items.to_vec(),
            _ => vec![target],
        };
        let mut alternative =
            |t| conjuncts(store, t).into_iter().map(|part| parts.number(store, part)).collect();
        let target = alternatives.into_iter().map(&mut alternative).collect();
        let controls = program.processes.iter().map(|p| p.control.index()).collect();
        let parts = parts.found;
        Persistent { footprints, parts, target, leaving, controls, width }
    }

    /// The formulas of which [`Persistent::before`] wants to know what may hold.
    pub fn parts(&self) -> impl Iterator<Item = Term> {
        self.parts.iter().map(|(term, _)| *term)
    }

    /// [`Persistent::parts`], compiled.
    pub fn code(&self, program: &Program, store: &TermStore) -> Code {
        let terms: Vec<Term> = self.parts().collect();
        Code::compile(store, &terms, |t| program.slot(t))
    }

    /// The positions of the control variables, process by process.
    pub fn controls(&self) -> &[usize] {
        &self.controls
    }

    /// The processes that move in a transition.
    pub fn movers(&self, transition: usize) -> impl Iterator<Item = usize> {
        self.footprints[transition].moves.iter().map(|m| m.0)
    }

    /// Whether a process at a location may take a step before anybody else moves.
    pub fn may_move(&self, process: usize, location: usize, may: &[bool]) -> bool {
        let leaving = self.leaving[process].get(location).into_iter().flatten();
        let mut guards = leaving.map(|&t| &self.footprints[t].guard);
        guards.any(|guard| guard.iter().all(|&part| may[part]))
    }

    /// What can happen before a process of `group` moves, from states in which the
    /// processes are at `locations` and every part that is not in `may` is false.
    /// See the module text.
    pub fn before(&self, locations: &[usize], may: &[bool], group: &[bool]) -> Option<Before> {
        let mut walk = Walk {
            of: self,
            may,
            written: Slots::new(self.width, []),
            reached: self.leaving.iter().map(|l| vec![false; l.len()]).collect(),
        };
        let mut open = Vec::new();
        for (process, &at) in locations.iter().enumerate() {
            *walk.reached[process].get_mut(at)? = true;
            if !group[process] {
                open.extend(&self.leaving[process][at]);
            }
        }
        let mut others: Vec<usize> = Vec::new();
        let mut is_listed = vec![false; self.footprints.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            let mut later = Vec::new();
            for t in std::mem::take(&mut open) {
                if is_listed[t] || self.movers(t).any(|p| group[p]) {
                    continue;
                }
                if !walk.is_possible(t) {
                    later.push(t);
                    continue;
                }
                (is_listed[t], changed) = (true, true);
                others.push(t);
                walk.written.extend(&self.footprints[t].writes);
                for &(process, _, to) in &self.footprints[t].moves {
                    if !std::mem::replace(&mut walk.reached[process][to], true) {
                        later.extend(&self.leaving[process][to]);
                    }
                }
            }
            open = later;
        }
        let mut own = Vec::new();
        for (process, &at) in locations.iter().enumerate().filter(|(p, _)| group[*p]) {
            for &t in &self.leaving[process][at] {
                if own.contains(&t) || !walk.is_possible(t) {
                    continue;
                }
                if self.movers(t).any(|p| !group[p]) {
                    return None;
                }
                own.push(t);
            }
        }
        let target = !others.is_empty()
            && self.target.iter().any(|all| all.iter().all(|&part| walk.may_hold(part)));
        Some(Before { others, own, target })
    }

    /// Whether two transitions are independent because neither writes what the
    /// other one reads or writes.
    pub fn is_apart(&self, a: usize, b: usize) -> bool {
        let (a, b) = (&self.footprints[a], &self.footprints[b]);
        !a.writes.meets(&b.reads) && !a.writes.meets(&b.writes) && !b.writes.meets(&a.reads)
    }
}

struct Walk<'a> {
    of: &'a Persistent,
    may: &'a [bool],
    written: Slots,
    reached: Vec<Vec<bool>>,
}

impl Walk<'_> {
    fn may_hold(&self, part: usize) -> bool {
        self.may[part] || self.of.parts[part].1.meets(&self.written)
    }

    /// Whether all who move may be at their sources, and no part of the guard stays
    /// false.
    fn is_possible(&self, t: usize) -> bool {
        let footprint = &self.of.footprints[t];
        footprint.moves.iter().all(|&(process, from, _)| self.reached[process][from])
            && footprint.guard.iter().all(|&part| self.may_hold(part))
    }
}

/// Distinct formulas, numbered.
struct Parts {
    slots: FxHashMap<Term, usize>,
    found: Vec<(Term, Slots)>,
    known: FxHashMap<Term, usize>,
}

impl Parts {
    fn variables(&self, store: &TermStore, term: Term) -> Vec<usize> {
        store.vars(term).into_iter().filter_map(|v| self.slots.get(&v).copied()).collect()
    }

    fn number(&mut self, store: &TermStore, term: Term) -> usize {
        if let Some(&known) = self.known.get(&term) {
            return known;
        }
        let width = self.slots.len();
        self.found.push((term, Slots::new(width, self.variables(store, term))));
        self.known.insert(term, self.found.len() - 1);
        self.found.len() - 1
    }
}

fn conjuncts(store: &TermStore, term: Term) -> Vec<Term> {
    match store.node(term) {
        Node::And(items) => items.to_vec(),
        _ => vec![term],
    }
}

/// A transition with inputs of its own.
struct Renamed {
    /// Guard, bounds and constraint.
    condition: Term,
    /// For each variable that is written: its symbol and the new value.
    values: Vec<(Term, Term)>,
    after: Substitution,
}

impl Renamed {
    fn new(program: &Program, store: &mut TermStore, transition: &Transition) -> Renamed {
        let mut pairs = Vec::new();
        for input in &transition.inputs {
            let sort = store.sort(input.term);
            pairs.push((input.term, store.fresh("input", sort)));
        }
        let mut rename = Substitution::new(pairs);
        let bounds = transition.input_bounds(store);
        let condition = store.and([transition.guard, bounds]);
        let condition = rename.apply(store, condition);
        let assignment = transition.assignment(program);
        let values: Vec<_> =
            assignment.into_iter().map(|(v, value)| (v, rename.apply(store, value))).collect();
        let after = Substitution::new(values.iter().copied());
        Renamed { condition, values, after }
    }

    /// The value of a variable if this transition follows another one.
    fn then(&mut self, store: &mut TermStore, earlier: &mut Renamed, variable: Term) -> Term {
        let own = self.after.apply(store, variable);
        earlier.after.apply(store, own)
    }
}

/// A formula that is satisfiable if the order of two transitions may matter: one
/// order is possible and the other one is not or leads elsewhere (`late` first, then
/// `early`, which is then to be taken first), or both are possible and one prevents
/// the other. It speaks of no state in particular, so it may say too much.
pub fn disagree(
    program: &Program,
    store: &mut TermStore,
    early: &Transition,
    late: &Transition,
) -> Term {
    let mut early = Renamed::new(program, store, early);
    let mut late = Renamed::new(program, store, late);
    let early_second = late.after.apply(store, early.condition);
    let late_second = early.after.apply(store, late.condition);
    let mut variables: Vec<Term> =
        early.values.iter().chain(&late.values).map(|(variable, _)| *variable).collect();
    variables.sort_unstable();
    variables.dedup();
    let mut same = Vec::new();
    for variable in variables {
        let one = early.then(store, &mut late, variable);
        let other = late.then(store, &mut early, variable);
        same.push(store.eq(one, other));
    }
    let same = store.and(same);
    let swapped = store.and([early.condition, late_second, same]);
    let not_swapped = store.not(swapped);
    let moved = store.and([late.condition, early_second, not_swapped]);
    let both_orders = store.and([early_second, late_second, same]);
    let not_both = store.not(both_orders);
    let prevented = store.and([late.condition, early.condition, not_both]);
    store.or([moved, prevented])
}

/// A formula that is satisfiable if a transition may lead from a target to a state
/// that is none.
pub fn leaves_target(
    program: &Program,
    store: &mut TermStore,
    transition: &Transition,
    target: Term,
) -> Term {
    let bounds = transition.input_bounds(store);
    let after = store.substitute(target, &transition.assignment(program));
    let spoiled = store.not(after);
    store.and([target, transition.guard, bounds, spoiled])
}
