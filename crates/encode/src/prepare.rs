//! From any C program to one that can be encoded.
//!
//! Calls through pointers are resolved, all calls are inlined, and what is left
//! goes through the passes of [`Chain`]. Each pass has its way back; together they
//! lead from the encoded form to the program as written.

use crate::chain::Chain;
use crate::program::{Encoded, NotEncoded, encode};
use crate::{Options, Pass, Passes};
use parallax_cfa::{CProperty, Check, Op, Primitive, Program};
use parallax_transform::contracts::{Contract, Mode, apply};
use parallax_transform::inline::{Excess, Inlined, Limits, inline};
use parallax_transform::points_to::{self, PointsTo, Undefined};
use parallax_transform::{
    Origin, Resolved, at_once, compact, cut_calls, inlined_size, may_come_to, resolve_calls, slice,
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

/// How deep recursion is followed, if the result stays below [`ROOM`] edges.
const DEPTHS: [usize; 4] = [100, 40, 16, 6];

/// Edges that a deeper inlining may have.
const ROOM: usize = 40_000;

/// Edges that an inlining to a given depth may have.
const SPACE: usize = 400_000;

/// A program with more edges after inlining is looked at in part.
const FULL: usize = 600_000;

/// Edges of such a part.
const PART: usize = 100_000;

/// A program with more edges after inlining loses functions before.
const CUT: u64 = 100_000;

/// A program with more edges after inlining is sliced before.
const SLICED: u64 = 30_000;

/// So is one in which something recurs, with more edges before inlining.
const RECURRING: usize = 2_000;

/// Whether a program is made smaller before its calls are inlined.
fn is_large(program: &Program) -> bool {
    match inlined_size(program) {
        Some(size) => size > SLICED,
        None => program.functions.iter().map(|f| f.edges.len()).sum::<usize>() > RECURRING,
    }
}

/// Inlines with recursion as deep as there is room for. Of a program that is too
/// large as a whole, a part.
fn deepest(program: &Program) -> Result<Inlined, NotEncoded> {
    let limits = Limits { edges: FULL, ..Limits::default() };
    let Ok(plain) = inline(program, &limits) else {
        let rest = Limits { recursion: 1, edges: PART, excess: Excess::LeftOut };
        return inlined(program, &rest);
    };
    if plain.cut == 0 {
        return Ok(plain);
    }
    for recursion in DEPTHS {
        if let Ok(inlined) = inline(program, &Limits { recursion, edges: ROOM, ..limits.clone() }) {
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
    use CProperty::{Cleanup, Initialized, Track};
    let whole = |p: &&CProperty| matches!(p, Cleanup | Initialized | Track) || p.is_about_runs();
    if let Some(property) = options.properties.iter().find(whole) {
        return Err(NotEncoded(format!("contracts do not suit the property `{property}`")));
    }
    let contracted =
        apply(program, contracts, mode).map_err(|refused| NotEncoded(refused.to_string()))?;
    let inlined = inlined(&contracted.program, &Limits::default())?;
    Ok((inlined, contracted.origin))
}

/// What code outside the program does, in a program whose calls are resolved.
pub(crate) fn unknown_code() -> points_to::Options {
    points_to::Options { undefined: Undefined::Arguments, callbacks: false, ..Default::default() }
}

/// What nobody asks for goes where it would count as an access, or as something
/// that other threads notice.
fn forget(program: &mut Program, asked: &[CProperty]) {
    use Primitive::{Rise, Sleep, Wake, WakeAll};
    let is_asked = |op: &Op| match op {
        Op::Check(Check::Initialized(_)) => asked.contains(&CProperty::Initialized),
        Op::Check(Check::Alone { .. } | Check::AloneBytes { .. }) => {
            asked.contains(&CProperty::Race)
        }
        Op::Check(Check::Lock(..)) => asked.contains(&CProperty::Locks),
        Op::Primitive { primitive: Sleep | Rise | Wake | WakeAll, .. } => {
            asked.contains(&CProperty::Deadlock)
        }
        _ => true,
    };
    for id in program.functions.ids() {
        let function = &mut program.functions[id];
        for edge in function.edges.ids() {
            if !is_asked(&function.edges[edge].op) {
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

/// Whether all that is asked is not to come to an error.
fn is_cuttable(options: &Options) -> bool {
    use CProperty::{Call, Errors, Label};
    let asked = &options.properties;
    !asked.is_empty() && asked.iter().all(|p| matches!(p, Errors | Call(_) | Label(_)))
}

/// Whether the program has an operation at all that may break a property. Of
/// properties that are not about single operations, nothing is said.
fn may_break(program: &Program, options: &Options) -> bool {
    use CProperty::{Cleanup, Other, Track};
    let asked = &options.properties;
    let whole = asked.iter().any(|p| matches!(p, Cleanup | Track));
    let allocates = |op: &Op| matches!(op, Op::Primitive { primitive: Primitive::Allocate, .. });
    asked.is_empty()
        || asked.iter().any(|p| p.is_about_runs() || matches!(p, Other(_)))
        || may_come_to(program, &|op| options.is_target(op) || whole && allocates(op))
}

/// Resolves, inlines and encodes.
pub fn prepare(
    program: &Program,
    options: &Options,
    calls: &Calls,
) -> Result<Prepared, NotEncoded> {
    if let (false, Some((program, origin))) = (may_break(program, options), at_once(program)) {
        let encoded = encode(&program, options)?;
        return Ok(Prepared { encoded, origin, cut: 0, trusted: BTreeSet::new(), steps: 1 });
    }
    let choice = unknown_code();
    let mut resolved = resolved(program);
    let mut trusted = BTreeSet::new();
    let may_lose = options.passes == Passes::All && !matches!(calls, Calls::Contracts(..));
    if may_lose && options.can_slice() && is_large(&resolved.program) {
        let points_to = PointsTo::analyze(&resolved.program, &choice);
        if let Some(sliced) = slice(&resolved.program, &points_to, &|op| options.is_target(op)) {
            trusted.insert(Pass::Slice);
            let small = compact(&sliced.program);
            resolved.origin = small.origin.after(&sliced.origin.after(&resolved.origin));
            resolved.program = small.program;
        }
    }
    if may_lose && is_cuttable(options) && is_large(&resolved.program) {
        let wanted = |op: &Op| options.is_target(op);
        if let Some(cut) = cut_calls(&resolved.program, &wanted, &resolved.called_back, CUT) {
            trusted.insert(Pass::Cut);
            resolved.origin = cut.origin.after(&resolved.origin);
            resolved.program = cut.program;
        }
    }
    let (inlined, mut origin) = match calls {
        Calls::Deepest => (deepest(&resolved.program)?, resolved.origin),
        Calls::Depth(recursion) => {
            let limits = Limits { recursion: *recursion, edges: SPACE, ..Limits::default() };
            (self::inlined(&resolved.program, &limits)?, resolved.origin)
        }
        Calls::Contracts(contracts, mode) => {
            let (inlined, origin) = contracted(&resolved.program, options, contracts, *mode)?;
            (inlined, origin.after(&resolved.origin))
        }
    };
    origin = inlined.origin.after(&origin);
    let mut program = inlined.program;
    forget(&mut program, &options.properties);
    let steps = program.main.map_or(0, |main| program.functions[main].edges.len());
    let mut chain = Chain::new(program, origin, trusted);
    chain.run(options, &choice);
    let Chain { program, origin, mut trusted } = chain;
    let encoded = encode(&program, options)?;
    if encoded.uses_ranges {
        trusted.insert(Pass::Ranges);
    }
    Ok(Prepared { encoded, origin, cut: inlined.cut, trusted, steps })
}
