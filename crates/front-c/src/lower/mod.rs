//! From the typed tree to control-flow automata.
//!
//! # Order of evaluation
//!
//! Operands, arguments and the two sides of an assignment are evaluated from
//! left to right, which C allows. Where two accesses without an order would be
//! undefined, a check says so (module `sequence`); where calls have effects on
//! what is beside them, all orders are explored (module `schedule`). A compound assignment finds its left side
//! first, evaluates the right side, then reads, computes and stores: no call on
//! the right comes between its read and its store (C11 6.5.16.2). Operands stay
//! expressions as long as nothing that follows may change them; otherwise they
//! are saved in temporaries `$tN`.
//!
//! # Undefined behavior
//!
//! Before every operation that may show it there is a check, unless the shape
//! of the operands already excludes it. Reads of local variables that are
//! written on every way to them are not checked (module `definite`).
//! `__builtin_unreachable()` is a check that never succeeds.
//!
//! # Life times
//!
//! A variable lives from its declaration to the end of its block, and a jump
//! past its declaration starts its life. (C says: from the start of the block;
//! the difference is a pointer kept across a jump back over the declaration.)
//! Compound literals live from their evaluation to the end of the block.
//! Temporaries live as long as the call.
//!
//! # Inline assembly
//!
//! Outputs get arbitrary values. If memory is clobbered, or there is no output,
//! it may write anything, static variables included, and is not modelled.
//! Labels it may jump to are taken by free choice.
//!
//! # Labels as values
//!
//! The address of a label is a number, counted from 1 in each function; a
//! computed `goto` compares with the numbers of its function.
//!
//! # Threads
//!
//! In a program that mentions `pthread_create`, every read of an object that
//! other threads may reach is an edge of its own, into a temporary: so no edge
//! accesses two of them, and checks and conditions see the value that is used.
//! Records are copied member by member, unions whole. Builtins for atomic access, and `op=`,
//! `++` and `--` on `_Atomic` objects, are atomic sections.
//!
//! # Long jumps
//!
//! `setjmp` and the like are not modelled: [`parallax_cfa::Op::Unsupported`]
//! stands in their place.

mod assign;
mod body;
mod build;
mod builtin;
mod call;
mod check;
mod compact;
mod definite;
mod expr;
mod facts;
mod fold;
mod graph;
mod init;
mod jump;
mod logic;
mod order;
mod place;
mod pointer;
mod program;
mod range;
mod record;
mod schedule;
mod sequence;
mod statics;
mod stmt;
mod switch;
#[cfg(test)]
mod tests;
mod wrapper;

pub(crate) use body::Body;
pub(crate) use build::Way;
pub use schedule::ORDER;

/// What a call may change.
pub(crate) const MEMORY: build::Touch = build::Touch::MEMORY;

use crate::{Options, typed};
use parallax_base::Span;
use std::sync::Arc;

/// A lowered program.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program.
    pub program: parallax_cfa::Program,
    /// Constructs that are not modelled, with their places.
    pub unsupported: Vec<(Span, Arc<str>)>,
    /// What is taken for granted of the library, one sentence each.
    pub assumed: Vec<Arc<str>>,
    /// Expressions whose operands are taken to be evaluated from left to right,
    /// although another order may matter.
    pub ordered: Vec<Span>,
}

/// Lowers a program. Never fails: what is not modelled is marked in place.
pub fn lower(program: &typed::Program, options: &Options) -> Lowered {
    let lowered = program::Lowerer::new(program, options).run();
    debug_assert_eq!(parallax_cfa::validate(&lowered.program), Vec::<String>::new());
    lowered
}
