//! What no model passes, for goals that a stopped search left open: `O` of the
//! thesis.
//!
//! First without a solver: a conjunct that is a comparison holds of all models,
//! and of a conjunct that is a disjunction one part does. So a goal is bounded by
//! the [`Hull`] of the models, by its maximum over the comparisons alone, and by
//! the largest of its maxima over them with one part after the other. The solver
//! is asked whether it agrees, about the hull first, since that is there at once
//! for all goals and stays if there is no time to ask, or further and further above what was reached.

use crate::End;
use crate::climb::{Climber, above};
use crate::hull::Hull;
use crate::polyhedron::{Best, Polyhedron};
use crate::prepare::Plain;
use crate::state::{Reached, State};
use parallax_base::Budget;
use parallax_solver::SolverConfig;
use parallax_term::{Node, Rat, Sort, Term, TermStore};
use std::time::Duration;

/// Disjunctions that are looked at, and how many parts they may have.
const CLAUSES: usize = 200;
const PARTS: usize = 12;

/// How often the solver is asked about one goal, further up each time.
const QUESTIONS: u32 = 12;

/// Looks for limits of all open goals for some time.
pub(crate) fn limits(state: &mut State<'_>, solver: &SolverConfig, time: Duration) {
    let budget = Budget::new(Some(time), None);
    let plain = Plain::new(state);
    let relaxed = Relaxed::new(&plain.store, plain.formula);
    let goals = plain.goals.clone();
    let hull = Hull::of(&plain.store, &relaxed.literals, &relaxed.clauses);
    let part = budget.within(time / 3);
    let mut open: Vec<usize> = state.open();
    open.retain(|&goal| state.goals[goal].limit.is_none());
    let Ok(mut climber) = Climber::new(plain, solver) else { return };
    let mut boxed = vec![None; goals.len()];
    for (&goal, left) in open.iter().zip((1..=open.len() as u32).rev()) {
        let Some(most) = hull.most(&climber.store, goals[goal]) else { continue };
        let share = budget.remaining().map_or(time, |rest| rest / left);
        match confirmed(state, &mut climber, goal, &most, &budget.within(share)) {
            Ok(true) => boxed[goal] = Some(most),
            Ok(false) => {}
            // It follows, and the checker has the last word.
            Err(_) => {
                state.limit(goal, most.clone());
                boxed[goal] = Some(most);
            }
        }
    }
    let mut guesses: Vec<(usize, Option<Rat>)> = Vec::new();
    for &goal in &open {
        let guess = maximum(&climber.store, &relaxed.literals, goals[goal], &part);
        guesses.push((goal, guess.and_then(|most| most.value(&climber.store, goals[goal]))));
    }
    // Disjunctions are for those that the rest leaves open, and then for all.
    for is_bounded in [false, true] {
        for (goal, guess) in guesses.iter_mut().filter(|(_, g)| g.is_some() == is_bounded) {
            let better = relaxed.most(&climber.store, goals[*goal], &part);
            *guess = match (guess.take(), better) {
                (Some(old), Some(new)) => Some(old.min(new)),
                (old, new) => new.or(old),
            };
        }
    }
    let mut left = guesses.len() as u32;
    for (goal, guess) in guesses {
        let share = budget.remaining().map_or(time, |rest| rest / left.max(1));
        left -= 1;
        if budget.check().is_err() {
            return;
        }
        // What is no better than the box is not asked.
        let guess = guess.filter(|value| boxed[goal].as_ref().is_none_or(|most| value < most));
        let _ = limit(state, &mut climber, goal, guess, &budget.within(share));
    }
}

/// Whether the solver agrees that no model passes a value.
fn confirmed(
    state: &mut State<'_>,
    climber: &mut Climber,
    goal: usize,
    value: &Rat,
    budget: &Budget,
) -> Result<bool, End> {
    let beyond = above(&mut climber.store, climber.goals[goal], value, true);
    // Whoever does not answer this does not answer the rest.
    let is_limit = climber.ask(state, &[beyond], budget)?.is_none();
    if is_limit {
        state.limit(goal, value.clone());
    }
    Ok(is_limit)
}

/// Looks for a limit of one goal.
fn limit(
    state: &mut State<'_>,
    climber: &mut Climber,
    goal: usize,
    guess: Option<Rat>,
    budget: &Budget,
) -> Result<(), End> {
    if let Some(value) = guess
        && confirmed(state, climber, goal, &value, budget)?
    {
        return Ok(());
    }
    let mut stride = Rat::ZERO;
    let question = budget.remaining().map_or(Duration::from_secs(1), |left| left / QUESTIONS);
    for _ in 0..QUESTIONS {
        budget.check()?;
        let reached = match &state.goals[goal].reached {
            Some(Reached::Value(value, _) | Reached::Approached(value, ..)) => value.clone(),
            Some(Reached::Unbounded(..)) => return Ok(()),
            None => Rat::ZERO,
        };
        let value = &reached + &stride;
        if state.goals[goal].limit.as_ref().is_some_and(|known| *known <= value) {
            return Ok(());
        }
        let beyond = above(&mut climber.store, climber.goals[goal], &value, true);
        match climber.ask(state, &[beyond], &budget.within(question)) {
            Ok(None) => {
                state.limit(goal, value);
                return Ok(());
            }
            Ok(Some(model)) => {
                climber.join(state, &model);
            }
            Err(End::Failed(failed)) => return Err(End::Failed(failed)),
            Err(End::Open(_)) => {}
        }
        stride = &(&stride * &Rat::from(8)) + &Rat::ONE;
    }
    Ok(())
}

/// What holds of all models without a search.
struct Relaxed {
    literals: Vec<Term>,
    /// The parts of each disjunction, each as literals.
    clauses: Vec<Vec<Vec<Term>>>,
}

impl Relaxed {
    fn new(store: &TermStore, formula: Term) -> Relaxed {
        let mut relaxed = Relaxed { literals: Vec::new(), clauses: Vec::new() };
        for part in conjuncts(store, formula) {
            match store.node(part) {
                Node::Or(items) if items.len() <= PARTS && relaxed.clauses.len() < CLAUSES => {
                    let parts = items.iter().map(|&item| conjuncts(store, item)).collect();
                    relaxed.clauses.push(parts);
                }
                _ => relaxed.literals.push(part),
            }
        }
        relaxed
    }

    /// A value that a goal does not pass.
    fn most(&self, store: &TermStore, goal: Term, budget: &Budget) -> Option<Rat> {
        let mut least = maximum(store, &self.literals, goal, budget)?;
        for clause in &self.clauses {
            let mut greatest: Most = Most::Empty;
            for part in clause {
                let all = [&self.literals[..], part].concat();
                match maximum(store, &all, goal, budget) {
                    Some(most) => greatest = greatest.max(most),
                    None => {
                        greatest = Most::Unbounded;
                        break;
                    }
                }
            }
            least = least.min(greatest);
        }
        least.value(store, goal)
    }
}

/// How far a goal reaches, from nowhere to everywhere.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Most {
    Empty,
    Value(Rat),
    Unbounded,
}

impl Most {
    /// The value that a goal does not pass, if there is one.
    fn value(self, store: &TermStore, goal: Term) -> Option<Rat> {
        match self {
            Most::Value(value) if store.sort(goal) == Sort::Int => Some(Rat::from(value.floor())),
            Most::Value(value) => Some(value),
            _ => None,
        }
    }
}

/// The maximum of a goal over the reals that satisfy some literals; `None` if
/// it takes too long.
fn maximum(store: &TermStore, literals: &[Term], goal: Term, budget: &Budget) -> Option<Most> {
    let mut polyhedron = Polyhedron::new(store, literals).over_reals();
    let Some(columns) = polyhedron.goal(store, goal) else { return Some(Most::Unbounded) };
    let constant = store.linear(goal).constant_part().clone();
    Some(match polyhedron.maximize(&columns, budget).ok()? {
        Best::Point(value, _) | Best::Segment(value, ..) => Most::Value(&value + &constant),
        Best::Ray(_) => Most::Unbounded,
        Best::Nothing => Most::Empty,
    })
}

fn conjuncts(store: &TermStore, formula: Term) -> Vec<Term> {
    let (mut found, mut open) = (Vec::new(), vec![formula]);
    while let Some(term) = open.pop() {
        match store.node(term) {
            Node::And(items) => open.extend(items.iter().rev()),
            _ => found.push(term),
        }
    }
    found
}
