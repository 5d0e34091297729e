//! From any C program to one that can be encoded: calls through pointers are
//! resolved, then all calls are inlined.

use crate::Options;
use crate::program::{Encoded, NotEncoded, encode};
use parallax_cfa::Program;
use parallax_transform::inline::{Limits, inline};
use parallax_transform::points_to::{self, PointsTo, Undefined};
use parallax_transform::{Origin, resolve_calls};

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
    let origin = inlined.origin.after(&resolved.origin);
    let encoded = encode(&inlined.program, options)?;
    Ok(Prepared { encoded, origin, cut: inlined.cut })
}
