//! Clauses without wraps.
//!
//! Machine arithmetic over the integers is full of sums that wrap: a sum, or
//! the sum and a power of two if it leaves the range. Each of them doubles the
//! cases of a clause, and most never wrap. So the question is split: in the
//! *tame* system no step wraps, in the *wild* one a wrap is what must not be
//! reached, given a solution of the tame one.
//!
//! If `I` solves the tame system, and `J` the wild one that assumes `I`, then
//! `I` and `J` together solve the system itself: a step from there that wraps
//! is excluded by `J`, any other is a step of both. A derivation from the tame
//! system is one from the system itself.

use parallax_horn::{Clause, Solution, System};
use parallax_term::{Int, Linear, Node, Rat, Sort, Substitution, Term, TermStore};

/// The same system where no step wraps, and where a step would.
pub(crate) struct Tame {
    pub(crate) system: System,
    /// For each clause: that it wraps, if it can.
    wraps: Vec<Option<Term>>,
}

impl Tame {
    /// `None` if nothing wraps.
    pub(crate) fn new(system: &System) -> Option<Tame> {
        let mut tame = system.clone();
        let (store, mut wraps) = (&mut tame.store, Vec::new());
        for clause in &mut tame.clauses {
            let (constraint, wrap) = without_wraps(store, clause.constraint);
            let wrap = wrap.map(|wrap| {
                let dry = store.not(wrap);
                clause.constraint = store.and([constraint, dry]);
                store.and([constraint, wrap])
            });
            wraps.push(wrap);
        }
        wraps.iter().any(Option::is_some).then_some(Tame { system: tame, wraps })
    }

    /// The question whether something wraps, given a solution of the tame system.
    pub(crate) fn wild(&self, solution: &Solution) -> System {
        let mut store = solution.store.clone();
        let mut clauses = Vec::new();
        for (clause, wrap) in self.system.clauses.iter().zip(&self.wraps) {
            let mut known = Vec::new();
            for applied in &clause.body {
                let predicate = &self.system.predicates[applied.predicate];
                let formula = solution.formulas[applied.predicate.index()];
                known.push(applied.instance(&mut store, predicate, formula));
            }
            let mut with = |extra: Term, head| {
                let parts = known.iter().copied().chain([extra]);
                Clause { body: clause.body.clone(), constraint: store.and(parts), head }
            };
            if clause.head.is_some() {
                clauses.push(with(clause.constraint, clause.head.clone()));
            }
            clauses.extend(wrap.map(|wrap| with(wrap, None)));
        }
        System { store, predicates: self.system.predicates.clone(), clauses }
    }
}

/// Both solutions together; the second was made from the first.
pub(crate) fn both(first: &Solution, mut second: Solution) -> Solution {
    for (formula, &other) in second.formulas.iter_mut().zip(&first.formulas) {
        *formula = second.store.and([other, *formula]);
    }
    second
}

/// A formula with each number in the place of what it may wrap to, and the
/// condition that one of them wraps.
fn without_wraps(store: &mut TermStore, mut formula: Term) -> (Term, Option<Term>) {
    let mut conditions: Vec<Term> = Vec::new();
    // A number that wraps both ways is nested in itself: innermost first.
    loop {
        let mut plain = Substitution::default();
        let roots: Vec<Term> = conditions.iter().copied().chain([formula]).collect();
        let mut found = Vec::new();
        for term in store.subterms(&roots) {
            if let Some((condition, dry)) = wrap(store, term) {
                found.push(condition);
                plain.insert(term, dry);
            }
        }
        if found.is_empty() {
            break;
        }
        formula = plain.apply(store, formula);
        conditions.extend(found);
        conditions.iter_mut().for_each(|c| *c = plain.apply(store, *c));
    }
    let wraps = (!conditions.is_empty()).then(|| store.or(conditions));
    (formula, wraps)
}

/// The condition under which a term wraps, and the term where it does not.
fn wrap(store: &mut TermStore, term: Term) -> Option<(Term, Term)> {
    if store.sort(term) != Sort::Int {
        return None;
    }
    match *store.node(term) {
        Node::Ite(condition, a, b) => {
            let (first, second) = (store.linear(a), store.linear(b));
            let difference = first.plus(&Rat::from(-1), &second);
            if !is_power(difference.as_constant()?.to_int()?) {
                return None;
            }
            // The wrapped sum is the one with the larger constant.
            let size = |form: &Linear| form.constant_part().to_int().map(Int::abs);
            match size(&first)? > size(&second)? {
                true => Some((condition, b)),
                false => Some((store.not(condition), a)),
            }
        }
        Node::Mod(number, modulus) => {
            if !is_power(store.int_value(modulus)?) {
                return None;
            }
            let zero = store.int(0);
            let (below, above) = (store.lt(number, zero), store.le(modulus, number));
            Some((store.or([below, above]), number))
        }
        _ => None,
    }
}

/// Whether it is the number of values of a machine type, or its opposite.
fn is_power(number: &Int) -> bool {
    [8, 16, 32, 64].into_iter().any(|bits| number.abs() == Int::power_of_two(bits))
}
