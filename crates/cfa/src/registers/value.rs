//! Expressions as instructions.
//!
//! Works with a list of tasks instead of recursion, so depth does not matter.
//! A value that was computed for an edge is not computed twice for it, except
//! across the arms of conditionals, which are evaluated only if chosen.

use super::{Arithmetic, Class, Flow, Parts, Register, Shared, SlowOp, Target};
use crate::{Base, Binary, Expr, ExprKind, Place, ScalarType, Step, Unary};
use parallax_base::Id;

/// What is still to be done for a value.
#[derive(Debug)]
enum Task<R> {
    /// Puts the value on the stack.
    Eval(Id<Expr>),
    /// Operands are on the stack.
    Finish(Id<Expr>),
    /// The condition is on the stack.
    Test(Id<Expr>),
    /// The first arm is on the stack: where its jump is, how long the trail was.
    Otherwise { of: Id<Expr>, d: R, jump: usize, trail: usize },
    /// The second arm is on the stack.
    Join { of: Id<Expr>, d: R, jump: usize, trail: usize },
}

/// Compiles expressions.
pub trait Values<'p>: Target<'p> {
    /// Computes an expression; the registers of the value.
    fn value(&mut self, expr: Id<Expr>) -> Self::Reg {
        let stack = run(self, vec![Task::Eval(expr)], None);
        stack.first().copied().unwrap_or(Self::Reg::new(0))
    }

    /// Computes an expression into these very registers.
    fn value_to(&mut self, expr: Id<Expr>, d: Self::Reg) {
        let stack = run(self, vec![Task::Eval(expr)], Some((expr, d)));
        let a = stack.first().copied().unwrap_or(Self::Reg::new(0));
        self.move_to(self.class_of(expr), d, a);
    }

    /// How many registers the value of an expression takes.
    fn class_of(&self, expr: Id<Expr>) -> Class {
        Self::class(self.work().type_of(expr))
    }

    /// Copies a value to other registers.
    fn move_to(&mut self, class: Class, d: Self::Reg, a: Self::Reg) {
        if d != a {
            self.emit(Self::move_instr(class, d, a));
        }
    }

    /// Computes the parts of a place.
    fn parts(&mut self, id: Id<Place>) -> Parts<Self::Reg> {
        let mut tasks = Vec::new();
        let place = &self.work().program.places[id];
        push_parts(place, &mut tasks);
        let mut stack = run(self, tasks, None);
        Parts::pop(place, &mut stack)
    }

    /// A register that is zero exactly if the value is.
    fn truth(&mut self, expr: Id<Expr>, a: Self::Reg) -> Self::Reg {
        let ty = self.work().type_of(expr);
        if Self::class(ty) != Class::Wide && !ty.is_float() {
            return a;
        }
        let d = self.work_mut().temporary(Class::One);
        self.slow(SlowOp::Convert(ty, ScalarType::Bool), d, a, a);
        d
    }

    /// An index times the size of an element.
    fn scaled(&mut self, a: Self::Reg, size: u64) -> Self::Reg {
        let d = self.work_mut().temporary(Class::One);
        match u32::try_from(size) {
            Ok(k) => self.put(Shared::Scale { d, a, k }),
            Err(_) => {
                let b = self.work_mut().constant(size);
                self.put(Shared::Mul64 { d, a, b })
            }
        };
        d
    }

    /// Emits a jump for when the truth of an expression is `when`.
    fn jump_if(&mut self, mut expr: Id<Expr>, mut when: bool) -> usize {
        let program = self.work().program;
        while let ExprKind::Unary(Unary::Not, inner) = program.exprs[expr].kind {
            expr = inner;
            when = !when;
        }
        if let ExprKind::Binary(op, left, right) = program.exprs[expr].kind
            && op.is_comparison()
        {
            let ty = self.work().type_of(left);
            if Self::class(ty) != Class::Wide && !ty.is_float() {
                let a = self.value(left);
                let b = self.value(right);
                return self.put(compare(op, ty.is_signed(), when, a, b));
            }
        }
        let value = self.value(expr);
        let a = self.truth(expr, value);
        self.put(if when {
            Shared::JumpNonZero { a, to: 0 }
        } else {
            Shared::JumpZero { a, to: 0 }
        })
    }

    /// Whether two expressions are the same, up to a few levels.
    fn same_value(&self, a: Id<Expr>, b: Id<Expr>) -> bool {
        let exprs = &self.work().program.exprs;
        let places = &self.work().program.places;
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
    fn are_opposite(&self, a: Id<Expr>, b: Id<Expr>) -> bool {
        use ExprKind::{Binary as B, Unary as U};
        let exprs = &self.work().program.exprs;
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
                !self.work().type_of(*x1).is_float()
                    && *negated == negation
                    && self.same_value(*x1, *x2)
                    && self.same_value(*y1, *y2)
            }
            _ => false,
        }
    }
}

impl<'p, T: Target<'p>> Values<'p> for T {}

fn push_parts<R>(place: &Place, tasks: &mut Vec<Task<R>>) {
    for step in place.path.iter().rev() {
        if let Step::Index(index) = step {
            tasks.push(Task::Eval(*index));
        }
    }
    if let Base::Pointer(pointer) = place.base {
        tasks.push(Task::Eval(pointer));
    }
}

fn run<'p, T: Target<'p>>(
    target: &mut T,
    mut tasks: Vec<Task<T::Reg>>,
    wish: Option<(Id<Expr>, T::Reg)>,
) -> Vec<T::Reg> {
    let mut stack = Vec::new();
    let exprs = &target.work().program.exprs;
    let wished = |of: Id<Expr>| wish.filter(|(root, _)| *root == of).map(|(_, d)| d);
    while let Some(task) = tasks.pop() {
        match task {
            Task::Eval(expr) => start(target, expr, &mut tasks, &mut stack),
            Task::Finish(expr) => {
                let reg = apply(target, expr, wished(expr), &mut stack);
                remember(target, expr, reg);
                stack.push(reg);
            }
            Task::Test(of) => {
                let condition = pop::<T>(&mut stack);
                if let ExprKind::Conditional(test, then, _) = exprs[of].kind {
                    let a = target.truth(test, condition);
                    let jump = target.put(Shared::JumpZero { a, to: 0 });
                    let d = target.goal(wished(of), target.class_of(of));
                    let trail = target.work().trail.len();
                    tasks.push(Task::Otherwise { of, d, jump, trail });
                    tasks.push(Task::Eval(then));
                }
            }
            Task::Otherwise { of, d, jump, trail } => {
                end_arm(target, of, d, trail, &mut stack);
                let end = target.put(Shared::Jump { to: 0 });
                target.patch(jump, target.here());
                if let ExprKind::Conditional(_, _, other) = exprs[of].kind {
                    tasks.push(Task::Join { of, d, jump: end, trail });
                    tasks.push(Task::Eval(other));
                }
            }
            Task::Join { of, d, jump, trail } => {
                end_arm(target, of, d, trail, &mut stack);
                target.patch(jump, target.here());
                remember(target, of, d);
                stack.push(d);
            }
        }
    }
    stack
}

fn pop<'p, T: Target<'p>>(stack: &mut Vec<T::Reg>) -> T::Reg {
    stack.pop().unwrap_or(T::Reg::new(0))
}

fn end_arm<'p, T: Target<'p>>(
    target: &mut T,
    of: Id<Expr>,
    d: T::Reg,
    trail: usize,
    stack: &mut Vec<T::Reg>,
) {
    let a = pop::<T>(stack);
    target.move_to(target.class_of(of), d, a);
    let work = target.work_mut();
    for expr in work.trail.drain(trail..) {
        work.memo.known[expr].0 = 0;
    }
}

fn remember<'p, T: Target<'p>>(target: &mut T, expr: Id<Expr>, reg: T::Reg) {
    let work = target.work_mut();
    work.memo.known[expr.index()] = (work.memo.stamp, reg);
    work.trail.push(expr.index());
}

/// Leaves are on the stack at once; the rest is put on the list.
fn start<'p, T: Target<'p>>(
    target: &mut T,
    expr: Id<Expr>,
    tasks: &mut Vec<Task<T::Reg>>,
    stack: &mut Vec<T::Reg>,
) {
    let work = target.work();
    let program = work.program;
    let (stamp, reg) = work.memo.known[expr.index()];
    if stamp == work.memo.stamp {
        stack.push(reg);
        return;
    }
    let ty = work.type_of(expr);
    target.admit(ty);
    match &program.exprs[expr].kind {
        ExprKind::Int(value) => stack.push(target.literal(ty, *value as u128)),
        ExprKind::Float(bits) => stack.push(target.literal(ty, *bits)),
        ExprKind::Function(function) => stack.push(target.function_pointer(*function)),
        ExprKind::Load(place) | ExprKind::Address(place) => {
            if matches!(program.exprs[expr].kind, ExprKind::Load(_))
                && let Base::Variable(variable) = program.places[*place].base
                && let Some(reg) = target.work().registers.get(&variable)
            {
                stack.push(*reg);
                return;
            }
            tasks.push(Task::Finish(expr));
            push_parts(&program.places[*place], tasks);
        }
        ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectSize(a) => {
            tasks.extend([Task::Finish(expr), Task::Eval(*a)]);
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
fn apply<'p, T: Target<'p>>(
    target: &mut T,
    expr: Id<Expr>,
    wish: Option<T::Reg>,
    stack: &mut Vec<T::Reg>,
) -> T::Reg {
    let program = target.work().program;
    let ty = target.work().type_of(expr);
    match &program.exprs[expr].kind {
        ExprKind::Load(place) => {
            let parts = Parts::pop(&program.places[*place], stack);
            target.load(*place, parts, wish)
        }
        ExprKind::Address(place) => {
            let parts = Parts::pop(&program.places[*place], stack);
            target.address_of(*place, parts, wish)
        }
        ExprKind::Unary(op, operand) => {
            let a = pop::<T>(stack);
            let d = target.goal(wish, T::class(ty));
            target.unary(*op, target.work().type_of(*operand), d, a);
            d
        }
        ExprKind::Binary(op, left, right) => {
            let b = pop::<T>(stack);
            let a = pop::<T>(stack);
            let d = target.goal(wish, T::class(ty));
            let (ty, amount) = (target.work().type_of(*left), target.work().type_of(*right));
            target.binary(*op, ty, amount, [d, a, b]);
            d
        }
        ExprKind::Convert(operand) => {
            let a = pop::<T>(stack);
            target.convert(target.work().type_of(*operand), ty, a, wish)
        }
        ExprKind::ObjectSize(_) => {
            let a = pop::<T>(stack);
            let d = target.goal(wish, T::class(ty));
            target.put(Shared::ObjectSize { d, a });
            d
        }
        ExprKind::PointerAdd { scale, .. } => {
            let factor = pop::<T>(stack);
            let index = pop::<T>(stack);
            let a = pop::<T>(stack);
            let b = match program.exprs[*scale].kind {
                ExprKind::Int(1) => index,
                ExprKind::Int(size) if u32::try_from(size).is_ok() => {
                    target.scaled(index, size as u64)
                }
                _ => {
                    let d = target.work_mut().temporary(Class::One);
                    target.put(Shared::Mul64 { d, a: index, b: factor });
                    d
                }
            };
            let d = target.goal(wish, T::class(ty));
            target.pointer_add(d, a, b);
            d
        }
        ExprKind::PointerDiff { .. } => {
            let factor = pop::<T>(stack);
            let b = pop::<T>(stack);
            let a = pop::<T>(stack);
            let d = target.goal(wish, T::class(ty));
            let distance = target.work_mut().temporary(Class::One);
            target.pointer_distance(distance, a, b);
            let long = ScalarType::Int { bits: 64, signed: true };
            target.binary(Binary::Div, long, long, [d, distance, factor]);
            d
        }
        _ => target.goal(wish, T::class(ty)),
    }
}

fn compare<R>(op: Binary, signed: bool, when: bool, a: R, b: R) -> Shared<R> {
    let to = 0;
    let less = |a, b| match signed {
        true => Shared::JumpLtS { a, b, to },
        false => Shared::JumpLtU { a, b, to },
    };
    let at_most = |a, b| match signed {
        true => Shared::JumpLeS { a, b, to },
        false => Shared::JumpLeU { a, b, to },
    };
    match (op, when) {
        (Binary::Eq, true) | (Binary::Ne, false) => Shared::JumpEq { a, b, to },
        (Binary::Eq, false) | (Binary::Ne, true) => Shared::JumpNe { a, b, to },
        (Binary::Lt, true) | (Binary::Ge, false) => less(a, b),
        (Binary::Gt, true) | (Binary::Le, false) => less(b, a),
        (Binary::Le, true) | (Binary::Gt, false) => at_most(a, b),
        _ => at_most(b, a),
    }
}
