//! Abstract states: explicit values and the truth of each predicate.

use parallax_term::Value;

/// A fixed-length vector of truth values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Bits {
    words: Box<[u64]>,
    len: u32,
}

impl Bits {
    /// The bits of an iterator.
    pub fn new(bits: impl IntoIterator<Item = bool>) -> Bits {
        let (mut words, mut len) = (Vec::new(), 0u32);
        for bit in bits {
            if len % 64 == 0 {
                words.push(0);
            }
            if bit {
                words[len as usize / 64] |= 1 << (len % 64);
            }
            len += 1;
        }
        Bits { words: words.into(), len }
    }

    /// The number of bits.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no bit.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bit at a position.
    pub fn get(&self, index: usize) -> bool {
        self.words[index / 64] >> (index % 64) & 1 == 1
    }

    /// Changes the bit at a position.
    pub fn set(&mut self, index: usize, bit: bool) {
        let mask = 1 << (index % 64);
        if bit {
            self.words[index / 64] |= mask;
        } else {
            self.words[index / 64] &= !mask;
        }
    }

    /// All bits in order.
    pub fn iter(&self) -> impl Iterator<Item = bool> + '_ {
        (0..self.len()).map(|i| self.get(i))
    }
}

/// An abstract state.
///
/// `explicit` lists the values of [`crate::Partition::explicit`] in order;
/// `bits` the truth of each predicate of the current [`crate::Predicates`].
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Cube {
    /// Values of the explicit variables.
    pub explicit: Box<[Value]>,
    /// Truth of the predicates.
    pub bits: Bits,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_across_word_borders() {
        let pattern: Vec<bool> = (0..130).map(|i| i % 3 == 0).collect();
        let mut bits = Bits::new(pattern.iter().copied());
        assert_eq!(bits.iter().collect::<Vec<_>>(), pattern);
        bits.set(64, true);
        bits.set(129, false);
        assert!(bits.get(64) && !bits.get(129) && bits.len() == 130);
    }
}
