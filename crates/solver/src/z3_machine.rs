//! Machine data as Z3 expressions: bit-vectors and arrays, and models of all.

use crate::z3_float;
use crate::z3_translate::{Ast, Translation};
use parallax_term::{Bv, Op, Scalar, Sort, Term, Value};
use z3::ast::{Array, BV, Bool, Dynamic, Int};

/// The sort for Z3.
pub(crate) fn z3_sort(sort: Sort) -> z3::Sort {
    match sort {
        Sort::Bool => z3::Sort::bool(),
        Sort::Int => z3::Sort::int(),
        Sort::Real => z3::Sort::real(),
        Sort::Bv(width) => z3::Sort::bitvector(width),
        Sort::Float(format) => z3::Sort::float(format.exponent_bits(), format.significand_bits()),
        Sort::Array(index, element) => {
            z3::Sort::array(&z3_sort(index.into()), &z3_sort(element.into()))
        }
    }
}

/// An expression of any sort in its own kind of wrapper.
pub(crate) fn wrap(ast: &Dynamic, sort: Sort) -> Ast {
    let wrapped = match sort {
        Sort::Bool => ast.as_bool().map(Ast::Bool),
        Sort::Int => ast.as_int().map(Ast::Int),
        Sort::Real => ast.as_real().map(Ast::Real),
        Sort::Bv(_) => ast.as_bv().map(Ast::Bv),
        Sort::Float(_) => ast.as_float().map(Ast::Float),
        Sort::Array(..) => ast.as_array().map(Ast::Array),
    };
    wrapped.unwrap_or_else(|| unreachable!("a term of another sort"))
}

/// A bit-vector constant.
pub(crate) fn bits(bits: Bv) -> BV {
    match u64::try_from(bits.bits()) {
        Ok(word) => BV::from_u64(word, bits.width()),
        Err(_) => BV::from_str(bits.width(), &bits.bits().to_string())
            .unwrap_or_else(|| unreachable!("Z3 reads every numeral in decimal digits")),
    }
}

/// A constant that is machine data.
pub(crate) fn constant(value: &Value) -> Option<Ast> {
    Some(match value {
        Value::Bv(value) => Ast::Bv(bits(*value)),
        Value::Float(value) => Ast::Float(z3_float::constant(*value)),
        Value::Array(array) => {
            let index = z3_sort(array.index_sort().into());
            let mut result = Array::const_array(&index, &scalar(array.default()));
            for (at, value) in array.entries() {
                result = result.store(&scalar(at), &scalar(value));
            }
            Ast::Array(result)
        }
        _ => return None,
    })
}

/// A constant inside an array.
fn scalar(value: &Value) -> Dynamic {
    use crate::z3_number::Number;
    let rat = || value.to_rat().unwrap_or(parallax_term::Rat::ZERO);
    match value {
        Value::Bool(truth) => Bool::from_bool(*truth).into(),
        Value::Int(_) => Int::constant(&rat()).into(),
        Value::Real(_) => z3::ast::Real::constant(&rat()).into(),
        other => constant(other).unwrap_or_else(|| unreachable!("arrays do not nest")).dynamic(),
    }
}

impl Translation {
    pub(crate) fn bv(&self, term: Term) -> &BV {
        match self.ast(term) {
            Ast::Bv(ast) => ast,
            _ => unreachable!("bits are expected"),
        }
    }

    fn array(&self, term: Term) -> &Array {
        match self.ast(term) {
            Ast::Array(ast) => ast,
            _ => unreachable!("an array is expected"),
        }
    }

    /// Equality of machine data.
    pub(crate) fn equal(&self, a: Term, b: Term) -> Bool {
        self.ast(a).dynamic().eq(self.ast(b).dynamic())
    }

    /// A function on machine data. `sort` is that of the result, `from` that of
    /// the first argument.
    pub(crate) fn apply(&self, op: Op, arguments: &[Term], sort: Sort, from: Sort) -> Ast {
        let bv = |i: usize| self.bv(arguments[i]);
        let any = |i: usize| self.ast(arguments[i]).dynamic();
        Ast::Bv(match op {
            Op::BvNot => bv(0).bvnot(),
            Op::BvNeg => bv(0).bvneg(),
            Op::BvAnd => bv(0).bvand(bv(1)),
            Op::BvOr => bv(0).bvor(bv(1)),
            Op::BvXor => bv(0).bvxor(bv(1)),
            Op::BvAdd => bv(0).bvadd(bv(1)),
            Op::BvMul => bv(0).bvmul(bv(1)),
            Op::BvUdiv => bv(0).bvudiv(bv(1)),
            Op::BvUrem => bv(0).bvurem(bv(1)),
            Op::BvSdiv => bv(0).bvsdiv(bv(1)),
            Op::BvSrem => bv(0).bvsrem(bv(1)),
            Op::BvShl => bv(0).bvshl(bv(1)),
            Op::BvLshr => bv(0).bvlshr(bv(1)),
            Op::BvAshr => bv(0).bvashr(bv(1)),
            Op::BvConcat => bv(0).concat(bv(1)),
            Op::BvExtract(high, low) => bv(0).extract(high, low),
            Op::BvZeroExtend(by) => bv(0).zero_ext(by),
            Op::BvSignExtend(by) => bv(0).sign_ext(by),
            Op::BvUlt => return Ast::Bool(bv(0).bvult(bv(1))),
            Op::BvSlt => return Ast::Bool(bv(0).bvslt(bv(1))),
            Op::BvToInt => return Ast::Int(bv(0).to_int(false)),
            Op::IntToBv(width) => BV::from_int(self.number::<Int>(arguments[0]), width),
            Op::Select => return wrap(&self.array(arguments[0]).select(&any(1)), sort),
            Op::Store => return Ast::Array(self.array(arguments[0]).store(&any(1), &any(2))),
            Op::ConstArray(index) => {
                return Ast::Array(Array::const_array(&z3_sort(index.into()), &any(0)));
            }
            _ => return self.apply_float(op, arguments, from),
        })
    }
}

/// Our value of a constant of Z3; `None` if it is none.
pub(crate) fn value(model: &z3::Model, ast: &Dynamic, sort: Sort) -> Option<Value> {
    match (sort, ast.as_bv().and_then(|bits| bits.as_u64())) {
        (Sort::Bv(width), Some(word)) => return Some(Value::Bv(Bv::new(width, word.into()))),
        (Sort::Array(index, element), _) => return array_value(model, ast, index, element),
        _ => {}
    }
    Value::from_smtlib(&ast.to_string(), sort)
}

/// An array is told as writes onto a constant one, or as a function.
fn array_value(model: &z3::Model, ast: &Dynamic, index: Scalar, element: Scalar) -> Option<Value> {
    use z3::ast::Ast as _;
    let (mut entries, mut rest) = (Vec::new(), ast.clone());
    let scalar = |ast: &Dynamic, sort: Scalar| value(model, ast, sort.into());
    let default = loop {
        let array = rest.as_array()?;
        if let Some(function) = array.as_array_func_decl() {
            let function = model.get_func_interp(&function)?;
            for entry in function.get_entries() {
                let [at] = <[Dynamic; 1]>::try_from(entry.get_args()).ok()?;
                entries.push((scalar(&at, index)?, scalar(&entry.get_value(), element)?));
            }
            break scalar(&function.get_else()?, element)?;
        }
        let parts = rest.children();
        match parts.as_slice() {
            [inner] if array.is_const_array() => break scalar(inner, element)?,
            [inner, at, value] if rest.safe_decl().is_ok_and(|d| d.name() == "store") => {
                entries.push((scalar(at, index)?, scalar(value, element)?));
                rest = inner.clone();
            }
            _ => return None,
        }
    };
    // The outermost write counts, and it was met first.
    entries.reverse();
    Some(parallax_term::ArrayValue::new(index, default, entries).into())
}
