//! Results for scripts: one object per run, under a versioned schema.
//!
//! Every fact the text shows is here. Integers are JSON numbers as long as
//! every reader keeps them exact (53 bits), else decimal strings. Fields may
//! be added within a version of the schema, never removed or changed.

mod envelope;
mod evidence;
mod search;

use parallax_base::{Diagnostics, SourceMap};
use parallax_evidence::{Finding, Statistics, Verdict, Why};
use parallax_ir::PropertyKind;
use serde::Serialize;

pub use self::envelope::{CostJson, Envelope, RowJson};
pub use self::evidence::{
    InputJson, PairJson, ProofJson, RankingJson, RegionJson, StepJson, TraceJson, TreeNodeJson,
};
pub use self::search::{
    ArgJson, ArgNodeJson, OmittedJson, PathJson, PathStepJson, RoundJson, TrackedJson,
};
use crate::c::{CRunJson, c_run_json};
use crate::diagnostics::{DiagnosticJson, SpanJson, diagnostic_json, span_json};
use crate::formula::Printer;
use crate::run::{Answer, Run, evidence_summary, evidence_word, hint};

/// Name and version of the format.
pub const SCHEMA: &str = "parallax-result/1";

/// A run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RunJson {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// `holds`, `violated` or `unknown`: the worst of the properties.
    pub verdict: &'static str,
    /// What the program calls itself.
    pub model: String,
    /// One entry per property that was asked.
    pub properties: Vec<PropertyJson>,
    /// What the answers rest on besides the evidence.
    pub assumptions: Vec<String>,
    /// Figures of the whole run.
    pub stats: StatsJson,
    /// What came of running the failure natively, if that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub native: Option<NativeJson>,
    /// The next useful command.
    pub next: Option<String>,
}

/// A failure of a C program, compiled and run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct NativeJson {
    /// `reproduced`, `not reproduced` or `not run`.
    pub outcome: &'static str,
    /// The same with what was seen.
    pub message: String,
}

/// The answer to one property.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PropertyJson {
    /// Its name.
    pub name: String,
    /// `invariant`, `unreachable`, `reachable`, `deadlock_free` or `ltl`.
    pub kind: &'static str,
    /// The states asked for, as a formula; `null` for deadlock freedom and for
    /// formulas of linear temporal logic.
    pub target: Option<String>,
    /// The formula of linear temporal logic that was asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<String>,
    /// `holds`, `violated` or `unknown`.
    pub verdict: &'static str,
    /// The engine that answered.
    pub engine: &'static str,
    /// Why it is open; `null` if it is not.
    pub reason: Option<ReasonJson>,
    /// What the answer rests on; `null` if it is open.
    pub evidence: Option<EvidenceJson>,
    /// The run that reaches the target; `null` for a proof.
    pub trace: Option<TraceJson>,
    /// The run of the C program that breaks the property; only for C.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<CRunJson>,
    /// The contracts that stand for recursive calls in the proof; only for C
    /// programs that recur.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub contracts: Vec<String>,
    /// Properties that were asked as well and are not known to hold, which the
    /// answer takes for granted; only for C.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub assumes: Vec<String>,
    /// What made the program smaller and is in no certificate; only for proofs
    /// about C programs.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trusts: Vec<&'static str>,
    /// What holds whenever a run is at a place, as the proof says: at loops of C, and at
    /// locations of models with one process.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub invariants: Vec<InvariantJson>,
    /// Where the property stands.
    pub span: Option<SpanJson>,
    /// Figures of this answer.
    pub stats: StatsJson,
    /// The refinement history. Without details it is left out if it is empty
    /// or tells nothing of paths.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<Vec<RoundJson>>,
    /// The abstract reachability graph, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arg: Option<ArgJson>,
    /// The proof written out; only with details.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ProofJson>,
}

/// What holds whenever a run is at a place.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InvariantJson {
    /// What holds: in C, or in the syntax of models.
    pub text: String,
    /// Where.
    pub span: Option<SpanJson>,
}

impl PropertyJson {
    /// A property that nobody came to ask for.
    pub fn open(name: String, why: &Why, stats: StatsJson) -> PropertyJson {
        PropertyJson {
            name,
            kind: "unreachable",
            target: None,
            formula: None,
            verdict: Verdict::Unknown.word(),
            engine: "none",
            reason: Some(reason_json(&SourceMap::default(), why)),
            evidence: None,
            trace: None,
            run: None,
            contracts: Vec::new(),
            assumes: Vec::new(),
            trusts: Vec::new(),
            invariants: Vec::new(),
            span: None,
            stats,
            history: None,
            arg: None,
            proof: None,
        }
    }
}

/// Why a question is open.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ReasonJson {
    /// A stable word such as `time`.
    pub code: &'static str,
    /// The reason as a sentence.
    pub text: String,
    /// The place it is about.
    pub span: Option<SpanJson>,
    /// What to try.
    pub hint: Option<String>,
}

/// Evidence and who accepted it.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct EvidenceJson {
    /// `trace`, or the kind of certificate, such as `inductive-invariant`.
    pub kind: &'static str,
    /// How large it is, in words.
    pub summary: String,
    /// Who accepted it.
    pub checked_by: Vec<String>,
}

/// Figures of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names are those of `parallax_evidence::Statistics`")]
pub struct StatsJson {
    pub iterations: u64,
    pub predicates: u64,
    pub solver_queries: u64,
    pub states: u64,
    pub abstract_states: u64,
    pub time_s: f64,
    pub peak_memory_bytes: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub attack_runs: u64,
    #[serde(skip_serializing_if = "is_zero")]
    pub attack_states: u64,
    /// The time that attacks and second proofs took, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub doubt_s: Option<f64>,
}

/// Whether there is nothing to say.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature that serde asks for")]
fn is_zero(count: &u64) -> bool {
    *count == 0
}

/// Input that could not be read: printed instead of a [`RunJson`].
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ErrorJson {
    /// [`SCHEMA`].
    pub schema: &'static str,
    /// Always `error`.
    pub verdict: &'static str,
    /// What is wrong.
    pub diagnostics: Vec<DiagnosticJson>,
    /// How many errors there are in all; not all of them need be listed.
    pub errors: usize,
}

/// A run as data for JSON. With `details`, proofs and refinement histories are
/// written out.
pub fn run_json(run: &Run<'_>, details: bool) -> RunJson {
    let mut printer = Printer::new(run.program, &run.program.store);
    let mut property = |a: &Answer<'_>| match a.about {
        Some(own) => property_json(run, a, &mut Printer::new(own, &own.store), details),
        None => property_json(run, a, &mut printer, details),
    };
    RunJson {
        schema: SCHEMA,
        verdict: run.verdict().word(),
        model: run.program.name.clone(),
        properties: run.answers.iter().map(&mut property).collect(),
        assumptions: run.assumptions.clone(),
        stats: stats_json(&run.statistics),
        native: None,
        next: run.next.clone(),
    }
}

/// Diagnostics as the object that stands for a run that could not start.
pub fn error_json(sources: &SourceMap, diagnostics: &Diagnostics) -> ErrorJson {
    ErrorJson {
        schema: SCHEMA,
        verdict: "error",
        diagnostics: diagnostics.iter().map(|d| diagnostic_json(sources, d)).collect(),
        errors: diagnostics.error_count(),
    }
}

fn property_json(
    run: &Run<'_>,
    answer: &Answer<'_>,
    printer: &mut Printer<'_>,
    details: bool,
) -> PropertyJson {
    let program = run.program;
    let property = answer.property(program);
    let outcome = answer.outcome;
    let finding = &outcome.finding;
    let (trace, proof) = match finding {
        Finding::Reached(trace) => {
            (Some(evidence::trace_json(answer.program(run), run.sources, trace)), None)
        }
        Finding::Proved(certificate) if details => {
            let system = outcome.abstraction.as_ref();
            let program = answer.program(run);
            (None, Some(evidence::proof_json(program, property, certificate, system)))
        }
        Finding::Proved(_) | Finding::Executed(_) | Finding::Unknown(_) => (None, None),
    };
    PropertyJson {
        name: property.name.to_string(),
        kind: property.kind.word(),
        target: (!matches!(property.kind, PropertyKind::DeadlockFree | PropertyKind::Ltl))
            .then(|| printer.conjunction(answer.target(run).target)),
        formula: property.temporal.as_ref().map(|t| t.formula.show()),
        verdict: answer.verdict(program).word(),
        engine: outcome.engine,
        reason: match finding {
            Finding::Unknown(why) => Some(reason_json(run.sources, why)),
            Finding::Proved(_) | Finding::Reached(_) | Finding::Executed(_) => None,
        },
        evidence: evidence_word(finding).map(|kind| EvidenceJson {
            kind,
            summary: evidence_summary(finding),
            checked_by: answer.checked_by.to_vec(),
        }),
        trace,
        run: answer.run.as_ref().map(c_run_json),
        contracts: answer.contracts.clone(),
        assumes: answer.assumes.clone(),
        trusts: answer.trusts.clone(),
        invariants: answer
            .invariants
            .iter()
            .map(|(span, text)| InvariantJson {
                text: text.clone(),
                span: span_json(run.sources, *span, String::new()),
            })
            .collect(),
        span: span_json(run.sources, property.span, String::new()),
        stats: stats_json(&outcome.statistics),
        history: (details || outcome.history.iter().any(|round| round.path.is_some()))
            .then(|| outcome.history.iter().map(search::round_json).collect()),
        arg: outcome.graph.as_ref().map(|graph| search::arg_json(answer.program(run), graph)),
        proof,
    }
}

fn reason_json(sources: &SourceMap, why: &Why) -> ReasonJson {
    let span = match why {
        Why::Unsupported { place, .. } => *place,
        _ => None,
    };
    ReasonJson {
        code: why.code(),
        text: why.to_string(),
        span: span.and_then(|span| span_json(sources, span, String::new())),
        hint: hint(why).map(str::to_owned),
    }
}

fn stats_json(s: &Statistics) -> StatsJson {
    StatsJson {
        iterations: s.iterations,
        predicates: s.predicates,
        solver_queries: s.solver_queries,
        states: s.states,
        abstract_states: s.abstract_states,
        time_s: s.time.as_secs_f64(),
        peak_memory_bytes: s.peak_memory_bytes,
        attack_runs: s.attack_runs,
        attack_states: s.attack_states,
        doubt_s: (!s.doubt.is_zero()).then_some(s.doubt.as_secs_f64()),
    }
}
