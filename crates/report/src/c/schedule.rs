//! A run of several threads as a table: a column for each, a row for each line
//! of source that one of them executed, in the order in which they did.
//!
//! What happens inside of the library is left out; who waits there and who goes
//! on shows in the order of the rows.

use super::run::{CRun, note, span};

use crate::escape::{clip, visible};
use parallax_cfa::{Op, Printer};
use std::fmt::Write;

/// Characters of a table, without the margin.
const WIDTH: usize = 108;

/// Characters of a column, at least.
const COLUMN: usize = 18;

/// Whether several threads took part in a run.
pub(super) fn has_threads(run: &CRun<'_>) -> bool {
    run.steps.iter().any(|step| step.thread > 0)
}

/// A line that a thread executed.
struct Cell {
    thread: usize,
    line: u32,
    source: String,
    notes: Vec<String>,
}

/// Writes the table; of many rows the last `max`.
pub(super) fn write_schedule(out: &mut String, run: &CRun<'_>, max: usize) -> std::fmt::Result {
    let cells = cells(run);
    let count = run.steps.iter().map(|step| step.thread + 1).max().unwrap_or(1);
    let switches = cells.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
    writeln!(out, "run: {} threads, {switches} switches", count)?;
    let width = (WIDTH / count).max(COLUMN) - 2;
    let heads = (0..count).map(|thread| match thread {
        0 => "main".to_owned(),
        _ => format!("thread {thread}"),
    });
    let head: Vec<String> = heads.map(|head| format!("{head:width$}")).collect();
    writeln!(out, "  {}", head.join("  ").trim_end())?;
    let left_out = cells.len().saturating_sub(max.max(1));
    if left_out > 0 {
        writeln!(out, "  ... {left_out} lines left out")?;
    }
    for cell in &cells[left_out..] {
        let what = match cell.notes.is_empty() {
            true => cell.source.clone(),
            false => cell.notes.join(", "),
        };
        let text = format!("{}: {what}", cell.line);
        let indent = " ".repeat(cell.thread * (width + 2));
        // The last column may be as long as it likes, within reason.
        let room = if cell.thread + 1 == count { 2 * width } else { width };
        writeln!(out, "  {indent}{}", clip(&text, room).trim_end())?;
    }
    Ok(())
}

fn cells(run: &CRun<'_>) -> Vec<Cell> {
    let printer = Printer::new(run.program);
    let mut cells: Vec<Cell> = Vec::new();
    for (index, step) in run.steps.iter().enumerate() {
        let function = &run.program.functions[step.at.function];
        let is_last = index + 1 == run.steps.len();
        if function.is_library && !is_last {
            continue;
        }
        let Some(note) = note(run, &printer, step, is_last) else { continue };
        let span = span(run.program, step);
        let Some(file) = run.sources.get(span.file) else { continue };
        let line = file.line_column(span.lo).line;
        let source = visible(file.line(line).trim()).into_owned();
        // That something is called or computed in between is no news.
        let is_news = !note.is_empty()
            && !matches!(function.edges[step.at.edge].op, Op::Return(_) if note == "returns");
        let notes = if is_news { vec![note] } else { Vec::new() };
        match cells.last_mut() {
            Some(last) if last.thread == step.thread && last.line == line => {
                for note in notes {
                    if !last.notes.contains(&note) {
                        last.notes.push(note);
                    }
                }
            }
            _ => cells.push(Cell { thread: step.thread, line, source, notes }),
        }
    }
    cells
}
