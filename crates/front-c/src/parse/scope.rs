//! Which identifiers are typedef names, scope by scope.
//!
//! This is all the parser knows of declarations. Tags, members and labels live
//! in name spaces of their own and never come here.

use crate::lex::Symbol;

/// What an ordinary identifier names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Meaning {
    /// A variable, function or enumeration constant, or nothing yet.
    Ordinary,
    /// A type.
    Typedef,
    /// A type the compiler declares before the first line.
    Builtin,
}

/// The meaning of every symbol, and how to undo what inner scopes changed.
pub(super) struct Scopes {
    meanings: Vec<Meaning>,
    undo: Vec<(Symbol, Meaning)>,
    marks: Vec<usize>,
}

impl Scopes {
    /// The file scope, where `symbols` symbols mean nothing yet.
    pub(super) fn new(symbols: usize) -> Scopes {
        Scopes { meanings: vec![Meaning::Ordinary; symbols], undo: Vec::new(), marks: Vec::new() }
    }

    /// The meaning in the current scope.
    pub(super) fn meaning(&self, symbol: Symbol) -> Meaning {
        self.meanings[symbol as usize]
    }

    /// Declares a symbol in the current scope.
    pub(super) fn declare(&mut self, symbol: Symbol, meaning: Meaning) {
        let old = std::mem::replace(&mut self.meanings[symbol as usize], meaning);
        if old != meaning && !self.marks.is_empty() {
            self.undo.push((symbol, old));
        }
    }

    /// Opens a scope.
    pub(super) fn open(&mut self) {
        self.marks.push(self.undo.len());
    }

    /// Closes the innermost scope.
    pub(super) fn close(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for (symbol, old) in self.undo.drain(mark..).rev() {
            self.meanings[symbol as usize] = old;
        }
    }

    /// How many scopes are open.
    pub(super) fn depth(&self) -> usize {
        self.marks.len()
    }

    /// Closes scopes until `depth` are open.
    pub(super) fn close_to(&mut self, depth: usize) {
        while self.marks.len() > depth {
            self.close();
        }
    }
}
