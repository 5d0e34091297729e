//! The program and what runs against the formula owe, as one program.
//!
//! A node is where the processes are, with the values of variables that are only
//! ever given constants there (flags, mostly) or that are atoms of the formula, and a
//! set of obligations: parts of the negated formula. An edge is a step of the program, for one letter (which atoms
//! hold before it) and one successor of the obligations. A run of the program that
//! breaks the formula is a run of the product that puts no until off for ever.
//! Where no step may be possible, an *idle* edge stays.

use parallax_base::{Budget, Id, IdVec, Span};
use parallax_evidence::Why;
use parallax_ir::{
    Domain, Edge, Idle, Init, Input, Location, Process, Program, Role, Temporal, Transition,
    Update, Variable,
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
    /// The values of the variables that are tracked.
    pub(super) values: Vec<Value>,
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
    /// New values of variables that are not tracked.
    pub(super) updates: Vec<Update>,
    /// The untils that are put off.
    pub(super) postponed: Vec<Sub>,
}

/// The product.
pub(super) struct Product {
    pub(super) store: TermStore,
    /// The variables whose values a node has: control, and some that have few.
    pub(super) tracked: Vec<Id<Variable>>,
    pub(super) nodes: Vec<Spot>,
    pub(super) sets: Vec<Vec<Sub>>,
    pub(super) arrows: Vec<Arrow>,
}

impl Product {
    /// All nodes that the tracked variables alone let runs come to.
    pub(super) fn explore(
        program: &Program,
        temporal: &Temporal,
        budget: &Budget,
    ) -> Result<Product, Why> {
        let mut tracked: Vec<Id<Variable>> = Vec::new();
        for (id, variable) in program.variables.iter_enumerated() {
            let is_small = matches!(variable.domain, Domain::Bool | Domain::Enum(_));
            let is_control = matches!(variable.role, Role::Control(_));
            if (is_small || is_control) && program.init.fixed[id.index()].is_some() {
                tracked.push(id);
            }
        }
        loop {
            match Product::tracking(&tracked, program, temporal, budget)? {
                Ok(product) => return Ok(product),
                Err(Open(variable)) => tracked.retain(|&id| id != variable),
            }
        }
    }

    /// The same, with these variables tracked; or one of them that is given a
    /// value that is not known.
    fn tracking(
        tracked: &[Id<Variable>],
        program: &Program,
        temporal: &Temporal,
        budget: &Budget,
    ) -> Result<Result<Product, Open>, Why> {
        let mut store = program.store.clone();
        let transitions = program.transitions(&mut store);
        let mut progression = Progression::new(&temporal.formula, true);
        let begin = progression.initial();
        let mut sets = vec![begin.clone()];
        let mut numbers = FxHashMap::from_iter([(begin, 0)]);
        let values = tracked.iter().filter_map(|id| program.init.fixed[id.index()].clone());
        let first = Spot { values: values.collect(), set: 0 };
        let mut numbered = FxHashMap::from_iter([(first.clone(), 0)]);
        let mut nodes = vec![first];
        let mut arrows: Vec<Arrow> = Vec::new();
        let mut source = 0;
        while source < nodes.len() {
            budget.check()?;
            let spot = nodes[source].clone();
            let mut at = known(&mut store, program, tracked, &spot.values);
            let (atoms, values) = (&temporal.atoms, &spot.values);
            let here = Here { program, transitions: &transitions, tracked, values, atoms };
            let steps = match here.steps(&mut store, &mut at) {
                Ok(steps) => steps,
                Err(open) => return Ok(Err(open)),
            };
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
                        let spot = Spot { values: step.values.clone(), set };
                        let target = *numbered.entry(spot).or_insert_with_key(|spot| {
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
        Ok(Ok(Product { store, tracked: tracked.to_vec(), nodes, sets, arrows }))
    }

    /// The product as a program of one process, with the variables that are not
    /// tracked; its locations are the nodes.
    pub(super) fn program(&mut self, program: &Program) -> Program {
        let tracked = &self.tracked;
        let mut at = known(&mut self.store, program, tracked, &self.nodes[0].values);
        let kept: Vec<(Id<Variable>, &Variable)> =
            program.variables.iter_enumerated().filter(|(id, _)| !tracked.contains(id)).collect();
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

/// A tracked variable is given a value that is not known.
struct Open(Id<Variable>);

/// A step from a place, whatever is owed.
#[derive(Clone)]
struct Step {
    transition: Option<usize>,
    values: Vec<Value>,
    condition: Term,
    inputs: Vec<Input>,
    updates: Vec<Update>,
}

/// A place: the values of the variables that are tracked.
struct Here<'a> {
    program: &'a Program,
    transitions: &'a [Transition],
    tracked: &'a [Id<Variable>],
    values: &'a [Value],
    /// The atoms of the formula.
    atoms: &'a [Term],
}

impl Here<'_> {
    /// Whether a variable is an atom of the formula.
    fn is_atom(&self, id: Id<Variable>) -> bool {
        let variable = &self.program.variables[id];
        variable.domain == Domain::Bool && self.atoms.contains(&variable.term)
    }

    /// The steps that may be possible, the idle one included.
    fn steps(&self, store: &mut TermStore, at: &mut Substitution) -> Result<Vec<Step>, Open> {
        let mut found = Vec::new();
        let mut idle = Idle::default();
        for (index, transition) in self.transitions.iter().enumerate() {
            let guard = at.apply(store, transition.guard);
            if store.is_false(guard) {
                continue;
            }
            let bounds = transition.input_bounds(store);
            let bounds = at.apply(store, bounds);
            let condition = store.and([guard, bounds]);
            idle.add(store, transition, at);
            let mut values = self.values.to_vec();
            let mut updates = Vec::new();
            let mut seen = Vec::new();
            for update in &transition.updates {
                let value = at.apply(store, update.value);
                match self.tracked.iter().position(|&id| id == update.variable) {
                    None => updates.push(Update { value, ..*update }),
                    Some(position) => match store.value(value) {
                        Some(value) => values[position] = value.clone(),
                        None if self.is_atom(update.variable) => seen.push((position, value)),
                        None => return Err(Open(update.variable)),
                    },
                }
            }
            let inputs = transition.inputs.iter().map(|input| Input {
                low: input.low.map(|t| at.apply(store, t)),
                high: input.high.map(|t| at.apply(store, t)),
                ..input.clone()
            });
            let inputs = inputs.collect();
            let step = Step { transition: Some(index), values, condition, inputs, updates };
            found.extend(split(store, step, &seen));
        }
        let condition = idle.condition(store);
        if !store.is_false(condition) {
            let (inputs, updates) = (Vec::new(), Vec::new());
            let values = self.values.to_vec();
            found.push(Step { transition: None, values, condition, inputs, updates });
        }
        Ok(found)
    }
}

/// A step for all that the atoms may be that are given open values.
fn split(store: &mut TermStore, step: Step, seen: &[(usize, Term)]) -> Vec<Step> {
    let mut found = vec![step];
    for &(position, value) in seen {
        let otherwise = store.not(value);
        let mut halves = Vec::new();
        for step in found {
            for (truth, half) in [(true, value), (false, otherwise)] {
                let mut step = step.clone();
                step.values[position] = Value::Bool(truth);
                step.condition = store.and([step.condition, half]);
                if !store.is_false(step.condition) {
                    halves.push(step);
                }
            }
        }
        found = halves;
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

/// The values of tracked variables, as replacements.
fn known(
    store: &mut TermStore,
    program: &Program,
    tracked: &[Id<Variable>],
    values: &[Value],
) -> Substitution {
    let pairs = tracked.iter().zip(values);
    let pairs: Vec<(Term, Term)> = pairs
        .map(|(&id, value)| (program.variables[id].term, store.constant(value.clone())))
        .collect();
    Substitution::new(pairs)
}
