//! Places as instructions: base, constant offset, computed offset.

use super::code::{Class, Home, Instr, NONE, PlaceBase, PlaceCode, Reg, Shape};
use super::compile::Compiler;
use super::shared::StaticHome;
use crate::{Base, ExprKind, FloatKind, Place, ScalarType, Step, Type};
use parallax_base::Id;

impl Compiler<'_, '_> {
    /// Computes the parts of a place; the number of the place, or `None` if its
    /// layout is not known (then the code reports that it is not supported).
    pub(crate) fn place(&mut self, place: Id<Place>) -> Option<u32> {
        let mut stack = self.parts(place);
        self.finish_place(place, &mut stack)
    }

    /// The values of base and indices are on the stack.
    pub(super) fn finish_place(&mut self, id: Id<Place>, stack: &mut Vec<Reg>) -> Option<u32> {
        let program = self.shared.program;
        let place = &program.places[id];
        let indices = place.path.iter().filter(|s| matches!(s, Step::Index(_))).count();
        let values = stack.split_off(stack.len() - indices);
        let (base, mut ty) = match place.base {
            Base::Variable(variable) => {
                let base = match self.shared.statics[variable.index()] {
                    StaticHome::Object(index) => PlaceBase::Static(index),
                    StaticHome::Thread(number) => PlaceBase::Thread(number),
                    _ => match self.homes.get(&variable) {
                        Some(Home::Slot(slot)) => PlaceBase::Local(*slot),
                        _ => return self.unknown_layout(),
                    },
                };
                (base, program.variables[variable].ty)
            }
            Base::Pointer(pointer) => {
                let reg = stack.pop().unwrap_or(0);
                let pointee = program.types.pointee(program.exprs[pointer].ty);
                (PlaceBase::Pointer(reg), pointee.unwrap_or(place.ty))
            }
        };
        let mut offset = 0u64;
        let mut index: Reg = NONE;
        let mut values = values.into_iter();
        for step in &place.path {
            match step {
                Step::Member(record, member) => {
                    let member = &program.types.records[*record].members[*member as usize];
                    offset = offset.wrapping_add(member.offset);
                    ty = member.ty;
                }
                Step::Index(expr) => {
                    let value = values.next().unwrap_or(0);
                    let Type::Array { of, .. } = program.types.get(ty) else {
                        return self.unknown_layout();
                    };
                    ty = *of;
                    let Some(size) = program.types.size_of(ty) else {
                        return self.unknown_layout();
                    };
                    if let ExprKind::Int(constant) = program.exprs[*expr].kind {
                        offset = offset.wrapping_add(size.wrapping_mul(constant as u64));
                        continue;
                    }
                    let d = self.temporary(Class::One);
                    match u32::try_from(size) {
                        Ok(k) => self.emit(Instr::Scale { d, a: value, k }),
                        Err(_) => {
                            let b = self.constant(size);
                            self.emit(Instr::Mul64 { d, a: value, b })
                        }
                    };
                    if index != NONE {
                        self.emit(Instr::Add64 { d, a: d, b: index });
                    }
                    index = d;
                }
            }
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
        let text = self.text("a place whose layout is not known");
        self.emit(Instr::Unsupported { text });
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
