//! Layer 4: a solver for linear real arithmetic that knows its polyhedra.
//!
//! Conflict-driven search over the literals of a formula, with bounds carried
//! along rows and the simplex at the leaves. It differs from other solvers in
//! what it hands out: at a model, the part of the formula that the model needs
//! is a polyhedron of models, and [`Leaf`] tells how far any linear term
//! reaches in it. So one model answers for many terms at once, and the search
//! is asked only to leave that polyhedron.
//!
//! ```
//! use parallax_base::Budget;
//! use parallax_lra::{Lra, Reach};
//! use parallax_term::{Rat, Sort, TermStore};
//!
//! let mut store = TermStore::new();
//! let x = store.var("x", Sort::Real);
//! let text = "(or (<= x 1.0) (and (>= x 2.0) (< x 3.0)))";
//! let formula = store.read_smtlib_term(text, &|_| Some(x))?;
//! let mut solver = Lra::new(&store, formula)?;
//! let objective = solver.objective(&store, x)?;
//! let budget = Budget::unlimited();
//! let mut best: Option<Reach> = None;
//! // Ask for more until there is no more.
//! loop {
//!     let more = best.as_ref().and_then(|b| solver.beyond(&objective, b));
//!     let Some(mut leaf) = solver.solve(more, &budget)? else { break };
//!     best = Some(leaf.reach(&objective, &budget)?);
//! }
//! assert_eq!(best, Some(Reach::Bounded { value: Rat::from(3), attained: false }));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Deviations from the usual: bounds are propagated over rows as written, not
//! over the tableau; the simplex sees only what a model needs; an atom that
//! occurs without negation says nothing when it is false.

mod build;
mod classes;
mod exchange;
mod leaf;
mod meaning;
mod model;
mod proof;
mod theory;
mod write;

pub use leaf::{Leaf, Reach, Witness};
pub use parallax_search::Lit;
pub use write::Refuted;

use build::{Gate, Sum};
use meaning::Meaning;
use parallax_base::{Budget, Stop};
use parallax_search::{Round, Search};
use parallax_simplex::{Num, Simplex};
use parallax_term::{Linear, Node, Rat, Relation, Sort, Term, TermStore};
use rustc_hash::FxHashMap;
use theory::Atom;

/// A term that is not linear real arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Unsupported(pub Term);

impl std::fmt::Display for Unsupported {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a term is not linear arithmetic over the reals")
    }
}

impl std::error::Error for Unsupported {}

/// Columns with their factors.
type Parts = Box<[(u32, Num)]>;

/// A term to maximize.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Objective {
    pub(crate) sum: Sum,
}

impl Objective {
    /// The same term with the opposite sign.
    #[must_use]
    pub fn negated(&self) -> Objective {
        let parts = self.sum.parts.iter().map(|(column, c)| (*column, c.neg())).collect();
        Objective { sum: Sum { parts, constant: self.sum.constant.neg() } }
    }
}

/// Counts of the work done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Effort {
    /// Choices of a literal.
    pub decisions: u64,
    /// Conflicts.
    pub conflicts: u64,
    /// Restarts.
    pub restarts: u64,
    /// Polyhedra that were looked at.
    pub leaves: u64,
    /// Those among them that the simplex found empty.
    pub empty_leaves: u64,
}

/// A formula and the search for its models.
#[derive(Clone, Debug)]
pub struct Lra {
    search: Search<Meaning>,
    leaves: u64,
    empty_leaves: u64,
    /// The literal that is always true.
    truth: Lit,
    /// What literals stand for, by literal.
    gates: Vec<Gate>,
    /// Lists of literals that gates and `tops` refer to.
    children: Vec<Lit>,
    /// The outermost disjunctions.
    tops: Vec<(u32, u32)>,
    /// The columns of symbols and conditional numbers.
    columns: FxHashMap<Term, u32>,
    /// Truth-valued symbols, by increasing term.
    bools: Vec<(Term, Lit)>,
    /// What a column that is a form stands for.
    forms: Vec<Option<Parts>>,
    /// The terms of columns that are no forms.
    column_terms: Vec<Option<Term>>,
    /// The formulas of variables that are no atoms.
    terms: Vec<Option<Term>>,
    sums: FxHashMap<Vec<(u32, Num)>, u32>,
    atoms: FxHashMap<Atom, Lit>,
    /// All columns and forms, made when a leaf turns out to be empty.
    explainer: Option<Simplex>,
    marks: Vec<u32>,
    mark: u32,
}

impl Lra {
    /// Without a formula.
    fn empty() -> Lra {
        let mut search = Search::new(Meaning::default());
        let truth = Lit::new(search.add_var(), true);
        search.theory.add_var(None);
        // That it is true needs no proof: its name says it.
        let step = search.theory.proof.derived(&[truth], &[]);
        search.add_clause(&[truth], step);
        Lra {
            search,
            leaves: 0,
            empty_leaves: 0,
            truth,
            gates: vec![Gate::Plain; 2],
            children: Vec::new(),
            tops: Vec::new(),
            columns: FxHashMap::default(),
            bools: Vec::new(),
            forms: Vec::new(),
            column_terms: Vec::new(),
            terms: Vec::new(),
            sums: FxHashMap::default(),
            atoms: FxHashMap::default(),
            explainer: None,
            marks: Vec::new(),
            mark: 0,
        }
    }
}

impl Lra {
    /// A linear term of the same store, as something to maximize. Make all
    /// objectives before the first call of [`Lra::solve`].
    pub fn objective(&mut self, store: &TermStore, term: Term) -> Result<Objective, Unsupported> {
        let linear: Linear = store.linear(term);
        let mut parts = Vec::new();
        for (term, factor) in linear.monomials() {
            if !matches!(store.node(*term), Node::Var(_, Sort::Real)) {
                return Err(Unsupported(*term));
            }
            let column = match self.columns.get(term) {
                Some(&column) => column,
                None => self.add_column(*term),
            };
            parts.push((column, Num::from_rat(factor)));
        }
        parts.sort_unstable_by_key(|(column, _)| *column);
        let constant = Num::from_rat(linear.constant_part());
        Ok(Objective { sum: Sum { parts, constant } })
    }

    /// Makes room for questions about an objective, before copies are made.
    pub fn prepare(&mut self, objective: &Objective) {
        self.above(objective, &Rat::ZERO, true);
    }

    /// The literal of "the objective gets further than this"; `None` if it
    /// cannot, because there is no bound.
    pub fn beyond(&mut self, objective: &Objective, reach: &Reach) -> Option<Lit> {
        match reach {
            Reach::Bounded { value, attained } => Some(self.above(objective, value, *attained)),
            Reach::Unbounded => None,
        }
    }

    /// The literal of `objective > value`, or of `objective >= value` if not
    /// `strict`.
    pub fn above(&mut self, objective: &Objective, value: &Rat, strict: bool) -> Lit {
        self.search.back_to(0);
        let mut sum = objective.sum.clone();
        sum.constant = sum.constant.sub(&Num::from_rat(value));
        // More than the value is not "at most the value".
        let relation = if strict { Relation::Le } else { Relation::Lt };
        !self.atom(relation, sum, true, true)
    }

    /// Looks for a polyhedron of models in which the literal is true
    /// somewhere; `None` if there is none. What is learned stays: a literal
    /// that was refuted is false from then on.
    pub fn solve(&mut self, goal: Option<Lit>, budget: &Budget) -> Result<Option<Leaf>, Stop> {
        let assumptions: Vec<Lit> = goal.into_iter().collect();
        self.search.back_to(0);
        self.listen();
        loop {
            budget.check()?;
            match self.search.round(&assumptions, budget)? {
                Round::Refuted => return Ok(None),
                Round::Paused => {
                    self.listen();
                    continue;
                }
                Round::Leaf => {}
            }
            self.leaves += 1;
            let needed = self.needed(&assumptions);
            match Leaf::new(self, &needed, budget)? {
                Some(leaf) => return Ok(Some(leaf)),
                None => {
                    self.empty_leaves += 1;
                    let (conflict, step) = self.explain_leaf(&needed, budget)?;
                    self.search.learn(conflict, step);
                }
            }
        }
    }

    /// The position of a symbol: in the points of a [`Witness`] if it is a
    /// number, else for [`Leaf::truth`].
    pub fn position(&self, symbol: Term) -> Option<usize> {
        match self.columns.get(&symbol) {
            Some(&column) => Some(column as usize),
            None => self.bools.binary_search_by_key(&symbol, |&(term, _)| term).ok(),
        }
    }

    /// The work done so far.
    pub fn effort(&self) -> Effort {
        let parallax_search::Effort { decisions, conflicts, restarts } = self.search.effort;
        let (leaves, empty_leaves) = (self.leaves, self.empty_leaves);
        Effort { decisions, conflicts, restarts, leaves, empty_leaves }
    }
}
