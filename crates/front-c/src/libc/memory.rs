//! Allocation and bytes.

use super::{Outcome, Request};
use crate::lower::{Body, Way};
use parallax_base::{Id, Span};
use parallax_cfa::{Binary, Check, Expr, ExprKind, IntKind, Op, Primitive, Type};

/// The number of a lack of memory.
const ENOMEM: i128 = 12;

impl Body<'_, '_> {
    fn as_size(&mut self, value: Id<Expr>) -> Id<Expr> {
        let size = self.cx.build.size;
        self.cx.build.convert(value, size)
    }

    /// A place for the resulting pointer.
    fn pointer_target(&mut self, request: &Request<'_>) -> Way {
        match request.to {
            Some(way) => way.clone(),
            None if self.cx.build.scalar(request.ty).is_pointer() => self.temporary(request.ty),
            None => {
                let void = self.cx.build.types.intern(Type::Void);
                let pointer = self.cx.build.types.pointer(void);
                self.temporary(pointer)
            }
        }
    }

    fn pointer_outcome(&mut self, request: &Request<'_>, way: &Way) -> Outcome {
        match request.to {
            Some(_) => Outcome::Stored,
            None => {
                let value = self.load(way);
                let value = if self.is_scalar(request.ty) {
                    self.cx.build.convert(value, request.ty)
                } else {
                    value
                };
                Outcome::Value(Some(value))
            }
        }
    }

    /// `malloc`; the size is one of the arguments.
    pub(super) fn allocate(&mut self, request: &Request<'_>, index: usize) -> Outcome {
        let Some(size) = request.argument(index) else { return Outcome::Value(None) };
        let size = self.as_size(size);
        let way = self.pointer_target(request);
        self.allocate_into(&way, size, None, request.span);
        self.pointer_outcome(request, &way)
    }

    /// A new heap object, set to a byte if one is given; or null.
    fn allocate_into(&mut self, way: &Way, size: Id<Expr>, fill: Option<Id<Expr>>, span: Span) {
        let mut failed = None;
        if self.cx.options.malloc_may_fail {
            let int = self.cx.build.int;
            let choice = self.arbitrary(int, "whether `malloc` fails", span);
            let choice = self.load(&choice);
            let (yes, no) = self.split(choice, span);
            self.at(yes);
            let null = self.cx.build.zero(way.ty);
            self.set(way, null, span);
            let number = self.number(ENOMEM);
            self.set_errno(number, span);
            failed = self.graph.current;
            self.at(no);
        }
        let size = if self.cx.build.constant(size).is_some() {
            size
        } else {
            self.saved_size(size, fill, span)
        };
        self.primitive(Some(way), Primitive::Allocate, vec![size], span);
        if let Some(byte) = fill {
            let pointer = self.load(way);
            self.primitive(None, Primitive::SetBytes, vec![pointer, byte, size], span);
        }
        let after = self.graph.join(failed, self.graph.current, span);
        self.at(after);
    }

    /// The size is used twice if the object is filled.
    fn saved_size(&mut self, size: Id<Expr>, fill: Option<Id<Expr>>, span: Span) -> Id<Expr> {
        if fill.is_some() { self.save(size, span) } else { size }
    }

    /// `calloc`: null if the size overflows.
    pub(super) fn allocate_zero(&mut self, request: &Request<'_>) -> Outcome {
        let (Some(count), Some(each)) = (request.argument(0), request.argument(1)) else {
            return Outcome::Value(None);
        };
        let span = request.span;
        let (count, each) = (self.as_size(count), self.as_size(each));
        let way = self.pointer_target(request);
        let size = self.cx.build.size_product(count, each);
        let zero = self.number(0);
        let most = self.cx.build.type_range(self.cx.build.size).map_or(0, |range| range.1);
        let product = match (self.cx.build.range(count), self.cx.build.range(each)) {
            (Some(a), Some(b)) => a.1.checked_mul(b.1),
            _ => None,
        };
        if product.is_some_and(|product| product <= most) {
            self.allocate_into(&way, size, Some(zero), span);
        } else {
            let wide = self.int_type(IntKind::UInt128);
            let (a, b) = (self.cx.build.convert(count, wide), self.cx.build.convert(each, wide));
            let exact = self.cx.build.binary(Binary::Mul, a, b, wide);
            let limit = self.cx.build.int(most, wide);
            let int = self.cx.build.int;
            let fits = self.cx.build.binary(Binary::Le, exact, limit, int);
            let (yes, no) = self.split(fits, span);
            self.at(no);
            let null = self.cx.build.zero(way.ty);
            self.set(&way, null, span);
            let number = self.number(ENOMEM);
            self.set_errno(number, span);
            let failed = self.graph.current;
            self.at(yes);
            self.allocate_into(&way, size, Some(zero), span);
            let after = self.graph.join(failed, self.graph.current, span);
            self.at(after);
        }
        self.pointer_outcome(request, &way)
    }

    /// `alloca` as a declared function.
    pub(super) fn allocate_local(&mut self, request: &Request<'_>) -> Outcome {
        let Some(size) = request.argument(0) else { return Outcome::Value(None) };
        let size = self.as_size(size);
        let way = self.pointer_target(request);
        self.primitive(Some(&way), Primitive::AllocateLocal, vec![size], request.span);
        self.pointer_outcome(request, &way)
    }

    /// `free`.
    pub(super) fn free(&mut self, request: &Request<'_>) {
        let Some(pointer) = request.argument(0) else { return };
        if self.cx.build.as_int(pointer) == Some(0) {
            return;
        }
        self.demand(Check::Free(pointer), request.span);
        self.primitive(None, Primitive::Free, vec![pointer], request.span);
    }

    /// There are as many bytes.
    pub(super) fn demand_bytes(
        &mut self,
        pointer: Id<Expr>,
        size: Id<Expr>,
        write: bool,
        span: Span,
    ) {
        self.demand(Check::AccessBytes { pointer, size, write }, span);
        self.announce_bytes(pointer, size, write, span);
    }

    /// The typed object behind an untyped pointer, if it has this size.
    fn object(&mut self, mut pointer: Id<Expr>, size: Id<Expr>) -> Option<Way> {
        loop {
            let expr = self.cx.build.exprs[pointer].clone();
            let of = self.cx.build.types.pointee(expr.ty)?;
            if let Type::Record(_) = self.cx.build.types.get(of) {
                let bytes = self.cx.build.types.size_of(of).map(i128::from);
                let exact = bytes.is_some() && bytes == self.cx.build.as_int(size);
                return exact.then(|| self.cx.build.pointee_way(pointer, of, false));
            }
            let ExprKind::Convert(inner) = expr.kind else { return None };
            pointer = inner;
        }
    }

    /// `memcpy` and its like. Whole records are copied as such.
    pub(super) fn copy_bytes(
        &mut self,
        request: &Request<'_>,
        to: usize,
        from: usize,
        end: bool,
    ) -> Outcome {
        let (Some(mut to), Some(from), Some(size)) =
            (request.argument(to), request.argument(from), request.argument(2))
        else {
            return Outcome::Value(None);
        };
        let span = request.span;
        let mut size = self.as_size(size);
        if request.wanted || request.to.is_some() {
            to = self.settle(to, crate::lower::MEMORY, span);
            size = self.settle(size, crate::lower::MEMORY, span);
        }
        let objects = (self.object(to, size), self.object(from, size));
        match objects {
            (Some(target), Some(source)) if target.ty == source.ty => {
                self.guard(&source, false, span);
                self.copy(&target, &source, span);
            }
            _ if self.cx.build.as_int(size) == Some(0) => {}
            _ => {
                self.demand_bytes(from, size, false, span);
                self.demand_bytes(to, size, true, span);
                self.primitive(None, Primitive::CopyBytes, vec![to, from, size], span);
            }
        }
        if !end {
            return Outcome::Value(Some(to));
        }
        let char = self.int_type(IntKind::Char);
        let bytes = self.cx.build.types.pointer(char);
        let start = self.cx.build.convert(to, bytes);
        let one = self.cx.build.int(1, self.cx.build.size);
        Outcome::Value(Some(self.cx.build.pointer_add(start, size, one)))
    }

    /// `memset`; the size is one of the arguments. Whole records set to zero are
    /// copied from a static object.
    pub(super) fn set_bytes(
        &mut self,
        request: &Request<'_>,
        byte: Option<Id<Expr>>,
        size: usize,
    ) -> Outcome {
        let (Some(mut to), Some(byte), Some(size)) =
            (request.argument(0), byte, request.argument(size))
        else {
            return Outcome::Value(None);
        };
        let span = request.span;
        let size = self.as_size(size);
        if request.wanted || request.to.is_some() {
            to = self.settle(to, crate::lower::MEMORY, span);
        }
        if self.cx.build.as_int(size) == Some(0) {
            return Outcome::Value(Some(to));
        }
        if let (Some(0), Some(object)) = (self.cx.build.as_int(byte), self.object(to, size)) {
            let zeros = self.zeros(object.ty, span);
            self.copy(&object, &zeros, span);
            return Outcome::Value(Some(to));
        }
        let byte = self.cx.build.convert(byte, self.cx.build.int);
        self.demand_bytes(to, size, true, span);
        self.primitive(None, Primitive::SetBytes, vec![to, byte, size], span);
        Outcome::Value(Some(to))
    }

    /// Arbitrary bytes, for a model of the library.
    pub(super) fn havoc_bytes(&mut self, request: &Request<'_>) -> Outcome {
        let (Some(to), Some(size)) = (request.argument(0), request.argument(1)) else {
            return Outcome::Value(None);
        };
        let size = self.as_size(size);
        self.overwrite_bytes(to, size, request.span);
        Outcome::Value(None)
    }

    /// Arbitrary bytes at a pointer, checked.
    pub(super) fn overwrite_bytes(&mut self, to: Id<Expr>, size: Id<Expr>, span: Span) {
        if self.cx.build.as_int(size) != Some(0) {
            self.demand_bytes(to, size, true, span);
            self.primitive(None, Primitive::HavocBytes, vec![to, size], span);
        }
    }

    /// The size of the object behind a pointer, for a model of the library.
    pub(super) fn object_size(&mut self, request: &Request<'_>) -> Outcome {
        let Some(pointer) = request.argument(0) else { return Outcome::Value(None) };
        let size = self.cx.build.size;
        Outcome::Value(Some(self.cx.build.node(ExprKind::ObjectSize(pointer), size)))
    }

    /// Overwrites what a pointer points to with an arbitrary value.
    pub(super) fn overwrite_target(&mut self, pointer: Id<Expr>, why: &str, span: Span) -> bool {
        let ty = self.cx.build.exprs[pointer].ty;
        let Some(of) = self.cx.build.types.pointee(ty) else { return false };
        if !self.is_scalar(of) {
            return false;
        }
        let way = self.cx.build.pointee_way(pointer, of, false);
        self.guard(&way, true, span);
        let to = self.place(&way);
        self.emit(Op::Havoc { to, why: why.into() }, span);
        true
    }
}
