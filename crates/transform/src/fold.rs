//! Values of expressions where some variables are known.

use crate::environment::Environment;
use crate::evaluate::plain_variable;
use parallax_base::Id;
use parallax_cfa::{
    Base, Binary, Expr, ExprKind, Function, Place, Program, Scalar, ScalarType, Step, Unary, arith,
};
use rustc_hash::FxHashMap;

/// A value that is known before the program runs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Value {
    /// A number, or an address without an object.
    Scalar(Scalar),
    /// The address of a function.
    Function(Id<Function>),
    /// The address of a place without indices in a variable.
    Address(Id<Place>),
}

impl Value {
    /// The value as an expression of the type it was computed for.
    pub(crate) fn expr(self) -> Option<ExprKind> {
        match self {
            Value::Scalar(Scalar { ty: ScalarType::Float(_), bits }) => Some(ExprKind::Float(bits)),
            Value::Scalar(scalar) => Some(ExprKind::Int(scalar.as_int())),
            Value::Function(f) => Some(ExprKind::Function(f)),
            // The address of a place stays as it is written.
            Value::Address(_) => None,
        }
    }

    pub(crate) fn is_float(self) -> bool {
        matches!(self, Value::Scalar(Scalar { ty: ScalarType::Float(_), .. }))
    }
}

/// Evaluates expressions in one state.
pub(crate) struct Folder<'a> {
    program: &'a Program,
    state: &'a Environment<Value>,
    known: FxHashMap<Id<Expr>, Option<Value>>,
}

impl<'a> Folder<'a> {
    pub(crate) fn new(program: &'a Program, state: &'a Environment<Value>) -> Folder<'a> {
        Folder { program, state, known: FxHashMap::default() }
    }

    /// Whether an expression counts as true.
    pub(crate) fn truth(&mut self, e: Id<Expr>) -> Option<bool> {
        match self.value(e)? {
            Value::Scalar(scalar) => Some(arith::is_true(scalar.ty, scalar.bits)),
            Value::Function(_) | Value::Address(_) => Some(true),
        }
    }

    /// The value of an expression.
    pub(crate) fn value(&mut self, root: Id<Expr>) -> Option<Value> {
        let mut work = vec![root];
        while let Some(e) = work.last().copied() {
            if self.known.contains_key(&e) {
                work.pop();
                continue;
            }
            let before = work.len();
            let known = &self.known;
            crate::rewrite::visit_expr(&self.program.exprs[e].kind, &mut |node| {
                if let crate::rewrite::Node::Expr(child) = node
                    && !known.contains_key(&child)
                {
                    work.push(child);
                }
            });
            if work.len() == before {
                let value = self.compute(e);
                self.known.insert(e, value);
                work.pop();
            }
        }
        self.get(root)
    }

    fn get(&self, e: Id<Expr>) -> Option<Value> {
        self.known.get(&e).copied().flatten()
    }

    fn scalar(&self, e: Id<Expr>) -> Option<Scalar> {
        match self.get(e)? {
            Value::Scalar(scalar) => Some(scalar),
            _ => None,
        }
    }

    fn compute(&self, e: Id<Expr>) -> Option<Value> {
        let program = self.program;
        let ty = program.types.scalar(program.exprs[e].ty)?;
        let scalar = |bits| Some(Value::Scalar(Scalar { ty, bits }));
        match program.exprs[e].kind {
            ExprKind::Int(n) => scalar(arith::wrap(ty, n as u128)),
            ExprKind::Float(bits) => scalar(bits),
            ExprKind::Function(f) => Some(Value::Function(f)),
            ExprKind::Address(place) => {
                let data = &program.places[place];
                let fixed = data.path.iter().all(|s| matches!(s, Step::Member(..)));
                (matches!(data.base, Base::Variable(_)) && fixed).then_some(Value::Address(place))
            }
            ExprKind::Load(place) => {
                plain_variable(program, place).and_then(|v| self.state.get(v.index()).copied())
            }
            ExprKind::Unary(Unary::Not, a) if self.scalar(a).is_none() => {
                self.get(a).and_then(|_| scalar(0))
            }
            ExprKind::Unary(op, a) => {
                let a = self.scalar(a)?;
                scalar(arith::unary(op, a.ty, a.bits))
            }
            ExprKind::Binary(op, a, b) => {
                if let (Some(a), Some(b)) = (self.scalar(a), self.scalar(b)) {
                    return scalar(arith::binary(op, a.ty, a.bits, b.bits));
                }
                let equal = same(program, self.get(a)?, self.get(b)?)?;
                match op {
                    Binary::Eq => scalar(u128::from(equal)),
                    Binary::Ne => scalar(u128::from(!equal)),
                    _ => None,
                }
            }
            ExprKind::Convert(a) => match self.get(a)? {
                Value::Scalar(a) => scalar(arith::convert(a.ty, ty, a.bits)),
                other if ty.is_pointer() => Some(other),
                _ => None,
            },
            ExprKind::Conditional(c, a, b) => {
                let truth = match self.get(c)? {
                    Value::Scalar(c) => arith::is_true(c.ty, c.bits),
                    _ => true,
                };
                self.get(if truth { a } else { b })
            }
            ExprKind::PointerAdd { .. }
            | ExprKind::PointerDiff { .. }
            | ExprKind::ObjectSize(_) => None,
        }
    }
}

/// Whether two addresses are equal, where that is sure. An address of an object
/// differs from null and from functions; two objects are not compared.
fn same(program: &Program, a: Value, b: Value) -> Option<bool> {
    match (a, b) {
        (Value::Function(f), Value::Function(g)) => Some(f == g),
        (Value::Function(_), Value::Address(_)) | (Value::Address(_), Value::Function(_)) => {
            Some(false)
        }
        (Value::Address(p), Value::Address(q)) => {
            let (p, q) = (&program.places[p], &program.places[q]);
            (p.base == q.base && p.path == q.path).then_some(true)
        }
        (Value::Scalar(s), _) | (_, Value::Scalar(s)) => (s.bits == 0).then_some(false),
    }
}
