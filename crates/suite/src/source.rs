//! The text of the program inside the files that are written.
//!
//! The C files stand there as they are, one after the other, with files that
//! they include by `"..."` in place. `#line` keeps the places of the original,
//! so messages, debuggers and `gcov` speak of it.

use crate::Suite;
use std::fmt::Write;
use std::path::Path;

/// Files nested deeper than this are left to the compiler.
const DEPTH: usize = 16;

/// The program, self-contained. `main` of the program gets another name.
pub(crate) fn program_text(suite: &Suite<'_>) -> String {
    let mut out = String::new();
    for define in suite.defines {
        let (name, value) = define.split_once('=').unwrap_or((define, "1"));
        let _ = writeln!(out, "#define {name} {value}");
    }
    let has_main = suite.subject.program().functions.iter().any(|f| &*f.name == "main");
    if has_main {
        out.push_str("#define main parallax_other_main\n");
    }
    let mut included = Vec::new();
    for file in suite.files {
        paste(&mut out, file, 0, &mut included);
    }
    if has_main {
        out.push_str("#undef main\n");
    }
    out
}

/// The program's own definition of the probe, if it calls one in any build.
pub(crate) fn probe_definition(suite: &Suite<'_>, text: &str) -> Option<&'static str> {
    let calls = text.contains("parallax_probe") && !text.contains("PARALLAX_TESTGEN");
    let program = suite.subject.program();
    let defined = program.functions.iter().any(|f| &*f.name == "parallax_probe" && f.is_defined);
    (calls && !defined).then_some(
        "void parallax_probe(unsigned block, unsigned long facts)\n\
         {\n    (void)block;\n    (void)facts;\n}\n",
    )
}

/// Appends a file, with the files it includes by `"..."`.
fn paste(out: &mut String, path: &Path, depth: usize, included: &mut Vec<std::path::PathBuf>) {
    let Ok(text) = std::fs::read_to_string(path) else {
        let _ = writeln!(out, "#include \"{}\"", path.display());
        return;
    };
    let name = path.file_name().map_or_else(String::new, |n| n.to_string_lossy().into_owned());
    let _ = writeln!(out, "#line 1 \"{name}\"");
    for (number, line) in text.lines().enumerate() {
        let inner = included_file(line).map(|inner| path.with_file_name(inner));
        match inner {
            Some(inner) if depth < DEPTH && inner.is_file() => {
                if !included.contains(&inner) || !is_guarded(&inner) {
                    included.push(inner.clone());
                    paste(out, &inner, depth + 1, included);
                }
                let _ = writeln!(out, "#line {} \"{name}\"", number + 2);
            }
            _ => {
                out.push_str(line);
                out.push('\n');
            }
        }
    }
}

/// Whether a file is meant to be read once.
fn is_guarded(path: &Path) -> bool {
    std::fs::read_to_string(path)
        .is_ok_and(|text| text.contains("#ifndef") || text.contains("#pragma once"))
}

/// The name in `#include "name"`.
fn included_file(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("include")?;
    let rest = rest.trim_start().strip_prefix('"')?;
    rest.split_once('"').map(|(name, _)| name)
}

/// The names of the program's files.
pub(crate) fn names(suite: &Suite<'_>) -> String {
    let names: Vec<String> = suite
        .files
        .iter()
        .filter_map(|file| file.file_name())
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    names.join(", ")
}
