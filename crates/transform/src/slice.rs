//! Property-directed slicing: what cannot influence the targets is removed.
//!
//! After Weiser, TSE 1984, with control dependence as in [`Dependence`]. The
//! start function is sliced; inline before, because calls of functions with a
//! body are kept with all they may touch. An operation matters if it is a
//! target, writes a variable or a memory region that something that matters
//! reads, or branches before something that matters. What does not matter does
//! nothing; a branch that does not matter goes straight to where its ways meet;
//! ways from which no target can be reached end.
//!
//! # Soundness
//!
//! Every run of the program that reaches a target has a run of the slice that
//! reaches it, so a target that the slice never reaches is never reached. The
//! converse does not hold: a loop that does not matter is removed even if it
//! never ends, and so is a check that is not a target, though a failed check
//! ends the run. So a run that reaches a target in the slice must be replayed
//! on the program; inputs of edges that are not in the slice may be anything.
//! A check whose operands all matter is kept, which makes this rare.
//!
//! Unsupported constructs are targets: the slice reaches them as the program does.

use crate::dependence::{Dependence, is_final};
use crate::origin::{EdgeOrigin, LocationOrigin, Origin, Role};
use crate::points_to::{Accessed, ObjectKind, PointsTo, Region, Regions};
use crate::rewrite::Uses;
use parallax_base::{Id, IdVec};
use parallax_cfa::{
    Argument, Base, Callee, Check, Edge, Function, Graph, Halt, Location, Op, Place, Primitive,
    Program, Storage, Variable,
};
use std::collections::{BTreeMap, BTreeSet};

/// A slice.
#[derive(Clone, Debug)]
pub struct Slice {
    /// The program.
    pub program: Program,
    /// Its way back.
    pub origin: Origin,
    /// How many edges of the start function matter.
    pub kept: usize,
}

/// A part of the state that operations read and write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Part {
    Variable(Id<Variable>),
    Region(Id<Region>),
    /// Which objects live.
    Life,
}

/// Slices the start function of a program for the operations that `is_target`
/// accepts. The analysis must be of this program. A program with threads stays
/// as it is: all of it may matter.
pub fn slice(
    program: &Program,
    points_to: &PointsTo,
    is_target: &dyn Fn(&Op) -> bool,
) -> Option<Slice> {
    let id = program.main?;
    if program.has_threads() {
        let (origin, kept) = (Origin::identity(program), program.functions[id].edges.len());
        return Some(Slice { program: program.clone(), origin, kept });
    }
    let function = &program.functions[id];
    let graph = Graph::new(function);
    let regions = points_to.regions(program);
    let mut slicer = Slicer {
        program,
        function,
        dependence: Dependence::of(function, &graph),
        graph,
        points_to,
        shared: [false, true].map(|all| shared(program, points_to, &regions, all)),
        regions,
        matters: vec![false; function.edges.len()],
        parts: BTreeSet::new(),
        work: Vec::new(),
    };
    let useful = slicer.close(is_target);
    Some(slicer.build(id, &useful))
}

struct Slicer<'a> {
    program: &'a Program,
    function: &'a Function,
    graph: Graph,
    dependence: Dependence,
    points_to: &'a PointsTo,
    regions: Regions,
    matters: Vec<bool>,
    parts: BTreeSet<Part>,
    /// What code outside the program, and all other code, reads and writes.
    shared: [Vec<Part>; 2],
    work: Vec<Id<Edge>>,
}

impl Slicer<'_> {
    fn mark(&mut self, edge: Id<Edge>) {
        if !std::mem::replace(&mut self.matters[edge.index()], true) {
            self.work.push(edge);
        }
    }

    /// Marks what matters; gives the locations from which a target is reached.
    fn close(&mut self, is_target: &dyn Fn(&Op) -> bool) -> Vec<bool> {
        let mut useful = vec![false; self.function.locations.len()];
        let mut back = Vec::new();
        let mut writers: BTreeMap<Part, Vec<Id<Edge>>> = BTreeMap::new();
        for at in self.graph.order().to_vec() {
            for edge in self.graph.leaving(at).to_vec() {
                let op = &self.function.edges[edge].op;
                if is_target(op) || matches!(op, Op::Unsupported(_)) || self.is_inner_call(op) {
                    self.mark(edge);
                    back.push(at);
                }
                for part in self.writes(op) {
                    writers.entry(part).or_default().push(edge);
                }
            }
        }
        while let Some(at) = back.pop() {
            if !std::mem::replace(&mut useful[at.index()], true) {
                let into = self.graph.entering(at).iter().map(|e| &self.function.edges[*e]);
                back.extend(into.filter(|e| !is_final(&e.op)).map(|e| e.source));
            }
        }
        while let Some(edge) = self.work.pop() {
            let Edge { source, op, .. } = &self.function.edges[edge];
            for decider in self.dependence.deciders(*source).to_vec() {
                self.graph.leaving(decider).to_vec().into_iter().for_each(|e| self.mark(e));
            }
            // The branches at one location stand and fall together.
            if matches!(op, Op::Assume(_)) {
                self.graph.leaving(*source).to_vec().into_iter().for_each(|e| self.mark(e));
            }
            for part in self.reads(op) {
                if self.parts.insert(part) {
                    for writer in writers.get(&part).into_iter().flatten() {
                        if useful[self.function.edges[*writer].source.index()] {
                            self.mark(*writer);
                        }
                    }
                }
            }
        }
        useful
    }

    fn part_of(&self, place: Id<Place>, parts: &mut Vec<Part>) {
        match self.program.places[place].base {
            Base::Variable(v) if !self.program.variables[v].address_taken => {
                parts.push(Part::Variable(v));
            }
            _ => parts.extend(self.regions.parts(place).iter().filter_map(|(_, at)| match at {
                Accessed::Region(region) => Some(Part::Region(*region)),
                Accessed::Plain(v) => Some(Part::Variable(*v)),
                Accessed::Nowhere => None,
            })),
        }
    }

    /// What an operation needs: everything its expressions load.
    fn reads(&self, op: &Op) -> Vec<Part> {
        let mut parts = Vec::new();
        let mut roots = Vec::new();
        crate::rewrite::visit_op(op, &mut |node| roots.push(node));
        let uses = Uses::of_nodes(self.program, roots);
        for e in &uses.exprs {
            match self.program.exprs[*e].kind {
                parallax_cfa::ExprKind::Load(place) => self.part_of(place, &mut parts),
                parallax_cfa::ExprKind::ObjectSize(_) => parts.push(Part::Life),
                _ => {}
            }
        }
        match op {
            Op::Copy { from, .. } => self.part_of(*from, &mut parts),
            Op::Return(Some(Argument::Aggregate(place))) => self.part_of(*place, &mut parts),
            Op::Check(Check::Initialized(place)) => {
                self.part_of(*place, &mut parts);
                parts.push(Part::Life);
            }
            Op::Check(Check::Access { .. } | Check::AccessBytes { .. } | Check::Free(_)) => {
                parts.push(Part::Life);
            }
            Op::Primitive { primitive: Primitive::CopyBytes, arguments, .. } => {
                for e in arguments.get(1).into_iter() {
                    let regions = self.regions.of_pointer(self.points_to, *e);
                    parts.extend(regions.into_iter().map(Part::Region));
                }
            }
            Op::Call { arguments, .. } => {
                for argument in arguments {
                    if let Argument::Aggregate(place) = argument {
                        self.part_of(*place, &mut parts);
                    }
                }
                parts.extend(&self.shared[usize::from(self.is_inner_call(op))]);
            }
            // The list of arguments is read and advanced.
            Op::Primitive {
                primitive:
                    Primitive::VaArg | Primitive::VaCopy | Primitive::VaStart | Primitive::VaEnd,
                arguments,
                ..
            } => {
                for e in arguments {
                    let regions = self.regions.of_pointer(self.points_to, *e);
                    parts.extend(regions.into_iter().map(Part::Region));
                }
            }
            _ => {}
        }
        parts
    }

    /// Whether an operation calls a function with a body.
    fn is_inner_call(&self, op: &Op) -> bool {
        match op {
            Op::Call { callee: Callee::Direct(f), .. } => self.program.functions[*f].is_defined,
            Op::Call { callee: Callee::Indirect(_), .. } => true,
            _ => false,
        }
    }

    /// What an operation may change.
    fn writes(&self, op: &Op) -> Vec<Part> {
        let mut parts = Vec::new();
        match op {
            Op::Assign(to, _)
            | Op::Copy { to, .. }
            | Op::Input { to, .. }
            | Op::Havoc { to, .. } => {
                self.part_of(*to, &mut parts);
            }
            Op::Call { to, .. } => {
                to.iter().for_each(|to| self.part_of(*to, &mut parts));
                parts.extend(&self.shared[usize::from(self.is_inner_call(op))]);
                parts.push(Part::Life);
            }
            Op::Primitive { to, primitive, arguments } => {
                to.iter().for_each(|to| self.part_of(*to, &mut parts));
                match primitive {
                    Primitive::Allocate | Primitive::AllocateLocal | Primitive::Free => {
                        parts.push(Part::Life);
                    }
                    _ => {
                        let into = arguments.first().copied();
                        let regions = into
                            .map(|e| self.regions.of_pointer(self.points_to, e))
                            .unwrap_or_default();
                        parts.extend(regions.into_iter().map(Part::Region));
                    }
                }
            }
            Op::Live(v, _) | Op::Dead(v) => {
                if self.program.variables[*v].address_taken {
                    parts.push(Part::Life);
                    let object = self.points_to.variable(*v);
                    let regions = object.into_iter().flat_map(|o| self.regions.of_object(o));
                    parts.extend(regions.map(Part::Region));
                } else {
                    parts.push(Part::Variable(*v));
                }
            }
            _ => {}
        }
        parts
    }

    /// Whether a check that is no target costs nothing, because the slice
    /// computes its operands anyway.
    fn is_free(&self, op: &Op) -> bool {
        // That the pointer is not null can be said without knowing what lives.
        let is_access = matches!(op, Op::Check(Check::Access { .. } | Check::AccessBytes { .. }));
        let known = |p: &Part| self.parts.contains(p) || is_access && *p == Part::Life;
        matches!(op, Op::Check(_)) && self.reads(op).iter().all(known)
    }

    fn build(&self, id: Id<Function>, useful: &[bool]) -> Slice {
        let mut origin = Origin::identity(self.program);
        let way = &mut origin.functions[id.index()];
        way.edges.clear();
        let mut edges = IdVec::default();
        let mut locations = self.function.locations.clone();
        // Where ways end that lead to no target.
        let entry = self.function.entry;
        let like = locations[entry].clone();
        let end: Id<Location> = locations.push(Location::at(like.span));
        let over = locations.push(Location::at(like.span));
        let from = LocationOrigin { function: id, location: entry, stack: None };
        way.locations.extend([from, from]);
        let mut kept = 0;
        let mut add = |edge: Edge, of: Id<Edge>| {
            way.edges.push(EdgeOrigin { function: id, edge: of, stack: None, role: Role::Same });
            edges.push(edge);
        };
        let mut end_of = None;
        for at in self.graph.order() {
            let leaving = self.graph.leaving(*at);
            let Some(first) = leaving.first() else { continue };
            end_of = end_of.or(Some(*first));
            if !useful[at.index()] {
                // Nothing leads here but edges that end the run.
                for id in leaving.iter().filter(|_| *at != entry) {
                    add(self.function.edges[*id].clone(), *id);
                }
                continue;
            }
            let some = leaving.iter().any(|e| self.matters[e.index()]);
            if leaving.len() > 1 && !some {
                let edge = &self.function.edges[*first];
                let target = self.dependence.next(*at).filter(|t| useful[t.index()]).unwrap_or(end);
                add(Edge { target, op: Op::Skip, branch: None, ..edge.clone() }, *first);
                continue;
            }
            for id in leaving {
                let edge = &self.function.edges[*id];
                let stays = self.matters[id.index()] || self.is_free(&edge.op);
                kept += usize::from(stays);
                let is_return = matches!(edge.op, Op::Return(_));
                let op = if stays || is_return || is_final(&edge.op) {
                    edge.op.clone()
                } else {
                    Op::Skip
                };
                let ends = matches!(op, Op::Halt(_) | Op::Error(_)) || useful[edge.target.index()];
                let target = if ends { edge.target } else { end };
                add(Edge { target, op, ..edge.clone() }, *id);
            }
        }
        // The start may be of no use itself.
        if let Some(first) = end_of {
            let edge = &self.function.edges[first];
            add(
                Edge {
                    source: end,
                    target: over,
                    op: Op::Halt(Halt::End),
                    branch: None,
                    ..edge.clone()
                },
                first,
            );
            if !useful[entry.index()] {
                add(
                    Edge { source: entry, target: end, op: Op::Skip, branch: None, ..edge.clone() },
                    first,
                );
            }
        }
        let mut program = self.program.clone();
        let function = &mut program.functions[id];
        (function.edges, function.locations) = (edges, locations);
        Slice { program, origin, kept }
    }
}

/// What code outside the program may reach; with `all`, what any function may.
fn shared(program: &Program, points_to: &PointsTo, regions: &Regions, all: bool) -> Vec<Part> {
    let mut parts = Vec::new();
    for (id, object) in points_to.objects().iter_enumerated() {
        let variable = match object.kind {
            ObjectKind::Variable(v) => Some(v),
            _ => None,
        };
        let is_static = variable.is_some_and(|v| {
            matches!(program.variables[v].storage, Storage::Static | Storage::Thread)
        });
        let in_memory = variable.is_none_or(|v| program.variables[v].address_taken);
        if points_to.has_escaped(id) || all && (is_static || in_memory) {
            parts.extend(variable.filter(|_| !in_memory).map(Part::Variable));
            parts.extend(regions.of_object(id).map(Part::Region));
        }
    }
    parts
}
