//! The only way from a finding to a verdict: the checker accepts it, or the
//! question is open.

use crate::CheckError;
use parallax_base::{Budget, Id};
use parallax_certify::Rejected;
use parallax_evidence::{Certificate, CertificateKind, Finding, Why};
use parallax_ir::{Program, Property};
use parallax_solver::{Backend, SolverConfig, find_second_solver};

/// Who checks evidence: one solver, or two that must both accept.
#[derive(Clone, Debug)]
pub struct Checkers {
    solvers: Vec<SolverConfig>,
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

    /// The solvers, in order.
    pub(crate) fn solvers(&self) -> &[SolverConfig] {
        &self.solvers
    }

    /// Looks at the evidence of a finding, if it has any.
    ///
    /// # Soundness
    /// The checkers see the program as the front end made it, the property and
    /// the evidence. Their solvers are new and share nothing with the search.
    pub(crate) fn judge(
        &self,
        program: &Program,
        property: Id<Property>,
        finding: Finding,
        budget: &Budget,
    ) -> Result<Judged, CheckError> {
        let certificate = match &finding {
            // A run by its inputs is repeated by who has the source.
            Finding::Unknown(_) | Finding::Executed(_) => {
                return Ok(Judged { finding, by: Vec::new(), queries: 0 });
            }
            Finding::Reached(trace) => {
                let accepted = parallax_certify::replay(program, property, trace);
                return Ok(match accepted {
                    Ok(_) => Judged { finding, by: vec![String::from(EVALUATION)], queries: 0 },
                    Err(rejected) => Judged::open(why(&rejected, None), 0),
                });
            }
            Finding::Proved(certificate) => certificate,
        };
        let (mut by, mut queries) = (Vec::new(), 0);
        for (nth, config) in self.solvers.iter().enumerate() {
            let mut solver = config.open()?;
            let accepted =
                parallax_certify::check(program, property, certificate, &mut *solver, budget);
            queries += solver.statistics().queries;
            match accepted {
                // No solver had a say: states were run, formulas fell together.
                Ok(accepted) if accepted.queries == 0 => {
                    let evaluated = has_only_points(certificate);
                    by.push(String::from(if evaluated { EVALUATION } else { SIMPLIFICATION }));
                    if self.solvers.len() > 1 {
                        by.push(String::from("nothing was left to ask a second solver"));
                    }
                    break;
                }
                Ok(_) => by.push(solver.name().to_owned()),
                Err(rejected) => {
                    let second = (nth > 0).then(|| solver.name());
                    return Ok(Judged::open(why(&rejected, second), queries));
                }
            }
        }
        Ok(Judged { finding, by, queries })
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
        Certificate::Unrolling(_) => false,
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
