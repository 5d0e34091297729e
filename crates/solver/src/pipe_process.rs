//! A solver process and the two pipes to it.
//!
//! One thread writes and one reads, so that the owner never blocks: it hands
//! over text, and waits for an answer no longer than its budget allows. The
//! process is killed when the dialogue is dropped, and when our own process ends.

use parallax_base::{Budget, Stop};
use parallax_child::{Guard, Guarded};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::time::Duration;

/// How often a waiting owner looks at its budget.
const TICK: Duration = Duration::from_millis(5);

/// How to start a solver that reads SMT-LIB 2 from its standard input.
///
/// Always given by the user or by [`crate::find_second_solver`], never by an
/// analysed file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PipeCommand {
    /// The executable.
    pub program: PathBuf,
    /// Its arguments, such as `--incremental`.
    pub arguments: Vec<String>,
}

pub(crate) struct Dialogue {
    /// Killed when it is dropped, or when we are.
    _child: Guarded,
    input: Sender<String>,
    output: Receiver<String>,
}

impl Dialogue {
    pub(crate) fn start(command: &PipeCommand) -> std::io::Result<Dialogue> {
        Dialogue::within(command, &Guard::default())
    }

    /// The same, of a process that keeps limits.
    pub(crate) fn within(command: &PipeCommand, guard: &Guard<'_>) -> std::io::Result<Dialogue> {
        let mut solver = Command::new(&command.program);
        solver.args(&command.arguments);
        let mut child = guard.talk(&solver)?;
        let (stdin, stdout) = (child.input(), child.output());
        let (input, texts) = mpsc::channel::<String>();
        let (answers, output) = mpsc::channel();
        // Both threads end when the process does or the dialogue is dropped.
        if let Some(mut stdin) = stdin {
            let write = move || {
                for text in texts {
                    if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                        break;
                    }
                }
            };
            std::thread::Builder::new().name("solver-input".into()).spawn(write)?;
        }
        if let Some(stdout) = stdout {
            let read = move || read_answers(stdout, &answers);
            std::thread::Builder::new().name("solver-output".into()).spawn(read)?;
        }
        Ok(Dialogue { _child: child, input, output })
    }

    /// Sends commands; whether the process still listens shows when it answers.
    pub(crate) fn send(&self, commands: String) {
        let _ = self.input.send(commands);
    }

    /// The next answer; `None` if the process ended without one.
    pub(crate) fn receive(&self, budget: &Budget) -> Result<Option<String>, Stop> {
        loop {
            match self.output.recv_timeout(TICK) {
                Ok(answer) => return Ok(Some(answer)),
                Err(RecvTimeoutError::Disconnected) => return Ok(None),
                Err(RecvTimeoutError::Timeout) => budget.check()?,
            }
        }
    }
}

/// Cuts the output into answers: lines, joined while parentheses are open.
fn read_answers(stdout: impl Read, answers: &Sender<String>) {
    let mut lines = BufReader::new(stdout);
    let mut answer = String::new();
    let mut balance = Balance::default();
    loop {
        let from = answer.len();
        match lines.read_line(&mut answer) {
            Ok(0) | Err(_) => return,
            Ok(_) => balance.read(&answer[from..]),
        }
        if balance.is_closed() {
            let done = std::mem::take(&mut answer);
            if !done.trim().is_empty() && answers.send(done).is_err() {
                return;
            }
        }
    }
}

/// Counts parentheses outside strings, quoted symbols and comments.
#[derive(Default)]
pub(crate) struct Balance {
    depth: usize,
    inside: Option<char>,
}

impl Balance {
    pub(crate) fn read(&mut self, text: &str) {
        for c in text.chars() {
            match (self.inside, c) {
                (Some(';'), '\n') => self.inside = None,
                (Some(end), c) if c == end && end != ';' => self.inside = None,
                (Some(_), _) => {}
                (None, '"' | '|' | ';') => self.inside = Some(c),
                (None, '(') => self.depth += 1,
                (None, ')') => self.depth = self.depth.saturating_sub(1),
                (None, _) => {}
            }
        }
    }

    pub(crate) fn is_closed(&self) -> bool {
        self.depth == 0 && self.inside.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_end_where_parentheses_close() {
        let output = "sat\n((x (- 3))\n (|a)b| 4))\n\n(error \"line (\n1\") ; (\nunsat\n";
        let (sender, answers) = mpsc::channel();
        read_answers(output.as_bytes(), &sender);
        drop(sender);
        let answers: Vec<String> = answers.iter().map(|a| a.trim().into()).collect();
        let expected = ["sat", "((x (- 3))\n (|a)b| 4))", "(error \"line (\n1\") ; (", "unsat"];
        assert_eq!(answers, expected);
    }
}
