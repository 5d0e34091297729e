//! Systems side by side: who takes part in what.
//!
//! A state of the whole is a tuple with a state of each component. What can
//! happen is a list of *events*: a shared action is one event that all who have
//! it in their alphabet take part in, a private action is an event of one
//! component, and so is the silent action of each. A component that takes part
//! moves; the others stay.

use crate::system::{Action, Edge, Lts, StateId, TAU};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Something that can happen in a composition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Event {
    /// The action, numbered as in the composition.
    pub action: Action,
    /// The components that take part, in ascending order.
    pub owners: Vec<usize>,
}

/// One component with its actions renumbered for the composition.
#[derive(Debug)]
struct Part<'a> {
    lts: &'a Lts,
    /// From the numbers of the composition to those of the component.
    local: Vec<Option<Action>>,
    /// And back.
    global: Vec<Action>,
}

/// Systems side by side, at least one.
#[derive(Debug)]
pub struct Parallel<'a> {
    parts: Vec<Part<'a>>,
    labels: Vec<Arc<str>>,
    owners: Vec<Vec<usize>>,
    hidden: Vec<bool>,
}

impl<'a> Parallel<'a> {
    /// Puts systems side by side.
    pub fn new(components: &[&'a Lts]) -> Parallel<'a> {
        let mut labels: Vec<Arc<str>> = vec!["tau".into()];
        let mut numbers: FxHashMap<Arc<str>, Action> = FxHashMap::default();
        numbers.insert(Arc::clone(&labels[0]), TAU);
        let mut parts = Vec::with_capacity(components.len());
        for &lts in components {
            let number = |label: &Arc<str>| {
                *numbers.entry(Arc::clone(label)).or_insert_with(|| {
                    labels.push(Arc::clone(label));
                    labels.len() as Action - 1
                })
            };
            let global: Vec<Action> = lts.labels().iter().map(number).collect();
            parts.push(Part { lts, local: Vec::new(), global });
        }
        let mut owners = vec![Vec::new(); labels.len()];
        for (index, part) in parts.iter_mut().enumerate() {
            part.local = vec![None; labels.len()];
            for (local, &global) in part.global.iter().enumerate() {
                part.local[global as usize] = Some(local as Action);
                if global != TAU {
                    owners[global as usize].push(index);
                }
            }
        }
        let hidden = vec![false; labels.len()];
        Parallel { parts, labels, owners, hidden }
    }

    /// Makes actions silent for those who look at the whole. They are shared as
    /// before.
    #[must_use]
    pub fn hiding(mut self, is_hidden: impl Fn(&str) -> bool) -> Parallel<'a> {
        let labels = self.labels.iter().skip(1).map(|label| is_hidden(label));
        self.hidden = std::iter::once(false).chain(labels).collect();
        self
    }

    /// What is seen of an action.
    pub fn shown(&self, action: Action) -> &str {
        &self.labels[if self.hidden[action as usize] { TAU } else { action } as usize]
    }

    /// The number of components.
    pub fn width(&self) -> usize {
        self.parts.len()
    }

    /// All labels by number; the first is the silent action.
    pub fn labels(&self) -> &[Arc<str>] {
        &self.labels
    }

    /// The components that share an action. The silent one is shared by nobody.
    pub fn owners(&self, action: Action) -> &[usize] {
        &self.owners[action as usize]
    }

    /// One of the components.
    pub fn component(&self, index: usize) -> &'a Lts {
        self.parts[index].lts
    }

    /// What can happen, ordered by action.
    pub fn events(&self) -> Vec<Event> {
        let silent = (0..self.width()).map(|index| Event { action: TAU, owners: vec![index] });
        let visible = self.owners.iter().enumerate().skip(1);
        let visible = visible
            .map(|(action, owners)| Event { action: action as Action, owners: owners.clone() });
        silent.chain(visible).collect()
    }

    /// The number in the composition of an action of a component.
    pub(crate) fn global(&self, component: usize, action: Action) -> Action {
        self.parts[component].global[action as usize]
    }

    /// The moves of a component in a state with an action of the composition.
    pub fn moves(&self, component: usize, state: StateId, action: Action) -> &'a [Edge] {
        let part = &self.parts[component];
        match part.local[action as usize] {
            Some(local) => part.lts.edges_with(state, local),
            None => &[],
        }
    }

    /// The tuple of initial states.
    pub fn initial(&self) -> Box<[StateId]> {
        self.parts.iter().map(|part| part.lts.initial()).collect()
    }

    /// Whether a state of a component is `ERROR`, which makes the whole be so.
    pub fn is_error(&self, component: usize, state: StateId) -> bool {
        self.parts[component].lts.error() == Some(state)
    }

    /// Whether a state of a component is `END`; the whole has ended when all have.
    pub fn is_end(&self, component: usize, state: StateId) -> bool {
        self.parts[component].lts.end() == Some(state)
    }

    /// Whether some component is in `ERROR`.
    pub fn has_error(&self, tuple: &[StateId]) -> bool {
        tuple.iter().enumerate().any(|(index, &state)| self.is_error(index, state))
    }

    /// Whether all components have ended.
    pub fn has_ended(&self, tuple: &[StateId]) -> bool {
        tuple.iter().enumerate().all(|(index, &state)| self.is_end(index, state))
    }

    /// The number of actions that are seen.
    pub fn shown_count(&self) -> usize {
        self.hidden.iter().skip(1).filter(|&&hidden| !hidden).count()
    }

    /// The events whose action is seen under one of these names.
    pub fn named(&self, events: &[Event], names: &[String]) -> Vec<usize> {
        let is_named = |event: &Event| {
            event.action != TAU
                && !self.hidden[event.action as usize]
                && names.iter().any(|name| **name == *self.labels[event.action as usize])
        };
        (0..events.len()).filter(|&number| is_named(&events[number])).collect()
    }

    /// Whether an event can happen in a tuple.
    pub fn is_possible(&self, event: &Event, tuple: &[StateId]) -> bool {
        let moves = |&owner: &usize| !self.moves(owner, tuple[owner], event.action).is_empty();
        event.owners.iter().all(moves)
    }
}
