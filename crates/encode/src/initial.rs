//! The contents of everything before the program starts.
//!
//! Static objects of their own variables have initial values. In memory, the
//! cells of static objects are said one by one; everywhere else memory is
//! arbitrary, as heap objects and locals are before they are written.

use crate::arithmetic::IntType;
use crate::encoder::{Encoder, Gap, Home, Region, Slots};
use crate::pointer::{LOCAL, NULL, OUTSIDE};
use crate::state::State;
use crate::value::{Kind, Value, kind_of};
use crate::view::bytes_of;
use parallax_base::Id;
use parallax_cfa::{ArrayLength, Base, Initial, Storage, Type, Types, Variable};
use parallax_term::{ArrayValue, Float, Scalar, Term, Value as Constant};
use parallax_transform::points_to::{ObjectKind, PointsTo, RegionCell, Regions};
use std::collections::BTreeMap;

/// An object with more scalars than this starts with arbitrary contents, as far
/// as the encoding is concerned.
const CELL_LIMIT: usize = 4096;

/// A scalar of an object in memory.
#[derive(Clone, Copy)]
struct Part {
    /// Bytes from the start.
    offset: u64,
    shift: u32,
    kind: Kind,
    /// Whether it is a bit-field.
    field: bool,
}

/// What a cell of memory holds at the start.
pub(crate) struct FirstCell {
    slot: usize,
    index: Option<Term>,
    value: Term,
    /// The condition that says so.
    condition: Term,
}

impl Part {
    /// The bits of the object that it takes, from the first to behind the last.
    fn bits(&self, word: u32) -> (u64, u64) {
        let start = self.offset * 8 + u64::from(self.shift);
        let width = match self.kind {
            Kind::Int(ty) if self.field => ty.bits,
            Kind::Int(ty) => ty.bits.next_multiple_of(8),
            Kind::Float(format) => format.width().next_multiple_of(8),
            Kind::Pointer => word,
        };
        (start, start + u64::from(width))
    }
}

impl Encoder<'_> {
    /// The initial value of each variable, and a condition on all of them.
    pub(crate) fn initial(
        &mut self,
        points_to: &PointsTo,
        regions: &Regions,
        first_region: usize,
    ) -> (Vec<Option<Constant>>, Term) {
        let program = self.program;
        let mut state = State::default();
        let mut conditions = Vec::new();
        let initials: BTreeMap<Id<Variable>, &Initial> =
            program.initials.iter().map(|(v, i)| (*v, i)).collect();
        for (v, variable) in program.variables.iter_enumerated() {
            if !matches!(variable.storage, Storage::Static | Storage::Thread) {
                continue;
            }
            let items = match initials.get(&v) {
                Some(Initial::Arbitrary) => continue,
                Some(Initial::Items(items)) => &items[..],
                None => &[],
            };
            match self.homes[v.index()].clone() {
                Home::Cells(cells) => {
                    for (cell, slots) in cells {
                        self.zero(&mut state, cell.kind, !cell.lengths.is_empty(), slots);
                    }
                    for item in items {
                        let stored = self
                            .eval(&mut state, item.value)
                            .and_then(|value| self.store_value(&mut state, item.place, value));
                        if stored.is_err() || self.is_open() {
                            self.forget(&mut state, item.place);
                        }
                    }
                }
                Home::Object(number) => {
                    let object = points_to.variable(v);
                    let all = parts(self.types(), variable.ty);
                    let (Some(parts), Some(given)) = (all, self.given(&mut state, items)) else {
                        let own = object.into_iter().flat_map(|object| regions.of_object(object));
                        self.vague.extend(own.map(|region| region.index() + first_region));
                        self.vague.extend(self.private.get(&v));
                        continue;
                    };
                    for part in parts {
                        let value = self.first_value(part, &given);
                        let region = match (self.private.get(&v), object) {
                            (Some(&region), _) => Some(region),
                            (None, Some(object)) => {
                                let at = points_to.folded(object, part.offset);
                                let bit = at * 8 + u64::from(part.shift);
                                let holds = |c: &RegionCell| {
                                    c.object == object && c.start <= bit && bit < c.end
                                };
                                let found = regions.regions.iter();
                                let found = found.map(|r| r.cells.iter().any(holds));
                                let mut found = found.enumerate().filter(|(_, holds)| *holds);
                                found.next().map(|(r, _)| r + first_region)
                            }
                            (None, None) => None,
                        };
                        let Some(region) = region else { continue };
                        let is_zero = given.is_empty();
                        let cell = value.map(|value| self.cell_is(region, number, part, &value));
                        let cell = cell.unwrap_or_default();
                        // Where all is zero, it is so under every type.
                        if cell.is_empty() && !is_zero {
                            self.vague.insert(region);
                        }
                        conditions.extend(cell);
                    }
                }
                Home::Moving(_) => {}
            }
        }
        let mut fixed: Vec<Option<Constant>> = (0..self.symbols.len())
            .map(|slot| state.values.get(&slot).and_then(|&t| self.store.value(t)).cloned())
            .collect();
        // What was computed but is no constant is a condition.
        for (&slot, &term) in &state.values {
            if fixed[slot].is_none() {
                conditions.push(self.store.eq(self.symbols[slot], term));
            }
        }
        self.initial_bookkeeping(&mut fixed);
        if self.team.is_some() {
            self.settle(points_to, regions, first_region, &mut fixed, &mut conditions);
        }
        let predicate = self.store.and(conditions);
        (fixed, predicate)
    }

    /// Memory that has static objects only, all with known contents, begins with
    /// those; elsewhere in it nothing can be accessed. So its contents are a
    /// value like others, and not a condition.
    fn settle(
        &mut self,
        points_to: &PointsTo,
        regions: &Regions,
        first_region: usize,
        fixed: &mut [Option<Constant>],
        conditions: &mut Vec<Term>,
    ) {
        let cells = std::mem::take(&mut self.first_cells);
        let program = self.program;
        let arbitrary: Vec<Id<Variable>> = program
            .initials
            .iter()
            .filter(|(_, initial)| matches!(initial, Initial::Arbitrary))
            .map(|(v, _)| *v)
            .collect();
        let is_known = |object| match points_to.objects()[object].kind {
            ObjectKind::Variable(v) => {
                program.variables[v].storage == Storage::Static && !arbitrary.contains(&v)
            }
            _ => false,
        };
        for (number, region) in regions.regions.iter().enumerate() {
            let at = number + first_region;
            if self.vague.contains(&at) || !region.cells.iter().all(|c| is_known(c.object)) {
                continue;
            }
            let Region { slots, single, .. } = self.regions[at];
            for slot in slots.list() {
                let own = cells.iter().filter(|cell| cell.slot == slot);
                let pairs: Option<Vec<(Option<Constant>, Constant)>> = own
                    .map(|cell| {
                        let index = match cell.index {
                            Some(index) => Some(self.store.value(index)?.clone()),
                            None => None,
                        };
                        Some((index, self.store.value(cell.value)?.clone()))
                    })
                    .collect();
                let Some(pairs) = pairs.filter(|pairs| !pairs.is_empty()) else { continue };
                let value = match (single, self.pointers.index_sort().scalar()) {
                    (true, _) => pairs.last().map(|(_, value)| value.clone()),
                    (false, Some(sort)) => {
                        let default = Constant::default_of(pairs[0].1.sort());
                        let entries =
                            pairs.into_iter().filter_map(|(index, value)| Some((index?, value)));
                        let array = ArrayValue::new(sort, default, entries.collect::<Vec<_>>());
                        Some(Constant::Array(array.into()))
                    }
                    (false, None) => None,
                };
                if value.is_some() {
                    fixed[slot] = value;
                    let said: Vec<Term> =
                        cells.iter().filter(|c| c.slot == slot).map(|c| c.condition).collect();
                    conditions.retain(|condition| !said.contains(condition));
                }
            }
        }
    }

    /// What the items of an object say, in order; `None` if one is not
    /// understood.
    fn given(
        &mut self,
        state: &mut State,
        items: &[parallax_cfa::InitialItem],
    ) -> Option<Vec<(Part, Value)>> {
        let mut given = Vec::new();
        for item in items {
            let bits = self.place(item.place).bits;
            let (shift, field) = (bits.map_or(0, |b| b.shift), bits.is_some());
            let (offset, (kind, value)) = self.item(state, item).ok()?;
            given.push((Part { offset: offset?, shift, kind, field }, value));
        }
        Some(given)
    }

    /// What a part of an object holds at the start, if it is known: the last
    /// item there is, or zero where there is none. Of bytes that were given as
    /// another kind, as members of unions are, nothing is said.
    fn first_value(&mut self, part: Part, given: &[(Part, Value)]) -> Option<Value> {
        let word = self.pointers.bits;
        let (start, end) = part.bits(word);
        let meets = |(other, _): &&(Part, Value)| {
            let (first, last) = other.bits(word);
            first < end && start < last
        };
        match given.iter().rev().find(meets) {
            None => Some(self.zero_value(part.kind)),
            Some((other, value)) => {
                let is_same =
                    (other.offset, other.shift, other.kind) == (part.offset, part.shift, part.kind);
                is_same.then(|| value.clone())
            }
        }
    }

    /// Where an item goes, and what it is: of the kind of its place.
    fn item(
        &mut self,
        state: &mut State,
        item: &parallax_cfa::InitialItem,
    ) -> Result<(Option<u64>, (Kind, Value)), Gap> {
        let (_, offset) = self.address(state, item.place)?;
        let value = self.eval(state, item.value)?;
        let place = self.place(item.place);
        let (given, kind) = (self.kind(place.ty)?, self.place_kind(place)?);
        let value = self.as_kind(given, kind, value);
        Ok((self.known_offset(offset), (kind, value)))
    }

    /// The kind of what a place holds; a bit-field is as wide as it is.
    fn place_kind(&self, place: &parallax_cfa::Place) -> Result<Kind, Gap> {
        Ok(match (self.kind(place.ty)?, place.bits) {
            (Kind::Int(ty), Some(bits)) => {
                Kind::Int(IntType { bits: bits.width, signed: ty.signed })
            }
            (kind, _) => kind,
        })
    }

    fn zero_value(&mut self, kind: Kind) -> Value {
        match kind {
            Kind::Int(ty) => Value::Word(self.arithmetic.constant(&mut self.store, ty, 0)),
            Kind::Float(format) => Value::Float(self.store.float(Float::zero(format, false))),
            Kind::Pointer => self.pointers.null(&mut self.store),
        }
    }

    fn zero(&mut self, state: &mut State, kind: Kind, array: bool, slots: Slots) {
        let zero = self.zero_value(kind);
        let terms = self.terms(kind, &zero);
        if let Some(&origin) = self.origins.get(&slots.list()[0]) {
            let none = self.no_origin(origin);
            state.values.insert(origin, none);
        }
        for (slot, mut term) in slots.list().into_iter().zip(terms) {
            if array {
                let index = self.pointers.offset_sort().scalar().unwrap_or(Scalar::Int);
                term = self.store.const_array(index, term);
            }
            state.values.insert(slot, term);
        }
    }

    /// Whether what was just computed left something open, as the bits of what
    /// is not a number: nobody chooses before the start, so nothing is said.
    fn is_open(&mut self) -> bool {
        let open = !self.inputs.is_empty();
        self.inputs.clear();
        open
    }

    /// The variable of a place starts with arbitrary contents.
    fn forget(&mut self, state: &mut State, place: Id<parallax_cfa::Place>) {
        let Base::Variable(v) = self.place(place).base else { return };
        if let Home::Cells(cells) = &self.homes[v.index()] {
            for (_, slots) in cells {
                for slot in slots.list() {
                    state.values.remove(&slot);
                }
            }
        }
    }

    fn known_offset(&self, offset: Term) -> Option<u64> {
        match self.store.value(offset)? {
            Constant::Int(i) => u64::try_from(i.to_i64()?).ok(),
            Constant::Bv(bits) => u64::try_from(bits.bits()).ok(),
            _ => None,
        }
    }

    /// The condition that a part of an object has a value at the start.
    fn cell_is(&mut self, region: usize, object: u32, part: Part, value: &Value) -> Vec<Term> {
        let region = self.regions[region];
        let object = self.pointers.object(&mut self.store, object);
        let offset = self.pointers.offset(&mut self.store, i128::from(part.offset));
        let Some(kind) = region.kind else {
            return self.bytes_are(region, object, offset, part, value);
        };
        let bits = self.pointers.bits;
        if bytes_of(part.kind, bits) != bytes_of(kind, bits) {
            return Vec::new();
        }
        let mut state = State::default();
        let recast = self.recast(&mut state, part.kind, kind, value.clone());
        let (Ok(value), false) = (recast, self.is_open()) else { return Vec::new() };
        let origin = self.origin(&value);
        let terms = self.terms(kind, &value);
        let index = self.pointers.index(&mut self.store, object, offset);
        let mut conditions = state.path;
        let at = (!region.single).then_some(index);
        if let Some(now) = self.origin_at(&State::default(), region.slots, at) {
            conditions.push(self.store.eq(now, origin));
        }
        for (slot, term) in region.slots.list().into_iter().zip(terms) {
            let now = if region.single {
                self.symbols[slot]
            } else {
                let array = self.symbols[slot];
                self.store.select(array, index)
            };
            let condition = self.store.eq(now, term);
            let index = (!region.single).then_some(index);
            self.first_cells.push(FirstCell { slot, index, value: term, condition });
            conditions.push(condition);
        }
        conditions
    }

    fn bytes_are(
        &mut self,
        region: crate::encoder::Region,
        object: Term,
        offset: Term,
        part: Part,
        value: &Value,
    ) -> Vec<Term> {
        let (Slots::One(slot), 0, false) = (region.slots, part.shift, part.field) else {
            return Vec::new();
        };
        let mut state = State::default();
        let bits = self.bits_of(&mut state, part.kind, value);
        let (Ok((bits, origin)), false) = (bits, self.is_open()) else { return Vec::new() };
        let byte = IntType { bits: 8, signed: false };
        let mut conditions = state.path;
        for i in 0..bytes_of(part.kind, self.pointers.bits) {
            let wanted = self.store.bv_extract(bits, i * 8 + 7, i * 8);
            let wanted = self.arithmetic.of_bits(&mut self.store, byte, wanted);
            let index = self.byte_index(object, offset, i);
            let now = self.store.select(self.symbols[slot], index);
            let condition = self.store.eq(now, wanted.term);
            let value = wanted.term;
            self.first_cells.push(FirstCell { slot, index: Some(index), value, condition });
            conditions.push(condition);
            if let Some(now) = self.origin_at(&State::default(), region.slots, Some(index)) {
                conditions.push(self.store.eq(now, origin));
            }
        }
        conditions
    }

    /// Which objects there are at the start.
    fn initial_bookkeeping(&mut self, fixed: &mut [Option<Constant>]) {
        let program = self.program;
        if let Some(heap) = self.heap {
            let term = self.pointers.object(&mut self.store, self.first_heap);
            fixed[heap] = self.store.value(term).cloned();
        }
        if let Some(stack) = self.stack {
            let term = self.pointers.object(&mut self.store, LOCAL);
            fixed[stack] = self.store.value(term).cloned();
        }
        // What did not begin to live cannot end to.
        let null = self.pointers.object(&mut self.store, NULL);
        let null = self.store.value(null).cloned();
        for home in &self.homes {
            if let Home::Moving(slot) = home {
                fixed[*slot].clone_from(&null);
            }
        }
        if let Some(live) = self.live {
            fixed[live] = Some(Constant::int(0));
        }
        let Some(sizes) = self.sizes else { return };
        let mut entries = Vec::new();
        let mut set = |encoder: &mut Self, object: u32, size: i128| {
            let object = encoder.pointers.object(&mut encoder.store, object);
            let size = encoder.pointers.offset(&mut encoder.store, size);
            let pair = (encoder.store.value(object).cloned(), encoder.store.value(size).cloned());
            if let (Some(object), Some(size)) = pair {
                entries.push((object, size));
            }
        };
        set(self, OUTSIDE, 1 << 30);
        for (v, variable) in program.variables.iter_enumerated() {
            let lives = !matches!(variable.storage, Storage::Local);
            if let (Home::Object(number), true) = (self.homes[v.index()].clone(), lives) {
                set(self, number, i128::from(variable.size));
            }
        }
        let gone = self.pointers.offset(&mut self.store, -1);
        let index = self.pointers.object_sort().scalar().unwrap_or(Scalar::Int);
        if let Some(default) = self.store.value(gone).cloned() {
            let array = ArrayValue::new(index, default, entries);
            fixed[sizes] = Some(Constant::Array(array.into()));
        }
    }
}

/// The scalars of a type; `None` if there are too many, or if their number is
/// not known.
fn parts(types: &Types, ty: Id<Type>) -> Option<Vec<Part>> {
    let mut found = Vec::new();
    let mut open = vec![(ty, 0u64)];
    while let Some((ty, offset)) = open.pop() {
        if found.len() + open.len() > CELL_LIMIT {
            return None;
        }
        match types.get(ty) {
            Type::Array { of, length: ArrayLength::Fixed(length) } => {
                let size = types.size_of(*of)?;
                if *length > CELL_LIMIT as u64 {
                    return None;
                }
                open.extend((0..*length).map(|i| (*of, offset + i * size)));
            }
            Type::Array { .. } => {}
            Type::Record(record) => {
                for member in &types.records[*record].members {
                    let offset = offset + member.offset;
                    match member.bits {
                        None => open.push((member.ty, offset)),
                        Some(_) if member.name.is_none() => {}
                        Some(bits) => {
                            let signed = types.int_kind(member.ty)?.is_signed();
                            let kind = Kind::Int(IntType { bits: bits.width, signed });
                            let shift = bits.shift;
                            found.push(Part { offset, shift, kind, field: true });
                        }
                    }
                }
            }
            _ => {
                let kind = kind_of(types, ty)?;
                found.push(Part { offset, shift: 0, kind, field: false });
            }
        }
    }
    Some(found)
}
