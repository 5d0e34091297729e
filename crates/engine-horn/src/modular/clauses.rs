//! Proofs thread by thread, as Horn clauses.
//!
//! Each location of each process is a predicate over what the process knows there:
//! variables that several processes use and those that it alone uses
//! ([`Sight::Own`]), and where the others are ([`Sight::Places`]). Clauses say where
//! runs start, that a step keeps the annotation of who takes it, that it keeps those
//! of the others (*interference*), and that places of a target do not meet.
//!
//! Invariant: a solution is an annotation in the sense of Owicki and Gries. That all
//! processes are where their annotations hold is an inductive invariant, and it is
//! handed out as one. That there is no solution says nothing about the program.

use parallax_base::{Budget, Id, IdVec};
use parallax_engine::Question;
use parallax_evidence::{Certificate, ClosedSet, Region};
use parallax_horn::{Applied, Clause, Predicate, Solution, System};
use parallax_invariant::closed_domains;
use parallax_ir::{Program, Transition};
use parallax_solver::Halt;
use parallax_solver::SolverConfig;
use parallax_term::{Node, Substitution, Term, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// Programs with more clauses are not translated.
const CLAUSES: usize = 20_000;

/// What a process knows of the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Sight {
    /// What all share.
    Own,
    /// Where they are, as well.
    Places,
}

/// A program as clauses about its processes, one by one.
pub(super) struct Annotated {
    pub(super) system: System,
    /// The process and the location of each predicate.
    places: Vec<(usize, usize)>,
    domains: Term,
}

/// Who uses which variables, by position.
struct Uses {
    /// The processes that use a variable.
    by: Vec<BTreeSet<usize>>,
    /// Whether it can make a difference.
    matters: Vec<bool>,
}

impl Uses {
    fn new(program: &Program, store: &TermStore, transitions: &[Transition], target: Term) -> Uses {
        let slots: BTreeMap<Term, usize> =
            program.variables.iter().enumerate().map(|(slot, v)| (v.term, slot)).collect();
        let of = |term: Term| store.vars(term).into_iter().filter_map(|v| slots.get(&v).copied());
        let mut by = vec![BTreeSet::new(); program.variables.len()];
        let mut matters = vec![false; program.variables.len()];
        for slot in of(target) {
            matters[slot] = true;
        }
        for transition in transitions {
            let bounds = transition.inputs.iter().flat_map(|i| [i.low, i.high]).flatten();
            let conditions: Vec<Term> =
                bounds.chain([transition.guard, transition.constraint]).collect();
            let values = transition.updates.iter().map(|u| u.value);
            let read = conditions.iter().copied().chain(values).flat_map(of);
            let written = transition.updates.iter().map(|u| u.variable.index());
            for slot in read.chain(written) {
                by[slot].extend(transition.moves.iter().map(|m| m.process.index()));
            }
            for slot in conditions.into_iter().flat_map(of) {
                matters[slot] = true;
            }
        }
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for update in transitions.iter().flat_map(|t| &t.updates) {
                if matters[update.variable.index()] {
                    for slot in of(update.value) {
                        changed |= !std::mem::replace(&mut matters[slot], true);
                    }
                }
            }
        }
        Uses { by, matters }
    }
}

/// Translates; `None` if there are too many clauses.
pub(super) fn annotate(
    question: Question<'_>,
    sight: Sight,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<Option<Annotated>, Halt> {
    let program = question.program;
    let mut store = program.store.clone();
    let transitions = program.transitions(&mut store);
    let target = question.property().target;
    let uses = Uses::new(program, &store, &transitions, target);
    let kept = closed_domains(program, &mut store, &transitions, solver, budget)?;
    let parts: Vec<Term> = kept
        .iter()
        .map(|id| &program.variables[*id])
        .map(|v| v.domain.constraint(&mut store, v.term))
        .collect();
    let domains = store.and(parts);
    let mut builder = Builder {
        program,
        controls: program.processes.iter().map(|p| p.control.index()).collect(),
        store,
        domains,
        predicates: IdVec::default(),
        ids: Vec::new(),
        known: Vec::new(),
        clauses: Vec::new(),
    };
    let places = builder.predicates(&uses, sight);
    builder.starts();
    for transition in &transitions {
        budget.check()?;
        builder.steps(transition);
        if builder.clauses.len() > CLAUSES {
            return Ok(None);
        }
    }
    if !builder.targets(&uses, target) {
        return Ok(None);
    }
    let Builder { store, predicates, clauses, domains, .. } = builder;
    Ok(Some(Annotated { system: System { store, predicates, clauses }, places, domains }))
}

struct Builder<'a> {
    program: &'a Program,
    controls: Vec<usize>,
    store: TermStore,
    domains: Term,
    predicates: IdVec<Predicate>,
    /// By process and location.
    ids: Vec<Vec<Id<Predicate>>>,
    /// What each process knows, by position.
    known: Vec<Vec<usize>>,
    clauses: Vec<Clause>,
}

impl Builder<'_> {
    fn predicates(&mut self, uses: &Uses, sight: Sight) -> Vec<(usize, usize)> {
        let mut places = Vec::new();
        for (p, process) in self.program.processes.iter().enumerate() {
            let is_known = |slot: &usize| match self.controls.contains(slot) {
                true => sight == Sight::Places && *slot != self.controls[p],
                false => {
                    let by = &uses.by[*slot];
                    uses.matters[*slot] && (by.len() != 1 || by.contains(&p))
                }
            };
            let known: Vec<usize> = (0..self.program.variables.len()).filter(is_known).collect();
            let term = |slot: &usize| self.program.variables.as_slice()[*slot].term;
            let parameters: Box<[Term]> = known.iter().map(term).collect();
            let mut ids = Vec::new();
            for (l, location) in process.locations.iter().enumerate() {
                // Locations of one process need not have names of their own.
                let name = format!("{}@{}#{l}", process.name, location.name).into();
                ids.push(self.predicates.push(Predicate { name, parameters: parameters.to_vec() }));
                places.push((p, l));
            }
            self.ids.push(ids);
            self.known.push(known);
        }
        places
    }

    fn term(&self, slot: usize) -> Term {
        self.program.variables.as_slice()[slot].term
    }

    /// Some processes are at these locations.
    fn at(&mut self, places: &[(usize, usize)]) -> Substitution {
        let pair = |&(p, l): &(usize, usize)| {
            (self.program.variables.as_slice()[self.controls[p]].term, self.store.int(l as i64))
        };
        let pairs: Vec<_> = places.iter().map(pair).collect();
        Substitution::new(pairs)
    }

    /// A predicate of a process and a location, over the state before a step in which
    /// some processes are at known locations, or after it with new values for some
    /// variables.
    fn applied(
        &mut self,
        (p, l): (usize, usize),
        here: &mut Substitution,
        new: &BTreeMap<usize, Term>,
    ) -> Applied {
        let known = self.known[p].clone();
        let argument = |slot: usize| match new.get(&slot) {
            Some(&value) => value,
            None => {
                let term = self.term(slot);
                here.apply(&mut self.store, term)
            }
        };
        let mut argument = argument;
        let arguments = known.into_iter().map(&mut argument).collect();
        Applied { predicate: self.ids[p][l], arguments }
    }

    fn starts(&mut self) {
        let places: Vec<(usize, usize)> = self
            .program
            .processes
            .iter()
            .enumerate()
            .map(|(p, q)| (p, q.initial.index()))
            .collect();
        let mut here = self.at(&places);
        let initial = self.program.initial_formula(&mut self.store);
        let constraint = here.apply(&mut self.store, initial);
        for place in places {
            let head = Some(self.applied(place, &mut here, &BTreeMap::new()));
            self.clauses.push(Clause { body: Vec::new(), constraint, head });
        }
    }

    /// What a step does to those who take it and to everybody else.
    fn steps(&mut self, transition: &Transition) {
        let movers: Vec<(usize, usize)> =
            transition.moves.iter().map(|m| (m.process.index(), m.source.index())).collect();
        let mut new = BTreeMap::new();
        let mut equal = Vec::new();
        for update in &transition.updates {
            let slot = update.variable.index();
            let mut value = update.value;
            if !matches!(self.store.node(value), Node::Var(..) | Node::Value(_)) {
                let name = format!("{}'", self.program.variables[update.variable].name);
                let sort = self.store.sort(value);
                value = self.store.fresh(&name, sort);
                equal.push(self.store.eq(value, update.value));
            }
            new.insert(slot, value);
        }
        let bounds = transition.input_bounds(&mut self.store);
        let taken =
            self.store.and([transition.guard, bounds, self.domains].into_iter().chain(equal));
        for part in &transition.moves {
            let mut here = self.at(&movers);
            let head = self.applied((part.process.index(), part.target.index()), &mut here, &new);
            self.clause(&movers, taken, here, Some(head));
        }
        let others = (0..self.ids.len()).filter(|p| movers.iter().all(|(q, _)| p != q));
        for other in others.collect::<Vec<_>>() {
            if !self.known[other].iter().any(|slot| new.contains_key(slot)) {
                continue;
            }
            for location in 0..self.ids[other].len() {
                let mut all = movers.clone();
                all.push((other, location));
                let mut here = self.at(&all);
                let head = self.applied((other, location), &mut here, &new);
                self.clause(&all, taken, here, Some(head));
            }
        }
    }

    /// Processes are at these locations and a condition holds there: then the head.
    fn clause(
        &mut self,
        places: &[(usize, usize)],
        condition: Term,
        mut here: Substitution,
        head: Option<Applied>,
    ) {
        let constraint = here.apply(&mut self.store, condition);
        if self.store.is_false(constraint) {
            return;
        }
        let nothing = BTreeMap::new();
        let body = places.iter().map(|place| self.applied(*place, &mut here, &nothing)).collect();
        // Values may speak of where processes are.
        let head = head.map(|mut head| {
            for argument in &mut head.arguments {
                *argument = here.apply(&mut self.store, *argument);
            }
            head
        });
        self.clauses.push(Clause { body, constraint, head });
    }

    /// That no target lies where processes can be together; false if that takes too
    /// many clauses. Each alternative is asked of those processes alone that it is
    /// about.
    fn targets(&mut self, uses: &Uses, target: Term) -> bool {
        let alternatives = match self.store.node(target) {
            Node::Or(items) => items.to_vec(),
            _ => vec![target],
        };
        alternatives.into_iter().all(|alternative| self.target(uses, alternative))
    }

    fn target(&mut self, uses: &Uses, target: Term) -> bool {
        let slots = self.store.vars(target).into_iter().filter_map(|v| self.program.slot(v));
        let mut asked = BTreeSet::new();
        for slot in slots {
            match self.controls.iter().position(|control| *control == slot) {
                Some(process) => drop(asked.insert(process)),
                None if uses.by[slot].len() == 1 => asked.extend(uses.by[slot].iter().copied()),
                None => {}
            }
        }
        if asked.is_empty() {
            asked.extend((0..self.ids.len()).min_by_key(|p| self.ids[*p].len()));
        }
        let mut picks = vec![Vec::new()];
        for process in asked {
            let mut longer = Vec::new();
            for pick in picks {
                for location in 0..self.ids[process].len() {
                    let mut pick: Vec<(usize, usize)> = pick.clone();
                    pick.push((process, location));
                    let mut here = self.at(&pick);
                    let left = here.apply(&mut self.store, target);
                    if !self.store.is_false(left) {
                        longer.push(pick);
                    }
                }
            }
            if longer.len() + self.clauses.len() > CLAUSES {
                return false;
            }
            picks = longer;
        }
        let condition = self.store.and([target, self.domains]);
        for pick in picks {
            let here = self.at(&pick);
            self.clause(&pick, condition, here, None);
        }
        true
    }
}

impl Annotated {
    /// That all processes are where their annotations hold.
    pub(super) fn certificate(&self, program: &Program, solution: Solution) -> Certificate {
        let Solution { mut store, formulas } = solution;
        let mut parts = vec![self.domains];
        for (process, asked) in program.processes.iter_enumerated() {
            // A process is at one of its locations.
            let all = asked.locations.ids().map(|l| program.at(&mut store, process, l));
            let all: Vec<Term> = all.collect();
            parts.push(store.or(all));
        }
        for (&(process, location), &formula) in self.places.iter().zip(&formulas) {
            let at = program.at(&mut store, Id::new(process), Id::new(location));
            let elsewhere = store.not(at);
            parts.push(store.or([elsewhere, formula]));
        }
        let formula = store.and(parts);
        Certificate::Closed(ClosedSet {
            store,
            points: Vec::new(),
            prefix: Vec::new(),
            fragment: vec![Region { fixed: Vec::new(), formula }],
            quotient: None,
        })
    }
}
