//! Well-formedness of programs.
//!
//! Front ends build programs by hand; this check states what every later room
//! relies on. A failure is a bug of the front end, never of the user.

use crate::{Edge, Program, PropertyKind, Role};
use parallax_base::Id;
use parallax_term::{Sort, Term};
use rustc_hash::FxHashSet;
use std::fmt;

/// What is wrong with a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Malformed(pub String);

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "malformed program: {}", self.0)
    }
}

impl std::error::Error for Malformed {}

fn require(condition: bool, what: impl FnOnce() -> String) -> Result<(), Malformed> {
    if condition { Ok(()) } else { Err(Malformed(what())) }
}

impl Program {
    /// Checks sorts, ids, names and the scope of every term.
    pub fn validate(&self) -> Result<(), Malformed> {
        let mut names = FxHashSet::default();
        let mut state = FxHashSet::default();
        for variable in &self.variables {
            let name = &variable.name;
            require(names.insert(name.clone()), || format!("two variables named `{name}`"))?;
            require(self.store.sort(variable.term) == variable.domain.sort(), || {
                format!("sort of `{name}`")
            })?;
            state.insert(variable.term);
        }
        self.in_scope(self.init.predicate, Sort::Bool, &state, "initial predicate")?;
        require(self.init.fixed.len() == self.variables.len(), || "initial values".into())?;
        for (variable, value) in self.variables.iter().zip(&self.init.fixed) {
            let fits = value.as_ref().is_none_or(|v| variable.domain.contains(v));
            require(fits, || format!("initial value of `{}`", variable.name))?;
        }
        for (p, process) in self.processes.iter_enumerated() {
            let control = self.variables.get(process.control);
            let owned = control.is_some_and(|v| v.role == Role::Control(p));
            require(owned, || format!("control variable of `{}`", process.name))?;
            let start = process.locations.get(process.initial).is_some();
            require(start, || format!("initial location of `{}`", process.name))?;
            for edge in &process.edges {
                self.validate_edge(edge, &state, &|l| process.locations.get(l).is_some())
                    .map_err(|m| Malformed(format!("{} in {}.{}", m.0, process.name, edge.name)))?;
            }
        }
        let constrained = |e: &Edge| !self.store.is_true(e.constraint);
        let has_constraint = self.processes.iter().any(|p| p.edges.iter().any(constrained));
        for property in &self.properties {
            let stuck = property.kind == PropertyKind::DeadlockFree;
            require(!(stuck && has_constraint), || {
                "whether a step with a constraint is possible is not asked of states".into()
            })?;
            self.in_scope(property.target, Sort::Bool, &state, &property.name)?;
            let formula = property.temporal.as_deref();
            require(formula.is_some() == (property.kind == PropertyKind::Ltl), || {
                format!("`{}` has a formula, or none, against its kind", property.name)
            })?;
            for &atom in formula.iter().flat_map(|t| &t.atoms) {
                self.in_scope(atom, Sort::Bool, &state, &property.name)?;
            }
            let counted = formula.is_none_or(|t| t.formula.atoms.len() == t.atoms.len());
            require(counted, || format!("atoms of `{}`", property.name))?;
        }
        Ok(())
    }

    fn validate_edge(
        &self,
        edge: &Edge,
        state: &FxHashSet<Term>,
        has_location: &dyn Fn(Id<crate::Location>) -> bool,
    ) -> Result<(), Malformed> {
        let ends = has_location(edge.source) && has_location(edge.target);
        require(ends, || "no such location".into())?;
        self.in_scope(edge.guard, Sort::Bool, state, "guard")?;
        let mut inputs = FxHashSet::default();
        for input in &edge.inputs {
            for bound in input.low.iter().chain(&input.high) {
                self.in_scope(*bound, self.store.sort(input.term), state, "bound")?;
            }
            let fresh = !state.contains(&input.term) && inputs.insert(input.term);
            require(fresh, || "input is not fresh".into())?;
        }
        let scope = |v: &Term| state.contains(v) || inputs.contains(v);
        self.in_scope_of(edge.constraint, Sort::Bool, scope, "constraint")?;
        let mut written = FxHashSet::default();
        for update in &edge.updates {
            let Some(variable) = self.variables.get(update.variable) else {
                return Err(Malformed("update of no variable".into()));
            };
            require(!matches!(variable.role, Role::Control(_)), || "control is written".into())?;
            require(written.insert(update.variable), || format!("`{}` twice", variable.name))?;
            let known = |v: &Term| state.contains(v) || inputs.contains(v);
            self.in_scope_of(update.value, variable.domain.sort(), known, &variable.name)?;
        }
        Ok(())
    }

    fn in_scope(
        &self,
        term: Term,
        sort: Sort,
        scope: &FxHashSet<Term>,
        what: &str,
    ) -> Result<(), Malformed> {
        self.in_scope_of(term, sort, |v| scope.contains(v), what)
    }

    fn in_scope_of(
        &self,
        term: Term,
        sort: Sort,
        known: impl Fn(&Term) -> bool,
        what: &str,
    ) -> Result<(), Malformed> {
        require(self.store.sort(term) == sort, || format!("sort of {what}"))?;
        let stranger = self.store.vars(term).into_iter().find(|v| !known(v));
        require(stranger.is_none(), || {
            let name = stranger.map(|v| self.store.infix(v)).unwrap_or_default();
            format!("`{name}` is out of scope in {what}")
        })
    }
}
