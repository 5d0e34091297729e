//! Places as instructions: base, constant offset, computed offset.

use super::code::{Instr, NONE, PlaceBase, PlaceCode, Reg, Shape};
use super::compile::Compiler;
use super::shared::StaticHome;
use crate::registers::{Operations, Parts, Target, Values, walk};
use crate::{Base, FloatKind, Place, ScalarType};
use parallax_base::Id;

impl Compiler<'_, '_> {
    /// Computes a place; its number, or `None` if its layout is not known (then
    /// the code reports that it is not supported).
    pub(crate) fn place(&mut self, place: Id<Place>) -> Option<u32> {
        let parts = self.parts(place);
        self.place_from(place, parts)
    }

    /// The same, from its parts.
    pub(super) fn place_from(&mut self, id: Id<Place>, parts: Parts<Reg>) -> Option<u32> {
        let program = self.shared.program;
        let place = &program.places[id];
        let Some(walked) = walk(program, place, parts, |_| true) else {
            return self.unknown_layout();
        };
        let base = match walked.base {
            Ok(variable) => match self.shared.statics[variable.index()] {
                StaticHome::Object(index) => PlaceBase::Static(index),
                StaticHome::Thread(number) => PlaceBase::Thread(number),
                _ => match self.slots.get(&variable) {
                    Some(slot) => PlaceBase::Local(*slot),
                    None => return self.unknown_layout(),
                },
            },
            Err(reg) => PlaceBase::Pointer(reg),
        };
        let offset = walked.offset;
        let mut index: Reg = NONE;
        for (value, size) in walked.indices {
            let d = self.scaled(value, size);
            if index != NONE {
                self.emit(Instr::Add64 { d, a: d, b: index });
            }
            index = d;
        }
        let (size, bits) = match (place.bits, program.types.scalar(place.ty)) {
            (Some(field), Some(ty)) => (
                u64::from((field.shift + field.width).div_ceil(8)),
                (field.shift as u8, field.width as u8, ty.is_signed()),
            ),
            (_, Some(ty)) => (ty.size(program.types.model), (0, 0, false)),
            _ => {
                let whole = match place.base {
                    Base::Variable(v) if place.path.is_empty() => Some(program.variables[v].size),
                    _ => None,
                };
                let Some(size) = program.types.size_of(place.ty).or(whole) else {
                    return self.unknown_layout();
                };
                (size, (0, 0, false))
            }
        };
        self.code.places.push(PlaceCode { base, offset, index, size, bits, id });
        Some(self.code.places.len() as u32 - 1)
    }

    fn unknown_layout(&mut self) -> Option<u32> {
        self.unsupported("a place whose layout is not known");
        None
    }

    /// How a value of a place lies in memory.
    pub(crate) fn shape(&self, place: Id<Place>) -> Shape {
        let program = self.shared.program;
        let place = &program.places[place];
        if place.bits.is_some() {
            return Shape::Bits;
        }
        match program.types.scalar(place.ty).unwrap_or(ScalarType::INT) {
            ScalarType::Bool => Shape::U8,
            ScalarType::Int { bits, signed } => match (bits, signed) {
                (8, true) => Shape::S8,
                (8, false) => Shape::U8,
                (16, true) => Shape::S16,
                (16, false) => Shape::U16,
                (32, true) => Shape::S32,
                (32, false) => Shape::U32,
                (64, _) => Shape::W64,
                _ => Shape::W128,
            },
            ScalarType::Float(FloatKind::Float) => Shape::U32,
            ScalarType::Float(FloatKind::Double) => Shape::W64,
            ScalarType::Float(FloatKind::LongDouble) => Shape::W80,
            ScalarType::Float(FloatKind::Float128) => Shape::W128,
            ScalarType::Pointer { .. } => Shape::Pointer,
        }
    }
}
