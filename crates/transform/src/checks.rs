//! Drops checks that cannot fail, by interval analysis.

use crate::origin::Origin;
use crate::ranges::{Options, Ranges};
use parallax_cfa::{Op, Program};

/// A program with fewer checks.
#[derive(Clone, Debug)]
pub struct Unchecked {
    /// The program.
    pub program: Program,
    /// Its way back: nothing changes its name.
    pub origin: Origin,
    /// How many checks are gone.
    pub dropped: usize,
}

/// Replaces checks of overflow, division, shift amounts and places in variables
/// that always succeed by nothing.
pub fn drop_checks(program: &Program, options: Options) -> Unchecked {
    let mut result = program.clone();
    let mut dropped = 0;
    for (id, function) in program.functions.iter_enumerated() {
        if !function.edges.iter().any(|e| matches!(e.op, Op::Check(_))) {
            continue;
        }
        let ranges = Ranges::analyze(program, id, options);
        for (edge, data) in function.edges.iter_enumerated() {
            if let Op::Check(check) = &data.op
                && ranges.is_reachable(data.source)
                && ranges.evaluator(data.source).succeeds(check)
            {
                result.functions[id].edges[edge].op = Op::Skip;
                dropped += 1;
            }
        }
    }
    Unchecked { program: result, origin: Origin::identity(program), dropped }
}
