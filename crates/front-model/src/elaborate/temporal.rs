//! Formulas of linear temporal logic about a model.
//!
//! The logic is read by `parallax-ltl`; its atoms are expressions of the
//! model, read and elaborated here. A formula may be named: `live: [] <> p`.

use std::collections::BTreeMap;
use std::sync::Arc;

use parallax_base::{Diagnostic, Diagnostics, FileId, SourceFile, SourceMap, Span};
use parallax_ir::{PropertyKind, Temporal};
use parallax_ltl::Formula;

use super::context::Cx;
use super::properties::{Asked, numbered};
use crate::ast::Expr;
use crate::parser::parse_expression;

/// A formula before its atoms are understood.
pub(super) struct Written {
    name: Option<(String, Span)>,
    text: Arc<str>,
    formula: Formula,
    span: Span,
    file: FileId,
    /// For each atom a text with nothing but the atom, at its place.
    atoms: Vec<String>,
}

/// A formula and the expressions that its atoms are.
pub(super) struct Parsed<'m> {
    pub(super) written: &'m Written,
    pub(super) atoms: Vec<Expr<'m>>,
}

/// Reads the logic of formulas.
pub(super) fn written(
    sources: &mut SourceMap,
    formulas: &[String],
) -> Result<Vec<Written>, Diagnostics> {
    let mut all = Vec::new();
    for text in formulas {
        let source = SourceFile::new("<command line>", text.as_str());
        let file = sources.add(source);
        let (name, start) = match parallax_ltl::name_of(text) {
            Some((lo, hi, start)) => {
                (Some((text[lo..hi].to_owned(), Span::new(file, lo, hi))), start)
            }
            None => (None, 0),
        };
        let (formula, diagnostics) = parallax_ltl::parse(file, &alone(text, start, text.len()));
        let Some(formula) = formula else { return Err(diagnostics) };
        let atom = |a: &parallax_ltl::Atom| alone(text, a.span.lo as usize, a.span.hi as usize);
        all.push(Written {
            name,
            text: text.as_str().into(),
            atoms: formula.atoms.iter().map(atom).collect(),
            formula,
            span: Span::new(file, start, text.len()),
            file,
        });
    }
    Ok(all)
}

/// Reads the atoms of formulas.
pub(super) fn parsed(written: &[Written]) -> Result<Vec<Parsed<'_>>, Diagnostics> {
    let mut all = Vec::new();
    for written in written {
        let atoms: Result<Vec<Expr<'_>>, Diagnostics> =
            written.atoms.iter().map(|text| parse_expression(written.file, text)).collect();
        all.push(Parsed { written, atoms: atoms? });
    }
    Ok(all)
}

/// A text with blanks in the place of everything but a range.
fn alone(text: &str, lo: usize, hi: usize) -> String {
    let mut out = " ".repeat(lo);
    out.push_str(&text[lo..hi]);
    out
}

impl<'m> Cx<'m> {
    /// Elaborates formulas and adds them to the questions.
    pub(super) fn temporals(
        &mut self,
        formulas: &'m [Parsed<'m>],
        names: &mut BTreeMap<String, Span>,
    ) -> Vec<Asked> {
        let limits = self.limits();
        let mut found = Vec::new();
        for Parsed { written, atoms } in formulas {
            let name = match &written.name {
                Some((name, span)) => {
                    if let Some(&first) = names.get(name) {
                        let text = format!("the property `{name}` is declared twice");
                        let error = Diagnostic::error("M0101", *span, text);
                        self.fail(error.also(first, "first declared here"));
                    }
                    name.clone()
                }
                None => {
                    let word = PropertyKind::Ltl.word();
                    let free = |n: &usize| !names.contains_key(&numbered(word, *n));
                    numbered(word, (1..).find(free).unwrap_or(0))
                }
            };
            names.insert(name.clone(), written.span);
            let mut terms = Vec::new();
            for atom in atoms {
                if let Ok(term) = self.property_target(atom, PropertyKind::Ltl, &limits) {
                    terms.push(term);
                }
            }
            if terms.len() < atoms.len() {
                continue;
            }
            let (formula, text) = (written.formula.clone(), written.text.clone());
            let temporal = Temporal { formula, atoms: terms, text };
            found.push(Asked {
                name,
                kind: PropertyKind::Ltl,
                target: Some(self.store.bool(false)),
                temporal: Some(Arc::new(temporal)),
                span: written.span,
            });
        }
        found
    }
}
