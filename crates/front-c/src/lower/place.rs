//! Lvalues: ways into objects.
//!
//! `a[i]` on an array variable is a step into the variable, not a pointer
//! access; so are `s.m`, `p->m` and `(&x)->m`. Elements of run-time size are
//! reached by pointer arithmetic instead, with the size as an expression.

use super::body::Body;
use super::build::{Touch, Way};
use crate::typed::{Expr, ExprKind};
use parallax_base::{Id, Span};
use parallax_cfa::{ArrayLength, Base, Step, Type, VariableLength};

impl Body<'_, '_> {
    /// The way to an lvalue, or to the object that holds a record value.
    pub(crate) fn way(&mut self, id: Id<Expr>) -> Way {
        let way = self.find_way(id);
        self.watch(id, way)
    }

    fn find_way(&mut self, id: Id<Expr>) -> Way {
        let expr = &self.typed.exprs[id];
        match &expr.kind {
            ExprKind::Variable(v) => {
                self.opaque_variable(*v, expr.span);
                let volatile = self.typed.variables[*v].volatile;
                let variable = self.cx.variable(*v);
                let ty = self.cx.variables[variable].ty;
                let atomic = self.typed.variables[*v].atomic;
                Way { atomic, ..self.cx.build.variable(variable, ty, volatile) }
            }
            ExprKind::Deref(pointer) => self.deref(*pointer, expr.ty, expr.span),
            ExprKind::Member { record, of, member, bits, volatile, atomic } => {
                let mut way = self.way(*record);
                way.path.push(Step::Member(*of, *member));
                way.ty = expr.ty;
                way.bits = *bits;
                way.volatile |= *volatile;
                way.atomic |= *atomic;
                way
            }
            ExprKind::CompoundLiteral(variable, init) => {
                self.compound_literal(*variable, init, expr.span)
            }
            _ => self.record(id),
        }
    }

    fn deref(&mut self, pointer: Id<Expr>, ty: Id<Type>, span: Span) -> Way {
        let tree = &self.typed.exprs[pointer];
        let (volatile, atomic) = match self.cx.build.types.get(tree.ty) {
            Type::Pointer { qualifiers, .. } => (qualifiers.is_volatile, qualifiers.is_atomic),
            _ => (false, false),
        };
        let mut way = match &tree.kind {
            ExprKind::AddressOf(object) if self.ty(*object) == ty => self.way(*object),
            ExprKind::Decay(array) if self.has_steps(*array) => {
                let way = self.way(*array);
                let zero = self.cx.build.zero(self.cx.build.difference);
                element(way, zero, ty)
            }
            ExprKind::PointerAdd(base, index) => match &self.typed.exprs[*base].kind {
                ExprKind::Decay(array) if self.has_steps(*array) => {
                    let way = self.way(*array);
                    let way = self.settle_way(way, self.cx.facts.effect(*index), span);
                    let index = self.rvalue(*index);
                    let index = self.step_index(index);
                    element(way, index, ty)
                }
                _ => self.deref_value(pointer, ty),
            },
            _ => self.deref_value(pointer, ty),
        };
        way.volatile |= volatile;
        way.atomic |= atomic;
        way
    }

    /// Constant indices have one type, so that equal places are one place.
    fn step_index(&mut self, index: Id<parallax_cfa::Expr>) -> Id<parallax_cfa::Expr> {
        if self.cx.build.as_int(index).is_some() { self.cx.build.index(index) } else { index }
    }

    fn deref_value(&mut self, pointer: Id<Expr>, ty: Id<Type>) -> Way {
        let value = self.rvalue(pointer);
        self.cx.build.pointee_way(value, ty, false)
    }

    /// Whether elements of an array lvalue are steps: they have a fixed size.
    fn has_steps(&self, array: Id<Expr>) -> bool {
        let types = &self.cx.build.types;
        match types.get(self.ty(array)) {
            Type::Array { of, .. } => types.size_of(*of).is_some(),
            _ => false,
        }
    }

    /// The way, with pointer and indices saved if an effect may change them.
    pub(crate) fn settle_way(&mut self, mut way: Way, effect: Touch, span: Span) -> Way {
        if effect == Touch::NONE {
            return way;
        }
        if let Base::Pointer(pointer) = way.base {
            way.base = Base::Pointer(self.settle(pointer, effect, span));
        }
        for step in &mut way.path {
            if let Step::Index(index) = step {
                *index = self.settle(*index, effect, span);
            }
        }
        way
    }

    /// The pointer an array turns into.
    pub(crate) fn decay(&mut self, array: Id<Expr>, ty: Id<Type>) -> Id<parallax_cfa::Expr> {
        let way = self.way(array);
        if !self.has_steps(array) {
            return self.address_as(&way, ty);
        }
        if let (Base::Pointer(pointer), true) = (way.base, way.path.is_empty()) {
            return self.cx.build.convert(pointer, ty);
        }
        let of = self.cx.build.element(way.ty).unwrap_or(way.ty);
        let zero = self.cx.build.zero(self.cx.build.difference);
        let way = element(way, zero, of);
        self.cx.build.address(&way, ty)
    }

    /// The address of a whole object under another pointer type.
    fn address_as(&mut self, way: &Way, ty: Id<Type>) -> Id<parallax_cfa::Expr> {
        let own = self.cx.build.types.pointer(way.ty);
        let address = self.cx.build.address(way, own);
        self.cx.build.convert(address, ty)
    }

    /// The hidden variable that holds a run-time array length.
    pub(crate) fn length(&mut self, length: Id<VariableLength>) -> Way {
        let size = self.cx.build.size;
        if let Some(variable) = self.lengths.get(&length.index()) {
            return self.cx.build.variable(*variable, size, false);
        }
        let way = self.temporary(size);
        if let Base::Variable(variable) = way.base {
            self.lengths.insert(length.index(), variable);
        }
        way
    }

    /// The size of a type as an expression, run-time lengths included.
    pub(crate) fn size_of(&mut self, ty: Id<Type>) -> Id<parallax_cfa::Expr> {
        let size = self.cx.build.size;
        if let Some(bytes) = self.cx.build.types.size_of(ty) {
            return self.cx.build.int(i128::from(bytes), size);
        }
        match *self.cx.build.types.get(ty) {
            Type::Array { of, length } => {
                let count = match length {
                    ArrayLength::Fixed(n) => self.cx.build.int(i128::from(n), size),
                    ArrayLength::Unknown => self.cx.build.zero(size),
                    ArrayLength::Variable(length) => {
                        let way = self.length(length);
                        self.load(&way)
                    }
                };
                let element = self.size_of(of);
                self.cx.build.size_product(count, element)
            }
            // GNU C: `void` and functions count as one byte.
            _ => self.cx.build.int(1, size),
        }
    }
}

/// One step further, into an element.
fn element(mut way: Way, index: Id<parallax_cfa::Expr>, ty: Id<Type>) -> Way {
    way.path.push(Step::Index(index));
    way.ty = ty;
    way.bits = None;
    way
}
