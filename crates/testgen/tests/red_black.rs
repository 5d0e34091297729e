//! A hand-written red-black tree, searched in ordinary tests; and the same tree
//! with a bug.
//!
//! The tree is the left-leaning one of Sedgewick (2008).

use parallax_testgen::{Container, Found, Match, Search, Shape, probe};
use std::collections::BTreeSet;

#[derive(Clone, Copy, PartialEq, Eq, Debug, Shape)]
enum Color {
    Red,
    Black,
}
use Color::{Black, Red};

#[derive(Clone, Debug, Shape)]
struct Node {
    key: u8,
    color: Color,
    left: Link,
    right: Link,
}

type Link = Option<Box<Node>>;

/// A set of numbers. With `BUG`, a rotation forgets to recolor.
#[derive(Clone, Debug, Default, Shape)]
struct Tree<const BUG: bool> {
    root: Link,
    /// What the tree should hold: no part of its shape.
    #[shape(data)]
    model: BTreeSet<u8>,
}

fn is_red(link: &Link) -> bool {
    link.as_ref().is_some_and(|node| node.color == Red)
}

fn rotate_left<const BUG: bool>(mut node: Box<Node>) -> Box<Node> {
    let Some(mut right) = node.right.take() else { return node };
    node.right = right.left.take();
    right.color = node.color;
    if !BUG {
        node.color = Red;
    }
    right.left = Some(node);
    right
}

fn rotate_right(mut node: Box<Node>) -> Box<Node> {
    let Some(mut left) = node.left.take() else { return node };
    node.left = left.right.take();
    left.color = node.color;
    node.color = Red;
    left.right = Some(node);
    left
}

fn flip(node: &mut Node) {
    let turn = |color: Color| if color == Red { Black } else { Red };
    node.color = turn(node.color);
    for child in [&mut node.left, &mut node.right].into_iter().flatten() {
        child.color = turn(child.color);
    }
}

fn balance<const BUG: bool>(mut node: Box<Node>) -> Box<Node> {
    if is_red(&node.right) && !is_red(&node.left) {
        probe(1, u64::from(is_red(&node.left)));
        node = rotate_left::<BUG>(node);
    }
    if is_red(&node.left) && node.left.as_ref().is_some_and(|left| is_red(&left.left)) {
        probe(2, u64::from(node.color == Red));
        node = rotate_right(node);
    }
    if is_red(&node.left) && is_red(&node.right) {
        probe(3, u64::from(node.color == Red));
        flip(&mut node);
    }
    node
}

fn insert<const BUG: bool>(link: Link, key: u8) -> Box<Node> {
    let Some(mut node) = link else {
        return Box::new(Node { key, color: Red, left: None, right: None });
    };
    if key < node.key {
        node.left = Some(insert::<BUG>(node.left.take(), key));
    } else if key > node.key {
        node.right = Some(insert::<BUG>(node.right.take(), key));
    }
    balance::<BUG>(node)
}

fn move_red_left<const BUG: bool>(mut node: Box<Node>) -> Box<Node> {
    flip(&mut node);
    if node.right.as_ref().is_some_and(|right| is_red(&right.left)) {
        probe(4, 0);
        node.right = node.right.take().map(rotate_right);
        node = rotate_left::<BUG>(node);
        flip(&mut node);
    }
    node
}

fn move_red_right(mut node: Box<Node>) -> Box<Node> {
    flip(&mut node);
    if node.left.as_ref().is_some_and(|left| is_red(&left.left)) {
        probe(5, 0);
        node = rotate_right(node);
        flip(&mut node);
    }
    node
}

/// The subtree without its least key, and that key.
fn take_least<const BUG: bool>(mut node: Box<Node>) -> (Link, u8) {
    if node.left.is_none() {
        return (None, node.key);
    }
    if !is_red(&node.left) && !node.left.as_ref().is_some_and(|left| is_red(&left.left)) {
        node = move_red_left::<BUG>(node);
    }
    let Some(left) = node.left.take() else { return (None, node.key) };
    let (rest, least) = take_least::<BUG>(left);
    node.left = rest;
    (Some(balance::<BUG>(node)), least)
}

/// The subtree without a key that it holds.
fn remove<const BUG: bool>(mut node: Box<Node>, key: u8) -> Link {
    if key < node.key {
        if !is_red(&node.left) && !node.left.as_ref().is_some_and(|left| is_red(&left.left)) {
            node = move_red_left::<BUG>(node);
        }
        node.left = node.left.take().and_then(|left| remove::<BUG>(left, key));
    } else {
        if is_red(&node.left) {
            node = rotate_right(node);
        }
        if key == node.key && node.right.is_none() {
            return None;
        }
        if !is_red(&node.right) && !node.right.as_ref().is_some_and(|right| is_red(&right.left)) {
            node = move_red_right(node);
        }
        if key == node.key
            && let Some(right) = node.right.take()
        {
            probe(6, u64::from(is_red(&node.left)));
            let (rest, least) = take_least::<BUG>(right);
            node.key = least;
            node.right = rest;
        } else {
            node.right = node.right.take().and_then(|right| remove::<BUG>(right, key));
        }
    }
    Some(balance::<BUG>(node))
}

/// Black nodes on each way down, if the subtree is well formed.
fn black_height(link: &Link, keys: &mut Vec<u8>) -> Result<u32, String> {
    let Some(node) = link else { return Ok(0) };
    if is_red(&node.right) {
        return Err(format!("{} leans to the right", node.key));
    }
    if node.color == Red && is_red(&node.left) {
        return Err(format!("{} is red, and so is its child", node.key));
    }
    let left = black_height(&node.left, keys)?;
    keys.push(node.key);
    let right = black_height(&node.right, keys)?;
    if left != right {
        return Err(format!("{left} and {right} black nodes below {}", node.key));
    }
    Ok(left + u32::from(node.color == Black))
}

#[derive(Clone, Debug)]
enum Op {
    Insert(u8),
    Remove(u8),
}

impl<const BUG: bool> Container for Tree<BUG> {
    type Operation = Op;

    fn operations(values: u8) -> Vec<Op> {
        (0..values).map(Op::Insert).chain((0..values).map(Op::Remove)).collect()
    }

    fn apply(&mut self, operation: &Op) -> Result<(), String> {
        match *operation {
            Op::Insert(key) => {
                self.root = Some(insert::<BUG>(self.root.take(), key));
                self.model.insert(key);
            }
            Op::Remove(key) if self.model.remove(&key) => {
                if let Some(mut root) = self.root.take() {
                    if !is_red(&root.left) && !is_red(&root.right) {
                        root.color = Red;
                    }
                    self.root = remove::<BUG>(root, key);
                }
            }
            Op::Remove(_) => {}
        }
        if let Some(root) = &mut self.root {
            root.color = Black;
        }
        Ok(())
    }

    fn invariant(&self) -> Result<(), String> {
        let mut keys = Vec::new();
        black_height(&self.root, &mut keys)?;
        if keys.iter().eq(&self.model) {
            Ok(())
        } else {
            Err(format!("the tree holds {keys:?}, it should hold {:?}", self.model))
        }
    }

    fn abstraction(&self) -> Vec<u8> {
        vec![self.model.len() as u8]
    }
}

fn search<const BUG: bool>(matching: Match, length: usize, values: u8) -> Found<Op> {
    Search::new().length(length).values(values).matching(matching).run::<Tree<BUG>>()
}

#[test]
fn the_tree_is_well_formed_after_every_sequence() {
    let found = search::<false>(Match::Complete, 7, 7);
    found.assert_good();
    assert!(found.states > 150, "{} states", found.states);
    assert!(found.tests.len() >= 6, "{} tests", found.tests.len());
    search::<false>(Match::Concrete, 5, 5).assert_good();
    search::<false>(Match::Shape, 12, 6).assert_good();
    search::<false>(Match::User, 6, 6).assert_good();
    search::<false>(Match::Random { operations: 20_000, seed: 7 }, 20, 8).assert_good();
}

#[test]
fn the_forgotten_color_is_found_by_a_shortest_sequence() {
    for matching in [Match::Complete, Match::Concrete, Match::Shape] {
        let found = search::<true>(matching, 5, 5);
        let failure = found.failure.expect("the bug");
        assert_eq!(failure.operations.len(), 2, "{failure:?}");
        assert!(failure.message.contains("black nodes"), "{failure:?}");
    }
    let random = search::<true>(Match::Random { operations: 1_000, seed: 1 }, 8, 5);
    assert!(random.failure.is_some());
}

/// Left-leaning red-black trees with n keys, counted independently: by size,
/// black height and color of the root.
fn count_trees(most: usize) -> Vec<usize> {
    // ways[n][h][c]: trees with n keys and black height h; c: the root is red.
    let mut ways = vec![vec![[0usize; 2]; most + 2]; most + 1];
    ways[0][0][0] = 1;
    for n in 1..=most {
        for h in 0..=most {
            let mut red = 0;
            let mut black = 0;
            for left in 0..n {
                let right = n - 1 - left;
                // Below a red node both are black; a black node may have a red left child.
                red += ways[left][h][0] * ways[right][h][0];
                if h > 0 {
                    let [left_black, left_red] = ways[left][h - 1];
                    black += (left_black + left_red) * ways[right][h - 1][0];
                }
            }
            ways[n][h] = [black, red];
        }
    }
    ways.iter().map(|by_height| by_height.iter().map(|[black, _]| black).sum()).collect()
}

#[test]
fn matching_is_neither_too_coarse_nor_too_fine() {
    // With as many values as keys, every tree over every set of keys is one
    // state: sum over n of (values choose n) * trees of n keys.
    let values = 5;
    let trees = count_trees(values);
    let choose = |n: usize| (0..n).fold(1, |c, i| c * (values - i) / (i + 1));
    let expected: usize = (0..=values).map(|n| choose(n) * trees[n]).sum();
    let found = search::<false>(Match::Complete, 12, values as u8);
    found.assert_good();
    assert_eq!(found.states, expected);
}
