//! Threads: operations of the program form, and which programs need them.

use super::{Outcome, Request};
use crate::lower::Body;
use crate::typed::{ExprKind, Program};
use parallax_base::{Id, Span};
use parallax_cfa::{Check, Expr, Halt, LockRule, Op, Primitive};

/// Whether a program may start threads: it mentions `pthread_create`, and does
/// not define it.
pub(crate) fn has_threads(program: &Program) -> bool {
    program.exprs.iter().any(|expr| match &expr.kind {
        ExprKind::Function(function) => {
            let function = &program.functions[*function];
            *function.name == *"pthread_create" && function.body.is_none()
        }
        _ => false,
    })
}

impl Body<'_, '_> {
    /// An operation on threads.
    pub(super) fn thread(&mut self, request: &Request<'_>, primitive: Primitive) -> Outcome {
        let span = request.span;
        let arguments: Vec<_> = request.arguments.iter().copied().flatten().collect();
        if !self.cx.threads {
            return self.single(primitive, arguments.first().copied(), span);
        }
        match primitive {
            Primitive::Spawn | Primitive::Join | Primitive::ThreadSelf | Primitive::ThreadMark => {
                let way = self.temporary(request.ty);
                self.primitive(Some(&way), primitive, arguments, span);
                Outcome::Value(Some(self.load(&way)))
            }
            Primitive::ThreadExit => {
                self.primitive(None, primitive, arguments, span);
                // Nobody comes here.
                self.stop(Op::Halt(Halt::End), span);
                Outcome::Value(None)
            }
            Primitive::Lock | Primitive::Unlock | Primitive::AtomicWhen => {
                if let [pointer] = arguments[..] {
                    let size = self.cx.build.int(4, self.cx.build.size);
                    self.demand(Check::AccessBytes { pointer, size, write: true }, span);
                    self.primitive(None, primitive, arguments, span);
                }
                Outcome::Value(None)
            }
            Primitive::Sleep | Primitive::Wake | Primitive::WakeAll => {
                self.primitive(None, primitive, arguments, span);
                Outcome::Value(None)
            }
            _ => {
                self.primitive(None, primitive, Vec::new(), span);
                Outcome::Value(None)
            }
        }
    }

    /// A demand on the state of a lock.
    pub(super) fn demand_lock(&mut self, request: &Request<'_>, rule: LockRule) {
        let Some(pointer) = request.argument(0) else { return };
        let int = self.cx.build.int;
        let size = self.cx.build.int(4, self.cx.build.size);
        self.demand(Check::AccessBytes { pointer, size, write: true }, request.span);
        let cell = self.cx.build.pointee_way(pointer, int, false);
        let cell = self.place(&cell);
        self.demand(Check::Lock(cell, rule), request.span);
    }

    /// The same where there is one thread. Atomic sections mean nothing to it,
    /// and where it waits, it waits for ever.
    fn single(&mut self, primitive: Primitive, argument: Option<Id<Expr>>, span: Span) -> Outcome {
        match (primitive, argument) {
            (Primitive::ThreadMark, _) => return Outcome::Value(Some(self.number(1))),
            (Primitive::ThreadSelf, _) => return Outcome::Value(Some(self.number(0))),
            (Primitive::Lock | Primitive::Unlock | Primitive::AtomicWhen, Some(pointer)) => {
                let int = self.cx.build.int;
                let cell = self.cx.build.pointee_way(pointer, int, false);
                if primitive != Primitive::Unlock {
                    let state = self.read(&cell, span);
                    let (waits, goes_on) = self.split(state, span);
                    self.at(waits);
                    self.stop(Op::Halt(Halt::Wait), span);
                    self.at(goes_on);
                }
                let state = match primitive {
                    Primitive::Lock => self.number(1),
                    Primitive::Unlock => self.number(0),
                    _ => return Outcome::Value(None),
                };
                self.store(&cell, state, false, span);
            }
            // The last thread ends, and the program with it.
            (Primitive::ThreadExit, _) => self.stop(Op::Halt(Halt::End), span),
            (Primitive::Spawn | Primitive::Join, _) => {
                self.unsupported("threads: waiting for a thread", span);
            }
            _ => {}
        }
        Outcome::Value(None)
    }
}
