//! Expressions and places: pure, typed, every conversion explicit.
//!
//! An expression has a value in every state and no effect. What C leaves
//! undefined has a fixed value here (arithmetic wraps, a quotient by zero is
//! zero, a shift by too much is zero or the sign); whether the program may do
//! it is said by separate [`crate::Check`] operations on the edges before.
//!
//! Invariants: both operands of an arithmetic or comparing operator have the
//! same type, of any width; those of a shift may differ. (C computes in promoted
//! types; narrower ones come up where a bit-field is cut to its width.) A
//! comparison has type `int`. Children are older than parents, so traversals need no
//! recursion.

use crate::{BitField, Function, Record, Type, Variable};
use parallax_base::Id;

/// A place in memory that holds a value.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// Where the way starts.
    pub base: Base,
    /// The way from there.
    pub path: Vec<Step>,
    /// The type of what is there.
    pub ty: Id<Type>,
    /// Set if the place is a bit-field: it then stands at the byte the path leads to.
    pub bits: Option<BitField>,
    /// Whether each access is observable and may give anything (`volatile`).
    pub volatile: bool,
}

/// Where a place starts.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Base {
    /// A variable.
    Variable(Id<Variable>),
    /// What a pointer points to. The pointee type is the type of the base.
    Pointer(Id<Expr>),
}

/// One step of a way into an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// A member of a structure or union, by its position.
    Member(Id<Record>, u32),
    /// An element of an array, by an index of integer type.
    Index(Id<Expr>),
}

/// Operators with one operand.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unary {
    /// Arithmetic negation of an integer or float.
    Neg,
    /// Bitwise complement.
    BitNot,
    /// `1` if the scalar is zero, else `0`; type `int`.
    Not,
    /// A function on floats; the result has the operand's type, or `int` for a
    /// classification.
    Float(FloatFunction),
    /// A function on the bits of an integer, result `int`.
    Bits(BitFunction),
}

/// Functions on floats that the solver's theory has as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each is the function of `math.h` of that name")]
pub enum FloatFunction {
    Fabs,
    Sqrt,
    Floor,
    Ceil,
    Trunc,
    Round,
    Rint,
    IsNan,
    IsInf,
    IsFinite,
    IsNormal,
    SignBit,
}

/// Functions on the bits of an unsigned integer.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BitFunction {
    /// Number of ones.
    PopCount,
    /// Number of leading zeros; the width for zero.
    LeadingZeros,
    /// Number of trailing zeros; the width for zero.
    TrailingZeros,
    /// Bytes in reverse order; the result has the operand's type.
    ByteSwap,
}

/// Operators with two operands.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[expect(missing_docs, reason = "each is the C operator of that name")]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Binary {
    /// Whether the result is the truth of a comparison.
    pub fn is_comparison(self) -> bool {
        use Binary::{Eq, Ge, Gt, Le, Lt, Ne};
        matches!(self, Eq | Ne | Lt | Le | Gt | Ge)
    }
}

/// A pure expression.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// The type of its value: always a scalar type.
    pub ty: Id<Type>,
}

/// What an expression computes.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum ExprKind {
    /// An integer in the range of the type; a `u128` above the range of `i128`
    /// is held by its bits. Of pointer type: an address without an object, such as null.
    Int(i128),
    /// A float by its bits in the format of the type.
    Float(u128),
    /// The value at a place.
    Load(Id<Place>),
    /// The address of a place, as a pointer. A bit-field has none.
    Address(Id<Place>),
    /// The address of a function.
    Function(Id<Function>),
    /// An operator applied.
    Unary(Unary, Id<Expr>),
    /// An operator applied. Pointers may be compared.
    Binary(Binary, Id<Expr>, Id<Expr>),
    /// The operand converted to the type of this expression: between integers
    /// (modulo the width; to `_Bool` as `!= 0`), floats, pointers, and across.
    Convert(Id<Expr>),
    /// Pointer plus index times `scale` bytes; the index has an integer type
    /// as wide as a pointer.
    PointerAdd {
        /// The pointer.
        pointer: Id<Expr>,
        /// The index.
        index: Id<Expr>,
        /// Size of an element; an expression where arrays of variable length are meant.
        scale: Id<Expr>,
    },
    /// Distance of two pointers in elements of `scale` bytes.
    PointerDiff {
        /// The minuend.
        left: Id<Expr>,
        /// The subtrahend.
        right: Id<Expr>,
        /// Size of an element.
        scale: Id<Expr>,
    },
    /// The second if the first is not zero, else the third.
    Conditional(Id<Expr>, Id<Expr>, Id<Expr>),
    /// The size in bytes of the object a pointer points into, as `size_t`; the
    /// maximum if there is none.
    ObjectSize(Id<Expr>),
}
