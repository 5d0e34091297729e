//! One path of symbolic execution: decisions, and what they say.
//!
//! A path is run from its beginning with a list of decisions. Where the code
//! asks for more than the list has, the first possible answer is taken and the
//! others are noted; [`Decisions::next`] then gives the next list.

use super::differences::{Difference, Differences};
use parallax_machine::{Compare, Symbols, Trap, Word};
use rustc_hash::FxHashMap;

/// What symbolic values are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Theory {
    /// Values that are only compared with each other.
    Order,
    /// Integers in a wide range.
    Integers,
    /// Integers in the range of the parameter.
    Bounded,
}

/// Terms: a variable plus a constant. Numbers begin at 1.
#[derive(Clone, Debug, Default)]
pub(crate) struct Terms {
    terms: Vec<(u32, i64)>,
    known: FxHashMap<(u32, i64), u32>,
}

impl Terms {
    pub(crate) fn get(&self, term: u32) -> (u32, i64) {
        self.terms.get(term as usize - 1).copied().unwrap_or((0, 0))
    }

    pub(crate) fn make(&mut self, variable: u32, constant: i64) -> u32 {
        let terms = &mut self.terms;
        *self.known.entry((variable, constant)).or_insert_with(|| {
            terms.push((variable, constant));
            terms.len() as u32
        })
    }
}

/// Answers of one path: which was taken, of how many.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decisions {
    taken: Vec<(u32, u32)>,
}

impl Decisions {
    /// The next path, if there is one.
    pub(crate) fn next(&mut self) -> bool {
        while let Some((taken, count)) = self.taken.pop() {
            if taken + 1 < count {
                self.taken.push((taken + 1, count));
                return true;
            }
        }
        false
    }
}

/// Why the theory does not suffice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Need {
    /// A value is compared with a constant, or computed with.
    Integers,
    /// A value must be known.
    Bounds,
}

/// The values of one path.
pub(crate) struct Path<'a> {
    pub(crate) known: Differences,
    pub(crate) terms: &'a mut Terms,
    pub(crate) decisions: &'a mut Decisions,
    at: usize,
    theory: Theory,
    /// Set if the theory does not suffice.
    pub(crate) need: Option<Need>,
}

/// A constant beyond this is outside of the range of all parameters.
const FAR: i64 = 1 << 30;

/// The most values a term is split into.
const MANY: i64 = 256;

impl<'a> Path<'a> {
    pub(crate) fn new(
        known: Differences,
        terms: &'a mut Terms,
        decisions: &'a mut Decisions,
        theory: Theory,
    ) -> Path<'a> {
        Path { known, terms, decisions, at: 0, theory, need: None }
    }

    fn parts(&self, word: Word) -> (usize, i64) {
        match word {
            Word::Known(value) => (0, value as i64),
            Word::Term(term) => {
                let (variable, constant) = self.terms.get(term);
                (variable as usize, constant)
            }
        }
    }

    /// Takes one of several possible answers.
    fn choose(&mut self, count: usize) -> usize {
        if count < 2 {
            return 0;
        }
        if self.at == self.decisions.taken.len() {
            self.decisions.taken.push((0, count as u32));
        }
        let (taken, _) = self.decisions.taken[self.at];
        self.at += 1;
        (taken as usize).min(count - 1)
    }

    /// Takes one of the constraints that are possible; which.
    fn decide(&mut self, options: &[(bool, &[Difference])]) -> Result<bool, Trap> {
        let possible: Vec<usize> = (0..options.len())
            .filter(|at| {
                let mut trial = self.known.clone();
                options[*at].1.iter().all(|constraint| trial.require(*constraint))
            })
            .collect();
        if possible.is_empty() {
            return Err(Trap::Infeasible);
        }
        let chosen = possible[self.choose(possible.len())];
        for constraint in options[chosen].1 {
            self.known.require(*constraint);
        }
        Ok(options[chosen].0)
    }
}

impl Symbols for Path<'_> {
    const ON: bool = true;

    fn compare(&mut self, op: Compare, a: Word, b: Word) -> Result<bool, Trap> {
        let ((x, left), (y, right)) = (self.parts(a), self.parts(b));
        if x == y {
            return Ok(match op {
                Compare::Eq => left == right,
                Compare::Lt => left < right,
                Compare::Le => left <= right,
            });
        }
        let distance = right.wrapping_sub(left);
        if !(-FAR..=FAR).contains(&distance) {
            return Ok(match op {
                Compare::Eq => false,
                Compare::Lt | Compare::Le => distance > 0,
            });
        }
        if self.theory == Theory::Order && (x == 0 || y == 0 || distance != 0) {
            self.need = Some(Need::Integers);
            return Err(Trap::Infeasible);
        }
        let at_most = Difference { left: x, right: y, bound: distance };
        let less = Difference { left: x, right: y, bound: distance - 1 };
        let at_least = Difference { left: y, right: x, bound: -distance };
        let more = Difference { left: y, right: x, bound: -distance - 1 };
        match op {
            Compare::Eq => {
                self.decide(&[(true, &[at_most, at_least]), (false, &[less]), (false, &[more])])
            }
            Compare::Lt => self.decide(&[(true, &[less]), (false, &[at_least])]),
            Compare::Le => self.decide(&[(true, &[at_most]), (false, &[more])]),
        }
    }

    fn value(&mut self, term: u32) -> Result<u64, Trap> {
        let (variable, constant) = self.terms.get(term);
        let variable = variable as usize;
        let range = match self.theory {
            Theory::Bounded => self.known.bound(variable, 0).zip(self.known.bound(0, variable)),
            _ => None,
        };
        let Some((high, low)) = range else {
            self.need = Some(Need::Bounds);
            return Err(Trap::TooManyValues);
        };
        let count = high + low + 1;
        if count > MANY {
            return Err(Trap::TooManyValues);
        }
        let value = -low + self.choose(count.max(1) as usize) as i64;
        let below = Difference { left: variable, right: 0, bound: value };
        let above = Difference { left: 0, right: variable, bound: -value };
        if !(self.known.require(below) && self.known.require(above)) {
            return Err(Trap::Infeasible);
        }
        Ok((value + constant) as u64)
    }

    fn add(&mut self, term: u32, constant: i64) -> u32 {
        let (variable, old) = self.terms.get(term);
        self.terms.make(variable, old.wrapping_add(constant))
    }

    fn is_natural(&self, term: u32) -> bool {
        let (variable, constant) = self.terms.get(term);
        match self.theory {
            Theory::Order => constant >= 0,
            _ => self.known.bound(0, variable as usize).is_some_and(|low| constant >= low),
        }
    }
}
