//! When a check succeeds, as a condition over a symbolic state.

use crate::arithmetic::IntType;
use crate::cell::{indices, key};
use crate::encoder::{Encoder, Gap, Home};
use crate::pointer::{LOCAL, NULL};
use crate::state::State;
use crate::value::Kind;
use parallax_base::Id;
use parallax_cfa::{Base, Binary, Check, Expr, ExprKind, Place, Unary};
use parallax_term::Term;

impl Encoder<'_> {
    /// The condition under which a check succeeds.
    pub(crate) fn condition(&mut self, state: &mut State, check: Check) -> Result<Term, Gap> {
        match check {
            Check::Overflow(e) => self.no_overflow(state, e),
            Check::Division(divisor) => self.truth(state, divisor),
            Check::Shift(e) => self.shift_in_range(state, e),
            Check::FloatConversion(e) => self.float_fits(state, e),
            Check::Access { place, write } => self.accessible(state, place, write),
            Check::AccessBytes { pointer, size, write } => {
                let (object, offset) = self.pointer(state, pointer)?;
                let size = self.distance(state, size)?;
                let zero = self.pointers.offset(&mut self.store, 0);
                let nothing = self.store.eq(size, zero);
                let valid = self.valid(state, object, offset, size, write)?;
                Ok(self.store.or([nothing, valid]))
            }
            Check::Initialized(place) => self.written(state, place),
            Check::Lock(place, rule) => self.lock_is(state, place, rule),
            Check::Alone { .. } | Check::AloneBytes { .. } => Ok(self.store.bool(true)),
            Check::Free(pointer) => self.freeable(state, pointer),
            Check::Callable(pointer) => self.callable(state, pointer),
            Check::Sequenced { apart, .. } | Check::Index { within: apart, .. } => {
                self.truth(state, apart)
            }
            Check::Unreachable => Ok(self.store.bool(false)),
        }
    }

    fn int_type(&self, e: Id<Expr>) -> Result<IntType, Gap> {
        match self.kind(self.program.exprs[e].ty)? {
            Kind::Int(ty) => Ok(ty),
            _ => Err(Gap::new("an overflow of something that is no integer")),
        }
    }

    fn no_overflow(&mut self, state: &mut State, e: Id<Expr>) -> Result<Term, Gap> {
        let program = self.program;
        match &program.exprs[e].kind {
            ExprKind::Unary(Unary::Neg, a) => {
                let ty = self.int_type(*a)?;
                let value = self.eval(state, *a)?;
                let (zero, word) =
                    (self.arithmetic.constant(&mut self.store, ty, 0), self.word(ty, &value));
                Ok(self.arithmetic.fits(&mut self.store, Binary::Sub, ty, &zero, &word))
            }
            ExprKind::Binary(op, a, b) => {
                let ty = self.int_type(*a)?;
                let (x, y) = (self.eval(state, *a)?, self.eval(state, *b)?);
                let left = self.word(ty, &x);
                if *op == Binary::Shl {
                    let amount = self.int_type(*b)?;
                    let by = self.word(amount, &y);
                    let store = &mut self.store;
                    let shifted = self.arithmetic.shift(store, Binary::Shl, ty, &left, amount, &by);
                    let back = self.arithmetic.shift(store, Binary::Shr, ty, &shifted, amount, &by);
                    let zero = self.arithmetic.constant(store, ty, 0);
                    let positive = self.arithmetic.compare(store, Binary::Ge, ty, &left, &zero);
                    let kept = self.arithmetic.compare(store, Binary::Eq, ty, &back, &left);
                    return Ok(store.and([positive, kept]));
                }
                let right = self.word(ty, &y);
                // A remainder is undefined where its quotient is.
                let op = if *op == Binary::Rem { Binary::Div } else { *op };
                Ok(self.arithmetic.fits(&mut self.store, op, ty, &left, &right))
            }
            _ => Ok(self.store.bool(true)),
        }
    }

    fn shift_in_range(&mut self, state: &mut State, e: Id<Expr>) -> Result<Term, Gap> {
        let program = self.program;
        let ExprKind::Binary(_, a, b) = program.exprs[e].kind else {
            return Ok(self.store.bool(true));
        };
        let (ty, amount) = (self.int_type(a)?, self.int_type(b)?);
        let by = self.eval(state, b)?;
        let by = self.word(amount, &by);
        let store = &mut self.store;
        let zero = self.arithmetic.constant(store, amount, 0);
        let above = self.arithmetic.compare(store, Binary::Ge, amount, &by, &zero);
        let last = self.arithmetic.constant(store, amount, i128::from(ty.bits) - 1);
        let below = self.arithmetic.compare(store, Binary::Le, amount, &by, &last);
        Ok(store.and([above, below]))
    }

    fn accessible(&mut self, state: &mut State, id: Id<Place>, write: bool) -> Result<Term, Gap> {
        let place = self.place(id);
        if let Base::Variable(variable) = place.base
            && let Home::Cells(cells) = &self.homes[variable.index()]
        {
            let way = key(place);
            let lengths = cells.iter().find(|(c, _)| c.key.starts_with(&way));
            let lengths = lengths.map(|(c, _)| c.lengths.clone()).unwrap_or_default();
            let mut parts = Vec::new();
            for (length, index) in lengths.into_iter().zip(indices(place)) {
                let index = self.distance(state, index)?;
                let (zero, limit) = (
                    self.pointers.offset(&mut self.store, 0),
                    self.pointers.offset(&mut self.store, i128::from(length)),
                );
                parts.push(self.pointers.le(&mut self.store, zero, index));
                parts.push(self.pointers.lt(&mut self.store, index, limit));
            }
            return Ok(self.store.and(parts));
        }
        let (object, offset) = self.address(state, id)?;
        let size = match place.bits {
            Some(bits) => u64::from((bits.shift + bits.width).div_ceil(8)),
            None => self.size(place.ty)?,
        };
        let size = self.pointers.offset(&mut self.store, i128::from(size));
        self.valid(state, object, offset, size, write)
    }

    fn freeable(&mut self, state: &mut State, pointer: Id<Expr>) -> Result<Term, Gap> {
        let (object, offset) = self.pointer(state, pointer)?;
        let Some(sizes) = self.sizes else { return Err(Gap::new("the size of an object")) };
        let sizes = self.get(state, sizes);
        let size = self.store.select(sizes, object);
        let zero = self.pointers.offset(&mut self.store, 0);
        let alive = self.pointers.le(&mut self.store, zero, size);
        let start = self.store.eq(offset, zero);
        let first = self.pointers.object(&mut self.store, self.first_heap);
        let heap = self.pointers.object_le(&mut self.store, first, object);
        let last = self.pointers.object(&mut self.store, LOCAL - 1);
        let below = self.pointers.object_le(&mut self.store, object, last);
        let good = self.store.and([alive, start, heap, below]);
        let null = self.pointers.object(&mut self.store, NULL);
        let null = self.store.eq(object, null);
        let null = self.store.and([null, start]);
        Ok(self.store.or([null, good]))
    }

    fn callable(&mut self, state: &mut State, pointer: Id<Expr>) -> Result<Term, Gap> {
        let (object, offset) = self.pointer(state, pointer)?;
        let zero = self.pointers.offset(&mut self.store, 0);
        let start = self.store.eq(offset, zero);
        let mut candidates = Vec::new();
        let ty = self.program.types.pointee(self.program.exprs[pointer].ty);
        for (function, number) in self.functions.clone().into_iter().enumerate() {
            if ty.is_some_and(|ty| !self.program.fits_call(Id::new(function), ty)) {
                continue;
            }
            let function = self.pointers.object(&mut self.store, number);
            candidates.push(self.store.eq(object, function));
        }
        let known = self.store.or(candidates);
        Ok(self.store.and([start, known]))
    }
}
