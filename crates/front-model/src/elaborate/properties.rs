//! Initial predicates, properties, and the finished program.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use parallax_base::{Diagnostic, Diagnostics, Id, IdVec, Span};
use parallax_ir::{Init, Location, Process, Program, Property, PropertyKind, Role, Temporal};
use parallax_term::{Int, Term};

use super::Loaded;
use super::context::{Cx, Elab, Ty};
use super::temporal::Parsed;
use super::values::{Fault, Hazard};
use crate::ast::{self, Expr, Item};

/// The name of the implicit property about value errors.
const VALUES: &str = "values";

/// A question, before there is a program.
pub(super) struct Asked {
    pub(super) name: String,
    pub(super) kind: PropertyKind,
    /// `None` for deadlock freedom, whose target needs the program.
    pub(super) target: Option<Term>,
    pub(super) temporal: Option<Arc<Temporal>>,
    pub(super) span: Span,
}

impl<'m> Cx<'m> {
    /// Conjoins all `init` declarations.
    pub(super) fn initial_predicates(&mut self) {
        let limits = self.limits();
        for item in &self.model.items {
            let Item::Init(e) = item else { continue };
            let Ok(term) = self.expr_of(e, Ty::Bool) else {
                self.defects.clear();
                continue;
            };
            let defects = std::mem::take(&mut self.defects);
            if let Ok(left) = self.discharge(defects, &[self.init], &limits)
                && let Some(defect) = left.first()
            {
                let text = match defect.fault {
                    Fault::Division => "this may divide by zero",
                    Fault::Index(_) => "this index may lie outside the array",
                    Fault::Range(..) => "this value may lie outside its range",
                };
                let error = Diagnostic::error("M0308", defect.span, text)
                    .help("an initial predicate must be well defined for all values of its types");
                self.fail(error);
            }
            self.init = self.store.and([self.init, term]);
            if self.built(self.init, e.span).is_err() {
                return;
            }
        }
    }

    /// Builds the program, or returns what is wrong with the model.
    pub(super) fn finish(
        mut self,
        name: String,
        formulas: &'m [Parsed<'m>],
        given: &'m [ast::Expr<'m>],
    ) -> Result<Loaded, Diagnostics> {
        let mut names = BTreeMap::new();
        let mut questions = self.properties(&mut names);
        questions.extend(self.temporals(formulas, &mut names));
        let limits = self.limits();
        let mut predicates = Vec::new();
        for expression in given {
            // Errors are collected, and end the loading below.
            predicates.extend(self.property_target(expression, PropertyKind::Reachable, &limits));
        }
        if self.has_errors() {
            return Err(self.take_errors());
        }
        self.local_roles();
        let values = self.values_target();
        self.add_warnings();
        let warnings = self.take_warnings();
        let mut program = Program {
            name,
            store: std::mem::take(&mut self.store),
            variables: std::mem::take(&mut self.cells),
            processes: self.take_processes(),
            actions: std::mem::take(&mut self.actions),
            init: Init { fixed: std::mem::take(&mut self.fixed), predicate: self.init },
            properties: IdVec::default(),
        };
        let mut store = std::mem::take(&mut program.store);
        let mut properties = IdVec::default();
        for Asked { name, kind, target, temporal, span } in questions {
            let target = target.unwrap_or_else(|| program.deadlock(&mut store));
            let (name, implicit) = (name.into(), false);
            properties.push(Property { name, kind, target, temporal, implicit, span });
        }
        if let Some((target, span)) = values {
            let (name, kind) = (VALUES.into(), PropertyKind::Invariant);
            let (temporal, implicit) = (None, true);
            properties.push(Property { name, kind, target, temporal, implicit, span });
        }
        program.store = store;
        program.properties = properties;
        Ok(Loaded { program, predicates, warnings })
    }

    /// What the model asks.
    fn properties(&mut self, names: &mut BTreeMap<String, Span>) -> Vec<Asked> {
        let limits = self.limits();
        let mut found = Vec::new();
        for item in &self.model.items {
            let Item::Property(property) = item else { continue };
            let (kind, body) = match &property.kind {
                ast::PropertyKind::Invariant(e) => (PropertyKind::Invariant, Some(e)),
                ast::PropertyKind::Unreachable(e) => (PropertyKind::Unreachable, Some(e)),
                ast::PropertyKind::Reachable(e) => (PropertyKind::Reachable, Some(e)),
                ast::PropertyKind::DeadlockFree => (PropertyKind::DeadlockFree, None),
            };
            let name = self.property_name(property, kind, names);
            let target = match body {
                None => None,
                Some(e) => match self.property_target(e, kind, &limits) {
                    Ok(target) => Some(target),
                    Err(_) => continue,
                },
            };
            found.push(Asked { name, kind, target, temporal: None, span: property.span });
        }
        found
    }

    fn property_name(
        &mut self,
        property: &ast::Property<'m>,
        kind: PropertyKind,
        names: &mut BTreeMap<String, Span>,
    ) -> String {
        let Some(name) = property.name else {
            let free = |n: &usize| {
                let name = numbered(kind.word(), *n);
                !names.contains_key(&name)
            };
            let name = numbered(kind.word(), (1..).find(free).unwrap_or(0));
            names.insert(name.clone(), property.span);
            return name;
        };
        if name.text == VALUES {
            let text = "the name `values` belongs to the property about value errors";
            self.fail(Diagnostic::error("M0101", name.span, text).help("choose another name"));
        } else if let Some(&first) = names.get(name.text) {
            self.twice(name, first);
        }
        names.insert(name.text.to_owned(), name.span);
        name.text.to_owned()
    }

    pub(super) fn property_target(
        &mut self,
        e: &'m Expr<'m>,
        kind: PropertyKind,
        limits: &HashMap<Term, (Int, Int)>,
    ) -> Elab<Term> {
        let term = self.expr_of(e, Ty::Bool);
        let defects = std::mem::take(&mut self.defects);
        let term = term?;
        for defect in self.discharge(defects, &[], limits)? {
            let (when, span) = (defect.when, defect.span);
            self.hazards.push(Hazard { at: None, action: None, when, span });
        }
        Ok(match kind {
            PropertyKind::Invariant => self.store.not(term),
            _ => term,
        })
    }

    /// A local variable that another process reads is shared.
    fn local_roles(&mut self) {
        let is_local = |v: &parallax_ir::Variable| matches!(v.role, Role::Local(_));
        let locals: HashMap<Term, Id<parallax_ir::Variable>> = self
            .cells
            .iter_enumerated()
            .filter(|(_, v)| is_local(v))
            .map(|(id, v)| (v.term, id))
            .collect();
        let mut read_elsewhere = BTreeSet::new();
        for (process, member) in self.families.iter().flat_map(|f| &f.members).enumerate() {
            let mut terms = Vec::new();
            for edge in &member.edges {
                terms.push(edge.guard);
                terms.extend(edge.updates.iter().map(|u| u.value));
                terms.extend(edge.inputs.iter().flat_map(|i| i.low.into_iter().chain(i.high)));
            }
            let own = Role::Local(Id::new(process));
            for term in self.store.subterms(&terms) {
                if let Some(&id) = locals.get(&term)
                    && self.cells[id].role != own
                {
                    read_elsewhere.insert(id);
                }
            }
        }
        for id in read_elsewhere {
            self.cells[id].role = Role::Shared;
        }
    }

    /// The states in which some command is enabled and would go wrong, or a
    /// property cannot be evaluated.
    fn values_target(&mut self) -> Option<(Term, Span)> {
        let hazards = std::mem::take(&mut self.hazards);
        let span = hazards.first()?.span;
        let mut cases = Vec::new();
        for hazard in hazards {
            let Some((f, m, source)) = hazard.at else {
                cases.push(hazard.when);
                continue;
            };
            let mut parts = vec![self.at_location(f, m, source), hazard.when];
            if let Some(action) = hazard.action {
                parts.extend(self.partners_ready(action, (f, m)));
            }
            cases.push(self.store.and(parts));
        }
        Some((self.store.or(cases), span))
    }

    fn at_location(&mut self, f: usize, m: usize, location: usize) -> Term {
        let control = self.cells[Id::new(self.families[f].members[m].control)].term;
        let index = self.store.int(location as i64);
        self.store.eq(control, index)
    }

    /// For each other process with the action: one of its commands takes part
    /// in the step, if only to go wrong in it.
    fn partners_ready(
        &mut self,
        action: Id<parallax_ir::Action>,
        own: (usize, usize),
    ) -> Vec<Term> {
        let mut ready = Vec::new();
        for f in 0..self.families.len() {
            for m in 0..self.families[f].members.len() {
                let member = &self.families[f].members[m];
                let offers: Vec<(usize, Term)> = member
                    .edges
                    .iter()
                    .zip(&member.attempts)
                    .filter(|(e, _)| e.action == Some(action))
                    .map(|(e, attempted)| (e.source.index(), *attempted))
                    .collect();
                if (f, m) == own || offers.is_empty() {
                    continue;
                }
                let mut some = Vec::new();
                for (source, guard) in offers {
                    let here = self.at_location(f, m, source);
                    some.push(self.store.and([here, guard]));
                }
                ready.push(self.store.or(some));
            }
        }
        ready
    }

    fn take_processes(&mut self) -> IdVec<Process> {
        let mut processes = IdVec::default();
        for family in std::mem::take(&mut self.families) {
            let def = family.def;
            let finals: BTreeSet<&str> = def.finals.iter().map(|n| n.text).collect();
            let mut locations: IdVec<Location> = def
                .locations
                .iter()
                .map(|l| Location {
                    name: l.name.text.into(),
                    is_final: l.is_final || finals.contains(l.name.text),
                    span: l.name.span,
                })
                .collect();
            if locations.is_empty() {
                locations.push(Location { name: "_".into(), is_final: false, span: def.name.span });
            }
            for member in family.members {
                processes.push(Process {
                    name: member.name,
                    control: Id::new(member.control),
                    locations: locations.clone(),
                    initial: Id::new(0),
                    edges: member.edges,
                    span: def.name.span,
                });
            }
        }
        processes
    }
}

/// The name of the nth property without a name.
pub(super) fn numbered(word: &str, n: usize) -> String {
    if n == 1 { word.to_owned() } else { format!("{word}_{n}") }
}
