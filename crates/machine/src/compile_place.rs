//! Places as a pointer in a register and a constant offset.

use crate::code::{BitCode, Instr, Reg};
use crate::target::Compiler;
use parallax_base::Id;
use parallax_cfa::Place;
use parallax_cfa::registers::{Arithmetic, Class, Operations, Parts, Target, Values, walk};

impl Compiler<'_, '_> {
    /// Computes a place: pointer and offset, or `None` if its layout is not
    /// known (then the code says that it is not supported).
    pub(crate) fn place(&mut self, place: Id<Place>) -> Option<(Reg, u32)> {
        let parts = self.parts(place);
        self.place_from(place, parts)
    }

    /// The address of a place in a register.
    pub(crate) fn address(&mut self, place: Id<Place>) -> Option<Reg> {
        let parts = self.parts(place);
        self.address_from(place, parts, None)
    }

    /// The same, from its parts.
    pub(crate) fn address_from(
        &mut self,
        place: Id<Place>,
        parts: Parts<Reg>,
        wish: Option<Reg>,
    ) -> Option<Reg> {
        let (p, k) = self.place_from(place, parts)?;
        if k == 0 {
            return Some(p);
        }
        let d = self.goal(wish, Class::One);
        self.emit(Instr::PointerOffset { d, a: p, k });
        Some(d)
    }

    /// Pointer and offset, from the parts of a place.
    pub(crate) fn place_from(&mut self, id: Id<Place>, parts: Parts<Reg>) -> Option<(Reg, u32)> {
        let program = self.shared.program;
        let small = |constant| (0..1 << 24).contains(&constant);
        let Some(walked) = walk(program, &program.places[id], parts, small) else {
            return self.unknown_layout();
        };
        let mut p = match walked.base {
            Ok(variable) => match self.shared.statics.get(&variable) {
                Some(pointer) => self.work.constant(*pointer),
                None => match self.objects.get(&variable) {
                    Some(reg) => *reg,
                    None => return self.unknown_layout(),
                },
            },
            Err(reg) => reg,
        };
        if walked.indices.iter().any(|(_, size)| u32::try_from(*size).is_err()) {
            return self.unknown_layout();
        }
        for (value, size) in walked.indices {
            let scaled = self.scaled(value, size);
            let d = self.work.temporary(Class::One);
            self.emit(Instr::PointerAdd { d, a: p, b: scaled });
            p = d;
        }
        match u32::try_from(walked.offset) {
            Ok(k) => Some((p, k)),
            Err(_) => self.unknown_layout(),
        }
    }

    fn unknown_layout<T>(&mut self) -> Option<T> {
        self.unsupported("a place whose layout is not known");
        None
    }

    fn bit_code(&mut self, place: Id<Place>, offset: u32) -> Option<u32> {
        let program = self.shared.program;
        let field = program.places[place].bits?;
        let signed = program.types.scalar(program.places[place].ty).is_some_and(|t| t.is_signed());
        self.code.bits.push(BitCode {
            offset,
            bytes: (field.shift + field.width).div_ceil(8) as u8,
            shift: field.shift as u8,
            width: field.width as u8,
            signed,
        });
        Some(self.code.bits.len() as u32 - 1)
    }

    /// Loads a scalar.
    pub(crate) fn load_at(&mut self, place: Id<Place>, d: Reg, p: Reg, k: u32) {
        if let Some(k) = self.bit_code(place, k) {
            self.emit(Instr::LoadBits { d, p, k });
            return;
        }
        let program = self.shared.program;
        let ty = self.work.type_at(place);
        let instr = match (ty.size(program.types.model), ty.is_signed()) {
            (1, true) => Instr::LoadS8 { d, p, k },
            (1, false) => Instr::LoadU8 { d, p, k },
            (2, true) => Instr::LoadS16 { d, p, k },
            (2, false) => Instr::LoadU16 { d, p, k },
            (4, true) => Instr::LoadS32 { d, p, k },
            (4, false) => Instr::LoadU32 { d, p, k },
            (8, _) => Instr::Load64 { d, p, k },
            _ => return self.unsupported("a value of more than 64 bits"),
        };
        self.emit(instr);
    }

    /// Stores a scalar.
    pub(crate) fn store_at(&mut self, place: Id<Place>, a: Reg, p: Reg, k: u32) {
        if let Some(k) = self.bit_code(place, k) {
            self.emit(Instr::StoreBits { p, a, k });
            return;
        }
        let program = self.shared.program;
        let ty = self.work.type_at(place);
        let instr = match ty.size(program.types.model) {
            8 if ty.is_pointer() => Instr::StorePointer { p, a, k },
            1 => Instr::Store8 { p, a, k },
            2 => Instr::Store16 { p, a, k },
            4 => Instr::Store32 { p, a, k },
            8 => Instr::Store64 { p, a, k },
            _ => return self.unsupported("a value of more than 64 bits"),
        };
        self.emit(instr);
    }
}
