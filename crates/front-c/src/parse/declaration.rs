//! Declarations and function definitions.

use super::declarator::Naming;
use super::{Parse, Parser};
use crate::ast::{
    DeclSpecifiers, Declaration, Declarator, Derivation, FunctionDefinition, InitDeclarator, Item,
    Parameters, StaticAssert, StorageClass,
};
use crate::lex::Kind;
use std::sync::Arc;

/// A declaration, or the definition of a function.
pub(super) enum Declared {
    Declaration(Declaration),
    Function(FunctionDefinition),
}

impl Parser<'_> {
    /// Something at file level.
    pub(super) fn external_declaration(&mut self) -> Parse<Item> {
        let start = self.at;
        match self.kind() {
            Kind::Asm => {
                self.bump();
                self.asm_statement()?;
                self.semicolon("`asm`")?;
                Ok(Item::Asm(self.since(start)))
            }
            Kind::StaticAssert => Ok(Item::StaticAssert(self.static_assert()?)),
            _ => match self.declaration()? {
                Declared::Declaration(declaration) => Ok(Item::Declaration(declaration)),
                Declared::Function(function) => Ok(Item::Function(function)),
            },
        }
    }

    /// `_Static_assert(condition, "text");`
    pub(super) fn static_assert(&mut self) -> Parse<StaticAssert> {
        let start = self.at;
        self.bump();
        self.expect(Kind::LParen, " after `_Static_assert`")?;
        let condition = self.conditional()?;
        let message = if self.eat(Kind::Comma) { Some(self.string_text()?) } else { None };
        self.expect(Kind::RParen, "")?;
        self.semicolon("`_Static_assert`")?;
        Ok(StaticAssert { condition, message, span: self.since(start) })
    }

    /// A declaration, or a definition if a body follows.
    pub(super) fn declaration(&mut self) -> Parse<Declared> {
        let start = self.at;
        let specifiers = self.specifiers()?;
        let is_typedef = specifiers.storage == Some(StorageClass::Typedef);
        let mut declarators = Vec::new();
        if self.eat(Kind::Semi) {
            let span = self.since(start);
            return Ok(Declared::Declaration(Declaration { specifiers, declarators, span }));
        }
        if self.at == start && !matches!(self.kind(), Kind::Name | Kind::Star | Kind::LParen) {
            return Err(self.expected("a declaration"));
        }
        loop {
            let mut declarator = self.declarator(Naming::Always)?;
            if declarators.is_empty() && self.begins_body(&declarator) {
                let function = self.function(start, specifiers, declarator)?;
                return Ok(Declared::Function(function));
            }
            let mut asm_name = None;
            while matches!(self.kind(), Kind::Asm | Kind::Attribute) {
                if self.eat(Kind::Asm) {
                    asm_name = Some(self.asm_name()?);
                } else {
                    self.attributes(&mut declarator.attributes)?;
                }
            }
            // After attributes a body may still follow.
            if declarators.is_empty() && self.begins_body(&declarator) {
                let function = self.function(start, specifiers, declarator)?;
                return Ok(Declared::Function(function));
            }
            self.declare_name(&declarator, is_typedef);
            let init = if self.eat(Kind::Eq) { Some(self.initializer()?) } else { None };
            declarators.push(InitDeclarator { declarator, init, asm_name });
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.semicolon("the declaration")?;
        Ok(Declared::Declaration(Declaration { specifiers, declarators, span: self.since(start) }))
    }

    fn asm_name(&mut self) -> Parse<Arc<str>> {
        self.expect(Kind::LParen, " after `asm`")?;
        let name = self.string_text()?;
        self.expect(Kind::RParen, " after the name")?;
        Ok(name)
    }

    /// Whether the declarator just read begins a function definition.
    fn begins_body(&self, declarator: &Declarator) -> bool {
        let Some(Derivation::Function(parameters)) = declarator.derivations.first() else {
            return false;
        };
        match self.kind() {
            Kind::LBrace => true,
            Kind::Attribute => false,
            // K&R: declarations of the parameters.
            _ => {
                matches!(parameters, Parameters::Names(names) if !names.is_empty())
                    && self.begins_declaration()
            }
        }
    }

    fn function(
        &mut self,
        start: usize,
        mut specifiers: DeclSpecifiers,
        declarator: Declarator,
    ) -> Parse<FunctionDefinition> {
        self.declare_name(&declarator, false);
        specifiers.noreturn |= declarator.attributes.iter().any(|a| &*a.name == "noreturn");
        self.scopes.open();
        self.declare_parameters(&declarator);
        let mut old_style = Vec::new();
        while self.kind() != Kind::LBrace {
            match self.declaration()? {
                Declared::Declaration(declaration) => old_style.push(declaration),
                Declared::Function(function) => {
                    return Err(self.error(
                        "C0027",
                        function.declarator.span,
                        "a function is defined among the parameters of another",
                    ));
                }
            }
            if self.kind() != Kind::LBrace && !self.begins_declaration() {
                return Err(self.expected("the body of the function"));
            }
        }
        let body = self.block()?;
        self.scopes.close();
        Ok(FunctionDefinition { specifiers, declarator, old_style, body, span: self.since(start) })
    }
}
