//! The polyhedron of some literals, with integers among its dimensions.
//!
//! Maximizing over the reals is the work of the simplex. Where integers come
//! out as fractions, the polyhedron is split at them (Land and Doig 1960), up
//! to a number of parts; what was found until then is still a solution.

use parallax_base::{Budget, Stop};
use parallax_simplex::{Optimum, Side, Simplex, Var};
use parallax_term::{Int, Node, Rat, Relation, Sort, Term, TermStore};
use rustc_hash::FxHashMap;

/// How many parts a polyhedron is split into, if nobody says otherwise.
const PARTS: usize = 2000;

/// How far a goal reaches in a polyhedron.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Best {
    /// A point with a value that is best, or the best found in time.
    Point(Rat, Vec<Rat>),
    /// From the first point up to the second, which has the value.
    Segment(Rat, Vec<Rat>, Vec<Rat>),
    /// Without end in this direction, from any point.
    Ray(Vec<Rat>),
    /// Nothing was found in time.
    Nothing,
}

/// A polyhedron over the symbols of some literals.
pub(crate) struct Polyhedron {
    simplex: Simplex,
    columns: FxHashMap<Term, Var>,
    integers: Vec<Var>,
    /// How many parts it is split into at most.
    pub(crate) parts: usize,
}

/// The symbol under a monomial: an integer may be read as a real.
pub(crate) fn symbol_of(store: &TermStore, term: Term) -> Term {
    match store.node(term) {
        Node::ToReal(inner) => *inner,
        _ => term,
    }
}

impl Polyhedron {
    /// The polyhedron of literals whose atoms are comparisons of sums of
    /// symbols; others are left out.
    pub(crate) fn new(store: &TermStore, literals: &[Term]) -> Polyhedron {
        let mut polyhedron = Polyhedron {
            simplex: Simplex::new(),
            columns: FxHashMap::default(),
            integers: Vec::new(),
            parts: PARTS,
        };
        for &literal in literals {
            let (atom, is_positive) = store.literal(literal);
            if let Node::Compare(relation, linear) = store.node(atom) {
                let sum: Vec<(Var, Rat)> = linear
                    .monomials()
                    .iter()
                    .map(|(t, c)| (polyhedron.column(store, symbol_of(store, *t)), c.clone()))
                    .collect();
                let bound = -linear.constant_part();
                polyhedron.bound(&sum, *relation, is_positive, &bound);
            }
        }
        polyhedron
    }

    /// The same without asking integers to be integers, so that a maximum bounds
    /// them from above.
    pub(crate) fn over_reals(mut self) -> Polyhedron {
        self.integers.clear();
        self
    }

    fn column(&mut self, store: &TermStore, symbol: Term) -> Var {
        if let Some(&var) = self.columns.get(&symbol) {
            return var;
        }
        let var = self.simplex.var();
        self.columns.insert(symbol, var);
        if store.sort(symbol) == Sort::Int {
            self.integers.push(var);
        }
        var
    }

    fn bound(&mut self, sum: &[(Var, Rat)], relation: Relation, is_positive: bool, value: &Rat) {
        let (form, value, flips) = match sum {
            [(var, factor)] => {
                let inverse = factor.inverse().unwrap_or(Rat::ONE);
                (*var, value * &inverse, factor.signum() < 0)
            }
            _ => (self.simplex.form(sum), value.clone(), false),
        };
        let side = |upper: bool| if upper != flips { Side::Upper } else { Side::Lower };
        let mut say = |upper, strict| self.simplex.assert(form, side(upper), &value, strict, 0);
        match (relation, is_positive) {
            (Relation::Le, true) => say(true, false),
            (Relation::Le, false) => say(false, true),
            (Relation::Lt, true) => say(true, true),
            (Relation::Lt, false) => say(false, false),
            (Relation::Eq, true) => {
                say(true, false);
                say(false, false);
            }
            (Relation::Eq, false) => {}
        }
    }

    /// Where a symbol stands in points, if the polyhedron restricts it.
    pub(crate) fn position(&self, symbol: Term) -> Option<usize> {
        self.columns.get(&symbol).map(|var| var.index())
    }

    /// The goal over columns; `None` if it has a symbol that is not restricted.
    pub(crate) fn goal(&self, store: &TermStore, goal: Term) -> Option<Vec<(Var, Rat)>> {
        let linear = store.linear(goal);
        let column =
            |(t, c): &(Term, Rat)| Some((*self.columns.get(&symbol_of(store, *t))?, c.clone()));
        linear.monomials().iter().map(column).collect()
    }

    /// How far a sum of columns reaches; the constant of the goal is left out.
    pub(crate) fn maximize(&mut self, goal: &[(Var, Rat)], budget: &Budget) -> Result<Best, Stop> {
        if goal.is_empty() {
            return self.best(goal, budget);
        }
        match self.simplex.maximize(goal, budget)? {
            Optimum::Unbounded { ray } => {
                let mut steps = vec![Rat::ZERO; self.simplex.len()];
                for (var, step) in ray {
                    steps[var.index()] = step;
                }
                Ok(Best::Ray(self.integral(steps)))
            }
            _ => self.best(goal, budget),
        }
    }

    /// The same direction with integer steps for integers.
    fn integral(&self, steps: Vec<Rat>) -> Vec<Rat> {
        let mut common = Int::ONE;
        for var in &self.integers {
            let den = steps[var.index()].den();
            common = &common * &den.div_floor(&common.gcd(den));
        }
        let factor = Rat::from(common);
        steps.iter().map(|step| step * &factor).collect()
    }

    /// Splits at integers until the best solution is found.
    fn best(&mut self, goal: &[(Var, Rat)], budget: &Budget) -> Result<Best, Stop> {
        let mut best = Best::Nothing;
        // Splits that are open: where, and whether the upper part is done.
        let mut splits: Vec<(Var, Int, bool)> = Vec::new();
        let mut parts = 0;
        let outcome = loop {
            parts += 1;
            let mut is_done = parts > self.parts;
            if let Err(stop) = budget.check() {
                break Err(stop);
            }
            let optimum = match self.simplex.maximize(goal, budget) {
                Ok(optimum) => optimum,
                Err(stop) => break Err(stop),
            };
            let mut split = None;
            if let Optimum::Bounded { value, attained, .. } = optimum
                && improves(&best, &value, attained)
            {
                split = self.fraction();
                if split.is_none() {
                    match self.solution(goal, value, attained, budget) {
                        Ok(found) => best = found,
                        Err(stop) => break Err(stop),
                    }
                }
            }
            if let Some((var, floor)) = split
                && !is_done
            {
                self.simplex.push();
                self.simplex.assert(var, Side::Upper, &Rat::from(floor.clone()), false, 0);
                splits.push((var, floor, false));
                continue;
            }
            // The next part that is open.
            loop {
                let Some((var, floor, is_last)) = splits.pop() else {
                    is_done = true;
                    break;
                };
                self.simplex.pop();
                if !is_last {
                    self.simplex.push();
                    let next = Rat::from(&floor + &Int::ONE);
                    self.simplex.assert(var, Side::Lower, &next, false, 0);
                    splits.push((var, floor, true));
                    break;
                }
            }
            if is_done {
                break Ok(());
            }
        };
        for _ in splits {
            self.simplex.pop();
        }
        outcome.map(|()| best)
    }

    /// An integer of the last solution that is none, and its floor. What is
    /// infinitely close to a whole number is none either: which number it
    /// becomes would depend on how small the distance is made.
    fn fraction(&self) -> Option<(Var, Int)> {
        self.integers.iter().find_map(|&var| {
            let (real, tiny) = self.simplex.value(var);
            let floor = real.floor();
            match (real.to_int().is_some(), tiny.signum()) {
                (true, 0) => None,
                (true, below) if below < 0 => Some((var, &floor - &Int::ONE)),
                _ => Some((var, floor)),
            }
        })
    }

    /// The last solution, whose integers are integers.
    fn solution(
        &mut self,
        goal: &[(Var, Rat)],
        value: Rat,
        attained: bool,
        budget: &Budget,
    ) -> Result<Best, Stop> {
        if attained {
            return Ok(Best::Point(value, self.simplex.point()));
        }
        // On the way to the bound integers must stay where they are.
        let point = self.simplex.point();
        self.simplex.push();
        for var in self.integers.clone() {
            for side in [Side::Lower, Side::Upper] {
                self.simplex.assert(var, side, &point[var.index()], false, 0);
            }
        }
        let optimum = self.simplex.maximize(goal, budget);
        let limit: Vec<Rat> =
            (0..self.simplex.len()).map(|at| self.simplex.value(Var::at(at)).0).collect();
        let inner = self.simplex.point();
        self.simplex.pop();
        Ok(match optimum? {
            Optimum::Bounded { value, attained: true, .. } => Best::Point(value, inner),
            Optimum::Bounded { value, .. } => Best::Segment(value, inner, limit),
            _ => Best::Nothing,
        })
    }
}

/// Whether a value is better than the best so far.
fn improves(best: &Best, value: &Rat, attained: bool) -> bool {
    match best {
        Best::Nothing => true,
        Best::Point(known, _) => value > known,
        Best::Segment(known, ..) => value > known || value == known && attained,
        Best::Ray(_) => false,
    }
}
