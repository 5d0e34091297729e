//! Maps from variables to values that share what they have in common.
//!
//! A data-flow analysis keeps one map per location, and neighbors differ in few
//! variables. The map is a tree of fixed height with sixteen children a node;
//! an update copies one path, and joining two maps skips what they share.
//!
//! A variable that is not in the map may have any value.

use std::sync::Arc;

const FAN: usize = 16;

#[derive(Clone, Debug)]
enum Node<V> {
    Inner([Option<Arc<Node<V>>>; FAN]),
    Leaf([Option<V>; FAN]),
}

/// A persistent map from small numbers.
#[derive(Clone, Debug)]
pub(crate) struct Environment<V> {
    root: Option<Arc<Node<V>>>,
    height: u32,
}

impl<V: Clone + PartialEq> Environment<V> {
    /// An empty map for keys below `count`.
    pub(crate) fn new(count: usize) -> Environment<V> {
        let mut height = 0;
        let mut room = FAN;
        while room < count {
            room *= FAN;
            height += 1;
        }
        Environment { root: None, height }
    }

    /// The value of a key.
    pub(crate) fn get(&self, key: usize) -> Option<&V> {
        let mut node = self.root.as_deref()?;
        let mut level = self.height;
        loop {
            let slot = key >> (4 * level) & 15;
            match node {
                Node::Inner(children) => node = children[slot].as_deref()?,
                Node::Leaf(values) => return values[slot].as_ref(),
            }
            level = level.saturating_sub(1);
        }
    }

    /// Sets or removes a key.
    pub(crate) fn set(&mut self, key: usize, value: Option<V>) {
        if self.get(key) != value.as_ref() {
            let height = self.height;
            self.root = Some(update(self.root.as_ref(), height, key, value));
        }
    }

    /// Keeps the keys that both maps have, with the joined value; `None` from
    /// `join` drops the key. Says whether the result differs from `self`.
    pub(crate) fn join(
        &mut self,
        other: &Environment<V>,
        join: &mut impl FnMut(usize, &V, &V) -> Option<V>,
    ) -> bool {
        let joined = merge(self.root.as_ref(), other.root.as_ref(), self.height, 0, join);
        let same = match (&self.root, &joined) {
            (None, None) => true,
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            _ => false,
        };
        self.root = joined;
        !same
    }
}

fn update<V: Clone>(
    node: Option<&Arc<Node<V>>>,
    level: u32,
    key: usize,
    value: Option<V>,
) -> Arc<Node<V>> {
    let slot = key >> (4 * level) & 15;
    // The height is at most eight.
    if level == 0 {
        let mut values = match node.map(Arc::as_ref) {
            Some(Node::Leaf(values)) => values.clone(),
            _ => std::array::from_fn(|_| None),
        };
        values[slot] = value;
        return Arc::new(Node::Leaf(values));
    }
    let mut children = match node.map(Arc::as_ref) {
        Some(Node::Inner(children)) => children.clone(),
        _ => std::array::from_fn(|_| None),
    };
    children[slot] = Some(update(children[slot].as_ref(), level - 1, key, value));
    Arc::new(Node::Inner(children))
}

fn merge<V: Clone + PartialEq>(
    a: Option<&Arc<Node<V>>>,
    b: Option<&Arc<Node<V>>>,
    level: u32,
    prefix: usize,
    join: &mut impl FnMut(usize, &V, &V) -> Option<V>,
) -> Option<Arc<Node<V>>> {
    let (a, b) = (a?, b?);
    if Arc::ptr_eq(a, b) {
        return Some(Arc::clone(a));
    }
    let key = |slot: usize| prefix | slot << (4 * level);
    match (a.as_ref(), b.as_ref()) {
        (Node::Leaf(x), Node::Leaf(y)) => {
            let mut same = true;
            let joined: [Option<V>; FAN] = std::array::from_fn(|i| {
                let value = match (&x[i], &y[i]) {
                    (Some(l), Some(r)) if l == r => Some(l.clone()),
                    (Some(l), Some(r)) => join(key(i), l, r),
                    _ => None,
                };
                same &= value == x[i];
                value
            });
            Some(if same { Arc::clone(a) } else { Arc::new(Node::Leaf(joined)) })
        }
        (Node::Inner(x), Node::Inner(y)) => {
            let mut same = true;
            let joined: [Option<Arc<Node<V>>>; FAN] = std::array::from_fn(|i| {
                let child =
                    merge(x[i].as_ref(), y[i].as_ref(), level.saturating_sub(1), key(i), join);
                same &= match (&child, &x[i]) {
                    (None, None) => true,
                    (Some(l), Some(r)) => Arc::ptr_eq(l, r),
                    _ => false,
                };
                child
            });
            Some(if same { Arc::clone(a) } else { Arc::new(Node::Inner(joined)) })
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joins_keep_what_both_know() {
        let mut a = Environment::new(1000);
        for key in 0..1000 {
            a.set(key, Some(key));
        }
        let mut b = a.clone();
        b.set(7, Some(9));
        b.set(500, None);
        let mut calls = 0;
        let changed = a.join(&b, &mut |key, x, y| {
            calls += 1;
            assert_eq!((key, *x, *y), (7, 7, 9));
            Some(x + y)
        });
        assert!(changed && calls == 1);
        assert_eq!((a.get(7), a.get(500), a.get(999)), (Some(&16), None, Some(&999)));
        let before = a.clone();
        assert!(!a.join(&before, &mut |_, _, _| None));
    }
}
