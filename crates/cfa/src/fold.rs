//! Values of expressions outside of runs.
//!
//! [`constant`] evaluates closed expressions; [`evaluate`] takes the values of
//! loads and addresses from whoever knows them. Both work without recursion
//! and visit a shared subexpression once.

use crate::{Expr, ExprKind, Place, Program, Scalar, ScalarType, arith};
use parallax_base::Id;
use std::collections::HashMap;

/// Knows values that an expression alone does not tell.
pub trait Environment {
    /// The value at a place.
    fn load(&mut self, place: Id<Place>) -> Option<Scalar>;

    /// The address of a place.
    fn address(&mut self, place: Id<Place>) -> Option<u64>;
}

/// Knows nothing.
impl Environment for () {
    fn load(&mut self, _place: Id<Place>) -> Option<Scalar> {
        None
    }

    fn address(&mut self, _place: Id<Place>) -> Option<u64> {
        None
    }
}

/// The value of a closed expression. `None` if it depends on memory or
/// addresses, but for arms of conditionals that are not chosen.
pub fn constant(program: &Program, expr: Id<Expr>) -> Option<Scalar> {
    evaluate(program, expr, &mut ())
}

/// The value of an expression in an environment.
pub fn evaluate(
    program: &Program,
    root: Id<Expr>,
    environment: &mut dyn Environment,
) -> Option<Scalar> {
    let mut known: HashMap<Id<Expr>, Scalar> = HashMap::new();
    let mut work = vec![root];
    while let Some(expr) = work.last().copied() {
        if known.contains_key(&expr) {
            work.pop();
            continue;
        }
        match step(program, expr, &known, environment)? {
            Step::Value(value) => {
                known.insert(expr, value);
                work.pop();
            }
            Step::Need(operand) => work.push(operand),
        }
    }
    known.get(&root).copied()
}

enum Step {
    Value(Scalar),
    /// The value of this operand is wanted first.
    Need(Id<Expr>),
}

fn step(
    program: &Program,
    expr: Id<Expr>,
    known: &HashMap<Id<Expr>, Scalar>,
    environment: &mut dyn Environment,
) -> Option<Step> {
    let ty = program.types.scalar(program.exprs[expr].ty)?;
    macro_rules! operand {
        ($id:expr) => {
            match known.get($id) {
                Some(value) => *value,
                None => return Some(Step::Need(*$id)),
            }
        };
    }
    let bits = match &program.exprs[expr].kind {
        ExprKind::Int(value) => arith::wrap(ty, *value as u128),
        ExprKind::Float(bits) => *bits,
        ExprKind::Load(place) => environment.load(*place)?.bits,
        ExprKind::Address(place) => u128::from(environment.address(*place)?),
        ExprKind::Function(_) | ExprKind::ObjectSize(_) => return None,
        ExprKind::Unary(op, a) => {
            let a = operand!(a);
            arith::unary(*op, a.ty, a.bits)
        }
        ExprKind::Binary(op, a, b) => {
            let (a, b) = (operand!(a), operand!(b));
            arith::binary(*op, a.ty, a.bits, b.bits)
        }
        ExprKind::Convert(a) => {
            let a = operand!(a);
            arith::convert(a.ty, ty, a.bits)
        }
        ExprKind::PointerAdd { pointer, index, scale } => {
            let (pointer, index, scale) = (operand!(pointer), operand!(index), operand!(scale));
            let distance = index.bits.wrapping_mul(scale.bits);
            arith::wrap(ty, pointer.bits.wrapping_add(distance))
        }
        ExprKind::PointerDiff { left, right, scale } => {
            let (left, right, scale) = (operand!(left), operand!(right), operand!(scale));
            let distance = arith::wrap(ty, left.bits.wrapping_sub(right.bits));
            arith::binary(crate::Binary::Div, ty, distance, arith::wrap(ty, scale.bits))
        }
        ExprKind::Conditional(test, then, other) => {
            let test = operand!(test);
            let chosen = if arith::is_true(test.ty, test.bits) { then } else { other };
            operand!(chosen).bits
        }
    };
    Some(Step::Value(Scalar { ty, bits }))
}

/// The value of a constant as a number, if it is of integer type.
pub fn constant_int(program: &Program, expr: Id<Expr>) -> Option<i128> {
    let value = constant(program, expr)?;
    matches!(value.ty, ScalarType::Int { .. } | ScalarType::Bool).then(|| value.as_int())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Binary, DataModel, IntKind, Types};
    use parallax_base::IdVec;

    #[test]
    fn long_chains_and_chosen_arms() {
        let mut program = Program {
            types: Types::new(DataModel::Lp64),
            exprs: IdVec::default(),
            places: IdVec::default(),
            variables: IdVec::default(),
            initials: Vec::new(),
            functions: IdVec::default(),
            main: None,
        };
        let int = program.types.int(IntKind::Int);
        let one = program.exprs.push(Expr { kind: ExprKind::Int(1), ty: int });
        let mut sum = one;
        // Doubling sixty times shares every term; one more chain is deep.
        for _ in 0..60 {
            sum =
                program.exprs.push(Expr { kind: ExprKind::Binary(Binary::Add, sum, sum), ty: int });
        }
        for _ in 0..100_000 {
            sum =
                program.exprs.push(Expr { kind: ExprKind::Binary(Binary::Add, sum, one), ty: int });
        }
        assert_eq!(constant_int(&program, sum), Some(100_000));
        let unknown = program.exprs.push(Expr { kind: ExprKind::Load(Id::new(0)), ty: int });
        let arm =
            program.exprs.push(Expr { kind: ExprKind::Conditional(one, sum, unknown), ty: int });
        assert_eq!(constant_int(&program, arm), Some(100_000));
        assert_eq!(constant_int(&program, unknown), None);
    }
}
