//! Interpolants are interpolants, on random paths and on known ones.

mod lecture;
mod path;
mod random;
