//! Invariants of a witness, put into the program.

use super::{ASSUME, BROKEN, Invariant};
use parallax_front_c::{Piece, Splices, looks_only};

/// Programs that answer for invariants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InvariantPlan {
    /// Calls [`BROKEN`] where an invariant does not hold.
    pub failing: Splices,
    /// Goes on only where all of them hold.
    pub assuming: Splices,
    /// The invariant of each piece.
    pub pieces: Vec<usize>,
    /// Invariants that are not put in, and why.
    pub left_out: Vec<(usize, String)>,
}

/// Puts invariants into a program.
pub fn plan_invariants(invariants: &[Invariant]) -> InvariantPlan {
    let mut plan = InvariantPlan {
        failing: Splices { prologue: format!("void {BROKEN}(int);\n"), pieces: Vec::new() },
        assuming: Splices { prologue: format!("void {ASSUME}(int);\n"), pieces: Vec::new() },
        pieces: Vec::new(),
        left_out: Vec::new(),
    };
    for (number, invariant) in invariants.iter().enumerate() {
        if let Some(why) = &invariant.unread {
            plan.left_out.push((number, why.clone()));
            continue;
        }
        let value = &invariant.value;
        if !looks_only(value) {
            let why = "it is no expression of C without effect";
            plan.left_out.push((number, why.to_owned()));
            continue;
        }
        let piece = |text: String| match invariant.is_loop {
            true => Piece::Head(text),
            false => Piece::Statement(format!("{text};")),
        };
        let spot = &invariant.place.spot;
        let failing = piece(format!("(({value}) ? (void)0 : {BROKEN}({number}))"));
        let assuming = piece(format!("{ASSUME}(({value}) ? 1 : 0)"));
        plan.failing.pieces.push((spot.clone(), failing));
        plan.assuming.pieces.push((spot.clone(), assuming));
        plan.pieces.push(number);
    }
    plan
}
