//! Whether the order of steps matters where some processes stand for all.
//!
//! Reduced sets (`reduced.rs`) and reduced unrollings (`unrolling.rs`) say at each
//! state which processes move. What is asked of such a set `G` of processes, for states
//! with known locations, is asked here:
//!
//! 1. let `others` be what other processes may do before one of `G` moves, and `own`
//!    what `G` may do then, as [`Persistent::before`] says. Every step of `own` is
//!    independent of every step of `others`: neither writes what the other one reads or
//!    writes, or the solver shows that their order does not matter ([`disagree`]);
//! 2. if the others alone may come to a target, no step of `own` leads from a target
//!    to a state that is none. The caller then has to see that they are not put off for
//!    ever.
//!
//! # Soundness
//! Let a run `w` of `n` steps lead from a state `s` to a target.
//!
//! If a process of `G` moves in `w`, let `a` be the first such step. The steps before
//! it are in `others` and `a` is in `own` (`Persistent::before`). By 1, `a` can be
//! exchanged with the step before it: it is possible there, and the state after both
//! is the same. So it comes first, and after it the rest of `w`, of `n - 1` steps,
//! leads to the same target.
//!
//! If no process of `G` moves in `w`, all of `w` is in `others`, so they alone come to
//! a target. Let `a` be any step of `own` that is possible in `s`. By 1 neither
//! prevents the other and the order does not matter, step by step along `w`; so `w` is
//! possible after `a`, and ends where `a` leads from the target, which by 2 is a target.

use crate::Rejected;
use crate::refute::refute;
use parallax_base::Budget;
use parallax_ir::{Before, Persistent, Program, Transition, disagree, leaves_target};
use parallax_solver::Solver;
use parallax_term::{Term, TermStore};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Where processes are, and which parts of guards and target may hold.
pub(crate) type May = (Box<[usize]>, Box<[bool]>);

/// A state, and the processes that move in it.
type Question = (May, Box<[bool]>);

/// What is known about the order of steps of a program.
pub(crate) struct Orders<'a> {
    program: &'a Program,
    transitions: Vec<Transition>,
    target: Term,
    pub(crate) steps: Persistent,
    /// Pairs that have to be independent, and transitions that have to lead from
    /// targets to targets.
    pairs: BTreeSet<(usize, usize)>,
    keeping: BTreeSet<usize>,
    /// Sets of processes that were looked at, with what `may_wait` said.
    seen: FxHashMap<Question, Option<Box<[usize]>>>,
}

impl<'a> Orders<'a> {
    pub(crate) fn new(
        program: &'a Program,
        store: &mut TermStore,
        transitions: &[Transition],
        target: Term,
    ) -> Orders<'a> {
        Orders {
            program,
            transitions: transitions.to_vec(),
            target,
            steps: Persistent::new(program, store, transitions, target),
            pairs: BTreeSet::new(),
            keeping: BTreeSet::new(),
            seen: FxHashMap::default(),
        }
    }

    /// The processes as a set; all of them for `None`.
    pub(crate) fn group(&self, processes: Option<&[u32]>) -> Result<Box<[bool]>, Rejected> {
        let count = self.program.processes.len();
        let Some(processes) = processes else { return Ok(vec![true; count].into()) };
        let mut group = vec![false; count];
        for &process in processes {
            let strange = || Rejected::Malformed("a process that does not exist moves".into());
            *group.get_mut(process as usize).ok_or_else(strange)? = true;
        }
        Ok(group.into())
    }

    /// Whether a process of a set moves in a transition.
    pub(crate) fn moves(&self, transition: usize, group: &[bool]) -> bool {
        self.steps.movers(transition).any(|p| group[p])
    }

    /// The locations of the processes, if the values of their controls say so.
    pub(crate) fn locations(
        &self,
        control: impl Fn(usize) -> Option<i64>,
    ) -> Result<Box<[usize]>, Rejected> {
        let at = |(process, &slot): (usize, &usize)| {
            let count = self.program.processes.as_slice()[process].locations.len();
            let at = control(slot).and_then(|at| usize::try_from(at).ok());
            let unknown = || Rejected::Malformed("a process is at no known location".into());
            at.filter(|at| *at < count).ok_or_else(unknown)
        };
        self.steps.controls().iter().enumerate().map(at).collect()
    }

    /// Notes what items 1 and 2 ask of a set of processes; the steps of the set if
    /// others must not be put off for ever.
    pub(crate) fn may_wait(
        &mut self,
        may: May,
        group: &[bool],
    ) -> Result<Option<Box<[usize]>>, Rejected> {
        let key = (may, group.into());
        if let Some(known) = self.seen.get(&key) {
            return Ok(known.clone());
        }
        let (locations, may) = &key.0;
        let Some(Before { others, own, target }) = self.steps.before(locations, may, group) else {
            return Err(Rejected::Step("others take part in the steps of those who move".into()));
        };
        for &early in &own {
            for &late in &others {
                if !self.steps.is_apart(early, late) {
                    self.pairs.insert((early, late));
                }
            }
            if target {
                self.keeping.insert(early);
            }
        }
        let own = target.then(|| own.into_boxed_slice());
        self.seen.insert(key, own.clone());
        Ok(own)
    }

    /// Asks what was noted. It is about all states, so nothing may be asserted.
    pub(crate) fn settle(
        &self,
        store: &mut TermStore,
        solver: &mut dyn Solver,
        budget: &Budget,
    ) -> Result<(), Rejected> {
        for &(early, late) in &self.pairs {
            let (a, b) = (&self.transitions[early], &self.transitions[late]);
            let differ = disagree(self.program, store, a, b);
            let matters = || {
                let names = format!("`{}` was left out beside `{}`", b.name, a.name);
                Rejected::Step(format!("{names}, yet matters"))
            };
            refute(store, solver, budget, &[differ], matters)?;
        }
        for &step in &self.keeping {
            let transition = &self.transitions[step];
            let leaves = leaves_target(self.program, store, transition, self.target);
            let spoils = || Rejected::Target(format!("`{}` may leave one", transition.name));
            refute(store, solver, budget, &[leaves], spoils)?;
        }
        Ok(())
    }
}
