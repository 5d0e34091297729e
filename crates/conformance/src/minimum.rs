//! A smallest set of predicates that excludes all infeasible paths so far.
//!
//! Which sets exclude a path is not listed but asked (`Excluded`). A set that
//! does not, made as large as possible, says that one of the remaining
//! predicates is needed. A smallest set that hits all such demands is found by
//! cardinality optimization with a SAT solver; if it excludes all paths it is a
//! smallest one altogether, because every set that excludes them meets all
//! demands. This is the pseudo-Boolean problem of the paper, built as needed.

use crate::abstraction::Abstractor;
use crate::excluded::Excluded;
use parallax_solver::Halt;
use parallax_term::Term;
use rustsat::encodings::card::{BoundUpper, Totalizer};
use rustsat::instances::{BasicVarManager, Cnf, ManageVars};
use rustsat::solvers::{Solve, SolveIncremental, SolverResult};
use rustsat::types::{Clause, Lit, TernaryVal, Var};
use rustsat_batsat::BasicSolver;
use std::collections::{BTreeMap, BTreeSet};

/// A smallest subset of `0..count` with an element in each of the demands;
/// `None` if a demand is empty.
///
/// Demands with one element are met first, elements that another one is as good
/// as are left out, and what falls apart is solved part by part; a SAT solver
/// with a cardinality bound decides the rest.
pub fn smallest(count: usize, demands: &[Vec<usize>]) -> Option<Vec<usize>> {
    if demands.iter().any(Vec::is_empty) {
        return None;
    }
    let mut open: Vec<BTreeSet<usize>> =
        demands.iter().map(|demand| demand.iter().copied().collect()).collect();
    let mut chosen = BTreeSet::new();
    loop {
        open.sort_by_key(BTreeSet::len);
        let mut kept: Vec<BTreeSet<usize>> = Vec::new();
        for demand in open {
            if !kept.iter().any(|smaller| smaller.is_subset(&demand)) {
                kept.push(demand);
            }
        }
        open = kept;
        let single: BTreeSet<usize> =
            open.iter().filter(|d| d.len() == 1).flatten().copied().collect();
        if !single.is_empty() {
            open.retain(|demand| demand.is_disjoint(&single));
            chosen.extend(single);
            continue;
        }
        // The demands that each element meets.
        let mut meets: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
        for (number, demand) in open.iter().enumerate() {
            for &element in demand {
                meets.entry(element).or_default().insert(number);
            }
        }
        let worse = meets.iter().find(|(element, mine)| {
            meets.iter().any(|(other, theirs)| {
                other != *element
                    && mine.is_subset(theirs)
                    && (mine.len() < theirs.len() || other < *element)
            })
        });
        let Some((&worse, _)) = worse else { break };
        for demand in &mut open {
            demand.remove(&worse);
        }
    }
    while let Some(first) = open.pop() {
        // All demands that are connected with this one.
        let (mut part, mut elements) = (vec![first.clone()], first);
        while let Some(place) = open.iter().position(|demand| !demand.is_disjoint(&elements)) {
            let demand = open.swap_remove(place);
            elements.extend(demand.iter().copied());
            part.push(demand);
        }
        let elements: Vec<usize> = elements.into_iter().collect();
        let number = |element: &usize| elements.binary_search(element).ok();
        let part: Vec<Vec<usize>> =
            part.iter().map(|demand| demand.iter().filter_map(number).collect()).collect();
        chosen.extend(hit(elements.len(), &part)?.into_iter().map(|index| elements[index]));
    }
    debug_assert!(chosen.iter().all(|&element| element < count));
    Some(chosen.into_iter().collect())
}

/// The same, by a SAT solver alone.
fn hit(count: usize, demands: &[Vec<usize>]) -> Option<Vec<usize>> {
    let literal = |index: usize| Lit::positive(index as u32);
    let mut solver = BasicSolver::default();
    for demand in demands {
        let clause: Clause = demand.iter().map(|&index| literal(index)).collect();
        solver.add_clause(clause).ok()?;
    }
    let mut sum: Totalizer = (0..count).map(literal).collect();
    let mut variables = BasicVarManager::from_next_free(Var::new(count as u32));
    let mut clauses = Cnf::new();
    sum.encode_ub(0..=count, &mut clauses, &mut variables).ok()?;
    debug_assert!(variables.n_used() as usize >= count);
    for clause in clauses {
        solver.add_clause(clause).ok()?;
    }
    // Demands that share nothing need an element each.
    let (mut least, mut used) = (0, BTreeSet::new());
    for demand in demands {
        if demand.iter().all(|element| !used.contains(element)) {
            used.extend(demand.iter().copied());
            least += 1;
        }
    }
    for size in least..=count {
        let bound = sum.enforce_ub(size).ok()?;
        if solver.solve_assumps(&bound).ok()? == SolverResult::Sat {
            let solution = solver.solution(Var::new(count as u32 - 1)).ok()?;
            let chosen =
                (0..count).filter(|&index| solution.lit_value(literal(index)) == TernaryVal::True);
            return Some(chosen.collect());
        }
    }
    None
}

/// The infeasible paths of one program and what may exclude them.
#[derive(Default)]
pub(crate) struct Infeasibles {
    paths: Vec<Excluded>,
    /// All predicates that were ever found.
    pub(crate) candidates: Vec<Term>,
    /// For a path, a set that does not exclude it and cannot grow.
    useless: Vec<(usize, Vec<bool>)>,
}

impl Infeasibles {
    /// Adds a path and its predicates.
    pub(crate) fn add(
        &mut self,
        owner: &mut Abstractor<'_>,
        path: Excluded,
        candidates: &[Term],
    ) -> Result<(), Halt> {
        let old = self.candidates.len();
        for &candidate in candidates {
            if !self.candidates.contains(&candidate) {
                self.candidates.push(candidate);
            }
        }
        self.paths.push(path);
        // A set that could not grow may grow by the new predicates.
        for index in 0..self.useless.len() {
            for candidate in old..self.candidates.len() {
                let (path, mut set) = self.useless[index].clone();
                set.resize(self.candidates.len(), false);
                set[candidate] = true;
                let chosen = self.chosen(&set);
                if self.paths[path].by(owner, &chosen)? {
                    set[candidate] = false;
                }
                self.useless[index].1 = set;
            }
        }
        Ok(())
    }

    fn chosen(&self, set: &[bool]) -> Vec<Term> {
        let all = self.candidates.iter().zip(set);
        all.filter(|(_, chosen)| **chosen).map(|(&term, _)| term).collect()
    }

    /// A smallest set of predicates that excludes all paths.
    pub(crate) fn minimum(&mut self, owner: &mut Abstractor<'_>) -> Result<Vec<Term>, Halt> {
        let count = self.candidates.len();
        loop {
            owner.budget.check()?;
            let demands: Vec<Vec<usize>> = self
                .useless
                .iter()
                .map(|(_, set)| {
                    (0..count).filter(|&i| !set.get(i).copied().unwrap_or(false)).collect()
                })
                .collect();
            let Some(chosen) = smallest(count, &demands) else {
                return Err(Halt::GaveUp("no set of predicates excludes all paths".into()));
            };
            let mut set = vec![false; count];
            chosen.iter().for_each(|&index| set[index] = true);
            let mut fine = true;
            for path in 0..self.paths.len() {
                let terms = self.chosen(&set);
                if self.paths[path].by(owner, &terms)? {
                    continue;
                }
                fine = false;
                let mut larger = set.clone();
                for candidate in 0..count {
                    if larger[candidate] {
                        continue;
                    }
                    larger[candidate] = true;
                    let terms = self.chosen(&larger);
                    if self.paths[path].by(owner, &terms)? {
                        larger[candidate] = false;
                    }
                }
                self.useless.push((path, larger));
            }
            if fine {
                return Ok(self.chosen(&set));
            }
        }
    }

    pub(crate) fn queries(&self) -> u64 {
        self.paths.iter().map(Excluded::queries).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The second example of the paper, corrected: the first path is excluded
    /// by R1, or by R2 and R3 together; the second by R2 or by R3. Written as
    /// demands: (R1 or R2) and (R1 or R3) and (R2 or R3).
    #[test]
    fn any_two_of_three() {
        let found = smallest(3, &[vec![0, 1], vec![0, 2], vec![1, 2]]).expect("there is one");
        assert_eq!(found.len(), 2);
    }

    #[test]
    fn one_predicate_for_two_paths_beats_two() {
        // A excludes both, B and C one each.
        assert_eq!(smallest(3, &[vec![0, 1], vec![0, 2]]), Some(vec![0]));
        assert_eq!(smallest(3, &[]), Some(vec![]));
        assert_eq!(smallest(3, &[vec![]]), None);
    }

    /// Never more than greedy, and right: compared with all subsets.
    #[test]
    fn smallest_sets_are_smallest() {
        let mut seed = 7u64;
        let mut random = |bound: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % bound
        };
        for _ in 0..400 {
            let count = 1 + random(9) as usize;
            let demands: Vec<Vec<usize>> = (0..random(14))
                .map(|_| {
                    let mut demand: Vec<usize> =
                        (0..1 + random(3)).map(|_| random(count as u64) as usize).collect();
                    demand.sort_unstable();
                    demand.dedup();
                    demand
                })
                .collect();
            let hits = |set: u32| demands.iter().all(|d| d.iter().any(|&i| set >> i & 1 == 1));
            let best = (0..1u32 << count).filter(|&set| hits(set)).map(u32::count_ones).min();
            let found = smallest(count, &demands).expect("there is one");
            assert_eq!(Some(found.len() as u32), best);
            assert!(hits(found.iter().fold(0, |set, &i| set | 1 << i)));
            let mut greedy = 0u32;
            while !hits(greedy) {
                let open = |i: &usize| {
                    let new =
                        |d: &&Vec<usize>| d.contains(i) && d.iter().all(|&j| greedy >> j & 1 == 0);
                    demands.iter().filter(new).count()
                };
                let next = (0..count).max_by_key(open).expect("one is left");
                greedy |= 1 << next;
            }
            assert!(found.len() as u32 <= greedy.count_ones());
        }
    }
}
