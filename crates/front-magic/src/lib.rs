//! Layer 5: systems of C procedures, their assumptions and their
//! specification.
//!
//! A system file names C files, procedures that run concurrently, abstractions
//! of the routines they call, and what they must conform to ([`read`]; the
//! grammar is in [`syntax`]). [`System::component`] makes a program over terms
//! of a procedure: calls of abstracted routines are replaced by their
//! transition systems, and every edge is silent or carries an action.
//!
//! How: a *driver* in C calls the procedure with arbitrary arguments, and the
//! conditions of the system file, which are C, become C text (`text`); the C
//! front end reads both together with the user's files. The transition systems
//! themselves come in as automata, in the place of calls of functions that do
//! not exist, before the program is encoded (`automata`).

mod assumes;
mod automata;
mod component;
mod effects;
mod guards;
mod machine;
mod places;
pub mod syntax;
mod text;

pub use component::{Component, ComponentError, Question};
pub use guards::GuardQuestion;
pub use machine::{Machines, RETURN};
pub use syntax::{Abstraction, Procedure, Signature, System, Target, read};
