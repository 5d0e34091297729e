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

use super::bench::Bench;
use super::straight::{Part, Source, StraightPath};
use parallax_base::Id;
use parallax_interpolate::{Options, Outcome, Template, relations};
use parallax_ir::Variable;
use parallax_solver::Halt;
use parallax_term::{Sort, Substitution, Term};

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
    by_value: &[bool],
) -> Result<Option<Sequence>, Halt> {
    match method {
        Refiner::Interpolants => interpolants(bench, path, by_value),
        Refiner::Preconditions => preconditions(bench, path).map(Some),
        Refiner::Syntactic => Ok(Some(syntactic(bench, path))),
    }
}

fn preconditions(bench: &mut Bench<'_>, path: &StraightPath) -> Result<Sequence, Halt> {
    let count = path.steps.len();
    let mut sequence: Sequence = vec![Vec::new(); count];
    let mut now = bench.store.bool(false);
    for position in (1..=count).rev() {
        let step = &path.steps[position - 1];
        let mut after = Substitution::new(step.updates.iter().map(|u| (u.symbol, u.value)));
        let mut tracked = vec![now];
        let mut parts = Vec::new();
        for part in path.core.iter().filter(|p| p.position == position) {
            match part.source {
                Source::Condition(literal) => parts.push(bench.store.not(literal)),
                Source::Tracked(literal) => tracked.push(bench.store.not(literal)),
                Source::Other => {}
            }
        }
        let now_there = bench.store.or(tracked);
        parts.push(after.apply(&mut bench.store, now_there));
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
        let Source::Condition(literal) = part.source else { continue };
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

fn interpolants(
    bench: &mut Bench<'_>,
    path: &StraightPath,
    by_value: &[bool],
) -> Result<Option<Sequence>, Halt> {
    // A core may have lost one side of a relation, so relations of computed
    // variables are looked for in the whole path.
    let related = related(bench, path, by_value);
    if (2..=RELATED).contains(&related.len()) {
        let variables = versions(bench, path, &path.all, |v| related.contains(&v));
        let mut templates = relations(&mut bench.store, &variables);
        templates.retain(|template| template.rank < SINGLE);
        templates.extend(triples(bench, &variables));
        let found = sequence(bench, path, &path.all, templates)?;
        if let Some((sequence, true)) = found {
            return Ok(Some(sequence));
        }
    }
    let variables = versions(bench, path, &path.core, |_| true);
    let mut templates = Vec::new();
    if (2..=RELATED).contains(&variables.len()) {
        templates = relations(&mut bench.store, &variables);
        for template in &mut templates {
            if template.rank == SINGLE {
                template.rank = SINGLE + 1;
            }
        }
        templates.extend(triples(bench, &variables));
    }
    let found = sequence(bench, path, &path.core, templates)?;
    Ok(found.map(|(sequence, _)| sequence))
}

/// Relations of so many variables at most are tried as templates.
const RELATED: usize = 6;

/// The rank of single variables among the templates of [`relations`].
const SINGLE: u32 = 2;

/// A sequence of interpolants of some conjuncts, and whether it is made of the
/// templates.
fn sequence(
    bench: &mut Bench<'_>,
    path: &StraightPath,
    conjuncts: &[Part],
    templates: Vec<Template>,
) -> Result<Option<(Sequence, bool)>, Halt> {
    let count = path.steps.len();
    let mut grouped: Vec<Vec<Term>> = vec![Vec::new(); count + 1];
    for part in conjuncts {
        grouped[part.position].push(part.formula);
    }
    let mut parts = Vec::new();
    for group in grouped {
        parts.push(bench.store.and(group));
    }
    let options = Options { templates, ..Options::default() };
    let (store, solver) = (&mut bench.store, &mut *bench.spare);
    let found = parallax_interpolate::sequence(store, solver, &parts, &options, bench.budget)?;
    let Outcome::Found(found) = found else { return Ok(None) };
    let mut sequence = Sequence::new();
    for (&formula, back) in found.formulas[1..=count].iter().zip(&path.back) {
        let pairs = back.iter().map(|(&version, &symbol)| (version, symbol));
        sequence.push(vec![Substitution::new(pairs).apply(&mut bench.store, formula)]);
    }
    Ok(Some((sequence, !found.templates.is_empty())))
}

/// The computed variables that the last condition of the core compares, and
/// those compared together with them at the end of the path.
fn related(bench: &Bench<'_>, path: &StraightPath, by_value: &[bool]) -> Vec<Id<Variable>> {
    let mut found = Vec::new();
    let Some(last) = path.steps.last() else { return found };
    for &literal in &last.literals {
        for symbol in bench.store.vars(literal) {
            let Some(slot) = bench.program.slot(symbol) else { continue };
            let id = Id::new(slot);
            let is_number = matches!(bench.store.sort(symbol), Sort::Int | Sort::Real);
            if is_number && !by_value[slot] && !found.contains(&id) {
                found.push(id);
            }
        }
    }
    found
}

/// Per variable that the conjuncts mention: its version at each cut, with the
/// cut before everything first.
fn versions(
    bench: &Bench<'_>,
    path: &StraightPath,
    conjuncts: &[Part],
    wanted: impl Fn(Id<Variable>) -> bool,
) -> Vec<Vec<Option<Term>>> {
    let formulas: Vec<Term> = conjuncts.iter().map(|p| p.formula).collect();
    let mut used = bench.store.subterms(&formulas);
    used.retain(|&t| bench.store.name(t).is_some());
    used.sort_unstable();
    let mut variables = Vec::new();
    for (id, variable) in bench.program.variables.iter_enumerated() {
        if !wanted(id) {
            continue;
        }
        let at = path.back.iter().map(|back| {
            let version = back.iter().find(|(_, symbol)| **symbol == variable.term);
            let version = version.map_or(variable.term, |(version, _)| *version);
            used.binary_search(&version).is_ok().then_some(version)
        });
        let at: Vec<Option<Term>> = std::iter::once(None).chain(at).collect();
        if at.iter().any(Option::is_some) {
            variables.push(at);
        }
    }
    variables
}

/// Sums of two variables less a third, tried after relations of two.
fn triples(bench: &mut Bench<'_>, variables: &[Vec<Option<Term>>]) -> Vec<Template> {
    let mut templates = Vec::new();
    for (i, a) in variables.iter().enumerate() {
        for (j, b) in variables.iter().enumerate().skip(i + 1) {
            for (k, c) in variables.iter().enumerate() {
                if k == i || k == j {
                    continue;
                }
                let at: Vec<Option<Term>> = (0..a.len())
                    .map(|cut| {
                        let (a, b, c) = (a[cut]?, b[cut]?, c[cut]?);
                        let all = [a, b, c];
                        if !all.iter().all(|&t| bench.store.sort(t) == Sort::Int) {
                            return None;
                        }
                        let sum = bench.store.add(a, b);
                        Some(bench.store.sub(sum, c))
                    })
                    .collect();
                if at.iter().any(Option::is_some) {
                    templates.push(Template { rank: SINGLE, at });
                }
            }
        }
    }
    templates
}
