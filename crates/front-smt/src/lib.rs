//! Layer 4: template problems from SMT-LIB text.
//!
//! Two forms are read. In the form of the SYMBA thesis (Li, Toronto 2013,
//! Section 6.1) a problem is one assertion `phi => (and (< t1 k1) ... )` whose
//! `k` are symbols that occur nowhere else; both bounds of each `t` are
//! wanted. In the form of optimizing solvers formulas are asserted and terms
//! are given to `maximize` and `minimize`. One objective, or several with box
//! priority, are one problem; everything else that such scripts do (several
//! objectives, soft assertions, scopes, machine words, models) makes the text a
//! list of queries, see `script`.
//!
//! Broken text becomes diagnostics. A command with an error does not hide
//! errors in later commands.
//!
//! | code | meaning |
//! | --- | --- |
//! | S0001 | a parenthesis, bar or quote is never closed |
//! | S0002 | a command is malformed or unknown |
//! | S0003 | a sort other than `Bool`, `Int`, `Real` and `(_ BitVec n)` |
//! | S0004 | a symbol is declared twice |
//! | S0005 | a term makes no sense |
//! | S0006 | a term is not linear |
//! | S0007 | nothing is to be bounded |
//! | S0008 | a conclusion is not of the form `(< t k)` |

mod commands;
mod macros;
mod nonlinear;
mod script;
mod thesis;

pub use script::{Ask, Priority, Query};

use commands::Commands;
use parallax_base::{Diagnostic, Diagnostics, FileId, SourceMap, Span};
use parallax_ir::TemplateProblem;
use parallax_term::{ReadError, Sexprs};

/// A problem and what else there is to say about its text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The problem; that of the last query if there are queries.
    pub problem: TemplateProblem,
    /// The queries of a script for optimizing solvers.
    pub queries: Vec<Query>,
    /// No errors.
    pub warnings: Diagnostics,
}

/// Reads a problem from a file of `sources`.
pub fn load(sources: &SourceMap, file: FileId) -> Result<Loaded, Diagnostics> {
    let (name, text) = sources.get(file).map_or(("", ""), |f| (f.name(), f.text()));
    let mut diagnostics = Diagnostics::default();
    let all = match Sexprs::read(text) {
        Ok(all) => all,
        Err(error) => {
            diagnostics.push(at(file, text, "S0001", &error));
            return Err(diagnostics);
        }
    };
    let mut commands = Commands::new(file, text, diagnostics);
    for command in all.iter() {
        commands.take(&all, command);
    }
    commands.finish(name)
}

/// A message at the token where a reader stopped.
fn at(file: FileId, text: &str, code: &'static str, error: &ReadError) -> Diagnostic {
    let rest = text.get(error.offset..).unwrap_or("");
    let token = rest.find(|c: char| c.is_whitespace() || "();".contains(c)).unwrap_or(rest.len());
    let width = token.max(rest.chars().next().map_or(0, char::len_utf8));
    let span = Span::new(file, error.offset, error.offset + width);
    Diagnostic::error(code, span, error.message.clone())
}
