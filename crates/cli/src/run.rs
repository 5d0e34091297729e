//! `parallax run`: a C program, concretely.

use crate::args::RunArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{files, terminal};
use parallax::report::escape::visible;
use parallax::report::{CRunLook, c_run_json, render_c_run, render_diagnostics, render_end};
use parallax::{CInputs, COptions, CRunEnd, load_c, run_c};

/// Runs a C program.
///
/// What it prints goes to standard output; how it ended to standard error.
pub(crate) fn run(args: &RunArgs) -> Result<Exit, Failure> {
    let options = COptions {
        properties: args.properties.clone(),
        call: args.call.request(),
        ..args.c.options(&args.defines)
    };
    let c = load_c(&args.files, &options)?;
    let look = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(&c.sources, &c.warnings, look);
    if !warnings.is_empty() {
        terminal::note(warnings.trim_end());
    }
    let mut given = args.input.clone();
    if let Some(path) = &args.inputs {
        given.extend(files::read(path)?.split_whitespace().map(str::to_owned));
    }
    let inputs = CInputs { given, seed: args.seed, max_steps: args.steps };
    let recording = run_c(&c, &inputs, args.trace || args.json)
        .map_err(|message| Failure::usage("P0014", &message))?;
    let exit = match CRunEnd::of(&recording) {
        CRunEnd::Fine => Exit::Holds,
        CRunEnd::Wrong => Exit::Violated,
        CRunEnd::Open => Exit::Unknown,
    };
    let run = c.view(&recording);
    if args.json {
        terminal::print_json(&c_run_json(&run));
        return Ok(exit);
    }
    terminal::print_bytes(&run.report.output);
    if args.trace {
        let rows = if args.full { usize::MAX } else { CRunLook::default().max_rows };
        let look = CRunLook { full: args.full, max_rows: rows, look };
        terminal::note(render_c_run(&run, look).trim_end());
    } else {
        let text = render_end(&run, look);
        if !text.is_empty() {
            terminal::note(text.trim_end());
        }
    }
    let steps = run.report.steps;
    let noun = if steps == 1 { "step" } else { "steps" };
    let outcome = run.report.outcome.to_string();
    terminal::note(&format!("{} after {steps} {noun}", visible(&outcome)));
    Ok(exit)
}
