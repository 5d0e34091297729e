//! Which encoding suits a program.
//!
//! Over the integers a bit operation with a constant is a quotient and a
//! remainder, but one on two unknown values is hard for a solver; the same
//! holds for words that are put together from bytes. Bit-vectors are made for
//! both, and slower for everything else.

use parallax_base::Id;
use parallax_cfa::{Binary, Expr, ExprKind, Function, Program, Step};
use parallax_transform::Uses;
use parallax_transform::points_to::{CellKind, Regions};

/// Whether a function works on bits that are not known before the run.
pub(crate) fn works_on_bits(program: &Program, function: &Function, regions: &Regions) -> bool {
    if regions.regions.iter().any(|r| r.kind == CellKind::Bytes || r.mixed) {
        return true;
    }
    let uses = Uses::of_function(program, function);
    let in_union = |step: &Step| match step {
        Step::Member(record, _) => program.types.records[*record].is_union,
        Step::Index(_) => false,
    };
    if uses.places.iter().any(|&p| program.places[p].path.iter().any(in_union)) {
        return true;
    }
    uses.exprs.iter().any(|&e| {
        let ExprKind::Binary(op, a, b) = program.exprs[e].kind else { return false };
        match op {
            Binary::BitAnd | Binary::BitOr | Binary::BitXor => {
                let known = is_known(program, a) || is_known(program, b);
                let truths = is_truth(program, a) && is_truth(program, b);
                !known && !truths
            }
            Binary::Shl | Binary::Shr => !is_known(program, b),
            _ => false,
        }
    })
}

/// A constant, below conversions.
fn is_known(program: &Program, e: Id<Expr>) -> bool {
    match program.exprs[e].kind {
        ExprKind::Int(_) => true,
        ExprKind::Convert(inner) => is_known(program, inner),
        _ => false,
    }
}

/// Zero or one, below conversions.
fn is_truth(program: &Program, e: Id<Expr>) -> bool {
    match program.exprs[e].kind {
        ExprKind::Binary(op, ..) => op.is_comparison(),
        ExprKind::Unary(op, _) => op == parallax_cfa::Unary::Not,
        ExprKind::Convert(inner) => is_truth(program, inner),
        _ => false,
    }
}
