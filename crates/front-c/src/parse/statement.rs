//! Statements and blocks.

use super::declaration::Declared;
use super::{Parse, Parser, Reported};
use crate::ast::{Expr, Name, Stmt, StmtKind};
use crate::lex::Kind;
use parallax_base::Id;

/// A label in front of a statement.
enum Prefix {
    Case(Id<Expr>, Option<Id<Expr>>),
    Default,
    Label(Name),
}

impl Parser<'_> {
    /// `{ ... }`
    pub(super) fn block(&mut self) -> Parse<Id<Stmt>> {
        self.nested(|p| {
            let start = p.at;
            p.expect(Kind::LBrace, "")?;
            p.scopes.open();
            let labels = p.local_labels()?;
            let mut items = Vec::new();
            while !matches!(p.kind(), Kind::RBrace | Kind::Eof) {
                let item = p.recovering(|p| p.block_item(&mut items));
                items.push(item);
            }
            if p.kind() == Kind::Eof {
                let open = p.spans[start];
                let message = "the file ends inside a block";
                let error = parallax_base::Diagnostic::error("C0026", p.here(), message);
                return Err(p.report(error.also(open, "the block begins here")));
            }
            p.bump();
            p.scopes.close();
            Ok(p.stmt(start, StmtKind::Block { labels, items }))
        })
    }

    /// `__label__ a, b;`
    fn local_labels(&mut self) -> Parse<Vec<Name>> {
        let mut labels = Vec::new();
        while self.eat(Kind::Label) {
            loop {
                labels.push(self.expect_name("a label")?);
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
            self.expect(Kind::Semi, " after the labels")?;
        }
        Ok(labels)
    }

    /// Runs a rule for a statement; if it fails, skips the statement.
    fn recovering(&mut self, rule: impl FnOnce(&mut Self) -> Parse<Id<Stmt>>) -> Id<Stmt> {
        let (start, mark) = (self.at, self.mark());
        match rule(self) {
            Ok(stmt) => stmt,
            Err(Reported) => {
                self.restore(&mark);
                self.skip(false);
                if self.at == start && self.kind() != Kind::RBrace {
                    self.bump();
                }
                self.stmt(start, StmtKind::Error)
            }
        }
    }

    /// A declaration or a statement. Labels before others go into `items`.
    fn block_item(&mut self, items: &mut Vec<Id<Stmt>>) -> Parse<Id<Stmt>> {
        if self.is_declaration() {
            return self.nested(Self::declaration_statement);
        }
        self.nested(|p| p.labelled_statement(Some(items)))
    }

    fn is_declaration(&mut self) -> bool {
        match self.kind() {
            Kind::Name => {
                let label = self.ahead(1) == Kind::Colon;
                if !label && self.ahead(1) == Kind::Name && !self.is_typedef(self.token()) {
                    self.unknown_type();
                }
                !label && self.is_typedef(self.token())
            }
            Kind::StaticAssert => true,
            Kind::Attribute | Kind::LBracket => {
                let after = self.after_attributes();
                after > self.at && self.begins_type(after) && !self.is_label(after)
            }
            _ => self.begins_declaration(),
        }
    }

    fn is_label(&self, at: usize) -> bool {
        let kind = |i: usize| self.tokens.get(i).map_or(Kind::Eof, |token| token.kind);
        kind(at) == Kind::Name && kind(at + 1) == Kind::Colon
    }

    fn declaration_statement(&mut self) -> Parse<Id<Stmt>> {
        let start = self.at;
        if self.kind() == Kind::StaticAssert {
            let assert = self.static_assert()?;
            return Ok(self.stmt(start, StmtKind::StaticAssert(assert)));
        }
        let kind = match self.declaration()? {
            Declared::Declaration(declaration) => StmtKind::Declaration(declaration),
            Declared::Function(function) => StmtKind::NestedFunction(Box::new(function)),
        };
        Ok(self.stmt(start, kind))
    }

    /// A statement that is not directly in a block.
    fn statement(&mut self) -> Parse<Id<Stmt>> {
        self.nested(|p| p.labelled_statement(None))
    }

    /// A statement with the labels before it.
    ///
    /// In a block, whose earlier items are given, a label that another label
    /// follows is an item of its own, before an empty statement: `case 1: case
    /// 2: f();` is `case 1: ; case 2: f();`. So a hundred thousand labels are no
    /// nesting. Also, a declaration may follow a label there, as in C23.
    fn labelled_statement(&mut self, mut items: Option<&mut Vec<Id<Stmt>>>) -> Parse<Id<Stmt>> {
        let mut prefixes: Vec<(usize, Prefix)> = Vec::new();
        while let Some((start, prefix)) = self.prefix()? {
            match &mut items {
                Some(items) if self.at_label() => {
                    let empty = self.stmt(start, StmtKind::Empty);
                    items.push(self.prefixed(start, prefix, empty));
                }
                _ => prefixes.push((start, prefix)),
            }
        }
        let start = self.at;
        let ends = self.kind() == Kind::RBrace || items.is_some() && self.is_declaration();
        let mut stmt = if !prefixes.is_empty() && ends {
            self.stmt(start, StmtKind::Empty)
        } else {
            self.plain_statement()?
        };
        for (start, prefix) in prefixes.into_iter().rev() {
            self.link()?;
            stmt = self.prefixed(start, prefix, stmt);
        }
        Ok(stmt)
    }

    fn prefixed(&mut self, start: usize, prefix: Prefix, stmt: Id<Stmt>) -> Id<Stmt> {
        let kind = match prefix {
            Prefix::Case(low, high) => StmtKind::Case(low, high, stmt),
            Prefix::Default => StmtKind::Default(stmt),
            Prefix::Label(name) => StmtKind::Label(name, stmt),
        };
        self.stmt(start, kind)
    }

    fn at_label(&self) -> bool {
        matches!(self.kind(), Kind::Case | Kind::Default) || self.is_label(self.at)
    }

    /// A label, if there is one, with the index of its first token.
    fn prefix(&mut self) -> Parse<Option<(usize, Prefix)>> {
        let start = self.at;
        let prefix = match self.kind() {
            Kind::Case => self.case()?,
            Kind::Default => {
                self.bump();
                self.expect(Kind::Colon, " after `default`")?;
                Prefix::Default
            }
            Kind::Name if self.ahead(1) == Kind::Colon => {
                let (_, name) = self.take_name();
                self.bump();
                Prefix::Label(name)
            }
            _ => return Ok(None),
        };
        // Attributes of the label; those of a declaration stay.
        if matches!(self.kind(), Kind::Attribute | Kind::LBracket) {
            let after = self.after_attributes();
            if !self.begins_type(after) || self.is_label(after) {
                self.attributes(&mut Vec::new())?;
            }
        }
        Ok(Some((start, prefix)))
    }

    fn case(&mut self) -> Parse<Prefix> {
        self.bump();
        let low = self.conditional()?;
        let high = if self.eat(Kind::Ellipsis) { Some(self.conditional()?) } else { None };
        self.expect(Kind::Colon, " after `case`")?;
        Ok(Prefix::Case(low, high))
    }

    fn plain_statement(&mut self) -> Parse<Id<Stmt>> {
        let start = self.at;
        let kind = match self.kind() {
            Kind::LBrace => return self.block(),
            Kind::Semi => {
                self.bump();
                StmtKind::Empty
            }
            Kind::If => return self.if_statement(),
            Kind::While => {
                self.bump();
                let condition = self.condition("while")?;
                StmtKind::While(condition, self.statement()?)
            }
            Kind::Do => {
                self.bump();
                let body = self.statement()?;
                self.expect(Kind::While, " after the body of `do`")?;
                let condition = self.condition("while")?;
                self.semicolon("`do ... while`")?;
                StmtKind::DoWhile(body, condition)
            }
            Kind::For => return self.for_statement(),
            Kind::Switch => {
                self.bump();
                let value = self.condition("switch")?;
                StmtKind::Switch(value, self.statement()?)
            }
            Kind::Goto => {
                self.bump();
                let kind = if self.eat(Kind::Star) {
                    StmtKind::GotoComputed(self.expression()?)
                } else {
                    StmtKind::Goto(self.expect_name("a label")?)
                };
                self.semicolon("`goto`")?;
                kind
            }
            Kind::Break | Kind::Continue => {
                let is_break = self.kind() == Kind::Break;
                self.bump();
                self.semicolon(if is_break { "`break`" } else { "`continue`" })?;
                if is_break { StmtKind::Break } else { StmtKind::Continue }
            }
            Kind::Return => {
                self.bump();
                let value = if self.kind() == Kind::Semi { None } else { Some(self.expression()?) };
                self.semicolon("`return`")?;
                StmtKind::Return(value)
            }
            Kind::Asm => {
                self.bump();
                let asm = self.asm_statement()?;
                self.semicolon("`asm`")?;
                StmtKind::Asm(Box::new(asm))
            }
            Kind::Attribute => {
                self.attributes(&mut Vec::new())?;
                return self.statement();
            }
            Kind::LBracket if self.ahead(1) == Kind::LBracket => {
                self.attributes(&mut Vec::new())?;
                return self.statement();
            }
            Kind::Else => {
                let message = "`else` without an `if` before it";
                return Err(self.error("C0026", self.here(), message));
            }
            _ if self.is_declaration() => {
                let error = parallax_base::Diagnostic::error(
                    "C0028",
                    self.here(),
                    "a declaration cannot stand here",
                );
                return Err(self.report(error.help("put it into a block: `{ ... }`")));
            }
            _ => {
                let value = self.expression()?;
                self.semicolon("the expression")?;
                StmtKind::Expr(value)
            }
        };
        Ok(self.stmt(start, kind))
    }

    /// `( expression )`
    fn condition(&mut self, after: &str) -> Parse<Id<Expr>> {
        self.expect(Kind::LParen, &format!(" after `{after}`"))?;
        let condition = self.expression()?;
        self.expect(Kind::RParen, " after the condition")?;
        Ok(condition)
    }

    /// `if`, and all `else if`s that follow, by a loop.
    fn if_statement(&mut self) -> Parse<Id<Stmt>> {
        let mut arms = Vec::new();
        let mut last = None;
        loop {
            let start = self.at;
            self.bump();
            let condition = self.condition("if")?;
            arms.push((start, condition, self.statement()?));
            if !self.eat(Kind::Else) {
                break;
            }
            if self.kind() != Kind::If {
                last = Some(self.statement()?);
                break;
            }
        }
        let mut rest = last;
        for (start, condition, then) in arms.into_iter().rev() {
            self.link()?;
            rest = Some(self.stmt(start, StmtKind::If(condition, then, rest)));
        }
        rest.ok_or(Reported)
    }

    fn for_statement(&mut self) -> Parse<Id<Stmt>> {
        let start = self.at;
        self.bump();
        self.expect(Kind::LParen, " after `for`")?;
        self.scopes.open();
        let init = if self.eat(Kind::Semi) {
            None
        } else if self.is_declaration() {
            Some(self.declaration_statement()?)
        } else {
            let start = self.at;
            let value = self.expression()?;
            self.expect(Kind::Semi, " after the first part of `for`")?;
            Some(self.stmt(start, StmtKind::Expr(value)))
        };
        let condition = if self.kind() == Kind::Semi { None } else { Some(self.expression()?) };
        self.expect(Kind::Semi, " after the condition of `for`")?;
        let step = if self.kind() == Kind::RParen { None } else { Some(self.expression()?) };
        self.expect(Kind::RParen, " after the parts of `for`")?;
        let body = self.statement()?;
        self.scopes.close();
        Ok(self.stmt(start, StmtKind::For { init, condition, step, body }))
    }
}
