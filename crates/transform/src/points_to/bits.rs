//! Sets of small numbers as vectors of bits.

/// A set of numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Bits {
    words: Vec<u64>,
}

impl Bits {
    /// Adds a number; says whether it is new.
    pub(super) fn insert(&mut self, n: u32) -> bool {
        let (word, bit) = (n as usize / 64, 1u64 << (n % 64));
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        let old = self.words[word];
        self.words[word] |= bit;
        old & bit == 0
    }

    /// Adds all numbers of another set; says whether one is new.
    pub(super) fn union(&mut self, other: &Bits) -> bool {
        if self.words.len() < other.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        let mut grew = false;
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            grew |= *theirs & !*mine != 0;
            *mine |= *theirs;
        }
        grew
    }

    /// The numbers of this set that are not in another.
    pub(super) fn minus(&self, other: &Bits) -> Bits {
        let get = |i: usize| other.words.get(i).copied().unwrap_or(0);
        Bits { words: self.words.iter().enumerate().map(|(i, w)| w & !get(i)).collect() }
    }

    /// The numbers in both sets.
    pub(super) fn keep(&mut self, other: &Bits) {
        self.words.truncate(other.words.len());
        for (mine, theirs) in self.words.iter_mut().zip(&other.words) {
            *mine &= *theirs;
        }
    }

    /// Whether there is no number.
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|w| *w == 0)
    }

    /// How much memory it takes, as a measure of work.
    pub(super) fn weight(&self) -> u64 {
        self.words.len() as u64
    }

    /// The numbers in order.
    pub(super) fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        self.words.iter().enumerate().flat_map(|(i, word)| {
            let mut rest = *word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                if rest == 0 {
                    return None;
                }
                rest &= rest - 1;
                Some(i as u32 * 64 + bit)
            })
        })
    }
}
