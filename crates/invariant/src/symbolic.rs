//! Post by symbolic abstraction: everything between two places is one formula.
//!
//! Where the solver gives up, what is hard on it is left out of the formula.

use crate::block::Blocks;
use crate::fixpoint::Post;
use crate::template::Templates;
use parallax_base::Budget;
use parallax_optimize::{Abstract, Ascent, Effort};
use parallax_solver::Halt;
use parallax_solver::{SolverConfig, SolverStats};
use parallax_term::Term;

/// With more steps than this, solvers are not kept from one question to the
/// next.
const KEPT: usize = 300;

/// Best abstract transformers.
pub(crate) struct Symbolic<'f, 'a> {
    blocks: Blocks<'f, 'a>,
    templates: &'f Templates,
    ascents: Vec<Option<Ascent>>,
    /// Steps whose hard parts are left out, because the solver gave up on them.
    is_soft: Vec<bool>,
    solver: &'f SolverConfig,
    past: SolverStats,
}

impl<'f, 'a> Symbolic<'f, 'a> {
    pub(crate) fn new(
        blocks: Blocks<'f, 'a>,
        templates: &'f Templates,
        solver: &'f SolverConfig,
    ) -> Symbolic<'f, 'a> {
        let steps = blocks.forms.steps.len();
        let ascents = (0..steps).map(|_| None).collect();
        let past = SolverStats::default();
        Symbolic { blocks, templates, ascents, is_soft: vec![false; steps], solver, past }
    }

    /// The formula of a step, and the templates after it.
    fn block(&mut self, step: usize) -> (Term, Vec<Term>) {
        let target = self.blocks.forms.control.steps[step].target;
        self.blocks.of(step, &self.templates.at[target], self.is_soft[step])
    }

    fn ascent(&mut self, step: usize) -> Result<Ascent, Halt> {
        let (block, goals) = self.block(step);
        Ok(Ascent::new(&self.blocks.forms.store, block, &goals, self.solver)?)
    }
}

impl Post for Symbolic<'_, '_> {
    fn start(&mut self, budget: &Budget) -> Result<Abstract, Halt> {
        let goals = &self.templates.at[0];
        let forms = &self.blocks.forms;
        let mut ascent = Ascent::new(&forms.store, forms.initial, goals, self.solver)?;
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
        let source = &self.templates.at[self.blocks.forms.control.steps[step].source];
        let mut value = ascent.above((from, source), floor, None, effort, budget)?;
        if ascent.gave_up() && !self.is_soft[step] {
            self.past.add(&ascent.statistics());
            self.is_soft[step] = true;
            ascent = self.ascent(step)?;
            let source = &self.templates.at[self.blocks.forms.control.steps[step].source];
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
        let at = self.blocks.forms.control.steps[step];
        let before = self.templates.at[at.target][nth];
        let store = &mut self.blocks.forms.store;
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
