//! Checks answers about systems side by side whose states are not listed.
//!
//! A set of tuples is a diagram. Every check is a walk from its root, level by
//! level, over all of its arcs at once; what is kept for a node of the set is
//! where the same tuple, after a step, would be in another set. So nothing is
//! computed on diagrams: no union, no image, no order that must be good.
//!
//! 1. A closed set holds the initial tuple, and the tuple after each step of
//!    each event. No node has an `ERROR`; a step into one is outside, unless the
//!    question is not about errors.
//! 2. No deadlock: on each path of the closed set, some event finds moves in
//!    all who take part, or all components are at their end. The walk keeps the
//!    events that are possible so far.
//! 3. Progress: each tuple of a stage is in the stage before it, or the event
//!    of the stage has moves that lead there. The walk keeps where they are.
//! 4. No progress: a closed set in which no wanted event is possible. It holds
//!    a terminal set; if each of its tuples has a way to the condition, the
//!    terminal set does the condition for ever.

use crate::{Accepted, Rejected};
use parallax_base::Budget;
use parallax_evidence::{CompositionEvidence, CompositionQuestion, JointStep, Stages};
use parallax_lts::{Event, Parallel, ProgressCheck, StateId, TupleSet};

/// Outside of a set; and any place, which needs no set.
const OUTSIDE: usize = usize::MAX;
const ANYWHERE: usize = usize::MAX - 1;
/// Anywhere, if somebody goes to `ERROR`.
const ERROR: usize = usize::MAX - 2;
/// An event that happened.
const DONE: usize = usize::MAX;

/// Accepts the evidence if it answers the question: with yes or no, as
/// [`CompositionEvidence::holds`] says.
///
/// # Errors
/// Why the evidence is not accepted.
pub fn check_composition(
    parallel: &Parallel<'_>,
    question: CompositionQuestion<'_>,
    evidence: &CompositionEvidence,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let mut checker = Checker { parallel, events: parallel.events(), budget, looked: 0 };
    match (question, evidence) {
        (CompositionQuestion::NoError, CompositionEvidence::Closed(set)) => {
            checker.closed(set, true)?;
        }
        (CompositionQuestion::NoDeadlock, CompositionEvidence::Closed(set)) => {
            checker.closed(set, false)?;
            let all = (0..checker.events.len()).map(|event| (event, ANYWHERE)).collect();
            let goal = Goal { events: all, stay: None, end: true };
            checker.each_can(set, &goal, "a tuple can do nothing")?;
        }
        (CompositionQuestion::NoError, CompositionEvidence::Path(path)) => {
            let end = checker.walk(path)?;
            require(parallel.has_error(&end), "the path does not end in ERROR")?;
        }
        (CompositionQuestion::NoDeadlock, CompositionEvidence::Path(path)) => {
            let end = checker.walk(path)?;
            let goes_on = checker.events.iter().any(|event| parallel.is_possible(event, &end));
            let is_stuck = !goes_on && !parallel.has_error(&end) && !parallel.has_ended(&end);
            require(is_stuck, "the path does not end in a deadlock")?;
        }
        (
            CompositionQuestion::Progress(property),
            CompositionEvidence::Staged { closed, quiet, stages },
        ) => checker.progress(property, closed, quiet.as_ref(), stages)?,
        (
            CompositionQuestion::Progress(property),
            CompositionEvidence::Sink { path, set, stages },
        ) => checker.sink(property, path, set, stages.as_ref())?,
        _ => return Err(crate::confused()),
    }
    Ok(Accepted { evaluated: checker.looked, ..Accepted::default() })
}

fn require(fine: bool, what: &str) -> Result<(), Rejected> {
    if fine { Ok(()) } else { Err(Rejected::Target(what.to_owned())) }
}

/// What each tuple of a set can do.
struct Goal<'a> {
    /// Events, and where they must lead.
    events: Vec<(usize, usize)>,
    /// A set that is as good to be in, and that events may have to lead to.
    stay: Option<&'a TupleSet>,
    /// Whether it is as good to have ended.
    end: bool,
}

/// What is known of the tuples on a path so far.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Known {
    node: usize,
    /// Where the path is in the set that is as good.
    stay: usize,
    has_ended: bool,
    /// Events that are possible so far, with where they lead.
    begun: Vec<(usize, usize)>,
}

struct Checker<'a> {
    parallel: &'a Parallel<'a>,
    events: Vec<Event>,
    budget: &'a Budget,
    looked: u64,
}

impl Checker<'_> {
    /// Where a path leads, if the systems have it.
    fn walk(&self, path: &[JointStep]) -> Result<Box<[StateId]>, Rejected> {
        let mut at = self.parallel.initial();
        for (number, step) in path.iter().enumerate() {
            let fits = |event: &&Event| event.action == step.action;
            let happens = |event: &Event| {
                at.iter().enumerate().all(|(component, &from)| {
                    let to = step.tuple[component];
                    if !event.owners.contains(&component) {
                        return from == to;
                    }
                    let moves = self.parallel.moves(component, from, event.action);
                    moves.iter().any(|edge| edge.target == to)
                })
            };
            let is_step = step.tuple.len() == at.len()
                && !self.parallel.has_error(&at)
                && self.events.iter().filter(fits).any(happens);
            if !is_step {
                return Err(Rejected::Step(format!("step {} is not possible", number + 1)));
            }
            at = step.tuple.clone();
        }
        Ok(at)
    }

    /// The set is one of tuples of these systems without `ERROR`.
    fn sound(&self, set: &TupleSet) -> Result<(), Rejected> {
        if set.order().len() != self.parallel.width() {
            return Err(Rejected::Malformed("a diagram of other systems".to_owned()));
        }
        let mut front: Vec<usize> = set.root().into_iter().collect();
        for &component in set.order() {
            let states = self.parallel.component(component).state_count();
            let arcs = front.iter().flat_map(|&node| set.arcs(node));
            for &(state, _) in arcs.clone() {
                if state as usize >= states || self.parallel.is_error(component, state) {
                    let what = "a diagram holds ERROR, or a state that does not exist";
                    return Err(Rejected::Malformed(what.to_owned()));
                }
            }
            front = sorted(arcs.map(|&(_, child)| child).collect());
        }
        Ok(())
    }

    /// The set holds the initial tuple, and what every event leads to.
    fn closed(&mut self, set: &TupleSet, errors_count: bool) -> Result<(), Rejected> {
        self.sound(set)?;
        let initial = self.parallel.initial();
        // Nothing happens after ERROR.
        let is_over = !errors_count && self.parallel.has_error(&initial);
        if !is_over && !set.contains(&initial) {
            return Err(Rejected::Initial("the initial tuple is not in the diagram".to_owned()));
        }
        self.never_left(set, errors_count)
    }

    fn never_left(&mut self, set: &TupleSet, errors_count: bool) -> Result<(), Rejected> {
        for number in 0..self.events.len() {
            if !self.inside(set, Some(number), Some(set), errors_count)? {
                let label = &self.parallel.labels()[self.events[number].action as usize];
                return Err(Rejected::Step(format!("`{label}` leads outside of the diagram")));
            }
        }
        Ok(())
    }

    /// Whether an event leads from all tuples of a set to another set; without
    /// an event, whether all tuples are in it. Without a target, whether the
    /// event is possible nowhere.
    fn inside(
        &mut self,
        set: &TupleSet,
        event: Option<usize>,
        target: Option<&TupleSet>,
        errors_count: bool,
    ) -> Result<bool, Rejected> {
        if target.is_some_and(|target| target.order() != set.order()) {
            return Err(Rejected::Malformed("diagrams with different orders".to_owned()));
        }
        let event = event.map(|number| &self.events[number]);
        let start = target.and_then(TupleSet::root).unwrap_or(OUTSIDE);
        let go = |node: usize, state| match target {
            Some(target) if node != OUTSIDE => target.child(node, state).unwrap_or(OUTSIDE),
            _ => OUTSIDE,
        };
        let mut front: Vec<(usize, usize)> =
            set.root().map(|root| (root, start)).into_iter().collect();
        for &component in set.order() {
            self.budget.check()?;
            let mut next = Vec::with_capacity(front.len());
            let moved = event.filter(|event| event.owners.contains(&component));
            for (node, other) in front {
                for &(state, child) in set.arcs(node) {
                    let Some(event) = moved else {
                        next.push((child, go(other, state)));
                        continue;
                    };
                    for edge in self.parallel.moves(component, state, event.action) {
                        match self.parallel.is_error(component, edge.target) {
                            true if errors_count => next.push((child, OUTSIDE)),
                            true => {}
                            false => next.push((child, go(other, edge.target))),
                        }
                    }
                }
            }
            front = sorted(next);
            self.looked += front.len() as u64;
        }
        Ok(front.iter().all(|&(_, other)| other == TupleSet::LEAF))
    }

    /// Fails unless every tuple of the set reaches the goal.
    fn each_can(&mut self, set: &TupleSet, goal: &Goal<'_>, what: &str) -> Result<(), Rejected> {
        if goal.stay.is_some_and(|stay| stay.order() != set.order()) {
            return Err(Rejected::Malformed("diagrams with different orders".to_owned()));
        }
        let height = set.order().len();
        let mut level_of = vec![0; height];
        for (level, &component) in set.order().iter().enumerate() {
            level_of[component] = level;
        }
        // When events begin, and when they have happened.
        let mut begins: Vec<Vec<(usize, usize)>> = vec![Vec::new(); height];
        let mut ends = vec![0; self.events.len()];
        for &(number, place) in &goal.events {
            let levels = self.events[number].owners.iter().map(|&owner| level_of[owner]);
            let (Some(first), Some(last)) = (levels.clone().min(), levels.max()) else { continue };
            begins[first].push((number, place));
            ends[number] = last;
        }
        let stay = goal.stay.and_then(TupleSet::root).unwrap_or(OUTSIDE);
        let start = |node| Known { node, stay, has_ended: goal.end, begun: Vec::new() };
        let mut front: Vec<Known> = set.root().map(start).into_iter().collect();
        for (level, &component) in set.order().iter().enumerate() {
            self.budget.check()?;
            let mut next = Vec::with_capacity(front.len());
            for known in &front {
                for &(state, child) in set.arcs(known.node) {
                    let at = (level, component, state);
                    let Some(begun) = self.begun(goal, known, at, &begins[level], &ends) else {
                        continue;
                    };
                    let stay = match goal.stay {
                        Some(set) if known.stay != OUTSIDE => {
                            set.child(known.stay, state).unwrap_or(OUTSIDE)
                        }
                        _ => OUTSIDE,
                    };
                    let has_ended = known.has_ended && self.parallel.is_end(component, state);
                    next.push(Known { node: child, stay, has_ended, begun });
                }
            }
            front = sorted(next);
            self.looked += front.len() as u64;
        }
        let reaches = |known: &Known| {
            known.has_ended
                || known.stay == TupleSet::LEAF
                || known.begun.iter().any(|&(_, place)| place == TupleSet::LEAF)
        };
        require(front.iter().all(reaches), what)
    }

    /// The events that are possible after one more component; `None` if one of
    /// them has happened and may lead anywhere.
    fn begun(
        &self,
        goal: &Goal<'_>,
        known: &Known,
        (level, component, state): (usize, usize, StateId),
        begins: &[(usize, usize)],
        ends: &[usize],
    ) -> Option<Vec<(usize, usize)>> {
        let mut begun = Vec::new();
        let into = |place: usize, state| goal.stay.and_then(|set| set.child(place, state));
        let first = begins.iter().map(|&(number, place)| match place {
            ANYWHERE | ERROR => (number, place),
            _ => (number, known.stay),
        });
        for (number, place) in known.begun.iter().copied().chain(first) {
            if place == OUTSIDE {
                continue;
            }
            let event = self.events.get(number).filter(|event| event.owners.contains(&component));
            let is_last = event.is_some() && ends[number] == level;
            let mut keep = |place: usize| begun.push((if is_last { DONE } else { number }, place));
            let Some(event) = event else {
                match place {
                    ANYWHERE | ERROR => keep(place),
                    _ => into(place, state).into_iter().for_each(&mut keep),
                }
                continue;
            };
            for edge in self.parallel.moves(component, state, event.action) {
                let is_error = self.parallel.is_error(component, edge.target);
                match place {
                    ANYWHERE if is_last => return None,
                    ERROR if is_last && is_error => return None,
                    ERROR if is_last => {}
                    ERROR if is_error => keep(ANYWHERE),
                    ANYWHERE | ERROR => keep(place),
                    _ if is_error => {}
                    _ => into(place, edge.target).into_iter().for_each(&mut keep),
                }
            }
        }
        Some(sorted(begun))
    }

    /// Every tuple of the last stage has a way to the goal.
    fn staged(&mut self, stages: &Stages, goal: &Goal<'_>) -> Result<(), Rejected> {
        self.sound(&stages.goal)?;
        self.each_can(&stages.goal, goal, "a tuple does not have the goal before it")?;
        let mut before = &stages.goal;
        for (number, set) in &stages.steps {
            self.sound(set)?;
            if *number >= self.events.len() {
                return Err(Rejected::Malformed("an event that does not exist".to_owned()));
            }
            let events = vec![(*number, TupleSet::LEAF)];
            let goal = Goal { events, stay: Some(before), end: false };
            self.each_can(set, &goal, "a tuple of a stage has no way on")?;
            before = set;
        }
        Ok(())
    }

    fn progress(
        &mut self,
        property: &ProgressCheck,
        closed: &TupleSet,
        quiet: Option<&TupleSet>,
        stages: &Stages,
    ) -> Result<(), Rejected> {
        self.closed(closed, false)?;
        match (&property.condition, quiet) {
            (None, Some(_)) => {
                let what = "quiet tuples without a condition";
                return Err(Rejected::Malformed(what.to_owned()));
            }
            (Some(condition), Some(quiet)) => {
                self.sound(quiet)?;
                self.never_left(quiet, false)?;
                self.never(quiet, condition, "a quiet tuple does the condition")?;
            }
            (_, None) => {}
        }
        let wanted = self.parallel.named(&self.events, &property.actions);
        let wanted = wanted.into_iter().map(|event| (event, ANYWHERE));
        let errors = (0..self.events.len()).map(|event| (event, ERROR));
        let goal = Goal { events: wanted.chain(errors).collect(), stay: quiet, end: true };
        self.staged(stages, &goal)?;
        let is_all = self.inside(closed, None, Some(stages.last()), false)?;
        require(is_all, "a tuple is in no stage")
    }

    fn sink(
        &mut self,
        property: &ProgressCheck,
        path: &[JointStep],
        set: &TupleSet,
        stages: Option<&Stages>,
    ) -> Result<(), Rejected> {
        let end = self.walk(path)?;
        self.sound(set)?;
        require(set.contains(&end), "the path does not lead into the set")?;
        self.never_left(set, true)?;
        require(!self.has_end(set), "the set holds END")?;
        self.never(set, &property.actions, "progress is made in the set")?;
        match (&property.condition, stages) {
            (None, _) => Ok(()),
            (Some(_), None) => require(false, "nothing says that the condition happens"),
            (Some(condition), Some(stages)) => {
                let events = self.parallel.named(&self.events, condition);
                let events = events.into_iter().map(|event| (event, ANYWHERE)).collect();
                self.staged(stages, &Goal { events, stay: None, end: false })?;
                let is_all = self.inside(set, None, Some(stages.last()), false)?;
                require(is_all, "a tuple of the set is in no stage")
            }
        }
    }

    /// Fails if one of the actions is possible in the set.
    fn never(&mut self, set: &TupleSet, names: &[String], what: &str) -> Result<(), Rejected> {
        for event in self.parallel.named(&self.events, names) {
            require(self.inside(set, Some(event), None, true)?, what)?;
        }
        Ok(())
    }

    /// Whether all components have ended in a tuple of the set.
    fn has_end(&self, set: &TupleSet) -> bool {
        let mut front: Vec<usize> = set.root().into_iter().collect();
        for &component in set.order() {
            let arcs = front.iter().flat_map(|&node| set.arcs(node));
            let ended = arcs.filter(|arc| self.parallel.is_end(component, arc.0));
            front = sorted(ended.map(|&(_, child)| child).collect());
        }
        !front.is_empty()
    }
}

/// In order, each once.
fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}
