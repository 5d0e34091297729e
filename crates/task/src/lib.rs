//! What is checked: a program over terms with its questions, and where it comes
//! from.
//!
//! ```text
//! files ── language ──▶ loader ──▶ program + origin = Task
//! ```
//!
//! Engines and checkers see the program alone. Everything else that is asked about
//! it (what was assumed, how it was made, which run of the source a run over terms
//! stands for, how things are called there) is answered by its [`Origin`]: a model,
//! Horn clauses, or C. To add an input language: a row in `language.rs`, a loader
//! in `load.rs` and an origin.
//!
//! # Soundness
//! Between C and terms lie the front end, the passes and the encoding. What they do
//! is trusted as SOUNDNESS.md says; what is not modelled is a gap, and every
//! property forbids to get there.

mod always;
mod c;
mod language;
mod load;
mod model;
mod origin;
mod task;
pub mod template;

pub use always::as_invariant;
pub use c::file_hash;
pub use c::witness::{
    BROKEN, BadWitness, Claim, Constraint, Invariant, InvariantPlan, PathPlan, SEGMENT, Step,
    StepKind, Witness, WitnessPlace, plan_invariants, plan_path,
};
pub use c::{
    Breach, CDriver, CInputs, COptions, CProgram, CRunEnd, CTask, Given, Head, Native, Request,
    asked_names, asked_of, breaks, c_functions, c_task, c_task_by, load_c, loop_invariants,
    model_word, not_modelled, options_of, run_c, single_heads,
};
pub use language::Language;
pub use load::{
    Invalid, LoadError, LoadOptions, MAX_BYTES, load, load_files, load_model, load_text,
    read_limited, read_text,
};
pub use model::{Model, format_model};
pub use origin::{Origin, Replay, Shape, Verdicts};
pub use parallax_front_c::{SPLICED, Splices};
pub use task::{INVARIANTS, Task};
