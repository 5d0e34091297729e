//! The state of a compilation: names, diagnostics, instances already built.

use crate::ast::{CompositeDef, ImportDef, Item, Name, Parameter, ProcessDef};
use crate::value::{Expr, Value};
use parallax_base::{Budget, Diagnostic, Diagnostics, Span, Stop};
use parallax_lts::Lts;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// How deep instances, bodies and compositions may nest altogether.
const DEPTH: u32 = 1200;

/// How many labels, indices or values one expansion may have.
pub(crate) const MAX_EXPANSION: usize = 2_000_000;

/// Why there is no result.
#[derive(Clone, Debug)]
pub enum Failure {
    /// The text is wrong.
    Invalid(Diagnostics),
    /// The limits were reached.
    Stopped(Stop),
}

/// The way out of a compilation: the reason is in the diagnostics, or it is
/// the budget.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Quit {
    Reported,
    Stopped(Stop),
}

impl From<Stop> for Quit {
    fn from(stop: Stop) -> Quit {
        Quit::Stopped(stop)
    }
}

pub(crate) type Built<T> = Result<T, Quit>;

/// One machine of a composition.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its name, with the labels in front of it.
    pub name: String,
    /// How many states it has.
    pub states: usize,
    /// How many transitions it has.
    pub transitions: usize,
}

/// A compiled process.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The system.
    pub lts: Lts,
    /// What it is composed of; one part for a process without composition.
    pub parts: Vec<Part>,
    /// What looks odd.
    pub warnings: Diagnostics,
}

/// Variables and their values, innermost last.
#[derive(Clone, Default, Debug)]
pub(crate) struct Env {
    pub(crate) bindings: Vec<(Rc<str>, Value)>,
}

impl Env {
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        self.bindings.iter().rev().find(|(known, _)| **known == *name).map(|(_, value)| value)
    }

    pub(crate) fn bind(&mut self, name: &Rc<str>, value: Value) {
        self.bindings.push((Rc::clone(name), value));
    }
}

/// What a name outside of processes means.
#[derive(Clone, Debug)]
pub(crate) enum Meaning {
    Constant(Value),
    Range(i64, i64),
    Set(Rc<Vec<String>>),
}

/// A compilation.
pub(crate) struct Builder<'a> {
    pub(crate) items: &'a [Item],
    pub(crate) names: BTreeMap<Rc<str>, Meaning>,
    /// Processes and compositions by name: their place in `items`.
    pub(crate) processes: BTreeMap<Rc<str>, usize>,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) instances: FxHashMap<(usize, Vec<Value>), Rc<Vec<Lts>>>,
    pub(crate) under_way: Vec<(usize, Vec<Value>)>,
    pub(crate) depth: u32,
    /// Whether every machine is made small before it is composed with others.
    pub(crate) minimize: bool,
    pub(crate) budget: Budget,
}

impl<'a> Builder<'a> {
    /// Knows the constants, ranges and sets of a text, which are evaluated in
    /// the order of the text; the diagnostics if that fails.
    pub(crate) fn with(
        items: &'a [Item],
        budget: &Budget,
        diagnostics: Diagnostics,
    ) -> Result<Builder<'a>, (Quit, Diagnostics)> {
        let mut builder = Builder {
            items,
            names: BTreeMap::new(),
            processes: BTreeMap::new(),
            diagnostics,
            instances: FxHashMap::default(),
            under_way: Vec::new(),
            depth: 0,
            minimize: false,
            budget: budget.clone(),
        };
        match builder.define() {
            Ok(()) => Ok(builder),
            Err(halt) => Err((halt, builder.diagnostics)),
        }
    }

    fn define(&mut self) -> Built<()> {
        let mut places: BTreeMap<Rc<str>, Span> = BTreeMap::new();
        for (index, item) in self.items.iter().enumerate() {
            let (name, meaning) = match item {
                Item::Const(name, value) => {
                    let value = self.eval(value, &Env::default())?;
                    (name, Some(Meaning::Constant(value)))
                }
                Item::Range(name, low, high) => {
                    let low = self.number(low, &Env::default())?;
                    let high = self.number(high, &Env::default())?;
                    (name, Some(Meaning::Range(low, high)))
                }
                Item::Set(name, set) => {
                    let set = self.set(set, &Env::default())?;
                    (name, Some(Meaning::Set(Rc::new(set))))
                }
                Item::Process(ProcessDef { name, .. })
                | Item::Composite(CompositeDef { name, .. })
                | Item::Import(ImportDef { name, .. }) => (name, None),
                Item::Progress(_)
                | Item::Menu
                | Item::Fluent(_)
                | Item::Assert(..)
                | Item::Constraint(_) => continue,
            };
            if let Some(first) = places.insert(Rc::clone(&name.text), name.span) {
                let message = format!("`{}` is defined twice", name.text);
                let error = Diagnostic::error("F0004", name.span, message);
                self.diagnostics.push(error.also(first, "the first definition"));
                return Err(Quit::Reported);
            }
            match meaning {
                Some(meaning) => drop(self.names.insert(Rc::clone(&name.text), meaning)),
                None => drop(self.processes.insert(Rc::clone(&name.text), index)),
            }
        }
        Ok(())
    }

    pub(crate) fn error<T>(
        &mut self,
        code: &'static str,
        span: Span,
        message: impl Into<String>,
    ) -> Built<T> {
        self.diagnostics.push(Diagnostic::error(code, span, message));
        Err(Quit::Reported)
    }

    pub(crate) fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.diagnostics.push(Diagnostic::warning(code, span, message));
    }

    /// One level deeper.
    pub(crate) fn deeper<T>(
        &mut self,
        span: Span,
        inner: impl FnOnce(&mut Self) -> Built<T>,
    ) -> Built<T> {
        if self.depth >= DEPTH {
            let message = "processes nest too deep here; does one instantiate itself for ever?";
            return self.error("F0009", span, message);
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// The values of the parameters of an instance; what is not given has its
    /// default.
    pub(crate) fn bind(
        &mut self,
        name: &Name,
        parameters: &[Parameter],
        given: &[Value],
    ) -> Built<Env> {
        if given.len() > parameters.len() {
            let message = format!(
                "`{}` has {} parameters, {} values are given",
                name.text,
                parameters.len(),
                given.len()
            );
            return self.error("F0005", name.span, message);
        }
        let mut env = Env::default();
        for (index, parameter) in parameters.iter().enumerate() {
            let value = match given.get(index) {
                Some(value) => value.clone(),
                None => self.eval(&parameter.default, &Env::default())?,
            };
            env.bind(&parameter.name.text, value);
        }
        Ok(env)
    }

    pub(crate) fn eval_all(&mut self, list: &[Expr], env: &Env) -> Built<Vec<Value>> {
        list.iter().map(|expr| self.eval(expr, env)).collect()
    }
}
