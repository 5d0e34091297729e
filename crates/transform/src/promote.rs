//! Heap objects that exist at most once become local variables, and variables
//! to which no pointer is made any more are marked as such.
//!
//! After inlining, an allocation that lies on no cycle is made at most once. If
//! its size is known, its pointer is used as one type, and nothing frees it, it
//! is as good as a local variable of that type that begins to live there, with
//! arbitrary contents.
//!
//! # Soundness
//!
//! Programs run alike, except that nothing is allocated: not for those who ask
//! whether objects are freed. An access outside of the object is undefined
//! before and after.

use crate::origin::{EdgeOrigin, LocationOrigin, Origin, Role, VariableOrigin};
use crate::points_to::{Hints, ObjectKind, PointsTo};
use crate::rewrite::{Arena, Node, Uses};
use parallax_base::Id;
use parallax_cfa::{
    ArrayLength, Base, Edge, Expr, ExprKind, Function, Graph, Initial, Location, Op, Place,
    Primitive, Program, Step, Storage, Type, Variable,
};
use std::collections::BTreeSet;

/// A program with fewer heap objects.
#[derive(Clone, Debug)]
pub struct Promoted {
    /// The program.
    pub program: Program,
    /// Its way back. The new variables have no original.
    pub origin: Origin,
    /// How many heap objects are variables now.
    pub count: usize,
}

/// An object with more bytes stays on the heap.
const LARGE: u64 = 1 << 16;

/// Promotes heap objects of the start function; inline before. The analysis
/// must be of this program.
pub fn promote_heap(program: &Program, points_to: &PointsTo) -> Promoted {
    let mut promoted =
        Promoted { program: program.clone(), origin: Origin::identity(program), count: 0 };
    let Some(main) = program.main.filter(|_| !program.has_threads()) else { return promoted };
    let function = &program.functions[main];
    let candidates: Vec<(Id<Edge>, Id<Place>, i128)> = function
        .edges
        .iter_enumerated()
        .filter_map(|(id, edge)| match &edge.op {
            Op::Primitive { to: Some(to), primitive: Primitive::Allocate, arguments } => {
                Some((id, *to, constant(program, *arguments.first()?)?))
            }
            _ => None,
        })
        .collect();
    if candidates.is_empty() {
        return promoted;
    }
    let freed = freed(function, points_to);
    let component = Graph::new(function).components(function);
    let hints = Hints::of(program);
    let mut arena = Arena::of(program);
    for (id, to, size) in candidates {
        let edge = &function.edges[id];
        let on_cycle = component[edge.source.index()] == component[edge.target.index()];
        let ty = hints.of_edge(main, id);
        let (false, false, Some(element)) = (on_cycle, freed.contains(&id), ty) else { continue };
        let Some(ty) = object_type(&mut promoted.program, element, size) else { continue };
        promoted.count += 1;
        let types = &promoted.program.types;
        let variable = promoted.program.variables.push(Variable {
            name: format!("heap{}", promoted.count).into(),
            ty,
            storage: Storage::Local,
            owner: Some(main),
            address_taken: true,
            read_only: false,
            size: size as u64,
            align: types.align_of(ty).max(16),
            span: edge.span,
        });
        promoted.origin.variables.push(VariableOrigin { variable: None, stack: None });
        let whole = arena.whole(variable, ty);
        let place = match ty == element {
            true => whole,
            false => {
                let zero = arena.int(0, arena.exprs[size_expr(edge)].ty);
                let first = Place {
                    path: vec![Step::Index(zero)],
                    ty: element,
                    ..arena.places[whole].clone()
                };
                arena.place(first)
            }
        };
        let pointer = promoted.program.types.pointer(element);
        let address = arena.expr(ExprKind::Address(place), pointer);
        let wanted = program.places[to].ty;
        let value = match wanted == pointer {
            true => address,
            false => arena.expr(ExprKind::Convert(address), wanted),
        };
        let body = &mut promoted.program.functions[main];
        let between = body.locations.push(Location::at(body.locations[edge.source].span));
        let way = &mut promoted.origin.functions[main.index()];
        way.locations.push(LocationOrigin { function: main, location: edge.source, stack: None });
        let set = Edge { source: between, op: Op::Assign(to, value), ..edge.clone() };
        let begin = &mut body.edges[id];
        (begin.target, begin.op) = (between, Op::Live(variable, None));
        body.edges.push(set);
        way.edges.push(EdgeOrigin { function: main, edge: id, stack: None, role: Role::Same });
    }
    (promoted.program.exprs, promoted.program.places) = (arena.exprs, arena.places);
    promoted
}

/// The size that an allocation asks for; the caller knows that it is one.
fn size_expr(edge: &Edge) -> Id<Expr> {
    match &edge.op {
        Op::Primitive { arguments, .. } => arguments[0],
        _ => Id::new(0),
    }
}

/// The type of an object of this many bytes: one element or an array of them.
fn object_type(program: &mut Program, element: Id<Type>, size: i128) -> Option<Id<Type>> {
    let size = u64::try_from(size).ok().filter(|size| (1..=LARGE).contains(size))?;
    let types = &mut program.types;
    if matches!(types.get(element), Type::Void | Type::Function(_)) {
        return None;
    }
    let one = types.size_of(element).filter(|one| *one > 0)?;
    match size / one {
        1 if size == one => Some(element),
        n if size.is_multiple_of(one) => {
            Some(types.intern(Type::Array { of: element, length: ArrayLength::Fixed(n) }))
        }
        _ => None,
    }
}

fn constant(program: &Program, e: Id<Expr>) -> Option<i128> {
    match program.exprs[e].kind {
        ExprKind::Int(value) => Some(value),
        ExprKind::Convert(inner) => match program.exprs[inner].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        },
        _ => None,
    }
}

/// The allocations whose objects may be freed.
fn freed(function: &Function, points_to: &PointsTo) -> BTreeSet<Id<Edge>> {
    let mut found = BTreeSet::new();
    for edge in &function.edges {
        let Op::Primitive { primitive: Primitive::Free, arguments, .. } = &edge.op else {
            continue;
        };
        for object in arguments.iter().flat_map(|e| points_to.pointees(*e)) {
            match points_to.objects()[object].kind {
                ObjectKind::Heap { edge, .. } => drop(found.insert(edge)),
                ObjectKind::Unknown => found.extend(function.edges.ids()),
                _ => {}
            }
        }
    }
    found
}

/// Marks variables to which the start function makes no pointer any more, in a
/// program where only that function has a body. Says how many there are.
pub fn release_addresses(program: &mut Program) -> usize {
    let Some(main) = program.main.filter(|_| !program.has_threads()) else { return 0 };
    let mut nodes = Vec::new();
    let mut outside = BTreeSet::new();
    for (variable, initial) in &program.initials {
        match initial {
            Initial::Items(items) => {
                nodes.extend(items.iter().map(|item| Node::Expr(item.value)));
            }
            Initial::Arbitrary => drop(outside.insert(*variable)),
        }
    }
    let initials = Uses::of_nodes(program, nodes);
    let uses = Uses::of_function(program, &program.functions[main]);
    let taken: BTreeSet<Id<Variable>> = uses
        .exprs
        .iter()
        .chain(&initials.exprs)
        .filter_map(|e| match program.exprs[*e].kind {
            ExprKind::Address(place) => match program.places[place].base {
                Base::Variable(v) => Some(v),
                Base::Pointer(_) => None,
            },
            _ => None,
        })
        .collect();
    let mut count = 0;
    for v in program.variables.ids() {
        let variable = &mut program.variables[v];
        let is_needed = taken.contains(&v) || outside.contains(&v) || variable.read_only;
        if variable.address_taken && !is_needed {
            variable.address_taken = false;
            count += 1;
        }
    }
    count
}
