//! Structures and unions by value, and statement expressions.
//!
//! A record value is the way to an object that holds it. Values that are made
//! on the way (results, conditionals) live in temporaries.

use super::assign::is_plain;
use super::body::Body;
use super::build::Way;
use crate::typed::{Expr, ExprKind, InitStep, Stmt, StmtKind};
use parallax_base::{Id, Span};
use parallax_cfa::{ArrayLength, Op, Type};

/// How many parts a record may have that threads share, and that is copied.
const PARTS: usize = 256;

impl Body<'_, '_> {
    /// The object that holds a record value, after its effects.
    pub(crate) fn record(&mut self, id: Id<Expr>) -> Way {
        if let Some(Some(way)) = self.ready.get(&id).cloned() {
            return way;
        }
        let begun = self.begin(id);
        let way = self.find_record(id);
        self.end(begun);
        way
    }

    fn find_record(&mut self, id: Id<Expr>) -> Way {
        let expr = &self.typed.exprs[id];
        let (ty, span) = (expr.ty, expr.span);
        match &expr.kind {
            ExprKind::Load(object) => {
                let way = self.way(*object);
                self.guard(&way, false, span);
                way
            }
            ExprKind::Variable(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral(..) => {
                let way = self.way(id);
                self.guard(&way, false, span);
                way
            }
            ExprKind::Assign(left, right) => {
                let way = self.way(*left);
                let way = self.settle_way(way, self.cx.facts.effect(*right), span);
                self.record_into(*right, &way, span);
                self.before_store(*left, span);
                way
            }
            ExprKind::Comma(a, b) => {
                self.effect(*a);
                self.record(*b)
            }
            ExprKind::Convert(a) if self.ty(*a) == ty => self.record(*a),
            _ => {
                let way = self.temporary(ty);
                self.record_into(id, &way, span);
                way
            }
        }
    }

    /// Stores a record value.
    pub(crate) fn record_into(&mut self, id: Id<Expr>, to: &Way, span: Span) {
        if let Some(Some(way)) = self.ready.get(&id).cloned() {
            return self.copy(to, &way, span);
        }
        let begun = self.begin(id);
        self.store_record(id, to, span);
        self.end(begun);
    }

    fn store_record(&mut self, id: Id<Expr>, to: &Way, span: Span) {
        let expr = &self.typed.exprs[id];
        match &expr.kind {
            ExprKind::Call(callee, arguments) if is_plain(to) && !self.is_shared(to) => {
                self.call(id, *callee, arguments, Some(to), false);
            }
            ExprKind::Call(callee, arguments) => {
                let way = self.temporary(expr.ty);
                self.call(id, *callee, arguments, Some(&way), false);
                self.copy(to, &way, span);
            }
            ExprKind::Conditional(condition, a, b) => {
                let (yes, no) = self.branch(*condition);
                self.at(yes);
                self.record_into(*a, to, span);
                let end = self.graph.current;
                self.at(no);
                self.record_into(*b, to, span);
                let after = self.graph.join(end, self.graph.current, span);
                self.at(after);
            }
            ExprKind::StatementExpr(body) => self.statement_expr(*body, Some(to)),
            ExprKind::VaArg(list) => {
                let way = self.temporary(expr.ty);
                self.va_arg(*list, &way, span);
                self.copy(to, &way, span);
            }
            ExprKind::Unsupported(text) => self.unsupported(text.clone(), expr.span),
            ExprKind::Load(_)
            | ExprKind::Variable(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral(..)
            | ExprKind::Assign(..)
            | ExprKind::Comma(..) => {
                let from = self.record(id);
                self.copy(to, &from, span);
            }
            ExprKind::Convert(a) if self.ty(*a) == expr.ty => self.record_into(*a, to, span),
            _ => {
                let what = match self.cx.build.types.get(expr.ty) {
                    Type::Complex(_) => "complex number",
                    Type::VaList => "value of an argument list",
                    _ => "record value of this form",
                };
                self.unsupported(what, expr.span);
            }
        }
    }

    /// Copies an object.
    pub(crate) fn copy(&mut self, to: &Way, from: &Way, span: Span) {
        if matches!(self.cx.build.types.get(to.ty), Type::Complex(_)) {
            return self.unsupported("complex number", span);
        }
        if to.ty != from.ty {
            return self.unsupported("copy between objects of different types", span);
        }
        if self.is_shared(to) && self.is_shared(from) {
            // One step reads, another one writes.
            let between = self.temporary(from.ty);
            self.copy(&between, from, span);
            return self.copy(to, &between, span);
        }
        self.guard(to, true, span);
        if !self.is_scalar(to.ty) {
            self.announce(from, false, span);
            self.announce(to, true, span);
        }
        if self.is_shared(to) || self.is_shared(from) {
            return self.copy_parts(to, from, span);
        }
        let (to, from) = (self.place(to), self.place(from));
        self.emit(Op::Copy { to, from }, span);
    }

    /// Copies an object that other threads may access: nothing makes them wait
    /// until all of it is there.
    fn copy_parts(&mut self, to: &Way, from: &Way, span: Span) {
        let mut open = vec![(to.clone(), from.clone())];
        let mut parts = 0;
        while let Some((to, from)) = open.pop() {
            parts += 1;
            if parts > PARTS {
                return self.unsupported("copy of a large record that threads share", span);
            }
            let steps: Vec<(InitStep, Option<Id<Type>>)> = match *self.cx.build.types.get(to.ty) {
                Type::Array { of, length: ArrayLength::Fixed(n) } => (0..n.min(PARTS as u64 + 1))
                    .map(|index| (InitStep::Element(index), Some(of)))
                    .collect(),
                Type::Array { length: ArrayLength::Unknown, .. } => Vec::new(),
                Type::Record(record) if !self.cx.build.types.records[record].is_union => {
                    let members = self.cx.build.types.records[record].members.iter().enumerate();
                    members
                        .filter(|(_, member)| member.name.is_some() || member.bits.is_none())
                        .map(|(member, _)| (InitStep::Member(record, member as u32), None))
                        .collect()
                }
                _ if self.is_scalar(to.ty) => {
                    let value = self.load(&from);
                    self.set(&to, value, span);
                    continue;
                }
                _ => {
                    let (to, from) = (self.place(&to), self.place(&from));
                    self.emit(Op::Copy { to, from }, span);
                    continue;
                }
            };
            for (step, of) in steps.into_iter().rev() {
                open.push((self.step(&to, step, of), self.step(&from, step, of)));
            }
        }
    }

    /// GNU `({ ... })`: the value of the last statement goes to `to`, because
    /// the variables it depends on end with the block.
    pub(crate) fn statement_expr(&mut self, body: Id<Stmt>, to: Option<&Way>) {
        let outer = self.scope;
        let stmt = &self.typed.stmts[body];
        match &stmt.kind {
            StmtKind::Block(body) => {
                if let Some((last, first)) = body.split_last() {
                    for stmt in first {
                        self.stmt(*stmt);
                    }
                    self.last_stmt(*last, to);
                }
            }
            _ => self.last_stmt(body, to),
        }
        self.exit_to(outer, stmt.span);
    }

    fn last_stmt(&mut self, id: Id<Stmt>, to: Option<&Way>) {
        let Some(to) = to else { return self.stmt(id) };
        let stmt = &self.typed.stmts[id];
        match &stmt.kind {
            StmtKind::Expr(value) => {
                self.graph.begin(stmt.span);
                if self.is_scalar(to.ty) {
                    let value = self.rvalue(*value);
                    self.set(to, value, stmt.span);
                } else {
                    self.record_into(*value, to, stmt.span);
                }
            }
            StmtKind::Label(label, next) => {
                self.label(*label, stmt.span);
                self.last_stmt(*next, Some(to));
            }
            _ => self.stmt(id),
        }
    }
}
