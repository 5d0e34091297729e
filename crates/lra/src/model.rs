//! What of the formula a model needs, and why a polyhedron is empty.

use crate::Lra;
use crate::build::Gate;
use parallax_base::{Budget, Stop};
use parallax_search::Lit;
use parallax_search::NO_STEP;
use parallax_simplex::{Feasibility, Side, Simplex, Var};
use parallax_term::{Rat, Relation};

impl Lra {
    /// The literals of atoms that make the formula and the goals true, found
    /// by going down from the top: all parts of a conjunction, one true part
    /// of a disjunction.
    pub(crate) fn needed(&mut self, goals: &[Lit]) -> Vec<Lit> {
        self.mark += 1;
        let mark = self.mark;
        self.marks.resize(2 * self.search.vars(), 0);
        let mut needed = Vec::new();
        let mut stack: Vec<Lit> = goals.to_vec();
        for at in (0..self.tops.len()).rev() {
            let (from, to) = self.tops[at];
            stack.extend(self.pick(from, to, mark));
        }
        while let Some(lit) = stack.pop() {
            if std::mem::replace(&mut self.marks[lit.index()], mark) == mark {
                continue;
            }
            match self.gates[lit.index()] {
                Gate::Plain if self.search.theory.speaks[lit.index()] => needed.push(lit),
                Gate::Plain => {}
                Gate::All(from, to) => {
                    stack.extend_from_slice(&self.children[from as usize..to as usize]);
                }
                Gate::Any(from, to) => stack.extend(self.pick(from, to, mark)),
                Gate::Same(a, b) => match self.search.is_true(a) {
                    true => stack.extend([a, b]),
                    false => stack.extend([!a, !b]),
                },
            }
        }
        needed
    }

    /// A true literal of a list: one that is needed anyway, else one that
    /// restricts nothing, else the first.
    fn pick(&self, from: u32, to: u32, mark: u32) -> Option<Lit> {
        let list = &self.children[from as usize..to as usize];
        let mut best: Option<(u8, Lit)> = None;
        for &lit in list.iter().filter(|&&l| self.search.is_true(l)) {
            let cost = match self.gates[lit.index()] {
                _ if self.marks[lit.index()] == mark => 0,
                Gate::Plain if self.search.theory.speaks[lit.index()] => 2,
                Gate::Plain => 1,
                _ => 3,
            };
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, lit));
            }
        }
        best.map(|(_, lit)| lit)
    }

    /// Some of the literals that contradict each other, negated, and the step
    /// of the proof.
    pub(crate) fn explain_leaf(
        &mut self,
        needed: &[Lit],
        budget: &Budget,
    ) -> Result<(Vec<Lit>, u32), Stop> {
        let mut simplex = self.explainer.take().unwrap_or_default();
        // Columns and variables of the simplex go side by side.
        for column in simplex.len()..self.forms.len() {
            match &self.forms[column] {
                None => simplex.var(),
                Some(parts) => {
                    let sum: Vec<_> = parts
                        .iter()
                        .map(|(c, factor)| (Var::at(*c as usize), factor.to_rat()))
                        .collect();
                    simplex.form(&sum)
                }
            };
        }
        simplex.push();
        for &lit in needed {
            self.bound(&mut simplex, lit);
        }
        let answer = simplex.check(budget);
        simplex.pop();
        self.explainer = Some(simplex);
        let (mut conflict, step): (Vec<Lit>, u32) = match answer? {
            Feasibility::Infeasible(shares) => {
                let shares: Vec<(Lit, Side, Rat)> = shares
                    .into_iter()
                    .map(|s| (Lit::from_index(s.tag as usize), s.side, s.factor))
                    .collect();
                let step = self.search.theory.leaf_lemma(&shares);
                (shares.iter().map(|(lit, ..)| !*lit).collect(), step)
            }
            // The polyhedron was found to be empty; all of it is a reason.
            Feasibility::Feasible => (needed.iter().map(|&l| !l).collect(), NO_STEP),
        };
        conflict.sort_unstable();
        conflict.dedup();
        Ok((conflict, step))
    }

    fn bound(&self, simplex: &mut Simplex, lit: Lit) {
        let Some(atom) = &self.search.theory.atoms[lit.var()] else { return };
        let (var, tag) = (Var::at(atom.column as usize), lit.index() as u32);
        let value = atom.value.to_rat();
        let mut say = |side, strict| simplex.assert(var, side, &value, strict, tag);
        match (atom.relation, lit.is_positive()) {
            (Relation::Le, true) => say(Side::Upper, false),
            (Relation::Le, false) => say(Side::Lower, true),
            (Relation::Lt, true) => say(Side::Upper, true),
            (Relation::Lt, false) => say(Side::Lower, false),
            (Relation::Eq, true) => {
                say(Side::Upper, false);
                say(Side::Lower, false);
            }
            (Relation::Eq, false) => {}
        }
    }
}
