//! Machine data in infix notation, close to C.
//!
//! Where C takes the sign from the type, a letter says it: `a <u b` and
//! `a <s b`, `x >>s 3`. A conversion names its result: `(u32)x` has zeros
//! above, `(s32)x` copies of the sign. `x[7:0]` are bits, `a[i]` is an element
//! and `a[i := v]` an array with another element.

use crate::infix::{COMPARE, FACTOR, Item, SUM, TIGHT, joined};
use crate::smtlib::ops::mode_name;
use crate::{FloatClass, FloatFormat, Node, Op, RoundingMode, Sort, Term, TermStore};
use RoundingMode::NearestEven;

impl TermStore {
    /// The operator between two sides, if the function has one.
    fn sign(&self, op: Op, arguments: &[Term]) -> Option<&'static str> {
        Some(match op {
            Op::BvAnd => " & ",
            Op::BvOr => " | ",
            Op::BvXor => " ^ ",
            Op::BvAdd if self.is_minus(arguments[1]) => " - ",
            Op::BvAdd => " + ",
            Op::BvMul => " * ",
            Op::BvUdiv => " /u ",
            Op::BvUrem => " %u ",
            Op::BvSdiv => " /s ",
            Op::BvSrem => " %s ",
            Op::BvShl => " << ",
            Op::BvLshr => " >>u ",
            Op::BvAshr => " >>s ",
            Op::BvConcat => " ++ ",
            Op::BvUlt => " <u ",
            Op::BvSlt => " <s ",
            Op::FloatAdd(NearestEven) if self.is_minus(arguments[1]) => " - ",
            Op::FloatAdd(NearestEven) => " + ",
            Op::FloatMul(NearestEven) => " * ",
            Op::FloatDiv(NearestEven) => " / ",
            Op::FloatLt => " < ",
            Op::FloatLe => " <= ",
            Op::FloatEq => " == ",
            _ => return None,
        })
    }

    /// The sign of equality; floating-point numbers have another one for `==`
    /// of C.
    pub(crate) fn equality(&self, a: Term, positive: bool) -> &'static str {
        match (self.sort(a), positive) {
            (Sort::Float(_), true) => " === ",
            (Sort::Float(_), false) => " !== ",
            (_, true) => " == ",
            (_, false) => " != ",
        }
    }

    /// Whether a term that is added reads better as one that is subtracted.
    fn is_minus(&self, term: Term) -> bool {
        match self.node(term) {
            Node::Apply(Op::BvNeg | Op::FloatNeg, _) => true,
            _ => self.bv_value(term).is_some_and(|bits| bits.signed() < 0 && bits.width() > 1),
        }
    }

    pub(crate) fn machine_strength(&self, op: Op, arguments: &[Term]) -> u8 {
        match op {
            Op::BvUlt | Op::BvSlt | Op::BvAnd | Op::BvOr | Op::BvXor => COMPARE,
            Op::FloatLt | Op::FloatLe | Op::FloatEq => COMPARE,
            Op::BvNot | Op::BvNeg | Op::FloatNeg => FACTOR,
            _ if self.sign(op, arguments).is_some() => SUM,
            _ => TIGHT,
        }
    }

    pub(crate) fn machine_parts(
        &self,
        op: Op,
        arguments: &[Term],
        positive: bool,
        parts: &mut Vec<Item>,
    ) {
        let text = |text: &str| Item::Text(text.into());
        let width = |by: u32| self.sort(arguments[0]).width() + by;
        match op {
            Op::BvUlt if !positive => joined(&[arguments[1], arguments[0]], " <=u ", SUM, parts),
            Op::BvSlt if !positive => joined(&[arguments[1], arguments[0]], " <=s ", SUM, parts),
            Op::BvUlt | Op::BvSlt => {
                joined(arguments, self.sign(op, arguments).unwrap_or_default(), SUM, parts);
            }
            Op::FloatLt | Op::FloatLe | Op::FloatEq => {
                joined(arguments, self.sign(op, arguments).unwrap_or_default(), SUM, parts);
            }
            Op::BvAdd | Op::FloatAdd(NearestEven) if self.is_minus(arguments[1]) => {
                parts.extend([Item::Term(arguments[0], FACTOR), text(" - ")]);
                match self.node(arguments[1]) {
                    Node::Apply(_, inner) => parts.push(Item::Term(inner[0], FACTOR)),
                    _ => {
                        let bits = self.bv_value(arguments[1]);
                        let size = bits.map_or(0, |bits| bits.signed().unsigned_abs());
                        parts.push(Item::Text(size.to_string()));
                    }
                }
            }
            Op::BvNot => parts.extend([text("~"), Item::Term(arguments[0], TIGHT)]),
            Op::BvNeg | Op::FloatNeg => {
                parts.extend([text("-"), Item::Term(arguments[0], TIGHT)]);
            }
            Op::BvExtract(high, low) => {
                parts.push(Item::Term(arguments[0], TIGHT));
                parts.push(Item::Text(format!("[{high}:{low}]")));
            }
            Op::BvZeroExtend(by) | Op::BvSignExtend(by) => {
                let kind = if matches!(op, Op::BvZeroExtend(_)) { 'u' } else { 's' };
                parts.push(Item::Text(format!("({kind}{})", width(by))));
                parts.push(Item::Term(arguments[0], TIGHT));
            }
            Op::BvToInt => call("int", arguments, parts),
            Op::IntToBv(width) => call(&format!("u{width}"), arguments, parts),
            Op::Select => {
                parts.extend([Item::Term(arguments[0], TIGHT), text("[")]);
                parts.extend([Item::Term(arguments[1], 0), text("]")]);
            }
            Op::Store => {
                parts.extend([Item::Term(arguments[0], TIGHT), text("[")]);
                parts.extend([Item::Term(arguments[1], 0), text(" := ")]);
                parts.extend([Item::Term(arguments[2], 0), text("]")]);
            }
            Op::ConstArray(_) => {
                parts.extend([text("{else "), Item::Term(arguments[0], 0), text("}")]);
            }
            _ => match self.sign(op, arguments) {
                Some(sign) => joined(arguments, sign, FACTOR, parts),
                None => call(&name(op), arguments, parts),
            },
        }
    }
}

/// The name of a function that is shown as a call; those of C where it has one.
fn name(op: Op) -> String {
    let class = |class| match class {
        FloatClass::Nan => "isnan",
        FloatClass::Infinite => "isinf",
        FloatClass::Zero => "iszero",
        FloatClass::Subnormal => "issubnormal",
        FloatClass::Normal => "isnormal",
    };
    let format = |format: FloatFormat| format!("f{}", format.width());
    match op {
        Op::FloatAbs => "fabs".into(),
        Op::FloatRem => "remainder".into(),
        Op::FloatFma(mode) => format!("fma{}", suffix(mode)),
        Op::FloatSqrt(mode) => format!("sqrt{}", suffix(mode)),
        Op::FloatAdd(mode) => format!("add{}", suffix(mode)),
        Op::FloatMul(mode) => format!("mul{}", suffix(mode)),
        Op::FloatDiv(mode) => format!("div{}", suffix(mode)),
        Op::FloatRound(mode) => match mode {
            RoundingMode::NearestEven => "rint",
            RoundingMode::NearestAway => "round",
            RoundingMode::Positive => "ceil",
            RoundingMode::Negative => "floor",
            RoundingMode::Zero => "trunc",
        }
        .into(),
        Op::FloatIs(kind) => class(kind).into(),
        Op::FloatIsNegative => "isnegative".into(),
        Op::FloatToFloat(mode, to) => format!("{}{}", format(to), suffix(mode)),
        Op::SignedToFloat(mode, to) => format!("{}_signed{}", format(to), suffix(mode)),
        Op::UnsignedToFloat(mode, to) => format!("{}_unsigned{}", format(to), suffix(mode)),
        Op::BitsToFloat(to) => format!("{}_bits", format(to)),
        Op::FloatToBits => "bits".into(),
        Op::FloatToSigned(RoundingMode::Zero, width) => format!("s{width}"),
        Op::FloatToUnsigned(RoundingMode::Zero, width) => format!("u{width}"),
        Op::FloatToSigned(mode, width) => format!("s{width}_{}", mode_name(mode)),
        Op::FloatToUnsigned(mode, width) => format!("u{width}_{}", mode_name(mode)),
        _ => format!("{op:?}"),
    }
}

/// Rounding to the nearest goes without saying.
fn suffix(mode: RoundingMode) -> String {
    match mode {
        NearestEven => String::new(),
        _ => format!("_{}", mode_name(mode)),
    }
}

fn call(name: &str, arguments: &[Term], parts: &mut Vec<Item>) {
    parts.push(Item::Text(format!("{name}(")));
    for (i, argument) in arguments.iter().enumerate() {
        if i > 0 {
            parts.push(Item::Text(", ".into()));
        }
        parts.push(Item::Term(*argument, 0));
    }
    parts.push(Item::Text(")".into()));
}
