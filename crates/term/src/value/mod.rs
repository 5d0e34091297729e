//! Values: what terms stand for in a state.

mod array;
mod bv;
mod entries;
mod int;
mod rat;
mod sort;

pub use array::ArrayValue;
pub use bv::Bv;
pub use int::Int;
pub use rat::Rat;
pub use sort::{FloatFormat, MAX_WIDTH, Scalar, Sort};

use crate::Float;
use std::fmt;
use std::sync::Arc;

/// A value of some sort.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// A truth value.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A rational, standing for a real; boxed because reals are rare in states.
    Real(Box<Rat>),
    /// A bit-vector.
    Bv(Bv),
    /// A floating-point number.
    Float(Float),
    /// An array; shared, because most states have most arrays in common.
    Array(Arc<ArrayValue>),
}

/// States are lists of values: three words each are enough.
const _: () = assert!(size_of::<Value>() <= 24);

impl Value {
    /// The sort this value belongs to.
    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Int(_) => Sort::Int,
            Value::Real(_) => Sort::Real,
            Value::Bv(bv) => Sort::Bv(bv.width()),
            Value::Float(float) => Sort::Float(float.format()),
            Value::Array(array) => array.sort(),
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
            Value::Bv(bv) => bv.width() as usize,
            Value::Float(float) => float.format().width() as usize,
            Value::Array(array) => {
                let of = |(i, v): (&Value, &Value)| i.bits() + v.bits();
                array.default().bits() + array.entries().map(of).sum::<usize>()
            }
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

    /// The bit-vector, if it is one.
    pub fn as_bv(&self) -> Option<Bv> {
        match self {
            Value::Bv(bv) => Some(*bv),
            _ => None,
        }
    }

    /// The floating-point number, if it is one.
    pub fn as_float(&self) -> Option<Float> {
        match self {
            Value::Float(float) => Some(*float),
            _ => None,
        }
    }

    /// The array, if it is one.
    pub fn as_array(&self) -> Option<&ArrayValue> {
        match self {
            Value::Array(array) => Some(array),
            _ => None,
        }
    }

    /// The number as a rational, if it is a mathematical number.
    pub fn to_rat(&self) -> Option<Rat> {
        match self {
            Value::Int(i) => Some(Rat::from(i.clone())),
            Value::Real(r) => Some((**r).clone()),
            _ => None,
        }
    }

    /// A number of the given numeric sort; `None` if it does not fit the sort.
    pub fn number(rat: Rat, sort: Sort) -> Option<Value> {
        match sort {
            Sort::Int => rat.to_int().cloned().map(Value::Int),
            Sort::Real => Some(Value::Real(Box::new(rat))),
            _ => None,
        }
    }

    /// The value an evaluator uses where a model leaves a symbol open.
    pub fn default_of(sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(false),
            Sort::Int => Value::Int(Int::ZERO),
            Sort::Real => Value::Real(Box::new(Rat::ZERO)),
            Sort::Bv(width) => Value::Bv(Bv::new(width, 0)),
            Sort::Float(format) => Value::Float(Float::zero(format, false)),
            Sort::Array(index, element) => {
                let zero = Value::default_of(element.into());
                Value::Array(Arc::new(ArrayValue::constant(index, zero)))
            }
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(b) => write!(f, "{b}"),
            Value::Int(i) => write!(f, "{i}"),
            Value::Real(r) => write!(f, "{r}"),
            Value::Bv(bv) => write!(f, "{bv}"),
            Value::Float(float) => write!(f, "{float}"),
            Value::Array(array) => write!(f, "{array}"),
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

impl From<Bv> for Value {
    fn from(value: Bv) -> Value {
        Value::Bv(value)
    }
}

impl From<Float> for Value {
    fn from(value: Float) -> Value {
        Value::Float(value)
    }
}

impl From<ArrayValue> for Value {
    fn from(value: ArrayValue) -> Value {
        Value::Array(Arc::new(value))
    }
}
