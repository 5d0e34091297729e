//! Declaring names, and finding them again.
//!
//! Constants, variables, types, enumerations and processes share one space of
//! names. Enumeration values live beside it: two enumerations may have a value
//! of the same name, which then must be qualified. Actions, locations, labels
//! and properties have spaces of their own.

use std::collections::BTreeMap;

use parallax_base::{Diagnostic, Span};
use parallax_ir::Action;

use super::context::{Constant, Cx, Declared, Entry, Enumeration, Family, NamedType};
use crate::ast::{Item, Name, Process, VarGroup};
use crate::parser::Reported;
use crate::suggest::closest;

impl<'m> Cx<'m> {
    /// Enters all declarations into the tables, unevaluated.
    pub(super) fn declare(&mut self) {
        let model = self.model;
        for item in &model.items {
            match item {
                Item::Const(def) => {
                    self.enter(def.name, Entry::Const(self.consts.len()));
                    self.consts.push(Constant { def, define: None, value: None, used: false });
                }
                Item::Type(def) => {
                    self.enter(def.name, Entry::Type(self.types.len()));
                    self.types.push(NamedType { def, shape: None });
                }
                Item::Enum(def) => {
                    let index = self.enums.len();
                    self.enter(def.name, Entry::Enum(index));
                    let values = def.values.iter().map(|v| v.text.into()).collect();
                    self.enums.push(Enumeration { def, values });
                    for (position, value) in def.values.iter().enumerate() {
                        let places = self.enum_values.entry(value.text).or_default();
                        match places.iter().find(|(e, _)| *e == index) {
                            Some(&(_, first)) => {
                                self.twice(*value, def.values[first].span);
                            }
                            None => places.push((index, position)),
                        }
                    }
                }
                Item::Var(group) => {
                    for declared in declared(group) {
                        self.enter(declared.name, Entry::Var(self.vars.len()));
                        self.vars.push(declared);
                    }
                }
                Item::Action(name) => {
                    if let Some(&first) = self.action_ids.get(name.text) {
                        let first = self.actions[first].span;
                        self.twice(*name, first);
                        continue;
                    }
                    let action = Action { name: name.text.into(), span: name.span };
                    let id = self.actions.push(action);
                    self.action_ids.insert(name.text, id);
                }
                Item::Process(def) => {
                    self.enter(def.name, Entry::Process(self.families.len()));
                    self.declare_process(def);
                }
                Item::Init(_) | Item::Property(_) => {}
            }
        }
        for e in 0..self.enums.len() {
            for value in &self.enums[e].def.values {
                if let Some(&(_, first)) = self.names.get(value.text) {
                    self.twice(*value, first);
                }
            }
        }
    }

    fn declare_process(&mut self, def: &'m Process<'m>) {
        let mut vars: Vec<Declared<'m>> = Vec::new();
        let mut seen: BTreeMap<&str, Span> = BTreeMap::new();
        for binder in &def.binders {
            if let Some(first) = seen.insert(binder.name.text, binder.name.span) {
                self.twice(binder.name, first);
            }
        }
        for declared in def.vars.iter().flat_map(declared) {
            match seen.get(declared.name.text) {
                Some(&first) => {
                    self.twice(declared.name, first);
                }
                None => {
                    seen.insert(declared.name.text, declared.name.span);
                    vars.push(declared);
                }
            }
        }
        let mut locations = BTreeMap::new();
        for (index, location) in def.locations.iter().enumerate() {
            let name = location.name;
            match locations.get(name.text) {
                Some(&first) => {
                    let first: usize = first;
                    self.twice(name, def.locations[first].name.span);
                }
                None => {
                    locations.insert(name.text, index);
                }
            }
        }
        for name in &def.finals {
            if !locations.contains_key(name.text) {
                self.unknown_location(*name, def, &locations);
            }
        }
        let members = Vec::new();
        self.families.push(Family { def, dims: Vec::new(), vars, locations, members });
    }

    fn enter(&mut self, name: Name<'m>, entry: Entry) {
        match self.names.get(name.text) {
            Some(&(_, first)) => {
                self.twice(name, first);
            }
            None => {
                self.names.insert(name.text, (entry, name.span));
            }
        }
    }

    pub(super) fn twice(&mut self, name: Name<'_>, first: Span) -> Reported {
        let text = format!("`{}` is declared twice", name.text);
        self.fail(Diagnostic::error("M0101", name.span, text).also(first, "first declared here"))
    }

    /// The error for a name that nothing declares, with the nearest known one.
    pub(super) fn unknown(&mut self, what: &str, name: &str, span: Span) -> Reported {
        let error = Diagnostic::error("M0102", span, format!("there is no {what} `{name}`"));
        let locals = self.here.map(|(f, _)| &self.families[f].vars);
        let known = self
            .bound
            .iter()
            .map(|(n, _)| *n)
            .chain(locals.into_iter().flatten().map(|v| v.name.text))
            .chain(self.names.keys().copied())
            .chain(self.enum_values.keys().copied());
        let error = with_nearest(error, name, known);
        self.fail(error)
    }

    pub(super) fn unknown_location(
        &mut self,
        name: Name<'_>,
        process: &Process<'_>,
        known: &BTreeMap<&str, usize>,
    ) -> Reported {
        let text = format!("process `{}` has no location `{}`", process.name.text, name.text);
        let error = Diagnostic::error("M0103", name.span, text);
        let error = match known.is_empty() {
            true => error.help("it declares no locations; add `location NAME, ...;`"),
            false => with_nearest(error, name.text, known.keys().copied()),
        };
        self.fail(error)
    }
}

/// Adds a suggestion, if a known name is near.
pub(super) fn with_nearest<'a>(
    error: Diagnostic,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    match closest(name, known) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error,
    }
}

fn declared<'m>(group: &'m VarGroup<'m>) -> impl Iterator<Item = Declared<'m>> {
    group.names.iter().map(|&name| Declared {
        name,
        shape: None,
        init: group.init.as_ref(),
        base: 0,
        used: false,
    })
}
