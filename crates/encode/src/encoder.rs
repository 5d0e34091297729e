//! What an encoding in progress knows: terms, variables, memory, inputs.

use crate::Options;
use crate::arithmetic::{Arithmetic, IntType};
use crate::cell::Cell;
use crate::initial::FirstCell;
use crate::liveness::Live;
use crate::pointer::Pointers;
use crate::state::State;
use crate::team::Team;
use crate::value::{Kind, Value};
use parallax_base::{Id, IdVec, Span};
use parallax_cfa as cfa;
use parallax_ir::{Domain, Input, Role, Variable};
use parallax_term::{Int, Sort, Term, TermStore};
use parallax_transform::ranges::Ranges;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Why an operation has no encoding.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Gap {
    /// It is not covered: the run that needs it is neither good nor bad.
    Uncovered(Arc<str>),
    /// It is undefined in C whatever the state; the run ends.
    Undefined,
}

impl Gap {
    pub(crate) fn new(text: impl Into<Arc<str>>) -> Gap {
        Gap::Uncovered(text.into())
    }
}

/// The variables that hold a scalar, or an array of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Slots {
    One(usize),
    /// Object and distance.
    Pointer(usize, usize),
}

/// Where an object of the program is kept.
#[derive(Clone, Debug)]
pub(crate) enum Home {
    /// In variables of its own.
    Cells(Vec<(Cell, Slots)>),
    /// In memory, under this number.
    Object(u32),
    /// In memory, under a new number for each life; the variable holds it.
    Moving(usize),
}

/// A part of memory: cells of one kind, or bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Region {
    /// What the cells hold; `None` for bytes.
    pub(crate) kind: Option<Kind>,
    pub(crate) slots: Slots,
    /// Whether it is one scalar, so that no address is needed.
    pub(crate) single: bool,
    /// Whether code outside the program may change it.
    pub(crate) escaped: bool,
}

/// Where a value comes from that the program does not determine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// An [`cfa::Op::Input`].
    Input,
    /// The contents of a scalar variable in memory when it begins to live.
    Uninitialized(Id<cfa::Variable>),
    /// All contents of a variable of the program over terms, by its position:
    /// what a local variable begins with, or what others left in memory.
    Slot(usize),
    /// Anything else the encoding leaves open.
    Open,
}

/// A choice made on an edge of the program form.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The symbol.
    pub term: Term,
    /// The function.
    pub function: Id<cfa::Function>,
    /// The edge.
    pub edge: Id<cfa::Edge>,
    /// What is chosen.
    pub source: Source,
}

/// An encoding in progress.
pub(crate) struct Encoder<'p> {
    pub(crate) program: &'p cfa::Program,
    pub(crate) options: &'p Options,
    pub(crate) store: TermStore,
    pub(crate) arithmetic: &'static dyn Arithmetic,
    pub(crate) pointers: Pointers,
    pub(crate) variables: IdVec<Variable>,
    /// The names of the variables, each with the last number given to it.
    pub(crate) names: BTreeMap<String, u32>,
    /// The symbols of the variables, in order.
    pub(crate) symbols: Vec<Term>,
    pub(crate) homes: Vec<Home>,
    pub(crate) regions: Vec<Region>,
    /// The region of each place that lies in memory.
    pub(crate) region_of: Vec<Option<usize>>,
    /// The regions that a variable in memory lies in, by the variable.
    pub(crate) lies_in: BTreeMap<Id<cfa::Variable>, BTreeSet<usize>>,
    /// A place that is the whole of a variable in memory, by the variable.
    pub(crate) wholes: BTreeMap<Id<cfa::Variable>, Id<cfa::Place>>,
    /// Regions of memory that the program has no object in, by what they hold.
    pub(crate) outside: Vec<(Kind, usize)>,
    /// Regions of variables that no pointer leads to, but that are kept as bytes.
    pub(crate) private: BTreeMap<Id<cfa::Variable>, usize>,
    /// The next free object number.
    pub(crate) next_object: u32,
    /// Static objects and parameters have numbers below this one.
    pub(crate) first_local: u32,
    /// The first object number that heap objects have.
    pub(crate) first_heap: u32,
    /// Variables some life of which may be read before it is written.
    pub(crate) read_first: BTreeSet<Id<cfa::Variable>>,
    /// Which variables are live at each location, if that is known.
    pub(crate) live_at: Option<Live>,
    /// The variable that each slot is a part of, if no other is.
    pub(crate) owners: Vec<Option<Id<cfa::Variable>>>,
    /// For the first slot of a scalar or region: the variable that says whether
    /// it was written. Only if asked.
    pub(crate) shadows: BTreeMap<usize, usize>,
    /// For a slot of integers or bytes: the variable that holds their origins.
    pub(crate) origins: BTreeMap<usize, usize>,
    /// The size of each object; -1 for one that does not live. Only if asked.
    pub(crate) sizes: Option<usize>,
    /// How many heap objects live. Only if asked.
    pub(crate) live: Option<usize>,
    /// The number of the next heap object.
    pub(crate) heap: Option<usize>,
    /// The number of the next local object that has a new one in each life.
    pub(crate) stack: Option<usize>,
    /// Edges on a cycle that allocate on the stack.
    pub(crate) cyclic: BTreeSet<(Id<cfa::Function>, Id<cfa::Edge>)>,
    /// The address of each object, chosen once. Only if pointers become integers.
    pub(crate) addresses: Option<usize>,
    /// Whether pointers are made from integers.
    pub(crate) integer_pointers: bool,
    /// Numbers of functions as objects.
    pub(crate) functions: Vec<u32>,
    /// Objects that must not be written: from the first to below the second.
    pub(crate) read_only: (u32, u32),
    /// The choices of the block being encoded.
    pub(crate) inputs: Vec<(Input, Choice)>,
    /// Conditions under which the operation being encoded is not covered.
    pub(crate) doubts: Vec<(Term, Arc<str>)>,
    /// The variables that the program mentions.
    pub(crate) mentioned: BTreeSet<Id<cfa::Variable>>,
    /// What is known of memory at the start, cell by cell.
    pub(crate) first_cells: Vec<FirstCell>,
    /// Regions of whose first contents not all is known.
    pub(crate) vague: BTreeSet<usize>,
    /// What threads know of each other, if there are several.
    pub(crate) team: Option<Team>,
    /// The atoms of the formula that is asked, the excluded one last.
    pub(crate) letter: Vec<usize>,
    /// Variables that several threads use.
    pub(crate) shared: BTreeSet<Id<cfa::Variable>>,
    /// The function being encoded.
    pub(crate) function: Id<cfa::Function>,
    /// The edge being encoded.
    pub(crate) edge: Id<cfa::Edge>,
    /// Where it starts.
    pub(crate) location: Id<cfa::Location>,
    /// What is known of integers at each location; over the integers only.
    pub(crate) ranges: Option<Ranges<'p>>,
    /// Whether that made a difference.
    pub(crate) is_narrowed: bool,
}

impl<'p> Encoder<'p> {
    pub(crate) fn types(&self) -> &'p cfa::Types {
        &self.program.types
    }

    /// Whether integers are bit-vectors.
    pub(crate) fn vectors(&self) -> bool {
        self.pointers.vectors
    }

    /// The variables that are one scalar, with their slots.
    pub(crate) fn scalars(&self) -> Vec<(Id<cfa::Variable>, usize)> {
        let mut found = Vec::new();
        for (v, home) in self.program.variables.ids().zip(&self.homes) {
            if let Home::Cells(cells) = home
                && let [(cell, Slots::One(slot))] = &cells[..]
                && cell.key.is_empty()
            {
                found.push((v, *slot));
            }
        }
        found
    }

    /// Says which slot belongs to which variable.
    pub(crate) fn note_owners(&mut self) {
        self.owners = vec![None; self.symbols.len()];
        for (v, home) in self.program.variables.ids().zip(&self.homes) {
            if let Home::Cells(cells) = home {
                for slot in cells.iter().flat_map(|(_, slots)| slots.list()) {
                    self.owners[slot] = Some(v);
                }
            }
        }
    }

    /// Forgets the values of variables that nobody reads from a location on.
    pub(crate) fn forget_dead(&self, state: &mut State, at: usize) {
        let Some(live) = &self.live_at else { return };
        let owner = |slot: usize| self.owners.get(slot).copied().flatten();
        let is_live = |v| self.shared.contains(&v) || live.contains(at, v);
        state.values.retain(|slot, _| owner(*slot).is_none_or(is_live));
    }

    /// Under this condition the operation being encoded is not covered.
    pub(crate) fn doubt(&mut self, condition: Term, why: &str) {
        if !self.store.is_false(condition) {
            self.doubts.push((condition, why.into()));
        }
    }

    /// Adds a variable.
    pub(crate) fn variable(&mut self, name: &str, domain: Domain, span: Span) -> usize {
        let mut unique = name.to_owned();
        let mut number = self.names.get(name).copied().unwrap_or(1);
        while self.names.contains_key(&unique) {
            number += 1;
            unique = format!("{name}'{number}");
        }
        self.names.insert(name.to_owned(), number);
        self.names.entry(unique.clone()).or_insert(1);
        let term = self.store.var(&unique, domain.sort());
        let role = Role::Shared;
        self.variables.push(Variable { name: unique.into(), term, domain, role, span });
        self.symbols.push(term);
        self.symbols.len() - 1
    }

    /// The domain of a scalar; of the two parts for a pointer.
    pub(crate) fn domains(&self, kind: Kind) -> Vec<Domain> {
        match kind {
            Kind::Int(ty) => vec![self.arithmetic.domain(ty)],
            Kind::Float(format) => vec![Domain::Float(format)],
            Kind::Pointer => vec![self.pointers.object_domain(), self.pointers.offset_domain()],
        }
    }

    /// Adds the variables for a scalar or, with an index sort, for an array.
    pub(crate) fn slots(
        &mut self,
        name: &str,
        kind: Kind,
        index: Option<Sort>,
        span: Span,
    ) -> Slots {
        let wrap = |domain: Domain| match (index.and_then(Sort::scalar), domain.sort().scalar()) {
            (Some(index), Some(element)) => Domain::Array(index, element),
            _ => domain,
        };
        let domains = self.domains(kind);
        if let [object, offset] = &domains[..] {
            let (object, offset) = (wrap(object.clone()), wrap(offset.clone()));
            let first = self.variable(&format!("{name}.object"), object, span);
            let second = self.variable(&format!("{name}.offset"), offset, span);
            return Slots::Pointer(first, second);
        }
        let domain = wrap(domains[0].clone());
        Slots::One(self.variable(name, domain, span))
    }

    /// The current value of a variable.
    pub(crate) fn get(&self, state: &State, slot: usize) -> Term {
        state.values.get(&slot).copied().unwrap_or(self.symbols[slot])
    }

    /// Sets a variable.
    pub(crate) fn set(&self, state: &mut State, slot: usize, value: Term) {
        if value == self.symbols[slot] {
            state.values.remove(&slot);
        } else {
            state.values.insert(slot, value);
        }
    }

    /// Makes the variables that a formula about runs sees.
    pub(crate) fn make_letter(&mut self) {
        let Some(formula) = self.options.formula() else { return };
        let atoms = formula.formula.atoms.iter().map(|atom| atom.text.clone());
        for name in atoms.chain([String::from("excluded")]).collect::<Vec<_>>() {
            let slot = self.variable(&name, Domain::Bool, Span::default());
            self.letter.push(slot);
        }
    }

    /// A symbol for a choice with the given sort and bounds.
    pub(crate) fn choice(&mut self, name: &str, domain: &Domain, source: Source) -> Term {
        let term = self.store.fresh(name, domain.sort());
        let bound = domain.bounds();
        let low = bound.clone().map(|(low, _)| self.store.int(low));
        let high = bound.map(|(_, high)| self.store.int(high));
        let input = Input { term, name: name.into(), low, high };
        self.inputs
            .push((input, Choice { term, function: self.function, edge: self.edge, source }));
        term
    }

    /// An arbitrary truth value.
    pub(crate) fn any_truth(&mut self, name: &str) -> Term {
        self.choice(name, &Domain::Bool, Source::Open)
    }

    /// Arbitrary contents of a variable of the program over terms.
    pub(crate) fn any_contents(&mut self, state: &mut State, name: &str, slots: Slots) {
        for slot in slots.list() {
            let domain = self.variables[Id::new(slot)].domain.clone();
            let term = self.choice(name, &domain, Source::Slot(slot));
            self.set(state, slot, term);
            if let Some(&origin) = self.origins.get(&slot) {
                let domain = self.variables[Id::new(origin)].domain.clone();
                let term = self.choice(name, &domain, Source::Slot(origin));
                self.set(state, origin, term);
            }
        }
    }

    /// An arbitrary scalar.
    pub(crate) fn any(&mut self, name: &str, kind: Kind, source: &Source) -> Value {
        match kind {
            Kind::Int(ty) => {
                let term = self.choice(name, &self.arithmetic.domain(ty), source.clone());
                Value::Word(self.arithmetic.whole(ty, term))
            }
            Kind::Float(format) => {
                Value::Float(self.choice(name, &Domain::Float(format), source.clone()))
            }
            Kind::Pointer => {
                let (object, offset) =
                    (self.pointers.object_domain(), self.pointers.offset_domain());
                let object = self.choice(&format!("{name}.object"), &object, source.clone());
                let offset = self.choice(&format!("{name}.offset"), &offset, source.clone());
                Value::Pointer { object, offset }
            }
        }
    }

    /// A word that was read at the present location: its range is what is
    /// known there.
    pub(crate) fn narrowed(&mut self, expr: Id<cfa::Expr>, value: Value) -> Value {
        let (Some(ranges), Value::Word(mut word)) = (&self.ranges, value.clone()) else {
            return value;
        };
        let known = ranges.range(self.location, expr);
        let (low, high) = (Int::from_i128(known.lo), Int::from_i128(known.hi));
        // Types of 128 bits are not followed.
        if low > word.low && low <= word.high {
            word.low = low;
            self.is_narrowed = true;
        }
        if high < word.high && high >= word.low {
            word.high = high;
            self.is_narrowed = true;
        }
        Value::Word(word)
    }

    /// The terms of a value of a kind, one for each slot.
    pub(crate) fn terms(&mut self, kind: Kind, value: &Value) -> Vec<Term> {
        match (kind, value) {
            (Kind::Int(ty), value) => vec![self.word(ty, value).term],
            (_, Value::Float(term)) => vec![*term],
            (_, Value::Pointer { object, offset }) => vec![*object, *offset],
            // A scalar of another kind: lowering has converted, so this is dead.
            (_, Value::Word(word) | Value::Address { word, .. }) => vec![word.term],
            (_, Value::Truth(term)) => vec![*term],
        }
    }

    /// A value of integer type as a word.
    pub(crate) fn word(&mut self, ty: IntType, value: &Value) -> crate::arithmetic::Word {
        match value {
            Value::Word(word) | Value::Address { word, .. } => word.clone(),
            Value::Truth(c) => self.arithmetic.of_truth(&mut self.store, ty, *c),
            Value::Float(term) | Value::Pointer { offset: term, .. } => {
                self.arithmetic.whole(ty, *term)
            }
        }
    }

    /// The value behind the terms of a kind.
    pub(crate) fn value(&self, kind: Kind, terms: &[Term]) -> Value {
        match (kind, terms) {
            (Kind::Int(ty), [term, ..]) => Value::Word(self.arithmetic.whole(ty, *term)),
            (_, [object, offset, ..]) => Value::Pointer { object: *object, offset: *offset },
            (_, [term]) => Value::Float(*term),
            (_, []) => unreachable!("a scalar has a term"),
        }
    }
}

impl Slots {
    pub(crate) fn list(self) -> Vec<usize> {
        match self {
            Slots::One(slot) => vec![slot],
            Slots::Pointer(object, offset) => vec![object, offset],
        }
    }
}
