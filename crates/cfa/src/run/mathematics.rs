//! Functions of mathematics whose results no standard fixes to the last bit.
//!
//! Engines take any result within known bounds. A run of the interpreter has
//! the result of this machine's library, so that a violation which rests on a
//! result that no library gives is not repeated.

use super::code::CallCode;
use super::machine::Machine;
use super::trap::Trap;
use crate::{FloatKind, ScalarType};

impl Machine<'_, '_> {
    /// The result of a function of the library on floats, as bits; `None` if
    /// it is not one.
    pub(crate) fn mathematics(
        &mut self,
        name: &str,
        call: &CallCode,
    ) -> Result<Option<u128>, Trap> {
        let Some(ScalarType::Float(kind)) = call.ty else { return Ok(None) };
        let given = |position: usize| self.scalar(call, position).map_or(0, |value| value[0]);
        let (first, second, third) = (given(0), given(1), given(2));
        if let "strtod" | "strtof" = name {
            let from = self.scalar(call, 0).map_or((0, 0), |value| (value[0], value[1]));
            let text = self.string(from, second as usize)?;
            let text = String::from_utf8_lossy(&text).into_owned();
            return Ok(match kind {
                FloatKind::Double => text.parse().ok().map(|v: f64| u128::from(v.to_bits())),
                FloatKind::Float => text.parse().ok().map(|v: f32| u128::from(v.to_bits())),
                _ => None,
            });
        }
        Ok(match kind {
            FloatKind::Double => {
                let [x, y, z] = [first, second, third].map(f64::from_bits);
                double(name, x, y, z).map(|value| u128::from(value.to_bits()))
            }
            FloatKind::Float => {
                let [x, y, z] = [first, second, third].map(|bits| f32::from_bits(bits as u32));
                let name = name.strip_suffix('f').unwrap_or(name);
                float(name, x, y, z).map(|value| u128::from(value.to_bits()))
            }
            _ => None,
        })
    }
}

/// Makes a function that is the same for both formats.
macro_rules! functions {
    ($name:ident, $ty:ty) => {
        fn $name(name: &str, x: $ty, y: $ty, z: $ty) -> Option<$ty> {
            Some(match name {
                "acos" => x.acos(),
                "asin" => x.asin(),
                "atan" => x.atan(),
                "atan2" => x.atan2(y),
                "cos" => x.cos(),
                "cosh" => x.cosh(),
                "exp" => x.exp(),
                "exp2" => x.exp2(),
                "expm1" => x.exp_m1(),
                "fma" => x.mul_add(y, z),
                "hypot" => x.hypot(y),
                "log" => x.ln(),
                "log10" => x.log10(),
                "log1p" => x.ln_1p(),
                "log2" => x.log2(),
                "pow" => x.powf(y),
                "sin" => x.sin(),
                "sinh" => x.sinh(),
                "tan" => x.tan(),
                "tanh" => x.tanh(),
                _ => return None,
            })
        }
    };
}

functions!(double, f64);
functions!(float, f32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_are_known_by_name() {
        assert_eq!(double("pow", 2.0, 10.0, 0.0), Some(1024.0));
        assert_eq!(float("hypot", 3.0, 4.0, 0.0), Some(5.0));
        assert_eq!(double("printf", 1.0, 0.0, 0.0), None);
    }
}
