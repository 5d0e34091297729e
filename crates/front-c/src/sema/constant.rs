//! Constant folding, one node at a time.
//!
//! Each expression is folded when it is made, from the constants of its
//! operands. The arithmetic is that of the program form, so the checker and
//! the interpreter cannot disagree. Places at absolute addresses are tracked as
//! well: `&((struct s *)0)->m` is an integer to C programs.

use super::{Checked, Checker, Reported, Value};
use crate::ast;
use crate::typed::{ExprKind, UnaryOp};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{Binary, ScalarType, Type, Unary, arith};

/// What is known about an expression before the program runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Constant {
    /// Nothing.
    No,
    /// The canonical bits of a scalar.
    Scalar(u128),
    /// An lvalue at this address.
    Place(u128),
}

impl Checker<'_> {
    fn constant_of(&self, id: Id<crate::typed::Expr>) -> Constant {
        self.constants.get(id.index()).copied().unwrap_or(Constant::No)
    }

    /// The canonical bits of a constant scalar.
    pub(super) fn scalar_constant(&self, value: Value) -> Option<u128> {
        match self.constant_of(value.id) {
            Constant::Scalar(bits) => Some(bits),
            _ => None,
        }
    }

    /// The value of a constant of integer type.
    pub(super) fn integer_constant(&self, value: Value) -> Option<i128> {
        self.types().int_kind(value.ty.id)?;
        self.scalar_constant(value).map(|bits| bits as i128)
    }

    /// The value modulo the width of an integer, enumeration or pointer type.
    pub(super) fn wrap(&self, value: i128, ty: Id<Type>) -> i128 {
        match self.types().scalar(ty) {
            Some(scalar) => arith::wrap(scalar, value as u128) as i128,
            None => value,
        }
    }

    /// Checks an expression that must be an integer constant.
    pub(super) fn constant_expression(&mut self, id: Id<ast::Expr>, what: &str) -> Checked<i128> {
        let value = self.rvalue_expr(id)?;
        self.require_constant(value, what)
    }

    /// The value of an integer constant, or an error.
    pub(super) fn require_constant(&mut self, value: Value, what: &str) -> Checked<i128> {
        let span = self.span(value);
        if self.types().int_kind(value.ty.id).is_none() {
            let found = self.display(value.ty);
            let error = Diagnostic::error("C1001", span, format!("{what} is not an integer"));
            return Err(self.error(error.label(format!("this has type `{found}`"))));
        }
        match self.integer_constant(value) {
            Some(constant) => Ok(constant),
            None => {
                let error = Diagnostic::error("C1002", span, format!("{what} is not constant"));
                Err(self.error(error.label("its value is known only at run time")))
            }
        }
    }

    /// `_Static_assert`.
    pub(super) fn static_assert(&mut self, assert: &ast::StaticAssert) {
        if let Ok(0) = self.constant_expression(assert.condition, "the condition") {
            let text = assert.message.as_deref().unwrap_or("the condition is false");
            let span = self.unit.exprs[assert.condition].span;
            let error =
                Diagnostic::error("C1003", span, format!("static assertion failed: {text}"));
            self.error(error.label("this is zero"));
        }
    }

    fn scalar(&self, id: Id<crate::typed::Expr>) -> Option<(u128, ScalarType)> {
        let Constant::Scalar(bits) = self.constant_of(id) else { return None };
        Some((bits, self.types().scalar(self.out.exprs[id].ty)?))
    }

    /// Whether a constant operand counts as true; `None` if it is not constant.
    pub(super) fn constant_truth(&self, id: Id<crate::typed::Expr>) -> Option<bool> {
        self.scalar(id).map(|(bits, ty)| arith::is_true(ty, bits))
    }

    /// Folds a node that is about to be made.
    pub(super) fn fold(&self, kind: &ExprKind, ty: Id<Type>) -> Constant {
        self.fold_node(kind, ty).unwrap_or(Constant::No)
    }

    fn fold_node(&self, kind: &ExprKind, ty: Id<Type>) -> Option<Constant> {
        let truth = |value: bool| Some(Constant::Scalar(u128::from(value)));
        match kind {
            ExprKind::Int(value) => Some(Constant::Scalar(*value as u128)),
            ExprKind::Float(bits) => Some(Constant::Scalar(*bits)),
            ExprKind::Unary(op, operand) => {
                let (bits, from) = self.scalar(*operand)?;
                let op = match op {
                    UnaryOp::Neg => Unary::Neg,
                    UnaryOp::BitNot => Unary::BitNot,
                    UnaryOp::Float(f) => Unary::Float(*f),
                    UnaryOp::Bits(f) => Unary::Bits(*f),
                };
                Some(Constant::Scalar(arith::unary(op, from, bits)))
            }
            ExprKind::Binary(op, left, right) => {
                let ((a, at), (b, _)) = (self.scalar(*left)?, self.scalar(*right)?);
                if matches!(op, Binary::Div | Binary::Rem) && b == 0 && !at.is_float() {
                    return None;
                }
                Some(Constant::Scalar(arith::binary(*op, at, a, b)))
            }
            ExprKind::Not(operand) => truth(!self.constant_truth(*operand)?),
            ExprKind::And(left, right) => match self.constant_truth(*left)? {
                false => truth(false),
                true => truth(self.constant_truth(*right)?),
            },
            ExprKind::Or(left, right) => match self.constant_truth(*left)? {
                true => truth(true),
                false => truth(self.constant_truth(*right)?),
            },
            ExprKind::Conditional(condition, yes, no) => {
                let taken = if self.constant_truth(*condition)? { yes } else { no };
                self.scalar(*taken).map(|(bits, _)| Constant::Scalar(bits))
            }
            ExprKind::Convert(operand) => {
                let (bits, from) = self.scalar(*operand)?;
                Some(Constant::Scalar(arith::convert(from, self.types().scalar(ty)?, bits)))
            }
            ExprKind::PointerAdd(pointer, index) => self.step(*pointer, *index, 1),
            ExprKind::PointerSub(pointer, index) => self.step(*pointer, *index, -1),
            ExprKind::PointerDiff(left, right) => {
                let ((a, _), (b, _)) = (self.scalar(*left)?, self.scalar(*right)?);
                let size = self.pointee_size(self.out.exprs[*left].ty)?;
                let distance = (a as i128).wrapping_sub(b as i128).checked_div(i128::from(size))?;
                Some(Constant::Scalar(self.wrap(distance, ty) as u128))
            }
            ExprKind::Deref(pointer) => match self.constant_of(*pointer) {
                Constant::Scalar(address) => Some(Constant::Place(address)),
                _ => None,
            },
            ExprKind::Member { record, of, member, bits, .. } => {
                let Constant::Place(address) = self.constant_of(*record) else { return None };
                let offset = self.types().records[*of].members.get(*member as usize)?.offset;
                bits.is_none().then(|| Constant::Place(address.wrapping_add(u128::from(offset))))
            }
            ExprKind::AddressOf(operand) | ExprKind::Decay(operand) => {
                let Constant::Place(address) = self.constant_of(*operand) else { return None };
                Some(Constant::Scalar(self.wrap(address as i128, ty) as u128))
            }
            _ => None,
        }
    }

    /// The size a pointer steps by; 1 for `void` and functions, as in GNU C.
    pub(super) fn pointee_size(&self, pointer: Id<Type>) -> Option<u64> {
        let to = self.types().pointee(pointer)?;
        match self.ty(to) {
            Type::Void | Type::Function(_) => Some(1),
            _ => self.types().size_of(to),
        }
    }

    fn step(
        &self,
        pointer: Id<crate::typed::Expr>,
        index: Id<crate::typed::Expr>,
        sign: i128,
    ) -> Option<Constant> {
        let ((address, _), (index, _)) = (self.scalar(pointer)?, self.scalar(index)?);
        let ty = self.out.exprs[pointer].ty;
        let size = i128::from(self.pointee_size(ty)?);
        let moved = (address as i128).wrapping_add((index as i128).wrapping_mul(size) * sign);
        Some(Constant::Scalar(self.wrap(moved, ty) as u128))
    }

    /// Replaces a constant expression by its value.
    pub(super) fn folded(&mut self, value: Value) -> Value {
        let span = self.span(value);
        let Some(bits) = self.scalar_constant(value) else { return value };
        match self.ty(value.ty.id) {
            Type::Float(_) => self.make(ExprKind::Float(bits), value.ty.id, span),
            _ => self.make(ExprKind::Int(bits as i128), value.ty.id, span),
        }
    }

    /// Checks the length of an array, the width of a bit-field and the like.
    pub(super) fn require_range(
        &mut self,
        value: i128,
        limit: u64,
        span: Span,
        what: &str,
    ) -> Checked<u64> {
        match u64::try_from(value) {
            Ok(value) if value <= limit => Ok(value),
            _ => {
                let message = match value < 0 {
                    true => format!("{what} is negative"),
                    false => format!("{what} is too large"),
                };
                let error = Diagnostic::error("C1004", span, message);
                self.error(error.label(format!("its value is {value}")));
                Err(Reported)
            }
        }
    }
}
