//! Which scalars were written, for the property that asks.
//!
//! Each scalar variable, array and region has a shadow: whether it, or each of
//! its elements, was written. Static objects and memory from outside always were.

use crate::cell::indices;
use crate::encoder::{Encoder, Gap, Home, Slots};
use crate::pointer::OUTSIDE;
use crate::state::State;
use crate::view::bytes_of;
use parallax_base::{Id, Span};
use parallax_cfa::{CProperty, Expr, ExprKind, Place, Storage, Variable};
use parallax_ir::Domain;
use parallax_term::{ArrayValue, Scalar, Sort, Term, Value as Constant};

impl Encoder<'_> {
    /// Adds the shadows.
    pub(crate) fn make_shadows(&mut self) {
        if !self.options.properties.contains(&CProperty::Initialized) {
            return;
        }
        let mut slots: Vec<Slots> = self.regions.iter().map(|r| r.slots).collect();
        for home in &self.homes {
            if let Home::Cells(cells) = home {
                slots.extend(cells.iter().map(|(_, slots)| *slots));
            }
        }
        for slot in slots.into_iter().map(|s| s.list()[0]) {
            let variable = &self.variables[Id::new(slot)];
            let domain = match variable.domain {
                Domain::Array(index, _) => Domain::Array(index, Scalar::Bool),
                _ => Domain::Bool,
            };
            let name = format!("{} is written", variable.name);
            let shadow = self.variable(&name, domain, Span::default());
            self.shadows.insert(slot, shadow);
        }
    }

    /// Whether a scalar, or the element of an array at an index, is written
    /// from now on.
    pub(crate) fn mark(
        &mut self,
        state: &mut State,
        slots: Slots,
        index: Option<Term>,
        written: Term,
    ) {
        let Some(&shadow) = self.shadows.get(&slots.list()[0]) else { return };
        let mut now = written;
        if let Some(index) = index {
            let array = self.get(state, shadow);
            now = self.store.store(array, index, now);
        }
        self.set(state, shadow, now);
    }

    /// A variable begins to live: nothing of it is written.
    pub(crate) fn unwritten(&mut self, state: &mut State, variable: Id<Variable>) {
        if self.shadows.is_empty() {
            return;
        }
        let no = self.store.bool(false);
        match self.homes[variable.index()].clone() {
            Home::Cells(cells) => {
                for (_, slots) in cells {
                    let Some(&shadow) = self.shadows.get(&slots.list()[0]) else { continue };
                    let empty = match self.variables[Id::new(shadow)].domain {
                        Domain::Array(index, _) => self.store.const_array(index, no),
                        _ => no,
                    };
                    self.set(state, shadow, empty);
                }
            }
            // Other objects in memory that live again have a new number.
            Home::Object(_) if self.scalar(self.program.variables[variable].ty).is_none() => {}
            Home::Object(number) => {
                for region in self.lies_in.get(&variable).cloned().unwrap_or_default() {
                    let region = self.regions[region];
                    let Some(&shadow) = self.shadows.get(&region.slots.list()[0]) else {
                        continue;
                    };
                    let mut now = no;
                    if !region.single {
                        now = self.get(state, shadow);
                        let object = self.pointers.object(&mut self.store, number);
                        let start = self.pointers.offset(&mut self.store, 0);
                        let bytes = match region.kind {
                            Some(_) => 1,
                            None => self.program.variables[variable].size as u32,
                        };
                        for i in 0..bytes {
                            let index = self.byte_index(object, start, i);
                            now = self.store.store(now, index, no);
                        }
                    }
                    self.set(state, shadow, now);
                }
            }
            Home::Moving(_) => {}
        }
    }

    /// Whether what is stored counts as written: a copy of a scalar that never
    /// was does not. Only copies of whole objects have such parts; a read on its
    /// own is checked before.
    pub(crate) fn carried(&mut self, state: &mut State, value: Id<Expr>) -> Result<Term, Gap> {
        match self.program.exprs[value].kind {
            ExprKind::Load(place) if !self.shadows.is_empty() => self.written(state, place),
            _ => Ok(self.store.bool(true)),
        }
    }

    /// What was written of one array is written of another that it is copied to.
    pub(crate) fn copy_shadow(&mut self, state: &mut State, to: Slots, from: Slots) {
        let origin = |slots: Slots| self.origins.get(&slots.list()[0]).copied();
        if let Some(to) = origin(to) {
            let now = match origin(from) {
                Some(from) => self.get(state, from),
                None => self.no_origin(to),
            };
            self.set(state, to, now);
        }
        let shadow = |slots: Slots| self.shadows.get(&slots.list()[0]).copied();
        if let (Some(to), Some(from)) = (shadow(to), shadow(from)) {
            let written = self.get(state, from);
            self.set(state, to, written);
        }
    }

    /// Whether a scalar was written.
    pub(crate) fn written(&mut self, state: &mut State, id: Id<Place>) -> Result<Term, Gap> {
        let place = self.place(id);
        if let Some(cell) = self.cell(place) {
            let (cell, slots) = cell?;
            let Some(&shadow) = self.shadows.get(&slots.list()[0]) else {
                return Ok(self.store.bool(true));
            };
            let now = self.get(state, shadow);
            if cell.lengths.is_empty() {
                return Ok(now);
            }
            let index = self.element(state, &cell, &indices(place))?;
            return Ok(self.store.select(now, index));
        }
        let (object, offset) = self.address(state, id)?;
        let region = self.region(id, object)?;
        let Some(&shadow) = self.shadows.get(&region.slots.list()[0]) else {
            return Ok(self.store.bool(true));
        };
        let now = self.get(state, shadow);
        let here = if region.single {
            now
        } else {
            let bytes = match (region.kind, self.kind(place.ty)?, place.bits) {
                (Some(_), ..) => 1,
                (None, _, Some(bits)) => (bits.shift + bits.width).div_ceil(8),
                (None, kind, None) => bytes_of(kind, self.pointers.bits),
            };
            let mut parts = Vec::new();
            for i in 0..bytes {
                let index = self.byte_index(object, offset, i);
                parts.push(self.store.select(now, index));
            }
            self.store.and(parts)
        };
        let outside = self.pointers.object(&mut self.store, OUTSIDE);
        let outside = self.store.eq(object, outside);
        let local = self.pointers.object(&mut self.store, self.first_local);
        let local = self.pointers.object_le(&mut self.store, local, object);
        let fixed = self.store.not(local);
        Ok(self.store.or([here, outside, fixed]))
    }

    /// Static variables were written before the program starts.
    pub(crate) fn initial_shadows(&self, fixed: &mut [Option<Constant>]) {
        for (&slot, &shadow) in &self.shadows {
            let is_static = self.homes.iter().zip(&self.program.variables).any(|(home, v)| {
                let mine = matches!(home, Home::Cells(cells)
                    if cells.iter().any(|(_, slots)| slots.list()[0] == slot));
                mine && !matches!(v.storage, Storage::Local | Storage::Temporary)
            });
            let value = Constant::Bool(is_static);
            fixed[shadow] = Some(match self.variables[Id::new(shadow)].domain.sort() {
                Sort::Array(index, _) => Constant::Array(ArrayValue::constant(index, value).into()),
                _ => value,
            });
        }
    }
}
