//! S-expressions: the surface of every SMT-LIB text.
//!
//! The text is read into one flat array in prefix order, where every item
//! knows where its subtree ends. So neither reading, walking nor dropping a
//! text with a million open parentheses needs any stack.

use std::borrow::Cow;
use std::fmt;

/// Why a text could not be read, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ReadError {
    /// Byte offset into the text.
    pub offset: usize,
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// What is wrong there.
    pub message: String,
}

impl ReadError {
    /// An error at a byte offset of `text`.
    pub fn new(text: &str, offset: usize, message: impl Into<String>) -> ReadError {
        let before = text.get(..offset).unwrap_or(text);
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        ReadError {
            offset,
            line: before.bytes().filter(|b| *b == b'\n').count() as u32 + 1,
            column: before[start..].chars().count() as u32 + 1,
            message: message.into(),
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// What an item is; the text of a `Quoted` or `String` includes its delimiters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    List,
    Symbol,
    Quoted,
    Keyword,
    Numeral,
    Decimal,
    String,
}

#[derive(Clone, Copy, Debug)]
struct Item {
    kind: Kind,
    lo: usize,
    hi: usize,
    /// The index after this item and all that is inside it.
    next: usize,
}

/// All s-expressions of a text.
#[derive(Clone, Debug)]
pub struct Sexprs<'a> {
    text: &'a str,
    items: Vec<Item>,
}

/// One s-expression of a [`Sexprs`].
#[derive(Clone, Copy, Debug)]
pub struct Sexpr<'a> {
    all: &'a Sexprs<'a>,
    index: usize,
}

/// An s-expression that is no list.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Atom<'a> {
    /// `x`, or `|x|` without the bars.
    Symbol(&'a str),
    /// `:named`, with the colon.
    Keyword(&'a str),
    /// `12`
    Numeral(&'a str),
    /// `1.5`
    Decimal(&'a str),
    /// `"text"`, without the quotes, `""` read as one.
    String(Cow<'a, str>),
}

impl<'a> Sexprs<'a> {
    /// Reads a whole text.
    pub fn read(text: &'a str) -> Result<Sexprs<'a>, ReadError> {
        let mut items: Vec<Item> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        let mut at = 0;
        while let Some((kind, lo, hi)) = token(text, at)? {
            at = hi;
            if kind != Kind::List {
                let next = items.len() + 1;
                items.push(Item { kind, lo, hi, next });
            } else if text.as_bytes()[lo] == b'(' {
                open.push(items.len());
                items.push(Item { kind, lo, hi, next: 0 });
            } else {
                let end = items.len();
                let Some(list) = open.pop() else {
                    return Err(ReadError::new(text, lo, "`)` closes nothing"));
                };
                items[list].hi = hi;
                items[list].next = end;
            }
        }
        match open.pop() {
            Some(list) => Err(ReadError::new(text, items[list].lo, "`(` is never closed")),
            None => Ok(Sexprs { text, items }),
        }
    }

    /// The outermost s-expressions, in order.
    pub fn iter(&'a self) -> impl Iterator<Item = Sexpr<'a>> {
        self.siblings(0, self.items.len())
    }

    /// The text that was read.
    pub fn text(&self) -> &'a str {
        self.text
    }

    fn siblings(&'a self, from: usize, end: usize) -> impl Iterator<Item = Sexpr<'a>> {
        let mut index = from;
        std::iter::from_fn(move || {
            (index < end).then(|| {
                let item = Sexpr { all: self, index };
                index = self.items[index].next;
                item
            })
        })
    }

    /// The item at a position of the prefix order; for readers that walk it.
    pub(crate) fn at(&'a self, index: usize) -> Option<Sexpr<'a>> {
        (index < self.items.len()).then_some(Sexpr { all: self, index })
    }
}

impl<'a> Sexpr<'a> {
    /// Its content, if it is no list.
    pub fn atom(self) -> Option<Atom<'a>> {
        let Item { kind, lo, hi, .. } = self.all.items[self.index];
        let text = &self.all.text[lo..hi];
        Some(match kind {
            Kind::List => return None,
            Kind::Symbol => Atom::Symbol(text),
            Kind::Quoted => Atom::Symbol(&text[1..text.len() - 1]),
            Kind::Keyword => Atom::Keyword(text),
            Kind::Numeral => Atom::Numeral(text),
            Kind::Decimal => Atom::Decimal(text),
            Kind::String => {
                let inner = &text[1..text.len() - 1];
                let plain = !inner.contains('"');
                Atom::String(if plain { inner.into() } else { inner.replace("\"\"", "\"").into() })
            }
        })
    }

    /// Its name, if it is a symbol.
    pub fn symbol(self) -> Option<&'a str> {
        match self.atom() {
            Some(Atom::Symbol(name)) => Some(name),
            _ => None,
        }
    }

    /// Whether it is a list.
    pub fn is_list(self) -> bool {
        self.all.items[self.index].kind == Kind::List
    }

    /// Its elements; none if it is no list.
    pub fn elements(self) -> impl Iterator<Item = Sexpr<'a>> {
        let item = self.all.items[self.index];
        self.all.siblings(self.index + 1, item.next)
    }

    /// The text it was read from.
    pub fn text(self) -> &'a str {
        let Item { lo, hi, .. } = self.all.items[self.index];
        &self.all.text[lo..hi]
    }

    /// Byte offset of its first character.
    pub fn offset(self) -> usize {
        self.all.items[self.index].lo
    }

    /// The position after it in prefix order.
    pub(crate) fn end(self) -> usize {
        self.all.items[self.index].next
    }
}

/// The token at or after `from`; a parenthesis counts as `List`.
fn token(text: &str, from: usize) -> Result<Option<(Kind, usize, usize)>, ReadError> {
    let bytes = text.as_bytes();
    let mut lo = from;
    loop {
        match bytes.get(lo) {
            None => return Ok(None),
            Some(b' ' | b'\t' | b'\r' | b'\n') => lo += 1,
            Some(b';') => lo += bytes[lo..].iter().take_while(|b| **b != b'\n').count(),
            Some(_) => break,
        }
    }
    let end_of = |wanted: u8, from: usize| {
        bytes[from..].iter().position(|b| *b == wanted).map(|i| from + i + 1)
    };
    let (kind, hi) = match bytes[lo] {
        b'(' | b')' => (Kind::List, lo + 1),
        b'|' => match end_of(b'|', lo + 1) {
            Some(hi) => (Kind::Quoted, hi),
            None => return Err(ReadError::new(text, lo, "`|` is never closed")),
        },
        b'"' => {
            let mut hi = lo + 1;
            loop {
                match end_of(b'"', hi) {
                    Some(end) if bytes.get(end) == Some(&b'"') => hi = end + 1,
                    Some(end) => break (Kind::String, end),
                    None => return Err(ReadError::new(text, lo, "`\"` is never closed")),
                }
            }
        }
        _ => {
            let stops = |b: &u8| b" \t\r\n();|\"".contains(b);
            let length = bytes[lo..].iter().take_while(|b| !stops(b)).count();
            (word_kind(&bytes[lo..lo + length]), lo + length)
        }
    };
    Ok(Some((kind, lo, hi)))
}

fn word_kind(word: &[u8]) -> Kind {
    let digits = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    match word.iter().position(|b| *b == b'.') {
        _ if word[0] == b':' => Kind::Keyword,
        None if digits(word) => Kind::Numeral,
        Some(dot) if digits(&word[..dot]) && digits(&word[dot + 1..]) => Kind::Decimal,
        _ => Kind::Symbol,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn atoms_and_lists() {
        let text = "(a |b (c| 12 1.5 :key \"say \"\"hi\"\"\") ; comment (\n sat";
        let all = Sexprs::read(text).expect("well formed");
        let top: Vec<_> = all.iter().collect();
        let atoms: Vec<_> = top[0].elements().filter_map(Sexpr::atom).collect();
        assert_eq!(
            atoms,
            [
                Atom::Symbol("a"),
                Atom::Symbol("b (c"),
                Atom::Numeral("12"),
                Atom::Decimal("1.5"),
                Atom::Keyword(":key"),
                Atom::String("say \"hi\"".into()),
            ]
        );
        assert_eq!((top[1].symbol(), top.len()), (Some("sat"), 2));
    }

    #[test]
    fn errors_have_a_place() {
        let check = |text: &str, expected: &str| {
            let error = Sexprs::read(text).expect_err("broken");
            assert_eq!(error.to_string(), expected);
        };
        check("(a\n  (b)", "1:1: `(` is never closed");
        check("(a)\n é)", "2:3: `)` closes nothing");
        check("x |y", "1:3: `|` is never closed");
        check("\"x\"\"", "1:1: `\"` is never closed");
    }

    #[test]
    fn a_million_parentheses() {
        let text = "(".repeat(1_000_000) + &")".repeat(1_000_000);
        assert_eq!(Sexprs::read(&text).expect("balanced").iter().count(), 1);
        assert!(Sexprs::read(&text[1..]).is_err());
    }
}
