//! Which tokens of a line touch, and where a line may be broken.

use super::Piece;
use super::wrap::Joint;
use crate::token::{Token, TokenKind};

/// What a brace belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Brace {
    /// The token is no brace.
    None,
    /// A process or an atomic block: its contents stand on lines of their own.
    Body,
    /// An enumeration.
    Enum,
    /// A list of initial values.
    List,
}

/// What is remembered about the tokens before the next one.
pub(super) struct Spacing<'s> {
    text: &'s str,
    braces: Vec<Brace>,
    /// For every open `[`: whether it is an index. Parentheses count as none.
    brackets: Vec<bool>,
    /// Bracket depths of quantifiers whose `:` is still to come.
    binders: Vec<u32>,
    /// The last token that is no comment, if it is on this line.
    last: Option<TokenKind>,
    /// Whether nothing separates the last piece from the next.
    tight: bool,
    /// Whether the last token ends an operand.
    operand: bool,
    top_level: bool,
    in_enum: bool,
    in_update: bool,
    in_property: bool,
    after_aggregate: bool,
}

impl<'s> Spacing<'s> {
    pub(super) fn new(text: &'s str) -> Spacing<'s> {
        Spacing {
            text,
            braces: Vec::new(),
            brackets: Vec::new(),
            binders: Vec::new(),
            last: None,
            tight: true,
            operand: false,
            top_level: true,
            in_enum: false,
            in_update: false,
            in_property: false,
            after_aggregate: false,
        }
    }

    /// A new logical line begins.
    pub(super) fn start_line(&mut self, top_level: bool) {
        self.brackets.clear();
        self.binders.clear();
        self.last = None;
        self.tight = true;
        self.operand = false;
        self.top_level = top_level;
        self.in_enum = false;
        self.in_update = false;
        self.in_property = false;
        self.after_aggregate = false;
    }

    /// What a brace belongs to; keeps track of the open ones.
    pub(super) fn brace(&mut self, kind: TokenKind) -> Brace {
        match kind {
            TokenKind::LBrace => {
                let in_list = self.braces.last() == Some(&Brace::List);
                let brace = match self.last {
                    Some(TokenKind::Equals) => Brace::List,
                    _ if in_list => Brace::List,
                    _ if self.in_enum => Brace::Enum,
                    _ => Brace::Body,
                };
                self.braces.push(brace);
                brace
            }
            TokenKind::RBrace => self.braces.pop().unwrap_or(Brace::Body),
            _ => Brace::None,
        }
    }

    fn depth(&self) -> u32 {
        let inline = |b: &&Brace| matches!(b, Brace::Enum | Brace::List);
        (self.brackets.len() + self.braces.iter().rev().take_while(inline).count()) as u32
    }

    /// Places the next token of the line.
    pub(super) fn piece(&mut self, token: Token, brace: Brace, forced: bool) -> Piece {
        let kind = token.kind;
        if kind.is_comment() {
            let piece =
                Piece { token, space: !self.tight, forced, depth: self.depth(), joint: None };
            self.tight = false;
            return piece;
        }
        let first = self.last.is_none();
        let word = token.text(self.text);
        if first && self.top_level && kind == TokenKind::Name {
            self.in_enum = word == "enum";
            self.in_property = matches!(word, "invariant" | "unreachable" | "reachable");
        }
        let joint = self.joint(kind);
        let is_index = kind == TokenKind::LBracket && self.operand;
        let is_call = kind == TokenKind::LParen && self.operand;
        let is_prefix = matches!(kind, TokenKind::Minus | TokenKind::Not) && !self.operand;
        let hugs_left = is_index
            || is_call
            || brace == Brace::List && kind == TokenKind::RBrace
            || matches!(
                kind,
                TokenKind::RParen
                    | TokenKind::RBracket
                    | TokenKind::Comma
                    | TokenKind::Semicolon
                    | TokenKind::Colon
                    | TokenKind::Dot
                    | TokenKind::At
                    | TokenKind::Until
                    | TokenKind::Through
            );
        let space = !self.tight && !hugs_left;

        let mut closes_type = false;
        match kind {
            TokenKind::LBracket => self.brackets.push(is_index),
            TokenKind::LParen => self.brackets.push(true),
            TokenKind::RBracket => closes_type = !self.brackets.pop().unwrap_or(true),
            TokenKind::RParen => {
                self.brackets.pop();
            }
            _ => {}
        }
        // An opening bracket stands outside, what follows it inside.
        let opens = matches!(kind, TokenKind::LBracket | TokenKind::LParen | TokenKind::LBrace);
        let depth = self.depth().saturating_sub(u32::from(opens && brace != Brace::Body));

        self.note(kind, word, first);
        self.last = Some(kind);
        self.tight = is_prefix
            || brace == Brace::List && kind == TokenKind::LBrace
            || matches!(
                kind,
                TokenKind::LParen
                    | TokenKind::LBracket
                    | TokenKind::Dot
                    | TokenKind::At
                    | TokenKind::Until
                    | TokenKind::Through
            );
        let keyword = first && self.top_level;
        self.operand = kind.ends_operand() && !closes_type && !keyword;
        Piece { token, space, forced, depth, joint }
    }

    /// Keeps track of quantifiers and update lists.
    fn note(&mut self, kind: TokenKind, word: &str, first: bool) {
        let aggregate = std::mem::take(&mut self.after_aggregate);
        match kind {
            TokenKind::Forall | TokenKind::Exists => self.binders.push(self.depth()),
            TokenKind::Name if aggregate => self.binders.push(self.depth()),
            TokenKind::Name => self.after_aggregate = !first && matches!(word, "sum" | "count"),
            TokenKind::Do => self.in_update = true,
            _ => {}
        }
    }

    /// How loosely the next token hangs on the last one.
    fn joint(&mut self, kind: TokenKind) -> Option<Joint> {
        let depth = self.depth();
        let last = self.last?;
        let in_binders = self.binders.last() == Some(&depth);
        match last {
            TokenKind::Comma if in_binders => return Some(Joint::Binder),
            TokenKind::Comma if self.in_update && depth == 0 => return Some(Joint::Assignment),
            TokenKind::Comma => return Some(Joint::Item),
            TokenKind::Colon if in_binders => {
                self.binders.pop();
                return Some(Joint::Body);
            }
            TokenKind::Colon if depth == 0 && self.in_property => {
                self.in_property = false;
                return Some(Joint::Property);
            }
            _ => {}
        }
        match kind {
            TokenKind::When | TokenKind::Do => Some(Joint::Clause),
            TokenKind::Then => Some(Joint::Body),
            TokenKind::Else if last != TokenKind::RBrace => Some(Joint::Body),
            TokenKind::Iff => Some(Joint::Iff),
            TokenKind::Implies => Some(Joint::Implies),
            TokenKind::Or => Some(Joint::Or),
            TokenKind::And => Some(Joint::And),
            TokenKind::Eq
            | TokenKind::Ne
            | TokenKind::Lt
            | TokenKind::Le
            | TokenKind::Gt
            | TokenKind::Ge => Some(Joint::Compare),
            TokenKind::Plus => Some(Joint::Sum),
            TokenKind::Minus if self.operand => Some(Joint::Sum),
            TokenKind::Star | TokenKind::Slash | TokenKind::Percent => Some(Joint::Product),
            _ => None,
        }
    }
}
