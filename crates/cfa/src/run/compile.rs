//! The interpreter as a target of the compiler: two registers for a pointer or
//! a long value, slots of the frame for what needs an address.
//!
//! Every edge begins with a `Step` instruction, behind the branch for an
//! assumption.

use super::code::{ArgumentCode, Code, Home, Instr, NONE, Reg, SlotCode, class_of};
use super::outcome::CheckKind;
use super::shared::{Shared, StaticHome};
use crate::registers::{
    Arithmetic, Class, Flow, Operations, Parts, Shared as S, Target, Values, Work,
};
use crate::{
    Argument, Base, Binary, Check, Edge, Expr, FloatKind, Function, Halt, Initial, Location, Op,
    Place, Primitive, ScalarType, Storage, Unary, Variable,
};
use parallax_base::Id;
use rustc_hash::FxHashMap;

/// The function that is being compiled.
pub(crate) struct Compiler<'s, 'p> {
    pub(crate) shared: &'s Shared<'p>,
    pub(crate) work: Work<'p, Reg, Instr, ArgumentCode>,
    /// What only this executor has: slots, places, types, homes.
    pub(crate) code: Code,
    /// The slots of locals.
    pub(crate) slots: FxHashMap<Id<Variable>, u32>,
    /// Locations that an edge leads to that is no check.
    turns: Vec<bool>,
}

/// Compiles a function that is defined.
pub(crate) fn compile(shared: &Shared<'_>, function: Id<Function>) -> Code {
    let mut compiler = Compiler::new(shared, function);
    compiler.place_variables();
    if shared.has_threads {
        let function = &shared.program.functions[function];
        compiler.turns = vec![false; function.locations.len()];
        for edge in &function.edges {
            // A check and what follows are one step, but for what is announced.
            let is_step = match &edge.op {
                Op::Check(check) => check.kind() == CheckKind::Alone && compiler.asks(check),
                _ => true,
            };
            compiler.turns[edge.target.index()] |= is_step;
        }
        compiler.turns[function.entry.index()] = true;
    }
    compiler.control_flow();
    compiler.finish()
}

/// Compiles the initializers of the static variables.
pub(crate) fn compile_initials(shared: &Shared<'_>) -> Code {
    let mut compiler = Compiler::new(shared, Id::new(0));
    for (_, initial) in &shared.program.initials {
        if let Initial::Items(items) = initial {
            for item in items {
                compiler.work.begin_edge();
                compiler.assign(item.place, item.value);
            }
        }
    }
    compiler.emit(Instr::Return);
    compiler.finish()
}

impl<'s, 'p> Compiler<'s, 'p> {
    fn new(shared: &'s Shared<'p>, function: Id<Function>) -> Compiler<'s, 'p> {
        let memo = std::mem::take(&mut *shared.memo.borrow_mut());
        Compiler {
            shared,
            work: Work::new(shared.program, function, memo),
            code: Code::default(),
            slots: FxHashMap::default(),
            turns: Vec::new(),
        }
    }

    fn place_variables(&mut self) {
        let program = self.shared.program;
        for &id in &self.shared.locals[self.work.function.index()] {
            let variable = &program.variables[id];
            let home = if self.shared.in_memory[id.index()] {
                let depth = (self.code.frame_bytes + variable.size.max(1) + 16)
                    .next_multiple_of(variable.align.max(16));
                self.code.frame_bytes = depth;
                let from_entry = !self.shared.lived[id.index()]
                    && !matches!(variable.storage, Storage::Parameter);
                self.code.has_entry_slots |= from_entry;
                let slot = self.code.slots.len() as u32;
                self.code.slots.push(SlotCode {
                    variable: id,
                    size: variable.size,
                    depth,
                    from_entry,
                });
                self.slots.insert(id, slot);
                Home::Slot(slot)
            } else {
                let class = self.shared.scalar(id).map_or(Class::One, class_of);
                let reg = self.work.fresh(class);
                self.work.registers.insert(id, reg);
                Home::Register(reg, class)
            };
            self.code.homes.push((id, home));
        }
        for parameter in &program.functions[self.work.function].parameters {
            let home = self.code.homes.iter().find(|(id, _)| id == parameter);
            self.code.parameters.extend(home.map(|(_, home)| *home));
        }
    }

    /// The number of a type.
    pub(crate) fn type_number(&mut self, ty: ScalarType) -> u32 {
        self.code.types.push(ty);
        self.code.types.len() as u32 - 1
    }

    fn finish(self) -> Code {
        let Work { instrs, template, calls, slow, texts, memo, .. } = self.work;
        *self.shared.memo.borrow_mut() = memo;
        Code { instrs, template, calls, slow, texts, ..self.code }
    }
}

impl<'p> Target<'p> for Compiler<'_, 'p> {
    type Reg = Reg;
    type Instr = Instr;
    type Argument = ArgumentCode;

    fn work(&self) -> &Work<'p, Reg, Instr, ArgumentCode> {
        &self.work
    }

    fn work_mut(&mut self) -> &mut Work<'p, Reg, Instr, ArgumentCode> {
        &mut self.work
    }

    fn class(ty: ScalarType) -> Class {
        class_of(ty)
    }

    fn move_instr(class: Class, d: Reg, a: Reg) -> Instr {
        match class {
            Class::One => Instr::Move { d, a },
            _ => Instr::Move2 { d, a },
        }
    }

    fn own_unary(op: Unary, ty: ScalarType, d: Reg, a: Reg) -> Option<Instr> {
        match (op, ty) {
            (Unary::BitNot, ScalarType::Int { bits, signed })
                if bits == 64 || bits < 64 && signed =>
            {
                Some(Instr::BitNot { d, a })
            }
            _ => None,
        }
    }

    fn own_binary(op: Binary, ty: ScalarType, [d, a, b]: [Reg; 3]) -> Option<Instr> {
        let double = ScalarType::Float(FloatKind::Double);
        Some(match (op, ty) {
            (Binary::Div, ScalarType::Int { bits: 32, signed: true }) => Instr::DivS32 { d, a, b },
            (Binary::Div, ScalarType::Int { bits: 64, signed: true }) => Instr::DivS64 { d, a, b },
            (Binary::Shl, ScalarType::Int { bits: 32, .. }) => Instr::Shl32U { d, a, b },
            (Binary::Shr, ScalarType::Int { bits: 32 | 64, signed: true }) => {
                Instr::ShrS { d, a, b }
            }
            (Binary::Shr, ScalarType::Int { bits: 32 | 64, .. }) => Instr::ShrU { d, a, b },
            _ if ty != double => return None,
            (Binary::Add, _) => Instr::FAdd { d, a, b },
            (Binary::Sub, _) => Instr::FSub { d, a, b },
            (Binary::Mul, _) => Instr::FMul { d, a, b },
            (Binary::Div, _) => Instr::FDiv { d, a, b },
            (Binary::Lt, _) => Instr::FLt { d, a, b },
            (Binary::Le, _) => Instr::FLe { d, a, b },
            (Binary::Gt, _) => Instr::FLt { d, a: b, b: a },
            (Binary::Ge, _) => Instr::FLe { d, a: b, b: a },
            (Binary::Eq, _) => Instr::FEq { d, a, b },
            _ => return None,
        })
    }

    fn own_conversion((from, to): (ScalarType, ScalarType), d: Reg, a: Reg) -> Option<Instr> {
        match (from, to) {
            (ScalarType::Int { bits, signed }, ScalarType::Float(FloatKind::Double))
                if bits < 64 || bits == 64 && signed =>
            {
                Some(Instr::FFromS { d, a })
            }
            _ => None,
        }
    }

    fn literal(&mut self, ty: ScalarType, bits: u128) -> Reg {
        match class_of(ty) {
            Class::One => self.work.constant(bits as u64),
            Class::Pointer if self.shared.program.types.pointer_bits() == 32 => {
                self.work.constant_pair(u64::from(bits as u32), 0)
            }
            Class::Pointer => self.work.constant_pair(bits as u64, 0),
            Class::Wide => self.work.constant_pair(bits as u64, (bits >> 64) as u64),
        }
    }

    fn function_pointer(&mut self, function: Id<Function>) -> Reg {
        self.work.constant_pair(super::function_address(function), 0)
    }

    fn pointer_from(&mut self, bits: u32, a: Reg, wish: Option<Reg>) -> Reg {
        let mut narrow = a;
        if bits == 32 {
            narrow = self.work.temporary(Class::One);
            self.emit(Instr::ZExt32 { d: narrow, a });
        }
        let d = self.goal(wish, Class::Pointer);
        self.emit(Instr::Wild { d, a: narrow });
        d
    }

    fn pointer_add(&mut self, d: Reg, a: Reg, b: Reg) {
        self.emit(match self.shared.program.types.pointer_bits() {
            32 => Instr::PointerAdd32 { d, a, b },
            _ => Instr::PointerAdd { d, a, b },
        });
    }

    fn pointer_distance(&mut self, d: Reg, a: Reg, b: Reg) {
        self.emit(match self.shared.program.types.pointer_bits() {
            32 => Instr::Sub32S { d, a, b },
            _ => Instr::Sub64 { d, a, b },
        });
    }

    fn load(&mut self, id: Id<Place>, parts: Parts<Reg>, wish: Option<Reg>) -> Reg {
        let place = &self.shared.program.places[id];
        let class = class_of(self.work.type_at(id));
        if let Base::Variable(variable) = place.base
            && let StaticHome::Register(a, class) = self.shared.statics[variable.index()]
        {
            let d = self.goal(wish, class);
            self.emit(match class {
                Class::One => Instr::GlobalGet { d, a },
                _ => Instr::GlobalGet2 { d, a },
            });
            return d;
        }
        let p = self.place_from(id, parts);
        let d = self.goal(wish, class);
        if let Some(p) = p {
            self.emit(Instr::Load { d, p, shape: self.shape(id) });
        }
        d
    }

    fn address_of(&mut self, id: Id<Place>, parts: Parts<Reg>, wish: Option<Reg>) -> Reg {
        let p = self.place_from(id, parts);
        let d = self.goal(wish, Class::Pointer);
        if let Some(p) = p {
            self.emit(Instr::Address { d, p });
        }
        d
    }

    fn store_away(&mut self, id: Id<Place>, a: Reg) {
        if let Base::Variable(variable) = self.shared.program.places[id].base
            && let StaticHome::Register(d, class) = self.shared.statics[variable.index()]
        {
            self.emit(match class {
                Class::One => Instr::GlobalSet { d, a },
                _ => Instr::GlobalSet2 { d, a },
            });
        } else if let Some(p) = self.place(id) {
            self.emit(Instr::Store { p, a, shape: self.shape(id) });
        }
    }

    fn arrive(&mut self, location: Id<Location>, _: &[Id<Edge>]) {
        if self.turns.get(location.index()) == Some(&true) {
            self.emit(Instr::Turn);
        }
    }

    fn start_edge(&mut self, edge: Id<Edge>) {
        self.await_turn(&self.shared.program.functions[self.work.function].edges[edge].op);
        self.emit(Instr::Step { edge: edge.index() as u32 });
    }

    fn start_branch(&mut self, _: Id<Location>, edges: &[Id<Edge>]) {
        if self.shared.options.lazy {
            self.emit(Instr::Decide { edge: edges[0].index() as u32 });
        }
    }

    fn choose(&mut self, count: usize) -> bool {
        self.emit(Instr::Choose { count: count as u32 });
        true
    }

    fn stuck() -> Instr {
        Instr::Stuck
    }

    fn asks(&self, check: &Check) -> bool {
        self.shared.options.checks.contains(check.kind()) || self.shared.program.is_trap(check)
    }

    fn check_memory(&mut self, check: &Check) {
        if let Check::Access { place, .. } | Check::Initialized(place) | Check::Alone { place, .. } =
            *check
            && let Base::Variable(variable) = self.shared.program.places[place].base
            && !self.shared.in_memory[variable.index()]
        {
            let home = self.shared.statics[variable.index()];
            if let (Check::Alone { write, atomic, .. }, StaticHome::Register(..)) = (*check, home) {
                let variable = variable.index() as u32;
                self.emit(Instr::AnnounceVariable { variable, write, atomic });
            }
            return;
        }
        match *check {
            Check::Alone { place, write, atomic } => {
                if let Some(p) = self.place(place) {
                    self.emit(Instr::Announce { p, write, atomic });
                }
            }
            Check::AloneBytes { pointer, size, write } => {
                let (a, size) = (self.value(pointer), self.value(size));
                self.emit(Instr::AnnounceBytes { a, size, write });
            }
            Check::Lock(cell, rule) => {
                if let Some(p) = self.place(cell) {
                    self.emit(Instr::CheckLock { p, rule });
                }
            }
            Check::Access { place, write } => {
                if let Some(p) = self.place(place) {
                    self.emit(Instr::CheckAccess { p, write });
                }
            }
            Check::Initialized(place) => {
                if let Some(p) = self.place(place) {
                    self.emit(Instr::CheckWritten { p });
                }
            }
            Check::Free(pointer) => {
                let a = self.value(pointer);
                self.emit(Instr::CheckFree { a });
            }
            _ => {}
        }
    }

    fn copy(&mut self, to: Id<Place>, from: Id<Place>) {
        if let (Some(to), Some(from)) = (self.place(to), self.place(from)) {
            self.emit(Instr::Copy { to, from });
        }
    }

    fn arbitrary(&mut self, to: Id<Place>, op: &Op) {
        let program = self.shared.program;
        let (text, is_input) = match op {
            Op::Input { name, .. } => (name, true),
            Op::Havoc { why, .. } => (why, false),
            _ => return,
        };
        let text = self.work.text(text);
        if !is_input && program.types.scalar(program.places[to].ty).is_none() {
            if let Some(p) = self.place(to) {
                self.emit(Instr::HavocPlace { p, why: text });
            }
            return;
        }
        let scalar = self.work.type_at(to);
        let d = self.work.temporary(class_of(scalar));
        let ty = self.type_number(scalar);
        self.emit(match is_input {
            true => Instr::Input { d, name: text, ty },
            false => Instr::Havoc { d, why: text, ty },
        });
        self.store(to, d);
    }

    fn live(&mut self, variable: Id<Variable>, size: Option<Id<Expr>>) {
        if let Some(&slot) = self.slots.get(&variable) {
            let size = size.map_or(NONE, |size| self.value(size));
            self.emit(Instr::Live { slot, size });
        } else if let Some(&d) = self.work.registers.get(&variable) {
            let scalar = self.shared.scalar(variable).unwrap_or(ScalarType::INT);
            let ty = self.type_number(scalar);
            self.emit(Instr::LiveRegister { d, ty, variable: variable.index() as u32 });
        }
    }

    fn dead(&mut self, variable: Id<Variable>) {
        if let Some(&slot) = self.slots.get(&variable) {
            self.emit(Instr::Dead { slot });
        }
    }

    fn halt(&mut self, halt: Halt) {
        let options = &self.shared.options;
        let waits = halt == Halt::Wait && (options.repeats() || options.deadlocks);
        self.emit(if waits { Instr::Wait } else { Instr::Halt });
    }

    fn argument(&mut self, argument: &Argument) -> Option<ArgumentCode> {
        Some(match argument {
            Argument::Scalar(value) => {
                ArgumentCode::Scalar(self.value(*value), self.work.type_of(*value))
            }
            Argument::Aggregate(place) => ArgumentCode::Aggregate(self.place(*place)?),
        })
    }

    fn return_two(a: Reg) -> Instr {
        Instr::ReturnTwo { a }
    }

    fn return_record(&mut self, place: Id<Place>) {
        match self.place(place) {
            Some(p) => self.emit(Instr::ReturnRecord { p }),
            None => self.put(S::Return),
        };
    }

    fn take_record(&mut self, to: Id<Place>) {
        if let Some(p) = self.place(to) {
            self.emit(Instr::TakeRecord { p });
        }
    }

    fn primitive(
        &mut self,
        to: Option<Id<Place>>,
        primitive: Primitive,
        arguments: &[Id<Expr>],
        values: &[Reg],
    ) {
        self.own_primitive(to, primitive, arguments, values);
    }
}
