//! Tokens of a preprocessed line found again in the original line.

use std::ops::Range;

/// Longer stretches of expanded macros are not searched for words.
const SEARCHED: usize = 200;

/// How the tokens of a line of output match those of the original line.
pub(super) struct Alignment {
    new: Vec<Range<usize>>,
    old: Vec<Range<usize>>,
    /// How many tokens match at the beginning and at the end.
    head: usize,
    tail: usize,
    /// The part of the original line between them.
    whole: Range<usize>,
}

impl Alignment {
    pub(super) fn new(new_text: &str, old_text: &str) -> Alignment {
        let (new, old) = (pieces(new_text), pieces(old_text));
        let same = |(a, b): &(&Range<usize>, &Range<usize>)| {
            new_text[(*a).clone()] == old_text[(*b).clone()]
        };
        let head = new.iter().zip(&old).take_while(same).count();
        let rest = new.len().min(old.len()) - head;
        let tail = new.iter().rev().zip(old.iter().rev()).take(rest).take_while(same).count();
        let whole = between(old_text, &old, head, tail);
        Alignment { new, old, head, tail, whole }
    }

    /// The range of the old text that a range of the new one stands for.
    pub(super) fn map(&self, new_text: &str, old_text: &str, range: Range<usize>) -> Range<usize> {
        let first = self.new.partition_point(|piece| piece.end <= range.start);
        let last = self.new.partition_point(|piece| piece.start < range.end).max(first + 1) - 1;
        let (from, to) =
            (self.piece(new_text, old_text, first), self.piece(new_text, old_text, last));
        from.start.min(to.start)..to.end.max(from.end)
    }

    fn piece(&self, new_text: &str, old_text: &str, index: usize) -> Range<usize> {
        let Some(piece) = self.new.get(index) else {
            return old_text.len()..old_text.len();
        };
        if index < self.head {
            return self.old[index].clone();
        }
        let from_end = self.new.len() - index;
        if from_end <= self.tail {
            return self.old[self.old.len() - from_end].clone();
        }
        let middle = &self.old[self.head..self.old.len() - self.tail];
        let same = |old: &&Range<usize>| old_text[(*old).clone()] == new_text[piece.clone()];
        if is_word(&new_text[piece.clone()])
            && let Some(found) = middle.iter().take(SEARCHED).find(same)
        {
            return found.clone();
        }
        self.whole.clone()
    }
}

/// What the tokens between the matching ones stand for: the use of a macro. Its
/// closing parenthesis may be among the tokens that match at the end.
fn between(text: &str, old: &[Range<usize>], head: usize, tail: usize) -> Range<usize> {
    let (middle, after) = old[head..].split_at(old.len() - tail - head);
    let (Some(first), Some(last)) = (middle.first(), middle.last()) else {
        // Nothing was there; the nearest thing before it.
        return old.get(head.saturating_sub(1)).cloned().unwrap_or(0..text.len());
    };
    let count = |pieces: &[Range<usize>], wanted: &str| {
        pieces.iter().filter(|piece| text[(*piece).clone()] == *wanted).count()
    };
    let missing = count(middle, "(").saturating_sub(count(middle, ")"));
    let end = match after.get(..missing) {
        Some(parens) if missing > 0 && count(parens, ")") == missing => parens[missing - 1].end,
        _ => last.end,
    };
    first.start..end
}

fn is_word(piece: &str) -> bool {
    piece.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '"')
}

/// The words, literals and punctuation characters of a line; no comments.
fn pieces(text: &str) -> Vec<Range<usize>> {
    let bytes = text.as_bytes();
    let in_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'$' || b >= 0x80;
    let mut out = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b' ' | b'\t' | b'\r' | 0x0b | 0x0c => {
                at += 1;
                continue;
            }
            b'/' if bytes.get(at + 1) == Some(&b'/') => break,
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                let end = text[at + 2..].find("*/");
                at = end.map_or(bytes.len(), |end| at + 2 + end + 2);
                continue;
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                while !text.is_char_boundary(at) {
                    at += 1;
                }
            }
            byte if in_word(byte) => {
                while at < bytes.len() && in_word(bytes[at]) {
                    at += 1;
                }
            }
            _ => at += 1,
        }
        out.push(start..at);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Maps the part of `new` between the marks to a part of `old`.
    fn check(new: &str, old: &str, expected: &str) {
        let (lo, hi) = (new.find('<').unwrap(), new.find('>').unwrap() - 1);
        let plain = new.replace(['<', '>'], "");
        let range = Alignment::new(&plain, old).map(&plain, old, lo..hi);
        assert_eq!(&old[range], expected, "{new}");
    }

    #[test]
    fn tokens_are_found_again() {
        // Only blanks differ.
        check("  x = <y>;", "\tx  =  y ;", "y");
        // A macro between.
        check("x = ((<a>) ? (b) : (a)) + f(c);", "x = MAX(a, b) + f(c);", "a");
        check("x = <(>(a) ? (b) : (a)) + f(c);", "x = MAX(a, b) + f(c);", "MAX(a, b)");
        check("x = ((a) ? (b) : (a)) + <f(c)>;", "x = MAX(a, b) + f(c);", "f(c)");
        check(
            "<x = ((a) ? (b) : (a)) + f(c);>",
            "x = MAX(a, b) + f(c); // max",
            "x = MAX(a, b) + f(c);",
        );
        // A macro that became nothing, and a token from another line.
        check("int <x>;", "EXPORT int x;", "x");
        check("x = 1 + <2>;", "x = 1 +", "+");
        check("<x>", "", "");
    }
}
