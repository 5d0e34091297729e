//! A polyhedron of models, and how far terms reach in it.
//!
//! The literals that a model needs are equations and bounds of forms. Columns
//! that equations tie together are merged ([`crate::classes`]); what is left
//! are bounds of single roots, a *box*, and few constraints over several
//! roots, which the simplex looks after. Most terms are answered by the box.

use crate::classes::{Classes, ZERO};
use crate::{Lra, Objective};
use parallax_base::{Budget, Stop};
use parallax_search::Lit;
use parallax_simplex::{Feasibility, Num, Optimum, Side, Simplex, Var};
use parallax_term::{Rat, Relation};

/// How far a term reaches in a polyhedron.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Reach {
    /// Up to a value.
    Bounded {
        /// The least upper bound.
        value: Rat,
        /// Whether some point has this value.
        attained: bool,
    },
    /// Without end.
    Unbounded,
}

/// Points that show how far a term reaches; see [`Lra::position`] for where a
/// symbol stands in them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Witness {
    /// A point with the largest value.
    Point(Vec<Rat>),
    /// All points from the first up to the second are in the polyhedron, the
    /// second alone is not. It has the value of the bound.
    Segment(Vec<Rat>, Vec<Rat>),
    /// From the point one can go on in the direction for ever.
    Ray(Vec<Rat>, Vec<Rat>),
}

#[derive(Clone, Debug)]
struct Limit {
    value: Num,
    strict: bool,
}

/// Lower and upper limit.
type Limits = [Option<Limit>; 2];

/// Sets a limit if it is tighter.
fn tighten(limits: &mut Limits, side: Side, value: Num, strict: bool) {
    let slot = &mut limits[side as usize];
    let replaces = slot.as_ref().is_none_or(|old| {
        let order = value.cmp(&old.value);
        let tighter = if side == Side::Lower { order.is_gt() } else { order.is_lt() };
        tighter || order.is_eq() && strict && !old.strict
    });
    if replaces {
        *slot = Some(Limit { value, strict });
    }
}

fn is_empty(limits: &Limits) -> bool {
    let [Some(lower), Some(upper)] = limits else { return false };
    let order = lower.value.cmp(&upper.value);
    order.is_gt() || order.is_eq() && (lower.strict || upper.strict)
}

/// A polyhedron of models.
#[derive(Clone, Debug)]
pub struct Leaf {
    /// Root and distance of each column; roots count from 1, 0 is constant.
    places: Vec<(u32, Num)>,
    /// The limits of each root.
    boxes: Vec<Limits>,
    /// Constraints over several roots.
    simplex: Simplex,
    /// The variable in `simplex` of each root that has one.
    vars: Vec<Option<Var>>,
    /// The truth-valued symbols, in the order of the solver.
    truths: Vec<bool>,
}

/// A sum over roots: without the constant, and the constant.
type RootSum = (Vec<(u32, Num)>, Num);

struct Maker<'a> {
    lra: &'a Lra,
    classes: Classes,
    boxes: Vec<Limits>,
}

impl Leaf {
    /// The polyhedron of some literals of atoms; `None` if it is empty.
    pub(crate) fn new(lra: &Lra, needed: &[Lit], budget: &Budget) -> Result<Option<Leaf>, Stop> {
        let columns = lra.forms.len();
        let mut limits: Vec<Limits> = vec![[None, None]; columns];
        let mut used: Vec<u32> = Vec::new();
        for &lit in needed {
            let Some(atom) = &lra.search.theory.atoms[lit.var()] else { continue };
            let bounds = &mut limits[atom.column as usize];
            if matches!(bounds, [None, None]) {
                used.push(atom.column);
            }
            let mut say = |side, strict| tighten(bounds, side, atom.value.clone(), strict);
            match (atom.relation, lit.is_positive()) {
                (Relation::Le, true) => say(Side::Upper, false),
                (Relation::Le, false) => say(Side::Lower, true),
                (Relation::Lt, true) => say(Side::Upper, true),
                (Relation::Lt, false) => say(Side::Lower, false),
                (Relation::Eq, true) => {
                    say(Side::Upper, false);
                    say(Side::Lower, false);
                }
                (Relation::Eq, false) => {}
            }
            if is_empty(bounds) {
                return Ok(None);
            }
        }
        let classes = Classes::new(columns);
        let boxes = vec![[None, None]; columns + 1];
        let mut maker = Maker { lra, classes, boxes };
        let (equal, others): (Vec<u32>, Vec<u32>) =
            used.into_iter().partition(|&c| fixed(&limits[c as usize]).is_some());
        let Some(general) = maker.merge(equal, &limits) else { return Ok(None) };
        maker.finish(general, &others, &limits, budget)
    }
}

/// The value of a column whose limits are equal.
fn fixed(limits: &Limits) -> Option<&Num> {
    match limits {
        [Some(lower), Some(upper)] if lower.value == upper.value => Some(&lower.value),
        _ => None,
    }
}

impl Maker<'_> {
    /// A column as a sum over roots.
    fn sum(&mut self, column: u32) -> RootSum {
        match &self.lra.forms[column as usize] {
            None => {
                let (root, distance) = self.classes.find(column + 1);
                let parts = if root == ZERO { vec![] } else { vec![(root, Num::ONE)] };
                (parts, distance)
            }
            Some(parts) => collect(&mut self.classes, parts),
        }
    }

    /// Merges columns by equations; the equations that are left, `None` on a
    /// contradiction.
    fn merge(&mut self, mut open: Vec<u32>, limits: &[Limits]) -> Option<Vec<u32>> {
        loop {
            let before = open.len();
            let mut left = Vec::new();
            for column in open {
                let Some(value) = fixed(&limits[column as usize]) else { continue };
                let (parts, constant) = self.sum(column);
                let rest = value.sub(&constant);
                match parts.as_slice() {
                    [] if rest.is_zero() => {}
                    [] => return None,
                    [(root, factor)] => {
                        self.classes.merge(*root, ZERO, rest.mul(&factor.inverse()));
                    }
                    [(a, c), (b, d)] if *c == d.neg() => {
                        self.classes.merge(*a, *b, rest.mul(&c.inverse()));
                    }
                    _ => left.push(column),
                }
            }
            if left.len() == before || left.is_empty() {
                return Some(left);
            }
            open = left;
        }
    }

    /// Builds box and simplex from what is left.
    fn finish(
        mut self,
        general: Vec<u32>,
        others: &[u32],
        limits: &[Limits],
        budget: &Budget,
    ) -> Result<Option<Leaf>, Stop> {
        let mut rows: Vec<(Vec<(u32, Num)>, Limits)> = Vec::new();
        for &column in general.iter().chain(others) {
            let (parts, constant) = self.sum(column);
            let mut bounds = limits[column as usize].clone();
            bounds.iter_mut().flatten().for_each(|l| l.value = l.value.sub(&constant));
            match parts.as_slice() {
                [] => {
                    tighten(&mut bounds, Side::Lower, Num::ZERO, false);
                    tighten(&mut bounds, Side::Upper, Num::ZERO, false);
                    if is_empty(&bounds) {
                        return Ok(None);
                    }
                }
                [(root, factor)] => {
                    let inverse = factor.inverse();
                    let own = &mut self.boxes[*root as usize];
                    for (limit, side) in bounds.into_iter().zip([Side::Lower, Side::Upper]) {
                        let Some(limit) = limit else { continue };
                        let side = if inverse.signum() > 0 { side } else { opposite(side) };
                        tighten(own, side, limit.value.mul(&inverse), limit.strict);
                    }
                    if is_empty(own) {
                        return Ok(None);
                    }
                }
                _ => rows.push((parts, bounds)),
            }
        }
        let columns = self.lra.forms.len() as u32;
        let places = (0..columns).map(|c| self.classes.find(c + 1)).collect();
        let vars = vec![None; columns as usize + 1];
        let truths = self.lra.bools.iter().map(|&(_, lit)| self.lra.search.is_true(lit)).collect();
        let simplex = Simplex::new();
        let mut leaf = Leaf { places, boxes: self.boxes, simplex, vars, truths };
        for (parts, bounds) in rows {
            let sum: Vec<(Var, Rat)> =
                parts.iter().map(|(root, c)| (leaf.var(*root), c.to_rat())).collect();
            let form = leaf.simplex.form(&sum);
            assert_limits(&mut leaf.simplex, form, &bounds);
        }
        let is_feasible = leaf.simplex.check(budget)? == Feasibility::Feasible;
        Ok(is_feasible.then_some(leaf))
    }
}

fn opposite(side: Side) -> Side {
    if side == Side::Lower { Side::Upper } else { Side::Lower }
}

fn assert_limits(simplex: &mut Simplex, var: Var, limits: &Limits) {
    for (limit, side) in limits.iter().zip([Side::Lower, Side::Upper]) {
        if let Some(limit) = limit {
            simplex.assert(var, side, &limit.value.to_rat(), limit.strict, 0);
        }
    }
}

/// A sum of columns over roots.
fn collect(classes: &mut Classes, parts: &[(u32, Num)]) -> RootSum {
    let (mut sum, mut constant): (Vec<(u32, Num)>, Num) = (Vec::new(), Num::ZERO);
    for (column, factor) in parts {
        let (root, distance) = classes.find(column + 1);
        constant.add_mul(factor, &distance);
        add(&mut sum, root, factor);
    }
    sum.retain(|(_, factor)| !factor.is_zero());
    (sum, constant)
}

fn add(sum: &mut Vec<(u32, Num)>, root: u32, factor: &Num) {
    if root == ZERO {
        return;
    }
    match sum.iter_mut().find(|(r, _)| *r == root) {
        Some((_, total)) => *total = total.add(factor),
        None => sum.push((root, factor.clone())),
    }
}

impl Leaf {
    /// The variable of a root in the simplex, with the limits of the root.
    fn var(&mut self, root: u32) -> Var {
        if let Some(var) = self.vars[root as usize] {
            return var;
        }
        let var = self.simplex.var();
        self.vars[root as usize] = Some(var);
        assert_limits(&mut self.simplex, var, &self.boxes[root as usize]);
        var
    }

    /// An objective over roots.
    fn over_roots(&self, objective: &Objective) -> RootSum {
        let (mut sum, mut constant) = (Vec::new(), objective.sum.constant.clone());
        for (column, factor) in &objective.sum.parts {
            let (root, distance) = &self.places[*column as usize];
            constant.add_mul(factor, distance);
            add(&mut sum, *root, factor);
        }
        sum.retain(|(_, factor)| !factor.is_zero());
        (sum, constant)
    }

    /// The part of an objective that the box does not answer.
    fn inside(&self, sum: &[(u32, Num)]) -> Vec<(Var, Rat)> {
        let var = |(root, c): &(u32, Num)| Some((self.vars[*root as usize]?, c.to_rat()));
        sum.iter().filter_map(var).collect()
    }

    /// How far the objective reaches.
    pub fn reach(&mut self, objective: &Objective, budget: &Budget) -> Result<Reach, Stop> {
        let (sum, mut value) = self.over_roots(objective);
        let mut attained = true;
        for (root, factor) in &sum {
            if self.vars[*root as usize].is_some() {
                continue;
            }
            let Some(limit) = self.limit(*root, factor) else { return Ok(Reach::Unbounded) };
            value.add_mul(factor, &limit.value);
            attained &= !limit.strict;
        }
        let mut value = value.to_rat();
        let inside = self.inside(&sum);
        if !inside.is_empty() {
            match self.simplex.maximize(&inside, budget)? {
                Optimum::Bounded { value: more, attained: is_met, .. } => {
                    value = &value + &more;
                    attained &= is_met;
                }
                Optimum::Unbounded { .. } => return Ok(Reach::Unbounded),
                // It was feasible when it was made.
                Optimum::Infeasible(_) => {}
            }
        }
        Ok(Reach::Bounded { value, attained })
    }

    /// The value of a truth-valued symbol, the same in all points; see
    /// [`Lra::position`] for the argument.
    pub fn truth(&self, position: usize) -> bool {
        self.truths.get(position).copied().unwrap_or(false)
    }

    /// The limit that `factor * root` runs into.
    fn limit(&self, root: u32, factor: &Num) -> Option<&Limit> {
        let side = if factor.signum() > 0 { Side::Upper } else { Side::Lower };
        self.boxes[root as usize][side as usize].as_ref()
    }

    /// Points that show how far the objective reaches.
    pub fn witness(&mut self, objective: &Objective, budget: &Budget) -> Result<Witness, Stop> {
        let (sum, _) = self.over_roots(objective);
        let inside = self.inside(&sum);
        let mut optimum = None;
        if !inside.is_empty() {
            optimum = Some(self.simplex.maximize(&inside, budget)?);
        }
        let plain = self.simplex.point();
        let count = self.boxes.len() as u32;
        let mut from: Vec<Rat> = (0..count).map(|root| self.inner(root, &plain)).collect();
        let mut ray: Vec<Rat> = vec![Rat::ZERO; self.boxes.len()];
        let mut moves = false;
        let mut to = from.clone();
        if let Some(Optimum::Unbounded { ray: way }) = &optimum {
            moves = true;
            for (root, var) in self.vars.iter().enumerate() {
                let step = way.iter().find(|(v, _)| Some(*v) == *var);
                ray[root] = step.map_or(Rat::ZERO, |(_, step)| step.clone());
            }
        }
        for (root, factor) in &sum {
            let at = *root as usize;
            if let Some(var) = self.vars[at] {
                to[at] = self.simplex.value(var).0;
                continue;
            }
            match self.limit(*root, factor) {
                Some(limit) => {
                    to[at] = limit.value.to_rat();
                    if !limit.strict {
                        from[at] = to[at].clone();
                    }
                }
                None => {
                    moves = true;
                    ray[at] = Rat::from(i64::from(factor.signum()));
                }
            }
        }
        if moves {
            return Ok(Witness::Ray(self.spread(&from), self.spread_steps(&ray)));
        }
        if let Some(Optimum::Bounded { attained: false, .. }) = optimum {
            for (root, var) in self.vars.iter().enumerate() {
                if let Some(var) = var {
                    to[root] = self.simplex.value(*var).0;
                }
            }
        } else {
            // The simplex is at its optimum already; its infinitesimals matter
            // to strict bounds elsewhere.
            for (root, var) in self.vars.iter().enumerate() {
                if var.is_some() {
                    to[root] = from[root].clone();
                }
            }
        }
        let is_point = from == to;
        let from = self.spread(&from);
        Ok(if is_point { Witness::Point(from) } else { Witness::Segment(from, self.spread(&to)) })
    }

    /// A value of a root inside its limits; the solution of the simplex where
    /// there is one.
    fn inner(&self, root: u32, plain: &[Rat]) -> Rat {
        if let Some(var) = self.vars[root as usize] {
            return plain[var.index()].clone();
        }
        let [lower, upper] = &self.boxes[root as usize];
        let fits = |value: &Num| {
            lower.as_ref().is_none_or(|l| *value > l.value || *value == l.value && !l.strict)
                && upper.as_ref().is_none_or(|u| *value < u.value || *value == u.value && !u.strict)
        };
        let half = Num::ONE.add(&Num::ONE).inverse();
        let candidates = [
            Some(Num::ZERO),
            lower.as_ref().map(|l| l.value.clone()),
            upper.as_ref().map(|u| u.value.clone()),
            lower.as_ref().map(|l| l.value.add(&Num::ONE)),
            upper.as_ref().map(|u| u.value.sub(&Num::ONE)),
            lower.as_ref().zip(upper.as_ref()).map(|(l, u)| l.value.add(&u.value).mul(&half)),
        ];
        candidates.into_iter().flatten().find(fits).unwrap_or(Num::ZERO).to_rat()
    }

    /// Values of columns from values of roots.
    fn spread(&self, roots: &[Rat]) -> Vec<Rat> {
        let place = |(root, distance): &(u32, Num)| match *root {
            ZERO => distance.to_rat(),
            root => &roots[root as usize] + &distance.to_rat(),
        };
        self.places.iter().map(place).collect()
    }

    /// Steps of columns from steps of roots.
    fn spread_steps(&self, roots: &[Rat]) -> Vec<Rat> {
        let step = |(root, _): &(u32, Num)| match *root {
            ZERO => Rat::ZERO,
            root => roots[root as usize].clone(),
        };
        self.places.iter().map(step).collect()
    }
}
