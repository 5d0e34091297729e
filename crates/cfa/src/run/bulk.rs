//! Many bytes at once: copies, fills, records, and checks of ranges.

use super::machine::{Blob, Machine};
use super::memory::Provenance;
use super::outcome::{Arbitrary, CheckKind};
use super::trap::Trap;
use std::ops::Range;

const ACCESS: Trap = Trap::Undefined(CheckKind::Access);

impl Machine<'_, '_> {
    /// The range of an object that a pointer and a size mean. Nothing at all
    /// may be anywhere.
    fn range(
        &self,
        object: usize,
        offset: usize,
        size: u64,
        write: bool,
    ) -> Result<Range<usize>, Trap> {
        let object = &self.memory.objects[object];
        let end = offset.checked_add(size as usize).ok_or(ACCESS)?;
        if end > object.bytes.len() || write && object.read_only {
            return Err(ACCESS);
        }
        Ok(offset..end)
    }

    /// Whether `size` bytes from a pointer on lie in one live object.
    pub(crate) fn check_range(
        &self,
        pointer: (u64, Provenance),
        size: u64,
        write: bool,
    ) -> Result<(), Trap> {
        if size == 0 {
            return Ok(());
        }
        let (object, offset) = self.memory.locate(pointer.0, pointer.1)?;
        self.range(object, offset, size, write).map(drop)
    }

    /// Copies bytes with all that is known of them; the ranges may overlap.
    pub(crate) fn copy(
        &mut self,
        to: (usize, usize),
        from: (usize, usize),
        size: u64,
    ) -> Result<(), Trap> {
        let target = self.range(to.0, to.1, size, true)?;
        let source = self.range(from.0, from.1, size, false)?;
        let word = self.memory.word;
        if to.0 == from.0 {
            let blob = self.take(from, size)?;
            return self.put(to, &blob);
        }
        let Ok([a, b]) = self.memory.objects.get_disjoint_mut([to.0, from.0]) else {
            return Err(ACCESS);
        };
        a.bytes[target.clone()].copy_from_slice(&b.bytes[source.clone()]);
        a.note_write(target.start, target.len(), word);
        if !b.written.is_empty() && !a.written.is_empty() {
            a.written[target.clone()].copy_from_slice(&b.written[source.clone()]);
        }
        if !b.words.is_empty() {
            let mut at = source.start.next_multiple_of(word);
            while at + word <= source.end {
                a.note_pointer(target.start + at - source.start, b.words[at / word], word);
                at += word;
            }
        }
        Ok(())
    }

    /// Copies bytes between pointers, as `memmove`.
    pub(crate) fn copy_bytes(
        &mut self,
        to: (u64, Provenance),
        from: (u64, Provenance),
        size: u64,
    ) -> Result<(), Trap> {
        if size == 0 {
            return Ok(());
        }
        let target = self.memory.locate(to.0, to.1)?;
        let source = self.memory.locate(from.0, from.1)?;
        self.copy(target, source, size)
    }

    /// Takes bytes out of an object.
    pub(crate) fn take(&self, from: (usize, usize), size: u64) -> Result<Blob, Trap> {
        let range = self.range(from.0, from.1, size, false)?;
        let object = &self.memory.objects[from.0];
        let word = self.memory.word;
        let mut blob = Blob { bytes: object.bytes[range.clone()].to_vec(), ..Blob::default() };
        if !object.written.is_empty() {
            blob.written = object.written[range.clone()].to_vec();
        }
        if !object.words.is_empty() {
            let mut at = range.start.next_multiple_of(word);
            while at + word <= range.end {
                if object.words[at / word] != 0 {
                    blob.words.push((at - range.start, object.words[at / word]));
                }
                at += word;
            }
        }
        Ok(blob)
    }

    /// Puts bytes into an object.
    pub(crate) fn put(&mut self, to: (usize, usize), blob: &Blob) -> Result<(), Trap> {
        let range = self.range(to.0, to.1, blob.bytes.len() as u64, true)?;
        let word = self.memory.word;
        let object = &mut self.memory.objects[to.0];
        object.bytes[range.clone()].copy_from_slice(&blob.bytes);
        object.note_write(range.start, range.len(), word);
        if !object.written.is_empty() && !blob.written.is_empty() {
            object.written[range.clone()].copy_from_slice(&blob.written);
        }
        for (offset, provenance) in &blob.words {
            object.note_pointer(range.start + offset, *provenance, word);
        }
        Ok(())
    }

    /// As `memset`.
    pub(crate) fn set_bytes(
        &mut self,
        to: (u64, Provenance),
        byte: u8,
        size: u64,
    ) -> Result<(), Trap> {
        if size == 0 {
            return Ok(());
        }
        let (index, offset) = self.memory.locate(to.0, to.1)?;
        let range = self.range(index, offset, size, true)?;
        let word = self.memory.word;
        let object = &mut self.memory.objects[index];
        object.bytes[range.clone()].fill(byte);
        object.note_write(range.start, range.len(), word);
        Ok(())
    }

    /// Overwrites with what the oracle says.
    pub(crate) fn havoc(
        &mut self,
        to: (usize, usize),
        size: u64,
        what: Arbitrary<'_>,
    ) -> Result<(), Trap> {
        let range = self.range(to.0, to.1, size, true)?;
        let word = self.memory.word;
        let object = &mut self.memory.objects[to.0];
        object.note_write(range.start, range.len(), word);
        let bytes = &mut object.bytes[range];
        bytes.fill(0);
        if self.memory.lazy {
            let range = to.1..to.1 + size as usize;
            self.memory.objects[to.0].written[range].fill(false);
        } else {
            self.oracle.contents(what, bytes);
        }
        Ok(())
    }

    /// The bytes of a string, without the zero at its end.
    pub(crate) fn string(&self, pointer: (u64, Provenance), limit: usize) -> Result<Vec<u8>, Trap> {
        let (index, offset) = self.memory.locate(pointer.0, pointer.1)?;
        let rest = self.memory.objects[index].bytes.get(offset..).ok_or(ACCESS)?;
        let mut text = Vec::new();
        for byte in rest.iter().take(limit) {
            if *byte == 0 {
                return Ok(text);
            }
            text.push(*byte);
        }
        if text.len() == limit { Ok(text) } else { Err(ACCESS) }
    }
}
