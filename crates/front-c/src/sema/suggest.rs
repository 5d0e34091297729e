//! Did you mean ...? The known name nearest to a misspelt one.

use super::Checker;
use super::scope::Symbol;

/// The candidate with the least edit distance, if at most a third of the
/// letters differ. Among equally close ones the first wins.
pub(super) fn closest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    const LONGEST: usize = 40;
    let limit = (name.len() / 3).max(1);
    if name.len() > LONGEST {
        return None;
    }
    candidates
        .filter(|c| c.len().abs_diff(name.len()) <= limit && *c != name)
        .map(|c| (distance(name.as_bytes(), c.as_bytes()), c))
        .filter(|(d, c)| *d <= limit && *d < c.len().max(name.len()))
        .min_by_key(|(d, _)| *d)
        .map(|(_, c)| c)
}

/// Insertions, deletions, substitutions and swaps of neighbors, one each
/// (optimal string alignment), a row at a time.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut least = (last[j] + usize::from(x != y)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

impl Checker<'_> {
    /// Help for an unknown ordinary name.
    pub(super) fn suggest_name(&self, name: &str) -> Option<String> {
        let known = self
            .scopes
            .symbols
            .visible()
            .filter(|(_, symbol)| !matches!(symbol, Symbol::Typedef(_) | Symbol::Poisoned))
            .map(|(name, _)| name);
        closest(name, known).map(|found| format!("did you mean `{found}`?"))
    }
}

#[cfg(test)]
mod tests {
    use super::closest;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let check = |name: &str, expected: Option<&str>| {
            let known = ["counter", "length", "main", "x"];
            assert_eq!(closest(name, known.into_iter()), expected, "{name}");
        };
        check("conter", Some("counter"));
        check("lenght", Some("length"));
        check("y", None);
        check("malloc", None);
    }
}
