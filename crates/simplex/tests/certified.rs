//! Random linear programs: every answer is checked by its certificate, in
//! exact arithmetic, and by a solver that shares no code.
//!
//! A solution must keep all bounds; the shares of an explanation must sum up to
//! a contradiction, those of an optimum to `objective - value <= 0`; a ray must
//! leave no bound. Together these decide every question, so there is nothing
//! left to believe.

use parallax_base::Budget;
use parallax_simplex::{Feasibility, Optimum, Share, Side, Simplex, Var};
use parallax_solver::{Answer, Solver, Z3};
use parallax_term::{Rat, Sort, Term, TermStore};

/// A small generator of numbers (xorshift).
struct Random(u64);

impl Random {
    fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn number(&mut self, size: u64) -> Rat {
        let num = self.below(2 * size + 1) as i64 - size as i64;
        let den = if self.below(5) == 0 { self.below(6) + 1 } else { 1 };
        Rat::new(num.into(), (den as i64).into()).expect("positive")
    }
}

/// A bound as the caller knows it.
#[derive(Clone)]
struct Known {
    form: usize,
    side: Side,
    value: Rat,
    strict: bool,
}

/// A program beside the simplex: sums by form, bounds by tag.
struct Program {
    simplex: Simplex,
    base: Vec<Var>,
    forms: Vec<(Var, Vec<Rat>)>,
    bounds: Vec<Known>,
    scopes: Vec<usize>,
    budget: Budget,
    /// Most bounds hold here.
    hidden: Vec<Rat>,
}

impl Program {
    fn random(random: &mut Random, vars: u64, forms: u64) -> Program {
        let mut simplex = Simplex::new();
        let base: Vec<Var> = (0..vars).map(|_| simplex.var()).collect();
        let mut sums: Vec<(Var, Vec<Rat>)> = Vec::new();
        for (i, var) in base.iter().enumerate() {
            let unit = |j| if i == j { Rat::ONE } else { Rat::ZERO };
            sums.push((*var, (0..base.len()).map(unit).collect()));
        }
        for _ in 0..forms {
            let mut sum = vec![Rat::ZERO; base.len()];
            let mut parts = Vec::new();
            // Forms may be sums of forms.
            for _ in 0..random.below(4) + 1 {
                let (var, row) = sums[random.below(sums.len() as u64) as usize].clone();
                let factor = random.number(5);
                for (total, c) in sum.iter_mut().zip(&row) {
                    *total = &*total + &(c * &factor);
                }
                parts.push((var, factor));
            }
            sums.push((simplex.form(&parts), sum));
        }
        let hidden = base.iter().map(|_| random.number(9)).collect();
        let (bounds, scopes, budget) = (Vec::new(), Vec::new(), Budget::unlimited());
        Program { simplex, base, forms: sums, bounds, scopes, budget, hidden }
    }

    fn assert(&mut self, random: &mut Random) {
        let form = random.below(self.forms.len() as u64) as usize;
        let side = if random.below(2) == 0 { Side::Lower } else { Side::Upper };
        let parts = self.forms[form].1.iter().zip(&self.hidden);
        let there = parts.fold(Rat::ZERO, |total, (c, x)| &total + &(c * x));
        let slack = Rat::from(random.below(5) as i64 - i64::from(random.below(12) == 0) * 5);
        let value = if side == Side::Lower { &there - &slack } else { &there + &slack };
        let known = Known { form, side, value, strict: random.below(3) == 0 };
        let tag = self.bounds.len() as u32;
        self.simplex.assert(self.forms[form].0, side, &known.value, known.strict, tag);
        self.bounds.push(known);
    }

    /// An objective that bounds of some forms could bound.
    fn objective(&self, random: &mut Random) -> Vec<Rat> {
        let mut objective = vec![Rat::ZERO; self.base.len()];
        for _ in 0..random.below(3) + 1 {
            let (_, sum) = &self.forms[random.below(self.forms.len() as u64) as usize];
            let factor = random.number(4);
            for (total, c) in objective.iter_mut().zip(sum) {
                *total = &*total + &(c * &factor);
            }
        }
        objective
    }

    fn push(&mut self) {
        self.simplex.push();
        self.scopes.push(self.bounds.len());
    }

    fn pop(&mut self) {
        self.simplex.pop();
        if let Some(length) = self.scopes.pop() {
            self.bounds.truncate(length);
        }
    }

    /// `sum of shares` as factors and a constant, and whether a strict one is in it.
    fn sum(&self, shares: &[Share]) -> (Vec<Rat>, Rat, bool) {
        let (mut factors, mut constant) = (vec![Rat::ZERO; self.base.len()], Rat::ZERO);
        let mut strict = false;
        for share in shares {
            let known = &self.bounds[share.tag as usize];
            assert_eq!(self.forms[known.form].0, share.var);
            assert_eq!(known.side, share.side);
            assert!(share.factor.signum() > 0);
            let sign = if share.side == Side::Upper { Rat::ONE } else { Rat::from(-1) };
            let factor = &share.factor * &sign;
            for (total, c) in factors.iter_mut().zip(&self.forms[known.form].1) {
                *total = &*total + &(c * &factor);
            }
            constant = &constant - &(&known.value * &factor);
            strict |= known.strict;
        }
        (factors, constant, strict)
    }

    fn contradiction(&self, shares: &[Share]) {
        let (factors, constant, strict) = self.sum(shares);
        assert!(factors.iter().all(Rat::is_zero), "{factors:?}");
        assert!(constant.signum() > 0 || constant.is_zero() && strict, "{constant} {strict}");
    }

    /// The point keeps all bounds, and forms have the values of their sums.
    fn solution(&self) {
        let point = self.simplex.point();
        for (var, sum) in &self.forms {
            let parts = sum.iter().zip(&self.base).map(|(c, v)| c * &point[v.index()]);
            let total = parts.fold(Rat::ZERO, |total, part| &total + &part);
            assert_eq!(total, point[var.index()]);
        }
        for known in &self.bounds {
            let value = &point[self.forms[known.form].0.index()];
            let (low, high) = match known.side {
                Side::Lower => (&known.value, value),
                Side::Upper => (value, &known.value),
            };
            assert!(if known.strict { low < high } else { low <= high });
        }
    }

    /// Checks and verifies; whether there is a solution.
    fn check(&mut self) -> bool {
        match self.simplex.check(&self.budget).expect("no limit") {
            Feasibility::Feasible => {
                self.solution();
                true
            }
            Feasibility::Infeasible(why) => {
                self.contradiction(&why);
                false
            }
        }
    }

    /// Maximizes and verifies the outcome; the bound if there is one.
    fn maximize(&mut self, objective: &[Rat]) -> Option<(Rat, bool)> {
        let terms: Vec<(Var, Rat)> =
            self.base.iter().copied().zip(objective.iter().cloned()).collect();
        match self.simplex.maximize(&terms, &self.budget).expect("no limit") {
            Optimum::Infeasible(why) => {
                self.contradiction(&why);
                None
            }
            Optimum::Bounded { value, attained, proof } => {
                self.solution();
                let (factors, constant, strict) = self.sum(&proof);
                assert_eq!(factors, objective);
                assert_eq!(-&constant, value);
                assert_eq!(strict, !attained);
                let reached = terms
                    .iter()
                    .fold(Rat::ZERO, |total, (var, c)| &total + &(c * &self.simplex.value(*var).0));
                assert_eq!(reached, value);
                Some((value, attained))
            }
            Optimum::Unbounded { ray } => {
                self.solution();
                let direction = |sum: &[Rat]| {
                    let part = |(var, step): &(Var, Rat)| {
                        let at = self.base.iter().position(|b| b == var).expect("no form");
                        &sum[at] * step
                    };
                    ray.iter().map(part).fold(Rat::ZERO, |total, part| &total + &part)
                };
                assert!(direction(objective).signum() > 0);
                for known in &self.bounds {
                    let along = direction(&self.forms[known.form].1).signum();
                    assert!(if known.side == Side::Upper { along <= 0 } else { along >= 0 });
                }
                None
            }
        }
    }
}

#[test]
fn every_answer_has_a_certificate() {
    let (mut yes, mut no, mut optima, mut pivots) = (0, 0, 0, 0);
    for seed in 1..=1500 {
        let random = &mut Random::new(seed);
        let (vars, forms) = (random.below(5) + 1, random.below(8));
        let mut program = Program::random(random, vars, forms);
        for _ in 0..random.below(60) + 5 {
            match random.below(10) {
                0..=4 => program.assert(random),
                5 => program.push(),
                6 => program.pop(),
                7 => {
                    let objective = program.objective(random);
                    optima += usize::from(program.maximize(&objective).is_some());
                }
                _ if program.check() => yes += 1,
                _ => no += 1,
            }
        }
        pivots += program.simplex.pivots();
    }
    println!("{yes} feasible, {no} infeasible, {optima} bounded optima, {pivots} pivots");
    assert!(yes > 2000 && no > 1000 && optima > 500);
}

#[test]
fn larger_programs_stay_exact_and_finish() {
    for seed in 1..=25 {
        let random = &mut Random::new(seed);
        let mut program = Program::random(random, 25, 40);
        let mut feasible = true;
        for _ in 0..80 {
            program.push();
            program.assert(random);
            feasible = program.check();
            if !feasible {
                program.pop();
            }
        }
        assert!(feasible || program.check());
        for _ in 0..8 {
            let objective = program.objective(random);
            program.maximize(&objective);
        }
    }
}

#[test]
fn optima_are_those_of_a_solver() {
    let budget = &Budget::unlimited();
    let mut bounded = 0;
    for seed in 1..=150 {
        let random = &mut Random::new(seed);
        let mut program = Program::random(random, 3, 5);
        for _ in 0..random.below(12) + 3 {
            program.assert(random);
        }
        let store = &mut TermStore::new();
        let symbols: Vec<Term> = (0..3).map(|i| store.var(&format!("x{i}"), Sort::Real)).collect();
        let linear = |store: &mut TermStore, sum: &[Rat]| {
            let mut total = store.real(Rat::ZERO);
            for (symbol, c) in symbols.iter().zip(sum) {
                let part = store.scale(c, *symbol);
                total = store.add(total, part);
            }
            total
        };
        let solver = &mut Z3::new();
        for known in &program.bounds {
            let (mut low, mut high) =
                (linear(store, &program.forms[known.form].1), store.real(known.value.clone()));
            if known.side == Side::Lower {
                std::mem::swap(&mut low, &mut high);
            }
            let bound = if known.strict { store.lt(low, high) } else { store.le(low, high) };
            solver.assert(store, bound);
        }
        let feasible = solver.check(store, &[], budget) == Ok(Answer::Sat);
        assert_eq!(program.check(), feasible, "seed {seed}");
        let objective = program.objective(random);
        let Some((value, attained)) = program.maximize(&objective) else { continue };
        bounded += 1;
        let (goal, value) = (linear(store, &objective), store.real(value));
        let above = store.gt(goal, value);
        let at = store.eq(goal, value);
        assert_eq!(solver.check(store, &[above], budget), Ok(Answer::Unsat), "seed {seed}");
        let reached = solver.check(store, &[at], budget) == Ok(Answer::Sat);
        assert_eq!(reached, attained, "seed {seed}");
    }
    assert!(bounded > 40, "{bounded}");
}

#[test]
fn contradictions_without_a_scope_stay_and_those_within_go() {
    let budget = &Budget::unlimited();
    let mut simplex = Simplex::new();
    let x = simplex.var();
    let double = simplex.form(&[(x, Rat::from(2))]);
    simplex.push();
    simplex.assert(x, Side::Lower, &Rat::from(2), false, 0);
    simplex.assert(x, Side::Upper, &Rat::from(2), true, 1);
    simplex.assert(double, Side::Upper, &Rat::from(-9), true, 2);
    assert!(matches!(simplex.check(budget), Ok(Feasibility::Infeasible(why)) if why.len() == 2));
    simplex.pop();
    assert_eq!(simplex.check(budget), Ok(Feasibility::Feasible));
    simplex.assert(double, Side::Upper, &Rat::from(-8), false, 3);
    assert_eq!(simplex.check(budget), Ok(Feasibility::Feasible));
    assert_eq!(simplex.value(x).0, Rat::from(-4));
    simplex.assert(double, Side::Lower, &Rat::from(9), false, 4);
    simplex.push();
    simplex.pop();
    simplex.pop();
    assert!(matches!(simplex.check(budget), Ok(Feasibility::Infeasible(_))));
    assert_eq!(simplex.bound_of(double, Side::Lower), Some((4, Rat::from(9), false)));
}
