//! Operands: names, literals, parentheses, and what may follow them.

use super::{Parse, Parser};
use crate::ast::{CharWidth, Designator, Expr, ExprKind, UnaryOp};
use crate::lex::{Kind, literal};
use parallax_base::{Diagnostic, Id};
use std::sync::Arc;

impl Parser<'_> {
    /// Calls, indices, members and postfix operators after `value`, which began
    /// at the token of index `start`.
    pub(super) fn postfix(&mut self, start: usize, mut value: Id<Expr>) -> Parse<Id<Expr>> {
        loop {
            let kind = match self.kind() {
                Kind::LBracket => {
                    self.bump();
                    let index = self.expression()?;
                    self.expect(Kind::RBracket, " after the index")?;
                    ExprKind::Index(value, index)
                }
                Kind::LParen => {
                    self.bump();
                    ExprKind::Call(value, self.arguments()?)
                }
                Kind::Dot => {
                    self.bump();
                    ExprKind::Member(value, self.expect_name("a member")?)
                }
                Kind::Arrow => {
                    self.bump();
                    ExprKind::Arrow(value, self.expect_name("a member")?)
                }
                Kind::PlusPlus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostIncrement, value)
                }
                Kind::MinusMinus => {
                    self.bump();
                    ExprKind::Unary(UnaryOp::PostDecrement, value)
                }
                _ => return Ok(value),
            };
            self.link()?;
            value = self.expr(start, kind);
        }
    }

    /// Arguments and the closing parenthesis.
    fn arguments(&mut self) -> Parse<Vec<Id<Expr>>> {
        let mut arguments = Vec::new();
        if self.eat(Kind::RParen) {
            return Ok(arguments);
        }
        loop {
            arguments.push(self.assignment()?);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::RParen, " after the arguments")?;
        Ok(arguments)
    }

    pub(super) fn primary(&mut self) -> Parse<Id<Expr>> {
        let start = self.at;
        let kind = match self.kind() {
            Kind::Name => {
                let token = self.token();
                if self.is_typedef(token) {
                    return Err(self.type_as_value());
                }
                self.bump();
                ExprKind::Name(self.symbol_text(token.symbol))
            }
            Kind::Number => self.number(),
            Kind::Char => self.character(),
            Kind::Str => self.string(),
            Kind::LParen if self.ahead(1) == Kind::LBrace => {
                self.bump();
                let block = self.block()?;
                self.expect(Kind::RParen, " after the statement expression")?;
                ExprKind::StatementExpr(block)
            }
            Kind::LParen => {
                self.bump();
                let value = self.expression()?;
                self.expect(Kind::RParen, "")?;
                return Ok(value);
            }
            Kind::Generic => self.generic()?,
            Kind::VaArg => {
                self.bump();
                self.expect(Kind::LParen, "")?;
                let list = self.assignment()?;
                self.expect(Kind::Comma, "")?;
                let ty = self.type_name()?;
                self.expect(Kind::RParen, "")?;
                ExprKind::VaArg(list, Box::new(ty))
            }
            Kind::Offsetof => self.offsetof()?,
            Kind::TypesCompatible => {
                self.bump();
                self.expect(Kind::LParen, "")?;
                let first = self.type_name()?;
                self.expect(Kind::Comma, "")?;
                let second = self.type_name()?;
                self.expect(Kind::RParen, "")?;
                ExprKind::TypesCompatible(Box::new(first), Box::new(second))
            }
            Kind::ChooseExpr => {
                self.bump();
                self.expect(Kind::LParen, "")?;
                let condition = self.assignment()?;
                self.expect(Kind::Comma, "")?;
                let first = self.assignment()?;
                self.expect(Kind::Comma, "")?;
                let second = self.assignment()?;
                self.expect(Kind::RParen, "")?;
                ExprKind::ChooseExpr(condition, first, second)
            }
            _ => return Err(self.expected("an expression")),
        };
        Ok(self.expr(start, kind))
    }

    fn type_as_value(&mut self) -> super::Reported {
        let name = self.symbol_text(self.token().symbol);
        let message = format!("expected an expression, found the type `{name}`");
        self.error("C0020", self.here(), message)
    }

    fn number(&mut self) -> ExprKind {
        let parsed = literal::number(self.spelling(self.token()));
        let kind = match parsed {
            Ok(literal::Number::Int(value)) => ExprKind::Int(value),
            Ok(literal::Number::Float { digits, kind, imaginary }) => {
                ExprKind::Float { digits: digits.into(), kind, imaginary }
            }
            Err(message) => self.bad_literal(message),
        };
        self.bump();
        kind
    }

    fn character(&mut self) -> ExprKind {
        let parsed = literal::character(self.spelling(self.token()), self.encoding);
        let kind = match parsed {
            Ok((value, width)) => ExprKind::Char(value, width),
            Err(message) => self.bad_literal(message),
        };
        self.bump();
        kind
    }

    fn bad_literal(&mut self, message: String) -> ExprKind {
        self.error("C0013", self.here(), message);
        ExprKind::Error
    }

    /// Adjacent string literals, joined.
    fn string(&mut self) -> ExprKind {
        let (units, width) = self.string_units();
        ExprKind::Str(units.into(), width)
    }

    fn string_units(&mut self) -> (Vec<u32>, CharWidth) {
        let count = self.tokens[self.at..].iter().take_while(|t| t.kind == Kind::Str).count();
        let mut width = CharWidth::Char;
        for i in 0..count {
            let own = literal::width(self.spelling(self.tokens[self.at + i]));
            if own != CharWidth::Char && width != CharWidth::Char && own != width {
                let span = self.spans[self.at + i];
                let message = "string literals of different widths cannot be joined";
                self.report(Diagnostic::error("C0013", span, message));
            }
            if own != CharWidth::Char {
                width = own;
            }
        }
        let mut units = Vec::new();
        for _ in 0..count {
            let spelling = self.spelling(self.token());
            if let Err(message) = literal::string(spelling, width, self.encoding, &mut units) {
                self.bad_literal(message);
            }
            self.bump();
        }
        (units, width)
    }

    /// A string that is text for people or the assembler.
    pub(super) fn string_text(&mut self) -> Parse<Arc<str>> {
        if self.kind() != Kind::Str {
            return Err(self.expected("a string literal"));
        }
        let (units, _) = self.string_units();
        let bytes: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
        Ok(String::from_utf8_lossy(&bytes).into())
    }

    fn generic(&mut self) -> Parse<ExprKind> {
        self.bump();
        self.expect(Kind::LParen, " after `_Generic`")?;
        let selector = self.assignment()?;
        let mut cases = Vec::new();
        while self.eat(Kind::Comma) {
            let ty = if self.eat(Kind::Default) { None } else { Some(self.type_name()?) };
            self.expect(Kind::Colon, " after the type")?;
            cases.push((ty, self.assignment()?));
        }
        self.expect(Kind::RParen, " after the cases")?;
        Ok(ExprKind::Generic(selector, cases))
    }

    /// `__builtin_offsetof(type, a.b[3])`
    fn offsetof(&mut self) -> Parse<ExprKind> {
        self.bump();
        self.expect(Kind::LParen, "")?;
        let ty = self.type_name()?;
        self.expect(Kind::Comma, "")?;
        let mut path = vec![Designator::Member(self.expect_name("a member")?)];
        loop {
            match self.kind() {
                Kind::Dot | Kind::Arrow => {
                    self.bump();
                    path.push(Designator::Member(self.expect_name("a member")?));
                }
                Kind::LBracket => {
                    self.bump();
                    path.push(Designator::Index(self.expression()?));
                    self.expect(Kind::RBracket, " after the index")?;
                }
                _ => break,
            }
        }
        self.expect(Kind::RParen, "")?;
        Ok(ExprKind::Offsetof(Box::new(ty), path))
    }
}
