//! Threads: operations of the program form, and which programs need them.

use super::{Outcome, Request};
use crate::lower::Body;
use crate::typed::{ExprKind, Program};
use parallax_cfa::{Check, Op, Primitive};

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
    /// An operation on threads. Atomic sections mean nothing to one thread.
    pub(super) fn thread(&mut self, request: &Request<'_>, primitive: Primitive) -> Outcome {
        let span = request.span;
        if !self.cx.threads {
            return Outcome::Value(None);
        }
        let arguments: Vec<_> = request.arguments.iter().copied().flatten().collect();
        match primitive {
            Primitive::Spawn | Primitive::Join | Primitive::ThreadSelf => {
                let way = self.temporary(request.ty);
                self.primitive(Some(&way), primitive, arguments, span);
                Outcome::Value(Some(self.load(&way)))
            }
            Primitive::ThreadExit => {
                self.primitive(None, primitive, arguments, span);
                // Nobody comes here.
                self.stop(Op::Halt, span);
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
            _ => {
                self.primitive(None, primitive, Vec::new(), span);
                Outcome::Value(None)
            }
        }
    }
}
