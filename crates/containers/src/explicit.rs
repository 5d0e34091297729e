//! Explicit search, breadth first.
//!
//! Invariant: the frontier holds every state first reached by sequences of the
//! current length, so the first sequence with a property is a shortest one of
//! those that matching keeps.

use crate::api::Call;
use crate::outcome::{Failure, Figures, Found, Level, Test, Unsupported, Wrong};
use crate::runner::{Runner, State};
use crate::seen::Seen;
use crate::subject::Subject;
use crate::{Config, Goal, Match};
use parallax_base::{Budget, Event, Stop};
use parallax_machine::{Concrete, Coverage, What};
use std::collections::BTreeMap;

/// How a state was reached: from which, by which call.
#[derive(Clone, Copy, Debug)]
struct Step {
    parent: u32,
    call: u32,
}

const ROOT: u32 = u32::MAX;

/// What several searches share: tests, shapes, levels.
pub(crate) struct Book {
    pub(crate) tests: Vec<Test>,
    pub(crate) shapes: Vec<crate::outcome::Shape>,
    pub(crate) shape_set: Seen,
    pub(crate) shape_counts: BTreeMap<usize, usize>,
    state_counts: BTreeMap<usize, usize>,
    pub(crate) levels: Vec<Level>,
    pub(crate) figures: Figures,
    pub(crate) failure: Option<Failure>,
    pub(crate) stopped: Option<Stop>,
    most_shapes: usize,
}

impl Book {
    pub(crate) fn new(config: &Config) -> Book {
        Book {
            tests: Vec::new(),
            shapes: Vec::new(),
            shape_set: Seen::default(),
            shape_counts: BTreeMap::new(),
            state_counts: BTreeMap::new(),
            levels: Vec::new(),
            figures: Figures::default(),
            failure: None,
            stopped: None,
            most_shapes: config.shapes,
        }
    }

    /// Notes the shape of the current state.
    pub(crate) fn note_shape(
        &mut self,
        runner: &mut Runner<'_>,
        calls: impl FnOnce() -> Vec<Call>,
    ) {
        let key = runner.linearize(What::Shape);
        let is_new = self.shape_set.insert(&key.bytes);
        *self.state_counts.entry(runner.objects()).or_default() += 1;
        if is_new {
            *self.shape_counts.entry(runner.objects()).or_default() += 1;
            if self.shapes.len() < self.most_shapes {
                self.shapes.push(runner.shape(calls()));
            }
        }
    }

    /// Tells how far the search is.
    pub(crate) fn tell(&self, budget: &Budget) {
        let Figures { states, operations, .. } = self.figures;
        budget.notice(Event::Progress {
            states: operations,
            abstract_states: states as u64,
            queries: 0,
        });
    }

    pub(crate) fn end_level(&mut self, runner: &Runner<'_>, length: u32) {
        let covered = counts(runner.subject, &runner.machine.coverage);
        self.levels.push(Level {
            length,
            states: self.figures.states,
            operations: self.figures.operations,
            blocks: covered.0,
            branches: covered.1,
            combinations: covered.2,
            shapes: self.shape_set.len(),
        });
    }

    pub(crate) fn found(self, coverage: Coverage) -> Found {
        Found {
            tests: self.tests,
            failure: self.failure,
            coverage,
            figures: self.figures,
            levels: self.levels,
            shapes: self.shapes,
            shape_counts: self.shape_counts,
            state_counts: self.state_counts,
            stopped: self.stopped,
        }
    }
}

/// Blocks (or probes), branches and combinations covered.
pub(crate) fn counts(subject: &Subject<'_>, coverage: &Coverage) -> (usize, usize, usize) {
    let entered = || {
        let blocks = subject.compiled.map.blocks.iter().zip(&coverage.blocks);
        blocks.filter(|(_, seen)| **seen).map(|(block, _)| block)
    };
    let branches = entered().filter(|block| block.branch.is_some()).count();
    if subject.has_probes {
        return (coverage.probe_blocks.len(), branches, coverage.probes.len());
    }
    let blocks = entered().filter(|block| block.has_operations).count();
    (blocks, branches, coverage.combinations.len())
}

/// Whether what is new is what was asked for.
pub(crate) fn counts_as_new(runner: &mut Runner<'_>, goal: Goal) -> bool {
    if !runner.machine.coverage.has_news() {
        return false;
    }
    let news = runner.machine.coverage.take_news();
    let probes = runner.subject.has_probes;
    match goal {
        // Lines that no test executes are missed whatever is asked for.
        _ if news.block => true,
        Goal::Blocks if probes => news.probe_block,
        Goal::Blocks | Goal::Branches => false,
        Goal::Predicates if probes => news.probe,
        Goal::Predicates => news.combination,
    }
}

/// A wrong that is a limit of ours and not an error of the program.
pub(crate) fn unsupported(wrong: &Wrong, calls: Vec<Call>) -> Option<Unsupported> {
    match wrong {
        Wrong::Trap(trap, place)
        | Wrong::InvariantTrap(trap, place)
        | Wrong::ModelTrap(trap, place)
            if !trap.is_failure() =>
        {
            Some(Unsupported { what: trap.to_string(), place: *place, calls })
        }
        _ => None,
    }
}

struct Search<'s, 'c> {
    runner: Runner<'s>,
    /// Ends containers; what that covers does not count for operations.
    ender: Runner<'s>,
    config: &'c Config,
    calls: Vec<Call>,
    steps: Vec<Step>,
    seen: Seen,
    key: Vec<u8>,
    /// Whether the runner is in the state whose operations are tried.
    holds_parent: bool,
    book: Book,
}

pub(crate) fn search(
    subject: &Subject<'_>,
    config: &Config,
    budget: &Budget,
) -> Result<Found, Unsupported> {
    let mut search = Search {
        runner: Runner::new(subject),
        ender: Runner::new(subject),
        config,
        calls: ordered(subject.api.calls(config.values), config.matching),
        steps: Vec::new(),
        seen: Seen::default(),
        key: Vec::new(),
        holds_parent: false,
        book: Book::new(config),
    };
    search.run(budget)?;
    let coverage = search.runner.machine.coverage;
    Ok(search.book.found(coverage))
}

/// The order in which calls are tried. Lossy matching keeps the first state of
/// its kind, so values are tried by halving the range: what is kept first then
/// leaves room between its values, and more can follow.
fn ordered(mut calls: Vec<Call>, matching: Match) -> Vec<Call> {
    if matching.is_exhaustive() {
        return calls;
    }
    let mut values: Vec<i64> = calls.iter().flat_map(|call| call.values.clone()).collect();
    values.sort_unstable();
    values.dedup();
    let mut rank = rustc_hash::FxHashMap::default();
    let mut ranges = std::collections::VecDeque::from([(0, values.len())]);
    while let Some((from, to)) = ranges.pop_front() {
        if from < to {
            let middle = from + (to - from) / 2;
            let next = rank.len();
            rank.insert(values[middle], next);
            ranges.extend([(from, middle), (middle + 1, to)]);
        }
    }
    calls.sort_by_key(|call| {
        let ranks: Vec<usize> = call.values.iter().map(|value| rank[value]).collect();
        (call.operation, ranks)
    });
    calls
}

impl Search<'_, '_> {
    fn run(&mut self, budget: &Budget) -> Result<(), Unsupported> {
        let begun = self.runner.begin().and_then(|()| self.runner.check(&mut Concrete));
        if let Err(wrong) = begun.and_then(|()| self.ender.replay(&[]).1.map_or(Ok(()), Err)) {
            return self.fail(ROOT, None, wrong);
        }
        if counts_as_new(&mut self.runner, self.config.goal) {
            self.book.tests.push(Test { calls: Vec::new() });
        }
        let first = self.runner.save();
        if let Err(wrong) = self.is_new() {
            return self.fail(ROOT, None, wrong);
        }
        self.runner.restore(&first);
        self.book.figures.states = 1;
        self.book.note_shape(&mut self.runner, Vec::new);
        self.book.end_level(&self.runner, 0);
        let mut frontier = vec![(ROOT, first)];
        for length in 1..=self.config.length {
            let mut next = Vec::new();
            let goes_on = self.level(&frontier, &mut next, budget)?;
            self.book.end_level(&self.runner, length);
            let old = std::mem::replace(&mut frontier, next);
            if !goes_on {
                // Freeing millions of states takes longer than a limit allows.
                // Without a thread it is freed here.
                let _ = std::thread::Builder::new().spawn(move || drop((old, frontier)));
                return Ok(());
            }
            if frontier.is_empty() {
                break;
            }
        }
        Ok(())
    }

    /// All operations from all states of one length; whether to go on.
    fn level(
        &mut self,
        frontier: &[(u32, State)],
        next: &mut Vec<(u32, State)>,
        budget: &Budget,
    ) -> Result<bool, Unsupported> {
        let mut bytes = 0;
        for (at, (parent, state)) in frontier.iter().enumerate() {
            if at % 64 == 0
                && let Err(stop) = budget.check()
            {
                self.book.stopped = Some(stop);
                return Ok(false);
            }
            if at % 4096 == 0 {
                self.book.tell(budget);
            }
            self.holds_parent = false;
            for call in 0..self.calls.len() {
                if !self.step(*parent, state, call, next, &mut bytes)? {
                    return Ok(false);
                }
            }
        }
        let held: usize = self.seen.size() + bytes;
        self.book.figures.bytes = self.book.figures.bytes.max(held);
        Ok(true)
    }

    /// One operation from one state; whether to go on.
    #[inline]
    fn step(
        &mut self,
        parent: u32,
        state: &State,
        call: usize,
        next: &mut Vec<(u32, State)>,
        bytes: &mut usize,
    ) -> Result<bool, Unsupported> {
        if !self.holds_parent {
            self.runner.restore(state);
        }
        self.holds_parent = false;
        self.book.figures.operations += 1;
        if let Err(wrong) = self.runner.apply(&self.calls[call]) {
            self.fail(parent, Some(call), wrong)?;
            return Ok(false);
        }
        let kept = self.keep(parent, call);
        // An operation that wrote nothing leads to the state it came from.
        let same = self.runner.containers == state.containers && self.runner.model == state.model;
        if same && !self.runner.machine.is_changed() {
            self.holds_parent = true;
            self.book.figures.matched += 1;
            return Ok(true);
        }
        let exhaustive = self.config.matching.is_exhaustive();
        let saved = (!exhaustive).then(|| self.runner.save());
        if saved.is_some()
            && let Err(wrong) = self.runner.check(&mut Concrete)
        {
            self.fail(parent, Some(call), wrong)?;
            return Ok(false);
        }
        match self.is_new() {
            Err(wrong) => {
                self.fail(parent, Some(call), wrong)?;
                return Ok(false);
            }
            Ok(false) => {
                self.book.figures.matched += 1;
                return Ok(true);
            }
            Ok(true) => {}
        }
        let state = match saved {
            Some(state) => {
                self.runner.restore(&state);
                state
            }
            None => {
                let state = self.runner.save();
                if let Err(wrong) = self.runner.check(&mut Concrete) {
                    self.fail(parent, Some(call), wrong)?;
                    return Ok(false);
                }
                state
            }
        };
        // The invariant is part of the test.
        if !kept {
            self.keep(parent, call);
        }
        self.ender.restore(&state);
        if let Err(wrong) = self.ender.end() {
            self.fail(parent, Some(call), wrong)?;
            return Ok(false);
        }
        self.steps.push(Step { parent, call: call as u32 });
        let step = self.steps.len() as u32 - 1;
        self.book.figures.states += 1;
        let (steps, calls) = (&self.steps, &self.calls);
        self.book.note_shape(&mut self.runner, || sequence(steps, calls, step));
        *bytes += state.size();
        next.push((step, state));
        Ok(true)
    }

    /// Keeps the sequence as a test if it covered something new; whether so.
    fn keep(&mut self, parent: u32, call: usize) -> bool {
        let is_new = counts_as_new(&mut self.runner, self.config.goal);
        if is_new {
            let calls = self.sequence(parent, Some(call));
            self.book.tests.push(Test { calls });
        }
        is_new
    }

    /// Whether the current state was not seen before.
    fn is_new(&mut self) -> Result<bool, Wrong> {
        let what = match self.config.matching {
            Match::Concrete => What::Concrete,
            Match::Shape => What::Shape,
            Match::User => {
                self.runner.abstraction(&mut self.key)?;
                return Ok(self.seen.insert(&self.key));
            }
            _ => What::Complete,
        };
        let key = self.runner.linearize(what);
        Ok(self.seen.insert(&key.bytes))
    }

    fn sequence(&self, step: u32, call: Option<usize>) -> Vec<Call> {
        let mut calls = sequence(&self.steps, &self.calls, step);
        calls.extend(call.map(|call| self.calls[call].clone()));
        calls
    }

    fn fail(&mut self, parent: u32, call: Option<usize>, wrong: Wrong) -> Result<(), Unsupported> {
        let calls = self.sequence(parent, call);
        if let Some(limit) = unsupported(&wrong, calls.clone()) {
            return Err(limit);
        }
        self.book.failure = Some(Failure { calls, wrong });
        Ok(())
    }
}

/// The calls that lead to a step.
fn sequence(steps: &[Step], calls: &[Call], step: u32) -> Vec<Call> {
    let mut found = Vec::new();
    let mut at = step;
    while let Some(step) = steps.get(at as usize) {
        found.push(calls[step.call as usize].clone());
        at = step.parent;
    }
    found.reverse();
    found
}
