//! Exit codes: part of the contract with scripts.

use parallax::Verdict;
use std::io::Write;

/// How a command ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// All properties hold; or the command did what it was asked.
    Holds = 0,
    /// The command line makes no sense.
    Usage = 2,
    /// Some property is violated; for `fmt --check`, some file is not in style.
    Violated = 10,
    /// Some property is open and none is violated.
    Unknown = 20,
    /// A file cannot be read, written or understood.
    BadInput = 65,
    /// A bug in Parallax.
    Internal = 70,
}

impl Exit {
    /// Ends the process at once.
    ///
    /// Nothing is dropped on the way: freeing millions of states takes
    /// seconds, and a solver that did not come back may still be at work in
    /// another thread.
    pub(crate) fn leave(self) -> ! {
        // There is nobody left to tell about a failure here.
        let _ = std::io::stdout().flush();
        let _ = std::io::stderr().flush();
        let exit = if crate::terminal::output_was_lost() { Exit::BadInput } else { self };
        leave_with(exit as i32)
    }
}

/// Ends the process at once, with the code of another one.
pub(crate) fn leave_with(code: i32) -> ! {
    signal_hook::low_level::exit(code)
}

impl From<Verdict> for Exit {
    fn from(verdict: Verdict) -> Exit {
        match verdict {
            Verdict::Holds => Exit::Holds,
            Verdict::Violated => Exit::Violated,
            Verdict::Unknown => Exit::Unknown,
        }
    }
}
