//! Where threads are cut into steps.
//!
//! A step of a thread is what it does up to, and not including, the next thing
//! that others may notice, or wait for: at most one *visible* operation with
//! what is the thread's own around it. Own operations commute with everything
//! that other threads do, so a run in which others move between them is the same
//! as one in which they move before or after the step (Lipton, CACM 1975).
//!
//! Visible is an access to an object that another thread accesses as well, one
//! of the two writing; what unknown code does; waiting for the end of a thread;
//! and an atomic section as a whole. Accesses of `main` are its own as long as no
//! other thread can have begun. To start a thread and to end is to enable others
//! and disables nobody, so both may stand behind a visible operation; nothing
//! visible stands behind the start of a thread in the same step.
//!
//! # Soundness
//! An object is told apart from others by the points-to analysis. A pointer that
//! may lead to memory that is not known touches everything that has escaped.

use crate::blocks::Cuts;
use crate::meet::Announced;
use crate::program::NotEncoded;
use parallax_base::Id;
use parallax_cfa::{
    Argument, Base, Callee, Check, Edge, Expr, ExprKind, Function, Graph, Location, Op, Place,
    Primitive, Program, Step, Variable,
};
use parallax_transform::points_to::{Object, ObjectKind, PointsTo};
use std::collections::BTreeSet;

/// An object as threads see it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Thing {
    Variable(Id<Variable>),
    Object(Id<Object>),
}

/// What an edge touches.
#[derive(Clone, Default, Debug)]
struct Touched {
    reads: BTreeSet<Thing>,
    writes: BTreeSet<Thing>,
    /// It may touch whatever there is.
    all: bool,
}

/// How deep in atomic sections each location of a function is; `None` where no
/// way leads.
pub(crate) fn depths(function: &Function) -> Result<Vec<Option<u32>>, NotEncoded> {
    let graph = Graph::new(function);
    let mut depths = vec![None; function.locations.len()];
    depths[function.entry.index()] = Some(0);
    let mut open = vec![function.entry];
    while let Some(at) = open.pop() {
        let here: u32 = depths[at.index()].unwrap_or(0);
        for edge in graph.leaving(at).iter().map(|e| &function.edges[*e]) {
            let next = match &edge.op {
                Op::Primitive {
                    primitive: Primitive::AtomicBegin | Primitive::AtomicWhen, ..
                } => here + 1,
                Op::Primitive { primitive: Primitive::AtomicEnd, .. } => here.saturating_sub(1),
                _ => here,
            };
            // A section ends with its thread.
            if edge.target == function.exit {
                depths[edge.target.index()] = Some(0);
                continue;
            }
            match depths[edge.target.index()] {
                None => {
                    depths[edge.target.index()] = Some(next);
                    open.push(edge.target);
                }
                Some(known) if known == next => {}
                Some(_) => {
                    let what = "an atomic section that begins on one way to a place only";
                    return Err(NotEncoded(what.to_owned()));
                }
            }
        }
    }
    Ok(depths)
}

/// The threads of a program, and what each edge of each touches.
pub(crate) struct Visible<'p> {
    functions: Vec<&'p Function>,
    touched: Vec<Vec<Touched>>,
    /// For each function and location: whether another thread may be there.
    others: Vec<Vec<bool>>,
    reads: Vec<BTreeSet<Thing>>,
    writes: Vec<BTreeSet<Thing>>,
    wild: Vec<bool>,
    /// Variables that more than one function mentions.
    shared: BTreeSet<Id<Variable>>,
}

impl<'p> Visible<'p> {
    /// Looks at all edges; `main` comes first.
    pub(crate) fn new(
        program: &'p Program,
        points_to: &PointsTo,
        starts: &[Id<Function>],
    ) -> Visible<'p> {
        let functions: Vec<_> = starts.iter().map(|f| &program.functions[*f]).collect();
        let mut seen: BTreeSet<Id<Variable>> = BTreeSet::new();
        let mut shared = BTreeSet::new();
        let mut touched = Vec::new();
        for function in &functions {
            let mut own = BTreeSet::new();
            let of = |edge: &Edge| {
                let mut look = Look { program, points_to, found: Touched::default() };
                look.op(&edge.op);
                look.found
            };
            let all: Vec<Touched> = function.edges.iter().map(of).collect();
            for thing in all.iter().flat_map(|t| t.reads.iter().chain(&t.writes)) {
                if let Thing::Variable(v) = thing {
                    own.insert(*v);
                }
            }
            shared.extend(own.intersection(&seen).copied());
            seen.extend(own);
            touched.push(all);
        }
        let others: Vec<Vec<bool>> = functions
            .iter()
            .enumerate()
            .map(|(number, function)| match number {
                0 => behind_a_start(function),
                _ => vec![true; function.locations.len()],
            })
            .collect();
        let count = functions.len();
        let mut visible = Visible {
            reads: vec![BTreeSet::new(); count],
            writes: vec![BTreeSet::new(); count],
            wild: vec![false; count],
            functions,
            touched,
            others,
            shared,
        };
        for number in 0..count {
            for (edge, touched) in
                visible.functions[number].edges.iter().zip(&visible.touched[number])
            {
                if visible.others[number][edge.source.index()] {
                    visible.reads[number].extend(&touched.reads);
                    visible.writes[number].extend(&touched.writes);
                    visible.wild[number] |= touched.all;
                }
            }
        }
        visible
    }

    /// Variables that more than one thread mentions: none of them knows when
    /// their values are no longer needed.
    pub(crate) fn shared(&self) -> &BTreeSet<Id<Variable>> {
        &self.shared
    }

    /// Whether other threads notice an edge, or what it is one step with: checks,
    /// also those that are not asked for, belong to the operation behind them.
    fn sees(&self, number: usize, cuts: &Cuts, edge: Id<Edge>) -> bool {
        let function = self.functions[number];
        let mut open = vec![edge];
        let mut seen = BTreeSet::new();
        while let Some(edge) = open.pop() {
            if self.is_visible(number, edge) {
                return true;
            }
            let data = &function.edges[edge];
            let is_passed = matches!(data.op, Op::Check(_) | Op::Skip) && !announces(&data.op);
            if is_passed && seen.insert(edge) {
                open.extend(&cuts.out[data.target.index()]);
            }
        }
        false
    }

    /// Whether other threads notice an edge, or it waits for them.
    fn is_visible(&self, number: usize, edge: Id<Edge>) -> bool {
        let data = &self.functions[number].edges[edge];
        if let Op::Primitive { primitive, .. } = &data.op {
            use Primitive::{AtomicBegin, AtomicWhen, Join, Lock, Unlock};
            use Primitive::{Rise, Sleep, Wake, WakeAll};
            if matches!(primitive, AtomicBegin | AtomicWhen | Join | Lock | Unlock)
                || matches!(primitive, Rise | Sleep | Wake | WakeAll)
            {
                return true;
            }
        }
        if announces(&data.op) {
            return false;
        }
        let touched = &self.touched[number][edge.index()];
        if !self.others[number][data.source.index()] {
            return false;
        }
        if touched.all {
            return true;
        }
        (0..self.functions.len()).filter(|other| *other != number).any(|other| {
            let (reads, writes) = (&self.reads[other], &self.writes[other]);
            let meets = |a: &BTreeSet<Thing>, b: &BTreeSet<Thing>| a.iter().any(|t| b.contains(t));
            self.wild[other] && !(touched.reads.is_empty() && touched.writes.is_empty())
                || meets(&touched.reads, writes)
                || meets(&touched.writes, writes)
                || meets(&touched.writes, reads)
        })
    }

    /// The accesses that another thread may conflict with. A thread stands at a cut
    /// point before each of them.
    pub(crate) fn announced(&self, depths: &[Vec<Option<u32>>]) -> Vec<Announced> {
        let mut all = Vec::new();
        for (thread, function) in self.functions.iter().enumerate() {
            for (edge, data) in function.edges.iter_enumerated() {
                let Some(depth) = depths[thread][data.source.index()] else { continue };
                if announces(&data.op) && self.others[thread][data.source.index()] {
                    all.push(Announced { thread, edge, inside: depth > 0 });
                }
            }
        }
        let touched = |a: &Announced| &self.touched[a.thread][a.edge.index()];
        let atomic = |a: &Announced| {
            let op = &self.functions[a.thread].edges[a.edge].op;
            a.inside || matches!(op, Op::Check(Check::Alone { atomic: true, .. }))
        };
        let meets = |a: &BTreeSet<Thing>, b: &BTreeSet<Thing>| a.iter().any(|t| b.contains(t));
        let conflict = |a: &Announced, b: &Announced| {
            let (one, other) = (touched(a), touched(b));
            let shares = one.all
                || other.all
                || meets(&one.reads, &other.writes)
                || meets(&one.writes, &other.writes)
                || meets(&one.writes, &other.reads);
            a.thread != b.thread && shares && !(atomic(a) && atomic(b))
        };
        all.iter().filter(|a| all.iter().any(|b| conflict(a, b))).copied().collect()
    }

    /// Adds the cut points that keep visible operations apart.
    pub(crate) fn cut(&self, number: usize, depths: &[Option<u32>], cuts: &mut Cuts) {
        let function = self.functions[number];
        let mut order: Vec<Id<Location>> =
            function.locations.ids().filter(|at| cuts.order[at.index()].is_some()).collect();
        order.sort_by_key(|at| cuts.order[at.index()]);
        let starts = |op: &Op| {
            matches!(op, Op::Primitive { primitive: Primitive::Spawn | Primitive::AtomicEnd, .. })
        };
        // Nobody moves between a check and what follows it. A check that is not
        // asked for has become one that does nothing.
        let mut can_turn = vec![false; function.locations.len()];
        for edge in &function.edges {
            let is_step = !matches!(edge.op, Op::Check(_) | Op::Skip) || announces(&edge.op);
            can_turn[edge.target.index()] |= is_step;
        }
        // Whether something visible may lie between the last cut point and here.
        let mut behind = vec![false; function.locations.len()];
        for at in order {
            let outside = depths[at.index()] == Some(0) && can_turn[at.index()];
            let sees = |e: &Id<Edge>| self.sees(number, cuts, *e);
            let is_seen = cuts.out[at.index()].iter().any(sees);
            if behind[at.index()] && outside && is_seen {
                cuts.is_cut[at.index()] = true;
                cuts.meets[at.index()] = true;
            }
            let sees = |e: &Id<Edge>| self.sees(number, cuts, *e);
            let dirty = behind[at.index()] && !cuts.is_cut[at.index()];
            for id in &cuts.out[at.index()] {
                let edge = &function.edges[*id];
                behind[edge.target.index()] |= dirty || sees(id) || starts(&edge.op);
            }
        }
    }
}

/// Whether an operation announces an access.
fn announces(op: &Op) -> bool {
    matches!(op, Op::Check(Check::Alone { .. } | Check::AloneBytes { .. }))
}

/// For each location: whether another thread may have been started before.
fn behind_a_start(function: &Function) -> Vec<bool> {
    let graph = Graph::new(function);
    let mut found = vec![false; function.locations.len()];
    let mut open = Vec::new();
    for edge in &function.edges {
        if matches!(edge.op, Op::Primitive { primitive: Primitive::Spawn, .. }) {
            open.push(edge.target);
        }
    }
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut found[at.index()], true) {
            open.extend(graph.leaving(at).iter().map(|e| function.edges[*e].target));
        }
    }
    found
}

/// Collects what an operation touches.
struct Look<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    found: Touched,
}

impl Look<'_> {
    fn op(&mut self, op: &Op) {
        match op {
            Op::Skip | Op::Error(_) | Op::Halt(_) | Op::Unsupported(_) => {}
            Op::Assume(e) => self.expr(*e),
            Op::Assign(to, e) => {
                self.expr(*e);
                self.write(*to);
            }
            Op::Copy { to, from } => {
                self.read(*from);
                self.write(*to);
            }
            Op::Input { to, .. } | Op::Havoc { to, .. } => self.write(*to),
            Op::Check(check) => self.check(check),
            Op::Call { to, callee, arguments } => {
                let known = match callee {
                    Callee::Direct(f) => !self.program.functions[*f].is_unknown(),
                    Callee::Indirect(_) => false,
                };
                self.found.all |= !known;
                arguments.iter().for_each(|a| self.argument(a));
                to.iter().for_each(|to| self.write(*to));
            }
            Op::Primitive { to, primitive, arguments } => {
                use Primitive::{CopyBytes, Free, HavocBytes, SetBytes};
                arguments.iter().for_each(|e| self.expr(*e));
                to.iter().for_each(|to| self.write(*to));
                if matches!(primitive, CopyBytes | Free | HavocBytes | SetBytes) {
                    for e in arguments {
                        self.behind(*e, true);
                    }
                }
            }
            Op::Return(value) => value.iter().for_each(|a| self.argument(a)),
            Op::Live(v, size) => {
                size.iter().for_each(|e| self.expr(*e));
                self.found.writes.insert(Thing::Variable(*v));
            }
            Op::Dead(v) => drop(self.found.writes.insert(Thing::Variable(*v))),
        }
    }

    fn check(&mut self, check: &Check) {
        match *check {
            Check::Overflow(e)
            | Check::Division(e)
            | Check::Shift(e)
            | Check::FloatConversion(e)
            | Check::Free(e)
            | Check::Callable(e)
            | Check::Sequenced { apart: e, .. }
            | Check::Index { within: e, .. } => self.expr(e),
            // What is announced is touched behind it. That it is touched is noted here
            // too, for those who ask for conflicts.
            Check::Alone { place, write, .. } => self.touch(place, write),
            Check::AloneBytes { pointer, write, .. } => self.behind(pointer, write),
            Check::Lock(place, _) => self.read(place),
            Check::Access { place, .. } => self.inside(place),
            Check::Initialized(place) => self.read(place),
            Check::AccessBytes { pointer, size, .. } => {
                self.expr(pointer);
                self.expr(size);
            }
            Check::Unreachable => {}
        }
    }

    fn argument(&mut self, argument: &Argument) {
        match *argument {
            Argument::Scalar(e) => self.expr(e),
            Argument::Aggregate(place) => self.read(place),
        }
    }

    fn read(&mut self, place: Id<Place>) {
        self.touch(place, false);
        self.inside(place);
    }

    fn write(&mut self, place: Id<Place>) {
        self.touch(place, true);
        self.inside(place);
    }

    fn touch(&mut self, place: Id<Place>, write: bool) {
        match self.program.places[place].base {
            Base::Variable(v) => self.add(Thing::Variable(v), write),
            Base::Pointer(e) => self.behind(e, write),
        }
    }

    fn behind(&mut self, pointer: Id<Expr>, write: bool) {
        for object in self.points_to.pointees(pointer) {
            match self.points_to.objects()[object].kind {
                ObjectKind::Variable(v) => self.add(Thing::Variable(v), write),
                _ => self.add(Thing::Object(object), write),
            }
        }
    }

    fn add(&mut self, thing: Thing, write: bool) {
        let set = if write { &mut self.found.writes } else { &mut self.found.reads };
        set.insert(thing);
    }

    /// What is read to find a place.
    fn inside(&mut self, place: Id<Place>) {
        let mut open = Vec::new();
        inner(&self.program.places[place], &mut open);
        open.into_iter().for_each(|e| self.expr(e));
    }

    fn expr(&mut self, root: Id<Expr>) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match &self.program.exprs[id].kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
                ExprKind::Load(place) => {
                    self.touch(*place, false);
                    inner(&self.program.places[*place], &mut open);
                }
                ExprKind::Address(place) => inner(&self.program.places[*place], &mut open),
                ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectSize(a) => {
                    open.push(*a);
                }
                ExprKind::Binary(_, a, b) => open.extend([*a, *b]),
                ExprKind::PointerAdd { pointer: a, index: b, scale: c }
                | ExprKind::PointerDiff { left: a, right: b, scale: c }
                | ExprKind::Conditional(a, b, c) => open.extend([*a, *b, *c]),
            }
        }
    }
}

/// The expressions that say where a place is.
fn inner(place: &Place, open: &mut Vec<Id<Expr>>) {
    if let Base::Pointer(e) = place.base {
        open.push(e);
    }
    for step in &place.path {
        if let Step::Index(e) = step {
            open.push(*e);
        }
    }
}
