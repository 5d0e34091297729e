//! The parser: labels, sets, indices and relabellings.

use crate::ast::{Index, IndexRange, LabelPart, Labels, Name, Relabel, SetBase, SetExpr};
use crate::lex::Token;
use crate::parse::{Parsed, Parser};
use std::rc::Rc;

impl Parser<'_> {
    /// Labels: parts, joined by dots or side by side.
    pub(crate) fn labels(&mut self) -> Parsed<Labels> {
        self.deeper(|parser| {
            let start = parser.span();
            let mut parts = vec![parser.label_part()?];
            loop {
                let dot = parser.is(".")
                    && matches!(
                        parser.ahead(1),
                        Token::Lower(_) | Token::Upper(_) | Token::Sign("{" | "[")
                    )
                    && !parser.dot_ends_definition();
                if dot {
                    parser.advance();
                } else if !parser.is("[") && !parser.is("{") {
                    break;
                }
                parts.push(parser.label_part()?);
            }
            Ok(Labels { parts, span: start.to(parser.last_span()) })
        })
    }

    /// A dot before a capital name is the end of a definition if the name is
    /// defined next.
    fn dot_ends_definition(&self) -> bool {
        matches!(self.ahead(1), Token::Upper(_)) && matches!(self.ahead(2), Token::Sign("=" | "("))
    }

    fn label_part(&mut self) -> Parsed<LabelPart> {
        match self.peek().clone() {
            Token::Lower(name) => {
                self.advance();
                Ok(LabelPart::Name(name))
            }
            Token::Sign("[") => Ok(LabelPart::Index(self.index()?)),
            Token::Sign("{") | Token::Upper(_) => Ok(LabelPart::Set(self.set_difference()?)),
            _ => self.fail("a label"),
        }
    }

    /// `S`, `{a, b}`
    pub(crate) fn set(&mut self) -> Parsed<SetExpr> {
        let span = self.span();
        if !self.take("{") {
            let name = self.upper("a set")?;
            return Ok(SetExpr { base: SetBase::Name(name), minus: None, span });
        }
        let mut list = Vec::new();
        if !self.is("}") {
            list.push(self.labels()?);
            while self.take(",") {
                list.push(self.labels()?);
            }
        }
        self.expect("}")?;
        let span = span.to(self.last_span());
        Ok(SetExpr { base: SetBase::List(list), minus: None, span })
    }

    /// A set, perhaps without some elements.
    pub(crate) fn set_difference(&mut self) -> Parsed<SetExpr> {
        let mut set = self.set()?;
        if self.take("\\") {
            set.minus = Some(Box::new(self.set()?));
        }
        Ok(set)
    }

    /// Indices in brackets, none or more.
    pub(crate) fn indices(&mut self) -> Parsed<Vec<Index>> {
        let mut indices = Vec::new();
        let empty = |parser: &Self| matches!(parser.ahead(1), Token::Sign("]"));
        while (self.is("[") && !empty(self))
            || (self.is(".") && matches!(self.ahead(1), Token::Sign("[")))
        {
            self.take(".");
            indices.push(self.index()?);
        }
        Ok(indices)
    }

    fn index(&mut self) -> Parsed<Index> {
        self.expect("[")?;
        let mut variable = None;
        if let Token::Lower(name) = self.peek()
            && matches!(self.ahead(1), Token::Sign(":"))
        {
            variable = Some(Name { text: Rc::clone(name), span: self.span() });
            self.advance();
            self.advance();
        }
        let range = if self.is("{") {
            IndexRange::Set(self.set_difference()?)
        } else {
            let first = self.deeper(Parser::expr)?;
            if self.take("..") {
                IndexRange::Range(first, self.deeper(Parser::expr)?)
            } else {
                IndexRange::Value(first)
            }
        };
        self.expect("]")?;
        Ok(Index { variable, range })
    }

    /// `{new/old, ..}`
    pub(crate) fn relabels(&mut self) -> Parsed<Vec<Relabel>> {
        self.expect("{")?;
        let mut list = Vec::new();
        loop {
            if self.take_word("forall") {
                let indices = self.indices()?;
                let inner = self.deeper(Parser::relabels)?;
                list.push(Relabel::Forall(indices, inner));
            } else {
                let new = self.labels()?;
                self.expect("/")?;
                list.push(Relabel::Pair(new, self.labels()?));
            }
            if !self.take(",") {
                break;
            }
        }
        self.expect("}")?;
        Ok(list)
    }
}
