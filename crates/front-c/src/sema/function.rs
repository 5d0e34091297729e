//! Function definitions, with prototypes or in the style of Kernighan and
//! Ritchie.
//!
//! A K&R parameter narrower than its promotion arrives promoted: it is a hidden
//! parameter of the promoted type, and the declared one is a local variable
//! that begins with its value.

use super::attribute::Attributes;
use super::first::First;
use super::jump::Labels;
use super::scope::{Closed, Symbol, Tag};
use super::{Body, Checked, Checker, Reported, Ty, Value};
use crate::ast::{self, Derivation, FunctionDefinition, Name, Parameters, StorageClass};
use crate::typed::{ExprKind, Function, Init, InitItem, Stmt, StmtKind, Storage, Variable};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::{FloatKind, FunctionType, Qualifiers, Type};
use std::sync::Arc;

/// The parameters of a definition, declared before its body is entered.
pub(super) struct Opened {
    variables: Vec<Id<Variable>>,
    names: (Closed<Symbol>, Closed<Tag>),
    before: Vec<Id<Stmt>>,
}

impl<'a> Checker<'a> {
    /// Declares the parameters of a definition.
    pub(super) fn definition_parameters(
        &mut self,
        parameters: &'a [ast::Parameter],
    ) -> Checked<Vec<Id<Type>>> {
        self.scopes.push();
        let was = std::mem::replace(&mut self.in_definition, true);
        let outer = std::mem::take(&mut self.pending);
        let mut types = Vec::with_capacity(parameters.len());
        let mut variables = Vec::with_capacity(parameters.len());
        let mut failed = false;
        for parameter in parameters {
            match self.parameter(parameter) {
                Ok(ty) if self.is_void(ty.id) && parameters.len() == 1 => {}
                Ok(ty) => {
                    types.push(ty.id);
                    variables.push(self.parameter_variable(parameter, ty));
                }
                Err(Reported) => failed = true,
            }
        }
        let before = std::mem::replace(&mut self.pending, outer);
        self.in_definition = was;
        let names = self.scopes.pop();
        self.opened = Some(Opened { variables, names, before });
        if failed { Err(Reported) } else { Ok(types) }
    }

    fn parameter_variable(&mut self, parameter: &'a ast::Parameter, ty: Ty) -> Id<Variable> {
        let unnamed = Name { text: "".into(), span: parameter.declarator.span };
        let name = parameter.declarator.name.as_ref().unwrap_or(&unnamed);
        if !self.is_complete(ty.id) {
            let found = self.display(ty);
            let message = format!("a parameter cannot have the incomplete type `{found}`");
            self.error(Diagnostic::error("C1415", name.span, message));
        }
        if !name.text.is_empty()
            && let Some((_, first)) = self.scopes.symbols.get_here(&name.text)
        {
            let message = format!("the parameter `{}` is declared twice", name.text);
            let error = Diagnostic::error("C1411", name.span, message);
            self.error(error.also(first, "first declared here"));
        }
        let variable = self.new_variable(name, ty, Storage::Parameter, None);
        if !name.text.is_empty() {
            let symbol = Symbol::Variable(variable, ty);
            self.scopes.symbols.insert(Arc::clone(&name.text), name.span, symbol);
        }
        variable
    }

    /// A function with a body, at file level.
    pub(super) fn function_definition(&mut self, definition: &'a FunctionDefinition) {
        if self.define(definition).is_err()
            && let Some(name) = &definition.declarator.name
            && self.scopes.symbols.get_here(&name.text).is_none()
        {
            self.scopes.symbols.insert(Arc::clone(&name.text), name.span, Symbol::Poisoned);
        }
        self.opened = None;
    }

    fn define(&mut self, definition: &'a FunctionDefinition) -> Checked<()> {
        let Some(name) = &definition.declarator.name else { return Err(Reported) };
        let specifiers = &definition.specifiers;
        let base = self.specifiers(specifiers, false)?;
        let mut ty = self.declarator(base, &definition.declarator, true)?;
        let old_style = match definition.declarator.derivations.first() {
            Some(Derivation::Function(Parameters::Names(names))) => Some(names),
            Some(Derivation::Function(_)) => None,
            _ if matches!(self.ty(ty.id), Type::Function(_)) => None,
            _ => {
                let message = format!("`{}` has a body and is no function", name.text);
                return Err(self.error(Diagnostic::error("C1419", name.span, message)));
            }
        };
        let mut opened = self.opened.take();
        if let Some(names) = old_style {
            // A prototype that came before says how arguments arrive.
            let prior = self.prototype_of(name).filter(|f| f.parameters.len() == names.len());
            let expected = prior.as_ref().map(|f| f.parameters.as_slice());
            let made = self.old_parameters(names, &definition.old_style, expected)?;
            if let Type::Function(function) = self.ty(ty.id) {
                let types = made.variables.iter().map(|v| self.out.variables[*v].ty).collect();
                let prototyped = prior.is_some();
                let function = FunctionType { parameters: types, prototyped, ..function.clone() };
                ty.id = self.out.types.intern(Type::Function(function));
            }
            opened = Some(made);
        }
        let opened =
            opened.unwrap_or(Opened { variables: vec![], names: (vec![], vec![]), before: vec![] });
        let attributes = self.attributes(&specifiers.attributes);
        let more = self.attributes(&definition.declarator.attributes);
        let attributes = attributes.join(more);
        let noreturn = specifiers.noreturn || attributes.noreturn;
        let is_static = specifiers.storage == Some(StorageClass::Static);
        if attributes.weak {
            self.note_weak(name);
        }
        let function = self.declare_function(name, ty.id, is_static, noreturn)?;
        let inline = specifiers.inline && !is_static;
        let function = self.define_function(function, name, inline)?;
        self.note_attributes(function, &Attributes { alias: false, ..attributes }, name.span);
        let Type::Function(FunctionType { result, .. }) = *self.ty(ty.id) else {
            return Err(Reported);
        };
        for variable in &opened.variables {
            self.out.variables[*variable].owner = Some(function);
        }
        self.out.functions[function].ty = ty.id;
        self.out.functions[function].span = name.span;
        self.out.functions[function].parameters = opened.variables;
        self.body = Some(Body {
            id: function,
            result: Ty::plain(result),
            name_variable: None,
            labels: Labels::default(),
            switches: Vec::new(),
            loops: 0,
        });
        self.scopes.reopen(opened.names);
        for (_, _, symbol) in self.scopes.symbols.visible_here() {
            // Locals of K&R parameters were made before their function.
            if let Symbol::Variable(variable, _) = symbol {
                let variable = &mut self.out.variables[*variable];
                if variable.storage != Storage::External && variable.owner.is_none() {
                    variable.owner = Some(function);
                }
            }
        }
        let body = self.function_body(definition.body, opened.before);
        self.scopes.pop();
        self.finish_labels();
        self.body = None;
        self.out.functions[function].body = Some(body);
        Ok(())
    }

    /// The block of a function shares the scope of its parameters.
    fn function_body(&mut self, body: Id<ast::Stmt>, before: Vec<Id<Stmt>>) -> Id<Stmt> {
        let unit = self.unit;
        let span = unit.stmts[body].span;
        let ast::StmtKind::Block { labels, items } = &unit.stmts[body].kind else {
            return self.statement(StmtKind::Empty, span);
        };
        let mut statements = before;
        self.block_items(labels, items, &mut statements);
        self.statement(StmtKind::Block(statements), span)
    }

    /// The parameters of a K&R definition.
    fn old_parameters(
        &mut self,
        names: &'a [Name],
        declarations: &'a [ast::Declaration],
        expected: Option<&[Id<Type>]>,
    ) -> Checked<Opened> {
        let mut types: Vec<Option<Ty>> = vec![None; names.len()];
        let mut failed = false;
        self.scopes.push();
        for declaration in declarations {
            let Ok(base) = self.specifiers(&declaration.specifiers, false) else {
                failed = true;
                continue;
            };
            for item in &declaration.declarators {
                let Some(name) = &item.declarator.name else { continue };
                let Ok(ty) = self.declarator(base, &item.declarator, false) else {
                    failed = true;
                    continue;
                };
                match names.iter().position(|n| n.text == name.text) {
                    Some(position) => {
                        types[position] = Some(self.adjust(ty, Qualifiers::default()));
                    }
                    None => {
                        failed = true;
                        let message = format!("`{}` is no parameter", name.text);
                        self.error(Diagnostic::error("C1420", name.span, message));
                    }
                }
            }
        }
        let mut variables = Vec::new();
        let mut before = Vec::new();
        for (position, (name, ty)) in names.iter().zip(types).enumerate() {
            let ty = ty.unwrap_or(Ty::plain(self.basic.int));
            let promoted = match expected {
                Some(types) if self.is_scalar(ty.id) && self.is_scalar(types[position]) => {
                    types[position]
                }
                _ => self.promoted_type(ty.id),
            };
            let parameter = self.new_variable(name, Ty::plain(promoted), Storage::Parameter, None);
            variables.push(parameter);
            let visible = match promoted == ty.id {
                true => parameter,
                false => self.narrowed(name, ty, parameter, &mut before),
            };
            let symbol = Symbol::Variable(visible, ty);
            self.scopes.symbols.insert(Arc::clone(&name.text), name.span, symbol);
        }
        let names = self.scopes.pop();
        if failed { Err(Reported) } else { Ok(Opened { variables, names, before }) }
    }

    /// What attributes say about a function: an alias has a body we do not
    /// know, and some functions run before `main`
    /// or after it.
    pub(super) fn note_attributes(
        &mut self,
        function: Id<Function>,
        attributes: &Attributes,
        span: Span,
    ) {
        if let Some(priority) = attributes.constructor {
            self.run_first(priority, First::Function(function), span);
        }
        if attributes.around_main {
            self.around_main.get_or_insert(span);
        }
        if attributes.alias && self.out.functions[function].body.is_none() {
            self.alias_function(function);
        }
    }

    fn promoted_type(&mut self, ty: Id<Type>) -> Id<Type> {
        match self.ty(ty) {
            Type::Float(FloatKind::Float) => self.out.types.intern(Type::Float(FloatKind::Double)),
            Type::Int(kind) if kind.width(self.model()) < 32 => self.basic.int,
            _ => ty,
        }
    }

    /// A local variable that begins with a promoted parameter's value.
    fn narrowed(
        &mut self,
        name: &Name,
        ty: Ty,
        parameter: Id<Variable>,
        before: &mut Vec<Id<Stmt>>,
    ) -> Id<Variable> {
        let local = self.new_variable(name, ty, Storage::Local, None);
        let value = self.read(parameter, name.span);
        let value = self.convert(value, ty.id);
        let items = vec![InitItem { path: Vec::new(), value: value.id }];
        let init = Init { items, size: None, zero_rest: false };
        before.push(self.declare_statement(local, Some(init), name.span));
        local
    }

    /// The value of a variable.
    pub(super) fn read(&mut self, variable: Id<Variable>, span: Span) -> Value {
        let ty = self.out.variables[variable].ty;
        let place = self.make(ExprKind::Variable(variable), ty, span);
        self.make(ExprKind::Load(place.id), ty, span)
    }
}
