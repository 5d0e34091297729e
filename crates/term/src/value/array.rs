//! Arrays: total maps that differ from a default in finitely many places.
//!
//! Invariant: equal maps are equal values. No entry holds the default; and
//! where the index sort is finite, the default is the value that most indices
//! have, the smallest of several such. As long as fewer than half of the
//! indices have an entry this holds by itself.

use crate::value::entries::Entries;
use crate::{Bv, Scalar, Sort, Value};
use std::collections::BTreeMap;
use std::fmt;

/// The value of an array.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayValue {
    index: Scalar,
    default: Value,
    entries: Entries,
}

impl ArrayValue {
    /// The array that holds one value everywhere. The value must be a scalar.
    pub fn constant(index: Scalar, default: Value) -> ArrayValue {
        debug_assert!(default.sort().scalar().is_some(), "arrays do not nest");
        ArrayValue { index, default, entries: Entries::default() }
    }

    /// The array with these entries, later ones first to be seen.
    pub fn new(
        index: Scalar,
        default: Value,
        entries: impl IntoIterator<Item = (Value, Value)>,
    ) -> ArrayValue {
        let mut array = ArrayValue::constant(index, default);
        // A later entry may restore the default, so they are first put in order.
        let entries: BTreeMap<Value, Value> = entries.into_iter().collect();
        array.keep(entries);
        array.settle();
        array
    }

    /// The sort of the indices.
    pub fn index_sort(&self) -> Scalar {
        self.index
    }

    /// The sort of the elements.
    pub fn element_sort(&self) -> Scalar {
        self.default.sort().scalar().unwrap_or(Scalar::Bool)
    }

    /// The sort of the whole.
    pub fn sort(&self) -> Sort {
        Sort::Array(self.index, self.element_sort())
    }

    /// The value wherever there is no entry.
    pub fn default(&self) -> &Value {
        &self.default
    }

    /// The indices with another value than the default, in increasing order.
    pub fn entries(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.entries.iter()
    }

    /// How many indices have another value than the default.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether one value is everywhere.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn keep(&mut self, mut entries: BTreeMap<Value, Value>) {
        entries.retain(|_, value| *value != self.default);
        self.entries = entries.into_iter().collect();
    }

    /// The value at an index.
    pub fn get(&self, index: &Value) -> &Value {
        self.entries.get(index).unwrap_or(&self.default)
    }

    /// Sets the value at an index.
    pub fn set(&mut self, index: Value, value: Value) {
        if value == self.default {
            self.entries.remove(&index);
        } else {
            self.entries.insert(index, value);
            self.settle();
        }
    }

    /// Takes the most frequent value of a finite array as its default.
    fn settle(&mut self) {
        let indices: u128 = match self.index {
            Scalar::Bool => 2,
            Scalar::Bv(width) if width < 64 => 1 << width,
            _ => return,
        };
        let taken = self.entries.len() as u128;
        if taken * 2 < indices {
            return;
        }
        let mut counts: BTreeMap<&Value, u128> = BTreeMap::from([(&self.default, indices - taken)]);
        for (_, value) in self.entries.iter() {
            *counts.entry(value).or_default() += 1;
        }
        let most = counts.values().copied().max();
        let winner = counts.iter().find(|(_, count)| Some(**count) == most);
        let Some(winner) = winner.map(|(value, _)| (*value).clone()) else { return };
        if winner == self.default {
            return;
        }
        let old = std::mem::replace(&mut self.default, winner);
        let mut all: BTreeMap<Value, Value> =
            self.entries.iter().map(|(index, value)| (index.clone(), value.clone())).collect();
        for number in 0..indices {
            let index = match self.index {
                Scalar::Bv(width) => Value::Bv(Bv::new(width, number)),
                _ => Value::Bool(number == 1),
            };
            all.entry(index).or_insert_with(|| old.clone());
        }
        self.keep(all);
    }
}

impl fmt::Display for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (index, value) in self.entries.iter() {
            write!(f, "{index}: {value}, ")?;
        }
        write!(f, "else {}}}", self.default)
    }
}

impl fmt::Debug for ArrayValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_maps_are_equal_values() {
        // All maps from two bits to two bits, each reached in many ways.
        let cell = |n: u32| Value::Bv(Bv::new(2, u128::from(n)));
        for code in 0..256u32 {
            let wanted = [0, 2, 4, 6].map(|shift| cell(code >> shift & 3));
            let mut seen: Option<ArrayValue> = None;
            for (start, order) in [(0, [0, 1, 2, 3]), (1, [3, 1, 0, 2]), (3, [2, 3, 1, 0])] {
                let mut array = ArrayValue::constant(Scalar::Bv(2), cell(start));
                for i in order {
                    array.set(cell(i ^ 1), cell(3 - i));
                }
                for i in order {
                    array.set(cell(i), wanted[i as usize].clone());
                }
                assert!((0..4).all(|i| *array.get(&cell(i)) == wanted[i as usize]));
                assert_eq!(*seen.get_or_insert(array.clone()), array);
            }
        }
    }
}
