//! `parallax check --each-function`: every function of a program, called with
//! arbitrary arguments, and a table.

use crate::args::CheckArgs;
use crate::check::{choice, solver};
use crate::drive::Drive;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{files, terminal};
use parallax::report::escape::shell_word;
use parallax::report::{CostJson, FunctionRow, Page, RunJson, render_functions, run_json};
use parallax::{Check, Verdict, c_functions, load_files};
use parallax_base::Budget;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// Name and version of the format of the table for scripts.
const SCHEMA: &str = "parallax-functions/1";

/// A function has at least this long, if there is as much.
const LEAST: Duration = Duration::from_secs(1);

/// A function and what came of it.
struct Row {
    row: FunctionRow,
    json: Option<RunJson>,
}

#[derive(Serialize)]
struct TableJson<'a> {
    schema: &'static str,
    verdict: &'static str,
    functions: Vec<FunctionJson<'a>>,
    stats: CostJson,
}

#[derive(Serialize)]
struct FunctionJson<'a> {
    name: &'a str,
    verdict: &'static str,
    note: &'a str,
    result: Option<&'a RunJson>,
}

/// Checks every function.
pub(crate) fn run(args: CheckArgs) -> Result<Exit, Failure> {
    files::prepare(args.formats.outputs(), args.files.iter().map(PathBuf::as_path))?;
    let drive = Drive::new(&args);
    let args = Arc::new(args);
    let rows = Arc::new(Mutex::new(Vec::new()));
    let work = {
        let (args, rows) = (Arc::clone(&args), Arc::clone(&rows));
        move |budget: &Budget| work(&args, &rows, budget)
    };
    // Stopped or not, what is known is shown.
    drive.run(work)?;
    let rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
    let verdict = Verdict::worst(rows.iter().map(|row: &Row| row.row.verdict));
    let object = {
        let functions = rows.iter().map(|Row { row, json }| FunctionJson {
            name: &row.name,
            verdict: row.verdict.word(),
            note: &row.note,
            result: json.as_ref(),
        });
        TableJson {
            schema: SCHEMA,
            verdict: verdict.word(),
            functions: functions.collect(),
            stats: CostJson::after(drive.budget.elapsed()),
        }
    };
    let table: Vec<FunctionRow> = rows.iter().map(|row| row.row.clone()).collect();
    let subject = args.files[0].file_name().unwrap_or_default().to_string_lossy();
    let mut text = render_functions(&subject, &table, terminal::look(&std::io::stdout()));
    if let Some(row) = table.iter().find(|row| row.verdict == verdict && verdict != Verdict::Holds)
    {
        let names: Vec<String> = args
            .files
            .iter()
            .map(|file| shell_word(&file.to_string_lossy()).into_owned())
            .collect();
        let (settings, asked) = (args.question.settings(), args.question.asked());
        let name = shell_word(&row.name);
        let files = names.join(" ");
        text.push_str(&format!(
            "  next: parallax check {files} --function {name}{settings}{asked}\n"
        ));
    }
    let sources = || {
        let read = |file: &PathBuf| {
            let name = file.to_string_lossy().into_owned();
            Some((name, std::fs::read_to_string(file).ok()?))
        };
        args.files.iter().filter_map(read).collect()
    };
    drive.deliver(&object, || text, || Page { sources: sources(), ..Page::default() })?;
    Ok(verdict.into())
}

/// Checks one function after the other; each may use its share of what is left.
fn work(args: &CheckArgs, rows: &Mutex<Vec<Row>>, budget: &Budget) -> Result<(), Failure> {
    let options = args.load_options(budget)?;
    let names = c_functions(&args.files, &options.c)?;
    {
        let mut rows = rows.lock().unwrap_or_else(PoisonError::into_inner);
        rows.extend(names.iter().map(|name| Row { row: open(name), json: None }));
    }
    for (at, name) in names.iter().enumerate() {
        budget.check().map_err(|stop| Failure::stopped(stop, &stop.to_string()))?;
        let left = (names.len() - at) as u32;
        let share = budget.remaining().map(|time| (time / left).max(LEAST));
        let budget = share.map_or_else(|| budget.clone(), |share| budget.within(share));
        let row = function(args, name, &budget)?;
        rows.lock().unwrap_or_else(PoisonError::into_inner)[at] = row;
    }
    Ok(())
}

/// A function that nothing is known of yet.
fn open(name: &str) -> FunctionRow {
    FunctionRow {
        name: name.to_owned(),
        verdict: Verdict::Unknown,
        note: String::from("not looked at: the limits were reached before"),
        assumptions: Vec::new(),
    }
}

fn function(args: &CheckArgs, name: &str, budget: &Budget) -> Result<Row, Failure> {
    let mut options = args.load_options(budget)?;
    options.c.call = Some(args.question.call.bounds.call(name));
    let note = |note: String| Ok(Row { row: FunctionRow { note, ..open(name) }, json: None });
    let task = match load_files(&args.files, &options) {
        Ok(task) => task,
        Err(error) => {
            let failure = Failure::from(error);
            return match failure.of_part() {
                Some(text) => note(text),
                None => Err(failure),
            };
        }
    };
    let checked = Check::new(&task)
        .engine(choice(&args.engine), args.config())
        .solver(solver(args)?)
        .cross_check(args.cross_check)
        .reduce(!args.no_por)
        .budget(budget.clone())
        .run()?;
    let run = checked.report(&task);
    let row = FunctionRow::of(name, &run);
    Ok(Row { row, json: Some(run_json(&run, args.verbose)) })
}
