//! Hostile input: deep, long, binary, mutated. Never a panic, never long.

use super::{data, parse};
use std::time::{Duration, Instant};

/// The code of the first error, or nothing.
fn first_error(text: &str) -> &'static str {
    let started = Instant::now();
    let (_, _, found) = parse(text);
    let took = started.elapsed();
    assert!(took < Duration::from_secs(20), "took {took:?}");
    found.iter().next().map_or("", |error| error.code)
}

#[test]
fn nesting_is_limited() {
    let nested = |before: &str, open: &str, middle: &str, close: &str, after: &str, n: usize| {
        first_error(&format!("{before}{}{middle}{}{after}", open.repeat(n), close.repeat(n)))
    };
    // Before, opening, middle, closing, after.
    for (before, open, middle, close, after) in [
        ("int x = ", "(", "1", ")", ";"),
        ("int x = ", "(int)", "1", "", ";"),
        ("int x = ", "- ", "1", "", ";"),
        ("int x = ", "!", "1", "", ";"),
        ("int x = ", "*&", "y", "", ";"),
        ("int x = ", "sizeof ", "y", "", ";"),
        ("int x = ", "__extension__ ", "y", "", ";"),
        ("int x = ", "f(", "1", ")", ";"),
        ("int x = ", "y[", "1", "]", ";"),
        ("int x = ", "1 + (", "1", ")", ";"),
        ("int x = ", "y = ", "1", "", ";"),
        ("int x = ", "y ? ", "1", " : 2", ";"),
        ("int x = ", "({ ", "1", "; })", ";"),
        ("int x = ", "sizeof(int[", "1", "])", ";"),
        ("int x = ", "(typeof(", "y", "))1", ";"),
        ("int x = ", "(int){", "y", "}", ";"),
        ("int x = ", "_Generic(", "y", ", default: 1)", ";"),
        ("int x[] = ", "{", "1", "}", ";"),
        ("int x[] = ", "{ .a = {", "1", "} }", ";"),
        ("int ", "(", "x", ")", ";"),
        ("int ", "*", "x", "", ";"),
        ("int ", "(*", "x", ")(void)", ";"),
        ("int x", "[1]", "", "", ";"),
        ("int f", "(int g", "", ")", ";"),
        ("", "struct { ", "int x;", "} y;", ""),
        ("int x ", "__attribute__((a(", "1", ")))", ";"),
        ("void f(void) ", "{", "", "}", ""),
        ("void f(void) { ", "if (1) ", ";", "", "}"),
        ("void f(void) { ", "if (1) { ", ";", "} else ;", "}"),
        ("void f(void) { ", "while (1) ", ";", "", "}"),
        ("void f(void) { ", "for (;;) ", ";", "", "}"),
        ("void f(void) { ", "do ", ";", " while (1);", "}"),
        ("void f(void) { ", "switch (1) case 1: ", ";", "", "}"),
        ("void f(void) { ", "int g(void) { ", ";", " }", "}"),
        ("int x = ", "_Alignof(struct { int y[", "1", "]; })", ";"),
        ("[[", "a(", "", ")", "]] int x;"),
    ] {
        let shown = format!("{before}{open}{middle}{close}{after}");
        let code = nested(before, open, middle, close, after, 100_000);
        assert!(matches!(code, "C0014" | ""), "{shown}: {code}");
        // Without the closing part, and cut in the middle.
        let cut = first_error(&format!("{before}{}", open.repeat(100_000)));
        assert!(!cut.is_empty(), "{shown} cut");
        assert_eq!(nested(before, open, middle, close, after, 60), "", "{shown}");
    }
    assert_eq!(nested("int x = ", "(", "1", ")", ";", 3_900), "");
    assert_eq!(nested("int x = ", "(", "1", ")", ";", 4_100), "C0014");
}

#[test]
fn chains_are_no_nesting() {
    let repeated = |before: &str, part: &str, after: &str, n: usize| {
        first_error(&format!("{before}{}{after}", part.repeat(n)))
    };
    for (before, part, after) in [
        ("int x = ", "a + ", "1;"),
        ("int x = ", "a * b + ", "1;"),
        ("int x = ", "a && ", "1;"),
        ("int x = (", "a, ", "1);"),
        ("int x = ", "a ? b : ", "1;"),
        ("int x = a", "[1]", ";"),
        ("int x = a", ".b->c", ";"),
        ("int x = a", "()", ";"),
        ("void f(void) { ", "if (a) b; else ", "; }"),
        ("void f(void) { ", "if (a) { b; } else ", "{ } }"),
    ] {
        assert_eq!(repeated(before, part, after, 20_000), "", "{part}");
        let code = repeated(before, part, after, 100_000);
        assert_eq!(code, "C0014", "{part}");
    }
    for (before, part, after) in [
        ("int x[] = { ", "1, ", "};"),
        ("int x[] = { ", "[1] = { 2 }, ", "};"),
        ("int x = f(", "1, ", "1);"),
        ("char *x = ", "\"abc\" ", ";"),
        ("void f(void) { ", "a; ", "}"),
        ("void f(void) { switch (x) { ", "case 1: ", "; } }"),
        ("void f(void) { ", "l: ", "; }"),
        ("void f(void) { ", "{ } ", "}"),
        ("enum { ", "a, ", "};"),
        ("struct { ", "int a; ", "} x;"),
        ("int ", "a, ", "b;"),
        ("int f(", "int a, ", "int b);"),
        ("", "int x; ", ""),
        ("", ";", ""),
        ("int x ", "__attribute__((a)) ", ";"),
        ("", "const ", "int x;"),
    ] {
        assert_eq!(repeated(before, part, after, 100_000), "", "{part}");
    }
}

/// Programs of ours that contain no directives.
fn programs() -> Vec<String> {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders = vec![root.join("corpus/c"), root.join("examples/c")];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "c") {
                files.push(path);
            }
        }
    }
    files.sort();
    let texts = files.iter().filter_map(|path| std::fs::read_to_string(path).ok());
    let without_includes = texts.map(|text| {
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        lines.collect::<Vec<_>>().join("\n")
    });
    without_includes.collect()
}

#[test]
fn damaged_programs_are_loaded_or_refused() {
    let programs = programs();
    assert!(!programs.is_empty());
    let mut random = Random(0x5EED_0002);
    for _ in 0..10_000 {
        let which = random.below(programs.len());
        load_it(random.mutate(&programs[which]));
    }
}

/// Loads a text as a program; what matters is that this returns.
fn load_it(text: String) {
    let mut sources = parallax_base::SourceMap::default();
    let input = parallax_front_c::Input::text("t.i", text);
    let _ = parallax_front_c::load(&mut sources, &[input], &Default::default());
}

#[test]
fn the_stages_after_take_what_the_parser_lets_through() {
    let program = |before: &str, open: &str, middle: &str, close: &str, n: usize| {
        let (open, close) = (open.repeat(n), close.repeat(n));
        load_it(format!("int a; int f(int x) {{ {before}{open}{middle}{close}; return x; }}\n"));
    };
    let deep = 3_000;
    for (before, open, middle, close) in [
        ("x = ", "(", "1", ")"),
        ("x = ", "(int)", "1", ""),
        ("x = ", "- ", "1", ""),
        ("x = ", "f(", "1", ")"),
        ("x = ", "1 + (x ? ", "1", " : 2)"),
        ("x = ", "({ ", "1", "; })"),
        ("int y[] = ", "{", "1", "}"),
        ("int ", "*", "y", ""),
        ("int ", "(*", "y", ")(void)"),
        ("int y", "[1]", "", ""),
        ("", "{", "", "}"),
        ("", "if (x) ", "", ""),
        ("", "while (x) ", "", ""),
        ("", "switch (x) case 1: ", "", ""),
        ("struct { ", "struct { int x; ", "", "} y; "),
    ] {
        program(before, open, middle, close, deep);
    }
    let long = 49_000;
    for (before, part, after) in [
        ("x = ", "a + ", "1"),
        ("x = ", "a && ", "1"),
        ("x = (", "a, ", "1)"),
        ("x = ", "a ? x++ : ", "1"),
        ("x = ", "f(a) + ", "1"),
        ("x = a", "[1]", ""),
        ("", "if (a) x = 1; else ", ""),
        ("", "x++; ", ""),
        ("switch (x) { ", "case 1: ", "; }"),
        ("int y[] = { ", "1, ", "}"),
    ] {
        program(before, part, after, "", long);
    }
}

/// Bytes that are inserted.
const SMALL: &[u8] = b"(){}[];,*&=<>\"'\\#@0aT ";

/// A small generator (xorshift64*); the same seed gives the same numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 33) as usize % n.max(1)
    }

    /// The text with one to four damages: of bytes, or of whole words.
    fn mutate(&mut self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(bytes.len());
            match self.below(6) {
                0 => bytes.insert(at, SMALL[self.below(SMALL.len())]),
                1 => drop(bytes.drain(at..(at + self.below(8)).min(bytes.len()))),
                2 if !bytes.is_empty() => bytes[at] = self.below(256) as u8,
                3 => bytes.truncate(at.max(bytes.len() / 2)),
                _ => bytes = self.swap_words(&bytes),
            }
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Exchanges two words, doubles one, or drops one.
    fn swap_words(&mut self, bytes: &[u8]) -> Vec<u8> {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let mut words: Vec<&str> = text.split_inclusive([' ', '\n', ';', '(', ')']).collect();
        let (a, b) = (self.below(words.len()), self.below(words.len()));
        match (self.below(3), words.is_empty()) {
            (_, true) => {}
            (0, _) => words.swap(a, b),
            (1, _) => words.insert(a, words[b]),
            _ => drop(words.remove(a)),
        }
        words.concat().into_bytes()
    }
}

#[test]
fn ten_thousand_damaged_programs_are_no_panic() {
    let files = ["expressions", "declarations", "statements", "scopes", "messages"];
    let texts: Vec<String> = files
        .iter()
        .map(|file| std::fs::read_to_string(data(&format!("{file}.txt"))).expect("cases"))
        .collect();
    // The inputs of all cases are the samples.
    let mut samples = Vec::new();
    for (file, text) in files.iter().zip(&texts) {
        for case in text.split("\n### ").skip(1) {
            let input = case.split_once('\n').map_or("", |(_, body)| body);
            let input = input.split("---\n").next().unwrap_or("");
            samples.push(match *file {
                "expressions" => format!("int v = {input};"),
                "statements" => format!("void f(void) {{ {input} }}"),
                _ => input.to_owned(),
            });
        }
    }
    let mut random = Random(0x5EED_0001);
    let mutants: Vec<String> = (0..10_000)
        .map(|_| {
            let which = random.below(samples.len());
            random.mutate(&samples[which])
        })
        .collect();
    // All on one thread: starting one for each would take longer than parsing.
    parallax_front_c::on_large_stack(|| {
        for mutant in &mutants {
            let mut sources = parallax_base::SourceMap::default();
            let file = sources.add(parallax_base::SourceFile::new("m.i", mutant.as_str()));
            let (_, found) = parallax_front_c::parse_unit(&sources, file);
            for label in found.iter().flat_map(|diagnostic| &diagnostic.labels) {
                assert!(label.span.lo <= label.span.hi, "{mutant}");
                assert!(mutant.get(label.span.range()).is_some(), "{mutant}");
            }
        }
    });
}
