//! A thread with a stack large enough for every tree the parser lets through.

/// Bytes of stack; only what is used becomes memory.
const LARGE: usize = 1 << 30;

/// Runs `work` on a thread with a large stack and returns its result.
///
/// Parser, checker and lowering recurse within the parser's bounds on nesting,
/// which is more than a common stack holds.
pub fn on_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("front-c".to_owned()).stack_size(LARGE);
        #[expect(clippy::expect_used, reason = "no address space for a stack: nothing can run")]
        let thread = builder.spawn_scoped(scope, work).expect("a thread for the C front end");
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}
