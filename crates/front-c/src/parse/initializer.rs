//! Initializers and designators.

use super::{Parse, Parser};
use crate::ast::{Designator, InitItem, Initializer};
use crate::lex::Kind;

impl Parser<'_> {
    /// What follows `=`.
    pub(super) fn initializer(&mut self) -> Parse<Initializer> {
        if self.kind() != Kind::LBrace {
            return Ok(Initializer::Expr(self.assignment()?));
        }
        let start = self.at;
        let items = self.initializer_list()?;
        Ok(Initializer::List(items, self.since(start)))
    }

    /// `{ ... }`
    pub(super) fn initializer_list(&mut self) -> Parse<Vec<InitItem>> {
        self.nested(|p| {
            p.bump();
            let mut items = Vec::new();
            while !p.eat(Kind::RBrace) {
                let designators = p.designators()?;
                let value = p.initializer()?;
                items.push(InitItem { designators, value });
                if !p.eat(Kind::Comma) {
                    p.expect(Kind::RBrace, " after the initializers")?;
                    break;
                }
            }
            Ok(items)
        })
    }

    /// `.a[3] =`, `a:`, or nothing.
    fn designators(&mut self) -> Parse<Vec<Designator>> {
        if self.kind() == Kind::Name && self.ahead(1) == Kind::Colon {
            let (_, name) = self.take_name();
            self.bump();
            return Ok(vec![Designator::Member(name)]);
        }
        let mut designators = Vec::new();
        loop {
            match self.kind() {
                Kind::Dot => {
                    self.bump();
                    designators.push(Designator::Member(self.expect_name("a member")?));
                }
                Kind::LBracket => {
                    self.bump();
                    let first = self.conditional()?;
                    designators.push(if self.eat(Kind::Ellipsis) {
                        Designator::Range(first, self.conditional()?)
                    } else {
                        Designator::Index(first)
                    });
                    self.expect(Kind::RBracket, " after the index")?;
                }
                _ => break,
            }
        }
        // GNU C once had `[3] value` without `=`.
        let old = matches!(designators[..], [Designator::Index(_) | Designator::Range(..)]);
        if !designators.is_empty() && !self.eat(Kind::Eq) && !old {
            return Err(self.expected("`=` after the designators"));
        }
        Ok(designators)
    }
}
