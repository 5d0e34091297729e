//! Operators with two operands and assignments.

use super::{Checked, Checker, Reported, Value};
use crate::ast::BinaryOp as Ast;
use crate::typed::ExprKind;
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{Binary, Type};

/// The operator of the program form; `None` for `&&` and `||`.
fn plain(op: Ast) -> Option<Binary> {
    Some(match op {
        Ast::Add => Binary::Add,
        Ast::Sub => Binary::Sub,
        Ast::Mul => Binary::Mul,
        Ast::Div => Binary::Div,
        Ast::Rem => Binary::Rem,
        Ast::Shl => Binary::Shl,
        Ast::Shr => Binary::Shr,
        Ast::BitAnd => Binary::BitAnd,
        Ast::BitOr => Binary::BitOr,
        Ast::BitXor => Binary::BitXor,
        Ast::Eq => Binary::Eq,
        Ast::Ne => Binary::Ne,
        Ast::Lt => Binary::Lt,
        Ast::Le => Binary::Le,
        Ast::Gt => Binary::Gt,
        Ast::Ge => Binary::Ge,
        Ast::LogAnd | Ast::LogOr => return None,
    })
}

fn symbol(op: Ast) -> &'static str {
    match op {
        Ast::Add => "+",
        Ast::Sub => "-",
        Ast::Mul => "*",
        Ast::Div => "/",
        Ast::Rem => "%",
        Ast::Shl => "<<",
        Ast::Shr => ">>",
        Ast::BitAnd => "&",
        Ast::BitOr => "|",
        Ast::BitXor => "^",
        Ast::Eq => "==",
        Ast::Ne => "!=",
        Ast::Lt => "<",
        Ast::Le => "<=",
        Ast::Gt => ">",
        Ast::Ge => ">=",
        Ast::LogAnd => "&&",
        Ast::LogOr => "||",
    }
}

impl Checker<'_> {
    /// A binary operator on two values.
    pub(super) fn binary(
        &mut self,
        op: Ast,
        left: Value,
        right: Value,
        span: Span,
    ) -> Checked<Value> {
        let Some(plain) = plain(op) else {
            self.require_scalar(left, "an operand of `&&` or `||`")?;
            self.require_scalar(right, "an operand of `&&` or `||`")?;
            let kind = match op {
                Ast::LogAnd => ExprKind::And(left.id, right.id),
                _ => ExprKind::Or(left.id, right.id),
            };
            return Ok(self.make(kind, self.basic.int, span));
        };
        let numbers = self.is_arithmetic(left.ty.id) && self.is_arithmetic(right.ty.id);
        let integers = self.is_integer(left.ty.id) && self.is_integer(right.ty.id);
        match plain {
            Binary::Shl | Binary::Shr if integers => {
                let (left, right) = (self.promote(left), self.promote(right));
                let kind = ExprKind::Binary(plain, left.id, right.id);
                let result = self.make(kind, left.ty.id, span);
                Ok(self.cut_like(result, left))
            }
            Binary::Rem | Binary::BitAnd | Binary::BitOr | Binary::BitXor if integers => {
                Ok(self.computed(plain, left, right, span))
            }
            Binary::Add | Binary::Sub | Binary::Mul | Binary::Div if numbers => {
                Ok(self.computed(plain, left, right, span))
            }
            Binary::Add if self.is_pointer(left.ty.id) && self.is_integer(right.ty.id) => {
                self.pointer_step(left, right, 1, span)
            }
            Binary::Add if self.is_integer(left.ty.id) && self.is_pointer(right.ty.id) => {
                self.pointer_step(right, left, 1, span)
            }
            Binary::Sub if self.is_pointer(left.ty.id) && self.is_integer(right.ty.id) => {
                self.pointer_step(left, right, -1, span)
            }
            Binary::Sub if self.is_pointer(left.ty.id) && self.is_pointer(right.ty.id) => {
                self.pointer_difference(left, right, span)
            }
            _ if plain.is_comparison() => self.comparison(op, plain, left, right, span),
            _ => Err(self.bad_operands(op, left, right, span)),
        }
    }

    fn bad_operands(&mut self, op: Ast, left: Value, right: Value, span: Span) -> Reported {
        let (a, b) = (self.display(left.ty), self.display(right.ty));
        let message = format!("`{}` cannot combine `{a}` and `{b}`", symbol(op));
        let (at, bt) = (self.span(left), self.span(right));
        self.error(Diagnostic::error("C1307", span, message).also(at, a).also(bt, b))
    }

    fn computed(&mut self, op: Binary, left: Value, right: Value, span: Span) -> Value {
        let (left, right, ty) = self.arithmetic(left, right);
        if self.is_complex(ty) {
            return self.unsupported("arithmetic on complex numbers", ty, span);
        }
        let result = self.make(ExprKind::Binary(op, left.id, right.id), ty, span);
        self.cut_like(result, left)
    }

    fn comparison(
        &mut self,
        op: Ast,
        plain: Binary,
        left: Value,
        right: Value,
        span: Span,
    ) -> Checked<Value> {
        let int = self.basic.int;
        let (a, b) = (self.is_pointer(left.ty.id), self.is_pointer(right.ty.id));
        let (left, right) = match (a, b) {
            (false, false) => {
                if !self.is_arithmetic(left.ty.id) || !self.is_arithmetic(right.ty.id) {
                    return Err(self.bad_operands(op, left, right, span));
                }
                let (left, right, ty) = self.arithmetic(left, right);
                if self.is_complex(ty) {
                    return Ok(self.unsupported("comparison of complex numbers", int, span));
                }
                (left, right)
            }
            (true, true) => {
                // Both sides get one type: `void *` wins, as in the standard.
                let void = self.types().pointee(right.ty.id).is_some_and(|to| self.is_void(to));
                let ty = if void { right.ty.id } else { left.ty.id };
                (self.convert(left, ty), self.convert(right, ty))
            }
            (true, false) if self.is_integer(right.ty.id) => {
                let ty = left.ty.id;
                (left, self.convert(right, ty))
            }
            (false, true) if self.is_integer(left.ty.id) => {
                let ty = right.ty.id;
                (self.convert(left, ty), right)
            }
            _ => return Err(self.bad_operands(op, left, right, span)),
        };
        Ok(self.make(ExprKind::Binary(plain, left.id, right.id), int, span))
    }

    /// An error unless the pointer can be stepped: its target has a size.
    pub(super) fn require_step(&mut self, pointer: Value, span: Span) -> Checked<()> {
        let Some(to) = self.types().pointee(pointer.ty.id) else { return Err(Reported) };
        let fine = matches!(self.ty(to), Type::Void | Type::Function(_)) || self.is_complete(to);
        if fine {
            return Ok(());
        }
        let found = self.display_id(to);
        let message = format!("arithmetic on a pointer to the incomplete type `{found}`");
        Err(self.error(Diagnostic::error("C1308", span, message)))
    }

    /// Pointer plus or minus integer.
    pub(super) fn pointer_step(
        &mut self,
        pointer: Value,
        index: Value,
        sign: i8,
        span: Span,
    ) -> Checked<Value> {
        self.require_step(pointer, span)?;
        let index = self.promote(index);
        let kind = match sign {
            1 => ExprKind::PointerAdd(pointer.id, index.id),
            _ => ExprKind::PointerSub(pointer.id, index.id),
        };
        Ok(self.make(kind, pointer.ty.id, span))
    }

    fn pointer_difference(&mut self, left: Value, right: Value, span: Span) -> Checked<Value> {
        self.require_step(left, span)?;
        let right = self.convert(right, left.ty.id);
        let ty = self.basic.difference;
        Ok(self.make(ExprKind::PointerDiff(left.id, right.id), ty, span))
    }

    /// `a = b`.
    pub(super) fn assignment(&mut self, left: Value, right: Value, span: Span) -> Checked<Value> {
        self.require_writable(left, span)?;
        let right = self.assign(right, left.ty, "the assignment")?;
        if self.is_complex(left.ty.id) {
            return Ok(self.unsupported("complex numbers", left.ty.id, span));
        }
        if left.ty.qualifiers.is_atomic && matches!(self.ty(left.ty.id), Type::Record(_)) {
            let what = "access to a record that is _Atomic";
            return Ok(self.unsupported(what, left.ty.id, span));
        }
        Ok(self.make(ExprKind::Assign(left.id, right.id), left.ty.id, span))
    }

    /// `a op= b`.
    pub(super) fn compound_assignment(
        &mut self,
        op: Ast,
        left: Value,
        right: Value,
        span: Span,
    ) -> Checked<Value> {
        self.require_writable(left, span)?;
        let Some(plain) = plain(op) else { return Err(Reported) };
        let ty = left.ty.id;
        let current = self.rvalue(left)?;
        let (right, computed): (Value, Id<Type>) = match plain {
            Binary::Add | Binary::Sub if self.is_pointer(ty) && self.is_integer(right.ty.id) => {
                self.require_step(current, span)?;
                (self.promote(right), ty)
            }
            Binary::Shl | Binary::Shr => {
                if !self.is_integer(ty) || !self.is_integer(right.ty.id) {
                    return Err(self.bad_operands(op, current, right, span));
                }
                let computed = self.promote(current).ty.id;
                (self.promote(right), computed)
            }
            _ => {
                let numbers = match plain {
                    Binary::Add | Binary::Sub | Binary::Mul | Binary::Div => {
                        self.is_arithmetic(ty) && self.is_arithmetic(right.ty.id)
                    }
                    _ => self.is_integer(ty) && self.is_integer(right.ty.id),
                };
                if !numbers {
                    return Err(self.bad_operands(op, current, right, span));
                }
                let (_, right, computed) = self.arithmetic(current, right);
                (right, computed)
            }
        };
        if self.is_complex(computed) || self.is_complex(ty) {
            return Ok(self.unsupported("arithmetic on complex numbers", ty, span));
        }
        let is_atomic = left.ty.qualifiers.is_atomic;
        let (left, right) = (left.id, right.id);
        let kind = ExprKind::AssignOp { op: plain, left, right, computed, is_atomic };
        Ok(self.make(kind, ty, span))
    }
}
