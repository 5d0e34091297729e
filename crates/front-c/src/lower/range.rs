//! What range an integer expression has by its shape alone.
//!
//! Used to leave out checks that cannot fail: `(int)c + 1` for a `char`, a
//! bit-field as an index, a constant divisor. No state is looked at.

use super::build::Builder;
use parallax_base::Id;
use parallax_cfa::{Binary, Expr, ExprKind, ScalarType, Type, Unary};

/// How many operators deep the shape is looked at.
const DEPTH: u32 = 12;

/// An interval of integers, both ends included.
pub(crate) type Range = (i128, i128);

impl Builder {
    /// The range of an integer type; `None` for others and those of 128 bits.
    pub(crate) fn type_range(&self, ty: Id<Type>) -> Option<Range> {
        match self.types.scalar(ty)? {
            ScalarType::Bool => Some((0, 1)),
            ScalarType::Int { bits: 128, .. } => None,
            ScalarType::Int { bits, signed: true } => {
                Some((-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1))
            }
            ScalarType::Int { bits, signed: false } => Some((0, (1i128 << bits) - 1)),
            _ => None,
        }
    }

    /// A range that holds the value of an integer expression.
    pub(crate) fn range(&self, id: Id<Expr>) -> Option<Range> {
        self.range_to(id, DEPTH)
    }

    fn range_to(&self, id: Id<Expr>, depth: u32) -> Option<Range> {
        let Expr { kind, ty } = &self.exprs[id];
        let whole = self.type_range(*ty)?;
        if depth == 0 {
            return Some(whole);
        }
        let known = match kind {
            ExprKind::Int(value) => Some((*value, *value)),
            ExprKind::Load(place) => self.places[*place].bits.map(|bits| {
                let top = 1i128 << (bits.width.clamp(1, 64) - 1);
                if whole.0 < 0 { (-top, top - 1) } else { (0, 2 * top - 1) }
            }),
            ExprKind::Convert(a) => self.range_to(*a, depth - 1),
            ExprKind::Unary(Unary::Not, _) => Some((0, 1)),
            ExprKind::Unary(Unary::Neg, a) => {
                self.range_to(*a, depth - 1).map(|(low, high)| (-high, -low))
            }
            ExprKind::Unary(Unary::Bits(_), a)
                if self.scalar(self.exprs[*a].ty) != self.scalar(*ty) =>
            {
                Some((0, 128))
            }
            ExprKind::Binary(op, ..) if op.is_comparison() => Some((0, 1)),
            ExprKind::Binary(op, a, b) => {
                let a = self.range_to(*a, depth - 1)?;
                let b = self.range_to(*b, depth - 1)?;
                combined(*op, a, b)
            }
            ExprKind::Conditional(_, a, b) => {
                let a = self.range_to(*a, depth - 1)?;
                let b = self.range_to(*b, depth - 1)?;
                Some((a.0.min(b.0), a.1.max(b.1)))
            }
            _ => None,
        };
        // A result that does not fit wraps, so nothing is known of it.
        Some(known.filter(|k| whole.0 <= k.0 && k.1 <= whole.1).unwrap_or(whole))
    }

    /// Whether a signed operator may have a result that does not fit.
    pub(crate) fn may_overflow(&self, op: Binary, a: Id<Expr>, b: Id<Expr>, ty: Id<Type>) -> bool {
        if !self.scalar(ty).is_signed() {
            return false;
        }
        let Some(whole) = self.type_range(ty) else { return true };
        let (Some(a), Some(b)) = (self.range(a), self.range(b)) else { return true };
        let exact = match op {
            Binary::Div | Binary::Rem => {
                return a.0 == whole.0 && b.0 <= -1 && -1 <= b.1;
            }
            Binary::Shl if a.0 >= 0 && b.0 >= 0 && b.1 < 63 => {
                Some((0, a.1.saturating_mul(1i128 << b.1)))
            }
            Binary::Shl => return true,
            _ => combined(op, a, b),
        };
        exact.is_none_or(|(low, high)| low < whole.0 || whole.1 < high)
    }
}

/// The exact range of an operator's results, before wrapping.
fn combined(op: Binary, a: Range, b: Range) -> Option<Range> {
    let corners = |f: fn(i128, i128) -> Option<i128>| {
        let all = [f(a.0, b.0)?, f(a.0, b.1)?, f(a.1, b.0)?, f(a.1, b.1)?];
        Some((*all.iter().min()?, *all.iter().max()?))
    };
    match op {
        Binary::Add => Some((a.0 + b.0, a.1 + b.1)),
        Binary::Sub => Some((a.0 - b.1, a.1 - b.0)),
        Binary::Mul => corners(i128::checked_mul),
        Binary::Div if b.0 > 0 => corners(i128::checked_div),
        Binary::Rem if b.0 > 0 => {
            let most = (b.1 - 1).min(a.1.max(-a.0));
            Some((if a.0 < 0 { -most } else { 0 }, if a.1 > 0 { most } else { 0 }))
        }
        Binary::BitAnd if a.0 >= 0 || b.0 >= 0 => {
            let high = match (a.0 >= 0, b.0 >= 0) {
                (true, true) => a.1.min(b.1),
                (true, false) => a.1,
                _ => b.1,
            };
            Some((0, high))
        }
        Binary::Shr if a.0 >= 0 && b.0 >= 0 && b.1 < 128 => Some((a.0 >> b.1, a.1 >> b.0)),
        _ => None,
    }
}
