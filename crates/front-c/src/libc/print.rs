//! `sprintf` and `snprintf`: the format is taken apart here, and each part is
//! written by a model (`print.c`), bounds checked.
//!
//! Integers, characters and strings are exact. The text of a float or of a
//! pointer is arbitrary, of a length that such a text may have.

use super::format::{Amount, Conversion, Piece};
use super::{Outcome, Request};
use crate::lower::{Body, MEMORY};
use parallax_base::{Id, Span};
use parallax_cfa::{Expr, IntKind};

/// The longest text of a `double` without a precision: a sign, the digits of
/// the largest, a point, and six digits.
const DOUBLE: i128 = 1 + 309 + 1 + 6;
/// The same for a `long double`.
const LONG_DOUBLE: i128 = 1 + 4933 + 1 + 6;

/// Where text goes: the buffer, its size, and how much there is of it.
struct Sink {
    to: Id<Expr>,
    size: Id<Expr>,
    at: Id<Expr>,
}

impl Body<'_, '_> {
    /// Lowers a call; size and format are the arguments of these numbers.
    pub(super) fn print(
        &mut self,
        request: &Request<'_>,
        size: Option<usize>,
        format: usize,
    ) -> Outcome {
        let span = request.span;
        let Some((pieces, used)) = self.converted(request, format, true) else {
            return Outcome::Value(None);
        };
        let (Some(to), Some(text)) = (request.argument(0), request.argument(format)) else {
            return Outcome::Value(None);
        };
        let size_type = self.cx.build.size;
        let most = self.cx.build.type_range(size_type).map_or(0, |range| range.1);
        let size = match size.and_then(|index| request.argument(index)) {
            Some(size) => self.cx.build.convert(size, size_type),
            None => self.cx.build.int(most, size_type),
        };
        let char = self.int_type(IntKind::Char);
        let chars = self.cx.build.types.pointer(char);
        let to = self.cx.build.convert(to, chars);
        let to = self.settle(to, MEMORY, span);
        let size = self.settle(size, MEMORY, span);
        let mut used: Vec<Id<Expr>> =
            used.into_iter().map(|value| self.settle(value, MEMORY, span)).collect();
        used.reverse();
        let at = self.cx.build.int(0, size_type);
        let mut sink = Sink { to, size, at };
        for piece in pieces {
            match piece {
                Piece::Text(start, count) => {
                    let text = self.cx.build.convert(text, chars);
                    let start = self.cx.build.int(start as i128, size_type);
                    let one = self.cx.build.int(1, size_type);
                    let text = self.cx.build.pointer_add(text, start, one);
                    let count = self.cx.build.int(count as i128, size_type);
                    self.put(&mut sink, "print_text", &[text, count], span);
                }
                Piece::Conversion(conversion) => {
                    self.put_conversion(&mut sink, conversion, &mut used, span);
                }
            }
        }
        let int = self.cx.build.int;
        Outcome::Value(self.model_call(
            "print_end",
            &[sink.to, sink.size, sink.at],
            Some(int),
            span,
        ))
    }

    fn put(&mut self, sink: &mut Sink, name: &str, rest: &[Id<Expr>], span: Span) {
        let size = self.cx.build.size;
        let arguments = [&[sink.to, sink.size, sink.at], rest].concat();
        if let Some(at) = self.model_call(name, &arguments, Some(size), span) {
            sink.at = at;
        }
    }

    fn put_conversion(
        &mut self,
        sink: &mut Sink,
        conversion: Conversion,
        used: &mut Vec<Id<Expr>>,
        span: Span,
    ) {
        let flags = self.number(i128::from(conversion.flags));
        let width = self.amount(conversion.width, 0, used);
        let precision = self.amount(conversion.precision, -1, used);
        let Some(value) = used.pop() else { return };
        let kind = conversion.int_kind(&self.cx.build.types);
        let own = self.int_type(kind);
        match conversion.letter {
            'd' | 'i' => {
                let wide = self.int_type(IntKind::LongLong);
                let value = self.cx.build.convert(value, own);
                let value = self.cx.build.convert(value, wide);
                self.put(sink, "print_signed", &[value, flags, width, precision], span);
            }
            'u' | 'o' | 'x' | 'X' => {
                let base = match conversion.letter {
                    'o' => 8,
                    'u' => 10,
                    _ => 16,
                };
                let wide = self.int_type(IntKind::ULongLong);
                let value = self.cx.build.convert(value, own);
                let value = self.cx.build.convert(value, wide);
                let unsigned = self.int_type(IntKind::UInt);
                let base = self.cx.build.int(base, unsigned);
                self.put(sink, "print_unsigned", &[value, base, flags, width, precision], span);
            }
            'c' => {
                let char = self.int_type(IntKind::Char);
                let value = self.cx.build.convert(value, char);
                self.put(sink, "print_char", &[value, flags, width], span);
            }
            's' => self.put(sink, "print_string", &[value, flags, width, precision], span),
            'n' => self.store_number(value, kind, sink.at, span),
            _ => self.put_any(sink, conversion, span),
        }
    }

    /// A float or a pointer.
    fn put_any(&mut self, sink: &mut Sink, conversion: Conversion, span: Span) {
        let is_open = |amount| amount == Amount::Argument;
        if is_open(conversion.width) || is_open(conversion.precision) {
            self.unsupported("the text of a float whose width is not known", span);
            return;
        }
        let given = |amount| match amount {
            Amount::Number(n) => i128::from(n),
            _ => 0,
        };
        let whole = if conversion.length == 'L' { LONG_DOUBLE } else { DOUBLE };
        let least = given(conversion.width);
        let most = (whole + given(conversion.precision)).max(least);
        let size = self.cx.build.size;
        let (least, most) = (self.cx.build.int(least, size), self.cx.build.int(most, size));
        self.put(sink, "print_any", &[least, most], span);
    }

    fn amount(&mut self, amount: Amount, otherwise: i128, used: &mut Vec<Id<Expr>>) -> Id<Expr> {
        let int = self.cx.build.int;
        let given = match amount {
            Amount::Number(n) => Some(self.number(i128::from(n))),
            Amount::Argument => used.pop(),
            Amount::None => None,
        };
        match given {
            Some(value) => self.cx.build.convert(value, int),
            None => self.number(otherwise),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_floats_fit() {
        assert!(format!("{:.6}", -f64::MAX).len() as i128 <= DOUBLE);
    }
}
