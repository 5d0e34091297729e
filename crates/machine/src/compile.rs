//! From control-flow automata to byte code: what all functions share, and the
//! memory that they start with.
//!
//! A scalar variable that no pointer leads to lives in a register, every other
//! one in an object. All functions are compiled at once.

use crate::code::Code;
use crate::cover::CoverMap;
use crate::memory::{DATA, Memory, POINTER};
use crate::target::compile_function;
use crate::{Snapshot, Trap};
use parallax_base::Id;
use parallax_cfa::registers::{Memo, constant_offset, in_memory};
use parallax_cfa::{Base, Expr, Function, Initial, Program, Storage, Variable};
use rustc_hash::FxHashMap;

/// What is to be counted.
#[derive(Clone, Debug, Default)]
pub struct CompileOptions {
    /// Per function, whether its blocks count.
    pub counted: Vec<bool>,
    /// Whether combinations of outcomes of conditions count.
    pub combinations: bool,
    /// The function that reports probes: `(block, facts)`.
    pub probe: Option<Id<Function>>,
}

/// A program in byte code.
#[derive(Debug)]
pub struct Compiled<'p> {
    /// What it was made of.
    pub program: &'p Program,
    pub(crate) codes: Vec<Code>,
    /// What can be covered.
    pub map: CoverMap,
    pub(crate) image: Memory,
    /// The state before the first call.
    pub start: Snapshot,
    /// Static variables that can change, with their pointers.
    pub statics: Vec<(Id<Variable>, u64)>,
}

/// What all functions share.
pub(crate) struct Shared<'p> {
    pub(crate) program: &'p Program,
    pub(crate) statics: FxHashMap<Id<Variable>, u64>,
    pub(crate) in_memory: Vec<bool>,
    pub(crate) locals: Vec<Vec<Id<Variable>>>,
    pub(crate) options: CompileOptions,
}

/// How much memory a program may use.
const MEMORY: usize = 1 << 28;

/// Compiles a program.
pub fn compile(program: &Program, options: CompileOptions) -> Result<Compiled<'_>, Trap> {
    let mut shared = Shared {
        program,
        statics: FxHashMap::default(),
        in_memory: in_memory(program, true),
        locals: vec![Vec::new(); program.functions.len()],
        options,
    };
    let mut memory = Memory::new(MEMORY);
    let is_static =
        |variable: &Variable| matches!(variable.storage, Storage::Static | Storage::Thread);
    let mut statics = Vec::new();
    for read_only in [true, false] {
        for (id, variable) in program.variables.iter_enumerated() {
            if is_static(variable) && variable.read_only == read_only {
                let pointer = memory.create_static(variable.size)?;
                shared.statics.insert(id, pointer);
                if !read_only {
                    statics.push((id, pointer));
                }
            }
        }
        if read_only {
            memory.end_read_only();
        }
    }
    for (id, variable) in program.variables.iter_enumerated() {
        if !is_static(variable)
            && let Some(owner) = variable.owner
        {
            shared.locals[owner.index()].push(id);
        }
    }
    let mut map = CoverMap::default();
    let mut memo = Memo::new(program);
    let mut codes: Vec<Code> = program
        .functions
        .ids()
        .map(|function| compile_function(&shared, function, &mut map, &mut memo))
        .collect();
    // Combinations are counted per call, so calls must stay what they are.
    if !shared.options.combinations {
        crate::inline::inline(&mut codes);
    }
    initialize(&shared, &mut memory);
    let start = memory.save();
    Ok(Compiled { program, codes, map, image: memory, start, statics })
}

/// Puts the constant initializers in place.
fn initialize(shared: &Shared<'_>, memory: &mut Memory) {
    let program = shared.program;
    for (_, initial) in &program.initials {
        let Initial::Items(items) = initial else { continue };
        for item in items {
            let place = &program.places[item.place];
            let Base::Variable(variable) = place.base else { continue };
            let Some(&pointer) = shared.statics.get(&variable) else { continue };
            let Some(offset) = constant_offset(program, place) else {
                continue;
            };
            let Some((value, shadow)) = constant(shared, item.value) else { continue };
            let Some(ty) = program.types.scalar(place.ty) else { continue };
            let at = memory.objects[(pointer >> 32) as usize].start as usize + offset as usize;
            let size = ty.size(program.types.model) as usize;
            if let Some(field) = place.bits {
                let bytes = ((field.shift + field.width).div_ceil(8)) as usize;
                crate::exec::put_bits(
                    &mut memory.heap.bytes[at..at + bytes],
                    (field.shift, field.width),
                    value as u64,
                );
                continue;
            }
            let size = size.min(16);
            memory.heap.bytes[at..at + size].copy_from_slice(&value.to_le_bytes()[..size]);
            memory.heap.shadow[at..at + size].fill(shadow);
        }
    }
}

/// The bits of a constant, with its shadow.
fn constant(shared: &Shared<'_>, expr: Id<Expr>) -> Option<(u128, u8)> {
    use parallax_cfa::ExprKind as K;
    let program = shared.program;
    let expr = &program.exprs[expr];
    let is_pointer = program.types.scalar(expr.ty)?.is_pointer();
    let shadow = if is_pointer { POINTER } else { DATA };
    let value = match &expr.kind {
        K::Int(value) => *value as u128,
        K::Float(bits) => *bits,
        K::Function(function) => u128::from(crate::memory::function_pointer(*function)),
        K::Address(place) => {
            let place = &program.places[*place];
            let Base::Variable(variable) = place.base else { return None };
            let offset = constant_offset(program, place)?;
            u128::from(shared.statics.get(&variable)?.wrapping_add(offset))
        }
        K::Convert(inner) => {
            let (value, _) = constant(shared, *inner)?;
            let from = program.types.scalar(program.exprs[*inner].ty)?;
            let to = program.types.scalar(expr.ty)?;
            parallax_cfa::arith::convert(from, to, value)
        }
        K::PointerAdd { pointer, index, scale } => {
            let (pointer, _) = constant(shared, *pointer)?;
            let (index, _) = constant(shared, *index)?;
            let (scale, _) = constant(shared, *scale)?;
            pointer.wrapping_add(index.wrapping_mul(scale))
        }
        _ => return None,
    };
    Some((value, shadow))
}
