//! The accesses and calls of one full expression, and which of them have no
//! order.
//!
//! Events go up from the leaves. At each operator those of one operand meet
//! those of another: C says of most operators that nothing is known about the
//! order (C11 6.5p3). What remains is sequenced:
//!
//! - An operator computes after the values of its operands are known. Only
//!   what an operand does on the side (a store, `++`) may come later: such an
//!   event is *late*.
//! - `&&`, `||`, `?:`, the comma and the call of a function after its arguments
//!   are sequence points: nothing that came before is late.
//! - The store of an assignment comes after both values; so it meets the late
//!   events of its operands and no others.
//!
//! Nodes are visited in the order of their numbers: children are older than
//! parents.

use super::{Orders, Root};
use crate::lower::facts::Facts;
use crate::typed::{Expr, ExprKind, Program};
use parallax_base::Id;
use std::collections::{BTreeSet, HashMap};

/// What an event does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// Reads an lvalue.
    Read(Id<Expr>),
    /// Writes an lvalue.
    Write(Id<Expr>),
}

/// Something that happens while an expression is evaluated.
#[derive(Clone, Copy, Debug)]
struct Event {
    kind: Kind,
    late: bool,
    conditional: bool,
}

impl Event {
    fn lvalue(&self) -> Id<Expr> {
        match self.kind {
            Kind::Read(lvalue) | Kind::Write(lvalue) => lvalue,
        }
    }
}

/// The events of an expression.
#[derive(Default, Debug)]
struct Events {
    writes: Vec<Event>,
    reads: Vec<Event>,
}

impl Events {
    fn add(&mut self, event: Event) {
        match event.kind {
            Kind::Read(_) => self.reads.push(event),
            Kind::Write(_) => self.writes.push(event),
        }
    }

    fn append(&mut self, mut other: Events) {
        if other.reads.len() > self.reads.len() {
            std::mem::swap(&mut self.reads, &mut other.reads);
        }
        if other.writes.len() > self.writes.len() {
            std::mem::swap(&mut self.writes, &mut other.writes);
        }
        self.reads.append(&mut other.reads);
        self.writes.append(&mut other.writes);
    }

    fn each(&mut self) -> impl Iterator<Item = &mut Event> {
        self.reads.iter_mut().chain(&mut self.writes)
    }

    /// There is a sequence point after them.
    fn seal(mut self) -> Events {
        self.each().for_each(|event| event.late = false);
        self
    }

    /// They happen on some ways only.
    fn on_condition(mut self) -> Events {
        self.each().for_each(|event| event.conditional = true);
        self
    }
}

/// Looks for what has no order in one full expression.
pub(super) struct Collector<'c> {
    program: &'c Program,
    facts: &'c Facts,
    orders: &'c mut Orders,
    root: Id<Expr>,
    open: HashMap<Id<Expr>, Events>,
}

impl<'c> Collector<'c> {
    pub(super) fn new(
        program: &'c Program,
        facts: &'c Facts,
        orders: &'c mut Orders,
        root: Id<Expr>,
    ) -> Collector<'c> {
        Collector { program, facts, orders, root, open: HashMap::new() }
    }

    /// Visits the expression from its leaves on.
    pub(super) fn run(mut self) {
        let mut nodes = BTreeSet::new();
        let mut open = vec![self.root];
        while let Some(id) = open.pop() {
            if nodes.insert(id) {
                children(&self.program.exprs[id].kind, &mut open);
            }
        }
        for id in nodes {
            let events = self.events(id);
            self.open.insert(id, events);
        }
    }

    fn take(&mut self, id: Id<Expr>) -> Events {
        self.open.remove(&id).unwrap_or_default()
    }

    /// Events of operands without an order.
    fn unsequenced(&mut self, operands: impl IntoIterator<Item = Id<Expr>>) -> Events {
        let mut all = Events::default();
        for operand in operands {
            let next = self.take(operand);
            self.meet(&all, &next);
            all.append(next);
        }
        all
    }

    fn events(&mut self, id: Id<Expr>) -> Events {
        let program = self.program;
        match &program.exprs[id].kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Variable(_)
            | ExprKind::Function(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeOf(_)
            | ExprKind::StatementExpr(_)
            | ExprKind::Unsupported(_) => Events::default(),
            ExprKind::Deref(a)
            | ExprKind::AddressOf(a)
            | ExprKind::Decay(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Not(a)
            | ExprKind::Convert(a)
            | ExprKind::Member { record: a, .. } => self.take(*a),
            ExprKind::Load(a) => {
                let events = self.take(*a);
                self.access(events, Kind::Read(*a))
            }
            ExprKind::Binary(_, a, b)
            | ExprKind::PointerAdd(a, b)
            | ExprKind::PointerSub(a, b)
            | ExprKind::PointerDiff(a, b) => self.unsequenced([*a, *b]),
            ExprKind::And(a, b) | ExprKind::Or(a, b) | ExprKind::Elvis(a, b) => {
                let mut events = self.take(*a).seal();
                events.append(self.take(*b).on_condition());
                events
            }
            ExprKind::Comma(a, b) => {
                let mut events = self.take(*a).seal();
                events.append(self.take(*b));
                events
            }
            ExprKind::Conditional(c, a, b) => {
                let mut events = self.take(*c).seal();
                events.append(self.take(*a).on_condition());
                events.append(self.take(*b).on_condition());
                events
            }
            ExprKind::Assign(a, b) => {
                let events = self.unsequenced([*a, *b]);
                self.store(events, *a)
            }
            ExprKind::AssignOp { left, right, .. } => {
                let way = self.take(*left);
                let way = self.access(way, Kind::Read(*left));
                let right = self.take(*right);
                self.meet(&way, &right);
                let mut events = way;
                events.append(right);
                self.store(events, *left)
            }
            ExprKind::Increment { target, .. } => {
                let way = self.take(*target);
                let way = self.access(way, Kind::Read(*target));
                self.store(way, *target)
            }
            ExprKind::Call(callee, arguments) => {
                let operands = std::iter::once(*callee).chain(arguments.iter().copied());
                self.unsequenced(operands).seal()
            }
            ExprKind::Builtin(_, arguments) => self.unsequenced(arguments.iter().copied()).seal(),
            ExprKind::VaArg(a) => self.take(*a),
            ExprKind::CompoundLiteral(_, init) => {
                // The items have an order, though nobody knows which.
                let mut events = Events::default();
                for item in &init.items {
                    events.append(self.take(item.value));
                }
                events
            }
        }
    }

    /// An access after the lvalue is known.
    fn access(&mut self, mut events: Events, kind: Kind) -> Events {
        let event = Event { kind, late: false, conditional: false };
        if self.root(event.lvalue()) == Root::Value {
            return events;
        }
        for late in events.writes.iter().filter(|event| event.late) {
            self.relate(&event, late, false);
        }
        events.add(event);
        events
    }

    /// A store after the values of both sides are known.
    fn store(&mut self, mut events: Events, lvalue: Id<Expr>) -> Events {
        let event = Event { kind: Kind::Write(lvalue), late: true, conditional: false };
        for late in events.writes.iter().filter(|event| event.late) {
            self.relate(&event, late, true);
        }
        events.add(event);
        events
    }

    fn meet(&mut self, a: &Events, b: &Events) {
        for write in &a.writes {
            for other in b.writes.iter().chain(&b.reads) {
                self.relate(write, other, false);
            }
        }
        for write in &b.writes {
            for read in &a.reads {
                self.relate(write, read, false);
            }
        }
    }

    /// Two events without an order, the first of them a write unless it is the
    /// read of an lvalue that the second may lead away from.
    fn relate(&mut self, first: &Event, second: &Event, at_store: bool) {
        let (a, b) = (first.lvalue(), second.lvalue());
        if !self.may_overlap(a, b) {
            return;
        }
        for event in [first, second] {
            if event.conditional {
                self.orders.flag(self.root, event.lvalue());
            }
        }
        let written = if matches!(first.kind, Kind::Write(_)) { a } else { b };
        self.orders.pair(a, b, written, at_store);
    }

    fn root(&self, lvalue: Id<Expr>) -> Root {
        super::root(self.program, lvalue)
    }

    /// Whether two lvalues may share a byte, as far as their shape tells.
    fn may_overlap(&self, a: Id<Expr>, b: Id<Expr>) -> bool {
        let is_exposed = |v| self.facts.is_exposed(self.program, v);
        match (self.root(a), self.root(b)) {
            (Root::Value, _) | (_, Root::Value) => false,
            (Root::Variable(v), Root::Variable(w)) => v == w,
            (Root::Variable(v), Root::Memory) | (Root::Memory, Root::Variable(v)) => is_exposed(v),
            (Root::Memory, Root::Memory) => !self.are_siblings(a, b),
        }
    }

    /// Whether two lvalues are different members of one structure type. Objects
    /// of one type lie in the same place or apart.
    fn are_siblings(&self, a: Id<Expr>, b: Id<Expr>) -> bool {
        let member = |id: Id<Expr>| match self.program.exprs[id].kind {
            ExprKind::Member { of, member, .. } => Some((of, member)),
            _ => None,
        };
        match (member(a), member(b)) {
            (Some((r, m)), Some((s, n))) => {
                r == s && m != n && !self.program.types.records[r].is_union
            }
            _ => false,
        }
    }
}

/// The operands of an expression.
pub(super) fn children(kind: &ExprKind, out: &mut Vec<Id<Expr>>) {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Variable(_)
        | ExprKind::Function(_)
        | ExprKind::LabelAddress(_)
        | ExprKind::SizeOf(_)
        | ExprKind::StatementExpr(_)
        | ExprKind::Unsupported(_) => {}
        ExprKind::Deref(a)
        | ExprKind::AddressOf(a)
        | ExprKind::Decay(a)
        | ExprKind::Unary(_, a)
        | ExprKind::Not(a)
        | ExprKind::Convert(a)
        | ExprKind::Load(a)
        | ExprKind::VaArg(a)
        | ExprKind::Increment { target: a, .. }
        | ExprKind::Member { record: a, .. } => out.push(*a),
        ExprKind::Binary(_, a, b)
        | ExprKind::PointerAdd(a, b)
        | ExprKind::PointerSub(a, b)
        | ExprKind::PointerDiff(a, b)
        | ExprKind::And(a, b)
        | ExprKind::Or(a, b)
        | ExprKind::Elvis(a, b)
        | ExprKind::Comma(a, b)
        | ExprKind::Assign(a, b)
        | ExprKind::AssignOp { left: a, right: b, .. } => out.extend([*a, *b]),
        ExprKind::Conditional(a, b, c) => out.extend([*a, *b, *c]),
        ExprKind::Call(callee, arguments) => {
            out.push(*callee);
            out.extend(arguments);
        }
        ExprKind::Builtin(_, arguments) => out.extend(arguments),
        ExprKind::CompoundLiteral(_, init) => out.extend(init.items.iter().map(|item| item.value)),
    }
}
