//! Normal forms of arrays: reading over writing.
//!
//! A read skips writes at indices that surely differ from its own. Writes at
//! indices that surely differ are ordered by the index, and a write hides the
//! earlier one at the same index. Looking down a chain of writes is a loop
//! with an end, so that a million writes in a row take neither stack nor
//! quadratic time.

use crate::{Node, Op, Scalar, Term, TermStore};

/// How many writes a new write looks at.
const SEEN: usize = 64;

/// How many writes a read looks at.
const SKIPPED: usize = 4096;

impl TermStore {
    /// The element of `array` at `index`.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        self.apply(Op::Select, &[array, index])
    }

    /// `array` with `value` at `index`.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        self.apply(Op::Store, &[array, index, value])
    }

    /// The array over `index` with `value` everywhere.
    pub fn const_array(&mut self, index: Scalar, value: Term) -> Term {
        self.apply(Op::ConstArray(index), &[value])
    }

    pub(crate) fn normal_select(&mut self, array: Term, index: Term) -> Term {
        let mut from = array;
        for _ in 0..SKIPPED {
            match *self.node(from) {
                Node::Apply(Op::Store, written) if written[1] == index => return written[2],
                Node::Apply(Op::Store, written) if self.surely_differ(written[1], index) => {
                    from = written[0];
                }
                Node::Apply(Op::ConstArray(_), element) => return element[0],
                _ => break,
            }
        }
        if let Some(folded) = self.fold(Op::Select, &[from, index]) {
            return folded;
        }
        self.constant_element(from).unwrap_or_else(|| self.plain(Op::Select, &[from, index]))
    }

    /// The element of a constant array that is the same everywhere.
    fn constant_element(&mut self, array: Term) -> Option<Term> {
        let value = self.value(array)?.as_array()?;
        let same = (value.is_empty()).then(|| value.default().clone())?;
        Some(self.constant(same))
    }

    pub(crate) fn normal_store(&mut self, array: Term, index: Term, value: Term) -> Term {
        if self.is_idle(array, index, value) {
            return array;
        }
        // The writes above the place where this one belongs, outermost first.
        let (mut above, mut from, mut hidden) = (Vec::new(), array, false);
        let mut place = 0;
        let mut base = array;
        while above.len() < SEEN {
            let Some([deeper, other, element]) = self.arguments(from, Op::Store) else { break };
            if other == index {
                hidden = true;
                base = deeper;
                place = above.len();
                break;
            }
            if !self.surely_differ(other, index) {
                break;
            }
            above.push((other, element));
            from = deeper;
            if other > index && place + 1 == above.len() {
                place = above.len();
                base = from;
            }
        }
        if !hidden && place == 0 {
            return self.write(array, index, value);
        }
        let mut result = if hidden {
            // Everything above the hidden write is kept, this one placed anew.
            let mut kept = base;
            for &(other, element) in above[..place].iter().rev() {
                kept = self.write(kept, other, element);
            }
            return self.normal_store(kept, index, value);
        } else {
            self.write(base, index, value)
        };
        for &(other, element) in above[..place].iter().rev() {
            result = self.write(result, other, element);
        }
        result
    }

    /// Whether a write leaves the array as it is.
    fn is_idle(&mut self, array: Term, index: Term, value: Term) -> bool {
        let read: Option<[Term; 2]> = self.arguments(value, Op::Select);
        read.is_some_and(|[_, at]| at == index) && self.select(array, index) == value
    }

    /// A write as it stands; onto a constant array a constant one.
    fn write(&mut self, array: Term, index: Term, value: Term) -> Term {
        if self.is_idle(array, index, value) {
            return array;
        }
        if let Some(folded) = self.fold(Op::Store, &[array, index, value]) {
            return folded;
        }
        self.plain(Op::Store, &[array, index, value])
    }
}
