//! Layer 0: the nouns every other room shares.
//!
//! Spans into source text, diagnostics that point at them, typed ids, components
//! of graphs, the budget that every long computation asks before it goes on and
//! tells how far it is, threads with large stacks, dates, and chance that repeats.
//! Nothing here knows terms, programs or solvers, and nothing here prints.

mod budget;
mod calendar;
mod chance;
mod components;
mod diagnostic;
mod event;
mod ids;
mod source;
mod stack;

pub use budget::{Budget, Stop, peak_memory_bytes, resident_memory_bytes};
pub use calendar::iso_time;
pub use chance::Chance;
pub use components::components;
pub use diagnostic::{Diagnostic, Diagnostics, Label, Severity};
pub use event::{Event, Observer};
pub use ids::{Id, IdVec};
pub use source::{FileId, LineColumn, SourceFile, SourceMap, Span};
pub use stack::{NoThread, address_space_left, on_stack, stack_size};
