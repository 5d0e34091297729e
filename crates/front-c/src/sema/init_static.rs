//! Initializers of static objects, whose values must be constant, and compound
//! literals.

use super::{Checked, Checker, Ty, Value};
use crate::ast::{self, Initializer, Name, TypeName};
use crate::typed::{Expr, ExprKind, Init, InitItem, InitStep, Storage};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::Record;

impl<'a> Checker<'a> {
    /// The initial value of a static object: numbers folded, addresses kept.
    pub(super) fn static_initializer(
        &mut self,
        ty: Ty,
        init: &'a Initializer,
    ) -> Checked<(Ty, Init)> {
        let (ty, mut init) = self.initializer(ty, init)?;
        self.fold_items(&mut init)?;
        Ok((ty, init))
    }

    fn fold_items(&mut self, init: &mut Init) -> Checked<()> {
        let mut result = Ok(());
        let mut items = Vec::with_capacity(init.items.len());
        for item in std::mem::take(&mut init.items) {
            let ty = Ty::plain(self.out.exprs[item.value].ty);
            let value = Value { id: item.value, ty };
            let is_number =
                matches!(self.out.exprs[item.value].kind, ExprKind::Int(_) | ExprKind::Float(_));
            if is_number || self.is_string(value.id) {
                items.push(item);
            } else if self.scalar_constant(value).is_some() {
                items.push(InitItem { value: self.folded(value).id, path: item.path });
            } else if let Some(inner) = self.constant_object(value.id) {
                // A constant record: its own items, below this one's way.
                items.extend(inner.items.into_iter().map(|below| InitItem {
                    path: item.path.iter().copied().chain(below.path).collect(),
                    value: below.value,
                }));
            } else if self.is_static_address(value.id) {
                items.push(item);
            } else {
                let span = self.span(value);
                let message = "the initial value of a static object is not constant";
                let error = Diagnostic::error("C1604", span, message);
                result = Err(self.error(error.label("its value is known only at run time")));
            }
        }
        init.items = items;
        result
    }

    fn is_string(&self, id: Id<Expr>) -> bool {
        match self.out.exprs[id].kind {
            ExprKind::Load(inner) => match self.out.exprs[inner].kind {
                ExprKind::Variable(variable) => self.out.variables[variable].is_literal,
                _ => false,
            },
            _ => false,
        }
    }

    /// The value of a constant object that is read: a compound literal, or a
    /// `const` variable whose value is known.
    fn constant_object(&mut self, id: Id<Expr>) -> Option<Init> {
        let (place, converted) = match self.out.exprs[id].kind {
            ExprKind::Load(place) => (place, false),
            ExprKind::Convert(inner) => match self.out.exprs[inner].kind {
                ExprKind::Load(place) => (place, true),
                _ => return None,
            },
            _ => return None,
        };
        let mut init = match &self.out.exprs[place].kind {
            ExprKind::CompoundLiteral(_, init) => (**init).clone(),
            ExprKind::Variable(variable) => {
                let variable = &self.out.variables[*variable];
                match variable.storage {
                    Storage::Static => variable.init.clone()?,
                    _ => return None,
                }
            }
            _ => return None,
        };
        self.fold_items(&mut init).ok()?;
        if converted {
            let target = self.out.exprs[id].ty;
            for item in &mut init.items {
                let ty = Ty::plain(self.out.exprs[item.value].ty);
                let converted = self.convert(Value { id: item.value, ty }, target);
                item.value = self.folded(converted).id;
            }
        }
        Some(init)
    }

    /// Whether an expression is the address of something static, plus a constant.
    pub(super) fn is_static_address(&self, id: Id<Expr>) -> bool {
        let mut id = id;
        loop {
            let expr = &self.out.exprs[id];
            id = match &expr.kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::LabelAddress(_) => return true,
                ExprKind::Unsupported(_) => return true,
                ExprKind::AddressOf(inner) | ExprKind::Decay(inner) => {
                    return self.is_static_place(*inner);
                }
                ExprKind::Convert(inner) => *inner,
                ExprKind::PointerAdd(pointer, index) | ExprKind::PointerSub(pointer, index) => {
                    if !self.is_known(*index) {
                        return false;
                    }
                    *pointer
                }
                ExprKind::PointerDiff(left, right) => {
                    return self.is_static_address(*left) && self.is_static_address(*right);
                }
                ExprKind::Binary(_, left, right) => {
                    return self.is_static_address(*left) && self.is_static_address(*right);
                }
                ExprKind::Unary(_, inner) => *inner,
                ExprKind::Conditional(condition, yes, no) => {
                    match self.constant_truth(*condition) {
                        Some(true) => *yes,
                        Some(false) => *no,
                        None => return false,
                    }
                }
                ExprKind::Not(inner) => *inner,
                ExprKind::And(left, right) | ExprKind::Or(left, right) => {
                    return self.is_static_address(*left) && self.is_static_address(*right);
                }
                _ => return self.is_known(id),
            };
        }
    }

    fn is_known(&self, id: Id<Expr>) -> bool {
        let ty = Ty::plain(self.out.exprs[id].ty);
        self.scalar_constant(Value { id, ty }).is_some()
    }

    fn is_static_place(&self, id: Id<Expr>) -> bool {
        let mut id = id;
        loop {
            id = match &self.out.exprs[id].kind {
                ExprKind::Function(_) => return true,
                ExprKind::Variable(variable) => {
                    let storage = self.out.variables[*variable].storage;
                    return matches!(storage, Storage::Static | Storage::External);
                }
                ExprKind::CompoundLiteral(variable, _) => {
                    return self.out.variables[*variable].storage == Storage::Static;
                }
                ExprKind::Member { record, .. } => *record,
                ExprKind::Deref(pointer) => return self.is_static_address(*pointer),
                _ => return false,
            };
        }
    }

    /// `(type) { ... }`. Outside of functions it is a static object.
    pub(super) fn compound_literal(
        &mut self,
        name: &'a TypeName,
        items: &'a [ast::InitItem],
        span: Span,
    ) -> Checked<Value> {
        let (ty, before) = self.type_name_in_expr(name)?;
        let (ty, mut init) = self.initialized_from(ty, items, span)?;
        if !self.is_complete(ty.id) {
            let found = self.display(ty);
            let message = format!("`{found}` is an incomplete type");
            return Err(self.error(Diagnostic::error("C1101", span, message)));
        }
        let is_static = self.body.is_none();
        let unnamed = Name { text: "".into(), span };
        let storage = if is_static { Storage::Static } else { Storage::Local };
        let variable = self.new_variable(&unnamed, ty, storage, ty.align);
        if is_static {
            self.fold_items(&mut init)?;
            self.out.variables[variable].init = Some(init.clone());
        }
        let kind = ExprKind::CompoundLiteral(variable, Box::new(init));
        let value = self.make(kind, ty.id, span);
        if before.is_empty() {
            return Ok(Value { ty, ..value });
        }
        let value = self.rvalue(value)?;
        Ok(self.after(before, value, span))
    }

    /// A union made from a value of one of its members (GNU cast).
    pub(super) fn cast_to_union(
        &mut self,
        value: Value,
        to: Ty,
        record: Id<Record>,
        span: Span,
    ) -> Checked<Value> {
        let members = self.types().records[record].members.clone();
        let is_union = self.types().records[record].is_union;
        let fitting = members.iter().position(|m| self.compatible(m.ty, value.ty.id));
        match fitting {
            Some(member) if is_union => Ok(self.union_of(value, to, record, member as u32, span)),
            _ => Err(self.cannot_convert(value, to, "the cast", span)),
        }
    }

    /// An argument for a `transparent_union` parameter.
    pub(super) fn transparent_union(
        &mut self,
        value: Value,
        to: Ty,
        record: Id<Record>,
    ) -> Checked<Value> {
        let span = self.span(value);
        let members = self.types().records[record].members.clone();
        let pointer = self.is_pointer(value.ty.id) || self.is_null_constant(value);
        let fitting = members
            .iter()
            .position(|m| self.compatible(m.ty, value.ty.id))
            .or_else(|| members.iter().position(|m| pointer && self.is_pointer(m.ty)));
        let Some(member) = fitting else {
            return Err(self.cannot_convert(value, to, "the argument", span));
        };
        let value = self.convert(value, members[member].ty);
        Ok(self.union_of(value, to, record, member as u32, span))
    }

    fn union_of(
        &mut self,
        value: Value,
        to: Ty,
        record: Id<Record>,
        member: u32,
        span: Span,
    ) -> Value {
        let unnamed = Name { text: "".into(), span };
        let storage = if self.body.is_none() { Storage::Static } else { Storage::Local };
        let variable = self.new_variable(&unnamed, Ty::plain(to.id), storage, None);
        let path = vec![InitStep::Member(record, member)];
        let items = vec![InitItem { path, value: value.id }];
        let init = Init { items, size: None, zero_rest: true };
        let kind = ExprKind::CompoundLiteral(variable, Box::new(init));
        let place = self.make(kind, to.id, span);
        self.make(ExprKind::Load(place.id), to.id, span)
    }
}
