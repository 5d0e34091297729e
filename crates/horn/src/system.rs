//! Clauses as data.

use parallax_base::{Id, IdVec};
use parallax_term::{Substitution, Term, TermStore};
use std::collections::BTreeSet;
use std::sync::Arc;

/// An unknown set of tuples.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Predicate {
    /// Unique name.
    pub name: Arc<str>,
    /// Symbols that stand for the components of a tuple, all different. A
    /// solution is a formula over them; clauses need not use them.
    pub parameters: Vec<Term>,
}

/// A predicate applied to terms.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The predicate.
    pub predicate: Id<Predicate>,
    /// One term for each parameter, of the same sort.
    pub arguments: Vec<Term>,
}

/// An implication: for all values of the symbols in it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Clause {
    /// Applied predicates that are assumed.
    pub body: Vec<Applied>,
    /// What else is assumed.
    pub constraint: Term,
    /// What follows; `None` is `false`.
    pub head: Option<Applied>,
}

/// Predicates and clauses over one store.
#[derive(Clone, Debug)]
pub struct System {
    /// The store that all terms belong to.
    pub store: TermStore,
    /// The predicates.
    pub predicates: IdVec<Predicate>,
    /// The clauses, in textual order.
    pub clauses: Vec<Clause>,
}

impl System {
    /// Whether no clause assumes more than one applied predicate.
    pub fn is_linear(&self) -> bool {
        self.clauses.iter().all(|clause| clause.body.len() <= 1)
    }

    /// The predicate of this name.
    pub fn predicate(&self, name: &str) -> Option<Id<Predicate>> {
        self.predicates.iter_enumerated().find(|(_, p)| &*p.name == name).map(|(id, _)| id)
    }

    /// The symbols of a clause, oldest first.
    pub fn symbols(&self, clause: &Clause) -> Vec<Term> {
        let applied = clause.body.iter().chain(&clause.head).flat_map(|a| &a.arguments);
        let terms = applied.chain([&clause.constraint]);
        let all: BTreeSet<Term> = terms.flat_map(|&term| self.store.vars(term)).collect();
        all.into_iter().collect()
    }
}

impl Applied {
    /// A formula over the parameters of the predicate, said of the arguments.
    pub fn instance(&self, store: &mut TermStore, predicate: &Predicate, formula: Term) -> Term {
        let pairs = predicate.parameters.iter().copied().zip(self.arguments.iter().copied());
        Substitution::new(pairs).apply(store, formula)
    }
}
