//! Diagnostics in the look of rustc, and as JSON.
//!
//! The renderer below us walks the whole text it is given, so it is given
//! little: only the lines that labels touch, long lines cut to a window around
//! the labels, hidden characters written out. Line and column numbers are
//! those of the file. A 50 MB file on one line costs no more than a small one.

use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Element, Group, Level, Renderer, Snippet};
use parallax_base::{Diagnostic, Diagnostics, FileId, Severity, SourceFile, SourceMap, Span};
use serde::Serialize;

use crate::escape;

/// How diagnostics are to look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Look {
    /// Whether to use ANSI colors.
    pub color: bool,
    /// Columns of the terminal.
    pub width: usize,
}

impl Default for Look {
    fn default() -> Look {
        Look { color: false, width: 100 }
    }
}

/// A window of a source line is at most this many characters wide.
const LINE_WINDOW: usize = 200;
/// Characters kept before the first label of a long line.
const LEAD: usize = 60;
/// Labels further apart than this many lines get snippets of their own.
const CHUNK_GAP: u32 = 200;
/// A label over more lines than this points only at where it begins.
const LABEL_LINES: u32 = 8;
/// Messages and labels longer than this lose their middle.
const TEXT_LIMIT: usize = 400;

/// One diagnostic as text, ending in a line break.
pub fn render_diagnostic(sources: &SourceMap, diagnostic: &Diagnostic, look: Look) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(one_line(&diagnostic.message)).id(diagnostic.code);
    let mut elements: Vec<Element<'_>> = Vec::new();
    let mut places = Vec::new();
    for (nth, chunk) in chunks(sources, diagnostic).into_iter().enumerate() {
        places.push(chunk.place);
        let marks = chunk.marks.into_iter().enumerate().map(|(i, (range, text))| {
            let primary = nth == 0 && i == 0;
            let kind = if primary { AnnotationKind::Primary } else { AnnotationKind::Context };
            kind.span(range).label((!text.is_empty()).then_some(text))
        });
        let snippet = Snippet::source(chunk.text).path(PLACE.to_string());
        let snippet = snippet.line_start(chunk.first_line).fold(true);
        elements.push(snippet.annotations(marks).into());
    }
    if let Some(help) = &diagnostic.help {
        let help = escape::visible_lines(&escape::clip(help, 4 * TEXT_LIMIT));
        elements.push(Level::HELP.message(help).into());
    }
    let group: Group<'_> = title.elements(elements);
    let renderer = if look.color { Renderer::styled() } else { Renderer::plain() };
    let rendered = renderer.term_width(look.width.clamp(40, 300)).render(&[group]);
    fill_places(&rendered, &places) + "\n"
}

/// Stands for the path of a snippet until the text is rendered. No text that
/// went through [`escape::visible`] contains it.
const PLACE: char = '\u{1}';

/// Puts the true places in: the renderer counts columns in the windows it was
/// given, not in the lines of the file.
fn fill_places(rendered: &str, places: &[String]) -> String {
    let mut pieces = rendered.split(PLACE);
    let mut out = pieces.next().unwrap_or("").to_owned();
    for (piece, place) in pieces.zip(places) {
        out.push_str(place);
        out.push_str(piece.trim_start_matches(|c: char| c == ':' || c.is_ascii_digit()));
    }
    out
}

/// All diagnostics of a run, with a closing line when some were not kept.
pub fn render_diagnostics(sources: &SourceMap, all: &Diagnostics, look: Look) -> String {
    let mut out = String::new();
    for diagnostic in all.iter() {
        out.push_str(&render_diagnostic(sources, diagnostic, look));
        out.push('\n');
    }
    let kept = all.iter().filter(|d| d.severity == Severity::Error).count();
    let more = all.error_count().saturating_sub(kept);
    if more > 0 {
        let noun = if more == 1 { "error" } else { "errors" };
        out.push_str(&format!("{more} more {noun} not shown\n"));
    }
    out
}

fn one_line(text: &str) -> String {
    escape::visible(&escape::clip(text, TEXT_LIMIT)).into_owned()
}

/// A run of lines of one file with the labels on them.
struct Chunk {
    /// Path, line and column of the first label.
    place: String,
    first_line: usize,
    text: String,
    marks: Vec<(Range<usize>, String)>,
}

/// A label with its lines known.
struct Mark<'a> {
    span: Span,
    lines: (u32, u32),
    text: &'a str,
}

/// The labels grouped into chunks, the primary label's chunk first.
fn chunks(sources: &SourceMap, diagnostic: &Diagnostic) -> Vec<Chunk> {
    let mut groups: Vec<(FileId, Vec<Mark<'_>>)> = Vec::new();
    for label in &diagnostic.labels {
        let Some(file) = sources.get(label.span.file) else { continue };
        let mark = mark(file, label.span, &label.text);
        let near = |marks: &[Mark<'_>]| {
            marks.iter().any(|m| {
                let (a, b) = (m.lines, mark.lines);
                a.0.max(b.0).saturating_sub(a.1.min(b.1)) <= CHUNK_GAP
            })
        };
        match groups.iter_mut().find(|(id, marks)| *id == label.span.file && near(marks)) {
            Some((_, marks)) => marks.push(mark),
            None => groups.push((label.span.file, vec![mark])),
        }
    }
    let with_file = groups.iter().filter_map(|(id, marks)| Some((sources.get(*id)?, marks)));
    with_file.map(|(file, marks)| chunk(file, marks)).collect()
}

/// Clamps a span to the file and, if it covers too many lines, to its first.
fn mark<'a>(file: &SourceFile, span: Span, text: &'a str) -> Mark<'a> {
    let end = file.text().len() as u32;
    let (lo, mut hi) = (span.lo.min(end), span.hi.min(end).max(span.lo.min(end)));
    let first = file.line_column(lo).line;
    // A span that ends with a line break belongs to the line before it.
    let mut last = file.line_column(hi.saturating_sub(1).max(lo)).line;
    if last - first >= LABEL_LINES {
        last = first;
        hi = file.line_range(first).end as u32;
    }
    Mark { span: Span { lo, hi: hi.max(lo), ..span }, lines: (first, last), text }
}

fn chunk(file: &SourceFile, marks: &[Mark<'_>]) -> Chunk {
    let first = marks.iter().map(|m| m.lines.0).min().unwrap_or(1);
    let last = marks.iter().map(|m| m.lines.1).max().unwrap_or(first);
    let mut text = String::new();
    // Where each original offset of interest went in `text`.
    let mut moved: BTreeMap<u32, usize> = BTreeMap::new();
    for line in first..=last {
        // Short gaps between labels are shown; longer ones are folded, so the
        // text of their lines does not matter.
        let near = |m: &&Mark<'_>| m.lines.0 <= line + 2 && line <= m.lines.1 + 2;
        let touched: Vec<&Mark<'_>> = marks.iter().filter(near).collect();
        if !touched.is_empty() {
            let range = file.line_range(line);
            let offsets = touched.iter().flat_map(|m| [m.span.lo, m.span.hi]);
            let inside = offsets.filter(|&o| range.start <= o as usize && o as usize <= range.end);
            let mut inside: Vec<u32> = inside.collect();
            inside.sort_unstable();
            push_window(&mut text, &mut moved, file, range, &inside);
        }
        if line < last {
            text.push('\n');
        }
    }
    let first_mark = file.line_column(marks.first().map_or(0, |m| m.span.lo));
    let place = |offset: u32| moved.get(&offset).copied().unwrap_or(text.len());
    let marks = marks.iter().map(|m| {
        let (lo, hi) = (place(m.span.lo), place(m.span.hi));
        (lo..hi.max(lo), escape::visible_lines(&escape::clip(m.text, TEXT_LIMIT)))
    });
    Chunk {
        place: format!("{}:{}:{}", one_line(file.name()), first_mark.line, first_mark.column),
        first_line: first as usize,
        marks: marks.collect(),
        text,
    }
}

/// Appends the part of a line around `inside` (sorted offsets of labels) and
/// records where those offsets went.
fn push_window(
    text: &mut String,
    moved: &mut BTreeMap<u32, usize>,
    file: &SourceFile,
    line: Range<usize>,
    inside: &[u32],
) {
    let source = &file.text()[line.clone()];
    let mut from = 0;
    if source.len() > LINE_WINDOW {
        let first = inside.first().map_or(0, |&o| o as usize - line.start);
        let first = (0..=first).rev().find(|&i| source.is_char_boundary(i)).unwrap_or(0);
        from = source[..first].char_indices().rev().nth(LEAD).map_or(0, |(i, _)| i);
        if from > 0 {
            text.push('…');
        }
    }
    let mut wanted = inside.iter().copied().peekable();
    for (shown, (i, c)) in source[from..].char_indices().enumerate() {
        let offset = (line.start + from + i) as u32;
        // `<=`: an offset inside a character points at the character.
        while let Some(o) = wanted.next_if(|&o| o <= offset) {
            moved.insert(o, text.len());
        }
        if shown >= LINE_WINDOW {
            text.push('…');
            break;
        }
        if c == '\t' {
            text.push(c);
        } else {
            escape::push_visible(text, c);
        }
    }
    // Labels at the end of the line or beyond the window.
    moved.extend(wanted.map(|o| (o, text.len())));
}

/// A diagnostic for scripts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DiagnosticJson {
    /// Stable code such as `M0102`.
    pub code: &'static str,
    /// `error` or `warning`.
    pub severity: &'static str,
    /// One sentence, no full stop.
    pub message: String,
    /// The primary place first.
    pub labels: Vec<SpanJson>,
    /// What the user can do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// A labelled range of a file.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct SpanJson {
    /// The file as the user named it.
    pub file: String,
    /// Where the range begins.
    pub start: PlaceJson,
    /// Where it ends, exclusive.
    pub end: PlaceJson,
    /// What is said about it, may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub text: String,
}

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PlaceJson {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Offset in bytes, from 0.
    pub offset: u32,
}

/// A diagnostic as data for JSON. Text is passed on in full: a JSON string
/// escapes control characters itself.
pub fn diagnostic_json(sources: &SourceMap, diagnostic: &Diagnostic) -> DiagnosticJson {
    let label = |label: &parallax_base::Label| span_json(sources, label.span, label.text.clone());
    DiagnosticJson {
        code: diagnostic.code,
        severity: match diagnostic.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        message: diagnostic.message.clone(),
        labels: diagnostic.labels.iter().filter_map(label).collect(),
        help: diagnostic.help.clone(),
    }
}

/// The range with its places, `None` if the file is not in the map.
pub(crate) fn span_json(sources: &SourceMap, span: Span, text: String) -> Option<SpanJson> {
    let file = sources.get(span.file)?;
    let place = |offset: u32| {
        let at = file.line_column(offset);
        PlaceJson { line: at.line, column: at.column, offset }
    };
    Some(SpanJson {
        file: file.name().to_owned(),
        start: place(span.lo),
        end: place(span.hi),
        text,
    })
}

#[cfg(test)]
mod tests;
