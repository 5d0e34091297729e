//! Expressions: types are checked and terms are built in one walk.
//!
//! `&&`, `||`, `=>` and `if` evaluate from left to right: what stands behind a
//! condition need only be well defined where the condition lets it be reached.
//! Recursion is bounded by the nesting of the text.

use parallax_base::{Diagnostic, Span};
use parallax_term::{Int, Rat, Term};

use super::context::{Cx, Elab, Ty, Typed};
use super::values::Fault;
use crate::ast::{BinaryOp, Chain, CompareOp, Expr, ExprKind, Function, IfExpr, UnaryOp};

/// The longest integer literal.
const MAX_DIGITS: usize = 1_000_000;

impl<'m> Cx<'m> {
    /// The term and type of an expression.
    pub(super) fn expr(&mut self, e: &'m Expr<'m>) -> Elab<Typed> {
        self.charge(1, e.span)?;
        let typed = match &e.kind {
            ExprKind::Int(text) => self.literal(text, e.span)?,
            ExprKind::Bool(value) => Typed { term: self.store.bool(*value), ty: Ty::Bool },
            ExprKind::Name(name) => return self.name_expr(name, e.span),
            ExprKind::Path(path) => return self.path_expr(path),
            ExprKind::At(at) => return self.at_expr(at, e.span),
            ExprKind::Unary(op, a) => self.unary(*op, a)?,
            ExprKind::Compare(op, ab) => self.compare(*op, &ab.0, &ab.1)?,
            ExprKind::Chain(chain) => self.chain(chain)?,
            ExprKind::If(choice) => self.if_expr(choice)?,
            ExprKind::Fold(fold) => self.fold(fold, e.span)?,
            ExprKind::Call(function, arguments) => self.call(*function, arguments, e.span)?,
        };
        self.built(typed.term, e.span)?;
        Ok(typed)
    }

    /// The term of an expression that must have the given type.
    pub(super) fn expr_of(&mut self, e: &'m Expr<'m>, ty: Ty) -> Elab<Term> {
        let typed = self.expr(e)?;
        self.expect(typed, ty, e)
    }

    /// Checks a type that the context asks for.
    pub(super) fn expect(&mut self, typed: Typed, ty: Ty, e: &Expr<'m>) -> Elab<Term> {
        if typed.ty == ty {
            return Ok(typed.term);
        }
        if (typed.ty, ty) == (Ty::Int, Ty::Real) {
            return Ok(self.store.to_real(typed.term));
        }
        let (want, have) = (self.type_name(ty), self.type_name(typed.ty));
        let error =
            Diagnostic::error("M0201", e.span, format!("expected `{want}`, found `{have}`"))
                .label(format!("this is `{have}`"));
        Err(self.fail(match (ty, typed.ty) {
            (Ty::Bool, Ty::Int) => error.help("compare it with a number, as in `x != 0`"),
            (Ty::Int, Ty::Bool) => error.help("turn it into a number with `if ... then 1 else 0`"),
            _ => error,
        }))
    }

    fn literal(&mut self, text: &str, span: Span) -> Elab<Typed> {
        let digits: String = text.chars().filter(|&c| c != '_').collect();
        if digits.len() > MAX_DIGITS {
            let text = format!("a number of more than {MAX_DIGITS} digits");
            return Err(self.fail(Diagnostic::error("M0003", span, text)));
        }
        let (whole, after) = digits.split_once('.').unwrap_or((&digits, ""));
        let scale = format!("1{}", "0".repeat(after.len())).parse::<Int>();
        let (Ok(value), Ok(scale)) = (format!("{whole}{after}").parse::<Int>(), scale) else {
            return Err(self.fail(Diagnostic::error("M0003", span, "malformed number")));
        };
        if after.is_empty() {
            return Ok(Typed { term: self.store.int(value), ty: Ty::Int });
        }
        let value = Rat::new(value, scale).unwrap_or(Rat::ZERO);
        Ok(Typed { term: self.store.real(value), ty: Ty::Real })
    }

    /// An expression that must be a number.
    fn number(&mut self, e: &'m Expr<'m>) -> Elab<Typed> {
        let typed = self.expr(e)?;
        match typed.ty {
            Ty::Int | Ty::Real => Ok(typed),
            _ => self.expect(typed, Ty::Int, e).map(|term| Typed { term, ty: Ty::Int }),
        }
    }

    /// Numbers of one type: integers, unless one is real.
    fn alike(&mut self, numbers: Vec<Typed>) -> (Vec<Term>, Ty) {
        let ty = match numbers.iter().any(|n| n.ty == Ty::Real) {
            true => Ty::Real,
            false => Ty::Int,
        };
        let mut terms = Vec::with_capacity(numbers.len());
        for number in numbers {
            terms.push(match (number.ty, ty) {
                (Ty::Int, Ty::Real) => self.store.to_real(number.term),
                _ => number.term,
            });
        }
        (terms, ty)
    }

    fn unary(&mut self, op: UnaryOp, a: &'m Expr<'m>) -> Elab<Typed> {
        match op {
            UnaryOp::Neg => {
                let Typed { term, ty } = self.number(a)?;
                Ok(Typed { term: self.store.neg(term), ty })
            }
            UnaryOp::Not => {
                let term = self.expr_of(a, Ty::Bool)?;
                Ok(Typed { term: self.store.not(term), ty: Ty::Bool })
            }
        }
    }

    fn compare(&mut self, op: CompareOp, a: &'m Expr<'m>, b: &'m Expr<'m>) -> Elab<Typed> {
        let (left, right) = (self.expr(a), self.expr(b));
        let (mut left, mut right) = (left?, right?);
        let is_number = |typed: &Typed| matches!(typed.ty, Ty::Int | Ty::Real);
        if is_number(&left) && is_number(&right) {
            let (terms, ty) = self.alike(vec![left, right]);
            (left, right) = (Typed { term: terms[0], ty }, Typed { term: terms[1], ty });
        }
        let equality = matches!(op, CompareOp::Eq | CompareOp::Ne);
        if equality && left.ty != right.ty {
            let (l, r) = (self.type_name(left.ty), self.type_name(right.ty));
            let text = format!("`{l}` cannot be compared with `{r}`");
            let error = Diagnostic::error("M0201", b.span, text)
                .label(format!("this is `{r}`"))
                .also(a.span, format!("this is `{l}`"));
            return Err(self.fail(error));
        }
        if !equality {
            let fits = (self.ordered(op, left, a), self.ordered(op, right, b));
            fits.0.and(fits.1)?;
        }
        let (l, r) = (left.term, right.term);
        let term = match op {
            CompareOp::Eq => self.store.eq(l, r),
            CompareOp::Ne => {
                let equal = self.store.eq(l, r);
                self.store.not(equal)
            }
            CompareOp::Lt => self.store.lt(l, r),
            CompareOp::Le => self.store.le(l, r),
            CompareOp::Gt => self.store.gt(l, r),
            CompareOp::Ge => self.store.ge(l, r),
        };
        Ok(Typed { term, ty: Ty::Bool })
    }

    /// Only numbers have an order.
    fn ordered(&mut self, op: CompareOp, typed: Typed, e: &'m Expr<'m>) -> Elab<()> {
        if matches!(typed.ty, Ty::Int | Ty::Real) {
            return Ok(());
        }
        let have = self.type_name(typed.ty);
        let text = format!("`{}` compares integers, not `{have}`", op.text());
        let error = Diagnostic::error("M0201", e.span, text).label(format!("this is `{have}`"));
        let negated = matches!(e.kind, ExprKind::Unary(UnaryOp::Not, _));
        Err(self.fail(match (typed.ty, negated) {
            (_, true) => error.help("`!` binds tighter than a comparison: write `!(a < b)`"),
            (Ty::Enum(_), _) => error.help("enumerations have no order; use `==` and `!=`"),
            _ => error,
        }))
    }

    fn chain(&mut self, chain: &'m Chain<'m>) -> Elab<Typed> {
        let op = chain.rest[0].0;
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => self.lazy_chain(op, chain),
            BinaryOp::Iff => {
                let terms = self.operands(chain, Ty::Bool)?;
                let mut result = terms[0];
                for &term in &terms[1..] {
                    result = self.store.iff(result, term);
                }
                Ok(Typed { term: result, ty: Ty::Bool })
            }
            BinaryOp::Add | BinaryOp::Sub => {
                let numbers = self.numbers(chain)?;
                let (mut terms, ty) = self.alike(numbers);
                for (i, (op, _)) in chain.rest.iter().enumerate() {
                    if *op == BinaryOp::Sub {
                        terms[i + 1] = self.store.neg(terms[i + 1]);
                    }
                }
                Ok(Typed { term: self.sum(terms), ty })
            }
            BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod => self.product(chain),
        }
    }

    /// All operands as numbers, evaluated even if one of them is wrong.
    fn numbers(&mut self, chain: &'m Chain<'m>) -> Elab<Vec<Typed>> {
        let all = std::iter::once(&chain.first).chain(chain.rest.iter().map(|(_, e)| e));
        let numbers: Vec<Elab<Typed>> = all.map(|e| self.number(e)).collect();
        numbers.into_iter().collect()
    }

    /// All operands, evaluated even if one of them is wrong.
    fn operands(&mut self, chain: &'m Chain<'m>, ty: Ty) -> Elab<Vec<Term>> {
        let first = self.expr_of(&chain.first, ty);
        let mut terms = Vec::with_capacity(chain.rest.len() + 1);
        let mut result = first.map(|term| terms.push(term));
        for (_, e) in &chain.rest {
            match self.expr_of(e, ty) {
                Ok(term) => terms.push(term),
                Err(reported) => result = Err(reported),
            }
        }
        result.map(|()| terms)
    }

    /// The sum of many terms, added pairwise so that its cost stays near linear.
    pub(super) fn sum(&mut self, mut terms: Vec<Term>) -> Term {
        while terms.len() > 1 {
            terms = terms
                .chunks(2)
                .map(|pair| match pair {
                    [a, b] => self.store.add(*a, *b),
                    _ => pair[0],
                })
                .collect();
        }
        terms.first().copied().unwrap_or_else(|| self.store.int(0))
    }

    fn product(&mut self, chain: &'m Chain<'m>) -> Elab<Typed> {
        let numbers = self.numbers(chain)?;
        let mut result = numbers[0];
        for ((op, e), &right) in chain.rest.iter().zip(&numbers[1..]) {
            let (terms, ty) = self.alike(vec![result, right]);
            let (left, right) = (terms[0], terms[1]);
            let term = match (op, ty) {
                (BinaryOp::Mul, _) => self.store.mul(left, right),
                (BinaryOp::Div, Ty::Real) => self.real_quotient(left, right, e.span)?,
                (_, Ty::Real) => {
                    let error = Diagnostic::error("M0201", e.span, "`%` is for integers");
                    return Err(self.fail(error));
                }
                _ => {
                    let zero = self.store.int(0);
                    let undefined = self.store.eq(right, zero);
                    self.defect(undefined, e.span, Fault::Division);
                    match op {
                        BinaryOp::Div => self.store.div(left, right),
                        _ => self.store.modulo(left, right),
                    }
                }
            };
            result = Typed { term: self.built(term, e.span)?, ty };
        }
        Ok(result)
    }

    /// A real divided by a constant.
    fn real_quotient(&mut self, left: Term, right: Term, span: Span) -> Elab<Term> {
        let divisor = self.store.linear(right).as_constant().cloned();
        match divisor.map(|divisor| divisor.inverse()) {
            Some(Some(factor)) => Ok(self.store.scale(&factor, left)),
            Some(None) => Err(self.fail(Diagnostic::error("M0307", span, "division by zero"))),
            None => {
                let error = Diagnostic::error("M0201", span, "a real is divided by constants only")
                    .help("multiply the other side of the comparison instead");
                Err(self.fail(error))
            }
        }
    }

    /// `&&`, `||` and `=>`: an operand counts only if those before it leave the
    /// result open. For `||` that is where they are false, else where they hold.
    fn lazy_chain(&mut self, op: BinaryOp, chain: &'m Chain<'m>) -> Elab<Typed> {
        let mut terms = Vec::with_capacity(chain.rest.len() + 1);
        let mut result = Ok(());
        for e in std::iter::once(&chain.first).chain(chain.rest.iter().map(|(_, e)| e)) {
            let mark = self.defects.len();
            match self.expr_of(e, Ty::Bool) {
                Ok(term) => {
                    if self.defects.len() > mark {
                        let reached = match op {
                            BinaryOp::Or => {
                                let some = self.store.or(terms.iter().copied());
                                self.store.not(some)
                            }
                            _ => self.store.and(terms.iter().copied()),
                        };
                        self.charge(terms.len(), e.span)?;
                        self.only_if(mark, reached);
                    }
                    terms.push(term);
                }
                Err(reported) => result = Err(reported),
            }
        }
        result?;
        let term = match op {
            BinaryOp::And => self.store.and(terms),
            BinaryOp::Or => self.store.or(terms),
            _ => {
                let last = terms.pop();
                let premises: Vec<Term> = terms.into_iter().map(|t| self.store.not(t)).collect();
                self.store.or(premises.into_iter().chain(last))
            }
        };
        Ok(Typed { term, ty: Ty::Bool })
    }

    fn if_expr(&mut self, choice: &'m IfExpr<'m>) -> Elab<Typed> {
        let mut branches: Vec<(Term, Term)> = Vec::with_capacity(choice.branches.len());
        let mut ty = None;
        let mut otherwise_reached = self.store.bool(true);
        let mut result = Ok(());
        for (condition, value) in &choice.branches {
            let mark = self.defects.len();
            let condition = self.expr_of(condition, Ty::Bool);
            self.only_if(mark, otherwise_reached);
            let mark = self.defects.len();
            let value_term = self.branch(value, &mut ty);
            let (Ok(condition), Ok(value_term)) = (condition, value_term) else {
                result = Err(crate::parser::Reported);
                continue;
            };
            let reached = self.store.and([otherwise_reached, condition]);
            self.only_if(mark, reached);
            let not = self.store.not(condition);
            otherwise_reached = self.store.and([otherwise_reached, not]);
            self.built(otherwise_reached, value.span)?;
            branches.push((condition, value_term));
        }
        let mark = self.defects.len();
        let mut term = self.branch(&choice.otherwise, &mut ty)?;
        self.only_if(mark, otherwise_reached);
        result?;
        for (condition, value) in branches.into_iter().rev() {
            term = self.store.ite(condition, value, term);
            self.built(term, choice.otherwise.span)?;
        }
        Ok(Typed { term, ty: ty.map_or(Ty::Int, |(ty, _)| ty) })
    }

    /// A branch of a conditional; all must have the type of the first.
    fn branch(&mut self, e: &'m Expr<'m>, first: &mut Option<(Ty, Span)>) -> Elab<Term> {
        let typed = self.expr(e)?;
        let (ty, span) = *first.get_or_insert((typed.ty, e.span));
        if ty == typed.ty {
            return Ok(typed.term);
        }
        if (typed.ty, ty) == (Ty::Int, Ty::Real) {
            return Ok(self.store.to_real(typed.term));
        }
        let (want, have) = (self.type_name(ty), self.type_name(typed.ty));
        let text = format!("the branches differ: expected `{want}`, found `{have}`");
        let error = Diagnostic::error("M0201", e.span, text)
            .label(format!("this is `{have}`"))
            .also(span, format!("this is `{want}`"));
        Err(self.fail(error))
    }

    fn call(&mut self, function: Function, arguments: &'m [Expr<'m>], span: Span) -> Elab<Typed> {
        let numbers: Vec<Elab<Typed>> = arguments.iter().map(|e| self.number(e)).collect();
        let numbers = numbers.into_iter().collect::<Elab<Vec<Typed>>>()?;
        let (terms, ty) = self.alike(numbers);
        let expected = match function {
            Function::Abs => 1..=1,
            Function::Min | Function::Max => 2..=usize::MAX,
        };
        if !expected.contains(&terms.len()) {
            let wanted =
                if function == Function::Abs { "one argument" } else { "two or more arguments" };
            let text = format!("`{}` takes {wanted}, found {}", function.text(), terms.len());
            return Err(self.fail(Diagnostic::error("M0203", span, text)));
        }
        let mut result = terms[0];
        if function == Function::Abs {
            let negated = self.store.neg(result);
            let negative = self.store.lt(result, negated);
            let term = self.store.ite(negative, negated, result);
            return Ok(Typed { term, ty });
        }
        for &next in &terms[1..] {
            let keep = match function {
                Function::Min => self.store.le(result, next),
                _ => self.store.ge(result, next),
            };
            let picked = self.store.ite(keep, result, next);
            result = self.built(picked, span)?;
        }
        Ok(Typed { term: result, ty })
    }
}
