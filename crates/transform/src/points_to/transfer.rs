//! Calls and primitives as constraints.

use super::Undefined;
use super::address::Address;
use super::generate::{Generator, Site};
use super::memory::{Object, ObjectKind};
use super::shape::Offset;
use super::solve::{Rule, Target};
use parallax_base::Id;
use parallax_cfa::{Argument, Edge, Expr, ExprKind, Function, Place, Primitive, Storage, Type};

impl Generator<'_> {
    pub(super) fn result(&mut self, function: Id<Function>) -> u32 {
        let solver = &mut self.solver;
        *self.results.entry(function).or_insert_with(|| solver.node())
    }

    pub(super) fn result_object(&mut self, function: Id<Function>, ty: Id<Type>) -> Id<Object> {
        let types = &self.program.types;
        let shape = self.solver.memory.shapes.of_type(types, ty, false);
        self.solver.memory.object(ObjectKind::Result(function), types.size_of(ty), shape)
    }

    pub(super) fn call(
        &mut self,
        callee: Id<Function>,
        to: Option<Id<Place>>,
        arguments: &[Argument],
    ) {
        let function = &self.program.functions[callee];
        if !function.is_defined {
            let given = if function.is_library { &[][..] } else { arguments };
            self.mark_aggregates(arguments);
            self.call_unknown(to, given);
            return;
        }
        self.reach(callee);
        for (i, argument) in arguments.iter().enumerate() {
            let parameter = function.parameters.get(i).copied();
            match (*argument, parameter) {
                (Argument::Scalar(e), Some(parameter)) => {
                    let object = self.variable(parameter);
                    let at = Address::Known(Target { object, offset: Offset::At(0) });
                    let ty = self.program.variables[parameter].ty;
                    self.write_at(at, ty, self.value(e));
                }
                (Argument::Scalar(e), None) => {
                    if let Some(value) = self.value(e) {
                        self.solver.copy(value, self.variadic);
                    }
                }
                (Argument::Aggregate(place), Some(parameter)) => {
                    let object = self.variable(parameter);
                    let at = Address::Known(Target { object, offset: Offset::At(0) });
                    let from = self.address(place);
                    self.mark(place);
                    self.copy_scalars(at, from, self.program.places[place].ty);
                }
                (Argument::Aggregate(place), None) => {
                    self.mark(place);
                    self.collect(place, self.variadic);
                }
            }
        }
        let Some(to) = to else { return };
        let ty = self.program.places[to].ty;
        if matches!(self.program.types.get(ty), Type::Record(_)) {
            let object = self.result_object(callee, ty);
            let from = Address::Known(Target { object, offset: Offset::At(0) });
            self.mark(to);
            let to = self.address(to);
            self.copy_scalars(to, from, ty);
        } else {
            let result = self.result(callee);
            self.write(to, Some(result));
        }
    }

    /// A call of code that is not there: see [`Undefined`].
    pub(super) fn call_unknown(&mut self, to: Option<Id<Place>>, arguments: &[Argument]) {
        let sink = self.solver.sink;
        if self.options.undefined != Undefined::Nothing {
            for argument in arguments {
                match *argument {
                    Argument::Scalar(e) => {
                        if let Some(value) = self.value(e) {
                            self.solver.copy(value, sink);
                        }
                    }
                    Argument::Aggregate(place) => self.collect(place, sink),
                }
            }
        }
        self.mark_aggregates(arguments);
        if self.options.undefined == Undefined::Everything && !self.globals_escaped {
            self.globals_escaped = true;
            for (id, variable) in self.program.variables.iter_enumerated() {
                if matches!(variable.storage, Storage::Static | Storage::Thread)
                    && !variable.read_only
                {
                    let object = self.variable(id);
                    self.solver.add(sink, Target { object, offset: Offset::At(0) });
                }
            }
        }
        if let Some(to) = to {
            self.mark(to);
            let address = self.address(to);
            self.forget(address, self.program.places[to].ty);
        }
    }

    /// Code outside the program may call a function whose address it knows,
    /// with any arguments.
    pub(super) fn call_back(&mut self, callee: Id<Function>) {
        let function = &self.program.functions[callee];
        if !self.options.callbacks || !function.can_be_called_back() {
            return;
        }
        self.reach(callee);
        for parameter in &function.parameters {
            let object = self.variable(*parameter);
            let at = Address::Known(Target { object, offset: Offset::At(0) });
            self.forget(at, self.program.variables[*parameter].ty);
        }
        let Type::Function(ty) = self.program.types.get(function.ty) else { return };
        if matches!(self.program.types.get(ty.result), Type::Record(_)) {
            let object = self.result_object(callee, ty.result);
            self.solver.add(self.solver.sink, Target { object, offset: Offset::At(0) });
        } else {
            let result = self.result(callee);
            self.solver.copy(result, self.solver.sink);
        }
    }

    fn mark_aggregates(&mut self, arguments: &[Argument]) {
        for argument in arguments {
            if let Argument::Aggregate(place) = argument {
                self.mark(*place);
            }
        }
    }

    pub(super) fn primitive(
        &mut self,
        function: Id<Function>,
        edge: Id<Edge>,
        to: Option<Id<Place>>,
        primitive: Primitive,
        arguments: &[Id<Expr>],
    ) {
        let argument = |i: usize| arguments.get(i).copied();
        let values: Vec<Option<u32>> = arguments.iter().map(|e| self.value(*e)).collect();
        let value = |i: usize| values.get(i).copied().flatten();
        match primitive {
            Primitive::Allocate | Primitive::AllocateLocal => {
                let object = self.heap(function, edge);
                let node = self.solver.node();
                self.solver.add(node, Target { object, offset: Offset::At(0) });
                if let Some(to) = to {
                    self.write(to, Some(node));
                }
            }
            Primitive::CopyBytes => {
                let (Some(into), Some(from)) = (value(0), value(1)) else { return };
                match (argument(0), argument(1), argument(2)) {
                    (Some(a), Some(b), Some(size)) if self.same_type(a, b, size).is_some() => {
                        if let Some(ty) = self.same_type(a, b, size) {
                            self.copy_scalars(Address::At(into, 0), Address::At(from, 0), ty);
                        }
                    }
                    _ => {
                        let between = self.solver.node();
                        self.solver.rule(from, Rule::Contents(between));
                        self.solver.rule(into, Rule::Fill(between));
                    }
                }
            }
            Primitive::HavocBytes => {
                if let Some(into) = value(0) {
                    self.solver.rule(into, Rule::Forget);
                }
            }
            Primitive::VaStart => self.solver.copy(self.variadic, self.solver.sink),
            Primitive::VaArg => {
                if let Some(to) = to {
                    self.write(to, Some(self.variadic));
                }
            }
            Primitive::Spawn => {
                if let Some(start) = argument(0) {
                    self.site(start, Site { function, edge });
                }
                to.iter().for_each(|to| self.write(*to, None));
            }
            Primitive::Join => to.iter().for_each(|to| self.write(*to, Some(self.threads))),
            Primitive::ThreadExit => {
                if let Some(result) = value(0) {
                    self.solver.copy(result, self.threads);
                }
            }
            Primitive::ThreadSelf | Primitive::ThreadMark => {
                to.iter().for_each(|to| self.write(*to, None))
            }
            Primitive::Free
            | Primitive::SetBytes
            | Primitive::VaCopy
            | Primitive::VaEnd
            | Primitive::Yield
            | Primitive::Sleep
            | Primitive::Rise
            | Primitive::Wake
            | Primitive::WakeAll
            | Primitive::Lock
            | Primitive::Unlock
            | Primitive::AtomicBegin
            | Primitive::AtomicWhen
            | Primitive::AtomicEnd
            | Primitive::Atom
            | Primitive::Letter => {}
        }
    }

    /// A thread starts in a function; its argument comes second.
    pub(super) fn start_thread(&mut self, kind: ObjectKind, arguments: &[Id<Expr>]) {
        let argument = arguments.get(1).map(|argument| Argument::Scalar(*argument));
        match kind {
            ObjectKind::Function(callee) => {
                self.call(callee, None, argument.as_slice());
                let result = self.result(callee);
                self.solver.copy(result, self.threads);
            }
            ObjectKind::Unknown => self.call_unknown(None, argument.as_slice()),
            _ => {}
        }
    }

    /// The type that both pointers point to before their conversion to `void *`,
    /// if the size is that of one or more of it.
    fn same_type(&self, a: Id<Expr>, b: Id<Expr>, size: Id<Expr>) -> Option<Id<Type>> {
        let types = &self.program.types;
        let pointee = |e: Id<Expr>| {
            let mut e = e;
            while let ExprKind::Convert(inner) = self.program.exprs[e].kind {
                e = inner;
            }
            types.pointee(self.program.exprs[e].ty)
        };
        let (to, from) = (pointee(a)?, pointee(b)?);
        let element = types.size_of(to).filter(|s| *s > 0)?;
        let whole = match self.constant(size) {
            Some(n) => n % i128::from(element) == 0,
            // A size that is not known may end inside an element.
            None => element == 1,
        };
        (to == from && whole).then_some(to)
    }
}
