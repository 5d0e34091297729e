//! Order of evaluation: what the standard leaves open.
//!
//! Most operands have no order. If one of them writes an object and another
//! accesses it, the behavior is undefined (C11 6.5p2). Each full expression is
//! looked through once, before lowering, for such pairs. Many are excluded by
//! their shape: different variables, variables no pointer leads to. The others
//! are *watched*: lowering keeps where they are, and demands that they are
//! apart (module `sequence`).
//!
//! A call comes before or after everything it has no order with. Where that
//! may matter, as far as sets of variables tell (module `effects`), all orders
//! are explored (modules `plan` and `schedule`).
//!
//! Deviation: objects of one structure type lie in the same place or apart, so
//! different members of it are never the same. A program that lays one over
//! the half of another breaks other rules before.

mod effects;
mod events;
mod plan;

use super::facts::{Facts, element_base};
use crate::libc::Meanings;
use crate::typed::{Expr, ExprKind, Init, Program, StmtKind, Storage, Variable};
use effects::Summaries;
use events::Collector;
pub(super) use events::children;
use parallax_base::Id;
use plan::Conflict;
pub(crate) use plan::Plan;
use std::collections::{BTreeMap, HashMap};

/// Where an lvalue starts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Root {
    /// In a variable.
    Variable(Id<Variable>),
    /// Behind a pointer.
    Memory,
    /// In a value that has no place of its own.
    Value,
}

/// Another access to be compared with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Partner {
    /// Its lvalue.
    pub(super) lvalue: Id<Expr>,
    /// The lvalue of the two that is written.
    pub(super) written: Id<Expr>,
}

/// What has no order in a program.
#[derive(Default)]
pub(crate) struct Orders {
    /// Accesses to compare with as soon as both are known.
    pairs: HashMap<Id<Expr>, Vec<Partner>>,
    /// Accesses to compare with when the lvalue is stored to.
    stores: HashMap<Id<Expr>, Vec<Partner>>,
    /// Accesses that happen on some ways only, by full expression.
    flags: HashMap<Id<Expr>, Vec<Id<Expr>>>,
    /// Regions with their units.
    plans: HashMap<Id<Expr>, Plan>,
    /// Initializers with their items, by the first of them.
    lists: HashMap<Id<Expr>, Plan>,
    watched: Vec<bool>,
    /// Full expressions and regions at whose start something happens.
    roots: Vec<bool>,
    /// Regions and initializers, by their first item, of which left to right is
    /// assumed.
    assumed: Vec<bool>,
    conflicts: BTreeMap<Id<Expr>, Vec<Conflict>>,
    item_conflicts: BTreeMap<Id<Expr>, Vec<Conflict>>,
}

impl Orders {
    /// Looks through all full expressions of a program.
    pub(super) fn of(program: &Program, facts: &Facts, meanings: &Meanings) -> Orders {
        let summaries = Summaries::of(program, meanings);
        let mut orders = Orders {
            watched: vec![false; program.exprs.len()],
            roots: vec![false; program.exprs.len()],
            assumed: vec![false; program.exprs.len()],
            ..Orders::default()
        };
        let mut full = Vec::new();
        for stmt in &program.stmts {
            full_expressions(&stmt.kind, &mut full);
            let is_list = matches!(stmt.kind, StmtKind::Declare(..));
            let groups = full.chunks(if is_list { full.len().max(1) } else { 1 });
            for group in groups.filter(|group| group.iter().any(|root| facts.has_effect(*root))) {
                Collector::new(program, facts, &summaries, &mut orders, group[0]).run(group);
            }
            full.clear();
        }
        orders.decide(program);
        orders
    }

    /// Which regions are explored.
    fn decide(&mut self, program: &Program) {
        for (region, conflicts) in std::mem::take(&mut self.conflicts) {
            self.roots[region.index()] = true;
            match Plan::of(program, &conflicts) {
                Some(plan) => drop(self.plans.insert(region, plan)),
                None => self.assumed[region.index()] = true,
            }
        }
        for (first, conflicts) in std::mem::take(&mut self.item_conflicts) {
            match Plan::of(program, &conflicts) {
                Some(plan) => drop(self.lists.insert(first, plan)),
                None => self.assumed[first.index()] = true,
            }
        }
    }

    /// The units of a region.
    pub(super) fn plan(&self, region: Id<Expr>) -> Option<Plan> {
        self.plans.get(&region).cloned()
    }

    /// The items of an initializer that have effects on each other.
    pub(super) fn list(&self, first: Id<Expr>) -> Option<Plan> {
        self.lists.get(&first).cloned()
    }

    /// Whether a region or an initializer is evaluated from left to right
    /// although another order may matter.
    pub(super) fn is_assumed(&self, id: Id<Expr>) -> bool {
        self.assumed[id.index()]
    }

    /// Whether something happens at the start of this full expression.
    pub(super) fn is_root(&self, id: Id<Expr>) -> bool {
        self.roots[id.index()]
    }

    /// Whether the way to this lvalue is kept.
    pub(super) fn is_watched(&self, lvalue: Id<Expr>) -> bool {
        self.watched[lvalue.index()]
    }

    /// The accesses of a full expression that happen on some ways only.
    pub(super) fn flags(&self, root: Id<Expr>) -> Vec<Id<Expr>> {
        self.flags.get(&root).cloned().unwrap_or_default()
    }

    /// What an access is to be compared with.
    pub(super) fn partners(&self, lvalue: Id<Expr>) -> Vec<Partner> {
        self.pairs.get(&lvalue).cloned().unwrap_or_default()
    }

    /// What a store is to be compared with.
    pub(super) fn before_store(&self, lvalue: Id<Expr>) -> Vec<Partner> {
        self.stores.get(&lvalue).cloned().unwrap_or_default()
    }

    fn conflict(&mut self, region: Id<Expr>, conflict: Conflict) {
        let conflicts = self.conflicts.entry(region).or_default();
        if !conflicts.contains(&conflict) {
            conflicts.push(conflict);
        }
    }

    fn items(&mut self, first: Id<Expr>, a: Id<Expr>, b: Id<Expr>) {
        let conflict = Conflict { a: (a, a), b: (b, b) };
        let conflicts = self.item_conflicts.entry(first).or_default();
        if !conflicts.contains(&conflict) {
            conflicts.push(conflict);
        }
    }

    fn flag(&mut self, root: Id<Expr>, lvalue: Id<Expr>) {
        let flags = self.flags.entry(root).or_default();
        if !flags.contains(&lvalue) {
            flags.push(lvalue);
            self.roots[root.index()] = true;
        }
    }

    fn pair(&mut self, a: Id<Expr>, b: Id<Expr>, written: Id<Expr>, at_store: bool) {
        self.watched[a.index()] = true;
        self.watched[b.index()] = true;
        let mut add = |map: fn(&mut Orders) -> &mut HashMap<_, Vec<Partner>>, from, lvalue| {
            let partners = map(self).entry(from).or_default();
            if !partners.iter().any(|p| p.lvalue == lvalue) {
                partners.push(Partner { lvalue, written });
            }
        };
        if at_store {
            add(|orders| &mut orders.stores, a, b);
        } else {
            add(|orders| &mut orders.pairs, a, b);
            add(|orders| &mut orders.pairs, b, a);
        }
    }
}

/// Where an lvalue starts.
pub(super) fn root(program: &Program, mut id: Id<Expr>) -> Root {
    loop {
        match &program.exprs[id].kind {
            ExprKind::Variable(v) | ExprKind::CompoundLiteral(v, _) => return Root::Variable(*v),
            ExprKind::Member { record, .. } => id = *record,
            ExprKind::Deref(pointer) => match element_base(program, *pointer) {
                Some(array) => id = array,
                None => return Root::Memory,
            },
            ExprKind::Load(a) | ExprKind::Convert(a) => id = *a,
            _ => return Root::Value,
        }
    }
}

/// The full expressions of a statement, not those of statements inside it.
pub(super) fn full_expressions(kind: &StmtKind, out: &mut Vec<Id<Expr>>) {
    let items = |init: &Init, out: &mut Vec<Id<Expr>>| {
        out.extend(init.items.iter().map(|item| item.value));
    };
    match kind {
        StmtKind::Expr(e)
        | StmtKind::Length(_, e)
        | StmtKind::If(e, ..)
        | StmtKind::While(e, _)
        | StmtKind::DoWhile(_, e)
        | StmtKind::Switch(e, _)
        | StmtKind::GotoComputed(e)
        | StmtKind::Return(Some(e)) => out.push(*e),
        StmtKind::For { condition, step, .. } => out.extend(condition.iter().chain(step)),
        StmtKind::Declare(_, Some(init)) => items(init, out),
        StmtKind::Asm { outputs, inputs, .. } => out.extend(outputs.iter().chain(inputs)),
        StmtKind::Empty
        | StmtKind::Declare(_, None)
        | StmtKind::Block(_)
        | StmtKind::Group(_)
        | StmtKind::Case(..)
        | StmtKind::Default(_)
        | StmtKind::Label(..)
        | StmtKind::Goto(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(None)
        | StmtKind::Unsupported(_) => {}
    }
}

impl Facts {
    /// Whether a pointer may lead to a variable.
    pub(super) fn is_exposed(&self, program: &Program, variable: Id<Variable>) -> bool {
        self.escapes(variable) || program.variables[variable].storage == Storage::External
    }
}
