//! Ends queries whose budget is used up.
//!
//! Z3 has timeouts of its own, but each costs a handshake with a timer thread
//! (as much time as a small query takes) and none hears of a cancellation. So
//! one thread per process looks at all running queries every few milliseconds
//! and interrupts those that must end. It sleeps while none is running.

use parallax_base::Budget;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, LazyLock, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use z3::{Context, ContextHandle};

/// How often running queries are looked at.
const TICK: Duration = Duration::from_millis(5);

/// A running query.
struct Duty {
    budget: Budget,
    context: ContextHandle<'static>,
    /// Whether it was interrupted.
    interrupted: bool,
}

/// Where one solver posts its running query.
#[derive(Default)]
struct Post {
    duty: Mutex<Option<Duty>>,
}

struct Watcher {
    posts: Mutex<Vec<Weak<Post>>>,
    asleep: AtomicBool,
    wake: Condvar,
}

static WATCHER: LazyLock<Watcher> = LazyLock::new(|| {
    let thread = std::thread::Builder::new().name("z3-watch".into());
    let started = thread.spawn(|| WATCHER.watch());
    debug_assert!(started.is_ok(), "without a watcher no query is interrupted");
    Watcher { posts: Mutex::default(), asleep: AtomicBool::new(false), wake: Condvar::new() }
});

/// A panic elsewhere does not make the lists here wrong.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Watcher {
    fn watch(&self) {
        loop {
            // Asleep is said before looking: a query posted after the look
            // finds it and wakes us, one posted before is seen.
            self.asleep.store(true, Ordering::SeqCst);
            let mut posts = lock(&self.posts);
            posts.retain(|post| post.strong_count() > 0);
            let mut busy = false;
            for post in posts.iter().filter_map(Weak::upgrade) {
                if let Some(duty) = &mut *lock(&post.duty) {
                    busy = true;
                    if duty.budget.check().is_err() {
                        duty.context.interrupt();
                        duty.interrupted = true;
                    }
                }
            }
            if busy {
                self.asleep.store(false, Ordering::SeqCst);
                drop(posts);
                std::thread::sleep(TICK);
                continue;
            }
            while self.asleep.load(Ordering::SeqCst) {
                posts = self.wake.wait(posts).unwrap_or_else(PoisonError::into_inner);
            }
        }
    }

    fn wake(&self) {
        if self.asleep.swap(false, Ordering::SeqCst) {
            let _posts = lock(&self.posts);
            self.wake.notify_one();
        }
    }
}

/// One solver's access to the watcher.
pub(crate) struct Watch {
    context: Context,
    post: Arc<Post>,
}

impl Watch {
    /// For the queries of the calling thread's context.
    pub(crate) fn new() -> Watch {
        let post = Arc::default();
        lock(&WATCHER.posts).push(Arc::downgrade(&post));
        Watch { context: Context::thread_local(), post }
    }

    /// Runs a query that is interrupted when the budget ends.
    pub(crate) fn during<R>(&self, budget: &Budget, query: impl FnOnce() -> R) -> R {
        let posted = Posted::new(self, budget);
        let result = query();
        if posted.end() {
            heal();
        }
        result
    }
}

/// Takes back an interrupt that came when the query had already returned.
///
/// Z3 5.4 keeps it until the next check. A `push` before that is silently
/// damaged: after its `pop`, satisfiable formulas are called unsatisfiable.
/// So the next check is made at once, on a solver of its own.
fn heal() {
    z3::Solver::new().check();
}

/// Takes the query off the post again, also when it panics.
struct Posted<'a>(&'a Watch);

impl<'a> Posted<'a> {
    #[expect(unsafe_code, reason = "the watcher thread cannot borrow from this stack frame")]
    fn new(watch: &'a Watch, budget: &Budget) -> Posted<'a> {
        let context: ContextHandle<'a> = watch.context.handle();
        // SAFETY: the handle borrows `watch` for 'a. It is stored in the post only, used only
        // under the post's lock, and removed under that lock when the `Posted<'a>` made here is
        // dropped. `Posted` is a local of `Watch::during`, so it is dropped before 'a ends.
        let context: ContextHandle<'static> = unsafe { std::mem::transmute(context) };
        *lock(&watch.post.duty) =
            Some(Duty { budget: budget.clone(), context, interrupted: false });
        WATCHER.wake();
        Posted(watch)
    }

    /// Takes the query off the post; says whether it was interrupted.
    fn end(&self) -> bool {
        lock(&self.0.post.duty).take().is_some_and(|duty| duty.interrupted)
    }
}

impl Drop for Posted<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use z3::ast::{Bool, Int};
    use z3::{SatResult, Solver};

    /// Counts the sign patterns of `x - y` and `x`, with a push and a pop.
    fn patterns(solver: &Solver) -> usize {
        let (x, y) = (Int::new_const("x"), Int::new_const("y"));
        let atoms = [x.le(&y), x.le(-1), x.eq(&y)];
        let mut found = 0;
        solver.push();
        while solver.check() == SatResult::Sat {
            let model = solver.get_model().expect("after sat");
            let holds = |a: &Bool| model.eval(a, true).and_then(|v| v.as_bool()) == Some(true);
            let here: Vec<Bool> =
                atoms.iter().map(|a| if holds(a) { a.clone() } else { a.not() }).collect();
            solver.assert(Bool::and(&here).not());
            found += 1;
        }
        solver.pop(1);
        found
    }

    #[test]
    fn an_interrupt_that_comes_too_late_does_no_harm() {
        let watch = Watch::new();
        let ended = Budget::new(Some(Duration::ZERO), None);
        for _ in 0..3 {
            // No check is running while the interrupt arrives.
            watch.during(&ended, || std::thread::sleep(20 * TICK));
            let solver = Solver::new_for_logic("QF_LIA").expect("Z3 knows the logic");
            assert_eq!([patterns(&solver), patterns(&solver), patterns(&solver)], [6, 6, 6]);
        }
    }
}
