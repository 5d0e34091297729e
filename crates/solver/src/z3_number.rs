//! What Z3's integers and reals have in common, so that sums and comparisons
//! are translated by one piece of code.

use crate::z3_translate::Ast;
use parallax_term::{Rat, Relation, Sort, Value};
use std::str::FromStr;
use z3::ast::{self, Bool, Int, Real};

/// A sort of numbers of Z3.
pub(crate) trait Number: ast::Ast + Clone {
    /// The number inside, if it is of this sort.
    fn of(ast: &Ast) -> Option<&Self>;
    /// A free symbol.
    fn symbol(name: &str) -> Self;
    /// A constant; an integer if the sort is `Int`.
    fn constant(value: &Rat) -> Self;
    fn sum(items: &[Self]) -> Self;
    fn product(items: &[&Self]) -> Self;
    fn compare(&self, relation: Relation, other: &Self) -> Bool;
    /// Our value of a constant.
    fn value(&self) -> Option<Value>;
}

impl Number for Int {
    fn of(ast: &Ast) -> Option<&Int> {
        match ast {
            Ast::Int(ast) => Some(ast),
            _ => None,
        }
    }

    fn symbol(name: &str) -> Int {
        Int::new_const(name)
    }

    fn constant(value: &Rat) -> Int {
        match value.num().to_i64() {
            Some(small) => Int::from_i64(small),
            None => Int::from_str(&value.num().to_string()).unwrap_or_else(|()| no_numeral()),
        }
    }

    fn sum(items: &[Int]) -> Int {
        Int::add(items)
    }

    fn product(items: &[&Int]) -> Int {
        Int::mul(items)
    }

    fn compare(&self, relation: Relation, other: &Int) -> Bool {
        match relation {
            Relation::Le => self.le(other),
            Relation::Lt => self.lt(other),
            Relation::Eq => self.eq(other),
        }
    }

    fn value(&self) -> Option<Value> {
        match self.as_i64() {
            Some(small) => Some(Value::int(small)),
            None => Value::from_smtlib(&self.to_string(), Sort::Int),
        }
    }
}

impl Number for Real {
    fn of(ast: &Ast) -> Option<&Real> {
        match ast {
            Ast::Real(ast) => Some(ast),
            _ => None,
        }
    }

    fn symbol(name: &str) -> Real {
        Real::new_const(name)
    }

    fn constant(value: &Rat) -> Real {
        match (value.num().to_i64(), value.den().to_i64()) {
            (Some(num), Some(den)) => Real::from_rational(num, den),
            _ => Real::from_rational_str(&value.num().to_string(), &value.den().to_string())
                .unwrap_or_else(no_numeral),
        }
    }

    fn sum(items: &[Real]) -> Real {
        Real::add(items)
    }

    fn product(items: &[&Real]) -> Real {
        Real::mul(items)
    }

    fn compare(&self, relation: Relation, other: &Real) -> Bool {
        match relation {
            Relation::Le => self.le(other),
            Relation::Lt => self.lt(other),
            Relation::Eq => self.eq(other),
        }
    }

    fn value(&self) -> Option<Value> {
        match self.as_rational() {
            Some((num, den)) => Value::number(Rat::new(num.into(), den.into())?, Sort::Real),
            None => Value::from_smtlib(&self.to_string(), Sort::Real),
        }
    }
}

fn no_numeral<N>() -> N {
    unreachable!("Z3 reads every numeral in decimal digits")
}
