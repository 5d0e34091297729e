//! Formulas of linear temporal logic: regions of states, and terms that fall.
//!
//! See `parallax_evidence::Descent` for what is claimed, and for why no run can
//! break the formula if it is so. Node by node, and letter by letter (which atoms
//! of the formula hold), every step and every successor of the obligations is
//! taken; that it leads to no node as claimed is refuted by the solver. A state
//! in which no step is possible is followed by itself. Whether one is possible is not
//! always decided without a search for inputs (`ir/idle.rs`); where it is not, both is
//! assumed, which adds runs and loses none.

use crate::cover::region_formula;
use crate::refute::refute;
use crate::{Accepted, Rejected};
use parallax_base::{Budget, Id};
use parallax_evidence::{Descent, DescentNode};
use parallax_ir::{Idle, Program, Temporal, Transition};
use parallax_ltl::{Progression, Sub};
use parallax_solver::Solver;
use parallax_term::{Sort, Substitution, Term, TermStore};

/// More atoms that a region leaves open are refused: their letters are listed.
const OPEN_ATOMS: usize = 8;

/// Accepts the descent if it shows that every run satisfies the formula.
pub(crate) fn check(
    program: &Program,
    temporal: &Temporal,
    descent: &Descent,
    solver: &mut dyn Solver,
    budget: &Budget,
) -> Result<Accepted, Rejected> {
    let progression = Progression::new(&temporal.formula, true);
    let sets = well_formed(program, descent, &progression)?;
    let before = solver.statistics().queries;
    let mut store = descent.store.clone();
    let transitions = program.transitions(&mut store);
    let atoms = &temporal.atoms;
    let mut checker =
        Checker { program, descent, sets, atoms, store, transitions, progression, solver, budget };
    checker.initial()?;
    for node in &descent.nodes {
        checker.node(node)?;
    }
    let queries = checker.solver.statistics().queries - before;
    Ok(Accepted { queries, ..Accepted::default() })
}

/// Everything speaks about this program and this formula. The sets of
/// obligations as parts of the formula.
fn well_formed(
    program: &Program,
    descent: &Descent,
    progression: &Progression,
) -> Result<Vec<Vec<Sub>>, Rejected> {
    let malformed = |what: &str| Err(Rejected::Malformed(what.into()));
    let is_part = |part: &u32| progression.has_part(*part as usize);
    if !descent.obligations.iter().flatten().all(is_part) {
        return malformed("an obligation is no part of the formula");
    }
    let store = &descent.store;
    let width = descent.nodes.first().map_or(0, |node| node.measure.len());
    for node in &descent.nodes {
        let variable = |t: Term| program.variables.iter().any(|d| d.term == t);
        let known = |t: Term| store.vars(t).into_iter().all(variable);
        let fixes = |(v, value): &(Id<_>, parallax_term::Value)| {
            program.variables.get(*v).is_some_and(|d| value.sort() == d.domain.sort())
        };
        let formula = node.region.formula;
        if !node.region.fixed.iter().all(fixes)
            || store.sort(formula) != Sort::Bool
            || !known(formula)
        {
            return malformed("a region is no formula over the program's variables");
        }
        let is_measure = |t: &Term| store.sort(*t) == Sort::Int && known(*t);
        if node.measure.len() != width || !node.measure.iter().all(is_measure) {
            return malformed("a measure is no list of integer terms, as long as the others");
        }
        if node.obligations as usize >= descent.obligations.len()
            || !node.blamed.iter().all(is_part)
        {
            return malformed("a node owes or blames what is no part of the formula");
        }
    }
    let parts = |set: &Vec<u32>| set.iter().map(|part| Id::new(*part as usize)).collect();
    Ok(descent.obligations.iter().map(parts).collect())
}

struct Checker<'a> {
    program: &'a Program,
    descent: &'a Descent,
    /// The sets of obligations, as the descent lists them.
    sets: Vec<Vec<Sub>>,
    atoms: &'a [Term],
    store: TermStore,
    transitions: Vec<Transition>,
    progression: Progression,
    solver: &'a mut dyn Solver,
    budget: &'a Budget,
}

impl Checker<'_> {
    fn refute(
        &mut self,
        formulas: &[Term],
        failed: impl FnOnce() -> Rejected,
    ) -> Result<(), Rejected> {
        refute(&mut self.store, self.solver, self.budget, formulas, failed)
    }

    /// The nodes that owe exactly this.
    fn owing(&self, obligations: &[Sub]) -> Vec<&DescentNode> {
        let owes = |n: &&DescentNode| self.sets[n.obligations as usize] == obligations;
        self.descent.nodes.iter().filter(owes).collect()
    }

    fn initial(&mut self) -> Result<(), Rejected> {
        let init = self.program.initial_formula(&mut self.store);
        let begin = self.progression.initial();
        let regions: Vec<_> = self.owing(&begin).iter().map(|n| &n.region).cloned().collect();
        let regions: Vec<Term> =
            regions.iter().map(|r| region_formula(&mut self.store, self.program, r)).collect();
        let listed = self.store.or(regions);
        let outside = self.store.not(listed);
        self.refute(&[init, outside], || Rejected::Initial("some are not covered".into()))
    }

    /// Whatever comes after a state of a node is as claimed.
    fn node(&mut self, node: &DescentNode) -> Result<(), Rejected> {
        let mut values: Vec<Term> = self.program.variables.iter().map(|v| v.term).collect();
        for (variable, value) in &node.region.fixed {
            values[variable.index()] = self.store.constant(value.clone());
        }
        let symbols = self.program.variables.iter().map(|v| v.term);
        let mut at = Substitution::new(symbols.zip(values.iter().copied()));
        let here = at.apply(&mut self.store, node.region.formula);
        let atoms: Vec<Term> = self.atoms.iter().map(|&a| at.apply(&mut self.store, a)).collect();
        for (letter, holds) in self.letters(&atoms)? {
            let here = self.store.and([here, holds]);
            if self.store.is_false(here) {
                continue;
            }
            let obligations = self.sets[node.obligations as usize].clone();
            let ways = self.progression.successors(&obligations, letter, self.budget)?;
            for way in ways {
                self.steps(node, &values, &mut at, here, (&way.obligations, &way.postponed))?;
            }
        }
        Ok(())
    }

    /// All letters that the atoms may form, each with the condition that they do.
    fn letters(&mut self, atoms: &[Term]) -> Result<Vec<(u64, Term)>, Rejected> {
        let mut found = vec![(0, self.store.bool(true))];
        let mut open = 0;
        for (i, &atom) in atoms.iter().enumerate() {
            if self.store.is_false(atom) {
                continue;
            }
            let otherwise = self.store.not(atom);
            let mut longer = Vec::new();
            for (letter, condition) in found {
                longer.push((letter | 1 << i, self.store.and([condition, atom])));
                if !self.store.is_true(atom) {
                    longer.push((letter, self.store.and([condition, otherwise])));
                }
            }
            open += usize::from(!self.store.is_true(atom));
            if open > OPEN_ATOMS {
                return Err(Rejected::Malformed("too many atoms are open in one region".into()));
            }
            found = longer;
        }
        Ok(found)
    }

    /// Every step from `here`, a part of a node, leads to a node that owes what
    /// is given, and descends or waits.
    fn steps(
        &mut self,
        node: &DescentNode,
        values: &[Term],
        at: &mut Substitution,
        here: Term,
        way: (&[Sub], &[Sub]),
    ) -> Result<(), Rejected> {
        let mut idle = Idle::default();
        for index in 0..self.transitions.len() {
            let transition = self.transitions[index].clone();
            let guard = at.apply(&mut self.store, transition.guard);
            if self.store.is_false(guard) {
                continue;
            }
            let bounds = transition.input_bounds(&mut self.store);
            let bounds = at.apply(&mut self.store, bounds);
            let mut next = values.to_vec();
            for update in &transition.updates {
                next[update.variable.index()] = at.apply(&mut self.store, update.value);
            }
            idle.add(&mut self.store, &transition, at);
            let good = self.claimed(node, at, &next, way);
            let bad = self.store.not(good);
            let name = &transition.name;
            self.refute(&[here, guard, bounds, bad], || {
                Rejected::Step(format!("`{name}` neither descends nor waits"))
            })?;
        }
        let good = self.claimed(node, at, values, way);
        let bad = self.store.not(good);
        let idle = idle.condition(&mut self.store);
        self.refute(&[here, idle, bad], || {
            Rejected::Step("a run that has ended does not wait".into())
        })
    }

    /// That a state leads to the next one as claimed.
    fn claimed(
        &mut self,
        node: &DescentNode,
        at: &mut Substitution,
        next: &[Term],
        (obligations, postponed): (&[Sub], &[Sub]),
    ) -> Term {
        let symbols = self.program.variables.iter().map(|v| v.term);
        let mut after = Substitution::new(symbols.zip(next.iter().copied()));
        let mut ways = Vec::new();
        let owing: Vec<DescentNode> = self.owing(obligations).into_iter().cloned().collect();
        for target in &owing {
            let inside = region_formula(&mut self.store, self.program, &target.region);
            let inside = after.apply(&mut self.store, inside);
            if self.store.is_false(inside) {
                continue;
            }
            let blamed = node.blamed.filter(|_| node.blamed == target.blamed);
            let waits = blamed.is_some_and(|part| postponed.contains(&Id::new(part as usize)));
            let falls = self.falls(node, at, target, &mut after, waits);
            ways.push(self.store.and([inside, falls]));
        }
        self.store.or(ways)
    }

    /// That the measure falls from one node to another, or does not grow if the
    /// step `waits`.
    fn falls(
        &mut self,
        node: &DescentNode,
        at: &mut Substitution,
        target: &DescentNode,
        after: &mut Substitution,
        waits: bool,
    ) -> Term {
        let store = &mut self.store;
        let (zero, one) = (store.int(0), store.int(1));
        let mut ways = Vec::new();
        let mut kept = store.bool(true);
        for (&before, &later) in node.measure.iter().zip(&target.measure) {
            let (before, later) = (at.apply(store, before), after.apply(store, later));
            let (bounded, less) = (store.le(zero, before), store.add(later, one));
            let less = store.le(less, before);
            ways.push(store.and([kept, bounded, less]));
            let never_grows = store.le(later, before);
            kept = store.and([kept, never_grows]);
        }
        if waits {
            ways.push(kept);
        }
        store.or(ways)
    }
}
