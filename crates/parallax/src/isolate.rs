//! Every engine run and every certificate check gets a thread of its own.
//!
//! The solver in the process keeps its state per thread. A query that was
//! interrupted can leave that state damaged, so nothing is carried over: not
//! from one property to the next, not from an engine to the checker of its
//! evidence. It also makes results independent of what was checked before.

/// Stack of such a thread. Our code does not recurse on the depth of its
/// input; solvers do.
const STACK: usize = 256 << 20;

/// Runs `work` in a new thread and returns what it returns; a panic in it is
/// carried on here.
pub(crate) fn isolated<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    parallax_base::on_stack(STACK, work)
}

/// Stack for work on diagrams, which recurses on the number of components and
/// of their states.
const DEEP: usize = 2 << 30;

/// Runs `work` where recursion may be deep.
pub(crate) fn deep<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    parallax_base::on_stack(DEEP, work)
}
