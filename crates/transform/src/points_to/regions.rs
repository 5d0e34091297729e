//! Memory split into regions.
//!
//! A region is a set of cells that some access cannot tell apart. Regions are
//! disjoint, so a store to one does not change what is read from another, and
//! each can be an array of its own in a formula. A region whose cells all have
//! one kind is an array of such values, one whose cells are all accessed as a
//! whole but under several kinds of one width an array of integers with their
//! bits; the others are arrays of bytes.

use super::memory::{CellKind, Object};
use super::{PointsTo, Scalar};
use parallax_base::{Id, IdVec};
use parallax_cfa::{Base, Expr, Place, Program, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// An interval of bits of an object, in the first elements of all arrays
/// around it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct RegionCell {
    /// The object.
    pub object: Id<Object>,
    /// Its first bit. Cells of unknown memory have made-up positions.
    pub start: u64,
    /// One past its last bit; the maximum if the cell is the whole object.
    pub end: u64,
    /// Whether the object has many of it: it lies in an array or the object
    /// stands for many.
    pub repeated: bool,
}

/// A part of memory that accesses cannot tell apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Region {
    /// What all its cells hold; integers if that differs but has one width, else
    /// [`CellKind::Bytes`].
    pub kind: CellKind,
    /// Whether it is accessed under several kinds.
    pub mixed: bool,
    /// Whether pointers may be stored in it, also as integers or byte by byte.
    pub carries: bool,
    /// Its cells in order.
    pub cells: Vec<RegionCell>,
}

impl Region {
    /// Whether the region is a single scalar of a single object that exists
    /// once: it can be treated as a plain variable.
    pub fn is_scalar(&self) -> bool {
        self.kind != CellKind::Bytes && matches!(self.cells[..], [cell] if !cell.repeated)
    }
}

/// What an access to a place, or to a scalar part of it, touches.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Accessed {
    /// A variable to which no pointer exists.
    Plain(Id<Variable>),
    /// Memory.
    Region(Id<Region>),
    /// Nothing: its pointer points to no object, so the access is undefined.
    Nowhere,
}

/// The partition of memory.
#[derive(Clone, Debug)]
pub struct Regions {
    /// The regions.
    pub regions: IdVec<Region>,
    accesses: BTreeMap<Id<Place>, Vec<(Scalar, Accessed)>>,
    objects: BTreeMap<Id<Object>, BTreeSet<Id<Region>>>,
}

impl Regions {
    /// What an access to a scalar place touches. `None` if the analysis has not
    /// seen the access: no reached function reads or writes the place.
    pub fn of_place(&self, place: Id<Place>) -> Option<Accessed> {
        self.accesses.get(&place)?.first().map(|(_, accessed)| *accessed)
    }

    /// The scalars of a place in order, arrays by one element, and what each
    /// touches. For records and arrays that are copied as a whole.
    pub fn parts(&self, place: Id<Place>) -> &[(Scalar, Accessed)] {
        self.accesses.get(&place).map_or(&[], Vec::as_slice)
    }

    /// All regions that an object has cells in.
    pub fn of_object(&self, object: Id<Object>) -> impl Iterator<Item = Id<Region>> + '_ {
        self.objects.get(&object).into_iter().flatten().copied()
    }

    /// All regions of the objects that a pointer may point into.
    pub fn of_pointer(&self, points_to: &PointsTo, expr: Id<Expr>) -> BTreeSet<Id<Region>> {
        let objects = points_to.pointees(expr);
        objects.into_iter().flat_map(|object| self.of_object(object)).collect()
    }
}

impl PointsTo {
    /// Splits the memory of the program that was analyzed.
    pub fn regions(&self, program: &Program) -> Regions {
        let memory = &self.solver.memory;
        let mut union: Vec<u32> = (0..memory.cells.len() as u32).collect();
        let mut touched: BTreeMap<Id<Place>, Vec<(Scalar, Option<u32>)>> = BTreeMap::new();
        for (place, scalars) in &self.accessed {
            let parts = touched.entry(*place).or_default();
            let plain = self.plain(program, *place).is_some();
            for scalar in scalars {
                let cells = if plain { BTreeSet::new() } else { self.scalar_cells(*place, scalar) };
                let first = cells.first().copied();
                for cell in &cells {
                    let (a, b) =
                        (find(&mut union, *cell), find(&mut union, first.unwrap_or(*cell)));
                    union[a.max(b) as usize] = a.min(b);
                }
                parts.push((*scalar, first));
            }
        }
        // A pointer from outside may point to any escaped cell of its kind.
        for (kind, outside) in &self.solver.outside_cells {
            for cell in self.escaped_cells(*kind) {
                let (a, b) = (find(&mut union, cell), find(&mut union, *outside));
                union[a.max(b) as usize] = a.min(b);
            }
        }
        let mut members: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (id, object) in memory.objects.iter_enumerated() {
            if !self.is_memory(program, id) {
                continue;
            }
            for cell in object.cells.values() {
                members.entry(find(&mut union, *cell)).or_default().push(*cell);
            }
        }
        let mut regions: IdVec<Region> = IdVec::default();
        let mut of_root = BTreeMap::new();
        let mut objects: BTreeMap<Id<Object>, BTreeSet<Id<Region>>> = BTreeMap::new();
        for (root, cells) in members {
            let region = self.region(program, &cells);
            let used: BTreeSet<Id<Object>> = region.cells.iter().map(|c| c.object).collect();
            let id = regions.push(region);
            of_root.insert(root, id);
            for object in used {
                objects.entry(object).or_default().insert(id);
            }
        }
        let accesses = touched.into_iter().map(|(place, parts)| {
            let plain = self.plain(program, place);
            let accessed = |cell: Option<u32>| match (plain, cell) {
                (Some(variable), _) => Accessed::Plain(variable),
                (None, None) => Accessed::Nowhere,
                (None, Some(cell)) => {
                    let region = of_root.get(&find(&mut union, cell));
                    region.map_or(Accessed::Nowhere, |r| Accessed::Region(*r))
                }
            };
            let mut accessed = accessed;
            (place, parts.into_iter().map(|(scalar, cell)| (scalar, accessed(cell))).collect())
        });
        let accesses = accesses.collect();
        Regions { regions, accesses, objects }
    }

    fn plain(&self, program: &Program, place: Id<Place>) -> Option<Id<Variable>> {
        match program.places[place].base {
            Base::Variable(v) if !program.variables[v].address_taken => Some(v),
            _ => None,
        }
    }

    fn is_memory(&self, program: &Program, object: Id<Object>) -> bool {
        use super::ObjectKind::{Function, Heap, Result, Unknown, Variable};
        match self.objects()[object].kind {
            Variable(v) => program.variables[v].address_taken,
            Heap { .. } | Unknown => true,
            Function(_) | Result(_) => false,
        }
    }

    /// Whether pointers may be stored in an object.
    pub fn carries(&self, object: Id<Object>) -> bool {
        self.objects()[object].cells.values().any(|cell| self.holds_pointers(*cell))
    }

    fn holds_pointers(&self, cell: u32) -> bool {
        let node = self.solver.memory.cells[cell as usize].node;
        self.solver.set(node).next().is_some()
    }

    fn region(&self, program: &Program, cells: &[u32]) -> Region {
        let memory = &self.solver.memory;
        let mut kind: Option<CellKind> = None;
        let (mut kinds, mut widths) = (0, BTreeSet::new());
        let mut members = Vec::new();
        for id in cells {
            let cell = &memory.cells[*id as usize];
            let object = &memory.objects[cell.object];
            // A raw copy between objects of different shape concerns all cells.
            let mine = if object.raw { CellKind::Bytes } else { cell.kind };
            let width = cell.end - cell.start;
            widths.insert(width);
            kinds |= cell.kinds;
            kind = Some(kind.map_or(mine, |k| match widths.len() {
                1 => k.join(mine, width),
                _ if k == mine => k,
                _ => CellKind::Bytes,
            }));
            let levels = memory.shapes.locate(object.shape, cell.start / 8).1;
            let once = match object.kind {
                super::ObjectKind::Variable(v) => {
                    use parallax_cfa::Storage::{Local, Parameter, Static, Temporary, Thread};
                    match program.variables[v].storage {
                        Static => true,
                        Thread => false,
                        // One at a time in the start function, where nothing recurs.
                        Parameter | Local | Temporary => program.variables[v].owner == program.main,
                    }
                }
                _ => false,
            };
            members.push(RegionCell {
                object: cell.object,
                start: cell.start,
                end: cell.end,
                repeated: !levels.is_empty() || !once,
            });
        }
        members.sort_unstable();
        Region {
            kind: kind.unwrap_or(CellKind::Bytes),
            mixed: kinds.count_ones() > 1,
            carries: cells.iter().any(|cell| self.holds_pointers(*cell)),
            cells: members,
        }
    }
}

fn find(union: &mut [u32], cell: u32) -> u32 {
    let mut root = cell;
    while union[root as usize] != root {
        root = union[root as usize];
    }
    let mut next = cell;
    while union[next as usize] != root {
        next = std::mem::replace(&mut union[next as usize], root);
    }
    root
}
