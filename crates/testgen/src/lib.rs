//! Tests for Rust containers by model checking with state matching.
//!
//! Say what the operations of a container are, derive its shape, and search in
//! an ordinary `#[test]`: all sequences of operations up to a length, breadth
//! first, where a state seen before ends a sequence. A panic, an error or a
//! broken invariant comes back as a shortest failing sequence.
//!
//! ```
//! use parallax_testgen::{Container, Match, Search, Shape};
//!
//! #[derive(Clone, Default, Shape)]
//! struct Stack { items: Vec<u8> }
//!
//! #[derive(Clone, Debug)]
//! enum Op { Push(u8), Pop }
//!
//! impl Container for Stack {
//!     type Operation = Op;
//!     fn operations(values: u8) -> Vec<Op> {
//!         let mut all: Vec<Op> = (0..values).map(Op::Push).collect();
//!         all.push(Op::Pop);
//!         all
//!     }
//!     fn apply(&mut self, op: &Op) -> Result<(), String> {
//!         match op {
//!             Op::Push(value) => self.items.push(*value),
//!             Op::Pop => { self.items.pop(); }
//!         }
//!         Ok(())
//!     }
//!     fn invariant(&self) -> Result<(), String> {
//!         if self.items.len() < 3 { Ok(()) } else { Err("three items".into()) }
//!     }
//! }
//!
//! let found = Search::new().length(5).values(2).matching(Match::Complete).run::<Stack>();
//! let failure = found.failure.expect("three pushes are too many");
//! assert_eq!(failure.operations.len(), 3);
//! ```
//!
//! The techniques are those of Visser, Păsăreanu and Pelánek (ISSTA 2006) that
//! need no symbolic values.

mod probe;
mod search;
mod shape;
mod writer;

pub use parallax_testgen_derive::Shape;
pub use probe::probe;
pub use search::{Failure, Found, Search, Test};
pub use shape::Shape;
pub use writer::Writer;

/// A container: what can be done with it, and when it is well formed.
pub trait Container: Clone + Default + Shape {
    /// One operation with its values.
    type Operation: Clone + std::fmt::Debug;

    /// All operations, with values `0..values`.
    fn operations(values: u8) -> Vec<Self::Operation>;

    /// Does it. An error is a failure of the container: a result that is not
    /// what a model says, for instance. So is a panic.
    fn apply(&mut self, operation: &Self::Operation) -> Result<(), String>;

    /// Whether it is well formed.
    fn invariant(&self) -> Result<(), String> {
        Ok(())
    }

    /// What a state is for [`Match::User`].
    fn abstraction(&self) -> Vec<u8> {
        Vec::new()
    }
}

/// What counts as the same state.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Match {
    /// Everything the fields show, capacities and skipped fields included.
    Concrete,
    /// Shape and data, up to addresses.
    Complete,
    /// The shape without the data.
    Shape,
    /// What [`Container::abstraction`] says.
    User,
    /// Nothing: sequences are chosen at random, this many operations in all.
    Random {
        /// How many operations.
        operations: u64,
        /// Where to begin.
        seed: u64,
    },
}
