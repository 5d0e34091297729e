//! Columns that differ by a constant: union-find with distances.
//!
//! In a polyhedron of a program's path most equations are `x = y + c` or
//! `x = c`. Merging their columns leaves a small problem for the simplex.

use parallax_simplex::Num;

/// Each column is its root plus a distance. Column 0 is the number zero.
#[derive(Clone, Debug)]
pub(crate) struct Classes {
    parent: Vec<u32>,
    distance: Vec<Num>,
}

/// The root of all columns that are constant.
pub(crate) const ZERO: u32 = 0;

impl Classes {
    /// Every column on its own.
    pub(crate) fn new(columns: usize) -> Classes {
        Classes {
            parent: (0..columns as u32 + 1).collect(),
            distance: vec![Num::ZERO; columns + 1],
        }
    }

    /// The root of a column and the distance from it. A column of the problem
    /// has its number plus one here.
    pub(crate) fn find(&mut self, item: u32) -> (u32, Num) {
        let mut root = item;
        let mut total = Num::ZERO;
        while self.parent[root as usize] != root {
            total = total.add(&self.distance[root as usize]);
            root = self.parent[root as usize];
        }
        // Hang everything on the way directly below the root.
        let (mut at, mut left) = (item, total.clone());
        while self.parent[at as usize] != root && at != root {
            let next = self.parent[at as usize];
            let step = std::mem::replace(&mut self.distance[at as usize], left.clone());
            self.parent[at as usize] = root;
            left = left.sub(&step);
            at = next;
        }
        (root, total)
    }

    /// Merges two roots: `a = b + distance`.
    pub(crate) fn merge(&mut self, a: u32, b: u32, distance: Num) {
        if a == ZERO {
            self.parent[b as usize] = a;
            self.distance[b as usize] = distance.neg();
        } else {
            self.parent[a as usize] = b;
            self.distance[a as usize] = distance;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(value: i64) -> Num {
        Num::from_rat(&value.into())
    }

    #[test]
    fn distances_add_up_along_a_long_chain() {
        let mut classes = Classes::new(5000);
        for column in 1..5000 {
            let (a, x) = classes.find(column);
            let (b, y) = classes.find(column + 1);
            // column = next + 1
            classes.merge(a, b, n(1).add(&y).sub(&x));
        }
        let (root, first) = classes.find(1);
        let (same, last) = classes.find(5000);
        assert_eq!((root, first.sub(&last)), (same, n(4999)));
        let (a, x) = classes.find(2500);
        classes.merge(ZERO, a, x);
        assert_eq!(classes.find(2500), (ZERO, n(0)));
        assert_eq!(classes.find(1), (ZERO, n(2499)));
    }
}
