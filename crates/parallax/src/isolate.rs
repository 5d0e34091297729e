//! Every engine run and every certificate check gets a thread of its own.
//!
//! The solver in the process keeps its state per thread. A query that was
//! interrupted can leave that state damaged, so nothing is carried over: not
//! from one property to the next, not from an engine to the checker of its
//! evidence. It also makes results independent of what was checked before.

use std::thread::{Builder, scope};

/// Stack of such a thread. Our code does not recurse on the depth of its
/// input; solvers do.
const STACK: usize = 256 << 20;

/// Runs `work` in a new thread and returns what it returns; a panic in it is
/// carried on here.
pub(crate) fn isolated<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    scope(|scope| match Builder::new().stack_size(STACK).spawn_scoped(scope, work) {
        Ok(handle) => handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
        Err(error) => {
            std::panic::resume_unwind(Box::new(format!("cannot start a thread: {error}")))
        }
    })
}
