//! Operations and checks as instructions.
//!
//! Checks of single accesses need no instruction: every access checks itself.

use crate::code::{CallCode, CalleeCode, Instr, NONE, SlowOp};
use crate::compile::{Compiler, Home};
use parallax_base::Id;
use parallax_cfa::{
    Argument, Base, Binary, Callee, Check, Edge, Expr, ExprKind, Op, Place, Primitive, ScalarType,
    Unary,
};

impl Compiler<'_, '_> {
    /// Emits what an edge does; whether the edge leads on.
    pub(crate) fn operation(&mut self, edge: &Edge) -> bool {
        match &edge.op {
            Op::Skip | Op::Assume(_) => {}
            Op::Assign(place, value) => self.assign(*place, *value),
            Op::Copy { to, from } => self.copy(*to, *from),
            Op::Input { name, .. } => {
                self.unsupported(&format!("an input (`{name}`); make it a parameter"));
            }
            Op::Havoc { why, .. } => {
                self.unsupported(&format!("a value that is not known: {why}"));
            }
            Op::Check(check) => self.check(check),
            Op::Call { to, callee, arguments } => self.call(*to, *callee, arguments),
            Op::Primitive { to, primitive, arguments } => {
                self.primitive(*to, *primitive, arguments);
            }
            Op::Return(value) => {
                self.return_value(value.as_ref());
                return false;
            }
            Op::Live(variable, size) => {
                if let Some(Home::Object(d)) = self.homes.get(variable).copied() {
                    match size {
                        Some(size) => {
                            let size = self.value(*size);
                            self.emit(Instr::LiveSized { d, size });
                        }
                        None => {
                            let k = self.shared.program.variables[*variable].size as u32;
                            self.emit(Instr::Live { d, k });
                        }
                    }
                }
            }
            Op::Dead(variable) => {
                if let Some(Home::Object(d)) = self.homes.get(variable).copied() {
                    self.emit(Instr::Dead { d });
                }
            }
            Op::Error(text) => {
                self.code.texts.push(text.clone());
                let text = self.code.texts.len() as u32 - 1;
                self.emit(Instr::Error { text });
                return false;
            }
            Op::Halt(_) => {
                self.emit(Instr::Halt);
                return false;
            }
            Op::Unsupported(text) => {
                self.unsupported(text);
                return false;
            }
        }
        true
    }

    fn assign(&mut self, place: Id<Place>, value: Id<Expr>) {
        if let Base::Variable(variable) = self.shared.program.places[place].base
            && let Some(Home::Register(d)) = self.homes.get(&variable).copied()
        {
            self.value_to(value, d);
            return;
        }
        let a = self.value(value);
        self.store(place, a);
    }

    /// Stores a register to a place.
    fn store(&mut self, place: Id<Place>, a: u16) {
        if let Base::Variable(variable) = self.shared.program.places[place].base
            && let Some(Home::Register(d)) = self.homes.get(&variable).copied()
        {
            self.move_to(d, a);
            return;
        }
        if let Some((p, k)) = self.place(place) {
            self.store_at(place, a, p, k);
        }
    }

    fn size_of(&self, place: Id<Place>) -> Option<u32> {
        let program = self.shared.program;
        let place = &program.places[place];
        let whole = match place.base {
            Base::Variable(v) if place.path.is_empty() => Some(program.variables[v].size),
            _ => None,
        };
        program.types.size_of(place.ty).or(whole).and_then(|size| u32::try_from(size).ok())
    }

    fn copy(&mut self, to: Id<Place>, from: Id<Place>) {
        let Some(size) = self.size_of(to) else {
            return self.unsupported("a copy of unknown size");
        };
        if let (Some(to), Some(from)) = (self.address(to), self.address(from)) {
            self.emit(Instr::Copy { to, from, size });
        }
    }

    fn return_value(&mut self, value: Option<&Argument>) {
        let instr = match value {
            None => Instr::Return,
            Some(Argument::Scalar(value)) => Instr::ReturnOne { a: self.value(*value) },
            Some(Argument::Aggregate(place)) => {
                match (self.address(*place), self.size_of(*place)) {
                    (Some(p), Some(size)) => Instr::ReturnRecord { p, size },
                    _ => Instr::Return,
                }
            }
        };
        self.emit(instr);
    }

    fn call(&mut self, to: Option<Id<Place>>, callee: Callee, arguments: &[Argument]) {
        let program = self.shared.program;
        if let Callee::Direct(function) = callee {
            if self.shared.options.probe == Some(function) {
                if let [Argument::Scalar(block), Argument::Scalar(facts)] = arguments {
                    let block = self.value(*block);
                    let facts = self.value(*facts);
                    self.emit(Instr::Probe { block, facts });
                }
                return;
            }
            let called = &program.functions[function];
            if !called.is_defined {
                if called.is_unknown() || to.is_some() {
                    self.unsupported(&format!("`{}` is called but not defined", called.name));
                }
                return;
            }
        }
        let callee = match callee {
            Callee::Direct(function) => CalleeCode::Direct(function),
            Callee::Indirect(pointer) => CalleeCode::Indirect(self.value(pointer)),
        };
        let mut registers = Vec::with_capacity(arguments.len());
        for argument in arguments {
            registers.push(match argument {
                Argument::Scalar(value) => self.value(*value),
                Argument::Aggregate(place) => match self.address(*place) {
                    Some(p) => p,
                    None => return,
                },
            });
        }
        let scalar = to.and_then(|to| program.types.scalar(program.places[to].ty));
        let result = if scalar.is_some() { self.temporary() } else { NONE };
        self.code.calls.push(CallCode { callee, arguments: registers, result });
        self.emit(Instr::Call { call: self.code.calls.len() as u32 - 1 });
        // What was loaded before the call may have changed.
        self.memo.clear();
        let Some(to) = to else { return };
        if scalar.is_some() {
            self.store(to, result);
        } else if let Some(p) = self.address(to) {
            self.emit(Instr::TakeRecord { p });
        }
    }

    fn primitive(&mut self, to: Option<Id<Place>>, primitive: Primitive, arguments: &[Id<Expr>]) {
        let values: Vec<u16> = arguments.iter().map(|a| self.value(*a)).collect();
        match (primitive, values.as_slice()) {
            (Primitive::Allocate, &[a]) => {
                let d = self.temporary();
                self.emit(Instr::Allocate { d, a });
                if let Some(to) = to {
                    self.store(to, d);
                }
            }
            (Primitive::AllocateLocal, &[size]) => {
                let d = self.temporary();
                let zero = self.constant(0);
                self.emit(Instr::Move { d, a: zero });
                self.emit(Instr::LiveSized { d, size });
                if let Some(to) = to {
                    self.store(to, d);
                }
            }
            (Primitive::Free, &[a]) => {
                self.emit(Instr::Free { a });
            }
            (Primitive::CopyBytes, &[to, from, size]) => {
                self.emit(Instr::CopyBytes { to, from, size });
            }
            (Primitive::SetBytes, &[to, byte, size]) => {
                self.emit(Instr::SetBytes { to, byte, size });
            }
            (thread, _) if thread.is_thread() => self.unsupported("threads"),
            _ => self.unsupported("a variable argument list"),
        }
    }

    fn check(&mut self, check: &Check) {
        match *check {
            Check::Overflow(expr) => self.check_overflow(expr),
            Check::Division(divisor) => {
                let value = self.value(divisor);
                let a = self.truth(divisor, value);
                self.emit(Instr::CheckNonZero { a });
            }
            Check::Shift(expr) => {
                if let ExprKind::Binary(_, left, amount) = self.shared.program.exprs[expr].kind {
                    let a = self.value(amount);
                    self.emit(Instr::CheckShift { a, width: self.type_of(left).bits() });
                }
            }
            Check::FloatConversion(expr) => {
                if let ExprKind::Convert(operand) = self.shared.program.exprs[expr].kind {
                    let a = self.value(operand);
                    let op = SlowOp::FloatFits(self.type_of(operand), self.type_of(expr));
                    self.slow(op, NONE, a, a);
                }
            }
            Check::AccessBytes { pointer, size, write } => {
                let a = self.value(pointer);
                let b = self.value(size);
                self.emit(Instr::CheckBytes { a, b, write });
            }
            Check::Callable(pointer) => {
                let a = self.value(pointer);
                let program = self.shared.program;
                let ty = program.exprs[pointer].ty;
                let ty = program.types.pointee(ty).unwrap_or(ty).index() as u32;
                self.emit(Instr::CheckCallable { a, ty });
            }
            Check::Sequenced { apart, .. } => {
                let value = self.value(apart);
                let a = self.truth(apart, value);
                self.emit(Instr::CheckSequenced { a });
            }
            Check::Unreachable => {
                self.emit(Instr::Unreachable);
            }
            // The access, and `free`, check themselves.
            Check::Access { .. } | Check::Initialized(_) | Check::Free(_) => {}
        }
    }

    fn check_overflow(&mut self, expr: Id<Expr>) {
        let ty = self.type_of(expr);
        let (op, left, right) = match self.shared.program.exprs[expr].kind {
            ExprKind::Binary(op, left, right) => (op, Some(left), right),
            ExprKind::Unary(Unary::Neg, operand) => (Binary::Sub, None, operand),
            _ => return,
        };
        let ScalarType::Int { bits, signed: true } = ty else { return };
        let a = match left {
            Some(left) => self.value(left),
            None => self.constant(0),
        };
        let b = self.value(right);
        match op {
            Binary::Add => {
                self.emit(Instr::CheckAdd { a, b, bits });
            }
            Binary::Sub => {
                self.emit(Instr::CheckSub { a, b, bits });
            }
            Binary::Mul => {
                self.emit(Instr::CheckMul { a, b, bits });
            }
            _ => self.slow(SlowOp::Fits(op, ty), NONE, a, b),
        }
    }
}
