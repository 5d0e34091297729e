//! The models written in C, and which of them a program needs.

use super::declared::Declaration;
use super::names::{Operation, modelled_name, operation_of, plain_name};
use crate::ast::{ExprKind, Unit};
use std::collections::BTreeSet;

/// A file of models.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Model {
    /// The name under which messages know it.
    pub name: &'static str,
    /// Its text: C without a need for preprocessing.
    pub text: &'static str,
}

const ALL: &[Model] = &[
    Model { name: "<libc/string.c>", text: include_str!("../../libc/string.c") },
    Model { name: "<libc/ctype.c>", text: include_str!("../../libc/ctype.c") },
    Model { name: "<libc/stdlib.c>", text: include_str!("../../libc/stdlib.c") },
    Model { name: "<libc/math.c>", text: include_str!("../../libc/math.c") },
    Model { name: "<libc/scale.c>", text: include_str!("../../libc/scale.c") },
    Model { name: "<libc/transcendental.c>", text: include_str!("../../libc/transcendental.c") },
    Model { name: "<libc/transcendentalf.c>", text: include_str!("../../libc/transcendentalf.c") },
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
    ALL.iter().copied().filter(is_wanted).chain(streams.iter().copied()).collect()
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
    fn models_are_found_by_name() {
        let string: Vec<&str> = functions(ALL[0].text).collect();
        assert!(string.contains(&"strlen"));
        assert!(string.contains(&"strdup"));
    }
}
