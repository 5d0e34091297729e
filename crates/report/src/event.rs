//! What happens in a run, as lines of JSON: one object for each event.

use serde::Serialize;

/// Name and version of the format.
pub const EVENTS_SCHEMA: &str = "parallax-events/1";

/// One line of a stream.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EventJson {
    /// Seconds since the run began.
    pub t: f64,
    /// What happened.
    #[serde(flatten)]
    pub what: HappeningJson,
}

/// What happened.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum HappeningJson {
    /// The run begins; the first line.
    Start {
        /// [`EVENTS_SCHEMA`].
        schema: &'static str,
        /// The version of Parallax.
        version: &'static str,
        /// What is asked about: a file, most often.
        subject: String,
    },
    /// Somebody begins to work on something.
    Begin {
        /// A property, a question or a file.
        subject: String,
        /// The engine, if there are several.
        engine: &'static str,
    },
    /// A phase of the work begins.
    Phase {
        /// What is done.
        phase: &'static str,
    },
    /// A round of abstraction begins.
    Round {
        /// Its number, from 1.
        number: u64,
        /// How many predicates it works with.
        predicates: u64,
    },
    /// A predicate was added.
    Predicate {
        /// The predicate.
        text: String,
        /// What asked for it.
        why: String,
    },
    /// How far the work is; at most ten lines a second.
    Progress {
        /// States so far.
        states: u64,
        /// Abstract states so far.
        abstract_states: u64,
        /// Solver queries so far.
        queries: u64,
        /// The memory of the process, in bytes.
        memory_bytes: u64,
    },
    /// There is an answer, whose evidence was accepted or which is open.
    Answer {
        /// What was asked.
        name: String,
        /// `holds`, `violated` or `unknown`.
        verdict: &'static str,
        /// Who answered.
        engine: &'static str,
    },
    /// The result is out; the last line.
    End {
        /// `holds`, `violated`, `unknown` or `error`.
        verdict: String,
    },
}
