//! Sequences of calls that fail, as claims and as files.
//!
//! What a file says is which calls are made and how the last one ends. The
//! program that makes them is written anew, for the container and the API that
//! the reader of the file names; the checker runs it.

use super::Container;
use crate::Checkers;
use parallax_base::{Budget, SourceMap};
use parallax_certify::Claim;
use parallax_cfa::run::Outcome;
use parallax_containers::{Call, Config, Failure, Found, Trap, Wrong};
use parallax_front_c as front;
use parallax_suite::{Suite, failing_program, sequence_text};
use serde_json::{Value, json};
use std::path::PathBuf;

/// The schema of files.
pub const FAILURE_SCHEMA: &str = "parallax-failure-evidence/1";

/// The ends of runs that do nothing wrong and yet must not end like this.
const ENDS: [(&str, Trap, Outcome); 4] = [
    ("halt", Trap::Halt, Outcome::Halt),
    ("steps", Trap::Steps, Outcome::StepLimit),
    ("depth", Trap::Depth, Outcome::DepthLimit),
    ("memory", Trap::Memory, Outcome::MemoryLimit),
];

/// How a sequence fails, as far as the checker has to know.
#[derive(Clone, Debug)]
struct How {
    /// The end that the run must not have, if it does nothing wrong.
    end: Option<&'static (&'static str, Trap, Outcome)>,
    leaks: bool,
}

impl How {
    fn of(wrong: &Wrong) -> How {
        let end = match wrong {
            Wrong::Trap(trap, _) | Wrong::InvariantTrap(trap, _) | Wrong::ModelTrap(trap, _) => {
                ENDS.iter().find(|(_, known, _)| known == trap)
            }
            Wrong::Invariant | Wrong::Difference { .. } | Wrong::Leak { .. } => None,
        };
        How { end, leaks: matches!(wrong, Wrong::Leak { .. }) }
    }
}

/// A sequence that the checker saw fail.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Confirmed {
    /// The calls, as C text.
    pub sequence: String,
    /// How many steps the run took.
    pub steps: u64,
}

impl Container {
    /// Has a failing sequence checked: the program that is written for it is
    /// read and run again by those who know nothing of the search; how many
    /// steps that took.
    ///
    /// # Errors
    /// Why the failure is not confirmed. That is a bug of the search.
    pub fn confirm(&self, suite: &Suite<'_>, failure: &Failure) -> Result<u64, String> {
        self.judge(suite, &failure.calls, &How::of(&failure.wrong), &Budget::unlimited())
    }

    /// A failure as text for a file.
    pub fn failure_evidence(&self, failure: &Failure) -> String {
        let How { end, leaks } = How::of(&failure.wrong);
        let call = |call: &Call| {
            let name = self.api.operations.get(call.operation).map(|o| o.name.as_str());
            json!({ "operation": name, "values": call.values })
        };
        let calls: Vec<Value> = failure.calls.iter().map(call).collect();
        let end = end.map(|(word, ..)| *word);
        let said = json!({ "calls": calls, "end": end, "leaks": leaks }).to_string();
        // Files are told apart by how they begin.
        format!("{{\"schema\":\"{FAILURE_SCHEMA}\",{}\n", said.trim_start_matches('{'))
    }

    /// Checks a failure from a file against this container.
    ///
    /// # Errors
    /// Why it is not accepted.
    pub fn certify_failure(&self, text: &[u8], budget: &Budget) -> Result<Confirmed, String> {
        let (calls, how) = self.read_failure(text).ok_or("the evidence is malformed")?;
        let config = Config::default();
        let subject = self.subject(&config).map_err(|error| error.to_string())?;
        let suite = Suite {
            subject: &subject,
            found: &Found::default(),
            config: &config,
            sources: &self.program.sources,
            files: &self.program.files,
            defines: &self.defines,
        };
        let steps = self.judge(&suite, &calls, &how, budget)?;
        Ok(Confirmed { sequence: sequence_text(&self.api, &calls), steps })
    }

    /// The calls of a file, if they are calls of the API.
    fn read_failure(&self, text: &[u8]) -> Option<(Vec<Call>, How)> {
        let value: Value = serde_json::from_slice(text).ok()?;
        if value.get("schema")?.as_str()? != FAILURE_SCHEMA {
            return None;
        }
        let call = |value: &Value| {
            let name = value.get("operation")?.as_str()?;
            let operation = self.api.operations.iter().position(|o| o.name == name)?;
            let values = value.get("values")?.as_array()?;
            let values: Vec<i64> = values.iter().map(Value::as_i64).collect::<Option<_>>()?;
            let call = Call { operation, values };
            self.api.operations[operation].takes(&call).then_some(call)
        };
        let calls = value.get("calls")?.as_array()?.iter().map(call).collect::<Option<_>>()?;
        let end = match value.get("end")? {
            Value::Null => None,
            word => Some(ENDS.iter().find(|(known, ..)| word == known)?),
        };
        Some((calls, How { end, leaks: value.get("leaks")?.as_bool()? }))
    }

    fn judge(
        &self,
        suite: &Suite<'_>,
        calls: &[Call],
        how: &How,
        budget: &Budget,
    ) -> Result<u64, String> {
        let text = failing_program(suite, calls);
        let mut defines = self.defines.clone();
        defines.push(super::MACRO.to_owned());
        let options = front::Options {
            includes: self.program.options.includes.clone(),
            defines,
            explore_orders: false,
            ..front::Options::default()
        };
        let mut sources = SourceMap::default();
        let mut input = front::Input::text("failure.c", text);
        let folders = self.program.files.iter().filter_map(|file| file.parent());
        input.folders = folders.map(PathBuf::from).collect();
        let loaded = front::load(&mut sources, &[input], &options).map_err(|diagnostics| {
            let first = diagnostics.iter().next().map_or("", |d| &d.message);
            format!("the program that was written for it cannot be read: {first}")
        })?;
        let limit = how.end.map(|(.., outcome)| outcome.clone());
        let claim = Claim::Fails { program: &loaded.program, limit, leaks: how.leaks };
        let accepted = Checkers::default().accept(&claim, budget);
        accepted.map(|v| v.accepted.evaluated).map_err(|(rejected, _)| rejected.to_string())
    }
}
