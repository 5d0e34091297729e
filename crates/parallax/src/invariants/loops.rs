//! Loops of a program, and what is said of them.

use crate::Task;
use parallax_base::{Budget, Span};
use parallax_invariant::{Invariant, Invariants};
use parallax_optimize::{Abstract, Limit};
use parallax_solver::{SolverConfig, SolverError};
use parallax_task::Head;
use parallax_term::{Linear, Node, Rat, Term, TermStore};
use std::collections::BTreeMap;

/// A loop and what holds at its head.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Where it stands: the loop of a C program, the location of a process.
    pub span: Span,
    /// The function, or the locations of all processes.
    pub name: String,
    /// Which copy of the loop it is, if its function is called at several
    /// places; from 0.
    pub copy: usize,
    /// Which location of each process it is.
    pub place: Vec<usize>,
    /// Whether a run may come here.
    pub is_reached: bool,
    /// What holds, in the language of the program.
    pub facts: Vec<String>,
    /// The same loop in another encoding of the program has the same key.
    pub key: (usize, usize),
    /// Upper bounds by sum of variables.
    bounds: BTreeMap<String, Limit>,
}

/// How two results compare.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Precision {
    /// The same bounds.
    Equal,
    /// The first has a better bound, and no worse one.
    More,
    /// The second has a better bound, and no worse one.
    Less,
    /// Each has a better bound.
    Incomparable,
}

impl Precision {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Precision::Equal => "equal",
            Precision::More => "more precise",
            Precision::Less => "less precise",
            Precision::Incomparable => "incomparable",
        }
    }
}

impl Loop {
    /// How this result compares with another one about the same loop.
    pub fn compare(&self, other: &Loop) -> Precision {
        match (self.is_reached, other.is_reached) {
            (false, false) => return Precision::Equal,
            (false, true) => return Precision::More,
            (true, false) => return Precision::Less,
            (true, true) => {}
        }
        let (mut better, mut worse) = (false, false);
        let sums = self.bounds.keys().chain(other.bounds.keys());
        for sum in sums {
            match (self.bounds.get(sum), other.bounds.get(sum)) {
                (Some(a), Some(b)) => {
                    let (a, b) = ((&a.value, !a.strict), (&b.value, !b.strict));
                    better |= a < b;
                    worse |= a > b;
                }
                (Some(_), None) => better = true,
                (None, Some(_)) => worse = true,
                (None, None) => {}
            }
        }
        match (better, worse) {
            (false, false) => Precision::Equal,
            (true, false) => Precision::More,
            (false, true) => Precision::Less,
            (true, true) => Precision::Incomparable,
        }
    }
}

/// What holds at loops, and the same as SMT-LIB terms.
pub(super) fn loops(
    task: &Task,
    heads: Option<&[Head]>,
    found: &mut Invariants,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<(Vec<Loop>, Vec<String>), SolverError> {
    let mut solver = solver.open()?;
    let (mut loops, mut claims) = (Vec::new(), Vec::new());
    let is_c = heads.is_some();
    let by_location: BTreeMap<i64, &Head> =
        heads.unwrap_or_default().iter().map(|head| (head.location as i64, head)).collect();
    for at in 0..found.at.len() {
        let invariant = &found.at[at];
        let head = invariant.place.first().and_then(|at| by_location.get(at).copied());
        if is_c && head.is_none() || !is_c && !invariant.is_head {
            continue;
        }
        claims.push(claim(task, &mut found.store, invariant));
        let shown = found.reduced(&task.program, at, &mut *solver, budget);
        let invariant = &found.at[at];
        loops.push(match head {
            Some(head) => c_loop(task, head, &found.store, invariant, shown),
            None => model_loop(task, &found.store, invariant, shown),
        });
    }
    loops.sort_by_key(|l| (l.span.file, l.span.lo, l.key));
    for at in 1..loops.len() {
        if loops[at].span == loops[at - 1].span && is_c {
            loops[at].copy = loops[at - 1].copy + 1;
            loops[at].key.1 = loops[at].copy;
        }
    }
    Ok((loops, claims))
}

/// "Whoever is here satisfies the formula."
fn claim(task: &Task, store: &mut TermStore, invariant: &Invariant) -> String {
    let mut here = Vec::new();
    for (process, &at) in task.program.processes.iter().zip(&invariant.place) {
        let at = store.int(at);
        here.push(store.eq(task.program.variables[process.control].term, at));
    }
    let here = store.and(here);
    let claim = store.implies(here, invariant.formula);
    store.smtlib(claim)
}

fn c_loop(task: &Task, head: &Head, store: &TermStore, invariant: &Invariant, shown: Term) -> Loop {
    let known = |term: Term| head.words.knows(term);
    Loop {
        span: head.span,
        name: head.name.to_string(),
        copy: 0,
        place: invariant.place.iter().map(|&at| at as usize).collect(),
        is_reached: invariant.value != Abstract::Bottom,
        facts: head.words.facts(store, shown),
        key: (head.cut.index(), 0),
        bounds: bounds(task, store, invariant, &known),
    }
}

fn model_loop(task: &Task, store: &TermStore, invariant: &Invariant, shown: Term) -> Loop {
    let processes = task.program.processes.iter().zip(&invariant.place);
    let places = processes.map(|(process, &at)| {
        let location = process.locations.as_slice().get(at as usize);
        (process, location)
    });
    let names = places.clone().map(|(process, location)| {
        format!("{}.{}", process.name, location.map_or("?", |l| &*l.name))
    });
    let span = places.clone().find_map(|(_, location)| location.map(|l| l.span));
    let facts = match store.node(shown) {
        Node::And(items) => items.iter().map(|&fact| store.infix(fact)).collect(),
        _ if store.value(shown).is_some() => Vec::new(),
        _ => vec![store.infix(shown)],
    };
    Loop {
        span: span.unwrap_or_default(),
        name: names.collect::<Vec<_>>().join(", "),
        copy: 0,
        place: invariant.place.iter().map(|&at| at as usize).collect(),
        is_reached: invariant.value != Abstract::Bottom,
        facts,
        key: (invariant.place.iter().fold(0, |key, at| key * 1000 + *at as usize), 0),
        bounds: bounds(task, store, invariant, &|_| true),
    }
}

/// Upper bounds by the text of what is bounded, for sums of known variables.
fn bounds(
    task: &Task,
    store: &TermStore,
    invariant: &Invariant,
    known: &dyn Fn(Term) -> bool,
) -> BTreeMap<String, Limit> {
    let Abstract::Within(limits) = &invariant.value else { return BTreeMap::new() };
    let mut found = BTreeMap::new();
    for (limit, &template) in limits.iter().zip(&invariant.templates) {
        let linear: Linear = store.linear(template);
        if let Some(limit) = limit
            && linear.monomials().iter().all(|(t, _)| known(*t))
            && !is_domain(task, &linear, limit)
        {
            found.insert(store.infix(template), limit.clone());
        }
    }
    found
}

/// Whether a bound is what the type of the variable says.
fn is_domain(task: &Task, linear: &Linear, limit: &Limit) -> bool {
    let [(term, factor)] = linear.monomials() else { return false };
    let Some(slot) = task.program.slot(*term) else { return false };
    let domain = &task.program.variables.as_slice()[slot].domain;
    domain.bounds().is_some_and(|(low, high)| {
        let end = if factor.signum() > 0 { Rat::from(high) } else { Rat::from(low) };
        limit.value >= &end * factor
    })
}
