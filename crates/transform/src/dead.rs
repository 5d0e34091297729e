//! Removes assignments whose value is never read.
//!
//! Backward over the automaton: a variable without pointers to it is dead at a
//! location if every way from there writes it before it reads it, or ends. An
//! assignment of a scalar to a dead variable does nothing, because expressions
//! have no effect. Inputs stay, so that runs take the same inputs in order.

use crate::constant::starts_once;
use crate::dependence::is_final;
use crate::environment::Environment;
use crate::evaluate::plain_variable;
use crate::origin::Origin;
use crate::rewrite::Uses;
use parallax_base::Id;
use parallax_cfa::{Base, Edge, Function, Graph, Op, Program, Storage};
use std::collections::{BTreeMap, BTreeSet};

/// A program without dead assignments.
#[derive(Clone, Debug)]
pub struct Pruned {
    /// The program.
    pub program: Program,
    /// Its way back: nothing changes its name.
    pub origin: Origin,
    /// How many assignments are gone.
    pub removed: usize,
}

/// The variables that are dead.
type State = Environment<()>;

/// What a removed assignment read may be dead then; chains longer than this stay.
const ROUNDS: usize = 2;

/// Removes dead assignments in all functions. A program with threads stays as
/// it is: others may read between any two edges.
pub fn remove_dead(program: &Program) -> Pruned {
    if program.has_threads() {
        let origin = Origin::identity(program);
        return Pruned { program: program.clone(), origin, removed: 0 };
    }
    let mut result = program.clone();
    let mut removed = 0;
    for id in program.functions.ids().filter(|f| program.functions[*f].is_defined) {
        let edges = &program.functions[id].edges;
        let mut reads: Vec<Vec<usize>> = edges.iter().map(|e| reads(program, &e.op)).collect();
        for edge in never_read(program, id, &reads) {
            result.functions[id].edges[edge].op = Op::Skip;
            reads[edge.index()].clear();
            removed += 1;
        }
        for _ in 0..ROUNDS {
            let dead = dead_edges(&result, id, &reads);
            if dead.is_empty() {
                break;
            }
            removed += dead.len();
            for edge in dead {
                result.functions[id].edges[edge].op = Op::Skip;
                reads[edge.index()].clear();
            }
        }
    }
    Pruned { program: result, origin: Origin::identity(program), removed }
}

/// Assignments to variables of the function that nothing reads, or only such
/// assignments.
fn never_read(program: &Program, id: Id<Function>, reads: &[Vec<usize>]) -> Vec<Id<Edge>> {
    let edges = &program.functions[id].edges;
    let mut readers = vec![0usize; program.variables.len()];
    let mut assigned: BTreeMap<usize, Vec<Id<Edge>>> = BTreeMap::new();
    let target = |edge: &Edge| match edge.op {
        Op::Assign(to, _) => plain_variable(program, to).map(Id::index),
        _ => None,
    };
    for (edge, data) in edges.iter_enumerated() {
        let own = target(data);
        if let Some(v) = own {
            assigned.entry(v).or_default().push(edge);
        }
        reads[edge.index()].iter().filter(|v| Some(**v) != own).for_each(|v| readers[*v] += 1);
    }
    let is_own = |v: usize| {
        let variable = &program.variables[Id::new(v)];
        variable.owner == Some(id) && !matches!(variable.storage, Storage::Static | Storage::Thread)
    };
    let mut work: Vec<usize> =
        assigned.keys().copied().filter(|v| is_own(*v) && readers[*v] == 0).collect();
    let mut found = Vec::new();
    while let Some(v) = work.pop() {
        for edge in assigned.remove(&v).unwrap_or_default() {
            found.push(edge);
            for read in reads[edge.index()].iter().filter(|r| **r != v) {
                readers[*read] -= 1;
                if readers[*read] == 0 && is_own(*read) {
                    work.push(*read);
                }
            }
        }
    }
    found
}

fn dead_edges(program: &Program, id: Id<Function>, reads: &[Vec<usize>]) -> Vec<Id<Edge>> {
    let function = &program.functions[id];
    let graph = Graph::new(function);
    // Everything is dead where a run ends, all but static variables at a return.
    let (mut all, mut own) =
        (State::new(program.variables.len()), State::new(program.variables.len()));
    for (v, variable) in program.variables.iter_enumerated() {
        if !variable.address_taken {
            all.set(v.index(), Some(()));
            if !matches!(variable.storage, Storage::Static | Storage::Thread) {
                own.set(v.index(), Some(()));
            }
        }
    }
    let mut states: Vec<State> = vec![all.clone(); function.locations.len()];
    if !starts_once(program, id) {
        states[function.exit.index()] = own.clone();
    }
    let order: Vec<_> = graph.order().iter().rev().copied().collect();
    let mut rank = vec![usize::MAX; function.locations.len()];
    for (i, at) in order.iter().enumerate() {
        rank[at.index()] = i;
    }
    let mut work: BTreeSet<usize> = (0..order.len()).collect();
    while let Some(next) = work.pop_first() {
        let at = order[next];
        let mut changed = false;
        for edge in graph.leaving(at) {
            let (edge, reads) = (&function.edges[*edge], &reads[edge.index()]);
            let before = before(program, [&all, &own], &states, edge, reads);
            changed |= states[at.index()].join(&before, &mut |_, _, _| Some(()));
        }
        if changed {
            for edge in graph.entering(at) {
                let source = rank[function.edges[*edge].source.index()];
                work.extend((source != usize::MAX).then_some(source));
            }
        }
    }
    let dead = |edge: &Edge| match edge.op {
        Op::Assign(to, _) => plain_variable(program, to)
            .is_some_and(|v| states[edge.target.index()].get(v.index()).is_some()),
        _ => false,
    };
    let reached = |edge: &Edge| rank[edge.source.index()] != usize::MAX;
    let edges = function.edges.iter_enumerated().filter(|(_, e)| reached(e) && dead(e));
    edges.map(|(id, _)| id).collect()
}

fn before(
    program: &Program,
    [all, own]: [&State; 2],
    states: &[State],
    edge: &Edge,
    reads: &[usize],
) -> State {
    let mut state =
        if is_final(&edge.op) { all.clone() } else { states[edge.target.index()].clone() };
    let written = match edge.op {
        Op::Assign(to, _) | Op::Input { to, .. } | Op::Havoc { to, .. } => {
            plain_variable(program, to)
        }
        Op::Call { to: Some(to), .. } | Op::Primitive { to: Some(to), .. } => {
            plain_variable(program, to)
        }
        Op::Live(v, _) | Op::Dead(v) => (!program.variables[v].address_taken).then_some(v),
        _ => None,
    };
    if let Some(v) = written {
        state.set(v.index(), Some(()));
    }
    for v in reads {
        state.set(*v, None);
    }
    if matches!(edge.op, Op::Call { .. }) {
        // What is called may read all static variables.
        state.join(own, &mut |_, _, _| Some(()));
    }
    state
}

/// The variables that an operation may read, whole or in part.
fn reads(program: &Program, op: &Op) -> Vec<usize> {
    let written = match *op {
        Op::Assign(to, _) | Op::Input { to, .. } | Op::Havoc { to, .. } => Some(to),
        Op::Call { to, .. } | Op::Primitive { to, .. } => to,
        _ => None,
    };
    let mut found = Vec::new();
    let uses = Uses::of_ops(program, std::iter::once(op));
    for place in &uses.places {
        if Some(*place) == written && plain_variable(program, *place).is_some() {
            // A place that is both written and read is also loaded.
            let load = parallax_cfa::ExprKind::Load(*place);
            if !uses.exprs.iter().any(|e| program.exprs[*e].kind == load) {
                continue;
            }
        }
        if let Base::Variable(v) = program.places[*place].base {
            found.push(v.index());
        }
    }
    found
}
