//! From any C program to one that can be encoded.
//!
//! Calls through pointers are resolved, all calls are inlined, constants are
//! folded, checks that cannot fail and assignments that nobody reads are
//! dropped, and what cannot matter to the properties is sliced away. Each pass
//! has its way back; together they lead from the encoded form to the program as
//! written.

use crate::program::{Encoded, NotEncoded, encode};
use crate::{Options, Pass, Passes};
use parallax_cfa::{CProperty, Check, Function, Op, Primitive, Program};
use parallax_transform::contracts::{Contract, Mode, apply};
use parallax_transform::inline::{Inlined, Limits, inline};
use parallax_transform::points_to::{self, PointsTo, Undefined};
use parallax_transform::ranges;
use parallax_transform::{
    Origin, Resolved, compact, drop_checks, fold_constants, fold_pointers, promote_heap,
    release_addresses, remove_dead, resolve_calls, slice,
};
use std::collections::BTreeSet;

/// An encoded program, and where its parts come from.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// The encoding.
    pub encoded: Encoded,
    /// From the program form that was encoded to the program as written.
    pub origin: Origin,
    /// How many calls were cut off because they recur too deep.
    pub cut: usize,
    /// What changed the program on the way and is in no certificate.
    pub trusted: BTreeSet<Pass>,
    /// How many steps the program has that no pass has made smaller.
    pub steps: usize,
}

/// What becomes of recursive calls.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub enum Calls {
    /// They are followed as deep as there is room for.
    #[default]
    Deepest,
    /// They are followed to this depth.
    Depth(usize),
    /// Contracts stand for them; other recursion is followed a little.
    Contracts(Vec<Contract>, Mode),
}

/// How often variables are looked for to which no pointer is needed.
const ROUNDS: usize = 3;

/// How deep recursion is followed, if the result stays below [`ROOM`] edges.
const DEPTHS: [usize; 4] = [100, 40, 16, 6];

/// Edges that a deeper inlining may have.
const ROOM: usize = 40_000;

/// Edges that an inlining to a given depth may have.
const SPACE: usize = 400_000;

/// Inlines with recursion as deep as there is room for.
fn deepest(program: &Program) -> Result<Inlined, NotEncoded> {
    let limits = Limits::default();
    let plain = inlined(program, &limits)?;
    if plain.cut == 0 {
        return Ok(plain);
    }
    for recursion in DEPTHS {
        if let Ok(inlined) = inline(program, &Limits { recursion, edges: ROOM }) {
            return Ok(inlined);
        }
    }
    Ok(plain)
}

fn inlined(program: &Program, limits: &Limits) -> Result<Inlined, NotEncoded> {
    inline(program, limits).map_err(|failure| NotEncoded(failure.to_string()))
}

/// Puts contracts in the place of recursive calls, and inlines the others.
fn contracted(
    program: &Program,
    options: &Options,
    contracts: &[Contract],
    mode: Mode,
) -> Result<(Inlined, Origin), NotEncoded> {
    // What is asked of a whole run, and of who wrote a value, is not for contracts.
    use CProperty::{Cleanup, Initialized, Termination, Track};
    let whole = |p: &&CProperty| matches!(p, Cleanup | Initialized | Termination | Track);
    if let Some(property) = options.properties.iter().find(whole) {
        return Err(NotEncoded(format!("contracts do not suit the property `{property}`")));
    }
    let contracted =
        apply(program, contracts, mode).map_err(|refused| NotEncoded(refused.to_string()))?;
    let inlined = inlined(&contracted.program, &Limits::default())?;
    Ok((inlined, contracted.origin))
}

/// Whether memory is copied without regard to what lies in it. The analysis
/// behind slicing follows single values; what such a copy carries along is not
/// told apart.
fn copies_raw(program: &Program) -> bool {
    let raw = |op: &Op| {
        use Primitive::{CopyBytes, HavocBytes};
        matches!(op, Op::Copy { .. })
            || matches!(op, Op::Primitive { primitive: CopyBytes | HavocBytes, .. })
    };
    program.functions.iter().any(|f| f.edges.iter().any(|e| raw(&e.op)))
}

/// What code outside the program does, in a program whose calls are resolved.
pub(crate) fn unknown_code() -> points_to::Options {
    points_to::Options { undefined: Undefined::Arguments, callbacks: false, ..Default::default() }
}

/// Nobody asks what was written: such a check must not count as an access.
fn forget_initialized(program: &mut Program) {
    for id in program.functions.ids() {
        let function = &mut program.functions[id];
        for edge in function.edges.ids() {
            if matches!(function.edges[edge].op, Op::Check(Check::Initialized(_))) {
                function.edges[edge].op = Op::Skip;
            }
        }
    }
}

/// The program without calls through pointers, as [`prepare`] goes on with it.
/// Functions and variables keep their ids.
pub fn resolved(program: &Program) -> Resolved {
    let choice = points_to::Options { callbacks: true, ..unknown_code() };
    resolve_calls(program, &PointsTo::analyze(program, &choice))
}

/// Whether a pass did anything: it takes operations away, or makes new ones.
fn is_changed(before: &Program, after: &Program) -> bool {
    let skips = |function: &Function| {
        function.edges.iter().filter(|edge| matches!(edge.op, Op::Skip)).count()
    };
    before.exprs.len() != after.exprs.len()
        || before.places.len() != after.places.len()
        || before.variables.len() != after.variables.len()
        || before.functions.iter().zip(&after.functions).any(|(before, after)| {
            before.edges.len() != after.edges.len() || skips(before) != skips(after)
        })
}

/// Resolves, inlines and encodes.
pub fn prepare(
    program: &Program,
    options: &Options,
    calls: &Calls,
) -> Result<Prepared, NotEncoded> {
    use CProperty::{Call, Errors, Label};
    let choice = unknown_code();
    let resolved = resolved(program);
    let (inlined, mut origin) = match calls {
        Calls::Deepest => (deepest(&resolved.program)?, resolved.origin),
        Calls::Depth(recursion) => {
            let limits = Limits { recursion: *recursion, edges: SPACE };
            (self::inlined(&resolved.program, &limits)?, resolved.origin)
        }
        Calls::Contracts(contracts, mode) => {
            let (inlined, origin) = contracted(&resolved.program, options, contracts, *mode)?;
            (inlined, origin.after(&resolved.origin))
        }
    };
    origin = inlined.origin.after(&origin);
    let mut program = inlined.program;
    if !options.properties.contains(&CProperty::Initialized) {
        forget_initialized(&mut program);
    }
    let steps = program.main.map_or(0, |main| program.functions[main].edges.len());
    let mut trusted = BTreeSet::new();
    let mut pass = |program: &mut Program, pass: Pass, (next, way): (Program, Origin)| {
        if is_changed(program, &next) {
            trusted.insert(pass);
        }
        *program = next;
        origin = way.after(&origin);
    };
    if options.passes == Passes::All {
        if options.memory() || options.properties.contains(&CProperty::Initialized) {
            let folded = fold_constants(&program);
            pass(&mut program, Pass::Folding, (folded.program, folded.origin));
        } else {
            let points_to = PointsTo::analyze(&program, &choice);
            let promoted = promote_heap(&program, &points_to);
            pass(&mut program, Pass::Promotion, (promoted.program, promoted.origin));
            // What pointers are known, and what they lead to, is found in turns.
            for _ in 0..ROUNDS {
                let folded = fold_pointers(&program);
                pass(&mut program, Pass::Folding, (folded.program, folded.origin));
                let pruned = remove_dead(&program);
                pass(&mut program, Pass::Dead, (pruned.program, pruned.origin));
                let compacted = compact(&program);
                pass(&mut program, Pass::Dead, (compacted.program, compacted.origin));
                if release_addresses(&mut program) == 0 {
                    break;
                }
            }
        }
        let known = ranges::Options { overflow_ends: options.stop_at_overflow() };
        // Checks that are asked for decide what the slice keeps.
        let asked = options.properties.iter().any(|p| !matches!(p, Errors | Call(_) | Label(_)));
        if asked {
            let unchecked = drop_checks(&program, known);
            pass(&mut program, Pass::Checks, (unchecked.program, unchecked.origin));
        }
        if options.can_slice() && !copies_raw(&program) {
            let points_to = PointsTo::analyze(&program, &choice);
            let sliced = slice(&program, &points_to, &|op| options.is_target(op));
            if let Some(sliced) = sliced {
                pass(&mut program, Pass::Slice, (sliced.program, sliced.origin));
            }
        }
        if !asked {
            let unchecked = drop_checks(&program, known);
            pass(&mut program, Pass::Checks, (unchecked.program, unchecked.origin));
        }
        let pruned = remove_dead(&program);
        pass(&mut program, Pass::Dead, (pruned.program, pruned.origin));
        let compacted = compact(&program);
        pass(&mut program, Pass::Dead, (compacted.program, compacted.origin));
    }
    let encoded = encode(&program, options)?;
    if encoded.uses_ranges {
        trusted.insert(Pass::Ranges);
    }
    Ok(Prepared { encoded, origin, cut: inlined.cut, trusted, steps })
}
