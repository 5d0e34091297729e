//! What the literals of the search mean: bounds of columns.
//!
//! The search is that of [`parallax_search`]; here it finds out what a literal
//! says, what bounds imply and why, and what other searches want to know.

use crate::exchange::{Link, News};
use crate::proof::Proof;
use crate::theory::{Atom, Behind, Bounds, Clash, NONE, Why};
use parallax_base::{Budget, Stop};
use parallax_search::Lit;
use parallax_search::{Effort, Theory};

/// Atoms, bounds, and the record of why clauses hold.
#[derive(Clone, Debug, Default)]
pub(crate) struct Meaning {
    /// The atom of each variable that has one.
    pub(crate) atoms: Vec<Option<Atom>>,
    /// Whether a literal, once true, bounds its column.
    pub(crate) speaks: Vec<bool>,
    pub(crate) bounds: Bounds,
    pub(crate) proof: Proof,
    /// The tie to other searches.
    pub(crate) link: Option<Link>,
    entry_mark: Vec<u32>,
    stamp: u32,
}

impl Meaning {
    /// Notes what the next variable of the search is.
    pub(crate) fn add_var(&mut self, atom: Option<Atom>) {
        self.speaks.extend([false, false]);
        if let Some(atom) = &atom {
            self.bounds.add_atom(atom, self.atoms.len());
        }
        self.atoms.push(atom);
    }

    /// Adds the negations of the literals behind some bounds.
    fn behind(&mut self, entries: [u32; 2], literals: &mut Vec<Lit>) {
        self.stamp += 1;
        let (stamp, bounds) = (self.stamp, &self.bounds);
        self.entry_mark.resize(self.entry_mark.len().max(bounds.entries.len()), 0);
        let mut stack: Vec<u32> = entries.into_iter().filter(|&e| e != NONE).collect();
        let start = literals.len();
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut self.entry_mark[id as usize], stamp) == stamp {
                continue;
            }
            match bounds.entries[id as usize].why {
                Why::Literal(lit) => literals.push(!lit),
                Why::Row(_) => bounds.causes(id, |cause, _| stack.push(cause)),
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
}

impl Theory for Meaning {
    type Why = Behind;
    type Clash = Clash;
    type Mark = usize;

    fn mark(&mut self) -> usize {
        self.bounds.mark()
    }

    fn undo(&mut self, mark: usize) {
        self.bounds.undo(mark);
    }

    #[inline]
    fn speaks(&self, lit: Lit) -> bool {
        self.speaks[lit.index()]
    }

    fn assert(&mut self, lit: Lit) -> Result<(), Clash> {
        match &self.atoms[lit.var()] {
            Some(atom) => self.bounds.assert(atom, lit),
            None => Ok(()),
        }
    }

    fn propagate(&mut self, _: &Budget) -> Result<Result<(), Clash>, Stop> {
        Ok(self.bounds.propagate())
    }

    fn implied(&mut self) -> &mut Vec<(Lit, Behind)> {
        &mut self.bounds.implied
    }

    fn explain(&mut self, lit: Lit, why: Behind, into: &mut Vec<Lit>) -> u32 {
        self.behind([why.first, why.second], into);
        self.implied_lemma(lit, why)
    }

    fn clash(&mut self, clash: Clash, into: &mut Vec<Lit>) -> u32 {
        self.behind([clash.lower, clash.upper], into);
        self.clash_lemma(clash)
    }

    fn derived(&mut self, clause: &[Lit], first: u32, others: &[(Lit, u32)]) -> u32 {
        // The steps propagate from the oldest to the youngest.
        let oldest = others.iter().rev().map(|(_, step)| *step);
        let steps: Vec<u32> = oldest.chain([first]).collect();
        self.proof.derived(clause, &steps)
    }

    fn learned(&mut self, clause: &[Lit], levels: usize, step: u32) {
        if let Some(link) = &mut self.link {
            link.tell(clause, levels, step, &self.atoms);
        }
    }

    fn pauses(&mut self, _: Effort, is_restart: bool) -> bool {
        let news = self.link.as_mut().map_or(News::None, Link::publish);
        if is_restart { news > News::None } else { news == News::Answer }
    }
}
