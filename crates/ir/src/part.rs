//! The part of a program that matters to some target states.
//!
//! A process matters if the target speaks of where it is or if it writes a
//! variable that matters; then all that decides how it moves matters too, and so
//! do those who share its actions. The rest can do nothing to the target: a run
//! of the whole program, without the steps of processes that do not matter and
//! without variables that do not, is a run of the part.
//!
//! So whatever set of states the part never leaves, the whole program never
//! leaves either, with the other variables as they like. Nobody has to believe
//! that: the set is checked on the whole program.

use crate::{Edge, Process, Program, Property, Role, Update, Variable};
use parallax_base::{Id, IdVec};
use parallax_term::{Node, Term};
use std::collections::{BTreeMap, BTreeSet};

/// A part of a program, with one property.
#[derive(Clone, Debug)]
pub struct Part {
    /// The program; its terms are those of the whole.
    pub program: Program,
    /// For each variable which one of the whole it is.
    pub variables: Vec<Id<Variable>>,
}

/// What matters.
struct Cone<'p> {
    program: &'p Program,
    slots: BTreeMap<Term, usize>,
    matters: Vec<bool>,
    moves: Vec<bool>,
}

impl Program {
    /// For each alternative of the target of a property the part that matters to
    /// it, if every one leaves a process out.
    pub fn parts(&self, property: Id<Property>) -> Option<Vec<Part>> {
        let asked = self.properties.get(property).filter(|p| p.temporal.is_none())?;
        let mut parts: Vec<(Cone<'_>, Vec<Alternative>)> = Vec::new();
        for target in self.alternatives(asked.target) {
            let cone = Cone::of(self, target.formula);
            if cone.moves.iter().all(|moves| *moves) {
                return None;
            }
            match parts.iter_mut().find(|(other, _)| other.matters == cone.matters) {
                Some((_, targets)) => targets.push(target),
                None => parts.push((cone, vec![target])),
            }
        }
        Some(parts.into_iter().map(|(cone, targets)| cone.part(asked, &targets)).collect())
    }
}

/// A formula, or its negation.
#[derive(Clone, Copy)]
struct Alternative {
    formula: Term,
    negated: bool,
}

impl Program {
    /// What a target is a disjunction of.
    fn alternatives(&self, target: Term) -> Vec<Alternative> {
        let all = |items: &[Term], negated: bool| {
            items.iter().map(|&formula| Alternative { formula, negated }).collect()
        };
        match self.store.node(target) {
            Node::Or(items) => all(items, false),
            Node::Not(inner) => match self.store.node(*inner) {
                Node::And(items) => all(items, true),
                _ => all(&[*inner], true),
            },
            _ => all(&[target], false),
        }
    }
}

impl<'p> Cone<'p> {
    fn of(program: &'p Program, target: Term) -> Cone<'p> {
        let slots = program.variables.iter().enumerate().map(|(at, v)| (v.term, at)).collect();
        let matters = vec![false; program.variables.len()];
        let moves = vec![false; program.processes.len()];
        let mut cone = Cone { program, slots, matters, moves };
        cone.add(target);
        while cone.grow() {}
        cone
    }

    /// The variables of a term matter; whether that is new.
    fn add(&mut self, term: Term) -> bool {
        let mut grew = false;
        for symbol in self.program.store.vars(term) {
            if let Some(&at) = self.slots.get(&symbol) {
                grew |= !std::mem::replace(&mut self.matters[at], true);
            }
        }
        grew
    }

    fn writes(&self, edge: &Edge) -> bool {
        edge.updates.iter().any(|update| self.matters[update.variable.index()])
    }

    fn grow(&mut self) -> bool {
        let mut grew = false;
        let program = self.program;
        let shared: BTreeSet<_> = (program.processes.iter_enumerated())
            .filter(|(id, _)| self.moves[id.index()])
            .flat_map(|(_, process)| process.edges.iter().filter_map(|edge| edge.action))
            .collect();
        for (id, process) in program.processes.iter_enumerated() {
            let joins = |edge: &Edge| edge.action.is_some_and(|action| shared.contains(&action));
            let matters = self.matters[process.control.index()]
                || process.edges.iter().any(|edge| joins(edge) || self.writes(edge));
            if !matters {
                continue;
            }
            grew |= !std::mem::replace(&mut self.moves[id.index()], true);
            grew |= !std::mem::replace(&mut self.matters[process.control.index()], true);
            for edge in &process.edges {
                grew |= self.add(edge.guard) | self.add(edge.constraint);
                for bound in edge.inputs.iter().flat_map(|i| [i.low, i.high]).flatten() {
                    grew |= self.add(bound);
                }
                for update in &edge.updates {
                    grew |= self.matters[update.variable.index()] && self.add(update.value);
                }
            }
        }
        // What the start says of several variables holds them together.
        for condition in self.initial_conditions() {
            grew |= self.is_about(condition) && self.add(condition);
        }
        grew
    }

    fn initial_conditions(&self) -> Vec<Term> {
        match self.program.store.node(self.program.init.predicate) {
            Node::And(items) => items.to_vec(),
            _ => vec![self.program.init.predicate],
        }
    }

    /// Whether a term speaks of a variable that matters.
    fn is_about(&self, term: Term) -> bool {
        let vars = self.program.store.vars(term);
        vars.iter().any(|v| self.slots.get(v).is_some_and(|&at| self.matters[at]))
    }

    fn part(&self, asked: &Property, targets: &[Alternative]) -> Part {
        let program = self.program;
        let kept: Vec<Id<Variable>> =
            program.variables.ids().filter(|id| self.matters[id.index()]).collect();
        let place = |id: Id<Variable>| kept.binary_search(&id).ok().map(Id::new);
        let alive: Vec<Id<Process>> =
            program.processes.ids().filter(|id| self.moves[id.index()]).collect();
        let owner = |id: Id<Process>| Id::new(alive.binary_search(&id).unwrap_or(0));
        let variables = kept.iter().map(|&id| {
            let variable = &program.variables[id];
            let role = match variable.role {
                Role::Shared => Role::Shared,
                // One whose process does not move is read by others alone.
                Role::Local(of) if !self.moves[of.index()] => Role::Shared,
                Role::Local(of) => Role::Local(owner(of)),
                Role::Control(of) => Role::Control(owner(of)),
            };
            Variable { role, ..variable.clone() }
        });
        let processes = alive.iter().map(|&id| {
            let process = &program.processes[id];
            let edges = process.edges.iter().map(|edge| self.edge(edge, &place)).collect();
            let control = place(process.control).unwrap_or(process.control);
            Process { control, edges, ..process.clone() }
        });
        let mut store = program.store.clone();
        let said = self.initial_conditions().into_iter().filter(|c| self.is_about(*c));
        let predicate = store.and(said.collect::<Vec<_>>());
        let fixed = kept.iter().map(|id| program.init.fixed[id.index()].clone()).collect();
        let mut alternatives = Vec::new();
        for target in targets {
            let Alternative { formula, negated } = *target;
            alternatives.push(if negated { store.not(formula) } else { formula });
        }
        let target = store.or(alternatives);
        let (variables, processes) = (variables.collect(), processes.collect());
        store.freeze();
        let program = Program {
            name: program.name.clone(),
            variables,
            processes,
            actions: program.actions.clone(),
            init: crate::Init { fixed, predicate },
            properties: IdVec::from_iter([Property { target, ..asked.clone() }]),
            store,
        };
        Part { program, variables: kept }
    }

    fn edge(&self, edge: &Edge, place: &dyn Fn(Id<Variable>) -> Option<Id<Variable>>) -> Edge {
        let updates: Vec<Update> = (edge.updates.iter())
            .filter_map(|u| Some(Update { variable: place(u.variable)?, value: u.value }))
            .collect();
        let store = &self.program.store;
        let terms = updates.iter().map(|u| u.value).chain([edge.constraint]);
        let used: BTreeSet<Term> = terms.flat_map(|term| store.vars(term)).collect();
        let inputs = edge.inputs.iter().filter(|input| used.contains(&input.term));
        Edge { updates, inputs: inputs.cloned().collect(), ..edge.clone() }
    }
}
