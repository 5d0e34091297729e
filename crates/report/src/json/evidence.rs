//! Traces and proofs as data for JSON.

use parallax_base::SourceMap;
use parallax_evidence::{
    AbstractSystem, Certificate, ClosedSet, Descent, DescentNode, RankedNode, Ranking, Region,
    Trace, Unrolling,
};
use parallax_ir::{Domain, Program, Property, Role, State, Transition, Variable};
use parallax_term::{Int, Value};
use serde::Serialize;
use serde_json::{Map, Value as Json};

use crate::diagnostics::{SpanJson, span_json};
use crate::formula::Printer;
use crate::ltl::owed;
use crate::run::telling;

/// A run from an initial state. Objects map names of variables to values; the
/// location of a process stands under the name of the process, as
/// `"P[0]@": "waiting"`.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TraceJson {
    /// The initial values that the program leaves open.
    pub inputs: Map<String, Json>,
    /// The state the run starts in.
    pub initial: Map<String, Json>,
    /// What it does.
    pub steps: Vec<StepJson>,
    /// For an infinite run, how many steps come before what is repeated for
    /// ever; if these are all, the last state is repeated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cycle: Option<usize>,
    /// Where states do not come back: a formula that holds whenever the repeated
    /// part begins, and from which it is always possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub region: Option<String>,
}

/// One step of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct StepJson {
    /// `process.command`, joined by `|` for shared actions.
    pub transition: String,
    /// The command it comes from.
    pub span: Option<SpanJson>,
    /// The values chosen, in order.
    pub inputs: Vec<InputJson>,
    /// The variables whose value changed.
    pub changes: Map<String, Json>,
}

/// A value chosen in a step.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct InputJson {
    /// The variable it goes into.
    pub name: String,
    /// The value.
    pub value: Json,
}

/// A certificate written out; formulas are in the syntax of models.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct ProofJson {
    /// The predicates of the last round.
    pub predicates: Vec<String>,
    /// Single states before the fragment.
    pub points: Vec<Map<String, Json>>,
    /// Symbolic states before the fragment.
    pub prefix: Vec<RegionJson>,
    /// The closed part.
    pub fragment: Vec<RegionJson>,
    /// The tree of all runs, if that is the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Vec<TreeNodeJson>>,
    /// What is owed in which state, if that is the proof; `points` are its
    /// states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ranking: Option<RankingJson>,
    /// What is owed where, and what falls, if that is the proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub descent: Option<Vec<DescentJson>>,
}

/// States, what is owed there, and terms of which one falls with every step
/// that does not put `blamed` off.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct DescentJson {
    /// The states.
    pub region: RegionJson,
    /// Formulas that the rest of a run that breaks the formula would have to
    /// satisfy.
    pub owes: Vec<String>,
    /// The terms, the most important first.
    pub measure: Vec<String>,
    /// The formula that may be put off for ever.
    pub blamed: Option<String>,
}

/// A ranking of pairs of states and obligations.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RankingJson {
    /// Sets of obligations: formulas that the rest of a run that breaks the
    /// formula would have to satisfy.
    pub obligations: Vec<Vec<String>>,
    /// The pairs.
    pub pairs: Vec<PairJson>,
    /// For each rank the formula that is put off as long as the rank stays.
    pub blamed: Vec<Option<String>>,
}

/// A state and what is owed there.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct PairJson {
    /// Index into `points`.
    pub state: u32,
    /// Index into `obligations`.
    pub obligations: u32,
    /// Its rank; it never grows along a run.
    pub rank: u32,
}

/// A node of the tree of all runs; the root, number 0, is left out.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct TreeNodeJson {
    /// The number of the node before: the first in the list has number 1.
    pub parent: u32,
    /// The transition taken.
    pub transition: String,
}

/// A set of states.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct RegionJson {
    /// Variables with one known value.
    pub fixed: Map<String, Json>,
    /// What holds besides, to be conjoined.
    pub formulas: Vec<String>,
}

/// A run as data for JSON.
pub(super) fn trace_json(program: &Program, sources: &SourceMap, trace: &Trace) -> TraceJson {
    let transitions = program.transitions(&mut program.store.clone());
    let open = program.variables.iter().zip(&program.init.fixed).zip(trace.initial.iter());
    let open = open.filter(|((_, fixed), _)| fixed.is_none());
    let mut before = &trace.initial;
    let mut steps = Vec::with_capacity(trace.steps.len());
    for step in &trace.steps {
        let transition = transitions.get(step.transition);
        let changed = program.variables.iter().zip(step.state.iter()).zip(before.iter());
        let changed = changed.filter(|((_, new), old)| new != old);
        steps.push(StepJson {
            transition: transition.map_or_else(|| "?".to_owned(), |t| t.name.clone()),
            span: transition.and_then(|t| span_json(sources, t.span, String::new())),
            inputs: transition.map_or_else(Vec::new, |t| inputs(program, t, &step.inputs)),
            changes: changed.map(|((v, new), _)| entry(program, v, new)).collect(),
        });
        before = &step.state;
    }
    TraceJson {
        inputs: open.map(|((v, _), value)| entry(program, v, value)).collect(),
        initial: state_json(program, &trace.initial),
        steps,
        cycle: trace.cycle,
        region: trace.recurrence.as_ref().map(|recurrence| {
            Printer::new(program, &recurrence.store).conjunction(recurrence.region)
        }),
    }
}

fn inputs(program: &Program, transition: &Transition, values: &[Value]) -> Vec<InputJson> {
    let pairs = transition.inputs.iter().zip(values);
    pairs
        .map(|(input, value)| {
            let variable = program.variables.iter().find(|v| v.name == input.name);
            let domain = variable.map_or(&Domain::Int, |v| &v.domain);
            InputJson { name: input.name.to_string(), value: value_json(domain, value) }
        })
        .collect()
}

/// A certificate as data for JSON.
pub(super) fn proof_json(
    program: &Program,
    property: &Property,
    certificate: &Certificate,
    system: Option<&AbstractSystem>,
) -> ProofJson {
    let predicates = system.map_or_else(Vec::new, |system| {
        let mut printer = Printer::new(program, &system.store);
        system.predicates.iter().map(|&p| printer.term(p)).collect()
    });
    match certificate {
        Certificate::Closed(set) => set_json(program, predicates, set),
        Certificate::Reduced(reduced) => set_json(program, predicates, &reduced.set),
        Certificate::Quantified(quantified) => {
            let asked = program.property(&property.name);
            let wide = asked.and_then(|id| quantified.program(program, id).ok());
            set_json(wide.as_ref().unwrap_or(program), predicates, &quantified.set)
        }
        Certificate::Unrolling(tree) => ProofJson {
            predicates,
            points: Vec::new(),
            prefix: Vec::new(),
            fragment: Vec::new(),
            tree: Some(tree_json(program, tree)),
            ranking: None,
            descent: None,
        },
        Certificate::Ranking(ranking) => ProofJson {
            predicates,
            points: ranking.states.iter().map(|state| state_json(program, state)).collect(),
            prefix: Vec::new(),
            fragment: Vec::new(),
            tree: None,
            ranking: Some(ranking_json(property, ranking)),
            descent: None,
        },
        Certificate::Descent(descent) => ProofJson {
            predicates,
            points: Vec::new(),
            prefix: Vec::new(),
            fragment: Vec::new(),
            tree: None,
            ranking: None,
            descent: Some(descent_json(program, property, descent)),
        },
    }
}

fn ranking_json(property: &Property, ranking: &Ranking) -> RankingJson {
    let part = owed(property);
    let pair =
        |n: &RankedNode| PairJson { state: n.state, obligations: n.obligations, rank: n.rank };
    RankingJson {
        obligations: ranking
            .obligations
            .iter()
            .map(|set| set.iter().map(&part).collect())
            .collect(),
        pairs: ranking.nodes.iter().map(pair).collect(),
        blamed: ranking.blamed.iter().map(|until| until.as_ref().map(&part)).collect(),
    }
}

fn descent_json(program: &Program, property: &Property, descent: &Descent) -> Vec<DescentJson> {
    let part = owed(property);
    let mut printer = Printer::new(program, &descent.store);
    let columns = telling(descent);
    let node = |node: &DescentNode| DescentJson {
        region: region_json(program, &mut printer, &node.region),
        owes: descent.obligations[node.obligations as usize].iter().map(&part).collect(),
        measure: columns.iter().map(|&column| printer.term(node.measure[column])).collect(),
        blamed: node.blamed.as_ref().map(&part),
    };
    descent.nodes.iter().map(node).collect()
}

fn region_json(program: &Program, printer: &mut Printer<'_>, region: &Region) -> RegionJson {
    let fixed = region.fixed.iter();
    let fixed =
        fixed.filter_map(|(id, value)| Some(entry(program, program.variables.get(*id)?, value)));
    RegionJson { fixed: fixed.collect(), formulas: printer.conjuncts(region.formula) }
}

fn set_json(program: &Program, predicates: Vec<String>, set: &ClosedSet) -> ProofJson {
    let mut printer = Printer::new(program, &set.store);
    let mut regions = |list: &[Region]| -> Vec<RegionJson> {
        list.iter().map(|region| region_json(program, &mut printer, region)).collect()
    };
    ProofJson {
        predicates,
        prefix: regions(&set.prefix),
        fragment: regions(&set.fragment),
        points: set.points.iter().map(|state| state_json(program, state)).collect(),
        tree: None,
        ranking: None,
        descent: None,
    }
}

fn tree_json(program: &Program, tree: &Unrolling) -> Vec<TreeNodeJson> {
    let transitions = program.transitions(&mut program.store.clone());
    let name = |index: u32| transitions.get(index as usize).map_or("?", |t| t.name.as_str());
    let node = |step: &parallax_evidence::UnrollingStep| TreeNodeJson {
        parent: step.parent,
        transition: name(step.transition).to_owned(),
    };
    tree.steps.iter().map(node).collect()
}

fn state_json(program: &Program, state: &State) -> Map<String, Json> {
    program.variables.iter().zip(state.iter()).map(|(v, x)| entry(program, v, x)).collect()
}

/// A variable and its value; locations and enumeration constants by name.
pub(super) fn entry(program: &Program, variable: &Variable, value: &Value) -> (String, Json) {
    let Role::Control(process) = variable.role else {
        return (variable.name.to_string(), value_json(&variable.domain, value));
    };
    let process = &program.processes[process];
    let index = value.as_int().and_then(Int::to_i64).and_then(|i| usize::try_from(i).ok());
    let location = index.and_then(|i| process.locations.as_slice().get(i));
    let shown = match location {
        Some(location) => Json::from(&*location.name),
        None => value_json(&variable.domain, value),
    };
    (format!("{}@", process.name), shown)
}

/// The largest integer such that it and all smaller ones are exact in a
/// 64-bit float, which is what many readers of JSON use.
const EXACT: i64 = (1 << 53) - 1;

/// A value: numbers as numbers where that is safe, else as strings.
fn value_json(domain: &Domain, value: &Value) -> Json {
    match (domain, value) {
        (Domain::Enum(_), value) => Json::from(domain.show(value)),
        (_, Value::Bool(b)) => Json::from(*b),
        (_, Value::Int(i)) => match i.to_i64().filter(|i| (-EXACT..=EXACT).contains(i)) {
            Some(small) => Json::from(small),
            None => Json::from(i.to_string()),
        },
        (_, Value::Bv(bits)) => value_json(domain, &Value::Int(bits.to_int())),
        (_, Value::Array(array)) => {
            let pair = |(index, value): (&Value, &Value)| {
                Json::from(vec![value_json(domain, index), value_json(domain, value)])
            };
            let cells: Vec<Json> = array.entries().map(pair).collect();
            serde_json::json!({ "else": value_json(domain, array.default()), "cells": cells })
        }
        (_, Value::Real(_) | Value::Float(_)) => Json::from(value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_numbers_as_long_as_they_are_exact() {
        let check = |text: &str, expected: &str| {
            let value = Value::Int(text.parse().expect("an integer"));
            assert_eq!(value_json(&Domain::Int, &value).to_string(), expected);
        };
        check("9007199254740991", "9007199254740991");
        check("-9007199254740991", "-9007199254740991");
        check("9007199254740992", "\"9007199254740992\"");
        check("-123456789012345678901234567890", "\"-123456789012345678901234567890\"");
    }
}
