//! Any theory, where projection fails: interpolants learned from models.
//!
//! Backward as in [`crate::project`]: at each cut a conjunction `N` over the
//! shared symbols is looked for that follows from `near` and contradicts `far`.
//! Where symbols cannot be eliminated, `N` is made of clauses: as long as
//! `far && N` has a model, the facts of that model about shared symbols
//! contradict `near`; a core of them, generalized, is excluded by a clause.
//! Facts are tried from the general to the special: the atoms of both sides
//! and comparisons of two values, then bounds by the value in the model, then
//! the value itself. Bounds are moved as far as the contradiction allows.
//!
//! `N` follows from `near` because every clause does; the search ends when
//! `far && N` is unsatisfiable, or after too many clauses.

use crate::problem::{Found, Spans, contradiction, symbols};
use crate::project;
use parallax_base::{Budget, Stop};
use parallax_solver::{Answer, Model, Solver};
use parallax_term::{Bv, Int, Node, Op, Sort, Term, TermStore, Value};

/// Give up after so many clauses at one cut.
const CLAUSES: usize = 40;
/// Compare so many shared values at most.
const VALUES: usize = 12;

/// Interpolants from the last part to the first.
pub(crate) fn interpolants(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    parts: &[Vec<Term>],
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stop> {
    let mut formulas = vec![store.bool(false); parts.len() + 1];
    formulas[0] = store.bool(true);
    let spans = Spans::new(store, parts);
    let mut near = Vec::new();
    for cut in (1..parts.len()).rev() {
        near.extend_from_slice(&parts[cut]);
        let far: Vec<Term> = parts[..cut].iter().flatten().copied().collect();
        let is_bound = |symbol: Term| spans.is_unborn(symbol, cut);
        solver.push();
        far.iter().for_each(|conjunct| solver.assert(store, *conjunct));
        let core = project::smaller(store, solver, near, budget);
        let shared = match &core {
            Ok(Some(core)) => project::shared_part(store, solver, core.clone(), &is_bound, budget),
            _ => Ok(None),
        };
        solver.pop();
        let Some(core) = core? else { return Ok(None) };
        let shared = match shared? {
            Some(shared) => Some(shared),
            None => clauses(store, solver, &core, &far, &is_bound, budget)?,
        };
        let Some(shared) = shared else { return Ok(None) };
        near = shared;
        let whole = store.and(near.iter().copied());
        formulas[cut] = store.not(whole);
    }
    Ok(Some(formulas))
}

/// Clauses without bound symbols that follow from `near` and contradict `far`.
fn clauses(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    near: &[Term],
    far: &[Term],
    is_bound: &dyn Fn(Term) -> bool,
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stop> {
    // Some conjuncts may be free of bound symbols already.
    let mut found: Vec<Term> = near.to_vec();
    found.retain(|c| !symbols(store, &[*c]).into_iter().any(is_bound));
    let facts = Facts::new(store, near, far, is_bound);
    for _ in 0..CLAUSES {
        let query: Vec<Term> = far.iter().chain(&found).copied().collect();
        match contradiction(store, solver, &query, budget)? {
            Found::Core(core) => {
                found.retain(|clause| core.contains(clause));
                return Ok(Some(found));
            }
            Found::Unknown(_) => return Ok(None),
            Found::Model => {}
        }
        let Some(model) = solver.model(store, &facts.symbols) else { return Ok(None) };
        let Some(cube) = facts.cube(store, solver, near, &model, budget)? else {
            return Ok(None);
        };
        let cube = store.and(cube);
        found.push(store.not(cube));
    }
    Ok(None)
}

/// What can be said about the shared symbols.
struct Facts {
    symbols: Vec<Term>,
    /// Numbers, bits and floating-point numbers: symbols and reads of arrays.
    values: Vec<Term>,
    atoms: Vec<Term>,
}

impl Facts {
    fn new(
        store: &TermStore,
        near: &[Term],
        far: &[Term],
        is_bound: &dyn Fn(Term) -> bool,
    ) -> Facts {
        let mut shared = symbols(store, near);
        shared.retain(|symbol| !is_bound(*symbol));
        let both: Vec<Term> = near.iter().chain(far).copied().collect();
        let is_shared = |term: Term| symbols(store, &[term]).iter().all(|s| shared.contains(s));
        let mut values: Vec<Term> = Vec::new();
        let mut atoms: Vec<Term> = Vec::new();
        for term in store.subterms(&both) {
            let is_read = matches!(store.node(term), Node::Apply(Op::Select, _));
            let is_symbol = matches!(store.node(term), Node::Var(..));
            if (is_read || is_symbol)
                && !matches!(store.sort(term), Sort::Bool | Sort::Array(..))
                && is_shared(term)
            {
                values.push(term);
            }
            if store.is_atom(term) && is_shared(term) {
                atoms.push(term);
            }
        }
        values.truncate(VALUES);
        Facts { symbols: shared, values, atoms }
    }

    /// Facts of the model that contradict `near`, few and general.
    fn cube(
        &self,
        store: &mut TermStore,
        solver: &mut dyn Solver,
        near: &[Term],
        model: &Model,
        budget: &Budget,
    ) -> Result<Option<Vec<Term>>, Stop> {
        let (mut facts, mut bounds) = (Vec::new(), Vec::new());
        for stage in 0..3 {
            match stage {
                0 => facts.extend(self.relations(store, model)),
                1 => {
                    bounds = self.bounds(store, model);
                    facts.extend(bounds.iter().map(|bound| bound.formula));
                }
                _ => facts.extend(self.equations(store, model)),
            }
            facts.retain(|fact| store.value(*fact).is_none());
            let core = excluded(store, solver, near, &facts, budget)?;
            let Some(mut core) = core else { continue };
            // The most special facts come last, so they go first.
            let mut at = core.len();
            while at > 0 && core.len() > 1 {
                at -= 1;
                let mut without = core.clone();
                without.remove(at);
                if let Some(smaller) = excluded(store, solver, near, &without, budget)? {
                    core = smaller;
                    at = at.min(core.len());
                }
            }
            for at in 0..core.len() {
                if let Some(bound) = bounds.iter().find(|bound| bound.formula == core[at]) {
                    core[at] = bound.moved(store, solver, near, &core, at, budget)?;
                }
            }
            return Ok(Some(core));
        }
        Ok(None)
    }

    /// The atoms as they are in the model, and how values compare there.
    fn relations(&self, store: &mut TermStore, model: &Model) -> Vec<Term> {
        let mut atoms = self.atoms.clone();
        for (i, &a) in self.values.iter().enumerate() {
            for &b in &self.values[i + 1..] {
                if store.sort(a) != store.sort(b) {
                    continue;
                }
                match store.sort(a) {
                    Sort::Int | Sort::Real => atoms.extend([store.le(a, b), store.le(b, a)]),
                    Sort::Bv(_) => atoms.extend([
                        store.eq(a, b),
                        store.bv_ule(a, b),
                        store.bv_ule(b, a),
                        store.bv_sle(a, b),
                        store.bv_sle(b, a),
                    ]),
                    _ => atoms.push(store.eq(a, b)),
                }
            }
        }
        let truths = model.eval_all(store, &atoms);
        let pairs = atoms.into_iter().zip(truths);
        pairs
            .map(|(atom, truth)| if truth == Value::Bool(true) { atom } else { store.not(atom) })
            .collect()
    }

    /// Bounds of the values by what they are in the model.
    fn bounds(&self, store: &mut TermStore, model: &Model) -> Vec<Bound> {
        let mut bounds = Vec::new();
        for &value in &self.values {
            let now = match model.eval(store, value) {
                Value::Int(now) => now,
                Value::Bv(now) => now.to_int(),
                _ => continue,
            };
            let orders: &[Order] = match store.sort(value) {
                Sort::Int => &[Order::Number],
                _ => &[Order::Unsigned, Order::Signed],
            };
            for &order in orders {
                for is_upper in [true, false] {
                    let mut bound =
                        Bound { value, order, is_upper, limit: now.clone(), formula: value };
                    if let (Order::Signed, Sort::Bv(width)) = (order, store.sort(value)) {
                        bound.limit = Bv::from_int(width, &now).to_signed_int();
                    }
                    bound.formula = bound.at(store, &bound.limit.clone());
                    bounds.push(bound);
                }
            }
        }
        bounds
    }

    /// The values themselves.
    fn equations(&self, store: &mut TermStore, model: &Model) -> Vec<Term> {
        let mut equations = Vec::new();
        for &symbol in &self.symbols {
            let value = store.constant(model.value_of(store, symbol));
            equations.push(store.eq(symbol, value));
        }
        equations
    }
}

/// Those facts that contradict `near`; `None` if they do not.
fn excluded(
    store: &TermStore,
    solver: &mut dyn Solver,
    near: &[Term],
    facts: &[Term],
    budget: &Budget,
) -> Result<Option<Vec<Term>>, Stop> {
    let query: Vec<Term> = near.iter().chain(facts).copied().collect();
    Ok(match contradiction(store, solver, &query, budget)? {
        Found::Core(core) => Some(facts.iter().copied().filter(|f| core.contains(f)).collect()),
        Found::Model | Found::Unknown(_) => None,
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Number,
    Unsigned,
    Signed,
}

/// `value <= limit`, or `value >= limit`.
struct Bound {
    value: Term,
    order: Order,
    is_upper: bool,
    limit: Int,
    formula: Term,
}

impl Bound {
    fn at(&self, store: &mut TermStore, limit: &Int) -> Term {
        let limit = match store.sort(self.value) {
            Sort::Bv(width) => store.bv(width, Bv::from_int(width, limit).bits()),
            _ => store.int(limit.clone()),
        };
        let (low, high) = if self.is_upper { (self.value, limit) } else { (limit, self.value) };
        match self.order {
            Order::Number => store.le(low, high),
            Order::Unsigned => store.bv_ule(low, high),
            Order::Signed => store.bv_sle(low, high),
        }
    }

    /// The bound moved outwards as far as the facts still contradict `near`.
    fn moved(
        &self,
        store: &mut TermStore,
        solver: &mut dyn Solver,
        near: &[Term],
        facts: &[Term],
        at: usize,
        budget: &Budget,
    ) -> Result<Term, Stop> {
        // How far it may go: to the end of the order, or far enough.
        let far = match (self.order, store.sort(self.value)) {
            (Order::Unsigned, Sort::Bv(width)) if self.is_upper => {
                &(&Int::power_of_two(width) - &Int::ONE) - &self.limit
            }
            (Order::Unsigned, _) => self.limit.clone(),
            (Order::Signed, Sort::Bv(width)) if self.is_upper => {
                &(&Int::power_of_two(width - 1) - &Int::ONE) - &self.limit
            }
            (Order::Signed, Sort::Bv(width)) => &self.limit + &Int::power_of_two(width - 1),
            _ => Int::power_of_two(40),
        };
        let (mut steps, mut far) = (Int::ZERO, far);
        let two = Int::from(2);
        // The bound holds with `steps` and, as far as known, not with `far`.
        while &far - &steps > Int::ONE {
            let middle = (&far + &steps).div_floor(&two);
            let limit = if self.is_upper { &self.limit + &middle } else { &self.limit - &middle };
            let mut query: Vec<Term> = near.to_vec();
            query.extend(facts.iter().enumerate().filter(|(i, _)| *i != at).map(|(_, f)| *f));
            query.push(self.at(store, &limit));
            if solver.check(store, &query, budget)? == Answer::Unsat {
                steps = middle;
            } else {
                far = middle;
            }
        }
        let limit = if self.is_upper { &self.limit + &steps } else { &self.limit - &steps };
        Ok(self.at(store, &limit))
    }
}
