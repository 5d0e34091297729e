//! Every command that the README and the book show is run, and its output
//! compared with the output shown.
//!
//! - A fenced block marked `console` is a transcript: after `$ ` a command for
//!   the shell, then what it prints on standard output, or on standard error
//!   if that is all it prints. Commands that are not to be run stand in blocks
//!   with another mark.
//! - A fenced block marked `plx file=NAME` is written to that file first.
//! - Each page runs in an empty folder with the repository's `models/` and
//!   `examples/` in it, so that it can write files. The exit code of the last command is `$?`.
//! - Times and amounts of memory may differ, and so may the line `used:` with
//!   the figures of a search, which the benchmarks look after, and the line
//!   `trusts:`, which may also be missing. `…` stands for
//!   anything within a line, and on a line of its own for any number of lines.
//!
//! With `UPDATE_DOCS=1` in the environment, transcripts that differ are
//! rewritten with the real output instead.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ANYTHING: &str = "…";

/// How the line with the figures of a search begins.
const FIGURES: &str = "  used: ";

/// How the line with the passes that are trusted begins.
const TRUSTED: &str = "  trusts: ";

/// Numbers before these words change from run to run.
const UNITS: [&str; 9] = ["s", "ms", "µs", "B", "kB", "KiB", "MB", "MiB", "GB"];

/// A fenced block of a page.
struct Block<'a> {
    /// What stands behind the opening fence.
    mark: &'a str,
    /// Index of the first line inside.
    start: usize,
    lines: Vec<&'a str>,
}

/// A command of a transcript and what it should print.
struct Shown<'a> {
    /// Index of the command's line in the page.
    line: usize,
    command: &'a str,
    output: Vec<&'a str>,
}

fn blocks(text: &str) -> Vec<Block<'_>> {
    let mut blocks = Vec::new();
    let mut open: Option<Block<'_>> = None;
    for (index, line) in text.lines().enumerate() {
        match (line.strip_prefix("```"), open.take()) {
            (Some(mark), None) => {
                open = Some(Block { mark: mark.trim(), start: index + 1, lines: Vec::new() });
            }
            (Some(_), Some(block)) => blocks.push(block),
            (None, Some(mut block)) => {
                block.lines.push(line);
                open = Some(block);
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a fenced block is not closed");
    blocks
}

fn transcript<'a>(block: &Block<'a>) -> Vec<Shown<'a>> {
    let mut shown: Vec<Shown<'a>> = Vec::new();
    for (index, &line) in block.lines.iter().enumerate() {
        if let Some(command) = line.strip_prefix("$ ") {
            shown.push(Shown { line: block.start + index, command, output: Vec::new() });
        } else {
            let last = shown.last_mut().expect("a transcript starts with a command");
            last.output.push(line);
        }
    }
    shown
}

/// A line with the figures masked that differ between runs.
fn masked(line: &str) -> String {
    if line.starts_with(FIGURES) {
        return FIGURES.to_owned();
    }
    let mut out = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, from) = rest.split_at(at);
        let end = from.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(from.len());
        let (number, after) = from.split_at(end);
        let word = after.strip_prefix(' ').unwrap_or(after);
        let unit = &word[..word.find(|c: char| !c.is_alphanumeric()).unwrap_or(word.len())];
        let in_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        out.push_str(before);
        out.push_str(if UNITS.contains(&unit) && !in_word { "#" } else { number });
        rest = after;
    }
    out.push_str(rest);
    out.trim_end().to_owned()
}

/// What is answered, and by which engine.
fn answer(line: &str) -> Option<(&str, &str)> {
    let (said, by) = line.rsplit_once(" (")?;
    let (engine, _) = by.split_once("; checked by ")?;
    let ends = [" holds ", " violated "].into_iter().find_map(|v| Some(said.find(v)? + v.len()))?;
    Some((&said[..ends], engine))
}

/// Whether a line is as shown. Who answers first depends on the machine; what, does
/// not.
fn line_fits(shown: &str, real: &str) -> bool {
    if let (Some((said, engine)), Some((really, other))) = (answer(shown), answer(real))
        && engine != other
    {
        return said == really;
    }
    let (shown, real) = (masked(shown), masked(real));
    let parts: Vec<&str> = shown.split(ANYTHING).collect();
    let [first, middle @ .., last] = &parts[..] else { return shown == real };
    let Some(mut rest) = real.strip_prefix(first) else { return false };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

/// Whether output is as shown.
fn fits(shown: &[&str], real: &[&str]) -> bool {
    // Whether a proof carries over to the plain program depends on the time.
    let past_trust =
        |lines: &[&str]| usize::from(lines.first().is_some_and(|l| l.starts_with(TRUSTED)));
    let (shown, real) = (&shown[past_trust(shown)..], &real[past_trust(real)..]);
    match shown {
        [] => real.is_empty(),
        [any, rest @ ..] if any.trim() == ANYTHING => {
            (0..=real.len()).any(|skipped| fits(rest, &real[skipped..]))
        }
        [line, rest @ ..] => {
            real.first().is_some_and(|r| line_fits(line, r)) && fits(rest, &real[1..])
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("two folders up").into()
}

/// `first:rest`, for variables that list folders.
fn prepend(first: &Path, name: &str) -> String {
    match std::env::var(name) {
        Ok(rest) => format!("{}:{rest}", first.display()),
        Err(_) => first.display().to_string(),
    }
}

/// Runs a command in the folder of a page; `code` is `$?` at its start.
fn run(folder: &Path, command: &str, code: i32) -> (String, i32) {
    let binary = Path::new(env!("CARGO_BIN_EXE_parallax"));
    let output = Command::new("sh")
        .arg("-c")
        .arg(format!("(exit {code}); {command}"))
        .current_dir(folder)
        .env("PATH", prepend(binary.parent().expect("a folder"), "PATH"))
        .env("LD_LIBRARY_PATH", prepend(&root().join("third_party/z3/lib"), "LD_LIBRARY_PATH"))
        .env("NO_COLOR", "1")
        .stdin(Stdio::null())
        .output()
        .expect("a shell");
    let text = if output.stdout.is_empty() { output.stderr } else { output.stdout };
    (String::from_utf8(text).expect("text"), output.status.code().unwrap_or(-1))
}

/// Runs the blocks of a page in order. Returns what differs, and the page with
/// real output in place of what differs.
fn run_page(name: &str, text: &str) -> (Vec<String>, String) {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs").join(name);
    // An earlier run may have left files behind.
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("a folder for the page");
    for name in ["models", "examples"] {
        std::os::unix::fs::symlink(root().join(name), folder.join(name)).expect("a link");
    }

    let lines: Vec<&str> = text.lines().collect();
    let (mut differences, mut page, mut copied) = (Vec::new(), String::new(), 0);
    let mut code = 0;
    for block in blocks(text) {
        if let Some((_, file)) = block.mark.split_once("file=") {
            fs::write(folder.join(file), block.lines.join("\n") + "\n").expect("a file written");
        }
        if block.mark != "console" {
            continue;
        }
        for shown in transcript(&block) {
            let output;
            (output, code) = run(&folder, shown.command, code);
            let real: Vec<&str> = output.lines().collect();
            if fits(&shown.output, &real) {
                continue;
            }
            differences.push(format!(
                "{name}:{}: $ {}\n--- shown\n{}\n--- real\n{output}",
                shown.line + 1,
                shown.command,
                shown.output.join("\n"),
            ));
            let after = shown.line + 1;
            for line in lines[copied..after].iter().chain(&real) {
                page.push_str(line);
                page.push('\n');
            }
            copied = after + shown.output.len();
        }
    }
    for line in &lines[copied..] {
        page.push_str(line);
        page.push('\n');
    }
    (differences, page)
}

/// The pictures of a page: how it links to them, and whether they are what its
/// commands have drawn. Returns what differs, or puts it right.
fn pictures(name: &str, text: &str, update: bool) -> Vec<String> {
    let drawn = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs").join(name);
    let page = root().join(name);
    let mut differences = Vec::new();
    for link in text.split("](").skip(1).filter_map(|rest| rest.split_once(')')) {
        let Some(file) = link.0.rsplit('/').next().filter(|_| link.0.ends_with(".svg")) else {
            continue;
        };
        let kept = page.with_file_name("").join(link.0);
        let Ok(real) = fs::read(drawn.join(file)) else {
            differences.push(format!("{name}: no command draws {file}"));
            continue;
        };
        if fs::read(&kept).is_ok_and(|kept| kept == real) {
            continue;
        }
        if update {
            fs::create_dir_all(kept.with_file_name("")).expect("a folder");
            fs::write(&kept, real).expect("a picture written");
        } else {
            differences.push(format!("{name}: {} is not what is drawn now", link.0));
        }
    }
    differences
}

/// The README and the pages of the book.
fn pages() -> Vec<String> {
    let mut pages = vec!["README.md".to_owned()];
    let book = "docs/book/src";
    for entry in fs::read_dir(root().join(book)).expect("a readable folder") {
        let name = entry.expect("a readable entry").file_name();
        let name = name.to_str().expect("a name in UTF-8");
        if name.ends_with(".md") {
            pages.push(format!("{book}/{name}"));
        }
    }
    pages.sort();
    pages
}

#[test]
fn commands_in_documents_print_what_is_shown() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let mut differences = Vec::new();
    for path in pages() {
        let file = root().join(&path);
        let text = fs::read_to_string(&file).expect("a readable page");
        let (found, page) = run_page(&path, &text);
        if update && !found.is_empty() {
            fs::write(&file, page).expect("a writable page");
        } else {
            differences.extend(found);
        }
        differences.extend(pictures(&path, &text, update));
    }
    let count = differences.len();
    assert!(
        differences.is_empty(),
        "{count} transcripts differ; UPDATE_DOCS=1 rewrites them\n\n{}",
        differences.join("\n\n")
    );
}

#[test]
fn output_is_compared_but_for_time_and_memory() {
    let check = |shown: &str, real: &str, expected: bool| {
        let shown: Vec<&str> = shown.lines().collect();
        let real: Vec<&str> = real.lines().collect();
        assert_eq!(fits(&shown, &real), expected, "{shown:?} {real:?}");
    };
    check("a 1 state, 0.02 s, 31 MB", "a 1 state, 1.5 s, 40 MB  ", true);
    check("a 1 state", "a 2 states", false);
    check("z3 5.4.0", "z3 5.4.1", false);
    check("x2 s", "x3 s", false);
    check("  used: 4 iterations, 22 states", "  used: 1 iteration, 4 states", true);
    check("took … (3 rounds)", "took long (3 rounds)", true);
    check("took … (3 rounds)", "took long (4 rounds)", false);
    let said = |who: &str, what: &str| format!("  p  {what}     of 3 ({who}; checked by Z3)");
    check(&said("bmc", "holds"), &said("cegar", "holds"), true);
    check(&said("bmc", "holds"), &said("cegar", "violated"), false);
    check("a\n…\nz", "a\nb\nc\nz", true);
    check("a\n…\nz", "a\nz", true);
    check("a\n…\nz", "a\nb", false);
    check("a", "a\nb", false);
}

#[test]
fn pages_are_run_in_order_and_differences_are_noticed() {
    let text = "# T\n```plx file=m.txt\nhello\n```\n```console\n$ cat m.txt\nhello\n$ exit 3\n\
                $ echo $?\n4\n```\nend\n";
    let (differences, page) = run_page("self-test", text);
    assert_eq!(differences.len(), 1, "{differences:?}");
    assert_eq!(page, text.replace("\n4\n", "\n3\n"));
}
