//! Whose steps suffice: small persistent sets of processes.
//!
//! An engine that explores states asks which processes have to move from where it
//! is (Godefroid, LNCS 1032, 1996; the closure is that of Valmari's stubborn sets,
//! 1989, with whole processes). Each process in turn is the first of a set, which
//! grows by whoever may disturb its next steps, until nobody does. What others may
//! do is [`Persistent::before`]; two steps are independent if they share no
//! variable, or if the solver says that their order does not matter.
//!
//! Deviations: no sleep sets here, which save steps and no states. That steps are
//! put off for ever is excluded by ranks that the engine finds, not by a condition
//! on cycles. Formulas of linear temporal logic are not asked with reduction.
//!
//! Invariant: nothing of this is believed; the checker of reduced sets asks all of
//! it again.

use crate::{Question, Resources};
use parallax_base::{Budget, Id};
use parallax_ir::{Before, Persistent, Program, Transition, Variable, disagree, leaves_target};
use parallax_solver::{Answer, Solver};
use parallax_term::{Code, Substitution, Term, TermStore, Value};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use std::time::Duration;

/// The time for one question whether an order matters, and how many are asked.
const SLICE: Duration = Duration::from_millis(100);
const QUESTIONS: u64 = 5_000;

/// The time for all questions: this much, and a part of the time that has passed.
/// Where memory is shared through pointers most of them have no answer soon, and to
/// take a few steps too many costs less.
const START: Duration = Duration::from_millis(300);
const PART: u32 = 8;

/// Processes that can stand for all.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Group {
    /// The processes, by number, in increasing order.
    pub processes: Box<[u32]>,
    /// The transitions of which they may take one next.
    pub own: Box<[usize]>,
    /// Whether others alone may come to a target: then they must not be put off
    /// for ever.
    pub may_starve: bool,
}

/// What is known about the steps of a program.
pub struct Reduction<'a> {
    program: &'a Program,
    store: TermStore,
    transitions: Vec<Transition>,
    steps: Persistent,
    target: Term,
    solver: Option<Box<dyn Solver>>,
    budget: &'a Budget,
    asked: u64,
    /// The time that questions took.
    spent: Duration,
    independent: FxHashMap<(usize, usize), bool>,
    keeping: FxHashMap<usize, bool>,
    groups: Known,
    /// The variables of each part, by position; `None` if one is an array.
    slots: Vec<Option<Box<[usize]>>>,
    /// Whether a part may hold where its variables have these values, as far as known.
    held: FxHashMap<Asked, bool>,
}

/// The sets of processes by where processes are and what may hold.
type Known = FxHashMap<(Box<[usize]>, Box<[bool]>), Rc<[Group]>>;

/// A part, and the values of its variables, as far as they are known.
type Asked = (usize, Box<[Option<Term>]>);

impl<'a> Reduction<'a> {
    /// `None` if nothing can be left out: there is one process, or nobody wants it.
    pub fn new(question: Question<'a>, resources: Resources<'a>) -> Option<Reduction<'a>> {
        let program = question.program;
        if !resources.reduce || program.processes.len() < 2 {
            return None;
        }
        let mut store = program.store.clone();
        let transitions = program.transitions(&mut store);
        let target = question.property().target;
        let steps = Persistent::new(program, &mut store, &transitions, target);
        let slots = |part| {
            let vars = store.vars(part);
            let is_plain = vars.iter().all(|v| store.sort(*v).scalar().is_some());
            is_plain.then(|| vars.into_iter().filter_map(|v| program.slot(v)).collect())
        };
        let slots = steps.parts().map(slots).collect();
        Some(Reduction {
            program,
            store,
            transitions,
            steps,
            target,
            solver: resources.solver.open().ok(),
            budget: resources.budget,
            asked: 0,
            spent: Duration::ZERO,
            independent: FxHashMap::default(),
            keeping: FxHashMap::default(),
            groups: FxHashMap::default(),
            slots,
            held: FxHashMap::default(),
        })
    }

    /// The same without questions to the solver: steps are independent if they share
    /// no variable. For those who have another way to merge orders that end alike.
    #[must_use]
    pub fn without_solver(self) -> Reduction<'a> {
        Reduction { solver: None, ..self }
    }

    /// The formulas of which [`Reduction::groups`] wants to know what may hold.
    pub fn parts(&self) -> Vec<Term> {
        self.steps.parts().collect()
    }

    /// Which parts may hold where some variables have these values.
    pub fn may(&mut self, known: Vec<(Id<Variable>, Value)>) -> Vec<bool> {
        let mut pairs = Vec::new();
        for (variable, value) in known {
            pairs.push((self.program.variables[variable].term, self.store.constant(value)));
        }
        let mut here = Substitution::new(pairs);
        let parts = self.parts().into_iter();
        parts
            .map(|part| {
                let part = here.apply(&mut self.store, part);
                !self.store.is_false(part)
            })
            .collect()
    }

    /// Which parts may hold in a state of one term per variable; of those about
    /// arrays, which are large there, it is not asked. All questions must be about
    /// terms of one store.
    pub fn may_at(&mut self, store: &TermStore, state: &[Term]) -> Vec<bool> {
        let mut found = Vec::with_capacity(self.slots.len());
        for part in 0..self.slots.len() {
            let known = |&slot: &usize| store.value(state[slot]).map(|_| state[slot]);
            let Some(slots) = &self.slots[part] else {
                found.push(true);
                continue;
            };
            let key = (part, slots.iter().map(known).collect::<Box<[_]>>());
            let holds = match self.held.get(&key) {
                Some(&holds) => holds,
                None => {
                    let holds = self.may_hold(&key, store);
                    self.held.insert(key, holds);
                    holds
                }
            };
            found.push(holds);
        }
        found
    }

    fn may_hold(&mut self, key: &Asked, store: &TermStore) -> bool {
        let (part, values) = key;
        let mut pairs = Vec::new();
        for (&slot, value) in self.slots[*part].iter().flatten().zip(values) {
            if let Some(value) = value.and_then(|value| store.value(value)) {
                let symbol = self.program.variables.as_slice()[slot].term;
                pairs.push((symbol, self.store.constant(value.clone())));
            }
        }
        let Some(formula) = self.steps.parts().nth(*part) else { return true };
        let formula = Substitution::new(pairs).apply(&mut self.store, formula);
        !self.store.is_false(formula)
    }

    /// [`Reduction::parts`], compiled.
    pub fn code(&self) -> Code {
        self.steps.code(self.program, &self.store)
    }

    /// The positions of the control variables, process by process.
    pub fn controls(&self) -> &[usize] {
        self.steps.controls()
    }

    /// The processes that move in a transition.
    pub fn movers(&self, transition: usize) -> impl Iterator<Item = usize> {
        self.steps.movers(transition)
    }

    /// Sets of processes whose steps suffice, the best first, from states in which
    /// processes are at `locations` and the parts that are not in `may` are false.
    pub fn groups(&mut self, locations: &[usize], may: &[bool]) -> Rc<[Group]> {
        let key = (Box::from(locations), Box::from(may));
        if let Some(known) = self.groups.get(&key) {
            return Rc::clone(known);
        }
        let mut found: Vec<Group> = Vec::new();
        for seed in 0..locations.len() {
            if !self.steps.may_move(seed, locations[seed], may) {
                continue;
            }
            if let Some(group) = self.grow(seed, locations, may)
                && !found.contains(&group)
            {
                let is_best = group.own.len() == 1 && !group.may_starve;
                found.push(group);
                if is_best {
                    break;
                }
            }
        }
        found.sort_by_key(|g| (g.own.len(), g.may_starve));
        let found: Rc<[Group]> = found.into();
        self.groups.insert(key, Rc::clone(&found));
        found
    }

    /// A set with a process in it; `None` if that takes all of them, or if the set
    /// has no step to take.
    fn grow(&mut self, seed: usize, locations: &[usize], may: &[bool]) -> Option<Group> {
        let mut group = vec![false; locations.len()];
        group[seed] = true;
        loop {
            let disturbers: Vec<usize> = match self.steps.before(locations, may, &group) {
                Some(before) => match self.disturbed(&before) {
                    None => {
                        let members = group.iter().zip(0..).filter(|(is, _)| **is);
                        let processes = members.map(|(_, process)| process).collect();
                        let own = before.own.into();
                        return Some(Group { processes, own, may_starve: before.target });
                    }
                    Some(other) => self.steps.movers(other).collect(),
                },
                None => self.partners(locations, &group),
            };
            for process in disturbers {
                group[process] = true;
            }
            if group.iter().all(|is| *is) {
                return None;
            }
        }
    }

    /// Those who take part in the next steps of a set.
    fn partners(&self, locations: &[usize], group: &[bool]) -> Vec<usize> {
        let is_next = |t: &&Transition| {
            t.moves.iter().any(|part| {
                let process = part.process.index();
                group[process] && locations[process] == part.source.index()
            })
        };
        let next = self.transitions.iter().filter(is_next);
        next.flat_map(|t| t.moves.iter().map(|part| part.process.index())).collect()
    }

    /// A step of the others that is not independent of the steps of a set, or a step
    /// of the set that spoils a target that others reach.
    fn disturbed(&mut self, before: &Before) -> Option<usize> {
        if before.own.is_empty() {
            return before.others.first().copied();
        }
        for &late in &before.others {
            for &early in &before.own {
                if !self.is_independent(early, late) {
                    return Some(late);
                }
            }
        }
        let spoils = before.target && before.own.iter().any(|&step| !self.keeps_target(step));
        before.others.first().copied().filter(|_| spoils)
    }

    /// Whether the order of two steps does not matter.
    pub fn is_independent(&mut self, early: usize, late: usize) -> bool {
        if self.steps.is_apart(early, late) {
            return true;
        }
        if let Some(&known) = self.independent.get(&(early, late)) {
            return known;
        }
        let (a, b) = (&self.transitions[early], &self.transitions[late]);
        let differ = disagree(self.program, &mut self.store, a, b);
        let known = self.excluded(differ);
        self.independent.insert((early, late), known);
        known
    }

    /// Whether a step leads from targets to targets.
    fn keeps_target(&mut self, step: usize) -> bool {
        if let Some(&known) = self.keeping.get(&step) {
            return known;
        }
        let transition = &self.transitions[step];
        let leaves = leaves_target(self.program, &mut self.store, transition, self.target);
        let known = self.excluded(leaves);
        self.keeping.insert(step, known);
        known
    }

    /// Whether the solver says at once that a formula has no model.
    fn excluded(&mut self, formula: Term) -> bool {
        if self.store.is_false(formula) {
            return true;
        }
        let before = self.budget.elapsed();
        let is_allowed = self.asked < QUESTIONS && self.spent < START + before / PART;
        let Some(solver) = self.solver.as_mut().filter(|_| is_allowed) else {
            return false;
        };
        self.asked += 1;
        let answer = solver.check(&self.store, &[formula], &self.budget.within(SLICE));
        self.spent += self.budget.elapsed().saturating_sub(before);
        matches!(answer, Ok(Answer::Unsat))
    }

    /// Questions put to the solver.
    pub fn queries(&self) -> u64 {
        self.asked
    }
}
