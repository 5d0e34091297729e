//! Layer 6: engines that look at a program from above: abstractions that hold
//! all runs, refined until they hold no bad one.

mod cegar;

pub use cegar::{Abstraction, Cegar, CegarConfig, Covering, Mode, Order, Refiner, Scope, Track};
