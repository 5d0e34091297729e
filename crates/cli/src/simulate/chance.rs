//! Reproducible chance: SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
//!
//! Our own, because a run must be the same for the same seed in every version
//! of every library.

/// A source of numbers.
pub(super) struct Chance(u64);

impl Chance {
    pub(super) fn new(seed: u64) -> Chance {
        Chance(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`; 0 for 0. The bias is far below what anyone sees.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(n)) >> 64) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_gives_the_same_numbers() {
        // First outputs of the reference implementation for seed 0.
        let mut chance = Chance::new(0);
        assert_eq!(chance.next(), 0xe220_a839_7b1d_cdaf);
        assert_eq!(chance.next(), 0x6e78_9e6a_a1b9_65f4);
        let mut seen = [false; 5];
        (0..100).for_each(|_| seen[chance.below(5) as usize] = true);
        assert_eq!(seen, [true; 5]);
    }
}
