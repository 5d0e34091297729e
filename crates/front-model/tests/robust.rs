//! Hostile input: huge, deep, binary, mutated. Never a panic, never long.

mod support;

use parallax_base::{FileId, SourceFile, SourceMap};
use parallax_front_model::{Options, format, load, parse};
use std::time::{Duration, Instant};
use support::{models, random::Random, show, tree};

/// The first error of a text, or nothing.
fn first_error(text: &str) -> String {
    let mut sources = SourceMap::default();
    let shown = if text.len() > 1000 { "" } else { text };
    let file = sources.add(SourceFile::new("m", shown));
    let (_, found) = parse(file, text);
    found.iter().take(1).map(|d| format!("{} {}", d.code, d.message)).collect()
}

/// Loads a text; a program must be well formed. The code of the first error.
fn load_it(text: &str) -> Option<&'static str> {
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("m.plx", text));
    match load(&mut sources, file, &Options::default()) {
        Ok(loaded) => {
            assert_eq!(loaded.program.validate(), Ok(()), "{text}");
            None
        }
        Err(errors) => {
            assert!(errors.has_errors(), "{text}");
            errors.iter().next().map(|d| d.code)
        }
    }
}

#[test]
fn nesting_is_limited_and_long_chains_are_not() {
    let deep = |open: &str, close: &str, n: usize| {
        let text = format!("init {}x{};", open.repeat(n), close.repeat(n));
        first_error(&text)
    };
    let too_deep = "M0006 nested more than 256 levels deep";
    assert_eq!(deep("(", ")", 256), "");
    assert_eq!(deep("(", ")", 257), too_deep);
    for open in ["(", "-", "!", "a[", "P[1].v[", "min(", "if x then x else (", "forall i in 0..3: "]
    {
        assert_eq!(deep(open, "", 1_000_000), too_deep, "{open}");
    }
    // The deepest legal nesting, with every precedence level on the way down.
    let level = "a <=> a => a || a && a < a + a * (";
    assert_eq!(deep(level, ")", 256), "");
    for join in ["+", "&&", "=>", "<=>", "*", "-"] {
        let text = format!("init {}x;", format!("x {join} ").repeat(100_000));
        assert_eq!(first_error(&text), "", "{join}");
    }
    let chain = format!("init {} 0;", "if a then 1 else ".repeat(100_000));
    assert_eq!(first_error(&chain), "");
    let nested_if = format!("process P {{ do {}", "{ if a ".repeat(1_000_000));
    assert_eq!(first_error(&nested_if), too_deep);
    let lists = format!("var a: int = {};", "{".repeat(1_000_000));
    assert_eq!(first_error(&lists), too_deep);
    let else_if =
        format!("process P {{ do {{ if a {{ }} {} }} }}", "else if b { }".repeat(100_000));
    assert_eq!(first_error(&else_if), "");
}

#[test]
fn big_files_and_numbers_are_quick() {
    let start = Instant::now();
    let digits = "7".repeat(10_000);
    assert_eq!(first_error(&format!("const N = {digits};")), "");
    // The debug build gets a tenth of the size that the release build is asked for.
    let size = if cfg!(debug_assertions) { 5 << 20 } else { 50 << 20 };
    let fill = |unit: &str| unit.repeat(size / unit.len());
    assert_eq!(first_error(&fill("// a comment\n")), "");
    assert_eq!(first_error(&fill("const N = 1 + x * (3 - y);\n")).get(..5).unwrap_or(""), {
        if cfg!(debug_assertions) { "" } else { "M0008" }
    });
    assert_eq!(first_error(&format!("init {}0;", fill("a1 + "))).get(..5).unwrap_or(""), {
        if cfg!(debug_assertions) { "" } else { "M0008" }
    });
    assert_eq!(first_error(&fill("}")).get(..5), Some("M0004"));
    assert_eq!(first_error(&fill("\u{1}\u{2}µ")).get(..5), Some("M0001"));
    assert_eq!(first_error(&fill("\u{1} ")).get(..5), Some("M0001"));
    assert_eq!(first_error(&fill("/* ")).get(..5), Some("M0002"));
    assert_eq!(first_error(&fill("a_very_long_name")).get(..5), Some("M0004"));
    let too_big = " ".repeat((64 << 20) + 1);
    assert_eq!(first_error(&too_big).get(..5), Some("M0008"));
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

#[test]
fn binary_junk_is_reported() {
    let mut random = Random::new(7);
    for _ in 0..200 {
        let bytes: Vec<u8> = (0..random.below(4000)).map(|_| random.below(256) as u8).collect();
        let text = String::from_utf8_lossy(&bytes);
        let (_, found) = parse(FileId(0), &text);
        assert!(found.has_errors() || text.trim().is_empty());
    }
}

#[test]
fn formatting_keeps_the_tree_and_settles_at_once() {
    for seed in 0..400 {
        let text = support::random::model(seed);
        load_it(&text);
        let (before, errors) = parse(FileId(0), &text);
        let mut sources = SourceMap::default();
        sources.add(SourceFile::new("m", text.as_str()));
        assert!(!errors.has_errors(), "{}\n{text}", show(&sources, errors.iter()));
        let once = format(&text).unwrap_or_default();
        let (after, _) = parse(FileId(0), &once);
        assert_eq!(tree::model(&before), tree::model(&after), "{text}");
        let twice = format(&once).unwrap_or_default();
        let change = once.lines().zip(twice.lines()).find(|(a, b)| a != b);
        assert!(once == twice, "seed {seed}: {change:?}");
    }
}

#[test]
fn mutated_models_never_panic() {
    let mut random = Random::new(11);
    for (_, text) in models() {
        for _ in 0..600 {
            let mutant = random.mutate(&text);
            if let Ok(once) = format(&mutant) {
                assert_eq!(format(&once).unwrap_or_default(), once, "{mutant}");
            }
            load_it(&mutant);
        }
    }
}

#[test]
fn expansion_is_limited_and_quick() {
    let start = Instant::now();
    let check = |text: &str, expected: Option<&str>| {
        assert_eq!(load_it(text), expected, "{}", text.get(..200).unwrap_or(text));
    };
    let digits = "7".repeat(10_000);
    check(&format!("const N = {digits}; var x: 0..N = 0, y: int = N * N;"), None);
    check("process P[i in 0..1000000000] { }", Some("M0304"));
    check("process P[i in 0..1000000, j in 0..1000000] { }", Some("M0305"));
    check("process P { f[i in 0..1000, j in 0..1000]: when true; }", Some("M0305"));
    check("var a: [100000] int; var b: int;", Some("M0305"));
    check("var a: [1000] int = 0; process P { do a[a[a[0]]] := a[a[1]]; }", None);
    check(
        "var x: int; init forall i in 0..1000, j in 0..1000, k in 0..1000: x != i;",
        Some("M0302"),
    );
    // Chains of declarations are not chains of calls.
    let mut chain = String::from("const c0 = 1;");
    for i in 1..50_000 {
        chain.push_str(&format!("const c{i} = c{} + 1;", i - 1));
    }
    check(&format!("{chain} var x: 0..c49999 = 0;"), None);
    let backwards: Vec<&str> = chain.split_inclusive(';').rev().collect();
    check(&backwards.concat(), None);
    // What grows with every statement of a block is given up in time.
    let block = |stmt: &str| {
        format!("var x, y: int, b, c: bool; process P {{ do {{ {} }} }}", stmt.repeat(20_000))
    };
    check(&block("x := x * x;"), Some("M0302"));
    check(&block("x := x + y; y := x - y;"), Some("M0302"));
    check(&block("b := b && c; c := c || b;"), Some("M0302"));
    check(&block("if x > y { x := y; } else { y := x + 1; }"), None);
    check(&block("x := any; if x > 0 { b := any; }"), None);
    let sum: Vec<String> = (0..20_000).map(|i| format!("a[{i}]")).collect();
    let wide = format!("var a: [20000] int = 0; init {} > 0;", sum.join(" + "));
    check(&wide, None);
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}
