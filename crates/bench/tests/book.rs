//! The table in the book has a line for every row of `bench/seeds.tsv`, and
//! each line agrees with the row on what was published.
//!
//! Measured figures are not compared: they are those of one day and machine.

use std::fs;

use parallax_bench::{Figure, Row, parse_rows};

fn read(path: &str) -> String {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    fs::read_to_string(format!("{root}/{path}")).expect("a readable file")
}

/// What is wrong with the book's line for a row.
fn objection(row: &Row, book: &str) -> Option<String> {
    let start = format!("| {} | {} | ", row.name, row.engine);
    let Some(line) = book.lines().find(|line| line.starts_with(&start)) else {
        return Some(format!("{start}...: missing"));
    };
    let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
    let [_, _, verdict, _, iterations, predicates, _, _, seconds, _, _] = cells[..] else {
        return Some(format!("{start}...: {} cells", cells.len()));
    };
    let shows = |cell: &str, published: Option<String>| match published {
        Some(published) => cell.ends_with(&format!("({published})")),
        None => !cell.contains('('),
    };
    let figure = |f: Figure| row.published.get(&f).map(u64::to_string);
    let agrees = [&row.expected, "unknown"].contains(&verdict)
        && shows(iterations, figure(Figure::Iterations))
        && shows(predicates, figure(Figure::Predicates))
        && shows(seconds, row.published_seconds.map(|s| s.to_string()));
    (!agrees).then(|| format!("{line}: differs from bench/seeds.tsv"))
}

#[test]
fn the_book_lists_every_row() {
    let rows = parse_rows(&read("bench/seeds.tsv")).expect("rows");
    let book = read("docs/book/src/results.md");
    let wrong: Vec<String> = rows.iter().filter_map(|row| objection(row, &book)).collect();
    assert!(wrong.is_empty(), "docs/book/src/results.md:\n{}", wrong.join("\n"));
}
