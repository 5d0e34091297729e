//! Reading and writing places.
//!
//! A place in an object of its own variables is one of them, or an element of
//! an array. Any other place has an address; the region it lies in was found
//! before, and holds cells of one kind, or bytes.

use crate::arithmetic::IntType;
use crate::cell::{Cell, indices, key};
use crate::encoder::{Encoder, Gap, Home, Region, Slots};
use crate::pointer::{INTEGER, NULL, Pointers};
use crate::state::State;
use crate::value::{Kind, Value, kind_of};
use crate::view::bytes_of;
use parallax_base::Id;
use parallax_cfa::{Base, BitField, Expr, Place, Step, Type};
use parallax_term::Term;

impl<'p> Encoder<'p> {
    /// The place behind an id.
    pub(crate) fn place(&self, id: Id<Place>) -> &'p Place {
        &self.program.places[id]
    }

    /// The cell of a scalar place in an object of its own variables.
    pub(crate) fn cell(&self, place: &Place) -> Option<Result<(Cell, Slots), Gap>> {
        let Base::Variable(variable) = place.base else { return None };
        let Home::Cells(cells) = &self.homes[variable.index()] else { return None };
        let key = key(place);
        let found = cells.iter().find(|(cell, _)| cell.is_at(&key)).cloned();
        Some(found.ok_or_else(|| Gap::new("a part of an object that is no scalar")))
    }

    /// The index of an element, all dimensions in one.
    pub(crate) fn element(
        &mut self,
        state: &mut State,
        cell: &Cell,
        indices: &[Id<Expr>],
    ) -> Result<Term, Gap> {
        let mut result: Option<Term> = None;
        for (&length, &index) in cell.lengths.iter().zip(indices) {
            let index = self.distance(state, index)?;
            result = Some(match result {
                None => index,
                Some(outer) => {
                    let length = self.pointers.offset(&mut self.store, i128::from(length));
                    let row = self.pointers.mul(&mut self.store, outer, length);
                    self.pointers.add(&mut self.store, row, index)
                }
            });
        }
        result.ok_or_else(|| Gap::new("an element without an index"))
    }

    /// The value at a place.
    pub(crate) fn load(&mut self, state: &mut State, id: Id<Place>) -> Result<Value, Gap> {
        let place = self.place(id);
        let wanted = self.kind(place.ty)?;
        if let Some(cell) = self.cell(place) {
            let (cell, slots) = cell?;
            let terms: Vec<Term> = if cell.lengths.is_empty() {
                slots.list().iter().map(|&slot| self.get(state, slot)).collect()
            } else {
                let index = self.element(state, &cell, &indices(place))?;
                self.select(state, slots, index)
            };
            let mut value = self.value(cell.kind, &terms);
            if !cell.lengths.is_empty() {
                self.in_range(state, cell.kind, &value);
            }
            if self.origins.contains_key(&slots.list()[0]) {
                let index = match cell.lengths.is_empty() {
                    true => None,
                    false => Some(self.element(state, &cell, &indices(place))?),
                };
                value = self.tagged(state, slots, index, value);
            }
            return self.recast(state, cell.kind, wanted, value);
        }
        let (object, offset) = self.address(state, id)?;
        let region = self.region(id, object)?;
        match region.kind {
            None => self.load_bytes(state, region, object, offset, wanted, place.bits),
            Some(kind) => {
                let index =
                    (!region.single).then(|| self.pointers.index(&mut self.store, object, offset));
                let terms = match index {
                    None => region.slots.list().iter().map(|&slot| self.get(state, slot)).collect(),
                    Some(index) => self.select(state, region.slots, index),
                };
                let value = self.value(kind, &terms);
                if !region.single {
                    self.in_range(state, kind, &value);
                }
                let value = self.tagged(state, region.slots, index, value);
                self.recast(state, kind, wanted, value)
            }
        }
    }

    /// Stores a value at a place, which is written then.
    pub(crate) fn store_value(
        &mut self,
        state: &mut State,
        id: Id<Place>,
        value: Value,
    ) -> Result<(), Gap> {
        let written = self.store.bool(true);
        self.store_marked(state, id, value, written)
    }

    /// Stores a value at a place, and whether it counts as written.
    pub(crate) fn store_marked(
        &mut self,
        state: &mut State,
        id: Id<Place>,
        value: Value,
        written: Term,
    ) -> Result<(), Gap> {
        let place = self.place(id);
        let given = self.kind(place.ty)?;
        if let Some(cell) = self.cell(place) {
            let (cell, slots) = cell?;
            let value = self.recast(state, given, cell.kind, value)?;
            let origin = self.origin(&value);
            let terms = self.terms(cell.kind, &value);
            if cell.lengths.is_empty() {
                for (slot, term) in slots.list().into_iter().zip(terms) {
                    self.set(state, slot, term);
                }
                self.mark(state, slots, None, written);
                self.set_origin(state, slots, None, origin);
            } else {
                let index = self.element(state, &cell, &indices(place))?;
                self.update(state, slots, index, &terms);
                self.mark(state, slots, Some(index), written);
                self.set_origin(state, slots, Some(index), origin);
            }
            return Ok(());
        }
        let (object, offset) = self.address(state, id)?;
        let region = self.region(id, object)?;
        match region.kind {
            None => {
                let at = (object, offset);
                self.store_bytes(state, region, at, given, place.bits, &value, written)
            }
            Some(kind) => {
                let value = self.recast(state, given, kind, value)?;
                let origin = self.origin(&value);
                let terms = self.terms(kind, &value);
                if region.single {
                    for (slot, term) in region.slots.list().into_iter().zip(terms) {
                        self.set(state, slot, term);
                    }
                    self.mark(state, region.slots, None, written);
                    self.set_origin(state, region.slots, None, origin);
                } else {
                    let index = self.pointers.index(&mut self.store, object, offset);
                    self.update(state, region.slots, index, &terms);
                    self.mark(state, region.slots, Some(index), written);
                    self.set_origin(state, region.slots, Some(index), origin);
                }
                Ok(())
            }
        }
    }

    /// The region of a place in an object. Behind the null pointer is nothing:
    /// an access there is undefined. What is null in some states only is told
    /// apart where the access is checked.
    pub(crate) fn region(&mut self, id: Id<Place>, object: Term) -> Result<Region, Gap> {
        let null = self.pointers.object(&mut self.store, NULL);
        if object == null {
            return Err(Gap::Undefined);
        }
        let region = self.region_of.get(id.index()).copied().flatten();
        let gap = || Gap::new("memory behind a pointer that points to nothing known");
        region.map(|r| self.regions[r]).ok_or_else(gap)
    }

    fn select(&mut self, state: &State, slots: Slots, index: Term) -> Vec<Term> {
        let arrays: Vec<Term> = slots.list().iter().map(|&slot| self.get(state, slot)).collect();
        arrays.into_iter().map(|array| self.store.select(array, index)).collect()
    }

    fn update(&mut self, state: &mut State, slots: Slots, index: Term, terms: &[Term]) {
        for (slot, &term) in slots.list().into_iter().zip(terms) {
            let array = self.get(state, slot);
            let array = self.store.store(array, index, term);
            self.set(state, slot, array);
        }
    }

    /// Over the integers an element of an array may be any number as far as
    /// the array knows; every value that was stored lies in the type's range.
    fn in_range(&mut self, state: &mut State, kind: Kind, value: &Value) {
        let (Kind::Int(ty), Value::Word(word), false) = (kind, value, self.vectors()) else {
            return;
        };
        let (low, high) = (self.store.int(ty.min()), self.store.int(ty.max()));
        let above = self.store.le(low, word.term);
        let below = self.store.le(word.term, high);
        state.assume(&mut self.store, above);
        state.assume(&mut self.store, below);
    }

    /// A value of one integer kind as another of the same bits or wider, or
    /// cut down to a bit-field. Other kinds are left alone.
    pub(crate) fn as_kind(&mut self, from: Kind, to: Kind, value: Value) -> Value {
        match (from, to) {
            (Kind::Int(a), Kind::Int(b)) if a != b => {
                let word = self.word(a, &value);
                let word = self.arithmetic.convert(&mut self.store, a, b, &word);
                match value {
                    Value::Address { object, offset, .. } => {
                        let offset = offset.filter(|_| b.bits >= self.pointers.bits);
                        Value::Address { word, object, offset }
                    }
                    _ => Value::Word(word),
                }
            }
            _ => value,
        }
    }

    /// The address of a place: object and distance.
    pub(crate) fn address(
        &mut self,
        state: &mut State,
        id: Id<Place>,
    ) -> Result<(Term, Term), Gap> {
        let place = self.place(id);
        let (object, mut offset, mut ty) = match place.base {
            Base::Variable(variable) => {
                let object = match self.homes[variable.index()] {
                    Home::Object(number) => self.pointers.object(&mut self.store, number),
                    Home::Moving(slot) => self.get(state, slot),
                    Home::Cells(_) => {
                        return Err(Gap::new("the address of an object that has none"));
                    }
                };
                let offset = self.pointers.offset(&mut self.store, 0);
                (object, offset, self.program.variables[variable].ty)
            }
            Base::Pointer(pointer) => {
                let (object, offset) = self.pointer(state, pointer)?;
                if self.integer_pointers {
                    let integer = self.pointers.object(&mut self.store, INTEGER);
                    let made = self.store.eq(object, integer);
                    self.doubt(made, "access through a pointer that was made from an integer");
                }
                let pointee = self.types().pointee(self.program.exprs[pointer].ty);
                (object, offset, pointee.unwrap_or(place.ty))
            }
        };
        for step in &place.path {
            let by = match *step {
                Step::Member(record, member) => {
                    let member = &self.types().records[record].members[member as usize];
                    ty = member.ty;
                    self.pointers.offset(&mut self.store, i128::from(member.offset))
                }
                Step::Index(index) => {
                    let Type::Array { of, .. } = *self.types().get(ty) else {
                        return Err(Gap::new("an index into something that is no array"));
                    };
                    ty = of;
                    let size = self.size(of)?;
                    let size = self.pointers.offset(&mut self.store, i128::from(size));
                    let index = self.distance(state, index)?;
                    self.pointers.mul(&mut self.store, index, size)
                }
            };
            offset = self.pointers.add(&mut self.store, offset, by);
        }
        Ok((object, offset))
    }

    /// The size of a type in bytes.
    pub(crate) fn size(&self, ty: Id<Type>) -> Result<u64, Gap> {
        let size = self.types().size_of(ty);
        size.ok_or_else(|| Gap::new("an array of arrays whose length is not constant"))
    }

    /// An integer that was read, with its origin.
    fn tagged(&mut self, state: &State, slots: Slots, index: Option<Term>, value: Value) -> Value {
        match (value, self.origin_at(state, slots, index)) {
            (Value::Word(word), origin) => self.with_origin(word, origin),
            (value, _) => value,
        }
    }

    /// Reads a scalar from bytes, lowest first.
    fn load_bytes(
        &mut self,
        state: &mut State,
        region: Region,
        object: Term,
        offset: Term,
        wanted: Kind,
        field: Option<BitField>,
    ) -> Result<Value, Gap> {
        let (Some(field), Kind::Int(ty)) = (field, wanted) else {
            let count = bytes_of(wanted, self.pointers.bits);
            let bits = self.bytes(state, region, object, offset, count);
            let origin = self.origin_of_bytes(state, region, object, offset, count);
            return self.of_bits(wanted, bits, origin);
        };
        let (shift, width) = (field.shift, field.width);
        let count = (shift + width).div_ceil(8);
        let bits = self.bytes(state, region, object, offset, count);
        let bits = self.store.bv_extract(bits, shift + width - 1, shift);
        let narrow = IntType { bits: width, signed: ty.signed };
        let word = self.arithmetic.of_bits(&mut self.store, narrow, bits);
        Ok(Value::Word(self.arithmetic.convert(&mut self.store, narrow, ty, &word)))
    }

    /// What `count` bytes were made from as parts of one pointer.
    fn origin_of_bytes(
        &mut self,
        state: &State,
        region: Region,
        object: Term,
        offset: Term,
        count: u32,
    ) -> Option<Term> {
        let first = self.byte_index(object, offset, 0);
        let origin = self.origin_at(state, region.slots, Some(first))?;
        let mut same = Vec::new();
        for i in 1..count {
            let index = self.byte_index(object, offset, i);
            let other = self.origin_at(state, region.slots, Some(index))?;
            same.push(self.store.eq(other, origin));
        }
        let same = self.store.and(same);
        let unclear = self.pointers.object(&mut self.store, INTEGER);
        Some(self.store.ite(same, origin, unclear))
    }

    /// `count` bytes as one bit-vector.
    fn bytes(
        &mut self,
        state: &mut State,
        region: Region,
        object: Term,
        offset: Term,
        count: u32,
    ) -> Term {
        let byte = IntType { bits: 8, signed: false };
        let mut result: Option<Term> = None;
        for i in 0..count {
            let index = self.byte_index(object, offset, i);
            let terms = self.select(state, region.slots, index);
            let value = self.value(Kind::Int(byte), &terms);
            self.in_range(state, Kind::Int(byte), &value);
            let word = self.word(byte, &value);
            let bits = self.arithmetic.to_bits(&mut self.store, byte, &word);
            result = Some(match result {
                None => bits,
                Some(low) => self.store.bv_concat(bits, low),
            });
        }
        result.unwrap_or_else(|| self.store.bv(8, 0))
    }

    pub(crate) fn byte_index(&mut self, object: Term, offset: Term, i: u32) -> Term {
        let pointers: Pointers = self.pointers;
        let step = pointers.offset(&mut self.store, i128::from(i));
        let at = pointers.add(&mut self.store, offset, step);
        pointers.index(&mut self.store, object, at)
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one store, used nowhere else")]
    fn store_bytes(
        &mut self,
        state: &mut State,
        region: Region,
        (object, offset): (Term, Term),
        given: Kind,
        field: Option<BitField>,
        value: &Value,
        written: Term,
    ) -> Result<(), Gap> {
        let mut origin = self.pointers.object(&mut self.store, NULL);
        let (mut bits, mut count) = (origin, bytes_of(given, self.pointers.bits));
        if field.is_none() {
            (bits, origin) = self.bits_of(state, given, value)?;
        }
        if let (Some(field), Kind::Int(ty)) = (field, given) {
            let word = self.word(ty, value);
            let (shift, width) = (field.shift, field.width);
            count = (shift + width).div_ceil(8);
            let sized = IntType { bits: width, signed: false };
            let word = self.arithmetic.convert(&mut self.store, ty, sized, &word);
            bits = self.arithmetic.to_bits(&mut self.store, sized, &word);
            // The bits beside the field stay.
            let old = self.bytes(state, region, object, offset, count);
            if shift > 0 {
                let below = self.store.bv_extract(old, shift - 1, 0);
                bits = self.store.bv_concat(bits, below);
            }
            if shift + width < count * 8 {
                let above = self.store.bv_extract(old, count * 8 - 1, shift + width);
                bits = self.store.bv_concat(above, bits);
            }
        }
        let byte = IntType { bits: 8, signed: false };
        for i in 0..count {
            let part = self.store.bv_extract(bits, i * 8 + 7, i * 8);
            let word = self.arithmetic.of_bits(&mut self.store, byte, part);
            let index = self.byte_index(object, offset, i);
            self.update(state, region.slots, index, &[word.term]);
            self.mark(state, region.slots, Some(index), written);
            self.set_origin(state, region.slots, Some(index), origin);
        }
        Ok(())
    }

    /// The kind of a place's type, if it is scalar.
    pub(crate) fn scalar(&self, ty: Id<Type>) -> Option<Kind> {
        kind_of(self.types(), ty)
    }

    /// Whether `size` bytes from an address on lie in one live object.
    pub(crate) fn valid(
        &mut self,
        state: &State,
        object: Term,
        offset: Term,
        size: Term,
        write: bool,
    ) -> Result<Term, Gap> {
        let Some(sizes) = self.sizes else { return Err(Gap::new("the size of an object")) };
        let sizes = self.get(state, sizes);
        let limit = self.store.select(sizes, object);
        let zero = self.pointers.offset(&mut self.store, 0);
        let starts = self.pointers.le(&mut self.store, zero, offset);
        // Written so that nothing wraps: offset <= limit - size.
        let room = self.pointers.sub(&mut self.store, limit, size);
        let fits = self.pointers.le(&mut self.store, offset, room);
        let sane = self.pointers.le(&mut self.store, zero, size);
        let mut parts = vec![starts, fits, sane];
        if write && self.read_only.0 < self.read_only.1 {
            let first = self.pointers.object(&mut self.store, self.read_only.0);
            let last = self.pointers.object(&mut self.store, self.read_only.1 - 1);
            let after = self.pointers.object_le(&mut self.store, first, object);
            let before = self.pointers.object_le(&mut self.store, object, last);
            let inside = self.store.and([after, before]);
            parts.push(self.store.not(inside));
        }
        Ok(self.store.and(parts))
    }
}
