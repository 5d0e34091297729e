//! Sets of certified states: looking states up, and covering formulas.
//!
//! Points are found by hash. Regions are indexed by the values they fix, so
//! that a successor is compared only with the few regions that agree on them.
//! Leaving a region out of a cover makes a check harder to pass, never easier,
//! so the index cannot make the checker accept too much.

use parallax_evidence::Region;
use parallax_ir::{Program, State};
use parallax_term::{Code, Scratch, Substitution, Term, TermStore, Value};
use rustc_hash::{FxHashMap, FxHashSet};

/// Regions that fix the same variables, by the values they fix.
struct Group {
    slots: Vec<usize>,
    by_values: FxHashMap<Box<[Value]>, Vec<usize>>,
}

/// A set of states given by points and regions.
pub(crate) struct Cover<'a> {
    program: &'a Program,
    points: FxHashSet<&'a State>,
    /// Each region as one formula over the program's variables.
    formulas: Vec<Term>,
    codes: Vec<Code>,
    groups: Vec<Group>,
    scratch: Scratch,
}

impl<'a> Cover<'a> {
    pub(crate) fn new(
        program: &'a Program,
        store: &mut TermStore,
        points: &'a [State],
        regions: impl Iterator<Item = &'a Region>,
    ) -> Cover<'a> {
        let regions: Vec<&Region> = regions.collect();
        let slots: FxHashMap<Term, usize> =
            program.variables.iter().enumerate().map(|(i, v)| (v.term, i)).collect();
        let compile = |r: &&Region| Code::compile(store, &[r.formula], |t| slots.get(&t).copied());
        let codes = regions.iter().map(compile).collect();
        let mut groups: Vec<Group> = Vec::new();
        for (index, region) in regions.iter().enumerate() {
            let slots: Vec<usize> = region.fixed.iter().map(|(v, _)| v.index()).collect();
            let values = region.fixed.iter().map(|(_, value)| value.clone()).collect();
            let at = groups.iter().position(|g| g.slots == slots).unwrap_or_else(|| {
                groups.push(Group { slots, by_values: FxHashMap::default() });
                groups.len() - 1
            });
            groups[at].by_values.entry(values).or_default().push(index);
        }
        let formulas = regions.iter().map(|r| region_formula(store, program, r)).collect();
        let points = points.iter().collect();
        Cover { program, points, formulas, codes, groups, scratch: Scratch::default() }
    }

    /// Whether a concrete state belongs to the set.
    pub(crate) fn contains(&mut self, state: &State) -> bool {
        if self.points.contains(state) {
            return true;
        }
        for group in &self.groups {
            let values: Box<[Value]> = group.slots.iter().map(|&s| state[s].clone()).collect();
            for &region in group.by_values.get(&values).into_iter().flatten() {
                if self.codes[region].test(state, &mut self.scratch) {
                    return true;
                }
            }
        }
        false
    }

    /// A formula that implies "the state with these values belongs to the set".
    ///
    /// `values` gives a term for every variable; `known` are replacements that
    /// may be made because they hold where the formula will be asked.
    pub(crate) fn formula(
        &self,
        store: &mut TermStore,
        values: &[Term],
        known: &mut Substitution,
    ) -> Term {
        let symbols = self.program.variables.iter().map(|v| v.term);
        let mut here = Substitution::new(symbols.zip(values.iter().copied()));
        let mut parts = Vec::new();
        let constant = |store: &TermStore, slot: usize| store.value(values[slot]).cloned();
        for group in &self.groups {
            let known_here: Vec<Option<Value>> =
                group.slots.iter().map(|&slot| constant(store, slot)).collect();
            let candidates: Vec<usize> = match known_here.iter().cloned().collect() {
                Some::<Box<[Value]>>(key) => group.by_values.get(&key).cloned().unwrap_or_default(),
                None => {
                    let agrees = |key: &[Value]| {
                        key.iter().zip(&known_here).all(|(k, h)| h.as_ref().is_none_or(|h| h == k))
                    };
                    let matching = group.by_values.iter().filter(|(key, _)| agrees(key));
                    let mut all: Vec<usize> = matching.flat_map(|(_, r)| r).copied().collect();
                    all.sort_unstable();
                    all
                }
            };
            for region in candidates {
                let after = here.apply(store, self.formulas[region]);
                let part = known.apply(store, after);
                if store.is_true(part) {
                    return part;
                }
                parts.push(part);
            }
        }
        // A point can only match if it agrees with all constant values.
        let constants: Vec<(usize, Value)> =
            (0..values.len()).filter_map(|slot| Some((slot, constant(store, slot)?))).collect();
        let mut points: Vec<&&State> = self
            .points
            .iter()
            .filter(|p| constants.iter().all(|(slot, value)| p[*slot] == *value))
            .collect();
        points.sort_unstable();
        for point in points {
            let mut equal = Vec::new();
            for (slot, value) in point.iter().enumerate() {
                let value = store.constant(value.clone());
                equal.push(store.eq(values[slot], value));
            }
            parts.push(store.and(equal));
        }
        store.or(parts)
    }
}

/// A region as one formula over the program's variables.
pub(crate) fn region_formula(store: &mut TermStore, program: &Program, region: &Region) -> Term {
    let mut parts = vec![region.formula];
    for (variable, value) in &region.fixed {
        let value = store.constant(value.clone());
        parts.push(store.eq(program.variables[*variable].term, value));
    }
    store.and(parts)
}
