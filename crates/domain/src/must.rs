//! Must steps: can *every* state of one abstract state step into another?
//!
//! `a -t-> b` is exact iff `a => pre(b, t)` (Albarghouthi 2010, chapter 3).
//! Literals of `b` whose precondition mentions no input are asked one by one,
//! so that only the failing ones become predicates; those with inputs stand
//! under one existential quantifier, which is eliminated.

use crate::cube::Cube;
use crate::post::{Context, Post, Residual};
use parallax_base::Stop;
use parallax_term::{Term, Value};

impl Post {
    /// The conditions that keep `source -rule-> target` from being exact;
    /// none if it is. `None` if the rule cannot lead to the target at all.
    pub fn must(
        &mut self,
        cx: &mut Context,
        source: &Cube,
        from: &mut Residual,
        rule: usize,
        target: &Cube,
    ) -> Result<Option<Vec<Term>>, Stop> {
        if !self.starts_at(rule, source) {
            return Ok(None);
        }
        let inputs = self.rules()[rule].step.input_symbols();
        let mut goals = vec![self.guard(cx, from, rule)];
        for update in self.rules()[rule].step.updates.clone() {
            let slot = update.variable.index();
            if let Ok(index) = self.partition().explicit.binary_search(&slot) {
                let value = from.explicit.apply(cx.store, update.value);
                let wanted = cx.store.constant(target.explicit[index].clone());
                goals.push(cx.store.eq(value, wanted));
            }
        }
        for (index, &atom) in cx.predicates.atoms().iter().enumerate() {
            let before = self.precondition(cx.store, rule, atom);
            let before = from.explicit.apply(cx.store, before);
            let wanted = target.bits.get(index);
            goals.push(if wanted { before } else { cx.store.not(before) });
        }
        if goals.iter().any(|&g| cx.store.is_false(g)) {
            return Ok(None);
        }
        let bounds = from.explicit.apply(cx.store, self.rules()[rule].input_bounds);
        let free = |cx: &Context, t: Term| cx.store.vars(t).iter().any(|v| inputs.contains(v));
        let (mut failing, mut existential) = (Vec::new(), Vec::new());
        for goal in goals {
            if free(cx, goal) {
                existential.push(goal);
            } else if cx.oracle.implies(cx.store, &from.literals, goal, cx.budget)? != Some(true) {
                failing.push(goal);
            }
        }
        if !existential.is_empty() || self.rules()[rule].constrained {
            existential.push(bounds);
            let formula = cx.store.and(existential);
            let solver = cx.oracle.solver();
            match solver.eliminate(cx.store, formula, &inputs, cx.budget)? {
                Some(before) => {
                    let implied = cx.oracle.implies(cx.store, &from.literals, before, cx.budget)?;
                    if implied != Some(true) {
                        failing.push(before);
                    }
                }
                // Not known to be exact, and no atom to make it so.
                None => failing.push(cx.store.constant(Value::Bool(false))),
            }
        }
        Ok(Some(failing))
    }
}
