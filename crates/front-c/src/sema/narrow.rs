//! Bit-fields wider than `int`.
//!
//! In GCC the value of `unsigned long long x : 40` has a type of 40 bits: it is
//! not promoted, arithmetic with narrower operands wraps at 40 bits, and beside
//! a 64-bit operand it counts as the narrower one whatever its sign. The typed
//! tree has no such types; the value has the declared one, the width is kept
//! beside the tree, and results are cut to it.

use super::{Checker, Value};
use crate::typed::ExprKind;
use parallax_base::{Id, Span};
use parallax_cfa::{Binary, IntKind, Type};

impl Checker<'_> {
    /// The width of a value that has fewer bits than its type and more than `int`.
    pub(super) fn narrow_width(&self, value: Value) -> Option<u32> {
        if let Some(width) = self.narrow.get(&value.id) {
            return Some(*width);
        }
        let kind = self.types().int_kind(value.ty.id)?;
        let width = self.bit_width(value.id)?;
        (width > 32 && width < kind.width(self.model())).then_some(width)
    }

    /// The usual arithmetic conversions where an operand is narrow; `None` if
    /// none is.
    pub(super) fn narrow_arithmetic(
        &mut self,
        left: Value,
        right: Value,
    ) -> Option<(Value, Value, Id<Type>)> {
        let (a, b) = (self.narrow_width(left), self.narrow_width(right));
        a.or(b)?;
        let (x, y) = (self.types().int_kind(left.ty.id)?, self.types().int_kind(right.ty.id)?);
        let bits = |narrow: Option<u32>, kind: IntKind| narrow.unwrap_or(kind.width(self.model()));
        // More bits win; among equals, the unsigned type.
        let order = |narrow, kind: IntKind| (bits(narrow, kind), !kind.is_signed());
        let (kind, width) = if order(a, x) >= order(b, y) { (x, a) } else { (y, b) };
        let ty = self.out.types.int(kind);
        Some((self.widened(left, ty, width), self.widened(right, ty, width), ty))
    }

    /// A value converted to a type of which only `width` bits count.
    fn widened(&mut self, value: Value, ty: Id<Type>, width: Option<u32>) -> Value {
        if width.is_some() && value.ty.id == ty && self.narrow_width(value) == width {
            return value;
        }
        let value = self.convert(value, ty);
        width.map_or(value, |width| self.cut(value, width))
    }

    /// The result of an operator on a narrow operand.
    pub(super) fn cut_like(&mut self, result: Value, operand: Value) -> Value {
        match self.narrow_width(operand) {
            Some(width) if result.ty.id == operand.ty.id => self.cut(result, width),
            _ => result,
        }
    }

    /// The value modulo its narrow width.
    fn cut(&mut self, value: Value, width: u32) -> Value {
        let ty = value.ty.id;
        let Some(kind) = self.types().int_kind(ty) else { return value };
        if self.narrow_width(value) == Some(width) {
            return value;
        }
        let span = self.span(value);
        let result = match kind.is_signed() {
            false => {
                let mask = self.integer((1i128 << width) - 1, ty, span);
                self.make(ExprKind::Binary(Binary::BitAnd, value.id, mask.id), ty, span)
            }
            true => self.sign_extended(value, kind, width, span),
        };
        self.narrow.insert(result.id, width);
        result
    }

    /// Left without a sign and right with it, so that nothing overflows.
    fn sign_extended(&mut self, value: Value, kind: IntKind, width: u32, span: Span) -> Value {
        let unsigned = self.out.types.int(kind.to_unsigned());
        let spare = i128::from(kind.width(self.model()) - width);
        let amount = self.integer(spare, self.basic.int, span);
        let bits = self.convert(value, unsigned);
        let shifted = self.make(ExprKind::Binary(Binary::Shl, bits.id, amount.id), unsigned, span);
        let signed = self.convert(shifted, value.ty.id);
        self.make(ExprKind::Binary(Binary::Shr, signed.id, amount.id), value.ty.id, span)
    }
}
