//! Whether the cases of an abstraction are told apart, and all cases covered.
//!
//! The question becomes a small program without loops that fails if the answer
//! is no; whether it can fail is for a solver to say.

use crate::automata::Automata;
use crate::component::{ComponentError, encoded};
use crate::machine::Machines;
use crate::places::Places;
use crate::syntax::{Signature, System, Target};
use crate::text::{condition, conditions, head, result_condition};
use parallax_base::{Budget, Diagnostics, SourceMap, Span};
use parallax_front_c as front;
use parallax_ir as ir;
use std::path::{Path, PathBuf};

/// A question about conditions: they are bad if the program fails.
#[derive(Clone, Debug)]
pub struct GuardQuestion {
    /// What is wrong if the program fails.
    pub message: String,
    /// Where the conditions stand.
    pub span: Span,
    /// The program; its first property is that it does not fail.
    pub program: ir::Program,
}

impl System {
    /// All questions about conditions: those of procedures and assumptions, and
    /// those of return actions that are told apart.
    ///
    /// # Errors
    /// When something is wrong with the conditions as C.
    pub fn guard_questions(
        &self,
        folder: &Path,
        machines: &mut Machines,
        sources: &SourceMap,
        budget: &Budget,
    ) -> Result<Vec<GuardQuestion>, ComponentError> {
        let mut questions = Vec::new();
        // A procedure may be held against several machines, each a question of its own;
        // what is assumed of a routine is one thing in each case.
        let procedures = self.procedures.iter().map(|p| (&p.signature, &p.targets, true));
        let assumptions = self.assumptions.iter().map(|a| (&a.signature, &a.cases, false));
        for (signature, cases, is_asked) in procedures.chain(assumptions) {
            if cases.iter().any(|case| case.guard.is_some()) {
                let guard = |case: &Target| {
                    let text = case.guard.as_deref().unwrap_or("1");
                    condition(text, signature)
                };
                let all: Vec<String> = cases.iter().map(guard).collect();
                let text = conditions(signature, &all, true);
                questions.push(GuardQuestion {
                    message: format!(
                        "the cases of `{}` do not exclude each other, or do not cover everything",
                        signature.name
                    ),
                    span: signature.span,
                    program: self.failing(&text, folder, sources)?,
                });
            } else if cases.len() > 1 && !is_asked {
                let mut diagnostics = Diagnostics::default();
                let message = format!("the cases of `{}` need conditions", signature.name);
                let error = parallax_base::Diagnostic::error("F0032", signature.span, message);
                diagnostics.push(error);
                return Err(ComponentError::Invalid(Box::new(sources.clone()), diagnostics));
            }
        }
        for procedure in &self.procedures {
            for target in &procedure.targets {
                let lts = self.machine(machines, &target.machine, target.span, sources, budget)?;
                let signature = &procedure.signature;
                let all: Vec<String> =
                    lts.alphabet().filter_map(|l| result_condition(l, signature)).collect();
                if all.len() > 1 {
                    let text = conditions(signature, &all, false);
                    questions.push(GuardQuestion {
                        message: format!(
                            "the return actions of `{}` do not exclude each other",
                            target.machine
                        ),
                        span: target.span,
                        program: self.failing(&text, folder, sources)?,
                    });
                }
            }
        }
        Ok(questions)
    }

    fn failing(
        &self,
        text: &str,
        folder: &Path,
        sources: &SourceMap,
    ) -> Result<ir::Program, ComponentError> {
        let mut sources = sources.clone();
        let files = self.files(folder);
        let paths: Vec<&Path> = files.iter().map(PathBuf::as_path).collect();
        let input = front::Input::text("conditions.c", format!("{}{text}", head(&paths)));
        let input = input.within(folder);
        match front::load(&mut sources, &[input], &self.options(folder)) {
            Ok(loaded) => {
                let places = Places { sources: &sources, procedure: "" };
                let encoded = encoded(&loaded.program, &places, &Automata::default());
                Ok(encoded.map_err(ComponentError::NotEncoded)?.0.program)
            }
            Err(diagnostics) => Err(ComponentError::Invalid(Box::new(sources), diagnostics)),
        }
    }
}

impl Signature {
    /// The declaration as it was written.
    pub fn shown(&self) -> String {
        let list: Vec<&str> = self.parameters.iter().map(|(text, _)| text.as_str()).collect();
        format!("{} {}({})", self.result, self.name, list.join(", "))
    }
}
