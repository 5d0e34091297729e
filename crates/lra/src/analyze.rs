//! Learning from conflicts: the first unique implication point, minimized.

use crate::lit::{Lit, Reason};
use crate::search::{Conflict, Search};
use crate::theory::{NONE, Why};

impl Search {
    /// A conflict as literals that are all false.
    pub(crate) fn literals_of(&mut self, conflict: Conflict) -> Vec<Lit> {
        let mut literals = Vec::new();
        match conflict {
            Conflict::Clause(clause) => {
                self.clauses.touch(clause, self.effort.conflicts as u32);
                let length = self.clauses.len(clause);
                literals.extend((0..length).map(|at| self.clauses.lit(clause, at)));
            }
            Conflict::Binary(a, b) => literals.extend([a, b]),
            Conflict::Clash(clash) => self.explain(&[clash.lower, clash.upper], &mut literals),
            Conflict::Implied(item) => {
                literals.push(item.lit);
                self.explain(&[item.first, item.second], &mut literals);
            }
        }
        literals
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
    fn antecedents(&mut self, lit: Lit, into: &mut Vec<Lit>) {
        into.clear();
        match self.reason[lit.var()] {
            Reason::Decision => {}
            Reason::Binary(other) => into.push(other),
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
        let from = self.explained.len() as u32;
        self.explained.extend_from_slice(into);
        self.reason[lit.var()] = Reason::Explained(from, into.len() as u32);
    }

    /// Learns from literals that are all false, and goes back to where the
    /// lesson says something new.
    pub(crate) fn learn(&mut self, mut conflict: Vec<Lit>) {
        self.effort.conflicts += 1;
        let top = conflict.iter().map(|l| self.level[l.var()]).max().unwrap_or(0);
        if top == 0 {
            self.is_unsat = true;
            return;
        }
        self.back_to(top);
        let mut lesson = vec![conflict[0]];
        let (mut open, mut at) = (0usize, self.trail.len());
        let mut touched: Vec<usize> = Vec::new();
        let point = loop {
            for &lit in &conflict {
                let var = lit.var();
                if self.seen[var] || self.level[var] == 0 {
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
        };
        lesson[0] = !point;
        self.minimize(&mut lesson, &mut touched);
        for var in touched {
            self.seen[var] = false;
        }
        self.heap.decay();
        self.install(&mut lesson);
    }

    /// Leaves out literals that the others imply.
    fn minimize(&mut self, lesson: &mut Vec<Lit>, touched: &mut Vec<usize>) {
        let mut reasons = Vec::new();
        let mut kept = vec![lesson[0]];
        for &lit in &lesson[1..] {
            if self.reason[lit.var()] == Reason::Decision {
                kept.push(lit);
                continue;
            }
            // All causes, and the causes of those, are among what was seen.
            let before = touched.len();
            let mut stack = vec![!lit];
            let mut is_implied = true;
            'walk: while let Some(next) = stack.pop() {
                self.antecedents(next, &mut reasons);
                for &cause in &reasons {
                    let var = cause.var();
                    if self.seen[var] || self.level[var] == 0 {
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
                for var in touched.drain(before..) {
                    self.seen[var] = false;
                }
                kept.push(lit);
            }
        }
        *lesson = kept;
    }

    /// Adds a learned clause and makes its first literal true.
    fn install(&mut self, lesson: &mut [Lit]) {
        if lesson.len() == 1 {
            self.back_to(0);
            match self.value(lesson[0]) {
                0 => self.assign(lesson[0], Reason::Decision),
                v if v < 0 => self.is_unsat = true,
                _ => {}
            }
            return;
        }
        let deepest = (1..lesson.len()).max_by_key(|&at| self.level[lesson[at].var()]);
        lesson.swap(1, deepest.unwrap_or(1));
        let mut levels: Vec<u32> = lesson.iter().map(|l| self.level[l.var()]).collect();
        levels.sort_unstable();
        levels.dedup();
        self.back_to(self.level[lesson[1].var()]);
        if let [a, b] = *lesson {
            self.clauses.add_binary(a, b);
            self.assign(a, Reason::Binary(b));
        } else {
            let clause = self.clauses.add(lesson, Some(levels.len() as u32));
            self.clauses.touch(clause, self.effort.conflicts as u32);
            self.assign(lesson[0], Reason::Clause(clause));
        }
    }
}
