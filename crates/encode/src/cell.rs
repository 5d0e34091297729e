//! The scalar parts of an object.
//!
//! An object whose address is never taken is cut into cells, one for each
//! scalar member; the elements of an array share one cell with indices. Scalar
//! members of a union that have one size share a cell of their bits. What
//! cannot be cut (a union with other members that are used, an array inside
//! whose length is not known before the run) stays whole and lives in memory.

use crate::arithmetic::IntType;
use crate::value::{Kind, kind_of};
use parallax_base::Id;
use parallax_cfa::{ArrayLength, Expr, Place, Record, Step, Type, Types};
use std::collections::BTreeSet;

/// One step of the way to a cell, with array indices left out.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Key {
    Member(u32),
    Element,
}

/// A scalar part of an object.
#[derive(Clone, Debug)]
pub(crate) struct Cell {
    pub(crate) key: Vec<Key>,
    /// Other ways to it: those of further members of a union.
    pub(crate) others: Vec<Vec<Key>>,
    pub(crate) kind: Kind,
    /// The lengths of the arrays on the way, outermost first. The outermost
    /// may be unknown; then it is zero here.
    pub(crate) lengths: Vec<u64>,
}

/// The ways, by their keys, that the program uses of one object.
pub(crate) type Uses = BTreeSet<Vec<Key>>;

/// The key of a place's path.
pub(crate) fn key(place: &Place) -> Vec<Key> {
    let step = |s: &Step| match s {
        Step::Member(_, member) => Key::Member(*member),
        Step::Index(_) => Key::Element,
    };
    place.path.iter().map(step).collect()
}

/// The index expressions of a place's path, outermost first.
pub(crate) fn indices(place: &Place) -> Vec<Id<Expr>> {
    let index = |s: &Step| match s {
        Step::Index(e) => Some(*e),
        Step::Member(..) => None,
    };
    place.path.iter().filter_map(index).collect()
}

impl Cell {
    /// Whether a way leads here.
    pub(crate) fn is_at(&self, key: &[Key]) -> bool {
        self.key == key || self.others.iter().any(|other| other == key)
    }
}

/// The bits that several members of a union share: all of all of them.
fn shared_bits(types: &Types, record: &Record, members: &[usize]) -> Option<u32> {
    let size = |m: &usize| {
        let member = &record.members[*m];
        kind_of(types, member.ty).filter(|_| member.bits.is_none())?;
        types.size_of(member.ty)
    };
    let first = size(members.first()?)?;
    let same = members.len() > 1 && members.iter().all(|m| size(m) == Some(first));
    (same && matches!(first, 1 | 2 | 4 | 8)).then_some(first as u32 * 8)
}

/// Cuts a type into cells; `None` if it cannot be cut. `limit` bounds their number.
pub(crate) fn cells(types: &Types, ty: Id<Type>, uses: &Uses, limit: usize) -> Option<Vec<Cell>> {
    let mut found = Vec::new();
    let mut open = vec![(ty, Vec::new(), Vec::new())];
    while let Some((ty, key, lengths)) = open.pop() {
        if found.len() + open.len() > limit {
            return None;
        }
        match types.get(ty) {
            Type::Array { of, length } => {
                let length = match length {
                    ArrayLength::Fixed(n) => *n,
                    // Only the outermost dimension needs no length.
                    _ if key.is_empty() => 0,
                    _ => return None,
                };
                open.push((
                    *of,
                    [&key[..], &[Key::Element]].concat(),
                    [&lengths[..], &[length]].concat(),
                ));
            }
            Type::Record(id) => {
                let record = &types.records[*id];
                if !record.is_complete {
                    return None;
                }
                let step = |m: usize| [&key[..], &[Key::Member(m as u32)]].concat();
                let used = |m: usize| {
                    let way = step(m);
                    uses.iter().any(|u| u.starts_with(&way))
                };
                let members: Vec<usize> = (0..record.members.len()).collect();
                let whole = uses.iter().any(|u| key.starts_with(u));
                let members: Vec<usize> = if record.is_union {
                    let used: Vec<usize> = members.into_iter().filter(|&m| used(m)).collect();
                    if let (Some(bits), false) = (shared_bits(types, record, &used), whole) {
                        let mut ways = used.iter().map(|&m| step(m));
                        let kind = Kind::Int(IntType { bits, signed: false });
                        let key = ways.next()?;
                        found.push(Cell { key, others: ways.collect(), kind, lengths });
                        continue;
                    }
                    if used.len() > 1 || (whole && !record.members.is_empty()) {
                        return None;
                    }
                    used
                } else {
                    members
                };
                // Pushed in reverse: cells come out in the order of members.
                for m in members.into_iter().rev() {
                    let member = &record.members[m];
                    match member.bits {
                        None => open.push((member.ty, step(m), lengths.clone())),
                        Some(_) if member.name.is_none() => {}
                        Some(bits) => {
                            let signed = types.int_kind(member.ty)?.is_signed();
                            let kind = Kind::Int(IntType { bits: bits.width, signed });
                            let (key, others) = (step(m), Vec::new());
                            found.push(Cell { key, others, kind, lengths: lengths.clone() });
                        }
                    }
                }
            }
            _ => {
                let kind = kind_of(types, ty)?;
                found.push(Cell { key, others: Vec::new(), kind, lengths });
            }
        }
    }
    Some(found)
}
