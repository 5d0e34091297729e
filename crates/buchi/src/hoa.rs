//! Automata in the Hanoi Omega-Automata format, version 1 (Babiak et al.,
//! CAV 2015), which other tools read.

use crate::automaton::{Automaton, Edge};
use crate::cube::Cube;
use std::fmt::Write;

/// The automaton as text. `name` is what it is called there, such as the
/// formula it comes from.
pub fn to_hoa(automaton: &Automaton, name: &str, stutter_invariant: bool) -> String {
    let mut out = String::new();
    write_hoa(&mut out, automaton, name, stutter_invariant).map_or_else(|_| String::new(), |()| out)
}

fn write_hoa(
    out: &mut String,
    automaton: &Automaton,
    name: &str,
    stutter_invariant: bool,
) -> std::fmt::Result {
    writeln!(out, "HOA: v1")?;
    writeln!(out, "tool: \"parallax\" \"{}\"", env!("CARGO_PKG_VERSION"))?;
    writeln!(out, "name: {}", quoted(name))?;
    writeln!(out, "States: {}", automaton.states.len())?;
    writeln!(out, "Start: {}", automaton.initial)?;
    write!(out, "AP: {}", automaton.atoms.len())?;
    for atom in &automaton.atoms {
        write!(out, " {}", quoted(atom))?;
    }
    writeln!(out)?;
    writeln!(out, "acc-name: Buchi")?;
    writeln!(out, "Acceptance: 1 Inf(0)")?;
    let flags = [
        ("deterministic", automaton.is_deterministic()),
        ("complete", automaton.is_complete()),
        ("stutter-invariant", stutter_invariant),
    ];
    write!(out, "properties: trans-labels explicit-labels state-acc")?;
    for (word, _) in flags.iter().filter(|(_, holds)| *holds) {
        write!(out, " {word}")?;
    }
    writeln!(out)?;
    writeln!(out, "--BODY--")?;
    for (number, state) in automaton.states.iter().enumerate() {
        writeln!(out, "State: {number}{}", if state.accepting { " {0}" } else { "" })?;
        for (target, cubes) in by_target(&state.edges) {
            let labels: Vec<String> = cubes.iter().map(|c| label(*c)).collect();
            writeln!(out, "[{}] {target}", labels.join(" | "))?;
        }
    }
    writeln!(out, "--END--")
}

/// The edges of a state with their labels joined, in the order of targets.
pub(crate) fn by_target(edges: &[Edge]) -> Vec<(usize, Vec<Cube>)> {
    let mut all: Vec<(usize, Vec<Cube>)> = Vec::new();
    for edge in edges {
        match all.iter_mut().find(|(target, _)| *target == edge.target) {
            Some((_, cubes)) => cubes.push(edge.label),
            None => all.push((edge.target, vec![edge.label])),
        }
    }
    all
}

/// A cube over the numbers of atoms.
fn label(cube: Cube) -> String {
    let literal = |i: u32| match (cube.yes >> i & 1, cube.no >> i & 1) {
        (1, _) => Some(i.to_string()),
        (_, 1) => Some(format!("!{i}")),
        _ => None,
    };
    let literals: Vec<String> = (0..64).filter_map(literal).collect();
    if literals.is_empty() { String::from("t") } else { literals.join("&") }
}

/// A string of the format: quotes and backslashes are escaped.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        if c == '"' || c == '\\' {
            out.push('\\');
        }
        out.push(c);
    }
    out.push('"');
    out
}
