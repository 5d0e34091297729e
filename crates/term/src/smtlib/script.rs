//! SMT-LIB scripts: declarations, definitions and assertions.
//!
//! A [`ScriptWriter`] declares each symbol once and gives a name to each term
//! that is shared or nested deeply, so that the script stays flat: readers of
//! other solvers may recurse. It follows `push` and `pop`, so that it can also
//! speak to a running solver.

use crate::{Node, Term, TermStore, smtlib_symbol};
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// A term nested this deep below the last name gets a name of its own.
const NESTED: u32 = 64;

/// Writes terms of one store into one script.
#[derive(Clone, Debug, Default)]
pub struct ScriptWriter {
    names: FxHashMap<Term, String>,
    taken: FxHashSet<String>,
    scopes: Vec<Vec<Term>>,
}

impl ScriptWriter {
    /// A writer for an empty script.
    pub fn new() -> ScriptWriter {
        ScriptWriter::default()
    }

    /// Opens a scope, as `(push 1)` does for the reader of the script.
    pub fn push(&mut self) {
        self.scopes.push(Vec::new());
    }

    /// Closes the innermost scope and forgets its declarations.
    pub fn pop(&mut self) {
        for term in self.scopes.pop().unwrap_or_default() {
            if let Some(name) = self.names.remove(&term) {
                self.taken.remove(&name);
            }
        }
    }

    /// The name under which a symbol was declared or a term was defined.
    pub fn name(&self, term: Term) -> Option<&str> {
        self.names.get(&term).map(String::as_str)
    }

    /// Writes the declarations and definitions that these terms still need.
    pub fn declare(&mut self, store: &TermStore, terms: &[Term], out: &mut String) {
        let mut fresh = Vec::new();
        let mut seen = FxHashSet::default();
        let mut stack = terms.to_vec();
        while let Some(term) = stack.pop() {
            if !self.names.contains_key(&term) && seen.insert(term) {
                fresh.push(term);
                store.node(term).for_each_child(|child| stack.push(child));
            }
        }
        fresh.sort_unstable();
        // All symbols first: a definition must not take the name of a symbol.
        for &term in &fresh {
            if let Node::Var(name, sort) = store.node(term) {
                let name = self.take(term, smtlib_symbol(name));
                let _ = writeln!(out, "(declare-fun {name} () {sort})");
            }
        }
        let uses = store.uses(&fresh);
        let mut depths: FxHashMap<Term, u32> = FxHashMap::default();
        for &term in &fresh {
            if store.is_leaf(term) {
                continue;
            }
            let mut depth = 1;
            store.node(term).for_each_child(|child| {
                depth = depth.max(depths.get(&child).map_or(1, |d| d + 1));
            });
            if depth >= NESTED || uses.get(&term).is_some_and(|n| *n > 1) {
                let (mut text, sort) = (String::new(), store.sort(term));
                store.write_smtlib(term, &self.names, &mut text);
                let name = self.take(term, format!("${}", term.index()));
                let _ = writeln!(out, "(define-fun {name} () {sort} {text})");
                depth = 0;
            }
            depths.insert(term, depth);
        }
    }

    /// Writes a term whose symbols are declared.
    pub fn term(&self, store: &TermStore, term: Term, out: &mut String) {
        match self.names.get(&term) {
            Some(name) => out.push_str(name),
            None => store.write_smtlib(term, &self.names, out),
        }
    }

    /// Writes an assertion, with the declarations it needs.
    pub fn assert(&mut self, store: &TermStore, formula: Term, out: &mut String) {
        self.declare(store, &[formula], out);
        out.push_str("(assert ");
        self.term(store, formula, out);
        out.push_str(")\n");
    }

    /// Two symbols may differ in their sort alone; a script tells them apart.
    fn take(&mut self, term: Term, wanted: String) -> String {
        let mut name = wanted;
        while !self.taken.insert(name.clone()) {
            name = match name.strip_suffix('|') {
                Some(quoted) => format!("{quoted}!|"),
                None => format!("{name}!"),
            };
        }
        self.names.insert(term, name.clone());
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(term);
        }
        name
    }
}

impl TermStore {
    /// A whole script that asks whether `formulas` can be true together.
    /// `status` is the expected answer, if one is known.
    pub fn smtlib_script(&self, logic: &str, formulas: &[Term], status: Option<&str>) -> String {
        let mut out = String::new();
        if let Some(status) = status {
            let _ = writeln!(out, "(set-info :status {status})");
        }
        let _ = writeln!(out, "(set-logic {logic})");
        let mut writer = ScriptWriter::new();
        writer.declare(self, formulas, &mut out);
        for &formula in formulas {
            writer.assert(self, formula, &mut out);
        }
        out.push_str("(check-sat)\n");
        out
    }
}
