//! "Every run ends", as a formula of linear temporal logic.
//!
//! Formulas speak of states, and a run that has ended keeps its last one for ever.
//! So the program gets a variable that every step changes: a run never ends if and
//! only if the variable is true again and again and false again and again.

use crate::{Domain, Program, Property, PropertyKind, Role, Temporal, Update, Variable};
use parallax_base::{Id, Span};
use parallax_ltl::{Atom, Formula, Store};
use parallax_term::{Term, Value};
use std::sync::Arc;

impl Program {
    /// Turns properties into the question whether every run ends, and never does
    /// what the property forbids. Only for programs without shared actions.
    pub fn ask_for_ends(&mut self, properties: &[Id<Property>]) {
        let ticks = self.store.fresh("ticks", Domain::Bool.sort());
        let variable = self.variables.push(Variable {
            name: "ticks".into(),
            term: ticks,
            domain: Domain::Bool,
            role: Role::Shared,
            span: Span::default(),
        });
        self.init.fixed.push(Some(Value::Bool(false)));
        let value = self.store.not(ticks);
        for process in self.processes.ids() {
            for edge in self.processes[process].edges.ids() {
                self.processes[process].edges[edge].updates.push(Update { variable, value });
            }
        }
        for &id in properties {
            let target = self.properties[id].target;
            self.properties[id].temporal = Some(Arc::new(ends(ticks, target)));
            self.properties[id].target = self.store.bool(false);
            self.properties[id].kind = PropertyKind::Ltl;
        }
    }
}

impl Program {
    /// Turns a property into the question whether what every run shows satisfies a
    /// formula, and never does what the property forbids. The atoms are variables, one
    /// more of them than the formula has: a run in which the last one holds is not
    /// asked about. What holds at the start is not yet shown.
    pub fn ask_for_words(
        &mut self,
        property: Id<Property>,
        formula: &Formula,
        letter: &[usize],
        text: &Arc<str>,
    ) {
        let mut atoms: Vec<Term> =
            letter.iter().map(|&variable| self.variables[Id::new(variable)].term).collect();
        let target = self.properties[property].target;
        let excluded = atoms.len().saturating_sub(1) as u32;
        atoms.push(target);
        let mut formula = formula.clone();
        let name = |text: &str| Atom { text: text.to_owned(), span: Span::default() };
        formula.atoms.extend([name("excluded"), name("what is not modelled")]);
        let store = &mut formula.store;
        let shown = store.next(formula.root);
        let excluded = store.atom(excluded);
        let excluded = store.eventually(excluded);
        let satisfied = store.or([shown, excluded]);
        let bad = store.atom(atoms.len() as u32 - 1);
        let good = store.not(bad);
        let spared = store.always(good);
        formula.root = store.and([satisfied, spared]);
        let temporal = Temporal { formula, atoms, text: text.clone() };
        let asked = &mut self.properties[property];
        asked.temporal = Some(Arc::new(temporal));
        asked.target = self.store.bool(false);
        asked.kind = PropertyKind::Ltl;
    }
}

/// That the variable stays as it is from some time on, and `never` never holds.
fn ends(ticks: Term, never: Term) -> Temporal {
    let mut store = Store::default();
    let (ticks_atom, never_atom) = (store.atom(0), store.atom(1));
    let stays = |store: &mut Store, f| {
        let always = store.always(f);
        store.eventually(always)
    };
    let still = store.not(ticks_atom);
    let (on, off) = (stays(&mut store, ticks_atom), stays(&mut store, still));
    let ends = store.or([on, off]);
    let not_there = store.not(never_atom);
    let spared = store.always(not_there);
    let root = store.and([ends, spared]);
    let atom = |text: &str| Atom { text: text.to_owned(), span: Span::default() };
    let atoms = vec![atom("ticks"), atom("what is not modelled")];
    let formula = Formula { store, root, atoms };
    Temporal { formula, atoms: vec![ticks, never], text: "termination".into() }
}
