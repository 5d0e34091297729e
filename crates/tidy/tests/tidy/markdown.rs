//! Dead links: every relative link, anchor and path named in a Markdown file must exist.
//!
//! The reader knows as much Markdown as the house uses: fenced code is skipped, a code span is a
//! path when it starts with a folder of the repository, anchors are spelled as the common renderers
//! spell them. Links to other hosts are not followed: a test must not need the network.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use crate::assert_none;
use crate::tree::{File, files, root};

/// Folders that exist only after setup or a build; paths in them are not checked.
const MADE_LATER: [&str; 3] = [".git", "target", "third_party"];

/// The lines outside fenced code, with their numbers.
fn unfenced(text: &str) -> Vec<(usize, &str)> {
    let mut lines = Vec::new();
    let mut fence: Option<&str> = None;
    for (index, line) in text.lines().enumerate() {
        let start = line.trim_start_matches([' ', '>']);
        let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
        match (fence, mark) {
            (None, None) => lines.push((index + 1, line)),
            (None, Some(_)) => fence = mark,
            (Some(open), Some(close)) if open == close => fence = None,
            (Some(_), _) => {}
        }
    }
    lines
}

/// Splits a line into its prose and its code spans, of which the prose keeps the back-quotes. A span is closed by as many back-quotes as opened it.
fn take_spans(line: &str) -> (String, Vec<String>) {
    let mut prose = String::new();
    let mut spans = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let (before, quoted) = rest.split_at(start);
        let width = quoted.len() - quoted.trim_start_matches('`').len();
        let (quotes, body) = quoted.split_at(width);
        prose.push_str(before);
        prose.push_str(quotes);
        let Some(end) = body.find(quotes) else {
            rest = body;
            continue;
        };
        spans.push(body[..end].trim().to_owned());
        prose.push_str(quotes);
        rest = &body[end + width..];
    }
    prose.push_str(rest);
    (prose, spans)
}

/// Targets of inline links, images, reference definitions and HTML attributes.
fn targets(prose: &str) -> Vec<&str> {
    let mut targets = Vec::new();
    for (start, _) in prose.match_indices("](") {
        let body = &prose[start + 2..];
        let mut depth = 1;
        let end = body.find(|c| {
            depth += i32::from(c == '(') - i32::from(c == ')');
            depth == 0
        });
        targets.push(&body[..end.unwrap_or(body.len())]);
    }
    for attribute in ["href=\"", "src=\""] {
        for (start, _) in prose.match_indices(attribute) {
            targets.push(prose[start + attribute.len()..].split('"').next().unwrap_or_default());
        }
    }
    if prose.starts_with('[')
        && let Some((_, target)) = prose.split_once("]: ")
    {
        targets.push(target);
    }
    // A title may follow the target.
    targets.into_iter().filter_map(|target| target.split_whitespace().next()).collect()
}

/// The anchors of the headings of a file: lower case, punctuation dropped, blanks as hyphens, and a
/// number behind the second of a kind.
fn anchors(text: &str) -> Vec<String> {
    let mut anchors = Vec::new();
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for (_, line) in unfenced(text) {
        let hashes = line.len() - line.trim_start_matches('#').len();
        if !(1..=6).contains(&hashes) || !line[hashes..].starts_with(' ') {
            continue;
        }
        let mut slug = String::new();
        for c in line[hashes..].trim().to_lowercase().chars() {
            match c {
                ' ' => slug.push('-'),
                c if c.is_alphanumeric() || c == '-' || c == '_' => slug.push(c),
                _ => {}
            }
        }
        let count = seen.entry(slug.clone()).or_default();
        anchors.push(if *count == 0 { slug } else { format!("{slug}-{count}") });
        *count += 1;
    }
    anchors
}

/// `folder/../x` without the detour, so that it can be compared with the path of a file.
fn normal(path: &Path) -> PathBuf {
    let mut parts = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    parts
}

/// The path a code span names, if it looks like one of the repository.
fn named_path(span: &str) -> Option<&str> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "._-/".contains(c);
    let path = span.trim_end_matches('/');
    if !path.chars().all(plain) || path.starts_with('/') {
        return None;
    }
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let is_folder = !rest.is_empty() && root().join(first).is_dir() && !MADE_LATER.contains(&first);
    let is_document = rest.is_empty() && first.len() > 3 && first.ends_with(".md");
    (is_folder || is_document).then_some(path)
}

/// All dead links and paths of a Markdown file. `headings` gives the anchors of a Markdown file.
fn dead_links(file: &File, headings: &BTreeMap<PathBuf, Vec<String>>) -> Vec<String> {
    let root = root();
    let folder = Path::new(&file.path).parent().unwrap_or(Path::new(""));
    let mut dead = Vec::new();
    for (number, line) in unfenced(&file.text) {
        let (prose, spans) = take_spans(line);
        for target in targets(&prose) {
            if target.contains("://") || target.starts_with("mailto:") {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let full = match path {
                "" => PathBuf::from(&file.path),
                path => normal(&folder.join(path)),
            };
            let is_alive = (path.is_empty() || root.join(&full).exists())
                && (anchor.is_empty()
                    || headings.get(&full).is_none_or(|known| known.iter().any(|k| k == anchor)));
            if !is_alive {
                dead.push(format!("{}:{}: {target}", file.path, number));
            }
        }
        for path in spans.iter().filter_map(|span| named_path(span)) {
            if !root.join(path).exists() && !root.join(folder).join(path).exists() {
                dead.push(format!("{}:{}: `{path}`", file.path, number));
            }
        }
    }
    dead
}

fn documents() -> Vec<File> {
    files().into_iter().filter(|file| file.has_extension("md")).collect()
}

#[test]
fn links_and_paths_in_documents_exist() {
    let documents = documents();
    let headings =
        documents.iter().map(|file| (PathBuf::from(&file.path), anchors(&file.text))).collect();
    let dead = documents.iter().flat_map(|file| dead_links(file, &headings)).collect();
    assert_none("dead links", dead);
}

#[test]
fn dead_links_are_noticed() {
    let check = |text: &str, expected: &[&str]| {
        let file = File { path: "crates/tidy/x.md".to_owned(), text: text.to_owned() };
        let headings = BTreeMap::from([(PathBuf::from(&file.path), anchors(text))]);
        let dead = dead_links(&file, &headings);
        let found: Vec<&str> =
            dead.iter().filter_map(|d| d.split_once(": ")).map(|(_, target)| target).collect();
        assert_eq!(found, expected, "{text:?}");
    };
    check("[a](Cargo.toml) and [b](../../Cargo.toml \"title\")", &[]);
    check("[a](Cargo.yaml), ![b](no (1).svg)", &["Cargo.yaml", "no"]);
    check("[a](https://example.org/x) <mailto:a@b>", &[]);
    check("# One `two`\n# One two\n```\n# Four\n```\n[a](#one-two-1) [b](#four)", &["#four"]);
    check("[x]: Cargo.toml\n[y]: gone.md", &["gone.md"]);
    check("<img src=\"gone.svg\">", &["gone.svg"]);
    check("```\n[a](gone)\n```\n~~~\n`crates/gone`\n~~~\n", &[]);
    check("`[a](gone)` but ``[`b`](gone)``", &[]);
    check("`crates/tidy/`, `crates/gone`, `GONE.md`", &["`crates/gone`", "`GONE.md`"]);
    check("`crates/<name>`, `a/b`, `crates/*/src`, `target/x`", &[]);
}
