//! Several jobs share what they learn, and their proofs name each other.

use parallax_base::{Budget, Span};
use parallax_certify::check_bounds;
use parallax_evidence::Extent;
use parallax_ir::{Sides, Template, TemplateProblem};
use parallax_optimize::{Config, Silent, optimize};
use parallax_solver::SolverConfig;
use parallax_term::{Rat, Sort, Term, TermStore};

/// Tasks of length one, one after the other, and when the last is over.
fn schedule(tasks: usize) -> TemplateProblem {
    let mut store = TermStore::new();
    let starts: Vec<Term> = (0..tasks).map(|i| store.var(&format!("s{i}"), Sort::Real)).collect();
    let end = store.var("end", Sort::Real);
    let scope = |name: &str| match name {
        "end" => Some(end),
        _ => starts.get(name[1..].parse::<usize>().ok()?).copied(),
    };
    let mut text = String::from("(and (<= end 20.0)");
    for i in 0..tasks {
        text.push_str(&format!(" (<= 0.0 s{i}) (<= (+ s{i} 1.0) end)"));
        for j in 0..i {
            text.push_str(&format!(" (or (<= (+ s{i} 1.0) s{j}) (<= (+ s{j} 1.0) s{i}))"));
        }
    }
    text.push(')');
    let formula = store.read_smtlib_term(&text, &scope).expect("readable");
    let mut terms = vec![end];
    terms.extend(starts.iter().copied());
    terms.push(store.sub(starts[0], starts[1]));
    let template = |term| Template { term, sides: Sides::Both, span: Span::default() };
    TemplateProblem::new("schedule", store, formula, terms.into_iter().map(template).collect())
}

fn values(problem: &TemplateProblem, jobs: usize) -> (Vec<Rat>, u64) {
    let config = Config { jobs, ..Config::default() };
    let budget = Budget::unlimited();
    let solver = SolverConfig::default();
    let found = optimize(problem, &config, &solver, &budget, &Silent).expect("a solver");
    assert_eq!(found.why_open, None);
    // One proof for all of them, accepted without a solver.
    assert_eq!(found.bounds.refutations.len(), 1);
    let accepted = check_bounds(problem, &found.bounds, None, &budget).expect("accepted");
    assert_eq!(accepted.queries, 0);
    let value = |extent: &Extent| match extent {
        Extent::Attained { value, .. } => Some(value.clone()),
        _ => None,
    };
    let values: Option<_> = found.bounds.bounds.iter().map(|b| value(&b.extent)).collect();
    let values = values.expect("all bounds are attained");
    (values, found.statistics.conflicts)
}

#[test]
fn jobs_prove_together_what_one_proves_alone() {
    let problem = schedule(7);
    let (alone, conflicts) = values(&problem, 1);
    assert_eq!(alone[..4], [7, 20, 0, 19].map(Rat::from));
    assert!(conflicts > 300, "{conflicts} conflicts are too few to share something");
    for jobs in [2, 3] {
        assert_eq!(values(&problem, jobs).0, alone, "{jobs} jobs");
    }
}
