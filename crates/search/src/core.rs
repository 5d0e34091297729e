//! The search: conflict-driven clause learning over literals and a theory.
//!
//! Decisions, propagation of clauses (two watched literals) and of what the
//! theory implies, learning, restarts, forgetting: Eén, Sörensson, *An
//! Extensible SAT-solver*, SAT 2003. When all variables that somebody wants
//! have values, the caller is asked.
//!
//! Invariants: every clause has the step of a proof that shows it, and so has
//! every literal that is true without decisions, so a proof never refers to the
//! trail.

use crate::clause::{Clauses, Watch};
use crate::{Heap, Lit, NO_STEP, Theory, luby};
use parallax_base::{Budget, Stop};

/// Conflicts before the first restart; multiplied by Luby's sequence.
const RESTART: u64 = 64;
/// Learned clauses before the first are forgotten.
const KEEP: usize = 4000;
/// The levels that lessons of other searches are taken to be over.
const IMPORTED: u32 = 4;
/// Conflicts between two looks at the budget, and at the theory's patience.
const PAUSE: u64 = 64;
/// Decisions between two looks at the budget.
const STRIDE: u64 = 512;

/// Why a literal is true.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Reason<W> {
    /// It was chosen, or it is an assumption.
    Decision,
    /// All other literals of a clause are false.
    Clause(u32),
    /// The other literal of a clause of two is false; the step of the clause.
    Binary(Lit, u32),
    /// The theory implies it.
    Theory(W),
    /// The literals of an explanation, all false: from here on, so many.
    Explained(u32, u32),
}

/// Literals that are all false and must not be.
pub(crate) enum Conflict<T: Theory> {
    Clause(u32),
    Binary(Lit, Lit, u32),
    Clash(T::Clash),
    Implied(Lit, T::Why),
}

/// Where a level of decisions begins.
#[derive(Clone, Copy, Debug)]
struct Level<M> {
    trail: usize,
    theory: M,
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
}

/// How a round of search ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Round {
    /// All variables that are wanted have values, and the theory does not object.
    Leaf,
    /// The assumptions cannot be true together.
    Refuted,
    /// The theory has had enough. There are no decisions.
    Paused,
}

/// The values of literals: 1 for true, -1 for false, 0 for open.
#[derive(Clone, Debug, Default)]
pub struct Values(Vec<i8>);

impl Values {
    /// The value of a literal.
    #[inline]
    pub fn of(&self, lit: Lit) -> i8 {
        self.0[lit.index()]
    }
}

/// The state of a search.
#[derive(Clone, Debug)]
pub struct Search<T: Theory> {
    /// What literals mean.
    pub theory: T,
    /// The work done so far.
    pub effort: Effort,
    /// The step of the empty clause, once the formula is refuted without
    /// assumptions.
    pub end: u32,
    pub(crate) clauses: Clauses,
    pub(crate) values: Values,
    pub(crate) level: Vec<u32>,
    pub(crate) reason: Vec<Reason<T::Why>>,
    pub(crate) trail: Vec<Lit>,
    head: usize,
    levels: Vec<Level<T::Mark>>,
    pub(crate) heap: Heap,
    phase: Vec<bool>,
    /// Variables that nobody wanted, and how many levels there were then.
    skipped: Vec<(u32, u32)>,
    /// Explanations of the theory as literals; see [`Reason::Explained`].
    pub(crate) explained: Vec<Lit>,
    /// The step of the explanation that begins at a place of `explained`.
    pub(crate) explained_by: Vec<u32>,
    /// Positions on the trail.
    pub(crate) position: Vec<u32>,
    /// The steps of literals that are true without decisions, by variable.
    pub(crate) units: Vec<u32>,
    /// How much of the trail has its units.
    recorded: usize,
    pub(crate) seen: Vec<bool>,
    /// Contradictory without any assumption.
    is_unsat: bool,
}

impl<T: Theory> Search<T> {
    /// A search without variables.
    pub fn new(theory: T) -> Search<T> {
        Search {
            theory,
            effort: Effort::default(),
            end: NO_STEP,
            clauses: Clauses::default(),
            values: Values::default(),
            level: Vec::new(),
            reason: Vec::new(),
            trail: Vec::new(),
            head: 0,
            levels: Vec::new(),
            heap: Heap::default(),
            phase: Vec::new(),
            skipped: Vec::new(),
            explained: Vec::new(),
            explained_by: Vec::new(),
            position: Vec::new(),
            units: Vec::new(),
            recorded: 0,
            seen: Vec::new(),
            is_unsat: false,
        }
    }

    /// Adds the next variable.
    pub fn add_var(&mut self) -> usize {
        let var = self.level.len();
        self.clauses.grow();
        self.values.0.extend([0, 0]);
        self.level.push(0);
        self.reason.push(Reason::Decision);
        self.heap.grow(0.0);
        self.phase.push(false);
        self.seen.push(false);
        self.position.push(0);
        self.units.push(NO_STEP);
        var
    }

    /// How many variables there are.
    pub fn vars(&self) -> usize {
        self.level.len()
    }

    /// 1 for true, -1 for false, 0 for open.
    #[inline]
    pub fn value(&self, lit: Lit) -> i8 {
        self.values.of(lit)
    }

    /// Whether a literal is true.
    #[inline]
    pub fn is_true(&self, lit: Lit) -> bool {
        self.value(lit) > 0
    }

    /// The step that shows the value a variable has without decisions.
    pub fn unit(&self, var: usize) -> u32 {
        self.units[var]
    }

    /// Whether the formula is contradictory without any assumption.
    pub fn is_refuted(&self) -> bool {
        self.is_unsat
    }

    pub(crate) fn depth(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Adds a clause that a step of the proof shows; only without decisions.
    pub fn add_clause(&mut self, literals: &[Lit], step: u32) {
        self.add(literals, step, None);
    }

    /// The same for a clause that may be forgotten.
    pub fn add_lesson(&mut self, literals: &[Lit], step: u32) {
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
            let hints: Vec<(Lit, u32)> = gone.map(|&l| (!l, self.units[l.var()])).collect();
            clause.retain(|&l| self.value(l) == 0);
            step = self.theory.derived(&clause, step, &hints);
        }
        match clause.as_slice() {
            [] => self.refute(step),
            [lit] => {
                self.units[lit.var()] = step;
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
        if self.end == NO_STEP {
            self.end = step;
        }
    }

    #[inline]
    pub(crate) fn assign(&mut self, lit: Lit, reason: Reason<T::Why>) {
        debug_assert_eq!(self.value(lit), 0);
        self.values.0[lit.index()] = 1;
        self.values.0[(!lit).index()] = -1;
        let var = lit.var();
        self.level[var] = self.depth();
        self.reason[var] = reason;
        self.position[var] = self.trail.len() as u32;
        self.trail.push(lit);
    }

    fn begin_level(&mut self) {
        let level = Level { trail: self.trail.len(), theory: self.theory.mark() };
        self.levels.push(level);
    }

    /// Takes back all decisions beyond a level.
    pub fn back_to(&mut self, level: u32) {
        if self.depth() <= level {
            return;
        }
        let to = self.levels[level as usize];
        for lit in self.trail.drain(to.trail..) {
            self.values.0[lit.index()] = 0;
            self.values.0[(!lit).index()] = 0;
            self.phase[lit.var()] = lit.is_positive();
            self.heap.insert(lit.var());
        }
        self.head = to.trail;
        self.theory.undo(to.theory);
        self.levels.truncate(level as usize);
        while let Some((var, _)) = self.skipped.pop_if(|(_, at)| *at > level) {
            self.heap.insert(var as usize);
        }
        if level == 0 {
            self.record_units();
            self.explained.clear();
            self.explained_by.clear();
        }
    }

    /// Records the units of what is true without decisions, in the order of
    /// the trail.
    pub(crate) fn record_units(&mut self) {
        debug_assert_eq!(self.depth(), 0);
        while self.recorded < self.trail.len() {
            let lit = self.trail[self.recorded];
            self.recorded += 1;
            if self.units[lit.var()] != NO_STEP {
                continue;
            }
            let mut causes = Vec::new();
            self.antecedents(lit, &mut causes);
            let hints: Vec<(Lit, u32)> =
                causes.iter().map(|&cause| (!cause, self.units[cause.var()])).collect();
            let step = self.reason_step(lit);
            self.units[lit.var()] = self.theory.derived(&[lit], step, &hints);
        }
    }

    /// Follows all consequences of what is true.
    fn propagate(&mut self, budget: &Budget) -> Result<Result<(), Conflict<T>>, Stop> {
        loop {
            while self.head < self.trail.len() {
                let lit = self.trail[self.head];
                self.head += 1;
                if let Err(conflict) = self.propagate_clauses(!lit) {
                    return Ok(Err(conflict));
                }
                if self.theory.speaks(lit) {
                    let answer = self.theory.assert(lit).map_err(Conflict::Clash);
                    if let Err(conflict) = answer.and_then(|()| self.take_implied()) {
                        return Ok(Err(conflict));
                    }
                }
            }
            let answer = self.theory.propagate(budget)?.map_err(Conflict::Clash);
            if let Err(conflict) = answer.and_then(|()| self.take_implied()) {
                return Ok(Err(conflict));
            }
            if self.head == self.trail.len() {
                return Ok(Ok(()));
            }
        }
    }

    /// Makes the literals true that the theory implies.
    fn take_implied(&mut self) -> Result<(), Conflict<T>> {
        let implied = std::mem::take(self.theory.implied());
        let mut result = Ok(());
        for &(lit, why) in &implied {
            match self.value(lit) {
                0 => self.assign(lit, Reason::Theory(why)),
                1 => {}
                _ => {
                    result = Err(Conflict::Implied(lit, why));
                    break;
                }
            }
        }
        let kept = self.theory.implied();
        *kept = implied;
        kept.clear();
        result
    }

    /// Looks after the clauses that watch a literal which became false.
    fn propagate_clauses(&mut self, falsified: Lit) -> Result<(), Conflict<T>> {
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
    pub fn round(&mut self, assumptions: &[Lit], budget: &Budget) -> Result<Round, Stop> {
        let mut allowed = RESTART * luby(self.effort.restarts);
        loop {
            if self.is_unsat {
                return Ok(Round::Refuted);
            }
            if let Err(conflict) = self.propagate(budget)? {
                let (literals, step) = self.literals_of(conflict);
                self.learn(literals, step);
                allowed = allowed.saturating_sub(1);
                if self.effort.conflicts.is_multiple_of(PAUSE) {
                    budget.check()?;
                    if self.theory.pauses(self.effort, false) {
                        self.back_to(0);
                        return Ok(Round::Paused);
                    }
                }
                continue;
            }
            if allowed == 0 {
                self.effort.restarts += 1;
                allowed = RESTART * luby(self.effort.restarts);
                self.back_to(0);
                if self.theory.pauses(self.effort, true) {
                    return Ok(Round::Paused);
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
                    1 => self.begin_level(),
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
            self.begin_level();
            self.assign(lit, Reason::Decision);
        }
    }

    /// The most active open variable that somebody wants, as the theory guesses
    /// it or with its last value.
    fn choose(&mut self) -> Option<Lit> {
        loop {
            let var = self.heap.pop()?;
            if self.value(Lit::new(var, true)) != 0 {
                continue;
            }
            if !self.theory.wants(var, &self.values) {
                self.skipped.push((var as u32, self.depth()));
                continue;
            }
            let guess = self.theory.guess(var).unwrap_or(self.phase[var]);
            return Some(Lit::new(var, guess));
        }
    }

    fn forget(&mut self) {
        let (reason, values) = (&self.reason, &self.values);
        self.clauses.reduce(|lit, clause| {
            values.of(lit) > 0 && reason[lit.var()] == Reason::Clause(clause)
        });
    }
}
