//! Nested depth-first search for an accepting cycle.
//!
//! Courcoubetis, Vardi, Wolper, Yannakakis (FMSD 1992), with the colors and
//! the early detection of Schwoon and Esparza (*A Note on On-The-Fly
//! Verification Algorithms*, TACAS 2005): the first search paints nodes on its
//! path cyan; when it leaves an accepting node, the second search, painting
//! red, looks for a way back to a cyan node. No recursion.

use crate::product::Product;
use parallax_base::{Budget, Stop};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Color {
    /// Not met yet.
    White,
    /// On the path of the first search.
    Cyan,
    /// Left by the first search.
    Blue,
    /// On no accepting cycle.
    Red,
}

/// An accepting node on a cycle that can be reached, if there is one, and how
/// many nodes were met.
pub(crate) fn accepting_cycle(
    product: &Product<'_>,
    budget: &Budget,
) -> Result<(Option<usize>, u64), Stop> {
    let mut search = Search { product, budget, color: vec![Color::White; product.size()], met: 0 };
    for root in product.initial() {
        if search.color[root] == Color::White
            && let Some(found) = search.first(root)?
        {
            return Ok((Some(found), search.met));
        }
    }
    Ok((None, search.met))
}

/// A node on the path of a search and the edge to take next.
struct Frame {
    node: usize,
    edge: usize,
    /// Whether all successors seen are on no accepting cycle.
    all_red: bool,
}

struct Search<'a> {
    product: &'a Product<'a>,
    budget: &'a Budget,
    color: Vec<Color>,
    met: u64,
}

impl Search<'_> {
    fn meet(&mut self) -> Result<(), Stop> {
        self.met += 1;
        if self.met.is_multiple_of(1024) { self.budget.check() } else { Ok(()) }
    }

    fn first(&mut self, root: usize) -> Result<Option<usize>, Stop> {
        let frame = |node| Frame { node, edge: 0, all_red: true };
        self.color[root] = Color::Cyan;
        self.meet()?;
        let mut path = vec![frame(root)];
        while let Some(top) = path.last_mut() {
            let node = top.node;
            let Some(next) = self.product.successor(node, top.edge) else {
                let all_red = top.all_red;
                if all_red {
                    self.color[node] = Color::Red;
                } else if self.product.is_accepting(node) {
                    if self.second(node)? {
                        return Ok(Some(node));
                    }
                    self.color[node] = Color::Red;
                } else {
                    self.color[node] = Color::Blue;
                }
                let red = self.color[node] == Color::Red;
                path.pop();
                if let Some(parent) = path.last_mut() {
                    parent.all_red &= red;
                }
                continue;
            };
            top.edge += 1;
            match self.color[next] {
                Color::Cyan => {
                    top.all_red = false;
                    let accepting =
                        [next, node].into_iter().find(|n| self.product.is_accepting(*n));
                    if accepting.is_some() {
                        return Ok(accepting);
                    }
                }
                Color::White => {
                    self.color[next] = Color::Cyan;
                    self.meet()?;
                    path.push(frame(next));
                }
                Color::Blue => top.all_red = false,
                Color::Red => {}
            }
        }
        Ok(None)
    }

    /// Whether there is a way from an accepting node back to the path.
    fn second(&mut self, seed: usize) -> Result<bool, Stop> {
        let mut path = vec![(seed, 0)];
        while let Some(top) = path.last_mut() {
            let Some(next) = self.product.successor(top.0, top.1) else {
                path.pop();
                continue;
            };
            top.1 += 1;
            match self.color[next] {
                Color::Cyan => return Ok(true),
                Color::Blue => {
                    self.color[next] = Color::Red;
                    self.meet()?;
                    path.push((next, 0));
                }
                Color::White | Color::Red => {}
            }
        }
        Ok(false)
    }
}
