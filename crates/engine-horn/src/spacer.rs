//! Asking Spacer, in a process of its own.
//!
//! A conversation is text: clauses out, one word back, then a solution or a
//! derivation. A process that is killed, hangs, prints rubbish or aborts is a
//! reason why there is no answer.

use parallax_base::Budget;
use parallax_horn::{Derivation, Solution, SolutionError, System};
use parallax_solver::{PipeCommand, Script, ScriptEnd, find_z3};

/// How Spacer is asked in one try.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// What it is called where a try is told of.
    pub name: &'static str,
    /// Whether wraps are set aside first (`wraps.rs`).
    pub(crate) is_tame: bool,
    /// Whether large numbers are unknowns (`loose.rs`).
    pub(crate) is_loose: bool,
    /// Options of Z3 with their values.
    options: &'static [(&'static str, &'static str)],
}

const GLOBAL: (&str, &str) = ("fp.spacer.global", "true");

/// The settings that are tried, in this order.
pub(crate) const SETTINGS: &[Setting] = &[
    Setting { name: "plain", options: AS_WRITTEN, ..INLINED },
    Setting { name: "global", options: GUIDED, ..INLINED },
    Setting { name: "without large numbers", is_loose: true, options: AS_WRITTEN, ..INLINED },
    Setting { name: "without wraps", is_tame: true, options: GUIDED, ..INLINED },
    Setting {
        name: "without wraps and large numbers",
        is_tame: true,
        is_loose: true,
        options: GUIDED,
    },
    Setting {
        name: "without wraps, another seed",
        is_tame: true,
        options: &[GLOBAL, EAGER, LINEAR, SLICE, ("fp.spacer.random_seed", "3")],
        ..INLINED
    },
    INLINED,
];

const INLINED: Setting = Setting { name: "inlined", is_tame: false, is_loose: false, options: &[] };

/// Clauses are not put into each other. So every place of a run shows, and no
/// formula of a solution is about what another one hides behind a quantifier.
const AS_WRITTEN: &[(&str, &str)] = &[EAGER, LINEAR, SLICE];
const GUIDED: &[(&str, &str)] = &[GLOBAL, EAGER, LINEAR, SLICE];
const EAGER: (&str, &str) = ("fp.xform.inline_eager", "false");
const LINEAR: (&str, &str) = ("fp.xform.inline_linear", "false");
const SLICE: (&str, &str) = ("fp.xform.slice", "false");

/// What Spacer says.
#[derive(Clone, Debug)]
pub enum Said {
    /// The clauses have this solution.
    Solved(Solution),
    /// They have one that cannot be used.
    Useless(SolutionError),
    /// They have none.
    Refuted,
    /// It gave up, for this reason.
    Unknown(String),
}

/// The process to ask if nobody names one: a Z3 that was set up.
pub fn solver_command() -> Option<PipeCommand> {
    find_z3()
}

/// Asks for a solution.
pub(crate) fn solve(
    system: &System,
    text: &str,
    setting: &Setting,
    command: &PipeCommand,
    budget: &Budget,
) -> Result<Said, ScriptEnd> {
    let script = Script::start(command, budget)?;
    script.tell(format!("{}{text}", options(setting.options)));
    let answer = script.ask("(check-sat)", budget)?;
    match answer.as_str() {
        "sat" => {
            let text = script.ask("(get-model)", budget)?;
            Ok(Solution::read(system, &text).map_or_else(Said::Useless, Said::Solved))
        }
        "unsat" => Ok(Said::Refuted),
        "unknown" => Ok(Said::Unknown(script.ask("(get-info :reason-unknown)", budget)?)),
        other => Ok(Said::Unknown(format!("a strange answer: {}", brief(other)))),
    }
}

/// Asks for a derivation of `false`, step by step as the clauses are written.
pub(crate) fn derive(
    system: &System,
    setting: &Setting,
    command: &PipeCommand,
    budget: &Budget,
) -> Result<Result<Derivation, String>, ScriptEnd> {
    let script = Script::start(command, budget)?;
    let own = setting.options.iter().filter(|o| !AS_WRITTEN.iter().any(|w| w.0 == o.0));
    let all: Vec<_> = own.chain(AS_WRITTEN).copied().collect();
    script.tell(options(&all));
    let answer = script.ask(&system.rules(), budget)?;
    if answer != "sat" {
        return Ok(Err(format!("the answer is {}", brief(&answer))));
    }
    let text = script.next(budget)?;
    Ok(Derivation::read(system, &text))
}

fn options(settings: &[(&str, &str)]) -> String {
    let all = [("fp.engine", "spacer")];
    let lines =
        all.iter().chain(settings).map(|(name, value)| format!("(set-option :{name} {value})\n"));
    lines.collect()
}

/// The beginning of a text from outside.
fn brief(text: &str) -> String {
    text.chars().take(60).collect()
}
