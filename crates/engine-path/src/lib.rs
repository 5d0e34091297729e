//! Layer 7: engines that follow paths.
//!
//! [`Ase`] executes symbolically and matches abstract states, [`Ur`] executes
//! concretely and matches globally. Both rest on the same workbench: concrete
//! points by the interpreter, symbolic states in a canonical form, predicate
//! abstraction from the `domain` room. [`Bmc`] unrolls and matches nothing;
//! [`Kind`] proves by induction over several steps; [`Explicit`] lists all states.

mod ase;
mod bmc;
mod explicit;
mod kind;
mod node;
mod proof;
mod starving;
mod symbolic;
mod ur;
mod work;

pub use ase::{Ase, AseConfig, Search};
pub use bmc::{Bmc, BmcConfig};
pub use explicit::Explicit;
pub use kind::{Kind, KindConfig};
pub use ur::{InitialPredicates, Order, Ur, UrConfig};
