//! Declarations of objects, functions and types.

use super::attribute::Attributes;
use super::first::First;
use super::scope::Symbol;
use super::{Checked, Checker, Reported, Ty};
use crate::ast::{Basic, Declaration, InitDeclarator, Initializer, Name};
use crate::ast::{StorageClass, TypeSpecifier};
use crate::typed::{Init, InitItem, Stmt, StmtKind, Storage, Variable};
use parallax_base::{Diagnostic, Id, Span};
use parallax_cfa::Type;
use std::sync::Arc;

impl<'a> Checker<'a> {
    /// A declaration at file level.
    pub(super) fn file_declaration(&mut self, declaration: &'a Declaration) {
        let mut statements = Vec::new();
        self.declaration(declaration, &mut statements);
    }

    /// A declaration; what must happen at run time is added to `statements`.
    pub(super) fn declaration(
        &mut self,
        declaration: &'a Declaration,
        statements: &mut Vec<Id<Stmt>>,
    ) {
        let specifiers = &declaration.specifiers;
        let alone = declaration.declarators.is_empty();
        let base = self.specifiers(specifiers, alone);
        let mut common = self.attributes(&specifiers.attributes);
        common.align = common.align.max(self.align_as(specifiers));
        common.noreturn |= specifiers.noreturn;
        for declarator in &declaration.declarators {
            let result = match base {
                Ok(base) => self.declarator_item(base, declaration, declarator, common, statements),
                Err(Reported) => Err(Reported),
            };
            if let (Err(Reported), Some(name)) = (result, &declarator.declarator.name) {
                self.scopes.symbols.insert(Arc::clone(&name.text), name.span, Symbol::Poisoned);
            }
            statements.append(&mut self.pending);
        }
        statements.append(&mut self.pending);
    }

    fn declarator_item(
        &mut self,
        base: Ty,
        declaration: &'a Declaration,
        item: &'a InitDeclarator,
        common: Attributes,
        statements: &mut Vec<Id<Stmt>>,
    ) -> Checked<()> {
        let declarator = &item.declarator;
        let specifiers = &declaration.specifiers;
        let Some(name) = &declarator.name else { return Ok(()) };
        let attributes = common.join(self.attributes(&declarator.attributes));
        let ty = self.declarator(base, declarator, false)?;
        let ty = self.apply_mode(ty, &attributes);
        statements.append(&mut self.pending);
        if specifiers.storage == Some(StorageClass::Typedef) {
            return self.declare_typedef(name, ty, &attributes);
        }
        if attributes.vector {
            let error = Diagnostic::error("C1416", name.span, "vector types are not supported");
            return Err(self.error(error));
        }
        if matches!(self.ty(ty.id), Type::Function(_)) {
            let is_static = specifiers.storage == Some(StorageClass::Static);
            if !is_static {
                self.note_asm_name(name, item.asm_name.as_ref());
            }
            if attributes.weak {
                self.note_weak(name);
            }
            let function = self.declare_function(name, ty.id, is_static, attributes.noreturn)?;
            self.note_attributes(function, &attributes, name.span);
            return Ok(());
        }
        if specifiers.ty.as_ref().is_some_and(is_auto) {
            return self.declare_deduced(name, ty, item.init.as_ref(), statements);
        }
        if attributes.around_main {
            self.around_main.get_or_insert(name.span);
        }
        if attributes.cleanup {
            let text = "a variable that is cleaned up by a function".into();
            statements.push(self.statement(StmtKind::Unsupported(text), name.span));
        }
        self.require_object(name, ty)?;
        let is_extern = specifiers.storage == Some(StorageClass::Extern);
        let align = attributes.align.max(ty.align);
        if self.scopes.is_file() || is_extern {
            let initialized = item.init.is_some();
            let is_static = specifiers.storage == Some(StorageClass::Static);
            let is_register = specifiers.storage == Some(StorageClass::Register);
            if !is_static && !is_register {
                self.note_asm_name(name, item.asm_name.as_ref());
            }
            if attributes.weak {
                self.note_weak(name);
            }
            let (variable, counts) =
                self.declare_object(name, ty, specifiers, initialized, align)?;
            if attributes.alias {
                self.opaque_variable(variable, "a variable that is an alias");
            }
            if is_register {
                self.opaque_variable(variable, "a variable in a register of the machine");
            }
            if let Some(number) = attributes.constructor {
                self.run_first(number, First::Variable(variable), name.span);
            }
            if let Some(init) = &item.init {
                let (ty, init) = self.static_initializer(ty, init)?;
                if counts {
                    self.complete_object(name, variable, ty);
                    self.out.variables[variable].init = Some(init);
                }
            }
            return Ok(());
        }
        let storage = match specifiers.storage {
            Some(StorageClass::Static) if specifiers.thread_local => Storage::Thread,
            Some(StorageClass::Static) => Storage::Static,
            _ => Storage::Local,
        };
        self.declare_local(name, ty, storage, align, item.init.as_ref(), statements)
    }

    /// `__auto_type`: the name is visible after its value.
    fn declare_deduced(
        &mut self,
        name: &Name,
        ty: Ty,
        init: Option<&'a Initializer>,
        statements: &mut Vec<Id<Stmt>>,
    ) -> Checked<()> {
        let Some(Initializer::Expr(init)) = init else {
            let message = format!("`{}` needs a value to take its type from", name.text);
            return Err(self.error(Diagnostic::error("C1417", name.span, message)));
        };
        let value = self.rvalue_expr(*init)?;
        if self.body.is_none() || self.is_void(value.ty.id) {
            let message = format!("the type of `{}` cannot be taken from its value", name.text);
            return Err(self.error(Diagnostic::error("C1417", name.span, message)));
        }
        let ty = Ty { id: value.ty.id, ..ty };
        let variable = self.new_variable(name, ty, Storage::Local, None);
        let symbol = Symbol::Variable(variable, ty);
        self.scopes.symbols.insert(Arc::clone(&name.text), name.span, symbol);
        let items = vec![InitItem { path: Vec::new(), value: value.id }];
        let init = Init { items, size: None, zero_rest: false };
        statements.push(self.declare_statement(variable, Some(init), name.span));
        Ok(())
    }

    fn declare_typedef(&mut self, name: &Name, ty: Ty, attributes: &Attributes) -> Checked<()> {
        let ty = Ty { align: attributes.align.or(ty.align), ..ty };
        if attributes.transparent_union
            && let Type::Record(record) = *self.ty(ty.id)
        {
            self.transparent.insert(record);
        }
        if attributes.vector {
            let symbol = Symbol::Typedef(self.vector_type(name));
            self.scopes.symbols.insert(Arc::clone(&name.text), name.span, symbol);
            return Ok(());
        }
        let symbol = match self.scopes.symbols.get_here(&name.text) {
            Some((Symbol::Typedef(old), first)) => {
                let old = *old;
                if !self.compatible(old.id, ty.id) && !self.is_variable_length(ty.id) {
                    let message = format!("`{}` names two different types", name.text);
                    let error = Diagnostic::error("C1412", name.span, message);
                    return Err(self.error(error.also(first, "first declared here")));
                }
                Symbol::Typedef(if self.is_complete(ty.id) { ty } else { old })
            }
            Some((Symbol::Poisoned, _)) | None => Symbol::Typedef(ty),
            Some((_, first)) => return Err(self.redeclared(name, first)),
        };
        self.scopes.symbols.insert(Arc::clone(&name.text), name.span, symbol);
        Ok(())
    }

    /// A vector type is opaque: an incomplete record that fits nothing.
    fn vector_type(&mut self, name: &Name) -> Ty {
        let record = self.new_record(Some(Arc::clone(&name.text)), false, name.span);
        Ty::plain(self.out.types.intern(Type::Record(record)))
    }

    fn redeclared(&mut self, name: &Name, first: Span) -> Reported {
        let message = format!("`{}` is declared twice", name.text);
        let error = Diagnostic::error("C1411", name.span, message);
        self.error(error.also(first, "first declared here"))
    }

    fn require_object(&mut self, name: &Name, ty: Ty) -> Checked<()> {
        if !self.is_void(ty.id) {
            return Ok(());
        }
        // `extern void end;` is how linker symbols are named.
        if self.scopes.is_file() {
            return Ok(());
        }
        let message = format!("`{}` cannot have type `void`", name.text);
        Err(self.error(Diagnostic::error("C1418", name.span, message)))
    }

    /// A new variable, not yet visible.
    pub(super) fn new_variable(
        &mut self,
        name: &Name,
        ty: Ty,
        storage: Storage,
        align: Option<u64>,
    ) -> Id<Variable> {
        let owner = self.body.as_ref().map(|body| body.id);
        self.out.variables.push(Variable {
            name: Arc::clone(&name.text),
            ty: ty.id,
            volatile: ty.qualifiers.is_volatile,
            atomic: ty.qualifiers.is_atomic,
            is_const: Checker::is_const_object(ty),
            storage,
            owner,
            is_literal: false,
            units: None,
            align,
            init: None,
            span: name.span,
        })
    }

    fn declare_local(
        &mut self,
        name: &Name,
        ty: Ty,
        storage: Storage,
        align: Option<u64>,
        init: Option<&'a Initializer>,
        statements: &mut Vec<Id<Stmt>>,
    ) -> Checked<()> {
        match self.scopes.symbols.get_here(&name.text) {
            None | Some((Symbol::Poisoned, _)) => {}
            Some((_, first)) => return Err(self.redeclared(name, first)),
        }
        let variable = self.new_variable(name, ty, storage, align);
        let symbol = Symbol::Variable(variable, ty);
        self.scopes.symbols.insert(Arc::clone(&name.text), name.span, symbol);
        let is_static = storage != Storage::Local;
        let (ty, init) = match init {
            None => (ty, None),
            Some(init) if is_static => {
                let (ty, init) = self.static_initializer(ty, init)?;
                (ty, Some(init))
            }
            Some(init) => {
                let (ty, init) = self.initializer(ty, init)?;
                statements.append(&mut self.pending);
                (ty, Some(init))
            }
        };
        if !self.is_complete(ty.id) {
            let found = self.display(ty);
            let message = format!("`{}` has the incomplete type `{found}`", name.text);
            return Err(self.error(Diagnostic::error("C1415", name.span, message)));
        }
        self.out.variables[variable].ty = ty.id;
        let symbol = Symbol::Variable(variable, ty);
        self.scopes.symbols.insert(Arc::clone(&name.text), name.span, symbol);
        match is_static {
            true => self.out.variables[variable].init = init,
            false => statements.push(self.declare_statement(variable, init, name.span)),
        }
        Ok(())
    }

    /// The statement at which a local variable begins.
    pub(super) fn declare_statement(
        &mut self,
        variable: Id<Variable>,
        init: Option<Init>,
        span: Span,
    ) -> Id<Stmt> {
        self.statement(StmtKind::Declare(variable, init), span)
    }
}

fn is_auto(ty: &TypeSpecifier) -> bool {
    matches!(ty, TypeSpecifier::Basic(Basic::Auto))
}
