//! The engines. To add one: a line in [`LINES`] and, if it has options, one in
//! [`EngineConfig`]. The line says as well when `auto` asks it.

use crate::Shape;
use parallax_engine::Engine;
use parallax_engine_abs::{Cegar, CegarConfig, Symba, SymbaConfig};
use parallax_engine_horn::{Cells, Modular, ModularConfig, Pdr, PdrConfig};
use parallax_engine_ltl::{Ltl, Rank};
use parallax_engine_path::{
    Ase, AseConfig, Bmc, BmcConfig, Explicit, Kind, KindConfig, Ur, UrConfig,
};

/// The options of all engines.
#[derive(Clone, Debug, Default)]
pub struct EngineConfig {
    /// Options of `ase`.
    pub ase: AseConfig,
    /// Options of `ur`.
    pub ur: UrConfig,
    /// Options of `bmc`.
    pub bmc: BmcConfig,
    /// Options of `cegar`.
    pub cegar: CegarConfig,
    /// Options of `symba`.
    pub symba: SymbaConfig,
    /// Options of `kind`.
    pub kind: KindConfig,
    /// Options of `pdr`.
    pub pdr: PdrConfig,
    /// Options of `modular`.
    pub modular: ModularConfig,
}

/// When `auto` asks an engine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Turn {
    /// In this place, for so many units of time at first.
    Takes(u8, u32),
    /// When the others have given up.
    Waits,
    /// Never: it is asked by name only.
    Named,
}

use Turn::{Named, Takes, Waits};

/// An engine: how it is made, and its turns on models, on programs with one thread and
/// on programs with several.
struct Line {
    name: &'static str,
    make: fn(&EngineConfig) -> Box<dyn Engine>,
    turns: [Turn; 3],
}

/// All engines. Runs of C programs are unrolled for a while, invariants are looked for,
/// then predicates; of programs with several threads the states are listed first.
#[rustfmt::skip]
const LINES: &[Line] = &[
    // Albarghouthi, MSc thesis, Toronto 2010
    Line { name: "ase", make: |c| Box::new(Ase { config: c.ase.clone() }), turns: [Takes(1, 4), Waits, Waits] },
    // Pasareanu, Pelanek, Visser, CAV 2005
    Line { name: "ur", make: |c| Box::new(Ur { config: c.ur.clone() }), turns: [Takes(2, 1), Waits, Waits] },
    // Biere, Cimatti, Clarke, Zhu, TACAS 1999
    Line { name: "bmc", make: |c| Box::new(Bmc { config: c.bmc }), turns: [Takes(3, 1), Takes(1, 1), Takes(2, 8)] },
    // Henzinger, Jhala, Majumdar, Sutre, POPL 2002
    Line { name: "cegar", make: |c| Box::new(Cegar { config: c.cegar.clone() }), turns: [Takes(4, 3), Takes(4, 4), Takes(4, 2)] },
    // Li, MSc thesis, Toronto 2013
    Line { name: "symba", make: |c| Box::new(Symba { config: c.symba.clone() }), turns: [Takes(5, 1), Takes(2, 1), Waits] },
    // Komuravelli, Gurfinkel, Chaki, CAV 2014
    Line { name: "pdr", make: |c| Box::new(Pdr { config: c.pdr.clone() }), turns: [Takes(6, 2), Takes(5, 4), Takes(5, 2)] },
    // Monniaux, Gonnord, SAS 2016
    Line { name: "cells", make: |c| Box::new(Cells { config: c.pdr.clone() }), turns: [Takes(7, 1), Takes(3, 1), Takes(7, 1)] },
    // Owicki, Gries, Acta Informatica 1976
    Line { name: "modular", make: |c| Box::new(Modular { config: c.modular.clone() }), turns: [Takes(8, 2), Waits, Takes(3, 2)] },
    // Sheeran, Singh, Stalmarck, FMCAD 2000
    Line { name: "kind", make: |c| Box::new(Kind { config: c.kind }), turns: [Takes(9, 1), Takes(6, 1), Takes(6, 1)] },
    // Holzmann, IEEE TSE 1997
    Line { name: "explicit", make: |_| Box::new(Explicit), turns: [Named, Named, Takes(1, 8)] },
    // Courcoubetis, Vardi, Wolper, Yannakakis, FMSD 1992
    Line { name: "ltl", make: |_| Box::new(Ltl), turns: [Takes(10, 1), Takes(10, 1), Takes(10, 1)] },
    // Cook, Gotsman, Podelski, Rybalchenko, Vardi, POPL 2007
    Line { name: "rank", make: |_| Box::new(Rank), turns: [Takes(11, 1), Takes(11, 1), Takes(11, 1)] },
];

impl Line {
    fn turn(&self, shape: Shape) -> Turn {
        let [model, sequential, concurrent] = self.turns;
        match shape {
            Shape::Model => model,
            Shape::Sequential => sequential,
            Shape::Concurrent => concurrent,
        }
    }
}

/// All engines.
pub fn engines(config: &EngineConfig) -> Vec<Box<dyn Engine>> {
    LINES.iter().map(|line| (line.make)(config)).collect()
}

/// All engines, in the order in which `auto` tries them.
pub(crate) fn ordered(config: &EngineConfig, shape: Shape) -> Vec<Box<dyn Engine>> {
    let mut lines: Vec<&Line> = LINES.iter().collect();
    lines.sort_by_key(|line| match line.turn(shape) {
        Takes(place, _) => place,
        Waits | Named => u8::MAX,
    });
    lines.into_iter().map(|line| (line.make)(config)).collect()
}

/// Whether an engine is asked of programs of this shape by name only.
pub(crate) fn is_only_named(engine: &str, shape: Shape) -> bool {
    LINES.iter().any(|line| line.name == engine && line.turn(shape) == Named)
}

/// How many units of time the first turn of an engine has; none if it waits until the
/// others have given up.
pub(crate) fn units(engine: &str, shape: Shape) -> u32 {
    let line = LINES.iter().find(|line| line.name == engine);
    match line.map(|line| line.turn(shape)) {
        Some(Takes(_, units)) => units,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::{EngineConfig, LINES};

    #[test]
    fn engines_are_called_what_they_call_themselves() {
        for line in LINES {
            assert_eq!((line.make)(&EngineConfig::default()).name(), line.name);
        }
    }
}
