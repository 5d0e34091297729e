//! `bench/speedup`: the default search of `ase` against the plain one.
//!
//! Both searches answer the same question in the same run, one after the
//! other; the ratio of their times does not depend on the machine. The row
//! that counts is the one that costs the plain search most of those that it
//! finishes: there the default must be at least [`FACTOR`] times faster.

use std::io::{self, Write};
use std::process::ExitCode;

use parallax_bench::{Arguments, Measured, Row, USAGE, judge, measure};

/// How much faster the default search must be.
const FACTOR: f64 = 20.0;

/// Rows that are tried when none is named: the largest that the plain search
/// may finish, of each family that grows.
const DEFAULT_ROWS: [&str; 7] =
    ["ticket4", "ticket5", "elev8", "elev9", "elev10", "ticket3-200", "RAX-500"];

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            // If stderr is gone there is nobody to tell.
            let _ = writeln!(io::stderr(), "speedup: {message}");
            ExitCode::from(2)
        }
    }
}

/// The row with the settings of the plain search, and without demands.
fn plain(row: &Row) -> Row {
    let mut plain = row.clone();
    plain.engine = "ase-plain".into();
    plain.args.extend(["--search".into(), "plain".into()]);
    plain.demands.clear();
    plain
}

fn is_decided(measured: &Measured) -> bool {
    ["holds", "violated"].contains(&measured.outcome.word())
}

fn run() -> Result<ExitCode, String> {
    let mut out = io::stdout().lock();
    let mut say = |line: &str| {
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|e| format!("stdout: {e}"))
    };
    let Some(mut arguments) = Arguments::parse(std::env::args().skip(1))? else {
        say(USAGE.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    if arguments.names.is_empty() {
        arguments.names = DEFAULT_ROWS.map(str::to_owned).to_vec();
    }
    arguments.engine = Some("ase".into());
    let table = arguments.table;
    say(&table.title(&["row", "verdict", "plain_verdict", "seconds", "plain_seconds", "ratio"]))?;
    let mut objections = Vec::new();
    let mut largest: Option<(f64, f64, String)> = None;
    for row in arguments.rows()? {
        let plain = plain(&row);
        let run = |row: &Row| {
            measure(&arguments.runner, row)
                .map_err(|e| format!("{}: {e}", arguments.runner.parallax.display()))
        };
        let (fast, slow) = (run(&row)?, run(&plain)?);
        let ratio = slow.seconds / fast.seconds;
        let bound = if is_decided(&slow) { "" } else { ">" };
        say(&table.cells(&[
            row.name.clone(),
            fast.outcome.word().to_owned(),
            slow.outcome.word().to_owned(),
            format!("{:.3}", fast.seconds),
            format!("{:.3}", slow.seconds),
            format!("{bound}{ratio:.1}"),
        ]))?;
        objections.extend(judge(&row, &fast).iter().map(ToString::to_string));
        objections.extend(judge(&plain, &slow).iter().map(ToString::to_string));
        let is_larger = largest.as_ref().is_none_or(|(seconds, ..)| slow.seconds > *seconds);
        if is_decided(&slow) && is_larger {
            largest = Some((slow.seconds, ratio, row.name));
        }
    }
    match largest {
        Some((_, ratio, name)) if ratio < FACTOR => {
            objections.push(format!("{name}: only {ratio:.1} times faster, must be {FACTOR} times"))
        }
        Some(_) => {}
        None => objections.push("the plain search finishes none of the rows".into()),
    }
    for objection in &objections {
        let _ = writeln!(io::stderr(), "speedup: {objection}");
    }
    Ok(ExitCode::from(u8::from(!objections.is_empty())))
}
