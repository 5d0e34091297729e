//! States in which threads meet: data races and deadlocks, as formulas.
//!
//! Before an access that another thread may conflict with, and before an operation
//! that waits, a thread stands at a cut point. A *data race* is a state in which two
//! threads stand before accesses that conflict: in some run of a sequentially
//! consistent machine the two then lie next to each other, and for programs whose
//! atomic operations are sequentially consistent there is such a run if and only if
//! C11 finds two conflicting accesses with no order between (Boehm and Adve, PLDI
//! 2008). Two accesses that are atomic, or in atomic sections, do not conflict.
//!
//! A *deadlock* is a state in which every thread has not begun, has ended, waits, or
//! sleeps on a condition and was not woken, and some thread does one of the last two.
//!
//! # Soundness
//! What a thread touches is told by the points-to analysis, as in `visible.rs`. A place
//! that has no address in the encoding is a gap where it is announced.

use crate::cell::{indices, key};
use crate::encoder::{Encoder, Gap, Home};
use crate::program::NotEncoded;
use crate::state::State;
use parallax_base::Id;
use parallax_cfa::{Base, CProperty, Check, Edge, Function, Graph, Location, Op, Place, Primitive};
use parallax_ir as ir;
use parallax_term::Term;
use std::collections::BTreeSet;

/// An access that others may conflict with: the thread stands behind the edge that
/// announces it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Announced {
    pub(crate) thread: usize,
    pub(crate) edge: Id<Edge>,
    /// Whether it is in an atomic section.
    pub(crate) inside: bool,
}

/// Where a thread stands, and what must hold there.
pub(crate) type Standing = (Id<ir::Location>, Term);

/// Where two threads stand, and what must hold there.
pub(crate) type Pair = (Vec<Id<ir::Location>>, Vec<Id<ir::Location>>, Term);

/// The states that a property is about.
#[derive(Clone, Debug)]
pub(crate) enum Meeting {
    /// One of these pairs: a thread is at one of the first locations, another one at
    /// one of the second, and a condition holds.
    Pairs(Vec<Pair>),
    /// All threads are out of it or stuck, and some are stuck.
    Stuck(Vec<Stuck>),
}

/// A thread, as a deadlock sees it.
#[derive(Clone, Debug)]
pub(crate) struct Stuck {
    /// It has not begun, or has ended.
    pub(crate) out: Term,
    /// It sleeps.
    pub(crate) asleep: Term,
    /// Where it waits, and when.
    pub(crate) waits: Vec<Standing>,
}

impl Meeting {
    /// Formulas in it that are about threads at known places.
    pub(crate) fn standing(&self) -> Vec<(Vec<Id<ir::Location>>, Term)> {
        match self {
            Meeting::Pairs(pairs) => pairs
                .iter()
                .map(|(one, other, condition)| ([&one[..], other].concat(), *condition))
                .collect(),
            Meeting::Stuck(all) => {
                let waits = all.iter().flat_map(|thread| &thread.waits);
                waits.map(|(place, condition)| (vec![*place], *condition)).collect()
            }
        }
    }

    /// Formulas in it that are about threads wherever they are.
    pub(crate) fn everywhere(&self) -> Vec<Term> {
        match self {
            Meeting::Pairs(_) => Vec::new(),
            Meeting::Stuck(all) => all.iter().flat_map(|t| [t.out, t.asleep]).collect(),
        }
    }
}

/// An operation that waits: where, and whether it can in its outer section.
fn waits(function: &Function) -> Vec<Id<Location>> {
    let graph = Graph::new(function);
    let is_wait = |edge: &Edge| match &edge.op {
        Op::Primitive { primitive: Primitive::Join, .. } => true,
        Op::Primitive { primitive: Primitive::AtomicBegin, .. } => {
            condition(function, &graph, edge.target).is_some()
        }
        _ => false,
    };
    function.edges.iter().filter(|edge| is_wait(edge)).map(|edge| edge.source).collect()
}

/// The condition without which nobody leaves a location.
fn condition(
    function: &Function,
    graph: &Graph,
    at: Id<Location>,
) -> Option<Id<parallax_cfa::Expr>> {
    match graph.leaving(at) {
        [only] => match function.edges[*only].op {
            Op::Assume(condition) => Some(condition),
            _ => None,
        },
        _ => None,
    }
}

/// The cut points before operations that wait.
pub(crate) fn waiting(
    function: &Function,
    depths: &[Option<u32>],
) -> Result<Vec<Id<Location>>, NotEncoded> {
    let found = waits(function);
    if found.iter().any(|at| depths[at.index()].is_some_and(|depth| depth > 0)) {
        return Err(NotEncoded("waiting in an atomic section".to_owned()));
    }
    Ok(found)
}

/// What an access covers.
enum Range {
    /// Scalars that no pointer leads to: a variable, and the place in it.
    Cells(Id<Place>),
    /// Bytes: object, distance, size.
    Bytes(Term, Term, Term),
}

impl Encoder<'_> {
    /// What is announced.
    fn range(&mut self, state: &mut State, check: Check) -> Result<Range, Gap> {
        match check {
            Check::Alone { place: id, .. } => {
                let place = self.place(id);
                if let Base::Variable(v) = place.base
                    && let Home::Cells(_) = &self.homes[v.index()]
                {
                    return Ok(Range::Cells(id));
                }
                let (object, offset) = self.address(state, id)?;
                let size = match place.bits {
                    Some(bits) => u64::from((bits.shift + bits.width).div_ceil(8)),
                    None => self.size(place.ty)?,
                };
                let size = self.pointers.offset(&mut self.store, i128::from(size));
                Ok(Range::Bytes(object, offset, size))
            }
            Check::AloneBytes { pointer, size, .. } => {
                let (object, offset) = self.pointer(state, pointer)?;
                let size = self.distance(state, size)?;
                Ok(Range::Bytes(object, offset, size))
            }
            _ => Err(Gap::new("an access that is none")),
        }
    }

    /// An announcement says nothing where it stands; what it is about must be known.
    pub(crate) fn announce(&mut self, state: &mut State, check: Check) -> Result<(), Gap> {
        self.range(state, check).map(drop)
    }

    /// Whether two ranges share a byte.
    fn overlap(&mut self, one: &Range, other: &Range) -> Result<Term, Gap> {
        match (one, other) {
            (Range::Cells(a), Range::Cells(b)) => self.same_cells(*a, *b),
            (Range::Bytes(o, at, size), Range::Bytes(p, there, length)) => {
                let same = self.store.eq(*o, *p);
                let end = self.pointers.add(&mut self.store, *at, *size);
                let other_end = self.pointers.add(&mut self.store, *there, *length);
                let before = self.pointers.lt(&mut self.store, *at, other_end);
                let after = self.pointers.lt(&mut self.store, *there, end);
                Ok(self.store.and([same, before, after]))
            }
            // No pointer leads to a variable that is kept in cells.
            _ => Ok(self.store.bool(false)),
        }
    }

    /// Whether two places in variables that no pointer leads to share a scalar.
    fn same_cells(&mut self, a: Id<Place>, b: Id<Place>) -> Result<Term, Gap> {
        let (a, b) = (self.place(a), self.place(b));
        let (Base::Variable(v), Base::Variable(w)) = (a.base, b.base) else {
            return Ok(self.store.bool(false));
        };
        let (Home::Cells(cells), true) = (self.homes[v.index()].clone(), v == w) else {
            return Ok(self.store.bool(false));
        };
        let (one, other) = (key(a), key(b));
        // Neighbors among bit-fields are one memory location.
        let are_bits = a.bits.is_some() && b.bits.is_some();
        let meets = |cell: &crate::cell::Cell| {
            let mut keys = std::iter::once(&cell.key).chain(&cell.others);
            let in_one = keys.any(|k| k.starts_with(&one));
            let mut keys = std::iter::once(&cell.key).chain(&cell.others);
            in_one && keys.any(|k| k.starts_with(&other))
        };
        if !are_bits && !cells.iter().any(|(cell, _)| meets(cell)) {
            return Ok(self.store.bool(false));
        }
        let mut same = Vec::new();
        for (i, j) in indices(a).into_iter().zip(indices(b)) {
            let mut state = State::default();
            let i = self.distance(&mut state, i)?;
            let j = self.distance(&mut state, j)?;
            same.push(self.store.eq(i, j));
        }
        Ok(self.store.and(same))
    }

    /// The states in which two threads stand before accesses that conflict.
    pub(crate) fn races(
        &mut self,
        announced: &[Announced],
        functions: &[&Function],
        places: &dyn Fn(usize, Id<Location>) -> Option<Id<ir::Location>>,
    ) -> Result<Meeting, Gap> {
        struct Access {
            thread: usize,
            check: Check,
            range: Range,
            write: bool,
            atomic: bool,
            at: Vec<Id<ir::Location>>,
        }
        let mut all: Vec<Access> = Vec::new();
        for &Announced { thread, edge, inside } in announced {
            let edge = &functions[thread].edges[edge];
            let (Op::Check(check), Some(at)) = (&edge.op, places(thread, edge.target)) else {
                continue;
            };
            let (write, atomic) = match *check {
                Check::Alone { write, atomic, .. } => (write, atomic || inside),
                Check::AloneBytes { write, .. } => (write, inside),
                _ => continue,
            };
            let known = all
                .iter_mut()
                .find(|a| a.thread == thread && a.check == *check && a.atomic == atomic);
            match known {
                Some(access) => access.at.push(at),
                None => {
                    let range = self.range(&mut State::default(), *check)?;
                    let (check, at) = (*check, vec![at]);
                    all.push(Access { thread, check, range, write, atomic, at });
                }
            }
        }
        let mut pairs = Vec::new();
        for (number, one) in all.iter().enumerate() {
            for other in &all[number + 1..] {
                let conflicts = one.thread != other.thread
                    && (one.write || other.write)
                    && !(one.atomic && other.atomic);
                if !conflicts {
                    continue;
                }
                let overlap = self.overlap(&one.range, &other.range)?;
                if !self.store.is_false(overlap) {
                    pairs.push((one.at.clone(), other.at.clone(), overlap));
                }
            }
        }
        Ok(Meeting::Pairs(pairs))
    }

    /// The states in which no thread can move, and not all have ended.
    pub(crate) fn deadlocks(
        &mut self,
        functions: &[&Function],
        places: &dyn Fn(usize, Id<Location>) -> Option<Id<ir::Location>>,
    ) -> Result<Meeting, Gap> {
        let mut all = Vec::new();
        for (thread, function) in functions.iter().enumerate() {
            let graph = Graph::new(function);
            let mut seen = BTreeSet::new();
            let mut found = Vec::new();
            for at in waits(function) {
                let Some(place) = places(thread, at).filter(|_| seen.insert(at)) else { continue };
                for edge in graph.leaving(at).iter().map(|e| &function.edges[*e]) {
                    let goes_on = match &edge.op {
                        Op::Primitive { primitive: Primitive::Join, arguments, .. } => {
                            self.has_ended(&State::default(), arguments[0])?
                        }
                        _ => match condition(function, &graph, edge.target) {
                            Some(condition) => self.truth(&mut State::default(), condition)?,
                            None => continue,
                        },
                    };
                    found.push((place, self.store.not(goes_on)));
                }
            }
            let (out, asleep) = self.standing_of(thread);
            all.push(Stuck { out, asleep, waits: found });
        }
        Ok(Meeting::Stuck(all))
    }

    /// The states that each property is about that asks where threads stand.
    pub(crate) fn meetings(
        &mut self,
        announced: &[Announced],
        functions: &[&Function],
        places: &dyn Fn(usize, Id<Location>) -> Option<Id<ir::Location>>,
    ) -> Result<Vec<(usize, Meeting)>, NotEncoded> {
        let mut found = Vec::new();
        for (number, property) in self.options.properties.iter().enumerate() {
            let meeting = match property {
                CProperty::Race => self.races(announced, functions, places),
                CProperty::Deadlock => self.deadlocks(functions, places),
                _ => continue,
            };
            let meeting = meeting.map_err(|gap| match gap {
                Gap::Uncovered(why) => NotEncoded(why.to_string()),
                Gap::Undefined => NotEncoded("an access that is undefined".to_owned()),
            })?;
            found.push((number, meeting));
        }
        Ok(found)
    }
}

/// Whether a property of a program with several threads can be asked: one that is about
/// single operations, or about where threads stand.
pub(crate) fn suits_threads(property: &CProperty) -> bool {
    use CProperty::{Call, Deadlock, Division, Errors, Label, Locks, Overflow, Race, Shift};
    let is_single = matches!(property, Errors | Call(_) | Label(_) | Overflow | Division | Shift);
    is_single || matches!(property, Race | Deadlock | Locks)
}

/// A meeting as a formula.
pub(crate) fn formula(
    store: &mut parallax_term::TermStore,
    meeting: &Meeting,
    at: &dyn Fn(&mut parallax_term::TermStore, Id<ir::Location>) -> Term,
) -> Term {
    match meeting {
        Meeting::Pairs(pairs) => {
            let mut all = Vec::new();
            for (one, other, condition) in pairs {
                let one: Vec<Term> = one.iter().map(|l| at(store, *l)).collect();
                let other: Vec<Term> = other.iter().map(|l| at(store, *l)).collect();
                let (one, other) = (store.or(one), store.or(other));
                all.push(store.and([one, other, *condition]));
            }
            store.or(all)
        }
        Meeting::Stuck(threads) => {
            let (mut all, mut some) = (Vec::new(), Vec::new());
            for thread in threads {
                let mut ways = vec![thread.out, thread.asleep];
                for (place, waits) in &thread.waits {
                    let here = at(store, *place);
                    ways.push(store.and([here, *waits]));
                }
                all.push(store.or(ways));
                some.push(store.not(thread.out));
            }
            let some = store.or(some);
            all.push(some);
            store.and(all)
        }
    }
}
