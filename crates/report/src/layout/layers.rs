//! The layered graph: nodes and bends on ranks, edges only between neighbors.

use super::Extent;

/// More bends than this are not made: the longest edges then go straight
/// through the middle of their way, behind the nodes.
const MAX_BENDS: usize = 60_000;

/// A node or a bend of an edge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Item {
    pub(super) rank: usize,
    pub(super) extent: Extent,
    /// A bend without a label; such bends may come closer to each other.
    pub(super) bend: bool,
}

/// Items on ranks. The first items are the nodes, in order.
#[derive(Clone, Debug, Default)]
pub(super) struct Layered {
    pub(super) items: Vec<Item>,
    /// Neighbors on the rank above and below.
    pub(super) up: Vec<Vec<usize>>,
    pub(super) down: Vec<Vec<usize>>,
    /// The items of each edge from its upper to its lower node. Neighbors in
    /// the list are on adjacent ranks, except where bends were saved.
    pub(super) chains: Vec<Vec<usize>>,
    /// The item of each edge that carries its label.
    pub(super) label_at: Vec<Option<usize>>,
    /// Items of each rank from left to right.
    pub(super) ranks: Vec<Vec<usize>>,
}

/// An edge that points down, with the room its label needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct DownEdge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) label: Option<Extent>,
}

impl Layered {
    /// Puts bends on every rank an edge passes; labels go near the middle, on
    /// an odd distance from the upper node.
    pub(super) fn new(nodes: &[Extent], rank: &[usize], edges: &[DownEdge]) -> Layered {
        let mut layered = Layered::default();
        for (&extent, &rank) in nodes.iter().zip(rank) {
            layered.add(Item { rank, extent, bend: false });
        }
        let cutoff = cutoff(edges.iter().map(|e| rank[e.to] - rank[e.from]));
        for edge in edges {
            let (top, bottom) = (rank[edge.from], rank[edge.to]);
            let span = bottom - top;
            let label_rank = top + ((span / 2).saturating_sub(1) | 1);
            let mut chain = vec![edge.from];
            let mut label_at = None;
            for rank in top + 1..bottom {
                let has_label = edge.label.is_some() && rank == label_rank;
                let near_end = rank == top + 1 || rank + 1 == bottom;
                if span > cutoff && !has_label && !near_end {
                    continue;
                }
                let thin = Extent { left: 0.0, right: 0.0, height: 0.0 };
                let extent = edge.label.filter(|_| has_label).unwrap_or(thin);
                let item = layered.add(Item { rank, extent, bend: !has_label });
                if has_label {
                    label_at = Some(item);
                }
                layered.link(&chain, item);
                chain.push(item);
            }
            layered.link(&chain, edge.to);
            chain.push(edge.to);
            layered.chains.push(chain);
            layered.label_at.push(label_at);
        }
        let last = layered.items.iter().map(|i| i.rank).max().map_or(0, |r| r + 1);
        layered.ranks = vec![Vec::new(); last];
        layered
    }

    fn add(&mut self, item: Item) -> usize {
        self.items.push(item);
        self.up.push(Vec::new());
        self.down.push(Vec::new());
        self.items.len() - 1
    }

    /// Makes the end of a chain and `item` neighbors if they are on adjacent
    /// ranks.
    fn link(&mut self, chain: &[usize], item: usize) {
        let Some(&last) = chain.last() else { return };
        if self.items[last].rank + 1 == self.items[item].rank {
            self.down[last].push(item);
            self.up[item].push(last);
        }
    }

    /// Position of each item in its rank.
    pub(super) fn positions(&self) -> Vec<usize> {
        let mut position = vec![0; self.items.len()];
        for rank in &self.ranks {
            for (i, &item) in rank.iter().enumerate() {
                position[item] = i;
            }
        }
        position
    }
}

/// The longest span that still gets all its bends.
fn cutoff(spans: impl Iterator<Item = usize>) -> usize {
    let mut spans: Vec<usize> = spans.collect();
    spans.sort_unstable();
    let mut bends = 0;
    for span in spans {
        bends += span;
        if bends > MAX_BENDS {
            return span.saturating_sub(1);
        }
    }
    usize::MAX
}
