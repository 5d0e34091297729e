//! Control flow: locations are laid out along the edges, so that most edges
//! fall through.

use super::{Arithmetic, Instructions, Operations, Shared, Target, Values};
use crate::{Edge, Location, Op};
use parallax_base::Id;

const UNKNOWN: u32 = u32::MAX;

/// Compiles locations and edges.
pub trait Flow<'p>: Target<'p> {
    /// Compiles all that the entry leads to.
    fn control_flow(&mut self) {
        let function = &self.work().program.functions[self.work().function];
        let mut leaving: Vec<Vec<Id<Edge>>> = vec![Vec::new(); function.locations.len()];
        for (id, edge) in function.edges.iter_enumerated() {
            leaving[edge.source.index()].push(id);
        }
        self.work_mut().starts = vec![UNKNOWN; function.locations.len()];
        let mut current = Some(function.entry);
        loop {
            while let Some(location) = current {
                if self.work().starts[location.index()] != UNKNOWN {
                    let at = self.put(Shared::Jump { to: UNKNOWN });
                    self.work_mut().jumps.push((at, location));
                    break;
                }
                let leaving = &leaving[location.index()];
                let here = self.here();
                self.work_mut().starts[location.index()] = here;
                self.arrive(location, leaving);
                current = self.location(location, leaving);
            }
            let Some((jump, edge)) = self.work_mut().pending.pop() else { break };
            let here = self.here();
            self.patch(jump, here);
            current = self.edge(edge);
        }
        for (jump, location) in std::mem::take(&mut self.work_mut().jumps) {
            let start = self.work().starts[location.index()];
            self.patch(jump, start);
        }
    }

    /// The place of the next instruction.
    fn here(&self) -> u32 {
        self.work().instrs.len() as u32
    }

    /// Sets the target of the jump at a place.
    fn patch(&mut self, at: usize, target: u32) {
        if let Some(to) = self.work_mut().instrs[at].target() {
            *to = target;
        }
    }

    /// A location and what it goes on with.
    fn location(&mut self, location: Id<Location>, edges: &[Id<Edge>]) -> Option<Id<Location>> {
        let function = &self.work().program.functions[self.work().function];
        let assumes = |edge: &Id<Edge>| matches!(function.edges[*edge].op, Op::Assume(_));
        match edges {
            [] if location == function.exit => {
                self.put(Shared::Return);
                None
            }
            [] => {
                self.emit(Self::stuck());
                None
            }
            [only] if !assumes(only) => self.edge(*only),
            _ if edges.iter().all(assumes) => self.branch(location, edges),
            _ => {
                if self.choose(edges.len()) {
                    for edge in edges {
                        let at = self.put(Shared::Jump { to: UNKNOWN });
                        self.work_mut().pending.push((at, *edge));
                    }
                }
                None
            }
        }
    }

    /// One edge, without its condition.
    fn edge(&mut self, id: Id<Edge>) -> Option<Id<Location>> {
        let edge = &self.work().program.functions[self.work().function].edges[id];
        self.work_mut().begin_edge();
        self.start_edge(id);
        self.operation(edge).then_some(edge.target)
    }

    /// A branch: the first edge whose condition holds is taken.
    fn branch(&mut self, location: Id<Location>, edges: &[Id<Edge>]) -> Option<Id<Location>> {
        let function = &self.work().program.functions[self.work().function];
        let condition = |edge: Id<Edge>| match function.edges[edge].op {
            Op::Assume(condition) => Some(condition),
            _ => None,
        };
        self.work_mut().begin_edge();
        self.start_branch(location, edges);
        let (last, first) = edges.split_last()?;
        for edge in first {
            let patch = self.jump_if(condition(*edge)?, true);
            self.work_mut().pending.push((patch, *edge));
        }
        // Two opposite conditions are tested once.
        let opposite = matches!((first, condition(*last)), ([first], Some(second))
            if condition(*first).is_some_and(|first| self.are_opposite(first, second)));
        if !opposite {
            let patch = self.jump_if(condition(*last)?, true);
            self.emit(Self::stuck());
            self.work_mut().pending.push((patch, *last));
            return None;
        }
        self.edge(*last)
    }
}

impl<'p, T: Target<'p>> Flow<'p> for T {}
