//! The `__sync` and `__atomic` families.

use super::{Checked, Checker, Ty, Value};
use crate::ast;
use crate::typed::{Builtin, ExprKind};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{Binary, IntKind, Type};
use std::sync::Arc;

fn operator(name: &str) -> Option<Binary> {
    Some(match name {
        "add" => Binary::Add,
        "sub" => Binary::Sub,
        "or" => Binary::BitOr,
        "and" => Binary::BitAnd,
        "xor" => Binary::BitXor,
        _ => return None,
    })
}

/// The name without the size of the object.
fn unsized_name(name: &str) -> &str {
    ["_16", "_1", "_2", "_4", "_8"]
        .iter()
        .find_map(|suffix| name.strip_suffix(suffix))
        .unwrap_or(name)
}

impl Checker<'_> {
    /// A call of an atomic builtin; `None` if the name is none of them.
    pub(super) fn atomic_call(
        &mut self,
        name: &Arc<str>,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Option<Checked<Value>> {
        let bare = unsized_name(name);
        let (bare, is_sync) = match bare.strip_prefix("__sync_") {
            Some(bare) => (bare, true),
            None => (bare.strip_prefix("__atomic_")?, false),
        };
        Some(match is_sync {
            true => self.sync_call(bare, arguments, span),
            false => self.atomic_family(bare, arguments, span),
        })
    }

    fn unknown_atomic(&mut self, bare: &str, span: Span) -> Checked<Value> {
        let text = format!("the atomic builtin `{bare}`");
        Ok(self.unsupported(&text, self.basic.int, span))
    }

    /// The pointer an atomic works on, and the type behind it.
    fn atomic_target(&mut self, argument: Id<ast::Expr>) -> Checked<(Value, Id<Type>)> {
        let pointer = self.rvalue_expr(argument)?;
        match self.types().pointee(pointer.ty.id) {
            Some(to) => Ok((pointer, to)),
            None => {
                let span = self.span(pointer);
                let error = Diagnostic::error("C1316", span, "an atomic builtin needs a pointer");
                Err(self.error(error))
            }
        }
    }

    /// An operand converted to the type of the object; for pointers, to an
    /// integer where it is added.
    fn atomic_operand(
        &mut self,
        argument: Id<ast::Expr>,
        ty: Id<Type>,
        steps: bool,
    ) -> Checked<Value> {
        let value = self.rvalue_expr(argument)?;
        let ty = if steps && self.is_pointer(ty) { self.basic.difference } else { ty };
        if self.is_scalar(value.ty.id) && self.is_scalar(ty) {
            return Ok(self.convert(value, ty));
        }
        self.assign(value, Ty::plain(ty), "the argument")
    }

    fn apply(&mut self, builtin: Builtin, operands: &[Value], ty: Id<Type>, span: Span) -> Value {
        let operands = operands.iter().map(|value| value.id).collect();
        self.make(ExprKind::Builtin(builtin, operands), ty, span)
    }

    fn sync_call(&mut self, bare: &str, arguments: &[Id<ast::Expr>], span: Span) -> Checked<Value> {
        let void = self.basic.void;
        let bool = self.out.types.int(IntKind::Bool);
        match (bare, arguments) {
            ("synchronize", _) => Ok(self.apply(Builtin::Fence, &[], void, span)),
            ("lock_test_and_set", [target, value, ..]) => {
                let (pointer, ty) = self.atomic_target(*target)?;
                let value = self.atomic_operand(*value, ty, false)?;
                Ok(self.apply(Builtin::Exchange, &[pointer, value], ty, span))
            }
            ("lock_release", [target, ..]) => {
                let (pointer, ty) = self.atomic_target(*target)?;
                let zero = self.integer(0, self.basic.int, span);
                let zero = self.convert(zero, ty);
                Ok(self.apply(Builtin::AtomicStore, &[pointer, zero], void, span))
            }
            ("bool_compare_and_swap" | "val_compare_and_swap", [target, old, new, ..]) => {
                let (pointer, ty) = self.atomic_target(*target)?;
                let old = self.atomic_operand(*old, ty, false)?;
                let new = self.atomic_operand(*new, ty, false)?;
                let (builtin, result) = match bare.starts_with("bool") {
                    true => (Builtin::CompareAndSwapBool, bool),
                    false => (Builtin::CompareAndSwapValue, ty),
                };
                Ok(self.apply(builtin, &[pointer, old, new], result, span))
            }
            (_, [target, value, ..]) => {
                let fetch_first = bare.strip_prefix("fetch_and_").and_then(operator);
                let fetch_last = bare.strip_suffix("_and_fetch").and_then(operator);
                let builtin = match (fetch_first, fetch_last) {
                    (Some(op), _) => Builtin::FetchAnd(op),
                    (_, Some(op)) => Builtin::AndFetch(op),
                    _ => return self.unknown_atomic(bare, span),
                };
                let (pointer, ty) = self.atomic_target(*target)?;
                let value = self.atomic_operand(*value, ty, true)?;
                Ok(self.apply(builtin, &[pointer, value], ty, span))
            }
            _ => self.unknown_atomic(bare, span),
        }
    }

    fn atomic_family(
        &mut self,
        bare: &str,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Checked<Value> {
        let (void, int) = (self.basic.void, self.basic.int);
        let bool = self.out.types.int(IntKind::Bool);
        match (bare, arguments) {
            ("thread_fence" | "signal_fence", _) => Ok(self.apply(Builtin::Fence, &[], void, span)),
            ("load_n", [target, _]) => {
                let (pointer, ty) = self.atomic_target(*target)?;
                Ok(self.apply(Builtin::AtomicLoad, &[pointer], ty, span))
            }
            ("load", [target, result, _]) => {
                let (pointer, ty) = self.atomic_target(*target)?;
                let loaded = self.apply(Builtin::AtomicLoad, &[pointer], ty, span);
                self.store_through(*result, loaded, span)
            }
            ("store_n", [target, value, _]) => {
                let (pointer, ty) = self.atomic_target(*target)?;
                let value = self.atomic_operand(*value, ty, false)?;
                Ok(self.apply(Builtin::AtomicStore, &[pointer, value], void, span))
            }
            ("store", [target, value, _]) => {
                let (pointer, _) = self.atomic_target(*target)?;
                let value = self.read_through(*value, span)?;
                Ok(self.apply(Builtin::AtomicStore, &[pointer, value], void, span))
            }
            ("exchange_n", [target, value, _]) => {
                let (pointer, ty) = self.atomic_target(*target)?;
                let value = self.atomic_operand(*value, ty, false)?;
                Ok(self.apply(Builtin::Exchange, &[pointer, value], ty, span))
            }
            ("exchange", [target, value, result, _]) => {
                let (pointer, ty) = self.atomic_target(*target)?;
                let value = self.read_through(*value, span)?;
                let old = self.apply(Builtin::Exchange, &[pointer, value], ty, span);
                self.store_through(*result, old, span)
            }
            ("compare_exchange_n" | "compare_exchange", [target, expected, new, _, _, _]) => {
                let (pointer, ty) = self.atomic_target(*target)?;
                let expected = self.rvalue_expr(*expected)?;
                let new = match bare.ends_with("_n") {
                    true => self.atomic_operand(*new, ty, false)?,
                    false => self.read_through(*new, span)?,
                };
                Ok(self.apply(Builtin::CompareExchange, &[pointer, expected, new], bool, span))
            }
            ("test_and_set", [target, _]) => {
                let pointer = self.byte_pointer(*target)?;
                let one = self.integer(1, bool, span);
                Ok(self.apply(Builtin::Exchange, &[pointer, one], bool, span))
            }
            ("clear", [target, _]) => {
                let pointer = self.byte_pointer(*target)?;
                let zero = self.integer(0, bool, span);
                Ok(self.apply(Builtin::AtomicStore, &[pointer, zero], void, span))
            }
            ("always_lock_free" | "is_lock_free", _) => Ok(self.integer(1, int, span)),
            (_, [target, value, _]) => {
                let fetch_first = bare.strip_prefix("fetch_").and_then(operator);
                let fetch_last = bare.strip_suffix("_fetch").and_then(operator);
                let builtin = match (fetch_first, fetch_last) {
                    (Some(op), _) => Builtin::FetchAnd(op),
                    (_, Some(op)) => Builtin::AndFetch(op),
                    _ => return self.unknown_atomic(bare, span),
                };
                let (pointer, ty) = self.atomic_target(*target)?;
                let value = self.atomic_operand(*value, ty, true)?;
                Ok(self.apply(builtin, &[pointer, value], ty, span))
            }
            _ => self.unknown_atomic(bare, span),
        }
    }

    /// `*argument = value`.
    fn store_through(
        &mut self,
        argument: Id<ast::Expr>,
        value: Value,
        span: Span,
    ) -> Checked<Value> {
        let pointer = self.rvalue_expr(argument)?;
        let target = self.deref(pointer, span)?;
        let stored = self.assignment(target, value, span)?;
        Ok(self.convert(stored, self.basic.void))
    }

    /// `*argument`.
    fn read_through(&mut self, argument: Id<ast::Expr>, span: Span) -> Checked<Value> {
        let pointer = self.rvalue_expr(argument)?;
        let place = self.deref(pointer, span)?;
        self.rvalue(place)
    }

    fn byte_pointer(&mut self, argument: Id<ast::Expr>) -> Checked<Value> {
        let pointer = self.rvalue_expr(argument)?;
        let bool = self.out.types.int(IntKind::Bool);
        let ty = self.out.types.pointer(bool);
        self.assign(pointer, Ty::plain(ty), "the argument")
    }
}
