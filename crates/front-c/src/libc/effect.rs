//! What a call of a library function does to the program, in rough terms.

use super::names::{Operation, operation_of};
use parallax_cfa::Primitive;

/// What a function does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Does {
    /// Reads memory that it is given.
    pub(crate) reads: bool,
    /// Writes memory that it is given, or ends its life.
    pub(crate) writes: bool,
    /// May end the run.
    pub(crate) halts: bool,
    /// May be an error.
    pub(crate) fails: bool,
}

/// Whether a name is that of an operation.
pub(crate) fn is_operation(name: &str) -> bool {
    operation_of(name).is_some()
}

/// What an operation of the library does.
pub(crate) fn operation_does(name: &str) -> Does {
    let nothing = Does::default();
    match operation_of(name) {
        None
        | Some(
            Operation::Nothing
            | Operation::Zero
            | Operation::Input
            | Operation::Any
            | Operation::Allocate(_)
            | Operation::AllocateZero
            | Operation::AllocateLocal
            | Operation::ObjectSize
            | Operation::Thread(Primitive::ThreadSelf | Primitive::ThreadMark)
            | Operation::Show(_)
            | Operation::Float(_)
            | Operation::InfinitySign,
        ) => nothing,
        Some(Operation::Assume | Operation::Halt) => Does { halts: true, ..nothing },
        Some(Operation::Assert | Operation::Error) => Does { fails: true, ..nothing },
        Some(Operation::Stream | Operation::Readable | Operation::Demand(_)) => {
            Does { reads: true, ..nothing }
        }
        Some(
            Operation::Free
            | Operation::Set
            | Operation::Clear
            | Operation::Havoc
            | Operation::Errno,
        ) => Does { writes: true, ..nothing },
        Some(
            Operation::Copy { .. }
            | Operation::Scan(_)
            | Operation::Print { .. }
            | Operation::Thread(_),
        ) => Does { reads: true, writes: true, ..nothing },
        Some(Operation::Unsupported(_)) => {
            Does { reads: true, writes: true, halts: true, fails: true }
        }
    }
}
