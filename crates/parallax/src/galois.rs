//! The Galois connection of predicate abstraction, to look at: alpha and gamma
//! of a set of states, and the abstract transition relation.
//!
//! A. Gupta, *Program verification*, 2016, lecture 5: Cartesian predicate
//! abstraction, Example 5.2, Exercise 5.1, Definition 5.3. An abstract state is
//! a set of predicates and stands for their conjunction; alpha of a set is what
//! all of it satisfies. What a solver does not decide counts as not satisfied,
//! which is sound, and is marked.

use crate::Task;
use parallax_base::{Budget, Stop};
use parallax_solver::{Answer, Solver, SolverConfig, SolverError};
use parallax_term::{Term, TermStore};
use std::fmt::Write;

/// Relations over more predicates are not listed.
pub const MAX_LISTED: usize = 8;

/// Why there is nothing to look at.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GaloisError {
    /// There are too many abstract states.
    #[error("the relation of {0} predicates has too many states; give at most {MAX_LISTED}")]
    TooMany(usize),
    /// There is nothing to abstract by.
    #[error("no predicates: give some with `--predicate`")]
    NoPredicates,
    /// A limit was reached.
    #[error("{0} reached")]
    Stopped(Stop),
    /// No solver.
    #[error(transparent)]
    Solver(#[from] SolverError),
}

impl From<Stop> for GaloisError {
    fn from(stop: Stop) -> GaloisError {
        GaloisError::Stopped(stop)
    }
}

/// An abstract step: transition, abstract state before, abstract state after.
pub type AbstractStep = (usize, u32, u32);

/// The abstract transition relation: for each transition and each abstract
/// state that is not empty, the best abstract state after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Relation {
    /// The predicates, as text.
    pub predicates: Vec<String>,
    /// The names of the transitions.
    pub transitions: Vec<String>,
    /// The steps that lead somewhere. Bit `i` of a state is predicate `i`.
    pub steps: Vec<AbstractStep>,
    /// How many abstract states stand for some concrete one.
    pub states: usize,
}

/// Predicates with whoever decides about them.
struct Bench<'a> {
    store: TermStore,
    solver: Box<dyn Solver>,
    predicates: &'a [Term],
    budget: &'a Budget,
}

impl Bench<'_> {
    fn is_empty(&mut self, set: &[Term]) -> Result<Option<bool>, Stop> {
        Ok(match self.solver.check(&self.store, set, self.budget)? {
            Answer::Sat => Some(false),
            Answer::Unsat => Some(true),
            Answer::Unknown(_) => None,
        })
    }

    fn gamma(&self, state: u32) -> Vec<Term> {
        let holds = |(i, _): &(usize, &Term)| state >> i & 1 == 1;
        self.predicates.iter().enumerate().filter(holds).map(|(_, p)| *p).collect()
    }
}

/// Alpha and gamma of a set of states, as lines of text.
pub fn show_abstraction(
    task: &Task,
    set: Term,
    predicates: &[Term],
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<String, GaloisError> {
    if predicates.is_empty() {
        return Err(GaloisError::NoPredicates);
    }
    let store = task.program.store.clone();
    let mut bench = Bench { store, solver: solver.open()?, predicates, budget };
    let mut signs = Vec::new();
    for &predicate in predicates {
        let outside = bench.store.not(predicate);
        signs.push(bench.is_empty(&[set, outside])?);
    }
    let marks: String = signs.iter().map(|sign| mark(*sign)).collect();
    let kept = predicates.iter().zip(&signs).filter(|(_, sign)| **sign == Some(true));
    let gamma: Vec<Term> = kept.map(|(p, _)| *p).collect();
    let more = bench.store.not(set);
    let gained = bench.is_empty(&[&gamma[..], &[more]].concat())?;
    let mut text = String::new();
    let shown = |store: &TermStore, terms: &[Term]| match terms {
        [] => "true (all states)".to_owned(),
        _ => terms.iter().map(|&t| store.infix(t)).collect::<Vec<_>>().join(" && "),
    };
    // Writing to a string does not fail.
    let _ = writeln!(text, "set    {}", bench.store.infix(set));
    let _ = writeln!(text, "alpha  [{marks}]");
    for (&predicate, sign) in predicates.iter().zip(&signs) {
        let _ = writeln!(text, "  {} {}", mark(*sign), bench.store.infix(predicate));
    }
    let _ = writeln!(text, "gamma  {}", shown(&bench.store, &gamma));
    text.push_str(match gained {
        Some(true) => "gamma(alpha(set)) is the set itself\n",
        Some(false) => "gamma(alpha(set)) has more states than the set\n",
        None => "whether gamma(alpha(set)) has more states than the set is not known\n",
    });
    Ok(text)
}

fn mark(sign: Option<bool>) -> char {
    match sign {
        Some(true) => '1',
        Some(false) => '0',
        None => '?',
    }
}

/// The abstract transition relation.
pub fn abstract_relation(
    task: &Task,
    predicates: &[Term],
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Relation, GaloisError> {
    match predicates.len() {
        0 => return Err(GaloisError::NoPredicates),
        n if n > MAX_LISTED => return Err(GaloisError::TooMany(n)),
        _ => {}
    }
    let program = &task.program;
    let mut store = program.store.clone();
    let transitions = program.transitions(&mut store);
    let mut bench = Bench { store, solver: solver.open()?, predicates, budget };
    let mut found = Relation {
        predicates: predicates.iter().map(|&p| bench.store.infix(p)).collect(),
        transitions: transitions.iter().map(|t| t.name.clone()).collect(),
        steps: Vec::new(),
        states: 0,
    };
    for state in 0..1u32 << predicates.len() {
        let before = bench.gamma(state);
        if bench.is_empty(&before)? == Some(true) {
            continue;
        }
        found.states += 1;
        for (number, transition) in transitions.iter().enumerate() {
            let mut step = before.clone();
            step.push(transition.guard);
            step.push(transition.input_bounds(&mut bench.store));
            if bench.is_empty(&step)? == Some(true) {
                continue;
            }
            let assignment = transition.assignment(program);
            let mut after = 0;
            for (i, &predicate) in predicates.iter().enumerate() {
                let becomes = bench.store.substitute(predicate, &assignment);
                let outside = bench.store.not(becomes);
                let fails = [&step[..], &[outside]].concat();
                if bench.is_empty(&fails)? == Some(true) {
                    after |= 1 << i;
                }
            }
            found.steps.push((number, state, after));
        }
    }
    Ok(found)
}

impl Relation {
    /// An abstract state as the lecture writes it.
    pub fn state(&self, state: u32) -> String {
        let bits = (0..self.predicates.len()).map(|i| if state >> i & 1 == 1 { '1' } else { '0' });
        format!("[{}]", bits.collect::<String>())
    }

    /// The relation as lines of text.
    pub fn show(&self) -> String {
        let mut text = format!("predicates: {}\n", self.predicates.join(", "));
        for (number, name) in self.transitions.iter().enumerate() {
            let steps = self.steps.iter().filter(|step| step.0 == number);
            let pairs: Vec<String> = steps
                .map(|&(_, before, after)| format!("{}->{}", self.state(before), self.state(after)))
                .collect();
            // Writing to a string does not fail.
            let _ = writeln!(text, "{name}: {} pairs", pairs.len());
            for line in pairs.chunks(6) {
                let _ = writeln!(text, "  {}", line.join(" "));
            }
        }
        let _ = writeln!(
            text,
            "{} of {} abstract states are not empty; {} pairs, those that lead nowhere left out",
            self.states,
            1u32 << self.predicates.len(),
            self.steps.len()
        );
        text
    }

    /// The relation as a graph of the abstract states.
    pub fn graph(&self, title: &str) -> parallax_report::Graph {
        use parallax_report::{Edge, Graph, Node, NodeKind};
        let mut graph =
            Graph { title: format!("{title}: abstract transitions"), ..Graph::default() };
        let used: std::collections::BTreeSet<u32> =
            self.steps.iter().flat_map(|&(_, before, after)| [before, after]).collect();
        let index: Vec<u32> = used.into_iter().collect();
        for &state in &index {
            let lines = vec![self.state(state)];
            graph.nodes.push(Node {
                lines,
                kind: NodeKind::Normal,
                initial: state == 0,
                group: None,
            });
        }
        let at = |state: u32| index.binary_search(&state).unwrap_or_default();
        for &(number, before, after) in &self.steps {
            let label = self.transitions[number].clone();
            graph.edges.push(Edge::new(at(before), at(after), label));
        }
        graph.join_parallel_edges();
        graph.notes.push(format!("predicates: {}", self.predicates.join(", ")));
        graph
    }
}
