//! Operations on labels: prefix, sharing, relabelling, hiding, interface,
//! alphabet extension, and the completion of properties.
//!
//! Hiding, interface and relabelling take prefixes of labels at dots: `a`
//! stands for `a`, `a.1` and `a.b.c`, not for `ab`.

use crate::compose::has_prefix;
use crate::system::{Action, Edge, Lts, StateId, TAU};
use std::collections::BTreeMap;

/// What becomes of which labels: old prefix to new prefixes.
#[derive(Clone, Debug, Default)]
pub struct Relabelling {
    pairs: BTreeMap<String, Vec<String>>,
}

impl Relabelling {
    /// Adds `new / old`.
    pub fn add(&mut self, new: &str, old: &str) {
        let list = self.pairs.entry(old.to_owned()).or_default();
        if !list.iter().any(|known| known == new) {
            list.push(new.to_owned());
        }
    }

    /// Whether nothing is renamed.
    pub fn is_empty(&self) -> bool {
        self.pairs.is_empty()
    }

    /// The prefixes that are renamed.
    pub fn old(&self) -> impl Iterator<Item = &str> {
        self.pairs.keys().map(String::as_str)
    }

    /// The new names of a label, by the longest prefix that is renamed.
    pub fn image(&self, label: &str) -> Vec<String> {
        let mut prefix = label;
        loop {
            if let Some(new) = self.pairs.get(prefix) {
                let rest = &label[prefix.len()..];
                return new.iter().map(|new| format!("{new}{rest}")).collect();
            }
            match prefix.rfind('.') {
                Some(dot) => prefix = &prefix[..dot],
                None => return vec![label.to_owned()],
            }
        }
    }
}

impl Lts {
    /// The same system with every label replaced by some labels; an edge
    /// becomes a choice of edges. No image at all hides the label.
    #[must_use]
    pub fn map_labels(&self, image: impl Fn(&str) -> Vec<String>) -> Lts {
        let mut result = Lts::new(self.name());
        let mut images: Vec<Vec<Action>> = vec![vec![TAU]];
        for label in self.alphabet() {
            let mut new: Vec<Action> =
                image(label).iter().map(|label| result.action(label)).collect();
            if new.is_empty() {
                new.push(TAU);
            }
            images.push(new);
        }
        for state in self.states() {
            let edges = self.edges(state).iter().flat_map(|edge| {
                let target = edge.target;
                images[edge.action as usize].iter().map(move |&action| Edge { action, target })
            });
            let new = result.add_state();
            result.set_edges(new, edges.collect());
        }
        result.set_initial(self.initial());
        result.set_error(self.error());
        result.set_end(self.end());
        result
    }

    /// `prefix:P`: every label gets a prefix.
    #[must_use]
    pub fn prefixed(&self, prefix: &str) -> Lts {
        self.map_labels(|label| vec![format!("{prefix}.{label}")])
    }

    /// `{a, b}::P`: every label can be had under each of the prefixes.
    #[must_use]
    pub fn shared(&self, prefixes: &[String]) -> Lts {
        self.map_labels(|label| prefixes.iter().map(|p| format!("{p}.{label}")).collect())
    }

    /// `P / {new/old, ..}`.
    #[must_use]
    pub fn relabelled(&self, relabelling: &Relabelling) -> Lts {
        self.map_labels(|label| relabelling.image(label))
    }

    /// `P \ {..}`: these labels become silent.
    #[must_use]
    pub fn hiding(&self, prefixes: &[String]) -> Lts {
        self.without(|label| is_hidden(label, false, prefixes))
    }

    /// `P @ {..}`: all other labels become silent.
    #[must_use]
    pub fn showing(&self, prefixes: &[String]) -> Lts {
        self.without(|label| is_hidden(label, true, prefixes))
    }

    fn without(&self, hidden: impl Fn(&str) -> bool) -> Lts {
        self.map_labels(|label| if hidden(label) { Vec::new() } else { vec![label.to_owned()] })
    }
}

/// Whether a label becomes silent where only what begins with these prefixes is
/// shown, or all of that is hidden.
pub fn is_hidden(label: &str, shows: bool, prefixes: &[String]) -> bool {
    prefixes.iter().any(|prefix| has_prefix(label, prefix)) != shows
}

/// A state with two edges of one visible action, or with a silent edge.
pub fn nondeterminism(lts: &Lts) -> Option<(StateId, Action)> {
    lts.states().find_map(|state| {
        let edges = lts.edges(state);
        let silent = edges.first().filter(|edge| edge.action == TAU);
        let twice = edges.windows(2).find(|pair| pair[0].action == pair[1].action);
        silent.or(twice.map(|pair| &pair[0])).map(|edge| (state, edge.action))
    })
}

/// A property automaton: every action of the alphabet that a state does not
/// offer leads to `ERROR`, at `END` as well.
#[must_use]
pub fn complete_property(lts: &Lts) -> Lts {
    let mut result = lts.clone();
    let error = lts.error().unwrap_or_else(|| result.add_state());
    result.set_error(Some(error));
    for state in lts.states().filter(|&state| state != error) {
        let mut edges = lts.edges(state).to_vec();
        for action in 1..lts.labels().len() as Action {
            if lts.edges_with(state, action).is_empty() {
                edges.push(Edge { action, target: error });
            }
        }
        result.set_edges(state, edges);
    }
    result.reachable()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_renamed_prefix_counts() {
        let mut map = Relabelling::default();
        map.add("x", "a");
        map.add("y", "a.b");
        map.add("z", "a.b");
        assert_eq!(map.image("a.c.d"), ["x.c.d"]);
        assert_eq!(map.image("a.b.1"), ["y.1", "z.1"]);
        assert_eq!(map.image("ab"), ["ab"]);
    }

    #[test]
    fn a_property_refuses_nothing() {
        let mut lts = Lts::new("P");
        let (a, b) = (lts.action("a"), lts.action("b"));
        let (s, t) = (lts.add_state(), lts.add_state());
        lts.add_edge(s, a, t);
        lts.add_edge(t, b, s);
        let all = complete_property(&lts);
        assert_eq!((all.state_count(), all.transition_count()), (3, 4));
        assert_eq!(nondeterminism(&all), None);
        assert!(all.error().is_some());
    }
}
