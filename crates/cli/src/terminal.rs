//! Standard output, and what the terminal can do.

use parallax::report::Look;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether something could not be written to standard output.
static LOST: AtomicBool = AtomicBool::new(false);

/// Whether a result did not reach its reader (a full disk, say).
pub(crate) fn output_was_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Writes to standard output.
///
/// A reader that went away (`| head`) is no error: it has seen enough.
pub(crate) fn print(text: &str) {
    print_bytes(text.as_bytes());
}

/// Writes bytes to standard output as they are.
pub(crate) fn print_bytes(bytes: &[u8]) {
    let mut out = std::io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    if let Err(error) = written
        && error.kind() != ErrorKind::BrokenPipe
    {
        LOST.store(true, Ordering::Relaxed);
        note(&format!("error: cannot write the result: {error}"));
    }
}

/// Writes a line to standard error.
pub(crate) fn note(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "{text}");
}

/// How text for standard output, or for standard error, should look.
pub(crate) fn look(terminal: &impl IsTerminal) -> Look {
    let plain = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    Look { color: terminal.is_terminal() && !plain, ..Look::default() }
}

/// Writes one JSON object on one line to standard output.
pub(crate) fn print_json(value: &impl serde::Serialize) {
    // Serializing plain data cannot fail.
    let text = serde_json::to_string(value).unwrap_or_default();
    print(&(text + "\n"));
}
