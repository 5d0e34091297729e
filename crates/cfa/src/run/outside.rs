//! Contents that are chosen when they are read, and memory outside the program.
//!
//! A run that is repeated from values of single reads (a counterexample) knows
//! what each read gave, not what whole objects held. So the oracle is asked for
//! what was never written when it is read.
//!
//! Pointers that the program did not make may point to memory of others. Where
//! the oracle hands out an address in the range of such memory, there is an
//! object around it from then on.

use super::code::PlaceCode;
use super::machine::Machine;
use super::memory::Kind;
use super::outcome::{CheckKind, Unwritten, UnwrittenObject};
use super::trap::Trap;
use crate::{ScalarType, arith};
use parallax_base::Id;

/// The first address of memory outside the program.
pub const OUTSIDE: u64 = 0x4000_0000;
/// The end of memory outside the program.
pub const OUTSIDE_END: u64 = 0x5000_0000;
/// The address space of one object there; the object takes the first half.
pub const OUTSIDE_ROOM: u64 = 0x2_0000;

impl Machine<'_, '_> {
    /// Puts what the oracle chose into registers.
    pub(crate) fn set_chosen(&mut self, d: u32, ty: ScalarType, bits: u128) -> Result<(), Trap> {
        let bits = arith::wrap(ty, bits);
        self.set_bits(d, ty, bits);
        self.admit(ty, bits)
    }

    /// Makes the object outside the program that a chosen pointer points to.
    pub(crate) fn admit(&mut self, ty: ScalarType, bits: u128) -> Result<(), Trap> {
        match u64::try_from(bits) {
            Ok(address) if ty.is_pointer() && self.memory.lazy => self.admit_address(address),
            _ => Ok(()),
        }
    }

    fn admit_address(&mut self, address: u64) -> Result<(), Trap> {
        if !(OUTSIDE..OUTSIDE_END).contains(&address) {
            return Ok(());
        }
        let number = (address - OUTSIDE) / OUTSIDE_ROOM;
        if !self.memory.outside.contains_key(&number) {
            let start = OUTSIDE + number * OUTSIDE_ROOM;
            let index = self.memory.create(start, OUTSIDE_ROOM / 2, Kind::Static)?;
            self.memory.outside.insert(number, index);
        }
        Ok(())
    }

    /// Chooses what is read for the first time.
    #[inline(never)]
    pub(crate) fn choose(
        &mut self,
        index: usize,
        offset: usize,
        place: &PlaceCode,
        pointer: bool,
    ) -> Result<(), Trap> {
        let access = Trap::Undefined(CheckKind::Access);
        let end = offset.checked_add(place.size as usize).ok_or(access)?;
        let object = &mut self.memory.objects[index];
        let Some(written) = object.written.get_mut(offset..end) else {
            // Objects that are written as a whole keep no record; an access
            // outside is noticed by the load.
            return Ok(());
        };
        if written.iter().any(|w| *w) {
            return Ok(());
        }
        written.fill(true);
        let mut offset_in = offset as u64;
        let of = match (object.variable, object.kind) {
            (Some(variable), _) => UnwrittenObject::Variable(variable),
            (None, Kind::Heap) => UnwrittenObject::Heap(object.serial),
            (None, Kind::Static) if (OUTSIDE..OUTSIDE_END).contains(&object.address) => {
                offset_in += object.address;
                UnwrittenObject::Outside
            }
            _ => UnwrittenObject::Other,
        };
        let decides = self.deciding.0 == self.steps;
        let edge = if decides { self.deciding.1 } else { self.edge };
        let function = self.frames.last().and_then(|frame| frame.function);
        let edge = function.map(|function| (function, Id::new(edge as usize)));
        let at = Unwritten { object: of, offset: offset_in, place: place.id, edge };
        self.oracle.unwritten(at, &mut object.bytes[offset..end]);
        if pointer && let Some(bytes) = self.memory.objects[index].bytes.get(offset..end) {
            let mut whole = [0; 8];
            let size = bytes.len().min(8);
            whole[..size].copy_from_slice(&bytes[..size]);
            return self.admit_address(u64::from_le_bytes(whole));
        }
        Ok(())
    }
}
