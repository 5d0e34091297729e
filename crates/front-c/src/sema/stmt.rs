//! Statements.
//!
//! Chains of `else if` and of labels may be of any length and are walked in
//! loops; blocks nest only as deep as the parser allowed.

use super::assembly::{Effect, effect};
use super::{Checked, Checker, Reported, Value};
use crate::ast::{self, StmtKind as Ast};
use crate::typed::{AsmEffect, ExprKind, Stmt, StmtKind};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::Type;

impl<'a> Checker<'a> {
    /// Checks a statement.
    pub(super) fn stmt(&mut self, id: Id<ast::Stmt>) -> Id<Stmt> {
        let unit = self.unit;
        let stmt = &unit.stmts[id];
        match self.stmt_kind(stmt, id) {
            Ok(kind) => self.statement(kind, stmt.span),
            Err(Reported) => self.statement(StmtKind::Empty, stmt.span),
        }
    }

    fn stmt_kind(&mut self, stmt: &'a ast::Stmt, id: Id<ast::Stmt>) -> Checked<StmtKind> {
        Ok(match &stmt.kind {
            Ast::Empty => StmtKind::Empty,
            Ast::Error => return Err(Reported),
            Ast::Expr(expr) => {
                let value = self.expr(*expr)?;
                StmtKind::Expr(self.discard(value)?.id)
            }
            Ast::Declaration(declaration) => {
                let mut statements = Vec::new();
                self.declaration(declaration, &mut statements);
                StmtKind::Group(statements)
            }
            Ast::NestedFunction(function) => {
                self.nested_function(function);
                StmtKind::Unsupported("a function inside a function".into())
            }
            Ast::StaticAssert(assert) => {
                self.static_assert(assert);
                StmtKind::Empty
            }
            Ast::Block { labels, items } => {
                let mut statements = Vec::with_capacity(items.len());
                self.scopes.push();
                self.block_items(labels, items, &mut statements);
                self.scopes.pop();
                StmtKind::Block(statements)
            }
            Ast::If(..) => self.if_chain(stmt)?,
            Ast::While(condition, body) => {
                let condition = self.condition(*condition);
                let body = self.loop_body(*body);
                StmtKind::While(condition?.id, body)
            }
            Ast::DoWhile(body, condition) => {
                let body = self.loop_body(*body);
                let condition = self.condition(*condition);
                StmtKind::DoWhile(body, condition?.id)
            }
            Ast::For { init, condition, step, body } => {
                self.scopes.push();
                let init = init.map(|init| self.stmt(init));
                let condition = condition.map(|condition| self.condition(condition)).transpose();
                let step = step.map(|step| {
                    let step = self.expr(step)?;
                    self.discard(step)
                });
                let body = self.loop_body(*body);
                self.scopes.pop();
                let condition = condition?.map(|value| value.id);
                let step = step.transpose()?.map(|value| value.id);
                StmtKind::For { init, condition, step, body }
            }
            Ast::Switch(value, body) => self.switch(*value, *body)?,
            Ast::Case(..) | Ast::Default(_) | Ast::Label(..) => return self.labelled(id),
            Ast::Goto(name) => StmtKind::Goto(self.label(name)),
            Ast::GotoComputed(target) => {
                let target = self.rvalue_expr(*target)?;
                StmtKind::GotoComputed(self.convert(target, self.basic.void_pointer).id)
            }
            Ast::Break => self.leave(true, stmt.span)?,
            Ast::Continue => self.leave(false, stmt.span)?,
            Ast::Return(value) => self.return_value(*value, stmt.span)?,
            Ast::Asm(asm) => self.asm(asm)?,
        })
    }

    /// The statements of a block; the caller opens the scope.
    pub(super) fn block_items(
        &mut self,
        labels: &'a [ast::Name],
        items: &[Id<ast::Stmt>],
        statements: &mut Vec<Id<Stmt>>,
    ) {
        self.open_labels(labels);
        for item in items {
            let statement = self.stmt(*item);
            // A group has no scope of its own: its parts belong to the block.
            match &mut self.out.stmts[statement].kind {
                StmtKind::Group(parts) => statements.append(parts),
                _ => statements.push(statement),
            }
        }
        self.close_labels(labels);
    }

    fn loop_body(&mut self, body: Id<ast::Stmt>) -> Id<Stmt> {
        if let Some(state) = &mut self.body {
            state.loops += 1;
        }
        let body = self.stmt(body);
        if let Some(state) = &mut self.body {
            state.loops -= 1;
        }
        body
    }

    /// `if ... else if ... else`, of any length.
    fn if_chain(&mut self, first: &'a ast::Stmt) -> Checked<StmtKind> {
        let unit = self.unit;
        let mut links = Vec::new();
        let mut tail = None;
        let mut at = Some(first);
        while let Some(stmt) = at.take() {
            let Ast::If(condition, yes, no) = &stmt.kind else { break };
            let condition = self.condition(*condition);
            let yes = self.stmt(*yes);
            links.push((condition, yes, stmt.span));
            match no {
                Some(no) if matches!(unit.stmts[*no].kind, Ast::If(..)) => {
                    at = Some(&unit.stmts[*no]);
                }
                Some(no) => tail = Some(self.stmt(*no)),
                None => {}
            }
        }
        let mut built: Option<(StmtKind, Span)> = None;
        for (condition, yes, span) in links.into_iter().rev() {
            if let Some((kind, place)) = built.take() {
                tail = Some(self.statement(kind, place));
            }
            built = Some((StmtKind::If(condition?.id, yes, tail.take()), span));
        }
        built.map(|(kind, _)| kind).ok_or(Reported)
    }

    fn return_value(&mut self, value: Option<Id<ast::Expr>>, span: Span) -> Checked<StmtKind> {
        let Some(result) = self.body.as_ref().map(|body| body.result) else {
            return Err(Reported);
        };
        let value = value.map(|value| self.rvalue_expr(value)).transpose()?;
        let Some(value) = value else { return Ok(StmtKind::Return(None)) };
        if self.is_void(result.id) {
            // `return f();` in a function without a result.
            let first = self.statement(StmtKind::Expr(value.id), span);
            let second = self.statement(StmtKind::Return(None), span);
            return Ok(StmtKind::Block(vec![first, second]));
        }
        let value = self.assign(value, result, "the return")?;
        Ok(StmtKind::Return(Some(value.id)))
    }

    /// GNU `({ ... })`.
    pub(super) fn statement_expression(
        &mut self,
        block: Id<ast::Stmt>,
        span: Span,
    ) -> Checked<Value> {
        if self.body.is_none() {
            let message = "a statement expression stands outside of any function";
            return Err(self.error(Diagnostic::error("C1501", span, message)));
        }
        let errors = self.errors.error_count();
        let outer = std::mem::take(&mut self.pending);
        let block = self.stmt(block);
        self.pending = outer;
        if self.errors.error_count() > errors {
            return Err(Reported);
        }
        let mut ty = self.basic.void;
        if let StmtKind::Block(items) = &self.out.stmts[block].kind {
            let mut last = items.last().copied();
            while let Some(id) = last {
                last = match &self.out.stmts[id].kind {
                    StmtKind::Label(_, inner) => Some(*inner),
                    StmtKind::Expr(value) => {
                        ty = self.out.exprs[*value].ty;
                        None
                    }
                    _ => None,
                };
            }
        }
        Ok(self.make(ExprKind::StatementExpr(block), ty, span))
    }

    fn nested_function(&mut self, function: &'a ast::FunctionDefinition) {
        // The name is declared so that its uses are no errors.
        let Some(name) = &function.declarator.name else { return };
        let declared = self.specifiers(&function.specifiers, false);
        let ty = declared.and_then(|base| self.declarator(base, &function.declarator, false));
        if let Ok(ty) = ty {
            let _ = self.declare_function(name, ty.id, true, false);
        }
    }

    fn asm(&mut self, asm: &'a ast::Asm) -> Checked<StmtKind> {
        let mut outputs = Vec::new();
        let mut inputs = Vec::new();
        for (constraint, output) in &asm.outputs {
            let value = self.expr(*output)?;
            if constraint.contains('+')
                && !matches!(self.ty(value.ty.id), Type::Array { .. } | Type::Function(_))
            {
                let read = self.rvalue(value)?;
                inputs.push(read.id);
            }
            let is_object = self.is_lvalue(value);
            // GNU C accepts casts of objects as outputs.
            let target = match self.out.exprs[value.id].kind {
                ExprKind::Convert(inner) if !is_object => match self.out.exprs[inner].kind {
                    ExprKind::Load(place) => place,
                    _ => inner,
                },
                _ => value.id,
            };
            outputs.push(target);
        }
        let effect = effect(&asm.template);
        for (number, (constraint, input)) in asm.inputs.iter().enumerate() {
            let value = self.expr(*input)?;
            let in_memory = constraint.contains('m') && self.is_lvalue(value);
            let value = match in_memory && self.discardable(value) {
                true => value,
                false => self.rvalue(value)?,
            };
            inputs.push(value.id);
            // What is given to be read may be written all the same.
            let is_written = matches!(&effect, Effect::Operands(written)
                if written.contains(&(asm.outputs.len() + number)));
            if let (true, ExprKind::Load(place)) =
                (in_memory && is_written, &self.out.exprs[value.id].kind)
            {
                let place = *place;
                outputs.push(place);
            } else if is_written && in_memory {
                outputs.push(value.id);
            }
        }
        // What has no output has its effect elsewhere.
        let clobbers = asm.clobbers.iter().any(|clobber| &**clobber == "memory");
        let effect = match effect {
            Effect::Ends if asm.labels.is_empty() => AsmEffect::Ends,
            Effect::Operands(_) => AsmEffect::Outputs,
            _ if clobbers || outputs.is_empty() => AsmEffect::Memory,
            _ => AsmEffect::Outputs,
        };
        let labels = asm.labels.iter().map(|name| self.label(name)).collect();
        Ok(StmtKind::Asm { outputs, inputs, effect, labels })
    }

    /// Whether an operand in memory has no value that could be read whole.
    fn discardable(&self, value: Value) -> bool {
        !self.is_scalar(value.ty.id)
    }
}
