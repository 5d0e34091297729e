//! Questions about systems side by side, and the evidence for their answers.
//!
//! What can be reached is found once. Errors and deadlocks are looked for in it;
//! if there are any, a shortest way is found by going forward in layers. A
//! progress property holds if the way back from where progress is made covers
//! everything; else what it does not cover is never left.

use crate::order::order;
use crate::saturate::Saturation;
use crate::space::{Set, Space, kept};
use oxidd::BooleanVecSet;
use parallax_base::{Budget, Stop};
use parallax_evidence::{CompositionEvidence, CompositionQuestion, JointStep, Stages};
use parallax_lts::{Parallel, ProgressCheck, StateId, TupleSet};

/// Who answers questions about systems side by side.
pub struct Decider<'a> {
    space: Space<'a>,
    reached: Set,
}

/// Where a path is to lead.
enum Target {
    /// Into a set.
    Set(Set),
    /// To `ERROR`.
    Error,
}

impl<'a> Decider<'a> {
    /// Finds all that can be reached.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn new(parallel: &'a Parallel<'a>, budget: &Budget) -> Result<Decider<'a>, Stop> {
        let space = Space::new(parallel, order(parallel))?;
        let initial = parallel.initial();
        let reached = match parallel.has_error(&initial) {
            true => space.empty(),
            false => Saturation::new(&space, budget).reachable(&initial)?,
        };
        Ok(Decider { space, reached })
    }

    /// All that can be reached but `ERROR`.
    pub fn reached(&self) -> TupleSet {
        self.space.tuples(&self.reached)
    }

    /// Answers a question.
    ///
    /// # Errors
    /// When the budget ends.
    pub fn decide(
        &self,
        question: CompositionQuestion<'_>,
        budget: &Budget,
    ) -> Result<CompositionEvidence, Stop> {
        let path = match question {
            CompositionQuestion::NoError if self.can_err()? => self.path(&Target::Error, budget)?,
            CompositionQuestion::NoError => return Ok(CompositionEvidence::Closed(self.reached())),
            CompositionQuestion::NoDeadlock => {
                let stuck = self.stuck()?;
                if self.space.is_empty(&stuck) {
                    return Ok(CompositionEvidence::Closed(self.reached()));
                }
                self.path(&Target::Set(stuck), budget)?
            }
            CompositionQuestion::Progress(property) => return self.progress(property, budget),
        };
        Ok(CompositionEvidence::Path(path))
    }

    /// The deadlocks.
    ///
    /// # Errors
    /// When there is no more memory.
    pub fn deadlocks(&self) -> Result<TupleSet, Stop> {
        Ok(self.space.tuples(&self.stuck()?))
    }

    fn events(&self) -> std::ops::Range<usize> {
        0..self.space.events.len()
    }

    fn can_err(&self) -> Result<bool, Stop> {
        if self.space.parallel.has_error(&self.space.parallel.initial()) {
            return Ok(true);
        }
        for event in self.events() {
            let erring = self.space.erring(event, &self.reached)?;
            if !self.space.is_empty(&erring) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn stuck(&self) -> Result<Set, Stop> {
        let mut stuck = self.reached.clone();
        for event in self.events() {
            let possible = self.space.possible(event, &stuck)?;
            stuck = kept(stuck.diff(&possible))?;
        }
        let ended = self.space.ended(&stuck)?;
        kept(stuck.diff(&ended))
    }

    /// The tuples of a set in which one of some events is possible.
    fn before(&self, set: &Set, events: &[usize]) -> Result<Set, Stop> {
        let mut all = self.space.empty();
        for &event in events {
            all = kept(all.union(&self.space.possible(event, set)?))?;
        }
        Ok(all)
    }

    /// A shortest path.
    fn path(&self, target: &Target, budget: &Budget) -> Result<Vec<JointStep>, Stop> {
        if self.space.parallel.has_error(&self.space.parallel.initial()) {
            return Ok(Vec::new());
        }
        let mut layer = self.space.initial()?;
        let (mut layers, mut seen) = (Vec::new(), layer.clone());
        // It ends: what is looked for was reached, so it is in some layer.
        loop {
            if let Some(path) = self.arrived(target, &layer, &layers)? {
                return Ok(path);
            }
            let mut next = self.space.empty();
            for event in self.events() {
                budget.check()?;
                next = kept(next.union(&self.space.image(event, &layer)?))?;
            }
            let next = kept(next.diff(&seen))?;
            seen = kept(seen.union(&next))?;
            layers.push(std::mem::replace(&mut layer, next));
        }
    }

    /// A path to the target, if it is in a layer, or right after it.
    fn arrived(
        &self,
        target: &Target,
        layer: &Set,
        before: &[Set],
    ) -> Result<Option<Vec<JointStep>>, Stop> {
        match target {
            Target::Set(set) => match self.space.first(&kept(layer.intsec(set))?) {
                Some(tuple) => self.back(&tuple, before).map(Some),
                None => Ok(None),
            },
            Target::Error => {
                for event in self.events() {
                    let erring = self.space.erring(event, layer)?;
                    if let Some(tuple) = self.space.first(&erring) {
                        let mut path = self.back(&tuple, before)?;
                        path.push(self.failing(event, &tuple));
                        return Ok(Some(path));
                    }
                }
                Ok(None)
            }
        }
    }

    /// The step of an event that leads to `ERROR`.
    fn failing(&self, event: usize, tuple: &[StateId]) -> JointStep {
        let parallel = self.space.parallel;
        let event = &self.space.events[event];
        let mut next: Box<[StateId]> = tuple.into();
        for &owner in &event.owners {
            let moves = parallel.moves(owner, tuple[owner], event.action);
            let error = moves.iter().find(|edge| parallel.is_error(owner, edge.target));
            if let Some(edge) = error.or(moves.first()) {
                next[owner] = edge.target;
            }
        }
        JointStep { action: event.action, tuple: next }
    }

    /// The path to a tuple that comes after these layers.
    fn back(&self, tuple: &[StateId], layers: &[Set]) -> Result<Vec<JointStep>, Stop> {
        let mut path = Vec::new();
        let mut at: Box<[StateId]> = tuple.into();
        for layer in layers.iter().rev() {
            let here = self.space.single(&at)?;
            for event in self.events() {
                let earlier = kept(layer.intsec(&self.space.preimage(event, &here)?))?;
                if let Some(before) = self.space.first(&earlier) {
                    let action = self.space.events[event].action;
                    path.push(JointStep { action, tuple: std::mem::replace(&mut at, before) });
                    break;
                }
            }
        }
        path.reverse();
        Ok(path)
    }

    fn progress(
        &self,
        property: &ProgressCheck,
        budget: &Budget,
    ) -> Result<CompositionEvidence, Stop> {
        let (space, reached) = (&self.space, &self.reached);
        let wanted = space.parallel.named(&space.events, &property.actions);
        let mut goal = self.before(reached, &wanted)?;
        for event in self.events() {
            goal = kept(goal.union(&space.erring(event, reached)?))?;
        }
        goal = kept(goal.union(&space.ended(reached)?))?;
        let condition = property.condition.as_ref();
        let condition = condition.map(|names| space.parallel.named(&space.events, names));
        let mut quiet = None;
        if let Some(condition) = &condition {
            let loud = self.before(reached, condition)?;
            let (loud, _) = space.backward(&loud, reached, budget)?;
            let silent = kept(reached.diff(&loud))?;
            goal = kept(goal.union(&silent))?;
            quiet = Some(space.tuples(&silent));
        }
        let (covered, steps) = space.backward(&goal, reached, budget)?;
        if covered == *reached {
            let stages = self.stages(&goal, &steps);
            return Ok(CompositionEvidence::Staged { closed: self.reached(), quiet, stages });
        }
        let sink = kept(reached.diff(&covered))?;
        let mut stages = None;
        if let Some(condition) = &condition {
            let goal = self.before(&sink, condition)?;
            let (_, steps) = space.backward(&goal, &sink, budget)?;
            stages = Some(self.stages(&goal, &steps));
        }
        let set = space.tuples(&sink);
        let path = self.path(&Target::Set(sink), budget)?;
        Ok(CompositionEvidence::Sink { path, set, stages })
    }

    fn stages(&self, goal: &Set, steps: &[(usize, Set)]) -> Stages {
        let tuples = |(event, set): &(usize, Set)| (*event, self.space.tuples(set));
        Stages { goal: self.space.tuples(goal), steps: steps.iter().map(tuples).collect() }
    }
}
