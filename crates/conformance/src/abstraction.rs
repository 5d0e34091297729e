//! A program as a transition system: states are a location and the truth of
//! predicates, and there is an edge wherever some state of the program takes
//! one (S. Graf and H. Saidi, CAV 1997).
//!
//! Successors are enumerated by models. A question about an edge mentions only
//! predicates that are connected with it by shared variables; the others keep
//! their truth, and answers are remembered, so a new predicate costs questions
//! only where it matters.

use crate::edges::{EdgeInfo, edges};
use parallax_base::Budget;
use parallax_domain::Query;
use parallax_evidence::Labelled;
use parallax_lts::{Edge, Lts, StateId, TAU};
use parallax_solver::{Halt, Solver, SolverConfig};
use parallax_term::{Term, TermStore, Value};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// So many successors of one state by one edge are too many.
const MOST: usize = 4096;

/// The abstraction of one program.
pub(crate) struct Model {
    /// The transition system; state 0 is before the first state of the program.
    pub(crate) lts: Lts,
    /// Location and truth of the predicates; none for state 0.
    pub(crate) states: Vec<(usize, Vec<bool>)>,
    /// The edges of the program behind an edge.
    pub(crate) behind: BTreeMap<(StateId, Edge), Vec<usize>>,
    /// The predicates.
    pub(crate) predicates: Vec<Term>,
}

impl Model {
    /// Whether the location of a state waits.
    pub(crate) fn waits(&self, waits: &[bool], state: StateId) -> bool {
        waits.get(self.states[state as usize].0).copied().unwrap_or(false)
    }
}

/// An edge, what is known before it, and the predicates that may change.
type Asked = (usize, Vec<(Term, bool)>, Vec<Term>);

type Successors = Rc<Vec<Vec<(Term, bool)>>>;

/// Asks the questions.
pub(crate) struct Abstractor<'a> {
    pub(crate) labelled: Labelled<'a>,
    pub(crate) store: TermStore,
    pub(crate) solver: Box<dyn Solver>,
    pub(crate) edges: Vec<EdgeInfo>,
    /// For each edge a solver that knows its condition.
    per_edge: Vec<Option<Box<dyn Solver>>>,
    config: SolverConfig,
    pub(crate) initial: Term,
    variables: FxHashMap<Term, Rc<BTreeSet<Term>>>,
    known: FxHashMap<Asked, Successors>,
    pub(crate) budget: Budget,
}

impl<'a> Abstractor<'a> {
    pub(crate) fn new(
        labelled: Labelled<'a>,
        solver: Box<dyn Solver>,
        config: &SolverConfig,
        budget: &Budget,
    ) -> Self {
        let mut store = labelled.program.store.clone();
        let edges = edges(&labelled, &mut store);
        let initial = labelled.program.initial_formula(&mut store);
        Abstractor {
            labelled,
            store,
            solver,
            per_edge: edges.iter().map(|_| None).collect(),
            config: config.clone(),
            edges,
            initial,
            variables: FxHashMap::default(),
            known: FxHashMap::default(),
            budget: budget.clone(),
        }
    }

    /// The variables of a predicate.
    fn variables_of(&mut self, predicate: Term) -> Rc<BTreeSet<Term>> {
        let store = &self.store;
        let all = || Rc::new(store.vars(predicate).into_iter().collect());
        Rc::clone(self.variables.entry(predicate).or_insert_with(all))
    }

    /// The solver of an edge.
    fn edge_solver(&mut self, edge: usize) -> Result<Box<dyn Solver>, Halt> {
        if let Some(solver) = self.per_edge[edge].take() {
            return Ok(solver);
        }
        let opened = self.config.open();
        let mut solver = opened.map_err(|error| Halt::GaveUp(format!("no solver: {error}")))?;
        solver.assert(&self.store, self.edges[edge].step.condition);
        Ok(solver)
    }

    /// How many questions all solvers were asked.
    pub(crate) fn queries(&self) -> u64 {
        let all = self.per_edge.iter().flatten().map(|solver| solver.statistics().queries);
        self.solver.statistics().queries + all.sum::<u64>()
    }

    /// Where an edge leads from the states with this truth of the predicates.
    fn post(
        &mut self,
        edge: usize,
        predicates: &[Term],
        truth: &[bool],
    ) -> Result<Vec<Vec<bool>>, Halt> {
        // The predicates that change, and those connected with the question.
        let sets: Vec<Rc<BTreeSet<Term>>> =
            predicates.iter().map(|&p| self.variables_of(p)).collect();
        let info = &self.edges[edge];
        let changes: Vec<usize> =
            (0..predicates.len()).filter(|&i| info.step.touches(&sets[i])).collect();
        let mut reach = info.reads.clone();
        for &index in &changes {
            reach.extend(sets[index].iter().copied());
            for update in info.step.updates.iter().filter(|u| sets[index].contains(&u.symbol)) {
                reach.extend(self.store.vars(update.value));
            }
        }
        let mut relevant = vec![false; predicates.len()];
        loop {
            let mut grown = false;
            for index in 0..predicates.len() {
                if !relevant[index] && sets[index].iter().any(|v| reach.contains(v)) {
                    relevant[index] = true;
                    reach.extend(sets[index].iter().copied());
                    grown = true;
                }
            }
            if !grown {
                break;
            }
        }
        let before: Vec<(Term, bool)> = (0..predicates.len())
            .filter(|&i| relevant[i])
            .map(|i| (predicates[i], truth[i]))
            .collect();
        let changing: Vec<Term> = changes.iter().map(|&i| predicates[i]).collect();
        let key = (edge, before, changing);
        let successors = match self.known.get(&key) {
            Some(known) => Rc::clone(known),
            None => {
                let condition = self.edges[edge].step.condition;
                // Most edges of a transition system that was put in.
                if self.store.is_true(condition) && key.1.is_empty() && key.2.is_empty() {
                    return Ok(vec![truth.to_vec()]);
                }
                let mut formulas = Vec::new();
                for &(predicate, truth) in &key.1 {
                    let literal = if truth { predicate } else { self.store.not(predicate) };
                    formulas.push(literal);
                }
                let images: Vec<Term> = key
                    .2
                    .iter()
                    .map(|&predicate| self.edges[edge].step.before(&mut self.store, predicate))
                    .collect();
                let mut solver = self.edge_solver(edge)?;
                let all = enumerate(
                    &mut self.store,
                    &mut *solver,
                    condition,
                    &formulas,
                    &images,
                    &self.budget,
                );
                self.per_edge[edge] = Some(solver);
                let all = all?;
                let named = |truth: Vec<bool>| key.2.iter().copied().zip(truth).collect();
                let all: Successors = Rc::new(all.into_iter().map(named).collect());
                self.known.insert(key, Rc::clone(&all));
                all
            }
        };
        let with = |changed: &Vec<(Term, bool)>| {
            let mut truth = truth.to_vec();
            for (&index, &(_, value)) in changes.iter().zip(changed) {
                truth[index] = value;
            }
            truth
        };
        Ok(successors.iter().map(with).collect())
    }

    /// The transition system for some predicates.
    pub(crate) fn model(&mut self, predicates: &[Term]) -> Result<Model, Halt> {
        let mut lts = Lts::new("I");
        for action in self.labelled.alphabet {
            lts.action(action);
        }
        lts.add_state();
        let mut model = Model {
            lts,
            states: vec![(usize::MAX, Vec::new())],
            behind: BTreeMap::new(),
            predicates: predicates.to_vec(),
        };
        let mut numbers: FxHashMap<(usize, Vec<bool>), StateId> = FxHashMap::default();
        let mut number = |model: &mut Model, state: (usize, Vec<bool>)| -> StateId {
            *numbers.entry(state).or_insert_with_key(|key| {
                model.states.push(key.clone());
                model.lts.add_state()
            })
        };
        let start = self.labelled.program.processes.iter().next().map_or(0, |p| p.initial.index());
        let initial = self.initial;
        let always = self.store.bool(true);
        let starts = enumerate(
            &mut self.store,
            &mut *self.solver,
            always,
            &[initial],
            predicates,
            &self.budget,
        )?;
        for truth in starts {
            let state = number(&mut model, (start, truth));
            model.lts.add_edge(0, TAU, state);
        }
        let mut leaving: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (index, edge) in self.edges.iter().enumerate() {
            leaving.entry(edge.source).or_default().push(index);
        }
        let mut next = 1;
        while next < model.states.len() {
            self.budget.check()?;
            let (location, truth) = model.states[next].clone();
            let from = next as StateId;
            next += 1;
            let mut found = Vec::new();
            for &edge in leaving.get(&location).map_or(&[][..], Vec::as_slice) {
                let target = self.edges[edge].target;
                let action = match self.edges[edge].action.clone() {
                    Some(action) => model.lts.action(&action),
                    None => TAU,
                };
                for truth in self.post(edge, predicates, &truth)? {
                    let to = number(&mut model, (target, truth));
                    let arrow = Edge { action, target: to };
                    model.behind.entry((from, arrow)).or_default().push(edge);
                    found.push(arrow);
                }
            }
            model.lts.set_edges(from, found);
        }
        Ok(model)
    }
}

/// All combinations of truth values of `images` in models of `formulas`, for a
/// solver that has `asserted` asserted.
fn enumerate(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    asserted: Term,
    formulas: &[Term],
    images: &[Term],
    budget: &Budget,
) -> Result<Vec<Vec<bool>>, Halt> {
    let mut symbols: BTreeSet<Term> = store.vars(asserted).into_iter().collect();
    for &term in formulas.iter().chain(images) {
        symbols.extend(store.vars(term));
    }
    let symbols: Vec<Term> = symbols.into_iter().collect();
    let mut query = Query { store, solver, budget };
    query.solver.push();
    for &formula in formulas {
        query.assert(formula);
    }
    let mut found = Vec::new();
    let listed = query.combinations(images, &symbols, None, &mut |values| {
        found.push(values.iter().map(|v| *v == Value::Bool(true)).collect());
        found.len() <= MOST
    });
    query.solver.pop();
    match listed? {
        true => Ok(found),
        false => Err(Halt::GaveUp("too many abstract successors".into())),
    }
}
