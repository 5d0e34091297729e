//! `parallax engines`

use crate::exit::Exit;
use crate::failure::Failure;
use crate::terminal;
use parallax::{EngineConfig, engines};

/// Lists the engines, in the order in which `auto` tries them.
pub(crate) fn run() -> Result<Exit, Failure> {
    let all = engines(&EngineConfig::default());
    let width = all.iter().map(|e| e.name().len()).max().unwrap_or(0);
    let lines: Vec<String> =
        all.iter().map(|e| format!("{:width$}  {}\n", e.name(), e.summary())).collect();
    terminal::print(&lines.concat());
    Ok(Exit::Holds)
}
