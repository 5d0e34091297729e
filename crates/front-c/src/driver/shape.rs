//! Types as a driver sees them: what they are called, and which of them lead to
//! themselves.

use crate::sema::{Names, declaration, int_name};
use crate::typed::{Program, Variable};
use parallax_base::{Id, components};
use parallax_cfa::{FloatKind, IntKind, Qualifiers, Type};
use std::collections::BTreeMap;

/// The types of a unit.
pub(super) struct Shapes<'a> {
    pub(super) program: &'a Program,
    pub(super) names: &'a Names,
    /// Names of records and enumerations without a tag.
    aliases: BTreeMap<Id<Type>, &'a str>,
    /// The number of the component of each type, in the graph of what leads where.
    components: Vec<usize>,
}

impl<'a> Shapes<'a> {
    pub(super) fn new(program: &'a Program, names: &'a Names) -> Shapes<'a> {
        let types = &program.types;
        let successor = |node: usize, nth: usize| match types.get(Id::new(node)) {
            Type::Pointer { to, .. } if nth == 0 => Some(to.index()),
            Type::Array { of, .. } if nth == 0 => Some(of.index()),
            Type::Record(record) => types.records[*record].members.get(nth).map(|m| m.ty.index()),
            _ => None,
        };
        let components = components(types.len(), successor);
        let mut aliases = BTreeMap::new();
        for (name, ty) in &names.types {
            aliases.entry(*ty).or_insert(&**name);
        }
        Shapes { program, names, aliases, components }
    }

    pub(super) fn get(&self, ty: Id<Type>) -> &'a Type {
        self.program.types.get(ty)
    }

    /// Whether what a pointer leads to leads to such a pointer again.
    pub(super) fn is_link(&self, pointer: Id<Type>, to: Id<Type>) -> bool {
        self.components[pointer.index()] == self.components[to.index()]
    }

    /// A declaration of a name; fails if a type on the way cannot be written.
    pub(super) fn declare(&self, ty: Id<Type>, name: &str) -> Result<String, String> {
        let alias = |ty| self.aliases.get(&ty).map(|name| (*name).to_owned());
        let text = declaration(&self.program.types, ty, Qualifiers::default(), name, &alias);
        match text.contains(['<', '…']) || text.contains("[*]") || text.starts_with("...") {
            true => Err(String::from("a type has no name, or a size that is not fixed")),
            false => Ok(text),
        }
    }

    /// One word for a type, for names of functions.
    pub(super) fn word(&self, ty: Id<Type>) -> Result<String, String> {
        let text = self.declare(ty, "")?;
        let text = text.strip_prefix("struct ").or(text.strip_prefix("union ")).unwrap_or(&text);
        Ok(text.replace(|c: char| !c.is_ascii_alphanumeric(), "_"))
    }

    /// The input function that gives values of a type, with what it returns.
    pub(super) fn input(&self, ty: Id<Type>) -> Option<(&'static str, &'static str)> {
        let int = |kind: IntKind| {
            let word = match kind {
                IntKind::Bool => "bool",
                IntKind::Char => "char",
                IntKind::SChar => "schar",
                IntKind::UChar => "uchar",
                IntKind::Short => "short",
                IntKind::UShort => "ushort",
                IntKind::Int => "int",
                IntKind::UInt => "uint",
                IntKind::Long => "long",
                IntKind::ULong => "ulong",
                IntKind::LongLong => "longlong",
                IntKind::ULongLong => "ulonglong",
                IntKind::Int128 => "int128",
                IntKind::UInt128 => "uint128",
            };
            (word, int_name(kind))
        };
        Some(match self.get(ty) {
            Type::Int(kind) => int(*kind),
            Type::Enum(e) => int(self.program.types.enumerations[*e].underlying),
            Type::Float(FloatKind::Float) => ("float", "float"),
            Type::Float(FloatKind::Double) => ("double", "double"),
            Type::Float(FloatKind::LongDouble) => ("longdouble", "long double"),
            Type::Float(FloatKind::Float128) => ("float128", "_Float128"),
            _ => return None,
        })
    }

    /// Whether a type has pointers in it.
    pub(super) fn has_pointers(&self, ty: Id<Type>) -> bool {
        match self.get(ty) {
            Type::Pointer { .. } | Type::VaList => true,
            Type::Array { of, .. } => self.has_pointers(*of),
            Type::Record(record) => {
                self.program.types.records[*record].members.iter().any(|m| self.has_pointers(m.ty))
            }
            _ => false,
        }
    }

    /// Variables at file level that the unit can write, in the order of their names.
    pub(super) fn globals(&self) -> impl Iterator<Item = (&'a str, &'a Variable)> {
        use crate::typed::Storage;
        let names = self.names;
        let all = names.variables.iter().map(|(name, id)| (&**name, &self.program.variables[*id]));
        all.filter(|(_, variable)| {
            matches!(variable.storage, Storage::Static | Storage::Thread)
                && !variable.is_const
                && !variable.is_literal
        })
    }
}
