//! `parallax testgen`

use crate::args::LimitArgs;
use crate::drive::{Drive, Driven, Timed};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::testgen_args::TestgenArgs;
use crate::unfinished::Asked;
use crate::{files, terminal};
use parallax::Verdict;
use parallax::report::{CostJson, Envelope, RowJson, render_diagnostics};
use parallax::testgen::suite::{
    SCHEMA as SUITE_SCHEMA, Sanitize, Suite, TestCompOptions, c_failure, c_suite, coverage_listing,
    run_native, sequence_text, shape_svg, suite_json, summary, test_comp,
};
use parallax::testgen::{Match, TestgenConfig, load_container};
use parallax_base::{Budget, peak_memory_bytes};
use serde_json::{Value, to_value};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// What there is to print.
struct Done {
    text: String,
    json: serde_json::Value,
    exit: Exit,
    warnings: String,
}

/// Generates tests.
pub(crate) fn run(args: TestgenArgs) -> Result<Exit, Failure> {
    if let Some(folder) = &args.out {
        files::prepare_folder(folder)?;
        let read: Vec<&Path> = args.files.iter().chain(&args.api).map(PathBuf::as_path).collect();
        WRITTEN.iter().try_for_each(|name| files::spare(&folder.join(name), &read))?;
    }
    let drive = Drive::new(&args);
    let json = args.json;
    let done = match drive.run(move |budget| work(&args, budget))? {
        Driven::Done(done) => done,
        Driven::Stopped(stop) => return Ok(drive.unfinished(stop)),
    };
    if !done.warnings.is_empty() {
        terminal::note(done.warnings.trim_end());
    }
    if json {
        terminal::print_json(&done.json);
    } else {
        terminal::print(&done.text);
    }
    Ok(done.exit)
}

impl Timed for TestgenArgs {
    fn limits(&self) -> LimitArgs {
        self.limits
    }

    fn is_json(&self) -> bool {
        self.json
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
    Ok(Done { text, json, exit: verdict.into(), warnings })
}

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
        name: String::from("no sequence fails"),
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
    let options = TestCompOptions { program: "driver.c".to_owned(), time: now() };
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

/// The time in UTC, as `2026-01-31T12:00:00Z`.
fn now() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
    let (days, rest) = (since / 86_400, since % 86_400);
    // Days to a date in the Gregorian calendar, in eras of 400 years from March.
    let shifted = days + 719_468;
    let (era, day) = (shifted / 146_097, shifted % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let date = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!(
        "{:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}Z",
        year + era * 400 + carry,
        rest / 3600,
        rest / 60 % 60,
        rest % 60
    )
}
