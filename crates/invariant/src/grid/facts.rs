//! What a grid says: equations and congruences.
//!
//! With rows `B` in Hermite normal form, a vector `x` is a sum of rows if and
//! only if `t = x_P * B_P^-1` is integral and `t * B` is `x`, where `P` are the
//! columns of the pivots. The first is a congruence for each pivot, the second
//! an equation for each other column.

use super::Grid;
use super::lattice::{Lattice, Vector};
use super::reduce::reduced;
use parallax_term::{Int, Linear, Rat, Relation, Sort, Term, TermStore};

/// Congruences between more variables than this are not made short.
const REDUCED: usize = 16;

/// Sums with larger factors are not short.
const SHORT: i64 = 1 << 16;

/// Multiples of a congruence that are tried to make its factors small.
const MULTIPLES: i64 = 64;

/// `factors * x = rest`, or the same modulo a number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Fact {
    /// The factors.
    pub(crate) factors: Vector,
    /// What the sum is.
    pub(crate) rest: Int,
    /// The modulus; zero for an equation.
    pub(crate) modulus: Int,
}

impl Fact {
    /// Whether a point satisfies it.
    #[cfg(test)]
    pub(crate) fn holds(&self, point: &[Int]) -> bool {
        let off = &dot(&self.factors, point) - &self.rest;
        match off.div_rem_euclid(&self.modulus) {
            Some((_, rest)) => rest.is_zero(),
            None => off.is_zero(),
        }
    }

    /// The fact over some terms of one sort, integers or machine words.
    /// A modulus of machine words divides `2^w` for the widest that matter.
    pub(crate) fn formula(&self, store: &mut TermStore, terms: &[Term]) -> Term {
        let matter = terms.iter().zip(&self.factors).filter(|(_, factor)| !factor.is_zero());
        let width = |(&term, _): (&Term, &Int)| match store.sort(term) {
            Sort::Bv(width) => Some(width),
            _ => None,
        };
        match matter.filter_map(width).max() {
            Some(width) => self.of_words(store, terms, width),
            None => self.of_integers(store, terms),
        }
    }

    fn of_integers(&self, store: &mut TermStore, terms: &[Term]) -> Term {
        let mut sum = Linear::constant(Rat::from(-&self.rest));
        for (factor, &term) in self.factors.iter().zip(terms) {
            let part = store.linear(term);
            sum = sum.plus(&Rat::from(factor.clone()), &part);
        }
        if self.modulus.is_zero() {
            return store.relate(Relation::Eq, sum, Sort::Int);
        }
        let sum = store.sum(sum, Sort::Int);
        let modulus = store.int(self.modulus.clone());
        let rest = store.modulo(sum, modulus);
        let zero = store.int(0);
        store.eq(rest, zero)
    }

    /// A congruence of integers over what variables are modulo the modulus: where
    /// they are larger than that, how often it fits is bounded nevertheless, which
    /// a solver is glad to know.
    pub(crate) fn narrow(
        &self,
        store: &mut TermStore,
        terms: &[Term],
        is_wide: &dyn Fn(Term, &Int) -> bool,
    ) -> Option<Term> {
        let matters = |(term, factor): (&Term, &Int)| {
            !factor.is_zero() && store.sort(*term) == Sort::Int && is_wide(*term, &self.modulus)
        };
        let is_small = self.modulus < Int::from(SHORT);
        if is_small || !terms.iter().zip(&self.factors).any(matters) {
            return None;
        }
        let modulus = store.int(self.modulus.clone());
        let mut rests = Vec::new();
        for &term in terms {
            rests.push(if is_wide(term, &self.modulus) {
                store.modulo(term, modulus)
            } else {
                term
            });
        }
        Some(self.of_integers(store, &rests))
    }

    /// `c * x = r` modulo `2^k` is `2^(w-k) * c * x = 2^(w-k) * r` modulo `2^w`.
    fn of_words(&self, store: &mut TermStore, terms: &[Term], width: u32) -> Term {
        let turn = Int::power_of_two(width);
        let lift = if self.modulus.is_zero() { Int::ONE } else { turn.div_floor(&self.modulus) };
        let mut word = |value: &Int| {
            let rest = (value * &lift).div_rem_euclid(&turn).map_or(Int::ZERO, |(_, rest)| rest);
            store.bv(width, rest.to_u128().unwrap_or(0))
        };
        // Products with small numbers are easy for a solver, so negative ones
        // stand on the other side.
        let mut right = word(&self.rest);
        let factors: Vec<(bool, Term)> =
            self.factors.iter().map(|f| (f.signum() < 0, word(&f.abs()))).collect();
        let mut left = store.bv(width, 0);
        for (((is_right, factor), &term), times) in
            factors.into_iter().zip(terms).zip(&self.factors)
        {
            if times.is_zero() {
                continue;
            }
            let own = match store.sort(term) {
                Sort::Bv(own) => own,
                _ => width,
            };
            let term = store.bv_zero_extend(term, width - own);
            let part = store.bv_mul(factor, term);
            let side = if is_right { &mut right } else { &mut left };
            *side = store.bv_add(*side, part);
        }
        store.eq(left, right)
    }
}

impl Grid {
    /// Equations and congruences that exactly its points satisfy.
    pub(crate) fn facts(&self) -> Vec<Fact> {
        let n = self.point.len();
        let (rows, pivots) = (self.steps.rows(), self.steps.pivots());
        // Columns of the inverse: `inverse[i]` times `x_P` is `t_i`.
        let inverse = inverse(rows, &pivots);
        let mut found: Vec<Fact> = Vec::new();
        for column in (0..n).filter(|column| !pivots.contains(column)) {
            let mut factors = vec![Rat::ZERO; n];
            factors[column] = Rat::from(-1);
            for (t, row) in inverse.iter().zip(rows) {
                for (&p, share) in pivots.iter().zip(t) {
                    factors[p] = &factors[p] + &(share * &Rat::from(row[column].clone()));
                }
            }
            let (mut factors, _) = integral(&factors);
            if factors.iter().find(|f| !f.is_zero()).is_some_and(|f| f.signum() < 0) {
                factors = factors.iter().map(|f| -f).collect();
            }
            let gcd = factors.iter().fold(Int::ZERO, |gcd, f| gcd.gcd(f));
            let factors: Vector = factors.iter().map(|f| f.div_floor(&gcd)).collect();
            found.push(self.fact(factors, Int::ZERO));
        }
        for (factors, modulus) in congruences(&inverse, &pivots, n) {
            if !is_implied(&found, &factors, &modulus) {
                found.push(self.fact(factors, modulus));
            }
        }
        found
    }

    /// The same as formulas over some terms.
    pub(crate) fn formulas(&self, store: &mut TermStore, terms: &[Term]) -> Vec<Term> {
        self.facts().iter().map(|fact| fact.formula(store, terms)).collect()
    }

    fn fact(&self, factors: Vector, modulus: Int) -> Fact {
        let rest = dot(&factors, &self.point);
        let rest = rest.div_rem_euclid(&modulus).map_or(rest, |(_, rest)| rest);
        Fact { factors, rest, modulus }
    }
}

/// `t_i` as a sum of the entries at the pivots. The rows are triangular there.
fn inverse(rows: &[Vector], pivots: &[usize]) -> Vec<Vec<Rat>> {
    let mut found: Vec<Vec<Rat>> = Vec::new();
    for (i, &p) in pivots.iter().enumerate() {
        // x_p = sum over j <= i of t_j * rows[j][p]
        let mut own = vec![Rat::ZERO; pivots.len()];
        own[i] = Rat::ONE;
        for (j, t) in found.iter().enumerate() {
            let by = Rat::from(rows[j][p].clone());
            for (entry, share) in own.iter_mut().zip(t) {
                *entry = &*entry - &(&by * share);
            }
        }
        let scale = Rat::from(rows[i][p].clone()).inverse().unwrap_or(Rat::ONE);
        found.push(own.iter().map(|entry| entry * &scale).collect());
    }
    found
}

/// The sums that must be integral, as congruences with small factors: all
/// factors that make a sum vanish modulo the least common modulus are a group,
/// and short vectors that generate it say the same. Nothing is divided by a
/// factor of the modulus, so `5 * a == 2 * b` is found modulo `2^w` where steps
/// add 12 and 30 (M. Müller-Olm and H. Seidl, Analysis of modular arithmetic,
/// 2007; A. King and H. Søndergaard, 2010, with a normal form of Howell).
fn congruences(inverse: &[Vec<Rat>], pivots: &[usize], n: usize) -> Vec<(Vector, Int)> {
    let mut all: Vec<(Vector, Int)> = Vec::new();
    let mut common = Int::ONE;
    for t in inverse {
        let (numerators, modulus) = integral(t);
        if !modulus.is_one() {
            common = &common * &modulus.div_floor(&common.gcd(&modulus));
            all.push((numerators, modulus));
        }
    }
    if all.is_empty() {
        return all;
    }
    let mut lattice = Lattice::default();
    for at in 0..pivots.len() {
        let mut turn = vec![Int::ZERO; pivots.len()];
        turn[at] = common.clone();
        lattice.insert(&turn);
    }
    for (numerators, modulus) in &all {
        let by = common.div_floor(modulus);
        lattice.insert(&numerators.iter().map(|f| f * &by).collect::<Vector>());
    }
    // Short sums first; what they leave to say, the normal form says, the least
    // moduli first.
    let gcd = |row: &Vector| row.iter().fold(common.clone(), |gcd, f| gcd.gcd(f));
    let mut normal: Vec<Vector> = lattice.rows().to_vec();
    normal.sort_by_key(|row| common.div_floor(&gcd(row)));
    let mut found: Vec<(Vector, Int)> = Vec::new();
    let mut known: Vec<Fact> = Vec::new();
    for row in short(&lattice, &common).iter().chain(&normal) {
        let gcd = gcd(row);
        let modulus = common.div_floor(&gcd);
        if modulus.is_one() {
            continue;
        }
        let mut factors = vec![Int::ZERO; n];
        for (&p, f) in pivots.iter().zip(row) {
            factors[p] = balanced(&f.div_floor(&gcd), &modulus);
        }
        let factors = smallest(factors, &modulus);
        if !is_implied(&known, &factors, &modulus) {
            let (rest, modulus) = (Int::ZERO, modulus.clone());
            known.push(Fact { factors: factors.clone(), rest, modulus: modulus.clone() });
            found.push((factors, modulus));
        }
    }
    found
}

/// Short rows of a group that contains all multiples of a number, shortest first;
/// none if they are many.
fn short(lattice: &Lattice, common: &Int) -> Vec<Vector> {
    let rows = lattice.rows();
    let says = |row: &&Vector| row.iter().fold(common.clone(), |gcd, f| gcd.gcd(f)) != *common;
    let columns: Vec<usize> = (0..rows.len())
        .filter(|&at| rows.iter().filter(says).any(|row| !row[at].is_zero()))
        .collect();
    if columns.len() > REDUCED {
        return Vec::new();
    }
    // There is a row for each column, and others have nothing in these.
    let part = |row: &Vector| columns.iter().map(|&at| row[at].clone()).collect();
    let reduced = reduced(columns.iter().map(|&at| part(&rows[at])).collect());
    let whole = |row: Vector| {
        let mut all = vec![Int::ZERO; rows.len()];
        for (&at, entry) in columns.iter().zip(row) {
            all[at] = entry;
        }
        all
    };
    let mut all: Vec<Vector> = reduced.into_iter().map(whole).collect();
    all.retain(|row| row.iter().all(|entry| entry.abs() <= Int::from(SHORT)));
    all.sort_by_key(|row| row.iter().fold(Int::ZERO, |sum, entry| &sum + &entry.abs()));
    all
}

/// Multiples by units say the same; one with small factors says it best, and a
/// solver finds it easiest.
fn smallest(factors: Vector, modulus: &Int) -> Vector {
    let size = |factors: &[Int]| factors.iter().fold(Int::ZERO, |sum, f| &sum + &f.abs());
    let inverses = factors.iter().filter_map(|factor| inverse_modulo(factor, modulus));
    let mut best = factors.clone();
    for unit in inverses.chain([Int::ONE]) {
        for times in (1..=MULTIPLES).map(Int::from) {
            if !times.gcd(modulus).is_one() {
                continue;
            }
            let unit = &unit * &times;
            let scaled: Vector =
                factors.iter().map(|factor| balanced(&(factor * &unit), modulus)).collect();
            if size(&scaled) < size(&best) {
                best = scaled;
            }
        }
    }
    if best.iter().find(|f| !f.is_zero()).is_some_and(|f| f.signum() < 0) {
        best = best.iter().map(|f| -f).collect();
    }
    best
}

/// The number that makes one when multiplied, if there is one.
fn inverse_modulo(value: &Int, modulus: &Int) -> Option<Int> {
    let (mut old, mut rest) = (modulus.clone(), value.div_rem_euclid(modulus)?.1);
    let (mut before, mut factor) = (Int::ZERO, Int::ONE);
    while !rest.is_zero() {
        let (times, next) = old.div_rem_euclid(&rest)?;
        (old, rest) = (rest, next);
        let next = &before - &(&times * &factor);
        (before, factor) = (factor, next);
    }
    old.is_one().then_some(before)
}

/// The number next to zero that equals another one modulo a third.
fn balanced(value: &Int, modulus: &Int) -> Int {
    let rest = value.div_rem_euclid(modulus).map_or(Int::ZERO, |(_, rest)| rest);
    if &rest + &rest > *modulus { &rest - modulus } else { rest }
}

/// Whether an equation or a congruence follows from facts that are known, up to
/// what the sum is.
pub(super) fn is_implied(known: &[Fact], factors: &[Int], modulus: &Int) -> bool {
    if modulus.is_zero() {
        return known.iter().any(|fact| fact.modulus.is_zero() && fact.factors == factors);
    }
    let mut lattice = Lattice::default();
    for at in 0..factors.len() {
        let mut turn = vec![Int::ZERO; factors.len()];
        turn[at] = modulus.clone();
        lattice.insert(&turn);
    }
    for fact in known {
        let by = match fact.modulus.is_zero() {
            true => Int::ONE,
            false => modulus.div_floor(&modulus.gcd(&fact.modulus)),
        };
        lattice.insert(&fact.factors.iter().map(|f| f * &by).collect::<Vector>());
    }
    lattice.contains(factors)
}

/// Rationals as integers over one denominator, the least.
fn integral(values: &[Rat]) -> (Vector, Int) {
    let mut den = Int::ONE;
    for value in values {
        den = &den * &value.den().div_floor(&den.gcd(value.den()));
    }
    let entry = |value: &Rat| value.num() * &den.div_floor(value.den());
    (values.iter().map(entry).collect(), den)
}

pub(super) fn dot(a: &[Int], b: &[Int]) -> Int {
    a.iter().zip(b).fold(Int::ZERO, |sum, (a, b)| &sum + &(a * b))
}
