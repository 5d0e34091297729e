//! Expressions: names, literals, and the walk over the tree.
//!
//! Chains that lean to the left (`a + b + c`, `a.b.c`, `f(x)(y)`) may be of any
//! length, so the walk goes down their left spine in a loop and builds on the
//! way back. Everything else nests only as deep as the parser allowed.

use super::scope::Symbol;
use super::{Checked, Checker, Reported, Ty, Value};
use crate::ast::{self, ExprKind as Ast};
use crate::typed::{ExprKind, StmtKind};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{IntKind, Type};
use std::sync::Arc;

impl<'a> Checker<'a> {
    /// Checks an expression. The result may be an lvalue, array or function.
    pub(super) fn expr(&mut self, id: Id<ast::Expr>) -> Checked<Value> {
        let unit = self.unit;
        let mut spine = Vec::new();
        let mut at = id;
        while let Some(left) = self.left_child(at) {
            spine.push(at);
            at = left;
        }
        let mut value = self.leaf(at);
        while let Some(parent) = spine.pop() {
            value = self.extend(&unit.exprs[parent], value);
        }
        value
    }

    /// The operand an expression is built upon from the left.
    fn left_child(&self, id: Id<ast::Expr>) -> Option<Id<ast::Expr>> {
        match &self.unit.exprs[id].kind {
            Ast::Binary(_, left, _)
            | Ast::Comma(left, _)
            | Ast::Index(left, _)
            | Ast::Member(left, _)
            | Ast::Arrow(left, _)
            | Ast::Unary(ast::UnaryOp::PostIncrement | ast::UnaryOp::PostDecrement, left) => {
                Some(*left)
            }
            Ast::Call(callee, _) => match &self.unit.exprs[*callee].kind {
                Ast::Name(_) => None,
                _ => Some(*callee),
            },
            _ => None,
        }
    }

    /// Checks an expression whose left operand is checked. The other operands
    /// are checked even if that one was wrong.
    fn extend(&mut self, expr: &'a ast::Expr, left: Checked<Value>) -> Checked<Value> {
        let span = expr.span;
        match &expr.kind {
            Ast::Binary(op, _, right) => {
                let right = self.rvalue_expr(*right);
                let left = self.rvalue(left?)?;
                self.binary(*op, left, right?, span)
            }
            Ast::Comma(_, right) => {
                let right = self.rvalue_expr(*right);
                let left = self.discard(left?)?;
                let right = right?;
                Ok(self.make(ExprKind::Comma(left.id, right.id), right.ty.id, span))
            }
            Ast::Index(_, index) => {
                let index = self.rvalue_expr(*index);
                self.index(left?, index?, span)
            }
            Ast::Member(_, name) => self.member(left?, name, span),
            Ast::Arrow(_, name) => self.arrow(left?, name, span),
            Ast::Unary(op, _) => {
                let by = if *op == ast::UnaryOp::PostIncrement { 1 } else { -1 };
                self.increment(left?, by, true, span)
            }
            Ast::Call(_, arguments) => self.call(left, arguments, span),
            _ => left,
        }
    }

    fn leaf(&mut self, id: Id<ast::Expr>) -> Checked<Value> {
        let unit = self.unit;
        let expr = &unit.exprs[id];
        let span = expr.span;
        match &expr.kind {
            Ast::Name(name) => self.name(name, span),
            Ast::Int(literal) => Ok(self.integer_literal(*literal, span)),
            Ast::Float { digits, kind, imaginary } => {
                self.float_literal(digits, *kind, *imaginary, span)
            }
            Ast::Char(value, width) => Ok(self.char_literal(*value, *width, span)),
            Ast::Str(units, width) => Ok(self.string_literal(units, *width, span)),
            Ast::Call(callee, arguments) => match &unit.exprs[*callee].kind {
                Ast::Name(name) => self.call_by_name(name, *callee, arguments, span),
                _ => Err(Reported),
            },
            Ast::Unary(op, operand) => self.unary(*op, *operand, span),
            Ast::Assign(left, right) => {
                let left = self.expr(*left);
                let right = self.rvalue_expr(*right);
                self.assignment(left?, right?, span)
            }
            Ast::AssignOp(op, left, right) => {
                let left = self.expr(*left);
                let right = self.rvalue_expr(*right);
                self.compound_assignment(*op, left?, right?, span)
            }
            Ast::Conditional(condition, yes, no) => self.conditional(*condition, *yes, *no, span),
            Ast::Cast(name, operand) => {
                let to = self.type_name_in_expr(name);
                let operand = self.rvalue_expr(*operand)?;
                let (to, before) = to?;
                let cast = self.cast(operand, to, span)?;
                Ok(self.after(before, cast, span))
            }
            Ast::CompoundLiteral(name, items) => self.compound_literal(name, items, span),
            Ast::SizeofExpr(_)
            | Ast::SizeofType(_)
            | Ast::AlignofType(_)
            | Ast::AlignofExpr(_)
            | Ast::Offsetof(..) => self.measure(&expr.kind, span),
            Ast::Generic(control, cases) => self.generic(*control, cases, span),
            Ast::StatementExpr(block) => self.statement_expression(*block, span),
            Ast::LabelAddress(name) => self.label_address(name, span),
            Ast::VaArg(list, name) => {
                let list = self.expr(*list);
                let (ty, before) = self.type_name_in_expr(name)?;
                let list = self.va_list_operand(list?)?;
                let value = self.make(ExprKind::VaArg(list.id), ty.id, span);
                Ok(self.after(before, value, span))
            }
            Ast::TypesCompatible(a, b) => {
                let (a, b) = (self.type_name(a), self.type_name(b));
                let same = self.compatible(a?.id, b?.id);
                Ok(self.integer(i128::from(same), self.basic.int, span))
            }
            Ast::ChooseExpr(condition, yes, no) => {
                let what = "the condition of `__builtin_choose_expr`";
                let taken = self.constant_expression(*condition, what)?;
                self.expr(if taken != 0 { *yes } else { *no })
            }
            Ast::Error => Err(Reported),
            // The rest has a left child and never comes here.
            _ => Err(Reported),
        }
    }

    /// A name that is not called.
    pub(super) fn name(&mut self, name: &Arc<str>, span: Span) -> Checked<Value> {
        match self.scopes.symbols.get(name).cloned() {
            Some(Symbol::Variable(variable, ty)) => {
                let value = self.make(ExprKind::Variable(variable), ty.id, span);
                Ok(Value { ty, ..value })
            }
            Some(Symbol::Function(function, ty)) => {
                Ok(self.make(ExprKind::Function(function), ty, span))
            }
            Some(Symbol::Constant(value, ty)) => Ok(self.integer(value, ty, span)),
            Some(Symbol::Parameter(ty)) => {
                let value = self.unsupported("a parameter without a function", ty.id, span);
                Ok(Value { ty, ..value })
            }
            Some(Symbol::Typedef(_)) => {
                let message = format!("`{name}` is a type, not a value");
                Err(self.error(Diagnostic::error("C1201", span, message)))
            }
            Some(Symbol::Poisoned) => Err(Reported),
            None => self.undeclared(name, span),
        }
    }

    fn undeclared(&mut self, name: &Arc<str>, span: Span) -> Checked<Value> {
        if matches!(&**name, "__func__" | "__FUNCTION__" | "__PRETTY_FUNCTION__") {
            return Ok(self.function_name(span));
        }
        if let Some(function) = self.builtin_function(name, span) {
            return Ok(function);
        }
        let message = format!("`{name}` is not declared");
        let mut error = Diagnostic::error("C1202", span, message).label("unknown name");
        error.help = self.suggest_name(name);
        // Said once: further uses are silent.
        if !self.scopes.is_file() {
            self.scopes.symbols.insert(Arc::clone(name), span, Symbol::Poisoned);
        }
        Err(self.error(error))
    }

    fn function_name(&mut self, span: Span) -> Value {
        let known = self.body.as_ref().and_then(|body| body.name_variable);
        let variable = match known {
            Some(variable) => variable,
            None => {
                let name = self.body.as_ref().map(|b| Arc::clone(&self.out.functions[b.id].name));
                let units: Vec<u32> =
                    name.as_deref().unwrap_or_default().bytes().map(u32::from).collect();
                let made = self.string_variable("__func__".into(), &units, IntKind::Char, span);
                if let Some(body) = &mut self.body {
                    body.name_variable = Some(made);
                }
                made
            }
        };
        let ty = self.out.variables[variable].ty;
        let mut value = self.make(ExprKind::Variable(variable), ty, span);
        value.ty.qualifiers.is_const = true;
        value
    }

    /// The value dropped, for the left side of a comma and expression statements.
    pub(super) fn discard(&mut self, value: Value) -> Checked<Value> {
        match self.ty(value.ty.id) {
            // An incomplete record may be named, not read.
            Type::Record(_) if !self.is_complete(value.ty.id) => {
                let span = self.span(value);
                Ok(self.make(ExprKind::Int(0), self.basic.int, span))
            }
            _ => self.rvalue(value),
        }
    }

    /// Puts the evaluation of run-time lengths before a value.
    pub(super) fn after(
        &mut self,
        before: Vec<Id<crate::typed::Stmt>>,
        value: Value,
        span: Span,
    ) -> Value {
        if before.is_empty() {
            return value;
        }
        let block = self.statement(StmtKind::Block(before), span);
        let first = self.make(ExprKind::StatementExpr(block), self.basic.void, span);
        self.make(ExprKind::Comma(first.id, value.id), value.ty.id, span)
    }

    /// `_Generic`.
    fn generic(
        &mut self,
        control: Id<ast::Expr>,
        cases: &'a [(Option<ast::TypeName>, Id<ast::Expr>)],
        span: Span,
    ) -> Checked<Value> {
        self.unevaluated += 1;
        let control = self.rvalue_expr(control);
        self.unevaluated -= 1;
        let control = control?;
        let mut chosen = None;
        for (name, result) in cases {
            match name {
                None => chosen = chosen.or(Some(*result)),
                Some(name) => {
                    let ty: Ty = self.type_name(name)?;
                    let plain = ty.qualifiers == control.ty.qualifiers;
                    if plain && self.compatible(ty.id, control.ty.id) {
                        return self.expr(*result);
                    }
                }
            }
        }
        let Some(result) = chosen else {
            let found = self.display(control.ty);
            let message = format!("no association of `_Generic` fits `{found}`");
            let error = Diagnostic::error("C1203", span, message);
            return Err(self.error(error.help("add a `default:` association")));
        };
        self.expr(result)
    }
}
