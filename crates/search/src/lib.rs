//! Layer 0: what conflict-driven searches share: which variable comes next
//! ([`Heap`]: the one most active in conflicts, Moskewicz et al., DAC 2001) and
//! when to begin again ([`luby`]).
//!
//! How clauses are stored, what explains a literal and how a proof is kept
//! differs between searches on purpose, and is not here.

mod heap;

pub use heap::Heap;

/// The sequence of Luby, Sinclair and Zuckerman (1993) from 0: 1 1 2 1 1 2 4 ...
pub fn luby(index: u64) -> u64 {
    let (mut size, mut power) = (1, 0);
    while size < index + 1 {
        size = 2 * size + 1;
        power += 1;
    }
    let mut at = index;
    while size - 1 != at {
        size /= 2;
        power -= 1;
        at %= size;
    }
    1 << power
}

#[cfg(test)]
mod tests {
    use super::luby;

    #[test]
    fn the_sequence_of_luby() {
        let start: Vec<u64> = (0..15).map(luby).collect();
        assert_eq!(start, [1, 1, 2, 1, 1, 2, 4, 1, 1, 2, 1, 1, 2, 4, 8]);
    }
}
