//! Operations and checks as instructions.

use super::code::{
    ArgumentCode, CallCode, CalleeCode, Class, Home, Instr, NONE, Reg, SlowOp, class_of,
};
use super::compile::Compiler;
use super::outcome::CheckKind;
use super::shared::StaticHome;
use crate::{
    Argument, Base, Binary, Callee, Check, Edge, Expr, ExprKind, Halt, Op, Place, Primitive,
    ScalarType, Unary,
};
use parallax_base::Id;

impl Compiler<'_, '_> {
    /// Emits what an edge does; whether the edge leads on.
    pub(crate) fn operation(&mut self, edge: &Edge) -> bool {
        match &edge.op {
            Op::Skip | Op::Assume(_) => {}
            Op::Assign(place, value) => self.assign(*place, *value),
            Op::Copy { to, from } => {
                if let (Some(to), Some(from)) = (self.place(*to), self.place(*from)) {
                    self.emit(Instr::Copy { to, from });
                }
            }
            Op::Input { to, name } => {
                let name = self.text(name);
                let scalar = self.scalar_at(*to);
                let d = self.temporary(class_of(scalar));
                let ty = self.type_number(scalar);
                self.emit(Instr::Input { d, name, ty });
                self.store(*to, d);
            }
            Op::Havoc { to, why } => self.havoc(*to, why),
            Op::Check(check) => self.check(check),
            Op::Call { to, callee, arguments } => self.call(*to, *callee, arguments),
            Op::Primitive { to, primitive, arguments } => {
                self.primitive(*to, *primitive, arguments);
            }
            Op::Return(value) => {
                self.return_value(value.as_ref());
                return false;
            }
            Op::Live(variable, size) => match self.homes.get(variable).copied() {
                Some(Home::Slot(slot)) => {
                    let size = size.map_or(NONE, |size| self.value(size));
                    self.emit(Instr::Live { slot, size });
                }
                Some(Home::Register(d, _)) => {
                    let scalar = self.shared.scalar(*variable).unwrap_or(ScalarType::INT);
                    let ty = self.type_number(scalar);
                    self.emit(Instr::LiveRegister { d, ty, variable: variable.index() as u32 });
                }
                None => {}
            },
            Op::Dead(variable) => {
                if let Some(Home::Slot(slot)) = self.homes.get(variable).copied() {
                    self.emit(Instr::Dead { slot });
                }
            }
            Op::Error(text) => {
                let text = self.text(text);
                self.emit(Instr::Error { text });
                return false;
            }
            Op::Halt(halt) => {
                let waits = *halt == Halt::Wait && self.shared.options.repeats();
                self.emit(if waits { Instr::Wait } else { Instr::Halt });
                return false;
            }
            Op::Unsupported(text) => {
                let text = self.text(text);
                self.emit(Instr::Unsupported { text });
                return false;
            }
        }
        true
    }

    fn scalar_at(&self, place: Id<Place>) -> ScalarType {
        let program = self.shared.program;
        program.types.scalar(program.places[place].ty).unwrap_or(ScalarType::INT)
    }

    /// The register a place is, if it is one.
    fn register(&self, place: Id<Place>) -> Option<(Reg, Class)> {
        let Base::Variable(variable) = self.shared.program.places[place].base else { return None };
        match self.homes.get(&variable) {
            Some(Home::Register(reg, class)) => Some((*reg, *class)),
            _ => None,
        }
    }

    pub(crate) fn assign(&mut self, place: Id<Place>, value: Id<Expr>) {
        if let Some((d, _)) = self.register(place) {
            self.value_to(value, d);
            return;
        }
        let a = self.value(value);
        self.store(place, a);
    }

    /// Stores registers to a place.
    fn store(&mut self, place: Id<Place>, a: Reg) {
        if let Some((d, class)) = self.register(place) {
            self.move_to(class, d, a);
            return;
        }
        if let Base::Variable(variable) = self.shared.program.places[place].base
            && let StaticHome::Register(d, class) = self.shared.statics[variable.index()]
        {
            self.emit(match class {
                Class::One => Instr::GlobalSet { d, a },
                _ => Instr::GlobalSet2 { d, a },
            });
            return;
        }
        if let Some(p) = self.place(place) {
            self.emit(Instr::Store { p, a, shape: self.shape(place) });
        }
    }

    fn havoc(&mut self, to: Id<Place>, why: &str) {
        let why = self.text(why);
        let program = self.shared.program;
        match program.types.scalar(program.places[to].ty) {
            Some(scalar) => {
                let d = self.temporary(class_of(scalar));
                let ty = self.type_number(scalar);
                self.emit(Instr::Havoc { d, why, ty });
                self.store(to, d);
            }
            None => {
                if let Some(p) = self.place(to) {
                    self.emit(Instr::HavocPlace { p, why });
                }
            }
        }
    }

    fn return_value(&mut self, value: Option<&Argument>) {
        let instr = match value {
            None => Instr::Return,
            Some(Argument::Scalar(value)) => {
                let a = self.value(*value);
                match class_of(self.type_of(*value)) {
                    Class::One => Instr::ReturnOne { a },
                    _ => Instr::ReturnTwo { a },
                }
            }
            Some(Argument::Aggregate(place)) => match self.place(*place) {
                Some(p) => Instr::ReturnRecord { p },
                None => Instr::Return,
            },
        };
        self.emit(instr);
    }

    fn call(&mut self, to: Option<Id<Place>>, callee: Callee, arguments: &[Argument]) {
        let callee = match callee {
            Callee::Direct(function) => CalleeCode::Direct(function),
            Callee::Indirect(pointer) => CalleeCode::Indirect(self.value(pointer)),
        };
        let mut codes = Vec::with_capacity(arguments.len());
        for argument in arguments {
            codes.push(match argument {
                Argument::Scalar(value) => {
                    ArgumentCode::Scalar(self.value(*value), self.type_of(*value))
                }
                Argument::Aggregate(place) => match self.place(*place) {
                    Some(p) => ArgumentCode::Aggregate(p),
                    None => return,
                },
            });
        }
        let program = self.shared.program;
        let ty = to.and_then(|to| program.types.scalar(program.places[to].ty));
        let result = ty.map_or(NONE, |ty| self.temporary(class_of(ty)));
        self.code.calls.push(CallCode { callee, arguments: codes, result, ty });
        self.emit(Instr::Call { call: self.code.calls.len() as u32 - 1 });
        // What was loaded before the call may have changed.
        self.memo.stamp += 1;
        let Some(to) = to else { return };
        if ty.is_some() {
            self.store(to, result);
        } else if let Some(p) = self.place(to) {
            self.emit(Instr::TakeRecord { p });
        }
    }

    /// Before an edge that may have to wait.
    pub(crate) fn await_turn(&mut self, op: &Op) {
        let Op::Primitive { primitive, arguments, .. } = op else { return };
        let (true, [first, ..]) = (primitive.is_thread(), &arguments[..]) else { return };
        let back = self.code.instrs.len() as u32;
        match primitive {
            Primitive::Lock | Primitive::AtomicWhen => {
                let a = self.value(*first);
                self.emit(Instr::AwaitCell { a, back });
            }
            Primitive::Join => {
                let a = self.value(*first);
                self.emit(Instr::AwaitThread { a, back });
            }
            _ => {}
        }
    }

    fn thread_primitive(&mut self, to: Option<Id<Place>>, primitive: Primitive, values: &[Reg]) {
        let d = self.temporary(Class::Pointer);
        self.emit(match (primitive, values) {
            (Primitive::Spawn, &[a, b]) => Instr::Spawn { d, a, b },
            (Primitive::Join, &[a]) => Instr::Join { d, a },
            (Primitive::ThreadExit, &[a]) => Instr::ThreadExit { a },
            (Primitive::ThreadSelf, []) => Instr::ThreadSelf { d },
            (Primitive::Yield, []) => Instr::GiveWay,
            (Primitive::Lock, &[a]) => Instr::SetCell { a, value: true },
            (Primitive::Unlock, &[a]) => Instr::SetCell { a, value: false },
            (Primitive::AtomicBegin, []) | (Primitive::AtomicWhen, &[_]) => Instr::AtomicBegin,
            (Primitive::AtomicEnd, []) => Instr::AtomicEnd,
            _ => Instr::Stuck,
        });
        if let Some(to) = to {
            self.store(to, d);
        }
    }

    fn primitive(&mut self, to: Option<Id<Place>>, primitive: Primitive, arguments: &[Id<Expr>]) {
        let values: Vec<Reg> = arguments.iter().map(|a| self.value(*a)).collect();
        let result = |this: &mut Self| this.temporary(Class::Pointer);
        match (primitive, values.as_slice()) {
            (Primitive::Allocate | Primitive::AllocateLocal, &[a]) => {
                let d = result(self);
                let local = primitive == Primitive::AllocateLocal;
                self.emit(Instr::Allocate { d, a, local });
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
            (Primitive::HavocBytes, &[a, size]) => {
                self.emit(Instr::HavocBytes { a, size });
            }
            (Primitive::VaStart, &[a]) => {
                self.emit(Instr::VaStart { a });
            }
            (Primitive::VaEnd, &[a]) => {
                self.emit(Instr::VaEnd { a });
            }
            (Primitive::VaCopy, &[to, from]) => {
                self.emit(Instr::VaCopy { to, from });
            }
            (Primitive::VaArg, &[a]) => self.next_argument(to, a),
            (Primitive::Atom, &[formula, atom, truth]) => {
                let a = self.truth(arguments[2], truth);
                self.emit(Instr::Atom { formula, atom, a });
            }
            (Primitive::Letter, &[formula]) => {
                self.emit(Instr::Letter { formula });
            }
            (thread, values) if thread.is_thread() => self.thread_primitive(to, thread, values),
            _ => {
                let text = self.text("a primitive with other arguments than it has");
                self.emit(Instr::Unsupported { text });
            }
        }
    }

    fn next_argument(&mut self, to: Option<Id<Place>>, a: Reg) {
        let program = self.shared.program;
        let scalar = match to {
            Some(to) => program.types.scalar(program.places[to].ty),
            None => Some(ScalarType::INT),
        };
        match (scalar, to) {
            (Some(scalar), _) => {
                let d = self.temporary(class_of(scalar));
                let ty = self.type_number(scalar);
                self.emit(Instr::VaArg { d, a, ty });
                if let Some(to) = to {
                    self.store(to, d);
                }
            }
            (None, Some(to)) => {
                if let Some(p) = self.place(to) {
                    self.emit(Instr::VaArgRecord { p, a });
                }
            }
            (None, None) => {}
        }
    }

    fn check(&mut self, check: &Check) {
        let program = self.shared.program;
        if !self.shared.options.checks.contains(check.kind()) && !program.is_trap(check) {
            return;
        }
        match *check {
            Check::Overflow(expr) => self.check_overflow(expr),
            Check::Division(divisor) => {
                let value = self.value(divisor);
                let a = self.truth(divisor, value);
                self.emit(Instr::CheckNonZero { a, kind: CheckKind::Division });
            }
            Check::Shift(expr) => {
                if let ExprKind::Binary(_, left, amount) = program.exprs[expr].kind {
                    let mut a = self.value(amount);
                    let ty = self.type_of(amount);
                    if class_of(ty) == Class::Wide {
                        let d = self.temporary(Class::One);
                        self.slow(SlowOp::Saturate(ty), d, a, a);
                        a = d;
                    }
                    self.emit(Instr::CheckShift { a, width: self.type_of(left).bits() });
                }
            }
            Check::FloatConversion(expr) => {
                if let ExprKind::Convert(operand) = program.exprs[expr].kind {
                    let a = self.value(operand);
                    let op = SlowOp::FloatFits(self.type_of(operand), self.type_of(expr));
                    self.slow(op, NONE, a, a);
                }
            }
            Check::Access { place, write } => {
                if let Base::Variable(variable) = program.places[place].base
                    && !self.shared.in_memory[variable.index()]
                {
                    return;
                }
                if let Some(p) = self.place(place) {
                    self.emit(Instr::CheckAccess { p, write });
                }
            }
            Check::AccessBytes { pointer, size, write } => {
                let a = self.value(pointer);
                let b = self.value(size);
                self.emit(Instr::CheckAccessBytes { a, b, write });
            }
            Check::Initialized(place) => {
                if let Base::Variable(variable) = program.places[place].base
                    && !self.shared.in_memory[variable.index()]
                {
                    return;
                }
                if let Some(p) = self.place(place) {
                    self.emit(Instr::CheckWritten { p });
                }
            }
            Check::Free(pointer) => {
                let a = self.value(pointer);
                self.emit(Instr::CheckFree { a });
            }
            Check::Callable(pointer) => {
                let a = self.value(pointer);
                let ty = program.exprs[pointer].ty;
                let ty = program.types.pointee(ty).unwrap_or(ty).index() as u32;
                self.emit(Instr::CheckCallable { a, ty });
            }
            Check::Sequenced { apart, .. } => {
                let value = self.value(apart);
                let a = self.truth(apart, value);
                self.emit(Instr::CheckNonZero { a, kind: CheckKind::Sequenced });
            }
            Check::Unreachable => {
                self.emit(Instr::Unreachable);
            }
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
            None if bits > 64 => {
                let zero = self.temporary(Class::Wide);
                let none = self.constant(0);
                self.slow(SlowOp::Convert(ScalarType::INT, ty), zero, none, none);
                zero
            }
            None => self.constant(0),
        };
        let b = self.value(right);
        let amount = self.type_of(right);
        match op {
            Binary::Add if bits <= 64 => {
                self.emit(Instr::CheckAdd { a, b, bits });
            }
            Binary::Sub if bits <= 64 => {
                self.emit(Instr::CheckSub { a, b, bits });
            }
            Binary::Mul if bits <= 64 => {
                self.emit(Instr::CheckMul { a, b, bits });
            }
            _ => self.slow(SlowOp::Fits(op, ty, amount), NONE, a, b),
        }
    }
}

/// Why a failed slow check ends the run.
pub(crate) fn failed_kind(op: SlowOp) -> CheckKind {
    match op {
        SlowOp::FloatFits(..) => CheckKind::FloatConversion,
        _ => CheckKind::Overflow,
    }
}
