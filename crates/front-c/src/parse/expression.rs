//! Expressions with operators. Binary operators by precedence climbing.

use super::{Parse, Parser};
use crate::ast::{BinaryOp, Expr, ExprKind, UnaryOp};
use crate::lex::Kind;
use parallax_base::Id;

/// A binary operator and how tightly it binds.
fn binary_operator(kind: Kind) -> Option<(BinaryOp, u8)> {
    use BinaryOp::*;
    Some(match kind {
        Kind::Star => (Mul, 10),
        Kind::Slash => (Div, 10),
        Kind::Percent => (Rem, 10),
        Kind::Plus => (Add, 9),
        Kind::Minus => (Sub, 9),
        Kind::Shl => (Shl, 8),
        Kind::Shr => (Shr, 8),
        Kind::Less => (Lt, 7),
        Kind::LessEq => (Le, 7),
        Kind::Greater => (Gt, 7),
        Kind::GreaterEq => (Ge, 7),
        Kind::EqEq => (Eq, 6),
        Kind::BangEq => (Ne, 6),
        Kind::Amp => (BitAnd, 5),
        Kind::Caret => (BitXor, 4),
        Kind::Pipe => (BitOr, 3),
        Kind::AmpAmp => (LogAnd, 2),
        Kind::PipePipe => (LogOr, 1),
        _ => return None,
    })
}

/// The operator of a compound assignment.
fn assignment_operator(kind: Kind) -> Option<BinaryOp> {
    use BinaryOp::*;
    Some(match kind {
        Kind::StarEq => Mul,
        Kind::SlashEq => Div,
        Kind::PercentEq => Rem,
        Kind::PlusEq => Add,
        Kind::MinusEq => Sub,
        Kind::ShlEq => Shl,
        Kind::ShrEq => Shr,
        Kind::AmpEq => BitAnd,
        Kind::CaretEq => BitXor,
        Kind::PipeEq => BitOr,
        _ => return None,
    })
}

impl Parser<'_> {
    /// An expression with commas.
    pub(super) fn expression(&mut self) -> Parse<Id<Expr>> {
        let start = self.at;
        let mut left = self.assignment()?;
        while self.eat(Kind::Comma) {
            let right = self.assignment()?;
            self.link()?;
            left = self.expr(start, ExprKind::Comma(left, right));
        }
        Ok(left)
    }

    /// An expression without commas.
    pub(super) fn assignment(&mut self) -> Parse<Id<Expr>> {
        self.nested(|p| {
            let start = p.at;
            let target = p.conditional_here()?;
            if p.eat(Kind::Eq) {
                let value = p.assignment()?;
                return Ok(p.expr(start, ExprKind::Assign(target, value)));
            }
            let Some(op) = assignment_operator(p.kind()) else { return Ok(target) };
            p.bump();
            let value = p.assignment()?;
            Ok(p.expr(start, ExprKind::AssignOp(op, target, value)))
        })
    }

    /// An expression without assignments and commas.
    pub(super) fn conditional(&mut self) -> Parse<Id<Expr>> {
        self.nested(Self::conditional_here)
    }

    /// `a ? b : c ? d : e`, by a loop.
    fn conditional_here(&mut self) -> Parse<Id<Expr>> {
        let mut arms = Vec::new();
        let mut rest = loop {
            let start = self.at;
            let value = self.binary(1)?;
            if !self.eat(Kind::Question) {
                break value;
            }
            let middle = if self.kind() == Kind::Colon { None } else { Some(self.expression()?) };
            self.expect(Kind::Colon, " of the `?` before")?;
            arms.push((start, value, middle));
        };
        for (start, condition, middle) in arms.into_iter().rev() {
            self.link()?;
            rest = self.expr(start, ExprKind::Conditional(condition, middle, rest));
        }
        Ok(rest)
    }

    /// Operators that bind at least as tightly as `min`.
    fn binary(&mut self, min: u8) -> Parse<Id<Expr>> {
        let start = self.at;
        let mut left = self.cast()?;
        while let Some((op, tightness)) = binary_operator(self.kind())
            && tightness >= min
        {
            self.bump();
            let height = std::mem::take(&mut self.height);
            let right = self.binary(tightness + 1)?;
            self.height = self.height.max(height);
            self.link()?;
            left = self.expr(start, ExprKind::Binary(op, left, right));
        }
        Ok(left)
    }

    /// `(type) a`, or an expression that begins with a unary operator.
    fn cast(&mut self) -> Parse<Id<Expr>> {
        if self.kind() != Kind::LParen || !self.type_follows(1) {
            return self.unary();
        }
        let start = self.at;
        let ty = self.parenthesized_type()?;
        if self.kind() == Kind::LBrace {
            let items = self.initializer_list()?;
            let literal = self.expr(start, ExprKind::CompoundLiteral(Box::new(ty), items));
            return self.postfix(start, literal);
        }
        let value = self.nested(Self::cast)?;
        Ok(self.expr(start, ExprKind::Cast(Box::new(ty), value)))
    }

    /// Whether a type name begins `by` tokens ahead.
    fn type_follows(&self, by: usize) -> bool {
        let mut at = self.at + by;
        while self.tokens.get(at).is_some_and(|token| token.kind == Kind::Extension) {
            at += 1;
        }
        self.begins_type(at)
    }

    fn unary(&mut self) -> Parse<Id<Expr>> {
        let op = match self.kind() {
            Kind::Plus => UnaryOp::Plus,
            Kind::Minus => UnaryOp::Minus,
            Kind::Tilde => UnaryOp::BitNot,
            Kind::Bang => UnaryOp::Not,
            Kind::Star => UnaryOp::Deref,
            Kind::Amp => UnaryOp::AddressOf,
            Kind::PlusPlus => UnaryOp::PreIncrement,
            Kind::MinusMinus => UnaryOp::PreDecrement,
            Kind::Real => UnaryOp::Real,
            Kind::Imag => UnaryOp::Imag,
            Kind::AmpAmp => {
                let start = self.at;
                self.bump();
                let label = self.expect_name("a label")?;
                return Ok(self.expr(start, ExprKind::LabelAddress(label)));
            }
            Kind::Extension => {
                self.bump();
                return self.nested(Self::cast);
            }
            Kind::Sizeof => return self.size(ExprKind::SizeofExpr, ExprKind::SizeofType),
            Kind::Alignof => return self.size(ExprKind::AlignofExpr, ExprKind::AlignofType),
            _ => {
                let start = self.at;
                let value = self.primary()?;
                return self.postfix(start, value);
            }
        };
        let start = self.at;
        self.bump();
        let value = self.nested(Self::cast)?;
        Ok(self.expr(start, ExprKind::Unary(op, value)))
    }

    /// `sizeof` and `_Alignof`, of a type or of an expression.
    fn size(
        &mut self,
        of_expr: fn(Id<Expr>) -> ExprKind,
        of_type: fn(Box<crate::ast::TypeName>) -> ExprKind,
    ) -> Parse<Id<Expr>> {
        let start = self.at;
        self.bump();
        if self.kind() != Kind::LParen || !self.type_follows(1) {
            let value = self.nested(Self::unary)?;
            return Ok(self.expr(start, of_expr(value)));
        }
        let open = self.at;
        let ty = self.parenthesized_type()?;
        if self.kind() == Kind::LBrace {
            // The operand is a compound literal.
            let items = self.initializer_list()?;
            let literal = self.expr(open, ExprKind::CompoundLiteral(Box::new(ty), items));
            let value = self.postfix(open, literal)?;
            return Ok(self.expr(start, of_expr(value)));
        }
        Ok(self.expr(start, of_type(Box::new(ty))))
    }
}
