//! The concrete interpreter: runs a program as the machine would.
//!
//! A function is compiled to a flat list of instructions when it is first
//! called; scalars that no pointer leads to live in registers, everything else
//! in objects with bytes and concrete addresses. A run is a function of
//! program, [`Options`] and [`Oracle`]; nothing else decides.
//!
//! ```
//! use parallax_cfa::run::{Interpreter, Options, Recorded};
//! # fn example(program: &parallax_cfa::Program) {
//! let interpreter = Interpreter::new(program, Options::default());
//! let report = interpreter.run(&mut Recorded::new(vec![1, 2, 3]));
//! # }
//! ```

mod accident;
mod alone;
mod bulk;
mod call;
mod code;
mod compile;
mod compile_op;
mod compile_place;
mod decimal;
mod exec;
mod external;
mod format;
mod leak;
mod machine;
mod mathematics;
mod memory;
mod oracle;
mod outcome;
mod outside;
mod repeat;
mod script;
mod shared;
mod start;
#[cfg(test)]
mod tests;
mod threads;
mod trap;
mod unknown;
mod view;
mod word;

pub use accident::{Accident, Met};
pub use oracle::{Oracle, Recorded, Seeded};
pub use outcome::{
    Arbitrary, CheckKind, CheckSet, Leak, Options, Outcome, Position, Report, Unwritten,
    UnwrittenObject,
};
pub use outside::{OUTSIDE, OUTSIDE_END, OUTSIDE_ROOM};
pub use script::{Given, Script};
pub use view::{Observer, View};

use crate::{Function, Halt, Op, Program};
use code::Code;
use machine::Machine;
use parallax_base::Id;
use shared::Shared;
use start::Image;
use std::cell::OnceCell;
use trap::Trap;

/// Address of the first function, and the distance of functions.
const FUNCTIONS: u64 = 0x40_1000;
const FUNCTION_ROOM: u64 = 16;

/// The address of a function.
fn function_address(function: Id<Function>) -> u64 {
    FUNCTIONS + function.index() as u64 * FUNCTION_ROOM
}

/// Runs one program, as often as asked.
pub struct Interpreter<'p> {
    shared: Shared<'p>,
    initials: OnceCell<Code>,
    image: OnceCell<Result<Image, Trap>>,
}

impl<'p> Interpreter<'p> {
    /// An interpreter of a program.
    pub fn new(program: &'p Program, options: Options) -> Interpreter<'p> {
        Interpreter {
            shared: Shared::new(program, options),
            initials: OnceCell::new(),
            image: OnceCell::new(),
        }
    }

    /// Runs `main` from the start.
    pub fn run(&self, oracle: &mut dyn Oracle) -> Report {
        self.observe(oracle, &mut ())
    }

    /// Runs `main` from the start, with an observer.
    pub fn observe<O: Observer + ?Sized>(
        &self,
        oracle: &mut dyn Oracle,
        observer: &mut O,
    ) -> Report {
        let image = match self.image() {
            Ok(image) => image.clone(),
            Err(trap) => return failed(trap.outcome(&[], None)),
        };
        let Some(main) = self.shared.program.main else {
            return failed(Outcome::Unsupported("a program without `main`".into()));
        };
        let mut machine = Machine::new(&self.shared, oracle, image.memory, image.globals);
        let chosen = machine.choose_externals();
        machine.note_first();
        let result = chosen
            .and_then(|()| machine.enter_main(main))
            .and_then(|()| machine.execute(1, observer));
        let trap = result.err().unwrap_or(Trap::Exit);
        let value = machine.has_returned.then_some(machine.returned[0] as i32);
        let texts = machine.frames.last().map_or(&[][..], |frame| &frame.code.texts);
        let outcome = trap.outcome(texts, value);
        let calls: Vec<Position> =
            (0..machine.frames.len()).filter_map(|depth| machine.position_of(depth)).collect();
        let position = machine.position();
        // Nothing ends at an assumption that does not hold, nor where it waits.
        let is_assumed = position.is_some_and(|at| {
            let op = &self.shared.program.functions[at.function].edges[at.edge].op;
            matches!(op, Op::Halt(Halt::Assumption | Halt::Wait))
        });
        // What is known of a run to its end: it has one, or goes round for ever.
        let is_whole = match outcome {
            Outcome::Exit(_) | Outcome::Halt | Outcome::Error(_) => Some(machine.word.len()),
            Outcome::Endless => Some(machine.repeats.since().unwrap_or(machine.word.len())),
            _ => None,
        };
        let asked = self.shared.options.formulas.iter().map(|formula| formula.number);
        let word = |number| Some((number, machine.word.lasso(number, is_whole?)?));
        let words = asked.filter_map(word).collect();
        Report {
            outcome,
            words,
            thread: machine.threads.current,
            position,
            calls,
            steps: machine.steps,
            leaks: if is_assumed { Vec::new() } else { machine.leaks() },
            output: machine.output,
            accident: machine.memories.accident,
            operands: machine.memories.operands,
        }
    }

    /// The state before `main`, made once.
    fn image(&self) -> Result<&Image, Trap> {
        let image = self.image.get_or_init(|| {
            let image = Image::empty(&self.shared)?;
            let code = self.initials.get_or_init(|| compile::compile_initials(&self.shared));
            let mut oracle = Recorded::default();
            let mut machine = Machine::new(&self.shared, &mut oracle, image.memory, image.globals);
            machine.initialize(code)?;
            Ok(Image { memory: machine.memory, globals: machine.globals })
        });
        image.as_ref().map_err(|trap| *trap)
    }
}

fn failed(outcome: Outcome) -> Report {
    Report {
        outcome,
        thread: 0,
        position: None,
        calls: Vec::new(),
        steps: 0,
        output: Vec::new(),
        leaks: Vec::new(),
        accident: None,
        operands: None,
        words: Vec::new(),
    }
}
