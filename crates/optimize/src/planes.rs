//! Closed formulas and their hyperplanes: what the rules of SYMBA speak of.
//!
//! The rules want a formula without strict inequalities. Over the integers
//! there are none left, because constructors tighten them. Over the reals the
//! closure is taken: negations are pushed to the atoms, and `<` becomes `<=`
//! (thesis, Section 5.2.4). That can only add models.
//!
//! The hyperplanes of a closed formula are the boundaries of its atoms as they
//! stand there, negated or not. Terms are normal forms, so `2x <= 4` and
//! `x <= 2` have one hyperplane.

use parallax_solver::Model;
use parallax_term::{Linear, Node, Rat, Relation, Sort, Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};

/// `linear = 0`.
#[derive(Clone, Debug)]
pub(crate) struct Plane {
    pub(crate) equation: Term,
    linear: Linear,
}

/// A closed formula.
pub(crate) struct Closed {
    pub(crate) formula: Term,
    /// Whether it may have more models than the formula it was made from.
    pub(crate) is_wider: bool,
    pub(crate) planes: Vec<Plane>,
}

/// The closure of a formula without conditional numbers.
pub(crate) fn close(store: &mut TermStore, formula: Term) -> Closed {
    let terms = store.subterms(&[formula]);
    let mut done: FxHashMap<Term, [Term; 2]> = FxHashMap::default();
    let mut closed = Closed { formula, is_wider: false, planes: Vec::new() };
    for term in terms {
        if store.sort(term) != Sort::Bool {
            continue;
        }
        let node = store.node(term).clone();
        let pair = match node {
            Node::Not(a) => {
                let [yes, no] = done[&a];
                [no, yes]
            }
            Node::And(items) => junction(store, &items, &done, true),
            Node::Or(items) => junction(store, &items, &done, false),
            Node::Iff(a, b) => {
                let ([a, not_a], [b, not_b]) = (done[&a], done[&b]);
                let (both, none) = (store.and([a, b]), store.and([not_a, not_b]));
                let (first, second) = (store.and([a, not_b]), store.and([not_a, b]));
                [store.or([both, none]), store.or([first, second])]
            }
            Node::Compare(relation, linear) => {
                let sort = store.sort(linear.monomials()[0].0);
                let least = Linear::constant(Rat::ZERO).plus(&Rat::from(-1), &linear);
                let yes = match relation {
                    Relation::Lt => store.relate(Relation::Le, linear, sort),
                    _ => term,
                };
                let no = match (relation, sort) {
                    // Integers: no strict inequality to close.
                    (_, Sort::Int) => store.not(term),
                    (Relation::Eq, _) => store.bool(true),
                    _ => store.relate(Relation::Le, least, sort),
                };
                [yes, no]
            }
            _ => [term, store.not(term)],
        };
        done.insert(term, pair);
    }
    closed.formula = done[&formula][0];
    closed.is_wider = closed.formula != formula;
    closed.planes = planes(store, closed.formula);
    closed
}

fn junction(
    store: &mut TermStore,
    items: &[Term],
    done: &FxHashMap<Term, [Term; 2]>,
    is_all: bool,
) -> [Term; 2] {
    let (yes, no): (Vec<Term>, Vec<Term>) = items.iter().map(|t| (done[t][0], done[t][1])).unzip();
    if is_all { [store.and(yes), store.or(no)] } else { [store.or(yes), store.and(no)] }
}

/// The hyperplanes of a formula whose negations stand at atoms.
fn planes(store: &mut TermStore, formula: Term) -> Vec<Plane> {
    let mut found = Vec::new();
    let mut seen = FxHashSet::default();
    for term in store.subterms(&[formula]) {
        let (atom, is_positive) = store.literal(term);
        let Node::Compare(relation, linear) = store.node(atom).clone() else { continue };
        let sort = store.sort(linear.monomials()[0].0);
        let mut boundaries = vec![linear.clone()];
        if sort == Sort::Int && !is_positive {
            // `l > 0` is `l >= 1`, `l != 0` is either `l <= -1` or `l >= 1`.
            boundaries = vec![linear.shifted(&Rat::from(-1))];
            if relation == Relation::Eq {
                boundaries.push(linear.shifted(&Rat::ONE));
            }
        }
        for linear in boundaries {
            let equation = store.relate(Relation::Eq, linear.clone(), sort);
            if !store.is_false(equation) && seen.insert(equation) {
                found.push(Plane { equation, linear });
            }
        }
    }
    found
}

impl Plane {
    /// Whether a model lies on it.
    pub(crate) fn holds(&self, store: &TermStore, model: &Model) -> bool {
        value(store, &self.linear, model).is_zero()
    }

    /// The symbols it mentions.
    pub(crate) fn symbols<'a>(&'a self, store: &'a TermStore) -> impl Iterator<Item = Term> + 'a {
        self.linear.monomials().iter().map(|(t, _)| crate::polyhedron::symbol_of(store, *t))
    }
}

/// The value of a sum in a model.
pub(crate) fn value(store: &TermStore, linear: &Linear, model: &Model) -> Rat {
    let mut sum = linear.constant_part().clone();
    for (term, factor) in linear.monomials() {
        let symbol = crate::polyhedron::symbol_of(store, *term);
        let value = match model.get(symbol) {
            Some(value) => value.to_rat(),
            None => model.eval(store, symbol).to_rat(),
        };
        if let Some(value) = value {
            sum = &sum + &(factor * &value);
        }
    }
    sum
}

/// For each goal the hyperplanes it is related to: those that share symbols
/// with it, and those that share symbols with these (thesis, Section 5.2.6).
pub(crate) fn related(store: &TermStore, planes: &[Plane], goals: &[Term]) -> Vec<Vec<u32>> {
    let mut parent: Vec<usize> = Vec::new();
    let mut number: FxHashMap<Term, usize> = FxHashMap::default();
    fn root(parent: &mut [usize], mut at: usize) -> usize {
        while parent[at] != at {
            parent[at] = parent[parent[at]];
            at = parent[at];
        }
        at
    }
    let mut join = |parent: &mut Vec<usize>, symbols: Vec<Term>| {
        let mut first = None;
        for symbol in symbols {
            let next = number.len();
            let at = *number.entry(symbol).or_insert(next);
            if at == parent.len() {
                parent.push(at);
            }
            let own = root(parent, at);
            match first {
                None => first = Some(own),
                Some(known) => parent[own] = known,
            }
        }
        first
    };
    let of_goal = |goal: &Term| -> Vec<Term> {
        let linear = store.linear(*goal);
        let symbols = linear.monomials().iter();
        symbols.map(|(t, _)| crate::polyhedron::symbol_of(store, *t)).collect()
    };
    // What mentions no symbol is related to nothing.
    let of_planes: Vec<Option<usize>> =
        planes.iter().map(|p| join(&mut parent, p.symbols(store).collect())).collect();
    let of_goals: Vec<Option<usize>> =
        goals.iter().map(|g| join(&mut parent, of_goal(g))).collect();
    let mut class = |at: Option<usize>| at.map(|at| root(&mut parent, at));
    let of_planes: Vec<Option<usize>> = of_planes.into_iter().map(&mut class).collect();
    let of_goals: Vec<Option<usize>> = of_goals.into_iter().map(&mut class).collect();
    let list = |goal: Option<usize>| {
        let is_same = |class: &Option<usize>| class.is_some() && *class == goal;
        let same = of_planes.iter().enumerate().filter(|&(_, class)| is_same(class));
        same.map(|(at, _)| at as u32).collect()
    };
    of_goals.into_iter().map(list).collect()
}
