//! Heaps as sequences, so that comparing heaps is comparing sequences.
//!
//! Objects are numbered in the order in which they are reached from the roots,
//! breadth first through the fields in their order. *Shape* writes the numbers
//! of the objects that pointers lead to; *complete* writes the data as well.
//! Two heaps have one complete sequence exactly if a renaming of addresses maps
//! one to the other (objects that nothing reaches aside). *Concrete* writes all
//! live objects with their numbers of allocation and renames nothing.
//! (Visser, Păsăreanu, Pelánek, "Test input generation for Java containers
//! using state matching", ISSTA 2006.)

use crate::layout::{Layout, LayoutId, Layouts, Leaf};
use crate::machine::Machine;
use crate::memory::{POINTER, STACK, SYMBOLIC, UNWRITTEN, function_of, object_of};

/// How much of the heap is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The pointers.
    Shape,
    /// Pointers and data.
    Complete,
    /// Everything as it lies in memory.
    Concrete,
}

/// A heap as a sequence.
#[derive(Clone, Debug, Default)]
pub struct Linear {
    /// The sequence.
    pub bytes: Vec<u8>,
    /// The terms of the symbolic data, in order.
    pub terms: Vec<u32>,
}

/// An object of a shape, for pictures.
#[derive(Clone, Debug, Default)]
pub struct ShapeNode {
    /// Its layout.
    pub layout: LayoutId,
    /// Its pointers: offset, and the number of the object or `None` for null.
    pub pointers: Vec<(u32, Option<u32>)>,
    /// Its data: offset, size and value.
    pub data: Vec<(u32, u8, u64)>,
}

const NULL: u64 = 0;
const DANGLING: u64 = 1;
const INSIDE: u64 = 2;
const NUMBER: u64 = 3;
const FUNCTION: u64 = 4;
const LOCAL: u64 = 5;
const NOTHING: u64 = 6;
const FIRST: u64 = 7;

/// Linearizes heaps; keeps its buffers.
#[derive(Clone, Debug)]
pub struct Linearizer<'l> {
    layouts: &'l Layouts,
    /// Per object: the round in which it was reached, and its number.
    numbers: Vec<(u32, u32)>,
    round: u32,
    queue: Vec<(u32, LayoutId)>,
    /// The result.
    pub out: Linear,
}

impl<'l> Linearizer<'l> {
    /// A linearizer for programs with these layouts.
    pub fn new(layouts: &'l Layouts) -> Linearizer<'l> {
        Linearizer {
            layouts,
            numbers: Vec::new(),
            round: 0,
            queue: Vec::new(),
            out: Linear::default(),
        }
    }

    /// Writes the heap below the roots: pointers with the layouts of what they
    /// point to.
    pub fn linearize(&mut self, machine: &Machine<'_>, roots: &[(u64, LayoutId)], what: What) {
        self.out.bytes.clear();
        self.out.terms.clear();
        if what == What::Concrete {
            self.concrete(machine);
            return;
        }
        self.round += 1;
        self.queue.clear();
        self.numbers.resize(machine.memory.objects.len(), (0, 0));
        for (pointer, layout) in roots {
            self.pointer(machine, *pointer, *layout);
        }
        let mut next = 0;
        while let Some(&(object, layout)) = self.queue.get(next) {
            next += 1;
            self.object(machine, object, layout, what == What::Complete);
        }
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.out.bytes.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.out.bytes.push(value as u8);
    }

    #[inline(always)]
    fn pointer(&mut self, machine: &Machine<'_>, pointer: u64, layout: LayoutId) {
        if pointer == 0 {
            self.out.bytes.push(NULL as u8);
            return;
        }
        let (object, offset) = object_of(pointer);
        match machine.memory.objects.get(object as usize) {
            Some(found) if object != 0 => {
                if !found.is_live() {
                    return self.varint(DANGLING);
                }
                if offset != 0 {
                    self.varint(INSIDE);
                    self.varint(u64::from(offset));
                }
                let known = self.numbers[object as usize];
                let number = if known.0 == self.round {
                    known.1
                } else {
                    let number = self.queue.len() as u32;
                    self.numbers[object as usize] = (self.round, number);
                    // What an inner pointer leads to says little of the object.
                    self.queue.push((object, if offset == 0 { layout } else { 0 }));
                    number
                };
                self.varint(FIRST + u64::from(number));
            }
            _ => {
                if let Some(function) = function_of(pointer) {
                    self.varint(FUNCTION);
                    self.varint(function.index() as u64);
                } else if object >= STACK {
                    self.varint(LOCAL);
                } else {
                    self.varint(NUMBER);
                    self.varint(pointer);
                }
            }
        }
    }

    fn object(&mut self, machine: &Machine<'_>, object: u32, layout: LayoutId, data: bool) {
        let found = machine.memory.objects[object as usize];
        let layouts = self.layouts;
        let layout = &layouts.layouts[layout as usize];
        let start = found.start as usize;
        if layout.size == 0 && layout.rest.is_none() {
            self.varint(u64::from(found.size));
            return self.raw(machine, start, found.size as usize, data);
        }
        if found.size == layout.size {
            return self.leaves(machine, layout, start, data);
        }
        self.varint(u64::from(found.size));
        if layout.size <= found.size {
            self.leaves(machine, layout, start, data);
        }
        let repeated = match layout.rest {
            Some(rest) => &layouts.layouts[rest as usize],
            None => layout,
        };
        let mut at = layout.size;
        while repeated.size > 0 && at + repeated.size <= found.size {
            self.leaves(machine, repeated, start + at as usize, data);
            at += repeated.size;
        }
        if at < found.size {
            self.raw(machine, start + at as usize, (found.size - at) as usize, data);
        }
    }

    fn leaves(&mut self, machine: &Machine<'_>, layout: &Layout, start: usize, data: bool) {
        let heap = &machine.memory.heap;
        for leaf in &layout.leaves {
            match *leaf {
                Leaf::Pointer { offset, to } => {
                    let at = start + offset as usize;
                    if heap.shadow[at] == UNWRITTEN {
                        self.varint(NOTHING);
                        continue;
                    }
                    let mut word = [0; 8];
                    word.copy_from_slice(&heap.bytes[at..at + 8]);
                    self.pointer(machine, u64::from_le_bytes(word), to);
                }
                Leaf::Data { offset, size } => {
                    if data {
                        self.data(machine, start + offset as usize, size as usize);
                    }
                }
                Leaf::Raw { offset, size } => {
                    self.raw(machine, start + offset as usize, size as usize, data);
                }
            }
        }
    }

    #[inline(always)]
    fn data(&mut self, machine: &Machine<'_>, at: usize, size: usize) {
        let heap = &machine.memory.heap;
        match heap.shadow[at] {
            UNWRITTEN => self.out.bytes.push(0),
            SYMBOLIC => {
                self.out.bytes.push(1);
                let mut term = [0; 4];
                term.copy_from_slice(&heap.bytes[at..at + 4]);
                self.out.terms.push(u32::from_le_bytes(term));
            }
            _ => {
                let mut word = [0; 8];
                word[..size].copy_from_slice(&heap.bytes[at..at + size]);
                let value = u64::from_le_bytes(word);
                let unused = 64 - 8 * size as u32;
                let signed = ((value << unused) as i64) >> unused;
                // Small numbers of either sign are short; zero and one are taken.
                let zigzag = (signed << 1 ^ signed >> 63) as u64;
                if zigzag < u64::MAX - 2 {
                    self.varint(zigzag + 2);
                } else {
                    self.varint(u64::MAX);
                    self.varint(zigzag);
                }
            }
        }
    }

    /// Bytes of which only the shadow says what they are.
    fn raw(&mut self, machine: &Machine<'_>, start: usize, size: usize, data: bool) {
        let heap = &machine.memory.heap;
        let mut at = start;
        while at < start + size {
            let word = at.is_multiple_of(8).then(|| heap.shadow.get(at..at + 8)).flatten();
            if at + 8 <= start + size && word.is_some_and(|word| *word == [POINTER; 8]) {
                let mut word = [0; 8];
                word.copy_from_slice(&heap.bytes[at..at + 8]);
                self.out.bytes.push(2);
                self.pointer(machine, u64::from_le_bytes(word), 0);
                at += 8;
                continue;
            }
            let symbolic = heap.shadow[at] == SYMBOLIC;
            if data && symbolic {
                self.data(machine, at, 4);
                at += if heap.shadow.get(at + 4) == Some(&SYMBOLIC)
                    && heap.bytes[at + 4..].starts_with(&[0; 4])
                {
                    8
                } else {
                    4
                };
                continue;
            }
            if data {
                self.out.bytes.push(u8::from(heap.shadow[at] != UNWRITTEN));
                self.out.bytes.push(if heap.shadow[at] == UNWRITTEN { 0 } else { heap.bytes[at] });
            }
            at += 1;
        }
    }

    /// All live objects as they lie in memory.
    fn concrete(&mut self, machine: &Machine<'_>) {
        let memory = &machine.memory;
        for (number, object) in memory.objects.iter().enumerate() {
            if number as u32 <= memory.read_only || !object.is_live() {
                continue;
            }
            self.varint(number as u64);
            let range = object.start as usize..(object.start + object.size) as usize;
            for at in range {
                let written = memory.heap.shadow[at] != UNWRITTEN;
                self.out.bytes.push(if written { memory.heap.bytes[at] } else { 0xAA });
            }
        }
    }

    /// The objects below the roots, for pictures; the number of each root.
    pub fn nodes(
        &mut self,
        machine: &Machine<'_>,
        roots: &[(u64, LayoutId)],
    ) -> (Vec<ShapeNode>, Vec<Option<u32>>) {
        self.linearize(machine, roots, What::Shape);
        let memory = &machine.memory;
        let number = |pointer: u64| {
            let (object, _) = object_of(pointer);
            let known = self.numbers.get(object as usize).filter(|known| known.0 == self.round);
            known.map(|known| known.1)
        };
        let mut nodes = Vec::new();
        for &(object, layout) in &self.queue {
            let found = memory.objects[object as usize];
            let known = &self.layouts.layouts[layout as usize];
            let mut node = ShapeNode { layout, ..ShapeNode::default() };
            let count = found.size.checked_div(known.size).unwrap_or(0).min(64);
            for repeat in 0..count {
                for leaf in &known.leaves {
                    let at = |offset: u32| (found.start + repeat * known.size + offset) as usize;
                    match *leaf {
                        Leaf::Pointer { offset, .. } => {
                            let at = at(offset);
                            let mut word = [0; 8];
                            word.copy_from_slice(&memory.heap.bytes[at..at + 8]);
                            let offset = repeat * known.size + offset;
                            node.pointers.push((offset, number(u64::from_le_bytes(word))));
                        }
                        Leaf::Data { offset, size } => {
                            let at = at(offset);
                            let mut word = [0; 8];
                            word[..size as usize]
                                .copy_from_slice(&memory.heap.bytes[at..at + size as usize]);
                            let offset = repeat * known.size + offset;
                            node.data.push((offset, size, u64::from_le_bytes(word)));
                        }
                        Leaf::Raw { .. } => {}
                    }
                }
            }
            nodes.push(node);
        }
        (nodes, roots.iter().map(|(pointer, _)| number(*pointer)).collect())
    }

    /// How many objects the last sequence has.
    pub fn object_count(&self) -> usize {
        self.queue.len()
    }

    /// The type of the objects of a layout.
    pub fn type_of(&self, layout: LayoutId) -> Option<parallax_base::Id<parallax_cfa::Type>> {
        self.layouts.layouts.get(layout as usize)?.ty
    }
}
