//! `&&`, `||`, `!`, `?:` and conditions.
//!
//! A later operand is lowered on a branch of its own. If that turned out to
//! need no operation at all, the branch is taken back and the whole stays one
//! expression; so guards hold exactly where C evaluates the operand.

use super::body::Body;
use super::expr::Value;
use super::graph::Loc;
use crate::typed::{Expr, ExprKind};
use parallax_base::{Id, Span};
use parallax_cfa::Type;

/// The outcome of a condition.
enum Truth {
    /// A value that can be tested.
    Value(Value),
    /// Control has parted: where it is true, where it is false.
    Parted(Option<Loc>, Option<Loc>),
}

impl Body<'_, '_> {
    /// Branches on a scalar expression: where it is not zero, where it is.
    pub(crate) fn branch(&mut self, id: Id<Expr>) -> (Option<Loc>, Option<Loc>) {
        let span = self.span(id);
        match self.truth(id) {
            Truth::Value(value) => self.split(value, span),
            Truth::Parted(yes, no) => (yes, no),
        }
    }

    fn truth(&mut self, id: Id<Expr>) -> Truth {
        if self.ready.contains_key(&id) {
            let value = self.rvalue(id);
            return Truth::Value(self.cx.build.truth(value));
        }
        let begun = self.begin(id);
        let truth = self.find_truth(id);
        self.end(begun);
        truth
    }

    fn find_truth(&mut self, id: Id<Expr>) -> Truth {
        match &self.typed.exprs[id].kind {
            ExprKind::Not(a) => match self.truth(*a) {
                Truth::Value(value) => Truth::Value(self.cx.build.negate(value)),
                Truth::Parted(yes, no) => Truth::Parted(no, yes),
            },
            ExprKind::And(..) => self.chain(id, true),
            ExprKind::Or(..) => self.chain(id, false),
            _ if !self.is_scalar(self.ty(id)) => {
                self.effect(id);
                self.unsupported("condition that is no scalar", self.span(id));
                let way = self.temporary(self.cx.build.int);
                Truth::Value(self.load(&way))
            }
            _ => {
                let value = self.rvalue(id);
                Truth::Value(self.cx.build.truth(value))
            }
        }
    }

    /// A chain of `&&` or of `||`.
    fn chain(&mut self, id: Id<Expr>, is_and: bool) -> Truth {
        let mut operands = Vec::new();
        let mut first = id;
        loop {
            match self.typed.exprs[first].kind {
                ExprKind::And(a, b) if is_and => {
                    operands.push(b);
                    first = a;
                }
                ExprKind::Or(a, b) if !is_and => {
                    operands.push(b);
                    first = a;
                }
                _ => break,
            }
        }
        let mut outcome = (self.truth(first), self.span(first));
        for operand in operands.into_iter().rev() {
            let span = outcome.1.to(self.span(operand));
            outcome = (self.link(outcome, operand, is_and), span);
        }
        outcome.0
    }

    /// The outcome so far and one more operand.
    fn link(&mut self, so_far: (Truth, Span), operand: Id<Expr>, is_and: bool) -> Truth {
        let (so_far, span) = so_far;
        let own = self.span(operand);
        let (decided, open, back) = match so_far {
            Truth::Value(value) => {
                if let Some(known) = self.cx.build.as_int(value) {
                    // The rest is evaluated always or never.
                    return if (known != 0) == is_and {
                        self.truth(operand)
                    } else {
                        Truth::Value(value)
                    };
                }
                let mark = self.graph.mark();
                let (yes, no) = self.split(value, span);
                let (open, decided) = if is_and { (yes, no) } else { (no, yes) };
                (decided, open, Some((mark, value)))
            }
            Truth::Parted(yes, no) => {
                let (open, decided) = if is_and { (yes, no) } else { (no, yes) };
                (decided, open, None)
            }
        };
        self.at(open);
        let (yes, no) = match (self.truth(operand), back) {
            (Truth::Value(second), Some((mark, value))) if self.graph.current == open => {
                self.graph.roll_back(&mark);
                let int = self.cx.build.int;
                let short = self.cx.build.int(i128::from(!is_and), int);
                let second = self.cx.build.truth(second);
                return Truth::Value(if is_and {
                    self.cx.build.conditional(value, second, short)
                } else {
                    self.cx.build.conditional(value, short, second)
                });
            }
            (Truth::Value(second), _) => self.split(second, own),
            (Truth::Parted(yes, no), _) => (yes, no),
        };
        self.has_split = true;
        let (same, other) = if is_and { (yes, no) } else { (no, yes) };
        let joined = self.graph.join(decided, other, own);
        if is_and { Truth::Parted(same, joined) } else { Truth::Parted(joined, same) }
    }

    /// The value of a logical expression: 0 or 1.
    pub(crate) fn logical_value(&mut self, id: Id<Expr>) -> Value {
        let span = self.span(id);
        match self.truth(id) {
            Truth::Value(value) => value,
            Truth::Parted(yes, no) => {
                let int = self.cx.build.int;
                let way = self.temporary(int);
                let (one, zero) = (self.cx.build.int(1, int), self.cx.build.zero(int));
                self.at(yes);
                self.set(&way, one, span);
                let end = self.graph.current;
                self.at(no);
                self.set(&way, zero, span);
                let after = self.graph.join(end, self.graph.current, span);
                self.at(after);
                self.load(&way)
            }
        }
    }

    /// `c ? a : b` of scalar or `void` type.
    pub(crate) fn conditional_value(
        &mut self,
        condition: Id<Expr>,
        a: Id<Expr>,
        b: Id<Expr>,
        ty: Id<Type>,
        span: Span,
    ) -> Value {
        let own = self.span(condition);
        let (yes, no, back) = match self.truth(condition) {
            Truth::Value(value) => {
                if let Some(known) = self.cx.build.as_int(value) {
                    let value = self.rvalue(if known != 0 { a } else { b });
                    return self.cx.build.coerce(value, ty);
                }
                let mark = self.graph.mark();
                let (yes, no) = self.split(value, own);
                (yes, no, Some((mark, value)))
            }
            Truth::Parted(yes, no) => (yes, no, None),
        };
        self.at(yes);
        let first = self.rvalue(a);
        let first_end = self.graph.current;
        self.at(no);
        let second = self.rvalue(b);
        let second_end = self.graph.current;
        let (first, second) = if self.is_scalar(ty) {
            (self.cx.build.coerce(first, ty), self.cx.build.coerce(second, ty))
        } else {
            (first, second)
        };
        if let (Some((mark, value)), true) = (back, first_end == yes && second_end == no) {
            self.graph.roll_back(&mark);
            return self.cx.build.conditional(value, first, second);
        }
        self.has_split = true;
        self.merge((first_end, first), (second_end, second), ty, span)
    }

    /// One value for two ways that meet.
    fn merge(
        &mut self,
        first: (Option<Loc>, Value),
        second: (Option<Loc>, Value),
        ty: Id<Type>,
        span: Span,
    ) -> Value {
        if !self.is_scalar(ty) {
            let after = self.graph.join(first.0, second.0, span);
            self.at(after);
            return first.1;
        }
        let way = self.temporary(ty);
        self.at(first.0);
        self.set(&way, first.1, span);
        let end = self.graph.current;
        self.at(second.0);
        self.set(&way, second.1, span);
        let after = self.graph.join(end, self.graph.current, span);
        self.at(after);
        self.load(&way)
    }

    /// GNU `a ?: b`.
    pub(crate) fn elvis(&mut self, a: Id<Expr>, b: Id<Expr>, ty: Id<Type>, span: Span) -> Value {
        let value = self.rvalue(a);
        let value = self.settle(value, self.cx.facts.effect(b), span);
        let converted = self.cx.build.convert(value, ty);
        let truth = self.cx.build.truth(value);
        if let Some(known) = self.cx.build.as_int(truth) {
            return if known != 0 { converted } else { self.rvalue(b) };
        }
        let mark = self.graph.mark();
        let (yes, no) = self.split(truth, span);
        self.at(no);
        let second = self.rvalue(b);
        let second = self.cx.build.coerce(second, ty);
        if self.graph.current == no {
            self.graph.roll_back(&mark);
            return self.cx.build.conditional(truth, converted, second);
        }
        self.has_split = true;
        let second_end = self.graph.current;
        self.merge((yes, converted), (second_end, second), ty, span)
    }
}
