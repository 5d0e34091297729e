//! Literals: the types of integers, exact floats, strings as static arrays.

use super::{Checked, Checker, Reported, Value};
use crate::ast::{CharWidth, IntLiteral};
use crate::typed::{ExprKind, Storage, Variable};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{ArrayLength, DataModel, FloatKind, IntKind, Type};
use rustc_apfloat::ieee::{Double, Quad, Single, X87DoubleExtended};
use rustc_apfloat::{Float, Round};
use std::sync::Arc;

/// The bits of a float from its digits, rounded to nearest even. `None` if the
/// text is no number.
pub(super) fn float_bits(digits: &str, kind: FloatKind) -> Option<u128> {
    fn parse<F: Float>(digits: &str) -> Option<u128> {
        F::from_str_r(digits, Round::NearestTiesToEven).ok().map(|parsed| parsed.value.to_bits())
    }
    // The library wants a digit on both sides of the point and an exponent
    // that fits a machine word.
    if !digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') {
        return None;
    }
    match kind {
        FloatKind::Float => parse::<Single>(digits),
        FloatKind::Double => parse::<Double>(digits),
        FloatKind::LongDouble => parse::<X87DoubleExtended>(digits),
        FloatKind::Float128 => parse::<Quad>(digits),
    }
}

impl Checker<'_> {
    /// The first type of the standard's list that holds the value.
    pub(super) fn integer_literal(&mut self, literal: IntLiteral, span: Span) -> Value {
        use IntKind::{Int, Int128, Long, LongLong, UInt, UInt128, ULong, ULongLong};
        let pairs =
            [(Int, UInt, 0), (Long, ULong, 1), (LongLong, ULongLong, 2), (Int128, UInt128, 2)];
        let fits = |kind: IntKind| {
            let bits = kind.width(self.model()) - u32::from(kind.is_signed());
            bits >= 128 || literal.value >> bits == 0
        };
        let mut chosen = UInt128;
        'search: for (signed, unsigned, longs) in pairs {
            if longs < literal.longs {
                continue;
            }
            let candidates = match (literal.unsigned, literal.decimal) {
                (true, _) => [None, Some(unsigned)],
                (false, true) => [Some(signed), None],
                (false, false) => [Some(signed), Some(unsigned)],
            };
            for kind in candidates.into_iter().flatten() {
                if fits(kind) {
                    chosen = kind;
                    break 'search;
                }
            }
        }
        // GCC has no literals of 128 bits: a decimal one beyond `long long`
        // becomes unsigned.
        if matches!(chosen, Int128 | UInt128) && literal.value >> 64 == 0 {
            chosen = ULongLong;
        }
        let ty = self.out.types.int(chosen);
        if literal.imaginary {
            return self.unsupported("an imaginary number", ty, span);
        }
        self.integer(literal.value as i128, ty, span)
    }

    /// A float.
    pub(super) fn float_literal(
        &mut self,
        digits: &str,
        kind: FloatKind,
        imaginary: bool,
        span: Span,
    ) -> Checked<Value> {
        if imaginary {
            let ty = self.out.types.intern(Type::Complex(kind));
            return Ok(self.unsupported("an imaginary number", ty, span));
        }
        let ty = self.out.types.intern(Type::Float(kind));
        match float_bits(digits, kind) {
            Some(bits) => Ok(self.make(ExprKind::Float(bits), ty, span)),
            None => {
                self.error(Diagnostic::error("C1005", span, "this is no floating-point number"));
                Err(Reported)
            }
        }
    }

    /// The type of the elements of a literal.
    pub(super) fn character_kind(&self, width: CharWidth) -> IntKind {
        match (width, self.model()) {
            (CharWidth::Char, _) => IntKind::Char,
            (CharWidth::Wide, DataModel::Ilp32) => IntKind::Long,
            (CharWidth::Wide, DataModel::Lp64) => IntKind::Int,
            (CharWidth::Utf16, _) => IntKind::UShort,
            (CharWidth::Utf32, _) => IntKind::UInt,
        }
    }

    /// A character constant: `int` unless it has a prefix.
    pub(super) fn char_literal(&mut self, value: i64, width: CharWidth, span: Span) -> Value {
        let kind = match width {
            CharWidth::Char => IntKind::Int,
            other => self.character_kind(other),
        };
        let ty = self.out.types.int(kind);
        self.integer(i128::from(value), ty, span)
    }

    /// A string: an lvalue of array type. Equal strings are one object.
    pub(super) fn string_literal(
        &mut self,
        units: &Arc<[u32]>,
        width: CharWidth,
        span: Span,
    ) -> Value {
        let kind = self.character_kind(width);
        let variable = match self.strings.get(&(Arc::clone(units), kind)) {
            Some(variable) => *variable,
            None => {
                let variable = self.string_variable("".into(), units, kind, span);
                self.strings.insert((Arc::clone(units), kind), variable);
                variable
            }
        };
        let ty = self.out.variables[variable].ty;
        self.make(ExprKind::Variable(variable), ty, span)
    }

    /// A static array of characters.
    pub(super) fn string_variable(
        &mut self,
        name: Arc<str>,
        units: &[u32],
        kind: IntKind,
        span: Span,
    ) -> Id<Variable> {
        let of = self.out.types.int(kind);
        let length = ArrayLength::Fixed(units.len() as u64 + 1);
        let ty = self.out.types.intern(Type::Array { of, length });
        let units: Arc<[u32]> = units.iter().copied().chain([0]).collect();
        self.out.variables.push(Variable {
            name,
            ty,
            volatile: false,
            atomic: false,
            storage: Storage::Static,
            owner: None,
            is_const: false,
            is_literal: true,
            units: Some(units),
            align: None,
            init: None,
            span,
        })
    }
}
