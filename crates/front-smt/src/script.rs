//! Scripts for optimizing solvers: several objectives, soft assertions, scopes,
//! and questions that are answered one after the other.
//!
//! Each `check-sat` is a [`Query`] about what is asserted and wanted at that
//! point. A soft assertion costs its weight where it is false; the assertions
//! with one `:id` are one objective, to be minimized (as in Z3; OptiMathSAT
//! writes `(minimize id)` besides, which is read as the same objective).
//! Objectives that are machine words count as unsigned numbers, or as signed
//! ones with `:signed`.

use crate::commands::Commands;
use parallax_base::Span;
use parallax_ir::{Sides, Template, TemplateProblem};
use parallax_term::{Atom, Node, Rat, Sexpr, Sexprs, Sort, Term, TermStore, Value};

/// How several objectives are weighed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Priority {
    /// One after the other, the first being the most important.
    #[default]
    Lexicographic,
    /// All points that no other dominates.
    Pareto,
    /// Each on its own.
    Box,
}

/// What is wanted after a query.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ask {
    /// `(get-objectives)`
    Objectives,
    /// `(get-model)`
    Model,
    /// `(get-value (t ...))`: the terms as they are written.
    Values(Vec<(String, Term)>),
    /// `(echo "...")`
    Echo(String),
}

/// One `check-sat`, and what is wanted after it.
#[derive(Clone, Debug)]
pub struct Query {
    /// What is asserted, and the objectives in their order.
    pub problem: TemplateProblem,
    /// What the objectives are called.
    pub names: Vec<String>,
    /// How they are weighed.
    pub priority: Priority,
    /// The symbols that are declared, in their order.
    pub declared: Vec<Term>,
    /// What is wanted.
    pub asks: Vec<Ask>,
}

/// An objective of a script.
#[derive(Clone, Debug)]
pub(crate) enum Objective {
    /// A term.
    Plain(Template, String),
    /// The cost of soft assertions with a name.
    Soft(String, Span),
}

/// A soft assertion.
#[derive(Clone, Debug)]
pub(crate) struct Soft {
    id: String,
    formula: Term,
    weight: Rat,
}

/// What the script has said so far; a scope restores it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    pub(crate) objectives: Vec<Objective>,
    softs: Vec<Soft>,
    pub(crate) declared: Vec<Term>,
}

/// A query before its problem is built.
#[derive(Clone, Debug)]
pub(crate) struct Draft {
    said: Said,
    asserted: Vec<Term>,
    priority: Priority,
    asks: Vec<Ask>,
}

impl<'a> Commands<'a> {
    /// `(maximize t attribute*)` or `(minimize t attribute*)`
    pub(crate) fn objective(&mut self, all: &'a Sexprs<'a>, parts: &[Sexpr<'a>], sides: Sides) {
        let [item, attributes @ ..] = parts else { return };
        let Some(attributes) = self.attributes(attributes, &[":id"], &[":signed"]) else { return };
        if let Some(id) = item.symbol()
            && !self.symbols.contains_key(id)
            && self.said.softs.iter().any(|soft| soft.id == id)
        {
            // The cost of soft assertions is an objective already.
            if sides != Sides::Lower {
                self.error("S0002", *item, "the cost of soft assertions can only be minimized");
            }
            return;
        }
        let Some(mut term) = self.read(all, *item) else { return };
        let is_signed = attributes.iter().any(|(key, _)| key == ":signed");
        match self.store.sort(term) {
            Sort::Bv(_) => {
                self.is_script = true;
                term = match is_signed {
                    true => self.store.bv_to_signed_int(term),
                    false => self.store.bv_to_int(term),
                };
            }
            sort if sort.is_number() && !is_signed => {}
            sort if sort.is_number() => {
                return self.error("S0002", *item, "`:signed` is for machine words");
            }
            _ => return self.error("S0005", *item, "an objective must be a number"),
        }
        let name = attributes.into_iter().find(|(key, _)| key == ":id").map(|(_, id)| id);
        let template = Template { term, sides, span: self.span(*item) };
        let name =
            name.unwrap_or_else(|| item.text().split_whitespace().collect::<Vec<_>>().join(" "));
        self.said.objectives.push(Objective::Plain(template, name));
    }

    /// `(assert-soft f [:weight w] [:id name])`
    pub(crate) fn soft(&mut self, all: &'a Sexprs<'a>, parts: &[Sexpr<'a>]) {
        self.is_script = true;
        let [item, attributes @ ..] = parts else { return };
        let keys = [":weight", ":id"];
        let Some(attributes) = self.attributes(attributes, &keys, &[]) else { return };
        let Some(formula) = self.read(all, *item) else { return };
        if self.store.sort(formula) != Sort::Bool {
            return self.error("S0005", *item, "an assertion must be a truth value");
        }
        let of = |key: &str| attributes.iter().find(|(k, _)| k == key).map(|(_, v)| v.clone());
        let weight = of(":weight").unwrap_or_else(|| String::from("1"));
        let weight = Value::read_smtlib(&weight).and_then(|value| value.to_rat());
        let Some(weight) = weight.filter(|weight| weight.signum() >= 0) else {
            return self.error("S0002", *item, "a weight is a number that is not negative");
        };
        let id = of(":id").unwrap_or_default();
        let known = |objective: &Objective| matches!(objective, Objective::Soft(i, _) if *i == id);
        if !self.said.objectives.iter().any(known) {
            let span = self.span(*item);
            self.said.objectives.push(Objective::Soft(id.clone(), span));
        }
        self.said.softs.push(Soft { id, formula, weight });
    }

    /// Attributes with a value, and without; `None` if there are others.
    fn attributes(
        &mut self,
        parts: &[Sexpr<'a>],
        keys: &[&str],
        flags: &[&str],
    ) -> Option<Vec<(String, String)>> {
        let mut found = Vec::new();
        let mut rest = parts.iter();
        while let Some(part) = rest.next() {
            let Some(Atom::Keyword(key)) = part.atom() else {
                self.error("S0002", *part, "an attribute is expected here");
                return None;
            };
            if flags.contains(&key) {
                found.push((key.to_owned(), String::new()));
            } else if keys.contains(&key)
                && let Some(value) = rest.next()
            {
                let text = value.symbol().unwrap_or_else(|| value.text());
                found.push((key.to_owned(), text.to_owned()));
            } else {
                self.error("S0002", *part, format!("the attribute `{key}` is not supported"));
                return None;
            }
        }
        Some(found)
    }

    /// `(push n)` or `(pop n)`
    pub(crate) fn scope(&mut self, command: Sexpr<'a>, parts: &[Sexpr<'a>], opens: bool) {
        self.is_script = true;
        let count = match parts {
            [] => Some(1),
            [count] => count.text().parse::<usize>().ok().filter(|&count| count <= 1000),
            _ => None,
        };
        let Some(count) = count else {
            return self.error("S0002", command, "a number of scopes is expected here");
        };
        for _ in 0..count {
            if opens {
                self.open_scope();
            } else if !self.close_scope() {
                return self.error("S0002", command, "there is no scope to close");
            }
        }
    }

    /// `(check-sat)` or `(check-sat-assuming (...))`
    pub(crate) fn check_sat(&mut self, all: &'a Sexprs<'a>, assumptions: Option<Sexpr<'a>>) {
        let mut asserted = self.asserted.clone();
        if let Some(list) = assumptions {
            self.is_script = true;
            for item in list.elements() {
                let Some(term) = self.read(all, item) else { return };
                if self.store.sort(term) != Sort::Bool {
                    return self.error("S0005", item, "an assumption must be a truth value");
                }
                asserted.push(term);
            }
        }
        let (said, priority) = (self.said.clone(), self.priority.unwrap_or_default());
        self.drafts.push(Draft { said, asserted, priority, asks: Vec::new() });
    }

    /// Something that is wanted after a query.
    pub(crate) fn ask(&mut self, all: &'a Sexprs<'a>, command: Sexpr<'a>, name: &str) {
        self.is_script |= name != "echo";
        let mut parts = command.elements().skip(1);
        let ask = match (name, parts.next()) {
            ("get-objectives", None) => Ask::Objectives,
            ("get-model", None) => Ask::Model,
            ("get-value", Some(list)) => {
                let mut values = Vec::new();
                for item in list.elements() {
                    let Some(term) = self.read(all, item) else { return };
                    values.push((item.text().to_owned(), term));
                }
                Ask::Values(values)
            }
            ("echo", Some(text)) => match text.atom() {
                Some(Atom::String(text)) => Ask::Echo(text.to_string()),
                _ => return self.error("S0002", text, "a text is expected here"),
            },
            _ => {
                let message = "the command has the wrong number of parts";
                return self.error("S0002", command, message);
            }
        };
        match self.drafts.last_mut() {
            Some(draft) => draft.asks.push(ask),
            None if matches!(ask, Ask::Echo(_)) => {}
            None => self.error("S0002", command, "nothing was asked before this"),
        }
    }

    /// The queries, if this is a script for optimizing solvers.
    pub(crate) fn queries(&mut self, name: &str) -> Vec<Query> {
        let plain = self.said.objectives.len() > 1 && self.priority != Some(Priority::Box);
        if !self.is_script && !plain {
            return Vec::new();
        }
        let mut drafts = std::mem::take(&mut self.drafts);
        if drafts.is_empty() {
            let (said, asserted) = (self.said.clone(), self.asserted.clone());
            let priority = self.priority.unwrap_or_default();
            drafts.push(Draft { said, asserted, priority, asks: vec![Ask::Objectives] });
        }
        let mut queries = Vec::new();
        for draft in drafts {
            let (mut templates, mut names) = (Vec::new(), Vec::new());
            for objective in &draft.said.objectives {
                match objective {
                    Objective::Plain(template, name) => {
                        templates.push(template.clone());
                        names.push(name.clone());
                    }
                    Objective::Soft(id, span) => {
                        let term = cost(&mut self.store, &draft.said.softs, id);
                        templates.push(Template { term, sides: Sides::Lower, span: *span });
                        names.push(id.clone());
                    }
                }
            }
            let formula = self.store.and(draft.asserted);
            let mut roots = vec![formula];
            roots.extend(templates.iter().map(|t| t.term));
            for ask in &draft.asks {
                if let Ask::Values(values) = ask {
                    roots.extend(values.iter().map(|(_, term)| *term));
                }
            }
            roots.extend(&draft.said.declared);
            if let Some(bad) = unsupported(&self.store, &roots) {
                let text = self.store.smtlib(bad);
                let message = format!("`{}` is not supported", crate::commands::clip(&text));
                self.refuse(message);
                return Vec::new();
            }
            let mut symbols = self.store.subterms(&roots);
            symbols.retain(|&t| self.store.name(t).is_some());
            self.store.freeze();
            let (name, store) = (name.to_owned(), self.store.clone());
            let problem = TemplateProblem { name, store, formula, templates, symbols };
            let (priority, asks) = (draft.priority, draft.asks);
            queries.push(Query { problem, names, priority, declared: draft.said.declared, asks });
        }
        queries
    }
}

/// What soft assertions with a name cost.
fn cost(store: &mut TermStore, softs: &[Soft], id: &str) -> Term {
    let own: Vec<&Soft> = softs.iter().filter(|soft| soft.id == id).collect();
    let is_int = own.iter().all(|soft| soft.weight.to_int().is_some());
    let sort = if is_int { Sort::Int } else { Sort::Real };
    let number = |store: &mut TermStore, value: &Rat| match value.to_int().filter(|_| is_int) {
        Some(int) => store.int(int.clone()),
        None => store.real(value.clone()),
    };
    let mut sum = number(store, &Rat::ZERO);
    for soft in own {
        let (zero, weight) = (number(store, &Rat::ZERO), number(store, &soft.weight));
        let part = store.ite(soft.formula, zero, weight);
        debug_assert_eq!(store.sort(part), sort);
        sum = store.add(sum, part);
    }
    sum
}

/// The first subterm that a script cannot have: products and quotients of
/// terms, and sorts besides truth values, numbers and machine words.
fn unsupported(store: &TermStore, roots: &[Term]) -> Option<Term> {
    store.subterms(roots).into_iter().find(|&term| match store.node(term) {
        Node::Product(_) => true,
        Node::Div(_, by) | Node::Mod(_, by) => store.value(*by).is_none_or(|v| *v == Value::int(0)),
        _ => !matches!(store.sort(term), Sort::Bool | Sort::Int | Sort::Real | Sort::Bv(_)),
    })
}
