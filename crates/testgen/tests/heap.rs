//! A binary heap in a vector, with a bug in `pop`: found, and shown shortest.

use parallax_testgen::{Container, Match, Search, Shape};

/// A priority queue. With `BUG`, `pop` looks at one child only.
#[derive(Clone, Debug, Default, Shape)]
struct Heap<const BUG: bool> {
    items: Vec<u8>,
    #[shape(skip)]
    comparisons: u32,
}

impl<const BUG: bool> Heap<BUG> {
    fn push(&mut self, value: u8) {
        self.items.push(value);
        let mut at = self.items.len() - 1;
        while at > 0 && self.items[at] < self.items[(at - 1) / 2] {
            self.comparisons += 1;
            self.items.swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    fn pop(&mut self) -> Option<u8> {
        if self.items.is_empty() {
            return None;
        }
        let least = self.items.swap_remove(0);
        let mut at = 0;
        loop {
            let mut child = 2 * at + 1;
            if child >= self.items.len() {
                break;
            }
            if !BUG && child + 1 < self.items.len() && self.items[child + 1] < self.items[child] {
                child += 1;
            }
            self.comparisons += 1;
            if self.items[at] <= self.items[child] {
                break;
            }
            self.items.swap(at, child);
            at = child;
        }
        Some(least)
    }
}

#[derive(Clone, Debug)]
enum Op {
    Push(u8),
    Pop,
}

impl<const BUG: bool> Container for Heap<BUG> {
    type Operation = Op;

    fn operations(values: u8) -> Vec<Op> {
        (0..values).map(Op::Push).chain([Op::Pop]).collect()
    }

    fn apply(&mut self, operation: &Op) -> Result<(), String> {
        match operation {
            Op::Push(value) => self.push(*value),
            Op::Pop => {
                let expected = self.items.iter().min().copied();
                let found = self.pop();
                if found != expected {
                    return Err(format!("pop gives {found:?}, the least is {expected:?}"));
                }
            }
        }
        Ok(())
    }

    fn invariant(&self) -> Result<(), String> {
        let broken = (1..self.items.len()).find(|at| self.items[*at] < self.items[(at - 1) / 2]);
        broken.map_or(Ok(()), |at| Err(format!("item {at} is below its parent")))
    }
}

#[test]
fn the_heap_is_a_heap() {
    Search::new().length(7).values(3).run::<Heap<false>>().assert_good();
}

#[test]
fn the_bug_needs_three_keys_and_a_pop() {
    let found = Search::new().length(6).values(4).run::<Heap<true>>();
    let failure = found.failure.expect("the bug");
    // Three pushes leave two children; the fourth makes the last item large.
    assert_eq!(failure.operations.len(), 5, "{failure:?}");
    assert!(matches!(failure.operations.last(), Some(Op::Pop)));
}

#[test]
fn skipped_fields_count_for_concrete_matching_alone() {
    let search = Search::new().length(5).values(3);
    let complete = search.matching(Match::Complete).run::<Heap<false>>();
    let concrete = search.matching(Match::Concrete).run::<Heap<false>>();
    let shape = search.matching(Match::Shape).run::<Heap<false>>();
    assert!(concrete.states > complete.states);
    assert!(complete.states > shape.states);
    // The shape of a vector is its length.
    assert_eq!(shape.states, 6);
}
