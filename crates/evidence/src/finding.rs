//! Findings, verdicts, reasons for `unknown`, and the figures of a run.

use crate::{AbstractSystem, Certificate, Execution, ReachabilityGraph, Trace};
use parallax_base::{Span, Stop};
use parallax_ir::PropertyKind;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

/// What an engine found out about the target of one property.
#[derive(Clone, Debug)]
pub enum Finding {
    /// No reachable state is a target, or every run satisfies the formula; the
    /// certificate says why.
    Proved(Box<Certificate>),
    /// A target is reachable and the trace leads there, or the trace breaks the
    /// formula.
    Reached(Box<Trace>),
    /// The program that was checked does what a target stands for when it is
    /// run with these inputs.
    Executed(Execution),
    /// Neither was found.
    Unknown(Why),
}

/// The answer to a property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The property is true of every run (or, for a goal, of some run).
    Holds,
    /// It is not.
    Violated,
    /// Not decided.
    Unknown,
}

impl Verdict {
    /// How a finding reads for a kind of property.
    pub fn of(finding: &Finding, kind: PropertyKind) -> Verdict {
        match (finding, kind.wants_target()) {
            (Finding::Unknown(_), _) => Verdict::Unknown,
            (Finding::Proved(_), false) | (Finding::Reached(_) | Finding::Executed(_), true) => {
                Verdict::Holds
            }
            (Finding::Proved(_), true) | (Finding::Reached(_) | Finding::Executed(_), false) => {
                Verdict::Violated
            }
        }
    }

    /// What several answers come to: violated if one is, else unknown if one is.
    pub fn worst(answers: impl IntoIterator<Item = Verdict>) -> Verdict {
        answers.into_iter().fold(Verdict::Holds, |worst, answer| match (worst, answer) {
            (Verdict::Violated, _) | (_, Verdict::Violated) => Verdict::Violated,
            (Verdict::Unknown, _) | (_, Verdict::Unknown) => Verdict::Unknown,
            _ => Verdict::Holds,
        })
    }

    /// The word in reports: `holds`, `violated` or `unknown`.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Why a question stayed open.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// A limit of the run was reached, or somebody cancelled it.
    Stopped(Stop),
    /// The engine cannot handle something the program does.
    Unsupported {
        /// What it is.
        construct: String,
        /// Where it stands.
        place: Option<Span>,
        /// What to try instead.
        hint: String,
    },
    /// Refinement found nothing new to add.
    NoProgress(String),
    /// A solver gave up on a question the answer depends on.
    SolverGaveUp(String),
    /// The separate checker did not accept the evidence: a bug to report.
    CertificateRejected(String),
    /// An evidence file says nothing about it.
    NoEvidence,
}

impl Why {
    /// A short stable word for scripts.
    pub fn code(&self) -> &'static str {
        match self {
            Why::Stopped(Stop::Time) => "time",
            Why::Stopped(Stop::Memory) => "memory",
            Why::Stopped(Stop::Cancelled) => "cancelled",
            Why::Unsupported { .. } => "unsupported",
            Why::NoProgress(_) => "no-progress",
            Why::SolverGaveUp(_) => "solver",
            Why::CertificateRejected(_) => "certificate-rejected",
            Why::NoEvidence => "no-evidence",
        }
    }
}

impl From<Stop> for Why {
    fn from(stop: Stop) -> Why {
        Why::Stopped(stop)
    }
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Why::Stopped(Stop::Cancelled) => f.write_str("cancelled"),
            Why::Stopped(stop) => write!(f, "{stop} reached"),
            Why::Unsupported { construct, .. } => write!(f, "unsupported: {construct}"),
            Why::NoProgress(what) => write!(f, "no progress: {what}"),
            Why::SolverGaveUp(what) => write!(f, "the solver gave up: {what}"),
            Why::CertificateRejected(what) => write!(f, "certificate rejected: {what}"),
            Why::NoEvidence => f.write_str("no evidence: the file says nothing about it"),
        }
    }
}

/// Figures of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Rounds of abstraction and refinement.
    pub iterations: u64,
    /// Predicates in the last round.
    pub predicates: u64,
    /// Questions put to a solver, by the engine and by the checker.
    pub solver_queries: u64,
    /// Concrete or symbolic states of the last round.
    pub states: u64,
    /// Abstract states of the last round.
    pub abstract_states: u64,
    /// Wall-clock time.
    pub time: Duration,
    /// The most memory the process held.
    pub peak_memory_bytes: u64,
    /// Runs of the original program that what is proved survived.
    pub attack_runs: u64,
    /// States of those runs that were compared with a certified invariant.
    pub attack_states: u64,
    /// The time that attacks and second proofs took.
    pub doubt: Duration,
}

/// One refinement step, for the history a report shows.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Refinement {
    /// Which round it ended.
    pub iteration: u64,
    /// Concrete or symbolic states of that round.
    pub states: u64,
    /// Abstract states of that round.
    pub abstract_states: u64,
    /// The predicates it added, in infix notation.
    pub predicates: Vec<String>,
    /// Why: the step that was not exact or not covered.
    pub reason: String,
    /// The abstract path that it excludes, if the engine refines along paths.
    pub path: Option<Box<SpuriousPath>>,
}

/// An abstract path to the target that is no run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SpuriousPath {
    /// Where it starts.
    pub start: Arc<str>,
    /// Its steps: the name of the transition, and where it leads.
    pub steps: Vec<(Arc<str>, Arc<str>)>,
    /// The steps that are left out of `steps`: how many, and before which.
    pub omitted: Option<(usize, usize)>,
    /// The first step that no run takes, counted from 1 with omitted steps; one
    /// more than there are steps if runs take all of them, and none ends in the
    /// target.
    pub end: usize,
    /// How new predicates were found.
    pub method: String,
    /// What is tracked from now on, and where.
    pub tracked: Vec<(String, Arc<str>)>,
}

impl SpuriousPath {
    /// Its length in steps, with those left out.
    pub fn len(&self) -> usize {
        self.steps.len() + self.omitted.map_or(0, |(count, _)| count)
    }

    /// Whether it has no step: the target is among the initial states.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// All that an engine returns for one property.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// The engine's name.
    pub engine: &'static str,
    /// The answer with its evidence.
    pub finding: Finding,
    /// Figures.
    pub statistics: Statistics,
    /// The refinement history, oldest first.
    pub history: Vec<Refinement>,
    /// The abstract transition system of the last round, if the engine has one.
    pub abstraction: Option<AbstractSystem>,
    /// The abstract reachability graph at the end, if the engine has one and it
    /// was asked for.
    pub graph: Option<Box<ReachabilityGraph>>,
}
