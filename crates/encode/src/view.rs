//! The bits of a scalar, and scalars seen as others.
//!
//! Memory that is accessed under several types holds integers or bytes. A float
//! lies there as its IEEE 754 bits; which bits one that is not a number has is
//! chosen anew each time it is stored. A pointer lies there as its address, and
//! beside it, for each integer or byte, the number of its object: its *origin*.
//! An integer is a pointer into its origin, however its value was computed; one
//! without an origin points nowhere that is known.
//!
//! Where a run takes bytes of several pointers together, or adds integers of
//! several origins, the origin is not known, and to follow such a pointer is
//! not covered.

use crate::arithmetic::{IntType, Word};
use crate::encoder::{Encoder, Gap, Slots, Source};
use crate::pointer::{INTEGER, NULL};
use crate::state::State;
use crate::value::{Kind, Value};
use parallax_base::Span;
use parallax_cfa::Binary;
use parallax_ir::Domain;
use parallax_term::{FloatClass, FloatFormat, Sort, Term};

/// The bytes that a value of this kind takes in memory, padding aside.
pub(crate) fn bytes_of(kind: Kind, pointer_bits: u32) -> u32 {
    match kind {
        Kind::Int(ty) => ty.bits.max(8).div_ceil(8),
        // The leading bit of the significand is stored.
        Kind::Float(FloatFormat::EXTENDED) => 10,
        Kind::Float(format) => format.width().div_ceil(8),
        Kind::Pointer => pointer_bits / 8,
    }
}

impl Encoder<'_> {
    /// A value of one kind, its bits read as another.
    pub(crate) fn recast(
        &mut self,
        state: &mut State,
        from: Kind,
        to: Kind,
        value: Value,
    ) -> Result<Value, Gap> {
        match (from, to) {
            (Kind::Int(_), Kind::Int(_)) => Ok(self.as_kind(from, to, value)),
            (a, b) if a == b => Ok(value),
            (Kind::Int(ty), Kind::Pointer) if ty.bits == self.pointers.bits => {
                Ok(self.pointer_of(ty, &value))
            }
            (Kind::Pointer, Kind::Int(ty)) if ty.bits == self.pointers.bits => match value {
                Value::Pointer { object, offset } => self.address_of(state, ty, object, offset),
                _ => Err(Gap::new("a pointer that is none")),
            },
            _ => {
                let (bits, origin) = self.bits_of(state, from, &value)?;
                self.of_bits(to, bits, Some(origin))
            }
        }
    }

    /// The bits of a value as they lie in memory, and its origin.
    pub(crate) fn bits_of(
        &mut self,
        state: &mut State,
        kind: Kind,
        value: &Value,
    ) -> Result<(Term, Term), Gap> {
        let none = self.pointers.object(&mut self.store, NULL);
        match (kind, value) {
            (Kind::Int(ty), value) => {
                let word = self.word(ty, value);
                let whole = IntType { bits: ty.bits.max(8), signed: ty.signed };
                let word = self.arithmetic.convert(&mut self.store, ty, whole, &word);
                let bits = self.arithmetic.to_bits(&mut self.store, whole, &word);
                Ok((bits, self.origin(value)))
            }
            (Kind::Float(format), Value::Float(term)) => {
                let bits = self.float_bits(state, format, *term);
                Ok((self.stored_bits(format, bits), none))
            }
            (Kind::Pointer, Value::Pointer { object, offset }) => {
                let ty = IntType { bits: self.pointers.bits, signed: false };
                let value = self.address_of(state, ty, *object, *offset)?;
                let word = self.word(ty, &value);
                Ok((self.arithmetic.to_bits(&mut self.store, ty, &word), *object))
            }
            _ => Err(Gap::new("a value of another kind than its type")),
        }
    }

    /// The value with these bits in memory.
    pub(crate) fn of_bits(
        &mut self,
        kind: Kind,
        bits: Term,
        origin: Option<Term>,
    ) -> Result<Value, Gap> {
        match kind {
            Kind::Int(ty) => {
                let whole = IntType { bits: ty.bits.max(8), signed: ty.signed };
                let word = self.arithmetic.of_bits(&mut self.store, whole, bits);
                let word = self.arithmetic.convert(&mut self.store, whole, ty, &word);
                Ok(self.with_origin(word, origin))
            }
            Kind::Float(FloatFormat::EXTENDED) => {
                // A number whose leading bit is not what the exponent says is none
                // that a computation gives.
                let zero = self.store.bv(15, 0);
                let exponent = self.store.bv_extract(bits, 78, 64);
                let small = self.store.eq(exponent, zero);
                let leading = self.store.bv_extract(bits, 63, 63);
                let one = self.store.bv(1, 1);
                let leads = self.store.eq(leading, one);
                let odd = self.store.iff(small, leads);
                self.doubt(odd, "a `long double` that is no number of its format");
                let high = self.store.bv_extract(bits, 79, 64);
                let low = self.store.bv_extract(bits, 62, 0);
                let bits = self.store.bv_concat(high, low);
                Ok(Value::Float(self.store.float_from_bits(bits, FloatFormat::EXTENDED)))
            }
            Kind::Float(format) => Ok(Value::Float(self.store.float_from_bits(bits, format))),
            Kind::Pointer => {
                let ty = IntType { bits: self.pointers.bits, signed: false };
                let word = self.arithmetic.of_bits(&mut self.store, ty, bits);
                let value = self.with_origin(word, origin);
                Ok(self.pointer_of(ty, &value))
            }
        }
    }

    /// The bits of a float; what is not a number has any that are none.
    fn float_bits(&mut self, state: &mut State, format: FloatFormat, value: Term) -> Term {
        let bits = self.store.float_to_bits(value);
        let nan = self.store.float_is(FloatClass::Nan, value);
        if self.store.is_false(nan) {
            return bits;
        }
        let any = self.choice("bits", &Domain::Bv(format.width()), Source::Open);
        let number = self.store.float_from_bits(any, format);
        let is_nan = self.store.float_is(FloatClass::Nan, number);
        let is_number = self.store.not(nan);
        let fine = self.store.or([is_number, is_nan]);
        state.assume(&mut self.store, fine);
        self.store.ite(nan, any, bits)
    }

    /// The bits of a float as they are stored.
    fn stored_bits(&mut self, format: FloatFormat, bits: Term) -> Term {
        if format != FloatFormat::EXTENDED {
            return bits;
        }
        let high = self.store.bv_extract(bits, 78, 63);
        let exponent = self.store.bv_extract(bits, 77, 63);
        let zero = self.store.bv(15, 0);
        let small = self.store.eq(exponent, zero);
        let (no, yes) = (self.store.bv(1, 0), self.store.bv(1, 1));
        let leading = self.store.ite(small, no, yes);
        let low = self.store.bv_extract(bits, 62, 0);
        let low = self.store.bv_concat(leading, low);
        self.store.bv_concat(high, low)
    }

    /// The object that a value was made from as a pointer; null for none.
    pub(crate) fn origin(&mut self, value: &Value) -> Term {
        match value {
            Value::Address { object, .. } | Value::Pointer { object, .. } => *object,
            _ => self.pointers.object(&mut self.store, NULL),
        }
    }

    /// An integer that is a pointer into an object.
    pub(crate) fn with_origin(&mut self, word: Word, origin: Option<Term>) -> Value {
        let null = self.pointers.object(&mut self.store, NULL);
        match origin.filter(|object| *object != null) {
            Some(object) => Value::Address { word, object, offset: None },
            None => Value::Word(word),
        }
    }

    /// The origin of the result of an operator on integers as wide as pointers.
    pub(crate) fn origin_of(&mut self, op: Binary, x: &Value, y: &Value) -> Option<Term> {
        use Binary::{Add, BitAnd, BitOr, BitXor, Sub};
        let carries = |value: &Value| matches!(value, Value::Address { .. });
        if !matches!(op, Add | Sub | BitAnd | BitOr | BitXor) || !carries(x) && !carries(y) {
            return None;
        }
        let (a, b) = (self.origin(x), self.origin(y));
        let (null, unclear) = (
            self.pointers.object(&mut self.store, NULL),
            self.pointers.object(&mut self.store, INTEGER),
        );
        let (left, right) = (self.store.eq(a, null), self.store.eq(b, null));
        let same = self.store.eq(a, b);
        // A difference inside of one object is a distance.
        let alike = if matches!(op, Sub | BitXor) { null } else { a };
        let both = self.store.ite(same, alike, unclear);
        let one = self.store.ite(right, a, both);
        Some(self.store.ite(left, b, one))
    }

    /// Adds the variables for the origins of what lies in some slots.
    pub(crate) fn make_origin(&mut self, slots: Slots) {
        let Slots::One(slot) = slots else { return };
        let variable = &self.variables[parallax_base::Id::new(slot)];
        let object = self.pointers.object_domain();
        let domain = match (&variable.domain, object.sort().scalar()) {
            (Domain::Array(index, _), Some(element)) => Domain::Array(*index, element),
            _ => object,
        };
        let name = format!("{} points into", variable.name);
        let origin = self.variable(&name, domain, Span::default());
        self.origins.insert(slot, origin);
    }

    /// The origin of the scalar in some slots, or of an element of them.
    pub(crate) fn origin_at(
        &mut self,
        state: &State,
        slots: Slots,
        index: Option<Term>,
    ) -> Option<Term> {
        let origin = *self.origins.get(&slots.list()[0])?;
        let now = self.get(state, origin);
        Some(match index {
            Some(index) => self.store.select(now, index),
            None => now,
        })
    }

    /// Notes the origin of what is stored.
    pub(crate) fn set_origin(
        &mut self,
        state: &mut State,
        slots: Slots,
        index: Option<Term>,
        object: Term,
    ) {
        let Some(&origin) = self.origins.get(&slots.list()[0]) else { return };
        let mut now = object;
        if let Some(index) = index {
            let array = self.get(state, origin);
            now = self.store.store(array, index, object);
        }
        self.set(state, origin, now);
    }

    /// What has no origin, for all elements of some slots.
    pub(crate) fn no_origin(&mut self, origin: usize) -> Term {
        let null = self.pointers.object(&mut self.store, NULL);
        match self.variables[parallax_base::Id::new(origin)].domain.sort() {
            Sort::Array(index, _) => self.store.const_array(index, null),
            _ => null,
        }
    }
}
