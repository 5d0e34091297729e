//! Labels, `switch`, and what leaves a statement.

use super::{Checked, Checker, Reported, Value};
use crate::ast::{self, Name, StmtKind as Ast};
use crate::typed::{ExprKind, Label, StmtKind};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::Type;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::sync::Arc;

/// The labels of a function.
#[derive(Debug, Default)]
pub(super) struct Labels {
    known: FxHashMap<Arc<str>, Vec<Id<Label>>>,
    all: Vec<Id<Label>>,
    placed: FxHashSet<Id<Label>>,
    /// Those that stand in an operand that is never evaluated.
    shadows: FxHashSet<Id<Label>>,
}

/// A `switch` being checked.
#[derive(Debug)]
pub(super) struct Switch {
    ty: Id<Type>,
    /// First value of a case to its last value and place.
    cases: BTreeMap<i128, (i128, Span)>,
    default: Option<Span>,
}

/// What stands before a statement.
enum Prefix {
    Case(i128, i128),
    Default,
    Label(Id<Label>),
}

impl<'a> Checker<'a> {
    fn new_label(&mut self, name: &Name) -> Option<Id<Label>> {
        let function = self.body.as_ref()?.id;
        let label = self.out.labels.push(Label {
            name: Arc::clone(&name.text),
            function,
            address_taken: false,
            span: name.span,
        });
        let labels = &mut self.body.as_mut()?.labels;
        labels.known.entry(Arc::clone(&name.text)).or_default().push(label);
        labels.all.push(label);
        Some(label)
    }

    /// The label of a name, declared or not.
    pub(super) fn label(&mut self, name: &Name) -> Id<Label> {
        let known = self.body.as_ref().and_then(|b| b.labels.known.get(&name.text)?.last());
        match known {
            Some(label) => *label,
            None => self.new_label(name).unwrap_or(Id::new(0)),
        }
    }

    /// Declares the labels of `__label__`.
    pub(super) fn open_labels(&mut self, names: &[Name]) {
        for name in names {
            self.new_label(name);
        }
    }

    /// Ends the scope of the labels of `__label__`.
    pub(super) fn close_labels(&mut self, names: &[Name]) {
        let Some(body) = &mut self.body else { return };
        for name in names {
            if let Some(all) = body.labels.known.get_mut(&name.text) {
                all.pop();
                if all.is_empty() {
                    body.labels.known.remove(&name.text);
                }
            }
        }
    }

    /// Reports labels that are used and stand nowhere.
    pub(super) fn finish_labels(&mut self) {
        let Some(body) = &mut self.body else { return };
        let labels = std::mem::take(&mut body.labels);
        for label in labels
            .all
            .into_iter()
            .filter(|label| !labels.placed.contains(label) && !labels.shadows.contains(label))
        {
            let (name, span) = (self.out.labels[label].name.clone(), self.out.labels[label].span);
            let message = format!("the label `{name}` stands nowhere in this function");
            self.error(Diagnostic::error("C1502", span, message));
        }
    }

    /// GNU `&&label`.
    pub(super) fn label_address(&mut self, name: &Name, span: Span) -> Checked<Value> {
        if self.body.is_none() {
            let error = Diagnostic::error("C1503", span, "a label outside of any function");
            return Err(self.error(error));
        }
        let label = self.label(name);
        self.out.labels[label].address_taken = true;
        Ok(self.make(ExprKind::LabelAddress(label), self.basic.void_pointer, span))
    }

    /// A run of labels and cases of any length before a statement.
    pub(super) fn labelled(&mut self, id: Id<ast::Stmt>) -> Checked<StmtKind> {
        let unit = self.unit;
        let mut prefixes: Vec<(Checked<Prefix>, Span)> = Vec::new();
        let mut at = id;
        let inner = loop {
            let stmt = &unit.stmts[at];
            let (prefix, next) = match &stmt.kind {
                Ast::Case(low, high, next) => (self.case(*low, *high, stmt.span), *next),
                Ast::Default(next) => (self.default(stmt.span), *next),
                Ast::Label(name, next) => (self.place_label(name), *next),
                _ => break at,
            };
            prefixes.push((prefix, stmt.span));
            at = next;
        };
        let mut statement = self.stmt(inner);
        let mut result = Err(Reported);
        for (prefix, span) in prefixes.into_iter().rev() {
            if let Ok(kind) = result {
                statement = self.statement(kind, span);
            }
            result = Ok(match prefix {
                Ok(Prefix::Case(low, high)) => StmtKind::Case(low, high, statement),
                Ok(Prefix::Default) => StmtKind::Default(statement),
                Ok(Prefix::Label(label)) => StmtKind::Label(label, statement),
                Err(Reported) => StmtKind::Empty,
            });
        }
        result
    }

    fn place_label(&mut self, name: &Name) -> Checked<Prefix> {
        let label = self.label(name);
        let Some(body) = &mut self.body else { return Err(Reported) };
        if self.unevaluated > 0 {
            // `typeof(({ a: ... }))` may repeat what stands elsewhere.
            body.labels.shadows.insert(label);
            return Ok(Prefix::Label(label));
        }
        if !body.labels.placed.insert(label) {
            let message = format!("the label `{}` stands twice in this function", name.text);
            let error = Diagnostic::error("C1504", name.span, message);
            let first = self.out.labels[label].span;
            return Err(self.error(error.also(first, "first here")));
        }
        self.out.labels[label].span = name.span;
        Ok(Prefix::Label(label))
    }

    /// `switch`.
    pub(super) fn switch(
        &mut self,
        value: Id<ast::Expr>,
        body: Id<ast::Stmt>,
    ) -> Checked<StmtKind> {
        let value = self.rvalue_expr(value).and_then(|value| {
            if self.is_integer(value.ty.id) {
                return Ok(self.promote(value));
            }
            let found = self.display(value.ty);
            let span = self.span(value);
            let error = Diagnostic::error("C1505", span, "`switch` needs an integer");
            Err(self.error(error.label(format!("this has type `{found}`"))))
        });
        let ty = value.map_or(self.basic.int, |value| value.ty.id);
        let Some(state) = &mut self.body else { return Err(Reported) };
        state.switches.push(Switch { ty, cases: BTreeMap::new(), default: None });
        let body = self.stmt(body);
        if let Some(state) = &mut self.body {
            state.switches.pop();
        }
        Ok(StmtKind::Switch(value?.id, body))
    }

    fn case(
        &mut self,
        low: Id<ast::Expr>,
        high: Option<Id<ast::Expr>>,
        span: Span,
    ) -> Checked<Prefix> {
        let first = self.constant_expression(low, "the value of a case")?;
        let last = match high {
            Some(high) => self.constant_expression(high, "the value of a case")?,
            None => first,
        };
        let Some(ty) = self.body.as_ref().and_then(|b| b.switches.last()).map(|s| s.ty) else {
            return Err(self.outside("case", span));
        };
        let (first, last) = (self.wrap(first, ty), self.wrap(last, ty));
        let place = self.unit.exprs[low].span;
        if first > last {
            self.warn("C1903", place, "the range of this case is empty");
            return Ok(Prefix::Case(first, last));
        }
        let Some(switch) = self.body.as_mut().and_then(|b| b.switches.last_mut()) else {
            return Err(Reported);
        };
        let clash = switch.cases.range(..=last).next_back().filter(|(_, (end, _))| *end >= first);
        if let Some((_, (_, other))) = clash {
            let other = *other;
            let error = Diagnostic::error("C1506", place, "this case stands twice");
            return Err(self.error(error.also(other, "first here")));
        }
        switch.cases.insert(first, (last, place));
        Ok(Prefix::Case(first, last))
    }

    fn default(&mut self, span: Span) -> Checked<Prefix> {
        let Some(switch) = self.body.as_mut().and_then(|b| b.switches.last_mut()) else {
            return Err(self.outside("default", span));
        };
        if let Some(first) = switch.default.replace(span) {
            let error = Diagnostic::error("C1506", span, "`default` stands twice");
            return Err(self.error(error.also(first, "first here")));
        }
        Ok(Prefix::Default)
    }

    fn outside(&mut self, word: &str, span: Span) -> Reported {
        let message = format!("`{word}` stands outside of any `switch`");
        self.error(Diagnostic::error("C1507", span, message))
    }

    /// `break` and `continue`.
    pub(super) fn leave(&mut self, is_break: bool, span: Span) -> Checked<StmtKind> {
        let (loops, switches) =
            self.body.as_ref().map_or((0, 0), |body| (body.loops, body.switches.len()));
        match (is_break, loops, switches) {
            (true, 0, 0) => {
                let message = "`break` stands outside of any loop or `switch`";
                Err(self.error(Diagnostic::error("C1508", span, message)))
            }
            (true, ..) => Ok(StmtKind::Break),
            (false, 0, _) => {
                let message = "`continue` stands outside of any loop";
                Err(self.error(Diagnostic::error("C1508", span, message)))
            }
            (false, ..) => Ok(StmtKind::Continue),
        }
    }
}
