//! How large text is, and where it is broken into lines.
//!
//! Drawings use a monospace font, so that widths are known without one. The
//! width per character is that of DejaVu Sans Mono and Menlo; narrower fonts
//! leave a little more room.

use crate::escape::{clip, visible};

/// Font size of node and edge labels, in pixels.
pub(crate) const FONT: f64 = 13.0;
/// Width of one column.
pub(crate) const COLUMN: f64 = 7.83;
/// Height of one line.
pub(crate) const LINE: f64 = 17.0;

/// Columns a character takes: 0, 1 or 2. A rough table: the blocks of
/// combining marks, and of East Asian wide characters and emoji.
fn columns_of(c: char) -> usize {
    match c as u32 {
        0x300..=0x36f | 0x20d0..=0x20ff | 0xfe00..=0xfe0f => 0,
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0xffe0..=0xffe6
        | 0x1f300..=0x1faff
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Columns a line takes.
pub(crate) fn columns(line: &str) -> usize {
    line.chars().map(columns_of).sum()
}

/// A block of lines and its size in pixels.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct TextBlock {
    pub(crate) lines: Vec<String>,
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl TextBlock {
    /// Breaks each line at spaces to fit `width` columns, keeps `max` lines.
    pub(crate) fn new<'a>(
        source: impl IntoIterator<Item = &'a str>,
        width: usize,
        max: usize,
    ) -> TextBlock {
        let mut lines: Vec<String> = Vec::new();
        let mut more = 0;
        for line in source {
            if lines.len() >= max {
                more += 1;
                continue;
            }
            // Enough for what can be shown; the rest is not walked.
            let shown = clip(line, width * max);
            wrap(&visible(&shown), width, &mut lines);
        }
        let over = lines.len().saturating_sub(max) + more;
        if over > 0 {
            lines.truncate(max - 1);
            lines.push(format!("… {} more", over + 1));
        }
        let widest = lines.iter().map(|l| columns(l)).max().unwrap_or(0);
        TextBlock { width: widest as f64 * COLUMN, height: lines.len() as f64 * LINE, lines }
    }
}

/// Breaks a line at spaces; a word longer than a line is broken anywhere.
fn wrap(line: &str, width: usize, out: &mut Vec<String>) {
    let mut current = String::new();
    let mut used = 0;
    for word in line.split(' ') {
        let size = columns(word);
        if used > 0 && used + 1 + size > width {
            out.push(std::mem::take(&mut current));
            used = 0;
        }
        if used > 0 {
            current.push(' ');
            used += 1;
        }
        for c in word.chars() {
            if used + columns_of(c) > width {
                out.push(std::mem::take(&mut current));
                used = 0;
            }
            current.push(c);
            used += columns_of(c);
        }
    }
    out.push(current);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &[&str], width: usize, max: usize, expected: &[&str]) {
        let block = TextBlock::new(source.iter().copied(), width, max);
        assert_eq!(block.lines, expected);
        assert_eq!(block.height, expected.len() as f64 * LINE);
    }

    #[test]
    fn text_is_broken_at_spaces_and_cut_at_the_end() {
        check(&["x <= y && b == 2"], 20, 3, &["x <= y && b == 2"]);
        check(&["x <= y && b == 2"], 9, 3, &["x <= y &&", "b == 2"]);
        check(&["abcdefghij"], 4, 3, &["abcd", "efgh", "ij"]);
        check(&["a", "b", "c", "d"], 4, 3, &["a", "b", "… 2 more"]);
        check(&[""], 4, 3, &[""]);
    }
}
