//! The formats of `printf`.

use parallax_base::Id;
use parallax_cfa::{FloatKind, IntKind, Type, Types};

/// A part of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Piece {
    /// Text that stands for itself: from here, so many bytes.
    Text(usize, usize),
    /// A conversion.
    Conversion(Conversion),
}

/// A width or a precision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Amount {
    /// It is not given.
    None,
    /// A number of the format.
    Number(i32),
    /// An argument.
    Argument,
}

/// One conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Conversion {
    /// The flags, as the models know them.
    pub(super) flags: i32,
    /// The least width.
    pub(super) width: Amount,
    /// The precision.
    pub(super) precision: Amount,
    /// The length of the argument: `h`, `H` for `hh`, `l`, `q` for `ll`, `z`,
    /// `L`, or a space.
    pub(super) length: char,
    /// What is converted.
    pub(super) letter: char,
}

/// The flags of the models, in order of their bits.
const FLAGS: &str = "-+ #0";
/// The bit for capital letters.
const UPPER: i32 = 32;

/// The parts of a format; `None` if it is malformed or has conversions that are
/// not known. Bytes are given as characters up to 255.
pub(super) fn pieces(format: &str) -> Option<Vec<Piece>> {
    let all: Vec<char> = format.chars().collect();
    let mut pieces = Vec::new();
    let (mut at, mut start) = (0, 0);
    while at < all.len() {
        if all[at] != '%' {
            at += 1;
            continue;
        }
        if all.get(at + 1) == Some(&'%') {
            pieces.push(Piece::Text(start, at + 1 - start));
            (at, start) = (at + 2, at + 2);
            continue;
        }
        pieces.push(Piece::Text(start, at - start));
        let (conversion, end) = conversion(&all, at + 1)?;
        pieces.push(Piece::Conversion(conversion));
        (at, start) = (end, end);
    }
    pieces.push(Piece::Text(start, at - start));
    pieces.retain(|piece| !matches!(piece, Piece::Text(_, 0)));
    Some(pieces)
}

fn conversion(all: &[char], mut at: usize) -> Option<(Conversion, usize)> {
    let mut flags = 0;
    while let Some(bit) = FLAGS.chars().position(|flag| all.get(at) == Some(&flag)) {
        flags |= 1 << bit;
        at += 1;
    }
    let (width, after) = amount(all, at)?;
    at = after;
    let mut precision = Amount::None;
    if all.get(at) == Some(&'.') {
        (precision, at) = amount(all, at + 1)?;
        if precision == Amount::None {
            precision = Amount::Number(0);
        }
    }
    let length;
    (length, at) = length_at(all, at)?;
    let letter = *all.get(at)?;
    let known = match letter {
        'd' | 'i' | 'u' | 'o' | 'x' | 'X' => length != 'L',
        'c' | 's' | 'p' => length == ' ',
        'n' => length != 'L',
        'f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A' => matches!(length, ' ' | 'l' | 'L'),
        _ => false,
    };
    if letter == 'X' {
        flags |= UPPER;
    }
    known.then_some((Conversion { flags, width, precision, length, letter }, at + 1))
}

fn amount(all: &[char], mut at: usize) -> Option<(Amount, usize)> {
    if all.get(at) == Some(&'*') {
        return Some((Amount::Argument, at + 1));
    }
    let mut number = None;
    while let Some(digit) = all.get(at).and_then(|c| c.to_digit(10)) {
        let more = number.unwrap_or(0i32).checked_mul(10)?.checked_add(digit as i32)?;
        number = Some(more);
        at += 1;
    }
    Some((number.map_or(Amount::None, Amount::Number), at))
}

impl Conversion {
    /// The type whose values an integer conversion prints, or `%n` stores.
    pub(super) fn int_kind(&self, types: &Types) -> IntKind {
        let is_signed = matches!(self.letter, 'd' | 'i' | 'n');
        match (self.length, is_signed) {
            ('H', true) => IntKind::SChar,
            ('H', false) => IntKind::UChar,
            ('h', true) => IntKind::Short,
            ('h', false) => IntKind::UShort,
            ('l', true) => IntKind::Long,
            ('l', false) => IntKind::ULong,
            ('q', true) => IntKind::LongLong,
            ('q', false) => IntKind::ULongLong,
            ('z', true) => types.model.difference_type(),
            ('z', false) => types.model.size_type(),
            (_, true) => IntKind::Int,
            (_, false) => IntKind::UInt,
        }
    }

    /// The bits of a float conversion's argument.
    fn float_kind(&self) -> Option<FloatKind> {
        match (self.letter, self.length) {
            ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', 'L') => Some(FloatKind::LongDouble),
            ('f' | 'F' | 'e' | 'E' | 'g' | 'G' | 'a' | 'A', _) => Some(FloatKind::Double),
            _ => None,
        }
    }

    /// Whether an argument of a type will do. Where nothing but the number that
    /// is printed may be wrong, it will, unless the text is to be `exact`.
    pub(super) fn suits(&self, types: &Types, ty: Id<Type>, exact: bool) -> bool {
        let Some(scalar) = types.scalar(ty) else { return false };
        if let Some(kind) = self.float_kind() {
            return *types.get(ty) == Type::Float(kind);
        }
        let is_pointer = matches!(self.letter, 's' | 'p' | 'n');
        if is_pointer || scalar.is_pointer() || scalar.is_float() {
            let as_number = scalar.is_pointer() && !exact && types.pointer_bits() == 64;
            return scalar.is_pointer() && (is_pointer || as_number);
        }
        let wanted = types.int_scalar(self.int_kind(types)).bits().max(32);
        let given = scalar.bits().max(32);
        wanted == given || (!exact && types.pointer_bits() == 64 && given <= 64)
    }
}

/// The length of a conversion, and what comes after it: the letter, `H` for `hh`,
/// `q` for `ll`, or a blank.
pub(super) fn length_at(all: &[char], mut at: usize) -> Option<(char, usize)> {
    let mut length = ' ';
    while let Some(next) = all.get(at).copied().filter(|c| "hlLqjzt".contains(*c)) {
        length = match (length, next) {
            (' ', 'h' | 'l' | 'L' | 'q' | 'z') => next,
            (' ', 'j') => 'q',
            (' ', 't') => 'z',
            ('h', 'h') => 'H',
            ('l', 'l') => 'q',
            _ => return None,
        };
        at += 1;
    }
    Some((length, at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_have_parts() {
        let text = |format: &str| pieces(format).map(|p| p.len());
        assert_eq!(text("plain"), Some(1));
        assert_eq!(text("%d\n"), Some(2));
        assert_eq!(text("a%%b"), Some(2));
        assert_eq!(text("%-5s|%08.3f"), Some(3));
        assert_eq!(text("%"), None);
        assert_eq!(text("%1$d"), None);
        assert_eq!(text("%ls"), None);
        let pieces = pieces("%*.*lld").expect("it is a format");
        let Piece::Conversion(c) = &pieces[0] else { panic!("a conversion") };
        assert_eq!((c.width, c.precision, c.length), (Amount::Argument, Amount::Argument, 'q'));
    }
}
