//! Functions on machine data read from SMT-LIB text, with their sorts checked.
//!
//! More names are read than printed: `bvsub`, `bvule` and the like are built
//! from the functions that our terms have.

use crate::smtlib::sexpr::{Atom, Sexpr, Sexprs};
use crate::smtlib::{float, ops};
use crate::{Bv, FloatFormat, Op, RoundingMode, Scalar, Sort, Term, TermStore, Value};

/// Names of functions that are built from others.
pub(crate) const DERIVED: &[&str] = &[
    "bvsub",
    "bvnand",
    "bvnor",
    "bvxnor",
    "bvcomp",
    "bvsmod",
    "bvule",
    "bvugt",
    "bvuge",
    "bvsle",
    "bvsgt",
    "bvsge",
    "sbv_to_int",
    "fp",
    "fp.gt",
    "fp.geq",
    "fp.isPositive",
    "fp.min",
    "fp.max",
];

/// Functions that take a direction of rounding first.
const ROUNDING: &[&str] =
    &["fp.add", "fp.sub", "fp.mul", "fp.div", "fp.fma", "fp.sqrt", "fp.roundToIntegral"];

/// A function of a text.
#[derive(Clone, Debug)]
pub(crate) enum Head<'a> {
    Op(Op),
    Derived(&'a str, Vec<u32>),
    /// A function that rounds, and how.
    Rounding(&'a str, Vec<u32>, RoundingMode),
    /// `to_fp` on bits, with the indices.
    FromBits(Vec<u32>),
    /// A constant array over these sorts.
    Constant(Scalar, Scalar),
}

impl Head<'_> {
    /// Whether a direction of rounding stands before the arguments.
    pub(crate) fn rounds(&self) -> bool {
        matches!(self, Head::Rounding(..))
    }

    /// The same function in the direction that a symbol names.
    pub(crate) fn in_mode(&mut self, name: &str) -> bool {
        match (self, ops::mode(name)) {
            (Head::Rounding(.., mode), Some(found)) => {
                *mode = found;
                true
            }
            _ => false,
        }
    }
}

/// The function that a symbol names, if it is one on machine data.
pub(crate) fn named(name: &str) -> Option<Head<'_>> {
    let derived = || DERIVED.contains(&name).then(|| Head::Derived(name, Vec::new()));
    let rounding = || {
        let known = ROUNDING.contains(&name);
        known.then(|| Head::Rounding(name, Vec::new(), RoundingMode::NearestEven))
    };
    ops::named(name).map(Head::Op).or_else(derived).or_else(rounding)
}

/// The function of a head like `(_ extract 7 0)` or `(as const (Array Int Int))`.
pub(crate) fn indexed(head: Sexpr<'_>) -> Option<Head<'_>> {
    let parts: Vec<_> = head.elements().take(6).collect();
    let words: Vec<_> = parts.iter().map(|part| part.symbol()).collect();
    match words.as_slice() {
        [Some("as"), Some("const"), None] => match read_sort(parts[2])? {
            Sort::Array(index, element) => Some(Head::Constant(index, element)),
            _ => None,
        },
        [Some("_"), Some(name), ..] => {
            let indices: Option<Vec<u32>> = parts[2..].iter().map(|p| numeral(*p)).collect();
            let indices = indices?;
            let derived = ["rotate_left", "rotate_right", "repeat"];
            if ["to_fp", "to_fp_unsigned", "fp.to_sbv", "fp.to_ubv"].contains(name) {
                return Some(Head::Rounding(name, indices, RoundingMode::NearestEven));
            }
            let op = ops::indexed(name, &indices).map(Head::Op);
            op.or_else(|| derived.contains(name).then_some(Head::Derived(name, indices)))
        }
        _ => None,
    }
}

fn numeral(item: Sexpr<'_>) -> Option<u32> {
    match item.atom()? {
        Atom::Numeral(digits) => digits.parse().ok(),
        _ => None,
    }
}

/// A constant like `(_ bv5 8)` or `(_ NaN 8 24)`.
pub(crate) fn literal(item: Sexpr<'_>) -> Option<Value> {
    let parts: Vec<_> = item.elements().take(5).collect();
    let [mark, name, indices @ ..] = parts.as_slice() else { return None };
    if mark.symbol() != Some("_") {
        return None;
    }
    let name = name.symbol()?;
    let indices: Vec<u32> = indices.iter().map(|p| numeral(*p)).collect::<Option<_>>()?;
    match (name.strip_prefix("bv"), indices.as_slice()) {
        (Some(digits), [width]) if (1..=crate::MAX_WIDTH).contains(width) => {
            let value: crate::Int = digits.parse().ok().filter(|v: &crate::Int| v.signum() >= 0)?;
            Some(Value::Bv(Bv::from_int(*width, &value)))
        }
        (_, [exponent, significand]) => {
            let format = FloatFormat::new(*exponent, *significand)?;
            ops::special(name, format).map(Value::Float)
        }
        _ => None,
    }
}

impl Sort {
    /// Reads a sort as SMT-LIB writes it; `None` if it is none of ours.
    pub fn from_smtlib(text: &str) -> Option<Sort> {
        let all = Sexprs::read(text).ok()?;
        let mut items = all.iter();
        let sort = read_sort(items.next()?)?;
        items.next().is_none().then_some(sort)
    }
}

/// Reads a sort; `None` if it is none of ours.
pub(crate) fn read_sort(item: Sexpr<'_>) -> Option<Sort> {
    let scalar = |item: Sexpr<'_>| -> Option<Scalar> {
        if let Some(name) = item.symbol() {
            return Some(match name {
                "Bool" => Scalar::Bool,
                "Int" => Scalar::Int,
                "Real" => Scalar::Real,
                "Float16" => Scalar::Float(FloatFormat::HALF),
                "Float32" => Scalar::Float(FloatFormat::SINGLE),
                "Float64" => Scalar::Float(FloatFormat::DOUBLE),
                "Float128" => Scalar::Float(FloatFormat::QUAD),
                _ => return None,
            });
        }
        let parts: Vec<_> = item.elements().take(5).collect();
        match parts.as_slice() {
            [mark, name, width]
                if (mark.symbol(), name.symbol()) == (Some("_"), Some("BitVec")) =>
            {
                numeral(*width).filter(|w| (1..=crate::MAX_WIDTH).contains(w)).map(Scalar::Bv)
            }
            [mark, name, e, s]
                if (mark.symbol(), name.symbol()) == (Some("_"), Some("FloatingPoint")) =>
            {
                FloatFormat::new(numeral(*e)?, numeral(*s)?).map(Scalar::Float)
            }
            _ => None,
        }
    };
    if let Some(scalar) = scalar(item) {
        return Some(scalar.into());
    }
    let parts: Vec<_> = item.elements().take(4).collect();
    match parts.as_slice() {
        [name, index, element] if name.symbol() == Some("Array") => {
            Some(Sort::Array(scalar(*index)?, scalar(*element)?))
        }
        _ => None,
    }
}

/// Applies a function if the arguments fit.
pub(crate) fn checked(
    s: &mut TermStore,
    op: Op,
    name: &str,
    terms: &[Term],
) -> Result<Term, String> {
    let sorts: Vec<Sort> = terms.iter().map(|t| s.sort(*t)).collect();
    match op.sort(&sorts) {
        Some(_) => Ok(s.apply(op, terms)),
        None => {
            let sorts: Vec<String> = sorts.iter().map(ToString::to_string).collect();
            Err(format!("`{name}` does not apply to {}", sorts.join(" and ")))
        }
    }
}

/// Applies a function to at least one argument.
pub(crate) fn apply(s: &mut TermStore, head: &Head<'_>, terms: &[Term]) -> Result<Term, String> {
    let (name, indices) = match head {
        Head::Op(op) => {
            let name = ops::head(*op, Sort::Bool);
            // Several arguments are taken together from the left.
            let several = op.commutes() || *op == Op::BvConcat;
            let [first, second, rest @ ..] = terms else {
                return checked(s, *op, &name, terms);
            };
            if !several || rest.is_empty() {
                return checked(s, *op, &name, terms);
            }
            let mut result = checked(s, *op, &name, &[*first, *second])?;
            for term in rest {
                result = checked(s, *op, &name, &[result, *term])?;
            }
            return Ok(result);
        }
        Head::Derived(name, indices) => (*name, indices.as_slice()),
        Head::Constant(index, element) => {
            let [value] = terms else { return Err("`const` takes one argument".into()) };
            let found = s.sort(*value);
            if found != Sort::from(*element) {
                return Err(format!("the element is {found}, not {element}"));
            }
            return Ok(s.const_array(*index, *value));
        }
        Head::FromBits(indices) => {
            let [a] = terms else { return Err("`to_fp` takes one argument".into()) };
            return float::from_bits(s, indices, *a);
        }
        Head::Rounding(name, indices, mode) => {
            return float::rounding(s, (name, indices, *mode), terms);
        }
    };
    if name.starts_with("fp") {
        return float::derived(s, name, terms);
    }
    let is_bits = terms.iter().all(|t| matches!(s.sort(*t), Sort::Bv(_)));
    let mut call = |op: Op, terms: &[Term]| checked(s, op, name, terms);
    match (name, terms, indices) {
        ("bvsub", [a, b], _) => {
            let minus = call(Op::BvNeg, &[*b])?;
            call(Op::BvAdd, &[*a, minus])
        }
        ("bvnand", [a, b], _) => call(Op::BvAnd, &[*a, *b]).and_then(|t| call(Op::BvNot, &[t])),
        ("bvnor", [a, b], _) => call(Op::BvOr, &[*a, *b]).and_then(|t| call(Op::BvNot, &[t])),
        ("bvxnor", [a, b], _) => call(Op::BvXor, &[*a, *b]).and_then(|t| call(Op::BvNot, &[t])),
        ("bvugt", [a, b], _) => call(Op::BvUlt, &[*b, *a]),
        ("bvsgt", [a, b], _) => call(Op::BvSlt, &[*b, *a]),
        ("bvule", [a, b], _) => call(Op::BvUlt, &[*b, *a]).map(|t| s.not(t)),
        ("bvuge", [a, b], _) => call(Op::BvUlt, &[*a, *b]).map(|t| s.not(t)),
        ("bvsle", [a, b], _) => call(Op::BvSlt, &[*b, *a]).map(|t| s.not(t)),
        ("bvsge", [a, b], _) => call(Op::BvSlt, &[*a, *b]).map(|t| s.not(t)),
        ("bvcomp", [a, b], _) => {
            call(Op::BvUlt, &[*a, *b])?;
            let (same, one, zero) = (s.eq(*a, *b), s.bv(1, 1), s.bv(1, 0));
            Ok(s.ite(same, one, zero))
        }
        ("bvsmod", [a, b], _) => {
            let rest = call(Op::BvSrem, &[*a, *b])?;
            let sum = call(Op::BvAdd, &[rest, *b])?;
            let zero = s.bv(s.sort(*a).width(), 0);
            let exact = s.eq(rest, zero);
            let (low, other) = (s.bv_slt(rest, zero), s.bv_slt(*b, zero));
            let same = s.iff(low, other);
            let keep = s.or([exact, same]);
            Ok(s.ite(keep, rest, sum))
        }
        ("sbv_to_int", [a], _) if is_bits => Ok(s.bv_to_signed_int(*a)),
        ("rotate_left" | "rotate_right", [a], [by]) if is_bits => {
            let width = s.sort(*a).width();
            let by = by % width;
            let right = if name == "rotate_right" { by } else { (width - by) % width };
            if right == 0 {
                return Ok(*a);
            }
            let (low, high) = (s.bv_extract(*a, right - 1, 0), s.bv_extract(*a, width - 1, right));
            Ok(s.bv_concat(low, high))
        }
        ("repeat", [a], [times]) if *times > 0 && *times <= crate::MAX_WIDTH => {
            let mut result = *a;
            for _ in 1..*times {
                result = call(Op::BvConcat, &[result, *a])?;
            }
            Ok(result)
        }
        _ => Err(format!("`{name}` does not take {} such arguments", terms.len())),
    }
}
