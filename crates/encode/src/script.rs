//! The choices of a run over terms, handed to the interpreter.
//!
//! The values that a block chose are looked up by the edge that asks. Contents
//! of memory are asked for when they are read: they are what the variables of
//! the run over terms held before anything was stored there, as chosen at the
//! start, when a variable began to live, or when code outside the program was
//! called.

use crate::back::{Asked, as_int, machine_bits, scalar};
use crate::encoder::{Home, Source};
use crate::layout::{Found, Layout};
use crate::pointer::{INTEGER, LOCAL, NULL};
use crate::program::Encoded;
use crate::schedule::Schedule;
use parallax_base::Id;
use parallax_cfa::run::{
    Arbitrary, Given, OUTSIDE, OUTSIDE_END, OUTSIDE_ROOM, Observer, Oracle, Unwritten,
    UnwrittenObject, View,
};
use parallax_cfa::{
    CALLBACK, Edge, FloatKind, Function, Op, Primitive, Scalar, ScalarType, Variable,
};
use parallax_term::{FloatFormat, Value};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// An edge of one of the functions.
pub(crate) type At = (Id<Function>, Id<Edge>);

/// The choices of one block.
pub(crate) type Choices = Vec<(At, Source, Value)>;

/// Where the interpreter is, and what the run over terms holds there.
pub(crate) struct Guide {
    /// The step of the run over terms, from one; zero before the first.
    pub(crate) step: usize,
    pub(crate) edge: Option<At>,
    script: Vec<Choices>,
    /// The contents of the variables, as far as nothing was stored.
    state: Vec<Value>,
    /// First values of scalar variables in memory.
    locals: BTreeMap<Id<Variable>, Vec<Value>>,
    /// The number of the next object.
    next_object: i128,
    /// The number of the next local object that has a new one in each life.
    next_local: i128,
    /// Object numbers of heap objects, in the order of their allocation.
    heap: Vec<i128>,
    /// Object numbers of variables that have a new one in each life.
    moving: BTreeMap<Id<Variable>, i128>,
    /// Whose turn it is.
    pub(crate) schedule: Schedule,
}

impl Guide {
    pub(crate) fn new(
        script: Vec<Choices>,
        schedule: Schedule,
        initial: &[Value],
        layout: &Layout,
    ) -> Guide {
        Guide {
            step: 0,
            edge: None,
            script,
            state: layout.state(initial),
            locals: BTreeMap::new(),
            next_object: i128::from(layout.first_heap),
            next_local: i128::from(LOCAL),
            heap: Vec::new(),
            moving: BTreeMap::new(),
            schedule,
        }
    }

    /// What the run over terms chose for the operation at hand.
    fn chosen(&self, wanted: impl Fn(&Source) -> bool) -> Vec<Value> {
        let step = self.step.checked_sub(1).and_then(|step| self.script.get(step));
        let here = step.into_iter().flatten().filter(|(edge, ..)| Some(*edge) == self.edge);
        here.filter(|(_, source, _)| wanted(source)).map(|(.., value)| value.clone()).collect()
    }

    /// The operation at hand begins: its choices take effect.
    fn begin(&mut self, op: &Op, layout: &Layout) {
        let step = self.step.checked_sub(1).and_then(|step| self.script.get(step));
        for (_, source, value) in
            step.into_iter().flatten().filter(|(edge, ..)| Some(*edge) == self.edge)
        {
            if let Source::Slot(slot) = source
                && let Some(held) = self.state.get_mut(*slot)
            {
                *held = value.clone();
            }
        }
        match op {
            Op::Primitive { primitive: Primitive::Allocate, .. } => {
                self.heap.push(self.next_object);
                self.next_object += 1;
            }
            Op::Primitive { primitive: Primitive::AllocateLocal, .. } => self.next_local += 1,
            Op::Live(v, _) if layout.is_moving(*v) => {
                self.moving.insert(*v, self.next_local);
                self.next_local += 1;
            }
            Op::Live(v, _) => {
                let chosen = self.chosen(|source| *source == Source::Uninitialized(*v));
                self.locals.remove(v);
                if !chosen.is_empty() {
                    self.locals.insert(*v, chosen);
                }
            }
            _ => {}
        }
    }
}

/// Follows the run.
pub(crate) struct Watch<'p> {
    encoded: &'p Encoded,
    cuts: BTreeSet<(Id<Function>, usize)>,
    guide: Rc<RefCell<Guide>>,
}

impl<'p> Watch<'p> {
    pub(crate) fn new(encoded: &'p Encoded, guide: Rc<RefCell<Guide>>) -> Watch<'p> {
        Watch { encoded, cuts: encoded.cut_points(), guide }
    }
}

impl Observer for Watch<'_> {
    fn step(&mut self, view: &View<'_>, edge: Id<Edge>) {
        let Some(function) = view.function() else { return };
        let mut guide = self.guide.borrow_mut();
        let Edge { source, target, op, .. } = &self.encoded.form.functions[function].edges[edge];
        if self.cuts.contains(&(function, source.index())) {
            guide.step += 1;
        }
        guide.edge = Some((function, edge));
        guide.begin(op, &self.encoded.layout);
        let is_cut = self.cuts.contains(&(function, target.index()));
        guide.schedule.step(&self.encoded.form, view.thread(), (function, edge), is_cut);
    }
}

/// The oracle of a run that repeats one over terms.
pub(crate) struct Scripted<'p> {
    encoded: &'p Encoded,
    guide: Rc<RefCell<Guide>>,
    /// Everything asked, and the answers.
    pub(crate) asked: Vec<Asked>,
    /// Object numbers that stand for memory outside the program.
    outside: Vec<i128>,
}

impl<'p> Scripted<'p> {
    pub(crate) fn new(encoded: &'p Encoded, guide: Rc<RefCell<Guide>>) -> Scripted<'p> {
        Scripted { encoded, guide, asked: Vec::new(), outside: Vec::new() }
    }

    fn note(&mut self, variable: Option<Id<Variable>>, given: Given) {
        let guide = self.guide.borrow();
        let (edge, thread) = (guide.edge, guide.schedule.running());
        self.asked.push(Asked { thread, edge, variable, given });
    }

    /// The address that stands for an object and a distance.
    fn address(&mut self, object: i128, offset: i128) -> u64 {
        // Where no pointer is made of an integer, what comes from outside is
        // not one either.
        let is_number = object == i128::from(INTEGER) && offset != 0;
        if object == i128::from(NULL) || is_number && self.encoded.layout.integers {
            return offset as u64;
        }
        let known = self.outside.iter().position(|o| *o == object);
        let number = known.unwrap_or_else(|| {
            self.outside.push(object);
            self.outside.len() - 1
        }) as u64;
        let count = (OUTSIDE_END - OUTSIDE) / OUTSIDE_ROOM;
        let middle = OUTSIDE + number % count * OUTSIDE_ROOM + OUTSIDE_ROOM / 4;
        let limit = i128::from(OUTSIDE_ROOM / 4);
        middle.wrapping_add_signed(offset.clamp(-limit, limit - 1) as i64)
    }

    /// The object and the distance behind an address outside the program.
    fn outside_object(&self, address: u64) -> Option<(i128, i128)> {
        let distance = address.checked_sub(OUTSIDE)?;
        let object = *self.outside.get((distance / OUTSIDE_ROOM) as usize)?;
        let offset = i128::from(distance % OUTSIDE_ROOM) - i128::from(OUTSIDE_ROOM / 4);
        Some((object, offset))
    }

    /// Chosen values as a scalar of the program: one, or two for a pointer.
    fn scalar(&mut self, values: &[Value], ty: ScalarType) -> Scalar {
        let zero = Scalar { ty, bits: 0 };
        match values {
            [object, offset, ..] if ty.is_pointer() => match (as_int(object), as_int(offset)) {
                (Some(object), Some(offset)) => {
                    Scalar { ty, bits: u128::from(self.address(object, offset)) }
                }
                _ => zero,
            },
            [value, ..] => scalar(value, ty).unwrap_or(zero),
            [] => zero,
        }
    }

    /// The function behind a number, as the choice of a callback has it.
    fn function(&self, number: Scalar) -> Option<Id<Function>> {
        let index = usize::try_from(number.as_int()).ok()?.checked_sub(1)?;
        (index < self.encoded.form.functions.len()).then(|| Id::new(index))
    }

    /// What a read of memory gives in the run over terms.
    fn read(&mut self, at: Unwritten, size: usize) -> Option<Found> {
        let encoded = self.encoded;
        let layout = &encoded.layout;
        let guide = self.guide.borrow();
        let (object, offset) = match at.object {
            UnwrittenObject::Variable(v) => {
                if let Some(values) = guide.locals.get(&v) {
                    return Some(match &values[..] {
                        [object, offset] => Found::Pointer(as_int(object)?, as_int(offset)?),
                        [value, ..] => Found::Scalar(value.clone()),
                        [] => return None,
                    });
                }
                let ty = encoded.form.variables[v].ty;
                match layout.homes.get(v.index())? {
                    Home::Cells(cells) => {
                        let types = &encoded.form.types;
                        return layout.in_cells(types, ty, cells, &guide.state, at.offset);
                    }
                    Home::Moving(_) => (*guide.moving.get(&v)?, i128::from(at.offset)),
                    Home::Object(_) => (i128::from(layout.number(v)?), i128::from(at.offset)),
                }
            }
            UnwrittenObject::Heap(number) => {
                let number = usize::try_from(number).ok()?.checked_sub(1)?;
                (*guide.heap.get(number)?, i128::from(at.offset))
            }
            UnwrittenObject::Outside => self.outside_object(at.offset)?,
            UnwrittenObject::Other => return None,
        };
        let region = layout.region_of.get(at.place.index()).copied().flatten()?;
        layout.in_memory(&layout.regions[region], &guide.state, object, offset, size)
    }
}

impl Oracle for Scripted<'_> {
    fn input(&mut self, _name: &str, ty: ScalarType) -> Option<Scalar> {
        let values = self.guide.borrow().chosen(|s| *s == Source::Input);
        let scalar = self.scalar(&values, ty);
        self.note(None, Given::Input(scalar));
        Some(scalar)
    }

    fn arbitrary(&mut self, what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        let mut values = self.guide.borrow().chosen(|s| *s == Source::Open);
        let mut variable = None;
        if let Arbitrary::Variable(v) = what {
            variable = Some(v);
            let guide = self.guide.borrow();
            if let Some(Home::Cells(cells)) = self.encoded.layout.homes.get(v.index())
                && let [(_, slots)] = &cells[..]
            {
                let slots = slots.list();
                values = slots.iter().filter_map(|s| guide.state.get(*s).cloned()).collect();
            }
        }
        let scalar = self.scalar(&values, ty);
        self.note(
            variable,
            match what {
                Arbitrary::Havoc(CALLBACK) => Given::CallBack(self.function(scalar)),
                _ => Given::Arbitrary(scalar),
            },
        );
        scalar
    }

    fn unwritten(&mut self, at: Unwritten, bytes: &mut [u8]) {
        let found = self.read(at, bytes.len());
        let bits = match found {
            Some(Found::Pointer(object, offset)) => Some(u128::from(self.address(object, offset))),
            Some(Found::Scalar(Value::Float(float))) => {
                let is_long = float.format() == FloatFormat::EXTENDED;
                let kind = if is_long { FloatKind::LongDouble } else { FloatKind::Double };
                Some(machine_bits(kind, float))
            }
            Some(Found::Scalar(value)) => as_int(&value).map(|value| value as u128),
            Some(Found::Bytes(found)) => {
                bytes.copy_from_slice(&found);
                None
            }
            None => None,
        };
        if let Some(bits) = bits {
            let whole = bits.to_le_bytes();
            let size = bytes.len().min(whole.len());
            bytes[..size].copy_from_slice(&whole[..size]);
        }
        let variable = match at.object {
            UnwrittenObject::Variable(v) => Some(v),
            _ => None,
        };
        let thread = self.guide.borrow().schedule.running();
        let given = Given::Contents(bytes.to_vec());
        self.asked.push(Asked { thread, edge: at.edge, variable, given });
    }

    fn turn(&mut self, able: &[usize]) -> usize {
        let mut guide = self.guide.borrow_mut();
        let step = guide.step;
        guide.schedule.turn(&self.encoded.form, step, able)
    }
}
