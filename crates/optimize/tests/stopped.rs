//! A search that is stopped says what no model passes, and that is right.

use parallax_base::{Budget, SourceFile, SourceMap};
use parallax_certify::{Claim, judge};
use parallax_evidence::{Bounds, Extent};
use parallax_ir::{Side, TemplateProblem};
use parallax_optimize::{Config, Silent, optimize};
use parallax_solver::SolverConfig;
use parallax_term::Rat;
use std::fmt::Write;
use std::time::Duration;

/// Jobs on one machine, one after the other in any order.
fn shop(jobs: usize, sort: &str) -> TemplateProblem {
    let mut text = format!("(declare-const end {sort}) (declare-const k {sort})");
    let mut parts = vec![String::from("(<= end 100)")];
    for job in 0..jobs {
        let _ = write!(text, "(declare-const s{job} {sort}) (declare-const k{job} {sort})");
        parts.push(format!("(<= 0 s{job}) (<= (+ s{job} {}) end)", job + 1));
        for other in 0..job {
            let (own, late) = (job + 1, other + 1);
            parts.push(format!(
                "(or (<= (+ s{job} {own}) s{other}) (<= (+ s{other} {late}) s{job}))"
            ));
        }
    }
    let bounds: Vec<String> = (0..jobs).map(|job| format!("(< s{job} k{job})")).collect();
    let (parts, bounds) = (parts.join(" "), bounds.join(" "));
    let _ = write!(text, "(assert (=> (and {parts}) (and (< end k) {bounds})))");
    let mut sources = SourceMap::default();
    let file = sources.add(SourceFile::new("shop.smt2", text));
    parallax_front_smt::load(&sources, file).expect("a problem").problem
}

#[test]
fn what_is_open_has_limits_that_are_accepted() {
    for sort in ["Real", "Int"] {
        let problem = shop(6, sort);
        let config = Config { over: Duration::from_secs(30), ..Config::default() };
        let over = Budget::new(Some(Duration::ZERO), None);
        let solver = SolverConfig::default();
        let found = optimize(&problem, &config, &solver, &over, &Silent).expect("a solver");
        assert!(found.why_open.is_some());
        let accept = |bounds: &Bounds| {
            let claim = Claim::Bounded { problem: &problem, bounds };
            judge(&claim, &mut || SolverConfig::default().open(), &Budget::unlimited())
        };
        assert!(accept(&found.bounds).is_ok(), "{sort}");
        for (at, bound) in found.bounds.bounds.iter().enumerate() {
            let limit = bound.extent.limit();
            assert!(limit.is_some(), "{sort}: {bound:?}");
            // A limit that is tighter than any model allows.
            let mut damaged = found.bounds.clone();
            let by = if bound.side == Side::Upper { -1000 } else { 1000 };
            let limit = limit.map(|limit| limit + &Rat::from(by));
            damaged.bounds[at].extent = Extent::Between { reached: None, limit };
            assert!(accept(&damaged).is_err(), "{sort}: {bound:?}");
        }
    }
}
