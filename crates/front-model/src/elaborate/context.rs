//! What elaboration knows: declared names, expanded variables, the scope of
//! the expression at hand, and the messages so far.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use parallax_base::{Diagnostic, Diagnostics, Id, IdVec, Span};
use parallax_ir::{Action, Domain, Edge, Input, Variable};
use parallax_term::{Int, Node, Term, TermStore, Value};

use super::MAX_WORK;
use super::values::{Defect, Hazard};
use crate::ast::{self, Model, Name};
use crate::parser::Reported;

/// A result whose failure has been reported.
pub(super) type Elab<T> = Result<T, Reported>;

/// The type of an expression. Ranges are integers here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    Bool,
    Int,
    /// All reals; integers count among them.
    Real,
    /// Index into [`Cx::enums`].
    Enum(usize),
}

/// A term and its type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Typed {
    pub(super) term: Term,
    pub(super) ty: Ty,
}

/// One dimension of an array or of a family: indices `low..low + size`.
#[derive(Clone, Debug)]
pub(super) struct Dim {
    pub(super) low: Int,
    pub(super) size: usize,
    pub(super) ty: Ty,
}

/// The type of a variable: a scalar, or an array of scalars.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) ty: Ty,
    pub(super) domain: Domain,
    pub(super) dims: Vec<Dim>,
}

impl Shape {
    /// How many scalars it has; the sizes were checked before.
    pub(super) fn cells(&self) -> usize {
        self.dims.iter().map(|d| d.size).product()
    }
}

/// What a name at the top level stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Entry {
    Const(usize),
    Type(usize),
    Enum(usize),
    Var(usize),
    Process(usize),
}

pub(super) struct Constant<'m> {
    pub(super) def: &'m ast::ConstDef<'m>,
    /// What the command line says instead.
    pub(super) define: Option<&'m ast::ConstDef<'m>>,
    /// `None` before evaluation and if it failed.
    pub(super) value: Option<Typed>,
    pub(super) used: bool,
}

pub(super) struct NamedType<'m> {
    pub(super) def: &'m ast::TypeDef<'m>,
    pub(super) shape: Option<Shape>,
}

pub(super) struct Enumeration<'m> {
    pub(super) def: &'m ast::EnumDef<'m>,
    pub(super) values: Arc<[Arc<str>]>,
}

/// A declared variable, before arrays are expanded.
pub(super) struct Declared<'m> {
    pub(super) name: Name<'m>,
    /// `None` if the declaration is broken.
    pub(super) shape: Option<Shape>,
    pub(super) init: Option<&'m ast::Initializer<'m>>,
    /// The first cell; for a local variable, relative to its member.
    pub(super) base: usize,
    pub(super) used: bool,
}

/// A process or a family of processes.
pub(super) struct Family<'m> {
    pub(super) def: &'m ast::Process<'m>,
    pub(super) dims: Vec<Dim>,
    pub(super) vars: Vec<Declared<'m>>,
    pub(super) locations: BTreeMap<&'m str, usize>,
    pub(super) members: Vec<Member>,
}

/// One process.
pub(super) struct Member {
    pub(super) name: Arc<str>,
    /// The values of the family's indices.
    pub(super) indices: Vec<Typed>,
    /// The cell that holds the location.
    pub(super) control: usize,
    /// The first cell of its local variables.
    pub(super) base: usize,
    pub(super) edges: IdVec<Edge>,
    /// For each edge: where it is taken or its evaluation goes wrong.
    pub(super) attempts: Vec<Term>,
}

/// Everything known about the model at hand.
pub(super) struct Cx<'m> {
    pub(super) model: &'m Model<'m>,
    pub(super) store: TermStore,

    pub(super) names: BTreeMap<&'m str, (Entry, Span)>,
    /// The enumerations a value occurs in, and its position there.
    pub(super) enum_values: BTreeMap<&'m str, Vec<(usize, usize)>>,
    pub(super) consts: Vec<Constant<'m>>,
    pub(super) types: Vec<NamedType<'m>>,
    pub(super) enums: Vec<Enumeration<'m>>,
    pub(super) vars: Vec<Declared<'m>>,
    pub(super) families: Vec<Family<'m>>,
    pub(super) actions: IdVec<Action>,
    pub(super) action_ids: BTreeMap<&'m str, Id<Action>>,

    pub(super) cells: IdVec<Variable>,
    pub(super) fixed: Vec<Option<Value>>,
    pub(super) init: Term,
    pub(super) edge_count: usize,
    pub(super) hazards: Vec<Hazard>,

    /// Bound indices, innermost last.
    pub(super) bound: Vec<(&'m str, Typed)>,
    /// The family and member whose command is at hand.
    pub(super) here: Option<(usize, usize)>,
    /// Set while only constants may occur: what needs them.
    pub(super) constant_for: Option<&'static str>,
    /// Nonzero while a body is only checked, because its range is empty.
    pub(super) dry: u32,
    /// What cells hold now, if an earlier statement of the block changed them.
    pub(super) overlay: BTreeMap<usize, Term>,
    /// What [`Cx::overlay`] held before each write, to take branches back.
    pub(super) log: Vec<(usize, Option<Term>)>,
    /// Conditions of the branches around the statement at hand.
    pub(super) path: Vec<Term>,
    pub(super) inputs: Vec<Input>,
    /// Conditions under which inputs have a value.
    pub(super) nonempty: Vec<Term>,
    /// For each input: how many ranges were met up to its own.
    pub(super) input_marks: Vec<usize>,
    pub(super) defects: Vec<Defect>,

    work: usize,
    errors: Vec<Diagnostic>,
    reported: BTreeSet<(&'static str, Span)>,
    pub(super) warnings: Vec<Diagnostic>,
}

impl<'m> Cx<'m> {
    pub(super) fn new(model: &'m Model<'m>) -> Cx<'m> {
        let mut store = TermStore::new();
        let init = store.bool(true);
        Cx {
            model,
            store,
            names: BTreeMap::new(),
            enum_values: BTreeMap::new(),
            consts: Vec::new(),
            types: Vec::new(),
            enums: Vec::new(),
            vars: Vec::new(),
            families: Vec::new(),
            actions: IdVec::default(),
            action_ids: BTreeMap::new(),
            cells: IdVec::default(),
            fixed: Vec::new(),
            init,
            edge_count: 0,
            hazards: Vec::new(),
            bound: Vec::new(),
            here: None,
            constant_for: None,
            dry: 0,
            overlay: BTreeMap::new(),
            log: Vec::new(),
            path: Vec::new(),
            inputs: Vec::new(),
            nonempty: Vec::new(),
            input_marks: Vec::new(),
            defects: Vec::new(),
            work: 0,
            errors: Vec::new(),
            reported: BTreeSet::new(),
            warnings: Vec::new(),
        }
    }

    // ---- messages ----

    /// Records an error; the same error at the same place (in another instance)
    /// is recorded once.
    pub(super) fn fail(&mut self, error: Diagnostic) -> Reported {
        let place = error.labels.first().map(|l| l.span).unwrap_or_default();
        if self.reported.insert((error.code, place)) {
            self.errors.push(error);
        }
        Reported
    }

    pub(super) fn warn(&mut self, warning: Diagnostic) {
        self.warnings.push(warning);
    }

    pub(super) fn has_errors(&self) -> bool {
        !self.errors.is_empty()
    }

    /// All errors in the order of the text.
    pub(super) fn take_errors(&mut self) -> Diagnostics {
        sorted(std::mem::take(&mut self.errors))
    }

    pub(super) fn take_warnings(&mut self) -> Diagnostics {
        sorted(std::mem::take(&mut self.warnings))
    }

    /// How messages call a type.
    pub(super) fn type_name(&self, ty: Ty) -> &'m str {
        match ty {
            Ty::Bool => "bool",
            Ty::Int => "int",
            Ty::Real => "real",
            Ty::Enum(e) => self.enums[e].def.name.text,
        }
    }

    // ---- the budget ----

    /// Counts work; fails for good when there was too much.
    pub(super) fn charge(&mut self, amount: usize, span: Span) -> Elab<()> {
        self.work = self.work.saturating_add(amount);
        if self.work <= MAX_WORK {
            return Ok(());
        }
        if self.work < usize::MAX {
            self.work = usize::MAX;
            let error = Diagnostic::error("M0302", span, "the model expands to too many terms")
                .label("expansion was given up here")
                .help("choose smaller families, arrays, quantifier ranges or numbers");
            self.fail(error);
        }
        Err(Reported)
    }

    /// Accounts for a term just built.
    pub(super) fn built(&mut self, term: Term, span: Span) -> Elab<Term> {
        let digits = |n: &Int| match n.to_i64() {
            Some(_) => 1,
            None => 10 * n.to_string().len(),
        };
        let size = match self.store.node(term) {
            Node::And(items) | Node::Or(items) | Node::Product(items) => items.len(),
            Node::Sum(linear) | Node::Compare(_, linear) => {
                let monomials = linear.monomials().iter().map(|(_, c)| digits(c.num()));
                monomials.sum::<usize>() + digits(linear.constant_part().num())
            }
            Node::Value(Value::Int(n)) => digits(n),
            _ => 1,
        };
        self.charge(size, span)?;
        Ok(term)
    }

    // ---- cells ----

    /// The present value of a cell.
    pub(super) fn read(&self, cell: usize) -> Term {
        match self.overlay.get(&cell) {
            Some(&term) => term,
            None => self.cells[Id::new(cell)].term,
        }
    }

    /// Changes a cell, so that the change can be taken back.
    pub(super) fn write(&mut self, cell: usize, value: Term) {
        let before = self.overlay.insert(cell, value);
        self.log.push((cell, before));
    }
}

fn sorted(mut all: Vec<Diagnostic>) -> Diagnostics {
    all.sort_by_key(|d| d.labels.first().map(|l| l.span));
    let mut diagnostics = Diagnostics::default();
    all.into_iter().for_each(|d| diagnostics.push(d));
    diagnostics
}
