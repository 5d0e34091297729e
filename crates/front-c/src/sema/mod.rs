//! The checker: syntax tree to typed tree.
//!
//! Names are resolved, types are computed, every conversion is written out,
//! constants are folded where C needs their value, and the translation units
//! are linked by name. The rules are those of C11 with GNU extensions, and
//! what GCC accepts with a warning is accepted.
//!
//! Errors: a function that found one reports it and returns `Reported`; the
//! caller passes it up or goes on with the next part. A name whose declaration
//! failed is *poisoned*, so that its uses are silent. No tree comes out of a
//! program with errors, hence there is no error type.
//!
//! Constants: every expression is folded when it is made (see `constant`), so
//! asking for a value never walks the tree.

mod assembly;
mod assign;
mod atomic;
mod attribute;
mod builtin;
mod builtin_bits;
mod builtin_float;
mod builtin_types;
mod call;
mod compatible;
mod constant;
mod convert;
mod declarator;
mod declare;
mod designate;
mod display;
mod expr;
mod first;
mod function;
mod init;
mod init_static;
mod jump;
mod linkage;
mod literal;
mod measure;
mod names;
mod narrow;
mod operators;
mod postfix;
mod record;
mod scope;
mod specifier;
mod stmt;
mod suggest;
mod symbol;
mod unary;
mod unify;

use crate::ast;
use crate::typed::{Expr, ExprKind, Function, Program, Stmt, StmtKind, Variable};
use constant::Constant;
pub(crate) use display::{declaration, int_name};
use first::First;
use linkage::Linkage;
pub(crate) use names::{Names, check_alone};
use parallax_base::{Diagnostic, Diagnostics, Id, IdVec, Span};
use parallax_cfa::{DataModel, IntKind, Qualifiers, Record, Type, Types};
use rustc_hash::{FxHashMap, FxHashSet};
use scope::Scopes;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Checks and links translation units. Warnings are added to `warnings`
/// whether or not there are errors.
pub fn check(
    units: &[ast::Unit],
    model: DataModel,
    warnings: &mut Diagnostics,
) -> Result<Program, Diagnostics> {
    let empty = ast::Unit::default();
    let mut checker = Checker::new(&empty, model);
    for unit in units {
        checker.unit(unit);
    }
    checker.finish();
    checker.warnings.iter().for_each(|w| warnings.push(w.clone()));
    match checker.errors.has_errors() {
        true => Err(checker.errors),
        false => Ok(checker.out),
    }
}

/// An error was found and reported.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Reported;

/// The result of checking something.
type Checked<T> = Result<T, Reported>;

/// A type with its own qualifiers. Those of an array are its elements'.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ty {
    id: Id<Type>,
    qualifiers: Qualifiers,
    /// Alignment set by a typedef.
    align: Option<u64>,
}

impl Ty {
    fn plain(id: Id<Type>) -> Ty {
        Ty { id, qualifiers: Qualifiers::default(), align: None }
    }
}

/// A checked expression.
#[derive(Clone, Copy, Debug)]
struct Value {
    id: Id<Expr>,
    ty: Ty,
}

/// What is known about the function being checked.
struct Body {
    id: Id<Function>,
    result: Ty,
    name_variable: Option<Id<Variable>>,
    labels: jump::Labels,
    switches: Vec<jump::Switch>,
    loops: u32,
}

/// The state of a check.
struct Checker<'a> {
    unit: &'a ast::Unit,
    unit_number: u32,
    out: Program,
    constants: Vec<Constant>,
    scopes: Scopes,
    linkage: Linkage,
    body: Option<Body>,
    /// Run-time array lengths found in a declarator, to be evaluated before
    /// what is declared.
    pending: Vec<Id<Stmt>>,
    /// Set while an operand is not evaluated, as under `sizeof`.
    unevaluated: u32,
    /// Set inside the parameters of a declaration without a body.
    in_prototype: u32,
    /// Set inside the parameters of a function definition.
    in_definition: bool,
    /// The parameters of the definition whose declarator was read.
    opened: Option<function::Opened>,
    /// Functions that run before or after `main`.
    /// What runs before `main`, with the number that orders it.
    constructors: Vec<(i128, First, Span)>,
    /// Where something else is declared to run before or after `main`.
    around_main: Option<Span>,
    /// The unit each record was declared in.
    record_units: Vec<u32>,
    transparent: FxHashSet<Id<Record>>,
    /// Values with fewer bits than their type; see [`narrow`].
    narrow: FxHashMap<Id<Expr>, u32>,
    strings: FxHashMap<(Arc<[u32]>, IntKind), Id<Variable>>,
    errors: Diagnostics,
    warnings: Diagnostics,
    basic: Basics,
}

/// Types that are needed everywhere.
#[derive(Clone, Copy)]
struct Basics {
    void: Id<Type>,
    int: Id<Type>,
    size: Id<Type>,
    difference: Id<Type>,
    void_pointer: Id<Type>,
}

impl<'a> Checker<'a> {
    fn new(unit: &'a ast::Unit, model: DataModel) -> Checker<'a> {
        let mut types = Types::new(model);
        let void = types.intern(Type::Void);
        let basic = Basics {
            void,
            int: types.int(IntKind::Int),
            size: types.int(model.size_type()),
            difference: types.int(model.difference_type()),
            void_pointer: types.pointer(void),
        };
        let out = Program {
            types,
            exprs: IdVec::default(),
            stmts: IdVec::default(),
            variables: IdVec::default(),
            functions: IdVec::default(),
            labels: IdVec::default(),
            lengths: 0,
            opaque_functions: BTreeMap::new(),
            opaque_variables: BTreeMap::new(),
            declared: BTreeMap::new(),
            assumed: BTreeSet::new(),
        };
        Checker {
            unit,
            unit_number: 0,
            out,
            constants: Vec::new(),
            scopes: Scopes::default(),
            linkage: Linkage::default(),
            body: None,
            pending: Vec::new(),
            unevaluated: 0,
            in_prototype: 0,
            in_definition: false,
            opened: None,
            constructors: Vec::new(),
            around_main: None,
            record_units: Vec::new(),
            transparent: FxHashSet::default(),
            narrow: FxHashMap::default(),
            strings: FxHashMap::default(),
            errors: Diagnostics::default(),
            warnings: Diagnostics::default(),
            basic,
        }
    }

    fn unit(&mut self, unit: &'a ast::Unit) {
        self.unit = unit;
        self.unit_number += 1;
        self.scopes = Scopes::default();
        self.linkage.next_unit();
        self.linkage.weak_names.extend(unit.weak.iter().cloned());
        for item in &unit.items {
            match item {
                ast::Item::Declaration(declaration) => {
                    self.file_declaration(declaration);
                }
                ast::Item::Function(function) => self.function_definition(function),
                ast::Item::StaticAssert(assert) => self.static_assert(assert),
                ast::Item::Asm(_) => {
                    let text = "assembly outside of functions defines and changes nothing";
                    self.out.assumed.insert(text.into());
                }
            }
            self.pending.clear();
        }
        self.finish_unit();
    }

    fn error(&mut self, diagnostic: Diagnostic) -> Reported {
        self.errors.push(diagnostic);
        Reported
    }

    fn warn(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        if !self.warnings.is_full() {
            self.warnings.push(Diagnostic::warning(code, span, message));
        }
    }

    /// Adds an expression and folds it.
    fn make(&mut self, kind: ExprKind, ty: Id<Type>, span: Span) -> Value {
        let constant = self.fold(&kind, ty);
        self.constants.push(constant);
        let id = self.out.exprs.push(Expr { kind, ty, span });
        Value { id, ty: Ty::plain(ty) }
    }

    /// An integer constant, wrapped to its type.
    fn integer(&mut self, value: i128, ty: Id<Type>, span: Span) -> Value {
        let wrapped = self.wrap(value, ty);
        self.make(ExprKind::Int(wrapped), ty, span)
    }

    fn new_record(&mut self, name: Option<Arc<str>>, is_union: bool, span: Span) -> Id<Record> {
        self.record_units.push(self.unit_number);
        self.out.types.records.push(Record {
            name,
            is_union,
            is_complete: false,
            members: Vec::new(),
            size: 0,
            align: 1,
            span,
        })
    }

    fn unsupported(&mut self, what: &str, ty: Id<Type>, span: Span) -> Value {
        self.make(ExprKind::Unsupported(what.into()), ty, span)
    }

    fn statement(&mut self, kind: StmtKind, span: Span) -> Id<Stmt> {
        self.out.stmts.push(Stmt { kind, span })
    }

    fn span(&self, value: Value) -> Span {
        self.out.exprs[value.id].span
    }

    fn types(&self) -> &Types {
        &self.out.types
    }

    fn ty(&self, id: Id<Type>) -> &Type {
        self.out.types.get(id)
    }

    fn model(&self) -> DataModel {
        self.out.types.model
    }
}

#[cfg(test)]
mod tests;
