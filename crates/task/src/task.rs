//! A task: a program with its questions, the text it was made from, and what was
//! given to engines.

use crate::{LoadError, Origin};
use parallax_base::{Diagnostics, Id, SourceMap, Span};
use parallax_cfa::CProperty;
use parallax_evidence::Why;
use parallax_ir::{Program, Property, PropertyKind};
use parallax_term::{Sort, Term};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What invariants are called where they are asked as one property.
pub const INVARIANTS: &str = "invariants";

/// A program, the text it comes from and how it was made.
#[derive(Clone, Debug)]
pub struct Task {
    /// What is analyzed.
    pub program: Program,
    /// The files its spans point into.
    pub sources: SourceMap,
    /// What the front end has to say; no errors.
    pub warnings: Diagnostics,
    /// Where the program comes from.
    pub origin: Origin,
    /// Predicates that were given, as terms of the program's store.
    pub predicates: Vec<Term>,
    /// Templates that were given, likewise.
    pub templates: Vec<Term>,
    /// Invariants that are asked as one property, as SMT-LIB terms.
    pub invariants: Vec<String>,
    /// Properties that nobody answers, and why.
    pub refused: Vec<(Id<Property>, Why)>,
    /// Of a C program that several things are asked of: a task for each, by
    /// property. `program` has only their names then.
    pub parts: Vec<Arc<Task>>,
}

impl Task {
    /// A task that is a program and nothing besides.
    pub(crate) fn of_program(
        mut program: Program,
        sources: SourceMap,
        origin: Origin,
    ) -> Result<Task, LoadError> {
        // Every engine, checker and renderer takes a copy of the terms.
        program.store.freeze();
        program.validate()?;
        Ok(Task { program, ..Task::about(origin, sources) })
    }

    /// A task that asks nothing yet, of a program that does nothing.
    pub(crate) fn about(origin: Origin, sources: SourceMap) -> Task {
        Task {
            program: Program::nothing(),
            sources,
            warnings: Diagnostics::default(),
            origin,
            predicates: Vec::new(),
            templates: Vec::new(),
            invariants: Vec::new(),
            refused: Vec::new(),
            parts: Vec::new(),
        }
    }

    /// The task that was made for a property alone, if there is one.
    pub fn part(&self, name: &str) -> Option<Arc<Task>> {
        let property = self.program.property(name)?;
        self.parts.get(property.index()).cloned()
    }

    /// Asks as one more property whether some formulas, SMT-LIB terms over the
    /// variables of the program, hold in all reachable states, and that what is
    /// not covered is not reached.
    ///
    /// # Errors
    /// With a sentence, if a text is no formula over the program.
    pub fn claim(&mut self, invariants: Vec<String>) -> Result<Id<Property>, String> {
        let program = &mut self.program;
        let symbols: BTreeMap<String, Term> =
            program.variables.iter().map(|v| (v.name.to_string(), v.term)).collect();
        let mut targets = Vec::new();
        for text in &invariants {
            let scope = |name: &str| symbols.get(name).copied();
            let term = program.store.read_smtlib_term(text, &scope);
            let term = term.map_err(|error| format!("invariant: {error}"))?;
            if program.store.sort(term) != Sort::Bool {
                return Err(String::from("an invariant is no formula"));
            }
            targets.push(program.store.not(term));
        }
        targets.extend(self.origin.gap());
        let target = program.store.or(targets);
        program.store.freeze();
        let id = program.properties.push(Property {
            name: INVARIANTS.into(),
            kind: PropertyKind::Invariant,
            temporal: None,
            target,
            implicit: false,
            span: Span::default(),
        });
        self.origin.ask(CProperty::Other(INVARIANTS.into()));
        self.invariants = invariants;
        Ok(id)
    }
}
