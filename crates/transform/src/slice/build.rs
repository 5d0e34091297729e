//! The program of what matters.

use super::{Body, Slice, Slicer};
use crate::dependence::is_final;
use crate::origin::{EdgeOrigin, FunctionOrigin, LocationOrigin, Origin, Role};
use crate::rewrite::Arena;
use parallax_base::{Id, IdVec};
use parallax_cfa::{Argument, Callee, Check, Edge, Function, Halt, Location, Op};

impl Slicer<'_> {
    /// Whether an argument of a call that matters does.
    pub(super) fn is_passed(
        &self,
        callee: Id<Function>,
        number: usize,
        argument: &Argument,
    ) -> bool {
        if self.parts.is_always_passed(callee, number, argument) {
            return true;
        }
        let parameter = self.program.functions[callee].parameters.get(number);
        parameter.is_none_or(|v| self.needed.contains(&super::Part::Variable(*v)))
    }

    /// Whether a check that is no target costs nothing, because the slice
    /// computes its operands anyway.
    fn is_free(&self, op: &Op) -> bool {
        use super::Part;
        // That the pointer is not null can be said without knowing what lives.
        let is_access = matches!(op, Op::Check(Check::Access { .. } | Check::AccessBytes { .. }));
        let known = |p: &Part| self.needed.contains(p) || is_access && *p == Part::Life;
        matches!(op, Op::Check(_)) && self.parts.reads(op).iter().all(known)
    }

    pub(super) fn build(&self) -> Slice {
        let mut program = self.program.clone();
        let mut arena = Arena::of(self.program);
        let mut origin = Origin::identity(self.program);
        let mut kept = 0;
        for id in self.program.functions.ids() {
            let Some(body) = self.body(id) else { continue };
            if body.is_called || self.program.main == Some(id) {
                let way = &mut origin.functions[id.index()];
                kept += self.function(id, body, &mut arena, &mut program.functions[id], way);
            }
        }
        (program.exprs, program.places) = (arena.exprs, arena.places);
        Slice { program, origin, kept }
    }

    /// Builds a function; gives how many of its edges matter.
    fn function(
        &self,
        id: Id<Function>,
        body: &Body<'_>,
        arena: &mut Arena,
        new: &mut Function,
        way: &mut FunctionOrigin,
    ) -> usize {
        way.edges.clear();
        let mut edges = IdVec::default();
        let mut locations = body.function.locations.clone();
        // Where ways end that lead to no target.
        let entry = body.function.entry;
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
        let useful = &body.useful;
        let mut end_of = None;
        for at in body.graph.order() {
            let leaving = body.graph.leaving(*at);
            let Some(first) = leaving.first() else { continue };
            end_of = end_of.or(Some(*first));
            if !useful[at.index()] {
                // Nothing leads here but edges that end the run.
                for id in leaving.iter().filter(|_| *at != entry) {
                    add(body.function.edges[*id].clone(), *id);
                }
                continue;
            }
            let some = leaving.iter().any(|e| body.matters[e.index()]);
            if leaving.len() > 1 && !some {
                let edge = &body.function.edges[*first];
                let target = body.dependence.next(*at).filter(|t| useful[t.index()]).unwrap_or(end);
                add(Edge { target, op: Op::Skip, branch: None, ..edge.clone() }, *first);
                continue;
            }
            for edge_id in leaving {
                let edge = &body.function.edges[*edge_id];
                let stays = body.matters[edge_id.index()] || self.is_free(&edge.op);
                kept += usize::from(stays);
                let op = match &edge.op {
                    Op::Return(Some(Argument::Scalar(e))) if !body.is_result => {
                        let zero = arena.int(0, self.program.exprs[*e].ty);
                        Op::Return(Some(Argument::Scalar(zero)))
                    }
                    call @ Op::Call { .. } if stays => self.call(id, *edge_id, call, arena),
                    op if stays || matches!(op, Op::Return(_)) || is_final(op) => op.clone(),
                    _ => Op::Skip,
                };
                let ends = matches!(op, Op::Halt(_) | Op::Error(_)) || useful[edge.target.index()];
                let target = if ends { edge.target } else { end };
                add(Edge { target, op, ..edge.clone() }, *edge_id);
            }
        }
        // The start may be of no use itself.
        if let Some(first) = end_of {
            let edge = &body.function.edges[first];
            let op = Op::Halt(Halt::End);
            let halt = Edge { source: end, target: over, op, branch: None, ..edge.clone() };
            add(halt, first);
            if !useful[entry.index()] {
                let op = Op::Skip;
                let skip = Edge { source: entry, target: end, op, branch: None, ..edge.clone() };
                add(skip, first);
            }
        }
        (new.edges, new.locations) = (edges, locations);
        kept
    }

    /// A call that matters, without what does not matter of it: the values there
    /// may be wrong, and so may be where they are stored.
    fn call(&self, function: Id<Function>, edge: Id<Edge>, op: &Op, arena: &mut Arena) -> Op {
        let (Some(callee), Op::Call { to, arguments, .. }) = (self.called(op), op) else {
            return op.clone();
        };
        let arguments = arguments.iter().enumerate().map(|(number, argument)| match *argument {
            Argument::Scalar(e) if !self.is_passed(callee, number, argument) => {
                Argument::Scalar(arena.int(0, self.program.exprs[e].ty))
            }
            argument => argument,
        });
        let arguments = arguments.collect();
        let to = to.filter(|_| self.results.contains(&(function, edge)));
        Op::Call { to, callee: Callee::Direct(callee), arguments }
    }
}
