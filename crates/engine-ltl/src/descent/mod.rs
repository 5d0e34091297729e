//! `rank`: formulas of linear temporal logic on states that cannot be listed.
//!
//! The program is joined with what runs against the formula owe (`product.rs`);
//! invariants of the product bound its states; and component by component terms
//! are looked for that fall along steps (`measure.rs`), until in what is left of
//! each component every step puts one until off. That is the proof, a `Descent`.
//! Where no term is found, runs of the product that close to a cycle are looked for
//! (`lasso.rs`).
//!
//! After Z. Manna, A. Pnueli, *Completing the Temporal Picture*, TCS 1991, and
//! B. Cook, A. Gotsman, A. Podelski, A. Rybalchenko, M. Vardi, *Proving That
//! Programs Eventually Do Something Good*, POPL 2007; with one lexicographic
//! measure in place of transition invariants.

mod lasso;
mod measure;
mod product;
mod recurrence;

use self::lasso::closing_run;
use self::measure::{Bench, Link, measure};
use self::product::Product;
use parallax_base::{Event, Stop, components};
use parallax_engine::{Engine, Question, Resources};
use parallax_evidence::{
    Certificate, Descent, DescentNode, Finding, Outcome, Region, Statistics, Why,
};
use parallax_invariant::{Analysis, Family, Options, invariants};
use parallax_ir::{Program, PropertyKind, Temporal};
use parallax_ltl::Sub;
use parallax_solver::Answer;
use parallax_solver::Halt;
use parallax_term::{Sort, Term};

const NAME: &str = "rank";

/// No measure has more terms that fall.
const LONGEST: usize = 12;

/// The engine `rank`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Rank;

/// Why there is no answer.
pub(crate) struct Ended(Why);

impl From<Stop> for Ended {
    fn from(stop: Stop) -> Ended {
        Ended(stop.into())
    }
}

impl From<Why> for Ended {
    fn from(why: Why) -> Ended {
        Ended(why)
    }
}

impl Engine for Rank {
    fn name(&self) -> &'static str {
        NAME
    }

    fn summary(&self) -> &'static str {
        "linear temporal logic on infinitely many states: invariants and terms that fall"
    }

    fn is_endless(&self) -> bool {
        true
    }

    fn answers(&self, kind: PropertyKind) -> bool {
        kind == PropertyKind::Ltl
    }

    /// What holds at all times is an invariant, for engines that refine.
    fn suits(&self, question: Question<'_>) -> bool {
        let always = |t: &Temporal| t.always(&mut question.program.store.clone()).is_some();
        question.property().temporal.as_deref().is_some_and(|t| !always(t))
    }

    fn run(&self, question: Question<'_>, resources: Resources<'_>) -> Outcome {
        let mut statistics = Statistics::default();
        let finding = match &question.property().temporal {
            Some(temporal) => look(question.program, temporal, resources, &mut statistics)
                .unwrap_or_else(|Ended(why)| Finding::Unknown(why)),
            None => Finding::Unknown(Why::Unsupported {
                construct: "a question about states".into(),
                place: Some(question.property().span),
                hint: "another --engine".into(),
            }),
        };
        let (history, abstraction, graph) = (Vec::new(), None, None);
        Outcome { engine: NAME, finding, statistics, history, abstraction, graph }
    }
}

fn look(
    program: &Program,
    temporal: &Temporal,
    resources: Resources<'_>,
    statistics: &mut Statistics,
) -> Result<Finding, Ended> {
    resources.budget.notice(Event::Phase("product"));
    let mut product = Product::explore(program, temporal, resources.budget)?;
    statistics.abstract_states = product.nodes.len() as u64;
    resources.budget.notice(Event::Phase("invariants"));
    let mut proof = Proof::new(program, &mut product, resources, statistics)?;
    resources.budget.notice(Event::Phase("measures"));
    if proof.descend(statistics, resources)? {
        let descent = proof.descent(&product);
        return Ok(Finding::Proved(Box::new(Certificate::Descent(descent))));
    }
    resources.budget.notice(Event::Phase("cycles"));
    match closing_run(program, &mut product, &proof.regions, resources, statistics)? {
        Some(trace) => Ok(Finding::Reached(Box::new(trace))),
        None => Err(Ended(Why::NoProgress(
            "neither terms that fall along all runs nor a run that goes on in one way for ever was found"
                .into(),
        ))),
    }
}

/// A proof in the making.
struct Proof {
    store: parallax_term::TermStore,
    /// What holds at each node; `None` where no run comes.
    regions: Vec<Option<Term>>,
    /// Steps that may be taken, with what they put off.
    links: Vec<(Link, Vec<Sub>)>,
    /// Variables that measures speak of.
    variables: Vec<Term>,
    measures: Vec<Vec<Term>>,
    /// What a node puts off for ever; its component is left as it is then.
    blamed: Vec<Option<Sub>>,
}

impl Proof {
    fn new(
        program: &Program,
        product: &mut Product,
        resources: Resources<'_>,
        statistics: &mut Statistics,
    ) -> Result<Proof, Ended> {
        let joined = product.program(program);
        let family = Family::Auto;
        let options = Options { analysis: Analysis::Symbolic, family, ..Options::default() };
        let found = invariants(&joined, &options, resources.solver, resources.budget);
        let found = found.map_err(|halt| match halt {
            Halt::Stop(stop) => Ended(stop.into()),
            other => Ended(Why::NoProgress(other.to_string())),
        })?;
        statistics.solver_queries += found.queries;
        let mut store = found.store;
        let mut regions = vec![None; product.nodes.len()];
        for invariant in &found.at {
            let formula = store.and([invariant.formula, found.domains]);
            let node = usize::try_from(invariant.place[0]).unwrap_or(usize::MAX);
            if !store.is_false(formula)
                && let Some(region) = regions.get_mut(node)
            {
                *region = Some(formula);
            }
        }
        let mut links = Vec::new();
        let mut solver = resources.solver.open().map_err(|e| Why::SolverGaveUp(e.to_string()))?;
        for arrow in &product.arrows {
            let (Some(region), Some(_)) = (regions[arrow.source], regions[arrow.target]) else {
                continue;
            };
            let condition = store.and([region, arrow.condition]);
            solver.push();
            solver.assert(&store, condition);
            let answer = solver.check(&store, &[], resources.budget);
            solver.pop();
            statistics.solver_queries += 1;
            if answer? == Answer::Unsat {
                continue;
            }
            let after = arrow.updates.iter().map(|u| (program.variables[u.variable].term, u.value));
            let (source, target, after) = (arrow.source, arrow.target, after.collect());
            links.push((Link { source, target, condition, after }, arrow.postponed.clone()));
        }
        let numbers = program.variables.iter_enumerated().filter(|(id, variable)| {
            variable.domain.sort() == Sort::Int && !product.tracked.contains(id)
        });
        let variables = numbers.map(|(_, v)| v.term).collect();
        let count = product.nodes.len();
        let (measures, blamed) = (vec![Vec::new(); count], vec![None; count]);
        Ok(Proof { store, regions, links, variables, measures, blamed })
    }

    /// Looks for terms until every component that is left waits; `false` if
    /// nothing falls in one that does not.
    fn descend(
        &mut self,
        statistics: &mut Statistics,
        resources: Resources<'_>,
    ) -> Result<bool, Ended> {
        let mut left: Vec<usize> = (0..self.links.len()).collect();
        for _ in 0..LONGEST {
            let number = self.components(&left);
            let mut inside: Vec<Vec<usize>> =
                vec![Vec::new(); number.iter().max().map_or(0, |n| n + 1)];
            for &link in &left {
                let Link { source, target, .. } = self.links[link].0;
                if number[source] == number[target] {
                    inside[number[source]].push(link);
                }
            }
            let zero = self.store.int(0);
            for (node, measure) in self.measures.iter_mut().enumerate() {
                let number = if self.blamed[node].is_some() { 0 } else { number[node] };
                measure.push(self.store.int(number as i64));
            }
            left.clear();
            let mut terms = vec![zero; self.measures.len()];
            for links in inside.iter().filter(|links| !links.is_empty()) {
                if self.waits(links) {
                    continue;
                }
                let steps: Vec<Link> = links.iter().map(|&l| self.links[l].0.clone()).collect();
                let queries = &mut statistics.solver_queries;
                let (solver, budget) = (resources.solver, resources.budget);
                let mut bench = Bench { store: &mut self.store, solver, budget, queries };
                let Some(found) = measure(&mut bench, &self.variables, &steps)? else {
                    return Ok(false);
                };
                statistics.iterations += 1;
                for (node, term) in found.terms {
                    terms[node] = term;
                }
                for (&link, stays) in links.iter().zip(found.left) {
                    let condition = self.links[link].0.condition;
                    let condition = self.store.and([condition, stays]);
                    if self.is_possible(condition, statistics, resources)? {
                        self.links[link].0.condition = condition;
                        left.push(link);
                    }
                }
            }
            for (measure, term) in self.measures.iter_mut().zip(terms) {
                measure.push(term);
            }
            if left.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether a condition can be satisfied, as far as the solver knows.
    fn is_possible(
        &self,
        condition: Term,
        statistics: &mut Statistics,
        resources: Resources<'_>,
    ) -> Result<bool, Ended> {
        if self.store.is_false(condition) {
            return Ok(false);
        }
        let mut solver = resources.solver.open().map_err(|e| Why::SolverGaveUp(e.to_string()))?;
        statistics.solver_queries += 1;
        solver.assert(&self.store, condition);
        Ok(solver.check(&self.store, &[], resources.budget)? != Answer::Unsat)
    }

    /// Whether every link of a component puts the same until off. It is blamed.
    fn waits(&mut self, links: &[usize]) -> bool {
        let mut common = self.links[links[0]].1.clone();
        for &link in links {
            common.retain(|until| self.links[link].1.contains(until));
        }
        let Some(&until) = common.first() else { return false };
        for &link in links {
            self.blamed[self.links[link].0.source] = Some(until);
        }
        true
    }

    /// The strongly connected components of the nodes under some links, numbered
    /// so that no link leads to a larger number.
    fn components(&self, links: &[usize]) -> Vec<usize> {
        let mut successors = vec![Vec::new(); self.regions.len()];
        for &link in links {
            let Link { source, target, .. } = self.links[link].0;
            successors[source].push(target);
        }
        components(successors.len(), |node, nth| successors[node].get(nth).copied())
    }

    fn descent(self, product: &Product) -> Descent {
        let numbers = |set: &Vec<Sub>| set.iter().map(|f| f.index() as u32).collect();
        let node = |(i, region): (usize, &Option<Term>)| {
            let spot = &product.nodes[i];
            let fixed = product.tracked.iter().copied().zip(spot.values.iter().cloned());
            let fixed = fixed.collect();
            Some(DescentNode {
                obligations: spot.set as u32,
                region: Region { fixed, formula: (*region)? },
                measure: self.measures[i].clone(),
                blamed: self.blamed[i].map(|until| until.index() as u32),
            })
        };
        let nodes = self.regions.iter().enumerate().filter_map(node).collect();
        let obligations = product.sets.iter().map(numbers).collect();
        Descent { store: self.store, obligations, nodes }
    }
}
