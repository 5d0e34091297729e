//! Breaking a line that is too long.
//!
//! A line is cut at its loosest joints: outside brackets before inside, and
//! among equal depths in the order of [`Joint`]. The parts that are still too
//! long are cut again, further in. The result depends on the pieces alone.

use super::Piece;
use std::ops::Range;

/// The widest line that is left alone.
const WIDTH: usize = 100;

/// Columns by which a continued line is indented further.
const CONTINUATION: usize = 4;

/// Where a line may be broken, from loose to tight.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Joint {
    /// Before `when` and `do`.
    Clause,
    /// Behind the name of a property.
    Property,
    /// Between simultaneous assignments.
    Assignment,
    /// Between the items of any other list; as many as fit share a line.
    Item,
    /// Before the body of a quantifier, before `then` and `else`.
    Body,
    /// Before `<=>`.
    Iff,
    /// Before `=>`.
    Implies,
    /// Before `||`.
    Or,
    /// Before `&&`.
    And,
    /// Before a comparison.
    Compare,
    /// Before `+` and `-`.
    Sum,
    /// Before `*`, `/` and `%`.
    Product,
    /// Between the indices of a quantifier.
    Binder,
}

/// Writes the pieces of one logical line, without the final line break.
pub(super) fn wrap(text: &str, pieces: &[Piece], indent: usize, out: &mut String) {
    if pieces.is_empty() {
        out.extend(std::iter::repeat_n(' ', indent));
        return;
    }
    let mut ends = Vec::with_capacity(pieces.len() + 1);
    ends.push(0);
    let mut width = 0;
    for piece in pieces {
        width += usize::from(piece.space) + piece.token.text(text).chars().count();
        ends.push(width);
    }
    let mut wrapper = Wrapper { text, pieces, ends, out, first: true };
    // A line comment ends its line; what follows is a continuation.
    let (mut start, mut own) = (0, indent);
    for end in (1..pieces.len()).filter(|&i| pieces[i].forced) {
        wrapper.part(start..end, own);
        (start, own) = (end, indent + CONTINUATION);
    }
    wrapper.part(start..pieces.len(), own);
}

struct Wrapper<'a> {
    text: &'a str,
    pieces: &'a [Piece],
    /// `ends[i]` is the width of the first `i` pieces on one line.
    ends: Vec<usize>,
    out: &'a mut String,
    first: bool,
}

impl Wrapper<'_> {
    fn width(&self, range: &Range<usize>) -> usize {
        self.ends[range.end] - self.ends[range.start]
    }

    /// Lays out a part of the line; recursion ends with the joints, of which
    /// there are few kinds per bracket depth, and depth is limited by the parser.
    fn part(&mut self, range: Range<usize>, indent: usize) {
        let inner = range.start + 1..range.end;
        if indent + self.width(&range) <= WIDTH {
            self.emit(range, indent);
            return;
        }
        let key = |i: usize| self.pieces[i].joint.map(|joint| (self.pieces[i].depth, joint));
        let Some(loosest) = inner.clone().filter_map(key).min() else {
            self.emit(range, indent);
            return;
        };
        let mut starts = vec![range.start];
        starts.extend(inner.filter(|&i| key(i) == Some(loosest)));
        let fill = loosest.1 == Joint::Item;
        let further = indent + CONTINUATION;
        let mut from = 0;
        while from < starts.len() {
            let own = if from == 0 { indent } else { further };
            let end = |to: usize| starts.get(to).copied().unwrap_or(range.end);
            let mut to = from + 1;
            while fill
                && to < starts.len()
                && own + self.width(&(starts[from]..end(to + 1))) <= WIDTH
            {
                to += 1;
            }
            self.part(starts[from]..end(to), own);
            from = to;
        }
    }

    fn emit(&mut self, range: Range<usize>, indent: usize) {
        if !std::mem::take(&mut self.first) {
            self.out.push('\n');
        }
        self.out.extend(std::iter::repeat_n(' ', indent));
        for i in range.clone() {
            let piece = &self.pieces[i];
            if piece.space && i > range.start {
                self.out.push(' ');
            }
            self.out.push_str(piece.token.text(self.text).trim_end());
        }
    }
}
