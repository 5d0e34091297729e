//! The form of the SYMBA thesis: `phi => (and (< t1 k1) (< t2 k2) ...)`.
//!
//! The bounds `k` are symbols that occur nowhere else. The thesis writes `<`
//! although bounds are attained; `<=` is read alike. How the implication is
//! written matters, so it is looked for in the text: through the `let`s around
//! it, as `=>` or as a disjunction with the conclusion last, and with the
//! conclusion itself bound by a `let`.

use crate::commands::Commands;
use parallax_base::{Diagnostic, Span};
use parallax_ir::{Sides, Template};
use parallax_term::{Lets, ReadError, Sexpr, Sexprs, Term};

/// An assertion that was read.
pub(crate) enum Assertion {
    /// A formula.
    Plain(Term),
    /// A formula that bounds templates by symbols.
    Implication(Implication),
}

/// `phi => (and (< t k) ...)`.
pub(crate) struct Implication {
    /// All of it.
    pub(crate) whole: Term,
    /// `phi`
    premise: Term,
    /// The symbols `k` and where they stand.
    bounds: Vec<(Term, Span)>,
    pub(crate) templates: Vec<Template>,
}

/// Reads an assertion; tells the form of the thesis from others by its shape.
pub(crate) fn read<'a>(
    commands: &mut Commands<'a>,
    all: &'a Sexprs<'a>,
    formula: Sexpr<'a>,
) -> Result<Assertion, ReadError> {
    let symbols = &commands.symbols;
    let scope = |name: &str| symbols.get(name).copied();
    let mut lets = commands.store.read_smtlib_lets(all, formula, &scope)?;
    let body = unfold(&lets, lets.body());
    let parts: Vec<Sexpr<'a>> = body.elements().collect();
    let shape = match (parts.first().and_then(|p| p.symbol()), parts.as_slice()) {
        (Some(head @ ("=>" | "or")), [_, premises @ .., conclusion]) if !premises.is_empty() => {
            conclusions(&lets, *conclusion).map(|list| (head, premises, list))
        }
        _ => None,
    };
    let Some((head, premises, list)) = shape else {
        let plain = commands.store.read_smtlib_within(&mut lets, body, &scope)?;
        return Ok(Assertion::Plain(plain));
    };
    let mut premise = Vec::new();
    for item in premises {
        let term = commands.store.read_smtlib_within(&mut lets, *item, &scope)?;
        if commands.store.sort(term) != parallax_term::Sort::Bool {
            let message = "a truth value is expected here";
            return Err(ReadError::new(commands.text, item.offset(), message));
        }
        premise.push(if head == "=>" { term } else { commands.store.not(term) });
    }
    let (mut templates, mut bounds, mut atoms) = (Vec::new(), Vec::new(), Vec::new());
    for (atom, template, bound) in list {
        atoms.push(commands.store.read_smtlib_within(&mut lets, atom, &scope)?);
        let term = commands.store.read_smtlib_within(&mut lets, template, &scope)?;
        let k = commands.store.read_smtlib_within(&mut lets, bound, &scope)?;
        let span = Span::new(commands.file, atom.offset(), atom.offset() + atom.text().len());
        templates.push(Template { term, sides: Sides::Both, span });
        bounds.push((k, span));
    }
    let premise = commands.store.and(premise);
    let conclusion = commands.store.and(atoms);
    let whole = commands.store.implies(premise, conclusion);
    Ok(Assertion::Implication(Implication { whole, premise, bounds, templates }))
}

/// The text behind a name that a `let` binds.
fn unfold<'a>(lets: &Lets<'a>, item: Sexpr<'a>) -> Sexpr<'a> {
    let mut item = item;
    while let Some(inner) = lets.definition(item) {
        item = inner;
    }
    item
}

/// The bounds of a conclusion as comparison, template and bound; `None` if it
/// has another shape.
fn conclusions<'a>(
    lets: &Lets<'a>,
    conclusion: Sexpr<'a>,
) -> Option<Vec<(Sexpr<'a>, Sexpr<'a>, Sexpr<'a>)>> {
    let conclusion = unfold(lets, conclusion);
    let mut parts = conclusion.elements();
    let items: Vec<Sexpr<'a>> = match parts.next()?.symbol()? {
        "and" => parts.map(|item| unfold(lets, item)).collect(),
        _ => vec![conclusion],
    };
    let bound = |item: Sexpr<'a>| {
        let parts: Vec<Sexpr<'a>> = item.elements().take(4).collect();
        let [head, a, b] = parts.as_slice() else { return None };
        let (template, k) = match head.symbol()? {
            "<" | "<=" => (*a, *b),
            ">" | ">=" => (*b, *a),
            _ => return None,
        };
        (k.symbol().is_some() && lets.definition(k).is_none()).then_some((item, template, k))
    };
    (!items.is_empty()).then(|| items.into_iter().map(bound).collect()).flatten()
}

/// The formula of an implication, if its bounds are free; else what is wrong
/// is said.
pub(crate) fn premise(commands: &mut Commands<'_>, implication: &Implication) -> Option<Term> {
    let terms = implication.templates.iter().map(|t| t.term);
    let roots: Vec<Term> = terms.chain([implication.premise]).collect();
    let used: rustc_hash::FxHashSet<Term> = commands.store.subterms(&roots).into_iter().collect();
    let mut seen = rustc_hash::FxHashSet::default();
    for (k, span) in &implication.bounds {
        let is_free = commands.store.name(*k).is_some() && !used.contains(k) && seen.insert(*k);
        if !is_free {
            let message = "the bound of a template must be a symbol that occurs nowhere else";
            commands.diagnostics.push(Diagnostic::error("S0008", *span, message));
        }
    }
    Some(implication.premise)
}
