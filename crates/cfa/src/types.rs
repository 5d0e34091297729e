//! C types, as far as they matter to a running program, interned.
//!
//! One table serves a whole program. A [`Type`] is what the standard calls a
//! type without its own qualifiers; the qualifiers of what a pointer points to
//! are kept, because `_Generic` tells them apart.
//!
//! Invariant: two equal types have one id, so type identity is `==` on ids. Two
//! records are one type only if they come from one declaration.

use parallax_base::{Id, IdVec, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// The integer types, by rank and signedness. `char` is signed, as on x86.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[expect(missing_docs, reason = "each is the C type of that name")]
pub enum IntKind {
    Bool,
    Char,
    SChar,
    UChar,
    Short,
    UShort,
    Int,
    UInt,
    Long,
    ULong,
    LongLong,
    ULongLong,
    Int128,
    UInt128,
}

/// The real floating types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum FloatKind {
    /// IEEE binary32.
    Float,
    /// IEEE binary64.
    Double,
    /// The x87 80-bit format.
    LongDouble,
    /// IEEE binary128: `_Float128`, `__float128`.
    Float128,
}

/// Qualifiers of a type.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
#[expect(missing_docs, reason = "each is the C qualifier of that name")]
pub struct Qualifiers {
    pub is_const: bool,
    pub is_volatile: bool,
    pub is_restrict: bool,
    pub is_atomic: bool,
}

/// How long an array is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ArrayLength {
    /// A constant number of elements; GNU C allows zero.
    Fixed(u64),
    /// Not said: an incomplete array or a flexible array member.
    Unknown,
    /// Said by an expression that is evaluated when the declaration is reached.
    /// The number names a hidden variable that holds the value.
    Variable(Id<VariableLength>),
}

/// Tag of the ids of run-time array lengths; see [`ArrayLength::Variable`].
#[derive(Clone, Copy, Debug)]
pub struct VariableLength;

/// The type of a function.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct FunctionType {
    /// What it returns.
    pub result: Id<Type>,
    /// Its parameters, arrays and functions already adjusted to pointers.
    pub parameters: Vec<Id<Type>>,
    /// Whether further arguments are allowed.
    pub variadic: bool,
    /// Whether the parameters are known: `f()` and K&R declarations say nothing.
    pub prototyped: bool,
}

/// A type without its own qualifiers.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `void`.
    Void,
    /// An integer type.
    Int(IntKind),
    /// A floating type.
    Float(FloatKind),
    /// A complex type with parts of this kind.
    Complex(FloatKind),
    /// An enumeration: behaves as its underlying integer type.
    Enum(Id<Enumeration>),
    /// A pointer.
    Pointer {
        /// What it points to.
        to: Id<Type>,
        /// The qualifiers of what it points to.
        qualifiers: Qualifiers,
    },
    /// An array.
    Array {
        /// The element type.
        of: Id<Type>,
        /// The number of elements.
        length: ArrayLength,
    },
    /// A structure or union.
    Record(Id<Record>),
    /// A function.
    Function(FunctionType),
    /// `__builtin_va_list`.
    VaList,
}

/// An enumeration.
#[derive(Clone, Debug)]
pub struct Enumeration {
    /// Its tag, if it has one.
    pub name: Option<Arc<str>>,
    /// The integer type it behaves as.
    pub underlying: IntKind,
    /// The constants, for messages and reports.
    pub constants: Vec<(Arc<str>, i128)>,
    /// Its declaration.
    pub span: Span,
}

/// The place of a bit-field in its record.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BitField {
    /// Position of its lowest bit, counted from the lowest bit of the byte at
    /// the member's offset; below 8.
    pub shift: u32,
    /// How many bits it has.
    pub width: u32,
}

/// A member of a structure or union.
#[derive(Clone, Debug)]
pub struct Member {
    /// Its name; `None` for an anonymous record or an unnamed bit-field.
    pub name: Option<Arc<str>>,
    /// Its type; the declared one for a bit-field.
    pub ty: Id<Type>,
    /// Qualifiers of its type.
    pub qualifiers: Qualifiers,
    /// Offset in bytes from the start of the record.
    pub offset: u64,
    /// Set for a bit-field.
    pub bits: Option<BitField>,
}

/// A structure or union.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its tag, if it has one.
    pub name: Option<Arc<str>>,
    /// Whether the members share one place.
    pub is_union: bool,
    /// Whether its members are known.
    pub is_complete: bool,
    /// The members in order, with the places the layout gave them.
    pub members: Vec<Member>,
    /// Size in bytes, padding included.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// Its declaration.
    pub span: Span,
}

/// The implementation-defined sizes: which x86 calling convention is meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum DataModel {
    /// `int`, `long` and pointers have 32 bits (i386, System V).
    Ilp32,
    /// `long` and pointers have 64 bits (x86-64, System V).
    #[default]
    Lp64,
}

/// All types of a program.
#[derive(Clone, Debug)]
pub struct Types {
    /// The data model all sizes follow.
    pub model: DataModel,
    types: IdVec<Type>,
    known: HashMap<Type, Id<Type>>,
    /// Structures and unions.
    pub records: IdVec<Record>,
    /// Enumerations.
    pub enumerations: IdVec<Enumeration>,
}

impl Types {
    /// An empty table.
    pub fn new(model: DataModel) -> Types {
        Types {
            model,
            types: IdVec::default(),
            known: HashMap::default(),
            records: IdVec::default(),
            enumerations: IdVec::default(),
        }
    }

    /// The id of a type.
    pub fn intern(&mut self, ty: Type) -> Id<Type> {
        if let Some(id) = self.known.get(&ty) {
            return *id;
        }
        let id = self.types.push(ty.clone());
        self.known.insert(ty, id);
        id
    }

    /// The type behind an id.
    pub fn get(&self, id: Id<Type>) -> &Type {
        &self.types[id]
    }

    /// How many types there are. Parts of a type are older than the type.
    pub fn len(&self) -> usize {
        self.types.len()
    }

    /// Whether there is no type.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// An integer type.
    pub fn int(&mut self, kind: IntKind) -> Id<Type> {
        self.intern(Type::Int(kind))
    }

    /// A pointer to an unqualified type.
    pub fn pointer(&mut self, to: Id<Type>) -> Id<Type> {
        self.intern(Type::Pointer { to, qualifiers: Qualifiers::default() })
    }

    /// The integer kind of an integer or enumeration type.
    pub fn int_kind(&self, id: Id<Type>) -> Option<IntKind> {
        match self.get(id) {
            Type::Int(kind) => Some(*kind),
            Type::Enum(e) => Some(self.enumerations[*e].underlying),
            _ => None,
        }
    }

    /// What a pointer points to.
    pub fn pointee(&self, id: Id<Type>) -> Option<Id<Type>> {
        match self.get(id) {
            Type::Pointer { to, .. } => Some(*to),
            _ => None,
        }
    }
}
