//! Lowering of a whole program: which functions and variables it needs.
//!
//! Starting from the entry function, everything that is mentioned is lowered,
//! and nothing else: a header full of inline functions costs nothing. Without
//! an entry, everything with a body is.
//!
//! A function that the program does not define is looked up in the library: a
//! model written in C, an operation of the program form, or, if the library
//! does not know it, an undefined function.

use super::build::{Builder, Touch};
use super::facts::Facts;
use super::order::Orders;
use super::{Lowered, body, compact, wrapper};
use crate::libc::{Meaning, Meanings};
use crate::{Options, libc, typed};
use parallax_base::{Id, IdVec, Span};
use parallax_cfa::{Function, Initial, Op, Program, Storage, Type, Variable};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// How the body of a function comes about.
#[derive(Clone, Copy)]
enum Source {
    /// From the typed tree.
    Tree(Id<typed::Function>),
    /// An operation of the library, made into a function because its address
    /// is taken.
    Wrapper(Id<typed::Function>),
    /// It has none.
    Undefined,
}

/// The state of lowering a program.
pub(crate) struct Lowerer<'a> {
    /// What is lowered.
    pub(crate) typed: &'a typed::Program,
    /// How.
    pub(crate) options: &'a Options,
    /// Whether pointers to constants become pointers to others.
    drops_const: bool,
    /// Whether there may be several threads.
    pub(crate) threads: bool,
    /// What is known of it.
    pub(crate) facts: Facts,
    /// What has no order in it.
    pub(crate) orders: Orders,
    /// Expressions and places.
    pub(crate) build: Builder,
    /// All variables.
    pub(crate) variables: IdVec<Variable>,
    /// All functions.
    pub(crate) functions: IdVec<Function>,
    /// Constructs that are not modelled and have no place in a function.
    pub(crate) unsupported: Vec<(Span, Arc<str>)>,
    /// What is taken for granted of the library.
    pub(crate) assumed: BTreeSet<Arc<str>>,
    /// Expressions whose order is taken to be from left to right.
    pub(crate) ordered: BTreeSet<Span>,
    /// Contents of static variables.
    pub(crate) initials: Vec<(Id<Variable>, Initial)>,
    /// Static variables whose contents are still to be made.
    pub(crate) open_statics: Vec<Id<typed::Variable>>,
    /// Initializers of static compound literals among them.
    pub(crate) literals: HashMap<Id<typed::Variable>, typed::Init>,
    /// The elements of string literals.
    pub(crate) strings: HashMap<Id<Variable>, Arc<[u32]>>,
    /// The number that stands for the address of each label; 0 without one.
    pub(crate) label_numbers: Vec<u32>,
    sources: Vec<Source>,
    variable_ids: Vec<Option<Id<Variable>>>,
    function_ids: Vec<Option<Id<Function>>>,
    undefined_ids: HashMap<Id<typed::Function>, Id<Function>>,
    /// The objects that hold `errno`, if the program looks at it.
    pub(crate) errno: Vec<Id<typed::Variable>>,
    /// What functions mean.
    pub(crate) meanings: Meanings,
}

impl<'a> Lowerer<'a> {
    pub(crate) fn new(typed: &'a typed::Program, options: &'a Options) -> Lowerer<'a> {
        let threads = libc::has_threads(typed);
        let drops_const = drops_const(typed);
        let mut assumed = typed.assumed.clone();
        let mut members = typed.types.records.iter().flat_map(|record| &record.members);
        if drops_const && members.any(|member| member.qualifiers.is_const) {
            let text = "members that are `const` are not written through pointers without `const`";
            assumed.insert(text.into());
        }
        let facts = Facts::of(typed);
        let meanings = Meanings::of(typed, threads);
        let orders = Orders::of(typed, &facts, &meanings);
        Lowerer {
            typed,
            options,
            drops_const,
            threads,
            facts,
            orders,
            build: Builder::new(typed.types.clone()),
            variables: IdVec::default(),
            functions: IdVec::default(),
            unsupported: Vec::new(),
            assumed,
            ordered: BTreeSet::new(),
            initials: Vec::new(),
            open_statics: Vec::new(),
            literals: HashMap::new(),
            strings: HashMap::new(),
            label_numbers: label_numbers(typed),
            sources: Vec::new(),
            variable_ids: vec![None; typed.variables.len()],
            function_ids: vec![None; typed.functions.len()],
            undefined_ids: HashMap::new(),
            errno: libc::errno(typed),
            meanings,
        }
    }

    /// Lowers what the entry needs.
    pub(crate) fn run(mut self) -> Lowered {
        let entry = self
            .typed
            .functions
            .iter_enumerated()
            .find(|(_, f)| *f.name == *self.options.entry && f.body.is_some());
        let main = entry.map(|(id, _)| self.function(id));
        if main.is_none() {
            for (id, function) in self.typed.functions.iter_enumerated() {
                if function.body.is_some() && libc::modelled_name(&function.name).is_none() {
                    self.function(id);
                }
            }
        }
        for (id, function) in self.typed.functions.iter_enumerated() {
            if function.body.is_some() && libc::is_watcher(&function.name) {
                self.function(id);
            }
        }
        let mut next = 0;
        loop {
            if let Some(variable) = self.open_statics.pop() {
                self.initialize_static(variable);
            } else if next < self.sources.len() {
                let id = Id::new(next);
                next += 1;
                match self.sources[id.index()] {
                    Source::Tree(tree) => body::lower_function(&mut self, id, tree),
                    Source::Wrapper(tree) => wrapper::lower_wrapper(&mut self, id, tree),
                    Source::Undefined => {}
                }
            } else {
                break;
            }
        }
        let program = compact::compact(Program {
            types: self.build.types,
            exprs: self.build.exprs,
            places: self.build.places,
            variables: self.variables,
            initials: self.initials,
            functions: self.functions,
            main,
        });
        let mut unsupported = self.unsupported;
        for function in &program.functions {
            for edge in &function.edges {
                if let Op::Unsupported(text) = &edge.op {
                    unsupported.push((edge.span, text.clone()));
                }
            }
        }
        let assumed = self.assumed.into_iter().collect();
        let ordered = self.ordered.into_iter().collect();
        Lowered { program, unsupported, assumed, ordered }
    }

    /// The function that a function of the tree stands for: itself, or its
    /// model in the library.
    pub(crate) fn resolve(&self, tree: Id<typed::Function>) -> Id<typed::Function> {
        match self.meanings.get(tree) {
            Meaning::Model(model) => model,
            _ => tree,
        }
    }

    /// The name by which a function has its meaning: the linker's, or, if the
    /// library does not know it, the one in the text.
    pub(crate) fn name(&self, tree: Id<typed::Function>) -> &'a Arc<str> {
        let own = &self.typed.functions[tree].name;
        match (self.typed.declared.get(&tree), self.meanings.get(tree)) {
            (Some(name), Meaning::Operation) if !libc::is_operation(own) => name,
            (Some(name), Meaning::Library(_)) => name,
            _ => own,
        }
    }

    /// Whether a variable is `const` and may be written all the same.
    fn is_constant(&self, tree: Id<typed::Variable>) -> bool {
        self.typed.variables[tree].is_const
            && (self.facts.is_exposed(self.typed, tree) || self.facts.is_stored(tree))
    }

    /// The id of a function of the tree.
    pub(crate) fn function(&mut self, tree: Id<typed::Function>) -> Id<Function> {
        let tree = self.resolve(tree);
        if let Some(id) = self.function_ids[tree.index()] {
            return id;
        }
        let function = &self.typed.functions[tree];
        let source = match self.meanings.get(tree) {
            Meaning::Operation => Source::Wrapper(tree),
            Meaning::Text | Meaning::Model(_) => Source::Tree(tree),
            Meaning::Library(declaration) if !declaration.takes_list() => Source::Wrapper(tree),
            Meaning::Library(_) | Meaning::Unknown => Source::Undefined,
        };
        let name = match libc::modelled_name(&function.name) {
            Some(name) => name.into(),
            None => self.name(tree).clone(),
        };
        let is_library = self.meanings.is_library(self.typed, tree);
        let id = self.add_function(name, function.ty, function.span, source);
        self.functions[id].is_library = is_library;
        self.function_ids[tree.index()] = Some(id);
        id
    }

    /// A function of the library without a text, to be called after checks.
    pub(crate) fn undefined(&mut self, tree: Id<typed::Function>) -> Id<Function> {
        if let Some(id) = self.undefined_ids.get(&tree) {
            return *id;
        }
        let function = &self.typed.functions[tree];
        let name = function.name.strip_prefix(libc::ASKED).unwrap_or(&function.name).into();
        let (ty, span) = (function.ty, function.span);
        let id = self.add_function(name, ty, span, Source::Undefined);
        self.functions[id].is_library = true;
        self.undefined_ids.insert(tree, id);
        id
    }

    fn add_function(
        &mut self,
        name: Arc<str>,
        ty: Id<Type>,
        span: Span,
        source: Source,
    ) -> Id<Function> {
        self.sources.push(source);
        self.functions.push(Function {
            name,
            ty,
            parameters: Vec::new(),
            is_defined: false,
            is_library: false,
            locations: IdVec::default(),
            edges: IdVec::default(),
            entry: Id::new(0),
            exit: Id::new(0),
            span,
        })
    }

    /// The id of a variable of the tree.
    pub(crate) fn variable(&mut self, tree: Id<typed::Variable>) -> Id<Variable> {
        if let Some(id) = self.variable_ids[tree.index()] {
            return id;
        }
        let variable = &self.typed.variables[tree];
        let is_static =
            !matches!(variable.storage, typed::Storage::Local | typed::Storage::Parameter);
        let owner = match variable.owner {
            Some(owner) if !is_static => Some(self.function(owner)),
            _ => None,
        };
        if !is_static && self.is_constant(tree) && self.drops_const {
            let text = format!(
                "the constant `{}` is not written through a pointer without `const`",
                variable.name
            );
            self.assumed.insert(text.into());
        }
        let storage = match variable.storage {
            typed::Storage::Static | typed::Storage::External => Storage::Static,
            typed::Storage::Thread => Storage::Thread,
            typed::Storage::Parameter => Storage::Parameter,
            typed::Storage::Local => Storage::Local,
        };
        let size = self.build.types.size_of(variable.ty).unwrap_or(0);
        let extra = variable.init.as_ref().and_then(|init| init.size).unwrap_or(0);
        let align = self.build.types.align_of(variable.ty).max(variable.align.unwrap_or(1));
        let touch = self.facts.touch(self.typed, tree);
        let id = self.add_variable(
            Variable {
                name: variable.name.clone(),
                ty: variable.ty,
                storage,
                owner,
                address_taken: false,
                read_only: variable.is_literal || (is_static && self.is_constant(tree)),
                size: size.max(extra),
                align,
                span: variable.span,
            },
            touch,
        );
        self.variable_ids[tree.index()] = Some(id);
        if let Some(units) = &variable.units {
            self.strings.insert(id, units.clone());
        }
        if matches!(storage, Storage::Static | Storage::Thread) {
            self.open_statics.push(tree);
        }
        id
    }

    /// Adds a variable.
    pub(crate) fn add_variable(&mut self, variable: Variable, touch: Touch) -> Id<Variable> {
        self.build.note_variable(variable.ty, touch);
        self.variables.push(variable)
    }
}

/// Whether some pointer loses the `const` of what it points to.
fn drops_const(program: &typed::Program) -> bool {
    let is_const = |ty| match program.types.get(ty) {
        Type::Pointer { qualifiers, .. } => Some(qualifiers.is_const),
        _ => None,
    };
    program.exprs.iter().any(|expr| match expr.kind {
        typed::ExprKind::Convert(a) => {
            is_const(program.exprs[a].ty) == Some(true) && is_const(expr.ty) != Some(true)
        }
        _ => false,
    })
}

/// Numbers the labels whose address is taken, from 1 in each function.
fn label_numbers(program: &typed::Program) -> Vec<u32> {
    let mut count: HashMap<Id<typed::Function>, u32> = HashMap::new();
    let number = |label: &typed::Label| {
        if !label.address_taken {
            return 0;
        }
        let next = count.entry(label.function).or_insert(0);
        *next += 1;
        *next
    };
    program.labels.iter().map(number).collect()
}
