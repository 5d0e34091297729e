//! The explored part of the program: nodes with identity, parents and marks.

use super::distance::Distance;
use crate::node::{Node, Successor};
use crate::work::Work;
use hashbrown::HashTable;
use parallax_base::Stop;
use parallax_domain::Cube;
use parallax_engine::solve_path;
use parallax_evidence::{Trace, TraceStep};
use parallax_ir::{Choices, State};
use parallax_solver::Halt;
use parallax_term::Value;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};
use std::hash::BuildHasher;

/// Up to this many input choices of one step are tried one by one.
const CHOICE_LIMIT: usize = 256;

/// Edges are kept for the picture of small graphs only.
const PICTURE_LIMIT: usize = 20_000;

/// Index of an entry.
pub(crate) type Entry = u32;

struct Record {
    node: Node,
    /// Index of its abstract state under the current predicates.
    cube: Option<u32>,
    parent: Option<(Entry, u32)>,
    inputs: Box<[Value]>,
    expanded: bool,
}

/// All nodes generated so far; no two are equal.
pub(crate) struct Graph {
    records: Vec<Record>,
    table: HashTable<Entry>,
    /// Entries not yet expanded, oldest first; may hold expanded ones.
    waiting: VecDeque<Entry>,
    /// The same points, nearest to a target first.
    near: BinaryHeap<Reverse<(i64, Entry)>>,
    distance: Option<Distance>,
    pub(crate) cubes: Vec<Cube>,
    index: FxHashMap<Cube, u32>,
    /// (entry, transition, entry), for the picture.
    pub(crate) edges: Vec<(Entry, u32, Entry)>,
    pub(crate) roots: usize,
    /// Whether some node's inputs are not recorded, or it is symbolic.
    indirect: bool,
}

impl Graph {
    /// An empty graph; points are ordered by the distance, if there is one.
    pub(crate) fn new(distance: Option<Distance>) -> Graph {
        Graph {
            records: Vec::new(),
            table: HashTable::new(),
            waiting: VecDeque::new(),
            near: BinaryHeap::new(),
            distance,
            cubes: Vec::new(),
            index: FxHashMap::default(),
            edges: Vec::new(),
            roots: 0,
            indirect: false,
        }
    }

    /// Forgets all nodes.
    pub(crate) fn clear(&mut self) {
        *self = Graph::new(self.distance.take());
    }

    pub(crate) fn len(&self) -> usize {
        self.records.len()
    }

    pub(crate) fn has_symbolic(&self) -> bool {
        self.indirect
    }

    pub(crate) fn node(&self, entry: Entry) -> &Node {
        &self.records[entry as usize].node
    }

    pub(crate) fn cube_of(&self, entry: Entry) -> Option<u32> {
        self.records[entry as usize].cube
    }

    pub(crate) fn cube_index(&self, cube: &Cube) -> Option<u32> {
        self.index.get(cube).copied()
    }

    pub(crate) fn is_expanded(&self, entry: Entry) -> bool {
        self.records[entry as usize].expanded
    }

    pub(crate) fn entries(&self) -> std::ops::Range<Entry> {
        0..self.records.len() as Entry
    }

    /// The oldest entry that still waits.
    pub(crate) fn next_waiting(&mut self) -> Option<Entry> {
        while let Some(entry) = self.waiting.pop_front() {
            if !self.is_expanded(entry) {
                return Some(entry);
            }
        }
        None
    }

    /// The waiting point that is nearest to a target.
    pub(crate) fn next_near(&mut self) -> Option<Entry> {
        while let Some(Reverse((_, entry))) = self.near.pop() {
            if !self.is_expanded(entry) {
                return Some(entry);
            }
        }
        None
    }

    /// Puts an entry back that [`Graph::next_waiting`] gave.
    pub(crate) fn put_back(&mut self, entry: Entry) {
        self.waiting.push_front(entry);
    }

    /// Generates the initial nodes; returns a target if there is one.
    pub(crate) fn start(&mut self, work: &mut Work) -> Result<Option<Entry>, Halt> {
        for successor in work.initial_nodes()? {
            let (entry, target) = self.add_successor(work, successor, None);
            if target {
                return Ok(Some(entry));
            }
        }
        self.roots = self.records.len();
        Ok(None)
    }

    /// Generates all successors of an entry; returns a target if there is one.
    pub(crate) fn expand(&mut self, work: &mut Work, entry: Entry) -> Result<Option<Entry>, Halt> {
        self.records[entry as usize].expanded = true;
        let node = self.node(entry).clone();
        let Node::Point(state) = &node else {
            let cube = self.match_entry(work, entry, None);
            let cube = self.cubes[cube as usize].clone();
            for transition in work.candidates(&node, &cube) {
                if let Some(found) = self.fire(work, entry, &node, &cube, transition)? {
                    return Ok(Some(found));
                }
            }
            return Ok(None);
        };
        for transition in work.interpreter.candidates(state) {
            if !work.interpreter.is_enabled(state, transition) {
                continue;
            }
            match work.interpreter.choices(state, transition, CHOICE_LIMIT) {
                Choices::All(all) => {
                    for inputs in all {
                        let next = work.interpreter.fire(state, transition, &inputs);
                        let parent = Some((entry, transition as u32));
                        if let Some(found) = self.add_point(work, next, parent, inputs) {
                            return Ok(Some(found));
                        }
                    }
                }
                Choices::TooMany => {
                    let cube = work.cube(state);
                    if let Some(found) = self.fire(work, entry, &node, &cube, transition)? {
                        return Ok(Some(found));
                    }
                }
            }
        }
        Ok(None)
    }

    fn fire(
        &mut self,
        work: &mut Work,
        entry: Entry,
        node: &Node,
        cube: &Cube,
        transition: usize,
    ) -> Result<Option<Entry>, Halt> {
        for successor in work.fire(node, cube, transition)? {
            self.indirect = true;
            let parent = Some((entry, transition as u32));
            let (found, target) = self.add_successor(work, successor, parent);
            if target {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// Adds a point unless it is known; returns it if it is a new target.
    fn add_point(
        &mut self,
        work: &mut Work,
        state: State,
        parent: Option<(Entry, u32)>,
        inputs: Vec<Value>,
    ) -> Option<Entry> {
        let (entry, new) = self.add(Node::Point(state), parent, inputs);
        if !new {
            return None;
        }
        let Node::Point(state) = &self.records[entry as usize].node else { return None };
        if let Some(distance) = &mut self.distance {
            self.near.push(Reverse((distance.of(state), entry)));
        }
        work.is_target(state).then_some(entry)
    }

    fn add_successor(
        &mut self,
        work: &mut Work,
        successor: Successor,
        parent: Option<(Entry, u32)>,
    ) -> (Entry, bool) {
        self.indirect |= matches!(successor.node, Node::Symbolic(_));
        let (entry, new) = self.add(successor.node, parent, successor.inputs);
        let cube = self.match_entry(work, entry, Some(successor.cube));
        let cube = self.cubes[cube as usize].clone();
        let node = self.node(entry).clone();
        (entry, new && work.is_target_node(&node, &cube))
    }

    fn add(
        &mut self,
        node: Node,
        parent: Option<(Entry, u32)>,
        inputs: Vec<Value>,
    ) -> (Entry, bool) {
        let hash = FxBuildHasher.hash_one(&node);
        let records = &self.records;
        let known = self.table.find(hash, |&e| records[e as usize].node == node).copied();
        let entry = known.unwrap_or(records.len() as Entry);
        if known.is_none() {
            let inputs = inputs.into();
            self.records.push(Record { node, cube: None, parent, inputs, expanded: false });
            let records = &self.records;
            let rehash = |&e: &Entry| FxBuildHasher.hash_one(&records[e as usize].node);
            self.table.insert_unique(hash, entry, rehash);
            self.waiting.push_back(entry);
        }
        if let Some((from, transition)) = parent
            && self.records.len() <= PICTURE_LIMIT
        {
            self.edges.push((from, transition, entry));
        }
        (entry, known.is_none())
    }

    /// The abstract state of an entry, computed if it is not known yet.
    pub(crate) fn match_entry(&mut self, work: &mut Work, entry: Entry, cube: Option<Cube>) -> u32 {
        if let Some(known) = self.records[entry as usize].cube {
            return known;
        }
        let cube = match (&self.records[entry as usize].node, cube) {
            (Node::Point(state), None) => work.cube(state),
            (_, Some(cube)) => cube,
            // A symbolic node is added together with its abstract state.
            (Node::Symbolic(_), None) => Cube { explicit: [].into(), bits: Default::default() },
        };
        let index = self.add_cube(&cube);
        self.records[entry as usize].cube = Some(index);
        index
    }

    /// The number of an abstract state, a new one if it is new.
    pub(crate) fn add_cube(&mut self, cube: &Cube) -> u32 {
        if let Some(&index) = self.index.get(cube) {
            return index;
        }
        let index = self.cubes.len() as u32;
        self.index.insert(cube.clone(), index);
        self.cubes.push(cube.clone());
        index
    }

    /// Forgets all abstract states, after the predicates have changed.
    pub(crate) fn forget_cubes(&mut self) {
        self.cubes.clear();
        self.index.clear();
        for record in &mut self.records {
            record.cube = None;
        }
    }

    /// The run that leads to an entry.
    pub(crate) fn trace(&self, work: &mut Work, entry: Entry) -> Result<Option<Trace>, Stop> {
        let mut chain = vec![entry];
        let mut path = Vec::new();
        let mut at = entry;
        while let Some((parent, transition)) = self.records[at as usize].parent {
            path.push(transition as usize);
            chain.push(parent);
            at = parent;
        }
        path.reverse();
        chain.reverse();
        if self.indirect {
            let (target, solver) = (work.target, work.oracle.solver());
            return solve_path(&mut work.store, solver, work.program, &path, target, work.budget);
        }
        let state = |e: Entry| match self.node(e) {
            Node::Point(state) => Some(state.clone()),
            Node::Symbolic(_) => None,
        };
        let Some(initial) = state(chain[0]) else { return Ok(None) };
        let mut steps = Vec::new();
        for (&entry, transition) in chain[1..].iter().zip(path) {
            let Some(state) = state(entry) else { return Ok(None) };
            let inputs = self.records[entry as usize].inputs.to_vec();
            steps.push(TraceStep { transition, inputs, state });
        }
        Ok(Some(Trace::new(initial, steps)))
    }
}
