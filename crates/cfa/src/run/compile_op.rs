//! Primitives as instructions: memory, argument lists, threads, formulas.

use super::code::{Instr, NONE, Reg, class_of};
use super::compile::Compiler;
use super::outcome::CheckKind;
use crate::registers::{Class, Operations, SlowOp, Target, Values};
use crate::{Expr, Op, Place, Primitive, ScalarType};
use parallax_base::Id;

impl Compiler<'_, '_> {
    /// Before an edge that may have to wait.
    pub(crate) fn await_turn(&mut self, op: &Op) {
        let Op::Primitive { primitive, arguments, .. } = op else { return };
        let (true, [first, ..]) = (primitive.is_thread(), &arguments[..]) else { return };
        let back = self.work.instrs.len() as u32;
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
        let d = self.work.temporary(Class::Pointer);
        self.emit(match (primitive, values) {
            (Primitive::Spawn, &[a, b]) => Instr::Spawn { d, a, b },
            (Primitive::Join, &[a]) => Instr::Join { d, a },
            (Primitive::ThreadExit, &[a]) => Instr::ThreadExit { a },
            (Primitive::ThreadSelf, []) => Instr::ThreadSelf { d },
            (Primitive::ThreadMark, []) => Instr::ThreadMark { d },
            (Primitive::Sleep, &[a]) => Instr::Sleep { a },
            (Primitive::Rise, []) => Instr::Rise,
            (Primitive::Wake, &[a, thread]) => Instr::Wake { a, thread },
            (Primitive::WakeAll, &[a]) => Instr::Wake { a, thread: NONE },
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

    /// What only the interpreter does in this way.
    pub(crate) fn own_primitive(
        &mut self,
        to: Option<Id<Place>>,
        primitive: Primitive,
        arguments: &[Id<Expr>],
        values: &[Reg],
    ) {
        match (primitive, values) {
            (Primitive::Allocate | Primitive::AllocateLocal, &[a]) => {
                let d = self.work.temporary(Class::Pointer);
                let local = primitive == Primitive::AllocateLocal;
                self.emit(Instr::Allocate { d, a, local });
                if let Some(to) = to {
                    self.store(to, d);
                }
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
            _ => self.unsupported("a primitive with other arguments than it has"),
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
                let d = self.work.temporary(class_of(scalar));
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
}

/// Why a failed slow check ends the run.
pub(crate) fn failed_kind(op: SlowOp) -> CheckKind {
    match op {
        SlowOp::FloatFits(..) => CheckKind::FloatConversion,
        _ => CheckKind::Overflow,
    }
}
