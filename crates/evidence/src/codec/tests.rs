//! Files read back as they were written, and damaged ones are refused.

use super::*;
use crate::{
    Certificate, ClosedSet, Finding, Movers, QuotientEdge, RankedNode, Ranking, Recurrence,
    Reduced, Region, Trace, TraceStep, Unrolling, UnrollingStep,
};
use parallax_base::{Id, IdVec, Span};
use parallax_ir::{
    Domain, Edge, Init, Input, Location, Process, Program, Property, PropertyKind, Role, State,
    Temporal, Update, Variable,
};
use parallax_term::{Rat, Sort, TermStore, Value};

/// One process with a choice; an integer, a real, a truth value and a name
/// that needs quoting.
fn program() -> Program {
    let mut store = TermStore::new();
    let mut variables = IdVec::default();
    let mut add = |store: &mut TermStore, name: &str, domain: Domain, role| {
        let term = store.var(name, domain.sort());
        variables.push(Variable { name: name.into(), term, domain, role, span: Span::default() })
    };
    let p: Id<Process> = Id::new(0);
    let control = Domain::Range(0.into(), 0.into());
    let control = add(&mut store, "P[0]@", control, Role::Control(p));
    let x = add(&mut store, "x y|\\", Domain::Int, Role::Shared);
    add(&mut store, "r", Domain::Real, Role::Shared);
    add(&mut store, "b", Domain::Bool, Role::Shared);
    let input = store.var("x!0", Sort::Int);
    let truth = store.bool(true);
    let edge = Edge {
        name: "go".into(),
        source: Id::new(0),
        target: Id::new(0),
        action: None,
        guard: truth,
        inputs: vec![Input { term: input, name: "x".into(), low: None, high: None }],
        constraint: truth,
        updates: vec![Update { variable: x, value: input }],
        span: Span::default(),
    };
    let here = Location { name: "here".into(), is_final: false, span: Span::default() };
    let process = Process {
        name: "P[0]".into(),
        control,
        locations: IdVec::from_iter([here]),
        initial: Id::new(0),
        edges: IdVec::from_iter([edge]),
        span: Span::default(),
    };
    let no = store.bool(false);
    let property = |name: &str| Property {
        name: name.into(),
        kind: PropertyKind::Unreachable,
        temporal: None,
        target: no,
        implicit: false,
        span: Span::default(),
    };
    Program {
        name: "sample".into(),
        store,
        variables,
        processes: IdVec::from_iter([process]),
        actions: IdVec::default(),
        init: Init { fixed: vec![None; 4], predicate: truth },
        properties: IdVec::from_iter([property("first"), property("second")]),
    }
}

fn state(x: Value) -> State {
    let third = Rat::new(1.into(), 3.into()).expect("not zero");
    State::new(vec![Value::int(0), x, Value::Real(Box::new(third)), Value::Bool(true)])
}

fn findings(program: &Program) -> [(Id<Property>, Finding); 2] {
    let mut store = program.store.clone();
    let x = program.variables[Id::new(1)].term;
    let (five, b) = (store.int(5), program.variables[Id::new(3)].term);
    let low = store.le(x, five);
    let formula = store.and([low, b]);
    let region = |fixed| Region { fixed, formula };
    let huge = Value::Int("123456789012345678901234567890".parse().expect("digits"));
    let set = ClosedSet {
        store,
        points: vec![state(Value::int(7)), state(huge.clone())],
        prefix: vec![region(vec![(Id::new(0), Value::int(0))])],
        fragment: vec![region(vec![(Id::new(0), Value::int(0)), (Id::new(1), huge)])],
        quotient: Some(vec![QuotientEdge { source: 0, transition: 0, target: 0 }]),
    };
    let step =
        TraceStep { transition: 0, inputs: vec![Value::int(-4)], state: state(Value::int(-4)) };
    let trace = Trace::new(state(Value::int(1)), vec![step]);
    [
        (Id::new(0), Finding::Proved(Box::new(Certificate::Closed(set)))),
        (Id::new(1), Finding::Reached(Box::new(trace))),
    ]
}

fn written(program: &Program, findings: &[(Id<Property>, Finding)]) -> String {
    let mut out = Vec::new();
    let constants = [(String::from("N"), String::from("3"))];
    let findings: Vec<_> = findings.iter().map(|(p, f)| (*p, f)).collect();
    write_evidence(&mut out, program, &constants, &findings).expect("memory takes all");
    String::from_utf8(out).expect("JSON is text")
}

fn read(text: &str, program: &Program) -> Result<Vec<(Id<Property>, Finding)>, EvidenceError> {
    EvidenceFile::parse(text.as_bytes())?.decode(program)
}

#[test]
fn what_is_written_is_read_back() {
    let program = program();
    let text = written(&program, &findings(&program));
    insta::assert_snapshot!(text.replace("],\"", "],\n\"").replace(",{", ",\n{"), @r#"
    {"schema":"parallax-evidence/1","program":"sample","constants":{"N":"3"},"variables":["P[0]@","x y|\\","r","b"],
    "transitions":["P[0].go"],
    "properties":[{"name":"first","claim":"unreachable","certificate":{"kind":"safe-fragment","points":[[0,7,"1/3",true],[0,"123456789012345678901234567890","1/3",true]],
    "prefix":[{"at":{"P[0]@":0},"formula":"(and b (<= |%x y%7C%5C| 5))"}],
    "fragment":[{"at":{"P[0]@":0,"x y|\\":"123456789012345678901234567890"},"formula":"(and b (<= |%x y%7C%5C| 5))"}],
    "quotient":[[0,0,0]]}},
    {"name":"second","claim":"reached","trace":{"initial":{"P[0]@":0,"x y|\\":1,"r":"1/3","b":true},"steps":[{"transition":"P[0].go","inputs":[-4],
    "state":{"P[0]@":0,"x y|\\":-4,"r":"1/3","b":true}}]}}]}
    "#);
    assert_eq!(EvidenceFile::parse(text.as_bytes()).expect("fresh").constants()[0].1, "3");
    let again = read(&text, &program).expect("fresh");
    assert_eq!(written(&program, &again), text);
}

#[test]
fn who_moves_is_written_and_read_back() {
    let program = program();
    let movers =
        |processes: Option<&[u32]>, rank| Movers { processes: processes.map(Box::from), rank };
    let set = ClosedSet {
        store: program.store.clone(),
        points: vec![state(Value::int(7)), state(Value::int(8))],
        prefix: Vec::new(),
        fragment: vec![Region { fixed: Vec::new(), formula: program.init.predicate }],
        quotient: None,
    };
    let points = vec![movers(Some(&[0, 2]), 3), movers(None, 0)];
    let reduced = Reduced { set, points, fragment: vec![movers(Some(&[]), 1)] };
    assert_eq!(reduced.savings(), 2);
    let proved = Finding::Proved(Box::new(Certificate::Reduced(reduced)));
    let text = written(&program, &[(Id::new(0), proved)]);
    let moves = r#""points_move":[[[0,2],3],[null,0]],"fragment_moves":[[[],1]]"#;
    assert!(text.contains(moves), "{text}");
    let again = read(&text, &program).expect("fresh");
    assert_eq!(written(&program, &again), text);
    let check = |from: &str, to: &str, expected: &str| {
        let error = read(&text.replacen(from, to, 1), &program).expect_err(to).to_string();
        assert!(error.contains(expected), "{from} -> {to}: {error}");
    };
    check("\"reduced\"", "\"enumeration\"", "is really `reduced`");
    check(r#","fragment_moves":[[[],1]]"#, "", "lacks a part");
    check(r#""points_move""#, r#""prefix":[],"points_move""#, "has foreign parts");
    check("[[0,2],3]", "[[0,-2],3]", "expected u32");
}

#[test]
fn trees_are_written_and_read_back() {
    let program = program();
    let step = |parent, transition| UnrollingStep { parent, transition };
    let steps = vec![step(0, 0), step(1, 0), step(0, 9)];
    let movers: Vec<(u32, Box<[u32]>)> = vec![(1, [0, 2].into())];
    let reduced = Unrolling { steps: steps.clone(), movers };
    let proved = Finding::Proved(Box::new(Certificate::Unrolling(reduced)));
    let text = written(&program, &[(Id::new(0), proved)]);
    let moves =
        r#"{"kind":"reduced-unrolling","tree":[[0,0],[1,0],[0,9]],"tree_moves":[[1,[0,2]]]}"#;
    assert!(text.contains(moves), "{text}");
    assert_eq!(written(&program, &read(&text, &program).expect("fresh")), text);
    let tree = Unrolling { steps, ..Unrolling::default() };
    let proved = Finding::Proved(Box::new(Certificate::Unrolling(tree)));
    let text = written(&program, &[(Id::new(0), proved)]);
    let certificate = r#""certificate":{"kind":"unrolling","tree":[[0,0],[1,0],[0,9]]}"#;
    assert!(text.contains(certificate), "{text}");
    // Whether there is a transition 9 is for the checker to say.
    let again = read(&text, &program).expect("fresh");
    assert_eq!(written(&program, &again), text);
    let check = |from: &str, to: &str, expected: &str| {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text, "{from}");
        let error = read(&damaged, &program).expect_err(to).to_string();
        assert!(error.contains(expected), "{from} -> {to}: {error}");
    };
    check("\"unrolling\"", "\"enumeration\"", "is really `unrolling`");
    check("\"tree\"", "\"points\":[],\"tree\"", "lacks a part");
    check("\"tree\"", "\"quotient\":[],\"tree\"", "lacks a part");
    check(",\"tree\":[[0,0],[1,0],[0,9]]", "", "lacks a part");
    check("[1,0]", "[-1,0]", "invalid value");
    check("[1,0]", "[1]", "invalid length");
}

/// The sample program with formulas in the place of its properties.
fn program_with_formulas() -> Program {
    let mut program = program();
    let always = |p: &Property| {
        let (formula, _) = parallax_ltl::parse(Default::default(), "[] b");
        let formula = formula.expect("a formula");
        let b = program.variables[Id::new(3)].term;
        let temporal =
            Temporal { formula, atoms: vec![b], text: format!("{}: [] b", p.name).into() };
        Property { kind: PropertyKind::Ltl, temporal: Some(temporal.into()), ..p.clone() }
    };
    program.properties = program.properties.iter().map(always).collect();
    program
}

#[test]
fn evidence_about_runs() {
    let program = program_with_formulas();
    let node = |state, obligations, rank| RankedNode { state, obligations, rank };
    let ranking = Ranking {
        states: vec![state(Value::int(7))],
        obligations: vec![vec![4], vec![]],
        nodes: vec![node(0, 0, 1), node(0, 1, 0)],
        blamed: vec![None, Some(4)],
    };
    let step =
        TraceStep { transition: 0, inputs: vec![Value::int(1)], state: state(Value::int(1)) };
    let trace = Trace { cycle: Some(0), ..Trace::new(state(Value::int(1)), vec![step]) };
    let findings = [
        (Id::new(0), Finding::Proved(Box::new(Certificate::Ranking(ranking.clone())))),
        (Id::new(1), Finding::Reached(Box::new(trace.clone()))),
    ];
    let text = written(&program, &findings);
    insta::assert_snapshot!(text.replace("],\"", "],\n\""), @r#"
    {"schema":"parallax-evidence/1","program":"sample","constants":{"N":"3"},"formulas":["first: [] b","second: [] b"],
    "variables":["P[0]@","x y|\\","r","b"],
    "transitions":["P[0].go"],
    "properties":[{"name":"first","claim":"satisfied","certificate":{"kind":"ranking","states":[[0,7,"1/3",true]],
    "obligations":[[4],[]],
    "nodes":[[0,0,1],[0,1,0]],
    "blamed":[null,4]}},{"name":"second","claim":"broken","trace":{"initial":{"P[0]@":0,"x y|\\":1,"r":"1/3","b":true},"steps":[{"transition":"P[0].go","inputs":[1],
    "state":{"P[0]@":0,"x y|\\":1,"r":"1/3","b":true}}],
    "cycle":0}}]}
    "#);
    let file = EvidenceFile::parse(text.as_bytes()).expect("fresh");
    assert_eq!(file.formulas(), ["first: [] b", "second: [] b"]);
    let back = file.decode(&program).expect("fresh");
    let Finding::Proved(certificate) = &back[0].1 else { unreachable!("a proof") };
    let Certificate::Ranking(read_back) = &**certificate else { unreachable!("a ranking") };
    assert_eq!(*read_back, ranking);
    assert!(matches!(&back[1].1, Finding::Reached(run) if **run == trace));
    let (store, region) = (program.store.clone(), program.variables[Id::new(3)].term);
    let recurrence = Some(Box::new(Recurrence { store, region }));
    let lasting = Trace { recurrence, ..trace.clone() };
    let finding = Finding::Reached(Box::new(lasting.clone()));
    let lasting_text = written(&program, &[(Id::new(1), finding)]);
    assert!(lasting_text.contains("\"region\":\"b\""), "{lasting_text}");
    let file = EvidenceFile::parse(lasting_text.as_bytes()).expect("fresh");
    let again = file.decode(&program).expect("fresh");
    assert!(matches!(&again[0].1, Finding::Reached(run) if **run == lasting));
    let bent = lasting_text.replace("\"region\":\"b\"", "\"region\":\"c\"");
    let file = EvidenceFile::parse(bent.as_bytes()).expect("its shape is right");
    assert!(file.decode(&program).is_err(), "there is no `c`");
    let check = |from: &str, to: &str, expected: &str| {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text, "{from}");
        let error = read(&damaged, &program).expect_err(to).to_string();
        assert!(error.contains(expected), "{from} -> {to}: {error}");
    };
    check("satisfied", "unreachable", "the claim on `first` lacks its evidence");
    check("broken", "reached", "the claim on `second` lacks its evidence");
    check("\"ranking\"", "\"unrolling\"", "is really `ranking`");
    check(",\"blamed\":[null,4]", "", "lacks a part");
    check("\"kind\"", "\"tree\":[],\"kind\"", "has foreign parts");
    check("[[4],[]]", "[[-4],[]]", "invalid value");
    check("\"cycle\":0", "\"cycle\":-1", "invalid value");
}

#[test]
fn open_questions_have_no_evidence() {
    let program = program();
    let open = Finding::Unknown(crate::Why::NoProgress(String::new()));
    let text = written(&program, &[(Id::new(0), open)]);
    assert!(read(&text, &program).expect("fresh").is_empty());
}

#[test]
fn damage_is_named() {
    let program = program();
    let text = written(&program, &findings(&program));
    let check = |from: &str, to: &str, expected: &str| {
        let damaged = text.replacen(from, to, 1);
        assert_ne!(damaged, text, "{from}");
        let error = read(&damaged, &program).expect_err(to).to_string();
        assert!(error.contains(expected), "{from} -> {to}: {error}");
    };
    check("evidence/1", "evidence/2", "schema `parallax-evidence/2`");
    check("\"constants\"", "\"konstants\"", "unknown field `konstants`");
    check("[\"P[0]@\"", "[\"Q[0]@\"", "has a variable `Q[0]@` where the program has `P[0]@`");
    check(",\"b\"]", "]", "it has 3 variables, the program has 4");
    check("\"first\"", "\"third\"", "there is no property `third`");
    check("\"second\"", "\"first\"", "property `first` occurs twice");
    check("unreachable", "reached", "the claim on `first` lacks its evidence");
    check("safe-fragment", "enumeration", "is really `safe-fragment`");
    check("\"prefix\"", "\"tree\":[],\"prefix\"", "lacks a part");
    check("[0,7,", "[7,", "3 values where 4 are needed");
    check("[0,7,", "[0,true,", "`true` is not of sort Int");
    check("[0,7,", "[0,7.5,", "a truth value, an integer");
    check("\"1/3\"", "\"1/0\"", "`1/0` is not a number");
    check("(and", "(nand", "formula");
    check("\"transition\":\"P[0].go\"", "\"transition\":\"\"", "there is no transition ``");
    check("\"b\":true}", "\"x y|\\\\\":3}", "two values for");
    check(",\"b\":true}", "}", "leaves variables open");
    check("\"initial\":{", "\"initial\":{\"c\":1,", "there is no variable `c`");
    check("}]}\n", "", "EOF");
}

#[test]
fn no_damaged_byte_is_a_panic() {
    let program = program();
    let text = written(&program, &findings(&program));
    for at in 0..text.len() {
        for byte in [b'"', b'[', b'0', b'}', 0xff] {
            let mut damaged = text.clone().into_bytes();
            damaged[at] = byte;
            // Accepted or refused, but never a crash.
            let _ = EvidenceFile::parse(&damaged).and_then(|file| file.decode(&program));
        }
        let _ = EvidenceFile::parse(&text.as_bytes()[..at]);
    }
    let deep = "[".repeat(1_000_000);
    assert!(matches!(EvidenceFile::parse(deep.as_bytes()), Err(EvidenceError::Syntax(_))));
}
