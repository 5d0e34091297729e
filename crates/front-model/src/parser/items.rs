//! Declarations at the top level: constants, types, variables, properties.

use parallax_base::Diagnostic;

use super::{Parsed, Parser};
use crate::ast::*;
use crate::suggest::closest;
use crate::token::TokenKind;

/// The words that can begin a declaration at the top level.
const ITEM_WORDS: [&str; 13] = [
    "model",
    "const",
    "enum",
    "type",
    "var",
    "init",
    "action",
    "process",
    "invariant",
    "unreachable",
    "reachable",
    "deadlock_free",
    "location",
];

impl<'s> Parser<'s> {
    /// The whole file.
    pub(super) fn model(&mut self) -> Model<'s> {
        let mut model = Model::default();
        while !self.at(TokenKind::End) {
            let start = self.current.lo;
            if self.item(&mut model).is_err() {
                self.recover();
                if self.at(TokenKind::RBrace) {
                    self.bump();
                } else if self.current.lo == start {
                    // A word that stops recovery but is no declaration here.
                    self.bump();
                }
            }
        }
        model
    }

    fn item(&mut self, model: &mut Model<'s>) -> Parsed<()> {
        self.count_item()?;
        let items = &mut model.items;
        match self.kind() {
            TokenKind::Const => {
                self.bump();
                for def in self.list(Self::const_def)? {
                    items.push(Item::Const(def));
                }
                self.semicolon()
            }
            TokenKind::Var => {
                for group in self.var_decl()? {
                    items.push(Item::Var(group));
                }
                Ok(())
            }
            TokenKind::Process => {
                let process = self.process()?;
                items.push(Item::Process(process));
                Ok(())
            }
            TokenKind::Name => match self.current.text(self.text) {
                "model" => self.model_name(model),
                "enum" => {
                    let def = self.enum_def()?;
                    items.push(Item::Enum(def));
                    Ok(())
                }
                "type" => {
                    self.bump();
                    let name = self.name("the name of the type")?;
                    self.expect(TokenKind::Equals)?;
                    let ty = self.type_expr()?;
                    items.push(Item::Type(TypeDef { name, ty }));
                    self.semicolon()
                }
                "init" => {
                    self.bump();
                    let predicate = self.expr()?;
                    items.push(Item::Init(predicate));
                    self.semicolon()
                }
                "action" => {
                    self.bump();
                    for name in self.list(|p| p.name("the name of an action"))? {
                        items.push(Item::Action(name));
                    }
                    self.semicolon()
                }
                "invariant" | "unreachable" | "reachable" | "deadlock_free" => {
                    let property = self.property()?;
                    items.push(Item::Property(property));
                    self.semicolon()
                }
                word => Err(self.no_item(word)),
            },
            TokenKind::Semicolon => {
                let error = Diagnostic::error("M0004", self.span(), "a `;` that ends nothing")
                    .help("remove it");
                self.report(error);
                self.bump();
                Ok(())
            }
            TokenKind::RBrace => {
                let error = Diagnostic::error("M0004", self.span(), "a `}` that closes nothing");
                Err(self.fail(error))
            }
            TokenKind::Location | TokenKind::Final => {
                let text = format!("{} outside a process", self.kind().text());
                let error = Diagnostic::error("M0004", self.span(), text)
                    .help("locations are declared inside `process NAME { ... }`");
                self.bump();
                Err(self.fail(error))
            }
            _ => Err(self.unexpected("a declaration")),
        }
    }

    fn no_item(&mut self, word: &str) -> super::Reported {
        let text = format!("expected a declaration, found {}", self.found());
        let error = Diagnostic::error("M0004", self.span(), text);
        let error = match closest(word, ITEM_WORDS) {
            Some(near) => error.help(format!("did you mean `{near}`?")),
            None => error.help(
                "a declaration begins with `const`, `enum`, `type`, `var`, `init`, `action`, \
                 `process`, `invariant`, `unreachable`, `reachable` or `deadlock_free`",
            ),
        };
        self.fail(error)
    }

    fn model_name(&mut self, model: &mut Model<'s>) -> Parsed<()> {
        let start = self.span();
        self.bump();
        let name = self.name("the name of the model")?;
        if model.name.is_some() || !model.items.is_empty() {
            let error = Diagnostic::error("M0004", start, "`model` must be the first declaration");
            self.report(error);
        }
        model.name.get_or_insert(name);
        self.semicolon()
    }

    pub(super) fn const_def(&mut self) -> Parsed<ConstDef<'s>> {
        let name = self.name("the name of a constant")?;
        self.expect(TokenKind::Equals)?;
        Ok(ConstDef { name, value: self.expr()? })
    }

    fn enum_def(&mut self) -> Parsed<EnumDef<'s>> {
        self.bump();
        let name = self.name("the name of the enumeration")?;
        self.expect(TokenKind::LBrace)?;
        let mut values = Vec::new();
        while !self.at(TokenKind::RBrace) {
            self.count_item()?;
            values.push(self.name("a value of the enumeration")?);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        if values.is_empty() {
            let error = Diagnostic::error("M0004", name.span, "an enumeration without values");
            return Err(self.fail(error));
        }
        self.expect(TokenKind::RBrace)?;
        self.eat(TokenKind::Semicolon);
        Ok(EnumDef { name, values })
    }

    /// `var a, b: type = value, c: type;` with the word `var` still to come.
    pub(super) fn var_decl(&mut self) -> Parsed<Vec<VarGroup<'s>>> {
        self.expect(TokenKind::Var)?;
        let groups = self.list(|p| {
            let names = p.list(|p| {
                p.count_item()?;
                p.name("the name of a variable")
            })?;
            p.expect(TokenKind::Colon)?;
            let ty = p.type_expr()?;
            let init = match p.eat(TokenKind::Equals) {
                true => Some(p.initializer()?),
                false if p.at(TokenKind::Assign) => return Err(p.unexpected("`=`")),
                false => None,
            };
            Ok(VarGroup { names, ty, init })
        })?;
        self.semicolon()?;
        Ok(groups)
    }

    fn initializer(&mut self) -> Parsed<Initializer<'s>> {
        if !self.at(TokenKind::LBrace) {
            return Ok(Initializer::Value(self.expr()?));
        }
        let start = self.span();
        let cells = self.nested(|p| {
            p.bump();
            let mut cells = Vec::new();
            while !p.at(TokenKind::RBrace) {
                cells.push(p.initializer()?);
                if !p.eat(TokenKind::Comma) {
                    break;
                }
            }
            p.expect(TokenKind::RBrace)?;
            Ok(cells)
        })?;
        Ok(Initializer::List(cells, self.span_from(start)))
    }

    fn type_expr(&mut self) -> Parsed<TypeExpr<'s>> {
        let start = self.span();
        let mut sizes = Vec::new();
        while self.eat(TokenKind::LBracket) {
            sizes.push(self.expr()?);
            self.expect(TokenKind::RBracket)?;
        }
        let element = self.scalar_type()?;
        Ok(match sizes.is_empty() {
            true => element,
            false => TypeExpr {
                kind: TypeKind::Array(sizes, Box::new(element)),
                span: self.span_from(start),
            },
        })
    }

    fn scalar_type(&mut self) -> Parsed<TypeExpr<'s>> {
        let span = self.span();
        let kind = match self.kind() {
            TokenKind::IntType => {
                self.bump();
                TypeKind::Int
            }
            TokenKind::BoolType => {
                self.bump();
                TypeKind::Bool
            }
            TokenKind::Name
            | TokenKind::Int
            | TokenKind::Minus
            | TokenKind::Not
            | TokenKind::LParen => match self.domain()? {
                Domain::Range(range) => TypeKind::Range(Box::new(range)),
                Domain::Named(name) => TypeKind::Named(name),
            },
            _ => return Err(self.unexpected("a type")),
        };
        Ok(TypeExpr { kind, span: self.span_from(span) })
    }

    fn property(&mut self) -> Parsed<Property<'s>> {
        let start = self.span();
        let word = self.bump().text(self.text);
        if word == "deadlock_free" {
            let name = match self.at(TokenKind::Semicolon) {
                true => None,
                false => Some(self.name("the name of the property")?),
            };
            let span = self.span_from(start);
            return Ok(Property { kind: PropertyKind::DeadlockFree, name, span });
        }
        let named = self.at(TokenKind::Name) && self.following.kind == TokenKind::Colon;
        let name = match named {
            true => {
                let name = self.name("the name of the property")?;
                self.bump();
                Some(name)
            }
            false => None,
        };
        let body = self.expr()?;
        let kind = match word {
            "invariant" => PropertyKind::Invariant(body),
            "unreachable" => PropertyKind::Unreachable(body),
            _ => PropertyKind::Reachable(body),
        };
        Ok(Property { kind, name, span: self.span_from(start) })
    }
}
