//! The engine contract, on one page.

use parallax_base::{Budget, Id};
use parallax_evidence::Outcome;
use parallax_ir::{Program, Property, PropertyKind};
use parallax_solver::SolverConfig;

/// A program and the property asked of it.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The program.
    pub program: &'a Program,
    /// Which of its properties.
    pub property: Id<Property>,
}

impl<'a> Question<'a> {
    /// The property asked.
    pub fn property(&self) -> &'a Property {
        &self.program.properties[self.property]
    }
}

/// What an engine may use.
#[derive(Clone, Copy)]
pub struct Resources<'a> {
    /// Limits of the run, which every loop asks, and who watches it.
    pub budget: &'a Budget,
    /// How to open a solver.
    pub solver: &'a SolverConfig,
    /// Whether somebody will look at the abstract transition system: then it
    /// is worth deciding which of its steps are exact.
    pub picture: bool,
    /// Whether steps may be left out that others stand for.
    pub reduce: bool,
}

/// A way to answer questions.
///
/// # Soundness
/// An engine's answer is a claim. The `certify` room checks the certificate or
/// replays the trace before anybody is told, so a wrong engine costs an
/// `unknown`, not a wrong verdict.
pub trait Engine: Sync {
    /// Short name, as on the command line.
    fn name(&self) -> &'static str;

    /// One line for `parallax engines`.
    fn summary(&self) -> &'static str;

    /// Whether it works on until it is stopped when it has no answer. Such an
    /// engine is given a share of the time when it is not the only one.
    fn is_endless(&self) -> bool {
        false
    }

    /// Whether it answers questions of a kind. Formulas of linear temporal
    /// logic are about runs, and few engines are.
    fn answers(&self, kind: PropertyKind) -> bool {
        kind != PropertyKind::Ltl
    }

    /// Whether it is asked this question when others are asked as well. It may
    /// leave questions that it could answer to engines that are made for them.
    fn suits(&self, question: Question<'_>) -> bool {
        self.answers(question.property().kind)
    }

    /// Answers the question, or says why not.
    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome;
}
