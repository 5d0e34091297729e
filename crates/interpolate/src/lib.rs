//! Layer 3: sequences of interpolants.
//!
//! The parts `e_1 .. e_n` of an infeasible path contradict each other. A
//! sequence of interpolants says, for each place between two parts, why:
//! `I_0 = true`, `I_(i-1) && e_i` implies `I_i`, `I_n = false`, and `I_i`
//! speaks only of symbols that occur both in `e_1 .. e_i` and in
//! `e_(i+1) .. e_n`. [`sequence`] finds one; several methods are tried in turn:
//!
//! - [`Method::Farkas`]: the linear literals contradict each other; one sum of
//!   them gives all interpolants as its partial sums.
//! - [`Method::Proof`]: a refutation of linear arithmetic with disjunctions,
//!   read once for each cut.
//! - [`Method::Backward`] and [`Method::Forward`]: what the later (earlier)
//!   parts say about the shared symbols, by projection of an unsat core.
//! - [`Method::Cubes`]: the same, learned from models where symbols cannot be
//!   projected.
//!
//! With [`Options::templates`], interpolants over these terms are looked for
//! first.
//!
//! Before the other methods an unsat core of the conjuncts throws out what is
//! not needed. After each method every condition is asked again as a query of its own; a
//! sequence that fails is dropped and the next method is tried. So no method
//! is trusted.
//!
//! ```
//! use parallax_base::Budget;
//! use parallax_interpolate::{Options, Outcome, sequence};
//! use parallax_solver::Z3;
//! use parallax_term::{Sort, TermStore};
//!
//! let store = &mut TermStore::new();
//! let [x, y, z] = ["x", "y", "z"].map(|name| store.var(name, Sort::Int));
//! let one = store.int(1);
//! let (above, next) = (store.add(x, one), store.add(y, one));
//! let parts = [store.ge(y, above), store.ge(z, next), store.le(z, x)];
//! let budget = &Budget::unlimited();
//! let outcome = sequence(store, &mut Z3::new(), &parts, &Options::default(), budget)?;
//! let Outcome::Found(found) = outcome else { panic!("x < y < z <= x") };
//! let shown: Vec<String> = found.formulas.iter().map(|f| store.infix(*f)).collect();
//! assert_eq!(shown, ["true", "x < y", "x <= z - 2", "false"]);
//! # Ok::<(), parallax_base::Stop>(())
//! ```

mod cubes;
mod farkas;
mod guide;
mod linear;
mod problem;
mod project;
mod refute;
mod shrink;
mod steady;
mod template;
mod tidy;
mod verify;

use parallax_base::{Budget, Stop};
use parallax_solver::Solver;
use parallax_term::{Sort, Term, TermStore};
use problem::{Reduction, Spans};
use std::time::Duration;

pub use template::{Template, relations};

/// How interpolants are found.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Method {
    /// Partial sums of a linear contradiction.
    Farkas,
    /// A refutation by case splits and linear contradictions.
    Proof,
    /// What the later parts say about the shared symbols: the weakest interpolants
    /// of the core.
    Backward,
    /// What the earlier parts say about the shared symbols: the strongest ones.
    Forward,
    /// As backward, with clauses learned from models where projection fails.
    Cubes,
}

impl Method {
    /// Whether it works without a solver.
    fn needs_no_solver(self) -> bool {
        matches!(self, Method::Farkas | Method::Proof)
    }

    /// A word for reports.
    pub fn name(self) -> &'static str {
        match self {
            Method::Farkas => "farkas",
            Method::Proof => "proof",
            Method::Backward => "backward",
            Method::Forward => "forward",
            Method::Cubes => "cubes",
        }
    }
}

/// What is allowed, and in which order.
#[derive(Clone, Debug)]
pub struct Options {
    /// The methods, first choice first.
    pub methods: Vec<Method>,
    /// Terms that interpolants should speak of; none to let them speak of
    /// anything. Where they do not suffice, they are ignored.
    pub templates: Vec<Template>,
    /// How long one method may take before the next is tried. A query that
    /// is interrupted may leave the solver in a bad state, so this is for
    /// callers whose results are checked by another.
    pub patience: Option<Duration>,
}

impl Options {
    /// The budget of one method.
    fn share_of(&self, budget: &Budget) -> Budget {
        self.patience.map_or_else(|| budget.clone(), |patience| budget.within(patience))
    }
}

impl Default for Options {
    fn default() -> Options {
        let methods =
            vec![Method::Farkas, Method::Proof, Method::Backward, Method::Forward, Method::Cubes];
        Options { methods, templates: Vec::new(), patience: None }
    }
}

/// A verified sequence of interpolants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sequence {
    /// `I_0 .. I_n`.
    pub formulas: Vec<Term>,
    /// Who found it.
    pub method: Method,
    /// The conjuncts of each part that it rests on.
    pub core: Vec<Vec<Term>>,
    /// The templates that it is made of, by position; none if it was found
    /// without them.
    pub templates: Vec<usize>,
}

/// What came out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Interpolants.
    Found(Sequence),
    /// The parts do not contradict each other, so there are none.
    Satisfiable,
    /// No method succeeded, for this reason.
    GaveUp(String),
}

/// Interpolants for `parts`, whose conjunction should be unsatisfiable.
///
/// The solver must have no assertions; scopes that are opened are closed again,
/// also on `Err`.
pub fn sequence(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    parts: &[Term],
    options: &Options,
    budget: &Budget,
) -> Result<Outcome, Stop> {
    let mut lists: Vec<Vec<Term>> = Vec::with_capacity(parts.len());
    for &part in parts {
        budget.check()?;
        lists.push(problem::conjuncts(store, [part]));
    }
    let spans = &Spans::new(store, &lists);
    if !options.templates.is_empty() {
        let part = &options.share_of(budget);
        let found = by_templates(store, solver, &lists, spans, options, part);
        if let Some(found) = in_time(found, budget)?.flatten() {
            return Ok(Outcome::Found(found));
        }
    }
    // Linear contradictions and short refutations need no core: they have one.
    for &method in options.methods.iter().take_while(|m| m.needs_no_solver()) {
        let part = &options.share_of(budget);
        let found = run(store, solver, method, &lists, Effort::Small, part);
        if let Some(candidate) = in_time(found, budget)?.flatten()
            && let Some(found) = confirmed(store, solver, spans, method, candidate, budget)?
        {
            return Ok(Outcome::Found(found));
        }
    }
    let parts = match problem::reduce(store, solver, lists, budget)? {
        Reduction::Core(parts) => parts,
        Reduction::Satisfiable => return Ok(Outcome::Satisfiable),
        Reduction::Unknown(why) => return Ok(Outcome::GaveUp(why)),
    };
    let mut failures = Vec::new();
    for &method in &options.methods {
        let part = &options.share_of(budget);
        let found = run(store, solver, method, &parts, Effort::Large, part);
        let Some(found) = in_time(found, budget)? else {
            failures.push(format!("{} took too long", method.name()));
            continue;
        };
        let Some(candidate) = found else {
            failures.push(format!("{} found none", method.name()));
            continue;
        };
        if let Some(found) = confirmed(store, solver, spans, method, candidate, budget)? {
            return Ok(Outcome::Found(found));
        }
        failures.push(format!("{} was not confirmed", method.name()));
    }
    Ok(Outcome::GaveUp(failures.join(", ")))
}

/// What was computed within a part of the budget; `None` if that was too short.
fn in_time<T>(result: Result<T, Stop>, budget: &Budget) -> Result<Option<T>, Stop> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Stop::Time) => budget.check().map(|()| None),
        Err(stop) => Err(stop),
    }
}

/// Formulas for all cuts, and the conjuncts of each part that they rest on.
struct Candidate {
    formulas: Vec<Term>,
    core: Vec<Vec<Term>>,
}

/// The candidate, made smaller, if it is a sequence of interpolants.
fn confirmed(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    spans: &Spans,
    method: Method,
    candidate: Candidate,
    budget: &Budget,
) -> Result<Option<Sequence>, Stop> {
    let Candidate { formulas, core } = candidate;
    let formulas = shrink::shrink(store, solver, &core, formulas, budget)?;
    let holds = verify::holds(store, solver, spans, &core, &formulas, budget)?;
    Ok(holds.then_some(Sequence { formulas, method, core, templates: Vec::new() }))
}

/// Tear parts apart only with so many equations at most.
const TORN: usize = 600;

/// Interpolants over the templates.
fn by_templates(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    parts: &[Vec<Term>],
    spans: &Spans,
    options: &Options,
    budget: &Budget,
) -> Result<Option<Sequence>, Stop> {
    let templates = &options.templates;
    if options.methods.contains(&Method::Farkas)
        && let Some((Candidate { formulas, core }, used)) =
            guide::interpolants(store, parts, spans, templates, budget)?
        && verify::holds(store, solver, spans, &core, &formulas, budget)?
    {
        let method = Method::Farkas;
        return Ok(Some(Sequence { formulas, method, core, templates: used }));
    }
    // Copies of arrays make slow queries.
    let has_arrays = spans.symbols().any(|symbol| matches!(store.sort(symbol), Sort::Array(..)));
    if has_arrays || templates.len() * parts.len() > TORN {
        return Ok(None);
    }
    let Some(torn) = template::tear(store, solver, parts, spans, templates, budget)? else {
        return Ok(None);
    };
    let reduced = problem::reduce(store, solver, torn.parts.clone(), budget)?;
    let Reduction::Core(core) = reduced else { return Ok(None) };
    let is_quick = |method: &&Method| !matches!(method, Method::Forward | Method::Cubes);
    for &method in options.methods.iter().filter(is_quick) {
        let found = run(store, solver, method, &core, Effort::Large, budget)?;
        let Some(Candidate { formulas, core }) = found else { continue };
        let formulas = shrink::shrink(store, solver, &core, formulas, budget)?;
        let formulas = torn.mend(store, &formulas);
        if verify::holds(store, solver, spans, parts, &formulas, budget)? {
            let (core, templates) = (parts.to_vec(), torn.used);
            return Ok(Some(Sequence { formulas, method, core, templates }));
        }
    }
    Ok(None)
}

/// How long a method may try.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    Small,
    Large,
}

/// What one method finds for parts that contradict each other.
fn run(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    method: Method,
    parts: &[Vec<Term>],
    effort: Effort,
    budget: &Budget,
) -> Result<Option<Candidate>, Stop> {
    let limits = if effort == Effort::Small { refute::SMALL } else { refute::LARGE };
    let formulas = match method {
        Method::Farkas => return farkas::interpolants(store, parts, budget),
        Method::Proof => return refute::interpolants(store, parts, limits, budget),
        Method::Backward => project::backward(store, solver, parts, budget)?,
        Method::Forward => project::forward(store, solver, parts, budget)?,
        Method::Cubes => cubes::interpolants(store, solver, parts, budget)?,
    };
    Ok(formulas.map(|formulas| Candidate { formulas, core: parts.to_vec() }))
}
