//! Did you mean ...? The known name nearest to a misspelt one.

/// The candidate with the least edit distance to `name`, if it is close enough
/// to be a slip of the finger: at most a third of the letters differ. Among
/// equally close ones the first wins.
pub(crate) fn closest<'a>(
    name: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    const LONGEST: usize = 64;
    if name.len() > LONGEST {
        return None;
    }
    let limit = (name.len() / 3).max(1);
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len() > LONGEST || candidate == name {
            continue;
        }
        let distance = match candidate.eq_ignore_ascii_case(name) {
            true => 0,
            false => edit_distance(name.as_bytes(), candidate.as_bytes()),
        };
        // A single letter resembles every other single letter.
        let meaningful = distance <= limit && distance < candidate.len().max(name.len());
        if meaningful && best.is_none_or(|(d, _)| distance < d) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Insertions, deletions, substitutions and swaps of neighbours, one each
/// (optimal string alignment).
fn edit_distance(a: &[u8], b: &[u8]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before[j - 2] + 1);
            }
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let check = |name: &str, expected: Option<&str>| {
            let known = ["waiting", "critical", "idle", "mine", "s", "t"];
            assert_eq!(closest(name, known), expected, "{name}");
        };
        check("wating", Some("waiting"));
        check("idel", Some("idle"));
        check("Mine", Some("mine"));
        check("x", None);
        check("done", None);
    }
}
