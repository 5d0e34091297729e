//! Scalar types by what arithmetic needs to know, and scalar values.
//!
//! Invariant: the bits of an integer value are *canonical*, that is the value
//! sign- or zero-extended to 128 bits by the signedness of its type; those of a
//! float are its encoding; those of a pointer its address.

use crate::{DataModel, FloatKind, IntKind, Type, Types};
use parallax_base::Id;

/// A scalar type, as arithmetic sees it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ScalarType {
    /// `_Bool`.
    Bool,
    /// An integer type or enumeration.
    Int {
        /// Its width.
        bits: u32,
        /// Whether it has negative values.
        signed: bool,
    },
    /// A real floating type.
    Float(FloatKind),
    /// A pointer.
    Pointer {
        /// Its width.
        bits: u32,
    },
}

impl ScalarType {
    /// The type of comparisons.
    pub const INT: ScalarType = ScalarType::Int { bits: 32, signed: true };

    /// How many bits a value has in an expression; 80 for the x87 format.
    pub fn bits(self) -> u32 {
        match self {
            ScalarType::Bool => 1,
            ScalarType::Int { bits, .. } | ScalarType::Pointer { bits } => bits,
            ScalarType::Float(FloatKind::Float) => 32,
            ScalarType::Float(FloatKind::Double) => 64,
            ScalarType::Float(FloatKind::LongDouble) => 80,
            ScalarType::Float(FloatKind::Float128) => 128,
        }
    }

    /// How many bytes an object of the type has.
    pub fn size(self, model: DataModel) -> u64 {
        match self {
            ScalarType::Bool => 1,
            ScalarType::Float(FloatKind::LongDouble) => match model {
                DataModel::Ilp32 => 12,
                DataModel::Lp64 => 16,
            },
            other => u64::from(other.bits()) / 8,
        }
    }

    /// Whether values below zero exist, among integers.
    pub fn is_signed(self) -> bool {
        matches!(self, ScalarType::Int { signed: true, .. })
    }

    /// Whether it is a floating type.
    pub fn is_float(self) -> bool {
        matches!(self, ScalarType::Float(_))
    }

    /// Whether it is a pointer.
    pub fn is_pointer(self) -> bool {
        matches!(self, ScalarType::Pointer { .. })
    }
}

/// A scalar value, as it comes from and goes to the outside of a run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scalar {
    /// Its type.
    pub ty: ScalarType,
    /// Its canonical bits.
    pub bits: u128,
}

impl Scalar {
    /// An integer, wrapped to the type.
    pub fn int(ty: ScalarType, value: i128) -> Scalar {
        Scalar { ty, bits: crate::arith::wrap(ty, value as u128) }
    }

    /// The value of an integer or address; a `u128` above the range by its bits.
    pub fn as_int(self) -> i128 {
        self.bits as i128
    }
}

impl Types {
    /// What arithmetic needs to know of a type; `None` if it is no scalar type.
    pub fn scalar(&self, id: Id<Type>) -> Option<ScalarType> {
        match self.get(id) {
            Type::Int(kind) => Some(self.int_scalar(*kind)),
            Type::Enum(e) => Some(self.int_scalar(self.enumerations[*e].underlying)),
            Type::Float(kind) => Some(ScalarType::Float(*kind)),
            Type::Pointer { .. } => Some(ScalarType::Pointer { bits: self.pointer_bits() }),
            _ => None,
        }
    }

    /// The width of a pointer.
    pub fn pointer_bits(&self) -> u32 {
        match self.model {
            DataModel::Ilp32 => 32,
            DataModel::Lp64 => 64,
        }
    }

    /// An integer kind as a scalar type of this data model.
    pub fn int_scalar(&self, kind: IntKind) -> ScalarType {
        let (bits, signed) = match kind {
            IntKind::Bool => return ScalarType::Bool,
            IntKind::Char | IntKind::SChar => (8, true),
            IntKind::UChar => (8, false),
            IntKind::Short => (16, true),
            IntKind::UShort => (16, false),
            IntKind::Int => (32, true),
            IntKind::UInt => (32, false),
            IntKind::Long => (self.pointer_bits(), true),
            IntKind::ULong => (self.pointer_bits(), false),
            IntKind::LongLong => (64, true),
            IntKind::ULongLong => (64, false),
            IntKind::Int128 => (128, true),
            IntKind::UInt128 => (128, false),
        };
        ScalarType::Int { bits, signed }
    }
}
