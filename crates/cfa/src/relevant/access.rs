//! What operations read and write, by variable.

use crate::{
    Argument, Base, Callee, Check, Expr, ExprKind, Op, Place, Primitive, Program, Step, Variable,
};
use parallax_base::Id;
use std::collections::BTreeSet;

/// Something that is read or written.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Access {
    /// A variable, or a part of it.
    Variable {
        /// Which.
        variable: Id<Variable>,
        /// Whether all of it.
        whole: bool,
    },
    /// Something behind a pointer.
    Memory,
    /// Whether objects behind pointers live.
    Life,
}

/// A part of a program whose reads are asked for.
#[derive(Clone, Copy)]
enum Part {
    Expr(Id<Expr>),
    /// A place that is read.
    Load(Id<Place>),
    /// A place of which the way is read, not what is there.
    Way(Id<Place>),
    /// Whether what pointers point to lives.
    Life,
}

/// Finds reads and writes.
pub(super) struct Reads<'a> {
    program: &'a Program,
}

impl<'a> Reads<'a> {
    pub(super) fn new(program: &'a Program) -> Reads<'a> {
        Reads { program }
    }

    /// What an argument reads.
    pub(super) fn argument(&self, argument: &Argument) -> Vec<Access> {
        self.of(vec![match argument {
            Argument::Scalar(e) => Part::Expr(*e),
            Argument::Aggregate(place) => Part::Load(*place),
        }])
    }

    /// What a store to a place writes, and what the way there reads.
    pub(super) fn target(&self, place: Id<Place>) -> (Access, Vec<Access>) {
        let found = &self.program.places[place];
        let write = match found.base {
            Base::Variable(variable) => {
                let whole = found.path.is_empty() && found.bits.is_none();
                Access::Variable { variable, whole }
            }
            Base::Pointer(_) => Access::Memory,
        };
        (write, self.of(vec![Part::Way(place)]))
    }

    /// What an operation writes and reads, as far as it stays in its function.
    pub(super) fn op(&self, op: &Op) -> (Vec<Access>, Vec<Access>) {
        let mut writes = Vec::new();
        let mut parts = Vec::new();
        let mut store = |to: &Id<Place>, parts: &mut Vec<Part>| {
            writes.push(self.target(*to).0);
            parts.push(Part::Way(*to));
        };
        match op {
            Op::Assume(e) => parts.push(Part::Expr(*e)),
            Op::Assign(to, e) => {
                store(to, &mut parts);
                parts.push(Part::Expr(*e));
            }
            Op::Copy { to, from } => {
                store(to, &mut parts);
                parts.push(Part::Load(*from));
            }
            Op::Input { to, .. } | Op::Havoc { to, .. } => store(to, &mut parts),
            Op::Check(check) => parts.extend(check_parts(check)),
            Op::Call { to, callee, arguments } => {
                to.iter().for_each(|to| store(to, &mut parts));
                writes.push(Access::Memory);
                if let Callee::Indirect(e) = callee {
                    parts.push(Part::Expr(*e));
                }
                parts.extend(arguments.iter().map(|a| match a {
                    Argument::Scalar(e) => Part::Expr(*e),
                    Argument::Aggregate(place) => Part::Load(*place),
                }));
            }
            Op::Primitive { to, primitive, arguments } => {
                to.iter().for_each(|to| store(to, &mut parts));
                match primitive {
                    Primitive::Allocate | Primitive::AllocateLocal => {}
                    Primitive::Free => writes.push(Access::Life),
                    _ => writes.push(Access::Memory),
                }
                parts.extend(arguments.iter().map(|&e| Part::Expr(e)));
            }
            Op::Return(Some(Argument::Scalar(e))) => parts.push(Part::Expr(*e)),
            Op::Return(Some(Argument::Aggregate(place))) => parts.push(Part::Load(*place)),
            Op::Live(variable, size) => {
                writes.push(Access::Variable { variable: *variable, whole: true });
                parts.extend(size.map(Part::Expr));
            }
            Op::Dead(variable) if self.program.variables[*variable].address_taken => {
                writes.push(Access::Life);
            }
            Op::Skip
            | Op::Return(None)
            | Op::Dead(_)
            | Op::Error(_)
            | Op::Halt(_)
            | Op::Unsupported(_) => {}
        }
        (writes, self.of(parts))
    }

    /// Everything that some parts read, each once.
    fn of(&self, mut open: Vec<Part>) -> Vec<Access> {
        let mut found = BTreeSet::new();
        let mut seen: BTreeSet<Id<Expr>> = BTreeSet::new();
        while let Some(part) = open.pop() {
            match part {
                Part::Expr(id) => {
                    if seen.insert(id) {
                        self.open_expr(id, &mut open);
                    }
                }
                Part::Load(id) => {
                    found.insert(match self.program.places[id].base {
                        Base::Variable(variable) => Access::Variable { variable, whole: true },
                        Base::Pointer(_) => Access::Memory,
                    });
                    open.push(Part::Way(id));
                }
                Part::Life => {
                    found.insert(Access::Life);
                }
                Part::Way(id) => {
                    let place = &self.program.places[id];
                    if let Base::Pointer(pointer) = place.base {
                        open.push(Part::Expr(pointer));
                    }
                    open.extend(place.path.iter().filter_map(|step| match step {
                        Step::Index(index) => Some(Part::Expr(*index)),
                        Step::Member(..) => None,
                    }));
                }
            }
        }
        found.into_iter().collect()
    }

    fn open_expr(&self, id: Id<Expr>, open: &mut Vec<Part>) {
        match &self.program.exprs[id].kind {
            ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
            ExprKind::Load(place) => open.push(Part::Load(*place)),
            ExprKind::Address(place) => open.push(Part::Way(*place)),
            ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectSize(a) => {
                open.push(Part::Expr(*a));
            }
            ExprKind::Binary(_, a, b) => open.extend([Part::Expr(*a), Part::Expr(*b)]),
            ExprKind::PointerAdd { pointer: a, index: b, scale: c }
            | ExprKind::PointerDiff { left: a, right: b, scale: c }
            | ExprKind::Conditional(a, b, c) => {
                open.extend([Part::Expr(*a), Part::Expr(*b), Part::Expr(*c)]);
            }
        }
    }
}

fn check_parts(check: &Check) -> Vec<Part> {
    match check {
        Check::Overflow(e)
        | Check::Division(e)
        | Check::Shift(e)
        | Check::FloatConversion(e)
        | Check::Callable(e) => vec![Part::Expr(*e)],
        Check::Free(e) => vec![Part::Expr(*e), Part::Life],
        Check::Access { place, .. } | Check::Alone { place, .. } => {
            vec![Part::Way(*place), Part::Life]
        }
        Check::Initialized(place) | Check::Lock(place, _) => vec![Part::Load(*place)],
        Check::AccessBytes { pointer, size, .. } | Check::AloneBytes { pointer, size, .. } => {
            vec![Part::Expr(*pointer), Part::Expr(*size), Part::Life]
        }
        Check::Sequenced { apart, .. } | Check::Index { within: apart, .. } => {
            vec![Part::Expr(*apart)]
        }
        Check::Unreachable => Vec::new(),
    }
}
