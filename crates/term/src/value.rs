//! Sorts and the values they hold.

use crate::{Int, Rat};
use std::fmt;

/// The sort of a term.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Sort {
    /// Truth values.
    Bool,
    /// Mathematical integers.
    Int,
    /// Mathematical reals.
    Real,
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Sort::Bool => "Bool",
            Sort::Int => "Int",
            Sort::Real => "Real",
        })
    }
}

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A rational, standing for a real; boxed because reals are rare in states.
    Real(Box<Rat>),
}

impl Value {
    /// The sort this value belongs to.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
        }
    }

    /// An integer value from a machine word.
    pub fn int(value: i64) -> Value {
        Value::Int(Int::from(value))
    }

    /// How many bits the value takes, roughly.
    pub fn bits(&self) -> usize {
        match self {
            Value::Bool(_) => 1,
            Value::Int(i) => i.bits(),
            Value::Real(r) => r.num().bits() + r.den().bits(),
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Value::Bool(b) => Some(*b),
            _ => None,
        }
    }

    /// The integer, if it is one.
    pub fn as_int(&self) -> Option<&Int> {
        match self {
            Value::Int(i) => Some(i),
            _ => None,
        }
    }

    /// The number as a rational, if it is a number.
    pub fn to_rat(&self) -> Option<Rat> {
        match self {
            Value::Bool(_) => None,
            Value::Int(i) => Some(Rat::from(i.clone())),
            Value::Real(r) => Some((**r).clone()),
        }
    }

    /// A number of the given numeric sort; `None` if it does not fit the sort.
    pub fn number(rat: Rat, sort: Sort) -> Option<Value> {
        match sort {
            Sort::Bool => None,
            Sort::Int => rat.to_int().cloned().map(Value::Int),
            Sort::Real => Some(Value::Real(Box::new(rat))),
        }
    }

    /// The value an evaluator uses where a model leaves a symbol open.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(Int::ZERO),
            Sort::Real => Value::Real(Box::new(Rat::ZERO)),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) => write!(f, "{i}"),
            Value::Real(r) => write!(f, "{r}"),
        }
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Bool(value)
    }
}
