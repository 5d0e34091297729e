//! Layer 1: sorts, values and hash-consed terms.
//!
//! One [`TermStore`] holds every formula of a task; a [`Term`] is a small
//! `Copy` index into it. Constructors normalise, so that two spellings of one
//! predicate are one term. Nothing here knows a solver: terms are translated
//! at the solver's border, and evaluated here on concrete values.

mod array;
mod atoms;
mod build;
mod build_array;
mod build_bv;
mod build_bv_resize;
mod build_float;
mod build_int_bits;
mod build_machine;
mod build_quotient;
mod bv;
mod entries;
mod eval;
mod float;
mod float_arith;
mod float_normal;
mod float_range;
mod float_round;
mod implicant;
mod infix;
mod infix_machine;
mod int;
mod linear;
mod op;
mod op_eval;
mod rat;
mod sexpr;
mod smtlib;
mod smtlib_apply;
mod smtlib_float;
mod smtlib_lets;
mod smtlib_machine;
mod smtlib_ops;
mod smtlib_read;
mod smtlib_script;
mod sort;
mod store;
mod subst;
mod value;
mod words;

pub use array::ArrayValue;
pub use build_int_bits::IntType;
pub use bv::Bv;
pub use eval::{Code, Scratch};
pub use float::{Float, FloatClass};
pub use float_range::FloatRange;
pub use float_round::RoundingMode;
pub use implicant::Implicant;
pub use int::Int;
pub use linear::Linear;
pub use op::{Args, Op};
pub use rat::Rat;
pub use sexpr::{Atom, ReadError, Sexpr, Sexprs};
pub use smtlib::{smtlib_name, smtlib_symbol};
pub use smtlib_lets::Lets;
pub use smtlib_script::ScriptWriter;
pub use sort::{FloatFormat, MAX_WIDTH, Scalar, Sort};
pub use store::{Node, Relation, Term, TermStore};
pub use subst::Substitution;
pub use value::Value;
