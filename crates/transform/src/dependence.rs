//! Which branches decide whether a location is reached.
//!
//! All walks use explicit stacks. Edges count one by one, so two edges between
//! the same locations are two neighbors.

use parallax_base::Id;
use parallax_cfa::{Edge, Function, Graph, Location, Op};
use std::collections::BTreeSet;

/// Whether a run ends with this operation, so that the target is not reached.
pub fn is_final(op: &Op) -> bool {
    matches!(op, Op::Error(_) | Op::Halt(_) | Op::Unsupported(_))
}

/// How a run may end at an operation from which it can also go on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Way {
    /// It goes on.
    On,
    /// With an error, or at what is not modelled.
    Fails,
    /// In another way, or it stays there for ever.
    Halts,
}

/// Post-dominance and control dependence in a function.
#[derive(Clone, Debug)]
pub struct Dependence {
    /// The immediate post-dominator of each location: the next one that every
    /// way to an end passes. `None` is the end of the run.
    parents: Vec<Option<usize>>,
    /// The branching locations that decide whether it is reached.
    deciders: Vec<Vec<Id<Location>>>,
}

impl Dependence {
    /// The dependence in a function (Ferrante, Ottenstein, Warren, TOPLAS 1987).
    ///
    /// A run may stay in a loop for ever if neither a return nor a halt can be
    /// reached from its head: the head counts as one that may end. Otherwise an
    /// error in an endless loop would lie on every way, and no branch would
    /// decide about it.
    pub fn of(function: &Function, graph: &Graph) -> Dependence {
        Dependence::across(function, graph, &|_| Way::On)
    }

    /// The same in a function with operations where a run may end, such as calls
    /// that may not return. What follows one of them depends on it.
    pub fn across(function: &Function, graph: &Graph, way: &dyn Fn(&Op) -> Way) -> Dependence {
        let at = |at: Id<Location>| {
            let leaving = graph.leaving(at).iter();
            leaving.map(|e| way(&function.edges[*e].op)).max().unwrap_or(Way::On)
        };
        let ways = function.locations.ids().map(at).collect();
        let work = Work { function, graph, ways };
        let (parents, to_end) = work.post_dominators();
        let deciders = work.control_dependence(&parents, &to_end);
        Dependence { parents, deciders }
    }

    /// The location that every way from here passes next.
    pub fn next(&self, at: Id<Location>) -> Option<Id<Location>> {
        self.parents[at.index()].map(Id::new)
    }

    /// The branching locations that decide whether a location is reached.
    pub fn deciders(&self, at: Id<Location>) -> &[Id<Location>] {
        &self.deciders[at.index()]
    }
}

struct Work<'a> {
    function: &'a Function,
    graph: &'a Graph,
    /// How a run may end at each location.
    ways: Vec<Way>,
}

impl Work<'_> {
    /// Whether a location decides about what follows.
    fn branches(&self, at: Id<Location>) -> bool {
        self.graph.leaving(at).len() > 1 || self.ways[at.index()] > Way::On
    }

    fn control_dependence(
        &self,
        parents: &[Option<usize>],
        to_end: &[bool],
    ) -> Vec<Vec<Id<Location>>> {
        let mut decided = vec![Vec::new(); parents.len()];
        let branches = |at: Id<Location>| self.branches(at);
        for at in self.graph.order() {
            if !branches(*at) && !to_end[at.index()] {
                continue;
            }
            let stop = parents[at.index()];
            for edge in self.graph.leaving(*at) {
                let edge = &self.function.edges[*edge];
                let mut next = (!is_final(&edge.op)).then(|| edge.target.index());
                while let Some(node) = next {
                    if Some(node) == stop {
                        break;
                    }
                    let list: &mut Vec<Id<Location>> = &mut decided[node];
                    if list.last() != Some(at) {
                        list.push(*at);
                    }
                    next = parents[node];
                }
            }
        }
        // A head without branches decides nothing itself: what depends on it
        // depends on what decides whether it is reached.
        let direct = decided.clone();
        for list in decided.iter_mut().filter(|list| !list.iter().all(|at| branches(*at))) {
            let mut found: BTreeSet<Id<Location>> = list.iter().copied().collect();
            let mut open = std::mem::take(list);
            while let Some(at) = open.pop() {
                if !branches(at) {
                    let more = direct[at.index()].iter().copied();
                    open.extend(more.filter(|more| found.insert(*more)));
                }
            }
            list.extend(found.into_iter().filter(|at| branches(*at)));
        }
        decided
    }

    /// The immediate post-dominator of each location; `None` is the end of the
    /// run (Cooper, Harvey, Kennedy, 2001, on the reversed graph). Then the
    /// locations from which the run may end beside their edges.
    fn post_dominators(&self) -> (Vec<Option<usize>>, Vec<bool>) {
        let count = self.function.locations.len();
        // The virtual end has number `count`.
        let mut ends: Vec<usize> = Vec::new();
        for at in self.graph.order() {
            let out = self.graph.leaving(*at);
            let halts = |e: &Id<Edge>| matches!(self.function.edges[*e].op, Op::Halt(_));
            if out.is_empty() || out.iter().any(halts) || self.ways[at.index()] == Way::Halts {
                ends.push(at.index());
            }
        }
        let mut to_end = vec![false; count];
        ends.iter().for_each(|&at| to_end[at] = true);
        let mut rank = vec![usize::MAX; count + 1];
        let mut order = Vec::new();
        let mut seen = vec![false; count];
        self.number_back(&ends, &mut seen, &mut order);
        for at in self.graph.order().iter().filter(|at| self.graph.is_loop_head(**at)) {
            to_end[at.index()] |= !seen[at.index()];
        }
        for at in self.graph.order() {
            to_end[at.index()] |= self.ways[at.index()] == Way::Fails;
        }
        let rest = self.graph.order().iter().rev().map(|at| at.index());
        let fails = |at: usize| {
            let leaving = self.graph.leaving(Id::new(at)).iter();
            leaving.into_iter().any(|e| is_final(&self.function.edges[*e].op))
        };
        let rest: Vec<usize> = rest.filter(|&at| to_end[at] || fails(at)).collect();
        self.number_back(&rest, &mut seen, &mut order);
        order.push(count);
        order.reverse();
        for (i, node) in order.iter().enumerate() {
            rank[*node] = i;
        }
        let mut parent = vec![usize::MAX; count + 1];
        parent[count] = count;
        let mut changed = true;
        while changed {
            changed = false;
            for node in &order[1..] {
                let mut best = if to_end[*node] { Some(count) } else { None };
                for edge in self.graph.leaving(Id::new(*node)) {
                    let edge = &self.function.edges[*edge];
                    let next = if is_final(&edge.op) { count } else { edge.target.index() };
                    if parent[next] == usize::MAX {
                        continue;
                    }
                    best = Some(best.map_or(next, |b| meet(&parent, &rank, b, next)));
                }
                if let Some(best) = best
                    && parent[*node] != best
                {
                    parent[*node] = best;
                    changed = true;
                }
            }
        }
        parent.truncate(count);
        (parent.into_iter().map(|p| (p < count).then_some(p)).collect(), to_end)
    }

    fn number_back(&self, roots: &[usize], seen: &mut [bool], order: &mut Vec<usize>) {
        for root in roots {
            if std::mem::replace(&mut seen[*root], true) {
                continue;
            }
            let mut walk = vec![(*root, 0usize)];
            while let Some((node, next)) = walk.last_mut() {
                match self.graph.entering(Id::new(*node)).get(*next) {
                    Some(edge) => {
                        *next += 1;
                        let edge = &self.function.edges[*edge];
                        let source = edge.source;
                        // Unreachable predecessors do no harm.
                        if !is_final(&edge.op) && !seen[source.index()] {
                            seen[source.index()] = true;
                            walk.push((source.index(), 0));
                        }
                    }
                    None => {
                        order.push(*node);
                        walk.pop();
                    }
                }
            }
        }
    }
}

fn meet(parent: &[usize], rank: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        while rank[a] > rank[b] {
            a = parent[a];
        }
        while rank[b] > rank[a] {
            b = parent[b];
        }
    }
    a
}
