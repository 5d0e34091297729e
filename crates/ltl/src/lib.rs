//! Layer 1: linear temporal logic, its syntax and its meaning.
//!
//! [`parse`] reads a [`Formula`]. Its meaning is given twice, independently of
//! each other and of any automaton: [`Lasso::evaluate`] decides a formula on
//! an ultimately periodic word by fixpoints, and [`Progression`] says what a
//! formula asks of the rest of a word once the first letter is known. Both are
//! part of what a verdict rests on, so they are short and plain; whatever is
//! clever about formulas lives above this crate.

mod fluent;
mod formula;
mod lasso;
mod lexer;
mod nnf;
mod parser;
mod print;
mod progress;
mod word;

pub use fluent::{Assertion, Ends, Fluent};
pub use formula::{Atom, Formula, MAX_ATOMS, Node, Store, Sub};
pub use lasso::{Lasso, Truth};
pub use parser::{MAX_FORMULA_BYTES, name_of, parse};
pub use progress::{Progression, Successor};
pub use word::parse_word;
