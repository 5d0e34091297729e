//! Systems of C procedures and what they must conform to: load, check, and
//! check evidence again.
//!
//! A system file asks up to three kinds of questions: does each procedure
//! conform to its own targets, do all procedures together conform to the
//! specification, and is the composition free of deadlock. Each answer is
//! handed out with evidence that the checker accepted: a proof for
//! [`parallax_certify`], or runs of the programs that were replayed.

use crate::Checkers;
use crate::accept::Vouched;
use crate::isolate::isolated;
use crate::lts::LtsError;
use crate::{Invalid, LoadError, read_text};
use parallax_base::{Budget, Diagnostic, Diagnostics, Event, SourceFile, SourceMap, Stop};
use parallax_certify::Claim;
use parallax_conformance::check;
use parallax_engine::{Engine, Question as EngineQuestion, Resources};
use parallax_engine_path::{Bmc, BmcConfig};
use parallax_evidence::{
    ConformanceClaim, ConformanceEvidence, ConformanceFile, ConformanceRefutation, Finding,
    Labelled, write_conformance,
};
use parallax_front_magic::{
    Component, ComponentError, GuardQuestion, Machines, Question, System, read,
};
use parallax_lts::{CeDag, Lts, determinize};
use parallax_report::{MagicFigures, MagicReport};
use parallax_solver::SolverConfig;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

mod extract;
mod sources;
mod story;

pub use extract::Extracted;

pub use parallax_conformance::{
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
    let mut system = match read(file, &text) {
        Ok(system) => system,
        Err(diagnostics) => return Err(invalid(sources, diagnostics)),
    };
    if let Err(diagnostics) = self::sources::expand(&mut system, &folder, &mut sources) {
        return Err(invalid(sources, diagnostics));
    }
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

impl MagicTask {
    /// The files that a system is made of.
    pub fn files(&self) -> Vec<PathBuf> {
        let own = self.sources.files().map(|file| PathBuf::from(file.name()));
        own.chain(self.system.sources.iter().map(|(name, _)| self.folder.join(name))).collect()
    }
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
        budget.notice(Event::Phase("load"));
        let (components, spec) = self.parts(question, traces, budget)?;
        let hidden = self.hidden(question);
        budget.notice(Event::Phase("refine"));
        let config =
            MagicConfig { deadlock: config.deadlock || question.deadlock, ..config.clone() };
        let solver = SolverConfig::default();
        let (outcome, statistics) =
            isolated(|| check(&views(&components), &hidden, &spec, &config, &solver, budget))?;
        let checkers = Checkers::new(solver);
        let (outcome, checked) = match outcome {
            MagicOutcome::Decided(evidence) => {
                budget.notice(Event::Phase("certify"));
                match accept(&components, &hidden, &spec, &evidence, &checkers, budget) {
                    Ok(by) => (MagicOutcome::Decided(evidence), Some(by)),
                    Err(why) => (MagicOutcome::Unknown(format!("evidence rejected: {why}")), None),
                }
            }
            unknown @ MagicOutcome::Unknown(_) => (unknown, None),
        };
        let question = question.clone();
        Ok(MagicAnswer { question, outcome, checked, statistics, specification: spec, components })
    }

    /// Checks the evidence of a file on a question, from scratch: whether it
    /// says that the procedures conform, who accepted that, and how many
    /// queries or steps it took.
    ///
    /// # Errors
    /// When the files are wrong, or the budget ends; `Ok(Err(_))` says why the
    /// evidence is not accepted.
    pub fn certify(
        &mut self,
        question: &MagicQuestion,
        file: &str,
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Result<Certified, String>, LtsError> {
        let found = match ConformanceFile::find(file, &question.name) {
            Ok(found) => found,
            Err(why) => return Ok(Err(why)),
        };
        let traces = found.traces();
        let (components, spec) = self.parts(question, traces, budget)?;
        let hidden = self.hidden(question);
        let evidence = match found.decode(&named(&components)) {
            Ok(evidence) => evidence,
            Err(why) => return Ok(Err(why)),
        };
        let verdict = word(&evidence);
        match &evidence {
            ConformanceEvidence::Conforms(proof) if question.deadlock && !proof.deadlock_free => {
                return Ok(Err("the proof is silent on deadlock".into()));
            }
            ConformanceEvidence::Differs(found) if found.deadlock && !question.deadlock => {
                return Ok(Err("a deadlock was not asked for".into()));
            }
            _ => {}
        }
        let accepted = accept(&components, &hidden, &spec, &evidence, checkers, budget);
        let assumes = sentences(&components);
        Ok(accepted.map(|(by, count)| Certified { verdict, traces, by, count, assumes }))
    }
}

/// What is taken for granted of procedures, each sentence once.
fn sentences(components: &[Component]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for sentence in components.iter().flat_map(|component| &component.assumes) {
        if !found.contains(sentence) {
            found.push(sentence.clone());
        }
    }
    found
}

/// Evidence of a file that was accepted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certified {
    /// `conforms`, `differs` or `deadlock`.
    pub verdict: &'static str,
    /// Whether traces were compared.
    pub traces: bool,
    /// Who accepted it.
    pub by: String,
    /// How many queries or steps that took.
    pub count: u64,
    /// What is taken for granted.
    pub assumes: Vec<String>,
}

impl Certified {
    /// Whether the procedures conform.
    pub fn holds(&self) -> bool {
        self.verdict == CONFORMS
    }
}

const CONFORMS: &str = "conforms";

/// How an answer is called.
fn word(evidence: &ConformanceEvidence) -> &'static str {
    match evidence {
        ConformanceEvidence::Conforms(_) => CONFORMS,
        ConformanceEvidence::Differs(found) if found.deadlock => "deadlock",
        ConformanceEvidence::Differs(_) => "differs",
    }
}

/// The programs with the names of their procedures.
fn named(components: &[Component]) -> Vec<(&str, Labelled<'_>)> {
    components.iter().map(|c| c.name.as_str()).zip(views(components)).collect()
}

fn views(components: &[Component]) -> Vec<Labelled<'_>> {
    components
        .iter()
        .map(|c| Labelled {
            program: &c.program,
            actions: &c.actions,
            alphabet: &c.alphabet,
            waits: &c.waits,
            gaps: &c.gaps,
        })
        .collect()
}

/// Has evidence checked: who accepted it, and how many queries or steps that
/// took.
fn accept(
    components: &[Component],
    hidden: &BTreeSet<String>,
    specification: &Lts,
    evidence: &ConformanceEvidence,
    checkers: &Checkers,
    budget: &Budget,
) -> Result<(String, u64), String> {
    let programs = &views(components);
    let claim = Claim::Conformance { programs, hidden, specification, evidence };
    let Vouched { by, accepted } =
        checkers.accept(&claim, budget).map_err(|(rejected, _)| rejected.to_string())?;
    Ok(match evidence {
        ConformanceEvidence::Conforms(_) if by.is_empty() => ("simplification".to_owned(), 0),
        ConformanceEvidence::Conforms(_) => (by.join(", "), accepted.queries),
        ConformanceEvidence::Differs(_) => ("interpreter".to_owned(), accepted.evaluated),
    })
}

/// Whether the program of a question about conditions cannot fail, nor come to
/// what is not modelled: all its properties are proved.
fn holds(question: &GuardQuestion, budget: &Budget) -> Result<bool, Stop> {
    let program = &question.program;
    let solver = SolverConfig::default();
    let engine = Bmc { config: BmcConfig::default() };
    for (property, _) in program.properties.iter_enumerated() {
        let asked = EngineQuestion { program, property };
        let resources = Resources { budget, solver: &solver, picture: false, reduce: true };
        let outcome = isolated(|| engine.run(asked, resources));
        let judged = Checkers::default().judge(program, property, outcome.finding, budget);
        budget.check()?;
        if !matches!(judged.finding, Finding::Proved(_)) {
            return Ok(false);
        }
    }
    Ok(true)
}

/// The evidence of some answers as text, for [`MagicTask::certify`].
///
/// # Errors
/// When it cannot be written down.
pub fn write_proofs(answers: &[&MagicAnswer], traces: bool) -> Result<String, String> {
    let named: Vec<_> = answers.iter().map(|answer| named(&answer.components)).collect();
    let claims = answers.iter().zip(&named).filter_map(|(answer, programs)| {
        let MagicOutcome::Decided(evidence) = &answer.outcome else { return None };
        let question = &answer.question.name;
        Some(ConformanceClaim { question, traces, programs, evidence })
    });
    write_conformance(&claims.collect::<Vec<_>>()).map_err(|error| error.to_string())
}

impl MagicAnswer {
    /// Everything, for the renderers.
    pub fn report(&self) -> MagicReport<'_> {
        let s = &self.statistics;
        let (verdict, why) = match &self.outcome {
            MagicOutcome::Decided(evidence) => (word(evidence), None),
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
            notes: self.notes(),
            assumes: self.assumes(),
            figures,
        }
    }

    /// What a decided answer takes for granted.
    fn assumes(&self) -> Vec<String> {
        if matches!(self.outcome, MagicOutcome::Unknown(_)) {
            return Vec::new();
        }
        sentences(&self.components)
    }

    /// The graph of a counterexample and the system it is about.
    pub fn counterexample(&self) -> Option<(&CeDag, &Lts)> {
        let refutation = self.refutation()?;
        Some((&refutation.dag, &refutation.composed))
    }

    fn refutation(&self) -> Option<&ConformanceRefutation> {
        match &self.outcome {
            MagicOutcome::Decided(ConformanceEvidence::Differs(refutation)) => Some(refutation),
            _ => None,
        }
    }
}
