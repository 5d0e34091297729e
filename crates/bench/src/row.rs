//! The rows of a benchmark: what to run, what to expect, what was published.
//!
//! One line per row and engine, columns separated by tabs, `-` for an empty
//! cell. The first line names the columns, so a file explains itself; lines
//! that start with `#` are comments.

use std::collections::BTreeMap;
use std::fmt;

/// A figure that is compared with a published one.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Figure {
    /// Rounds of abstraction and refinement.
    Iterations,
    /// Predicates of the last round.
    Predicates,
    /// Concrete or symbolic states of the last round.
    States,
    /// Abstract states of the last round.
    AbstractStates,
}

impl Figure {
    /// All figures, in the order of the columns.
    pub const ALL: [Figure; 4] =
        [Figure::Iterations, Figure::Predicates, Figure::States, Figure::AbstractStates];

    /// The name of its column.
    pub fn word(self) -> &'static str {
        match self {
            Figure::Iterations => "iterations",
            Figure::Predicates => "predicates",
            Figure::States => "states",
            Figure::AbstractStates => "abstract_states",
        }
    }
}

/// Figures by name; absent ones are not known.
pub type Figures = BTreeMap<Figure, u64>;

/// A figure that a row must show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Demand {
    /// Which figure.
    pub figure: Figure,
    /// Whether a smaller value will do as well.
    pub at_most: bool,
    /// Its value: the published one, or ours where the row's note explains the
    /// difference.
    pub value: u64,
}

/// One line: a question, an engine, and what is known about them.
#[derive(Clone, PartialEq, Debug)]
pub struct Row {
    /// The name, as in the published table where there is one.
    pub name: String,
    /// Where it comes from: the figure of the paper, or `growth`.
    pub source: String,
    /// The engine and how it is set, in one word.
    pub engine: String,
    /// The arguments that choose engine and settings.
    pub args: Vec<String>,
    /// The model, relative to the root of the repository.
    pub model: String,
    /// Constants, as `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The property asked.
    pub property: String,
    /// `holds` or `violated`.
    pub expected: String,
    /// Time limit in seconds.
    pub limit: u64,
    /// Published figures.
    pub published: Figures,
    /// Published time in seconds, on the machine of that day.
    pub published_seconds: Option<f64>,
    /// How the model relates to the published one: `exact`, `reconstruction`
    /// or `ours`.
    pub label: String,
    /// What the figures must be.
    pub demands: Vec<Demand>,
    /// Why figures differ from the published ones.
    pub note: String,
}

/// A line that cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowError {
    /// Its number, counted from one.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

impl fmt::Display for RowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.message)
    }
}

impl std::error::Error for RowError {}

const COLUMNS: [&str; 17] = [
    "row",
    "source",
    "engine",
    "args",
    "model",
    "defines",
    "property",
    "expected",
    "limit",
    "published_iterations",
    "published_predicates",
    "published_seconds",
    "published_states",
    "published_abstract_states",
    "label",
    "must",
    "note",
];

const VERDICTS: [&str; 2] = ["holds", "violated"];
const LABELS: [&str; 3] = ["exact", "reconstruction", "ours"];

/// Reads the rows of a file.
///
/// # Errors
/// The first line that is not a row.
pub fn parse_rows(text: &str) -> Result<Vec<Row>, RowError> {
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#'));
    let header = lines.next().map(|(_, line)| line.split('\t').collect::<Vec<_>>());
    if header.as_deref() != Some(&COLUMNS) {
        return Err(RowError { line: 1, message: format!("expected {}", COLUMNS.join(", ")) });
    }
    let mut rows: Vec<Row> = Vec::new();
    for (index, line) in lines {
        let row = parse_row(line).map_err(|message| RowError { line: index + 1, message })?;
        if rows.iter().any(|r| r.name == row.name && r.engine == row.engine) {
            let message = format!("second row `{}` for `{}`", row.name, row.engine);
            return Err(RowError { line: index + 1, message });
        }
        rows.push(row);
    }
    Ok(rows)
}

fn parse_row(line: &str) -> Result<Row, String> {
    let cells: Vec<&str> = line.split('\t').map(|c| if c == "-" { "" } else { c }).collect();
    let [
        name,
        source,
        engine,
        args,
        model,
        defines,
        property,
        expected,
        limit,
        iterations,
        predicates,
        seconds,
        states,
        abstract_states,
        label,
        must,
        note,
    ] = cells[..]
    else {
        return Err(format!("{} cells instead of {}", cells.len(), COLUMNS.len()));
    };
    let mut published = Figures::new();
    for (figure, cell) in
        Figure::ALL.into_iter().zip([iterations, predicates, states, abstract_states])
    {
        if !cell.is_empty() {
            published.insert(figure, number(cell)?);
        }
    }
    let words = |cell: &str| cell.split_whitespace().map(str::to_owned).collect();
    Ok(Row {
        name: filled("row", name)?,
        source: filled("source", source)?,
        engine: filled("engine", engine)?,
        args: words(args),
        model: filled("model", model)?,
        defines: words(defines),
        property: filled("property", property)?,
        expected: one_of("expected", expected, &VERDICTS)?,
        limit: number(limit)?,
        published_seconds: match seconds {
            "" => None,
            cell => Some(cell.parse().map_err(|_| format!("`{cell}` is no time"))?),
        },
        label: one_of("label", label, &LABELS)?,
        demands: demands(must, &published)?,
        published,
        note: note.to_owned(),
    })
}

fn filled(column: &str, cell: &str) -> Result<String, String> {
    if cell.is_empty() { Err(format!("no {column}")) } else { Ok(cell.to_owned()) }
}

fn one_of(column: &str, cell: &str, words: &[&str]) -> Result<String, String> {
    if words.contains(&cell) {
        return Ok(cell.to_owned());
    }
    Err(format!("{column}: `{cell}` is none of {}", words.join(", ")))
}

fn number(cell: &str) -> Result<u64, String> {
    cell.parse().map_err(|_| format!("`{cell}` is no number"))
}

/// `iterations` demands the published value, `iterations<=` at most that,
/// `predicates=4` and `predicates<=4` speak about another value.
fn demands(cell: &str, published: &Figures) -> Result<Vec<Demand>, String> {
    let mut demands = Vec::new();
    for word in cell.split_whitespace() {
        let (name, value) = word.split_once('=').unwrap_or((word, ""));
        let (name, at_most) = name.strip_suffix('<').map_or((name, false), |name| (name, true));
        let figure = Figure::ALL.into_iter().find(|f| f.word() == name);
        let figure = figure.ok_or_else(|| format!("must: there is no figure `{name}`"))?;
        let value = match value {
            "" => published.get(&figure).copied(),
            value => Some(number(value)?),
        };
        let value = value.ok_or_else(|| format!("must: no published {name}"))?;
        demands.push(Demand { figure, at_most, value });
    }
    Ok(demands)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cells: &str, expected: Result<&str, &str>) {
        let text = format!("# rows\n{}\n{}\n", COLUMNS.join("\t"), cells.replace(' ', "\t"));
        let shown = parse_rows(&text).map(|rows| {
            let row = &rows[0];
            format!("{} {:?} {:?} {:?}", row.name, row.defines, row.published, row.demands)
        });
        let shown = shown.map_err(|e| e.to_string());
        assert_eq!(shown.as_deref().map_err(String::as_str), expected);
    }

    #[test]
    fn rows_are_read_or_refused_with_their_line() {
        check(
            "r 5.1 ase --engine=ase m.plx N=2 p holds 60 1 2 0.5 - 3 ours iterations -",
            Ok("r [\"N=2\"] {Iterations: 1, Predicates: 2, AbstractStates: 3} \
                [Demand { figure: Iterations, at_most: false, value: 1 }]"),
        );
        check(
            "r 5.1 ase - m.plx - p holds 60 1 2 - - - ours predicates<=3 -",
            Ok("r [] {Iterations: 1, Predicates: 2} \
                [Demand { figure: Predicates, at_most: true, value: 3 }]"),
        );
        check("r 5.1 ase", Err("line 3: 3 cells instead of 17"));
        check(
            "r 5.1 ase - m.plx - p true 60 - - - - - ours - -",
            Err("line 3: expected: `true` is none of holds, violated"),
        );
        check(
            "r 5.1 ase - m.plx - p holds 60 - - - - - ours states -",
            Err("line 3: must: no published states"),
        );
    }

    #[test]
    fn the_rows_of_the_repository_are_sound() {
        let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
        let text = std::fs::read_to_string(format!("{root}/bench/seeds.tsv")).unwrap();
        let rows = parse_rows(&text).unwrap();
        for row in &rows {
            let path = format!("{root}/{}", row.model);
            let model = std::fs::read_to_string(&path).unwrap();
            assert!(model.contains(&row.property), "{}: no property {}", row.model, row.property);
            for define in &row.defines {
                let (name, _) = define.split_once('=').unwrap();
                assert!(model.contains(&format!("const {name} =")), "{}: no {name}", row.model);
            }
            let differs = |d: &Demand| row.published.get(&d.figure).is_some_and(|p| *p != d.value);
            let explained = !row.note.is_empty() || !row.demands.iter().any(differs);
            assert!(explained, "{}: a figure differs and no note says why", row.name);
        }
    }
}
