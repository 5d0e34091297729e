//! A campaign that goes on: random inputs with ground truth, asked in every
//! setting that must not make a difference.
//!
//! Generators and truths are those of `parallax-generate`. An answer is wrong if
//! it contradicts the truth; a proof that `certify` refuses and a crash count as
//! wrong, too. Settings are engines, encodings and options; variants are other
//! ways to write the same input, under which the verdict must stay.

mod asker;
mod containers;
mod model;
mod optimum;
mod procedure;
mod program;
mod systems;

pub use asker::{Asker, Counts, Wrong, folder};

/// What is generated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// C programs, by running them on all inputs.
    C,
    /// Models, by listing their states.
    Model,
    /// Pairs of labelled transition systems, by definition.
    Lts,
    /// C procedures against specifications, by unfolding them.
    Magic,
    /// Optimization problems, by trying all points.
    Optimize,
    /// Containers, by trying all sequences of calls.
    Testgen,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 6] =
        [Kind::C, Kind::Model, Kind::Lts, Kind::Magic, Kind::Optimize, Kind::Testgen];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::C => "c",
            Kind::Model => "model",
            Kind::Lts => "lts",
            Kind::Magic => "magic",
            Kind::Optimize => "optimize",
            Kind::Testgen => "testgen",
        }
    }

    /// The kind of a name.
    pub fn named(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.name() == name)
    }

    /// Generates the input of a number, finds its truth and asks for it.
    ///
    /// # Errors
    /// A wrong answer, or why there is none.
    pub fn round(self, asker: &Asker, seed: u64, counts: &mut Counts) -> Result<(), Wrong> {
        match self {
            Kind::C => program::round(asker, seed, counts),
            Kind::Model => model::round(asker, seed, counts),
            Kind::Lts => systems::round(asker, seed, counts),
            Kind::Magic => procedure::round(asker, seed, counts),
            Kind::Optimize => optimum::round(asker, seed, counts),
            Kind::Testgen => containers::round(asker, seed, counts),
        }
    }
}
