//! Operators and conversions as instructions: a fast one where the width has
//! one, else the general operator.

use super::{Class, Instructions, Shared, SlowCode, SlowOp, Target};
use crate::{Binary, ScalarType, Unary};

/// Compiles operators on registers.
pub trait Arithmetic<'p>: Target<'p> {
    /// Appends a shared instruction; where it is.
    fn put(&mut self, instr: Shared<Self::Reg>) -> usize {
        self.emit(Self::Instr::shared(instr))
    }

    /// Emits an operator that has no instruction of its own.
    fn slow(&mut self, op: SlowOp, d: Self::Reg, a: Self::Reg, b: Self::Reg) {
        let slow = &mut self.work_mut().slow;
        slow.push(SlowCode { op, d, a, b });
        let op = slow.len() as u32 - 1;
        self.put(Shared::Slow { op });
    }

    /// Where a result goes: where it is wished, or to a value in between.
    fn goal(&mut self, wish: Option<Self::Reg>, class: Class) -> Self::Reg {
        wish.unwrap_or_else(|| self.work_mut().temporary(class))
    }

    /// Emits a unary operator on a value of type `ty`.
    fn unary(&mut self, op: Unary, ty: ScalarType, d: Self::Reg, a: Self::Reg) {
        let is_wide = Self::class(ty) == Class::Wide;
        match (op, ty) {
            (Unary::Not, ty) if !is_wide && !ty.is_float() => {
                self.put(Shared::Not { d, a });
            }
            (Unary::Neg, ScalarType::Int { bits: bits @ (32 | 64), signed }) => {
                let zero = self.work_mut().constant(0);
                self.put(match (bits, signed) {
                    (32, true) => Shared::Sub32S { d, a: zero, b: a },
                    (32, false) => Shared::Sub32U { d, a: zero, b: a },
                    _ => Shared::Sub64 { d, a: zero, b: a },
                });
            }
            _ => match Self::own_unary(op, ty, d, a) {
                Some(instr) => {
                    self.emit(instr);
                }
                None => self.slow(SlowOp::Unary(op, ty), d, a, a),
            },
        }
    }

    /// Emits a binary operator on values of type `ty`; for a shift, the amount
    /// has type `amount`.
    fn binary(&mut self, op: Binary, ty: ScalarType, amount: ScalarType, regs: [Self::Reg; 3]) {
        let is_shift = matches!(op, Binary::Shl | Binary::Shr);
        let [d, a, b] = regs;
        let shared = match ty {
            _ if is_shift && Self::class(amount) == Class::Wide => {
                return self.slow(SlowOp::Binary(op, ty, amount), d, a, b);
            }
            ScalarType::Int { bits, signed } if bits <= 64 => integer(op, bits, signed, regs),
            ScalarType::Pointer { .. } if op.is_comparison() => integer(op, 64, false, regs),
            _ => None,
        };
        match shared.map(Self::Instr::shared).or_else(|| Self::own_binary(op, ty, regs)) {
            Some(instr) => {
                self.emit(instr);
            }
            None => self.slow(SlowOp::Binary(op, ty, amount), d, a, b),
        }
    }

    /// Emits a conversion; where the value is then. Widening costs nothing.
    fn convert(
        &mut self,
        from: ScalarType,
        to: ScalarType,
        a: Self::Reg,
        wish: Option<Self::Reg>,
    ) -> Self::Reg {
        use ScalarType::{Bool, Int, Pointer};
        let is_wide = Self::class(from) == Class::Wide;
        let resized = match (from, to) {
            _ if from == to => return a,
            (Pointer { .. }, Pointer { .. }) => return a,
            // The address, as an integer of the pointer's width, is canonical
            // for unsigned types; the narrow integers are cut.
            (Bool | Int { .. } | Pointer { .. }, Int { bits, signed })
                if bits <= 64 && !is_wide =>
            {
                if is_canonical(from, bits, signed) {
                    return a;
                }
                Some((bits, signed))
            }
            (Bool | Int { .. }, Pointer { bits }) if !is_wide => {
                return self.pointer_from(bits, a, wish);
            }
            _ => None,
        };
        let d = self.goal(wish, Self::class(to));
        let shared = match resized {
            Some((8, true)) => Some(Shared::SExt8 { d, a }),
            Some((8, false)) => Some(Shared::ZExt8 { d, a }),
            Some((16, true)) => Some(Shared::SExt16 { d, a }),
            Some((16, false)) => Some(Shared::ZExt16 { d, a }),
            Some((32, true)) => Some(Shared::SExt32 { d, a }),
            Some((32, false)) => Some(Shared::ZExt32 { d, a }),
            None if to == Bool && !is_wide && !from.is_float() => Some(Shared::ToBool { d, a }),
            _ => None,
        };
        let own = || Self::own_conversion((from, to), d, a);
        match shared.map(Self::Instr::shared).or_else(own) {
            Some(instr) => {
                self.emit(instr);
            }
            None => self.slow(SlowOp::Convert(from, to), d, a, a),
        }
        d
    }
}

impl<'p, T: Target<'p>> Arithmetic<'p> for T {}

/// Whether every value of a type is held as it would be in an integer type: the
/// range contains the old one, or nothing is cut.
fn is_canonical(from: ScalarType, bits: u32, signed: bool) -> bool {
    match from {
        ScalarType::Bool => true,
        ScalarType::Int { bits: old, signed: was } => old < bits && (signed || !was) || bits == 64,
        ScalarType::Pointer { bits: old } => old < bits || bits == 64,
        ScalarType::Float(_) => false,
    }
}

/// The instruction for an operator on integers. Operators that keep canonical
/// values canonical need no width.
fn integer<R: Copy>(op: Binary, bits: u32, signed: bool, [d, a, b]: [R; 3]) -> Option<Shared<R>> {
    Some(match (op, bits, signed) {
        (Binary::Add, 32, true) => Shared::Add32S { d, a, b },
        (Binary::Add, 32, false) => Shared::Add32U { d, a, b },
        (Binary::Add, 64, _) => Shared::Add64 { d, a, b },
        (Binary::Sub, 32, true) => Shared::Sub32S { d, a, b },
        (Binary::Sub, 32, false) => Shared::Sub32U { d, a, b },
        (Binary::Sub, 64, _) => Shared::Sub64 { d, a, b },
        (Binary::Mul, 32, true) => Shared::Mul32S { d, a, b },
        (Binary::Mul, 32, false) => Shared::Mul32U { d, a, b },
        (Binary::Mul, 64, _) => Shared::Mul64 { d, a, b },
        (Binary::Div, _, false) => Shared::DivU { d, a, b },
        (Binary::Rem, _, true) => Shared::RemS { d, a, b },
        (Binary::Rem, _, false) => Shared::RemU { d, a, b },
        (Binary::Shl, 32, true) => Shared::Shl32S { d, a, b },
        (Binary::Shl, 64, _) => Shared::Shl64 { d, a, b },
        (Binary::BitAnd, ..) => Shared::And { d, a, b },
        (Binary::BitOr, ..) => Shared::Or { d, a, b },
        (Binary::BitXor, ..) => Shared::Xor { d, a, b },
        (Binary::Eq, ..) => Shared::Eq { d, a, b },
        (Binary::Ne, ..) => Shared::Ne { d, a, b },
        (Binary::Lt, _, true) => Shared::LtS { d, a, b },
        (Binary::Le, _, true) => Shared::LeS { d, a, b },
        (Binary::Gt, _, true) => Shared::LtS { d, a: b, b: a },
        (Binary::Ge, _, true) => Shared::LeS { d, a: b, b: a },
        (Binary::Lt, _, false) => Shared::LtU { d, a, b },
        (Binary::Le, _, false) => Shared::LeU { d, a, b },
        (Binary::Gt, _, false) => Shared::LtU { d, a: b, b: a },
        (Binary::Ge, _, false) => Shared::LeU { d, a: b, b: a },
        _ => return None,
    })
}
