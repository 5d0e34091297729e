//! Assignments, compound assignments, increments.

use super::body::Body;
use super::build::Way;
use super::expr::Value;
use crate::typed::{Expr, ExprKind};
use parallax_base::{Id, Span};
use parallax_cfa::{Base, Binary, BitField, IntKind, Op, Primitive, ScalarType, Type};

impl Body<'_, '_> {
    /// Lowers an assignment of any form; the value is that of the left side
    /// after the store, or before it for a postfix operator. `None` if it is
    /// not asked for or no scalar.
    pub(crate) fn assignment(&mut self, id: Id<Expr>, wanted: bool) -> Option<Value> {
        let span = self.span(id);
        match &self.typed.exprs[id].kind {
            ExprKind::Assign(left, right) => self.assign(*left, *right, wanted, span),
            ExprKind::AssignOp { op, left, right, computed, is_atomic } => {
                let operands = (*left, *right);
                self.assign_op(*op, operands, (*computed, *is_atomic), wanted, span)
            }
            ExprKind::Increment { target, by, postfix, is_atomic } => {
                self.increment(*target, (*by, *is_atomic), *postfix, wanted, span)
            }
            _ => None,
        }
    }

    fn assign(
        &mut self,
        left: Id<Expr>,
        right: Id<Expr>,
        wanted: bool,
        span: Span,
    ) -> Option<Value> {
        let way = self.way(left);
        let way = self.settle_way(way, self.cx.facts.effect(right), span);
        if !self.is_scalar(way.ty) {
            self.record_into(right, &way, span);
            self.before_store(left, span);
            return None;
        }
        if let ExprKind::Call(callee, arguments) = &self.typed.exprs[right].kind
            && is_plain(&way)
            && self.ty(right) == way.ty
            && !self.ready.contains_key(&right)
        {
            self.call(right, *callee, arguments, Some(&way), false);
            if !wanted {
                return None;
            }
            let value = self.load(&way);
            return Some(self.unshared(value, span));
        }
        let value = self.rvalue(right);
        self.before_store(left, span);
        self.store(&way, value, wanted, span)
    }

    /// Stores a value and returns what the place holds then.
    pub(crate) fn store(
        &mut self,
        way: &Way,
        value: Value,
        wanted: bool,
        span: Span,
    ) -> Option<Value> {
        let mut value = self.cx.build.coerce(value, way.ty);
        self.guard(way, true, span);
        let reads = self.cx.build.reads(value);
        let stable = reads.is_constant() || !wanted;
        let is_plain = is_plain(way) && !self.is_shared(way);
        if !stable && !is_plain {
            value = self.save(value, span);
        }
        let place = self.place(way);
        self.emit(Op::Assign(place, value), span);
        if !wanted {
            None
        } else if !stable && is_plain {
            Some(self.cx.build.load(place))
        } else {
            Some(match way.bits {
                Some(bits) => self.truncated(value, bits, way.ty),
                None => value,
            })
        }
    }

    /// A value as a bit-field holds it.
    fn truncated(&mut self, value: Value, bits: BitField, ty: Id<Type>) -> Value {
        let build = &mut self.cx.build;
        let ScalarType::Int { bits: width, signed } = build.scalar(ty) else { return value };
        let spare = width.saturating_sub(bits.width);
        if spare == 0 {
            return value;
        }
        if !signed {
            let mask = build.int((1i128 << bits.width) - 1, ty);
            return build.binary(Binary::BitAnd, value, mask, ty);
        }
        let amount = build.int(i128::from(spare), build.int);
        let up = build.binary(Binary::Shl, value, amount, ty);
        build.binary(Binary::Shr, up, amount, ty)
    }

    fn assign_op(
        &mut self,
        op: Binary,
        (left, right): (Id<Expr>, Id<Expr>),
        (computed, is_atomic): (Id<Type>, bool),
        wanted: bool,
        span: Span,
    ) -> Option<Value> {
        let way = self.way(left);
        let way = self.settle_way(way, self.cx.facts.effect(right), span);
        if !self.is_scalar(way.ty) || !self.is_scalar(computed) {
            self.effect(right);
            self.unsupported("complex number", span);
            return None;
        }
        let mut operand = self.rvalue(right);
        if is_atomic {
            self.section(Primitive::AtomicBegin, span);
        }
        let old = self.read(&way, span);
        let new = if self.cx.build.scalar(way.ty).is_pointer() {
            if op == Binary::Sub {
                operand = self.cx.build.opposite(operand);
            }
            let scale = self.scale(self.cx.build.types.pointee(way.ty));
            self.cx.build.pointer_add(old, operand, scale)
        } else {
            let old = self.conversion(old, computed, span);
            if !matches!(op, Binary::Shl | Binary::Shr) {
                operand = self.cx.build.coerce(operand, computed);
            }
            let result = self.combine(op, old, operand, computed, span);
            self.conversion(result, way.ty, span)
        };
        self.before_store(left, span);
        let value = self.store(&way, new, wanted, span);
        if is_atomic {
            self.section(Primitive::AtomicEnd, span);
        }
        value
    }

    fn increment(
        &mut self,
        target: Id<Expr>,
        (by, is_atomic): (i8, bool),
        postfix: bool,
        wanted: bool,
        span: Span,
    ) -> Option<Value> {
        let way = self.way(target);
        if !self.is_scalar(way.ty) {
            self.unsupported("complex number", span);
            return None;
        }
        self.before_store(target, span);
        if is_atomic {
            self.section(Primitive::AtomicBegin, span);
        }
        let mut old = self.read(&way, span);
        if postfix && wanted && !way.volatile {
            old = self.save(old, span);
        }
        let op = if by < 0 { Binary::Sub } else { Binary::Add };
        let new = match self.cx.build.scalar(way.ty) {
            ScalarType::Pointer { .. } => {
                let index = self.cx.build.int(i128::from(by), self.cx.build.difference);
                let scale = self.scale(self.cx.build.types.pointee(way.ty));
                self.cx.build.pointer_add(old, index, scale)
            }
            scalar => {
                let computed = self.promoted(scalar, way.bits, way.ty);
                let wide = self.cx.build.convert(old, computed);
                let one = self.cx.build.int(1, self.cx.build.int);
                let one = self.cx.build.convert(one, computed);
                let result = self.combine(op, wide, one, computed, span);
                self.cx.build.convert(result, way.ty)
            }
        };
        let value = self.store(&way, new, wanted && !postfix, span);
        if is_atomic {
            self.section(Primitive::AtomicEnd, span);
        }
        if postfix && wanted { Some(old) } else { value }
    }

    /// The type an operand is promoted to.
    fn promoted(&mut self, scalar: ScalarType, bits: Option<BitField>, ty: Id<Type>) -> Id<Type> {
        let int = self.int_type(IntKind::Int);
        match (scalar, bits) {
            (ScalarType::Bool, _) => int,
            (ScalarType::Int { .. }, Some(field)) if field.width < 32 => int,
            (ScalarType::Int { bits, .. }, _) if bits < 32 => int,
            _ => ty,
        }
    }
}

/// Whether a place is a whole variable that holds what was stored.
pub(crate) fn is_plain(way: &Way) -> bool {
    matches!(way.base, Base::Variable(_))
        && way.path.is_empty()
        && way.bits.is_none()
        && !way.volatile
}
