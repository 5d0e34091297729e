//! Operators and conversions as instructions: a fast one where the width has
//! one, else the general operator.

use super::code::{Class, Instr, Reg, SlowOp, class_of};
use super::compile::Compiler;
use crate::{Binary, FloatKind, ScalarType, Unary};

const DOUBLE: ScalarType = ScalarType::Float(FloatKind::Double);

impl Compiler<'_, '_> {
    /// Emits a unary operator on a value of type `ty`.
    pub(crate) fn unary(&mut self, op: Unary, ty: ScalarType, d: Reg, a: Reg) {
        let instr = match (op, ty) {
            (Unary::Not, ty) if class_of(ty) != Class::Wide && !ty.is_float() => {
                Instr::Not { d, a }
            }
            (Unary::Neg, ScalarType::Int { bits, signed }) if bits <= 64 => {
                let zero = self.constant(0);
                match (bits, signed) {
                    (32, true) => Instr::Sub32S { d, a: zero, b: a },
                    (32, false) => Instr::Sub32U { d, a: zero, b: a },
                    (64, _) => Instr::Sub64 { d, a: zero, b: a },
                    _ => return self.slow(SlowOp::Unary(op, ty), d, a, a),
                }
            }
            (Unary::BitNot, ScalarType::Int { bits, signed })
                if bits == 64 || bits < 64 && signed =>
            {
                Instr::BitNot { d, a }
            }
            _ => return self.slow(SlowOp::Unary(op, ty), d, a, a),
        };
        self.emit(instr);
    }

    /// Emits a binary operator on values of type `ty`; for a shift, the amount
    /// has type `amount`.
    pub(crate) fn binary(
        &mut self,
        op: Binary,
        ty: ScalarType,
        amount: ScalarType,
        d: Reg,
        a: Reg,
        b: Reg,
    ) {
        let is_shift = matches!(op, Binary::Shl | Binary::Shr);
        let fast = match ty {
            _ if is_shift && class_of(amount) == Class::Wide => None,
            ScalarType::Int { bits, signed } if bits == 32 || bits == 64 => {
                Some(integer(op, bits, signed, d, a, b))
            }
            ScalarType::Pointer { .. } if op.is_comparison() => {
                Some(integer(op, 64, false, d, a, b))
            }
            _ if ty == DOUBLE => double(op, d, a, b),
            _ => None,
        };
        match fast {
            Some(instr) => {
                self.emit(instr);
            }
            None => self.slow(SlowOp::Binary(op, ty, amount), d, a, b),
        }
    }

    /// Emits a conversion; where the value is then. Widening costs nothing.
    pub(crate) fn convert(
        &mut self,
        from: ScalarType,
        to: ScalarType,
        a: Reg,
        target: impl Fn(&mut Self) -> Reg,
    ) -> Reg {
        use ScalarType::{Bool, Float, Int, Pointer};
        if from == to {
            return a;
        }
        match (from, to) {
            (_, Bool) if class_of(from) != Class::Wide && !from.is_float() => {
                let d = target(self);
                self.emit(Instr::ToBool { d, a });
                d
            }
            (Pointer { .. }, Pointer { .. }) => a,
            // The address, as an integer of the pointer's width, is canonical
            // for unsigned types; the narrow integers are cut below.
            (Bool | Int { .. } | Pointer { .. }, Int { bits, signed })
                if bits <= 64 && class_of(from) != Class::Wide =>
            {
                self.resize(from, bits, signed, a, target)
            }
            (Bool | Int { .. }, Pointer { bits }) if class_of(from) != Class::Wide => {
                let narrow = if bits == 32 {
                    let d = self.temporary(Class::One);
                    self.emit(Instr::ZExt32 { d, a });
                    d
                } else {
                    a
                };
                let d = target(self);
                self.emit(Instr::Wild { d, a: narrow });
                d
            }
            (Int { bits, signed }, Float(FloatKind::Double))
                if bits < 64 || bits == 64 && signed =>
            {
                let d = target(self);
                self.emit(Instr::FFromS { d, a });
                d
            }
            _ => {
                let d = target(self);
                self.slow(SlowOp::Convert(from, to), d, a, a);
                d
            }
        }
    }

    fn resize(
        &mut self,
        from: ScalarType,
        bits: u32,
        signed: bool,
        a: Reg,
        target: impl Fn(&mut Self) -> Reg,
    ) -> Reg {
        // Canonical already: wider, or the range contains the old one.
        let fits = match from {
            ScalarType::Bool => true,
            ScalarType::Int { bits: old, signed: was } => {
                old < bits && (signed || !was) || bits == 64
            }
            ScalarType::Pointer { bits: old } => old < bits || bits == 64,
            ScalarType::Float(_) => false,
        };
        if fits {
            return a;
        }
        let d = target(self);
        self.emit(match (bits, signed) {
            (8, true) => Instr::SExt8 { d, a },
            (8, false) => Instr::ZExt8 { d, a },
            (16, true) => Instr::SExt16 { d, a },
            (16, false) => Instr::ZExt16 { d, a },
            (_, true) => Instr::SExt32 { d, a },
            (_, false) => Instr::ZExt32 { d, a },
        });
        d
    }
}

fn integer(op: Binary, bits: u32, signed: bool, d: Reg, a: Reg, b: Reg) -> Instr {
    let narrow = bits == 32;
    match (op, narrow, signed) {
        (Binary::Add, true, true) => Instr::Add32S { d, a, b },
        (Binary::Add, true, false) => Instr::Add32U { d, a, b },
        (Binary::Add, false, _) => Instr::Add64 { d, a, b },
        (Binary::Sub, true, true) => Instr::Sub32S { d, a, b },
        (Binary::Sub, true, false) => Instr::Sub32U { d, a, b },
        (Binary::Sub, false, _) => Instr::Sub64 { d, a, b },
        (Binary::Mul, true, true) => Instr::Mul32S { d, a, b },
        (Binary::Mul, true, false) => Instr::Mul32U { d, a, b },
        (Binary::Mul, false, _) => Instr::Mul64 { d, a, b },
        (Binary::Div, true, true) => Instr::DivS32 { d, a, b },
        (Binary::Div, false, true) => Instr::DivS64 { d, a, b },
        (Binary::Div, _, false) => Instr::DivU { d, a, b },
        (Binary::Rem, _, true) => Instr::RemS { d, a, b },
        (Binary::Rem, _, false) => Instr::RemU { d, a, b },
        (Binary::Shl, true, true) => Instr::Shl32S { d, a, b },
        (Binary::Shl, true, false) => Instr::Shl32U { d, a, b },
        (Binary::Shl, false, _) => Instr::Shl64 { d, a, b },
        (Binary::Shr, _, true) => Instr::ShrS { d, a, b },
        (Binary::Shr, _, false) => Instr::ShrU { d, a, b },
        (Binary::BitAnd, ..) => Instr::And { d, a, b },
        (Binary::BitOr, ..) => Instr::Or { d, a, b },
        (Binary::BitXor, ..) => Instr::Xor { d, a, b },
        (Binary::Eq, ..) => Instr::Eq { d, a, b },
        (Binary::Ne, ..) => Instr::Ne { d, a, b },
        (Binary::Lt, _, true) => Instr::LtS { d, a, b },
        (Binary::Le, _, true) => Instr::LeS { d, a, b },
        (Binary::Gt, _, true) => Instr::LtS { d, a: b, b: a },
        (Binary::Ge, _, true) => Instr::LeS { d, a: b, b: a },
        (Binary::Lt, _, false) => Instr::LtU { d, a, b },
        (Binary::Le, _, false) => Instr::LeU { d, a, b },
        (Binary::Gt, _, false) => Instr::LtU { d, a: b, b: a },
        (Binary::Ge, _, false) => Instr::LeU { d, a: b, b: a },
    }
}

fn double(op: Binary, d: Reg, a: Reg, b: Reg) -> Option<Instr> {
    Some(match op {
        Binary::Add => Instr::FAdd { d, a, b },
        Binary::Sub => Instr::FSub { d, a, b },
        Binary::Mul => Instr::FMul { d, a, b },
        Binary::Div => Instr::FDiv { d, a, b },
        Binary::Lt => Instr::FLt { d, a, b },
        Binary::Le => Instr::FLe { d, a, b },
        Binary::Gt => Instr::FLt { d, a: b, b: a },
        Binary::Ge => Instr::FLe { d, a: b, b: a },
        Binary::Eq => Instr::FEq { d, a, b },
        _ => return None,
    })
}
