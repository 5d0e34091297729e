//! From text to a formula, with several messages per run.
//!
//! Operators, from tight to loose: `!` and `X F G [] <>` (prefix), `U R W M`
//! (to the right), `&&`, `||`, `->` (to the right), `<->`. `V` is `R`; `=>`,
//! `<=>`, `&`, `|` and `~` are read as well. Parsing goes by two stacks, so the
//! depth of a formula is limited by memory alone.
//!
//! | code | meaning |
//! | --- | --- |
//! | L0001 | a character that begins no token |
//! | L0002 | a formula is missing |
//! | L0003 | a bracket without its partner |
//! | L0004 | an operator is missing |
//! | L0005 | a quote that is never closed |
//! | L0006 | the formula is too large |
//! | L0007 | this is no formula |
//! | L0901 | a name that looks like operators written together |

use crate::formula::{Atom, Formula, MAX_ATOMS, Store, Sub};
use crate::lexer::{Kind, Token, closing, tokens};
use parallax_base::{Diagnostic, Diagnostics, FileId, Span};
use rustc_hash::FxHashMap;
use std::ops::Range;

mod atom;

/// The longest formula that is read, in bytes.
pub const MAX_FORMULA_BYTES: usize = 1 << 20;

/// Reads a formula. It is there if and only if there are no errors; warnings
/// may be there in either case.
pub fn parse(file: FileId, text: &str) -> (Option<Formula>, Diagnostics) {
    let mut parser = Parser::new(file, text);
    if text.len() > MAX_FORMULA_BYTES {
        let message = format!("the formula has {} bytes, more than 1 MiB", text.len());
        parser.report(Diagnostic::error("L0006", Span::new(file, 0, 0), message));
        return (None, parser.diagnostics);
    }
    let root = parser.formula();
    let Parser { store, atoms, diagnostics, .. } = parser;
    let formula = root.filter(|_| !diagnostics.has_errors());
    (formula.map(|root| Formula { store, root, atoms }), diagnostics)
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Prefix {
    Not,
    Next,
    Eventually,
    Always,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Infix {
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    And,
    Or,
    Implies,
    Iff,
}

impl Infix {
    /// How tight it binds, and whether it groups to the right.
    fn level(self) -> (u8, bool) {
        match self {
            Infix::Until | Infix::Release | Infix::WeakUntil | Infix::StrongRelease => (4, true),
            Infix::And => (3, false),
            Infix::Or => (2, false),
            Infix::Implies => (1, true),
            Infix::Iff => (0, false),
        }
    }
}

/// What waits for its operands.
enum Waiting {
    Prefix(Prefix),
    Infix(Infix),
    /// A bracket, with its token.
    Open(usize),
}

struct Parser<'s> {
    text: &'s str,
    file: FileId,
    tokens: Vec<Token>,
    closed: Vec<Option<usize>>,
    at: usize,
    store: Store,
    atoms: Vec<Atom>,
    /// Atoms by their text without needless blanks.
    known: FxHashMap<String, u32>,
    operands: Vec<Sub>,
    waiting: Vec<Waiting>,
    diagnostics: Diagnostics,
}

impl<'s> Parser<'s> {
    fn new(file: FileId, text: &'s str) -> Parser<'s> {
        let tokens = if text.len() > MAX_FORMULA_BYTES { tokens("") } else { tokens(text) };
        Parser {
            text,
            file,
            closed: closing(&tokens),
            tokens,
            at: 0,
            store: Store::default(),
            atoms: Vec::new(),
            known: FxHashMap::default(),
            operands: Vec::new(),
            waiting: Vec::new(),
            diagnostics: Diagnostics::default(),
        }
    }

    // ---- tokens ----

    fn kind(&self, at: usize) -> Kind {
        self.tokens.get(at).map_or(Kind::End, |t| t.kind)
    }

    fn here(&self) -> Kind {
        self.kind(self.at)
    }

    fn range(&self, at: usize) -> Range<usize> {
        self.tokens.get(at).map_or(self.text.len()..self.text.len(), |t| t.range.clone())
    }

    fn word(&self, at: usize) -> &'s str {
        &self.text[self.range(at)]
    }

    fn span(&self, at: usize) -> Span {
        let range = self.range(at);
        Span::new(self.file, range.start, range.end)
    }

    /// What stands here, for messages.
    fn found(&self) -> String {
        match self.here() {
            Kind::End => String::from("the end"),
            _ => format!("`{}`", shortened(self.word(self.at))),
        }
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    // ---- the two states: a formula is expected, or an operator ----

    fn formula(&mut self) -> Option<Sub> {
        loop {
            self.operand();
            if !self.operator() {
                break;
            }
        }
        while let Some(waiting) = self.waiting.pop() {
            if let Waiting::Open(at) = waiting {
                let help = "close it with `)`";
                let error = Diagnostic::error("L0003", self.span(at), "`(` is never closed");
                self.report(error.help(help));
            } else {
                self.apply(waiting);
            }
        }
        self.operands.pop()
    }

    /// Takes prefix operators and opening brackets, then one operand.
    fn operand(&mut self) {
        loop {
            if let Some(prefixes) = self.prefixes() {
                self.waiting.extend(prefixes.into_iter().map(Waiting::Prefix));
            } else if self.here() == Kind::Sign("(") && !self.begins_expression(self.at) {
                self.waiting.push(Waiting::Open(self.at));
                self.at += 1;
            } else if self.here() == Kind::Unknown {
                self.unknown();
            } else {
                break;
            }
        }
        let operand = match self.here() {
            Kind::OpenQuote => {
                let mut span = self.span(self.at);
                span.hi = span.lo + 1;
                let error = Diagnostic::error("L0005", span, "the quote is never closed");
                self.report(error.help("close it with `\"`"));
                self.at += 1;
                self.store.constant(true)
            }
            Kind::Quoted => {
                let range = self.range(self.at);
                self.at += 1;
                self.atom(range.start + 1..range.end - 1)
            }
            _ if self.begins_atom() => self.inline_atom(),
            _ => {
                let text = format!("expected a formula, found {}", self.found());
                let error = Diagnostic::error("L0002", self.span(self.at), text);
                let help = match self.here() {
                    Kind::Word => {
                        let word = self.word(self.at);
                        format!("`{word}` is an operator; as a name it is written `\"{word}\"`")
                    }
                    Kind::Sign("=") => String::from("equality is written `==`"),
                    Kind::End if self.waiting.is_empty() => {
                        String::from("a formula is, for instance, `[] (request -> <> answer)`")
                    }
                    _ => String::from("an operand is missing here"),
                };
                self.report(error.help(help));
                // Whatever the other state cannot take is taken here.
                let taken_later = matches!(self.here(), Kind::End | Kind::Sign(")"));
                if !taken_later && self.infix().is_none() {
                    self.at += 1;
                }
                self.store.constant(true)
            }
        };
        self.operands.push(operand);
    }

    /// Takes closing brackets and one infix operator; `false` at the end.
    fn operator(&mut self) -> bool {
        loop {
            match self.here() {
                Kind::End => return false,
                Kind::Unknown => self.unknown(),
                Kind::Sign(")") => self.close(),
                Kind::Sign(sign @ ("]" | "," | ":" | "=" | ".")) => {
                    let text = format!("`{sign}` does not belong here");
                    let error = Diagnostic::error("L0001", self.span(self.at), text);
                    self.report(match sign {
                        "=" => error.help("equality is written `==`"),
                        _ => error,
                    });
                    self.at += 1;
                }
                _ => break,
            }
        }
        let infix = self.infix();
        match infix {
            Some(_) => self.at += 1,
            None => self.missing_operator(),
        }
        self.push_infix(infix.unwrap_or(Infix::And));
        true
    }

    fn infix(&self) -> Option<Infix> {
        Some(match (self.here(), self.word(self.at)) {
            (Kind::Word, "U") => Infix::Until,
            (Kind::Word, "R" | "V") => Infix::Release,
            (Kind::Word, "W") => Infix::WeakUntil,
            (Kind::Word, "M") => Infix::StrongRelease,
            (Kind::Sign("&&" | "&"), _) => Infix::And,
            (Kind::Sign("||" | "|"), _) => Infix::Or,
            (Kind::Sign("->" | "=>"), _) => Infix::Implies,
            (Kind::Sign("<->" | "<=>"), _) => Infix::Iff,
            _ => return None,
        })
    }

    fn close(&mut self) {
        let bracket = self.at;
        self.at += 1;
        if !self.waiting.iter().any(|w| matches!(w, Waiting::Open(_))) {
            let error = Diagnostic::error("L0003", self.span(bracket), "`)` closes nothing");
            self.report(error.help("take it away, or open it with `(`"));
            return;
        }
        while let Some(waiting) = self.waiting.pop() {
            if let Waiting::Open(_) = waiting {
                break;
            }
            self.apply(waiting);
        }
    }

    fn missing_operator(&mut self) {
        let text = format!("expected an operator, found {}", self.found());
        let error = Diagnostic::error("L0004", self.span(self.at), text);
        let before = self.at.checked_sub(1).filter(|&b| self.kind(b) == Kind::Word);
        let words = [before, Some(self.at)].into_iter().flatten().map(|at| self.word(at));
        let help = words.filter_map(spelling).next();
        self.report(error.help(help.unwrap_or("such as `&&`, `||`, `->` or `U`")));
    }

    fn unknown(&mut self) {
        let word = self.word(self.at);
        let text = format!("unknown character `{}`", shortened(word));
        let error = Diagnostic::error("L0001", self.span(self.at), text);
        self.report(error.help(match word {
            "□" => "always is written `[]` or `G`",
            "◇" => "eventually is written `<>` or `F`",
            "○" => "next is written `X`",
            "¬" => "negation is written `!`",
            "∧" => "conjunction is written `&&`",
            "∨" => "disjunction is written `||`",
            "→" => "implication is written `->`",
            "^" => "exclusive or is written `!(a <-> b)`",
            "'" => "quotes are written `\"`",
            _ => "names consist of the letters a-z and A-Z, digits and `_`",
        }));
        self.at += 1;
    }

    // ---- building ----

    fn push_infix(&mut self, infix: Infix) {
        let (level, to_right) = infix.level();
        while let Some(waiting) = self.waiting.pop_if(|waiting| match waiting {
            Waiting::Open(_) => false,
            Waiting::Prefix(_) => true,
            Waiting::Infix(other) => {
                let other = other.level().0;
                other > level || (other == level && !to_right)
            }
        }) {
            self.apply(waiting);
        }
        self.waiting.push(Waiting::Infix(infix));
    }

    /// Builds a formula from the operands on the stack. There are enough of
    /// them: each operator was followed by an operand, if only by a stand-in.
    fn apply(&mut self, waiting: Waiting) {
        let Some(b) = self.operands.pop() else { return };
        let store = &mut self.store;
        let result = match waiting {
            Waiting::Open(_) => b,
            Waiting::Prefix(prefix) => match prefix {
                Prefix::Not => store.not(b),
                Prefix::Next => store.next(b),
                Prefix::Eventually => store.eventually(b),
                Prefix::Always => store.always(b),
            },
            Waiting::Infix(infix) => {
                let Some(a) = self.operands.pop() else { return };
                match infix {
                    Infix::Until => store.until(a, b),
                    Infix::Release => store.release(a, b),
                    Infix::WeakUntil => store.weak_until(a, b),
                    Infix::StrongRelease => store.strong_release(a, b),
                    Infix::And => store.and([a, b]),
                    Infix::Or => store.or([a, b]),
                    Infix::Implies => store.implies(a, b),
                    Infix::Iff => store.iff(a, b),
                }
            }
        };
        self.operands.push(result);
    }

    /// The atom with the text of a range.
    fn atom(&mut self, range: Range<usize>) -> Sub {
        let written = &self.text[range.clone()];
        let trimmed = written.trim();
        let start = range.start + (written.len() - written.trim_start().len());
        let span = Span::new(self.file, start, start + trimmed.len());
        if trimmed.is_empty() {
            let error = Diagnostic::error("L0007", span, "an atom without a text");
            self.report(error.help("write a name or an expression between the quotes"));
            return self.store.constant(true);
        }
        let key = without_blanks(trimmed);
        let next = self.atoms.len() as u32;
        if let Some(&known) = self.known.get(&key) {
            return self.store.atom(known);
        }
        if self.atoms.len() == MAX_ATOMS {
            let text = format!("more than {MAX_ATOMS} different atoms");
            let error = Diagnostic::error("L0006", span, text);
            self.report(error.help("name parts of the formula by variables of the model"));
        }
        self.known.insert(key, next);
        let text = trimmed.split_whitespace().collect::<Vec<_>>().join(" ");
        self.atoms.push(Atom { text, span });
        self.store.atom(next)
    }
}

/// A text without the blanks that separate no words.
fn without_blanks(text: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut out = String::new();
    for part in text.split_whitespace() {
        if out.ends_with(is_word) && part.starts_with(is_word) {
            out.push(' ');
        }
        out.push_str(part);
    }
    out
}

/// How an operator that was written as a word is written.
fn spelling(word: &str) -> Option<&'static str> {
    Some(match word.to_ascii_lowercase().as_str() {
        "always" | "globally" | "henceforth" | "g" => "always is written `[]` or `G`",
        "eventually" | "finally" | "future" | "sometime" | "f" => {
            "eventually is written `<>` or `F`"
        }
        "next" | "nexttime" | "x" | "o" => "next is written `X`",
        "until" | "u" => "until is written `U`",
        "release" | "releases" => "release is written `R`",
        "weak" | "unless" => "weak until is written `W`",
        "not" => "negation is written `!`",
        "and" => "conjunction is written `&&`",
        "or" => "disjunction is written `||`",
        "implies" => "implication is written `->`",
        "iff" => "equivalence is written `<->`",
        "xor" => "exclusive or is written `!(a <-> b)`",
        _ => return None,
    })
}

/// At most 24 characters of a text, for messages.
fn shortened(text: &str) -> String {
    let mut shown: String =
        text.chars().take(24).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
    if text.chars().nth(24).is_some() {
        shown.push_str("...");
    }
    shown
}
/// `name :` at the beginning of a formula: where the name begins and ends, and where
/// the formula begins.
pub fn name_of(text: &str) -> Option<(usize, usize, usize)> {
    let lo = text.len() - text.trim_start().len();
    let rest = &text[lo..];
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let hi = lo + rest.find(|c| !is_word(c))?;
    let begins = rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let after = text[hi..].trim_start();
    let colon = text.len() - after.len();
    (begins && after.starts_with(':')).then_some((lo, hi, colon + 1))
}
