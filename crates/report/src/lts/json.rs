//! What was found out about a labelled transition system, for scripts.

use parallax_lts::{Action, Lts, ProgressViolation};
use parallax_simulate::{Comparison, Conformance};
use serde::Serialize;
use std::time::Duration;

use super::{AssertionRun, Compared, LTS_SCHEMA, LtsReport, LtsRow, offers};
use crate::distinction::formula_json;
use crate::json::CostJson;

/// [`LtsReport`] for scripts.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LtsJson {
    /// [`LTS_SCHEMA`].
    pub schema: &'static str,
    /// The name of the system.
    pub name: String,
    /// The initial state.
    pub initial: u32,
    /// How many states it has; they are numbered from 0.
    pub states: usize,
    /// The number of `ERROR`.
    pub error: Option<u32>,
    /// The number of `END`.
    pub end: Option<u32>,
    /// Its visible actions.
    pub alphabet: Vec<String>,
    /// Its transitions; `tau` is silent.
    pub transitions: Vec<(u32, String, u32)>,
    /// What it is composed of: name, states, transitions.
    pub parts: Vec<(String, usize, usize)>,
    /// How it was minimized, and its states and transitions before.
    pub minimized: Option<(&'static str, usize, usize)>,
    /// A shortest trace to `ERROR`.
    pub error_trace: Option<Vec<String>>,
    /// A shortest trace to a deadlock.
    pub deadlock_trace: Option<Vec<String>>,
    /// How many states are deadlocks.
    pub deadlocks: usize,
    /// The progress properties.
    pub progress: Vec<LtsProgressJson>,
    /// The formulas.
    pub assertions: Vec<LtsAssertionJson>,
    /// The comparison with a specification.
    pub conformance: Option<LtsConformanceJson>,
    /// Whether nothing is wrong.
    pub holds: bool,
    /// `holds`, `violated` or `unknown`: the answer to what was asked.
    pub verdict: &'static str,
    /// The answers, one by one.
    pub properties: Vec<LtsPropertyJson>,
    /// What the answers rest on besides the text.
    pub assumptions: Vec<String>,
    /// What it cost.
    pub stats: CostJson,
}

/// An answer about a system.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LtsPropertyJson {
    /// What was asked.
    pub name: String,
    /// `holds`, `violated` or `unknown`.
    pub verdict: &'static str,
    /// The kind of evidence.
    pub evidence: &'static str,
    /// Why the evidence was not accepted.
    pub rejected: Option<String>,
}

/// A progress property.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LtsProgressJson {
    /// Its name.
    pub name: String,
    /// Whether it holds.
    pub holds: bool,
    /// A shortest trace into a terminal set where it fails.
    pub trace: Option<Vec<String>>,
    /// The actions of that set.
    pub actions: Option<Vec<String>>,
}

/// A formula.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LtsAssertionJson {
    /// Its name.
    pub name: String,
    /// Whether it holds.
    pub holds: bool,
    /// What is done first in a run that breaks it.
    pub trace: Option<Vec<String>>,
    /// After so many steps it is broken however the run goes on.
    pub settled: Option<usize>,
    /// What is done for ever.
    pub cycle: Option<Vec<String>>,
}

/// A comparison with a specification.
#[derive(Clone, PartialEq, Default, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LtsConformanceJson {
    /// `simulation` or `traces`.
    pub kind: &'static str,
    /// The specification.
    pub specification: String,
    /// Whether the system conforms to it.
    pub conforms: bool,
    /// Pairs of states that were built.
    pub pairs: usize,
    /// Clauses, or sets of states.
    pub clauses: usize,
    /// The simulation relation.
    pub relation: Option<Vec<(u32, u32)>>,
    /// The counterexample of a simulation.
    pub dag: Option<Vec<LtsNodeJson>>,
    /// The counterexample of trace containment.
    pub trace: Option<Vec<String>>,
    /// For a large relation, its blocks on both sides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocks: Option<(usize, usize)>,
    /// What tells large systems apart: conjunctions of actions with the
    /// conjunction that holds afterwards.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub formula: Option<Vec<Vec<(String, usize)>>>,
}

/// A node of a counterexample.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct LtsNodeJson {
    /// The state of the system.
    pub left: u32,
    /// The state of the specification.
    pub right: u32,
    /// What the system does.
    pub action: String,
    /// Where it leads.
    pub target: u32,
    /// The nodes of all answers of the specification.
    pub children: Vec<usize>,
    /// What the specification allows.
    pub allowed: String,
}

/// The report for scripts.
pub fn lts_json(report: &LtsReport<'_>, time: Duration) -> LtsJson {
    let lts = report.lts;
    let names = |actions: &[Action]| -> Vec<String> {
        actions.iter().map(|&a| lts.label(a).to_owned()).collect()
    };
    let edges = |state: u32| {
        let edge = move |e: &parallax_lts::Edge| (state, lts.label(e.action).to_owned(), e.target);
        lts.edges(state).iter().map(edge)
    };
    let progress = |(name, violation): &(String, Option<ProgressViolation>)| LtsProgressJson {
        name: name.clone(),
        holds: violation.is_none(),
        trace: violation.as_ref().map(|v| names(&v.trace)),
        actions: violation.as_ref().map(|v| names(&v.actions)),
    };
    let assertion = |(name, run): &(String, Option<AssertionRun>)| LtsAssertionJson {
        name: name.clone(),
        holds: run.is_none(),
        trace: run.as_ref().map(|run| names(&run.steps)),
        settled: run.as_ref().and_then(|run| run.settled),
        cycle: run.as_ref().map(|run| names(&run.cycle)),
    };
    LtsJson {
        schema: LTS_SCHEMA,
        name: lts.name().to_owned(),
        initial: lts.initial(),
        states: lts.state_count(),
        error: lts.error(),
        end: lts.end(),
        alphabet: lts.alphabet().map(ToString::to_string).collect(),
        transitions: lts.states().flat_map(edges).collect(),
        parts: report.parts.to_vec(),
        minimized: report.minimized,
        error_trace: report.safety.error.as_ref().map(|t| names(t)),
        deadlock_trace: report.safety.deadlock.as_ref().map(|d| names(&d.trace)),
        deadlocks: report.safety.deadlocks,
        progress: report.progress.iter().map(progress).collect(),
        assertions: report.assertions.iter().map(assertion).collect(),
        conformance: report.compared.map(|(spec, c)| conformance_json(lts, spec, c)),
        holds: report.holds(),
        verdict: report.verdict.word(),
        properties: report.answers.iter().map(property).collect(),
        assumptions: report.assumptions.to_vec(),
        stats: CostJson::after(time),
    }
}

fn property(row: &LtsRow<'_>) -> LtsPropertyJson {
    LtsPropertyJson {
        name: row.property.to_owned(),
        verdict: row.verdict.word(),
        evidence: row.evidence,
        rejected: row.rejected.clone(),
    }
}

fn conformance_json(lts: &Lts, spec: &Lts, compared: Compared<'_>) -> LtsConformanceJson {
    let node = |node: &parallax_lts::CeNode| LtsNodeJson {
        left: node.left,
        right: node.right,
        action: lts.label(node.action).to_owned(),
        target: node.target,
        children: node.children.clone(),
        allowed: offers(spec, node.right),
    };
    let specification = spec.name().to_owned();
    match compared {
        Compared::Simulation(found) => {
            let mut json = LtsConformanceJson {
                kind: "simulation",
                specification,
                conforms: compared.conforms(),
                ..LtsConformanceJson::default()
            };
            match found {
                Comparison::Pairs(found) => {
                    (json.pairs, json.clauses) = (found.pairs, found.clauses);
                    match &found.conformance {
                        Conformance::Conforms(relation) => json.relation = Some(relation.clone()),
                        Conformance::Differs(dag) => {
                            json.dag = Some(dag.nodes.iter().map(node).collect());
                        }
                    }
                }
                Comparison::Related(relation) => {
                    json.pairs = usize::try_from(relation.pairs()).unwrap_or(usize::MAX);
                    json.blocks = Some(relation.blocks());
                }
                Comparison::Distinguished(formula) => {
                    json.formula = Some(formula_json(formula, lts));
                }
            }
            json
        }
        Compared::Traces(found) => LtsConformanceJson {
            kind: "traces",
            specification,
            conforms: compared.conforms(),
            pairs: found.pairs.len(),
            clauses: found.sets.len(),
            trace: found
                .counterexample
                .as_ref()
                .map(|steps| steps.iter().map(|step| lts.label(step.0).to_owned()).collect()),
            ..LtsConformanceJson::default()
        },
    }
}
