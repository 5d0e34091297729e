//! The default search: below and above meet.
//!
//! From below, nodes are generated breadth first and kept; concrete ones cost
//! no solver call. From above, a set of abstract states is grown that is
//! closed under every step. The two meet when every node that still waits
//! matches an abstract state of a closed set: then the expanded nodes outside
//! it are the prefix and the set is the fragment of a certificate.
//!
//! A round has three parts. *Probe*: expand waiting nodes, as many as the
//! round's allowance says, the oldest and those nearest to a target. *Match*: expand one node of each abstract state
//! that has none expanded yet (the global matching of Pasareanu, Pelanek,
//! Visser). *Close*: from the abstract states of all waiting nodes, compute
//! abstract posts until the set is closed or a post leaves the abstract
//! states seen; what is undecided there becomes predicates of the next round.
//!
//! That a post leaves the abstract states seen ends a round at first. If many
//! rounds were not enough, relations are guessed from what the steps add, and
//! an abstract state that excludes the target may be part of the closed set
//! although no run was seen in it (a run may need billions of steps to get
//! there). The set is closed then as before; it is the checker that says so.
//!
//! This shares what the printed algorithm repeats: a node is never generated
//! twice, in this round or (for points) in any later one; an abstract state
//! with a closed surrounding is not walked into again. The closure demanded is
//! that of the whole post, so updates with free inputs are covered too. The
//! safe-fragment and the inductive-invariant check are both special cases.

use super::Round;
use super::bounds::Bounds;
use super::distance::Distance;
use super::graph::{Entry, Graph};
use crate::node::Node;
use crate::proof::{self, Edge};
use crate::work::Work;
use parallax_base::Event;
use parallax_domain::Cube;
use parallax_engine::relations;
use parallax_evidence::{AbstractSystem, Finding, Why};
use parallax_solver::Halt;
use parallax_term::Term;
use std::collections::{BTreeMap, BTreeSet};

/// How many points a probe may expand at least.
const LEAST_ALLOWANCE: usize = 4096;

/// A probe may expand this many points for each query of the closing before.
const POINTS_PER_QUERY: usize = 4;

/// A symbolic node costs as much as this many points.
const SYMBOLIC_COST: usize = 64;

/// Points with numbers of more bits than this are not probed.
const HUGE: usize = 1024;

/// Abstract systems with more states are not drawn.
const PICTURE_LIMIT: usize = 5_000;

/// Rounds to go before relations are guessed, and before abstract states count
/// that no run was seen in.
const PATIENCE: u64 = 6;

/// Fewer rounds are enough where each adds that many predicates: the next one
/// would take longer than all before.
const FEW: u64 = 2;
const CROWD: usize = 24;

/// Abstract states that a closed set may have if some of them were not seen.
const UNSEEN: usize = 2_000;

/// The search and what it keeps between rounds.
pub(crate) struct Shared {
    graph: Graph,
    allowance: usize,
    bounds: Bounds,
    /// Whether relations were guessed already.
    guessed: bool,
}

/// What closing found.
struct Closing {
    /// The abstract states reached from the waiting nodes.
    region: BTreeSet<u32>,
    /// Undecided conditions where a post leaves the states seen.
    doubts: Vec<(usize, Term)>,
    /// Abstract steps computed, and whether each is exact.
    edges: BTreeMap<Edge, bool>,
    closed: bool,
}

impl Shared {
    pub(crate) fn new(work: &mut Work) -> Shared {
        // Without hidden variables every state is visited: no guide is needed.
        let guided = !work.partition().hidden.is_empty();
        let distance = if guided { Distance::new(work) } else { None };
        Shared {
            graph: Graph::new(distance),
            allowance: LEAST_ALLOWANCE,
            bounds: Bounds::default(),
            guessed: false,
        }
    }

    /// One round with the current predicates.
    pub(crate) fn round(&mut self, work: &mut Work) -> Result<Round, Halt> {
        work.begin_iteration()?;
        if self.graph.len() == 0
            && let Some(found) = self.graph.start(work)?
        {
            return self.reached(work, found);
        }
        work.budget.notice(Event::Phase("probing"));
        if let Some(found) = self.probe(work)? {
            return self.reached(work, found);
        }
        work.budget.notice(Event::Phase("matching"));
        if let Some(found) = self.match_all(work)? {
            return self.reached(work, found);
        }
        work.progress(self.graph.len(), self.graph.cubes.len());
        work.budget.notice(Event::Phase("closing"));
        let asked = work.queries();
        let closing = self.close(work)?;
        if closing.closed {
            return self.proved(work, &closing);
        }
        let cost = (work.queries() - asked) as usize * POINTS_PER_QUERY;
        self.allowance = cost.max(LEAST_ALLOWANCE);
        let mut doubts = closing.doubts;
        let any_step = doubts.first().map_or(0, |(transition, _)| *transition);
        let bounds = self.bounds.stable(work, &self.graph);
        doubts.extend(bounds.into_iter().map(|bound| (any_step, bound)));
        let rounds = work.statistics.iterations;
        let tired = rounds >= PATIENCE || rounds >= FEW && work.predicates.len() >= CROWD;
        if tired && !self.guessed {
            self.guessed = true;
            let guesses = relations(&mut work.store, work.program, &work.transitions);
            if !guesses.is_empty() {
                // What was found so far led nowhere.
                work.begin_again();
                doubts = guesses.into_iter().map(|guess| (any_step, guess)).collect();
                self.graph.clear();
            }
        }
        let progress = work.refine(&doubts);
        match (self.graph.has_symbolic(), progress) {
            // Symbolic nodes do not decide the new predicates.
            (true, true) => self.graph.clear(),
            // They cannot be matched again, and need not be.
            (true, false) => {}
            (false, _) => self.graph.forget_cubes(),
        }
        Ok(Round::Refined)
    }

    /// Reports how many nodes and abstract states there are in the end.
    fn count(&mut self, work: &mut Work) {
        let cubes = if work.partition().hidden.is_empty() {
            self.graph.len()
        } else {
            for entry in self.graph.entries() {
                self.graph.match_entry(work, entry, None);
            }
            self.graph.cubes.len()
        };
        work.progress(self.graph.len(), cubes);
    }

    fn reached(&mut self, work: &mut Work, entry: Entry) -> Result<Round, Halt> {
        self.count(work);
        let finding = match self.graph.trace(work, entry)? {
            Some(trace) => Finding::Reached(Box::new(trace)),
            None => Finding::Unknown(Why::SolverGaveUp("no values for a symbolic run".into())),
        };
        Ok(Round::Done(finding, None))
    }

    /// Expands waiting nodes within the allowance: one half oldest first, the
    /// other half nearest to a target first.
    fn probe(&mut self, work: &mut Work) -> Result<Option<Entry>, Halt> {
        // Without hidden variables matching is equality: nothing to abstract.
        let unlimited = work.partition().hidden.is_empty();
        let half = if unlimited { usize::MAX } else { self.allowance / 2 };
        let mut huge = Vec::new();
        for next in [Graph::next_waiting, Graph::next_near] {
            let mut spent = 0;
            while spent < half {
                let Some(entry) = next(&mut self.graph) else { break };
                let cost = match self.graph.node(entry) {
                    // Numbers that have become huge grow on: not by probing.
                    Node::Point(state) if state.iter().any(|v| v.bits() > HUGE) => {
                        huge.push(entry);
                        continue;
                    }
                    Node::Point(_) => 1,
                    Node::Symbolic(_) => SYMBOLIC_COST,
                };
                spent += cost;
                if spent % 1024 < cost {
                    work.budget.check()?;
                    work.progress(self.graph.len(), self.graph.cubes.len());
                }
                if let Some(found) = self.graph.expand(work, entry)? {
                    return Ok(Some(found));
                }
            }
        }
        huge.into_iter().for_each(|entry| self.graph.put_back(entry));
        Ok(None)
    }

    /// Expands nodes until every abstract state seen has an expanded node.
    fn match_all(&mut self, work: &mut Work) -> Result<Option<Entry>, Halt> {
        if self.graph.next_waiting().map(|e| self.graph.put_back(e)).is_none() {
            return Ok(None);
        }
        let mut has_expanded: Vec<bool> = Vec::new();
        let mark = |has: &mut Vec<bool>, cube: u32| {
            if has.len() <= cube as usize {
                has.resize(cube as usize + 1, false);
            }
            std::mem::replace(&mut has[cube as usize], true)
        };
        for entry in self.graph.entries() {
            if self.graph.is_expanded(entry) {
                let cube = self.graph.match_entry(work, entry, None);
                mark(&mut has_expanded, cube);
            }
        }
        let mut entry: Entry = 0;
        while (entry as usize) < self.graph.len() {
            if !self.graph.is_expanded(entry) {
                let cube = self.graph.match_entry(work, entry, None);
                if !mark(&mut has_expanded, cube) {
                    work.budget.check()?;
                    if let Some(found) = self.graph.expand(work, entry)? {
                        return Ok(Some(found));
                    }
                }
            }
            if entry.is_multiple_of(1024) {
                work.budget.check()?;
                work.progress(self.graph.len(), self.graph.cubes.len());
            }
            entry += 1;
        }
        Ok(None)
    }

    /// Grows the set of abstract states that the waiting nodes need.
    fn close(&mut self, work: &mut Work) -> Result<Closing, Halt> {
        let mut closing = Closing {
            region: BTreeSet::new(),
            doubts: Vec::new(),
            edges: BTreeMap::new(),
            closed: true,
        };
        // What no run was seen in may still be closed, as in lazy abstraction.
        let bold = self.guessed;
        let mut representative: BTreeMap<u32, Entry> = BTreeMap::new();
        let mut stack = Vec::new();
        for entry in self.graph.entries() {
            let Some(cube) = self.graph.cube_of(entry) else { continue };
            if self.graph.is_expanded(entry) {
                representative.entry(cube).or_insert(entry);
            } else if closing.region.insert(cube) {
                stack.push(cube);
            }
        }
        stack.reverse();
        while let Some(index) = stack.pop() {
            work.budget.check()?;
            if closing.region.len().is_multiple_of(64) {
                work.progress(self.graph.len(), self.graph.cubes.len());
            }
            let cube = self.graph.cubes[index as usize].clone();
            let mut from = work.residual(&cube);
            for rule in 0..work.post.rules().len() {
                if !work.post.starts_at(rule, &cube) {
                    continue;
                }
                let hint = representative.get(&index).and_then(|&e| self.hint(work, e, rule));
                let (post, mut cx) = work.post();
                let seen = |c: &Cube| bold || self.graph.cube_index(c).is_some();
                let image = post.image(&mut cx, &cube, &mut from, rule, hint.as_ref(), &seen)?;
                let transition = work.post.rules()[rule].transition;
                let mut inside = image.complete;
                for successor in &image.cubes {
                    let mut known = self.graph.cube_index(successor);
                    let room = bold && closing.region.len() < UNSEEN;
                    if known.is_none() && room && work.excludes_target(successor)? {
                        known = Some(self.graph.add_cube(successor));
                    }
                    match known {
                        Some(to) => {
                            let exact = closing
                                .edges
                                .entry((index, transition as u32, to))
                                .or_insert(false);
                            *exact |= image.exact;
                            if closing.region.insert(to) {
                                stack.push(to);
                            }
                        }
                        None => inside = false,
                    }
                }
                if !inside {
                    closing.closed = false;
                    let rule = work.post.rules()[rule].clone();
                    let conditions = super::preimage::conditions(work, &rule, &image)?;
                    closing.doubts.extend(conditions.into_iter().map(|c| (transition, c)));
                }
            }
        }
        Ok(closing)
    }

    /// An abstract successor that is known to exist, from a concrete node.
    fn hint(&self, work: &mut Work, entry: Entry, rule: usize) -> Option<Cube> {
        let Node::Point(state) = self.graph.node(entry) else { return None };
        let rule = &work.post.rules()[rule];
        let inputs: Option<Vec<_>> = rule.choice.iter().cloned().collect();
        let (transition, inputs) = (rule.transition, inputs?);
        let next = work.interpreter.step(state, transition, &inputs)?;
        Some(work.cube(&next))
    }

    fn proved(&mut self, work: &mut Work, closing: &Closing) -> Result<Round, Halt> {
        let in_prefix = |entry: &Entry| {
            let inside = self.graph.cube_of(*entry).is_some_and(|c| closing.region.contains(&c));
            self.graph.is_expanded(*entry) && !inside
        };
        let prefix = self.graph.entries().filter(in_prefix).map(|e| self.graph.node(e).clone());
        let fragment = closing.region.iter().map(|&c| self.graph.cubes[c as usize].clone());
        let finding = proof::safe_fragment(work, prefix, fragment)?;
        self.count(work);
        let picture = self.picture(work, closing)?;
        Ok(Round::Done(finding, picture))
    }

    /// The abstract transition system, if it is small enough to look at.
    fn picture(
        &mut self,
        work: &mut Work,
        closing: &Closing,
    ) -> Result<Option<Box<AbstractSystem>>, Halt> {
        if !work.picture && self.graph.len() > PICTURE_LIMIT {
            return Ok(None);
        }
        for entry in self.graph.entries() {
            self.graph.match_entry(work, entry, None);
        }
        if self.graph.cubes.len() > PICTURE_LIMIT {
            return Ok(None);
        }
        let mut edges: BTreeMap<Edge, Option<bool>> =
            closing.edges.iter().map(|(edge, exact)| (*edge, Some(*exact))).collect();
        for &(from, transition, to) in &self.graph.edges {
            if let (Some(a), Some(b)) = (self.graph.cube_of(from), self.graph.cube_of(to)) {
                edges.entry((a, transition, b)).or_insert(None);
            }
        }
        let roots: BTreeSet<u32> =
            (0..self.graph.roots as Entry).filter_map(|e| self.graph.cube_of(e)).collect();
        let cubes = &self.graph.cubes;
        Ok(Some(proof::picture(work, cubes, &roots, &closing.region, edges)?))
    }
}
