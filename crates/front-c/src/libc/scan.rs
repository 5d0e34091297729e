//! `scanf` and its like: arbitrary values go where the pointers lead.

use super::{Outcome, Request};
use crate::lower::Body;

/// What one conversion of a format stores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stored {
    /// One scalar.
    Scalar,
    /// This many characters.
    Characters(u64),
    /// Characters without a bound.
    Unbounded,
}

/// The conversions of a `scanf` format that store something; `None` if it is
/// malformed.
fn conversions(format: &str) -> Option<Vec<Stored>> {
    let mut all = Vec::new();
    let mut rest = format.chars().peekable();
    while let Some(c) = rest.next() {
        if c != '%' {
            continue;
        }
        let skipped = rest.next_if_eq(&'*').is_some();
        let mut width = None;
        while let Some(digit) = rest.peek().and_then(|c| c.to_digit(10)) {
            width = Some(width.unwrap_or(0u64).saturating_mul(10).saturating_add(digit.into()));
            rest.next();
        }
        while rest.next_if(|c| "hljztLqm".contains(*c)).is_some() {}
        let stored = match rest.next()? {
            '%' => continue,
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'n' | 'p' => Stored::Scalar,
            'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A' => Stored::Scalar,
            'c' => Stored::Characters(width.unwrap_or(1)),
            's' => width.map_or(Stored::Unbounded, |w| Stored::Characters(w + 1)),
            '[' => {
                rest.next_if_eq(&'^');
                rest.next_if_eq(&']');
                rest.by_ref().find(|c| *c == ']')?;
                width.map_or(Stored::Unbounded, |w| Stored::Characters(w + 1))
            }
            _ => return None,
        };
        if !skipped {
            all.push(stored);
        }
    }
    Some(all)
}

impl Body<'_, '_> {
    /// Lowers a call; the format is the argument of this number.
    pub(super) fn scan(&mut self, request: &Request<'_>, format: usize) -> Outcome {
        let span = request.span;
        let text = request.argument(format).and_then(|value| self.string(value));
        let Some(conversions) = text.as_deref().and_then(conversions) else {
            self.unsupported(format!("{} with a format that is not known", request.name), span);
            return Outcome::Value(None);
        };
        let why = format!("read by `{}`", request.name);
        for (index, stored) in conversions.into_iter().enumerate() {
            let Some(pointer) = request.argument(format + 1 + index) else {
                self.unsupported(format!("{} with too few arguments", request.name), span);
                break;
            };
            match stored {
                Stored::Scalar => {
                    if !self.overwrite_target(pointer, &why, span) {
                        self.unsupported(format!("{} to an unknown type", request.name), span);
                    }
                }
                Stored::Characters(count) => {
                    let size = self.cx.build.int(i128::from(count), self.cx.build.size);
                    self.overwrite_bytes(pointer, size, span);
                }
                Stored::Unbounded => {
                    self.unsupported(format!("{} of a string without bound", request.name), span);
                }
            }
        }
        Outcome::Value(None)
    }
}

#[cfg(test)]
mod tests {
    use super::{Stored, conversions};

    #[test]
    fn formats() {
        let check = |format: &str, expected: Option<&[Stored]>| {
            assert_eq!(conversions(format).as_deref(), expected, "{format}");
        };
        check("%d %ld%%", Some(&[Stored::Scalar, Stored::Scalar]));
        check("%*d%3s%c", Some(&[Stored::Characters(4), Stored::Characters(1)]));
        check("%s", Some(&[Stored::Unbounded]));
        check("%10[^]a]%f", Some(&[Stored::Characters(11), Stored::Scalar]));
        check("%", None);
        check("plain", Some(&[]));
    }
}
