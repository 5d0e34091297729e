//! Operators without an instruction of their own, by the one definition of
//! arithmetic in `parallax-cfa`.

use crate::Trap;
use crate::code::SlowOp;
use parallax_cfa::{Binary, ScalarType, arith};

/// The canonical bits of a value in a register.
fn widen(ty: ScalarType, value: u64) -> u128 {
    match ty {
        ScalarType::Int { signed: true, .. } => value as i64 as i128 as u128,
        _ => u128::from(value),
    }
}

/// Computes; checks give nothing.
pub(crate) fn slow(op: SlowOp, a: u64, b: u64) -> Result<Option<u64>, Trap> {
    match op {
        SlowOp::Unary(op, ty) => Ok(Some(arith::unary(op, ty, widen(ty, a)) as u64)),
        SlowOp::Binary(op, ty, _) => {
            let right = match op {
                Binary::Shl | Binary::Shr => u128::from(b),
                _ => widen(ty, b),
            };
            Ok(Some(arith::binary(op, ty, widen(ty, a), right) as u64))
        }
        SlowOp::Convert(from, to) => Ok(Some(arith::convert(from, to, widen(from, a)) as u64)),
        SlowOp::Fits(op, ty, _) => {
            let right = match op {
                Binary::Shl => u128::from(b),
                _ => widen(ty, b),
            };
            if arith::fits(op, ty, widen(ty, a), right) { Ok(None) } else { Err(Trap::Overflow) }
        }
        // No value is wider than a word.
        SlowOp::Saturate(_) => Ok(Some(a)),
        SlowOp::FloatFits(from, to) => {
            if arith::float_fits(from, to, widen(from, a)) {
                Ok(None)
            } else {
                Err(Trap::FloatConversion)
            }
        }
    }
}
