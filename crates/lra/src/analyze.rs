//! Learning from conflicts: the first unique implication point, minimized.
//!
//! Beside the literals go the steps of the proof: of the conflict, and of the
//! clauses it is resolved with, which propagate in the order of the trail.

use crate::lit::{Lit, Reason};
use crate::proof::NO_STEP;
use crate::search::{Conflict, Search};
use crate::theory::{NONE, Why};

impl Search {
    /// A conflict as literals that are all false, and its step.
    pub(crate) fn literals_of(&mut self, conflict: Conflict) -> (Vec<Lit>, u32) {
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
            Conflict::Clash(clash) => {
                self.explain(&[clash.lower, clash.upper], &mut literals);
                self.clash_lemma(&[clash.lower, clash.upper])
            }
            Conflict::Implied(item) => {
                literals.push(item.lit);
                self.explain(&[item.first, item.second], &mut literals);
                self.implied_lemma(item.lit, item.first, item.second)
            }
        };
        (literals, step)
    }

    /// Adds the negations of the literals behind some bounds.
    fn explain(&mut self, entries: &[u32], literals: &mut Vec<Lit>) {
        self.stamp += 1;
        let (stamp, theory) = (self.stamp, &self.theory);
        self.entry_mark.resize(self.entry_mark.len().max(theory.entries.len()), 0);
        let mut stack: Vec<u32> = entries.iter().copied().filter(|&e| e != NONE).collect();
        let start = literals.len();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut self.entry_mark[id as usize], stamp) == stamp {
                continue;
            }
            match theory.entries[id as usize].why {
                Why::Literal(lit) => literals.push(!lit),
                Why::Row(_) => theory.causes(id, |cause, _| stack.push(cause)),
            }
        }
        // An equality may be behind two bounds.
        literals[start..].sort_unstable();
        let mut last = None;
        let mut at = 0;
        literals.retain(|&lit| {
            at += 1;
            at <= start || last.replace(lit) != Some(lit)
        });
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
            Reason::Bound(entry) => self.remember(lit, &[entry], into),
            Reason::Bounds(a, b) => self.remember(lit, &[a, b], into),
            Reason::Explained(from, length) => {
                let (from, length) = (from as usize, length as usize);
                into.extend_from_slice(&self.explained[from..from + length]);
            }
        }
    }

    /// Explains a literal that bounds implied, once.
    fn remember(&mut self, lit: Lit, entries: &[u32], into: &mut Vec<Lit>) {
        self.explain(entries, into);
        let second = entries.get(1).copied().unwrap_or(NONE);
        let step = self.implied_lemma(lit, entries[0], second);
        let from = self.explained.len();
        self.explained.extend_from_slice(into);
        // A place of its own even if there is nothing to explain it by.
        if into.is_empty() {
            self.explained.push(lit);
        }
        self.explained_by.resize(self.explained.len(), NO_STEP);
        self.explained_by[from] = step;
        self.reason[lit.var()] = Reason::Explained(from as u32, into.len() as u32);
    }

    /// The step of the clause that made a literal true; its antecedents were
    /// asked for before.
    pub(crate) fn reason_step(&self, lit: Lit) -> u32 {
        match self.reason[lit.var()] {
            Reason::Clause(clause) => self.clauses.step(clause),
            Reason::Binary(_, step) => step,
            Reason::Explained(from, _) => self.explained_by[from as usize],
            Reason::Decision | Reason::Bound(_) | Reason::Bounds(..) => NO_STEP,
        }
    }

    /// Learns from literals that are all false, by a step of the proof, and
    /// goes back to where the lesson says something new.
    pub(crate) fn learn(&mut self, mut conflict: Vec<Lit>, step: u32) {
        self.effort.conflicts += 1;
        let top = conflict.iter().map(|l| self.level[l.var()]).max().unwrap_or(0);
        if top == 0 {
            self.back_to(0);
            self.record_units();
            let mut hints: Vec<u32> = conflict.iter().map(|l| self.proof.units[l.var()]).collect();
            hints.push(step);
            let end = self.proof.derived(&[], &hints);
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
                    hints.push((self.position[var], self.proof.units[var]));
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
        let mut steps: Vec<u32> = hints.into_iter().map(|(_, step)| step).collect();
        steps.push(step);
        let step = self.proof.derived(&lesson, &steps);
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
                        hints.push((self.position[var], self.proof.units[var]));
                        continue;
                    }
                    if self.seen[var] {
                        continue;
                    }
                    if self.reason[var] == Reason::Decision || touched.len() > before + 64 {
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

    /// Offers a lesson to other searches.
    fn tell(&mut self, lesson: &[Lit], levels: usize, step: u32) {
        if let Some(link) = &mut self.link {
            link.tell(lesson, levels, step, &self.atoms);
        }
    }

    /// Adds a learned clause and makes its first literal true.
    fn install(&mut self, lesson: &mut [Lit], step: u32) {
        if lesson.len() == 1 {
            self.tell(lesson, 0, step);
            self.back_to(0);
            match self.value(lesson[0]) {
                0 => {
                    self.proof.units[lesson[0].var()] = step;
                    self.assign(lesson[0], Reason::Decision);
                }
                v if v < 0 => {
                    self.record_units();
                    let known = self.proof.units[lesson[0].var()];
                    let end = self.proof.derived(&[], &[step, known]);
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
        self.tell(lesson, levels.len(), step);
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
