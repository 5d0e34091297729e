//! Which variables matter where.

use crate::{Process, Program, Role};
use parallax_term::Term;
use std::collections::{BTreeMap, BTreeSet};

impl Program {
    /// For each location the variables, by position, that may be read from
    /// there on before they are written; `None` if the program has more than
    /// one process. What a property speaks of is read everywhere.
    pub fn live_variables(&self) -> Option<Vec<BTreeSet<usize>>> {
        let mut processes = self.processes.iter();
        let (Some(process), None) = (processes.next(), processes.next()) else { return None };
        let slots: BTreeMap<Term, usize> = self
            .variables
            .iter()
            .enumerate()
            .filter(|(_, v)| !matches!(v.role, Role::Control(_)))
            .map(|(slot, v)| (v.term, slot))
            .collect();
        let reads = |term: Term| -> BTreeSet<usize> {
            self.store.vars(term).into_iter().filter_map(|t| slots.get(&t).copied()).collect()
        };
        let mut always = BTreeSet::new();
        for property in &self.properties {
            always.extend(reads(property.target));
        }
        Some(solve(process, &always, &reads))
    }
}

fn solve(
    process: &Process,
    always: &BTreeSet<usize>,
    reads: &dyn Fn(Term) -> BTreeSet<usize>,
) -> Vec<BTreeSet<usize>> {
    struct Effect {
        source: usize,
        target: usize,
        condition: BTreeSet<usize>,
        writes: BTreeMap<usize, BTreeSet<usize>>,
    }
    let effect = |edge: &crate::Edge| {
        let mut condition = reads(edge.guard);
        condition.extend(reads(edge.constraint));
        for input in &edge.inputs {
            for bound in [input.low, input.high].into_iter().flatten() {
                condition.extend(reads(bound));
            }
        }
        let writes = edge.updates.iter().map(|u| (u.variable.index(), reads(u.value))).collect();
        Effect { source: edge.source.index(), target: edge.target.index(), condition, writes }
    };
    let effects: Vec<Effect> = process.edges.iter().map(effect).collect();
    let mut live = vec![always.clone(); process.locations.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for effect in effects.iter().rev() {
            let mut needed = effect.condition.clone();
            for slot in &live[effect.target] {
                match effect.writes.get(slot) {
                    Some(reads) => needed.extend(reads),
                    None => drop(needed.insert(*slot)),
                }
            }
            let own = &mut live[effect.source];
            let before = own.len();
            own.extend(needed);
            changed |= own.len() != before;
        }
    }
    live
}
