//! From control-flow automata to byte code: variables, blocks, control flow.
//!
//! A scalar variable that no pointer leads to lives in a register, every other
//! one in an object. All functions are compiled at once. Blocks are the longest
//! stretches of edges without a join or a branch inside.

use crate::code::{Code, Instr, NONE, Parameter, Reg, UNCOUNTED};
use crate::cover::{Block, Condition, CoverMap};
use crate::memory::{DATA, Memory, POINTER};
use crate::{Snapshot, Trap};
use parallax_base::{Id, Span};
use parallax_cfa::{
    Base, Check, Edge, Expr, Function, Initial, Location, Op, Program, Storage, Variable,
};
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

/// Where a variable lives.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Home {
    Register(Reg),
    /// In the object that the register points to.
    Object(Reg),
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
        in_memory: in_memory(program),
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
    let mut codes: Vec<Code> = program
        .functions
        .ids()
        .map(|function| Compiler::new(&shared, function, &mut map).function())
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
            let Some(offset) = crate::compile_place::constant_offset(program, place) else {
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
            let offset = crate::compile_place::constant_offset(program, place)?;
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

/// A variable needs an object if a pointer leads to it, if it is no scalar, if
/// parts of it are accessed, or if it may be read before it is written.
fn in_memory(program: &Program) -> Vec<bool> {
    let mut in_memory: Vec<bool> = program
        .variables
        .iter()
        .map(|v| v.address_taken || program.types.scalar(v.ty).is_none())
        .collect();
    for place in &program.places {
        if let Base::Variable(id) = place.base {
            let scalar = program.types.scalar(program.variables[id].ty);
            if !place.path.is_empty()
                || place.bits.is_some()
                || program.types.scalar(place.ty) != scalar
            {
                in_memory[id.index()] = true;
            }
        }
    }
    for function in &program.functions {
        for edge in &function.edges {
            if let Op::Check(Check::Initialized(place)) = &edge.op
                && let Base::Variable(id) = program.places[*place].base
            {
                in_memory[id.index()] = true;
            }
        }
    }
    in_memory
}

/// The function that is being compiled.
pub(crate) struct Compiler<'s, 'p> {
    pub(crate) shared: &'s Shared<'p>,
    pub(crate) id: Id<Function>,
    pub(crate) code: Code,
    map: &'s mut CoverMap,
    /// Registers of expressions of this edge.
    pub(crate) memo: FxHashMap<Id<Expr>, Reg>,
    pub(crate) trail: Vec<Id<Expr>>,
    constants: FxHashMap<u64, Reg>,
    free: Vec<Reg>,
    used: Vec<Reg>,
    pub(crate) homes: FxHashMap<Id<Variable>, Home>,
    starts: Vec<u32>,
    jumps: Vec<(usize, Id<Location>)>,
    pending: Vec<(usize, Id<Edge>)>,
    pub(crate) span: Span,
    counted: bool,
    block: Option<usize>,
    conditions: FxHashMap<Id<Location>, u32>,
}

const UNKNOWN: u32 = u32::MAX;

impl<'s, 'p> Compiler<'s, 'p> {
    fn new(shared: &'s Shared<'p>, id: Id<Function>, map: &'s mut CoverMap) -> Compiler<'s, 'p> {
        let function = &shared.program.functions[id];
        Compiler {
            shared,
            id,
            code: Code { is_defined: function.is_defined, ..Code::default() },
            map,
            memo: FxHashMap::default(),
            trail: Vec::new(),
            constants: FxHashMap::default(),
            free: Vec::new(),
            used: Vec::new(),
            homes: FxHashMap::default(),
            starts: vec![UNKNOWN; function.locations.len()],
            jumps: Vec::new(),
            pending: Vec::new(),
            span: function.span,
            counted: shared.options.counted.get(id.index()).copied().unwrap_or(false),
            block: None,
            conditions: FxHashMap::default(),
        }
    }

    fn function(mut self) -> Code {
        let function = &self.shared.program.functions[self.id];
        if !function.is_defined {
            return self.code;
        }
        self.place_variables(function);
        self.control_flow(function);
        for (at, location) in std::mem::take(&mut self.jumps) {
            self.patch(at, self.starts[location.index()]);
        }
        self.code
    }

    fn place_variables(&mut self, function: &Function) {
        let program = self.shared.program;
        let mut lived = vec![false; program.variables.len()];
        for edge in &function.edges {
            if let Op::Live(variable, _) = &edge.op {
                lived[variable.index()] = true;
            }
        }
        for &id in &self.shared.locals[self.id.index()] {
            let reg = self.fresh();
            let variable = &program.variables[id];
            let home = if self.shared.in_memory[id.index()] {
                if !lived[id.index()] && variable.storage != Storage::Parameter {
                    self.emit(Instr::Live { d: reg, k: variable.size as u32 });
                }
                Home::Object(reg)
            } else {
                Home::Register(reg)
            };
            self.homes.insert(id, home);
        }
        for parameter in &function.parameters {
            let variable = &program.variables[*parameter];
            let record = program.types.scalar(variable.ty).is_none();
            self.code.parameters.push(match self.homes.get(parameter) {
                Some(Home::Object(reg)) => {
                    Parameter::Object { reg: *reg, size: variable.size as u32, record }
                }
                Some(Home::Register(reg)) => Parameter::Register(*reg),
                _ => Parameter::Register(NONE),
            });
        }
    }

    pub(crate) fn fresh(&mut self) -> Reg {
        self.code.template.push(0);
        (self.code.template.len() - 1).min(NONE as usize - 1) as Reg
    }

    /// A register for a value in between.
    pub(crate) fn temporary(&mut self) -> Reg {
        let reg = self.free.pop().unwrap_or_else(|| self.fresh());
        self.used.push(reg);
        reg
    }

    /// A register with a constant.
    pub(crate) fn constant(&mut self, value: u64) -> Reg {
        if let Some(reg) = self.constants.get(&value) {
            return *reg;
        }
        let reg = self.fresh();
        self.code.template[reg as usize] = value;
        self.constants.insert(value, reg);
        reg
    }

    pub(crate) fn begin_edge(&mut self) {
        self.memo.clear();
        self.trail.clear();
        let used = std::mem::take(&mut self.used);
        self.free.extend(used.into_iter().rev());
    }

    fn control_flow(&mut self, function: &Function) {
        let mut leaving: Vec<Vec<Id<Edge>>> = vec![Vec::new(); function.locations.len()];
        let mut entering = vec![0u32; function.locations.len()];
        for (id, edge) in function.edges.iter_enumerated() {
            leaving[edge.source.index()].push(id);
            entering[edge.target.index()] += 1;
        }
        entering[function.entry.index()] += 2;
        let mut current = Some(function.entry);
        loop {
            while let Some(location) = current {
                if self.starts[location.index()] != UNKNOWN {
                    let at = self.emit(Instr::Jump { to: UNKNOWN });
                    self.jumps.push((at, location));
                    break;
                }
                self.starts[location.index()] = self.code.instrs.len() as u32;
                // A block that ends at once, such as the exit, is none.
                if entering[location.index()] > 1 && !leaving[location.index()].is_empty() {
                    self.begin_block(function.locations[location].span, None);
                }
                current = self.location(function, location, &leaving[location.index()]);
            }
            let Some((jump, edge)) = self.pending.pop() else { break };
            self.patch(jump, self.code.instrs.len() as u32);
            current = self.assumed(function, edge);
        }
    }

    fn begin_block(&mut self, span: Span, branch: Option<(u32, bool)>) {
        if !self.counted {
            self.emit(Instr::Enter { block: UNCOUNTED });
            return;
        }
        let number = self.map.blocks.len();
        self.map.blocks.push(Block {
            function: self.id,
            edges: Vec::new(),
            span,
            branch,
            has_operations: false,
        });
        self.block = Some(number);
        if let Some((condition, outcome)) = branch
            && self.shared.options.combinations
        {
            let first = self.conditions.values().min().copied().unwrap_or(0);
            let slot = ((condition - first) % 32) as u8;
            self.emit(Instr::Outcome { slot, outcome });
        }
        let block = number as u32;
        self.emit(if self.shared.options.combinations {
            Instr::Combine { block }
        } else {
            Instr::Enter { block }
        });
    }

    fn location(
        &mut self,
        function: &Function,
        location: Id<Location>,
        edges: &[Id<Edge>],
    ) -> Option<Id<Location>> {
        let assumes = |edge: &Id<Edge>| matches!(function.edges[*edge].op, Op::Assume(_));
        match edges {
            [] => {
                self.emit(if location == function.exit {
                    Instr::Return
                } else {
                    Instr::Unreachable
                });
                None
            }
            [only] if !assumes(only) => self.edge(function, *only),
            _ if edges.iter().all(assumes) => self.branch(function, location, edges),
            _ => {
                self.unsupported("a choice that nothing decides");
                None
            }
        }
    }

    /// The edge after its condition.
    fn assumed(&mut self, function: &Function, id: Id<Edge>) -> Option<Id<Location>> {
        let edge = &function.edges[id];
        let condition = self.conditions.get(&edge.source).copied().unwrap_or(0);
        self.begin_edge();
        self.span = edge.span;
        let first = function.edges.iter_enumerated().find(|(_, e)| e.source == edge.source);
        let outcome = edge.branch.unwrap_or(first.is_some_and(|(first, _)| first == id));
        self.begin_block(edge.span, Some((condition, outcome)));
        self.note(id, false);
        Some(edge.target)
    }

    fn note(&mut self, edge: Id<Edge>, operation: bool) {
        if let Some(block) = self.block.and_then(|block| self.map.blocks.get_mut(block)) {
            block.edges.push(edge);
            block.has_operations |= operation;
        }
    }

    fn edge(&mut self, function: &Function, id: Id<Edge>) -> Option<Id<Location>> {
        let edge = &function.edges[id];
        self.begin_edge();
        self.span = edge.span;
        self.note(id, !matches!(edge.op, Op::Skip | Op::Live(..) | Op::Dead(_)));
        self.operation(edge).then_some(edge.target)
    }

    fn branch(
        &mut self,
        function: &Function,
        location: Id<Location>,
        edges: &[Id<Edge>],
    ) -> Option<Id<Location>> {
        if self.counted {
            let number = self.map.conditions.len() as u32;
            let span = function.edges[edges[0]].span;
            self.map.conditions.push(Condition { function: self.id, span });
            self.conditions.insert(location, number);
        }
        self.begin_edge();
        self.span = function.edges[edges[0]].span;
        self.note(edges[0], true);
        let condition = |edge: Id<Edge>| match function.edges[edge].op {
            Op::Assume(condition) => Some(condition),
            _ => None,
        };
        let (last, first) = edges.split_last()?;
        for edge in first {
            let patch = self.jump_if(condition(*edge)?, true);
            self.pending.push((patch, *edge));
        }
        let opposite = matches!((first, condition(*last)), ([first], Some(second))
            if condition(*first).is_some_and(|first| self.are_opposite(first, second)));
        if !opposite {
            let patch = self.jump_if(condition(*last)?, true);
            self.emit(Instr::Unreachable);
            self.pending.push((patch, *last));
            return None;
        }
        self.assumed(function, *last)
    }

    pub(crate) fn emit(&mut self, instr: Instr) -> usize {
        self.code.instrs.push(instr);
        self.code.spans.push(self.span);
        self.code.instrs.len() - 1
    }

    pub(crate) fn unsupported(&mut self, text: &str) {
        self.code.texts.push(text.into());
        let text = self.code.texts.len() as u32 - 1;
        self.emit(Instr::Unsupported { text });
    }

    /// Sets the target of the jump at a place.
    pub(crate) fn patch(&mut self, at: usize, target: u32) {
        match &mut self.code.instrs[at] {
            Instr::Jump { to }
            | Instr::JumpZero { to, .. }
            | Instr::JumpNonZero { to, .. }
            | Instr::JumpEq { to, .. }
            | Instr::JumpNe { to, .. }
            | Instr::JumpLtS { to, .. }
            | Instr::JumpLeS { to, .. }
            | Instr::JumpLtU { to, .. }
            | Instr::JumpLeU { to, .. } => *to = target,
            _ => {}
        }
    }
}
