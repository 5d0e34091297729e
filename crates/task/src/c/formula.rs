//! Formulas of linear temporal logic about C programs, as C text.
//!
//! An atom is a condition over the global variables of the first file. The text of
//! a formula becomes a function of C that shows its atoms, or, if the formula says
//! what holds in every state, fails where that does not hold; `watch.rs` has it
//! called. So an atom means what it means in the program: the front end reads it
//! together with the file.

use crate::{Invalid, LoadError};
use parallax_base::{Diagnostics, SourceFile, SourceMap};
use parallax_cfa::Temporal;
use parallax_ltl::{Formula, MAX_ATOMS, Node, Sub, name_of, parse};
use std::sync::Arc;

/// What the file of the text is called in messages.
const FILE: &str = "<formulas>";

/// Formulas that are asked, and the text to read with the program.
pub(super) struct Written {
    pub(super) formulas: Vec<Arc<Temporal>>,
    pub(super) appendix: Option<(String, Arc<str>)>,
}

/// Reads formulas, each of which may begin with a name.
pub(super) fn written(texts: &[String]) -> Result<Written, LoadError> {
    let mut formulas: Vec<Arc<Temporal>> = Vec::new();
    let mut c =
        String::from("\nvoid __parallax_atom(int, int, int);\nvoid __parallax_letter(int);\n");
    for (number, text) in texts.iter().enumerate() {
        let wrong =
            |message: String| LoadError::Given { what: "formula", text: text.clone(), message };
        let (name, start) = match name_of(text) {
            Some((lo, hi, start)) => (&text[lo..hi], start),
            None => (text.trim(), 0),
        };
        let formula = read(text, start)?;
        let store = &formula.store;
        if store.parts(formula.root).iter().any(|f| matches!(store.node(*f), Node::Next(_))) {
            let message = "`X` speaks of single steps, which C does not fix; use `<>`, `[]` or `U`";
            return Err(wrong(message.to_owned()));
        }
        if formula.atoms.len() >= MAX_ATOMS {
            return Err(wrong(format!("it has more than {} atoms", MAX_ATOMS - 1)));
        }
        if formulas.iter().any(|known| *known.name == *name) {
            return Err(wrong(format!("there is another one that is called `{name}`")));
        }
        let (number, name, text) = (number as u32, name.into(), text.as_str().into());
        let temporal = Temporal { number, name, text, formula };
        c.push_str(&watcher(&temporal));
        formulas.push(Arc::new(temporal));
    }
    let appendix = (!formulas.is_empty()).then(|| (FILE.to_owned(), c.into()));
    Ok(Written { formulas, appendix })
}

/// Messages of the front end, with what to do about those on formulas.
pub(super) fn explained(sources: &SourceMap, found: &Diagnostics) -> Diagnostics {
    let mut all = Diagnostics::default();
    for diagnostic in found.iter() {
        let file = diagnostic.labels.first().and_then(|label| sources.get(label.span.file));
        let help = "an atom is a condition of C over global variables, without macros; \
                    one with `->` in it stands in quotes: `\"p->held\"`";
        all.push(match file {
            Some(file) if file.name() == FILE => diagnostic.clone().help(help),
            _ => diagnostic.clone(),
        });
    }
    all
}

/// Reads the formula that begins at a byte of a text.
fn read(text: &str, start: usize) -> Result<Formula, LoadError> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("<command line>", text));
    let alone = [&" ".repeat(start), &text[start..]].concat();
    match parse(file, &alone) {
        (Some(formula), _) => Ok(formula),
        (None, diagnostics) => Err(LoadError::Invalid(Box::new(Invalid { sources, diagnostics }))),
    }
}

/// The functions that look at the program for a formula: `__parallax_watch_N` where
/// something changed, `__parallax_watch_out_N` where a run is none that is asked about.
fn watcher(temporal: &Temporal) -> String {
    let number = temporal.number;
    if let Some(condition) = temporal.always() {
        let condition = condition_text(&temporal.formula, condition);
        return format!(
            "void __parallax_broken_{number}(void);\n\
             static void __parallax_watch_{number}(void) {{\n\
             if (!({condition})) __parallax_broken_{number}();\n}}\n"
        );
    }
    let atoms = temporal.formula.atoms.iter().enumerate();
    let shown =
        atoms.map(|(i, atom)| format!("__parallax_atom({number}, {i}, !!(\n{}\n));\n", atom.text));
    let (shown, excluded) = (shown.collect::<String>(), temporal.excluded());
    format!(
        "static void __parallax_watch_{number}(void) {{\n{shown}__parallax_letter({number});\n}}\n\
         static void __parallax_watch_out_{number}(void) {{\n\
         __parallax_atom({number}, {excluded}, 1);\n__parallax_letter({number});\n}}\n"
    )
}

/// A condition on states in C.
fn condition_text(formula: &Formula, part: Sub) -> String {
    let joined = |parts: &[Sub], sign: &str| {
        let parts: Vec<String> = parts.iter().map(|f| condition_text(formula, *f)).collect();
        format!("({})", parts.join(sign))
    };
    match formula.store.node(part) {
        Node::False => String::from("0"),
        Node::Atom(atom) => format!("(\n{}\n)", formula.atoms[*atom as usize].text),
        Node::Not(inner) => format!("!{}", condition_text(formula, *inner)),
        Node::And(parts) => joined(parts, " && "),
        Node::Or(parts) => joined(parts, " || "),
        // Conditions on states have no other parts.
        Node::True | Node::Next(_) | Node::Until(..) | Node::Release(..) => String::from("1"),
    }
}
