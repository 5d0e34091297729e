//! Watching a run: a callback per edge, and a look at the state.

use super::code::{Class, Home};
use super::machine::{Machine, join};
use super::outcome::Position;
use super::shared::StaticHome;
use crate::{Edge, Function, Scalar, Variable};
use parallax_base::Id;

/// Is told about every edge a run takes.
pub trait Observer {
    /// Whether it wants to be told at all; if not, a run is faster.
    const ACTIVE: bool = true;

    /// The edge is about to be executed. For an assumption, it holds already.
    fn step(&mut self, view: &View<'_>, edge: Id<Edge>);

    /// A function that unknown code called has returned: the call of that code,
    /// on this edge, goes on.
    fn resumed(&mut self, view: &View<'_>, edge: Id<Edge>) {
        let _ = (view, edge);
    }
}

/// The observer that does not look.
impl Observer for () {
    const ACTIVE: bool = false;

    fn step(&mut self, _view: &View<'_>, _edge: Id<Edge>) {}
}

/// A look at the state of a run, between two edges.
pub struct View<'a> {
    state: &'a dyn State,
}

/// The part of a machine that a view needs, without its type parameters.
trait State {
    fn thread(&self) -> usize;
    fn depth(&self) -> usize;
    fn position(&self, depth: usize) -> Option<Position>;
    fn scalar(&self, variable: Id<Variable>) -> Option<Scalar>;
    fn bytes(&self, variable: Id<Variable>) -> Option<&[u8]>;
    fn address(&self, variable: Id<Variable>) -> Option<u64>;
}

impl<'a> View<'a> {
    pub(crate) fn new<'m, 'p>(machine: &'a Machine<'m, 'p>) -> View<'a>
    where
        'm: 'a,
        'p: 'a,
    {
        View { state: machine }
    }

    /// The number of the thread that runs; zero for that of `main`.
    pub fn thread(&self) -> usize {
        self.state.thread()
    }

    /// The function that runs.
    pub fn function(&self) -> Option<Id<Function>> {
        Some(self.position(self.depth().checked_sub(1)?)?.function)
    }

    /// How many calls of the running thread are open.
    pub fn depth(&self) -> usize {
        self.state.depth()
    }

    /// Where an open call is, counted from the first of the thread.
    pub fn position(&self, depth: usize) -> Option<Position> {
        self.state.position(depth)
    }

    /// The value of a scalar variable, static or of the innermost call.
    pub fn scalar(&self, variable: Id<Variable>) -> Option<Scalar> {
        self.state.scalar(variable)
    }

    /// The bytes of a variable that lives in memory.
    pub fn bytes(&self, variable: Id<Variable>) -> Option<&[u8]> {
        self.state.bytes(variable)
    }

    /// The address of a variable that lives in memory.
    pub fn address(&self, variable: Id<Variable>) -> Option<u64> {
        self.state.address(variable)
    }
}

impl State for Machine<'_, '_> {
    fn thread(&self) -> usize {
        self.threads.current
    }

    fn depth(&self) -> usize {
        self.frames.len()
    }

    fn position(&self, depth: usize) -> Option<Position> {
        self.position_of(depth)
    }

    fn scalar(&self, variable: Id<Variable>) -> Option<Scalar> {
        let ty = self.shared.scalar(variable)?;
        let pair = |cells: &[u64], at: usize, class: Class| {
            [cells[at], if class == Class::One { 0 } else { cells[at + 1] }]
        };
        let value = match (self.shared.statics[variable.index()], self.home(variable)) {
            (StaticHome::Register(at, class), _) => pair(&self.globals, at as usize, class),
            (_, Some(Home::Register(at, class))) => {
                pair(&self.registers, self.base + at as usize, class)
            }
            _ => {
                let bytes = self.bytes(variable)?;
                let mut whole = [0; 16];
                let size = (ty.bits().div_ceil(8) as usize).min(bytes.len());
                whole[..size].copy_from_slice(&bytes[..size]);
                let bits = crate::arith::wrap(ty, u128::from_le_bytes(whole));
                return Some(Scalar { ty, bits });
            }
        };
        Some(Scalar { ty, bits: join(ty, value) })
    }

    fn bytes(&self, variable: Id<Variable>) -> Option<&[u8]> {
        Some(&self.memory.objects[self.object(variable)?].bytes)
    }

    fn address(&self, variable: Id<Variable>) -> Option<u64> {
        Some(self.memory.objects[self.object(variable)?].address)
    }
}

impl Machine<'_, '_> {
    /// The object of a variable that lives in memory.
    fn object(&self, variable: Id<Variable>) -> Option<usize> {
        let index = match self.shared.statics[variable.index()] {
            StaticHome::Object(index) => index,
            StaticHome::Thread(number) => *self.threads.objects.get(number as usize)?,
            _ => match self.home(variable)? {
                Home::Slot(slot) => {
                    self.memory.owner(*self.memory.slots.get(self.slots + slot as usize)?)?
                }
                Home::Register(..) => return None,
            },
        };
        Some(index as usize)
    }

    /// Where a local variable of the innermost call lives.
    fn home(&self, variable: Id<Variable>) -> Option<Home> {
        let homes = &self.frames.last()?.code.homes;
        let at = homes.binary_search_by_key(&variable, |(id, _)| *id).ok()?;
        Some(homes[at].1)
    }
}
