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
//! A call has an order with respect to everything else, but nobody knows which
//! (C11 6.5.2.2p10); `++` and a compound assignment are one step for it. Where
//! such an order may matter, the two become units of their region: see
//! [`super::plan`]. A *region* is an expression without a sequence point in it
//! but those of operands that are regions themselves; for the region around it
//! such an operand is one unit.
//!
//! Nodes are visited in the order of their numbers: children are older than
//! parents.

use super::effects::{Effects, Summaries};
use super::plan::Conflict;
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
    /// Does what a call does; the number is that of its effects.
    Call(usize),
}

/// Something that happens while an expression is evaluated.
#[derive(Clone, Copy, Debug)]
struct Event {
    kind: Kind,
    /// The expression that does it.
    origin: Id<Expr>,
    /// The expression that does it as seen from the present region.
    node: Id<Expr>,
    late: bool,
    conditional: bool,
}

impl Event {
    fn new(kind: Kind, origin: Id<Expr>) -> Event {
        Event { kind, origin, node: origin, late: false, conditional: false }
    }

    /// What is accessed; `None` for a call.
    fn lvalue(&self) -> Option<Id<Expr>> {
        match self.kind {
            Kind::Read(lvalue) | Kind::Write(lvalue) => Some(lvalue),
            Kind::Call(_) => None,
        }
    }
}

/// The events of an expression.
#[derive(Default, Debug)]
pub(super) struct Events {
    /// Writes and calls.
    writes: Vec<Event>,
    reads: Vec<Event>,
}

impl Events {
    fn add(&mut self, event: Event) {
        match event.kind {
            Kind::Read(_) => self.reads.push(event),
            Kind::Write(_) | Kind::Call(_) => self.writes.push(event),
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

    /// From outside they belong to one operand.
    fn inside(mut self, operand: Id<Expr>) -> Events {
        self.each().for_each(|event| event.node = operand);
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
    summaries: &'c Summaries<'c>,
    orders: &'c mut Orders,
    root: Id<Expr>,
    /// The node whose operands meet.
    at: Id<Expr>,
    open: HashMap<Id<Expr>, Events>,
    regions: HashMap<Id<Expr>, Id<Expr>>,
    calls: Vec<Effects>,
}

impl<'c> Collector<'c> {
    pub(super) fn new(
        program: &'c Program,
        facts: &'c Facts,
        summaries: &'c Summaries<'c>,
        orders: &'c mut Orders,
        root: Id<Expr>,
    ) -> Collector<'c> {
        Collector {
            program,
            facts,
            summaries,
            orders,
            root,
            at: root,
            open: HashMap::new(),
            regions: HashMap::new(),
            calls: Vec::new(),
        }
    }

    /// Visits full expressions from their leaves on; several are the items of
    /// one initializer.
    pub(super) fn run(mut self, roots: &[Id<Expr>]) {
        for root in roots {
            self.root = *root;
            self.visit(*root);
        }
        self.items(roots);
    }

    fn visit(&mut self, root: Id<Expr>) {
        let mut nodes = BTreeSet::new();
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if nodes.insert(id) {
                children(&self.program.exprs[id].kind, &mut open);
            }
        }
        self.regions.insert(root, root);
        let mut operands = Vec::new();
        for id in nodes.iter().rev() {
            let kind = &self.program.exprs[*id].kind;
            let around = self.regions.get(id).copied().unwrap_or(root);
            children(kind, &mut operands);
            for operand in operands.drain(..) {
                let region = if has_sequence_point(kind) { operand } else { around };
                self.regions.insert(operand, region);
            }
        }
        for id in nodes {
            self.at = id;
            let events = self.events(id);
            self.open.insert(id, events);
        }
    }

    /// The items of one initializer are evaluated one after the other, in an
    /// order that nobody knows (C11 6.7.9p23).
    fn items(&mut self, items: &[Id<Expr>]) {
        let Some(first) = items.first().filter(|_| items.len() > 1) else { return };
        for (index, item) in items.iter().enumerate() {
            let own = self.take(*item).inside(*item);
            let effects: Vec<Effects> = own.writes.iter().map(|e| self.effects(e)).collect();
            for other in items.iter().enumerate().filter(|(i, _)| *i != index).map(|(_, o)| o) {
                let Some(others) = self.open.get(other) else { continue };
                let others = others.writes.iter().chain(&others.reads);
                let is_exposed = |v| self.facts.is_exposed(self.program, v);
                let meets = others.into_iter().any(|event| {
                    let event = self.effects(event);
                    effects.iter().any(|e| e.conflicts(&event, is_exposed))
                });
                if meets && !effects.is_empty() {
                    self.orders.items(*first, *item, *other);
                }
            }
            self.open.insert(*item, own);
        }
    }

    /// What an event reads and writes.
    fn effects(&self, event: &Event) -> Effects {
        match event.kind {
            Kind::Read(lvalue) => Effects::access(self.root(lvalue), false),
            Kind::Write(lvalue) => Effects::access(self.root(lvalue), true),
            Kind::Call(number) => self.calls[number].clone(),
        }
    }

    fn call(&mut self, events: &mut Events, effects: Effects) {
        // Calls that only read have nothing to do with each other.
        let only_reads = effects.only_reads();
        self.calls.push(effects);
        let event = Event::new(Kind::Call(self.calls.len() - 1), self.at);
        if only_reads { events.reads.push(event) } else { events.writes.push(event) }
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
            | ExprKind::Unsupported(_) => Events::default(),
            ExprKind::StatementExpr(body) => {
                let mut events = Events::default();
                self.call(&mut events, self.summaries.statements(*body));
                events
            }
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
                events.inside(id)
            }
            ExprKind::Comma(a, b) => {
                let mut events = self.take(*a).seal();
                events.append(self.take(*b));
                events.inside(id)
            }
            ExprKind::Conditional(c, a, b) => {
                let mut events = self.take(*c).seal();
                events.append(self.take(*a).on_condition());
                events.append(self.take(*b).on_condition());
                events.inside(id)
            }
            ExprKind::Assign(a, b) => {
                let events = self.unsequenced([*a, *b]);
                self.store(events, *a)
            }
            ExprKind::AssignOp { left, right, .. } => {
                // A call on the right comes before the read on the left.
                let (way, right) = (self.take(*left), self.take(*right));
                self.meet(&way, &right);
                let mut events = self.access(way, Kind::Read(*left));
                let read = Event::new(Kind::Read(*left), id);
                for write in right.writes.iter().filter(|event| event.lvalue().is_some()) {
                    self.relate(write, &read, false);
                }
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
                let mut events = self.unsequenced(operands).seal();
                self.call(&mut events, self.summaries.call(*callee));
                events
            }
            ExprKind::Builtin(builtin, arguments) => {
                let mut events = self.unsequenced(arguments.iter().copied()).seal();
                self.call(&mut events, Summaries::builtin(*builtin));
                events
            }
            ExprKind::VaArg(list) => {
                let mut events = self.take(*list);
                self.call(&mut events, Effects::access(self.root(*list), true));
                events
            }
            ExprKind::CompoundLiteral(_, init) => {
                let items: Vec<Id<Expr>> = init.items.iter().map(|item| item.value).collect();
                self.items(&items);
                let mut events = Events::default();
                for item in items {
                    events.append(self.take(item));
                }
                events.inside(id)
            }
        }
    }

    /// An access after the lvalue is known.
    fn access(&mut self, mut events: Events, kind: Kind) -> Events {
        let event = Event::new(kind, self.at);
        if event.lvalue().is_some_and(|lvalue| self.root(lvalue) == Root::Value) {
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
        let event = Event { late: true, ..Event::new(Kind::Write(lvalue), self.at) };
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
        let (Some(a), Some(b)) = (first.lvalue(), second.lvalue()) else {
            return self.either_order(first, second);
        };
        if !self.may_overlap(a, b) {
            return;
        }
        for (event, lvalue) in [(first, a), (second, b)] {
            if event.conditional {
                self.orders.flag(self.root, lvalue);
            }
        }
        let written = if matches!(first.kind, Kind::Write(_)) { a } else { b };
        self.orders.pair(a, b, written, at_store);
    }

    /// A call and something else: one comes before the other.
    fn either_order(&mut self, first: &Event, second: &Event) {
        let is_exposed = |v| self.facts.is_exposed(self.program, v);
        if self.effects(first).conflicts(&self.effects(second), is_exposed) {
            let region = self.regions.get(&self.at).copied().unwrap_or(self.root);
            let unit = |event: &Event| (event.node, event.origin);
            self.orders.conflict(region, Conflict { a: unit(first), b: unit(second) });
        }
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
pub(in crate::lower) fn children(kind: &ExprKind, out: &mut Vec<Id<Expr>>) {
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

/// Whether the operands are evaluated one after the other.
fn has_sequence_point(kind: &ExprKind) -> bool {
    matches!(
        kind,
        ExprKind::And(..)
            | ExprKind::Or(..)
            | ExprKind::Elvis(..)
            | ExprKind::Comma(..)
            | ExprKind::Conditional(..)
            | ExprKind::CompoundLiteral(..)
    )
}
