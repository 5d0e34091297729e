//! The solver: inclusion constraints over sets of pointers.
//!
//! L. O. Andersen, *Program Analysis and Specialization for the C Programming
//! Language*, 1994, ch. 4, with difference propagation and elimination of
//! cycles of copies while solving (as in Hardekopf and Lin, PLDI 2007, but
//! found by a periodic search for strongly connected components). When the
//! work exceeds its bound, every copy becomes an equality (Steensgaard, POPL
//! 1996) and a moved pointer points anywhere into its object, which ends
//! quickly and is coarser, never wrong.
//!
//! Code outside the program is not followed pointer by pointer. One pointer, to
//! the *outside* object, stands for all that such code may hand out: a pointer
//! to memory of its own or to any object that has escaped to it. What it can
//! read flows to the node `sink`.

use super::bits::Bits;
use super::memory::{CellKind, Memory, Object, ObjectKind};
use super::shape::{Move, Offset};
use parallax_base::Id;
use parallax_cfa::Function;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, VecDeque};

/// An object with pointers to more offsets than this is pointed into anywhere.
const OFFSETS: u32 = 96;

/// A pointer value: an object and where in it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Target {
    /// The object.
    pub object: Id<Object>,
    /// Where in it.
    pub offset: Offset,
}

/// The scalar part of an access: how far from the pointer, and how wide.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Access {
    pub distance: i64,
    pub shift: u32,
    pub width: u64,
    pub kind: CellKind,
}

/// What to do for every pointer in a set.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Rule {
    /// What it points to flows to a node.
    Load(Access, u32),
    /// A node flows to what it points to; `None` only marks the access.
    Store(Access, Option<u32>),
    /// The pointer, moved, is in a node.
    Shift(Move, u32),
    /// All contents of its object flow to a node; the object is copied raw.
    Contents(u32),
    /// A node flows to all contents of its object; the object is copied raw.
    Fill(u32),
    /// What it points to may be a pointer from outside.
    Receive(Access),
    /// All contents of its object may be pointers from outside.
    Forget,
    /// Its object is known outside.
    Escape,
    /// It is called at this call site.
    Call(u32),
}

#[derive(Debug, Default)]
struct NodeData {
    set: Bits,
    done: Bits,
    copies: Vec<u32>,
    rules: Vec<Rule>,
    queued: bool,
}

/// The constraint system and its solution.
#[derive(Debug)]
pub(super) struct Solver {
    pub memory: Memory,
    nodes: Vec<NodeData>,
    parent: Vec<u32>,
    /// How many nodes each one stands for.
    rank: Vec<u32>,
    edges: FxHashSet<(u32, u32)>,
    targets: Vec<Target>,
    known: FxHashMap<Target, u32>,
    /// How many offsets of each object are told apart.
    offsets: FxHashMap<Id<Object>, u32>,
    queue: VecDeque<u32>,
    /// The node of all pointers that code outside the program is given.
    pub sink: u32,
    /// All memory of code outside the program.
    pub outside: Id<Object>,
    /// Accesses through pointers from outside, as cells of that object.
    pub outside_cells: BTreeMap<CellKind, u32>,
    /// Call sites that call what comes from outside.
    outside_sites: Vec<u32>,
    /// Functions found at call sites: (site, object), to be handled by the owner.
    pub calls: Vec<(u32, Id<Object>)>,
    /// Functions that code outside the program has come to know, likewise.
    pub escaped: Vec<Id<Function>>,
    steps: u64,
    since_search: u64,
    /// Whether copies are equalities now.
    pub unified: bool,
}

impl Solver {
    pub(super) fn new() -> Solver {
        let mut memory = Memory::default();
        let shape = memory.shapes.flat();
        let outside = memory.object(ObjectKind::Unknown, None, shape);
        memory.objects[outside].escaped = true;
        let mut solver = Solver {
            memory,
            nodes: Vec::new(),
            parent: Vec::new(),
            rank: Vec::new(),
            edges: FxHashSet::default(),
            targets: Vec::new(),
            known: FxHashMap::default(),
            offsets: FxHashMap::default(),
            queue: VecDeque::new(),
            sink: 0,
            outside,
            outside_cells: BTreeMap::new(),
            outside_sites: Vec::new(),
            calls: Vec::new(),
            escaped: Vec::new(),
            steps: 0,
            since_search: 0,
            unified: false,
        };
        solver.sink = solver.node();
        solver.rule(solver.sink, Rule::Escape);
        solver
    }

    /// A node may hold any pointer that comes from outside.
    pub(super) fn receive(&mut self, node: u32) {
        let object = self.outside;
        self.add(node, Target { object, offset: Offset::At(0) });
    }

    pub(super) fn node(&mut self) -> u32 {
        self.nodes.push(NodeData::default());
        self.parent.push(self.nodes.len() as u32 - 1);
        self.rank.push(1);
        self.nodes.len() as u32 - 1
    }

    pub(super) fn find(&self, node: u32) -> u32 {
        let mut node = node;
        while self.parent[node as usize] != node {
            node = self.parent[node as usize];
        }
        node
    }

    fn target(&mut self, target: Target) -> u32 {
        if let Some(id) = self.known.get(&target) {
            return *id;
        }
        let offsets = self.offsets.entry(target.object).or_insert(0);
        *offsets += 1;
        // Constant moves in a cycle would go through all offsets.
        if *offsets > OFFSETS && target.offset != Offset::Any {
            return self.target(Target { offset: Offset::Any, ..target });
        }
        let id = self.targets.len() as u32;
        self.targets.push(target);
        self.known.insert(target, id);
        id
    }

    fn enqueue(&mut self, node: u32) {
        if !self.nodes[node as usize].queued {
            self.nodes[node as usize].queued = true;
            self.queue.push_back(node);
        }
    }

    /// The pointers of a node.
    pub(super) fn set(&self, node: u32) -> impl Iterator<Item = Target> + '_ {
        self.nodes[self.find(node) as usize].set.iter().map(|t| self.targets[t as usize])
    }

    /// Whether two nodes have a pointer in common.
    pub(super) fn meet(&self, a: u32, b: u32) -> bool {
        let mut both = self.nodes[self.find(a) as usize].set.clone();
        both.keep(&self.nodes[self.find(b) as usize].set);
        !both.is_empty()
    }

    /// Puts a pointer into a node.
    pub(super) fn add(&mut self, node: u32, target: Target) {
        let node = self.find(node);
        let id = self.target(target);
        if self.nodes[node as usize].set.insert(id) {
            self.enqueue(node);
        }
    }

    /// All pointers of one node are in another.
    pub(super) fn copy(&mut self, from: u32, to: u32) {
        let (from, to) = (self.find(from), self.find(to));
        if from == to {
            return;
        }
        // What flows outside stays apart from what it flows from.
        if self.unified && to != self.find(self.sink) {
            self.unite(from, to);
            return;
        }
        if self.edges.insert((from, to)) {
            self.nodes[from as usize].copies.push(to);
            // Pointers that were passed on before reach the new target here.
            let set = self.nodes[from as usize].set.clone();
            self.steps += set.weight();
            if self.nodes[to as usize].set.union(&set) {
                self.enqueue(to);
            }
        }
    }

    /// Adds a rule for the pointers of a node.
    pub(super) fn rule(&mut self, node: u32, rule: Rule) {
        let node = self.find(node);
        self.nodes[node as usize].rules.push(rule);
        let set: Vec<u32> = self.nodes[node as usize].done.iter().collect();
        for target in set {
            self.apply(rule, self.targets[target as usize]);
        }
    }

    /// Makes two nodes one.
    pub(super) fn unite(&mut self, a: u32, b: u32) -> u32 {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return a;
        }
        let (keep, gone) =
            if self.rank[a as usize] < self.rank[b as usize] { (b, a) } else { (a, b) };
        self.rank[keep as usize] += self.rank[gone as usize];
        let data = std::mem::take(&mut self.nodes[gone as usize]);
        self.parent[gone as usize] = keep;
        let mine = &mut self.nodes[keep as usize];
        mine.set.union(&data.set);
        // Only what both have passed on needs no further work.
        mine.done.keep(&data.done);
        mine.copies.extend(data.copies);
        mine.rules.extend(data.rules);
        self.enqueue(keep);
        keep
    }

    /// The cell of an access, as a node; `None` if it is not in its object.
    pub(super) fn touch(&mut self, target: Target, access: &Access) -> Option<u32> {
        if self.memory.is_outside(target.object, target.offset, access.width) {
            return None;
        }
        let Solver { memory, nodes, parent, rank, .. } = self;
        let mut fresh = || {
            nodes.push(NodeData::default());
            parent.push(nodes.len() as u32 - 1);
            rank.push(1);
            nodes.len() as u32 - 1
        };
        let Access { shift, width, kind, .. } = *access;
        let found = memory.touch(target.object, target.offset, shift, width, kind, &mut fresh);
        let node = memory.cells[found.cell as usize].node;
        for other in &found.merged {
            self.unite(node, *other);
        }
        if found.is_new {
            let object = &self.memory.objects[target.object];
            let (to, from) = (object.flows_to.clone(), object.flows_from.clone());
            to.into_iter().for_each(|n| self.copy(node, n));
            from.into_iter().for_each(|n| self.copy(n, node));
            if self.memory.objects[target.object].exposed {
                self.receive(node);
            }
        }
        Some(node)
    }

    /// The places that a pointer, moved, may point to.
    pub(super) fn moved(&self, target: Target, by: Move) -> Vec<Target> {
        let object = &self.memory.objects[target.object];
        let Target { object: id, offset } = target;
        let offsets = self.memory.shapes.shift(object.shape, object.size, offset, by);
        offsets.into_iter().map(|offset| Target { object: id, offset }).collect()
    }

    fn cell_nodes(&self, object: Id<Object>) -> Vec<u32> {
        let cells = self.memory.objects[object].cells.values();
        cells.map(|c| self.memory.cells[*c as usize].node).collect()
    }

    fn apply(&mut self, rule: Rule, target: Target) {
        self.steps += 1;
        if target.object == self.outside {
            self.apply_outside(rule, target);
            return;
        }
        match rule {
            Rule::Load(access, to) => {
                for at in self.moved(target, Move::Bytes(access.distance)) {
                    if let Some(cell) = self.touch(at, &access) {
                        self.copy(cell, to);
                    }
                }
            }
            Rule::Store(access, from) => {
                for at in self.moved(target, Move::Bytes(access.distance)) {
                    if let (Some(cell), Some(from)) = (self.touch(at, &access), from) {
                        self.copy(from, cell);
                    }
                }
            }
            Rule::Receive(access) => {
                for at in self.moved(target, Move::Bytes(access.distance)) {
                    if let Some(cell) = self.touch(at, &access) {
                        self.receive(cell);
                    }
                }
            }
            Rule::Shift(by, to) => {
                let by = if self.unified { Move::Anywhere } else { by };
                for at in self.moved(target, by) {
                    self.add(to, at);
                }
            }
            Rule::Contents(to) => self.flow(target.object, Some(to), None, true),
            Rule::Fill(from) => self.flow(target.object, None, Some(from), true),
            Rule::Forget => self.expose(target.object),
            Rule::Escape => {
                if !std::mem::replace(&mut self.memory.objects[target.object].escaped, true) {
                    self.flow(target.object, Some(self.sink), None, false);
                    self.expose(target.object);
                    if let ObjectKind::Function(f) = self.memory.objects[target.object].kind {
                        self.escaped.push(f);
                        let sites = self.outside_sites.iter();
                        self.calls.extend(sites.map(|site| (*site, target.object)));
                    }
                }
            }
            Rule::Call(site) => self.calls.push((site, target.object)),
        }
    }

    /// A rule for the pointer from outside.
    fn apply_outside(&mut self, rule: Rule, target: Target) {
        match rule {
            Rule::Load(access, to) => {
                self.touch_outside(access.kind);
                self.receive(to);
            }
            Rule::Store(access, from) => {
                self.touch_outside(access.kind);
                from.into_iter().for_each(|from| self.copy(from, self.sink));
            }
            Rule::Receive(access) => self.touch_outside(access.kind),
            Rule::Shift(_, to) => self.add(to, target),
            Rule::Contents(to) => self.receive(to),
            Rule::Fill(from) => self.copy(from, self.sink),
            Rule::Forget | Rule::Escape => {}
            Rule::Call(site) => {
                self.calls.push((site, target.object));
                self.outside_sites.push(site);
                for (id, object) in self.memory.objects.iter_enumerated() {
                    if object.escaped && matches!(object.kind, ObjectKind::Function(_)) {
                        self.calls.push((site, id));
                    }
                }
            }
        }
    }

    /// Notes an access of this kind through a pointer from outside.
    fn touch_outside(&mut self, kind: CellKind) {
        if self.outside_cells.contains_key(&kind) {
            return;
        }
        let node = self.node();
        let start = self.outside_cells.len() as u64 * 256;
        let at = Offset::At(start / 8);
        let found = self.memory.touch(self.outside, at, 0, 128, kind, &mut || node);
        self.outside_cells.insert(kind, found.cell);
    }

    /// All contents of an object may be pointers from outside.
    fn expose(&mut self, object: Id<Object>) {
        if !std::mem::replace(&mut self.memory.objects[object].exposed, true) {
            self.cell_nodes(object).into_iter().for_each(|node| self.receive(node));
        }
    }

    fn flow(&mut self, object: Id<Object>, to: Option<u32>, from: Option<u32>, raw: bool) {
        let data = &mut self.memory.objects[object];
        data.raw |= raw;
        let to = to.filter(|n| !data.flows_to.contains(n));
        let from = from.filter(|n| !data.flows_from.contains(n));
        // What goes in raw comes out raw, even if no access has made a cell yet.
        let mut through: Vec<(u32, u32)> = Vec::new();
        through.extend(to.iter().flat_map(|t| data.flows_from.iter().map(|f| (*f, *t))));
        data.flows_to.extend(to);
        through.extend(from.iter().flat_map(|f| data.flows_to.iter().map(|t| (*f, *t))));
        data.flows_from.extend(from);
        through.into_iter().for_each(|(f, t)| self.copy(f, t));
        for node in self.cell_nodes(object) {
            to.iter().for_each(|n| self.copy(node, *n));
            from.iter().for_each(|n| self.copy(*n, node));
        }
    }

    /// Runs until nothing changes or a call site has a new function.
    pub(super) fn run(&mut self, limit: u64) {
        while let Some(node) = self.queue.pop_front() {
            if self.find(node) != node {
                continue;
            }
            self.nodes[node as usize].queued = false;
            self.visit(node);
            if !self.unified && self.steps > limit {
                self.unify();
            }
            let interval = 4096 + self.nodes.len() as u64;
            if !self.unified && self.steps - self.since_search > 64 * interval {
                self.since_search = self.steps;
                self.eliminate_cycles();
            }
        }
    }

    fn visit(&mut self, node: u32) {
        let data = &mut self.nodes[node as usize];
        let delta = data.set.minus(&data.done);
        if delta.is_empty() {
            return;
        }
        data.done = data.set.clone();
        let rules = self.canonical_rules(node);
        let data = &mut self.nodes[node as usize];
        let copies = std::mem::take(&mut data.copies);
        let mut live: Vec<u32> = copies.into_iter().map(|n| self.find(n)).collect();
        live.sort_unstable();
        live.dedup();
        live.retain(|n| *n != node);
        for to in &live {
            self.steps += 1 + delta.weight();
            if self.nodes[*to as usize].set.union(&delta) {
                self.enqueue(*to);
            }
        }
        self.nodes[node as usize].copies = live;
        let new: Vec<u32> = delta.iter().collect();
        for rule in rules {
            for target in &new {
                self.apply(rule, self.targets[*target as usize]);
            }
        }
    }

    /// The rules of a node, without those that nodes which became one share.
    fn canonical_rules(&mut self, node: u32) -> Vec<Rule> {
        let mut rules = std::mem::take(&mut self.nodes[node as usize].rules);
        if rules.len() > 1 {
            let mut seen = FxHashSet::default();
            for rule in &mut rules {
                match rule {
                    Rule::Load(_, n)
                    | Rule::Store(_, Some(n))
                    | Rule::Shift(_, n)
                    | Rule::Contents(n)
                    | Rule::Fill(n) => *n = self.find(*n),
                    _ => {}
                }
            }
            rules.retain(|rule| seen.insert(*rule));
        }
        self.nodes[node as usize].rules.clone_from(&rules);
        rules
    }

    /// From now on copies are equalities.
    fn unify(&mut self) {
        self.unified = true;
        for node in 0..self.nodes.len() as u32 {
            let copies = std::mem::take(&mut self.nodes[node as usize].copies);
            for to in copies {
                if self.find(to) == self.find(self.sink) {
                    let node = self.find(node) as usize;
                    self.nodes[node].copies.push(to);
                } else {
                    self.unite(node, to);
                }
            }
        }
    }

    /// Makes every cycle of copies one node (Tarjan, without recursion).
    fn eliminate_cycles(&mut self) {
        let count = self.nodes.len();
        let (mut index, mut low) = (vec![0u32; count], vec![0u32; count]);
        let mut on_stack = vec![false; count];
        let (mut stack, mut clock, mut merges) = (Vec::new(), 0u32, Vec::new());
        for root in 0..count as u32 {
            if index[root as usize] != 0 || self.find(root) != root {
                continue;
            }
            let mut walk: Vec<(u32, usize)> = vec![(root, 0)];
            while let Some((node, next)) = walk.last_mut() {
                let n = *node as usize;
                if *next == 0 {
                    clock += 1;
                    (index[n], low[n], on_stack[n]) = (clock, clock, true);
                    stack.push(*node);
                }
                if let Some(to) = self.nodes[n].copies.get(*next) {
                    *next += 1;
                    let to = self.find(*to);
                    if index[to as usize] == 0 {
                        walk.push((to, 0));
                    } else if on_stack[to as usize] {
                        low[n] = low[n].min(index[to as usize]);
                    }
                    continue;
                }
                let node = *node;
                walk.pop();
                if let Some((up, _)) = walk.last() {
                    low[*up as usize] = low[*up as usize].min(low[n]);
                }
                if low[n] == index[n] {
                    while let Some(member) = stack.pop() {
                        on_stack[member as usize] = false;
                        if member == node {
                            break;
                        }
                        merges.push((node, member));
                    }
                }
            }
        }
        for (a, b) in merges {
            self.unite(a, b);
        }
    }
}
