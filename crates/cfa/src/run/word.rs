//! What a run shows to formulas of linear temporal logic.

use parallax_ltl::Lasso;

/// Longer words are not kept; nothing is said of them.
const LONGEST: usize = 1 << 20;

/// The letters that a run has shown, each once as long as it stays the same.
#[derive(Clone, Default, Debug)]
pub(crate) struct Word {
    /// By formula: its atoms as they were given last.
    atoms: Vec<u64>,
    /// Formula and letter.
    letters: Vec<(u32, u64)>,
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

    /// How many letters there are, of all formulas.
    pub(crate) fn len(&self) -> usize {
        self.letters.len()
    }

    /// Shows a letter.
    pub(crate) fn show(&mut self, formula: u64) {
        let letter = self.atoms.get(formula as usize).copied().unwrap_or(0);
        let formula = formula as u32;
        let last = self.letters.iter().rev().find(|(of, ..)| *of == formula);
        if last.is_none_or(|(_, known)| *known != letter) && self.letters.len() <= LONGEST {
            self.letters.push((formula, letter));
        }
    }

    /// The whole word, if what came after so many letters comes again and again; or
    /// the last letter, if nothing did. `None` if there is no letter, or too many.
    ///
    /// # Soundness
    /// Letters are counted, not steps: a letter that is shown in the step in which
    /// the cycle begins is part of the cycle.
    pub(crate) fn lasso(&self, formula: u32, since: usize) -> Option<Lasso> {
        if self.letters.len() > LONGEST {
            return None;
        }
        let (stem, cycle) = self.letters.split_at_checked(since)?;
        let letters = |part: &[(u32, u64)]| -> Vec<u64> {
            part.iter().filter(|(of, _)| *of == formula).map(|(_, letter)| *letter).collect()
        };
        let (stem, mut cycle) = (letters(stem), letters(cycle));
        if cycle.is_empty() {
            cycle.push(*stem.last()?);
        }
        Some(Lasso { stem, cycle })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Letters as their one atom holds; `since` so many of them.
    fn lasso(letters: &[bool], since: usize) -> (Vec<u64>, Vec<u64>) {
        let mut word = Word::default();
        for &holds in letters {
            word.atom(0, 0, holds);
            word.show(0);
        }
        let Lasso { stem, cycle } = word.lasso(0, since).expect("a word");
        (stem, cycle)
    }

    #[test]
    fn what_is_shown_after_the_cycle_began_is_in_it() {
        assert_eq!(lasso(&[false, true, false], 1), (vec![0], vec![1, 0]));
        assert_eq!(lasso(&[false, true, false], 2), (vec![0, 1], vec![0]));
        // What stays the same is one letter; nothing new repeats the last one.
        assert_eq!(lasso(&[false, true, true], 2), (vec![0, 1], vec![1]));
    }
}
