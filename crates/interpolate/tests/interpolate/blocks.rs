//! Paths through blocks of many statements, as programs give them: all
//! statements of a block are one part, with nested conditional numbers or with
//! disjunctions over local symbols. The last part asks for a value that no
//! interval of the variables allows.

use crate::path::{Random, check};
use parallax_base::Budget;
use parallax_interpolate::{Method, Options, Outcome, sequence};
use parallax_solver::Z3;
use parallax_term::{Sort, Term, TermStore};
use std::time::{Duration, Instant};

/// A path with the interval of each variable.
struct Blocks {
    store: TermStore,
    random: Random,
    now: Vec<Term>,
    range: Vec<(i64, i64)>,
    parts: Vec<Term>,
    fresh: usize,
}

impl Blocks {
    fn new(seed: u64, variables: usize) -> Blocks {
        let (mut store, mut random) = (TermStore::new(), Random::new(seed));
        let now: Vec<Term> =
            (0..variables).map(|i| store.var(&format!("v{i}"), Sort::Int)).collect();
        let (mut range, mut start) = (Vec::new(), Vec::new());
        for &variable in &now {
            let low = random.below(5) as i64;
            let high = low + random.below(6) as i64;
            range.push((low, high));
            let (low, high) = (store.int(low), store.int(high));
            start.extend([store.le(low, variable), store.le(variable, high)]);
        }
        let parts = vec![store.and(start)];
        Blocks { store, random, now, range, parts, fresh: 0 }
    }

    fn symbol(&mut self) -> Term {
        self.fresh += 1;
        self.store.var(&format!("s{}", self.fresh), Sort::Int)
    }

    /// A block of statements; with `names` each value has a symbol of its own.
    fn block(&mut self, statements: usize, names: bool) {
        let (mut values, mut conjuncts) = (self.now.clone(), Vec::new());
        for _ in 0..statements {
            let [a, b, c] = [0; 3].map(|_| self.random.below(values.len()));
            let (step, number) = (self.random.below(7) as i64 - 3, self.random.below(9) as i64);
            let s = &mut self.store;
            let (step_term, number_term) = (s.int(step), s.int(number));
            let guard = match self.random.below(2) {
                0 => s.le(values[b], number_term),
                _ => s.lt(values[b], values[c]),
            };
            let then = s.add(values[a], step_term);
            let (otherwise, (low, high)) = match self.random.below(3) {
                0 => (number_term, (number, number)),
                _ => (values[c], self.range[c]),
            };
            let range = &mut self.range[a];
            *range = ((range.0 + step).min(low), (range.1 + step).max(high));
            values[a] = if names {
                let name = self.symbol();
                let s = &mut self.store;
                let (is_then, is_otherwise) = (s.eq(name, then), s.eq(name, otherwise));
                let not_guard = s.not(guard);
                let cases = [s.and([guard, is_then]), s.and([not_guard, is_otherwise])];
                conjuncts.push(s.or(cases));
                name
            } else {
                self.store.ite(guard, then, otherwise)
            };
        }
        for (at, value) in values.into_iter().enumerate() {
            if value != self.now[at] {
                let name = self.symbol();
                conjuncts.push(self.store.eq(name, value));
                self.now[at] = name;
            }
        }
        self.parts.push(self.store.and(conjuncts));
    }

    /// Asks for a value outside the interval.
    fn end(&mut self) {
        let at = self.random.below(self.now.len());
        let high = self.store.int(self.range[at].1);
        self.parts.push(self.store.lt(high, self.now[at]));
    }
}

#[test]
fn refutations_of_blocks_are_found() {
    let options = &Options { methods: vec![Method::Proof], ..Options::default() };
    for (length, statements, names) in [(4, 3, false), (8, 6, false), (8, 6, true), (20, 3, true)] {
        let (mut nodes, mut formulas, mut time) = (0, 0, Duration::ZERO);
        for seed in 0..25 {
            let mut blocks = Blocks::new(seed, 4);
            (0..length).for_each(|_| blocks.block(statements, names));
            blocks.end();
            let Blocks { store, parts, .. } = &mut blocks;
            let budget = Budget::new(Some(Duration::from_secs(60)), None);
            let started = Instant::now();
            let outcome = sequence(store, &mut Z3::new(), parts, options, &budget);
            time += started.elapsed();
            let Ok(Outcome::Found(found)) = outcome else { panic!("seed {seed}: {outcome:?}") };
            check(store, parts, &found.formulas, &format!("seed {seed}"));
            for formula in found.formulas {
                if store.value(formula).is_none() {
                    nodes += store.subterms(&[formula]).len();
                    formulas += 1;
                }
            }
        }
        println!(
            "{length} blocks of {statements} statements: {} nodes each, {:?} each",
            nodes / formulas,
            time / 25
        );
        assert!(nodes < formulas * 60, "the interpolants are small");
    }
}
