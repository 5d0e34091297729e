//! The same program as a solver process: what may hang or end its process is
//! asked of a child, and the child is this program started again.

use crate::exit::Exit;
use parallax::{PipeCommand, serve_z3};
use std::io::{BufReader, stdin, stdout};

/// The one argument of a solver process. No user gives it: it is not among the
/// options, and commands come over a pipe.
const SERVE: &str = "--serve-smtlib";

/// How to start a solver process.
pub(crate) fn command() -> Option<PipeCommand> {
    let program = std::env::current_exe().ok()?;
    Some(PipeCommand { program, arguments: vec![String::from(SERVE)] })
}

/// Serves, if this process was started for that.
pub(crate) fn served() -> Option<Exit> {
    let mut arguments = std::env::args_os().skip(1);
    if arguments.next()? != SERVE || arguments.next().is_some() {
        return None;
    }
    // Who asked may be gone; then nobody waits for an answer.
    let _ = serve_z3(BufReader::new(stdin()), stdout());
    Some(Exit::Holds)
}
