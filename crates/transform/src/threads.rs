//! A function for each thread.
//!
//! `main` is inlined, and for each place where it may start a thread a copy of
//! the function that the thread starts in, with all its calls inlined; then the
//! same for the places where that one starts threads. In the result each
//! function is run by one thread at most: its locals, and its copies of the
//! variables that each thread has, are as good as static. A place on a cycle
//! starts its threads one after the other, counted by a variable; there is room
//! for [`IN_LOOPS`] of them, and for [`THREADS`] in all. One more is
//! unsupported where it would be started.
//!
//! Locks become what they mean: a condition and a store in an atomic section. A
//! copy of memory, one step in C's abstract machine here, is put in an atomic
//! section too, so that it may be taken apart later.
//!
//! Invariant: only the edge of a step that other threads can see has the role
//! [`Role::Same`] among those made from one edge.

use crate::inline::{Failure, Inlined, Inliner, Limits};
use crate::origin::{EdgeOrigin, FunctionOrigin, Role, VariableOrigin};
use crate::points_to::{Options, PointsTo, Undefined};
use parallax_base::Id;
use parallax_cfa::{
    Base, Binary, Edge, Expr, ExprKind, Function, Graph, Initial, InitialItem, IntKind, Location,
    Op, Place, Primitive, Program, Storage, Type, Unary, Variable,
};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How many threads one place in a loop may start.
pub const IN_LOOPS: usize = 8;

/// How many threads there may be beside `main`.
pub const THREADS: usize = 32;

/// Inlines a program with threads.
pub(crate) fn inline(
    program: &Program,
    limits: &Limits,
    main: Id<Function>,
) -> Result<Inlined, Failure> {
    let mut inliner = Inliner::new(program, limits, main);
    let int = inliner.types.int(IntKind::Int);
    let mut work = Threads { inliner, int, bodies: Vec::new(), made: Vec::new() };
    let own = work.own_variables(main);
    let (body, way) = work.inliner.root(main, main, &own)?;
    work.bodies.push((body, way));
    let mut done = 0;
    while done < work.bodies.len() {
        let points_to = PointsTo::analyze(&work.so_far(), &choice());
        let last = work.bodies.len();
        for at in done..last {
            work.starts(at, &points_to)?;
        }
        done = last;
    }
    for at in 0..work.bodies.len() {
        work.spell_out(at);
    }
    let Threads { inliner, bodies, made, .. } = work;
    let mut inlined = inliner.finish(bodies);
    inlined.program.initials.extend(made);
    for id in program.variables.ids() {
        let variable = &mut inlined.program.variables[id];
        if variable.storage == Storage::Thread {
            variable.storage = Storage::Static;
        }
    }
    Ok(inlined)
}

/// Unknown code, in a program whose calls are resolved.
fn choice() -> Options {
    Options { undefined: Undefined::Arguments, callbacks: false, ..Options::default() }
}

struct Threads<'a> {
    inliner: Inliner<'a>,
    int: Id<Type>,
    /// What was made: `main`, then one for each thread.
    bodies: Vec<(Function, FunctionOrigin)>,
    /// Initial values of new variables.
    made: Vec<(Id<Variable>, Initial)>,
}

/// An edge that stands for several now.
struct Taken {
    body: usize,
    edge: Edge,
    origin: EdgeOrigin,
}

impl Threads<'_> {
    /// Copies of the variables that each thread has, for a new thread. Those of
    /// `main` keep their names.
    fn own_variables(&mut self, owner: Id<Function>) -> FxHashMap<Id<Variable>, Id<Variable>> {
        let old = self.inliner.old;
        let mut own = FxHashMap::default();
        if Some(owner) == old.main {
            return own;
        }
        for (id, variable) in old.variables.iter_enumerated() {
            if variable.storage == Storage::Thread {
                let copy = Variable { storage: Storage::Static, ..variable.clone() };
                own.insert(id, self.variable(copy, Some(id)));
            }
        }
        for (id, initial) in &old.initials {
            let Some(copy) = own.get(id) else { continue };
            let initial = match initial {
                Initial::Arbitrary => Initial::Arbitrary,
                Initial::Items(items) => Initial::Items(
                    items
                        .iter()
                        .map(|item| {
                            let mut place = old.places[item.place].clone();
                            place.base = Base::Variable(*copy);
                            InitialItem { place: self.inliner.arena.place(place), ..item.clone() }
                        })
                        .collect(),
                ),
            };
            self.made.push((*copy, initial));
        }
        own
    }

    fn variable(&mut self, variable: Variable, of: Option<Id<Variable>>) -> Id<Variable> {
        self.inliner.origin.variables.push(VariableOrigin { variable: of, stack: None });
        self.inliner.variables.push(variable)
    }

    /// The program as far as it is made; the old functions have their bodies.
    fn so_far(&self) -> Program {
        let (inliner, old) = (&self.inliner, self.inliner.old);
        let mut functions = old.functions.clone();
        for (number, (body, _)) in self.bodies.iter().enumerate() {
            match (number, old.main) {
                (0, Some(main)) => functions[main] = body.clone(),
                _ => drop(functions.push(body.clone())),
            }
        }
        Program {
            types: inliner.types.clone(),
            exprs: inliner.arena.exprs.clone(),
            places: inliner.arena.places.clone(),
            variables: inliner.variables.clone(),
            initials: old.initials.clone(),
            functions,
            main: old.main,
        }
    }

    /// The threads that a body starts.
    fn starts(&mut self, body: usize, points_to: &PointsTo) -> Result<(), Failure> {
        let function = &self.bodies[body].0;
        let component = Graph::new(function).components(function);
        for id in function.edges.ids().collect::<Vec<_>>() {
            let edge = self.bodies[body].0.edges[id].clone();
            let Op::Primitive { primitive: Primitive::Spawn, arguments, .. } = &edge.op else {
                continue;
            };
            let [start, ..] = arguments[..] else { continue };
            let known = self.constant(start);
            let candidates = match known {
                Some(function) => vec![function],
                None => points_to.callees(start).0,
            };
            let old = self.inliner.old;
            let fits = |f: &Id<Function>| {
                old.functions.get(*f).is_some_and(|f| f.is_defined && f.parameters.len() <= 1)
            };
            let candidates: Vec<_> = candidates.into_iter().filter(fits).collect();
            let (from, to) = (component[edge.source.index()], component[edge.target.index()]);
            let is_repeated = from.is_some() && from == to;
            let mut taken = self.take(body, id);
            let mut at = taken.edge.source;
            for candidate in &candidates {
                let mut here = at;
                if known.is_none() {
                    (here, at) = self.is_function(&mut taken, at, start, *candidate);
                }
                self.start(&mut taken, here, *candidate, is_repeated)?;
            }
            if known.is_none() || candidates.is_empty() {
                let why = "a thread that starts in a function that is not known";
                self.add(&taken, at, taken.edge.target, Op::Unsupported(why.into()));
            }
        }
        Ok(())
    }

    /// The function that an expression is the address of.
    fn constant(&self, mut e: Id<Expr>) -> Option<Id<Function>> {
        loop {
            match self.inliner.arena.exprs[e].kind {
                ExprKind::Convert(inner) => e = inner,
                ExprKind::Function(function) => return Some(function),
                _ => return None,
            }
        }
    }

    /// A branch: whether a pointer is the address of a function.
    fn is_function(
        &mut self,
        taken: &mut Taken,
        at: Id<Location>,
        pointer: Id<Expr>,
        function: Id<Function>,
    ) -> (Id<Location>, Id<Location>) {
        let ty = self.inliner.arena.exprs[pointer].ty;
        let address = self.inliner.arena.expr(ExprKind::Function(function), ty);
        self.branch(taken, at, pointer, address)
    }

    fn branch(
        &mut self,
        taken: &mut Taken,
        at: Id<Location>,
        left: Id<Expr>,
        right: Id<Expr>,
    ) -> (Id<Location>, Id<Location>) {
        let arena = &mut self.inliner.arena;
        let same = arena.expr(ExprKind::Binary(Binary::Eq, left, right), self.int);
        let other = arena.expr(ExprKind::Unary(Unary::Not, same), self.int);
        let (yes, no) = (self.location(taken), self.location(taken));
        self.add(taken, at, yes, Op::Assume(same));
        self.add(taken, at, no, Op::Assume(other));
        (yes, no)
    }

    /// Threads that start in one function: a single one, or one after the other.
    fn start(
        &mut self,
        taken: &mut Taken,
        mut at: Id<Location>,
        function: Id<Function>,
        is_repeated: bool,
    ) -> Result<(), Failure> {
        let Op::Primitive { to, arguments, .. } = taken.edge.op.clone() else { return Ok(()) };
        let room = (THREADS + 1).saturating_sub(self.bodies.len());
        let count = if is_repeated { IN_LOOPS } else { 1 }.min(room);
        let counter = (is_repeated && count > 0).then(|| {
            let name: Arc<str> = "$started".into();
            let like = &self.inliner.old.functions[function];
            let variable = Variable {
                name,
                ty: self.int,
                storage: Storage::Static,
                owner: None,
                address_taken: false,
                read_only: false,
                size: 4,
                align: 4,
                span: like.span,
            };
            let variable = self.variable(variable, None);
            self.inliner.arena.whole(variable, self.int)
        });
        for number in 0..count {
            let mut here = at;
            if let Some(counter) = counter {
                let value = self.inliner.arena.expr(ExprKind::Load(counter), self.int);
                let is = self.inliner.arena.int(number as i128, self.int);
                (here, at) = self.branch(taken, at, value, is);
                let next = self.inliner.arena.int(number as i128 + 1, self.int);
                let behind = self.location(taken);
                self.add(taken, here, behind, Op::Assign(counter, next));
                here = behind;
            }
            let made = self.instance(function)?;
            let ty = self.inliner.arena.exprs[arguments[0]].ty;
            let address = self.inliner.arena.expr(ExprKind::Function(made), ty);
            let mut arguments = arguments.clone();
            arguments[0] = address;
            let op = Op::Primitive { to, primitive: Primitive::Spawn, arguments };
            self.add_as(taken, here, taken.edge.target, op, Role::Same);
        }
        if counter.is_some() || count == 0 {
            let why = match room > count {
                true => format!("more than {count} threads started at one place"),
                false => format!("more than {THREADS} threads"),
            };
            self.add(taken, at, taken.edge.target, Op::Unsupported(why.into()));
        }
        Ok(())
    }

    /// A new function for a thread that starts in a function.
    fn instance(&mut self, start: Id<Function>) -> Result<Id<Function>, Failure> {
        let number = self.bodies.len();
        let made = Id::new(self.inliner.old.functions.len() + number - 1);
        let own = self.own_variables(made);
        let (mut body, way) = self.inliner.root(start, made, &own)?;
        body.name = format!("{}#{number}", body.name).into();
        self.bodies.push((body, way));
        Ok(made)
    }

    /// Makes room for several edges in the place of one.
    fn take(&mut self, body: usize, id: Id<Edge>) -> Taken {
        let (function, way) = &mut self.bodies[body];
        let edge = function.edges[id].clone();
        let origin = EdgeOrigin { role: Role::Dispatch, ..way.edges[id.index()] };
        let mut taken = Taken { body, edge, origin };
        let at = self.location(&taken);
        let (function, way) = &mut self.bodies[body];
        function.edges[id].op = Op::Skip;
        function.edges[id].target = at;
        way.edges[id.index()] = origin;
        taken.edge.source = at;
        taken
    }

    fn location(&mut self, taken: &Taken) -> Id<Location> {
        let (function, way) = &mut self.bodies[taken.body];
        let mut location = function.locations[taken.edge.source].clone();
        (location.label, location.loop_head) = (None, None);
        way.locations.push(way.locations[taken.edge.source.index()]);
        function.locations.push(location)
    }

    fn add(&mut self, taken: &Taken, source: Id<Location>, target: Id<Location>, op: Op) {
        self.add_as(taken, source, target, op, Role::Dispatch);
    }

    fn add_as(
        &mut self,
        taken: &Taken,
        source: Id<Location>,
        target: Id<Location>,
        op: Op,
        role: Role,
    ) {
        let (function, way) = &mut self.bodies[taken.body];
        let branch = None;
        function.edges.push(Edge { source, target, op, branch, span: taken.edge.span });
        way.edges.push(EdgeOrigin { role, ..taken.origin });
    }

    /// Puts what they mean in the place of locks, and sections around copies.
    fn spell_out(&mut self, body: usize) {
        for id in self.bodies[body].0.edges.ids().collect::<Vec<_>>() {
            let op = self.bodies[body].0.edges[id].op.clone();
            let begin = || primitive(Primitive::AtomicBegin);
            let end = || primitive(Primitive::AtomicEnd);
            let ops = match &op {
                Op::Copy { .. } => vec![begin(), op, end()],
                Op::Primitive { primitive, arguments, .. } => match (primitive, &arguments[..]) {
                    (Primitive::CopyBytes | Primitive::SetBytes | Primitive::HavocBytes, _) => {
                        vec![begin(), op, end()]
                    }
                    (Primitive::Lock, &[cell]) => match self.cell(cell) {
                        Some((free, place)) => {
                            let mark = Primitive::ThreadMark;
                            let to = Some(place);
                            let mark = Op::Primitive { to, primitive: mark, arguments: Vec::new() };
                            vec![begin(), free, mark, end()]
                        }
                        None => continue,
                    },
                    (Primitive::AtomicWhen, &[cell]) => match self.cell(cell) {
                        Some((free, _)) => vec![begin(), free],
                        None => continue,
                    },
                    (Primitive::Unlock, &[cell]) => match self.cell(cell) {
                        Some((_, place)) => {
                            let zero = self.inliner.arena.int(0, self.int);
                            vec![begin(), Op::Assign(place, zero), end()]
                        }
                        None => continue,
                    },
                    _ => continue,
                },
                _ => continue,
            };
            let taken = self.take(body, id);
            let is_section = |op: &Op| {
                use Primitive::{AtomicBegin, AtomicEnd};
                matches!(op, Op::Primitive { primitive: AtomicBegin | AtomicEnd, .. })
            };
            let seen = ops.iter().rposition(|op| !is_section(op));
            let (mut at, count) = (taken.edge.source, ops.len());
            for (number, op) in ops.into_iter().enumerate() {
                let is_last = number + 1 == count;
                let next = if is_last { taken.edge.target } else { self.location(&taken) };
                let role = if seen == Some(number) { Role::Same } else { Role::Dispatch };
                self.add_as(&taken, at, next, op, role);
                at = next;
            }
        }
    }

    /// That the `int` at a pointer is zero, and where it is.
    fn cell(&mut self, pointer: Id<Expr>) -> Option<(Op, Id<Place>)> {
        let arena = &mut self.inliner.arena;
        let types = &self.inliner.types;
        let ty = types.pointee(arena.exprs[pointer].ty)?;
        if types.int_kind(ty) != Some(IntKind::Int) {
            return None;
        }
        let base = Base::Pointer(pointer);
        let place = arena.place(Place { base, path: Vec::new(), ty, bits: None, volatile: false });
        let value = arena.expr(ExprKind::Load(place), ty);
        let zero = arena.int(0, ty);
        let free = arena.expr(ExprKind::Binary(Binary::Eq, value, zero), self.int);
        Some((Op::Assume(free), place))
    }
}

fn primitive(primitive: Primitive) -> Op {
    Op::Primitive { to: None, primitive, arguments: Vec::new() }
}
