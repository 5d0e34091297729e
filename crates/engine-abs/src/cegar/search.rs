//! The search: explore the graph, judge paths to the target, refine.

use super::arg::{Graph, Node};
use super::bench::Bench;
use super::facts::{Facts, Known};
use super::finite::constants;
use super::path::{Judgement, Path};
use super::picture::{self, Names, Subject};
use super::place::{Location, Place};
use super::post::{Post, Successors};
use super::precision::{Precision, Scope};
use super::reduce::Reducer;
use super::refine::{self, Sequence};
use super::straight::{Station, StraightPath, conjuncts};
use super::waitlist::Waitlist;
use super::{Abstraction, CegarConfig, Covering, Track};
use parallax_base::{Event, Id};
use parallax_engine::{Question, Reduction, Resources, relations, solve_path};
use parallax_evidence::{Finding, ReachabilityGraph, Refinement, Statistics, Trace, Why};
use parallax_ir::Variable;
use parallax_solver::Halt;
use parallax_term::Term;
use rustc_hash::FxHashMap;

/// A formula with more atoms than this is a predicate as a whole.
const ATOMS: usize = 12;

/// Rounds to go before relations are guessed.
const PATIENCE: u64 = 6;

pub(crate) struct Search<'a> {
    pub(crate) bench: Bench<'a>,
    question: Question<'a>,
    facts: Facts,
    pub(crate) resources: Resources<'a>,
    pub(crate) config: CegarConfig,
    pub(crate) graph: Graph,
    /// What is left out, if several processes move.
    reducer: Option<Reducer<'a>>,
    pub(crate) precision: Precision,
    post: Post,
    open: Waitlist,
    /// Per variable: whether it is tracked by value when it matters.
    by_value: Vec<bool>,
    slots: FxHashMap<Term, Id<Variable>>,
    pub(crate) statistics: Statistics,
    pub(crate) history: Vec<Refinement>,
    /// The path that was judged last, from the root.
    pub(crate) last_path: Vec<Id<Node>>,
    /// The first path that is no run and was left in the graph.
    /// Whether relations were guessed.
    has_guessed: bool,
    pub(crate) spurious: Option<Vec<Id<Node>>>,
    pub(crate) names: Names,
}

/// What became of a path to the target.
enum Judged {
    Run(Box<Trace>),
    Excluded,
    Stuck(String),
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        bench: Bench<'a>,
        question: Question<'a>,
        resources: Resources<'a>,
        config: CegarConfig,
        facts: Facts,
    ) -> Self {
        let program = bench.program;
        let constants = match config.track {
            Track::Auto => constants(program, &bench.store, &bench.transitions),
            Track::Predicates => vec![Vec::new(); program.variables.len()],
        };
        let post = Post::new(constants);
        let by_value = program.variables.ids().map(|v| post.has_constants(v)).collect();
        let slots = program.variables.iter_enumerated().map(|(id, v)| (v.term, id)).collect();
        let groups = program.processes.iter().map(|process| {
            let count = process.locations.len() as i64;
            match config.scope {
                Scope::Location => (0..count).collect(),
                Scope::Function => super::functions(process),
            }
        });
        let mut precision = Precision::new(groups.collect());
        config.predicates.iter().for_each(|&predicate| precision.give(predicate));
        if config.invariants == Known::Predicates {
            for (location, fact) in facts.all() {
                for atom in bench.store.atoms(fact) {
                    precision.add(&location, atom);
                }
            }
        }
        Search {
            question,
            facts,
            open: Waitlist::new(program, config.order),
            precision,
            bench,
            resources,
            config,
            graph: Graph::default(),
            reducer: Reduction::new(question, resources).map(Reducer::new),
            post,
            by_value,
            slots,
            statistics: Statistics::default(),
            history: Vec::new(),
            last_path: Vec::new(),
            spurious: None,
            has_guessed: false,
            names: Names::default(),
        }
    }

    pub(crate) fn run(&mut self) -> Result<Finding, Halt> {
        self.start()?;
        while let Some(id) = self.next()? {
            let node = &self.graph.nodes[id];
            if !node.is_live() || node.expanded {
                continue;
            }
            self.bench.budget.check()?;
            if self.is_covered(id)? {
                continue;
            }
            if self.is_target(id)? {
                match self.judge(id)? {
                    Judged::Run(trace) => return Ok(Finding::Reached(trace)),
                    Judged::Excluded => {}
                    Judged::Stuck(why) => return Ok(Finding::Unknown(Why::NoProgress(why))),
                }
                continue;
            }
            self.expand(id)?;
        }
        if let Some(nodes) = &self.spurious {
            let path = self.show(nodes).join(" ");
            let text = format!("refinement is off, and a path is no run: {path}");
            return Ok(Finding::Unknown(Why::NoProgress(text)));
        }
        let reducer = self.reducer.as_ref();
        let certificate = super::proof::certificate(&mut self.bench, &self.graph, reducer);
        Ok(Finding::Proved(Box::new(certificate)))
    }

    /// A node to look at; when there is none any more, those that put others off for
    /// ever let all move.
    fn next(&mut self) -> Result<Option<Id<Node>>, Halt> {
        loop {
            if let Some(id) = self.open.pop() {
                return Ok(Some(id));
            }
            let Some(reducer) = &mut self.reducer else { return Ok(None) };
            let nodes = reducer.rank(&mut self.bench, &self.graph)?;
            if nodes.is_empty() {
                return Ok(None);
            }
            for &id in &nodes {
                self.graph.nodes[id].expanded = false;
            }
            self.push_all(nodes);
        }
    }

    /// The root: all initial states, exactly.
    fn start(&mut self) -> Result<(), Halt> {
        self.statistics.iterations += 1;
        self.tell();
        let program = self.bench.program;
        let location = self.bench.initial_location();
        let fixed = program.variables.ids().zip(&program.init.fixed);
        let controls: Vec<_> = program.processes.iter().map(|p| p.control).collect();
        let values = fixed
            .filter(|(id, _)| !controls.contains(id))
            .filter_map(|(id, value)| Some((id, value.clone()?)));
        let place = Place { location, values: values.collect() };
        let initial = program.initial_formula(&mut self.bench.store);
        let initial = self.bench.at(&place, initial);
        if self.bench.satisfiable(&[initial])? {
            let root = self.graph.add(None, place, initial, u64::MAX);
            self.push(root);
        }
        Ok(())
    }

    fn push(&mut self, id: Id<Node>) {
        let location = self.graph.nodes[id].place.location.clone();
        let place = Place { location: location.clone(), values: [].into() };
        let target = self.bench.target;
        let target = self.bench.at(&place, target);
        let urgent = !self.bench.store.is_false(target);
        self.open.push(id, &location, urgent);
    }

    fn push_all(&mut self, ids: Vec<Id<Node>>) {
        for id in ids {
            self.push(id);
        }
    }

    fn tell(&mut self) {
        self.count();
        self.resources.budget.notice(Event::Iteration {
            number: self.statistics.iterations,
            predicates: self.statistics.predicates,
        });
    }

    pub(crate) fn count(&mut self) {
        self.statistics.predicates = self.precision.len() as u64;
        let (main, spare) = (self.bench.solver.statistics(), self.bench.spare.statistics());
        self.statistics.solver_queries = main.queries + spare.queries + self.post.queries();
        self.statistics.abstract_states = self.graph.present().count() as u64;
        self.statistics.states = self.graph.nodes.len() as u64;
    }

    /// Whether another node at the same location includes this one.
    fn is_covered(&mut self, id: Id<Node>) -> Result<bool, Halt> {
        // What is left of its subtree could hold the node that covers it.
        if !self.graph.nodes[id].children.is_empty() {
            return Ok(false);
        }
        let state = self.graph.nodes[id].state;
        let mut candidates = self.graph.candidates(id);
        candidates.sort_by_key(|&c| (self.graph.nodes[c].state != state, c));
        for other in candidates {
            let wider = self.graph.nodes[other].state;
            if self.config.covering == Covering::Equal {
                let (a, b) = (&self.graph.nodes[id], &self.graph.nodes[other]);
                if a.state != b.state || a.place != b.place {
                    continue;
                }
            }
            let extra = {
                let place = self.graph.nodes[id].place.clone();
                self.bench.at(&place, wider)
            };
            if self.bench.entails(state, extra)? {
                let freed = self.graph.cover(id, other);
                self.push_all(freed);
                return Ok(true);
            }
        }
        Ok(false)
    }

    pub(crate) fn is_target(&mut self, id: Id<Node>) -> Result<bool, Halt> {
        let node = &self.graph.nodes[id];
        let (place, state) = (node.place.clone(), node.state);
        let target = self.bench.target;
        let target = self.bench.at(&place, target);
        self.bench.satisfiable(&[state, target])
    }

    /// Adds the successors of a node.
    fn expand(&mut self, id: Id<Node>) -> Result<(), Halt> {
        let node = &self.graph.nodes[id];
        let (place, state) = (node.place.clone(), node.state);
        let steps = self.bench.steps(&place.location);
        for step in steps.iter() {
            if let Some(reducer) = &mut self.reducer
                && !reducer.takes(&self.bench, &place, step.transition)
            {
                continue;
            }
            let present = self.graph.nodes[id].children.iter();
            let tried = |&c: &Id<Node>| {
                self.graph.nodes[c].parent.is_some_and(|(_, t)| t == step.transition)
            };
            if present.copied().any(|c| tried(&c)) {
                continue;
            }
            let all = loop {
                let tracked = self.precision.at(&step.target);
                let from = (&place, state);
                let kind = self.config.abstraction;
                match self.post.successors(&mut self.bench, kind, from, step, &tracked)? {
                    Successors::All(all) => break all,
                    Successors::TooMany(variable) => {
                        self.by_value[variable.index()] = false;
                        self.precision.forget(variable);
                    }
                }
            };
            let version = self.precision.version(&step.target);
            for (values, next) in all {
                let place = Place { location: step.target.clone(), values };
                let Some(next) = self.cut_down(&place, next)? else { continue };
                let child = self.graph.add(Some((id, step.transition)), place, next, version);
                self.push(child);
            }
        }
        self.graph.nodes[id].expanded = true;
        let nodes = self.graph.nodes.len() as u64;
        if nodes % 64 < 8 {
            self.resources.budget.notice(Event::Progress {
                states: nodes,
                abstract_states: nodes,
                queries: self.bench.solver.statistics().queries,
            });
        }
        Ok(())
    }

    /// An abstract state, as far as the facts allow it.
    fn cut_down(&mut self, place: &Place, state: Term) -> Result<Option<Term>, Halt> {
        let fact = self.facts.at(&place.location);
        let Some(fact) = fact.filter(|_| self.config.invariants == Known::Facts) else {
            return Ok(Some(state));
        };
        let fact = self.bench.at(place, fact);
        let state = self.bench.store.and([state, fact]);
        Ok(self.bench.satisfiable(&[state])?.then_some(state))
    }

    /// Repeats the analysis with what refinement speaks of, if it is time. The
    /// graph is then built again: steps from states that are not cut down to
    /// the new facts do not lead to states that are.
    fn strengthen(&mut self, root: Id<Node>) -> Result<(), Halt> {
        if self.config.invariants != Known::Facts {
            return Ok(());
        }
        let predicates = self.precision.predicates().to_vec();
        let Some(templates) = self.facts.next(&mut self.bench.store, &predicates) else {
            return Ok(());
        };
        let store = self.bench.store.clone();
        let (facts, store) = Facts::find(self.question, self.resources, store, templates)?;
        self.bench.store = store;
        self.facts = facts;
        for child in self.graph.nodes[root].children.clone() {
            self.graph.remove(child);
        }
        self.graph.nodes[root].expanded = false;
        self.push(root);
        Ok(())
    }

    /// Looks at a path to the target.
    fn judge(&mut self, id: Id<Node>) -> Result<Judged, Halt> {
        let nodes = self.graph.path(id);
        self.last_path.clone_from(&nodes);
        let transitions: Vec<usize> =
            nodes.iter().filter_map(|&n| self.graph.nodes[n].parent.map(|(_, t)| t)).collect();
        let places: Vec<Place> = nodes.iter().map(|&n| self.graph.nodes[n].place.clone()).collect();
        let path = Path::new(&mut self.bench, &places, &transitions);
        let end = match path.judge(&mut self.bench)? {
            Judgement::Infeasible(end) => end,
            Judgement::Feasible => {
                let bench = &mut self.bench;
                let target = bench.target;
                let (store, solver) = (&mut bench.store, &mut *bench.solver);
                let trace =
                    solve_path(store, solver, bench.program, &transitions, target, bench.budget)?;
                return Ok(match trace {
                    Some(trace) => Judged::Run(Box::new(trace)),
                    None => Judged::Stuck("a path that should be a run has none".into()),
                });
            }
        };
        if self.config.no_refine {
            self.note(&nodes, end, "refinement is off", Vec::new());
            self.spurious.get_or_insert(nodes);
            return Ok(Judged::Excluded);
        }
        self.refine(&nodes, &transitions, end)
    }

    /// Excludes a path that is no run: none takes its step `end`.
    fn refine(
        &mut self,
        nodes: &[Id<Node>],
        transitions: &[usize],
        end: usize,
    ) -> Result<Judged, Halt> {
        // Somebody else's refinement may exclude it already.
        let outdated = (1..end).find(|&i| {
            let node = &self.graph.nodes[nodes[i]];
            node.version < self.precision.version(&node.place.location)
        });
        if let Some(pivot) = outdated {
            self.rebuild(nodes, pivot);
            return Ok(Judged::Excluded);
        }
        let to_target = end == nodes.len();
        let stations: Vec<Station> = nodes[..=end.min(nodes.len() - 1)]
            .iter()
            .map(|&n| {
                let node = &self.graph.nodes[n];
                let (place, state) = (node.place.clone(), node.state);
                let predicates = match node.parent {
                    Some(_) => self.precision.at(&place.location).predicates,
                    None => Vec::new(),
                };
                Station { place, state, predicates }
            })
            .collect();
        let steps = &transitions[..end.min(transitions.len())];
        let path = StraightPath::new(&mut self.bench, &stations, steps, to_target)?;
        for method in self.config.refiner.then_others() {
            let Some(mut sequence) =
                refine::refine(&mut self.bench, method, &path, &self.by_value)?
            else {
                continue;
            };
            if self.statistics.iterations >= PATIENCE {
                let guesses = self.guesses();
                sequence.iter_mut().for_each(|formulas| formulas.extend(&guesses));
            }
            if self.excluded(nodes, end, method.word(), sequence)? {
                return Ok(Judged::Excluded);
            }
        }
        let guesses = self.guesses();
        if self.excluded(nodes, end, "increments", vec![guesses; end])? {
            return Ok(Judged::Excluded);
        }
        let text =
            format!("no new predicate for a path that is no run: {}", self.show(nodes).join(" "),);
        Ok(Judged::Stuck(text))
    }

    /// Tracks what a sequence of formulas talks about and goes on from where that
    /// is new; says whether anything is.
    fn excluded(
        &mut self,
        nodes: &[Id<Node>],
        end: usize,
        method: &str,
        sequence: Sequence,
    ) -> Result<bool, Halt> {
        let (Some(pivot), added) = self.learn(nodes, sequence) else { return Ok(false) };
        self.note(nodes, end, method, added);
        self.rebuild(nodes, pivot);
        self.strengthen(nodes[0])?;
        self.statistics.iterations += 1;
        self.tell();
        Ok(true)
    }

    /// Relations that the steps suggest; once.
    fn guesses(&mut self) -> Vec<Term> {
        if std::mem::replace(&mut self.has_guessed, true) {
            return Vec::new();
        }
        let (program, transitions) = (self.bench.program, &self.bench.transitions);
        relations(&mut self.bench.store, program, transitions)
    }

    /// Tracks what a sequence of formulas talks about. Returns the first
    /// position where something is new, and what is new where; variables by
    /// value are new at no location in particular.
    fn learn(
        &mut self,
        nodes: &[Id<Node>],
        sequence: Sequence,
    ) -> (Option<usize>, Vec<(String, Location)>) {
        let (mut pivot, mut added) = (None, Vec::new());
        let mut news = Vec::new();
        for (position, formulas) in sequence.into_iter().enumerate().skip(1) {
            let location = self.graph.nodes[nodes[position]].place.location.clone();
            let mut predicates = Vec::new();
            for formula in formulas {
                predicates.extend(self.predicates(formula));
            }
            for predicate in predicates {
                let symbols = self.bench.store.vars(predicate);
                let variables: Vec<_> = symbols.iter().map(|s| self.slots[s]).collect();
                let by_value = variables.iter().all(|v| self.by_value[v.index()]);
                let mut texts = Vec::new();
                if by_value {
                    for &variable in &variables {
                        if self.precision.track(variable) {
                            news.push(variable);
                            let name = self.bench.program.variables[variable].name.to_string();
                            texts.push((name, [].into()));
                        }
                    }
                }
                // A variable can hold none of its constants.
                let is_new = variables.iter().any(|v| news.contains(v));
                if !is_new && self.precision.add(&location, predicate) {
                    texts.push((self.bench.store.infix(predicate), location.clone()));
                }
                if !texts.is_empty() {
                    pivot = pivot.or(Some(position));
                }
                added.extend(texts);
            }
        }
        (pivot, added)
    }

    /// The predicates of a formula: its atoms. The Cartesian abstraction loses
    /// disjunctions of atoms, so for it they are predicates as a whole.
    fn predicates(&mut self, formula: Term) -> Vec<Term> {
        let mut found = Vec::new();
        for conjunct in conjuncts(&self.bench, formula) {
            if self.bench.store.value(conjunct).is_some() {
                continue;
            }
            let atoms = self.bench.store.atoms(conjunct);
            let whole = self.bench.store.literal(conjunct).0;
            if self.config.abstraction != Abstraction::Boolean || atoms.len() > ATOMS {
                found.push(whole);
            }
            if self.config.abstraction == Abstraction::Implied {
                found.push(conjunct);
            }
            if atoms.len() <= ATOMS {
                found.extend(atoms);
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    fn note(
        &mut self,
        nodes: &[Id<Node>],
        end: usize,
        method: &str,
        added: Vec<(String, Location)>,
    ) {
        let path = (nodes, end, method);
        let round = picture::round(&mut self.names, &self.bench, &self.graph, path, added);
        for text in &round.predicates {
            let why = method.to_owned();
            self.resources.budget.notice(Event::Predicate { text: text.clone(), why });
        }
        self.history.push(Refinement { iteration: self.statistics.iterations, ..round });
    }

    /// The graph as it is.
    pub(crate) fn picture(&mut self, finding: &Finding) -> ReachabilityGraph {
        let path = match finding {
            Finding::Proved(_) => Vec::new(),
            _ => self.spurious.clone().unwrap_or_else(|| self.last_path.clone()),
        };
        let is_run = matches!(finding, Finding::Reached(_));
        let path = if is_run { self.last_path.clone() } else { path };
        let (predicates, kind) = (self.precision.predicates(), self.config.abstraction);
        let subject = Subject { path, is_run, predicates, kind };
        let precision = &self.precision;
        picture::draw(&mut self.bench, &self.graph, &subject, |at| precision.at(at).predicates)
    }

    /// The steps of a path, by name.
    fn show(&self, nodes: &[Id<Node>]) -> Vec<String> {
        let steps = nodes.iter().filter_map(|&n| self.graph.nodes[n].parent);
        steps.map(|(_, t)| self.bench.transitions[t].name.clone()).collect()
    }

    /// Cuts the graph at the pivot and opens it there again.
    fn rebuild(&mut self, nodes: &[Id<Node>], pivot: usize) {
        let freed = if self.config.eager {
            let root = nodes[0];
            for child in self.graph.nodes[root].children.clone() {
                self.graph.remove(child);
            }
            self.graph.nodes[root].expanded = false;
            vec![root]
        } else {
            let (parent, transition) =
                self.graph.nodes[nodes[pivot]].parent.unwrap_or((nodes[0], 0));
            let siblings = self.graph.nodes[parent].children.clone();
            let mut freed = Vec::new();
            for sibling in siblings {
                if self.graph.nodes[sibling].parent == Some((parent, transition)) {
                    freed.extend(self.graph.remove(sibling));
                }
            }
            self.graph.nodes[parent].expanded = false;
            freed.push(parent);
            freed
        };
        self.push_all(freed);
    }
}
