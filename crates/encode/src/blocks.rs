//! Control-flow automata to edges between cut points.
//!
//! Cut points are the start, the heads of loops, locations that are marked as
//! such, and the ends; or, on request, every location. Everything between two cut points is one edge: its guard
//! and updates are found by symbolic execution in topological order, with paths
//! joined where they meet (large-block encoding: Beyer, Cimatti, Griggio,
//! Keremoglu, Sebastiani, FMCAD 2009). With all locations as cut points, an
//! edge is one operation.
//!
//! Invariant: every cycle has a cut point, so the region behind one is acyclic.

use crate::Passes;
use crate::encoder::Encoder;
use crate::execute::{End, Outcome};
use crate::state::State;
use parallax_base::{Id, Span};
use parallax_cfa::{Edge, Function, Location, Mark, Op};
use std::collections::BTreeMap;

/// The cut points and the order of locations.
pub(crate) struct Cuts {
    /// Position of each location in reverse postorder; `None` if not reachable.
    pub(crate) order: Vec<Option<u32>>,
    /// Which locations are cut points.
    pub(crate) is_cut: Vec<bool>,
    /// Edges by source.
    pub(crate) out: Vec<Vec<Id<Edge>>>,
    /// Where ways meet, or are cut.
    pub(crate) meets: Vec<bool>,
}

impl Cuts {
    /// The cut points of a function.
    pub(crate) fn new(function: &Function, every: bool) -> Cuts {
        let count = function.locations.len();
        let mut out = vec![Vec::new(); count];
        for (id, edge) in function.edges.iter_enumerated() {
            out[edge.source.index()].push(id);
        }
        let mut is_cut = vec![every; count];
        // Nothing leaves the exit: a block that comes there is at its end.
        is_cut[function.exit.index()] = false;
        is_cut[function.entry.index()] = true;
        for (at, location) in function.locations.iter_enumerated() {
            is_cut[at.index()] |= matches!(location.mark, Some(Mark::Cut(_)));
        }
        // Depth first; an edge to a location still open closes a cycle.
        let mut status = vec![0u8; count];
        let mut postorder = Vec::with_capacity(count);
        let mut stack = vec![(function.entry.index(), 0)];
        status[function.entry.index()] = 1;
        while let Some((at, next)) = stack.last_mut() {
            let at = *at;
            let Some(&edge) = out[at].get(*next) else {
                status[at] = 2;
                postorder.push(at);
                stack.pop();
                continue;
            };
            *next += 1;
            let target = function.edges[edge].target.index();
            match status[target] {
                0 => {
                    status[target] = 1;
                    stack.push((target, 0));
                }
                1 => is_cut[target] = true,
                _ => {}
            }
        }
        let mut order = vec![None; count];
        for (position, &at) in postorder.iter().rev().enumerate() {
            order[at] = Some(position as u32);
        }
        let mut meets = is_cut.clone();
        let mut seen = vec![false; count];
        for edge in &function.edges {
            let target = edge.target.index();
            meets[target] |= std::mem::replace(&mut seen[target], true);
        }
        Cuts { order, is_cut, out, meets }
    }

    /// Makes a location a cut point.
    pub(crate) fn stand_at(&mut self, at: Id<Location>) {
        (self.is_cut[at.index()], self.meets[at.index()]) = (true, true);
    }
}

/// Where a block leads.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Target {
    /// Another cut point.
    Cut(usize),
    /// The end of the run; the span is that of the operation that ended it.
    End(End, Span),
}

impl Encoder<'_> {
    /// Everything that can happen between a cut point and the next ones.
    pub(crate) fn block(
        &mut self,
        function: &Function,
        cuts: &Cuts,
        start: Id<Location>,
    ) -> Vec<(Target, State)> {
        self.inputs.clear();
        let mut found: BTreeMap<Target, State> = BTreeMap::new();
        let mut open: BTreeMap<u32, (usize, State)> = BTreeMap::new();
        open.insert(cuts.order[start.index()].unwrap_or(0), (start.index(), State::default()));
        while let Some((_, (at, state))) = open.pop_first() {
            if at == function.exit.index() {
                let span = function.locations[Id::new(at)].span;
                let outcome = self.finish(state);
                self.collect(&mut found, outcome, span);
                continue;
            }
            let edges = &cuts.out[at];
            let branches = edges.len() > 1
                && !edges.iter().all(|&e| matches!(function.edges[e].op, Op::Assume(_)));
            for &id in edges {
                let edge = &function.edges[id];
                (self.edge, self.location) = (id, edge.source);
                let mut state = state.clone();
                if branches && !self.pick(&mut state) {
                    continue;
                }
                let mut outcome = self.execute(edge, state);
                let next = outcome.next.take();
                self.collect(&mut found, outcome, edge.span);
                let Some(mut next) = next else { continue };
                let target = edge.target.index();
                if let Some(Mark::Note(number)) = function.locations[edge.target].mark {
                    next.noted = Some(self.store.int(i64::from(number)));
                }
                if cuts.meets[target] && self.options.passes == Passes::All {
                    self.forget_dead(&mut next, target);
                }
                if cuts.is_cut[target] {
                    self.add(&mut found, Target::Cut(target), next);
                } else if let Some(order) = cuts.order[target] {
                    let joined = match open.remove(&order) {
                        Some((_, other)) => other.join(&mut self.store, next, &self.symbols),
                        None => next,
                    };
                    open.insert(order, (target, joined));
                }
            }
        }
        found.into_iter().collect()
    }

    fn collect(&mut self, found: &mut BTreeMap<Target, State>, outcome: Outcome, span: Span) {
        for (end, state) in outcome.ends {
            // One end for all violations of a property: the run shows which.
            let span = match end {
                End::Gap(_) => span,
                End::Violated(_) | End::Finished => Span::default(),
            };
            self.add(found, Target::End(end, span), state);
        }
    }

    fn add(&mut self, found: &mut BTreeMap<Target, State>, target: Target, state: State) {
        let joined = match found.remove(&target) {
            Some(other) => other.join(&mut self.store, state, &self.symbols),
            None => state,
        };
        found.insert(target, joined);
    }

    /// Edges that do not exclude each other are told apart by a free choice.
    fn pick(&mut self, state: &mut State) -> bool {
        let choice = self.any_truth("choice");
        state.assume(&mut self.store, choice)
    }
}
