//! Calls.
//!
//! A call of a function by name goes to its definition, to its meaning in the
//! library, or to an undefined function. Arguments are brought to the types of
//! the parameters where an old-style declaration left that open.

use super::body::Body;
use super::build::{Touch, Way};
use super::expr::Value;
use crate::libc::{self, Meaning, Outcome, Request};
use crate::typed::{self, Expr, ExprKind};
use parallax_base::{Id, Span};
use parallax_cfa::{Argument, Callee, Check, Function, Halt, Op, Type};
use std::sync::Arc;

impl Body<'_, '_> {
    /// Lowers a call. The result goes to `to` if given; else its value is
    /// returned if `wanted`.
    pub(crate) fn call(
        &mut self,
        id: Id<Expr>,
        callee: Id<Expr>,
        arguments: &[Id<Expr>],
        to: Option<&Way>,
        wanted: bool,
    ) -> Option<Value> {
        let (ty, span) = (self.ty(id), self.span(id));
        if let Some(tree) = self.designated(callee) {
            self.opaque_function(tree, span);
            let tree = self.cx.resolve(tree);
            let function = &self.typed.functions[tree];
            let meaning = self.cx.meanings.get(tree);
            if function.body.is_none() {
                self.cx.assumed.extend(libc::assumption(&function.name).map(Arc::from));
            }
            if meaning.is_operation() {
                let values = self.arguments(arguments, span);
                let values = values.iter().map(scalar_of).collect::<Vec<_>>();
                let name = self.cx.name(tree);
                let request = Request { tree, name, arguments: &values, ty, to, wanted, span };
                match libc::operation(self, &request) {
                    Outcome::Stored => return None,
                    Outcome::Value(value) => return self.deliver(value, to, wanted, ty, span),
                }
            }
            let noreturn = function.noreturn;
            let target = self.cx.function(tree);
            let values = self.arguments(arguments, span);
            let value = self.direct(tree, target, values, (to, wanted), ty, span);
            if meaning == Meaning::Unknown {
                self.touch_errno(span);
            }
            if noreturn {
                self.stop(Op::Halt(Halt::End), span);
            }
            return value;
        }
        let effect = arguments.iter().fold(Touch::NONE, |t, a| t.and(self.cx.facts.effect(*a)));
        let pointer = match self.cx.build.types.get(self.ty(callee)) {
            Type::Function(_) => {
                let ty = self.cx.build.types.pointer(self.ty(callee));
                self.designator(callee, ty)
            }
            _ => self.rvalue(callee),
        };
        let pointer = self.settle(pointer, effect, span);
        let arguments = self.arguments(arguments, span);
        self.demand(Check::Callable(pointer), span);
        let way = self.target(to, wanted, ty);
        let place = way.as_ref().map(|way| self.place(way));
        self.emit(Op::Call { to: place, callee: Callee::Indirect(pointer), arguments }, span);
        if wanted { way.map(|way| self.load(&way)) } else { None }
    }

    /// Hands the value of a library operation over.
    fn deliver(
        &mut self,
        value: Option<Value>,
        to: Option<&Way>,
        wanted: bool,
        ty: Id<Type>,
        span: Span,
    ) -> Option<Value> {
        if !self.is_scalar(ty) || (to.is_none() && !wanted) {
            return None;
        }
        let value = match value {
            Some(value) => self.cx.build.coerce(value, ty),
            None => {
                let way = self.arbitrary(ty, "result of a library function", span);
                self.load(&way)
            }
        };
        if let Some(to) = to {
            self.set(to, value, span);
            return None;
        }
        Some(value)
    }

    fn target(&mut self, to: Option<&Way>, wanted: bool, ty: Id<Type>) -> Option<Way> {
        match to {
            Some(way) => Some(way.clone()),
            None if wanted && !matches!(self.cx.build.types.get(ty), Type::Void) => {
                Some(self.temporary(ty))
            }
            None => None,
        }
    }

    /// The function an expression names, casts included if arguments and
    /// result can be brought to its types.
    fn designated(&self, mut id: Id<Expr>) -> Option<Id<typed::Function>> {
        loop {
            match &self.typed.exprs[id].kind {
                ExprKind::Function(function) => return Some(*function),
                ExprKind::Decay(a) | ExprKind::AddressOf(a) | ExprKind::Deref(a) => id = *a,
                ExprKind::Convert(a) => {
                    let types = &self.cx.build.types;
                    let to_function = types
                        .pointee(self.ty(id))
                        .is_some_and(|to| matches!(types.get(to), Type::Function(_)));
                    if !to_function {
                        return None;
                    }
                    id = *a;
                }
                _ => return None,
            }
        }
    }

    /// Evaluates arguments from left to right.
    fn arguments(&mut self, arguments: &[Id<Expr>], span: Span) -> Vec<Argument> {
        let mut later = vec![Touch::NONE; arguments.len() + 1];
        for (index, argument) in arguments.iter().enumerate().rev() {
            later[index] = later[index + 1].and(self.cx.facts.effect(*argument));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for (index, argument) in arguments.iter().enumerate() {
            let later = later[index + 1];
            if self.is_scalar(self.ty(*argument)) {
                let value = self.rvalue(*argument);
                values.push(Argument::Scalar(self.settle(value, later, span)));
            } else {
                let way = self.record(*argument);
                let mut way = self.settle_way(way, later, span);
                if later != Touch::NONE || self.is_shared(&way) {
                    let saved = self.temporary(way.ty);
                    self.copy(&saved, &way, span);
                    way = saved;
                }
                values.push(Argument::Aggregate(self.place(&way)));
            }
        }
        values
    }

    /// The types of the parameters of a function, if they are known.
    fn parameter_types(&self, tree: Id<typed::Function>) -> Option<(Vec<Id<Type>>, bool)> {
        let function = &self.typed.functions[tree];
        let Type::Function(ty) = self.cx.build.types.get(function.ty) else { return None };
        if function.body.is_some() {
            let of = |v: &Id<typed::Variable>| self.typed.variables[*v].ty;
            return Some((function.parameters.iter().map(of).collect(), ty.variadic));
        }
        ty.prototyped.then(|| (ty.parameters.clone(), ty.variadic))
    }

    /// Calls a function; `tree` says what its parameters are.
    pub(crate) fn direct(
        &mut self,
        tree: Id<typed::Function>,
        target: Id<Function>,
        mut arguments: Vec<Argument>,
        (to, wanted): (Option<&Way>, bool),
        ty: Id<Type>,
        span: Span,
    ) -> Option<Value> {
        if let Some((parameters, variadic)) = self.parameter_types(tree) {
            if !variadic {
                arguments.truncate(parameters.len());
            }
            for (index, parameter) in parameters.iter().enumerate() {
                let argument = arguments.get(index).copied();
                self.require_fit(argument, *parameter, span);
                let fitted = self.fitted(argument, *parameter, span);
                match arguments.get_mut(index) {
                    Some(slot) => *slot = fitted,
                    None => arguments.push(fitted),
                }
            }
        }
        let result = match self.cx.build.types.get(self.cx.functions[target].ty) {
            Type::Function(f) => f.result,
            _ => ty,
        };
        let callee = Callee::Direct(target);
        if self.same_kind(result, ty) {
            let way = self.target(to, wanted, ty);
            let place = way.as_ref().map(|way| self.place(way));
            self.emit(Op::Call { to: place, callee, arguments }, span);
            return if wanted { way.map(|way| self.load(&way)) } else { None };
        }
        // The declaration at the call and the definition disagree.
        if !self.returns_as(result, ty) {
            self.unsupported("call of a function that is defined with another result", span);
        }
        if self.is_scalar(result) {
            let way = self.temporary(result);
            let place = Some(self.place(&way));
            self.emit(Op::Call { to: place, callee, arguments }, span);
            let value = self.load(&way);
            if !self.is_scalar(ty) {
                return None;
            }
            let value = self.cx.build.convert(value, ty);
            return self.deliver(Some(value), to, wanted, ty, span);
        }
        if let (Some(to), true) = (to, self.same_size(result, ty)) {
            let way = self.temporary(result);
            let place = Some(self.place(&way));
            self.emit(Op::Call { to: place, callee, arguments }, span);
            let seen = self.seen_as(&way, ty);
            self.copy(to, &seen, span);
            return None;
        }
        self.emit(Op::Call { to: None, callee, arguments }, span);
        if let Some(to) = to {
            let to = self.place(to);
            self.emit(Op::Havoc { to, why: "no value returned".into() }, span);
        }
        self.deliver(None, None, wanted, ty, span)
    }

    /// Says that a function is not what its declaration says.
    pub(crate) fn opaque_function(&mut self, function: Id<typed::Function>, span: Span) {
        if let Some(why) = self.typed.opaque_functions.get(&function)
            && (why.is_alias || self.cx.meanings.get(function) == Meaning::Unknown)
        {
            self.opaque(why.reason.clone(), span);
        }
    }

    /// Says that a variable is not what its declaration says.
    pub(crate) fn opaque_variable(&mut self, variable: Id<typed::Variable>, span: Span) {
        if let Some(why) = self.typed.opaque_variables.get(&variable) {
            self.opaque(why.reason.clone(), span);
        }
    }

    fn opaque(&mut self, reason: Arc<str>, span: Span) {
        match self.graph.current {
            Some(_) => self.unsupported(reason, span),
            // In the value of a static object.
            None if self.tree.is_none() => self.cx.unsupported.push((span, reason)),
            None => {}
        }
    }

    /// Whether two aggregates have one size: a record declared in two units is
    /// two types.
    fn same_size(&self, a: Id<Type>, b: Id<Type>) -> bool {
        let size = |ty| match self.cx.build.types.get(ty) {
            Type::Record(_) => self.cx.build.types.size_of(ty),
            _ => None,
        };
        size(a).is_some() && size(a) == size(b)
    }

    /// The same object under another type.
    fn seen_as(&mut self, way: &Way, ty: Id<Type>) -> Way {
        let own = self.cx.build.types.pointer(way.ty);
        let other = self.cx.build.types.pointer(ty);
        let address = self.cx.build.address(way, own);
        let pointer = self.cx.build.convert(address, other);
        self.cx.build.pointee_way(pointer, ty, false)
    }

    /// Whether a result of one type can be stored as the other.
    fn same_kind(&self, a: Id<Type>, b: Id<Type>) -> bool {
        a == b
            || (self.is_scalar(a) && self.cx.build.types.scalar(a) == self.cx.build.types.scalar(b))
    }

    /// Whether the machine hands a result over as the caller expects it: whole,
    /// or its low bits.
    fn returns_as(&self, result: Id<Type>, ty: Id<Type>) -> bool {
        let types = &self.cx.build.types;
        match (types.scalar(result), types.scalar(ty)) {
            (Some(a), Some(b)) => !a.is_float() && !b.is_float() && b.bits() <= a.bits(),
            (None, None) => self.same_size(result, ty),
            (_, None) => matches!(types.get(ty), Type::Void),
            (None, _) => matches!(types.get(result), Type::Void),
        }
    }

    /// Says that an argument does not arrive as the parameter wants it: it is
    /// neither of one size and kind, nor a promoted one.
    fn require_fit(&mut self, argument: Option<Argument>, parameter: Id<Type>, span: Span) {
        let types = &self.cx.build.types;
        let fits = match argument {
            None => true,
            Some(Argument::Scalar(value)) => {
                let from = types.scalar(self.cx.build.exprs[value].ty);
                match (from, types.scalar(parameter)) {
                    (Some(a), Some(b)) if a.is_float() && b.is_float() => b.bits() <= a.bits(),
                    (Some(a), Some(b)) if !a.is_float() && !b.is_float() => {
                        a.bits() == b.bits() || b.bits() < a.bits() && a.bits() == 32
                    }
                    _ => false,
                }
            }
            Some(Argument::Aggregate(place)) => {
                let from = self.cx.build.places[place].ty;
                from == parameter || self.same_size(from, parameter)
            }
        };
        if !fits {
            self.unsupported("argument of another type than the function is defined with", span);
        }
    }

    /// An argument as the parameter wants it; anything if it is missing.
    fn fitted(&mut self, argument: Option<Argument>, ty: Id<Type>, span: Span) -> Argument {
        match argument {
            Some(Argument::Scalar(value)) if self.is_scalar(ty) => {
                Argument::Scalar(self.cx.build.coerce(value, ty))
            }
            Some(Argument::Aggregate(place)) if self.cx.build.places[place].ty == ty => {
                Argument::Aggregate(place)
            }
            Some(Argument::Aggregate(place))
                if self.same_size(self.cx.build.places[place].ty, ty) =>
            {
                let way = self.cx.build.way(place);
                let seen = self.seen_as(&way, ty);
                self.argument(&seen)
            }
            _ => {
                let way = self.arbitrary(ty, "argument of another type", span);
                self.argument(&way)
            }
        }
    }
}

/// The value of a scalar argument.
fn scalar_of(argument: &Argument) -> Option<Value> {
    match argument {
        Argument::Scalar(value) => Some(*value),
        Argument::Aggregate(_) => None,
    }
}
