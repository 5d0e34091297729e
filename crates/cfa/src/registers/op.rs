//! Operations and checks as instructions.

use super::{
    Arithmetic, CallCode, CalleeCode, Class, Instructions, Register, Shared, SlowOp, Target, Values,
};
use crate::run::CheckKind;
use crate::{
    Argument, Base, Binary, Callee, Check, Edge, Expr, ExprKind, Op, Place, Primitive, ScalarType,
    Unary,
};
use parallax_base::Id;

/// Compiles what edges do.
pub trait Operations<'p>: Target<'p> {
    /// Emits what an edge does; whether the edge leads on.
    fn operation(&mut self, edge: &Edge) -> bool {
        match &edge.op {
            Op::Skip | Op::Assume(_) => {}
            Op::Assign(place, value) => self.assign(*place, *value),
            Op::Copy { to, from } => self.copy(*to, *from),
            Op::Input { to, .. } | Op::Havoc { to, .. } => self.arbitrary(*to, &edge.op),
            Op::Check(check) => self.check(check),
            Op::Call { to, callee, arguments } => self.call(*to, *callee, arguments),
            Op::Primitive { to, primitive, arguments } => {
                let values: Vec<_> = arguments.iter().map(|a| self.value(*a)).collect();
                match (primitive, values.as_slice()) {
                    (Primitive::Free, &[a]) => {
                        self.put(Shared::Free { a });
                    }
                    (Primitive::CopyBytes, &[to, from, size]) => {
                        self.put(Shared::CopyBytes { to, from, size });
                    }
                    (Primitive::SetBytes, &[to, byte, size]) => {
                        self.put(Shared::SetBytes { to, byte, size });
                    }
                    (_, values) => self.primitive(*to, *primitive, arguments, values),
                }
            }
            Op::Return(value) => {
                self.return_value(value.as_ref());
                return false;
            }
            Op::Live(variable, size) => self.live(*variable, *size),
            Op::Dead(variable) => self.dead(*variable),
            Op::Error(text) => {
                let text = self.work_mut().text(text);
                self.put(Shared::Error { text });
                return false;
            }
            Op::Halt(halt) => {
                self.halt(*halt);
                return false;
            }
            Op::Unsupported(text) => {
                self.unsupported(text);
                return false;
            }
        }
        true
    }

    /// Says that the run cannot go on, and why.
    fn unsupported(&mut self, text: &str) {
        let text = self.work_mut().text(text);
        self.put(Shared::Unsupported { text });
    }

    /// The register a place is, if it is one.
    fn register(&self, place: Id<Place>) -> Option<Self::Reg> {
        let Base::Variable(variable) = self.work().program.places[place].base else { return None };
        self.work().registers.get(&variable).copied()
    }

    /// Assigns a value to a place.
    fn assign(&mut self, place: Id<Place>, value: Id<Expr>) {
        if let Some(d) = self.register(place) {
            self.value_to(value, d);
            return;
        }
        let a = self.value(value);
        self.store_away(place, a);
    }

    /// Stores registers to a place.
    fn store(&mut self, place: Id<Place>, a: Self::Reg) {
        match self.register(place) {
            Some(d) => self.move_to(Self::class(self.work().type_at(place)), d, a),
            None => self.store_away(place, a),
        }
    }

    /// Leaves the function.
    fn return_value(&mut self, value: Option<&Argument>) {
        match value {
            None => {
                self.put(Shared::Return);
            }
            Some(Argument::Scalar(value)) => {
                let a = self.value(*value);
                let instr = match self.class_of(*value) {
                    Class::One => Instructions::shared(Shared::ReturnOne { a }),
                    _ => Self::return_two(a),
                };
                self.emit(instr);
            }
            Some(Argument::Aggregate(place)) => self.return_record(*place),
        }
    }

    /// Calls a function and takes its result.
    fn call(&mut self, to: Option<Id<Place>>, callee: Callee, arguments: &[Argument]) {
        if self.replaces_call(to, callee, arguments) {
            return;
        }
        let callee = match callee {
            Callee::Direct(function) => CalleeCode::Direct(function),
            Callee::Indirect(pointer) => CalleeCode::Indirect(self.value(pointer)),
        };
        let mut codes = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let Some(code) = self.argument(argument) else { return };
            codes.push(code);
        }
        let program = self.work().program;
        let ty = to.and_then(|to| program.types.scalar(program.places[to].ty));
        let work = self.work_mut();
        let result = ty.map_or(Self::Reg::NONE, |ty| work.temporary(Self::class(ty)));
        work.calls.push(CallCode { callee, arguments: codes, result, ty });
        let call = work.calls.len() as u32 - 1;
        self.put(Shared::Call { call });
        // What was loaded before the call may have changed.
        self.work_mut().forget();
        match to {
            Some(to) if ty.is_some() => self.store(to, result),
            Some(to) => self.take_record(to),
            None => {}
        }
    }

    /// Emits a check, if it is asked.
    fn check(&mut self, check: &Check) {
        if !self.asks(check) {
            return;
        }
        let program = self.work().program;
        match *check {
            Check::Overflow(expr) => self.check_overflow(expr),
            Check::Division(value) => self.check_truth(value, CheckKind::Division),
            Check::Sequenced { apart, .. } => self.check_truth(apart, CheckKind::Sequenced),
            Check::Index { within, .. } => self.check_truth(within, CheckKind::Index),
            Check::Shift(expr) => {
                if let ExprKind::Binary(_, left, amount) = program.exprs[expr].kind {
                    let mut a = self.value(amount);
                    let ty = self.work().type_of(amount);
                    if Self::class(ty) == Class::Wide {
                        let d = self.work_mut().temporary(Class::One);
                        self.slow(SlowOp::Saturate(ty), d, a, a);
                        a = d;
                    }
                    let width = self.work().type_of(left).bits();
                    self.put(Shared::CheckShift { a, width });
                }
            }
            Check::FloatConversion(expr) => {
                if let ExprKind::Convert(operand) = program.exprs[expr].kind {
                    let a = self.value(operand);
                    let (from, to) = (self.work().type_of(operand), self.work().type_of(expr));
                    self.slow(SlowOp::FloatFits(from, to), Self::Reg::NONE, a, a);
                }
            }
            Check::AccessBytes { pointer, size, write } => {
                let a = self.value(pointer);
                let b = self.value(size);
                self.put(Shared::CheckAccessBytes { a, b, write });
            }
            Check::Callable(pointer) => {
                let a = self.value(pointer);
                let ty = program.exprs[pointer].ty;
                let ty = program.types.pointee(ty).unwrap_or(ty).index() as u32;
                self.put(Shared::CheckCallable { a, ty });
            }
            Check::Unreachable => {
                self.put(Shared::Unreachable);
            }
            Check::Access { .. }
            | Check::Initialized(_)
            | Check::Free(_)
            | Check::Alone { .. }
            | Check::AloneBytes { .. }
            | Check::Lock(..) => {
                self.check_memory(check);
            }
        }
    }

    /// A check that fails where a value is zero.
    fn check_truth(&mut self, expr: Id<Expr>, kind: CheckKind) {
        let value = self.value(expr);
        let a = self.truth(expr, value);
        self.put(Shared::CheckNonZero { a, kind });
    }

    /// A check that a signed result fits.
    fn check_overflow(&mut self, expr: Id<Expr>) {
        let ty = self.work().type_of(expr);
        let (op, left, right) = match self.work().program.exprs[expr].kind {
            ExprKind::Binary(op, left, right) => (op, Some(left), right),
            ExprKind::Unary(Unary::Neg, operand) => (Binary::Sub, None, operand),
            _ => return,
        };
        let ScalarType::Int { bits, signed: true } = ty else { return };
        let a = match left {
            Some(left) => self.value(left),
            None => self.literal(ty, 0),
        };
        let b = self.value(right);
        let amount = self.work().type_of(right);
        match op {
            Binary::Add if bits <= 64 => {
                self.put(Shared::CheckAdd { a, b, bits });
            }
            Binary::Sub if bits <= 64 => {
                self.put(Shared::CheckSub { a, b, bits });
            }
            Binary::Mul if bits <= 64 => {
                self.put(Shared::CheckMul { a, b, bits });
            }
            _ => self.slow(SlowOp::Fits(op, ty, amount), Self::Reg::NONE, a, b),
        }
    }
}

impl<'p, T: Target<'p>> Operations<'p> for T {}
