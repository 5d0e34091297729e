//! What a run shows to formulas of linear temporal logic.

use parallax_ltl::Lasso;

/// Longer words are not kept; nothing is said of them.
const LONGEST: usize = 1 << 20;

/// The letters that a run has shown, each once as long as it stays the same.
#[derive(Clone, Default, Debug)]
pub(crate) struct Word {
    /// By formula: its atoms as they were given last.
    atoms: Vec<u64>,
    /// Formula, steps of the run before it, letter.
    letters: Vec<(u32, u64, u64)>,
}

impl Word {
    /// Whether an atom holds from the next letter on.
    pub(crate) fn atom(&mut self, formula: u64, atom: u64, holds: bool) {
        let formula = formula as usize;
        if self.atoms.len() <= formula {
            self.atoms.resize(formula + 1, 0);
        }
        let bit = 1u64.checked_shl(atom as u32).unwrap_or(0);
        let letter = &mut self.atoms[formula];
        *letter = if holds { *letter | bit } else { *letter & !bit };
    }

    /// Shows a letter.
    pub(crate) fn show(&mut self, formula: u64, steps: u64) {
        let letter = self.atoms.get(formula as usize).copied().unwrap_or(0);
        let formula = formula as u32;
        let last = self.letters.iter().rev().find(|(of, ..)| *of == formula);
        if last.is_none_or(|(_, _, known)| *known != letter) && self.letters.len() <= LONGEST {
            self.letters.push((formula, steps, letter));
        }
    }

    /// The whole word, if what came after so many steps comes again and again; or
    /// the last letter, if nothing did. `None` if there is no letter, or too many.
    pub(crate) fn lasso(&self, formula: u32, since: u64) -> Option<Lasso> {
        if self.letters.len() > LONGEST {
            return None;
        }
        let own = self.letters.iter().filter(|(of, ..)| *of == formula);
        let (stem, cycle): (Vec<_>, Vec<_>) = own.partition(|(_, steps, _)| *steps <= since);
        let letters = |part: Vec<&(u32, u64, u64)>| -> Vec<u64> {
            part.into_iter().map(|(_, _, letter)| *letter).collect()
        };
        let (stem, mut cycle) = (letters(stem), letters(cycle));
        if cycle.is_empty() {
            cycle.push(*stem.last()?);
        }
        Some(Lasso { stem, cycle })
    }
}
