//! Initializers: braces, designators and the rules for leaving braces out.
//!
//! The list is read from left to right with a stack of *levels*: the object of
//! the braces at the bottom, and above it the parts whose own braces were left
//! out. A value goes to the next part of the topmost level; a designator
//! unwinds to the bottom.

use super::designate::drop_overridden;
use super::{Checked, Checker, Reported, Ty, Value};
use crate::ast::{self, ExprKind as Ast, Initializer};
use crate::typed::{ExprKind, Init, InitItem, InitStep};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{ArrayLength, IntKind, Type};

/// An object whose parts are being filled.
pub(super) struct Level {
    pub(super) ty: Id<Type>,
    pub(super) path: Vec<InitStep>,
    pub(super) next: u64,
    /// How many parts there are; `u64::MAX` if not known.
    pub(super) count: u64,
    /// Whether the way leads to a range of elements, which is the only part.
    pub(super) is_range: bool,
}

/// What a list fills.
#[derive(Default)]
struct Sink {
    items: Vec<InitItem>,
    designated: bool,
}

impl<'a> Checker<'a> {
    /// The initial value of an object, and its type with the length that the
    /// value says.
    pub(super) fn initializer(&mut self, ty: Ty, init: &'a Initializer) -> Checked<(Ty, Init)> {
        if self.is_variable_length(ty.id) {
            let span = match init {
                Initializer::Expr(expr) => self.unit.exprs[*expr].span,
                Initializer::List(_, span) => *span,
            };
            if let Initializer::List(items, _) = init
                && items.is_empty()
            {
                return Ok((ty, Init { items: vec![], size: None, zero_rest: true }));
            }
            let message = "an array of run-time length cannot have an initializer";
            return Err(self.error(Diagnostic::error("C1601", span, message)));
        }
        match init {
            Initializer::Expr(expr) => self.whole(ty, *expr),
            Initializer::List(items, span) => self.initialized_from(ty, items, *span),
        }
    }

    /// `= { ... }`.
    pub(super) fn initialized_from(
        &mut self,
        ty: Ty,
        items: &'a [ast::InitItem],
        span: Span,
    ) -> Checked<(Ty, Init)> {
        let mut sink = Sink::default();
        let length = self.list(ty, items, span, Vec::new(), &mut sink)?;
        let ty = self.with_length(ty, length);
        let mut items = sink.items;
        if sink.designated {
            drop_overridden(&mut items);
        }
        let size = self.flexible_size(ty.id, &items);
        let zero_rest = sink.designated || size.is_some() || !self.is_covered(ty.id, &items);
        Ok((ty, Init { items, size, zero_rest }))
    }

    /// `= expr`.
    fn whole(&mut self, ty: Ty, expr: Id<ast::Expr>) -> Checked<(Ty, Init)> {
        let item = |value: Value, zero_rest| Init {
            items: vec![InitItem { path: Vec::new(), value: value.id }],
            size: None,
            zero_rest,
        };
        let value = self.expr(expr)?;
        if matches!(self.ty(ty.id), Type::Array { .. }) {
            if let Some((value, count)) = self.string_for(ty.id, value) {
                let ty = self.with_length(ty, count);
                let whole = matches!(
                    self.ty(ty.id),
                    Type::Array { length: ArrayLength::Fixed(n), .. } if *n <= count
                );
                return Ok((ty, item(value, !whole)));
            }
            // GNU C: an array may be copied from a compound literal.
            if let ExprKind::CompoundLiteral(_, init) = &self.out.exprs[value.id].kind
                && self.compatible(ty.id, value.ty.id)
            {
                let init = (**init).clone();
                return Ok((Ty { id: value.ty.id, ..ty }, init));
            }
            let span = self.span(value);
            let error = Diagnostic::error("C1602", span, "an array needs a list of values");
            return Err(self.error(error.help("put the values in braces")));
        }
        let value = self.rvalue(value)?;
        let value = self.assign(value, ty, "the initialization")?;
        Ok((ty, item(value, false)))
    }

    fn with_length(&mut self, ty: Ty, count: u64) -> Ty {
        match *self.ty(ty.id) {
            Type::Array { of, length: ArrayLength::Unknown } => {
                let length = ArrayLength::Fixed(count);
                Ty { id: self.out.types.intern(Type::Array { of, length }), ..ty }
            }
            _ => ty,
        }
    }

    /// If the value is a string that fits the array's elements: the string read
    /// as a whole, and how many elements it has.
    fn string_for(&mut self, array: Id<Type>, value: Value) -> Option<(Value, u64)> {
        let ExprKind::Variable(variable) = self.out.exprs[value.id].kind else { return None };
        if !self.out.variables[variable].is_literal {
            return None;
        }
        let Type::Array { of, .. } = *self.ty(array) else { return None };
        let Type::Array { of: unit, length: ArrayLength::Fixed(count) } = *self.ty(value.ty.id)
        else {
            return None;
        };
        let (a, b) = (self.types().int_kind(of)?, self.types().int_kind(unit)?);
        let same = a.size(self.model()) == b.size(self.model()) && a != IntKind::Bool;
        let span = self.span(value);
        same.then(|| (self.make(ExprKind::Load(value.id), value.ty.id, span), count))
    }

    /// Fills an object from a list; how many elements it has if it is an array.
    fn list(
        &mut self,
        ty: Ty,
        items: &'a [ast::InitItem],
        span: Span,
        path: Vec<InitStep>,
        sink: &mut Sink,
    ) -> Checked<u64> {
        if !matches!(self.ty(ty.id), Type::Array { .. } | Type::Record(_)) {
            return self.scalar_list(ty, items, span, path, sink);
        }
        if let Type::Record(record) = self.ty(ty.id)
            && !self.types().records[*record].is_complete
        {
            let found = self.display(ty);
            let message = format!("`{found}` is an incomplete type");
            return Err(self.error(Diagnostic::error("C1101", span, message)));
        }
        // `char a[] = { "text" }`.
        if let [ast::InitItem { designators, value: Initializer::Expr(expr) }] = items
            && designators.is_empty()
            && matches!(self.unit.exprs[*expr].kind, Ast::Str(..))
            && matches!(self.ty(ty.id), Type::Array { .. })
        {
            let value = self.expr(*expr)?;
            if let Some((value, count)) = self.string_for(ty.id, value) {
                sink.items.push(InitItem { path, value: value.id });
                return Ok(count);
            }
        }
        let mut levels = vec![self.level(ty.id, path)];
        let mut longest = 0;
        let mut result = Ok(());
        let mut excess = false;
        for item in items {
            if !item.designators.is_empty() {
                sink.designated = true;
                if self.designate(&item.designators, &mut levels).is_err() {
                    result = Err(Reported);
                    continue;
                }
            } else if !self.rewind(&mut levels) {
                if !excess {
                    let span = self.item_span(item, span);
                    self.warn("C1904", span, "more values than parts to initialize");
                }
                excess = true;
                if let Initializer::Expr(expr) = item.value {
                    let _ = self.expr(expr);
                }
                continue;
            }
            if self.fill(&item.value, &mut levels, sink).is_err() {
                result = Err(Reported);
            }
            longest = longest.max(levels[0].next);
        }
        result.map(|()| longest)
    }

    fn item_span(&self, item: &ast::InitItem, span: Span) -> Span {
        match &item.value {
            Initializer::Expr(expr) => self.unit.exprs[*expr].span,
            Initializer::List(_, inner) => {
                if inner.hi > 0 {
                    *inner
                } else {
                    span
                }
            }
        }
    }

    /// `int x = { 1 }`.
    fn scalar_list(
        &mut self,
        ty: Ty,
        items: &'a [ast::InitItem],
        span: Span,
        path: Vec<InitStep>,
        sink: &mut Sink,
    ) -> Checked<u64> {
        let Some(first) = items.first() else {
            let value = self.integer(0, self.basic.int, span);
            let value = self.assign(value, ty, "the initialization")?;
            sink.items.push(InitItem { path, value: value.id });
            return Ok(1);
        };
        if items.len() > 1 {
            self.warn("C1904", span, "more values than parts to initialize");
        }
        match &first.value {
            Initializer::Expr(expr) => {
                let value = self.rvalue_expr(*expr)?;
                let value = self.assign(value, ty, "the initialization")?;
                sink.items.push(InitItem { path, value: value.id });
                Ok(1)
            }
            Initializer::List(inner, span) => self.scalar_list(ty, inner, *span, path, sink),
        }
    }

    pub(super) fn level(&self, ty: Id<Type>, path: Vec<InitStep>) -> Level {
        let count = match self.ty(ty) {
            Type::Array { length: ArrayLength::Fixed(n), .. } => *n,
            Type::Array { .. } => u64::MAX,
            Type::Record(r) => self.types().records[*r].members.len() as u64,
            _ => 0,
        };
        Level { ty, path, next: 0, count, is_range: false }
    }

    /// Drops levels that are full. False if all of them are.
    fn rewind(&mut self, levels: &mut Vec<Level>) -> bool {
        while let Some(top) = levels.last_mut() {
            // Unnamed bit-fields take no values.
            if let Type::Record(r) = self.out.types.get(top.ty) {
                let members = &self.out.types.records[*r].members;
                let unnamed = |at: u64| {
                    members.get(at as usize).is_some_and(|m| m.name.is_none() && m.bits.is_some())
                };
                while unnamed(top.next) {
                    top.next += 1;
                }
            }
            if top.next < top.count {
                return true;
            }
            if levels.len() == 1 {
                return false;
            }
            levels.pop();
        }
        false
    }

    /// The part that comes next: its type and the way to it.
    pub(super) fn part(&self, level: &Level) -> Option<(Ty, Vec<InitStep>)> {
        let mut path = level.path.clone();
        match self.ty(level.ty) {
            Type::Array { of, .. } if level.is_range => Some((Ty::plain(*of), path)),
            Type::Array { of, .. } => {
                path.push(InitStep::Element(level.next));
                Some((Ty::plain(*of), path))
            }
            Type::Record(r) => {
                let member = self.types().records[*r].members.get(level.next as usize)?;
                path.push(InitStep::Member(*r, level.next as u32));
                Some((Ty::plain(member.ty), path))
            }
            _ => None,
        }
    }

    /// The part of the topmost level is taken.
    pub(super) fn advance(&self, level: &mut Level) {
        let is_union = match self.ty(level.ty) {
            Type::Record(r) => self.types().records[*r].is_union,
            _ => false,
        };
        level.next = if is_union { level.count } else { level.next + 1 };
    }

    /// Stores one value at the next part, going into parts without braces.
    fn fill(
        &mut self,
        value: &'a Initializer,
        levels: &mut Vec<Level>,
        sink: &mut Sink,
    ) -> Checked<()> {
        let expr = match value {
            Initializer::List(items, span) => {
                let Some(top) = levels.last_mut() else { return Err(Reported) };
                let part = self.part(top);
                self.advance(top);
                let (ty, path) = part.ok_or(Reported)?;
                self.list(ty, items, *span, path, sink)?;
                return Ok(());
            }
            Initializer::Expr(expr) => *expr,
        };
        let value = self.expr(expr);
        loop {
            let Some(top) = levels.last_mut() else { return Err(Reported) };
            let part = self.part(top);
            self.advance(top);
            let (ty, path) = part.ok_or(Reported)?;
            let value = value?;
            match self.ty(ty.id) {
                Type::Array { .. } => {
                    if let Some((string, _)) = self.string_for(ty.id, value) {
                        sink.items.push(InitItem { path, value: string.id });
                        return Ok(());
                    }
                }
                Type::Record(_) => {
                    if self.compatible(ty.id, value.ty.id) {
                        let value = self.rvalue(value)?;
                        sink.items.push(InitItem { path, value: value.id });
                        return Ok(());
                    }
                }
                _ => {
                    let value = self.rvalue(value)?;
                    let value = self.assign(value, ty, "the initialization")?;
                    sink.items.push(InitItem { path, value: value.id });
                    return Ok(());
                }
            }
            let level = self.level(ty.id, path);
            if level.count == 0 {
                // A part without parts takes no value; the next one does.
                if !self.rewind(levels) {
                    return Ok(());
                }
                continue;
            }
            levels.push(level);
            self.rewind(levels);
        }
    }
}
