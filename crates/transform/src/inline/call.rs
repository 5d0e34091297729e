//! One call: its variables, what is handed over, and what comes back.

use super::{Caller, Inliner, Instance};
use crate::origin::{EdgeOrigin, Frame, Role, VariableOrigin};
use crate::rewrite::Mapping;
use parallax_base::Id;
use parallax_cfa::{Argument, Callee, Edge, Expr, ExprKind, Function, Op, Place, Storage, Type};

impl Inliner<'_> {
    pub(super) fn call(&mut self, callee: Id<Function>, edge: Edge, origin: EdgeOrigin) {
        let old = self.old;
        let EdgeOrigin { function, edge: call, stack: parent, .. } = origin;
        if self.depth(callee, parent) > self.limits.recursion {
            self.cut += 1;
            let name = &old.functions[callee].name;
            let text = format!("recursion of `{name}` deeper than {}", self.limits.recursion);
            self.edge(Edge { op: Op::Unsupported(text.into()), ..edge }, origin);
            return;
        }
        let Op::Call { to, arguments, .. } = &edge.op else { return };
        let stack = Some(self.origin.frames.push(Frame { parent, function, call }));
        let mut renamed = self.own.clone();
        for id in self.locals[callee.index()].clone() {
            let mut variable = old.variables[id].clone();
            variable.owner = Some(self.owner);
            if variable.storage == Storage::Parameter || variable.address_taken {
                variable.storage = Storage::Local;
            }
            self.origin.variables.push(VariableOrigin { variable: Some(id), stack });
            renamed.insert(id, self.variables.push(variable));
        }
        let mapping = Mapping::new(renamed);
        let mut ops = Vec::new();
        for id in &self.locals[callee.index()] {
            let variable = &old.variables[*id];
            let begins = variable.storage == Storage::Parameter
                || variable.storage == Storage::Temporary && variable.address_taken;
            if begins {
                ops.push(Op::Live(mapping.variable(*id), None));
            }
        }
        for (argument, parameter) in arguments.iter().zip(&old.functions[callee].parameters) {
            let ty = old.variables[*parameter].ty;
            let place = self.arena.whole(mapping.variable(*parameter), ty);
            ops.push(match *argument {
                Argument::Scalar(e) => Op::Assign(place, self.passed(e, ty)),
                Argument::Aggregate(from) => Op::Copy { to: place, from },
            });
        }
        ops.push(Op::Skip);
        let enter = EdgeOrigin { role: Role::Enter, ..origin };
        let mut source = edge.source;
        for op in ops {
            let at = self.old.functions[function].edges[call].source;
            let target = match op {
                Op::Skip => self.location(callee, old.functions[callee].entry, stack),
                _ => self.location(function, at, parent),
            };
            self.edge(Edge { source, target, op, span: edge.span, branch: None }, enter);
            source = target;
        }
        let origin = EdgeOrigin { role: Role::Leave, ..origin };
        let caller = Some(Caller { target: edge.target, to: *to, origin });
        self.work.push_back(Instance { function: callee, stack, mapping, entry: source, caller });
    }

    /// What a return does in the place of a call.
    pub(super) fn result(&mut self, value: Option<Argument>, to: Option<Id<Place>>) -> Op {
        match (value, to) {
            (_, None) => Op::Skip,
            (Some(Argument::Scalar(e)), Some(to)) => {
                let ty = self.arena.places[to].ty;
                Op::Assign(to, self.passed(e, ty))
            }
            (Some(Argument::Aggregate(from)), Some(to)) => Op::Copy { to, from },
            (None, Some(to)) => Op::Havoc { to, why: "return without a value".into() },
        }
    }

    /// A value as one of another type. A call through a pointer may hand over a
    /// number as a pointer, or the other way round, if both are of one size.
    fn passed(&mut self, value: Id<Expr>, ty: Id<Type>) -> Id<Expr> {
        let types = &self.old.types;
        let from = self.arena.exprs[value].ty;
        let kind = |ty: Id<Type>| (types.int_kind(ty), types.pointee(ty).is_some());
        match from == ty || kind(from) == kind(ty) {
            true => value,
            false => self.arena.expr(ExprKind::Convert(value), ty),
        }
    }

    /// How often a function stands on a call stack, the one at the bottom included.
    fn depth(&self, callee: Id<Function>, stack: Option<Id<Frame>>) -> usize {
        let mut count = usize::from(callee == self.start);
        let mut next = stack;
        while let Some(frame) = next.map(|id| self.origin.frames[id]) {
            let called = &self.old.functions[frame.function].edges[frame.call].op;
            if matches!(called, Op::Call { callee: Callee::Direct(f), .. } if *f == callee) {
                count += 1;
            }
            next = frame.parent;
        }
        count
    }
}
