//! Clauses of three and more literals, in one array, and who watches them.
//!
//! A clause is a header of four words (length, levels, time of last use, step
//! of the proof) and its literals. The first two literals
//! are watched. Clauses of two literals live in the watch lists alone.

use crate::{Lit, NO_STEP};

/// The header words before the literals of a clause.
const HEADER: usize = 4;
/// Set in the first word for clauses that were learned.
const LEARNED: u32 = 1 << 31;
/// Set in the first word for clauses that are gone.
const GONE: u32 = 1 << 30;

/// Who is to be told when a literal becomes false.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Watch {
    /// Some other literal of the clause; if true, the clause is not looked at.
    pub(crate) blocker: Lit,
    /// The clause; or, if the blocker is all the rest of it, [`BINARY`] and
    /// the step of the proof.
    pub(crate) clause: u32,
}

/// Set in the watch of a clause of two literals.
pub(crate) const BINARY: u32 = 1 << 31;

impl Watch {
    /// The step of a clause of two literals.
    pub(crate) fn step(self) -> Option<u32> {
        let step = match self.clause {
            u32::MAX => NO_STEP,
            flagged => flagged & !BINARY,
        };
        (self.clause & BINARY != 0).then_some(step)
    }
}

/// All clauses.
#[derive(Clone, Debug, Default)]
pub(crate) struct Clauses {
    words: Vec<u32>,
    pub(crate) watches: Vec<Vec<Watch>>,
    learned: Vec<u32>,
}

impl Clauses {
    /// Makes room for one more variable.
    pub(crate) fn grow(&mut self) {
        self.watches.push(Vec::new());
        self.watches.push(Vec::new());
    }

    /// Adds a clause of two literals.
    pub(crate) fn add_binary(&mut self, a: Lit, b: Lit, step: u32) {
        // There are fewer steps than the flag has room for.
        let clause = step | BINARY;
        self.watches[a.index()].push(Watch { blocker: b, clause });
        self.watches[b.index()].push(Watch { blocker: a, clause });
    }

    /// Adds a clause of three or more literals; the first two are watched.
    pub(crate) fn add(&mut self, literals: &[Lit], learned: Option<u32>, step: u32) -> u32 {
        let clause = self.words.len() as u32;
        let flag = if learned.is_some() { LEARNED } else { 0 };
        self.words.push(literals.len() as u32 | flag);
        self.words.push(learned.unwrap_or(0));
        self.words.extend([0, step]);
        self.words.extend(literals.iter().map(|l| l.index() as u32));
        for (at, other) in [(0, 1), (1, 0)] {
            let watch = Watch { blocker: literals[other], clause };
            self.watches[literals[at].index()].push(watch);
        }
        if learned.is_some() {
            self.learned.push(clause);
        }
        clause
    }

    pub(crate) fn len(&self, clause: u32) -> usize {
        (self.words[clause as usize] & !(LEARNED | GONE)) as usize
    }

    pub(crate) fn lit(&self, clause: u32, at: usize) -> Lit {
        Lit::from_index(self.words[clause as usize + HEADER + at] as usize)
    }

    pub(crate) fn swap(&mut self, clause: u32, a: usize, b: usize) {
        let base = clause as usize + HEADER;
        self.words.swap(base + a, base + b);
    }

    /// The step of the proof that the clause came with.
    pub(crate) fn step(&self, clause: u32) -> u32 {
        self.words[clause as usize + 3]
    }

    /// How many learned clauses there are.
    pub(crate) fn learned(&self) -> usize {
        self.learned.len()
    }

    /// The clause took part in a conflict: it is young again.
    pub(crate) fn touch(&mut self, clause: u32, time: u32) {
        if self.words[clause as usize] & LEARNED != 0 {
            self.words[clause as usize + 2] = time;
        }
    }

    /// Forgets the worse half of the learned clauses: those over many levels,
    /// of these the ones that were not used for long. `is_reason` keeps some.
    pub(crate) fn reduce(&mut self, is_reason: impl Fn(Lit, u32) -> bool) {
        let mut all = std::mem::take(&mut self.learned);
        all.sort_by_key(|&c| {
            let word = |at: usize| self.words[c as usize + at];
            (word(1).max(3), std::cmp::Reverse(word(2)))
        });
        let keep = all.len() / 2;
        let mut kept = Vec::with_capacity(keep);
        for (rank, clause) in all.into_iter().enumerate() {
            let glue = self.words[clause as usize + 1];
            if rank < keep || glue <= 2 || is_reason(self.lit(clause, 0), clause) {
                kept.push(clause);
            } else {
                self.words[clause as usize] |= GONE;
            }
        }
        self.learned = kept;
        let words = &self.words;
        for list in &mut self.watches {
            list.retain(|w| w.clause & BINARY != 0 || words[w.clause as usize] & GONE == 0);
        }
    }
}
