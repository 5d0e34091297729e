//! The shape of an object: which offsets are told apart.
//!
//! Arrays are folded to one element, so an offset has a *class*: the offset of
//! the same part in the first elements of all arrays around it. Classes are
//! offsets themselves. Two parts of one object with different classes never
//! share a byte.
//!
//! Assumption, as the C standard has it (6.5.6): arithmetic on a pointer into
//! an array that is a member of a record stays in that array, unless it is
//! done in bytes on a constant (the `container_of` idiom), which may lead to
//! any other member. An array at the end of a record with at most one declared
//! element reaches to the end of the object.
//!
//! A union that contains an array is folded like an array of bytes, because
//! its members fold differently.

use parallax_base::Id;
use parallax_cfa::{ArrayLength, Type, Types};
use std::collections::HashMap;

/// Deeper types are folded like arrays of bytes.
const DEPTH: u32 = 64;
/// How many ways out of an array are told apart.
const EXITS: u64 = 256;
/// How far from its object a pointer is followed exactly.
const FAR: i128 = 1 << 16;

/// Index of a shape.
pub(super) type ShapeId = u32;

#[derive(Clone, Debug)]
enum Shape {
    /// No arrays inside: every offset is its own class.
    Flat,
    /// Members by offset, in order, no two overlapping.
    Record(Vec<(u64, ShapeId)>),
    /// Elements of this size; `None` if their number is not known.
    Array { element: ShapeId, size: u64, count: Option<u64> },
}

/// An array around an offset.
#[derive(Clone, Copy, Debug)]
pub(super) struct Level {
    /// Where the array begins, as a class.
    pub base: u64,
    /// The size of an element.
    pub size: u64,
    /// The number of elements.
    pub count: Option<u64>,
}

impl Level {
    /// One past its last byte; as far as one can count if not known.
    fn end(&self) -> u64 {
        self.count.map_or(u64::MAX / 16, |n| self.base.saturating_add(n.saturating_mul(self.size)))
    }
}

/// Where in an object a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Offset {
    /// At a class of offsets in bytes; see the module text.
    At(u64),
    /// Not in the object but this far from its start: no access is allowed, but
    /// the pointer may come back (`container_of` on the head of a list).
    Out(i64),
    /// Anywhere.
    Any,
}

/// How a pointer moves.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(super) enum Move {
    /// By a constant number of bytes.
    Bytes(i64),
    /// By whole elements of this size: a constant distance in bytes, or unknown.
    Elements { size: u64, distance: Option<i64> },
    /// Anywhere in its object.
    Anywhere,
}

/// All shapes of a program.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    shapes: Vec<Shape>,
    known: HashMap<(Id<Type>, bool), ShapeId>,
}

impl Shapes {
    fn push(&mut self, shape: Shape) -> ShapeId {
        self.shapes.push(shape);
        self.shapes.len() as ShapeId - 1
    }

    /// An object without parts that are told apart by type.
    pub(super) fn flat(&mut self) -> ShapeId {
        self.push(Shape::Flat)
    }

    /// An object of which every byte is like every other.
    pub(super) fn bytes(&mut self, count: Option<u64>) -> ShapeId {
        let element = self.push(Shape::Flat);
        self.push(Shape::Array { element, size: 1, count })
    }

    /// A variable of this type. With `open`, an array at the end may be longer
    /// than declared.
    pub(super) fn of_type(&mut self, types: &Types, ty: Id<Type>, open: bool) -> ShapeId {
        self.build(types, ty, open, 0)
    }

    /// A heap object that is used as one or more of this type.
    pub(super) fn of_heap(&mut self, types: &Types, ty: Id<Type>) -> ShapeId {
        let size = types.size_of(ty).unwrap_or(0);
        let element = self.build(types, ty, true, 0);
        if size == 0 || self.is_open(element) {
            return if size == 0 { self.bytes(None) } else { element };
        }
        self.push(Shape::Array { element, size, count: None })
    }

    fn is_open(&self, shape: ShapeId) -> bool {
        let mut shape = shape;
        loop {
            match &self.shapes[shape as usize] {
                Shape::Flat => return false,
                Shape::Array { count, .. } => return count.is_none(),
                Shape::Record(members) => match members.last() {
                    Some((_, last)) => shape = *last,
                    None => return false,
                },
            }
        }
    }

    fn build(&mut self, types: &Types, ty: Id<Type>, open: bool, depth: u32) -> ShapeId {
        if let Some(id) = self.known.get(&(ty, open)) {
            return *id;
        }
        let id = match types.get(ty) {
            _ if depth > DEPTH => self.bytes(types.size_of(ty)),
            Type::Array { of, length } => {
                let size = types.size_of(*of).unwrap_or(0);
                let count = match length {
                    ArrayLength::Fixed(n) if *n > 1 || !open => Some(*n),
                    ArrayLength::Fixed(_) | ArrayLength::Unknown | ArrayLength::Variable(_) => None,
                };
                if size == 0 {
                    // Elements of run-time size: the innermost type repeats.
                    let (mut of, mut depth) = (*of, depth);
                    while let Type::Array { of: inner, .. } = types.get(of) {
                        (of, depth) = (*inner, depth + 1);
                    }
                    match types.size_of(of) {
                        Some(size) if size > 0 => {
                            let element = self.build(types, of, false, depth + 1);
                            self.push(Shape::Array { element, size, count: None })
                        }
                        _ => self.bytes(None),
                    }
                } else {
                    let element = self.build(types, *of, false, depth + 1);
                    self.push(Shape::Array { element, size, count })
                }
            }
            Type::Record(record) => {
                let record = &types.records[*record];
                if record.is_union {
                    if has_array(types, ty, 0) {
                        self.bytes(Some(record.size))
                    } else {
                        self.push(Shape::Flat)
                    }
                } else {
                    let last = record.members.len().saturating_sub(1);
                    let mut members = Vec::new();
                    for (i, member) in record.members.iter().enumerate() {
                        if member.bits.is_none() {
                            let open = open && i == last;
                            members.push((
                                member.offset,
                                self.build(types, member.ty, open, depth + 1),
                            ));
                        }
                    }
                    self.push(Shape::Record(members))
                }
            }
            _ => self.push(Shape::Flat),
        };
        self.known.insert((ty, open), id);
        id
    }

    /// The class of an offset and the arrays around it, outermost first.
    pub(super) fn locate(&self, shape: ShapeId, offset: u64) -> (u64, Vec<Level>) {
        let (mut shape, mut rest, mut class) = (shape, offset, 0u64);
        let mut levels = Vec::new();
        loop {
            match &self.shapes[shape as usize] {
                Shape::Flat => return (class + rest, levels),
                Shape::Record(members) => {
                    let next = members.partition_point(|(start, _)| *start <= rest);
                    let Some((start, member)) = next.checked_sub(1).map(|i| members[i]) else {
                        return (class + rest, levels);
                    };
                    (class, rest, shape) = (class + start, rest - start, member);
                }
                Shape::Array { element, size, count } => {
                    if count.is_some_and(|n| rest >= n.saturating_mul(*size)) {
                        return (class + rest, levels);
                    }
                    levels.push(Level { base: class, size: *size, count: *count });
                    (rest, shape) = (rest % size, *element);
                }
            }
        }
    }

    /// The classes a pointer may have after a move, in an object of this size.
    pub(super) fn shift(
        &self,
        shape: ShapeId,
        size: Option<u64>,
        from: Offset,
        by: Move,
    ) -> Vec<Offset> {
        let class = match (from, by) {
            (Offset::At(class), _) => class,
            (Offset::Any, _) | (_, Move::Anywhere | Move::Elements { distance: None, .. }) => {
                return vec![Offset::Any];
            }
            (Offset::Out(at), Move::Bytes(d) | Move::Elements { distance: Some(d), .. }) => {
                return vec![self.at(shape, size, i128::from(at) + i128::from(d))];
            }
        };
        let distance = match by {
            Move::Anywhere => return vec![Offset::Any],
            Move::Bytes(d) => d,
            Move::Elements { size: step, distance } => {
                let levels = self.locate(shape, class).1;
                let along = |l: &Level| l.size > 0 && step % l.size == 0 && step > 0;
                match distance {
                    Some(0) => return vec![from],
                    _ if levels.iter().any(along) && (step > 1 || distance.is_none()) => {
                        return vec![from];
                    }
                    Some(d) => d,
                    None => return vec![Offset::Any],
                }
            }
        };
        self.shift_bytes(shape, size, class, distance)
    }

    fn shift_bytes(
        &self,
        shape: ShapeId,
        size: Option<u64>,
        class: u64,
        distance: i64,
    ) -> Vec<Offset> {
        let d = i128::from(distance);
        let levels = self.locate(shape, class).1;
        let mut found = Vec::new();
        let mut see = |offset: i128| {
            let at = Offset::At(self.locate(shape, offset as u64).0);
            if !found.contains(&at) {
                found.push(at);
            }
        };
        // Positions that leave the arrays seen so far, before the move.
        let mut leaving = vec![i128::from(class)];
        let exact = levels.is_empty();
        for level in levels.iter().rev() {
            let (base, step) = (i128::from(level.base), i128::from(level.size));
            let whole = level.base == 0 && size.is_some_and(|s| s <= level.end());
            let mut outer = Vec::new();
            for at in leaving {
                let moved = at - base + d;
                if (0..step).contains(&moved) {
                    see(base + moved);
                    continue;
                }
                if level.count != Some(1) {
                    see(base + moved.rem_euclid(step));
                }
                let Some(count) = level.count.filter(|_| !whole) else { continue };
                // Elements from which the move leaves the array.
                let out = ((d.unsigned_abs() / step.unsigned_abs()) as u64 + 1).min(count);
                if out > EXITS {
                    return vec![Offset::Any];
                }
                let first = if d < 0 { 0 } else { count - out };
                outer.extend((first..first + out).map(|j| at + i128::from(j) * step).filter(|x| {
                    let moved = x - base + d;
                    moved < 0 || moved >= i128::from(count) * step
                }));
            }
            leaving = outer;
            if leaving.len() as u64 > EXITS {
                return vec![Offset::Any];
            }
        }
        let end = size.map_or(i128::MAX, i128::from);
        if exact {
            return vec![self.at(shape, size, i128::from(class) + d)];
        }
        for at in leaving {
            let moved = at + d;
            if (0..end).contains(&moved) {
                see(moved);
            }
        }
        found
    }

    /// An exact offset: in the object, outside, or too far off to follow.
    fn at(&self, shape: ShapeId, size: Option<u64>, offset: i128) -> Offset {
        let end = size.map_or(i128::MAX, i128::from);
        if (0..end).contains(&offset) {
            Offset::At(self.locate(shape, offset as u64).0)
        } else if (-FAR..end.saturating_add(FAR)).contains(&offset) {
            Offset::Out(offset as i64)
        } else {
            Offset::Any
        }
    }

    /// The bits that an access of `width` bits from a class on may touch.
    pub(super) fn touched(&self, shape: ShapeId, class: u64, shift: u32, width: u64) -> (u64, u64) {
        let levels = self.locate(shape, class).1;
        let start = class.saturating_mul(8).saturating_add(u64::from(shift));
        let (mut start, mut end) = (start, start.saturating_add(width));
        for level in levels.iter().rev() {
            let element = level.base.saturating_add(level.size).saturating_mul(8);
            if end > element {
                start = start.min(level.base.saturating_mul(8));
                end = if end > level.end().saturating_mul(8) { end } else { element };
            }
        }
        (start, end)
    }
}

fn has_array(types: &Types, ty: Id<Type>, depth: u32) -> bool {
    match types.get(ty) {
        _ if depth > DEPTH => true,
        Type::Array { .. } => true,
        Type::Record(r) => {
            types.records[*r].members.iter().any(|m| has_array(types, m.ty, depth + 1))
        }
        _ => false,
    }
}
