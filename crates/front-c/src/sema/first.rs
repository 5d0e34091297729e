//! What runs before `main`: functions with the attribute `constructor`, and
//! those that pointers in the sections for them lead to. `main` begins with
//! calls of them.

use super::Checker;
use crate::typed::{ExprKind, Function, Stmt, StmtKind, Variable};
use parallax_base::{Id, Span};
use parallax_cfa::Type;

/// Something that runs before `main`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum First {
    /// A function.
    Function(Id<Function>),
    /// The function that a variable points to.
    Variable(Id<Variable>),
}

impl Checker<'_> {
    /// Notes that something runs before `main`; the smallest number is first,
    /// and of equal ones the one that is declared first.
    pub(super) fn run_first(&mut self, number: i128, what: First, span: Span) {
        if !self.constructors.iter().any(|(_, known, _)| *known == what) {
            self.constructors.push((number, what, span));
        }
    }

    /// `main` begins with calls of what runs before it. What else runs around
    /// it makes it unsupported.
    pub(super) fn note_constructors(&mut self) {
        let main = self.out.functions.iter_enumerated().find(|(_, f)| &*f.name == "main");
        let Some((id, body)) = main.and_then(|(id, f)| Some((id, f.body?))) else { return };
        let mut before = std::mem::take(&mut self.constructors);
        before.sort_by_key(|(number, ..)| *number);
        let calls_main =
            self.out.exprs.iter().any(|e| matches!(e.kind, ExprKind::Function(f) if f == id));
        if calls_main {
            self.around_main = self.around_main.or(before.first().map(|(.., span)| *span));
        }
        let mut statements = Vec::new();
        for (_, what, span) in before {
            match self.first_call(what, span) {
                Some(call) => statements.push(call),
                None => drop(self.around_main.get_or_insert(span)),
            }
        }
        if let Some(span) = self.around_main {
            let text = "a function that runs before or after `main`".into();
            statements = vec![self.statement(StmtKind::Unsupported(text), span)];
        }
        if let StmtKind::Block(items) = &mut self.out.stmts[body].kind {
            items.splice(0..0, statements);
        }
    }

    /// A call without arguments.
    fn first_call(&mut self, what: First, span: Span) -> Option<Id<Stmt>> {
        let (callee, ty) = match what {
            First::Function(function) => {
                let ty = self.out.functions[function].ty;
                (self.make(ExprKind::Function(function), ty, span), ty)
            }
            First::Variable(variable) => {
                let Type::Pointer { to, .. } = *self.ty(self.out.variables[variable].ty) else {
                    return None;
                };
                (self.read(variable, span), to)
            }
        };
        let result = match self.ty(ty) {
            Type::Function(ty) if ty.parameters.is_empty() => ty.result,
            _ => return None,
        };
        let call = self.make(ExprKind::Call(callee.id, Vec::new()), result, span);
        Some(self.statement(StmtKind::Expr(call.id), span))
    }
}
