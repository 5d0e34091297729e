//! Post by symbolic abstraction: everything between two places is one formula.
//!
//! Where the solver gives up, what is hard on it is left out of the formula.

use crate::Halt;
use crate::domains::Domains;
use crate::fixpoint::Post;
use crate::form::Forms;
use crate::template::Templates;
use parallax_base::Budget;
use parallax_optimize::{Abstract, Ascent, Effort};
use parallax_solver::{SolverConfig, SolverStats};
use parallax_term::{Node, Sort, Substitution, Term, TermStore};

/// With more steps than this, solvers are not kept from one question to the
/// next.
const KEPT: usize = 300;

/// Best abstract transformers.
pub(crate) struct Symbolic<'f, 'a> {
    forms: &'f mut Forms<'a>,
    templates: &'f Templates,
    facts: Term,
    ascents: Vec<Option<Ascent>>,
    /// Steps whose hard parts are left out, because the solver gave up on them.
    is_soft: Vec<bool>,
    solver: &'f SolverConfig,
    past: SolverStats,
}

impl<'f, 'a> Symbolic<'f, 'a> {
    pub(crate) fn new(
        forms: &'f mut Forms<'a>,
        templates: &'f Templates,
        domains: &Domains,
        solver: &'f SolverConfig,
    ) -> Symbolic<'f, 'a> {
        let facts = domains.formula(forms.program, &mut forms.store);
        let ascents = forms.steps.iter().map(|_| None).collect();
        let is_soft = vec![false; forms.steps.len()];
        let past = SolverStats::default();
        Symbolic { forms, templates, facts, ascents, is_soft, solver, past }
    }

    /// The formula of a step, and the templates after it.
    fn block(&mut self, step: usize) -> (Term, Vec<Term>) {
        let form = self.forms.steps[step].clone();
        let target = self.forms.control.steps[step].target;
        let goals = &self.templates.at[target];
        let is_soft = self.is_soft[step];
        let mut equations = vec![self.facts];
        let conditions = match self.forms.store.node(form.condition) {
            Node::And(items) => items.to_vec(),
            _ => vec![form.condition],
        };
        let keep = |&c: &Term| !is_soft || !is_hard(&self.forms.store, c);
        equations.extend(conditions.into_iter().filter(keep));
        let mut after = Vec::new();
        for &(variable, value) in &form.updates {
            let symbol = self.forms.symbol(variable);
            let store = &mut self.forms.store;
            if !store.sort(symbol).is_number() {
                continue;
            }
            let is_plain = store
                .linear(value)
                .monomials()
                .iter()
                .all(|(t, _)| matches!(store.node(*t), Node::Var(..)));
            if is_plain {
                after.push((symbol, value));
            } else {
                let sort = store.sort(symbol);
                let prime = store.fresh("after", sort);
                if !is_soft || !is_hard(store, value) {
                    equations.push(store.eq(prime, value));
                }
                after.push((symbol, prime));
            }
        }
        let store = &mut self.forms.store;
        let mut after = Substitution::new(after);
        let goals: Vec<Term> = goals.iter().map(|&g| after.apply(store, g)).collect();
        let block = store.and(equations);
        (block, goals)
    }

    fn ascent(&mut self, step: usize) -> Result<Ascent, Halt> {
        let (block, goals) = self.block(step);
        Ok(Ascent::new(&self.forms.store, block, &goals, self.solver)?)
    }
}

impl Post for Symbolic<'_, '_> {
    fn start(&mut self, budget: &Budget) -> Result<Abstract, Halt> {
        let goals = &self.templates.at[0];
        let mut ascent = Ascent::new(&self.forms.store, self.forms.initial, goals, self.solver)?;
        let all = Abstract::Within(Vec::new());
        Ok(ascent.above((&all, &[]), &Abstract::Bottom, None, Effort::Exact, budget)?)
    }

    fn post(
        &mut self,
        step: usize,
        from: &Abstract,
        floor: &Abstract,
        effort: Effort,
        budget: &Budget,
    ) -> Result<Abstract, Halt> {
        budget.check()?;
        let mut ascent = match self.ascents[step].take() {
            Some(ascent) => ascent,
            None => self.ascent(step)?,
        };
        let source = &self.templates.at[self.forms.control.steps[step].source];
        let mut value = ascent.above((from, source), floor, None, effort, budget)?;
        if ascent.gave_up() && !self.is_soft[step] {
            self.past.add(&ascent.statistics());
            self.is_soft[step] = true;
            ascent = self.ascent(step)?;
            let source = &self.templates.at[self.forms.control.steps[step].source];
            value = ascent.above((from, source), floor, None, effort, budget)?;
        }
        if self.ascents.len() <= KEPT {
            self.ascents[step] = Some(ascent);
        } else {
            self.past.add(&ascent.statistics());
        }
        Ok(value)
    }

    fn rising(
        &mut self,
        step: usize,
        nth: usize,
        from: &Abstract,
        budget: &Budget,
    ) -> Result<Option<Abstract>, Halt> {
        let (block, goals) = self.block(step);
        let at = self.forms.control.steps[step];
        let before = self.templates.at[at.target][nth];
        let store = &mut self.forms.store;
        let rises = store.gt(goals[nth], before);
        let block = store.and([block, rises]);
        if store.is_false(block) {
            return Ok(Some(Abstract::Bottom));
        }
        let mut ascent = Ascent::new(store, block, &goals[nth..=nth], self.solver)?;
        let source = &self.templates.at[at.source];
        let value = ascent.above((from, source), &Abstract::Bottom, None, Effort::Exact, budget)?;
        self.past.add(&ascent.statistics());
        Ok((!ascent.gave_up()).then_some(value))
    }

    fn queries(&self) -> u64 {
        let kept = self.ascents.iter().flatten().map(|a| a.statistics().queries);
        self.past.queries + kept.sum::<u64>()
    }
}

/// Whether a term is hard on the solver: it works on bits or multiplies. A step
/// without such parts allows more, so what is found without them holds.
fn is_hard(store: &TermStore, term: Term) -> bool {
    store.subterms(&[term]).into_iter().any(|t| match store.node(t) {
        Node::Product(_) => true,
        Node::Div(_, by) | Node::Mod(_, by) => store.int_value(*by).is_none(),
        _ => matches!(store.sort(t), Sort::Bv(_) | Sort::Float(_)),
    })
}
