//! Random paths of every kind: interpolants are right, and most are found.

use crate::path::{Kind, Path, check};
use parallax_base::Budget;
use parallax_interpolate::{Method, Options, Outcome, relations, sequence};
use parallax_solver::{Answer, Solver, Z3};
use parallax_term::Term;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// How a set of random paths came out.
#[derive(Default, Debug)]
struct Tally {
    title: String,
    paths: usize,
    unsat: usize,
    found: BTreeMap<&'static str, usize>,
    gave_up: usize,
    /// How many speak of templates only.
    guided: usize,
    /// Nodes of all interpolants that are no constants, and how many.
    nodes: usize,
    formulas: usize,
    time: Duration,
}

impl Tally {
    fn row(&self) -> String {
        format!(
            "{}: {} of {} infeasible, found {:?}, {} %, {} nodes each, {:?} each",
            self.title,
            self.unsat,
            self.paths,
            self.found,
            self.rate(),
            self.nodes / self.formulas.max(1),
            self.time / self.paths as u32
        )
    }

    fn rate(&self) -> usize {
        self.found.values().sum::<usize>() * 100 / self.unsat.max(1)
    }
}

fn run(kind: Kind, seeds: u64, length: usize, branches: usize, options: &Options) -> Tally {
    run_with(kind, seeds, length, branches, options, false)
}

fn run_with(
    kind: Kind,
    seeds: u64,
    length: usize,
    branches: usize,
    options: &Options,
    templates: bool,
) -> Tally {
    let mut tally = Tally::default();
    for seed in 0..seeds {
        tally.paths += 1;
        let mut path = Path::random(seed, kind, length, branches);
        let budget = &Budget::new(Some(Duration::from_secs(300)), None);
        let solver = &mut Z3::new();
        let mut options = options.clone();
        if templates {
            let variables = path.variables();
            options.templates = relations(&mut path.store, &variables);
        }
        let started = Instant::now();
        let outcome = sequence(&mut path.store, solver, &path.parts, &options, budget);
        tally.time += started.elapsed();
        let what = format!("{kind:?} seed {seed}");
        match outcome.expect("the time suffices") {
            Outcome::Satisfiable => {
                let answer = Z3::new().check(&path.store, &path.parts, budget);
                assert_eq!(answer, Ok(Answer::Sat), "{what}");
            }
            Outcome::GaveUp(_) => {
                tally.unsat += 1;
                tally.gave_up += 1;
            }
            Outcome::Found(found) => {
                tally.unsat += 1;
                let is_constant = |f: &Term| path.store.value(*f).is_some();
                let needs_none = found.formulas.iter().all(is_constant);
                tally.guided += usize::from(needs_none || !found.templates.is_empty());
                check(&mut path.store, &path.parts, &found.formulas, &what);
                *tally.found.entry(found.method.name()).or_default() += 1;
                for formula in found.formulas {
                    if path.store.value(formula).is_none() {
                        tally.nodes += path.store.subterms(&[formula]).len();
                        tally.formulas += 1;
                    }
                }
            }
        }
        assert_eq!(solver.check(&path.store, &[], budget), Ok(Answer::Sat), "scopes are closed");
    }
    tally.title = format!("{kind:?}, {length} parts of up to {branches} branches");
    tally
}

#[test]
fn conjunctions() {
    let options = &Options::default();
    for (kind, floor) in [(Kind::Int, 95), (Kind::Real, 100), (Kind::Mixed, 95)] {
        let tally = run(kind, 80, 5, 1, options);
        println!("{}", tally.row());
        assert!(tally.rate() >= floor, "{}", tally.row());
    }
}

#[test]
fn blocks() {
    let options = &Options::default();
    let kinds = [
        (Kind::Int, 95),
        (Kind::Real, 100),
        (Kind::Mixed, 95),
        (Kind::Bool, 95),
        (Kind::Bits, 90),
        (Kind::Words, 90),
        (Kind::Arrays, 90),
        (Kind::Products, 80),
    ];
    for (kind, floor) in kinds {
        let tally = run(kind, 40, 6, 3, options);
        println!("{}", tally.row());
        assert!(tally.rate() >= floor, "{}", tally.row());
    }
}

#[test]
fn every_method_alone_is_right() {
    let cases = [
        (Method::Farkas, Kind::Int, 10),
        (Method::Farkas, Kind::Real, 20),
        (Method::Proof, Kind::Int, 95),
        (Method::Proof, Kind::Arrays, 50),
        (Method::Backward, Kind::Real, 95),
        (Method::Backward, Kind::Words, 30),
        (Method::Forward, Kind::Int, 90),
        (Method::Cubes, Kind::Bits, 90),
    ];
    for (method, kind, floor) in cases {
        let options = &Options { methods: vec![method], ..Options::default() };
        let tally = run(kind, 25, 5, 2, options);
        println!("{}", tally.row());
        assert!(tally.rate() >= floor, "{}", tally.row());
    }
}

#[test]
fn with_templates() {
    let options = &Options::default();
    let cases = [
        (Kind::Int, 1, 95),
        (Kind::Real, 1, 95),
        (Kind::Mixed, 2, 95),
        (Kind::Bits, 2, 50),
        (Kind::Arrays, 1, 30),
    ];
    for (kind, branches, floor) in cases {
        let tally = run_with(kind, 25, 5, branches, options, true);
        println!("{}; {} by templates", tally.row(), tally.guided);
        assert!(tally.rate() >= 95, "{}", tally.row());
        assert!(tally.guided * 100 >= tally.unsat * floor, "{} by templates", tally.guided);
    }
}
