//! Types as people write them, for messages.

use super::{Checker, Ty};
use parallax_base::Id;
use parallax_cfa::{ArrayLength, FloatKind, IntKind, Qualifiers, Type, Types};

/// The name of an integer type.
pub(crate) fn int_name(kind: IntKind) -> &'static str {
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

fn float_name(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float128 => "_Float128",
    }
}

fn qualifier_text(qualifiers: Qualifiers) -> String {
    let mut text = String::new();
    for (set, word) in [
        (qualifiers.is_const, "const "),
        (qualifiers.is_volatile, "volatile "),
        (qualifiers.is_restrict, "restrict "),
        (qualifiers.is_atomic, "_Atomic "),
    ] {
        if set {
            text.push_str(word);
        }
    }
    text
}

impl Checker<'_> {
    /// The type as C.
    pub(super) fn display(&self, ty: Ty) -> String {
        declaration(self.types(), ty.id, ty.qualifiers, "", &|_| None)
    }

    /// The type as C.
    pub(super) fn display_id(&self, id: Id<Type>) -> String {
        self.display(Ty::plain(id))
    }
}

/// A declaration of something of this name as C, or, without a name, its type.
/// `alias` gives names to records and enumerations that have none.
pub(crate) fn declaration(
    types: &Types,
    ty: Id<Type>,
    qualifiers: Qualifiers,
    name: &str,
    alias: &dyn Fn(Id<Type>) -> Option<String>,
) -> String {
    declare_text(types, (ty, qualifiers), name, alias, 0)
}

/// Builds the declarator from the name outwards, so `int (*)[3]` comes out right.
fn declare_text(
    types: &Types,
    (mut id, mut qualifiers): (Id<Type>, Qualifiers),
    name: &str,
    alias: &dyn Fn(Id<Type>) -> Option<String>,
    nesting: u32,
) -> String {
    let mut inner = name.to_owned();
    let mut after_pointer = false;
    for _ in 0..20 {
        let base = match types.get(id) {
            Type::Pointer { to, qualifiers: below } => {
                let own = qualifier_text(qualifiers);
                inner = format!("*{own}{inner}");
                (id, qualifiers, after_pointer) = (*to, *below, true);
                continue;
            }
            Type::Array { of, length } => {
                if after_pointer {
                    inner = format!("({inner})");
                }
                match length {
                    ArrayLength::Fixed(n) => inner.push_str(&format!("[{n}]")),
                    ArrayLength::Unknown => inner.push_str("[]"),
                    ArrayLength::Variable(_) => inner.push_str("[*]"),
                }
                (id, after_pointer) = (*of, false);
                continue;
            }
            Type::Function(function) if nesting < 3 => {
                if after_pointer {
                    inner = format!("({inner})");
                }
                let parameter = |p: &Id<Type>| {
                    declare_text(types, (*p, Qualifiers::default()), "", alias, nesting + 1)
                };
                let mut parameters: Vec<String> =
                    function.parameters.iter().map(parameter).collect();
                if function.variadic {
                    parameters.push("...".to_owned());
                }
                if parameters.is_empty() && function.prototyped {
                    parameters.push("void".to_owned());
                }
                inner.push_str(&format!("({})", parameters.join(", ")));
                (id, qualifiers, after_pointer) = (function.result, Qualifiers::default(), false);
                continue;
            }
            Type::Function(_) => "...".to_owned(),
            Type::Void => "void".to_owned(),
            Type::Int(kind) => int_name(*kind).to_owned(),
            Type::Float(kind) => float_name(*kind).to_owned(),
            Type::Complex(kind) => format!("_Complex {}", float_name(*kind)),
            Type::Enum(e) => match types.enumerations[*e].name.as_deref() {
                Some(name) => format!("enum {name}"),
                None => alias(id).unwrap_or_else(|| "enum <anonymous>".to_owned()),
            },
            Type::Record(r) => {
                let record = &types.records[*r];
                let keyword = if record.is_union { "union" } else { "struct" };
                match record.name.as_deref() {
                    Some(name) => format!("{keyword} {name}"),
                    None => alias(id).unwrap_or_else(|| format!("{keyword} <anonymous>")),
                }
            }
            Type::VaList => "va_list".to_owned(),
        };
        let gap = if inner.is_empty() { "" } else { " " };
        return format!("{}{base}{gap}{inner}", qualifier_text(qualifiers));
    }
    format!("... {inner}")
}
