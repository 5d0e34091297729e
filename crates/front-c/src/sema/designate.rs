//! Designators of initializers, and what a list leaves unwritten.

use super::init::Level;
use super::{Checked, Checker, Reported, Ty};
use crate::ast::{self, Designator};
use crate::typed::{InitItem, InitStep};
use parallax_base::{Diagnostic, Id};
use parallax_cfa::{ArrayLength, Record, Type};
use rustc_hash::FxHashSet;

impl<'a> Checker<'a> {
    /// Unwinds to the object of the braces and goes to the designated part.
    pub(super) fn designate(
        &mut self,
        designators: &'a [Designator],
        levels: &mut Vec<Level>,
    ) -> Checked<()> {
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

    /// Whether items that do not overlap write every byte of an object.
    pub(super) fn is_covered(&self, ty: Id<Type>, items: &[InitItem]) -> bool {
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
    pub(super) fn flexible_size(&self, ty: Id<Type>, items: &[InitItem]) -> Option<u64> {
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
}

/// Drops items whose part is written again later as a whole.
pub(super) fn drop_overridden(items: &mut Vec<InitItem>) {
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
