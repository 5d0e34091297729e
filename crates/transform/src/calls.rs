//! Calls made explicit: those through pointers, and those that code outside the
//! program makes.
//!
//! Calls through pointers become branches over the functions that may be meant.
//!
//! `(*e)(a)` becomes `if (e == &f) f(a); else if (e == &g) g(a); else ...`
//! with every function that the points-to analysis allows and whose type fits
//! the call. The last branch is the check that the pointer can be called; what
//! passes it is code outside the program, or of a type that does not fit, and
//! unsupported. Where the analysis allows neither, nothing defined passes.
//!
//! Code outside the program may call the functions whose addresses it knows, as
//! often as it likes and with any arguments. `x = unknown(a)` becomes
//!
//! ```text
//! again: unknown(a); choice = any;
//!        if (choice == 1 + f) { f(any); goto again; }
//!        if (choice == 1 + g) { g(any); goto again; }
//!        x = any;
//! ```
//!
//! with every function that has escaped, by its number.

use crate::origin::{EdgeOrigin, LocationOrigin, Origin, Role, VariableOrigin};
use crate::points_to::PointsTo;
use crate::rewrite::Arena;
use parallax_base::Id;
use parallax_cfa::{
    Argument, Binary, CALLBACK, Callee, Check, Edge, Expr, ExprKind, Function, Halt, IntKind,
    Location, Op, Place, Program, Storage, Type, Unary, Variable,
};

/// What an [`Op::Unsupported`] says that stands for a call of code that is not
/// part of the program.
pub(crate) const OTHER_CODE: &str = "call of a function that is not part of the program";

/// A program without calls through pointers.
#[derive(Clone, Debug)]
pub struct Resolved {
    /// The program.
    pub program: Program,
    /// Its way back.
    pub origin: Origin,
    /// How many calls had several candidates, or none.
    pub branching: usize,
    /// The functions that code outside of the program may call.
    pub called_back: Vec<Id<Function>>,
}

/// Resolves the calls of all functions that the analysis has reached; calls in
/// other functions are never made and stay as they are.
pub fn resolve_calls(program: &Program, points_to: &PointsTo) -> Resolved {
    let mut resolver = Resolver {
        old: program,
        points_to,
        arena: Arena::of(program),
        program: program.clone(),
        origin: Origin::identity(program),
        branching: 0,
    };
    for function in points_to.reached() {
        for (edge, data) in program.functions[*function].edges.iter_enumerated() {
            if let Op::Call { to, callee: Callee::Indirect(pointer), arguments } = &data.op {
                resolver.call(*function, edge, *to, *pointer, arguments);
            }
        }
    }
    let known = points_to.called_back(program);
    if !known.is_empty() {
        for function in points_to.reached() {
            for edge in resolver.program.functions[*function].edges.ids() {
                resolver.call_back(*function, edge, &known);
            }
        }
    }
    let Resolver { arena, mut program, origin, branching, .. } = resolver;
    (program.exprs, program.places) = (arena.exprs, arena.places);
    Resolved { program, origin, branching, called_back: known }
}

struct Resolver<'a> {
    old: &'a Program,
    points_to: &'a PointsTo,
    arena: Arena,
    program: Program,
    origin: Origin,
    branching: usize,
}

impl Resolver<'_> {
    fn call(
        &mut self,
        function: Id<Function>,
        edge: Id<Edge>,
        to: Option<Id<Place>>,
        pointer: Id<Expr>,
        arguments: &[Argument],
    ) {
        let (mut candidates, mut others) = self.points_to.callees(pointer);
        let all = candidates.len();
        candidates.retain(|f| is_compatible(self.old, *f, to, arguments));
        others |= candidates.len() < all;
        self.branching += usize::from(candidates.len() != 1);
        let at = self.old.functions[function].edges[edge].source;
        let int = self.program.types.int(IntKind::Int);
        let pointer_type = self.old.exprs[pointer].ty;
        let mut source = at;
        let mut is_first = true;
        for candidate in candidates {
            let address = self.arena.expr(ExprKind::Function(candidate), pointer_type);
            let same = self.arena.expr(ExprKind::Binary(Binary::Eq, pointer, address), int);
            let other = self.arena.expr(ExprKind::Unary(Unary::Not, same), int);
            let (yes, no) = (self.location(function, at), self.location(function, at));
            self.edge(function, edge, source, yes, Op::Assume(same), is_first);
            self.edge(function, edge, source, no, Op::Assume(other), false);
            // What is passed in the same way may be of another type all the same.
            let ty = self.old.types.pointee(pointer_type);
            let mut yes = yes;
            if ty.is_some_and(|ty| !self.old.fits_call(candidate, ty)) {
                let checked = self.location(function, at);
                let check = Op::Check(Check::Callable(pointer));
                self.edge(function, edge, yes, checked, check, false);
                yes = checked;
            }
            let call =
                Op::Call { to, callee: Callee::Direct(candidate), arguments: arguments.to_vec() };
            let target = self.old.functions[function].edges[edge].target;
            let made = self.edge(function, edge, yes, target, call, false);
            self.origin.functions[function.index()].edges[made.index()].role = Role::Same;
            (source, is_first) = (no, false);
        }
        let rest = self.location(function, at);
        self.edge(function, edge, source, rest, Op::Check(Check::Callable(pointer)), is_first);
        let last = match others {
            true => Op::Unsupported(OTHER_CODE.into()),
            false => Op::Halt(Halt::Assumption),
        };
        let target = match others {
            true => self.old.functions[function].edges[edge].target,
            false => self.location(function, at),
        };
        self.edge(function, edge, rest, target, last, false);
    }

    /// Adds the calls that a call of unknown code may make.
    fn call_back(&mut self, function: Id<Function>, edge: Id<Edge>, known: &[Id<Function>]) {
        let Edge { source: again, target, op, .. } =
            self.program.functions[function].edges[edge].clone();
        let Op::Call { to, callee: Callee::Direct(callee), arguments } = op else { return };
        if !self.program.functions[callee].is_unknown() {
            return;
        }
        let like = self.origin.functions[function.index()].edges[edge.index()].edge;
        let at = self.old.functions[function].edges[like].source;
        let int = self.program.types.int(IntKind::Int);
        let choice = self.temporary(function, "$choice", int);
        let (chosen, mut open) = (self.location(function, at), self.location(function, at));
        let call = Op::Call { to: None, callee: Callee::Direct(callee), arguments };
        self.edge(function, edge, again, chosen, call, true);
        let made = &mut self.origin.functions[function.index()].edges[edge.index()];
        (made.edge, made.role) = (like, Role::Same);
        let choose = Op::Havoc { to: choice, why: CALLBACK.into() };
        self.edge(function, like, chosen, open, choose, false);
        let value = self.arena.expr(ExprKind::Load(choice), int);
        for callee in known {
            let number = self.arena.int(callee.index() as i128 + 1, int);
            let same = self.arena.expr(ExprKind::Binary(Binary::Eq, value, number), int);
            let other = self.arena.expr(ExprKind::Unary(Unary::Not, same), int);
            let (mut way, rest) = (self.location(function, at), self.location(function, at));
            self.edge(function, like, open, way, Op::Assume(same), false);
            self.edge(function, like, open, rest, Op::Assume(other), false);
            let mut arguments = Vec::new();
            for parameter in self.old.functions[*callee].parameters.clone() {
                let ty = self.old.variables[parameter].ty;
                let place = self.temporary(function, "$argument", ty);
                let next = self.location(function, at);
                let any = Op::Havoc { to: place, why: "argument of a function called back".into() };
                self.edge(function, like, way, next, any, false);
                arguments.push(match self.old.types.scalar(ty) {
                    Some(_) => Argument::Scalar(self.arena.expr(ExprKind::Load(place), ty)),
                    None => Argument::Aggregate(place),
                });
                way = next;
            }
            let call = Op::Call { to: None, callee: Callee::Direct(*callee), arguments };
            self.edge(function, like, way, again, call, false);
            open = rest;
        }
        let op = match to {
            Some(to) => Op::Havoc { to, why: "result of unknown code".into() },
            None => Op::Skip,
        };
        self.edge(function, like, open, target, op, false);
    }

    /// A variable for a value in between.
    fn temporary(&mut self, function: Id<Function>, name: &str, ty: Id<Type>) -> Id<Place> {
        self.origin.variables.push(VariableOrigin { variable: None, stack: None });
        let variable = self.program.variables.push(Variable {
            name: name.into(),
            ty,
            storage: Storage::Temporary,
            owner: Some(function),
            address_taken: false,
            read_only: false,
            size: self.program.types.size_of(ty).unwrap_or(0),
            align: self.program.types.align_of(ty),
            span: self.program.functions[function].span,
        });
        self.arena.whole(variable, ty)
    }

    fn location(&mut self, function: Id<Function>, like: Id<Location>) -> Id<Location> {
        let data = &mut self.program.functions[function];
        let mut location = data.locations[like].clone();
        (location.label, location.loop_head) = (None, None);
        let stack = None;
        let origin = LocationOrigin { function, location: like, stack };
        self.origin.functions[function.index()].locations.push(origin);
        data.locations.push(location)
    }

    /// A new edge made for `like`, or `like` itself with a new operation.
    fn edge(
        &mut self,
        function: Id<Function>,
        like: Id<Edge>,
        source: Id<Location>,
        target: Id<Location>,
        op: Op,
        replace: bool,
    ) -> Id<Edge> {
        let data = &mut self.program.functions[function];
        let edge = Edge { source, target, op, ..data.edges[like].clone() };
        let origin = EdgeOrigin { function, edge: like, stack: None, role: Role::Dispatch };
        let origins = &mut self.origin.functions[function.index()].edges;
        if replace {
            data.edges[like] = edge;
            origins[like.index()] = origin;
            return like;
        }
        origins.push(origin);
        data.edges.push(edge)
    }
}

/// Whether a call with these arguments and this target may call a function:
/// as many arguments as parameters, passed in the same way. More is accepted
/// than the standard does: pointers to different types count as the same.
pub fn is_compatible(
    program: &Program,
    callee: Id<Function>,
    to: Option<Id<Place>>,
    arguments: &[Argument],
) -> bool {
    let types = &program.types;
    let Type::Function(ty) = types.get(program.functions[callee].ty) else { return false };
    let same = |a: Id<Type>, b: Id<Type>| match (types.get(a), types.get(b)) {
        (Type::Record(a), Type::Record(b)) => a == b,
        (Type::Float(a), Type::Float(b)) => a == b,
        (Type::Record(_) | Type::Float(_) | Type::Void, _)
        | (_, Type::Record(_) | Type::Float(_) | Type::Void) => false,
        _ => types.size_of(a) == types.size_of(b),
    };
    let given = |a: &Argument| match *a {
        Argument::Scalar(e) => program.exprs[e].ty,
        Argument::Aggregate(p) => program.places[p].ty,
    };
    let enough = if ty.variadic || !ty.prototyped {
        arguments.len() >= ty.parameters.len()
    } else {
        arguments.len() == ty.parameters.len()
    };
    enough
        && arguments.iter().zip(&ty.parameters).all(|(a, p)| same(given(a), *p))
        && to.is_none_or(|to| same(program.places[to].ty, ty.result))
}
