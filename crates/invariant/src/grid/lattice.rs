//! Subgroups of `Z^n` in Hermite normal form.
//!
//! Rows are sorted by the column of their first entry, which is positive; the
//! entries of other rows in that column are reduced by it. So two subgroups are
//! equal if and only if their rows are (Cohen, A Course in Computational
//! Algebraic Number Theory, Section 2.4.2).

use parallax_term::Int;

/// A vector of integers.
pub(crate) type Vector = Vec<Int>;

/// A subgroup of `Z^n`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Lattice {
    /// The rows, by increasing pivot.
    rows: Vec<Vector>,
}

impl Lattice {
    /// The rows, by increasing pivot.
    pub(crate) fn rows(&self) -> &[Vector] {
        &self.rows
    }

    /// The columns of the pivots, increasing.
    pub(crate) fn pivots(&self) -> Vec<usize> {
        self.rows.iter().filter_map(|row| pivot(row)).collect()
    }

    /// What is left of a vector after multiples of the rows are taken away;
    /// zero if and only if it is a member.
    pub(crate) fn rest(&self, mut vector: Vector) -> Vector {
        for row in &self.rows {
            if let Some(at) = pivot(row) {
                let times = vector[at].div_floor(&row[at]);
                subtract(&mut vector, &times, row);
            }
        }
        vector
    }

    /// Whether a vector is a member.
    pub(crate) fn contains(&self, vector: &[Int]) -> bool {
        self.rest(vector.to_vec()).iter().all(Int::is_zero)
    }

    /// The least subgroup with one more member; whether it is another one.
    pub(crate) fn insert(&mut self, vector: &[Int]) -> bool {
        let mut rest = self.rest(vector.to_vec());
        let is_new = rest.iter().any(|entry| !entry.is_zero());
        while let Some(at) = pivot(&rest) {
            let place = self.rows.partition_point(|row| pivot(row).is_some_and(|p| p < at));
            match self.rows.get_mut(place).filter(|row| pivot(row) == Some(at)) {
                None => {
                    self.rows.insert(place, rest);
                    break;
                }
                // Euclid's algorithm on the two leading entries.
                Some(row) => {
                    while !rest[at].is_zero() {
                        let times = row[at].div_rem_euclid(&rest[at]);
                        subtract(row, &times.map_or(Int::ZERO, |(times, _)| times), &rest);
                        std::mem::swap(row, &mut rest);
                    }
                }
            }
        }
        if is_new {
            self.normalize();
        }
        is_new
    }

    /// Leading entries become positive, entries above them small.
    fn normalize(&mut self) {
        for at in 0..self.rows.len() {
            let Some(column) = pivot(&self.rows[at]) else { continue };
            if self.rows[at][column].signum() < 0 {
                for entry in &mut self.rows[at] {
                    *entry = -&*entry;
                }
            }
            let (above, row) = self.rows.split_at_mut(at);
            let row = &row[0];
            for other in above {
                let times = other[column].div_floor(&row[column]);
                subtract(other, &times, row);
            }
        }
    }
}

/// The column of the first entry that is not zero.
fn pivot(vector: &[Int]) -> Option<usize> {
    vector.iter().position(|entry| !entry.is_zero())
}

/// `vector -= times * row`
fn subtract(vector: &mut [Int], times: &Int, row: &[Int]) {
    if !times.is_zero() {
        for (entry, by) in vector.iter_mut().zip(row) {
            *entry = &*entry - &(times * by);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(entries: &[i64]) -> Vector {
        entries.iter().map(|&e| Int::from(e)).collect()
    }

    #[test]
    fn a_subgroup_has_one_form() {
        let mut one = Lattice::default();
        for row in [[4, 6, 2], [6, 2, 8], [0, 10, 5]] {
            one.insert(&vector(&row));
        }
        let mut other = Lattice::default();
        for row in [[0, -10, -5], [10, 8, 10], [2, -4, 6], [4, 6, 2]] {
            other.insert(&vector(&row));
        }
        assert_eq!(one, other);
        assert!(one.contains(&vector(&[10, 18, 15])));
        assert!(!one.contains(&vector(&[1, 0, 0])));
    }

    #[test]
    fn members_are_the_sums_of_generators() {
        let generators = [vector(&[3, 1]), vector(&[6, 0])];
        let mut lattice = Lattice::default();
        for generator in &generators {
            lattice.insert(generator);
        }
        for x in -12..=12 {
            for y in -12..=12 {
                // (x, y) = t * (3, 1) + s * (6, 0)
                let is_sum = (x - 3 * y) % 6 == 0;
                assert_eq!(lattice.contains(&vector(&[x, y])), is_sum, "{x} {y}");
            }
        }
    }
}
