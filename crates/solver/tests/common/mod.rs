//! What the tests of all solvers share: random formulas over a small box, and
//! the truth about them by enumeration.

#[path = "../../../term/tests/random/mod.rs"]
pub(crate) mod random;

use parallax_term::{Code, Scratch, Sort, Term, TermStore, Value};
use random::{Alphabet, Random};

/// Integers range over `-SIDE..=SIDE`.
const SIDE: i64 = 3;

/// A store with some symbols, and the formula that keeps integers in the box.
pub(crate) struct Box {
    pub(crate) store: TermStore,
    pub(crate) alphabet: Alphabet,
    pub(crate) inside: Term,
}

impl Box {
    pub(crate) fn new(nonlinear: bool) -> Box {
        let mut store = TermStore::new();
        let alphabet = Alphabet::new(&mut store, false, nonlinear);
        let (lo, hi) = (store.int(-SIDE), store.int(SIDE));
        let bounds: Vec<Term> =
            alphabet.ints.iter().flat_map(|x| [store.le(lo, *x), store.le(*x, hi)]).collect();
        let inside = store.and(bounds);
        Box { store, alphabet, inside }
    }

    pub(crate) fn formula(&mut self, random: &mut Random, size: usize) -> Term {
        random.formula(&mut self.store, &self.alphabet, size)
    }

    pub(crate) fn symbols(&self) -> Vec<Term> {
        [self.alphabet.bools.as_slice(), &self.alphabet.ints].concat()
    }

    /// The states of the box that make all formulas true.
    pub(crate) fn solutions(&self, formulas: &[Term]) -> Vec<Vec<Value>> {
        let symbols = self.symbols();
        let code = Code::compile(&self.store, formulas, |t| symbols.iter().position(|s| *s == t));
        let scratch = &mut Scratch::default();
        let mut found = Vec::new();
        let mut state = Vec::new();
        enumerate(&self.alphabet, &mut state, &mut |state| {
            code.run(state, scratch);
            if (0..formulas.len()).all(|i| *code.output(i, scratch) == Value::Bool(true)) {
                found.push(state.to_vec());
            }
        });
        found
    }

    /// Checks that `result` is `exists bound. formula` inside the box.
    #[allow(dead_code, reason = "not every test that includes this file needs it")]
    pub(crate) fn assert_shadow(&mut self, formula: Term, bound: &[Term], result: Term, seed: u64) {
        let left = self.store.vars(result);
        let symbols = self.symbols();
        assert!(left.iter().all(|s| symbols.contains(s) && !bound.contains(s)), "seed {seed}");
        let inside = self.store.and([self.inside, result]);
        let [found, expected] = [inside, formula].map(|formula| {
            let mut states = self.solutions(&[formula]);
            for state in &mut states {
                for (value, symbol) in state.iter_mut().zip(&symbols) {
                    if bound.contains(symbol) {
                        *value = Value::default_of(self.store.sort(*symbol));
                    }
                }
            }
            states.sort();
            states.dedup();
            states
        });
        let difference = (found.len(), expected.len());
        assert!(found == expected, "seed {seed}: {difference:?} {}", self.store.infix(formula));
    }
}

fn enumerate(over: &Alphabet, state: &mut Vec<Value>, visit: &mut dyn FnMut(&[Value])) {
    let bools = over.bools.len();
    if state.len() == bools + over.ints.len() {
        return visit(state);
    }
    let values: Vec<Value> = match state.len() < bools {
        true => vec![false.into(), true.into()],
        false => (-SIDE..=SIDE).map(Value::int).collect(),
    };
    for value in values {
        state.push(value);
        enumerate(over, state, visit);
        state.pop();
    }
}

/// More pigeons than holes, told in truth values: hard for every SAT solver.
#[allow(dead_code, reason = "not every test that includes this file needs it")]
pub(crate) fn pigeons(s: &mut TermStore, holes: usize) -> Term {
    let mut sits = |pigeon: usize, hole: usize| s.var(&format!("{pigeon}:{hole}"), Sort::Bool);
    let rows: Vec<Vec<Term>> =
        (0..=holes).map(|p| (0..holes).map(|h| sits(p, h)).collect()).collect();
    let mut clauses: Vec<Term> = rows.iter().map(|row| s.or(row.iter().copied())).collect();
    for (i, row) in rows.iter().enumerate() {
        for other in &rows[..i] {
            for (a, b) in row.iter().zip(other) {
                let both = s.and([*a, *b]);
                clauses.push(s.not(both));
            }
        }
    }
    s.and(clauses)
}
