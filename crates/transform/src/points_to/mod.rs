//! What pointers may point to, and how memory falls apart.
//!
//! A field-sensitive, flow- and context-insensitive inclusion-based analysis
//! (see `solve`) over abstract objects (see `memory`) whose arrays are folded
//! (see `shape`). From its result memory is split into [`Region`]s: sets of
//! cells such that each access of the program touches cells of one region only.
//! Run it after inlining for more precision: each inlined allocation is then an
//! object of its own.
//!
//! # Soundness
//!
//! Every pointer that a run of the program makes from the address of an object
//! is predicted, under these assumptions:
//!
//! - Pointer arithmetic stays in its object, and in the member array it began
//!   in; the latter not for constant distances in bytes (see `shape`). An
//!   access elsewhere is undefined behavior and must end the run.
//! - An integer that was not made from a pointer is not a valid address.
//!   Uninitialized pointers point nowhere.
//! - Undefined functions behave as [`Undefined`] says.
//!
//! Integers carry pointers through conversion, copying, memory and arithmetic
//! of pointer width.

mod address;
mod bits;
mod generate;
mod hints;
mod memory;
mod regions;
mod shape;
mod solve;
#[cfg(test)]
mod tests;
mod transfer;

pub use generate::Scalar;
pub use memory::{CellKind, Object, ObjectKind};
pub use regions::{Accessed, Region, RegionCell, Regions};
pub use shape::Offset;
pub use solve::Target;

use address::Address;
use generate::Generator;
pub(crate) use hints::Hints;
use parallax_base::{Id, IdVec};
use parallax_cfa::{Expr, Function, Place, Program, Variable};
use rustc_hash::FxHashMap;
use solve::Solver;
use std::collections::{BTreeMap, BTreeSet};

/// What a function without a body may do with the program's memory.
///
/// A pointer that comes from such a function points to memory of its own or to
/// an object that it was given a pointer to. It is assumed to be used there at
/// a type at which the program uses the object as well.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Undefined {
    /// It reads and writes, and keeps pointers to, all that can be reached from
    /// its arguments and from static variables.
    #[default]
    Everything,
    /// As `Everything`, but only what can be reached from its arguments.
    Arguments,
    /// It touches no memory of the program. Its result is a pointer to other
    /// memory.
    Nothing,
}

/// Choices of the analysis.
#[derive(Clone, Debug)]
pub struct Options {
    /// The meaning of functions without a body.
    pub undefined: Undefined,
    /// Whether such functions call those whose addresses they know. If not,
    /// the program has these calls beside those of undefined functions: see
    /// [`crate::resolve_calls`].
    pub callbacks: bool,
    /// After this much work the analysis becomes coarser to come to an end. A
    /// million is about a tenth of a second.
    pub limit: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { undefined: Undefined::default(), callbacks: true, limit: 30_000_000 }
    }
}

/// The result of the analysis of one program. Its answers are about the
/// functions that can be reached from `main`.
#[derive(Debug)]
pub struct PointsTo {
    solver: Solver,
    values: FxHashMap<Id<Expr>, Option<u32>>,
    addresses: FxHashMap<Id<Place>, Address>,
    accessed: BTreeMap<Id<Place>, BTreeSet<Scalar>>,
    reached: BTreeSet<Id<Function>>,
}

impl PointsTo {
    /// Analyzes a program.
    pub fn analyze(program: &Program, options: &Options) -> PointsTo {
        let mut generator = Generator::new(program, options);
        generator.run();
        let Generator { solver, values, addresses, accessed, reached, .. } = generator;
        PointsTo { solver, values, addresses, accessed, reached }
    }

    /// Whether the bound of work was reached and the result is coarser.
    pub fn is_coarse(&self) -> bool {
        self.solver.unified
    }

    /// The abstract objects.
    pub fn objects(&self) -> &IdVec<Object> {
        &self.solver.memory.objects
    }

    /// The object of a variable; `None` if no reached function mentions it.
    pub fn variable(&self, variable: Id<Variable>) -> Option<Id<Object>> {
        self.solver.memory.known.get(&ObjectKind::Variable(variable)).copied()
    }

    /// The functions that `main` reaches.
    pub fn reached(&self) -> &BTreeSet<Id<Function>> {
        &self.reached
    }

    /// Where an expression, a pointer or an integer made from one, may point.
    /// A target in [`ObjectKind::Unknown`] stands for all escaped objects too.
    pub fn targets(&self, expr: Id<Expr>) -> Vec<Target> {
        let node = self.values.get(&expr).copied().flatten();
        node.map(|n| self.solver.set(n).collect()).unwrap_or_default()
    }

    /// The objects that an expression may point into, escaped ones included.
    pub fn pointees(&self, expr: Id<Expr>) -> BTreeSet<Id<Object>> {
        let mut objects: BTreeSet<_> = self.targets(expr).into_iter().map(|t| t.object).collect();
        if objects.contains(&self.solver.outside) {
            objects.extend(self.objects().ids().filter(|o| self.has_escaped(*o)));
        }
        objects
    }

    /// The functions that a call through an expression may call. The second is
    /// set if code outside the program may be called as well.
    pub fn callees(&self, expr: Id<Expr>) -> (Vec<Id<Function>>, bool) {
        let (mut functions, mut unknown) = (Vec::new(), false);
        for object in self.pointees(expr) {
            match self.objects()[object].kind {
                ObjectKind::Function(f) => functions.push(f),
                ObjectKind::Unknown => unknown = true,
                _ => {}
            }
        }
        functions.sort_unstable();
        (functions, unknown)
    }

    /// Where a place may be; see [`PointsTo::targets`].
    pub fn places(&self, place: Id<Place>) -> Vec<Target> {
        self.addresses.get(&place).map(|a| a.targets(&self.solver)).unwrap_or_default()
    }

    /// Whether accesses to two places may touch a common byte.
    pub fn may_alias(&self, a: Id<Place>, b: Id<Place>) -> bool {
        let (a, b) = (self.cells(a), self.cells(b));
        a.intersection(&b).next().is_some()
    }

    /// Whether two expressions may be equal pointers to objects.
    pub fn may_equal(&self, a: Id<Expr>, b: Id<Expr>) -> bool {
        let node = |e| self.values.get(&e).copied().flatten();
        match (node(a), node(b)) {
            (Some(x), Some(y)) if self.solver.meet(x, y) => true,
            // A pointer from outside may be any that escaped.
            (Some(_), Some(_)) => {
                let (x, y) = (self.pointees(a), self.pointees(b));
                let outside = |set: &BTreeSet<Id<Object>>| set.contains(&self.solver.outside);
                (outside(&x) || outside(&y)) && x.intersection(&y).next().is_some()
            }
            _ => false,
        }
    }

    /// The byte of an object that stands for another one, as elements of arrays
    /// stand for each other.
    pub fn folded(&self, object: Id<Object>, byte: u64) -> u64 {
        match self.solver.memory.class(object, byte) {
            Offset::At(at) => at,
            Offset::Out(_) | Offset::Any => byte,
        }
    }

    /// The scalar that the program sees so many bytes from a target on: its kind
    /// and its bits. `None` if it sees none that begins there.
    pub(crate) fn scalar_at(&self, target: Target, distance: u64) -> Option<(CellKind, u64)> {
        let by = shape::Move::Bytes(i64::try_from(distance).ok()?);
        let [Target { object, offset: Offset::At(class) }] = self.solver.moved(target, by)[..]
        else {
            return None;
        };
        let memory = &self.solver.memory;
        let cell = memory.objects[object].cells.get(&(class * 8))?;
        let cell = &memory.cells[*cell as usize];
        Some((cell.kind, cell.end - cell.start))
    }

    /// The size of the elements of the array that a target begins.
    pub(crate) fn array_step(&self, target: Target) -> Option<u64> {
        let Offset::At(class) = target.offset else { return None };
        let memory = &self.solver.memory;
        let levels = memory.shapes.locate(memory.objects[target.object].shape, class).1;
        levels.iter().find(|level| level.base == class).map(|level| level.size)
    }

    /// The functions of the program that code outside of it may call.
    pub fn called_back(&self, program: &Program) -> Vec<Id<Function>> {
        let escaped = self.objects().iter().filter(|object| object.escaped);
        let mut functions: Vec<Id<Function>> = escaped
            .filter_map(|object| match object.kind {
                ObjectKind::Function(f) => Some(f),
                _ => None,
            })
            .filter(|f| program.functions[*f].can_be_called_back())
            .collect();
        functions.sort_unstable();
        functions
    }

    /// Whether code outside the program may hold a pointer to an object, so
    /// that a call of an undefined function may change it.
    pub fn has_escaped(&self, object: Id<Object>) -> bool {
        self.objects()[object].escaped
    }

    fn cells(&self, place: Id<Place>) -> BTreeSet<u32> {
        let mut cells = BTreeSet::new();
        for scalar in self.accessed.get(&place).into_iter().flatten() {
            cells.extend(self.scalar_cells(place, scalar));
        }
        for (kind, outside) in &self.solver.outside_cells {
            if cells.contains(outside) {
                cells.extend(self.escaped_cells(*kind));
            }
        }
        cells
    }

    /// The cells of escaped objects that are accessed as this kind.
    fn escaped_cells(&self, kind: CellKind) -> impl Iterator<Item = u32> + '_ {
        let memory = &self.solver.memory;
        let cells = memory.objects.iter().filter(|o| o.escaped).flat_map(|o| o.cells.values());
        let bit = memory::kind_bit(kind);
        cells.copied().filter(move |c| memory.cells[*c as usize].kinds & bit != 0)
    }

    /// The live cells that one scalar of a place touches; for a pointer from
    /// outside, only the cell that stands for it.
    fn scalar_cells(&self, place: Id<Place>, scalar: &Scalar) -> BTreeSet<u32> {
        let by = shape::Move::Bytes(scalar.distance as i64);
        let memory = &self.solver.memory;
        let mut cells = BTreeSet::new();
        for target in self.places(place) {
            if target.object == self.solver.outside {
                cells.extend(self.solver.outside_cells.get(&scalar.kind));
                continue;
            }
            let moved = self.solver.moved(target, by).into_iter();
            cells.extend(
                moved.filter_map(|t| memory.lookup(t.object, t.offset, scalar.shift, scalar.width)),
            );
        }
        cells
    }
}
