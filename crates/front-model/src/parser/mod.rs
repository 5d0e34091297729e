//! Recursive descent from tokens to the syntax tree.
//!
//! Errors are recorded and the parser goes on behind the next `;` or `}`, so
//! one run reports several of them. Nesting is limited to [`MAX_DEPTH`], which
//! bounds the recursion here and in everything that walks the tree. After a
//! fatal error the cursor stands at the end of the text for good, and all
//! callers unwind without further messages.

mod expr;
mod items;
mod process;

use parallax_base::{Diagnostic, Diagnostics, FileId, Span};

use crate::ast::{Binder, ConstDef, Expr, Model, Name};
use crate::token::{Token, TokenKind, Tokens};

/// How deep brackets, prefix operators and blocks may nest.
pub const MAX_DEPTH: u32 = 256;

/// The size of the largest file, in bytes.
pub const MAX_BYTES: usize = 64 << 20;

/// How many indices one family or quantifier may have.
const MAX_BINDERS: usize = 16;

/// How many tokens a model may have; bounds the memory of its tree.
const MAX_TOKENS: u32 = 16_000_000;

/// How many declarations and commands a model may have as written.
const MAX_ITEMS: u32 = 1_000_000;

/// Parses a file. The tree holds what could be understood; it is complete if
/// and only if there are no errors.
pub fn parse(file: FileId, text: &str) -> (Model<'_>, Diagnostics) {
    let mut parser = Parser::new(file, text);
    let model = parser.model();
    (model, parser.finish())
}

/// Parses `NAME=value` as the command line gives it.
pub(crate) fn parse_define(file: FileId, text: &str) -> Result<ConstDef<'_>, Diagnostics> {
    let mut parser = Parser::new(file, text);
    let def = parser.const_def().and_then(|def| match parser.at(TokenKind::End) {
        true => Ok(def),
        false => Err(parser.unexpected("the end of the value")),
    });
    let diagnostics = parser.finish();
    match def {
        Ok(def) if !diagnostics.has_errors() => Ok(def),
        _ => Err(diagnostics),
    }
}

/// Parses one expression.
pub fn parse_expression(file: FileId, text: &str) -> Result<Expr<'_>, Diagnostics> {
    let mut parser = Parser::new(file, text);
    let expr = parser.expr().and_then(|expr| match parser.at(TokenKind::End) {
        true => Ok(expr),
        false => Err(parser.unexpected("the end of the expression")),
    });
    let diagnostics = parser.finish();
    match expr {
        Ok(expr) if !diagnostics.has_errors() => Ok(expr),
        _ => Err(diagnostics),
    }
}

/// The mark of a failure that has already been reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reported;

type Parsed<T> = Result<T, Reported>;

/// The cursor: the current token, the one after it, and what was found wrong.
struct Parser<'s> {
    text: &'s str,
    file: FileId,
    tokens: Tokens<'s>,
    current: Token,
    following: Token,
    previous: Token,
    depth: u32,
    count: u32,
    items: u32,
    halted: bool,
    /// Whether the current and the following token stand behind an unknown
    /// character: an error there is most likely the same error again.
    tainted: [bool; 2],
    errors: Vec<Diagnostic>,
}

impl<'s> Parser<'s> {
    fn new(file: FileId, text: &'s str) -> Parser<'s> {
        let start = Token { kind: TokenKind::End, lo: 0, hi: 0 };
        let mut parser = Parser {
            text,
            file,
            tokens: Tokens::new(text),
            current: start,
            following: start,
            previous: start,
            depth: 0,
            count: 0,
            items: 0,
            halted: false,
            tainted: [false; 2],
            errors: Vec::new(),
        };
        if text.len() > MAX_BYTES {
            let span = Span::new(file, 0, 0);
            let text = format!("the file has {} bytes, more than 64 MiB", text.len());
            parser.fatal(Diagnostic::error("M0008", span, text));
        } else {
            parser.bump();
            parser.bump();
            parser.previous = start;
        }
        parser
    }

    /// The errors in the order of their places.
    fn finish(mut self) -> Diagnostics {
        let place = |d: &Diagnostic| d.labels.first().map_or(0, |l| l.span.lo);
        self.errors.sort_by_key(place);
        let mut diagnostics = Diagnostics::default();
        self.errors.into_iter().for_each(|error| diagnostics.push(error));
        diagnostics
    }

    // ---- tokens ----

    fn kind(&self) -> TokenKind {
        self.current.kind
    }

    fn at(&self, kind: TokenKind) -> bool {
        self.current.kind == kind
    }

    fn span_of(&self, token: Token) -> Span {
        Span { file: self.file, lo: token.lo, hi: token.hi }
    }

    fn span(&self) -> Span {
        self.span_of(self.current)
    }

    /// From the start of `lo` to the end of the last token taken.
    fn span_from(&self, lo: Span) -> Span {
        lo.to(self.span_of(self.previous))
    }

    /// Takes the current token and returns it.
    fn bump(&mut self) -> Token {
        self.previous = self.current;
        self.current = self.following;
        self.tainted[0] = self.tainted[1];
        if !self.halted {
            self.following = self.fetch();
        }
        self.previous
    }

    /// The next token that the grammar knows; the others are reported here.
    fn fetch(&mut self) -> Token {
        let end = self.text.len() as u32;
        self.tainted[1] = false;
        loop {
            let Some(token) = self.tokens.next() else {
                return Token { kind: TokenKind::End, lo: end, hi: end };
            };
            let span = self.span_of(token);
            match token.kind {
                kind if kind.is_comment() => continue,
                TokenKind::Unknown => {
                    let shown = shorten(token.text(self.text));
                    let many = token.text(self.text).chars().nth(1).is_some();
                    let what = if many { "characters" } else { "character" };
                    let error =
                        Diagnostic::error("M0001", span, format!("unknown {what} `{shown}`"));
                    self.report(error.help(unknown_help(token.text(self.text))));
                    self.tainted[1] = true;
                }
                TokenKind::OpenComment => {
                    let span = Span { hi: span.lo + 2, ..span };
                    let error = Diagnostic::error("M0002", span, "the comment is never closed")
                        .help("close it with `*/`");
                    self.report(error);
                }
                TokenKind::BadInt => {
                    let shown = shorten(token.text(self.text));
                    let error = Diagnostic::error(
                        "M0003",
                        span,
                        format!("malformed number `{shown}`"),
                    )
                    .help(
                        "a number consists of decimal digits; a name begins with a letter or `_`",
                    );
                    self.report(error);
                    return Token { kind: TokenKind::Int, ..token };
                }
                _ => {
                    self.count += 1;
                    if self.count > MAX_TOKENS {
                        let text = format!("the model has more than {MAX_TOKENS} tokens");
                        self.fatal(Diagnostic::error("M0008", span, text));
                    }
                    return token;
                }
            }
            if self.halted {
                return Token { kind: TokenKind::End, lo: end, hi: end };
            }
        }
    }

    fn eat(&mut self, kind: TokenKind) -> bool {
        let found = self.at(kind);
        if found {
            self.bump();
        }
        found
    }

    fn expect(&mut self, kind: TokenKind) -> Parsed<Token> {
        match self.at(kind) {
            true => Ok(self.bump()),
            false => Err(self.unexpected(kind.text())),
        }
    }

    fn name(&mut self, what: &str) -> Parsed<Name<'s>> {
        if self.at(TokenKind::Name) {
            let token = self.bump();
            return Ok(Name { text: token.text(self.text), span: self.span_of(token) });
        }
        let word = self.current.text(self.text);
        if word.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let text = format!("expected {what}, found the keyword `{word}`");
            let error = Diagnostic::error("M0004", self.span(), text)
                .help(format!("`{word}` has a meaning of its own; choose another name"));
            return Err(self.fail(error));
        }
        Err(self.unexpected(what))
    }

    /// The `;` that ends a declaration. If it is only missing at the end of a
    /// line, the error is recorded and parsing goes on as if it were there.
    fn semicolon(&mut self) -> Parsed<()> {
        if self.eat(TokenKind::Semicolon) {
            return Ok(());
        }
        let gap = self.previous.hi as usize..self.current.lo as usize;
        let line_ended = self.text.get(gap).is_some_and(|s| s.contains('\n'));
        if line_ended || self.at(TokenKind::End) || self.at(TokenKind::RBrace) {
            let span = self.span_of(self.previous);
            let error =
                Diagnostic::error("M0005", span, "missing `;`").label("expected `;` after this");
            self.report(error);
            return Ok(());
        }
        Err(self.unexpected("`;`"))
    }

    // ---- errors ----

    /// Records a message unless parsing was given up already.
    fn report(&mut self, diagnostic: Diagnostic) {
        if self.halted {
            return;
        }
        let place = |d: &Diagnostic| d.labels.first().map(|l| l.span.lo);
        if self.errors.last().is_some_and(|last| place(last) == place(&diagnostic)) {
            return;
        }
        self.errors.push(diagnostic);
        if self.errors.len() >= Diagnostics::LIMIT {
            self.halt();
        }
    }

    fn fail(&mut self, diagnostic: Diagnostic) -> Reported {
        self.report(diagnostic);
        Reported
    }

    fn fatal(&mut self, diagnostic: Diagnostic) -> Reported {
        self.report(diagnostic);
        self.halt();
        Reported
    }

    fn halt(&mut self) {
        self.halted = true;
        let end = self.text.len() as u32;
        self.current = Token { kind: TokenKind::End, lo: end, hi: end };
        self.following = self.current;
    }

    /// What stands here, in words.
    fn found(&self) -> String {
        match self.kind() {
            TokenKind::Name | TokenKind::Int => {
                format!("`{}`", shorten(self.current.text(self.text)))
            }
            kind => kind.text().to_owned(),
        }
    }

    fn unexpected(&mut self, expected: &str) -> Reported {
        if self.tainted[0] {
            return Reported;
        }
        let text = format!("expected {expected}, found {}", self.found());
        let error = Diagnostic::error("M0004", self.span(), text);
        let help = match self.kind() {
            TokenKind::Equals => Some("equality is written `==`, assignment `:=`"),
            TokenKind::Assign if expected == "`=`" => Some("initial values are given with `=`"),
            TokenKind::Until | TokenKind::Through => {
                Some("a range can only stand in a type, after `in` and after `any`")
            }
            TokenKind::Any => Some("`any` can only be the whole right-hand side of `:=`"),
            TokenKind::Int if expected == "`;`" => Some("perhaps an operator is missing"),
            _ => None,
        };
        self.fail(match help {
            Some(help) => error.help(help),
            None => error,
        })
    }

    // ---- structure ----

    /// Runs `inner` one level deeper; too deep is fatal.
    fn nested<T>(&mut self, inner: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            let text = format!("nested more than {MAX_DEPTH} levels deep");
            let error = Diagnostic::error("M0006", self.span(), text)
                .help("name parts of the expression by constants or further variables");
            return Err(self.fatal(error));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// Counts a declaration; too many are fatal.
    fn count_item(&mut self) -> Parsed<()> {
        self.items += 1;
        if self.items > MAX_ITEMS {
            let text = format!("the model has more than {MAX_ITEMS} declarations");
            let error = Diagnostic::error("M0008", self.span(), text);
            return Err(self.fatal(error));
        }
        Ok(())
    }

    /// `one {"," one}`
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Parsed<T>) -> Parsed<Vec<T>> {
        let mut all = vec![one(self)?];
        while self.eat(TokenKind::Comma) {
            all.push(one(self)?);
        }
        Ok(all)
    }

    /// `NAME in values, ...`; not too many, so that expansion may recurse over them.
    fn binders(&mut self) -> Parsed<Vec<Binder<'s>>> {
        let start = self.span();
        let binders = self.list(Self::binder)?;
        if binders.len() > MAX_BINDERS {
            let text = format!("more than {MAX_BINDERS} indices at once");
            return Err(self.fail(Diagnostic::error("M0006", start, text)));
        }
        Ok(binders)
    }

    /// Skips the rest of a broken declaration: behind its `;` or block, or up to
    /// the `}` that closes what surrounds it, or up to a word that can only begin
    /// a declaration.
    fn recover(&mut self) {
        let mut open = 0u32;
        loop {
            match self.kind() {
                TokenKind::End => return,
                TokenKind::Semicolon if open == 0 => {
                    self.bump();
                    return;
                }
                TokenKind::LBrace => open += 1,
                TokenKind::RBrace if open == 0 => return,
                TokenKind::RBrace => {
                    open -= 1;
                    if open == 0 {
                        self.bump();
                        self.eat(TokenKind::Semicolon);
                        return;
                    }
                }
                TokenKind::Process | TokenKind::Const => return,
                TokenKind::Var | TokenKind::Location if open == 0 => return,
                _ => {}
            }
            self.bump();
        }
    }
}

/// At most 24 characters of a text, for messages.
pub(crate) fn shorten(text: &str) -> String {
    let mut shown: String =
        text.chars().take(24).map(|c| if c.is_control() { '\u{FFFD}' } else { c }).collect();
    if text.chars().nth(24).is_some() {
        shown.push_str("...");
    }
    shown
}

fn unknown_help(text: &str) -> &'static str {
    match text {
        "&" => "conjunction is written `&&`",
        "|" => "disjunction is written `||`",
        "~" | "¬" => "negation is written `!`",
        "?" => "a choice is written `if c then a else b`",
        "'" => "an assignment `x := e` already speaks of the next value of `x`",
        "\"" => "there are no strings",
        "#" => "a comment begins with `//`",
        "≤" | "≥" | "≠" | "∧" | "∨" => {
            "operators are written `<=`, `>=`, `!=`, `&&`, `||`"
        }
        t if t.contains('\u{FFFD}') || t.contains('\0') => "is this a text file in UTF-8?",
        _ => "names consist of the letters a-z and A-Z, digits and `_`",
    }
}
