//! The memory of a run: one arena for all objects, and copies of it.
//!
//! A pointer is one word: the number of its object in the upper half, the
//! offset in the lower. Numbers are given in the order of allocation and never
//! twice in one run, so an object that ended is never mistaken for another.
//! Null is zero; other numbers below 2^32 are pointers without an object.
//! Every byte has a *shadow* that says whether it was written, and as what.
//!
//! Layout of the numbers: 1 to `read_only` constants, then static variables,
//! then the heap. Local objects have numbers of their own, from [`STACK`] on.

use crate::Trap;
use parallax_base::Id;
use parallax_cfa::Function;

/// Shadow of a byte that was never written.
pub(crate) const UNWRITTEN: u8 = 0;
/// Shadow of data.
pub(crate) const DATA: u8 = 1;
/// Shadow of a pointer.
pub(crate) const POINTER: u8 = 2;
/// Shadow of a symbolic value: the bytes hold the number of a term.
pub(crate) const SYMBOLIC: u8 = 3;

/// The first number of local objects.
pub(crate) const STACK: u32 = 0x8000_0000;
/// The number that stands for functions.
const FUNCTIONS: u32 = 0xFFFF_FFFE;

/// The pointer to a function.
pub(crate) fn function_pointer(function: Id<Function>) -> u64 {
    u64::from(FUNCTIONS) << 32 | function.index() as u64
}

/// The function that a pointer leads to.
pub fn function_of(pointer: u64) -> Option<Id<Function>> {
    ((pointer >> 32) as u32 == FUNCTIONS).then(|| Id::new(pointer as u32 as usize))
}

/// The number of the object of a pointer, and the offset.
pub fn object_of(pointer: u64) -> (u32, u32) {
    ((pointer >> 32) as u32, pointer as u32)
}

/// Whether a word leads to an object.
pub fn is_object(pointer: u64) -> bool {
    let (object, _) = object_of(pointer);
    object != 0 && object != FUNCTIONS
}

/// Where an object lies. One that ended has size zero and this start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    pub(crate) start: u32,
    pub(crate) size: u32,
}

const ENDED: Object = Object { start: u32::MAX, size: 0 };

impl Object {
    pub(crate) fn is_live(self) -> bool {
        self.start != u32::MAX
    }
}

/// Bytes with their shadow.
#[derive(Clone, Debug, Default)]
pub(crate) struct Region {
    pub(crate) bytes: Vec<u8>,
    pub(crate) shadow: Vec<u8>,
}

/// A copy of what a program can change.
#[derive(Clone, Debug)]
pub struct Snapshot {
    bytes: Box<[u8]>,
    shadow: Box<[u8]>,
    objects: Box<[Object]>,
    stack_base: u32,
}

impl Snapshot {
    /// How many bytes it takes.
    pub fn size(&self) -> usize {
        self.bytes.len() * 2 + self.objects.len() * 8 + size_of::<Snapshot>()
    }
}

/// The memory of a run.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    pub(crate) heap: Region,
    pub(crate) objects: Vec<Object>,
    /// How many of them are constant, how many static.
    pub(crate) read_only: u32,
    pub(crate) statics: u32,
    read_only_end: usize,
    stack: Region,
    locals: Vec<Object>,
    stack_base: u32,
    limit: usize,
    /// Whether the heap or a static variable was written since the last
    /// [`Memory::restore`].
    pub(crate) changed: bool,
}

impl Memory {
    pub(crate) fn new(limit: usize) -> Memory {
        Memory {
            heap: Region::default(),
            objects: vec![ENDED],
            read_only: 0,
            statics: 0,
            read_only_end: 0,
            stack: Region::default(),
            locals: Vec::new(),
            stack_base: 0,
            limit,
            changed: false,
        }
    }

    /// A static object, all zero. Constant ones come first.
    pub(crate) fn create_static(&mut self, size: u64) -> Result<u64, Trap> {
        let pointer = self.allocate(size)?;
        let object = self.objects[(pointer >> 32) as usize];
        let range = object.start as usize..(object.start + object.size) as usize;
        self.heap.shadow[range].fill(DATA);
        self.statics = self.objects.len() as u32 - 1;
        Ok(pointer)
    }

    /// Says that all objects so far are constant.
    pub(crate) fn end_read_only(&mut self) {
        self.read_only = self.objects.len() as u32 - 1;
        self.read_only_end = self.heap.bytes.len();
    }

    pub(crate) fn allocate(&mut self, size: u64) -> Result<u64, Trap> {
        let start = self.heap.bytes.len();
        let room = (size as usize).max(1).div_ceil(8).saturating_mul(8);
        if size > self.limit as u64 || start + room > self.limit {
            return Err(Trap::Memory);
        }
        self.changed = true;
        self.heap.bytes.resize(start + room, 0);
        self.heap.shadow.resize(start + room, UNWRITTEN);
        let id = self.objects.len() as u64;
        self.objects.push(Object { start: start as u32, size: size as u32 });
        Ok(id << 32)
    }

    pub(crate) fn free(&mut self, pointer: u64) -> Result<(), Trap> {
        if pointer == 0 {
            return Ok(());
        }
        let (id, offset) = object_of(pointer);
        if id <= self.statics || id >= STACK || offset != 0 {
            return Err(Trap::BadFree);
        }
        match self.objects.get_mut(id as usize) {
            Some(object) if object.is_live() => {
                *object = ENDED;
                self.changed = true;
                Ok(())
            }
            Some(_) => Err(Trap::DoubleFree),
            None => Err(Trap::BadFree),
        }
    }

    /// A local object; where the stack was before is for [`Memory::leave`].
    pub(crate) fn enter_local(&mut self, size: u64) -> Result<u64, Trap> {
        let start = self.stack.bytes.len();
        let room = (size as usize).max(1).div_ceil(8).saturating_mul(8);
        if size > self.limit as u64 || start + room > self.limit {
            return Err(Trap::Memory);
        }
        self.stack.bytes.resize(start + room, 0);
        self.stack.shadow.resize(start + room, UNWRITTEN);
        let id = STACK + (self.stack_base + self.locals.len() as u32) % (FUNCTIONS - STACK);
        self.locals.push(Object { start: start as u32, size: size as u32 });
        Ok(u64::from(id) << 32)
    }

    pub(crate) fn end_local(&mut self, pointer: u64) {
        let at = self.local_index(object_of(pointer).0);
        if let Some(object) = at.and_then(|at| self.locals.get_mut(at)) {
            *object = ENDED;
        }
    }

    fn local_index(&self, id: u32) -> Option<usize> {
        id.checked_sub(STACK)?.checked_sub(self.stack_base).map(|at| at as usize)
    }

    /// How many local objects there are, and bytes of them.
    #[inline(always)]
    pub(crate) fn mark(&self) -> (u32, u32) {
        (self.locals.len() as u32, self.stack.bytes.len() as u32)
    }

    /// Ends the local objects that came after a mark.
    #[inline(always)]
    pub(crate) fn leave(&mut self, mark: (u32, u32)) {
        if self.locals.len() > mark.0 as usize {
            self.locals[mark.0 as usize..].fill(ENDED);
            self.stack.bytes.truncate(mark.1 as usize);
            self.stack.shadow.truncate(mark.1 as usize);
        }
    }

    /// Ends all local objects, for good.
    pub(crate) fn end_call(&mut self) {
        self.stack_base = self.stack_base.wrapping_add(self.locals.len() as u32) & 0x3FFF_FFFF;
        self.locals.clear();
        self.stack.bytes.clear();
        self.stack.shadow.clear();
    }

    /// Region and place of `size` bytes, at least one, at a pointer plus an
    /// offset. An object that ended has size zero.
    #[inline(always)]
    pub(crate) fn find(&self, pointer: u64, k: u32, size: u64) -> Result<(bool, usize), Trap> {
        let offset = u64::from(pointer as u32) + u64::from(k);
        match self.objects.get((pointer >> 32) as usize) {
            Some(object) if offset + size <= u64::from(object.size) => {
                Ok((false, object.start as usize + offset as usize))
            }
            _ => self.find_local(pointer, offset, size),
        }
    }

    fn find_local(&self, pointer: u64, offset: u64, size: u64) -> Result<(bool, usize), Trap> {
        let (id, _) = object_of(pointer);
        if (STACK..FUNCTIONS).contains(&id) {
            let object = self.local_index(id).and_then(|at| self.locals.get(at)).copied();
            return match object {
                Some(object) if !object.is_live() => Err(Trap::Dead),
                Some(object) if offset + size <= u64::from(object.size) => {
                    Ok((true, object.start as usize + offset as usize))
                }
                Some(_) => Err(Trap::Bounds),
                None => Err(Trap::Dead),
            };
        }
        Err(match self.objects.get(id as usize) {
            _ if pointer == 0 => Trap::Null,
            _ if id == 0 || id >= STACK => Trap::Wild,
            Some(object) if object.is_live() => Trap::Bounds,
            Some(_) => Trap::Dead,
            None => Trap::Wild,
        })
    }

    #[inline(always)]
    pub(crate) fn region(&self, local: bool) -> &Region {
        if local { &self.stack } else { &self.heap }
    }

    #[inline(always)]
    pub(crate) fn region_mut(&mut self, local: bool) -> &mut Region {
        self.changed |= !local;
        if local { &mut self.stack } else { &mut self.heap }
    }

    #[inline(always)]
    pub(crate) fn load<const N: usize>(&self, pointer: u64, k: u32) -> Result<[u8; N], Trap> {
        let (local, at) = self.find(pointer, k, N as u64)?;
        let region = self.region(local);
        let shadow: &[u8; N] =
            region.shadow.get(at..).and_then(|s| s.first_chunk()).ok_or(Trap::Bounds)?;
        if *shadow != [DATA; N] && *shadow != [POINTER; N] && shadow.contains(&UNWRITTEN) {
            return Err(Trap::Unwritten);
        }
        region.bytes.get(at..).and_then(|s| s.first_chunk()).copied().ok_or(Trap::Bounds)
    }

    #[inline(always)]
    pub(crate) fn store<const N: usize>(
        &mut self,
        pointer: u64,
        k: u32,
        value: [u8; N],
        as_what: u8,
    ) -> Result<(), Trap> {
        let (local, at) = self.find(pointer, k, N as u64)?;
        if !local && (pointer >> 32) as u32 <= self.read_only {
            return Err(Trap::ReadOnly);
        }
        let region = self.region_mut(local);
        if let (Some(bytes), Some(shadow)) = (
            region.bytes.get_mut(at..).and_then(|s| s.first_chunk_mut::<N>()),
            region.shadow.get_mut(at..).and_then(|s| s.first_chunk_mut::<N>()),
        ) {
            *bytes = value;
            *shadow = [as_what; N];
        }
        Ok(())
    }

    /// Copies bytes with their shadow, as `memmove` does.
    pub(crate) fn copy(&mut self, to: u64, from: u64, size: u64) -> Result<(), Trap> {
        if size == 0 {
            return Ok(());
        }
        let (from_local, from) = self.find(from, 0, size)?;
        let (to_local, at) = self.find(to, 0, size)?;
        if !to_local && (to >> 32) as u32 <= self.read_only {
            return Err(Trap::ReadOnly);
        }
        let size = size as usize;
        if from_local == to_local {
            let region = self.region_mut(to_local);
            region.bytes.copy_within(from..from + size, at);
            region.shadow.copy_within(from..from + size, at);
            return Ok(());
        }
        let (source, target) =
            if from_local { (&self.stack, &mut self.heap) } else { (&self.heap, &mut self.stack) };
        target.bytes[at..at + size].copy_from_slice(&source.bytes[from..from + size]);
        target.shadow[at..at + size].copy_from_slice(&source.shadow[from..from + size]);
        Ok(())
    }

    pub(crate) fn fill(&mut self, to: u64, byte: u8, size: u64) -> Result<(), Trap> {
        if size == 0 {
            return Ok(());
        }
        let (local, at) = self.find(to, 0, size)?;
        if !local && (to >> 32) as u32 <= self.read_only {
            return Err(Trap::ReadOnly);
        }
        let region = self.region_mut(local);
        region.bytes[at..at + size as usize].fill(byte);
        region.shadow[at..at + size as usize].fill(DATA);
        Ok(())
    }

    /// The size of the object a pointer leads to.
    pub(crate) fn object_size(&self, pointer: u64) -> u64 {
        let (id, _) = object_of(pointer);
        let object = match self.objects.get(id as usize) {
            Some(object) => Some(*object),
            None => self.local_index(id).and_then(|at| self.locals.get(at)).copied(),
        };
        match object {
            Some(object) if id != 0 && object.is_live() => u64::from(object.size),
            _ => u64::MAX,
        }
    }

    /// A copy of all that can change. Objects that ended take no bytes in it.
    pub(crate) fn save(&self) -> Snapshot {
        let first = self.read_only as usize + 1;
        let live: usize = self.objects[first..]
            .iter()
            .filter(|object| object.is_live())
            .map(|object| (object.size as usize).max(1).div_ceil(8) * 8)
            .sum();
        let whole = self.heap.bytes.len() - self.read_only_end;
        if live == whole {
            return Snapshot {
                bytes: self.heap.bytes[self.read_only_end..].into(),
                shadow: self.heap.shadow[self.read_only_end..].into(),
                objects: self.objects[first..].into(),
                stack_base: self.stack_base,
            };
        }
        let mut bytes = Vec::with_capacity(live);
        let mut shadow = Vec::with_capacity(live);
        let mut objects = Vec::with_capacity(self.objects.len() - first);
        for object in &self.objects[first..] {
            if !object.is_live() {
                objects.push(ENDED);
                continue;
            }
            let start = object.start as usize;
            let room = (object.size as usize).max(1).div_ceil(8) * 8;
            objects.push(Object {
                start: (self.read_only_end + bytes.len()) as u32,
                size: object.size,
            });
            bytes.extend_from_slice(&self.heap.bytes[start..start + room]);
            shadow.extend_from_slice(&self.heap.shadow[start..start + room]);
        }
        Snapshot {
            bytes: bytes.into(),
            shadow: shadow.into(),
            objects: objects.into(),
            stack_base: self.stack_base,
        }
    }

    /// Goes back to a copy.
    pub(crate) fn restore(&mut self, snapshot: &Snapshot) {
        self.heap.bytes.truncate(self.read_only_end);
        self.heap.bytes.extend_from_slice(&snapshot.bytes);
        self.heap.shadow.truncate(self.read_only_end);
        self.heap.shadow.extend_from_slice(&snapshot.shadow);
        self.objects.truncate(self.read_only as usize + 1);
        self.objects.extend_from_slice(&snapshot.objects);
        self.stack_base = snapshot.stack_base;
        self.changed = false;
        self.locals.clear();
        self.stack.bytes.clear();
        self.stack.shadow.clear();
    }
}
