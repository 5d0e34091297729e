//! The commands of a script, one after the other.

use crate::macros::Macro;
use crate::script::{Draft, Objective, Priority, Said};
use crate::{Loaded, at, nonlinear, thesis};
use parallax_base::{Diagnostic, Diagnostics, FileId, Span};
use parallax_ir::{Sides, Template, TemplateProblem};
use parallax_term::{Atom, MAX_WIDTH, ReadError, Sexpr, Sexprs, Sort, Term, TermStore};
use rustc_hash::FxHashMap;

/// A script, as far as it was read.
pub(crate) struct Commands<'a> {
    pub(crate) file: FileId,
    pub(crate) text: &'a str,
    pub(crate) diagnostics: Diagnostics,
    pub(crate) store: TermStore,
    pub(crate) symbols: FxHashMap<String, Term>,
    /// Asserted formulas that are read; in the form of optimizing solvers.
    pub(crate) asserted: Vec<Term>,
    /// Where each of them stands.
    places: Vec<Span>,
    /// The assertion that is an implication over the bounds of templates.
    thesis: Option<thesis::Implication>,
    pub(crate) said: Said,
    /// `:opt.priority`, if it was set.
    pub(crate) priority: Option<Priority>,
    /// Functions with arguments, and how many there were so far.
    pub(crate) macros: FxHashMap<String, Macro>,
    pub(crate) macros_made: usize,
    /// Questions so far.
    pub(crate) drafts: Vec<Draft>,
    /// Whether the text is a script for optimizing solvers, by what it uses.
    pub(crate) is_script: bool,
    scopes: Vec<Scope>,
    is_over: bool,
}

/// What is restored when a scope is closed.
struct Scope {
    symbols: FxHashMap<String, Term>,
    macros: FxHashMap<String, Macro>,
    asserted: usize,
    said: Said,
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
            said: Said::default(),
            priority: None,
            macros: FxHashMap::default(),
            macros_made: 0,
            drafts: Vec::new(),
            is_script: false,
            scopes: Vec::new(),
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
        let rest: Vec<Sexpr<'a>> = parts.take(20).collect();
        match (name, rest.as_slice()) {
            (Some("set-logic" | "set-info"), _) => {}
            (Some("exit"), []) => self.is_over = true,
            (Some("set-option"), options) => self.option(options),
            (Some("declare-fun"), [name, arguments, sort])
                if arguments.is_list() && arguments.elements().next().is_none() =>
            {
                self.declare(*name, *sort);
            }
            (Some("declare-const"), [name, sort]) => self.declare(*name, *sort),
            (Some("define-fun"), [name, arguments, sort, body]) if arguments.is_list() => {
                match arguments.elements().next() {
                    None => self.define(all, *name, *sort, *body),
                    Some(_) => self.define_macro(*name, *arguments, *sort, *body),
                }
            }
            (Some("define-const"), [name, sort, body]) => self.define(all, *name, *sort, *body),
            (Some("assert"), [formula]) => self.assert(all, *formula),
            (Some("assert-soft"), parts @ [_, ..]) => self.soft(all, parts),
            (Some("maximize"), parts @ [_, ..]) => self.objective(all, parts, Sides::Upper),
            (Some("minimize"), parts @ [_, ..]) => self.objective(all, parts, Sides::Lower),
            (Some(word @ ("push" | "pop")), parts) => self.scope(command, parts, word == "push"),
            (Some("check-sat"), []) => self.check_sat(all, None),
            (Some("check-sat-assuming"), [list]) if list.is_list() => {
                self.check_sat(all, Some(*list));
            }
            (Some(word @ ("get-model" | "get-objectives" | "get-value" | "echo")), _) => {
                self.ask(all, command, word);
            }
            (Some("declare-fun"), [name, ..]) => {
                self.error("S0002", *name, "functions without a definition are not supported");
            }
            (
                Some(
                    "declare-const" | "define-const" | "define-fun" | "assert" | "assert-soft"
                    | "maximize" | "minimize" | "exit" | "check-sat" | "check-sat-assuming",
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

    /// Opens a scope.
    pub(crate) fn open_scope(&mut self) {
        self.scopes.push(Scope {
            symbols: self.symbols.clone(),
            macros: self.macros.clone(),
            asserted: self.asserted.len(),
            said: self.said.clone(),
        });
    }

    /// Closes the innermost scope, if there is one.
    pub(crate) fn close_scope(&mut self) -> bool {
        let Some(scope) = self.scopes.pop() else { return false };
        self.symbols = scope.symbols;
        self.macros = scope.macros;
        self.said = scope.said;
        self.asserted.truncate(scope.asserted);
        self.places.truncate(scope.asserted);
        true
    }

    fn option(&mut self, parts: &[Sexpr<'_>]) {
        if let [key, value] = parts
            && key.atom() == Some(Atom::Keyword(":opt.priority"))
        {
            self.priority = match value.symbol() {
                Some("box") => Some(Priority::Box),
                Some("lex") => Some(Priority::Lexicographic),
                Some("pareto") => Some(Priority::Pareto),
                _ => return self.error("S0002", *value, "priorities are `lex`, `pareto`, `box`"),
            };
            self.is_script |= self.priority != Some(Priority::Box);
        }
    }

    fn declare(&mut self, name: Sexpr<'_>, sort: Sexpr<'_>) {
        let Some(known) = self.sort(sort) else { return };
        let Some(text) = self.new_symbol(name) else { return };
        let term = self.store.var(&text, known);
        self.said.declared.push(term);
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

    pub(crate) fn sort(&mut self, sort: Sexpr<'_>) -> Option<Sort> {
        let known = match sort.symbol() {
            Some("Bool") => Some(Sort::Bool),
            Some("Int") => Some(Sort::Int),
            Some("Real") => Some(Sort::Real),
            _ => width(sort).map(Sort::Bv),
        };
        self.is_script |= matches!(known, Some(Sort::Bv(_)));
        if known.is_none() {
            let message = format!("the sort `{}` is not supported", clip(sort.text()));
            let span = self.span(sort);
            let help = "symbols are of sort `Bool`, `Int`, `Real` or `(_ BitVec n)`";
            self.diagnostics.push(Diagnostic::error("S0003", span, message).help(help));
        }
        known
    }

    pub(crate) fn new_symbol(&mut self, name: Sexpr<'_>) -> Option<String> {
        let Some(text) = name.symbol() else {
            self.error("S0002", name, "a symbol is expected here");
            return None;
        };
        if self.symbols.contains_key(text) || self.macros.contains_key(text) {
            self.error("S0004", name, format!("`{text}` is declared twice"));
            return None;
        }
        Some(text.to_owned())
    }

    fn assert(&mut self, all: &'a Sexprs<'a>, formula: Sexpr<'a>) {
        let read = match self.has_calls(formula) {
            true => match self.read_written_out(formula) {
                Some(term) => Ok(thesis::Assertion::Plain(term)),
                None => return,
            },
            false => thesis::read(self, all, formula),
        };
        match read {
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

    pub(crate) fn read(&mut self, all: &'a Sexprs<'a>, item: Sexpr<'a>) -> Option<Term> {
        if self.has_calls(item) {
            return self.read_written_out(item);
        }
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
        let end = Span::new(self.file, self.text.len(), self.text.len());
        let queries = self.queries(name);
        if self.diagnostics.has_errors() {
            return Err(self.diagnostics);
        }
        if let Some(last) = queries.last() {
            let problem = last.problem.clone();
            return Ok(Loaded { problem, queries, warnings: self.diagnostics });
        }
        let mut templates: Vec<Template> = Vec::new();
        for objective in std::mem::take(&mut self.said.objectives) {
            if let Objective::Plain(template, _) = objective {
                templates.push(template);
            }
        }
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
        let mut store = self.store;
        store.freeze();
        let problem = TemplateProblem::new(name, store, formula, templates);
        Ok(Loaded { problem, queries: Vec::new(), warnings: self.diagnostics })
    }

    /// Objects to the script as a whole.
    pub(crate) fn refuse(&mut self, message: String) {
        let end = Span::new(self.file, 0, 0);
        self.diagnostics.push(Diagnostic::error("S0006", end, message));
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
pub(crate) fn clip(text: &str) -> String {
    let mut short: String = text.chars().take(60).collect();
    if short.len() < text.len() {
        short.push_str("...");
    }
    short
}

/// The width of `(_ BitVec n)`.
fn width(sort: Sexpr<'_>) -> Option<u32> {
    let mut parts = sort.elements();
    let words = [parts.next()?.symbol()?, parts.next()?.symbol()?];
    let width = parts.next()?.text().parse().ok()?;
    let fits = words == ["_", "BitVec"] && parts.next().is_none();
    (fits && width > 0 && width <= MAX_WIDTH).then_some(width)
}
