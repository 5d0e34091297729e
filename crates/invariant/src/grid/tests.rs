//! Laws of grids, and what they say.

use super::Grid;
use super::lattice::Vector;
use parallax_term::{Int, Sort, TermStore, Value};

fn vector(entries: &[i64]) -> Vector {
    entries.iter().map(|&e| Int::from(e)).collect()
}

fn grid(points: &[[i64; 3]]) -> Grid {
    let mut grid = Grid::new(vector(&points[0]), &vector(&[0, 0, 0]));
    for point in points {
        grid.add(&vector(point));
    }
    grid
}

/// Numbers that look random.
struct Random(u64);

impl Random {
    fn next(&mut self, below: i64) -> i64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963);
        ((self.0 >> 33) as i64) % below
    }

    fn points(&mut self) -> Vec<[i64; 3]> {
        let count = 1 + self.next(4);
        (0..count).map(|_| [0; 3].map(|_: i64| self.next(19) - 9)).collect()
    }
}

#[test]
fn facts_hold_of_exactly_the_points() {
    let mut random = Random(2);
    for _ in 0..200 {
        let grid = grid(&random.points());
        let facts = grid.facts();
        for _ in 0..200 {
            let point = vector(&[0; 3].map(|_: i64| random.next(41) - 20));
            let holds = facts.iter().all(|fact| fact.holds(&point));
            assert_eq!(holds, grid.contains(&point), "{grid:?} {facts:?} {point:?}");
        }
        // And of points that do belong to it.
        let mut point = grid.point.clone();
        for row in grid.steps.rows() {
            let times = Int::from(random.next(7) - 3);
            for (entry, step) in point.iter_mut().zip(row) {
                *entry = &*entry + &(&times * step);
            }
        }
        assert!(grid.contains(&point) && facts.iter().all(|fact| fact.holds(&point)));
    }
}

fn check(points: &[[i64; 3]], expected: &[&str]) {
    let mut store = TermStore::new();
    let terms = ["x", "y", "z"].map(|name| store.var(name, Sort::Int));
    let facts = grid(points).facts();
    let facts = facts.iter().map(|fact| fact.formula(&mut store, &terms));
    let facts: Vec<_> = facts.collect();
    let facts: Vec<String> = facts.iter().map(|&fact| store.infix(fact)).collect();
    assert_eq!(facts, expected);
}

#[test]
fn facts_are_short() {
    check(&[[1, 2, 3]], &["x == 1", "y == 2", "z == 3"]);
    check(&[[0, 0, 7], [1, 2, 7]], &["2 * x == y", "z == 7"]);
    check(&[[0, 0, 0], [4, 2, 0], [0, 0, 3]], &["x == 2 * y", "(x % 4) == 0", "(z % 3) == 0"]);
    check(&[[0, 0, 0], [3, 1, 0], [256, 0, 0]], &["z == 0", "((x - 3 * y) % 256) == 0"]);
}

#[test]
fn words_wrap() {
    let turn = Int::from(256);
    let mut grid = Grid::new(vector(&[1, 0]), &[turn.clone(), turn.clone()]);
    grid.add(&vector(&[4, 1]));
    let facts = grid.facts();
    let mut store = TermStore::new();
    let terms = ["a", "b"].map(|name| store.var(name, Sort::Bv(8)));
    let formulas: Vec<_> = facts.iter().map(|f| f.formula(&mut store, &terms)).collect();
    let all = store.and(formulas);
    for b in 0..256u128 {
        for a in 0..256u128 {
            let pairs = [a, b].map(|v| store.bv(8, v));
            let pairs: Vec<_> = terms.into_iter().zip(pairs).collect();
            let value = store.substitute(all, &pairs);
            let expected = (a + 256 * 3 - 3 * b - 1) % 256 == 0;
            assert_eq!(store.value(value), Some(&Value::Bool(expected)), "{a} {b}");
        }
    }
}
