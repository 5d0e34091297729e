//! Conversions between scalar types.
//!
//! A pointer has an address only if the program asks for it: the address of an
//! object is chosen once and stays. An integer that was made from a pointer
//! makes a pointer into the same object. Any other than zero makes one into no
//! object; following it is not covered.

use crate::arithmetic::{IntType, power};
use crate::encoder::{Encoder, Gap};
use crate::pointer::{INTEGER, NULL};
use crate::state::State;
use crate::value::{Kind, Value};
use parallax_base::Id;
use parallax_cfa::{Binary, IntKind, Type};
use parallax_term::{Int, Term};

impl Encoder<'_> {
    /// A value of type `from` converted to type `to`.
    pub(crate) fn convert(
        &mut self,
        state: &mut State,
        from: Id<Type>,
        to: Id<Type>,
        value: Value,
    ) -> Result<Value, Gap> {
        if self.types().int_kind(to) == Some(IntKind::Bool) {
            return Ok(Value::Truth(self.truth_of(from, &value)?));
        }
        match (self.kind(from)?, self.kind(to)?) {
            (Kind::Int(_), Kind::Int(to)) if matches!(value, Value::Truth(_)) && to.bits > 1 => {
                Ok(value)
            }
            (from @ Kind::Int(_), to @ Kind::Int(_)) => Ok(self.as_kind(from, to, value)),
            (Kind::Pointer, Kind::Pointer) => Ok(value),
            (Kind::Int(from), Kind::Pointer) => Ok(self.pointer_of(from, &value)),
            (Kind::Pointer, Kind::Int(to)) => {
                let Value::Pointer { object, offset } = value else {
                    return Err(Gap::new("a pointer that is none"));
                };
                self.address_of(state, to, object, offset)
            }
            (Kind::Int(from), Kind::Float(to)) => {
                let word = self.word(from, &value);
                Ok(self.float_of_word(from, &word, to))
            }
            (Kind::Float(_), Kind::Int(to)) => self.word_of_float(&value, to),
            (Kind::Float(_), Kind::Float(to)) => self.float_resize(&value, to),
            (Kind::Float(_), Kind::Pointer) | (Kind::Pointer, Kind::Float(_)) => {
                Err(Gap::new("a conversion between a pointer and a float"))
            }
        }
    }

    /// An integer as a pointer.
    pub(crate) fn pointer_of(&mut self, from: IntType, value: &Value) -> Value {
        if let Value::Address { object, offset: Some(offset), .. } = *value {
            return Value::Pointer { object, offset };
        }
        let word = self.word(from, value);
        let address = IntType { bits: self.pointers.bits, signed: false };
        let word = self.arithmetic.convert(&mut self.store, from, address, &word);
        let offset = self.pointers.distance(&mut self.store, self.arithmetic, address, &word);
        let truth = self.arithmetic.truth(&mut self.store, address, &word);
        let (null, integer) = (
            self.pointers.object(&mut self.store, NULL),
            self.pointers.object(&mut self.store, INTEGER),
        );
        let bare = self.store.ite(truth, integer, null);
        let (Value::Address { object: origin, .. }, Some(addresses)) = (value, self.addresses)
        else {
            return Value::Pointer { object: bare, offset };
        };
        let plain = self.pointers.object_le(&mut self.store, *origin, integer);
        let base = self.store.select(self.symbols[addresses], *origin);
        let base = self.arithmetic.whole(address, base);
        let base = self.pointers.distance(&mut self.store, self.arithmetic, address, &base);
        let within = self.pointers.sub(&mut self.store, offset, base);
        let object = self.store.ite(plain, bare, *origin);
        let offset = self.store.ite(plain, offset, within);
        Value::Pointer { object, offset }
    }

    /// A pointer as an integer.
    pub(crate) fn address_of(
        &mut self,
        state: &mut State,
        to: IntType,
        object: Term,
        offset: Term,
    ) -> Result<Value, Gap> {
        let integer = self.pointers.object(&mut self.store, INTEGER);
        let bare = self.pointers.object_le(&mut self.store, object, integer);
        let address_type = IntType { bits: self.pointers.bits, signed: false };
        let plain = self.pointers.word(&mut self.store, self.arithmetic, address_type, offset);
        let address = if self.store.is_true(bare) {
            plain
        } else {
            let Some(addresses) = self.addresses else {
                return Err(Gap::new("a pointer converted to an integer"));
            };
            let addresses = self.get(state, addresses);
            let base = self.store.select(addresses, object);
            let within = self.plausible(address_type, base);
            let fine = self.store.or([bare, within]);
            state.assume(&mut self.store, fine);
            let base = self.arithmetic.whole(address_type, base);
            let sum =
                self.arithmetic.binary(&mut self.store, Binary::Add, address_type, &base, &plain);
            self.arithmetic.choose(&mut self.store, bare, &plain, &sum)
        };
        let word = self.arithmetic.convert(&mut self.store, address_type, to, &address);
        let offset = (to.bits >= self.pointers.bits).then_some(offset);
        Ok(Value::Address { word, object, offset })
    }

    /// Objects do not begin at zero, nor in the last page.
    fn plausible(&mut self, ty: IntType, base: Term) -> Term {
        let word = self.arithmetic.whole(ty, base);
        let least = self.arithmetic.constant(&mut self.store, ty, 4096);
        let most = &power(ty.bits) - &Int::from(1 << 16);
        let most = most.to_i64().map_or(i128::from(u64::MAX - (1 << 16)), i128::from);
        let most = self.arithmetic.constant(&mut self.store, ty, most);
        let above = self.arithmetic.compare(&mut self.store, Binary::Le, ty, &least, &word);
        let below = self.arithmetic.compare(&mut self.store, Binary::Le, ty, &word, &most);
        self.store.and([above, below])
    }
}
