//! A text and what can be compiled of it.

use crate::ast::{Item, Name};
use crate::build::{Builder, Built, Compiled, Env, Failure, Part, Quit};
use crate::composite::Hidden;
use crate::parse::parse;
use parallax_base::{Budget, Diagnostic, Diagnostics, FileId, Span, Stop};
use parallax_ltl::Assertion;
use parallax_lts::{Lts, Parallel, ProgressCheck, compose_within, is_hidden, minimize_weak};
use std::rc::Rc;

/// What a definition is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A process.
    Process,
    /// A property automaton.
    Property,
    /// A composition.
    Composition,
}

/// A definition that can be compiled.
#[derive(Clone, Debug)]
pub struct Process {
    /// Its name.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Where its name stands.
    pub span: Span,
}

/// An FSP text that was read.
#[derive(Clone, Debug)]
pub struct Model {
    items: Vec<Item>,
}

impl Model {
    /// Reads a text.
    ///
    /// # Errors
    /// All that is wrong with its syntax.
    pub fn read(file: FileId, text: &str) -> Result<Model, Diagnostics> {
        let mut diagnostics = Diagnostics::default();
        let items = parse(file, text, &mut diagnostics);
        if diagnostics.has_errors() { Err(diagnostics) } else { Ok(Model { items }) }
    }

    /// All processes, properties and compositions, in the order of the text.
    pub fn processes(&self) -> Vec<Process> {
        let process =
            |name: &Name, kind| Process { name: name.text.to_string(), kind, span: name.span };
        self.items
            .iter()
            .filter_map(|item| match item {
                Item::Process(p) if p.modes.property => Some(process(&p.name, Kind::Property)),
                Item::Process(p) => Some(process(&p.name, Kind::Process)),
                Item::Composite(c) => Some(process(&c.name, Kind::Composition)),
                Item::Import(i) => Some(process(&i.name, Kind::Process)),
                _ => None,
            })
            .collect()
    }

    /// The files that processes are imported from: the name of the process, the
    /// file, and where it is named.
    pub fn imports(&self) -> Vec<(String, String, Span)> {
        self.items
            .iter()
            .filter_map(|item| match item {
                Item::Import(i) => Some((i.name.text.to_string(), i.file.to_string(), i.span)),
                _ => None,
            })
            .collect()
    }

    /// Says what an imported process is.
    pub fn provide(&mut self, name: &str, lts: Lts) {
        for item in &mut self.items {
            if let Item::Import(import) = item
                && &*import.name.text == name
            {
                import.lts = Some(Rc::new(lts));
                return;
            }
        }
    }

    /// The formulas that are read and not checked.
    pub fn unchecked(&self) -> Vec<(String, &'static str, Span)> {
        self.items
            .iter()
            .filter_map(|item| match item {
                Item::Constraint(name) => Some((name.text.to_string(), "constraint", name.span)),
                _ => None,
            })
            .collect()
    }

    /// Compiles a definition. `None` composes all processes and properties of
    /// the text, or takes the last composition if there is one.
    ///
    /// # Errors
    /// What is wrong with the text, or that the budget ended.
    pub fn compile(&self, name: Option<&str>, budget: &Budget) -> Result<Compiled, Failure> {
        self.compile_as(name, false, budget)
    }

    /// The same; if `minimize`, every machine is replaced by the smallest weakly
    /// bisimilar one before it is composed with others.
    ///
    /// # Errors
    /// What is wrong with the text, or that the budget ended.
    pub fn compile_as(
        &self,
        name: Option<&str>,
        minimize: bool,
        budget: &Budget,
    ) -> Result<Compiled, Failure> {
        let wide = self.side_by_side(name, minimize, budget)?;
        match wide.compose(usize::MAX, budget).map_err(Failure::Stopped)? {
            Some(lts) => Ok(Compiled { lts, parts: wide.parts(), warnings: wide.warnings }),
            // No system has more states than that.
            None => Err(Failure::Stopped(Stop::Memory)),
        }
    }

    /// What a definition is composed of, not yet composed where there is no
    /// need to.
    ///
    /// # Errors
    /// What is wrong with the text, or that the budget ended.
    pub fn side_by_side(
        &self,
        name: Option<&str>,
        minimize: bool,
        budget: &Budget,
    ) -> Result<SideBySide, Failure> {
        let mut builder = match Builder::with(&self.items, budget, Diagnostics::default()) {
            Ok(builder) => builder,
            Err((halt, diagnostics)) => return Err(failure(halt, diagnostics)),
        };
        builder.minimize = minimize;
        match self.machines(&mut builder, name) {
            Ok((name, machines, hidden)) => {
                let warnings = builder.diagnostics;
                Ok(SideBySide { name, machines, hidden, minimize, warnings })
            }
            Err(halt) => Err(failure(halt, builder.diagnostics)),
        }
    }

    fn machines(
        &self,
        builder: &mut Builder<'_>,
        name: Option<&str>,
    ) -> Built<(String, Vec<Lts>, Hidden)> {
        let all = self.processes();
        let chosen = match name {
            Some(name) => all.iter().find(|p| p.name == name).map(|p| vec![p]),
            None => match all.iter().rfind(|p| p.kind == Kind::Composition) {
                Some(last) => Some(vec![last]),
                None => Some(all.iter().collect()),
            },
        };
        let Some(chosen) = chosen.filter(|list| !list.is_empty()) else {
            let message = match name {
                Some(name) => format!("there is no process `{name}`"),
                None => String::from("the text defines no process"),
            };
            builder.diagnostics.push(Diagnostic {
                labels: Vec::new(),
                ..Diagnostic::error("F0003", Span::default(), message)
            });
            return Err(Quit::Reported);
        };
        let (mut machines, mut hidden) = (Vec::new(), None);
        let composite = |process: &Process| {
            self.items.iter().find_map(|item| match item {
                Item::Composite(c) if *c.name.text == *process.name => Some(c),
                _ => None,
            })
        };
        for process in &chosen {
            if let (Some(definition), [_]) = (composite(process), chosen.as_slice()) {
                (machines, hidden) = builder.side_by_side(definition)?;
                continue;
            }
            let name = Name { text: process.name.as_str().into(), span: process.span };
            machines.extend(builder.instance(&name, Vec::new())?.iter().cloned());
        }
        if builder.minimize {
            for lts in &mut machines {
                let name = lts.name().to_owned();
                *lts = minimize_weak(lts, &builder.budget)?;
                lts.set_name(name);
            }
        }
        let title = match chosen.as_slice() {
            [one] => one.name.clone(),
            _ => String::from("DEFAULT"),
        };
        Ok((title, machines, hidden))
    }

    /// The formulas of the text that are checked.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn assertions(&self, budget: &Budget) -> Result<Vec<Assertion>, Failure> {
        let mut builder = match Builder::with(&self.items, budget, Diagnostics::default()) {
            Ok(builder) => builder,
            Err((halt, diagnostics)) => return Err(failure(halt, diagnostics)),
        };
        let mut found = Vec::new();
        for item in &self.items {
            let Item::Assert(name, formula) = item else { continue };
            match builder.assertion(name, formula) {
                Ok(assertion) => found.push(assertion),
                Err(halt) => return Err(failure(halt, builder.diagnostics)),
            }
        }
        Ok(found)
    }

    /// The progress properties of the text.
    ///
    /// # Errors
    /// What is wrong with them.
    pub fn progress(&self, budget: &Budget) -> Result<Vec<ProgressCheck>, Failure> {
        let mut builder = match Builder::with(&self.items, budget, Diagnostics::default()) {
            Ok(builder) => builder,
            Err((halt, diagnostics)) => return Err(failure(halt, diagnostics)),
        };
        let mut checks = Vec::new();
        for item in &self.items {
            let Item::Progress(progress) = item else { continue };
            let mut one = |builder: &mut Builder<'_>| -> Built<()> {
                let indices =
                    builder.indices(&progress.indices, &Env::default(), progress.name.span)?;
                for (index, env) in indices {
                    let dot = if index.is_empty() { "" } else { "." };
                    let condition = match &progress.condition {
                        Some(labels) => Some(builder.plain(labels, &env)?),
                        None => None,
                    };
                    checks.push(ProgressCheck {
                        name: format!("{}{dot}{index}", progress.name.text),
                        condition,
                        actions: builder.plain(&progress.actions, &env)?,
                    });
                }
                Ok(())
            };
            if let Err(halt) = one(&mut builder) {
                return Err(failure(halt, builder.diagnostics));
            }
        }
        Ok(checks)
    }
}

/// A system before its machines are composed.
#[derive(Clone, Debug)]
pub struct SideBySide {
    /// The name of the whole.
    pub name: String,
    /// The machines.
    pub machines: Vec<Lts>,
    /// What looks odd.
    pub warnings: Diagnostics,
    hidden: Hidden,
    minimize: bool,
}

impl SideBySide {
    /// The machines with their sizes.
    pub fn parts(&self) -> Vec<Part> {
        let part = |lts: &Lts| Part {
            name: lts.name().to_owned(),
            states: lts.state_count(),
            transitions: lts.transition_count(),
        };
        self.machines.iter().map(part).collect()
    }

    /// The machines for those who look at tuples of their states.
    pub fn parallel(&self) -> Parallel<'_> {
        let parallel = Parallel::new(&self.machines.iter().collect::<Vec<_>>());
        match &self.hidden {
            None => parallel,
            Some((shows, set)) => parallel.hiding(|label| is_hidden(label, *shows, set)),
        }
    }

    /// All machines as one, if it has no more than `most` states.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn compose(&self, most: usize, budget: &Budget) -> Result<Option<Lts>, Stop> {
        let parts: Vec<&Lts> = self.machines.iter().collect();
        let whole = match parts.as_slice() {
            [] => {
                let mut nothing = Lts::new(&self.name);
                nothing.add_state();
                nothing
            }
            [one] => (*one).clone(),
            _ => match compose_within(&self.name, &parts, most, budget)? {
                Some(composed) => composed.lts,
                None => return Ok(None),
            },
        };
        let mut whole = match &self.hidden {
            None => whole,
            Some((true, set)) => whole.showing(set),
            Some((false, set)) => whole.hiding(set),
        };
        if self.minimize && self.hidden.is_some() {
            whole = minimize_weak(&whole, budget)?;
        }
        whole.set_name(&self.name);
        Ok(Some(whole))
    }
}

fn failure(halt: Quit, diagnostics: Diagnostics) -> Failure {
    match halt {
        Quit::Reported => Failure::Invalid(diagnostics),
        Quit::Stopped(stop) => Failure::Stopped(stop),
    }
}
