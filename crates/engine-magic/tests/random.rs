//! Random procedures against random specifications. The truth is found by hand:
//! the procedure is run on every choice of its parameter and of the results of
//! the routine it calls, which gives a tree of all that it does, and that tree
//! is compared with the specification state by state.
//!
//! The constants are small and hardly anything is added to a value, so a few
//! values stand for all.

mod support;

use parallax_base::Budget;
use parallax_engine_magic::{Config, Outcome};
use parallax_evidence::ConformanceEvidence;
use parallax_lts::{Lts, StateId, TAU};
use parallax_simulate::{Conformance, simulates};
use std::collections::BTreeSet;
use support::Bench;

/// Procedures that are tried.
const TRIES: u64 = 120;
/// Values of the parameter and of results.
const VALUES: [i32; 9] = [i32::MIN, -3, -2, -1, 0, 1, 2, 3, i32::MAX];

/// Splitmix64.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) as usize % bound
    }
}

/// A statement; the variables are `x` and `y`.
#[derive(Clone, Debug)]
enum Statement {
    Act(&'static str),
    Ask(usize),
    Copy(usize),
    Grow(usize),
    If(Condition, Vec<Statement>, Vec<Statement>),
    Return(i32),
}

#[derive(Clone, Copy, Debug)]
enum Condition {
    Less(usize, i32),
    Is(usize, i32),
    Same,
}

const NAMES: [&str; 2] = ["x", "y"];

impl Condition {
    fn of(random: &mut Random) -> Condition {
        let (variable, constant) = (random.below(2), random.below(3) as i32 - 1);
        match random.below(4) {
            0 => Condition::Is(variable, constant),
            1 => Condition::Same,
            _ => Condition::Less(variable, constant),
        }
    }

    fn text(self) -> String {
        match self {
            Condition::Less(v, k) => format!("{} < {k}", NAMES[v]),
            Condition::Is(v, k) => format!("{} == {k}", NAMES[v]),
            Condition::Same => "x == y".to_owned(),
        }
    }

    fn holds(self, state: [i32; 2]) -> bool {
        match self {
            Condition::Less(v, k) => state[v] < k,
            Condition::Is(v, k) => state[v] == k,
            Condition::Same => state[0] == state[1],
        }
    }
}

/// A body; `asks` is how often the routine may still be called.
fn body(random: &mut Random, depth: usize, asks: &mut usize, grown: &mut bool) -> Vec<Statement> {
    let mut list = Vec::new();
    for _ in 0..1 + random.below(3) {
        list.push(match random.below(if depth > 0 { 8 } else { 4 }) {
            0..=2 => Statement::Act(["a", "b", "c"][random.below(3)]),
            3 => Statement::Copy(random.below(2)),
            4 if *asks > 0 => {
                *asks -= 1;
                Statement::Ask(random.below(2))
            }
            5 if !*grown => {
                *grown = true;
                Statement::Grow(random.below(2))
            }
            _ => {
                let condition = Condition::of(random);
                let first = body(random, depth - 1, asks, grown);
                Statement::If(condition, first, body(random, depth - 1, asks, grown))
            }
        });
    }
    if random.below(4) == 0 {
        list.push(Statement::Return(random.below(3) as i32));
    }
    list
}

fn text(list: &[Statement]) -> String {
    list.iter()
        .map(|statement| match statement {
            Statement::Act(action) => format!("{action}();"),
            Statement::Ask(v) => format!("{} = ask();", NAMES[*v]),
            Statement::Copy(v) => format!("{} = {};", NAMES[*v], NAMES[1 - *v]),
            Statement::Grow(v) => format!("{0} = (int)((unsigned){0} + 1u);", NAMES[*v]),
            Statement::If(condition, yes, no) => {
                format!("if ({}) {{ {} }} else {{ {} }}", condition.text(), text(yes), text(no))
            }
            Statement::Return(value) => format!("return {value};"),
        })
        .collect()
}

/// All that a procedure does from a state on, as a tree.
fn unfold(lts: &mut Lts, at: StateId, state: [i32; 2], rest: &[&Statement]) {
    let step = |lts: &mut Lts, at: StateId, label: &str| {
        let (action, next) = (lts.action(label), lts.add_state());
        lts.add_edge(at, action, next);
        next
    };
    let Some((first, rest)) = rest.split_first() else {
        step(lts, at, "return{$0 < 1}");
        return;
    };
    match first {
        Statement::Act(action) => {
            let next = step(lts, at, action);
            unfold(lts, next, state, rest);
        }
        Statement::Ask(v) => {
            let next = step(lts, at, "ask");
            for value in VALUES {
                let chosen = lts.add_state();
                lts.add_edge(next, TAU, chosen);
                let mut state = state;
                state[*v] = value;
                unfold(lts, chosen, state, rest);
            }
        }
        Statement::Copy(v) => unfold(lts, at, [state[1 - *v]; 2], rest),
        Statement::Grow(v) => {
            let mut state = state;
            state[*v] = state[*v].wrapping_add(1);
            unfold(lts, at, state, rest);
        }
        Statement::If(condition, yes, no) => {
            let branch = if condition.holds(state) { yes } else { no };
            let rest: Vec<&Statement> = branch.iter().chain(rest.iter().copied()).collect();
            unfold(lts, at, state, &rest);
        }
        Statement::Return(value) => {
            step(lts, at, if *value < 1 { "return{$0 < 1}" } else { "return{$0 >= 1}" });
        }
    }
}

/// A specification made of words that the procedure does: whether a common
/// beginning is shared is left to chance, some words are changed and some lost.
fn specification(random: &mut Random, lts: &Lts) -> String {
    let mut words: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut open: Vec<(StateId, Vec<String>)> = vec![(lts.initial(), Vec::new())];
    while let Some((state, word)) = open.pop() {
        if lts.edges(state).is_empty() {
            words.insert(word);
            continue;
        }
        for edge in lts.edges(state) {
            let mut longer = word.clone();
            if edge.action != TAU {
                longer.push(lts.label(edge.action).to_owned());
            }
            open.push((edge.target, longer));
        }
    }
    let mut words: Vec<Vec<String>> = words.into_iter().collect();
    if words.len() > 1 && random.below(4) == 0 {
        words.remove(random.below(words.len()));
    }
    if random.below(4) == 0 {
        let word = random.below(words.len());
        let place = random.below(words[word].len());
        words[word][place] = ["a", "b", "c"][random.below(3)].to_owned();
    }
    // A tree with edges that may fall together, state by state.
    let mut states: Vec<Vec<(String, usize)>> = vec![Vec::new()];
    for word in words {
        let mut at = 0;
        for letter in word {
            let known = states[at].iter().find(|(l, _)| *l == letter).map(|(_, to)| *to);
            at = match known.filter(|_| random.below(3) > 0) {
                Some(to) => to,
                None => {
                    states.push(Vec::new());
                    let new = states.len() - 1;
                    states[at].push((letter, new));
                    new
                }
            };
        }
    }
    let label = |letter: &str| match letter.strip_prefix("return") {
        Some(condition) => format!("return {condition}"),
        None => letter.to_owned(),
    };
    let state = |(number, edges): (usize, &Vec<(String, usize)>)| {
        let name = if number == 0 { "S".to_owned() } else { format!("S{number}") };
        if edges.is_empty() {
            return format!("{name} = STOP");
        }
        let all: Vec<String> =
            edges.iter().map(|(letter, to)| format!("{} -> S{to}", label(letter))).collect();
        format!("{name} = ({})", all.join(" | "))
    };
    states.iter().enumerate().map(state).collect::<Vec<_>>().join(", ") + "."
}

#[test]
fn random_procedures_are_answered_truly() {
    let (mut conform, mut differ, mut branching) = (0, 0, 0);
    for seed in 0..TRIES {
        let mut random = Random(seed);
        let (mut asks, mut grown) = (1 + random.below(2), false);
        let mut program = vec![Statement::Act("a")];
        if random.below(2) == 0 {
            asks -= 1;
            program.push(Statement::Ask(random.below(2)));
        }
        program.extend(body(&mut random, 2, &mut asks, &mut grown));
        let mut lts = Lts::new("truth");
        lts.add_state();
        for value in VALUES {
            let start = lts.add_state();
            lts.add_edge(0, TAU, start);
            unfold(&mut lts, start, [value, 0], &program.iter().collect::<Vec<_>>());
        }
        let machine = specification(&mut random, &lts);
        let c = format!(
            "void a(void); void b(void); void c(void); int ask(void);
             int f(int x) {{ int y = 0; {} return 0; }}",
            text(&program)
        );
        let system = format!(
            "system random {{ source \"program.c\";
               fsp {{ ASK = (ask -> (return {{$0 < 0}} -> STOP | return {{$0 >= 0}} -> STOP)).
                      {machine} }}
               procedure int f(int x) {{ target S; }}
               call void a(void) as a; call void b(void) as b; call void c(void) as c;
               assume int ask(void) {{ ASK; }} }}"
        );
        let mut bench = Bench::new(&format!("random-{seed}"), &c, &system);
        let spec = bench.machine("S");
        // A specification that does not speak of returns does not see them.
        if !machine.contains("return") {
            lts = lts.map_labels(|label| match label.starts_with("return") {
                true => Vec::new(),
                false => vec![label.to_owned()],
            });
        }
        let truth = simulates(&lts, &spec, &Budget::unlimited()).expect("no limit");
        let truth = matches!(truth.conformance, Conformance::Conforms(_));
        let (outcome, _) = bench.target(0, &Config::default());
        let shown = || format!("seed {seed}: {c}\n{machine}\n{outcome:?}");
        match &outcome {
            Outcome::Decided(ConformanceEvidence::Conforms(_)) => {
                assert!(truth, "{}", shown());
                conform += 1;
            }
            Outcome::Decided(ConformanceEvidence::Differs(found)) => {
                assert!(!truth, "{}", shown());
                differ += 1;
                branching += usize::from(found.runs.len() > 1);
            }
            Outcome::Unknown(_) => panic!("{}", shown()),
        }
    }
    println!("{conform} conform, {differ} differ, {branching} of them by several paths");
    assert!(conform > 30 && differ > 30 && branching > 3, "{conform}, {differ}, {branching}");
}
