//! Scalar expressions.
//!
//! Long chains of one operator nest to the left and are walked by a loop.

use super::body::Body;
use crate::typed::{Expr, ExprKind, UnaryOp};
use parallax_base::{Id, Span};
use parallax_cfa::{Op, Primitive, Type, Unary};

/// A pure expression of the program form.
pub(crate) type Value = Id<parallax_cfa::Expr>;

impl Body<'_, '_> {
    /// The value of a scalar expression, after its effects.
    pub(crate) fn rvalue(&mut self, id: Id<Expr>) -> Value {
        if let Some(known) = self.ready.get(&id).cloned() {
            return match known {
                Some(way) => self.load(&way),
                None => self.no_scalar(self.ty(id), self.span(id)),
            };
        }
        let begun = self.begin(id);
        let value = self.scalar_value(id);
        self.end(begun);
        value
    }

    fn scalar_value(&mut self, id: Id<Expr>) -> Value {
        let expr = &self.typed.exprs[id];
        let (ty, span) = (expr.ty, expr.span);
        match &expr.kind {
            ExprKind::Int(value) => match self.cx.build.types.get(ty) {
                Type::Float(_) => {
                    let int = self.cx.build.int(*value, self.cx.build.int);
                    self.cx.build.convert(int, ty)
                }
                _ => self.cx.build.int(*value, ty),
            },
            ExprKind::Float(bits) => self.cx.build.node(parallax_cfa::ExprKind::Float(*bits), ty),
            ExprKind::Function(_) => self.designator(id, ty),
            ExprKind::Load(place) if !self.is_scalar(ty) => {
                // A value nobody can use; complex numbers come this way.
                self.way(*place);
                self.no_scalar(ty, span)
            }
            ExprKind::Load(place) => {
                let way = self.way(*place);
                self.read(&way, span)
            }
            ExprKind::Variable(_)
            | ExprKind::Deref(_)
            | ExprKind::Member { .. }
            | ExprKind::CompoundLiteral(..) => {
                let way = self.way(id);
                if self.is_scalar(ty) { self.read(&way, span) } else { self.no_scalar(ty, span) }
            }
            ExprKind::AddressOf(object) | ExprKind::Decay(object) => self.address(id, *object, ty),
            ExprKind::Unary(op, a) => self.unary(*op, *a, ty, span),
            ExprKind::Binary(..) => self.binary(id),
            ExprKind::Not(_) | ExprKind::And(..) | ExprKind::Or(..) => self.logical_value(id),
            ExprKind::PointerAdd(pointer, index) => self.pointer_add(*pointer, *index, false),
            ExprKind::PointerSub(pointer, index) => self.pointer_add(*pointer, *index, true),
            ExprKind::PointerDiff(left, right) => {
                let of = self.cx.build.types.pointee(self.ty(*left));
                let left = self.rvalue(*left);
                let left = self.settle(left, self.cx.facts.effect(*right), span);
                let right = self.rvalue(*right);
                let scale = self.scale(of);
                self.cx.build.pointer_diff(left, right, scale, ty)
            }
            ExprKind::Convert(a) => self.convert(*a, ty, span),
            ExprKind::Assign(..) | ExprKind::AssignOp { .. } | ExprKind::Increment { .. } => {
                match self.assignment(id, true) {
                    Some(value) => value,
                    None => self.no_scalar(ty, span),
                }
            }
            ExprKind::Comma(a, b) => {
                self.effect(*a);
                self.rvalue(*b)
            }
            ExprKind::Conditional(c, a, b) => self.conditional_value(*c, *a, *b, ty, span),
            ExprKind::Elvis(a, b) => self.elvis(*a, *b, ty, span),
            ExprKind::Call(callee, arguments) => {
                match self.call(id, *callee, arguments, None, true) {
                    Some(value) => value,
                    None => self.no_scalar(ty, span),
                }
            }
            ExprKind::Builtin(builtin, arguments) => {
                match self.builtin(*builtin, arguments, ty, span) {
                    Some(value) => value,
                    None => self.no_scalar(ty, span),
                }
            }
            ExprKind::VaArg(list) => {
                let way = self.temporary(ty);
                self.va_arg(*list, &way, span);
                self.load(&way)
            }
            ExprKind::StatementExpr(body) => {
                let way = self.is_scalar(ty).then(|| self.temporary(ty));
                self.statement_expr(*body, way.as_ref());
                match way {
                    Some(way) => self.load(&way),
                    None => self.no_scalar(ty, span),
                }
            }
            ExprKind::LabelAddress(label) => {
                let number = self.cx.label_numbers[label.index()];
                self.cx.build.int(i128::from(number), ty)
            }
            ExprKind::SizeOf(of) => {
                let size = self.size_of(*of);
                self.cx.build.coerce(size, ty)
            }
            ExprKind::Unsupported(text) => {
                self.unsupported(text.clone(), span);
                let ty = if self.is_scalar(ty) { ty } else { self.cx.build.int };
                let way = self.temporary(ty);
                self.load(&way)
            }
        }
    }

    /// Evaluates for the effects alone.
    pub(crate) fn effect(&mut self, id: Id<Expr>) {
        if self.ready.contains_key(&id) {
            return;
        }
        let begun = self.begin(id);
        self.effects(id);
        self.end(begun);
    }

    fn effects(&mut self, id: Id<Expr>) {
        let expr = &self.typed.exprs[id];
        match &expr.kind {
            ExprKind::Assign(..) | ExprKind::AssignOp { .. } | ExprKind::Increment { .. } => {
                self.assignment(id, false);
            }
            ExprKind::Call(callee, arguments) => {
                self.call(id, *callee, arguments, None, false);
            }
            ExprKind::Builtin(builtin, arguments) => {
                self.builtin(*builtin, arguments, expr.ty, expr.span);
            }
            ExprKind::Comma(a, b) => {
                self.effect(*a);
                self.effect(*b);
            }
            ExprKind::Convert(a) => self.effect(*a),
            ExprKind::Conditional(c, a, b) => {
                let (yes, no) = self.branch(*c);
                self.at(yes);
                self.effect(*a);
                let end = self.graph.current;
                self.at(no);
                self.effect(*b);
                let after = self.graph.join(end, self.graph.current, expr.span);
                self.at(after);
            }
            ExprKind::And(..) | ExprKind::Or(..) => {
                let (yes, no) = self.branch(id);
                let after = self.graph.join(yes, no, expr.span);
                self.at(after);
            }
            ExprKind::StatementExpr(body) => self.statement_expr(*body, None),
            ExprKind::Unsupported(text) => self.unsupported(text.clone(), expr.span),
            ExprKind::Load(place) => {
                let way = self.way(*place);
                if self.is_scalar(expr.ty) {
                    self.read(&way, expr.span);
                }
            }
            _ if self.is_scalar(expr.ty) => {
                self.rvalue(id);
            }
            ExprKind::Deref(_) | ExprKind::Variable(_) | ExprKind::Function(_) => {}
            ExprKind::Unary(_, a) | ExprKind::Decay(a) => self.effect(*a),
            ExprKind::Binary(_, a, b) => {
                self.effect(*a);
                self.effect(*b);
            }
            ExprKind::VaArg(list) => {
                let way = self.temporary(expr.ty);
                self.va_arg(*list, &way, expr.span);
            }
            _ => {
                self.way(id);
            }
        }
    }

    /// Whether values of a type are expressions.
    pub(crate) fn is_scalar(&self, ty: Id<Type>) -> bool {
        self.cx.build.is_scalar(ty)
    }

    /// Stands for a value where there is none.
    fn no_scalar(&mut self, ty: Id<Type>, span: Span) -> Value {
        if matches!(self.cx.build.types.get(ty), Type::Complex(_)) {
            self.unsupported("complex number", span);
        }
        self.cx.build.zero(self.cx.build.int)
    }

    fn address(&mut self, id: Id<Expr>, object: Id<Expr>, ty: Id<Type>) -> Value {
        if matches!(self.cx.build.types.get(self.ty(object)), Type::Function(_)) {
            return self.designator(object, ty);
        }
        if matches!(self.typed.exprs[id].kind, ExprKind::Decay(_)) {
            return self.decay(object, ty);
        }
        let way = self.way(object);
        self.cx.build.address(&way, ty)
    }

    /// The pointer to what a function designator names.
    pub(crate) fn designator(&mut self, id: Id<Expr>, ty: Id<Type>) -> Value {
        match &self.typed.exprs[id].kind {
            ExprKind::Function(function) => {
                self.opaque_function(*function, self.span(id));
                let function = self.cx.function(*function);
                self.cx.build.function(function, ty)
            }
            ExprKind::Deref(pointer) => {
                let value = self.rvalue(*pointer);
                self.cx.build.convert(value, ty)
            }
            _ => {
                let value = self.rvalue(id);
                self.cx.build.convert(value, ty)
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, a: Id<Expr>, ty: Id<Type>, span: Span) -> Value {
        if !self.is_scalar(self.ty(a)) {
            self.effect(a);
            return self.no_scalar(self.ty(a), span);
        }
        let value = self.rvalue(a);
        match op {
            UnaryOp::Neg => self.negation(value, ty, span),
            UnaryOp::BitNot => self.cx.build.unary(Unary::BitNot, value, ty),
            UnaryOp::Float(function) => self.cx.build.unary(Unary::Float(function), value, ty),
            UnaryOp::Bits(function) => self.cx.build.unary(Unary::Bits(function), value, ty),
        }
    }

    fn binary(&mut self, id: Id<Expr>) -> Value {
        let mut spine = Vec::new();
        let mut first = id;
        while let ExprKind::Binary(op, left, right) = self.typed.exprs[first].kind {
            spine.push((first, op, right));
            first = left;
        }
        let mut value = self.rvalue(first);
        for (id, op, right) in spine.into_iter().rev() {
            let (ty, span) = (self.ty(id), self.span(id));
            value = self.settle(value, self.cx.facts.effect(right), span);
            let right = self.rvalue(right);
            value = self.combine(op, value, right, ty, span);
        }
        value
    }

    /// The size of what a pointer points to.
    pub(crate) fn scale(&mut self, pointee: Option<Id<Type>>) -> Value {
        match pointee {
            Some(ty) => self.size_of(ty),
            None => self.cx.build.int(1, self.cx.build.size),
        }
    }

    fn pointer_add(&mut self, pointer: Id<Expr>, index: Id<Expr>, negative: bool) -> Value {
        let span = self.span(pointer);
        let of = self.cx.build.types.pointee(self.ty(pointer));
        let base = self.rvalue(pointer);
        let base = self.settle(base, self.cx.facts.effect(index), span);
        let mut index = self.rvalue(index);
        if negative {
            index = self.cx.build.opposite(index);
        }
        let scale = self.scale(of);
        self.cx.build.pointer_add(base, index, scale)
    }

    fn convert(&mut self, a: Id<Expr>, ty: Id<Type>, span: Span) -> Value {
        if !self.is_scalar(ty) {
            self.effect(a);
            return self.no_scalar(ty, span);
        }
        if !self.is_scalar(self.ty(a)) {
            let from = self.ty(a);
            self.effect(a);
            self.no_scalar(from, span);
            let way = self.temporary(ty);
            return self.load(&way);
        }
        let value = self.rvalue(a);
        self.conversion(value, ty, span)
    }

    /// Reads the next argument of a list into a place.
    pub(crate) fn va_arg(&mut self, list: Id<Expr>, to: &super::build::Way, span: Span) {
        let list = self.va_list(list);
        let to = Some(self.place(to));
        self.emit(Op::Primitive { to, primitive: Primitive::VaArg, arguments: vec![list] }, span);
    }

    /// The pointer to an argument list, which is given as a list or a pointer.
    pub(crate) fn va_list(&mut self, id: Id<Expr>) -> Value {
        let expr = &self.typed.exprs[id];
        if self.is_scalar(expr.ty) {
            return self.rvalue(id);
        }
        let object = match &expr.kind {
            ExprKind::Load(object) => *object,
            _ => id,
        };
        let way = self.way(object);
        let ty = self.cx.build.types.pointer(way.ty);
        self.cx.build.address(&way, ty)
    }
}
