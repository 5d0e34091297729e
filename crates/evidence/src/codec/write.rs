//! Evidence to JSON, streamed.

use super::value::Written;
use super::{ALWAYS, BROKEN, EVIDENCE_SCHEMA, EXECUTED, PLAIN, REACHED, SATISFIED, UNREACHABLE};
use crate::{
    Certificate, ClosedSet, DescentNode, Finding, Movers, Quantified, RankedNode, Recursion,
    Reduced, Region, Trace, TraceStep, UnrollingStep,
};
use parallax_base::Id;
use parallax_ir::{Pick, Program, Property, State, Variable};
use parallax_term::{Int, Term, TermStore, Value};
use serde::ser::{Serialize, SerializeMap, SerializeSeq, SerializeStruct, Serializer};
use std::io::{self, Write};

/// Writes the evidence of some findings; open questions have none and are
/// left out. `constants` are the overrides the program was made with.
pub fn write_evidence(
    out: impl Write,
    program: &Program,
    constants: &[(String, String)],
    findings: &[(Id<Property>, &Finding)],
) -> io::Result<()> {
    write_sections(out, program, constants, &[], findings, &[])
}

/// Findings about a program that was made in another way than the first one.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    /// What became of recursive calls.
    pub recursion: Option<&'a Recursion>,
    /// Whether no pass has made it smaller.
    pub plain: bool,
    /// Whether a formula of linear temporal logic is asked as an invariant.
    pub always: bool,
    /// The program.
    pub program: &'a Program,
    /// The findings.
    pub findings: &'a [(Id<Property>, &'a Finding)],
}

/// As [`write_evidence`], with invariants that are claimed as one property, and
/// with findings about further programs.
pub fn write_sections(
    out: impl Write,
    program: &Program,
    constants: &[(String, String)],
    invariants: &[String],
    findings: &[(Id<Property>, &Finding)],
    parts: &[Section<'_>],
) -> io::Result<()> {
    let cx = Context::new(program);
    let file = File { cx: &cx, constants, invariants, findings, parts };
    let mut out = io::BufWriter::new(out);
    serde_json::to_writer(&mut out, &file).map_err(io::Error::from)?;
    out.write_all(b"\n")?;
    out.flush()
}

/// What names are taken from.
struct Context<'a> {
    program: &'a Program,
    transitions: Vec<String>,
}

impl<'a> Context<'a> {
    fn new(program: &'a Program) -> Context<'a> {
        let mut store = program.store.clone();
        let transitions = program.transitions(&mut store).into_iter().map(|t| t.name).collect();
        Context { program, transitions }
    }

    /// Variables, transitions and claims.
    fn fields<S: SerializeStruct>(
        &self,
        out: &mut S,
        findings: &[(Id<Property>, &Finding)],
    ) -> Result<(), S::Error> {
        let names: Vec<&str> = self.program.variables.iter().map(|v| &*v.name).collect();
        out.serialize_field("variables", &names)?;
        out.serialize_field("transitions", &self.transitions)?;
        let properties: Vec<Claim<'_>> = findings
            .iter()
            .filter(|(_, finding)| !matches!(finding, Finding::Unknown(_)))
            .map(|&(property, finding)| Claim { cx: self, property, finding })
            .collect();
        out.serialize_field("properties", &properties)
    }
}

struct File<'a> {
    cx: &'a Context<'a>,
    constants: &'a [(String, String)],
    invariants: &'a [String],
    findings: &'a [(Id<Property>, &'a Finding)],
    parts: &'a [Section<'a>],
}

impl Serialize for File<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let program = self.cx.program;
        let formulas = program.properties.iter().filter_map(|p| p.temporal.as_ref());
        let formulas: Vec<&str> = formulas.map(|t| &*t.text).collect();
        let mut out = serializer.serialize_struct("evidence", 8)?;
        out.serialize_field("schema", EVIDENCE_SCHEMA)?;
        out.serialize_field("program", &program.name)?;
        out.serialize_field("constants", &Pairs(self.constants))?;
        if !formulas.is_empty() {
            out.serialize_field("formulas", &formulas)?;
        }
        if !self.invariants.is_empty() {
            out.serialize_field("invariants", &self.invariants)?;
        }
        self.cx.fields(&mut out, self.findings)?;
        if !self.parts.is_empty() {
            out.serialize_field("parts", &Items(self.parts, Part))?;
        }
        out.end()
    }
}

struct Part<'a>(&'a Section<'a>);

impl Serialize for Part<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Section { recursion, plain, always, program, findings } = self.0;
        let mut out = serializer.serialize_struct("part", 6)?;
        if let Some(recursion) = recursion {
            out.serialize_field("recursion", &Calls(recursion))?;
        }
        if *plain {
            out.serialize_field("passes", PLAIN)?;
        }
        if *always {
            out.serialize_field("formula", ALWAYS)?;
        }
        Context::new(program).fields(&mut out, findings)?;
        out.end()
    }
}

struct Calls<'a>(&'a Recursion);

impl Serialize for Calls<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(1))?;
        match self.0 {
            Recursion::Depth(depth) => out.serialize_entry("depth", depth)?,
            Recursion::Contracts(contracts) => out.serialize_entry("contracts", contracts)?,
        }
        out.end()
    }
}

struct Claim<'a> {
    cx: &'a Context<'a>,
    property: Id<Property>,
    finding: &'a Finding,
}

impl Serialize for Claim<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("claim", 3)?;
        let property = &self.cx.program.properties[self.property];
        out.serialize_field("name", &*property.name)?;
        let about_runs = property.temporal.is_some();
        match self.finding {
            Finding::Proved(certificate) => {
                out.serialize_field("claim", if about_runs { SATISFIED } else { UNREACHABLE })?;
                out.serialize_field("certificate", &Proof { cx: self.cx, certificate })?;
            }
            Finding::Reached(trace) => {
                out.serialize_field("claim", if about_runs { BROKEN } else { REACHED })?;
                out.serialize_field("trace", &Run { cx: self.cx, trace })?;
            }
            Finding::Executed(run) => {
                out.serialize_field("claim", EXECUTED)?;
                let inputs: Vec<Value> =
                    run.inputs.iter().map(|i| Value::Int(Int::from_i128(*i))).collect();
                out.serialize_field("inputs", &Items(&inputs, Written))?;
            }
            Finding::Unknown(_) => {}
        }
        out.end()
    }
}

struct Proof<'a> {
    cx: &'a Context<'a>,
    certificate: &'a Certificate,
}

impl Serialize for Proof<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let set = match self.certificate {
            Certificate::Closed(set) => set,
            Certificate::Reduced(reduced) => {
                let Reduced { set, points, fragment } = reduced;
                let (program, store) = (self.cx.program, &set.store);
                let region = |region| RegionOut { program, store, region };
                let movers = |m: &Movers| (m.processes.clone(), m.rank);
                let mut out = serializer.serialize_struct("certificate", 5)?;
                out.serialize_field("kind", self.certificate.kind().word())?;
                out.serialize_field("points", &Items(&set.points, Point))?;
                out.serialize_field("fragment", &Items(&set.fragment, region))?;
                out.serialize_field("points_move", &Items(points, movers))?;
                out.serialize_field("fragment_moves", &Items(fragment, movers))?;
                return out.end();
            }
            Certificate::Quantified(quantified) => {
                let Quantified { set, constants, picks } = quantified;
                let (program, store) = (self.cx.program, &set.store);
                let region = |region| RegionOut { program, store, region };
                let constant = |&c: &Term| (store.smtlib(c), store.sort(c).to_string());
                let pick = |pick: &Pick| {
                    let name = self.cx.transitions.get(pick.transition as usize);
                    let values: Vec<String> =
                        pick.values.iter().map(|&v| store.smtlib(v)).collect();
                    (name.cloned().unwrap_or_default(), values)
                };
                let mut out = serializer.serialize_struct("certificate", 4)?;
                out.serialize_field("kind", self.certificate.kind().word())?;
                out.serialize_field("constants", &Items(constants, constant))?;
                out.serialize_field("picks", &Items(picks, pick))?;
                out.serialize_field("fragment", &Items(&set.fragment, region))?;
                return out.end();
            }
            Certificate::Unrolling(unrolling) => {
                let pair = |step: &UnrollingStep| (step.parent, step.transition);
                let mut out = serializer.serialize_struct("certificate", 3)?;
                out.serialize_field("kind", self.certificate.kind().word())?;
                out.serialize_field("tree", &Items(&unrolling.steps, pair))?;
                if !unrolling.movers.is_empty() {
                    out.serialize_field("tree_moves", &unrolling.movers)?;
                }
                return out.end();
            }
            Certificate::Ranking(ranking) => {
                let triple = |n: &RankedNode| (n.state, n.obligations, n.rank);
                let mut out = serializer.serialize_struct("certificate", 5)?;
                out.serialize_field("kind", self.certificate.kind().word())?;
                out.serialize_field("states", &Items(&ranking.states, Point))?;
                out.serialize_field("obligations", &ranking.obligations)?;
                out.serialize_field("nodes", &Items(&ranking.nodes, triple))?;
                out.serialize_field("blamed", &ranking.blamed)?;
                return out.end();
            }
            Certificate::Descent(descent) => {
                let (program, store) = (self.cx.program, &descent.store);
                let node = |node| DescentOut { program, store, node };
                let mut out = serializer.serialize_struct("certificate", 3)?;
                out.serialize_field("kind", self.certificate.kind().word())?;
                out.serialize_field("obligations", &descent.obligations)?;
                out.serialize_field("descent", &Items(&descent.nodes, node))?;
                return out.end();
            }
        };
        let ClosedSet { store, points, prefix, fragment, quotient } = set;
        let region = |region| RegionOut { program: self.cx.program, store, region };
        let mut out = serializer.serialize_struct("certificate", 5)?;
        out.serialize_field("kind", self.certificate.kind().word())?;
        out.serialize_field("points", &Items(points, Point))?;
        out.serialize_field("prefix", &Items(prefix, region))?;
        out.serialize_field("fragment", &Items(fragment, region))?;
        if let Some(edges) = quotient {
            let triple = |e: &crate::QuotientEdge| (e.source, e.transition, e.target);
            out.serialize_field("quotient", &Items(edges, triple))?;
        }
        out.end()
    }
}

struct RegionOut<'a> {
    program: &'a Program,
    store: &'a TermStore,
    region: &'a Region,
}

impl Serialize for RegionOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("region", 2)?;
        let fixed = self.region.fixed.iter().map(|(id, value)| (*id, value));
        out.serialize_field("at", &Values(self.program, fixed))?;
        out.serialize_field("formula", &self.store.smtlib(self.region.formula))?;
        out.end()
    }
}

struct DescentOut<'a> {
    program: &'a Program,
    store: &'a TermStore,
    node: &'a DescentNode,
}

impl Serialize for DescentOut<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let DescentOut { program, store, node } = *self;
        let measure: Vec<String> = node.measure.iter().map(|&t| store.smtlib(t)).collect();
        let mut out = serializer.serialize_struct("node", 4)?;
        out.serialize_field("region", &RegionOut { program, store, region: &node.region })?;
        out.serialize_field("owes", &node.obligations)?;
        out.serialize_field("measure", &measure)?;
        out.serialize_field("blamed", &node.blamed)?;
        out.end()
    }
}

struct Run<'a> {
    cx: &'a Context<'a>,
    trace: &'a Trace,
}

impl Serialize for Run<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("trace", 3)?;
        out.serialize_field("initial", &whole(self.cx.program, &self.trace.initial))?;
        out.serialize_field("steps", &Items(&self.trace.steps, |step| Step { cx: self.cx, step }))?;
        if let Some(cycle) = self.trace.cycle {
            out.serialize_field("cycle", &cycle)?;
        }
        if let Some(recurrence) = &self.trace.recurrence {
            out.serialize_field("region", &recurrence.store.smtlib(recurrence.region))?;
        }
        out.end()
    }
}

struct Step<'a> {
    cx: &'a Context<'a>,
    step: &'a TraceStep,
}

impl Serialize for Step<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("step", 3)?;
        // A trace that names no transition of the program is not ours to repair.
        let name = self.cx.transitions.get(self.step.transition).map_or("", String::as_str);
        out.serialize_field("transition", name)?;
        out.serialize_field("inputs", &Items(&self.step.inputs, Written))?;
        out.serialize_field("state", &whole(self.cx.program, &self.step.state))?;
        out.end()
    }
}

/// A list, each item through a view.
struct Items<'a, T, F>(&'a [T], F);

impl<'a, T, U: Serialize, F: Fn(&'a T) -> U> Serialize for Items<'a, T, F> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_seq(Some(self.0.len()))?;
        self.0.iter().try_for_each(|item| out.serialize_element(&self.1(item)))?;
        out.end()
    }
}

/// An object of strings, in the given order.
struct Pairs<'a>(&'a [(String, String)]);

impl Serialize for Pairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(Some(self.0.len()))?;
        self.0.iter().try_for_each(|(name, value)| out.serialize_entry(name, value))?;
        out.end()
    }
}

/// An object from variable names to values.
struct Values<'a, I>(&'a Program, I);

impl<'a, I: Iterator<Item = (Id<Variable>, &'a Value)> + Clone> Serialize for Values<'a, I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_map(None)?;
        for (id, value) in self.1.clone() {
            out.serialize_entry(&*self.0.variables[id].name, &Written(value))?;
        }
        out.end()
    }
}

fn whole<'a>(program: &'a Program, state: &'a State) -> impl Serialize + use<'a> {
    Values(program, (0..program.variables.len()).map(Id::new).zip(state.iter()))
}

struct Point<'a>(&'a State);

impl Serialize for Point<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Items(self.0, Written).serialize(serializer)
    }
}
