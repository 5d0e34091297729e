//! Checking bounds of templates.
//!
//! 1. A bound that is attained: its point is a model and has its value.
//! 2. A bound that is approached: all points from a model up to a point with
//!    its value are models.
//! 3. No bound: all points on a ray from a model are models, and the template
//!    grows on it. On a ray integers move by integers.
//! 4. Nothing lies beyond, or at a bound that is only approached: the formula
//!    together with "some template is there" has no model. This is one
//!    question for the solver; or a refutation shows it.
//!
//! A problem beyond linear arithmetic has no walks: bounds of it are attained,
//! or open.
//!
//! Points and walks are evaluated on the terms of the problem, never on what
//! an engine made of them. Where evaluation cannot tell whether a walk stays
//! among the models, the solver is asked.

mod along;
mod refute;

use self::along::{Reach, Walk, Walker};
use self::refute::Refuter;
use crate::{Accepted, Rejected};
use parallax_base::Budget;
use parallax_evidence::{Bound, Bounds, Extent, Point, Refutation};
use parallax_ir::{Side, TemplateProblem};
use parallax_solver::{Answer, Model, Solver};
use parallax_term::{Rat, Sort, Substitution, Term, TermStore, Value};

/// Accepts the bounds if points, refutations and solver confirm all of them.
/// The solver must have nothing asserted, and may be left in any state;
/// without one, bounds that need it are rejected as [`Rejected::NoSolver`].
pub fn check_bounds(
    problem: &TemplateProblem,
    bounds: &Bounds,
    solver: Option<&mut dyn Solver>,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let mut asker = Asker { solver, queries: 0 };
    let mut store = problem.store.clone();
    let evaluated = check_reached(problem, bounds, &mut store, &mut asker, budget)?;
    let mut is_shown = vec![false; bounds.bounds.len()];
    let mut steps = 0;
    for refutation in &bounds.refutations {
        steps += refutation.steps.len() as u64;
        check_refutation(problem, bounds, refutation, &mut store, &mut is_shown, budget)?;
    }
    check_limits(problem, bounds, &is_shown, &mut store, &mut asker, budget)?;
    Ok(Accepted { evaluated, steps, queries: asker.queries })
}

/// Puts questions to the solver, if there is one.
struct Asker<'a> {
    solver: Option<&'a mut dyn Solver>,
    queries: u64,
}

impl Asker<'_> {
    fn ask(
        &mut self,
        store: &TermStore,
        question: &[Term],
        budget: &Budget,
    ) -> Result<Answer, Rejected> {
        self.queries += 1;
        let solver = self.solver.as_mut().ok_or(Rejected::NoSolver)?;
        Ok(solver.check(store, question, budget)?)
    }
}

/// Accepts that templates get as far as the bounds say; how many walks were
/// evaluated.
fn check_reached(
    problem: &TemplateProblem,
    bounds: &Bounds,
    store: &mut TermStore,
    asker: &mut Asker<'_>,
    budget: &Budget,
) -> Result<u64, Rejected> {
    let wanted = problem.wanted();
    let claimed: Vec<(usize, Side)> = bounds.bounds.iter().map(|b| (b.template, b.side)).collect();
    if claimed != wanted {
        return Err(Rejected::Malformed("these are not the wanted bounds".into()));
    }
    let mut checker = Checker {
        problem,
        bounds,
        walker: Walker::new(problem).ok(),
        at_point: vec![None; bounds.points.len()],
        evaluated: 0,
        store,
        asker,
        budget,
    };
    for bound in &bounds.bounds {
        budget.check()?;
        let shown = checker.bound(bound.template, bound.side, &bound.extent)?;
        if !shown {
            let name = problem.store.smtlib(problem.templates[bound.template].term);
            return Err(Rejected::Bound(format!("the points of `{name}` do not show it")));
        }
    }
    Ok(checker.evaluated)
}

struct Checker<'a, 's> {
    problem: &'a TemplateProblem,
    bounds: &'a Bounds,
    /// `None` for a problem beyond linear arithmetic: it has points, no walks.
    walker: Option<Walker>,
    /// The values of the templates at points that turned out to be models.
    at_point: Vec<Option<Vec<Rat>>>,
    evaluated: u64,
    /// For questions about walks.
    store: &'a mut TermStore,
    asker: &'a mut Asker<'s>,
    budget: &'a Budget,
}

impl<'a> Checker<'a, '_> {
    /// Whether the points show what is claimed.
    fn bound(&mut self, template: usize, side: Side, extent: &Extent) -> Result<bool, Rejected> {
        let forward = |growth: &Rat| match side {
            Side::Upper => growth.signum() > 0,
            Side::Lower => growth.signum() < 0,
        };
        match extent {
            Extent::Empty => Ok(self.bounds.bounds.iter().all(|b| b.extent == Extent::Empty)),
            Extent::Between { reached: None, .. } => Ok(true),
            Extent::Attained { value, point }
            | Extent::Between { reached: Some((value, point)), .. } => {
                Ok(self.values(*point)?[template] == *value)
            }
            Extent::Supremum { value, from, towards } => {
                let (from, end) = (self.point(*from)?, self.point(*towards)?);
                let steps = self.problem.symbols.iter().zip(from.iter().zip(end.iter()));
                let steps: Option<Vec<Rat>> =
                    steps.map(|(&s, (a, b))| step(self.problem.store.sort(s), a, b)).collect();
                let Some(steps) = steps else { return Ok(false) };
                let (start, growth) = self.walk(template, from, &steps, Reach::Segment)?;
                Ok(forward(&growth) && &(&start + &growth) == value)
            }
            Extent::Unbounded { from, ray } => {
                let (from, ray) = (self.point(*from)?, self.point(*ray)?);
                let steps: Vec<Rat> = ray.iter().map(|v| v.to_rat().unwrap_or(Rat::ZERO)).collect();
                let (_, growth) = self.walk(template, from, &steps, Reach::Ray)?;
                Ok(forward(&growth))
            }
        }
    }

    /// A point, if it has a value of the right sort for each symbol.
    fn point(&self, index: usize) -> Result<&'a Point, Rejected> {
        let malformed = || Rejected::Malformed("a point does not fit the problem".into());
        let point = self.bounds.points.get(index).ok_or_else(malformed)?;
        let sorts = self.problem.symbols.iter().map(|&s| self.problem.store.sort(s));
        let fits = point.len() == self.problem.symbols.len()
            && sorts.zip(point.iter()).all(|(sort, value)| value.sort() == sort);
        if fits { Ok(point) } else { Err(malformed()) }
    }

    /// The values of all templates at a point that is a model.
    fn values(&mut self, index: usize) -> Result<&[Rat], Rejected> {
        let point = self.point(index)?;
        if self.at_point[index].is_none() {
            self.evaluated += 1;
            let values = match &self.walker {
                None => values_at(self.problem, point),
                Some(walker) => {
                    let seen = walker.walk(&Walk { from: point, along: None })?;
                    let values = seen.templates.into_iter().map(|walked| Some(walked?.start));
                    values.collect::<Option<Vec<Rat>>>().filter(|_| seen.is_model)
                }
            };
            let no_model = || Rejected::Bound("a point is no model of the formula".into());
            self.at_point[index] = Some(values.ok_or_else(no_model)?);
        }
        Ok(self.at_point[index].as_deref().unwrap_or_default())
    }

    /// Start and growth of a template on a walk through models.
    fn walk(
        &mut self,
        template: usize,
        from: &Point,
        steps: &[Rat],
        reach: Reach,
    ) -> Result<(Rat, Rat), Rejected> {
        self.evaluated += 1;
        let left = || Rejected::Bound("a walk leaves the models of the formula".into());
        let walker = self.walker.as_ref().ok_or_else(left)?;
        let mut seen = walker.walk(&Walk { from, along: Some((steps, reach)) })?;
        if !seen.is_model && !self.stays(from, steps, reach)? {
            return Err(left());
        }
        let walked = seen.templates[template].take().ok_or_else(left)?;
        Ok((walked.start, walked.growth))
    }

    /// Whether the solver refutes that a walk leaves the models.
    fn stays(&mut self, from: &Point, steps: &[Rat], reach: Reach) -> Result<bool, Rejected> {
        let store = &mut *self.store;
        // Integers move by integers, so on a ray only whole distances count.
        let has_integers = self.problem.symbols.iter().any(|&s| store.sort(s) == Sort::Int);
        let is_whole = has_integers && reach == Reach::Ray;
        let distance = store.fresh("distance", if is_whole { Sort::Int } else { Sort::Real });
        let real = if is_whole { store.to_real(distance) } else { distance };
        let mut pairs = Vec::new();
        for (at, &symbol) in self.problem.symbols.iter().enumerate() {
            let start = store.constant(from[at].clone());
            let moved = match store.sort(symbol) {
                Sort::Real => {
                    let step = store.scale(&steps[at], real);
                    store.add(start, step)
                }
                Sort::Int if is_whole && steps[at].to_int().is_some() => {
                    let step = store.scale(&steps[at], distance);
                    store.add(start, step)
                }
                _ if steps[at].is_zero() => start,
                _ => return Ok(false),
            };
            pairs.push((symbol, moved));
        }
        let there = Substitution::new(pairs).apply(store, self.problem.formula);
        let (outside, zero, one) = (store.not(there), store.real(Rat::ZERO), store.real(Rat::ONE));
        let mut question = vec![outside, store.ge(real, zero)];
        if reach == Reach::Segment {
            question.push(store.lt(real, one));
        }
        Ok(self.asker.ask(store, &question, self.budget)? == Answer::Unsat)
    }
}

/// The values of all templates at a point, if it is a model.
pub(crate) fn values_at(problem: &TemplateProblem, point: &Point) -> Option<Vec<Rat>> {
    let sorts = problem.symbols.iter().map(|&s| problem.store.sort(s));
    if point.len() != problem.symbols.len()
        || !sorts.zip(point.iter()).all(|(sort, value)| value.sort() == sort)
    {
        return None;
    }
    let mut model = Model::default();
    for (&symbol, value) in problem.symbols.iter().zip(point.iter()) {
        model.insert(symbol, value.clone());
    }
    if !model.satisfies(&problem.store, problem.formula) {
        return None;
    }
    let terms: Vec<Term> = problem.templates.iter().map(|t| t.term).collect();
    model.eval_all(&problem.store, &terms).iter().map(Value::to_rat).collect()
}

/// How a symbol moves between two points; `None` if it must not move.
fn step(sort: Sort, from: &Value, to: &Value) -> Option<Rat> {
    match sort {
        Sort::Real => Some(&to.to_rat()? - &from.to_rat()?),
        _ => (from == to).then_some(Rat::ZERO),
    }
}

/// Accepts that the bounds of a refutation are shown by it.
fn check_refutation(
    problem: &TemplateProblem,
    bounds: &Bounds,
    refutation: &Refutation,
    store: &mut TermStore,
    is_shown: &mut [bool],
    budget: &Budget,
) -> Result<(), Rejected> {
    // What has to be denied, before the steps are looked at.
    let mut beyond = Vec::new();
    for (index, step) in &refutation.shows {
        let malformed = || Rejected::Malformed("a refutation is of no bound".into());
        let bound = bounds.bounds.get(*index).ok_or_else(malformed)?;
        beyond.push((*index, *step, question(problem, bound, store)));
    }
    let (mut refuter, clauses) = Refuter::check(problem, store, refutation, budget)?;
    for (index, step, question) in beyond {
        let lacking = || Rejected::Refutation("a bound is not denied".into());
        let denied = match (clauses.get(step).ok_or_else(lacking)?, question) {
            ([], _) => true,
            ([lit], Some(question)) => refuter.lit(question)? ^ 1 == *lit,
            _ => false,
        };
        if !denied {
            return Err(lacking());
        }
        is_shown[index] = true;
    }
    Ok(())
}

/// "The template is where the bound says it is not"; `None` if it says nothing.
fn question(problem: &TemplateProblem, bound: &Bound, store: &mut TermStore) -> Option<Term> {
    let limit = bound.extent.limit()?;
    // What is only approached must not be reached either.
    let reaches = matches!(bound.extent, Extent::Supremum { .. });
    Some(past(store, problem.templates[bound.template].term, bound.side, limit, reaches))
}

/// Accepts that no template gets further than the bounds say, as far as that
/// is not shown.
fn check_limits(
    problem: &TemplateProblem,
    bounds: &Bounds,
    is_shown: &[bool],
    store: &mut TermStore,
    asker: &mut Asker<'_>,
    budget: &Budget,
) -> Result<(), Rejected> {
    let open = bounds.bounds.iter().zip(is_shown).filter(|(_, is_shown)| !**is_shown);
    let (between, open): (Vec<&Bound>, Vec<&Bound>) = open
        .map(|(bound, _)| bound)
        .partition(|bound| matches!(bound.extent, Extent::Between { .. }));
    // Limits of a search that was stopped follow from little, each from something
    // else: one by one they are answered where all together are not.
    let questions: Vec<Term> =
        between.into_iter().filter_map(|bound| question(problem, bound, store)).collect();
    if let (Some(solver), false) = (asker.solver.as_mut(), questions.is_empty()) {
        solver.push();
        solver.assert(store, problem.formula);
        let all = questions.iter().try_for_each(|&q| beyond(&[q], store, asker, budget));
        asker.solver.as_mut().ok_or(Rejected::NoSolver)?.pop();
        all?;
    } else if !questions.is_empty() {
        return Err(Rejected::NoSolver);
    }
    let question = if open.iter().any(|b| b.extent == Extent::Empty) {
        store.bool(true)
    } else {
        let beyond: Vec<Term> =
            open.into_iter().filter_map(|bound| question(problem, bound, store)).collect();
        store.or(beyond)
    };
    if store.is_false(question) {
        return Ok(());
    }
    beyond(&[problem.formula, question], store, asker, budget)
}

/// Accepts that nothing is beyond a bound.
fn beyond(
    question: &[Term],
    store: &TermStore,
    asker: &mut Asker<'_>,
    budget: &Budget,
) -> Result<(), Rejected> {
    match asker.ask(store, question, budget)? {
        Answer::Unsat => Ok(()),
        Answer::Sat => Err(Rejected::Bound("the formula has a model beyond a bound".into())),
        Answer::Unknown(reason) => Err(Rejected::GaveUp(reason)),
    }
}

/// "The template lies beyond this value", or at it if `reaches`.
pub(crate) fn past(
    store: &mut TermStore,
    template: Term,
    side: Side,
    limit: &Rat,
    reaches: bool,
) -> Term {
    let (template, limit) = match side {
        Side::Upper => (template, limit.clone()),
        Side::Lower => (store.neg(template), -limit),
    };
    if store.sort(template) == Sort::Int {
        // Beyond a fraction means beyond its floor.
        let floor = limit.floor();
        let reaches = reaches && Rat::from(floor.clone()) == limit;
        let floor = store.int(floor);
        return if reaches { store.ge(template, floor) } else { store.gt(template, floor) };
    }
    let limit = store.real(limit);
    if reaches { store.ge(template, limit) } else { store.gt(template, limit) }
}
