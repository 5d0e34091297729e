//! Implications, asked of the solver as late as possible.
//!
//! The question is always whether a satisfiable set of literals implies a
//! goal. In this order: the goal is among the literals; a recorded reason (an
//! unsat core) for this goal is contained in the literals; the same question,
//! reduced to the literals connected to the goal, was answered before; the
//! solver. Cores survive refinement: a larger cube contains the same reasons.

use parallax_base::{Budget, Stop};
use parallax_solver::{Answer, Solver};
use parallax_term::{Term, TermStore};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Answers implications and remembers the answers.
pub struct Oracle {
    solver: Box<dyn Solver>,
    answers: FxHashMap<(Term, Box<[Term]>), bool>,
    cores: FxHashMap<Term, Vec<Box<[Term]>>>,
    symbols: FxHashMap<Term, Rc<[Term]>>,
    hits: u64,
}

impl Oracle {
    /// An oracle that asks the given solver, which must have nothing asserted.
    pub fn new(solver: Box<dyn Solver>) -> Oracle {
        Oracle {
            solver,
            answers: FxHashMap::default(),
            cores: FxHashMap::default(),
            symbols: FxHashMap::default(),
            hits: 0,
        }
    }

    /// The solver, for questions that are no implications. Whoever pushes pops.
    pub fn solver(&mut self) -> &mut dyn Solver {
        &mut *self.solver
    }

    /// Questions answered without the solver.
    pub fn hits(&self) -> u64 {
        self.hits
    }

    /// Whether the literals imply the goal. `Ok(None)` if the solver gave up.
    pub fn implies(
        &mut self,
        store: &mut TermStore,
        literals: &[Term],
        goal: Term,
        budget: &Budget,
    ) -> Result<Option<bool>, Stop> {
        budget.check()?;
        if store.is_true(goal) || literals.binary_search(&goal).is_ok() {
            return Ok(Some(true));
        }
        let negation = store.not(goal);
        if store.is_false(goal) || literals.binary_search(&negation).is_ok() {
            // The literals are satisfiable, so they cannot imply both.
            return Ok(Some(false));
        }
        let contained = |core: &[Term]| core.iter().all(|l| literals.binary_search(l).is_ok());
        if self.cores.get(&goal).is_some_and(|cores| cores.iter().any(|core| contained(core))) {
            self.hits += 1;
            return Ok(Some(true));
        }
        let relevant = self.connected(store, literals, goal);
        let key = (goal, relevant);
        if let Some(&answer) = self.answers.get(&key) {
            self.hits += 1;
            return Ok(Some(answer));
        }
        self.solver.push();
        self.solver.assert(store, negation);
        let answer = self.solver.check(store, &key.1, budget);
        let core = match &answer {
            Ok(Answer::Unsat) => self.solver.core(),
            _ => None,
        };
        self.solver.pop();
        match answer? {
            Answer::Unsat => {
                if let Some(mut core) = core {
                    core.sort_unstable();
                    self.cores.entry(goal).or_default().push(core.into());
                }
                self.answers.insert(key, true);
                Ok(Some(true))
            }
            Answer::Sat => {
                self.answers.insert(key, false);
                Ok(Some(false))
            }
            Answer::Unknown(_) => Ok(None),
        }
    }

    /// The literals that share symbols with the goal, directly or through
    /// other literals. The rest is satisfiable on its own and cannot matter.
    fn connected(&mut self, store: &TermStore, literals: &[Term], goal: Term) -> Box<[Term]> {
        let mut reached: FxHashSet<Term> = self.symbols_of(store, goal).iter().copied().collect();
        let mut open: Vec<(Term, Rc<[Term]>)> =
            literals.iter().map(|&l| (l, self.symbols_of(store, l))).collect();
        let mut taken = Vec::new();
        loop {
            let before = open.len();
            open.retain(|(literal, symbols)| {
                let touches = symbols.iter().any(|s| reached.contains(s));
                if touches {
                    reached.extend(symbols.iter().copied());
                    taken.push(*literal);
                }
                !touches
            });
            if open.len() == before {
                taken.sort_unstable();
                return taken.into();
            }
        }
    }

    fn symbols_of(&mut self, store: &TermStore, term: Term) -> Rc<[Term]> {
        self.symbols.entry(term).or_insert_with(|| store.vars(term).into()).clone()
    }
}
