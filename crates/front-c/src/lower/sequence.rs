//! Accesses without an order: the demand that they are apart.
//!
//! The way to a watched lvalue is kept where it is computed, pointers and
//! indices in temporaries. As soon as the ways of two such accesses are known,
//! a check demands that they do not overlap. An access that happens on some
//! ways only has a flag, zero at the start of the full expression and one where
//! it happens.

use super::body::Body;
use super::build::{Touch, Way};
use super::expr::Value;
use super::order::Partner;
use crate::typed::Expr;
use parallax_base::{Id, Span};
use parallax_cfa::{Base, Binary, Check, IntKind, Step};

/// Two objects of more bytes than this are compared by order, not byte by byte.
const BYTES: u64 = 64;

/// How two ways lie to each other.
enum Apart {
    /// They never overlap.
    Always,
    /// They do not overlap where this is not zero.
    If(Value),
}

impl Body<'_, '_> {
    /// A full expression begins: nothing in it has happened yet.
    pub(crate) fn clear_flags(&mut self, id: Id<Expr>) {
        let span = self.span(id);
        for lvalue in self.cx.orders.flags(id) {
            let flag = match self.flags.get(&lvalue) {
                Some(flag) => flag.clone(),
                None => {
                    let int = self.cx.build.int;
                    let flag = self.temporary(int);
                    self.flags.insert(lvalue, flag.clone());
                    flag
                }
            };
            let zero = self.cx.build.zero(flag.ty);
            self.set(&flag, zero, span);
        }
    }

    /// Keeps the way to an lvalue if another access may be to the same object,
    /// and compares it with those that are known.
    pub(crate) fn watch(&mut self, id: Id<Expr>, way: Way) -> Way {
        if !self.cx.orders.is_watched(id) {
            return way;
        }
        let span = self.span(id);
        let shown = self.place(&way);
        let mut way = self.settle_way(way, Touch::LOCAL.and(Touch::MEMORY), span);
        if self.copies > 0 {
            self.keep_way(id, &mut way, span);
        }
        if let Some(flag) = self.flags.get(&id).cloned() {
            let one = self.cx.build.int(1, flag.ty);
            self.set(&flag, one, span);
        }
        self.seen.insert(id, (way.clone(), shown));
        for partner in self.cx.orders.partners(id) {
            self.keep_apart(id, partner, span);
        }
        way
    }

    /// Keeps pointer and indices where every copy of the code keeps them.
    fn keep_way(&mut self, id: Id<Expr>, way: &mut Way, span: Span) {
        if let Base::Pointer(pointer) = way.base {
            way.base = Base::Pointer(self.keep(id, 0, pointer, span));
        }
        for (number, step) in way.path.iter_mut().enumerate() {
            if let Step::Index(index) = step {
                *index = self.keep(id, number + 1, *index, span);
            }
        }
    }

    fn keep(&mut self, id: Id<Expr>, number: usize, value: Value, span: Span) -> Value {
        if self.cx.build.reads(value).is_constant() {
            return value;
        }
        let slot = match self.slots.get(&(id, number)) {
            Some(slot) => slot.clone(),
            None => {
                let slot = self.temporary(self.cx.build.exprs[value].ty);
                self.slots.insert((id, number), slot.clone());
                slot
            }
        };
        self.set(&slot, value, span);
        self.load(&slot)
    }

    /// Compares a store with what its operands do on the side.
    pub(crate) fn before_store(&mut self, id: Id<Expr>, span: Span) {
        if !self.cx.orders.is_watched(id) {
            return;
        }
        for partner in self.cx.orders.before_store(id) {
            self.keep_apart(id, partner, span);
        }
    }

    /// Demands that two accesses are apart, if both are known.
    fn keep_apart(&mut self, id: Id<Expr>, partner: Partner, span: Span) {
        let Some((way, _)) = self.seen.get(&id).cloned() else { return };
        let Some((other, _)) = self.seen.get(&partner.lvalue).cloned() else { return };
        let Some((_, place)) = self.seen.get(&partner.written).cloned() else { return };
        let Apart::If(mut apart) = self.apart(&way, &other) else { return };
        let flags = [id, partner.lvalue].map(|lvalue| self.flags.get(&lvalue).cloned());
        for flag in flags.into_iter().flatten() {
            let happens = self.load(&flag);
            let not = self.cx.build.negate(happens);
            apart = self.either(not, apart);
        }
        if self.cx.build.as_int(apart).is_some_and(|known| known != 0) {
            return;
        }
        self.demand(Check::Sequenced { place, apart }, span);
    }

    fn either(&mut self, a: Value, b: Value) -> Value {
        let int = self.cx.build.int;
        let one = self.cx.build.int(1, int);
        let (a, b) = (self.cx.build.truth(a), self.cx.build.truth(b));
        self.cx.build.conditional(a, one, b)
    }

    /// Whether two ways lead to different memory.
    fn apart(&mut self, a: &Way, b: &Way) -> Apart {
        if let (Base::Variable(v), Base::Variable(w)) = (a.base, b.base)
            && v != w
        {
            return Apart::Always;
        }
        if a.base == b.base
            && let Some(found) = self.paths_apart(&a.path, &b.path)
        {
            return found;
        }
        self.addresses_apart(a, b)
    }

    /// Compares two paths from one base, step by step; `None` if they part in a
    /// union or see the object under different types.
    fn paths_apart(&mut self, a: &[Step], b: &[Step]) -> Option<Apart> {
        let int = self.cx.build.int;
        let mut apart = self.cx.build.zero(int);
        for (x, y) in a.iter().zip(b) {
            match (*x, *y) {
                (Step::Member(r, m), Step::Member(s, n)) if r == s => {
                    if m == n {
                        continue;
                    }
                    let is_union = self.cx.build.types.records[r].is_union;
                    return if is_union { None } else { Some(Apart::Always) };
                }
                (Step::Index(i), Step::Index(j)) => {
                    let (i, j) = (self.cx.build.index(i), self.cx.build.index(j));
                    let wide = self.cx.build.difference;
                    let (i, j) = (self.cx.build.convert(i, wide), self.cx.build.convert(j, wide));
                    let differ = self.cx.build.binary(Binary::Ne, i, j, int);
                    match self.cx.build.as_int(differ) {
                        Some(0) => {}
                        Some(_) => return Some(Apart::Always),
                        None => apart = self.either(apart, differ),
                    }
                }
                _ => return None,
            }
        }
        Some(Apart::If(apart))
    }

    /// Compares two objects by their addresses.
    fn addresses_apart(&mut self, a: &Way, b: &Way) -> Apart {
        let int = self.cx.build.int;
        let ((p, size, align), (q, other, stride)) = (self.extent(a), self.extent(b));
        let step = align.min(stride).max(1);
        if (size + other) / step > BYTES {
            let (past_p, past_q) = (self.moved(p, size), self.moved(q, other));
            let before = self.cx.build.binary(Binary::Le, past_p, q, int);
            let behind = self.cx.build.binary(Binary::Le, past_q, p, int);
            return Apart::If(self.either(before, behind));
        }
        let mut overlap = self.cx.build.zero(int);
        for offset in (0..other.max(1)).step_by(step as usize) {
            let at = self.moved(q, offset);
            let same = self.cx.build.binary(Binary::Eq, p, at, int);
            overlap = self.either(overlap, same);
        }
        for offset in (step..size).step_by(step as usize) {
            let at = self.moved(p, offset);
            let same = self.cx.build.binary(Binary::Eq, q, at, int);
            overlap = self.either(overlap, same);
        }
        Apart::If(self.cx.build.negate(overlap))
    }

    fn moved(&mut self, pointer: Value, bytes: u64) -> Value {
        let index = self.cx.build.int(i128::from(bytes), self.cx.build.difference);
        let scale = self.cx.build.int(1, self.cx.build.size);
        self.cx.build.pointer_add(pointer, index, scale)
    }

    /// The address of the first byte, how many there are, and what divides the
    /// address.
    fn extent(&mut self, way: &Way) -> (Value, u64, u64) {
        let byte = self.int_type(IntKind::UChar);
        let bytes = self.cx.build.types.pointer(byte);
        if let (Some(bits), Some(Step::Member(record, member))) = (way.bits, way.path.last()) {
            // A bit-field has no address, its structure has one.
            let (record, member) = (*record, *member as usize);
            let offset = match self.cx.build.types.records[record].members.get(member) {
                Some(member) => member.offset,
                None => 0,
            };
            let mut outer = way.clone();
            outer.path.pop();
            outer.bits = None;
            let ty = self.cx.build.type_at(outer.base, &outer.path);
            outer.ty = ty.unwrap_or(way.ty);
            let (start, ..) = self.extent(&outer);
            return (self.moved(start, offset), u64::from(bits.shift + bits.width).div_ceil(8), 1);
        }
        let own = self.cx.build.types.pointer(way.ty);
        let address = self.cx.build.address(way, own);
        let address = self.cx.build.convert(address, bytes);
        let size = self.cx.build.types.size_of(way.ty).unwrap_or(1);
        (address, size, self.cx.build.types.align_of(way.ty))
    }
}
