//! Threads with stacks of their own size, where there is room for them.
//!
//! A large stack costs address space only, which is plenty unless somebody
//! limited it (`ulimit -v`). Then stacks are smaller, so that something is left
//! for the work itself.

use std::fmt;
use std::io;
use std::panic::resume_unwind;
use std::thread::{Builder, scope};

/// No stack is smaller.
const LEAST: usize = 1 << 20;

/// The system refused a thread. It unwinds from [`on_stack`] as a panic does, for
/// whoever runs the work to tell from a bug.
#[derive(Debug)]
pub struct NoThread(pub io::Error);

impl fmt::Display for NoThread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the system refuses a thread: {}", self.0)
    }
}

/// Runs `work` in a new thread with a stack of `wanted` bytes, or less if there
/// is no room for it, and returns what it returns; a panic in it is carried on
/// here.
pub fn on_stack<T: Send>(wanted: usize, work: impl FnOnce() -> T + Send) -> T {
    scope(|scope| match Builder::new().stack_size(stack_size(wanted)).spawn_scoped(scope, work) {
        Ok(handle) => handle.join().unwrap_or_else(|panic| resume_unwind(panic)),
        Err(error) => resume_unwind(Box::new(NoThread(error))),
    })
}

/// The size of a stack that there is room for: at most `wanted`, and at most a
/// quarter of what is left.
pub fn stack_size(wanted: usize) -> usize {
    let left = address_space_left().and_then(|left| usize::try_from(left / 4).ok());
    let size = left.map_or(wanted, |part| part.min(wanted).max(LEAST));
    size / LEAST * LEAST
}

/// Bytes of address space that this process may still use; `None` if nobody
/// limited it.
pub fn address_space_left() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let used = crate::budget::status_kib("VmSize")? * 1024;
    Some(address_space_limit(&limits)?.saturating_sub(used))
}

/// The limit in force, from the text of `/proc/self/limits`.
fn address_space_limit(limits: &str) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix("Max address space"))?;
    line.split_whitespace().next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn results_and_panics_come_back() {
        assert_eq!(on_stack(8 << 20, || 7), 7);
        let panic = catch_unwind(|| on_stack(8 << 20, || resume_unwind(Box::new(8))));
        assert_eq!(panic.err().and_then(|p| p.downcast::<i32>().ok()).map(|n| *n), Some(8));
    }

    #[test]
    fn limits_are_read() {
        let text = "Limit                     Soft Limit  Hard Limit  Units     \n\
            Max address space         512000000   unlimited   bytes     \n";
        assert_eq!(address_space_limit(text), Some(512_000_000));
        assert_eq!(address_space_limit("Max address space  unlimited  unlimited  bytes"), None);
        assert_eq!(address_space_limit(""), None);
    }
}
