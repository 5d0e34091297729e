//! Where the encoder keeps everything, for the way back.
//!
//! A read of memory in a run of the program form is told the value that the
//! same read has in the run over terms: of a cell, or of an element of the
//! array that holds the region.

use crate::arithmetic::power;
use crate::back::as_int;
use crate::cell::{Cell, Key};
use crate::encoder::{Home, Region, Slots};
use crate::pointer::Pointers;
use parallax_base::Id;
use parallax_cfa::{Type, Types, Variable};
use parallax_term::{Bv, Int, Sort, Value};

/// Where everything is kept.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    pub(crate) homes: Vec<Home>,
    pub(crate) regions: Vec<Region>,
    /// The region of each place that lies in memory.
    pub(crate) region_of: Vec<Option<usize>>,
    pub(crate) pointers: Pointers,
    /// The first object number that heap objects have.
    pub(crate) first_heap: u32,
    /// Whether pointers become integers, or integers pointers.
    pub(crate) integers: bool,
    /// The position in the program of each variable that the encoder made, if
    /// it was kept.
    pub(crate) positions: Vec<Option<usize>>,
}

/// What a read of memory gives: a value, or object and distance.
#[derive(Clone, Debug)]
pub(crate) enum Found {
    Scalar(Value),
    Pointer(i128, i128),
    Bytes(Vec<u8>),
}

impl Layout {
    /// The values of all variables that the encoder made; those that were
    /// dropped have any.
    pub(crate) fn state(&self, values: &[Value]) -> Vec<Value> {
        let value = |at: &Option<usize>| at.and_then(|at| values.get(at)).cloned();
        self.positions.iter().map(|at| value(at).unwrap_or_else(|| Value::int(0))).collect()
    }

    /// The value of the slots of a scalar, each seen through `element`.
    pub(crate) fn scalar(
        slots: Slots,
        state: &[Value],
        element: impl Fn(&Value) -> Option<Value>,
    ) -> Option<Found> {
        match slots {
            Slots::One(slot) => Some(Found::Scalar(element(state.get(slot)?)?)),
            Slots::Pointer(object, offset) => {
                let object = element(state.get(object)?)?;
                let offset = element(state.get(offset)?)?;
                Some(Found::Pointer(as_int(&object)?, self::signed(&offset)?))
            }
        }
    }

    /// What lies in an object of variables of its own.
    pub(crate) fn in_cells(
        &self,
        types: &Types,
        ty: Id<Type>,
        cells: &[(Cell, Slots)],
        state: &[Value],
        offset: u64,
    ) -> Option<Found> {
        for (cell, slots) in cells {
            let Some(index) = index_in(types, ty, cell, offset) else { continue };
            return match index {
                None => Layout::scalar(*slots, state, |v| Some(v.clone())),
                Some(index) => {
                    let index = self.distance(index);
                    Layout::scalar(*slots, state, |v| element(v, &index))
                }
            };
        }
        None
    }

    /// What lies in memory.
    pub(crate) fn in_memory(
        &self,
        region: &Region,
        state: &[Value],
        object: i128,
        offset: i128,
        size: usize,
    ) -> Option<Found> {
        if region.kind.is_none() {
            let Slots::One(slot) = region.slots else { return None };
            let byte = |i: usize| {
                let index = self.index(object, offset + i as i128);
                Some(as_int(&element(state.get(slot)?, &index)?)? as u8)
            };
            return (0..size).map(byte).collect::<Option<Vec<u8>>>().map(Found::Bytes);
        }
        if region.single {
            return Layout::scalar(region.slots, state, |v| Some(v.clone()));
        }
        let index = self.index(object, offset);
        Layout::scalar(region.slots, state, |v| element(v, &index))
    }

    /// The index of a byte into a region, as [`Pointers::index`] has it.
    fn index(&self, object: i128, offset: i128) -> Value {
        let bits = self.pointers.bits;
        match self.pointers.index_sort() {
            Sort::Bv(width) => {
                let low = offset as u128 & (u128::MAX >> (128 - bits));
                let high = (object as u128) << bits;
                Value::Bv(Bv::new(width, (high | low) & (u128::MAX >> (128 - width))))
            }
            _ => {
                let step = power(bits.min(48));
                let base = &Int::from_i128(object) * &step;
                Value::Int(&base + &Int::from_i128(offset))
            }
        }
    }

    /// A distance as a value.
    fn distance(&self, index: u64) -> Value {
        match self.pointers.offset_sort() {
            Sort::Bv(width) => Value::Bv(Bv::new(width, u128::from(index))),
            _ => Value::Int(Int::from_i128(i128::from(index))),
        }
    }

    /// The object number of a variable in memory, if it has one for all lives.
    pub(crate) fn number(&self, variable: Id<Variable>) -> Option<u32> {
        match self.homes.get(variable.index())? {
            Home::Object(number) => Some(*number),
            _ => None,
        }
    }

    /// Whether a variable has a new number in each life.
    pub(crate) fn is_moving(&self, variable: Id<Variable>) -> bool {
        matches!(self.homes.get(variable.index()), Some(Home::Moving(_)))
    }
}

/// A distance with its sign.
fn signed(value: &Value) -> Option<i128> {
    match value {
        Value::Bv(bits) => {
            let unused = 128 - bits.width();
            Some(((bits.bits() << unused) as i128) >> unused)
        }
        other => as_int(other),
    }
}

/// An element of an array.
fn element(array: &Value, index: &Value) -> Option<Value> {
    match array {
        Value::Array(array) => Some(array.get(index).clone()),
        _ => None,
    }
}

/// The index of the element of a cell at an offset of its object; the inner
/// `None` if the cell is no array. The outer one if the cell is elsewhere.
fn index_in(types: &Types, ty: Id<Type>, cell: &Cell, offset: u64) -> Option<Option<u64>> {
    let mut ty = ty;
    let mut rest = offset;
    let mut index: Option<u64> = None;
    let mut lengths = cell.lengths.iter();
    for step in &cell.key {
        match (step, types.get(ty)) {
            (Key::Member(m), Type::Record(record)) => {
                let member = types.records[*record].members.get(*m as usize)?;
                rest = rest.checked_sub(member.offset)?;
                ty = member.ty;
            }
            (Key::Element, Type::Array { of, .. }) => {
                let size = types.size_of(*of).filter(|size| *size > 0)?;
                let length = *lengths.next()?;
                let at = rest / size;
                if length > 0 && at >= length {
                    return None;
                }
                rest %= size;
                index = Some(index.unwrap_or(0).checked_mul(length.max(1))?.checked_add(at)?);
                ty = *of;
            }
            _ => return None,
        }
    }
    (rest == 0).then_some(index)
}
