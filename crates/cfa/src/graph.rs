//! Finding one's way in a control-flow automaton.

use crate::{Edge, Function, Location};
use parallax_base::Id;

/// The edges of a function by the locations they leave and enter, the order of
/// its locations and its loops.
#[derive(Clone, Debug)]
pub struct Graph {
    leaving: Vec<Vec<Id<Edge>>>,
    entering: Vec<Vec<Id<Edge>>>,
    order: Vec<Id<Location>>,
    back: Vec<Id<Edge>>,
    heads: Vec<bool>,
}

impl Graph {
    /// The graph of a function.
    pub fn new(function: &Function) -> Graph {
        let count = function.locations.len();
        let mut leaving = vec![Vec::new(); count];
        let mut entering = vec![Vec::new(); count];
        for (id, edge) in function.edges.iter_enumerated() {
            leaving[edge.source.index()].push(id);
            entering[edge.target.index()].push(id);
        }
        let mut graph = Graph {
            leaving,
            entering,
            order: Vec::new(),
            back: Vec::new(),
            heads: vec![false; count],
        };
        if function.is_defined {
            graph.search(function);
        }
        graph
    }

    /// Depth-first search from the entry, without recursion. An edge to a
    /// location on the current way closes a loop.
    fn search(&mut self, function: &Function) {
        #[derive(Clone, Copy, PartialEq)]
        enum Color {
            New,
            OnWay,
            Done,
        }
        let mut colors = vec![Color::New; function.locations.len()];
        let mut way = vec![(function.entry, 0)];
        colors[function.entry.index()] = Color::OnWay;
        while let Some((location, next)) = way.last_mut() {
            let Some(edge) = self.leaving[location.index()].get(*next).copied() else {
                colors[location.index()] = Color::Done;
                self.order.push(*location);
                way.pop();
                continue;
            };
            *next += 1;
            let target = function.edges[edge].target;
            match colors[target.index()] {
                Color::New => {
                    colors[target.index()] = Color::OnWay;
                    way.push((target, 0));
                }
                Color::OnWay => {
                    self.back.push(edge);
                    self.heads[target.index()] = true;
                }
                Color::Done => {}
            }
        }
        self.order.reverse();
        self.back.sort();
    }

    /// The edges that leave a location, in order.
    pub fn leaving(&self, location: Id<Location>) -> &[Id<Edge>] {
        &self.leaving[location.index()]
    }

    /// The edges that enter a location, in order.
    pub fn entering(&self, location: Id<Location>) -> &[Id<Edge>] {
        &self.entering[location.index()]
    }

    /// The locations that can be reached, each before its successors but for
    /// loops (reverse postorder).
    pub fn order(&self) -> &[Id<Location>] {
        &self.order
    }

    /// The edges that close loops, in order.
    pub fn back_edges(&self) -> &[Id<Edge>] {
        &self.back
    }

    /// Whether some edge closes a loop here.
    pub fn is_loop_head(&self, location: Id<Location>) -> bool {
        self.heads[location.index()]
    }

    /// A number for each location that can be reached: the same for two that
    /// lie on one cycle, and for no others (Sharir, 1981). The function must be
    /// that of the graph.
    pub fn components(&self, function: &Function) -> Vec<Option<u32>> {
        let mut component = vec![None; self.leaving.len()];
        let mut reached = vec![false; self.leaving.len()];
        self.order.iter().for_each(|at| reached[at.index()] = true);
        for (number, root) in self.order.iter().enumerate() {
            if component[root.index()].is_some() {
                continue;
            }
            component[root.index()] = Some(number as u32);
            let mut open = vec![*root];
            while let Some(at) = open.pop() {
                for edge in self.entering(at) {
                    let source = function.edges[*edge].source;
                    let place = &mut component[source.index()];
                    if place.is_none() && reached[source.index()] {
                        *place = Some(number as u32);
                        open.push(source);
                    }
                }
            }
        }
        component
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Op;
    use parallax_base::{IdVec, Span};

    /// A function with edges between numbered locations.
    fn function(count: usize, edges: &[(usize, usize)]) -> Function {
        let location = Location::at(Span::default());
        Function {
            name: "f".into(),
            ty: Id::new(0),
            parameters: Vec::new(),
            is_defined: true,
            is_library: false,
            locations: (0..count).map(|_| location.clone()).collect(),
            edges: edges
                .iter()
                .map(|(source, target)| Edge {
                    source: Id::new(*source),
                    target: Id::new(*target),
                    op: Op::Skip,
                    span: Span::default(),
                    branch: None,
                })
                .collect::<IdVec<Edge>>(),
            entry: Id::new(0),
            exit: Id::new(count - 1),
            span: Span::default(),
        }
    }

    #[test]
    fn cycles_have_numbers_of_their_own() {
        let edges = [(0, 1), (1, 2), (2, 1), (2, 3), (3, 3), (3, 4), (5, 4)];
        let function = function(6, &edges);
        let found = Graph::new(&function).components(&function);
        let same = |a: usize, b: usize| found[a] == found[b];
        assert!(same(1, 2) && !same(0, 1) && !same(2, 3) && !same(3, 4));
        assert_eq!(found[5], None);
    }

    #[test]
    fn order_and_loops() {
        let check = |count, edges: &[(usize, usize)], order: &[usize], heads: &[usize]| {
            let graph = Graph::new(&function(count, edges));
            let found: Vec<usize> = graph.order().iter().map(|l| l.index()).collect();
            assert_eq!(found, order);
            let found: Vec<usize> =
                (0..count).filter(|l| graph.is_loop_head(Id::new(*l))).collect();
            assert_eq!(found, heads);
        };
        check(4, &[(0, 1), (0, 2), (1, 3), (2, 3)], &[0, 2, 1, 3], &[]);
        check(4, &[(0, 1), (1, 2), (2, 1), (1, 3)], &[0, 1, 3, 2], &[1]);
        check(3, &[(0, 0), (0, 2)], &[0, 2], &[0]);
        check(5, &[(0, 1), (1, 2), (2, 3), (3, 2), (3, 1), (1, 4)], &[0, 1, 4, 2, 3], &[1, 2]);
    }
}
