//! Random paths whose parts may contradict each other, and a check of
//! interpolants that shares no code with the crate.

use parallax_base::Budget;
use parallax_solver::{Answer, Solver, Z3};
use parallax_term::{Node, Rat, Scalar, Sort, Term, TermStore};

/// A small generator of numbers (xorshift).
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Random {
        Random(seed.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % n
    }

    pub(crate) fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    fn small(&mut self) -> i64 {
        self.below(9) as i64 - 4
    }
}

/// What the variables of a path are.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Kind {
    Int,
    Real,
    Mixed,
    Bool,
    Bits,
    Words,
    Arrays,
    Products,
}

/// A path in single-assignment form.
pub(crate) struct Path {
    pub(crate) store: TermStore,
    pub(crate) parts: Vec<Term>,
    random: Random,
    kind: Kind,
    /// The current symbol of each variable.
    now: Vec<Term>,
    version: usize,
    /// The symbols after each part.
    history: Vec<Vec<Term>>,
}

impl Path {
    /// A path of `length` parts with up to `branches` alternatives each.
    pub(crate) fn random(seed: u64, kind: Kind, length: usize, branches: usize) -> Path {
        let mut path = Path {
            store: TermStore::new(),
            parts: Vec::new(),
            random: Random::new(seed),
            kind,
            now: Vec::new(),
            version: 0,
            history: Vec::new(),
        };
        let sorts: &[Sort] = match kind {
            Kind::Int => &[Sort::Int, Sort::Int, Sort::Int, Sort::Bool],
            Kind::Real => &[Sort::Real, Sort::Real, Sort::Real],
            Kind::Mixed => &[Sort::Int, Sort::Int, Sort::Real],
            Kind::Bool => &[Sort::Bool, Sort::Bool, Sort::Bool, Sort::Int],
            Kind::Bits => &[Sort::Bv(8), Sort::Bv(8), Sort::Bv(8)],
            Kind::Words => &[Sort::Bv(32), Sort::Bv(32), Sort::Bv(32)],
            Kind::Products => &[Sort::Int, Sort::Int, Sort::Int],
            Kind::Arrays => &[Sort::Array(Scalar::Int, Scalar::Int), Sort::Int, Sort::Int],
        };
        for (i, sort) in sorts.iter().enumerate() {
            let symbol = path.store.var(&format!("v{i}"), *sort);
            path.now.push(symbol);
        }
        // Every part but the last can be reached; the last cannot, if that is
        // found in a few tries.
        let solver = &mut Z3::new();
        for at in 1..=length {
            let before = (path.now.clone(), path.version);
            for _ in 0..12 {
                (path.now, path.version) = before.clone();
                let part = match at {
                    1 => path.literals(4),
                    _ if at == length => path.literals(2),
                    _ => path.block(branches),
                };
                path.parts.truncate(at - 1);
                path.parts.push(part);
                let answer = solver.check(&path.store, &path.parts, &Budget::unlimited());
                if (answer == Ok(Answer::Unsat)) == (at == length) {
                    break;
                }
            }
            path.history.push(path.now.clone());
        }
        path
    }

    /// The symbols of each variable at each cut.
    pub(crate) fn variables(&self) -> Vec<Vec<Option<Term>>> {
        let of = |variable: usize| {
            let values = self.history.iter().map(|now| Some(now[variable]));
            [None].into_iter().chain(values).collect()
        };
        (0..self.now.len()).map(of).collect()
    }

    fn literals(&mut self, count: usize) -> Term {
        let literals: Vec<Term> = (0..count).map(|_| self.literal()).collect();
        self.store.and(literals)
    }

    fn current(&mut self, wanted: fn(Sort) -> bool) -> Option<Term> {
        let fit: Vec<Term> =
            self.now.iter().copied().filter(|t| wanted(self.store.sort(*t))).collect();
        (!fit.is_empty()).then(|| self.random.pick(&fit))
    }

    fn number(&mut self, sort: Sort) -> Term {
        let value = self.random.small();
        match sort {
            Sort::Real => self.store.real(Rat::from(value)),
            Sort::Bv(width) => self.store.bv(width, value.unsigned_abs().into()),
            _ => self.store.int(value),
        }
    }

    /// A value of the sort over the current variables.
    fn value(&mut self, sort: Sort) -> Term {
        let same: Vec<Term> =
            self.now.iter().copied().filter(|t| self.store.sort(*t) == sort).collect();
        let (a, b) = (self.random.pick(&same), self.random.pick(&same));
        match sort {
            Sort::Bool => match self.random.below(3) {
                0 => self.store.not(a),
                1 => self.store.or([a, b]),
                _ => self.literal(),
            },
            Sort::Int | Sort::Real => {
                let c = self.number(sort);
                match self.random.below(6) {
                    0 => c,
                    1 => self.store.add(a, c),
                    2 => self.store.add(a, b),
                    3 => self.store.sub(a, b),
                    4 => {
                        let guard = self.literal();
                        self.store.ite(guard, a, c)
                    }
                    _ if sort == Sort::Int && self.kind == Kind::Int => {
                        let two = self.store.int(2 + self.random.below(2) as i64);
                        let modulo = self.random.below(2) == 0;
                        if modulo { self.store.modulo(a, two) } else { self.store.div(a, two) }
                    }
                    _ if self.kind == Kind::Products => self.store.mul(a, b),
                    _ if self.kind == Kind::Arrays => {
                        let array = self.now[0];
                        self.store.select(array, a)
                    }
                    _ => a,
                }
            }
            Sort::Bv(_) => {
                let c = self.number(sort);
                match self.random.below(6) {
                    0 => c,
                    1 => self.store.bv_add(a, c),
                    2 => self.store.bv_sub(a, b),
                    3 => self.store.bv_and(a, c),
                    4 => self.store.bv_xor(a, b),
                    _ => self.store.bv_add(a, b),
                }
            }
            _ => {
                let (index, value) = (self.value(Sort::Int), self.value(Sort::Int));
                self.store.store(a, index, value)
            }
        }
    }

    /// A literal over the current variables.
    fn literal(&mut self) -> Term {
        let wanted = |sort: Sort| !matches!(sort, Sort::Array(..));
        let Some(symbol) = self.current(wanted) else { return self.store.bool(true) };
        let sort = self.store.sort(symbol);
        if sort == Sort::Bool {
            return if self.random.below(2) == 0 { self.store.not(symbol) } else { symbol };
        }
        let same: Vec<Term> =
            self.now.iter().copied().filter(|t| self.store.sort(*t) == sort).collect();
        let (mut left, other, number) = (symbol, self.random.pick(&same), self.number(sort));
        if self.kind == Kind::Mixed && sort == Sort::Real && self.random.below(2) == 0 {
            let int = self.now[self.random.below(2)];
            let cast = self.store.to_real(int);
            left = self.store.add(left, cast);
        }
        if self.kind == Kind::Arrays && self.random.below(2) == 0 {
            left = self.store.select(self.now[0], left);
        }
        if matches!(sort, Sort::Int | Sort::Real) && self.random.below(3) == 0 {
            left = self.store.add(left, other);
        }
        let right = match self.random.below(3) {
            0 if matches!(sort, Sort::Int | Sort::Real) => self.store.add(other, number),
            1 => other,
            _ => number,
        };
        if matches!(sort, Sort::Bv(_)) {
            return match self.random.below(3) {
                0 => self.store.eq(left, right),
                1 => self.store.bv_ule(left, right),
                _ => self.store.bv_slt(left, right),
            };
        }
        match self.random.below(5) {
            0 => self.store.eq(left, right),
            1 => {
                let eq = self.store.eq(left, right);
                self.store.not(eq)
            }
            2 => self.store.lt(left, right),
            _ => self.store.le(left, right),
        }
    }

    /// Alternatives of a guard and new values.
    fn block(&mut self, branches: usize) -> Term {
        let changed: Vec<usize> =
            (0..self.now.len()).filter(|_| self.random.below(2) == 0).collect();
        self.version += 1;
        let mut next = self.now.clone();
        for &at in &changed {
            let name = format!("v{at}_{}", self.version);
            next[at] = self.store.var(&name, self.store.sort(self.now[at]));
        }
        let mut cases = Vec::new();
        for _ in 0..self.random.below(branches) + 1 {
            let mut case = vec![self.literal()];
            for &at in &changed {
                // Sometimes a new value is arbitrary.
                if self.random.below(8) > 0 {
                    let value = self.value(self.store.sort(self.now[at]));
                    case.push(self.store.eq(next[at], value));
                }
            }
            cases.push(self.store.and(case));
        }
        self.now = next;
        self.store.or(cases)
    }
}

/// Fails unless the formulas are interpolants of the parts.
pub(crate) fn check(store: &mut TermStore, parts: &[Term], formulas: &[Term], what: &str) {
    let budget = &Budget::unlimited();
    assert_eq!(formulas.len(), parts.len() + 1, "{what}");
    assert!(store.is_true(formulas[0]) && store.is_false(formulas[parts.len()]), "{what}");
    let solver = &mut Z3::new();
    for (i, part) in parts.iter().enumerate() {
        let goal = store.not(formulas[i + 1]);
        let answer = solver.check(store, &[formulas[i], *part, goal], budget);
        assert_eq!(answer, Ok(Answer::Unsat), "{what}: step {i}");
    }
    let symbols = |formulas: &[Term]| {
        let mut all = store.subterms(formulas);
        all.retain(|t| matches!(store.node(*t), Node::Var(..)));
        all
    };
    for cut in 0..=parts.len() {
        let (before, after) = (symbols(&parts[..cut]), symbols(&parts[cut..]));
        for symbol in symbols(&[formulas[cut]]) {
            assert!(before.contains(&symbol) && after.contains(&symbol), "{what}: cut {cut}");
        }
    }
}
