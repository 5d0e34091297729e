//! The machine as a target of the compiler of `parallax-cfa`: one register for
//! every value, an object for what needs an address, blocks that are counted.
//!
//! Blocks are the longest stretches of edges without a join or a branch inside.
//! Checks of single accesses need no instruction: every access checks itself.

use crate::code::{Code, Instr, NONE, Parameter, Reg, UNCOUNTED};
use crate::compile::Shared;
use crate::cover::{Block, Condition, CoverMap};
use crate::memory::function_pointer;
use parallax_base::{Id, Span};
use parallax_cfa::registers::{
    Arithmetic, Class, Flow, Memo, Operations, Parts, Register, Target, Values, Work,
};
use parallax_cfa::{
    Argument, Callee, Check, Edge, Expr, Function, Halt, Location, Op, Place, Primitive,
    ScalarType, Storage, Variable,
};
use rustc_hash::FxHashMap;

/// The function that is being compiled.
pub(crate) struct Compiler<'s, 'p> {
    pub(crate) shared: &'s Shared<'p>,
    pub(crate) work: Work<'p, Reg, Instr, Reg>,
    /// What only this executor has.
    pub(crate) code: Code,
    map: &'s mut CoverMap,
    /// Locals in objects, by the register that points there.
    pub(crate) objects: FxHashMap<Id<Variable>, Reg>,
    span: Span,
    /// How many ways lead to a location.
    entering: Vec<u32>,
    counted: bool,
    block: Option<usize>,
    conditions: FxHashMap<Id<Location>, u32>,
}

/// Compiles a function.
pub(crate) fn compile_function(
    shared: &Shared<'_>,
    id: Id<Function>,
    map: &mut CoverMap,
    memo: &mut Memo<Reg>,
) -> Code {
    let function = &shared.program.functions[id];
    let mut entering = vec![0u32; function.locations.len()];
    for edge in &function.edges {
        entering[edge.target.index()] += 1;
    }
    if let Some(entry) = entering.get_mut(function.entry.index()) {
        *entry += 2;
    }
    let mut compiler = Compiler {
        shared,
        work: Work::new(shared.program, id, std::mem::take(memo)),
        code: Code { is_defined: function.is_defined, ..Code::default() },
        map,
        objects: FxHashMap::default(),
        span: function.span,
        entering,
        counted: shared.options.counted.get(id.index()).copied().unwrap_or(false),
        block: None,
        conditions: FxHashMap::default(),
    };
    if function.is_defined {
        compiler.place_variables(function);
        compiler.control_flow();
    }
    compiler.finish(function, memo)
}

impl Compiler<'_, '_> {
    fn finish(mut self, function: &Function, memo: &mut Memo<Reg>) -> Code {
        if self.work.template.len() > NONE.number() {
            // Registers have shared their numbers: nothing of it may run.
            self.work.instrs.clear();
            self.code.spans.clear();
            self.work.template.truncate(NONE.number());
            self.span = function.span;
            self.unsupported("a function with more values than there are registers");
        }
        let Work { instrs, template, calls, slow, texts, memo: known, .. } = self.work;
        *memo = known;
        Code { instrs, template, calls, slow, texts, ..self.code }
    }

    fn place_variables(&mut self, function: &Function) {
        let program = self.shared.program;
        let mut lived = vec![false; program.variables.len()];
        for edge in &function.edges {
            if let Op::Live(variable, _) = &edge.op {
                lived[variable.index()] = true;
            }
        }
        for &id in &self.shared.locals[self.work.function.index()] {
            let reg = self.work.fresh(Class::One);
            let variable = &program.variables[id];
            if self.shared.in_memory[id.index()] {
                if !lived[id.index()] && variable.storage != Storage::Parameter {
                    self.emit(Instr::Live { d: reg, k: variable.size as u32 });
                }
                self.objects.insert(id, reg);
            } else {
                self.work.registers.insert(id, reg);
            }
        }
        for parameter in &function.parameters {
            let variable = &program.variables[*parameter];
            let record = program.types.scalar(variable.ty).is_none();
            let register = self.work.registers.get(parameter);
            self.code.parameters.push(match self.objects.get(parameter) {
                Some(reg) => Parameter::Object { reg: *reg, size: variable.size as u32, record },
                None => Parameter::Register(register.copied().unwrap_or(NONE)),
            });
        }
    }

    fn begin_block(&mut self, span: Span, branch: Option<(u32, bool)>) {
        if !self.counted {
            self.emit(Instr::Enter { block: UNCOUNTED });
            return;
        }
        let number = self.map.blocks.len();
        self.map.blocks.push(Block {
            function: self.work.function,
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

    fn note(&mut self, edge: Id<Edge>, operation: bool) {
        if let Some(block) = self.block.and_then(|block| self.map.blocks.get_mut(block)) {
            block.edges.push(edge);
            block.has_operations |= operation;
        }
    }

    fn size_of(&self, place: Id<Place>) -> Option<u32> {
        let program = self.shared.program;
        let place = &program.places[place];
        let whole = match place.base {
            parallax_cfa::Base::Variable(v) if place.path.is_empty() => {
                Some(program.variables[v].size)
            }
            _ => None,
        };
        program.types.size_of(place.ty).or(whole).and_then(|size| u32::try_from(size).ok())
    }
}

impl<'p> Target<'p> for Compiler<'_, 'p> {
    type Reg = Reg;
    type Instr = Instr;
    type Argument = Reg;

    fn work(&self) -> &Work<'p, Reg, Instr, Reg> {
        &self.work
    }

    fn work_mut(&mut self) -> &mut Work<'p, Reg, Instr, Reg> {
        &mut self.work
    }

    fn emit(&mut self, instr: Instr) -> usize {
        self.work.instrs.push(instr);
        self.code.spans.push(self.span);
        self.work.instrs.len() - 1
    }

    fn class(_: ScalarType) -> Class {
        Class::One
    }

    fn move_instr(_: Class, d: Reg, a: Reg) -> Instr {
        Instr::Move { d, a }
    }

    fn admit(&mut self, ty: ScalarType) {
        if ty.bits() > 64 {
            self.unsupported("a value of more than 64 bits");
        }
    }

    fn literal(&mut self, _: ScalarType, bits: u128) -> Reg {
        self.work.constant(bits as u64)
    }

    fn function_pointer(&mut self, function: Id<Function>) -> Reg {
        self.work.constant(function_pointer(function))
    }

    /// A negative number becomes a large one, as on the machine.
    fn pointer_from(&mut self, _: u32, a: Reg, _: Option<Reg>) -> Reg {
        a
    }

    fn pointer_add(&mut self, d: Reg, a: Reg, b: Reg) {
        self.emit(Instr::PointerAdd { d, a, b });
    }

    fn pointer_distance(&mut self, d: Reg, a: Reg, b: Reg) {
        self.emit(Instr::PointerDiff { d, a, b });
    }

    fn load(&mut self, id: Id<Place>, parts: Parts<Reg>, wish: Option<Reg>) -> Reg {
        let at = self.place_from(id, parts);
        let d = self.goal(wish, Class::One);
        if let Some((p, k)) = at {
            self.load_at(id, d, p, k);
        }
        d
    }

    fn address_of(&mut self, id: Id<Place>, parts: Parts<Reg>, wish: Option<Reg>) -> Reg {
        match self.address_from(id, parts, wish) {
            Some(reg) => reg,
            None => self.goal(wish, Class::One),
        }
    }

    fn store_away(&mut self, place: Id<Place>, a: Reg) {
        if let Some((p, k)) = self.place(place) {
            self.store_at(place, a, p, k);
        }
    }

    fn arrive(&mut self, location: Id<Location>, leaving: &[Id<Edge>]) {
        // A block that ends at once, such as the exit, is none.
        if self.entering[location.index()] > 1 && !leaving.is_empty() {
            let function = &self.shared.program.functions[self.work.function];
            self.begin_block(function.locations[location].span, None);
        }
    }

    fn start_edge(&mut self, id: Id<Edge>) {
        let edges = &self.shared.program.functions[self.work.function].edges;
        let edge = &edges[id];
        self.span = edge.span;
        if matches!(edge.op, Op::Assume(_)) {
            let condition = self.conditions.get(&edge.source).copied().unwrap_or(0);
            let first = edges.iter_enumerated().find(|(_, e)| e.source == edge.source);
            let outcome = edge.branch.unwrap_or(first.is_some_and(|(first, _)| first == id));
            self.begin_block(edge.span, Some((condition, outcome)));
        }
        let quiet = matches!(edge.op, Op::Assume(_) | Op::Skip | Op::Live(..) | Op::Dead(_));
        self.note(id, !quiet);
    }

    fn start_branch(&mut self, location: Id<Location>, edges: &[Id<Edge>]) {
        let function = self.work.function;
        self.span = self.shared.program.functions[function].edges[edges[0]].span;
        if self.counted {
            let number = self.map.conditions.len() as u32;
            self.map.conditions.push(Condition { function, span: self.span });
            self.conditions.insert(location, number);
        }
        self.note(edges[0], true);
    }

    fn choose(&mut self, _: usize) -> bool {
        self.unsupported("a choice that nothing decides");
        false
    }

    fn stuck() -> Instr {
        Instr::Unreachable
    }

    /// The access, and `free`, check themselves.
    fn check_memory(&mut self, _: &Check) {}

    fn copy(&mut self, to: Id<Place>, from: Id<Place>) {
        let Some(size) = self.size_of(to) else {
            return self.unsupported("a copy of unknown size");
        };
        if let (Some(to), Some(from)) = (self.address(to), self.address(from)) {
            self.emit(Instr::Copy { to, from, size });
        }
    }

    fn arbitrary(&mut self, _: Id<Place>, op: &Op) {
        match op {
            Op::Input { name, .. } => {
                self.unsupported(&format!("an input (`{name}`); make it a parameter"));
            }
            Op::Havoc { why, .. } => {
                self.unsupported(&format!("a value that is not known: {why}"));
            }
            _ => {}
        }
    }

    fn live(&mut self, variable: Id<Variable>, size: Option<Id<Expr>>) {
        let Some(&d) = self.objects.get(&variable) else { return };
        let instr = match size {
            Some(size) => Instr::LiveSized { d, size: self.value(size) },
            None => Instr::Live { d, k: self.shared.program.variables[variable].size as u32 },
        };
        self.emit(instr);
    }

    fn dead(&mut self, variable: Id<Variable>) {
        if let Some(&d) = self.objects.get(&variable) {
            self.emit(Instr::Dead { d });
        }
    }

    fn halt(&mut self, _: Halt) {
        self.emit(Instr::Halt);
    }

    fn replaces_call(
        &mut self,
        to: Option<Id<Place>>,
        callee: Callee,
        arguments: &[Argument],
    ) -> bool {
        let Callee::Direct(function) = callee else { return false };
        if self.shared.options.probe == Some(function) {
            if let [Argument::Scalar(block), Argument::Scalar(facts)] = arguments {
                let block = self.value(*block);
                let facts = self.value(*facts);
                self.emit(Instr::Probe { block, facts });
            }
            return true;
        }
        let called = &self.shared.program.functions[function];
        if !called.is_defined && (called.is_unknown() || to.is_some()) {
            self.unsupported(&format!("`{}` is called but not defined", called.name));
        }
        !called.is_defined
    }

    fn argument(&mut self, argument: &Argument) -> Option<Reg> {
        match argument {
            Argument::Scalar(value) => Some(self.value(*value)),
            Argument::Aggregate(place) => self.address(*place),
        }
    }

    fn return_two(a: Reg) -> Instr {
        Instr::ReturnOne { a }
    }

    fn return_record(&mut self, place: Id<Place>) {
        let instr = match (self.address(place), self.size_of(place)) {
            (Some(p), Some(size)) => Instr::ReturnRecord { p, size },
            _ => Instr::Return,
        };
        self.emit(instr);
    }

    fn take_record(&mut self, to: Id<Place>) {
        if let Some(p) = self.address(to) {
            self.emit(Instr::TakeRecord { p });
        }
    }

    fn primitive(
        &mut self,
        to: Option<Id<Place>>,
        primitive: Primitive,
        _: &[Id<Expr>],
        values: &[Reg],
    ) {
        match (primitive, values) {
            (Primitive::Allocate | Primitive::AllocateLocal, &[a]) => {
                let d = self.work.temporary(Class::One);
                if primitive == Primitive::Allocate {
                    self.emit(Instr::Allocate { d, a });
                } else {
                    let zero = self.work.constant(0);
                    self.emit(Instr::Move { d, a: zero });
                    self.emit(Instr::LiveSized { d, size: a });
                }
                if let Some(to) = to {
                    self.store(to, d);
                }
            }
            (thread, _) if thread.is_thread() => self.unsupported("threads"),
            _ => self.unsupported("a variable argument list"),
        }
    }
}
