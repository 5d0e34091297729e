//! Tokens of formulas: signs, words, numbers and quoted atoms.
//!
//! Whether `[` begins `[]` or an index, and whether `X` is an operator or the
//! name of a variable, is for the parser to say: it knows what is expected.

use std::ops::Range;

/// What a token is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    /// Letters, digits and `_`, not beginning with a digit.
    Word,
    /// Digits.
    Number,
    /// `"..."`
    Quoted,
    /// A `"` that is never closed.
    OpenQuote,
    /// One of [`SIGNS`].
    Sign(&'static str),
    /// Anything else.
    Unknown,
    /// The end of the text.
    End,
}

/// A token and the bytes it covers.
#[derive(Clone, Debug)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
}

/// All signs, longer ones before their beginnings.
const SIGNS: [&str; 33] = [
    "<->", "<=>", "..=", "<>", "<=", "->", "=>", "==", "!=", ">=", "&&", "||", "..", "(", ")", "[",
    "]", "<", ">", "!", "~", "&", "|", "+", "-", "*", "/", "%", "@", ".", ",", ":", "=",
];

/// The tokens of a text; the last one is [`Kind::End`].
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length = |wanted: fn(char) -> bool| rest.find(|c| !wanted(c)).unwrap_or(rest.len());
        let (kind, size) = if first.is_ascii_digit() {
            (Kind::Number, rest.find(|c| !word(c)).unwrap_or(rest.len()))
        } else if word(first) {
            (Kind::Word, rest.find(|c| !word(c)).unwrap_or(rest.len()))
        } else if first == '"' {
            match rest[1..].find('"') {
                Some(inner) => (Kind::Quoted, inner + 2),
                None => (Kind::OpenQuote, rest.len()),
            }
        } else if let Some(sign) = SIGNS.iter().find(|s| rest.starts_with(**s)) {
            (Kind::Sign(sign), sign.len())
        } else {
            let strange = |c: char| !(c.is_ascii() || c.is_whitespace());
            (Kind::Unknown, length(strange).max(first.len_utf8()))
        };
        found.push(Token { kind, range: at..at + size });
        at += size;
    }
    found.push(Token { kind: Kind::End, range: text.len()..text.len() });
    found
}

/// For each token: the index of the bracket that closes it, if it opens one.
pub(crate) fn closing(tokens: &[Token]) -> Vec<Option<usize>> {
    let mut closed = vec![None; tokens.len()];
    let mut open: Vec<(usize, &str)> = Vec::new();
    for (i, token) in tokens.iter().enumerate() {
        match token.kind {
            Kind::Sign("(") => open.push((i, ")")),
            Kind::Sign("[") => open.push((i, "]")),
            Kind::Sign(sign @ (")" | "]")) => {
                // A bracket of the other kind closes nothing.
                if open.last().is_some_and(|(_, wanted)| *wanted == sign)
                    && let Some((start, _)) = open.pop()
                {
                    closed[start] = Some(i);
                }
            }
            _ => {}
        }
    }
    closed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_take_the_longest_match() {
        let check = |text: &str, expected: &str| {
            let found = tokens(text);
            let words: Vec<&str> = found.iter().map(|t| &text[t.range.clone()]).collect();
            assert_eq!(words.join(" ").trim_end(), expected);
        };
        check("[]<>a<->b<=>c<=d->e", "[ ] <> a <-> b <=> c <= d -> e");
        check("!a!=b0==1||~c", "! a != b0 == 1 || ~ c");
        check("\"x > 3\"U\"y", "\"x > 3\" U \"y");
        check("a ∧ § b", "a ∧ § b");
    }

    #[test]
    fn brackets_find_their_partners() {
        let closed = closing(&tokens("(a[0] && (b) ] c"));
        let pairs: Vec<_> =
            closed.iter().enumerate().filter_map(|(i, c)| Some((i, (*c)?))).collect();
        assert_eq!(pairs, [(2, 4), (6, 8)]);
    }
}
