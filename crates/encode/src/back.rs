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

use crate::encoder::Choice;
use crate::program::Encoded;
use crate::schedule::{Moved, Schedule};
use crate::script::{Guide, Scripted, Watch};
use parallax_base::Id;
use parallax_cfa::run::{Given, Interpreter, Options, Oracle, Report};
use parallax_cfa::{Edge, FloatKind, Function, Scalar, ScalarType, Variable};
use parallax_term::{Float, FloatFormat, Int, Value};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::rc::Rc;

/// A choice with the place that asked for it.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The thread that asked; zero is that of `main`.
    pub thread: usize,
    /// The edge; `None` before the start.
    pub edge: Option<(Id<Function>, Id<Edge>)>,
    /// The variable whose value it is, if it is one's.
    pub variable: Option<Id<Variable>>,
    /// What was given.
    pub given: Given,
}

/// A run of the program form.
#[derive(Clone, Debug)]
pub struct Replayed {
    /// What it did.
    pub report: Report,
    /// What it asked for and was given, in order.
    pub asked: Vec<Asked>,
    /// Who moved when, if there are several threads.
    pub(crate) log: Vec<Moved>,
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
        let (mut script, mut order) = (Vec::new(), Vec::new());
        for (transition, inputs) in steps {
            let choices = self.choices.get(transition).map_or(&[][..], Vec::as_slice);
            let chosen = choices.iter().zip(inputs);
            let choice =
                |(c, v): (&Choice, &Value)| ((c.function, c.edge), c.source.clone(), v.clone());
            script.push(chosen.map(choice).collect());
            order.push(transition);
        }
        if self.form.main.is_none() {
            return Replayed::default_of(self);
        }
        let schedule = Schedule::new(self, &order);
        let guide = Guide::new(script, schedule, initial, &self.layout);
        let guide = Rc::new(RefCell::new(guide));
        let mut oracle = Scripted::new(self, Rc::clone(&guide));
        let mut watch = Watch::new(self, Rc::clone(&guide));
        let options = Options { lazy: true, ..self.arguments(initial, options) };
        let report = Interpreter::new(&self.form, options).observe(&mut oracle, &mut watch);
        let log = std::mem::take(&mut guide.borrow_mut().schedule.log);
        Replayed { report, asked: oracle.asked, log }
    }

    /// The cut points of all functions.
    pub(crate) fn cut_points(&self) -> BTreeSet<(Id<Function>, usize)> {
        let mut found = BTreeSet::new();
        let mut start = 0;
        for (function, end) in self.starts.iter().zip(&self.ends) {
            let cuts = self.cuts.iter().take(*end).skip(start).flatten();
            found.extend(cuts.map(|at| (*function, at.index())));
            start = *end;
        }
        found
    }

    /// As many arguments of `main` as the run over terms has.
    pub fn arguments(&self, initial: &[Value], mut options: Options) -> Options {
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
        Replayed { report, asked: Vec::new(), log: Vec::new() }
    }
}

struct Empty;

impl Oracle for Empty {
    fn input(&mut self, _name: &str, _ty: ScalarType) -> Option<Scalar> {
        None
    }
}

pub(crate) fn as_int(value: &Value) -> Option<i128> {
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
pub(crate) fn scalar(value: &Value, ty: ScalarType) -> Option<Scalar> {
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
