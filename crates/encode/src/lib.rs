//! C programs as programs over terms.
//!
//! The encoder takes a program of one function (everything inlined) and makes
//! an `ir` program of it: variables for scalars, arrays for the rest of memory,
//! one edge for everything that happens between two cut points, one location
//! for each property that can be violated. What it does not cover leads to
//! locations of their own, the *gaps*: a proof must show that these are not
//! reached either.
//!
//! Two encodings of machine integers, over the mathematical integers and over
//! bit-vectors, stand behind one trait; everything else is shared.

mod arithmetic;
mod back;
mod blocks;
mod cell;
mod chain;
mod check;
mod convert;
mod encoder;
mod eval;
mod execute;
mod expand;
mod float;
mod initial;
mod integers;
mod layout;
mod liveness;
mod meet;
mod memory;
mod plan;
mod pointer;
mod prepare;
mod program;
mod prune;
mod restate;
mod schedule;
mod script;
mod shadow;
mod state;
mod suit;
mod team;
mod value;
mod vectors;
mod view;
mod visible;

pub use back::{Asked, Replayed};
pub use chain::Chain;
pub use encoder::{Choice, Source};
pub use prepare::{Calls, Prepared, prepare, resolved};
pub use program::{COVERED, Encoded, GapPlace, NotEncoded, encode};

use parallax_cfa::{CProperty, Op, Temporal};

/// How machine integers are written as terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Encoding {
    /// As bit-vectors if the program works on bits that it does not know, else
    /// as integers.
    #[default]
    Suited,
    /// As mathematical integers, wrapped where they may leave their range.
    Integers,
    /// As bit-vectors.
    Vectors,
}

/// What one edge of the result covers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Blocks {
    /// Everything up to the next loop head.
    #[default]
    LoopFree,
    /// One operation.
    Single,
}

/// What is asked and how it is written.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// How integers are written.
    pub encoding: Encoding,
    /// What an edge covers.
    pub blocks: Blocks,
    /// What must not happen.
    pub properties: Vec<CProperty>,
    /// What is done to the program before.
    pub passes: Passes,
}

/// What is done to a program between its calls and its encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Passes {
    /// Everything that makes it smaller.
    #[default]
    All,
    /// What cannot matter to the properties is left in; ranges are used.
    Whole,
    /// Nothing, and what is known of ranges is not used.
    Plain,
}

/// Something that is taken for granted of how a program was made smaller: it is
/// in no certificate.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Pass {
    /// Functions that cannot come to what is asked are unknown code.
    Cut,
    /// Heap objects became variables.
    Promotion,
    /// Constants and known pointers were put in.
    Folding,
    /// Assignments that nobody reads are gone, and steps that do nothing.
    Dead,
    /// Checks that cannot fail are gone.
    Checks,
    /// What cannot matter to the property is gone.
    Slice,
    /// Arithmetic does not wrap where ranges exclude it.
    Ranges,
}

impl Pass {
    /// Its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Pass::Cut => "functions cut",
            Pass::Promotion => "heap objects as variables",
            Pass::Folding => "constant folding",
            Pass::Dead => "dead code",
            Pass::Checks => "checks that cannot fail",
            Pass::Slice => "slicing",
            Pass::Ranges => "ranges",
        }
    }
}

impl Options {
    /// Whether a run may end at its first overflow: if nothing is asked of
    /// what comes after it.
    fn stop_at_overflow(&self) -> bool {
        !self.properties.is_empty() && self.properties.iter().all(|p| *p == CProperty::Overflow)
    }

    /// Whether an operation can violate one of the properties.
    fn is_target(&self, op: &Op) -> bool {
        use parallax_cfa::{Halt, Primitive};
        let waits = matches!(op, Op::Halt(Halt::Wait))
            || matches!(
                op,
                Op::Primitive {
                    primitive: Primitive::Lock
                        | Primitive::AtomicWhen
                        | Primitive::Join
                        | Primitive::Sleep,
                    ..
                }
            );
        match op {
            _ if waits => self.properties.contains(&CProperty::Deadlock),
            Op::Check(check) => self.properties.iter().any(|p| p.asks(check)),
            op => self.properties.iter().any(|p| p.asks_error(op)),
        }
    }

    /// Whether slicing keeps everything the properties speak of: they ask for
    /// single operations, not for the end of the run.
    fn can_slice(&self) -> bool {
        use CProperty::{Cleanup, Track};
        !self.properties.iter().any(|p| matches!(p, Track | Cleanup) || p.is_about_runs())
    }

    /// The formula about runs that is asked.
    fn formula(&self) -> Option<&Temporal> {
        self.properties.iter().find_map(|property| match property {
            CProperty::Temporal(formula) if formula.always().is_none() => Some(&**formula),
            _ => None,
        })
    }

    /// Whether sizes of objects matter.
    fn memory(&self) -> bool {
        use CProperty::{Cleanup, Deref, Free, Track};
        self.properties.iter().any(|p| matches!(p, Deref | Free | Track | Cleanup))
    }
}
