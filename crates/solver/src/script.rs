//! A conversation about SMT-LIB text with a process that may die.
//!
//! For what a solver can do beyond the contract of [`crate::Solver`]: Horn
//! clauses, for one. The process keeps limits on time and memory, is killed
//! when the budget ends or the conversation is dropped, and whatever becomes of
//! it costs an answer and nothing else.

use crate::PipeCommand;
use crate::pipe_process::Dialogue;
use parallax_base::{Budget, Stop};
use parallax_child::Guard;

/// Why there is no answer.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ScriptEnd {
    /// The budget ended first.
    #[error("{0} reached")]
    Stopped(Stop),
    /// The process cannot be started.
    #[error("cannot start {program}: {message}")]
    NotStarted {
        /// The executable.
        program: String,
        /// What the system says.
        message: String,
    },
    /// The process ended without an answer.
    #[error("the solver process ended without an answer")]
    Died,
    /// The process complains.
    #[error("the solver complains: {0}")]
    Complaint(String),
}

impl From<Stop> for ScriptEnd {
    fn from(stop: Stop) -> ScriptEnd {
        ScriptEnd::Stopped(stop)
    }
}

/// A solver process that is told commands and answers them.
pub struct Script {
    dialogue: Dialogue,
}

impl Script {
    /// Starts a process that may use what the budget leaves.
    pub fn start(command: &PipeCommand, budget: &Budget) -> Result<Script, ScriptEnd> {
        budget.check()?;
        // The budget is watched from here; this is for when we are gone or stuck.
        let seconds = budget.remaining().map(|left| left.as_secs() + 2);
        let guard = Guard { seconds, memory: budget.memory_limit(), reach: None };
        let failed = |error: std::io::Error| ScriptEnd::NotStarted {
            program: command.program.display().to_string(),
            message: error.to_string(),
        };
        Ok(Script { dialogue: Dialogue::within(command, &guard).map_err(failed)? })
    }

    /// Sends commands that are not answered.
    pub fn tell(&self, commands: String) {
        self.dialogue.send(commands);
    }

    /// Sends a command and waits for its answer: one s-expression, or a word.
    pub fn ask(&self, command: &str, budget: &Budget) -> Result<String, ScriptEnd> {
        self.dialogue.send(format!("{command}\n"));
        self.next(budget)
    }

    /// The next answer; for commands that have more than one.
    pub fn next(&self, budget: &Budget) -> Result<String, ScriptEnd> {
        let answer = self.dialogue.receive(budget)?.ok_or(ScriptEnd::Died)?;
        let answer = answer.trim();
        match answer.strip_prefix("(error ") {
            Some(complaint) => Err(ScriptEnd::Complaint(complaint.trim_end_matches(')').into())),
            None => Ok(answer.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn check(script: &str, time: Duration, expected: &str) {
        let arguments = vec![String::from("-c"), script.to_owned()];
        let command = PipeCommand { program: "/bin/sh".into(), arguments };
        let budget = Budget::new(Some(time), None);
        let said = Script::start(&command, &budget).and_then(|s| s.ask("(check-sat)", &budget));
        let said = said.unwrap_or_else(|end| end.to_string());
        assert_eq!(said, expected, "{script}");
    }

    #[test]
    fn whatever_becomes_of_the_process_there_is_an_answer() {
        let (long, short) = (Duration::from_secs(30), Duration::from_millis(300));
        check("read x; echo sat", long, "sat");
        check("kill -9 $$", long, "the solver process ended without an answer");
        check("read x; exit 3", long, "the solver process ended without an answer");
        check("exit 3", long, "the solver process ended without an answer");
        check("sleep 1000", short, "time limit reached");
        check("echo '(error \"no\")'; cat", long, "the solver complains: \"no\"");
        let command = PipeCommand { program: "/nowhere".into(), arguments: Vec::new() };
        let started = Script::start(&command, &Budget::unlimited());
        assert!(matches!(started, Err(ScriptEnd::NotStarted { .. })));
    }
}
