//! `parallax fmt`

use crate::args::FmtArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{files, terminal};
use parallax::report::escape::visible;
use parallax::{format_model, read_text};
use std::io::Read;
use std::path::Path;

/// Formats files in place, or says which are not in style. A file with errors
/// is left alone; the others are still formatted.
pub(crate) fn run(args: &FmtArgs) -> Result<Exit, Failure> {
    let mut exit = Exit::Holds;
    for file in &args.files {
        match format_file(file, args.check) {
            Ok(true) => {}
            Ok(false) if exit == Exit::Holds => exit = Exit::Violated,
            Ok(false) => {}
            Err(failure) => {
                failure.print(false);
                exit = failure.exit();
            }
        }
    }
    Ok(exit)
}

/// Whether the file is in style, or was brought into it.
fn format_file(path: &Path, check: bool) -> Result<bool, Failure> {
    let from_stdin = path.as_os_str() == "-";
    let name = if from_stdin { "<stdin>".into() } else { path.to_string_lossy() };
    let text = if from_stdin { stdin()? } else { read_text(path)? };
    let styled = format_model(&name, &text)?;
    if check {
        if styled != text {
            terminal::print(&format!("{}\n", visible(&name)));
        }
        return Ok(styled == text);
    }
    if from_stdin {
        terminal::print(&styled);
    } else if styled != text {
        files::write(path, |out| out.write_all(styled.as_bytes()))?;
    }
    Ok(true)
}

fn stdin() -> Result<String, Failure> {
    let mut bytes = Vec::new();
    let limit = parallax::MAX_BYTES;
    let read = std::io::stdin().take(limit as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|e| Failure::input("P0002", &format!("cannot read standard input: {e}")))?;
    if bytes.len() > limit {
        let message = format!("standard input is larger than {} MiB", limit >> 20);
        return Err(Failure::input("P0003", &message));
    }
    String::from_utf8(bytes)
        .map_err(|_| Failure::input("P0004", "standard input is not text: not UTF-8"))
}
