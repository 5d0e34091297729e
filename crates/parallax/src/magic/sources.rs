//! The C files of a system: named one by one, or by a compilation database.
//!
//! The procedures of a system are one program, read as one text. So what the
//! commands of a database define and where they look for headers must be the same
//! for all of its files, or at least not contradict each other; if it does, the
//! system is refused with the place.

use parallax_base::{Diagnostic, Diagnostics, SourceMap, Span};
use parallax_front_c::{Flag, compile_commands};
use parallax_front_magic::System;
use std::path::{Path, absolute};

/// Puts the files of databases in their place, with what their commands say.
pub(super) fn expand(
    system: &mut System,
    folder: &Path,
    sources: &mut SourceMap,
) -> Result<(), Diagnostics> {
    for (name, span) in std::mem::take(&mut system.sources) {
        if !name.ends_with(".json") {
            system.sources.push((name, span));
            continue;
        }
        let wrong = |message: String| {
            let mut all = Diagnostics::default();
            all.push(Diagnostic::error("F0030", span, message));
            all
        };
        let whole = |path: &Path| {
            let path = absolute(path).unwrap_or_else(|_| path.to_owned());
            path.to_string_lossy().into_owned()
        };
        let inputs = compile_commands(sources, &folder.join(&name))?;
        if inputs.is_empty() {
            return Err(wrong(format!("`{name}` names no C file")));
        }
        for input in inputs {
            for flag in &input.flags {
                match flag {
                    Flag::Include(path) | Flag::SystemInclude(path) | Flag::QuoteInclude(path) => {
                        add(&mut system.includes, whole(path));
                    }
                    Flag::Define(text) => define(system, text).map_err(wrong)?,
                    // One dialect is read, whatever it is called.
                    Flag::Standard(_) => {}
                    Flag::ForcedInclude(path) => {
                        add_source(system, whole(path), span);
                    }
                    Flag::Undefine(name) => {
                        let message = format!("`-U {name}` is not for the files of a system");
                        return Err(wrong(message));
                    }
                }
            }
            add_source(system, whole(&input.path), span);
        }
    }
    Ok(())
}

fn add(list: &mut Vec<String>, text: String) {
    if !list.contains(&text) {
        list.push(text);
    }
}

fn add_source(system: &mut System, name: String, span: Span) {
    if system.sources.iter().all(|(known, _)| *known != name) {
        system.sources.push((name, span));
    }
}

/// One more macro, if it does not contradict those that are there.
fn define(system: &mut System, text: &str) -> Result<(), String> {
    let name = |text: &str| text.split('=').next().unwrap_or_default().to_owned();
    let other = system.defines.iter().find(|known| name(known) == name(text) && *known != text);
    if let Some(other) = other {
        let message = format!("the files of the system define both `{other}` and `{text}`");
        return Err(message);
    }
    add(&mut system.defines, text.to_owned());
    Ok(())
}
