//! Systems as text: SMT-LIB of the logic `HORN`, and the rules of Z3's
//! fixedpoint interface, which answers with derivations.

use crate::{Applied, Clause, System};
use parallax_term::{Substitution, Term, TermStore, smtlib_symbol};
use std::collections::BTreeSet;
use std::fmt::Write;

/// The name of the fact that rules derive in the place of `false`.
pub(crate) const GOAL: &str = "%goal";

impl System {
    /// Declarations and clauses in the format of CHC-COMP, without a command
    /// that asks anything.
    pub fn smtlib(&self) -> String {
        let mut out = String::from("(set-logic HORN)\n");
        for predicate in &self.predicates {
            let name = smtlib_symbol(&predicate.name);
            let _ =
                writeln!(out, "(declare-fun {name} {} Bool)", self.sorts(&predicate.parameters));
        }
        for clause in &self.clauses {
            let (symbols, body, head) = self.parts(clause);
            let head = head.as_deref().unwrap_or("false");
            let _ = match symbols.as_str() {
                "" => writeln!(out, "(assert (=> {body} {head}))"),
                _ => writeln!(out, "(assert (forall ({symbols}) (=> {body} {head})))"),
            };
        }
        out
    }

    /// The same as rules, ending in a query for a derivation.
    pub fn rules(&self) -> String {
        let mut out = format!("(declare-rel {GOAL} ())\n");
        for predicate in &self.predicates {
            let name = smtlib_symbol(&predicate.name);
            let _ = writeln!(out, "(declare-rel {name} {})", self.sorts(&predicate.parameters));
        }
        for clause in &self.clauses {
            let (symbols, body, head) = self.parts(clause);
            let head = head.as_deref().unwrap_or(GOAL);
            let _ = match symbols.as_str() {
                "" => writeln!(out, "(rule (=> {body} {head}))"),
                _ => writeln!(out, "(rule (forall ({symbols}) (=> {body} {head})))"),
            };
        }
        let _ = writeln!(out, "(query {GOAL} :print-certificate true)");
        out
    }

    fn sorts(&self, symbols: &[Term]) -> String {
        let sorts: Vec<_> = symbols.iter().map(|s| self.store.sort(*s).to_string()).collect();
        format!("({})", sorts.join(" "))
    }

    /// The bound symbols, the body and the head of a clause.
    fn parts(&self, clause: &Clause) -> (String, String, Option<String>) {
        let symbols = self.symbols(clause);
        let names: BTreeSet<_> = symbols.iter().filter_map(|s| self.store.name(*s)).collect();
        if names.len() < symbols.len() {
            // Two symbols may differ in their sort alone; here each has a name.
            let mut store = self.store.clone();
            let mut pairs = Vec::new();
            for (number, &symbol) in symbols.iter().enumerate() {
                let sort = store.sort(symbol);
                pairs.push((symbol, store.fresh(&format!("x{number}"), sort)));
            }
            let mut renamed = Substitution::new(pairs);
            let clause = clause.map(&mut store, &mut renamed);
            return System { store, ..self.clone() }.parts(&clause);
        }
        let bound: Vec<String> = symbols
            .iter()
            .filter_map(|s| Some((self.store.name(*s)?, self.store.sort(*s))))
            .map(|(name, sort)| format!("({} {sort})", smtlib_symbol(name)))
            .collect();
        let mut body: Vec<String> = clause.body.iter().map(|a| self.applied(a)).collect();
        if !self.store.is_true(clause.constraint) {
            body.push(self.store.smtlib(clause.constraint));
        }
        let body = match body.as_slice() {
            [] => String::from("true"),
            [one] => one.clone(),
            many => format!("(and {})", many.join(" ")),
        };
        (bound.join(" "), body, clause.head.as_ref().map(|head| self.applied(head)))
    }

    fn applied(&self, applied: &Applied) -> String {
        let name = smtlib_symbol(&self.predicates[applied.predicate].name);
        if applied.arguments.is_empty() {
            return name;
        }
        let arguments: Vec<_> = applied.arguments.iter().map(|a| self.store.smtlib(*a)).collect();
        format!("({name} {})", arguments.join(" "))
    }
}

impl Clause {
    fn map(&self, store: &mut TermStore, change: &mut Substitution) -> Clause {
        let mut applied = |a: &Applied| Applied {
            predicate: a.predicate,
            arguments: a.arguments.iter().map(|t| change.apply(store, *t)).collect(),
        };
        let body = self.body.iter().map(&mut applied).collect();
        let head = self.head.as_ref().map(&mut applied);
        Clause { body, head, constraint: change.apply(store, self.constraint) }
    }
}
