//! Places: a base, a constant offset, and indices with their strides.

use super::Register;
use crate::{Base, Check, ExprKind, Op, Place, Program, Step, Type, Variable};
use parallax_base::Id;

/// The registers of what a place is computed from.
#[derive(Clone, Debug)]
pub struct Parts<R> {
    /// The pointer it starts from, if it starts from one.
    pub base: Option<R>,
    /// The indices, constants included.
    pub indices: Vec<R>,
}

impl<R: Register> Parts<R> {
    /// Takes the parts of a place from the top of the stack.
    pub(super) fn pop(place: &Place, stack: &mut Vec<R>) -> Parts<R> {
        let count = place.path.iter().filter(|s| matches!(s, Step::Index(_))).count();
        let indices = stack.split_off(stack.len().saturating_sub(count));
        let base = match place.base {
            Base::Pointer(_) => stack.pop(),
            Base::Variable(_) => None,
        };
        Parts { base, indices }
    }
}

/// A place in numbers.
#[derive(Clone, Debug)]
pub struct Walked<R> {
    /// The variable it starts in, or the register with a pointer.
    pub base: Result<Id<Variable>, R>,
    /// The constant part of the offset.
    pub offset: u64,
    /// The other indices, each with the size of an element.
    pub indices: Vec<(R, u64)>,
}

/// Follows a place; nothing if the layout of something on it is not known.
/// Constant indices that `folds` takes become part of the offset.
pub fn walk<R: Register>(
    program: &Program,
    place: &Place,
    parts: Parts<R>,
    folds: impl Fn(i128) -> bool,
) -> Option<Walked<R>> {
    let (base, mut ty) = match place.base {
        Base::Variable(variable) => (Ok(variable), program.variables[variable].ty),
        Base::Pointer(pointer) => {
            let pointee = program.types.pointee(program.exprs[pointer].ty);
            (Err(parts.base?), pointee.unwrap_or(place.ty))
        }
    };
    let mut values = parts.indices.into_iter();
    let mut walked = Walked { base, offset: 0, indices: Vec::new() };
    for step in &place.path {
        match step {
            Step::Member(record, member) => {
                let member = &program.types.records[*record].members[*member as usize];
                walked.offset = walked.offset.wrapping_add(member.offset);
                ty = member.ty;
            }
            Step::Index(index) => {
                let value = values.next()?;
                let Type::Array { of, .. } = program.types.get(ty) else { return None };
                ty = *of;
                let size = program.types.size_of(ty)?;
                match program.exprs[*index].kind {
                    ExprKind::Int(constant) if folds(constant) => {
                        let bytes = size.wrapping_mul(constant as u64);
                        walked.offset = walked.offset.wrapping_add(bytes);
                    }
                    _ => walked.indices.push((value, size)),
                }
            }
        }
    }
    Some(walked)
}

/// The offset of a place in a variable whose indices are constants.
pub fn constant_offset(program: &Program, place: &Place) -> Option<u64> {
    let count = place.path.iter().filter(|s| matches!(s, Step::Index(_))).count();
    let parts = Parts { base: None, indices: vec![u32::NONE; count] };
    let walked = walk(program, place, parts, |_| true)?;
    walked.indices.is_empty().then_some(walked.offset)
}

/// Per variable, whether it needs an object: a pointer leads to it, it is no
/// scalar, or parts of it are accessed; if asked, also if a check says that it
/// may be read before it is written.
pub fn in_memory(program: &Program, if_unwritten: bool) -> Vec<bool> {
    let mut in_memory: Vec<bool> = program
        .variables
        .iter()
        .map(|v| v.address_taken || program.types.scalar(v.ty).is_none())
        .collect();
    for place in &program.places {
        if let Base::Variable(id) = place.base {
            let whole = place.path.is_empty()
                && place.bits.is_none()
                && program.types.scalar(place.ty) == program.types.scalar(program.variables[id].ty);
            in_memory[id.index()] |= !whole;
        }
    }
    let checks = program.functions.iter().flat_map(|function| &function.edges);
    for edge in checks.filter(|_| if_unwritten) {
        if let Op::Check(Check::Initialized(place)) = &edge.op
            && let Base::Variable(id) = program.places[*place].base
        {
            in_memory[id.index()] = true;
        }
    }
    in_memory
}
