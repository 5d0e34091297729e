//! From files to preprocessed text.
//!
//! `.i` files, and texts given without directives, are taken as they are. All else goes
//! through the system's `cc -E` ([`command`]); the places of its output are
//! mapped back to the files people wrote ([`origin`]).
//!
//! What a text may include lies beside it, in the folders that are given, or
//! among the system's headers ([`reach`]). Nothing else is read, neither by the
//! preprocessor nor to show a place.

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
use parallax_child::Reach;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
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
    // The bytes of what the preprocessor cannot open by its name.
    let mut handed = input.text.as_ref().map(|text| text.as_bytes().to_vec());
    let (text, encoding) = match &input.text {
        Some(text) => (text.to_string(), Encoding::Utf8),
        None => match read(&input.path) {
            Ok((bytes, is_regular)) => {
                if !is_regular || !command::has_harmless_name(&input.path) {
                    handed = Some(bytes.clone());
                }
                decode::decode(bytes)
            }
            Err(message) => {
                // A file without text, for the name to have a place.
                let file = sources.add(SourceFile::new(name, ""));
                diagnostics.push(Diagnostic::error("C0001", Span::new(file, 0, 0), message));
                return None;
            }
        },
    };
    let main = sources.add(SourceFile::new(name.clone(), text));
    let text = sources.get(main).map_or_else(|| "".into(), SourceFile::shared_text);
    let as_is = || Some(Preprocessed { text: text.clone(), encoding, origin: Box::new(main) });
    let has_macros = !options.defines.is_empty() || !input.flags.is_empty();
    let is_plain = input.text.is_some() && !has_macros && !decode::has_directives(&text);
    if input.is_preprocessed() || is_plain {
        return as_is();
    }
    let folder = input.text.is_none().then(|| folder_of(&input.path));
    let subject = match &handed {
        Some(text) => Subject::Text { name: &name, text, folder: folder.as_deref() },
        None => Subject::File(&input.path),
    };
    let reach = reach(input, options);
    let output = match run(&subject, input, options, &reach) {
        Ok(output) => output,
        Err(Failure::Missing) if !decode::has_directives(&text) => return as_is(),
        Err(failure) => {
            diagnostics.push(failure_message(failure, main));
            return None;
        }
    };
    if !output.is_confined && !is_held_back(&output, &reach, main, diagnostics) {
        return None;
    }
    messages::read(sources, &output, main, &reach, diagnostics);
    if !output.succeeded {
        return None;
    }
    let (text, encoding) = decode::decode(output.text);
    let shown = format!("{} (preprocessed)", input.path.display());
    let id = sources.add(SourceFile::new(shown, text));
    let text = sources.get(id).map_or_else(|| "".into(), SourceFile::shared_text);
    let origin = origin::Origins::new(sources, id, main, &output.names, &reach);
    Some(Preprocessed { text, encoding, origin: Box::new(origin) })
}

/// The folder that a file lies in.
fn folder_of(path: &Path) -> PathBuf {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    parent.unwrap_or(Path::new(".")).to_owned()
}

/// What a text may include.
fn reach(input: &Input, options: &Options) -> Reach {
    let mut reach = Reach::new();
    command::compiler().iter().for_each(|compiler| reach.add_system(compiler));
    if input.text.is_none() {
        reach.add(&folder_of(&input.path));
    }
    input.folders.iter().chain(&options.includes).for_each(|folder| reach.add(folder));
    for flag in &input.flags {
        match flag {
            Flag::Include(path) | Flag::SystemInclude(path) | Flag::QuoteInclude(path) => {
                reach.add(path);
            }
            Flag::ForcedInclude(path) => reach.add(&folder_of(path)),
            Flag::Define(_) | Flag::Undefine(_) | Flag::Standard(_) => {}
        }
    }
    // Folders that users give all their compilers.
    for name in ["CPATH", "C_INCLUDE_PATH"] {
        let list = std::env::var_os(name).unwrap_or_default();
        let folders = std::env::split_paths(&list).filter(|f| !f.as_os_str().is_empty());
        folders.for_each(|folder| reach.add(&folder));
    }
    reach
}

/// Looks for files out of reach in the output of a preprocessor that nobody
/// kept from them; says so, and whether there are none. What they contain may
/// be in its messages, so none is passed on.
fn is_held_back(
    output: &Output,
    reach: &Reach,
    main: FileId,
    diagnostics: &mut Diagnostics,
) -> bool {
    let at = Span::new(main, 0, 0);
    let text = String::from_utf8_lossy(&output.text);
    let entered = text.lines().filter_map(origin::Marker::parse).filter(|marker| marker.enters);
    let entered = entered.map(|marker| marker.name);
    let blamed = output.messages.lines().filter_map(messages::parse);
    let blamed = blamed.map(|message| message.file.to_owned());
    let is_own = |name: &String| output.names.contains(name) || name.starts_with('<');
    let stranger = entered.chain(blamed).find(|name| !is_own(name) && !reach.admits(name.as_ref()));
    match &stranger {
        Some(name) => {
            let message = format!("`{name}` is outside of the folders that may be read");
            diagnostics.push(Diagnostic::error("C0002", at, message).help(messages::OUTSIDE));
        }
        None => {
            let message = "this system has no Landlock: what the preprocessor reads is looked at \
                 only after it has run";
            diagnostics.push(Diagnostic::warning("C0007", at, message));
        }
    }
    stranger.is_none()
}

/// The bytes of a file, a device or a pipe, and whether it is a regular file.
fn read(path: &Path) -> Result<(Vec<u8>, bool), String> {
    let shown = path.display();
    let unreadable = |e: std::io::Error| format!("cannot read `{shown}`: {e}");
    let file = File::open(path).map_err(unreadable)?;
    let metadata = file.metadata().map_err(unreadable)?;
    if metadata.is_dir() {
        return Err(format!("`{shown}` is a folder"));
    }
    let mut bytes = Vec::new();
    if metadata.len() <= command::SIZE {
        file.take(command::SIZE + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    }
    if metadata.len().max(bytes.len() as u64) > command::SIZE {
        return Err(format!("`{shown}` is larger than {} MiB", command::SIZE >> 20));
    }
    Ok((bytes, metadata.is_file()))
}

/// Runs the preprocessor for the data model, the second best way if need be.
fn run(
    subject: &Subject<'_>,
    input: &Input,
    options: &Options,
    reach: &Reach,
) -> Result<Output, Failure> {
    let mut flags = input.flags.clone();
    flags.extend(options.undefines.iter().cloned().map(Flag::Undefine));
    flags.extend(options.defines.iter().cloned().map(Flag::Define));
    flags.extend(options.includes.iter().cloned().map(Flag::Include));
    let width = match options.model {
        DataModel::Ilp32 => "-m32",
        DataModel::Lp64 => "-m64",
    };
    let run = |fixed: &[String], reach: &Reach| {
        command::run(subject, fixed, &flags, reach, &options.budget)
    };
    let first = run(&[width.to_owned()], reach)?;
    if first.succeeded {
        return Ok(first);
    }
    let second = match options.model {
        DataModel::Lp64 if first.messages.contains("-m64") => run(&[], reach)?,
        DataModel::Lp64 => return Ok(first),
        DataModel::Ilp32 => {
            let headers = ilp32::Headers::new();
            let mut reach = reach.clone();
            headers.folder().into_iter().for_each(|folder| reach.add(folder));
            run(&headers.arguments(), &reach)?
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
        Failure::Stopped(stop) => error("C0005", &format!("{stop} reached while preprocessing")),
        Failure::NoMacro(text) => {
            error("C0005", &format!("`{text}` does not begin with the name of a macro"))
        }
        Failure::Other(cause) => error("C0005", &format!("cannot run `cc`: {cause}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use parallax_base::Budget;

    #[test]
    fn sizes_of_32_bits_need_no_compiler_for_them() {
        let headers = ilp32::Headers::new();
        let mut reach = reach(&Input::text("t.c", ""), &Options::default());
        headers.folder().into_iter().for_each(|folder| reach.add(folder));
        let text = "#include <stddef.h>\n#include <stdlib.h>\n#include <stdint.h>\n\
            #if __SIZEOF_LONG__ != 4 || INTPTR_MAX != 0x7fffffff || defined __LP64__\n\
            #error wrong\n#endif\nint x = sizeof(size_t);\n";
        let subject = Subject::Text { name: "t.c", text: text.as_bytes(), folder: None };
        let budget = Budget::unlimited();
        let output = match command::run(&subject, &headers.arguments(), &[], &reach, &budget) {
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
    fn files_out_of_reach_are_noticed_afterwards() {
        let mut sources = SourceMap::default();
        let main = sources.add(SourceFile::new("m.c", ""));
        let reach = reach(&Input::file("src/m.c"), &Options::default());
        let check = |text: &str, messages: &str, expected: bool| {
            let output = Output {
                succeeded: true,
                text: text.into(),
                messages: messages.to_owned(),
                names: vec!["m.c".to_owned()],
                is_confined: false,
            };
            let mut found = Diagnostics::default();
            let passes = is_held_back(&output, &reach, main, &mut found);
            assert_eq!(passes, expected, "{text} {messages}");
            assert_eq!(found.has_errors(), !expected);
        };
        check("# 1 \"m.c\"\nint x;\n", "", true);
        check("# 1 \"<command-line>\" 1\n# 1 \"src/lib.rs\" 1\n", "", true);
        check("# 7 \"gone.y\"\nint x;\n", "m.c:1:1: warning: w\n", true);
        check("# 1 \"/etc/passwd\" 1\nroot\n", "", false);
        check("# 1 \"src/../Cargo.toml\" 1\n", "", false);
        check("", "/etc/passwd:1:1: error: root\n", false);
    }

    #[test]
    fn places_survive_any_line_number() {
        let mut sources = SourceMap::default();
        let main = sources.add(SourceFile::new("m.c", "#line 4294967295\nint x;\nint y;\n"));
        let text = "# 1 \"m.c\"\n# 4294967295 \"m.c\"\nint x;\n# 4294967295 \"m.c\" 2\n\
            \n\n\nint y;\n# 0 \"gone\" 1\nint z;\n# 3 \"\\\"\n# 99999999999 \"m.c\"\n# x\n";
        let output = sources.add(SourceFile::new("m.c (preprocessed)", text));
        let names = ["m.c".to_owned()];
        let origins = origin::Origins::new(&mut sources, output, main, &names, &Reach::new());
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
