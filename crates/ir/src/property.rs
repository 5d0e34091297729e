//! Properties: what is asked of a program.
//!
//! Every kind but one is a question whether some *target* state is reachable;
//! the kind says how the answer reads, and engines see only the target. The
//! exception are formulas of linear temporal logic, which are about runs.

use crate::{Program, Temporal};
use parallax_base::Span;
use parallax_term::{Term, TermStore};
use std::sync::Arc;

/// How reachability of the target reads as a verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyKind {
    /// A formula that holds in every reachable state; the target is its negation.
    Invariant,
    /// A formula that holds in no reachable state; the target is itself.
    Unreachable,
    /// A formula that holds in some reachable state: it *holds* when reached.
    Reachable,
    /// No reachable state is stuck; the target is "no step is enabled and some
    /// process is not at a final location".
    DeadlockFree,
    /// A formula of linear temporal logic that every run satisfies. It has no
    /// target; see [`Property::temporal`].
    Ltl,
}

impl PropertyKind {
    /// Whether reaching the target is what is wanted.
    pub fn wants_target(self) -> bool {
        self == PropertyKind::Reachable
    }

    /// The word models and reports use.
    pub fn word(self) -> &'static str {
        match self {
            PropertyKind::Invariant => "invariant",
            PropertyKind::Unreachable => "unreachable",
            PropertyKind::Reachable => "reachable",
            PropertyKind::DeadlockFree => "deadlock_free",
            PropertyKind::Ltl => "ltl",
        }
    }
}

/// A named question.
#[derive(Clone, Debug)]
pub struct Property {
    /// Unique name.
    pub name: Arc<str>,
    /// How to read the answer.
    pub kind: PropertyKind,
    /// The states asked for; `false` for a formula of linear temporal logic,
    /// whose answer has nothing to do with it.
    pub target: Term,
    /// The formula, if and only if the kind is [`PropertyKind::Ltl`].
    pub temporal: Option<Arc<Temporal>>,
    /// Whether the front end added it by itself.
    pub implicit: bool,
    /// Its declaration.
    pub span: Span,
}

impl Program {
    /// The target of deadlock freedom: no transition is enabled, and some
    /// process with a final location in mind has not arrived.
    pub fn deadlock(&self, store: &mut TermStore) -> Term {
        let mut stuck = Vec::new();
        for transition in self.transitions(store) {
            stuck.push(store.not(transition.guard));
        }
        let mut finished = Vec::new();
        for (p, process) in self.processes.iter_enumerated() {
            let ends = process.locations.iter_enumerated().filter(|(_, l)| l.is_final);
            let at_end: Vec<_> = ends.map(|(l, _)| self.at(store, p, l)).collect();
            finished.push(store.or(at_end));
        }
        let all_finished = store.and(finished);
        stuck.push(store.not(all_finished));
        store.and(stuck)
    }
}
