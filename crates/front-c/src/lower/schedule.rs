//! Operands that have effects on each other, in every order that C allows.
//!
//! The units of a region are evaluated first, each into a temporary; what the
//! region computes from them follows. There is a location for each set of units
//! that are done. Which unit comes next is a free choice; zero is left to right.

use super::body::Body;
use super::build::Way;
use super::graph::Loc;
use super::order::Plan;
use crate::typed::{Expr, Init};
use parallax_base::{Id, Span};
use parallax_cfa::{Op, Type};
use std::collections::{BTreeMap, HashMap};

/// Why the choice between orders is arbitrary.
pub const ORDER: &str = "order of evaluation";

/// Units that are evaluated, with their values; `void` has none.
pub(crate) type Ready = HashMap<Id<Expr>, Option<Way>>;

/// A region under evaluation: what was known before it.
pub(crate) struct Begun {
    region: Id<Expr>,
    ready: Ready,
}

impl Body<'_, '_> {
    /// A full expression or region begins; `None` if there is nothing to do, or
    /// it has begun already.
    pub(crate) fn begin(&mut self, id: Id<Expr>) -> Option<Begun> {
        if !self.cx.orders.is_root(id) || self.regions.contains(&id) {
            return None;
        }
        self.regions.push(id);
        let begun = Begun { region: id, ready: self.ready.clone() };
        self.clear_flags(id);
        self.note_order(id);
        if let Some(plan) = self.cx.orders.plan(id) {
            self.explore_or_assume(&plan, self.span(id));
        }
        Some(begun)
    }

    /// The region ends.
    pub(crate) fn end(&mut self, begun: Option<Begun>) {
        if let Some(begun) = begun {
            self.regions.retain(|region| *region != begun.region);
            self.ready = begun.ready;
        }
    }

    /// Evaluates the items of an initializer that have effects on each other;
    /// returns what was known before.
    pub(crate) fn begin_list(&mut self, init: &Init, span: Span) -> Ready {
        let before = self.ready.clone();
        if let Some(first) = init.items.first().map(|item| item.value) {
            self.note_order(first);
            if let Some(plan) = self.cx.orders.list(first) {
                self.explore_or_assume(&plan, span);
            }
        }
        before
    }

    /// The items are stored.
    pub(crate) fn end_list(&mut self, before: Ready) {
        self.ready = before;
    }

    fn note_order(&mut self, id: Id<Expr>) {
        if self.cx.orders.is_assumed(id) && self.graph.current.is_some() {
            self.cx.ordered.insert(self.span(id));
        }
    }

    fn explore_or_assume(&mut self, plan: &Plan, span: Span) {
        match self.cx.options.explore_orders {
            true => self.explore(plan, span),
            false => drop(self.cx.ordered.insert(span)),
        }
    }

    fn explore(&mut self, plan: &Plan, span: Span) {
        let (known, seen) = (self.ready.clone(), self.seen.clone());
        let mut slots = Vec::new();
        for unit in &plan.units {
            let ty = self.ty(unit.id);
            let is_void = matches!(self.cx.build.types.get(ty), Type::Void);
            slots.push((!is_void).then(|| self.temporary(ty)));
        }
        let mut found = vec![BTreeMap::new(); plan.units.len()];
        let mut locations = HashMap::new();
        locations.insert(0, self.graph.current);
        for done in 0..=plan.all() {
            let Some(at) = locations.get(&done).copied() else { continue };
            self.at(at);
            (self.ready, self.seen) = (known.clone(), seen.clone());
            for (bit, unit) in plan.units.iter().enumerate() {
                if done & 1 << bit != 0 {
                    self.ready.insert(unit.id, slots[bit].clone());
                    self.seen.extend(found[bit].clone());
                }
            }
            let next = plan.next(done);
            let state = (self.ready.clone(), self.seen.clone());
            for (position, bit) in next.iter().copied().enumerate().rev() {
                (self.ready, self.seen) = state.clone();
                let mut otherwise = None;
                if position > 0 {
                    let (taken, rest) = self.choice(span);
                    self.at(taken);
                    otherwise = rest;
                }
                self.evaluate(plan.units[bit].id, slots[bit].as_ref());
                for (lvalue, way) in &self.seen {
                    if !state.1.contains_key(lvalue) {
                        found[bit].insert(*lvalue, way.clone());
                    }
                }
                self.arrive(&mut locations, done | 1 << bit, span);
                self.at(otherwise);
            }
        }
        let end = locations.get(&plan.all()).copied().flatten();
        self.at(end);
        self.has_split = true;
    }

    /// Two ways of which either may be taken.
    fn choice(&mut self, span: Span) -> (Option<Loc>, Option<Loc>) {
        let int = self.cx.build.int;
        let choice = self.arbitrary(int, ORDER, span);
        let choice = self.load(&choice);
        let Some(source) = self.graph.current else { return (None, None) };
        let (yes, no) = (self.cx.build.truth(choice), self.cx.build.negate(choice));
        let (taken, rest) = (self.graph.location(), self.graph.location());
        self.graph.edge(source, taken, Op::Assume(yes), span, None);
        self.graph.edge(source, rest, Op::Assume(no), span, None);
        (Some(taken), Some(rest))
    }

    /// Goes on where this set of units is done.
    fn arrive(&mut self, locations: &mut HashMap<u32, Option<Loc>>, done: u32, span: Span) {
        if self.graph.current.is_none() {
            return;
        }
        let target = match locations.get(&done).copied().flatten() {
            Some(target) => target,
            None => {
                let target = self.graph.location();
                locations.insert(done, Some(target));
                target
            }
        };
        self.graph.go(target, span);
    }

    fn evaluate(&mut self, id: Id<Expr>, slot: Option<&Way>) {
        let span = self.span(id);
        self.copies += 1;
        match slot {
            None => self.effect(id),
            Some(slot) if self.is_scalar(slot.ty) => {
                let value = self.rvalue(id);
                self.set(slot, value, span);
            }
            Some(slot) => self.record_into(id, slot, span),
        }
        self.copies -= 1;
    }
}
