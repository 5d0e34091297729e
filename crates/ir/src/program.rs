//! Programs: processes of guarded edges over shared and local variables.
//!
//! Control locations are explicit. Each process owns one *control variable*
//! whose value is the index of its current location, so that a formula over a
//! program's states (a property, an invariant, a certificate) is one plain
//! term over variables.

use crate::{Init, Property};
use parallax_base::{Id, IdVec, Span};
use parallax_term::{Bv, FloatFormat, Int, Scalar, Sort, Term, TermStore, Value};
use std::sync::Arc;

/// The values a variable may hold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Domain {
    /// Truth values.
    Bool,
    /// All integers.
    Int,
    /// All reals.
    Real,
    /// The integers from the first to the second, both included.
    Range(Int, Int),
    /// Named constants, held as their index.
    Enum(Arc<[Arc<str>]>),
    /// All bit-vectors of a width.
    Bv(u32),
    /// All floating-point numbers of a format.
    Float(FloatFormat),
    /// All arrays from the first sort to the second.
    Array(Scalar, Scalar),
}

impl Domain {
    /// The sort of the values.
    pub fn sort(&self) -> Sort {
        match self {
            Domain::Bool => Sort::Bool,
            Domain::Real => Sort::Real,
            Domain::Int | Domain::Range(..) | Domain::Enum(_) => Sort::Int,
            Domain::Bv(width) => Sort::Bv(*width),
            Domain::Float(format) => Sort::Float(*format),
            Domain::Array(index, element) => Sort::Array(*index, *element),
        }
    }

    /// How many values there are, if finitely many and countable by a machine word.
    pub fn size(&self) -> Option<u64> {
        match self {
            Domain::Bool => Some(2),
            Domain::Int | Domain::Real | Domain::Float(_) | Domain::Array(..) => None,
            Domain::Bv(width) => 1u64.checked_shl(*width),
            Domain::Range(lo, hi) => {
                let width = (hi - lo).to_i64()?;
                u64::try_from(width).ok()?.checked_add(1)
            }
            Domain::Enum(names) => Some(names.len() as u64),
        }
    }

    /// Least and greatest value of an integer domain with bounds.
    pub fn bounds(&self) -> Option<(Int, Int)> {
        match self {
            Domain::Range(lo, hi) => Some((lo.clone(), hi.clone())),
            Domain::Enum(names) => Some((Int::ZERO, Int::from(names.len() as i64 - 1))),
            _ => None,
        }
    }

    /// The values in increasing order; empty for a domain without a size.
    pub fn values(&self) -> Box<dyn Iterator<Item = Value>> {
        if *self == Domain::Bool {
            return Box::new([Value::Bool(false), Value::Bool(true)].into_iter());
        }
        if let (Domain::Bv(width), Some(size)) = (self, self.size()) {
            let width = *width;
            return Box::new((0..size).map(move |i| Value::Bv(Bv::new(width, i.into()))));
        }
        let (Some((lo, _)), Some(size)) = (self.bounds(), self.size()) else {
            return Box::new(std::iter::empty());
        };
        Box::new((0..size).map(move |i| Value::Int(&lo + &Int::from(i as i64))))
    }

    /// Whether a value belongs to the domain.
    pub fn contains(&self, value: &Value) -> bool {
        match (self.bounds(), value) {
            (Some((lo, hi)), Value::Int(v)) => lo <= *v && *v <= hi,
            (None, v) => v.sort() == self.sort(),
            _ => false,
        }
    }

    /// The formula "`term` lies in the domain".
    pub fn constraint(&self, store: &mut TermStore, term: Term) -> Term {
        match self.bounds() {
            None => store.bool(true),
            Some((lo, hi)) => {
                let (lo, hi) = (store.int(lo), store.int(hi));
                let (above, below) = (store.le(lo, term), store.le(term, hi));
                store.and([above, below])
            }
        }
    }

    /// A value as people write it: enumeration constants by name.
    pub fn show(&self, value: &Value) -> String {
        match (self, value) {
            (Domain::Enum(names), Value::Int(i)) => i
                .to_i64()
                .and_then(|i| names.get(usize::try_from(i).ok()?))
                .map_or_else(|| i.to_string(), ToString::to_string),
            _ => value.to_string(),
        }
    }

    /// Some value of the domain.
    pub fn default_value(&self) -> Value {
        match self {
            Domain::Range(lo, _) => Value::Int(lo.clone()),
            _ => Value::default_of(self.sort()),
        }
    }
}

/// Who a variable belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Visible to every process.
    Shared,
    /// Used by one process only.
    Local(Id<Process>),
    /// The current location of a process.
    Control(Id<Process>),
}

/// A variable of the program.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Unique name, such as `t`, `a[2]` or `P[0].mine`.
    pub name: Arc<str>,
    /// The symbol that stands for it in formulas.
    pub term: Term,
    /// What it may hold.
    pub domain: Domain,
    /// Whose it is.
    pub role: Role,
    /// Its declaration.
    pub span: Span,
}

/// A control location.
#[derive(Clone, Debug)]
pub struct Location {
    /// Name, unique in its process.
    pub name: Arc<str>,
    /// Whether waiting here for ever is a proper end, not a deadlock.
    pub is_final: bool,
    /// Its declaration.
    pub span: Span,
}

/// A nondeterministic value chosen when an edge is taken.
#[derive(Clone, Debug)]
pub struct Input {
    /// The symbol that stands for it in the updates of the same edge.
    pub term: Term,
    /// What it is called in traces: the variable it is assigned to.
    pub name: Arc<str>,
    /// Least value, over the state before the edge.
    pub low: Option<Term>,
    /// Greatest value, over the state before the edge.
    pub high: Option<Term>,
}

/// One assignment of a simultaneous update.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Update {
    /// The variable assigned to.
    pub variable: Id<Variable>,
    /// The new value, over the state before the edge and the edge's inputs.
    pub value: Term,
}

/// The name of a shared action.
#[derive(Clone, Debug)]
pub struct Action {
    /// Name as declared.
    pub name: Arc<str>,
    /// Its declaration.
    pub span: Span,
}

/// A guarded step of one process.
#[derive(Clone, Debug)]
pub struct Edge {
    /// Label, unique in its process.
    pub name: Arc<str>,
    /// Location it leaves.
    pub source: Id<Location>,
    /// Location it enters.
    pub target: Id<Location>,
    /// Shared action: the edge fires only together with one edge of every
    /// other process that has this action.
    pub action: Option<Id<Action>>,
    /// Condition over the state. Unless the edge has a constraint, it implies
    /// that every input has a value.
    pub guard: Term,
    /// Choices made on the way.
    pub inputs: Vec<Input>,
    /// What the inputs must satisfy beside their bounds, over the state before
    /// the edge and the inputs; `true` in models, where guards say it all.
    pub constraint: Term,
    /// Simultaneous assignments, at most one per variable.
    pub updates: Vec<Update>,
    /// The command it comes from.
    pub span: Span,
}

/// A sequential component.
#[derive(Clone, Debug)]
pub struct Process {
    /// Unique name, such as `Cabin` or `P[0]`.
    pub name: Arc<str>,
    /// The variable that holds the current location.
    pub control: Id<Variable>,
    /// Its locations.
    pub locations: IdVec<Location>,
    /// Where it starts.
    pub initial: Id<Location>,
    /// Its edges, in textual order: searches follow this order.
    pub edges: IdVec<Edge>,
    /// Its declaration.
    pub span: Span,
}

/// A program: processes, variables, initial condition, properties.
#[derive(Clone, Debug)]
pub struct Program {
    /// What the program calls itself.
    pub name: String,
    /// The store all terms of the program belong to.
    pub store: TermStore,
    /// All variables, control variables included; a state lists them in this order.
    pub variables: IdVec<Variable>,
    /// The processes, in textual order.
    pub processes: IdVec<Process>,
    /// Shared actions.
    pub actions: IdVec<Action>,
    /// Where runs start.
    pub init: Init,
    /// What is asked, in textual order.
    pub properties: IdVec<Property>,
}

impl Program {
    /// A program that does nothing, with nothing asked.
    pub fn nothing() -> Program {
        let mut store = TermStore::new();
        let predicate = store.bool(true);
        Program {
            name: String::new(),
            store,
            variables: IdVec::default(),
            processes: IdVec::default(),
            actions: IdVec::default(),
            init: Init { fixed: Vec::new(), predicate },
            properties: IdVec::default(),
        }
    }
}

impl Program {
    /// Position of a variable's symbol in a state.
    pub fn slot(&self, term: Term) -> Option<usize> {
        self.variables.iter().position(|v| v.term == term)
    }

    /// The formula "process `p` is at location `l`".
    pub fn at(&self, store: &mut TermStore, p: Id<Process>, l: Id<Location>) -> Term {
        let control = self.variables[self.processes[p].control].term;
        let index = store.int(l.index() as i64);
        store.eq(control, index)
    }

    /// Looks a property up by name.
    pub fn property(&self, name: &str) -> Option<Id<Property>> {
        self.properties.iter_enumerated().find(|(_, p)| &*p.name == name).map(|(id, _)| id)
    }
}
