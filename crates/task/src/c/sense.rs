//! Atoms that have no value: behind a null pointer, outside an array, by a division.
//!
//! What the program itself must not do may be left out of a question. What a formula
//! does may not: a run would end where the formula looks at it, and whatever is
//! asked would hold. So the function that looks branches before each such check to
//! something that is not modelled, and the answer is open.
//!
//! # Limits
//! That a pointer points to an object that no longer lives, or far outside one, is not
//! noticed here; it falls under the assumption on memory accesses.

use parallax_base::{Id, IdVec};
use parallax_cfa::{
    ArrayLength, Base, Binary, Check, Expr, ExprKind, Function, IntKind, Location, Op, Place,
    Program, Step, Type, Unary,
};

/// What is said where an atom has no value.
const WITHOUT: &str = "an atom of the formula without a value (such as `*p` where `p` is null)";

/// Has a function that looks at the program say where an atom has no value.
pub(super) fn demand(program: &mut Program, watcher: Id<Function>) {
    for edge in program.functions[watcher].edges.ids() {
        let Op::Check(check) = program.functions[watcher].edges[edge].op else { continue };
        for nonsense in nonsense(program, check) {
            branch(program, watcher, edge, nonsense);
        }
    }
}

/// Conditions under which what is checked cannot be.
fn nonsense(program: &mut Program, check: Check) -> Vec<Id<Expr>> {
    match check {
        Check::Division(divisor) => vec![not(program, divisor)],
        Check::Access { place, .. } => {
            let Place { base, path, .. } = program.places[place].clone();
            let mut found = Vec::new();
            let mut ty = match base {
                Base::Variable(v) => program.variables[v].ty,
                Base::Pointer(pointer) => {
                    found.push(not(program, pointer));
                    let to = program.types.pointee(program.exprs[pointer].ty);
                    let Some(to) = to else { return found };
                    to
                }
            };
            for step in path {
                match step {
                    Step::Member(record, member) => {
                        ty = program.types.records[record].members[member as usize].ty;
                    }
                    Step::Index(index) => {
                        let Type::Array { of, length } = *program.types.get(ty) else { break };
                        if let ArrayLength::Fixed(length) = length {
                            found.extend(outside(program, index, length));
                        }
                        ty = of;
                    }
                }
            }
            found
        }
        _ => Vec::new(),
    }
}

/// That an expression is zero.
fn not(program: &mut Program, e: Id<Expr>) -> Id<Expr> {
    let int = program.types.int(IntKind::Int);
    program.exprs.push(Expr { kind: ExprKind::Unary(Unary::Not, e), ty: int })
}

/// That an index is none of an array with so many elements.
fn outside(program: &mut Program, index: Id<Expr>, length: u64) -> Vec<Id<Expr>> {
    let (int, ty) = (program.types.int(IntKind::Int), program.exprs[index].ty);
    let mut compared = |op, value| {
        let value = program.exprs.push(Expr { kind: ExprKind::Int(value), ty });
        program.exprs.push(Expr { kind: ExprKind::Binary(op, index, value), ty: int })
    };
    vec![compared(Binary::Lt, 0), compared(Binary::Ge, i128::from(length))]
}

/// Branches in front of an edge, under a condition, to what is not modelled.
fn branch(program: &mut Program, id: Id<Function>, edge: Id<parallax_cfa::Edge>, when: Id<Expr>) {
    let otherwise = not(program, when);
    let function = &mut program.functions[id];
    let mut at = function.edges[edge].clone();
    let place = |locations: &mut IdVec<Location>| locations.push(Location::at(at.span));
    let (lost, goes_on) = (place(&mut function.locations), place(&mut function.locations));
    function.edges[edge].source = goes_on;
    let source = at.source;
    for (target, condition, truth) in [(lost, when, true), (goes_on, otherwise, false)] {
        (at.source, at.target, at.branch) = (source, target, Some(truth));
        at.op = Op::Assume(condition);
        function.edges.push(at.clone());
    }
    (at.source, at.target, at.branch) = (lost, function.exit, None);
    at.op = Op::Unsupported(WITHOUT.into());
    function.edges.push(at);
}
