//! Layer 7: engines that look at a program from above: abstractions that hold
//! all runs, refined until they hold no bad one.

mod cegar;
mod symba;

pub use cegar::{
    Abstraction, Cegar, CegarConfig, Covering, Known, Mode, Order, Refiner, Scope, Track,
};
pub use symba::{Symba, SymbaConfig};
