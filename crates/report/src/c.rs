//! Results about C programs: runs, harnesses, witnesses.

mod accident;
mod harness;
mod rounds;
mod run;
mod schedule;
mod value;
mod witness;

pub use harness::{Harness, harness};
pub use run::{
    CInputJson, CRun, CRunJson, CRunLook, CStepJson, c_run_json, render_c_run, render_end,
};
pub use value::{c_literal, shown_scalar};
pub use witness::{Invariant, WitnessInput, WitnessTask, correctness_witness, violation_witness};
