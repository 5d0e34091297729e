//! Whole results of the sample program, in every form.

use std::time::Duration;

use parallax_base::{Diagnostic, Diagnostics, FileId, Id, Span, Stop};
use parallax_evidence::{
    AbstractSystem, Certificate, ClosedSet, Finding, Outcome, Refinement, Region, Statistics,
    Trace, TraceStep, Unrolling, UnrollingStep, Why,
};
use parallax_ir::{Program, State};
use parallax_term::Value;

use crate::sample::{sources, state, ticket};
use crate::*;

/// A run to a state where both are critical (which the sample does not allow,
/// but a renderer does not judge).
fn trace() -> Trace {
    let step =
        |transition, inputs: Vec<Value>, state: State| TraceStep { transition, inputs, state };
    Trace {
        initial: state([0, 0, 0, 0, 0, 0, 0]),
        steps: vec![
            step(3, vec![Value::int(1)], state([0, 0, 1, 0, 0, 0, 0])),
            step(0, vec![], state([1, 0, 1, 1, 0, 0, 0])),
            step(4, vec![], state([2, 0, 1, 1, 0, 1, 1])),
            step(1, vec![], state([2, 0, 1, 2, 0, 1, 1])),
            step(5, vec![], state([2, 0, 1, 2, 0, 2, 1])),
        ],
        cycle: None,
        recurrence: None,
    }
}

fn certificate(program: &Program, points: usize) -> ClosedSet {
    let mut store = program.store.clone();
    let (t, s) = (program.variables[Id::new(0)].term, program.variables[Id::new(1)].term);
    let below = store.le(s, t);
    let equal = store.eq(s, t);
    let at = |p: usize, l: i64| (program.processes[Id::new(p)].control, Value::int(l));
    let truth = store.bool(true);
    ClosedSet {
        points: vec![state([0, 0, 0, 0, 0, 0, 0]); points],
        prefix: vec![],
        fragment: vec![
            Region { fixed: vec![at(0, 0), at(1, 0)], formula: equal },
            Region { fixed: vec![at(0, 1)], formula: below },
            Region { fixed: vec![], formula: truth },
        ],
        quotient: None,
        store,
    }
}

fn outcome(finding: Finding) -> Outcome {
    let statistics = Statistics {
        iterations: 2,
        predicates: 3,
        solver_queries: 41,
        states: 12,
        abstract_states: 5,
        time: Duration::from_millis(125),
        peak_memory_bytes: 33_554_432,
        ..Statistics::default()
    };
    let history = vec![Refinement {
        iteration: 1,
        states: 4,
        abstract_states: 3,
        predicates: vec!["s <= t".into()],
        reason: "P[0].take from a2 is not exact".into(),
        path: None,
    }];
    Outcome { engine: "ase", finding, statistics, history, abstraction: None, graph: None }
}

fn answer<'a>(property: usize, outcome: &'a Outcome, checked_by: &'a [String]) -> Answer<'a> {
    Answer {
        property: Id::new(property),
        outcome,
        checked_by,
        run: None,
        trusts: Vec::new(),
        invariants: Vec::new(),
        about: None,
        contracts: Vec::new(),
        assumes: Vec::new(),
    }
}

fn check(findings: Vec<Finding>, expected: impl FnOnce(&Run<'_>)) {
    let (program, sources) = (ticket(), sources());
    let outcomes: Vec<Outcome> = findings.into_iter().map(outcome).collect();
    let checkers = ["z3 5.4.0".to_owned()];
    let answer = |(i, o)| answer(i % 3, o, &checkers);
    let run = Run {
        program: &program,
        sources: &sources,
        answers: outcomes.iter().enumerate().map(answer).collect(),
        assumptions: vec![],
        statistics: outcomes.first().map(|o| o.statistics.clone()).unwrap_or_default(),
        next: Some("parallax simulate ticket.plx".into()),
    };
    expected(&run);
}

fn proved(points: usize) -> Finding {
    let set = certificate(&ticket(), points);
    Finding::Proved(Box::new(Certificate::Closed(set)))
}

/// All runs, if one could take no more than three tickets.
fn unrolled() -> Finding {
    let step = |parent, transition| UnrollingStep { parent, transition };
    let steps = vec![step(0, 0), step(1, 4), step(1, 1), step(3, 3), step(4, 3)];
    Finding::Proved(Box::new(Certificate::Unrolling(Unrolling { steps, ..Unrolling::default() })))
}

fn reached() -> Finding {
    Finding::Reached(Box::new(trace()))
}

fn unsupported() -> Finding {
    Finding::Unknown(Why::Unsupported {
        construct: "a product of two variables".into(),
        place: Some(Span::new(FileId(0), 40, 44)),
        hint: "bound one of them".into(),
    })
}

#[test]
fn verdict_blocks() {
    check(vec![proved(0)], |run| {
        insta::assert_snapshot!(render_verdict(run, Look::default()), @"
        ticket: holds
          mutex  holds     inductive-invariant of 3 regions (ase; checked by z3 5.4.0)
          assumes: nothing
          used: 2 iterations, 3 predicates, 41 solver queries, 12 states, 5 abstract states, 0.12 s, 34 MB
          next: parallax simulate ticket.plx
        ");
    });
    let rejected = Finding::Unknown(Why::CertificateRejected("region 3 is not closed".into()));
    check(vec![proved(2), reached(), rejected], |run| {
        insta::assert_snapshot!(render_verdict(run, Look::default()), @"
        ticket: unknown
          mutex          holds     safe-fragment of 3 regions after 2 states (ase; checked by z3 5.4.0)
          both           holds     run of 5 steps (ase; checked by z3 5.4.0)
          deadlock_free  unknown   certificate rejected: region 3 is not closed (ase)
                                   try: a report to the developers: this is a bug in Parallax
          assumes: nothing
          used: 2 iterations, 3 predicates, 41 solver queries, 12 states, 5 abstract states, 0.12 s, 34 MB
          next: parallax simulate ticket.plx
        ");
    });
    check(vec![unsupported(), Finding::Unknown(Stop::Time.into())], |run| {
        insta::assert_snapshot!(render_verdict(run, Look::default()), @"
        ticket: unknown
          mutex  unknown   unsupported: a product of two variables (ase)
                           at ticket.plx:3:4; try: bound one of them
          both   unknown   time limit reached (ase)
                           round 1: P[0].take from a2 is not exact; try: a longer --time
          assumes: nothing
          used: 2 iterations, 3 predicates, 41 solver queries, 12 states, 5 abstract states, 0.12 s, 34 MB
          next: parallax simulate ticket.plx
        ");
    });
}

#[test]
fn a_verdict_block_fits_a_screen_with_bad_news_first() {
    let mut findings: Vec<Finding> = (0..60).map(|i| proved(i % 2)).collect();
    findings.push(reached());
    findings.push(unsupported());
    check(findings, |run| {
        let text = render_verdict(run, Look::default());
        assert!(text.lines().count() <= 45, "{text}");
        assert!(text.contains("... and 23 more (--json lists all)"), "{text}");
        assert!(text.lines().nth(1).is_some_and(|l| l.contains("violated")), "{text}");
        let colored = render_verdict(run, Look { color: true, ..Look::default() });
        assert!(colored.contains("\u{1b}[1;31mviolated"), "{colored}");
    });
    check(vec![], |run| {
        assert!(render_verdict(run, Look::default()).starts_with("ticket: unknown\n"));
    });
}

#[test]
fn traces_show_inputs_then_changes() {
    let (program, sources) = (ticket(), sources());
    let show = |property: usize, trace: &Trace, max_steps| {
        let property = &program.properties[Id::new(property)];
        let look = TraceLook { max_steps, source: max_steps < 100 };
        render_trace(&program, &sources, property, trace, look)
    };
    insta::assert_snapshot!(show(0, &trace(), 100), @"
    counterexample to mutex: 5 steps
    inputs:
      start: s = 0
      step 1: phase = busy
    run:
      0  start                                P[0]@idle, P[1]@idle, t = 0, s = 0, phase = idle, P[0].mine = 0, P[1].mine = 0
      1  P[0].tick|P[1].tick  ticket.plx:6:3  phase = busy
      2  P[0].take            ticket.plx:3:3  P[0]@waiting, t = 1
      3  P[1].take            ticket.plx:3:3  P[1]@waiting, t = 2, P[1].mine = 1
      4  P[0].enter           ticket.plx:4:3  P[0]@critical
      5  P[1].enter           ticket.plx:4:3  P[1]@critical
    which reaches: P[0]@critical && P[1]@critical
    ");
    let short = Trace { steps: vec![], ..trace() };
    insta::assert_snapshot!(show(2, &short, 100), @"
    counterexample to deadlock_free: 0 steps
    inputs:
      start: s = 0
    run:
      0  start    P[0]@idle, P[1]@idle, t = 0, s = 0, phase = idle, P[0].mine = 0, P[1].mine = 0
    no step is possible at: P[0]@idle, P[1]@idle, t = 0, s = 0, phase = idle, P[0].mine = 0, P[1].mine = 0
    ");
    let steps = trace().steps.into_iter().cycle().take(1000).collect();
    let long = Trace { steps, ..trace() };
    insta::assert_snapshot!(show(1, &long, 4), @"
    run to both: 1000 steps
    inputs:
      start: s = 0
      step 1: phase = busy
      ... 197 more
      step 991: phase = busy
      step 996: phase = busy
    run:
         0  start                                P[0]@idle, P[1]@idle, t = 0, s = 0, phase = idle, P[0].mine = 0, P[1].mine = 0
         1  P[0].tick|P[1].tick  ticket.plx:6:3  phase = busy
            | [tick] idle -> idle do phase := any;
         2  P[0].take            ticket.plx:3:3  P[0]@waiting, t = 1
            | take: idle -> waiting do mine := t, t := t + 1;
        ..  996 steps left out
       999  P[0].enter           ticket.plx:4:3  P[0]@critical
            | enter: waiting -> critical when mine <= s;
      1000  P[1].enter           ticket.plx:4:3  P[1]@critical
            | enter: waiting -> critical when mine <= s;
    which reaches: P[0]@critical && P[1]@critical
    ");
}

#[test]
fn proofs_show_predicates_and_regions() {
    let program = ticket();
    let mut outcome = outcome(proved(2));
    let mut store = program.store.clone();
    let (t, s) = (program.variables[Id::new(0)].term, program.variables[Id::new(1)].term);
    let predicates = vec![store.le(s, t), store.eq(s, t)];
    outcome.abstraction = Some(AbstractSystem { store, predicates, states: vec![], edges: vec![] });
    let property = &program.properties[Id::new(0)];
    insta::assert_snapshot!(render_proof(&program, property, &outcome, 2), @"
    proof of mutex: safe-fragment of 3 regions after 2 states
    refinement:
      round 1: 3 abstract states; added s <= t (P[0].take from a2 is not exact)
    predicates:
      p1: t >= s
      p2: t == s
    2 states, passed before the fragment:
      P[0]@idle, P[1]@idle, t = 0, s = 0, phase = idle, P[0].mine = 0, P[1].mine = 0
      P[0]@idle, P[1]@idle, t = 0, s = 0, phase = idle, P[0].mine = 0, P[1].mine = 0
    3 regions, closed under every step, free of the target:
      r1: P[0]@idle, P[1]@idle: t == s
      r2: P[0]@waiting: t >= s
      ... and 1 more
    ");
}

#[test]
fn trees_show_their_paths() {
    let program = ticket();
    let mut outcome = outcome(unrolled());
    outcome.history.clear();
    let property = &program.properties[Id::new(0)];
    insta::assert_snapshot!(render_proof(&program, property, &outcome, 5), @"
    proof of mutex: unrolling of 2 paths of up to 4 steps
    2 paths, which no run leaves, free of the target:
      P[0].take; P[1].take
      P[0].take; P[0].enter; P[0].tick|P[1].tick (2 times)
    ");
    let text = render_proof(&program, property, &outcome, 1);
    assert!(text.ends_with("P[1].take\n  ... and 1 more\n"), "{text}");
    check(vec![unrolled()], |run| {
        let json = run_json(run, true);
        insta::assert_snapshot!(compact(&json.properties[0].proof), @r#"{"predicates":[],"points":[],"prefix":[],"fragment":[],"tree":[{"parent":0,"transition":"P[0].take"},{"parent":1,"transition":"P[1].take"},{"parent":1,"transition":"P[0].enter"},{"parent":3,"transition":"P[0].tick|P[1].tick"},{"parent":4,"transition":"P[0].tick|P[1].tick"}]}"#);
    });
}

#[test]
fn json_of_a_run() {
    let mut short = trace();
    short.steps.truncate(2);
    check(vec![proved(1), Finding::Reached(Box::new(short)), unsupported()], |run| {
        let mut json = run_json(run, false);
        let lines: Vec<String> = json.properties.drain(..).map(|p| compact(&p)).collect();
        insta::assert_snapshot!(lines.join("\n"), @r#"
        {"name":"mutex","kind":"invariant","target":"P[0]@critical && P[1]@critical","verdict":"holds","engine":"ase","reason":null,"evidence":{"kind":"safe-fragment","summary":"safe-fragment of 3 regions after 1 state","checked_by":["z3 5.4.0"]},"trace":null,"span":{"file":"ticket.plx","start":{"line":8,"column":1,"offset":214},"end":{"line":8,"column":16,"offset":229}},"stats":{"iterations":2,"predicates":3,"solver_queries":41,"states":12,"abstract_states":5,"time_s":0.125,"peak_memory_bytes":33554432}}
        {"name":"both","kind":"reachable","target":"P[0]@critical && P[1]@critical","verdict":"holds","engine":"ase","reason":null,"evidence":{"kind":"trace","summary":"run of 2 steps","checked_by":["z3 5.4.0"]},"trace":{"inputs":{"s":0},"initial":{"P[0].mine":0,"P[0]@":"idle","P[1].mine":0,"P[1]@":"idle","phase":"idle","s":0,"t":0},"steps":[{"transition":"P[0].tick|P[1].tick","span":{"file":"ticket.plx","start":{"line":6,"column":3,"offset":175},"end":{"line":6,"column":14,"offset":186}},"inputs":[{"name":"phase","value":"busy"}],"changes":{"phase":"busy"}},{"transition":"P[0].take","span":{"file":"ticket.plx","start":{"line":3,"column":3,"offset":39},"end":{"line":3,"column":13,"offset":49}},"inputs":[],"changes":{"P[0]@":"waiting","t":1}}]},"span":{"file":"ticket.plx","start":{"line":8,"column":1,"offset":214},"end":{"line":8,"column":16,"offset":229}},"stats":{"iterations":2,"predicates":3,"solver_queries":41,"states":12,"abstract_states":5,"time_s":0.125,"peak_memory_bytes":33554432}}
        {"name":"deadlock_free","kind":"deadlock_free","target":null,"verdict":"unknown","engine":"ase","reason":{"code":"unsupported","text":"unsupported: a product of two variables","span":{"file":"ticket.plx","start":{"line":3,"column":4,"offset":40},"end":{"line":3,"column":8,"offset":44}},"hint":"bound one of them"},"evidence":null,"trace":null,"span":{"file":"ticket.plx","start":{"line":8,"column":1,"offset":214},"end":{"line":8,"column":16,"offset":229}},"stats":{"iterations":2,"predicates":3,"solver_queries":41,"states":12,"abstract_states":5,"time_s":0.125,"peak_memory_bytes":33554432}}
        "#);
        insta::assert_snapshot!(compact(&json), @r#"{"schema":"parallax-result/1","verdict":"unknown","model":"ticket","properties":[],"assumptions":[],"stats":{"iterations":2,"predicates":3,"solver_queries":41,"states":12,"abstract_states":5,"time_s":0.125,"peak_memory_bytes":33554432},"next":"parallax simulate ticket.plx"}"#);
    });
}

fn compact(data: &impl serde::Serialize) -> String {
    serde_json::to_string(data).expect("plain data")
}

#[test]
fn json_with_details_has_the_proof() {
    check(vec![proved(1)], |run| {
        let json = run_json(run, true);
        insta::assert_snapshot!(compact(&json.properties[0].history), @r#"[{"iteration":1,"states":4,"abstract_states":3,"predicates":["s <= t"],"reason":"P[0].take from a2 is not exact"}]"#);
        insta::assert_snapshot!(compact(&json.properties[0].proof), @r#"{"predicates":[],"points":[{"P[0].mine":0,"P[0]@":"idle","P[1].mine":0,"P[1]@":"idle","phase":"idle","s":0,"t":0}],"prefix":[],"fragment":[{"fixed":{"P[0]@":"idle","P[1]@":"idle"},"formulas":["t == s"]},{"fixed":{"P[0]@":"waiting"},"formulas":["t >= s"]},{"fixed":{},"formulas":[]}]}"#);
    });
}

#[test]
fn json_of_bad_input() {
    let mut all = Diagnostics::default();
    all.push(Diagnostic::error("M0001", Span::new(FileId(0), 0, 5), "no"));
    insta::assert_snapshot!(compact(&error_json(&sources(), &all)), @r#"{"schema":"parallax-result/1","verdict":"error","diagnostics":[{"code":"M0001","severity":"error","message":"no","labels":[{"file":"ticket.plx","start":{"line":1,"column":1,"offset":0},"end":{"line":1,"column":6,"offset":5}}]}],"errors":1}"#);
}
