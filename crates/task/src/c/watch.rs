//! Has a program show itself to a formula of linear temporal logic.
//!
//! The function that `formula.rs` wrote for the formula is called before `main` does
//! anything, and after every operation that may write what the function reads.
//! Where a run ends at an assumption that does not hold, it says that nobody asks
//! about it. The ends of blocks are set so that no step over terms shows two letters.
//!
//! # Soundness
//! An operation that is taken for one that may write, and does not, shows the same
//! letter once more, which no formula without `X` notices. What code outside the
//! program writes is seen after the call of it.

use super::sense::demand;
use parallax_base::{Id, Span};
use parallax_cfa::{
    Base, CProperty, Callee, Edge, Function, Halt, Location, Mark, Op, Place, Primitive, Program,
    Temporal, Variable,
};
use parallax_transform::Uses;
use std::collections::BTreeSet;

/// The mark of the places behind a letter.
const SHOWN: Mark = Mark::Cut(0);

/// The function that looks at the program for a formula, and the one for runs that
/// nobody asks about. (A name of the library's is that of what it models.)
fn watchers(program: &Program, formula: &Temporal) -> [Option<Id<Function>>; 2] {
    let number = formula.number;
    [format!("watch_{number}"), format!("watch_out_{number}")].map(|name| {
        let is_named = |f: &Function| f.is_library && *f.name == *name;
        program.functions.iter_enumerated().find(|(_, f)| is_named(f)).map(|(id, _)| id)
    })
}

/// Whether the atoms of a formula may be asked of the program: they look and do
/// nothing else. If not, why.
pub(super) fn check(program: &Program, formula: &Temporal) -> Result<(), &'static str> {
    let [watcher, _] = watchers(program, formula);
    let sees = watcher.is_some_and(|watcher| {
        let function = &program.functions[watcher];
        let breaks = |callee: Id<Function>| {
            formula.always().is_some() && !program.functions[callee].is_defined
        };
        function.edges.iter().all(|edge| match &edge.op {
            Op::Assign(to, _) => match program.places[*to].base {
                Base::Variable(v) => program.variables[v].owner == Some(watcher),
                Base::Pointer(_) => false,
            },
            Op::Call { callee: Callee::Direct(callee), to: None, .. } => breaks(*callee),
            Op::Primitive { primitive, .. } => {
                matches!(primitive, Primitive::Atom | Primitive::Letter)
            }
            Op::Skip
            | Op::Assume(_)
            | Op::Check(_)
            | Op::Live(..)
            | Op::Dead(_)
            | Op::Return(None) => true,
            _ => false,
        })
    });
    if sees { Ok(()) } else { Err("an atom may look at the program and do nothing else") }
}

/// Has the program show itself to a formula that has been checked.
pub(super) fn watch(program: &mut Program, formula: &Temporal) {
    let [Some(watcher), out] = watchers(program, formula) else { return };
    fail(program, watcher, formula);
    demand(program, watcher);
    let sight = Sight::of(program, watcher);
    let mark = formula.always().is_none().then_some(SHOWN);
    let functions: Vec<Id<Function>> = program.functions.ids().collect();
    for id in functions.into_iter().filter(|f| *f != watcher && Some(*f) != out) {
        for edge in program.functions[id].edges.ids() {
            let op = &program.functions[id].edges[edge].op;
            if sight.may_change(program, op) {
                after(program, id, edge, watcher, mark);
            } else if let (Op::Halt(Halt::Assumption), Some(out)) = (op, out) {
                before(program, id, edge, out);
            }
        }
    }
    if let Some(main) = program.main {
        first(program, main, watcher, mark);
    }
}

/// Where a formula about states does not hold, is an error.
fn fail(program: &mut Program, watcher: Id<Function>, formula: &Temporal) {
    let text = CProperty::Temporal(std::sync::Arc::new(formula.clone())).error_text();
    let function = &mut program.functions[watcher];
    let exit = function.exit;
    for edge in function.edges.ids() {
        let edge = &mut function.edges[edge];
        if matches!(edge.op, Op::Call { .. }) {
            (edge.op, edge.target) = (Op::Error(text.clone()), exit);
        }
    }
}

/// What the atoms of a formula read.
struct Sight {
    variables: BTreeSet<Id<Variable>>,
    /// Whether they follow pointers: then they may read anything.
    follows: bool,
}

impl Sight {
    /// What a watching function reads.
    fn of(program: &Program, watcher: Id<Function>) -> Sight {
        let uses = Uses::of_function(program, &program.functions[watcher]);
        let base = |place: &Id<Place>| program.places[*place].base;
        let follows = uses.places.iter().any(|place| matches!(base(place), Base::Pointer(_)));
        let variables = uses.variables(program);
        let is_own = |v: &Id<Variable>| program.variables[*v].owner == Some(watcher);
        Sight { variables: variables.filter(|v| !is_own(v)).collect(), follows }
    }

    /// Whether an operation may change what is read.
    fn may_change(&self, program: &Program, op: &Op) -> bool {
        let is_exposed = |v: &Id<Variable>| program.variables[*v].address_taken;
        let by_pointer = self.follows || self.variables.iter().any(is_exposed);
        let writes = |to: Id<Place>| match program.places[to].base {
            Base::Variable(v) => self.follows || self.variables.contains(&v),
            Base::Pointer(_) => by_pointer,
        };
        match op {
            Op::Assign(to, _)
            | Op::Copy { to, .. }
            | Op::Input { to, .. }
            | Op::Havoc { to, .. } => writes(*to),
            Op::Call { to, callee, .. } => {
                let is_foreign = match callee {
                    Callee::Direct(f) => !program.functions[*f].is_defined,
                    Callee::Indirect(_) => true,
                };
                to.is_some_and(writes) || is_foreign
            }
            Op::Primitive { to, primitive, .. } => {
                use Primitive::{CopyBytes, Free, HavocBytes, SetBytes};
                let changes = matches!(primitive, CopyBytes | SetBytes | HavocBytes | Free);
                to.is_some_and(writes) || (changes && by_pointer)
            }
            Op::Live(..) | Op::Dead(_) => self.follows,
            Op::Skip
            | Op::Assume(_)
            | Op::Check(_)
            | Op::Return(_)
            | Op::Error(_)
            | Op::Halt(_)
            | Op::Unsupported(_) => false,
        }
    }
}

fn place(function: &mut Function, mark: Option<Mark>, span: Span) -> Id<Location> {
    function.locations.push(Location { mark, ..Location::at(span) })
}

fn call(callee: Id<Function>) -> Op {
    Op::Call { to: None, callee: Callee::Direct(callee), arguments: Vec::new() }
}

/// Has a function called behind an edge.
fn after(
    program: &mut Program,
    id: Id<Function>,
    edge: Id<Edge>,
    callee: Id<Function>,
    mark: Option<Mark>,
) {
    let function = &mut program.functions[id];
    let (span, target) = (function.edges[edge].span, function.edges[edge].target);
    let (written, shown) = (place(function, None, span), place(function, mark, span));
    function.edges[edge].target = written;
    let step = |source, target, op| Edge { source, target, op, span, branch: None };
    function.edges.push(step(written, shown, call(callee)));
    function.edges.push(step(shown, target, Op::Skip));
}

/// Has a function called in front of an edge.
fn before(program: &mut Program, id: Id<Function>, edge: Id<Edge>, callee: Id<Function>) {
    let function = &mut program.functions[id];
    let (span, source) = (function.edges[edge].span, function.edges[edge].source);
    let called = place(function, None, span);
    function.edges[edge].source = called;
    function.edges.push(Edge { source, target: called, op: call(callee), span, branch: None });
}

/// Has a function called before another one does anything.
fn first(program: &mut Program, id: Id<Function>, callee: Id<Function>, mark: Option<Mark>) {
    let function = &mut program.functions[id];
    let (span, old) = (function.span, function.entry);
    let (entry, shown) = (place(function, None, span), place(function, mark, span));
    let step = |source, target, op| Edge { source, target, op, span, branch: None };
    function.edges.push(step(entry, shown, call(callee)));
    function.edges.push(step(shown, old, Op::Skip));
    function.entry = entry;
}
