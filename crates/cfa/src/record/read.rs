//! Values of places in a running program, as far as variables tell.
//!
//! A view shows variables. What lies behind pointers is not looked up: a value
//! that is not known is left out of a report, which is no harm.

use crate::run::View;
use crate::{Base, Expr, ExprKind, Place, Program, Scalar, Step, arith};
use parallax_base::Id;

/// Indices nested deeper than this are not evaluated.
const DEPTH: u32 = 20;

/// The scalar at a place.
pub(super) fn read(program: &Program, view: &View<'_>, place: Id<Place>) -> Option<Scalar> {
    load(program, view, place, 0)
}

fn load(program: &Program, view: &View<'_>, id: Id<Place>, depth: u32) -> Option<Scalar> {
    let place = &program.places[id];
    let Base::Variable(variable) = place.base else { return None };
    if place.path.is_empty() && place.bits.is_none() {
        return view.scalar(variable);
    }
    let ty = program.types.scalar(place.ty)?;
    let mut inside = program.variables[variable].ty;
    let mut offset: u64 = 0;
    for step in &place.path {
        match step {
            Step::Member(record, member) => {
                let member = program.types.records[*record].members.get(*member as usize)?;
                offset = offset.checked_add(member.offset)?;
                inside = member.ty;
            }
            Step::Index(index) => {
                let crate::Type::Array { of, .. } = program.types.get(inside) else { return None };
                inside = *of;
                let index = u64::try_from(eval(program, view, *index, depth)?.as_int()).ok()?;
                let size = program.types.size_of(inside)?;
                offset = offset.checked_add(index.checked_mul(size)?)?;
            }
        }
    }
    let bytes = view.bytes(variable)?.get(usize::try_from(offset).ok()?..)?;
    let mut whole = [0; 16];
    let used = match place.bits {
        Some(bits) => (bits.shift + bits.width).div_ceil(8) as usize,
        None => ty.bits().div_ceil(8) as usize,
    };
    whole.get_mut(..used)?.copy_from_slice(bytes.get(..used)?);
    let mut value = u128::from_le_bytes(whole);
    if let Some(bits) = place.bits {
        value = value >> bits.shift & ((1 << bits.width) - 1);
        let is_negative = ty.is_signed() && value >> (bits.width - 1) & 1 == 1;
        if is_negative {
            value |= u128::MAX << bits.width;
        }
    }
    Some(Scalar { ty, bits: arith::wrap(ty, value) })
}

/// The value of an expression over variables.
fn eval(program: &Program, view: &View<'_>, id: Id<Expr>, depth: u32) -> Option<Scalar> {
    if depth > DEPTH {
        return None;
    }
    let expr = &program.exprs[id];
    let ty = program.types.scalar(expr.ty)?;
    let of = |id: &Id<Expr>| eval(program, view, *id, depth + 1);
    match &expr.kind {
        ExprKind::Int(value) => Some(Scalar { ty, bits: *value as u128 }),
        ExprKind::Load(place) => load(program, view, *place, depth + 1),
        ExprKind::Convert(a) => {
            let a = of(a)?;
            Some(Scalar { ty, bits: arith::convert(a.ty, ty, a.bits) })
        }
        ExprKind::Unary(op, a) => {
            let a = of(a)?;
            Some(Scalar { ty, bits: arith::unary(*op, a.ty, a.bits) })
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (of(a)?, of(b)?);
            Some(Scalar { ty, bits: arith::binary(*op, a.ty, a.bits, b.bits) })
        }
        _ => None,
    }
}
