//! Layer 4: Horn clauses as programs.
//!
//! Linear clauses, where at most one predicate is assumed, say what a program
//! says: a predicate is a location, its parameters are what is remembered
//! there, a clause is a step, and `false` is a location that must not be
//! reached. The clauses have a solution if and only if no run reaches it. So
//! every engine can have them.
//!
//! Invariant: the steps of the program are the clauses, one by one, in textual
//! order. A symbol of a clause is a variable before the step where the assumed
//! predicate has it as an argument; what an equation defines is put in its
//! place; every other symbol is an input.
//!
//! | code | meaning |
//! | --- | --- |
//! | H0001 | the text makes no sense, or uses what is not supported |
//! | H0002 | a clause assumes several predicates |

mod step;

use parallax_base::{Diagnostic, Diagnostics, FileId, Id, IdVec, SourceMap, Span};
use parallax_horn::{Predicate, System};
use parallax_ir::{
    Domain, Init, Location, Process, Program, Property, PropertyKind, Role, Variable,
};
use parallax_term::{Sort, Term, TermStore};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The name of the one property.
pub const PROPERTY: &str = "satisfiable";

/// Reads a file of `sources` as a program.
pub fn load(sources: &SourceMap, file: FileId) -> Result<Program, Diagnostics> {
    let (name, text) = sources.get(file).map_or(("", ""), |f| (f.name(), f.text()));
    let failed = |code, offset: usize, message: String| {
        let span = Span::new(file, offset, offset + usize::from(offset < text.len()));
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(Diagnostic::error(code, span, message));
        diagnostics
    };
    let system = System::read(text).map_err(|e| failed("H0001", e.offset, e.message))?;
    if !system.is_linear() {
        let message = "a clause assumes several predicates, so it is no step of a program";
        return Err(failed("H0002", 0, message.into()));
    }
    let name = std::path::Path::new(name).file_name().and_then(|n| n.to_str()).unwrap_or(name);
    Ok(program(name, &system, Span::new(file, 0, 0)))
}

/// The program that linear clauses are.
fn program(name: &str, system: &System, span: Span) -> Program {
    let mut store = system.store.clone();
    let registers = Registers::new(&mut store, system);
    let mut variables: IdVec<Variable> = IdVec::default();
    for &(term, sort) in &registers.all {
        let name = store.name(term).cloned().unwrap_or_default();
        let (domain, role) = (domain(sort), Role::Local(Id::new(0)));
        variables.push(Variable { name, term, domain, role, span });
    }
    let location = |name: &str| Location { name: name.into(), is_final: true, span };
    let mut locations: IdVec<Location> = IdVec::default();
    let start = locations.push(location(&unlike(system, "start")));
    for predicate in &system.predicates {
        locations.push(location(&predicate.name));
    }
    let end = locations.push(location(&unlike(system, "false")));
    let at = |predicate: Option<Id<Predicate>>, other| {
        predicate.map_or(other, |predicate| Id::new(predicate.index() + 1))
    };
    let mut edges = IdVec::default();
    for (number, clause) in system.clauses.iter().enumerate() {
        let source = at(clause.body.first().map(|a| a.predicate), start);
        let target = at(clause.head.as_ref().map(|a| a.predicate), end);
        let name: Arc<str> = format!("clause{}", number + 1).into();
        let edge = step::edge(&mut store, &registers, clause);
        edges.push(parallax_ir::Edge { name, source, target, span, ..edge });
    }
    let size = locations.len();
    let names = locations.iter().map(|l| Arc::clone(&l.name)).collect();
    let term = store.var("control", Sort::Int);
    let role = Role::Control(Id::new(0));
    let control = variables.push(Variable {
        name: "control".into(),
        term,
        domain: Domain::Enum(names),
        role,
        span,
    });
    let process =
        Process { name: "clauses".into(), control, locations, initial: start, edges, span };
    let index = store.int(size as i64 - 1);
    let property = Property {
        name: PROPERTY.into(),
        kind: PropertyKind::Unreachable,
        target: store.eq(term, index),
        temporal: None,
        implicit: false,
        span,
    };
    let mut fixed = vec![None; variables.len()];
    fixed[control.index()] = Some(parallax_term::Value::int(0));
    let predicate = store.bool(true);
    let (mut processes, mut properties) = (IdVec::default(), IdVec::default());
    processes.push(process);
    properties.push(property);
    Program {
        name: name.to_owned(),
        store,
        variables,
        processes,
        actions: IdVec::default(),
        init: Init { fixed, predicate },
        properties,
    }
}

/// A name that no predicate has.
fn unlike(system: &System, name: &str) -> String {
    let mut name = name.to_owned();
    while system.predicate(&name).is_some() {
        name.push('!');
    }
    name
}

/// All values of a sort.
fn domain(sort: Sort) -> Domain {
    match sort {
        Sort::Bool => Domain::Bool,
        Sort::Int => Domain::Int,
        Sort::Real => Domain::Real,
        Sort::Bv(width) => Domain::Bv(width),
        Sort::Float(format) => Domain::Float(format),
        Sort::Array(index, element) => Domain::Array(index, element),
    }
}

/// The variables of the program: the n-th parameter of a sort is kept in the
/// same one by all predicates.
struct Registers {
    all: Vec<(Term, Sort)>,
    /// Positions in `all`, by predicate and parameter.
    of: Vec<Vec<usize>>,
}

impl Registers {
    fn new(store: &mut TermStore, system: &System) -> Registers {
        let (mut all, mut of) = (Vec::<(Term, Sort)>::new(), Vec::new());
        let symbols = system.clauses.iter().flat_map(|clause| system.symbols(clause));
        let taken: BTreeSet<Arc<str>> =
            symbols.filter_map(|s| system.store.name(s).cloned()).collect();
        let mut names =
            (0..).map(|n| format!("r{n}")).filter(|name| !taken.contains(name.as_str()));
        for predicate in &system.predicates {
            let mut mine: Vec<usize> = Vec::new();
            for &parameter in &predicate.parameters {
                let sort = store.sort(parameter);
                let free = |&at: &usize| all[at].1 == sort && !mine.contains(&at);
                let at = (0..all.len()).find(free).unwrap_or_else(|| {
                    let name = names.next().unwrap_or_default();
                    all.push((store.var(&name, sort), sort));
                    all.len() - 1
                });
                mine.push(at);
            }
            of.push(mine);
        }
        Registers { all, of }
    }
}
