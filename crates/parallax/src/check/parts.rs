//! A property of a model, part by part.
//!
//! `forall i: ...` over a family of processes asks several questions at once, and
//! often the others of the family do not matter to the one about `i`. Each
//! question is then asked of the part of the program that matters to it
//! (`parallax_ir::Part`), and the sets of states that the parts never leave are
//! intersected. A proof of one part is tried on those that look like it, with the
//! variables of the one in the place of the other's.
//!
//! # Soundness
//! Nothing is believed because of how it was found: the checker sees the
//! intersection and the whole program. A run of a part is not taken for a run of
//! the program.

use super::{Check, EngineChoice, Within, first, turns};
use crate::{Answer, CheckError, Checkers, Shape, Task};
use parallax_base::{Budget, Id};
use parallax_engine::Engine;
use parallax_evidence::{Certificate, ClosedSet, Finding, Outcome, Region, Why};
use parallax_ir::{Part, Program, Property, Role, Variable};
use parallax_term::{Term, TermStore, Value};
use std::collections::BTreeMap;
use std::time::Duration;

/// How long a part may take at first, and by how much that grows.
const FIRST: Duration = Duration::from_secs(6);
const GROWTH: u32 = 4;

/// More regions than this are not made by intersection.
const REGIONS: usize = 4096;

/// Variables with their values.
type Fixed = Vec<(Id<Variable>, Value)>;

/// The same, and what holds besides: a region of the whole.
type Piece = (BTreeMap<Id<Variable>, Value>, Term);

/// The parts of a question, and the proofs so far.
pub(super) struct Parts {
    parts: Vec<Part>,
    proofs: Vec<Option<Outcome>>,
    limit: Duration,
}

impl Parts {
    /// The parts, if engines are chosen by us and every part is smaller than the
    /// whole.
    pub(super) fn of(check: &Check<'_>, property: Id<Property>) -> Option<Parts> {
        let is_model = check.task.origin.shape() == Shape::Model;
        if check.engine != EngineChoice::Auto || !is_model || check.picture {
            return None;
        }
        let parts = check.task.program.parts(property)?;
        Some(Parts { proofs: parts.iter().map(|_| None).collect(), parts, limit: FIRST })
    }

    /// A known proof of another part, as one of this part.
    fn alike(&self, at: usize, checkers: &Checkers, budget: &Budget) -> Option<Outcome> {
        let program = &self.parts[at].program;
        for (part, outcome) in self.parts.iter().zip(&self.proofs) {
            let Some((outcome, set)) = outcome.as_ref().and_then(|o| Some((o, closed(o)?))) else {
                continue;
            };
            let pairs = part.program.variables.iter().zip(&program.variables);
            let is_alike = part.program.variables.len() == program.variables.len()
                && pairs.clone().all(|(a, b)| a.domain == b.domain && a.role == b.role);
            let names = pairs.map(|(a, b)| (a.name.to_string(), b.term)).collect();
            let Some(set) = is_alike.then(|| renamed(set, program, &names)).flatten() else {
                continue;
            };
            let finding = Finding::Proved(Box::new(Certificate::Closed(set)));
            let judged = checkers.judge(program, first(), finding, budget);
            if matches!(judged.finding, Finding::Proved(_)) {
                return Some(Outcome { finding: judged.finding, ..outcome.clone() });
            }
        }
        None
    }

    /// The states that no part leaves.
    fn intersection(&self, program: &Program) -> Option<Certificate> {
        let mut store = program.store.clone();
        let names: BTreeMap<String, Term> =
            program.variables.iter().map(|v| (v.name.to_string(), v.term)).collect();
        let always = store.bool(true);
        let mut all: Vec<Piece> = vec![(BTreeMap::new(), always)];
        for (part, outcome) in self.parts.iter().zip(&self.proofs) {
            let set = closed(outcome.as_ref()?)?;
            let own = pieces(set, part, program, &mut store, &names)?;
            let mut next = Vec::new();
            for (fixed, formula) in &all {
                for (others, other) in &own {
                    let agrees = |(id, value)| fixed.get(id).is_none_or(|known| known == value);
                    if !others.iter().all(agrees) {
                        continue;
                    }
                    let mut fixed = fixed.clone();
                    fixed.extend(others.iter().map(|(id, value)| (*id, value.clone())));
                    next.push((fixed, store.and([*formula, *other])));
                }
            }
            all = next;
            if all.len() > REGIONS {
                return None;
            }
        }
        let region =
            |(fixed, formula): Piece| Region { fixed: fixed.into_iter().collect(), formula };
        let fragment = all.into_iter().map(region).collect();
        let (points, prefix) = (Vec::new(), Vec::new());
        Some(Certificate::Closed(ClosedSet { store, points, prefix, fragment, quotient: None }))
    }
}

impl Check<'_> {
    /// Asks about the parts that are open, and puts the proofs together; no parts
    /// are left if they do not lead to one.
    pub(super) fn by_parts(
        &self,
        left: &mut Option<Parts>,
        property: Id<Property>,
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Option<Answer>, CheckError> {
        let Some(mut parts) = left.take() else { return Ok(None) };
        for at in 0..parts.parts.len() {
            if parts.proofs[at].is_some() {
                continue;
            }
            let open = parts.proofs.iter().filter(|proof| proof.is_none()).count() as u32;
            let most = budget.remaining().map(|left| left / (2 * open));
            let limits = budget.within(most.map_or(parts.limit, |most| most.min(parts.limit)));
            let found = match parts.alike(at, checkers, &limits) {
                Some(found) => found,
                None => self.of_part(&parts.parts[at], property, checkers, &limits)?,
            };
            match &found.finding {
                Finding::Proved(_) if closed(&found).is_some() => parts.proofs[at] = Some(found),
                Finding::Unknown(Why::Stopped(_)) => {
                    parts.limit *= GROWTH;
                    *left = Some(parts);
                    return Ok(None);
                }
                _ => return Ok(None),
            }
        }
        let program = &self.task.program;
        let Some(certificate) = parts.intersection(program) else { return Ok(None) };
        let finding = Finding::Proved(Box::new(certificate));
        let judged = checkers.judge(program, property, finding, budget);
        if !matches!(judged.finding, Finding::Proved(_)) {
            return Ok(None);
        }
        let Some(mut outcome) = parts.proofs.pop().flatten() else { return Ok(None) };
        for other in parts.proofs.iter().flatten() {
            outcome.statistics.solver_queries += other.statistics.solver_queries;
        }
        outcome.statistics.solver_queries += judged.queries;
        (outcome.finding, outcome.abstraction, outcome.graph) = (judged.finding, None, None);
        let (task, run, plain) = (None, None, None);
        Ok(Some(Answer { property, outcome, checked_by: judged.by, task, run, plain }))
    }

    /// Asks the engines about a part.
    fn of_part(
        &self,
        part: &Part,
        property: Id<Property>,
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Outcome, CheckError> {
        let own = |terms: &[Term]| -> Vec<Term> {
            let knows = |v: Term| part.program.slot(v).is_some();
            let store = &part.program.store;
            terms.iter().copied().filter(|t| store.vars(*t).into_iter().all(knows)).collect()
        };
        let task = Task {
            program: part.program.clone(),
            predicates: own(&self.task.predicates),
            templates: own(&self.task.templates),
            refused: Vec::new(),
            ..self.task.clone()
        };
        let watch = Within { property, watch: self.watch };
        // A part is worth longer turns than the whole. Sets of states that nobody leaves
        // can be intersected, reduced ones cannot.
        let unit = turns::FIRST * turns::GROWTH;
        let check = Check { unit, reduce: false, ..self.on(&task, &watch) };
        let engines: Vec<Box<dyn Engine>> = check.engines(&[])?;
        Ok(check.search(first(), &engines, checkers, budget)?.outcome)
    }
}

/// The set of states that a proof says are never left.
fn closed(outcome: &Outcome) -> Option<&ClosedSet> {
    match &outcome.finding {
        Finding::Proved(certificate) => match &**certificate {
            Certificate::Closed(set) => Some(set),
            _ => None,
        },
        _ => None,
    }
}

/// A formula with other variables in the place of its own, in another store.
fn moved(
    from: &TermStore,
    formula: Term,
    to: &mut TermStore,
    names: &BTreeMap<String, Term>,
) -> Option<Term> {
    to.read_smtlib_term(&from.smtlib(formula), &|name| names.get(name).copied()).ok()
}

/// A set of states of another program that has the same variables but for their
/// names.
fn renamed(
    set: &ClosedSet,
    program: &Program,
    names: &BTreeMap<String, Term>,
) -> Option<ClosedSet> {
    let mut store = program.store.clone();
    let mut all = |regions: &[Region]| -> Option<Vec<Region>> {
        let region = |r: &Region| {
            let formula = moved(&set.store, r.formula, &mut store, names)?;
            Some(Region { fixed: r.fixed.clone(), formula })
        };
        regions.iter().map(region).collect()
    };
    let (prefix, fragment) = (all(&set.prefix)?, all(&set.fragment)?);
    Some(ClosedSet { store, points: set.points.clone(), prefix, fragment, quotient: None })
}

/// All of a set as regions of the whole, one for each tuple of locations.
fn pieces(
    set: &ClosedSet,
    part: &Part,
    program: &Program,
    store: &mut TermStore,
    names: &BTreeMap<String, Term>,
) -> Option<Vec<Piece>> {
    let points = set.points.iter().map(|state| {
        let fixed = part.program.variables.ids().zip(state.iter().cloned()).collect();
        (fixed, None)
    });
    let regions = set.prefix.iter().chain(&set.fragment);
    let regions = regions.map(|region| (region.fixed.clone(), Some(region.formula)));
    let all: Vec<(Fixed, Option<Term>)> = points.chain(regions).collect();
    let mut found: BTreeMap<BTreeMap<Id<Variable>, Value>, Vec<Term>> = BTreeMap::new();
    for (fixed, formula) in all {
        let mut conditions = Vec::new();
        if let Some(formula) = formula {
            conditions.push(moved(&set.store, formula, store, names)?);
        }
        let mut place = BTreeMap::new();
        for (id, value) in &fixed {
            let id = part.variables[id.index()];
            let variable = &program.variables[id];
            if matches!(variable.role, Role::Control(_)) {
                place.insert(id, value.clone());
            } else {
                let value = store.constant(value.clone());
                conditions.push(store.eq(variable.term, value));
            }
        }
        let formula = store.and(conditions);
        found.entry(place).or_default().push(formula);
    }
    Some(found.into_iter().map(|(place, list)| (place, store.or(list))).collect())
}
