//! What tests ask: every engine of the registry as it is, and some with other
//! options. A new engine is in all of them without a line here.

use parallax::{Abstraction, EngineConfig, Known, Mode, Order, Search, Track, engines};
use std::fs::OpenOptions;
use std::io::Write;
use std::time::Duration;

/// A name that annotations use, an engine, and what to change in its options.
pub(crate) type Setting = (&'static str, &'static str, fn(&mut EngineConfig));

/// Engines with other options.
const VARIANTS: [Setting; 8] = [
    ("ase-plain", "ase", |c| c.ase.search = Search::Plain),
    ("ase-per-path", "ase", |c| c.ase.search = Search::PerPath),
    ("ur-dfs", "ur", |c| c.ur.order = Order::DepthFirst),
    ("cegar-predicates", "cegar", |c| c.cegar.track = Track::Predicates),
    ("cegar-cartesian", "cegar", |c| {
        c.cegar.track = Track::Predicates;
        c.cegar.abstraction = Abstraction::Cartesian;
    }),
    ("cegar-eager", "cegar", |c| {
        c.cegar.track = Track::Predicates;
        c.cegar.abstraction = Abstraction::Cartesian;
        c.cegar.eager = true;
    }),
    ("cegar-impact", "cegar", |c| c.cegar.mode = Mode::Impact),
    ("cegar-invariants", "cegar", |c| c.cegar.invariants = Known::Facts),
];

/// The engines as they are, then those with other options.
pub(crate) fn settings() -> Vec<Setting> {
    let as_it_is: fn(&mut EngineConfig) = |_| {};
    let all = engines(&EngineConfig::default());
    all.iter().map(|e| (e.name(), e.name(), as_it_is)).chain(VARIANTS).collect()
}

/// Notes that a setting decided a question, if somebody wants to know: for the
/// annotations, in the file that `PARALLAX_SURVEY` names.
pub(crate) fn decided(question: &str, setting: &str, time: Duration) {
    let Some(path) = std::env::var_os("PARALLAX_SURVEY") else { return };
    let file = OpenOptions::new().create(true).append(true).open(path);
    let line = format!("{question}\t{setting}\t{}\n", time.as_millis());
    file.and_then(|mut file| file.write_all(line.as_bytes())).expect("a line");
}

/// The names in a list of settings.
pub(crate) fn named(list: &str, known: &[&str]) -> Vec<String> {
    let names = list.split(',').map(|n| n.trim().to_owned()).filter(|n| !n.is_empty());
    let names: Vec<String> = names.collect();
    for name in &names {
        assert!(known.contains(&name.as_str()), "`{name}` is no engine of the corpus");
    }
    names
}
