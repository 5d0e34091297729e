//! Types as people write them, for messages.

use super::{Checker, Ty};
use parallax_base::Id;
use parallax_cfa::{ArrayLength, FloatKind, IntKind, Qualifiers, Type};

/// The name of an integer type.
pub(super) fn int_name(kind: IntKind) -> &'static str {
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
        self.declare_text(ty.id, ty.qualifiers, 0)
    }

    /// The type as C.
    pub(super) fn display_id(&self, id: Id<Type>) -> String {
        self.declare_text(id, Qualifiers::default(), 0)
    }

    /// Builds the declarator from the name outwards, so `int (*)[3]` comes out right.
    fn declare_text(&self, id: Id<Type>, qualifiers: Qualifiers, nesting: u32) -> String {
        let (mut id, mut qualifiers) = (id, qualifiers);
        let mut inner = String::new();
        let mut after_pointer = false;
        for _ in 0..20 {
            let base = match self.ty(id) {
                Type::Pointer { to, qualifiers: below } => {
                    let own = qualifier_text(qualifiers);
                    inner = format!("*{}{inner}", own);
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
                    let mut parameters: Vec<String> = function
                        .parameters
                        .iter()
                        .map(|p| self.declare_text(*p, Qualifiers::default(), nesting + 1))
                        .collect();
                    if function.variadic {
                        parameters.push("...".to_owned());
                    }
                    if parameters.is_empty() && function.prototyped {
                        parameters.push("void".to_owned());
                    }
                    inner.push_str(&format!("({})", parameters.join(", ")));
                    (id, qualifiers, after_pointer) =
                        (function.result, Qualifiers::default(), false);
                    continue;
                }
                Type::Function(_) => "...".to_owned(),
                Type::Void => "void".to_owned(),
                Type::Int(kind) => int_name(*kind).to_owned(),
                Type::Float(kind) => float_name(*kind).to_owned(),
                Type::Complex(kind) => format!("_Complex {}", float_name(*kind)),
                Type::Enum(e) => {
                    let name = self.types().enumerations[*e].name.as_deref();
                    format!("enum {}", name.unwrap_or("<anonymous>"))
                }
                Type::Record(r) => {
                    let record = &self.types().records[*r];
                    let keyword = if record.is_union { "union" } else { "struct" };
                    format!("{keyword} {}", record.name.as_deref().unwrap_or("<anonymous>"))
                }
                Type::VaList => "va_list".to_owned(),
            };
            let gap = if inner.is_empty() { "" } else { " " };
            return format!("{}{base}{gap}{inner}", qualifier_text(qualifiers));
        }
        format!("... {inner}")
    }
}
