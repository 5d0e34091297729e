//! Systems from texts, checked, and their proofs checked again.

#![allow(dead_code, reason = "each test file uses a part of this")]
#![expect(clippy::panic, reason = "a system that cannot be read fails the test")]

use parallax_base::{Budget, FileId, SourceFile, SourceMap};
use parallax_certify::{check_conformance, check_refutation};
use parallax_conformance::{Config, Outcome, Statistics, check};
use parallax_evidence::{ConformanceEvidence, Labelled};
use parallax_front_magic::{Component, ComponentError, Machines, Question, System, read};
use parallax_lts::Lts;
use parallax_solver::{Solver, SolverConfig, Z3};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// A system in a folder of its own.
pub(crate) struct Bench {
    pub(crate) system: System,
    pub(crate) machines: Machines,
    pub(crate) sources: SourceMap,
    folder: PathBuf,
}

impl Drop for Bench {
    fn drop(&mut self) {
        // A folder that stays behind does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

impl Bench {
    /// `c` is the text of `program.c`.
    pub(crate) fn new(name: &str, c: &str, system: &str) -> Bench {
        let folder =
            std::env::temp_dir().join(format!("parallax-magic-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("program.c"), c).expect("a file");
        let mut sources = SourceMap::default();
        let file = sources.add(SourceFile::new("system.magic", system));
        let system = read(file, system)
            .unwrap_or_else(|d| panic!("{:?}", d.iter().map(|d| &d.message).collect::<Vec<_>>()));
        let mut machines = Machines::default();
        for (text, _) in &system.fsp_texts {
            machines.add(FileId(0), text).unwrap_or_else(|d| {
                panic!("{:?}", d.iter().map(|d| &d.message).collect::<Vec<_>>())
            });
        }
        Bench { system, machines, sources, folder }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(crate) fn component(&mut self, procedure: usize, question: Question) -> Component {
        let budget = Budget::unlimited();
        let procedure = &self.system.procedures[procedure];
        let made = self.system.component(
            procedure,
            question,
            &self.folder,
            &mut self.machines,
            &self.sources,
            &budget,
        );
        match made {
            Ok(component) => component,
            Err(ComponentError::Invalid(sources, diagnostics)) => {
                let all: Vec<String> = diagnostics
                    .iter()
                    .map(|d| {
                        let place = d.labels.first().map(|l| sources.place(l.span));
                        format!("{place:?} {} {}", d.code, d.message)
                    })
                    .collect();
                panic!("{all:#?}")
            }
            Err(other) => panic!("{other:?}"),
        }
    }

    pub(crate) fn machine(&mut self, name: &str) -> Lts {
        match self.machines.get(name, &Budget::unlimited()) {
            Some(Ok(lts)) => lts,
            _ => panic!("no machine {name}"),
        }
    }

    /// Checks the first procedure against one of its targets.
    pub(crate) fn target(&mut self, index: usize, config: &Config) -> (Outcome, Statistics) {
        let name = self.system.procedures[0].targets[index].machine.clone();
        let spec = self.machine(&name);
        let component = self.component(0, Question::Target(index));
        decide(&[component], &BTreeSet::new(), &spec, config)
    }

    /// Checks all procedures together.
    pub(crate) fn together(&mut self, config: &Config) -> (Outcome, Statistics) {
        let name = self.system.specification.clone().expect("a specification").0;
        let spec = self.machine(&name);
        let components: Vec<Component> = (0..self.system.procedures.len())
            .map(|index| self.component(index, Question::Composition))
            .collect();
        let hidden = self.system.hidden.iter().cloned().collect();
        decide(&components, &hidden, &spec, config)
    }
}

pub(crate) fn views(components: &[Component]) -> Vec<Labelled<'_>> {
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

/// Decides and checks the proof.
pub(crate) fn decide(
    components: &[Component],
    hidden: &BTreeSet<String>,
    spec: &Lts,
    config: &Config,
) -> (Outcome, Statistics) {
    let budget = Budget::unlimited();
    let views = views(components);
    let solver = SolverConfig::default();
    let (outcome, statistics) =
        check(&views, hidden, spec, config, &solver, &budget).expect("no limit");
    if let Outcome::Decided(evidence) = &outcome {
        let accepted = match evidence {
            ConformanceEvidence::Conforms(proof) => {
                check_conformance(&views, hidden, spec, proof, &mut solvers(&views), &budget)
            }
            ConformanceEvidence::Differs(found) => {
                check_refutation(&views, hidden, spec, found, &budget)
            }
        };
        accepted.unwrap_or_else(|rejected| panic!("{rejected}"));
    }
    (outcome, statistics)
}

/// A solver for each program.
pub(crate) fn solvers(programs: &[Labelled<'_>]) -> Vec<Box<dyn Solver>> {
    programs.iter().map(|_| Box::new(Z3::new()) as Box<dyn Solver>).collect()
}

/// Every action of a refutation, silent steps left out.
pub(crate) fn actions(outcome: &Outcome) -> Vec<String> {
    let Outcome::Decided(ConformanceEvidence::Differs(refutation)) = outcome else {
        return Vec::new();
    };
    let all = refutation.dag.nodes.iter().map(|n| refutation.composed.label(n.action));
    all.filter(|label| *label != "tau").map(str::to_owned).collect()
}
