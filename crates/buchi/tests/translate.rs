//! Automata against the meaning of their formulas, and how small they are.

mod support;

use parallax_base::{Budget, FileId, Stop};
use parallax_buchi::{Automaton, TranslateError, to_hoa, translate};
use parallax_ltl::{Lasso, parse_word};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::time::Duration;
use support::{automaton, formula, random, random_word, read_hoa};

/// An automaton and that of the negation accept what they should.
fn check(text: &str, rng: &mut StdRng, words: usize) -> (usize, usize) {
    let f = formula(text);
    let (yes, no) = (automaton(&f, false), automaton(&f, true));
    let read = read_hoa(&to_hoa(&yes, text, false));
    assert_eq!(read, yes, "{text}");
    let mut accepted = 0;
    for _ in 0..words {
        let word = random_word(rng);
        let truth = word.satisfies(&f);
        assert_eq!(yes.accepts(&word), truth, "{text} on {word:?}: {yes:?}");
        assert_eq!(no.accepts(&word), !truth, "! ({text}) on {word:?}: {no:?}");
        accepted += usize::from(truth);
    }
    (accepted, words - accepted)
}

#[test]
fn random_formulas_on_random_words() {
    let mut rng = StdRng::seed_from_u64(1);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..4000 {
        let size = rng.random_range(1..10);
        let text = random(&mut rng, size);
        let (a, b) = check(&text, &mut rng, 8);
        yes += a;
        no += b;
    }
    assert!(yes > 8000 && no > 8000, "{yes} accepted, {no} rejected");
}

#[test]
fn larger_formulas_on_random_words() {
    let mut rng = StdRng::seed_from_u64(2);
    for _ in 0..150 {
        let size = rng.random_range(10..16);
        let text = random(&mut rng, size);
        check(&text, &mut rng, 40);
    }
}

/// All words up to a size, for formulas over two atoms.
#[test]
fn known_formulas_on_all_short_words() {
    let words = || {
        let count = |n: usize| 4usize.pow(n as u32);
        let letters = move |n: usize, code: usize| -> Vec<u64> {
            (0..n).map(|i| (code / count(i) % 4) as u64).collect()
        };
        let shapes = [(0, 1), (1, 1), (0, 2), (2, 1), (1, 2), (0, 3), (2, 2), (1, 3)];
        shapes.into_iter().flat_map(move |(stem, cycle)| {
            (0..count(stem + cycle)).map(move |code| Lasso {
                stem: letters(stem, code % count(stem)),
                cycle: letters(cycle, code / count(stem)),
            })
        })
    };
    for (text, _) in SIZES {
        let f = formula(text);
        if f.atoms.len() > 2 {
            continue;
        }
        let (yes, no) = (automaton(&f, false), automaton(&f, true));
        for word in words() {
            let truth = word.satisfies(&f);
            assert_eq!(yes.accepts(&word), truth, "{text} on {word:?}");
            assert_eq!(no.accepts(&word), !truth, "! ({text}) on {word:?}");
        }
    }
}

/// Formulas of the literature (Etessami and Holzmann 2000, Somenzi and Bloem
/// 2000, Dwyer, Avrunin, Corbett 1999), each with the number of states of its
/// automaton.
const SIZES: [(&str, usize); 40] = [
    ("true", 1),
    ("false", 1),
    ("a", 2),
    ("X a", 3),
    ("[] a", 1),
    ("<> a", 2),
    ("[] <> a", 2),
    ("<> [] a", 2),
    ("[]<>a && <>[]b", 3),
    ("[]<>a && []<>b", 3),
    ("[]<>a || <>[]b", 4),
    ("[]<>a -> []<>b", 4),
    ("a U b", 2),
    ("a R b", 2),
    ("a W b", 2),
    ("a U (b U c)", 3),
    ("!(a U (b U c))", 3),
    ("[] (a -> <> b)", 2),
    ("! [] (a -> <> b)", 2),
    ("(a U b) && [] c", 2),
    ("[] <> a -> [] (b -> <> c)", 5),
    ("<> a U [] b", 3),
    ("[] a U b", 4),
    ("! (<> <> a <-> <> a)", 1),
    ("! ([] <> a -> [] <> b)", 3),
    ("! ([] <> a <-> [] <> b)", 5),
    ("a R (a || b)", 2),
    ("(X a U X b) || ! X (a U b)", 1),
    ("(X a U b) || ! X (a U (a && b))", 4),
    ("[] (a -> <> b) && ((X a U b) || ! X (a U (a && b)))", 6),
    ("[] (a -> <> b) && ((X a U X b) || ! X (a U b))", 2),
    ("[] (a && X X b -> <> (b && X a))", 8),
    ("a U (b && X (c U a))", 3),
    ("<> (a && X <> (b && X <> c))", 4),
    ("<> (a && <> (b && <> c))", 4),
    ("[] (a -> ! b U c)", 2),
    ("[] (a && ! b -> (! c W b))", 2),
    ("<> a -> (! b U (c || a))", 4),
    ("[] (a -> X X X b)", 8),
    ("[] <> a && [] <> b && [] <> c", 4),
];

#[test]
fn automata_are_small() {
    let mut wrong = Vec::new();
    for (text, expected) in SIZES {
        let automaton = automaton(&formula(text), false);
        if automaton.states.len() != expected {
            wrong.push(format!("{text}: {} states, {expected} expected", automaton.states.len()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Exercise 5.8 of the lecture.
fn lecture() -> Automaton {
    automaton(&formula("[]<>a && <>[]b"), false)
}

#[test]
fn the_automaton_of_the_lecture() {
    let shown = to_hoa(&lecture(), "[]<>a && <>[]b", true);
    insta::assert_snapshot!(shown, @r#"
    HOA: v1
    tool: "parallax" "0.1.0"
    name: "[]<>a && <>[]b"
    States: 3
    Start: 0
    AP: 2 "a" "b"
    acc-name: Buchi
    Acceptance: 1 Inf(0)
    properties: trans-labels explicit-labels state-acc stutter-invariant
    --BODY--
    State: 0
    [t] 0
    [1] 1
    State: 1 {0}
    [0&1] 1
    [1] 2
    State: 2
    [0&1] 1
    [1] 2
    --END--
    "#);
}

#[test]
fn the_words_of_the_lecture() {
    let f = formula("[]<>a && <>[]b");
    for (text, expected) in [
        ("({a,b})^w", true),
        ("{b}({a,b}{b})^w", true),
        ("({b})^w", false),
        ("({a}{a,b})^w", false),
    ] {
        let word = parse_word(FileId::default(), text, &f).expect("a word");
        assert_eq!(lecture().accepts(&word), expected, "{text}");
    }
}

#[test]
fn names_are_quoted() {
    let f = formula("[] \"x > 3\" && a[0]@b");
    let automaton = automaton(&f, false);
    let text = to_hoa(&automaton, "say \"hi\" \\", false);
    assert!(text.contains("name: \"say \\\"hi\\\" \\\\\"\n"), "{text}");
    assert_eq!(read_hoa(&text), automaton);
}

#[test]
fn limits_are_kept() {
    // Exponentially many sets of obligations.
    let parts: Vec<String> = (0..30).map(|i| format!("(a{i} U b{i})")).collect();
    let f = formula(&parts.join(" || X "));
    let budget = Budget::new(Some(Duration::from_millis(200)), None);
    let long = formula(
        &(0..30).map(|i| format!("<> [] (a{i} || <> b{i})")).collect::<Vec<_>>().join(" && "),
    );
    assert!(translate(&f, false, &budget).is_ok() || budget.check().is_err());
    assert_eq!(translate(&long, true, &budget), Err(TranslateError::Stopped(Stop::Time)));
    let untils: Vec<String> = (0..66).map(|i| format!("{}a", "X ".repeat(i))).collect();
    let untils: Vec<String> = untils.iter().map(|x| format!("(({x}) U b)")).collect();
    let many = formula(&untils.join(" && "));
    let found = translate(&many, false, &Budget::unlimited());
    assert_eq!(found, Err(TranslateError::TooManyUntils));
}
