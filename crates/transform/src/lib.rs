//! Passes over control-flow automata.
//!
//! A pass takes a program and gives a smaller or simpler one, together with the
//! way back: where each location, edge and variable of the result comes from.
