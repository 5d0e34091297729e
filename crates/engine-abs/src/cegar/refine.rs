//! From a straight infeasible path to predicates that exclude it.
//!
//! Each method gives a formula for every cut of the path, over the program's
//! variables:
//! - *interpolants*: a sequence `I(0) = true, ..., I(n) = false` where each
//!   formula and the step after it imply the next, over shared variables only
//!   (McMillan, CAV 2006; `crates/interpolate` finds and verifies it);
//! - *preconditions*: the weakest condition before each step under which the
//!   rest of the core leads nowhere, computed from the back;
//! - *syntactic*: the atoms of the core's literals, where they stand and
//!   before (lecture 5: only guards, an assignment loses its meaning when the
//!   indices are erased).

use super::bench::{Bench, Halt};
use super::straight::StraightPath;
use parallax_term::{Substitution, Term};

/// How predicates are found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Refiner {
    /// Interpolant sequences.
    #[default]
    Interpolants,
    /// Weakest preconditions along the unsat core.
    Preconditions,
    /// Atoms of the unsat core.
    Syntactic,
}

impl Refiner {
    /// This method, then the others.
    pub(crate) fn then_others(self) -> [Refiner; 3] {
        use Refiner::{Interpolants, Preconditions, Syntactic};
        match self {
            Interpolants => [Interpolants, Preconditions, Syntactic],
            Preconditions => [Preconditions, Interpolants, Syntactic],
            Syntactic => [Syntactic, Interpolants, Preconditions],
        }
    }

    /// The name in histories.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Refiner::Interpolants => "interpolants",
            Refiner::Preconditions => "preconditions",
            Refiner::Syntactic => "core atoms",
        }
    }
}

/// Formulas by cut: the first is at the start of the path. The end, where
/// nothing holds, is left out.
pub(crate) type Sequence = Vec<Vec<Term>>;

/// The formulas a method finds; `None` if it has nothing to say.
pub(crate) fn refine(
    bench: &mut Bench<'_>,
    method: Refiner,
    path: &StraightPath,
) -> Result<Option<Sequence>, Halt> {
    match method {
        Refiner::Interpolants => interpolants(bench, path),
        Refiner::Preconditions => preconditions(bench, path).map(Some),
        Refiner::Syntactic => Ok(Some(syntactic(bench, path))),
    }
}

fn preconditions(bench: &mut Bench<'_>, path: &StraightPath) -> Result<Sequence, Halt> {
    let program = bench.program;
    let count = path.steps.len();
    let mut sequence: Sequence = vec![Vec::new(); count];
    let mut now = bench.store.bool(false);
    for position in (1..=count).rev() {
        let step = &path.steps[position - 1];
        let pairs = step.updates.iter().map(|&(v, value)| (program.variables[v].term, value));
        let mut after = Substitution::new(pairs.collect::<Vec<_>>());
        let mut parts = vec![after.apply(&mut bench.store, now)];
        for part in path.core.iter().filter(|p| p.position == position) {
            if let Some(literal) = part.literal {
                parts.push(bench.store.not(literal));
            }
        }
        let implied = bench.store.or(parts);
        now = without_inputs(bench, implied)?;
        sequence[position - 1] = vec![now];
    }
    Ok(sequence)
}

/// The formula for all values of its inputs.
fn without_inputs(bench: &mut Bench<'_>, formula: Term) -> Result<Term, Halt> {
    let program = bench.program;
    let mut used = bench.store.vars(formula);
    used.retain(|&symbol| program.slot(symbol).is_none());
    if used.is_empty() {
        return Ok(formula);
    }
    let negated = bench.store.not(formula);
    let some = bench.solver.eliminate(&mut bench.store, negated, &used, bench.budget)?;
    // Without elimination there is nothing to say before this step.
    Ok(match some {
        Some(some) => bench.store.not(some),
        None => bench.store.bool(true),
    })
}

fn syntactic(bench: &mut Bench<'_>, path: &StraightPath) -> Sequence {
    let program = bench.program;
    let mut sequence: Sequence = vec![Vec::new(); path.steps.len()];
    for part in &path.core {
        let Some(literal) = part.literal else { continue };
        for atom in bench.store.atoms(literal) {
            if bench.store.vars(atom).iter().any(|&s| program.slot(s).is_none()) {
                continue;
            }
            for formulas in &mut sequence[..part.position.max(1)] {
                formulas.push(atom);
            }
        }
    }
    sequence
}

fn interpolants(_: &mut Bench<'_>, _: &StraightPath) -> Result<Option<Sequence>, Halt> {
    Ok(None)
}
