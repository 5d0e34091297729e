//! Builtins with a meaning of their own: folded to constants, turned into
//! operators, or kept as [`Builtin`].

use super::{Checked, Checker, Reported, Ty, Value};
use crate::ast;
use crate::typed::{Builtin, ExprKind, Init, Storage, UnaryOp};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{Binary, BitFunction, FloatFunction, FloatKind, IntKind, Type};
use rustc_apfloat::Float;
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use std::sync::Arc;

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
    /// A call of a builtin; `None` if the name is none.
    pub(super) fn builtin_call(
        &mut self,
        name: &Arc<str>,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Option<Checked<Value>> {
        if name.starts_with("__sync_") || name.starts_with("__atomic_") {
            return self.atomic_call(name, arguments, span);
        }
        let bare = match &**name {
            "alloca" => "alloca",
            other => other.strip_prefix("__builtin_")?,
        };
        if let Some(value) = self.float_builtin(bare, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.bit_builtin(bare, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.overflow_builtin(bare, arguments, span) {
            return Some(value);
        }
        if let Some(value) = self.fortified(bare, arguments, span) {
            return Some(value);
        }
        Some(self.plain_builtin(bare, arguments, span).transpose()?)
    }

    fn plain_builtin(
        &mut self,
        bare: &str,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Checked<Option<Value>> {
        let void = self.basic.void;
        let (int, size, pointer) = (self.basic.int, self.basic.size, self.basic.void_pointer);
        let builtin = |builtin: Builtin| ExprKind::Builtin(builtin, Vec::new());
        Ok(Some(match (bare, arguments) {
            ("expect", [value, _]) | ("expect_with_probability", [value, ..]) => {
                let value = self.rvalue_expr(*value)?;
                let long = self.out.types.int(IntKind::Long);
                self.assign(value, Ty::plain(long), "the argument")?
            }
            ("constant_p", [value]) => {
                let value = self.unevaluated(|checker| checker.rvalue_expr(*value))?;
                let known = self.scalar_constant(value).is_some() || self.is_text(value);
                self.integer(i128::from(known), int, span)
            }
            ("unreachable", []) => self.make(builtin(Builtin::Unreachable), void, span),
            ("trap" | "debugtrap", []) => self.make(builtin(Builtin::Trap), void, span),
            ("alloca" | "alloca_with_align", [bytes, ..]) => {
                let bytes = self.rvalue_expr(*bytes)?;
                let bytes = self.assign(bytes, Ty::plain(size), "the argument")?;
                self.make(ExprKind::Builtin(Builtin::Alloca, vec![bytes.id]), pointer, span)
            }
            ("va_start" | "stdarg_start" | "c23_va_start", [list, ..]) => {
                let list = self.expr(*list)?;
                let list = self.va_list_operand(list)?;
                self.make(ExprKind::Builtin(Builtin::VaStart, vec![list.id]), void, span)
            }
            ("va_end", [list]) => {
                let list = self.expr(*list)?;
                let list = self.va_list_operand(list)?;
                self.make(ExprKind::Builtin(Builtin::VaEnd, vec![list.id]), void, span)
            }
            ("va_copy", [to, from]) => {
                let (to, from) = (self.expr(*to)?, self.expr(*from)?);
                let (to, from) = (self.va_list_operand(to)?, self.va_list_operand(from)?);
                let operands = vec![to.id, from.id];
                self.make(ExprKind::Builtin(Builtin::VaCopy, operands), void, span)
            }
            ("object_size" | "dynamic_object_size", [object, kind]) => {
                self.unevaluated(|checker| checker.rvalue_expr(*object))?;
                let kind = self.constant_expression(*kind, "the kind of size")?;
                self.integer(if kind & 2 == 0 { -1 } else { 0 }, size, span)
            }
            ("frame_address" | "return_address" | "extract_return_addr", [_]) => {
                self.make(builtin(Builtin::Address), pointer, span)
            }
            ("prefetch", [address, ..]) => {
                let address = self.rvalue_expr(*address)?;
                self.convert(address, void)
            }
            ("assume_aligned", [value, ..]) => {
                let value = self.rvalue_expr(*value)?;
                self.assign(value, Ty::plain(pointer), "the argument")?
            }
            ("classify_type", [value]) => {
                let value = self.unevaluated(|checker| checker.rvalue_expr(*value))?;
                let class = match self.ty(value.ty.id) {
                    Type::Void => 0,
                    Type::Int(_) | Type::Enum(_) => 1,
                    Type::Pointer { .. } => 5,
                    Type::Float(_) => 8,
                    Type::Complex(_) => 9,
                    Type::Record(r) if self.types().records[*r].is_union => 13,
                    Type::Record(_) => 12,
                    _ => 14,
                };
                self.integer(class, int, span)
            }
            ("setjmp", _) => self.unsupported("`__builtin_setjmp`", int, span),
            ("longjmp", _) => self.unsupported("`__builtin_longjmp`", void, span),
            ("apply" | "apply_args" | "return" | "va_arg_pack" | "va_arg_pack_len", _) => {
                self.unsupported("a builtin that forwards arguments", int, span)
            }
            ("complex", [real, ..]) => {
                let real = self.rvalue_expr(*real)?;
                let ty = match self.ty(real.ty.id) {
                    Type::Float(kind) => Type::Complex(*kind),
                    _ => Type::Complex(FloatKind::Double),
                };
                let ty = self.out.types.intern(ty);
                self.unsupported("complex numbers", ty, span)
            }
            (
                "expect" | "constant_p" | "unreachable" | "alloca" | "va_end" | "va_copy"
                | "object_size" | "prefetch" | "assume_aligned" | "classify_type",
                _,
            ) => {
                let message = format!("`__builtin_{bare}` has a different number of arguments");
                return Err(self.error(Diagnostic::error("C1315", span, message)));
            }
            _ => return Ok(None),
        }))
    }

    /// Whether a value is the address of a string literal.
    fn is_text(&self, value: Value) -> bool {
        let ExprKind::Decay(inner) = self.out.exprs[value.id].kind else { return false };
        match self.out.exprs[inner].kind {
            ExprKind::Variable(variable) => self.out.variables[variable].is_literal,
            _ => false,
        }
    }

    fn float_builtin(
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

    fn bit_builtin(
        &mut self,
        bare: &str,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Option<Checked<Value>> {
        let [operand] = arguments else { return None };
        let families = [
            ("clz", BitFunction::LeadingZeros),
            ("ctz", BitFunction::TrailingZeros),
            ("popcount", BitFunction::PopCount),
            ("parity", BitFunction::PopCount),
        ];
        let word = if self.model().word() == 8 { IntKind::ULong } else { IntKind::ULongLong };
        let swap = match bare {
            "bswap16" => Some(IntKind::UShort),
            "bswap32" => Some(IntKind::UInt),
            "bswap64" => Some(word),
            "bswap128" => Some(IntKind::UInt128),
            _ => None,
        };
        let (kind, function) = match swap {
            Some(kind) => (kind, BitFunction::ByteSwap),
            None => {
                let (suffix, function) = families
                    .iter()
                    .find_map(|(base, f)| bare.strip_prefix(base).map(|suffix| (suffix, *f)))?;
                let kind = match suffix {
                    "" => IntKind::UInt,
                    "l" => IntKind::ULong,
                    "ll" | "imax" => IntKind::ULongLong,
                    _ => return None,
                };
                (kind, function)
            }
        };
        let ty = self.out.types.int(kind);
        let result = if swap.is_some() { ty } else { self.basic.int };
        let operand = self.rvalue_expr(*operand);
        Some(operand.and_then(|operand| {
            let operand = self.assign(operand, Ty::plain(ty), "the argument")?;
            let kind = ExprKind::Unary(UnaryOp::Bits(function), operand.id);
            let value = self.make(kind, result, span);
            if !bare.starts_with("parity") {
                return Ok(value);
            }
            let one = self.integer(1, result, span);
            Ok(self.make(ExprKind::Binary(Binary::BitAnd, value.id, one.id), result, span))
        }))
    }

    fn overflow_builtin(
        &mut self,
        bare: &str,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Option<Checked<Value>> {
        let (stem, only_tests) = match bare.strip_suffix("_overflow_p") {
            Some(stem) => (stem, true),
            None => (bare.strip_suffix("_overflow")?, false),
        };
        let [left, right, result] = arguments else { return None };
        let (stem, kind) = match stem.len() {
            3 => (stem, None),
            _ => {
                let signed = stem.starts_with('s');
                let rest = &stem[1..];
                let kind = match rest.get(3..)? {
                    "" => IntKind::Int,
                    "l" => IntKind::Long,
                    "ll" => IntKind::LongLong,
                    _ => return None,
                };
                (&rest[..3], Some(if signed { kind } else { kind.to_unsigned() }))
            }
        };
        let builtin = match stem {
            "add" => Builtin::AddOverflow,
            "sub" => Builtin::SubOverflow,
            "mul" => Builtin::MulOverflow,
            _ => return None,
        };
        Some(self.overflow(builtin, [*left, *right, *result], kind, only_tests, span))
    }

    fn overflow(
        &mut self,
        builtin: Builtin,
        [left, right, result]: [Id<ast::Expr>; 3],
        kind: Option<IntKind>,
        only_tests: bool,
        span: Span,
    ) -> Checked<Value> {
        let mut operands = [self.rvalue_expr(left)?, self.rvalue_expr(right)?];
        for operand in &mut operands {
            if let Some(kind) = kind {
                let ty = self.out.types.int(kind);
                *operand = self.assign(*operand, Ty::plain(ty), "the argument")?;
            }
            self.require_constant_type(*operand)?;
        }
        let mut result = self.rvalue_expr(result)?;
        if only_tests {
            // The result goes to an object that nobody reads.
            let unnamed = ast::Name { text: "".into(), span };
            let ty = Ty::plain(result.ty.id);
            let storage = if self.body.is_none() { Storage::Static } else { Storage::Local };
            let variable = self.new_variable(&unnamed, ty, storage, None);
            let kind = ExprKind::CompoundLiteral(variable, Box::new(Init::default()));
            let place = self.make(kind, ty.id, span);
            let pointer = self.out.types.pointer(ty.id);
            result = self.make(ExprKind::AddressOf(place.id), pointer, span);
        }
        let target = self.types().pointee(result.ty.id);
        if !target.is_some_and(|to| self.is_integer(to)) {
            let error =
                Diagnostic::error("C1316", span, "the result needs a pointer to an integer");
            return Err(self.error(error));
        }
        let bool = self.out.types.int(IntKind::Bool);
        let operands = vec![operands[0].id, operands[1].id, result.id];
        Ok(self.make(ExprKind::Builtin(builtin, operands), bool, span))
    }

    fn require_constant_type(&mut self, value: Value) -> Checked<()> {
        if self.is_integer(value.ty.id) {
            return Ok(());
        }
        let span = self.span(value);
        let found = self.display(value.ty);
        let error = Diagnostic::error("C1316", span, "the operand must be an integer");
        self.error(error.label(format!("this has type `{found}`")));
        Err(Reported)
    }

    /// `__builtin___memcpy_chk` and its kind: the plain function, the sizes and
    /// flags dropped.
    fn fortified(
        &mut self,
        bare: &str,
        arguments: &[Id<ast::Expr>],
        span: Span,
    ) -> Option<Checked<Value>> {
        let plain = bare.strip_prefix("__")?.strip_suffix("_chk")?;
        let dropped: &[usize] = match plain {
            "memcpy" | "memmove" | "memset" | "mempcpy" | "strncpy" | "strncat" | "stpncpy" => &[3],
            "strcpy" | "strcat" | "stpcpy" => &[2],
            "sprintf" | "vsprintf" => &[1, 2],
            "snprintf" | "vsnprintf" => &[2, 3],
            "printf" | "vprintf" => &[0],
            "fprintf" | "vfprintf" => &[1],
            _ => return None,
        };
        let kept: Vec<_> = arguments
            .iter()
            .enumerate()
            .filter(|(at, _)| !dropped.contains(at))
            .map(|(_, argument)| *argument)
            .collect();
        let callee = self.builtin_function(&plain.into(), span)?;
        Some(self.call(Ok(callee), &kept, span))
    }
}
