//! Bounds that every explored state keeps, as predicates of last resort.
//!
//! Preimages never mention a bound that no guard tests: that a counter stays
//! above zero when it is only ever added to others, or that two counters move
//! together. Without it the abstract states hold unreal values, and refinement
//! chases them for ever. So when many rounds were not enough, the least and
//! the greatest value of each hidden variable, and of sums and differences of
//! two, are taken over the explored states; those that did not change for a
//! round become predicates. They need not be invariants: a predicate only
//! makes the abstraction finer.

use super::graph::Graph;
use crate::node::Node;
use crate::work::Work;
use parallax_term::{Code, Int, Scratch, Sort, Term, Value};
use std::collections::BTreeMap;

/// Rounds to go without bounds on variables.
const PATIENCE: u64 = 8;

/// Rounds to go without bounds on pairs.
const MORE_PATIENCE: u64 = 12;

/// Pairs are not tried among more variables than this.
const MOST_PAIRED: usize = 12;

/// The least and greatest value of each form in the last round.
#[derive(Default)]
pub(crate) struct Bounds {
    last: BTreeMap<Term, (Int, Int)>,
}

impl Bounds {
    /// Bounds that held in this round and the one before, as formulas; none
    /// in the early rounds.
    pub(crate) fn stable(&mut self, work: &mut Work, graph: &Graph) -> Vec<Term> {
        let forms = forms(work);
        let now = ranges(work, graph, &forms);
        let mut found = Vec::new();
        for (&form, (low, high)) in &now {
            let Some((old_low, old_high)) = self.last.get(&form) else { continue };
            if old_low == low {
                let bound = work.store.int(low.clone());
                found.push(work.store.le(bound, form));
            }
            if old_high == high {
                let bound = work.store.int(high.clone());
                found.push(work.store.le(form, bound));
            }
        }
        self.last = now;
        found
    }
}

/// What is bounded in this round.
fn forms(work: &mut Work) -> Vec<Term> {
    let rounds = work.statistics.iterations;
    let hidden = work.partition().hidden.clone();
    let mut forms: Vec<Term> = hidden.iter().map(|&slot| work.variables[slot]).collect();
    forms.retain(|&v| rounds >= PATIENCE && work.store.sort(v) == Sort::Int);
    if rounds >= MORE_PATIENCE && forms.len() <= MOST_PAIRED {
        let single = forms.clone();
        for (i, &x) in single.iter().enumerate() {
            for &y in &single[i + 1..] {
                forms.push(work.store.sub(x, y));
                forms.push(work.store.add(x, y));
            }
        }
    }
    forms
}

/// The range of each form over all nodes, without those that are symbolic
/// somewhere.
fn ranges(work: &mut Work, graph: &Graph, forms: &[Term]) -> BTreeMap<Term, (Int, Int)> {
    let mut found: BTreeMap<Term, (Int, Int)> = BTreeMap::new();
    let mut open: Vec<usize> = (0..forms.len()).collect();
    let code = Code::compile(&work.store, forms, |t| work.post.partition().slot(t));
    let mut scratch = Scratch::default();
    for entry in graph.entries() {
        if open.is_empty() {
            break;
        }
        let mut at = match graph.node(entry) {
            Node::Point(state) => {
                code.run(state, &mut scratch);
                None
            }
            Node::Symbolic(set) => Some(set.at(work)),
        };
        open.retain(|&i| {
            let value = match &mut at {
                None => Some(code.output(i, &scratch).clone()),
                Some(at) => {
                    let term = at.apply(&mut work.store, forms[i]);
                    work.store.value(term).cloned()
                }
            };
            let Some(Value::Int(value)) = value else {
                found.remove(&forms[i]);
                return false;
            };
            let range = found.entry(forms[i]).or_insert_with(|| (value.clone(), value.clone()));
            if value < range.0 {
                range.0 = value;
            } else if value > range.1 {
                range.1 = value;
            }
            true
        });
    }
    found
}
