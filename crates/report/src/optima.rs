//! Replies to scripts for optimizing solvers, in the form of SMT-LIB, and JSON.
//!
//! `sat`, `unsat` and `unknown` as solvers print them, objectives as Z3 prints
//! them: `oo` for infinity, `epsilon` for what a bound is approached by,
//! `(interval a b)` for what is still open. A Pareto front is printed at once,
//! which solvers print point by point.

use crate::escape::visible;
use crate::json::{CostJson, Envelope, RowJson};
use parallax_evidence::Verdict;
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;

/// Name and version of the format.
pub const OPTIMA_SCHEMA: &str = "parallax-optima/1";

/// The replies of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct OptimaReport {
    /// One for each `check-sat`.
    pub replies: Vec<OptimaReply>,
}

/// [`OptimaReport`] for scripts.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OptimaJson {
    /// [`OPTIMA_SCHEMA`].
    pub schema: &'static str,
    /// The replies in short: one that leaves nothing open holds.
    #[serde(flatten)]
    pub envelope: Envelope,
    /// What it cost.
    pub stats: CostJson,
    /// One for each `check-sat`.
    pub replies: Vec<OptimaReply>,
}

/// The reply to one `check-sat`, and to what is asked after it.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OptimaReply {
    /// `sat`, `unsat` or `unknown`.
    pub status: &'static str,
    /// Why something is open, if something is.
    pub reason: Option<String>,
    /// The objectives and their values, as SMT-LIB terms.
    pub objectives: Vec<ObjectiveJson>,
    /// The values of the objectives at each point of a Pareto front.
    pub front: Option<Vec<Vec<String>>>,
    /// Whether these are all points of the front.
    pub front_is_whole: bool,
    /// What was asked, in the order of the script.
    pub printed: Vec<String>,
    /// Who accepted it.
    pub checked_by: Vec<String>,
    /// What should be known besides.
    pub remarks: Vec<String>,
}

/// An objective and its value.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ObjectiveJson {
    /// Its name, or what it is.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Whether it is attained by the model.
    pub attained: bool,
}

impl OptimaReply {
    /// Whether nothing is left open.
    pub fn is_final(&self) -> bool {
        let is_open = |objective: &ObjectiveJson| objective.value == "unknown";
        let is_cut = self.reason.is_some() || self.status == "unknown";
        !is_cut && !self.objectives.iter().any(is_open)
    }
}

/// The replies for scripts.
pub fn optima_json(report: &OptimaReport, time: Duration) -> OptimaJson {
    let row = |(number, reply): (usize, &OptimaReply)| RowJson {
        name: format!("check-sat {}", number + 1),
        verdict: if reply.is_final() { Verdict::Holds } else { Verdict::Unknown },
        checked_by: reply.checked_by.clone(),
        reason: reply.reason.clone(),
    };
    OptimaJson {
        schema: OPTIMA_SCHEMA,
        envelope: Envelope::new(report.replies.iter().enumerate().map(row).collect(), []),
        stats: CostJson::after(time),
        replies: report.replies.clone(),
    }
}

/// The replies as text.
pub fn render_optima(report: &OptimaReport) -> String {
    let mut text = String::new();
    for reply in &report.replies {
        let _ = writeln!(text, "{}", reply.status);
        if let Some(front) = &reply.front {
            text.push_str("(front\n");
            for point in front {
                let names = reply.objectives.iter().map(|o| &o.name);
                let parts: Vec<String> =
                    names.zip(point).map(|(name, value)| format!("({name} {value})")).collect();
                let _ = writeln!(text, " ({})", visible(&parts.join(" ")));
            }
            text.push_str(")\n");
        }
        for printed in &reply.printed {
            for line in printed.lines() {
                let _ = writeln!(text, "{}", visible(line));
            }
        }
        for remark in reply.remarks.iter().chain(&reply.reason) {
            let _ = writeln!(text, "; {}", visible(remark));
        }
        if !reply.checked_by.is_empty() {
            let _ = writeln!(text, "; checked by {}", reply.checked_by.join(", "));
        }
    }
    text
}
