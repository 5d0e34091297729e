//! Terms that fall: linear ranking functions from examples.
//!
//! After L. Gonnord, D. Monniaux, G. Radanne, *Synthesis of Ranking Functions
//! using Extremal Counterexamples*, PLDI 2015: steps are seen as examples only.
//! One solver chooses coefficients that suit all examples so far, another looks
//! for a step that the terms so chosen do not suit, which is the next example.
//! Deviations: coefficients are integers within bounds that grow, in place of
//! extremal examples, so that the exchange ends; and each node of the product has
//! a term of its own.

use super::Ended;
use parallax_base::Budget;
use parallax_evidence::Why;
use parallax_solver::{Answer, Model, Solver, SolverConfig};
use parallax_term::{Int, Rat, Sort, Substitution, Term, TermStore, Value};
use std::collections::BTreeMap;

/// How large coefficients may be, and how many examples are looked at, in turn.
const TRIES: [(i64, usize); 3] = [(1, 60), (10, 60), (1000, 60)];

/// A step between nodes, as a formula.
#[derive(Clone, Debug)]
pub(super) struct Link {
    pub(super) source: usize,
    pub(super) target: usize,
    /// What holds where it can be taken, over variables and inputs.
    pub(super) condition: Term,
    /// The values after it of the variables that change.
    pub(super) after: Vec<(Term, Term)>,
}

/// A term for each node that never grows along a link.
pub(super) struct Measure {
    pub(super) terms: BTreeMap<usize, Term>,
    /// By link: whether the term is at least 0 before it and falls by 1.
    pub(super) falls: Vec<bool>,
}

/// What the search may use.
pub(super) struct Bench<'a> {
    pub(super) store: &'a mut TermStore,
    pub(super) solver: &'a SolverConfig,
    pub(super) budget: &'a Budget,
    pub(super) queries: &'a mut u64,
}

/// A measure of the links that falls along at least one; `None` if none was
/// found.
pub(super) fn measure(
    bench: &mut Bench<'_>,
    variables: &[Term],
    links: &[Link],
) -> Result<Option<Measure>, Ended> {
    for (bound, examples) in TRIES {
        if let Some(found) = within(bench, variables, links, bound, examples)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// The coefficients of a node: of each variable, and the constant.
type Row = Vec<Term>;

fn within(
    bench: &mut Bench<'_>,
    variables: &[Term],
    links: &[Link],
    bound: i64,
    examples: usize,
) -> Result<Option<Measure>, Ended> {
    let open = || bench.solver.open().map_err(|e| Ended(Why::SolverGaveUp(e.to_string())));
    let (mut chooser, mut critic) = (open()?, open()?);
    let mut rows: BTreeMap<usize, Row> = BTreeMap::new();
    for node in links.iter().flat_map(|l| [l.source, l.target]) {
        if rows.contains_key(&node) {
            continue;
        }
        let row: Row = (0..=variables.len()).map(|_| bench.store.fresh("c", Sort::Int)).collect();
        for &coefficient in &row[..variables.len()] {
            let (low, high) = (bench.store.int(-bound), bench.store.int(bound));
            let low = bench.store.le(low, coefficient);
            let high = bench.store.le(coefficient, high);
            let range = bench.store.and([low, high]);
            chooser.assert(bench.store, range);
        }
        rows.insert(node, row);
    }
    let strict: Vec<Term> = links.iter().map(|_| bench.store.fresh("falls", Sort::Bool)).collect();
    let some = bench.store.or(strict.iter().copied());
    chooser.assert(bench.store, some);
    let symbols: Vec<Term> = rows.values().flatten().chain(&strict).copied().collect();
    for _ in 0..examples {
        let Some(choice) = choose(bench, &mut *chooser, &strict, &symbols)? else {
            return Ok(None);
        };
        let terms = chosen(bench.store, &rows, variables, &choice);
        let mut lessons = Vec::new();
        let mut falls = vec![false; links.len()];
        let mut grows = false;
        for (i, link) in links.iter().enumerate() {
            let [kept, down] = claims(bench.store, link, &terms);
            let mut example = refuted(bench, &mut *critic, variables, link, kept)?;
            grows |= example.is_some();
            if example.is_none() {
                let found = refuted(bench, &mut *critic, variables, link, down)?;
                falls[i] = found.is_none();
                let claimed = choice.value_of(bench.store, strict[i]) == Value::Bool(true);
                example = found.filter(|_| claimed);
            }
            if let Some(example) = example {
                lessons.push(lesson(bench.store, &rows, link, strict[i], &example));
            }
        }
        if !grows && falls.contains(&true) {
            return Ok(Some(Measure { terms, falls }));
        }
        for lesson in lessons {
            chooser.assert(bench.store, lesson);
        }
    }
    Ok(None)
}

/// Coefficients that suit all examples, for terms that fall along as many links
/// as can be had for little.
fn choose(
    bench: &mut Bench<'_>,
    chooser: &mut dyn Solver,
    strict: &[Term],
    symbols: &[Term],
) -> Result<Option<Model>, Ended> {
    for assumptions in [strict, &[]] {
        *bench.queries += 1;
        if chooser.check(bench.store, assumptions, bench.budget)? == Answer::Sat {
            return Ok(chooser.model(bench.store, symbols));
        }
    }
    Ok(None)
}

/// The terms that coefficients stand for.
fn chosen(
    store: &mut TermStore,
    rows: &BTreeMap<usize, Row>,
    variables: &[Term],
    choice: &Model,
) -> BTreeMap<usize, Term> {
    let mut terms = BTreeMap::new();
    for (&node, row) in rows {
        let mut sum = store.int(0);
        for (i, &coefficient) in row.iter().enumerate() {
            let coefficient = choice.value_of(store, coefficient);
            let coefficient = store.constant(coefficient);
            let part = match variables.get(i) {
                Some(&variable) => store.mul(coefficient, variable),
                None => coefficient,
            };
            sum = store.add(sum, part);
        }
        terms.insert(node, sum);
    }
    terms
}

/// That the terms do not grow along a link; and that they are at least 0 before
/// it and fall by 1.
fn claims(store: &mut TermStore, link: &Link, terms: &BTreeMap<usize, Term>) -> [Term; 2] {
    let (before, later) = (terms[&link.source], terms[&link.target]);
    let later = Substitution::new(link.after.iter().copied()).apply(store, later);
    let (zero, one) = (store.int(0), store.int(1));
    let (kept, bounded) = (store.le(later, before), store.le(zero, before));
    let less = store.add(later, one);
    let falls = store.le(less, before);
    [kept, store.and([bounded, falls])]
}

/// A step along a link, as the values before and after it.
struct Example {
    before: Vec<Int>,
    after: Vec<Int>,
}

/// A step along the link for which the claim is wrong; none if there is none.
fn refuted(
    bench: &mut Bench<'_>,
    critic: &mut dyn Solver,
    variables: &[Term],
    link: &Link,
    claim: Term,
) -> Result<Option<Example>, Ended> {
    let wrong = bench.store.not(claim);
    let wrong = bench.store.and([link.condition, wrong]);
    if bench.store.is_false(wrong) {
        return Ok(None);
    }
    *bench.queries += 1;
    critic.push();
    critic.assert(bench.store, wrong);
    let answer = critic.check(bench.store, &[], bench.budget);
    let model = match answer {
        Ok(Answer::Sat) => critic.model(bench.store, &bench.store.vars(wrong)),
        _ => None,
    };
    critic.pop();
    match answer? {
        Answer::Unsat => return Ok(None),
        Answer::Unknown(why) => return Err(Ended(Why::SolverGaveUp(why))),
        Answer::Sat => {}
    }
    let Some(model) = model else {
        return Err(Ended(Why::SolverGaveUp("a step has no rational values".into())));
    };
    let mut substitution = Substitution::new(link.after.iter().copied());
    let after: Vec<Term> = variables.iter().map(|&v| substitution.apply(bench.store, v)).collect();
    let ints = |terms: &[Term]| -> Vec<Int> {
        let values = model.eval_all(bench.store, terms);
        let int = |value| if let Value::Int(i) = value { i } else { Int::from_i128(0) };
        values.into_iter().map(int).collect()
    };
    Ok(Some(Example { before: ints(variables), after: ints(&after) }))
}

/// What an example says of the coefficients.
fn lesson(
    store: &mut TermStore,
    rows: &BTreeMap<usize, Row>,
    link: &Link,
    strict: Term,
    example: &Example,
) -> Term {
    let before = value(store, &rows[&link.source], &example.before);
    let later = value(store, &rows[&link.target], &example.after);
    let (zero, one) = (store.int(0), store.int(1));
    let kept = store.le(later, before);
    let (bounded, less) = (store.le(zero, before), store.add(later, one));
    let falls = store.le(less, before);
    let falls = store.and([bounded, falls]);
    let falls = store.implies(strict, falls);
    store.and([kept, falls])
}

/// What coefficients give for values of the variables.
fn value(store: &mut TermStore, row: &Row, values: &[Int]) -> Term {
    let mut sum = row[values.len()];
    for (&coefficient, value) in row.iter().zip(values) {
        let part = store.scale(&Rat::from(value.clone()), coefficient);
        sum = store.add(sum, part);
    }
    sum
}
