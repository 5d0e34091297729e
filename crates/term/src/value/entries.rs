//! A sorted map from values to values that is cheap to copy and to change.
//!
//! A state of a program with memory differs from the one before in a cell or
//! two. So the entries lie in chunks that copies share: a change copies one
//! chunk and the list of chunks, not the entries. Equality, order and hash are
//! those of the entries in sequence, wherever the chunks begin.

use crate::Value;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A chunk with more entries is split.
const CHUNK: usize = 64;

type Pair = (Value, Value);

/// A sorted map. No chunk is empty.
#[derive(Clone, Default)]
pub(crate) struct Entries {
    chunks: Vec<Arc<Vec<Pair>>>,
    len: usize,
}

impl Entries {
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.chunks.iter().flat_map(|chunk| chunk.iter()).map(|(key, value)| (key, value))
    }

    /// The chunk where a key is or belongs, and the place in it.
    fn find(&self, key: &Value) -> (usize, Result<usize, usize>) {
        let after = self.chunks.partition_point(|chunk| chunk[0].0 <= *key);
        let chunk = after.saturating_sub(1);
        let place = match self.chunks.get(chunk) {
            Some(pairs) => pairs.binary_search_by(|(other, _)| other.cmp(key)),
            None => Err(0),
        };
        (chunk, place)
    }

    pub(crate) fn get(&self, key: &Value) -> Option<&Value> {
        let (chunk, place) = self.find(key);
        place.ok().map(|place| &self.chunks[chunk][place].1)
    }

    pub(crate) fn insert(&mut self, key: Value, value: Value) {
        let (chunk, place) = self.find(&key);
        match place {
            Ok(place) => Arc::make_mut(&mut self.chunks[chunk])[place].1 = value,
            Err(_) if self.chunks.is_empty() => {
                self.chunks.push(Arc::new(vec![(key, value)]));
                self.len = 1;
            }
            Err(place) => {
                let pairs = Arc::make_mut(&mut self.chunks[chunk]);
                pairs.insert(place, (key, value));
                if pairs.len() > CHUNK {
                    let upper = pairs.split_off(CHUNK / 2);
                    self.chunks.insert(chunk + 1, Arc::new(upper));
                }
                self.len += 1;
            }
        }
    }

    pub(crate) fn remove(&mut self, key: &Value) {
        let (chunk, Ok(place)) = self.find(key) else { return };
        let pairs = Arc::make_mut(&mut self.chunks[chunk]);
        pairs.remove(place);
        if pairs.is_empty() {
            self.chunks.remove(chunk);
        }
        self.len -= 1;
    }
}

impl FromIterator<Pair> for Entries {
    /// Later pairs replace earlier ones with the same key.
    fn from_iter<I: IntoIterator<Item = Pair>>(pairs: I) -> Entries {
        let mut sorted: Vec<Pair> = pairs.into_iter().collect();
        // Stable, so the last of equal keys is the last of its group.
        sorted.sort_by(|a, b| a.0.cmp(&b.0));
        sorted.reverse();
        sorted.dedup_by(|later, kept| later.0 == kept.0);
        sorted.reverse();
        let len = sorted.len();
        let mut chunks = Vec::with_capacity(len / (CHUNK / 2) + 1);
        let mut rest = sorted.into_iter().peekable();
        while rest.peek().is_some() {
            chunks.push(Arc::new(rest.by_ref().take(CHUNK / 2).collect()));
        }
        Entries { chunks, len }
    }
}

impl PartialEq for Entries {
    fn eq(&self, other: &Entries) -> bool {
        let shared = || {
            let pairs = self.chunks.iter().zip(&other.chunks);
            self.chunks.len() == other.chunks.len()
                && pairs.into_iter().all(|(a, b)| Arc::ptr_eq(a, b))
        };
        self.len == other.len && (shared() || self.iter().eq(other.iter()))
    }
}

impl Eq for Entries {}

impl PartialOrd for Entries {
    fn partial_cmp(&self, other: &Entries) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Entries {
    fn cmp(&self, other: &Entries) -> Ordering {
        self.iter().cmp(other.iter())
    }
}

impl Hash for Entries {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.len.hash(state);
        for pair in self.iter() {
            pair.hash(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn like_a_map_and_copies_stay_as_they_are() {
        let (mut entries, mut map) = (Entries::default(), BTreeMap::new());
        let mut seed = 1u64;
        let mut next = |bound: u64| {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
            (seed % bound) as i64
        };
        let mut copies = Vec::new();
        for step in 0..4000 {
            let (key, value) = (Value::int(next(500)), Value::int(next(9)));
            if next(3) == 0 {
                entries.remove(&key);
                map.remove(&key);
            } else {
                entries.insert(key.clone(), value.clone());
                map.insert(key.clone(), value);
            }
            assert_eq!((entries.len(), entries.get(&key)), (map.len(), map.get(&key)));
            if step % 500 == 0 {
                copies.push((entries.clone(), map.clone()));
            }
        }
        copies.push((entries, map));
        for (entries, map) in copies {
            assert!(entries.iter().eq(map.iter()));
            let again: Entries = map.into_iter().collect();
            assert!(again == entries && again.cmp(&entries) == Ordering::Equal);
        }
        let twice: Entries = [1, 2].map(|v| (Value::int(0), Value::int(v))).into_iter().collect();
        assert_eq!((twice.len(), twice.get(&Value::int(0))), (1, Some(&Value::int(2))));
    }
}
