//! Conversion as if by assignment: arguments, results, initial values.
//!
//! Where GCC only warns, so do we: integers and pointers convert into each
//! other, and pointers to different types.

use super::{Checked, Checker, Reported, Ty, Value};
use crate::typed::ExprKind;
use parallax_base::{Diagnostic, Span};
use parallax_cfa::{IntKind, Type};

impl Checker<'_> {
    /// Converts as if by assignment; `what` says to what, for the message.
    pub(super) fn assign(&mut self, value: Value, to: Ty, what: &str) -> Checked<Value> {
        let span = self.span(value);
        let (from, target) = (self.ty(value.ty.id).clone(), self.ty(to.id).clone());
        if value.ty.id == to.id && !matches!(from, Type::Void) {
            return Ok(Value { id: value.id, ty: Ty::plain(to.id) });
        }
        if self.is_arithmetic(value.ty.id) && self.is_arithmetic(to.id) {
            return Ok(self.convert(value, to.id));
        }
        match (&from, &target) {
            (Type::Pointer { to: a, .. }, Type::Pointer { to: b, .. }) => {
                let null = self.is_null_constant(value);
                if !null && !self.is_void(*a) && !self.is_void(*b) && !self.similar(*a, *b) {
                    self.mismatch("C1901", value, to, what, "incompatible pointers");
                }
                Ok(self.convert(value, to.id))
            }
            (Type::Int(_) | Type::Enum(_), Type::Pointer { .. }) => {
                if !self.is_null_constant(value) {
                    self.mismatch("C1902", value, to, what, "a pointer from an integer");
                }
                Ok(self.convert(value, to.id))
            }
            (Type::Pointer { .. }, Type::Int(IntKind::Bool)) => Ok(self.convert(value, to.id)),
            (Type::Pointer { .. }, Type::Int(_) | Type::Enum(_)) => {
                self.mismatch("C1902", value, to, what, "an integer from a pointer");
                Ok(self.convert(value, to.id))
            }
            (Type::Record(_), Type::Record(_)) if self.compatible(value.ty.id, to.id) => Ok(value),
            (_, Type::Record(union)) if self.transparent.contains(union) => {
                self.transparent_union(value, to, *union)
            }
            (Type::Pointer { .. }, Type::VaList) => {
                let list = self.va_list_pointer(value);
                let place = self.deref(list, span)?;
                self.rvalue(place)
            }
            (Type::VaList, Type::Pointer { .. }) => {
                let list = match self.out.exprs[value.id].kind {
                    ExprKind::Load(place) => {
                        let pointer = self.out.types.pointer(value.ty.id);
                        self.make(ExprKind::AddressOf(place), pointer, span)
                    }
                    _ => self.unsupported("a `va_list` as a pointer", to.id, span),
                };
                Ok(self.convert(list, to.id))
            }
            _ => Err(self.cannot_convert(value, to, what, span)),
        }
    }

    /// A pointer to what the compiler's own `va_list` is made of, as a pointer
    /// to a `va_list`.
    fn va_list_pointer(&mut self, pointer: Value) -> Value {
        let list = self.out.types.intern(Type::VaList);
        let ty = self.out.types.pointer(list);
        self.convert(pointer, ty)
    }

    /// The operand of `va_arg` and its kind: an lvalue, or a pointer to one.
    pub(super) fn va_list_operand(&mut self, value: Value) -> Checked<Value> {
        if matches!(self.ty(value.ty.id), Type::VaList) {
            return Ok(value);
        }
        let pointer = self.rvalue(value)?;
        if self.is_pointer(pointer.ty.id) {
            return Ok(self.va_list_pointer(pointer));
        }
        let span = self.span(value);
        let list = self.out.types.intern(Type::VaList);
        Err(self.cannot_convert(value, Ty::plain(list), "the builtin", span))
    }

    fn mismatch(&mut self, code: &'static str, value: Value, to: Ty, what: &str, how: &str) {
        if self.warnings.is_full() {
            return;
        }
        let (found, wanted) = (self.display(value.ty), self.display(to));
        let span = self.span(value);
        self.warn(code, span, format!("{what} makes {how}: `{found}` becomes `{wanted}`"));
    }

    pub(super) fn cannot_convert(
        &mut self,
        value: Value,
        to: Ty,
        what: &str,
        span: Span,
    ) -> Reported {
        let (found, wanted) = (self.display(value.ty), self.display(to));
        let message = match self.is_void(value.ty.id) {
            true => format!("{what} needs a value, and there is none"),
            false => format!("{what} cannot convert `{found}` to `{wanted}`"),
        };
        let error = Diagnostic::error("C1103", span, message);
        self.error(error.label(format!("this has type `{found}`")))
    }
}
