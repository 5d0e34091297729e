//! Files with evidence about systems side by side.
//!
//! ```json
//! { "schema": "parallax-composition/1",
//!   "settings": { "process": "SYS", "minimize_parts": false },
//!   "answers": [
//!     { "property": "no-error",
//!       "evidence": { "closed": { "order": [1, 0], "nodes": [[], [[0, 0]], [[0, 1], [2, 1]]] } } },
//!     { "property": "no-deadlock", "evidence": { "path": [["a", [1, 0]]] } } ] }
//! ```
//!
//! A diagram lists the components from the first level to the last, and its
//! nodes from the last level to the first: pairs of a state and the number of
//! the node that it leads to. A path lists actions with the states of all
//! components after them.

use crate::{CompositionEvidence, JointStep, Stages};
use parallax_lts::{Parallel, StateId, TupleSet};
use serde::{Deserialize, Serialize};

const SCHEMA: &str = "parallax-composition/1";

/// How systems were made.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompositionSettings {
    /// The process that was compiled.
    pub process: Option<String>,
    /// Whether machines were minimized first.
    pub minimize_parts: bool,
}

/// A file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CompositionFile {
    schema: String,
    /// How the systems are made.
    pub settings: CompositionSettings,
    answers: Vec<RawAnswer>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAnswer {
    property: String,
    evidence: RawEvidence,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawSet {
    order: Vec<usize>,
    nodes: Vec<Vec<(StateId, usize)>>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStages {
    goal: RawSet,
    steps: Vec<(usize, RawSet)>,
}

type RawPath = Vec<(String, Vec<StateId>)>;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum RawEvidence {
    Closed(RawSet),
    Path(RawPath),
    Staged { closed: RawSet, quiet: Option<RawSet>, stages: RawStages },
    Sink { path: RawPath, set: RawSet, stages: Option<RawStages> },
}

impl CompositionFile {
    /// A file with answers about systems side by side.
    pub fn new<'a>(
        settings: CompositionSettings,
        parallel: &Parallel<'_>,
        answers: impl Iterator<Item = (&'a str, &'a CompositionEvidence)>,
    ) -> CompositionFile {
        let answer = |(property, evidence): (&str, &CompositionEvidence)| RawAnswer {
            property: property.to_owned(),
            evidence: raw(parallel, evidence),
        };
        CompositionFile {
            schema: SCHEMA.to_owned(),
            settings,
            answers: answers.map(answer).collect(),
        }
    }

    /// Reads a text; `None` if it is a file of another kind.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<Option<CompositionFile>, String> {
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        let head: Head =
            serde_json::from_str(text).map_err(|error| format!("damaged file: {error}"))?;
        if head.schema != SCHEMA {
            return Ok(None);
        }
        serde_json::from_str(text).map(Some).map_err(|error| format!("damaged file: {error}"))
    }

    /// What it says about a property, if it is not silent.
    ///
    /// # Errors
    /// Why it does not fit the systems.
    pub fn evidence(
        &self,
        parallel: &Parallel<'_>,
        property: &str,
    ) -> Result<Option<CompositionEvidence>, String> {
        match self.answers.iter().find(|answer| answer.property == property) {
            Some(answer) => decode(parallel, &answer.evidence).map(Some),
            None => Ok(None),
        }
    }
}

fn raw(parallel: &Parallel<'_>, evidence: &CompositionEvidence) -> RawEvidence {
    let set = |set: &TupleSet| RawSet { order: set.order().to_vec(), nodes: set.nodes().to_vec() };
    let path = |path: &[JointStep]| -> RawPath {
        let label = |step: &JointStep| parallel.labels()[step.action as usize].to_string();
        path.iter().map(|step| (label(step), step.tuple.to_vec())).collect()
    };
    let stages = |stages: &Stages| RawStages {
        goal: set(&stages.goal),
        steps: stages.steps.iter().map(|(event, after)| (*event, set(after))).collect(),
    };
    match evidence {
        CompositionEvidence::Closed(closed) => RawEvidence::Closed(set(closed)),
        CompositionEvidence::Path(steps) => RawEvidence::Path(path(steps)),
        CompositionEvidence::Staged { closed, quiet, stages: ways } => RawEvidence::Staged {
            closed: set(closed),
            quiet: quiet.as_ref().map(set),
            stages: stages(ways),
        },
        CompositionEvidence::Sink { path: steps, set: sink, stages: ways } => RawEvidence::Sink {
            path: path(steps),
            set: set(sink),
            stages: ways.as_ref().map(stages),
        },
    }
}

fn decode(parallel: &Parallel<'_>, raw: &RawEvidence) -> Result<CompositionEvidence, String> {
    let set = |raw: &RawSet| -> Result<TupleSet, String> {
        TupleSet::new(raw.order.clone(), raw.nodes.clone()).map_err(str::to_owned)
    };
    let step = |(label, tuple): &(String, Vec<StateId>)| {
        let action = parallel.labels().iter().position(|known| **known == **label);
        let action = action.ok_or_else(|| format!("there is no action `{label}`"))? as u32;
        Ok(JointStep { action, tuple: tuple.as_slice().into() })
    };
    let path = |raw: &RawPath| raw.iter().map(step).collect::<Result<Vec<_>, String>>();
    let stages = |raw: &RawStages| -> Result<Stages, String> {
        let one = |(event, after): &(usize, RawSet)| Ok((*event, set(after)?));
        let steps = raw.steps.iter().map(one).collect::<Result<_, String>>()?;
        Ok(Stages { goal: set(&raw.goal)?, steps })
    };
    Ok(match raw {
        RawEvidence::Closed(closed) => CompositionEvidence::Closed(set(closed)?),
        RawEvidence::Path(steps) => CompositionEvidence::Path(path(steps)?),
        RawEvidence::Staged { closed, quiet, stages: ways } => CompositionEvidence::Staged {
            closed: set(closed)?,
            quiet: quiet.as_ref().map(set).transpose()?,
            stages: stages(ways)?,
        },
        RawEvidence::Sink { path: steps, set: sink, stages: ways } => CompositionEvidence::Sink {
            path: path(steps)?,
            set: set(sink)?,
            stages: ways.as_ref().map(stages).transpose()?,
        },
    })
}
