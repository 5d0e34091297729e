//! Abstract objects and their cells.
//!
//! A cell is an interval of bits of one object that is accessed as a whole.
//! Cells come into being when an access is seen. An access that overlaps a cell
//! without being equal to it makes both one larger cell, which from then on is
//! a run of bytes: so two cells of one object never share a bit, and whatever
//! is stored under one type is seen by a load under another.

use super::shape::{Offset, ShapeId, Shapes};
use parallax_base::{Id, IdVec};
use parallax_cfa::{Edge, FloatKind, Function, Variable};
use std::collections::BTreeMap;

/// What an abstract object stands for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ObjectKind {
    /// All instances of a variable.
    Variable(Id<Variable>),
    /// All objects that one edge allocates.
    Heap {
        /// The function that allocates.
        function: Id<Function>,
        /// Its edge.
        edge: Id<Edge>,
    },
    /// A function.
    Function(Id<Function>),
    /// The record that a function returns, on its way to the caller.
    Result(Id<Function>),
    /// All memory that the program did not make itself.
    Unknown,
}

/// What is stored in a cell.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum CellKind {
    /// Integers of this many bits; also enumerations and bit-fields.
    Int(u32),
    /// Floats.
    Float(FloatKind),
    /// Pointers.
    Pointer,
    /// Bytes: the cell is accessed in parts.
    Bytes,
}

impl CellKind {
    /// What holds both: of one width, the bits of either as an integer.
    pub(crate) fn join(self, other: CellKind, width: u64) -> CellKind {
        match (self, other) {
            (a, b) if a == b => a,
            (CellKind::Bytes, _) | (_, CellKind::Bytes) => CellKind::Bytes,
            _ if matches!(width, 8 | 16 | 32 | 64) => CellKind::Int(width as u32),
            _ => CellKind::Bytes,
        }
    }
}

/// A bit for each kind of access, shared by widths of bit-fields.
pub(super) fn kind_bit(kind: CellKind) -> u32 {
    1 << match kind {
        CellKind::Int(8) => 0,
        CellKind::Int(16) => 1,
        CellKind::Int(32) => 2,
        CellKind::Int(64) => 3,
        CellKind::Int(128) => 4,
        CellKind::Int(_) => 5,
        CellKind::Float(FloatKind::Float) => 6,
        CellKind::Float(FloatKind::Double) => 7,
        CellKind::Float(FloatKind::LongDouble) => 8,
        CellKind::Float(FloatKind::Float128) => 9,
        CellKind::Pointer => 10,
        CellKind::Bytes => 11,
    }
}

/// An interval of bits of an object.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub object: Id<Object>,
    pub start: u64,
    pub end: u64,
    pub kind: CellKind,
    /// The points-to variable of its contents.
    pub node: u32,
    /// The kinds under which it is accessed, as bits of [`kind_bit`].
    pub kinds: u32,
}

/// An abstract object.
#[derive(Clone, Debug)]
pub struct Object {
    /// What it stands for.
    pub kind: ObjectKind,
    /// Its size in bytes, where it is known.
    pub size: Option<u64>,
    pub(super) shape: ShapeId,
    /// Cells by their first bit.
    pub(super) cells: BTreeMap<u64, u32>,
    /// Whether all of it is one cell.
    pub(super) collapsed: bool,
    /// Points-to variables that all contents flow to, and from.
    pub(super) flows_to: Vec<u32>,
    pub(super) flows_from: Vec<u32>,
    /// Whether code outside the program has a pointer to it.
    pub(super) escaped: bool,
    /// Whether its contents may be pointers from outside.
    pub(super) exposed: bool,
    /// Whether it is copied to or from an object of another shape.
    pub(super) raw: bool,
}

/// All objects and cells.
#[derive(Debug, Default)]
pub(super) struct Memory {
    pub shapes: Shapes,
    pub objects: IdVec<Object>,
    pub cells: Vec<Cell>,
    pub known: BTreeMap<ObjectKind, Id<Object>>,
}

/// What an access to memory found.
pub(super) struct Touched {
    /// The cell.
    pub cell: u32,
    /// Points-to variables of cells that are one now.
    pub merged: Vec<u32>,
    /// Whether the cell is new.
    pub is_new: bool,
}

impl Memory {
    pub(super) fn object(
        &mut self,
        kind: ObjectKind,
        size: Option<u64>,
        shape: ShapeId,
    ) -> Id<Object> {
        if let Some(id) = self.known.get(&kind) {
            return *id;
        }
        let id = self.objects.push(Object {
            kind,
            size,
            shape,
            cells: BTreeMap::new(),
            collapsed: false,
            flows_to: Vec::new(),
            flows_from: Vec::new(),
            escaped: false,
            exposed: false,
            raw: false,
        });
        self.known.insert(kind, id);
        id
    }

    /// The class of an offset in an object.
    pub(super) fn class(&self, object: Id<Object>, offset: u64) -> Offset {
        Offset::At(self.shapes.locate(self.objects[object].shape, offset).0)
    }

    /// The bits of an access. Anywhere in an object that is one scalar is that scalar.
    fn interval(
        &self,
        object: Id<Object>,
        at: Offset,
        shift: u32,
        width: u64,
    ) -> Option<(u64, u64)> {
        let data = &self.objects[object];
        match at {
            _ if data.collapsed => None,
            Offset::At(class) => Some(self.shapes.touched(data.shape, class, shift, width)),
            Offset::Any if data.size.is_some_and(|s| s * 8 == width) => Some((0, width)),
            Offset::Out(_) | Offset::Any => None,
        }
    }

    /// Whether an access of so many bits is not in the object at all.
    pub(super) fn is_outside(&self, object: Id<Object>, at: Offset, width: u64) -> bool {
        match (at, self.objects[object].size) {
            (Offset::Out(_), _) => true,
            (Offset::At(class), Some(size)) => class * 8 + width > size * 8,
            _ => false,
        }
    }

    /// The cell that an access touches, if there is one already.
    pub(super) fn lookup(
        &self,
        object: Id<Object>,
        at: Offset,
        shift: u32,
        width: u64,
    ) -> Option<u32> {
        if self.is_outside(object, at, width) {
            return None;
        }
        let cells = &self.objects[object].cells;
        match self.interval(object, at, shift, width) {
            None => cells.values().next().copied(),
            Some((start, end)) => {
                let (_, id) = cells.range(..end).next_back()?;
                (self.cells[*id as usize].end > start).then_some(*id)
            }
        }
    }

    /// The one cell that an access touches, made or merged if need be. `fresh`
    /// is the points-to variable of a new cell.
    pub(super) fn touch(
        &mut self,
        object: Id<Object>,
        at: Offset,
        shift: u32,
        width: u64,
        kind: CellKind,
        fresh: &mut impl FnMut() -> u32,
    ) -> Touched {
        let mut kinds = kind_bit(kind);
        let interval = self.interval(object, at, shift, width);
        let (mut start, mut end) = interval.unwrap_or((0, u64::MAX));
        if interval.is_none() {
            self.objects[object].collapsed = true;
        }
        let kind = if interval.is_none() || end - start != width { CellKind::Bytes } else { kind };
        let cells = &self.objects[object].cells;
        // Cells do not overlap, so their ends are in order as well.
        let mut hit: Vec<u32> = Vec::new();
        for (_, id) in cells.range(..end).rev() {
            if self.cells[*id as usize].end <= start {
                break;
            }
            hit.push(*id);
        }
        if let [id] = hit[..] {
            let cell = &mut self.cells[id as usize];
            if (cell.start, cell.end) == (start, end) {
                cell.kinds |= kinds;
                cell.kind = cell.kind.join(kind, width);
                return Touched { cell: id, merged: Vec::new(), is_new: false };
            }
        }
        let new = self.cells.len() as u32;
        let mut merged = Vec::new();
        for id in &hit {
            let cell = &self.cells[*id as usize];
            (start, end) = (start.min(cell.start), end.max(cell.end));
            merged.push(cell.node);
            kinds |= cell.kinds;
            self.objects[object].cells.remove(&cell.start);
        }
        let is_new = merged.is_empty();
        let node = merged.first().copied().unwrap_or_else(fresh);
        let kind = if is_new { kind } else { CellKind::Bytes };
        self.cells.push(Cell { object, start, end, kind, node, kinds });
        self.objects[object].cells.insert(start, new);
        Touched { cell: new, merged, is_new }
    }
}
