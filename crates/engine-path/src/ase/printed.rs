//! The algorithm as printed: SYMBOLICEXEC and the checks of REFINE.
//!
//! Albarghouthi, *Abstract Analysis via Symbolic Executions* (MSc thesis,
//! Toronto 2010), Fig. 4.1 to 4.4: depth-first symbolic execution that stops a
//! path at the first abstract state it has met before *on that path*; steps on
//! such loops are `inf`, the others `fin`. Safe if all steps in or reachable
//! from `inf` are exact (safe-fragment) or the abstract states seen are closed
//! (inductive-invariant); else refine by preimages of the inexact ones.
//!
//! Deviations:
//! - safe-fragment demands that the fragment is closed as well: exactness
//!   alone is unsound for updates with inputs;
//! - an error ends the search when it is generated, as the published runs do;
//! - only failing atoms of a preimage become predicates, and only those of
//!   steps in or reachable from `inf` (chapter 5);
//! - with `global`, a state generated before on any path is not expanded
//!   again. The published state counts imply this table; it keeps soundness
//!   but not the printed monotonicity (Theorem 4.2.3).

use super::Round;
use crate::node::{Node, Successor};
use crate::proof::{self, Edge};
use crate::work::Work;
use parallax_base::Event;
use parallax_domain::Cube;
use parallax_engine::solve_path;
use parallax_evidence::{Finding, Why};
use parallax_solver::Halt;
use parallax_term::Term;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// The abstract system explored: (fin, inf, A0) and the nodes behind it.
#[derive(Default)]
pub(crate) struct Explored {
    cubes: Vec<Cube>,
    index: FxHashMap<Cube, u32>,
    initial: BTreeSet<u32>,
    /// Steps seen; the flag says whether the step is in `inf`.
    edges: BTreeMap<Edge, bool>,
    /// All nodes generated, with their abstract states, without repetition.
    pub(crate) nodes: Vec<(Node, u32)>,
    known: FxHashSet<Node>,
    /// The transitions of a path to a target, if one was generated.
    pub(crate) error: Option<Vec<usize>>,
}

impl Explored {
    fn intern(&mut self, cube: Cube) -> u32 {
        let next = self.cubes.len() as u32;
        if let Some(&known) = self.index.get(&cube) {
            return known;
        }
        self.index.insert(cube.clone(), next);
        self.cubes.push(cube);
        next
    }

    /// Takes a node in; says whether it was generated for the first time.
    fn generate(&mut self, node: &Node, cube: u32) -> bool {
        let new = self.known.insert(node.clone());
        if new {
            self.nodes.push((node.clone(), cube));
        }
        new
    }
}

/// One element of the current path.
struct Frame {
    node: Node,
    cube: u32,
    /// The step that led here.
    via: Option<Edge>,
    transitions: std::vec::IntoIter<usize>,
    transition: usize,
    /// What `transition` leads to: node, abstract state, whether it is new.
    successors: std::vec::IntoIter<(Successor, u32, bool)>,
}

/// SYMBOLICEXEC (Fig. 4.2).
pub(crate) fn symbolic_exec(work: &mut Work, global: bool) -> Result<Explored, Halt> {
    let mut found = Explored::default();
    for root in work.initial_nodes()? {
        let cube = found.intern(root.cube.clone());
        found.initial.insert(cube);
        if !found.generate(&root.node, cube) {
            continue;
        }
        if work.is_target_node(&root.node, &root.cube) {
            found.error = Some(Vec::new());
            return Ok(found);
        }
        explore(work, &mut found, root, global)?;
        if found.error.is_some() {
            return Ok(found);
        }
    }
    Ok(found)
}

/// The tree below one initial node, depth first.
fn explore(
    work: &mut Work,
    found: &mut Explored,
    root: Successor,
    global: bool,
) -> Result<(), Halt> {
    let cube = found.intern(root.cube);
    let mut path = vec![frame(work, found, root.node, cube, None)];
    let mut depth_of: FxHashMap<u32, usize> = FxHashMap::from_iter([(cube, 0)]);
    while let Some(top) = path.last_mut() {
        let Some((next, target, new)) = top.successors.next() else {
            let Some(transition) = top.transitions.next() else {
                // Nothing left here: the steps below stay `fin`.
                depth_of.remove(&top.cube);
                path.pop();
                continue;
            };
            work.budget.check()?;
            top.transition = transition;
            let cube = found.cubes[top.cube as usize].clone();
            // A split generates all its parts at once.
            let generated = work.fire(&top.node, &cube, transition)?.into_iter().map(|next| {
                let cube = found.intern(next.cube.clone());
                let new = found.generate(&next.node, cube);
                (next, cube, new)
            });
            top.successors = generated.collect::<Vec<_>>().into_iter();
            continue;
        };
        let (source, transition) = (top.cube, top.transition as u32);
        let edge = (source, transition, target);
        found.edges.entry(edge).or_insert(false);
        if work.is_target_node(&next.node, &next.cube) {
            let steps = path.iter().filter_map(|f| f.via.map(|(_, t, _)| t as usize));
            found.error = Some(steps.chain([transition as usize]).collect());
            return Ok(());
        }
        if let Some(&depth) = depth_of.get(&target) {
            // A loop of the abstract system: LOOP goes to `inf`.
            let on_loop = path[depth + 1..].iter().filter_map(|f| f.via).chain([edge]);
            for step in on_loop.collect::<Vec<_>>() {
                found.edges.insert(step, true);
            }
            continue;
        }
        if global && !new {
            continue;
        }
        if found.nodes.len().is_multiple_of(256) {
            work.progress(found.nodes.len(), found.cubes.len());
        }
        depth_of.insert(target, path.len());
        path.push(frame(work, found, next.node, target, Some(edge)));
    }
    Ok(())
}

fn frame(work: &mut Work, found: &Explored, node: Node, cube: u32, via: Option<Edge>) -> Frame {
    let transitions = work.candidates(&node, &found.cubes[cube as usize]).into_iter();
    Frame { node, cube, via, transitions, transition: 0, successors: Vec::new().into_iter() }
}

/// One round of REFINE (Fig. 4.1).
pub(crate) fn round(work: &mut Work, global: bool) -> Result<Round, Halt> {
    work.begin_iteration()?;
    let found = symbolic_exec(work, global)?;
    work.progress(found.nodes.len(), found.cubes.len());
    if let Some(path) = &found.error {
        let (target, solver) = (work.target, work.oracle.solver());
        let trace = solve_path(&mut work.store, solver, work.program, path, target, work.budget)?;
        let finding = match trace {
            Some(trace) => Finding::Reached(Box::new(trace)),
            None => Finding::Unknown(Why::SolverGaveUp("no values for a symbolic run".into())),
        };
        return Ok(Round::Done(finding, None));
    }
    work.budget.notice(Event::Phase("safe-fragment"));
    let fragment = states_from_inf(&found);
    let mut doubts = Vec::new();
    let mut exact = BTreeMap::new();
    for &state in &fragment {
        inspect(work, &found, state, &mut exact, &mut doubts)?;
    }
    if doubts.is_empty() {
        return proved(work, &found, &fragment, &exact);
    }
    work.budget.notice(Event::Phase("inductive-invariant"));
    if is_inductive(work, &found)? {
        let all = (0..found.cubes.len() as u32).collect();
        return proved(work, &found, &all, &exact);
    }
    if work.refine(&doubts) {
        return Ok(Round::Refined);
    }
    let why = "a step is not exact, yet its preimage has no new atom";
    Ok(Round::Done(Finding::Unknown(Why::NoProgress(why.into())), None))
}

/// The abstract states in `inf` or reachable from it.
fn states_from_inf(found: &Explored) -> BTreeSet<u32> {
    let looping = found.edges.iter().filter(|(_, inf)| **inf);
    let mut reached: BTreeSet<u32> = looping.flat_map(|(&(a, _, b), _)| [a, b]).collect();
    let mut stack: Vec<u32> = reached.iter().copied().collect();
    while let Some(state) = stack.pop() {
        let range = (state, 0, 0)..=(state, u32::MAX, u32::MAX);
        for (&(_, _, to), _) in found.edges.range(range) {
            if reached.insert(to) {
                stack.push(to);
            }
        }
    }
    reached
}

/// Checks that the steps from an abstract state are exact and all there are.
fn inspect(
    work: &mut Work,
    found: &Explored,
    state: u32,
    exact: &mut BTreeMap<Edge, bool>,
    doubts: &mut Vec<(usize, Term)>,
) -> Result<(), Halt> {
    let cube = found.cubes[state as usize].clone();
    let mut from = work.residual(&cube);
    for transition in 0..work.transitions.len() {
        let range = (state, transition as u32, 0)..=(state, transition as u32, u32::MAX);
        let seen: Vec<u32> = found.edges.range(range).map(|(&(_, _, to), _)| to).collect();
        let rules = work.rules_of[transition].clone();
        // Exact: every state of the source can take the step into the target.
        for &to in &seen {
            let target = &found.cubes[to as usize];
            let mut failing: Option<Vec<Term>> = None;
            for &rule in &rules {
                let (post, mut cx) = work.post();
                let Some(mine) = post.must(&mut cx, &cube, &mut from, rule, target)? else {
                    continue;
                };
                let done = mine.is_empty();
                if failing.is_none() || done {
                    failing = Some(mine);
                }
                if done {
                    break;
                }
            }
            let failing = failing.unwrap_or_default();
            exact.insert((state, transition as u32, to), failing.is_empty());
            doubts.extend(failing.into_iter().map(|d| (transition, d)));
        }
        // Closed: it can lead nowhere else.
        for &rule in &rules {
            let hint = seen.first().map(|&to| found.cubes[to as usize].clone());
            let (post, mut cx) = work.post();
            let hint = hint.filter(|_| rules.len() == 1);
            let inside = |c: &Cube| found.index.get(c).is_some_and(|i| seen.contains(i));
            let image = post.image(&mut cx, &cube, &mut from, rule, hint.as_ref(), &inside)?;
            if !image.complete || !image.cubes.iter().all(inside) {
                let rule = work.post.rules()[rule].clone();
                let conditions = super::preimage::conditions(work, &rule, &image)?;
                let no = work.store.bool(false);
                doubts.extend(conditions.into_iter().chain([no]).map(|d| (transition, d)));
            }
        }
    }
    Ok(())
}

/// Whether the abstract states seen are closed under every step.
fn is_inductive(work: &mut Work, found: &Explored) -> Result<bool, Halt> {
    for cube in &found.cubes {
        let mut from = work.residual(cube);
        for rule in 0..work.post.rules().len() {
            work.budget.check()?;
            let (post, mut cx) = work.post();
            let inside = |c: &Cube| found.index.contains_key(c);
            let image = post.image(&mut cx, cube, &mut from, rule, None, &inside)?;
            if !image.complete || !image.cubes.iter().all(inside) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

fn proved(
    work: &mut Work,
    found: &Explored,
    fragment: &BTreeSet<u32>,
    exact: &BTreeMap<Edge, bool>,
) -> Result<Round, Halt> {
    let outside = found.nodes.iter().filter(|(_, cube)| !fragment.contains(cube));
    let prefix = outside.map(|(node, _)| node.clone());
    let cubes = fragment.iter().map(|&c| found.cubes[c as usize].clone());
    let finding = proof::safe_fragment(work, prefix, cubes)?;
    let edges = found.edges.keys().map(|edge| (*edge, exact.get(edge).copied())).collect();
    let picture = proof::picture(work, &found.cubes, &found.initial, fragment, edges)?;
    Ok(Round::Done(finding, Some(picture)))
}
