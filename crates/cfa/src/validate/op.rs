//! Operations.

use super::Validator;
use crate::{
    Argument, Base, Callee, Check, Expr, ExprKind, Function, Op, Place, Primitive, ScalarType,
    Storage, Type,
};
use parallax_base::Id;

impl Validator<'_> {
    pub(super) fn op(&mut self, id: Id<Function>, function: &Function, op: &Op) {
        match op {
            Op::Skip | Op::Halt(_) | Op::Error(_) | Op::Unsupported(_) => {}
            Op::Assume(e) => self.exists(*e),
            Op::Assign(place, value) => {
                self.place(id, *place);
                self.exists(*value);
                let (place, value) =
                    (self.program.places[*place].ty, self.program.exprs[*value].ty);
                self.same(place, value, "assignment");
            }
            Op::Copy { to, from } => {
                self.place(id, *to);
                self.place(id, *from);
                let (to, from) = (self.program.places[*to].ty, self.program.places[*from].ty);
                self.same(to, from, "copy");
            }
            Op::Input { to, .. } => {
                self.place(id, *to);
                let ty = self.program.places[*to].ty;
                self.demand(self.program.types.scalar(ty).is_some(), "an input that is no scalar");
            }
            Op::Havoc { to, .. } => self.place(id, *to),
            Op::Check(check) => self.check(id, check),
            Op::Call { to, callee, arguments } => {
                if let Some(to) = to {
                    self.place(id, *to);
                }
                self.call(id, *callee, arguments, to.map(|to| self.program.places[to].ty));
            }
            Op::Primitive { to, primitive, arguments } => {
                if let Some(to) = to {
                    self.place(id, *to);
                }
                self.primitive(to.is_some(), *primitive, arguments);
            }
            Op::Return(value) => self.returned(id, function, value.as_ref()),
            Op::Live(variable, size) => {
                let own = self.program.variables.get(*variable);
                let own = own.is_some_and(|v| v.storage == Storage::Local && v.owner == Some(id));
                self.demand(own, "begins the life of no local variable");
                if let Some(size) = size {
                    self.exists(*size);
                    self.size(*size);
                }
            }
            Op::Dead(variable) => {
                let own = self.program.variables.get(*variable);
                let own = own.is_some_and(|v| v.storage == Storage::Local && v.owner == Some(id));
                self.demand(own, "ends the life of no local variable");
            }
        }
    }

    fn exists(&mut self, id: Id<Expr>) {
        self.demand(self.program.exprs.get(id).is_some(), "expression out of range");
    }

    /// A place a function may use.
    fn place(&mut self, function: Id<Function>, id: Id<Place>) {
        let Some(place) = self.program.places.get(id) else {
            return self.flaw("place out of range");
        };
        if let Base::Variable(variable) = place.base {
            let owner = self.program.variables[variable].owner;
            self.demand(
                owner.is_none_or(|owner| owner == function),
                "a variable of another function",
            );
        }
    }

    fn argument(&mut self, function: Id<Function>, argument: &Argument) -> Id<Type> {
        match argument {
            Argument::Scalar(value) => self.program.exprs[*value].ty,
            Argument::Aggregate(place) => {
                self.place(function, *place);
                let ty = self.program.places[*place].ty;
                let aggregate = self.program.types.scalar(ty).is_none();
                self.demand(aggregate, "a scalar given as an aggregate");
                ty
            }
        }
    }

    fn call(
        &mut self,
        id: Id<Function>,
        callee: Callee,
        arguments: &[Argument],
        to: Option<Id<Type>>,
    ) {
        let given: Vec<Id<Type>> = arguments.iter().map(|a| self.argument(id, a)).collect();
        let Callee::Direct(callee) = callee else { return };
        let Some(target) = self.program.functions.get(callee) else {
            return self.flaw("callee out of range");
        };
        let Type::Function(ty) = self.program.types.get(target.ty) else { return };
        if let Some(to) = to {
            self.same(ty.result, to, "result");
        }
        if !target.is_defined {
            return;
        }
        let enough = given.len() >= target.parameters.len();
        let exact = given.len() == target.parameters.len();
        self.demand(if ty.variadic { enough } else { exact }, "another number of arguments");
        for (parameter, given) in target.parameters.iter().zip(given) {
            self.same(self.program.variables[*parameter].ty, given, "argument");
        }
    }

    fn returned(&mut self, id: Id<Function>, function: &Function, value: Option<&Argument>) {
        let Type::Function(ty) = self.program.types.get(function.ty) else { return };
        match value {
            None => {
                let void = matches!(self.program.types.get(ty.result), Type::Void);
                self.demand(void, "returns without a value");
            }
            Some(value) => {
                let given = self.argument(id, value);
                self.same(ty.result, given, "returned value");
            }
        }
    }

    fn pointer(&mut self, id: Id<Expr>) {
        let fits = self.program.exprs.get(id).is_some()
            && self.scalar(id).is_some_and(ScalarType::is_pointer);
        self.demand(fits, "no pointer where one is wanted");
    }

    fn primitive(&mut self, has_target: bool, primitive: Primitive, arguments: &[Id<Expr>]) {
        let (count, result) = match primitive {
            Primitive::Allocate | Primitive::AllocateLocal => (1, true),
            Primitive::VaArg => (1, true),
            Primitive::Free | Primitive::VaStart | Primitive::VaEnd => (1, false),
            Primitive::CopyBytes | Primitive::SetBytes => (3, false),
            Primitive::HavocBytes | Primitive::VaCopy => (2, false),
            Primitive::Spawn => (2, true),
            Primitive::Join => (1, true),
            Primitive::ThreadSelf => (0, true),
            Primitive::ThreadMark => (0, true),
            Primitive::ThreadExit
            | Primitive::Lock
            | Primitive::Unlock
            | Primitive::AtomicWhen
            | Primitive::Sleep
            | Primitive::WakeAll => (1, false),
            Primitive::Wake => (2, false),
            Primitive::Rise | Primitive::Yield | Primitive::AtomicBegin | Primitive::AtomicEnd => {
                (0, false)
            }
            Primitive::Atom => (3, false),
            Primitive::Letter => (1, false),
        };
        self.demand(arguments.len() == count, "another number of arguments");
        self.demand(has_target == result, "a result where there is none");
        let takes_number = matches!(
            primitive,
            Primitive::Allocate
                | Primitive::AllocateLocal
                | Primitive::Join
                | Primitive::Atom
                | Primitive::Letter
        );
        if let (Some(first), false) = (arguments.first(), takes_number) {
            self.pointer(*first);
        }
    }

    fn check(&mut self, id: Id<Function>, check: &Check) {
        match check {
            Check::Overflow(e) => {
                let kind = self.program.exprs.get(*e).map(|e| e.kind.clone());
                let fits = matches!(kind, Some(ExprKind::Binary(..) | ExprKind::Unary(..)));
                self.demand(fits, "no operator that can overflow");
            }
            Check::Shift(e) => {
                let kind = self.program.exprs.get(*e).map(|e| e.kind.clone());
                self.demand(matches!(kind, Some(ExprKind::Binary(..))), "no shift");
            }
            Check::FloatConversion(e) => {
                let kind = self.program.exprs.get(*e).map(|e| e.kind.clone());
                self.demand(matches!(kind, Some(ExprKind::Convert(_))), "no conversion");
            }
            Check::Division(e) => self.exists(*e),
            Check::Access { place, .. }
            | Check::Initialized(place)
            | Check::Alone { place, .. }
            | Check::Lock(place, _) => self.place(id, *place),
            Check::AccessBytes { pointer, size, .. } | Check::AloneBytes { pointer, size, .. } => {
                self.pointer(*pointer);
                self.size(*size);
            }
            Check::Free(e) | Check::Callable(e) => self.pointer(*e),
            Check::Sequenced { place, apart } | Check::Index { array: place, within: apart } => {
                self.place(id, *place);
                self.exists(*apart);
            }
            Check::Unreachable => {}
        }
    }
}
