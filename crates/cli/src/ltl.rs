//! `parallax ltl`

use crate::args::LtlArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::limits::default_memory;
use crate::supervise::{Ended, supervise};
use crate::{files, terminal};
use parallax::report::{
    automaton_graph, automaton_hoa, ltl_json, render_diagnostics, render_word, to_dot, to_svg,
    to_text,
};
use parallax::{Automaton, TranslateError, load_formula, load_word, translate};
use parallax_base::Budget;
use std::path::PathBuf;

/// Translates a formula, or evaluates it on a word.
pub(crate) fn run(args: &LtlArgs) -> Result<Exit, Failure> {
    let written = [&args.dot, &args.svg].into_iter().flatten();
    files::prepare(written.map(PathBuf::as_path), [])?;
    let task = load_formula(&args.formula)?;
    let errors = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(&task.sources, &task.warnings, errors);
    if !warnings.is_empty() {
        terminal::note(warnings.trim_end());
    }
    let word = args.word.as_deref().map(|text| load_word(&task, text)).transpose()?;
    let formula = &task.formula;
    let automaton = automaton(args, formula)?;
    let satisfied = word.as_ref().map(|word| word.satisfies(formula));
    if let Some((word, satisfied)) = word.as_ref().zip(satisfied)
        && automaton.accepts(word) != (satisfied != args.negate)
    {
        return Err(Failure::internal("automaton and evaluation contradict each other"));
    }
    let graph = || automaton_graph(formula, args.negate, &automaton);
    if args.json {
        terminal::print_json(&ltl_json(formula, args.negate, &automaton, word.as_ref()));
    } else {
        let mut text = String::new();
        if let Some(word) = &word {
            text.push_str(&render_word(formula, word));
        }
        if args.text {
            text.push_str(&to_text(&graph()));
        } else if args.hoa || word.is_none() {
            text.push_str(&automaton_hoa(formula, args.negate, &automaton));
        }
        terminal::print(&text);
    }
    if let Some(path) = &args.dot {
        files::write(path, |out| out.write_all(to_dot(&graph()).as_bytes()))?;
    }
    if let Some(path) = &args.svg {
        files::write(path, |out| out.write_all(to_svg(&graph()).as_bytes()))?;
    }
    Ok(match satisfied {
        Some(false) => Exit::Violated,
        _ => Exit::Holds,
    })
}

/// The automaton, if it is made within the limits.
fn automaton(args: &LtlArgs, formula: &parallax::Formula) -> Result<Automaton, Failure> {
    let budget = Budget::new(Some(args.limits.time), args.limits.memory.or_else(default_memory));
    let work = {
        let (formula, negated, budget) = (formula.clone(), args.negate, budget.clone());
        move || translate(&formula, negated, &budget)
    };
    let error = match supervise(&budget, || {}, work) {
        Ended::Done(Ok(automaton)) => return Ok(automaton),
        Ended::Done(Err(error)) => error,
        Ended::Failed(failure) => return Err(failure),
        Ended::Abandoned(stop) => TranslateError::Stopped(stop),
    };
    Err(Failure::unfinished("P0030", &error.to_string(), "a smaller formula, or a longer --time"))
}
