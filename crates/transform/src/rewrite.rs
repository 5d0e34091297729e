//! Making expressions and places of a new program out of those of an old one.
//!
//! An [`Arena`] hands out one id for equal expressions and equal places. A
//! [`Mapping`] carries expressions over with variables renamed and loads
//! replaced; it visits them in the order of their ids, children first, so the
//! depth of an expression does not matter.
//!
//! Invariant relied on: what an expression or a place contains is older than
//! it. A place has no age compared with expressions, but whatever stands in its
//! path is older than any expression that loads from it.

use parallax_base::{Id, IdVec};
use parallax_cfa::{
    Argument, Base, Callee, Check, Expr, ExprKind, Function, Op, Place, Program, Step, Type,
    Variable,
};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;

/// Expressions and places without duplicates.
#[derive(Clone, Debug, Default)]
pub struct Arena {
    /// The expressions.
    pub exprs: IdVec<Expr>,
    /// The places.
    pub places: IdVec<Place>,
    known_exprs: FxHashMap<Expr, Id<Expr>>,
    known_places: FxHashMap<Place, Id<Place>>,
}

impl Arena {
    /// Holds what a program holds, under the same ids. Duplicates of the
    /// program stay; new expressions get the id of the oldest equal one.
    pub fn of(program: &Program) -> Arena {
        let mut arena = Arena {
            exprs: program.exprs.clone(),
            places: program.places.clone(),
            ..Arena::default()
        };
        for (id, expr) in program.exprs.iter_enumerated() {
            arena.known_exprs.entry(expr.clone()).or_insert(id);
        }
        for (id, place) in program.places.iter_enumerated() {
            arena.known_places.entry(place.clone()).or_insert(id);
        }
        arena
    }

    /// The id of an expression.
    pub fn expr(&mut self, kind: ExprKind, ty: Id<Type>) -> Id<Expr> {
        let expr = Expr { kind, ty };
        if let Some(id) = self.known_exprs.get(&expr) {
            return *id;
        }
        let id = self.exprs.push(expr.clone());
        self.known_exprs.insert(expr, id);
        id
    }

    /// The id of a place.
    pub fn place(&mut self, place: Place) -> Id<Place> {
        if let Some(id) = self.known_places.get(&place) {
            return *id;
        }
        let id = self.places.push(place.clone());
        self.known_places.insert(place, id);
        id
    }

    /// The place that is all of a variable of this type.
    pub fn whole(&mut self, variable: Id<Variable>, ty: Id<Type>) -> Id<Place> {
        let base = Base::Variable(variable);
        self.place(Place { base, path: Vec::new(), ty, bits: None, volatile: false })
    }

    /// An integer of this type.
    pub fn int(&mut self, value: i128, ty: Id<Type>) -> Id<Expr> {
        self.expr(ExprKind::Int(value), ty)
    }
}

/// The expressions and places that a list of operations needs, children
/// included, each in the order of its ids.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    /// The expressions.
    pub exprs: BTreeSet<Id<Expr>>,
    /// The places.
    pub places: BTreeSet<Id<Place>>,
}

impl Uses {
    /// What all operations of a function need.
    pub fn of_function(program: &Program, function: &Function) -> Uses {
        Uses::of_ops(program, function.edges.iter().map(|e| &e.op))
    }

    /// What these operations need.
    pub fn of_ops<'a>(program: &Program, ops: impl Iterator<Item = &'a Op>) -> Uses {
        let mut uses = Uses::default();
        let mut work = Vec::new();
        for op in ops {
            visit_op(op, &mut |node| work.push(node));
            uses.close(program, &mut work);
        }
        uses
    }

    /// What these expressions and places need, themselves included.
    pub fn of_nodes(program: &Program, nodes: impl IntoIterator<Item = Node>) -> Uses {
        let mut uses = Uses::default();
        uses.close(program, &mut nodes.into_iter().collect());
        uses
    }

    fn close(&mut self, program: &Program, work: &mut Vec<Node>) {
        while let Some(node) = work.pop() {
            match node {
                Node::Expr(e) if self.exprs.insert(e) => {
                    visit_expr(&program.exprs[e].kind, &mut |node| work.push(node));
                }
                Node::Place(p) if self.places.insert(p) => {
                    visit_place(&program.places[p], &mut |node| work.push(node));
                }
                Node::Expr(_) | Node::Place(_) => {}
            }
        }
    }

    /// The variables that are bases of the places.
    pub fn variables<'a>(
        &'a self,
        program: &'a Program,
    ) -> impl Iterator<Item = Id<Variable>> + 'a {
        self.places.iter().filter_map(|p| match program.places[*p].base {
            Base::Variable(v) => Some(v),
            Base::Pointer(_) => None,
        })
    }
}

/// An expression or a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Node {
    /// An expression.
    Expr(Id<Expr>),
    /// A place.
    Place(Id<Place>),
}

/// Shows the direct children of an expression.
pub fn visit_expr(kind: &ExprKind, see: &mut impl FnMut(Node)) {
    match *kind {
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
        ExprKind::Load(p) | ExprKind::Address(p) => see(Node::Place(p)),
        ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectSize(a) => {
            see(Node::Expr(a));
        }
        ExprKind::Binary(_, a, b) => [a, b].map(Node::Expr).into_iter().for_each(see),
        ExprKind::PointerAdd { pointer: a, index: b, scale: c }
        | ExprKind::PointerDiff { left: a, right: b, scale: c }
        | ExprKind::Conditional(a, b, c) => [a, b, c].map(Node::Expr).into_iter().for_each(see),
    }
}

/// Shows the expressions that a place contains.
pub fn visit_place(place: &Place, see: &mut impl FnMut(Node)) {
    if let Base::Pointer(e) = place.base {
        see(Node::Expr(e));
    }
    for step in &place.path {
        if let Step::Index(e) = step {
            see(Node::Expr(*e));
        }
    }
}

/// Shows the expressions and places that an operation names.
pub fn visit_op(op: &Op, see: &mut impl FnMut(Node)) {
    let argument = |argument: &Argument| match *argument {
        Argument::Scalar(e) => Node::Expr(e),
        Argument::Aggregate(p) => Node::Place(p),
    };
    match op {
        Op::Skip | Op::Dead(_) | Op::Error(_) | Op::Halt(_) | Op::Unsupported(_) => {}
        Op::Assume(e) => see(Node::Expr(*e)),
        Op::Assign(p, e) => {
            see(Node::Place(*p));
            see(Node::Expr(*e));
        }
        Op::Copy { to, from } => {
            see(Node::Place(*to));
            see(Node::Place(*from));
        }
        Op::Input { to, .. } | Op::Havoc { to, .. } => see(Node::Place(*to)),
        Op::Check(check) => visit_check(check, see),
        Op::Call { to, callee, arguments } => {
            to.iter().for_each(|p| see(Node::Place(*p)));
            if let Callee::Indirect(e) = callee {
                see(Node::Expr(*e));
            }
            arguments.iter().for_each(|a| see(argument(a)));
        }
        Op::Primitive { to, arguments, .. } => {
            to.iter().for_each(|p| see(Node::Place(*p)));
            arguments.iter().for_each(|e| see(Node::Expr(*e)));
        }
        Op::Return(value) => value.iter().for_each(|a| see(argument(a))),
        Op::Live(_, size) => size.iter().for_each(|e| see(Node::Expr(*e))),
    }
}

fn visit_check(check: &Check, see: &mut impl FnMut(Node)) {
    match *check {
        Check::Overflow(e)
        | Check::Division(e)
        | Check::Shift(e)
        | Check::FloatConversion(e)
        | Check::Free(e)
        | Check::Callable(e) => see(Node::Expr(e)),
        Check::Sequenced { place, apart } | Check::Index { array: place, within: apart } => {
            see(Node::Place(place));
            see(Node::Expr(apart));
        }
        Check::Unreachable => {}
        Check::Access { place, .. }
        | Check::Initialized(place)
        | Check::Alone { place, .. }
        | Check::Lock(place, _) => see(Node::Place(place)),
        Check::AccessBytes { pointer, size, .. } | Check::AloneBytes { pointer, size, .. } => {
            see(Node::Expr(pointer));
            see(Node::Expr(size));
        }
    }
}

/// Carries expressions, places and operations of an old program into an arena.
///
/// The owner fills it with [`Mapping::exprs`] for everything an operation uses
/// before it maps the operation.
#[derive(Clone, Debug, Default)]
pub struct Mapping {
    variables: FxHashMap<Id<Variable>, Id<Variable>>,
    exprs: FxHashMap<Id<Expr>, Id<Expr>>,
    places: FxHashMap<Id<Place>, Place>,
}

impl Mapping {
    /// Variables in the table change their names, others keep them.
    pub fn new(variables: FxHashMap<Id<Variable>, Id<Variable>>) -> Mapping {
        Mapping { variables, ..Mapping::default() }
    }

    /// The new name of a variable.
    pub fn variable(&self, v: Id<Variable>) -> Id<Variable> {
        self.variables.get(&v).copied().unwrap_or(v)
    }

    /// Forgets the expressions, keeps the variables.
    pub fn forget(&mut self) {
        self.exprs.clear();
    }

    /// Says what an expression becomes.
    pub fn set(&mut self, old: Id<Expr>, new: Id<Expr>) {
        self.exprs.insert(old, new);
    }

    /// Says that a place is the same as another one of the old program, whose
    /// parts are mapped in its stead.
    pub fn set_place(&mut self, old: Id<Place>, same: Place) {
        self.places.insert(old, same);
    }

    /// What an expression became. Ids that were not mapped stay.
    pub fn expr(&self, old: Id<Expr>) -> Id<Expr> {
        self.exprs.get(&old).copied().unwrap_or(old)
    }

    /// Maps these expressions, given in the order of their ids.
    pub fn exprs<'a>(
        &mut self,
        old: &Program,
        new: &mut Arena,
        exprs: impl IntoIterator<Item = &'a Id<Expr>>,
    ) {
        for id in exprs {
            let Expr { kind, ty } = &old.exprs[*id];
            let kind = self.kind(old, new, kind);
            let mapped = new.expr(kind, *ty);
            self.exprs.insert(*id, mapped);
        }
    }

    /// An expression with its children mapped.
    pub fn kind(&self, old: &Program, new: &mut Arena, kind: &ExprKind) -> ExprKind {
        match *kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => kind.clone(),
            ExprKind::Load(p) => ExprKind::Load(self.place(old, new, p)),
            ExprKind::Address(p) => ExprKind::Address(self.place(old, new, p)),
            ExprKind::Unary(op, a) => ExprKind::Unary(op, self.expr(a)),
            ExprKind::Binary(op, a, b) => ExprKind::Binary(op, self.expr(a), self.expr(b)),
            ExprKind::Convert(a) => ExprKind::Convert(self.expr(a)),
            ExprKind::PointerAdd { pointer, index, scale } => ExprKind::PointerAdd {
                pointer: self.expr(pointer),
                index: self.expr(index),
                scale: self.expr(scale),
            },
            ExprKind::PointerDiff { left, right, scale } => ExprKind::PointerDiff {
                left: self.expr(left),
                right: self.expr(right),
                scale: self.expr(scale),
            },
            ExprKind::Conditional(a, b, c) => {
                ExprKind::Conditional(self.expr(a), self.expr(b), self.expr(c))
            }
            ExprKind::ObjectSize(a) => ExprKind::ObjectSize(self.expr(a)),
        }
    }

    /// A place with its parts mapped.
    pub fn place(&self, old: &Program, new: &mut Arena, id: Id<Place>) -> Id<Place> {
        let mut place = self.places.get(&id).unwrap_or(&old.places[id]).clone();
        place.base = match place.base {
            Base::Variable(v) => Base::Variable(self.variable(v)),
            Base::Pointer(e) => Base::Pointer(self.expr(e)),
        };
        for step in &mut place.path {
            if let Step::Index(e) = step {
                *e = self.expr(*e);
            }
        }
        new.place(place)
    }

    /// An argument with its parts mapped.
    pub fn argument(&self, old: &Program, new: &mut Arena, argument: Argument) -> Argument {
        match argument {
            Argument::Scalar(e) => Argument::Scalar(self.expr(e)),
            Argument::Aggregate(p) => Argument::Aggregate(self.place(old, new, p)),
        }
    }

    /// An operation with its parts mapped.
    pub fn op(&self, old: &Program, new: &mut Arena, op: &Op) -> Op {
        let mut place = |p: Id<Place>| self.place(old, new, p);
        match op {
            Op::Skip | Op::Error(_) | Op::Halt(_) | Op::Unsupported(_) => op.clone(),
            Op::Assume(e) => Op::Assume(self.expr(*e)),
            Op::Assign(p, e) => Op::Assign(place(*p), self.expr(*e)),
            Op::Copy { to, from } => Op::Copy { to: place(*to), from: place(*from) },
            Op::Input { to, name } => Op::Input { to: place(*to), name: name.clone() },
            Op::Havoc { to, why } => Op::Havoc { to: place(*to), why: why.clone() },
            Op::Check(check) => Op::Check(match *check {
                Check::Overflow(e) => Check::Overflow(self.expr(e)),
                Check::Division(e) => Check::Division(self.expr(e)),
                Check::Shift(e) => Check::Shift(self.expr(e)),
                Check::FloatConversion(e) => Check::FloatConversion(self.expr(e)),
                Check::Free(e) => Check::Free(self.expr(e)),
                Check::Callable(e) => Check::Callable(self.expr(e)),
                Check::Access { place: p, write } => Check::Access { place: place(p), write },
                Check::Sequenced { place: p, apart } => {
                    Check::Sequenced { place: place(p), apart: self.expr(apart) }
                }
                Check::Index { array, within } => {
                    Check::Index { array: place(array), within: self.expr(within) }
                }
                Check::Unreachable => Check::Unreachable,
                Check::Initialized(p) => Check::Initialized(place(p)),
                Check::Alone { place: p, write, atomic } => {
                    Check::Alone { place: place(p), write, atomic }
                }
                Check::AloneBytes { pointer, size, write } => {
                    Check::AloneBytes { pointer: self.expr(pointer), size: self.expr(size), write }
                }
                Check::Lock(cell, rule) => Check::Lock(place(cell), rule),
                Check::AccessBytes { pointer, size, write } => {
                    Check::AccessBytes { pointer: self.expr(pointer), size: self.expr(size), write }
                }
            }),
            Op::Call { to, callee, arguments } => Op::Call {
                to: to.map(&mut place),
                callee: match *callee {
                    Callee::Direct(f) => Callee::Direct(f),
                    Callee::Indirect(e) => Callee::Indirect(self.expr(e)),
                },
                arguments: arguments.iter().map(|a| self.argument(old, new, *a)).collect(),
            },
            Op::Primitive { to, primitive, arguments } => Op::Primitive {
                to: to.map(&mut place),
                primitive: *primitive,
                arguments: arguments.iter().map(|e| self.expr(*e)).collect(),
            },
            Op::Return(value) => Op::Return(value.map(|a| self.argument(old, new, a))),
            Op::Live(v, size) => Op::Live(self.variable(*v), size.map(|e| self.expr(e))),
            Op::Dead(v) => Op::Dead(self.variable(*v)),
        }
    }
}
