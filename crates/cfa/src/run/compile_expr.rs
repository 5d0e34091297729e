//! Expressions and places as instructions.
//!
//! Works with a list of tasks instead of recursion, so depth does not matter.
//! A value that was computed for an edge is not computed twice for it, except
//! across the arms of conditionals, which are evaluated only if chosen.

use super::code::{Class, Home, Instr, Reg, SlowCode, SlowOp, class_of};
use super::compile::Compiler;
use super::shared::StaticHome;
use crate::{Base, Binary, Expr, ExprKind, Place, ScalarType, Step, Unary};
use parallax_base::Id;

enum Task {
    /// Puts the value on the stack.
    Eval(Id<Expr>),
    /// Operands are on the stack.
    Finish(Id<Expr>),
    /// The condition is on the stack.
    Test(Id<Expr>),
    /// The first arm is on the stack: where its jump is, how long the trail was.
    Otherwise { of: Id<Expr>, d: Reg, jump: usize, trail: usize },
    /// The second arm is on the stack.
    Join { of: Id<Expr>, d: Reg, jump: usize, trail: usize },
}

impl Compiler<'_, '_> {
    /// Forgets what was computed for the edge before.
    pub(crate) fn begin_edge(&mut self) {
        self.memo.stamp += 1;
        for class in 0..2 {
            let used = std::mem::take(&mut self.used[class]);
            self.free[class].extend(used.into_iter().rev());
        }
        self.trail.clear();
    }

    /// A register for a value in between.
    pub(crate) fn temporary(&mut self, class: Class) -> Reg {
        let which = usize::from(class != Class::One);
        let reg = match self.free[which].pop() {
            Some(reg) => reg,
            None => self.fresh(class),
        };
        self.used[which].push(reg);
        reg
    }

    /// A register with a constant.
    pub(crate) fn constant(&mut self, value: u64) -> Reg {
        if let Some(reg) = self.constants.get(&value) {
            return *reg;
        }
        let reg = self.fresh(Class::One);
        self.code.template[reg as usize] = value;
        self.constants.insert(value, reg);
        reg
    }

    fn constant_pair(&mut self, low: u64, high: u64) -> Reg {
        if let Some(reg) = self.pairs.get(&(low, high)) {
            return *reg;
        }
        let reg = self.fresh(Class::Wide);
        self.code.template[reg as usize] = low;
        self.code.template[reg as usize + 1] = high;
        self.pairs.insert((low, high), reg);
        reg
    }

    /// The scalar type of an expression; anything else counts as `int`.
    pub(crate) fn type_of(&self, expr: Id<Expr>) -> ScalarType {
        let program = self.shared.program;
        program.types.scalar(program.exprs[expr].ty).unwrap_or(ScalarType::INT)
    }

    /// Computes an expression; the registers of the value.
    pub(crate) fn value(&mut self, expr: Id<Expr>) -> Reg {
        self.value_in(expr, None)
    }

    /// Computes an expression into registers, or gives those it has already.
    pub(crate) fn value_in(&mut self, expr: Id<Expr>, wish: Option<Reg>) -> Reg {
        let wish = wish.map(|reg| (expr, reg));
        let stack = self.run_tasks(vec![Task::Eval(expr)], wish);
        stack.first().copied().unwrap_or(0)
    }

    /// Computes an expression into these very registers.
    pub(crate) fn value_to(&mut self, expr: Id<Expr>, d: Reg) {
        let a = self.value_in(expr, Some(d));
        self.move_to(class_of(self.type_of(expr)), d, a);
    }

    pub(crate) fn move_to(&mut self, class: Class, d: Reg, a: Reg) {
        if d != a {
            self.emit(match class {
                Class::One => Instr::Move { d, a },
                _ => Instr::Move2 { d, a },
            });
        }
    }

    /// Computes the parts of a place; the registers with base and indices.
    pub(super) fn parts(&mut self, place: Id<Place>) -> Vec<Reg> {
        let mut tasks = Vec::new();
        self.push_parts(place, &mut tasks);
        self.run_tasks(tasks, None)
    }

    fn push_parts(&self, place: Id<Place>, tasks: &mut Vec<Task>) {
        let place = &self.shared.program.places[place];
        for step in place.path.iter().rev() {
            if let Step::Index(index) = step {
                tasks.push(Task::Eval(*index));
            }
        }
        if let Base::Pointer(pointer) = place.base {
            tasks.push(Task::Eval(pointer));
        }
    }

    fn run_tasks(&mut self, mut tasks: Vec<Task>, wish: Option<(Id<Expr>, Reg)>) -> Vec<Reg> {
        let mut stack = Vec::new();
        while let Some(task) = tasks.pop() {
            match task {
                Task::Eval(expr) => self.start(expr, &mut tasks, &mut stack),
                Task::Finish(expr) => {
                    let d = wish.filter(|(root, _)| *root == expr).map(|(_, d)| d);
                    let reg = self.apply(expr, d, &mut stack);
                    self.remember(expr, reg);
                    stack.push(reg);
                }
                Task::Test(of) => {
                    let condition = stack.pop().unwrap_or(0);
                    if let ExprKind::Conditional(test, then, _) = self.shared.program.exprs[of].kind
                    {
                        let a = self.truth(test, condition);
                        let jump = self.emit(Instr::JumpZero { a, to: 0 });
                        let d = match wish {
                            Some((root, d)) if root == of => d,
                            _ => self.temporary(class_of(self.type_of(of))),
                        };
                        tasks.push(Task::Otherwise { of, d, jump, trail: self.trail.len() });
                        tasks.push(Task::Eval(then));
                    }
                }
                Task::Otherwise { of, d, jump, trail } => {
                    self.end_arm(of, d, trail, &mut stack);
                    let end = self.emit(Instr::Jump { to: 0 });
                    self.patch(jump, self.code.instrs.len() as u32);
                    if let ExprKind::Conditional(_, _, other) = self.shared.program.exprs[of].kind {
                        tasks.push(Task::Join { of, d, jump: end, trail });
                        tasks.push(Task::Eval(other));
                    }
                }
                Task::Join { of, d, jump, trail } => {
                    self.end_arm(of, d, trail, &mut stack);
                    self.patch(jump, self.code.instrs.len() as u32);
                    self.remember(of, d);
                    stack.push(d);
                }
            }
        }
        stack
    }

    fn end_arm(&mut self, of: Id<Expr>, d: Reg, trail: usize, stack: &mut Vec<Reg>) {
        let a = stack.pop().unwrap_or(0);
        self.move_to(class_of(self.type_of(of)), d, a);
        for expr in self.trail.drain(trail..) {
            self.memo.known[expr] = (0, 0);
        }
    }

    fn remember(&mut self, expr: Id<Expr>, reg: Reg) {
        self.memo.known[expr.index()] = (self.memo.stamp, reg);
        self.trail.push(expr.index());
    }

    /// Leaves are on the stack at once; the rest is put on the list.
    fn start(&mut self, expr: Id<Expr>, tasks: &mut Vec<Task>, stack: &mut Vec<Reg>) {
        let program = self.shared.program;
        let (stamp, reg) = self.memo.known[expr.index()];
        if stamp == self.memo.stamp {
            stack.push(reg);
            return;
        }
        match &program.exprs[expr].kind {
            ExprKind::Int(value) => {
                let reg = match class_of(self.type_of(expr)) {
                    Class::One => self.constant(*value as u64),
                    Class::Pointer => {
                        let mask = if program.types.pointer_bits() == 32 {
                            u32::MAX as u64
                        } else {
                            u64::MAX
                        };
                        self.constant_pair(*value as u64 & mask, 0)
                    }
                    Class::Wide => self.constant_pair(*value as u64, (*value >> 64) as u64),
                };
                stack.push(reg);
            }
            ExprKind::Float(bits) => {
                let reg = match class_of(self.type_of(expr)) {
                    Class::One => self.constant(*bits as u64),
                    _ => self.constant_pair(*bits as u64, (*bits >> 64) as u64),
                };
                stack.push(reg);
            }
            ExprKind::Function(function) => {
                let address = super::function_address(*function);
                stack.push(self.constant_pair(address, 0));
            }
            ExprKind::Load(place) | ExprKind::Address(place) => {
                let is_load = matches!(program.exprs[expr].kind, ExprKind::Load(_));
                if is_load
                    && !(program.places[*place].volatile && self.shared.options.volatile_inputs)
                    && let Base::Variable(variable) = program.places[*place].base
                    && let Some(Home::Register(reg, _)) = self.homes.get(&variable)
                {
                    stack.push(*reg);
                    return;
                }
                tasks.push(Task::Finish(expr));
                self.push_parts(*place, tasks);
            }
            ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectSize(a) => {
                tasks.push(Task::Finish(expr));
                tasks.push(Task::Eval(*a));
            }
            ExprKind::Binary(_, a, b) => {
                tasks.extend([Task::Finish(expr), Task::Eval(*b), Task::Eval(*a)]);
            }
            ExprKind::PointerAdd { pointer: a, index: b, scale: c }
            | ExprKind::PointerDiff { left: a, right: b, scale: c } => {
                tasks.extend([Task::Finish(expr), Task::Eval(*c), Task::Eval(*b), Task::Eval(*a)]);
            }
            ExprKind::Conditional(test, _, _) => {
                tasks.extend([Task::Test(expr), Task::Eval(*test)]);
            }
        }
    }

    /// The number of a text.
    pub(crate) fn text(&mut self, text: &str) -> u32 {
        self.code.texts.push(text.into());
        self.code.texts.len() as u32 - 1
    }

    /// The number of a type.
    pub(crate) fn type_number(&mut self, ty: ScalarType) -> u32 {
        self.code.types.push(ty);
        self.code.types.len() as u32 - 1
    }

    /// Emits an operator that has no instruction of its own.
    pub(crate) fn slow(&mut self, op: SlowOp, d: Reg, a: Reg, b: Reg) {
        self.code.slow.push(SlowCode { op, d, a, b });
        self.emit(Instr::Slow { op: self.code.slow.len() as u32 - 1 });
    }

    /// Emits an inner node, its operands on the stack; where its value is.
    fn apply(&mut self, expr: Id<Expr>, wish: Option<Reg>, stack: &mut Vec<Reg>) -> Reg {
        let program = self.shared.program;
        let ty = self.type_of(expr);
        let target = |this: &mut Self| wish.unwrap_or_else(|| this.temporary(class_of(ty)));
        match &program.exprs[expr].kind {
            ExprKind::Load(place) => {
                if program.places[*place].volatile && self.shared.options.volatile_inputs {
                    let d = target(self);
                    let ty = self.type_number(ty);
                    self.emit(Instr::VolatileRead { d, ty });
                    return d;
                }
                if let Base::Variable(variable) = program.places[*place].base
                    && let StaticHome::Register(a, class) = self.shared.statics[variable.index()]
                {
                    let d = target(self);
                    self.emit(match class {
                        Class::One => Instr::GlobalGet { d, a },
                        _ => Instr::GlobalGet2 { d, a },
                    });
                    return d;
                }
                let Some(p) = self.finish_place(*place, stack) else { return target(self) };
                let d = target(self);
                self.emit(Instr::Load { d, p, shape: self.shape(*place) });
                d
            }
            ExprKind::Address(place) => {
                let Some(p) = self.finish_place(*place, stack) else { return target(self) };
                let d = target(self);
                self.emit(Instr::Address { d, p });
                d
            }
            ExprKind::Unary(op, operand) => {
                let a = stack.pop().unwrap_or(0);
                let d = target(self);
                self.unary(*op, self.type_of(*operand), d, a);
                d
            }
            ExprKind::Binary(op, left, right) => {
                let b = stack.pop().unwrap_or(0);
                let a = stack.pop().unwrap_or(0);
                let d = target(self);
                self.binary(*op, self.type_of(*left), self.type_of(*right), d, a, b);
                d
            }
            ExprKind::Convert(operand) => {
                let a = stack.pop().unwrap_or(0);
                self.convert(self.type_of(*operand), ty, a, target)
            }
            ExprKind::ObjectSize(_) => {
                let a = stack.pop().unwrap_or(0);
                let d = target(self);
                self.emit(Instr::ObjectSize { d, a });
                d
            }
            ExprKind::PointerAdd { scale, .. } => {
                let factor = stack.pop().unwrap_or(0);
                let index = stack.pop().unwrap_or(0);
                let a = stack.pop().unwrap_or(0);
                let b = self.scaled(index, *scale, factor);
                let d = target(self);
                self.emit(match program.types.pointer_bits() {
                    32 => Instr::PointerAdd32 { d, a, b },
                    _ => Instr::PointerAdd { d, a, b },
                });
                d
            }
            ExprKind::PointerDiff { .. } => {
                let factor = stack.pop().unwrap_or(0);
                let b = stack.pop().unwrap_or(0);
                let a = stack.pop().unwrap_or(0);
                let d = target(self);
                let distance = self.temporary(Class::One);
                self.emit(match program.types.pointer_bits() {
                    32 => Instr::Sub32S { d: distance, a, b },
                    _ => Instr::Sub64 { d: distance, a, b },
                });
                self.emit(Instr::DivS64 { d, a: distance, b: factor });
                d
            }
            _ => target(self),
        }
    }

    fn scaled(&mut self, index: Reg, scale: Id<Expr>, factor: Reg) -> Reg {
        let small = match self.shared.program.exprs[scale].kind {
            ExprKind::Int(1) => return index,
            ExprKind::Int(value) => u32::try_from(value).ok(),
            _ => None,
        };
        let d = self.temporary(Class::One);
        match small {
            Some(k) => self.emit(Instr::Scale { d, a: index, k }),
            None => self.emit(Instr::Mul64 { d, a: index, b: factor }),
        };
        d
    }

    /// A register that is zero exactly if the value is.
    pub(crate) fn truth(&mut self, expr: Id<Expr>, a: Reg) -> Reg {
        let ty = self.type_of(expr);
        if class_of(ty) == Class::Wide || ty.is_float() {
            let d = self.temporary(Class::One);
            self.slow(SlowOp::Convert(ty, ScalarType::Bool), d, a, a);
            return d;
        }
        a
    }

    /// Emits a jump for when the truth of an expression is `when`.
    pub(crate) fn jump_if(&mut self, mut expr: Id<Expr>, mut when: bool) -> usize {
        let program = self.shared.program;
        while let ExprKind::Unary(Unary::Not, inner) = program.exprs[expr].kind {
            expr = inner;
            when = !when;
        }
        if let ExprKind::Binary(op, left, right) = program.exprs[expr].kind
            && op.is_comparison()
        {
            let ty = self.type_of(left);
            if class_of(ty) != Class::Wide && !ty.is_float() {
                let a = self.value(left);
                let b = self.value(right);
                return self.jump_compare(op, ty.is_signed(), when, a, b);
            }
        }
        let value = self.value(expr);
        let a = self.truth(expr, value);
        self.emit(if when { Instr::JumpNonZero { a, to: 0 } } else { Instr::JumpZero { a, to: 0 } })
    }

    fn jump_compare(&mut self, op: Binary, signed: bool, when: bool, a: Reg, b: Reg) -> usize {
        let to = 0;
        let less =
            |a, b| if signed { Instr::JumpLtS { a, b, to } } else { Instr::JumpLtU { a, b, to } };
        let at_most =
            |a, b| if signed { Instr::JumpLeS { a, b, to } } else { Instr::JumpLeU { a, b, to } };
        self.emit(match (op, when) {
            (Binary::Eq, true) | (Binary::Ne, false) => Instr::JumpEq { a, b, to },
            (Binary::Eq, false) | (Binary::Ne, true) => Instr::JumpNe { a, b, to },
            (Binary::Lt, true) | (Binary::Ge, false) => less(a, b),
            (Binary::Gt, true) | (Binary::Le, false) => less(b, a),
            (Binary::Le, true) | (Binary::Gt, false) => at_most(a, b),
            _ => at_most(b, a),
        })
    }
}
