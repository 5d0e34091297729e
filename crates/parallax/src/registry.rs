//! The engines. To add one: a line in [`engines`] and, if it has options, one
//! in [`EngineConfig`].

use parallax_engine::Engine;
use parallax_engine_path::{Ase, AseConfig, Ur, UrConfig};

/// The options of all engines.
#[derive(Clone, Debug, Default)]
pub struct EngineConfig {
    /// Options of `ase`.
    pub ase: AseConfig,
    /// Options of `ur`.
    pub ur: UrConfig,
}

/// All engines, in the order in which `auto` tries them.
pub fn engines(config: &EngineConfig) -> Vec<Box<dyn Engine>> {
    vec![
        Box::new(Ase { config: config.ase }), // Albarghouthi, MSc thesis, Toronto 2010
        Box::new(Ur { config: config.ur }),   // Pasareanu, Pelanek, Visser, CAV 2005
    ]
}
