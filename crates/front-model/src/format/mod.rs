//! The canonical layout of a model.
//!
//! The formatter works on tokens, not on the tree: it only decides about the
//! white space between them, so it cannot lose code or comments. The result
//! depends on the tokens, on which comments stand on a line of their own, and on
//! whether a blank line separates two declarations; formatting twice changes
//! nothing.
//!
//! First the tokens are cut into *logical lines* (a declaration, a command, a
//! header up to its `{`, a `}`), then each line that is too long is broken at
//! its loosest operators ([`mod@wrap`]).

mod spacing;
mod wrap;

use parallax_base::{Diagnostics, FileId};

use crate::parser::parse;
use crate::token::{Token, TokenKind, Tokens};
use spacing::{Brace, Spacing};
use wrap::wrap;

/// Columns of one level of indentation.
const INDENT: usize = 2;

/// A token in a line, with what is known about the place before it.
#[derive(Clone, Copy, Debug)]
struct Piece {
    token: Token,
    /// Whether a space separates it from the piece before on the same line.
    space: bool,
    /// Whether it must begin a line, because a line comment comes before it.
    forced: bool,
    /// How many brackets of this line are open around it.
    depth: u32,
    /// How loosely it hangs on the piece before; `None` if they belong together.
    joint: Option<wrap::Joint>,
}

/// A logical line.
#[derive(Debug, Default)]
struct Line {
    pieces: Vec<Piece>,
    /// Comments behind the line; they do not count for its width.
    trailing: Vec<Token>,
    level: usize,
    blank_before: bool,
    opens_body: bool,
}

/// Lays a model out. Text that does not parse is not touched.
///
/// # Errors
/// The diagnostics of the parser.
pub fn format(text: &str) -> Result<String, Diagnostics> {
    let (_, diagnostics) = parse(FileId(0), text);
    if diagnostics.has_errors() {
        return Err(diagnostics);
    }
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in Lines::new(text).collect() {
        if line.blank_before {
            out.push('\n');
        }
        wrap(text, &line.pieces, line.level * INDENT, &mut out);
        for (i, comment) in line.trailing.iter().enumerate() {
            if i > 0 || !line.pieces.is_empty() {
                out.push(' ');
            }
            out.push_str(comment.text(text).trim_end());
        }
        out.push('\n');
    }
    Ok(out)
}

/// Cuts the tokens into logical lines.
struct Lines<'s> {
    text: &'s str,
    lines: Vec<Line>,
    current: Line,
    spacing: Spacing<'s>,
    level: usize,
    after_line_comment: bool,
}

impl<'s> Lines<'s> {
    fn new(text: &'s str) -> Lines<'s> {
        Lines {
            text,
            lines: Vec::new(),
            current: Line::default(),
            spacing: Spacing::new(text),
            level: 0,
            after_line_comment: false,
        }
    }

    fn collect(mut self) -> Vec<Line> {
        let mut tokens = Tokens::new(self.text).peekable();
        let mut last_end = 0;
        while let Some(token) = tokens.next() {
            let newlines = self.newlines(last_end, token.lo);
            last_end = token.hi;
            let next = tokens.peek().copied();
            if token.kind.is_comment() {
                self.comment(token, newlines, next);
            } else {
                self.code(token, newlines, next.map(|t| t.kind));
            }
        }
        self.finish_line();
        self.lines
    }

    fn newlines(&self, from: u32, to: u32) -> usize {
        let gap = self.text.get(from as usize..to as usize).unwrap_or("");
        gap.bytes().filter(|&b| b == b'\n').count()
    }

    fn comment(&mut self, token: Token, newlines: usize, next: Option<Token>) {
        if self.current.pieces.is_empty() {
            if newlines == 0
                && let Some(last) = self.lines.last_mut()
            {
                last.trailing.push(token);
                return;
            }
            let ends_line = next.is_none_or(|n| self.newlines(token.hi, n.lo) > 0);
            self.start_line(newlines, TokenKind::BlockComment);
            if token.kind == TokenKind::LineComment || ends_line {
                self.current.trailing.push(token);
                self.finish_line();
                return;
            }
        }
        self.push(token, Brace::None);
        self.after_line_comment = token.kind == TokenKind::LineComment;
    }

    fn code(&mut self, token: Token, newlines: usize, next: Option<TokenKind>) {
        let brace = self.spacing.brace(token.kind);
        let closes_body = token.kind == TokenKind::RBrace && brace == Brace::Body;
        if closes_body {
            self.finish_line();
            self.level = self.level.saturating_sub(1);
        }
        if self.current.pieces.is_empty() {
            self.start_line(newlines, token.kind);
        }
        self.push(token, brace);
        let continues = matches!(next, Some(TokenKind::Else | TokenKind::Semicolon));
        let ends_here = (closes_body || brace == Brace::Enum) && !continues;
        match token.kind {
            TokenKind::LBrace if brace == Brace::Body => {
                self.current.opens_body = true;
                self.finish_line();
                self.level += 1;
            }
            TokenKind::RBrace if ends_here => self.finish_line(),
            TokenKind::Semicolon => self.finish_line(),
            _ => {}
        }
    }

    fn start_line(&mut self, newlines: usize, first: TokenKind) {
        let follows_opener = self.lines.last().is_none_or(|l| l.opens_body);
        self.current.level = self.level;
        self.current.blank_before = newlines > 1 && !follows_opener && first != TokenKind::RBrace;
        self.spacing.start_line(self.level == 0);
    }

    fn push(&mut self, token: Token, brace: Brace) {
        let forced = std::mem::take(&mut self.after_line_comment);
        let piece = self.spacing.piece(token, brace, forced);
        self.current.pieces.push(piece);
    }

    fn finish_line(&mut self) {
        if !self.current.pieces.is_empty() || !self.current.trailing.is_empty() {
            self.lines.push(std::mem::take(&mut self.current));
        }
        self.after_line_comment = false;
    }
}
