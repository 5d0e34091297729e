//! The options of the engine `cegar`.

use clap::{Args, ValueEnum};
use parallax::{
    Abstraction, CegarConfig, CegarOrder, Covering, Known, Mode as GraphMode, Refiner as Method,
    Scope, Track,
};

/// Options of `cegar`, for `check`.
#[derive(Args, Clone, Debug)]
pub(crate) struct CegarArgs {
    /// What stands at the nodes of the graph: states over predicates, or interpolants alone
    #[arg(long, value_enum, default_value_t, help_heading = "Engine cegar")]
    mode: Mode,
    /// How precisely predicates are combined
    #[arg(long, value_enum, default_value_t, help_heading = "Engine cegar")]
    abstraction: Combine,
    /// What is tried first to exclude a path that is no run
    #[arg(long, value_enum, default_value_t, help_heading = "Engine cegar")]
    refine: Refiner,
    /// Where a new predicate is tracked
    #[arg(long, value_enum, default_value_t, help_heading = "Engine cegar")]
    scope: Where,
    /// Whether variables with few values are tracked by value
    #[arg(long, value_enum, default_value_t, help_heading = "Engine cegar")]
    track: What,
    /// Build the graph from scratch after every refinement
    #[arg(long, help_heading = "Engine cegar")]
    eager: bool,
    /// Which nodes cover others: those that include them, or those that are equal
    #[arg(long, value_enum, default_value_t, help_heading = "Engine cegar")]
    cover: Cover,
    /// Take invariants in template domains as facts, or their bounds as predicates
    #[arg(long, value_enum, default_value_t, help_heading = "Engine cegar")]
    invariants: Invariants,
    /// Leave paths that are no runs in the graph
    #[arg(long, help_heading = "Engine cegar")]
    no_refine: bool,
}

/// What stands at the nodes.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
enum Mode {
    #[default]
    Predicates,
    Impact,
}

/// How precisely predicates are combined.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
enum Combine {
    // The set of predicates that are true.
    Implied,
    // Each predicate true, false or open.
    Cartesian,
    // The strongest formula over all predicates.
    #[default]
    Boolean,
}

/// Which nodes cover others.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
enum Cover {
    #[default]
    Included,
    Equal,
}

/// Methods of refinement.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
enum Refiner {
    #[default]
    Interpolants,
    Preconditions,
    Syntactic,
}

/// Where a new predicate is tracked.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
enum Where {
    #[default]
    Location,
    Function,
}

/// What is taken from the engine `symba`.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
enum Invariants {
    #[default]
    None,
    // As facts.
    Symba,
    // As predicates.
    SymbaPredicates,
}

/// What is tracked.
#[derive(ValueEnum, Clone, Copy, Default, Debug)]
enum What {
    #[default]
    Auto,
    Predicates,
}

impl CegarArgs {
    /// The options as the engine takes them.
    pub(crate) fn config(&self, order: CegarOrder) -> CegarConfig {
        CegarConfig {
            mode: match self.mode {
                Mode::Predicates => GraphMode::Predicates,
                Mode::Impact => GraphMode::Impact,
            },
            abstraction: match self.abstraction {
                Combine::Implied => Abstraction::Implied,
                Combine::Cartesian => Abstraction::Cartesian,
                Combine::Boolean => Abstraction::Boolean,
            },
            order,
            refiner: match self.refine {
                Refiner::Interpolants => Method::Interpolants,
                Refiner::Preconditions => Method::Preconditions,
                Refiner::Syntactic => Method::Syntactic,
            },
            scope: match self.scope {
                Where::Location => Scope::Location,
                Where::Function => Scope::Function,
            },
            track: match self.track {
                What::Auto => Track::Auto,
                What::Predicates => Track::Predicates,
            },
            eager: self.eager,
            covering: match self.cover {
                Cover::Included => Covering::Included,
                Cover::Equal => Covering::Equal,
            },
            // Predicates are read with the model they are about.
            predicates: Vec::new(),
            invariants: match self.invariants {
                Invariants::None => Known::Nothing,
                Invariants::Symba => Known::Facts,
                Invariants::SymbaPredicates => Known::Predicates,
            },
            no_refine: self.no_refine,
        }
    }
}
