//! Text put into a program at places that somebody points at: before a statement, at
//! the head of a loop, around a condition or a call.
//!
//! It happens between preprocessing and parsing, on tokens, so what is put in means what
//! it means to the front end at that place: names are looked up in the scope there.
//! Witnesses are checked with it: the text looks at the program and counts, or fails.
//!
//! # Soundness
//! A place that is not one of the few forms below is refused, not guessed. Before a
//! label nothing is put in, since a jump would pass it by; after `)` and `else` a
//! statement gets braces. What the text does is the business of whoever gives it:
//! [`looks_only`] says whether an expression has no effect.

use crate::lex::{Kind, Lexed, Token, lex};
use crate::parse::Origin;
use parallax_base::{FileId, SourceFile, SourceMap, Span};
use std::collections::BTreeMap;
use std::sync::Arc;

/// A place in a file, as people count: from 1. Without a column it is the first that
/// suits on the line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    /// The file, by the end of its path.
    pub file: String,
    /// The line.
    pub line: u32,
    /// The column, in characters.
    pub column: Option<u32>,
}

/// What to put in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Piece {
    /// A statement in front of the one that begins there.
    Statement(String),
    /// A void expression that is evaluated at every visit of the head of the loop whose
    /// keyword stands there.
    Head(String),
    /// Text before and after the condition of the `if`, loop or `switch` whose keyword
    /// stands there.
    Condition(String, String),
    /// Text before and after the call of a named function that the `)` there closes.
    Call(String, String),
}

/// Pieces of text with their places, and declarations for them.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Splices {
    /// C text that stands before everything else.
    pub prologue: String,
    /// The pieces. Of several for one place, the first comes first.
    pub pieces: Vec<(Spot, Piece)>,
}

/// The file of the text that was put in.
pub const SPLICED: &str = "<witness>";

/// A text with pieces in it.
pub(crate) struct Spliced {
    pub(crate) text: Arc<str>,
    pub(crate) origin: Box<dyn Origin>,
}

/// Puts pieces into a text. The numbers of those that have their place are added to
/// `placed`.
pub(crate) fn splice(
    sources: &mut SourceMap,
    text: &str,
    origin: Box<dyn Origin>,
    splices: &Splices,
    placed: &mut Vec<usize>,
) -> Spliced {
    let Lexed { tokens, .. } = lex(text);
    let mut edits: Vec<Edit> = Vec::new();
    let spots = Spots::of(splices);
    for (index, token) in tokens.iter().enumerate() {
        let span = origin.span(token.lo, token.hi);
        for &number in spots.at(sources, span) {
            if placed.contains(&number) {
                continue;
            }
            let found = Tokens(&tokens).edits(index, &splices.pieces[number].1);
            if let Some(found) = found {
                placed.push(number);
                edits.extend(found.into_iter().map(|(at, rank, text)| Edit {
                    at,
                    rank,
                    number,
                    text,
                }));
            }
        }
    }
    edits.sort_by_key(|edit| (edit.at, edit.rank, edit.number));
    // All that is put in is one file, for messages and to be found again.
    let mut inserted = splices.prologue.clone();
    let mut parts = vec![Part { lo: 0, from: From::Inserted(0) }];
    let mut out = splices.prologue.clone();
    let mut done = 0;
    for edit in &edits {
        parts.push(Part { lo: out.len() as u32, from: From::Text(done) });
        out.push_str(&text[done as usize..edit.at as usize]);
        done = edit.at;
        parts.push(Part { lo: out.len() as u32, from: From::Inserted(inserted.len() as u32) });
        out.push_str(&edit.text);
        inserted.push_str(&edit.text);
        inserted.push('\n');
    }
    parts.push(Part { lo: out.len() as u32, from: From::Text(done) });
    out.push_str(&text[done as usize..]);
    let file = sources.add(SourceFile::new(SPLICED, inserted));
    Spliced { text: out.into(), origin: Box::new(Parts { origin, parts, file }) }
}

/// A text to put in at a byte.
struct Edit {
    at: u32,
    /// What comes first of several at one byte.
    rank: u8,
    number: usize,
    text: String,
}

/// Where a part of the new text is from.
enum From {
    /// The byte of the old text.
    Text(u32),
    /// The byte of the file of what was put in.
    Inserted(u32),
}

struct Part {
    lo: u32,
    from: From,
}

/// The places of the new text.
struct Parts {
    origin: Box<dyn Origin>,
    parts: Vec<Part>,
    file: FileId,
}

impl Origin for Parts {
    fn span(&self, lo: u32, hi: u32) -> Span {
        let part = self.parts.partition_point(|part| part.lo <= lo).saturating_sub(1);
        let Part { lo: start, from } = &self.parts[part];
        let length = hi.saturating_sub(lo);
        match from {
            From::Text(old) => self.origin.span(old + (lo - start), old + (lo - start) + length),
            From::Inserted(old) => {
                let lo = old + (lo - start);
                Span { file: self.file, lo, hi: lo + length }
            }
        }
    }
}

/// Pieces by line.
struct Spots<'a> {
    splices: &'a Splices,
    lines: BTreeMap<u32, Vec<usize>>,
}

impl<'a> Spots<'a> {
    fn of(splices: &'a Splices) -> Spots<'a> {
        let mut lines: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (number, (spot, _)) in splices.pieces.iter().enumerate() {
            lines.entry(spot.line).or_default().push(number);
        }
        Spots { splices, lines }
    }

    /// The pieces that a token at a place may be meant by.
    fn at(&self, sources: &SourceMap, span: Span) -> impl Iterator<Item = &usize> {
        let file = sources.get(span.file);
        let at = file.map(|file| (file.name().to_owned(), file.line_column(span.lo)));
        let on_line = at.as_ref().and_then(|(_, at)| self.lines.get(&at.line));
        on_line.into_iter().flatten().filter(move |&&number| {
            let spot = &self.splices.pieces[number].0;
            at.as_ref().is_some_and(|(name, at)| {
                spot.column.is_none_or(|column| column == at.column) && names(&spot.file, name)
            })
        })
    }
}

/// Whether a name means a file: the one path ends with the other.
fn names(name: &str, path: &str) -> bool {
    let ends = |long: &str, short: &str| {
        let short = short.trim_start_matches("./");
        long == short || long.ends_with(&format!("/{short}"))
    };
    ends(path, name) || ends(name, path)
}

/// The tokens of a text.
struct Tokens<'a>(&'a [Token]);

/// What comes first at one byte.
mod rank {
    pub(super) const CALLED: u8 = 0;
    pub(super) const STATEMENT: u8 = 1;
    pub(super) const HEAD: u8 = 2;
    pub(super) const BEFORE: u8 = 3;
    pub(super) const AFTER: u8 = 4;
}

type Edits = Vec<(u32, u8, String)>;

impl Tokens<'_> {
    fn kind(&self, index: usize) -> Kind {
        self.0.get(index).map_or(Kind::Eof, |token| token.kind)
    }

    fn before(&self, index: usize, by: usize) -> Option<Kind> {
        Some(self.kind(index.checked_sub(by)?))
    }

    /// What to put in for a piece that means the token, if it can be meant by it.
    fn edits(&self, index: usize, piece: &Piece) -> Option<Edits> {
        match piece {
            Piece::Statement(text) => self.statement(index, text),
            Piece::Head(text) => self.head(index, text),
            Piece::Condition(before, after) => {
                let (open, close) = self.condition(index)?;
                Some(vec![
                    (self.0[open].lo, rank::BEFORE, before.clone()),
                    (self.0[close].lo, rank::AFTER, after.clone()),
                ])
            }
            Piece::Call(before, after) => {
                let open = self.opening(index)?;
                let callee = open.checked_sub(1)?;
                let is_named = self.kind(callee) == Kind::Name
                    && !matches!(self.before(callee, 1), Some(Kind::Dot | Kind::Arrow));
                is_named.then(|| {
                    vec![
                        (self.0[callee].lo, rank::BEFORE, before.clone()),
                        (self.0[index].hi, rank::CALLED, after.clone()),
                    ]
                })
            }
        }
    }

    fn statement(&self, index: usize, text: &str) -> Option<Edits> {
        let kind = self.kind(index);
        let is_label = kind == Kind::Name && self.kind(index + 1) == Kind::Colon;
        if is_label || matches!(kind, Kind::Case | Kind::Default | Kind::Else | Kind::RBrace) {
            return None;
        }
        let at = (self.0[index].lo, rank::STATEMENT);
        match self.before(index, 1)? {
            Kind::Semi | Kind::LBrace | Kind::RBrace => Some(vec![(at.0, at.1, text.to_owned())]),
            Kind::Colon if self.is_behind_label(index) => Some(vec![(at.0, at.1, text.to_owned())]),
            Kind::RParen | Kind::Else | Kind::Do
                if !kind.begins_statement() && !matches!(kind, Kind::LBrace | Kind::Semi) =>
            {
                let end = self.end_of_simple(index)?;
                let after = (self.0[end].hi, rank::CALLED, String::from("}"));
                Some(vec![(at.0, at.1, format!("{{{text}")), after])
            }
            _ => None,
        }
    }

    /// Whether a label, and nothing else with a `:`, stands right before a token.
    fn is_behind_label(&self, index: usize) -> bool {
        let starts = |kind| matches!(kind, Kind::Semi | Kind::LBrace | Kind::RBrace);
        match self.before(index, 2) {
            Some(Kind::Default) => true,
            Some(Kind::Name) => self.before(index, 3).is_some_and(starts),
            _ => false,
        }
    }

    /// The `;` of the statement that begins at a token and is no compound one.
    fn end_of_simple(&self, index: usize) -> Option<usize> {
        let mut at = index;
        loop {
            at = match self.kind(at) {
                Kind::Semi => return Some(at),
                Kind::LParen | Kind::LBracket | Kind::LBrace => self.closing(at)? + 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace | Kind::Eof => return None,
                _ => at + 1,
            };
        }
    }

    fn head(&self, index: usize, text: &str) -> Option<Edits> {
        let put = |at: u32, text: String| Some(vec![(at, rank::HEAD, text)]);
        match self.kind(index) {
            Kind::While => {
                let (open, _) = self.condition(index)?;
                put(self.0[open].lo, format!("{text}, "))
            }
            Kind::For => {
                let (first, second) = self.clauses(index)?;
                let more = if second == first + 1 { "1" } else { "" };
                put(self.0[first].hi, format!(" {text}, {more}"))
            }
            Kind::Do if self.kind(index + 1) == Kind::LBrace => {
                put(self.0[index + 1].hi, format!(" {text};"))
            }
            _ => None,
        }
    }

    /// The first token of a condition, and the one behind it.
    fn condition(&self, index: usize) -> Option<(usize, usize)> {
        let keyword = match self.kind(index) {
            Kind::If | Kind::While | Kind::Switch => index,
            Kind::For => {
                let (first, second) = self.clauses(index)?;
                return (second > first + 1).then_some((first + 1, second));
            }
            Kind::Do if self.kind(index + 1) == Kind::LBrace => self.closing(index + 1)? + 1,
            _ => return None,
        };
        let is_known = matches!(self.kind(keyword), Kind::If | Kind::While | Kind::Switch);
        if !is_known || self.kind(keyword + 1) != Kind::LParen {
            return None;
        }
        Some((keyword + 2, self.closing(keyword + 1)?))
    }

    /// The two `;` of a `for`.
    fn clauses(&self, index: usize) -> Option<(usize, usize)> {
        if self.kind(index + 1) != Kind::LParen {
            return None;
        }
        let first = self.end_of_simple(index + 2)?;
        Some((first, self.end_of_simple(first + 1)?))
    }

    /// The token that closes what another one opens.
    fn closing(&self, open: usize) -> Option<usize> {
        let mut depth = 0usize;
        for (index, token) in self.0.iter().enumerate().skip(open) {
            match token.kind {
                Kind::LParen | Kind::LBracket | Kind::LBrace => depth += 1,
                Kind::RParen | Kind::RBracket | Kind::RBrace => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(index);
            }
        }
        None
    }

    /// The token that opens what another one, a `)`, closes.
    fn opening(&self, close: usize) -> Option<usize> {
        if self.kind(close) != Kind::RParen {
            return None;
        }
        let mut depth = 0usize;
        for index in (0..=close).rev() {
            match self.kind(index) {
                Kind::RParen | Kind::RBracket | Kind::RBrace => depth += 1,
                Kind::LParen | Kind::LBracket | Kind::LBrace => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return Some(index);
            }
        }
        None
    }
}

/// Whether a text is one expression of C that looks at the program and does nothing
/// else: no assignment, no call, nothing that ends what it is put into.
pub fn looks_only(text: &str) -> bool {
    let Lexed { tokens, errors, packs, weak, .. } = lex(text);
    let tokens = Tokens(&tokens);
    // The arrow of ACSL would be read as two operators.
    let is_other = text.contains(['#', '\\']) || text.contains("==>");
    if !errors.is_empty() || !packs.is_empty() || !weak.is_empty() || is_other {
        return false;
    }
    let mut open = Vec::new();
    let mut index = 0;
    loop {
        let kind = tokens.kind(index);
        match kind {
            Kind::Eof => return open.is_empty() && index > 0,
            Kind::LParen => {
                let may_call = match tokens.before(index, 1) {
                    Some(Kind::Name | Kind::RBracket | Kind::Str) => true,
                    Some(Kind::RParen) => !tokens.is_type(index - 1),
                    _ => false,
                };
                if may_call {
                    return false;
                }
                open.push(Kind::RParen);
            }
            Kind::LBracket => open.push(Kind::RBracket),
            Kind::RParen | Kind::RBracket if open.pop() != Some(kind) => return false,
            _ if !is_seen_in_conditions(kind) => return false,
            _ => {}
        }
        index += 1;
    }
}

impl Tokens<'_> {
    /// Whether what a `)` closes is the name of a type that is made of keywords, or
    /// `sizeof` of something.
    fn is_type(&self, close: usize) -> bool {
        let Some(open) = self.opening(close) else { return false };
        let inside = open + 1..close;
        let is_word = |kind| kind == Kind::Star || is_type_word(kind) || kind == Kind::Name;
        !inside.is_empty()
            && is_type_word(self.kind(open + 1))
            && inside.clone().all(|index| is_word(self.kind(index)))
    }
}

fn is_type_word(kind: Kind) -> bool {
    use Kind::*;
    matches!(
        kind,
        CharType
            | Double
            | FloatType
            | Int
            | Long
            | Short
            | Signed
            | Unsigned
            | Bool
            | Const
            | Volatile
            | Struct
            | Union
            | Enum
            | Void
            | Int128
            | Float128
    )
}

fn is_seen_in_conditions(kind: Kind) -> bool {
    use Kind::*;
    is_type_word(kind)
        || matches!(
            kind,
            Name | Number
                | Char
                | Str
                | RParen
                | RBracket
                | Colon
                | Question
                | Dot
                | Arrow
                | Plus
                | Minus
                | Star
                | Slash
                | Percent
                | Tilde
                | Bang
                | Amp
                | Pipe
                | Caret
                | AmpAmp
                | PipePipe
                | Shl
                | Shr
                | EqEq
                | BangEq
                | Less
                | LessEq
                | Greater
                | GreaterEq
                | Sizeof
                | Alignof
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_that_look_only() {
        for good in ["x", "(x + 1) < (int)y && !(a[i] == p->n)", "(struct s *)p == 0", "s ? 1 : -1"]
        {
            assert!(looks_only(good), "{good}");
        }
        let bad = [
            "",
            "x = 1",
            "x++",
            "f(x)",
            "(f)(x)",
            "(*f)(x)",
            "a[0](1)",
            "1); x = 5; (1",
            "x, y",
            "({ x; })",
            "x\n#pragma pack(1)\n",
            "\\result == 1",
            "x ==> y",
            "(x",
            "x)",
            "x += 1",
        ];
        for bad in bad {
            assert!(!looks_only(bad), "{bad}");
        }
    }

    /// The text with one piece at a place of `a.c`.
    fn check(text: &str, line: u32, column: Option<u32>, piece: Piece, expected: Option<&str>) {
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("d/a.c", text));
        let spot = Spot { file: "a.c".into(), line, column };
        let splices = Splices { prologue: String::new(), pieces: vec![(spot, piece)] };
        let mut placed = Vec::new();
        let found = splice(&mut sources, text, Box::new(file), &splices, &mut placed);
        let shown = (!placed.is_empty()).then_some(&*found.text);
        assert_eq!(shown, expected, "{text}");
    }

    #[test]
    fn heads_of_loops() {
        let head = || Piece::Head("P".into());
        check("while (x) y;", 1, Some(1), head(), Some("while (P, x) y;"));
        check("for (;;) y;", 1, None, head(), Some("for (; P, 1;) y;"));
        check(
            "for (i = ({a; b;}); i; i++);",
            1,
            Some(1),
            head(),
            Some("for (i = ({a; b;}); P,  i; i++);"),
        );
        check("do { x; } while (y);", 1, Some(1), head(), Some("do { P; x; } while (y);"));
        check("do x; while (y);", 1, Some(1), head(), None);
        check("if (x) y;", 1, Some(1), head(), None);
        check("while (x) y;", 2, None, head(), None);
    }

    #[test]
    fn statements() {
        let put = || Piece::Statement("P;".into());
        check("{ x; y; }", 1, Some(6), put(), Some("{ x; P;y; }"));
        check("{ if (a) x; y; }", 1, Some(10), put(), Some("{ if (a) {P;x;} y; }"));
        check(
            "{ if (a) b; else x(\"};\", c); }",
            1,
            Some(18),
            put(),
            Some("{ if (a) b; else {P;x(\"};\", c);} }"),
        );
        check("{ l: x; }", 1, Some(6), put(), Some("{ l: P;x; }"));
        check("{ l: x; }", 1, Some(3), put(), None);
        check("{ z = a ? b : c; }", 1, Some(15), put(), None);
        check("{ switch (x) { case 1: y; } }", 1, Some(16), put(), None);
        check("{ switch (x) { case 1: y; } }", 1, Some(24), put(), None);
        check("{ if (a) while (b) c; }", 1, Some(10), put(), None);
    }

    #[test]
    fn conditions_and_calls() {
        let around = || Piece::Condition("<".into(), ">".into());
        check("if (a(b)) c;", 1, Some(1), around(), Some("if (<a(b)>) c;"));
        check("for (; a; b) c;", 1, Some(1), around(), Some("for (; <a>; b) c;"));
        check("do { a; } while (b);", 1, Some(1), around(), Some("do { a; } while (<b>);"));
        let call = || Piece::Call("<".into(), ">".into());
        check("x = f(g(1)) + 2;", 1, Some(11), call(), Some("x = <f(g(1))> + 2;"));
        check("x = f(g(1)) + 2;", 1, Some(10), call(), Some("x = f(<g(1)>) + 2;"));
        check("x = s.f(1);", 1, Some(10), call(), None);
        check("x = (1);", 1, Some(7), call(), None);
    }
}
