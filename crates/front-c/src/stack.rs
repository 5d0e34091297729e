//! A thread with a stack large enough for every tree the parser lets through.

/// Bytes of stack; only what is used becomes memory.
const LARGE: usize = 1 << 30;

/// Runs `work` on a thread with a large stack and returns its result.
///
/// Parser, checker and lowering recurse within the parser's bounds on nesting,
/// which is more than a common stack holds.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    parallax_base::on_stack(LARGE, work)
}
