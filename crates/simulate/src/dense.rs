//! Weak simulation of all pairs of two systems at once, by counters.
//!
//! The algorithm of M. R. Henzinger, T. A. Henzinger and P. W. Kopke (FOCS
//! 1995), for weak arrows that are never made explicit. Let `m(t)` be the
//! states on the right that may still match `t`. It stays closed under silent
//! predecessors, so a silent step to `t` is matched by the states in `m(t)`, and
//! a step `a` to `t` by those that come into `m(t)` by silent steps and one
//! `a`. Whether a state is one of the latter is counted: its `a`-successors in
//! `m(t)` and its silent successors that are such states themselves. There are
//! no silent cycles, so nothing supports itself.
//!
//! Pairs leave in rounds. The round is kept for every pair: it says how deep
//! one must look to tell the two apart (`distinguish.rs`).
//!
//! Time is the product of states on the left and transitions on the right, for
//! each action, and the other way round; memory is four bytes for a pair and two
//! for a state on the right and each action into a state on the left.

use parallax_base::{Budget, Stop};
use parallax_lts::{Action, Lts, StateId, TAU};
use std::collections::BTreeMap;

/// A pair that has not left.
pub(crate) const NEVER: u32 = u32::MAX;

/// When pairs left the relation.
pub(crate) struct Rounds {
    /// States on the right.
    width: usize,
    /// For every pair, by left and right, the round in which it left.
    round: Vec<u32>,
}

impl Rounds {
    /// The rounds in which states on the right stopped to match a state.
    pub(crate) fn of(&self, left: StateId) -> &[u32] {
        &self.round[left as usize * self.width..][..self.width]
    }
}

/// Predecessors by action, as lists in one vector.
pub(crate) struct Before {
    first: Vec<u32>,
    sources: Vec<StateId>,
}

impl Before {
    pub(crate) fn new(lts: &Lts, action: Action) -> Before {
        let mut first = vec![0u32; lts.state_count() + 1];
        for state in lts.states() {
            for edge in lts.edges_with(state, action) {
                first[edge.target as usize + 1] += 1;
            }
        }
        for place in 1..first.len() {
            first[place] += first[place - 1];
        }
        let mut next = first.clone();
        let mut sources = vec![0; first.last().map_or(0, |&all| all as usize)];
        for state in lts.states() {
            for edge in lts.edges_with(state, action) {
                let place = &mut next[edge.target as usize];
                sources[*place as usize] = state;
                *place += 1;
            }
        }
        Before { first, sources }
    }

    pub(crate) fn of(&self, state: StateId) -> &[StateId] {
        let (from, to) = (self.first[state as usize], self.first[state as usize + 1]);
        &self.sources[from as usize..to as usize]
    }
}

/// An action on the right.
struct Label {
    before: Before,
    /// The counters of a state that everything matches.
    start: Vec<u16>,
}

/// A state on the left with one of the actions that lead to it.
struct Slot {
    label: usize,
    /// Where the counters begin.
    counters: usize,
    /// Who does the action.
    sources: Vec<StateId>,
}

struct Search<'a> {
    left: &'a Lts,
    right: &'a Lts,
    labels: Vec<Label>,
    silent: Before,
    slots: Vec<Slot>,
    /// For each state on the left its slots, and who leads to it silently.
    slots_of: Vec<std::ops::Range<usize>>,
    silently: Before,
    counters: Vec<u16>,
    rounds: Rounds,
    next: Vec<(StateId, StateId)>,
}

/// When pairs of two systems leave the relation, until the pair of initial
/// states does or nothing leaves any more. Neither system has silent cycles.
/// `None` if more than `most` bytes were needed.
pub(crate) fn rounds(
    left: &Lts,
    right: &Lts,
    most: usize,
    budget: &Budget,
) -> Result<Option<Rounds>, Stop> {
    let Some(mut search) = Search::new(left, right, most) else { return Ok(None) };
    search.start();
    let start = (left.initial(), right.initial());
    let mut round = 1;
    let mut ticks = 0u32;
    let left_alone = |search: &Search<'_>| {
        search.rounds.of(start.0).get(start.1 as usize).is_none_or(|&round| round == NEVER)
    };
    while !search.next.is_empty() && left_alone(&search) {
        round += 1;
        for pair in std::mem::take(&mut search.next) {
            ticks = ticks.wrapping_add(1);
            if ticks.is_multiple_of(4096) {
                budget.check()?;
            }
            search.left_relation(pair, round);
        }
    }
    Ok(Some(search.rounds))
}

impl<'a> Search<'a> {
    fn new(left: &'a Lts, right: &'a Lts, most: usize) -> Option<Search<'a>> {
        let (height, width) = (left.state_count(), right.state_count());
        let same: Vec<Option<Action>> =
            left.labels().iter().map(|label| right.find_action(label)).collect();
        let mut into: Vec<BTreeMap<Action, Vec<StateId>>> = vec![BTreeMap::new(); height];
        for state in left.states() {
            for edge in left.edges(state).iter().filter(|edge| edge.action != TAU) {
                if let Some(action) = same[edge.action as usize] {
                    into[edge.target as usize].entry(action).or_default().push(state);
                }
            }
        }
        let slots: usize = into.iter().map(BTreeMap::len).sum();
        let bytes = |count: usize, size| count.checked_mul(width)?.checked_mul(size);
        if bytes(height, 4)?.checked_add(bytes(slots, 2)?)? > most {
            return None;
        }
        let mut search = Search {
            left,
            right,
            labels: Vec::new(),
            silent: Before::new(right, TAU),
            slots: Vec::with_capacity(slots),
            slots_of: Vec::with_capacity(height),
            silently: Before::new(left, TAU),
            counters: Vec::with_capacity(slots * width),
            rounds: Rounds { width, round: vec![NEVER; height * width] },
            next: Vec::new(),
        };
        let mut numbers: BTreeMap<Action, usize> = BTreeMap::new();
        for actions in into {
            let first = search.slots.len();
            for (action, sources) in actions {
                let label = match numbers.get(&action) {
                    Some(&known) => known,
                    None => {
                        let start = search.counters_of_all(action)?;
                        search.labels.push(Label { before: Before::new(right, action), start });
                        numbers.insert(action, search.labels.len() - 1);
                        search.labels.len() - 1
                    }
                };
                let counters = search.counters.len();
                search.counters.extend_from_slice(&search.labels[label].start);
                search.slots.push(Slot { label, counters, sources });
            }
            search.slots_of.push(first..search.slots.len());
        }
        Some(search)
    }

    /// For each state on the right the answers to an action, if all states
    /// match; `None` if there are too many to be counted.
    fn counters_of_all(&self, action: Action) -> Option<Vec<u16>> {
        let mut counters = Vec::with_capacity(self.right.state_count());
        let mut open = Vec::new();
        for state in self.right.states() {
            let steps = self.right.edges_with(state, action).len();
            counters.push(u16::try_from(steps).ok()?);
            if steps > 0 {
                open.push(state);
            }
        }
        while let Some(state) = open.pop() {
            for &source in self.silent.of(state) {
                let counter = &mut counters[source as usize];
                *counter = counter.checked_add(1)?;
                if *counter == 1 {
                    open.push(source);
                }
            }
        }
        Some(counters)
    }

    /// The first round: what cannot do an action at all.
    fn start(&mut self) {
        for slot in 0..self.slots.len() {
            for state in self.right.states() {
                if self.labels[self.slots[slot].label].start[state as usize] == 0 {
                    self.remove(slot, state, 1);
                }
            }
        }
        for state in self.left.states() {
            let foreign = self.left.edges(state).iter().any(|edge| {
                edge.action != TAU && self.right.find_action(self.left.label(edge.action)).is_none()
            });
            for other in self.right.states().filter(|_| foreign) {
                self.leave((state, other), 1);
            }
        }
    }

    /// Draws conclusions from a pair that has left.
    fn left_relation(&mut self, (target, answer): (StateId, StateId), round: u32) {
        for place in 0..self.silently.of(target).len() {
            self.leave((self.silently.of(target)[place], answer), round);
        }
        for slot in self.slots_of[target as usize].clone() {
            let (label, counters) = (self.slots[slot].label, self.slots[slot].counters);
            for place in 0..self.labels[label].before.of(answer).len() {
                let mut gone = vec![self.labels[label].before.of(answer)[place]];
                while let Some(state) = gone.pop() {
                    let counter = &mut self.counters[counters + state as usize];
                    *counter -= 1;
                    if *counter == 0 {
                        gone.extend_from_slice(self.silent.of(state));
                        self.remove(slot, state, round);
                    }
                }
            }
        }
    }

    /// A state on the right has no answer to a slot any more.
    fn remove(&mut self, slot: usize, state: StateId, round: u32) {
        for place in 0..self.slots[slot].sources.len() {
            self.leave((self.slots[slot].sources[place], state), round);
        }
    }

    fn leave(&mut self, pair: (StateId, StateId), round: u32) {
        let slot = &mut self.rounds.round[pair.0 as usize * self.rounds.width + pair.1 as usize];
        if *slot == NEVER {
            *slot = round;
            self.next.push(pair);
        }
    }
}
