//! What is covered, for people: a summary, and the source with marks.

use crate::Suite;
use parallax_containers::line_cover;
use std::fmt::Write;

/// Figures of coverage.
pub(crate) struct Totals {
    pub(crate) blocks: usize,
    pub(crate) block_count: usize,
    pub(crate) branches: usize,
    pub(crate) branch_count: usize,
    pub(crate) lines: usize,
    pub(crate) line_count: usize,
    pub(crate) probe_blocks: usize,
    pub(crate) combinations: usize,
}

impl Totals {
    pub(crate) fn new(suite: &Suite<'_>) -> Totals {
        let subject = suite.subject;
        let coverage = &suite.found.coverage;
        let blocks = || subject.compiled.map.blocks.iter().zip(&coverage.blocks);
        let cover = line_cover(subject, coverage, suite.sources);
        let (lines, line_count) = cover.totals();
        Totals {
            blocks: blocks().filter(|(block, seen)| block.has_operations && **seen).count(),
            block_count: subject.block_count(),
            branches: blocks().filter(|(block, seen)| block.branch.is_some() && **seen).count(),
            branch_count: subject.branch_count(),
            lines,
            line_count,
            probe_blocks: coverage.probe_blocks.len(),
            combinations: if subject.has_probes {
                coverage.probes.len()
            } else {
                coverage.combinations.len()
            },
        }
    }
}

/// A few lines on what was searched and covered.
pub fn summary(suite: &Suite<'_>) -> String {
    let totals = Totals::new(suite);
    let found = suite.found;
    let figures = found.figures;
    let mut out = String::new();
    let _ = writeln!(
        out,
        "searched  sequences up to length {} over {} value(s), matching: {}",
        found.levels.last().map_or(0, |level| level.length),
        suite.config.values,
        suite.config.matching.name()
    );
    let _ = writeln!(
        out,
        "          {} operations, {} states, {} discarded",
        figures.operations, figures.states, figures.matched
    );
    if figures.paths > 0 {
        let _ = writeln!(
            out,
            "          {} paths, {} implications, {} not confirmed by a run",
            figures.paths, figures.implications, figures.unconfirmed
        );
    }
    let _ = writeln!(
        out,
        "covered   blocks {}/{}, branches {}/{}, lines {}/{}",
        totals.blocks,
        totals.block_count,
        totals.branches,
        totals.branch_count,
        totals.lines,
        totals.line_count
    );
    if suite.subject.has_probes {
        let _ = writeln!(
            out,
            "          probes {}, combinations of predicates {}",
            totals.probe_blocks, totals.combinations
        );
    } else if totals.combinations > 0 {
        let _ = writeln!(out, "          combinations of predicates {}", totals.combinations);
    }
    let shapes: usize = found.shape_counts.values().sum();
    let _ = writeln!(out, "found     {} test(s), {shapes} shape(s)", found.tests.len());
    if let Some(stop) = found.stopped {
        let _ = writeln!(out, "stopped   {stop}: longer sequences are open");
    }
    out
}

/// The source with a mark per line: `+` executed, `-` not, nothing: no code.
pub fn coverage_listing(suite: &Suite<'_>) -> String {
    let cover = line_cover(suite.subject, &suite.found.coverage, suite.sources);
    let mut out = summary(suite);
    out.push_str("\nlength  blocks  branches  combinations  states  shapes\n");
    for level in &suite.found.levels {
        let _ = writeln!(
            out,
            "{:6}  {:6}  {:8}  {:12}  {:6}  {:6}",
            level.length,
            level.blocks,
            level.branches,
            level.combinations,
            level.states,
            level.shapes
        );
    }
    for (file, lines) in &cover.files {
        let Some(source) = suite.sources.get(*file) else { continue };
        let _ = writeln!(out, "\n{}", source.name());
        for line in 1..=source.line_count() {
            let mark = match lines.get(&line) {
                Some(true) => '+',
                Some(false) => '-',
                None => ' ',
            };
            let _ = writeln!(out, "{mark} {line:5}  {}", source.line(line));
        }
    }
    out
}
