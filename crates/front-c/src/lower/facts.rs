//! What is known of the typed tree before lowering: effects, escapes, constants.
//!
//! One pass over the arena of expressions; children are older than parents.
//!
//! - A variable *escapes* if its address is used other than for an access on
//!   the spot: `a[i]` and `(&s)->m` on a variable do not count.
//! - The *effect* of an expression says which kinds of objects its evaluation
//!   may change: see [`Touch`]. Calls change memory; stores change what they
//!   store to.
//! - A *constant* can stand in the initial value of a static object.

use super::build::Touch;
use super::order::{Root, children, full_expressions, root};
use crate::typed::{Builtin, Expr, ExprKind, Program, Storage, Variable};
use parallax_base::{Id, IdVec};

/// The facts, by index of expression or variable.
pub(crate) struct Facts {
    escapes: Vec<bool>,
    effects: Vec<Touch>,
    constant: Vec<bool>,
    stored: Vec<bool>,
}

impl Facts {
    pub(crate) fn of(program: &Program) -> Facts {
        let escapes = escapes(program);
        let mut facts = Facts {
            escapes,
            effects: Vec::with_capacity(program.exprs.len()),
            constant: Vec::with_capacity(program.exprs.len()),
            stored: vec![false; program.variables.len()],
        };
        for expr in &program.exprs {
            let effect = facts.effect_of(program, &expr.kind);
            facts.effects.push(effect);
            let constant = facts.is_constant_kind(program, &expr.kind);
            facts.constant.push(constant);
            if let ExprKind::Assign(a, _)
            | ExprKind::AssignOp { left: a, .. }
            | ExprKind::Increment { target: a, .. } = &expr.kind
                && let Root::Variable(v) = root(program, *a)
            {
                facts.stored[v.index()] = true;
            }
        }
        facts
    }

    /// What evaluating the expression may change.
    pub(crate) fn effect(&self, id: Id<Expr>) -> Touch {
        self.effects[id.index()]
    }

    /// Whether evaluating the expression may change anything.
    pub(crate) fn has_effect(&self, id: Id<Expr>) -> bool {
        self.effect(id) != Touch::NONE
    }

    /// Whether the address of a variable is used other than on the spot.
    pub(crate) fn escapes(&self, variable: Id<Variable>) -> bool {
        self.escapes[variable.index()]
    }

    /// Whether a store names the variable.
    pub(crate) fn is_stored(&self, variable: Id<Variable>) -> bool {
        self.stored[variable.index()]
    }

    /// Whether the expression is a constant, addresses included.
    pub(crate) fn is_constant(&self, id: Id<Expr>) -> bool {
        self.constant[id.index()]
    }

    /// What an access to a variable touches.
    pub(crate) fn touch(&self, program: &Program, variable: Id<Variable>) -> Touch {
        let is_local =
            matches!(program.variables[variable].storage, Storage::Local | Storage::Parameter);
        if is_local && !self.escapes[variable.index()] { Touch::LOCAL } else { Touch::MEMORY }
    }

    fn effect_of(&self, program: &Program, kind: &ExprKind) -> Touch {
        let of = |id: &Id<Expr>| self.effects[id.index()];
        let both = Touch::LOCAL.and(Touch::MEMORY);
        match kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Variable(_)
            | ExprKind::Function(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeOf(_)
            | ExprKind::Unsupported(_) => Touch::NONE,
            ExprKind::Deref(a)
            | ExprKind::Load(a)
            | ExprKind::AddressOf(a)
            | ExprKind::Decay(a)
            | ExprKind::Unary(_, a)
            | ExprKind::Not(a)
            | ExprKind::Convert(a)
            | ExprKind::Member { record: a, .. } => of(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::PointerAdd(a, b)
            | ExprKind::PointerSub(a, b)
            | ExprKind::PointerDiff(a, b)
            | ExprKind::Comma(a, b)
            | ExprKind::Elvis(a, b) => of(a).and(of(b)),
            ExprKind::Conditional(a, b, c) => of(a).and(of(b)).and(of(c)),
            ExprKind::Assign(a, b) | ExprKind::AssignOp { left: a, right: b, .. } => {
                of(a).and(of(b)).and(self.target(program, *a))
            }
            ExprKind::Increment { target, .. } => of(target).and(self.target(program, *target)),
            ExprKind::Call(callee, arguments) => {
                arguments.iter().fold(of(callee), |t, a| t.and(of(a))).and(Touch::MEMORY)
            }
            ExprKind::Builtin(Builtin::ObjectSize | Builtin::Fence, arguments) => {
                arguments.iter().fold(Touch::NONE, |t, a| t.and(of(a)))
            }
            ExprKind::Builtin(..)
            | ExprKind::VaArg(_)
            | ExprKind::StatementExpr(_)
            | ExprKind::CompoundLiteral(..) => both,
        }
    }

    /// What a store to an lvalue touches.
    fn target(&self, program: &Program, mut id: Id<Expr>) -> Touch {
        loop {
            match &program.exprs[id].kind {
                ExprKind::Variable(v) => return self.touch(program, *v),
                ExprKind::Member { record, .. } => id = *record,
                // An element of an array variable is reached by a decay.
                ExprKind::Deref(pointer) => match element_base(program, *pointer) {
                    Some(array) => id = array,
                    None => return Touch::MEMORY,
                },
                _ => return Touch::MEMORY,
            }
        }
    }

    fn is_constant_kind(&self, program: &Program, kind: &ExprKind) -> bool {
        let of = |id: &Id<Expr>| self.constant[id.index()];
        match kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Function(_)
            | ExprKind::LabelAddress(_) => true,
            // As an lvalue: the address is constant. A load is not.
            ExprKind::Variable(v) | ExprKind::CompoundLiteral(v, _) => {
                matches!(program.variables[*v].storage, Storage::Static | Storage::External)
            }
            ExprKind::Member { record, .. } => of(record),
            ExprKind::AddressOf(a) | ExprKind::Decay(a) => of(a),
            ExprKind::Deref(a) | ExprKind::Unary(_, a) | ExprKind::Convert(a) => of(a),
            ExprKind::Not(a) => of(a),
            ExprKind::Binary(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::PointerAdd(a, b)
            | ExprKind::PointerSub(a, b)
            | ExprKind::PointerDiff(a, b) => of(a) && of(b),
            ExprKind::Conditional(a, b, c) => of(a) && of(b) && of(c),
            _ => false,
        }
    }
}

/// The array lvalue whose element a pointer expression is the address of.
pub(crate) fn element_base(program: &Program, pointer: Id<Expr>) -> Option<Id<Expr>> {
    match &program.exprs[pointer].kind {
        ExprKind::AddressOf(a) | ExprKind::Decay(a) => Some(*a),
        ExprKind::PointerAdd(p, _) => match &program.exprs[*p].kind {
            ExprKind::Decay(a) => Some(*a),
            _ => None,
        },
        _ => None,
    }
}

/// Which variables escape, by index. The arena also holds expressions that
/// nobody uses: `&a[i]` leaves an `a[i]` behind, which is no access.
fn escapes(program: &Program) -> Vec<bool> {
    // Addresses that are used other than for an access on the spot.
    let mut kept = vec![false; program.exprs.len()];
    let mut sums = Vec::new();
    let mut operands = Vec::new();
    for (id, expr) in program.exprs.iter_enumerated() {
        match &expr.kind {
            ExprKind::Deref(_) => {}
            ExprKind::PointerAdd(pointer, index) => {
                sums.push((*pointer, id));
                operands.push(*index);
            }
            kind => children(kind, &mut operands),
        }
    }
    for stmt in &program.stmts {
        full_expressions(&stmt.kind, &mut operands);
    }
    for init in program.variables.iter().filter_map(|variable| variable.init.as_ref()) {
        operands.extend(init.items.iter().map(|item| item.value));
    }
    operands.iter().for_each(|id| kept[id.index()] = true);
    for (pointer, sum) in sums.into_iter().rev() {
        let is_sum = matches!(program.exprs[pointer].kind, ExprKind::PointerAdd(..));
        kept[pointer.index()] |= kept[sum.index()] || is_sum;
    }
    let mut escapes = vec![false; program.variables.len()];
    for (id, expr) in program.exprs.iter_enumerated() {
        let (ExprKind::AddressOf(a) | ExprKind::Decay(a)) = &expr.kind else { continue };
        if kept[id.index()] {
            mark(&program.exprs, *a, &mut escapes);
        }
    }
    escapes
}

/// Marks the variable an lvalue is a part of.
fn mark(exprs: &IdVec<Expr>, mut id: Id<Expr>, escapes: &mut [bool]) {
    loop {
        match &exprs[id].kind {
            ExprKind::Variable(v) | ExprKind::CompoundLiteral(v, _) => {
                escapes[v.index()] = true;
                return;
            }
            ExprKind::Member { record, .. } => id = *record,
            ExprKind::Deref(pointer) => match &exprs[*pointer].kind {
                ExprKind::AddressOf(a) | ExprKind::Decay(a) => id = *a,
                ExprKind::PointerAdd(p, _) => match &exprs[*p].kind {
                    ExprKind::Decay(a) => id = *a,
                    _ => return,
                },
                _ => return,
            },
            _ => return,
        }
    }
}
