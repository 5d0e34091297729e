//! The global steps of a program.
//!
//! An edge without an action is a step of its own. A shared action is one step
//! for every way to pick one edge with that action from each process that has
//! it; guards are conjoined and updates united.

use crate::{Edge, Input, Location, Process, Program, Update};
use parallax_base::{Id, Span};
use parallax_term::{Sort, Term, TermStore};

/// One process's part in a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Move {
    /// The process that moves.
    pub process: Id<Process>,
    /// The edge it takes.
    pub edge: Id<Edge>,
    /// Where it comes from.
    pub source: Id<Location>,
    /// Where it goes.
    pub target: Id<Location>,
}

/// A global step.
#[derive(Clone, Debug)]
pub struct Transition {
    /// `process.edge`, joined by `|` for shared actions.
    pub name: String,
    /// The processes that move; at least one.
    pub moves: Vec<Move>,
    /// Full condition over the state, control included.
    pub guard: Term,
    /// Choices made on the way.
    pub inputs: Vec<Input>,
    /// What the inputs must satisfy beside their bounds.
    pub constraint: Term,
    /// Simultaneous assignments, control included.
    pub updates: Vec<Update>,
    /// The (first) command it comes from.
    pub span: Span,
}

impl Transition {
    /// The pairs (variable symbol, new value) as a substitution: applied to a
    /// formula over the state after, it gives the formula over the state before.
    pub fn assignment(&self, program: &Program) -> Vec<(Term, Term)> {
        self.updates.iter().map(|u| (program.variables[u.variable].term, u.value)).collect()
    }

    /// The formula "every input lies within its bounds and the constraint holds".
    pub fn input_bounds(&self, store: &mut TermStore) -> Term {
        let within = bounds(store, &self.inputs);
        store.and([within, self.constraint])
    }
}

/// `a <= b`; bit-vectors are compared as unsigned numbers.
fn below(store: &mut TermStore, a: Term, b: Term) -> Term {
    match store.sort(a) {
        Sort::Bv(_) => store.bv_ule(a, b),
        _ => store.le(a, b),
    }
}

/// The formula "every one of these inputs lies within its bounds".
pub fn bounds(store: &mut TermStore, inputs: &[Input]) -> Term {
    let mut bounds = Vec::new();
    for input in inputs {
        if let Some(low) = input.low {
            bounds.push(below(store, low, input.term));
        }
        if let Some(high) = input.high {
            bounds.push(below(store, input.term, high));
        }
    }
    store.and(bounds)
}

impl Program {
    /// All global steps: process by process, in textual order inside each
    /// process; a shared action stands where its first process has it.
    pub fn transitions(&self, store: &mut TermStore) -> Vec<Transition> {
        let mut found = Vec::new();
        for (p, process) in self.processes.iter_enumerated() {
            for (e, edge) in process.edges.iter_enumerated() {
                let Some(action) = edge.action else {
                    found.push(self.step(store, &[(p, e)]));
                    continue;
                };
                let has_action = |q: &Process| q.edges.iter().any(|e| e.action == Some(action));
                let partners: Vec<_> =
                    self.processes.iter_enumerated().filter(|(_, q)| has_action(q)).collect();
                if partners[0].0 != p {
                    continue;
                }
                let mut picks = vec![vec![(p, e)]];
                for (q, partner) in &partners[1..] {
                    let edges = partner.edges.iter_enumerated();
                    let options: Vec<_> =
                        edges.filter(|(_, e)| e.action == Some(action)).map(|(e, _)| e).collect();
                    let extend = |pick: Vec<_>| {
                        let with = |e: &Id<Edge>| [&pick[..], &[(*q, *e)]].concat();
                        options.iter().map(with).collect::<Vec<_>>()
                    };
                    picks = picks.into_iter().flat_map(extend).collect();
                }
                found.extend(picks.iter().map(|pick| self.step(store, pick)));
            }
        }
        found
    }

    fn step(&self, store: &mut TermStore, pick: &[(Id<Process>, Id<Edge>)]) -> Transition {
        let (mut names, mut moves, mut guards) = (Vec::new(), Vec::new(), Vec::new());
        let (mut inputs, mut updates) = (Vec::new(), Vec::new());
        let mut constraints = Vec::new();
        for &(p, e) in pick {
            let process = &self.processes[p];
            let edge = &process.edges[e];
            names.push(format!("{}.{}", process.name, edge.name));
            moves.push(Move { process: p, edge: e, source: edge.source, target: edge.target });
            guards.push(self.at(store, p, edge.source));
            guards.push(edge.guard);
            inputs.extend(edge.inputs.iter().cloned());
            constraints.push(edge.constraint);
            updates.extend(edge.updates.iter().copied());
            if edge.source != edge.target {
                let value = store.int(edge.target.index() as i64);
                updates.push(Update { variable: process.control, value });
            }
        }
        let span = self.processes[pick[0].0].edges[pick[0].1].span;
        let (guard, constraint) = (store.and(guards), store.and(constraints));
        Transition { name: names.join("|"), moves, guard, inputs, constraint, updates, span }
    }
}
