//! From operations to constraints.
//!
//! Functions are taken in when a call reaches them. Every scalar may carry a
//! pointer: integers keep what was converted or copied into them, bytes keep
//! the pointer they are a part of. Arithmetic on integers as wide as a pointer
//! gives pointers anywhere into the same objects; narrower arithmetic,
//! comparisons and floats give none.

use super::address::Address;
use super::memory::{CellKind, Object, ObjectKind};
use super::shape::{Move, Offset};
use super::solve::{Access, Rule, Solver, Target};
use super::{Options, hints};
use crate::rewrite::Uses;
use parallax_base::Id;
use parallax_cfa::{
    Argument, Base, Binary, Callee, Check, Edge, Expr, ExprKind, Function, Initial, Op, Place,
    Program, Step, Type, Unary, Variable,
};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// A call through a pointer, or the start of a thread.
#[derive(Clone, Copy, Debug)]
pub(super) struct Site {
    pub function: Id<Function>,
    pub edge: Id<Edge>,
}

/// The analysis while constraints are made.
pub(super) struct Generator<'a> {
    pub program: &'a Program,
    pub options: &'a Options,
    pub solver: Solver,
    /// The node of each expression seen; `None` if it carries no pointer.
    pub values: FxHashMap<Id<Expr>, Option<u32>>,
    pub addresses: FxHashMap<Id<Place>, Address>,
    /// Scalars that are read or written: the place and the distance from its start.
    pub accessed: BTreeMap<Id<Place>, BTreeSet<Scalar>>,
    pub reached: BTreeSet<Id<Function>>,
    hints: hints::Hints,
    pub results: FxHashMap<Id<Function>, u32>,
    sites: Vec<Site>,
    pending: Vec<Id<Function>>,
    /// The node of all arguments passed without a parameter.
    pub variadic: u32,
    /// The node of the results of all threads.
    pub threads: u32,
    pub globals_escaped: bool,
}

/// A scalar part of a place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Scalar {
    /// Bytes from the start of the place.
    pub distance: u64,
    /// Bits from there; below 8.
    pub shift: u32,
    /// How many bits it has.
    pub width: u64,
    /// What it is.
    pub kind: CellKind,
}

impl Scalar {
    pub(super) fn access(&self) -> Access {
        let Scalar { distance, shift, width, kind } = *self;
        Access { distance: distance as i64, shift, width, kind }
    }
}

impl<'a> Generator<'a> {
    pub(super) fn new(program: &'a Program, options: &'a Options) -> Generator<'a> {
        let mut solver = Solver::new();
        let (variadic, threads) = (solver.node(), solver.node());
        let mut generator = Generator {
            program,
            options,
            solver,
            values: FxHashMap::default(),
            addresses: FxHashMap::default(),
            accessed: BTreeMap::new(),
            reached: BTreeSet::new(),
            hints: hints::Hints::of(program),
            results: FxHashMap::default(),
            sites: Vec::new(),
            pending: Vec::new(),
            variadic,
            threads,
            globals_escaped: false,
        };
        generator.start();
        generator
    }

    fn start(&mut self) {
        let offset = Offset::At(0);
        let program = self.program;
        for (variable, initial) in &program.initials {
            match initial {
                Initial::Arbitrary => {
                    let object = self.variable(*variable);
                    let at = Target { object, offset };
                    self.forget(Address::Known(at), program.variables[*variable].ty);
                    // Who defines it knows where it is.
                    self.solver.add(self.solver.sink, at);
                }
                Initial::Items(items) => {
                    for item in items {
                        self.evaluate([item.value], [item.place]);
                        self.write(item.place, self.value(item.value));
                    }
                }
            }
        }
        match program.main {
            Some(main) => {
                self.reach(main);
                for parameter in &program.functions[main].parameters {
                    let object = self.variable(*parameter);
                    let ty = program.variables[*parameter].ty;
                    self.forget(Address::Known(Target { object, offset }), ty);
                }
            }
            None => program.functions.ids().for_each(|f| self.reach(f)),
        }
    }

    /// Solves, taking in the functions that turn out to be called.
    pub(super) fn run(&mut self) {
        loop {
            while let Some(function) = self.pending.pop() {
                self.function(function);
            }
            self.solver.run(self.options.limit);
            let calls = std::mem::take(&mut self.solver.calls);
            let escaped = std::mem::take(&mut self.solver.escaped);
            if calls.is_empty() && escaped.is_empty() && self.pending.is_empty() {
                return;
            }
            for function in escaped {
                self.call_back(function);
            }
            for (site, object) in calls {
                let Site { function, edge } = self.sites[site as usize];
                let op = &self.program.functions[function].edges[edge].op;
                let kind = self.solver.memory.objects[object].kind;
                match (op, kind) {
                    (Op::Call { to, arguments, .. }, ObjectKind::Function(callee)) => {
                        self.call(callee, *to, arguments);
                    }
                    (Op::Call { to, arguments, .. }, ObjectKind::Unknown) => {
                        self.call_unknown(*to, arguments);
                    }
                    (Op::Primitive { arguments, .. }, _) => self.start_thread(kind, arguments),
                    _ => {}
                }
            }
        }
    }

    pub(super) fn reach(&mut self, function: Id<Function>) {
        if self.program.functions[function].is_defined && self.reached.insert(function) {
            self.pending.push(function);
        }
    }

    pub(super) fn variable(&mut self, id: Id<Variable>) -> Id<Object> {
        let kind = ObjectKind::Variable(id);
        if let Some(known) = self.solver.memory.known.get(&kind) {
            return *known;
        }
        let variable = &self.program.variables[id];
        let types = &self.program.types;
        let declared = types.size_of(variable.ty);
        let open = declared.is_none_or(|s| variable.size > s);
        let shape = self.solver.memory.shapes.of_type(types, variable.ty, open);
        let size = declared.map(|s| s.max(variable.size)).filter(|s| *s > 0);
        self.solver.memory.object(kind, size, shape)
    }

    pub(super) fn heap(&mut self, function: Id<Function>, edge: Id<Edge>) -> Id<Object> {
        let types = &self.program.types;
        let memory = &mut self.solver.memory;
        let shape = match self.hints.of_edge(function, edge) {
            Some(ty) => memory.shapes.of_heap(types, ty),
            None => memory.shapes.bytes(None),
        };
        memory.object(ObjectKind::Heap { function, edge }, None, shape)
    }

    fn function(&mut self, id: Id<Function>) {
        let function = &self.program.functions[id];
        let uses = Uses::of_function(self.program, function);
        self.evaluate(uses.exprs.iter().copied(), uses.places.iter().copied());
        for (edge, data) in function.edges.iter_enumerated() {
            self.op(id, edge, &data.op);
        }
    }

    /// Gives nodes to expressions, which come in the order of their ids, and
    /// addresses to places.
    fn evaluate(
        &mut self,
        exprs: impl IntoIterator<Item = Id<Expr>>,
        places: impl IntoIterator<Item = Id<Place>>,
    ) {
        for id in exprs {
            if !self.values.contains_key(&id) {
                let value = self.expr(id);
                self.values.insert(id, value);
            }
        }
        for place in places {
            self.address(place);
        }
    }

    /// The node of an expression.
    pub(super) fn value(&self, id: Id<Expr>) -> Option<u32> {
        self.values.get(&id).copied().flatten()
    }

    fn expr(&mut self, id: Id<Expr>) -> Option<u32> {
        let Expr { kind, ty } = &self.program.exprs[id];
        match *kind {
            ExprKind::Int(_) | ExprKind::Float(_) => None,
            ExprKind::PointerDiff { .. } | ExprKind::ObjectSize(_) => None,
            ExprKind::Function(f) => {
                let shape = self.solver.memory.shapes.flat();
                let object = self.solver.memory.object(ObjectKind::Function(f), None, shape);
                let node = self.solver.node();
                self.solver.add(node, Target { object, offset: Offset::At(0) });
                Some(node)
            }
            ExprKind::Load(place) => self.read(place),
            ExprKind::Address(place) => self.address(place).node(&mut self.solver),
            ExprKind::Unary(Unary::Neg | Unary::BitNot, a) if self.is_wide(*ty) => {
                self.moved(self.value(a), Move::Anywhere)
            }
            ExprKind::Unary(..) => None,
            ExprKind::Binary(op, a, b) => {
                if op.is_comparison() || !self.is_wide(*ty) {
                    return None;
                }
                let by = |e: Id<Expr>| self.constant(e).and_then(|n| i64::try_from(n).ok());
                match (op, by(a), by(b)) {
                    (Binary::Add, _, Some(n)) => self.moved(self.value(a), Move::Bytes(n)),
                    (Binary::Add, Some(n), _) => self.moved(self.value(b), Move::Bytes(n)),
                    (Binary::Sub, _, Some(n)) => self.moved(self.value(a), Move::Bytes(-n)),
                    _ => {
                        let both = self.either(self.value(a), self.value(b));
                        self.moved(both, Move::Anywhere)
                    }
                }
            }
            ExprKind::Convert(a) => {
                let float = |ty| matches!(self.program.types.get(ty), Type::Float(_));
                let mixed = float(*ty) != float(self.program.exprs[a].ty);
                self.value(a).filter(|_| !mixed)
            }
            ExprKind::PointerAdd { pointer, index, scale } => {
                let step = self.constant(scale).and_then(|n| u64::try_from(n).ok());
                let step = step.unwrap_or_else(|| self.element_size(*ty));
                let index = self.constant(index).and_then(|n| i64::try_from(n).ok());
                let distance = index.and_then(|n| n.checked_mul(i64::try_from(step).ok()?));
                let by = match distance {
                    Some(d) if step == 1 => Move::Bytes(d),
                    Some(_) if self.constant(scale).is_none() => {
                        Move::Elements { size: step, distance: None }
                    }
                    _ => Move::Elements { size: step, distance },
                };
                self.moved(self.value(pointer), by)
            }
            ExprKind::Conditional(_, a, b) => self.either(self.value(a), self.value(b)),
        }
    }

    /// The size of the innermost element where a pointer steps over arrays of
    /// run-time length.
    fn element_size(&self, pointer: Id<Type>) -> u64 {
        let types = &self.program.types;
        let mut ty = types.pointee(pointer);
        while let Some(Type::Array { of, .. }) = ty.map(|t| types.get(t)) {
            ty = Some(*of);
        }
        ty.and_then(|t| types.size_of(t)).unwrap_or(1)
    }

    fn is_wide(&self, ty: Id<Type>) -> bool {
        let types = &self.program.types;
        match types.get(ty) {
            Type::Float(_) | Type::Complex(_) => false,
            _ => types.size_of(ty).is_some_and(|s| s >= types.model.word()),
        }
    }

    /// The value of an integer constant, through conversions. The address of a
    /// member of nothing is one: the distance of the member (`offsetof`).
    pub(super) fn constant(&self, id: Id<Expr>) -> Option<i128> {
        let types = &self.program.types;
        let (mut id, mut sign, mut is_cut) = (id, 1, false);
        let value = loop {
            let Expr { kind, ty } = &self.program.exprs[id];
            match kind {
                ExprKind::Int(n) => break sign * *n,
                ExprKind::Convert(a) => {
                    types.int_kind(*ty)?;
                    is_cut |= !self.is_wide(*ty);
                    id = *a;
                }
                // Modulo the width of a pointer it is the same either way.
                ExprKind::Unary(Unary::Neg, a) if self.is_wide(*ty) => {
                    sign = -sign;
                    id = *a;
                }
                ExprKind::Address(place) => break sign * self.member_distance(*place)?,
                _ => return None,
            }
        };
        // A narrower type may cut off bits of larger numbers.
        (!is_cut || (0..128).contains(&value)).then_some(value)
    }

    /// The distance of a member of what a null pointer points to.
    fn member_distance(&self, place: Id<Place>) -> Option<i128> {
        let Place { base: Base::Pointer(pointer), path, .. } = &self.program.places[place] else {
            return None;
        };
        let mut pointer = *pointer;
        while let ExprKind::Convert(inner) = self.program.exprs[pointer].kind {
            pointer = inner;
        }
        if self.program.exprs[pointer].kind != ExprKind::Int(0) {
            return None;
        }
        let mut distance = 0;
        for step in path {
            let Step::Member(record, member) = *step else { return None };
            let member = &self.program.types.records[record].members[member as usize];
            distance += i128::from(member.offset);
        }
        Some(distance)
    }

    pub(super) fn moved(&mut self, from: Option<u32>, by: Move) -> Option<u32> {
        let from = from?;
        if matches!(by, Move::Bytes(0)) {
            return Some(from);
        }
        let to = self.solver.node();
        self.solver.rule(from, Rule::Shift(by, to));
        Some(to)
    }

    fn either(&mut self, a: Option<u32>, b: Option<u32>) -> Option<u32> {
        match (a, b) {
            (Some(a), Some(b)) => {
                let both = self.solver.node();
                self.solver.copy(a, both);
                self.solver.copy(b, both);
                Some(both)
            }
            (one, other) => one.or(other),
        }
    }

    /// What the pointer leads to is called here.
    pub(super) fn site(&mut self, pointer: Id<Expr>, site: Site) {
        if let Some(node) = self.value(pointer) {
            self.solver.rule(node, Rule::Call(self.sites.len() as u32));
            self.sites.push(site);
        }
    }

    fn op(&mut self, function: Id<Function>, edge: Id<Edge>, op: &Op) {
        match op {
            Op::Assign(to, value) => self.write(*to, self.value(*value)),
            Op::Copy { to, from } => {
                let ty = self.program.places[*to].ty;
                self.copy_record(*to, *from, ty);
            }
            Op::Input { to, .. } | Op::Havoc { to, .. } => {
                let ty = self.program.places[*to].ty;
                self.mark(*to);
                let address = self.address(*to);
                self.forget(address, ty);
            }
            Op::Call { to, callee, arguments } => match *callee {
                Callee::Direct(callee) => self.call(callee, *to, arguments),
                Callee::Indirect(e) => {
                    self.site(e, Site { function, edge });
                    to.iter().for_each(|to| self.mark(*to));
                }
            },
            Op::Primitive { to, primitive, arguments } => {
                self.primitive(function, edge, *to, *primitive, arguments);
            }
            Op::Return(Some(Argument::Scalar(e))) => {
                if let Some(value) = self.value(*e) {
                    let result = self.result(function);
                    self.solver.copy(value, result);
                }
            }
            Op::Return(Some(Argument::Aggregate(place))) => {
                let object = self.result_object(function, self.program.places[*place].ty);
                let to = Address::Known(Target { object, offset: Offset::At(0) });
                let from = self.address(*place);
                self.mark(*place);
                self.copy_scalars(to, from, self.program.places[*place].ty);
            }
            // Whether something was written is known of what is read.
            Op::Check(Check::Initialized(place) | Check::Lock(place, _)) => {
                self.read(*place);
            }
            _ => {}
        }
    }
}
