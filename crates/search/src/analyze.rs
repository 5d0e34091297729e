//! Learning from conflicts: the first unique implication point, minimized.
//!
//! Beside the literals go the steps of the proof: of the conflict, and of the
//! clauses it is resolved with, each with the literal it is resolved on, from
//! the youngest to the oldest.

use crate::core::{Conflict, Reason, Search};
use crate::{Lit, NO_STEP, Theory};

/// Literals that are looked at to find out that one is implied by others.
const WALK: usize = 64;

impl<T: Theory> Search<T> {
    /// A conflict as literals that are all false, and its step.
    pub(crate) fn literals_of(&mut self, conflict: Conflict<T>) -> (Vec<Lit>, u32) {
        let mut literals = Vec::new();
        let step = match conflict {
            Conflict::Clause(clause) => {
                self.clauses.touch(clause, self.effort.conflicts as u32);
                let length = self.clauses.len(clause);
                literals.extend((0..length).map(|at| self.clauses.lit(clause, at)));
                self.clauses.step(clause)
            }
            Conflict::Binary(a, b, step) => {
                literals.extend([a, b]);
                step
            }
            Conflict::Clash(clash) => self.theory.clash(clash, &mut literals),
            Conflict::Implied(lit, why) => {
                literals.push(lit);
                self.theory.explain(lit, why, &mut literals)
            }
        };
        (literals, step)
    }

    /// The false literals that made a literal true.
    pub(crate) fn antecedents(&mut self, lit: Lit, into: &mut Vec<Lit>) {
        into.clear();
        match self.reason[lit.var()] {
            Reason::Decision => {}
            Reason::Binary(other, _) => into.push(other),
            Reason::Clause(clause) => {
                self.clauses.touch(clause, self.effort.conflicts as u32);
                let length = self.clauses.len(clause);
                let all = (0..length).map(|at| self.clauses.lit(clause, at));
                into.extend(all.filter(|&l| l != lit));
            }
            Reason::Theory(why) => {
                let step = self.theory.explain(lit, why, into);
                self.remember(lit, into, step);
            }
            Reason::Explained(from, length) => {
                let (from, length) = (from as usize, length as usize);
                into.extend_from_slice(&self.explained[from..from + length]);
            }
        }
    }

    /// Keeps an explanation of a literal that the theory implied.
    fn remember(&mut self, lit: Lit, causes: &[Lit], step: u32) {
        let from = self.explained.len();
        self.explained.extend_from_slice(causes);
        // A place of its own even if there is nothing to explain it by.
        if causes.is_empty() {
            self.explained.push(lit);
        }
        self.explained_by.resize(self.explained.len(), NO_STEP);
        self.explained_by[from] = step;
        self.reason[lit.var()] = Reason::Explained(from as u32, causes.len() as u32);
    }

    /// The step of the clause that made a literal true; its antecedents were
    /// asked for before.
    pub(crate) fn reason_step(&self, lit: Lit) -> u32 {
        match self.reason[lit.var()] {
            Reason::Clause(clause) => self.clauses.step(clause),
            Reason::Binary(_, step) => step,
            Reason::Explained(from, _) => self.explained_by[from as usize],
            Reason::Decision | Reason::Theory(_) => NO_STEP,
        }
    }

    /// Learns from literals that are all false, by a step of the proof, and
    /// goes back to where the lesson says something new.
    pub fn learn(&mut self, mut conflict: Vec<Lit>, step: u32) {
        self.effort.conflicts += 1;
        let top = conflict.iter().map(|l| self.level[l.var()]).max().unwrap_or(0);
        if top == 0 {
            self.back_to(0);
            self.record_units();
            conflict.sort_unstable();
            conflict.dedup();
            let hints: Vec<(Lit, u32)> =
                conflict.iter().map(|&l| (!l, self.units[l.var()])).collect();
            let end = self.theory.derived(&[], step, &hints);
            self.refute(end);
            return;
        }
        self.back_to(top);
        let mut lesson = vec![conflict[0]];
        let (mut open, mut at) = (0usize, self.trail.len());
        let mut touched: Vec<usize> = Vec::new();
        // Positions on the trail and steps, for the proof.
        let mut hints: Vec<(u32, u32)> = Vec::new();
        let point = loop {
            for &lit in &conflict {
                let var = lit.var();
                if self.seen[var] {
                    continue;
                }
                if self.level[var] == 0 {
                    hints.push((self.position[var], self.units[var]));
                    continue;
                }
                self.seen[var] = true;
                touched.push(var);
                self.heap.bump(var);
                if self.level[var] == top {
                    open += 1;
                } else {
                    lesson.push(lit);
                }
            }
            loop {
                at -= 1;
                if self.seen[self.trail[at].var()] {
                    break;
                }
            }
            let lit = self.trail[at];
            open -= 1;
            if open == 0 {
                break lit;
            }
            self.antecedents(lit, &mut conflict);
            hints.push((at as u32, self.reason_step(lit)));
        };
        lesson[0] = !point;
        self.minimize(&mut lesson, &mut touched, &mut hints);
        for var in touched {
            self.seen[var] = false;
        }
        self.heap.decay();
        hints.sort_unstable();
        hints.dedup();
        let youngest = hints.into_iter().rev();
        let hints: Vec<(Lit, u32)> =
            youngest.map(|(at, step)| (self.trail[at as usize], step)).collect();
        let step = self.theory.derived(&lesson, step, &hints);
        self.install(&mut lesson, step);
    }

    /// Leaves out literals that the others imply.
    fn minimize(
        &mut self,
        lesson: &mut Vec<Lit>,
        touched: &mut Vec<usize>,
        hints: &mut Vec<(u32, u32)>,
    ) {
        let mut reasons = Vec::new();
        let mut kept = vec![lesson[0]];
        for &lit in &lesson[1..] {
            if self.reason[lit.var()] == Reason::Decision {
                kept.push(lit);
                continue;
            }
            // All causes, and the causes of those, are among what was seen.
            let (before, hinted) = (touched.len(), hints.len());
            let mut stack = vec![!lit];
            let mut is_implied = true;
            'walk: while let Some(next) = stack.pop() {
                self.antecedents(next, &mut reasons);
                hints.push((self.position[next.var()], self.reason_step(next)));
                for &cause in &reasons {
                    let var = cause.var();
                    if self.level[var] == 0 {
                        hints.push((self.position[var], self.units[var]));
                        continue;
                    }
                    if self.seen[var] {
                        continue;
                    }
                    if self.reason[var] == Reason::Decision || touched.len() > before + WALK {
                        is_implied = false;
                        break 'walk;
                    }
                    self.seen[var] = true;
                    touched.push(var);
                    stack.push(!cause);
                }
            }
            if !is_implied {
                hints.truncate(hinted);
                for var in touched.drain(before..) {
                    self.seen[var] = false;
                }
                kept.push(lit);
            }
        }
        *lesson = kept;
    }

    /// Adds a learned clause and makes its first literal true.
    fn install(&mut self, lesson: &mut [Lit], step: u32) {
        if lesson.len() == 1 {
            self.theory.learned(lesson, 0, step);
            self.back_to(0);
            match self.value(lesson[0]) {
                0 => {
                    self.units[lesson[0].var()] = step;
                    self.assign(lesson[0], Reason::Decision);
                }
                v if v < 0 => {
                    self.record_units();
                    let known = self.units[lesson[0].var()];
                    let end = self.theory.derived(&[], step, &[(!lesson[0], known)]);
                    self.refute(end);
                }
                _ => {}
            }
            return;
        }
        let deepest = (1..lesson.len()).max_by_key(|&at| self.level[lesson[at].var()]);
        lesson.swap(1, deepest.unwrap_or(1));
        let mut levels: Vec<u32> = lesson.iter().map(|l| self.level[l.var()]).collect();
        levels.sort_unstable();
        levels.dedup();
        self.theory.learned(lesson, levels.len(), step);
        self.back_to(self.level[lesson[1].var()]);
        if let [a, b] = *lesson {
            self.clauses.add_binary(a, b, step);
            self.assign(a, Reason::Binary(b, step));
        } else {
            let clause = self.clauses.add(lesson, Some(levels.len() as u32), step);
            self.clauses.touch(clause, self.effort.conflicts as u32);
            self.assign(lesson[0], Reason::Clause(clause));
        }
    }
}
