//! Statements.

use super::body::{Body, Exits};
use super::build::Way;
use super::jump::Destination;
use crate::typed::{AsmEffect, Expr, ExprKind, Label, Stmt, StmtKind};
use parallax_base::{Id, Span};
use parallax_cfa::{ASSEMBLY, Argument, Halt, Op};

impl Body<'_, '_> {
    /// Lowers a statement.
    pub(crate) fn stmt(&mut self, mut id: Id<Stmt>) {
        // Labels, cases and else-branches are chains of any length.
        let mut joins = Vec::new();
        loop {
            let stmt = &self.typed.stmts[id];
            let span = stmt.span;
            match &stmt.kind {
                StmtKind::Case(low, high, next) => {
                    self.case(Some((*low, *high)), span);
                    id = *next;
                }
                StmtKind::Default(next) => {
                    self.case(None, span);
                    id = *next;
                }
                StmtKind::Label(label, next) => {
                    self.label(*label, span);
                    id = *next;
                }
                StmtKind::If(condition, yes, no) => {
                    self.graph.begin(span);
                    let (then, otherwise) = self.branch(*condition);
                    self.at(then);
                    self.stmt(*yes);
                    joins.push((self.graph.current, span));
                    self.at(otherwise);
                    match no {
                        Some(no) => id = *no,
                        None => break,
                    }
                }
                _ => {
                    self.simple_stmt(id);
                    break;
                }
            }
        }
        for (end, span) in joins.into_iter().rev() {
            let after = self.graph.join(end, self.graph.current, span);
            self.at(after);
        }
    }

    fn simple_stmt(&mut self, id: Id<Stmt>) {
        let stmt = &self.typed.stmts[id];
        let span = stmt.span;
        if !matches!(stmt.kind, StmtKind::Block(_) | StmtKind::Group(_) | StmtKind::Empty) {
            self.graph.begin(span);
        }
        match &stmt.kind {
            StmtKind::Empty => {}
            StmtKind::Expr(e) => self.effect(*e),
            StmtKind::Declare(variable, init) => self.declare(*variable, init.as_ref(), span),
            StmtKind::Length(length, value) => {
                let value = self.rvalue(*value);
                let way = self.length(*length);
                self.set(&way, value, span);
            }
            StmtKind::Block(body) => {
                let outer = self.scope;
                for stmt in body {
                    self.stmt(*stmt);
                }
                self.exit_to(outer, end_of(span));
            }
            StmtKind::Group(body) => {
                for stmt in body {
                    self.stmt(*stmt);
                }
            }
            StmtKind::While(condition, body) => self.while_loop(*condition, *body, span),
            StmtKind::DoWhile(body, condition) => self.do_while(*body, *condition, span),
            StmtKind::For { init, condition, step, body } => {
                let outer = self.scope;
                if let Some(init) = init {
                    self.stmt(*init);
                }
                self.for_loop(*condition, *step, *body, span);
                self.exit_to(outer, end_of(span));
            }
            StmtKind::Switch(value, body) => self.switch(*value, *body, span),
            StmtKind::Goto(label) => self.jump(Destination::Label(*label), span),
            StmtKind::GotoComputed(value) => {
                let value = self.rvalue(*value);
                self.jump(Destination::Computed(value), span);
            }
            StmtKind::Break => {
                if let Some(exits) = self.exits.last().copied() {
                    self.jump_to(exits.leave, span);
                }
            }
            StmtKind::Continue => {
                if let Some(again) = self.exits.last().and_then(|exits| exits.again) {
                    self.jump_to(again, span);
                }
            }
            StmtKind::Return(value) => self.return_stmt(*value, span),
            StmtKind::Asm { outputs, inputs, effect, labels } => {
                self.asm(outputs, inputs, *effect, labels, span);
            }
            StmtKind::Unsupported(text) => self.unsupported(text.clone(), span),
            StmtKind::Case(..) | StmtKind::Default(_) | StmtKind::Label(..) | StmtKind::If(..) => {
                self.stmt(id)
            }
        }
    }

    pub(crate) fn label(&mut self, label: Id<Label>, span: Span) {
        let here = self.graph.location();
        self.graph.set_label(here, self.typed.labels[label].name.clone());
        self.graph.go(here, span);
        self.labels.insert(label, (here, self.scope));
        self.at(Some(here));
        self.graph.begin(span);
    }

    fn while_loop(&mut self, condition: Id<Expr>, body: Id<Stmt>, span: Span) {
        let head = self.loop_head(span);
        let leave = self.graph.location();
        let (inside, outside) = self.branch(condition);
        self.at(outside);
        self.graph.go(leave, span);
        self.at(inside);
        self.loop_body(body, (leave, head), span);
        self.graph.go(head, span);
        self.at(Some(leave));
    }

    fn do_while(&mut self, body: Id<Stmt>, condition: Id<Expr>, span: Span) {
        let head = self.loop_head(span);
        let (leave, test) = (self.graph.location(), self.graph.location());
        self.loop_body(body, (leave, test), span);
        self.graph.go(test, span);
        self.at(Some(test));
        self.graph.begin(self.span(condition));
        let (inside, outside) = self.branch(condition);
        self.at(inside);
        self.graph.go(head, span);
        self.at(outside);
        self.graph.go(leave, span);
        self.at(Some(leave));
    }

    fn for_loop(
        &mut self,
        condition: Option<Id<Expr>>,
        step: Option<Id<Expr>>,
        body: Id<Stmt>,
        span: Span,
    ) {
        let head = self.loop_head(span);
        let leave = self.graph.location();
        if let Some(condition) = condition {
            let (inside, outside) = self.branch(condition);
            self.at(outside);
            self.graph.go(leave, span);
            self.at(inside);
        }
        let next = self.graph.location();
        self.loop_body(body, (leave, next), span);
        self.graph.go(next, span);
        self.at(Some(next));
        if let Some(step) = step {
            self.graph.begin(self.span(step));
            self.effect(step);
        }
        self.graph.go(head, span);
        self.at(Some(leave));
    }

    fn loop_head(&mut self, span: Span) -> super::graph::Loc {
        let head = self.graph.location();
        self.graph.go(head, span);
        self.graph.set_loop_head(head, span);
        self.at(Some(head));
        self.graph.begin(span);
        head
    }

    fn loop_body(
        &mut self,
        body: Id<Stmt>,
        (leave, again): (super::graph::Loc, super::graph::Loc),
        span: Span,
    ) {
        let scope = self.scope;
        self.exits.push(Exits { leave: (leave, scope), again: Some((again, scope)) });
        self.stmt(body);
        self.exits.pop();
        self.exit_to(scope, span);
    }

    fn return_stmt(&mut self, value: Option<Id<Expr>>, span: Span) {
        let result = self.result_type();
        let value = match (value, result) {
            (None, None) => None,
            (None, Some(ty)) => {
                let way = self.arbitrary(ty, "no value returned", span);
                Some(self.argument(&way))
            }
            (Some(value), None) => {
                self.effect(value);
                None
            }
            (Some(value), Some(ty)) if self.cx.build.is_scalar(ty) => {
                let value = self.rvalue(value);
                Some(Argument::Scalar(self.cx.build.coerce(value, ty)))
            }
            (Some(value), Some(_)) => {
                let mut way = self.record(value);
                if self.is_shared(&way) {
                    let saved = self.temporary(way.ty);
                    self.copy(&saved, &way, span);
                    way = saved;
                }
                let place = self.place(&way);
                Some(Argument::Aggregate(place))
            }
        };
        self.leave(value, span);
    }

    fn asm(
        &mut self,
        outputs: &[Id<Expr>],
        inputs: &[Id<Expr>],
        effect: AsmEffect,
        labels: &[Id<Label>],
        span: Span,
    ) {
        let outputs: Vec<Way> = outputs.iter().map(|output| self.way(*output)).collect();
        for input in inputs {
            if self.cx.build.is_scalar(self.ty(*input)) {
                self.rvalue(*input);
            } else if !matches!(self.typed.exprs[*input].kind, ExprKind::Int(_)) {
                self.effect(*input);
            }
        }
        match effect {
            AsmEffect::Outputs => {}
            AsmEffect::Memory => self.unsupported(ASSEMBLY, span),
            AsmEffect::Ends => return self.stop(Op::Halt(Halt::End), span),
        }
        for way in outputs {
            self.guard(&way, true, span);
            let to = self.place(&way);
            self.emit(Op::Havoc { to, why: "inline assembly".into() }, span);
        }
        for label in labels {
            let int = self.cx.build.int;
            let choice = self.arbitrary(int, "inline assembly", span);
            let choice = self.load(&choice);
            let (yes, no) = self.split(choice, span);
            self.at(yes);
            self.jump(Destination::Label(*label), span);
            self.at(no);
        }
    }
}

/// The last character of a span: the closing brace.
fn end_of(span: Span) -> Span {
    Span { lo: span.hi.saturating_sub(1), ..span }
}
