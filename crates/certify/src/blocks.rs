//! Checks conformance of large systems: a relation by blocks, or a formula that
//! one system satisfies and the other does not.
//!
//! 1. Two states are related if their blocks are. For every action into a block
//!    `T` on the left, the states on the right that come by it, with silent
//!    steps around it, into a state related to `T` are found, going backwards
//!    from those. Every state related to one that does the action to `T` must be
//!    among them. That is the definition of a weak simulation, asked for all
//!    pairs at once; whether blocks are a bisimulation does not matter.
//! 2. A formula says what can be done, and what can be done afterwards, without
//!    negation. If the right weakly simulates the left, a state on the right
//!    satisfies every formula that a state it simulates does: by induction on
//!    the formula, because the step that shows a conjunct has a weak answer that
//!    leads to a state which simulates where the step leads. So a formula of the
//!    left initial state that the right one does not satisfy shows that there is
//!    no simulation. Each conjunction is evaluated on all states, the last
//!    first.

use crate::Rejected;
use parallax_base::Budget;
use parallax_lts::{Action, BlockRelation, Distinction, Lts, StateId, TAU};
use std::collections::{BTreeMap, BTreeSet};

/// Predecessors of all states, by action.
struct Backwards<'a> {
    lts: &'a Lts,
    into: Vec<Vec<(Action, StateId)>>,
}

impl<'a> Backwards<'a> {
    fn new(lts: &'a Lts) -> Backwards<'a> {
        let mut into = lts.predecessors();
        into.iter_mut().for_each(|list| list.sort_unstable());
        Backwards { lts, into }
    }

    fn with(&self, state: StateId, action: Action) -> &[(Action, StateId)] {
        let list = &self.into[state as usize];
        let from = list.partition_point(|entry| entry.0 < action);
        let to = list.partition_point(|entry| entry.0 <= action);
        &list[from..to]
    }

    /// Who comes into a set silently, or is in it.
    fn silently(&self, mut set: Vec<bool>) -> Vec<bool> {
        let mut open: Vec<StateId> = self.lts.states().filter(|&s| set[s as usize]).collect();
        while let Some(state) = open.pop() {
            for &(_, source) in self.with(state, TAU) {
                if !std::mem::replace(&mut set[source as usize], true) {
                    open.push(source);
                }
            }
        }
        set
    }

    /// Who comes into a set by an action with silent steps around it, or by
    /// silent steps alone if the action is silent; nobody, if there is no such
    /// action.
    fn weakly(&self, into: Vec<bool>, action: Option<Action>) -> Vec<bool> {
        let mut before = vec![false; into.len()];
        let Some(action) = action else { return before };
        let into = self.silently(into);
        if action == TAU {
            return into;
        }
        for state in self.lts.states().filter(|&state| into[state as usize]) {
            for &(_, source) in self.with(state, action) {
                before[source as usize] = true;
            }
        }
        self.silently(before)
    }
}

/// The number of a label of one system in the other.
fn same(left: &Lts, right: &Lts, action: Action) -> Option<Action> {
    if action == TAU {
        return Some(TAU);
    }
    right.find_action(left.label(action)).filter(|&action| action != TAU)
}

pub(crate) fn related(
    left: &Lts,
    right: &Lts,
    proof: &BlockRelation,
    budget: &Budget,
) -> Result<usize, Rejected> {
    let blocks = proof.right.iter().max().map_or(0, |&most| most as usize + 1);
    let fits = proof.left.len() == left.state_count()
        && proof.right.len() == right.state_count()
        && proof.left.iter().all(|&block| (block as usize) < proof.related.len())
        && proof.related.iter().flatten().all(|&block| (block as usize) < blocks);
    if !fits {
        return Err(Rejected::Malformed("a block for each state is needed".into()));
    }
    // The states that are related to a block, as truth values.
    let matching = |block: u32| -> Vec<bool> {
        let mut is_related = vec![false; blocks];
        for &other in &proof.related[block as usize] {
            is_related[other as usize] = true;
        }
        proof.right.iter().map(|&block| is_related[block as usize]).collect()
    };
    let first = proof.left[left.initial() as usize];
    if !matching(first)[right.initial() as usize] {
        return Err(Rejected::Initial("the initial states are not related".into()));
    }
    // Who does which action to which block.
    let mut steps: BTreeMap<(u32, Action), BTreeSet<u32>> = BTreeMap::new();
    for state in left.states() {
        for edge in left.edges(state) {
            let target = proof.left[edge.target as usize];
            let source = proof.left[state as usize];
            steps.entry((target, edge.action)).or_default().insert(source);
        }
    }
    let backwards = Backwards::new(right);
    for ((target, action), sources) in &steps {
        budget.check()?;
        let able = backwards.weakly(matching(*target), same(left, right, *action));
        // A block is able if all its states are.
        let mut is_able = vec![true; blocks];
        for (state, &able) in able.iter().enumerate() {
            is_able[proof.right[state] as usize] &= able;
        }
        for &source in sources {
            if !proof.related[source as usize].iter().all(|&block| is_able[block as usize]) {
                let label = left.label(*action);
                return Err(Rejected::Step(format!("`{label}` of block {source} is not matched")));
            }
        }
    }
    Ok(steps.len())
}

pub(crate) fn distinguished(
    left: &Lts,
    right: &Lts,
    formula: &Distinction,
    budget: &Budget,
) -> Result<usize, Rejected> {
    let sides = [Backwards::new(left), Backwards::new(right)];
    let count = formula.nodes.len();
    // The states of both systems that satisfy a conjunction.
    let mut holds: BTreeMap<usize, [Vec<bool>; 2]> = BTreeMap::new();
    for (number, conjuncts) in formula.nodes.iter().enumerate().rev() {
        budget.check()?;
        let mut sets = sides.each_ref().map(|side| vec![true; side.lts.state_count()]);
        for &(action, next) in conjuncts {
            let fits = (action as usize) < left.labels().len() && next > number && next < count;
            let Some(after) = holds.get(&next).filter(|_| fits) else {
                return Err(Rejected::Malformed(format!("conjunction {number} fits no system")));
            };
            let actions = [Some(action), same(left, right, action)];
            for (((set, side), after), action) in
                sets.iter_mut().zip(&sides).zip(after).zip(actions)
            {
                let able = side.weakly(after.clone(), action);
                set.iter_mut().zip(able).for_each(|(holds, able)| *holds &= able);
            }
        }
        holds.insert(number, sets);
    }
    let Some([on_left, on_right]) = holds.get(&0) else {
        return Err(Rejected::Malformed("there is no formula".into()));
    };
    let has = |set: &[bool], lts: &Lts| set.get(lts.initial() as usize).copied();
    if has(on_left, left) != Some(true) {
        return Err(Rejected::Target("the system does not satisfy the formula".into()));
    }
    if has(on_right, right) != Some(false) {
        return Err(Rejected::Target("the specification satisfies the formula".into()));
    }
    Ok(count)
}
