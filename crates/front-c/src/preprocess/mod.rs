//! From files to preprocessed text.
//!
//! `.i` files, and texts given without directives, are taken as they are. All else goes
//! through the system's `cc -E` ([`command`]); the places of its output are
//! mapped back to the files people wrote ([`origin`]).

mod align;
mod command;
mod decode;
mod ilp32;
mod messages;
mod origin;

use crate::lex::Encoding;
use crate::options::{Flag, Input, Options};
use crate::parse::Origin;
use command::{Failure, Output, Subject};
use parallax_base::{Diagnostic, Diagnostics, FileId, SourceFile, SourceMap, Span};
use parallax_cfa::DataModel;
use std::sync::Arc;

/// Text ready to be parsed.
pub(crate) struct Preprocessed {
    pub(crate) text: Arc<str>,
    pub(crate) encoding: Encoding,
    pub(crate) origin: Box<dyn Origin>,
}

/// Reads a file and preprocesses it if needed. Messages, warnings too, go to
/// `diagnostics`; `None` if there was an error.
pub(crate) fn preprocess(
    sources: &mut SourceMap,
    input: &Input,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Preprocessed> {
    let name = input.path.to_string_lossy().into_owned();
    let (text, encoding) = match &input.text {
        Some(text) => (text.to_string(), Encoding::Utf8),
        None => match read(input) {
            Ok(bytes) => decode::decode(bytes),
            Err(message) => {
                // A file without text, for the name to have a place.
                let file = sources.add(SourceFile::new(name, ""));
                diagnostics.push(Diagnostic::error("C0001", Span::new(file, 0, 0), message));
                return None;
            }
        },
    };
    let main = sources.add(SourceFile::new(name, text));
    let text = sources.get(main).map_or_else(|| "".into(), SourceFile::shared_text);
    let as_is = || Some(Preprocessed { text: text.clone(), encoding, origin: Box::new(main) });
    let has_macros = !options.defines.is_empty() || !input.flags.is_empty();
    let is_plain = input.text.is_some() && !has_macros && !decode::has_directives(&text);
    if input.is_preprocessed() || is_plain {
        return as_is();
    }
    let subject = match &input.text {
        Some(text) => Subject::Text(text),
        None => Subject::File(&input.path),
    };
    let output = match run(&subject, input, options) {
        Ok(output) => output,
        Err(Failure::Missing) if !decode::has_directives(&text) => return as_is(),
        Err(failure) => {
            diagnostics.push(failure_message(failure, main));
            return None;
        }
    };
    let main_name = match &subject {
        Subject::Text(_) => "<stdin>".to_owned(),
        Subject::File(path) => command::plain(path).to_string_lossy().into_owned(),
    };
    messages::read(sources, &output, main, &main_name, diagnostics);
    if !output.succeeded {
        return None;
    }
    let (text, encoding) = decode::decode(output.text);
    let shown = format!("{} (preprocessed)", input.path.display());
    let id = sources.add(SourceFile::new(shown, text));
    let text = sources.get(id).map_or_else(|| "".into(), SourceFile::shared_text);
    let origin = origin::Origins::new(sources, id, main, &main_name);
    Some(Preprocessed { text, encoding, origin: Box::new(origin) })
}

fn read(input: &Input) -> Result<Vec<u8>, String> {
    let path = &input.path;
    let shown = path.display();
    let metadata = std::fs::metadata(path).map_err(|e| format!("cannot read `{shown}`: {e}"))?;
    if metadata.is_dir() {
        return Err(format!("`{shown}` is a folder"));
    }
    if metadata.len() > command::SIZE {
        return Err(format!("`{shown}` is larger than {} MiB", command::SIZE >> 20));
    }
    std::fs::read(path).map_err(|e| format!("cannot read `{shown}`: {e}"))
}

/// Runs the preprocessor for the data model, the second best way if need be.
fn run(subject: &Subject<'_>, input: &Input, options: &Options) -> Result<Output, Failure> {
    let mut flags = input.flags.clone();
    flags.extend(options.undefines.iter().cloned().map(Flag::Undefine));
    flags.extend(options.defines.iter().cloned().map(Flag::Define));
    flags.extend(options.includes.iter().cloned().map(Flag::Include));
    let width = match options.model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let first = command::run(subject, &[width], &flags)?;
    if first.succeeded {
        return Ok(first);
    }
    let second = match options.model {
        DataModel::Lp64 if first.messages.contains("-m64") => command::run(subject, &[], &flags)?,
        DataModel::Lp64 => return Ok(first),
        DataModel::Ilp32 => {
            let headers = ilp32::Headers::new();
            let arguments = headers.arguments();
            let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
            command::run(subject, &arguments, &flags)?
        }
    };
    // If neither works, the first tells better why.
    Ok(if second.succeeded { second } else { first })
}

fn failure_message(failure: Failure, main: FileId) -> Diagnostic {
    let at = Span::new(main, 0, 0);
    let error = |code, message: &str| Diagnostic::error(code, at, message);
    match failure {
        Failure::Missing => error("C0004", "there is no C compiler `cc` to preprocess this file")
            .help("install one, or preprocess the file elsewhere and give the `.i` file"),
        Failure::TooSlow => error("C0005", "preprocessing took too long and was stopped")
            .help("does the file include something that never ends?"),
        Failure::TooLarge => error("C0005", "the preprocessed text is too large"),
        Failure::Other(cause) => error("C0005", &format!("cannot run `cc`: {cause}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_32_bits_need_no_compiler_for_them() {
        let headers = ilp32::Headers::new();
        let arguments = headers.arguments();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let text = "#include <stddef.h>\n#include <stdlib.h>\n#include <stdint.h>\n\
            #if __SIZEOF_LONG__ != 4 || INTPTR_MAX != 0x7fffffff || defined __LP64__\n\
            #error wrong\n#endif\nint x = sizeof(size_t);\n";
        let output = match command::run(&Subject::Text(text), &arguments, &[]) {
            Ok(output) => output,
            // Nothing to test without a compiler.
            Err(Failure::Missing) => return,
            Err(_) => panic!("the preprocessor cannot be run"),
        };
        assert!(output.succeeded, "{}", output.messages);
        assert_eq!(output.messages, "");
        let text = String::from_utf8_lossy(&output.text).into_owned();
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let words: Vec<&str> = lines.flat_map(str::split_whitespace).collect();
        let text = words.join(" ");
        assert!(text.contains("typedef unsigned int size_t;"), "{text}");
        assert!(!text.contains("signed long int __int64_t"), "{text}");
    }

    #[test]
    fn places_survive_any_line_number() {
        let mut sources = SourceMap::default();
        let main = sources.add(SourceFile::new("m.c", "#line 4294967295\nint x;\nint y;\n"));
        let text = "# 1 \"m.c\"\n# 4294967295 \"m.c\"\nint x;\n# 4294967295 \"m.c\" 2\n\
            \n\n\nint y;\n# 0 \"gone\" 1\nint z;\n# 3 \"\\\"\n# 99999999999 \"m.c\"\n# x\n";
        let output = sources.add(SourceFile::new("m.c (preprocessed)", text));
        let origins = origin::Origins::new(&mut sources, output, main, "m.c");
        for lo in 0..=text.len() {
            for hi in lo..=text.len() {
                let span = origins.span(lo as u32, hi as u32);
                assert!(span.lo <= span.hi, "{lo}..{hi}");
                sources.place(span);
                sources.snippet(span);
            }
        }
        let x = text.find('x').unwrap_or(0) as u32;
        assert_eq!(sources.place(origins.span(x, x + 1)), "m.c:2:5");
    }
}
