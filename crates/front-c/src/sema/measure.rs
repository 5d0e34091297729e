//! `sizeof`, `_Alignof` and `offsetof`.

use super::{Checked, Checker, Reported, Ty, Value};
use crate::ast::{Designator, ExprKind as Ast};
use crate::typed::ExprKind;
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{ArrayLength, Binary, Type};

impl<'a> Checker<'a> {
    /// A question about the size, alignment or place of something.
    pub(super) fn measure(&mut self, kind: &'a Ast, span: Span) -> Checked<Value> {
        let size = self.basic.size;
        match kind {
            Ast::SizeofExpr(operand) => {
                let operand = self.unevaluated(|checker| checker.expr(*operand))?;
                let bits = matches!(
                    self.out.exprs[operand.id].kind,
                    ExprKind::Member { bits: Some(_), .. }
                );
                if bits {
                    let error =
                        Diagnostic::error("C1303", span, "a bit-field has no size in bytes");
                    return Err(self.error(error));
                }
                self.size(operand.ty, span)
            }
            Ast::SizeofType(name) => {
                let (ty, before) = self.type_name_in_expr(name)?;
                let value = self.size(ty, span)?;
                Ok(self.after(before, value, span))
            }
            Ast::AlignofType(name) => {
                let ty = self.type_name(name)?;
                let align = ty.align.unwrap_or_else(|| self.types().align_of(ty.id));
                Ok(self.integer(i128::from(align), size, span))
            }
            Ast::AlignofExpr(operand) => {
                let operand = self.unevaluated(|checker| checker.expr(*operand))?;
                let own = match &self.out.exprs[operand.id].kind {
                    ExprKind::Variable(v) => self.out.variables[*v].align,
                    _ => None,
                };
                let usual =
                    operand.ty.align.unwrap_or_else(|| self.types().align_of(operand.ty.id));
                Ok(self.integer(i128::from(own.unwrap_or(0).max(usual)), size, span))
            }
            Ast::Offsetof(name, path) => {
                let ty = self.type_name(name)?;
                self.offset(ty, path, span)
            }
            _ => Err(Reported),
        }
    }

    /// Checks something that is not evaluated.
    pub(super) fn unevaluated<T>(&mut self, check: impl FnOnce(&mut Self) -> T) -> T {
        self.unevaluated += 1;
        let result = check(self);
        self.unevaluated -= 1;
        result
    }

    /// Whether the size of a type is known only at run time.
    pub(super) fn is_variable_length(&self, ty: Id<Type>) -> bool {
        let mut ty = ty;
        while let Type::Array { of, length } = self.ty(ty) {
            if matches!(length, ArrayLength::Variable(_)) {
                return true;
            }
            ty = *of;
        }
        false
    }

    /// The size of a type; 1 for `void` and functions, as in GNU C.
    pub(super) fn size(&mut self, ty: Ty, span: Span) -> Checked<Value> {
        let size = self.basic.size;
        if self.is_variable_length(ty.id) {
            return Ok(self.make(ExprKind::SizeOf(ty.id), size, span));
        }
        let bytes = match self.ty(ty.id) {
            Type::Void | Type::Function(_) => Some(1),
            _ if !self.is_complete(ty.id) => None,
            _ => self.types().size_of(ty.id),
        };
        match bytes {
            Some(bytes) => Ok(self.integer(i128::from(bytes), size, span)),
            None => {
                let found = self.display(ty);
                let message = format!("the size of `{found}` is not known here");
                Err(self.error(Diagnostic::error("C1101", span, message)))
            }
        }
    }

    /// `offsetof`; an index may be computed at run time.
    fn offset(&mut self, ty: Ty, path: &'a [Designator], span: Span) -> Checked<Value> {
        let size = self.basic.size;
        let mut ty = ty;
        let mut total = self.integer(0, size, span);
        for step in path {
            let (next, distance) = match (step, self.ty(ty.id).clone()) {
                (Designator::Member(name), Type::Record(of)) => {
                    let mut at = ty.id;
                    let mut offset = 0;
                    for (record, member) in self.find_member(of, name, ty)? {
                        let member = &self.types().records[record].members[member as usize];
                        offset += member.offset;
                        at = member.ty;
                    }
                    (at, self.integer(i128::from(offset), size, span))
                }
                (Designator::Index(index), Type::Array { of, .. }) => {
                    let index = self.rvalue_expr(*index)?;
                    let index = self.assign(index, Ty::plain(size), "the index")?;
                    let element = self.size(Ty::plain(of), span)?;
                    let kind = ExprKind::Binary(Binary::Mul, index.id, element.id);
                    (of, self.make(kind, size, span))
                }
                _ => {
                    let found = self.display(ty);
                    let message = format!("`offsetof` cannot go into `{found}` this way");
                    return Err(self.error(Diagnostic::error("C1313", span, message)));
                }
            };
            let kind = ExprKind::Binary(Binary::Add, total.id, distance.id);
            total = self.make(kind, size, span);
            ty = Ty::plain(next);
        }
        Ok(self.folded(total))
    }
}
