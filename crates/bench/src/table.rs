//! Tables: tab-separated for scripts, Markdown for the book.

use crate::measure::Measured;
use crate::row::{Figure, Row};

/// How rows are printed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Table {
    /// Tab-separated values, with a header line.
    Tabs,
    /// A Markdown table with measured and published figures side by side.
    Markdown,
}

const TABS: [&str; 15] = [
    "row",
    "engine",
    "expected",
    "verdict",
    "evidence",
    "iterations",
    "predicates",
    "queries",
    "states",
    "abstract_states",
    "seconds",
    "memory_mb",
    "published_iterations",
    "published_predicates",
    "published_seconds",
];

const MARKDOWN: [&str; 11] = [
    "row",
    "engine",
    "verdict",
    "evidence",
    "iterations",
    "predicates",
    "states",
    "queries",
    "seconds",
    "MB",
    "model, remark",
];

/// A cell that may be empty.
fn shown(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".to_owned(), |v| v.to_string())
}

fn or_dash(text: &str) -> String {
    shown((!text.is_empty()).then_some(text))
}

fn seconds(value: f64) -> String {
    format!("{value:.3}")
}

impl Table {
    /// The lines above the rows.
    pub fn header(self) -> String {
        match self {
            Table::Tabs => self.title(&TABS),
            Table::Markdown => self.title(&MARKDOWN),
        }
    }

    /// The lines above rows with these columns.
    pub fn title(self, columns: &[&str]) -> String {
        match self {
            Table::Tabs => columns.join("\t"),
            Table::Markdown => {
                let rule = vec!["---"; columns.len()];
                format!("{}\n{}", self.cells(columns), self.cells(&rule))
            }
        }
    }

    /// A line with these cells.
    pub fn cells(self, cells: &[impl AsRef<str>]) -> String {
        let cells: Vec<&str> = cells.iter().map(AsRef::as_ref).collect();
        match self {
            Table::Tabs => cells.join("\t"),
            Table::Markdown => format!("| {} |", cells.join(" | ")),
        }
    }

    /// The line of a row.
    pub fn line(self, row: &Row, measured: &Measured) -> String {
        match self {
            Table::Tabs => self.cells(&tabs(row, measured)),
            Table::Markdown => self.cells(&markdown(row, measured)),
        }
    }
}

fn tabs(row: &Row, measured: &Measured) -> [String; 15] {
    let figure = |f: Figure| shown(measured.figures.get(&f));
    let published = |f: Figure| shown(row.published.get(&f));
    [
        row.name.clone(),
        row.engine.clone(),
        row.expected.clone(),
        measured.outcome.word().to_owned(),
        or_dash(&measured.evidence),
        figure(Figure::Iterations),
        figure(Figure::Predicates),
        shown(measured.queries),
        figure(Figure::States),
        figure(Figure::AbstractStates),
        seconds(measured.seconds),
        shown(measured.memory_mb.map(|mb| format!("{mb:.1}"))),
        published(Figure::Iterations),
        published(Figure::Predicates),
        shown(row.published_seconds),
    ]
}

/// Each figure as `measured (published)`.
fn markdown(row: &Row, measured: &Measured) -> [String; 11] {
    let pair = |ours: String, theirs: Option<String>| match theirs {
        Some(theirs) => format!("{ours} ({theirs})"),
        None => ours,
    };
    let figure = |f: Figure| {
        pair(shown(measured.figures.get(&f)), row.published.get(&f).map(u64::to_string))
    };
    let both = |figures: &crate::row::Figures| {
        let abstracted = figures.get(&Figure::AbstractStates)?;
        Some(format!("{}/{abstracted}", figures.get(&Figure::States)?))
    };
    let remark = match row.note.as_str() {
        "" => row.label.clone(),
        note => format!("{}; {note}", row.label),
    };
    [
        row.name.clone(),
        row.engine.clone(),
        measured.outcome.word().to_owned(),
        or_dash(&measured.evidence),
        figure(Figure::Iterations),
        figure(Figure::Predicates),
        pair(shown(both(&measured.figures)), both(&row.published)),
        shown(measured.queries),
        pair(format!("{:.2}", measured.seconds), row.published_seconds.map(|s| s.to_string())),
        shown(measured.memory_mb.map(|mb| format!("{mb:.0}"))),
        remark,
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Outcome;
    use crate::row::{Figures, parse_rows};

    #[test]
    fn a_row_is_printed_beside_its_published_figures() {
        let text =
            std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../bench/seeds.tsv"));
        let rows = parse_rows(&text.unwrap()).unwrap();
        let row = rows.iter().find(|r| r.name == "ticket2" && r.engine == "ur").unwrap();
        let mut measured = Measured {
            outcome: Outcome::Answered("holds".into()),
            engine: String::new(),
            evidence: "bisimulation".into(),
            reason: String::new(),
            figures: Figures::from([(Figure::Iterations, 4), (Figure::States, 12)]),
            queries: Some(77),
            seconds: 0.01234,
            memory_mb: Some(30.25),
            doubt: 0.0,
            trusts: Vec::new(),
        };
        assert_eq!(
            Table::Tabs.line(row, &measured),
            "ticket2\tur\tholds\tholds\tbisimulation\t4\t-\t77\t12\t-\t0.012\t30.2\t4\t8\t0.404"
        );
        measured.figures.insert(Figure::AbstractStates, 9);
        let line = Table::Markdown.line(row, &measured);
        assert!(
            line.starts_with(
                "| ticket2 | ur | holds | bisimulation | 4 (4) | - (8) | 12/9 (12/9) | 77 | \
                 0.01 (0.404) | 30 | reconstruction"
            ),
            "{line}"
        );
        assert_eq!(Table::Markdown.header().matches('|').count(), 2 * line.matches('|').count());
    }
}
