//! Open nodes, in the order in which they are explored.

use super::arg::Node;
use super::place::Location;
use parallax_base::Id;
use parallax_ir::Program;
use std::collections::BTreeMap;

/// In which order open nodes are explored.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// Newest first.
    Dfs,
    /// Oldest first.
    Bfs,
    /// By location in reverse postorder, oldest first among equals: what a
    /// loop leads to waits for the loop.
    #[default]
    Rpo,
}

/// Open nodes. Those at a location of the target come first.
#[derive(Clone, Debug)]
pub(crate) struct Waitlist {
    order: Order,
    open: BTreeMap<(u64, i64), Id<Node>>,
    count: i64,
    /// Per process: the rank of each location.
    ranks: Vec<Vec<u64>>,
}

impl Waitlist {
    pub(crate) fn new(program: &Program, order: Order) -> Waitlist {
        let ranks = match order {
            Order::Rpo => program.processes.iter().map(ranks).collect(),
            Order::Dfs | Order::Bfs => Vec::new(),
        };
        Waitlist { order, open: BTreeMap::new(), count: 0, ranks }
    }

    pub(crate) fn push(&mut self, id: Id<Node>, location: &Location, urgent: bool) {
        self.count += 1;
        let rank: u64 =
            self.ranks.iter().zip(location.iter()).map(|(ranks, &at)| ranks[at as usize]).sum();
        let turn = if self.order == Order::Dfs { -self.count } else { self.count };
        let key = if urgent { (0, turn) } else { (rank + 1, turn) };
        self.open.insert(key, id);
    }

    pub(crate) fn pop(&mut self) -> Option<Id<Node>> {
        self.open.pop_first().map(|(_, id)| id)
    }
}

/// The locations of a process, numbered in reverse postorder of a depth-first
/// walk along its edges.
fn ranks(process: &parallax_ir::Process) -> Vec<u64> {
    let count = process.locations.len();
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); count];
    for edge in &process.edges {
        successors[edge.source.index()].push(edge.target.index());
    }
    let mut ranks = vec![0; count];
    let mut seen = vec![false; count];
    let mut next = count as u64;
    let mut stack = vec![(process.initial.index(), 0)];
    seen[process.initial.index()] = true;
    while let Some((at, tried)) = stack.pop() {
        match successors[at].get(tried) {
            Some(&to) => {
                stack.push((at, tried + 1));
                if !std::mem::replace(&mut seen[to], true) {
                    stack.push((to, 0));
                }
            }
            None => {
                next -= 1;
                ranks[at] = next;
            }
        }
    }
    ranks
}
