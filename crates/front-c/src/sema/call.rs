//! Calls.

use super::scope::Symbol;
use super::{Checked, Checker, Reported, Ty, Value};
use crate::ast;
use crate::typed::ExprKind;
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{FunctionType, Type};
use std::sync::Arc;

impl Checker<'_> {
    /// A call of a plain name: a builtin, a function, or one that is declared
    /// by being called.
    pub(super) fn call_by_name(
        &mut self,
        name: &Arc<str>,
        callee: Id<ast::Expr>,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Checked<Value> {
        let place = self.unit.exprs[callee].span;
        if self.scopes.symbols.get(name).is_none() {
            if let Some(result) = self.builtin_call(name, arguments, span) {
                return result;
            }
            if self.builtin_function(name, place).is_none() {
                // CBMC declares these itself.
                if !name.starts_with("__CPROVER_") {
                    self.warn("C1905", place, format!("`{name}` is called and was not declared"));
                }
                let ty = self.out.types.intern(Type::Function(FunctionType {
                    result: self.basic.int,
                    parameters: Vec::new(),
                    variadic: false,
                    prototyped: false,
                }));
                self.declare_implicitly(name, ty, place);
            }
        } else if let Some(Symbol::Function(..)) = self.scopes.symbols.get(name)
            && name.starts_with("__builtin_")
            && let Some(result) = self.builtin_call(name, arguments, span)
        {
            // Some programs declare the builtins they use.
            return result;
        }
        let callee = self.name(name, place);
        self.call(callee, arguments, span)
    }

    /// A call. Arguments are checked even if the callee is wrong.
    pub(super) fn call(
        &mut self,
        callee: Checked<Value>,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Checked<Value> {
        let arguments: Vec<Checked<Value>> =
            arguments.iter().map(|argument| self.rvalue_expr(*argument)).collect();
        let mut callee = callee?;
        if !matches!(self.ty(callee.ty.id), Type::Function(_)) {
            callee = self.rvalue(callee)?;
        }
        let function = match self.ty(callee.ty.id) {
            Type::Function(function) => Some(function),
            Type::Pointer { to, .. } => match self.ty(*to) {
                Type::Function(function) => Some(function),
                _ => None,
            },
            _ => None,
        };
        let Some(function) = function.cloned() else {
            let found = self.display(callee.ty);
            let place = self.span(callee);
            let message = format!("`{found}` is not a function");
            return Err(self.error(Diagnostic::error("C1314", place, message)));
        };
        // A designator that was dereferenced on the way is a pointer again.
        if let ExprKind::Deref(pointer) = self.out.exprs[callee.id].kind {
            callee = Value { id: pointer, ty: Ty::plain(self.out.exprs[pointer].ty) };
        }
        let arguments = arguments.into_iter().collect::<Checked<Vec<Value>>>()?;
        let converted = self.arguments(&function, arguments, callee, span)?;
        if !self.is_void(function.result) && !self.is_complete(function.result) {
            let found = self.display_id(function.result);
            let message = format!("the call returns the incomplete type `{found}`");
            return Err(self.error(Diagnostic::error("C1101", span, message)));
        }
        Ok(self.make(ExprKind::Call(callee.id, converted), function.result, span))
    }

    fn arguments(
        &mut self,
        function: &FunctionType,
        arguments: Vec<Value>,
        callee: Value,
        span: Span,
    ) -> Checked<Vec<Id<crate::typed::Expr>>> {
        let expected = function.parameters.len();
        let fits = match function.variadic {
            true => arguments.len() >= expected,
            false => arguments.len() == expected,
        };
        if function.prototyped && !fits {
            return Err(self.wrong_count(arguments.len(), function, callee, span));
        }
        let mut converted = Vec::with_capacity(arguments.len());
        let mut failed = false;
        for (position, argument) in arguments.into_iter().enumerate() {
            let value = match function.parameters.get(position) {
                Some(ty) if function.prototyped => {
                    self.assign(argument, Ty::plain(*ty), "the argument")
                }
                _ if self.is_void(argument.ty.id) => {
                    let ty = Ty::plain(self.basic.int);
                    let place = self.span(argument);
                    Err(self.cannot_convert(argument, ty, "the argument", place))
                }
                _ => Ok(self.promote_argument(argument)),
            };
            match value {
                Ok(value) => converted.push(value.id),
                Err(Reported) => failed = true,
            }
        }
        if failed { Err(Reported) } else { Ok(converted) }
    }

    fn wrong_count(
        &mut self,
        given: usize,
        function: &FunctionType,
        callee: Value,
        span: Span,
    ) -> Reported {
        let expected = function.parameters.len();
        let least = if function.variadic { "at least " } else { "" };
        let plural = if expected == 1 { "" } else { "s" };
        let message = format!("the call needs {least}{expected} argument{plural} and has {given}");
        let mut error = Diagnostic::error("C1315", span, message);
        if let ExprKind::Function(function) = self.out.exprs[callee.id].kind {
            error = error.also(self.out.functions[function].span, "declared here");
        }
        self.error(error)
    }
}
