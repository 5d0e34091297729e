//! Expressions and places.

use super::Validator;
use crate::{Base, Binary, Expr, ExprKind, Place, ScalarType, Step, Type, Unary};
use parallax_base::Id;

impl Validator<'_> {
    /// The type of an expression as arithmetic sees it.
    pub(super) fn scalar(&self, id: Id<Expr>) -> Option<ScalarType> {
        self.program.types.scalar(self.program.exprs[id].ty)
    }

    pub(super) fn same(&mut self, a: Id<Type>, b: Id<Type>, what: &str) {
        let types = &self.program.types;
        let (x, y) = (types.scalar(a), types.scalar(b));
        let fits = if x.is_none() && y.is_none() { a == b } else { x == y };
        self.demand(fits, format_args!("{what}: types {a:?} and {b:?} differ"));
    }

    /// Whether an expression has the same value in every state.
    pub(super) fn is_constant(&self, id: Id<Expr>) -> bool {
        let mut open = vec![id];
        while let Some(id) = open.pop() {
            match &self.program.exprs[id].kind {
                ExprKind::Load(_) | ExprKind::ObjectSize(_) => return false,
                ExprKind::Address(place) => {
                    let place = &self.program.places[*place];
                    if let Base::Pointer(pointer) = place.base {
                        open.push(pointer);
                    }
                    open.extend(place.path.iter().filter_map(|step| match step {
                        Step::Index(index) => Some(*index),
                        Step::Member(..) => None,
                    }));
                }
                kind => open.extend(children(kind)),
            }
        }
        true
    }

    pub(super) fn exprs(&mut self) {
        for (id, expr) in self.program.exprs.iter_enumerated() {
            self.at = format!("expression {id:?}");
            if children(&expr.kind).any(|child| child >= id) {
                self.flaw("a child that is not older");
                continue;
            }
            let Some(own) = self.program.types.scalar(expr.ty) else {
                self.flaw("its type is no scalar type");
                continue;
            };
            self.expr(expr, own);
        }
    }

    fn expr(&mut self, expr: &Expr, own: ScalarType) {
        let int = own == ScalarType::INT;
        match &expr.kind {
            ExprKind::Int(value) => {
                let kept = crate::arith::wrap(own, *value as u128) == *value as u128;
                self.demand(!own.is_float() && kept, "a constant out of range");
            }
            ExprKind::Float(_) => self.demand(own.is_float(), "a float of another type"),
            ExprKind::Load(place) => match self.program.places.get(*place) {
                Some(place) => self.same(place.ty, expr.ty, "load"),
                None => self.flaw("place out of range"),
            },
            ExprKind::Address(place) => match self.program.places.get(*place) {
                Some(place) => {
                    self.demand(own.is_pointer(), "an address that is no pointer");
                    self.demand(place.bits.is_none(), "the address of a bit-field");
                }
                None => self.flaw("place out of range"),
            },
            ExprKind::Function(function) => {
                let known = self.program.functions.get(*function).is_some();
                self.demand(known && own.is_pointer(), "a function out of range");
            }
            ExprKind::Unary(op, a) => {
                let of = self.scalar(*a);
                let fits = match op {
                    Unary::Not => int,
                    Unary::Neg => of == Some(own) && !own.is_pointer(),
                    Unary::BitNot => of == Some(own) && matches!(own, ScalarType::Int { .. }),
                    Unary::Float(_) => of.is_some_and(ScalarType::is_float),
                    Unary::Bits(_) => of.is_some_and(|of| !of.is_float() && !of.is_pointer()),
                };
                let result = of.map(|of| crate::arith::unary_result(*op, of));
                self.demand(fits && result == Some(own), "an operand of the wrong type");
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, (*a, *b), own),
            ExprKind::Convert(_) => {}
            ExprKind::PointerAdd { pointer, index, scale } => {
                let wide = self.scalar(*index).map(ScalarType::bits);
                let fits = self.scalar(*pointer) == Some(own) && own.is_pointer();
                self.demand(fits, "pointer arithmetic on no pointer");
                self.demand(wide == Some(own.bits()), "an index of another width");
                self.size(*scale);
            }
            ExprKind::PointerDiff { left, right, scale } => {
                let pointer = |id| self.scalar(id).is_some_and(ScalarType::is_pointer);
                self.demand(pointer(*left) && pointer(*right), "a difference of no pointers");
                self.size(*scale);
            }
            ExprKind::Conditional(_, a, b) => {
                let fits = self.scalar(*a) == Some(own) && self.scalar(*b) == Some(own);
                self.demand(fits, "branches of other types");
            }
            ExprKind::ObjectSize(a) => {
                let pointer = self.scalar(*a).is_some_and(ScalarType::is_pointer);
                self.demand(pointer, "the size of no object");
            }
        }
    }

    fn binary(&mut self, op: Binary, (a, b): (Id<Expr>, Id<Expr>), own: ScalarType) {
        let (a, b) = (self.scalar(a), self.scalar(b));
        let shift = matches!(op, Binary::Shl | Binary::Shr);
        if !shift {
            self.demand(a == b, format_args!("operands of different types: {a:?}, {b:?}"));
        }
        if op.is_comparison() {
            self.demand(own == ScalarType::INT, "a comparison that is no `int`");
        } else {
            self.demand(a == Some(own), "a result of another type");
            self.demand(!own.is_pointer(), "arithmetic on pointers");
        }
    }

    /// A size in bytes.
    pub(super) fn size(&mut self, id: Id<Expr>) {
        let fits = matches!(self.scalar(id), Some(ScalarType::Int { .. }));
        self.demand(fits, "a size that is no integer");
    }

    pub(super) fn places(&mut self) {
        for (id, place) in self.program.places.iter_enumerated() {
            self.at = format!("place {id:?}");
            match self.walk(place) {
                Ok((ty, bits)) => {
                    if bits != place.bits {
                        self.flaw("another bit-field than its path leads to");
                    }
                    self.same(ty, place.ty, "its path");
                }
                Err(text) => self.flaw(text),
            }
        }
    }

    fn walk(&self, place: &Place) -> Result<(Id<Type>, Option<crate::BitField>), &'static str> {
        let program = self.program;
        let mut ty = match place.base {
            Base::Variable(v) => program.variables.get(v).ok_or("variable out of range")?.ty,
            Base::Pointer(p) => {
                let pointer = program.exprs.get(p).ok_or("pointer out of range")?;
                program.types.pointee(pointer.ty).ok_or("behind no pointer")?
            }
        };
        let mut bits = None;
        for step in &place.path {
            match *step {
                Step::Member(record, member) => {
                    if *program.types.get(ty) != Type::Record(record) {
                        return Err("a member of another record");
                    }
                    let members = &program.types.records[record].members;
                    let member = members.get(member as usize).ok_or("member out of range")?;
                    (ty, bits) = (member.ty, member.bits);
                }
                Step::Index(index) => {
                    program.exprs.get(index).ok_or("index out of range")?;
                    if !matches!(self.scalar(index), Some(ScalarType::Int { .. })) {
                        return Err("an index that is no integer");
                    }
                    let Type::Array { of, .. } = program.types.get(ty) else {
                        return Err("an element of no array");
                    };
                    (ty, bits) = (*of, None);
                }
            }
        }
        Ok((ty, bits))
    }
}

/// The operands of an expression.
fn children(kind: &ExprKind) -> impl Iterator<Item = Id<Expr>> {
    let (a, b, c) = match *kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Load(_)
        | ExprKind::Address(_)
        | ExprKind::Function(_) => (None, None, None),
        ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectSize(a) => {
            (Some(a), None, None)
        }
        ExprKind::Binary(_, a, b) => (Some(a), Some(b), None),
        ExprKind::PointerAdd { pointer: a, index: b, scale: c }
        | ExprKind::PointerDiff { left: a, right: b, scale: c }
        | ExprKind::Conditional(a, b, c) => (Some(a), Some(b), Some(c)),
    };
    [a, b, c].into_iter().flatten()
}
