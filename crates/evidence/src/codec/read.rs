//! Evidence from JSON: first the bare file, then its meaning for a program.
//!
//! Two steps, because the file names the constants the program must be made
//! with before its formulas mean anything.

use super::value::{Pairs, Scalar, clip, of_sort, values};
use super::{ALWAYS, BROKEN, EVIDENCE_SCHEMA, EXECUTED, PLAIN, REACHED, SATISFIED, UNREACHABLE};
use crate::recursion::Made;
use crate::{
    Certificate, ClosedSet, ContractClaim, Descent, DescentNode, Execution, Finding, Movers,
    Quantified, QuotientEdge, RankedNode, Ranking, Recurrence, Recursion, Reduced, Region, Trace,
    TraceStep, Unrolling, UnrollingStep,
};
use parallax_base::Id;
use parallax_ir::{Pick, Program, Property, State, Variable};
use parallax_term::{Sort, Term, TermStore, Value};
use rustc_hash::FxHashMap;
use serde::Deserialize;

/// What is wrong with an evidence file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvidenceError {
    /// Not JSON, or not of this shape.
    #[error("not an evidence file: {0}")]
    Syntax(String),
    /// Another version, or something else altogether.
    #[error("schema `{0}` is not `{EVIDENCE_SCHEMA}`")]
    Schema(String),
    /// It speaks of another program.
    #[error("the evidence does not fit the program: {0}")]
    Mismatch(String),
}

pub(super) fn mismatch<T>(what: impl Into<String>) -> Result<T, EvidenceError> {
    Err(EvidenceError::Mismatch(what.into()))
}

/// A file whose shape is right; what it says is not yet looked at.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EvidenceFile {
    schema: String,
    program: String,
    constants: Pairs<String>,
    #[serde(default)]
    formulas: Vec<String>,
    #[serde(default)]
    invariants: Vec<String>,
    variables: Vec<String>,
    transitions: Vec<String>,
    properties: Vec<Claim>,
    #[serde(default)]
    parts: Vec<Part>,
}

/// Claims about a program that was made in another way.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Part {
    recursion: Option<RawRecursion>,
    passes: Option<String>,
    formula: Option<String>,
    variables: Vec<String>,
    transitions: Vec<String>,
    properties: Vec<Claim>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRecursion {
    depth: Option<u32>,
    contracts: Option<Vec<ContractClaim>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Claim {
    name: String,
    claim: String,
    certificate: Option<Proof>,
    trace: Option<Run>,
    inputs: Option<Vec<Scalar>>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Proof {
    kind: String,
    points: Option<Vec<Vec<Scalar>>>,
    prefix: Option<Vec<RawRegion>>,
    fragment: Option<Vec<RawRegion>>,
    quotient: Option<Vec<(u32, u32, u32)>>,
    tree: Option<Vec<(u32, u32)>>,
    states: Option<Vec<Vec<Scalar>>>,
    obligations: Option<Vec<Vec<u32>>>,
    nodes: Option<Vec<(u32, u32, u32)>>,
    blamed: Option<Vec<Option<u32>>>,
    descent: Option<Vec<RawDescent>>,
    tree_moves: Option<Vec<(u32, Box<[u32]>)>>,
    points_move: Option<Vec<RawMovers>>,
    fragment_moves: Option<Vec<RawMovers>>,
    constants: Option<Vec<(String, String)>>,
    picks: Option<Vec<(String, Vec<String>)>>,
}

/// Processes, or `null` for all of them, and a rank.
type RawMovers = (Option<Box<[u32]>>, u32);

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawDescent {
    region: RawRegion,
    owes: u32,
    measure: Vec<String>,
    blamed: Option<u32>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct RawRegion {
    at: Pairs<Scalar>,
    formula: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    initial: Pairs<Scalar>,
    steps: Vec<Step>,
    cycle: Option<usize>,
    region: Option<String>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Step {
    transition: String,
    inputs: Vec<Scalar>,
    state: Pairs<Scalar>,
}

impl EvidenceFile {
    /// Reads the shape of a file.
    pub fn parse(bytes: &[u8]) -> Result<EvidenceFile, EvidenceError> {
        // The schema is looked at first: a file of another kind should be
        // told so, not which field it lacks.
        #[derive(Deserialize)]
        struct Head {
            schema: String,
        }
        let syntax = |e: serde_json::Error| EvidenceError::Syntax(e.to_string());
        let head: Head = serde_json::from_slice(bytes).map_err(syntax)?;
        if head.schema != EVIDENCE_SCHEMA {
            return Err(EvidenceError::Schema(head.schema));
        }
        let file: EvidenceFile = serde_json::from_slice(bytes).map_err(syntax)?;
        debug_assert_eq!(file.schema, EVIDENCE_SCHEMA);
        Ok(file)
    }

    /// What the program calls itself.
    pub fn program(&self) -> &str {
        &self.program
    }

    /// The overrides of constants the program was made with.
    pub fn constants(&self) -> &[(String, String)] {
        &self.constants.0
    }

    /// The formulas of linear temporal logic that were asked.
    pub fn formulas(&self) -> &[String] {
        &self.formulas
    }

    /// The invariants that are claimed as one property, as SMT-LIB terms.
    pub fn invariants(&self) -> &[String] {
        &self.invariants
    }

    /// The evidence as claims about a program: certificates and traces, never
    /// an open question.
    pub fn decode(self, program: &Program) -> Result<Vec<(Id<Property>, Finding)>, EvidenceError> {
        decode(program, &self.variables, &self.transitions, self.properties)
    }

    /// The ways in which the programs of further claims were made.
    pub fn parts(&self) -> Result<Vec<Made>, EvidenceError> {
        let recursion = |part: &Part| match &part.recursion {
            None => Ok(None),
            Some(RawRecursion { depth: Some(depth), contracts: None }) => {
                Ok(Some(Recursion::Depth(*depth)))
            }
            Some(RawRecursion { depth: None, contracts: Some(contracts) }) => {
                Ok(Some(Recursion::Contracts(contracts.clone())))
            }
            Some(_) => mismatch("a part does not say what became of recursive calls"),
        };
        let plain = |part: &Part| match part.passes.as_deref() {
            None => Ok(false),
            Some(PLAIN) => Ok(true),
            Some(_) => mismatch("a part names passes that are not known"),
        };
        let always = |part: &Part| match part.formula.as_deref() {
            None => Ok(false),
            Some(ALWAYS) => Ok(true),
            Some(_) => mismatch("a part does not say what became of a formula"),
        };
        let made = |part| {
            let (plain, always) = (plain(part)?, always(part)?);
            Ok(Made { recursion: recursion(part)?, plain, always })
        };
        self.parts.iter().map(made).collect()
    }

    /// The names of the properties that the file makes claims about, its parts
    /// aside.
    pub fn names(&self) -> Vec<&str> {
        self.properties.iter().map(|claim| claim.name.as_str()).collect()
    }

    /// The names of the properties that a part makes claims about.
    pub fn claimed(&self, part: usize) -> Vec<&str> {
        let part = self.parts.get(part);
        part.into_iter().flat_map(|p| &p.properties).map(|claim| claim.name.as_str()).collect()
    }

    /// The claims of a part about its program.
    pub fn decode_part(
        &self,
        part: usize,
        program: &Program,
    ) -> Result<Vec<(Id<Property>, Finding)>, EvidenceError> {
        match self.parts.get(part) {
            Some(part) => {
                let Part { variables, transitions, properties, .. } = part.clone();
                decode(program, &variables, &transitions, properties)
            }
            None => mismatch("there is no such part"),
        }
    }
}

fn decode(
    program: &Program,
    variables: &[String],
    transitions_of_file: &[String],
    properties: Vec<Claim>,
) -> Result<Vec<(Id<Property>, Finding)>, EvidenceError> {
    let names: Vec<&str> = program.variables.iter().map(|v| &*v.name).collect();
    same("variable", variables, &names)?;
    let mut store = program.store.clone();
    store.freeze();
    let transitions = program.transitions(&mut store.clone());
    let steps: Vec<&str> = transitions.iter().map(|t| t.name.as_str()).collect();
    same("transition", transitions_of_file, &steps)?;
    let slots = program.variables.iter_enumerated().map(|(id, v)| (v.name.to_string(), id));
    let sorts =
        transitions.iter().map(|t| t.inputs.iter().map(|i| store.sort(i.term)).collect()).collect();
    let reader = Reader {
        program,
        store,
        variables: slots.collect(),
        transitions: steps.iter().enumerate().map(|(i, name)| ((*name).into(), i)).collect(),
        input_sorts: sorts,
    };
    let mut found: Vec<(Id<Property>, Finding)> = Vec::new();
    for claim in properties {
        let Some(property) = program.property(&claim.name) else {
            return mismatch(format!("there is no property `{}`", claim.name));
        };
        if found.iter().any(|(known, _)| *known == property) {
            return mismatch(format!("property `{}` occurs twice", claim.name));
        }
        let Claim { claim: word, certificate, trace, inputs, name } = claim;
        let about_runs = program.properties[property].temporal.is_some();
        let (yes, no) = if about_runs { (SATISFIED, BROKEN) } else { (UNREACHABLE, REACHED) };
        let finding = match (word.as_str(), certificate, trace, inputs) {
            (word, Some(proof), None, None) if word == yes => {
                Finding::Proved(Box::new(reader.proof(proof)?))
            }
            (word, None, Some(run), None) if word == no => {
                Finding::Reached(Box::new(reader.run(run)?))
            }
            (EXECUTED, None, None, Some(inputs)) => Finding::Executed(execution(inputs)?),
            _ => return mismatch(format!("the claim on `{name}` lacks its evidence")),
        };
        found.push((property, finding));
    }
    Ok(found)
}

/// Inputs as numbers.
fn execution(inputs: Vec<Scalar>) -> Result<Execution, EvidenceError> {
    let number = |Scalar(value): Scalar| match &value {
        Value::Int(i) => i.to_string().parse().map_err(|_| value.to_string()),
        other => Err(other.to_string()),
    };
    let inputs = inputs.into_iter().map(number).collect::<Result<_, String>>();
    let wrong = |text: String| EvidenceError::Mismatch(format!("`{}` is no input", clip(&text)));
    Ok(Execution { inputs: inputs.map_err(wrong)? })
}

/// The names in the file are those of the program, in the same order.
fn same(what: &str, file: &[String], program: &[&str]) -> Result<(), EvidenceError> {
    if let Some((theirs, ours)) = file.iter().zip(program).find(|(a, b)| a != *b) {
        return mismatch(format!("it has a {what} `{theirs}` where the program has `{ours}`"));
    }
    if file.len() != program.len() {
        let (a, b) = (file.len(), program.len());
        return mismatch(format!("it has {a} {what}s, the program has {b}"));
    }
    Ok(())
}

struct Reader<'a> {
    program: &'a Program,
    /// Frozen, so that each certificate gets a cheap copy.
    store: TermStore,
    variables: FxHashMap<String, Id<Variable>>,
    transitions: FxHashMap<String, usize>,
    input_sorts: Vec<Vec<Sort>>,
}

impl Reader<'_> {
    fn proof(&self, raw: Proof) -> Result<Certificate, EvidenceError> {
        let Proof { kind, points, prefix, fragment, quotient, tree, .. } = raw;
        let ranking = (raw.states, raw.obligations, raw.nodes, raw.blamed);
        let moves = (raw.points_move, raw.fragment_moves);
        let foreign = raw.tree_moves.is_some() && tree.is_none()
            || raw.constants.is_some() != raw.picks.is_some();
        if foreign {
            return mismatch(format!("a certificate of kind `{kind}` has foreign parts"));
        }
        let certificate = match (tree, points, prefix, fragment, quotient) {
            (None, Some(points), None, Some(fragment), None)
                if raw.descent.is_none() && ranking == (None, None, None, None) =>
            {
                let (Some(first), Some(second)) = moves else {
                    return mismatch(format!("a certificate of kind `{kind}` lacks a part"));
                };
                let set = self.closed_set(points, [Vec::new(), fragment], None)?;
                let movers = |(processes, rank)| Movers { processes, rank };
                let [points, fragment] =
                    [first, second].map(|list| list.into_iter().map(movers).collect());
                Certificate::Reduced(Reduced { set, points, fragment })
            }
            _ if moves != (None, None) => {
                return mismatch(format!("a certificate of kind `{kind}` has foreign parts"));
            }
            (None, None, None, Some(fragment), None)
                if raw.descent.is_none() && ranking == (None, None, None, None) =>
            {
                let (Some(constants), Some(picks)) = (raw.constants, raw.picks) else {
                    return mismatch(format!("a certificate of kind `{kind}` lacks a part"));
                };
                Certificate::Quantified(self.quantified(constants, picks, fragment)?)
            }
            _ if raw.constants.is_some() => {
                return mismatch(format!("a certificate of kind `{kind}` has foreign parts"));
            }
            (None, None, None, None, None) if raw.descent.is_some() => {
                let (None, Some(obligations), None, None) = ranking else {
                    return mismatch(format!("a certificate of kind `{kind}` lacks a part"));
                };
                let nodes = raw.descent.unwrap_or_default();
                Certificate::Descent(self.descent(obligations, nodes)?)
            }
            _ if raw.descent.is_some() => {
                return mismatch(format!("a certificate of kind `{kind}` has foreign parts"));
            }
            (None, None, None, None, None) => {
                let (Some(states), Some(obligations), Some(nodes), Some(blamed)) = ranking else {
                    return mismatch(format!("a certificate of kind `{kind}` lacks a part"));
                };
                let node = |(state, obligations, rank)| RankedNode { state, obligations, rank };
                let nodes = nodes.into_iter().map(node).collect();
                let states = self.points(states)?;
                Certificate::Ranking(Ranking { states, obligations, nodes, blamed })
            }
            _ if ranking != (None, None, None, None) => {
                return mismatch(format!("a certificate of kind `{kind}` has foreign parts"));
            }
            (Some(tree), None, None, None, None) => {
                let step = |(parent, transition)| UnrollingStep { parent, transition };
                let steps = tree.into_iter().map(step).collect();
                let movers = raw.tree_moves.unwrap_or_default();
                Certificate::Unrolling(Unrolling { steps, movers })
            }
            (None, Some(points), Some(prefix), Some(fragment), quotient) => {
                Certificate::Closed(self.closed_set(points, [prefix, fragment], quotient)?)
            }
            _ => return mismatch(format!("a certificate of kind `{kind}` lacks a part")),
        };
        let really = certificate.kind().word();
        if kind != really {
            return mismatch(format!("a certificate of kind `{kind}` is really `{really}`"));
        }
        Ok(certificate)
    }

    fn closed_set(
        &self,
        points: Vec<Vec<Scalar>>,
        [prefix, fragment]: [Vec<RawRegion>; 2],
        quotient: Option<Vec<(u32, u32, u32)>>,
    ) -> Result<ClosedSet, EvidenceError> {
        let mut store = self.store.clone();
        let points = self.points(points)?;
        let mut regions = |raw: Vec<RawRegion>| -> Result<Vec<Region>, EvidenceError> {
            raw.into_iter().map(|region| self.region(&mut store, region, &[])).collect()
        };
        let (prefix, fragment) = (regions(prefix)?, regions(fragment)?);
        let edge = |(source, transition, target)| QuotientEdge { source, transition, target };
        let quotient = quotient.map(|list| list.into_iter().map(edge).collect());
        Ok(ClosedSet { store, points, prefix, fragment, quotient })
    }

    fn descent(
        &self,
        obligations: Vec<Vec<u32>>,
        raw: Vec<RawDescent>,
    ) -> Result<Descent, EvidenceError> {
        let mut store = self.store.clone();
        let mut nodes = Vec::with_capacity(raw.len());
        for RawDescent { region, owes, measure, blamed } in raw {
            let region = self.region(&mut store, region, &[])?;
            let measure = measure.iter().map(|text| self.term(&mut store, text, &[]));
            let measure = measure.collect::<Result<_, _>>()?;
            nodes.push(DescentNode { obligations: owes, region, measure, blamed });
        }
        Ok(Descent { store, obligations, nodes })
    }

    /// States, as lists of values in the order of the program's variables.
    fn points(&self, raw: Vec<Vec<Scalar>>) -> Result<Vec<State>, EvidenceError> {
        let sorts: Vec<Sort> = self.program.variables.iter().map(|v| v.domain.sort()).collect();
        raw.into_iter().map(|p| values(p, &sorts).map(State::new)).collect()
    }

    fn quantified(
        &self,
        raw: Vec<(String, String)>,
        picks: Vec<(String, Vec<String>)>,
        fragment: Vec<RawRegion>,
    ) -> Result<Quantified, EvidenceError> {
        let mut store = self.store.clone();
        let (mut constants, mut symbols) = (Vec::new(), Vec::new());
        for (name, sort) in raw {
            let Some(sort) = index_sort(&sort) else {
                return mismatch(format!("`{}` is no sort of an index", clip(&sort)));
            };
            if self.variables.contains_key(&name) {
                return mismatch(format!("`{}` is a variable", clip(&name)));
            }
            let term = store.fresh(QUANTIFIED, sort);
            constants.push(term);
            symbols.push((name, term));
        }
        let steps = self.program.transitions(&mut store.clone());
        let mut read = Vec::with_capacity(picks.len());
        for (name, values) in picks {
            let Some(&transition) = self.transitions.get(&name) else {
                return mismatch(format!("there is no transition `{}`", clip(&name)));
            };
            let inputs = steps[transition].inputs.iter().map(|i| (store.smtlib(i.term), i.term));
            let inputs: Vec<(String, Term)> = inputs.collect();
            let values = values.iter().map(|text| self.term(&mut store, text, &inputs));
            let values = values.collect::<Result<_, _>>()?;
            read.push(Pick { transition: transition as u32, values });
        }
        let regions = fragment.into_iter().map(|raw| self.region(&mut store, raw, &symbols));
        let fragment = regions.collect::<Result<_, _>>()?;
        let (points, prefix) = (Vec::new(), Vec::new());
        let set = ClosedSet { store, points, prefix, fragment, quotient: None };
        Ok(Quantified { set, constants, picks: read })
    }

    /// A region; `more` are symbols that it may have beside the program's variables.
    fn region(
        &self,
        store: &mut TermStore,
        raw: RawRegion,
        more: &[(String, Term)],
    ) -> Result<Region, EvidenceError> {
        let fixed = self.fixed(raw.at)?;
        let formula = self.term(store, &raw.formula, more)?;
        if store.sort(formula) != Sort::Bool {
            return mismatch(format!("`{}` is no formula", clip(&raw.formula)));
        }
        Ok(Region { fixed, formula })
    }

    /// A term over the program's variables, and some more symbols.
    fn term(
        &self,
        store: &mut TermStore,
        text: &str,
        more: &[(String, Term)],
    ) -> Result<Term, EvidenceError> {
        let scope = |name: &str| {
            let variable = self.variables.get(name).map(|&id| self.program.variables[id].term);
            let other = || more.iter().find(|(n, _)| n.trim_matches('|') == name).map(|(_, t)| *t);
            variable.or_else(other)
        };
        let read = store.read_smtlib_term(text, &scope);
        read.map_err(|e| EvidenceError::Mismatch(format!("formula `{}`: {e}", clip(text))))
    }

    fn run(&self, raw: Run) -> Result<Trace, EvidenceError> {
        let initial = self.state(raw.initial)?;
        let mut steps = Vec::with_capacity(raw.steps.len());
        for step in raw.steps {
            let Some(&transition) = self.transitions.get(&step.transition) else {
                return mismatch(format!("there is no transition `{}`", step.transition));
            };
            let inputs = values(step.inputs, &self.input_sorts[transition])?;
            steps.push(TraceStep { transition, inputs, state: self.state(step.state)? });
        }
        let recurrence = raw.region.map(|text| -> Result<_, EvidenceError> {
            let mut store = self.program.store.clone();
            let region = self.term(&mut store, &text, &[])?;
            Ok(Box::new(Recurrence { store, region }))
        });
        Ok(Trace { initial, steps, cycle: raw.cycle, recurrence: recurrence.transpose()? })
    }

    /// Values of some variables, in the order of the program's variables.
    fn fixed(&self, raw: Pairs<Scalar>) -> Result<Vec<(Id<Variable>, Value)>, EvidenceError> {
        let mut fixed = Vec::with_capacity(raw.0.len());
        for (name, Scalar(value)) in raw.0 {
            let Some(&id) = self.variables.get(&name) else {
                return mismatch(format!("there is no variable `{name}`"));
            };
            fixed.push((id, of_sort(value, self.program.variables[id].domain.sort())?));
        }
        fixed.sort_by_key(|(id, _)| *id);
        match fixed.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            Some(pair) => {
                let name = &self.program.variables[pair[0].0].name;
                mismatch(format!("two values for `{name}`"))
            }
            None => Ok(fixed),
        }
    }

    /// Values of all variables.
    fn state(&self, raw: Pairs<Scalar>) -> Result<State, EvidenceError> {
        let fixed = self.fixed(raw)?;
        if fixed.len() != self.program.variables.len() {
            return mismatch("a state leaves variables open");
        }
        Ok(State::new(fixed.into_iter().map(|(_, value)| value).collect::<Vec<_>>()))
    }
}

/// What symbols of constants begin with.
const QUANTIFIED: &str = "index";

/// The sort of an index, as it is written.
fn index_sort(text: &str) -> Option<Sort> {
    if text == Sort::Int.to_string() {
        return Some(Sort::Int);
    }
    let width = text.strip_prefix("(_ BitVec ")?.strip_suffix(')')?.parse().ok()?;
    (1..=MAX_INDEX_BITS).contains(&width).then_some(Sort::Bv(width))
}

/// Indices have no more bits.
const MAX_INDEX_BITS: u32 = 128;
