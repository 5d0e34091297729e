//! Source text and places in it.
//!
//! A [`Span`] is a half-open byte range of one file. Offsets are `u32`, so a
//! file is at most 4 GiB; loaders refuse larger ones long before.

use std::ops::Range;
use std::sync::Arc;

/// Index of a file in a [`SourceMap`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FileId(pub u32);

/// A half-open byte range `lo..hi` of one source file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Span {
    /// The file the range lies in.
    pub file: FileId,
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// A span of `file` from `lo` up to but not including `hi`.
    pub fn new(file: FileId, lo: usize, hi: usize) -> Span {
        Span { file, lo: lo as u32, hi: hi as u32 }
    }

    /// The smallest span that holds both; `self` if the other is of another file.
    pub fn to(self, other: Span) -> Span {
        if self.file != other.file {
            return self;
        }
        Span { file: self.file, lo: self.lo.min(other.lo), hi: self.hi.max(other.hi) }
    }

    /// The byte range, for slicing the file's text.
    pub fn range(self) -> Range<usize> {
        self.lo as usize..self.hi as usize
    }
}

/// A place as people write it: both numbers start at 1, columns count characters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct LineColumn {
    /// Line number, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// One file: its name as the user gave it, its text and where its lines start.
#[derive(Clone, Debug)]
pub struct SourceFile {
    name: Arc<str>,
    text: Arc<str>,
    line_starts: Arc<[u32]>,
}

impl SourceFile {
    /// Takes the text in and indexes its lines.
    pub fn new(name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> SourceFile {
        let text: Arc<str> = text.into();
        let starts = std::iter::once(0)
            .chain(text.bytes().enumerate().filter(|(_, b)| *b == b'\n').map(|(i, _)| i as u32 + 1))
            .collect();
        SourceFile { name: name.into(), text, line_starts: starts }
    }

    /// The name under which the user knows the file.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The whole text, shared.
    pub fn shared_text(&self) -> Arc<str> {
        self.text.clone()
    }

    /// Line and column of a byte offset; an offset past the end is the end.
    pub fn line_column(&self, offset: u32) -> LineColumn {
        let line = self.line_starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let start = self.line_starts[line] as usize;
        let end = (offset as usize).min(self.text.len()).max(start);
        let column = self.text.get(start..end).map_or(end - start, |s| s.chars().count());
        LineColumn { line: line as u32 + 1, column: column as u32 + 1 }
    }

    /// The text of a line (from 1) without its line break.
    pub fn line(&self, line: u32) -> &str {
        &self.text[self.line_range(line)]
    }

    /// The bytes of a line (from 1) without its line break; empty at the end of
    /// the text if there is no such line.
    pub fn line_range(&self, line: u32) -> Range<usize> {
        let index = line.saturating_sub(1) as usize;
        let Some(&start) = self.line_starts.get(index) else {
            return self.text.len()..self.text.len();
        };
        let start = start as usize;
        let end = self.line_starts.get(index + 1).map_or(self.text.len(), |&e| e as usize);
        start..start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// How many lines there are; a text that ends with a line break has an
    /// empty line after it.
    pub fn line_count(&self) -> u32 {
        self.line_starts.len() as u32
    }
}

/// All files of one task.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// Adds a file and returns the id its spans carry.
    pub fn add(&mut self, file: SourceFile) -> FileId {
        self.files.push(file);
        FileId(self.files.len() as u32 - 1)
    }

    /// All files, in the order they were added.
    pub fn files(&self) -> impl Iterator<Item = &SourceFile> {
        self.files.iter()
    }

    /// The file behind an id, if the map holds it.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// The source text under a span, empty if the span is not of this map.
    pub fn snippet(&self, span: Span) -> &str {
        self.get(span.file).and_then(|f| f.text().get(span.range())).unwrap_or("")
    }

    /// `name:line:column` of the start of a span, for messages and reports.
    pub fn place(&self, span: Span) -> String {
        match self.get(span.file) {
            Some(file) => {
                let at = file.line_column(span.lo);
                format!("{}:{}:{}", file.name(), at.line, at.column)
            }
            None => String::from("<unknown>"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_and_characters_from_one() {
        let mut map = SourceMap::default();
        let id = map.add(SourceFile::new("m.plx", "ab\nµé x\n"));
        assert_eq!(map.place(Span::new(id, 0, 1)), "m.plx:1:1");
        let x = "ab\nµé ".len();
        assert_eq!(map.place(Span::new(id, x, x + 1)), "m.plx:2:4");
        assert_eq!(map.get(id).map(|f| f.line(2)), Some("µé x"));
        assert_eq!(map.get(id).map(|f| f.line_range(2)), Some(3..9));
        assert_eq!(map.get(id).map(|f| (f.line_count(), f.line(4))), Some((3, "")));
    }

    #[test]
    fn spans_of_two_files_are_not_joined() {
        let (a, b) = (Span::new(FileId(0), 4, 9), Span::new(FileId(1), 0, 1));
        assert_eq!(a.to(b), a);
        assert_eq!(a.to(Span::new(FileId(0), 1, 2)), Span::new(FileId(0), 1, 9));
    }

    #[test]
    fn an_offset_past_the_end_or_inside_a_character_is_no_panic() {
        let file = SourceFile::new("m", "µ");
        assert_eq!(file.line_column(1).line, 1);
        assert_eq!(file.line_column(99).line, 1);
    }
}
