//! Symbolic states: sets of concrete states given by values over constants.
//!
//! A symbolic state maps each variable to a term over symbolic constants and
//! carries a path condition on them (Albarghouthi 2010, section 4.1). Here it
//! is kept in a canonical form, so that equal sets reached on different paths
//! are usually equal values:
//!
//! - a constant that occurs in some variable's value with factor 1 or -1 is
//!   *solved*: it becomes that variable's value, named by the variable;
//! - constants that no value mentions any more are eliminated;
//! - of several bounds on one linear form only the tightest are kept.
//!
//! Deviation: the thesis makes a fresh constant for every assignment. The
//! canonical form denotes the same set and needs none.

use crate::work::Work;
use parallax_base::Stop;
use parallax_evidence::Region;
use parallax_ir::State;
use parallax_term::{Linear, Node, Rat, Relation, Sort, Substitution, Term, TermStore, Value};
use std::collections::BTreeMap;

/// A set of concrete states.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Symbolic {
    /// One value per variable, over symbolic constants.
    pub(crate) values: Box<[Term]>,
    /// Constraints on the constants, sorted; satisfiable.
    pub(crate) path: Box<[Term]>,
}

impl Symbolic {
    /// The canonical form of values under constraints that are known to be
    /// satisfiable together.
    pub(crate) fn new(
        work: &mut Work,
        values: Vec<Term>,
        path: Vec<Term>,
    ) -> Result<Symbolic, Stop> {
        let (mut values, mut path) = (values, path);
        solve(work, &mut values, &mut path);
        eliminate_dead(work, &values, &mut path)?;
        let path = tighten(&mut work.store, path);
        Ok(Symbolic { values: values.into(), path: path.into() })
    }

    /// The concrete state, if no value depends on a constant.
    pub(crate) fn as_point(&self, store: &TermStore) -> Option<State> {
        let values: Option<Vec<Value>> =
            self.values.iter().map(|&t| store.value(t).cloned()).collect();
        values.map(State::new)
    }

    /// The set as a formula over the program's variables; `None` if a constant
    /// that is no variable's value could not be eliminated.
    pub(crate) fn region(&self, work: &mut Work) -> Result<Option<Region>, Stop> {
        let mut names = Vec::new();
        for (slot, &value) in self.values.iter().enumerate() {
            if matches!(work.store.node(value), Node::Var(..)) {
                names.push((value, work.variables[slot]));
            }
        }
        let mut rename = Substitution::new(names.iter().copied());
        let mut parts: Vec<Term> = Vec::new();
        let mut fixed = Vec::new();
        for (slot, &value) in self.values.iter().enumerate() {
            if let Some(constant) = work.store.value(value) {
                fixed.push((parallax_base::Id::new(slot), constant.clone()));
            } else {
                let value = rename.apply(&mut work.store, value);
                parts.push(work.store.eq(work.variables[slot], value));
            }
        }
        for &constraint in &self.path {
            parts.push(rename.apply(&mut work.store, constraint));
        }
        let formula = work.store.and(parts);
        let mut unknown = work.store.vars(formula);
        unknown.retain(|v| !work.variables.contains(v));
        if unknown.is_empty() {
            return Ok(Some(Region { fixed, formula }));
        }
        let solver = work.oracle.solver();
        let formula = solver.eliminate(&mut work.store, formula, &unknown, work.budget)?;
        Ok(formula.map(|formula| Region { fixed, formula }))
    }

    /// The substitution of program variables by their values.
    pub(crate) fn at(&self, work: &Work) -> Substitution {
        Substitution::new(work.variables.iter().copied().zip(self.values.iter().copied()))
    }
}

/// The constant that stands for the value of a variable.
fn constant_of(work: &mut Work, slot: usize) -> Term {
    let name = format!("{}'", work.program.variables.as_slice()[slot].name);
    let sort = work.store.sort(work.variables[slot]);
    work.store.var(&name, sort)
}

/// Names each constant by the first variable whose value determines it.
fn solve(work: &mut Work, values: &mut [Term], path: &mut [Term]) {
    // Old constants become temporary ones first: names are reused.
    let mut old: Vec<Term> = Vec::new();
    for &value in values.iter() {
        old.extend(work.store.vars(value));
    }
    for &constraint in path.iter() {
        old.extend(work.store.vars(constraint));
    }
    old.sort_unstable();
    old.dedup();
    let mut apart = Vec::new();
    for (i, &symbol) in old.iter().enumerate() {
        let sort = work.store.sort(symbol);
        apart.push((symbol, work.store.var(&format!("'{i}"), sort)));
    }
    let mut rename = Substitution::new(apart.iter().copied());
    for term in values.iter_mut().chain(path.iter_mut()) {
        *term = rename.apply(&mut work.store, *term);
    }
    let mut open: Vec<Term> = apart.iter().map(|(_, temporary)| *temporary).collect();
    for slot in 0..values.len() {
        let value = values[slot];
        let Some((symbol, solution)) = solution(work, slot, value, &open) else { continue };
        open.retain(|&s| s != symbol);
        let mut replace = Substitution::new([(symbol, solution)]);
        for term in values.iter_mut().chain(path.iter_mut()) {
            *term = replace.apply(&mut work.store, *term);
        }
    }
}

/// A constant of `value` that is determined by it, and its solution over the
/// constant that stands for the variable at `slot`.
fn solution(work: &mut Work, slot: usize, value: Term, open: &[Term]) -> Option<(Term, Term)> {
    if open.contains(&value) {
        return Some((value, constant_of(work, slot)));
    }
    let Node::Sum(linear) = work.store.node(value) else { return None };
    let linear = linear.clone();
    let unit = |c: &Rat| c.is_one() || *c == Rat::from(-1);
    let (symbol, c) = linear.monomials().iter().find(|(t, c)| unit(c) && open.contains(t))?.clone();
    // The rest must not mention the constant inside a non-linear part.
    let rest = linear.plus(&-&c, &Linear::term(symbol));
    let mentions = |t: Term| work.store.vars(t).contains(&symbol);
    if rest.monomials().iter().any(|(t, _)| mentions(*t)) {
        return None;
    }
    let sort = work.store.sort(value);
    let name = constant_of(work, slot);
    let difference = Linear::term(name).plus(&Rat::from(-1), &rest);
    Some((symbol, work.store.sum(difference.scaled(&c), sort)))
}

/// Removes constants that no value mentions.
fn eliminate_dead(work: &mut Work, values: &[Term], path: &mut Vec<Term>) -> Result<(), Stop> {
    let mut live: Vec<Term> = values.iter().flat_map(|&v| work.store.vars(v)).collect();
    live.sort_unstable();
    live.dedup();
    loop {
        let mut dead: Vec<Term> = path.iter().flat_map(|&c| work.store.vars(c)).collect();
        dead.sort_unstable();
        dead.dedup();
        dead.retain(|s| live.binary_search(s).is_err());
        let Some(&symbol) = dead.first() else { return Ok(()) };
        // A constant bounded on one side only can always be chosen.
        let one_sided = dead.iter().copied().find(|&s| is_one_sided(&work.store, path, s));
        if let Some(symbol) = one_sided {
            path.retain(|&c| !work.store.vars(c).contains(&symbol));
            continue;
        }
        let touches = |c: &Term| work.store.vars(*c).contains(&symbol);
        let (with, without): (Vec<Term>, Vec<Term>) = path.iter().partition(|c| touches(c));
        let formula = work.store.and(with);
        let solver = work.oracle.solver();
        let Some(result) = solver.eliminate(&mut work.store, formula, &[symbol], work.budget)?
        else {
            return Ok(());
        };
        *path = without;
        match work.store.node(result) {
            Node::And(items) => path.extend_from_slice(items),
            Node::Value(_) => {}
            _ => path.push(result),
        }
    }
}

/// Whether some value of the constant satisfies all constraints on it,
/// whatever the others are: only upper (or only lower) bounds and inequations.
fn is_one_sided(store: &TermStore, path: &[Term], symbol: Term) -> bool {
    let (mut above, mut below) = (false, false);
    for &constraint in path {
        if !store.vars(constraint).contains(&symbol) {
            continue;
        }
        let (atom, positive) = store.literal(constraint);
        let Node::Compare(relation, linear) = store.node(atom) else { return false };
        let Some((_, c)) = linear.monomials().iter().find(|(t, _)| *t == symbol) else {
            return false;
        };
        let nested = |(t, _): &(Term, Rat)| *t != symbol && store.vars(*t).contains(&symbol);
        if linear.monomials().iter().any(nested) {
            return false;
        }
        match (relation, positive) {
            (Relation::Eq, true) => return false,
            (Relation::Eq, false) => {}
            (_, positive) if (c.signum() > 0) == positive => above = true,
            _ => below = true,
        }
    }
    !(above && below)
}

/// Drops bounds that another bound on the same linear form implies; sorts.
fn tighten(store: &mut TermStore, path: Vec<Term>) -> Vec<Term> {
    /// A linear form without its constant, and which side is bounded.
    type Side = (Vec<(Term, Rat)>, bool);
    let mut best: BTreeMap<Side, (Rat, Term)> = BTreeMap::new();
    let mut kept = Vec::new();
    for constraint in path {
        let (atom, positive) = store.literal(constraint);
        match store.node(atom) {
            Node::Compare(Relation::Le, linear)
                if store.sort(linear.monomials()[0].0) == Sort::Int =>
            {
                let key = (linear.monomials().to_vec(), positive);
                let constant = linear.constant_part().clone();
                // form + k <= 0 is tighter for larger k; its negation for smaller k.
                let tighter = |old: &Rat| if positive { constant > *old } else { constant < *old };
                let replace = best.get(&key).is_none_or(|(old, _)| tighter(old));
                if replace {
                    best.insert(key, (constant, constraint));
                }
            }
            Node::Value(_) => {}
            _ => kept.push(constraint),
        }
    }
    kept.extend(best.into_values().map(|(_, constraint)| constraint));
    kept.sort_unstable();
    kept.dedup();
    kept
}
