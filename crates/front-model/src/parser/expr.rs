//! Expressions, ranges and paths, by precedence climbing.

use parallax_base::Diagnostic;

use super::{Parsed, Parser};
use crate::ast::*;
use crate::token::TokenKind;

/// Precedence levels, from loose to tight.
const IFF: u8 = 0;
const IMPLIES: u8 = 1;
const OR: u8 = 2;
const AND: u8 = 3;
const COMPARE: u8 = 4;
const SUM: u8 = 5;
const PRODUCT: u8 = 6;

/// An infix operator.
enum Infix {
    Compare(CompareOp),
    Chain(BinaryOp),
}

fn infix(kind: TokenKind) -> Option<(u8, Infix)> {
    use Infix::{Chain, Compare};
    Some(match kind {
        TokenKind::Iff => (IFF, Chain(BinaryOp::Iff)),
        TokenKind::Implies => (IMPLIES, Chain(BinaryOp::Implies)),
        TokenKind::Or => (OR, Chain(BinaryOp::Or)),
        TokenKind::And => (AND, Chain(BinaryOp::And)),
        TokenKind::Eq => (COMPARE, Compare(CompareOp::Eq)),
        TokenKind::Ne => (COMPARE, Compare(CompareOp::Ne)),
        TokenKind::Lt => (COMPARE, Compare(CompareOp::Lt)),
        TokenKind::Le => (COMPARE, Compare(CompareOp::Le)),
        TokenKind::Gt => (COMPARE, Compare(CompareOp::Gt)),
        TokenKind::Ge => (COMPARE, Compare(CompareOp::Ge)),
        TokenKind::Plus => (SUM, Chain(BinaryOp::Add)),
        TokenKind::Minus => (SUM, Chain(BinaryOp::Sub)),
        TokenKind::Star => (PRODUCT, Chain(BinaryOp::Mul)),
        TokenKind::Slash => (PRODUCT, Chain(BinaryOp::Div)),
        TokenKind::Percent => (PRODUCT, Chain(BinaryOp::Mod)),
        _ => return None,
    })
}

impl<'s> Parser<'s> {
    /// Any expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr<'s>> {
        self.climb(IFF)
    }

    /// An expression of operators that bind at least as tight as `level`.
    fn climb(&mut self, level: u8) -> Parsed<Expr<'s>> {
        let mut left = self.unary()?;
        while let Some((found, op)) = infix(self.kind()) {
            if found < level {
                break;
            }
            let start = left.span;
            let kind = match op {
                Infix::Compare(op) => self.comparison(op, left)?,
                Infix::Chain(_) => self.chain(found, left)?,
            };
            left = Expr { kind, span: self.span_from(start) };
        }
        Ok(left)
    }

    fn comparison(&mut self, op: CompareOp, left: Expr<'s>) -> Parsed<ExprKind<'s>> {
        let start = left.span;
        self.bump();
        let right = self.climb(SUM)?;
        if let Some((COMPARE, _)) = infix(self.kind()) {
            let error = Diagnostic::error("M0007", self.span(), "comparisons cannot be chained")
                .label("a second comparison")
                .also(start.to(right.span), "this is already one")
                .help("write `a < b && b < c`, or put one comparison in parentheses");
            return Err(self.fail(error));
        }
        Ok(ExprKind::Compare(op, Box::new((left, right))))
    }

    /// All operators of one precedence and their right operands.
    fn chain(&mut self, level: u8, first: Expr<'s>) -> Parsed<ExprKind<'s>> {
        let mut rest = Vec::new();
        while let Some((found, Infix::Chain(op))) = infix(self.kind()) {
            if found != level {
                break;
            }
            self.bump();
            rest.push((op, self.climb(level + 1)?));
        }
        Ok(ExprKind::Chain(Box::new(Chain { first, rest })))
    }

    fn unary(&mut self) -> Parsed<Expr<'s>> {
        let op = match self.kind() {
            TokenKind::Minus => UnaryOp::Neg,
            TokenKind::Not => UnaryOp::Not,
            _ => return self.primary(),
        };
        let start = self.span();
        self.bump();
        let operand = self.nested(Self::unary)?;
        let kind = ExprKind::Unary(op, Box::new(operand));
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn primary(&mut self) -> Parsed<Expr<'s>> {
        let start = self.span();
        let kind = match self.kind() {
            TokenKind::Int => ExprKind::Int(self.bump().text(self.text)),
            TokenKind::True | TokenKind::False => {
                ExprKind::Bool(self.bump().kind == TokenKind::True)
            }
            TokenKind::LParen => {
                self.bump();
                let inner = self.nested(Self::expr)?;
                self.expect(TokenKind::RParen)?;
                // The span takes the parentheses in; the tree does not keep them.
                return Ok(Expr { span: self.span_from(start), ..inner });
            }
            TokenKind::If => self.nested(Self::if_expr)?,
            TokenKind::Forall => self.nested(|p| p.fold(FoldKind::Forall))?,
            TokenKind::Exists => self.nested(|p| p.fold(FoldKind::Exists))?,
            TokenKind::Name => {
                let word = self.current.text(self.text);
                match (word, self.following.kind) {
                    ("sum", TokenKind::Name) => self.nested(|p| p.fold(FoldKind::Sum))?,
                    ("count", TokenKind::Name) => self.nested(|p| p.fold(FoldKind::Count))?,
                    (_, TokenKind::LParen) => self.call(word)?,
                    _ => return self.path_expr(),
                }
            }
            _ => return Err(self.unexpected("an expression")),
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    fn if_expr(&mut self) -> Parsed<ExprKind<'s>> {
        let mut branches = Vec::new();
        while self.eat(TokenKind::If) {
            let condition = self.expr()?;
            self.expect(TokenKind::Then)?;
            let value = self.expr()?;
            if !self.at(TokenKind::Else) {
                let text = format!("expected `else`, found {}", self.found());
                let error = Diagnostic::error("M0004", self.span(), text)
                    .help("an `if` that yields a value needs an `else`");
                return Err(self.fail(error));
            }
            self.bump();
            branches.push((condition, value));
        }
        let otherwise = self.expr()?;
        Ok(ExprKind::If(Box::new(IfExpr { branches, otherwise })))
    }

    fn fold(&mut self, kind: FoldKind) -> Parsed<ExprKind<'s>> {
        self.bump();
        let binders = self.binders()?;
        self.expect(TokenKind::Colon)?;
        let body = self.expr()?;
        Ok(ExprKind::Fold(Box::new(Fold { kind, binders, body })))
    }

    fn call(&mut self, word: &str) -> Parsed<ExprKind<'s>> {
        let Some(function) = Function::named(word) else {
            let error =
                Diagnostic::error("M0004", self.span(), format!("unknown function `{word}`")).help(
                    "the functions are `min`, `max` and `abs`; array cells are written `a[i]`",
                );
            return Err(self.fail(error));
        };
        self.bump();
        self.bump();
        let arguments = self.nested(|p| p.list(Self::expr))?;
        self.expect(TokenKind::RParen)?;
        Ok(ExprKind::Call(function, arguments))
    }

    /// A name with indices, a field, or a location after `@`.
    fn path_expr(&mut self) -> Parsed<Expr<'s>> {
        let start = self.span();
        let mut path = self.path("an expression")?;
        let kind = if self.at(TokenKind::At) {
            self.bump();
            if path.field.is_some() {
                return Err(self.unexpected("an operator"));
            }
            let (process, indices) = (path.name, std::mem::take(&mut path.indices));
            ExprKind::At(Box::new(At { process, indices, location: self.name("a location")? }))
        } else if path.indices.is_empty() && path.field.is_none() {
            ExprKind::Name(path.name.text)
        } else {
            ExprKind::Path(Box::new(path))
        };
        Ok(Expr { kind, span: self.span_from(start) })
    }

    /// `name[i][j].field[k]`
    pub(super) fn path(&mut self, what: &str) -> Parsed<Path<'s>> {
        let name = self.name(what)?;
        let indices = self.indices()?;
        let mut field = None;
        if self.eat(TokenKind::Dot) {
            let name = self.name("a name after `.`")?;
            field = Some((name, self.indices()?));
        }
        Ok(Path { name, indices, field, span: self.span_from(name.span) })
    }

    /// `[i][j]`, also written `[i, j]`.
    fn indices(&mut self) -> Parsed<Vec<Expr<'s>>> {
        let mut indices = Vec::new();
        while self.eat(TokenKind::LBracket) {
            indices.extend(self.nested(|p| p.list(Self::expr))?);
            self.expect(TokenKind::RBracket)?;
        }
        Ok(indices)
    }

    /// `NAME in values`
    pub(super) fn binder(&mut self) -> Parsed<Binder<'s>> {
        let name = self.name("the name of an index")?;
        self.expect(TokenKind::In)?;
        Ok(Binder { name, domain: self.domain()? })
    }

    /// A range, or the name of a type.
    pub(super) fn domain(&mut self) -> Parsed<Domain<'s>> {
        let low = self.climb(SUM)?;
        match (&low.kind, self.kind()) {
            (_, TokenKind::Until | TokenKind::Through) => Ok(Domain::Range(self.range_from(low)?)),
            (ExprKind::Name(text), _) => Ok(Domain::Named(Name { text, span: low.span })),
            _ => Err(self.unexpected("`..` or `..=`")),
        }
    }

    /// `low..high`
    pub(super) fn range(&mut self) -> Parsed<Range<'s>> {
        let low = self.climb(SUM)?;
        self.range_from(low)
    }

    fn range_from(&mut self, low: Expr<'s>) -> Parsed<Range<'s>> {
        let inclusive = match self.kind() {
            TokenKind::Until => false,
            TokenKind::Through => true,
            _ => return Err(self.unexpected("`..` or `..=`")),
        };
        self.bump();
        let high = self.climb(SUM)?;
        let span = self.span_from(low.span);
        Ok(Range { low, high, inclusive, span })
    }
}
