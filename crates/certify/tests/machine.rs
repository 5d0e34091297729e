//! A program with an array, bits and a floating-point number, from its
//! evidence through a file to the checker.

use parallax_base::{Budget, Id, IdVec, Span};
use parallax_certify::{Rejected, check, replay};
use parallax_evidence::{
    Certificate, ClosedSet, EvidenceFile, Finding, Region, Trace, TraceStep, write_evidence,
};
use parallax_ir::{
    Domain, Edge, Init, Input, Interpreter, Location, Process, Program, Property, PropertyKind,
    Role, Update, Variable,
};
use parallax_solver::Z3;
use parallax_term::{
    ArrayValue, Bv, Float, FloatFormat, RoundingMode, Scalar, Sort, Term, TermStore, Value,
};

const CELL: Scalar = Scalar::Bv(8);
const INDEX: Scalar = Scalar::Bv(32);

/// Where a variable stands in a state; 0 is the control variable.
const M: usize = 1;
const I: usize = 2;
const F: usize = 3;

/// Fills `m[i]` with sevens and halves `f`, for `i` from 0 to 3:
/// `while (i < 4) { m[i] = 7; i++; f = f / 2; v = any; }`
fn program() -> Program {
    let mut s = TermStore::new();
    let mut variables = IdVec::default();
    let mut add = |s: &mut TermStore, name: &str, domain: Domain, role| -> (Id<Variable>, Term) {
        let term = s.var(name, domain.sort());
        let span = Span::default();
        (variables.push(Variable { name: name.into(), term, domain, role, span }), term)
    };
    let here = Domain::Range(0.into(), 0.into());
    let (control, _) = add(&mut s, "P@", here, Role::Control(Id::new(0)));
    let (m, m_term) = add(&mut s, "m", Domain::Array(INDEX, CELL), Role::Shared);
    let (i, i_term) = add(&mut s, "i", Domain::Bv(32), Role::Shared);
    let (f, f_term) = add(&mut s, "f", Domain::Float(FloatFormat::SINGLE), Role::Shared);
    let (v, _) = add(&mut s, "v", Domain::Bv(2), Role::Shared);
    let input = s.fresh("v", Sort::Bv(2));
    let (four, seven, one) = (s.bv(32, 4), s.bv(8, 7), s.bv(32, 1));
    let two = s.float(Float::from_f32(2.0));
    let truth = s.bool(true);
    let edge = Edge {
        name: "fill".into(),
        source: Id::new(0),
        target: Id::new(0),
        action: None,
        guard: s.bv_ult(i_term, four),
        inputs: vec![Input { term: input, name: "v".into(), low: None, high: None }],
        constraint: truth,
        updates: vec![
            Update { variable: m, value: s.store(m_term, i_term, seven) },
            Update { variable: i, value: s.bv_add(i_term, one) },
            Update { variable: f, value: s.float_div(RoundingMode::NearestEven, f_term, two) },
            Update { variable: v, value: input },
        ],
        span: Span::default(),
    };
    let span = Span::default();
    let process = Process {
        name: "P".into(),
        control,
        locations: IdVec::from_iter([Location { name: "here".into(), is_final: false, span }]),
        initial: Id::new(0),
        edges: IdVec::from_iter([edge]),
        span,
    };
    let last = s.bv(32, 3);
    let cell = s.select(m_term, last);
    let (full, filled) = (s.eq(i_term, four), s.eq(cell, seven));
    let empty = s.not(filled);
    let wrong = s.and([full, empty]);
    let limit = s.float(Float::from_f32(0.125));
    let small = s.float_lt(f_term, limit);
    let reached = s.and([filled, small]);
    let property = |name: &str, target: Term| Property {
        name: name.into(),
        kind: PropertyKind::Unreachable,
        temporal: None,
        target,
        implicit: false,
        span,
    };
    let program = Program {
        name: "fill".into(),
        store: s,
        variables,
        processes: IdVec::from_iter([process]),
        actions: IdVec::default(),
        init: Init {
            fixed: vec![
                Some(Value::int(0)),
                None,
                Some(Bv::new(32, 0).into()),
                Some(Float::from_f32(1.5).into()),
                Some(Bv::new(2, 0).into()),
            ],
            predicate: truth,
        },
        properties: IdVec::from_iter([property("wrong", wrong), property("reached", reached)]),
    };
    program.validate().expect("a program");
    program
}

/// Up to `i` all cells are filled.
fn proof(program: &Program, filled: u128) -> Certificate {
    let mut store = program.store.clone();
    let [m, i] = [M, I].map(|at| program.variables[Id::new(at)].term);
    let (four, seven) = (store.bv(32, 4), store.bv(8, filled));
    let mut items = vec![store.bv_ule(i, four)];
    for k in 0..4 {
        let k = store.bv(32, k);
        let (cell, past) = (store.select(m, k), store.bv_ult(k, i));
        let same = store.eq(cell, seven);
        items.push(store.implies(past, same));
    }
    let formula = store.and(items);
    let fragment = vec![Region { fixed: vec![(Id::new(0), Value::int(0))], formula }];
    Certificate::Closed(ClosedSet {
        store,
        points: vec![],
        prefix: vec![],
        fragment,
        quotient: None,
    })
}

/// The run from an array of nines.
fn run(program: &Program) -> Trace {
    let mut interpreter = Interpreter::new(program);
    let nines = ArrayValue::constant(INDEX, Bv::new(8, 9).into());
    let fixed = program.init.fixed.iter().cloned();
    let values: Vec<Value> = fixed.map(|v| v.unwrap_or_else(|| nines.clone().into())).collect();
    let initial = parallax_ir::State::new(values);
    let mut trace = Trace::new(initial.clone(), vec![]);
    let mut state = initial;
    for step in 0..4 {
        let inputs = vec![Value::Bv(Bv::new(2, step))];
        state = interpreter.step(&state, 0, &inputs).expect("the step is possible");
        trace.steps.push(TraceStep { transition: 0, inputs, state: state.clone() });
    }
    trace
}

#[test]
fn evidence_about_machine_data_is_written_read_and_checked() {
    let program = program();
    let [wrong, reached] = [0, 1].map(Id::<Property>::new);
    let findings = [
        (wrong, Finding::Proved(Box::new(proof(&program, 7)))),
        (reached, Finding::Reached(Box::new(run(&program)))),
    ];
    let mut text = Vec::new();
    let listed: Vec<_> = findings.iter().map(|(p, f)| (*p, f)).collect();
    write_evidence(&mut text, &program, &[], &listed).expect("memory takes all");
    let read = EvidenceFile::parse(&text).and_then(|file| file.decode(&program));
    let read = read.expect("what was written is read");
    assert_eq!(read.len(), 2);
    for (property, finding) in &read {
        match finding {
            Finding::Proved(certificate) => {
                let budget = &Budget::unlimited();
                let found = check(&program, *property, certificate, &mut Z3::new(), budget);
                found.expect("a proof");
                // A false invariant is no proof.
                let claim = proof(&program, 8);
                let refused = check(&program, *property, &claim, &mut Z3::new(), budget);
                assert!(matches!(refused, Err(Rejected::Target(_))), "{refused:?}");
            }
            Finding::Reached(trace) => {
                replay(&program, *property, trace).expect("a run");
                let last = trace.steps.last().expect("four steps");
                let cells = last.state[M].as_array().expect("an array");
                assert_eq!(cells.len(), 4);
                assert_eq!(last.state[F], Float::from_f32(0.09375).into());
                // Another value in one cell is another run.
                let mut damaged = trace.clone();
                let mut cells = cells.clone();
                cells.set(Bv::new(32, 9).into(), Bv::new(8, 1).into());
                let mut values = last.state.to_vec();
                values[M] = cells.into();
                damaged.steps[3].state = parallax_ir::State::new(values);
                let refused = replay(&program, *property, &damaged);
                assert!(matches!(refused, Err(Rejected::Step(_))), "{refused:?}");
            }
            other => panic!("{other:?}"),
        }
    }
}
