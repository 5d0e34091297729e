//! Values as sequences.

use crate::Match;
use rustc_hash::FxHashMap;

/// Writes a value as a sequence; the mode says what is written.
#[derive(Debug)]
pub struct Writer {
    matching: Match,
    /// The sequence.
    pub(crate) bytes: Vec<u8>,
    numbers: FxHashMap<usize, u64>,
    data_depth: u32,
}

impl Writer {
    /// A writer for a kind of matching.
    pub fn new(matching: Match) -> Writer {
        Writer { matching, bytes: Vec::new(), numbers: FxHashMap::default(), data_depth: 0 }
    }

    /// What was written.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.bytes.push(value as u8);
    }

    fn hides_data(&self) -> bool {
        self.matching == Match::Shape
    }

    /// Data: written unless only the shape counts.
    pub fn data(&mut self, value: u64) {
        if !self.hides_data() {
            self.number(value);
        }
    }

    /// Bytes of data.
    pub fn data_bytes(&mut self, bytes: &[u8]) {
        if !self.hides_data() {
            self.number(bytes.len() as u64);
            self.bytes.extend_from_slice(bytes);
        }
    }

    /// Which variant: part of the shape.
    pub fn variant(&mut self, number: u64) {
        if self.data_depth > 0 {
            self.data(number);
        } else {
            self.number(number);
        }
    }

    /// How many elements there are: part of the shape.
    pub fn count(&mut self, count: usize) {
        self.variant(count as u64);
    }

    /// A pointer that several places may share. Whether what it points to is to
    /// be written: the first time it is met.
    pub fn shared(&mut self, address: usize) -> bool {
        let next = self.numbers.len() as u64;
        let mut is_new = false;
        let number = *self.numbers.entry(address).or_insert_with(|| {
            is_new = true;
            next
        });
        self.variant(number);
        is_new
    }

    /// What only concrete matching sees.
    pub fn concrete_only(&mut self, write: impl FnOnce(&mut Writer)) {
        if self.matching == Match::Concrete {
            write(self);
        }
    }

    /// What counts as data, whatever it is.
    pub fn as_data(&mut self, write: impl FnOnce(&mut Writer)) {
        if !self.hides_data() {
            self.data_depth += 1;
            write(self);
            self.data_depth -= 1;
        }
    }
}
