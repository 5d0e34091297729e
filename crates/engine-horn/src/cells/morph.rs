//! Programs without arrays: of each array only the elements at some constants are
//! kept.
//!
//! Invariant: what is left out may have any value, so every run of the program is one
//! of the result. Nobody has to believe that; what is found is checked on the
//! program itself.

use parallax_base::{Id, IdVec};
use parallax_ir::{Domain, Edge, Init, Input, Process, Program, Update, Variable};
use parallax_term::{Node, Op, Scalar, Sort, Substitution, Term, TermStore, Value};
use std::collections::{BTreeMap, BTreeSet};

/// An initial array with more elements of its own starts with any values.
const ENTRIES: usize = 64;

/// Steps times arrays: programs with more are not looked at.
const SIZE: usize = 1_000_000;

/// A program without arrays, and what stands for what.
pub(super) struct Morphed {
    pub(super) program: Program,
    /// Elements that are kept: their symbol, the array, the index.
    pub(super) cells: Vec<(Term, Term, Term)>,
    /// For each variable which one of the program it is, unless it is an element.
    pub(super) variables: Vec<Option<Id<Variable>>>,
}

impl Morphed {
    /// Keeps the elements of all arrays at these indices; `None` if the program does
    /// with arrays what cannot be said of single elements, or is too large.
    pub(super) fn new(program: &Program, indices: &[Term]) -> Option<Morphed> {
        let steps: usize = program.processes.iter().map(|process| process.edges.len()).sum();
        let is_array = |v: &&Variable| matches!(v.domain, Domain::Array(..));
        if steps * program.variables.iter().filter(is_array).count() > SIZE {
            return None;
        }
        let mut store = program.store.clone();
        let mut kept: BTreeMap<Term, Vec<(Term, Term)>> = BTreeMap::new();
        let (mut list, mut from, mut fixed) = (IdVec::default(), Vec::new(), Vec::new());
        let mut places = Vec::new();
        let mut starts = Vec::new();
        let mut cells = Vec::new();
        for (id, variable) in program.variables.iter_enumerated() {
            let start = &program.init.fixed[id.index()];
            let Domain::Array(at, element) = variable.domain else {
                places.push(Some(list.push(variable.clone())));
                from.push(Some(id));
                fixed.push(start.clone());
                continue;
            };
            places.push(None);
            let mut own = Vec::new();
            for (nth, &index) in indices.iter().enumerate() {
                if store.sort(index) != Sort::from(at) {
                    continue;
                }
                let term = store.fresh(&variable.name, element.into());
                let name = format!("{}#{}", variable.name, nth + 1).into();
                let domain = domain(element);
                list.push(Variable { name, term, domain, ..variable.clone() });
                from.push(None);
                fixed.push(start.as_ref().and_then(everywhere));
                if let Some(value) = start.as_ref().filter(|value| everywhere(value).is_none()) {
                    starts.extend(element_at(&mut store, value, index).map(|v| (term, v)));
                }
                own.push((index, term));
                cells.push((term, variable.term, index));
            }
            kept.insert(variable.term, own);
        }
        let arrays: BTreeSet<Term> = kept.keys().copied().collect();
        let mut conditions = Vec::new();
        for condition in conjuncts(&store, program.init.predicate) {
            if !mentions(&store, condition, &arrays) {
                conditions.push(condition);
            }
        }
        for (cell, value) in starts {
            conditions.push(store.eq(cell, value));
        }
        let predicate = store.and(conditions);
        let mut processes = IdVec::default();
        for process in &program.processes {
            let mut edges = IdVec::default();
            for edge in &process.edges {
                let step = Rewriting::new(&mut store, &kept, indices, edge);
                edges.push(step.edge(edge, program, &places)?);
            }
            let control = places[process.control.index()]?;
            processes.push(Process { control, edges, ..process.clone() });
        }
        if program.properties.iter().any(|p| mentions(&store, p.target, &arrays)) {
            return None;
        }
        store.freeze();
        let program = Program {
            name: program.name.clone(),
            store,
            variables: list,
            processes,
            actions: program.actions.clone(),
            init: Init { fixed, predicate },
            properties: program.properties.clone(),
        };
        Some(Morphed { program, cells, variables: from })
    }
}

/// All values of a sort.
fn domain(sort: Scalar) -> Domain {
    match Sort::from(sort) {
        Sort::Bool => Domain::Bool,
        Sort::Real => Domain::Real,
        Sort::Bv(width) => Domain::Bv(width),
        Sort::Float(format) => Domain::Float(format),
        Sort::Int | Sort::Array(..) => Domain::Int,
    }
}

/// The element of an array that has the same one everywhere.
fn everywhere(array: &Value) -> Option<Value> {
    let array = array.as_array().filter(|array| array.is_empty())?;
    Some(array.default().clone())
}

/// The element of an array with few elements of its own.
fn element_at(store: &mut TermStore, array: &Value, index: Term) -> Option<Term> {
    let array = array.as_array()?;
    if array.entries().count() > ENTRIES {
        return None;
    }
    let mut found = store.constant(array.default().clone());
    for (at, value) in array.entries() {
        let (at, value) = (store.constant(at.clone()), store.constant(value.clone()));
        let is_here = store.eq(at, index);
        found = store.ite(is_here, value, found);
    }
    Some(found)
}

/// That two indices are the same. Sums with the same factors are if all that is
/// summed up is, which says nothing new and is easier to work with.
fn same(store: &mut TermStore, index: Term, other: Term) -> Term {
    let equal = store.eq(index, other);
    if store.value(equal).is_some() || store.sort(index) != Sort::Int {
        return equal;
    }
    let (one, two) = (store.linear(index), store.linear(other));
    let (one, two) = (one.monomials(), two.monomials());
    if one.len() < 2
        || one.len() != two.len()
        || store.linear(index).constant_part() != store.linear(other).constant_part()
    {
        return equal;
    }
    let mut parts = Vec::new();
    for (term, factor) in one {
        let mut like = two.iter().filter(|(_, f)| f == factor).map(|(t, _)| *t);
        let (Some(other), None) = (like.next(), like.next()) else { return equal };
        parts.push(store.eq(*term, other));
    }
    let parts = store.and(parts);
    store.or([parts, equal])
}

fn conjuncts(store: &TermStore, term: Term) -> Vec<Term> {
    match store.node(term) {
        Node::And(items) => items.to_vec(),
        _ => vec![term],
    }
}

fn mentions(store: &TermStore, term: Term, symbols: &BTreeSet<Term>) -> bool {
    store.vars(term).iter().any(|v| symbols.contains(v))
}

/// One edge on its way to one without arrays.
struct Rewriting<'a> {
    store: &'a mut TermStore,
    /// For each array, variable or input: the elements that are kept.
    kept: BTreeMap<Term, Vec<(Term, Term)>>,
    /// Elements that are not: by array and index, an input.
    others: BTreeMap<(Term, Term), Term>,
    inputs: Vec<Input>,
    /// Reads with what stands in their place.
    reads: Substitution,
}

impl<'a> Rewriting<'a> {
    fn new(
        store: &'a mut TermStore,
        kept: &BTreeMap<Term, Vec<(Term, Term)>>,
        indices: &[Term],
        edge: &Edge,
    ) -> Rewriting<'a> {
        let (mut kept, mut inputs) = (kept.clone(), Vec::new());
        for input in &edge.inputs {
            let Sort::Array(at, element) = store.sort(input.term) else {
                inputs.push(input.clone());
                continue;
            };
            let mut own = Vec::new();
            for &index in indices {
                if store.sort(index) != Sort::from(at) {
                    continue;
                }
                let term = store.fresh(&input.name, element.into());
                inputs.push(Input { term, name: input.name.clone(), low: None, high: None });
                own.push((index, term));
            }
            kept.insert(input.term, own);
        }
        let (others, reads) = (BTreeMap::new(), Substitution::default());
        Rewriting { store, kept, others, inputs, reads }
    }

    fn edge(
        mut self,
        edge: &Edge,
        program: &Program,
        places: &[Option<Id<Variable>>],
    ) -> Option<Edge> {
        let mut roots = vec![edge.guard, edge.constraint];
        roots.extend(edge.updates.iter().map(|u| u.value));
        for term in self.store.subterms(&roots) {
            if let Node::Apply(Op::Select, arguments) = self.store.node(term) {
                let (array, index) = (arguments[0], arguments[1]);
                let index = self.reads.apply(self.store, index);
                let value = self.element(array, index)?;
                self.reads.insert(term, value);
            }
        }
        let mut updates = Vec::new();
        for update in &edge.updates {
            if let Some(variable) = places[update.variable.index()] {
                let value = self.reads.apply(self.store, update.value);
                updates.push(Update { variable, value });
            }
        }
        // The elements of an array that is written follow those of the arrays before.
        let mut next = 0;
        for (id, variable) in program.variables.iter_enumerated() {
            let cells = self.kept.get(&variable.term).cloned().unwrap_or_default();
            if places[id.index()].is_some() {
                next += 1;
                continue;
            }
            let written = edge.updates.iter().find(|update| update.variable == id);
            for (nth, &(index, _)) in cells.iter().enumerate() {
                if let Some(update) = written {
                    let value = self.element(update.value, index)?;
                    updates.push(Update { variable: Id::new(next + nth), value });
                }
            }
            next += cells.len();
        }
        let guard = self.reads.apply(self.store, edge.guard);
        let constraint = self.reads.apply(self.store, edge.constraint);
        let chosen: BTreeSet<Term> = self.inputs.iter().map(|input| input.term).collect();
        let (mut before, mut after) = (Vec::new(), vec![constraint]);
        for part in conjuncts(self.store, guard) {
            match mentions(self.store, part, &chosen) {
                true => after.push(part),
                false => before.push(part),
            }
        }
        let (guard, constraint) = (self.store.and(before), self.store.and(after));
        let arrays: BTreeSet<Term> = self.kept.keys().copied().collect();
        let mut all = updates.iter().map(|u| u.value).chain([guard, constraint]);
        if all.any(|term| mentions(self.store, term, &arrays)) {
            return None;
        }
        Some(Edge { guard, constraint, updates, inputs: self.inputs, ..edge.clone() })
    }

    /// The element of an array at an index without reads.
    fn element(&mut self, array: Term, index: Term) -> Option<Term> {
        let mut values: BTreeMap<Term, Term> = BTreeMap::new();
        for part in self.store.subterms(&[array]) {
            if !matches!(self.store.sort(part), Sort::Array(..)) {
                continue;
            }
            let value = match self.store.node(part).clone() {
                Node::Apply(Op::Store, arguments) => {
                    let at = self.reads.apply(self.store, arguments[1]);
                    let written = self.reads.apply(self.store, arguments[2]);
                    let is_here = same(self.store, at, index);
                    let Some(&before) = values.get(&arguments[0]) else { continue };
                    self.store.ite(is_here, written, before)
                }
                Node::Apply(Op::ConstArray(_), arguments) => {
                    self.reads.apply(self.store, arguments[0])
                }
                Node::Ite(condition, yes, no) => {
                    let condition = self.reads.apply(self.store, condition);
                    let (Some(&yes), Some(&no)) = (values.get(&yes), values.get(&no)) else {
                        continue;
                    };
                    self.store.ite(condition, yes, no)
                }
                Node::Value(value) => match element_at(self.store, &value, index) {
                    Some(element) => element,
                    None => self.other(part, index),
                },
                Node::Var(..) => self.kept_or_other(part, index),
                _ => continue,
            };
            values.insert(part, value);
        }
        values.get(&array).copied()
    }

    /// The element of an array variable or input.
    fn kept_or_other(&mut self, array: Term, index: Term) -> Term {
        let kept = self.kept.get(&array).cloned().unwrap_or_default();
        if let Some((_, cell)) = kept.iter().find(|(at, _)| *at == index) {
            return *cell;
        }
        let mut found = self.other(array, index);
        for &(at, cell) in kept.iter().rev() {
            let is_here = same(self.store, index, at);
            found = self.store.ite(is_here, cell, found);
        }
        found
    }

    /// Any value, the same for the same element.
    fn other(&mut self, array: Term, index: Term) -> Term {
        if let Some(&known) = self.others.get(&(array, index)) {
            return known;
        }
        let Sort::Array(_, element) = self.store.sort(array) else { return array };
        let term = self.store.fresh("element", element.into());
        self.inputs.push(Input { term, name: "element".into(), low: None, high: None });
        self.others.insert((array, index), term);
        term
    }
}
