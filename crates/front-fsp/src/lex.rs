//! Tokens of FSP.

use parallax_base::{Diagnostic, Diagnostics, FileId, Span};
use std::rc::Rc;

#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Token {
    /// Processes, constants, ranges, sets, parameters.
    Upper(Rc<str>),
    /// Actions and variables.
    Lower(Rc<str>),
    /// A word with a meaning of its own.
    Word(&'static str),
    Number(i64),
    /// What stands in quotes.
    Text(Rc<str>),
    /// Operators and punctuation.
    Sign(&'static str),
    End,
}

impl Token {
    /// How it is called in a message.
    pub(crate) fn describe(&self) -> String {
        match self {
            Token::Upper(text) | Token::Lower(text) => format!("`{text}`"),
            Token::Word(text) | Token::Sign(text) => format!("`{text}`"),
            Token::Number(value) => format!("`{value}`"),
            Token::Text(text) => format!("`\"{text}\"`"),
            Token::End => String::from("the end of the file"),
        }
    }
}

const WORDS: &[&str] = &[
    "const",
    "range",
    "set",
    "progress",
    "property",
    "menu",
    "fluent",
    "import",
    "assert",
    "deterministic",
    "minimal",
    "compose",
    "when",
    "if",
    "then",
    "else",
    "forall",
    "exists",
    "initially",
    "rigid",
    "STOP",
    "END",
    "ERROR",
    "constraint",
    "ltl_property",
];

/// Longer signs first.
const SIGNS: &[&str] = &[
    "->", "||", "|", "&&", "&", "==", "=", "!=", "!", "<=", "<<", "<", ">=", ">>", ">", "::", ":",
    "..", ".", ";", ",", "(", ")", "[", "]", "{", "}", "+", "-", "*", "/", "%", "^", "\\", "@",
    "'", "#", "~",
];

/// All tokens with their places; the last is [`Token::End`].
pub(crate) fn tokens(
    file: FileId,
    text: &str,
    diagnostics: &mut Diagnostics,
) -> Vec<(Token, Span)> {
    let bytes = text.as_bytes();
    let mut result = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let rest = &text[at..];
        if byte.is_ascii_whitespace() {
            at += 1;
            continue;
        }
        if rest.starts_with("//") {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            match rest.find("*/") {
                Some(length) => at += length + 2,
                None => {
                    let span = Span::new(file, at, at + 2);
                    let message = "this comment has no end";
                    diagnostics.push(Diagnostic::error("F0001", span, message));
                    at = text.len();
                }
            }
            continue;
        }
        let (token, length) = token(rest);
        match token {
            Some(token) => result.push((token, Span::new(file, at, at + length))),
            None => {
                let length = rest.chars().next().map_or(1, char::len_utf8);
                let span = Span::new(file, at, at + length);
                let message = if byte.is_ascii_digit() {
                    "this number does not fit into 64 bits"
                } else {
                    "no token of FSP begins with this character"
                };
                diagnostics.push(Diagnostic::error("F0001", span, message));
                at += if byte.is_ascii_digit() { 0 } else { length };
                if byte.is_ascii_digit() {
                    at += rest.bytes().take_while(u8::is_ascii_digit).count();
                }
                continue;
            }
        }
        at += length;
    }
    result.push((Token::End, Span::new(file, text.len(), text.len())));
    result
}

fn token(rest: &str) -> (Option<Token>, usize) {
    let first = rest.as_bytes()[0];
    if first.is_ascii_alphabetic() || first == b'_' {
        let is_part = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_' || *b == b'?';
        let length = rest.bytes().take_while(|b| is_part(b)).count();
        let word = &rest[..length];
        let known = WORDS.iter().find(|known| **known == word);
        let token = match known {
            Some(known) => Token::Word(known),
            None if first.is_ascii_uppercase() => Token::Upper(word.into()),
            None => Token::Lower(word.into()),
        };
        return (Some(token), length);
    }
    if first.is_ascii_digit() {
        let length = rest.bytes().take_while(u8::is_ascii_digit).count();
        return (rest[..length].parse().ok().map(Token::Number), length);
    }
    if first == b'"' {
        let end = rest[1..].find(['"', '\n']).filter(|end| rest[1 + end..].starts_with('"'));
        return match end {
            Some(end) => (Some(Token::Text(rest[1..=end].into())), end + 2),
            None => (None, 0),
        };
    }
    match SIGNS.iter().find(|sign| rest.starts_with(**sign)) {
        Some(sign) => (Some(Token::Sign(sign)), sign.len()),
        None => (None, 0),
    }
}
