//! Builtins with a meaning of their own.

use super::body::Body;
use super::build::Way;
use super::expr::Value;
use crate::typed::{Builtin, Expr};
use parallax_base::{Id, Span};
use parallax_cfa::{Binary, Check, Halt, IntKind, Op, Primitive, ScalarType, Type};

impl Body<'_, '_> {
    /// Lowers a builtin; `None` if it has no value.
    pub(crate) fn builtin(
        &mut self,
        builtin: Builtin,
        arguments: &[Id<Expr>],
        ty: Id<Type>,
        span: Span,
    ) -> Option<Value> {
        match (builtin, arguments) {
            (Builtin::Unreachable, _) => {
                self.demand(Check::Unreachable, span);
                self.stop(Op::Halt(Halt::End), span);
                None
            }
            (Builtin::Trap, _) => {
                self.stop(Op::Halt(Halt::End), span);
                None
            }
            (Builtin::Alloca, [size, ..]) => {
                let size = self.rvalue(*size);
                let size = self.cx.build.convert(size, self.cx.build.size);
                let way = self.temporary(ty);
                self.primitive(Some(&way), Primitive::AllocateLocal, vec![size], span);
                Some(self.load(&way))
            }
            (Builtin::VaStart, [list, ..]) => {
                let list = self.va_list(*list);
                self.primitive(None, Primitive::VaStart, vec![list], span);
                None
            }
            (Builtin::VaEnd, [list, ..]) => {
                let list = self.va_list(*list);
                self.primitive(None, Primitive::VaEnd, vec![list], span);
                None
            }
            (Builtin::VaCopy, [to, from, ..]) => {
                let to = self.va_list(*to);
                let from = self.va_list(*from);
                self.primitive(None, Primitive::VaCopy, vec![to, from], span);
                None
            }
            (Builtin::ObjectSize, _) => {
                // Not known: the largest size for kinds 0 and 1, else 0.
                let kind = arguments.get(1).map(|kind| self.rvalue(*kind));
                let kind = kind.and_then(|kind| self.cx.build.as_int(kind)).unwrap_or(0);
                Some(self.cx.build.int(if kind & 2 == 0 { -1 } else { 0 }, ty))
            }
            (Builtin::AddOverflow, [a, b, p]) => {
                Some(self.checked(Binary::Add, (*a, *b, *p), ty, span))
            }
            (Builtin::SubOverflow, [a, b, p]) => {
                Some(self.checked(Binary::Sub, (*a, *b, *p), ty, span))
            }
            (Builtin::MulOverflow, [a, b, p]) => {
                Some(self.checked(Binary::Mul, (*a, *b, *p), ty, span))
            }
            (Builtin::Address, _) => {
                let way = self.arbitrary(ty, "address of a frame", span);
                Some(self.load(&way))
            }
            (Builtin::Fence, _) => {
                for argument in arguments {
                    self.effect(*argument);
                }
                None
            }
            (Builtin::FetchAnd(op), [p, v, ..]) => Some(self.fetch(op, (*p, *v), true, span)),
            (Builtin::AndFetch(op), [p, v, ..]) => Some(self.fetch(op, (*p, *v), false, span)),
            (Builtin::Exchange, [p, v, ..]) => {
                let (way, value) = self.cell(*p, *v, span);
                self.section(Primitive::AtomicBegin, span);
                let old = self.read(&way, span);
                let old = self.save(old, span);
                self.store(&way, value, false, span);
                self.section(Primitive::AtomicEnd, span);
                Some(old)
            }
            (Builtin::CompareAndSwapBool, [p, old, new, ..]) => {
                Some(self.compare_and_swap((*p, *old, *new), span).0)
            }
            (Builtin::CompareAndSwapValue, [p, old, new, ..]) => {
                Some(self.compare_and_swap((*p, *old, *new), span).1)
            }
            (Builtin::CompareExchange, [p, expected, new, ..]) => {
                Some(self.compare_exchange((*p, *expected, *new), span))
            }
            (Builtin::AtomicLoad, [p, ..]) => {
                let way = self.behind(*p);
                if !self.is_scalar(way.ty) {
                    self.unsupported("atomic access to a record", span);
                    return None;
                }
                let value = self.read(&way, span);
                Some(self.save(value, span))
            }
            (Builtin::AtomicStore, [p, v, ..]) => {
                let (way, value) = self.cell(*p, *v, span);
                self.store(&way, value, false, span);
                None
            }
            _ => {
                self.unsupported("builtin with arguments of this number", span);
                None
            }
        }
    }

    /// An operation on memory or arguments.
    pub(crate) fn primitive(
        &mut self,
        to: Option<&Way>,
        primitive: Primitive,
        arguments: Vec<Value>,
        span: Span,
    ) {
        let to = to.map(|way| self.place(way));
        self.emit(Op::Primitive { to, primitive, arguments }, span);
    }

    /// Begins or ends what is one step for other threads.
    pub(crate) fn section(&mut self, primitive: Primitive, span: Span) {
        if self.cx.threads {
            self.primitive(None, primitive, Vec::new(), span);
        }
    }

    /// What a pointer expression points to.
    fn behind(&mut self, pointer: Id<Expr>) -> Way {
        let of = self.cx.build.types.pointee(self.ty(pointer)).unwrap_or(self.cx.build.int);
        let value = self.rvalue(pointer);
        self.cx.build.pointee_way(value, of, false)
    }

    /// What a pointer points to, and a value for it.
    fn cell(&mut self, pointer: Id<Expr>, value: Id<Expr>, span: Span) -> (Way, Value) {
        let way = self.behind(pointer);
        let way = self.settle_way(way, self.cx.facts.effect(value), span);
        if !self.is_scalar(way.ty) || !self.is_scalar(self.ty(value)) {
            self.unsupported("atomic access to a record", span);
            let int = self.cx.build.int;
            let zero = self.cx.build.zero(int);
            return (self.temporary(int), zero);
        }
        let value = self.rvalue(value);
        let value = self.cx.build.convert(value, way.ty);
        (way, value)
    }

    fn fetch(&mut self, op: Binary, (p, v): (Id<Expr>, Id<Expr>), old: bool, span: Span) -> Value {
        let (way, value) = self.cell(p, v, span);
        self.section(Primitive::AtomicBegin, span);
        let before = self.read(&way, span);
        let before = self.save(before, span);
        // Atomic arithmetic wraps, and on pointers it counts bytes.
        let unsigned = match self.cx.build.scalar(way.ty) {
            ScalarType::Pointer { .. } => self.cx.build.size,
            ScalarType::Int { .. } => {
                let kind = self.cx.build.types.int_kind(way.ty).unwrap_or(IntKind::Int);
                let wide =
                    if self.cx.build.scalar(way.ty).bits() < 32 { IntKind::Int } else { kind };
                self.int_type(wide.to_unsigned())
            }
            _ => self.cx.build.int,
        };
        let (a, b) =
            (self.cx.build.convert(before, unsigned), self.cx.build.convert(value, unsigned));
        let after = self.cx.build.binary(op, a, b, unsigned);
        let after = self.cx.build.convert(after, way.ty);
        let after = self.save(after, span);
        self.store(&way, after, false, span);
        self.section(Primitive::AtomicEnd, span);
        if old { before } else { after }
    }

    /// Whether the values were equal, and the value found.
    fn compare_and_swap(
        &mut self,
        (p, old, new): (Id<Expr>, Id<Expr>, Id<Expr>),
        span: Span,
    ) -> (Value, Value) {
        let (way, old) = self.cell(p, old, span);
        let effect = self.cx.facts.effect(new);
        let way = self.settle_way(way, effect, span);
        let old = self.settle(old, effect, span);
        let new = self.rvalue(new);
        let new = self.cx.build.convert(new, way.ty);
        self.swap_if(&way, old, new, span)
    }

    fn swap_if(&mut self, way: &Way, old: Value, new: Value, span: Span) -> (Value, Value) {
        self.section(Primitive::AtomicBegin, span);
        let found = self.read(way, span);
        let found = self.save(found, span);
        let same = self.equal(found, old);
        let same = self.save(same, span);
        let (yes, no) = self.split(same, span);
        self.at(yes);
        self.store(way, new, false, span);
        let after = self.graph.join(self.graph.current, no, span);
        self.at(after);
        self.section(Primitive::AtomicEnd, span);
        (same, found)
    }

    fn equal(&mut self, a: Value, b: Value) -> Value {
        let int = self.cx.build.int;
        let small = self.cx.build.scalar(self.cx.build.exprs[a].ty).bits() < 32;
        let (a, b) = if small {
            (self.cx.build.convert(a, int), self.cx.build.convert(b, int))
        } else {
            (a, b)
        };
        self.cx.build.binary(Binary::Eq, a, b, int)
    }

    fn compare_exchange(
        &mut self,
        (p, expected, new): (Id<Expr>, Id<Expr>, Id<Expr>),
        span: Span,
    ) -> Value {
        let way = self.behind(p);
        let effect = self.cx.facts.effect(expected).and(self.cx.facts.effect(new));
        let way = self.settle_way(way, effect, span);
        let slot = self.behind(expected);
        let slot = self.settle_way(slot, self.cx.facts.effect(new), span);
        if !self.is_scalar(way.ty) || !self.is_scalar(slot.ty) {
            self.unsupported("atomic access to a record", span);
            return self.cx.build.zero(self.cx.build.int);
        }
        let new = self.rvalue(new);
        let new = self.cx.build.convert(new, way.ty);
        let old = self.read(&slot, span);
        let old = self.cx.build.convert(old, way.ty);
        let (same, found) = self.swap_if(&way, old, new, span);
        let (yes, no) = self.split(same, span);
        self.at(no);
        self.store(&slot, found, false, span);
        let after = self.graph.join(self.graph.current, yes, span);
        self.at(after);
        same
    }

    /// `__builtin_add_overflow` and its like: exact in 128 bits.
    fn checked(
        &mut self,
        op: Binary,
        (a, b, p): (Id<Expr>, Id<Expr>, Id<Expr>),
        ty: Id<Type>,
        span: Span,
    ) -> Value {
        let effects = self.cx.facts.effect(b).and(self.cx.facts.effect(p));
        let x = self.rvalue(a);
        let x = self.settle(x, effects, span);
        let y = self.rvalue(b);
        let y = self.settle(y, self.cx.facts.effect(p), span);
        let way = self.behind(p);
        let kinds = [self.cx.build.exprs[x].ty, self.cx.build.exprs[y].ty, way.ty]
            .map(|ty| self.cx.build.scalar(ty));
        if kinds.iter().any(|kind| kind.bits() > 64 || kind.is_float() || kind.is_pointer()) {
            self.unsupported("overflow builtin on 128 bits", span);
            return self.cx.build.zero(self.cx.build.int);
        }
        // Only a product of two unsigned words needs the sign bit.
        let unsigned = op == Binary::Mul && !kinds[0].is_signed() && !kinds[1].is_signed();
        let wide = self.int_type(if unsigned { IntKind::UInt128 } else { IntKind::Int128 });
        let (x, y) = (self.cx.build.convert(x, wide), self.cx.build.convert(y, wide));
        let exact = self.cx.build.binary(op, x, y, wide);
        let exact =
            if self.cx.build.constant(exact).is_some() { exact } else { self.save(exact, span) };
        let result = self.cx.build.convert(exact, way.ty);
        let back = self.cx.build.convert(result, wide);
        let int = self.cx.build.int;
        let fails = self.cx.build.binary(Binary::Ne, back, exact, int);
        self.store(&way, result, false, span);
        self.cx.build.coerce(fails, ty)
    }
}
