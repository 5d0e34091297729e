//! Memory: objects with concrete addresses, bytes and provenance.
//!
//! A pointer is an address and a *provenance*, the object it was made from; an
//! access through it must stay inside that object, however the address was
//! computed. Provenance zero is *wild*: the pointer came from an integer or
//! from bytes, and stands for the live object at its address. Objects never
//! touch each other, so one-past-the-end addresses are not ambiguous.
//!
//! Pointers stored at aligned offsets keep their provenance in `words`, a
//! shadow that is made when the first pointer is stored and cleared by any
//! other store over it.

use super::outcome::{CheckKind, Position};
use super::outside::{OUTSIDE, OUTSIDE_END, OUTSIDE_ROOM};
use super::trap::Trap;
use crate::{DataModel, Variable};
use parallax_base::Id;
use std::collections::BTreeMap;

/// Which object a pointer was made from, and the life of its slot: `0` is wild,
/// else the generation in the high half and the index plus one in the low half.
pub(crate) type Provenance = u64;

/// Where an object lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// The whole run.
    Static,
    /// Until its function says otherwise.
    Stack,
    /// Until it is freed.
    Heap,
}

/// An object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    /// Its address.
    pub(crate) address: u64,
    /// How often its slot was used before.
    pub(crate) generation: u32,
    /// Where it lives.
    pub(crate) kind: Kind,
    /// Whether it exists now.
    pub(crate) live: bool,
    /// Whether writing is forbidden.
    pub(crate) read_only: bool,
    /// Its contents.
    pub(crate) bytes: Vec<u8>,
    /// One per byte: whether it was written. Empty if nobody wants to know.
    pub(crate) written: Vec<bool>,
    /// Provenance of the pointer at each aligned offset; empty if there is none.
    pub(crate) words: Vec<Provenance>,
    /// Who allocated it, and when: for heap objects.
    pub(crate) origin: Option<Position>,
    /// Number of the allocation.
    pub(crate) serial: u64,
    /// The variable that it is, if that is known.
    pub(crate) variable: Option<Id<Variable>>,
}

/// All objects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Memory {
    /// The objects by index; slots of dead ones are used again.
    pub(crate) objects: Vec<Object>,
    unused: Vec<u32>,
    /// Live heap objects by address.
    pub(crate) heap: BTreeMap<u64, u32>,
    /// Static objects by address: filled in ascending order.
    statics: Vec<(u64, u32)>,
    next_static: u64,
    next_heap: u64,
    heap_end: u64,
    /// Freed addresses by size, used when the space runs out.
    freed: BTreeMap<u64, Vec<u64>>,
    /// Bytes of all live objects.
    in_use: u64,
    limit: u64,
    allocations: u64,
    /// Whether `written` is kept.
    pub(crate) track_written: bool,
    /// Whether contents are chosen when they are read.
    pub(crate) lazy: bool,
    /// The objects of memory outside the program, by their number.
    pub(crate) outside: BTreeMap<u64, u32>,
    /// Bytes of a pointer.
    pub(crate) word: usize,
    /// All ones in the width of a pointer.
    pub(crate) mask: u64,
    /// The objects of local variables of all open calls; zero for none.
    pub(crate) slots: Vec<Provenance>,
    /// Objects of `alloca` of all open calls.
    pub(crate) extra: Vec<u32>,
    /// The highest stack address.
    pub(crate) stack_top: u64,
    /// The lowest stack address.
    pub(crate) stack_end: u64,
    /// The stacks of all threads; that of the running one is in the fields above.
    stacks: Vec<Stack>,
    /// Bytes of a stack of a thread other than `main`.
    stack_room: u64,
    /// The lowest address of all stacks so far.
    lowest_stack: u64,
    /// Top and end of stacks whose threads have ended.
    free_stacks: Vec<(u64, u64)>,
}

/// The stack of a thread that does not run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Stack {
    slots: Vec<Provenance>,
    extra: Vec<u32>,
    top: u64,
    end: u64,
}

/// Free space between objects, at least.
const GAP: u64 = 16;

fn align_up(value: u64, align: u64) -> u64 {
    value.next_multiple_of(align.max(1))
}

impl Memory {
    /// An empty memory.
    pub(crate) fn new(model: DataModel, limit: u64, track_written: bool) -> Memory {
        let (statics, heap, heap_end, stack, room, stack_room) = match model {
            DataModel::Ilp32 => {
                (0x0805_0000, 0x5655_0000, 0xdf00_0000, 0xffff_d000, 1 << 28, 1 << 20)
            }
            DataModel::Lp64 => (
                0x5555_5560_0000,
                0x5556_5560_0000,
                0x7000_0000_0000,
                0x7fff_ffff_d000u64,
                1u64 << 32,
                1u64 << 26,
            ),
        };
        Memory {
            objects: Vec::new(),
            unused: Vec::new(),
            heap: BTreeMap::new(),
            statics: Vec::new(),
            next_static: statics,
            next_heap: heap,
            heap_end,
            freed: BTreeMap::new(),
            in_use: 0,
            limit,
            allocations: 0,
            track_written,
            lazy: false,
            outside: BTreeMap::new(),
            word: if model == DataModel::Ilp32 { 4 } else { 8 },
            mask: if model == DataModel::Ilp32 { u64::from(u32::MAX) } else { u64::MAX },
            slots: Vec::new(),
            extra: Vec::new(),
            stack_top: stack,
            stack_end: stack - room,
            stacks: vec![Stack::default()],
            stack_room,
            lowest_stack: stack - room,
            free_stacks: Vec::new(),
        }
    }

    /// Makes a stack for one more thread.
    pub(crate) fn add_stack(&mut self) -> Result<(), Trap> {
        let (top, end) = match self.free_stacks.pop() {
            Some(free) => free,
            None => {
                let top = self.lowest_stack - GAP;
                if top - self.stack_room < self.heap_end {
                    return Err(Trap::MemoryLimit);
                }
                self.lowest_stack = top - self.stack_room;
                (top, self.lowest_stack)
            }
        };
        self.stacks.push(Stack { top, end, ..Stack::default() });
        Ok(())
    }

    /// The running thread has ended: its stack may be used again.
    pub(crate) fn free_stack(&mut self) {
        self.free_stacks.push((self.stack_top, self.stack_end));
    }

    /// Another thread runs.
    pub(crate) fn switch_stack(&mut self, from: usize, to: usize) {
        for number in [from, to] {
            let stack = &mut self.stacks[number];
            std::mem::swap(&mut self.slots, &mut stack.slots);
            std::mem::swap(&mut self.extra, &mut stack.extra);
            std::mem::swap(&mut self.stack_top, &mut stack.top);
            std::mem::swap(&mut self.stack_end, &mut stack.end);
        }
    }

    /// The provenance of pointers to a live object.
    pub(crate) fn provenance(&self, index: u32) -> Provenance {
        u64::from(self.objects[index as usize].generation) << 32 | (u64::from(index) + 1)
    }

    /// Makes an object; its bytes are zero, none is written.
    pub(crate) fn create(&mut self, address: u64, size: u64, kind: Kind) -> Result<u32, Trap> {
        if size > self.limit - self.in_use.min(self.limit) {
            return Err(Trap::MemoryLimit);
        }
        self.in_use += size;
        let index = match self.unused.pop() {
            Some(index) => index,
            None => {
                self.objects.push(Object {
                    address,
                    generation: 0,
                    kind,
                    live: true,
                    read_only: false,
                    bytes: Vec::new(),
                    written: Vec::new(),
                    words: Vec::new(),
                    origin: None,
                    serial: 0,
                    variable: None,
                });
                (self.objects.len() - 1) as u32
            }
        };
        let track_written = self.track_written;
        let object = &mut self.objects[index as usize];
        object.address = address;
        object.kind = kind;
        object.live = true;
        object.read_only = false;
        (object.serial, object.variable) = (0, None);
        // Fresh zeroed memory costs nothing until it is touched.
        if size > 4096 {
            object.bytes = vec![0; size as usize];
        } else {
            object.bytes.resize(size as usize, 0);
        }
        if track_written {
            object.written = vec![false; size as usize];
        }
        Ok(index)
    }

    /// Ends an object: pointers to it dangle.
    pub(crate) fn destroy(&mut self, index: u32) {
        let object = &mut self.objects[index as usize];
        if !object.live {
            return;
        }
        object.live = false;
        object.generation = object.generation.wrapping_add(1);
        let size = object.bytes.len() as u64;
        if size > 4096 {
            object.bytes = Vec::new();
        } else {
            object.bytes.clear();
        }
        object.written.clear();
        object.words.clear();
        object.origin = None;
        let (address, kind) = (object.address, object.kind);
        self.in_use -= size;
        self.unused.push(index);
        if kind == Kind::Heap {
            self.heap.remove(&address);
            self.freed.entry(heap_room(size)).or_default().push(address);
        }
    }

    /// Makes a static object after all others.
    pub(crate) fn create_static(&mut self, size: u64, align: u64) -> Result<u32, Trap> {
        let address = align_up(self.next_static, align.max(16));
        self.next_static = address + size + GAP;
        let index = self.create(address, size, Kind::Static)?;
        self.statics.push((address, index));
        Ok(index)
    }

    /// Makes a heap object.
    pub(crate) fn allocate(&mut self, size: u64, origin: Option<Position>) -> Result<u32, Trap> {
        if size > self.limit {
            return Err(Trap::MemoryLimit);
        }
        let room = heap_room(size);
        let address = if self.next_heap + room <= self.heap_end {
            let address = self.next_heap;
            self.next_heap += room;
            address
        } else {
            self.freed.get_mut(&room).and_then(Vec::pop).ok_or(Trap::MemoryLimit)?
        };
        let index = self.create(address, size, Kind::Heap)?;
        self.allocations += 1;
        self.objects[index as usize].serial = self.allocations;
        self.objects[index as usize].origin = origin;
        self.heap.insert(address, index);
        Ok(index)
    }

    /// The live object that holds an address, or ends just before it.
    pub(crate) fn find(&self, address: u64) -> Option<u32> {
        let found = if address >= self.heap_end {
            let own = (&self.slots, &self.extra);
            let others = self.stacks.iter().map(|stack| (&stack.slots, &stack.extra));
            let mut locals = std::iter::once(own).chain(others).flat_map(|(slots, extra)| {
                let slots = slots.iter().rev().filter_map(|slot| self.owner(*slot));
                slots.chain(extra.iter().rev().copied())
            });
            return locals.find(|index| self.objects[*index as usize].holds(address));
        } else if (OUTSIDE..OUTSIDE_END).contains(&address) {
            self.outside.get(&((address - OUTSIDE) / OUTSIDE_ROOM)).copied()
        } else if address >= self.next_static {
            self.heap.range(..=address).next_back().map(|(_, index)| *index)
        } else {
            let after = self.statics.partition_point(|(start, _)| *start <= address);
            after.checked_sub(1).map(|at| self.statics[at].1)
        };
        found.filter(|index| self.objects[*index as usize].holds(address))
    }

    /// The object a pointer leads to, and the offset in it, which may be out of it.
    #[inline]
    pub(crate) fn locate(
        &self,
        address: u64,
        provenance: Provenance,
    ) -> Result<(usize, usize), Trap> {
        let index = if provenance == 0 { self.find(address) } else { self.owner(provenance) };
        match index {
            Some(index) => {
                let object = &self.objects[index as usize];
                Ok((index as usize, address.wrapping_sub(object.address) as usize))
            }
            None => Err(Trap::Undefined(CheckKind::Access)),
        }
    }

    /// The object of a pointer that is not wild, if it lives.
    pub(crate) fn owner(&self, provenance: Provenance) -> Option<u32> {
        let index = (provenance as u32).wrapping_sub(1);
        let object = self.objects.get(index as usize)?;
        (object.live && object.generation == (provenance >> 32) as u32).then_some(index)
    }
}

/// The address space a heap object takes.
fn heap_room(size: u64) -> u64 {
    align_up(size.max(1), 16) + GAP
}

impl Object {
    /// Whether the address is inside, or just past the end.
    pub(crate) fn holds(&self, address: u64) -> bool {
        self.live && address.wrapping_sub(self.address) <= self.bytes.len() as u64
    }

    /// Notes that bytes were written, with no pointer among them.
    pub(crate) fn note_write(&mut self, offset: usize, size: usize, word: usize) {
        if !self.written.is_empty() {
            self.written[offset..offset + size].fill(true);
        }
        if !self.words.is_empty() {
            let end = (offset + size).div_ceil(word).min(self.words.len());
            let first = (offset / word).min(end);
            self.words[first..end].fill(0);
        }
    }

    /// Notes the provenance of the pointer stored at an offset.
    pub(crate) fn note_pointer(&mut self, offset: usize, provenance: Provenance, word: usize) {
        if provenance == 0 || !offset.is_multiple_of(word) {
            return;
        }
        if self.words.is_empty() {
            self.words = vec![0; self.bytes.len() / word];
        }
        if let Some(shadow) = self.words.get_mut(offset / word) {
            *shadow = provenance;
        }
    }

    /// The provenance of the pointer stored at an offset.
    pub(crate) fn pointer_at(&self, offset: usize, word: usize) -> Provenance {
        if !offset.is_multiple_of(word) {
            return 0;
        }
        self.words.get(offset / word).copied().unwrap_or(0)
    }
}
