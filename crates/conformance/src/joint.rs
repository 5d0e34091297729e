//! Counterexamples with several paths: the specification has several answers,
//! and the program goes on in another way after each. They are one only if one
//! run begins them all.
//!
//! The paper asks this of the paths one by one, and so takes `a(); if (n) b();
//! else c();` for a program that can still do both after `a`. Here the paths
//! are one formula, whose common beginnings have common symbols. If it has no
//! solution, predicates are looked for along each path, with the others as
//! conditions at the places where they leave it.

use crate::abstraction::Abstractor;
use crate::path::{Infeasible, Unrolled, Values};
use crate::tree::Tree;
use parallax_solver::Halt;
use parallax_term::Term;
use std::collections::BTreeSet;

/// Whether one run begins all paths.
pub(crate) enum Together {
    Yes(Values),
    No(Infeasible),
}

impl Abstractor<'_> {
    /// Whether the paths of a tree, each of which can be taken, can be taken
    /// from one beginning.
    pub(crate) fn take_together(&mut self, tree: &Tree) -> Result<Together, Halt> {
        let unrolled = self.unroll(tree);
        let all: Vec<usize> = (0..unrolled.parts.len()).collect();
        self.solver.push();
        let found = self.hold(&unrolled, &all);
        let values = match found {
            Ok(true) => Some(self.values(&unrolled)),
            _ => None,
        };
        self.solver.pop();
        found?;
        if let Some(values) = values {
            return Ok(Together::Yes(values?));
        }
        let ends = self.contradicting(tree, &unrolled)?;
        let paths: Vec<Vec<usize>> = ends.iter().map(|&end| tree.path(end)).collect();
        let stem: Vec<usize> = match paths.split_first() {
            Some((first, others)) => {
                first.iter().copied().filter(|s| others.iter().all(|p| p.contains(s))).collect()
            }
            None => Vec::new(),
        };
        let (from_start, first) = self.needed(&unrolled, &paths, &stem)?;
        let kept: BTreeSet<usize> =
            paths.iter().flatten().copied().filter(|s| !stem[..first].contains(s)).collect();
        let kept: Vec<usize> = kept.into_iter().collect();
        let begin = first.checked_sub(1).map(|before| stem[before]);
        let mut candidates: BTreeSet<Term> = BTreeSet::new();
        for own in &paths {
            let own: Vec<usize> = own.iter().copied().filter(|s| kept.contains(s)).collect();
            let parts = self.along(tree, &unrolled, &own, &kept, begin, from_start);
            candidates.extend(self.candidates(&unrolled, &parts)?);
            candidates.extend(self.preimages(tree, &own));
        }
        if candidates.is_empty() {
            return Err(Halt::GaveUp("no predicate tells the paths apart".into()));
        }
        let candidates = candidates.into_iter().collect();
        Ok(Together::No(Infeasible { tree: tree.only(&kept), from_start, candidates }))
    }

    /// Asserts some parts, and says whether they have a solution.
    fn hold(&mut self, unrolled: &Unrolled, places: &[usize]) -> Result<bool, Halt> {
        for &place in places {
            self.solver.assert(&self.store, unrolled.parts[place]);
        }
        self.satisfiable()
    }

    /// Ends of paths that have no beginning in common, none of them for
    /// nothing.
    fn contradicting(
        &mut self,
        tree: &Tree,
        unrolled: &Unrolled,
    ) -> Result<Vec<Option<usize>>, Halt> {
        let mut ends = tree.ends.clone();
        let mut number = 0;
        while number < ends.len() {
            self.budget.check()?;
            let mut fewer = ends.clone();
            fewer.remove(number);
            let steps: BTreeSet<usize> = fewer.iter().flat_map(|&end| tree.path(end)).collect();
            let places: Vec<usize> =
                std::iter::once(0).chain(steps.iter().map(|s| s + 1)).collect();
            self.solver.push();
            let holds = self.hold(unrolled, &places);
            self.solver.pop();
            if holds? {
                number += 1;
            } else {
                ends = fewer;
            }
        }
        Ok(ends)
    }

    /// How much of what all paths have in common is needed for the
    /// contradiction: the initial condition or not, and from which step on.
    fn needed(
        &mut self,
        unrolled: &Unrolled,
        paths: &[Vec<usize>],
        stem: &[usize],
    ) -> Result<(bool, usize), Halt> {
        let own: BTreeSet<usize> =
            paths.iter().flatten().copied().filter(|s| !stem.contains(s)).collect();
        let places: Vec<usize> = own.into_iter().map(|step| step + 1).collect();
        self.solver.push();
        let mut holds = self.hold(unrolled, &places);
        let mut first = stem.len();
        while let (Ok(true), Some(before)) = (&holds, first.checked_sub(1)) {
            first = before;
            holds = self.hold(unrolled, &[stem[first] + 1]);
        }
        self.solver.pop();
        Ok((holds?, first))
    }

    /// The formulas along one path, each with the place it leads to. What leaves
    /// the path is a condition where it does.
    fn along(
        &mut self,
        tree: &Tree,
        unrolled: &Unrolled,
        own: &[usize],
        kept: &[usize],
        begin: Option<usize>,
        from_start: bool,
    ) -> Vec<(Term, usize)> {
        // The place of the path at which a step leaves it.
        let leaves = |step: usize| {
            let mut at = tree.steps[step].parent;
            while let Some(step) = at
                && kept.contains(&step)
                && !own.contains(&step)
            {
                at = tree.steps[step].parent;
            }
            Tree::place(at)
        };
        let others: Vec<(usize, usize)> = kept
            .iter()
            .filter(|step| !own.contains(step))
            .map(|&step| (leaves(step), step + 1))
            .collect();
        let start = Tree::place(begin);
        let first = if from_start { unrolled.parts[0] } else { self.store.bool(true) };
        let mut parts = vec![(first, start)];
        parts.extend(own.iter().map(|&step| (unrolled.parts[step + 1], step + 1)));
        for (part, place) in &mut parts {
            let here = others.iter().filter(|(at, _)| at == place);
            let conjuncts: Vec<Term> =
                std::iter::once(*part).chain(here.map(|&(_, p)| unrolled.parts[p])).collect();
            *part = self.store.and(conjuncts);
        }
        parts
    }

    /// What the conditions of a path ask of the places before them.
    fn preimages(&mut self, tree: &Tree, own: &[usize]) -> Vec<Term> {
        let mut all = BTreeSet::new();
        let mut wanted: BTreeSet<Term> = BTreeSet::new();
        for &step in own.iter().rev() {
            let edge = tree.steps[step].edge;
            let mut before = BTreeSet::new();
            for formula in wanted {
                let image = self.edges[edge].step.before(&mut self.store, formula);
                before.extend(self.store.atoms(image));
            }
            before.extend(self.store.atoms(self.edges[edge].step.condition));
            all.extend(before.iter().copied());
            wanted = before;
        }
        self.predicates(all)
    }
}
