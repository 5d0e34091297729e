//! Lowering of one function body: the state and the smallest operations.
//!
//! A body is lowered up to twice. The first time every read of a local variable
//! is checked for a write before it; then those checks that always succeed are
//! found. If one of them kept an expression from staying whole, the body is
//! lowered again with checks for the other variables only.

use super::build::{Touch, Way};
use super::definite;
use super::graph::{Graph, Loc};
use super::jump::{Jump, Scope, Scopes};
use super::program::Lowerer;
use super::schedule::Ready;
use super::switch::Frame;
use crate::{libc, typed};
use parallax_base::{Id, Span};
use parallax_cfa::{
    Argument, Check, Expr, Function, IntKind, Op, Place, Primitive, Storage, Type, Variable,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

/// Where `break` and `continue` lead.
#[derive(Clone, Copy)]
pub(crate) struct Exits {
    /// `break`.
    pub(crate) leave: (Loc, Scope),
    /// `continue`; a `switch` has none of its own.
    pub(crate) again: Option<(Loc, Scope)>,
}

/// The state of lowering a function body.
pub(crate) struct Body<'l, 'a> {
    /// The program.
    pub(crate) cx: &'l mut Lowerer<'a>,
    /// The tree that is lowered.
    pub(crate) typed: &'a typed::Program,
    /// The function.
    pub(crate) function: Id<Function>,
    /// Its tree; `None` for code the front end makes.
    pub(crate) tree: Option<Id<typed::Function>>,
    /// Its automaton.
    pub(crate) graph: Graph,
    /// All scopes so far.
    pub(crate) scopes: Scopes,
    /// The variables that live here.
    pub(crate) scope: Scope,
    /// Loops and switches around the current statement.
    pub(crate) exits: Vec<Exits>,
    /// Switches around the current statement.
    pub(crate) switches: Vec<Frame>,
    /// Labels that were placed.
    pub(crate) labels: HashMap<Id<typed::Label>, (Loc, Scope)>,
    /// Jumps to be connected at the end.
    pub(crate) jumps: Vec<Jump>,
    /// Hidden variables of run-time array lengths.
    pub(crate) lengths: HashMap<usize, Id<Variable>>,
    /// Variables whose reads are checked; `None` is all locals.
    pub(crate) doubtful: Option<BTreeSet<Id<Variable>>>,
    /// The ways to watched lvalues, where they are known, and as they are shown.
    pub(crate) seen: BTreeMap<Id<typed::Expr>, (Way, Id<Place>)>,
    /// Whether watched accesses have happened that may not.
    pub(crate) flags: HashMap<Id<typed::Expr>, Way>,
    /// Units of regions that are evaluated already.
    pub(crate) ready: Ready,
    /// Regions that have begun.
    pub(crate) regions: Vec<Id<typed::Expr>>,
    /// Units around, whose code is made several times.
    pub(crate) copies: u32,
    /// Where pointers and indices of watched lvalues are kept in such code.
    pub(crate) slots: HashMap<(Id<typed::Expr>, usize), Way>,
    /// Whether logic had to become control flow.
    pub(crate) has_split: bool,
    /// Whether the function is one step.
    is_atomic: bool,
    /// Which of its accesses other threads are told of.
    pub(crate) announces: Announces,
    checked: Vec<Check>,
    spare: HashMap<Id<Type>, Vec<Id<Variable>>>,
    temporaries: Vec<Id<Variable>>,
}

/// Lowers a function with a body.
pub(crate) fn lower_function(cx: &mut Lowerer<'_>, id: Id<Function>, tree: Id<typed::Function>) {
    let mut body = Body::new(cx, id, Some(tree));
    body.whole(tree);
    let (mut doubtful, removed) = definite::remove_sure(&mut body);
    let again = removed && body.has_split;
    if again {
        let temporaries = body.temporaries;
        let mut second = Body::new(cx, id, Some(tree));
        for temporary in temporaries.into_iter().rev() {
            let ty = second.cx.variables[temporary].ty;
            second.spare.entry(ty).or_default().push(temporary);
        }
        second.doubtful = Some(std::mem::take(&mut doubtful));
        second.whole(tree);
        definite::remove_sure(&mut second);
        second.close();
    } else {
        body.close();
    }
}

/// Which accesses of a function count for data races.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Announces {
    /// All: it is the program's own.
    Everything,
    /// Those through pointers: what a function of the library has of its own, it
    /// keeps apart.
    BehindPointers,
    /// None: it is there to put threads in order.
    Nothing,
}

impl Announces {
    fn of(function: &Function) -> Announces {
        match function.is_library {
            false => Announces::Everything,
            true if libc::puts_in_order(&function.name) => Announces::Nothing,
            true => Announces::BehindPointers,
        }
    }
}

impl<'l, 'a> Body<'l, 'a> {
    /// An empty body.
    pub(crate) fn new(
        cx: &'l mut Lowerer<'a>,
        function: Id<Function>,
        tree: Option<Id<typed::Function>>,
    ) -> Body<'l, 'a> {
        let typed = cx.typed;
        let span = cx.functions[function].span;
        let announces = Announces::of(&cx.functions[function]);
        let scopes = Scopes::default();
        Body {
            cx,
            typed,
            function,
            tree,
            graph: Graph::new(span),
            scopes,
            scope: Scope::ROOT,
            exits: Vec::new(),
            switches: Vec::new(),
            labels: HashMap::new(),
            jumps: Vec::new(),
            lengths: HashMap::new(),
            doubtful: None,
            seen: BTreeMap::new(),
            flags: HashMap::new(),
            ready: HashMap::new(),
            regions: Vec::new(),
            copies: 0,
            slots: HashMap::new(),
            has_split: false,
            is_atomic: false,
            announces,
            checked: Vec::new(),
            spare: HashMap::new(),
            temporaries: Vec::new(),
        }
    }

    /// Lowers parameters and body of a function of the tree.
    fn whole(&mut self, tree: Id<typed::Function>) {
        let function = &self.typed.functions[tree];
        let parameters = function.parameters.iter().map(|p| self.cx.variable(*p)).collect();
        self.cx.functions[self.function].parameters = parameters;
        self.is_atomic = self.cx.threads && libc::is_atomic(&function.name);
        if self.is_atomic {
            self.primitive(None, Primitive::AtomicBegin, Vec::new(), function.span);
        }
        if let Some(stmt) = function.body {
            self.stmt(stmt);
        }
        self.fall_off(function.span);
        self.connect();
    }

    /// What happens at the closing brace: `main` returns 0; another function
    /// with a result returns anything.
    fn fall_off(&mut self, span: Span) {
        if self.graph.current.is_none() {
            return;
        }
        let result = self.result_type();
        let value = match result {
            None => None,
            Some(ty) if *self.cx.functions[self.function].name == *"main" => {
                self.is_int(ty).then(|| Argument::Scalar(self.cx.build.zero(ty)))
            }
            Some(ty) => {
                let way = self.temporary(ty);
                let place = self.cx.build.place(&way);
                self.emit(Op::Havoc { to: place, why: "no value returned".into() }, span);
                Some(self.argument(&way))
            }
        };
        self.leave(value, span);
    }

    fn is_int(&self, ty: Id<Type>) -> bool {
        self.cx.build.types.int_kind(ty).is_some()
    }

    /// The type of the function's result, if it has one.
    pub(crate) fn result_type(&self) -> Option<Id<Type>> {
        let types = &self.cx.build.types;
        match types.get(self.cx.functions[self.function].ty) {
            Type::Function(f) if !matches!(types.get(f.result), Type::Void) => Some(f.result),
            _ => None,
        }
    }

    /// Returns from the function.
    pub(crate) fn leave(&mut self, value: Option<Argument>, span: Span) {
        if self.is_atomic {
            self.primitive(None, Primitive::AtomicEnd, Vec::new(), span);
        }
        if let Some(source) = self.graph.current.take() {
            let exit = self.graph.exit;
            self.graph.edge(source, exit, Op::Return(value), span, None);
        }
    }

    /// Hands the automaton over.
    pub(crate) fn close(self) {
        let (locations, edges, entry, exit) = self.graph.finish();
        let function = &mut self.cx.functions[self.function];
        function.is_defined = true;
        (function.locations, function.edges) = (locations, edges);
        (function.entry, function.exit) = (entry, exit);
    }

    /// Does something and goes on.
    pub(crate) fn emit(&mut self, op: Op, span: Span) {
        self.checked.clear();
        self.graph.emit(op, span);
    }

    /// Ends the run.
    pub(crate) fn stop(&mut self, op: Op, span: Span) {
        self.checked.clear();
        self.graph.stop(op, span);
    }

    /// Demands that the program stays within what is defined.
    pub(crate) fn demand(&mut self, check: Check, span: Span) {
        if self.graph.current.is_some() && !self.checked.contains(&check) {
            self.graph.emit(Op::Check(check), span);
            self.checked.push(check);
        }
    }

    /// Goes on at another location.
    pub(crate) fn at(&mut self, location: Option<Loc>) {
        self.checked.clear();
        self.graph.current = location;
    }

    /// Says that a construct is not modelled.
    pub(crate) fn unsupported(&mut self, text: impl Into<Arc<str>>, span: Span) {
        self.emit(Op::Unsupported(text.into()), span);
    }

    /// A new temporary.
    pub(crate) fn temporary(&mut self, ty: Id<Type>) -> Way {
        let name: Arc<str> = format!("$t{}", self.temporaries.len()).into();
        let id = match self.spare.get_mut(&ty).and_then(Vec::pop) {
            Some(id) => {
                self.cx.variables[id].name = name;
                id
            }
            None => {
                let variable = Variable {
                    name,
                    ty,
                    storage: Storage::Temporary,
                    owner: Some(self.function),
                    address_taken: false,
                    read_only: false,
                    size: self.cx.build.types.size_of(ty).unwrap_or(0),
                    align: self.cx.build.types.align_of(ty),
                    span: self.cx.functions[self.function].span,
                };
                self.cx.add_variable(variable, Touch::NONE)
            }
        };
        self.temporaries.push(id);
        self.cx.build.variable(id, ty, false)
    }

    /// Saves a value in a temporary.
    pub(crate) fn save(&mut self, value: Id<Expr>, span: Span) -> Id<Expr> {
        let ty = self.cx.build.exprs[value].ty;
        let way = self.temporary(ty);
        let place = self.cx.build.place(&way);
        self.emit(Op::Assign(place, value), span);
        self.cx.build.load(place)
    }

    /// The value, saved if an effect to come may change it.
    pub(crate) fn settle(&mut self, value: Id<Expr>, effect: Touch, span: Span) -> Id<Expr> {
        if self.cx.build.reads(value).meets(effect) { self.save(value, span) } else { value }
    }

    /// The value, saved if another thread may change it.
    pub(crate) fn unshared(&mut self, value: Id<Expr>, span: Span) -> Id<Expr> {
        if self.cx.threads { self.settle(value, Touch::MEMORY, span) } else { value }
    }

    /// Whether other threads may access what is there.
    pub(crate) fn is_shared(&mut self, way: &Way) -> bool {
        self.cx.threads && {
            let place = self.cx.build.place(way);
            self.cx.build.contents(place).meets(Touch::MEMORY)
        }
    }

    /// An arbitrary value of a type, as a temporary nobody has written.
    pub(crate) fn arbitrary(&mut self, ty: Id<Type>, why: &str, span: Span) -> Way {
        let way = self.temporary(ty);
        let place = self.cx.build.place(&way);
        self.emit(Op::Havoc { to: place, why: why.into() }, span);
        way
    }

    /// The value at a temporary or other place that needs no check.
    pub(crate) fn load(&mut self, way: &Way) -> Id<Expr> {
        let place = self.cx.build.place(way);
        self.cx.build.load(place)
    }

    /// Stores without checks.
    pub(crate) fn set(&mut self, way: &Way, value: Id<Expr>, span: Span) {
        let value = self.cx.build.coerce(value, way.ty);
        let place = self.cx.build.place(way);
        self.emit(Op::Assign(place, value), span);
    }

    /// What a way holds, as an argument of a call or the value of a return.
    pub(crate) fn argument(&mut self, way: &Way) -> Argument {
        let place = self.cx.build.place(way);
        if self.cx.build.is_scalar(way.ty) {
            Argument::Scalar(self.cx.build.load(place))
        } else {
            Argument::Aggregate(place)
        }
    }

    /// Branches on a truth value. A constant has one branch only.
    pub(crate) fn split(&mut self, truth: Id<Expr>, span: Span) -> (Option<Loc>, Option<Loc>) {
        let truth = self.cx.build.truth(truth);
        self.checked.clear();
        if let Some(value) = self.cx.build.as_int(truth) {
            let here = self.graph.current;
            return if value != 0 { (here, None) } else { (None, here) };
        }
        let Some(source) = self.graph.current.take() else { return (None, None) };
        let otherwise = self.cx.build.negate(truth);
        let (yes, no) = (self.graph.location(), self.graph.location());
        self.graph.edge(source, yes, Op::Assume(truth), span, Some(true));
        self.graph.edge(source, no, Op::Assume(otherwise), span, Some(false));
        (Some(yes), Some(no))
    }

    /// The span of an expression.
    pub(crate) fn span(&self, id: Id<typed::Expr>) -> Span {
        self.typed.exprs[id].span
    }

    /// The type of an expression.
    pub(crate) fn ty(&self, id: Id<typed::Expr>) -> Id<Type> {
        self.typed.exprs[id].ty
    }

    /// A type by its integer kind.
    pub(crate) fn int_type(&mut self, kind: IntKind) -> Id<Type> {
        self.cx.build.types.int(kind)
    }

    /// The place of a way.
    pub(crate) fn place(&mut self, way: &Way) -> Id<Place> {
        self.cx.build.place(way)
    }
}
