//! Operators and conversions as instructions.

use crate::code::{Instr, Reg, SlowCode, SlowOp};
use crate::compile::Compiler;
use parallax_cfa::{Binary, ScalarType, Unary};

impl Compiler<'_, '_> {
    /// Emits an operator that has no instruction of its own.
    pub(crate) fn slow(&mut self, op: SlowOp, d: Reg, a: Reg, b: Reg) {
        self.code.slow.push(SlowCode { op, d, a, b });
        self.emit(Instr::Slow { op: self.code.slow.len() as u32 - 1 });
    }

    /// Emits a unary operator on a value of type `ty`.
    pub(crate) fn unary(&mut self, op: Unary, ty: ScalarType, d: Reg, a: Reg) {
        match (op, ty) {
            (Unary::Not, ty) if !ty.is_float() => {
                self.emit(Instr::Not { d, a });
            }
            (Unary::Neg, ScalarType::Int { bits: 32, signed: true }) => {
                let zero = self.constant(0);
                self.emit(Instr::Sub32S { d, a: zero, b: a });
            }
            _ => self.slow(SlowOp::Unary(op, ty), d, a, a),
        }
    }

    /// Emits a binary operator on values of type `ty`.
    pub(crate) fn binary(&mut self, op: Binary, ty: ScalarType, d: Reg, a: Reg, b: Reg) {
        let fast = match ty {
            ScalarType::Int { bits, signed } => integer(op, bits, signed, d, a, b),
            ScalarType::Pointer { .. } if op.is_comparison() => integer(op, 64, false, d, a, b),
            _ => None,
        };
        match fast {
            Some(instr) => {
                self.emit(instr);
            }
            None => self.slow(SlowOp::Binary(op, ty), d, a, b),
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
        use ScalarType::{Bool, Int, Pointer};
        let same = match (from, to) {
            _ if from == to => true,
            (Pointer { .. } | Int { bits: 64, .. }, Pointer { .. }) => true,
            (Pointer { .. }, Int { bits: 64, .. }) => true,
            (Bool, Int { .. } | Pointer { .. }) => true,
            (Int { bits: old, signed: was }, Int { bits, signed }) => {
                old < bits && (signed || !was) || bits == 64
            }
            // A negative number becomes a large one, as on the machine.
            (Int { .. }, Pointer { .. }) => true,
            _ => false,
        };
        if same {
            return a;
        }
        let d = target(self);
        let instr = match (from, to) {
            (Int { .. } | Pointer { .. }, Bool) => Instr::ToBool { d, a },
            (Int { .. } | Pointer { .. }, Int { bits, signed }) => match (bits, signed) {
                (8, true) => Instr::SExt8 { d, a },
                (8, false) => Instr::ZExt8 { d, a },
                (16, true) => Instr::SExt16 { d, a },
                (16, false) => Instr::ZExt16 { d, a },
                (32, true) => Instr::SExt32 { d, a },
                (32, false) => Instr::ZExt32 { d, a },
                _ => {
                    self.slow(SlowOp::Convert(from, to), d, a, a);
                    return d;
                }
            },
            _ => {
                self.slow(SlowOp::Convert(from, to), d, a, a);
                return d;
            }
        };
        self.emit(instr);
        d
    }
}

fn integer(op: Binary, bits: u32, signed: bool, d: Reg, a: Reg, b: Reg) -> Option<Instr> {
    Some(match (op, bits, signed) {
        (Binary::Add, 32, true) => Instr::Add32S { d, a, b },
        (Binary::Add, 32, false) => Instr::Add32U { d, a, b },
        (Binary::Add, 64, _) => Instr::Add64 { d, a, b },
        (Binary::Sub, 32, true) => Instr::Sub32S { d, a, b },
        (Binary::Sub, 32, false) => Instr::Sub32U { d, a, b },
        (Binary::Sub, 64, _) => Instr::Sub64 { d, a, b },
        (Binary::Mul, 32, true) => Instr::Mul32S { d, a, b },
        (Binary::Mul, 32, false) => Instr::Mul32U { d, a, b },
        (Binary::Mul, 64, _) => Instr::Mul64 { d, a, b },
        (Binary::Div, _, false) => Instr::DivU { d, a, b },
        (Binary::Rem, _, true) => Instr::RemS { d, a, b },
        (Binary::Rem, _, false) => Instr::RemU { d, a, b },
        (Binary::Shl, 32, true) => Instr::Shl32 { d, a, b },
        (Binary::Shl, 64, _) => Instr::Shl64 { d, a, b },
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
        _ => return None,
    })
}
