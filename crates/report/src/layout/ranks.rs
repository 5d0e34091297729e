//! Which edges point up, and on which rank each node stands.

/// Finds edges to turn around so that no cycle remains: those that lead back
/// to a node of the current path of a depth-first search from `roots`. Edges
/// of an acyclic graph are never turned.
pub(super) fn back_edges(count: usize, edges: &[(usize, usize)], roots: &[usize]) -> Vec<bool> {
    let leaving = outgoing(count, edges);
    let mut entered = vec![false; count];
    for &(_, to) in edges {
        entered[to] = true;
    }
    // Nodes nothing leads to are natural beginnings; then whatever is left.
    let sources = (0..count).filter(|&n| !entered[n]);
    let order = roots.iter().copied().chain(sources).chain(0..count);

    #[derive(Clone, Copy, PartialEq)]
    enum Color {
        New,
        OnPath,
        Done,
    }
    let mut color = vec![Color::New; count];
    let mut back = vec![false; edges.len()];
    let mut path: Vec<(usize, usize)> = Vec::new();
    for root in order {
        if color[root] != Color::New {
            continue;
        }
        color[root] = Color::OnPath;
        path.push((root, 0));
        while let Some((node, next)) = path.last_mut() {
            let Some(&edge) = leaving[*node].get(*next) else {
                color[*node] = Color::Done;
                path.pop();
                continue;
            };
            *next += 1;
            let to = edges[edge].1;
            match color[to] {
                Color::New => {
                    color[to] = Color::OnPath;
                    path.push((to, 0));
                }
                Color::OnPath => back[edge] = true,
                Color::Done => {}
            }
        }
    }
    back
}

fn outgoing(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut leaving = vec![Vec::new(); count];
    for (index, &(from, _)) in edges.iter().enumerate() {
        leaving[from].push(index);
    }
    leaving
}

/// Ranks of an acyclic graph: every edge leads at least `step` down.
///
/// Longest path from the sources, then each node is moved where its edges get
/// shorter in sum: nodes with more edges below than above sink.
pub(super) fn assign(count: usize, edges: &[(usize, usize)], step: usize) -> Vec<usize> {
    let leaving = outgoing(count, edges);
    let mut missing = vec![0usize; count];
    for &(_, to) in edges {
        missing[to] += 1;
    }
    let entering = missing.clone();
    let mut order: Vec<usize> = (0..count).filter(|&n| missing[n] == 0).collect();
    let mut rank = vec![0usize; count];
    let mut done = 0;
    while let Some(&node) = order.get(done) {
        done += 1;
        for &edge in &leaving[node] {
            let to = edges[edge].1;
            rank[to] = rank[to].max(rank[node] + step);
            missing[to] -= 1;
            if missing[to] == 0 {
                order.push(to);
            }
        }
    }
    for &node in order.iter().rev() {
        if leaving[node].len() > entering[node] {
            let below = leaving[node].iter().map(|&e| rank[edges[e].1]).min();
            rank[node] = below.map_or(rank[node], |r| r.saturating_sub(step).max(rank[node]));
        }
    }
    let top = rank.iter().copied().min().unwrap_or(0);
    rank.iter_mut().for_each(|r| *r -= top);
    rank
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(edges: &[(usize, usize)], roots: &[usize], back: &[usize], ranks: &[usize]) {
        let turned = back_edges(ranks.len(), edges, roots);
        let found: Vec<usize> = (0..edges.len()).filter(|&e| turned[e]).collect();
        assert_eq!(found, back);
        let flip = |(&(a, b), &t): (&(usize, usize), &bool)| if t { (b, a) } else { (a, b) };
        let down: Vec<(usize, usize)> = edges.iter().zip(&turned).map(flip).collect();
        assert_eq!(assign(ranks.len(), &down, 1), ranks);
    }

    #[test]
    fn only_edges_into_the_current_path_turn() {
        check(&[(0, 1), (1, 2), (2, 0)], &[0], &[2], &[0, 1, 2]);
        check(&[(0, 1), (1, 2), (2, 0)], &[1], &[0], &[2, 0, 1]);
        check(&[(0, 2), (0, 1), (1, 2)], &[0], &[], &[0, 1, 2]);
    }

    #[test]
    fn a_source_sinks_towards_its_targets() {
        check(&[(0, 1), (1, 2), (2, 3), (4, 3)], &[0], &[], &[0, 1, 2, 3, 2]);
    }
}
