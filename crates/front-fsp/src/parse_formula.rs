//! The parser: fluents and formulas.
//!
//! As in LTSA, `&&` binds closest, then one of `U`, `W`, `->` and `<->`, which
//! do not chain, then `||`: `a -> b || c` is `(a -> b) || c`.

use crate::ast::{FluentDef, Formula, Item, Link, Prefix};
use crate::lex::Token;
use crate::parse::{Parsed, Parser};

impl Parser<'_> {
    /// After `fluent`.
    pub(crate) fn fluent(&mut self) -> Parsed<Item> {
        let name = self.upper("the name of a fluent")?;
        let indices = self.indices()?;
        self.expect("=")?;
        self.expect("<")?;
        let starts = self.labels()?;
        self.expect(",")?;
        let ends = self.labels()?;
        self.expect(">")?;
        let initially = if self.take_word("initially") { self.initially()? } else { None };
        Ok(Item::Fluent(FluentDef { name, indices, starts, ends, initially }))
    }

    /// `True`, `False`, or an expression.
    fn initially(&mut self) -> Parsed<Option<Result<bool, crate::value::Expr>>> {
        let constant = match self.peek() {
            Token::Upper(word) if word.eq_ignore_ascii_case("true") => Some(true),
            Token::Upper(word) if word.eq_ignore_ascii_case("false") => Some(false),
            _ => None,
        };
        match constant {
            Some(value) => {
                self.advance();
                Ok(Some(Ok(value)))
            }
            None => Ok(Some(Err(self.expr()?))),
        }
    }

    /// A formula.
    pub(crate) fn formula(&mut self) -> Parsed<Formula> {
        self.deeper(|parser| {
            let mut all = vec![parser.formula_linked()?];
            while !parser.composition_begins() && (parser.take("||") || parser.take("|")) {
                all.push(parser.formula_linked()?);
            }
            Ok(if all.len() > 1 { Formula::Or(all) } else { all.swap_remove(0) })
        })
    }

    /// `||NAME =` and `||NAME(` begin a composition.
    fn composition_begins(&self) -> bool {
        self.is("||")
            && matches!(self.ahead(1), Token::Upper(_))
            && matches!(self.ahead(2), Token::Sign("=" | "("))
    }

    fn formula_linked(&mut self) -> Parsed<Formula> {
        let left = self.formula_and()?;
        let Some(link) = self.link() else { return Ok(left) };
        let right = self.formula_and()?;
        if self.link().is_some() {
            return self.fail("parentheses around one of the two");
        }
        Ok(Formula::Linked(Box::new(left), link, Box::new(right)))
    }

    fn link(&mut self) -> Option<Link> {
        if self.is("<") && matches!(self.ahead(1), Token::Sign("->")) {
            self.advance();
            self.advance();
            return Some(Link::Iff);
        }
        if self.take("->") {
            return Some(Link::Implies);
        }
        let link = match self.peek() {
            Token::Upper(name) if &**name == "U" => Link::Until,
            Token::Upper(name) if &**name == "W" => Link::WeakUntil,
            Token::Upper(name) if &**name == "R" => Link::Release,
            _ => return None,
        };
        self.advance();
        Some(link)
    }

    fn formula_and(&mut self) -> Parsed<Formula> {
        let mut all = vec![self.formula_operand()?];
        while self.take("&&") || self.take("&") {
            all.push(self.formula_operand()?);
        }
        Ok(if all.len() > 1 { Formula::And(all) } else { all.swap_remove(0) })
    }

    fn formula_operand(&mut self) -> Parsed<Formula> {
        let mut prefixes = Vec::new();
        loop {
            if self.is("[") && matches!(self.ahead(1), Token::Sign("]")) {
                self.advance();
                self.advance();
                prefixes.push(Prefix::Always);
            } else if self.is("<") && matches!(self.ahead(1), Token::Sign(">")) {
                self.advance();
                self.advance();
                prefixes.push(Prefix::Eventually);
            } else if self.take_word("forall") {
                prefixes.push(Prefix::Forall(self.indices()?));
            } else if self.take_word("exists") {
                prefixes.push(Prefix::Exists(self.indices()?));
            } else if matches!(self.peek(), Token::Upper(name) if &**name == "X")
                && !matches!(self.ahead(1), Token::Sign("."))
            {
                self.advance();
                prefixes.push(Prefix::Next);
            } else if self.take("!") {
                prefixes.push(Prefix::Not);
            } else {
                break;
            }
        }
        let operand = self.formula_atom()?;
        Ok(match prefixes.is_empty() {
            true => operand,
            false => Formula::Prefixed(prefixes, Box::new(operand)),
        })
    }

    fn formula_atom(&mut self) -> Parsed<Formula> {
        if self.take_word("rigid") {
            return Ok(Formula::Rigid(self.expr()?));
        }
        if self.take("(") {
            let inner = self.formula()?;
            self.expect(")")?;
            return Ok(inner);
        }
        if let Token::Upper(_) = self.peek() {
            let before = self.at;
            let name = self.upper("the name of a fluent or of a formula")?;
            let indices = self.indices()?;
            if !self.is(".") || matches!(self.ahead(1), Token::Upper(_)) {
                return Ok(Formula::Named(name, indices));
            }
            // A set of labels in front of others.
            self.at = before;
        }
        Ok(Formula::Actions(self.labels()?))
    }
}
