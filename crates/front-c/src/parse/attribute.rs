//! Attributes: `__attribute__((...))` of GNU C and `[[...]]` of C23.

use super::{Parse, Parser};
use crate::ast::{Attribute, Expr};
use crate::lex::Kind;
use parallax_base::Id;
use std::sync::Arc;

impl Parser<'_> {
    /// Reads attributes as long as there are any.
    pub(super) fn attributes(&mut self, into: &mut Vec<Attribute>) -> Parse<()> {
        loop {
            match self.kind() {
                Kind::Attribute => {
                    self.bump();
                    self.expect(Kind::LParen, " after `__attribute__`")?;
                    self.expect(Kind::LParen, " after `__attribute__(`")?;
                    self.attribute_list(Kind::RParen, into)?;
                    self.expect(Kind::RParen, " after the attributes")?;
                    self.expect(Kind::RParen, " after the attributes")?;
                }
                Kind::LBracket if self.ahead(1) == Kind::LBracket => {
                    self.bump();
                    self.bump();
                    self.attribute_list(Kind::RBracket, into)?;
                    self.expect(Kind::RBracket, " after the attributes")?;
                    self.expect(Kind::RBracket, " after the attributes")?;
                }
                _ => return Ok(()),
            }
        }
    }

    fn attribute_list(&mut self, end: Kind, into: &mut Vec<Attribute>) -> Parse<()> {
        while self.kind() != end {
            if self.eat(Kind::Comma) {
                continue;
            }
            let start = self.at;
            if !self.kind().is_word() {
                return Err(self.expected("the name of an attribute"));
            }
            let mut name = self.attribute_name();
            // `gnu::packed`; other vendors' names keep their prefix.
            if self.kind() == Kind::Colon && self.ahead(1) == Kind::Colon {
                self.bump();
                self.bump();
                let inner = self.attribute_name();
                name = if &*name == "gnu" { inner } else { format!("{name}::{inner}").into() };
            }
            let mut arguments = Vec::new();
            if self.kind() == Kind::LParen {
                arguments = self.attribute_arguments()?;
            }
            into.push(Attribute { name, arguments, span: self.since(start) });
            if self.kind() != Kind::Comma {
                break;
            }
        }
        Ok(())
    }

    fn attribute_name(&mut self) -> Arc<str> {
        let text = self.symbol_text(self.token().symbol);
        self.bump();
        let bare = text.strip_prefix("__").and_then(|t| t.strip_suffix("__"));
        match bare {
            Some(bare) if !bare.is_empty() => bare.into(),
            _ => text,
        }
    }

    /// The arguments that are expressions; others are skipped.
    fn attribute_arguments(&mut self) -> Parse<Vec<Id<Expr>>> {
        self.bump();
        let mut arguments = Vec::new();
        while self.kind() != Kind::RParen {
            let (start, mark) = (self.at, self.mark());
            self.quiet += 1;
            let parsed = if self.begins_type(self.at) { None } else { self.assignment().ok() };
            self.quiet -= 1;
            self.restore(&mark);
            match parsed {
                Some(argument) if matches!(self.kind(), Kind::Comma | Kind::RParen) => {
                    arguments.push(argument);
                }
                _ => {
                    if !self.gave_up {
                        self.at = start;
                    }
                    self.skip_argument()?;
                }
            }
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::RParen, " after the arguments")?;
        Ok(arguments)
    }

    /// Skips to the comma or parenthesis that ends an argument.
    fn skip_argument(&mut self) -> Parse<()> {
        let mut open = 0u32;
        loop {
            match self.kind() {
                Kind::Eof | Kind::Semi => return Err(self.expected("`)` after the arguments")),
                Kind::LParen | Kind::LBracket | Kind::LBrace => open += 1,
                Kind::Comma | Kind::RParen if open == 0 => return Ok(()),
                Kind::RParen | Kind::RBracket | Kind::RBrace => open = open.saturating_sub(1),
                _ => {}
            }
            self.bump();
        }
    }

    /// The index of the first token after the attributes at the current one.
    pub(super) fn after_attributes(&self) -> usize {
        self.after_attributes_at(self.at)
    }

    /// The index of the first token after the attributes at the token `at`.
    pub(super) fn after_attributes_at(&self, mut at: usize) -> usize {
        loop {
            let kind = |i: usize| self.tokens.get(i).map_or(Kind::Eof, |token| token.kind);
            let first = match kind(at) {
                Kind::Attribute => at + 1,
                Kind::LBracket if kind(at + 1) == Kind::LBracket => at,
                _ => return at,
            };
            let mut open = 0u32;
            at = first;
            loop {
                match kind(at) {
                    Kind::Eof => return at.min(self.tokens.len() - 1),
                    Kind::LParen | Kind::LBracket => open += 1,
                    Kind::RParen | Kind::RBracket => open = open.saturating_sub(1),
                    _ => {}
                }
                at += 1;
                if open == 0 {
                    break;
                }
            }
        }
    }
}
