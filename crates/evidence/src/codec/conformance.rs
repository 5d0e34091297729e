//! Files with evidence about the conformance of programs: a list of
//!
//! ```json
//! { "schema": "parallax-conformance/2", "question": "work against LOCK", "traces": false,
//!   "claim": { "conforms": { "deadlock_free": false, "relation": [[[0], 0]], "covers": [
//!     { "procedure": "work", "system": "des (0, 0, 1)",
//!       "formulas": [["main.L1", 0, "(= held 0)"]] }] } } }
//! ```
//!
//! or, in the place of `conforms`, a counterexample: its nodes with the state of
//! the specification, the action and the children, and for each path of the
//! graph a run of each program.
//!
//! ```json
//! { "differs": { "deadlock": false,
//!     "nodes": [{ "state": 0, "action": "lock", "children": [] }],
//!     "runs": [[{ "initial": [0], "steps": [{ "edge": 1, "inputs": [], "node": 0 }] }]] } }
//! ```

use super::value::{Scalar, values};
use crate::{
    ConformanceEvidence, ConformanceProof, ConformanceRefutation, Cover, Labelled, Run, RunStep,
};
use parallax_lts::{CeDag, CeNode, Lts, StateId, TAU, read_aut, write_aut};
use parallax_term::{Sort, Value};
use serde::{Deserialize, Serialize};

const SCHEMA: &str = "parallax-conformance/2";

/// An answer to be written down.
#[derive(Clone, Copy, Debug)]
pub struct ConformanceClaim<'a> {
    /// The question.
    pub question: &'a str,
    /// Whether the specification was made deterministic: traces are compared.
    pub traces: bool,
    /// The programs, with their names.
    pub programs: &'a [(&'a str, Labelled<'a>)],
    /// The answer.
    pub evidence: &'a ConformanceEvidence,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    schema: String,
    question: String,
    traces: bool,
    claim: RawClaim,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum RawClaim {
    Conforms(RawProof),
    Differs(RawRefutation),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawProof {
    deadlock_free: bool,
    covers: Vec<RawCover>,
    relation: Vec<(Vec<StateId>, StateId)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawCover {
    procedure: String,
    /// The covering system in the Aldebaran format.
    system: String,
    /// Location, state and formula.
    formulas: Vec<(String, StateId, String)>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRefutation {
    deadlock: bool,
    nodes: Vec<RawNode>,
    runs: Vec<Vec<RawRun>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawNode {
    state: StateId,
    /// Absent where the step is silent.
    action: Option<String>,
    children: Vec<usize>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRun {
    initial: Vec<Scalar>,
    steps: Vec<RawStep>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    edge: usize,
    inputs: Vec<Scalar>,
    node: usize,
}

/// The answers as text.
///
/// # Errors
/// When an answer cannot be written as JSON.
pub fn write_conformance(claims: &[ConformanceClaim<'_>]) -> Result<String, serde_json::Error> {
    let entry = |claim: &ConformanceClaim<'_>| Entry {
        schema: SCHEMA.to_owned(),
        question: claim.question.to_owned(),
        traces: claim.traces,
        claim: match claim.evidence {
            ConformanceEvidence::Conforms(proof) => {
                RawClaim::Conforms(raw_proof(proof, claim.programs))
            }
            ConformanceEvidence::Differs(found) => RawClaim::Differs(raw_refutation(found)),
        },
    };
    serde_json::to_string(&claims.iter().map(entry).collect::<Vec<_>>())
}

fn raw_proof(proof: &ConformanceProof, programs: &[(&str, Labelled<'_>)]) -> RawProof {
    let covers = proof.covers.iter().zip(programs).map(|(cover, (name, labelled))| {
        let process = labelled.program.processes.iter().next();
        let formulas = cover.formulas.iter().map(|&(id, state, formula)| {
            let location = process.map_or_else(String::new, |p| p.locations[id].name.to_string());
            (location, state, cover.store.smtlib(formula))
        });
        RawCover {
            procedure: (*name).to_owned(),
            system: write_aut(&cover.abstraction),
            formulas: formulas.collect(),
        }
    });
    RawProof {
        deadlock_free: proof.deadlock_free,
        covers: covers.collect(),
        relation: proof.relation.clone(),
    }
}

fn raw_refutation(found: &ConformanceRefutation) -> RawRefutation {
    let node = |node: &CeNode| RawNode {
        state: node.right,
        action: (node.action != TAU).then(|| found.composed.label(node.action).to_owned()),
        children: node.children.clone(),
    };
    let raw = |values: &[Value]| values.iter().cloned().map(Scalar).collect();
    let run = |run: &Run| RawRun {
        initial: raw(&run.initial),
        steps: run
            .steps
            .iter()
            .map(|s| RawStep { edge: s.edge, inputs: raw(&s.inputs), node: s.node })
            .collect(),
    };
    RawRefutation {
        deadlock: found.deadlock,
        nodes: found.dag.nodes.iter().map(node).collect(),
        runs: found.runs.iter().map(|runs| runs.iter().map(run).collect()).collect(),
    }
}

/// One answer of a file; whether it is true is for the checker to say.
pub struct ConformanceFile {
    entry: Entry,
}

impl ConformanceFile {
    /// The answer of a file to a question.
    ///
    /// # Errors
    /// What is wrong with the file, or that it is silent on the question.
    pub fn find(text: &str, question: &str) -> Result<ConformanceFile, String> {
        let all: Vec<Entry> =
            serde_json::from_str(text).map_err(|error| format!("damaged file: {error}"))?;
        let found = all.into_iter().find(|e| e.schema == SCHEMA && e.question == question);
        let silent = || format!("the file has no answer to `{question}`");
        Ok(ConformanceFile { entry: found.ok_or_else(silent)? })
    }

    /// Whether traces are compared.
    pub fn traces(&self) -> bool {
        self.entry.traces
    }

    /// What it says about some programs.
    ///
    /// # Errors
    /// Why it does not fit them.
    pub fn decode(self, programs: &[(&str, Labelled<'_>)]) -> Result<ConformanceEvidence, String> {
        match self.entry.claim {
            RawClaim::Conforms(raw) => {
                Ok(ConformanceEvidence::Conforms(Box::new(proof(raw, programs)?)))
            }
            RawClaim::Differs(raw) => {
                Ok(ConformanceEvidence::Differs(Box::new(refutation(raw, programs)?)))
            }
        }
    }
}

fn proof(raw: RawProof, programs: &[(&str, Labelled<'_>)]) -> Result<ConformanceProof, String> {
    if raw.covers.len() != programs.len() {
        return Err("one cover for each procedure is needed".into());
    }
    let mut covers = Vec::new();
    for (cover, (name, labelled)) in raw.covers.into_iter().zip(programs) {
        if cover.procedure != *name {
            return Err(format!("`{}` is not `{name}`", cover.procedure));
        }
        let abstraction = read_aut(name, &cover.system).map_err(|error| error.to_string())?;
        let program = labelled.program;
        let mut store = program.store.clone();
        let Some(process) = program.processes.iter().next() else {
            return Err("a program without a process".into());
        };
        let mut formulas = Vec::new();
        for (location, state, text) in cover.formulas {
            let known = process.locations.iter_enumerated().find(|(_, l)| *l.name == *location);
            let (id, _) = known.ok_or_else(|| format!("there is no location `{location}`"))?;
            let scope =
                |name: &str| program.variables.iter().find(|v| *v.name == *name).map(|v| v.term);
            let formula = store.read_smtlib_term(&text, &scope);
            formulas.push((id, state, formula.map_err(|error| error.to_string())?));
        }
        covers.push(Cover { abstraction, store, formulas });
    }
    let RawProof { relation, deadlock_free, .. } = raw;
    Ok(ConformanceProof { covers, relation, deadlock_free })
}

fn refutation(
    raw: RawRefutation,
    programs: &[(&str, Labelled<'_>)],
) -> Result<ConformanceRefutation, String> {
    let mut composed = Lts::new("composition");
    let nodes = raw.nodes.into_iter().map(|node| CeNode {
        left: 0,
        right: node.state,
        action: node.action.map_or(TAU, |label| composed.action(&label)),
        target: 0,
        children: node.children,
    });
    let dag = CeDag { nodes: nodes.collect() };
    let of_sorts = |raw, sorts: &[Sort]| values(raw, sorts).map_err(|error| error.to_string());
    let mut runs = Vec::new();
    for path in raw.runs {
        let mut of_path = Vec::new();
        for (run, (_, Labelled { program, .. })) in path.into_iter().zip(programs) {
            let sorts: Vec<Sort> = program.variables.iter().map(|v| v.domain.sort()).collect();
            let edges: Vec<_> = program.processes.iter().flat_map(|p| p.edges.iter()).collect();
            let mut steps = Vec::new();
            for step in run.steps {
                let edge = edges.get(step.edge).ok_or("an edge that does not exist")?;
                let sorts: Vec<Sort> =
                    edge.inputs.iter().map(|i| program.store.sort(i.term)).collect();
                let inputs = of_sorts(step.inputs, &sorts)?;
                steps.push(RunStep { edge: step.edge, inputs, node: step.node });
            }
            of_path.push(Run { initial: of_sorts(run.initial, &sorts)?, steps });
        }
        runs.push(of_path);
    }
    Ok(ConformanceRefutation { dag, composed, runs, deadlock: raw.deadlock })
}
