//! A run, told by what its environment chose.
//!
//! # Soundness
//! A run is a function of program, options and oracle, and a script is all of
//! the last two. So a script that breaks a property once does so always, and
//! anybody can see for themselves.

use super::{Arbitrary, Interpreter, Options, Oracle, Recorded, Report, Unwritten};
use crate::record::record;
use crate::{CProperty, Function, Program, Recording, Scalar, ScalarType};
use parallax_base::Id;

/// A script with more steps of the program than this is not played to its end:
/// a program that takes another way than was meant may run for ever.
const STEPS: u64 = 20_000_000;

/// Runs with more steps are not recorded step by step.
const RECORDED: usize = 2_000_000;

/// A choice of the environment, in the order in which a run asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// An input.
    Input(Scalar),
    /// A scalar that the program does not determine.
    Arbitrary(Scalar),
    /// Contents of memory that were not written before.
    Contents(Vec<u8>),
    /// Whom unknown code calls, or that it returns.
    CallBack(Option<Id<Function>>),
    /// The thread that goes on, by its number, where several can.
    Turn(usize),
}

/// All that a program does not determine by itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Script {
    /// Its inputs, integers by value and floats by their bits; everything else
    /// is zero.
    Inputs(Vec<i128>),
    /// Every choice.
    Choices {
        /// The arguments of `main`.
        arguments: Vec<Vec<u8>>,
        /// The choices, in the order in which the run asks.
        given: Vec<Given>,
    },
}

impl Script {
    /// Plays it: the one run of the program with these choices. What a property
    /// is about, and what no program survives, ends the run.
    pub fn play(&self, program: &Program, property: &CProperty) -> Report {
        Interpreter::new(program, self.options(property)).run(&mut *self.oracle())
    }

    /// The same run, written down.
    pub fn record(&self, program: &Program, property: &CProperty) -> Recording {
        record(program, &mut *self.oracle(), self.options(property), RECORDED)
    }

    fn options(&self, property: &CProperty) -> Options {
        let options =
            Options { max_steps: STEPS, ..Options::about(std::slice::from_ref(property)) };
        match self {
            Script::Inputs(_) => options,
            Script::Choices { arguments, .. } => {
                Options { lazy: true, arguments: arguments.clone(), ..options }
            }
        }
    }

    fn oracle(&self) -> Box<dyn Oracle> {
        match self {
            Script::Inputs(inputs) => Box::new(Recorded::new(inputs.clone())),
            Script::Choices { given, .. } => Box::new(Player { given: given.clone().into_iter() }),
        }
    }
}

/// Hands out the choices of a script. One that does not fit what is asked is
/// no input, or zero.
struct Player {
    given: std::vec::IntoIter<Given>,
}

impl Oracle for Player {
    fn input(&mut self, _name: &str, ty: ScalarType) -> Option<Scalar> {
        match self.given.next()? {
            Given::Input(value) => Some(value).filter(|value| value.ty == ty),
            _ => None,
        }
    }

    fn arbitrary(&mut self, _what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        match self.given.next() {
            Some(Given::Arbitrary(value)) if value.ty == ty => value,
            _ => Scalar { ty, bits: 0 },
        }
    }

    fn call_back(&mut self, _known: &[Id<Function>]) -> Option<Id<Function>> {
        match self.given.next()? {
            Given::CallBack(function) => function,
            _ => None,
        }
    }

    fn turn(&mut self, able: &[usize]) -> usize {
        match self.given.next() {
            Some(Given::Turn(thread)) => able.iter().position(|t| *t == thread).unwrap_or(0),
            _ => 0,
        }
    }

    fn unwritten(&mut self, _at: Unwritten, bytes: &mut [u8]) {
        if let Some(Given::Contents(given)) = self.given.next() {
            let size = bytes.len().min(given.len());
            bytes[..size].copy_from_slice(&given[..size]);
        }
    }
}
