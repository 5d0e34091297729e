//! Whether a program may come to an operation at all, seen from its text alone.
//!
//! A function is reached if one that is reached mentions it, by a call or by
//! its address, or if a static variable does that is mentioned itself. Nothing
//! is asked of memory or of conditions, so the answer stands whatever a run
//! does to memory.
//!
//! # Soundness
//!
//! What is not modelled may hide any operation, except for inline assembly: its
//! operands are lowered, and it is assumed to return to where it stands.

use crate::origin::{EdgeOrigin, FunctionOrigin, LocationOrigin, Origin, Role};
use crate::rewrite::{Node, Uses};
use parallax_base::{Id, IdVec};
use parallax_cfa::{
    ASSEMBLY, Base, Callee, Edge, ExprKind, Function, Halt, Initial, Location, Op, Program,
    Variable,
};
use std::collections::BTreeSet;

/// Whether some operation that the start function may come to is wanted, or
/// hides one that is.
pub fn may_come_to(program: &Program, wanted: &dyn Fn(&Op) -> bool) -> bool {
    let Some(main) = program.main else { return true };
    let mut reached = Reached {
        program,
        functions: BTreeSet::new(),
        variables: BTreeSet::new(),
        open: Vec::new(),
    };
    reached.function(main);
    while let Some(function) = reached.open.pop() {
        let body = &program.functions[function];
        for edge in &body.edges {
            if wanted(&edge.op) || hides(&edge.op) {
                return true;
            }
            if let Op::Call { callee: Callee::Direct(callee), .. } = edge.op {
                reached.function(callee);
            }
        }
        let uses = Uses::of_function(program, body);
        reached.mentioned(&uses);
    }
    false
}

/// Whether an operation stands for code that is not modelled.
fn hides(op: &Op) -> bool {
    matches!(op, Op::Unsupported(what) if **what != *ASSEMBLY)
}

struct Reached<'a> {
    program: &'a Program,
    functions: BTreeSet<Id<Function>>,
    variables: BTreeSet<Id<Variable>>,
    open: Vec<Id<Function>>,
}

impl Reached<'_> {
    fn function(&mut self, function: Id<Function>) {
        if self.functions.insert(function) {
            self.open.push(function);
        }
    }

    /// What is mentioned, and what the first values of variables there mention.
    fn mentioned(&mut self, uses: &Uses) {
        let program = self.program;
        let mut new = self.note(uses);
        while !new.is_empty() {
            let mut nodes = Vec::new();
            for (variable, initial) in &program.initials {
                if let (true, Initial::Items(items)) = (new.contains(variable), initial) {
                    for item in items {
                        nodes.extend([Node::Expr(item.value), Node::Place(item.place)]);
                    }
                }
            }
            new = self.note(&Uses::of_nodes(program, nodes));
        }
    }

    /// Notes functions and variables; says which variables are new.
    fn note(&mut self, uses: &Uses) -> BTreeSet<Id<Variable>> {
        for e in &uses.exprs {
            if let ExprKind::Function(function) = self.program.exprs[*e].kind {
                self.function(function);
            }
        }
        let mut new = BTreeSet::new();
        for place in &uses.places {
            if let Base::Variable(v) = self.program.places[*place].base
                && self.variables.insert(v)
            {
                new.insert(v);
            }
        }
        new
    }
}

/// A program that ends at once, in the place of one whose runs do not matter.
pub fn at_once(program: &Program) -> Option<(Program, Origin)> {
    let main = program.main?;
    let mut short = program.clone();
    short.initials.clear();
    let mut origin = Origin::identity(program);
    for id in program.functions.ids() {
        let function = &mut short.functions[id];
        (function.locations, function.edges) = (IdVec::default(), IdVec::default());
        function.is_defined = false;
        origin.functions[id.index()] = FunctionOrigin::default();
    }
    let old = &program.functions[main];
    let body = &mut short.functions[main];
    let way = &mut origin.functions[main.index()];
    let location = Location::at(old.span);
    let mut place = |at: Id<Location>| {
        way.locations.push(LocationOrigin { function: main, location: at, stack: None });
        body.locations.push(location.clone())
    };
    let (entry, exit, end) = (place(old.entry), place(old.exit), place(old.exit));
    (body.entry, body.exit, body.is_defined) = (entry, exit, true);
    let first: Id<Edge> = Id::new(0);
    let op = Op::Halt(Halt::End);
    let edge = Edge { source: entry, target: end, op, span: old.span, branch: None };
    body.edges.push(edge);
    way.edges.push(EdgeOrigin { function: main, edge: first, stack: None, role: Role::Same });
    Some((short, origin))
}
