//! The truth about formulas of linear temporal logic, by brute force.
//!
//! The tableau of Lichtenstein and Pnueli (POPL 1985): every state is paired
//! with every guess of which temporal parts of the formula hold there, guesses
//! that contradict the next one are dropped, and a run that breaks the formula
//! is a way to a strongly connected set in which every guess is justified. It
//! shares nothing with the automata, the progression and the evaluation of
//! words that are under test.

use parallax_ir::{Choices, Interpreter, Letters, Program, Temporal};
use parallax_ltl::{Node, Sub};
use std::collections::HashMap;

/// States with letters and successors; a state without a step is its own.
pub(crate) struct Graph {
    letters: Vec<u64>,
    successors: Vec<Vec<usize>>,
    initial: usize,
}

/// The graph of a program, if it has at most `limit` states.
pub(crate) fn graph(program: &Program, temporal: &Temporal, limit: usize) -> Option<Graph> {
    let mut interpreter = Interpreter::new(program);
    let mut letters = Letters::new(program, temporal);
    if !interpreter.has_listable_initial_states() {
        return None;
    }
    let mut states = interpreter.initial_states();
    let initial = states.len();
    let mut numbers: HashMap<_, _> = states.iter().cloned().zip(0..).collect();
    let mut successors = Vec::new();
    while let Some(state) = states.get(successors.len()).cloned() {
        let mut found = Vec::new();
        for transition in 0..interpreter.transitions().len() {
            if !interpreter.is_enabled(&state, transition) {
                continue;
            }
            let Choices::All(all) = interpreter.choices(&state, transition, 1000) else {
                return None;
            };
            for inputs in all {
                let next = interpreter.step(&state, transition, &inputs)?;
                let fresh = states.len();
                found.push(*numbers.entry(next.clone()).or_insert_with(|| {
                    states.push(next);
                    fresh
                }));
            }
        }
        if states.len() > limit {
            return None;
        }
        if found.is_empty() {
            found.push(successors.len());
        }
        successors.push(found);
    }
    Some(Graph { letters: states.iter().map(|s| letters.of(s)).collect(), successors, initial })
}

/// Whether all runs satisfy the formula; `None` if it has too many temporal
/// parts to guess.
pub(crate) fn holds(graph: &Graph, temporal: &Temporal) -> Option<bool> {
    let (store, root) = (&temporal.formula.store, temporal.formula.root);
    let parts = store.parts(root);
    let is_temporal =
        |f: &&Sub| matches!(store.node(**f), Node::Next(_) | Node::Until(..) | Node::Release(..));
    let temporal: Vec<Sub> = parts.iter().filter(is_temporal).copied().collect();
    if temporal.len() > 7 {
        return None;
    }
    let guesses = 1usize << temporal.len();
    // Where each part holds, by state and guess.
    let truth = |letter: u64, guess: usize| {
        let mut table = vec![false; store.len()];
        for part in &parts {
            let at = |f: &Sub| table[f.index()];
            table[part.index()] = match store.node(*part) {
                Node::True => true,
                Node::False => false,
                Node::Atom(a) => letter >> a & 1 == 1,
                Node::Not(f) => !at(f),
                Node::And(fs) => fs.iter().all(at),
                Node::Or(fs) => fs.iter().any(at),
                _ => {
                    let bit = temporal.iter().position(|t| t == part).expect("a temporal part");
                    guess >> bit & 1 == 1
                }
            };
        }
        table
    };
    let nodes: Vec<Vec<bool>> = graph
        .letters
        .iter()
        .flat_map(|&letter| (0..guesses).map(move |guess| (letter, guess)))
        .map(|(letter, guess)| truth(letter, guess))
        .collect();
    let agrees = |now: &[bool], next: &[bool]| {
        temporal.iter().all(|part| {
            let later = next[part.index()];
            now[part.index()]
                == match store.node(*part) {
                    Node::Next(f) => next[f.index()],
                    Node::Until(a, b) => now[b.index()] || (now[a.index()] && later),
                    Node::Release(a, b) => now[b.index()] && (now[a.index()] || later),
                    _ => unreachable!("only temporal parts are listed"),
                }
        })
    };
    let edges: Vec<Vec<usize>> = (0..nodes.len())
        .map(|n| {
            let targets = graph.successors[n / guesses].iter();
            targets
                .flat_map(|s| (0..guesses).map(move |guess| s * guesses + guess))
                .filter(|m| agrees(&nodes[n], &nodes[*m]))
                .collect()
        })
        .collect();
    let starts = (0..graph.initial * guesses).filter(|n| !nodes[*n][root.index()]);
    let reached = reach(&edges, starts.collect());
    let justified = |members: &[usize]| {
        temporal.iter().all(|part| match store.node(*part) {
            Node::Until(_, b) => {
                members.iter().any(|n| !nodes[*n][part.index()] || nodes[*n][b.index()])
            }
            Node::Release(_, b) => {
                members.iter().any(|n| nodes[*n][part.index()] || !nodes[*n][b.index()])
            }
            _ => true,
        })
    };
    let broken = classes(&edges).iter().any(|members| {
        let cyclic = members.iter().any(|n| edges[*n].iter().any(|m| members.contains(m)));
        reached[members[0]] && cyclic && justified(members)
    });
    Some(!broken)
}

fn reach(edges: &[Vec<usize>], mut waiting: Vec<usize>) -> Vec<bool> {
    let mut reached = vec![false; edges.len()];
    while let Some(node) = waiting.pop() {
        if !std::mem::replace(&mut reached[node], true) {
            waiting.extend(&edges[node]);
        }
    }
    reached
}

/// Strongly connected components by Kosaraju's two passes.
fn classes(edges: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut back = vec![Vec::new(); edges.len()];
    for (n, targets) in edges.iter().enumerate() {
        targets.iter().for_each(|&m| back[m].push(n));
    }
    let (mut order, mut seen) = (Vec::new(), vec![false; edges.len()]);
    for root in 0..edges.len() {
        let mut path = vec![(root, 0)];
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        while let Some((node, at)) = path.pop() {
            match edges[node].get(at) {
                Some(&next) => {
                    path.push((node, at + 1));
                    if !std::mem::replace(&mut seen[next], true) {
                        path.push((next, 0));
                    }
                }
                None => order.push(node),
            }
        }
    }
    let mut found: Vec<Vec<usize>> = Vec::new();
    let mut taken = vec![false; edges.len()];
    for &root in order.iter().rev() {
        let (mut members, mut waiting) = (Vec::new(), vec![root]);
        while let Some(node) = waiting.pop() {
            if !std::mem::replace(&mut taken[node], true) {
                members.push(node);
                waiting.extend(&back[node]);
            }
        }
        if !members.is_empty() {
            found.push(members);
        }
    }
    found
}
