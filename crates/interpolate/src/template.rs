//! Interpolants that speak only of given terms.
//!
//! Leroux, Rümmer, Subotić: *Guiding Craig interpolation with domain-specific
//! abstractions* (Acta Informatica 2016). The parts of a path are torn apart:
//! each has its own copy of every symbol, and at each cut the copies on both
//! sides agree on the values of some terms only, the templates. If the parts
//! still contradict each other, their interpolants speak of these values, and
//! with the templates put back they are interpolants of the path.
//!
//! Deviation: each value at a cut has a name of its own, so that the copies
//! never meet and any method finds interpolants over the names alone. The
//! search goes through the ranks of the templates, lowest first, takes the
//! first set that suffices, and then drops templates, highest rank first,
//! while the rest suffices. So relations are preferred to single variables:
//! `x - y` stays the same around a loop in which both are counted up.

use crate::problem::{Found, Spans, contradiction, symbols};
use parallax_base::{Budget, Stop};
use parallax_solver::Solver;
use parallax_term::{Sort, Substitution, Term, TermStore};

/// A term that interpolants may speak of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    /// Lower ranks are tried first.
    pub rank: u32,
    /// The term at each cut `0 ..= n`; `None` where it makes no sense. The
    /// first and the last are not used.
    pub at: Vec<Option<Term>>,
}

/// Templates over the variables of a path, each given by its value at each cut
/// `0 ..= n`: truth values and differences of numbers first, then sums, then
/// single variables.
pub fn relations(store: &mut TermStore, variables: &[Vec<Option<Term>>]) -> Vec<Template> {
    let mut templates = Vec::new();
    for rank in 0..2 {
        for (i, left) in variables.iter().enumerate() {
            for right in &variables[i + 1..] {
                let pairs = left.iter().zip(right);
                let at: Vec<Option<Term>> = pairs
                    .map(|(a, b)| {
                        let (a, b) = ((*a)?, (*b)?);
                        let sort = store.sort(a);
                        let same = sort == store.sort(b);
                        match (sort, rank) {
                            _ if !same => None,
                            (Sort::Int | Sort::Real, 0) => Some(store.sub(a, b)),
                            (Sort::Int | Sort::Real, _) => Some(store.add(a, b)),
                            (Sort::Bv(_), 0) => Some(store.bv_sub(a, b)),
                            _ => None,
                        }
                    })
                    .collect();
                if at.iter().any(Option::is_some) {
                    templates.push(Template { rank, at });
                }
            }
        }
    }
    for variable in variables {
        let is_truth = variable.iter().flatten().any(|v| store.sort(*v) == Sort::Bool);
        templates.push(Template { rank: if is_truth { 0 } else { 2 }, at: variable.clone() });
    }
    templates
}

/// Parts that were torn apart and still contradict each other.
pub(crate) struct Torn {
    /// The conjuncts of each part over its own symbols and the names.
    pub(crate) parts: Vec<Vec<Term>>,
    /// What the names stand for.
    names: Vec<(Term, Term)>,
    /// The templates that are used.
    pub(crate) used: Vec<usize>,
}

impl Torn {
    /// The formulas with the templates in place of the names.
    pub(crate) fn mend(&self, store: &mut TermStore, formulas: &[Term]) -> Vec<Term> {
        let mut back = Substitution::new(self.names.iter().copied());
        formulas.iter().map(|formula| back.apply(store, *formula)).collect()
    }
}

/// A template at one cut: its name, what it stands for, and on both sides the
/// equation between them.
struct Link {
    template: usize,
    name: Term,
    meaning: Term,
    /// The part before the cut, and the equation in it; the part after it.
    sides: [(usize, Term); 2],
}

/// Tears the parts apart at templates that suffice; `None` if none do.
pub(crate) fn tear(
    store: &mut TermStore,
    solver: &mut dyn Solver,
    parts: &[Vec<Term>],
    spans: &Spans,
    templates: &[Template],
    budget: &Budget,
) -> Result<Option<Torn>, Stop> {
    let all: Vec<Term> = parts.iter().flatten().copied().collect();
    let shared: Vec<Term> = {
        let mut all = symbols(store, &all);
        all.retain(|symbol| spans.is_shared_somewhere(*symbol));
        all
    };
    let mut copies: Vec<Substitution> = Vec::with_capacity(parts.len());
    for _ in parts {
        let mut pairs = Vec::with_capacity(shared.len());
        for &symbol in &shared {
            pairs.push((symbol, copy(store, symbol)));
        }
        copies.push(Substitution::new(pairs));
    }
    let mut own: Vec<Vec<Term>> = Vec::with_capacity(parts.len());
    for (part, copy) in parts.iter().zip(&mut copies) {
        budget.check()?;
        own.push(part.iter().map(|conjunct| copy.apply(store, *conjunct)).collect());
    }
    let mut links = Vec::new();
    for (number, template) in templates.iter().enumerate() {
        for cut in 1..parts.len() {
            let Some(meaning) = template.at.get(cut).copied().flatten() else { continue };
            if !symbols(store, &[meaning]).iter().all(|symbol| spans.is_shared(*symbol, cut)) {
                continue;
            }
            let name = store.fresh("t", store.sort(meaning));
            let sides = [cut - 1, cut].map(|part| {
                let here = copies[part].apply(store, meaning);
                (part, store.eq(name, here))
            });
            links.push(Link { template: number, name, meaning, sides });
        }
    }
    // One switch for each template keeps the cores short.
    let mut switches = Vec::with_capacity(templates.len());
    for number in 0..templates.len() {
        let mine = links.iter().filter(|link| link.template == number);
        let equations: Vec<Term> = mine.flat_map(|link| link.sides.map(|(_, e)| e)).collect();
        let switch = store.fresh("use", Sort::Bool);
        let equations = store.and(equations);
        switches.push((switch, store.implies(switch, equations)));
    }
    solver.push();
    own.iter().flatten().for_each(|conjunct| solver.assert(store, *conjunct));
    let used = sufficient(store, solver, templates, &switches, budget);
    solver.pop();
    let Some(used) = used? else { return Ok(None) };
    let mut torn = Torn { parts: own, names: Vec::new(), used };
    for link in links.iter().filter(|link| torn.used.contains(&link.template)) {
        torn.names.push((link.name, link.meaning));
        for (part, equation) in link.sides {
            torn.parts[part].push(equation);
        }
    }
    Ok(Some(torn))
}

/// A new symbol for one part.
fn copy(store: &mut TermStore, symbol: Term) -> Term {
    let name = store.name(symbol).map_or_else(String::new, |name| name.to_string());
    store.fresh(&name, store.sort(symbol))
}

/// Templates that suffice for a contradiction with what is asserted. Each has a
/// switch and the formula that the switch turns its equations on.
fn sufficient(
    store: &TermStore,
    solver: &mut dyn Solver,
    templates: &[Template],
    switches: &[(Term, Term)],
    budget: &Budget,
) -> Result<Option<Vec<usize>>, Stop> {
    let mut order: Vec<usize> = (0..templates.len()).collect();
    order.sort_by_key(|template| templates[*template].rank);
    let mut known = 0;
    while known < order.len() {
        let rank = templates[order[known]].rank;
        while let Some(&template) = order.get(known)
            && templates[template].rank == rank
        {
            solver.assert(store, switches[template].1);
            known += 1;
        }
        let wanted: Vec<Term> = order[..known].iter().map(|t| switches[*t].0).collect();
        let Found::Core(core) = contradiction(store, solver, &wanted, budget)? else { continue };
        let mut used = order[..known].to_vec();
        used.retain(|template| core.contains(&switches[*template].0));
        let mut at = used.len();
        while at > 0 {
            at -= 1;
            let mut without = used.clone();
            without.remove(at);
            let wanted: Vec<Term> = without.iter().map(|t| switches[*t].0).collect();
            if let Found::Core(core) = contradiction(store, solver, &wanted, budget)? {
                used.retain(|t| core.contains(&switches[*t].0));
                at = at.min(used.len());
            }
        }
        used.sort_unstable();
        return Ok(Some(used));
    }
    Ok(None)
}
