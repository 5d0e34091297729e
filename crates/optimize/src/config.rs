//! Options, events and counts.

use parallax_ir::Side;
use parallax_term::{Rat, Term, Value};
use std::time::Duration;

/// Who searches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Engine {
    /// Polyhedra around models, all templates at once.
    #[default]
    Auto,
    /// The published rules of SYMBA.
    Symba,
    /// Disjunct by disjunct.
    Dnf,
    /// By quantifier elimination.
    Qe,
    /// The optimizer of Z3 with its engine `symba`.
    Z3Symba,
    /// The optimizer of Z3 with its engine `basic`.
    Z3Basic,
}

impl Engine {
    /// All engines, the default first.
    pub const ALL: [Engine; 6] =
        [Engine::Auto, Engine::Symba, Engine::Dnf, Engine::Qe, Engine::Z3Symba, Engine::Z3Basic];

    /// Its name on the command line and in reports.
    pub fn name(self) -> &'static str {
        match self {
            Engine::Auto => "auto",
            Engine::Symba => "symba",
            Engine::Dnf => "dnf",
            Engine::Qe => "qe",
            Engine::Z3Symba => "z3-symba",
            Engine::Z3Basic => "z3-basic",
        }
    }

    /// The engine with a name.
    pub fn named(name: &str) -> Option<Engine> {
        Engine::ALL.into_iter().find(|engine| engine.name() == name)
    }
}

/// The options of all engines. The defaults of `symba` are those that the
/// thesis reports as SYMBAIR(inf).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Config {
    /// Who searches.
    pub engine: Engine,
    /// `symba`: how many checks for unboundedness before a global push is
    /// forced; `None` for as many as there are.
    pub force_push: Option<u64>,
    /// `symba`: whether bounds are rounded up to integers where that can be.
    pub rounding: bool,
    /// `symba`: whether a template sees only the hyperplanes it is related to.
    pub reduction: bool,
    /// `symba`: weights of growth and of open classes in the order of push
    /// lists.
    pub priority: (i64, i64),
    /// How many threads search.
    pub jobs: usize,
    /// `auto`: how long limits of open goals are looked for after the time is
    /// over.
    pub over: Duration,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            engine: Engine::Auto,
            force_push: None,
            rounding: true,
            reduction: true,
            priority: (1, 10),
            jobs: 1,
            over: Duration::from_millis(200),
        }
    }
}

/// Counts of the work done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Statistics {
    /// Questions whether there is a model: of a solver, or of our own search.
    pub queries: u64,
    /// `symba`: applications of GLOBALPUSH.
    pub global_pushes: u64,
    /// `symba`: calls of the procedure behind the UNBOUNDED rules.
    pub unbounded_calls: u64,
    /// Models that were looked at.
    pub models: u64,
    /// Conflicts of our own search.
    pub conflicts: u64,
    /// Decisions of our own search.
    pub decisions: u64,
}

impl Statistics {
    /// Adds the counts of another search.
    pub fn add(&mut self, other: &Statistics) {
        self.queries += other.queries;
        self.global_pushes += other.global_pushes;
        self.unbounded_calls += other.unbounded_calls;
        self.models += other.models;
        self.conflicts += other.conflicts;
        self.decisions += other.decisions;
    }
}

/// Something that happened in a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A template reaches further than was known; `None` if without end.
    Reached {
        /// The template, as an index into those of the problem.
        template: usize,
        /// To which side.
        side: Side,
        /// How far.
        value: Option<Rat>,
    },
    /// A bound is final.
    Closed {
        /// The template.
        template: usize,
        /// Which bound.
        side: Side,
        /// How many bounds are still open.
        open: usize,
    },
    /// `symba` applied a rule.
    Rule(Box<Applied>),
}

/// A rule of `symba` that was applied, and the state `<M, U, O>` after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Applied {
    /// The rule, as the thesis calls it.
    pub rule: &'static str,
    /// The model it was applied to, by its number in `M`.
    pub from: Option<usize>,
    /// The template and side it was applied to.
    pub goal: Option<(usize, Side)>,
    /// The model that it added to `M`, by symbol.
    pub point: Option<Vec<(Term, Value)>>,
    /// How many models `M` has.
    pub models: usize,
    /// `U` by wanted bound: nothing yet, or how far it reaches, or for ever.
    pub under: Vec<Option<Option<Rat>>>,
    /// `O` by wanted bound: what it does not pass, if that is known.
    pub over: Vec<Option<Rat>>,
}

/// Who is told about events. Called from all threads of a search.
pub trait Observer: Sync {
    /// Something happened.
    fn notice(&self, event: &Event);
}

/// Tells nobody.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn notice(&self, _: &Event) {}
}
