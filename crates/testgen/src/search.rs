//! The search, breadth first; and at random.

use crate::{Container, Match, Writer, probe};
use rustc_hash::FxHashSet;
use std::fmt::Debug;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A sequence that passed a new probe.
#[derive(Clone, Debug)]
pub struct Test<O> {
    /// The operations.
    pub operations: Vec<O>,
    /// The probes: block and facts.
    pub probes: Vec<(u32, u64)>,
}

/// A shortest sequence that fails.
#[derive(Clone, Debug)]
pub struct Failure<O> {
    /// The operations; the last one fails.
    pub operations: Vec<O>,
    /// What an error, a panic or the invariant says.
    pub message: String,
}

/// What a search found.
#[derive(Clone, Debug)]
pub struct Found<O> {
    /// Sequences that passed new probes.
    pub tests: Vec<Test<O>>,
    /// What went wrong, if anything did.
    pub failure: Option<Failure<O>>,
    /// How many states were kept.
    pub states: usize,
    /// How many operations were done.
    pub operations: u64,
    /// How many different shapes there were.
    pub shapes: usize,
}

impl<O: Debug> Found<O> {
    /// Fails the test if something went wrong, with the sequence.
    ///
    /// # Panics
    ///
    /// If the search found a failure.
    #[expect(clippy::panic, reason = "this is how a test fails")]
    pub fn assert_good(&self) {
        if let Some(failure) = &self.failure {
            panic!("{} after {:?}", failure.message, failure.operations);
        }
    }
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub struct Search {
    length: usize,
    values: u8,
    matching: Match,
}

impl Default for Search {
    fn default() -> Search {
        Search { length: 6, values: 6, matching: Match::Complete }
    }
}

struct Step<O> {
    parent: Option<usize>,
    operation: O,
}

impl Search {
    /// Length 6, 6 values, complete matching.
    pub fn new() -> Search {
        Search::default()
    }

    /// The longest sequences.
    #[must_use]
    pub fn length(mut self, length: usize) -> Search {
        self.length = length;
        self
    }

    /// How many values there are.
    #[must_use]
    pub fn values(mut self, values: u8) -> Search {
        self.values = values;
        self
    }

    /// What counts as the same state.
    #[must_use]
    pub fn matching(mut self, matching: Match) -> Search {
        self.matching = matching;
        self
    }

    /// Searches.
    pub fn run<C: Container>(&self) -> Found<C::Operation> {
        probe::begin();
        match self.matching {
            Match::Random { operations, seed } => self.random::<C>(operations, seed),
            _ => self.breadth_first::<C>(),
        }
    }

    fn key<C: Container>(&self, container: &C) -> Vec<u8> {
        if self.matching == Match::User {
            return container.abstraction();
        }
        let mut writer = Writer::new(self.matching);
        container.write(&mut writer);
        writer.bytes
    }

    fn breadth_first<C: Container>(&self) -> Found<C::Operation> {
        let operations = C::operations(self.values);
        let mut found =
            Found { tests: Vec::new(), failure: None, states: 1, operations: 0, shapes: 1 };
        let first = C::default();
        let mut seen: FxHashSet<Vec<u8>> = FxHashSet::default();
        let mut shapes: FxHashSet<Vec<u8>> = FxHashSet::default();
        seen.insert(self.key(&first));
        shapes.insert(shape(&first));
        let mut steps: Vec<Step<C::Operation>> = Vec::new();
        let mut frontier = vec![(None, first)];
        for _ in 0..self.length {
            let mut next = Vec::new();
            for (parent, state) in &frontier {
                for operation in &operations {
                    found.operations += 1;
                    let mut container = C::clone(state);
                    let done = attempt(&mut container, operation);
                    let sequence = || {
                        let mut all = path(&steps, *parent);
                        all.push(operation.clone());
                        all
                    };
                    if let Err(message) = done {
                        found.failure = Some(Failure { operations: sequence(), message });
                        return found;
                    }
                    let probes = probe::take_news();
                    if !probes.is_empty() {
                        found.tests.push(Test { operations: sequence(), probes });
                    }
                    if !seen.insert(self.key(&container)) {
                        continue;
                    }
                    if shapes.insert(shape(&container)) {
                        found.shapes += 1;
                    }
                    found.states += 1;
                    steps.push(Step { parent: *parent, operation: operation.clone() });
                    next.push((Some(steps.len() - 1), container));
                }
            }
            frontier = next;
        }
        found
    }

    fn random<C: Container>(&self, most: u64, seed: u64) -> Found<C::Operation> {
        let operations = C::operations(self.values);
        let mut shapes: FxHashSet<Vec<u8>> = FxHashSet::default();
        let mut found =
            Found { tests: Vec::new(), failure: None, states: 0, operations: 0, shapes: 0 };
        let mut state = seed;
        while found.operations < most && !operations.is_empty() {
            let mut container = C::default();
            let mut sequence = Vec::new();
            for _ in 0..self.length {
                let operation = &operations[(next(&mut state) % operations.len() as u64) as usize];
                sequence.push(operation.clone());
                found.operations += 1;
                if let Err(message) = attempt(&mut container, operation) {
                    found.failure = Some(Failure { operations: sequence, message });
                    return found;
                }
                let probes = probe::take_news();
                if !probes.is_empty() {
                    found.tests.push(Test { operations: sequence.clone(), probes });
                }
            }
            shapes.insert(shape(&container));
        }
        found.shapes = shapes.len();
        found
    }
}

/// The next number of the generator splitmix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

fn shape<C: Container>(container: &C) -> Vec<u8> {
    let mut writer = Writer::new(Match::Shape);
    container.write(&mut writer);
    writer.bytes
}

/// One operation and the invariant; a panic is an error.
fn attempt<C: Container>(container: &mut C, operation: &C::Operation) -> Result<(), String> {
    let work = || container.apply(operation).and_then(|()| container.invariant());
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(result) => result,
        Err(panic) => Err(match panic.downcast_ref::<&str>() {
            Some(text) => format!("panic: {text}"),
            None => match panic.downcast_ref::<String>() {
                Some(text) => format!("panic: {text}"),
                None => "panic".to_owned(),
            },
        }),
    }
}

fn path<O: Clone>(steps: &[Step<O>], mut at: Option<usize>) -> Vec<O> {
    let mut found = Vec::new();
    while let Some(step) = at.and_then(|at| steps.get(at)) {
        found.push(step.operation.clone());
        at = step.parent;
    }
    found.reverse();
    found
}
