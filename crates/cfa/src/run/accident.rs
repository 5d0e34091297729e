//! What stood where an access to memory went wrong: which object, how large, which
//! part of it was meant, and who made and freed it.
//!
//! Nothing here decides anything; the checks do. It is looked at when a check has
//! failed.

use super::code::{NONE, PlaceBase, PlaceCode};
use super::machine::Machine;
use super::memory::{Kind, Provenance};
use super::outcome::Position;
use crate::Variable;
use parallax_base::Id;
use std::collections::VecDeque;

/// How many freed objects are remembered.
const REMEMBERED: usize = 256;

/// An access that went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Accident {
    /// The address that was meant.
    pub address: u64,
    /// How many bytes from there on.
    pub bytes: u64,
    /// Whether they were to be written.
    pub write: bool,
    /// What the pointer led to, or had led to; `None` if nobody knows.
    pub object: Option<Met>,
}

/// An object that a pointer leads to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Met {
    /// Where the pointer leads, in bytes from its start.
    pub offset: i64,
    /// Its size.
    pub size: u64,
    /// The variable that it is.
    pub variable: Option<Id<Variable>>,
    /// Who allocated it.
    pub made: Option<Position>,
    /// Whether it has ended.
    pub is_over: bool,
    /// Who freed it.
    pub freed: Option<Position>,
    /// Whether it lies on the heap.
    pub is_heap: bool,
    /// Whether it may not be written.
    pub is_constant: bool,
}

/// A heap object that was freed.
#[derive(Clone, Copy, Debug)]
struct Grave {
    provenance: Provenance,
    address: u64,
    size: u64,
    made: Option<Position>,
    freed: Option<Position>,
}

/// What a run remembers for messages.
#[derive(Clone, Default, Debug)]
pub(crate) struct Memories {
    graves: VecDeque<Grave>,
    /// What went wrong.
    pub(crate) accident: Option<Accident>,
    /// The operands of arithmetic that overflowed.
    pub(crate) operands: Option<[i64; 2]>,
}

impl Machine<'_, '_> {
    /// A heap object is about to be freed.
    pub(crate) fn bury(&mut self, index: u32) {
        let object = &self.memory.objects[index as usize];
        let grave = Grave {
            provenance: self.memory.provenance(index),
            address: object.address,
            size: object.bytes.len() as u64,
            made: object.origin,
            freed: self.position(),
        };
        if self.memories.graves.len() == REMEMBERED {
            self.memories.graves.pop_front();
        }
        self.memories.graves.push_back(grave);
    }

    /// The access to a place went wrong.
    #[cold]
    pub(crate) fn note_place(&mut self, place: &PlaceCode, write: bool) {
        let pointer = match place.base {
            PlaceBase::Pointer(reg) => {
                let (address, provenance) = self.pointer(reg);
                let index = if place.index == NONE { 0 } else { self.get(place.index) };
                let offset = place.offset.wrapping_add(index);
                (address.wrapping_add(offset) & self.memory.mask, provenance)
            }
            _ => match self.resolve(place) {
                Ok((object, offset)) => {
                    let address = self.memory.objects[object].address;
                    let provenance = self.memory.provenance(object as u32);
                    (address.wrapping_add(offset as u64), provenance)
                }
                Err(_) => return,
            },
        };
        self.note_access(pointer, place.size, write);
    }

    /// The access to bytes behind a pointer went wrong.
    #[cold]
    pub(crate) fn note_access(&mut self, pointer: (u64, Provenance), bytes: u64, write: bool) {
        let object = self.met(pointer.0, pointer.1);
        self.memories.accident = Some(Accident { address: pointer.0, bytes, write, object });
    }

    fn met(&self, address: u64, provenance: Provenance) -> Option<Met> {
        let offset = |start: u64| address.wrapping_sub(start) as i64;
        if let Ok((index, _)) = self.memory.locate(address, provenance) {
            let object = &self.memory.objects[index];
            return Some(Met {
                offset: offset(object.address),
                size: object.bytes.len() as u64,
                variable: object.variable.filter(|_| object.kind != Kind::Heap),
                made: object.origin,
                is_over: false,
                freed: None,
                is_heap: object.kind == Kind::Heap,
                is_constant: object.read_only,
            });
        }
        if let Some(grave) = self.memories.graves.iter().rev().find(|g| g.provenance == provenance)
        {
            return Some(Met {
                offset: offset(grave.address),
                size: grave.size,
                variable: None,
                made: grave.made,
                is_over: true,
                freed: grave.freed,
                is_heap: true,
                is_constant: false,
            });
        }
        // A slot that nobody has used since tells what it was.
        let object = self.memory.objects.get((provenance as u32).wrapping_sub(1) as usize)?;
        let was_here = object.generation == ((provenance >> 32) as u32).wrapping_add(1);
        if !was_here || object.live || object.kind != Kind::Stack {
            return None;
        }
        let variable = object.variable?;
        Some(Met {
            offset: offset(object.address),
            size: self.shared.program.variables[variable].size,
            variable: Some(variable),
            made: None,
            is_over: true,
            freed: None,
            is_heap: false,
            is_constant: false,
        })
    }
}
