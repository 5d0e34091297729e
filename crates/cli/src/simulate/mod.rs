//! `parallax simulate`: runs of a model, step by step or at random.
//!
//! [`Simulation`] is the run so far and what can follow; [`repl`] talks to a
//! person or a script, [`start`] finds initial states, [`steps`] lists what is
//! enabled. All choices at random come from one seed.

mod repl;
mod start;
mod steps;

use crate::args::SimulateArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;
use parallax::report::escape::visible;
use parallax::report::{render_diagnostics, state_changes, state_values};
use parallax::{Task, load};
use parallax_base::Chance;
use parallax_ir::{Interpreter, State};
use parallax_term::{Code, Scratch, Value};
use steps::Step;

/// Runs a model.
pub(crate) fn run(args: &SimulateArgs) -> Result<Exit, Failure> {
    let task = load(&args.file, &args.defines)?;
    let look = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(&task.sources, &task.warnings, look);
    if !warnings.is_empty() {
        terminal::note(warnings.trim_end());
    }
    let mut chance = Chance::new(args.seed);
    if !args.random {
        return repl::run(&task, &mut chance);
    }
    let mut simulation = Simulation::new(&task);
    let Some(initial) = start::random(&task, &mut simulation.interpreter, &mut chance)? else {
        terminal::print(start::NONE);
        return Ok(Exit::Holds);
    };
    terminal::print(&format!("{} (seed {})\n", visible(&task.program.name), args.seed));
    simulation.begin(initial);
    terminal::print(&simulation.describe_last());
    for _ in 0..args.steps {
        let Some(step) = simulation.random_step(&mut chance) else {
            terminal::print(steps::STUCK);
            break;
        };
        simulation.take(step);
        terminal::print(&simulation.describe_last());
    }
    Ok(Exit::Holds)
}

/// A run so far. Steps that were taken back are kept until another is taken.
struct Simulation<'a> {
    task: &'a Task,
    interpreter: Interpreter,
    /// The targets of all properties, over states.
    targets: Code,
    scratch: Scratch,
    /// Each state with the step that led there; the first has none.
    run: Vec<(Option<Step>, State)>,
    at: usize,
}

impl<'a> Simulation<'a> {
    fn new(task: &'a Task) -> Simulation<'a> {
        let program = &task.program;
        let targets: Vec<_> = program.properties.iter().map(|p| p.target).collect();
        Simulation {
            task,
            interpreter: Interpreter::new(program),
            targets: Code::compile(&program.store, &targets, |t| program.slot(t)),
            scratch: Scratch::default(),
            run: Vec::new(),
            at: 0,
        }
    }

    /// Starts over in an initial state.
    fn begin(&mut self, initial: State) {
        self.run = vec![(None, initial)];
        self.at = 0;
    }

    fn state(&self) -> &State {
        &self.run[self.at].1
    }

    /// Takes a step that is possible here.
    fn take(&mut self, step: Step) {
        let next = self.interpreter.fire(&self.run[self.at].1, step.transition, &step.inputs);
        self.run.truncate(self.at + 1);
        self.run.push((Some(step), next));
        self.at += 1;
    }

    /// A step at random; `None` if none is possible.
    fn random_step(&mut self, chance: &mut Chance) -> Option<Step> {
        let state = self.run[self.at].1.clone();
        let mut enabled = steps::enabled(&mut self.interpreter, &state);
        while !enabled.is_empty() {
            let transition = enabled.swap_remove(chance.below(enabled.len() as u64) as usize);
            let interpreter = &mut self.interpreter;
            let found = steps::random_inputs(self.task, interpreter, &state, transition, chance);
            if let Some(inputs) = found {
                return Some(Step { transition, inputs });
            }
        }
        None
    }

    /// The step that led here, what it changed, and which properties it meets.
    fn describe_last(&mut self) -> String {
        let program = &self.task.program;
        let mut out = match (&self.run[self.at], self.at.checked_sub(1)) {
            ((Some(step), state), Some(before)) => {
                let changes = state_changes(program, &self.run[before].1, state);
                let changes = match changes.is_empty() {
                    true => String::from("(no change)"),
                    false => changes.join(", "),
                };
                let name = step.show(self.task, &self.interpreter);
                format!("{:>3}  {name}: {changes}\n", self.at)
            }
            ((_, state), _) => {
                format!("{:>3}  start: {}\n", self.at, state_values(program, state).join(", "))
            }
        };
        self.targets.run(&self.run[self.at].1, &mut self.scratch);
        for (i, property) in program.properties.iter().enumerate() {
            if *self.targets.output(i, &self.scratch) == Value::Bool(true) {
                let (kind, name) = (property.kind.word(), visible(&property.name));
                let what = if property.kind.wants_target() { "reached" } else { "violated" };
                out.push_str(&format!("     {kind} {name}: {what} here\n"));
            }
        }
        out
    }
}
