//! Formulas of linear temporal logic: their automata, and where their parts
//! hold on a word.

use std::fmt::Write;

use parallax_base::Id;
use parallax_buchi::{Automaton, Cube, Edge as Arc, State};
use parallax_evidence::Trace;
use parallax_ir::{Letters, Program, Property, Temporal};
use parallax_ltl::{Formula, Lasso, Node as Form};
use serde::Serialize;

use crate::escape::{clip, visible};
use crate::graph::{Edge, EdgeStyle, Graph, Node, NodeKind};
use crate::metrics::columns;
use crate::run::title as title_of;
use crate::state::state_values;

/// Name and version of the format of [`LtlJson`].
pub const LTL_SCHEMA: &str = "parallax-ltl/1";

/// More positions of a word than this are not shown in a table.
const MAX_POSITIONS: usize = 40;
/// More parts of a formula than this are not shown in a table.
const MAX_PARTS: usize = 40;
/// Characters of a part in a table.
const PART: usize = 50;

/// A formula and its automaton.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LtlJson {
    /// [`LTL_SCHEMA`].
    pub schema: &'static str,
    /// The formula as it was read.
    pub formula: String,
    /// Whether the automaton is that of its negation.
    pub negated: bool,
    /// Its atoms.
    pub atoms: Vec<String>,
    /// The automaton.
    pub automaton: AutomatonJson,
    /// A word and what the formula says about it, if one was given.
    pub word: Option<WordJson>,
}

/// A Büchi automaton.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct AutomatonJson {
    /// Where runs begin.
    pub initial: usize,
    /// The states, by number.
    pub states: Vec<StateJson>,
    /// Whether no state has two ways to go on after the same letter.
    pub deterministic: bool,
    /// Whether every state has a way to go on after every letter.
    pub complete: bool,
    /// The same in the HOA format.
    pub hoa: String,
}

/// A state of an automaton.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StateJson {
    /// Whether runs that come here infinitely often are accepting.
    pub accepting: bool,
    /// The edges that leave it.
    pub edges: Vec<EdgeJson>,
}

/// An edge of an automaton.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EdgeJson {
    /// The state it leads to.
    pub target: usize,
    /// The letters it takes, as a formula over atoms.
    pub label: String,
}

/// A word and what a formula says about it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WordJson {
    /// What comes once: the atoms of each letter.
    pub stem: Vec<Vec<String>>,
    /// What comes for ever.
    pub cycle: Vec<Vec<String>>,
    /// Whether the word satisfies the formula.
    pub satisfied: bool,
    /// The parts of the formula, smaller ones first.
    pub parts: Vec<PartJson>,
}

/// A part of a formula and where it holds.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PartJson {
    /// The part.
    pub formula: String,
    /// Whether it holds, by position: those of the stem, then those of the cycle.
    pub holds: Vec<bool>,
}

/// The automaton in the HOA format, under the name of its formula.
pub fn automaton_hoa(formula: &Formula, negated: bool, automaton: &Automaton) -> String {
    let parts = formula.store.parts(formula.root);
    let has_next = parts.iter().any(|f| matches!(formula.store.node(*f), Form::Next(_)));
    parallax_buchi::to_hoa(automaton, &visible(&title(formula, negated)), !has_next)
}

fn title(formula: &Formula, negated: bool) -> String {
    let text = formula.show();
    if negated { format!("!({text})") } else { text }
}

/// The automaton as a graph; accepting states have a double line.
pub fn automaton_graph(formula: &Formula, negated: bool, automaton: &Automaton) -> Graph {
    let node = |(number, state): (usize, &State)| Node {
        lines: vec![format!("q{number}")],
        kind: if state.accepting { NodeKind::Final } else { NodeKind::Normal },
        initial: number == automaton.initial,
        group: None,
    };
    let mut graph = Graph {
        title: clip(&title(formula, negated), 200).into_owned(),
        nodes: automaton.states.iter().enumerate().map(node).collect(),
        ..Graph::default()
    };
    for (source, state) in automaton.states.iter().enumerate() {
        for (target, label) in labelled(automaton, state) {
            graph.edges.push(Edge::new(source, target, label.replace(" || ", "\n")));
        }
    }
    if automaton.states.iter().any(|s| s.accepting) {
        graph.notes.push("final, double line: accepting".to_owned());
    }
    graph
}

/// The edges of a state, one per target, with their labels.
fn labelled(automaton: &Automaton, state: &State) -> Vec<(usize, String)> {
    let mut all: Vec<(usize, Vec<Cube>)> = Vec::new();
    for Arc { target, label } in &state.edges {
        match all.iter_mut().find(|(t, _)| t == target) {
            Some((_, cubes)) => cubes.push(*label),
            None => all.push((*target, vec![*label])),
        }
    }
    let text = |cubes: Vec<Cube>| {
        let one = |cube: &Cube| cube_text(automaton, *cube);
        cubes.iter().map(one).collect::<Vec<_>>().join(" || ")
    };
    all.into_iter().map(|(target, cubes)| (target, text(cubes))).collect()
}

fn cube_text(automaton: &Automaton, cube: Cube) -> String {
    let literal = |(i, atom): (usize, &String)| {
        // An expression is one thing under a negation.
        let plain = atom.chars().all(|c| c.is_alphanumeric() || "_@[].".contains(c));
        let atom = if plain { atom.clone() } else { format!("({atom})") };
        match (cube.yes >> i & 1, cube.no >> i & 1) {
            (1, _) => Some(atom),
            (_, 1) => Some(format!("!{atom}")),
            _ => None,
        }
    };
    let literals: Vec<String> = automaton.atoms.iter().enumerate().filter_map(literal).collect();
    if literals.is_empty() { String::from("true") } else { literals.join(" && ") }
}

/// A formula, its automaton and perhaps a word as data for JSON.
pub fn ltl_json(
    formula: &Formula,
    negated: bool,
    automaton: &Automaton,
    word: Option<&Lasso>,
) -> LtlJson {
    let edges = |state: &State| {
        let edge = |(target, label)| EdgeJson { target, label };
        labelled(automaton, state).into_iter().map(edge).collect()
    };
    let state = |s: &State| StateJson { accepting: s.accepting, edges: edges(s) };
    LtlJson {
        schema: LTL_SCHEMA,
        formula: formula.show(),
        negated,
        atoms: formula.atoms.iter().map(|a| a.text.clone()).collect(),
        automaton: AutomatonJson {
            initial: automaton.initial,
            states: automaton.states.iter().map(state).collect(),
            deterministic: automaton.is_deterministic(),
            complete: automaton.is_complete(),
            hoa: automaton_hoa(formula, negated, automaton),
        },
        word: word.map(|word| word_json(formula, word)),
    }
}

fn word_json(formula: &Formula, word: &Lasso) -> WordJson {
    let truth = word.evaluate(formula);
    let part = |f: &parallax_ltl::Sub| PartJson {
        formula: formula.show_part(*f),
        holds: truth[f.index()].clone(),
    };
    let letters = |all: &[u64]| all.iter().map(|l| names(formula, *l)).collect();
    WordJson {
        stem: letters(&word.stem),
        cycle: letters(&word.cycle),
        satisfied: word.satisfies(formula),
        parts: formula.store.parts(formula.root).iter().map(part).collect(),
    }
}

fn names(formula: &Formula, letter: u64) -> Vec<String> {
    let atoms = formula.atoms.iter().enumerate();
    atoms.filter(|(i, _)| letter >> i & 1 == 1).map(|(_, a)| a.text.clone()).collect()
}

/// How the parts of the negation of a property's formula are written, by
/// their number: what a run that breaks the formula owes.
pub(crate) fn owed(property: &Property) -> impl Fn(&u32) -> String {
    let negation = property.temporal.as_ref().map(|temporal| {
        let (store, root) = temporal.formula.normal_form(true);
        Formula { store, root, atoms: temporal.formula.atoms.clone() }
    });
    move |part| match &negation {
        Some(formula) if (*part as usize) < formula.store.len() => {
            formula.show_part(Id::new(*part as usize))
        }
        _ => format!("#{part}"),
    }
}

/// The word of an infinite run, and the formula it breaks.
pub(crate) fn word_of(program: &Program, temporal: &Temporal, trace: &Trace) -> Option<Lasso> {
    let (count, cycle) = (trace.steps.len(), trace.cycle?);
    let mut letters = Letters::new(program, temporal);
    let mut word = |range: std::ops::Range<usize>| -> Vec<u64> {
        range.filter_map(|i| trace.state(i)).map(|state| letters.of(state)).collect()
    };
    let lasso = Lasso { stem: word(0..cycle), cycle: word(cycle..count.max(cycle + 1)) };
    (!lasso.cycle.is_empty()).then_some(lasso)
}

/// An infinite run as a graph: what is repeated for ever is drawn bold.
pub fn lasso_graph(program: &Program, property: &Property, trace: &Trace) -> Graph {
    let transitions = program.transitions(&mut program.store.clone());
    let label = |t: usize| transitions.get(t).map_or("?", |t| t.name.as_str()).to_owned();
    let (count, cycle) = (trace.steps.len(), trace.cycle.unwrap_or(trace.steps.len()));
    let ends = cycle >= count;
    let positions = if ends { count + 1 } else { count };
    let node = |i: usize| {
        let state = trace.state(i).map_or_else(Vec::new, |s| state_values(program, s));
        Node {
            lines: [vec![format!("{i}")], state].concat(),
            kind: if i >= cycle { NodeKind::Core } else { NodeKind::Normal },
            initial: i == 0,
            group: None,
        }
    };
    let mut edges = Vec::new();
    for (i, step) in trace.steps.iter().enumerate() {
        let to = if i + 1 < positions { i + 1 } else { cycle };
        let style = if i >= cycle { EdgeStyle::Bold } else { EdgeStyle::Solid };
        edges.push(Edge { style, ..Edge::new(i, to, label(step.transition)) });
    }
    if ends {
        let stays = Edge::new(count, count, "no step is possible");
        edges.push(Edge { style: EdgeStyle::Bold, ..stays });
    }
    Graph {
        title: format!("{}: breaks {}", program.name, clip(title_of(property), 200)),
        nodes: (0..positions).map(node).collect(),
        edges,
        notes: vec!["thick: for ever".to_owned()],
        ..Graph::default()
    }
}

/// A word as people write it.
pub fn word_text(formula: &Formula, word: &Lasso) -> String {
    let letters = |all: &[u64]| -> String {
        all.iter().map(|l| format!("{{{}}}", names(formula, *l).join(","))).collect()
    };
    format!("{}({})^w", letters(&word.stem), letters(&word.cycle))
}

/// Where the parts of a formula hold on a word, as a table.
pub fn render_word(formula: &Formula, word: &Lasso) -> String {
    let mut out = String::new();
    write_word(&mut out, formula, word).map_or_else(|_| String::new(), |()| out)
}

fn write_word(out: &mut String, formula: &Formula, word: &Lasso) -> std::fmt::Result {
    let verb = if word.satisfies(formula) { "satisfies" } else { "does not satisfy" };
    let text = visible(&clip(&word_text(formula, word), 200)).into_owned();
    writeln!(out, "{text} {verb} {}", visible(&clip(&formula.show(), 200)))?;
    let truth = word.evaluate(formula);
    let shown = word.len().min(MAX_POSITIONS);
    let heads: Vec<String> =
        (0..shown).map(|i| format!("{i}{}", if i < word.stem.len() { "" } else { "*" })).collect();
    let mut parts = formula.store.parts(formula.root);
    // Constants hold where they always do.
    parts.retain(|f| formula.store.as_constant(*f).is_none() || *f == formula.root);
    let left_out = parts.len().saturating_sub(MAX_PARTS);
    let name = |f: &parallax_ltl::Sub| visible(&clip(&formula.show_part(*f), PART)).into_owned();
    let width = parts[left_out..].iter().map(|f| columns(&name(f))).max().unwrap_or(0);
    let line = |label: &str, cells: &[String]| {
        let pad = " ".repeat(width.saturating_sub(columns(label)));
        let cells: Vec<String> =
            cells.iter().zip(&heads).map(|(c, h)| format!("{c:>0$}", h.len())).collect();
        format!("  {label}{pad}  {}", cells.join(" ")).trim_end().to_owned()
    };
    writeln!(out, "{}", line("", &heads))?;
    if left_out > 0 {
        writeln!(out, "  ... {left_out} smaller parts left out")?;
    }
    for f in &parts[left_out..] {
        let cell = |i: usize| String::from(if truth[f.index()][i] { "T" } else { "-" });
        writeln!(out, "{}", line(&name(f), &(0..shown).map(cell).collect::<Vec<_>>()))?;
    }
    if shown < word.len() {
        writeln!(out, "  ... {} more positions (--json has all)", word.len() - shown)?;
    }
    writeln!(out, "  * comes for ever")
}
