//! Test suites for people and tools: one C file with asserts that reports as
//! TAP, Test-Comp XML with its driver, JSON, a report of what is covered, and a
//! picture of each shape.
//!
//! Everything is returned as text; whoever asks decides where it goes.

mod c_file;
mod driver;
mod json;
mod native;
mod report;
mod source;
mod svg;
mod testcomp;
mod words;

pub use c_file::{c_failure, c_suite, failing_program};
pub use json::{SCHEMA, suite_json};
pub use native::{NativeRun, Sanitize, run_native};
pub use report::{coverage_listing, summary};
pub use svg::shape_svg;
pub use testcomp::{TestCompOptions, test_comp};
pub use words::{call_text, sequence_text};

use parallax_base::SourceMap;
use parallax_containers::{Config, Found, Subject};
use std::path::PathBuf;

/// What a suite is made of.
#[derive(Clone, Copy)]
pub struct Suite<'a> {
    /// The program with its API.
    pub subject: &'a Subject<'a>,
    /// What was found.
    pub found: &'a Found,
    /// How it was searched.
    pub config: &'a Config,
    /// The files of the program.
    pub sources: &'a SourceMap,
    /// Their paths.
    pub files: &'a [PathBuf],
    /// Macros that were defined for it.
    pub defines: &'a [String],
}
