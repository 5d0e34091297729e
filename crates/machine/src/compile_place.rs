//! Places as a pointer in a register and a constant offset.

use crate::code::{BitCode, Instr, Reg};
use crate::compile::{Compiler, Home};
use parallax_base::Id;
use parallax_cfa::{Base, ExprKind, Place, Program, ScalarType, Step, Type};

/// The offset of a place whose indices are constants.
pub(crate) fn constant_offset(program: &Program, place: &Place) -> Option<u64> {
    let Base::Variable(variable) = place.base else { return None };
    let mut ty = program.variables[variable].ty;
    let mut offset = 0u64;
    for step in &place.path {
        match step {
            Step::Member(record, member) => {
                let member = &program.types.records[*record].members[*member as usize];
                offset += member.offset;
                ty = member.ty;
            }
            Step::Index(index) => {
                let Type::Array { of, .. } = program.types.get(ty) else { return None };
                ty = *of;
                let ExprKind::Int(index) = program.exprs[*index].kind else { return None };
                offset += program.types.size_of(ty)? * index as u64;
            }
        }
    }
    Some(offset)
}

impl Compiler<'_, '_> {
    /// Computes the parts of a place; pointer and offset, or `None` if its
    /// layout is not known (then the code says that it is not supported).
    pub(crate) fn place(&mut self, place: Id<Place>) -> Option<(Reg, u32)> {
        let mut stack = self.parts(place);
        self.finish_place(place, &mut stack)
    }

    /// The address of a place in a register.
    pub(crate) fn address(&mut self, place: Id<Place>) -> Option<Reg> {
        let (p, k) = self.place(place)?;
        if k == 0 {
            return Some(p);
        }
        let d = self.temporary();
        self.emit(Instr::PointerOffset { d, a: p, k });
        Some(d)
    }

    /// The values of base and indices are on the stack.
    pub(crate) fn finish_place(
        &mut self,
        id: Id<Place>,
        stack: &mut Vec<Reg>,
    ) -> Option<(Reg, u32)> {
        let program = self.shared.program;
        let place = &program.places[id];
        let indices = place.path.iter().filter(|s| matches!(s, Step::Index(_))).count();
        let values = stack.split_off(stack.len().saturating_sub(indices));
        let (mut p, mut ty) = match place.base {
            Base::Variable(variable) => {
                let base = match self.shared.statics.get(&variable) {
                    Some(pointer) => self.constant(*pointer),
                    None => match self.homes.get(&variable) {
                        Some(Home::Object(reg)) => *reg,
                        _ => return self.unknown_layout(),
                    },
                };
                (base, program.variables[variable].ty)
            }
            Base::Pointer(pointer) => {
                let reg = stack.pop().unwrap_or(0);
                let pointee = program.types.pointee(program.exprs[pointer].ty);
                (reg, pointee.unwrap_or(place.ty))
            }
        };
        let mut offset = 0u64;
        let mut values = values.into_iter();
        for step in &place.path {
            match step {
                Step::Member(record, member) => {
                    let member = &program.types.records[*record].members[*member as usize];
                    offset = offset.wrapping_add(member.offset);
                    ty = member.ty;
                }
                Step::Index(index) => {
                    let value = values.next().unwrap_or(0);
                    let Type::Array { of, .. } = program.types.get(ty) else {
                        return self.unknown_layout();
                    };
                    ty = *of;
                    let Some(size) =
                        program.types.size_of(ty).and_then(|size| u32::try_from(size).ok())
                    else {
                        return self.unknown_layout();
                    };
                    if let ExprKind::Int(constant) = program.exprs[*index].kind
                        && (0..1 << 24).contains(&constant)
                    {
                        offset = offset.wrapping_add(u64::from(size) * constant as u64);
                        continue;
                    }
                    let scaled = self.temporary();
                    self.emit(Instr::Scale { d: scaled, a: value, k: size });
                    let d = self.temporary();
                    self.emit(Instr::PointerAdd { d, a: p, b: scaled });
                    p = d;
                }
            }
        }
        match u32::try_from(offset) {
            Ok(k) => Some((p, k)),
            Err(_) => self.unknown_layout(),
        }
    }

    fn unknown_layout(&mut self) -> Option<(Reg, u32)> {
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
    pub(crate) fn load(&mut self, place: Id<Place>, d: Reg, p: Reg, k: u32) {
        if let Some(k) = self.bit_code(place, k) {
            self.emit(Instr::LoadBits { d, p, k });
            return;
        }
        let program = self.shared.program;
        let ty = program.types.scalar(program.places[place].ty).unwrap_or(ScalarType::INT);
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
        let ty = program.types.scalar(program.places[place].ty).unwrap_or(ScalarType::INT);
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
