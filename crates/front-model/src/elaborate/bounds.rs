//! Refutation by bound propagation: interval arithmetic over linear facts.
//!
//! Given the domains of variables and a list of facts (a guard, say), a claim
//! is refuted if tightening the bounds of every term by every linear
//! constraint, a few rounds long, empties some interval, where conditionals and
//! disjunctions are split into cases up to a point. This is cheap and
//! incomplete: `false` means only that nothing was found. It proves what models
//! need most: `x + 1` stays in range where `x < N`, or `x < t` and `t < N`.

use std::collections::HashMap;

use parallax_term::{Int, Linear, Node, Relation, Sort, Term, TermStore, Value};

/// Rounds of propagation; each may be needed for one link in a chain of bounds.
const ROUNDS: usize = 10;

/// Terms that are looked at for one claim.
const MAX_TERMS: usize = 4_000;

/// How often one claim is split into cases.
const SPLITS: usize = 32;

/// Disjunctions with more alternatives than this are not split.
const MAX_CASES: usize = 8;

/// How deep the truth of a formula is followed.
const DEPTH: u32 = 8;

/// Whether `facts` and `claim` together are impossible.
pub(super) fn refuted(
    store: &TermStore,
    limits: &HashMap<Term, (Int, Int)>,
    facts: &[Term],
    claim: Term,
) -> bool {
    let mut start = Propagation::new(store, limits);
    facts.iter().for_each(|&fact| start.assume(fact));
    start.assume(claim);
    let conditionals = store.subterms(&[claim]).into_iter().filter_map(|t| match store.node(t) {
        Node::Ite(condition, _, _) => Some(*condition),
        _ => None,
    });
    start.conditions = conditionals.take(SPLITS).collect();
    start.search(&mut { SPLITS })
}

/// `sum of coefficient * term, plus constant, <= 0`.
#[derive(Clone)]
struct AtMost {
    sum: Vec<(Term, Int)>,
    constant: Int,
}

type Interval = (Option<Int>, Option<Int>);

#[derive(Clone)]
struct Propagation<'a> {
    store: &'a TermStore,
    limits: &'a HashMap<Term, (Int, Int)>,
    bounds: HashMap<Term, Interval>,
    truth: HashMap<Term, bool>,
    constraints: Vec<AtMost>,
    /// Terms with a value they do not have.
    excluded: Vec<(Term, Int)>,
    clauses: Vec<Vec<(Term, bool)>>,
    /// Conditional and nonlinear terms, whose bounds follow from their parts.
    derived: Vec<Term>,
    /// Conditions inside the claim, to split on.
    conditions: Vec<Term>,
    contradiction: bool,
    changed: bool,
}

impl<'a> Propagation<'a> {
    fn new(store: &'a TermStore, limits: &'a HashMap<Term, (Int, Int)>) -> Propagation<'a> {
        Propagation {
            store,
            limits,
            bounds: HashMap::new(),
            truth: HashMap::new(),
            constraints: Vec::new(),
            excluded: Vec::new(),
            clauses: Vec::new(),
            derived: Vec::new(),
            conditions: Vec::new(),
            contradiction: false,
            changed: false,
        }
    }

    fn assume(&mut self, formula: Term) {
        self.assume_all(vec![(formula, true)]);
    }

    fn assume_all(&mut self, mut pending: Vec<(Term, bool)>) {
        while let Some((term, positive)) = pending.pop() {
            match self.store.node(term) {
                Node::Value(Value::Bool(b)) => self.contradiction |= *b != positive,
                Node::Not(inner) => pending.push((*inner, !positive)),
                Node::And(items) if positive => pending.extend(items.iter().map(|&t| (t, true))),
                Node::Or(items) if !positive => pending.extend(items.iter().map(|&t| (t, false))),
                Node::And(items) | Node::Or(items) => {
                    self.clauses.push(items.iter().map(|&t| (t, positive)).collect());
                }
                Node::Compare(relation, linear) => self.compare(*relation, linear, positive),
                _ => self.set_truth(term, positive),
            }
        }
    }

    fn set_truth(&mut self, term: Term, value: bool) {
        match self.truth.insert(term, value) {
            Some(before) => self.contradiction |= before != value,
            None => self.changed = true,
        }
    }

    fn compare(&mut self, relation: Relation, linear: &Linear, positive: bool) {
        let sum: Option<Vec<(Term, Int)>> =
            linear.monomials().iter().map(|(t, c)| Some((*t, c.to_int()?.clone()))).collect();
        let (Some(sum), Some(constant)) = (sum, linear.constant_part().to_int().cloned()) else {
            return;
        };
        // Between two integers lie reals: nothing is rounded there.
        if sum.iter().any(|(term, _)| self.store.sort(*term) != Sort::Int) {
            return;
        }
        for (term, _) in &sum {
            self.derive(*term);
        }
        match (relation, positive) {
            (Relation::Eq, false) => {
                if let [(term, factor)] = &sum[..]
                    && let Some((quotient, rest)) = (-&constant).div_rem_euclid(factor)
                    && rest.is_zero()
                {
                    self.excluded.push((*term, quotient));
                }
                return;
            }
            (Relation::Eq, true) => {
                let negated = sum.iter().map(|(t, c)| (*t, -c)).collect();
                self.constraints.push(AtMost { sum: negated, constant: -&constant });
                self.constraints.push(AtMost { sum, constant });
            }
            (_, true) => self.constraints.push(AtMost { sum, constant }),
            (_, false) => {
                // sum + constant >= 1
                let sum = sum.iter().map(|(t, c)| (*t, -c)).collect();
                let constant = &Int::ONE - &constant;
                self.constraints.push(AtMost { sum, constant });
            }
        }
        self.changed = true;
    }

    /// Remembers the parts of a term whose bounds can be computed.
    fn derive(&mut self, term: Term) {
        if matches!(self.store.node(term), Node::Var(..)) || self.derived.len() > MAX_TERMS {
            return;
        }
        let parts = self.store.subterms(&[term]);
        let compound = |t: &Term| {
            self.store.sort(*t) == Sort::Int
                && !matches!(self.store.node(*t), Node::Var(..) | Node::Value(_))
        };
        self.derived.extend(parts.into_iter().filter(compound));
        self.derived.sort_unstable();
        self.derived.dedup();
    }

    /// Propagates and splits; whether every case is contradictory. The number of
    /// splits bounds the recursion.
    fn search(mut self, splits: &mut usize) -> bool {
        if self.run() {
            return true;
        }
        let open = self.conditions.iter().position(|&c| self.truth_of(c, DEPTH).is_none());
        let cases: Vec<(Term, bool)> = match open {
            Some(i) => {
                let condition = self.conditions.swap_remove(i);
                vec![(condition, true), (condition, false)]
            }
            None => match self.clauses.pop() {
                Some(clause) if clause.len() <= MAX_CASES => clause,
                _ => return false,
            },
        };
        if *splits == 0 {
            return false;
        }
        *splits -= 1;
        cases.into_iter().all(|case| {
            let mut branch = self.clone();
            branch.assume_all(vec![case]);
            branch.search(splits)
        })
    }

    /// Propagates; whether a contradiction was found.
    fn run(&mut self) -> bool {
        for _ in 0..ROUNDS {
            self.changed = false;
            for i in 0..self.derived.len() {
                let term = self.derived[i];
                let (low, high) = self.computed(term);
                self.tighten(term, low, high);
            }
            for constraint in std::mem::take(&mut self.constraints) {
                self.tighten_by(&constraint);
                self.constraints.push(constraint);
            }
            for i in 0..self.excluded.len() {
                let (term, value) = self.excluded[i].clone();
                let (low, high) = self.interval(term);
                let low = low.filter(|l| *l == value).map(|l| &l + &Int::ONE);
                let high = high.filter(|h| *h == value).map(|h| &h - &Int::ONE);
                self.tighten(term, low, high);
            }
            self.propagate_clauses();
            if self.contradiction || !self.changed {
                break;
            }
        }
        self.contradiction
    }

    fn propagate_clauses(&mut self) {
        for mut clause in std::mem::take(&mut self.clauses) {
            if clause.iter().any(|&(t, p)| self.truth_of(t, DEPTH) == Some(p)) {
                continue;
            }
            clause.retain(|&(t, p)| self.truth_of(t, DEPTH) != Some(!p));
            match clause.len() {
                0 => self.contradiction = true,
                1 => {
                    self.changed = true;
                    self.assume_all(clause);
                }
                _ => self.clauses.push(clause),
            }
        }
    }

    fn interval(&self, term: Term) -> Interval {
        if let Some(known) = self.bounds.get(&term) {
            return known.clone();
        }
        if let Some(value) = self.store.int_value(term) {
            return (Some(value.clone()), Some(value.clone()));
        }
        match self.limits.get(&term) {
            Some((low, high)) => (Some(low.clone()), Some(high.clone())),
            None => (None, None),
        }
    }

    fn tighten(&mut self, term: Term, low: Option<Int>, high: Option<Int>) {
        let (mut old_low, mut old_high) = self.interval(term);
        let mut changed = false;
        if let Some(low) = low
            && old_low.as_ref().is_none_or(|old| low > *old)
        {
            (old_low, changed) = (Some(low), true);
        }
        if let Some(high) = high
            && old_high.as_ref().is_none_or(|old| high < *old)
        {
            (old_high, changed) = (Some(high), true);
        }
        if changed {
            self.changed = true;
            self.contradiction |= matches!((&old_low, &old_high), (Some(l), Some(h)) if l > h);
            self.bounds.insert(term, (old_low, old_high));
        }
    }

    /// The least value of `coefficient * term`.
    fn least(&self, term: Term, coefficient: &Int) -> Option<Int> {
        let (low, high) = self.interval(term);
        let end = if coefficient.signum() > 0 { low } else { high };
        end.map(|end| coefficient * &end)
    }

    fn tighten_by(&mut self, constraint: &AtMost) {
        let mut total = constraint.constant.clone();
        let mut unbounded = None;
        for (i, (term, coefficient)) in constraint.sum.iter().enumerate() {
            match self.least(*term, coefficient) {
                Some(least) => total = &total + &least,
                None if unbounded.is_some() => return,
                None => unbounded = Some(i),
            }
        }
        if constraint.sum.is_empty() || unbounded.is_none() && total.signum() > 0 {
            self.contradiction |= total.signum() > 0;
            return;
        }
        for (i, (term, coefficient)) in constraint.sum.iter().enumerate() {
            if unbounded.is_some_and(|u| u != i) {
                continue;
            }
            // coefficient * term <= room
            let own = self.least(*term, coefficient).filter(|_| unbounded.is_none());
            let room = match own {
                Some(own) => &own - &total,
                None => -&total,
            };
            let quotient = room.div_floor(&coefficient.abs());
            match coefficient.signum() > 0 {
                true => self.tighten(*term, None, Some(quotient)),
                false => self.tighten(*term, Some(-&quotient), None),
            }
        }
    }

    /// The bounds of a compound term from those of its parts.
    fn computed(&self, term: Term) -> Interval {
        match self.store.node(term) {
            Node::Ite(c, a, b) => match self.truth_of(*c, DEPTH) {
                Some(true) => self.interval(*a),
                Some(false) => self.interval(*b),
                None => {
                    let ((al, ah), (bl, bh)) = (self.interval(*a), self.interval(*b));
                    (al.zip(bl).map(|(a, b)| a.min(b)), ah.zip(bh).map(|(a, b)| a.max(b)))
                }
            },
            Node::Sum(linear) => self.sum_bounds(linear),
            Node::Product(items) => {
                let mut result = (Int::ONE, Int::ONE);
                for &item in items {
                    let (Some(low), Some(high)) = self.interval(item) else { return (None, None) };
                    let ends =
                        [&result.0 * &low, &result.0 * &high, &result.1 * &low, &result.1 * &high];
                    let least = ends.iter().min().cloned().unwrap_or(Int::ZERO);
                    let greatest = ends.iter().max().cloned().unwrap_or(Int::ZERO);
                    result = (least, greatest);
                }
                (Some(result.0), Some(result.1))
            }
            Node::Mod(a, b) => match self.store.int_value(*b) {
                Some(divisor) if !divisor.is_zero() => {
                    let highest = &divisor.abs() - &Int::ONE;
                    match self.interval(*a) {
                        // Already reduced: the remainder is the number itself.
                        (Some(low), Some(high)) if low.signum() >= 0 && high <= highest => {
                            (Some(low), Some(high))
                        }
                        _ => (Some(Int::ZERO), Some(highest)),
                    }
                }
                _ => (Some(Int::ZERO), None),
            },
            Node::Div(a, b) => match self.store.int_value(*b) {
                Some(divisor) if divisor.signum() > 0 => {
                    let (low, high) = self.interval(*a);
                    (low.map(|l| l.div_floor(divisor)), high.map(|h| h.div_floor(divisor)))
                }
                _ => (None, None),
            },
            _ => (None, None),
        }
    }

    fn sum_bounds(&self, linear: &Linear) -> Interval {
        let mut low = linear.constant_part().to_int().cloned();
        let mut high = low.clone();
        for (term, coefficient) in linear.monomials() {
            let Some(coefficient) = coefficient.to_int() else { return (None, None) };
            let add = |a: Option<Int>, b: Option<Int>| a.zip(b).map(|(a, b)| &a + &b);
            low = add(low, self.least(*term, coefficient));
            let negated = -coefficient;
            high = add(high, self.least(*term, &negated).map(|l| -&l));
        }
        (low, high)
    }

    /// The truth of a formula under the present bounds, if they decide it.
    fn truth_of(&self, formula: Term, depth: u32) -> Option<bool> {
        if let Some(&known) = self.truth.get(&formula) {
            return Some(known);
        }
        if depth == 0 {
            return None;
        }
        match self.store.node(formula) {
            Node::Value(value) => value.as_bool(),
            Node::Not(inner) => self.truth_of(*inner, depth - 1).map(|b| !b),
            Node::And(items) => self.junction(items, false, depth),
            Node::Or(items) => self.junction(items, true, depth),
            Node::Compare(relation, linear) => {
                let (low, high) = self.sum_bounds(linear);
                let above = low.as_ref().is_some_and(|l| l.signum() > 0);
                let below = high.as_ref().is_some_and(|h| h.signum() <= 0);
                match relation {
                    Relation::Eq => {
                        let under = high.as_ref().is_some_and(|h| h.signum() < 0);
                        let zero = |n: &Option<Int>| n.as_ref().is_some_and(Int::is_zero);
                        match (above || under, zero(&low) && zero(&high)) {
                            (true, _) => Some(false),
                            (_, true) => Some(true),
                            _ => None,
                        }
                    }
                    _ if above => Some(false),
                    _ if below => Some(true),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// The truth of a disjunction (`decisive` true) or conjunction.
    fn junction(&self, items: &[Term], decisive: bool, depth: u32) -> Option<bool> {
        let mut open = false;
        for &item in items {
            match self.truth_of(item, depth - 1) {
                Some(value) if value == decisive => return Some(decisive),
                Some(_) => {}
                None => open = true,
            }
        }
        (!open).then_some(!decisive)
    }
}
