//! `parallax show`

use crate::args::Format;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::question_args::load_options;
use crate::show_args::ShowArgs;
use crate::{files, terminal};
use parallax::report::{
    Graph, cfa_graph, program_graph, render_diagnostics, show_cfa, show_program, to_dot, to_svg,
};
use parallax::{
    COptions, GaloisError, SolverConfig, Task, abstract_relation, horn_clauses, load_c, load_files,
    show_abstraction,
};
use parallax_base::{Budget, Diagnostics, SourceMap};
use std::path::{Path, PathBuf};

/// Shows a model or a C program as it is analyzed.
pub(crate) fn run(args: &ShowArgs) -> Result<Exit, Failure> {
    let format = match (args.dot, args.svg) {
        (true, _) => Format::Dot,
        (_, true) => Format::Svg,
        _ => args.format,
    };
    files::prepare(args.output.as_deref(), args.files.iter().map(PathBuf::as_path))?;
    let mut options = load_options(&args.files, &args.defines, args.c.options(&args.defines))?;
    let text = if args.abstraction.is_some() || args.relation {
        // The set is read as the predicates are, and comes first.
        let given = args.abstraction.iter().chain(&args.predicates).cloned();
        options.given.predicates = given.collect();
        abstraction(args, &load_files(&args.files, &options)?, format)?
    } else if args.cfa {
        let c = load_c(&args.files, &options.c)?;
        warn(&c.sources, &c.warnings);
        let graph = || cfa_graph(&c.program, &c.sources, &args.function);
        drawn(format, || show_cfa(&c.program, &c.sources, &args.function), graph)
    } else if let [function] = &args.function[..] {
        let call = Some(args.bounds.call(function));
        let c = load_c(&args.files, &COptions { call, ..options.c })?;
        warn(&c.sources, &c.warnings);
        let at = args.output.as_deref().unwrap_or(Path::new("driver.c"));
        c.driver.map(|driver| driver.program(at)).unwrap_or_default()
    } else if !args.function.is_empty() {
        let message = "one function is called at a time; `--cfa` shows several";
        return Err(Failure::usage("P0001", message));
    } else if args.chc {
        let task = load_files(&args.files, &options)?;
        warn(&task.sources, &task.warnings);
        let (solver, budget) = (SolverConfig::default(), Budget::unlimited());
        let clauses = horn_clauses(&task, args.property.as_deref(), &solver, &budget);
        clauses.map_err(|error| Failure::usage("P0001", &error.to_string()))?
    } else {
        let task = load_files(&args.files, &options)?;
        warn(&task.sources, &task.warnings);
        drawn(format, || show_program(&task.program), || program_graph(&task.program))
    };
    match &args.output {
        Some(path) => files::write(path, |out| out.write_all(text.as_bytes()))?,
        None => terminal::print(&text),
    }
    Ok(Exit::Holds)
}

/// What predicates make of a set, or of the transitions.
fn abstraction(args: &ShowArgs, task: &Task, format: Format) -> Result<String, Failure> {
    if task.origin.is_c() {
        let message = "`--abstraction` and `--relation` are for models";
        return Err(Failure::usage("P0001", message));
    }
    let (solver, budget) = (SolverConfig::default(), Budget::unlimited());
    let wrong = |e: GaloisError| Failure::usage("P0001", &e.to_string());
    if args.relation {
        let relation = abstract_relation(task, &task.predicates, &solver, &budget);
        let relation = relation.map_err(wrong)?;
        return Ok(drawn(format, || relation.show(), || relation.graph(&task.program.name)));
    }
    match task.predicates.split_first() {
        Some((set, rest)) => show_abstraction(task, *set, rest, &solver, &budget).map_err(wrong),
        None => Err(wrong(GaloisError::NoPredicates)),
    }
}

fn warn(sources: &SourceMap, warnings: &Diagnostics) {
    let look = terminal::look(&std::io::stderr());
    let warnings = render_diagnostics(sources, warnings, look);
    if !warnings.is_empty() {
        terminal::note(warnings.trim_end());
    }
}

fn drawn(format: Format, text: impl Fn() -> String, graph: impl Fn() -> Graph) -> String {
    match format {
        Format::Text => text(),
        Format::Dot => to_dot(&graph()),
        Format::Svg => to_svg(&graph()),
    }
}
