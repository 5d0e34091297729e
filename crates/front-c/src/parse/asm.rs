//! Inline assembly.

use super::{Parse, Parser};
use crate::ast::{Asm, Expr};
use crate::lex::Kind;
use parallax_base::Id;
use std::sync::Arc;

impl Parser<'_> {
    /// What follows the keyword `asm`, up to and including the parenthesis.
    pub(super) fn asm_statement(&mut self) -> Parse<Asm> {
        while matches!(self.kind(), Kind::Volatile | Kind::Goto | Kind::Inline | Kind::Const) {
            self.bump();
        }
        self.expect(Kind::LParen, " after `asm`")?;
        let mut asm = Asm {
            template: self.string_text()?,
            outputs: Vec::new(),
            inputs: Vec::new(),
            clobbers: Vec::new(),
            labels: Vec::new(),
        };
        if self.eat(Kind::Colon) {
            asm.outputs = self.asm_operands()?;
        }
        if self.eat(Kind::Colon) {
            asm.inputs = self.asm_operands()?;
        }
        if self.eat(Kind::Colon) {
            while self.kind() == Kind::Str {
                asm.clobbers.push(self.string_text()?);
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
        }
        if self.eat(Kind::Colon) {
            while self.kind() == Kind::Name {
                asm.labels.push(self.take_name().1);
                if !self.eat(Kind::Comma) {
                    break;
                }
            }
        }
        self.expect(Kind::RParen, " after the assembly")?;
        Ok(asm)
    }

    /// `[name] "constraint" (expression), ...`
    fn asm_operands(&mut self) -> Parse<Vec<(Arc<str>, Id<Expr>)>> {
        let mut operands = Vec::new();
        while matches!(self.kind(), Kind::Str | Kind::LBracket) {
            if self.eat(Kind::LBracket) {
                self.bump();
                self.expect(Kind::RBracket, " after the name of the operand")?;
            }
            let constraint = self.string_text()?;
            self.expect(Kind::LParen, " after the constraint")?;
            let value = self.expression()?;
            self.expect(Kind::RParen, " after the operand")?;
            operands.push((constraint, value));
            if !self.eat(Kind::Comma) {
                break;
            }
        }
        Ok(operands)
    }
}
