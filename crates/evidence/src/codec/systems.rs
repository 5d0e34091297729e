//! Files with evidence about labelled transition systems.
//!
//! ```json
//! { "schema": "parallax-systems/1",
//!   "settings": { "process": "SYS", "minimize": null, "minimize_parts": false,
//!                 "against": "SPEC", "traces": false },
//!   "answers": [
//!     { "property": "no-error", "evidence": { "closed": [0, 1] } },
//!     { "property": "no-deadlock", "evidence": { "path": [["a", 1]] } },
//!     { "property": "progress P", "evidence": { "ranked": { "ranks": [[0, 1]], "quiet": [] } } },
//!     { "property": "simulated-by SPEC", "evidence": { "differs": [
//!         { "left": 0, "right": 0, "action": "a", "target": 1, "children": [] }] } }] }
//! ```
//!
//! Settings say how the system is made from its text; states are numbered as in
//! the result. A path lists actions with the states they lead to, `tau` where
//! they are silent. Large relations list a block for each state of both systems,
//! and for each block on the left ranges of blocks on the right; a formula is a
//! list of conjunctions, each of pairs of an action and the conjunction after it.

use crate::{FairClass, FairNode, FairRanking, FairReason, SystemEvidence};
use parallax_lts::{
    Action, BlockRelation, CeDag, CeNode, Distinction, Edge, Lts, ProgressRanks, StateId,
};
use serde::{Deserialize, Serialize};

const SCHEMA: &str = "parallax-systems/1";

/// How a system was made, and what it was compared with.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemsSettings {
    /// The process that was compiled.
    pub process: Option<String>,
    /// `strong` or `weak`.
    pub minimize: Option<String>,
    /// Whether machines were minimized before they were composed.
    pub minimize_parts: bool,
    /// The specification, as it was named.
    pub against: Option<String>,
    /// Whether traces were compared instead of simulating.
    pub traces: bool,
}

/// An answer: the name of the property and the evidence.
pub type SystemClaim = (String, SystemEvidence);

/// A file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SystemsFile {
    schema: String,
    /// How the system is made.
    pub settings: SystemsSettings,
    answers: Vec<RawAnswer>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawAnswer {
    property: String,
    evidence: RawEvidence,
}

type RawPath = Vec<(String, StateId)>;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum RawEvidence {
    Closed(Vec<StateId>),
    Path(RawPath),
    Ranked {
        ranks: Vec<(StateId, u32)>,
        quiet: Vec<StateId>,
    },
    Terminal {
        path: RawPath,
        states: Vec<StateId>,
    },
    Relation(Vec<(StateId, StateId)>),
    Blocks {
        left: Vec<u32>,
        right: Vec<u32>,
        related: Vec<Vec<(u32, u32)>>,
    },
    Differs(Vec<RawNode>),
    Distinguished(Vec<Vec<(String, usize)>>),
    Sets {
        pairs: Vec<(StateId, u32)>,
        sets: Vec<Vec<StateId>>,
    },
    Trace(RawPath),
    Fair {
        obligations: Vec<Vec<u32>>,
        classes: Vec<RawClass>,
        nodes: Vec<(StateId, u64, u32, u32)>,
    },
    Run {
        path: RawPath,
        cycle: RawPath,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawClass {
    parent: Option<u32>,
    order: u32,
    reason: RawReason,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum RawReason {
    Passed,
    PutsOff(u32),
    Avoids(StateId, String, StateId),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawNode {
    left: StateId,
    right: StateId,
    action: String,
    target: StateId,
    children: Vec<usize>,
}

impl SystemsFile {
    /// A file with answers about a system.
    pub fn new(settings: SystemsSettings, lts: &Lts, claims: &[SystemClaim]) -> SystemsFile {
        let answer = |(property, evidence): &SystemClaim| RawAnswer {
            property: property.clone(),
            evidence: raw(lts, evidence),
        };
        let answers = claims.iter().map(answer).collect();
        SystemsFile { schema: SCHEMA.to_owned(), settings, answers }
    }

    /// Reads a text.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn parse(text: &str) -> Result<SystemsFile, String> {
        let file: SystemsFile =
            serde_json::from_str(text).map_err(|error| format!("damaged file: {error}"))?;
        match file.schema == SCHEMA {
            true => Ok(file),
            false => Err(format!("schema `{}` is not `{SCHEMA}`", file.schema)),
        }
    }

    /// What it says about a property of a system, if it is not silent.
    ///
    /// # Errors
    /// Why it does not fit the system.
    pub fn evidence(&self, lts: &Lts, property: &str) -> Result<Option<SystemEvidence>, String> {
        match self.answers.iter().find(|answer| answer.property == property) {
            Some(answer) => decode(lts, &answer.evidence).map(Some),
            None => Ok(None),
        }
    }
}

fn raw(lts: &Lts, evidence: &SystemEvidence) -> RawEvidence {
    let labels = |path: &[Edge]| -> RawPath {
        path.iter().map(|edge| (lts.label(edge.action).to_owned(), edge.target)).collect()
    };
    let node = |node: &CeNode| RawNode {
        left: node.left,
        right: node.right,
        action: lts.label(node.action).to_owned(),
        target: node.target,
        children: node.children.clone(),
    };
    match evidence {
        SystemEvidence::Closed(states) => RawEvidence::Closed(states.clone()),
        SystemEvidence::Path(path) => RawEvidence::Path(labels(path)),
        SystemEvidence::Ranked(proof) => {
            RawEvidence::Ranked { ranks: proof.ranks.clone(), quiet: proof.quiet.clone() }
        }
        SystemEvidence::Terminal { path, states } => {
            RawEvidence::Terminal { path: labels(path), states: states.clone() }
        }
        SystemEvidence::Relation(pairs) => RawEvidence::Relation(pairs.clone()),
        SystemEvidence::Blocks(BlockRelation { left, right, related }) => RawEvidence::Blocks {
            left: left.clone(),
            right: right.clone(),
            related: related.iter().map(|blocks| ranges(blocks)).collect(),
        },
        SystemEvidence::Differs(dag) => RawEvidence::Differs(dag.nodes.iter().map(node).collect()),
        SystemEvidence::Distinguished(formula) => {
            let conjunct = |&(action, next): &(Action, usize)| (lts.label(action).to_owned(), next);
            let node = |node: &Vec<(Action, usize)>| node.iter().map(conjunct).collect();
            RawEvidence::Distinguished(formula.nodes.iter().map(node).collect())
        }
        SystemEvidence::Sets { pairs, sets } => {
            RawEvidence::Sets { pairs: pairs.clone(), sets: sets.clone() }
        }
        SystemEvidence::Trace(path) => RawEvidence::Trace(labels(path)),
        SystemEvidence::Run { path, cycle } => {
            RawEvidence::Run { path: labels(path), cycle: labels(cycle) }
        }
        SystemEvidence::Fair(proof) => {
            let reason = |reason: FairReason| match reason {
                FairReason::Passed => RawReason::Passed,
                FairReason::PutsOff(until) => RawReason::PutsOff(until),
                FairReason::Avoids(state, edge) => {
                    RawReason::Avoids(state, lts.label(edge.action).to_owned(), edge.target)
                }
            };
            let class = |class: &FairClass| RawClass {
                parent: class.parent,
                order: class.order,
                reason: reason(class.reason),
            };
            let node = |n: &FairNode| (n.state, n.letter, n.obligations, n.class);
            RawEvidence::Fair {
                obligations: proof.obligations.clone(),
                classes: proof.classes.iter().map(class).collect(),
                nodes: proof.nodes.iter().map(node).collect(),
            }
        }
    }
}

/// Ascending numbers as ranges, both ends included.
fn ranges(blocks: &[u32]) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    for &block in blocks {
        match ranges.last_mut() {
            Some(last) if last.1.checked_add(1) == Some(block) => last.1 = block,
            _ => ranges.push((block, block)),
        }
    }
    ranges
}

/// And back; there are fewer than `most` numbers.
fn blocks(ranges: &[(u32, u32)], most: usize) -> Result<Vec<u32>, String> {
    let mut blocks = Vec::new();
    let mut next = 0;
    for &(from, to) in ranges {
        if from < next || to < from || to as usize >= most {
            return Err("blocks are out of order".to_owned());
        }
        blocks.extend(from..=to);
        next = to + 1;
    }
    Ok(blocks)
}

fn decode(lts: &Lts, raw: &RawEvidence) -> Result<SystemEvidence, String> {
    let number = |label: &String| -> Result<Action, String> {
        lts.find_action(label).ok_or_else(|| format!("there is no action `{label}`"))
    };
    let edges = |path: &RawPath| -> Result<Vec<Edge>, String> {
        path.iter()
            .map(|(label, target)| Ok(Edge { action: number(label)?, target: *target }))
            .collect()
    };
    let node = |node: &RawNode| -> Result<CeNode, String> {
        let RawNode { left, right, action, target, children } = node;
        let (left, right, target) = (*left, *right, *target);
        Ok(CeNode { left, right, action: number(action)?, target, children: children.clone() })
    };
    Ok(match raw {
        RawEvidence::Closed(states) => SystemEvidence::Closed(states.clone()),
        RawEvidence::Path(path) => SystemEvidence::Path(edges(path)?),
        RawEvidence::Ranked { ranks, quiet } => {
            SystemEvidence::Ranked(ProgressRanks { ranks: ranks.clone(), quiet: quiet.clone() })
        }
        RawEvidence::Terminal { path, states } => {
            SystemEvidence::Terminal { path: edges(path)?, states: states.clone() }
        }
        RawEvidence::Relation(pairs) => SystemEvidence::Relation(pairs.clone()),
        RawEvidence::Differs(nodes) => {
            let nodes: Result<_, String> = nodes.iter().map(node).collect();
            SystemEvidence::Differs(CeDag { nodes: nodes? })
        }
        RawEvidence::Blocks { left, right, related } => SystemEvidence::Blocks(BlockRelation {
            related: related
                .iter()
                .map(|row| blocks(row, right.len()))
                .collect::<Result<_, _>>()?,
            left: left.clone(),
            right: right.clone(),
        }),
        RawEvidence::Distinguished(nodes) => {
            let conjunct = |(label, next): &(String, usize)| Ok((number(label)?, *next));
            let node = |node: &Vec<(String, usize)>| node.iter().map(conjunct).collect();
            let nodes: Result<_, String> = nodes.iter().map(node).collect();
            SystemEvidence::Distinguished(Distinction { nodes: nodes? })
        }
        RawEvidence::Sets { pairs, sets } => {
            SystemEvidence::Sets { pairs: pairs.clone(), sets: sets.clone() }
        }
        RawEvidence::Trace(path) => SystemEvidence::Trace(edges(path)?),
        RawEvidence::Run { path, cycle } => {
            SystemEvidence::Run { path: edges(path)?, cycle: edges(cycle)? }
        }
        RawEvidence::Fair { obligations, classes, nodes } => {
            let reason = |reason: &RawReason| -> Result<FairReason, String> {
                Ok(match reason {
                    RawReason::Passed => FairReason::Passed,
                    RawReason::PutsOff(until) => FairReason::PutsOff(*until),
                    RawReason::Avoids(state, label, target) => {
                        let edge = Edge { action: number(label)?, target: *target };
                        FairReason::Avoids(*state, edge)
                    }
                })
            };
            let class = |class: &RawClass| -> Result<FairClass, String> {
                let (parent, order) = (class.parent, class.order);
                Ok(FairClass { parent, order, reason: reason(&class.reason)? })
            };
            let node = |&(state, letter, obligations, class): &(StateId, u64, u32, u32)| FairNode {
                state,
                letter,
                obligations,
                class,
            };
            SystemEvidence::Fair(FairRanking {
                obligations: obligations.clone(),
                classes: classes.iter().map(class).collect::<Result<_, _>>()?,
                nodes: nodes.iter().map(node).collect(),
            })
        }
    })
}
