//! Random terms for tests, the same for the same seed.

use parallax_term::{Rat, Sort, Term, TermStore};

/// What random terms are built from.
#[derive(Clone)]
pub(crate) struct Alphabet {
    pub(crate) bools: Vec<Term>,
    pub(crate) ints: Vec<Term>,
    pub(crate) reals: Vec<Term>,
    /// Whether unknowns may be multiplied and be divisors.
    pub(crate) nonlinear: bool,
}

impl Alphabet {
    /// Two truth values, three integers and, if wanted, two reals.
    pub(crate) fn new(store: &mut TermStore, with_reals: bool, nonlinear: bool) -> Alphabet {
        let reals: &[&str] = if with_reals { &["r", "q"] } else { &[] };
        Alphabet {
            bools: ["a", "b"].map(|name| store.var(name, Sort::Bool)).into(),
            ints: ["x", "y", "P[0].z"].map(|name| store.var(name, Sort::Int)).into(),
            reals: reals.iter().map(|name| store.var(name, Sort::Real)).collect(),
            nonlinear,
        }
    }
}

/// A small generator of random numbers.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A number below `bound`.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    pub(crate) fn small(&mut self) -> i64 {
        self.below(9) as i64 - 4
    }

    fn pick(&mut self, terms: &[Term]) -> Term {
        terms[self.below(terms.len())]
    }

    /// A formula with about `size` operators.
    pub(crate) fn formula(&mut self, s: &mut TermStore, over: &Alphabet, size: usize) -> Term {
        if size == 0 {
            return self.pick(&over.bools);
        }
        let half = size / 2;
        match self.below(8) {
            0 => {
                let inner = self.formula(s, over, size - 1);
                s.not(inner)
            }
            1 | 2 => {
                let items = [half, half / 2, half / 2].map(|n| self.formula(s, over, n));
                s.and(items)
            }
            3 => {
                let items = [half, half].map(|n| self.formula(s, over, n));
                s.or(items)
            }
            4 => {
                let [a, b] = [half, half].map(|n| self.formula(s, over, n));
                s.iff(a, b)
            }
            _ if !over.reals.is_empty() && self.below(2) == 0 => {
                let [a, b] = [half, half].map(|n| self.real(s, over, n));
                self.compare(s, a, b)
            }
            _ => {
                let [a, b] = [half, half].map(|n| self.int(s, over, n));
                self.compare(s, a, b)
            }
        }
    }

    fn compare(&mut self, s: &mut TermStore, a: Term, b: Term) -> Term {
        match self.below(4) {
            0 => s.le(a, b),
            1 => s.lt(a, b),
            2 => s.ge(a, b),
            _ => s.eq(a, b),
        }
    }

    /// An integer term with about `size` operators.
    pub(crate) fn int(&mut self, s: &mut TermStore, over: &Alphabet, size: usize) -> Term {
        if size == 0 {
            return match self.below(3) {
                0 => s.int(self.small()),
                _ => self.pick(&over.ints),
            };
        }
        let half = size / 2;
        let [a, b] = [half, half].map(|n| self.int(s, over, n));
        match self.below(if over.nonlinear { 9 } else { 7 }) {
            0 | 1 => s.add(a, b),
            2 => s.sub(a, b),
            3 => s.scale(&Rat::from(self.small()), a),
            4 => {
                let c = self.formula(s, over, half);
                s.ite(c, a, b)
            }
            5 => {
                let divisor = s.int(self.small());
                s.div(a, divisor)
            }
            6 => {
                let divisor = s.int(self.small());
                s.modulo(a, divisor)
            }
            7 => s.mul(a, b),
            _ if self.below(2) == 0 => s.div(a, b),
            _ => s.modulo(a, b),
        }
    }

    /// A real term with about `size` operators.
    pub(crate) fn real(&mut self, s: &mut TermStore, over: &Alphabet, size: usize) -> Term {
        if size == 0 {
            return match self.below(4) {
                0 => {
                    let value = Rat::new(self.small().into(), 3.into());
                    s.real(value.unwrap_or(Rat::ZERO))
                }
                _ => self.pick(&over.reals),
            };
        }
        let half = size / 2;
        let [a, b] = [half, half].map(|n| self.real(s, over, n));
        match self.below(if over.nonlinear { 6 } else { 5 }) {
            0 | 1 => s.add(a, b),
            2 => {
                let factor = Rat::new(self.small().into(), 2.into());
                s.scale(&factor.unwrap_or(Rat::ONE), a)
            }
            3 => {
                let int = self.int(s, over, half);
                s.to_real(int)
            }
            4 => {
                let c = self.formula(s, over, half);
                s.ite(c, a, b)
            }
            _ => s.mul(a, b),
        }
    }

    /// A formula over the reals of the alphabet alone.
    #[allow(dead_code, reason = "not every test that includes this file needs it")]
    pub(crate) fn linear_real_formula(
        &mut self,
        s: &mut TermStore,
        over: &Alphabet,
        atoms: usize,
    ) -> Term {
        let mut result = self.pick(&over.bools);
        for _ in 0..atoms {
            let mut left = s.real(Rat::from(self.small()));
            for &x in &over.reals {
                let part = s.scale(&Rat::from(self.small()), x);
                left = s.add(left, part);
            }
            let zero = s.real(Rat::ZERO);
            let atom = self.compare(s, left, zero);
            result = match self.below(4) {
                0 => s.or([result, atom]),
                1 => s.iff(result, atom),
                _ => s.and([result, atom]),
            };
        }
        result
    }
}
