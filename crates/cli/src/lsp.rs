//! `parallax lsp`

use crate::exit::Exit;
use crate::failure::Failure;

/// Serves an editor over standard input and output.
pub(crate) fn run() -> Result<Exit, Failure> {
    let internal = |error: &dyn std::fmt::Display| Failure::internal(&error.to_string());
    let program = std::env::current_exe().map_err(|error| internal(&error))?;
    let settings = parallax_lsp::Settings { program, arguments: Vec::new() };
    parallax_lsp::serve(settings).map_err(|error| internal(&error))?;
    Ok(Exit::Holds)
}
