//! Blocks: what happens between two places, as one formula.

use crate::domains::Domains;
use crate::form::Forms;
use parallax_domain::Assignment;
use parallax_term::{Node, Sort, Substitution, Term, TermStore};

/// The formulas of all steps.
pub(crate) struct Blocks<'f, 'a> {
    pub(crate) forms: &'f mut Forms<'a>,
    /// What holds everywhere.
    domains: Term,
    /// What is known to hold, by place; it is closed under all steps.
    known: Vec<Term>,
}

impl<'f, 'a> Blocks<'f, 'a> {
    /// # Soundness
    /// What is known must be closed under all steps, together with the domains.
    pub(crate) fn new(
        forms: &'f mut Forms<'a>,
        domains: &Domains,
        known: Vec<Term>,
    ) -> Blocks<'f, 'a> {
        let domains = domains.formula(forms.program, &mut forms.store);
        Blocks { forms, domains, known }
    }

    /// The formula of a step, and some terms over the variables as they are
    /// after it. What is hard on a solver is left out of a soft one, so it
    /// allows more.
    pub(crate) fn of(&mut self, step: usize, goals: &[Term], is_soft: bool) -> (Term, Vec<Term>) {
        let form = self.forms.steps[step].clone();
        let source = self.forms.control.steps[step].source;
        let store = &mut self.forms.store;
        let mut equations = vec![self.domains, self.known[source]];
        let conditions = match store.node(form.condition) {
            Node::And(items) => items.to_vec(),
            _ => vec![form.condition],
        };
        let keep = |&c: &Term| !is_soft || !is_hard(store, c);
        equations.extend(conditions.into_iter().filter(keep));
        let mut after = Vec::new();
        let mut read = store.subterms(goals);
        read.retain(|&t| matches!(store.node(t), Node::Var(..)));
        for &Assignment { symbol, value, .. } in &form.updates {
            if read.binary_search(&symbol).is_err() {
                continue;
            }
            let sort = store.sort(symbol);
            let is_plain = sort.is_number()
                && store
                    .linear(value)
                    .monomials()
                    .iter()
                    .all(|(t, _)| matches!(store.node(*t), Node::Var(..)));
            if is_plain {
                after.push((symbol, value));
            } else {
                let prime = store.fresh("after", sort);
                if !is_soft || !is_hard(store, value) {
                    equations.push(store.eq(prime, value));
                }
                after.push((symbol, prime));
            }
        }
        let mut after = Substitution::new(after);
        let goals: Vec<Term> = goals.iter().map(|&g| after.apply(store, g)).collect();
        (store.and(equations), goals)
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
