//! A proof is made once more, on the program that no pass has made smaller.
//!
//! What folding, slicing and ranges do to a C program stands in no certificate.
//! Whoever has proved the small program therefore looks at the plain one, and if
//! that does not suffice, predicates of the invariant are tried on it. A proof of
//! the plain program is the one that is written down, and trusts no pass; without
//! one, the answer names those that it trusts.
//!
//! This may take a tenth of the time that the proof took, and some more where that is
//! next to nothing, so it is for proofs that carry over; `--passes none` has all the
//! time.

use super::{Check, EngineChoice, Within, claims_proof, first};
use crate::{Answer, CheckError, Checkers, Task};
use parallax_base::{Budget, Event, Id};
use parallax_evidence::{Certificate, Finding};
use parallax_ir::{self as ir, Property};
use parallax_term::Term;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

/// At least so long, and one part in so many of the time the proof took. The plain
/// program mostly costs about what the small one did, so nearly all who take that long
/// take it for a proof; `bench/doubt` counts them.
const LEAST: Duration = Duration::from_millis(400);
const PART: u32 = 10;

/// Steps of the plain program for each millisecond: what has more takes too
/// long to encode.
const STEPS: u128 = 20;

/// Who takes predicates.
const PREDICATES: &str = "cegar";

/// Who unrolls, and who bounds what ranges had bounded when there was nothing to
/// unroll any more.
const UNROLLS: &str = "bmc";
const BOUNDS: &str = "symba";

impl Check<'_> {
    /// The answer, with a proof of the plain program if it is a proof and there
    /// is one to be had.
    pub(super) fn plainly(
        &self,
        property: Id<Property>,
        answer: Answer,
        checkers: &Checkers,
        budget: &Budget,
        took: Duration,
    ) -> Result<Answer, CheckError> {
        let (about, _) = answer.about(self.task);
        let is_wanted = self.doubt && self.engine != EngineChoice::All;
        if !claims_proof(&answer.outcome) || !is_wanted {
            return Ok(answer);
        }
        let time = (took / PART).max(LEAST);
        let most = usize::try_from(time.as_millis() * STEPS).unwrap_or(usize::MAX);
        let budget = budget.within(time);
        let Some(mut plain) = about.plain(most) else { return Ok(answer) };
        self.budget.notice(Event::Phase("plain"));
        let carried = carried(&answer.outcome.finding, &mut plain.program);
        plain.predicates.extend(carried);
        let found = answer.outcome.engine;
        let mut names = vec![found];
        if found == UNROLLS {
            names.push(BOUNDS);
        }
        if found != PREDICATES {
            names.push(PREDICATES);
        }
        let proof = self.proof_by(property, &names, &plain, checkers, &budget)?;
        let plain = proof.map(|proof| Arc::new(Answer { task: Some(Arc::new(plain)), ..proof }));
        Ok(Answer { plain, ..answer })
    }

    /// A proof of the first property of a task by one of these engines.
    fn proof_by(
        &self,
        property: Id<Property>,
        names: &[&'static str],
        task: &Task,
        checkers: &Checkers,
        budget: &Budget,
    ) -> Result<Option<Answer>, CheckError> {
        let watch = Within { property, watch: self.watch };
        let check = Check { picture: false, ..self.on(task, &watch) };
        let engines = check.engines(&[])?;
        for (i, name) in names.iter().enumerate() {
            let Some(engine) = engines.iter().find(|engine| engine.name() == *name) else {
                continue;
            };
            let parts = if i + 1 < names.len() { 2 } else { 1 };
            let left = budget.remaining().unwrap_or_default() / parts;
            let answer = check.ask(first(), &**engine, checkers, &budget.within(left))?;
            if claims_proof(&answer.outcome) {
                return Ok(Some(Answer { property, ..answer }));
            }
        }
        Ok(None)
    }
}

/// The atoms of an invariant, as predicates of the plain program: variables
/// have the same names there.
fn carried(finding: &Finding, plain: &mut ir::Program) -> Vec<Term> {
    let Finding::Proved(certificate) = finding else { return Vec::new() };
    let Certificate::Closed(set) = &**certificate else { return Vec::new() };
    let known: BTreeMap<_, _> = plain.variables.iter().map(|v| (v.name.clone(), v.term)).collect();
    let scope = |name: &str| known.get(name).copied();
    let mut found = Vec::new();
    for region in set.prefix.iter().chain(&set.fragment) {
        for atom in set.store.atoms(region.formula) {
            let text = set.store.smtlib(atom);
            let Ok(term) = plain.store.read_smtlib_term(&text, &scope) else { continue };
            if !found.contains(&term) && plain.store.is_atom(term) {
                found.push(term);
            }
        }
    }
    found
}
