//! Layer 5: systems of C procedures, their assumptions and their
//! specification.
//!
//! A system file names C files, procedures that run concurrently, abstractions
//! of the routines they call, and what they must conform to ([`read`]; the
//! grammar is in [`syntax`]). [`System::component`] makes a program over terms
//! of a procedure: calls of abstracted routines are replaced by their
//! transition systems, and every edge is silent or carries an action.
//!
//! How: the transition systems become C text (`text`), a *driver* calls the
//! procedure with arbitrary arguments, and the C front end reads all of it
//! together with the user's files. What C cannot say, that an edge is an
//! action, is said by calls of functions that do not exist; they are replaced
//! by labelled locations before the program is encoded (`actions`).

mod actions;
mod assumes;
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
