//! Indexing and members.

use super::suggest::closest;
use super::{Checked, Checker, Ty, Value};
use crate::ast;
use crate::typed::ExprKind;
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{Record, Type};

impl Checker<'_> {
    /// `a[b]`, either of which may be the pointer.
    pub(super) fn index(&mut self, base: Value, index: Value, span: Span) -> Checked<Value> {
        let base = self.rvalue(base)?;
        let (pointer, index) = match self.is_pointer(base.ty.id) {
            true => (base, index),
            false => (index, base),
        };
        if !self.is_pointer(pointer.ty.id) || !self.is_integer(index.ty.id) {
            let (a, b) = (self.display(pointer.ty), self.display(index.ty));
            let message = match self.is_pointer(pointer.ty.id) {
                true => format!("an index must be an integer, not `{b}`"),
                false => format!("neither `{a}` nor `{b}` can be indexed"),
            };
            return Err(self.error(Diagnostic::error("C1309", span, message)));
        }
        let element = self.pointer_step(pointer, index, 1, span)?;
        self.deref(element, span)
    }

    /// `p->m`.
    pub(super) fn arrow(&mut self, pointer: Value, name: &ast::Name, span: Span) -> Checked<Value> {
        let pointer = self.rvalue(pointer)?;
        let to = self.types().pointee(pointer.ty.id);
        if !to.is_some_and(|to| self.is_record(to)) {
            let found = self.display(pointer.ty);
            let message = format!("`->` needs a pointer to a structure, not `{found}`");
            let mut error = Diagnostic::error("C1310", span, message);
            if self.is_record(pointer.ty.id) {
                error = error.help(format!("write `.{}`", name.text));
            }
            return Err(self.error(error));
        }
        let record = self.deref(pointer, span)?;
        self.member(record, name, span)
    }

    /// `s.m`, through anonymous members as well.
    pub(super) fn member(&mut self, record: Value, name: &ast::Name, span: Span) -> Checked<Value> {
        let Type::Record(of) = *self.ty(record.ty.id) else {
            let found = self.display(record.ty);
            let message = format!("`.` needs a structure or union, not `{found}`");
            let mut error = Diagnostic::error("C1311", span, message);
            let target = self.types().pointee(record.ty.id);
            if target.is_some_and(|to| self.is_record(to)) {
                error = error.help(format!("write `->{}`", name.text));
            }
            return Err(self.error(error));
        };
        let path = self.find_member(of, name, record.ty)?;
        let mut value = record;
        for (of, member) in path {
            value = self.select(value, of, member, span);
        }
        Ok(value)
    }

    /// One step into a record.
    pub(super) fn select(
        &mut self,
        record: Value,
        of: Id<Record>,
        member: u32,
        span: Span,
    ) -> Value {
        let found = &self.types().records[of].members[member as usize];
        let (ty, bits, mut qualifiers) = (found.ty, found.bits, found.qualifiers);
        qualifiers.is_const |= record.ty.qualifiers.is_const;
        qualifiers.is_volatile |= record.ty.qualifiers.is_volatile;
        let (volatile, atomic) = (qualifiers.is_volatile, qualifiers.is_atomic);
        let kind = ExprKind::Member { record: record.id, of, member, bits, volatile, atomic };
        let value = self.make(kind, ty, span);
        Value { ty: Ty { id: ty, qualifiers, align: None }, ..value }
    }

    /// The way to a member by name.
    pub(super) fn find_member(
        &mut self,
        of: Id<Record>,
        name: &ast::Name,
        ty: Ty,
    ) -> Checked<Vec<(Id<Record>, u32)>> {
        if !self.types().records[of].is_complete {
            let found = self.display(ty);
            let message = format!("`{found}` is declared but not defined");
            let error = Diagnostic::error("C1101", name.span, message);
            let at = self.types().records[of].span;
            return Err(self.error(error.also(at, "declared here")));
        }
        if let Some(path) = self.member_path(of, &name.text) {
            return Ok(path);
        }
        let found = self.display(ty);
        let message = format!("`{found}` has no member `{}`", name.text);
        let mut error = Diagnostic::error("C1312", name.span, message).label("unknown member");
        let members = &self.types().records[of].members;
        let close = closest(&name.text, members.iter().filter_map(|m| m.name.as_deref()));
        error.help = close.map(|close| format!("did you mean `{close}`?"));
        Err(self.error(error))
    }

    /// Searches the members of a record, then those of anonymous records in it.
    pub(super) fn member_path(&self, of: Id<Record>, name: &str) -> Option<Vec<(Id<Record>, u32)>> {
        let records = &self.types().records;
        let here = records[of].members.iter().position(|m| m.name.as_deref() == Some(name));
        if let Some(position) = here {
            return Some(vec![(of, position as u32)]);
        }
        for (position, member) in records[of].members.iter().enumerate() {
            if let (None, None, Type::Record(inner)) =
                (&member.name, member.bits, self.ty(member.ty))
                && let Some(mut path) = self.member_path(*inner, name)
            {
                path.insert(0, (of, position as u32));
                return Some(path);
            }
        }
        None
    }
}
