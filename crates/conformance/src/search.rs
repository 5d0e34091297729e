//! The loop: abstract, compose, compare, and refine what is too coarse.

use crate::abstraction::{Abstractor, Model};
use crate::choice::Ledger;
use crate::excluded::Excluded;
use crate::joint::Together;
use crate::level::{Groups, Level, Step};
use crate::minimum::Infeasibles;
use crate::outcome::{Config, Outcome, Round, Statistics};
use crate::path::{Infeasible, Taken};
use crate::tree::Tree;
use parallax_base::{Budget, Event, Id, Stop};
use parallax_evidence::{
    ConformanceEvidence, ConformanceProof, ConformanceRefutation, Cover, Labelled, Run, RunStep,
};
use parallax_lts::{CeDag, CeNode, Composed, Edge, Lts, StateId, TAU, compose_within};
use parallax_simulate::{Conformance, simulates};
use parallax_solver::{Halt, SolverConfig};
use parallax_term::Term;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Paths of one counterexample that are looked at.
const PATHS: usize = 64;
/// The direct product is not counted beyond this.
const DIRECT: usize = 100_000;

/// One program and its abstractions.
pub(crate) struct Worker<'a> {
    abstractor: Abstractor<'a>,
    predicates: Vec<Term>,
    infeasible: Infeasibles,
    pub(crate) model: Model,
    /// States that nobody can tell apart, and their system.
    pub(crate) exact: Level,
    pub(crate) small: Lts,
    /// What is composed at present.
    pub(crate) level: Level,
    groups: Groups,
    pub(crate) quotient: Lts,
}

/// A path of the composition: edges with the node they belong to.
type GlobalPath = Vec<(StateId, Edge, usize)>;

pub(crate) struct Search<'a> {
    pub(crate) workers: Vec<Worker<'a>>,
    hidden: &'a BTreeSet<String>,
    specification: &'a Lts,
    pub(crate) config: &'a Config,
    solver: &'a SolverConfig,
    pub(crate) statistics: Statistics,
    pub(crate) ledger: Ledger,
    pub(crate) budget: &'a Budget,
}

/// Decides whether programs, run together, conform to a specification.
///
/// # Errors
/// When the budget ends.
pub fn check(
    programs: &[Labelled<'_>],
    hidden: &BTreeSet<String>,
    specification: &Lts,
    config: &Config,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<(Outcome, Statistics), Stop> {
    let mut workers = Vec::new();
    for program in programs {
        let opened = match solver.open() {
            Ok(opened) => opened,
            Err(error) => {
                let why = format!("no solver: {error}");
                return Ok((Outcome::Unknown(why), Statistics::default()));
            }
        };
        let mut abstractor = Abstractor::new(*program, opened, solver, budget);
        let model = match abstractor.model(&[]) {
            Ok(model) => model,
            Err(Halt::Stop(stop)) => return Err(stop),
            Err(Halt::GaveUp(why)) => return Ok((Outcome::Unknown(why), Statistics::default())),
        };
        let level = Level::discrete(&model);
        let quotient = level.quotient(&model);
        workers.push(Worker {
            abstractor,
            predicates: Vec::new(),
            infeasible: Infeasibles::default(),
            model,
            exact: level.clone(),
            small: quotient.clone(),
            level,
            groups: Groups::default(),
            quotient,
        });
    }
    let statistics = Statistics::default();
    let ledger = Ledger::default();
    let mut search =
        Search { workers, hidden, specification, config, solver, statistics, ledger, budget };
    for index in 0..search.workers.len() {
        search.renew(index)?;
    }
    let outcome = match search.run() {
        Ok(outcome) => outcome,
        Err(Halt::GaveUp(why)) => Outcome::Unknown(why),
        Err(Halt::Stop(stop)) => return Err(stop),
    };
    search.count()?;
    Ok((outcome, search.statistics))
}

/// What became of a path of the composition.
enum Examined {
    /// Every program really does it.
    Real(Vec<Run>),
    /// It is no longer there.
    Refined(String),
}

/// What became of several paths together.
enum Joint {
    /// Runs that agree where the paths are one, for each path and program.
    Real(Vec<Vec<Run>>),
    /// One is no longer there.
    Refined(String),
}

impl Search<'_> {
    /// Joins the states of a system that has changed.
    fn renew(&mut self, index: usize) -> Result<(), Stop> {
        let joins = self.joins();
        let worker = &mut self.workers[index];
        let waits = self.config.deadlock.then_some(worker.abstractor.labelled.waits);
        worker.exact = match joins {
            true => Level::bisimilar(&worker.model, waits, self.budget)?,
            false => Level::discrete(&worker.model),
        };
        worker.small = worker.exact.quotient(&worker.model);
        self.join(index);
        Ok(())
    }

    /// Joins the states of a system anew, in the way of the present.
    pub(crate) fn join(&mut self, index: usize) {
        let by_actions = self.is_by_actions();
        let worker = &mut self.workers[index];
        if by_actions {
            let waits = self.config.deadlock.then_some(worker.abstractor.labelled.waits);
            worker.level = Level::by_actions(&worker.model, &worker.exact, waits, &worker.groups);
            worker.quotient = worker.level.quotient(&worker.model);
        } else {
            worker.level.clone_from(&worker.exact);
            worker.quotient.clone_from(&worker.small);
        }
    }

    fn run(&mut self) -> Result<Outcome, Halt> {
        for _ in 0..self.config.rounds {
            self.budget.check()?;
            let (composed, found) = self.compose()?;
            let states = composed.lts.state_count();
            self.tell(states);
            let (paths, dag, deadlock) = match found {
                Conformance::Differs(dag) => (self.paths(&composed, &dag), dag, false),
                Conformance::Conforms(relation) => {
                    let stuck = if self.config.deadlock { self.deadlock(&composed) } else { None };
                    let Some((path, dag)) = stuck else {
                        let proof = Box::new(self.proof(&composed, &relation));
                        return Ok(Outcome::Decided(ConformanceEvidence::Conforms(proof)));
                    };
                    (vec![path], dag, true)
                }
            };
            let mut runs = Vec::new();
            let mut refined = None;
            for path in &paths {
                match self.examine(&composed, path)? {
                    Examined::Real(run) => runs.push(run),
                    Examined::Refined(what) => {
                        refined = Some(what);
                        break;
                    }
                }
            }
            if refined.is_none() && !prefixes_agree(&runs, &dag) {
                match self.together(runs)? {
                    Joint::Real(joint) => runs = joint,
                    Joint::Refined(what) => {
                        runs = Vec::new();
                        refined = Some(what);
                    }
                }
            }
            let Some(refined) = refined else {
                if !prefixes_agree(&runs, &dag) {
                    let why = "a counterexample with several paths could not be shown to be one";
                    return Err(Halt::GaveUp(why.into()));
                }
                return self.refutation(dag, composed.lts, runs, deadlock);
            };
            self.statistics.rounds.push(Round { composed: states, refined });
        }
        Err(Halt::GaveUp(format!("no answer after {} rounds", self.config.rounds)))
    }

    /// How a composition compares with the specification.
    pub(crate) fn compared(&self, composed: &Composed) -> Result<Conformance, Stop> {
        let hidden: Vec<String> = self.hidden.iter().cloned().collect();
        let quiet = hide(&composed.lts, &hidden);
        Ok(simulates(&quiet, self.specification, self.budget)?.conformance)
    }

    /// Tells which round it is, and of what size.
    fn tell(&self, composed: usize) {
        let predicates = self.workers.iter().map(|worker| worker.predicates.len() as u64).sum();
        let number = self.statistics.rounds.len() as u64 + 1;
        self.budget.notice(Event::Iteration { number, predicates });
        let queries = self.workers.iter().map(|worker| worker.abstractor.queries()).sum();
        let states = composed as u64;
        self.budget.notice(Event::Progress { states, abstract_states: 0, queries });
    }

    /// A real counterexample, unless it leads to what is not modelled.
    fn refutation(
        &self,
        dag: CeDag,
        composed: Lts,
        runs: Vec<Vec<Run>>,
        deadlock: bool,
    ) -> Result<Outcome, Halt> {
        for (worker, run) in runs.iter().flat_map(|runs| self.workers.iter().zip(runs)) {
            let labelled = worker.abstractor.labelled;
            if let Some(gap) = run.steps.iter().find_map(|step| labelled.gap(step.edge)) {
                return Err(Halt::GaveUp(format!("a run leads to what is not modelled: {gap}")));
            }
        }
        let refutation = ConformanceRefutation { dag, composed, runs, deadlock };
        Ok(Outcome::Decided(ConformanceEvidence::Differs(Box::new(refutation))))
    }

    /// The paths of a counterexample as paths of the composition.
    fn paths(&self, composed: &Composed, dag: &CeDag) -> Vec<GlobalPath> {
        let edge = |node: &CeNode| {
            let hidden = |action| self.hidden.contains(composed.lts.label(action));
            let edges = composed.lts.edges(node.left).iter();
            let fits = edges.filter(|edge| edge.target == node.target);
            let silent = node.action == TAU;
            // Labels of the hidden system have the same names.
            fits.copied().find(|edge| {
                if silent {
                    edge.action == TAU || hidden(edge.action)
                } else {
                    edge.action == node.action
                }
            })
        };
        let paths = dag.paths(PATHS);
        let one = |path: &Vec<usize>| {
            path.iter()
                .filter_map(|&n| Some((dag.nodes[n].left, edge(&dag.nodes[n])?, n)))
                .collect()
        };
        paths.iter().map(one).collect()
    }

    /// The steps of one program on a path of the composition, with their nodes.
    fn project(&self, composed: &Composed, path: &GlobalPath, index: usize) -> Vec<(Step, usize)> {
        let mut steps = Vec::new();
        let worker = &self.workers[index];
        for &(from, edge, node) in path {
            let before = composed.tuples[from as usize][index];
            let after = composed.tuples[edge.target as usize][index];
            let label = composed.lts.label(edge.action);
            let action = if edge.action == TAU {
                (before != after).then_some(TAU)
            } else {
                worker.quotient.find_action(label)
            };
            if let Some(action) = action {
                steps.push(((before, action, after), node));
            }
        }
        steps
    }

    /// Looks for a path in every program; refines the first that does not have
    /// it.
    fn examine(&mut self, composed: &Composed, path: &GlobalPath) -> Result<Examined, Halt> {
        let mut ways = Vec::new();
        for index in 0..self.workers.len() {
            let steps = self.project(composed, path, index);
            let plain: Vec<Step> = steps.iter().map(|(step, _)| *step).collect();
            let worker = &mut self.workers[index];
            match worker.level.follow(&worker.model, &plain) {
                Ok(way) => ways.push((way, steps)),
                Err((class, states)) => {
                    worker.groups.note(&worker.model, &worker.level, class, &states);
                    worker.level.split(class, &states);
                    worker.quotient = worker.level.quotient(&worker.model);
                    self.statistics.splits += 1;
                    let name = &worker.abstractor.labelled.program.name;
                    return Ok(Examined::Refined(format!("states of {name}")));
                }
            }
        }
        let mut runs = Vec::new();
        for (index, (way, steps)) in ways.into_iter().enumerate() {
            let worker = &mut self.workers[index];
            let mut edges = Vec::new();
            let mut nodes = Vec::new();
            let mut place = 0;
            for (from, arrow) in way {
                let class = |state: StateId| worker.level.class[state as usize];
                // Silent steps inside a class belong to the step after them.
                let node = steps.get(place).or(steps.last()).map_or(0, |(_, node)| *node);
                if arrow.action != TAU || class(from) != class(arrow.target) {
                    place += 1;
                }
                if let Some(behind) = worker.model.behind.get(&(from, arrow)) {
                    edges.push(behind[0]);
                    nodes.push(node);
                }
            }
            match worker.abstractor.take(&edges)? {
                Taken::Yes((initial, inputs)) => {
                    let steps = edges.iter().zip(inputs).zip(&nodes);
                    let steps = steps
                        .map(|((&edge, inputs), &node)| RunStep { edge, inputs, node })
                        .collect();
                    runs.push(Run { initial, steps });
                }
                Taken::No(part) => {
                    let what = self.exclude(index, &part)?;
                    return Ok(Examined::Refined(what));
                }
            }
        }
        Ok(Examined::Real(runs))
    }

    /// Looks for runs of all paths that agree where the paths are one; refines
    /// the first program that has none.
    fn together(&mut self, mut runs: Vec<Vec<Run>>) -> Result<Joint, Halt> {
        for index in 0..self.workers.len() {
            let steps = |run: &Run| run.steps.iter().map(|step| (step.edge, step.node)).collect();
            let paths: Vec<Vec<(usize, usize)>> =
                runs.iter().map(|all| steps(&all[index])).collect();
            let tree = Tree::of(&paths);
            match self.workers[index].abstractor.take_together(&tree)? {
                Together::Yes((initial, inputs)) => {
                    for (run, &end) in runs.iter_mut().map(|all| &mut all[index]).zip(&tree.ends) {
                        run.initial.clone_from(&initial);
                        for (step, place) in run.steps.iter_mut().zip(tree.path(end)) {
                            step.inputs.clone_from(&inputs[place]);
                        }
                    }
                }
                Together::No(part) => return Ok(Joint::Refined(self.exclude(index, &part)?)),
            }
        }
        Ok(Joint::Real(runs))
    }

    /// Chooses predicates that exclude what cannot be, and all before it.
    fn exclude(&mut self, index: usize, part: &Infeasible) -> Result<String, Halt> {
        let worker = &mut self.workers[index];
        let excluded = Excluded::new(&mut worker.abstractor, part, self.solver)?;
        worker.infeasible.add(&mut worker.abstractor, excluded, &part.candidates)?;
        let old: BTreeSet<Term> = worker.predicates.iter().copied().collect();
        worker.predicates = if self.config.minimize {
            worker.infeasible.minimum(&mut worker.abstractor)?
        } else {
            worker.infeasible.candidates.clone()
        };
        let store = &worker.abstractor.store;
        let new: Vec<String> = worker
            .predicates
            .iter()
            .filter(|predicate| !old.contains(predicate))
            .map(|&predicate| store.infix(predicate))
            .collect();
        let name = worker.abstractor.labelled.program.name.clone();
        worker.model = worker.abstractor.model(&worker.predicates)?;
        self.statistics.refinements += 1;
        self.ledger.forget();
        self.renew(index)?;
        Ok(format!("predicates of {name}: {}", new.join(", ")))
    }

    /// The nearest composed state in which all wait and nobody can go on.
    fn deadlock(&self, composed: &Composed) -> Option<(GlobalPath, CeDag)> {
        let waiting: Vec<BTreeMap<StateId, bool>> = self
            .workers
            .iter()
            .map(|worker| {
                let waits = worker.abstractor.labelled.waits;
                let all = worker.model.lts.states().zip(&worker.level.class);
                all.map(|(state, &class)| (class, worker.model.waits(waits, state))).collect()
            })
            .collect();
        let lts = &composed.lts;
        let mut parent: Vec<Option<(StateId, Edge)>> = vec![None; lts.state_count()];
        let mut seen = vec![false; lts.state_count()];
        let mut queue = VecDeque::from([lts.initial()]);
        seen[lts.initial() as usize] = true;
        while let Some(state) = queue.pop_front() {
            let tuple = &composed.tuples[state as usize];
            let all_wait =
                tuple.iter().zip(&waiting).all(|(class, map)| map.get(class) == Some(&true));
            let ended = tuple
                .iter()
                .zip(&self.workers)
                .all(|(&class, worker)| worker.quotient.edges(class).is_empty());
            if all_wait && !ended && lts.edges(state).is_empty() {
                let mut path = Vec::new();
                let mut at = state;
                while let Some((before, edge)) = parent[at as usize] {
                    path.push((before, edge));
                    at = before;
                }
                path.reverse();
                let numbered: GlobalPath =
                    path.iter().enumerate().map(|(n, &(from, edge))| (from, edge, n)).collect();
                let last = path.len();
                let nodes = path.iter().enumerate().map(|(n, (from, edge))| CeNode {
                    left: *from,
                    right: 0,
                    action: edge.action,
                    target: edge.target,
                    children: if n + 1 < last { vec![n + 1] } else { Vec::new() },
                });
                return Some((numbered, CeDag { nodes: nodes.collect() }));
            }
            for edge in lts.edges(state) {
                if !std::mem::replace(&mut seen[edge.target as usize], true) {
                    parent[edge.target as usize] = Some((state, *edge));
                    queue.push_back(edge.target);
                }
            }
        }
        None
    }

    /// The proof: what the states of the joined systems stand for, and the
    /// relation.
    fn proof(&mut self, composed: &Composed, relation: &[(StateId, StateId)]) -> ConformanceProof {
        let mut covers = Vec::new();
        for worker in &mut self.workers {
            let store = &mut worker.abstractor.store;
            let mut parts: BTreeMap<(usize, StateId), Vec<Term>> = BTreeMap::new();
            let cube = |store: &mut parallax_term::TermStore, truth: &[bool]| {
                let literals: Vec<Term> = worker
                    .model
                    .predicates
                    .iter()
                    .zip(truth)
                    .map(|(&p, &truth)| if truth { p } else { store.not(p) })
                    .collect();
                store.and(literals)
            };
            for state in worker.model.lts.states().skip(1) {
                let (location, truth) = &worker.model.states[state as usize];
                let formula = cube(store, truth);
                let class = worker.level.class[state as usize];
                parts.entry((*location, class)).or_default().push(formula);
            }
            // The state before the first one matches the initial states.
            for edge in worker.model.lts.edges(0) {
                let (location, truth) = &worker.model.states[edge.target as usize];
                let formula = cube(store, truth);
                let class = worker.level.class[0];
                parts.entry((*location, class)).or_default().push(formula);
            }
            let formulas = parts
                .into_iter()
                .map(|((location, class), list)| (Id::new(location), class, store.or(list)))
                .collect();
            covers.push(Cover {
                abstraction: worker.quotient.clone(),
                store: store.clone(),
                formulas,
            });
        }
        let relation = relation
            .iter()
            .map(|&(left, right)| (composed.tuples[left as usize].to_vec(), right))
            .collect();
        ConformanceProof { covers, relation, deadlock_free: self.config.deadlock }
    }

    /// Fills in the figures.
    fn count(&mut self) -> Result<(), Stop> {
        let statistics = &mut self.statistics;
        for worker in &self.workers {
            let lts = &worker.model.lts;
            let store = &worker.abstractor.store;
            let texts = worker.predicates.iter().map(|&p| store.infix(p)).collect();
            statistics.predicates.push(worker.predicates.len());
            statistics.predicate_texts.push(texts);
            statistics.candidates.push(worker.infeasible.candidates.len());
            statistics.systems.push((lts.state_count(), lts.transition_count()));
            statistics.joined.push(worker.level.count);
            statistics.queries += worker.abstractor.queries();
            statistics.queries += worker.infeasible.queries();
        }
        let parts: Vec<&Lts> = self.workers.iter().map(|worker| &worker.model.lts).collect();
        let direct = compose_within("direct", &parts, DIRECT, self.budget)?;
        statistics.direct = direct.map(|direct| direct.lts.state_count());
        Ok(())
    }
}

/// The system with some labels silent; states and numbers of labels stay.
fn hide(lts: &Lts, hidden: &[String]) -> Lts {
    let mut result = lts.like();
    for state in lts.states() {
        let edges = lts.edges(state).iter().map(|edge| {
            let label = lts.label(edge.action);
            let action = if hidden.iter().any(|h| h == label) { TAU } else { edge.action };
            Edge { action, target: edge.target }
        });
        let edges = edges.collect();
        let new = result.add_state();
        result.set_edges(new, edges);
    }
    result.set_initial(lts.initial());
    result
}

/// Whether the runs of all paths do the same as long as the paths are the same.
fn prefixes_agree(runs: &[Vec<Run>], dag: &CeDag) -> bool {
    let paths = dag.paths(PATHS);
    if paths.len() != runs.len() {
        return false;
    }
    for (one, first) in paths.iter().zip(runs) {
        for (two, second) in paths.iter().zip(runs) {
            let common: BTreeSet<usize> =
                one.iter().zip(two).take_while(|(a, b)| a == b).map(|(a, _)| *a).collect();
            for (run, other) in first.iter().zip(second) {
                let shared = |run: &Run| -> Vec<(usize, Vec<parallax_term::Value>)> {
                    let steps = run.steps.iter().filter(|step| common.contains(&step.node));
                    steps.map(|step| (step.edge, step.inputs.clone())).collect()
                };
                if run.initial != other.initial || shared(run) != shared(other) {
                    return false;
                }
            }
        }
    }
    true
}
