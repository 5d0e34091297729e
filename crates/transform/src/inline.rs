//! Inlining of all calls into `main`.
//!
//! Each call becomes a copy of the function it calls, with its own copies of
//! the local variables. Recursion is followed to a depth and then unsupported.
//! Functions without a body are still called. The other functions stay in the
//! program as names with addresses, without their bodies.
//!
//! A parameter begins to live before its argument is assigned; what has its
//! address taken ends to live behind the return. A stack allocation of an
//! inlined function becomes an array of variable length, which ends to live
//! there as well; only one in a loop lives until `main` ends, as those of `main`
//! do. In a program with threads each thread is inlined into a function of its
//! own: see [`crate::threads`].

mod call;

use crate::cut::inlined_sizes;
use crate::origin::VariableOrigin;
use crate::origin::{EdgeOrigin, Frame, FunctionOrigin, LocationOrigin, Origin, Role};
use crate::points_to::Hints;
use crate::rewrite::{Arena, Mapping, Uses};
use crate::threads;
use parallax_base::{Id, IdVec};
use parallax_cfa::{
    ArrayLength, Callee, Edge, Expr, ExprKind, Function, Graph, IntKind, Location, Op, Place,
    Primitive, Program, Storage, Type, Types, Variable,
};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::fmt;
use std::rc::Rc;

/// How much is inlined.
#[derive(Clone, Debug)]
pub struct Limits {
    /// How often a function may stand on the call stack besides its first call.
    pub recursion: usize,
    /// The most edges that the result may have.
    pub edges: usize,
    /// What becomes of a program that would have more.
    pub excess: Excess,
}

/// What becomes of a program that is too large with all calls inlined.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Excess {
    /// It is refused.
    #[default]
    Refused,
    /// Calls are inlined by their depth, and those for which there is no room are
    /// not modelled.
    LeftOut,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { recursion: 3, edges: 2_000_000, excess: Excess::Refused }
    }
}

/// Why there is no inlined program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The program has no `main`.
    NoMain,
    /// The result would have more edges than allowed.
    TooLarge {
        /// How many are allowed.
        limit: usize,
        /// The function whose copy was too much.
        function: String,
    },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::NoMain => f.write_str("there is no start function"),
            Failure::TooLarge { limit, function } => {
                write!(f, "more than {limit} edges after inlining, reached in `{function}`")
            }
        }
    }
}

impl std::error::Error for Failure {}

/// A program in which only `main` has a body, and a function for each thread.
#[derive(Clone, Debug)]
pub struct Inlined {
    /// The program.
    pub program: Program,
    /// Its way back, with call stacks.
    pub origin: Origin,
    /// How many calls were cut off because they recur too deep.
    pub cut: usize,
}

/// Inlines all direct calls. Calls through pointers become unsupported: resolve
/// them before.
pub fn inline(program: &Program, limits: &Limits) -> Result<Inlined, Failure> {
    let main = program.main.ok_or(Failure::NoMain)?;
    if program.has_threads() {
        return threads::inline(program, limits, main);
    }
    // What is too large is known beforehand, unless something recurs.
    if let (Excess::Refused, Some(function)) =
        (limits.excess, too_large(program, main, limits.edges))
    {
        let function = program.functions[function].name.to_string();
        return Err(Failure::TooLarge { limit: limits.edges, function });
    }
    let mut inliner = Inliner::new(program, limits, main);
    let (body, way) = inliner.root(main, main, &FxHashMap::default())?;
    Ok(inliner.finish(vec![(body, way)]))
}

impl<'a> Inliner<'a> {
    pub(crate) fn new(program: &'a Program, limits: &'a Limits, main: Id<Function>) -> Inliner<'a> {
        let mut locals = vec![Vec::new(); program.functions.len()];
        for (id, variable) in program.variables.iter_enumerated() {
            let own = matches!(
                variable.storage,
                Storage::Parameter | Storage::Local | Storage::Temporary
            );
            if let (true, Some(owner)) = (own, variable.owner) {
                locals[owner.index()].push(id);
            }
        }
        Inliner {
            old: program,
            limits,
            start: main,
            owner: main,
            locals,
            own: FxHashMap::default(),
            uses: FxHashMap::default(),
            hints: Hints::of(program),
            types: program.types.clone(),
            arena: Arena::of(program),
            variables: program.variables.clone(),
            body: Function {
                locations: IdVec::default(),
                edges: IdVec::default(),
                ..program.functions[main].clone()
            },
            way: FunctionOrigin::default(),
            origin: Origin::identity(program),
            work: VecDeque::new(),
            cut: 0,
        }
    }
}

/// The innermost function that has too many edges with all calls inlined, if
/// the start function has.
fn too_large(program: &Program, main: Id<Function>, limit: usize) -> Option<Id<Function>> {
    let sizes = inlined_sizes(program)?;
    let is_large = |f: Id<Function>| sizes[f.index()] > limit as u64;
    let of = |f: &Id<Function>| sizes[f.index()];
    is_large(main).then(|| program.functions.ids().filter(|f| is_large(*f)).min_by_key(of))?
}

/// A copy of a function that is still to be made.
struct Instance {
    function: Id<Function>,
    stack: Option<Id<Frame>>,
    mapping: Mapping,
    /// The new location of the entry, made by the caller.
    entry: Id<Location>,
    /// Where to go on, and what to do with the result; `None` for `main`.
    caller: Option<Caller>,
}

struct Caller {
    target: Id<Location>,
    /// Where the result goes, already a place of the new program.
    to: Option<Id<Place>>,
    origin: EdgeOrigin,
}

pub(crate) struct Inliner<'a> {
    pub(crate) old: &'a Program,
    limits: &'a Limits,
    /// The function at the bottom, and the one of the result that it becomes.
    start: Id<Function>,
    owner: Id<Function>,
    /// The variables that every instance has of its own.
    locals: Vec<Vec<Id<Variable>>>,
    /// Variables that have another name all over the function being made.
    own: FxHashMap<Id<Variable>, Id<Variable>>,
    uses: FxHashMap<Id<Function>, Rc<Uses>>,
    hints: Hints,
    pub(crate) types: Types,
    pub(crate) arena: Arena,
    pub(crate) variables: IdVec<Variable>,
    pub(crate) body: Function,
    pub(crate) way: FunctionOrigin,
    pub(crate) origin: Origin,
    work: VecDeque<Instance>,
    pub(crate) cut: usize,
}

impl Inliner<'_> {
    /// Inlines all calls of a function: into itself, or into a new one that has
    /// these names for variables of its own.
    pub(crate) fn root(
        &mut self,
        start: Id<Function>,
        owner: Id<Function>,
        own: &FxHashMap<Id<Variable>, Id<Variable>>,
    ) -> Result<(Function, FunctionOrigin), Failure> {
        (self.start, self.owner, self.own) = (start, owner, own.clone());
        let like = &self.old.functions[start];
        let (locations, edges) = (IdVec::default(), IdVec::default());
        self.body = Function { locations, edges, ..like.clone() };
        self.way = FunctionOrigin::default();
        let entry = self.location(start, like.entry, None);
        let mut renamed = own.clone();
        if start != owner {
            for id in self.locals[start.index()].clone() {
                let variable = Variable { owner: Some(owner), ..self.old.variables[id].clone() };
                self.origin.variables.push(VariableOrigin { variable: Some(id), stack: None });
                renamed.insert(id, self.variables.push(variable));
            }
        }
        let mapping = Mapping::new(renamed);
        for parameter in &mut self.body.parameters {
            *parameter = mapping.variable(*parameter);
        }
        self.work.push_back(Instance {
            function: start,
            stack: None,
            mapping,
            entry,
            caller: None,
        });
        self.body.entry = entry;
        while let Some(instance) = match self.limits.excess {
            Excess::Refused => self.work.pop_back(),
            Excess::LeftOut => self.work.pop_front(),
        } {
            self.instance(instance)?;
        }
        Ok((self.body.clone(), std::mem::take(&mut self.way)))
    }

    /// The program with these bodies: that of `main`, then new functions.
    pub(crate) fn finish(mut self, bodies: Vec<(Function, FunctionOrigin)>) -> Inlined {
        let mut program = Program {
            types: self.types,
            exprs: self.arena.exprs,
            places: self.arena.places,
            variables: self.variables,
            initials: self.old.initials.clone(),
            functions: self.old.functions.clone(),
            main: self.old.main,
        };
        for id in self.old.functions.ids() {
            let function = &mut program.functions[id];
            (function.locations, function.edges) = (IdVec::default(), IdVec::default());
            function.is_defined = false;
            self.origin.functions[id.index()] = FunctionOrigin::default();
        }
        for (number, (body, way)) in bodies.into_iter().enumerate() {
            match (number, self.old.main) {
                (0, Some(main)) => {
                    program.functions[main] = body;
                    self.origin.functions[main.index()] = way;
                }
                _ => {
                    program.functions.push(body);
                    self.origin.functions.push(way);
                }
            }
        }
        Inlined { program, origin: self.origin, cut: self.cut }
    }

    pub(crate) fn location(
        &mut self,
        function: Id<Function>,
        location: Id<Location>,
        stack: Option<Id<Frame>>,
    ) -> Id<Location> {
        self.way.locations.push(LocationOrigin { function, location, stack });
        self.body.locations.push(self.old.functions[function].locations[location].clone())
    }

    fn edge(&mut self, edge: Edge, origin: EdgeOrigin) {
        self.way.edges.push(origin);
        self.body.edges.push(edge);
    }

    fn instance(&mut self, instance: Instance) -> Result<(), Failure> {
        let old = self.old;
        let Instance { function: id, stack, mut mapping, entry, caller } = instance;
        let function = &old.functions[id];
        if self.body.edges.len() + function.edges.len() > self.limits.edges {
            let limit = self.limits.edges;
            match (self.limits.excess, &caller) {
                (Excess::LeftOut, Some(caller)) => {
                    self.cut += 1;
                    let text = format!("a call of `{}` beyond {limit} steps", function.name);
                    let (op, span) = (Op::Unsupported(text.into()), function.span);
                    let target = caller.target;
                    let edge = Edge { source: entry, target, op, span, branch: None };
                    self.edge(edge, caller.origin);
                    return Ok(());
                }
                _ => {
                    let function = function.name.to_string();
                    return Err(Failure::TooLarge { limit, function });
                }
            }
        }
        let uses = self.uses.entry(id).or_insert_with(|| Rc::new(Uses::of_function(old, function)));
        let uses = Rc::clone(uses);
        if caller.is_some() || self.start != self.owner || !self.own.is_empty() {
            mapping.exprs(old, &mut self.arena, &uses.exprs);
        }
        let mut locations: Vec<Id<Location>> = Vec::with_capacity(function.locations.len());
        for at in function.locations.ids() {
            let new = if at == function.entry { entry } else { self.location(id, at, stack) };
            locations.push(new);
        }
        let exit = locations[function.exit.index()];
        if caller.is_none() {
            self.body.exit = exit;
        }
        let component = Graph::new(function).components(function);
        let mut allocated = Vec::new();
        for (edge_id, edge) in function.edges.iter_enumerated() {
            let (source, target) = (locations[edge.source.index()], locations[edge.target.index()]);
            let origin = EdgeOrigin { function: id, edge: edge_id, stack, role: Role::Same };
            let op = mapping.op(old, &mut self.arena, &edge.op);
            let mut new = Edge { source, target, op, ..edge.clone() };
            match (&new.op, &caller) {
                (Op::Call { callee: Callee::Indirect(_), .. }, _) => {
                    new.op = Op::Unsupported("call through a pointer".into());
                    self.edge(new, origin);
                }
                (Op::Call { callee: Callee::Direct(callee), .. }, _)
                    if old.functions[*callee].is_defined =>
                {
                    self.call(*callee, new, origin);
                }
                (Op::Primitive { primitive: Primitive::VaStart, .. }, Some(_)) => {
                    let text = format!("variable arguments of `{}`", function.name);
                    new.op = Op::Unsupported(text.into());
                    self.edge(new, origin);
                }
                (
                    &Op::Primitive {
                        to: Some(to),
                        primitive: Primitive::AllocateLocal,
                        ref arguments,
                    },
                    Some(_),
                ) if component[edge.source.index()].is_none()
                    || component[edge.source.index()] != component[edge.target.index()] =>
                {
                    let [size] = arguments[..] else { continue };
                    let middle = self.location(id, edge.target, stack);
                    let (variable, value) = self.array(id, edge_id, to, stack);
                    allocated.push(variable);
                    let begin = Op::Live(variable, Some(size));
                    self.edge(Edge { op: begin, target: middle, ..new.clone() }, origin);
                    let op = Op::Assign(to, value);
                    self.edge(Edge { op, source: middle, branch: None, ..new }, origin);
                }
                (Op::Return(value), Some(caller)) => {
                    new.op = self.result(*value, caller.to);
                    self.edge(new, EdgeOrigin { role: Role::Leave, ..origin });
                }
                _ => self.edge(new, origin),
            }
        }
        if let Some(caller) = caller {
            self.leave(id, exit, &mapping, stack, caller, allocated);
        }
        Ok(())
    }

    /// The array that stands for what an edge of an inlined function allocates
    /// on the stack, and its address as what is assigned to a place.
    fn array(
        &mut self,
        function: Id<Function>,
        edge: Id<Edge>,
        to: Id<Place>,
        stack: Option<Id<Frame>>,
    ) -> (Id<Variable>, Id<Expr>) {
        let byte = self.types.int(IntKind::UChar);
        let of = self.hints.of_edge(function, edge).unwrap_or(byte);
        let ty = self.types.intern(Type::Array { of, length: ArrayLength::Unknown });
        self.origin.variables.push(VariableOrigin { variable: None, stack });
        let variable = self.variables.push(Variable {
            name: "alloca".into(),
            ty,
            storage: Storage::Local,
            owner: Some(self.owner),
            address_taken: true,
            read_only: false,
            size: 0,
            align: 16,
            span: self.old.functions[function].edges[edge].span,
        });
        let place = self.arena.whole(variable, ty);
        let pointer = self.types.pointer(ty);
        let address = self.arena.expr(ExprKind::Address(place), pointer);
        let wanted = self.arena.places[to].ty;
        (variable, self.arena.expr(ExprKind::Convert(address), wanted))
    }

    /// Ends the life of what pointers may still point to.
    fn leave(
        &mut self,
        function: Id<Function>,
        exit: Id<Location>,
        mapping: &Mapping,
        stack: Option<Id<Frame>>,
        caller: Caller,
        allocated: Vec<Id<Variable>>,
    ) {
        let call = &self.old.functions[caller.origin.function].edges[caller.origin.edge];
        let (span, branch) = (call.span, None);
        let mut source = exit;
        let ending: Vec<Id<Variable>> = self.locals[function.index()]
            .iter()
            .filter(|v| self.old.variables[**v].address_taken)
            .map(|v| mapping.variable(*v))
            .chain(allocated)
            .collect();
        let exit_origin = self.old.functions[function].exit;
        for variable in ending {
            let target = self.location(function, exit_origin, stack);
            let edge = Edge { source, target, op: Op::Dead(variable), span, branch };
            self.edge(edge, caller.origin);
            source = target;
        }
        let edge = Edge { source, target: caller.target, op: Op::Skip, span, branch };
        self.edge(edge, caller.origin);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::points_to::{Options, PointsTo};
    use crate::resolve_calls;
    use crate::testing::Build;
    use parallax_cfa::{Binary, Program};

    /// `int twice(int p) { return p + p; }`, `int down(int p) { if (p) return
    /// down(p - 1); return 0; }`; `main` calls the first through a pointer,
    /// twice, and the second.
    fn program() -> Program {
        let mut b = Build::new();
        let int = b.int();
        let main = b.current;
        let (twice, down) = (b.function("twice", &[int]), b.function("down", &[int]));
        b.enter(twice);
        let p = b.program.functions[twice].parameters[0];
        let p = b.get(p);
        let sum = b.binary(Binary::Add, p, p);
        b.ret(sum);
        b.enter(down);
        let p = b.program.functions[down].parameters[0];
        let r = b.local("r", int);
        let p = b.get(p);
        let (yes, no) = b.branch(p);
        let zero = b.num(0);
        b.at = no;
        b.ret(zero);
        b.at = yes;
        let one = b.num(1);
        let less = b.binary(Binary::Sub, p, one);
        b.call(Some(r), Callee::Direct(down), &[less]);
        let r = b.get(r);
        b.ret(r);
        b.enter(main);
        let (x, y) = (b.local("x", int), b.local("y", int));
        b.input(x);
        let f = b.function_address(twice);
        let ty = b.program.types.pointer(b.program.functions[twice].ty);
        let q = b.local("q", ty);
        b.assign(q, f);
        let (value, q) = (b.get(x), b.get(q));
        b.call(Some(y), Callee::Indirect(q), &[value]);
        let value = b.get(y);
        b.call(Some(x), Callee::Indirect(q), &[value]);
        let value = b.get(x);
        b.call(Some(y), Callee::Direct(down), &[value]);
        let value = b.get(y);
        b.ret(value);
        b.finish()
    }

    #[test]
    fn every_call_is_gone_and_has_a_way_back() {
        let program = program();
        let points_to = PointsTo::analyze(&program, &Options::default());
        let resolved = resolve_calls(&program, &points_to);
        let limits = Limits { recursion: 2, ..Limits::default() };
        let inlined = inline(&resolved.program, &limits).unwrap();
        assert_eq!((resolved.branching, inlined.cut), (0, 1));
        let main = inlined.program.main.unwrap();
        let function = &inlined.program.functions[main];
        assert!(!function.edges.iter().any(|e| matches!(e.op, Op::Call { .. })));
        let origin = inlined.origin.after(&resolved.origin);
        assert_eq!(origin.variables.len(), inlined.program.variables.len());
        assert_eq!(origin.functions[main.index()].locations.len(), function.locations.len());
        let mut deepest = 0;
        for edge in function.edges.ids() {
            let from = origin.edge(main, edge).unwrap();
            let calls = origin.calls(from.stack);
            deepest = deepest.max(calls.len());
            // Each call on the stack is a call, made by the function the last one entered.
            let mut inside = main;
            for frame in calls {
                assert_eq!(frame.function, inside);
                let call = &program.functions[frame.function].edges[frame.call];
                let Op::Call { callee, .. } = &call.op else { panic!("no call") };
                inside = match callee {
                    Callee::Direct(f) => *f,
                    Callee::Indirect(e) => points_to.callees(*e).0[0],
                };
            }
            assert_eq!(from.function, inside);
        }
        assert_eq!(deepest, 3);
        let instances =
            |name: &str| inlined.program.variables.iter().filter(|v| &*v.name == name).count();
        // `r` of `down` once as declared and once for each of three instances.
        assert_eq!(instances("r"), 4);
    }

    #[test]
    fn what_grows_too_large_is_refused() {
        let program = program();
        let limits = Limits { recursion: 10_000, edges: 500, ..Limits::default() };
        let failure = inline(&program, &limits).unwrap_err();
        assert_eq!(failure.to_string(), "more than 500 edges after inlining, reached in `down`");
        let inlined = inline(&program, &Limits { excess: Excess::LeftOut, ..limits }).unwrap();
        let edges = &inlined.program.functions[inlined.program.main.unwrap()].edges;
        let left_out = |op: &Op| matches!(op, Op::Unsupported(what) if what.contains("beyond"));
        assert_eq!((inlined.cut, edges.iter().filter(|e| left_out(&e.op)).count()), (1, 1));
        let own = parallax_cfa::validate(&program);
        assert_eq!(parallax_cfa::validate(&inlined.program), own);
    }
}
