//! Conjunctions of literals over at most 64 atoms: the labels of edges.

/// Some atoms that must hold and some that must not; no atom is both.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Cube {
    /// Atoms that hold, one bit each.
    pub yes: u64,
    /// Atoms that do not hold, one bit each.
    pub no: u64,
}

impl Cube {
    /// The cube that every letter satisfies.
    pub const TRUE: Cube = Cube { yes: 0, no: 0 };

    /// Whether a letter satisfies the cube.
    pub fn holds(self, letter: u64) -> bool {
        letter & self.yes == self.yes && letter & self.no == 0
    }

    /// Both cubes, if they do not contradict each other.
    pub fn and(self, other: Cube) -> Option<Cube> {
        let both = Cube { yes: self.yes | other.yes, no: self.no | other.no };
        (both.yes & both.no == 0).then_some(both)
    }

    /// Whether every letter of this cube satisfies the other.
    pub fn implies(self, other: Cube) -> bool {
        other.yes & !self.yes == 0 && other.no & !self.no == 0
    }

    /// The one cube with the letters of both, if there is one: they differ in
    /// the sign of one literal.
    fn joined(self, other: Cube) -> Option<Cube> {
        let (yes, no) = (self.yes ^ other.yes, self.no ^ other.no);
        let same_atoms = (self.yes | self.no) == (other.yes | other.no);
        (same_atoms && yes == no && yes.count_ones() == 1)
            .then_some(Cube { yes: self.yes & !yes, no: self.no & !no })
    }
}

/// Whether every letter of a cube satisfies one of the others.
///
/// Splits on an atom of a cube that decides something, and goes on with both
/// halves; each split fixes an atom, so the stack is at most 65 deep.
pub(crate) fn is_covered(cube: Cube, by: &[Cube]) -> bool {
    if by.iter().any(|&other| cube.implies(other)) {
        return true;
    }
    let near: Vec<Cube> = by.iter().copied().filter(|o| cube.and(*o).is_some()).collect();
    let Some(first) = near.first() else { return false };
    let open = (first.yes | first.no) & !(cube.yes | cube.no);
    let bit = open & open.wrapping_neg();
    is_covered(Cube { yes: cube.yes | bit, no: cube.no }, &near)
        && is_covered(Cube { yes: cube.yes, no: cube.no | bit }, &near)
}

/// Fewer cubes with the same letters, in increasing order.
pub(crate) fn minimized(mut cubes: Vec<Cube>) -> Vec<Cube> {
    loop {
        cubes.sort_unstable();
        cubes.dedup();
        let pairs = (0..cubes.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
        let mut found: Vec<Cube> = pairs.filter_map(|(i, j)| cubes[i].joined(cubes[j])).collect();
        found.retain(|cube| !cubes.iter().any(|other| cube.implies(*other)));
        if found.is_empty() {
            break;
        }
        cubes.extend(found);
        let all = cubes.clone();
        cubes.retain(|c| !all.iter().any(|o| o != c && c.implies(*o)));
    }
    // What the others cover together is not needed either.
    let mut at = 0;
    while at < cubes.len() {
        let cube = cubes.remove(at);
        if !is_covered(cube, &cubes) {
            cubes.insert(at, cube);
            at += 1;
        }
    }
    cubes
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cube(text: &str) -> Cube {
        let mut cube = Cube::TRUE;
        for (i, c) in text.chars().enumerate() {
            match c {
                '1' => cube.yes |= 1 << i,
                '0' => cube.no |= 1 << i,
                _ => {}
            }
        }
        cube
    }

    #[test]
    fn covering_is_decided_letter_by_letter() {
        // All lists of two cubes over three atoms, against all letters.
        let all: Vec<Cube> = (0..27)
            .map(|n| cube(&[n % 3, n / 3 % 3, n / 9].map(|d| ["-", "0", "1"][d]).concat()))
            .collect();
        for &c in &all {
            for &a in &all {
                for &b in &all {
                    let by = [a, b];
                    let expected =
                        (0..8).filter(|l| c.holds(*l)).all(|l| by.iter().any(|o| o.holds(l)));
                    assert_eq!(is_covered(c, &by), expected, "{c:?} by {by:?}");
                    let small = minimized(vec![a, b, c]);
                    for letter in 0..8 {
                        let before = [a, b, c].iter().any(|o| o.holds(letter));
                        assert_eq!(small.iter().any(|o| o.holds(letter)), before);
                    }
                }
            }
        }
    }

    #[test]
    fn opposite_literals_vanish() {
        assert_eq!(minimized(vec![cube("1-"), cube("0-")]), [Cube::TRUE]);
        assert_eq!(minimized(vec![cube("11"), cube("10"), cube("0-")]), [Cube::TRUE]);
        let mut expected = [cube("1-"), cube("-1")];
        expected.sort();
        assert_eq!(minimized(vec![cube("10"), cube("-1"), cube("11")]), expected[..]);
    }
}
