//! What contracts say: clauses over values before and after a call.
//!
//! Sums are sums of mathematical integers, whatever the types of the values
//! are, so a clause has one meaning and nothing in it overflows.

use parallax_base::Id;
use parallax_cfa::Variable;

/// A value that a contract speaks of.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// A parameter by its position, as it was passed.
    Parameter(usize),
    /// A static variable before the call.
    Before(Id<Variable>),
    /// What the call returns.
    Result,
    /// A static variable after the call.
    After(Id<Variable>),
}

impl Atom {
    /// Whether it is known when the call begins.
    pub fn is_early(self) -> bool {
        matches!(self, Atom::Parameter(_) | Atom::Before(_))
    }
}

/// A product of values with a coefficient.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Monomial {
    /// The coefficient; not zero.
    pub coefficient: i128,
    /// The factors in order; at least one.
    pub factors: Vec<Atom>,
}

/// Monomials and a constant, added up.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Sum {
    /// The monomials, each product at most once.
    pub monomials: Vec<Monomial>,
    /// The constant.
    pub constant: i128,
}

/// How a sum compares with zero.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Relation {
    /// It is at most zero.
    AtMost,
    /// It is zero.
    Zero,
    /// It is not zero.
    NotZero,
    /// This number, two or more, divides it.
    Divisible(i128),
}

/// A comparison of a sum with zero.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Condition {
    /// The sum.
    pub sum: Sum,
    /// The comparison.
    pub relation: Relation,
}

/// Conditions of which at least one holds.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Clause(pub Vec<Condition>);

impl Sum {
    /// The sum `c0 * a0 + c1 * a1 + ... + constant`.
    pub fn linear(parts: &[(i128, Atom)], constant: i128) -> Sum {
        let mut sum = Sum { monomials: Vec::new(), constant };
        for &(coefficient, atom) in parts {
            sum.add(coefficient, vec![atom]);
        }
        sum
    }

    /// Adds a monomial; `None` if a coefficient grows beyond all bounds.
    pub fn add(&mut self, coefficient: i128, mut factors: Vec<Atom>) -> Option<()> {
        factors.sort();
        match self.monomials.iter().position(|m| m.factors == factors) {
            Some(at) => {
                let sum = self.monomials[at].coefficient.checked_add(coefficient)?;
                self.monomials[at].coefficient = sum;
                if sum == 0 {
                    self.monomials.remove(at);
                }
            }
            None if coefficient != 0 => self.monomials.push(Monomial { coefficient, factors }),
            None => {}
        }
        Some(())
    }

    /// The sum with all signs changed; `None` if a number has no opposite.
    pub fn negated(&self) -> Option<Sum> {
        let mut sum = Sum { monomials: Vec::new(), constant: self.constant.checked_neg()? };
        for m in &self.monomials {
            sum.add(m.coefficient.checked_neg()?, m.factors.clone())?;
        }
        Some(sum)
    }

    /// Its value; `None` if a value is not known or a number grows too large.
    pub fn value(&self, value: &impl Fn(Atom) -> Option<i128>) -> Option<i128> {
        let mut total = self.constant;
        for m in &self.monomials {
            let mut product = m.coefficient;
            for factor in &m.factors {
                product = product.checked_mul(value(*factor)?)?;
            }
            total = total.checked_add(product)?;
        }
        Some(total)
    }
}

impl Condition {
    /// A condition on a sum.
    pub fn new(sum: Sum, relation: Relation) -> Condition {
        Condition { sum, relation }
    }

    /// The same condition in one form: monomials in order, and the first of them
    /// positive where signs do not matter.
    #[must_use]
    pub fn normalized(mut self) -> Condition {
        self.sum.monomials.sort_by(|a, b| b.factors.cmp(&a.factors));
        let is_negative = self.sum.monomials.first().is_some_and(|m| m.coefficient < 0);
        if is_negative
            && self.relation != Relation::AtMost
            && let Some(mut sum) = self.sum.negated()
        {
            sum.monomials.sort_by(|a, b| b.factors.cmp(&a.factors));
            self.sum = sum;
        }
        if let Relation::Divisible(by) = self.relation {
            self.sum.constant = self.sum.constant.checked_rem(by).unwrap_or(self.sum.constant);
        }
        self
    }

    /// Whether it holds; `None` if that cannot be computed.
    pub fn holds(&self, value: &impl Fn(Atom) -> Option<i128>) -> Option<bool> {
        let sum = self.sum.value(value)?;
        Some(match self.relation {
            Relation::AtMost => sum <= 0,
            Relation::Zero => sum == 0,
            Relation::NotZero => sum != 0,
            Relation::Divisible(by) => sum.checked_rem(by)? == 0,
        })
    }

    /// The conditions one of which holds exactly if this one does not; `None`
    /// if there are none of this form.
    pub fn negated(&self) -> Option<Condition> {
        let with = |relation| Condition { sum: self.sum.clone(), relation };
        match self.relation {
            Relation::Zero => Some(with(Relation::NotZero)),
            Relation::NotZero => Some(with(Relation::Zero)),
            // Not `s <= 0` is `1 - s <= 0`.
            Relation::AtMost => {
                let mut sum = self.sum.negated()?;
                sum.constant = sum.constant.checked_add(1)?;
                Some(Condition { sum, relation: Relation::AtMost })
            }
            Relation::Divisible(_) => None,
        }
    }
}

impl Clause {
    /// All atoms, some perhaps several times.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> + '_ {
        let monomials = self.0.iter().flat_map(|c| &c.sum.monomials);
        monomials.flat_map(|m| m.factors.iter().copied())
    }

    /// Whether it holds; `None` if that cannot be computed.
    pub fn holds(&self, value: &impl Fn(Atom) -> Option<i128>) -> Option<bool> {
        let mut open = false;
        for condition in &self.0 {
            match condition.holds(value) {
                Some(true) => return Some(true),
                Some(false) => {}
                None => open = true,
            }
        }
        (!open).then_some(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_and_their_opposites() {
        let n = Atom::Parameter(0);
        for relation in [Relation::AtMost, Relation::Zero, Relation::NotZero] {
            let condition = Condition::new(Sum::linear(&[(2, n)], -6), relation);
            let opposite = condition.negated().expect("it has one");
            for value in -3..9 {
                let at = |_| Some(value);
                assert_ne!(condition.holds(&at), opposite.holds(&at), "{relation:?} at {value}");
            }
        }
        let divisible = Condition::new(Sum::linear(&[(1, n)], 1), Relation::Divisible(3));
        let holds: Vec<i128> =
            (-5..6).filter(|v| divisible.holds(&|_| Some(*v)) == Some(true)).collect();
        assert_eq!(holds, [-4, -1, 2, 5]);
        assert_eq!(divisible.negated(), None);
    }

    #[test]
    fn sums_add_up_and_say_when_they_cannot() {
        let (n, r) = (Atom::Parameter(0), Atom::Result);
        let mut sum = Sum::linear(&[(1, n), (2, r), (-1, n)], 5);
        assert_eq!(sum.monomials.len(), 1);
        assert_eq!(sum.add(3, vec![r, n]), Some(()));
        assert_eq!(sum.add(1, vec![n, r]), Some(()));
        let value = |atom| Some(if atom == n { 3 } else { 7 });
        assert_eq!(sum.value(&value), Some(2 * 7 + 4 * 3 * 7 + 5));
        assert_eq!(sum.value(&|_| Some(i128::MAX)), None);
        assert_eq!(sum.value(&|_| None), None);
    }
}
