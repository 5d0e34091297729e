//! Who moves when: a run over terms with several threads, followed by the
//! interpreter.
//!
//! A step of the run over terms ends at a cut point of its thread, or where the
//! thread ends or stops. There the thread of the next step goes on. That is for
//! the encoded form; in the program as written steps are longer, so it is told
//! by the last operation of each turn that is the same in both ([`Role::Same`]):
//! what lies behind it, before the next such operation, is the thread's own.
//!
//! # Soundness
//! Nothing here is trusted: see `back.rs`.

use crate::program::Encoded;
use crate::script::At;
use parallax_base::Id;
use parallax_cfa::run::CheckKind;
use parallax_cfa::{Edge, ExprKind, Function, Op, Primitive, Program};
use parallax_transform::{Origin, Role};
use std::collections::{BTreeMap, BTreeSet};

/// A thread took an edge of the encoded form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Moved {
    thread: usize,
    at: At,
}

/// The turns of a run over terms.
pub(crate) struct Schedule {
    /// For each step the function of its thread, and whether it ends there.
    steps: Vec<(Id<Function>, bool)>,
    /// The number of the thread that runs each function.
    numbers: BTreeMap<Id<Function>, usize>,
    running: usize,
    /// The last edge, and whether it came to a cut point.
    last: Option<(At, bool)>,
    /// What was done.
    pub(crate) log: Vec<Moved>,
}

impl Schedule {
    /// For a run over terms that takes these transitions.
    pub(crate) fn new(encoded: &Encoded, transitions: &[usize]) -> Schedule {
        let steps = transitions.iter().filter_map(|t| encoded.moves.get(*t).copied()).collect();
        let numbers = encoded.starts.first().map(|main| (*main, 0)).into_iter().collect();
        Schedule { steps, numbers, running: 0, last: None, log: Vec::new() }
    }

    /// The thread that moved last.
    pub(crate) fn running(&self) -> usize {
        self.running
    }

    /// A thread takes an edge.
    pub(crate) fn step(&mut self, form: &Program, thread: usize, at: At, is_cut: bool) {
        self.running = thread;
        self.last = Some((at, is_cut));
        self.log.push(Moved { thread, at });
        if let Op::Primitive { primitive: Primitive::Spawn, arguments, .. } =
            &form.functions[at.0].edges[at.1].op
            && let Some(start) = arguments.first()
            && let ExprKind::Function(function) = form.exprs[*start].kind
        {
            let number = self.numbers.len();
            self.numbers.entry(function).or_insert(number);
        }
    }

    /// Who goes on, when `done` steps have begun.
    pub(crate) fn turn(&mut self, form: &Program, done: usize, able: &[usize]) -> usize {
        let goes_on = able.contains(&self.running) && !self.is_done(form, done);
        let next = match goes_on {
            true => Some(self.running),
            // Nothing is left to do: who cannot go on finds out, sleepers last.
            false if done >= self.steps.len() => {
                let asleep = sleepers(form, &self.log);
                able.iter().copied().find(|thread| !asleep.contains(thread))
            }
            false => {
                let next = self.steps.get(done).map(|(function, _)| *function);
                next.and_then(|function| self.numbers.get(&function).copied())
            }
        };
        let position = next.and_then(|next| able.iter().position(|thread| *thread == next));
        self.running = able[position.unwrap_or(0)];
        position.unwrap_or(0)
    }

    /// Whether the step that is being taken has come to its end.
    fn is_done(&self, form: &Program, done: usize) -> bool {
        let Some(((function, edge), is_cut)) = self.last else { return true };
        let data = &form.functions[function];
        let at = data.edges[edge].target;
        if is_cut {
            return true;
        }
        // `main` waits before it ends the run; a thread ends.
        let is_main = Some(function) == form.main;
        if at == data.exit {
            return is_main;
        }
        let ends = done.checked_sub(1).and_then(|step| self.steps.get(step));
        let stops = |edge: &Edge| {
            edge.source == at
                && match edge.op {
                    Op::Halt(_) => true,
                    Op::Return(_) => is_main,
                    _ => false,
                }
        };
        ends.is_some_and(|(_, ends)| *ends) && data.edges.iter().any(stops)
    }
}

/// The threads that have fallen asleep and not gone on.
fn sleepers(form: &Program, log: &[Moved]) -> BTreeSet<usize> {
    let mut asleep = BTreeSet::new();
    for moved in log {
        match form.functions[moved.at.0].edges[moved.at.1].op {
            Op::Primitive { primitive: Primitive::Sleep, .. } => {
                asleep.insert(moved.thread);
            }
            Op::Primitive { primitive: Primitive::Rise, .. } => {
                asleep.remove(&moved.thread);
            }
            _ => {}
        }
    }
    asleep
}

/// Whether a thread wakes up.
fn is_rise(form: &Program, moved: &Moved) -> bool {
    let op = &form.functions[moved.at.0].edges[moved.at.1].op;
    matches!(op, Op::Primitive { primitive: Primitive::Rise, .. })
}

/// The turns of a run of the program as written.
pub(crate) struct Turns {
    /// For each turn the thread, and its last edge with how often it is taken.
    turns: Vec<(usize, At, usize)>,
    at: usize,
    /// How often each thread took each edge.
    taken: BTreeMap<(usize, At), usize>,
    /// Where the run ends because no thread can move: those who sleep.
    asleep: Option<BTreeSet<usize>>,
}

impl Turns {
    /// The turns of a run of a program, from those of the form that was encoded, and
    /// whether they end where no thread can move.
    pub(crate) fn new(
        (program, form): (&Program, &Program),
        origin: &Origin,
        log: &[Moved],
        is_deadlock: bool,
    ) -> Turns {
        // That a sleeper finds nobody who could wake it is no step of the run.
        let log = match log.split_last() {
            Some((last, rest)) if is_deadlock && is_rise(form, last) => rest,
            _ => log,
        };
        let mut taken: BTreeMap<(usize, At), usize> = BTreeMap::new();
        let mut turns: Vec<(usize, At, usize)> = Vec::new();
        for moved in log {
            let Some(from) = origin.edge(moved.at.0, moved.at.1) else { continue };
            // Nobody can move between a check and what follows it, but for one that
            // announces an access.
            let at = (from.function, from.edge);
            let op = &program.functions[at.0].edges[at.1].op;
            let is_step = match op {
                Op::Check(check) => check.kind() == CheckKind::Alone,
                _ => true,
            };
            if from.role != Role::Same || !is_step {
                continue;
            }
            let count = taken.entry((moved.thread, at)).or_default();
            *count += 1;
            let turn = (moved.thread, at, *count);
            match turns.last_mut() {
                Some(last) if last.0 == moved.thread => *last = turn,
                _ => turns.push(turn),
            }
        }
        // Who moves last may come to nothing but a check.
        if let Some(last) = log.last()
            && turns.last().is_some_and(|turn| turn.0 != last.thread)
        {
            turns.push((last.thread, last.at, usize::MAX));
        }
        let asleep = is_deadlock.then(|| sleepers(form, log));
        Turns { turns, at: 0, taken: BTreeMap::new(), asleep }
    }

    /// A thread takes an edge.
    pub(crate) fn step(&mut self, thread: usize, at: At) {
        *self.taken.entry((thread, at)).or_default() += 1;
    }

    /// Who goes on.
    pub(crate) fn turn(&mut self, able: &[usize]) -> usize {
        // The last turn has no end, if the run ends in it.
        let ends = usize::from(self.asleep.is_none());
        while self.at + ends < self.turns.len() {
            let (thread, at, count) = self.turns[self.at];
            let taken = self.taken.get(&(thread, at)).copied().unwrap_or(0);
            if taken < count && able.contains(&thread) {
                break;
            }
            self.at += 1;
        }
        let next = match (self.turns.get(self.at), &self.asleep) {
            (Some(turn), _) => Some(turn.0),
            (None, Some(asleep)) => able.iter().copied().find(|t| !asleep.contains(t)),
            (None, None) => None,
        };
        next.and_then(|next| able.iter().position(|thread| *thread == next)).unwrap_or(0)
    }
}
