//! The compilation database `compile_commands.json` of CMake and others.
//!
//! Its commands are never run. Of their words only those that tell the
//! preprocessor where to look and what to define are taken.

use crate::options::{Flag, Input};
use parallax_base::{Diagnostic, Diagnostics, SourceFile, SourceMap, Span};
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// The largest database that is read.
const SIZE: u64 = 1 << 26;

/// The files of a database with their flags; each file once, as it is first
/// named. Files that are not C are left out.
pub fn compile_commands(sources: &mut SourceMap, path: &Path) -> Result<Vec<Input>, Diagnostics> {
    match read(path) {
        Ok(text) => compile_commands_text(sources, path, &text),
        Err(error) => {
            let file = sources.add(SourceFile::new(path.display().to_string(), ""));
            let message = format!("cannot read the file: {error}");
            let mut all = Diagnostics::default();
            all.push(Diagnostic::error("C0006", Span::new(file, 0, 0), message));
            Err(all)
        }
    }
}

/// The same for a text; `path` is where it would lie.
pub fn compile_commands_text(
    sources: &mut SourceMap,
    path: &Path,
    text: &str,
) -> Result<Vec<Input>, Diagnostics> {
    let file = sources.add(SourceFile::new(path.display().to_string(), text));
    let fail = |offset: usize, message: String| {
        let mut all = Diagnostics::default();
        all.push(Diagnostic::error("C0006", Span::new(file, offset, offset), message));
        all
    };
    let value: Value = serde_json::from_str(text).map_err(|error| {
        let source = sources.get(file);
        let line = source.map_or(0, |source| source.line_range(error.line() as u32).start);
        let offset = (line + error.column().saturating_sub(1)).min(text.len());
        fail(offset, format!("this is not JSON: {error}"))
    })?;
    let base = path.parent().unwrap_or(Path::new("")).to_owned();
    let Value::Array(entries) = value else {
        return Err(fail(0, "a list of commands is expected".to_owned()));
    };
    let mut seen = BTreeSet::new();
    let mut inputs = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let input = entry_input(entry, &base)
            .ok_or_else(|| fail(0, format!("entry {} has no `file`", number + 1)))?;
        let is_c =
            input.path.extension().is_some_and(|extension| extension == "c" || extension == "i");
        if is_c && seen.insert(input.path.clone()) {
            inputs.push(input);
        }
    }
    Ok(inputs)
}

/// The text of a database.
fn read(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    File::open(path)?.take(SIZE + 1).read_to_string(&mut text)?;
    if text.len() as u64 > SIZE {
        return Err(io::Error::other(format!("it is larger than {} MiB", SIZE >> 20)));
    }
    Ok(text)
}

fn entry_input(entry: &Value, base: &Path) -> Option<Input> {
    let directory = match entry.get("directory").and_then(Value::as_str) {
        Some(directory) => base.join(directory),
        None => base.to_owned(),
    };
    let file = entry.get("file").and_then(Value::as_str)?;
    let words: Vec<String> = match entry.get("arguments") {
        Some(Value::Array(words)) => {
            words.iter().filter_map(Value::as_str).map(str::to_owned).collect()
        }
        _ => entry.get("command").and_then(Value::as_str).map(split).unwrap_or_default(),
    };
    let flags = flags(&words).into_iter().map(|flag| flag.in_directory(&directory)).collect();
    Some(Input { flags, ..Input::file(directory.join(file)).within(base) })
}

/// The flags among the words of a command.
fn flags(words: &[String]) -> Vec<Flag> {
    /// Options with a value, joined or in the next word.
    const OPTIONS: &[&str] = &["-isystem", "-iquote", "-include", "-I", "-D", "-U", "-std="];
    let mut out = Vec::new();
    let mut rest = words.iter().map(String::as_str).skip(1);
    while let Some(word) = rest.next() {
        let Some(option) = OPTIONS.iter().find(|option| word.starts_with(**option)) else {
            continue;
        };
        let joined = &word[option.len()..];
        let value = match joined.is_empty() {
            true => rest.next().unwrap_or("").to_owned(),
            false => joined.to_owned(),
        };
        if value.is_empty() {
            continue;
        }
        let path = PathBuf::from(&value);
        out.push(match *option {
            "-isystem" => Flag::SystemInclude(path),
            "-iquote" => Flag::QuoteInclude(path),
            "-include" => Flag::ForcedInclude(path),
            "-I" => Flag::Include(path),
            "-D" => Flag::Define(value),
            "-U" => Flag::Undefine(value),
            _ if is_c_standard(&value) => Flag::Standard(value),
            _ => continue,
        });
    }
    out
}

/// Whether `-std=` with this value means C.
fn is_c_standard(name: &str) -> bool {
    let year = name
        .strip_prefix("gnu")
        .or_else(|| name.strip_prefix("iso9899:"))
        .or_else(|| name.strip_prefix('c'))
        .unwrap_or("");
    !year.is_empty() && year.bytes().all(|b| b.is_ascii_alphanumeric())
}

/// Cuts a command line into words as a POSIX shell does, without expansions.
fn split(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut chars = command.chars();
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' => {
                let word = word.get_or_insert_default();
                word.extend(chars.by_ref().take_while(|c| *c != '\''));
            }
            '"' => {
                let word = word.get_or_insert_default();
                while let Some(c) = chars.next().filter(|c| *c != '"') {
                    word.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
                }
            }
            '\\' => word.get_or_insert_default().extend(chars.next()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_for_the_preprocessor_are_taken() {
        let words = split(
            r#"gcc -Iinc -I /abs -isystem sys -D 'A="x y"' -DB -U C -include f.h -std=c99 -O2 -fplugin=evil.so -o a.o -c a.c"#,
        );
        let found: Vec<Flag> =
            flags(&words).into_iter().map(|flag| flag.in_directory(Path::new("/d"))).collect();
        assert_eq!(
            found,
            [
                Flag::Include("/d/inc".into()),
                Flag::Include("/abs".into()),
                Flag::SystemInclude("/d/sys".into()),
                Flag::Define("A=\"x y\"".into()),
                Flag::Define("B".into()),
                Flag::Undefine("C".into()),
                Flag::ForcedInclude("/d/f.h".into()),
                Flag::Standard("c99".into()),
            ]
        );
    }

    #[test]
    fn words_are_cut_as_by_a_shell() {
        assert_eq!(split(r#"a 'b c'd "e \" f" g\ h ''"#), ["a", "b cd", "e \" f", "g h", ""]);
    }
}
