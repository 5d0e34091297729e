//! From a run over terms to a run of the program.
//!
//! The values chosen on each edge of the encoded program are handed to the
//! interpreter of the program form when it comes to the operation that asks for
//! them. Blocks are followed by their cut points: whenever the interpreter
//! leaves one, the next step of the run over terms has begun.
//!
//! # Soundness
//! Nothing here is trusted. The interpreter decides what the program does with
//! these values; if it does something else than the run over terms, there is
//! no counterexample.

use crate::encoder::Source;
use crate::program::Encoded;
use parallax_base::Id;
use parallax_cfa::run::{
    Arbitrary, CheckKind, Interpreter, Observer, Options, Oracle, Outcome, Report, View,
};
use parallax_cfa::{CProperty, Edge, FloatKind, Function, Op, Scalar, ScalarType, Variable};
use parallax_term::{Float, FloatFormat, Int, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A choice of the environment, in the order in which a run asks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Given {
    /// An input.
    Input(Scalar),
    /// A scalar that the program does not determine.
    Arbitrary(Scalar),
    /// The first contents of an object.
    Contents(Vec<u8>),
}

/// A run of the program form.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What it did.
    pub report: Report,
    /// What it was given, in order.
    pub given: Vec<Given>,
    /// The edge that each of these was given to.
    pub edges: Vec<Option<Id<Edge>>>,
    /// The labels it passed.
    pub labels: BTreeSet<std::sync::Arc<str>>,
}

impl Encoded {
    /// Runs the program with the choices of a run over terms: its first state,
    /// then transitions with their inputs.
    pub fn replay<'t>(
        &self,
        initial: &[Value],
        steps: impl Iterator<Item = (usize, &'t [Value])>,
        options: Options,
    ) -> Replayed {
        let mut script = Vec::new();
        for (transition, inputs) in steps {
            let choices = self.choices.get(transition).map_or(&[][..], Vec::as_slice);
            let chosen = choices.iter().zip(inputs);
            script.push(chosen.map(|(c, v)| (c.edge, c.source.clone(), v.clone())).collect());
        }
        let Some(main) = self.form.main else {
            return Replayed::default_of(self);
        };
        let function = &self.form.functions[main];
        let guide = Rc::new(RefCell::new(Guide::default()));
        let mut oracle = Scripted {
            encoded: self,
            script,
            initial: initial.to_vec(),
            guide: Rc::clone(&guide),
            given: Vec::new(),
            edges: Vec::new(),
        };
        let cuts = self.cuts.iter().flatten().map(|l| l.index()).collect();
        let mut watch = Watch { function, cuts, guide };
        let options = self.arguments(initial, options);
        let report = Interpreter::new(&self.form, options).observe(&mut oracle, &mut watch);
        let labels = std::mem::take(&mut watch.guide.borrow_mut().labels);
        Replayed { report, given: oracle.given, edges: oracle.edges, labels }
    }

    /// As many arguments of `main` as the run over terms has.
    fn arguments(&self, initial: &[Value], mut options: Options) -> Options {
        let first = self.form.main.and_then(|m| self.form.functions[m].parameters.first());
        let count = first.and_then(|v| self.start_value(initial, *v));
        if let Some(count) = count.and_then(|v| usize::try_from(as_int(&v)?).ok())
            && count <= 4096
        {
            options.arguments.resize(count, Vec::new());
        }
        options
    }

    /// The value a scalar variable has in the first state.
    fn start_value(&self, initial: &[Value], variable: Id<Variable>) -> Option<Value> {
        let slot = self.scalars.iter().find(|(v, _)| *v == variable)?.1;
        initial.get(slot).cloned()
    }
}

impl Replayed {
    fn default_of(encoded: &Encoded) -> Replayed {
        let report = Interpreter::new(&encoded.form, Options::default()).run(&mut Empty);
        Replayed { report, given: Vec::new(), edges: Vec::new(), labels: BTreeSet::new() }
    }

    /// Whether the run does what a property forbids.
    pub fn violates(&self, property: &CProperty) -> bool {
        violates(&self.report, property)
            || matches!(property, CProperty::Label(l) if self.labels.contains(l))
    }
}

/// Whether a run that ended this way does what a property forbids.
pub fn violates(report: &Report, property: &CProperty) -> bool {
    let undefined =
        |kinds: &[CheckKind]| matches!(report.outcome, Outcome::Undefined(k) if kinds.contains(&k));
    let ended = matches!(report.outcome, Outcome::Exit(_) | Outcome::Halt);
    match property {
        CProperty::Errors | CProperty::Call(_) => match &report.outcome {
            Outcome::Error(text) => property.asks_error(&Op::Error(text.clone())),
            _ => false,
        },
        CProperty::Overflow => undefined(&[CheckKind::Overflow]),
        CProperty::Division => undefined(&[CheckKind::Division]),
        CProperty::Shift => undefined(&[CheckKind::Shift]),
        CProperty::FloatConversion => undefined(&[CheckKind::FloatConversion]),
        CProperty::Deref => undefined(&[CheckKind::Access, CheckKind::Callable]),
        CProperty::Free => undefined(&[CheckKind::Free]),
        CProperty::Initialized => undefined(&[CheckKind::Initialized]),
        CProperty::Cleanup => ended && !report.leaks.is_empty(),
        CProperty::Track => ended && report.leaks.iter().any(|leak| !leak.reachable),
        CProperty::Label(_) | CProperty::Other(_) => false,
    }
}

struct Empty;

impl Oracle for Empty {
    fn input(&mut self, _name: &str, _ty: ScalarType) -> Option<Scalar> {
        None
    }
}

/// Where the interpreter is.
#[derive(Default)]
struct Guide {
    /// The step of the run over terms, from one; zero before the first.
    step: usize,
    edge: Option<Id<Edge>>,
    labels: BTreeSet<std::sync::Arc<str>>,
}

struct Watch<'p> {
    function: &'p Function,
    cuts: BTreeSet<usize>,
    guide: Rc<RefCell<Guide>>,
}

impl Observer for Watch<'_> {
    fn step(&mut self, _view: &View<'_>, edge: Id<Edge>) {
        let mut guide = self.guide.borrow_mut();
        let source = self.function.edges[edge].source;
        if self.cuts.contains(&source.index()) {
            guide.step += 1;
        }
        for at in [source, self.function.edges[edge].target] {
            guide.labels.extend(self.function.locations[at].label.clone());
        }
        guide.edge = Some(edge);
    }
}

struct Scripted<'p> {
    encoded: &'p Encoded,
    script: Vec<Vec<(Id<Edge>, Source, Value)>>,
    initial: Vec<Value>,
    guide: Rc<RefCell<Guide>>,
    given: Vec<Given>,
    edges: Vec<Option<Id<Edge>>>,
}

impl Scripted<'_> {
    fn note(&mut self, given: Given) {
        self.given.push(given);
        self.edges.push(self.guide.borrow().edge);
    }

    /// What the run over terms chose for the operation at hand.
    fn chosen(&self, wanted: impl Fn(&Source) -> bool) -> Option<&Value> {
        let guide = self.guide.borrow();
        let step = self.script.get(guide.step.checked_sub(1)?)?;
        let here = |(edge, source, _): &&(Id<Edge>, Source, Value)| {
            Some(*edge) == guide.edge && wanted(source)
        };
        step.iter().find(here).map(|(_, _, value)| value)
    }
}

impl Oracle for Scripted<'_> {
    fn input(&mut self, _name: &str, ty: ScalarType) -> Option<Scalar> {
        let value = self.chosen(|s| *s == Source::Input);
        let scalar = value.and_then(|v| scalar(v, ty)).unwrap_or(Scalar { ty, bits: 0 });
        self.note(Given::Input(scalar));
        Some(scalar)
    }

    fn arbitrary(&mut self, _what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        let value = self.chosen(|s| *s == Source::Open);
        let scalar = value.and_then(|v| scalar(v, ty)).unwrap_or(Scalar { ty, bits: 0 });
        self.note(Given::Arbitrary(scalar));
        scalar
    }

    fn contents(&mut self, what: Arbitrary<'_>, bytes: &mut [u8]) {
        if let Arbitrary::Variable(variable) = what {
            let chosen = self.chosen(|s| *s == Source::Uninitialized(variable)).cloned();
            let value = chosen.or_else(|| self.encoded.start_value(&self.initial, variable));
            let form = &self.encoded.form;
            let ty = form.types.scalar(form.variables[variable].ty);
            if let Some(scalar) = ty.and_then(|ty| scalar(&value?, ty)) {
                let whole = scalar.bits.to_le_bytes();
                let size = bytes.len().min(whole.len());
                bytes[..size].copy_from_slice(&whole[..size]);
            }
        }
        self.note(Given::Contents(bytes.to_vec()));
    }
}

fn as_int(value: &Value) -> Option<i128> {
    match value {
        Value::Int(i) => int_bits(i),
        Value::Bv(bits) => Some(bits.bits() as i128),
        Value::Bool(b) => Some(i128::from(*b)),
        _ => None,
    }
}

/// The number, or its two's complement bits, if it fits 128 bits.
fn int_bits(value: &Int) -> Option<i128> {
    value
        .to_string()
        .parse::<i128>()
        .ok()
        .or_else(|| value.to_string().parse::<u128>().ok().map(|bits| bits as i128))
}

/// A value over terms as a scalar of the program.
fn scalar(value: &Value, ty: ScalarType) -> Option<Scalar> {
    if let (ScalarType::Float(kind), Value::Float(float)) = (ty, value) {
        return Some(Scalar { ty, bits: machine_bits(kind, *float) });
    }
    as_int(value).map(|value| Scalar::int(ty, value))
}

/// The bits of a float in memory. The x87 format has its leading bit stored.
pub(crate) fn machine_bits(kind: FloatKind, float: Float) -> u128 {
    let bits = float.bits();
    if kind != FloatKind::LongDouble {
        return bits;
    }
    let fraction = bits & ((1 << 63) - 1);
    let exponent = bits >> 63 & 0x7fff;
    let sign = bits >> 78;
    let leading = u128::from(exponent != 0);
    sign << 79 | exponent << 64 | leading << 63 | fraction
}

/// The float with these bits in memory.
pub(crate) fn of_machine_bits(format: FloatFormat, bits: u128) -> Float {
    if format != FloatFormat::EXTENDED {
        return Float::from_bits(format, bits);
    }
    let fraction = bits & ((1 << 63) - 1);
    let exponent = bits >> 64 & 0x7fff;
    let sign = bits >> 79 & 1;
    Float::from_bits(format, sign << 78 | exponent << 63 | fraction)
}
