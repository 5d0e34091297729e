//! Layer 2: the one program form, its properties and its concrete meaning.
//!
//! A [`Program`] is a set of processes; a process has locations and guarded
//! edges. [`Program::transitions`] flattens the processes into the global
//! steps that engines, the interpreter and the certificate checker share, so
//! they cannot disagree about what a step is. [`Interpreter`] runs programs on
//! concrete values and is the ground truth for every trace.

mod classes;
mod ends;
mod fair;
mod idle;
mod init;
mod interpreter;
mod live;
mod part;
mod persistent;
mod pick;
mod program;
mod property;
mod template;
mod temporal;
mod transition;
mod validate;

pub use fair::{Fairness, TooManyAtoms};
pub use idle::Idle;
pub use init::Init;
pub use interpreter::{Choices, Interpreter, State};
pub use part::Part;
pub use persistent::{Before, Persistent, disagree, leaves_target};
pub use pick::Pick;
pub use program::{
    Action, Domain, Edge, Input, Location, Process, Program, Role, Update, Variable,
};
pub use property::{Property, PropertyKind};
pub use template::{Side, Sides, Template, TemplateProblem};
pub use temporal::{Letters, Temporal};
pub use transition::{Move, Transition, bounds};
pub use validate::Malformed;
