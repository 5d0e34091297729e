//! Weak simulation as N-HORN satisfiability, built on the fly.
//!
//! There is a variable for "the specification state `q` matches the
//! implementation state `p`". For every edge `p -a-> t` there is a clause: if
//! `(p, q)` is in the relation, so is one of `(t, x)` where `q =a=> x`. Clauses
//! of a pair are added when some clause relies on the pair, so only pairs that
//! matter are built. The work is bounded by the number of clauses, at most one
//! for each edge of the implementation and state of the specification, and
//! their lengths: the product of the two transition relations, the right one
//! with weak arrows.

use crate::dag::extract;
use crate::horn::{NHorn, Variable};
use parallax_base::{Budget, Stop};
use parallax_lts::{Action, CeDag, Lts, StateId, TAU, saturate, saturate_within};
use rustc_hash::FxHashMap;

/// A relation, or why there is none.
#[derive(Clone, Debug)]
pub enum Conformance {
    /// A weak simulation: pairs of an implementation and a specification
    /// state, sorted.
    Conforms(Vec<(StateId, StateId)>),
    /// The counterexample.
    Differs(CeDag),
}

/// The answer and what it cost.
#[derive(Clone, Debug)]
pub struct Simulated {
    /// The answer.
    pub conformance: Conformance,
    /// Pairs of states that were built.
    pub pairs: usize,
    /// Clauses of the formula.
    pub clauses: usize,
}

/// From pairs to variables.
enum Numbers {
    Dense(Vec<u32>, usize),
    Sparse(FxHashMap<(StateId, StateId), u32>),
}

/// Up to so many pairs a table is used.
const DENSE: usize = 1 << 26;

impl Numbers {
    fn entry(&mut self, pair: (StateId, StateId)) -> &mut u32 {
        match self {
            Numbers::Dense(table, width) => &mut table[pair.0 as usize * *width + pair.1 as usize],
            Numbers::Sparse(map) => map.entry(pair).or_insert(u32::MAX),
        }
    }
}

/// A simulation under construction.
struct Search<'a> {
    left: &'a Lts,
    /// The specification with weak arrows.
    right: Lts,
    /// Labels of the left by number: their number on the right.
    same: Vec<Option<Action>>,
    numbers: Numbers,
    pairs: Vec<(StateId, StateId)>,
    horn: NHorn,
    /// The edge that a clause is about.
    about: Vec<(Action, StateId)>,
}

impl Search<'_> {
    fn variable(&mut self, pair: (StateId, StateId)) -> Variable {
        let slot = self.numbers.entry(pair);
        if *slot == u32::MAX {
            *slot = self.horn.variable();
            self.pairs.push(pair);
        }
        *slot
    }

    /// Adds the clauses of a pair.
    fn build(&mut self, variable: Variable) {
        let (p, q) = self.pairs[variable as usize];
        let mut literals = Vec::new();
        let left = self.left;
        for edge in left.edges(p) {
            literals.clear();
            if let Some(action) = self.same[edge.action as usize] {
                let count = self.right.edges_with(q, action).len();
                for index in 0..count {
                    let target = self.right.edges_with(q, action)[index].target;
                    literals.push(self.variable((edge.target, target)));
                }
            }
            // A silent step is best matched by none at all.
            if edge.action == TAU
                && let Some(stay) = literals.iter().position(|&v| self.pairs[v as usize].1 == q)
            {
                literals.swap(0, stay);
            }
            self.horn.add(Some(variable), &literals);
            self.about.push((edge.action, edge.target));
            if self.horn.is_false(variable) {
                return;
            }
        }
    }
}

/// Whether `right` weakly simulates `left`, from the initial states.
///
/// Labels are compared by name. An action of `left` that `right` does not have
/// cannot be matched.
///
/// # Errors
/// When the budget ends.
pub fn simulates(left: &Lts, right: &Lts, budget: &Budget) -> Result<Simulated, Stop> {
    let weak = saturate(right, budget)?;
    // Without a limit there is always an answer.
    let nothing = Conformance::Differs(CeDag { nodes: Vec::new() });
    let nothing = Simulated { conformance: nothing, pairs: 0, clauses: 0 };
    Ok(decide(left, weak, usize::MAX, budget)?.unwrap_or(nothing))
}

/// The same, unless it takes more than `most` weak arrows or literals.
pub(crate) fn simulates_within(
    left: &Lts,
    right: &Lts,
    most: usize,
    budget: &Budget,
) -> Result<Option<Simulated>, Stop> {
    match saturate_within(right, most, budget)? {
        Some(weak) => decide(left, weak, most, budget),
        None => Ok(None),
    }
}

fn decide(left: &Lts, weak: Lts, most: usize, budget: &Budget) -> Result<Option<Simulated>, Stop> {
    let right = &weak;
    let same = left.labels().iter().map(|label| weak.find_action(label)).collect();
    let numbers = match left.state_count().checked_mul(right.state_count()) {
        Some(size) if size <= DENSE => Numbers::Dense(vec![u32::MAX; size], right.state_count()),
        _ => Numbers::Sparse(FxHashMap::default()),
    };
    let (pairs, about) = (Vec::new(), Vec::new());
    let horn = NHorn::default();
    let initial = (left.initial(), right.initial());
    let mut search = Search { left, right: weak, same, numbers, pairs, horn, about };
    let start = search.variable(initial);
    search.horn.add(None, &[start]);
    search.about.push((TAU, left.initial()));
    let mut next = 0;
    let mut queue = search.horn.take_newly_watched();
    while search.horn.satisfiable() && next < queue.len() {
        if next % 1024 == 0 {
            budget.check()?;
        }
        if search.horn.size() > most {
            return Ok(None);
        }
        let variable = queue[next];
        next += 1;
        if !search.horn.is_false(variable) {
            search.build(variable);
            queue.append(&mut search.horn.take_newly_watched());
        }
    }
    let (pairs, clauses) = (search.pairs.len(), search.about.len());
    let conformance = if search.horn.satisfiable() {
        let holds = queue.iter().filter(|&&variable| !search.horn.is_false(variable));
        let mut relation: Vec<_> = holds.map(|&v| search.pairs[v as usize]).collect();
        relation.sort_unstable();
        Conformance::Conforms(relation)
    } else {
        Conformance::Differs(extract(&search.horn, &search.pairs, &search.about, start))
    };
    Ok(Some(Simulated { conformance, pairs, clauses }))
}
