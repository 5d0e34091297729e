//! Messages about API texts.

use parallax_base::{Diagnostic, Span};

/// An API text that cannot be understood.
pub(crate) const BAD_API: &str = "T0001";
/// A name that is no function of the program.
pub(crate) const NO_FUNCTION: &str = "T0002";
/// A function that cannot be called as the API says.
pub(crate) const MISMATCH: &str = "T0003";

/// An error at a place.
pub(crate) fn error_at(code: &'static str, span: Span, message: &str) -> Diagnostic {
    Diagnostic::error(code, span, message)
}

/// The name among `names` that is most like `name`, if any is.
pub(crate) fn nearest<'n>(name: &str, names: impl Iterator<Item = &'n str>) -> Option<&'n str> {
    let limit = name.len() / 3 + 1;
    names
        .map(|other| (distance(name, other), other))
        .filter(|(distance, _)| *distance <= limit)
        .min()
        .map(|(_, other)| other)
}

/// How many letters must change (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.chars().enumerate() {
        let mut corner = i;
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != *y);
            corner = row[j + 1];
            row[j + 1] = change.min(corner + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_guessed() {
        assert_eq!(distance("abc", "abd"), 1);
        assert_eq!(distance("", "abd"), 3);
        let names = ["list_insert", "list_remove"];
        assert_eq!(nearest("list_inser", names.into_iter()), Some("list_insert"));
        assert_eq!(nearest("frobnicate", names.into_iter()), None);
    }
}
