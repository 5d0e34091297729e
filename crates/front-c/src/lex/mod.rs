//! Text to tokens.
//!
//! The text is preprocessed: comments, line markers and pragmas may stand in
//! it, other directives may not. All tokens of a unit are made at once, since
//! the parser looks ahead freely. Literals keep their spelling; their values
//! are computed when the parser meets them ([`literal`]).

pub(crate) mod literal;
mod token;

use std::sync::Arc;
pub(crate) use token::{Kind, Names, Symbol, Token};

/// How characters of the text stand for bytes of the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// The file is UTF-8 and so is the text.
    #[default]
    Utf8,
    /// Every character stands for the one byte of its number: the file was not
    /// UTF-8.
    Bytes,
}

/// A complaint about a range of the text.
pub(crate) struct LexError {
    pub(crate) code: &'static str,
    pub(crate) lo: usize,
    pub(crate) hi: usize,
    pub(crate) message: String,
    pub(crate) help: Option<&'static str>,
}

/// A text cut into tokens.
pub(crate) struct Lexed {
    /// The tokens; the last is [`Kind::Eof`].
    pub(crate) tokens: Vec<Token>,
    pub(crate) names: Names,
    /// From the token of this index on, `#pragma pack` limits alignments.
    pub(crate) packs: Vec<(usize, Option<u32>)>,
    /// The names in `#pragma weak`.
    pub(crate) weak: Vec<Arc<str>>,
    pub(crate) errors: Vec<LexError>,
}

struct Lexer<'a> {
    bytes: &'a [u8],
    text: &'a str,
    at: usize,
    out: Lexed,
    pack: Option<u32>,
    pack_stack: Vec<Option<u32>>,
    /// Whether only blanks were seen since the line began.
    fresh_line: bool,
}

/// Cuts a text into tokens.
pub(crate) fn lex(text: &str) -> Lexed {
    let out = Lexed {
        tokens: Vec::with_capacity(text.len() / 5 + 1),
        names: Names::new(),
        packs: Vec::new(),
        weak: Vec::new(),
        errors: Vec::new(),
    };
    let mut lexer = Lexer {
        bytes: text.as_bytes(),
        text,
        at: 0,
        out,
        pack: None,
        pack_stack: Vec::new(),
        fresh_line: true,
    };
    lexer.run();
    lexer.out
}

fn starts_word(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b'$' || byte >= 0x80
}

fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn run(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            match byte {
                b'\n' => {
                    self.fresh_line = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if matches!(self.peek(1), b'\n' | b'\r') => self.at += 2,
                b'/' if self.peek(1) == b'/' => self.skip_line(),
                b'/' if self.peek(1) == b'*' => self.block_comment(),
                b'#' if self.fresh_line => self.directive(),
                _ => {
                    self.fresh_line = false;
                    self.token(byte);
                }
            }
        }
        self.push(Kind::Eof, self.bytes.len(), 0);
    }

    fn token(&mut self, byte: u8) {
        match byte {
            b'0'..=b'9' => self.number(),
            b'.' if self.peek(1).is_ascii_digit() => self.number(),
            b'"' => self.quoted(self.at, Kind::Str),
            b'\'' => self.quoted(self.at, Kind::Char),
            _ if starts_word(byte) => self.word(),
            _ => self.punctuator(byte),
        }
    }

    fn push(&mut self, kind: Kind, lo: usize, symbol: Symbol) {
        let token = Token { kind, symbol, lo: lo as u32, hi: self.at as u32 };
        self.out.tokens.push(token);
    }

    fn error(
        &mut self,
        code: &'static str,
        lo: usize,
        message: impl Into<String>,
        help: Option<&'static str>,
    ) {
        let hi = self.at;
        self.out.errors.push(LexError { code, lo, hi, message: message.into(), help });
    }

    /// Moves to the end of the line, over spliced lines too.
    fn skip_line(&mut self) {
        while let Some(&byte) = self.bytes.get(self.at) {
            if byte == b'\n' {
                break;
            }
            if byte == b'\\' && self.peek(1) == b'\n' {
                self.at += 1;
            }
            self.at += 1;
        }
    }

    fn block_comment(&mut self) {
        let lo = self.at;
        match self.text[lo + 2..].find("*/") {
            Some(end) => self.at = lo + 2 + end + 2,
            None => {
                self.at = self.bytes.len().min(lo + 2);
                self.error("C0011", lo, "this comment is never closed", Some("add `*/`"));
                self.at = self.bytes.len();
            }
        }
    }

    /// `# 12 "file.c"`, `#line`, `#pragma`, `#ident`.
    fn directive(&mut self) {
        let lo = self.at;
        self.skip_line();
        let line = self.text[lo + 1..self.at].trim();
        let word = line.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
        match word {
            "pragma" => self.pragma(line[word.len()..].trim_start()),
            "line" | "ident" | "sccs" | "assert" | "unassert" | "" => {}
            _ if word.bytes().all(|b| b.is_ascii_digit()) => {}
            _ => {
                let help = "rename the file so that it ends in `.c`: then it is preprocessed";
                let message = format!("the directive `#{word}` stands in preprocessed text");
                self.error("C0012", lo, message, Some(help));
            }
        }
    }

    /// `#pragma pack(...)` changes the layout of records, `#pragma weak` what a
    /// name stands for; others are ignored.
    fn pragma(&mut self, rest: &str) {
        if let Some(name) = rest.strip_prefix("weak") {
            let name = name.trim().split(['=', ' ']).next().unwrap_or_default();
            self.out.weak.push(name.into());
            return;
        }
        let Some(arguments) = rest.strip_prefix("pack") else { return };
        let arguments = arguments.trim().trim_start_matches('(').trim_end_matches([')', ';', ' ']);
        let mut value = None;
        for argument in arguments.split(',').map(str::trim) {
            match argument {
                "push" => self.pack_stack.push(self.pack),
                "pop" => value = Some(self.pack_stack.pop().flatten()),
                "" => value = value.or(Some(None)),
                _ => {
                    if let Ok(number) = argument.parse::<u32>() {
                        value = Some((number > 0).then_some(number));
                    }
                }
            }
        }
        if let Some(value) = value {
            self.pack = value;
            self.out.packs.push((self.out.tokens.len(), value));
        }
    }

    fn word(&mut self) {
        let lo = self.at;
        while in_word(self.peek(0)) {
            self.at += 1;
        }
        let word = &self.text[lo..self.at];
        // A prefix of a literal: the word ends where the quote begins.
        let quote = self.peek(0);
        if matches!(word, "L" | "u" | "U" | "u8") && matches!(quote, b'"' | b'\'') {
            return self.quoted(lo, if quote == b'"' { Kind::Str } else { Kind::Char });
        }
        if !word.is_ascii()
            && let Some((i, c)) = word.char_indices().find(|(_, c)| !c.is_ascii() && !is_letter(*c))
        {
            self.at = lo + i + c.len_utf8();
            let message = format!("the character `{}` has no meaning here", c.escape_debug());
            self.error("C0010", lo + i, message, None);
            if i == 0 {
                return;
            }
            // The letters before it still are a word.
            let end = self.at;
            self.at = lo + i;
            self.push_word(lo);
            self.at = end;
            return;
        }
        self.push_word(lo);
    }

    fn push_word(&mut self, lo: usize) {
        let text = &self.text[lo..self.at];
        let symbol = self.out.names.intern(text);
        self.push(Names::kind(symbol), lo, symbol);
    }

    /// A preprocessing number: digits, letters, dots, signs after an exponent
    /// letter, and `'` between digits.
    fn number(&mut self) {
        let lo = self.at;
        while in_word(self.peek(0)) || matches!(self.peek(0), b'.' | b'\'') {
            let byte = self.peek(0);
            if byte == b'\'' && !self.peek(1).is_ascii_alphanumeric() || byte >= 0x80 {
                break;
            }
            self.at += 1;
            if matches!(byte, b'e' | b'E' | b'p' | b'P') && matches!(self.peek(0), b'+' | b'-') {
                // In hexadecimal `e` is a digit: 0xe+1 is a sum.
                let hex = self.text[lo..].starts_with("0x") || self.text[lo..].starts_with("0X");
                if !hex || matches!(byte, b'p' | b'P') {
                    self.at += 1;
                }
            }
        }
        self.push(Kind::Number, lo, 0);
    }

    /// A string or character constant that begins, prefix included, at `lo`.
    fn quoted(&mut self, lo: usize, kind: Kind) {
        let quote = self.peek(0);
        self.at += 1;
        loop {
            match self.peek(0) {
                b'\\' if self.at + 1 < self.bytes.len() => self.at += 2,
                byte if byte == quote && self.at < self.bytes.len() => {
                    self.at += 1;
                    break;
                }
                b'\n' => return self.unclosed(lo, kind),
                _ if self.at >= self.bytes.len() => return self.unclosed(lo, kind),
                _ => self.at += 1,
            }
        }
        self.push(kind, lo, 0);
    }

    fn unclosed(&mut self, lo: usize, kind: Kind) {
        self.at = self.at.min(self.bytes.len());
        while !self.text.is_char_boundary(self.at) {
            self.at += 1;
        }
        let message = format!("this {} is not closed on its line", kind.shown());
        self.error("C0011", lo, message, None);
        // So that the parser sees an operand here.
        self.push(kind, lo, 0);
    }

    fn punctuator(&mut self, byte: u8) {
        use Kind::*;
        let (second, third) = (self.peek(1), self.peek(2));
        let (kind, length) = match (byte, second, third) {
            (b'.', b'.', b'.') => (Ellipsis, 3),
            (b'<', b'<', b'=') => (ShlEq, 3),
            (b'>', b'>', b'=') => (ShrEq, 3),
            (b'-', b'>', _) => (Arrow, 2),
            (b'+', b'+', _) => (PlusPlus, 2),
            (b'-', b'-', _) => (MinusMinus, 2),
            (b'&', b'&', _) => (AmpAmp, 2),
            (b'|', b'|', _) => (PipePipe, 2),
            (b'<', b'<', _) => (Shl, 2),
            (b'>', b'>', _) => (Shr, 2),
            (b'=', b'=', _) => (EqEq, 2),
            (b'!', b'=', _) => (BangEq, 2),
            (b'<', b'=', _) => (LessEq, 2),
            (b'>', b'=', _) => (GreaterEq, 2),
            (b'+', b'=', _) => (PlusEq, 2),
            (b'-', b'=', _) => (MinusEq, 2),
            (b'*', b'=', _) => (StarEq, 2),
            (b'/', b'=', _) => (SlashEq, 2),
            (b'%', b'=', _) => (PercentEq, 2),
            (b'&', b'=', _) => (AmpEq, 2),
            (b'|', b'=', _) => (PipeEq, 2),
            (b'^', b'=', _) => (CaretEq, 2),
            // Digraphs.
            (b'<', b':', _) => (LBracket, 2),
            (b':', b'>', _) => (RBracket, 2),
            (b'<', b'%', _) => (LBrace, 2),
            (b'%', b'>', _) => (RBrace, 2),
            (b'(', ..) => (LParen, 1),
            (b')', ..) => (RParen, 1),
            (b'[', ..) => (LBracket, 1),
            (b']', ..) => (RBracket, 1),
            (b'{', ..) => (LBrace, 1),
            (b'}', ..) => (RBrace, 1),
            (b';', ..) => (Semi, 1),
            (b',', ..) => (Comma, 1),
            (b':', ..) => (Colon, 1),
            (b'?', ..) => (Question, 1),
            (b'.', ..) => (Dot, 1),
            (b'+', ..) => (Plus, 1),
            (b'-', ..) => (Minus, 1),
            (b'*', ..) => (Star, 1),
            (b'/', ..) => (Slash, 1),
            (b'%', ..) => (Percent, 1),
            (b'~', ..) => (Tilde, 1),
            (b'!', ..) => (Bang, 1),
            (b'&', ..) => (Amp, 1),
            (b'|', ..) => (Pipe, 1),
            (b'^', ..) => (Caret, 1),
            (b'<', ..) => (Less, 1),
            (b'>', ..) => (Greater, 1),
            (b'=', ..) => (Eq, 1),
            _ => {
                let lo = self.at;
                self.at += 1;
                let shown = char::from(byte).escape_debug().to_string();
                let message = format!("the character `{shown}` has no meaning here");
                return self.error("C0010", lo, message, None);
            }
        };
        let lo = self.at;
        self.at += length;
        if kind == RParen && self.ends_pragma_operator() {
            return;
        }
        self.push(kind, lo, 0);
    }

    /// Drops `_Pragma("...")`, whose `)` was just read, and obeys it.
    fn ends_pragma_operator(&mut self) -> bool {
        let before = self.out.tokens.len().saturating_sub(3);
        let [pragma, open, string] = self.out.tokens[before..] else { return false };
        let found = pragma.kind == Kind::Pragma && open.kind == Kind::LParen;
        if !found || string.kind != Kind::Str {
            return false;
        }
        self.out.tokens.truncate(before);
        let text = self.text;
        self.pragma(text[string.lo as usize..string.hi as usize].trim_matches('"').trim());
        true
    }
}

/// Whether a character outside ASCII may stand in an identifier.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}' | '\u{e000}'..='\u{f8ff}')
}
