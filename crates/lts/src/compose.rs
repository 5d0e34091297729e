//! Parallel composition on the fly: only states that are reached are built.
//!
//! Private actions interleave, shared actions happen in all components that
//! have them in their alphabet, the silent action is never shared. A component
//! in `ERROR` makes the composition be in `ERROR`; all of them in `END` is
//! `END`. A priority is applied while states are built, so what it forbids is
//! never explored.

use crate::parallel::Parallel;
use crate::system::{Action, Edge, Lts, StateId, TAU};
use parallax_base::{Budget, Event, Stop};
use rustc_hash::FxHashMap;

/// Which actions are preferred in a choice.
#[derive(Clone, Debug)]
pub enum Priority {
    /// In a choice with one of these, all others are dropped, `tau` included.
    High(Vec<String>),
    /// In a choice with anything else, `tau` included, these are dropped.
    Low(Vec<String>),
}

/// A composition and how its states came about.
#[derive(Clone, Debug)]
pub struct Composed {
    /// The composed system.
    pub lts: Lts,
    /// For every state of the composition, the states of the components. The
    /// error state has the first tuple that was found erroneous.
    pub tuples: Vec<Box<[StateId]>>,
}

/// Whether `label` is `prefix` or begins with `prefix` and a dot.
pub(crate) fn has_prefix(label: &str, prefix: &str) -> bool {
    label.strip_prefix(prefix).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Composes systems, at least one.
///
/// # Errors
/// When the budget ends.
pub fn compose(
    name: &str,
    components: &[&Lts],
    priority: Option<&Priority>,
    budget: &Budget,
) -> Result<Composed, Stop> {
    let mut space = Space::new(name, components, priority);
    space.explore(usize::MAX, budget)?;
    Ok(space.composed())
}

/// Composes systems, at least one, if the composition has no more than `most`
/// states; `None` if it has more.
///
/// # Errors
/// When the budget ends.
pub fn compose_within(
    name: &str,
    components: &[&Lts],
    most: usize,
    budget: &Budget,
) -> Result<Option<Composed>, Stop> {
    let mut space = Space::new(name, components, None);
    let done = space.explore(most, budget)?;
    Ok(done.then(|| space.composed()))
}

/// Composes systems, at least one, breadth first; and whether that is all of it.
/// If there are more than `most` states, those that were found last do nothing.
///
/// # Errors
/// When the budget ends.
pub fn compose_some(
    name: &str,
    components: &[&Lts],
    most: usize,
    budget: &Budget,
) -> Result<(Composed, bool), Stop> {
    let mut space = Space::new(name, components, None);
    let done = space.explore(most, budget)?;
    Ok((space.composed(), done))
}

impl<'a> Space<'a> {
    fn new(name: &str, components: &[&'a Lts], priority: Option<&Priority>) -> Space<'a> {
        let parallel = Parallel::new(components);
        let mut result = Lts::new(name);
        for label in parallel.labels() {
            result.action(label);
        }
        let rank = priority.map(|priority| ranks(&result, priority));
        let start = parallel.initial();
        let (tuples, numbers) = (Vec::new(), FxHashMap::default());
        let mut space = Space { result, tuples, numbers, parallel, rank };
        let initial = space.number(start);
        space.result.set_initial(initial);
        space
    }

    /// Expands all states; false if there are more than `most`.
    fn explore(&mut self, most: usize, budget: &Budget) -> Result<bool, Stop> {
        let mut next = 0;
        while next < self.tuples.len() {
            if next % 256 == 0 {
                budget.check()?;
                let states = self.tuples.len() as u64;
                budget.notice(Event::Progress { states, abstract_states: 0, queries: 0 });
            }
            self.expand(next as StateId);
            next += 1;
            if self.tuples.len() > most {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn composed(self) -> Composed {
        Composed { lts: self.result, tuples: self.tuples }
    }
}

/// For every action whether it is preferred.
fn ranks(lts: &Lts, priority: &Priority) -> Vec<bool> {
    let matches = |set: &[String], label: &str| set.iter().any(|prefix| has_prefix(label, prefix));
    let labels = lts.labels().iter().enumerate();
    match priority {
        Priority::High(set) => labels.map(|(i, label)| i > 0 && matches(set, label)).collect(),
        Priority::Low(set) => labels.map(|(i, label)| i == 0 || !matches(set, label)).collect(),
    }
}

struct Space<'a> {
    result: Lts,
    tuples: Vec<Box<[StateId]>>,
    numbers: FxHashMap<Box<[StateId]>, StateId>,
    parallel: Parallel<'a>,
    rank: Option<Vec<bool>>,
}

impl Space<'_> {
    /// The number of a tuple, which may be new.
    fn number(&mut self, tuple: Box<[StateId]>) -> StateId {
        let error = self.parallel.has_error(&tuple);
        if error && let Some(known) = self.result.error() {
            return known;
        }
        if let Some(&known) = self.numbers.get(&tuple) {
            return known;
        }
        let number = self.result.add_state();
        if error {
            self.result.set_error(Some(number));
        }
        if self.parallel.has_ended(&tuple) {
            self.result.set_end(Some(number));
        }
        self.tuples.push(tuple.clone());
        self.numbers.insert(tuple, number);
        number
    }

    fn expand(&mut self, state: StateId) {
        if self.result.error() == Some(state) {
            return;
        }
        let tuple = self.tuples[state as usize].clone();
        let mut moves: Vec<(Action, Box<[StateId]>)> = Vec::new();
        for index in 0..self.parallel.width() {
            let mut last = None;
            for edge in self.parallel.component(index).edges(tuple[index]) {
                let action = self.parallel.global(index, edge.action);
                let owners = self.parallel.owners(action);
                if action == TAU || owners.len() == 1 {
                    let mut target = tuple.clone();
                    target[index] = edge.target;
                    moves.push((action, target));
                } else if owners.first() == Some(&index) && last != Some(action) {
                    last = Some(action);
                    self.together(action, &tuple, &mut moves);
                }
            }
        }
        if let Some(rank) = &self.rank
            && moves.iter().any(|(action, _)| rank[*action as usize])
        {
            moves.retain(|(action, _)| rank[*action as usize]);
        }
        let mut edges = Vec::with_capacity(moves.len());
        for (action, target) in moves {
            let target = self.number(target);
            edges.push(Edge { action, target });
        }
        self.result.set_edges(state, edges);
    }

    /// All ways in which the owners of a shared action do it together.
    fn together(
        &self,
        action: Action,
        tuple: &[StateId],
        found: &mut Vec<(Action, Box<[StateId]>)>,
    ) {
        // Most shared actions are refused by somebody: that is looked at first.
        let moves = |owner: usize| self.parallel.moves(owner, tuple[owner], action);
        let owners = self.parallel.owners(action);
        if owners.iter().any(|&owner| moves(owner).is_empty()) {
            return;
        }
        let mut ways: Vec<Box<[StateId]>> = vec![tuple.into()];
        for &owner in owners {
            let edges = moves(owner);
            ways = ways
                .iter()
                .flat_map(|way| {
                    edges.iter().map(move |edge| {
                        let mut way = way.clone();
                        way[owner] = edge.target;
                        way
                    })
                })
                .collect();
        }
        found.extend(ways.into_iter().map(|way| (action, way)));
    }
}
