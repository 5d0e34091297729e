//! Formatted output: the `printf` family with the arguments of a run.

use super::decimal::format_float;
use super::machine::{Machine, Value, join};
use super::trap::Trap;
use crate::{DataModel, FloatKind, ScalarType};

/// One conversion of a format string.
#[derive(Clone, Copy, Default)]
struct Spec {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// Number of `h` (negative) or `l`; 3 for `L`, 4 for sizes.
    length: i8,
    conversion: u8,
}

/// Where the arguments come from.
pub(crate) enum Arguments {
    /// Values in order.
    Values(std::vec::IntoIter<Value>),
    /// A `va_list`.
    List((u64, u64)),
}

impl Machine<'_, '_> {
    fn next_argument(&mut self, arguments: &mut Arguments) -> Result<(ScalarType, [u64; 2]), Trap> {
        let value = match arguments {
            Arguments::Values(values) => {
                values.next().ok_or(Trap::Foreign("a format with too few arguments"))?
            }
            Arguments::List(pointer) => self.next_value(*pointer)?,
        };
        match value {
            Value::Scalar(ty, value) => Ok((ty, value)),
            Value::Record(_) => Err(Trap::Foreign("a record as an argument of a format")),
        }
    }

    /// The text a format and its arguments give.
    pub(crate) fn format(
        &mut self,
        format: &[u8],
        arguments: &mut Arguments,
    ) -> Result<Vec<u8>, Trap> {
        let mut out = Vec::new();
        let mut at = 0;
        while at < format.len() {
            if format[at] != b'%' {
                out.push(format[at]);
                at += 1;
                continue;
            }
            at += 1;
            let spec = self.specification(format, &mut at, arguments)?;
            if spec.conversion == b'%' {
                out.push(b'%');
            } else {
                self.convert_one(spec, arguments, &mut out)?;
            }
        }
        Ok(out)
    }

    fn specification(
        &mut self,
        format: &[u8],
        at: &mut usize,
        arguments: &mut Arguments,
    ) -> Result<Spec, Trap> {
        let mut spec = Spec::default();
        let peek = |at: usize| format.get(at).copied().unwrap_or(0);
        loop {
            match peek(*at) {
                b'-' => spec.left = true,
                b'+' => spec.plus = true,
                b' ' => spec.space = true,
                b'#' => spec.alternate = true,
                b'0' => spec.zero = true,
                _ => break,
            }
            *at += 1;
        }
        let number = |at: &mut usize| {
            let mut value = 0usize;
            while peek(*at).is_ascii_digit() {
                value = (value * 10 + usize::from(peek(*at) - b'0')).min(1 << 20);
                *at += 1;
            }
            value
        };
        if peek(*at) == b'*' {
            *at += 1;
            let width = self.next_argument(arguments)?.1[0] as i32;
            spec.left |= width < 0;
            spec.width = width.unsigned_abs().min(1 << 20) as usize;
        } else {
            spec.width = number(at);
        }
        if peek(*at) == b'.' {
            *at += 1;
            spec.precision = if peek(*at) == b'*' {
                *at += 1;
                let precision = self.next_argument(arguments)?.1[0] as i32;
                (precision >= 0).then(|| precision.min(1 << 20) as usize)
            } else {
                Some(number(at))
            };
        }
        loop {
            match peek(*at) {
                b'h' => spec.length -= 1,
                b'l' => spec.length += 1,
                b'L' => spec.length = 3,
                b'q' | b'j' => spec.length = 2,
                b'z' | b't' => spec.length = 4,
                _ => break,
            }
            *at += 1;
        }
        spec.conversion = peek(*at);
        *at += 1;
        Ok(spec)
    }

    fn convert_one(
        &mut self,
        spec: Spec,
        arguments: &mut Arguments,
        out: &mut Vec<u8>,
    ) -> Result<(), Trap> {
        let (ty, value) = self.next_argument(arguments)?;
        match spec.conversion {
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' => {
                let bits = self.integer_bits(spec.length);
                out.extend(integer(spec, bits, value[0]));
            }
            // The count is stored by what the front end made of the call.
            b'n' => {}
            b'c' => out.extend(pad(spec, vec![value[0] as u8])),
            b's' => {
                let limit = spec.precision.unwrap_or(usize::MAX);
                let text = if value[0] == 0 {
                    b"(null)".to_vec()
                } else {
                    self.string((value[0], value[1]), limit)?
                };
                out.extend(pad(spec, text));
            }
            b'p' if value[0] == 0 => out.extend(pad(spec, b"(nil)".to_vec())),
            b'p' => out.extend(pad(spec, format!("{:#x}", value[0]).into_bytes())),
            b'f' | b'F' | b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => {
                let kind = match ty {
                    ScalarType::Float(kind) => kind,
                    _ => FloatKind::Double,
                };
                out.extend(float(spec, kind, join(ty, value)));
            }
            _ => return Err(Trap::Foreign("a conversion of a format that is not known")),
        }
        Ok(())
    }

    fn integer_bits(&self, length: i8) -> u32 {
        match length {
            ..=-2 => 8,
            -1 => 16,
            0 => 32,
            1 | 4 if self.shared.program.types.model == DataModel::Ilp32 => 32,
            _ => 64,
        }
    }
}

fn integer(spec: Spec, bits: u32, value: u64) -> Vec<u8> {
    let unused = 64 - bits;
    let signed = matches!(spec.conversion, b'd' | b'i');
    let number = ((value << unused) as i64) >> unused;
    let magnitude = if signed { number.unsigned_abs() } else { (value << unused) >> unused };
    let mut digits = match spec.conversion {
        b'o' => format!("{magnitude:o}"),
        b'x' => format!("{magnitude:x}"),
        b'X' => format!("{magnitude:X}"),
        _ => format!("{magnitude}"),
    };
    if spec.precision == Some(0) && magnitude == 0 {
        digits.clear();
    }
    let least = spec.precision.unwrap_or(0);
    let mut body = "0".repeat(least.saturating_sub(digits.len()));
    body.push_str(&digits);
    if spec.alternate && spec.conversion == b'o' && !body.starts_with('0') {
        body.insert(0, '0');
    }
    let prefix = match spec.conversion {
        b'd' | b'i' if number < 0 => "-",
        b'd' | b'i' if spec.plus => "+",
        b'd' | b'i' if spec.space => " ",
        b'x' if spec.alternate && magnitude != 0 => "0x",
        b'X' if spec.alternate && magnitude != 0 => "0X",
        _ => "",
    };
    number_text(spec, prefix, &body, spec.precision.is_none())
}

fn float(spec: Spec, kind: FloatKind, bits: u128) -> Vec<u8> {
    let conversion = spec.conversion.to_ascii_lowercase();
    let (negative, text) = format_float(kind, bits, conversion, spec.precision, spec.alternate);
    let prefix = if negative {
        "-"
    } else if spec.plus {
        "+"
    } else if spec.space {
        " "
    } else {
        ""
    };
    let may_pad_zero = text.starts_with(|c: char| c.is_ascii_digit());
    let text = number_text(spec, prefix, &text, may_pad_zero);
    if spec.conversion.is_ascii_uppercase() { text.to_ascii_uppercase() } else { text }
}

/// Sign or base, zeros up to the width if asked for, digits.
fn number_text(spec: Spec, prefix: &str, body: &str, may_pad_zero: bool) -> Vec<u8> {
    let length = prefix.len() + body.len();
    let mut text = prefix.to_string();
    if spec.zero && !spec.left && may_pad_zero {
        text.push_str(&"0".repeat(spec.width.saturating_sub(length)));
    }
    text.push_str(body);
    pad(spec, text.into_bytes())
}

fn pad(spec: Spec, text: Vec<u8>) -> Vec<u8> {
    let missing = spec.width.saturating_sub(text.len());
    let spaces = vec![b' '; missing];
    if spec.left { [text, spaces].concat() } else { [spaces, text].concat() }
}
