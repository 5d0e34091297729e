//! The state of a run: memory, registers, open calls.

use super::accident::Memories;
use super::code::{Code, NONE, PlaceBase, PlaceCode, Reg, Shape};
use super::memory::{Memory, Provenance};
use super::oracle::Oracle;
use super::outcome::{CheckKind, Position};
use super::repeat::Repeats;
use super::shared::Shared;
use super::threads::Threads;
use super::trap::Trap;
use super::unknown::Known;
use super::word::Word;
use crate::{Edge, Function, ScalarType};
use parallax_base::Id;

/// Bytes with what is known of them, apart from any object.
#[derive(Clone, Debug, Default)]
pub(crate) struct Blob {
    pub(crate) bytes: Vec<u8>,
    pub(crate) written: Vec<bool>,
    /// Provenance of pointers by offset.
    pub(crate) words: Vec<(usize, Provenance)>,
}

/// A value that was passed behind the named parameters.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// Its type and registers.
    Scalar(ScalarType, [u64; 2]),
    /// A record.
    Record(Blob),
}

/// An open call.
#[derive(Clone, Debug)]
pub(crate) struct Frame<'m> {
    /// The function; `None` while static variables are initialized.
    pub(crate) function: Option<Id<Function>>,
    /// Its code.
    pub(crate) code: &'m Code,
    /// Where it goes on when a call returns.
    pub(crate) pc: usize,
    /// Its first register.
    pub(crate) base: usize,
    /// Its first slot.
    pub(crate) slots: usize,
    /// Its first object of `alloca`.
    pub(crate) extra: usize,
    /// Its first list of arguments.
    pub(crate) lists: usize,
    /// The address its slots are below.
    pub(crate) top: u64,
    /// The lowest address in use.
    pub(crate) low: u64,
    /// Arguments behind the named ones.
    pub(crate) rest: Vec<Value>,
    /// The edge with the call that is open.
    pub(crate) edge: u32,
    /// Whether the open call is one that unknown code made, which then goes on.
    pub(crate) goes_on: bool,
}

/// A `va_list`: whose arguments, and which is next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct List {
    pub(crate) frame: usize,
    pub(crate) next: usize,
}

/// The state of a run.
pub(crate) struct Machine<'m, 'p> {
    pub(crate) shared: &'m Shared<'p>,
    pub(crate) oracle: &'m mut dyn Oracle,
    pub(crate) memory: Memory,
    pub(crate) registers: Vec<u64>,
    /// Registers of static variables.
    pub(crate) globals: Vec<u64>,
    pub(crate) frames: Vec<Frame<'m>>,
    /// First register and slot of the innermost call.
    pub(crate) base: usize,
    pub(crate) slots: usize,
    pub(crate) lists: Vec<List>,
    /// The value of the last return.
    pub(crate) returned: [u64; 2],
    pub(crate) returned_record: Blob,
    pub(crate) has_returned: bool,
    pub(crate) steps: u64,
    /// The edge that is executed in the innermost call.
    pub(crate) edge: u32,
    /// The first edge of the last branch, and the steps taken before it.
    pub(crate) deciding: (u64, u32),
    pub(crate) output: Vec<u8>,
    /// The threads that do not run, and who does.
    pub(crate) threads: Threads<'m>,
    /// What unknown code knows.
    pub(crate) known: Known,
    /// For runs that are asked whether they end.
    pub(crate) repeats: Repeats,
    /// For formulas: what the run has shown.
    pub(crate) word: Word,
    /// For messages: what was freed, and what went wrong.
    pub(crate) memories: Memories,
}

const ACCESS: Trap = Trap::Undefined(CheckKind::Access);

impl<'m, 'p> Machine<'m, 'p> {
    pub(crate) fn new(
        shared: &'m Shared<'p>,
        oracle: &'m mut dyn Oracle,
        memory: Memory,
        globals: Vec<u64>,
    ) -> Machine<'m, 'p> {
        Machine {
            shared,
            oracle,
            memory,
            registers: Vec::new(),
            globals,
            frames: Vec::new(),
            base: 0,
            slots: 0,
            lists: Vec::new(),
            returned: [0; 2],
            returned_record: Blob::default(),
            has_returned: false,
            steps: 0,
            edge: 0,
            deciding: (u64::MAX, 0),
            output: Vec::new(),
            threads: Threads::new(shared.thread_objects.clone()),
            known: Known::default(),
            repeats: Repeats::default(),
            word: Word::default(),
            memories: Memories::default(),
        }
    }

    /// A register of the innermost call.
    #[inline(always)]
    pub(crate) fn get(&self, reg: Reg) -> u64 {
        self.registers[self.base + reg as usize]
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, reg: Reg, value: u64) {
        self.registers[self.base + reg as usize] = value;
    }

    pub(crate) fn set_pair(&mut self, reg: Reg, value: [u64; 2]) {
        self.set(reg, value[0]);
        self.set(reg + 1, value[1]);
    }

    /// Address and provenance of a pointer in registers.
    pub(crate) fn pointer(&self, reg: Reg) -> (u64, Provenance) {
        (self.get(reg), self.get(reg + 1))
    }

    /// Canonical bits of a value in registers.
    pub(crate) fn bits(&self, reg: Reg, ty: ScalarType) -> u128 {
        join(ty, [self.get(reg), if ty.bits() > 64 { self.get(reg + 1) } else { 0 }])
    }

    /// Puts canonical bits in registers; pointers become wild.
    pub(crate) fn set_bits(&mut self, reg: Reg, ty: ScalarType, bits: u128) {
        self.set(reg, bits as u64);
        if ty.is_pointer() {
            self.set(reg + 1, 0);
        } else if ty.bits() > 64 {
            self.set(reg + 1, (bits >> 64) as u64);
        }
    }

    /// The object and offset of a place.
    #[inline(always)]
    pub(crate) fn resolve(&self, place: &PlaceCode) -> Result<(usize, usize), Trap> {
        let mut offset = place.offset;
        if place.index != NONE {
            offset = offset.wrapping_add(self.get(place.index));
        }
        match place.base {
            PlaceBase::Static(index) => Ok((index as usize, offset as usize)),
            PlaceBase::Thread(number) => {
                Ok((self.threads.objects[number as usize] as usize, offset as usize))
            }
            PlaceBase::Local(slot) => {
                let provenance = self.memory.slots[self.slots + slot as usize];
                if provenance == 0 {
                    return Err(ACCESS);
                }
                Ok(((provenance as u32 - 1) as usize, offset as usize))
            }
            PlaceBase::Pointer(reg) => {
                let (address, provenance) = self.pointer(reg);
                let address = address.wrapping_add(offset) & self.memory.mask;
                self.memory.locate(address, provenance)
            }
        }
    }

    /// The address of a place, as a pointer.
    pub(crate) fn address(&self, place: &PlaceCode) -> Result<[u64; 2], Trap> {
        if let PlaceBase::Pointer(reg) = place.base {
            let mut offset = place.offset;
            if place.index != NONE {
                offset = offset.wrapping_add(self.get(place.index));
            }
            let (address, provenance) = self.pointer(reg);
            return Ok([address.wrapping_add(offset) & self.memory.mask, provenance]);
        }
        let (object, offset) = self.resolve(place)?;
        let address = self.memory.objects[object].address.wrapping_add(offset as u64);
        Ok([address & self.memory.mask, self.memory.provenance(object as u32)])
    }

    /// Loads from a place to registers.
    #[inline(always)]
    pub(crate) fn load(&mut self, d: Reg, place: &PlaceCode, shape: Shape) -> Result<(), Trap> {
        let (object, offset) = self.resolve(place)?;
        if self.memory.lazy {
            self.choose(object, offset, place, shape == Shape::Pointer)?;
        }
        let object = &self.memory.objects[object];
        let value = match shape {
            Shape::S8 => i8::from_le_bytes(read(&object.bytes, offset)?) as u64,
            Shape::U8 => u64::from(u8::from_le_bytes(read(&object.bytes, offset)?)),
            Shape::S16 => i16::from_le_bytes(read(&object.bytes, offset)?) as u64,
            Shape::U16 => u64::from(u16::from_le_bytes(read(&object.bytes, offset)?)),
            Shape::S32 => i32::from_le_bytes(read(&object.bytes, offset)?) as u64,
            Shape::U32 => u64::from(u32::from_le_bytes(read(&object.bytes, offset)?)),
            Shape::W64 => u64::from_le_bytes(read(&object.bytes, offset)?),
            Shape::Pointer => {
                let word = self.memory.word;
                let address = if word == 4 {
                    u64::from(u32::from_le_bytes(read(&object.bytes, offset)?))
                } else {
                    u64::from_le_bytes(read(&object.bytes, offset)?)
                };
                let provenance = object.pointer_at(offset, word);
                self.set(d + 1, provenance);
                address
            }
            Shape::W80 | Shape::W128 => {
                let high = if shape == Shape::W80 {
                    u64::from(u16::from_le_bytes(read(&object.bytes, offset.wrapping_add(8))?))
                } else {
                    u64::from_le_bytes(read(&object.bytes, offset.wrapping_add(8))?)
                };
                let low = u64::from_le_bytes(read(&object.bytes, offset)?);
                self.set(d + 1, high);
                low
            }
            Shape::Bits => {
                let bytes = slice(&object.bytes, offset, place.size as usize)?;
                let mut whole = [0; 16];
                whole[..bytes.len()].copy_from_slice(bytes);
                let (shift, width, signed) = place.bits;
                let field = u128::from_le_bytes(whole) >> shift;
                let unused = 64 - u32::from(width);
                let low = (field as u64) << unused;
                if signed { ((low as i64) >> unused) as u64 } else { low >> unused }
            }
        };
        self.set(d, value);
        Ok(())
    }

    /// Stores registers to a place.
    #[inline(always)]
    pub(crate) fn store(&mut self, place: &PlaceCode, a: Reg, shape: Shape) -> Result<(), Trap> {
        let (index, offset) = self.resolve(place)?;
        let value = self.get(a);
        let high = match shape {
            Shape::Pointer | Shape::W80 | Shape::W128 => self.get(a + 1),
            _ => 0,
        };
        let word = self.memory.word;
        let object = &mut self.memory.objects[index];
        if object.read_only {
            return Err(ACCESS);
        }
        let bytes = &mut object.bytes;
        let mut size = place.size as usize;
        match shape {
            Shape::S8 | Shape::U8 => write(bytes, offset, (value as u8).to_le_bytes())?,
            Shape::S16 | Shape::U16 => write(bytes, offset, (value as u16).to_le_bytes())?,
            Shape::S32 | Shape::U32 => write(bytes, offset, (value as u32).to_le_bytes())?,
            Shape::W64 => write(bytes, offset, value.to_le_bytes())?,
            Shape::Pointer if word == 4 => write(bytes, offset, (value as u32).to_le_bytes())?,
            Shape::Pointer => write(bytes, offset, value.to_le_bytes())?,
            Shape::W80 => {
                write(bytes, offset.wrapping_add(8), (high as u16).to_le_bytes())?;
                write(bytes, offset, value.to_le_bytes())?;
                size = 10;
            }
            Shape::W128 => {
                write(bytes, offset.wrapping_add(8), high.to_le_bytes())?;
                write(bytes, offset, value.to_le_bytes())?;
            }
            Shape::Bits => store_bits(bytes, offset, place, value)?,
        }
        object.note_write(offset, size, word);
        if shape == Shape::Pointer {
            object.note_pointer(offset, high, word);
        }
        Ok(())
    }

    /// The edge that is executed.
    pub(crate) fn position(&self) -> Option<Position> {
        self.position_of(self.frames.len().wrapping_sub(1))
    }

    /// The edge that is executed in an open call.
    pub(crate) fn position_of(&self, depth: usize) -> Option<Position> {
        let frame = self.frames.get(depth)?;
        let function = frame.function?;
        let innermost = depth + 1 == self.frames.len();
        let edge: Id<Edge> = Id::new(if innermost { self.edge } else { frame.edge } as usize);
        let span = self.shared.program.functions[function].edges.get(edge)?.span;
        Some(Position { function, edge, span })
    }
}

fn store_bits(bytes: &mut [u8], offset: usize, place: &PlaceCode, value: u64) -> Result<(), Trap> {
    let end = offset.checked_add(place.size as usize).ok_or(ACCESS)?;
    let bytes = bytes.get_mut(offset..end).ok_or(ACCESS)?;
    let mut whole = [0; 16];
    whole[..bytes.len()].copy_from_slice(bytes);
    let (shift, width, _) = place.bits;
    let mask = (u128::MAX >> (128 - u32::from(width))) << shift;
    let old = u128::from_le_bytes(whole) & !mask;
    let new = old | (u128::from(value) << shift) & mask;
    bytes.copy_from_slice(&new.to_le_bytes()[..bytes.len()]);
    Ok(())
}

/// Canonical bits from registers.
pub(crate) fn join(ty: ScalarType, value: [u64; 2]) -> u128 {
    match ty {
        _ if ty.bits() > 64 => u128::from(value[1]) << 64 | u128::from(value[0]),
        ScalarType::Int { signed: true, .. } => value[0] as i64 as i128 as u128,
        _ => u128::from(value[0]),
    }
}

#[inline(always)]
pub(crate) fn read<const N: usize>(bytes: &[u8], offset: usize) -> Result<[u8; N], Trap> {
    bytes.get(offset..).and_then(|rest| rest.first_chunk()).copied().ok_or(ACCESS)
}

#[inline(always)]
fn write<const N: usize>(bytes: &mut [u8], offset: usize, value: [u8; N]) -> Result<(), Trap> {
    let place = bytes.get_mut(offset..).and_then(|rest| rest.first_chunk_mut()).ok_or(ACCESS)?;
    *place = value;
    Ok(())
}

/// Some bytes of an object.
pub(crate) fn slice(bytes: &[u8], offset: usize, size: usize) -> Result<&[u8], Trap> {
    let end = offset.checked_add(size).ok_or(ACCESS)?;
    bytes.get(offset..end).ok_or(ACCESS)
}
