//! Conditional constant propagation.
//!
//! After Wegman and Zadeck, TOPLAS 1991, on the automaton itself instead of a
//! static-single-assignment form: a variable to which no pointer exists is
//! replaced by its value where that is the same on every way that can be
//! taken; branches that cannot be taken are removed. Values are numbers,
//! addresses of functions and of variables.
//!
//! Code that cannot be reached stays as it is; compaction removes it.
//!
//! Checks keep the operator they are about. A check that is sure to succeed is
//! removed, one that is sure to fail stays.

use crate::dependence::is_final;
use crate::environment::Environment;
use crate::evaluate::{overwritten, plain_variable};
use crate::fold::{Folder, Value};
use crate::origin::{FunctionOrigin, Origin};
use crate::rewrite::{Arena, Mapping, Uses};
use parallax_base::{Id, IdVec};
use parallax_cfa::{
    Base, Binary, Callee, Check, Edge, Expr, ExprKind, Function, Graph, Initial, Location, Op,
    Place, Program, Scalar, Storage, arith,
};
use std::collections::BTreeSet;

/// A program with constants in place.
#[derive(Clone, Debug)]
pub struct Folded {
    /// The program.
    pub program: Program,
    /// Its way back.
    pub origin: Origin,
    /// How many edges cannot be taken and are gone.
    pub removed: usize,
}

type State = Environment<Value>;

/// Propagates constants in all functions. A program with threads stays as it
/// is: others may write between any two edges.
pub fn fold_constants(program: &Program) -> Folded {
    fold(program, false)
}

/// As [`fold_constants`]; what lies behind a pointer that is known becomes a
/// place in its variable.
///
/// # Soundness
/// An access after the variable has ended is one of a variable that has ended
/// then: undefined as before, but no longer through a pointer. Not for those
/// who ask about accesses.
pub fn fold_pointers(program: &Program) -> Folded {
    fold(program, true)
}

fn fold(program: &Program, direct: bool) -> Folded {
    if program.has_threads() {
        let origin = Origin::identity(program);
        return Folded { program: program.clone(), origin, removed: 0 };
    }
    let mut arena = Arena::of(program);
    let mut origin = Origin::identity(program);
    let mut result = program.clone();
    let mut removed = 0;
    for (id, function) in program.functions.iter_enumerated() {
        if !function.is_defined {
            continue;
        }
        let states = analyze(program, id);
        let way = &mut origin.functions[id.index()];
        let mut kept = FunctionOrigin { locations: way.locations.clone(), edges: Vec::new() };
        let mut edges = IdVec::default();
        for (edge_id, edge) in function.edges.iter_enumerated() {
            let Some(state) = &states[edge.source.index()] else {
                edges.push(edge.clone());
                kept.edges.push(way.edges[edge_id.index()]);
                continue;
            };
            let mut folder = Folder::new(program, state);
            let op = match &edge.op {
                Op::Assume(condition) => match folder.truth(*condition) {
                    Some(false) => continue,
                    Some(true) => Op::Skip,
                    None => rewrite(program, &mut arena, &mut folder, &edge.op, direct),
                },
                op => rewrite(program, &mut arena, &mut folder, op, direct),
            };
            edges.push(Edge { op, ..edge.clone() });
            kept.edges.push(way.edges[edge_id.index()]);
        }
        removed += function.edges.len() - edges.len();
        result.functions[id].edges = edges;
        *way = kept;
    }
    (result.exprs, result.places) = (arena.exprs, arena.places);
    Folded { program: result, origin, removed }
}

/// The place in a variable that lies behind a pointer which is known to point
/// to it, under the type it is used with.
fn behind(program: &Program, folder: &mut Folder<'_>, place: &Place) -> Option<Place> {
    let Base::Pointer(pointer) = place.base else { return None };
    let Some(Value::Address(known)) = folder.value(pointer) else { return None };
    let known = &program.places[known];
    if program.types.pointee(program.exprs[pointer].ty) != Some(known.ty) || known.bits.is_some() {
        return None;
    }
    let path = known.path.iter().chain(&place.path).copied().collect();
    let volatile = place.volatile || known.volatile;
    Some(Place { base: known.base, path, volatile, ..place.clone() })
}

/// The operation with known values in place.
fn rewrite(
    program: &Program,
    arena: &mut Arena,
    folder: &mut Folder<'_>,
    op: &Op,
    direct: bool,
) -> Op {
    let root = match op {
        Op::Check(check) => {
            if succeeds(program, folder, check) {
                return Op::Skip;
            }
            match *check {
                Check::Overflow(e) | Check::Shift(e) | Check::FloatConversion(e) => Some(e),
                _ => None,
            }
        }
        _ => None,
    };
    let uses = Uses::of_ops(program, std::iter::once(op));
    let mut mapping = Mapping::default();
    if direct {
        for place in &uses.places {
            if let Some(same) = behind(program, folder, &program.places[*place]) {
                mapping.set_place(*place, same);
            }
        }
    }
    for e in &uses.exprs {
        let Expr { kind, ty } = &program.exprs[*e];
        let known = if Some(*e) == root { None } else { folder.value(*e) };
        let new = match known.and_then(|value| value.expr()) {
            Some(kind) => arena.expr(kind, *ty),
            None => {
                let kind = mapping.kind(program, arena, kind);
                let kind = compared(program, arena, kind);
                // The chosen arm of a conditional is all of it.
                let chosen = match program.exprs[*e].kind {
                    ExprKind::Conditional(c, a, b) => {
                        folder.truth(c).map(|truth| mapping.expr(if truth { a } else { b }))
                    }
                    _ => None,
                };
                chosen.unwrap_or_else(|| arena.expr(kind, *ty))
            }
        };
        mapping.set(*e, new);
    }
    mapping.op(program, arena, op)
}

/// Pointers that are compared as integers of the same width are compared as
/// pointers.
fn compared(program: &Program, arena: &mut Arena, kind: ExprKind) -> ExprKind {
    let ExprKind::Binary(op @ (Binary::Eq | Binary::Ne), a, b) = kind else { return kind };
    let types = &program.types;
    let pointer = |arena: &Arena, e: Id<Expr>| match arena.exprs[e].kind {
        ExprKind::Convert(inner) => {
            let (wide, ty) = (arena.exprs[e].ty, arena.exprs[inner].ty);
            let fits = types.int_kind(wide).is_some() && types.size_of(wide) == types.size_of(ty);
            (fits && types.pointee(ty).is_some()).then_some(inner)
        }
        _ => None,
    };
    let null = |arena: &Arena, e: Id<Expr>| matches!(arena.exprs[e].kind, ExprKind::Int(0));
    let (p, q) = match (pointer(arena, a), pointer(arena, b)) {
        (Some(p), Some(q)) => (p, q),
        (Some(p), None) if null(arena, b) => (p, arena.int(0, arena.exprs[p].ty)),
        (None, Some(q)) if null(arena, a) => (arena.int(0, arena.exprs[q].ty), q),
        _ => return kind,
    };
    let ty = arena.exprs[p].ty;
    let q = match arena.exprs[q].ty == ty {
        true => q,
        false => arena.expr(ExprKind::Convert(q), ty),
    };
    ExprKind::Binary(op, p, q)
}

/// Whether a check of known values succeeds.
fn succeeds(program: &Program, folder: &mut Folder<'_>, check: &Check) -> bool {
    let scalar = |folder: &mut Folder<'_>, e| match folder.value(e) {
        Some(Value::Scalar(scalar)) => Some(scalar),
        _ => None,
    };
    match *check {
        Check::Division(e) | Check::Sequenced { apart: e, .. } | Check::Index { within: e, .. } => {
            scalar(folder, e).is_some_and(|s| s.bits != 0 && !s.ty.is_float())
        }
        Check::Overflow(e) => match program.exprs[e].kind {
            ExprKind::Binary(op, a, b) => match (scalar(folder, a), scalar(folder, b)) {
                // A shift by too much is another check's matter.
                (Some(a), Some(b)) if op != Binary::Shl => arith::fits(op, a.ty, a.bits, b.bits),
                _ => false,
            },
            ExprKind::Unary(_, a) => {
                scalar(folder, a).is_some_and(|a| arith::negation_fits(a.ty, a.bits))
            }
            _ => false,
        },
        Check::Shift(e) => match program.exprs[e].kind {
            ExprKind::Binary(_, a, b) => {
                let width = program.types.scalar(program.exprs[a].ty).map_or(0, |t| t.bits());
                scalar(folder, b).is_some_and(|b| b.bits < u128::from(width))
            }
            _ => false,
        },
        _ => false,
    }
}

/// The values known at each location; `None` where control does not arrive.
fn analyze(program: &Program, id: Id<Function>) -> Vec<Option<State>> {
    let function = &program.functions[id];
    let graph = Graph::new(function);
    let mut rank = vec![None; function.locations.len()];
    for (i, at) in graph.order().iter().enumerate() {
        rank[at.index()] = Some(i);
    }
    let mut states: Vec<Option<State>> = vec![None; function.locations.len()];
    states[function.entry.index()] = Some(initial(program, id));
    let mut work: BTreeSet<usize> = rank[function.entry.index()].into_iter().collect();
    while let Some(next) = work.pop_first() {
        let at: Id<Location> = graph.order()[next];
        for edge in graph.leaving(at) {
            let edge = &function.edges[*edge];
            let Some(before) = &states[at.index()] else { continue };
            let Some(after) = after(program, before, &edge.op) else { continue };
            let target = &mut states[edge.target.index()];
            let changed = match target {
                None => {
                    *target = Some(after);
                    true
                }
                Some(old) => old.join(&after, &mut |_, _, _| None),
            };
            if changed {
                work.extend(rank[edge.target.index()]);
            }
        }
    }
    states
}

fn after(program: &Program, before: &State, op: &Op) -> Option<State> {
    if is_final(op) || matches!(op, Op::Check(Check::Unreachable)) {
        return None;
    }
    let mut state = before.clone();
    match op {
        Op::Assume(condition) => {
            let mut folder = Folder::new(program, before);
            if folder.truth(*condition) == Some(false) {
                return None;
            }
            // `x == constant` says what `x` is.
            if let ExprKind::Binary(Binary::Eq, a, b) = program.exprs[*condition].kind {
                for (a, b) in [(a, b), (b, a)] {
                    if let (ExprKind::Load(place), Some(value)) =
                        (&program.exprs[a].kind, folder.value(b))
                        && let Some(v) = plain_variable(program, *place)
                        && !value.is_float()
                    {
                        state.set(v.index(), Some(value));
                    }
                }
            }
        }
        Op::Assign(to, value) => {
            let known = Folder::new(program, before).value(*value);
            match plain_variable(program, *to) {
                Some(v) => state.set(v.index(), known),
                None => overwritten(program, op).iter().for_each(|v| state.set(v.index(), None)),
            }
        }
        _ => overwritten(program, op).iter().for_each(|v| state.set(v.index(), None)),
    }
    Some(state)
}

/// Static variables have their initial values when `main` starts.
fn initial(program: &Program, id: Id<Function>) -> State {
    let mut state = State::new(program.variables.len());
    if !starts_once(program, id) {
        return state;
    }
    let nothing = State::new(program.variables.len());
    for (variable, initial) in &program.initials {
        let data = &program.variables[*variable];
        let Initial::Items(items) = initial else { continue };
        if data.address_taken || data.storage != Storage::Static {
            continue;
        }
        let Some(ty) = program.types.scalar(data.ty) else { continue };
        let value = match items.last() {
            None => Some(Value::Scalar(Scalar { ty, bits: 0 })),
            Some(item) => Folder::new(program, &nothing).value(item.value),
        };
        state.set(variable.index(), value);
    }
    state
}

/// Whether a function is the start function and nobody calls it again.
pub(crate) fn starts_once(program: &Program, id: Id<Function>) -> bool {
    let again = |op: &Op| matches!(op, Op::Call { callee: Callee::Direct(f), .. } if *f == id);
    program.main == Some(id)
        && !program.functions.iter().any(|f| f.edges.iter().any(|e| again(&e.op)))
        && !program.exprs.iter().any(|e| e.kind == ExprKind::Function(id))
}
