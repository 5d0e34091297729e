//! Expressions as instructions.
//!
//! Works with a list of tasks instead of recursion. A value computed for an
//! edge is not computed twice for it, except across the arms of conditionals.

use crate::code::{Instr, Reg};
use crate::compile::{Compiler, Home};
use crate::memory::function_pointer;
use parallax_base::Id;
use parallax_cfa::{Base, Binary, Expr, ExprKind, Place, ScalarType, Step, Unary};

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
    /// The scalar type of an expression; anything else counts as `int`.
    pub(crate) fn type_of(&self, expr: Id<Expr>) -> ScalarType {
        let program = self.shared.program;
        program.types.scalar(program.exprs[expr].ty).unwrap_or(ScalarType::INT)
    }

    /// Computes an expression; the register of the value.
    pub(crate) fn value(&mut self, expr: Id<Expr>) -> Reg {
        let stack = self.run_tasks(vec![Task::Eval(expr)], None);
        stack.first().copied().unwrap_or(0)
    }

    /// Computes an expression into this very register.
    pub(crate) fn value_to(&mut self, expr: Id<Expr>, d: Reg) {
        let stack = self.run_tasks(vec![Task::Eval(expr)], Some((expr, d)));
        self.move_to(d, stack.first().copied().unwrap_or(0));
    }

    pub(crate) fn move_to(&mut self, d: Reg, a: Reg) {
        if d != a {
            self.emit(Instr::Move { d, a });
        }
    }

    /// Computes the parts of a place; the registers with base and indices.
    pub(crate) fn parts(&mut self, place: Id<Place>) -> Vec<Reg> {
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
        let wished = |of: Id<Expr>| wish.filter(|(root, _)| *root == of).map(|(_, d)| d);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Eval(expr) => self.start(expr, &mut tasks, &mut stack),
                Task::Finish(expr) => {
                    let reg = self.apply(expr, wished(expr), &mut stack);
                    self.remember(expr, reg);
                    stack.push(reg);
                }
                Task::Test(of) => {
                    let condition = stack.pop().unwrap_or(0);
                    if let ExprKind::Conditional(test, then, _) = self.shared.program.exprs[of].kind
                    {
                        let a = self.truth(test, condition);
                        let jump = self.emit(Instr::JumpZero { a, to: 0 });
                        // The wished register may be read by the second arm.
                        let d = self.temporary();
                        tasks.push(Task::Otherwise { of, d, jump, trail: self.trail.len() });
                        tasks.push(Task::Eval(then));
                    }
                }
                Task::Otherwise { of, d, jump, trail } => {
                    self.end_arm(d, trail, &mut stack);
                    let end = self.emit(Instr::Jump { to: 0 });
                    self.patch(jump, self.code.instrs.len() as u32);
                    if let ExprKind::Conditional(_, _, other) = self.shared.program.exprs[of].kind {
                        tasks.push(Task::Join { of, d, jump: end, trail });
                        tasks.push(Task::Eval(other));
                    }
                }
                Task::Join { of, d, jump, trail } => {
                    self.end_arm(d, trail, &mut stack);
                    self.patch(jump, self.code.instrs.len() as u32);
                    self.remember(of, d);
                    stack.push(d);
                }
            }
        }
        stack
    }

    fn end_arm(&mut self, d: Reg, trail: usize, stack: &mut Vec<Reg>) {
        let a = stack.pop().unwrap_or(0);
        self.move_to(d, a);
        for expr in self.trail.drain(trail..) {
            self.memo.remove(&expr);
        }
    }

    fn remember(&mut self, expr: Id<Expr>, reg: Reg) {
        self.memo.insert(expr, reg);
        self.trail.push(expr);
    }

    /// Leaves are on the stack at once; the rest is put on the list.
    fn start(&mut self, expr: Id<Expr>, tasks: &mut Vec<Task>, stack: &mut Vec<Reg>) {
        let program = self.shared.program;
        if let Some(reg) = self.memo.get(&expr) {
            stack.push(*reg);
            return;
        }
        if self.type_of(expr).bits() > 64 {
            self.unsupported("a value of more than 64 bits");
        }
        match &program.exprs[expr].kind {
            ExprKind::Int(value) => stack.push(self.constant(*value as u64)),
            ExprKind::Float(bits) => stack.push(self.constant(*bits as u64)),
            ExprKind::Function(function) => stack.push(self.constant(function_pointer(*function))),
            ExprKind::Load(place) | ExprKind::Address(place) => {
                if matches!(program.exprs[expr].kind, ExprKind::Load(_))
                    && let Base::Variable(variable) = program.places[*place].base
                    && let Some(Home::Register(reg)) = self.homes.get(&variable)
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

    /// Emits an inner node, its operands on the stack; where its value is.
    fn apply(&mut self, expr: Id<Expr>, wish: Option<Reg>, stack: &mut Vec<Reg>) -> Reg {
        let program = self.shared.program;
        let ty = self.type_of(expr);
        let target = |this: &mut Self| wish.unwrap_or_else(|| this.temporary());
        match &program.exprs[expr].kind {
            ExprKind::Load(place) => {
                let Some((p, k)) = self.finish_place(*place, stack) else { return target(self) };
                let d = target(self);
                self.load(*place, d, p, k);
                d
            }
            ExprKind::Address(place) => {
                let Some((p, k)) = self.finish_place(*place, stack) else { return target(self) };
                if k == 0 {
                    return p;
                }
                let d = target(self);
                self.emit(Instr::PointerOffset { d, a: p, k });
                d
            }
            ExprKind::Unary(op, operand) => {
                let a = stack.pop().unwrap_or(0);
                let d = target(self);
                self.unary(*op, self.type_of(*operand), d, a);
                d
            }
            ExprKind::Binary(op, left, _) => {
                let b = stack.pop().unwrap_or(0);
                let a = stack.pop().unwrap_or(0);
                let d = target(self);
                self.binary(*op, self.type_of(*left), d, a, b);
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
                self.emit(Instr::PointerAdd { d, a, b });
                d
            }
            ExprKind::PointerDiff { scale, .. } => {
                let factor = stack.pop().unwrap_or(0);
                let b = stack.pop().unwrap_or(0);
                let a = stack.pop().unwrap_or(0);
                let d = target(self);
                let distance = self.temporary();
                self.emit(Instr::PointerDiff { d: distance, a, b });
                let ty = self.type_of(*scale);
                let long = ScalarType::Int { bits: 64, signed: true };
                debug_assert!(ty.bits() <= 64);
                self.slow(crate::code::SlowOp::Binary(Binary::Div, long), d, distance, factor);
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
        let d = self.temporary();
        match small {
            Some(k) => self.emit(Instr::Scale { d, a: index, k }),
            None => self.emit(Instr::Mul64 { d, a: index, b: factor }),
        };
        d
    }

    /// A register that is zero exactly if the value is.
    pub(crate) fn truth(&mut self, expr: Id<Expr>, a: Reg) -> Reg {
        let ty = self.type_of(expr);
        if !ty.is_float() {
            return a;
        }
        let d = self.temporary();
        self.slow(crate::code::SlowOp::Convert(ty, ScalarType::Bool), d, a, a);
        d
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
            && !self.type_of(left).is_float()
        {
            let a = self.value(left);
            let b = self.value(right);
            return self.jump_compare(op, self.type_of(left).is_signed(), when, a, b);
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

    /// Whether two expressions are the same, up to a few levels.
    fn same_value(&self, a: Id<Expr>, b: Id<Expr>) -> bool {
        let exprs = &self.shared.program.exprs;
        let places = &self.shared.program.places;
        a == b || {
            let (x, y) = (&exprs[a], &exprs[b]);
            x.ty == y.ty
                && match (&x.kind, &y.kind) {
                    (ExprKind::Load(p), ExprKind::Load(q)) => p == q || places[*p] == places[*q],
                    _ => x == y,
                }
        }
    }

    /// Whether exactly one of the two holds, as far as the form shows it.
    pub(crate) fn are_opposite(&self, a: Id<Expr>, b: Id<Expr>) -> bool {
        use ExprKind::{Binary as B, Unary as U};
        let exprs = &self.shared.program.exprs;
        match (&exprs[a].kind, &exprs[b].kind) {
            (U(Unary::Not, x), _) if *x == b => true,
            (_, U(Unary::Not, y)) if *y == a => true,
            (B(op, x1, y1), B(negated, x2, y2)) => {
                let negation = match op {
                    Binary::Eq => Binary::Ne,
                    Binary::Ne => Binary::Eq,
                    Binary::Lt => Binary::Ge,
                    Binary::Ge => Binary::Lt,
                    Binary::Gt => Binary::Le,
                    Binary::Le => Binary::Gt,
                    _ => return false,
                };
                !self.type_of(*x1).is_float()
                    && *negated == negation
                    && self.same_value(*x1, *x2)
                    && self.same_value(*y1, *y2)
            }
            _ => false,
        }
    }
}
