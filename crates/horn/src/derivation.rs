//! Derivations of `false` as Z3 prints them: hyper-resolution steps.
//!
//! `((_ hyper-res ...) (asserted rule) premise ... fact)` derives a ground fact
//! from others by one rule. Only the facts and what they were derived from are
//! read. The rules are as Z3 rewrote them, so which clause was used must be
//! found out again by whoever checks.

use crate::write::GOAL;
use crate::{Predicate, System};
use parallax_base::Id;
use parallax_term::{Sexpr, Sexprs, Value};
use std::collections::{BTreeMap, HashMap};

/// A ground fact and the facts that it was derived from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    /// The predicate; `None` for `false`.
    pub predicate: Option<Id<Predicate>>,
    /// The tuple; what could not be read is missing.
    pub arguments: Vec<Option<Value>>,
    /// Positions of earlier facts.
    pub premises: Vec<usize>,
}

/// Facts, each after those it was derived from; the last one is `false`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Derivation {
    /// At least one.
    pub facts: Vec<Fact>,
}

impl Derivation {
    /// Reads what Z3 answers to [`System::rules`], or says what is wrong.
    pub fn read(system: &System, text: &str) -> Result<Derivation, String> {
        let all = Sexprs::read(text).map_err(|e| e.to_string())?;
        let mut top = all.iter().next().ok_or("the derivation is empty")?;
        let mut names: HashMap<&str, Sexpr<'_>> = HashMap::new();
        loop {
            let parts: Vec<Sexpr<'_>> = top.elements().collect();
            let [head, list, body] = parts.as_slice() else { break };
            if head.symbol() != Some("let") {
                break;
            }
            for binding in list.elements() {
                let pair: Vec<Sexpr<'_>> = binding.elements().collect();
                let [name, value] = pair.as_slice() else { return Err("a strange `let`".into()) };
                let name = name.symbol().ok_or("a strange `let`")?;
                if names.insert(name, *value).is_some() {
                    return Err("a name is bound twice".into());
                }
            }
            top = *body;
        }
        let reader = Reader { system, names };
        reader.facts(top)
    }
}

/// What a fact says.
type Tuple = (Option<Id<Predicate>>, Vec<Option<Value>>);

struct Reader<'a> {
    system: &'a System,
    names: HashMap<&'a str, Sexpr<'a>>,
}

impl<'a> Reader<'a> {
    /// What a name stands for.
    fn resolve(&self, mut item: Sexpr<'a>) -> Sexpr<'a> {
        // A name is bound by an earlier `let`, so this ends; but who knows what was printed.
        for _ in 0..self.names.len() {
            match item.symbol().and_then(|name| self.names.get(name)) {
                Some(inner) => item = *inner,
                None => break,
            }
        }
        item
    }

    fn facts(&self, top: Sexpr<'a>) -> Result<Derivation, String> {
        let (mut facts, mut done) = (Vec::new(), BTreeMap::<usize, usize>::new());
        let root = self.step(top)?.ok_or("no step of hyper-resolution")?;
        let mut stack = vec![(root, false)];
        while let Some((step, children_done)) = stack.pop() {
            let at = step.offset();
            if done.contains_key(&at) {
                continue;
            }
            let parts: Vec<Sexpr<'a>> = step.elements().collect();
            let Some((conclusion, inner)) = parts.get(1..).and_then(<[_]>::split_last) else {
                return Err("a step without a conclusion".into());
            };
            let mut premises = Vec::new();
            for part in inner {
                premises.extend(self.step(*part)?);
            }
            if !children_done {
                if stack.len() > self.names.len() + text_size(top) {
                    return Err("a derivation that depends on itself".into());
                }
                stack.push((step, true));
                stack.extend(premises.iter().rev().map(|p| (*p, false)));
                continue;
            }
            let known = premises.iter().map(|p| done.get(&p.offset()).copied());
            let premises = known.collect::<Option<Vec<_>>>().ok_or("a premise is missing")?;
            let (predicate, arguments) = self.fact(self.resolve(*conclusion))?;
            done.insert(at, facts.len());
            facts.push(Fact { predicate, arguments, premises });
        }
        Ok(Derivation { facts })
    }

    /// The step of hyper-resolution that an item is, if it is one; steps of
    /// other kinds lead to one.
    fn step(&self, item: Sexpr<'a>) -> Result<Option<Sexpr<'a>>, String> {
        let mut item = self.resolve(item);
        loop {
            let mut parts = item.elements();
            let Some(head) = parts.next() else { return Ok(None) };
            match head.symbol() {
                Some("mp") => item = self.resolve(parts.next().ok_or("a strange step")?),
                Some(_) => return Ok(None),
                None => {
                    let kind = head.elements().nth(1).and_then(Sexpr::symbol);
                    return Ok((kind == Some("hyper-res")).then_some(item));
                }
            }
        }
    }

    fn fact(&self, item: Sexpr<'a>) -> Result<Tuple, String> {
        let (name, arguments) = match item.symbol() {
            Some(name) => (name, Vec::new()),
            None => {
                let mut parts = item.elements();
                let name = parts.next().and_then(Sexpr::symbol).ok_or("a fact has no name")?;
                (name, parts.collect())
            }
        };
        // The query is a fact of its own.
        if name == GOAL || name == "false" || name.starts_with("query!") {
            return Ok((None, Vec::new()));
        }
        let name = parallax_term::smtlib_name(name);
        let Some(id) = self.system.predicate(&name) else {
            return Err(format!("`{name}` is unknown"));
        };
        let parameters = &self.system.predicates[id].parameters;
        if parameters.len() != arguments.len() {
            return Err(format!("`{name}` has another number of arguments"));
        }
        let mut values = Vec::new();
        for (&parameter, argument) in parameters.iter().zip(arguments) {
            let text = self.resolve(argument).text();
            values.push(Value::from_smtlib(text, self.system.store.sort(parameter)));
        }
        Ok((Some(id), values))
    }
}

/// A bound on how many steps a text holds.
fn text_size(top: Sexpr<'_>) -> usize {
    top.offset() + top.text().len()
}
