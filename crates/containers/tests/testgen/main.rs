//! The search on containers in C: published figures, counts, seeded bugs.

mod api;
mod bugs;
mod counts;
mod curve;
mod load;
mod oracle;
mod solver;
