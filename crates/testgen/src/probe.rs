//! Probes: places of the container's code whose passing counts as coverage.

use rustc_hash::FxHashSet;
use std::cell::RefCell;

thread_local! {
    static SEEN: RefCell<FxHashSet<(u32, u64)>> = RefCell::default();
    static NEW: RefCell<Vec<(u32, u64)>> = const { RefCell::new(Vec::new()) };
}

/// Notes that a block was entered, with facts about the state there. Each
/// combination counts once per search.
pub fn probe(block: u32, facts: u64) {
    if SEEN.with_borrow_mut(|seen| seen.insert((block, facts))) {
        NEW.with_borrow_mut(|new| new.push((block, facts)));
    }
}

/// Forgets everything.
pub(crate) fn begin() {
    SEEN.with_borrow_mut(FxHashSet::clear);
    NEW.with_borrow_mut(Vec::clear);
}

/// What came since the last question.
pub(crate) fn take_news() -> Vec<(u32, u64)> {
    NEW.with_borrow_mut(std::mem::take)
}
