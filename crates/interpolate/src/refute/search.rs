//! A search for a model that learns from conflicts, and keeps the proof.
//!
//! The usual search: watched literals, first unique implication points,
//! activities, restarts. Every learned clause records the resolutions that
//! made it. A variable that is fixed without decisions has a unit clause with
//! a proof, so proofs never refer to the trail. No clause is ever dropped: the
//! proof may need it, and the problems are small.
//!
//! Atoms are guessed as the last solution of the simplex has them, so that the
//! guess costs no pivot. A variable is guessed only if a clause of the problem
//! that has it is not true yet: a bound that nobody asks for would only be in
//! the way of others.

use super::clause::{Clause, Lit, Origin};
use super::theory::Theory;
use parallax_base::{Budget, Stop};
use parallax_search::{Heap, luby};
use parallax_term::TermStore;
use std::cmp::Reverse;

/// When the search gives up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// At once with more clauses than this.
    pub(crate) clauses: usize,
    /// After so many conflicts.
    pub(crate) conflicts: usize,
    /// After so many splits of integers.
    pub(crate) branches: usize,
}

/// Conflicts before the first restart.
const RESTART: u64 = 64;

/// How the search ended.
pub(crate) enum Verdict {
    /// With the empty clause, at this position.
    Refuted(usize),
    /// Without a refutation.
    Open,
}

const NONE: usize = usize::MAX;

/// The state of the search.
pub(crate) struct Search {
    clauses: Vec<Clause>,
    /// For each literal, the clauses that watch its negation, with another of
    /// their literals.
    watches: Vec<Vec<(usize, Lit)>>,
    value: Vec<Option<bool>>,
    level: Vec<u32>,
    reason: Vec<usize>,
    trail: Vec<Lit>,
    levels: Vec<usize>,
    propagated: usize,
    asserted: usize,
    order: Heap,
    phase: Vec<bool>,
    seen: Vec<bool>,
    /// The clauses of the parts that have each variable.
    occurrences: Vec<Vec<u32>>,
    /// Variables that nobody asked for, and how many levels there were then.
    skipped: Vec<(u32, u32)>,
    /// A clause that is violated from the start.
    wrong: Option<usize>,
}

impl Search {
    pub(crate) fn new(vars: usize) -> Search {
        let mut search = Search {
            clauses: Vec::new(),
            watches: Vec::new(),
            value: Vec::new(),
            level: Vec::new(),
            reason: Vec::new(),
            trail: Vec::new(),
            levels: Vec::new(),
            propagated: 0,
            asserted: 0,
            order: Heap::default(),
            phase: Vec::new(),
            seen: Vec::new(),
            occurrences: Vec::new(),
            skipped: Vec::new(),
            wrong: None,
        };
        search.grow(vars);
        search
    }

    fn grow(&mut self, vars: usize) {
        for _ in self.value.len()..vars {
            self.watches.extend([Vec::new(), Vec::new()]);
            self.value.push(None);
            self.level.push(0);
            self.reason.push(NONE);
            self.order.grow(0.0);
            self.phase.push(false);
            self.seen.push(false);
            self.occurrences.push(Vec::new());
        }
    }

    pub(crate) fn clauses(&self) -> &[Clause] {
        &self.clauses
    }

    /// Adds a clause of the problem.
    pub(crate) fn add(&mut self, mut clause: Clause) {
        clause.literals.sort_unstable();
        clause.literals.dedup();
        let is_idle = clause.literals.windows(2).any(|pair| pair[0].var() == pair[1].var());
        if is_idle {
            return;
        }
        let id = self.keep(clause);
        let Clause { literals, origin } = &self.clauses[id];
        if matches!(origin, Origin::Part(..)) && literals.len() > 1 {
            for literal in literals {
                self.occurrences[literal.var() as usize].push(id as u32);
            }
        }
        match self.clauses[id].literals[..] {
            [] => self.wrong = self.wrong.or(Some(id)),
            [unit] => match self.truth(unit) {
                Some(true) => {}
                Some(false) => self.wrong = self.wrong.or(Some(id)),
                None => self.enqueue(unit, id),
            },
            _ => self.watch(id),
        }
    }

    fn keep(&mut self, clause: Clause) -> usize {
        self.clauses.push(clause);
        self.clauses.len() - 1
    }

    fn watch(&mut self, id: usize) {
        let [first, second, ..] = self.clauses[id].literals[..] else { return };
        self.watches[first.index()].push((id, second));
        self.watches[second.index()].push((id, first));
    }

    fn truth(&self, literal: Lit) -> Option<bool> {
        self.value[literal.var() as usize].map(|value| value == literal.is_positive())
    }

    fn depth(&self) -> u32 {
        self.levels.len() as u32
    }

    /// Makes a literal true. Without decisions, the reason becomes a unit clause.
    fn enqueue(&mut self, literal: Lit, reason: usize) {
        let var = literal.var() as usize;
        let mut reason = reason;
        if self.levels.is_empty() && self.clauses[reason].literals.len() > 1 {
            let others = self.clauses[reason].literals.iter().filter(|l| **l != literal);
            let steps = others.map(|l| (l.var(), self.reason[l.var() as usize])).collect();
            let origin = Origin::Chain(reason, steps);
            reason = self.keep(Clause { literals: vec![literal], origin });
        }
        self.value[var] = Some(literal.is_positive());
        self.level[var] = self.depth();
        self.reason[var] = reason;
        self.trail.push(literal);
    }

    /// Follows clauses with one open literal; a violated clause if one comes up.
    fn propagate(&mut self) -> Option<usize> {
        while let Some(&literal) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let wrong = literal.negated();
            let mut list = std::mem::take(&mut self.watches[wrong.index()]);
            let (mut at, mut conflict) = (0, None);
            while at < list.len() {
                let (id, other) = list[at];
                if self.truth(other) == Some(true) {
                    at += 1;
                    continue;
                }
                let literals = &mut self.clauses[id].literals;
                if literals[0] == wrong {
                    literals.swap(0, 1);
                }
                let first = literals[0];
                let is_open =
                    |l: &Lit| self.value[l.var() as usize].is_none_or(|v| v == l.is_positive());
                if first != other && self.value[first.var() as usize] == Some(first.is_positive()) {
                    list[at].1 = first;
                    at += 1;
                    continue;
                }
                if let Some(next) = literals[2..].iter().position(is_open) {
                    literals.swap(1, next + 2);
                    let watched = literals[1];
                    self.watches[watched.index()].push((id, first));
                    list.swap_remove(at);
                    continue;
                }
                at += 1;
                match self.truth(first) {
                    Some(true) => {}
                    Some(false) => {
                        conflict = Some(id);
                        break;
                    }
                    None => self.enqueue(first, id),
                }
            }
            self.watches[wrong.index()].append(&mut list);
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Tells the simplex about new bounds; a violated lemma if it objects.
    fn ask(&mut self, theory: &mut Theory, budget: &Budget) -> Result<Option<usize>, Stop> {
        let mut is_new = false;
        while let Some(&literal) = self.trail.get(self.asserted) {
            self.asserted += 1;
            is_new |= theory.assert(literal);
        }
        if !is_new {
            return Ok(None);
        }
        Ok(theory.conflict(budget)?.map(|lemma| self.keep(lemma)))
    }

    fn backtrack(&mut self, depth: u32, theory: &mut Theory) {
        while self.depth() > depth {
            let Some(length) = self.levels.pop() else { break };
            theory.pop();
            while self.trail.len() > length {
                let Some(literal) = self.trail.pop() else { break };
                let var = literal.var();
                self.value[var as usize] = None;
                self.reason[var as usize] = NONE;
                self.phase[var as usize] = literal.is_positive();
                self.order.insert(var as usize);
            }
            self.propagated = self.propagated.min(length);
            self.asserted = self.asserted.min(length);
        }
        while let Some(&(var, level)) = self.skipped.last()
            && level > depth
        {
            self.skipped.pop();
            self.order.insert(var as usize);
        }
    }

    /// Looks for a refutation.
    pub(crate) fn run(
        &mut self,
        store: &mut TermStore,
        theory: &mut Theory,
        limits: Limits,
        budget: &Budget,
    ) -> Result<Verdict, Stop> {
        if let Some(wrong) = self.wrong {
            return Ok(Verdict::Refuted(self.empty(wrong)));
        }
        let (mut conflicts, mut until_restart, mut restarts) = (0u64, RESTART, 0);
        loop {
            let mut conflict = self.propagate();
            if conflict.is_none() {
                conflict = self.ask(theory, budget)?;
            }
            if let Some(conflict) = conflict {
                conflicts += 1;
                if conflicts % 16 == 0 {
                    budget.check()?;
                }
                let levels = self.clauses[conflict].literals.iter();
                let depth = levels.map(|l| self.level[l.var() as usize]).max().unwrap_or(0);
                self.backtrack(depth, theory);
                if depth == 0 {
                    return Ok(Verdict::Refuted(self.empty(conflict)));
                }
                if conflicts > limits.conflicts as u64 {
                    return Ok(Verdict::Open);
                }
                self.learn(conflict, theory);
                continue;
            }
            if conflicts >= until_restart {
                until_restart = conflicts + RESTART * luby(restarts);
                restarts += 1;
                self.backtrack(0, theory);
                continue;
            }
            match self.decision(theory) {
                Some(literal) => {
                    self.levels.push(self.trail.len());
                    theory.push();
                    self.enqueue_decision(literal);
                }
                None => {
                    budget.check()?;
                    if theory.branches > limits.branches || theory.branch(store).is_none() {
                        return Ok(Verdict::Open);
                    }
                    self.grow(theory.len());
                }
            }
        }
    }

    fn enqueue_decision(&mut self, literal: Lit) {
        let var = literal.var() as usize;
        self.value[var] = Some(literal.is_positive());
        self.level[var] = self.depth();
        self.reason[var] = NONE;
        self.trail.push(literal);
    }

    fn decision(&mut self, theory: &Theory) -> Option<Lit> {
        while let Some(var) = self.order.pop() {
            if self.value[var].is_none() {
                let var = var as u32;
                if !self.is_asked_for(var) {
                    self.skipped.push((var, self.depth()));
                    continue;
                }
                let phase = theory.guess(var).unwrap_or(self.phase[var as usize]);
                return Some(Lit::new(var, phase));
            }
        }
        None
    }

    /// Whether some clause of the problem is not true yet and has the variable.
    fn is_asked_for(&self, var: u32) -> bool {
        let occurrences = &self.occurrences[var as usize];
        let is_open = |id: &u32| {
            let literals = &self.clauses[*id as usize].literals;
            !literals.iter().any(|literal| self.truth(*literal) == Some(true))
        };
        // Atoms that split integers occur in no clause.
        occurrences.is_empty() || occurrences.iter().any(is_open)
    }

    /// From a violated clause at the current depth to a learned one, which is
    /// added after going back.
    fn learn(&mut self, conflict: usize, theory: &mut Theory) {
        let depth = self.depth();
        let (mut learned, mut steps, mut fixed) = (Vec::new(), Vec::new(), Vec::new());
        let (mut clause, mut open, mut at) = (conflict, 0, self.trail.len());
        let mut touched: Vec<u32> = Vec::new();
        let first = loop {
            for i in 0..self.clauses[clause].literals.len() {
                let literal = self.clauses[clause].literals[i];
                let var = literal.var();
                if std::mem::replace(&mut self.seen[var as usize], true) {
                    continue;
                }
                touched.push(var);
                match self.level[var as usize] {
                    0 => fixed.push(var),
                    level if level == depth => open += 1,
                    _ => learned.push(literal),
                }
            }
            // The youngest literal of this depth that is still in the clause.
            let literal = loop {
                at -= 1;
                let literal = self.trail[at];
                if self.seen[literal.var() as usize] {
                    break literal;
                }
            };
            open -= 1;
            if open == 0 {
                break literal.negated();
            }
            clause = self.reason[literal.var() as usize];
            steps.push((literal.var(), clause));
        };
        self.shrink(&mut learned, &mut steps, &mut fixed, &mut touched);
        for var in fixed {
            steps.push((var, self.reason[var as usize]));
        }
        for &var in &touched {
            self.seen[var as usize] = false;
            self.order.bump(var as usize);
        }
        self.order.decay();
        learned.sort_unstable_by_key(|l| Reverse(self.level[l.var() as usize]));
        let back = learned.first().map_or(0, |l| self.level[l.var() as usize]);
        learned.insert(0, first);
        let origin = Origin::Chain(conflict, steps.into());
        let id = self.keep(Clause { literals: learned, origin });
        self.backtrack(back, theory);
        self.watch(id);
        self.enqueue(first, id);
    }

    /// Drops literals that the others imply by one clause.
    fn shrink(
        &self,
        learned: &mut Vec<Lit>,
        steps: &mut Vec<(u32, usize)>,
        fixed: &mut Vec<u32>,
        touched: &mut Vec<u32>,
    ) {
        let is_implied = |literal: &Lit| {
            let reason = self.reason[literal.var() as usize];
            reason != NONE
                && self.clauses[reason].literals.iter().all(|l| {
                    l.var() == literal.var()
                        || self.level[l.var() as usize] == 0
                        || learned.contains(l)
                })
        };
        let mut implied: Vec<Lit> = learned.iter().copied().filter(is_implied).collect();
        if implied.is_empty() {
            return;
        }
        learned.retain(|literal| !implied.contains(literal));
        // Youngest first: a literal comes back only from younger ones.
        let position = |literal: &Lit| self.trail.iter().rposition(|l| l.var() == literal.var());
        implied.sort_by_cached_key(|literal| Reverse(position(literal)));
        for literal in implied {
            let reason = self.reason[literal.var() as usize];
            steps.push((literal.var(), reason));
            for l in &self.clauses[reason].literals {
                let var = l.var();
                if self.level[var as usize] == 0 && !fixed.contains(&var) {
                    fixed.push(var);
                    touched.push(var);
                }
            }
        }
    }

    /// The empty clause, from a clause that is violated without decisions.
    fn empty(&mut self, conflict: usize) -> usize {
        let literals = self.clauses[conflict].literals.iter();
        let mut steps: Vec<(u32, usize)> =
            literals.map(|l| (l.var(), self.reason[l.var() as usize])).collect();
        steps.sort_unstable();
        steps.dedup();
        let origin = Origin::Chain(conflict, steps.into());
        self.keep(Clause { literals: Vec::new(), origin })
    }
}
