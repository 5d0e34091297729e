//! Which variables an abstract state keeps by value.
//!
//! Control locations are explicit, and so are variables with few values:
//! booleans, enumerations and small ranges. All others are *hidden*: an
//! abstract state sees them only through predicates. This is the convention
//! under which the figures of Albarghouthi's thesis (Toronto 2010) come out.

use parallax_ir::{Program, Role};
use parallax_term::{Term, TermStore};
use rustc_hash::FxHashMap;

/// Ranges with more values than this are seen through predicates.
const EXPLICIT_LIMIT: u64 = 256;

/// The split of a program's variables into explicit and hidden ones.
#[derive(Clone, Debug)]
pub struct Partition {
    /// State positions kept by value, increasing.
    pub explicit: Vec<usize>,
    /// State positions seen through predicates, increasing.
    pub hidden: Vec<usize>,
    slots: FxHashMap<Term, usize>,
    is_hidden: Vec<bool>,
}

impl Partition {
    /// The partition of a program's variables.
    pub fn new(program: &Program) -> Partition {
        let keeps = |v: &parallax_ir::Variable| {
            matches!(v.role, Role::Control(_))
                || v.domain.size().is_some_and(|n| n <= EXPLICIT_LIMIT)
        };
        let is_hidden: Vec<bool> = program.variables.iter().map(|v| !keeps(v)).collect();
        let (hidden, explicit) = (0..is_hidden.len()).partition(|&i| is_hidden[i]);
        let slots = program.variables.iter().enumerate().map(|(i, v)| (v.term, i)).collect();
        Partition { explicit, hidden, slots, is_hidden }
    }

    /// State position of a variable's symbol.
    pub fn slot(&self, term: Term) -> Option<usize> {
        self.slots.get(&term).copied()
    }

    /// Whether the state position is seen only through predicates.
    pub fn is_hidden(&self, slot: usize) -> bool {
        self.is_hidden[slot]
    }

    /// Whether the explicit values alone determine the term: it mentions no
    /// hidden variable and no input.
    pub fn is_explicit_term(&self, store: &TermStore, term: Term) -> bool {
        store.vars(term).into_iter().all(|v| self.slot(v).is_some_and(|slot| !self.is_hidden[slot]))
    }
}
