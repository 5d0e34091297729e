//! The command line of the benchmarks.

use std::path::PathBuf;

use crate::measure::Runner;
use crate::row::{Row, parse_rows};
use crate::table::Table;

/// What `--help` prints.
pub const USAGE: &str = "\
Runs rows of bench/seeds.tsv and prints measured and published figures.

Usage: bench/seeds [OPTIONS] [ROW]...
       bench/speedup [OPTIONS] [ROW]...

  ROW                a row by its name; all rows if none is given
  --engine ENGINE    rows of this engine only: ase, ase-plain, ur
  --time SECONDS     a time limit for every row, in place of its own
  --markdown         a Markdown table in place of tab-separated values
  --parallax FILE    the binary to run; by default the one beside this one
  --help             this text

Exits with 1 when a verdict is wrong or a row does not show the figures it must,
with 2 when the command line or the rows cannot be read.
";

/// A parsed command line.
#[derive(Clone, Debug)]
pub struct Arguments {
    /// Row names; empty means all.
    pub names: Vec<String>,
    /// The engine asked for.
    pub engine: Option<String>,
    /// How to run rows.
    pub runner: Runner,
    /// How to print them.
    pub table: Table,
}

impl Arguments {
    /// Reads a command line; `None` if it asks for help.
    ///
    /// # Errors
    /// What is wrong with it, in a sentence.
    pub fn parse(args: impl IntoIterator<Item = String>) -> Result<Option<Arguments>, String> {
        let mut names = Vec::new();
        let (mut engine, mut limit, mut parallax) = (None, None, None);
        let mut table = Table::Tabs;
        let mut args = args.into_iter();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value"));
            match arg.as_str() {
                "--engine" => engine = Some(value()?),
                "--time" => limit = Some(whole_seconds(&value()?)?),
                "--parallax" => parallax = Some(PathBuf::from(value()?)),
                "--markdown" => table = Table::Markdown,
                "--help" | "-h" => return Ok(None),
                option if option.starts_with('-') => return Err(format!("no option {option}")),
                _ => names.push(arg),
            }
        }
        let parallax = match parallax {
            Some(path) => path,
            None => beside_this().ok_or("cannot tell where this binary is; use --parallax")?,
        };
        let root = PathBuf::from(".");
        Ok(Some(Arguments { names, engine, runner: Runner { parallax, root, limit }, table }))
    }

    /// The rows of `bench/seeds.tsv` that were asked for, in the file's order.
    ///
    /// # Errors
    /// The file cannot be read, or has no such row.
    pub fn rows(&self) -> Result<Vec<Row>, String> {
        let path = self.runner.root.join("bench/seeds.tsv");
        let unreadable = |error: String| format!("{}: {error}", path.display());
        let text = std::fs::read_to_string(&path).map_err(|e| unreadable(e.to_string()))?;
        let rows = parse_rows(&text).map_err(|e| unreadable(e.to_string()))?;
        self.select(rows)
    }

    fn select(&self, rows: Vec<Row>) -> Result<Vec<Row>, String> {
        for name in &self.names {
            if !rows.iter().any(|row| row.name == *name) {
                return Err(format!("there is no row `{name}`"));
            }
        }
        if let Some(engine) = &self.engine
            && !rows.iter().any(|row| row.engine == *engine)
        {
            return Err(format!("there are no rows for an engine `{engine}`"));
        }
        let named = |row: &Row| self.names.is_empty() || self.names.contains(&row.name);
        let wanted = |row: &Row| self.engine.as_ref().is_none_or(|e| row.engine == *e);
        Ok(rows.into_iter().filter(|row| named(row) && wanted(row)).collect())
    }
}

/// `60` or `60s`.
fn whole_seconds(text: &str) -> Result<u64, String> {
    let digits = text.strip_suffix('s').unwrap_or(text);
    digits.parse().map_err(|_| format!("--time: `{text}` is no number of seconds"))
}

fn beside_this() -> Option<PathBuf> {
    let here = std::env::current_exe().ok()?;
    Some(here.with_file_name(format!("parallax{}", std::env::consts::EXE_SUFFIX)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(line: &str, expected: Result<&str, &str>) {
        let arguments = Arguments::parse(line.split_whitespace().map(str::to_owned));
        let shown = arguments.map(|a| match a {
            None => "help".to_owned(),
            Some(a) => format!("{:?} {:?} {:?} {:?}", a.names, a.engine, a.runner.limit, a.table),
        });
        assert_eq!(shown.as_deref().map_err(String::as_str), expected, "{line}");
    }

    #[test]
    fn command_lines_are_read_or_refused() {
        check("", Ok("[] None None Tabs"));
        check("RAX --engine ur elev4 --time 5s", Ok(r#"["RAX", "elev4"] Some("ur") Some(5) Tabs"#));
        check("--markdown", Ok("[] None None Markdown"));
        check("RAX --help", Ok("help"));
        check("--time", Err("--time needs a value"));
        check("--time soon", Err("--time: `soon` is no number of seconds"));
        check("--fast", Err("no option --fast"));
    }
}
