//! `switch`: a chain of comparisons, built when all cases are known.
//!
//! Cases may stand anywhere in the body, inside loops and blocks too; a case in
//! a block is a jump into that block.

use super::body::{Body, Exits};
use super::graph::Loc;
use super::jump::Scope;
use crate::typed::{Expr, Stmt};
use parallax_base::{Id, Span};
use parallax_cfa::Binary;

/// A case of the switch under construction.
struct Case {
    low: i128,
    high: i128,
    target: (Loc, Scope),
    span: Span,
}

/// A switch under construction.
#[derive(Default)]
pub(crate) struct Frame {
    cases: Vec<Case>,
    default: Option<(Loc, Scope)>,
}

impl Body<'_, '_> {
    /// Lowers a switch. The comparisons follow each other directly, so the
    /// value stays an expression.
    pub(crate) fn switch(&mut self, value: Id<Expr>, body: Id<Stmt>, span: Span) {
        let value_span = self.span(value);
        let value = self.rvalue(value);
        let (head, scope) = (self.graph.current.take(), self.scope);
        let leave = self.graph.location();
        let again = self.exits.last().and_then(|exits| exits.again);
        self.exits.push(Exits { leave: (leave, scope), again });
        self.switches.push(Frame::default());
        self.at(None);
        self.stmt(body);
        self.graph.go(leave, span);
        let frame = self.switches.pop().unwrap_or_default();
        self.exits.pop();
        self.at(head);
        for case in frame.cases {
            let test = self.case_test(value, case.low, case.high);
            let (yes, no) = self.split(test, case.span);
            self.at(yes);
            self.cross(scope, case.target.1, case.span);
            self.graph.go(case.target.0, case.span);
            self.at(no);
        }
        let (target, inner) = frame.default.unwrap_or((leave, scope));
        self.cross(scope, inner, value_span);
        self.graph.go(target, value_span);
        self.at(Some(leave));
    }

    fn case_test(
        &mut self,
        value: Id<parallax_cfa::Expr>,
        low: i128,
        high: i128,
    ) -> Id<parallax_cfa::Expr> {
        let build = &mut self.cx.build;
        let (ty, int) = (build.exprs[value].ty, build.int);
        let first = build.int(low, ty);
        if low == high {
            return build.binary(Binary::Eq, value, first, int);
        }
        let last = build.int(high, ty);
        let above = build.binary(Binary::Ge, value, first, int);
        let below = build.binary(Binary::Le, value, last, int);
        let zero = build.zero(int);
        build.conditional(above, below, zero)
    }

    /// A case label: the code that follows can be reached by the switch.
    pub(crate) fn case(&mut self, range: Option<(i128, i128)>, span: Span) {
        let here = self.graph.location();
        self.graph.go(here, span);
        let scope = self.scope;
        if let Some(frame) = self.switches.last_mut() {
            match range {
                Some((low, high)) => {
                    frame.cases.push(Case { low, high, target: (here, scope), span });
                }
                None => frame.default = Some((here, scope)),
            }
        }
        self.at(Some(here));
    }
}
