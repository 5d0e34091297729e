//! The commands of a script, one after the other.

use crate::{Loaded, at, nonlinear, thesis};
use parallax_base::{Diagnostic, Diagnostics, FileId, Span};
use parallax_ir::{Sides, Template, TemplateProblem};
use parallax_term::{Atom, ReadError, Sexpr, Sexprs, Sort, Term, TermStore};
use rustc_hash::FxHashMap;

/// A script, as far as it was read.
pub(crate) struct Commands<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) store: TermStore,
    pub(crate) symbols: FxHashMap<String, Term>,
    /// Asserted formulas that are read; in the form of optimizing solvers.
    asserted: Vec<Term>,
    /// Where each of them stands.
    places: Vec<Span>,
    /// The assertion that is an implication over the bounds of templates.
    thesis: Option<thesis::Implication>,
    templates: Vec<Template>,
    has_box: bool,
    is_over: bool,
}

impl<'a> Commands<'a> {
    pub(crate) fn new(file: FileId, text: &'a str, diagnostics: Diagnostics) -> Commands<'a> {
        Commands {
            file,
            text,
            diagnostics,
            store: TermStore::new(),
            symbols: FxHashMap::default(),
            asserted: Vec::new(),
            places: Vec::new(),
            thesis: None,
            templates: Vec::new(),
            has_box: false,
            is_over: false,
        }
    }

    /// Obeys one command, or says what is wrong with it.
    pub(crate) fn take(&mut self, all: &'a Sexprs<'a>, command: Sexpr<'a>) {
        if self.is_over {
            return;
        }
        let mut parts = command.elements();
        let name = parts.next().and_then(Sexpr::symbol);
        let rest: Vec<Sexpr<'a>> = parts.take(5).collect();
        match (name, rest.as_slice()) {
            (
                Some(
                    "set-logic" | "set-info" | "check-sat" | "get-model" | "get-objectives"
                    | "get-value" | "get-info" | "echo",
                ),
                _,
            ) => {}
            (Some("exit"), []) => self.is_over = true,
            (Some("set-option"), options) => self.option(options),
            (Some("declare-fun"), [name, arguments, sort])
                if arguments.is_list() && arguments.elements().next().is_none() =>
            {
                self.declare(*name, *sort);
            }
            (Some("declare-const"), [name, sort]) => self.declare(*name, *sort),
            (Some("define-fun"), [name, arguments, sort, body])
                if arguments.is_list() && arguments.elements().next().is_none() =>
            {
                self.define(all, *name, *sort, *body);
            }
            (Some("define-const"), [name, sort, body]) => self.define(all, *name, *sort, *body),
            (Some("assert"), [formula]) => self.assert(all, *formula),
            (Some("maximize"), [term, ..]) => self.objective(all, *term, Sides::Upper),
            (Some("minimize"), [term, ..]) => self.objective(all, *term, Sides::Lower),
            (Some("declare-fun" | "define-fun"), [name, ..]) => {
                self.error("S0002", *name, "functions with arguments are not supported");
            }
            (
                Some(
                    "declare-const" | "define-const" | "assert" | "maximize" | "minimize" | "exit",
                ),
                _,
            ) => self.error("S0002", command, "the command has the wrong number of parts"),
            (Some(other), _) => {
                let message = format!("the command `{other}` is not supported");
                self.error("S0002", command, message);
            }
            (None, _) => self.error("S0002", command, "a command is expected here"),
        }
    }

    fn option(&mut self, parts: &[Sexpr<'_>]) {
        if let [key, value] = parts
            && key.atom() == Some(Atom::Keyword(":opt.priority"))
        {
            self.has_box = value.symbol() == Some("box");
        }
    }

    fn declare(&mut self, name: Sexpr<'_>, sort: Sexpr<'_>) {
        let Some(known) = self.sort(sort) else { return };
        let Some(text) = self.new_symbol(name) else { return };
        let term = self.store.var(&text, known);
        self.symbols.insert(text, term);
    }

    fn define(&mut self, all: &'a Sexprs<'a>, name: Sexpr<'a>, sort: Sexpr<'a>, body: Sexpr<'a>) {
        let Some(wanted) = self.sort(sort) else { return };
        let Some(mut term) = self.read(all, body) else { return };
        let Some(text) = self.new_symbol(name) else { return };
        if self.store.sort(term) == Sort::Int && wanted == Sort::Real {
            term = self.store.to_real(term);
        }
        if self.store.sort(term) != wanted {
            let message = format!("this is {}, not {wanted}", self.store.sort(term));
            return self.error("S0005", body, message);
        }
        self.symbols.insert(text, term);
    }

    fn sort(&mut self, sort: Sexpr<'_>) -> Option<Sort> {
        let known = match sort.symbol() {
            Some("Bool") => Some(Sort::Bool),
            Some("Int") => Some(Sort::Int),
            Some("Real") => Some(Sort::Real),
            _ => None,
        };
        if known.is_none() {
            let message = format!("the sort `{}` is not supported", clip(sort.text()));
            let span = self.span(sort);
            let help = "symbols are of sort `Bool`, `Int` or `Real`";
            self.diagnostics.push(Diagnostic::error("S0003", span, message).help(help));
        }
        known
    }

    fn new_symbol(&mut self, name: Sexpr<'_>) -> Option<String> {
        let Some(text) = name.symbol() else {
            self.error("S0002", name, "a symbol is expected here");
            return None;
        };
        if self.symbols.contains_key(text) {
            self.error("S0004", name, format!("`{text}` is declared twice"));
            return None;
        }
        Some(text.to_owned())
    }

    fn assert(&mut self, all: &'a Sexprs<'a>, formula: Sexpr<'a>) {
        match thesis::read(self, all, formula) {
            Ok(thesis::Assertion::Plain(term)) => {
                if self.store.sort(term) == Sort::Bool {
                    self.asserted.push(term);
                    self.places.push(self.span(formula));
                } else {
                    self.error("S0005", formula, "an assertion must be a truth value");
                }
            }
            Ok(thesis::Assertion::Implication(implication)) => {
                self.asserted.push(implication.whole);
                self.places.push(self.span(formula));
                self.thesis.get_or_insert(implication);
            }
            Err(error) => self.reject(&error),
        }
    }

    fn objective(&mut self, all: &'a Sexprs<'a>, item: Sexpr<'a>, sides: Sides) {
        let Some(term) = self.read(all, item) else { return };
        if !self.store.sort(term).is_number() {
            return self.error("S0005", item, "an objective must be a number");
        }
        self.templates.push(Template { term, sides, span: self.span(item) });
    }

    fn read(&mut self, all: &'a Sexprs<'a>, item: Sexpr<'a>) -> Option<Term> {
        let symbols = &self.symbols;
        let scope = |name: &str| symbols.get(name).copied();
        match self.store.read_smtlib_sexpr(all, item, &scope) {
            Ok(term) => Some(term),
            Err(error) => {
                self.reject(&error);
                None
            }
        }
    }

    fn reject(&mut self, error: &ReadError) {
        self.diagnostics.push(at(self.file, self.text, "S0005", error));
    }

    /// Where an expression stands.
    pub(crate) fn span(&self, item: Sexpr<'_>) -> Span {
        Span::new(self.file, item.offset(), item.offset() + item.text().len())
    }

    pub(crate) fn error(&mut self, code: &'static str, at: Sexpr<'_>, message: impl Into<String>) {
        let span = self.span(at);
        self.diagnostics.push(Diagnostic::error(code, span, message));
    }

    /// The problem, once all commands are read.
    pub(crate) fn finish(mut self, name: &str) -> Result<Loaded, Diagnostics> {
        let mut templates = std::mem::take(&mut self.templates);
        let mut formula = None;
        if templates.is_empty()
            && self.asserted.len() == 1
            && let Some(implication) = self.thesis.take()
        {
            formula = thesis::premise(&mut self, &implication);
            templates = implication.templates;
        }
        let formula = match formula {
            Some(formula) => formula,
            None => self.store.and(self.asserted.clone()),
        };
        let end = Span::new(self.file, self.text.len(), self.text.len());
        if templates.is_empty() && !self.diagnostics.has_errors() {
            let help = "give `(maximize t)` or `(minimize t)`, or one assertion \
                        `(=> phi (and (< t k) ...))`";
            let message = "nothing is to be bounded";
            self.diagnostics.push(Diagnostic::error("S0007", end, message).help(help));
        }
        self.refuse_nonlinear(formula, &templates);
        if self.diagnostics.has_errors() {
            return Err(self.diagnostics);
        }
        let objectives = templates.iter().filter(|t| t.sides != Sides::Both).count();
        if objectives > 1 && !self.has_box {
            let message = "each objective is bounded on its own";
            let help = "say `(set-option :opt.priority box)` to say that this is meant";
            let warning = Diagnostic::warning("S0101", templates[1].span, message).help(help);
            self.diagnostics.push(warning);
        }
        let mut store = self.store;
        store.freeze();
        let problem = TemplateProblem::new(name, store, formula, templates);
        Ok(Loaded { problem, warnings: self.diagnostics })
    }

    /// Objects to everything beyond linear arithmetic.
    fn refuse_nonlinear(&mut self, formula: Term, templates: &[Template]) {
        let mut suspects: Vec<(Term, Span)> = templates.iter().map(|t| (t.term, t.span)).collect();
        if TemplateProblem::first_nonlinear(&self.store, &[formula]).is_some() {
            suspects.extend(self.asserted.iter().copied().zip(self.places.iter().copied()));
        }
        let mut seen: Vec<Span> = Vec::new();
        for (term, span) in suspects {
            if let Some(bad) = TemplateProblem::first_nonlinear(&self.store, &[term]) {
                let place = nonlinear::place(self.text, span);
                // A template of the form of the thesis is part of an assertion.
                if seen.contains(&place) {
                    continue;
                }
                seen.push(place);
                let text = self.store.smtlib(bad);
                let message = format!("`{}` is not linear arithmetic", clip(&text));
                self.diagnostics.push(Diagnostic::error("S0006", place, message));
            }
        }
    }
}

/// A text short enough for a message.
fn clip(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}
