//! Why a call ended before it returned.

use parallax_base::{Id, Span};
use parallax_cfa::Function;
use std::fmt;
use std::sync::Arc;

/// Why a call ended before it returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Trap {
    /// A failed assertion, or a call of the error function.
    Error(Arc<str>),
    /// An access through a null pointer.
    Null,
    /// An access outside of its object.
    Bounds,
    /// An access to an object that has ended.
    Dead,
    /// An access through a number that is no address.
    Wild,
    /// A write to constant memory.
    ReadOnly,
    /// A read of bytes that were never written.
    Unwritten,
    /// `free` of something that is not the start of a heap object.
    BadFree,
    /// `free` of an object that has ended.
    DoubleFree,
    /// A signed operation whose result does not fit.
    Overflow,
    /// A division by zero.
    Division,
    /// An object is written and accessed again in no fixed order.
    Sequencing,
    /// An index leaves its array.
    Index,
    /// A shift by a negative or too large amount.
    Shift,
    /// A conversion from a float that does not fit.
    FloatConversion,
    /// A call through a pointer to no function, or to one of another type.
    Callable,
    /// A place that the program says is never reached.
    Unreachable,
    /// The program ended itself: `exit` or `abort`.
    Halt,
    /// More steps than allowed in one call.
    Steps,
    /// More calls inside each other than allowed.
    Depth,
    /// More memory than allowed.
    Memory,
    /// A construct that is not covered.
    Unsupported(Arc<str>),
    /// The symbolic path ends here: what was decided cannot be.
    Infeasible,
    /// A symbolic value must be known, and too many values are possible.
    TooManyValues,
}

impl Trap {
    /// Whether the program did something wrong (and not the search).
    pub fn is_failure(&self) -> bool {
        !matches!(self, Trap::Unsupported(_) | Trap::Infeasible | Trap::TooManyValues)
    }
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Trap::Error(text) => return write!(f, "assertion fails: {text}"),
            Trap::Unsupported(text) => return write!(f, "not supported: {text}"),
            Trap::Null => "access through a null pointer",
            Trap::Bounds => "access outside of its object",
            Trap::Dead => "use after free",
            Trap::Wild => "access through a pointer to no object",
            Trap::ReadOnly => "write to constant memory",
            Trap::Unwritten => "read of memory that was never written",
            Trap::BadFree => "free of something that malloc did not return",
            Trap::DoubleFree => "double free",
            Trap::Overflow => "signed overflow",
            Trap::Division => "division by zero",
            Trap::Sequencing => "an object is written and accessed again in no fixed order",
            Trap::Index => "an index leaves its array",
            Trap::Shift => "shift by a negative or too large amount",
            Trap::FloatConversion => "conversion of a float that does not fit",
            Trap::Callable => "call through a pointer to no function of this type",
            Trap::Unreachable => "a place marked as unreachable is reached",
            Trap::Halt => "the operation ends the program",
            Trap::Steps => "the operation does not end within the limit of steps",
            Trap::Depth => "the operation recurses too deeply",
            Trap::Memory => "the operation needs more memory than allowed",
            Trap::Infeasible => "no values of the parameters lead here",
            Trap::TooManyValues => "a parameter without a range must be known here",
        };
        f.write_str(text)
    }
}

/// Where a call was when it ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TrapPlace {
    /// In which function.
    pub function: Id<Function>,
    /// At which operation.
    pub span: Span,
}
