//! Random formulas and words, and a reader of the HOA format.

#![allow(dead_code, reason = "each test takes what it needs")]

use parallax_base::{Budget, FileId};
use parallax_buchi::{Automaton, Cube, Edge, State, translate};
use parallax_ltl::{Formula, Lasso, parse};
use rand::RngExt;
use rand::rngs::StdRng;

/// A formula from its text.
pub(crate) fn formula(text: &str) -> Formula {
    parse(FileId::default(), text).0.expect("a formula")
}

/// The automaton of a formula, or of its negation.
pub(crate) fn automaton(formula: &Formula, negated: bool) -> Automaton {
    translate(formula, negated, &Budget::unlimited()).expect("no limit")
}

/// A random formula of about this size over atoms `a`, `b`, `c`.
pub(crate) fn random(rng: &mut StdRng, size: usize) -> String {
    if size <= 1 {
        return ["a", "b", "c", "a", "b", "true"][rng.random_range(0..6)].to_owned();
    }
    let left = rng.random_range(1..size);
    match rng.random_range(0..14) {
        0 | 1 => format!("!({})", random(rng, size - 1)),
        2 | 3 => format!("X ({})", random(rng, size - 1)),
        4 => format!("[] ({})", random(rng, size - 1)),
        5 => format!("<> ({})", random(rng, size - 1)),
        n => {
            let op = ["U", "R", "W", "M", "&&", "||", "->", "<->"][n - 6];
            format!("({}) {op} ({})", random(rng, left), random(rng, size - left))
        }
    }
}

/// A random word over three atoms.
pub(crate) fn random_word(rng: &mut StdRng) -> Lasso {
    let mut letters = |least: usize, most: usize| -> Vec<u64> {
        let n = rng.random_range(least..=most);
        (0..n).map(|_| rng.random_range(0..8)).collect()
    };
    Lasso { stem: letters(0, 3), cycle: letters(1, 4) }
}

/// Reads an automaton in the HOA format: the part of it that has one Büchi
/// set on states and explicit labels.
pub(crate) fn read_hoa(text: &str) -> Automaton {
    let (header, body) = text.split_once("--BODY--\n").expect("a body");
    let body = body.strip_suffix("--END--\n").expect("an end");
    let mut lines = header.lines();
    assert_eq!(lines.next(), Some("HOA: v1"));
    let (mut states, mut initial, mut atoms) = (0, None, None);
    let mut acceptance = Vec::new();
    for line in lines {
        let (key, value) = line.split_once(": ").expect("a header item");
        match key {
            "States" => states = value.parse().expect("a number"),
            "Start" => initial = Some(value.parse().expect("a number")),
            "AP" => atoms = Some(strings(value)),
            "acc-name" | "Acceptance" => acceptance.push(value.to_owned()),
            "tool" | "name" | "properties" => {}
            _ => unreachable!("unknown header item {line}"),
        }
    }
    assert_eq!(acceptance, ["Buchi", "1 Inf(0)"]);
    let mut read: Vec<State> = Vec::new();
    for line in body.lines() {
        if let Some(rest) = line.strip_prefix("State: ") {
            let (number, accepting) = match rest.strip_suffix(" {0}") {
                Some(number) => (number, true),
                None => (rest, false),
            };
            assert_eq!(number.parse(), Ok(read.len()));
            read.push(State { accepting, edges: Vec::new() });
            continue;
        }
        let (label, target) =
            line.strip_prefix('[').and_then(|l| l.split_once("] ")).expect("an edge");
        let target = target.parse().expect("a number");
        for cube in label.split(" | ") {
            let mut label = Cube::TRUE;
            for literal in cube.split('&').filter(|l| *l != "t") {
                match literal.strip_prefix('!') {
                    Some(atom) => label.no |= 1 << atom.parse::<u32>().expect("an atom"),
                    None => label.yes |= 1 << literal.parse::<u32>().expect("an atom"),
                }
            }
            read.last_mut().expect("a state").edges.push(Edge { target, label });
        }
    }
    assert_eq!(read.len(), states);
    Automaton { atoms: atoms.expect("atoms"), states: read, initial: initial.expect("a start") }
}

/// `2 "a" "b \"c\""`
fn strings(text: &str) -> Vec<String> {
    let (count, rest) = text.split_once(' ').unwrap_or((text, ""));
    let (mut found, mut current, mut escaped) = (Vec::new(), None::<String>, false);
    for c in rest.chars() {
        match (&mut current, c) {
            (None, '"') => current = Some(String::new()),
            (None, _) => {}
            (Some(text), _) if escaped => {
                text.push(c);
                escaped = false;
            }
            (Some(_), '\\') => escaped = true,
            (Some(_), '"') => found.extend(current.take()),
            (Some(text), _) => text.push(c),
        }
    }
    assert_eq!(count.parse(), Ok(found.len()));
    found
}
