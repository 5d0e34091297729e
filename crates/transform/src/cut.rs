//! Functions that cannot come to what is asked become unknown code, where a
//! program would be too large with their bodies in the place of all calls.
//!
//! A function is *relevant* if a chain of calls leads from it to a wanted
//! operation. Of the others, those are cut whose body with all that they call
//! is large; how large is decided by the room there is, so that small ones stay.
//!
//! # Soundness
//!
//! A call of a function that is cut may do all that the function can: it
//! returns anything, and changes all memory that can be reached from its
//! arguments and from the static variables that it, or a function it calls,
//! mentions. Static variables to which there are no pointers change if one of
//! them writes there. So every run up to a wanted operation is one of the new
//! program; that a call does not return is covered by one that does. What is
//! not modelled inside stays: the call may come to it. Code outside the program
//! that a function calls can only call back functions that it was given; if one
//! of these is relevant, so is the function.
//!
//! Only for properties about single operations: who asks what is freed, or
//! whether accesses inside are valid, must not cut.

use crate::calls::OTHER_CODE;
use crate::origin::{EdgeOrigin, FunctionOrigin, LocationOrigin, Origin, Role};
use crate::rewrite::{Arena, Uses};
use parallax_base::{Id, IdVec};
use parallax_cfa::{
    ASSEMBLY, Argument, Base, Callee, Edge, ExprKind, Function, FunctionType, Location, Op, Place,
    Program, Storage, Type, Variable,
};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Sizes up to which functions are kept, largest first.
const SIZES: [u64; 8] = [30_000, 10_000, 3_000, 1_000, 300, 100, 30, 0];

/// A function with fewer edges is kept where cutting does not help.
const SMALL: u64 = 300;

/// A program with some functions cut.
#[derive(Clone, Debug)]
pub struct Cut {
    /// The program.
    pub program: Program,
    /// Its way back.
    pub origin: Origin,
    /// The functions that were cut.
    pub functions: BTreeSet<Id<Function>>,
}

/// Cuts functions of a program whose calls are resolved, if something recurs or it
/// has more edges than there is room for when all calls are inlined.
pub fn cut_calls(
    program: &Program,
    wanted: &dyn Fn(&Op) -> bool,
    called_back: &[Id<Function>],
    room: u64,
) -> Option<Cut> {
    let main = program.main?;
    let calls = Calls::new(program);
    let (sizes, is_exact) = calls.sizes(program, &BTreeSet::new());
    if is_exact && sizes[main.index()] <= room {
        return None;
    }
    let relevant = calls.relevant(program, wanted, called_back);
    let large = |least: u64| -> BTreeSet<Id<Function>> {
        let cut =
            |f: &Id<Function>| *f != main && !relevant.contains(f) && sizes[f.index()] > least;
        calls.defined.iter().copied().filter(cut).collect()
    };
    let fits = |cut: &BTreeSet<Id<Function>>| {
        let (sizes, is_exact) = calls.sizes(program, cut);
        is_exact && sizes[main.index()] <= room
    };
    let cut = SIZES.into_iter().map(large).find(fits);
    // Where what is relevant recurs itself, nothing fits, and small functions may stay.
    let cut = cut.unwrap_or_else(|| large(if is_exact { 0 } else { SMALL }));
    (!cut.is_empty()).then(|| Cutter::new(program, &calls, cut).run())
}

/// The edges of each function with all calls inlined, if nothing recurs.
pub(crate) fn inlined_sizes(program: &Program) -> Option<Vec<u64>> {
    let (sizes, is_exact) = Calls::new(program).sizes(program, &BTreeSet::new());
    is_exact.then_some(sizes)
}

/// The edges of the program with all calls inlined; `None` if something recurs.
pub fn inlined_size(program: &Program) -> Option<u64> {
    let sizes = inlined_sizes(program)?;
    program.main.map(|main| sizes[main.index()])
}

/// Who calls whom.
struct Calls {
    defined: Vec<Id<Function>>,
    /// The defined functions that each one calls, once for each call.
    callees: Vec<Vec<Id<Function>>>,
}

impl Calls {
    fn new(program: &Program) -> Calls {
        let mut callees = vec![Vec::new(); program.functions.len()];
        let mut defined = Vec::new();
        for (id, function) in program.functions.iter_enumerated() {
            if function.is_defined {
                defined.push(id);
            }
            for edge in &function.edges {
                if let Op::Call { callee: Callee::Direct(callee), .. } = edge.op
                    && program.functions[callee].is_defined
                {
                    callees[id.index()].push(callee);
                }
            }
        }
        Calls { defined, callees }
    }

    /// The edges of each function with all calls inlined but those of some, and
    /// whether that is exact: of what recurs, some calls are not counted.
    fn sizes(&self, program: &Program, cut: &BTreeSet<Id<Function>>) -> (Vec<u64>, bool) {
        let mut sizes = vec![0u64; program.functions.len()];
        let mut done = BTreeSet::new();
        let mut is_exact = true;
        // A function is done when all that it calls are.
        let mut open: Vec<usize> = vec![0; program.functions.len()];
        let mut callers: BTreeMap<Id<Function>, Vec<Id<Function>>> = BTreeMap::new();
        let mut ready = Vec::new();
        for &id in &self.defined {
            let kept = self.callees[id.index()].iter().filter(|callee| !cut.contains(callee));
            for &callee in kept.clone() {
                callers.entry(callee).or_default().push(id);
            }
            open[id.index()] = kept.count();
            if open[id.index()] == 0 {
                ready.push(id);
            }
        }
        let mut rest = self.defined.iter().copied();
        loop {
            let next = ready.pop().or_else(|| {
                // What is left recurs, or calls what does.
                let left = rest.find(|id| !done.contains(id));
                is_exact &= left.is_none();
                left
            });
            let Some(id) = next else { break };
            if !done.insert(id) {
                continue;
            }
            let own = program.functions[id].edges.len() as u64;
            let kept = self.callees[id.index()].iter().filter(|callee| !cut.contains(callee));
            let called = kept.map(|callee| sizes[callee.index()].saturating_add(4));
            sizes[id.index()] = called.fold(own, u64::saturating_add);
            for caller in callers.get(&id).into_iter().flatten() {
                open[caller.index()] -= 1;
                if open[caller.index()] == 0 {
                    ready.push(*caller);
                }
            }
        }
        (sizes, is_exact)
    }

    /// The functions from which a chain of calls leads to a wanted operation.
    fn relevant(
        &self,
        program: &Program,
        wanted: &dyn Fn(&Op) -> bool,
        called_back: &[Id<Function>],
    ) -> BTreeSet<Id<Function>> {
        let mut callers: BTreeMap<Id<Function>, Vec<Id<Function>>> = BTreeMap::new();
        for &id in &self.defined {
            for &callee in &self.callees[id.index()] {
                callers.entry(callee).or_default().push(id);
            }
        }
        let mut relevant = BTreeSet::new();
        let spread = |relevant: &mut BTreeSet<Id<Function>>, mut open: Vec<Id<Function>>| {
            while let Some(function) = open.pop() {
                if relevant.insert(function) {
                    open.extend(callers.get(&function).into_iter().flatten());
                }
            }
        };
        let has = |id: &Id<Function>, wanted: &dyn Fn(&Op) -> bool| {
            program.functions[*id].edges.iter().any(|edge| wanted(&edge.op))
        };
        let hides = |op: &Op| matches!(op, Op::Unsupported(what) if **what != *ASSEMBLY && **what != *OTHER_CODE);
        let first = |op: &Op| {
            wanted(op) || hides(op) || matches!(op, Op::Call { callee: Callee::Indirect(_), .. })
        };
        let roots = self.defined.iter().copied().filter(|id| has(id, &first)).collect();
        spread(&mut relevant, roots);
        if called_back.iter().any(|f| relevant.contains(f)) {
            // Code that is not known may call one of them.
            let calls_others =
                |op: &Op| matches!(op, Op::Unsupported(what) if **what == *OTHER_CODE);
            let roots = self.defined.iter().copied().filter(|id| has(id, &calls_others)).collect();
            spread(&mut relevant, roots);
        }
        relevant
    }
}

/// What a function and all that it calls do.
#[derive(Default)]
struct Effect {
    /// Static variables without pointers to them that are written.
    written: BTreeSet<Id<Variable>>,
    /// Static variables that are mentioned.
    mentioned: BTreeSet<Id<Variable>>,
    /// Whether there is inline assembly.
    assembly: bool,
}

struct Cutter<'a> {
    old: &'a Program,
    calls: &'a Calls,
    cut: BTreeSet<Id<Function>>,
    arena: Arena,
    program: Program,
    origin: Origin,
}

impl<'a> Cutter<'a> {
    fn new(old: &'a Program, calls: &'a Calls, cut: BTreeSet<Id<Function>>) -> Cutter<'a> {
        let (arena, program, origin) = (Arena::of(old), old.clone(), Origin::identity(old));
        Cutter { old, calls, cut, arena, program, origin }
    }

    fn run(mut self) -> Cut {
        let given = self.given();
        let own: BTreeMap<Id<Function>, Effect> = {
            let all = self.calls.defined.iter();
            all.map(|&id| (id, self.own_effect(id))).collect()
        };
        let effects: BTreeMap<Id<Function>, Effect> =
            self.cut.iter().map(|&id| (id, self.effect(id, &own))).collect();
        for &id in &self.calls.defined {
            if self.cut.contains(&id) {
                continue;
            }
            for edge in self.old.functions[id].edges.ids() {
                let op = &self.old.functions[id].edges[edge].op;
                if let Op::Call { callee: Callee::Direct(callee), .. } = op
                    && let Some(effect) = effects.get(callee)
                {
                    self.call(id, edge, effect, given);
                }
            }
        }
        for &id in &self.cut {
            let function = &mut self.program.functions[id];
            (function.locations, function.edges) = (IdVec::default(), IdVec::default());
            (function.is_defined, function.is_library) = (false, false);
            self.origin.functions[id.index()] = FunctionOrigin::default();
        }
        let Cutter { mut program, arena, origin, cut, .. } = self;
        (program.exprs, program.places) = (arena.exprs, arena.places);
        Cut { program, origin, functions: cut }
    }

    /// A function of others that pointers are given to.
    fn given(&mut self) -> Id<Function> {
        let types = &mut self.program.types;
        let result = types.intern(Type::Void);
        let ty = types.intern(Type::Function(FunctionType {
            result,
            parameters: Vec::new(),
            variadic: false,
            prototyped: false,
        }));
        let name: Arc<str> = "$given".into();
        self.origin.functions.push(FunctionOrigin::default());
        self.program.functions.push(Function {
            name,
            ty,
            parameters: Vec::new(),
            is_defined: false,
            is_library: false,
            locations: IdVec::default(),
            edges: IdVec::default(),
            entry: Id::new(0),
            exit: Id::new(0),
            span: Default::default(),
        })
    }

    /// What a function does itself.
    fn own_effect(&self, id: Id<Function>) -> Effect {
        let function = &self.old.functions[id];
        let mut effect = Effect::default();
        let is_static = |v: Id<Variable>| {
            matches!(self.old.variables[v].storage, Storage::Static | Storage::Thread)
        };
        let base = |place: Id<Place>| match self.old.places[place].base {
            Base::Variable(v) => Some(v).filter(|v| is_static(*v)),
            Base::Pointer(_) => None,
        };
        for edge in &function.edges {
            let to = match &edge.op {
                Op::Assign(to, _) | Op::Copy { to, .. } => Some(*to),
                Op::Input { to, .. } | Op::Havoc { to, .. } => Some(*to),
                Op::Call { to, .. } | Op::Primitive { to, .. } => *to,
                _ => None,
            };
            effect.written.extend(to.and_then(base));
            effect.assembly |= matches!(&edge.op, Op::Unsupported(what) if **what == *ASSEMBLY);
        }
        let uses = Uses::of_function(self.old, function);
        effect.mentioned.extend(uses.places.iter().filter_map(|place| base(*place)));
        effect
    }

    /// What a function and all that it calls do.
    fn effect(&self, id: Id<Function>, own: &BTreeMap<Id<Function>, Effect>) -> Effect {
        let mut all = Effect::default();
        let (mut seen, mut open) = (BTreeSet::from([id]), vec![id]);
        while let Some(function) = open.pop() {
            if let Some(effect) = own.get(&function) {
                all.written.extend(&effect.written);
                all.mentioned.extend(&effect.mentioned);
                all.assembly |= effect.assembly;
            }
            for &callee in &self.calls.callees[function.index()] {
                if seen.insert(callee) {
                    open.push(callee);
                }
            }
        }
        all
    }

    /// A call of a function that is cut: what it may do comes before it.
    fn call(
        &mut self,
        function: Id<Function>,
        edge: Id<Edge>,
        effect: &Effect,
        given: Id<Function>,
    ) {
        let mut ops = Vec::new();
        let mut arguments = Vec::new();
        for &v in &effect.mentioned {
            let variable = &self.old.variables[v];
            let whole = self.arena.whole(v, variable.ty);
            if variable.address_taken {
                let pointer = self.program.types.pointer(variable.ty);
                let address = self.arena.expr(ExprKind::Address(whole), pointer);
                arguments.push(Argument::Scalar(address));
                continue;
            }
            if variable.read_only {
                continue;
            }
            // Pointers inside are given away with the value.
            if self.old.types.scalar(variable.ty).is_some() {
                let value = self.arena.expr(ExprKind::Load(whole), variable.ty);
                arguments.push(Argument::Scalar(value));
            } else if matches!(self.old.types.get(variable.ty), Type::Record(_)) {
                arguments.push(Argument::Aggregate(whole));
            } else {
                // An array cannot be handed over but by its address.
                self.program.variables[v].address_taken = true;
                let pointer = self.program.types.pointer(variable.ty);
                let address = self.arena.expr(ExprKind::Address(whole), pointer);
                arguments.push(Argument::Scalar(address));
                continue;
            }
            if effect.written.contains(&v) {
                let why = "a function that is not looked into".into();
                ops.push(Op::Havoc { to: whole, why });
            }
        }
        if !arguments.is_empty() {
            ops.push(Op::Call { to: None, callee: Callee::Direct(given), arguments });
        }
        let Edge { source, op: call, .. } = self.old.functions[function].edges[edge].clone();
        if effect.assembly {
            let target = self.old.functions[function].edges[edge].target;
            self.edge(function, edge, source, target, Op::Unsupported(ASSEMBLY.into()));
        }
        let Some(first) = ops.first().cloned() else { return };
        let mut at = self.location(function, source);
        {
            let changed = &mut self.program.functions[function].edges[edge];
            (changed.op, changed.target) = (first, at);
        }
        for op in ops.into_iter().skip(1) {
            let next = self.location(function, source);
            self.edge(function, edge, at, next, op);
            at = next;
        }
        let target = self.old.functions[function].edges[edge].target;
        self.edge(function, edge, at, target, call);
    }

    fn location(&mut self, function: Id<Function>, near: Id<Location>) -> Id<Location> {
        let span = self.old.functions[function].locations[near].span;
        let way = &mut self.origin.functions[function.index()];
        way.locations.push(LocationOrigin { function, location: near, stack: None });
        self.program.functions[function].locations.push(Location::at(span))
    }

    fn edge(
        &mut self,
        function: Id<Function>,
        of: Id<Edge>,
        source: Id<Location>,
        target: Id<Location>,
        op: Op,
    ) {
        let span = self.old.functions[function].edges[of].span;
        let way = &mut self.origin.functions[function.index()];
        way.edges.push(EdgeOrigin { function, edge: of, stack: None, role: Role::Same });
        let edge = Edge { source, target, op, span, branch: None };
        self.program.functions[function].edges.push(edge);
    }
}
