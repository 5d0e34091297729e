//! Declarators: pointers, arrays and functions around a type.

use super::scope::Symbol;
use super::{Checked, Checker, Reported, Ty};
use crate::ast::{self, Declarator, Derivation, Parameters};
use crate::typed::StmtKind;
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{ArrayLength, FunctionType, Qualifiers, Type};

impl<'a> Checker<'a> {
    /// The type of a declarator. In a function definition, the parameters of
    /// the function itself are declared as variables; see [`super::function`].
    pub(super) fn declarator(
        &mut self,
        base: Ty,
        declarator: &'a Declarator,
        definition: bool,
    ) -> Checked<Ty> {
        let mut ty = base;
        for (position, derivation) in declarator.derivations.iter().enumerate().rev() {
            ty = match derivation {
                Derivation::Pointer(own) => {
                    let pointer = Type::Pointer { to: ty.id, qualifiers: ty.qualifiers };
                    let id = self.out.types.intern(pointer);
                    Ty { id, qualifiers: *own, align: None }
                }
                Derivation::Array { length, star, .. } => {
                    self.array(ty, *length, *star, declarator.span)?
                }
                Derivation::Function(parameters) => {
                    let defined = definition && position == 0;
                    self.function_type(ty, parameters, defined, declarator.span)?
                }
            };
        }
        Ok(ty)
    }

    fn array(
        &mut self,
        of: Ty,
        length: Option<Id<ast::Expr>>,
        star: bool,
        span: Span,
    ) -> Checked<Ty> {
        let problem = match self.ty(of.id) {
            Type::Function(_) => Some("functions"),
            Type::Void => Some("`void`"),
            Type::Array { length: ArrayLength::Unknown, .. } => Some("arrays of unknown length"),
            Type::Record(r) if !self.types().records[*r].is_complete => Some("an incomplete type"),
            _ => None,
        };
        if let Some(problem) = problem {
            let message = format!("an array cannot have elements of {problem}");
            return Err(self.error(Diagnostic::error("C1402", span, message)));
        }
        let length = match length {
            None if star => self.new_length(),
            None => ArrayLength::Unknown,
            Some(length) => self.array_length(length)?,
        };
        if let ArrayLength::Fixed(n) = length {
            let size = self.types().size_of(of.id);
            let total = size.map_or(Some(0), |size| size.checked_mul(n));
            let limit = 1u64 << (self.model().word() * 8 - 2).min(60);
            if total.is_none_or(|bytes| bytes > limit * 2) {
                let error = Diagnostic::error("C1403", span, "the array is too large");
                return Err(self.error(error.label(format!("it has {n} elements"))));
            }
        }
        let id = self.out.types.intern(Type::Array { of: of.id, length });
        Ok(Ty { id, ..of })
    }

    fn array_length(&mut self, length: Id<ast::Expr>) -> Checked<ArrayLength> {
        let span = self.unit.exprs[length].span;
        let value = self.rvalue_expr(length)?;
        if let Some(constant) = self.integer_constant(value) {
            let n = self.require_range(constant, u64::MAX / 2, span, "the length of an array")?;
            return Ok(ArrayLength::Fixed(n));
        }
        if self.in_prototype > 0 {
            return Ok(self.new_length());
        }
        if self.body.is_none() && !self.in_definition || !self.is_integer(value.ty.id) {
            self.require_constant(value, "the length of an array")?;
        }
        let value = self.convert(value, self.basic.size);
        let length = self.new_length();
        if let ArrayLength::Variable(id) = length {
            let statement = self.statement(StmtKind::Length(id, value.id), span);
            self.pending.push(statement);
        }
        Ok(length)
    }

    /// A run-time length; in a prototype nobody evaluates it.
    fn new_length(&mut self) -> ArrayLength {
        let id = Id::new(self.out.lengths as usize);
        self.out.lengths += 1;
        ArrayLength::Variable(id)
    }

    fn function_type(
        &mut self,
        result: Ty,
        parameters: &'a Parameters,
        defined: bool,
        span: Span,
    ) -> Checked<Ty> {
        if matches!(self.ty(result.id), Type::Function(_) | Type::Array { .. }) {
            let found = self.display(result);
            let message = format!("a function cannot return `{found}`");
            return Err(self.error(Diagnostic::error("C1404", span, message)));
        }
        let function = match parameters {
            Parameters::Names(_) => FunctionType {
                result: result.id,
                parameters: Vec::new(),
                variadic: false,
                prototyped: false,
            },
            Parameters::Prototype { parameters, variadic } => {
                let types = match defined {
                    true => self.definition_parameters(parameters)?,
                    false => self.prototype(parameters)?,
                };
                FunctionType {
                    result: result.id,
                    parameters: types,
                    variadic: *variadic,
                    prototyped: true,
                }
            }
        };
        Ok(Ty::plain(self.out.types.intern(Type::Function(function))))
    }

    fn prototype(&mut self, parameters: &'a [ast::Parameter]) -> Checked<Vec<Id<Type>>> {
        self.scopes.push();
        self.in_prototype += 1;
        let outer = std::mem::take(&mut self.pending);
        let mut types = Vec::with_capacity(parameters.len());
        let mut failed = false;
        for parameter in parameters {
            match self.parameter(parameter) {
                Ok(ty) if self.is_void(ty.id) && parameters.len() == 1 => {}
                Ok(ty) => {
                    types.push(ty.id);
                    if let Some(name) = &parameter.declarator.name {
                        let symbol = Symbol::Parameter(ty);
                        self.scopes.symbols.insert(name.text.clone(), name.span, symbol);
                    }
                }
                Err(Reported) => failed = true,
            }
        }
        self.pending = outer;
        self.in_prototype -= 1;
        self.scopes.pop();
        if failed { Err(Reported) } else { Ok(types) }
    }

    /// The type of a parameter, arrays and functions adjusted.
    pub(super) fn parameter(&mut self, parameter: &'a ast::Parameter) -> Checked<Ty> {
        let base = self.specifiers(&parameter.specifiers, false)?;
        let ty = self.declarator(base, &parameter.declarator, false)?;
        let own = match parameter.declarator.derivations.first() {
            Some(Derivation::Array { qualifiers, .. }) => *qualifiers,
            _ => Qualifiers::default(),
        };
        let attributes = self.attributes(&parameter.specifiers.attributes);
        let ty = self.apply_mode(ty, &attributes);
        Ok(self.adjust(ty, own))
    }

    /// Arrays and functions become pointers.
    pub(super) fn adjust(&mut self, ty: Ty, own: Qualifiers) -> Ty {
        let pointer = match self.ty(ty.id) {
            Type::Array { of, .. } => Type::Pointer { to: *of, qualifiers: ty.qualifiers },
            Type::Function(_) => Type::Pointer { to: ty.id, qualifiers: Qualifiers::default() },
            _ => return ty,
        };
        Ty { id: self.out.types.intern(pointer), qualifiers: own, align: None }
    }
}
