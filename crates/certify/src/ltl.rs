//! Formulas of linear temporal logic: rankings and infinite runs.
//!
//! **Rankings.** See `parallax_evidence::Ranking` for what is claimed. Let a
//! run violate the formula, so that its word satisfies the negation. By the
//! statement proved in `parallax_ltl`'s `progress.rs` there is a sequence of
//! obligations along the word, each a successor of the one before, such that
//! no until is postponed at every position from some position on. By claims 1
//! and 2 every state of the run is listed with its obligations, and the ranks
//! do not grow; they are natural numbers, so from some position on the rank is
//! the same, and by claim 3 one until is postponed at each of them. There is
//! no such run. Claims are checked pair by pair: states by the interpreter,
//! obligations by progression. No automaton and no search for cycles is
//! involved.
//!
//! **Runs.** A violation is a run that closes to a cycle, or ends where no step
//! is possible and stays there. Its word is evaluated on the formula as it was
//! written.

use crate::{Accepted, Rejected};
use parallax_base::{Budget, Id};
use parallax_evidence::{Ranking, Trace};
use parallax_ir::{Choices, Interpreter, Letters, Program, State, Temporal};
use parallax_ltl::{Lasso, Progression, Sub};
use rustc_hash::FxHashMap;

/// More choices of inputs in one step than this are refused.
const CHOICE_LIMIT: usize = 4096;

/// Accepts a run, which was replayed before, if it is infinite and its word
/// does not satisfy the formula.
pub(crate) fn violates(
    program: &Program,
    temporal: &Temporal,
    trace: &Trace,
    interpreter: &mut Interpreter,
) -> Result<(), Rejected> {
    let count = trace.steps.len();
    let Some(cycle) = trace.cycle.filter(|c| *c <= count) else {
        return Err(Rejected::Malformed("the run is not infinite".into()));
    };
    if cycle == count {
        if !successors(interpreter, trace.last())?.is_empty() {
            return Err(Rejected::Step("the run ends where a step is possible".into()));
        }
    } else if trace.state(cycle) != Some(trace.last()) {
        return Err(Rejected::Step("the run does not lead back to where its cycle begins".into()));
    }
    breaks(program, temporal, trace, cycle)
}

/// Accepts a run that is known to repeat its letters from `cycle` on, if its word
/// does not satisfy the formula.
pub(crate) fn breaks(
    program: &Program,
    temporal: &Temporal,
    trace: &Trace,
    cycle: usize,
) -> Result<(), Rejected> {
    let count = trace.steps.len();
    let mut letters = Letters::new(program, temporal);
    let mut word = |positions: std::ops::Range<usize>| -> Vec<u64> {
        positions.filter_map(|i| trace.state(i)).map(|state| letters.of(state)).collect()
    };
    let lasso = Lasso { stem: word(0..cycle), cycle: word(cycle..count.max(cycle + 1)) };
    if lasso.cycle.is_empty() || lasso.satisfies(&temporal.formula) {
        return Err(Rejected::Target("the run satisfies the formula".into()));
    }
    Ok(())
}

/// The states after a state; none if no step is possible.
fn successors(interpreter: &mut Interpreter, state: &State) -> Result<Vec<State>, Rejected> {
    let mut found = Vec::new();
    for index in interpreter.candidates(state) {
        if !interpreter.is_enabled(state, index) {
            continue;
        }
        let Choices::All(all) = interpreter.choices(state, index, CHOICE_LIMIT) else {
            return Err(Rejected::Step("a step has too many results to look at each".into()));
        };
        found.extend(all.iter().map(|inputs| interpreter.fire(state, index, inputs)));
    }
    Ok(found)
}

/// Accepts the ranking if it shows that every run satisfies the formula.
pub(crate) fn check(
    program: &Program,
    temporal: &Temporal,
    ranking: &Ranking,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let progression = Progression::new(&temporal.formula, true);
    let mut checker = Checker::new(program, temporal, ranking, progression)?;
    checker.initial()?;
    for (i, node) in ranking.nodes.iter().enumerate() {
        if i.is_multiple_of(256) {
            budget.check()?;
        }
        checker.node((node.state, node.obligations), node.rank, budget)?;
    }
    let evaluated = checker.following.iter().flatten().count() as u64;
    Ok(Accepted { evaluated, ..Accepted::default() })
}

/// The successors of a set of obligations: the set, and what is postponed.
type Ways = Vec<(u32, Vec<Sub>)>;

struct Checker<'a> {
    ranking: &'a Ranking,
    interpreter: Interpreter,
    letters: Letters,
    progression: Progression,
    states: FxHashMap<&'a State, u32>,
    sets: FxHashMap<Vec<Sub>, u32>,
    ranks: FxHashMap<(u32, u32), u32>,
    /// The successors of each state, once they were needed.
    following: Vec<Option<Vec<u32>>>,
    ways: FxHashMap<(u32, u64), Ways>,
}

impl<'a> Checker<'a> {
    /// Everything that is listed speaks about this program and this formula.
    fn new(
        program: &Program,
        temporal: &Temporal,
        ranking: &'a Ranking,
        progression: Progression,
    ) -> Result<Checker<'a>, Rejected> {
        let malformed = |what: &str| Rejected::Malformed(what.into());
        for state in &ranking.states {
            let fits = state.len() == program.variables.len()
                && state.iter().zip(&program.variables).all(|(v, d)| v.sort() == d.domain.sort());
            if !fits {
                return Err(malformed("a state is not one of the program"));
            }
        }
        let mut sets = FxHashMap::default();
        for (i, set) in ranking.obligations.iter().enumerate() {
            if !set.iter().all(|part| progression.has_part(*part as usize)) {
                return Err(malformed("an obligation is no part of the formula"));
            }
            sets.insert(set.iter().map(|part| Id::new(*part as usize)).collect(), i as u32);
        }
        let mut ranks = FxHashMap::default();
        for node in &ranking.nodes {
            let known = (node.state as usize) < ranking.states.len()
                && (node.obligations as usize) < ranking.obligations.len()
                && (node.rank as usize) < ranking.blamed.len();
            if !known || ranks.insert((node.state, node.obligations), node.rank).is_some() {
                return Err(malformed("a pair is out of range, or listed twice"));
            }
        }
        Ok(Checker {
            ranking,
            interpreter: Interpreter::new(program),
            letters: Letters::new(program, temporal),
            progression,
            states: ranking.states.iter().zip(0..).collect(),
            sets,
            ranks,
            following: vec![None; ranking.states.len()],
            ways: FxHashMap::default(),
        })
    }

    /// Every initial state is listed with the obligations to begin with.
    fn initial(&mut self) -> Result<(), Rejected> {
        if !self.interpreter.has_listable_initial_states() {
            return Err(Rejected::Initial("there are too many to look at each".into()));
        }
        let begin = self.sets.get(&self.progression.initial()).copied();
        for state in self.interpreter.initial_states() {
            let state = self.states.get(&state).copied();
            let listed = state.zip(begin).is_some_and(|pair| self.ranks.contains_key(&pair));
            if !listed {
                return Err(Rejected::Initial("one is not listed".into()));
            }
        }
        Ok(())
    }

    /// Whatever comes after a pair is listed, and its rank is as claimed.
    fn node(&mut self, pair: (u32, u32), rank: u32, budget: &Budget) -> Result<(), Rejected> {
        let (state, set) = pair;
        self.follow(state)?;
        let letter = self.letters.of(&self.ranking.states[state as usize]);
        if !self.ways.contains_key(&(set, letter)) {
            let ways = self.successors(set, letter, budget)?;
            self.ways.insert((set, letter), ways);
        }
        let following = self.following[state as usize].iter().flatten();
        for next in following {
            for (obligations, postponed) in &self.ways[&(set, letter)] {
                let Some(&reached) = self.ranks.get(&(*next, *obligations)) else {
                    return Err(Rejected::Step("a run leaves the ranking".into()));
                };
                let blamed = self.ranking.blamed[rank as usize];
                let postpones = || {
                    let blamed = blamed.map(|part| Id::new(part as usize));
                    blamed.is_some_and(|part| postponed.contains(&part))
                };
                if reached > rank || (reached == rank && !postpones()) {
                    let text = format!("rank {rank} is followed by rank {reached}");
                    return Err(Rejected::Step(text));
                }
            }
        }
        Ok(())
    }

    /// Finds the states after a listed state; one without any stays.
    fn follow(&mut self, state: u32) -> Result<(), Rejected> {
        if self.following[state as usize].is_some() {
            return Ok(());
        }
        let mut following = Vec::new();
        for next in successors(&mut self.interpreter, &self.ranking.states[state as usize])? {
            match self.states.get(&next) {
                Some(&next) => following.push(next),
                None => return Err(Rejected::Step("a run leaves the states listed".into())),
            }
        }
        if following.is_empty() {
            following.push(state);
        }
        self.following[state as usize] = Some(following);
        Ok(())
    }

    fn successors(&mut self, set: u32, letter: u64, budget: &Budget) -> Result<Ways, Rejected> {
        let obligations = &self.ranking.obligations[set as usize];
        let obligations: Vec<Sub> =
            obligations.iter().map(|part| Id::new(*part as usize)).collect();
        let mut ways = Vec::new();
        for way in self.progression.successors(&obligations, letter, budget)? {
            match self.sets.get(&way.obligations) {
                Some(&next) => ways.push((next, way.postponed)),
                None => return Err(Rejected::Step("obligations are not listed".into())),
            }
        }
        Ok(ways)
    }
}
