//! The search: conflict-driven clause learning over literals and bounds.
//!
//! Decisions, propagation of clauses (two watched literals) and of bounds,
//! learning, restarts, forgetting. When all variables have values, the leaf is
//! handed to [`crate::leaf`], which asks the simplex; if that says no, its
//! explanation is one more conflict.

use crate::clause::{Clauses, Watch};
use crate::exchange::{Link, News};
use crate::lit::{Lit, Reason};
use crate::proof::{NO_STEP, Origin, Proof};
use crate::theory::{Atom, Clash, Implied, NONE, Theory};
use parallax_base::{Budget, Stop};
use parallax_search::{Heap, luby};

/// Conflicts before the first restart; multiplied by Luby's sequence.
const RESTART: u64 = 64;
/// Learned clauses before the first are forgotten.
const KEEP: usize = 4000;
/// The levels that lessons of other searches are taken to be over.
const IMPORTED: u32 = 4;
/// Conflicts between two looks at the budget, and at what others learned.
const PAUSE: u64 = 64;
/// Decisions between two looks at the budget.
const STRIDE: u64 = 512;

/// Literals that are all false and must not be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Conflict {
    Clause(u32),
    Binary(Lit, Lit, u32),
    Clash(Clash),
    Implied(Implied),
}

/// Where a level of decisions begins.
#[derive(Clone, Copy, Debug)]
struct Level {
    trail: usize,
    bounds: usize,
}

/// Counts of the work done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Choices of a literal.
    pub decisions: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Restarts.
    pub restarts: u64,
    /// Polyhedra that were looked at.
    pub leaves: u64,
    /// Those among them that the simplex found empty.
    pub empty_leaves: u64,
}

/// The state of the search over literals.
#[derive(Clone, Debug, Default)]
pub(crate) struct Search {
    pub(crate) clauses: Clauses,
    /// 1 for true, -1 for false, 0 for open; by literal.
    values: Vec<i8>,
    pub(crate) level: Vec<u32>,
    pub(crate) reason: Vec<Reason>,
    pub(crate) trail: Vec<Lit>,
    head: usize,
    levels: Vec<Level>,
    pub(crate) heap: Heap,
    phase: Vec<bool>,
    /// The atom of each variable that has one.
    pub(crate) atoms: Vec<Option<Atom>>,
    /// Whether a literal, once true, bounds its column.
    pub(crate) speaks: Vec<bool>,
    pub(crate) theory: Theory,
    /// Explanations of bounds as literals; see [`Reason::Explained`].
    pub(crate) explained: Vec<Lit>,
    /// The step of the explanation that begins at a place of `explained`.
    pub(crate) explained_by: Vec<u32>,
    /// Positions on the trail.
    pub(crate) position: Vec<u32>,
    pub(crate) proof: Proof,
    pub(crate) seen: Vec<bool>,
    pub(crate) entry_mark: Vec<u32>,
    pub(crate) stamp: u32,
    /// Contradictory without any assumption.
    pub(crate) is_unsat: bool,
    pub(crate) effort: Effort,
    /// The tie to other searches.
    pub(crate) link: Option<Link>,
}

/// How a round of search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Round {
    /// All variables have values, and bounds do not object.
    Leaf,
    /// The assumptions cannot be true together.
    Refuted,
    /// Other searches have learned something.
    News,
}

impl Search {
    pub(crate) fn add_var(&mut self, atom: Option<Atom>) -> usize {
        let var = self.level.len();
        self.clauses.grow();
        self.values.extend([0, 0]);
        self.level.push(0);
        self.reason.push(Reason::Decision);
        self.heap.grow(0.0);
        self.phase.push(false);
        self.speaks.extend([false, false]);
        self.seen.push(false);
        self.position.push(0);
        self.proof.grow();
        if let Some(atom) = &atom {
            self.theory.add_atom(atom, var);
        }
        self.atoms.push(atom);
        var
    }

    pub(crate) fn vars(&self) -> usize {
        self.level.len()
    }

    pub(crate) fn value(&self, lit: Lit) -> i8 {
        self.values[lit.index()]
    }

    pub(crate) fn is_true(&self, lit: Lit) -> bool {
        self.value(lit) > 0
    }

    pub(crate) fn depth(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Adds a clause; only without decisions.
    pub(crate) fn add_clause(&mut self, literals: &[Lit], origin: Origin) {
        let step = self.proof.origin(origin, literals);
        self.add_proved(literals, step);
    }

    /// Adds a clause that a step of the proof shows; only without decisions.
    pub(crate) fn add_proved(&mut self, literals: &[Lit], step: u32) {
        self.add(literals, step, None);
    }

    /// The same for a clause that may be forgotten.
    pub(crate) fn add_lesson(&mut self, literals: &[Lit], step: u32) {
        self.add(literals, step, Some(IMPORTED));
    }

    fn add(&mut self, literals: &[Lit], step: u32, learned: Option<u32>) {
        debug_assert_eq!(self.depth(), 0);
        let mut clause: Vec<Lit> = literals.to_vec();
        clause.sort_unstable();
        clause.dedup();
        let clash = clause.windows(2).any(|pair| pair[0] == !pair[1]);
        if clash || clause.iter().any(|&l| self.is_true(l)) {
            return;
        }
        let mut step = step;
        if clause.iter().any(|&l| self.value(l) != 0) {
            self.record_units();
            let gone = clause.iter().filter(|&&l| self.value(l) != 0);
            let mut hints: Vec<u32> = gone.map(|l| self.proof.units[l.var()]).collect();
            hints.push(step);
            clause.retain(|&l| self.value(l) == 0);
            step = self.proof.derived(&clause, &hints);
        }
        match clause.as_slice() {
            [] => self.refute(step),
            [lit] => {
                self.proof.units[lit.var()] = step;
                self.assign(*lit, Reason::Decision);
            }
            [a, b] => {
                self.clauses.add_binary(*a, *b, step);
            }
            more => {
                let clause = self.clauses.add(more, learned, step);
                self.clauses.touch(clause, self.effort.conflicts as u32);
            }
        }
    }

    /// The formula is contradictory, by this step.
    pub(crate) fn refute(&mut self, step: u32) {
        self.is_unsat = true;
        if self.proof.end == NO_STEP {
            self.proof.end = step;
        }
    }

    pub(crate) fn assign(&mut self, lit: Lit, reason: Reason) {
        debug_assert_eq!(self.value(lit), 0);
        self.values[lit.index()] = 1;
        self.values[(!lit).index()] = -1;
        let var = lit.var();
        self.level[var] = self.depth();
        self.reason[var] = reason;
        self.position[var] = self.trail.len() as u32;
        self.trail.push(lit);
    }

    fn decide(&mut self, lit: Lit) {
        self.levels.push(Level { trail: self.trail.len(), bounds: self.theory.mark() });
        self.assign(lit, Reason::Decision);
    }

    /// Takes back all decisions beyond a level.
    pub(crate) fn back_to(&mut self, level: u32) {
        if self.depth() <= level {
            return;
        }
        let to = self.levels[level as usize];
        for lit in self.trail.drain(to.trail..) {
            self.values[lit.index()] = 0;
            self.values[(!lit).index()] = 0;
            self.phase[lit.var()] = lit.is_positive();
            self.heap.insert(lit.var());
        }
        self.head = to.trail;
        self.theory.undo(to.bounds);
        self.levels.truncate(level as usize);
        if level == 0 {
            self.record_units();
            self.explained.clear();
            self.explained_by.clear();
        }
    }

    /// Follows all consequences of what is true.
    pub(crate) fn propagate(&mut self) -> Result<(), Conflict> {
        loop {
            while self.head < self.trail.len() {
                let lit = self.trail[self.head];
                self.head += 1;
                self.propagate_clauses(!lit)?;
                if self.speaks[lit.index()]
                    && let Some(atom) = &self.atoms[lit.var()]
                {
                    self.theory.assert(atom, lit).map_err(Conflict::Clash)?;
                    self.take_implied()?;
                }
            }
            self.theory.propagate().map_err(Conflict::Clash)?;
            self.take_implied()?;
            if self.head == self.trail.len() {
                return Ok(());
            }
        }
    }

    /// Makes the literals true that bounds imply.
    fn take_implied(&mut self) -> Result<(), Conflict> {
        let implied = std::mem::take(&mut self.theory.implied);
        let mut result = Ok(());
        for &item in &implied {
            match self.value(item.lit) {
                0 => {
                    let reason = match item.second {
                        NONE => Reason::Bound(item.first),
                        second => Reason::Bounds(item.first, second),
                    };
                    self.assign(item.lit, reason);
                }
                1 => {}
                _ => {
                    result = Err(Conflict::Implied(item));
                    break;
                }
            }
        }
        self.theory.implied = implied;
        self.theory.implied.clear();
        result
    }

    /// Looks after the clauses that watch a literal which became false.
    fn propagate_clauses(&mut self, falsified: Lit) -> Result<(), Conflict> {
        let mut list = std::mem::take(&mut self.clauses.watches[falsified.index()]);
        let (mut from, mut to, mut result) = (0, 0, Ok(()));
        while from < list.len() {
            let watch = list[from];
            from += 1;
            let value = self.value(watch.blocker);
            if value > 0 {
                list[to] = watch;
                to += 1;
                continue;
            }
            if let Some(step) = watch.step() {
                list[to] = watch;
                to += 1;
                if value < 0 {
                    result = Err(Conflict::Binary(watch.blocker, falsified, step));
                    break;
                }
                self.assign(watch.blocker, Reason::Binary(falsified, step));
                continue;
            }
            let clause = watch.clause;
            if self.clauses.lit(clause, 0) == falsified {
                self.clauses.swap(clause, 0, 1);
            }
            let first = self.clauses.lit(clause, 0);
            let renewed = Watch { blocker: first, clause };
            if first != watch.blocker && self.is_true(first) {
                list[to] = renewed;
                to += 1;
                continue;
            }
            let length = self.clauses.len(clause);
            let free = (2..length).find(|&at| self.value(self.clauses.lit(clause, at)) >= 0);
            if let Some(at) = free {
                self.clauses.swap(clause, 1, at);
                let next = self.clauses.lit(clause, 1);
                self.clauses.watches[next.index()].push(renewed);
                continue;
            }
            list[to] = renewed;
            to += 1;
            if self.value(first) < 0 {
                result = Err(Conflict::Clause(clause));
                break;
            }
            self.assign(first, Reason::Clause(clause));
        }
        list.copy_within(from.., to);
        let kept = to + (list.len() - from);
        list.truncate(kept);
        self.clauses.watches[falsified.index()] = list;
        result
    }

    /// Searches on until all variables have values or the assumptions fail.
    pub(crate) fn round(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<Round, Stop> {
        let mut allowed = RESTART * luby(self.effort.restarts);
        loop {
            if self.is_unsat {
                return Ok(Round::Refuted);
            }
            if let Err(conflict) = self.propagate() {
                let (literals, step) = self.literals_of(conflict);
                self.learn(literals, step);
                allowed = allowed.saturating_sub(1);
                if self.effort.conflicts.is_multiple_of(PAUSE) {
                    budget.check()?;
                    if self.link.as_mut().map(Link::publish) == Some(News::Answer) {
                        self.back_to(0);
                        return Ok(Round::News);
                    }
                }
                continue;
            }
            if allowed == 0 {
                self.effort.restarts += 1;
                allowed = RESTART * luby(self.effort.restarts);
                self.back_to(0);
                if self.link.as_mut().is_some_and(|link| link.publish() > News::None) {
                    return Ok(Round::News);
                }
                continue;
            }
            if self.clauses.learned() > KEEP + (self.effort.conflicts / 8) as usize {
                self.forget();
            }
            if self.depth() == 0 {
                self.record_units();
            }
            let mut next = None;
            while let Some(&lit) = assumptions.get(self.depth() as usize) {
                match self.value(lit) {
                    // An empty level keeps levels and assumptions in step.
                    1 => self
                        .levels
                        .push(Level { trail: self.trail.len(), bounds: self.theory.mark() }),
                    0 => {
                        next = Some(lit);
                        break;
                    }
                    _ => return Ok(Round::Refuted),
                }
            }
            let Some(lit) = next.or_else(|| self.choose()) else { return Ok(Round::Leaf) };
            self.effort.decisions += 1;
            if self.effort.decisions.is_multiple_of(STRIDE) {
                budget.check()?;
            }
            self.decide(lit);
        }
    }

    /// The most active open variable, with its last value.
    fn choose(&mut self) -> Option<Lit> {
        loop {
            let var = self.heap.pop()?;
            let lit = Lit::new(var, self.phase[var]);
            if self.value(lit) == 0 {
                return Some(lit);
            }
        }
    }

    fn forget(&mut self) {
        let (reason, values) = (&self.reason, &self.values);
        self.clauses.reduce(|lit, clause| {
            values[lit.index()] > 0 && reason[lit.var()] == Reason::Clause(clause)
        });
    }
}
