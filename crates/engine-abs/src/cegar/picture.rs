//! What a search shows of itself: excluded paths, and the graph at the end.
//!
//! Nothing here decides anything. Names are shared, and long paths are kept
//! without their middle, so that a long history stays small.

use super::Abstraction;
use super::arg::{Graph, Node};
use super::bench::Bench;
use super::place::Location;
use parallax_base::Id;
use parallax_evidence::{ArgNode, ReachabilityGraph, Refinement, SpuriousPath, Standing};
use parallax_ir::Program;
use parallax_solver::Halt;
use parallax_term::{Term, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Steps that are kept at either end of a path.
const KEPT: usize = 100;

/// More minterms of a state are not listed.
const MINTERMS: usize = 64;

/// Names of transitions and locations, as far as they were needed.
#[derive(Debug, Default)]
pub(crate) struct Names {
    steps: FxHashMap<usize, Arc<str>>,
    places: FxHashMap<Location, Arc<str>>,
}

impl Names {
    fn step(&mut self, index: usize, name: &str) -> Arc<str> {
        self.steps.entry(index).or_insert_with(|| name.into()).clone()
    }

    fn place(&mut self, program: &Program, location: &Location) -> Arc<str> {
        if let Some(known) = self.places.get(location) {
            return known.clone();
        }
        let name: Arc<str> = place_name(program, location).into();
        self.places.insert(location.clone(), name.clone());
        name
    }
}

/// `P@idle, Q@busy`; processes with one location are left out.
fn place_name(program: &Program, location: &Location) -> String {
    let mut parts = Vec::new();
    for (process, &at) in program.processes.iter().zip(location.iter()) {
        let Some(place) = process.locations.as_slice().get(at as usize) else { continue };
        if process.locations.len() > 1 {
            parts.push(format!("{}@{}", process.name, place.name));
        }
    }
    parts.join(", ")
}

/// A round that ends with a path that is no run: its nodes, the step that no
/// run takes, and the method that found what is `added`, where. The number of
/// the round is left to the caller.
pub(crate) fn round(
    names: &mut Names,
    bench: &Bench<'_>,
    graph: &Graph,
    (nodes, end, method): (&[Id<Node>], usize, &str),
    added: Vec<(String, Location)>,
) -> Refinement {
    let mut predicates: Vec<String> = Vec::new();
    for (text, _) in &added {
        if !predicates.contains(text) {
            predicates.push(text.clone());
        }
    }
    let steps = nodes.len() - 1;
    let reason = format!("a path of {steps} steps is no run: it ends at step {end} ({method})");
    let omitted = steps.saturating_sub(2 * KEPT);
    let mut path = SpuriousPath {
        end,
        method: method.to_owned(),
        omitted: (omitted > 0).then_some((omitted, KEPT)),
        ..SpuriousPath::default()
    };
    for (i, &id) in nodes.iter().enumerate() {
        let node = &graph.nodes[id];
        let Some((_, transition)) = node.parent else {
            path.start = names.place(bench.program, &node.place.location);
            continue;
        };
        if i <= KEPT || i > KEPT + omitted {
            let step = names.step(transition, &bench.transitions[transition].name);
            path.steps.push((step, names.place(bench.program, &node.place.location)));
        }
    }
    for (text, location) in added {
        path.tracked.push((text, names.place(bench.program, &location)));
    }
    Refinement {
        iteration: 0,
        states: graph.nodes.len() as u64,
        abstract_states: graph.present().count() as u64,
        predicates,
        reason,
        path: Some(Box::new(path)),
    }
}

/// What is drawn besides the graph.
pub(crate) struct Subject<'s> {
    /// The path to the target that ended the search.
    pub(crate) path: Vec<Id<Node>>,
    /// Whether it is a run.
    pub(crate) is_run: bool,
    /// All predicates.
    pub(crate) predicates: &'s [Term],
    /// How they are combined.
    pub(crate) kind: Abstraction,
}

/// The graph as it is, with the predicates tracked at each location. What a
/// solver has to say about it is left out if the budget is used up.
pub(crate) fn draw(
    bench: &mut Bench<'_>,
    graph: &Graph,
    subject: &Subject<'_>,
    tracked: impl Fn(&Location) -> Vec<Term>,
) -> ReachabilityGraph {
    let present: Vec<Id<Node>> = graph.present().map(|(id, _)| id).collect();
    let number = |id: Id<Node>| present.binary_search(&id).ok().map(|n| n as u32);
    let path: Option<Vec<u32>> = subject.path.iter().copied().map(number).collect();
    let path = path.unwrap_or_default();
    let mut nodes = Vec::new();
    for &id in &present {
        let node = &graph.nodes[id];
        let standing = match node.cover.and_then(number) {
            Some(cover) => Standing::Covered(cover),
            None if node.expanded => Standing::Expanded,
            None if is_target(bench, node) => Standing::Target,
            None => Standing::Open,
        };
        let controls = bench.program.processes.iter().map(|p| p.control);
        let at = node.place.location.iter().map(|&at| Value::int(at));
        let values = node.place.values.iter().cloned();
        let parent = node.parent.and_then(|(p, t)| Some((number(p)?, t as u32)));
        nodes.push(ArgNode {
            parent,
            fixed: controls.zip(at).chain(values).collect(),
            state: node.state,
            bits: bits(bench, node, subject, &tracked(&node.place.location)).unwrap_or_default(),
            standing,
        });
    }
    ReachabilityGraph {
        store: bench.store.clone(),
        predicates: subject.predicates.to_vec(),
        only_implied: subject.kind == Abstraction::Implied,
        nodes,
        is_spurious: !path.is_empty() && !subject.is_run,
        path,
        removed: (graph.nodes.len() - present.len()) as u64,
    }
}

fn is_target(bench: &mut Bench<'_>, node: &Node) -> bool {
    let target = bench.target;
    let target = bench.at(&node.place, target);
    bench.satisfiable(&[node.state, target]).unwrap_or(false)
}

/// The truth of predicates in the state of a node.
fn bits(
    bench: &mut Bench<'_>,
    node: &Node,
    subject: &Subject<'_>,
    tracked: &[Term],
) -> Result<Vec<String>, Halt> {
    if tracked.is_empty() || node.parent.is_none() {
        return Ok(Vec::new());
    }
    let values = bench.values_formula(&node.place);
    let state = bench.store.and([node.state, values]);
    let row = |signs: &[char]| -> String {
        let at = |p: &Term| tracked.iter().position(|t| t == p);
        subject.predicates.iter().map(|p| at(p).map_or('-', |at| signs[at])).collect()
    };
    if subject.kind == Abstraction::Boolean {
        let sign = |&holds: &bool| if holds { '1' } else { '0' };
        let rows = minterms(bench, state, tracked)?.unwrap_or_default();
        return Ok(rows.iter().map(|r| row(&r.iter().map(sign).collect::<Vec<_>>())).collect());
    }
    let mut signs = Vec::new();
    for &predicate in tracked {
        let negated = bench.store.not(predicate);
        let (holds, fails) = (bench.entails(state, predicate)?, bench.entails(state, negated)?);
        signs.push(match (holds, fails, subject.kind) {
            (true, ..) => '1',
            (false, true, _) | (.., Abstraction::Implied) => '0',
            _ => '*',
        });
    }
    Ok(vec![row(&signs)])
}

/// The minterms of predicates that a formula allows, those with early
/// predicates true first; `None` if there are many.
fn minterms(
    bench: &mut Bench<'_>,
    state: Term,
    predicates: &[Term],
) -> Result<Option<Vec<Vec<bool>>>, Halt> {
    let mut symbols = Vec::new();
    for &predicate in predicates {
        symbols.extend(bench.store.vars(predicate));
    }
    let mut found: Vec<Vec<bool>> = Vec::new();
    let mut open = vec![state];
    while let Some(model) = bench.model(&open, &symbols)? {
        if found.len() == MINTERMS {
            return Ok(None);
        }
        let values = model.eval_all(&bench.store, predicates);
        let truth: Vec<bool> = values.iter().map(|v| *v == Value::Bool(true)).collect();
        let mut literals = Vec::new();
        for (&predicate, &holds) in predicates.iter().zip(&truth) {
            literals.push(if holds { predicate } else { bench.store.not(predicate) });
        }
        let here = bench.store.and(literals);
        open.push(bench.store.not(here));
        found.push(truth);
    }
    found.sort_by(|a, b| b.cmp(a));
    Ok(Some(found))
}
