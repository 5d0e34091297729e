//! What the preprocessor complains about, as diagnostics.

use super::command::{Output, SIZE};
use parallax_base::{Diagnostic, Diagnostics, FileId, SourceFile, SourceMap, Span};
use parallax_child::Reach;
use std::path::Path;

/// What to do about a file that may not be read.
pub(super) const OUTSIDE: &str = "a program reads what lies beside it, in folders named with `-I`, \
     and the system's headers";

/// `file:line:column: level: text`
pub(super) struct Message<'a> {
    pub(super) file: &'a str,
    line: u32,
    column: u32,
    is_error: bool,
    text: &'a str,
}

pub(super) fn parse(line: &str) -> Option<Message<'_>> {
    const LEVELS: [(&str, bool); 3] =
        [(": fatal error: ", true), (": error: ", true), (": warning: ", false)];
    let (place, text, is_error) = LEVELS.iter().find_map(|(level, is_error)| {
        line.split_once(level).map(|(place, text)| (place, text, *is_error))
    })?;
    let mut parts = place.rsplitn(3, ':');
    let column = parts.next()?.parse().ok()?;
    let line = parts.next()?.parse().ok()?;
    Some(Message { file: parts.next()?, line, column, is_error, text })
}

/// Turns the messages of a run into diagnostics. There is at least one error if
/// the run failed.
pub(super) fn read(
    sources: &mut SourceMap,
    output: &Output,
    main: FileId,
    reach: &Reach,
    diagnostics: &mut Diagnostics,
) {
    let mut others: Vec<(String, FileId)> = Vec::new();
    let mut errors = 0;
    for message in output.messages.lines().filter_map(parse) {
        let known = others.iter().find(|(name, _)| name == message.file).map(|(_, id)| *id);
        let file = if output.names.iter().any(|name| name == message.file) {
            main
        } else if let Some(id) = known {
            id
        } else {
            // The name may come from a `#line` directive.
            let bytes = reach.read(Path::new(message.file), SIZE).unwrap_or_default();
            let text = super::decode::decode(bytes).0;
            let id = sources.add(SourceFile::new(message.file, text));
            others.push((message.file.to_owned(), id));
            id
        };
        let span = place(sources, file, message.line, message.column);
        if message.is_error {
            errors += 1;
            let error = Diagnostic::error("C0002", span, message.text);
            diagnostics.push(match message.text.rsplit(": ").next() {
                Some("No such file or directory") => {
                    error.help("name the folder it lies in with `-I`")
                }
                Some("Permission denied") => error.help(OUTSIDE),
                _ => error,
            });
        } else {
            diagnostics.push(Diagnostic::warning("C0003", span, message.text));
        }
    }
    if errors == 0 && !output.succeeded {
        let first = output.messages.lines().find(|line| !line.trim().is_empty());
        let text = format!("the preprocessor failed: {}", first.unwrap_or("it did not say why"));
        diagnostics.push(Diagnostic::error("C0002", Span::new(main, 0, 0), text));
    }
}

/// From a line and a column in bytes to the end of the word there.
fn place(sources: &SourceMap, file: FileId, line: u32, column: u32) -> Span {
    let Some(source) = sources.get(file) else { return Span::new(file, 0, 0) };
    let range = source.line_range(line);
    let lo = (range.start + (column as usize).saturating_sub(1)).min(range.end);
    let rest = source.text().get(lo..range.end).unwrap_or("");
    let in_word = |c: char| c.is_alphanumeric() || "_./<\">".contains(c);
    let length = rest.find(|c: char| !in_word(c)).unwrap_or(rest.len());
    Span::new(file, lo, lo + length)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_are_read_with_their_places() {
        let message = parse("a:b.c:3:10: fatal error: no.h: No such file or directory").unwrap();
        assert_eq!((message.file, message.line, message.column), ("a:b.c", 3, 10));
        assert!(message.is_error && message.text.starts_with("no.h"));
        assert!(!parse("x.c:1:2: warning: #warning old [-Wcpp]").unwrap().is_error);
        assert!(parse("In file included from x.c:1:").is_none());
        assert!(parse("compilation terminated.").is_none());
    }
}
