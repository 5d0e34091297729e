//! `define-fun` with arguments.
//!
//! A call is written out: `(f a b)` becomes `(let ((p a) (q b)) body)`, with
//! parameters that are called as nothing else is. What a body mentions besides
//! must mean the same at the call, so a `let` around a call must not bind the
//! name of something that is declared.

use crate::commands::Commands;
use parallax_term::{Sexpr, Sexprs, Sort};
use rustc_hash::FxHashMap;

/// Longer texts are not written out.
const LENGTH: usize = 4_000_000;

/// A function with arguments.
#[derive(Clone, Debug)]
pub(crate) struct Macro {
    parameters: Vec<String>,
    /// The body, with calls written out.
    body: String,
}

/// An open list: what stands before it, and what is written so far.
struct Open<'a> {
    of: Option<Macro>,
    rest: Vec<Sexpr<'a>>,
    parts: Vec<String>,
}

impl<'a> Commands<'a> {
    /// `(define-fun f ((x S) ...) S body)`
    pub(crate) fn define_macro(
        &mut self,
        name: Sexpr<'a>,
        arguments: Sexpr<'a>,
        sort: Sexpr<'a>,
        body: Sexpr<'a>,
    ) {
        let Some(wanted) = self.sort(sort) else { return };
        let Some(own) = self.new_symbol(name) else { return };
        let mut renamed: FxHashMap<String, String> = FxHashMap::default();
        let (mut parameters, mut terms) = (Vec::new(), FxHashMap::default());
        for argument in arguments.elements() {
            let mut parts = argument.elements();
            let (Some(parameter), Some(sort), None) = (parts.next(), parts.next(), parts.next())
            else {
                return self.error("S0002", argument, "a parameter is `(name sort)`");
            };
            let Some(sort) = self.sort(sort) else { return };
            let Some(text) = parameter.symbol() else {
                return self.error("S0002", parameter, "a symbol is expected here");
            };
            let mut fresh = format!("{own}!{}!{}", self.macros_made, parameters.len());
            while self.symbols.contains_key(&fresh) {
                fresh.push('!');
            }
            if renamed.insert(text.to_owned(), format!("|{fresh}|")).is_some() {
                return self.error("S0004", parameter, format!("`{text}` is declared twice"));
            }
            let term = self.store.fresh(&fresh, sort);
            terms.insert(fresh.clone(), term);
            parameters.push(format!("|{fresh}|"));
        }
        self.macros_made += 1;
        let text = match self.written_out(body, &renamed) {
            Ok(text) => text,
            Err((at, message)) => return self.error("S0005", at, message),
        };
        let symbols = &self.symbols;
        let scope = |name: &str| terms.get(name).or_else(|| symbols.get(name)).copied();
        match self.store.read_smtlib_term(&text, &scope) {
            Ok(term) if self.fits(term, wanted) => {}
            Ok(term) => {
                let message = format!("this is {}, not {wanted}", self.store.sort(term));
                return self.error("S0005", body, message);
            }
            Err(error) => return self.error("S0005", body, error.message),
        }
        self.macros.insert(own, Macro { parameters, body: text });
    }

    fn fits(&self, term: parallax_term::Term, wanted: Sort) -> bool {
        let sort = self.store.sort(term);
        sort == wanted || sort == Sort::Int && wanted == Sort::Real
    }

    /// Whether a text calls a function with arguments.
    pub(crate) fn has_calls(&self, item: Sexpr<'a>) -> bool {
        let mut open = vec![item];
        if self.macros.is_empty() {
            return false;
        }
        while let Some(item) = open.pop() {
            if item
                .elements()
                .next()
                .and_then(Sexpr::symbol)
                .is_some_and(|h| self.macros.contains_key(h))
            {
                return true;
            }
            open.extend(item.elements().filter(|inner| inner.is_list()));
        }
        false
    }

    /// A text with all calls written out, and some names replaced; or where it
    /// cannot be, and why.
    pub(crate) fn written_out(
        &self,
        item: Sexpr<'a>,
        renamed: &FxHashMap<String, String>,
    ) -> Result<String, (Sexpr<'a>, String)> {
        let mut stack: Vec<Open<'a>> = Vec::new();
        let mut next = Some(item);
        let mut size = 0;
        loop {
            let mut done = match next.take() {
                Some(item) if item.is_list() => {
                    stack.push(self.open_list(item, renamed)?);
                    None
                }
                Some(atom) => Some(match atom.symbol().and_then(|name| renamed.get(name)) {
                    Some(name) => name.clone(),
                    None => atom.text().to_owned(),
                }),
                None => None,
            };
            // Close lists until one goes on.
            loop {
                let Some(open) = stack.last_mut() else { return Ok(done.unwrap_or_default()) };
                if let Some(part) = done.take() {
                    size += part.len();
                    if size > LENGTH {
                        return Err((item, "this becomes too long when it is written out".into()));
                    }
                    open.parts.push(part);
                }
                if let Some(inner) = open.rest.pop() {
                    next = Some(inner);
                    break;
                }
                let Some(Open { of, parts, .. }) = stack.pop() else { break };
                done = Some(match of {
                    None => format!("({})", parts.join(" ")),
                    Some(Macro { parameters, body }) => {
                        let bindings = parameters.iter().zip(&parts);
                        let bindings: Vec<String> =
                            bindings.map(|(name, value)| format!("({name} {value})")).collect();
                        format!("(let ({}) {body})", bindings.join(" "))
                    }
                });
            }
        }
    }

    fn open_list(
        &self,
        item: Sexpr<'a>,
        renamed: &FxHashMap<String, String>,
    ) -> Result<Open<'a>, (Sexpr<'a>, String)> {
        let mut rest: Vec<Sexpr<'a>> = item.elements().collect();
        rest.reverse();
        let head = rest.last().and_then(|head| head.symbol());
        if head == Some("let") {
            for binding in item.elements().nth(1).into_iter().flat_map(Sexpr::elements) {
                let name = binding.elements().next().and_then(Sexpr::symbol).unwrap_or_default();
                let known = self.symbols.contains_key(name)
                    || self.macros.contains_key(name)
                    || renamed.contains_key(name);
                if known {
                    let message = format!("`{name}` means something else outside of this `let`");
                    return Err((binding, message));
                }
            }
        }
        let of = head.and_then(|head| self.macros.get(head)).cloned();
        if let Some(of) = &of {
            rest.pop();
            if of.parameters.len() != rest.len() {
                let message = format!("{} arguments are expected here", of.parameters.len());
                return Err((item, message));
            }
        }
        Ok(Open { of, rest, parts: Vec::new() })
    }

    /// Reads a term whose calls have to be written out first.
    pub(crate) fn read_written_out(&mut self, item: Sexpr<'a>) -> Option<parallax_term::Term> {
        let text = match self.written_out(item, &FxHashMap::default()) {
            Ok(text) => text,
            Err((at, message)) => {
                self.error("S0005", at, message);
                return None;
            }
        };
        let symbols = &self.symbols;
        let scope = |name: &str| symbols.get(name).copied();
        match Sexprs::read(&text).and_then(|all| match all.iter().next() {
            Some(root) => self.store.read_smtlib_sexpr(&all, root, &scope),
            None => self.store.read_smtlib_term("", &scope),
        }) {
            Ok(term) => Some(term),
            Err(error) => {
                self.error("S0005", item, error.message);
                None
            }
        }
    }
}
