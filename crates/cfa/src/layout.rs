//! Sizes, alignments and the layout of records, as GCC lays them out.
//!
//! The rules are those of the System V psABI for i386 (ILP32) and x86-64
//! (LP64) together with GCC's attributes: `packed`, `aligned` on members,
//! records and typedefs, and `#pragma pack`. Two points are easy to miss:
//!
//! - On i386 eight-byte scalars have alignment 4 inside records, and so has
//!   everything made of them, unless an attribute says otherwise.
//! - A bit-field may not touch more units of its type's alignment than an
//!   object of its type; a packed one may start at any bit. Unnamed bit-fields
//!   do not raise the alignment of their record.
//!
//! Alignments are those of `_Alignof`, which are also the ones of members.

use crate::{ArrayLength, BitField, DataModel, FloatKind, IntKind, Member, Qualifiers, Record};
use crate::{Type, Types};
use parallax_base::Id;
use std::sync::Arc;

impl IntKind {
    /// How many bits hold the value.
    pub fn width(self, model: DataModel) -> u32 {
        match self {
            IntKind::Bool => 1,
            kind => kind.size(model) as u32 * 8,
        }
    }

    /// The size in bytes.
    pub fn size(self, model: DataModel) -> u64 {
        use IntKind::{Bool, Char, Int, Int128, Long, LongLong, SChar, Short};
        use IntKind::{UChar, UInt, UInt128, ULong, ULongLong, UShort};
        match self {
            Bool | Char | SChar | UChar => 1,
            Short | UShort => 2,
            Int | UInt => 4,
            Long | ULong => model.word(),
            LongLong | ULongLong => 8,
            Int128 | UInt128 => 16,
        }
    }

    /// Whether negative values exist.
    pub fn is_signed(self) -> bool {
        use IntKind::{Char, Int, Int128, Long, LongLong, SChar, Short};
        matches!(self, Char | SChar | Short | Int | Long | LongLong | Int128)
    }

    /// The unsigned type of the same size.
    #[must_use]
    pub fn to_unsigned(self) -> IntKind {
        use IntKind::{Bool, Char, Int, Int128, Long, LongLong, SChar, Short};
        use IntKind::{UChar, UInt, UInt128, ULong, ULongLong, UShort};
        match self {
            Bool => Bool,
            Char | SChar | UChar => UChar,
            Short | UShort => UShort,
            Int | UInt => UInt,
            Long | ULong => ULong,
            LongLong | ULongLong => ULongLong,
            Int128 | UInt128 => UInt128,
        }
    }

    /// The value modulo the width of this type: what a conversion gives.
    /// Values of `unsigned __int128` are held by their bits.
    pub fn wrap(self, value: i128, model: DataModel) -> i128 {
        if self == IntKind::Bool {
            return i128::from(value != 0);
        }
        match 128 - self.width(model) {
            0 => value,
            spare if self.is_signed() => value << spare >> spare,
            spare => ((value as u128) << spare >> spare) as i128,
        }
    }
}

impl DataModel {
    /// The size of `long` and of pointers in bytes.
    pub fn word(self) -> u64 {
        match self {
            DataModel::Ilp32 => 4,
            DataModel::Lp64 => 8,
        }
    }

    /// The type of `sizeof`.
    pub fn size_type(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::UInt,
            DataModel::Lp64 => IntKind::ULong,
        }
    }

    /// The type of pointer differences.
    pub fn difference_type(self) -> IntKind {
        match self {
            DataModel::Ilp32 => IntKind::Int,
            DataModel::Lp64 => IntKind::Long,
        }
    }

    /// The largest alignment of a scalar: what `aligned` without a number means.
    pub fn largest_align(self) -> u64 {
        16
    }
}

impl FloatKind {
    /// The size in bytes, padding included.
    pub fn size(self, model: DataModel) -> u64 {
        match self {
            FloatKind::Float => 4,
            FloatKind::Double => 8,
            FloatKind::LongDouble if model == DataModel::Ilp32 => 12,
            FloatKind::LongDouble | FloatKind::Float128 => 16,
        }
    }

    /// The alignment in bytes.
    pub fn align(self, model: DataModel) -> u64 {
        match self {
            FloatKind::Float => 4,
            FloatKind::Double => model.word(),
            FloatKind::LongDouble if model == DataModel::Ilp32 => 4,
            FloatKind::LongDouble | FloatKind::Float128 => 16,
        }
    }
}

impl Types {
    /// The size of a type in bytes; `None` for incomplete and function types,
    /// arrays of run-time length, and sizes beyond 64 bits.
    pub fn size_of(&self, id: Id<Type>) -> Option<u64> {
        let (mut id, mut factor) = (id, 1u64);
        loop {
            let size = match self.get(id) {
                Type::Array { of, length: ArrayLength::Fixed(n) } => {
                    factor = factor.checked_mul(*n)?;
                    id = *of;
                    continue;
                }
                Type::Void | Type::Function(_) | Type::Array { .. } => return None,
                Type::Int(kind) => kind.size(self.model),
                Type::Enum(e) => self.enumerations[*e].underlying.size(self.model),
                Type::Float(kind) => kind.size(self.model),
                Type::Complex(kind) => 2 * kind.size(self.model),
                Type::Pointer { .. } => self.model.word(),
                Type::Record(r) if self.records[*r].is_complete => self.records[*r].size,
                Type::Record(_) => return None,
                Type::VaList => match self.model {
                    DataModel::Ilp32 => 4,
                    DataModel::Lp64 => 24,
                },
            };
            return size.checked_mul(factor);
        }
    }

    /// The alignment of a type in bytes; 1 where there is none.
    pub fn align_of(&self, id: Id<Type>) -> u64 {
        let mut id = id;
        loop {
            match self.get(id) {
                Type::Array { of, .. } => id = *of,
                Type::Void | Type::Function(_) => return 1,
                Type::Int(kind) => return self.int_align(*kind),
                Type::Enum(e) => return self.int_align(self.enumerations[*e].underlying),
                Type::Float(kind) | Type::Complex(kind) => return kind.align(self.model),
                Type::Pointer { .. } | Type::VaList => return self.model.word(),
                Type::Record(r) => return self.records[*r].align.max(1),
            }
        }
    }

    fn int_align(&self, kind: IntKind) -> u64 {
        match self.model {
            DataModel::Ilp32 => kind.size(self.model).min(4),
            DataModel::Lp64 => kind.size(self.model),
        }
    }

    /// Completes a record: places its members and computes its size. `None` if
    /// it does not fit the address space; the record then stays incomplete.
    pub fn lay_out(
        &mut self,
        record: Id<Record>,
        fields: Vec<Field>,
        options: RecordOptions,
    ) -> Option<()> {
        let is_union = self.records[record].is_union;
        let mut layout = Layout::new(self, is_union, options);
        let mut members = Vec::with_capacity(fields.len());
        for field in fields {
            members.extend(layout.place(field)?);
        }
        let (size, align) = layout.finish()?;
        let record = &mut self.records[record];
        (record.members, record.size, record.align) = (members, size, align);
        record.is_complete = true;
        Some(())
    }
}

/// A member to be placed.
#[derive(Clone, Debug)]
pub struct Field {
    /// Its name; `None` for an anonymous record or an unnamed bit-field.
    pub name: Option<Arc<str>>,
    /// Its type.
    pub ty: Id<Type>,
    /// Qualifiers of its type.
    pub qualifiers: Qualifiers,
    /// The width of a bit-field.
    pub width: Option<u32>,
    /// Whether the member itself is `packed`.
    pub packed: bool,
    /// `aligned` or `_Alignas` on the member.
    pub align: Option<u64>,
    /// The alignment of its type if a typedef sets it; may be below the usual.
    pub type_align: Option<u64>,
}

/// What attributes say about a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RecordOptions {
    /// `packed`.
    pub packed: bool,
    /// `aligned`.
    pub align: Option<u64>,
    /// `#pragma pack(n)`: no member is aligned beyond this.
    pub pack: Option<u64>,
}

/// The state of laying out one record. Positions are in bits.
struct Layout<'a> {
    types: &'a Types,
    is_union: bool,
    options: RecordOptions,
    position: u128,
    end: u128,
    align: u64,
}

impl<'a> Layout<'a> {
    fn new(types: &'a Types, is_union: bool, options: RecordOptions) -> Layout<'a> {
        let align = options.align.unwrap_or(1).max(1);
        Layout { types, is_union, options, position: 0, end: 0, align }
    }

    fn place(&mut self, field: Field) -> Option<Option<Member>> {
        if self.is_union {
            self.position = 0;
        }
        let packed = self.options.packed || field.packed;
        let type_align = field.type_align.unwrap_or_else(|| self.types.align_of(field.ty));
        let most = self.options.pack.unwrap_or(u64::MAX);
        let capped = |align: u64| align.min(most);
        let bits = match field.width {
            // Neither `packed` nor `#pragma pack` touches a field of no width.
            Some(0) => {
                self.raise(type_align.max(field.align.unwrap_or(1)));
                return Some(None);
            }
            Some(width) => {
                if let Some(mut align) = field.align {
                    // A field of a whole register that stands aligned by chance
                    // has the alignment of the register, which on i386 nothing
                    // reduces once there is an attribute.
                    if width == 64 && !packed && self.position.is_multiple_of(64) {
                        align = align.max(8);
                    }
                    self.raise(capped(align));
                    self.align = self.align.max(capped(align));
                }
                if field.name.is_some() {
                    // `#pragma pack` wins over `packed` here.
                    let whole = self.options.pack.is_some() || !packed;
                    self.align = self.align.max(if whole { capped(type_align) } else { 1 });
                }
                if !packed && self.options.pack.is_none() {
                    self.keep_together(width, field.ty, type_align)?;
                }
                u128::from(width)
            }
            None => {
                let natural = if packed { 1 } else { type_align };
                let align = capped(natural.max(field.align.unwrap_or(1)));
                self.align = self.align.max(align);
                self.raise(align);
                let size = match self.types.get(field.ty) {
                    Type::Array { length: ArrayLength::Unknown, .. } => 0,
                    _ => self.types.size_of(field.ty)?,
                };
                u128::from(size) * 8
            }
        };
        let start = self.position;
        self.position += bits;
        self.end = self.end.max(self.position);
        let place = field.width.map(|width| BitField { shift: (start % 8) as u32, width });
        Some(Some(Member {
            name: field.name,
            ty: field.ty,
            qualifiers: field.qualifiers,
            offset: u64::try_from(start / 8).ok()?,
            bits: place,
        }))
    }

    /// Advances a bit-field that would touch too many units of its alignment.
    fn keep_together(&mut self, width: u32, ty: Id<Type>, align: u64) -> Option<()> {
        let unit = u128::from(align.max(1)) * 8;
        let whole = u128::from(self.types.size_of(ty)?) * 8;
        let touched = (self.position % unit + u128::from(width)).div_ceil(unit);
        if touched > whole / unit {
            self.raise(align);
        }
        Some(())
    }

    fn raise(&mut self, align: u64) {
        self.position = self.position.next_multiple_of(u128::from(align.max(1)) * 8);
        self.end = self.end.max(if self.is_union { 0 } else { self.position });
    }

    fn finish(self) -> Option<(u64, u64)> {
        let bytes = self.end.div_ceil(8).next_multiple_of(u128::from(self.align));
        let size = u64::try_from(bytes).ok().filter(|size| *size < 1 << 62)?;
        Some((size, self.align))
    }
}
