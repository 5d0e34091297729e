//! From preprocessed text back to the files people wrote.
//!
//! `cc -E` leaves line markers, `# 12 "file.c" 1`, from which every line of its
//! output has a line of a file. Inside a line, tokens are found again by
//! comparing the two lines ([`Alignment`]): their common beginning and end match token by
//! token; between them macros were expanded, and a token there is mapped to
//! the same word of the original line if it has one (an argument of a macro),
//! else to the whole part between (the use of the macro).
//!
//! A file may itself contain `#line` directives that name files nobody has, as
//! generated code does. Places are then those of the file that contains them:
//! see [`Region`].

use super::align::Alignment;
use crate::parse::Origin;
use parallax_base::{FileId, SourceFile, SourceMap, Span};
use parallax_child::Reach;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::Range;

/// A file that was read by the preprocessor.
struct Original {
    id: FileId,
    source: SourceFile,
    regions: Vec<Region>,
}

/// Lines of a file that a `#line` directive gives other numbers.
struct Region {
    /// First line, as it stands in the file.
    first: u32,
    /// How many lines.
    length: u32,
    /// The name and the line it claims to be.
    name: String,
    line: u32,
}

/// Lines of the output that come from consecutive lines of a file.
#[derive(Clone, Copy)]
struct Run {
    /// First line of the output, from 0.
    first: u32,
    /// Index of the original, if it could be read, and its line.
    place: Option<(usize, u32)>,
}

/// Where the lines of preprocessed text come from.
pub(crate) struct Origins {
    output: FileId,
    text: SourceFile,
    runs: Vec<Run>,
    originals: Vec<Original>,
    /// The line that was asked for last.
    last: RefCell<Option<Line>>,
}

/// A file of the include stack.
struct Open {
    /// Its index among the originals.
    original: Option<usize>,
    /// The region in force.
    region: usize,
}

/// What the walk over the output needs.
struct Walk<'a> {
    sources: &'a mut SourceMap,
    originals: Vec<Original>,
    known: BTreeMap<String, Option<usize>>,
    reach: &'a Reach,
}

impl Origins {
    /// Reads the line markers of `text`, the preprocessed form of the file
    /// `main`, and the files within reach that they name. `names` are those of
    /// `main` in markers.
    pub(crate) fn new(
        sources: &mut SourceMap,
        output: FileId,
        main: FileId,
        names: &[String],
        reach: &Reach,
    ) -> Origins {
        let text = sources.get(output).cloned().unwrap_or_else(|| SourceFile::new("", ""));
        let mut walk = Walk { sources, originals: Vec::new(), known: BTreeMap::new(), reach };
        let main_index = walk.add(main);
        for name in names {
            walk.known.insert(name.clone(), main_index);
        }
        let mut stack = vec![Open { original: main_index, region: 0 }];
        let mut runs = Vec::new();
        for line in 0..text.line_count() {
            let Some(marker) = Marker::parse(text.line(line + 1)) else { continue };
            let place = walk.enter(&mut stack, &marker);
            runs.push(Run { first: line + 1, place });
        }
        let originals = walk.originals;
        Origins { output, text, runs, originals, last: RefCell::default() }
    }
}

/// `# line "name" flags`
pub(super) struct Marker {
    line: u32,
    pub(super) name: String,
    pub(super) enters: bool,
    returns: bool,
}

impl Marker {
    pub(super) fn parse(text: &str) -> Option<Marker> {
        let rest = text.strip_prefix("# ")?;
        let digits = rest.split(' ').next()?;
        let line = digits.parse().ok()?;
        let rest = rest[digits.len()..].trim_start().strip_prefix('"')?;
        let (name, flags) = rest.split_at(rest.rfind('"')?);
        let flag = |wanted: &str| flags[1..].split(' ').any(|flag| flag == wanted);
        let name = unescape(name);
        Some(Marker { line, name, enters: flag("1"), returns: flag("2") })
    }
}

/// The name in a marker without its backslashes.
fn unescape(name: &str) -> String {
    let mut out = String::new();
    let mut chars = name.chars();
    while let Some(c) = chars.next() {
        out.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    out
}

impl Walk<'_> {
    fn add(&mut self, id: FileId) -> Option<usize> {
        let source = self.sources.get(id)?.clone();
        let regions = regions(&source);
        self.originals.push(Original { id, source, regions });
        Some(self.originals.len() - 1)
    }

    /// The original of this name, read if it was not yet.
    fn original(&mut self, name: &str) -> Option<usize> {
        if let Some(&known) = self.known.get(name) {
            return known;
        }
        let text = self.reach.read(std::path::Path::new(name), super::command::SIZE);
        let added = text.and_then(|bytes| {
            let (text, _) = super::decode::decode(bytes);
            let id = self.sources.add(SourceFile::new(name, text));
            self.add(id)
        });
        self.known.insert(name.to_owned(), added);
        added
    }

    /// Follows a marker; the place of the line after it.
    fn enter(&mut self, stack: &mut Vec<Open>, marker: &Marker) -> Option<(usize, u32)> {
        if marker.enters {
            let original = self.original(&marker.name);
            stack.push(Open { original, region: 0 });
            return original.map(|index| (index, marker.line));
        }
        if marker.returns && stack.len() > 1 {
            stack.pop();
        }
        let open = stack.last_mut()?;
        if let Some(index) = open.original {
            let original = &self.originals[index];
            if original.regions.is_empty() && self.known.get(&marker.name) == Some(&Some(index)) {
                return Some((index, marker.line));
            }
            if let Some((region, line)) = find_region(original, open.region, marker) {
                open.region = region;
                return Some((index, line));
            }
        }
        self.original(&marker.name).map(|index| (index, marker.line))
    }
}

/// The lines between the `#line` directives of a file, if it has any.
fn regions(source: &SourceFile) -> Vec<Region> {
    let mut regions = Vec::new();
    if !source.text().contains('#') {
        return regions;
    }
    let mut name = source.name().to_owned();
    for number in 1..=source.line_count() {
        let Some(rest) = source.line(number).trim_start().strip_prefix('#') else { continue };
        let rest = rest.trim_start();
        let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
        let digits = rest.split(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
        let Ok(line) = digits.parse() else { continue };
        let quoted = rest[digits.len()..].trim();
        if let Some(quoted) = quoted.strip_prefix('"')
            && let Some(end) = quoted.find('"')
        {
            name = unescape(&quoted[..end]);
        }
        if regions.is_empty() {
            let own = source.name().to_owned();
            regions.push(Region { first: 1, length: number - 1, name: own, line: 1 });
        }
        regions.push(Region { first: number + 1, length: 0, name: name.clone(), line });
    }
    let count = source.line_count();
    for i in 0..regions.len() {
        let next = regions.get(i + 1).map_or(count + 1, |next| next.first.saturating_sub(1));
        regions[i].length = next.saturating_sub(regions[i].first);
    }
    regions
}

/// The region a marker speaks of, at or after the one in force, and the true
/// line.
fn find_region(original: &Original, from: usize, marker: &Marker) -> Option<(usize, u32)> {
    let regions = &original.regions;
    let named = |region: &Region| region.name == marker.name;
    let starts = |region: &Region| named(region) && region.line == marker.line;
    let holds = |region: &Region| {
        named(region)
            && (region.line..region.line.saturating_add(region.length)).contains(&marker.line)
    };
    let next = regions.get(from + 1).filter(|region| starts(region)).map(|_| from + 1);
    let found = next
        .or_else(|| regions.get(from).filter(|region| holds(region)).map(|_| from))
        .or_else(|| (from + 1..regions.len()).find(|&i| starts(&regions[i])))
        .or_else(|| (from + 1..regions.len()).find(|&i| holds(&regions[i])))?;
    let region = &regions[found];
    Some((found, region.first.saturating_add(marker.line - region.line)))
}

impl Origins {
    /// What is known about a line of the output (from 1).
    fn line(&self, number: u32) -> Line {
        let here = self.text.line_range(number);
        let before = self.runs.partition_point(|run| run.first < number);
        let run = before.checked_sub(1).map(|i| self.runs[i]);
        let place = run.and_then(|run| {
            let (original, first) = run.place?;
            let there = self.originals[original]
                .source
                .line_range(first.saturating_add(number - 1 - run.first));
            let new = &self.text.text()[here.clone()];
            let old = &self.originals[original].source.text()[there.clone()];
            let alignment = (new != old).then(|| Alignment::new(new, old));
            Some(Place { original, there, alignment })
        });
        Line { here, place }
    }
}

impl Origin for Origins {
    fn span(&self, lo: u32, hi: u32) -> Span {
        let (from, to) = (lo as usize, hi as usize);
        let mut last = self.last.borrow_mut();
        // Tokens come in order, many from one line.
        let line = match &mut *last {
            Some(line) if line.here.contains(&from) => line,
            slot => slot.insert(self.line(self.text.line_column(lo).line)),
        };
        let Some(Place { original, there, alignment }) = &line.place else {
            return Span { file: self.output, lo, hi };
        };
        let here = &line.here;
        let inside = from - here.start..to.min(here.end).max(from) - here.start;
        let original = &self.originals[*original];
        let mapped = match alignment {
            None => inside,
            Some(alignment) => {
                let new = &self.text.text()[here.clone()];
                alignment.map(new, &original.source.text()[there.clone()], inside)
            }
        };
        Span::new(original.id, there.start + mapped.start, there.start + mapped.end)
    }
}

/// A line of the output.
struct Line {
    here: Range<usize>,
    place: Option<Place>,
}

/// The line it comes from; no alignment if the two are equal.
struct Place {
    original: usize,
    there: Range<usize>,
    alignment: Option<Alignment>,
}
