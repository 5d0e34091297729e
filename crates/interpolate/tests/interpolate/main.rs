//! Interpolants are interpolants, on random paths and on known ones.

mod blocks;
mod lecture;
mod path;
mod random;
mod templates;
