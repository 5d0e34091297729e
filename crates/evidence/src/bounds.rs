//! Bounds of templates, with what shows that they are right.
//!
//! A bound claims two things: the template gets there, and it gets no further.
//! The first is shown by points. The second is a question for a solver, or for
//! a checker of proofs: no model of the formula lies beyond the bound.

use crate::Refutation;
use parallax_ir::{Side, TemplateProblem};
use parallax_term::{Rat, Sort, Value};

/// One value for each symbol of a problem, in the order of its symbols.
pub type Point = Box<[Value]>;

/// How far a template reaches to one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Extent {
    /// The formula has no model, so there is nothing to bound.
    Empty,
    /// The bound is the value at a model.
    Attained {
        /// The bound.
        value: Rat,
        /// A model with this value, as an index into the points.
        point: usize,
    },
    /// The bound is approached and never reached.
    Supremum {
        /// The bound.
        value: Rat,
        /// A model. From it up to `towards`, which is left out, all points are
        /// models.
        from: usize,
        /// A point at which the template has the value of the bound.
        towards: usize,
    },
    /// There is no bound.
    Unbounded {
        /// A model.
        from: usize,
        /// A direction: all points on the way from the model are models, and
        /// the template grows.
        ray: usize,
    },
    /// The search ended early.
    Between {
        /// The template gets at least this far: the value at a model.
        reached: Option<(Rat, usize)>,
        /// It gets no further than this, if that is known.
        limit: Option<Rat>,
    },
}

impl Extent {
    /// A value that the template does not pass, if this claims one.
    pub fn limit(&self) -> Option<&Rat> {
        match self {
            Extent::Attained { value, .. } | Extent::Supremum { value, .. } => Some(value),
            Extent::Between { limit, .. } => limit.as_ref(),
            Extent::Empty | Extent::Unbounded { .. } => None,
        }
    }

    /// Whether nothing is left to find out.
    pub fn is_final(&self) -> bool {
        !matches!(self, Extent::Between { .. })
    }
}

/// The extent of one template to one side.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bound {
    /// The template, as an index into those of the problem.
    pub template: usize,
    /// Which bound this is.
    pub side: Side,
    /// How far it reaches.
    pub extent: Extent,
}

/// The bounds of all templates of a problem.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bounds {
    /// The wanted bounds, in the order of the problem.
    pub bounds: Vec<Bound>,
    /// Points and directions that the bounds mention.
    pub points: Vec<Point>,
    /// Proofs that nothing lies beyond some of them.
    pub refutations: Vec<Refutation>,
}

impl Bounds {
    /// Whether the formula has no model.
    pub fn is_empty(&self) -> bool {
        self.bounds.iter().any(|b| b.extent == Extent::Empty)
    }

    /// Whether every bound is final.
    pub fn is_final(&self) -> bool {
        self.bounds.iter().all(|b| b.extent.is_final())
    }
}

/// Points of a Pareto front: models of which none is as good as another in
/// every objective.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Front {
    /// The points, each with values that no model dominates.
    pub points: Vec<Point>,
    /// Whether every model is dominated by a point, or has its values.
    pub is_whole: bool,
}

/// What answers a question for the best models of a formula.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Optimum {
    /// Bounds, each on its own.
    Bounds(Bounds),
    /// The bounds of each objective where those before it are best.
    Stages(Vec<Bounds>),
    /// The best trade-offs.
    Front(Front),
}

/// The problem of one objective where those before it have their best values:
/// the same formula with equations, the same symbols, one template.
/// Searchers and checkers build it alike, so that proofs speak of the same
/// terms. `None` if there is no such template, or a value does not fit.
pub fn stage(problem: &TemplateProblem, before: &[Rat]) -> Option<TemplateProblem> {
    let template = problem.templates.get(before.len())?.clone();
    let mut store = problem.store.clone();
    let mut parts = vec![problem.formula];
    for (value, former) in before.iter().zip(&problem.templates) {
        let value = match store.sort(former.term) {
            Sort::Int => store.int(value.to_int()?.clone()),
            _ => store.real(value.clone()),
        };
        parts.push(store.eq(former.term, value));
    }
    let formula = store.and(parts);
    let (name, symbols) = (problem.name.clone(), problem.symbols.clone());
    Some(TemplateProblem { name, store, formula, templates: vec![template], symbols })
}
