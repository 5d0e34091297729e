//! The set of states seen, by their sequences.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::Hasher;

/// A set of byte sequences, all in one buffer.
#[derive(Clone, Default)]
pub(crate) struct Seen {
    table: HashTable<(usize, u32)>,
    bytes: Vec<u8>,
}

fn hash(bytes: &[u8]) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.finish()
}

impl Seen {
    /// Adds a sequence; whether it is new.
    pub(crate) fn insert(&mut self, key: &[u8]) -> bool {
        let hash_of = hash(key);
        let bytes = &self.bytes;
        let same = |(at, len): &(usize, u32)| &bytes[*at..*at + *len as usize] == key;
        if self.table.find(hash_of, same).is_some() {
            return false;
        }
        let entry = (self.bytes.len(), key.len() as u32);
        self.bytes.extend_from_slice(key);
        let bytes = &self.bytes;
        self.table
            .insert_unique(hash_of, entry, |(at, len)| hash(&bytes[*at..*at + *len as usize]));
        true
    }

    pub(crate) fn len(&self) -> usize {
        self.table.len()
    }

    /// How many bytes it takes.
    pub(crate) fn size(&self) -> usize {
        self.bytes.len() + self.table.capacity() * 17
    }
}
