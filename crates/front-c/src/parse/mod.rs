//! Tokens to a syntax tree: recursive descent, with a loop for operators.
//!
//! The grammar is that of C11 (ISO/IEC 9899:2011, annex A.2) with the
//! extensions of GNU C and the parts of C23 that GCC 12 takes. It is wider than
//! the standard where that costs nothing: what is ill-typed is left to the
//! checker.
//!
//! A rule that fails has reported why and returns [`Reported`]; statements and
//! declarations catch it, skip to the next `;` or `}` and go on.
//!
//! Invariants: no rule nests deeper than [`DEPTH`], and no tree is higher than
//! [`HEIGHT`], so that the stages after this one may recurse. Chains of
//! operators, `else if`s and labels are read by loops and count against the
//! height alone.

mod asm;
mod attribute;
mod declaration;
mod declarator;
mod expression;
mod initializer;
mod primary;
mod record;
mod scope;
mod specifiers;
mod statement;

use crate::ast::{Expr, ExprKind, Item, Name, Stmt, StmtKind, Unit};
use crate::lex::{Encoding, Kind, LexError, Lexed, Names, Symbol, Token, lex};
use parallax_base::{Diagnostic, Diagnostics, FileId, Id, Span};
use scope::{Meaning, Scopes};
use std::sync::Arc;

/// How deep rules may nest.
pub(crate) const DEPTH: u32 = 4_000;
/// How high a tree may be.
pub(crate) const HEIGHT: u32 = 50_000;

/// An error has been reported; whoever can go on does.
struct Reported;

type Parse<T> = Result<T, Reported>;

/// Where the tokens of a text come from.
pub(crate) trait Origin {
    /// The place a range of bytes of the text stands for.
    fn span(&self, lo: u32, hi: u32) -> Span;
}

impl Origin for FileId {
    fn span(&self, lo: u32, hi: u32) -> Span {
        Span { file: *self, lo, hi }
    }
}

/// Parses preprocessed text. The unit holds what could be parsed even if there
/// are errors.
///
/// Needs a large stack: see [`crate::on_large_stack`].
pub(crate) fn parse(text: &str, encoding: Encoding, origin: &dyn Origin) -> (Unit, Diagnostics) {
    let Lexed { tokens, names, packs, weak, errors } = lex(text);
    let mut diagnostics = Diagnostics::default();
    for LexError { code, lo, hi, message, help } in errors {
        let error = Diagnostic::error(code, origin.span(lo as u32, hi as u32), message);
        diagnostics.push(match help {
            Some(help) => error.help(help),
            None => error,
        });
    }
    let spans = tokens.iter().map(|token| origin.span(token.lo, token.hi)).collect();
    let mut parser = Parser {
        text,
        encoding,
        tokens,
        spans,
        scopes: Scopes::new(names.len()),
        names,
        packs,
        at: 0,
        unit: Unit { weak, ..Unit::default() },
        diagnostics,
        quiet: 0,
        depth: 0,
        height: 0,
        gave_up: false,
    };
    parser.declare_builtins();
    parser.items();
    (parser.unit, parser.diagnostics)
}

struct Parser<'a> {
    text: &'a str,
    encoding: Encoding,
    tokens: Vec<Token>,
    spans: Vec<Span>,
    names: Names,
    packs: Vec<(usize, Option<u32>)>,
    scopes: Scopes,
    at: usize,
    unit: Unit,
    diagnostics: Diagnostics,
    /// Errors are not recorded while this is above zero.
    quiet: u32,
    depth: u32,
    /// Height of the highest tree made since the innermost [`Parser::nested`].
    height: u32,
    gave_up: bool,
}

/// A point to return to after an error.
struct Mark {
    scopes: usize,
    depth: u32,
}

// Tokens.
impl Parser<'_> {
    fn token(&self) -> Token {
        self.tokens[self.at]
    }

    fn kind(&self) -> Kind {
        self.tokens[self.at].kind
    }

    fn ahead(&self, by: usize) -> Kind {
        self.tokens.get(self.at + by).map_or(Kind::Eof, |token| token.kind)
    }

    fn bump(&mut self) {
        // The last token is the end of the file and is never passed.
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
    }

    fn eat(&mut self, kind: Kind) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: Kind, after: &str) -> Parse<()> {
        if self.eat(kind) {
            return Ok(());
        }
        Err(self.expected(&format!("{}{after}", kind.shown())))
    }

    /// The place of the current token.
    fn here(&self) -> Span {
        self.spans[self.at]
    }

    /// From the token of index `start` to the last one read.
    fn since(&self, start: usize) -> Span {
        let last = self.at.saturating_sub(1).max(start);
        self.spans[start].to(self.spans[last])
    }

    fn spelling(&self, token: Token) -> &str {
        &self.text[token.lo as usize..token.hi as usize]
    }

    fn symbol_text(&self, symbol: Symbol) -> Arc<str> {
        self.names.text(symbol).clone()
    }

    /// The current token as a name; call only if it is one.
    fn take_name(&mut self) -> (Symbol, Name) {
        let token = self.token();
        let name = Name { text: self.symbol_text(token.symbol), span: self.here() };
        self.bump();
        (token.symbol, name)
    }

    fn expect_name(&mut self, what: &str) -> Parse<Name> {
        if self.kind() == Kind::Name { Ok(self.take_name().1) } else { Err(self.expected(what)) }
    }

    fn is_typedef(&self, token: Token) -> bool {
        token.kind == Kind::Name && self.scopes.meaning(token.symbol) != Meaning::Ordinary
    }
}

// Errors.
impl Parser<'_> {
    fn report(&mut self, diagnostic: Diagnostic) -> Reported {
        if self.quiet == 0 && !self.gave_up {
            self.diagnostics.push(diagnostic);
        }
        Reported
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> Reported {
        self.report(Diagnostic::error(code, span, message))
    }

    /// The current token as it is named in messages.
    fn found(&self) -> String {
        let token = self.token();
        match token.kind {
            Kind::Eof => "the end of the file".to_owned(),
            kind => {
                let spelling = self.spelling(token);
                let short: String = spelling.chars().take(40).collect();
                let dots = if short.len() < spelling.len() { "..." } else { "" };
                match kind {
                    Kind::Str => format!("the string literal {short}{dots}"),
                    _ => format!("`{short}{dots}`"),
                }
            }
        }
    }

    fn expected(&mut self, what: &str) -> Reported {
        let message = format!("expected {what}, found {}", self.found());
        let diagnostic = Diagnostic::error("C0020", self.here(), message);
        let before = self.at.checked_sub(1).map(|i| self.spans[i]);
        let diagnostic = diagnostic.label(format!("expected {what}"));
        let diagnostic = match before {
            Some(span) if what.starts_with("`;`") => diagnostic.also(span, "after this"),
            _ => diagnostic,
        };
        let diagnostic = self.with_hint(diagnostic);
        self.report(diagnostic)
    }

    /// The `;` after something. If one is missing where the next statement or
    /// declaration clearly begins, the error is reported and parsing goes on.
    fn semicolon(&mut self, after: &str) -> Parse<()> {
        if self.eat(Kind::Semi) {
            return Ok(());
        }
        let reported = self.expected(&format!("`;` after {after}"));
        let goes_on = match self.kind() {
            Kind::RBrace => self.scopes.depth() > 0,
            kind => kind.begins_statement() || self.begins_type(self.at),
        };
        if goes_on { Ok(()) } else { Err(reported) }
    }

    /// Adds help where the tokens around tell what is probably wrong.
    fn with_hint(&self, diagnostic: Diagnostic) -> Diagnostic {
        let before = &self.tokens[..self.at];
        let around = [Some(self.token()), before.last().copied()];
        if let Some(token) = around.into_iter().flatten().find(|token| self.is_typedef(*token)) {
            let name = self.names.text(token.symbol);
            return diagnostic.help(format!("`{name}` names a type here"));
        }
        // `(name *)`: a cast to an unknown type.
        let stars = before.iter().rev().take_while(|token| token.kind == Kind::Star).count();
        match before[..before.len() - stars] {
            [.., open, name]
                if stars > 0
                    && (open.kind, name.kind) == (Kind::LParen, Kind::Name)
                    && self.kind() == Kind::RParen =>
            {
                let name = self.names.text(name.symbol);
                diagnostic.help(format!("if this is a cast: `{name}` is not declared as a type"))
            }
            _ => diagnostic,
        }
    }

    /// Ends parsing: there is more nesting than any stage can take.
    fn give_up(&mut self) -> Reported {
        let error = Diagnostic::error("C0014", self.here(), "the program is nested too deeply");
        let limits = format!("at most {DEPTH} levels, and trees at most {HEIGHT} nodes high");
        // Even while errors are not recorded: nothing is tried again after this.
        if !self.gave_up {
            self.diagnostics.push(error.label("at this point").help(limits));
        }
        self.gave_up = true;
        self.at = self.tokens.len() - 1;
        Reported
    }

    fn mark(&self) -> Mark {
        Mark { scopes: self.scopes.depth(), depth: self.depth }
    }

    /// Returns to the state of `mark`, but not to its place in the text.
    fn restore(&mut self, mark: &Mark) {
        self.scopes.close_to(mark.scopes);
        self.depth = mark.depth;
    }

    /// Skips to after the next `;`, or to a `}` that closes what was open
    /// before, or, if `outside`, to after the next balanced `{...}`.
    fn skip(&mut self, outside: bool) {
        let mut open = 0u32;
        loop {
            match self.kind() {
                Kind::Eof => return,
                Kind::Semi if open == 0 => {
                    self.bump();
                    // The body of a function whose head was not understood.
                    if !outside || self.kind() != Kind::LBrace {
                        return;
                    }
                    continue;
                }
                Kind::LBrace => open += 1,
                Kind::RBrace if open == 0 && !outside => return,
                Kind::RBrace if open <= 1 => {
                    self.bump();
                    // `} x;` still belongs to the declaration.
                    if !outside || !matches!(self.kind(), Kind::Semi | Kind::Name | Kind::Star) {
                        return;
                    }
                    open = 0;
                    continue;
                }
                Kind::RBrace => open -= 1,
                _ => {}
            }
            self.bump();
        }
    }
}

// Nesting and nodes.
impl Parser<'_> {
    /// Runs a rule one level deeper.
    fn nested<R>(&mut self, rule: impl FnOnce(&mut Self) -> Parse<R>) -> Parse<R> {
        if self.depth >= DEPTH {
            return Err(self.give_up());
        }
        self.depth += 1;
        let outer = std::mem::take(&mut self.height);
        let result = rule(self);
        self.depth -= 1;
        let inner = self.height + 1;
        self.height = outer.max(inner);
        if inner > HEIGHT {
            return Err(self.give_up());
        }
        result
    }

    /// Counts one more link of a chain that is read by a loop.
    fn link(&mut self) -> Parse<()> {
        self.height += 1;
        if self.height > HEIGHT { Err(self.give_up()) } else { Ok(()) }
    }

    /// An expression that began at the token of index `start`.
    fn expr(&mut self, start: usize, kind: ExprKind) -> Id<Expr> {
        let span = self.since(start);
        self.unit.exprs.push(Expr { kind, span })
    }

    /// A statement that began at the token of index `start`.
    fn stmt(&mut self, start: usize, kind: StmtKind) -> Id<Stmt> {
        let span = self.since(start);
        self.unit.stmts.push(Stmt { kind, span })
    }

    /// The whole file.
    fn items(&mut self) {
        while self.kind() != Kind::Eof {
            if self.eat(Kind::Semi) {
                continue;
            }
            if self.kind() == Kind::RBrace {
                self.unmatched_brace();
                continue;
            }
            if self.diagnostics.is_full() && self.diagnostics.has_errors() {
                return;
            }
            let (start, mark) = (self.at, self.mark());
            match self.item() {
                Ok(item) => self.unit.items.push(item),
                Err(Reported) => {
                    self.restore(&mark);
                    self.skip(true);
                    if self.at == start {
                        self.bump();
                    }
                }
            }
        }
    }

    fn unmatched_brace(&mut self) {
        let error = Diagnostic::error("C0026", self.here(), "unmatched `}`");
        self.report(error.help("there is one `}` too many before here, or a `{` is missing"));
        self.bump();
    }

    fn item(&mut self) -> Parse<Item> {
        self.nested(Self::external_declaration)
    }
}
