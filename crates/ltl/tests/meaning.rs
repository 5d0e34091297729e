//! The two definitions of what formulas mean, against each other and against a
//! third one that is written down here, on random formulas and words.

use parallax_base::{Budget, FileId};
use parallax_ltl::{Formula, Lasso, Node, Progression, Sub, parse, parse_word};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use std::collections::{BTreeMap, BTreeSet};

/// A random formula of about this size over atoms `a`, `b`, `c`.
fn random(rng: &mut StdRng, size: usize) -> String {
    if size <= 1 {
        return ["a", "b", "c", "a", "b", "true"][rng.random_range(0..6)].to_owned();
    }
    let left = rng.random_range(1..size);
    match rng.random_range(0..12) {
        0 | 1 => format!("!({})", random(rng, size - 1)),
        2 => format!("X ({})", random(rng, size - 1)),
        3 => format!("[] ({})", random(rng, size - 1)),
        4 => format!("<> ({})", random(rng, size - 1)),
        n => {
            let op = ["U", "R", "W", "M", "&&", "||", "->"][n - 5];
            format!("({}) {op} ({})", random(rng, left), random(rng, size - left))
        }
    }
}

fn random_word(rng: &mut StdRng) -> Lasso {
    let mut letters = |least: usize, most: usize| -> Vec<u64> {
        let n = rng.random_range(least..=most);
        (0..n).map(|_| rng.random_range(0..8)).collect()
    };
    Lasso { stem: letters(0, 3), cycle: letters(1, 4) }
}

fn formula(text: &str) -> Formula {
    parse(FileId::default(), text).0.expect("a formula")
}

/// The textbook: until looks ahead, as far as there are new positions.
fn textbook(f: &Formula, part: Sub, word: &Lasso, i: usize) -> bool {
    let holds = |part: &Sub, i: usize| textbook(f, *part, word, i);
    let ahead =
        |i: usize| std::iter::successors(Some(i), |&i| Some(word.next(i))).take(2 * word.len() + 1);
    match f.store.node(part) {
        Node::True => true,
        Node::False => false,
        Node::Atom(a) => word.letter(i) >> a & 1 == 1,
        Node::Not(g) => !holds(g, i),
        Node::And(gs) => gs.iter().all(|g| holds(g, i)),
        Node::Or(gs) => gs.iter().any(|g| holds(g, i)),
        Node::Next(g) => holds(g, word.next(i)),
        Node::Until(a, b) => {
            let stop = ahead(i).position(|k| holds(b, k));
            stop.is_some_and(|n| ahead(i).take(n).all(|k| holds(a, k)))
        }
        Node::Release(a, b) => {
            let first = ahead(i).position(|k| holds(a, k)).map_or(usize::MAX, |n| n + 1);
            ahead(i).take(first).all(|k| holds(b, k))
        }
    }
}

/// Whether there is a sequence of obligations along the word that postpones no
/// until for ever.
fn progresses(formula: &Formula, negated: bool, word: &Lasso) -> bool {
    type At = (usize, Vec<Sub>);
    let mut progression = Progression::new(formula, negated);
    let mut edges: BTreeMap<At, Vec<(At, Vec<Sub>)>> = BTreeMap::new();
    let mut waiting = vec![(0, progression.initial())];
    while let Some((i, obligations)) = waiting.pop() {
        if edges.contains_key(&(i, obligations.clone())) {
            continue;
        }
        let found = progression.successors(&obligations, word.letter(i), &Budget::unlimited());
        let found = found.expect("no limit");
        let next: Vec<(At, Vec<Sub>)> =
            found.into_iter().map(|s| ((word.next(i), s.obligations), s.postponed)).collect();
        waiting.extend(next.iter().map(|(at, _)| at.clone()));
        edges.insert((i, obligations), next);
    }
    // Some strongly connected part has an edge, and for each until an edge
    // that does not postpone it.
    let reach = |from: &At| {
        let mut seen = BTreeSet::new();
        let mut waiting: Vec<At> = edges[from].iter().map(|(to, _)| to.clone()).collect();
        while let Some(at) = waiting.pop() {
            if seen.insert(at.clone()) {
                waiting.extend(edges[&at].iter().map(|(to, _)| to.clone()));
            }
        }
        seen
    };
    let reached: BTreeMap<&At, BTreeSet<At>> = edges.keys().map(|at| (at, reach(at))).collect();
    edges.keys().any(|at| {
        let same = |to: &At| reached[at].contains(to) && reached[to].contains(at);
        if !same(at) {
            return false;
        }
        let inner: Vec<&Vec<Sub>> = edges
            .iter()
            .filter(|(from, _)| same(from))
            .flat_map(|(_, to)| to.iter().filter(|(to, _)| same(to)).map(|(_, p)| p))
            .collect();
        let untils: BTreeSet<Sub> = inner.iter().flat_map(|p| p.iter().copied()).collect();
        untils.iter().all(|u| inner.iter().any(|p| !p.contains(u)))
    })
}

#[test]
fn three_definitions_agree() {
    let mut rng = StdRng::seed_from_u64(58);
    let (mut yes, mut no) = (0, 0);
    for _ in 0..1500 {
        let size = rng.random_range(1..9);
        let text = random(&mut rng, size);
        let f = formula(&text);
        for _ in 0..3 {
            let word = random_word(&mut rng);
            let truth = word.satisfies(&f);
            assert_eq!(truth, textbook(&f, f.root, &word, 0), "{text} on {word:?}");
            assert_eq!(truth, progresses(&f, false, &word), "{text} on {word:?}");
            assert_eq!(!truth, progresses(&f, true, &word), "! ({text}) on {word:?}");
            *(if truth { &mut yes } else { &mut no }) += 1;
        }
    }
    assert!(yes > 1000 && no > 1000, "{yes} true, {no} false");
}

#[test]
fn printing_keeps_the_meaning() {
    let mut rng = StdRng::seed_from_u64(59);
    for _ in 0..1000 {
        let size = rng.random_range(1..12);
        let text = random(&mut rng, size);
        let (f, g) = (formula(&text), formula(&formula(&text).show()));
        let bits = |f: &Formula, word: &Lasso| -> bool {
            // Atoms are counted in the order of writing, which may change.
            let names = ["a", "b", "c"];
            let renamed = |letter: &u64| {
                let bit = |(i, atom): (usize, &parallax_ltl::Atom)| {
                    let name = names.iter().position(|n| **n == atom.text).expect("a name");
                    (letter >> name & 1) << i
                };
                f.atoms.iter().enumerate().map(bit).sum()
            };
            let rename = |letters: &[u64]| letters.iter().map(renamed).collect();
            Lasso { stem: rename(&word.stem), cycle: rename(&word.cycle) }.satisfies(f)
        };
        for _ in 0..5 {
            let word = random_word(&mut rng);
            assert_eq!(bits(&f, &word), bits(&g, &word), "{text} and {}", g.show());
        }
    }
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
        assert_eq!(word.satisfies(&f), expected, "{text}");
    }
}
