//! What is known of each bound: `U` and `O` of the thesis, with points.
//!
//! Inside, every wanted bound is a *goal*: a term to maximize. A lower bound
//! is the maximum of the negated template.

use crate::config::{Event, Observer, Statistics};
use parallax_evidence::{Bound, Bounds, Extent, Point, Refutation};
use parallax_ir::{Side, TemplateProblem};
use parallax_term::{Rat, Sort, Term};

/// How far a goal was seen to reach.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Reached {
    /// The value at a point.
    Value(Rat, usize),
    /// Up to a value that the last point of a segment has.
    Approached(Rat, usize, usize),
    /// Without end, along a ray.
    Unbounded(usize, usize),
}

/// A wanted bound.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Goal {
    pub(crate) template: usize,
    pub(crate) side: Side,
    pub(crate) reached: Option<Reached>,
    /// No model lies above this.
    pub(crate) limit: Option<Rat>,
    /// No model lies at the limit either.
    pub(crate) is_strict: bool,
}

impl Goal {
    /// Turns a value of the goal into one of the template, and back.
    pub(crate) fn signed(&self, value: &Rat) -> Rat {
        match self.side {
            Side::Upper => value.clone(),
            Side::Lower => -value,
        }
    }

    /// Whether nothing is left to find out.
    pub(crate) fn is_closed(&self) -> bool {
        match &self.reached {
            Some(Reached::Value(value, _)) => self.limit.as_ref() == Some(value),
            Some(Reached::Approached(value, ..)) => {
                self.is_strict && self.limit.as_ref() == Some(value)
            }
            Some(Reached::Unbounded(..)) => true,
            None => false,
        }
    }
}

/// All goals of a problem.
pub(crate) struct State<'a> {
    pub(crate) problem: &'a TemplateProblem,
    pub(crate) goals: Vec<Goal>,
    pub(crate) points: Vec<Point>,
    pub(crate) refutations: Vec<Refutation>,
    /// The formula has no model.
    pub(crate) is_empty: bool,
    pub(crate) statistics: Statistics,
    pub(crate) observer: &'a dyn Observer,
}

impl<'a> State<'a> {
    pub(crate) fn new(problem: &'a TemplateProblem, observer: &'a dyn Observer) -> State<'a> {
        let wanted = problem.wanted().into_iter();
        let goals = wanted
            .map(|(template, side)| Goal {
                template,
                side,
                reached: None,
                limit: None,
                is_strict: false,
            })
            .collect();
        let statistics = Statistics::default();
        State {
            problem,
            goals,
            points: Vec::new(),
            refutations: Vec::new(),
            is_empty: false,
            statistics,
            observer,
        }
    }

    /// Keeps a point.
    pub(crate) fn keep(&mut self, point: Point) -> usize {
        self.points.push(point);
        self.points.len() - 1
    }

    /// A goal reaches this far.
    pub(crate) fn reach(&mut self, goal: usize, reached: Reached) {
        let value = match &reached {
            Reached::Value(value, _) | Reached::Approached(value, ..) => {
                Some(self.goals[goal].signed(value))
            }
            Reached::Unbounded(..) => None,
        };
        let ends = value.is_none();
        let Goal { template, side, .. } = self.goals[goal];
        self.goals[goal].reached = Some(reached);
        self.observer.notice(&Event::Reached { template, side, value });
        if ends {
            self.notice_closed(goal);
        }
    }

    /// No model lies above this value of a goal.
    pub(crate) fn limit(&mut self, goal: usize, value: Rat) {
        self.goals[goal].limit = Some(value);
        if self.goals[goal].is_closed() {
            self.notice_closed(goal);
        }
    }

    /// No model lies beyond what a goal was seen to reach.
    pub(crate) fn settle(&mut self, goal: usize) {
        self.settle_quietly(goal);
        if self.goals[goal].is_closed() {
            self.notice_closed(goal);
        }
    }

    /// The same for a goal whose end was already told.
    pub(crate) fn settle_quietly(&mut self, goal: usize) {
        let own = &mut self.goals[goal];
        match &own.reached {
            Some(Reached::Value(value, _)) => own.limit = Some(value.clone()),
            Some(Reached::Approached(value, ..)) => {
                own.limit = Some(value.clone());
                own.is_strict = true;
            }
            Some(Reached::Unbounded(..)) => {}
            // Nothing was reached: there is no model at all.
            None => self.is_empty = true,
        }
    }

    fn notice_closed(&self, goal: usize) {
        let Goal { template, side, .. } = self.goals[goal];
        let open = self.goals.iter().filter(|g| !g.is_closed()).count();
        self.observer.notice(&Event::Closed { template, side, open });
    }

    /// Takes over what another search told about already.
    pub(crate) fn take(
        &mut self,
        goal: usize,
        reached: Option<Reached>,
        limit: Option<Rat>,
        is_strict: bool,
    ) {
        let own = &mut self.goals[goal];
        own.is_strict = is_strict && reached.is_some();
        own.limit = limit.or(own.limit.take());
        own.reached = reached.or(own.reached.take());
    }

    /// Tells what is known of a goal.
    pub(crate) fn announce(&self, goal: usize) {
        let known = &self.goals[goal];
        let value = match &known.reached {
            None => return,
            Some(Reached::Value(value, _) | Reached::Approached(value, ..)) => {
                Some(known.signed(value))
            }
            Some(Reached::Unbounded(..)) => None,
        };
        let (template, side) = (known.template, known.side);
        self.observer.notice(&Event::Reached { template, side, value });
        if known.is_closed() {
            self.notice_closed(goal);
        }
    }

    /// Goals that are not closed.
    pub(crate) fn open(&self) -> Vec<usize> {
        (0..self.goals.len()).filter(|&g| !self.goals[g].is_closed()).collect()
    }

    /// What is known, as evidence.
    pub(crate) fn into_bounds(self) -> Bounds {
        let bounds = self.goals.iter().map(|goal| Bound {
            template: goal.template,
            side: goal.side,
            extent: match extent(goal) {
                _ if self.is_empty => Extent::Empty,
                Extent::Between { reached: None, limit } => {
                    Extent::Between { reached: self.seen(goal), limit }
                }
                known => known,
            },
        });
        let bounds = bounds.collect();
        Bounds { bounds, points: self.points, refutations: self.refutations }
    }

    /// The furthest value of a goal at a model that was kept for some goal.
    fn seen(&self, goal: &Goal) -> Option<(Rat, usize)> {
        let models = self.goals.iter().filter_map(|goal| match goal.reached.as_ref()? {
            Reached::Value(_, at) | Reached::Approached(_, at, _) | Reached::Unbounded(at, _) => {
                Some(*at)
            }
        });
        let term = self.problem.templates[goal.template].term;
        let values = models.filter_map(|at| Some((self.value_at(term, &self.points[at])?, at)));
        values.max_by(|a, b| goal.signed(&a.0).cmp(&goal.signed(&b.0)))
    }

    /// The value of a template that is a sum of numbers at a point.
    pub(crate) fn value_at(&self, template: Term, point: &Point) -> Option<Rat> {
        let store = &self.problem.store;
        if !matches!(store.sort(template), Sort::Int | Sort::Real) {
            return None;
        }
        let linear = store.linear(template);
        let mut sum = linear.constant_part().clone();
        for (symbol, factor) in linear.monomials() {
            let at = self.problem.symbols.binary_search(symbol).ok()?;
            sum = &sum + &(factor * &point[at].to_rat()?);
        }
        Some(sum)
    }
}

fn extent(goal: &Goal) -> Extent {
    let is_closed = goal.is_closed();
    let limit = goal.limit.as_ref().map(|l| goal.signed(l));
    match &goal.reached {
        Some(Reached::Unbounded(from, ray)) => Extent::Unbounded { from: *from, ray: *ray },
        Some(Reached::Value(value, point)) if is_closed => {
            Extent::Attained { value: goal.signed(value), point: *point }
        }
        Some(Reached::Approached(value, from, towards)) if is_closed => {
            Extent::Supremum { value: goal.signed(value), from: *from, towards: *towards }
        }
        Some(Reached::Value(value, point)) => {
            Extent::Between { reached: Some((goal.signed(value), *point)), limit }
        }
        _ => Extent::Between { reached: None, limit },
    }
}
