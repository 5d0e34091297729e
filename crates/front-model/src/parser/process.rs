//! Processes, their commands, and atomic blocks.

use parallax_base::Diagnostic;

use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::TokenKind;

impl<'s> Parser<'s> {
    /// `process NAME[i in r] { ... }`
    pub(super) fn process(&mut self) -> Parsed<Process<'s>> {
        self.expect(TokenKind::Process)?;
        let name = self.name("the name of the process")?;
        let binders = self.bracketed_binders()?;
        let open = self.expect(TokenKind::LBrace)?;
        let mut process = Process {
            name,
            binders,
            vars: Vec::new(),
            locations: Vec::new(),
            finals: Vec::new(),
            commands: Vec::new(),
        };
        while !self.at(TokenKind::RBrace) {
            if matches!(self.kind(), TokenKind::End | TokenKind::Process) {
                let text = format!("expected `}}`, found {}", self.found());
                let error = Diagnostic::error("M0004", self.span(), text)
                    .also(self.span_of(open), "the process begins here");
                self.report(error);
                return Ok(process);
            }
            if self.process_item(&mut process).is_err() {
                self.recover();
            }
        }
        self.bump();
        Ok(process)
    }

    /// `[i in 0..n, j in 0..m]`, or nothing.
    fn bracketed_binders(&mut self) -> Parsed<Vec<Binder<'s>>> {
        if !self.eat(TokenKind::LBracket) {
            return Ok(Vec::new());
        }
        let binders = self.binders()?;
        self.expect(TokenKind::RBracket)?;
        Ok(binders)
    }

    fn process_item(&mut self, process: &mut Process<'s>) -> Parsed<()> {
        self.count_item()?;
        match self.kind() {
            TokenKind::Var => {
                let groups = self.var_decl()?;
                process.vars.extend(groups);
                Ok(())
            }
            TokenKind::Location => {
                self.bump();
                let locations = self.list(|p| {
                    p.count_item()?;
                    let is_final = p.eat(TokenKind::Final);
                    Ok(LocationDef { name: p.name("the name of a location")?, is_final })
                })?;
                process.locations.extend(locations);
                self.semicolon()
            }
            TokenKind::Final => {
                self.bump();
                let names = self.list(|p| p.name("the name of a location"))?;
                process.finals.extend(names);
                self.semicolon()
            }
            TokenKind::Name | TokenKind::LBracket | TokenKind::When | TokenKind::Do => {
                let command = self.command()?;
                process.commands.push(command);
                Ok(())
            }
            TokenKind::Semicolon => {
                let error = Diagnostic::error("M0004", self.span(), "a `;` that ends nothing")
                    .help("remove it");
                self.report(error);
                self.bump();
                Ok(())
            }
            TokenKind::Const => {
                let error = Diagnostic::error("M0004", self.span(), "`const` inside a process")
                    .help("declare constants at the top level");
                self.bump();
                Err(self.fail(error))
            }
            TokenKind::Star => {
                let error = Diagnostic::error("M0004", self.span(), "`*` is no location")
                    .help("list the source locations: `a, b -> c`");
                Err(self.fail(error))
            }
            _ => Err(self.unexpected("a command, `var`, `location` or `}`")),
        }
    }

    /// `[label:] [[action]] [sources -> target] [when guard] [do update];`
    fn command(&mut self) -> Parsed<Command<'s>> {
        let start = self.span();
        let (mut label, mut binders) = (None, Vec::new());
        let labelled = matches!(self.following.kind, TokenKind::Colon | TokenKind::LBracket);
        if self.at(TokenKind::Name) && labelled {
            label = Some(self.name("a label")?);
            binders = self.bracketed_binders()?;
            self.expect(TokenKind::Colon)?;
        }
        let mut action = None;
        if self.eat(TokenKind::LBracket) {
            action = Some(self.name("the name of an action")?);
            self.expect(TokenKind::RBracket)?;
        }
        let mut route = None;
        if self.at(TokenKind::Arrow) {
            return Err(self.unexpected("a location before `->`"));
        }
        if self.at(TokenKind::Name) {
            let sources = self.list(|p| p.name("a location"))?;
            self.expect(TokenKind::Arrow)?;
            route = Some(Route { sources, target: self.name("the target location")? });
        }
        let guard = match self.eat(TokenKind::When) {
            true => Some(self.expr()?),
            false => None,
        };
        let mut update = Update::Nothing;
        let mut is_block = false;
        if self.eat(TokenKind::Do) {
            is_block = self.at(TokenKind::LBrace);
            update = match is_block {
                true => Update::Block(self.block()?),
                false => Update::Assigns(self.list(Self::assign)?),
            };
        }
        let span = self.span_from(start);
        let empty = action.is_none() && route.is_none() && guard.is_none();
        if empty && matches!(update, Update::Nothing) {
            return Err(self.unexpected("`->`, `when` or `do`"));
        }
        match is_block {
            true => {
                self.eat(TokenKind::Semicolon);
            }
            false => self.semicolon()?,
        }
        Ok(Command { label, binders, action, route, guard, update, span })
    }

    /// `{ statement ... }`
    fn block(&mut self) -> Parsed<Vec<Stmt<'s>>> {
        self.nested(|p| {
            p.expect(TokenKind::LBrace)?;
            let mut stmts = Vec::new();
            while !p.at(TokenKind::RBrace) {
                match p.kind() {
                    TokenKind::End
                    | TokenKind::Process
                    | TokenKind::Const
                    | TokenKind::Var
                    | TokenKind::Location => return Err(p.unexpected("`}`")),
                    _ => match p.stmt() {
                        Ok(stmt) => stmts.push(stmt),
                        Err(_) => p.recover(),
                    },
                }
            }
            p.bump();
            Ok(stmts)
        })
    }

    fn stmt(&mut self) -> Parsed<Stmt<'s>> {
        if !self.at(TokenKind::If) {
            if !self.at(TokenKind::Name) {
                return Err(self.unexpected("an assignment, `if` or `}`"));
            }
            let assigns = self.list(Self::assign)?;
            self.semicolon()?;
            return Ok(Stmt::Assigns(assigns));
        }
        let mut branches = Vec::new();
        let mut otherwise = Vec::new();
        while self.eat(TokenKind::If) {
            let condition = self.expr()?;
            branches.push((condition, self.block()?));
            if self.eat(TokenKind::Else) && !self.at(TokenKind::If) {
                otherwise = self.block()?;
                break;
            }
            if self.previous.kind != TokenKind::Else {
                break;
            }
        }
        self.eat(TokenKind::Semicolon);
        Ok(Stmt::If { branches, otherwise })
    }

    fn assign(&mut self) -> Parsed<Assign<'s>> {
        let target = self.path("the variable to assign")?;
        self.expect(TokenKind::Assign)?;
        if !self.at(TokenKind::Any) {
            return Ok(Assign { target, value: Value::Expr(self.expr()?) });
        }
        let start = self.span();
        self.bump();
        let ends = matches!(
            self.kind(),
            TokenKind::Comma | TokenKind::Semicolon | TokenKind::RBrace | TokenKind::End
        );
        let range = match ends {
            true => None,
            false => Some(self.range()?),
        };
        Ok(Assign { target, value: Value::Any(range, self.span_from(start)) })
    }
}
