//! Runs that come back to a state they were in.
//!
//! # Soundness
//! A state is all that decides how a run goes on, but for what the environment
//! chooses: memory with its bookkeeping, registers, open calls, what unknown code
//! knows. From the same state the environment may choose the same again, so a run
//! that is in one state twice has a continuation that never ends. Whatever is not
//! compared (programs with threads, open calls with more arguments than
//! parameters) never counts as the same.
//!
//! States are kept at steps 1, 2, 4, 8 and so on (Brent, BIT 1980): a cycle is
//! noticed the latest when the run is three times as long as the way into the cycle
//! and once around.

use super::machine::{Frame, List, Machine};
use super::memory::Memory;
use super::unknown::Known;
use crate::Function;
use parallax_base::Id;

/// A state that a run was in.
pub(crate) struct Kept {
    /// Letters shown before.
    letters: usize,
    edge: u32,
    pc: usize,
    memory: Memory,
    registers: Vec<u64>,
    globals: Vec<u64>,
    frames: Vec<Call>,
    base: usize,
    slots: usize,
    lists: Vec<List>,
    known: Known,
}

/// What an open call is, its code aside.
type Call = (Option<Id<Function>>, [usize; 5], [u64; 2], u32, bool);

fn call(frame: &Frame<'_>) -> Call {
    let Frame { pc, base, slots, extra, lists, top, low, edge, goes_on, .. } = *frame;
    (frame.function, [pc, base, slots, extra, lists], [top, low], edge, goes_on)
}

/// The state that a run may come back to.
#[derive(Default)]
pub(crate) struct Repeats {
    kept: Option<Box<Kept>>,
    /// After how many letters the run was first in the state it is in.
    since: Option<usize>,
}

impl Repeats {
    /// After how many letters began what comes again and again.
    pub(crate) fn since(&self) -> Option<usize> {
        self.since
    }
}

impl Machine<'_, '_> {
    /// Whether the run was in this state before, at the same edge, and may go on
    /// for ever as it did since. Where formulas are asked, that has to break one.
    pub(crate) fn is_repeated(&mut self, pc: usize) -> bool {
        if self.shared.has_threads || self.frames.iter().any(|frame| !frame.rest.is_empty()) {
            return false;
        }
        if let Some(kept) = &self.repeats.kept
            && self.equals(kept, pc)
        {
            let since = kept.letters;
            if self.shared.options.ends || self.breaks_formula(since) {
                self.repeats.since = Some(since);
                return true;
            }
        }
        if self.steps.is_power_of_two() {
            self.repeats.kept = Some(Box::new(self.keep(pc)));
        }
        false
    }

    /// Whether to repeat what came after so many letters breaks a formula.
    fn breaks_formula(&self, since: usize) -> bool {
        self.shared.options.formulas.iter().any(|formula| {
            let word = self.word.lasso(formula.number, since);
            word.is_some_and(|word| formula.is_broken(&word))
        })
    }

    fn keep(&self, pc: usize) -> Kept {
        Kept {
            letters: self.word.len(),
            edge: self.edge,
            pc,
            memory: self.memory.clone(),
            registers: self.registers.clone(),
            globals: self.globals.clone(),
            frames: self.frames.iter().map(call).collect(),
            base: self.base,
            slots: self.slots,
            lists: self.lists.clone(),
            known: self.known.clone(),
        }
    }

    fn equals(&self, kept: &Kept, pc: usize) -> bool {
        kept.edge == self.edge
            && kept.pc == pc
            && kept.registers == self.registers
            && kept.globals == self.globals
            && (kept.base, kept.slots) == (self.base, self.slots)
            && kept.frames.len() == self.frames.len()
            && kept.frames.iter().zip(&self.frames).all(|(kept, frame)| *kept == call(frame))
            && kept.lists == self.lists
            && kept.known == self.known
            && kept.memory == self.memory
    }
}
