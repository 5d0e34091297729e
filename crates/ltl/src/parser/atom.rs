//! Where prefix operators and atoms begin and end.
//!
//! An atom is a name, a quoted text, or an expression of a model written as it
//! is: `P[0]@critical`, `x + 1 > y`, `forall i in 0..N: a[i] > 0`. Outside of
//! its own brackets an expression ends before the next operator of the logic;
//! one that begins with `forall`, `exists`, `sum`, `count` or `if` extends as
//! far to the right as possible, as in models.

use super::{Kind, Parser, Prefix};
use crate::formula::Sub;
use parallax_base::{Diagnostic, Span};

impl Parser<'_> {
    /// Takes the prefix operators here; several letters may be written
    /// together, as in `GF p`.
    pub(super) fn prefixes(&mut self) -> Option<Vec<Prefix>> {
        let one = |prefix| Some(vec![prefix]);
        let (found, taken) = match self.here() {
            Kind::Sign("!" | "~") => (one(Prefix::Not), 1),
            Kind::Sign("<>") => (one(Prefix::Eventually), 1),
            Kind::Sign("[") if self.kind(self.at + 1) == Kind::Sign("]") => {
                (one(Prefix::Always), 2)
            }
            Kind::Word if self.begins_operand(self.at + 1) => (letters(self.word(self.at)), 1),
            _ => (None, 0),
        };
        if found.is_some() {
            self.at += taken;
        }
        found
    }

    /// Whether what begins at a token can only be an operand of a prefix
    /// operator before it: else that operator is a name.
    fn begins_operand(&self, at: usize) -> bool {
        match self.kind(at) {
            Kind::Word => !is_infix(self.word(at)) || self.continues_expression(at + 1),
            Kind::Number | Kind::Quoted | Kind::OpenQuote => true,
            Kind::Sign("(" | "!" | "~" | "<>" | "-") => true,
            Kind::Sign("[") => self.kind(at + 1) == Kind::Sign("]"),
            Kind::Sign(_) | Kind::Unknown | Kind::End => false,
        }
    }

    /// Whether a token can only be the middle of an expression.
    fn continues_expression(&self, at: usize) -> bool {
        match self.kind(at) {
            Kind::Sign("[") => self.kind(at + 1) != Kind::Sign("]"),
            Kind::Sign(sign) => is_expression_sign(sign),
            _ => false,
        }
    }

    /// Whether the bracket at a token belongs to an expression, as in
    /// `(x + 1) * 2 > y`, and not to the logic.
    pub(super) fn begins_expression(&self, at: usize) -> bool {
        let after = self.closed.get(at).copied().flatten().map(|close| self.kind(close + 1));
        matches!(after, Some(Kind::Sign(sign)) if is_expression_sign(sign))
    }

    /// Whether an atom begins here.
    pub(super) fn begins_atom(&self) -> bool {
        match self.here() {
            Kind::Word => {
                let word = self.word(self.at);
                let operator = is_infix(word) || letters(word).is_some();
                !operator || self.continues_expression(self.at + 1)
            }
            Kind::Number | Kind::Sign("(" | "-") => true,
            _ => false,
        }
    }

    /// Takes an atom or a constant.
    pub(super) fn inline_atom(&mut self) -> Sub {
        let first = self.at;
        let word = self.word(first);
        self.skip_expression();
        let span = Span::new(self.file, self.range(first).start, self.range(self.at - 1).end);
        if self.at == first + 1 {
            match (self.kind(first), word) {
                (Kind::Word, "true") => return self.store.constant(true),
                (Kind::Word, "false") => return self.store.constant(false),
                (Kind::Number, _) => {
                    let error = Diagnostic::error("L0007", span, "a number is no formula");
                    self.report(error.help("the constants are `true` and `false`"));
                    return self.store.constant(true);
                }
                _ => self.suspect(word, span),
            }
        }
        self.atom(span.range())
    }

    /// A name such as `GFa` or `pUq` may have been meant otherwise.
    fn suspect(&mut self, word: &str, span: Span) {
        let last_small = word.ends_with(|c: char| c.is_ascii_lowercase());
        let front = &word[..word.len() - usize::from(last_small)];
        let prefixes = last_small && !front.is_empty() && letters(front).is_some();
        let middle = match word.as_bytes() {
            [a, op, b] => a.is_ascii_lowercase() && b"URWMV".contains(op) && b.is_ascii_lowercase(),
            _ => false,
        };
        if prefixes || middle {
            let text = format!("`{word}` is read as one name");
            let apart: Vec<String> = word.chars().map(String::from).collect();
            let help = format!("operators stand apart: `{}`", apart.join(" "));
            self.report(Diagnostic::warning("L0901", span, text).help(help));
        }
    }

    /// Moves behind an expression; at least one token is taken.
    fn skip_expression(&mut self) {
        // Whether an operand has just ended, so that an operator must follow.
        let mut ended = false;
        let start = self.at;
        loop {
            match self.here() {
                Kind::Word | Kind::Number if ended => break,
                Kind::Word if self.is_greedy() => {
                    self.skip_to_close();
                    break;
                }
                Kind::Word | Kind::Number => ended = true,
                Kind::Sign("(") => {
                    let touching = self.at > start
                        && self.range(self.at - 1).end == self.range(self.at).start
                        && self.kind(self.at - 1) == Kind::Word;
                    if ended && !touching {
                        break;
                    }
                    if !self.skip_brackets() {
                        break;
                    }
                    ended = true;
                    continue;
                }
                Kind::Sign("[") if ended && self.kind(self.at + 1) != Kind::Sign("]") => {
                    if !self.skip_brackets() {
                        break;
                    }
                    continue;
                }
                Kind::Sign("-") => ended = false,
                Kind::Sign("@" | ".") if ended => ended = false,
                Kind::Sign("=") if ended => {
                    let error = Diagnostic::error("L0001", self.span(self.at), "unknown sign `=`");
                    self.report(error.help("equality is written `==`"));
                    ended = false;
                }
                Kind::Sign(sign) if ended && is_expression_sign(sign) => ended = false,
                _ => break,
            }
            self.at += 1;
        }
        if self.at == start {
            self.at += 1;
        }
    }

    /// Moves behind the bracket that closes the one here. Without one, the
    /// rest of the text is taken, and the bracket is reported.
    fn skip_brackets(&mut self) -> bool {
        if let Some(close) = self.closed[self.at] {
            self.at = close + 1;
            return true;
        }
        let text = format!("`{}` is never closed", self.word(self.at));
        self.report(Diagnostic::error("L0003", self.span(self.at), text));
        self.at = self.tokens.len() - 1;
        false
    }

    /// Whether an expression that extends to the right begins here.
    fn is_greedy(&self) -> bool {
        match self.word(self.at) {
            "forall" | "exists" | "if" => true,
            "sum" | "count" => self.kind(self.at + 1) == Kind::Word,
            _ => false,
        }
    }

    /// Moves to the bracket that closes what surrounds, or to the end.
    fn skip_to_close(&mut self) {
        loop {
            match self.here() {
                Kind::End | Kind::Sign(")" | "]") => return,
                Kind::Quoted | Kind::OpenQuote | Kind::Unknown => return,
                Kind::Sign("(" | "[") if !self.skip_brackets() => return,
                Kind::Sign("(" | "[") => {}
                _ => self.at += 1,
            }
        }
    }
}

/// Whether a sign joins parts of an expression, and not formulas.
fn is_expression_sign(sign: &str) -> bool {
    let signs = ["==", "!=", "<", "<=", ">", ">=", "+", "-", "*", "/", "%", "@", "."];
    signs.contains(&sign)
}

/// Whether a word is an infix operator of the logic.
fn is_infix(word: &str) -> bool {
    matches!(word, "U" | "R" | "V" | "W" | "M")
}

/// The prefix operators that a word consists of.
fn letters(word: &str) -> Option<Vec<Prefix>> {
    let one = |c| match c {
        'X' => Some(Prefix::Next),
        'F' => Some(Prefix::Eventually),
        'G' => Some(Prefix::Always),
        _ => None,
    };
    word.chars().map(one).collect()
}
