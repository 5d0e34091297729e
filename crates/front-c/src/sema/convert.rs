//! Conversions: of lvalues, promotions, usual arithmetic, as if by assignment.

use super::{Checked, Checker, Ty, Value};
use crate::ast;
use crate::typed::{Expr, ExprKind};
use parallax_base::{Diagnostic, Id};
use parallax_cfa::{ArrayLength, FloatKind, IntKind, Qualifiers, Type};

/// The order of integer types in conversions.
fn rank(kind: IntKind) -> u8 {
    use IntKind::{Bool, Char, Int, Int128, Long, LongLong, SChar, Short};
    use IntKind::{UChar, UInt, UInt128, ULong, ULongLong, UShort};
    match kind {
        Bool => 0,
        Char | SChar | UChar => 1,
        Short | UShort => 2,
        Int | UInt => 3,
        Long | ULong => 4,
        LongLong | ULongLong => 5,
        Int128 | UInt128 => 6,
    }
}

impl Checker<'_> {
    pub(super) fn is_integer(&self, ty: Id<Type>) -> bool {
        self.types().int_kind(ty).is_some()
    }

    pub(super) fn is_pointer(&self, ty: Id<Type>) -> bool {
        matches!(self.ty(ty), Type::Pointer { .. })
    }

    pub(super) fn is_arithmetic(&self, ty: Id<Type>) -> bool {
        matches!(self.ty(ty), Type::Int(_) | Type::Enum(_) | Type::Float(_) | Type::Complex(_))
    }

    pub(super) fn is_scalar(&self, ty: Id<Type>) -> bool {
        self.is_arithmetic(ty) || self.is_pointer(ty)
    }

    pub(super) fn is_complex(&self, ty: Id<Type>) -> bool {
        matches!(self.ty(ty), Type::Complex(_))
    }

    pub(super) fn is_void(&self, ty: Id<Type>) -> bool {
        matches!(self.ty(ty), Type::Void)
    }

    pub(super) fn is_record(&self, ty: Id<Type>) -> bool {
        matches!(self.ty(ty), Type::Record(_))
    }

    /// Whether objects of the type exist: its size is known, if only at run time.
    pub(super) fn is_complete(&self, ty: Id<Type>) -> bool {
        let mut ty = ty;
        loop {
            match self.ty(ty) {
                Type::Void | Type::Function(_) => return false,
                Type::Array { length: ArrayLength::Unknown, .. } => return false,
                Type::Array { of, .. } => ty = *of,
                Type::Record(r) => return self.types().records[*r].is_complete,
                _ => return true,
            }
        }
    }

    /// Whether an expression denotes an object.
    pub(super) fn is_lvalue(&self, value: Value) -> bool {
        let mut id = value.id;
        loop {
            match &self.out.exprs[id].kind {
                ExprKind::Variable(_) | ExprKind::Deref(_) | ExprKind::CompoundLiteral(..) => {
                    return true;
                }
                ExprKind::Member { record, .. } => id = *record,
                _ => return false,
            }
        }
    }

    /// The value of an expression: objects are read, arrays and functions
    /// become pointers.
    pub(super) fn rvalue(&mut self, value: Value) -> Checked<Value> {
        let span = self.span(value);
        match self.ty(value.ty.id) {
            Type::Array { of, .. } => {
                let pointee = Type::Pointer { to: *of, qualifiers: value.ty.qualifiers };
                let pointer = self.out.types.intern(pointee);
                Ok(self.make(ExprKind::Decay(value.id), pointer, span))
            }
            Type::Function(_) => {
                let pointer = self.out.types.pointer(value.ty.id);
                Ok(self.make(ExprKind::Decay(value.id), pointer, span))
            }
            Type::Void => match self.out.exprs[value.id].kind {
                ExprKind::Deref(pointer) => {
                    Ok(self.make(ExprKind::Convert(pointer), self.basic.void, span))
                }
                _ => Ok(value),
            },
            Type::Record(r) if !self.types().records[*r].is_complete => {
                let name = self.display(value.ty);
                let error =
                    Diagnostic::error("C1101", span, format!("`{name}` is an incomplete type"));
                Err(self.error(error.label("its value is needed here")))
            }
            Type::Record(_) if value.ty.qualifiers.is_atomic => {
                Ok(self.unsupported("access to a record that is _Atomic", value.ty.id, span))
            }
            _ if self.is_lvalue(value) => {
                Ok(self.make(ExprKind::Load(value.id), value.ty.id, span))
            }
            _ => Ok(Value { id: value.id, ty: Ty::plain(value.ty.id) }),
        }
    }

    /// Checks an expression and takes its value.
    pub(super) fn rvalue_expr(&mut self, id: Id<ast::Expr>) -> Checked<Value> {
        let value = self.expr(id)?;
        self.rvalue(value)
    }

    /// The width of a bit-field whose value this is.
    pub(super) fn bit_width(&self, id: Id<Expr>) -> Option<u32> {
        let mut id = id;
        loop {
            match &self.out.exprs[id].kind {
                ExprKind::Member { bits, .. } => return bits.map(|b| b.width),
                ExprKind::Load(inner) | ExprKind::Comma(_, inner) => id = *inner,
                ExprKind::Assign(left, _) | ExprKind::AssignOp { left, .. } => id = *left,
                ExprKind::Increment { target, .. } => id = *target,
                _ => return None,
            }
        }
    }

    /// The type an integer is promoted to. A `long` as wide as `int` stays one;
    /// a bit-field that fits `int` becomes `int` whatever its declared type.
    fn promoted_kind(&self, value: Value, kind: IntKind) -> IntKind {
        match self.bit_width(value.id) {
            _ if rank(kind) < 3 => IntKind::Int,
            Some(width) if width == kind.width(self.model()) => kind,
            Some(0..32) => IntKind::Int,
            Some(32) if kind.is_signed() => IntKind::Int,
            Some(32) => IntKind::UInt,
            _ => kind,
        }
    }

    /// The integer promotions; other types are left alone.
    pub(super) fn promote(&mut self, value: Value) -> Value {
        let Some(kind) = self.types().int_kind(value.ty.id) else { return value };
        let promoted = self.promoted_kind(value, kind);
        let ty = self.out.types.int(promoted);
        match ty == value.ty.id {
            true => Value { id: value.id, ty: Ty::plain(ty) },
            false => self.convert(value, ty),
        }
    }

    /// The promotions of arguments without a prototype.
    pub(super) fn promote_argument(&mut self, value: Value) -> Value {
        match self.ty(value.ty.id) {
            Type::Float(FloatKind::Float) => {
                let double = self.out.types.intern(Type::Float(FloatKind::Double));
                self.convert(value, double)
            }
            _ => self.promote(value),
        }
    }

    fn common_kind(&self, a: IntKind, b: IntKind) -> IntKind {
        if a == b {
            return a;
        }
        let (high, low) = if rank(a) >= rank(b) { (a, b) } else { (b, a) };
        if high.is_signed() == low.is_signed() {
            return high;
        }
        let (signed, unsigned) = if high.is_signed() { (high, low) } else { (low, high) };
        if rank(unsigned) >= rank(signed) {
            unsigned
        } else if signed.width(self.model()) > unsigned.width(self.model()) {
            signed
        } else {
            signed.to_unsigned()
        }
    }

    /// The usual arithmetic conversions of two arithmetic values.
    pub(super) fn arithmetic(&mut self, left: Value, right: Value) -> (Value, Value, Id<Type>) {
        let float = |ty: &Type| match ty {
            Type::Float(kind) | Type::Complex(kind) => Some(*kind),
            _ => None,
        };
        let (a, b) = (self.ty(left.ty.id).clone(), self.ty(right.ty.id).clone());
        let (left, right, ty) = match float(&a).max(float(&b)) {
            Some(kind) => {
                let complex = [&a, &b].iter().any(|t| matches!(t, Type::Complex(_)));
                let ty = if complex { Type::Complex(kind) } else { Type::Float(kind) };
                (left, right, self.out.types.intern(ty))
            }
            None => {
                let (left, right) = (self.promote(left), self.promote(right));
                if let Some(converted) = self.narrow_arithmetic(left, right) {
                    return converted;
                }
                let (a, b) =
                    (self.types().int_kind(left.ty.id), self.types().int_kind(right.ty.id));
                let kind = self.common_kind(a.unwrap_or(IntKind::Int), b.unwrap_or(IntKind::Int));
                let ty = self.out.types.int(kind);
                (left, right, ty)
            }
        };
        (self.convert(left, ty), self.convert(right, ty), ty)
    }

    /// Converts a value; constants at once.
    pub(super) fn convert(&mut self, value: Value, ty: Id<Type>) -> Value {
        // A bit-field converted to its declared type is no bit-field any more,
        // which matters to the promotions.
        if value.ty.id == ty && self.bit_width(value.id).is_none() {
            return Value { id: value.id, ty: Ty::plain(ty) };
        }
        let span = self.span(value);
        if !self.is_void(ty) && (self.is_complex(ty) || self.is_complex(value.ty.id)) {
            return self.unsupported("arithmetic on complex numbers", ty, span);
        }
        let is_literal =
            matches!(self.out.exprs[value.id].kind, ExprKind::Int(_) | ExprKind::Float(_));
        let kind = ExprKind::Convert(value.id);
        match self.fold(&kind, ty) {
            super::Constant::Scalar(bits) if is_literal => match self.ty(ty) {
                Type::Float(_) => self.make(ExprKind::Float(bits), ty, span),
                _ => self.make(ExprKind::Int(bits as i128), ty, span),
            },
            _ => self.make(kind, ty, span),
        }
    }

    /// Whether a value is a null pointer constant: an integer constant zero,
    /// perhaps cast to `void *`.
    pub(super) fn is_null_constant(&self, value: Value) -> bool {
        if self.scalar_constant(value) != Some(0) {
            return false;
        }
        if self.is_integer(value.ty.id) {
            return true;
        }
        let plain = Type::Pointer { to: self.basic.void, qualifiers: Qualifiers::default() };
        let from_integer = match self.out.exprs[value.id].kind {
            ExprKind::Convert(inner) => self.is_integer(self.out.exprs[inner].ty),
            ExprKind::Int(_) => true,
            _ => false,
        };
        from_integer && *self.ty(value.ty.id) == plain
    }

    /// A value that is tested against zero.
    pub(super) fn condition(&mut self, id: Id<ast::Expr>) -> Checked<Value> {
        let value = self.rvalue_expr(id)?;
        self.require_scalar(value, "a condition")?;
        Ok(value)
    }

    /// An error unless the value is a number or a pointer.
    pub(super) fn require_scalar(&mut self, value: Value, what: &str) -> Checked<()> {
        if self.is_scalar(value.ty.id) {
            return Ok(());
        }
        let found = self.display(value.ty);
        let span = self.span(value);
        let error =
            Diagnostic::error("C1102", span, format!("{what} must be a number or a pointer"));
        Err(self.error(error.label(format!("this has type `{found}`"))))
    }
}
