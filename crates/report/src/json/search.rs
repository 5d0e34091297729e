//! Refinement histories and abstract reachability graphs as data for JSON.

use parallax_evidence::{ReachabilityGraph, Refinement, SpuriousPath, Standing};
use parallax_ir::Program;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::evidence::entry;
use crate::formula::Printer;

/// One round of refinement.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[expect(missing_docs, reason = "the names are those of `parallax_evidence::Refinement`")]
pub struct RoundJson {
    pub iteration: u64,
    pub states: u64,
    pub abstract_states: u64,
    pub predicates: Vec<String>,
    pub reason: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<PathJson>,
}

/// An abstract path that is no run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PathJson {
    /// Where it starts.
    pub start: String,
    /// Its steps, without those left out.
    pub steps: Vec<PathStepJson>,
    /// Steps that are left out of a long path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub omitted: Option<OmittedJson>,
    /// The first step that no run takes, from 1; one more than there are steps
    /// if it is the target that no run meets.
    pub infeasible_at: usize,
    /// How predicates were found.
    pub method: String,
    /// What is tracked from now on, and where.
    pub tracked: Vec<TrackedJson>,
}

/// A step of an abstract path.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PathStepJson {
    /// The transition.
    pub transition: String,
    /// Where it leads.
    pub to: String,
}

/// Steps that are left out.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct OmittedJson {
    /// How many.
    pub steps: usize,
    /// How many of the steps shown come before them.
    pub after: usize,
}

/// A predicate that is tracked at a location.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TrackedJson {
    /// The predicate, or a variable that is tracked by value.
    pub predicate: String,
    /// The location.
    pub at: String,
}

/// An abstract reachability graph.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ArgJson {
    /// All predicates, in the order of the signs.
    pub predicates: Vec<String>,
    /// The nodes; their numbers are their places in the list.
    pub nodes: Vec<ArgNodeJson>,
    /// The nodes of the path to the target that ended the search.
    pub path: Vec<u32>,
    /// Whether that path is known not to be a run.
    pub is_spurious: bool,
    /// How many nodes refinement has cut off.
    pub removed: u64,
    /// How many different states there are.
    pub different_states: usize,
    /// How many different steps there are between them.
    pub different_steps: usize,
}

/// A node.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ArgNodeJson {
    /// The node before; `null` for the root.
    pub parent: Option<u32>,
    /// The transition that leads here.
    pub transition: Option<String>,
    /// Locations and variables tracked by value.
    pub fixed: Map<String, Json>,
    /// The abstract state, to be conjoined.
    pub formulas: Vec<String>,
    /// The truth of the predicates, one text per disjunct: `1` true, `0` false
    /// or not known to be true, `*` open, `-` not tracked.
    pub signs: Vec<String>,
    /// `expanded`, `covered`, `target` or `open`.
    pub standing: &'static str,
    /// The node that covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub covered_by: Option<u32>,
}

pub(super) fn round_json(round: &Refinement) -> RoundJson {
    RoundJson {
        iteration: round.iteration,
        states: round.states,
        abstract_states: round.abstract_states,
        predicates: round.predicates.clone(),
        reason: round.reason.clone(),
        path: round.path.as_deref().map(path_json),
    }
}

fn path_json(path: &SpuriousPath) -> PathJson {
    let step = |(transition, to): &(_, _)| PathStepJson {
        transition: std::sync::Arc::<str>::to_string(transition),
        to: std::sync::Arc::<str>::to_string(to),
    };
    PathJson {
        start: path.start.to_string(),
        steps: path.steps.iter().map(step).collect(),
        omitted: path.omitted.map(|(steps, after)| OmittedJson { steps, after }),
        infeasible_at: path.end,
        method: path.method.clone(),
        tracked: path
            .tracked
            .iter()
            .map(|(predicate, at)| TrackedJson { predicate: predicate.clone(), at: at.to_string() })
            .collect(),
    }
}

pub(super) fn arg_json(program: &Program, graph: &ReachabilityGraph) -> ArgJson {
    let transitions = program.transitions(&mut program.store.clone());
    let name = |index: u32| {
        transitions.get(index as usize).map_or_else(|| "?".to_owned(), |t| t.name.clone())
    };
    let mut printer = Printer::new(program, &graph.store);
    let mut nodes = Vec::new();
    for node in &graph.nodes {
        let fixed = node.fixed.iter();
        let fixed =
            fixed.filter_map(|(id, v)| Some(entry(program, program.variables.get(*id)?, v)));
        let (standing, covered_by) = match node.standing {
            Standing::Expanded => ("expanded", None),
            Standing::Covered(by) => ("covered", Some(by)),
            Standing::Target => ("target", None),
            Standing::Open => ("open", None),
        };
        nodes.push(ArgNodeJson {
            parent: node.parent.map(|(parent, _)| parent),
            transition: node.parent.map(|(_, transition)| name(transition)),
            fixed: fixed.collect(),
            formulas: printer.conjuncts(node.state),
            signs: node.bits.clone(),
            standing,
            covered_by,
        });
    }
    let (different_states, different_steps) = graph.size();
    ArgJson {
        predicates: graph.predicates.iter().map(|&p| printer.term(p)).collect(),
        nodes,
        path: graph.path.clone(),
        is_spurious: graph.is_spurious,
        removed: graph.removed,
        different_states,
        different_steps,
    }
}
