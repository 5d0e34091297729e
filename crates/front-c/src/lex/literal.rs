//! The values of literals, from their spelling.

use super::Encoding;
use crate::ast::{CharWidth, IntLiteral};
use parallax_cfa::FloatKind;

/// A number.
pub(crate) enum Number {
    Int(IntLiteral),
    Float { digits: String, kind: FloatKind, imaginary: bool },
}

/// The value of a number, or what is wrong with it.
pub(crate) fn number(spelling: &str) -> Result<Number, String> {
    let text: String = spelling.chars().filter(|c| *c != '\'').collect();
    let lower = text.to_ascii_lowercase();
    let hex = lower.starts_with("0x");
    let is_float = lower.contains('.')
        || (if hex {
            lower.contains('p')
        } else {
            lower.contains('e') && !lower.starts_with("0b")
        });
    if is_float { float(&text, &lower, hex) } else { int(&lower) }
}

fn int(lower: &str) -> Result<Number, String> {
    let (radix, rest) = match lower.as_bytes() {
        [b'0', b'x', ..] => (16, &lower[2..]),
        [b'0', b'b', ..] => (2, &lower[2..]),
        [b'0', ..] => (8, lower),
        _ => (10, lower),
    };
    let end = rest.find(|c: char| !c.is_digit(radix.max(10))).unwrap_or(rest.len());
    let (digits, suffix) = rest.split_at(end);
    if digits.is_empty() {
        return Err(format!("the number `{lower}` has no digits"));
    }
    let mut value: u128 = 0;
    for c in digits.chars() {
        let Some(digit) = c.to_digit(radix) else {
            return Err(format!("`{c}` is not a digit of base {radix}"));
        };
        let next = value.checked_mul(radix.into()).and_then(|v| v.checked_add(digit.into()));
        value = next.ok_or("this number has more than 128 bits")?;
    }
    let mut literal =
        IntLiteral { value, decimal: radix == 10, unsigned: false, longs: 0, imaginary: false };
    let mut rest = suffix;
    while !rest.is_empty() {
        let used = if rest.starts_with("ll") && literal.longs == 0 {
            literal.longs = 2;
            2
        } else if rest.starts_with('l') && literal.longs == 0 {
            literal.longs = 1;
            1
        } else if rest.starts_with('u') && !literal.unsigned {
            literal.unsigned = true;
            1
        } else if rest.starts_with(['i', 'j']) && !literal.imaginary {
            literal.imaginary = true;
            1
        } else {
            return Err(format!("`{suffix}` is not a suffix of an integer"));
        };
        rest = &rest[used..];
    }
    Ok(Number::Int(literal))
}

fn float(text: &str, lower: &str, hex: bool) -> Result<Number, String> {
    let bytes = lower.as_bytes();
    let mut at = if hex { 2 } else { 0 };
    let digits = |mut at: usize, hex: bool| {
        while bytes
            .get(at)
            .is_some_and(|b| if hex { b.is_ascii_hexdigit() } else { b.is_ascii_digit() })
        {
            at += 1;
        }
        at
    };
    let first = at;
    at = digits(at, hex);
    let mut count = at - first;
    if bytes.get(at) == Some(&b'.') {
        let after = digits(at + 1, hex);
        count += after - at - 1;
        at = after;
    }
    if count == 0 {
        return Err(format!("the number `{text}` has no digits"));
    }
    let letter = if hex { b'p' } else { b'e' };
    if bytes.get(at) == Some(&letter) {
        let signed = usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let after = digits(at + 1 + signed, false);
        if after == at + 1 + signed {
            return Err(format!("the exponent of `{text}` has no digits"));
        }
        at = after;
    } else if hex {
        return Err(format!("the hexadecimal float `{text}` has no exponent"));
    }
    let (mut suffix, mut imaginary) = (&lower[at..], false);
    if let Some(rest) = suffix.strip_suffix(['i', 'j']) {
        (suffix, imaginary) = (rest, true);
    } else if let Some(rest) = suffix.strip_prefix(['i', 'j']) {
        (suffix, imaginary) = (rest, true);
    }
    let kind = match suffix {
        "" | "d" | "f64" | "f32x" => FloatKind::Double,
        "f" | "f32" => FloatKind::Float,
        "l" | "w" | "f64x" => FloatKind::LongDouble,
        "q" | "f128" => FloatKind::Float128,
        _ => return Err(format!("`{suffix}` is not a suffix of a float that is supported")),
    };
    Ok(Number::Float { digits: text[..at].to_owned(), kind, imaginary })
}

/// The width said by the prefix of a literal, and what is between the quotes.
fn split(spelling: &str) -> (CharWidth, &str) {
    let quote = spelling.find(['"', '\'']).unwrap_or(0);
    let width = match &spelling[..quote] {
        "L" => CharWidth::Wide,
        "u" => CharWidth::Utf16,
        "U" => CharWidth::Utf32,
        _ => CharWidth::Char,
    };
    let rest = spelling.get(quote + 1..).unwrap_or("");
    // A literal that was reported as unclosed has no closing quote.
    let end = if rest.ends_with(&spelling[quote..=quote]) { rest.len() - 1 } else { rest.len() };
    (width, &rest[..end])
}

/// The width of a string literal.
pub(crate) fn width(spelling: &str) -> CharWidth {
    split(spelling).0
}

/// A character of a literal: as written, or the number of a numeric escape.
enum Unit {
    Char(char),
    Number(u32),
}

/// Appends the code units of a string literal, `width` wide each.
pub(crate) fn string(
    spelling: &str,
    width: CharWidth,
    encoding: Encoding,
    out: &mut Vec<u32>,
) -> Result<(), String> {
    let (_, body) = split(spelling);
    units(body, |unit| match unit {
        Unit::Number(number) => out.push(match width {
            CharWidth::Char => number & 0xff,
            CharWidth::Utf16 => number & 0xffff,
            CharWidth::Wide | CharWidth::Utf32 => number,
        }),
        Unit::Char(c) => push_char(c, width, encoding, out),
    })
}

fn push_char(c: char, width: CharWidth, encoding: Encoding, out: &mut Vec<u32>) {
    match (width, encoding) {
        (CharWidth::Wide | CharWidth::Utf32, _) | (_, Encoding::Bytes) => out.push(c.into()),
        (CharWidth::Char, Encoding::Utf8) => {
            out.extend(c.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        (CharWidth::Utf16, Encoding::Utf8) => {
            out.extend(c.encode_utf16(&mut [0; 2]).iter().map(|&u| u32::from(u)));
        }
    }
}

/// Calls `each` for every character between the quotes.
fn units(body: &str, mut each: impl FnMut(Unit)) -> Result<(), String> {
    let mut rest = body.chars();
    while let Some(c) = rest.next() {
        if c != '\\' {
            each(Unit::Char(c));
            continue;
        }
        let escape = rest.next().unwrap_or('\\');
        let simple = match escape {
            'n' => 10,
            't' => 9,
            'r' => 13,
            'a' => 7,
            'b' => 8,
            'f' => 12,
            'v' => 11,
            'e' | 'E' => 27,
            '\n' => continue,
            '0'..='7' => {
                let mut value = escape.to_digit(8).unwrap_or(0);
                for _ in 0..2 {
                    let Some(digit) = rest.clone().next().and_then(|c| c.to_digit(8)) else {
                        break;
                    };
                    value = value * 8 + digit;
                    rest.next();
                }
                value
            }
            'x' => {
                let mut value: Option<u32> = None;
                while let Some(digit) = rest.clone().next().and_then(|c| c.to_digit(16)) {
                    value = Some(value.unwrap_or(0).wrapping_mul(16) | digit);
                    rest.next();
                }
                value.ok_or("`\\x` is not followed by a digit")?
            }
            'u' | 'U' => {
                let length = if escape == 'u' { 4 } else { 8 };
                let digits: String = rest.clone().take(length).collect();
                let value =
                    u32::from_str_radix(&digits, 16).ok().filter(|_| digits.len() == length);
                let c = value.and_then(char::from_u32);
                each(Unit::Char(c.ok_or(format!("`\\{escape}{digits}` is not a character"))?));
                rest.nth(length - 1);
                continue;
            }
            // `\"`, `\'`, `\\`, `\?`; GNU C keeps unknown ones.
            other => {
                each(Unit::Char(other));
                continue;
            }
        };
        each(Unit::Number(simple));
    }
    Ok(())
}

/// The value and width of a character constant.
pub(crate) fn character(spelling: &str, encoding: Encoding) -> Result<(i64, CharWidth), String> {
    let (width, body) = split(spelling);
    let mut values = Vec::new();
    string(spelling, width, encoding, &mut values)?;
    let Some(&last) = values.last() else {
        return Err(if body.is_empty() {
            "this character constant is empty".to_owned()
        } else {
            "this character constant has no character".to_owned()
        });
    };
    let value = match width {
        CharWidth::Char if values.len() == 1 => i64::from(last as u8 as i8),
        // Several characters: an int with the last in the lowest byte, as GNU C.
        CharWidth::Char => {
            let joined = values.iter().fold(0u32, |sum, unit| (sum << 8) | (unit & 0xff));
            i64::from(joined as i32)
        }
        CharWidth::Wide => i64::from(last as i32),
        CharWidth::Utf16 | CharWidth::Utf32 => i64::from(last),
    };
    Ok((value, width))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(spelling: &str) -> String {
        match number(spelling) {
            Ok(Number::Int(i)) => {
                let suffix = ["", "l", "ll"][usize::from(i.longs)];
                let u = if i.unsigned { "u" } else { "" };
                let base = if i.decimal { "d" } else { "" };
                let imaginary = if i.imaginary { "i" } else { "" };
                format!("{}{base}{u}{suffix}{imaginary}", i.value)
            }
            Ok(Number::Float { digits, kind, imaginary }) => {
                format!("{digits} {kind:?}{}", if imaginary { " i" } else { "" })
            }
            Err(message) => message,
        }
    }

    #[test]
    fn numbers() {
        for (spelling, expected) in [
            ("0", "0"),
            ("42", "42d"),
            ("0x1fULL", "31ull"),
            ("017L", "15l"),
            ("0b101u", "5u"),
            ("1'000'000", "1000000d"),
            ("3lu", "3dul"),
            ("3i", "3di"),
            ("340282366920938463463374607431768211455", "340282366920938463463374607431768211455d"),
            ("340282366920938463463374607431768211456", "this number has more than 128 bits"),
            ("1.5", "1.5 Double"),
            ("1e-3f", "1e-3 Float"),
            (".5L", ".5 LongDouble"),
            ("0x1.8p3", "0x1.8p3 Double"),
            ("2.0q", "2.0 Float128"),
            ("1.0fi", "1.0 Float i"),
            ("1.0if", "1.0 Float i"),
            ("09", "`9` is not a digit of base 8"),
            ("12abc", "`abc` is not a suffix of an integer"),
            ("0x", "the number `0x` has no digits"),
            ("1e", "the exponent of `1e` has no digits"),
            ("0x1.8", "the hexadecimal float `0x1.8` has no exponent"),
            ("3lll", "`lll` is not a suffix of an integer"),
        ] {
            assert_eq!(shown(spelling), expected, "{spelling}");
        }
    }

    #[test]
    fn characters() {
        for (spelling, expected) in [
            ("'a'", Ok(97)),
            (r"'\n'", Ok(10)),
            (r"'\377'", Ok(-1)),
            (r"'\x80'", Ok(-128)),
            (r"'\''", Ok(39)),
            ("'ab'", Ok(97 * 256 + 98)),
            (r"L'\xffffffff'", Ok(-1)),
            ("L'é'", Ok(0xe9)),
            ("u'é'", Ok(0xe9)),
            ("''", Err(())),
            (r"'\x'", Err(())),
        ] {
            let value = character(spelling, Encoding::Utf8).map(|(value, _)| value);
            assert_eq!(value.map_err(|_| ()), expected, "{spelling}");
        }
    }

    #[test]
    fn strings_in_every_width_and_encoding() {
        let units = |spelling: &str, encoding| {
            let mut out = Vec::new();
            let result = string(spelling, width(spelling), encoding, &mut out);
            result.map(|()| out)
        };
        let utf8 = Encoding::Utf8;
        assert_eq!(units(r#""a\0é""#, utf8), Ok(vec![97, 0, 0xc3, 0xa9]));
        assert_eq!(units(r#""é""#, Encoding::Bytes), Ok(vec![0xe9]));
        assert_eq!(units(r#"L"é\u20ac""#, utf8), Ok(vec![0xe9, 0x20ac]));
        assert_eq!(units("u\"\u{1f600}\"", utf8), Ok(vec![0xd83d, 0xde00]));
        assert_eq!(units(r#""\e\?\q\18""#, utf8), Ok(vec![27, 63, 113, 1, 56]));
        assert!(units(r#""\ud800""#, utf8).is_err());
    }
}
