//! What calls may read and write: sets of static variables by name, and memory
//! behind pointers as a whole. A fixpoint over the calls of the program.
//!
//! The objects of an activation are fresh, so a function is not charged with
//! its own variables; what others see of them they see through pointers, which
//! counts as memory. Code that nobody knows may access all memory, every
//! variable that is defined elsewhere, and call whatever function the program
//! takes the address of.

use super::events::children;
use super::{Root, full_expressions, root};
use crate::libc::{self, Does, Meaning, Meanings};
use crate::typed::{
    AsmEffect, Builtin, Expr, ExprKind, Function, Program, Stmt, StmtKind, Storage, Variable,
};
use parallax_base::Id;
use std::collections::BTreeSet;

/// What something reads and writes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Effects {
    reads: BTreeSet<Id<Variable>>,
    writes: BTreeSet<Id<Variable>>,
    reads_memory: bool,
    writes_memory: bool,
    /// It accesses memory in a way that nobody knows.
    unknown: bool,
    halts: bool,
    /// It may do something that is an error or undefined.
    fails: bool,
}

impl Effects {
    /// An access.
    pub(super) fn access(at: Root, write: bool) -> Effects {
        let mut effects = Effects::default();
        match (at, write) {
            (Root::Variable(v), false) => drop(effects.reads.insert(v)),
            (Root::Variable(v), true) => drop(effects.writes.insert(v)),
            (Root::Memory, false) => effects.reads_memory = true,
            (Root::Memory, true) => effects.writes_memory = true,
            (Root::Value, _) => {}
        }
        effects
    }

    /// Adds the other; says whether that changed anything.
    pub(super) fn add(&mut self, other: &Effects) -> bool {
        let before = (self.reads.len(), self.writes.len(), self.bits());
        self.reads.extend(&other.reads);
        self.writes.extend(&other.writes);
        self.reads_memory |= other.reads_memory;
        self.writes_memory |= other.writes_memory;
        self.unknown |= other.unknown;
        self.halts |= other.halts;
        self.fails |= other.fails;
        before != (self.reads.len(), self.writes.len(), self.bits())
    }

    fn bits(&self) -> [bool; 5] {
        [self.reads_memory, self.writes_memory, self.unknown, self.halts, self.fails]
    }

    fn does(&mut self, does: Does) {
        self.reads_memory |= does.reads;
        self.writes_memory |= does.writes;
        self.halts |= does.halts;
        self.fails |= does.fails;
    }

    /// Whether it leaves everything as it is, and comes back unless it fails. The
    /// order of two such does not matter.
    pub(super) fn only_reads(&self) -> bool {
        self.writes.is_empty() && !self.writes_memory && !self.unknown && !self.halts
    }

    /// Whether the order of the two may matter.
    pub(super) fn conflicts(
        &self,
        other: &Effects,
        is_exposed: impl Fn(Id<Variable>) -> bool,
    ) -> bool {
        let ends = (self.halts && other.fails) || (self.fails && other.halts);
        let touch = |a: &Effects, b: &Effects| {
            let b_memory = b.reads_memory || b.writes_memory;
            let named = a.writes.iter().any(|v| {
                b.reads.contains(v)
                    || b.writes.contains(v)
                    || ((b_memory || b.unknown) && is_exposed(*v))
            });
            // Two that nobody knows leave anything behind in either order.
            let memory = a.writes_memory && (b_memory || b.unknown);
            let unknown = a.unknown && b_memory;
            let hidden = (a.writes_memory || a.unknown)
                && b.reads.iter().chain(&b.writes).any(|v| is_exposed(*v));
            named || memory || unknown || hidden
        };
        ends || touch(self, other) || touch(other, self)
    }
}

/// The effects of all functions of a program.
pub(super) struct Summaries<'s> {
    program: &'s Program,
    functions: Vec<Effects>,
    /// What a call through a pointer, or back from unknown code, may do.
    indirect: Effects,
}

/// What a body does itself, and whom it calls.
#[derive(Default)]
struct Own {
    effects: Effects,
    calls: BTreeSet<Id<Function>>,
    indirect: bool,
}

impl<'s> Summaries<'s> {
    /// Computes them.
    pub(super) fn of(program: &'s Program, meanings: &Meanings) -> Summaries<'s> {
        let mut summaries = Summaries {
            program,
            functions: vec![Effects::default(); program.functions.len()],
            indirect: Effects::default(),
        };
        let own: Vec<Own> = program
            .functions
            .iter()
            .map(|function| function.body.map_or_else(Own::default, |body| summaries.own(body)))
            .collect();
        let pointed = pointed_to(program);
        loop {
            let mut changed = false;
            for id in program.functions.iter_enumerated().map(|(id, _)| id) {
                let mut next = summaries.functions[id.index()].clone();
                changed |= match meanings.get(id) {
                    Meaning::Text => {
                        let own = &own[id.index()];
                        let mut any = next.add(&own.effects);
                        for callee in &own.calls {
                            any |= next.add(&summaries.functions[callee.index()]);
                        }
                        any | (own.indirect && next.add(&summaries.indirect))
                    }
                    Meaning::Model(model) => next.add(&summaries.functions[model.index()]),
                    Meaning::Operation => {
                        let mut effects = Effects::default();
                        effects.does(libc::operation_does(&program.functions[id].name));
                        next.add(&effects)
                    }
                    Meaning::Library(_) => {
                        next.add(&Effects { reads_memory: true, ..Effects::default() })
                    }
                    Meaning::Unknown => {
                        let unknown = summaries.unknown();
                        next.add(&unknown) | next.add(&summaries.indirect)
                    }
                };
                summaries.functions[id.index()] = next;
            }
            for id in &pointed {
                let effects = summaries.functions[id.index()].clone();
                changed |= summaries.indirect.add(&effects);
            }
            if !changed {
                return summaries;
            }
        }
    }

    /// What code that nobody knows does to variables.
    fn unknown(&self) -> Effects {
        let outside = self.program.variables.iter_enumerated();
        let outside = outside.filter(|(_, v)| v.storage == Storage::External).map(|(id, _)| id);
        let outside: BTreeSet<_> = outside.collect();
        Effects { unknown: true, reads: outside.clone(), writes: outside, ..Effects::default() }
    }

    /// The effects of a call, without its arguments.
    pub(super) fn call(&self, callee: Id<Expr>) -> Effects {
        match designated(self.program, callee) {
            Some(function) => self.functions[function.index()].clone(),
            None => {
                let mut effects = self.indirect.clone();
                effects.add(&self.unknown());
                effects
            }
        }
    }

    /// What a builtin does beyond its arguments.
    pub(super) fn builtin(builtin: Builtin) -> Effects {
        match builtin {
            Builtin::ObjectSize | Builtin::Fence | Builtin::Address | Builtin::Alloca => {
                Effects::default()
            }
            Builtin::Unreachable | Builtin::Trap => Effects { halts: true, ..Effects::default() },
            _ => Effects { reads_memory: true, writes_memory: true, ..Effects::default() },
        }
    }

    /// The effects of statements, variables of the function included.
    pub(super) fn statements(&self, body: Id<Stmt>) -> Effects {
        let own = self.walk(body, true);
        let mut effects = own.effects;
        for callee in own.calls {
            effects.add(&self.functions[callee.index()]);
        }
        if own.indirect {
            effects.add(&self.indirect);
            effects.add(&self.unknown());
        }
        effects
    }

    fn own(&self, body: Id<Stmt>) -> Own {
        self.walk(body, false)
    }

    /// Visits all expressions below a statement.
    fn walk(&self, body: Id<Stmt>, locals: bool) -> Own {
        let program = self.program;
        let mut own = Own::default();
        let (mut stmts, mut exprs) = (vec![body], Vec::new());
        while let Some(id) = stmts.pop() {
            let kind = &program.stmts[id].kind;
            substatements(kind, &mut stmts);
            full_expressions(kind, &mut exprs);
            if let StmtKind::Asm { outputs, effect, .. } = kind {
                own.effects.writes_memory |= *effect == AsmEffect::Memory;
                for output in outputs {
                    own.effects.add(&self.seen(*output, true, locals));
                }
            }
            while let Some(id) = exprs.pop() {
                let kind = &program.exprs[id].kind;
                children(kind, &mut exprs);
                match kind {
                    ExprKind::Load(a) => drop(own.effects.add(&self.seen(*a, false, locals))),
                    ExprKind::Assign(a, _) => drop(own.effects.add(&self.seen(*a, true, locals))),
                    ExprKind::AssignOp { left: a, .. } | ExprKind::Increment { target: a, .. } => {
                        own.effects.add(&self.seen(*a, false, locals));
                        own.effects.add(&self.seen(*a, true, locals));
                    }
                    ExprKind::Deref(_) | ExprKind::Binary(..) => own.effects.fails = true,
                    ExprKind::VaArg(a) => drop(own.effects.add(&self.seen(*a, true, locals))),
                    ExprKind::Call(callee, _) => match designated(program, *callee) {
                        Some(function) => drop(own.calls.insert(function)),
                        None => own.indirect = true,
                    },
                    ExprKind::Builtin(builtin, _) => {
                        own.effects.add(&Summaries::builtin(*builtin));
                    }
                    ExprKind::StatementExpr(body) => stmts.push(*body),
                    _ => {}
                }
            }
        }
        own
    }

    /// An access as others see it.
    fn seen(&self, lvalue: Id<Expr>, write: bool, locals: bool) -> Effects {
        let at = root(self.program, lvalue);
        if let Root::Variable(v) = at {
            let storage = self.program.variables[v].storage;
            if !locals && matches!(storage, Storage::Local | Storage::Parameter) {
                return Effects::default();
            }
        }
        Effects::access(at, write)
    }
}

/// The function that the callee of a call names.
fn designated(program: &Program, mut id: Id<Expr>) -> Option<Id<Function>> {
    loop {
        match &program.exprs[id].kind {
            ExprKind::Function(function) => return Some(*function),
            ExprKind::Decay(a)
            | ExprKind::AddressOf(a)
            | ExprKind::Deref(a)
            | ExprKind::Convert(a) => id = *a,
            _ => return None,
        }
    }
}

/// The functions whose address the program takes.
fn pointed_to(program: &Program) -> BTreeSet<Id<Function>> {
    let mut called = vec![0u32; program.functions.len()];
    let mut named = vec![0u32; program.functions.len()];
    for expr in &program.exprs {
        match &expr.kind {
            ExprKind::Function(f) => named[f.index()] += 1,
            ExprKind::Call(callee, _) => {
                if let Some(f) = designated(program, *callee) {
                    called[f.index()] += 1;
                }
            }
            _ => {}
        }
    }
    let ids = program.functions.iter_enumerated().map(|(id, _)| id);
    ids.filter(|id| named[id.index()] > called[id.index()]).collect()
}

/// The statements inside a statement.
fn substatements(kind: &StmtKind, out: &mut Vec<Id<Stmt>>) {
    match kind {
        StmtKind::Block(body) | StmtKind::Group(body) => out.extend(body),
        StmtKind::If(_, yes, no) => {
            out.push(*yes);
            out.extend(no);
        }
        StmtKind::While(_, body)
        | StmtKind::DoWhile(body, _)
        | StmtKind::Switch(_, body)
        | StmtKind::Case(_, _, body)
        | StmtKind::Default(body)
        | StmtKind::Label(_, body) => out.push(*body),
        StmtKind::For { init, body, .. } => {
            out.extend(init);
            out.push(*body);
        }
        StmtKind::Empty
        | StmtKind::Expr(_)
        | StmtKind::Declare(..)
        | StmtKind::Length(..)
        | StmtKind::Goto(_)
        | StmtKind::GotoComputed(_)
        | StmtKind::Break
        | StmtKind::Continue
        | StmtKind::Return(_)
        | StmtKind::Asm { .. }
        | StmtKind::Unsupported(_) => {}
    }
}
