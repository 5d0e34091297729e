//! Builtins on floats: special values, tests, comparisons that are quiet.

use super::{Checked, Checker, Ty, Value};
use crate::ast;
use crate::typed::{ExprKind, UnaryOp};
use parallax_base::{Id, Span};
use parallax_cfa::{Binary, FloatFunction, FloatKind, Type};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};

/// The kind of a float by the suffix of a builtin's name.
fn by_suffix<'n>(name: &'n str, base: &str) -> Option<(FloatKind, &'n str)> {
    let suffix = name.strip_prefix(base)?;
    let kind = match suffix {
        "" => FloatKind::Double,
        "f" | "f32" => FloatKind::Float,
        "l" | "f64x" => FloatKind::LongDouble,
        "q" | "f128" => FloatKind::Float128,
        "f64" | "f32x" => FloatKind::Double,
        _ => return None,
    };
    Some((kind, suffix))
}

fn special(kind: FloatKind, nan: bool) -> u128 {
    fn bits<F: Float>(nan: bool) -> u128 {
        if nan { F::NAN.to_bits() } else { F::INFINITY.to_bits() }
    }
    match kind {
        FloatKind::Float => bits::<Single>(nan),
        FloatKind::Double => bits::<Double>(nan),
        FloatKind::LongDouble => bits::<X87DoubleExtended>(nan),
        FloatKind::Float128 => bits::<Quad>(nan),
    }
}

impl Checker<'_> {
    /// A builtin on floats; `None` if the name is none.
    pub(super) fn float_builtin(
        &mut self,
        bare: &str,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Option<Checked<Value>> {
        use FloatFunction::{Fabs, IsFinite, IsInf, IsNan, IsNormal, SignBit};
        for (base, nan) in [("inf", false), ("huge_val", false), ("nan", true), ("nans", true)] {
            if let Some((kind, _)) = by_suffix(bare, base) {
                let ty = self.out.types.intern(Type::Float(kind));
                return Some(Ok(self.make(ExprKind::Float(special(kind, nan)), ty, span)));
            }
        }
        let int = self.basic.int;
        let tests = [
            ("isnan", IsNan),
            ("isinf", IsInf),
            ("isfinite", IsFinite),
            ("finite", IsFinite),
            ("isnormal", IsNormal),
            ("signbit", SignBit),
        ];
        for (base, test) in tests {
            if let (Some((_, suffix)), [operand]) = (by_suffix(bare, base), arguments) {
                let _ = suffix;
                return Some(self.float_operand(*operand).map(|operand| {
                    self.make(ExprKind::Unary(UnaryOp::Float(test), operand.id), int, span)
                }));
            }
        }
        if let (Some((kind, _)), [operand]) = (by_suffix(bare, "fabs"), arguments) {
            let ty = self.out.types.intern(Type::Float(kind));
            let operand = self.rvalue_expr(*operand);
            return Some(operand.and_then(|operand| {
                let operand = self.assign(operand, Ty::plain(ty), "the argument")?;
                Ok(self.make(ExprKind::Unary(UnaryOp::Float(Fabs), operand.id), ty, span))
            }));
        }
        match (bare, arguments) {
            ("tgmath", _) => Some(self.type_generic(arguments, span)),
            ("isinf_sign", [operand]) => Some(self.infinity_sign(*operand, span)),
            ("isunordered", [left, right]) => Some(self.unordered(*left, *right, span)),
            ("fpclassify", [nan, infinite, normal, subnormal, zero, operand]) => {
                let classes = [*nan, *infinite, *normal, *subnormal, *zero];
                Some(self.classify(classes, *operand, span))
            }
            (_, [left, right]) => {
                let op = match bare {
                    "isgreater" => Binary::Gt,
                    "isgreaterequal" => Binary::Ge,
                    "isless" => Binary::Lt,
                    "islessequal" => Binary::Le,
                    "islessgreater" => {
                        return Some(Ok(self.unsupported("`islessgreater`", int, span)));
                    }
                    _ => return None,
                };
                let (left, right) = (self.float_operand(*left), self.float_operand(*right));
                Some(left.and_then(|left| {
                    let (left, right, _) = self.arithmetic(left, right?);
                    Ok(self.make(ExprKind::Binary(op, left.id, right.id), int, span))
                }))
            }
            _ => None,
        }
    }

    /// An operand of a test on floats: integers count as `double`.
    fn float_operand(&mut self, operand: Id<ast::Expr>) -> Checked<Value> {
        let value = self.rvalue_expr(operand)?;
        match self.ty(value.ty.id) {
            Type::Float(_) => Ok(value),
            _ => {
                let double = self.out.types.intern(Type::Float(FloatKind::Double));
                self.assign(value, Ty::plain(double), "the argument")
            }
        }
    }

    fn infinity_sign(&mut self, operand: Id<ast::Expr>, span: Span) -> Checked<Value> {
        let int = self.basic.int;
        let value = self.float_operand(operand)?;
        let test = |checker: &mut Self, f| {
            checker.make(ExprKind::Unary(UnaryOp::Float(f), value.id), int, span)
        };
        let infinite = test(self, FloatFunction::IsInf);
        let negative = test(self, FloatFunction::SignBit);
        let (minus, one, zero) =
            (self.integer(-1, int, span), self.integer(1, int, span), self.integer(0, int, span));
        let sign = self.make(ExprKind::Conditional(negative.id, minus.id, one.id), int, span);
        Ok(self.make(ExprKind::Conditional(infinite.id, sign.id, zero.id), int, span))
    }

    fn unordered(
        &mut self,
        left: Id<ast::Expr>,
        right: Id<ast::Expr>,
        span: Span,
    ) -> Checked<Value> {
        let int = self.basic.int;
        let (left, right) = (self.float_operand(left)?, self.float_operand(right)?);
        let test = |checker: &mut Self, value: Value| {
            let kind = ExprKind::Unary(UnaryOp::Float(FloatFunction::IsNan), value.id);
            checker.make(kind, int, span)
        };
        let (a, b) = (test(self, left), test(self, right));
        Ok(self.make(ExprKind::Binary(Binary::BitOr, a.id, b.id), int, span))
    }

    /// `fpclassify`: the operand is read several times, so it must be a plain
    /// object or constant.
    fn classify(
        &mut self,
        classes: [Id<ast::Expr>; 5],
        operand: Id<ast::Expr>,
        span: Span,
    ) -> Checked<Value> {
        let int = self.basic.int;
        let value = self.float_operand(operand)?;
        let plain = match &self.out.exprs[value.id].kind {
            ExprKind::Load(place) => {
                matches!(self.out.exprs[*place].kind, ExprKind::Variable(_))
            }
            ExprKind::Float(_) => true,
            _ => false,
        };
        if !plain {
            return Ok(self.unsupported("`fpclassify` of an expression", int, span));
        }
        let mut results = Vec::new();
        for class in classes {
            let class = self.rvalue_expr(class)?;
            results.push(self.assign(class, Ty::plain(int), "the argument")?);
        }
        let zero = self.integer(0, int, span);
        let zero = self.convert(zero, value.ty.id);
        let is_zero = self.make(ExprKind::Binary(Binary::Eq, value.id, zero.id), int, span);
        let mut result = results[3];
        let tests = [
            (is_zero, 4),
            (self.test(FloatFunction::IsNormal, value, span), 2),
            (self.test(FloatFunction::IsInf, value, span), 1),
            (self.test(FloatFunction::IsNan, value, span), 0),
        ];
        for (test, class) in tests {
            let kind = ExprKind::Conditional(test.id, results[class].id, result.id);
            result = self.make(kind, int, span);
        }
        Ok(result)
    }

    fn test(&mut self, function: FloatFunction, value: Value, span: Span) -> Value {
        let kind = ExprKind::Unary(UnaryOp::Float(function), value.id);
        self.make(kind, self.basic.int, span)
    }

    /// `__builtin_tgmath(functions, arguments)`: the function whose type fits
    /// the widest argument; integers count as `double`.
    fn type_generic(&mut self, operands: &[Id<ast::Expr>], span: Span) -> Checked<Value> {
        let mut functions = Vec::new();
        let mut widest = None;
        let mut count = 0;
        for operand in operands {
            let value = self.unevaluated(|checker| checker.expr(*operand))?;
            match self.ty(value.ty.id) {
                Type::Function(function) => {
                    let kind = function.parameters.iter().find_map(|p| match self.ty(*p) {
                        Type::Float(kind) => Some(*kind),
                        _ => None,
                    });
                    functions.push((kind, value));
                }
                Type::Float(kind) => {
                    widest = widest.max(Some(*kind));
                    count += 1;
                }
                Type::Complex(_) => {
                    return Ok(self.unsupported("complex numbers", value.ty.id, span));
                }
                _ => {
                    widest = widest.max(Some(FloatKind::Double));
                    count += 1;
                }
            }
        }
        let arguments = &operands[operands.len().saturating_sub(count)..];
        match functions.into_iter().find(|(kind, _)| *kind == widest) {
            Some((_, function)) => self.call(Ok(function), arguments, span),
            None => Ok(self.unsupported("a type-generic function", self.basic.int, span)),
        }
    }
}
