//! Contracts in the place of recursive calls.
//!
//! A contract of a function says what holds when it is called (`requires`) and
//! what holds when it returns (`ensures`). [`apply()`] makes a program without
//! the recursion: a call checks what is required, changes arbitrarily what the
//! function may change, and goes on where what is ensured holds. Beside `main`,
//! the program may start in the body of each function that has a contract, with
//! arbitrary arguments and static variables as required; when the body returns,
//! what is ensured is checked. A check that fails is an unsupported construct,
//! so a proof must show that it is not reached.
//!
//! After Hoare, *Procedures and parameters: an axiomatic approach*, 1971;
//! clauses in the notation of ACSL.
//!
//! # Soundness
//!
//! If no run of the result reaches a target or a failed check, no run of the
//! program reaches a target. Take a finite run of the program. Each activation
//! of `main` or of a function with a contract, seen without the calls that it
//! makes of functions with contracts, is followed by a run of the result, by
//! induction on the steps of the run so far:
//!
//! - `main` begins as the program does. A function with a contract is called
//!   from an activation that is followed so far, whose run in the result did not
//!   fail the check of what is required; so its arguments and the static
//!   variables are among those its body is started with.
//! - A step of the activation itself, or of a function without a contract that
//!   it calls, is the same step in the result. It touches local variables,
//!   which are its own, and static variables that are the same.
//! - A call that has returned was followed to its return, where the check of
//!   what is ensured did not fail. So its result and the static variables are
//!   among those with which the result goes on after the call. What it did not
//!   write is unchanged, and what it may write is known: see [`recursive()`].
//! - A call that never returns, or ends the run inside, is never gone past.
//!   Only its own activation has further steps, and these are followed there.
//!
//! So a step of the run that is a target is a step of some activation, and the
//! run of the result that follows it reaches the same target. The converse does
//! not hold: the result has runs that the program does not have. It proves and
//! never refutes.
//!
//! The argument is about single steps. It says nothing of properties of whole
//! runs, such as memory that is lost at the end, nor of whether values were ever
//! written: who asks for those must not use contracts.

mod apply;
mod build;
mod formula;
mod recursive;
#[cfg(test)]
mod tests;
mod text;

pub use apply::{Contracted, Mode, Refused, apply};
pub use formula::{Atom, Clause, Condition, Monomial, Relation, Sum};
pub use recursive::{Recursive, Touched, is_integer, recursive};
pub use text::{ContractText, speakable};

use parallax_base::Id;
use parallax_cfa::Function;

/// What a function expects and what it promises.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contract {
    /// The function.
    pub function: Id<Function>,
    /// What holds when it is called: over parameters and static variables
    /// before the call.
    pub requires: Vec<Clause>,
    /// What holds when it returns.
    pub ensures: Vec<Clause>,
}
