//! Constants that a run picks beforehand, and that its last step confirms.
//!
//! To show that something holds of all elements of an array, one takes an arbitrary
//! index and shows it of that element. Here the index is a constant: a variable that
//! starts with any value and that no step changes. A step into a target confirms the
//! constants: it is taken only if they are the values that it names, such as the index
//! that it reads. In between, what is known may speak of the one element.
//!
//! # Soundness
//! Claim: if the program with picks reaches no target, neither does the program
//! itself. For let a run of the program reach one; cut it off where it first does.
//! If it has no step, its start is one of the program with picks as well. Otherwise its
//! last step leads into a target, and no step before does. Let each constant have the
//! value that the last step names in this run. Then every step of the run is possible
//! with them: those before the last are what they were, and the last finds the values
//! that it asks for.
//!
//! For that, "is a target" must be a question of where processes are, and a step that
//! confirms must be one that leads there; both is seen to here. Steps into a target
//! that confirm nothing are as they were.

use crate::{Domain, Program, Property, Role, Transition, Variable};
use parallax_base::{Id, Span};
use parallax_term::{Node, Sort, Term, TermStore};
use std::collections::BTreeSet;

/// What a step into a target says of the constants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Pick {
    /// The step, by its index.
    pub transition: u32,
    /// The value of each constant, over the state before and the inputs.
    pub values: Vec<Term>,
}

impl Program {
    /// The program with constants: symbols of `store`, which has grown from this
    /// program's, as have the terms of the picks. It has the one property, and as many
    /// variables more as there are constants.
    ///
    /// # Errors
    /// Why there is no such program.
    pub fn with_picks(
        &self,
        property: Id<Property>,
        store: &TermStore,
        constants: &[Term],
        picks: &[Pick],
    ) -> Result<Program, String> {
        let asked = self.properties.get(property).ok_or("no such property")?;
        if asked.temporal.is_some() {
            return Err("picks are about states, not about runs".into());
        }
        let mut store = store.clone();
        let transitions = self.transitions(&mut store);
        self.are_new(&store, constants, &transitions)?;
        let finals = self.finals(&mut store, asked.target)?;
        let mut program = self.clone();
        for &term in constants {
            let domain = match store.sort(term) {
                Sort::Int => Domain::Int,
                Sort::Bv(width) => Domain::Bv(width),
                _ => return Err("a constant is neither an integer nor a bit-vector".into()),
            };
            let name = match store.node(term) {
                Node::Var(name, _) => name.to_string().into(),
                _ => return Err("a constant is no symbol".into()),
            };
            let (role, span) = (Role::Shared, Span::default());
            program.variables.push(Variable { name, term, domain, role, span });
            program.init.fixed.push(None);
        }
        let mut confirmed = BTreeSet::new();
        for pick in picks {
            let transition = transitions.get(pick.transition as usize).ok_or("no such step")?;
            let [step] = *transition.moves else {
                return Err("a step of several processes confirms constants".into());
            };
            if !finals.contains(&(step.process.index(), step.target.index())) {
                return Err(format!("`{}` does not lead into a target", transition.name));
            }
            if pick.values.len() != constants.len() || !confirmed.insert(pick.transition) {
                return Err(format!("`{}` does not pick each constant once", transition.name));
            }
            let known = |v: Term| {
                self.slot(v).is_some() || transition.inputs.iter().any(|input| input.term == v)
            };
            let edge = &mut program.processes[step.process].edges[step.edge];
            let mut all = vec![edge.constraint];
            for (&constant, &value) in constants.iter().zip(&pick.values) {
                let fits = store.sort(value) == store.sort(constant);
                if !fits || !store.vars(value).into_iter().all(known) {
                    return Err(format!("`{}` picks what it does not know", transition.name));
                }
                all.push(store.eq(constant, value));
            }
            edge.constraint = store.and(all);
        }
        program.properties = [asked.clone()].into_iter().collect();
        program.store = store;
        Ok(program)
    }

    /// Constants are symbols that nothing in the program stands for.
    fn are_new(
        &self,
        store: &TermStore,
        constants: &[Term],
        transitions: &[Transition],
    ) -> Result<(), String> {
        let inputs = transitions.iter().flat_map(|t| t.inputs.iter().map(|i| i.term));
        let mut taken: BTreeSet<Term> = self.variables.iter().map(|v| v.term).collect();
        taken.extend(inputs);
        let new = |term: &Term| matches!(store.node(*term), Node::Var(..)) && taken.insert(*term);
        match constants.iter().all(new) {
            true => Ok(()),
            false => Err("a constant is no symbol of its own".into()),
        }
    }

    /// The places that are the target: processes at locations.
    fn finals(
        &self,
        store: &mut TermStore,
        target: Term,
    ) -> Result<BTreeSet<(usize, usize)>, String> {
        let mut open: BTreeSet<Term> = match store.node(target) {
            Node::Or(items) => items.iter().copied().collect(),
            _ => [target].into(),
        };
        let mut found = BTreeSet::new();
        for (id, process) in self.processes.iter_enumerated() {
            for location in process.locations.ids() {
                let at = self.at(store, id, location);
                if open.remove(&at) {
                    found.insert((id.index(), location.index()));
                }
            }
        }
        match open.is_empty() {
            true => Ok(found),
            false => Err("the target is not a question of where processes are".into()),
        }
    }
}
