//! Checking bounds of templates.
//!
//! 1. A bound that is attained: its point is a model and has its value.
//! 2. A bound that is approached: all points from a model up to a point with
//!    its value are models.
//! 3. No bound: all points on a ray from a model are models, and the template
//!    grows on it. On a ray integers move by integers.
//! 4. Nothing lies beyond: the formula together with "some template is beyond
//!    its bound" has no model. This is one question for the solver.
//!
//! Points are evaluated on the terms of the problem, never on what an engine
//! made of them.

use crate::along::{Reach, Walk, Walker};
use crate::{Accepted, Rejected};
use parallax_base::Budget;
use parallax_evidence::{Bounds, Extent, Point};
use parallax_ir::{Side, TemplateProblem};
use parallax_solver::{Answer, Solver};
use parallax_term::{Rat, Sort, Term, TermStore, Value};

/// Accepts the bounds if points and solver confirm all of them. `solver` must
/// have nothing asserted, and may be left in any state.
pub fn check_bounds(
    problem: &TemplateProblem,
    bounds: &Bounds,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let evaluated = check_reached(problem, bounds, budget)?;
    let queries = check_limits(problem, bounds, solver, budget)?;
    Ok(Accepted { evaluated, queries })
}

/// Accepts that templates get as far as the bounds say; how many walks were
/// evaluated.
fn check_reached(
    problem: &TemplateProblem,
    bounds: &Bounds,
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
        walker: Walker::new(problem)?,
        at_point: vec![None; bounds.points.len()],
        evaluated: 0,
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

struct Checker<'a> {
    problem: &'a TemplateProblem,
    bounds: &'a Bounds,
    walker: Walker,
    /// The values of the templates at points that turned out to be models.
    at_point: Vec<Option<Vec<Rat>>>,
    evaluated: u64,
}

impl<'a> Checker<'a> {
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
            let seen = self.walker.walk(&Walk { from: point, along: None })?;
            let values: Option<Vec<Rat>> =
                seen.templates.into_iter().map(|walked| Some(walked?.start)).collect();
            let values = values.filter(|_| seen.is_model);
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
        let mut seen = self.walker.walk(&Walk { from, along: Some((steps, reach)) })?;
        match seen.templates[template].take().filter(|_| seen.is_model) {
            Some(walked) => Ok((walked.start, walked.growth)),
            None => Err(Rejected::Bound("a walk leaves the models of the formula".into())),
        }
    }
}

/// How a symbol moves between two points; `None` if it must not move.
fn step(sort: Sort, from: &Value, to: &Value) -> Option<Rat> {
    match sort {
        Sort::Real => Some(&to.to_rat()? - &from.to_rat()?),
        _ => (from == to).then_some(Rat::ZERO),
    }
}

/// Accepts that no template gets further than the bounds say; how many
/// questions were put to the solver.
fn check_limits(
    problem: &TemplateProblem,
    bounds: &Bounds,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<u64, Rejected> {
    let mut store = problem.store.clone();
    let mut beyond: Vec<Term> = Vec::new();
    for bound in &bounds.bounds {
        if let Some(limit) = bound.extent.limit() {
            let term = problem.templates[bound.template].term;
            beyond.push(past(&mut store, term, bound.side, limit));
        }
    }
    let question = match bounds.is_empty() {
        true => store.bool(true),
        false => store.or(beyond),
    };
    if store.is_false(question) {
        return Ok(0);
    }
    solver.assert(&store, problem.formula);
    match solver.check(&store, &[question], budget)? {
        Answer::Unsat => Ok(1),
        Answer::Sat => Err(Rejected::Bound("the formula has a model beyond a bound".into())),
        Answer::Unknown(reason) => Err(Rejected::GaveUp(reason)),
    }
}

/// "The template lies beyond this value."
fn past(store: &mut TermStore, template: Term, side: Side, limit: &Rat) -> Term {
    // Over the reals, because a limit of an integer may be a fraction.
    let number = match store.sort(template) {
        Sort::Int => store.to_real(template),
        _ => template,
    };
    let limit = store.real(limit.clone());
    match side {
        Side::Upper => store.gt(number, limit),
        Side::Lower => store.lt(number, limit),
    }
}
