//! Structures, unions and enumerations.

use super::declarator::Naming;
use super::scope::Meaning;
use super::{Parse, Parser, Reported};
use crate::ast::{
    Attribute, ExprKind, IntLiteral, MemberDeclaration, MemberDeclarator, Name, Specifier,
};
use crate::lex::Kind;

impl Parser<'_> {
    /// `struct` or `union`, at the keyword.
    pub(super) fn record(&mut self) -> Parse<Specifier> {
        let start = self.at;
        let is_union = self.kind() == Kind::Union;
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let name = (self.kind() == Kind::Name).then(|| self.take_name().1);
        self.attributes(&mut attributes)?;
        let mut members = None;
        if self.kind() == Kind::LBrace {
            self.pack(&mut attributes);
            self.bump();
            members = Some(self.members()?);
            self.attributes(&mut attributes)?;
        } else if name.is_none() {
            return Err(self.expected("a tag or `{`"));
        }
        Ok(Specifier::Record { is_union, name, members, attributes, span: self.since(start) })
    }

    /// Writes `#pragma pack` as an attribute: `packed` for 1, else `pack(n)`.
    fn pack(&mut self, attributes: &mut Vec<Attribute>) {
        let before = self.packs.partition_point(|(at, _)| *at <= self.at);
        let Some(&(_, Some(limit))) = before.checked_sub(1).and_then(|i| self.packs.get(i)) else {
            return;
        };
        let (start, span) = (self.at, self.here());
        let (name, arguments) = if limit == 1 {
            ("packed", Vec::new())
        } else {
            let value = IntLiteral {
                value: limit.into(),
                decimal: true,
                unsigned: false,
                longs: 0,
                imaginary: false,
            };
            ("pack", vec![self.expr(start, ExprKind::Int(value))])
        };
        attributes.push(Attribute { name: name.into(), arguments, span });
    }

    /// The members and the closing brace.
    fn members(&mut self) -> Parse<Vec<MemberDeclaration>> {
        let mut members = Vec::new();
        loop {
            match self.kind() {
                Kind::RBrace => {
                    self.bump();
                    return Ok(members);
                }
                Kind::Semi => self.bump(),
                Kind::Eof => return Err(self.expected("`}` after the members")),
                Kind::StaticAssert => {
                    let assert = self.static_assert()?;
                    members.push(MemberDeclaration::StaticAssert(assert));
                }
                _ => {
                    let (start, mark) = (self.at, self.mark());
                    match self.member() {
                        Ok(member) => members.push(member),
                        Err(Reported) => {
                            self.restore(&mark);
                            self.skip(false);
                            if self.at == start {
                                self.bump();
                            }
                        }
                    }
                }
            }
        }
    }

    fn member(&mut self) -> Parse<MemberDeclaration> {
        // `name;` has no type; C wants one here.
        if self.kind() == Kind::Name
            && !self.is_typedef(self.token())
            && !matches!(self.ahead(1), Kind::Name | Kind::Star)
        {
            self.unknown_type();
        }
        let start = self.at;
        let specifiers = self.specifiers()?;
        if self.at == start {
            return Err(self.expected("a member or `}`"));
        }
        let mut declarators = Vec::new();
        while !matches!(self.kind(), Kind::Semi | Kind::RBrace) {
            let mut attributes = Vec::new();
            self.attributes(&mut attributes)?;
            let declarator = match self.kind() {
                Kind::Colon => None,
                _ => Some(self.declarator(Naming::Always)?),
            };
            let width = if self.eat(Kind::Colon) { Some(self.conditional()?) } else { None };
            self.attributes(&mut attributes)?;
            declarators.push(MemberDeclarator { declarator, width, attributes });
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        // GNU C lets the last `;` be absent.
        if self.kind() != Kind::RBrace {
            self.expect(Kind::Semi, " after the member")?;
        }
        Ok(MemberDeclaration::Members { specifiers, declarators })
    }

    /// `enum`, at the keyword.
    pub(super) fn enumeration(&mut self) -> Parse<Specifier> {
        let start = self.at;
        self.bump();
        let mut attributes = Vec::new();
        self.attributes(&mut attributes)?;
        let name = (self.kind() == Kind::Name).then(|| self.take_name().1);
        self.attributes(&mut attributes)?;
        let mut constants = None;
        if self.eat(Kind::LBrace) {
            constants = Some(self.constants()?);
            self.attributes(&mut attributes)?;
        } else if name.is_none() {
            return Err(self.expected("a tag or `{`"));
        }
        Ok(Specifier::Enum { name, constants, attributes, span: self.since(start) })
    }

    fn constants(&mut self) -> Parse<Vec<(Name, Option<parallax_base::Id<crate::ast::Expr>>)>> {
        let mut constants = Vec::new();
        while !self.eat(Kind::RBrace) {
            if self.kind() != Kind::Name {
                return Err(self.expected("an enumeration constant or `}`"));
            }
            let (symbol, name) = self.take_name();
            self.attributes(&mut Vec::new())?;
            let value = if self.eat(Kind::Eq) { Some(self.conditional()?) } else { None };
            // In scope after its own definition.
            self.scopes.declare(symbol, Meaning::Ordinary);
            constants.push((name, value));
            if !self.eat(Kind::Comma) {
                self.expect(Kind::RBrace, " after the constants")?;
                break;
            }
        }
        Ok(constants)
    }
}
