//! What can be claimed, and the one door through which a claim becomes a verdict.

use crate::optima::{check_front, check_lexicographic};
use crate::{
    Accepted, Rejected, check, check_bounds, check_composition, check_conformance, check_execution,
    check_failing, check_refutation, check_system, recurrence, replay,
};
use parallax_base::{Budget, Id};
use parallax_cfa::CProperty;
use parallax_cfa::run::{Outcome, Script};
use parallax_evidence::{
    Bounds, Certificate, CompositionEvidence, CompositionQuestion, ConformanceEvidence, Front,
    Labelled, SystemEvidence, SystemQuestion, Trace,
};
use parallax_ir::{Program, Property, TemplateProblem};
use parallax_lts::{Lts, Parallel};
use parallax_solver::{Solver, SolverError};
use std::collections::BTreeSet;

/// Something that is said to be so, with the evidence for it.
#[derive(Clone, Debug)]
pub enum Claim<'a> {
    /// No run reaches the target of a property, or every run satisfies its
    /// formula.
    Proved {
        /// The program.
        program: &'a Program,
        /// The property.
        property: Id<Property>,
        /// Why.
        certificate: &'a Certificate,
    },
    /// A run reaches the target of a property, or breaks its formula.
    Reached {
        /// The program.
        program: &'a Program,
        /// The property.
        property: Id<Property>,
        /// The run.
        trace: &'a Trace,
    },
    /// Programs together conform to a specification, or do not.
    Conformance {
        /// The programs.
        programs: &'a [Labelled<'a>],
        /// Actions that are silent.
        hidden: &'a BTreeSet<String>,
        /// The specification.
        specification: &'a Lts,
        /// Which, and why.
        evidence: &'a ConformanceEvidence,
    },
    /// A labelled transition system has a property, or has not.
    System {
        /// The system.
        lts: &'a Lts,
        /// What is asked.
        question: SystemQuestion<'a>,
        /// The answer, and why.
        evidence: &'a SystemEvidence,
    },
    /// Systems side by side have a property, or have not.
    Composition {
        /// The systems.
        parallel: &'a Parallel<'a>,
        /// What is asked.
        question: CompositionQuestion<'a>,
        /// The answer, and why.
        evidence: &'a CompositionEvidence,
    },
    /// Templates have these bounds over the models of a formula.
    Bounded {
        /// The formula and the templates.
        problem: &'a TemplateProblem,
        /// The bounds, and why.
        bounds: &'a Bounds,
    },
    /// Objectives have these bounds, each where those before it are best.
    Lexicographic {
        /// The formula and the objectives, the most important first.
        problem: &'a TemplateProblem,
        /// The bounds of each, and why.
        stages: &'a [Bounds],
    },
    /// Models are a Pareto front, or belong to it.
    Pareto {
        /// The formula and the objectives.
        problem: &'a TemplateProblem,
        /// The models.
        front: &'a Front,
    },
    /// A run of a C program breaks a property.
    Executed {
        /// The program.
        program: &'a parallax_cfa::Program,
        /// The property.
        property: &'a CProperty,
        /// What the environment chose.
        script: &'a Script,
    },
    /// A C program without inputs fails.
    Fails {
        /// The program.
        program: &'a parallax_cfa::Program,
        /// How it may end besides doing what is wrong.
        limit: Option<Outcome>,
        /// Whether it may also end with memory that nothing leads to.
        leaks: bool,
    },
}

/// Accepts the claim if its evidence shows it.
///
/// # Soundness
/// `open` opens a fresh solver with nothing asserted; it is asked only for
/// claims that need one.
///
/// # Errors
/// Why the claim is not accepted: nothing is known then.
pub fn judge(
    claim: &Claim<'_>,
    open: &mut dyn FnMut() -> Result<Box<dyn Solver>, SolverError>,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let mut solver = || open().map_err(|error| Rejected::SolverFailed(error.to_string()));
    match *claim {
        Claim::Proved { program, property, certificate } => {
            check(program, property, certificate, &mut *solver()?, budget)
        }
        Claim::Reached { program, property, trace } => match replay(program, property, trace) {
            Err(Rejected::NoSolver) => {
                recurrence::check(program, property, trace, &mut *solver()?, budget)
            }
            decided => decided,
        },
        Claim::Conformance { programs, hidden, specification, evidence } => match evidence {
            ConformanceEvidence::Conforms(proof) => {
                let mut solvers =
                    programs.iter().map(|_| solver()).collect::<Result<Vec<_>, _>>()?;
                check_conformance(programs, hidden, specification, proof, &mut solvers, budget)
            }
            ConformanceEvidence::Differs(refutation) => {
                check_refutation(programs, hidden, specification, refutation, budget)
            }
        },
        Claim::System { lts, question, evidence } => check_system(lts, question, evidence, budget),
        Claim::Composition { parallel, question, evidence } => {
            check_composition(parallel, question, evidence, budget)
        }
        Claim::Bounded { problem, bounds } => match check_bounds(problem, bounds, None, budget) {
            Err(Rejected::NoSolver) => check_bounds(problem, bounds, Some(&mut *solver()?), budget),
            decided => decided,
        },
        Claim::Lexicographic { problem, stages } => {
            check_lexicographic(problem, stages, &mut solver, budget)
        }
        Claim::Pareto { problem, front } => check_front(problem, front, &mut solver, budget),
        Claim::Executed { program, property, script } => check_execution(program, property, script),
        Claim::Fails { program, ref limit, leaks } => check_failing(program, limit.clone(), leaks),
    }
}
