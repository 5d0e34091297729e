//! Any SMT-LIB 2 solver, run as a process of its own.
//!
//! Independent of libz3, and so a second opinion on what Z3 says. The process
//! is told each formula once and follows the scopes; when the formulas need
//! another logic, or a query was cut off, it is started again and told all
//! that is still asserted.

use crate::logic::Logic;
use crate::pipe_process::{Dialogue, PipeCommand};
use crate::project::project_all;
use crate::stack::{Stack, wrong_model};
use crate::{Answer, Model, Solver, SolverError, SolverStats};
use parallax_base::{Budget, Stop};
use parallax_term::{Atom, ScriptWriter, Sexprs, Term, TermStore, Value};
use std::time::{Duration, Instant};

/// How long a solver may take to say its name.
const GREETING: Duration = Duration::from_secs(5);

/// A solver behind a pipe.
pub struct Pipe {
    command: PipeCommand,
    name: String,
    dialogue: Option<Dialogue>,
    writer: ScriptWriter,
    logic: Logic,
    stack: Stack,
    /// The answer of the last check, as long as its scope is open.
    query: Option<Answer>,
    statistics: SolverStats,
}

impl Pipe {
    /// Starts the solver and asks for its name.
    pub fn start(command: &PipeCommand) -> Result<Pipe, SolverError> {
        let failed = |source| SolverError::Start { program: command.program.clone(), source };
        let dialogue = Dialogue::start(command).map_err(failed)?;
        dialogue.send("(get-info :name)\n(get-info :version)\n".into());
        let budget = Budget::new(Some(GREETING), None);
        let mut words = Vec::new();
        for _ in 0..2 {
            let answer = dialogue.receive(&budget).ok().flatten();
            let silent = || SolverError::Silent { program: command.program.clone() };
            words.push(quoted(&answer.ok_or_else(silent)?));
        }
        Ok(Pipe {
            command: command.clone(),
            name: words.join(" "),
            dialogue: None,
            writer: ScriptWriter::new(),
            logic: Logic::default(),
            stack: Stack::new(),
            query: None,
            statistics: SolverStats::default(),
        })
    }

    fn send(&self, commands: String) {
        if let Some(dialogue) = &self.dialogue {
            dialogue.send(commands);
        }
    }

    fn close(&mut self) {
        if self.query.take().is_some() {
            self.writer.pop();
            self.send("(pop 1)\n".into());
        }
    }

    /// Ends the process; the next check starts a new one.
    fn give_up(&mut self) {
        self.dialogue = None;
        self.query = None;
    }

    /// Makes sure that a process runs in a logic that suffices.
    fn ready(&mut self, store: &TermStore, logic: Logic) -> std::io::Result<()> {
        let wider = self.logic.union(logic);
        if self.dialogue.is_some() && wider.name() == self.logic.name() {
            return Ok(());
        }
        self.logic = wider;
        self.give_up();
        self.dialogue = Some(Dialogue::start(&self.command)?);
        self.writer = ScriptWriter::new();
        let mut text = format!(
            "(set-option :print-success false)\n(set-option :produce-models true)\n\
             (set-logic {})\n",
            wider.name()
        );
        for (level, formulas) in self.stack.levels().enumerate() {
            if level > 0 {
                text.push_str("(push 1)\n");
                self.writer.push();
            }
            for &formula in formulas {
                self.writer.assert(store, formula, &mut text);
            }
        }
        self.send(text);
        Ok(())
    }

    fn run(
        &mut self,
        store: &TermStore,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<Answer, Stop> {
        self.close();
        budget.check()?;
        self.stack.assumptions = assumptions.to_vec();
        let logic = Logic::of(store, assumptions);
        if let Err(error) = self.ready(store, logic) {
            let program = self.command.program.display();
            return Ok(Answer::Unknown(format!("cannot start {program}: {error}")));
        }
        let mut text = String::from("(push 1)\n");
        self.writer.push();
        for &assumption in assumptions {
            self.writer.assert(store, assumption, &mut text);
        }
        text.push_str("(check-sat)\n");
        self.send(text);
        let answer = match self.receive(budget)? {
            Some(answer) => match answer.trim() {
                "sat" => self.checked_sat(store, budget)?,
                "unsat" => Answer::Unsat,
                "unknown" => Answer::Unknown(format!("{} does not know", self.name)),
                other => self.failed(other),
            },
            None => self.failed("the process ended"),
        };
        if self.dialogue.is_some() {
            self.query = Some(answer.clone());
        }
        Ok(answer)
    }

    /// After an error the process and we may disagree on what was said.
    fn failed(&mut self, message: &str) -> Answer {
        self.give_up();
        Answer::Unknown(format!("{}: {message}", self.name))
    }

    /// The next answer that is one; a process out of time is ended.
    fn receive(&mut self, budget: &Budget) -> Result<Option<String>, Stop> {
        loop {
            let answer = match &self.dialogue {
                Some(dialogue) => dialogue.receive(budget),
                None => return Ok(None),
            };
            match answer {
                Ok(Some(noise)) if matches!(noise.trim(), "success" | "unsupported") => {}
                Ok(Some(answer)) => return Ok(Some(answer)),
                Ok(None) => {
                    self.give_up();
                    return Ok(None);
                }
                Err(stop) => {
                    self.give_up();
                    return Err(stop);
                }
            }
        }
    }

    fn checked_sat(&mut self, store: &TermStore, budget: &Budget) -> Result<Answer, Stop> {
        if cfg!(debug_assertions)
            && let Some(model) = self.read_model(store, &[], budget)?
            && let Some(formula) = self.stack.refuted(store, &model)
        {
            return Ok(wrong_model(&self.name, store, formula));
        }
        Ok(Answer::Sat)
    }

    fn read_model(
        &mut self,
        store: &TermStore,
        symbols: &[Term],
        budget: &Budget,
    ) -> Result<Option<Model>, Stop> {
        let symbols = self.stack.symbols(store, symbols);
        let defaults = symbols.iter().map(|s| (*s, Value::default_of(store.sort(*s))));
        let mut model: Model = defaults.collect();
        let told: Vec<Term> =
            symbols.into_iter().filter(|s| self.writer.name(*s).is_some()).collect();
        if told.is_empty() {
            return Ok(Some(model));
        }
        let names: Vec<&str> = told.iter().filter_map(|s| self.writer.name(*s)).collect();
        self.send(format!("(get-value ({}))\n", names.join(" ")));
        let Some(answer) = self.receive(budget)? else { return Ok(None) };
        let Ok(answer) = Sexprs::read(&answer) else { return Ok(None) };
        let Some(pairs) = answer.iter().next() else { return Ok(None) };
        let mut left = told.iter();
        for pair in pairs.elements() {
            let (Some(&symbol), Some(value)) = (left.next(), pair.elements().nth(1)) else {
                return Ok(None);
            };
            match Value::from_smtlib(value.text(), store.sort(symbol)) {
                Some(value) => model.insert(symbol, value),
                None => return Ok(None),
            }
        }
        Ok(left.next().is_none().then_some(model))
    }
}

impl Solver for Pipe {
    fn name(&self) -> &str {
        &self.name
    }

    fn push(&mut self) {
        self.close();
        self.stack.push();
        self.writer.push();
        self.send("(push 1)\n".into());
    }

    fn pop(&mut self) {
        self.close();
        if self.stack.pop() {
            self.writer.pop();
            self.send("(pop 1)\n".into());
        }
    }

    fn assert(&mut self, store: &TermStore, formula: Term) {
        self.close();
        let logic = self.logic.union(Logic::of(store, &[formula]));
        if logic.name() != self.logic.name() {
            self.give_up();
        }
        self.logic = logic;
        self.stack.assert(formula);
        if self.dialogue.is_some() {
            let mut text = String::new();
            self.writer.assert(store, formula, &mut text);
            self.send(text);
        }
    }

    fn check(
        &mut self,
        store: &TermStore,
        assumptions: &[Term],
        budget: &Budget,
    ) -> Result<Answer, Stop> {
        let started = Instant::now();
        let outcome = self.run(store, assumptions, budget);
        self.statistics.count(&outcome, started.elapsed());
        outcome
    }

    fn model(&mut self, store: &TermStore, symbols: &[Term]) -> Option<Model> {
        if self.query != Some(Answer::Sat) {
            return None;
        }
        let budget = Budget::new(Some(GREETING), None);
        let model = self.read_model(store, symbols, &budget).ok().flatten()?;
        match self.stack.refuted(store, &model) {
            Some(formula) => {
                wrong_model(&self.name, store, formula);
                None
            }
            None => Some(model),
        }
    }

    fn eliminate(
        &mut self,
        store: &mut TermStore,
        formula: Term,
        bound: &[Term],
        budget: &Budget,
    ) -> Result<Option<Term>, Stop> {
        let (formula, rest) = project_all(store, formula, bound, budget)?;
        Ok(rest.is_empty().then_some(formula))
    }

    fn statistics(&self) -> SolverStats {
        self.statistics
    }
}

/// The string inside an answer to `get-info`.
fn quoted(answer: &str) -> String {
    let Ok(all) = Sexprs::read(answer) else { return answer.trim().into() };
    let string = all.iter().flat_map(|s| s.elements()).find_map(|s| match s.atom() {
        Some(Atom::String(text)) => Some(text.into_owned()),
        _ => None,
    });
    string.unwrap_or_else(|| answer.trim().into())
}
