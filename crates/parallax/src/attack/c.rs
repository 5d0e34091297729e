//! Attacks on proofs about C programs: the interpreter of the program form runs
//! the program as the front end made it, before every pass.

use super::solved::solved;
use super::{Clock, Hit, Random, closed};
use crate::{Answer, CTask, Checked, Task};
use parallax_base::{Budget, Id};
use parallax_cfa::run::{Arbitrary, CheckSet, Interpreter, Observer, Options, Oracle, View};
use parallax_cfa::{CProperty, Edge, Function, Location, Program, Scalar, ScalarType, Variable};
use parallax_evidence::Finding;
use parallax_ir as ir;
use parallax_solver::SolverConfig;
use parallax_task::single_heads;
use parallax_term::{Bv, Code, Int, Node, Scratch, Sort, Term, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Instant;

/// Longer runs end here: many runs see more than long ones.
const STEPS: u64 = 200_000;

/// An invariant with more cases is not compared.
const CASES: usize = 64;

/// After so many rounds the solver is asked for inputs, for one part in so many
/// of the time that is left.
const CHEAP: u64 = 4;
const SOLVER: u32 = 2;

/// Constants of the program that are tried as inputs.
const CONSTANTS: usize = 400;

/// A program as it was asked, and what is said of it.
struct Side<'a> {
    program: &'a Program,
    interpreter: Interpreter<'a>,
    checks: CheckSet,
    properties: Vec<CProperty>,
    places: Places,
}

pub(super) fn attack(
    task: &Task,
    c: &CTask,
    checked: &Checked,
    solver: &SolverConfig,
    clock: &mut Clock,
) -> Result<(), Hit> {
    let mut sides: Vec<Side<'_>> = Vec::new();
    let mut guesses = BTreeSet::new();
    for answer in &checked.answers {
        if !matches!(answer.outcome.finding, Finding::Proved(_)) {
            continue;
        }
        let (about, id) = answer.about(task);
        let own = about.origin.c().unwrap_or(c);
        let Some(property) = own.asked.get(id.index()) else { continue };
        let program: &Program = &own.source.program;
        let places = places(about, id, own, &answer.outcome.finding);
        guesses.extend(constants(about));
        // Some checks end a run only if they are asked for: what agrees on them
        // and on the program shares its runs.
        let checks = CheckSet::of(std::slice::from_ref(property));
        let about_runs = property.is_about_runs();
        let fits = |side: &&mut Side<'_>| {
            std::ptr::eq(side.program, program)
                && side.checks == checks
                && side.properties.iter().any(CProperty::is_about_runs) == about_runs
                && side.properties.contains(&CProperty::Deadlock)
                    == (*property == CProperty::Deadlock)
        };
        match sides.iter_mut().find(fits) {
            Some(side) => {
                side.properties.push(property.clone());
                for (at, list) in places {
                    side.places.entry(at).or_default().extend(list);
                }
            }
            None => {
                let options =
                    Options { max_steps: STEPS, ..Options::about(std::slice::from_ref(property)) };
                let interpreter = Interpreter::new(program, options);
                let properties = vec![property.clone()];
                sides.push(Side { program, interpreter, checks, properties, places });
            }
        }
    }
    let guesses: Vec<i128> = guesses.into_iter().collect();
    let mut known: Vec<Vec<i128>> = checked
        .answers
        .iter()
        .filter_map(|answer| answer.run.as_ref())
        .map(|run| run.inputs.iter().map(|input| input.value.as_int()).collect())
        .collect();
    let mut could_ask = true;
    for round in 0.. {
        // What costs the solver's time comes after what costs none, and only
        // if there are inputs at all.
        if round == CHEAP && could_ask {
            known.splice(0..0, solutions(task, c, checked, solver, clock));
            could_ask = false;
        }
        let mut asked = false;
        for side in &sides {
            if clock.is_over() {
                return Ok(());
            }
            let mut foe = Foe::new(round, &guesses, &known);
            let mut guard = Guard::new(side.program, &side.places);
            let report = side.interpreter.observe(&mut foe, &mut guard);
            clock.survived.runs += 1;
            clock.survived.states += guard.compared;
            asked |= foe.asked;
            if let Some((property, place)) = guard.broken {
                let how = format!("a state at {place} is not in the certified invariant");
                return Err(Hit { property, how, again: foe.again(c) });
            }
            if let Some(property) = side.properties.iter().find(|p| report.violates(p)) {
                let how = format!("a run ends with: {}", report.outcome);
                return Err(Hit { property: property.name(), how, again: foe.again(c) });
            }
        }
        // A program that asks nothing does the same again.
        if !asked {
            return Ok(());
        }
    }
    Ok(())
}

/// Inputs that the solver finds for the programs of proofs, each program for
/// its share of a part of the time.
fn solutions(
    task: &Task,
    c: &CTask,
    checked: &Checked,
    solver: &SolverConfig,
    clock: &Clock,
) -> Vec<Vec<i128>> {
    let is_proof = |answer: &&Arc<Answer>| matches!(answer.outcome.finding, Finding::Proved(_));
    let proofs: Vec<_> = checked.answers.iter().filter(is_proof).collect();
    let left = clock.end.saturating_duration_since(Instant::now()) / SOLVER;
    let share = left / proofs.len().max(1) as u32;
    let mut found = Vec::new();
    for answer in proofs {
        let (about, id) = answer.about(task);
        let own = about.origin.c().unwrap_or(c);
        let Some(property) = own.asked.get(id.index()) else { continue };
        let budget = Budget::unlimited().within(share);
        found.extend(solved(&about.program, own, property, solver, &budget));
    }
    found
}

/// What is known of the variables when a run is at a location: one of these
/// cases, each a list of facts.
struct Place {
    property: String,
    shown: String,
    /// Variables with the sorts of their terms, in the order of the slots.
    variables: Vec<(Id<Variable>, Sort)>,
    cases: Vec<Code>,
}

/// The certified invariants at heads of loops, by the places of the original
/// program.
type Places = BTreeMap<(Id<Function>, Id<Location>), Vec<Place>>;

fn places(about: &Task, property: Id<ir::Property>, c: &CTask, finding: &Finding) -> Places {
    let mut found = Places::new();
    let (Some(set), Some(process)) = (closed(finding), about.program.processes.iter().next())
    else {
        return found;
    };
    for head in single_heads(about, c) {
        let here = Value::int(head.location as i64);
        let mut store = set.store.clone();
        let mut variables = Vec::new();
        let mut slots: BTreeMap<Term, usize> = BTreeMap::new();
        for (term, variable) in head.words.variables() {
            slots.insert(term, variables.len());
            variables.push((variable, store.sort(term)));
        }
        let mut cases: Vec<Vec<Term>> = Vec::new();
        for region in set.prefix.iter().chain(&set.fragment) {
            let at = region.fixed.iter().find(|(v, _)| *v == process.control);
            // A region that does not say where it is may be here.
            if at.is_none_or(|(_, value)| *value == here) {
                let mut facts = conjuncts(&store, region.formula);
                facts.extend(region.fixed.iter().map(|(v, value)| {
                    let value = store.constant(value.clone());
                    store.eq(about.program.variables[*v].term, value)
                }));
                cases.push(facts);
            }
        }
        for point in set.points.iter().filter(|p| p.get(process.control.index()) == Some(&here)) {
            let facts = about.program.variables.iter().zip(point.iter()).map(|(v, value)| {
                let value = store.constant(value.clone());
                store.eq(v.term, value)
            });
            cases.push(facts.collect());
        }
        // What speaks of other variables is left out: what remains is weaker.
        let says = |fact: &Term| store.vars(*fact).iter().all(|v| slots.contains_key(v));
        for facts in &mut cases {
            facts.retain(says);
        }
        if cases.is_empty() || cases.iter().any(Vec::is_empty) || cases.len() > CASES {
            continue;
        }
        let compiled = cases.into_iter().map(|facts| {
            let all = store.and(facts);
            Code::compile(&store, &[all], |term| slots.get(&term).copied())
        });
        let cases = compiled.collect();
        let property = about.program.properties[property].name.to_string();
        let shown = about.sources.place(head.span);
        let place = Place { property, shown, variables, cases };
        found.entry((head.function, head.at)).or_default().push(place);
    }
    found
}

/// The parts of a conjunction.
fn conjuncts(store: &parallax_term::TermStore, formula: Term) -> Vec<Term> {
    let (mut facts, mut open) = (Vec::new(), vec![formula]);
    while let Some(term) = open.pop() {
        match store.node(term) {
            Node::And(items) => open.extend(items.iter().copied()),
            _ => facts.push(term),
        }
    }
    facts
}

/// Compares states with invariants.
struct Guard<'a> {
    program: &'a Program,
    places: &'a Places,
    compared: u64,
    /// What was said, and where it is not so.
    broken: Option<(String, String)>,
    scratch: Scratch,
}

impl<'a> Guard<'a> {
    fn new(program: &'a Program, places: &'a Places) -> Guard<'a> {
        Guard { program, places, compared: 0, broken: None, scratch: Scratch::default() }
    }
}

impl Observer for Guard<'_> {
    fn step(&mut self, view: &View<'_>, edge: Id<Edge>) {
        let Some(function) = view.function() else { return };
        let source = self.program.functions[function].edges[edge].source;
        let Some(places) = self.places.get(&(function, source)) else { return };
        for place in places {
            let values: Option<Vec<Value>> = place
                .variables
                .iter()
                .map(|&(variable, sort)| value(scalar(self.program, view, variable)?, sort))
                .collect();
            // A variable that the interpreter does not know is no evidence.
            let Some(values) = values else { continue };
            self.compared += 1;
            if !place.cases.iter().any(|case| case.test(&values, &mut self.scratch)) {
                self.broken.get_or_insert((place.property.clone(), place.shown.clone()));
            }
        }
    }
}

/// The value of a variable, in a register or in memory.
fn scalar(program: &Program, view: &View<'_>, variable: Id<Variable>) -> Option<Scalar> {
    view.scalar(variable).or_else(|| {
        let ty = program.types.scalar(program.variables[variable].ty)?;
        let bytes = view.bytes(variable)?;
        let mut whole = [0; 16];
        whole.get_mut(..bytes.len())?.copy_from_slice(bytes);
        Some(Scalar { ty, bits: u128::from_le_bytes(whole) })
    })
}

/// The value as a value of terms, if it is a number.
fn value(scalar: Scalar, sort: Sort) -> Option<Value> {
    match sort {
        Sort::Int => Some(Value::Int(Int::from_i128(scalar.as_int()))),
        Sort::Bv(width) => Some(Value::Bv(Bv::new(width, scalar.bits))),
        Sort::Bool => Some(Value::Bool(scalar.bits != 0)),
        _ => None,
    }
}

/// Integer constants that steps of the program depend on, with their neighbors.
/// They are read off the terms, where what is not relevant has been left out;
/// only guesses come of it.
fn constants(task: &Task) -> Vec<i128> {
    let store = &task.program.store;
    let edges = task.program.processes.iter().flat_map(|p| p.edges.iter());
    let roots: Vec<Term> = edges
        .flat_map(|e| e.updates.iter().map(|u| u.value).chain([e.guard, e.constraint]))
        .collect();
    let mut found = BTreeSet::new();
    for term in store.subterms(&roots) {
        let value = match store.node(term) {
            Node::Value(Value::Int(value)) => value.to_i64().map(i128::from),
            Node::Value(Value::Bv(value)) => Some(value.bits() as i128),
            Node::Compare(_, linear) | Node::Sum(linear) => {
                let value = linear.constant_part().to_int().and_then(Int::to_i64);
                value.map(|value| -i128::from(value))
            }
            _ => None,
        };
        found.extend(value.into_iter().flat_map(|value| [value - 1, value, value + 1]));
        if found.len() >= CONSTANTS {
            break;
        }
    }
    found.into_iter().collect()
}

/// Who chooses inputs.
struct Foe<'a> {
    round: u64,
    constants: &'a [i128],
    known: std::vec::IntoIter<i128>,
    random: Random,
    asked: bool,
    given: Vec<i128>,
}

impl<'a> Foe<'a> {
    fn new(round: u64, constants: &'a [i128], known: &[Vec<i128>]) -> Foe<'a> {
        let list = usize::try_from(round).ok().and_then(|r| known.get(r.checked_sub(4)?));
        let known = list.cloned().unwrap_or_default().into_iter();
        let random = Random::new(round);
        Foe { round, constants, known, random, asked: false, given: Vec::new() }
    }

    fn guess(&mut self, ty: ScalarType) -> Scalar {
        self.asked = true;
        let bits = ty.bits().min(64);
        let (least, greatest) = (-(1i128 << (bits - 1)), (1i128 << bits) - 1);
        let value = match self.round {
            0 => 0,
            1 => 1,
            2 => least,
            3 => greatest,
            _ => match self.random.below(8) {
                0 => 0,
                1 => least,
                2 => greatest / 2,
                3 | 4 if !self.constants.is_empty() => {
                    self.constants[self.random.below(self.constants.len())]
                }
                5 => i128::from(self.random.next() as i64),
                _ => self.random.below(16) as i128 - 4,
            },
        };
        if ty.is_pointer() || matches!(ty, ScalarType::Float(_)) {
            return Scalar { ty, bits: 0 };
        }
        Scalar::int(ty, value)
    }

    /// What to type to see the run again.
    fn again(&self, c: &CTask) -> String {
        let files: Vec<String> = c.source.files.iter().map(|f| f.display().to_string()).collect();
        let inputs: Vec<String> = self.given.iter().map(|v| format!("--input={v}")).collect();
        format!("parallax run {} {}", files.join(" "), inputs.join(" ")).trim_end().to_owned()
    }
}

impl Oracle for Foe<'_> {
    fn input(&mut self, _name: &str, ty: ScalarType) -> Option<Scalar> {
        let known = self.known.next().map(|value| Scalar::int(ty, value));
        let value = known.unwrap_or_else(|| self.guess(ty));
        self.asked = true;
        self.given.push(value.as_int());
        Some(value)
    }

    fn turn(&mut self, able: &[usize]) -> usize {
        self.asked = true;
        // Mostly the one that runs goes on, as on a real machine.
        match self.round {
            0 => 0,
            _ if self.random.below(3) < 2 => 0,
            _ => self.random.below(able.len()),
        }
    }

    fn arbitrary(&mut self, _what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        self.guess(ty)
    }
}
