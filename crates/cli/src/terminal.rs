//! Standard output, and what the terminal can do.

use parallax::report::Look;
use std::io::{IsTerminal, Write};

/// Writes to standard output.
///
/// A reader that went away (`| head`) is no error: it has seen enough.
pub(crate) fn print(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
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
