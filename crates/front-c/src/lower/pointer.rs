//! Pointer arithmetic and places behind pointers.

use super::build::{Builder, Way};
use parallax_base::Id;
use parallax_cfa::{ArrayLength, Base, Binary, Expr, ExprKind, Step, Type, Unary};

impl Builder {
    /// Pointer plus index; the index is brought to the width of a pointer.
    pub(crate) fn pointer_add(
        &mut self,
        pointer: Id<Expr>,
        index: Id<Expr>,
        scale: Id<Expr>,
    ) -> Id<Expr> {
        let ty = self.exprs[pointer].ty;
        let index = self.index(index);
        if self.as_int(index) == Some(0) {
            return pointer;
        }
        if let Some(more) = self.as_int(index) {
            match self.exprs[pointer].kind.clone() {
                ExprKind::PointerAdd { pointer: inner, index: first, scale: same } => {
                    if let (Some(first), true) = (self.as_int(first), same == scale) {
                        let difference = self.difference;
                        let sum = self.int(first + more, difference);
                        return self.pointer_add(inner, sum, scale);
                    }
                }
                ExprKind::Address(place) => {
                    let mut way = self.way(place);
                    if self.advance(&mut way, more) {
                        return self.address(&way, ty);
                    }
                }
                _ => {}
            }
        }
        self.node(ExprKind::PointerAdd { pointer, index, scale }, ty)
    }

    /// Moves a way that ends in an element of a fixed array; false if it would
    /// leave the array, one past the end allowed.
    fn advance(&mut self, way: &mut Way, by: i128) -> bool {
        let Some(Step::Index(index)) = way.path.pop() else { return false };
        let (Some(index), Some(array)) = (self.as_int(index), self.type_at(way.base, &way.path))
        else {
            return false;
        };
        let Type::Array { length: ArrayLength::Fixed(n), of } = *self.types.get(array) else {
            return false;
        };
        let next = index + by;
        if of != way.ty || next < 0 || next > i128::from(n) {
            return false;
        }
        let difference = self.difference;
        way.path.push(Step::Index(self.int(next, difference)));
        true
    }

    /// An index as wide as a pointer.
    pub(crate) fn index(&mut self, index: Id<Expr>) -> Id<Expr> {
        let bits = self.scalar(self.exprs[index].ty).bits();
        if bits == self.types.pointer_bits() && self.as_int(index).is_none() {
            return index;
        }
        let difference = self.difference;
        self.convert(index, difference)
    }

    /// An index with the opposite sign.
    pub(crate) fn opposite(&mut self, index: Id<Expr>) -> Id<Expr> {
        let difference = self.difference;
        let index = self.convert(index, difference);
        self.unary(Unary::Neg, index, difference)
    }

    /// Distance of two pointers in elements.
    pub(crate) fn pointer_diff(
        &mut self,
        left: Id<Expr>,
        right: Id<Expr>,
        scale: Id<Expr>,
        ty: Id<Type>,
    ) -> Id<Expr> {
        if left == right {
            return self.zero(ty);
        }
        self.node(ExprKind::PointerDiff { left, right, scale }, ty)
    }

    /// A product of sizes.
    pub(crate) fn size_product(&mut self, a: Id<Expr>, b: Id<Expr>) -> Id<Expr> {
        let size = self.size;
        let (a, b) = (self.convert(a, size), self.convert(b, size));
        self.binary(Binary::Mul, a, b, size)
    }

    /// The type of what a path leads to; `None` if the path does not fit.
    pub(crate) fn type_at(&self, base: Base, path: &[Step]) -> Option<Id<Type>> {
        let mut ty = match base {
            Base::Variable(v) => self.variable_type(v),
            Base::Pointer(p) => self.types.pointee(self.exprs[p].ty)?,
        };
        for step in path {
            ty = match step {
                Step::Member(record, member) => {
                    self.types.records[*record].members.get(*member as usize)?.ty
                }
                Step::Index(_) => self.element(ty)?,
            };
        }
        Some(ty)
    }

    /// What a pointer expression points to, as a way: the place itself if the
    /// pointer is an address of the right type.
    pub(crate) fn pointee_way(&self, pointer: Id<Expr>, ty: Id<Type>, volatile: bool) -> Way {
        if let ExprKind::Address(place) = self.exprs[pointer].kind {
            let mut way = self.way(place);
            if way.ty == ty && way.bits.is_none() {
                way.volatile |= volatile;
                return way;
            }
        }
        let base = Base::Pointer(pointer);
        Way { base, path: Vec::new(), ty, bits: None, volatile, atomic: false }
    }
}
