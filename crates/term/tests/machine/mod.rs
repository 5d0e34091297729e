//! Random terms over machine data with the value that each should have.
//!
//! A term is built by the normalising constructors, its value by the functions
//! themselves on the values of the parts. So a constructor that changes the
//! meaning gives a term whose value is not the expected one.

use crate::random::Random;
use parallax_term::{
    ArrayValue, Bv, Float, FloatClass, FloatFormat, Int, Op, Rat, RoundingMode, Scalar, Sort, Term,
    TermStore, Value,
};

/// A term and its value in the state of the [`Machine`] that built it.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) term: Term,
    pub(crate) value: Value,
}

/// Builds terms over some symbols with fixed values.
pub(crate) struct Machine {
    pub(crate) store: TermStore,
    /// The symbols and their values.
    pub(crate) state: Vec<(Term, Value)>,
    pub(crate) random: Random,
    sorts: Vec<Sort>,
}

/// Sorts without floating-point numbers.
pub(crate) const EXACT: &[Sort] = &[
    Sort::Bool,
    Sort::Int,
    Sort::Bv(1),
    Sort::Bv(8),
    Sort::Bv(32),
    Sort::Bv(64),
    Sort::Bv(128),
    Sort::Array(Scalar::Int, Scalar::Int),
    Sort::Array(Scalar::Bv(8), Scalar::Bv(8)),
    Sort::Array(Scalar::Bv(32), Scalar::Bool),
    Sort::Array(Scalar::Bv(2), Scalar::Bv(32)),
];

/// Sorts around floating-point numbers of small formats, which every solver
/// decides quickly, and of those C has.
#[allow(dead_code, reason = "not every test that includes this file needs it")]
pub(crate) const FLOATS: &[Sort] = &[
    Sort::Bool,
    Sort::Float(FloatFormat::HALF),
    Sort::Float(FloatFormat::SINGLE),
    Sort::Float(FloatFormat::DOUBLE),
    Sort::Float(FloatFormat::EXTENDED),
    Sort::Float(FloatFormat::QUAD),
    Sort::Bv(16),
    Sort::Bv(32),
    Sort::Bv(64),
    Sort::Array(Scalar::Int, Scalar::Float(FloatFormat::SINGLE)),
];

/// All directions of rounding, the usual one more often.
const MODES: [RoundingMode; 7] = [
    RoundingMode::NearestEven,
    RoundingMode::NearestEven,
    RoundingMode::NearestEven,
    RoundingMode::NearestAway,
    RoundingMode::Positive,
    RoundingMode::Negative,
    RoundingMode::Zero,
];

impl Machine {
    /// Two symbols of each sort.
    pub(crate) fn new(seed: u64, sorts: &[Sort]) -> Machine {
        let mut machine = Machine {
            store: TermStore::new(),
            state: Vec::new(),
            random: Random::new(seed),
            sorts: sorts.to_vec(),
        };
        for (i, &sort) in sorts.iter().enumerate() {
            for name in ["x", "y"] {
                let value = machine.value(sort);
                let symbol = machine.store.var(&format!("{name}{i}"), sort);
                machine.state.push((symbol, value));
            }
        }
        machine
    }

    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    /// Bits that are often at a boundary.
    pub(crate) fn bits(&mut self, width: u32) -> Bv {
        let word = (self.below(1 << 30) as u128) << 98 | (self.below(1 << 30) as u128) << 49;
        let any = word ^ self.below(1 << 60) as u128;
        let top = 1 << (width - 1);
        let bits = match self.below(8) {
            0 => 0,
            1 => 1,
            2 => u128::MAX,
            3 => top,
            4 => top - 1,
            5 => self.below(2 * width as usize) as u128,
            _ => any,
        };
        Bv::new(width, bits)
    }

    /// Some value of a sort.
    pub(crate) fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.below(2) == 0),
            Sort::Int => match self.below(3) {
                0 => Value::Int(self.bits(70).to_signed_int()),
                _ => Value::int(self.random.small()),
            },
            Sort::Real => Value::Real(Box::new(Rat::from(self.random.small()))),
            Sort::Bv(width) => Value::Bv(self.bits(width)),
            Sort::Float(format) => Value::Float(self.float_value(format)),
            Sort::Array(index, element) => {
                let default = self.value(element.into());
                let mut array = ArrayValue::constant(index, default);
                for _ in 0..self.below(4) {
                    let (at, value) = (self.value(index.into()), self.value(element.into()));
                    array.set(at, value);
                }
                array.into()
            }
        }
    }

    /// A number of any class, often near the others.
    fn float_value(&mut self, format: FloatFormat) -> Float {
        let negative = self.below(2) == 0;
        let fraction = format.significand_bits() - 1;
        match self.below(12) {
            0 => Float::nan(format),
            1 => Float::infinity(format, negative),
            2 => Float::zero(format, negative),
            3 => Float::largest(format, negative),
            4 => Float::from_bits(format, 1 + self.below(3) as u128),
            5 => Float::from_bits(format, (1 << fraction) - self.below(3) as u128),
            6 => Float::from_bits(format, self.bits(format.width()).bits()),
            _ => {
                let value = Rat::new(self.random.small().into(), (1 + self.below(6) as i64).into());
                Float::from_rat(format, MODES[0], &value.unwrap_or(Rat::ZERO))
            }
        }
    }

    fn leaf(&mut self, sort: Sort) -> Sample {
        let symbols: Vec<_> =
            self.state.iter().filter(|(s, _)| self.store.sort(*s) == sort).cloned().collect();
        if symbols.is_empty() || self.below(4) == 0 {
            let value = self.value(sort);
            return Sample { term: self.store.constant(value.clone()), value };
        }
        let (term, value) = symbols[self.below(symbols.len())].clone();
        Sample { term, value }
    }

    fn apply(&mut self, op: Op, parts: &[Sample]) -> Sample {
        let terms: Vec<Term> = parts.iter().map(|p| p.term).collect();
        let values: Vec<&Value> = parts.iter().map(|p| &p.value).collect();
        Sample { term: self.store.apply(op, &terms), value: op.eval(&values) }
    }

    /// A term of a sort with about `size` functions.
    pub(crate) fn term(&mut self, sort: Sort, size: usize) -> Sample {
        if size == 0 {
            return self.leaf(sort);
        }
        let half = size / 2;
        if self.below(8) == 0 {
            let c = self.term(Sort::Bool, half / 2);
            let (a, b) = (self.term(sort, half), self.term(sort, half));
            let value = if c.value == Value::Bool(true) { a.value } else { b.value };
            return Sample { term: self.store.ite(c.term, a.term, b.term), value };
        }
        if let (Some(scalar), 0) = (sort.scalar(), self.below(6)) {
            let fits = |s: &Sort| matches!(s, Sort::Array(_, element) if *element == scalar);
            let arrays: Vec<Sort> = self.sorts.iter().copied().filter(fits).collect();
            if !arrays.is_empty() {
                let array = arrays[self.below(arrays.len())];
                let Sort::Array(index, _) = array else { unreachable!() };
                let parts = [self.term(array, half), self.term(index.into(), half)];
                return self.apply(Op::Select, &parts);
            }
        }
        match sort {
            Sort::Bool => self.formula(half),
            Sort::Int => self.int(half),
            Sort::Bv(width) => self.vector(width, half),
            Sort::Array(index, element) => {
                if self.below(6) == 0 {
                    let part = self.term(element.into(), half);
                    return self.apply(Op::ConstArray(index), &[part]);
                }
                let parts = [
                    self.term(sort, half + half / 2),
                    self.term(index.into(), half / 2),
                    self.term(element.into(), half / 2),
                ];
                self.apply(Op::Store, &parts)
            }
            Sort::Real => self.leaf(sort),
            Sort::Float(format) => self.float(format, half),
        }
    }

    fn formula(&mut self, half: usize) -> Sample {
        let truth = |sample: &Sample| sample.value == Value::Bool(true);
        const TESTS: [Op; 9] = [
            Op::FloatLt,
            Op::FloatLe,
            Op::FloatEq,
            Op::FloatIs(FloatClass::Nan),
            Op::FloatIs(FloatClass::Infinite),
            Op::FloatIs(FloatClass::Zero),
            Op::FloatIs(FloatClass::Normal),
            Op::FloatIs(FloatClass::Subnormal),
            Op::FloatIsNegative,
        ];
        let test = TESTS[self.below(TESTS.len())];
        if self.below(2) == 0
            && let Some(sample) = self.of_floats(|_| test, half)
        {
            return sample;
        }
        match self.below(6) {
            0 => {
                let a = self.term(Sort::Bool, half * 2);
                Sample { term: self.store.not(a.term), value: Value::Bool(!truth(&a)) }
            }
            1 => {
                let (a, b) = (self.term(Sort::Bool, half), self.term(Sort::Bool, half));
                let value = Value::Bool(truth(&a) && truth(&b));
                Sample { term: self.store.and([a.term, b.term]), value }
            }
            2 | 3 => {
                let choice = self.below(self.sorts.len());
                let sort = self.sorts[choice];
                let (a, b) = (self.term(sort, half), self.term(sort, half));
                let value = Value::Bool(a.value == b.value);
                Sample { term: self.store.eq(a.term, b.term), value }
            }
            _ => {
                let width = self.width();
                let parts = [self.vector(width, half / 2), self.vector(width, half / 2)];
                let op = if self.below(2) == 0 { Op::BvUlt } else { Op::BvSlt };
                self.apply(op, &parts)
            }
        }
    }

    /// A floating-point format that has symbols.
    fn format(&mut self) -> Option<FloatFormat> {
        let format = |s: &Sort| match s {
            Sort::Float(format) => Some(*format),
            _ => None,
        };
        let formats: Vec<FloatFormat> = self.sorts.iter().filter_map(format).collect();
        (!formats.is_empty()).then(|| formats[self.below(formats.len())])
    }

    fn mode(&mut self) -> RoundingMode {
        MODES[self.below(MODES.len())]
    }

    fn float(&mut self, format: FloatFormat, half: usize) -> Sample {
        let (sort, mode) = (Sort::Float(format), self.mode());
        let op = match self.below(16) {
            0 => Op::FloatNeg,
            1 => Op::FloatAbs,
            2..5 => Op::FloatAdd(mode),
            5 | 6 => Op::FloatMul(mode),
            7 => Op::FloatDiv(mode),
            8 if self.below(4) == 0 => Op::FloatFma(mode),
            9 if self.below(4) == 0 => Op::FloatSqrt(mode),
            8 if self.below(4) == 0 => Op::FloatRem,
            10 => Op::FloatRound(mode),
            11 | 12 => {
                let from = self.format().unwrap_or(format);
                let part = self.term(Sort::Float(from), half);
                return self.apply(Op::FloatToFloat(mode, format), &[part]);
            }
            13 => {
                let width = self.width();
                let part = self.vector(width, half / 2);
                let op = match self.below(2) {
                    0 => Op::SignedToFloat(mode, format),
                    _ => Op::UnsignedToFloat(mode, format),
                };
                return self.apply(op, &[part]);
            }
            14 => {
                let part = self.vector(format.width(), half / 2);
                return self.apply(Op::BitsToFloat(format), &[part]);
            }
            _ => {
                // The smaller of two, by the functions that C has.
                let (a, b) = (self.term(sort, half), self.term(sort, half));
                let (x, y) = (a.value.as_float(), b.value.as_float());
                let first = y.is_some_and(Float::is_nan)
                    || Op::FloatLt.eval(&[&a.value, &b.value]) == Value::Bool(true);
                let value = if first { x } else { y };
                let term = self.store.float_min(a.term, b.term);
                return Sample { term, value: value.expect("floats").into() };
            }
        };
        let parts: Vec<Sample> = (0..op.arity()).map(|_| self.term(sort, half)).collect();
        self.apply(op, &parts)
    }

    /// A truth value or bits from floating-point numbers.
    fn of_floats(&mut self, op: impl Fn(FloatFormat) -> Op, half: usize) -> Option<Sample> {
        let format = self.format()?;
        let op = op(format);
        let parts: Vec<Sample> =
            (0..op.arity()).map(|_| self.term(Sort::Float(format), half)).collect();
        Some(self.apply(op, &parts))
    }

    fn width(&mut self) -> u32 {
        [1, 2, 7, 8, 16, 32, 33, 64, 128][self.below(9)]
    }

    fn int(&mut self, half: usize) -> Sample {
        let int = |value: &Value| value.as_int().cloned().unwrap_or(Int::ZERO);
        match self.below(4) {
            0 => {
                let (a, b) = (self.term(Sort::Int, half), self.term(Sort::Int, half));
                let value = Value::Int(&int(&a.value) + &int(&b.value));
                Sample { term: self.store.add(a.term, b.term), value }
            }
            1 => {
                let (a, by) = (self.term(Sort::Int, half), 1 + self.below(9) as i64);
                let by_term = self.store.int(by);
                let rest = int(&a.value).div_rem_euclid(&Int::from(by)).expect("not zero").1;
                Sample { term: self.store.modulo(a.term, by_term), value: Value::Int(rest) }
            }
            2 => {
                let width = self.width();
                let a = self.vector(width, half);
                let value = Value::Int(a.value.as_bv().expect("bits").to_signed_int());
                Sample { term: self.store.bv_to_signed_int(a.term), value }
            }
            _ => {
                let width = self.width();
                let part = self.vector(width, half);
                self.apply(Op::BvToInt, &[part])
            }
        }
    }

    /// Bits of any width.
    fn vector(&mut self, width: u32, half: usize) -> Sample {
        const BINARY: [Op; 13] = [
            Op::BvAnd,
            Op::BvOr,
            Op::BvXor,
            Op::BvAdd,
            Op::BvAdd,
            Op::BvMul,
            Op::BvUdiv,
            Op::BvUrem,
            Op::BvSdiv,
            Op::BvSrem,
            Op::BvShl,
            Op::BvLshr,
            Op::BvAshr,
        ];
        if half == 0 {
            return self.leaf(Sort::Bv(width));
        }
        if self.below(4) == 0 {
            let (mode, bits) = (self.mode(), self.below(3));
            let op = |format: FloatFormat| match bits {
                0 if format.width() == width => Op::FloatToBits,
                1 => Op::FloatToUnsigned(mode, width),
                _ => Op::FloatToSigned(mode, width),
            };
            if let Some(sample) = self.of_floats(op, half) {
                return sample;
            }
        }
        match self.below(12) {
            0 => {
                let op = if self.below(2) == 0 { Op::BvNot } else { Op::BvNeg };
                let part = self.term(Sort::Bv(width), half);
                self.apply(op, &[part])
            }
            1 | 2 if width > 1 => {
                let low = 1 + self.below(width as usize - 1) as u32;
                let parts = [self.vector(width - low, half / 2), self.vector(low, half / 2)];
                self.apply(Op::BvConcat, &parts)
            }
            3 | 4 => {
                let more = self.below(128 - width as usize + 1) as u32;
                let low = self.below(more as usize + 1) as u32;
                let part = self.vector(width + more, half / 2);
                self.apply(Op::BvExtract(low + width - 1, low), &[part])
            }
            5 | 6 if width > 1 => {
                let by = self.below(width as usize) as u32;
                let part = self.vector(width - by, half / 2);
                let signed = self.below(2) == 0;
                let op = if signed { Op::BvSignExtend(by) } else { Op::BvZeroExtend(by) };
                self.apply(op, &[part])
            }
            7 if self.sorts.contains(&Sort::Int) => {
                let part = self.term(Sort::Int, half / 2);
                self.apply(Op::IntToBv(width), &[part])
            }
            n => {
                let parts = [self.term(Sort::Bv(width), half), self.term(Sort::Bv(width), half)];
                if n == 8 {
                    let (a, b) = (parts[0].value.as_bv(), parts[1].value.as_bv());
                    let minus = Op::BvNeg.eval(&[&b.expect("bits").into()]);
                    let value = Op::BvAdd.eval(&[&a.expect("bits").into(), &minus]);
                    let term = self.store.bv_sub(parts[0].term, parts[1].term);
                    return Sample { term, value };
                }
                let op = BINARY[self.below(BINARY.len())];
                self.apply(op, &parts)
            }
        }
    }
}
