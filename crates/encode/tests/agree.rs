//! The program over terms does what the program form does.
//!
//! Each program is run by the interpreter of the program form with random
//! choices. The same choices are then handed to the interpreter of the encoded
//! program: at every cut point exactly one edge must be possible, and both runs
//! must end the same way. This is asked of both encodings, of single operations
//! and of loop-free blocks.

#![expect(clippy::panic, reason = "a test that cannot go on says why")]

use parallax_base::{Id, SourceMap};
use parallax_cfa::run::{Arbitrary, Interpreter, Observer, Options, Oracle, Outcome, Seeded, View};
use parallax_cfa::{CProperty, Edge, Program, Scalar, ScalarType};
use parallax_encode::{Blocks, Encoded, Encoding, Passes, Source, prepare};
use parallax_front_c as front;
use parallax_ir as ir;
use parallax_term::{ArrayValue, Bv, Float, FloatFormat, Int, Sort, TermStore, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;

fn load(name: &str, text: &str) -> Program {
    let mut sources = SourceMap::default();
    let inputs = [front::Input::text(name, text)];
    match front::load(&mut sources, &inputs, &front::Options::default()) {
        Ok(loaded) => loaded.program,
        Err(diagnostics) => {
            let all: Vec<_> = diagnostics.iter().map(|d| d.message.clone()).collect();
            panic!("{name}: {all:?}");
        }
    }
}

/// What one step of the encoded program is given: by edge of the program form.
type Step = BTreeMap<(Id<Edge>, u8), Scalar>;

#[derive(Default)]
struct Log {
    steps: Vec<Step>,
    edge: Option<Id<Edge>>,
}

struct Watch<'p> {
    program: &'p Program,
    cuts: BTreeSet<usize>,
    log: Rc<RefCell<Log>>,
}

impl Observer for Watch<'_> {
    fn step(&mut self, _view: &View<'_>, edge: Id<Edge>) {
        let main = self.program.main.expect("a start function");
        let source = self.program.functions[main].edges[edge].source;
        let mut log = self.log.borrow_mut();
        if self.cuts.contains(&source.index()) {
            log.steps.push(Step::new());
        }
        log.edge = Some(edge);
    }
}

struct Recorder<'p> {
    program: &'p Program,
    seeded: Seeded,
    log: Rc<RefCell<Log>>,
    start: BTreeMap<usize, Scalar>,
}

impl Recorder<'_> {
    fn note(&self, kind: u8, value: Scalar) {
        let Log { steps, edge } = &mut *self.log.borrow_mut();
        if let (Some(edge), Some(step)) = (edge, steps.last_mut()) {
            step.insert((*edge, kind), value);
        }
    }
}

impl Oracle for Recorder<'_> {
    fn input(&mut self, name: &str, ty: ScalarType) -> Option<Scalar> {
        let value = self.seeded.input(name, ty)?;
        self.note(0, value);
        Some(value)
    }

    fn arbitrary(&mut self, what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        let value = self.seeded.arbitrary(what, ty);
        self.note(1, value);
        value
    }

    fn contents(&mut self, what: Arbitrary<'_>, bytes: &mut [u8]) {
        let Arbitrary::Variable(v) = what else { return };
        let Some(ty) = self.program.types.scalar(self.program.variables[v].ty) else { return };
        if ty.is_pointer() || bytes.len() > 16 {
            return;
        }
        let value = self.seeded.arbitrary(what, ty);
        let whole = value.bits.to_le_bytes();
        let size = bytes.len();
        bytes.copy_from_slice(&whole[..size]);
        if self.log.borrow().edge.is_none() {
            self.start.insert(v.index(), value);
        }
        self.note(2, value);
    }
}

fn value(scalar: Scalar, sort: Sort) -> Value {
    match sort {
        Sort::Int => Value::Int(Int::from_i128(scalar.as_int())),
        Sort::Bv(width) => Value::Bv(Bv::new(width, scalar.bits)),
        Sort::Bool => Value::Bool(scalar.bits != 0),
        Sort::Float(format) if format == FloatFormat::EXTENDED => Value::default_of(sort),
        Sort::Float(format) => Value::Float(Float::from_bits(format, scalar.bits)),
        sort => Value::default_of(sort),
    }
}

/// How a run of the encoded program ends.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Finished,
    Violated(String),
    Gap(String),
    /// More than one edge, or none, was possible.
    Stuck(String),
}

/// Runs the encoded program along the recorded choices.
fn follow(encoded: &Encoded, start: &BTreeMap<usize, Scalar>, steps: &[Step]) -> End {
    let program = &encoded.program;
    let store: &TermStore = &program.store;
    let mut interpreter = ir::Interpreter::new(program);
    let mut values: Vec<Value> = program
        .variables
        .iter()
        .zip(&program.init.fixed)
        .map(|(v, fixed)| fixed.clone().unwrap_or_else(|| Value::default_of(v.domain.sort())))
        .collect();
    // Objects lie somewhere, and no program here looks where.
    for (variable, value) in program.variables.iter().zip(&mut values) {
        if let (true, Value::Array(array)) = (&*variable.name == "address of object", &value) {
            let somewhere = match array.element_sort() {
                parallax_term::Scalar::Bv(width) => Value::Bv(Bv::new(width, 0x10_0000)),
                _ => Value::int(0x10_0000),
            };
            let all = ArrayValue::constant(array.index_sort(), somewhere);
            *value = Value::Array(all.into());
        }
    }
    for (v, slot) in &encoded.scalars {
        if let Some(scalar) = start.get(&v.index()) {
            values[*slot] = value(*scalar, program.variables[Id::new(*slot)].domain.sort());
        }
    }
    let mut state = ir::State::new(settle(program, values));
    let control = program.processes[Id::new(0)].control;
    for step in steps {
        let mut next = Vec::new();
        for transition in interpreter.candidates(&state) {
            let sorts: Vec<Sort> = interpreter.transitions()[transition]
                .inputs
                .iter()
                .map(|i| store.sort(i.term))
                .collect();
            let inputs: Vec<Value> = encoded.choices[transition]
                .iter()
                .zip(sorts)
                .map(|(choice, sort)| {
                    let kinds: &[u8] = match choice.source {
                        Source::Input => &[0],
                        Source::Open => &[1],
                        Source::Uninitialized(_) | Source::Slot(_) => &[2, 1],
                    };
                    let given =
                        kinds.iter().find_map(|kind| step.get(&(choice.edge, *kind)).copied());
                    given.map_or_else(|| Value::default_of(sort), |s| value(s, sort))
                })
                .collect();
            if let Some(after) = interpreter.step(&state, transition, &inputs) {
                next.push((interpreter.transitions()[transition].name.clone(), after));
            }
        }
        let [(_, after)] = &next[..] else {
            let names: Vec<&String> = next.iter().map(|(n, _)| n).collect();
            return End::Stuck(format!(
                "{} edges from {:?}: {names:?}",
                next.len(),
                state[control.index()]
            ));
        };
        state = after.clone();
    }
    let at = state[control.index()].as_int().and_then(Int::to_i64).expect("a location") as usize;
    let name = &program.processes[Id::new(0)].locations[Id::new(at)].name;
    match encoded.gaps.iter().find(|g| g.location.index() == at) {
        Some(gap) => End::Gap(gap.what.to_string()),
        None if &**name == "end" => End::Finished,
        None => match name.strip_prefix("violated ") {
            Some(property) => End::Violated(property.to_owned()),
            None => End::Stuck(format!("at {name}")),
        },
    }
}

/// A state that satisfies the initial condition: conditions on single cells
/// and scalars are equations with constants.
fn settle(program: &ir::Program, mut values: Vec<Value>) -> Vec<Value> {
    use parallax_term::{Node, Op};
    let store = &program.store;
    let conjuncts = match store.node(program.init.predicate) {
        Node::And(items) => items.to_vec(),
        _ => vec![program.init.predicate],
    };
    let slot = |t| program.variables.iter().position(|v| v.term == t);
    for condition in conjuncts {
        // Try both readings of an equation: term = constant.
        let variables = store.vars(condition);
        let [variable] = variables[..] else { continue };
        let Some(at) = slot(variable) else { continue };
        let selects: Vec<_> = store
            .subterms(&[condition])
            .into_iter()
            .filter_map(|t| match store.node(t) {
                Node::Apply(Op::Select, arguments) => Some((arguments[0], arguments[1])),
                _ => None,
            })
            .collect();
        let constants: Vec<Value> = store
            .subterms(&[condition])
            .into_iter()
            .filter_map(|t| store.value(t).cloned())
            .collect();
        let code = parallax_term::Code::compile(store, &[condition], slot);
        let mut scratch = parallax_term::Scratch::default();
        if code.test(&values, &mut scratch) {
            continue;
        }
        let mut candidates = constants.clone();
        candidates.push(Value::int(0));
        let linear = |v: &Value| match v {
            Value::Int(i) => Some(Value::Int(-i)),
            _ => None,
        };
        candidates.extend(constants.iter().filter_map(linear));
        if let Node::Compare(_, line) = store.node(condition) {
            let c = line.constant_part().clone();
            if let Some(i) = c.to_int() {
                candidates.extend([Value::Int(i.clone()), Value::Int(-i)]);
            }
        }
        let before = values[at].clone();
        for candidate in candidates {
            values[at] = match (&before, &selects[..]) {
                (Value::Array(array), [(_, index)]) => {
                    let mut array = (**array).clone();
                    let Some(index) = store.value(*index) else { continue };
                    if candidate.sort() != Sort::from(array.element_sort()) {
                        continue;
                    }
                    array.set(index.clone(), candidate);
                    Value::Array(array.into())
                }
                _ if candidate.sort() == before.sort() => candidate,
                _ => continue,
            };
            if code.test(&values, &mut scratch) {
                break;
            }
            values[at] = before.clone();
        }
    }
    values
}

/// Runs a program form and its encodings with one seed; says how the runs
/// that were compared ended.
fn compare(name: &str, program: &Program, properties: &[CProperty], seed: u64) -> Option<End> {
    let mut ended = None;
    for (encoding, blocks, passes) in [
        (Encoding::Integers, Blocks::LoopFree, Passes::Whole),
        (Encoding::Integers, Blocks::LoopFree, Passes::Plain),
        (Encoding::Integers, Blocks::LoopFree, Passes::All),
        (Encoding::Integers, Blocks::Single, Passes::Whole),
        (Encoding::Vectors, Blocks::LoopFree, Passes::All),
        (Encoding::Vectors, Blocks::Single, Passes::Plain),
    ] {
        let options =
            parallax_encode::Options { encoding, blocks, properties: properties.to_vec(), passes };
        let prepared = prepare(program, &options, &Default::default()).expect("an encoding");
        let encoded = &prepared.encoded;
        encoded.program.validate().expect("a well-formed program");
        let log = Rc::new(RefCell::new(Log::default()));
        let mut recorder = Recorder {
            program: &encoded.form,
            seeded: Seeded::new(seed),
            log: Rc::clone(&log),
            start: BTreeMap::new(),
        };
        let cuts = encoded.cuts.iter().flatten().map(|l| l.index()).collect();
        let mut watch = Watch { program: &encoded.form, cuts, log: Rc::clone(&log) };
        let limits = Options { max_steps: 20_000, ..Options::default() };
        let report = Interpreter::new(&encoded.form, limits).observe(&mut recorder, &mut watch);
        let expected = match &report.outcome {
            Outcome::Exit(_) | Outcome::Halt => End::Finished,
            Outcome::Error(_) => End::Violated("unreach-call".into()),
            // Undefined runs are left out; an encoding may end them or not.
            Outcome::Undefined(_) | Outcome::StepLimit => continue,
            other => panic!("{name}: {other} with seed {seed}"),
        };
        let steps = std::mem::take(&mut log.borrow_mut().steps);
        let found = follow(encoded, &recorder.start, &steps);
        assert_eq!(
            found,
            expected,
            "{name} with seed {seed}, {encoding:?}, {blocks:?}: {} steps, at {:?}",
            steps.len(),
            report.position.map(|p| p.edge)
        );
        ended = Some(found);
    }
    ended
}

#[test]
fn encoded_programs_run_like_their_program_forms() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .expect("the folder of programs")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    names.sort();
    assert!(!names.is_empty());
    for path in names {
        let text = std::fs::read_to_string(&path).expect("a program");
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        let program = load(&name, &text);
        let ends: Vec<End> = (0..20)
            .filter_map(|seed| compare(&name, &program, &[CProperty::Errors], seed))
            .collect();
        // Runs that are left out prove nothing: both ends must have been seen.
        let violated = ends.iter().filter(|e| matches!(e, End::Violated(_))).count();
        let finished = ends.iter().filter(|e| **e == End::Finished).count();
        assert!(violated > 0 && finished > 0, "{name}: {violated} violated, {finished} finished");
    }
}
