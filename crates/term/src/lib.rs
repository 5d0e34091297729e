//! Layer 1: sorts, values and hash-consed terms.
//!
//! One [`TermStore`] holds every formula of a task; a [`Term`] is a small
//! `Copy` index into it. Constructors normalise, so that two spellings of one
//! predicate are one term. Nothing here knows a solver: terms are translated
//! at the solver's border, and evaluated here on concrete values.

mod atoms;
mod build;
mod eval;
mod infix;
mod int;
mod linear;
mod rat;
mod sexpr;
mod smtlib;
mod smtlib_apply;
mod smtlib_read;
mod smtlib_script;
mod store;
mod subst;
mod value;
mod words;

pub use eval::{Code, Scratch};
pub use int::Int;
pub use linear::Linear;
pub use rat::Rat;
pub use sexpr::{Atom, ReadError, Sexpr, Sexprs};
pub use smtlib::smtlib_symbol;
pub use smtlib_script::ScriptWriter;
pub use store::{Node, Relation, Term, TermStore};
pub use subst::Substitution;
pub use value::{Sort, Value};
