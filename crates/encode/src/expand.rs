//! Copies of records become copies of their scalars.
//!
//! Whole records and small arrays are assigned member by member, and so are
//! blocks of memory whose shape shows in the types of the pointers
//! (`memcpy(&a, &b, sizeof a)`, `memset(&a, 0, sizeof a)`). What is too large,
//! has a union inside or, where bytes are copied, padding, stays as it is; and
//! so does what lies behind a pointer that the copy may change on its way.

use parallax_base::Id;
use parallax_cfa::{
    ArrayLength, Base, Edge, Expr, ExprKind, Function, Location, Op, Place, Primitive, Program,
    Step, Type,
};
use parallax_transform::{
    Arena, EdgeOrigin, FunctionOrigin, LocationOrigin, Node, Origin, Role, Uses,
};

/// An object with more scalars than this is not expanded.
const LIMIT: usize = 256;

/// The program with its copies expanded, and its way back. Existing edges keep
/// their ids.
pub(crate) fn expand(program: &Program) -> (Program, Origin) {
    let mut result = program.clone();
    let mut origin = Origin::identity(program);
    let mut arena = Arena::of(program);
    for function in program.functions.ids() {
        let way = &mut origin.functions[function.index()];
        expand_function(program, &mut arena, function, &mut result.functions[function], way);
    }
    (result.exprs, result.places) = (arena.exprs, arena.places);
    (result, origin)
}

fn expand_function(
    program: &Program,
    arena: &mut Arena,
    of: Id<Function>,
    function: &mut Function,
    way: &mut FunctionOrigin,
) {
    let mut work = Vec::new();
    for (id, edge) in function.edges.iter_enumerated() {
        if let Some(ops) = assignments(program, arena, &edge.op) {
            work.push((id, ops));
        }
    }
    for (id, ops) in work {
        let Edge { source: start, target, span, .. } = function.edges[id];
        let mut at = None;
        let count = ops.len();
        if count == 0 {
            function.edges[id].op = Op::Skip;
        }
        for (number, op) in ops.into_iter().enumerate() {
            let next = if number + 1 == count {
                target
            } else {
                way.locations.push(LocationOrigin { function: of, location: start, stack: None });
                function.locations.push(Location::at(span))
            };
            match at {
                None => {
                    let first = &mut function.edges[id];
                    (first.op, first.target) = (op, next);
                }
                Some(source) => {
                    let edge = Edge { source, target: next, op, span, branch: None };
                    function.edges.push(edge);
                    way.edges.push(EdgeOrigin {
                        function: of,
                        edge: id,
                        stack: None,
                        role: Role::Same,
                    });
                }
            }
            at = Some(next);
        }
    }
}

/// The assignments an operation stands for, if it is a copy that can be expanded.
fn assignments(program: &Program, arena: &mut Arena, op: &Op) -> Option<Vec<Op>> {
    match op {
        Op::Copy { to, from } => {
            let through = |place: &Id<Place>| match program.places[*place].base {
                Base::Pointer(pointer) => is_stable(program, pointer),
                Base::Variable(_) => is_stable_path(program, *place),
            };
            if ![to, from].into_iter().all(through) {
                return None;
            }
            copy(program, arena, *to, *from)
        }
        Op::Primitive { primitive: Primitive::CopyBytes, arguments, to: None } => {
            let [to, from, size] = arguments[..] else { return None };
            let size = known(program, size)?;
            let (to, ty) = typed(program, to, size)?;
            let (from, other) = typed(program, from, size)?;
            // Two types of the same size but different shape copy as bytes do.
            if ty != other || !is_stable(program, to) || !is_stable(program, from) {
                return None;
            }
            let to = arena.place(deref(to, ty));
            let from = arena.place(deref(from, ty));
            copy(program, arena, to, from).filter(|ops| fills(program, arena, ops, size))
        }
        Op::Primitive { primitive: Primitive::SetBytes, arguments, to: None } => {
            let [to, byte, size] = arguments[..] else { return None };
            let size = known(program, size)?;
            if known(program, byte)? != 0 || !is_stable(program, to) {
                return None;
            }
            let objects = match typed(program, to, size) {
                Some((to, ty)) => vec![deref(to, ty)],
                None => elements(program, arena, to, size)?,
            };
            let mut ops = Vec::new();
            for object in objects {
                let object = arena.place(object);
                for place in scalars(program, arena, object)? {
                    let ty = arena.places[place].ty;
                    let zero = match program.types.get(ty) {
                        Type::Float(_) => ExprKind::Float(0),
                        _ => ExprKind::Int(0),
                    };
                    let zero = arena.expr(zero, ty);
                    ops.push(Op::Assign(place, zero));
                }
            }
            (ops.len() <= LIMIT && fills(program, arena, &ops, size)).then_some(ops)
        }
        _ => None,
    }
}

/// Whether a pointer is the same after a store to memory: it is loaded from
/// variables to which there is no pointer, if at all.
fn is_stable(program: &Program, pointer: Id<Expr>) -> bool {
    loads_are_private(program, Node::Expr(pointer))
}

/// The same of the indices of a place in a variable.
fn is_stable_path(program: &Program, place: Id<Place>) -> bool {
    loads_are_private(program, Node::Place(place))
}

fn loads_are_private(program: &Program, node: Node) -> bool {
    let uses = Uses::of_nodes(program, [node]);
    uses.exprs.iter().all(|e| match program.exprs[*e].kind {
        ExprKind::Load(place) => match program.places[place].base {
            Base::Variable(v) => {
                !program.variables[v].address_taken && program.places[place].path.is_empty()
            }
            Base::Pointer(_) => false,
        },
        _ => true,
    })
}

/// Whether assignments write all of so many bytes: there is no padding.
fn fills(program: &Program, arena: &Arena, ops: &[Op], size: i128) -> bool {
    let bytes = |op: &Op| match op {
        Op::Assign(to, _) if arena.places[*to].bits.is_none() => {
            program.types.size_of(arena.places[*to].ty).map(i128::from)
        }
        _ => None,
    };
    ops.iter().map(bytes).sum::<Option<i128>>() == Some(size)
}

fn copy(program: &Program, arena: &mut Arena, to: Id<Place>, from: Id<Place>) -> Option<Vec<Op>> {
    let (to, from) = (scalars(program, arena, to)?, scalars(program, arena, from)?);
    if to.len() != from.len() {
        return None;
    }
    let mut ops = Vec::new();
    for (to, from) in to.into_iter().zip(from) {
        let ty = arena.places[from].ty;
        let value = arena.expr(ExprKind::Load(from), ty);
        ops.push(Op::Assign(to, value));
    }
    Some(ops)
}

fn deref(pointer: Id<Expr>, ty: Id<Type>) -> Place {
    Place { base: Base::Pointer(pointer), path: Vec::new(), ty, bits: None, volatile: false }
}

/// The value of a constant.
fn known(program: &Program, e: Id<Expr>) -> Option<i128> {
    match program.exprs[e].kind {
        ExprKind::Int(value) => Some(value),
        ExprKind::Convert(inner) => known(program, inner),
        _ => None,
    }
}

/// The pointer below conversions that points to an object of this size.
fn typed(program: &Program, e: Id<Expr>, size: i128) -> Option<(Id<Expr>, Id<Type>)> {
    let mut at = e;
    loop {
        let expr = &program.exprs[at];
        if let Some(ty) = program.types.pointee(expr.ty)
            && program.types.size_of(ty).map(i128::from) == Some(size)
            && !matches!(program.types.get(ty), Type::Void | Type::Function(_))
        {
            return Some((at, ty));
        }
        let ExprKind::Convert(inner) = expr.kind else { return None };
        program.types.pointee(program.exprs[inner].ty)?;
        at = inner;
    }
}

/// The objects in a block of memory behind an untyped pointer, as `calloc`
/// gives it: of the type that the same pointer is converted to elsewhere.
fn elements(
    program: &Program,
    arena: &mut Arena,
    pointer: Id<Expr>,
    size: i128,
) -> Option<Vec<Place>> {
    let mut bare = pointer;
    while let ExprKind::Convert(inner) = program.exprs[bare].kind {
        program.types.pointee(program.exprs[inner].ty)?;
        bare = inner;
    }
    let fits = |ty: Id<Type>| {
        let object = !matches!(program.types.get(ty), Type::Void | Type::Function(_));
        let one = program.types.size_of(ty).map(i128::from).filter(|one| object && *one > 0)?;
        (size % one == 0 && size / one <= LIMIT as i128).then_some((ty, one))
    };
    // The largest element that fits: bytes say nothing.
    let typed = program.exprs.iter_enumerated().filter_map(|(id, e)| match e.kind {
        ExprKind::Convert(inner) if inner == bare => {
            fits(program.types.pointee(e.ty)?).map(|(ty, one)| (one, id, ty))
        }
        _ => None,
    });
    let (one, pointer, ty) = typed.max()?;
    let index_type = size_type(program)?;
    let scale = arena.int(one, index_type);
    let mut places = Vec::new();
    for number in 0..size / one {
        let at = if number == 0 {
            pointer
        } else {
            let index = arena.int(number, index_type);
            let kind = ExprKind::PointerAdd { pointer, index, scale };
            arena.expr(kind, program.exprs[pointer].ty)
        };
        places.push(deref(at, ty));
    }
    Some(places)
}

/// The type of sizes, if the program has it.
fn size_type(program: &Program) -> Option<Id<Type>> {
    let types = &program.types;
    program.exprs.iter().find_map(|e| {
        let kind = types.int_kind(e.ty)?;
        (kind == types.model.size_type()).then_some(e.ty)
    })
}

/// The places of all scalars in a place, in order.
fn scalars(program: &Program, arena: &mut Arena, root: Id<Place>) -> Option<Vec<Id<Place>>> {
    let types = &program.types;
    let size_type = size_type(program);
    let mut found = Vec::new();
    let mut open = vec![arena.places[root].clone()];
    while let Some(place) = open.pop() {
        if found.len() + open.len() > LIMIT {
            return None;
        }
        match types.get(place.ty) {
            Type::Array { of, length: ArrayLength::Fixed(length) } => {
                if *length > LIMIT as u64 {
                    return None;
                }
                for i in (0..*length).rev() {
                    let index = arena.int(i128::from(i), size_type?);
                    let mut path = place.path.clone();
                    path.push(Step::Index(index));
                    open.push(Place { path, ty: *of, ..place.clone() });
                }
            }
            Type::Array { .. } | Type::VaList | Type::Complex(_) => return None,
            Type::Record(id) => {
                let record = &types.records[*id];
                if record.is_union {
                    return None;
                }
                for (number, member) in record.members.iter().enumerate().rev() {
                    if member.bits.is_some() && member.name.is_none() {
                        continue;
                    }
                    let mut path = place.path.clone();
                    path.push(Step::Member(*id, number as u32));
                    let bits = member.bits;
                    open.push(Place { path, ty: member.ty, bits, ..place.clone() });
                }
            }
            _ => found.push(arena.place(place)),
        }
    }
    Some(found)
}
