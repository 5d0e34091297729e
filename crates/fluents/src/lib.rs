//! Layer 4: formulas about labelled transition systems, under fair choice.
//!
//! J. Magee and D. Giannakopoulou, *Fluent Model Checking for Event-Based
//! Systems* (ESEC/FSE 2003), with the fair choice of Magee and Kramer: a step
//! that is possible again and again in one state is taken again and again.
//!
//! The states of the system are paired with what the negated formula still asks
//! for (`product.rs`). A component of that graph in which no until is put off
//! for ever, and in which every state of the system has all its steps, is a fair
//! run against the formula. A component that lacks a step of a state cannot be
//! stayed in while that state is visited; what is left without it is taken apart
//! in the same way, as for Streett conditions (`decide.rs`). What comes out is
//! evidence for `parallax-certify`, which shares nothing with this crate but the
//! meaning of formulas.

mod decide;
mod product;

pub use decide::decide;
