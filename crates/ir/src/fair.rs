//! Fairness of processes, as part of what a formula says.
//!
//! A process that is *weakly* fair moves again and again if from some time on it
//! always could; one that is *strongly* fair does so if it could again and again
//! (Manna and Pnueli, *The Temporal Logic of Reactive and Concurrent Systems*,
//! 1992, as justice and compassion, by process in place of by transition). Formulas
//! of linear temporal logic speak of states, so each fair process gets a variable
//! that says whether it took part in the last step: it is weakly fair if again and
//! again it cannot move or has moved. A formula `f` becomes "if the processes are
//! fair, then `f`".

use crate::{Domain, Process, Program, Role, Temporal, Update, Variable};
use parallax_base::{Id, Span};
use parallax_ltl::{Atom, Formula, MAX_ATOMS, Sub};
use parallax_term::{Term, Value};
use std::sync::Arc;

/// How fair a process is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Fairness {
    /// It moves if it always could.
    Weak,
    /// It moves if it could again and again.
    Strong,
}

impl Fairness {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Fairness::Weak => "weakly",
            Fairness::Strong => "strongly",
        }
    }
}

/// A formula has more atoms than a letter can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the formula and the processes that are fair need more than {MAX_ATOMS} atoms")]
pub struct TooManyAtoms;

/// What is said of one fair process.
struct Fair {
    fairness: Fairness,
    name: String,
    /// That it can move, and that it took part in the last step.
    enabled: Term,
    moved: Term,
}

impl Program {
    /// Lets the formulas speak of runs alone in which these processes are fair.
    pub fn assume_fair(&mut self, fair: &[(Id<Process>, Fairness)]) -> Result<(), TooManyAtoms> {
        let mut store = std::mem::take(&mut self.store);
        let transitions = self.transitions(&mut store);
        let mut all = Vec::new();
        for &(id, fairness) in fair {
            let moves = transitions.iter().filter(|t| t.moves.iter().any(|m| m.process == id));
            let guards: Vec<Term> = moves.map(|t| t.guard).collect();
            let enabled = store.or(guards);
            let process = &self.processes[id];
            let name = format!("{}.moved", process.name);
            let moved = store.var(&name, Domain::Bool.sort());
            let variable = self.variables.push(Variable {
                name: name.as_str().into(),
                term: moved,
                domain: Domain::Bool,
                role: Role::Local(id),
                span: process.span,
            });
            self.init.fixed.push(Some(Value::Bool(false)));
            let name = process.name.to_string();
            self.note_moves(id, variable, [store.bool(false), store.bool(true)]);
            all.push(Fair { fairness, name, enabled, moved });
        }
        self.store = store;
        for index in 0..self.properties.len() {
            let property = &mut self.properties[Id::new(index)];
            if let Some(temporal) = &property.temporal {
                property.temporal = Some(Arc::new(under(temporal, &all)?));
            }
        }
        Ok(())
    }
}

impl Program {
    /// Lets every step say whether a process took part in it. Of a shared step one
    /// process says so: this one, else the first.
    fn note_moves(&mut self, of: Id<Process>, variable: Id<Variable>, [no, yes]: [Term; 2]) {
        let has = |p: &Process, action| p.edges.iter().any(|e| e.action == action);
        for index in 0..self.processes.len() {
            for edge in 0..self.processes[Id::new(index)].edges.len() {
                let action = self.processes[Id::new(index)].edges[Id::new(edge)].action;
                let is_shared = action.is_some();
                let speaks = match is_shared && has(&self.processes[of], action) {
                    true => of.index() == index,
                    false => {
                        let before = self.processes.iter().take(index);
                        !is_shared || !before.into_iter().any(|p| has(p, action))
                    }
                };
                if speaks {
                    let value = if of.index() == index { yes } else { no };
                    let edge = &mut self.processes[Id::new(index)].edges[Id::new(edge)];
                    edge.updates.push(Update { variable, value });
                }
            }
        }
    }
}

/// "If the processes are fair, then the formula."
fn under(temporal: &Temporal, fair: &[Fair]) -> Result<Temporal, TooManyAtoms> {
    let Temporal { mut formula, mut atoms, text } = temporal.clone();
    let mut assumed = Vec::new();
    for Fair { fairness, name, enabled, moved } in fair {
        let can = atom(&mut formula, &mut atoms, format!("{name} can move"), *enabled)?;
        let moves = atom(&mut formula, &mut atoms, format!("{name}.moved"), *moved)?;
        let store = &mut formula.store;
        let again = |store: &mut parallax_ltl::Store, f| {
            let later = store.eventually(f);
            store.always(later)
        };
        assumed.push(match fairness {
            Fairness::Weak => {
                let cannot = store.not(can);
                let either = store.or([cannot, moves]);
                again(store, either)
            }
            Fairness::Strong => {
                let (can, moves) = (again(store, can), again(store, moves));
                store.implies(can, moves)
            }
        });
    }
    let assumed = formula.store.and(assumed);
    formula.root = formula.store.implies(assumed, formula.root);
    Ok(Temporal { formula, atoms, text })
}

/// One more atom.
fn atom(
    formula: &mut Formula,
    atoms: &mut Vec<Term>,
    text: String,
    term: Term,
) -> Result<Sub, TooManyAtoms> {
    if atoms.len() >= MAX_ATOMS {
        return Err(TooManyAtoms);
    }
    let found = formula.store.atom(atoms.len() as u32);
    formula.atoms.push(Atom { text, span: Span::default() });
    atoms.push(term);
    Ok(found)
}
