//! Strongly connected components, without recursion.

/// The number of the component of each of `n` nodes; `successor` gives the nth
/// successor of a node. Components are numbered so that no edge leads to a
/// larger number (Tarjan, SIAM J. Comput. 1972).
pub fn components(n: usize, successor: impl Fn(usize, usize) -> Option<usize>) -> Vec<usize> {
    const NEW: usize = usize::MAX;
    let (mut number, mut low, mut component) = (vec![NEW; n], vec![0; n], vec![NEW; n]);
    let (mut path, mut open) = (Vec::new(), Vec::new());
    let (mut count, mut found) = (0, 0);
    for root in 0..n {
        if number[root] != NEW {
            continue;
        }
        path.push((root, 0));
        while let Some((node, edge)) = path.pop() {
            if edge == 0 {
                number[node] = count;
                low[node] = count;
                count += 1;
                open.push(node);
            }
            if let Some(next) = successor(node, edge) {
                path.push((node, edge + 1));
                if number[next] == NEW {
                    path.push((next, 0));
                } else if component[next] == NEW {
                    low[node] = low[node].min(number[next]);
                }
                continue;
            }
            if low[node] == number[node] {
                while let Some(member) = open.pop() {
                    component[member] = found;
                    if member == node {
                        break;
                    }
                }
                found += 1;
            }
            if let Some(&(parent, _)) = path.last() {
                low[parent] = low[parent].min(low[node]);
            }
        }
    }
    component
}

#[cfg(test)]
mod tests {
    use super::*;

    fn components_of(successors: &[Vec<usize>]) -> Vec<usize> {
        components(successors.len(), |node, nth| successors[node].get(nth).copied())
    }

    #[test]
    fn components_are_numbered_from_the_end() {
        let found = components_of(&[vec![1], vec![2, 3], vec![0], vec![4], vec![4], vec![]]);
        assert_eq!(found, [2, 2, 2, 1, 0, 3]);
    }

    #[test]
    fn a_long_path_does_not_overflow_the_stack() {
        let n = 300_000;
        let path: Vec<Vec<usize>> = (0..n).map(|i| vec![(i + 1) % n]).collect();
        assert!(components_of(&path).iter().all(|&c| c == 0));
    }
}
