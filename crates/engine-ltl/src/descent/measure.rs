//! Terms that fall: linear ranking functions from examples.
//!
//! After L. Gonnord, D. Monniaux, G. Radanne, *Synthesis of Ranking Functions
//! using Extremal Counterexamples*, PLDI 2015: steps are seen as examples only.
//! One solver chooses coefficients that suit all examples so far, another looks
//! for a step that the terms so chosen do not suit, which is the next example.
//! Deviations: coefficients are integers within bounds that grow; an example is
//! extremal as far as a few more questions tell; and each node of the product has a
//! term of its own. As there, a term falls along some of the steps of a link and
//! stays as it is along others, which are left for the next term.

use super::Ended;
use parallax_base::Budget;
use parallax_evidence::Why;
use parallax_solver::{Answer, Model, Solver, SolverConfig};
use parallax_term::{Int, Rat, Sort, Substitution, Term, TermStore, Value};
use std::collections::BTreeMap;

/// How large coefficients may be, in turn, and how often they are chosen.
const BOUNDS: [i64; 3] = [1, 10, 1000];
const ROUNDS: usize = 60;

/// How large constants may be. A variable that grows for ever falls below every
/// constant, and only an example beyond the largest one says so.
const LARGEST: i64 = 1_000_000_000_000_000;

/// How many questions may make an example extremal.
const QUESTIONS: usize = 60;

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
    pub(super) terms: Terms,
    /// By link: where the term is not at least 0 before it or does not fall by 1.
    pub(super) left: Vec<Term>,
}

/// What the search may use.
pub(super) struct Bench<'a> {
    pub(super) store: &'a mut TermStore,
    pub(super) solver: &'a SolverConfig,
    pub(super) budget: &'a Budget,
    pub(super) queries: &'a mut u64,
}

/// A term for each node.
type Terms = BTreeMap<usize, Term>;

/// A measure of the links that falls along some of their steps; `None` if none
/// was found.
pub(super) fn measure(
    bench: &mut Bench<'_>,
    variables: &[Term],
    links: &[Link],
) -> Result<Option<Measure>, Ended> {
    for bound in BOUNDS {
        if let Some(found) = Search::new(bench, variables, links, bound)?.run(bench)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// A step along a link, as the values before and after it.
struct Example {
    link: usize,
    before: Vec<Int>,
    after: Vec<Int>,
    /// That the term falls along it.
    falls: Term,
}

struct Search<'a> {
    variables: &'a [Term],
    links: &'a [Link],
    /// The coefficients of each node: of each variable, and the constant.
    rows: BTreeMap<usize, Vec<Term>>,
    chooser: Box<dyn Solver>,
    critic: Box<dyn Solver>,
    examples: Vec<Example>,
}

impl<'a> Search<'a> {
    fn new(
        bench: &mut Bench<'_>,
        variables: &'a [Term],
        links: &'a [Link],
        bound: i64,
    ) -> Result<Search<'a>, Ended> {
        let open = || bench.solver.open().map_err(|e| Ended(Why::SolverGaveUp(e.to_string())));
        let (mut chooser, critic) = (open()?, open()?);
        let mut rows = BTreeMap::new();
        for node in links.iter().flat_map(|l| [l.source, l.target]) {
            if rows.contains_key(&node) {
                continue;
            }
            let row: Vec<Term> =
                (0..=variables.len()).map(|_| bench.store.fresh("c", Sort::Int)).collect();
            let (low, high) = (bench.store.int(-bound), bench.store.int(bound));
            let (least, most) = (bench.store.int(-LARGEST), bench.store.int(LARGEST));
            for (i, &coefficient) in row.iter().enumerate() {
                let is_constant = i == variables.len();
                let (low, high) = if is_constant { (least, most) } else { (low, high) };
                let low = bench.store.le(low, coefficient);
                let high = bench.store.le(coefficient, high);
                let range = bench.store.and([low, high]);
                chooser.assert(bench.store, range);
            }
            rows.insert(node, row);
        }
        Ok(Search { variables, links, rows, chooser, critic, examples: Vec::new() })
    }

    /// Examples and choices in turn, until no term falls along more examples.
    fn run(&mut self, bench: &mut Bench<'_>) -> Result<Option<Measure>, Ended> {
        let links = self.links;
        for (i, link) in links.iter().enumerate() {
            let nothing = bench.store.bool(false);
            self.refuted(bench, i, link, nothing, &[])?;
        }
        let mut best: Option<(usize, Measure)> = None;
        for _ in 0..ROUNDS {
            let Some((count, terms)) = self.choose(bench)? else { break };
            if best.as_ref().is_some_and(|(known, _)| count <= *known) {
                break;
            }
            let mut grows = false;
            for (i, link) in links.iter().enumerate() {
                let Claims { kept, fall, .. } = claims(bench.store, link, &terms);
                grows |= self.refuted(bench, i, link, kept, &[fall])?;
            }
            if grows {
                continue;
            }
            let mut left = Vec::new();
            let mut is_left = false;
            for (i, link) in links.iter().enumerate() {
                let Claims { down, before, fall, .. } = claims(bench.store, link, &terms);
                is_left |= self.refuted(bench, i, link, down, &[before, fall])?;
                left.push(bench.store.not(down));
            }
            best = Some((count, Measure { terms, left }));
            if !is_left {
                break;
            }
        }
        Ok(best.map(|(_, measure)| measure))
    }

    /// Terms that grow along no example and fall along as many as are added one
    /// by one, with that number; `None` if they fall along none.
    fn choose(&mut self, bench: &mut Bench<'_>) -> Result<Option<(usize, Terms)>, Ended> {
        let symbols: Vec<Term> = self.rows.values().flatten().copied().collect();
        let mut falls: Vec<Term> = Vec::new();
        let mut choice = None;
        // All at once, which is often possible, else one by one.
        let all: Vec<Term> = self.examples.iter().map(|example| example.falls).collect();
        *bench.queries += 1;
        if self.chooser.check(bench.store, &all, bench.budget)? == Answer::Sat {
            choice = self.chooser.model(bench.store, &symbols);
            falls = all;
        } else {
            for example in &self.examples {
                falls.push(example.falls);
                *bench.queries += 1;
                match self.chooser.check(bench.store, &falls, bench.budget)? {
                    Answer::Sat => choice = self.chooser.model(bench.store, &symbols),
                    Answer::Unsat | Answer::Unknown(_) => drop(falls.pop()),
                }
            }
        }
        let Some(choice) = choice.filter(|_| !falls.is_empty()) else { return Ok(None) };
        Ok(Some((falls.len(), self.terms(bench.store, &choice))))
    }

    /// The terms that coefficients stand for.
    fn terms(&self, store: &mut TermStore, choice: &Model) -> Terms {
        let mut terms = BTreeMap::new();
        for (&node, row) in &self.rows {
            let mut sum = store.int(0);
            for (i, &coefficient) in row.iter().enumerate() {
                let coefficient = choice.value_of(store, coefficient);
                let coefficient = store.constant(coefficient);
                let part = match self.variables.get(i) {
                    Some(&variable) => store.mul(coefficient, variable),
                    None => coefficient,
                };
                sum = store.add(sum, part);
            }
            terms.insert(node, sum);
        }
        terms
    }

    /// Whether there is a step along the link for which the claim is wrong. It
    /// becomes an example: one for which the first of the terms that are negative
    /// is small.
    fn refuted(
        &mut self,
        bench: &mut Bench<'_>,
        number: usize,
        link: &Link,
        claim: Term,
        smaller: &[Term],
    ) -> Result<bool, Ended> {
        let wrong = bench.store.not(claim);
        let wrong = bench.store.and([link.condition, wrong]);
        if bench.store.is_false(wrong) {
            return Ok(false);
        }
        let mut substitution = Substitution::new(link.after.iter().copied());
        let after: Vec<Term> =
            self.variables.iter().map(|&v| substitution.apply(bench.store, v)).collect();
        let mut symbols = bench.store.vars(wrong);
        symbols.extend(after.iter().flat_map(|&t| bench.store.vars(t)));
        *bench.queries += 1;
        self.critic.push();
        self.critic.assert(bench.store, wrong);
        let model = match self.critic.check(bench.store, &[], bench.budget)? {
            Answer::Unsat => None,
            Answer::Unknown(why) => return Err(Ended(Why::SolverGaveUp(why))),
            Answer::Sat => {
                let model = self.critic.model(bench.store, &symbols);
                let none = || Ended(Why::SolverGaveUp("a step has no rational values".into()));
                Some(self.extremal(bench, model.ok_or_else(none)?, &symbols, smaller)?)
            }
        };
        self.critic.pop();
        let Some(model) = model else { return Ok(false) };
        let ints = |terms: &[Term]| -> Vec<Int> {
            let values = model.eval_all(bench.store, terms);
            let int = |value| if let Value::Int(i) = value { i } else { Int::from_i128(0) };
            values.into_iter().map(int).collect()
        };
        let (before, after) = (ints(self.variables), ints(&after));
        let falls = bench.store.fresh("falls", Sort::Bool);
        let example = Example { link: number, before, after, falls };
        let lesson = self.lesson(bench.store, &example);
        self.chooser.assert(bench.store, lesson);
        self.examples.push(example);
        Ok(true)
    }

    /// A model of what the critic has asserted for which the first of the terms
    /// that are negative is about as small as it can be.
    fn extremal(
        &mut self,
        bench: &mut Bench<'_>,
        mut model: Model,
        symbols: &[Term],
        terms: &[Term],
    ) -> Result<Model, Ended> {
        let value = |store: &TermStore, model: &Model, term| match model.eval(store, term) {
            Value::Int(value) => value.to_i64(),
            _ => None,
        };
        let negative = |&term: &Term| value(bench.store, &model, term).is_some_and(|v| v < 0);
        let Some(term) = terms.iter().copied().find(negative) else { return Ok(model) };
        let (mut step, mut grows) = (1i64, true);
        for _ in 0..QUESTIONS {
            let least = value(bench.store, &model, term).and_then(|v| v.checked_sub(step));
            let Some(least) = least.filter(|_| step > 0) else { break };
            let bound = bench.store.int(least);
            let below = bench.store.le(term, bound);
            *bench.queries += 1;
            let answer = self.critic.check(bench.store, &[below], bench.budget)?;
            match (answer, self.critic.model(bench.store, symbols)) {
                (Answer::Sat, Some(smaller)) => model = smaller,
                _ => grows = false,
            }
            step = if grows { step.saturating_mul(4) } else { step / 2 };
        }
        Ok(model)
    }

    /// What an example says of the coefficients.
    fn lesson(&self, store: &mut TermStore, example: &Example) -> Term {
        let link = &self.links[example.link];
        let before = value(store, &self.rows[&link.source], &example.before);
        let later = value(store, &self.rows[&link.target], &example.after);
        let Claims { kept, down, .. } = compared(store, before, later);
        let falls = store.implies(example.falls, down);
        store.and([kept, falls])
    }
}

/// What can be said of a term before and after a step.
struct Claims {
    /// It does not grow.
    kept: Term,
    /// It is at least 0 before and falls by 1.
    down: Term,
    before: Term,
    /// By how much it falls.
    fall: Term,
}

fn claims(store: &mut TermStore, link: &Link, terms: &Terms) -> Claims {
    let (before, later) = (terms[&link.source], terms[&link.target]);
    let later = Substitution::new(link.after.iter().copied()).apply(store, later);
    compared(store, before, later)
}

fn compared(store: &mut TermStore, before: Term, later: Term) -> Claims {
    let (zero, one) = (store.int(0), store.int(1));
    let (kept, bounded) = (store.le(later, before), store.le(zero, before));
    let less = store.add(later, one);
    let falls = store.le(less, before);
    let (down, fall) = (store.and([bounded, falls]), store.sub(before, later));
    Claims { kept, down, before, fall }
}

/// What coefficients give for values of the variables.
fn value(store: &mut TermStore, row: &[Term], values: &[Int]) -> Term {
    let mut sum = row[values.len()];
    for (&coefficient, value) in row.iter().zip(values) {
        let part = store.scale(&Rat::from(value.clone()), coefficient);
        sum = store.add(sum, part);
    }
    sum
}
