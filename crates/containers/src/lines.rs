//! Which lines the tests execute.

use crate::subject::Subject;
use parallax_base::{FileId, SourceMap};
use parallax_cfa::Op;
use parallax_machine::Coverage;
use std::collections::BTreeMap;

/// The lines of the files that have code to cover: whether each was executed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LineCover {
    /// By file, by line.
    pub files: BTreeMap<FileId, BTreeMap<u32, bool>>,
}

impl LineCover {
    /// How many lines were executed, and how many there are.
    pub fn totals(&self) -> (usize, usize) {
        let lines = || self.files.values().flat_map(|lines| lines.values());
        (lines().filter(|seen| **seen).count(), lines().count())
    }
}

/// The lines that a coverage stands for.
pub fn line_cover(subject: &Subject<'_>, coverage: &Coverage, sources: &SourceMap) -> LineCover {
    let program = subject.program();
    let mut cover = LineCover::default();
    for (block, seen) in subject.compiled.map.blocks.iter().zip(&coverage.blocks) {
        let function = &program.functions[block.function];
        for (at, edge) in block.edges.iter().enumerate() {
            let edge = &function.edges[*edge];
            // The edge of a branch stands for the condition, which the block
            // before has as well.
            let is_outcome = at == 0 && block.branch.is_some();
            if is_outcome || matches!(edge.op, Op::Skip | Op::Live(..) | Op::Dead(_)) {
                continue;
            }
            let Some(file) = sources.get(edge.span.file) else { continue };
            let line = file.line_column(edge.span.lo).line;
            *cover.files.entry(edge.span.file).or_default().entry(line).or_default() |= *seen;
        }
    }
    cover
}
