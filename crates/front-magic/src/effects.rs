//! What a routine with a body may change in memory besides its actions.
//!
//! An abstraction says which actions a routine does and what it returns. Of a
//! routine without a body that is all that is known, and it is assumed to
//! change nothing else. If there is a body, as for a procedure that is its own
//! assumption, the static objects it may write have any value after the call;
//! which one is chosen when it returns.
//! Writes through pointers are not followed: a call then is not modelled.

use crate::syntax::Abstraction;
use crate::text::ASSUMED;
use parallax_base::Id;
use parallax_cfa::{Base, Callee, Edge, Function, Location, Op, Place, Program, Storage, Variable};
use std::collections::BTreeSet;

/// Puts the effects of routines with a body into the functions that stand for
/// them.
pub(crate) fn add_effects(program: &mut Program, assumptions: &[Abstraction]) {
    for assumed in assumptions {
        let find = |name: &str| {
            let all = program.functions.iter_enumerated();
            all.filter(|(_, f)| *f.name == *name && f.is_defined).map(|(id, _)| id).next()
        };
        let name = &assumed.signature.name;
        let (Some(body), Some(stand_in)) = (find(name), find(&format!("{ASSUMED}{name}"))) else {
            continue;
        };
        let (statics, through_pointers) = writes(program, body);
        if through_pointers {
            let what = "an assumed routine that writes through pointers";
            before_all(&mut program.functions[stand_in], Op::Unsupported(what.into()));
        }
        let mut ops = Vec::new();
        for variable in statics {
            let place = Place {
                base: Base::Variable(variable),
                path: Vec::new(),
                ty: program.variables[variable].ty,
                bits: None,
                volatile: false,
            };
            let to = program.places.push(place);
            ops.push(Op::Havoc { to, why: "an assumed routine".into() });
        }
        before_returns(&mut program.functions[stand_in], &ops);
    }
}

/// The static objects that a function may write, calls included, and whether it
/// may write through pointers.
fn writes(program: &Program, start: Id<Function>) -> (BTreeSet<Id<Variable>>, bool) {
    let (mut statics, mut through) = (BTreeSet::new(), false);
    let mut seen = BTreeSet::from([start]);
    let mut open = vec![start];
    while let Some(id) = open.pop() {
        for edge in &program.functions[id].edges {
            let mut written: Vec<Id<Place>> = Vec::new();
            match &edge.op {
                Op::Assign(to, _) | Op::Copy { to, .. } => written.push(*to),
                Op::Input { to, .. } | Op::Havoc { to, .. } => written.push(*to),
                Op::Call { to, callee, .. } => {
                    written.extend(to);
                    match callee {
                        Callee::Direct(callee) => {
                            if seen.insert(*callee) {
                                open.push(*callee);
                            }
                        }
                        Callee::Indirect(_) => through = true,
                    }
                }
                Op::Primitive { .. } => through = true,
                _ => {}
            }
            for place in written {
                match program.places[place].base {
                    Base::Pointer(_) => through = true,
                    Base::Variable(variable) => {
                        let storage = program.variables[variable].storage;
                        if matches!(storage, Storage::Static | Storage::Thread) {
                            statics.insert(variable);
                        }
                    }
                }
            }
        }
    }
    (statics, through)
}

/// An operation that comes before everything a function does.
fn before_all(function: &mut Function, op: Op) {
    let span = function.span;
    let source = function.locations.push(Location::at(span));
    let target = std::mem::replace(&mut function.entry, source);
    function.edges.push(Edge { source, target, op, span, branch: None });
}

/// Operations that come last. Chosen values must not be known to whoever does an
/// action earlier.
fn before_returns(function: &mut Function, ops: &[Op]) {
    let returns: Vec<Id<Edge>> = function
        .edges
        .iter_enumerated()
        .filter(|(_, edge)| matches!(edge.op, Op::Return(_)))
        .map(|(id, _)| id)
        .collect();
    for id in returns {
        for op in ops {
            let (span, source) = (function.edges[id].span, function.edges[id].source);
            let next = function.locations.push(Location::at(span));
            function.edges.push(Edge { source, target: next, op: op.clone(), span, branch: None });
            function.edges[id].source = next;
        }
    }
}
