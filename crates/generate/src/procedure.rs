//! Random C procedures with random specifications. The truth is found by hand:
//! the procedure is run on every choice of its parameter and of the results of
//! the routine it calls, which gives a tree of all that it does, and that tree
//! is compared with the specification state by state.
//!
//! The constants are small and hardly anything is added to a value, so a few
//! values stand for all.

use crate::Random;
use crate::system::{SILENT, System};
use std::collections::BTreeSet;

/// Values of the parameter and of results.
const VALUES: [i32; 9] = [i32::MIN, -3, -2, -1, 0, 1, 2, 3, i32::MAX];
const ACTIONS: [&str; 3] = ["a", "b", "c"];
/// Labels of returns: with a value that is less than one, and with another.
const RETURNS: [&str; 2] = ["return{$0 < 1}", "return{$0 >= 1}"];

/// A procedure with a specification.
#[derive(Clone, Debug)]
pub struct Task {
    /// The text of `program.c`; the procedure is `int f(int x)`.
    pub program: String,
    /// The text of the system file; the specification is `S`.
    pub system: String,
    /// Whether the procedure conforms.
    pub conforms: bool,
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
        let (variable, constant) = (random.index(2), random.between(-1, 1) as i32);
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
            0..=2 => Statement::Act(random.pick(&ACTIONS)),
            3 => Statement::Copy(random.index(2)),
            4 if *asks > 0 => {
                *asks -= 1;
                Statement::Ask(random.index(2))
            }
            5 if !*grown => {
                *grown = true;
                Statement::Grow(random.index(2))
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
fn unfold(tree: &mut System, at: usize, state: [i32; 2], rest: &[&Statement]) {
    let step = |tree: &mut System, label: &str| {
        let next = tree.add_state();
        tree.edges.push((at, label.to_owned(), next));
        next
    };
    let Some((first, rest)) = rest.split_first() else {
        step(tree, RETURNS[0]);
        return;
    };
    match first {
        Statement::Act(action) => {
            let next = step(tree, action);
            unfold(tree, next, state, rest);
        }
        Statement::Ask(v) => {
            let next = step(tree, "ask");
            for value in VALUES {
                let chosen = tree.add_state();
                tree.edges.push((next, SILENT.to_owned(), chosen));
                let mut state = state;
                state[*v] = value;
                unfold(tree, chosen, state, rest);
            }
        }
        Statement::Copy(v) => unfold(tree, at, [state[1 - *v]; 2], rest),
        Statement::Grow(v) => {
            let mut state = state;
            state[*v] = state[*v].wrapping_add(1);
            unfold(tree, at, state, rest);
        }
        Statement::If(condition, yes, no) => {
            let branch = if condition.holds(state) { yes } else { no };
            let rest: Vec<&Statement> = branch.iter().chain(rest.iter().copied()).collect();
            unfold(tree, at, state, &rest);
        }
        Statement::Return(value) => {
            step(tree, RETURNS[usize::from(*value >= 1)]);
        }
    }
}

/// What a tree does, as words.
fn words(tree: &System) -> Vec<Vec<String>> {
    let mut edges: Vec<Vec<(&str, usize)>> = vec![Vec::new(); tree.states];
    for (from, label, to) in &tree.edges {
        edges[*from].push((label, *to));
    }
    let mut words: BTreeSet<Vec<String>> = BTreeSet::new();
    let mut open: Vec<(usize, Vec<String>)> = vec![(0, Vec::new())];
    while let Some((state, word)) = open.pop() {
        if edges[state].is_empty() {
            words.insert(word);
            continue;
        }
        for (label, target) in &edges[state] {
            let mut longer = word.clone();
            if *label != SILENT {
                longer.push((*label).to_owned());
            }
            open.push((*target, longer));
        }
    }
    words.into_iter().collect()
}

/// A specification made of words that the procedure does: whether a common
/// beginning is shared is left to chance, some words are changed and some lost.
fn specification(random: &mut Random, tree: &System) -> System {
    let mut words = words(tree);
    if words.len() > 1 && random.below(4) == 0 {
        words.remove(random.index(words.len()));
    }
    if random.below(4) == 0 {
        let word = random.index(words.len());
        let place = random.index(words[word].len());
        words[word][place] = random.pick(&ACTIONS).to_owned();
    }
    // A tree with edges that may fall together, state by state.
    let mut made = System { states: 1, edges: Vec::new() };
    for word in words {
        let mut at = 0;
        for letter in word {
            let known = made.edges.iter().find(|e| e.0 == at && e.1 == letter).map(|e| e.2);
            at = match known.filter(|_| random.below(3) > 0) {
                Some(to) => to,
                None => {
                    let new = made.add_state();
                    made.edges.push((at, letter, new));
                    new
                }
            };
        }
    }
    made
}

/// A specification as the process `S` of FSP.
fn machine(specification: &System) -> String {
    let label = |letter: &str| match letter.strip_prefix("return") {
        Some(condition) => format!("return {condition}"),
        None => letter.to_owned(),
    };
    let state = |number: usize| {
        let name = if number == 0 { "S".to_owned() } else { format!("S{number}") };
        let edges = specification.edges.iter().filter(|e| e.0 == number);
        let all: Vec<String> = edges.map(|(_, l, to)| format!("{} -> S{to}", label(l))).collect();
        match all.is_empty() {
            true => format!("{name} = STOP"),
            false => format!("{name} = ({})", all.join(" | ")),
        }
    };
    (0..specification.states).map(state).collect::<Vec<_>>().join(", ") + "."
}

/// The task of a number.
pub fn task(seed: u64) -> Task {
    let mut random = Random(seed);
    let (mut asks, mut grown) = (1 + random.index(2), false);
    let mut program = vec![Statement::Act("a")];
    if random.index(2) == 0 {
        asks -= 1;
        program.push(Statement::Ask(random.index(2)));
    }
    program.extend(body(&mut random, 2, &mut asks, &mut grown));
    let mut tree = System { states: 1, edges: Vec::new() };
    for value in VALUES {
        let start = tree.add_state();
        tree.edges.push((0, SILENT.to_owned(), start));
        unfold(&mut tree, start, [value, 0], &program.iter().collect::<Vec<_>>());
    }
    let specification = specification(&mut random, &tree);
    // A specification that does not speak of returns does not see them.
    if !specification.edges.iter().any(|e| e.1.starts_with("return")) {
        for edge in tree.edges.iter_mut().filter(|e| e.1.starts_with("return")) {
            edge.1 = SILENT.to_owned();
        }
    }
    let program = format!(
        "void a(void); void b(void); void c(void); int ask(void);\n\
         int f(int x) {{ int y = 0; {} return 0; }}\n",
        text(&program)
    );
    let system = format!(
        "system random {{\n  source \"program.c\";\n  fsp {{\n    \
         ASK = (ask -> (return {{$0 < 0}} -> STOP | return {{$0 >= 0}} -> STOP)).\n    \
         {}\n  }}\n  procedure int f(int x) {{ target S; }}\n  \
         call void a(void) as a; call void b(void) as b; call void c(void) as c;\n  \
         assume int ask(void) {{ ASK; }}\n}}\n",
        machine(&specification)
    );
    Task { program, system, conforms: tree.is_simulated_by(&specification) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_repeat_and_both_answers_occur() {
        let all: Vec<Task> = (0..60).map(task).collect();
        assert_eq!(all[7].system, task(7).system);
        let conform = all.iter().filter(|task| task.conforms).count();
        assert!(conform > 15 && conform < 45, "{conform}");
    }
}
