//! Initializers: braces, designators and the rules for leaving braces out.
//!
//! The list is read from left to right with a stack of *levels*: the object of
//! the braces at the bottom, and above it the parts whose own braces were left
//! out. A value goes to the next part of the topmost level; a designator
//! unwinds to the bottom.

use super::{Checked, Checker, Reported, Ty, Value};
use crate::ast::{self, Designator, ExprKind as Ast, Initializer};
use crate::typed::{ExprKind, Init, InitItem, InitStep};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{ArrayLength, IntKind, Record, Type};
use rustc_hash::FxHashSet;

/// An object whose parts are being filled.
struct Level {
    ty: Id<Type>,
    path: Vec<InitStep>,
    next: u64,
    /// How many parts there are; `u64::MAX` if not known.
    count: u64,
    /// Whether the way leads to a range of elements, which is the only part.
    is_range: bool,
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
        let zero_rest = sink.designated || !self.is_covered(ty.id, &items);
        let size = self.flexible_size(ty.id, &items);
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

    /// Whether items that do not overlap write every byte of an object.
    fn is_covered(&self, ty: Id<Type>, items: &[InitItem]) -> bool {
        let mut written = 0u64;
        for item in items {
            if let Some(InitStep::Member(record, member)) = item.path.last()
                && self.types().records[*record].members[*member as usize].bits.is_some()
            {
                return false;
            }
            let value = self.out.exprs[item.value].ty;
            // A string may be longer than the part it fills.
            if matches!(self.ty(value), Type::Array { .. }) && !item.path.is_empty() {
                return false;
            }
            let size = self.types().size_of(value);
            written = written.saturating_add(size.unwrap_or(0));
        }
        self.types().size_of(ty).is_some_and(|size| written >= size)
    }

    /// How many bytes a structure has whose flexible array member got values.
    fn flexible_size(&self, ty: Id<Type>, items: &[InitItem]) -> Option<u64> {
        let Type::Record(record) = *self.ty(ty) else { return None };
        let record = &self.types().records[record];
        let last = record.members.last()?;
        let Type::Array { of, length: ArrayLength::Unknown } = *self.ty(last.ty) else {
            return None;
        };
        let position = record.members.len() as u32 - 1;
        let mut count = 0;
        for item in items {
            count = count.max(match item.path.as_slice() {
                [InitStep::Member(_, at), InitStep::Element(n), ..] if *at == position => n + 1,
                [InitStep::Member(_, at), InitStep::Elements(_, n), ..] if *at == position => n + 1,
                [InitStep::Member(_, at)] if *at == position => {
                    match self.ty(self.out.exprs[item.value].ty) {
                        Type::Array { length: ArrayLength::Fixed(n), .. } => *n,
                        _ => 0,
                    }
                }
                _ => 0,
            });
        }
        let end = last.offset.checked_add(self.types().size_of(of)?.checked_mul(count)?)?;
        (end > record.size).then_some(end)
    }

    fn level(&self, ty: Id<Type>, path: Vec<InitStep>) -> Level {
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
    fn part(&self, level: &Level) -> Option<(Ty, Vec<InitStep>)> {
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
    fn advance(&self, level: &mut Level) {
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

    /// Unwinds to the object of the braces and goes to the designated part.
    fn designate(&mut self, designators: &'a [Designator], levels: &mut Vec<Level>) -> Checked<()> {
        levels.truncate(1);
        for (position, designator) in designators.iter().enumerate() {
            if position > 0 {
                let Some(top) = levels.last_mut() else { return Err(Reported) };
                let part = self.part(top);
                self.advance(top);
                let (ty, path) = part.ok_or(Reported)?;
                levels.push(self.level(ty.id, path));
            }
            let Some(ty) = levels.last().map(|level| level.ty) else { return Err(Reported) };
            match (designator, self.ty(ty).clone()) {
                (Designator::Member(name), Type::Record(record)) => {
                    self.go_to_member(record, name, levels)?;
                }
                (Designator::Index(index), Type::Array { .. }) => {
                    let at = self.designated_index(*index, levels)?;
                    if let Some(top) = levels.last_mut() {
                        top.next = at;
                    }
                }
                (Designator::Range(first, last), Type::Array { of, .. }) => {
                    let first = self.designated_index(*first, levels)?;
                    let last = self.designated_index(*last, levels)?;
                    self.go_to_range(of, first, last, levels);
                }
                (Designator::Member(name), _) => {
                    let found = self.display_id(ty);
                    let message = format!("`{found}` has no member `{}`", name.text);
                    return Err(self.error(Diagnostic::error("C1603", name.span, message)));
                }
                (Designator::Index(at) | Designator::Range(at, _), _) => {
                    let found = self.display_id(ty);
                    let span = self.unit.exprs[*at].span;
                    let message = format!("`{found}` has no elements");
                    return Err(self.error(Diagnostic::error("C1603", span, message)));
                }
            }
        }
        Ok(())
    }

    fn go_to_member(
        &mut self,
        record: Id<Record>,
        name: &ast::Name,
        levels: &mut Vec<Level>,
    ) -> Checked<()> {
        let ty = self.out.types.intern(Type::Record(record));
        let way = self.find_member(record, name, Ty::plain(ty))?;
        for (step, (_, member)) in way.into_iter().enumerate() {
            if step > 0 {
                let Some(top) = levels.last_mut() else { return Err(Reported) };
                let part = self.part(top);
                self.advance(top);
                let (ty, path) = part.ok_or(Reported)?;
                levels.push(self.level(ty.id, path));
            }
            if let Some(top) = levels.last_mut() {
                top.next = u64::from(member);
            }
        }
        Ok(())
    }

    fn designated_index(&mut self, index: Id<ast::Expr>, levels: &[Level]) -> Checked<u64> {
        let span = self.unit.exprs[index].span;
        let value = self.constant_expression(index, "an index")?;
        let count = levels.last().map_or(0, |level| level.count);
        let most = if count == u64::MAX { 1 << 40 } else { count.saturating_sub(1) };
        if count == 0 {
            let error = Diagnostic::error("C1004", span, "an index is too large");
            return Err(self.error(error.label("the array has no elements")));
        }
        self.require_range(value, most, span, "an index")
    }

    /// A range is a part of its own: the level above it holds what follows.
    fn go_to_range(&mut self, of: Id<Type>, first: u64, last: u64, levels: &mut Vec<Level>) {
        let Some(top) = levels.last_mut() else { return };
        top.next = last.max(first).saturating_add(1);
        let length = ArrayLength::Fixed(1);
        let ty = self.out.types.intern(Type::Array { of, length });
        let mut path = top.path.clone();
        path.push(InitStep::Elements(first, last));
        levels.push(Level { ty, path, next: 0, count: 1, is_range: true });
    }
}

/// Drops items whose part is written again later as a whole.
fn drop_overridden(items: &mut Vec<InitItem>) {
    let mut written: FxHashSet<Vec<InitStep>> = FxHashSet::default();
    let mut kept: Vec<InitItem> = Vec::with_capacity(items.len());
    while let Some(item) = items.pop() {
        let hidden = (0..=item.path.len()).any(|n| written.contains(&item.path[..n]));
        if !hidden {
            written.insert(item.path.clone());
            kept.push(item);
        }
    }
    kept.reverse();
    *items = kept;
}
