//! Where inputs and arbitrary values come from.
//!
//! Every choice of a run is made by its oracle, so a run is a function of
//! program, options and oracle.

use super::{Arbitrary, Unwritten};
use crate::{Function, Scalar, ScalarType};
use parallax_base::{Chance, Id};

/// The source of everything a program does not determine.
pub trait Oracle {
    /// The next input, for a call of the function `name`. `None` ends the run.
    fn input(&mut self, name: &str, ty: ScalarType) -> Option<Scalar>;

    /// An arbitrary scalar. Zero unless said otherwise.
    fn arbitrary(&mut self, what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        let _ = what;
        Scalar { ty, bits: 0 }
    }

    /// Arbitrary contents of an object; the bytes are zero when it is called.
    fn contents(&mut self, what: Arbitrary<'_>, bytes: &mut [u8]) {
        let _ = (what, bytes);
    }

    /// What lies at a place in memory that was never written, when it is read
    /// for the first time; the bytes are zero when it is called. Asked only if
    /// [`super::Options::lazy`] is set, instead of [`Oracle::contents`].
    fn unwritten(&mut self, at: Unwritten, bytes: &mut [u8]) {
        let _ = (at, bytes);
    }

    /// What unknown code, called under a name, makes of the contents of an
    /// object that it knows. They stay as they are unless said otherwise. Not
    /// asked if [`super::Options::lazy`] is set: then all may have changed.
    fn overwrite(&mut self, by: &str, bytes: &mut [u8]) -> bool {
        let _ = (by, bytes);
        false
    }

    /// Whom unknown code calls before it returns, if anybody: one of the
    /// functions that it knows.
    fn call_back(&mut self, known: &[Id<Function>]) -> Option<Id<Function>> {
        let _ = known;
        None
    }

    /// Which of these threads, by number, goes on; a position in the list. The
    /// first is the one that runs, if it can and does not yield. Asked only if
    /// there is more than one.
    fn turn(&mut self, able: &[usize]) -> usize {
        self.choose(able.len())
    }

    /// One of `count` ways where the program does not say which: of edges that
    /// leave one location or, unless [`Oracle::turn`] says otherwise, of threads
    /// that can move.
    fn choose(&mut self, count: usize) -> usize {
        let _ = count;
        0
    }
}

/// Inputs from a list, in order; everything arbitrary is zero.
#[derive(Clone, Debug, Default)]
pub struct Recorded {
    inputs: Vec<i128>,
    next: usize,
    /// What is given after the end of the list; `None` ends the run.
    pub rest: Option<i128>,
}

impl Recorded {
    /// Inputs in the order they are asked for: integers by value, floats by
    /// their bits.
    pub fn new(inputs: Vec<i128>) -> Recorded {
        Recorded { inputs, next: 0, rest: None }
    }

    /// How many inputs were taken from the list.
    pub fn used(&self) -> usize {
        self.next
    }
}

impl Oracle for Recorded {
    fn input(&mut self, _name: &str, ty: ScalarType) -> Option<Scalar> {
        let value = match self.inputs.get(self.next) {
            Some(value) => *value,
            None => return self.rest.map(|value| Scalar::int(ty, value)),
        };
        self.next += 1;
        Some(Scalar::int(ty, value))
    }
}

/// Pseudorandom values from a seed, with a liking for small numbers and limits
/// of types. Remembers the inputs it gave.
#[derive(Clone, Debug)]
pub struct Seeded {
    chance: Chance,
    /// The inputs given so far.
    pub given: Vec<Scalar>,
}

impl Seeded {
    /// A generator; equal seeds give equal values.
    pub fn new(seed: u64) -> Seeded {
        Seeded { chance: Chance::new(seed), given: Vec::new() }
    }

    fn next(&mut self) -> u64 {
        self.chance.any()
    }

    fn scalar(&mut self, ty: ScalarType) -> Scalar {
        let shape = self.next();
        let random = u128::from(self.next()) << 64 | u128::from(self.next());
        if let ScalarType::Float(kind) = ty {
            let bits = match shape % 4 {
                0 => random >> (128 - ty.bits()),
                _ => crate::softfloat::from_int(kind, (random as i8) as i128 as u128, false),
            };
            return Scalar { ty, bits };
        }
        if ty.is_pointer() {
            return Scalar { ty, bits: 0 };
        }
        let value = match shape % 8 {
            0..=2 => (random % 16) as i128 - 4,
            3 => (random as i8) as i128,
            4 => {
                // Around a power of two, limits of types among them.
                let power = 1i128 << (random % u128::from(ty.bits().min(127)));
                power.wrapping_add((shape >> 8) as i128 % 3 - 1)
            }
            _ => random as i128,
        };
        Scalar::int(ty, value)
    }
}

impl Oracle for Seeded {
    fn input(&mut self, _name: &str, ty: ScalarType) -> Option<Scalar> {
        let value = self.scalar(ty);
        self.given.push(value);
        Some(value)
    }

    fn arbitrary(&mut self, _what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        self.scalar(ty)
    }

    fn contents(&mut self, _what: Arbitrary<'_>, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let word = self.next().to_le_bytes();
            chunk.copy_from_slice(&word[..chunk.len()]);
        }
    }

    fn overwrite(&mut self, _by: &str, bytes: &mut [u8]) -> bool {
        let changes = self.next().is_multiple_of(2);
        if changes {
            self.contents(Arbitrary::Allocated, bytes);
        }
        changes
    }

    fn call_back(&mut self, known: &[Id<Function>]) -> Option<Id<Function>> {
        let index = self.next() as usize % (known.len() + 2);
        known.get(index).copied()
    }

    fn choose(&mut self, count: usize) -> usize {
        (self.next() % count.max(1) as u64) as usize
    }
}
