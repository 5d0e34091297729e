//! Scopes and jumps: which variables begin and end to live on the way.
//!
//! The variables that live at a point form a list, newest first; lists share
//! their tails. A jump ends those of the source that the target does not share
//! and begins those of the target that the source does not share.

use super::body::Body;
use super::graph::Loc;
use crate::typed;
use parallax_base::{Id, Span};
use parallax_cfa::{ArrayLength, Binary, Check, Expr, Halt, Op, Type, Variable};

/// A list of living variables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scope(usize);

impl Scope {
    /// The empty list.
    pub(crate) const ROOT: Scope = Scope(0);
}

struct Node {
    parent: Scope,
    depth: usize,
    variable: Id<Variable>,
    /// Whether a jump into the scope begins its life: not for compound
    /// literals, which begin when they are evaluated.
    declared: bool,
}

/// All lists; the number of the empty one is 0.
#[derive(Default)]
pub(crate) struct Scopes {
    nodes: Vec<Node>,
}

impl Scopes {
    fn node(&self, scope: Scope) -> Option<&Node> {
        scope.0.checked_sub(1).map(|index| &self.nodes[index])
    }

    fn depth(&self, scope: Scope) -> usize {
        self.node(scope).map_or(0, |node| node.depth)
    }

    fn push(&mut self, parent: Scope, variable: Id<Variable>, declared: bool) -> Scope {
        let depth = self.depth(parent) + 1;
        self.nodes.push(Node { parent, depth, variable, declared });
        Scope(self.nodes.len())
    }

    /// The longest list that both end in.
    fn shared(&self, mut a: Scope, mut b: Scope) -> Scope {
        while a != b {
            let deeper = if self.depth(a) >= self.depth(b) { &mut a } else { &mut b };
            *deeper = self.node(*deeper).map_or(Scope::ROOT, |node| node.parent);
        }
        a
    }

    /// The variables of a list down to a shared end, newest first.
    fn above(&self, mut scope: Scope, end: Scope) -> Vec<(Id<Variable>, bool)> {
        let mut variables = Vec::new();
        while let (true, Some(node)) = (scope != end, self.node(scope)) {
            variables.push((node.variable, node.declared));
            scope = node.parent;
        }
        variables
    }
}

/// Where a jump goes.
pub(crate) enum Destination {
    /// A label.
    Label(Id<typed::Label>),
    /// The label whose number this is.
    Computed(Id<Expr>),
}

/// A jump that is connected when all labels are placed.
pub(crate) struct Jump {
    source: Loc,
    scope: Scope,
    destination: Destination,
    span: Span,
}

impl Body<'_, '_> {
    /// A variable begins to live here.
    pub(crate) fn enter(&mut self, variable: Id<Variable>, declared: bool) {
        self.scope = self.scopes.push(self.scope, variable, declared);
    }

    /// Ends the variables down to an outer scope, which is the current one then.
    pub(crate) fn exit_to(&mut self, outer: Scope, span: Span) {
        self.end_lives(self.scope, outer, span);
        self.scope = outer;
    }

    fn end_lives(&mut self, from: Scope, outer: Scope, span: Span) {
        if self.graph.current.is_some() {
            for (variable, _) in self.scopes.above(from, outer) {
                self.emit(Op::Dead(variable), span);
            }
        }
    }

    /// Jumps to a known location.
    pub(crate) fn jump_to(&mut self, (target, scope): (Loc, Scope), span: Span) {
        self.cross(self.scope, scope, span);
        self.graph.go(target, span);
    }

    /// Ends and begins lives between two scopes.
    pub(crate) fn cross(&mut self, from: Scope, to: Scope, span: Span) {
        if self.graph.current.is_none() || from == to {
            return;
        }
        let shared = self.scopes.shared(from, to);
        self.end_lives(from, shared, span);
        let mut entered = self.scopes.above(to, shared);
        entered.reverse();
        for (variable, declared) in entered {
            if !declared {
                continue;
            }
            let ty = self.cx.variables[variable].ty;
            let run_time = matches!(
                self.cx.build.types.get(ty),
                Type::Array { length: ArrayLength::Variable(_), .. }
            );
            if run_time {
                self.unsupported("jump into the scope of an array of variable length", span);
            } else {
                self.emit(Op::Live(variable, None), span);
            }
        }
    }

    /// Leaves the current location by a jump that is connected later.
    pub(crate) fn jump(&mut self, destination: Destination, span: Span) {
        if let Some(source) = self.graph.current.take() {
            self.jumps.push(Jump { source, scope: self.scope, destination, span });
        }
    }

    /// Connects all jumps.
    pub(crate) fn connect(&mut self) {
        for jump in std::mem::take(&mut self.jumps) {
            self.at(Some(jump.source));
            match jump.destination {
                Destination::Label(label) => self.connect_to(label, jump.scope, jump.span),
                Destination::Computed(value) => self.dispatch(value, jump.scope, jump.span),
            }
        }
    }

    fn connect_to(&mut self, label: Id<typed::Label>, from: Scope, span: Span) {
        match self.labels.get(&label).copied() {
            Some((target, scope)) => {
                self.cross(from, scope, span);
                self.graph.go(target, span);
            }
            None => {
                self.unsupported("jump to a label that stands nowhere", span);
                self.stop(Op::Halt(Halt::End), span);
            }
        }
    }

    /// Compares with the number of every label of the function.
    fn dispatch(&mut self, value: Id<Expr>, from: Scope, span: Span) {
        let labels: Vec<Id<typed::Label>> = self
            .typed
            .labels
            .iter_enumerated()
            .filter(|(_, label)| label.address_taken && Some(label.function) == self.tree)
            .map(|(id, _)| id)
            .collect();
        let int = self.cx.build.int;
        for label in labels {
            let ty = self.cx.build.exprs[value].ty;
            let number = i128::from(self.cx.label_numbers[label.index()]);
            let number = self.cx.build.int(number, ty);
            let same = self.cx.build.binary(Binary::Eq, value, number, int);
            let (yes, no) = self.split(same, span);
            self.at(yes);
            if yes.is_some() {
                self.connect_to(label, from, span);
            }
            self.at(no);
        }
        self.demand(Check::Unreachable, span);
        self.stop(Op::Halt(Halt::End), span);
    }
}
