//! Builtins on integers: bits, bytes and arithmetic that tells of overflow.

use super::{Checked, Checker, Reported, Ty, Value};
use crate::ast;
use crate::typed::{Builtin, ExprKind, Storage, UnaryOp};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{Binary, BitFunction, IntKind};

impl Checker<'_> {
    /// Counting and swapping bits; `None` if the name is none.
    pub(super) fn bit_builtin(
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
            ("ffs", BitFunction::TrailingZeros),
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
            let one = self.integer(1, result, span);
            match bare {
                "parity" | "parityl" | "parityll" | "parityimax" => {
                    let kind = ExprKind::Binary(Binary::BitAnd, value.id, one.id);
                    Ok(self.make(kind, result, span))
                }
                // Zero has as many trailing zeros as bits: (n + 1) mod (n + 1).
                "ffs" | "ffsl" | "ffsll" | "ffsimax" => {
                    let kind = ExprKind::Binary(Binary::Add, value.id, one.id);
                    let next = self.make(kind, result, span);
                    let bits = self.types().size_of(ty).unwrap_or(0) * 8;
                    let cycle = self.integer(i128::from(bits) + 1, result, span);
                    let kind = ExprKind::Binary(Binary::Rem, next.id, cycle.id);
                    Ok(self.make(kind, result, span))
                }
                _ => Ok(value),
            }
        }))
    }

    /// `__builtin_add_overflow` and its kind; `None` if the name is none.
    pub(super) fn overflow_builtin(
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
            self.require_integer(*operand)?;
        }
        let mut result = self.rvalue_expr(result)?;
        if only_tests {
            // The result goes to an object that nobody reads.
            let unnamed = ast::Name { text: "".into(), span };
            let ty = Ty::plain(result.ty.id);
            let storage = if self.body.is_none() { Storage::Static } else { Storage::Local };
            let variable = self.new_variable(&unnamed, ty, storage, None);
            let kind = ExprKind::CompoundLiteral(variable, Box::default());
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

    fn require_integer(&mut self, value: Value) -> Checked<()> {
        if self.is_integer(value.ty.id) {
            return Ok(());
        }
        let span = self.span(value);
        let found = self.display(value.ty);
        let error = Diagnostic::error("C1316", span, "the operand must be an integer");
        self.error(error.label(format!("this has type `{found}`")));
        Err(Reported)
    }
}
