//! Solutions as solvers print them: `(define-fun P ((x!0 Int)) Bool ...)`.
//!
//! Formulas with quantifiers, and auxiliary functions, are not read: terms
//! have none. Who wrote the text is not believed; the formulas are checked
//! elsewhere.

use crate::System;
use parallax_term::{Sexpr, Sexprs, Sort, Substitution, Term, TermStore};
use std::collections::BTreeMap;

/// A formula for each predicate, over its parameters.
#[derive(Clone, Debug)]
pub struct Solution {
    /// The store of the formulas: that of the system, grown.
    pub store: TermStore,
    /// In the order of the predicates.
    pub formulas: Vec<Term>,
}

/// Why a text is no solution that can be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolutionError {
    /// It has quantifiers.
    #[error("the solution has quantifiers")]
    Quantified,
    /// It is not what was expected.
    #[error("the solution cannot be read: {0}")]
    Unreadable(String),
}

impl Solution {
    /// Reads a model of a system.
    pub fn read(system: &System, text: &str) -> Result<Solution, SolutionError> {
        let strange = |what: &dyn std::fmt::Display| SolutionError::Unreadable(what.to_string());
        let all = Sexprs::read(text).map_err(|e| strange(&e))?;
        let top: Vec<Sexpr<'_>> = all.iter().collect();
        let [model] = top.as_slice() else { return Err(strange(&"it is not one list")) };
        if !model.is_list() {
            return Err(strange(&"it is not one list"));
        }
        let mut store = system.store.clone();
        let mut found: BTreeMap<String, Term> = BTreeMap::new();
        for definition in model.elements() {
            let parts: Vec<Sexpr<'_>> = definition.elements().collect();
            let ([head, name, parameters, _, body], true) =
                (parts.as_slice(), definition.is_list())
            else {
                // Old versions open the list with the word `model`.
                continue;
            };
            let (Some("define-fun"), Some(name)) = (head.symbol(), name.symbol()) else {
                return Err(strange(&"a definition is expected"));
            };
            let name = parallax_term::smtlib_name(name);
            let Some(predicate) = system.predicate(&name) else { continue };
            let symbols = &system.predicates[predicate].parameters;
            let own = bound(&mut store, *parameters).ok_or_else(|| strange(&"no parameters"))?;
            let fits = own.len() == symbols.len()
                && own.iter().zip(symbols).all(|(a, b)| store.sort(a.1) == store.sort(*b));
            if !fits {
                return Err(strange(&format!("`{name}` has other parameters")));
            }
            if has_quantifier(*body) {
                return Err(SolutionError::Quantified);
            }
            let scope = |wanted: &str| own.iter().find(|(n, _)| n == wanted).map(|(_, term)| *term);
            let formula = store.read_smtlib_sexpr(&all, *body, &scope).map_err(|e| strange(&e))?;
            if store.sort(formula) != Sort::Bool {
                return Err(strange(&format!("`{name}` is no formula")));
            }
            let pairs = own.iter().map(|(_, term)| *term).zip(symbols.iter().copied());
            let formula = Substitution::new(pairs).apply(&mut store, formula);
            found.insert(name, formula);
        }
        // What a solution leaves out may be anything.
        let truth = store.bool(true);
        let formula = |p: &crate::Predicate| found.get(&*p.name).copied().unwrap_or(truth);
        let formulas = system.predicates.iter().map(formula).collect();
        Ok(Solution { store, formulas })
    }
}

/// The names of bound symbols, as written, and new symbols for them.
pub(crate) fn bound(store: &mut TermStore, list: Sexpr<'_>) -> Option<Vec<(String, Term)>> {
    let mut symbols = Vec::new();
    for pair in list.elements() {
        let mut parts = pair.elements();
        let (name, sort) = (parts.next()?.symbol()?, parts.next()?);
        let sort = Sort::from_smtlib(sort.text())?;
        let name = parallax_term::smtlib_name(name);
        let symbol = store.fresh(&name, sort);
        symbols.push((name, symbol));
    }
    Some(symbols)
}

/// Whether a quantifier occurs in an expression.
pub(crate) fn has_quantifier(root: Sexpr<'_>) -> bool {
    let mut stack = vec![root];
    while let Some(item) = stack.pop() {
        if matches!(item.symbol(), Some("forall" | "exists" | "lambda")) {
            return true;
        }
        stack.extend(item.elements());
    }
    false
}
