//! C programs as control-flow automata, and their concrete interpreter.
//!
//! The room between the C front end and the terms: everything C says is said
//! here by types with a layout, pure expressions and a small set of operations.

pub mod arith;
mod expr;
pub mod fold;
mod graph;
mod layout;
mod program;
mod property;
mod record;
pub mod registers;
mod relevant;
pub mod run;
mod scalar;
mod softfloat;
mod temporal;
mod text;
mod types;
mod validate;

pub use expr::{Base, Binary, BitFunction, Expr, ExprKind, FloatFunction, Place, Step, Unary};
pub use graph::Graph;
pub use layout::{Field, RecordOptions};
pub use program::{
    ASSEMBLY, Argument, CALLBACK, Callee, Check, Edge, Function, Halt, Initial, InitialItem,
    Location, LockRule, Mark, Op, Primitive, Program, Storage, Variable,
};
pub use property::{BadSpecification, CProperty, Specification};
pub use record::{InputSource, RecordedInput, RecordedStep, Recording, record};
pub use relevant::{Executed, Relevance, relevance};
pub use scalar::{Scalar, ScalarType};
pub use temporal::Temporal;
pub use text::Printer;
pub use types::{
    ArrayLength, BitField, DataModel, Enumeration, FloatKind, FunctionType, IntKind, Member,
    Qualifiers, Record, Type, Types, VariableLength,
};
pub use validate::validate;
