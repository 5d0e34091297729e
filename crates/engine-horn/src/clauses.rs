//! Programs as Horn clauses.
//!
//! Each place (a location of each process) that runs may pass on their way to
//! the target is a predicate over the variables that matter there. One clause
//! says where runs start, one for each step how they go on, and one for each
//! place that holds a target that they must not.
//!
//! Invariant: a solution, with the domains that all steps keep, is a closed set
//! of states without a target. Places from which control cannot get to a target
//! have no predicate; they are closed by themselves.

use parallax_base::{Budget, Id, IdVec};
use parallax_domain::Step;
use parallax_engine::Question;
use parallax_evidence::{Certificate, ClosedSet, Region};
use parallax_horn::{Applied, Clause, Predicate, Solution, System};
use parallax_invariant::{Control, closed_domains};
use parallax_ir::{Program, Transition, Variable};
use parallax_solver::Halt;
use parallax_solver::SolverConfig;
use parallax_term::{Substitution, Term, TermStore, Value};
use std::collections::{BTreeMap, BTreeSet};

/// Programs with more places are not translated.
const PLACES: usize = 20_000;

/// What a clause stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Where runs start.
    Start,
    /// A step by the transition with this index.
    Step(usize),
    /// A target at a place.
    Target,
}

/// A program as clauses, and what they were made from.
#[derive(Clone, Debug)]
pub struct Encoded {
    /// The clauses; their store has grown from the program's.
    pub system: System,
    /// What each clause stands for.
    pub origins: Vec<Origin>,
    /// The location of each process, by predicate.
    places: Vec<Box<[i64]>>,
    /// Places that are not on the way to a target.
    aside: Vec<Box<[i64]>>,
    /// That variables lie in the domains that all steps keep.
    domains: Term,
}

/// The steps of a program from one place.
struct Form {
    transition: usize,
    source: usize,
    target: usize,
    /// Guard and what inputs must satisfy, control gone.
    condition: Term,
    updates: BTreeMap<Id<Variable>, Term>,
}

/// Translates; `None` if there are too many places.
pub fn encode(
    question: Question<'_>,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Option<Encoded>, Halt> {
    let program = question.program;
    let mut store = program.store.clone();
    let transitions = program.transitions(&mut store);
    let Some(control) = Control::new(program, &transitions, PLACES, budget)? else {
        return Ok(None);
    };
    let domains = closed_domains(program, &mut store, &transitions, solver, budget)?;
    let (mut targets, mut forms) = (Vec::new(), Vec::new());
    for place in &control.places {
        let mut here = at(program, &mut store, place);
        targets.push(here.apply(&mut store, question.property().target));
    }
    for step in &control.steps {
        budget.check()?;
        let mut here = at(program, &mut store, &control.places[step.source]);
        let form = form(program, &mut store, &transitions[step.transition], &mut here);
        let Some((condition, updates)) = form else { continue };
        let (transition, source, target) = (step.transition, step.source, step.target);
        forms.push(Form { transition, source, target, condition, updates });
    }
    let wanted = on_the_way(&store, &targets, &forms);
    let live = live(program, &store, &targets, &forms);
    let builder = Builder { program, store, control: &control, domains, live };
    Ok(Some(builder.system(&wanted, &targets, &forms)))
}

/// Control variables have these values.
fn at(program: &Program, store: &mut TermStore, place: &[i64]) -> Substitution {
    let pairs = program.processes.iter().zip(place);
    Substitution::new(
        pairs
            .map(|(p, &at)| (program.variables[p.control].term, store.int(at)))
            .collect::<Vec<_>>(),
    )
}

/// Condition and updates of a transition, control gone; `None` if it is not
/// possible.
fn form(
    program: &Program,
    store: &mut TermStore,
    transition: &Transition,
    here: &mut Substitution,
) -> Option<(Term, BTreeMap<Id<Variable>, Term>)> {
    let step = Step::of(store, program, transition).without_control(program);
    let (condition, updates) = step.taken(store, here);
    if store.is_false(condition) {
        return None;
    }
    Some((condition, updates.iter().map(|u| (u.variable, u.value)).collect()))
}

/// Whether control can get from each place to one that holds a target.
fn on_the_way(store: &TermStore, targets: &[Term], forms: &[Form]) -> Vec<bool> {
    let mut entering = vec![Vec::new(); targets.len()];
    for form in forms {
        entering[form.target].push(form.source);
    }
    let mut wanted: Vec<bool> = targets.iter().map(|&t| !store.is_false(t)).collect();
    let mut open: Vec<usize> = (0..targets.len()).filter(|&place| wanted[place]).collect();
    while let Some(place) = open.pop() {
        for &source in &entering[place] {
            if !std::mem::replace(&mut wanted[source], true) {
                open.push(source);
            }
        }
    }
    wanted
}

/// The variables that may be read from each place on before they are written.
fn live(
    program: &Program,
    store: &TermStore,
    targets: &[Term],
    forms: &[Form],
) -> Vec<BTreeSet<Id<Variable>>> {
    let slots: BTreeMap<Term, Id<Variable>> =
        program.variables.iter_enumerated().map(|(id, v)| (v.term, id)).collect();
    let reads = |term: Term| store.vars(term).into_iter().filter_map(|t| slots.get(&t).copied());
    let mut live: Vec<BTreeSet<_>> = targets.iter().map(|&t| reads(t).collect()).collect();
    let conditions: Vec<BTreeSet<_>> = forms.iter().map(|f| reads(f.condition).collect()).collect();
    let mut entering = vec![Vec::new(); targets.len()];
    for (index, form) in forms.iter().enumerate() {
        entering[form.target].push(index);
    }
    let mut open: BTreeSet<usize> = (0..targets.len()).collect();
    while let Some(place) = open.pop_last() {
        for &index in &entering[place] {
            let (form, before) = (&forms[index], live[forms[index].source].len());
            let mut needed = conditions[index].clone();
            for id in &live[place] {
                match form.updates.get(id) {
                    Some(&value) => needed.extend(reads(value)),
                    None => drop(needed.insert(*id)),
                }
            }
            live[form.source].extend(needed);
            if live[form.source].len() != before {
                open.insert(form.source);
            }
        }
    }
    live
}

struct Builder<'a> {
    program: &'a Program,
    store: TermStore,
    control: &'a Control,
    /// Variables that no step takes out of their domains.
    domains: Vec<Id<Variable>>,
    live: Vec<BTreeSet<Id<Variable>>>,
}

impl Builder<'_> {
    fn system(mut self, wanted: &[bool], targets: &[Term], forms: &[Form]) -> Encoded {
        let mut predicates = IdVec::default();
        let (mut places, mut aside) = (Vec::new(), Vec::new());
        let mut ids = vec![None; wanted.len()];
        let mut names = BTreeSet::new();
        for (place, at) in self.control.places.iter().enumerate() {
            if !wanted[place] {
                aside.push(at.clone());
                continue;
            }
            let mut name = self.name(at);
            if !names.insert(name.clone()) {
                name = format!("{name}#{place}");
                names.insert(name.clone());
            }
            let variables = self.live[place].iter();
            let parameters = variables.map(|&v| self.program.variables[v].term).collect();
            ids[place] = Some(predicates.push(Predicate { name: name.into(), parameters }));
            places.push(at.clone());
        }
        let (mut clauses, mut origins) = (Vec::new(), Vec::new());
        let itself = |place: usize| {
            let predicate = ids[place]?;
            let arguments = predicates[predicate].parameters.clone();
            Some(Applied { predicate, arguments })
        };
        if let Some(head) = itself(0) {
            let mut here = at(self.program, &mut self.store, &self.control.places[0]);
            let initial = self.program.initial_formula(&mut self.store);
            let constraint = here.apply(&mut self.store, initial);
            clauses.push(Clause { body: Vec::new(), constraint, head: Some(head) });
            origins.push(Origin::Start);
        }
        for form in forms {
            let (Some(source), Some(mut head)) = (itself(form.source), itself(form.target)) else {
                continue;
            };
            let mut parts = vec![form.condition, self.within(Some(form.source))];
            for (argument, id) in head.arguments.iter_mut().zip(&self.live[form.target]) {
                let Some(&value) = form.updates.get(id) else { continue };
                *argument = value;
                if !matches!(self.store.node(value), parallax_term::Node::Var(..)) {
                    // Values share much with each other and with the condition.
                    let (name, sort) =
                        (format!("{}'", self.program.variables[*id].name), self.store.sort(value));
                    *argument = self.store.fresh(&name, sort);
                    parts.push(self.store.eq(*argument, value));
                }
            }
            let constraint = self.store.and(parts);
            clauses.push(Clause { body: vec![source], constraint, head: Some(head) });
            origins.push(Origin::Step(form.transition));
        }
        for (place, &target) in targets.iter().enumerate() {
            if self.store.is_false(target) {
                continue;
            }
            let within = self.within(Some(place));
            let constraint = self.store.and([target, within]);
            clauses.push(Clause {
                body: itself(place).into_iter().collect(),
                constraint,
                head: None,
            });
            origins.push(Origin::Target);
        }
        let domains = self.within(None);
        let system = System { store: self.store, predicates, clauses };
        Encoded { system, origins, places, aside, domains }
    }

    fn name(&self, place: &[i64]) -> String {
        let parts = self.program.processes.iter().zip(place).map(|(process, &at)| {
            let location = process.locations.as_slice().get(at as usize);
            location.map_or_else(|| at.to_string(), |l| l.name.to_string())
        });
        parts.collect::<Vec<_>>().join(",")
    }

    /// That variables lie in their domains: those that matter at a place, or all.
    fn within(&mut self, place: Option<usize>) -> Term {
        let matters = |id: &&Id<Variable>| place.is_none_or(|at| self.live[at].contains(id));
        let kept: Vec<_> = self.domains.iter().filter(matters).copied().collect();
        let variable = |id| &self.program.variables[id];
        let parts = kept.into_iter().map(variable);
        let parts: Vec<_> = parts.map(|v| v.domain.constraint(&mut self.store, v.term)).collect();
        self.store.and(parts)
    }
}

impl Encoded {
    /// The states that a solution allows, as a closed set.
    pub fn certificate(&self, program: &Program, solution: Solution) -> Certificate {
        let Solution { mut store, formulas } = solution;
        let mut fragment = Vec::new();
        let truth = store.bool(true);
        let on_the_way = self.places.iter().zip(&formulas).map(|(at, &f)| (at, f));
        let aside = self.aside.iter().map(|at| (at, truth));
        for (place, formula) in on_the_way.chain(aside) {
            let formula = store.and([formula, self.domains]);
            if store.is_false(formula) {
                continue;
            }
            let values = place.iter().map(|&at| Value::int(at));
            let mut fixed: Vec<_> =
                program.processes.iter().map(|p| p.control).zip(values).collect();
            fixed.sort_by_key(|(variable, _)| *variable);
            fragment.push(Region { fixed, formula });
        }
        Certificate::Closed(ClosedSet {
            store,
            points: Vec::new(),
            prefix: Vec::new(),
            fragment,
            quotient: None,
        })
    }
}
