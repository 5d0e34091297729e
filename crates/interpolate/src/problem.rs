//! The parts as lists of conjuncts, reduced to an unsat core.

use parallax_base::{Budget, Stop};
use parallax_solver::{Answer, Solver};
use parallax_term::{Node, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

/// With more conjuncts than this, whole parts are thrown out first.
const MANY: usize = 64;

/// The first and the last part in which each symbol occurs.
#[derive(Clone, Debug)]
pub(crate) struct Spans(FxHashMap<Term, (usize, usize)>);

impl Spans {
    pub(crate) fn new(store: &TermStore, parts: &[Vec<Term>]) -> Spans {
        let mut spans: FxHashMap<Term, (usize, usize)> = FxHashMap::default();
        for (at, part) in parts.iter().enumerate() {
            for symbol in symbols(store, part) {
                spans.entry(symbol).or_insert((at, at)).1 = at;
            }
        }
        Spans(spans)
    }

    /// All symbols, in no fixed order.
    pub(crate) fn symbols(&self) -> impl Iterator<Item = Term> {
        self.0.keys().copied()
    }

    /// Whether a symbol occurs only in the first `cut` parts.
    pub(crate) fn is_dead(&self, symbol: Term, cut: usize) -> bool {
        self.0.get(&symbol).is_some_and(|(_, last)| *last < cut)
    }

    /// Whether a symbol does not occur in the first `cut` parts.
    pub(crate) fn is_unborn(&self, symbol: Term, cut: usize) -> bool {
        self.0.get(&symbol).is_none_or(|(first, _)| *first >= cut)
    }

    /// Whether a symbol occurs on both sides of a cut.
    pub(crate) fn is_shared(&self, symbol: Term, cut: usize) -> bool {
        self.0.get(&symbol).is_some_and(|(first, last)| *first < cut && *last >= cut)
    }

    /// Whether a symbol occurs in two parts.
    pub(crate) fn is_shared_somewhere(&self, symbol: Term) -> bool {
        self.0.get(&symbol).is_some_and(|(first, last)| first < last)
    }
}

pub(crate) enum Reduction {
    /// The conjuncts of each part that are needed for a contradiction.
    Core(Vec<Vec<Term>>),
    Satisfiable,
    Unknown(String),
}

/// The conjuncts that contradict each other.
pub(crate) fn reduce(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    mut parts: Vec<Vec<Term>>,
    budget: &Budget,
) -> Result<Reduction, Stop> {
    let unknown = |why: String| Ok(Reduction::Unknown(format!("the solver: {why}")));
    if parts.iter().map(Vec::len).sum::<usize>() > MANY {
        let mut whole = Vec::with_capacity(parts.len());
        for part in &parts {
            whole.push(store.and(part.iter().copied()));
        }
        match contradiction(store, solver, &whole, budget)? {
            Found::Core(core) => {
                let needed: FxHashSet<Term> = core.into_iter().collect();
                let idle = whole.iter().zip(&mut parts).filter(|(p, _)| !needed.contains(p));
                idle.for_each(|(_, part)| part.clear());
            }
            Found::Model => return Ok(Reduction::Satisfiable),
            Found::Unknown(why) => return unknown(why),
        }
    }
    let mut all: Vec<Term> = parts.iter().flatten().copied().collect();
    all.sort_unstable();
    all.dedup();
    match contradiction(store, solver, &all, budget)? {
        Found::Core(core) => {
            let needed: FxHashSet<Term> = core.into_iter().collect();
            parts.iter_mut().for_each(|part| part.retain(|c| needed.contains(c)));
            Ok(Reduction::Core(parts))
        }
        Found::Model => Ok(Reduction::Satisfiable),
        Found::Unknown(why) => unknown(why),
    }
}

/// The symbols of some formulas, oldest first.
pub(crate) fn symbols(store: &TermStore, formulas: &[Term]) -> Vec<Term> {
    let mut all = store.subterms(formulas);
    all.retain(|&t| matches!(store.node(t), Node::Var(..)));
    all
}

/// The conjuncts of formulas, without constants, in increasing order.
pub(crate) fn conjuncts(
    store: &mut TermStore,
    formulas: impl IntoIterator<Item = Term>,
) -> Vec<Term> {
    let mut open: Vec<Term> = formulas.into_iter().collect();
    let (mut found, mut seen) = (Vec::new(), FxHashSet::default());
    while let Some(formula) = open.pop() {
        if store.is_true(formula) || !seen.insert(formula) {
            continue;
        }
        let (inner, positive) = store.literal(formula);
        match store.node(inner) {
            Node::And(items) if positive => open.extend(items),
            Node::Or(items) if !positive => {
                let items = items.clone();
                open.extend(items.iter().map(|item| store.not(*item)));
            }
            _ => found.push(formula),
        }
    }
    found.sort_unstable();
    found
}

pub(crate) enum Found {
    Core(Vec<Term>),
    Model,
    Unknown(String),
}

/// Those formulas that already contradict what is asserted.
pub(crate) fn contradiction(
    store: &TermStore,
    solver: &mut dyn Solver,
    formulas: &[Term],
    budget: &Budget,
) -> Result<Found, Stop> {
    if let Some(&wrong) = formulas.iter().find(|f| store.is_false(**f)) {
        return Ok(Found::Core(vec![wrong]));
    }
    Ok(match solver.check_for_core(store, formulas, budget)? {
        Answer::Sat => Found::Model,
        Answer::Unknown(why) => Found::Unknown(why),
        Answer::Unsat => Found::Core(solver.core().unwrap_or_else(|| formulas.to_vec())),
    })
}
