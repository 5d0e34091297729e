//! `parallax testgen`

use crate::args::{CertifyArgs, LimitArgs};
use crate::deliver::FormatArgs;
use crate::drive::{Drive, Driven, Timed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::testgen_args::TestgenArgs;
use crate::unfinished::Asked;
use crate::{files, terminal};
use parallax::Verdict;
use parallax::page_sources;
use parallax::report::{CostJson, Envelope, Page, RowJson, render_diagnostics};
use parallax::testgen::suite::{
    SCHEMA as SUITE_SCHEMA, Sanitize, Suite, TestCompOptions, c_failure, c_suite, coverage_listing,
    run_native, sequence_text, shape_svg, suite_json, summary, test_comp,
};
use parallax::testgen::{Confirmed, Match, TestgenConfig, load_container};
use parallax_base::{Budget, iso_time, peak_memory_bytes};
use serde_json::{Value, to_value};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What there is to print.
struct Done {
    text: String,
    json: serde_json::Value,
    exit: Exit,
    warnings: String,
    sources: Vec<(String, String)>,
}

/// Generates tests.
pub(crate) fn run(args: TestgenArgs) -> Result<Exit, Failure> {
    let read: Vec<&Path> = args.files.iter().chain(&args.api).map(PathBuf::as_path).collect();
    if let Some(folder) = &args.out {
        files::prepare_folder(folder)?;
        WRITTEN.iter().try_for_each(|name| files::spare(&folder.join(name), &read))?;
    }
    let written = args.certificate.as_deref().into_iter().chain(args.formats.outputs());
    files::prepare(written, read.iter().copied())?;
    let drive = Drive::new(&args);
    let done = match drive.run(move |budget| work(&args, budget))? {
        Driven::Done(done) => done,
        Driven::Stopped(stop) => return Ok(drive.unfinished(stop)),
    };
    if !done.warnings.is_empty() {
        terminal::note(done.warnings.trim_end());
    }
    drive.deliver(
        &done.json,
        || done.text,
        || Page { sources: done.sources, ..Page::default() },
    )?;
    Ok(done.exit)
}

impl Timed for TestgenArgs {
    fn limits(&self) -> LimitArgs {
        self.limits
    }

    fn is_json(&self) -> bool {
        self.json
    }

    fn formats(&self) -> FormatArgs {
        self.formats.clone()
    }

    fn asked(&self) -> Asked {
        Asked::about(SUITE_SCHEMA, &self.files[0])
    }
}

fn work(args: &TestgenArgs, budget: &Budget) -> Result<Done, Failure> {
    let options = args.c.options(&args.defines);
    let container = load_container(&args.files, args.api.as_ref(), &options)?;
    let config = TestgenConfig {
        length: args.length,
        values: args.values.unwrap_or(args.length).max(1),
        matching: args.matching.value(),
        goal: args.coverage.goal(),
        operations: args.operations,
        seed: args.seed,
        shapes: args.shapes,
    };
    let subject = container.subject(&config)?;
    let found = container.search(&subject, &config, budget)?;
    let seconds = budget.elapsed().as_secs_f64();
    let suite = Suite {
        subject: &subject,
        found: &found,
        config: &config,
        sources: &container.program.sources,
        files: &container.program.files,
        defines: &container.defines,
    };
    let mut text = summary(&suite);
    let mut json = suite_json(&suite);
    json["seconds"] = serde_json::json!(seconds);
    json["memory"] = serde_json::json!(peak_memory_bytes());
    json["stats"] = serde_json::json!(CostJson::after(budget.elapsed()));
    let verdict = match (&found.failure, found.stopped) {
        (Some(_), _) => Verdict::Violated,
        (None, Some(_)) => Verdict::Unknown,
        (None, None) => Verdict::Holds,
    };
    let envelope = envelope(&suite, verdict);
    for assumption in &envelope.assumptions {
        let _ = writeln!(text, "assumes   {assumption}");
    }
    if let (Value::Object(json), Ok(Value::Object(answer))) = (&mut json, to_value(&envelope)) {
        json.extend(answer);
    }
    if let Some(failure) = &found.failure {
        let place = failure.wrong.place();
        let place = place.map(|p| format!(" at {}", container.program.sources.place(p.span)));
        let sequence = sequence_text(&container.api, &failure.calls);
        let _ = writeln!(text, "failure   {}{}", failure.wrong, place.unwrap_or_default());
        let _ = writeln!(text, "          {sequence}");
        let steps = container.confirm(&suite, failure).map_err(|why| {
            let wrong = &failure.wrong;
            Failure::internal(&format!("`{sequence}` was said to fail ({wrong}): {why}"))
        })?;
        let _ = writeln!(text, "          an independent run agrees ({steps} steps)");
        json["failure"]["checked"] = serde_json::json!({ "by": "C interpreter", "steps": steps });
        if let Some(path) = &args.certificate {
            let evidence = container.failure_evidence(failure);
            files::write(path, |out| out.write_all(evidence.as_bytes()))?;
        }
    }
    if let Some(folder) = &args.out {
        write(folder, &suite)?;
        let _ = writeln!(text, "written   {}", folder.display());
        if args.run {
            native(folder, &suite, &mut text, &mut json)?;
        }
    }
    let look = terminal::look(&std::io::stderr());
    let warnings =
        render_diagnostics(&container.program.sources, &container.program.warnings, look);
    let sources = page_sources(&container.program.sources);
    Ok(Done { text, json, exit: verdict.into(), warnings, sources })
}

/// Checks a sequence that fails, from a file.
pub(crate) fn certify(
    args: &CertifyArgs,
    files: &[PathBuf],
    evidence: &Path,
) -> Result<Exit, Failure> {
    let asked = args.question.asked();
    if !asked.is_empty() {
        let message = format!("a container is asked whether a sequence fails: leave out{asked}");
        return Err(Failure::usage("P0001", &message));
    }
    let evidence = files::read(evidence)?;
    let drive = Drive::new(args);
    let (options, api) = (args.question.c.options(&args.question.defines), args.api.clone());
    let files = files.to_owned();
    let driven = drive.run(move |budget| {
        let container = load_container(&files, api.as_ref(), &options)?;
        Ok(container.certify_failure(evidence.as_bytes(), budget))
    })?;
    let answer = match driven {
        Driven::Done(answer) => answer,
        Driven::Stopped(stop) => return Ok(drive.unfinished(stop)),
    };
    let verdict = if answer.is_ok() { Verdict::Violated } else { Verdict::Unknown };
    let by = answer.iter().map(|_| String::from("C interpreter")).collect();
    let row = RowJson {
        name: String::from(ASKED),
        verdict,
        checked_by: by,
        reason: answer.as_ref().err().cloned(),
    };
    let mut object = to_value(Envelope::new(vec![row], &[])).unwrap_or_default();
    object["schema"] = serde_json::json!(SUITE_SCHEMA);
    object["stats"] = serde_json::json!(CostJson::after(drive.budget.elapsed()));
    let text = || {
        let why = match &answer {
            Ok(Confirmed { sequence, steps }) => {
                format!("{sequence} (checked by C interpreter, {steps} steps)")
            }
            Err(why) => format!("evidence rejected: {why}"),
        };
        format!("{ASKED}  {}  {why}\n", verdict.word())
    };
    drive.deliver(&object, text, Page::default)?;
    Ok(verdict.into())
}

/// What a search is asked.
const ASKED: &str = "no sequence fails";

/// The one answer of a search: whether a sequence fails. It is about the
/// sequences that were tried.
fn envelope(suite: &Suite<'_>, verdict: Verdict) -> Envelope {
    let TestgenConfig { length, values, matching, operations, .. } = suite.config;
    let mut assumes = vec![match matching {
        Match::Random => format!("{operations} operations at random, {length} in a sequence"),
        _ => format!("sequences of up to {length} operations, {values} values for a parameter"),
    }];
    if !matching.is_exhaustive() && *matching != Match::Random {
        assumes.push(format!("states that match by `{}` are taken for one", matching.name()));
    }
    if verdict == Verdict::Violated {
        assumes.clear();
    }
    let row = RowJson {
        name: String::from(ASKED),
        verdict,
        checked_by: match verdict {
            Verdict::Violated => vec![String::from("C interpreter")],
            _ => Vec::new(),
        },
        reason: suite.found.stopped.map(|stop| format!("{stop} reached")),
    };
    Envelope::new(vec![row], &assumes)
}

/// Files of a suite that could be among those it is made from.
const WRITTEN: [&str; 4] = ["suite.c", "suite.json", "coverage.txt", "failure.c"];

fn write(folder: &Path, suite: &Suite<'_>) -> Result<(), Failure> {
    let put = |path: &Path, text: &str| files::write(path, |out| out.write_all(text.as_bytes()));
    files::create_folder(folder)?;
    put(&folder.join("suite.c"), &c_suite(suite, "suite.c"))?;
    let mut json = serde_json::to_string_pretty(&suite_json(suite)).unwrap_or_default();
    json.push('\n');
    put(&folder.join("suite.json"), &json)?;
    put(&folder.join("coverage.txt"), &coverage_listing(suite))?;
    if let Some(failure) = &suite.found.failure {
        put(&folder.join("failure.c"), &c_failure(suite, failure, "failure.c"))?;
    }
    let xml = folder.join("test-comp");
    files::create_folder(&xml)?;
    let options =
        TestCompOptions { program: "driver.c".to_owned(), time: iso_time(SystemTime::now()) };
    for (name, text) in test_comp(suite, &options) {
        put(&xml.join(name), &text)?;
    }
    let shapes = folder.join("shapes");
    files::create_folder(&shapes)?;
    for (number, shape) in suite.found.shapes.iter().enumerate() {
        put(&shapes.join(format!("shape-{:04}.svg", number + 1)), &shape_svg(shape))?;
    }
    Ok(())
}

/// Compiles what was written with sanitizers, and runs it.
fn native(
    folder: &Path,
    suite: &Suite<'_>,
    text: &mut String,
    json: &mut serde_json::Value,
) -> Result<(), Failure> {
    let run = |file: &str| {
        run_native(&folder.join(file), Sanitize::Yes)
            .map_err(|message| Failure::input("P0002", &message))
    };
    let ran = run("suite.c")?;
    let _ = writeln!(text, "native    {} of {} tests pass under sanitizers", ran.good, ran.count);
    json["native"] = serde_json::json!({ "good": ran.good, "count": ran.count });
    if suite.found.failure.is_some() {
        let ran = run("failure.c")?;
        let how = if ran.good == 0 { "fails" } else { "does not fail" };
        let _ = writeln!(text, "          the failing sequence {how} natively");
        let first = ran.messages.lines().find(|line| {
            line.contains("ERROR:") || line.contains("runtime error") || line.contains("Assertion")
        });
        if let Some(line) = first {
            let _ = writeln!(text, "          {}", line.trim());
        }
        json["native"]["failure"] = serde_json::json!(ran.good == 0);
    }
    Ok(())
}
