//! One straight path through the blocks of an infeasible path.
//!
//! A block holds many paths of the program. Refinement looks at one of them,
//! one that the abstraction cannot tell from a run. What remains is a sequence of literals and
//! plain assignments, and its reason for being infeasible is short.

use super::bench::Bench;
use super::place::{Location, Place};
use parallax_domain::{Assignment, Step as Formula};
use parallax_solver::{Answer, Halt, Model};
use parallax_term::{Substitution, Term, Value};
use rustc_hash::FxHashMap;

/// A step without branches.
#[derive(Clone, Debug, Default)]
pub(crate) struct Straight {
    /// What must hold before it, over the program's symbols and the inputs.
    pub(crate) literals: Vec<Term>,
    /// What it assigns, over the same.
    pub(crate) updates: Vec<Assignment>,
}

/// What a conjunct says, over the program's symbols.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A condition of the step, or of the start.
    Condition(Term),
    /// What is tracked by value where the step leads.
    Tracked(Term),
    /// An assignment, or the domain of a variable.
    Other,
}

/// A conjunct of a straight path in single-assignment form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part {
    /// Which step it belongs to: 0 for the initial condition.
    pub(crate) position: usize,
    /// Over the versions of its position.
    pub(crate) formula: Term,
    /// What it came from.
    pub(crate) source: Source,
}

/// A straight infeasible path.
pub(crate) struct StraightPath {
    /// The steps; the last is a mere condition if the target is what fails.
    pub(crate) steps: Vec<Straight>,
    /// All conjuncts, in order of position.
    pub(crate) all: Vec<Part>,
    /// The conjuncts of an unsat core, in order of position.
    pub(crate) core: Vec<Part>,
    /// Per cut (after position `i`): from versions to the program's symbols.
    pub(crate) back: Vec<FxHashMap<Term, Term>>,
}

/// The path that a model takes through a transition.
fn straighten(
    bench: &mut Bench<'_>,
    location: &Location,
    transition: usize,
    model: &Model,
) -> Straight {
    let Formula { condition, updates, .. } =
        bench.formulas[transition].clone().without_control(bench.program);
    let condition = bench.at(&anywhere(location), condition);
    let terms: Vec<Term> = updates.iter().map(|u| u.value).collect();
    let implicant = implicant(bench, condition, &terms, model);
    let values = updates.iter().zip(implicant.terms);
    let updates = values.map(|(&update, value)| Assignment { value, ..update }).collect();
    Straight { literals: implicant.literals, updates }
}

/// A location with no value known.
pub(crate) fn anywhere(location: &Location) -> Place {
    Place { location: location.clone(), values: [].into() }
}

fn implicant(
    bench: &mut Bench<'_>,
    formula: Term,
    terms: &[Term],
    model: &Model,
) -> parallax_term::Implicant {
    let mut roots = terms.to_vec();
    roots.push(formula);
    let bools = bench.store.truth_terms(&roots);
    let values = model.eval_all(&bench.store, &bools);
    let truth: FxHashMap<Term, bool> =
        bools.into_iter().zip(values.into_iter().map(|v| v == Value::Bool(true))).collect();
    bench.store.implicant(formula, terms, |t| truth[&t])
}

/// A node of the path that is made straight.
pub(crate) struct Station {
    /// Control and tracked values.
    pub(crate) place: Place,
    /// What else is known there.
    pub(crate) state: Term,
    /// The predicates tracked there.
    pub(crate) predicates: Vec<Term>,
}

impl StraightPath {
    /// Picks a straight path through the stations that the abstraction cannot
    /// tell from a run: the state where one step ends and the state where the
    /// next begins agree on everything that is tracked. There is one station
    /// more than transitions; the path ends with the target at the last one, or
    /// with the last transition, which then leads to its values.
    pub(crate) fn new(
        bench: &mut Bench<'_>,
        stations: &[Station],
        transitions: &[usize],
        to_target: bool,
    ) -> Result<StraightPath, Halt> {
        let variables: Vec<Term> = bench.program.variables.iter().map(|v| v.term).collect();
        let mut steps = Vec::new();
        let mut goal = bench.store.bool(true);
        let count = transitions.len() + usize::from(to_target);
        for (i, station) in stations[..count].iter().enumerate().rev() {
            let location = &station.place.location;
            let here = bench.values_formula(&station.place);
            let transition = transitions.get(i).copied();
            let (condition, before) = match transition {
                Some(index) => {
                    let formula = bench.from(&station.place, index);
                    let mut back = bench.back(&station.place, &formula);
                    let mut before = back.apply(&mut bench.store, goal);
                    if let Some(next) = stations.get(i + 1) {
                        let values = bench.values_formula(&next.place);
                        let values = back.apply(&mut bench.store, values);
                        before = bench.store.and([before, values]);
                    }
                    (formula.condition, before)
                }
                None => (bench.at(&station.place, bench.target), goal),
            };
            let mut symbols = variables.clone();
            if let Some(index) = transition {
                symbols.extend(bench.formulas[index].input_symbols());
            }
            let mut model = bench.model(&[station.state, here, condition, before], &symbols)?;
            if model.is_none() {
                // The Cartesian abstraction joins what no step connects.
                model = bench.model(&[station.state, here, condition], &symbols)?;
            }
            let Some(model) = model else {
                return Err(Halt::GaveUp("an abstract step has no model".into()));
            };
            steps.push(match transition {
                Some(index) => straighten(bench, location, index, &model),
                None => {
                    let target = bench.at(&anywhere(location), bench.target);
                    let literals = implicant(bench, target, &[], &model).literals;
                    Straight { literals, updates: Vec::new() }
                }
            });
            let bits = model.eval_all(&bench.store, &station.predicates);
            let mut literals = Vec::new();
            for (&predicate, bit) in station.predicates.iter().zip(bits) {
                let holds = bit == Value::Bool(true);
                literals.push(if holds { predicate } else { bench.store.not(predicate) });
            }
            goal = bench.store.and(literals);
        }
        steps.reverse();
        let initial = bench.program.initial_formula(&mut bench.store);
        let initial = bench.at(&anywhere(&bench.initial_location()), initial);
        let mut path = StraightPath { steps, all: Vec::new(), core: Vec::new(), back: Vec::new() };
        path.all = path.parts(bench, initial, stations);
        path.core.clone_from(&path.all);
        path.reduce(bench)?;
        Ok(path)
    }

    /// Steps from a start, as conjuncts in single-assignment form, and per cut
    /// the way from versions to the program's symbols.
    pub(crate) fn unroll(
        bench: &mut Bench<'_>,
        start: Term,
        steps: Vec<Straight>,
    ) -> (Vec<Part>, Vec<FxHashMap<Term, Term>>) {
        let mut path = StraightPath { steps, all: Vec::new(), core: Vec::new(), back: Vec::new() };
        let parts = path.parts(bench, start, &[]);
        (parts, path.back)
    }

    /// The path as conjuncts in single-assignment form.
    fn parts(&mut self, bench: &mut Bench<'_>, start: Term, stations: &[Station]) -> Vec<Part> {
        let program = bench.program;
        let variables: Vec<Term> = program.variables.iter().map(|v| v.term).collect();
        let mut current = variables.clone();
        let mut parts = Vec::new();
        for literal in conjuncts(bench, start) {
            parts.push(Part { position: 0, formula: literal, source: Source::Condition(literal) });
        }
        self.back.push(FxHashMap::default());
        for (i, step) in self.steps.iter().enumerate() {
            let position = i + 1;
            let mut pairs: Vec<(Term, Term)> = Vec::new();
            for (&symbol, &now) in variables.iter().zip(&current) {
                pairs.push((symbol, now));
            }
            let mut symbols = Vec::new();
            for &term in step.literals.iter().chain(step.updates.iter().map(|u| &u.value)) {
                symbols.extend(bench.store.vars(term));
            }
            symbols.sort_unstable();
            symbols.dedup();
            let symbols_used = symbols.clone();
            for symbol in symbols {
                if program.slot(symbol).is_none() {
                    let sort = bench.store.sort(symbol);
                    pairs.push((symbol, bench.store.fresh("in", sort)));
                }
            }
            let mut here = Substitution::new(pairs);
            // What lies in its domain does so at every cut.
            for (variable, &now) in program.variables.iter().zip(&current) {
                if now != variable.term && symbols_used.contains(&variable.term) {
                    let formula = variable.domain.constraint(&mut bench.store, now);
                    for formula in conjuncts(bench, formula) {
                        parts.push(Part { position, formula, source: Source::Other });
                    }
                }
            }
            for &literal in &step.literals {
                let formula = here.apply(&mut bench.store, literal);
                parts.push(Part { position, formula, source: Source::Condition(literal) });
            }
            let mut next = current.clone();
            for &Assignment { variable, value, .. } in &step.updates {
                let value = here.apply(&mut bench.store, value);
                let sort = bench.store.sort(value);
                let name = program.variables[variable].name.clone();
                let version = bench.store.fresh(&name, sort);
                let formula = bench.store.eq(version, value);
                parts.push(Part { position, formula, source: Source::Other });
                next[variable.index()] = version;
            }
            for (variable, value) in
                stations.get(position).iter().flat_map(|s| s.place.values.iter())
            {
                let value = bench.store.constant(value.clone());
                let formula = bench.store.eq(next[variable.index()], value);
                let after = bench.store.eq(program.variables[*variable].term, value);
                parts.push(Part { position, formula, source: Source::Tracked(after) });
            }
            current = next;
            let back = current.iter().copied().zip(variables.iter().copied());
            self.back.push(back.filter(|(version, symbol)| version != symbol).collect());
        }
        parts.retain(|p| !bench.store.is_true(p.formula));
        parts
    }

    /// Leaves a small unsatisfiable part of the conjuncts.
    fn reduce(&mut self, bench: &mut Bench<'_>) -> Result<(), Halt> {
        if let Some(part) = self.core.iter().find(|p| bench.store.is_false(p.formula)) {
            self.core = vec![*part];
            return Ok(());
        }
        let mut kept = unsat_core(bench, &self.core)?
            .ok_or_else(|| Halt::GaveUp("a straight path is feasible".into()))?;
        // Later conjuncts go first: what is left talks about the beginning.
        if kept.len() <= MINIMIZE {
            let mut i = kept.len();
            while i > 0 {
                i -= 1;
                let mut fewer = kept.clone();
                fewer.remove(i);
                if let Some(smaller) = unsat_core(bench, &fewer)? {
                    kept = smaller;
                    i = i.min(kept.len());
                }
            }
        }
        self.core = kept;
        Ok(())
    }
}

/// Cores of more conjuncts are not made smaller.
const MINIMIZE: usize = 60;

/// The parts of an unsatisfiable subset; `None` if they can hold together.
fn unsat_core(bench: &mut Bench<'_>, parts: &[Part]) -> Result<Option<Vec<Part>>, Halt> {
    let mut by_term: FxHashMap<Term, Part> = FxHashMap::default();
    for part in parts {
        by_term.entry(part.formula).or_insert(*part);
    }
    let assumptions: Vec<Term> = {
        let mut seen = rustc_hash::FxHashSet::default();
        parts.iter().map(|p| p.formula).filter(|&t| seen.insert(t)).collect()
    };
    match bench.solver.check(&bench.store, &assumptions, bench.budget)? {
        Answer::Sat => Ok(None),
        Answer::Unknown(why) => Err(Halt::GaveUp(why)),
        Answer::Unsat => {
            let core = bench.solver.core().unwrap_or(assumptions);
            let mut kept: Vec<Part> = core.iter().filter_map(|t| by_term.get(t)).copied().collect();
            kept.sort_by_key(|p| (p.position, p.formula));
            Ok(Some(kept))
        }
    }
}

/// The conjuncts of a formula.
pub(crate) fn conjuncts(bench: &Bench<'_>, formula: Term) -> Vec<Term> {
    match bench.store.node(formula) {
        parallax_term::Node::And(items) => items.to_vec(),
        _ => vec![formula],
    }
}
