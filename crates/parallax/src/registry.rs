//! The engines. To add one: a line in [`engines`] and, if it has options, one
//! in [`EngineConfig`].

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

/// The engine that only lists states: it is asked by name, and of programs with
/// several threads.
pub(crate) const LISTS: &str = "explicit";

/// All engines, in the order in which `auto` tries them on models.
pub fn engines(config: &EngineConfig) -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(Ase { config: config.ase.clone() }), // Albarghouthi, MSc thesis, Toronto 2010
        Box::new(Ur { config: config.ur.clone() }),   // Pasareanu, Pelanek, Visser, CAV 2005
        Box::new(Bmc { config: config.bmc }),         // Biere, Cimatti, Clarke, Zhu, TACAS 1999
        Box::new(Cegar { config: config.cegar.clone() }), // Henzinger, Jhala, Majumdar, Sutre, POPL 2002
        Box::new(Symba { config: config.symba.clone() }), // Li, MSc thesis, Toronto 2013
        Box::new(Pdr { config: config.pdr.clone() }),     // Komuravelli, Gurfinkel, Chaki, CAV 2014
        Box::new(Cells { config: config.pdr.clone() }),   // Monniaux, Gonnord, SAS 2016
        Box::new(Modular { config: config.modular.clone() }), // Owicki, Gries, Acta Informatica 1976
        Box::new(Kind { config: config.kind }), // Sheeran, Singh, Stalmarck, FMCAD 2000
        Box::new(Explicit),                     // Holzmann, IEEE TSE 1997
        Box::new(Ltl),  // Courcoubetis, Vardi, Wolper, Yannakakis, FMSD 1992
        Box::new(Rank), // Cook, Gotsman, Podelski, Rybalchenko, Vardi, POPL 2007
    ]
}

/// All engines, in the order in which `auto` tries them: runs of C programs
/// are unrolled for a while, invariants are looked for, then predicates. Of those
/// with several threads the states are listed first.
pub(crate) fn ordered(config: &EngineConfig, shape: Shape) -> Vec<Box<dyn Engine>> {
    let mut all = engines(config);
    let first: &[&str] = match shape {
        Shape::Model => &[],
        Shape::Concurrent => &[LISTS, "bmc", "modular", "cegar", "pdr", "kind"],
        Shape::Sequential => &["bmc", "symba", "cells", "cegar", "pdr", "kind"],
    };
    all.sort_by_key(|e| first.iter().position(|&f| f == e.name()).unwrap_or(first.len()));
    all
}
