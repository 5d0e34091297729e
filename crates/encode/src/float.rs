//! Floats by the solver's theory of IEEE 754 numbers.

use crate::arithmetic::{IntType, Word};
use crate::encoder::{Encoder, Gap};
use crate::state::State;
use crate::value::Value;
use parallax_base::Id;
use parallax_cfa::{Binary, Expr, Unary};
use parallax_term::{FloatFormat, Term};

impl Encoder<'_> {
    pub(crate) fn float_truth(&mut self, term: Term) -> Term {
        let _ = term;
        self.store.bool(true)
    }
    pub(crate) fn float_unary(
        &mut self,
        _op: Unary,
        _format: FloatFormat,
        _value: &Value,
    ) -> Result<Value, Gap> {
        Err(Gap::new("floats"))
    }
    pub(crate) fn float_binary(
        &mut self,
        _op: Binary,
        _x: &Value,
        _y: &Value,
    ) -> Result<Value, Gap> {
        Err(Gap::new("floats"))
    }
    pub(crate) fn float_of_word(&mut self, _from: IntType, word: &Word, _to: FloatFormat) -> Value {
        Value::Float(word.term)
    }
    pub(crate) fn word_of_float(&mut self, _value: &Value, _to: IntType) -> Result<Value, Gap> {
        Err(Gap::new("floats"))
    }
    pub(crate) fn float_resize(
        &mut self,
        value: &Value,
        _from: FloatFormat,
        _to: FloatFormat,
    ) -> Value {
        value.clone()
    }
    pub(crate) fn float_fits(&mut self, _state: &mut State, _e: Id<Expr>) -> Result<Term, Gap> {
        Err(Gap::new("floats"))
    }
}
