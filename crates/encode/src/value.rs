//! Values of scalars, as terms.

use crate::arithmetic::{IntType, Word};
use parallax_base::Id;
use parallax_cfa::{FloatKind, IntKind, Type, Types};
use parallax_term::{FloatFormat, Term};

/// What a scalar type holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Int(IntType),
    Float(FloatFormat),
    Pointer,
}

/// A scalar value.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// One if the condition holds, else zero.
    Truth(Term),
    /// A machine integer.
    Word(Word),
    /// A machine integer that was made from a pointer into an object, or from
    /// none; the distance if it is still that of the pointer.
    Address { word: Word, object: Term, offset: Option<Term> },
    /// A float.
    Float(Term),
    /// A pointer: the object it points into and the distance from its start in
    /// bytes. Null is object zero, distance zero.
    Pointer { object: Term, offset: Term },
}

/// The width and signedness of an integer kind. `_Bool` has one bit.
pub(crate) fn int_type(types: &Types, kind: IntKind) -> IntType {
    let bits = if kind == IntKind::Bool { 1 } else { kind.width(types.model) };
    IntType { bits, signed: kind.is_signed() }
}

/// The format of a floating type.
pub(crate) fn format(kind: FloatKind) -> FloatFormat {
    match kind {
        FloatKind::Float => FloatFormat::SINGLE,
        FloatKind::Double => FloatFormat::DOUBLE,
        FloatKind::LongDouble => FloatFormat::EXTENDED,
        FloatKind::Float128 => FloatFormat::QUAD,
    }
}

/// What a type holds, if it is scalar.
pub(crate) fn kind_of(types: &Types, ty: Id<Type>) -> Option<Kind> {
    match types.get(ty) {
        Type::Float(kind) => Some(Kind::Float(format(*kind))),
        Type::Pointer { .. } => Some(Kind::Pointer),
        _ => types.int_kind(ty).map(|kind| Kind::Int(int_type(types, kind))),
    }
}
