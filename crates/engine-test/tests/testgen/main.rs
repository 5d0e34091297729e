//! The search on containers in C: published figures, counts, seeded bugs.

mod curve;
mod load;
