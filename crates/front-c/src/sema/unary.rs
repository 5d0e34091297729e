//! Operators with one operand, casts and `?:`.

use super::{Checked, Checker, Reported, Ty, Value};
use crate::ast::{self, UnaryOp as Ast};
use crate::typed::{ExprKind, UnaryOp};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{Qualifiers, Type};

impl Checker<'_> {
    /// A prefix operator.
    pub(super) fn unary(&mut self, op: Ast, operand: Id<ast::Expr>, span: Span) -> Checked<Value> {
        let value = self.expr(operand)?;
        match op {
            Ast::AddressOf => self.address_of(value, span),
            Ast::Deref => {
                let pointer = self.rvalue(value)?;
                self.deref(pointer, span)
            }
            Ast::PreIncrement => self.increment(value, 1, false, span),
            Ast::PreDecrement => self.increment(value, -1, false, span),
            Ast::PostIncrement => self.increment(value, 1, true, span),
            Ast::PostDecrement => self.increment(value, -1, true, span),
            Ast::Not => {
                let value = self.rvalue(value)?;
                self.require_scalar(value, "the operand of `!`")?;
                Ok(self.make(ExprKind::Not(value.id), self.basic.int, span))
            }
            Ast::Plus | Ast::Minus | Ast::BitNot => self.arithmetic_unary(op, value, span),
            Ast::Real | Ast::Imag => {
                let value = self.rvalue(value)?;
                let ty = match self.ty(value.ty.id) {
                    Type::Complex(kind) => Type::Float(*kind),
                    other => other.clone(),
                };
                let ty = self.out.types.intern(ty);
                Ok(self.unsupported("a part of a complex number", ty, span))
            }
        }
    }

    fn arithmetic_unary(&mut self, op: Ast, value: Value, span: Span) -> Checked<Value> {
        let value = self.rvalue(value)?;
        let (name, fits) = match op {
            Ast::BitNot => ("~", self.is_integer(value.ty.id) || self.is_complex(value.ty.id)),
            Ast::Minus => ("-", self.is_arithmetic(value.ty.id)),
            _ => ("+", self.is_arithmetic(value.ty.id)),
        };
        if !fits {
            let found = self.display(value.ty);
            let message = format!("`{name}` cannot be applied to `{found}`");
            return Err(self.error(Diagnostic::error("C1301", span, message)));
        }
        let value = self.promote(value);
        if self.is_complex(value.ty.id) {
            return Ok(self.unsupported("arithmetic on complex numbers", value.ty.id, span));
        }
        let op = match op {
            Ast::Minus => UnaryOp::Neg,
            Ast::BitNot => UnaryOp::BitNot,
            _ => return Ok(value),
        };
        let result = self.make(ExprKind::Unary(op, value.id), value.ty.id, span);
        Ok(self.cut_like(result, value))
    }

    fn address_of(&mut self, value: Value, span: Span) -> Checked<Value> {
        let is_function = matches!(self.ty(value.ty.id), Type::Function(_));
        if !is_function && !self.is_lvalue(value) {
            let unsupported = matches!(
                self.out.exprs[value.id].kind,
                ExprKind::Unsupported(_) | ExprKind::Builtin(..)
            );
            let pointer = self.out.types.pointer(value.ty.id);
            if unsupported {
                return Ok(self.unsupported("the address of such a value", pointer, span));
            }
            let error = Diagnostic::error("C1302", span, "`&` needs an object or a function");
            let at = self.span(value);
            return Err(self.error(error.also(at, "this is a value without a place")));
        }
        if matches!(self.out.exprs[value.id].kind, ExprKind::Member { bits: Some(_), .. }) {
            let error = Diagnostic::error("C1303", span, "a bit-field has no address");
            return Err(self.error(error));
        }
        // `&*p` is `p`.
        if let ExprKind::Deref(pointer) = self.out.exprs[value.id].kind {
            return Ok(Value { id: pointer, ty: Ty::plain(self.out.exprs[pointer].ty) });
        }
        let qualifiers = value.ty.qualifiers;
        let pointer = self.out.types.intern(Type::Pointer { to: value.ty.id, qualifiers });
        Ok(self.make(ExprKind::AddressOf(value.id), pointer, span))
    }

    /// What a pointer points to.
    pub(super) fn deref(&mut self, pointer: Value, span: Span) -> Checked<Value> {
        let Type::Pointer { to, qualifiers } = *self.ty(pointer.ty.id) else {
            let found = self.display(pointer.ty);
            let message = format!("`*` needs a pointer, not `{found}`");
            return Err(self.error(Diagnostic::error("C1304", span, message)));
        };
        // A pointer to a function made from its name gives the name back.
        if let (Type::Function(_), ExprKind::Decay(designator)) =
            (self.ty(to), &self.out.exprs[pointer.id].kind)
        {
            return Ok(Value { id: *designator, ty: Ty::plain(to) });
        }
        let value = self.make(ExprKind::Deref(pointer.id), to, span);
        Ok(Value { ty: Ty { id: to, qualifiers, align: None }, ..value })
    }

    /// An error unless the value is an object that may be written.
    pub(super) fn require_writable(&mut self, value: Value, span: Span) -> Checked<()> {
        if matches!(self.out.exprs[value.id].kind, ExprKind::Unsupported(_)) {
            return Ok(());
        }
        let problem = if !self.is_lvalue(value) {
            "this is no object that could be changed"
        } else if matches!(self.ty(value.ty.id), Type::Array { .. }) {
            "an array cannot be assigned as a whole"
        } else if value.ty.qualifiers.is_const {
            "a `const` object cannot be changed"
        } else if !self.is_complete(value.ty.id) {
            "an object of incomplete type cannot be changed"
        } else {
            return Ok(());
        };
        let at = self.span(value);
        let found = self.display(value.ty);
        let error = Diagnostic::error("C1305", at, problem).label(format!("of type `{found}`"));
        Err(self.error(if at == span { error } else { error.also(span, "changed here") }))
    }

    /// `++` and `--`.
    pub(super) fn increment(
        &mut self,
        target: Value,
        by: i8,
        postfix: bool,
        span: Span,
    ) -> Checked<Value> {
        self.require_writable(target, span)?;
        let ty = target.ty.id;
        if self.is_complex(ty) {
            return Ok(self.unsupported("arithmetic on complex numbers", ty, span));
        }
        self.require_scalar(target, "the operand of `++` and `--`")?;
        if self.is_pointer(ty) {
            self.require_step(Value { id: target.id, ty: Ty::plain(ty) }, span)?;
        }
        let is_atomic = target.ty.qualifiers.is_atomic;
        let kind = ExprKind::Increment { target: target.id, by, postfix, is_atomic };
        Ok(self.make(kind, ty, span))
    }

    /// An explicit conversion.
    pub(super) fn cast(&mut self, value: Value, to: Ty, span: Span) -> Checked<Value> {
        let (from, target) = (self.ty(value.ty.id).clone(), self.ty(to.id).clone());
        let allowed = match (&from, &target) {
            (_, Type::Void) => true,
            (Type::Float(_) | Type::Complex(_), Type::Pointer { .. })
            | (Type::Pointer { .. }, Type::Float(_) | Type::Complex(_)) => false,
            (_, Type::Record(record)) if value.ty.id != to.id => {
                let record = *record;
                return self.cast_to_union(value, to, record, span);
            }
            _ => value.ty.id == to.id || (self.is_scalar(value.ty.id) && self.is_scalar(to.id)),
        };
        if !allowed {
            return Err(self.cannot_convert(value, to, "the cast", span));
        }
        let converted = self.convert(value, to.id);
        // The cast is what the user sees, and a cast object is no longer one.
        self.out.exprs[converted.id].span = match converted.id == value.id {
            true => self.out.exprs[converted.id].span,
            false => span,
        };
        Ok(converted)
    }

    /// `c ? a : b` and GNU `c ?: b`.
    pub(super) fn conditional(
        &mut self,
        condition: Id<ast::Expr>,
        yes: Option<Id<ast::Expr>>,
        no: Id<ast::Expr>,
        span: Span,
    ) -> Checked<Value> {
        let condition = self.condition(condition);
        let yes = yes.map(|yes| self.rvalue_expr(yes));
        let no = self.rvalue_expr(no);
        let (condition, no) = (condition?, no?);
        let Some(yes) = yes else {
            let (_, no, ty) = self.join(condition, no, span)?;
            return Ok(self.make(ExprKind::Elvis(condition.id, no.id), ty, span));
        };
        let (yes, no, ty) = self.join(yes?, no, span)?;
        let result = self.make(ExprKind::Conditional(condition.id, yes.id, no.id), ty, span);
        if let Some(width) = self.narrow_width(yes).filter(|_| yes.ty.id == ty) {
            self.narrow.insert(result.id, width);
        }
        Ok(result)
    }

    /// The common type of two branches, and both converted to it.
    fn join(&mut self, a: Value, b: Value, span: Span) -> Checked<(Value, Value, Id<Type>)> {
        if self.is_arithmetic(a.ty.id) && self.is_arithmetic(b.ty.id) {
            return Ok(self.arithmetic(a, b));
        }
        if self.is_void(a.ty.id) || self.is_void(b.ty.id) {
            let void = self.basic.void;
            return Ok((self.convert(a, void), self.convert(b, void), void));
        }
        let ty = match (self.ty(a.ty.id).clone(), self.ty(b.ty.id).clone()) {
            _ if a.ty.id == b.ty.id => {
                // `(void *)0` beside another null gives either.
                a.ty.id
            }
            (Type::Pointer { .. }, _) if self.is_null_constant(b) => a.ty.id,
            (_, Type::Pointer { .. }) if self.is_null_constant(a) => b.ty.id,
            (Type::Pointer { to: x, qualifiers: p }, Type::Pointer { to: y, qualifiers: q }) => {
                self.join_pointers((x, p), (y, q), span)
            }
            (Type::Pointer { .. }, Type::Int(_) | Type::Enum(_)) => a.ty.id,
            (Type::Int(_) | Type::Enum(_), Type::Pointer { .. }) => b.ty.id,
            _ if self.compatible(a.ty.id, b.ty.id) => a.ty.id,
            _ => {
                let (x, y) = (self.display(a.ty), self.display(b.ty));
                let message = format!("the branches have types `{x}` and `{y}`");
                let error = Diagnostic::error("C1306", span, message);
                let (at, bt) = (self.span(a), self.span(b));
                self.error(error.also(at, x).also(bt, y));
                return Err(Reported);
            }
        };
        let (a, b) = match self.is_record(ty) {
            true => (a, b),
            false => (self.convert(a, ty), self.convert(b, ty)),
        };
        Ok((a, b, ty))
    }

    fn join_pointers(
        &mut self,
        (x, p): (Id<Type>, Qualifiers),
        (y, q): (Id<Type>, Qualifiers),
        span: Span,
    ) -> Id<Type> {
        let to = if self.is_void(x) || self.is_void(y) {
            self.basic.void
        } else if self.compatible(x, y) {
            self.composite(x, y)
        } else {
            self.warn("C1901", span, "the branches are pointers to different types");
            self.basic.void
        };
        self.joined_pointer(to, p, q)
    }
}
