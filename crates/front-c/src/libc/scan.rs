//! `scanf` and its like: the format says what is stored, and how many
//! conversions there were says which of it was.
//!
//! What comes from a stream is arbitrary, and reading may stop before each
//! conversion. What comes from a string is read by models (`scan.c`). A pointer
//! that does not suit its conversion is not modelled.

use super::format::length_at;
use super::{Outcome, Request};
use crate::lower::{Body, MEMORY, Way};
use parallax_base::{Id, Span};
use parallax_cfa::{Binary, Expr, FloatKind, Halt, IntKind, Location, Op, Type};

/// A part of a format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Directive {
    /// Any white space.
    Space,
    /// A character that stands for itself.
    Literal(char),
    /// A conversion.
    Conversion(Conversion),
}

/// One conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Conversion {
    /// Whether nothing is stored.
    is_skipped: bool,
    /// The most characters that are read.
    width: Option<u64>,
    /// The length of the target, as in [`super::format::Conversion`].
    length: char,
    /// What is converted.
    letter: char,
    /// Where the characters of a set begin in the format.
    set: usize,
}

fn directives(format: &str) -> Option<Vec<Directive>> {
    let all: Vec<char> = format.chars().collect();
    let mut directives = Vec::new();
    let mut at = 0;
    while let Some(c) = all.get(at).copied() {
        at += 1;
        if c.is_ascii_whitespace() || c == '\x0b' {
            directives.push(Directive::Space);
        } else if c != '%' {
            directives.push(Directive::Literal(c));
        } else if all.get(at) == Some(&'%') {
            directives.extend([Directive::Space, Directive::Literal('%')]);
            at += 1;
        } else {
            let (conversion, end) = conversion(&all, at)?;
            directives.push(Directive::Conversion(conversion));
            at = end;
        }
    }
    Some(directives)
}

fn conversion(all: &[char], mut at: usize) -> Option<(Conversion, usize)> {
    let is_skipped = all.get(at) == Some(&'*');
    at += usize::from(is_skipped);
    let mut width = None;
    while let Some(digit) = all.get(at).and_then(|c| c.to_digit(10)) {
        width = Some(width.unwrap_or(0u64).checked_mul(10)?.checked_add(digit.into())?);
        at += 1;
    }
    if width == Some(0) {
        return None;
    }
    let length;
    (length, at) = length_at(all, at)?;
    let letter = *all.get(at)?;
    at += 1;
    let set = at;
    let known = match letter {
        'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'n' => length != 'L',
        'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A' => matches!(length, ' ' | 'l' | 'L'),
        'c' | 's' | 'p' => length == ' ',
        '[' => {
            at += usize::from(all.get(at) == Some(&'^'));
            at += usize::from(all.get(at) == Some(&']'));
            at += all.get(at..)?.iter().position(|c| *c == ']')? + 1;
            length == ' '
        }
        _ => false,
    };
    known.then_some((Conversion { is_skipped, width, length, letter, set }, at))
}

impl Conversion {
    fn is_float(&self) -> bool {
        matches!(self.letter, 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A')
    }

    /// The kind of integer that is stored.
    fn int_kind(&self) -> Option<IntKind> {
        if !matches!(self.letter, 'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'n') {
            return None;
        }
        Some(match self.length {
            'H' => IntKind::SChar,
            'h' => IntKind::Short,
            'l' | 'z' => IntKind::Long,
            'q' => IntKind::LongLong,
            _ => IntKind::Int,
        })
    }

    fn float_kind(&self) -> FloatKind {
        match self.length {
            'l' => FloatKind::Double,
            'L' => FloatKind::LongDouble,
            _ => FloatKind::Float,
        }
    }

    fn base(&self) -> i128 {
        match self.letter {
            'i' => 0,
            'x' | 'X' => 16,
            'o' => 8,
            _ => 10,
        }
    }
}

/// A call under way.
struct Scan {
    /// The number of conversions, or what says that there was no input.
    result: Way,
    /// Where reading stopped.
    stopped: Vec<Id<Location>>,
    /// The format.
    format: Id<Expr>,
    /// The start of a string, and the position in it; none for a stream.
    from: Option<(Id<Expr>, Way)>,
    /// Conversions so far.
    count: i128,
}

impl Body<'_, '_> {
    /// Lowers a call; the format is the argument of this number.
    pub(super) fn scan(&mut self, request: &Request<'_>, format: usize) -> Outcome {
        let span = request.span;
        let text = request.argument(format);
        let known = text.and_then(|value| self.string(value)).and_then(|text| directives(&text));
        let (Some(directives), Some(text)) = (known, text) else {
            self.unsupported(format!("{} with a format that is not known", request.name), span);
            return Outcome::Value(None);
        };
        let mut values = Vec::new();
        for value in request.arguments.iter().skip(format + 1) {
            values.push(value.map(|value| self.settle(value, MEMORY, span)));
        }
        let mut values = values.into_iter();
        let (int, chars) = (self.cx.build.int, self.chars());
        let result = self.temporary(int);
        let is_string = request.name.ends_with("sscanf");
        let source = request.argument(0).filter(|_| format == 1);
        let from = match source {
            Some(source) if is_string => {
                let source = self.cx.build.convert(source, chars);
                let source = self.save(source, span);
                let position = self.temporary(chars);
                self.set(&position, source, span);
                Some((source, position))
            }
            Some(stream) => {
                self.check_stream(stream, span);
                None
            }
            None => None,
        };
        let mut scan = Scan { result, stopped: Vec::new(), format: text, from, count: 0 };
        let count = directives.len();
        for (index, directive) in directives.into_iter().enumerate() {
            match directive {
                Directive::Space => self.scan_space(&mut scan, span),
                Directive::Literal(c) => self.scan_literal(&mut scan, c, span),
                Directive::Conversion(conversion) => {
                    let to = match conversion.is_skipped {
                        true => None,
                        false => match self.scan_target(conversion, values.next().flatten()) {
                            Some(to) => Some(to),
                            None => {
                                let text = "with a pointer that does not suit the format";
                                self.unsupported(format!("{} {text}", request.name), span);
                                break;
                            }
                        },
                    };
                    self.scan_one(&mut scan, conversion, to, span);
                }
            }
            if index + 1 == count && scan.from.is_none() && scan.count == 0 {
                self.stop_scan(&mut scan, None, span);
            }
        }
        let count = self.number(scan.count);
        let result = scan.result.clone();
        self.set(&result, count, span);
        for place in scan.stopped {
            let after = self.graph.join(self.graph.current, Some(place), span);
            self.at(after);
        }
        self.touch_errno(span);
        Outcome::Value(Some(self.load(&result)))
    }

    fn chars(&mut self) -> Id<Type> {
        let char = self.int_type(IntKind::Char);
        self.cx.build.types.pointer(char)
    }

    /// A pointer as the conversion stores through it, if it suits.
    fn scan_target(&mut self, conversion: Conversion, value: Option<Id<Expr>>) -> Option<Id<Expr>> {
        let value = value?;
        let types = &mut self.cx.build.types;
        let mut of = types.pointee(self.cx.build.exprs[value].ty)?;
        let is_void = matches!(types.get(of), Type::Void);
        let wanted = match conversion.int_kind() {
            Some(kind) => types.int(kind),
            None if conversion.is_float() => types.intern(Type::Float(conversion.float_kind())),
            None if conversion.letter == 'p' => return None,
            None => types.int(IntKind::Char),
        };
        if !conversion.is_float()
            && conversion.int_kind().is_none()
            && let Type::Array { of: element, .. } = types.get(of)
        {
            of = *element;
        }
        let suits = match (types.scalar(of), types.scalar(wanted)) {
            (Some(a), Some(b)) => {
                let is_bool = *types.get(of) == Type::Int(IntKind::Bool);
                a.bits() == b.bits() && a.is_float() == b.is_float() && !a.is_pointer() && !is_bool
            }
            _ => is_void,
        };
        let to = if is_void || !matches!(types.get(of), Type::Int(_)) { wanted } else { of };
        let to = types.pointer(to);
        suits.then(|| self.cx.build.convert(value, to))
    }

    /// Reading stops here if the value is zero, or if it likes to.
    fn stop_scan(&mut self, scan: &mut Scan, unless: Option<Id<Expr>>, span: Span) {
        let int = self.cx.build.int;
        let unless = match unless {
            Some(value) => value,
            None => {
                let way = self.arbitrary(int, "whether there is input", span);
                self.load(&way)
            }
        };
        let (goes_on, stops) = self.split(unless, span);
        self.at(stops);
        if stops.is_some() {
            let mut count = self.number(scan.count);
            if scan.count == 0 {
                // At the end of the input, there is no conversion to count.
                let minus = self.number(-1);
                let at_end = match &scan.from {
                    Some((_, position)) => {
                        let position = position.clone();
                        let next = self.next_char(&position, span);
                        let zero = self.number(0);
                        self.cx.build.binary(Binary::Eq, next, zero, int)
                    }
                    None => {
                        let way = self.arbitrary(int, "whether the input ended", span);
                        self.load(&way)
                    }
                };
                count = self.cx.build.conditional(at_end, minus, count);
            }
            let result = scan.result.clone();
            self.set(&result, count, span);
            scan.stopped.extend(self.graph.current);
        }
        self.at(goes_on);
    }

    /// The character at the position in a string.
    fn next_char(&mut self, position: &Way, span: Span) -> Id<Expr> {
        let char = self.int_type(IntKind::Char);
        let pointer = self.load(position);
        let way = self.cx.build.pointee_way(pointer, char, false);
        let value = self.read(&way, span);
        let int = self.cx.build.int;
        self.cx.build.convert(value, int)
    }

    fn scan_space(&mut self, scan: &mut Scan, span: Span) {
        let Some((_, position)) = scan.from.clone() else { return };
        let chars = self.chars();
        let here = self.load(&position);
        if let Some(next) = self.model_call("scan_space", &[here], Some(chars), span) {
            self.set(&position, next, span);
        }
    }

    fn scan_literal(&mut self, scan: &mut Scan, c: char, span: Span) {
        let Some((_, position)) = scan.from.clone() else { return };
        let (int, size) = (self.cx.build.int, self.cx.build.size);
        let next = self.next_char(&position, span);
        let byte = self.number(i128::from(c as u32 as u8 as i8));
        let same = self.cx.build.binary(Binary::Eq, next, byte, int);
        self.stop_scan(scan, Some(same), span);
        let one = self.cx.build.int(1, size);
        let here = self.load(&position);
        let next = self.cx.build.pointer_add(here, one, one);
        self.set(&position, next, span);
    }

    fn scan_one(&mut self, scan: &mut Scan, c: Conversion, to: Option<Id<Expr>>, span: Span) {
        match scan.from.clone() {
            None => self.scan_stream(scan, c, to, span),
            Some((start, position)) => {
                if !matches!(c.letter, 'c' | '[' | 'n') {
                    self.scan_space(scan, span);
                }
                self.scan_string(scan, c, to, (start, &position), span);
            }
        }
        scan.count += i128::from(c.letter != 'n' && to.is_some());
    }

    /// From a stream.
    fn scan_stream(&mut self, scan: &mut Scan, c: Conversion, to: Option<Id<Expr>>, span: Span) {
        self.stop_scan(scan, None, span);
        let Some(to) = to else { return };
        let size = self.cx.build.size;
        let most = self.most(c);
        match c.letter {
            'c' => {
                let count = self.cx.build.int(i128::from(c.width.unwrap_or(1)), size);
                self.overwrite_bytes(to, count, span);
            }
            's' => drop(self.model_call("scan_any_word", &[to, most], None, span)),
            '[' => {
                let set = self.set_of(scan, c);
                self.model_call("scan_any_set", &[to, most, set], None, span);
            }
            'n' => {
                if let Some(count) = self.count(None, span) {
                    self.scan_store(to, count, span);
                }
            }
            _ => drop(self.overwrite_target(to, "read by a library function", span)),
        }
    }

    fn most(&mut self, c: Conversion) -> Id<Expr> {
        let size = self.cx.build.size;
        let largest = self.cx.build.type_range(size).map_or(0, |range| range.1);
        self.cx.build.int(c.width.map_or(largest, i128::from).min(largest), size)
    }

    fn set_of(&mut self, scan: &Scan, c: Conversion) -> Id<Expr> {
        let (chars, size) = (self.chars(), self.cx.build.size);
        let format = self.cx.build.convert(scan.format, chars);
        let (start, one) = (self.cx.build.int(c.set as i128, size), self.cx.build.int(1, size));
        self.cx.build.pointer_add(format, start, one)
    }

    /// From a string.
    fn scan_string(
        &mut self,
        scan: &mut Scan,
        c: Conversion,
        to: Option<Id<Expr>>,
        (start, position): (Id<Expr>, &Way),
        span: Span,
    ) {
        let (chars, int, size) = (self.chars(), self.cx.build.int, self.cx.build.size);
        let here = self.load(position);
        if c.letter == 'n' {
            if let Some(to) = to {
                let difference = self.cx.build.difference;
                let one = self.cx.build.int(1, size);
                let count = self.cx.build.pointer_diff(here, start, one, difference);
                self.scan_store(to, count, span);
            }
            return;
        }
        let (most, base) = (self.most(c), self.number(c.base()));
        let end = match c.letter {
            's' => self.model_call("scan_word", &[here, most], Some(chars), span),
            '[' => {
                let set = self.set_of(scan, c);
                self.model_call("scan_set", &[here, most, set], Some(chars), span)
            }
            'c' => {
                let next = self.next_char(position, span);
                self.stop_scan(scan, Some(next), span);
                let count = self.cx.build.int(i128::from(c.width.unwrap_or(1)), size);
                self.model_call("scan_chars", &[here, count], Some(chars), span)
            }
            _ if c.is_float() && c.width.is_some() => {
                self.unsupported("a float of limited width read from a string", span);
                None
            }
            _ if c.is_float() => self.model_call("scan_float", &[here], Some(chars), span),
            _ => self.model_call("scan_number", &[here, base, most], Some(chars), span),
        };
        let Some(end) = end else { return };
        let end = self.save(end, span);
        self.stop_scan(scan, Some(end), span);
        if let Some(to) = to {
            match c.letter {
                's' | '[' | 'c' => {
                    let closed = self.number(i128::from(c.letter != 'c'));
                    self.model_call("scan_copy", &[to, here, end, closed], None, span);
                }
                _ if c.is_float() => {
                    let double = self.cx.build.types.intern(Type::Float(FloatKind::Double));
                    let name = "scan_float_value";
                    if let Some(value) = self.model_call(name, &[here], Some(double), span) {
                        self.scan_store(to, value, span);
                    }
                }
                _ => {
                    let wide = self.int_type(IntKind::LongLong);
                    let all = [here, base, most];
                    // A number that may not fit has no value that is known.
                    if let Some(fits) = self.model_call("scan_fits", &all, Some(int), span) {
                        let (fits, large) = self.split(fits, span);
                        self.at(large);
                        let why = "a number in a string that may not fit where it is stored";
                        self.unsupported(why, span);
                        self.stop(Op::Halt(Halt::End), span);
                        self.at(fits);
                    }
                    if let Some(value) = self.model_call("scan_value", &all, Some(wide), span) {
                        self.scan_store(to, value, span);
                    }
                }
            }
        }
        self.set(position, end, span);
    }

    /// Stores a number in the type that is pointed to.
    fn scan_store(&mut self, to: Id<Expr>, value: Id<Expr>, span: Span) {
        let ty = self.cx.build.exprs[to].ty;
        let Some(of) = self.cx.build.types.pointee(ty) else { return };
        let way = self.cx.build.pointee_way(to, of, false);
        let value = self.cx.build.convert(value, of);
        self.store(&way, value, false, span);
    }
}

#[cfg(test)]
mod tests {
    use super::{Directive, directives};

    #[test]
    fn formats() {
        let letters = |format: &str| -> Option<String> {
            let all = directives(format)?;
            Some(
                all.iter()
                    .map(|directive| match directive {
                        Directive::Space => ' ',
                        Directive::Literal(c) => *c,
                        Directive::Conversion(c) => c.letter,
                    })
                    .collect(),
            )
        };
        assert_eq!(letters("%d %ld%%").as_deref(), Some("d d %"));
        assert_eq!(letters("%*d%3s%c,").as_deref(), Some("dsc,"));
        assert_eq!(letters("%10[^]a]%f").as_deref(), Some("[f"));
        assert_eq!(letters("%"), None);
        assert_eq!(letters("%0d"), None);
        assert_eq!(letters("plain").as_deref(), Some("plain"));
    }
}
