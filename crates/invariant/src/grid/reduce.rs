//! Short vectors that generate the same group.
//!
//! The lattice reduction of A. K. Lenstra, H. W. Lenstra and L. Lovász (1982),
//! with integers alone (H. Cohen, A Course in Computational Algebraic Number
//! Theory, Algorithm 2.6.7): `d[i]` is the determinant of the products of the
//! first `i` rows with each other, `mu[k][j] * d[j + 1]` is kept in the place of
//! the coefficient `mu[k][j]`.

use super::facts::dot;
use super::lattice::Vector;
use parallax_term::Int;

/// Rows that are independent, and generate the same group as those given; none
/// is much longer than it must be.
pub(super) fn reduced(rows: Vec<Vector>) -> Vec<Vector> {
    let mut basis = Basis::new(rows);
    let mut at = 1;
    while at < basis.rows.len() {
        basis.shorten(at, at - 1);
        if basis.is_out_of_order(at) {
            basis.swap(at);
            at = (at - 1).max(1);
        } else {
            for other in (0..at - 1).rev() {
                basis.shorten(at, other);
            }
            at += 1;
        }
    }
    basis.rows
}

struct Basis {
    rows: Vec<Vector>,
    /// One more than there are rows; the first is one.
    d: Vec<Int>,
    /// Below the diagonal.
    scaled: Vec<Vector>,
}

impl Basis {
    fn new(rows: Vec<Vector>) -> Basis {
        let count = rows.len();
        let mut d = vec![Int::ONE; count + 1];
        let mut scaled = vec![vec![Int::ZERO; count]; count];
        for k in 0..count {
            for j in 0..=k {
                let mut product = dot(&rows[k], &rows[j]);
                for i in 0..j {
                    let rest = &(&d[i + 1] * &product) - &(&scaled[k][i] * &scaled[j][i]);
                    product = rest.div_floor(&d[i]);
                }
                match j < k {
                    true => scaled[k][j] = product,
                    false => d[k + 1] = product,
                }
            }
        }
        Basis { rows, d, scaled }
    }

    /// Takes as much of an earlier row away as makes the row shortest.
    fn shorten(&mut self, at: usize, by: usize) {
        let length = &self.d[by + 1];
        let double = &self.scaled[at][by] + &self.scaled[at][by];
        let times = (&double + length).div_floor(&(length + length));
        if times.is_zero() {
            return;
        }
        let earlier = self.rows[by].clone();
        for (entry, other) in self.rows[at].iter_mut().zip(&earlier) {
            *entry = &*entry - &(&times * other);
        }
        self.scaled[at][by] = &self.scaled[at][by] - &(&times * &self.d[by + 1]);
        for i in 0..by {
            let part = &times * &self.scaled[by][i];
            self.scaled[at][i] = &self.scaled[at][i] - &part;
        }
    }

    /// The condition of Lovász, with three quarters.
    fn is_out_of_order(&self, at: usize) -> bool {
        let (before, here, after) = (&self.d[at - 1], &self.d[at], &self.d[at + 1]);
        let slope = &self.scaled[at][at - 1];
        let four = Int::from(4);
        let left = &four * &(&(after * before) + &(slope * slope));
        left < &Int::from(3) * &(here * here)
    }

    fn swap(&mut self, at: usize) {
        self.rows.swap(at, at - 1);
        for j in 0..at - 1 {
            let (a, b) = (self.scaled[at][j].clone(), self.scaled[at - 1][j].clone());
            (self.scaled[at][j], self.scaled[at - 1][j]) = (b, a);
        }
        let slope = self.scaled[at][at - 1].clone();
        let sum = &(&self.d[at - 1] * &self.d[at + 1]) + &(&slope * &slope);
        let length = sum.div_floor(&self.d[at]);
        for row in &mut self.scaled[at + 1..] {
            let old = row[at].clone();
            let new = &(&self.d[at + 1] * &row[at - 1]) - &(&slope * &old);
            row[at] = new.div_floor(&self.d[at]);
            let sum = &(&length * &old) + &(&slope * &row[at]);
            row[at - 1] = sum.div_floor(&self.d[at + 1]);
        }
        self.d[at] = length;
    }
}

#[cfg(test)]
mod tests {
    use super::super::lattice::Lattice;
    use super::*;

    fn group(rows: &[Vector]) -> Lattice {
        let mut lattice = Lattice::default();
        for row in rows {
            lattice.insert(row);
        }
        lattice
    }

    #[test]
    fn short_rows_generate_the_same_group() {
        let mut seed = 3u64;
        let mut random = |below: i64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
            (seed >> 33) as i64 % below
        };
        for _ in 0..200 {
            let count = 1 + random(4) as usize;
            let turn = 1i64 << (1 + random(32));
            let mut lattice = Lattice::default();
            for at in 0..count {
                let mut row = vec![Int::ZERO; count];
                row[at] = Int::from(turn);
                lattice.insert(&row);
            }
            let row: Vector = (0..count).map(|_| Int::from(random(turn))).collect();
            lattice.insert(&row);
            let short = reduced(lattice.rows().to_vec());
            assert_eq!(group(&short), lattice);
        }
    }

    #[test]
    fn a_factor_that_all_steps_have_does_not_hide_a_short_row() {
        // The sums that vanish modulo 2^32 on multiples of (12, 30).
        let turn = Int::power_of_two(32);
        let mut lattice = Lattice::default();
        for row in [vec![Int::from(5), Int::from(-2)], vec![turn.clone(), Int::ZERO]] {
            lattice.insert(&row);
        }
        lattice.insert(&[Int::ZERO, turn.div_floor(&Int::from(2))]);
        let short = reduced(lattice.rows().to_vec());
        let is_short = |row: &Vector| row.iter().all(|entry| entry.abs() <= Int::from(5));
        assert!(short.iter().any(is_short), "{short:?}");
    }
}
