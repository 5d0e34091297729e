//! Structures, unions and enumerations.

use super::scope::{Symbol, Tag};
use super::{Checked, Checker, Reported, Ty};
use crate::ast::{MemberDeclaration, MemberDeclarator, Name, Specifier};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{ArrayLength, Enumeration, Field, IntKind, Record, RecordOptions, Type};
use rustc_hash::FxHashMap;
use std::sync::Arc;

impl<'a> Checker<'a> {
    /// The record a specifier names or defines.
    pub(super) fn record(&mut self, specifier: &'a Specifier, alone: bool) -> Checked<Id<Record>> {
        let Specifier::Record { is_union, name, members, attributes, span } = specifier else {
            return Err(Reported);
        };
        let record =
            self.record_tag(*is_union, name.as_ref(), members.is_some() || alone, *span)?;
        let Some(members) = members else { return Ok(record) };
        if self.types().records[record].is_complete {
            let shown = name.as_ref().map_or("", |n| &n.text);
            let message = format!("`{shown}` is defined twice");
            let error = Diagnostic::error("C1405", *span, message);
            let first = self.types().records[record].span;
            return Err(self.error(error.also(first, "first defined here")));
        }
        self.out.types.records[record].span = *span;
        let attributes = self.attributes(attributes);
        if attributes.transparent_union {
            self.transparent.insert(record);
        }
        let options = RecordOptions {
            packed: attributes.packed,
            align: attributes.align,
            pack: attributes.pack,
        };
        let fields = self.fields(members, *is_union)?;
        if self.out.types.lay_out(record, fields, options).is_none() {
            let error = Diagnostic::error("C1403", *span, "the structure is too large");
            return Err(self.error(error));
        }
        Ok(record)
    }

    fn record_tag(
        &mut self,
        is_union: bool,
        name: Option<&Name>,
        here: bool,
        span: Span,
    ) -> Checked<Id<Record>> {
        let known = name.and_then(|name| match here {
            true => self.scopes.tags.get_here(&name.text).map(|(tag, _)| *tag),
            false => self.scopes.tags.get(&name.text).copied(),
        });
        match known {
            Some(Tag::Record(record)) if self.types().records[record].is_union == is_union => {
                return Ok(record);
            }
            Some(_) => {
                let shown = name.map_or("", |n| &n.text);
                let message = format!("`{shown}` is another kind of tag");
                return Err(self.error(Diagnostic::error("C1406", span, message)));
            }
            None => {}
        }
        let record = self.new_record(name.map(|name| Arc::clone(&name.text)), is_union, span);
        if let Some(name) = name {
            self.scopes.tags.insert(Arc::clone(&name.text), name.span, Tag::Record(record));
        }
        Ok(record)
    }

    fn fields(&mut self, members: &'a [MemberDeclaration], is_union: bool) -> Checked<Vec<Field>> {
        let mut fields = Vec::new();
        let mut names = FxHashMap::default();
        let mut failed = false;
        for (at, member) in members.iter().enumerate() {
            let last = at + 1 == members.len() || is_union;
            match member {
                MemberDeclaration::StaticAssert(assert) => self.static_assert(assert),
                MemberDeclaration::Members { specifiers, declarators } => {
                    let Ok(base) = self.specifiers(specifiers, false) else {
                        failed = true;
                        continue;
                    };
                    let mut common = self.attributes(&specifiers.attributes);
                    common.align = common.align.max(self.align_as(specifiers));
                    if declarators.is_empty() {
                        // `struct tag { ... };` inside declares nothing here.
                        if self.is_anonymous(base) {
                            let ty = base;
                            fields.push(field(None, ty, None, common.packed, common.align));
                        }
                        continue;
                    }
                    for (i, declarator) in declarators.iter().enumerate() {
                        let last = last && i + 1 == declarators.len();
                        match self.field(base, declarator, common, last, &mut names) {
                            Ok(field) => fields.push(field),
                            Err(Reported) => failed = true,
                        }
                    }
                }
            }
        }
        if failed { Err(Reported) } else { Ok(fields) }
    }

    /// Whether a member without a name is an anonymous record whose members
    /// count as members of the outer one.
    fn is_anonymous(&self, ty: Ty) -> bool {
        match self.ty(ty.id) {
            Type::Record(r) => self.types().records[*r].name.is_none(),
            _ => false,
        }
    }

    fn field(
        &mut self,
        base: Ty,
        member: &'a MemberDeclarator,
        common: super::attribute::Attributes,
        last: bool,
        names: &mut FxHashMap<Arc<str>, Span>,
    ) -> Checked<Field> {
        let mut attributes = common.join(self.attributes(&member.attributes));
        let mut ty = base;
        let mut name = None;
        let mut span = Span::default();
        if let Some(declarator) = &member.declarator {
            attributes = attributes.join(self.attributes(&declarator.attributes));
            ty = self.declarator(base, declarator, false)?;
            span = declarator.span;
            if let Some(own) = &declarator.name {
                if let Some(first) = names.insert(Arc::clone(&own.text), own.span) {
                    let message = format!("the member `{}` is declared twice", own.text);
                    let error = Diagnostic::error("C1407", own.span, message);
                    return Err(self.error(error.also(first, "first declared here")));
                }
                name = Some(Arc::clone(&own.text));
            }
        }
        ty = self.apply_mode(ty, &attributes);
        if let Some(width) = member.width {
            let width = self.bit_field_width(ty, width, name.is_some())?;
            return Ok(field(name, ty, Some(width), attributes.packed, attributes.align));
        }
        let flexible =
            last && matches!(self.ty(ty.id), Type::Array { length: ArrayLength::Unknown, .. });
        let dynamic = self.is_variable_length(ty.id);
        if dynamic || (!flexible && !self.is_complete(ty.id)) {
            let found = self.display(ty);
            let message = match dynamic {
                true => "a member cannot have a length that is known only at run time".to_owned(),
                false => format!("a member cannot have the incomplete type `{found}`"),
            };
            return Err(self.error(Diagnostic::error("C1408", span, message)));
        }
        Ok(field(name, ty, None, attributes.packed, attributes.align))
    }

    fn bit_field_width(
        &mut self,
        ty: Ty,
        width: Id<crate::ast::Expr>,
        named: bool,
    ) -> Checked<u32> {
        let span = self.unit.exprs[width].span;
        let value = self.constant_expression(width, "the width of a bit-field")?;
        let Some(kind) = self.types().int_kind(ty.id) else {
            let found = self.display(ty);
            let message = format!("a bit-field cannot have type `{found}`");
            return Err(self.error(Diagnostic::error("C1409", span, message)));
        };
        let most = u64::from(kind.width(self.model()));
        let width = self.require_range(value, most, span, "the width of a bit-field")?;
        if width == 0 && named {
            let error = Diagnostic::error("C1410", span, "a bit-field with a name needs a width");
            return Err(self.error(error));
        }
        Ok(width as u32)
    }

    /// The enumeration a specifier names or defines.
    pub(super) fn enumeration(&mut self, specifier: &'a Specifier, alone: bool) -> Checked<Ty> {
        let Specifier::Enum { name, constants, attributes, span } = specifier else {
            return Err(Reported);
        };
        let here = constants.is_some() || alone;
        let known = name.as_ref().and_then(|name| match here {
            true => self.scopes.tags.get_here(&name.text).map(|(tag, _)| *tag),
            false => self.scopes.tags.get(&name.text).copied(),
        });
        let id = match known {
            Some(Tag::Enum(id, complete)) if !(complete && constants.is_some()) => id,
            Some(_) => {
                let shown = name.as_ref().map_or("", |n| &n.text);
                let message = format!("`{shown}` is defined already");
                return Err(self.error(Diagnostic::error("C1405", *span, message)));
            }
            None => self.out.types.enumerations.push(Enumeration {
                name: name.as_ref().map(|name| Arc::clone(&name.text)),
                underlying: IntKind::UInt,
                constants: Vec::new(),
                span: *span,
            }),
        };
        if let Some(name) = name {
            let tag = Tag::Enum(id, constants.is_some());
            self.scopes.tags.insert(Arc::clone(&name.text), name.span, tag);
        }
        let ty = self.out.types.intern(Type::Enum(id));
        if let Some(constants) = constants {
            let packed = self.attributes(attributes).packed;
            self.enumerators(id, ty, constants, packed);
        }
        Ok(Ty::plain(ty))
    }

    fn enumerators(
        &mut self,
        id: Id<Enumeration>,
        ty: Id<Type>,
        constants: &'a [(Name, Option<Id<crate::ast::Expr>>)],
        packed: bool,
    ) {
        let mut next = 0i128;
        let mut all: Vec<(Arc<str>, i128)> = Vec::with_capacity(constants.len());
        for (name, value) in constants {
            let value = match value {
                None => Ok(next),
                Some(value) => self.constant_expression(*value, "the value of an enumerator"),
            };
            if let Some((_, first)) = self.scopes.symbols.get_here(&name.text) {
                let message = format!("`{}` is declared twice", name.text);
                let error = Diagnostic::error("C1411", name.span, message);
                self.error(error.also(first, "first declared here"));
            }
            let symbol = match value {
                Err(Reported) => Symbol::Poisoned,
                Ok(value) => {
                    next = value.wrapping_add(1);
                    all.push((Arc::clone(&name.text), value));
                    // While the list is open, a constant has a type that fits it.
                    let kind = self.enumerator_kind(value);
                    Symbol::Constant(value, self.out.types.int(kind))
                }
            };
            self.scopes.symbols.insert(Arc::clone(&name.text), name.span, symbol);
        }
        let low = all.iter().map(|(_, v)| *v).min().unwrap_or(0);
        let high = all.iter().map(|(_, v)| *v).max().unwrap_or(0);
        self.out.types.enumerations[id].underlying = self.underlying(low, high, packed);
        for ((name, value), (at, _)) in all.iter().zip(constants) {
            if i32::try_from(*value).is_err() {
                let symbol = Symbol::Constant(*value, ty);
                self.scopes.symbols.insert(Arc::clone(name), at.span, symbol);
            }
        }
        self.out.types.enumerations[id].constants = all;
    }

    fn enumerator_kind(&self, value: i128) -> IntKind {
        use IntKind::{Int, Long, LongLong, UInt, ULong, ULongLong};
        let model = self.model();
        [Int, UInt, Long, ULong, LongLong]
            .into_iter()
            .find(|kind| kind.wrap(value, model) == value)
            .unwrap_or(ULongLong)
    }

    /// The smallest type from `int` on that holds all constants; unsigned if
    /// none is negative.
    fn underlying(&self, low: i128, high: i128, packed: bool) -> IntKind {
        use IntKind::{Int, Long, LongLong, SChar, Short};
        let model = self.model();
        let narrow = if packed { 0 } else { 2 };
        let kinds = [SChar, Short, Int, Long, LongLong];
        let fitting = kinds.into_iter().skip(narrow).find_map(|kind| {
            let kind = if low < 0 { kind } else { kind.to_unsigned() };
            (kind.wrap(low, model) == low && kind.wrap(high, model) == high).then_some(kind)
        });
        fitting.unwrap_or(LongLong)
    }
}

fn field(
    name: Option<Arc<str>>,
    ty: Ty,
    width: Option<u32>,
    packed: bool,
    align: Option<u64>,
) -> Field {
    Field { name, ty: ty.id, qualifiers: ty.qualifiers, width, packed, align, type_align: ty.align }
}
