//! How many files of a collection the C front end takes, and why not the rest.
//!
//! `survey ROOT INDEX [PREFIX]`: INDEX is a table with tabs and a header, whose
//! first column is a path below ROOT and whose fourth is the data model (ILP32
//! or LP64). Prints a line for each file: how far it came, milliseconds, lines,
//! path, place and reason of the first failure; then the sums. Files are
//! preprocessed, parsed, checked and lowered, two at a time.

use parallax_base::{Diagnostics, SourceFile, SourceMap, peak_memory_bytes};
use parallax_cfa::DataModel;
use parallax_front_c::{
    Input, Options, libc, lower, on_large_stack, parse_inputs, parse_unit, sema,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// What became of a file.
struct Outcome {
    /// The stage that failed; `partly` if something is not modelled; `lowered`.
    stage: &'static str,
    reason: String,
    lines: usize,
    seconds: f64,
}

fn first_of(sources: &SourceMap, all: &Diagnostics) -> String {
    let Some(first) = all.iter().next() else { return String::new() };
    let place = first.labels.first().map_or(String::new(), |label| sources.place(label.span));
    format!("{} {place}: {}", first.code, first.message)
}

fn survey(path: &Path, model: DataModel) -> Outcome {
    let options = Options { model, ..Options::default() };
    let mut sources = SourceMap::default();
    let started = Instant::now();
    let work = || on_large_stack(|| stages(&mut sources, path, &options));
    let (stage, reason) = catch_unwind(AssertUnwindSafe(work))
        .unwrap_or_else(|_| ("panic", path.display().to_string()));
    let seconds = started.elapsed().as_secs_f64();
    let lines = sources.get(parallax_base::FileId(0)).map_or(0, |f| f.line_count() as usize);
    Outcome { stage, reason, lines, seconds }
}

fn stages(sources: &mut SourceMap, path: &Path, options: &Options) -> (&'static str, String) {
    let mut warnings = Diagnostics::default();
    let mut units = match parse_inputs(sources, &[Input::file(path)], options, &mut warnings) {
        Ok(units) => units,
        Err(errors) => return ("parse", first_of(sources, &errors)),
    };
    for model in libc::models(&units) {
        let file = sources.add(SourceFile::new(model.name, model.text));
        units.push(parse_unit(sources, file).0);
    }
    let typed = match sema::check(&units, options.model, &mut warnings) {
        Ok(program) => program,
        Err(errors) => return ("check", first_of(sources, &errors)),
    };
    drop(units);
    let lowered = lower::lower(&typed, options);
    match lowered.unsupported.first() {
        Some((span, what)) => ("partly", format!("{}: {what}", sources.place(*span))),
        None => ("lowered", String::new()),
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [root, index, rest @ ..] = &arguments[..] else {
        let _ = writeln!(std::io::stderr(), "usage: survey ROOT INDEX [PREFIX]");
        return ExitCode::from(2);
    };
    let prefix = rest.first().map_or("", String::as_str);
    let Ok(table) = std::fs::read_to_string(index) else {
        let _ = writeln!(std::io::stderr(), "survey: cannot read {index}");
        return ExitCode::from(2);
    };
    let mut files: BTreeMap<PathBuf, DataModel> = BTreeMap::new();
    for line in table.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let model = match columns.get(3) {
            Some(&"LP64") => DataModel::Lp64,
            _ => DataModel::Ilp32,
        };
        if columns[0].starts_with(prefix) {
            files.insert(Path::new(root).join(columns[0]), model);
        }
    }
    let files: Vec<(PathBuf, DataModel)> = files.into_iter().collect();
    let (next, sums) =
        (AtomicUsize::new(0), Mutex::new(BTreeMap::<&str, (usize, f64, usize)>::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some((path, model)) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let Outcome { stage, reason, lines, seconds } = survey(path, *model);
                    let mut line = format!("{stage}\t{:.1}\t{lines}\t", seconds * 1000.0);
                    let _ = writeln!(line, "{}\t{reason}", path.display());
                    if let Ok(mut sums) = sums.lock() {
                        let sum = sums.entry(stage).or_default();
                        *sum = (sum.0 + 1, sum.1 + seconds, sum.2 + lines);
                        let _ = std::io::stdout().write_all(line.as_bytes());
                    }
                }
            });
        }
    });
    let mut err = std::io::stderr();
    for (stage, (count, seconds, lines)) in &*sums.lock().unwrap_or_else(|e| e.into_inner()) {
        let _ = writeln!(err, "{stage}: {count} files, {lines} lines, {seconds:.1} s");
    }
    let peak = peak_memory_bytes() >> 20;
    let _ = writeln!(err, "{} files, at most {peak} MiB", files.len());
    ExitCode::SUCCESS
}
