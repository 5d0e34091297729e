//! Builtins with a meaning of their own: folded to constants, turned into
//! operators, or kept as [`Builtin`].

use super::{Checked, Checker, Ty, Value};
use crate::ast;
use crate::typed::{Builtin, ExprKind};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{FloatKind, IntKind, Type};
use std::sync::Arc;

impl Checker<'_> {
    /// A call of a builtin; `None` if the name is none.
    pub(super) fn builtin_call(
        &mut self,
        name: &Arc<str>,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Option<Checked<Value>> {
        if name.starts_with("__sync_") || name.starts_with("__atomic_") {
            return self.atomic_call(name, arguments, span);
        }
        let bare = match &**name {
            "alloca" => "alloca",
            other => other.strip_prefix("__builtin_")?,
        };
        if let Some(value) = self.float_builtin(bare, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.bit_builtin(bare, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.overflow_builtin(bare, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.fortified(bare, arguments, span) {
            return Some(value);
        }
        self.plain_builtin(bare, arguments, span).transpose()
    }

    fn plain_builtin(
        &mut self,
        bare: &str,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Checked<Option<Value>> {
        let void = self.basic.void;
        let (int, size, pointer) = (self.basic.int, self.basic.size, self.basic.void_pointer);
        let builtin = |builtin: Builtin| ExprKind::Builtin(builtin, Vec::new());
        Ok(Some(match (bare, arguments) {
            ("expect", [value, _]) | ("expect_with_probability", [value, ..]) => {
                let value = self.rvalue_expr(*value)?;
                let long = self.out.types.int(IntKind::Long);
                self.assign(value, Ty::plain(long), "the argument")?
            }
            ("constant_p", [value]) => {
                let value = self.unevaluated(|checker| checker.rvalue_expr(*value))?;
                let known = self.scalar_constant(value).is_some() || self.is_text(value);
                self.integer(i128::from(known), int, span)
            }
            ("unreachable", []) => self.make(builtin(Builtin::Unreachable), void, span),
            ("trap" | "debugtrap", []) => self.make(builtin(Builtin::Trap), void, span),
            ("alloca" | "alloca_with_align", [bytes, ..]) => {
                let bytes = self.rvalue_expr(*bytes)?;
                let bytes = self.assign(bytes, Ty::plain(size), "the argument")?;
                self.make(ExprKind::Builtin(Builtin::Alloca, vec![bytes.id]), pointer, span)
            }
            ("va_start" | "stdarg_start" | "c23_va_start", [list, ..]) => {
                let list = self.expr(*list)?;
                let list = self.va_list_operand(list)?;
                self.make(ExprKind::Builtin(Builtin::VaStart, vec![list.id]), void, span)
            }
            ("va_end", [list]) => {
                let list = self.expr(*list)?;
                let list = self.va_list_operand(list)?;
                self.make(ExprKind::Builtin(Builtin::VaEnd, vec![list.id]), void, span)
            }
            ("va_copy", [to, from]) => {
                let (to, from) = (self.expr(*to)?, self.expr(*from)?);
                let (to, from) = (self.va_list_operand(to)?, self.va_list_operand(from)?);
                let operands = vec![to.id, from.id];
                self.make(ExprKind::Builtin(Builtin::VaCopy, operands), void, span)
            }
            ("object_size" | "dynamic_object_size", [object, kind]) => {
                self.unevaluated(|checker| checker.rvalue_expr(*object))?;
                let kind = self.constant_expression(*kind, "the kind of size")?;
                self.integer(if kind & 2 == 0 { -1 } else { 0 }, size, span)
            }
            ("frame_address" | "return_address" | "extract_return_addr", [_]) => {
                self.make(builtin(Builtin::Address), pointer, span)
            }
            ("prefetch", [address, ..]) => {
                let address = self.rvalue_expr(*address)?;
                self.convert(address, void)
            }
            ("assume_aligned", [value, ..]) => {
                let value = self.rvalue_expr(*value)?;
                self.assign(value, Ty::plain(pointer), "the argument")?
            }
            ("classify_type", [value]) => {
                let value = self.unevaluated(|checker| checker.rvalue_expr(*value))?;
                let class = match self.ty(value.ty.id) {
                    Type::Void => 0,
                    Type::Int(_) | Type::Enum(_) => 1,
                    Type::Pointer { .. } => 5,
                    Type::Float(_) => 8,
                    Type::Complex(_) => 9,
                    Type::Record(r) if self.types().records[*r].is_union => 13,
                    Type::Record(_) => 12,
                    _ => 14,
                };
                self.integer(class, int, span)
            }
            ("setjmp", _) => self.unsupported("`__builtin_setjmp`", int, span),
            ("longjmp", _) => self.unsupported("`__builtin_longjmp`", void, span),
            ("apply" | "apply_args" | "return" | "va_arg_pack" | "va_arg_pack_len", _) => {
                self.unsupported("a builtin that forwards arguments", int, span)
            }
            ("complex", [real, ..]) => {
                let real = self.rvalue_expr(*real)?;
                let ty = match self.ty(real.ty.id) {
                    Type::Float(kind) => Type::Complex(*kind),
                    _ => Type::Complex(FloatKind::Double),
                };
                let ty = self.out.types.intern(ty);
                self.unsupported("complex numbers", ty, span)
            }
            (
                "expect" | "constant_p" | "unreachable" | "alloca" | "va_end" | "va_copy"
                | "object_size" | "prefetch" | "assume_aligned" | "classify_type",
                _,
            ) => {
                let message = format!("`__builtin_{bare}` has a different number of arguments");
                return Err(self.error(Diagnostic::error("C1315", span, message)));
            }
            _ => return Ok(None),
        }))
    }

    /// Whether a value is the address of a string literal.
    fn is_text(&self, value: Value) -> bool {
        let ExprKind::Decay(inner) = self.out.exprs[value.id].kind else { return false };
        match self.out.exprs[inner].kind {
            ExprKind::Variable(variable) => self.out.variables[variable].is_literal,
            _ => false,
        }
    }

    /// `__builtin___memcpy_chk` and its kind: the plain function, the sizes and
    /// flags dropped.
    fn fortified(
        &mut self,
        bare: &str,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Option<Checked<Value>> {
        let plain = bare.strip_prefix("__")?.strip_suffix("_chk")?;
        let dropped: &[usize] = match plain {
            "memcpy" | "memmove" | "memset" | "mempcpy" | "strncpy" | "strncat" | "stpncpy" => &[3],
            "strcpy" | "strcat" | "stpcpy" => &[2],
            "sprintf" | "vsprintf" => &[1, 2],
            "snprintf" | "vsnprintf" => &[2, 3],
            "printf" | "vprintf" => &[0],
            "fprintf" | "vfprintf" => &[1],
            _ => return None,
        };
        let kept: Vec<_> = arguments
            .iter()
            .enumerate()
            .filter(|(at, _)| !dropped.contains(at))
            .map(|(_, argument)| *argument)
            .collect();
        let callee = self.builtin_function(&plain.into(), span)?;
        Some(self.call(Ok(callee), &kept, span))
    }
}
