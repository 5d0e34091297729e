//! Eliminating one number from a conjunction of linear literals.
//!
//! - An equation `a*x + p = 0` rules: the other literals are scaled by `a` and
//!   `a*x` is replaced; over the integers `a` must divide `p`.
//! - Over the reals every lower bound is compared with every upper one (Fourier
//!   1826, Motzkin 1936). Over the integers that is exact if nothing has to be
//!   divisible and all lower bounds, or all upper ones, are bounds on `x`
//!   itself: the largest of them is then a candidate for `x`.
//! - Otherwise Cooper (Machine Intelligence 7, 1972): if some integer will do,
//!   then also one just above a lower bound, up to a period of the divisors.

use parallax_term::{Int, Linear, Node, Rat, Relation, Sort, Term, TermStore};

/// Give up rather than try more candidates for the number.
const CANDIDATES: usize = 256;

/// What a literal says about the number `x`.
#[derive(Clone)]
pub(crate) struct Literal {
    claim: Claim,
    /// Of `factor * x + rest`.
    factor: Rat,
    rest: Linear,
}

#[derive(Clone)]
enum Claim {
    /// `<= 0`
    NotPositive,
    /// `< 0`; only over the reals.
    Negative,
    /// `= 0`
    Zero,
    /// Divisible by this number, or not.
    Divisible(Int, bool),
}

impl Literal {
    /// Reads a literal that is linear in `x`; `None` if it is not. A negated
    /// equation is none: it is two cases.
    pub(crate) fn read(store: &TermStore, literal: Term, x: Term) -> Option<Literal> {
        let (atom, positive) = store.literal(literal);
        let Node::Compare(relation, linear) = store.node(atom) else { return None };
        if let Some((divisor, dividend)) = divisibility(store, literal) {
            let (factor, rest) = without(store, &dividend, x)?;
            return Some(Literal { claim: Claim::Divisible(divisor, positive), factor, rest });
        }
        let (factor, rest) = without(store, linear, x)?;
        let literal = |claim| Literal { claim, factor: factor.clone(), rest: rest.clone() };
        // !(t <= 0) is -t < 0, over the integers 1 - t <= 0.
        let negated = |claim, more: &Rat| {
            let rest = rest.scaled(&Rat::from(-1)).shifted(more);
            Literal { claim, factor: -&factor, rest }
        };
        Some(match (relation, positive, store.sort(x)) {
            (Relation::Eq, true, _) => literal(Claim::Zero),
            (Relation::Eq, false, _) => return None,
            (Relation::Le, true, _) => literal(Claim::NotPositive),
            (Relation::Lt, true, _) => literal(Claim::Negative),
            (Relation::Le, false, Sort::Int) => negated(Claim::NotPositive, &Rat::ONE),
            (Relation::Le, false, _) => negated(Claim::Negative, &Rat::ZERO),
            (Relation::Lt, false, _) => negated(Claim::NotPositive, &Rat::ZERO),
        })
    }

    /// The value of `x` if the literal is an equation that can be solved for it.
    pub(crate) fn solution(&self, sort: Sort) -> Option<Linear> {
        let solvable = sort == Sort::Real || size(&self.factor).is_one();
        match self.claim {
            Claim::Zero if solvable => Some(self.rest.scaled(&-&self.factor.inverse()?)),
            _ => None,
        }
    }

    fn is_lower(&self) -> bool {
        matches!(self.claim, Claim::NotPositive | Claim::Negative) && self.factor.signum() < 0
    }

    fn is_upper(&self) -> bool {
        matches!(self.claim, Claim::NotPositive | Claim::Negative) && self.factor.signum() > 0
    }

    /// The literal with `n * x` known to be `value`, for a positive `n`.
    fn with(&self, store: &mut TermStore, n: &Rat, value: &Linear, sort: Sort) -> Term {
        let linear = self.rest.scaled(n).plus(&self.factor, value);
        match &self.claim {
            Claim::NotPositive => store.relate(Relation::Le, linear, sort),
            Claim::Negative => store.relate(Relation::Lt, linear, sort),
            Claim::Zero => store.relate(Relation::Eq, linear, sort),
            Claim::Divisible(by, positive) => {
                let divisible = divides(store, &(by * n.num()), &linear);
                if *positive { divisible } else { store.not(divisible) }
            }
        }
    }
}

/// `exists x. literals`; `None` if that is too large.
pub(crate) fn eliminate(store: &mut TermStore, literals: &[Literal], sort: Sort) -> Option<Term> {
    if let Some(equation) = literals.iter().find(|l| matches!(l.claim, Claim::Zero)) {
        let n = size(&equation.factor);
        let sign = if equation.factor.signum() < 0 { Rat::ONE } else { Rat::from(-1) };
        let value = equation.rest.scaled(&sign);
        let mut result = vec![divides(store, n.num(), &value)];
        result.extend(literals.iter().map(|l| l.with(store, &n, &value, sort)));
        return Some(store.and(result));
    }
    let lower: Vec<&Literal> = literals.iter().filter(|l| l.is_lower()).collect();
    let upper: Vec<&Literal> = literals.iter().filter(|l| l.is_upper()).collect();
    let unit = |bounds: &[&Literal]| bounds.iter().all(|l| size(&l.factor).is_one());
    let only_bounds = lower.len() + upper.len() == literals.len();
    if sort == Sort::Real || only_bounds && (unit(&lower) || unit(&upper)) {
        if lower.len() * upper.len() > CANDIDATES {
            return None;
        }
        let mut pairs = Vec::new();
        for low in &lower {
            pairs.extend(upper.iter().map(|high| compare(store, low, high, sort)));
        }
        return Some(store.and(pairs));
    }
    cooper(store, literals, lower.len() <= upper.len())
}

/// `-a*x + p <= 0` and `b*x + q <= 0` give `b*p + a*q <= 0`.
fn compare(store: &mut TermStore, low: &Literal, high: &Literal, sort: Sort) -> Term {
    let linear = low.rest.scaled(&high.factor).plus(&size(&low.factor), &high.rest);
    let strict = [low, high].iter().any(|l| matches!(l.claim, Claim::Negative));
    store.relate(if strict { Relation::Lt } else { Relation::Le }, linear, sort)
}

/// Over the integers, without equations. Candidates are counted up from the
/// lower bounds, or else down from the upper ones.
fn cooper(store: &mut TermStore, literals: &[Literal], upwards: bool) -> Option<Term> {
    // With n the least common multiple of all factors, bounds are bounds on y = n*x.
    let n = literals.iter().fold(Int::ONE, |n, l| lcm(&n, &size(&l.factor).num().clone()));
    let scale = |l: &Literal| Rat::new(n.clone(), size(&l.factor).num().clone());
    let mut period = n.clone();
    for literal in literals {
        if let Claim::Divisible(by, _) = &literal.claim {
            period = lcm(&period, &(by * scale(literal)?.num()));
        }
    }
    let mut starts = Vec::new();
    for literal in literals {
        if if upwards { literal.is_lower() } else { literal.is_upper() } {
            // y >= rest, or -y >= rest.
            let sign = if upwards { Rat::ONE } else { Rat::from(-1) };
            starts.push(literal.rest.scaled(&(&scale(literal)? * &sign)));
        }
    }
    // Without a bound on this side, what remains is to be divisible.
    let is_open = starts.is_empty();
    if is_open {
        starts.push(Linear::constant(Rat::ZERO));
    }
    let steps = usize::try_from(period.to_i64()?).ok()?;
    if steps.saturating_mul(starts.len()) > CANDIDATES {
        return None;
    }
    let mut cases = Vec::new();
    for start in &starts {
        for step in 0..steps as i64 {
            let y = start.shifted(&Rat::from(if upwards { step } else { -step }));
            let mut case = vec![divides(store, &n, &y)];
            for literal in literals {
                if !is_open || matches!(literal.claim, Claim::Divisible(..)) {
                    case.push(literal.with(store, &Rat::from(n.clone()), &y, Sort::Int));
                }
            }
            cases.push(store.and(case));
        }
    }
    Some(store.or(cases))
}

/// `by` divides the linear combination of integers. One spelling of many: a
/// common factor is taken out, and the first factor is 1 if it can be.
fn divides(store: &mut TermStore, by: &Int, linear: &Linear) -> Term {
    let rest = |n: &Int, by: &Int| n.div_rem_euclid(by).map_or(Int::ZERO, |(_, r)| r);
    let mut common = by.clone();
    for (_, factor) in linear.monomials() {
        common = common.gcd(factor.num());
    }
    let constant = linear.constant_part().num();
    if !rest(constant, &common).is_zero() {
        return store.bool(false);
    }
    let by = by.div_floor(&common);
    let lead = linear.monomials().first().map(|(_, c)| c.num().div_floor(&common));
    let turn = lead.and_then(|lead| inverse(&lead, &by)).unwrap_or(Int::ONE);
    let small = |c: &Int| Rat::from(rest(&(&c.div_floor(&common) * &turn), &by));
    let start = Linear::constant(small(constant));
    let reduced = linear
        .monomials()
        .iter()
        .fold(start, |sum, (term, factor)| sum.plus(&small(factor.num()), &Linear::term(*term)));
    let (dividend, by, zero) = (store.sum(reduced, Sort::Int), store.int(by), store.int(0));
    let rest = store.modulo(dividend, by);
    store.eq(rest, zero)
}

/// A number whose product with `n` leaves the rest 1, if there is one.
fn inverse(n: &Int, modulus: &Int) -> Option<Int> {
    // Invariant: r = s*n modulo the modulus, for both pairs.
    let (mut old, mut new) = ((n.clone(), Int::ONE), (modulus.clone(), Int::ZERO));
    while let Some((q, rest)) = old.0.div_rem_euclid(&new.0) {
        let s = &old.1 - &(&q * &new.1);
        (old, new) = (new, (rest, s));
    }
    old.0.is_one().then_some(old.1)
}

/// A literal that says whether a number is divisible: divisor and dividend.
pub(crate) fn divisibility(store: &TermStore, literal: Term) -> Option<(Int, Linear)> {
    let Node::Compare(Relation::Eq, linear) = store.node(store.literal(literal).0) else {
        return None;
    };
    let [(term, factor)] = linear.monomials() else { return None };
    let Node::Mod(dividend, divisor) = store.node(*term) else { return None };
    let (rest, divisor) = (linear.constant_part(), store.int_value(*divisor)?.abs());
    let possible = rest.signum() <= 0 && -rest < Rat::from(divisor.clone());
    (factor.is_one() && possible).then(|| (divisor, store.linear(*dividend).shifted(rest)))
}

/// The factor of `x` and all else, if that is free of `x`.
fn without(store: &TermStore, linear: &Linear, x: Term) -> Option<(Rat, Linear)> {
    let (_, factor) = linear.monomials().iter().find(|(term, _)| *term == x)?;
    let rest = linear.plus(&-factor, &Linear::term(x));
    let is_free = |(term, _): &(Term, Rat)| !store.vars(*term).contains(&x);
    rest.monomials().iter().all(is_free).then(|| (factor.clone(), rest))
}

fn size(factor: &Rat) -> Rat {
    if factor.signum() < 0 { -factor } else { factor.clone() }
}

fn lcm(a: &Int, b: &Int) -> Int {
    a * &b.div_floor(&a.gcd(b))
}
