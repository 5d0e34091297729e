//! The program and what runs against the formula owe, as one program.
//!
//! A node is where the processes are, with a set of obligations: parts of the
//! negated formula. An edge is a step of the program, for one letter (which atoms
//! hold before it) and one successor of the obligations. A run of the program that
//! breaks the formula is a run of the product that puts no until off for ever.
//! Where no step may be possible, an *idle* edge stays.

use parallax_base::{Budget, Id, IdVec, Span};
use parallax_evidence::Why;
use parallax_ir::{
    Domain, Edge, Init, Input, Location, Process, Program, Role, Temporal, Transition, Update,
    Variable,
};
use parallax_ltl::{Progression, Sub};
use parallax_term::{Substitution, Term, TermStore, Value};
use rustc_hash::FxHashMap;

/// Larger products are not looked at.
const NODES: usize = 5_000;
const EDGES: usize = 50_000;

/// More atoms that a place leaves open are not looked at; nor does the checker.
const OPEN_ATOMS: usize = 8;

/// Where the processes are, and what is owed.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct Spot {
    pub(super) place: Vec<i64>,
    /// Number of the set of obligations.
    pub(super) set: usize,
}

/// A step from one node to another.
#[derive(Clone, Debug)]
pub(super) struct Arrow {
    pub(super) source: usize,
    pub(super) target: usize,
    /// The transition of the program; `None` if nothing moves.
    pub(super) transition: Option<usize>,
    /// The condition, with the letter and what inputs must satisfy.
    pub(super) condition: Term,
    pub(super) inputs: Vec<Input>,
    /// New values of variables other than control.
    pub(super) updates: Vec<Update>,
    /// The untils that are put off.
    pub(super) postponed: Vec<Sub>,
}

/// The product.
pub(super) struct Product {
    pub(super) store: TermStore,
    pub(super) nodes: Vec<Spot>,
    pub(super) sets: Vec<Vec<Sub>>,
    pub(super) arrows: Vec<Arrow>,
}

impl Product {
    /// All nodes that control alone lets runs come to.
    pub(super) fn explore(
        program: &Program,
        temporal: &Temporal,
        budget: &Budget,
    ) -> Result<Product, Why> {
        let mut store = program.store.clone();
        let transitions = program.transitions(&mut store);
        let mut progression = Progression::new(&temporal.formula, true);
        let begin = progression.initial();
        let mut sets = vec![begin.clone()];
        let mut numbers = FxHashMap::from_iter([(begin, 0)]);
        let place = program.processes.iter().map(|p| p.initial.index() as i64).collect();
        let first = Spot { place, set: 0 };
        let mut known = FxHashMap::from_iter([(first.clone(), 0)]);
        let mut nodes = vec![first];
        let mut arrows: Vec<Arrow> = Vec::new();
        let mut source = 0;
        while source < nodes.len() {
            budget.check()?;
            let spot = nodes[source].clone();
            let mut at = program.at_place(&mut store, &spot.place);
            let steps = steps(&mut store, program, &transitions, &spot.place, &mut at);
            let atoms: Vec<Term> =
                temporal.atoms.iter().map(|&a| at.apply(&mut store, a)).collect();
            for (letter, holds) in letters(&mut store, &atoms)? {
                let owed = sets[spot.set].clone();
                for way in progression.successors(&owed, letter, budget)? {
                    let set = *numbers.entry(way.obligations).or_insert_with_key(|key| {
                        sets.push(key.clone());
                        sets.len() - 1
                    });
                    for step in &steps {
                        let condition = store.and([step.condition, holds]);
                        if store.is_false(condition) {
                            continue;
                        }
                        let spot = Spot { place: step.place.clone(), set };
                        let target = *known.entry(spot).or_insert_with_key(|spot| {
                            nodes.push(spot.clone());
                            nodes.len() - 1
                        });
                        let postponed = way.postponed.clone();
                        let Step { transition, ref inputs, ref updates, .. } = *step;
                        let (inputs, updates) = (inputs.clone(), updates.clone());
                        let arrow = Arrow {
                            source,
                            target,
                            transition,
                            condition,
                            inputs,
                            updates,
                            postponed,
                        };
                        arrows.push(arrow);
                    }
                }
            }
            if nodes.len() > NODES || arrows.len() > EDGES {
                return Err(too_large("places and obligations"));
            }
            source += 1;
        }
        Ok(Product { store, nodes, sets, arrows })
    }

    /// The product as a program of one process, with the variables that are not
    /// control; its locations are the nodes.
    pub(super) fn program(&mut self, program: &Program) -> Program {
        let mut at = program.at_place(&mut self.store, &self.nodes[0].place);
        let is_data = |v: &&(Id<Variable>, &Variable)| !matches!(v.1.role, Role::Control(_));
        let kept: Vec<(Id<Variable>, &Variable)> = program
            .variables
            .iter_enumerated()
            .collect::<Vec<_>>()
            .iter()
            .filter(is_data)
            .copied()
            .collect();
        let control = self.store.fresh("node", parallax_term::Sort::Int);
        let only = Id::new(0);
        let last = self.nodes.len().saturating_sub(1) as i64;
        let mut variables: IdVec<Variable> =
            kept.iter().map(|(_, v)| Variable { role: Role::Shared, ..(*v).clone() }).collect();
        let control = variables.push(Variable {
            name: "node".into(),
            term: control,
            domain: Domain::Range(0.into(), last.into()),
            role: Role::Control(only),
            span: Span::default(),
        });
        let renamed: FxHashMap<Id<Variable>, Id<Variable>> =
            kept.iter().enumerate().map(|(i, (old, _))| (*old, Id::new(i))).collect();
        let edge = |(i, arrow): (usize, &Arrow)| Edge {
            name: i.to_string().into(),
            source: Id::new(arrow.source),
            target: Id::new(arrow.target),
            action: None,
            guard: self.store.bool(true),
            inputs: arrow.inputs.clone(),
            constraint: arrow.condition,
            updates: arrow
                .updates
                .iter()
                .filter_map(|u| Some(Update { variable: *renamed.get(&u.variable)?, ..*u }))
                .collect(),
            span: Span::default(),
        };
        let edges = self.arrows.iter().enumerate().map(edge).collect();
        let location = |i: usize| Location {
            name: i.to_string().into(),
            is_final: true,
            span: Span::default(),
        };
        let mut fixed: Vec<Option<Value>> =
            kept.iter().map(|(id, _)| program.init.fixed[id.index()].clone()).collect();
        fixed.push(Some(Value::int(0)));
        let predicate = at.apply(&mut self.store, program.init.predicate);
        Program {
            name: program.name.clone(),
            store: self.store.clone(),
            variables,
            processes: IdVec::from_iter([Process {
                name: "product".into(),
                control,
                locations: (0..self.nodes.len()).map(location).collect(),
                initial: Id::new(0),
                edges,
                span: Span::default(),
            }]),
            actions: IdVec::default(),
            init: Init { fixed, predicate },
            properties: IdVec::default(),
        }
    }
}

/// A step from a place, whatever is owed.
struct Step {
    transition: Option<usize>,
    place: Vec<i64>,
    condition: Term,
    inputs: Vec<Input>,
    updates: Vec<Update>,
}

/// The steps that may be possible at a place, the idle one included.
fn steps(
    store: &mut TermStore,
    program: &Program,
    transitions: &[Transition],
    place: &[i64],
    at: &mut Substitution,
) -> Vec<Step> {
    let mut found = Vec::new();
    let mut idle = Vec::new();
    for (index, transition) in transitions.iter().enumerate() {
        let starts = |m: &parallax_ir::Move| place[m.process.index()] == m.source.index() as i64;
        if !transition.moves.iter().all(starts) {
            continue;
        }
        let guard = at.apply(store, transition.guard);
        if store.is_false(guard) {
            continue;
        }
        let bounds = transition.input_bounds(store);
        let bounds = at.apply(store, bounds);
        let condition = store.and([guard, bounds]);
        if transition.inputs.is_empty() {
            idle.push(store.not(condition));
        } else if store.is_true(transition.constraint) {
            idle.push(store.not(guard));
        }
        let mut target = place.to_vec();
        for step in &transition.moves {
            target[step.process.index()] = step.target.index() as i64;
        }
        let is_data = |u: &&Update| !matches!(program.variables[u.variable].role, Role::Control(_));
        let updates = transition.updates.iter().filter(is_data);
        let updates = updates.map(|u| Update { value: at.apply(store, u.value), ..*u }).collect();
        let inputs = transition.inputs.iter().map(|input| Input {
            low: input.low.map(|t| at.apply(store, t)),
            high: input.high.map(|t| at.apply(store, t)),
            ..input.clone()
        });
        let inputs = inputs.collect();
        found.push(Step { transition: Some(index), place: target, condition, inputs, updates });
    }
    let condition = store.and(idle);
    if !store.is_false(condition) {
        let (inputs, updates) = (Vec::new(), Vec::new());
        found.push(Step { transition: None, place: place.to_vec(), condition, inputs, updates });
    }
    found
}

/// All letters that the atoms may form, each with the condition that they do.
fn letters(store: &mut TermStore, atoms: &[Term]) -> Result<Vec<(u64, Term)>, Why> {
    let mut found = vec![(0, store.bool(true))];
    let is_open = |t: &&Term| !store.is_true(**t) && !store.is_false(**t);
    if atoms.iter().filter(is_open).count() > OPEN_ATOMS {
        return Err(too_large("atoms of the formula"));
    }
    for (i, &atom) in atoms.iter().enumerate() {
        let otherwise = store.not(atom);
        let mut longer = Vec::new();
        for (letter, condition) in found {
            for (letter, half) in [(letter | 1 << i, atom), (letter, otherwise)] {
                let condition = store.and([condition, half]);
                if !store.is_false(condition) {
                    longer.push((letter, condition));
                }
            }
        }
        found = longer;
    }
    Ok(found)
}

fn too_large(what: &str) -> Why {
    Why::Unsupported {
        construct: format!("too many {what}"),
        place: None,
        hint: "a smaller formula, or fewer processes".into(),
    }
}

/// The control variables of a program at a place.
trait AtPlace {
    /// Their values, as replacements.
    fn at_place(&self, store: &mut TermStore, place: &[i64]) -> Substitution;
}

impl AtPlace for Program {
    fn at_place(&self, store: &mut TermStore, place: &[i64]) -> Substitution {
        let pairs = self.processes.iter().zip(place);
        let pairs: Vec<(Term, Term)> =
            pairs.map(|(p, &at)| (self.variables[p.control].term, store.int(at))).collect();
        Substitution::new(pairs)
    }
}
