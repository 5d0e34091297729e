//! Tokens of the modelling language.
//!
//! Only the words that begin something inside an expression, a command or a
//! block are keywords. Words that can only open a declaration (`model`, `init`,
//! `enum`, `invariant`, ...) and the names of built-in functions are ordinary
//! names to the lexer, so that a location may be called `init` and a variable
//! `count`; the parser knows them by their position.
//!
//! Comments are tokens: the parser skips them, the formatter keeps them.

use logos::Logos;

/// The kind of a token.
#[derive(Logos, Clone, Copy, PartialEq, Eq, Debug)]
#[logos(skip r"[ \t\r\n\f\u{FEFF}]+")]
pub enum TokenKind {
    /// `// ...` up to the end of the line.
    #[regex(r"//[^\n]*", allow_greedy = true)]
    LineComment,
    /// `/* ... */`, not nested.
    #[token("/*", block_comment)]
    BlockComment,
    /// A name, or a word that is a keyword by position only.
    #[regex(r"[A-Za-z_][A-Za-z0-9_]*")]
    Name,
    /// A number, with or without decimals; `_` may separate digits.
    #[regex(r"[0-9][0-9_]*(\.[0-9][0-9_]*)?")]
    Int,
    /// A literal that runs into letters, such as `3rd`.
    #[regex(r"[0-9][0-9_]*(\.[0-9][0-9_]*)?[A-Za-z][A-Za-z0-9_]*")]
    BadInt,

    /// `const`
    #[token("const")]
    Const,
    /// `var`
    #[token("var")]
    Var,
    /// `process`
    #[token("process")]
    Process,
    /// `location`
    #[token("location")]
    Location,
    /// `final`
    #[token("final")]
    Final,
    /// `when`
    #[token("when")]
    When,
    /// `do`
    #[token("do")]
    Do,
    /// `if`
    #[token("if")]
    If,
    /// `then`
    #[token("then")]
    Then,
    /// `else`
    #[token("else")]
    Else,
    /// `any`
    #[token("any")]
    Any,
    /// `forall`
    #[token("forall")]
    Forall,
    /// `exists`
    #[token("exists")]
    Exists,
    /// `in`
    #[token("in")]
    In,
    /// `true`
    #[token("true")]
    True,
    /// `false`
    #[token("false")]
    False,
    /// `int`
    #[token("int")]
    IntType,
    /// `bool`
    #[token("bool")]
    BoolType,

    /// `(`
    #[token("(")]
    LParen,
    /// `)`
    #[token(")")]
    RParen,
    /// `[`
    #[token("[")]
    LBracket,
    /// `]`
    #[token("]")]
    RBracket,
    /// `{`
    #[token("{")]
    LBrace,
    /// `}`
    #[token("}")]
    RBrace,
    /// `,`
    #[token(",")]
    Comma,
    /// `;`
    #[token(";")]
    Semicolon,
    /// `:`
    #[token(":")]
    Colon,
    /// `:=`
    #[token(":=")]
    Assign,
    /// `=`
    #[token("=")]
    Equals,
    /// `->`
    #[token("->")]
    Arrow,
    /// `..`
    #[token("..")]
    Until,
    /// `..=`
    #[token("..=")]
    Through,
    /// `.`
    #[token(".")]
    Dot,
    /// `@`
    #[token("@")]
    At,

    /// `<=>`
    #[token("<=>")]
    Iff,
    /// `=>`
    #[token("=>")]
    Implies,
    /// `||`
    #[token("||")]
    Or,
    /// `&&`
    #[token("&&")]
    And,
    /// `==`
    #[token("==")]
    Eq,
    /// `!=`
    #[token("!=")]
    Ne,
    /// `<`
    #[token("<")]
    Lt,
    /// `<=`
    #[token("<=")]
    Le,
    /// `>`
    #[token(">")]
    Gt,
    /// `>=`
    #[token(">=")]
    Ge,
    /// `+`
    #[token("+")]
    Plus,
    /// `-`
    #[token("-")]
    Minus,
    /// `*`
    #[token("*")]
    Star,
    /// `/`
    #[token("/")]
    Slash,
    /// `%`
    #[token("%")]
    Percent,
    /// `!`
    #[token("!")]
    Not,

    /// Characters that begin no token.
    Unknown,
    /// A `/*` without its `*/`.
    OpenComment,
    /// The end of the text.
    End,
}

fn block_comment(lexer: &mut logos::Lexer<'_, TokenKind>) -> bool {
    let rest = lexer.remainder();
    let end = rest.find("*/").map(|at| at + 2);
    lexer.bump(end.unwrap_or(rest.len()));
    end.is_some()
}

impl TokenKind {
    /// Whether the token is a comment.
    pub fn is_comment(self) -> bool {
        matches!(self, TokenKind::LineComment | TokenKind::BlockComment)
    }

    /// Whether the token can be the last one of an operand, so that a following
    /// `-` is a subtraction and a following `[` an index.
    pub fn ends_operand(self) -> bool {
        use TokenKind::*;
        matches!(self, Name | Int | BadInt | True | False | RParen | RBracket)
    }

    /// How messages call the token, except for names and literals.
    pub fn text(self) -> &'static str {
        use TokenKind::*;
        match self {
            LineComment | BlockComment => "a comment",
            Name => "a name",
            Int | BadInt => "a number",
            Const => "`const`",
            Var => "`var`",
            Process => "`process`",
            Location => "`location`",
            Final => "`final`",
            When => "`when`",
            Do => "`do`",
            If => "`if`",
            Then => "`then`",
            Else => "`else`",
            Any => "`any`",
            Forall => "`forall`",
            Exists => "`exists`",
            In => "`in`",
            True => "`true`",
            False => "`false`",
            IntType => "`int`",
            BoolType => "`bool`",
            LParen => "`(`",
            RParen => "`)`",
            LBracket => "`[`",
            RBracket => "`]`",
            LBrace => "`{`",
            RBrace => "`}`",
            Comma => "`,`",
            Semicolon => "`;`",
            Colon => "`:`",
            Assign => "`:=`",
            Equals => "`=`",
            Arrow => "`->`",
            Until => "`..`",
            Through => "`..=`",
            Dot => "`.`",
            At => "`@`",
            Iff => "`<=>`",
            Implies => "`=>`",
            Or => "`||`",
            And => "`&&`",
            Eq => "`==`",
            Ne => "`!=`",
            Lt => "`<`",
            Le => "`<=`",
            Gt => "`>`",
            Ge => "`>=`",
            Plus => "`+`",
            Minus => "`-`",
            Star => "`*`",
            Slash => "`/`",
            Percent => "`%`",
            Not => "`!`",
            Unknown => "an unknown character",
            OpenComment => "an open comment",
            End => "the end of the file",
        }
    }
}

/// A token and the bytes it covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Token {
    /// The text of the token.
    pub fn text(self, source: &str) -> &str {
        source.get(self.lo as usize..self.hi as usize).unwrap_or("")
    }
}

/// The stream of tokens of a text, comments included, ending before
/// [`TokenKind::End`].
pub struct Tokens<'s> {
    lexer: logos::Lexer<'s, TokenKind>,
    held: Option<Token>,
}

impl<'s> Tokens<'s> {
    /// Starts at the beginning of `text`.
    pub fn new(text: &'s str) -> Tokens<'s> {
        Tokens { lexer: TokenKind::lexer(text), held: None }
    }

    fn step(&mut self) -> Option<Token> {
        let found = self.lexer.next()?;
        let span = self.lexer.span();
        let kind = found.unwrap_or_else(|()| match self.lexer.slice().starts_with("/*") {
            true => TokenKind::OpenComment,
            false => TokenKind::Unknown,
        });
        Some(Token { kind, lo: span.start as u32, hi: span.end as u32 })
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    /// The next token; neighbouring unknown characters become one token.
    fn next(&mut self) -> Option<Token> {
        let mut token = self.held.take().or_else(|| self.step())?;
        if token.kind == TokenKind::Unknown {
            while let Some(more) = self.step() {
                if more.kind != TokenKind::Unknown || more.lo != token.hi {
                    self.held = Some(more);
                    break;
                }
                token.hi = more.hi;
            }
        }
        Some(token)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let found: Vec<String> = Tokens::new(text)
            .map(|t| match t.kind.text().strip_prefix('`') {
                Some(_) => t.text(text).to_owned(),
                None => format!("{:?}({})", t.kind, t.text(text)),
            })
            .collect();
        assert_eq!(found.join(" "), expected, "{text:?}");
    }

    #[test]
    fn operators_take_the_longest_match() {
        check("0..=n..m", "Int(0) ..= Name(n) .. Name(m)");
        check("a<=>b=>c<=d->e-f", "Name(a) <=> Name(b) => Name(c) <= Name(d) -> Name(e) - Name(f)");
        check("x:=!y!=z", "Name(x) := ! Name(y) != Name(z)");
        check("forallx for all inx", "Name(forallx) Name(for) Name(all) Name(inx)");
    }

    #[test]
    fn numbers_and_comments() {
        check("1_000 3rd 007", "Int(1_000) BadInt(3rd) Int(007)");
        check(
            "a//b\nc/**/d/*/*/e",
            "Name(a) LineComment(//b) Name(c) BlockComment(/**/) Name(d) BlockComment(/*/*/) Name(e)",
        );
        check("a /* b", "Name(a) OpenComment(/* b)");
        check("\u{FEFF}a §µ b &", "Name(a) Unknown(§µ) Name(b) Unknown(&)");
    }
}
