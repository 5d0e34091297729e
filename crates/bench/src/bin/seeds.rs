//! `bench/seeds`: the published tables and growth beyond them.
//!
//! Albarghouthi, *Abstract Analysis via Symbolic Executions* (MSc thesis,
//! Toronto 2010), Fig. 5.1 and 5.2, for `ase`, for its plain search, and for
//! `ur`. Rows are printed as they end; objections follow on stderr.

use std::io::{self, Write};
use std::process::ExitCode;

use parallax_bench::{Arguments, USAGE, judge, measure};

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(message) => {
            // If stderr is gone there is nobody to tell.
            let _ = writeln!(io::stderr(), "seeds: {message}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let mut out = io::stdout().lock();
    let mut say = |line: &str| {
        writeln!(out, "{line}").and_then(|()| out.flush()).map_err(|e| format!("stdout: {e}"))
    };
    let Some(arguments) = Arguments::parse(std::env::args().skip(1))? else {
        say(USAGE.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    };
    let rows = arguments.rows()?;
    say(&arguments.table.header())?;
    let (mut objections, mut open) = (Vec::new(), 0);
    for row in &rows {
        let measured = measure(&arguments.runner, row)
            .map_err(|e| format!("{}: {e}", arguments.runner.parallax.display()))?;
        say(&arguments.table.line(row, &measured))?;
        open += usize::from(measured.outcome.word() == "unknown");
        objections.extend(judge(row, &measured));
    }
    let mut err = io::stderr().lock();
    let mut tell = |line: String| {
        let _ = writeln!(err, "seeds: {line}");
    };
    for objection in &objections {
        tell(objection.to_string());
    }
    tell(format!("{} rows, {open} unknown, {} objections", rows.len(), objections.len()));
    Ok(ExitCode::from(u8::from(!objections.is_empty())))
}
