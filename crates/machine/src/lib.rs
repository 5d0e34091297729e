//! C functions as byte code over a small heap that is copied and compared
//! quickly.
//!
//! The interpreter of `parallax-cfa` is the oracle for what C means. This room
//! does the same for millions of short calls in a row: a pointer is one word
//! (object and offset), all objects lie in one arena, a state is copied as a
//! block, and linearized (`linear.rs`) to be compared. Every access is
//! checked: null, bounds, objects that ended, bytes never written.
//!
//! Values may be symbolic: the executor asks a [`Symbols`] wherever a symbolic
//! value decides something. With [`Concrete`] none of that code exists.
//!
//! Not covered: threads, variable argument lists, values of more than 64 bits,
//! inputs. Such an operation ends the call with [`Trap::Unsupported`].

mod code;
mod compile;
mod compile_place;
mod cover;
mod exec;
mod exec_symbolic;
mod inline;
mod layout;
mod linear;
mod lost;
mod machine;
mod memory;
mod slow;
mod symbols;
mod target;
mod trap;

pub use compile::{CompileOptions, Compiled, compile};
pub use cover::{Block, Condition, CoverMap, Coverage, News, Probe};
pub use layout::{LayoutId, Layouts};
pub use linear::{Linear, Linearizer, ShapeNode, What};
pub use machine::{Limits, Machine, Returned};
pub use memory::{Snapshot, function_of, is_object, object_of};
pub use symbols::{Compare, Concrete, Symbols, Word};
pub use trap::{Trap, TrapPlace};
