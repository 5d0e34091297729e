//! Procedure abstractions that are read off the code: what a procedure does, as
//! FSP text, and checked like any other specification.

use super::{MagicConfig, MagicOutcome, MagicTask, accept, failed, views};
use crate::Checkers;
use crate::isolate::isolated;
use crate::lts::LtsError;
use parallax_base::{Budget, FileId, Span};
use parallax_conformance::{check, extract};
use parallax_evidence::ConformanceEvidence;
use parallax_front_fsp::write_fsp;
use parallax_front_magic::{Machines, Question};
use parallax_solver::SolverConfig;
use std::collections::BTreeSet;

/// What a procedure does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Extracted {
    /// The process, as FSP text for a system file.
    pub text: String,
    /// The name of the process.
    pub machine: String,
    /// Its states and transitions.
    pub size: (usize, usize),
    /// Who accepted that the procedure conforms to it.
    pub checked_by: String,
}

impl MagicTask {
    /// The names of all procedures.
    pub fn procedures(&self) -> Vec<String> {
        self.system.procedures.iter().map(|p| p.signature.name.clone()).collect()
    }

    /// What a procedure does for any arguments and any static objects. It is
    /// handed out only if the checker accepts that the procedure conforms to it,
    /// as it is read again from the text.
    ///
    /// # Errors
    /// When the files are wrong, or the budget ends; `Ok(Err(_))` says why there
    /// is no such text.
    pub fn extract(
        &mut self,
        procedure: &str,
        budget: &Budget,
    ) -> Result<Result<Extracted, String>, LtsError> {
        let found = self.system.procedures.iter().find(|p| p.signature.name == procedure);
        let Some(found) = found else {
            let known = self.procedures().join(", ");
            return Ok(Err(format!("there is no procedure `{procedure}`, but {known}")));
        };
        let component = self
            .system
            .component(
                found,
                Question::Extraction,
                &self.folder,
                &mut self.machines,
                &self.sources,
                budget,
            )
            .map_err(failed)?;
        let components = [component];
        let solver = SolverConfig::default();
        let program = views(&components)[0];
        let lts = match isolated(|| extract(program, &solver, budget))? {
            Ok(lts) => lts,
            Err(why) => return Ok(Err(why)),
        };
        // What must not happen has no form in FSP.
        let is_odd = |label: &str| label.starts_with('*') || label == "return{otherwise}";
        let happens = |label: &str| {
            let action = lts.find_action(label);
            action.is_some_and(|a| lts.states().any(|s| !lts.edges_with(s, a).is_empty()))
        };
        if let Some(label) = lts.alphabet().find(|label| is_odd(label) && happens(label)) {
            return Ok(Err(format!("the procedure may come to `{label}`")));
        }
        let kept = |label: &str| if is_odd(label) { Vec::new() } else { vec![label.to_owned()] };
        let lts = lts.map_labels(kept);
        let machine = procedure.to_ascii_uppercase();
        let text = match write_fsp(&lts, &machine) {
            Ok(text) => text,
            Err(why) => return Ok(Err(why)),
        };
        let mut machines = Machines::default();
        if machines.add(FileId::default(), &text).is_err() {
            return Ok(Err(format!("`{machine}` is no name of a process")));
        }
        let again =
            self.system.machine(&mut machines, &machine, Span::default(), &self.sources, budget);
        let again = again.map_err(failed)?;
        let (hidden, config) = (BTreeSet::new(), MagicConfig::default());
        let (outcome, _) =
            isolated(|| check(&[program], &hidden, &again, &config, &solver, budget))?;
        let MagicOutcome::Decided(evidence @ ConformanceEvidence::Conforms(_)) = outcome else {
            return Ok(Err("the procedure was not shown to conform to the text".into()));
        };
        let checkers = Checkers::new(solver);
        match accept(&components, &hidden, &again, &evidence, &checkers, budget) {
            Ok((checked_by, _)) => {
                let size = (again.state_count(), again.transition_count());
                Ok(Ok(Extracted { text, machine, size, checked_by }))
            }
            Err(why) => Ok(Err(format!("evidence rejected: {why}"))),
        }
    }
}
