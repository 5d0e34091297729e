//! The type that stands before the declarators, and type names.

use super::scope::Symbol;
use super::{Checked, Checker, Reported, Ty};
use crate::ast::{AlignAs, Basic, DeclSpecifiers, Specifier, TypeName, TypeSpecifier};
use crate::typed::Stmt;
use parallax_base::{Diagnostic, Id};
use parallax_cfa::{IntKind, Qualifiers, Type};

impl<'a> Checker<'a> {
    /// The type that specifiers name. `alone` means that no declarator follows,
    /// which lets `struct s;` declare a tag in this scope.
    pub(super) fn specifiers(
        &mut self,
        specifiers: &'a DeclSpecifiers,
        alone: bool,
    ) -> Checked<Ty> {
        let mut ty = match &specifiers.ty {
            None => Ty::plain(self.basic.int),
            Some(TypeSpecifier::Basic(basic)) => Ty::plain(self.basic_type(*basic)),
            Some(TypeSpecifier::Typedef(name)) => match self.scopes.symbols.get(&name.text) {
                Some(Symbol::Typedef(ty)) => *ty,
                Some(Symbol::Poisoned) => return Err(Reported),
                _ => {
                    let message = format!("`{}` is not the name of a type", name.text);
                    return Err(self.error(Diagnostic::error("C1401", name.span, message)));
                }
            },
            Some(TypeSpecifier::Complex(id)) => {
                let unit = self.unit;
                self.complex_specifier(&unit.specifiers[*id], alone)?
            }
        };
        ty.qualifiers = union(ty.qualifiers, specifiers.qualifiers);
        Ok(ty)
    }

    /// The alignment that `_Alignas` asks for.
    pub(super) fn align_as(&mut self, specifiers: &'a DeclSpecifiers) -> Option<u64> {
        let mut most = None;
        for align in &specifiers.align {
            let value = match align {
                AlignAs::Expr(expr) => self.alignment(*expr).ok(),
                AlignAs::Type(name) => {
                    let ty = self.type_name(name).ok();
                    ty.map(|ty| ty.align.unwrap_or_else(|| self.types().align_of(ty.id)))
                }
            };
            most = most.max(value.filter(|v| *v > 0));
        }
        most
    }

    fn basic_type(&mut self, basic: Basic) -> Id<Type> {
        let ty = match basic {
            Basic::Void => Type::Void,
            Basic::Int(kind) => Type::Int(kind),
            Basic::Float(kind) => Type::Float(kind),
            Basic::Complex(kind) => Type::Complex(kind),
            Basic::VaList => Type::VaList,
            // Replaced by the type of the initializer; `int` if there is none.
            Basic::Auto => Type::Int(IntKind::Int),
        };
        self.out.types.intern(ty)
    }

    fn complex_specifier(&mut self, specifier: &'a Specifier, alone: bool) -> Checked<Ty> {
        match specifier {
            Specifier::Record { .. } => {
                let record = self.record(specifier, alone)?;
                Ok(Ty::plain(self.out.types.intern(Type::Record(record))))
            }
            Specifier::Enum { .. } => self.enumeration(specifier, alone),
            Specifier::TypeofExpr(expr, span) => {
                let value = self.unevaluated(|checker| checker.expr(*expr))?;
                // A reference to a bit-field has no type of its own.
                if matches!(
                    self.out.exprs[value.id].kind,
                    crate::typed::ExprKind::Member { bits: Some(_), .. }
                ) {
                    let error = Diagnostic::error("C1303", *span, "`typeof` of a bit-field");
                    return Err(self.error(error));
                }
                Ok(value.ty)
            }
            Specifier::TypeofType(name, _) => self.declared_type(name),
            Specifier::Atomic(name, _) => {
                let mut ty = self.declared_type(name)?;
                ty.qualifiers.is_atomic = true;
                Ok(ty)
            }
        }
    }

    fn declared_type(&mut self, name: &'a TypeName) -> Checked<Ty> {
        let base = self.specifiers(&name.specifiers, false)?;
        self.declarator(base, &name.declarator, false)
    }

    /// A type without a name. Run-time lengths in it are evaluated by nobody.
    pub(super) fn type_name(&mut self, name: &'a TypeName) -> Checked<Ty> {
        Ok(self.type_name_in_expr(name)?.0)
    }

    /// A type without a name, and what must be evaluated before it is used.
    pub(super) fn type_name_in_expr(&mut self, name: &'a TypeName) -> Checked<(Ty, Vec<Id<Stmt>>)> {
        let outer = std::mem::take(&mut self.pending);
        let ty = self.declared_type(name);
        let before = std::mem::replace(&mut self.pending, outer);
        let attributes = self.attributes(&name.specifiers.attributes);
        Ok((self.apply_mode(ty?, &attributes), before))
    }
}

/// All qualifiers of both.
pub(super) fn union(a: Qualifiers, b: Qualifiers) -> Qualifiers {
    Qualifiers {
        is_const: a.is_const || b.is_const,
        is_volatile: a.is_volatile || b.is_volatile,
        is_restrict: a.is_restrict || b.is_restrict,
        is_atomic: a.is_atomic || b.is_atomic,
    }
}
