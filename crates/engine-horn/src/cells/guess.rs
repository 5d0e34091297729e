//! What the steps of a program suggest about elements of arrays.
//!
//! A step says something of the element that it touches: `a[i] = b[i]` that `a[i]` and
//! `b[i]` are the same, `if (a[i] > m)` that `a[i]` is above `m`, or not. Here that is
//! said of the elements at the constants, for a range of indices: from where a loop
//! begins up to where it is, or from there to its end. `crate::houdini` finds out which
//! of it holds where.

use super::morph::Morphed;
use crate::candidates::Candidates;
use parallax_base::{Budget, Id, Stop};
use parallax_ir::{Pick, Program, Property, Transition};
use parallax_term::{Int, Node, Op, Rat, Relation, Sort, Substitution, Term, TermStore};
use std::collections::{BTreeMap, BTreeSet};

/// Candidates of one place.
const CANDIDATES: usize = 3000;

/// Ranges of one index that are tried, and of all together.
const RANGES: usize = 60;
const ALL_RANGES: usize = 240;

/// What is said of elements.
const FACTS: usize = 200;

/// The steps of the program with arrays, and what is said of its elements.
pub(super) struct Guess<'a> {
    wide: &'a Program,
    morphed: &'a Morphed,
    transitions: Vec<Transition>,
    /// The symbols of the program without arrays.
    symbols: BTreeSet<Term>,
    /// Variables that indices are computed from, and the constants in their place.
    parts: BTreeSet<(Term, Term)>,
}

impl<'a> Guess<'a> {
    pub(super) fn new(wide: &'a Program, morphed: &'a Morphed, store: &mut TermStore) -> Guess<'a> {
        let transitions = wide.transitions(store);
        let symbols = morphed.program.variables.iter().map(|v| v.term).collect();
        Guess { wide, morphed, transitions, symbols, parts: BTreeSet::new() }
    }

    /// Candidates, weakest last; those that are there when the budget ends.
    pub(super) fn candidates(
        mut self,
        store: &mut TermStore,
        picks: &[Pick],
        constants: &[Term],
        budget: &Budget,
    ) -> Result<Vec<Term>, Stop> {
        let facts = self.facts(store, budget)?;
        let ranges = self.ranges(store, picks, constants);
        let transitions = self.morphed.program.transitions(store);
        let target = self.morphed.program.properties[Id::<Property>::new(0)].target;
        let program = &self.morphed.program;
        let plain = Candidates::new(program, store, &transitions, target);
        let mut all: Vec<Term> = plain.plain().to_vec();
        all.extend(self.copies(store));
        all.extend(&facts);
        let facts: Vec<Term> = facts.into_iter().filter(|&fact| !is_limit(store, fact)).collect();
        for &range in &ranges {
            if all.len() > CANDIDATES {
                break;
            }
            let outside = store.not(range);
            all.extend(facts.iter().map(|&fact| store.or([outside, fact])));
        }
        let mut seen = BTreeSet::new();
        all.retain(|&t| store.value(t).is_none() && seen.insert(t));
        all.truncate(CANDIDATES);
        Ok(all)
    }

    /// What steps say of the elements that they touch.
    fn facts(&mut self, store: &mut TermStore, budget: &Budget) -> Result<Vec<Term>, Stop> {
        let (mut atoms, mut writes) = (BTreeSet::new(), BTreeSet::new());
        for transition in &self.transitions {
            for root in [transition.guard, transition.constraint] {
                atoms.extend(store.atoms(root));
            }
            for update in &transition.updates {
                writes.extend(written(store, update.value));
            }
        }
        let (mut facts, mut both) = (BTreeSet::new(), BTreeSet::new());
        for atom in writes.union(&atoms).copied().collect::<Vec<_>>() {
            budget.check()?;
            let reads: Vec<(Term, Term, Term)> =
                store.subterms(&[atom]).into_iter().filter_map(|t| read(store, t)).collect();
            let Some(&(_, _, at)) = reads.first() else { continue };
            let indices: BTreeSet<Term> = self.morphed.cells.iter().map(|c| c.2).collect();
            for index in indices {
                let mut here = Substitution::default();
                for &(term, array, _) in &reads {
                    let cell = self.morphed.cells.iter().find(|c| c.1 == array && c.2 == index);
                    if let Some((cell, _, _)) = cell {
                        here.insert(term, *cell);
                    }
                }
                let fact = here.apply(store, atom);
                let parts = matching(store, at, index);
                self.parts.extend(&parts);
                let fact = store.substitute(fact, &parts);
                if self.is_known(store, fact) {
                    facts.extend(store.atoms(fact));
                    if atoms.contains(&atom) {
                        both.extend(store.atoms(fact));
                    }
                }
            }
        }
        facts.extend(self.alike(store, &facts));
        let facts: Vec<Term> = facts.into_iter().filter(|&f| store.value(f).is_none()).collect();
        // What is written is so; what is asked may be so or not.
        let not: Vec<Term> = both.into_iter().map(|fact| store.not(fact)).collect();
        let mut all: Vec<Term> = facts.into_iter().chain(not).collect();
        all.truncate(FACTS);
        Ok(all)
    }

    /// That elements are the same which are copies of one another, however often.
    fn alike(&self, store: &mut TermStore, facts: &BTreeSet<Term>) -> Vec<Term> {
        let cells: BTreeSet<Term> = self.morphed.cells.iter().map(|c| c.0).collect();
        let mut classes: Vec<BTreeSet<Term>> = cells.iter().map(|&c| [c].into()).collect();
        for &fact in facts {
            let about = store.vars(fact);
            if let [one, other] = about[..]
                && cells.contains(&one)
                && cells.contains(&other)
                && store.eq(one, other) == fact
            {
                let (with, without): (Vec<_>, Vec<_>) =
                    classes.into_iter().partition(|c| c.contains(&one) || c.contains(&other));
                classes = without;
                classes.push(with.into_iter().flatten().collect());
            }
        }
        let mut found = Vec::new();
        for class in classes {
            let class: Vec<Term> = class.into_iter().collect();
            for (at, &one) in class.iter().enumerate() {
                found.extend(class[at + 1..].iter().map(|&other| store.eq(one, other)));
            }
        }
        found
    }

    fn is_known(&self, store: &TermStore, term: Term) -> bool {
        store.vars(term).iter().all(|v| self.symbols.contains(v))
    }

    /// Ranges of indices: of each constant that an index moves through, from a bound
    /// below to one above; the other constants are what is picked.
    fn ranges(&self, store: &mut TermStore, picks: &[Pick], constants: &[Term]) -> Vec<Term> {
        let moving: BTreeSet<Term> =
            self.parts.iter().filter(|(v, _)| self.moves(store, *v)).map(|p| p.1).collect();
        let mut fixed = Vec::new();
        for pick in picks.iter().take(1) {
            for (&constant, &value) in constants.iter().zip(&pick.values) {
                if !moving.contains(&constant) && self.symbols.contains(&value) {
                    fixed.push(store.eq(constant, value));
                }
            }
        }
        let mut ranges = vec![store.and(fixed)];
        for &constant in &moving {
            if store.sort(constant) != Sort::Int {
                continue;
            }
            let own = self.bounds(store, constant, moving.len() == 1);
            let mut next = ranges.clone();
            for &range in &ranges {
                if next.len() < ALL_RANGES {
                    next.extend(own.iter().map(|&bound| store.and([range, bound])));
                }
            }
            ranges = next;
        }
        let mut seen = BTreeSet::new();
        ranges.retain(|&range| store.value(range).is_none() && seen.insert(range));
        ranges.truncate(ALL_RANGES);
        ranges
    }

    /// Whether a variable is counted up or down.
    fn moves(&self, store: &TermStore, variable: Term) -> bool {
        let mut updates = self.transitions.iter().flat_map(|t| &t.updates);
        updates.any(|update| {
            self.wide.variables[update.variable].term == variable
                && store.vars(update.value).contains(&variable)
        })
    }

    /// Ranges of one constant; if there are several, those that loops mostly have.
    fn bounds(&self, store: &mut TermStore, constant: Term, all: bool) -> Vec<Term> {
        let variables: Vec<Term> =
            self.parts.iter().filter(|p| p.1 == constant).map(|p| p.0).collect();
        let (mut lower, mut upper, mut same) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        for &variable in variables.iter().filter(|v| self.symbols.contains(v)) {
            lower.insert(store.le(variable, constant));
            upper.insert(store.lt(constant, variable));
            if all {
                lower.insert(store.lt(variable, constant));
                upper.insert(store.le(constant, variable));
            }
            same.push(store.eq(constant, variable));
        }
        for transition in &self.transitions {
            // Where a loop begins.
            for update in &transition.updates {
                let variable = self.wide.variables[update.variable].term;
                let begins = variables.contains(&variable)
                    && self.is_known(store, update.value)
                    && !store.vars(update.value).contains(&variable);
                if begins {
                    lower.insert(store.le(update.value, constant));
                    if all {
                        upper.insert(store.lt(constant, update.value));
                    }
                }
            }
            // How far it goes.
            for atom in store.atoms(transition.guard) {
                for &variable in &variables {
                    if store.vars(atom).contains(&variable) {
                        let bound = store.substitute(atom, &[(variable, constant)]);
                        if !self.is_known(store, bound) {
                            continue;
                        }
                        let other = store.not(bound);
                        match is_above(store, bound, constant) {
                            Some(true) => (upper.insert(bound), all && lower.insert(other)),
                            Some(false) => (upper.insert(other), all && lower.insert(bound)),
                            None => continue,
                        };
                    }
                }
            }
        }
        let mut found: Vec<Term> = same;
        for &low in &lower {
            found.extend(upper.iter().map(|&high| store.and([low, high])));
        }
        if all {
            found.extend(lower);
        }
        found.extend(upper);
        found.truncate(RANGES);
        found
    }

    /// That variables which a step gives the same value are the same.
    fn copies(&self, store: &mut TermStore) -> Vec<Term> {
        let mut found = Vec::new();
        for transition in &self.transitions {
            let mut by_value: BTreeMap<Term, Vec<Term>> = BTreeMap::new();
            for update in &transition.updates {
                let variable = self.wide.variables[update.variable].term;
                if self.symbols.contains(&variable) {
                    by_value.entry(update.value).or_default().push(variable);
                }
            }
            for same in by_value.values() {
                found.extend(same.windows(2).map(|pair| store.eq(pair[0], pair[1])));
            }
        }
        found
    }
}

/// Whether a comparison bounds a symbol from above, or from below.
fn is_above(store: &TermStore, comparison: Term, symbol: Term) -> Option<bool> {
    let Node::Compare(Relation::Le, linear) = store.node(comparison) else { return None };
    let (_, factor) = linear.monomials().iter().find(|(term, _)| *term == symbol)?;
    Some(*factor > Rat::from(0))
}

/// Whether a formula compares with a limit of machine types.
fn is_limit(store: &TermStore, formula: Term) -> bool {
    let (atom, _) = store.literal(formula);
    let Node::Compare(_, linear) = store.node(atom) else { return false };
    linear.constant_part().to_int().is_some_and(|c| c.abs() >= Int::from(i64::from(i32::MAX)))
}

/// A read of an array variable: itself, the array, the index.
fn read(store: &TermStore, term: Term) -> Option<(Term, Term, Term)> {
    let Node::Apply(Op::Select, arguments) = store.node(term) else { return None };
    let is_variable = matches!(store.node(arguments[0]), Node::Var(..));
    is_variable.then(|| (term, arguments[0], arguments[1]))
}

/// That elements are what is written there.
fn written(store: &mut TermStore, array: Term) -> Vec<Term> {
    let mut found = Vec::new();
    for term in store.subterms(&[array]) {
        let Node::Apply(Op::Store, arguments) = store.node(term).clone() else { continue };
        let base = store.subterms(&[arguments[0]]).into_iter().rev().find(|&t| {
            matches!(store.node(t), Node::Var(..)) && matches!(store.sort(t), Sort::Array(..))
        });
        let Some(base) = base else { continue };
        let element = store.select(base, arguments[1]);
        let equal = store.eq(element, arguments[2]);
        found.extend(store.atoms(equal));
    }
    found
}

/// Which variables of an index stand for which constants of another: an index that is a
/// variable is all of it, in sums those with the same factor belong together.
fn matching(store: &TermStore, index: Term, other: Term) -> Vec<(Term, Term)> {
    if matches!(store.node(index), Node::Var(..)) {
        return vec![(index, other)];
    }
    if store.sort(index) != Sort::Int {
        return Vec::new();
    }
    let (one, two) = (store.linear(index), store.linear(other));
    let mut pairs = Vec::new();
    for (term, factor) in one.monomials() {
        let mut like = two.monomials().iter().filter(|(_, f)| f == factor).map(|(t, _)| *t);
        if let (Some(constant), None) = (like.next(), like.next()) {
            pairs.push((*term, constant));
        }
    }
    pairs
}
