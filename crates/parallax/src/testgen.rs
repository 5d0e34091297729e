//! Tests for containers in C: load, search, confirm.
//!
//! A failing sequence is minimized and written as a program. It counts when the
//! checker reads that program and sees it fail.

use crate::{COptions, CProgram, Invalid, LoadError, load_c, read_text};
use parallax_base::{Budget, Diagnostic, Diagnostics, SourceFile, SourceMap, Span};
use parallax_cfa::DataModel;
use parallax_containers::{Api, Config, Found, SubjectError, Unsupported, parse_api, resolve};
use std::path::PathBuf;

mod failing;

pub use failing::{Confirmed, FAILURE_SCHEMA};
pub use parallax_cfa::run::Outcome;
pub use parallax_containers::{Config as TestgenConfig, Goal, Match, Subject, minimize};
pub use parallax_suite as suite;

/// The macro that is defined while tests are generated.
pub const MACRO: &str = "PARALLAX_TESTGEN";

/// A container with its API.
#[derive(Debug)]
pub struct Container {
    /// The program.
    pub program: CProgram,
    /// What can be called.
    pub api: Api,
    /// Macros the user defined.
    pub defines: Vec<String>,
}

/// Reads a container and its API: a file, or annotations in the C files.
pub fn load_container(
    files: &[PathBuf],
    api: Option<&PathBuf>,
    options: &COptions,
) -> Result<Container, LoadError> {
    let mut with_macro = options.clone();
    with_macro.defines.push(MACRO.to_owned());
    with_macro.left_to_right = true;
    let mut program = load_c(files, &with_macro)?;
    if program.options.model == Some(DataModel::Ilp32) {
        let mut diagnostics = Diagnostics::default();
        let message = "tests are generated with pointers of 64 bits only";
        let mut error = Diagnostic::error("T0004", Span::default(), message);
        error.labels.clear();
        diagnostics.push(error.help("leave `--data-model ilp32` out"));
        return Err(invalid(program.sources, diagnostics));
    }
    let (path, is_c) = match (api, files.first()) {
        (Some(path), _) => (path, false),
        (None, Some(path)) => (path, true),
        (None, None) => return Err(LoadError::NothingAsked),
    };
    let text = read_text(path)?;
    let file = program.sources.add(SourceFile::new(path.to_string_lossy(), &*text));
    let resolved = parse_api(file, &text, is_c).and_then(|text| resolve(&text, &program.program));
    match resolved {
        Ok(api) => Ok(Container { program, api, defines: options.defines.clone() }),
        Err(diagnostics) => Err(invalid(program.sources, diagnostics)),
    }
}

fn invalid(sources: SourceMap, diagnostics: Diagnostics) -> LoadError {
    LoadError::Invalid(Box::new(Invalid { sources, diagnostics }))
}

impl Container {
    /// Compiles for a search.
    pub fn subject(&self, config: &Config) -> Result<Subject<'_>, LoadError> {
        let subject =
            Subject::new(&self.program.program, self.api.clone(), config.goal, config.matching);
        subject.map_err(|error| match error {
            SubjectError::Trap(trap) => self.error("T0004", None, trap.to_string(), None),
            SubjectError::NoAbstraction => self.error(
                "T0003",
                None,
                "`--match user` needs an abstraction".to_owned(),
                Some("name a function in the API: [container] abstraction = \"...\""),
            ),
        })
    }

    /// Searches; a failure comes back minimized.
    pub fn search(
        &self,
        subject: &Subject<'_>,
        config: &Config,
        budget: &Budget,
    ) -> Result<Found, LoadError> {
        let found = parallax_containers::search(subject, config, budget);
        let mut found = found.map_err(|limit| self.limit(&limit))?;
        if let Some(failure) = &found.failure {
            found.failure = Some(minimize(subject, failure, budget));
        }
        Ok(found)
    }

    fn limit(&self, limit: &Unsupported) -> LoadError {
        let span = limit.place.map(|place| place.span);
        let sequence = suite::sequence_text(&self.api, &limit.calls);
        let message = format!("{} (reached by: {sequence})", limit.what);
        let help = "give this value as a parameter, or leave the operation out of the API";
        self.error("T0004", span, message, Some(help))
    }

    fn error(
        &self,
        code: &'static str,
        span: Option<Span>,
        message: String,
        help: Option<&str>,
    ) -> LoadError {
        let mut diagnostic = Diagnostic::error(code, span.unwrap_or_default(), message);
        if span.is_none() {
            diagnostic.labels.clear();
        }
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        let mut diagnostics = Diagnostics::default();
        diagnostics.push(diagnostic);
        invalid(self.program.sources.clone(), diagnostics)
    }
}
