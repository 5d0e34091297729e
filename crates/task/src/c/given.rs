//! Predicates and templates that are given for a C program: conditions and sums
//! over integer variables, as they stand in the source.
//!
//! A name means a variable of a function or a global one, and a function may be
//! called at several places. So a text stands for one term in each call in which
//! all its names mean something. `/` and `%` round as in C; apart from that
//! numbers are those of mathematics, so nothing wraps.

use super::CTask;
use crate::{Invalid, LoadError, Origin, Task, template};
use parallax_base::{Id, SourceFile, SourceMap};
use parallax_front_model::ast::{BinaryOp, Chain, CompareOp, Expr, ExprKind, UnaryOp};
use parallax_front_model::parse_expression;
use parallax_term::{Int, Sort, Term, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// What the user gives to the engines, as it was written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Given {
    /// Predicates.
    pub predicates: Vec<String>,
    /// Templates.
    pub templates: Vec<String>,
}

/// The integer variables of one call, by name.
type Scope = BTreeMap<String, Term>;

/// Gives a task what was given for its program.
pub(super) fn give(task: &mut Task) -> Result<(), LoadError> {
    let Origin::C(c) = task.origin.clone() else { return Ok(()) };
    let given = &c.source.options.given;
    if c.prepared.is_none() || *given == Given::default() {
        return Ok(());
    }
    let scopes = scopes(task, &c);
    for text in &given.predicates {
        let found = predicate(task, &c, text, &scopes)?;
        task.predicates.extend(found);
    }
    let lookup: Vec<_> = scopes.iter().map(|scope| |name: &str| scope.get(name).copied()).collect();
    let lookup: Vec<template::Scope<'_>> = lookup.iter().map(|f| f as _).collect();
    for text in &given.templates {
        let found = template::read_one(&mut task.program.store, text, &lookup);
        task.templates.extend(found.map_err(|message| wrong("template", text, message))?);
    }
    Ok(())
}

fn wrong(what: &'static str, text: &str, message: String) -> LoadError {
    LoadError::Given { what, text: text.to_owned(), message }
}

/// The variables of each call that is left in the program.
fn scopes(task: &Task, c: &CTask) -> Vec<Scope> {
    let Some(prepared) = &c.prepared else { return Vec::new() };
    let source = &c.source.program;
    let mut globals = Scope::new();
    let mut calls: BTreeMap<_, Scope> = BTreeMap::new();
    for (variable, position) in &prepared.encoded.scalars {
        let Some(of) = prepared.origin.variable(*variable) else { continue };
        let Some(original) = of.variable.map(|v| &source.variables[v]) else { continue };
        let term = task.program.variables[Id::new(*position)].term;
        if source.types.int_kind(original.ty).is_none() {
            continue;
        }
        let scope = match original.owner {
            None => &mut globals,
            Some(owner) => {
                let stack = of.stack.map(|frame| frame.index());
                calls.entry((owner.index(), stack)).or_default()
            }
        };
        scope.insert(original.name.to_string(), term);
    }
    let whole = |mut scope: Scope| {
        for (name, term) in &globals {
            scope.entry(name.clone()).or_insert(*term);
        }
        scope
    };
    let mut found: Vec<Scope> = calls.into_values().map(whole).collect();
    found.push(globals);
    found
}

/// The terms that a predicate stands for. None if its variables do not matter
/// to what is asked.
fn predicate(
    task: &mut Task,
    c: &CTask,
    text: &str,
    scopes: &[Scope],
) -> Result<Vec<Term>, LoadError> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("<command line>", text));
    let expr = match parse_expression(file, text) {
        Ok(expr) => expr,
        Err(diagnostics) => {
            return Err(LoadError::Invalid(Box::new(Invalid { sources, diagnostics })));
        }
    };
    let names = names(task, c, &expr).map_err(|message| wrong("predicate", text, message))?;
    if !is_known_together(c, &names) {
        let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("no function knows all of {}", all.join(", "));
        return Err(wrong("predicate", text, message));
    }
    let mut found = Vec::new();
    for scope in scopes {
        match Reader::new(&mut task.program.store, scope).read(&expr) {
            Ok(term) => found.push(term),
            Err(Problem::Other(message)) => return Err(wrong("predicate", text, message)),
            // Not here, or sliced away.
            Err(Problem::Unknown(_)) => {}
        }
    }
    Ok(found)
}

/// The names in an expression, all of which the program has.
fn names(task: &Task, c: &CTask, expr: &Expr<'_>) -> Result<BTreeSet<String>, String> {
    let mut store = task.program.store.clone();
    let any = store.fresh("any", Sort::Int);
    let all = integers(c).map(|v| (v.name.to_string(), any)).collect();
    let mut reader = Reader::new(&mut store, &all);
    match reader.read(expr) {
        Ok(term) if reader.store.sort(term) == Sort::Bool => Ok(reader.names),
        Ok(_) => Err("it is a number".to_owned()),
        Err(Problem::Unknown(name)) => Err(format!("there is no integer variable `{name}`")),
        Err(Problem::Other(message)) => Err(message),
    }
}

/// Whether there is a place in the source where all of the names mean something.
fn is_known_together(c: &CTask, names: &BTreeSet<String>) -> bool {
    let mut seen: BTreeMap<_, BTreeSet<&str>> = BTreeMap::new();
    for variable in integers(c).filter(|v| names.contains(&*v.name)) {
        seen.entry(variable.owner.map(|owner| owner.index())).or_default().insert(&variable.name);
    }
    let globals = seen.remove(&None).unwrap_or_default();
    let has_all = |local: &BTreeSet<&str>| local.union(&globals).count() == names.len();
    globals.len() == names.len() || seen.values().any(has_all)
}

/// The variables of the source that are integers.
fn integers(c: &CTask) -> impl Iterator<Item = &parallax_cfa::Variable> {
    let source = &c.source.program;
    source.variables.iter().filter(|v| source.types.int_kind(v.ty).is_some())
}

/// Why a text is no term.
enum Problem {
    /// A name means nothing here.
    Unknown(String),
    /// It means nothing anywhere.
    Other(String),
}

struct Reader<'a> {
    store: &'a mut TermStore,
    scope: &'a Scope,
    /// Names that were met.
    names: BTreeSet<String>,
}

impl<'a> Reader<'a> {
    fn new(store: &'a mut TermStore, scope: &'a Scope) -> Reader<'a> {
        Reader { store, scope, names: BTreeSet::new() }
    }

    /// Reads an expression; its depth is limited by its parser.
    fn read(&mut self, expr: &Expr<'_>) -> Result<Term, Problem> {
        let odd = |what: &str| Err(Problem::Other(format!("{what} is not for C programs")));
        match &expr.kind {
            ExprKind::Int(text) => match text.parse::<Int>() {
                Ok(value) => Ok(self.store.int(value)),
                Err(_) => Err(Problem::Other(format!("`{text}` is no number"))),
            },
            ExprKind::Bool(value) => Ok(self.store.bool(*value)),
            ExprKind::Name(name) => match self.scope.get(*name) {
                Some(&term) if self.store.sort(term) == Sort::Int => {
                    self.names.insert((*name).to_owned());
                    Ok(term)
                }
                Some(_) => Err(Problem::Other(format!(
                    "`{name}` is held as a bit-vector; give --encoding int"
                ))),
                None => Err(Problem::Unknown((*name).to_owned())),
            },
            ExprKind::Unary(op, operand) => {
                let operand = self.read(operand)?;
                match op {
                    UnaryOp::Neg => {
                        let operand = self.number(operand)?;
                        Ok(self.store.neg(operand))
                    }
                    UnaryOp::Not => {
                        let operand = self.condition(operand);
                        Ok(self.store.not(operand))
                    }
                }
            }
            ExprKind::Compare(op, sides) => {
                let (left, right) = (self.read(&sides.0)?, self.read(&sides.1)?);
                let (left, right) = (self.number(left)?, self.number(right)?);
                Ok(match op {
                    CompareOp::Eq => self.store.eq(left, right),
                    CompareOp::Ne => {
                        let equal = self.store.eq(left, right);
                        self.store.not(equal)
                    }
                    CompareOp::Lt => self.store.lt(left, right),
                    CompareOp::Le => self.store.le(left, right),
                    CompareOp::Gt => self.store.gt(left, right),
                    CompareOp::Ge => self.store.ge(left, right),
                })
            }
            ExprKind::Chain(chain) => self.chain(chain),
            ExprKind::Path(_) => odd("a member or a cell"),
            ExprKind::At(_) => odd("`@`"),
            ExprKind::If(_) => odd("`if`"),
            ExprKind::Fold(_) => odd("a quantifier"),
            ExprKind::Call(..) => odd("a function"),
        }
    }

    fn chain(&mut self, chain: &Chain<'_>) -> Result<Term, Problem> {
        let mut left = self.read(&chain.first)?;
        for (op, operand) in &chain.rest {
            let right = self.read(operand)?;
            left = match op {
                BinaryOp::And | BinaryOp::Or => {
                    let sides = [self.condition(left), self.condition(right)];
                    match op {
                        BinaryOp::And => self.store.and(sides),
                        _ => self.store.or(sides),
                    }
                }
                BinaryOp::Iff | BinaryOp::Implies => {
                    return Err(Problem::Other(format!("`{}` is not C", op.text())));
                }
                BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => {
                    let (left, right) = (self.number(left)?, self.number(right)?);
                    match op {
                        BinaryOp::Add => self.store.add(left, right),
                        BinaryOp::Sub => self.store.sub(left, right),
                        BinaryOp::Mul => self.store.mul(left, right),
                        BinaryOp::Div => self.quotient(left, right),
                        _ => {
                            let quotient = self.quotient(left, right);
                            let whole = self.store.mul(quotient, right);
                            self.store.sub(left, whole)
                        }
                    }
                }
            };
        }
        Ok(left)
    }

    /// Division that rounds toward zero. The quotient of terms rounds so that
    /// what remains is not negative.
    fn quotient(&mut self, left: Term, right: Term) -> Term {
        let zero = self.store.int(0);
        let minus = self.store.neg(left);
        let (up, down) = (self.store.div(left, right), self.store.div(minus, right));
        let down = self.store.neg(down);
        let positive = self.store.ge(left, zero);
        self.store.ite(positive, up, down)
    }

    /// A condition: a number counts as whether it is not zero.
    fn condition(&mut self, term: Term) -> Term {
        match self.store.sort(term) {
            Sort::Bool => term,
            _ => {
                let zero = self.store.int(0);
                let equal = self.store.eq(term, zero);
                self.store.not(equal)
            }
        }
    }

    fn number(&self, term: Term) -> Result<Term, Problem> {
        match self.store.sort(term) {
            Sort::Int => Ok(term),
            _ => Err(Problem::Other("a condition stands where a number is wanted".to_owned())),
        }
    }
}
