//! From any C program to one that can be encoded.
//!
//! Calls through pointers are resolved, all calls are inlined, constants are
//! folded, checks that cannot fail and assignments that nobody reads are
//! dropped, and what cannot matter to the properties is sliced away. Each pass
//! has its way back; together they lead from the encoded form to the program as
//! written.

use crate::Options;
use crate::program::{Encoded, NotEncoded, encode};
use parallax_cfa::Program;
use parallax_transform::inline::{Limits, inline};
use parallax_transform::points_to::{self, PointsTo, Undefined};
use parallax_transform::ranges;
use parallax_transform::{
    Origin, compact, drop_checks, fold_constants, remove_dead, resolve_calls, slice,
};

/// An encoded program, and where its parts come from.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The encoding.
    pub encoded: Encoded,
    /// From the program form that was encoded to the program as written.
    pub origin: Origin,
    /// How many calls were cut off because they recur too deep.
    pub cut: usize,
}

/// Resolves, inlines and encodes.
pub fn prepare(
    program: &Program,
    options: &Options,
    limits: &Limits,
) -> Result<Prepared, NotEncoded> {
    let choice = points_to::Options { undefined: Undefined::Arguments, ..Default::default() };
    let resolved = resolve_calls(program, &PointsTo::analyze(program, &choice));
    let inlined =
        inline(&resolved.program, limits).map_err(|failure| NotEncoded(failure.to_string()))?;
    let mut origin = inlined.origin.after(&resolved.origin);
    let mut program = inlined.program;
    let mut pass = |program: &mut Program, result: (Program, Origin)| {
        *program = result.0;
        origin = result.1.after(&origin);
    };
    if !options.keep_all {
        let folded = fold_constants(&program);
        pass(&mut program, (folded.program, folded.origin));
        let known = ranges::Options { overflow_ends: options.stop_at_overflow() };
        let unchecked = drop_checks(&program, known);
        pass(&mut program, (unchecked.program, unchecked.origin));
        if options.can_slice() {
            let points_to = PointsTo::analyze(&program, &choice);
            let sliced = slice(&program, &points_to, &|op| options.is_target(op));
            if let Some(sliced) = sliced {
                pass(&mut program, (sliced.program, sliced.origin));
            }
        }
        let pruned = remove_dead(&program);
        pass(&mut program, (pruned.program, pruned.origin));
        let compacted = compact(&program);
        pass(&mut program, (compacted.program, compacted.origin));
    }
    let encoded = encode(&program, options)?;
    Ok(Prepared { encoded, origin, cut: inlined.cut })
}
