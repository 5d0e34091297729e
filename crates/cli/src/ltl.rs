//! `parallax ltl`

use crate::args::{LimitArgs, LtlArgs};
use crate::drive::{Drive, Driven, Timed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::files::draw;
use crate::unfinished::Asked;
use crate::{files, terminal};
use parallax::report::{
    LTL_SCHEMA, automaton_graph, automaton_hoa, ltl_json, render_diagnostics, render_word, to_text,
};
use parallax::{TranslateError, load_formula, load_word, translate};
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
    let drive = Drive::new(args);
    let driven = {
        let (formula, negated) = (formula.clone(), args.negate);
        drive.run(move |budget| Ok(translate(&formula, negated, budget)?))?
    };
    let automaton = match driven {
        Driven::Done(automaton) => automaton,
        Driven::Stopped(stop) => return Ok(drive.unfinished(stop)),
    };
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
    draw(args.dot.as_deref(), args.svg.as_deref(), graph)?;
    Ok(match satisfied {
        Some(false) => Exit::Violated,
        _ => Exit::Holds,
    })
}

impl Timed for LtlArgs {
    fn limits(&self) -> LimitArgs {
        self.limits
    }

    fn is_json(&self) -> bool {
        self.json
    }

    fn asked(&self) -> Asked {
        Asked {
            schema: LTL_SCHEMA,
            subject: self.formula.clone(),
            names: Vec::new(),
            hint: Some("a smaller formula, or more with --time"),
        }
    }
}

impl From<TranslateError> for Failure {
    fn from(error: TranslateError) -> Failure {
        match error {
            TranslateError::Stopped(stop) => Failure::stopped(stop, &error.to_string()),
            _ => Failure::open("P0030", &error.to_string()),
        }
    }
}
