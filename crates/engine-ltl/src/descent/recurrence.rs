//! Cycles of the product that can be repeated for ever although states do not come
//! back: regions of states that a cycle does not leave.
//!
//! Inputs are those of one turn, every time. What the cycle asks for, over the state
//! that it begins in, is the first region that is tried; then the same with what this
//! turn changes in one direction only. Such regions are the recurrence sets of Gupta,
//! Henzinger, Majumdar, Rybalchenko and Xu (POPL 2008); theirs are found by templates.

use super::product::Product;
use parallax_evidence::Trace;
use parallax_ir::Program;
use parallax_term::{Sort, Substitution, Term, TermStore};

/// A way through the product that ends where it begins.
pub(super) struct Cycle<'a> {
    pub(super) program: &'a Program,
    /// Where it begins.
    pub(super) node: usize,
    pub(super) arrows: &'a [usize],
}

impl Cycle<'_> {
    /// What a turn asks of the state it begins in, and the values after it. Its
    /// inputs are those of a run from a number of steps on.
    fn turn(&self, product: &mut Product, run: &Trace, start: usize) -> (Vec<Term>, Vec<Term>) {
        let Product { store, arrows, .. } = product;
        let symbols: Vec<Term> = self.program.variables.iter().map(|v| v.term).collect();
        let mut values = symbols.clone();
        let mut asked = Vec::new();
        for (&arrow, step) in self.arrows.iter().zip(run.steps.iter().skip(start)) {
            let arrow = &arrows[arrow];
            let inputs = arrow.inputs.iter().map(|input| input.term);
            let chosen: Vec<Term> =
                step.inputs.iter().map(|value| store.constant(value.clone())).collect();
            let states = symbols.iter().copied().zip(values.iter().copied());
            let mut here = Substitution::new(states.chain(inputs.zip(chosen)));
            asked.push(here.apply(store, arrow.condition));
            let mut next = values.clone();
            for update in &arrow.updates {
                next[update.variable.index()] = here.apply(store, update.value);
            }
            values = next;
        }
        (asked, values)
    }

    /// Regions that the run is in after these steps, the largest first.
    pub(super) fn regions(&self, product: &mut Product, run: &Trace, start: usize) -> Vec<Term> {
        let (mut parts, _) = self.turn(product, run, start);
        let Product { store, tracked, nodes, .. } = product;
        for (&id, value) in tracked.iter().zip(&nodes[self.node].values) {
            let value = store.constant(value.clone());
            parts.push(store.eq(self.program.variables[id].term, value));
        }
        let asked = store.and(parts);
        let Some(first) = run.state(start) else { return Vec::new() };
        let mut kept = vec![asked];
        let mut directed = vec![asked];
        for (variable, (before, after)) in
            self.program.variables.iter().zip(first.iter().zip(run.last().iter()))
        {
            let (term, value) = (variable.term, store.constant(before.clone()));
            if before == after {
                kept.push(store.eq(term, value));
            } else if let Some(side) = side(store, term, value, after) {
                directed.push(side);
            }
        }
        directed.extend(kept.iter().copied().skip(1));
        let mut regions = vec![asked, store.and(kept), store.and(directed)];
        regions.dedup();
        regions
    }

    /// That a turn from a region leads out of it.
    pub(super) fn leaves(
        &self,
        product: &mut Product,
        run: &Trace,
        start: usize,
        region: Term,
    ) -> Term {
        let (_, values) = self.turn(product, run, start);
        let store = &mut product.store;
        let tracked = &product.tracked;
        // The tracked variables have the values of the node again.
        let symbols = self.program.variables.iter_enumerated();
        let free = symbols.zip(values).filter(|((id, _), _)| !tracked.contains(id));
        let after: Vec<(Term, Term)> = free.map(|((_, v), value)| (v.term, value)).collect();
        let again = Substitution::new(after).apply(store, region);
        let outside = store.not(again);
        store.and([region, outside])
    }
}

/// That a number is on the side of a value on which it is after a turn.
fn side(
    store: &mut TermStore,
    term: Term,
    value: Term,
    after: &parallax_term::Value,
) -> Option<Term> {
    if !matches!(store.sort(term), Sort::Int | Sort::Real) {
        return None;
    }
    let after = store.constant(after.clone());
    let grows = store.le(value, after);
    Some(if store.is_true(grows) { store.le(value, term) } else { store.le(term, value) })
}
