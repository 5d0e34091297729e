//! Layer 1: sorts, values and hash-consed terms.
//!
//! One [`TermStore`] holds every formula of a task; a [`Term`] is a small
//! `Copy` index into it. Constructors normalise, so that two spellings of one
//! predicate are one term. Nothing here knows a solver: terms are translated
//! at the solver's border, and evaluated here on concrete values.

mod atoms;
mod build;
mod eval;
mod float;
mod implicant;
mod infix;
mod linear;
mod op;
mod smtlib;
mod store;
mod subst;
mod value;

pub use build::IntType;
pub use eval::{Code, Scratch};
pub use float::{Float, FloatClass, FloatRange, RoundingMode};
pub use implicant::Implicant;
pub use linear::Linear;
pub use op::{Args, Op};
pub use smtlib::{Atom, Lets, ReadError, ScriptWriter, Sexpr, Sexprs, smtlib_name, smtlib_symbol};
pub use store::{Node, Relation, Term, TermStore};
pub use subst::Substitution;
pub use value::{ArrayValue, Bv, FloatFormat, Int, MAX_WIDTH, Rat, Scalar, Sort, Value};
