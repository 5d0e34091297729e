//! Unrolling level by level.
//!
//! The solver holds the conditions on the way to one node, a scope for each.
//! It is moved to another node only when a question has to be asked there; in
//! a level that is worked through from left to right most scopes stay.
//! Telling it all conditions again for each node was measured too: two to three
//! times slower where there are thousands of small questions, and no better
//! where there are few hard ones.

use super::ask::{Said, whole};
use super::tree::{Choice, NodeId, Tree};
use parallax_base::{Budget, Event};
use parallax_domain::{Step, Unrolling};
use parallax_engine::{Group, Question, Reduction, Resources};
use parallax_evidence::{Certificate, Finding, Statistics, Trace, Why};
use parallax_ir::{Interpreter, Program, State, Transition};
use parallax_solver::Halt;
use parallax_solver::{Solver, SolverError};
use parallax_term::{Code, Node, Scratch, Substitution, Term, TermStore};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Nodes between two messages to the observer.
const REPORT_EVERY: usize = 256;

/// A node whose steps have not been looked at.
pub(super) struct Open {
    id: NodeId,
    /// One term per variable.
    state: Rc<[Term]>,
    /// The conditions on the way to the node, in order.
    conditions: Rc<[Term]>,
    /// How often each input was chosen on the way.
    pub(super) chosen: Rc<BTreeMap<Term, u32>>,
    /// The last state of the concrete run to the node.
    pub(super) witness: Option<State>,
}

/// What became of a step.
enum Stepped {
    /// It leads to a target, or nobody knows.
    Found(Finding),
    /// Every state of the node can take it, and the search goes on from there.
    Surely,
    /// Not all can, or it leads nowhere new.
    Perhaps,
}

pub(super) struct Search<'a> {
    pub(super) program: &'a Program,
    pub(super) store: TermStore,
    pub(super) variables: Vec<Term>,
    pub(super) transitions: Vec<Transition>,
    /// The transitions as formulas.
    pub(super) steps: Vec<Step>,
    pub(super) interpreter: Interpreter,
    target: Term,
    /// The positions of the variables that the target mentions.
    target_slots: Vec<usize>,
    target_code: Code,
    scratch: Scratch,
    pub(super) solver: Box<dyn Solver>,
    pub(super) budget: &'a Budget,
    pub(super) tree: Tree,
    /// The nodes whose conditions the solver holds, from the root down.
    pub(super) asserted: Vec<NodeId>,
    /// The symbol of an input that was chosen so often before.
    pub(super) inputs: FxHashMap<(Term, u32), Term>,
    /// The conditions on the way to the nodes that go on, by state.
    met: FxHashMap<Rc<[Term]>, Vec<Rc<[Term]>>>,
    /// What is left out, if several processes move.
    reduction: Option<Reduction<'a>>,
    /// Why the tree is no proof, if it is none.
    doubt: Option<String>,
    /// All runs of up to this many steps were looked at.
    pub(super) depth: u32,
    rounds: u64,
}

impl<'a> Search<'a> {
    pub(super) fn new(
        question: Question<'a>,
        resources: Resources<'a>,
    ) -> Result<Search<'a>, SolverError> {
        let program = question.program;
        let mut store = program.store.clone();
        let transitions = program.transitions(&mut store);
        let steps = transitions.iter().map(|t| Step::of(&mut store, program, t)).collect();
        let target = question.property().target;
        let target_slots = store.vars(target).into_iter().filter_map(|v| program.slot(v)).collect();
        let truth = store.bool(true);
        Ok(Search {
            program,
            variables: program.variables.iter().map(|v| v.term).collect(),
            transitions,
            steps,
            interpreter: Interpreter::new(program),
            target,
            target_slots,
            target_code: Code::compile(&store, &[target], |t| program.slot(t)),
            scratch: Scratch::default(),
            solver: resources.solver.open()?,
            budget: resources.budget,
            tree: Tree::new(truth, Choice::Missing),
            asserted: Vec::new(),
            inputs: FxHashMap::default(),
            met: FxHashMap::default(),
            reduction: Reduction::new(question, resources).map(Reduction::without_solver),
            doubt: None,
            depth: 0,
            rounds: 0,
            store,
        })
    }

    /// The figures so far.
    pub(super) fn statistics(&self, budget: &Budget) -> Statistics {
        Statistics {
            iterations: self.rounds,
            states: self.tree.len() as u64,
            solver_queries: self.solver.statistics().queries,
            time: budget.elapsed(),
            peak_memory_bytes: parallax_base::peak_memory_bytes(),
            ..Statistics::default()
        }
    }

    /// Unrolls until a target is found, nothing is left or a limit is reached.
    pub(super) fn run(&mut self, limit: Option<u32>) -> Result<Finding, Halt> {
        let mut level = Vec::new();
        if let Some(found) = self.start(&mut level)? {
            return Ok(found);
        }
        while !level.is_empty() {
            if limit.is_some_and(|limit| self.depth >= limit) {
                let what = format!("runs of more than {} steps are not looked at", self.depth);
                return Ok(Finding::Unknown(Why::NoProgress(what)));
            }
            self.rounds += 1;
            self.budget.notice(Event::Iteration { number: self.rounds, predicates: 0 });
            let mut next = Vec::new();
            for open in level {
                if let Some(found) = self.expand(&open, &mut next)? {
                    return Ok(found);
                }
            }
            level = next;
            self.depth += 1;
            self.progress();
        }
        Ok(match self.doubt.take() {
            Some(why) => Finding::Unknown(Why::SolverGaveUp(why)),
            None => Finding::Proved(Box::new(Certificate::Unrolling(self.tree.unrolling()))),
        })
    }

    fn progress(&self) {
        self.budget.notice(Event::Progress {
            states: self.tree.len() as u64,
            abstract_states: 0,
            queries: self.solver.statistics().queries,
        });
    }

    /// The root: symbols of variables stand for initial values.
    fn start(&mut self, level: &mut Vec<Open>) -> Result<Option<Finding>, Halt> {
        let (unrolling, condition) = Unrolling::start(&mut self.store, self.program);
        self.tree = Tree::new(condition, Choice::Missing);
        let (choice, witness) = match self.program.init.fixed_state() {
            _ if self.store.is_false(condition) => return Ok(None),
            Some(values) if self.store.is_true(condition) => {
                let state = State::new(values);
                (Choice::Whole(state.clone(), Vec::new()), Some(state))
            }
            _ => {
                let truth = self.store.bool(true);
                match self.ask(Tree::ROOT, truth, None)? {
                    Said::No => return Ok(None),
                    Said::Maybe(_) => (Choice::Missing, None),
                    Said::Yes(trace) => whole(trace),
                }
            }
        };
        self.tree = Tree::new(condition, choice);
        let state: Rc<[Term]> = unrolling.state().into();
        let conditions = self.conditions(condition, &[]);
        self.is_new(&state, &conditions);
        let chosen = Rc::default();
        self.arrive(Open { id: Tree::ROOT, state, conditions, chosen, witness }, level)
    }

    /// A node has been added. Finds a target there, or leaves it for later.
    fn arrive(&mut self, open: Open, level: &mut Vec<Open>) -> Result<Option<Finding>, Halt> {
        if self.tree.len().is_multiple_of(REPORT_EVERY) {
            self.progress();
        }
        if let Some(found) = self.target(&open)? {
            return Ok(Some(Finding::Reached(Box::new(found))));
        }
        level.push(open);
        Ok(None)
    }

    /// A run to a target at a node.
    fn target(&mut self, open: &Open) -> Result<Option<Trace>, Halt> {
        let pairs = self.target_slots.iter().map(|&slot| (self.variables[slot], open.state[slot]));
        let target = Substitution::new(pairs).apply(&mut self.store, self.target);
        if self.store.is_false(target) {
            return Ok(None);
        }
        let is_target = |state: &State| self.target_code.test(state, &mut self.scratch);
        if open.witness.as_ref().is_some_and(is_target)
            && let Some(trace) = self.tree.trace(open.id, &mut self.interpreter)
        {
            return Ok(Some(trace));
        }
        match self.ask(open.id, target, None)? {
            Said::No => Ok(None),
            Said::Yes(Some(trace)) => Ok(Some(trace)),
            Said::Yes(None) => self.doubtful("a model has no exact values".into()),
            Said::Maybe(why) => self.doubtful(why),
        }
    }

    fn doubtful(&mut self, why: String) -> Result<Option<Trace>, Halt> {
        self.doubt.get_or_insert(why);
        Ok(None)
    }

    /// Adds a child for every transition that can be taken at a node.
    fn expand(&mut self, open: &Open, level: &mut Vec<Open>) -> Result<Option<Finding>, Halt> {
        self.budget.check()?;
        let possible: Vec<usize> =
            (0..self.transitions.len()).filter(|&t| self.may_start(t, &open.state)).collect();
        let mut pairs: Vec<(Term, Term)> =
            self.variables.iter().copied().zip(open.state.iter().copied()).collect();
        for &index in &possible {
            pairs.extend(self.input_symbols(index, &open.chosen));
        }
        let mut here = Substitution::new(pairs);
        let group = self.group(&open.state);
        let is_own = |group: &Group, t: &usize| group.own.contains(t);
        let (first, rest): (Vec<usize>, Vec<usize>) =
            possible.into_iter().partition(|t| group.as_ref().is_none_or(|g| is_own(g, t)));
        let mut goes_on = false;
        for index in first {
            match self.step(open, index, &mut here, level)? {
                Stepped::Found(found) => return Ok(Some(found)),
                Stepped::Surely => goes_on = true,
                Stepped::Perhaps => {}
            }
        }
        // Others must not be put off for ever.
        match group {
            Some(group) if goes_on || !group.may_starve => {
                self.tree.reduce(open.id, group.processes);
                return Ok(None);
            }
            _ => {}
        }
        for index in rest {
            if let Stepped::Found(found) = self.step(open, index, &mut here, level)? {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// The processes whose steps suffice from a state; `None` if all have to move.
    fn group(&mut self, state: &[Term]) -> Option<Group> {
        let reduction = self.reduction.as_mut()?;
        let store = &self.store;
        let at = |slot: &usize| store.int_value(state[*slot]).and_then(|i| i.to_i64());
        let locations: Option<Vec<usize>> =
            reduction.controls().iter().map(|slot| usize::try_from(at(slot)?).ok()).collect();
        let locations = locations?;
        let may = reduction.may_at(store, state);
        reduction.groups(&locations, &may).first().cloned()
    }

    /// Takes one step from a node, if it is possible.
    fn step(
        &mut self,
        open: &Open,
        index: usize,
        here: &mut Substitution,
        level: &mut Vec<Open>,
    ) -> Result<Stepped, Halt> {
        let condition = here.apply(&mut self.store, self.steps[index].condition);
        if self.store.is_false(condition) {
            return Ok(Stepped::Perhaps);
        }
        let (choice, witness) = match self.continued(open, index) {
            Some((inputs, state)) => (Choice::Longer(inputs), Some(state)),
            None => match self.ask(open.id, condition, Some(index))? {
                Said::No => return Ok(Stepped::Perhaps),
                Said::Maybe(_) => (Choice::Missing, None),
                Said::Yes(trace) => whole(trace),
            },
        };
        let state = self.steps[index].image(&mut self.store, here, &open.state);
        let state: Rc<[Term]> = state.into();
        let id = self.tree.add(open.id, index, condition, choice);
        let conditions = self.conditions(condition, &open.conditions);
        if !self.is_new(&state, &conditions) {
            return Ok(Stepped::Perhaps);
        }
        let mut chosen = Rc::clone(&open.chosen);
        for input in &self.transitions[index].inputs {
            *Rc::make_mut(&mut chosen).entry(input.term).or_default() += 1;
        }
        if let Some(found) = self.arrive(Open { id, state, conditions, chosen, witness }, level)? {
            return Ok(Stepped::Found(found));
        }
        let is_sure =
            self.store.is_true(condition) && self.store.is_true(self.transitions[index].constraint);
        Ok(if is_sure { Stepped::Surely } else { Stepped::Perhaps })
    }

    /// The conditions on the way to a node, from those on the way to the one above.
    fn conditions(&self, own: Term, above: &[Term]) -> Rc<[Term]> {
        let mut all = above.to_vec();
        match self.store.node(own) {
            _ if self.store.is_true(own) => {}
            Node::And(parts) => all.extend(parts.iter().copied()),
            _ => all.push(own),
        }
        all.sort_unstable();
        all.dedup();
        all.into()
    }

    /// Whether a node is no repetition: none that goes on has its state, and no
    /// conditions but some of its own.
    fn is_new(&mut self, state: &Rc<[Term]>, conditions: &Rc<[Term]>) -> bool {
        let known = self.met.entry(Rc::clone(state)).or_default();
        let is_part = |one: &[Term]| {
            let mut rest = conditions.iter();
            one.iter().all(|term| rest.any(|other| other == term))
        };
        let is_new = !known.iter().any(|one| is_part(one));
        if is_new {
            known.push(Rc::clone(conditions));
        }
        is_new
    }

    /// False if a process that has to move is known to be elsewhere.
    fn may_start(&self, transition: usize, state: &[Term]) -> bool {
        self.transitions[transition].moves.iter().all(|part| {
            let control = self.program.processes[part.process].control;
            let at = self.store.int_value(state[control.index()]).and_then(|i| i.to_i64());
            at.is_none_or(|at| at == part.source.index() as i64)
        })
    }
}
