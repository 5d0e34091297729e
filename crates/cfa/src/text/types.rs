//! Types as C declares them.

use super::Printer;
use crate::{ArrayLength, FloatKind, IntKind, Type};
use parallax_base::Id;
use std::borrow::Cow;

impl Printer<'_> {
    /// Wraps a type around what was declared so far, from the inside out.
    pub(super) fn declarator(&self, id: Id<Type>, name: String, depth: u32) -> String {
        /// Types nested deeper than this are not written out.
        const DEPTH: u32 = 40;
        let types = &self.program.types;
        let (mut id, mut inner, mut after_pointer) = (id, name, false);
        let plain = loop {
            if inner.len() > self.limit {
                return inner;
            }
            let parenthesized = |inner: String| match after_pointer {
                true => format!("({inner})"),
                false => inner,
            };
            match types.get(id) {
                Type::Pointer { to, .. } => {
                    inner = format!("*{inner}");
                    (id, after_pointer) = (*to, true);
                }
                Type::Array { of, length } => {
                    let length = match length {
                        ArrayLength::Fixed(n) => n.to_string(),
                        ArrayLength::Unknown => String::new(),
                        ArrayLength::Variable(_) => String::from("*"),
                    };
                    inner = format!("{}[{length}]", parenthesized(inner));
                    (id, after_pointer) = (*of, false);
                }
                Type::Function(f) => {
                    let mut list: Vec<String> = match depth < DEPTH {
                        true => f.parameters.iter().map(|&p| self.deeper(p, depth)).collect(),
                        false => vec!["…".into()],
                    };
                    if f.variadic {
                        list.push("...".into());
                    } else if list.is_empty() && f.prototyped {
                        list.push("void".into());
                    }
                    inner = format!("{}({})", parenthesized(inner), list.join(", "));
                    (id, after_pointer) = (f.result, false);
                }
                Type::Void => break Cow::Borrowed("void"),
                Type::Int(kind) => break Cow::Borrowed(int_name(*kind)),
                Type::Float(kind) => break Cow::Borrowed(float_type(*kind)),
                Type::Complex(kind) => break Cow::Owned(format!("{} _Complex", float_type(*kind))),
                Type::Enum(e) => {
                    let name = types.enumerations[*e].name.as_deref();
                    break Cow::Owned(format!("enum {}", name.unwrap_or("$")));
                }
                Type::Record(r) => {
                    let record = &types.records[*r];
                    let word = if record.is_union { "union" } else { "struct" };
                    break Cow::Owned(format!("{word} {}", record.name.as_deref().unwrap_or("$")));
                }
                Type::VaList => break Cow::Borrowed("va_list"),
            }
        };
        if inner.is_empty() { plain.into_owned() } else { format!("{plain} {inner}") }
    }

    fn deeper(&self, id: Id<Type>, depth: u32) -> String {
        self.declarator(id, String::new(), depth + 1)
    }
}

fn int_name(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Bool => "_Bool",
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}

fn float_type(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float128 => "_Float128",
    }
}
