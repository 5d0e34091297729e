//! Declarators and parameters.

use super::scope::Meaning;
use super::{Parse, Parser};
use crate::ast::{
    Attribute, Basic, Declarator, Derivation, Name, Parameter, Parameters, StorageClass,
    TypeSpecifier,
};
use crate::lex::{Kind, Symbol};
use parallax_base::Diagnostic;
use parallax_cfa::Qualifiers;

/// Whether a declarator has a name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// As in declarations.
    Always,
    /// As in casts.
    Never,
    /// As in parameters.
    Maybe,
}

/// A declarator under construction.
#[derive(Default)]
struct Parts {
    name: Option<Name>,
    derivations: Vec<Derivation>,
    attributes: Vec<Attribute>,
}

impl Parser<'_> {
    /// A declarator without what may follow it (`asm`, attributes).
    pub(super) fn declarator(&mut self, naming: Naming) -> Parse<Declarator> {
        let start = self.at;
        let mut parts = Parts::default();
        self.nested(|p| p.declarator_into(naming, &mut parts))?;
        let span = if self.at > start { self.since(start) } else { self.here() };
        if parts.derivations.len() > super::DEPTH as usize {
            return Err(self.give_up());
        }
        let Parts { name, derivations, attributes } = parts;
        Ok(Declarator { name, derivations, attributes, span })
    }

    fn declarator_into(&mut self, naming: Naming, parts: &mut Parts) -> Parse<()> {
        let mut pointers = Vec::new();
        self.attributes(&mut parts.attributes)?;
        while self.eat(Kind::Star) {
            let mut qualifiers = Qualifiers::default();
            loop {
                self.attributes(&mut parts.attributes)?;
                if !self.qualifier(&mut qualifiers) {
                    break;
                }
            }
            pointers.push(Derivation::Pointer(qualifiers));
        }
        match self.kind() {
            Kind::Name if naming != Naming::Never => {
                parts.name = Some(self.take_name().1);
                self.attributes(&mut parts.attributes)?;
            }
            Kind::LParen if naming == Naming::Always || self.is_nested_declarator() => {
                self.bump();
                self.nested(|p| p.declarator_into(naming, parts))?;
                self.expect(Kind::RParen, " after the declarator")?;
            }
            _ if naming == Naming::Always => return Err(self.expected("a name")),
            _ => {}
        }
        loop {
            match self.kind() {
                Kind::LBracket if self.ahead(1) == Kind::LBracket => {
                    self.attributes(&mut parts.attributes)?;
                }
                Kind::LBracket => {
                    let array = self.array()?;
                    parts.derivations.push(array);
                }
                Kind::LParen => {
                    let parameters = self.nested(Self::parameters)?;
                    parts.derivations.push(Derivation::Function(parameters));
                }
                _ => break,
            }
        }
        parts.derivations.extend(pointers.into_iter().rev());
        Ok(())
    }

    /// Whether the parenthesis of an abstract declarator encloses a declarator,
    /// not parameters. A typedef name in it is a parameter (C11 6.7.6.3p11).
    fn is_nested_declarator(&self) -> bool {
        let after = self.after_attributes_at(self.at + 1);
        let kind = self.tokens.get(after).map_or(Kind::Eof, |token| token.kind);
        match kind {
            Kind::Star | Kind::LParen | Kind::LBracket => true,
            Kind::Name => !self.begins_type(after),
            _ => false,
        }
    }

    /// `[...]`
    fn array(&mut self) -> Parse<Derivation> {
        self.bump();
        let mut qualifiers = Qualifiers::default();
        while self.eat(Kind::Static) || self.qualifier(&mut qualifiers) {}
        let star = self.kind() == Kind::Star && self.ahead(1) == Kind::RBracket;
        if star {
            self.bump();
        }
        let length = if self.kind() == Kind::RBracket { None } else { Some(self.assignment()?) };
        self.expect(Kind::RBracket, " after the length")?;
        Ok(Derivation::Array { length, star, qualifiers })
    }

    /// `(...)` after a declarator.
    fn parameters(&mut self) -> Parse<Parameters> {
        self.bump();
        if self.eat(Kind::RParen) {
            return Ok(Parameters::Names(Vec::new()));
        }
        if self.kind() == Kind::Name
            && !self.is_typedef(self.token())
            && matches!(self.ahead(1), Kind::Comma | Kind::RParen)
        {
            return self.identifier_list();
        }
        self.scopes.open();
        let parameters = self.prototype();
        self.scopes.close();
        parameters
    }

    /// The names of a K&R definition.
    fn identifier_list(&mut self) -> Parse<Parameters> {
        let mut names = Vec::new();
        loop {
            names.push(self.expect_name("the name of a parameter")?);
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::RParen, " after the parameters")?;
        Ok(Parameters::Names(names))
    }

    fn prototype(&mut self) -> Parse<Parameters> {
        let (mut parameters, mut variadic) = (Vec::new(), false);
        if self.kind() == Kind::Void && self.ahead(1) == Kind::RParen {
            self.bump();
            self.bump();
            return Ok(Parameters::Prototype { parameters, variadic });
        }
        loop {
            if self.eat(Kind::Ellipsis) {
                variadic = true;
                break;
            }
            parameters.push(self.parameter()?);
            // GNU C declares parameters in advance with `;`.
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        self.expect(Kind::RParen, " after the parameters")?;
        Ok(Parameters::Prototype { parameters, variadic })
    }

    fn parameter(&mut self) -> Parse<Parameter> {
        let start = self.at;
        let specifiers = self.specifiers()?;
        if self.at == start {
            if self.kind() == Kind::Name {
                self.unknown_type();
                return self.parameter();
            }
            return Err(self.expected("a parameter"));
        }
        if specifiers.storage.is_some_and(|class| class != StorageClass::Register) {
            self.storage_not_allowed(specifiers.span);
        }
        let mut declarator = self.declarator(Naming::Maybe)?;
        self.attributes(&mut declarator.attributes)?;
        if let Some(name) = &declarator.name {
            let symbol = self.names.find(&name.text);
            self.declare(symbol, Meaning::Ordinary);
        }
        Ok(Parameter { specifiers, declarator })
    }

    fn declare(&mut self, symbol: Option<Symbol>, meaning: Meaning) {
        if let Some(symbol) = symbol {
            self.scopes.declare(symbol, meaning);
        }
    }

    /// Brings the name of a declarator into scope.
    pub(super) fn declare_name(&mut self, declarator: &Declarator, is_typedef: bool) {
        if let Some(name) = &declarator.name {
            let symbol = self.names.find(&name.text);
            let meaning = if is_typedef { Meaning::Typedef } else { Meaning::Ordinary };
            self.declare(symbol, meaning);
        }
    }

    /// Brings the parameters of a function that is being defined into scope.
    pub(super) fn declare_parameters(&mut self, declarator: &Declarator) {
        match declarator.derivations.first() {
            Some(Derivation::Function(Parameters::Prototype { parameters, .. })) => {
                for parameter in parameters {
                    self.declare_name(&parameter.declarator, false);
                    self.missing_name(parameter);
                }
            }
            Some(Derivation::Function(Parameters::Names(names))) => {
                for name in names {
                    let symbol = self.names.find(&name.text);
                    self.declare(symbol, Meaning::Ordinary);
                }
            }
            _ => {}
        }
    }

    /// C11 wants names in definitions; GCC takes them unnamed as C23 does, but
    /// `f(void, int)` is wrong.
    fn missing_name(&mut self, parameter: &Parameter) {
        let is_void = matches!(parameter.specifiers.ty, Some(TypeSpecifier::Basic(Basic::Void)));
        if is_void && parameter.declarator.derivations.is_empty() {
            let span = parameter.specifiers.span;
            self.report(Diagnostic::error("C0025", span, "a parameter cannot have type `void`"));
        }
    }
}
