//! The only way from a finding to a verdict: the checker accepts it, or the
//! question is open.

use crate::CheckError;
use crate::isolate::isolated;
use parallax_base::{Budget, Id};
use parallax_certify::Claim;
use parallax_evidence::{Certificate, CertificateKind, Finding, Why};
use parallax_ir::{Program, Property};
use parallax_solver::{Backend, SolverConfig, find_second_solver};

/// Who checks evidence: one solver, or two that must both accept.
#[derive(Clone, Debug)]
pub struct Checkers {
    solvers: Vec<SolverConfig>,
}

impl Default for Checkers {
    fn default() -> Checkers {
        Checkers::new(SolverConfig::default())
    }
}

pub(crate) use parallax_certify::{Accepted, Rejected};

/// A claim that was accepted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Vouched {
    /// The solvers that had a say.
    pub(crate) by: Vec<String>,
    /// What it took, all together.
    pub(crate) accepted: Accepted,
}

/// A finding after the checkers have seen it.
pub(crate) struct Judged {
    /// As found, or `Unknown` if it was not accepted.
    pub(crate) finding: Finding,
    /// Who accepted it.
    pub(crate) by: Vec<String>,
    /// Questions put to solvers on the way.
    pub(crate) queries: u64,
}

impl Checkers {
    /// Evidence is checked with this solver, opened afresh each time.
    pub fn new(solver: SolverConfig) -> Checkers {
        Checkers { solvers: vec![solver] }
    }

    /// A second, unrelated solver has to accept as well.
    ///
    /// Fails if there is none on this machine.
    pub fn and_second(mut self) -> Result<Checkers, CheckError> {
        let command = find_second_solver().ok_or(CheckError::NoSecondSolver)?;
        let record = self.solvers.first().and_then(|s| s.record.clone());
        self.solvers.push(SolverConfig { backend: Backend::Pipe(command), record });
        Ok(self)
    }

    /// Has a claim judged, in a thread of its own.
    ///
    /// # Soundness
    /// The checkers see the claim and nothing else. Their solvers are new and
    /// share nothing with the search.
    ///
    /// # Errors
    /// Why it was not accepted, with the name of the solver if it is the second.
    pub(crate) fn accept(
        &self,
        claim: &Claim<'_>,
        budget: &Budget,
    ) -> Result<Vouched, (Rejected, Option<String>)> {
        isolated(|| {
            let mut vouched = Vouched::default();
            for (nth, config) in self.solvers.iter().enumerate() {
                let mut name = None;
                let mut open = || {
                    let solver = config.open()?;
                    name = Some(solver.name().to_owned());
                    Ok(solver)
                };
                match parallax_certify::judge(claim, &mut open, budget) {
                    Ok(accepted) => {
                        vouched.accepted.evaluated += accepted.evaluated;
                        vouched.accepted.steps += accepted.steps;
                        vouched.accepted.queries += accepted.queries;
                        // No solver had a say: states were run, formulas fell
                        // together. A second one has nothing to add.
                        if accepted.queries == 0 {
                            break;
                        }
                        vouched.by.extend(name);
                    }
                    Err(rejected) => return Err((rejected, name.filter(|_| nth > 0))),
                }
            }
            Ok(vouched)
        })
    }

    /// How many have to accept.
    pub(crate) fn count(&self) -> usize {
        self.solvers.len()
    }

    /// The second solver alone, if there is one.
    pub(crate) fn second(&self) -> Option<Checkers> {
        let second = self.solvers.get(1)?;
        Some(Checkers { solvers: vec![second.clone()] })
    }

    /// Looks at the evidence of a finding, if it has any.
    ///
    /// # Soundness
    /// The program is the one that the front end made.
    pub(crate) fn judge(
        &self,
        program: &Program,
        property: Id<Property>,
        finding: Finding,
        budget: &Budget,
    ) -> Judged {
        let claim = match &finding {
            // A run by its inputs is repeated by who has the source.
            Finding::Unknown(_) | Finding::Executed(_) => {
                return Judged { finding, by: Vec::new(), queries: 0 };
            }
            Finding::Reached(trace) => Claim::Reached { program, property, trace },
            Finding::Proved(certificate) => Claim::Proved { program, property, certificate },
        };
        match self.accept(&claim, budget) {
            Ok(Vouched { mut by, accepted }) => {
                if accepted.queries == 0 {
                    let evaluated = match &finding {
                        Finding::Proved(certificate) => has_only_points(certificate),
                        _ => true,
                    };
                    by.push(String::from(if evaluated { EVALUATION } else { SIMPLIFICATION }));
                    if self.count() > 1 && matches!(finding, Finding::Proved(_)) {
                        by.push(String::from("nothing was left to ask a second solver"));
                    }
                }
                Judged { finding, by, queries: accepted.queries }
            }
            Err((rejected, second)) => Judged::open(why(&rejected, second.as_deref()), 0),
        }
    }
}

/// The checker that runs traces and points, and needs no solver.
const EVALUATION: &str = "interpreter";

/// The checker of formulas whose every question simplifies to a constant.
const SIMPLIFICATION: &str = "simplification";

/// Whether a certificate lists states, and nothing else.
fn has_only_points(certificate: &Certificate) -> bool {
    match certificate {
        Certificate::Closed(set) => {
            set.kind() == CertificateKind::Enumeration && set.prefix.is_empty()
        }
        Certificate::Ranking(_) => true,
        Certificate::Reduced(reduced) => reduced.fragment.is_empty(),
        Certificate::Quantified(_) | Certificate::Unrolling(_) | Certificate::Descent(_) => false,
    }
}

impl Judged {
    fn open(why: Why, queries: u64) -> Judged {
        Judged { finding: Finding::Unknown(why), by: Vec::new(), queries }
    }
}

/// What a rejection means for the question. Only a definite refusal is held
/// against the evidence.
fn why(rejected: &Rejected, second: Option<&str>) -> Why {
    let text = match second {
        Some(name) => format!("{rejected} (according to {name})"),
        None => rejected.to_string(),
    };
    match rejected {
        Rejected::Stopped(stop) => Why::Stopped(*stop),
        Rejected::GaveUp(_) => Why::SolverGaveUp(text),
        _ => Why::CertificateRejected(text),
    }
}
