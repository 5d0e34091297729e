//! Rounds of loops: where a run goes through the same lines again and again, the
//! first and the last round are shown.

use std::ops::Range;

/// How many lines a round has at most.
const LINES: usize = 24;
/// So many rounds are shown before some are left out.
const ROUNDS: usize = 4;

/// Which of the lines, given by what makes them equal, are rounds in the middle, and
/// how many rounds that is. Ascending.
pub(super) fn folded<K: PartialEq>(lines: &[K]) -> Vec<(Range<usize>, usize)> {
    let mut found = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let rest = &lines[at..];
        let rounds = |length: usize| {
            let first = &rest[..length];
            rest.chunks_exact(length).take_while(|round| *round == first).count()
        };
        let most = LINES.min(rest.len() / (ROUNDS + 1));
        match (1..=most).map(|length| (length, rounds(length))).find(|(_, n)| *n > ROUNDS) {
            Some((length, count)) => {
                found.push((at + length..at + (count - 1) * length, count - 2));
                at += count * length;
            }
            None => at += 1,
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rounds_between_the_first_and_the_last_are_left_out() {
        let check = |lines: &str, expected: &[(Range<usize>, usize)]| {
            let lines: Vec<char> = lines.chars().collect();
            assert_eq!(folded(&lines), expected);
        };
        check("", &[]);
        check("abcd", &[]);
        check("xababababy", &[]);
        check("xabababababy", &[(3..9, 3)]);
        check("xababababababay", &[(3..11, 4)]);
        check("aaaaabbbbbb", &[(1..4, 3), (6..10, 4)]);
    }
}
