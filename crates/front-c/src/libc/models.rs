//! The models written in C, and which of them a program needs.

use super::declared::Declaration;
use super::names::{Operation, modelled_name, operation_of, plain_name};
use crate::ast::{ExprKind, Unit};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// A file of models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Model {
    /// The name under which messages know it.
    pub name: &'static str,
    /// Its text: C without a need for preprocessing.
    pub text: &'static str,
}

/// Functions on `double` that scale by powers of two.
const SCALE: &str = include_str!("../../libc/scale.c");

/// Functions on `double` whose results are not known to the last bit.
const TRANSCENDENTAL: &str = include_str!("../../libc/transcendental.c");

/// The same for the other formats, with their limits of what is exact.
static OTHER_FORMATS: LazyLock<[(&str, String); 3]> = LazyLock::new(|| {
    let float = [("1e22", "1e10F"), ("0x1p53", "0x1p24F"), ("900", "90")];
    let (float, scale) = (&float[..], "0x1p-1021");
    [
        ("<libc/scale.c, float>", in_format(SCALE, "float", 'f', &[(scale, "0x1p-125F")])),
        (
            "<libc/scale.c, long double>",
            in_format(SCALE, "long double", 'l', &[(scale, "0x1p-16381L")]),
        ),
        ("<libc/transcendental.c, float>", in_format(TRANSCENDENTAL, "float", 'f', float)),
    ]
});

const ALL: &[Model] = &[
    Model { name: "<libc/string.c>", text: include_str!("../../libc/string.c") },
    Model { name: "<libc/bytes.c>", text: include_str!("../../libc/bytes.c") },
    Model { name: "<libc/ctype.c>", text: include_str!("../../libc/ctype.c") },
    Model { name: "<libc/stdlib.c>", text: include_str!("../../libc/stdlib.c") },
    Model { name: "<libc/math.c>", text: include_str!("../../libc/math.c") },
    Model { name: "<libc/scale.c>", text: SCALE },
    Model { name: "<libc/transcendental.c>", text: TRANSCENDENTAL },
    Model { name: "<libc/unistd.c>", text: include_str!("../../libc/unistd.c") },
    Model { name: "<libc/pthread.c>", text: include_str!("../../libc/pthread.c") },
];

/// The files for input and output; each uses the others.
const STREAMS: &[Model] = &[
    Model { name: "<libc/stdio.c>", text: include_str!("../../libc/stdio.c") },
    Model { name: "<libc/print.c>", text: include_str!("../../libc/print.c") },
    Model { name: "<libc/scan.c>", text: include_str!("../../libc/scan.c") },
    Model { name: "<libc/strtod.c>", text: include_str!("../../libc/strtod.c") },
];

/// The files with a model of a function that the units mention, or with parts
/// of what the function means. They are parsed and checked as further units;
/// what is not called is not lowered.
pub fn models(units: &[Unit]) -> Vec<Model> {
    let mut mentioned = BTreeSet::new();
    for unit in units {
        for expr in &unit.exprs {
            if let ExprKind::Name(name) = &expr.kind {
                mentioned.insert(plain_name(name).0);
            }
        }
    }
    let is_wanted = |model: &Model| functions(model.text).any(|f| mentioned.contains(f));
    let needs_streams = mentioned.iter().any(|name| {
        let is_formatted =
            matches!(operation_of(name), Some(Operation::Print { .. } | Operation::Scan(_)));
        is_formatted || Declaration::harmless(name).is_some()
    });
    let streams = if needs_streams || STREAMS.iter().any(is_wanted) { STREAMS } else { &[] };
    let others = OTHER_FORMATS.iter().map(|(name, text)| Model { name, text });
    let all = ALL.iter().copied().chain(others);
    all.filter(is_wanted).chain(streams.iter().copied()).collect()
}

/// A text about `double`, for another format. Functions get its suffix, those of
/// the front end keep their names; numbers are replaced as given.
fn in_format(text: &str, format: &str, suffix: char, numbers: &[(&str, &str)]) -> String {
    const KEPT: [&str; 6] =
        ["if", "for", "while", "__parallax_assume", "__parallax_errno", "__parallax_any_int"];
    let replace = |text: String, (old, new): &(&str, &str)| text.replace(old, new);
    let text = numbers.iter().fold(text.to_owned(), replace);
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut result = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(start) = rest.find(is_part) {
        let (before, from) = rest.split_at(start);
        let (word, after) = from.split_at(from.find(|c| !is_part(c)).unwrap_or(from.len()));
        result.push_str(before);
        result.push_str(if word == "double" { format } else { word });
        if after.starts_with('(') && !KEPT.contains(&word) {
            result.push(suffix);
        }
        rest = after;
    }
    result.push_str(rest);
    result
}

/// The functions that a file has models of.
fn functions(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
    words.filter_map(modelled_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_for_other_formats_are_made_of_those_for_double() {
        let text = "double __parallax_sin(double x) { if (x < 0x1p53) return f(x); }";
        let expected = "float __parallax_sinf(float x) { if (x < 0x1p24F) return ff(x); }";
        assert_eq!(in_format(text, "float", 'f', &[("0x1p53", "0x1p24F")]), expected);
        let has = |model: usize, name| functions(&OTHER_FORMATS[model].1).any(|f| f == name);
        assert!(has(0, "ldexpf") && has(1, "ldexpl") && has(2, "sinf"));
    }

    #[test]
    fn models_are_found_by_name() {
        let string: Vec<&str> = functions(ALL[0].text).collect();
        assert!(string.contains(&"strlen"));
        assert!(string.contains(&"strdup"));
    }
}
