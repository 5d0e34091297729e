//! Sets of tuples, and where events lead.
//!
//! Every state of every component is a variable; a tuple is the set of the
//! states that its components are in, and a set of tuples a zero-suppressed
//! diagram. What an event does to one component does not depend on the others,
//! once all of them can take part: so its image is made component by component,
//! and never lists the ways in which they go together.
//!
//! Invariant: no set holds a tuple with `ERROR`; moves into `ERROR` are left out
//! of images, and asked about by [`Space::erring`].

use oxidd::util::AllocResult;
use oxidd::zbdd::{ZBDDFunction, new_manager};
use oxidd::{BooleanFunction, BooleanVecSet, Function, HasLevel, Manager, ManagerRef, Node};
use parallax_base::{Budget, Stop};
use parallax_lts::{Edge, Event, Parallel, StateId, TupleSet};
use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// A set of tuples.
pub(crate) type Set = ZBDDFunction;

/// States with what is below them.
pub(crate) type Arcs = Vec<(StateId, Set)>;

/// What an event does to a part of a diagram.
type Known = FxHashMap<((usize, Way), Set), Set>;

/// Most nodes there can be at a time.
const NODES: usize = 1 << 25;

/// Entries of the table of results.
const RESULTS: usize = 1 << 21;

/// Most results on parts of diagrams that are kept.
const KNOWN: usize = 1 << 20;

/// What is asked of an event.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Way {
    Forward,
    Backward,
    Possible,
    /// The place of the owner that goes to `ERROR`.
    Erring(usize),
}

/// Where states of a component lead.
pub(crate) type Table = BTreeMap<StateId, Vec<StateId>>;

/// What a component does with an action.
#[derive(Default)]
struct Moves {
    forward: Table,
    backward: Table,
    /// The states that can move, and those that can move to `ERROR`, each to
    /// itself.
    possible: Table,
    erring: Table,
}

/// All tuples of states of some systems.
pub(crate) struct Space<'a> {
    pub(crate) parallel: &'a Parallel<'a>,
    pub(crate) events: Vec<Event>,
    /// For each event, the moves of its owners.
    moves: Vec<Vec<Moves>>,
    /// The order in which events are tried: those about low levels first.
    turns: Vec<usize>,
    pub(crate) order: Vec<usize>,
    pub(crate) level_of: Vec<usize>,
    /// The first variable of each component.
    first: Vec<u32>,
    empty: Set,
    base: Set,
    known: RefCell<Known>,
}

impl<'a> Space<'a> {
    pub(crate) fn new(parallel: &'a Parallel<'a>, order: Vec<usize>) -> Result<Space<'a>, Stop> {
        let events = parallel.events();
        let mut level_of = vec![0; order.len()];
        let mut first = vec![0; order.len()];
        let mut variables = 0;
        for (level, &component) in order.iter().enumerate() {
            level_of[component] = level;
            first[component] = variables;
            variables += parallel.component(component).state_count() as u32;
        }
        let manager = new_manager(NODES, RESULTS, 1);
        let (empty, base) = manager.with_manager_exclusive(|manager| {
            manager.add_vars(variables);
            (Set::empty(manager), Set::base(manager))
        });
        let moves = events
            .iter()
            .map(|event| event.owners.iter().map(|&owner| moves(parallel, owner, event)).collect());
        let moves = moves.collect();
        let top = |event: usize| events[event].owners.iter().map(|&o| level_of[o]).min();
        let mut turns: Vec<usize> = (0..events.len()).collect();
        turns.sort_by_key(|&event| std::cmp::Reverse((top(event), event)));
        Ok(Space {
            parallel,
            events,
            moves,
            turns,
            order,
            level_of,
            first,
            empty,
            base,
            known: RefCell::default(),
        })
    }

    /// The set of the initial tuple, unless it is `ERROR`.
    pub(crate) fn initial(&self) -> Result<Set, Stop> {
        let initial = self.parallel.initial();
        match self.parallel.has_error(&initial) {
            true => Ok(self.empty()),
            false => self.single(&initial),
        }
    }

    /// The set of one tuple.
    pub(crate) fn single(&self, tuple: &[StateId]) -> Result<Set, Stop> {
        let mut set = self.base.clone();
        // From the last level up, so that each step makes one node.
        for &component in self.order.iter().rev() {
            set = kept(set.change(self.first[component] + tuple[component]))?;
        }
        Ok(set)
    }

    pub(crate) fn empty(&self) -> Set {
        self.empty.clone()
    }

    pub(crate) fn is_empty(&self, set: &Set) -> bool {
        *set == self.empty
    }

    /// The tuples of a set after the owners of an event have gone where tables
    /// say; those that have no entry are left out.
    fn mapped<'t>(
        &self,
        event: usize,
        way: Way,
        set: &Set,
        table: impl Fn(usize) -> &'t Table,
    ) -> Result<Set, Stop> {
        let owners = &self.events[event].owners;
        let mut tables = vec![None; self.order.len()];
        for (place, &owner) in owners.iter().enumerate() {
            tables[self.level_of[owner]] = Some(table(place));
        }
        while tables.last().is_some_and(Option::is_none) {
            tables.pop();
        }
        self.below((event, way), &tables, 0, set)
    }

    fn below(
        &self,
        what: (usize, Way),
        tables: &[Option<&Table>],
        level: usize,
        set: &Set,
    ) -> Result<Set, Stop> {
        let Some(table) = tables.get(level) else { return Ok(set.clone()) };
        let key = (what, set.clone());
        if let Some(known) = self.known.borrow().get(&key) {
            return Ok(known.clone());
        }
        let mut node: BTreeMap<StateId, Set> = BTreeMap::new();
        for (state, below) in self.arcs(set, self.order[level]) {
            let stay = [state];
            let targets = match table {
                Some(table) => table.get(&state).map_or(&[][..], Vec::as_slice),
                None => &stay,
            };
            if targets.is_empty() {
                continue;
            }
            let below = self.below(what, tables, level + 1, &below)?;
            for &target in targets {
                let all = match node.get(&target) {
                    Some(other) => kept(other.union(&below))?,
                    None => below.clone(),
                };
                node.insert(target, all);
            }
        }
        node.retain(|_, below| !self.is_empty(below));
        let found = self.node(level, &node)?;
        let mut known = self.known.borrow_mut();
        if known.len() == KNOWN {
            known.clear();
        }
        known.insert(key, found.clone());
        Ok(found)
    }

    /// Where an event leads from a set.
    pub(crate) fn image(&self, event: usize, set: &Set) -> Result<Set, Stop> {
        self.mapped(event, Way::Forward, set, |place| &self.moves[event][place].forward)
    }

    /// From where an event leads into a set, among all tuples.
    pub(crate) fn preimage(&self, event: usize, set: &Set) -> Result<Set, Stop> {
        self.mapped(event, Way::Backward, set, |place| &self.moves[event][place].backward)
    }

    /// The tuples of a set in which an event is possible.
    pub(crate) fn possible(&self, event: usize, set: &Set) -> Result<Set, Stop> {
        self.mapped(event, Way::Possible, set, |place| &self.moves[event][place].possible)
    }

    /// The tuples of a set in which an event may lead to `ERROR`.
    pub(crate) fn erring(&self, event: usize, set: &Set) -> Result<Set, Stop> {
        let mut all = self.empty();
        for failing in 0..self.moves[event].len() {
            if self.moves[event][failing].erring.is_empty() {
                continue;
            }
            let erring = self.mapped(event, Way::Erring(failing), set, |place| {
                let moves = &self.moves[event][place];
                if place == failing { &moves.erring } else { &moves.possible }
            })?;
            all = kept(all.union(&erring))?;
        }
        Ok(all)
    }

    /// The tuples of a set in which all components have ended.
    pub(crate) fn ended(&self, set: &Set) -> Result<Set, Stop> {
        let ends = (0..self.parallel.width()).map(|index| self.parallel.component(index).end());
        match ends.collect::<Option<Vec<StateId>>>() {
            Some(tuple) => kept(set.intsec(&self.single(&tuple)?)),
            None => Ok(self.empty()),
        }
    }

    /// The set of the tuple of nothing.
    pub(crate) fn base(&self) -> Set {
        self.base.clone()
    }

    /// The moves of the component on a level, if it takes part in an event.
    pub(crate) fn moves_at(&self, event: usize, level: usize) -> Option<&Table> {
        let owners = &self.events[event].owners;
        let place = owners.binary_search(&self.order[level]).ok()?;
        Some(&self.moves[event][place].forward)
    }

    /// The set of states of the component on a level, each with what is below.
    pub(crate) fn node(&self, level: usize, arcs: &BTreeMap<StateId, Set>) -> Result<Set, Stop> {
        let first = self.first[self.order[level]];
        let mut set = self.empty();
        for (state, below) in arcs.iter().rev() {
            let with = kept(below.change(first + state))?;
            set = kept(with.union(&set))?;
        }
        Ok(set)
    }

    /// The tuples of `within` that have a way into `goal`, a part of it, and
    /// after each event that found some, all that were found so far.
    pub(crate) fn backward(
        &self,
        goal: &Set,
        within: &Set,
        budget: &Budget,
    ) -> Result<(Set, Vec<(usize, Set)>), Stop> {
        let (mut all, mut steps) = (goal.clone(), Vec::new());
        loop {
            let before = all.clone();
            for &event in &self.turns {
                loop {
                    budget.check()?;
                    let earlier = kept(within.intsec(&self.preimage(event, &all)?))?;
                    let more = kept(all.union(&earlier))?;
                    if more == all {
                        break;
                    }
                    steps.push((event, more.clone()));
                    all = more;
                }
            }
            if before == all {
                return Ok((all, steps));
            }
        }
    }

    /// The first tuple of a set.
    pub(crate) fn first(&self, set: &Set) -> Option<Box<[StateId]>> {
        let mut tuple = vec![0; self.order.len()].into_boxed_slice();
        let mut at = set.clone();
        for &component in &self.order {
            let (state, below) = self.arcs(&at, component).into_iter().next()?;
            tuple[component] = state;
            at = below;
        }
        Some(tuple)
    }

    /// The set as a diagram of its own.
    pub(crate) fn tuples(&self, set: &Set) -> TupleSet {
        let mut levels: Vec<Vec<(Set, Arcs)>> = Vec::new();
        let mut front = vec![set.clone()];
        for &component in &self.order {
            let (mut seen, mut next, mut level) = (FxHashMap::default(), Vec::new(), Vec::new());
            for node in front {
                let arcs = self.arcs(&node, component);
                for (_, child) in &arcs {
                    if seen.insert(child.clone(), ()).is_none() {
                        next.push(child.clone());
                    }
                }
                level.push((node, arcs));
            }
            levels.push(level);
            front = next;
        }
        let mut numbers = FxHashMap::default();
        numbers.insert(self.base.clone(), TupleSet::LEAF);
        let mut nodes = vec![Vec::new()];
        for (node, arcs) in levels.into_iter().rev().flatten() {
            let number = |(state, child): (StateId, Set)| Some((state, *numbers.get(&child)?));
            let arcs: Vec<(StateId, usize)> = arcs.into_iter().filter_map(number).collect();
            if !arcs.is_empty() {
                numbers.insert(node, nodes.len());
                nodes.push(arcs);
            }
        }
        TupleSet::new(self.order.clone(), nodes).unwrap_or_default()
    }

    /// The states of a component that a diagram goes on with, and how.
    pub(crate) fn arcs(&self, set: &Set, component: usize) -> Arcs {
        let (mut arcs, mut at) = (Vec::new(), set.clone());
        let states = self.parallel.component(component).state_count() as u32;
        while let Some(variable) = variable(&at) {
            let (Some(state), Some((with, without))) =
                (variable.checked_sub(self.first[component]), at.cofactors())
            else {
                break;
            };
            if state >= states {
                break;
            }
            arcs.push((state, with));
            at = without;
        }
        arcs
    }
}

/// A result, unless there is no more room for nodes.
pub(crate) fn kept(set: AllocResult<Set>) -> Result<Set, Stop> {
    set.map_err(|_| Stop::Memory)
}

/// The variable at the top of a diagram; they are never reordered.
fn variable(set: &Set) -> Option<u32> {
    set.with_manager_shared(|manager, edge| match manager.get_node(edge) {
        Node::Inner(node) => Some(node.level()),
        Node::Terminal(_) => None,
    })
}

/// The moves of a component.
fn moves(parallel: &Parallel<'_>, owner: usize, event: &Event) -> Moves {
    let mut moves = Moves::default();
    for state in parallel.component(owner).states() {
        let edges = parallel.moves(owner, state, event.action);
        let errs = |edge: &Edge| parallel.is_error(owner, edge.target);
        if !edges.is_empty() {
            moves.possible.insert(state, vec![state]);
        }
        if edges.iter().any(errs) {
            moves.erring.insert(state, vec![state]);
        }
        for edge in edges.iter().filter(|edge| !errs(edge)) {
            moves.forward.entry(state).or_default().push(edge.target);
            moves.backward.entry(edge.target).or_default().push(state);
        }
    }
    moves
}
