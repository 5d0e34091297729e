//! Impact: lazy abstraction with interpolants (McMillan, CAV 2006).
//!
//! The same graph without any predicate abstraction. A new node is labelled
//! `true`; a path to the target that is no run has a sequence of interpolants,
//! and each node of the path is labelled with its conjunct of it. A node whose
//! label implies that of an older node at its location is covered. *Forced
//! covering* tries to make it so: if the path from a common ancestor implies
//! the older node's label, the interpolants of that implication are added.
//!
//! Deviations: what hung below a node that is covered is cut off and explored
//! again if the cover goes. A step that the label of a node excludes has no
//! child.
//!
//! Invariant: along every edge of the graph, the label of the source and the
//! step imply the label of the target. So a closed graph is a proof.

use super::arg::{Graph, Node};
use super::bench::Bench;
use super::path::{Judgement, Path};
use super::picture::{self, Names, Subject};
use super::place::{Location, Place};
use super::straight::{Straight, StraightPath, anywhere, conjuncts};
use super::waitlist::Waitlist;
use super::{Abstraction, CegarConfig};
use parallax_base::{Event, Id};
use parallax_engine::{Resources, relations, solve_path};
use parallax_evidence::{Finding, ReachabilityGraph, Refinement, Statistics, Why};
use parallax_interpolate::{Options, Outcome};
use parallax_solver::Halt;
use parallax_term::{Substitution, Term};

/// So many older nodes are tried as forced covers.
const FORCED: usize = 4;

/// Rounds to go before relations are guessed.
const PATIENCE: u64 = 6;

/// A search in this mode.
pub(crate) struct Impact<'a> {
    pub(crate) bench: Bench<'a>,
    resources: Resources<'a>,
    pub(crate) graph: Graph,
    open: Waitlist,
    pub(crate) statistics: Statistics,
    pub(crate) history: Vec<Refinement>,
    atoms: Vec<Term>,
    /// The path to the target that was judged last, from the root.
    last_path: Vec<Id<Node>>,
    names: Names,
    /// Relations that the steps of the program suggest, once somebody asked.
    guesses: Option<Vec<Term>>,
}

impl<'a> Impact<'a> {
    pub(crate) fn new(bench: Bench<'a>, resources: Resources<'a>, config: CegarConfig) -> Self {
        Impact {
            open: Waitlist::new(bench.program, config.order),
            bench,
            resources,
            graph: Graph::default(),
            statistics: Statistics::default(),
            history: Vec::new(),
            atoms: Vec::new(),
            last_path: Vec::new(),
            names: Names::default(),
            guesses: None,
        }
    }

    pub(crate) fn run(&mut self) -> Result<Finding, Halt> {
        self.statistics.iterations = 1;
        let place = anywhere(&self.bench.initial_location());
        let initial = self.bench.program.initial_formula(&mut self.bench.store);
        let initial = self.bench.at(&place, initial);
        let root = self.graph.add(None, place, initial, 0);
        self.push(root);
        while let Some(id) = self.open.pop() {
            let node = &self.graph.nodes[id];
            if !node.is_live() || node.expanded {
                continue;
            }
            self.bench.budget.check()?;
            if self.bench.store.is_false(node.state) {
                self.graph.nodes[id].expanded = true;
                continue;
            }
            if self.is_covered(id)? {
                continue;
            }
            if self.is_target(id)? {
                if let Some(finding) = self.judge(id)? {
                    return Ok(finding);
                }
                self.push(id);
                continue;
            }
            if !self.force_cover(id)? {
                self.expand(id)?;
            }
        }
        let certificate = super::proof::certificate(&mut self.bench, &self.graph, None);
        Ok(Finding::Proved(Box::new(certificate)))
    }

    fn push(&mut self, id: Id<Node>) {
        let location = self.graph.nodes[id].place.location.clone();
        let target = self.bench.target;
        let target = self.bench.at(&anywhere(&location), target);
        let urgent = !self.bench.store.is_false(target);
        self.open.push(id, &location, urgent);
    }

    pub(crate) fn count(&mut self) {
        let (main, spare) = (self.bench.solver.statistics(), self.bench.spare.statistics());
        self.statistics.predicates = self.atoms.len() as u64;
        self.statistics.solver_queries = main.queries + spare.queries;
        self.statistics.abstract_states = self.graph.present().count() as u64;
        self.statistics.states = self.graph.nodes.len() as u64;
    }

    fn is_target(&mut self, id: Id<Node>) -> Result<bool, Halt> {
        let node = &self.graph.nodes[id];
        let (place, state) = (node.place.clone(), node.state);
        let target = self.bench.target;
        let target = self.bench.at(&place, target);
        self.bench.satisfiable(&[state, target])
    }

    /// Covers a node by an older one whose label it implies.
    fn is_covered(&mut self, id: Id<Node>) -> Result<bool, Halt> {
        let state = self.graph.nodes[id].state;
        for other in self.graph.candidates(id) {
            let wider = self.graph.nodes[other].state;
            if other < id && self.bench.entails(state, wider)? {
                let freed = self.graph.cover(id, other);
                freed.into_iter().for_each(|n| self.push(n));
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn expand(&mut self, id: Id<Node>) -> Result<(), Halt> {
        let node = &self.graph.nodes[id];
        let (place, state) = (node.place.clone(), node.state);
        for step in self.bench.steps(&place.location).iter() {
            let condition = self.bench.from(&place, step.transition).condition;
            if self.bench.satisfiable(&[state, condition])? {
                let next = anywhere(&step.target);
                let label = self.bench.store.bool(true);
                let child = self.graph.add(Some((id, step.transition)), next, label, 0);
                self.push(child);
            }
        }
        self.graph.nodes[id].expanded = true;
        Ok(())
    }

    /// Looks at a path to the target: a run ends the search, anything else
    /// strengthens labels.
    fn judge(&mut self, id: Id<Node>) -> Result<Option<Finding>, Halt> {
        let nodes = self.graph.path(id);
        self.last_path.clone_from(&nodes);
        let steps: Vec<usize> =
            nodes.iter().filter_map(|&n| self.graph.nodes[n].parent.map(|(_, t)| t)).collect();
        let places: Vec<Place> = nodes.iter().map(|&n| self.graph.nodes[n].place.clone()).collect();
        let path = Path::new(&mut self.bench, &places, &steps);
        let end = match path.judge(&mut self.bench)? {
            Judgement::Infeasible(end) => end,
            Judgement::Feasible => {
                let bench = &mut self.bench;
                let target = bench.target;
                let (store, solver) = (&mut bench.store, &mut *bench.solver);
                let trace = solve_path(store, solver, bench.program, &steps, target, bench.budget)?;
                let missing = || {
                    Finding::Unknown(Why::NoProgress("a path that should be a run has none".into()))
                };
                return Ok(Some(trace.map_or_else(missing, |t| Finding::Reached(Box::new(t)))));
            }
        };
        let goal = match nodes.get(end) {
            Some(_) => self.bench.store.bool(true),
            None => {
                let last = places[places.len() - 1].clone();
                let target = self.bench.target;
                self.bench.at(&last, target)
            }
        };
        let stretch = &nodes[..=end.min(nodes.len() - 1)];
        let labels = match self.guess(stretch, goal)? {
            None => self.interpolate(stretch, goal)?,
            guessed => guessed,
        };
        let Some(labels) = labels else {
            let names = steps.iter().map(|&t| self.bench.transitions[t].name.as_str());
            let text = format!(
                "no interpolants for a path that is no run: {}",
                names.collect::<Vec<_>>().join(" ")
            );
            return Ok(Some(Finding::Unknown(Why::NoProgress(text))));
        };
        let added = self.strengthen(stretch, &labels)?;
        let falsum = self.bench.store.bool(false);
        for &beyond in nodes.iter().skip(end + 1) {
            self.label(beyond, falsum);
        }
        self.note(&nodes, end, added);
        for &node in &nodes[1..] {
            if self.graph.nodes[node].is_live() && self.is_covered(node)? {
                break;
            }
        }
        Ok(None)
    }

    /// Labels along a stretch of a path from relations that its steps suggest,
    /// if they exclude `goal` as interpolants do. After some rounds only: they
    /// are what interpolants of ever longer paths do not come to.
    fn guess(&mut self, nodes: &[Id<Node>], goal: Term) -> Result<Option<Vec<Term>>, Halt> {
        if self.statistics.iterations < PATIENCE {
            return Ok(None);
        }
        if self.guesses.is_none() {
            let (program, transitions) = (self.bench.program, &self.bench.transitions);
            self.guesses = Some(relations(&mut self.bench.store, program, transitions));
        }
        let guesses = self.guesses.clone().unwrap_or_default();
        let mut label = self.graph.nodes[nodes[0]].state;
        let mut labels = Vec::new();
        for &node in &nodes[1..] {
            let Some((parent, transition)) = self.graph.nodes[node].parent else { continue };
            let place = self.graph.nodes[parent].place.clone();
            let step = self.bench.from(&place, transition);
            let before = self.bench.store.and([label, step.condition]);
            let falsum = self.bench.store.bool(false);
            let mut kept = Vec::new();
            if self.bench.entails(before, falsum)? {
                kept.push(falsum);
            } else {
                let mut step = step.assignment();
                for &guess in &guesses {
                    let after = step.apply(&mut self.bench.store, guess);
                    if self.bench.entails(before, after)? {
                        kept.push(guess);
                    }
                }
            }
            label = self.bench.store.and(kept);
            labels.push(label);
        }
        let end = self.bench.store.not(goal);
        Ok(self.bench.entails(label, end)?.then_some(labels))
    }

    /// Interpolants along a stretch of a path, one per node after the first:
    /// its steps cannot lead from the first label to `goal`. `None` if there
    /// are none, or if they can.
    fn interpolate(&mut self, nodes: &[Id<Node>], goal: Term) -> Result<Option<Vec<Term>>, Halt> {
        let mut steps = Vec::new();
        for &node in &nodes[1..] {
            let Some((parent, transition)) = self.graph.nodes[node].parent else { continue };
            let place = self.graph.nodes[parent].place.clone();
            let step = self.bench.from(&place, transition);
            let literals = conjuncts(&self.bench, step.condition);
            steps.push(Straight { literals, updates: step.updates });
        }
        let literals = conjuncts(&self.bench, goal);
        steps.push(Straight { literals, updates: Vec::new() });
        let count = steps.len();
        let start = self.graph.nodes[nodes[0]].state;
        let (all, back) = StraightPath::unroll(&mut self.bench, start, steps);
        let mut grouped: Vec<Vec<Term>> = vec![Vec::new(); count + 1];
        for part in all {
            grouped[part.position].push(part.formula);
        }
        let mut parts = Vec::new();
        for group in grouped {
            parts.push(self.bench.store.and(group));
        }
        let (store, solver) = (&mut self.bench.store, &mut *self.bench.spare);
        let options = Options::default();
        let found =
            parallax_interpolate::sequence(store, solver, &parts, &options, self.bench.budget)?;
        let Outcome::Found(found) = found else { return Ok(None) };
        let mut labels = Vec::new();
        for (&formula, back) in found.formulas[2..=count].iter().zip(&back[1..]) {
            let pairs = back.iter().map(|(&version, &symbol)| (version, symbol));
            labels.push(Substitution::new(pairs).apply(&mut self.bench.store, formula));
        }
        Ok(Some(labels))
    }

    /// Conjoins labels to the nodes after the first; returns the new atoms.
    fn strengthen(
        &mut self,
        nodes: &[Id<Node>],
        labels: &[Term],
    ) -> Result<Vec<(String, Location)>, Halt> {
        let mut added = Vec::new();
        for (&node, &label) in nodes[1..].iter().zip(labels) {
            let old = self.graph.nodes[node].state;
            if self.bench.entails(old, label)? {
                continue;
            }
            let location = self.graph.nodes[node].place.location.clone();
            for atom in self.bench.store.atoms(label) {
                added.push((self.bench.store.infix(atom), location.clone()));
                if !self.atoms.contains(&atom) {
                    self.atoms.push(atom);
                }
            }
            let stronger = self.bench.store.and([old, label]);
            self.label(node, stronger);
        }
        Ok(added)
    }

    /// Gives a node a stronger label: what it covered is open again.
    fn label(&mut self, node: Id<Node>, label: Term) {
        if self.graph.nodes[node].state != label {
            self.graph.nodes[node].state = label;
            let freed = self.graph.uncover(node);
            freed.into_iter().for_each(|n| self.push(n));
        }
    }

    /// Tries to cover a node by making its label strong enough.
    fn force_cover(&mut self, id: Id<Node>) -> Result<bool, Halt> {
        let path = self.graph.path(id);
        let mut tried = 0;
        for other in self.graph.candidates(id).into_iter().rev() {
            let wanted = self.graph.nodes[other].state;
            if other >= id || self.bench.store.is_false(wanted) {
                continue;
            }
            tried += 1;
            if tried > FORCED {
                break;
            }
            let older = self.graph.path(other);
            let common = path.iter().zip(&older).take_while(|(a, b)| a == b).count();
            let stretch = &path[common.saturating_sub(1)..];
            let goal = self.bench.store.not(wanted);
            if let Some(labels) = self.interpolate(stretch, goal)? {
                self.strengthen(stretch, &labels)?;
                if self.is_covered(id)? {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    fn note(&mut self, nodes: &[Id<Node>], end: usize, mut added: Vec<(String, Location)>) {
        let mut seen = rustc_hash::FxHashSet::default();
        added.retain(|pair| seen.insert(pair.clone()));
        let path = (nodes, end, "interpolants");
        let round = picture::round(&mut self.names, &self.bench, &self.graph, path, added);
        for text in &round.predicates {
            let why = "interpolants".to_owned();
            self.resources.budget.notice(Event::Predicate { text: text.clone(), why });
        }
        self.history.push(Refinement { iteration: self.statistics.iterations, ..round });
        self.statistics.iterations += 1;
        self.resources.budget.notice(Event::Iteration {
            number: self.statistics.iterations,
            predicates: self.atoms.len() as u64,
        });
    }

    /// The graph as it is.
    pub(crate) fn picture(&mut self, finding: &Finding) -> ReachabilityGraph {
        let path = match finding {
            Finding::Proved(_) => Vec::new(),
            _ => self.last_path.clone(),
        };
        let is_run = matches!(finding, Finding::Reached(_));
        let subject = Subject { path, is_run, predicates: &[], kind: Abstraction::Boolean };
        picture::draw(&mut self.bench, &self.graph, &subject, |_| Vec::new())
    }
}
