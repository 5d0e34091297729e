//! Where a script leaves linear arithmetic.
//!
//! Terms do not know where they were written. When one turns out not to be
//! linear, the text of its assertion is looked through for the first product
//! of two expressions, or the first quotient by one, that is no number.

use parallax_base::Span;
use parallax_term::{Atom, Sexpr, Sexprs};

/// The place of the first product or quotient within a part of a text; the
/// part itself if none is found.
pub(crate) fn place(text: &str, part: Span) -> Span {
    let Some(slice) = text.get(part.lo as usize..part.hi as usize) else { return part };
    let Ok(all) = Sexprs::read(slice) else { return part };
    let mut stack: Vec<Sexpr<'_>> = all.iter().collect();
    stack.reverse();
    while let Some(item) = stack.pop() {
        if is_nonlinear(item) {
            let lo = part.lo as usize + item.offset();
            return Span::new(part.file, lo, lo + item.text().len());
        }
        let inner: Vec<Sexpr<'_>> = item.elements().collect();
        stack.extend(inner.into_iter().rev());
    }
    part
}

fn is_nonlinear(item: Sexpr<'_>) -> bool {
    let mut parts = item.elements();
    let Some(head) = parts.next().and_then(Sexpr::symbol) else { return false };
    match head {
        "*" => parts.filter(|part| !is_number(*part)).count() > 1,
        "/" | "div" | "mod" => parts.skip(1).any(|part| !is_number(part)),
        _ => false,
    }
}

/// Whether it is a number, perhaps with a sign or as a fraction.
fn is_number(item: Sexpr<'_>) -> bool {
    let is_digits =
        |item: Sexpr<'_>| matches!(item.atom(), Some(Atom::Numeral(_) | Atom::Decimal(_)));
    if is_digits(item) {
        return true;
    }
    let mut parts = item.elements();
    let head = parts.next().and_then(Sexpr::symbol);
    let is_plain = |part: Sexpr<'_>| {
        is_digits(part) || part.elements().skip(1).all(is_digits) && part.is_list()
    };
    matches!(head, Some("-" | "/" | "to_real")) && parts.all(is_plain)
}
