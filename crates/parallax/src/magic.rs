//! Systems of C procedures and what they must conform to: load, check, and
//! check evidence again.
//!
//! A system file asks up to three kinds of questions: does each procedure
//! conform to its own targets, do all procedures together conform to the
//! specification, and is the composition free of deadlock. Each answer is
//! handed out with evidence that the checker accepted: a proof for
//! [`parallax_certify::check_conformance`], or runs of the programs that were
//! replayed.

use crate::Checkers;
use crate::isolate::isolated;
use crate::load::{Invalid, LoadError, read_text};
use crate::lts::LtsError;
use parallax_base::{Budget, Diagnostic, Diagnostics, Id, SourceFile, SourceMap, Stop};
use parallax_certify::check_conformance;
use parallax_engine_magic::{Refutation, check};
use parallax_evidence::{ConformanceProof, Cover, Labelled};
use parallax_front_magic::{
    Component, ComponentError, GuardQuestion, Machines, Question, System, read,
};
use parallax_ir::{Interpreter, State};
use parallax_lts::{Lts, determinize, read_aut, write_aut};
use parallax_report::{MagicFigures, MagicReport};
use parallax_simulate::CeDag;
use parallax_solver::{Answer, Solver, SolverConfig};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub use parallax_engine_magic::{
    Config as MagicConfig, Outcome as MagicOutcome, Statistics as MagicStatistics,
};

/// A system that was read.
#[derive(Debug)]
pub struct MagicTask {
    system: System,
    machines: Machines,
    /// The system file and the files with transition systems.
    pub sources: SourceMap,
    folder: PathBuf,
}

/// A question of a system.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MagicQuestion {
    /// How it is called: `procedure against MACHINE`.
    pub name: String,
    procedures: Vec<usize>,
    target: Option<usize>,
    specification: String,
    deadlock: bool,
}

/// The answer to a question.
#[derive(Debug)]
pub struct MagicAnswer {
    /// The question.
    pub question: MagicQuestion,
    /// The answer, with evidence that was accepted.
    pub outcome: MagicOutcome,
    /// Who accepted it, and how many queries that took.
    pub checked: Option<(String, u64)>,
    /// What the search cost.
    pub statistics: MagicStatistics,
    /// The specification, as it was compared.
    pub specification: Lts,
    /// The programs.
    pub components: Vec<Component>,
}

/// Reads a system file and the transition systems it names.
///
/// # Errors
/// When a file cannot be read or is wrong.
pub fn load_magic(path: &Path) -> Result<MagicTask, LtsError> {
    let text = read_text(path)?;
    let folder = path.parent().map(Path::to_owned).unwrap_or_default();
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new(path.display().to_string(), text.as_str()));
    let system = match read(file, &text) {
        Ok(system) => system,
        Err(diagnostics) => return Err(invalid(sources, diagnostics)),
    };
    let mut machines = Machines::default();
    for (name, _) in &system.fsp_files {
        let path = folder.join(name);
        let text = read_text(&path)?;
        let file = sources.add(SourceFile::new(path.display().to_string(), text.as_str()));
        if let Err(diagnostics) = machines.add(file, &text) {
            return Err(invalid(sources, diagnostics));
        }
    }
    for (inner, span) in &system.fsp_texts {
        // The rest of the file is blanked out, so that places stay right.
        let blank = |text: &str| -> String {
            text.chars()
                .map(|c| if c == '\n' { "\n".into() } else { " ".repeat(c.len_utf8()) })
                .collect()
        };
        let before = blank(&text[..span.range().start]);
        if let Err(diagnostics) = machines.add(file, &format!("{before}{inner}")) {
            return Err(invalid(sources, diagnostics));
        }
    }
    Ok(MagicTask { system, machines, sources, folder })
}

fn invalid(sources: SourceMap, diagnostics: Diagnostics) -> LtsError {
    LtsError::Load(LoadError::Invalid(Box::new(Invalid { sources, diagnostics })))
}

fn failed(error: ComponentError) -> LtsError {
    match error {
        ComponentError::Invalid(sources, diagnostics) => invalid(*sources, diagnostics),
        ComponentError::Stopped(stop) => LtsError::Stopped(stop),
        ComponentError::NotEncoded(why) => {
            let mut diagnostics = Diagnostics::default();
            let message = format!("the program cannot be turned into terms: {why}");
            let error = Diagnostic::error("F0034", parallax_base::Span::default(), message);
            diagnostics.push(Diagnostic { labels: Vec::new(), ..error });
            invalid(SourceMap::default(), diagnostics)
        }
    }
}

impl MagicTask {
    /// The name of the system.
    pub fn name(&self) -> &str {
        &self.system.name
    }

    /// All questions, in the order of the file.
    pub fn questions(&self) -> Vec<MagicQuestion> {
        let mut all = Vec::new();
        for (index, procedure) in self.system.procedures.iter().enumerate() {
            for (number, target) in procedure.targets.iter().enumerate() {
                all.push(MagicQuestion {
                    name: format!("{} against {}", procedure.signature.name, target.machine),
                    procedures: vec![index],
                    target: Some(number),
                    specification: target.machine.clone(),
                    deadlock: false,
                });
            }
        }
        if let Some((name, _)) = &self.system.specification {
            let names: Vec<&str> =
                self.system.procedures.iter().map(|p| p.signature.name.as_str()).collect();
            all.push(MagicQuestion {
                name: format!("{} against {name}", names.join(" || ")),
                procedures: (0..names.len()).collect(),
                target: None,
                specification: name.clone(),
                deadlock: self.system.deadlock,
            });
        }
        all
    }

    /// Whether all conditions exclude each other and cover everything.
    ///
    /// # Errors
    /// Those that do not, or what is wrong with them.
    pub fn check_conditions(&mut self, budget: &Budget) -> Result<(), LtsError> {
        let questions = self
            .system
            .guard_questions(&self.folder, &mut self.machines, &self.sources, budget)
            .map_err(failed)?;
        for question in questions {
            if !holds(&question, budget)? {
                let mut diagnostics = Diagnostics::default();
                diagnostics.push(Diagnostic::error("F0033", question.span, question.message));
                return Err(invalid(self.sources.clone(), diagnostics));
            }
        }
        Ok(())
    }

    /// The programs and the specification of a question.
    fn parts(
        &mut self,
        question: &MagicQuestion,
        traces: bool,
        budget: &Budget,
    ) -> Result<(Vec<Component>, Lts), LtsError> {
        let kind = question.target.map_or(Question::Composition, Question::Target);
        let mut components = Vec::new();
        for &index in &question.procedures {
            let procedure = &self.system.procedures[index];
            let component = self
                .system
                .component(procedure, kind, &self.folder, &mut self.machines, &self.sources, budget)
                .map_err(failed)?;
            components.push(component);
        }
        let span = parallax_base::Span::default();
        let name = &question.specification;
        let spec = self.system.machine(&mut self.machines, name, span, &self.sources, budget);
        let spec = spec.map_err(failed)?;
        let spec = if traces { determinize(&spec, budget)? } else { spec };
        Ok((components, spec))
    }

    fn hidden(&self, question: &MagicQuestion) -> BTreeSet<String> {
        match question.target {
            Some(_) => BTreeSet::new(),
            None => self.system.hidden.iter().cloned().collect(),
        }
    }

    /// Answers a question. Evidence that is not accepted makes the answer
    /// unknown.
    ///
    /// # Errors
    /// When the files are wrong, or the budget ends.
    pub fn answer(
        &mut self,
        question: &MagicQuestion,
        config: &MagicConfig,
        traces: bool,
        budget: &Budget,
    ) -> Result<MagicAnswer, LtsError> {
        let (components, spec) = self.parts(question, traces, budget)?;
        let hidden = self.hidden(question);
        let config =
            MagicConfig { deadlock: config.deadlock || question.deadlock, ..config.clone() };
        let solver = SolverConfig::default();
        let (outcome, statistics) =
            isolated(|| check(&views(&components), &hidden, &spec, &config, &solver, budget))?;
        let (outcome, checked) = match outcome {
            MagicOutcome::Conforms(proof) => {
                match accept(&components, &hidden, &spec, &proof, &solver, budget) {
                    Ok(by) => (MagicOutcome::Conforms(proof), Some(by)),
                    Err(why) => {
                        (MagicOutcome::Unknown(format!("certificate rejected: {why}")), None)
                    }
                }
            }
            MagicOutcome::Differs(refutation) => match replay(&components, &refutation) {
                Ok(steps) => {
                    (MagicOutcome::Differs(refutation), Some(("interpreter".into(), steps)))
                }
                Err(why) => {
                    (MagicOutcome::Unknown(format!("counterexample rejected: {why}")), None)
                }
            },
            other => (other, None),
        };
        let question = question.clone();
        Ok(MagicAnswer { question, outcome, checked, statistics, specification: spec, components })
    }

    /// Checks a proof from a file, from scratch.
    ///
    /// # Errors
    /// When the files are wrong, or the budget ends; `Ok(Err(_))` says why the
    /// proof is not accepted.
    pub fn certify(
        &mut self,
        question: &MagicQuestion,
        proof: &str,
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Result<(String, u64), String>, LtsError> {
        let header = match FileProof::parse(proof, &question.name) {
            Ok(header) => header,
            Err(why) => return Ok(Err(why)),
        };
        let (components, spec) = self.parts(question, header.traces, budget)?;
        let hidden = self.hidden(question);
        let proof = match header.decode(&components, question.deadlock) {
            Ok(proof) => proof,
            Err(why) => return Ok(Err(why)),
        };
        let (mut names, mut queries) = (Vec::new(), 0);
        for config in checkers.solvers() {
            match accept(&components, &hidden, &spec, &proof, config, budget) {
                Ok((name, asked)) => {
                    names.push(name);
                    queries += asked;
                }
                Err(why) => return Ok(Err(why)),
            }
        }
        Ok(Ok((names.join(", "), queries)))
    }
}

fn views(components: &[Component]) -> Vec<Labelled<'_>> {
    components
        .iter()
        .map(|c| Labelled {
            program: &c.program,
            actions: &c.actions,
            alphabet: &c.alphabet,
            waits: &c.waits,
        })
        .collect()
}

/// Asks the checker, with fresh solvers.
fn accept(
    components: &[Component],
    hidden: &BTreeSet<String>,
    spec: &Lts,
    proof: &ConformanceProof,
    config: &SolverConfig,
    budget: &Budget,
) -> Result<(String, u64), String> {
    isolated(|| {
        // One for each program, and none besides.
        let ready = components.iter().map(|_| config.open()).collect::<Result<Vec<_>, _>>();
        let mut ready = ready.map_err(|error| error.to_string())?;
        let name = ready.first().map_or_else(String::new, |solver| solver.name().to_owned());
        let mut open = || -> Box<dyn Solver> {
            ready.pop().unwrap_or_else(|| Box::new(parallax_solver::Z3::new()))
        };
        match check_conformance(&views(components), hidden, spec, proof, &mut open, budget) {
            Ok(accepted) => Ok((name, accepted.queries)),
            Err(rejected) => Err(rejected.to_string()),
        }
    })
}

/// Whether the program of a question about conditions cannot fail.
fn holds(question: &GuardQuestion, budget: &Budget) -> Result<bool, Stop> {
    isolated(|| {
        let program = &question.program;
        let mut store = program.store.clone();
        let initial = program.initial_formula(&mut store);
        let mut solver = parallax_solver::Z3::new();
        for process in &program.processes {
            for edge in &process.edges {
                if !process.locations[edge.target].name.starts_with("violated ") {
                    continue;
                }
                let within = parallax_ir::bounds(&mut store, &edge.inputs);
                let formula = store.and([initial, edge.guard, within, edge.constraint]);
                solver.push();
                solver.assert(&store, formula);
                let answer = solver.check(&store, &[], budget);
                solver.pop();
                if answer? != Answer::Unsat {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    })
}

/// Runs every program of a counterexample on the interpreter: each run is
/// possible, and its actions are those of the graph.
fn replay(components: &[Component], refutation: &Refutation) -> Result<u64, String> {
    let mut steps = 0;
    let paths = refutation.dag.paths(usize::MAX);
    if paths.len() != refutation.runs.len() {
        return Err("a path without its runs".into());
    }
    for (path, runs) in paths.iter().zip(&refutation.runs) {
        for (component, run) in components.iter().zip(runs) {
            let mut interpreter = Interpreter::new(&component.program);
            let mut state = State::new(run.initial.clone());
            if !interpreter.is_initial(&state) {
                return Err(format!("{} does not start there", component.name));
            }
            let mut done: Vec<&str> = Vec::new();
            for step in &run.steps {
                let next = interpreter.step(&state, step.edge, &step.inputs);
                state =
                    next.ok_or_else(|| format!("a step of {} is not possible", component.name))?;
                done.extend(component.actions[step.edge].as_deref());
                steps += 1;
            }
            let asked =
                path.iter().map(|&n| refutation.composed.label(refutation.dag.nodes[n].action));
            let asked: Vec<&str> = asked.filter(|l| component.alphabet.contains(*l)).collect();
            let done: Vec<&str> = done
                .into_iter()
                .filter(|label| asked.contains(label) || !is_hidden(refutation, label))
                .collect();
            if done != asked {
                return Err(format!("{} does something else", component.name));
            }
        }
    }
    Ok(steps)
}

/// Whether no node of the graph is about an action, because it is silent.
fn is_hidden(refutation: &Refutation, label: &str) -> bool {
    let shown = |n: &parallax_simulate::CeNode| refutation.composed.label(n.action) == label;
    !refutation.dag.nodes.iter().any(shown)
}

/// A proof as JSON.
#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct FileProof {
    schema: String,
    question: String,
    traces: bool,
    deadlock_free: bool,
    covers: Vec<FileCover>,
    relation: Vec<(Vec<u32>, u32)>,
}

#[derive(serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct FileCover {
    procedure: String,
    /// The covering system in the Aldebaran format.
    system: String,
    /// Location, state and formula.
    formulas: Vec<(String, u32, String)>,
}

const SCHEMA: &str = "parallax-conformance/1";

impl FileProof {
    fn parse(text: &str, question: &str) -> Result<FileProof, String> {
        let all: Vec<FileProof> =
            serde_json::from_str(text).map_err(|error| format!("damaged file: {error}"))?;
        let found = all.into_iter().find(|p| p.schema == SCHEMA && p.question == question);
        found.ok_or_else(|| format!("the file has no proof of `{question}`"))
    }

    fn decode(self, components: &[Component], deadlock: bool) -> Result<ConformanceProof, String> {
        if deadlock && !self.deadlock_free {
            return Err("the proof is silent on deadlock".into());
        }
        if self.covers.len() != components.len() {
            return Err("one cover for each procedure is needed".into());
        }
        let mut covers = Vec::new();
        for (cover, component) in self.covers.into_iter().zip(components) {
            if cover.procedure != component.name {
                return Err(format!("`{}` is not `{}`", cover.procedure, component.name));
            }
            let abstraction =
                read_aut(&cover.procedure, &cover.system).map_err(|error| error.to_string())?;
            let mut store = component.program.store.clone();
            let program = &component.program;
            let Some(process) = program.processes.iter().next() else {
                return Err("a program without a process".into());
            };
            let mut formulas = Vec::new();
            for (location, state, text) in cover.formulas {
                let known = process.locations.iter_enumerated().find(|(_, l)| *l.name == *location);
                let (id, _) = known.ok_or_else(|| format!("there is no location `{location}`"))?;
                let scope = |name: &str| {
                    program.variables.iter().find(|v| *v.name == *name).map(|v| v.term)
                };
                let formula = store.read_smtlib_term(&text, &scope);
                formulas.push((id, state, formula.map_err(|error| error.to_string())?));
            }
            covers.push(Cover { abstraction, store, formulas });
        }
        let relation = self.relation;
        Ok(ConformanceProof { covers, relation, deadlock_free: self.deadlock_free })
    }
}

/// The proofs of some answers as text, for [`MagicTask::certify`].
///
/// # Errors
/// When a proof cannot be written down.
pub fn write_proofs(answers: &[&MagicAnswer], traces: bool) -> Result<String, String> {
    let mut all = Vec::new();
    for answer in answers {
        let MagicOutcome::Conforms(proof) = &answer.outcome else { continue };
        let covers = proof.covers.iter().zip(&answer.components).map(|(cover, component)| {
            let process = component.program.processes.iter().next();
            let location = |id: Id<parallax_ir::Location>| {
                process.map_or_else(String::new, |p| p.locations[id].name.to_string())
            };
            let formulas = cover.formulas.iter();
            let formulas = formulas
                .map(|&(id, state, formula)| (location(id), state, cover.store.smtlib(formula)));
            FileCover {
                procedure: component.name.clone(),
                system: write_aut(&cover.abstraction),
                formulas: formulas.collect(),
            }
        });
        all.push(FileProof {
            schema: SCHEMA.to_owned(),
            question: answer.question.name.clone(),
            traces,
            deadlock_free: proof.deadlock_free,
            covers: covers.collect(),
            relation: proof.relation.clone(),
        });
    }
    serde_json::to_string(&all).map_err(|error| error.to_string())
}

impl MagicAnswer {
    /// Everything, for the renderers.
    pub fn report(&self) -> MagicReport<'_> {
        let s = &self.statistics;
        let (verdict, why) = match &self.outcome {
            MagicOutcome::Conforms(_) => ("conforms", None),
            MagicOutcome::Differs(r) if r.deadlock => ("deadlock", None),
            MagicOutcome::Differs(_) => ("differs", None),
            MagicOutcome::Unknown(why) => ("unknown", Some(why.clone())),
        };
        let figures = MagicFigures {
            rounds: s.rounds.len(),
            splits: s.splits,
            refinements: s.refinements,
            predicates: s.predicates.clone(),
            candidates: s.candidates.clone(),
            systems: s.systems.clone(),
            joined: s.joined.clone(),
            largest: s.largest,
            direct: s.direct,
            queries: s.queries,
            texts: s.predicate_texts.clone(),
            history: s.rounds.iter().map(|round| round.refined.clone()).collect(),
        };
        MagicReport {
            name: self.question.name.clone(),
            verdict,
            why,
            checked: self.checked.clone(),
            counterexample: self.counterexample().map(|(dag, lts)| (dag, lts, &self.specification)),
            story: self.story(),
            figures,
        }
    }

    /// The graph of a counterexample and the system it is about.
    pub fn counterexample(&self) -> Option<(&CeDag, &Lts)> {
        match &self.outcome {
            MagicOutcome::Differs(refutation) => Some((&refutation.dag, &refutation.composed)),
            _ => None,
        }
    }

    /// What each procedure does in a counterexample, line by line: actions and
    /// the places in the source they come from.
    pub fn story(&self) -> Vec<(String, Vec<String>)> {
        let MagicOutcome::Differs(refutation) = &self.outcome else { return Vec::new() };
        let Some(runs) = refutation.runs.first() else { return Vec::new() };
        let story = |(component, run): (&Component, &parallax_engine_magic::Run)| {
            let edges = component.program.processes.iter().flat_map(|p| p.edges.iter());
            let edges: Vec<_> = edges.collect();
            // The last place in a file of the user: actions themselves come
            // from generated text.
            let mut place = String::new();
            let mut line = |step: &parallax_engine_magic::RunStep| {
                let edge = edges.get(step.edge)?;
                let here = component.sources.place(edge.span);
                if !here.contains(".driver.c:") && !here.starts_with('<') {
                    place = here;
                }
                let action = component.actions[step.edge].as_deref()?;
                let after = if place.is_empty() { "" } else { "  after " };
                Some(format!("{action}{after}{place}"))
            };
            (component.name.clone(), run.steps.iter().filter_map(&mut line).collect())
        };
        self.components.iter().zip(runs).map(story).collect()
    }
}
