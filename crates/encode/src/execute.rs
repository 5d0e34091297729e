//! Operations of the program form on symbolic states.
//!
//! An operation gives at most one state that goes on, and states that end: in
//! the violation of a property, at the end of the program, or in a gap.

use crate::encoder::{Encoder, Gap, Home, Slots, Source};
use crate::state::State;
use crate::value::Value;
use parallax_base::Id;
use parallax_cfa::{
    Argument, Base, CProperty, Callee, Check, Edge, Expr, ExprKind, Halt, Op, Place, Primitive,
    Storage, Type, Variable,
};
use parallax_term::Term;
use std::sync::Arc;

/// Where a run ends.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum End {
    /// The property with this number is violated.
    Violated(usize),
    /// The program ends.
    Finished,
    /// The run is not covered: why.
    Gap(Arc<str>),
}

/// What became of a state.
#[derive(Default)]
pub(crate) struct Outcome {
    /// The state that goes on.
    pub(crate) next: Option<State>,
    /// The states that end.
    pub(crate) ends: Vec<(End, State)>,
}

impl Outcome {
    pub(crate) fn end(end: End, state: State) -> Outcome {
        Outcome { next: None, ends: vec![(end, state)] }
    }
}

impl Encoder<'_> {
    /// Executes the operation of an edge.
    pub(crate) fn execute(&mut self, edge: &Edge, state: State) -> Outcome {
        self.doubts.clear();
        let before = state.clone();
        let mut outcome = match self.attempt(edge, state) {
            Ok(outcome) => outcome,
            Err(Gap::Uncovered(why)) => return Outcome::end(End::Gap(why), before),
            Err(Gap::Undefined) => return self.stuck(before),
        };
        for (condition, why) in std::mem::take(&mut self.doubts) {
            let mut lost = before.clone();
            if lost.assume(&mut self.store, condition) {
                outcome.ends.push((End::Gap(why), lost));
                let fine = self.store.not(condition);
                outcome.next = outcome
                    .next
                    .and_then(|mut next| next.assume(&mut self.store, fine).then_some(next));
            }
        }
        outcome
    }

    fn attempt(&mut self, edge: &Edge, mut state: State) -> Result<Outcome, Gap> {
        match &edge.op {
            Op::Skip => {}
            Op::Assume(condition) => {
                let truth = self.truth(&mut state, *condition)?;
                if !state.assume(&mut self.store, truth) {
                    return Ok(Outcome::default());
                }
            }
            Op::Assign(place, value) => {
                let written = self.carried(&mut state, *value)?;
                let value = self.eval(&mut state, *value)?;
                self.store_marked(&mut state, *place, value, written)?;
            }
            Op::Copy { to, from } => self.copy(&mut state, *to, *from)?,
            Op::Input { to, name } => {
                let kind = self.kind(self.place(*to).ty)?;
                let value = self.any(name, kind, &Source::Input);
                self.store_value(&mut state, *to, value)?;
            }
            Op::Havoc { to, .. } => self.havoc(&mut state, *to)?,
            Op::Check(check) => return self.check(*check, state),
            Op::Call { to, callee, .. } => {
                self.unknown_call(&mut state, *to, *callee)?;
            }
            Op::Primitive { primitive: Primitive::ThreadExit, arguments, .. }
                if self.team.is_some() =>
            {
                if let [result] = arguments[..] {
                    self.set_result(&mut state, result)?;
                }
                return Ok(self.end_thread(state, true));
            }
            Op::Primitive { to, primitive, arguments } => {
                self.primitive(&mut state, *to, *primitive, arguments)?;
            }
            Op::Return(Some(Argument::Scalar(value))) if self.team.is_some() => {
                self.set_result(&mut state, *value)?;
            }
            Op::Return(_) => {}
            Op::Live(variable, size) => self.live(&mut state, *variable, *size)?,
            Op::Dead(variable) => self.dead(&mut state, *variable),
            Op::Error(_) => {
                let asked = self.options.properties.iter().position(|p| p.asks_error(&edge.op));
                // An error that nobody asks for ends the program all the same.
                return Ok(match asked {
                    Some(number) => Outcome::end(End::Violated(number), state),
                    None if self.team.is_some() => self.stuck(state),
                    None => self.finish(state),
                });
            }
            Op::Halt(_) if self.team.is_some() => return Ok(self.stuck(state)),
            Op::Halt(Halt::End) => return Ok(self.finish(state)),
            Op::Halt(Halt::Assumption) => return Ok(Outcome::end(End::Finished, state)),
            Op::Halt(Halt::Wait) => {
                let asked =
                    |p: &CProperty| matches!(p, CProperty::Termination | CProperty::Deadlock);
                let asked = self.options.properties.iter().position(asked);
                // To a formula, a run that waits is like one that has ended.
                let end = asked.map_or(End::Finished, End::Violated);
                return Ok(Outcome::end(end, state));
            }
            Op::Unsupported(why) => return Err(Gap::Uncovered(why.clone())),
        }
        Ok(Outcome { next: Some(state), ends: Vec::new() })
    }

    /// The program ends here; what is asked of its end is asked now.
    pub(crate) fn finish(&mut self, state: State) -> Outcome {
        if self.team.is_some() {
            return self.end_thread(state, false);
        }
        let asked = |p: &CProperty| matches!(p, CProperty::Cleanup | CProperty::Track);
        let (Some(live), Some(_)) = (self.live, self.options.properties.iter().find(|p| asked(p)))
        else {
            return Outcome::end(End::Finished, state);
        };
        let count = self.get(&state, live);
        let zero = self.store.int(0);
        let clean = self.store.eq(count, zero);
        let leak = self.store.not(clean);
        let mut outcome = Outcome::default();
        for (number, property) in self.options.properties.iter().enumerate() {
            let mut lost = state.clone();
            if !asked(property) || !lost.assume(&mut self.store, leak) {
                continue;
            }
            if *property == CProperty::Track {
                let is_lost = self.some_lost(&state);
                if !lost.assume(&mut self.store, is_lost) {
                    continue;
                }
            }
            outcome.ends.push((End::Violated(number), lost));
        }
        let mut fine = state;
        if fine.assume(&mut self.store, clean) {
            outcome.ends.push((End::Finished, fine));
        }
        outcome
    }

    /// Whether some heap object lives to which no static pointer leads directly:
    /// every object that is lost is one. Others may be reached through further
    /// objects; which of them are, the interpreter tells.
    fn some_lost(&mut self, state: &State) -> Term {
        let Some(sizes) = self.sizes else { return self.store.bool(true) };
        let domain = self.pointers.object_domain();
        let object = self.choice("lost object", &domain, Source::Open);
        let first = self.pointers.object(&mut self.store, self.first_heap);
        let last = self.pointers.object(&mut self.store, crate::pointer::LOCAL - 1);
        let sizes = self.get(state, sizes);
        let size = self.store.select(sizes, object);
        let zero = self.pointers.offset(&mut self.store, 0);
        let mut parts = vec![
            self.pointers.object_le(&mut self.store, first, object),
            self.pointers.object_le(&mut self.store, object, last),
            self.pointers.le(&mut self.store, zero, size),
        ];
        for (root, offset) in self.static_pointers() {
            let (root, offset) = (self.get(state, root), self.get(state, offset));
            let same = self.store.eq(root, object);
            let above = self.pointers.le(&mut self.store, zero, offset);
            let below = self.pointers.le(&mut self.store, offset, size);
            let inside = self.store.and([same, above, below]);
            parts.push(self.store.not(inside));
        }
        self.store.and(parts)
    }

    /// The slots of static pointer variables: objects and distances.
    fn static_pointers(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for (v, variable) in self.program.variables.iter_enumerated() {
            if !matches!(variable.storage, Storage::Static) {
                continue;
            }
            if let Home::Cells(cells) = &self.homes[v.index()] {
                for (cell, slots) in cells {
                    if let (Slots::Pointer(object, offset), true) =
                        (*slots, cell.lengths.is_empty())
                    {
                        found.push((object, offset));
                    }
                }
            }
            for region in self.lies_in.get(&v).into_iter().flatten() {
                let region = &self.regions[*region];
                if let (Slots::Pointer(object, offset), true) = (region.slots, region.single) {
                    found.push((object, offset));
                }
            }
        }
        found
    }

    /// A check that fails violates the property that asks for it. If nobody
    /// asks, a run on which it fails is left out, except for an overflow: that
    /// wraps, and the run goes on, unless it is one of a division.
    fn check(&mut self, check: Check, state: State) -> Result<Outcome, Gap> {
        let asked = self.options.properties.iter().position(|p| p.asks(&check));
        let is_trap = self.program.is_trap(&check);
        let matters = asked.is_some()
            || is_trap
            || matches!(check, Check::Division(_) | Check::Shift(_) | Check::FloatConversion(_));
        if let Check::Alone { .. } | Check::AloneBytes { .. } = check {
            let mut next = state;
            self.announce(&mut next, check)?;
            return Ok(Outcome { next: Some(next), ends: Vec::new() });
        }
        if check == Check::Unreachable {
            return Ok(self.stuck(state));
        }
        let mut next = state;
        if !matters {
            let before = self.team.is_some().then(|| next.clone());
            let goes_on = self.behind_pointer(&mut next, check)?;
            let left_out = before.map(|before| self.left_out(before, &next, goes_on));
            let ends = left_out.map_or(Vec::new(), |outcome| outcome.ends);
            return Ok(Outcome { next: goes_on.then_some(next), ends });
        }
        let holds = self.condition(&mut next, check)?;
        let mut outcome = Outcome::default();
        if let Some(number) = asked {
            let fails = self.store.not(holds);
            let mut violating = next.clone();
            if violating.assume(&mut self.store, fails) {
                outcome.ends.push((End::Violated(number), violating));
            }
        }
        let wraps = matches!(check, Check::Overflow(_)) && !is_trap;
        let goes_on = wraps && !self.options.stop_at_overflow();
        if !goes_on && asked.is_none() && self.team.is_some() {
            let fails = self.store.not(holds);
            let mut lost = next.clone();
            if lost.assume(&mut self.store, fails) {
                outcome.ends.extend(self.stuck(lost).ends);
            }
        }
        if goes_on || next.assume(&mut self.store, holds) {
            outcome.next = Some(next);
        }
        Ok(outcome)
    }

    /// The part of a state that is left out where a condition was added to it:
    /// in a program with several threads the others may go on.
    fn left_out(&mut self, before: State, after: &State, goes_on: bool) -> Outcome {
        let mut lost = before;
        if goes_on {
            let Some(added) = after.path.get(lost.path.len()) else { return Outcome::default() };
            let fails = self.store.not(*added);
            if !lost.assume(&mut self.store, fails) {
                return Outcome::default();
            }
        }
        self.stuck(lost)
    }

    /// Nothing lies behind the null pointer: a run that goes there is left out,
    /// whether somebody asks or not. Says whether others remain.
    fn behind_pointer(&mut self, state: &mut State, check: Check) -> Result<bool, Gap> {
        let Check::Access { place, .. } = check else { return Ok(true) };
        let Base::Pointer(pointer) = self.place(place).base else { return Ok(true) };
        let (object, _) = self.pointer(state, pointer)?;
        let null = self.pointers.object(&mut self.store, crate::pointer::NULL);
        let is_null = self.store.eq(object, null);
        let fine = self.store.not(is_null);
        Ok(state.assume(&mut self.store, fine))
    }

    /// An aggregate that was not split before.
    fn copy(&mut self, state: &mut State, to: Id<Place>, from: Id<Place>) -> Result<(), Gap> {
        let (to, from) = (self.place(to), self.place(from));
        let whole = |place: &Place| match place.base {
            Base::Variable(v) if place.path.is_empty() => Some(v),
            _ => None,
        };
        if let (Some(to), Some(from)) = (whole(to), whole(from))
            && let (Home::Cells(left), Home::Cells(right)) =
                (self.homes[to.index()].clone(), self.homes[from.index()].clone())
        {
            let keys = |cells: &[(crate::cell::Cell, _)]| {
                cells.iter().map(|(c, _)| c.key.clone()).collect::<Vec<_>>()
            };
            if keys(&left) == keys(&right) {
                for ((_, to), (_, from)) in left.iter().zip(&right) {
                    self.copy_shadow(state, *to, *from);
                    for (to, from) in to.list().into_iter().zip(from.list()) {
                        let value = self.get(state, from);
                        self.set(state, to, value);
                    }
                }
                return Ok(());
            }
        }
        Err(Gap::new("a copy of a large or mixed object"))
    }

    /// Any value at a place.
    fn havoc(&mut self, state: &mut State, to: Id<Place>) -> Result<(), Gap> {
        let place = self.place(to);
        if let Some(kind) = self.scalar(place.ty) {
            let value = self.any("unknown", kind, &Source::Open);
            return self.store_value(state, to, value);
        }
        match place.base {
            Base::Variable(variable)
                if place.path.is_empty()
                    && matches!(self.homes[variable.index()], Home::Cells(_)) =>
            {
                self.arbitrary(state, variable)
            }
            Base::Variable(variable) if place.path.is_empty() => {
                // All of an object of bytes of its own.
                let Some(&region) = self.private.get(&variable) else {
                    return Err(Gap::new("an unknown effect on part of an object"));
                };
                let name = self.program.variables[variable].name.clone();
                self.any_contents(state, &name, self.regions[region].slots);
                Ok(())
            }
            _ => Err(Gap::new("an unknown effect on part of an object")),
        }
    }

    /// Any contents of a variable.
    fn arbitrary(&mut self, state: &mut State, variable: Id<Variable>) -> Result<(), Gap> {
        let name = self.program.variables[variable].name.clone();
        let source = Source::Uninitialized(variable);
        match self.homes[variable.index()].clone() {
            Home::Cells(cells) => {
                for (_, slots) in cells {
                    self.any_contents(state, &name, slots);
                }
                Ok(())
            }
            Home::Object(_) => {
                let ty = self.program.variables[variable].ty;
                // A larger object that lives more than once is a moving one,
                // and memory is arbitrary where nothing was written.
                let (Some(kind), Some(&place)) = (self.scalar(ty), self.wholes.get(&variable))
                else {
                    return Ok(());
                };
                let value = self.any(&name, kind, &source);
                self.store_value(state, place, value)
            }
            Home::Moving(_) => Ok(()),
        }
    }

    fn live(
        &mut self,
        state: &mut State,
        variable: Id<Variable>,
        size: Option<Id<Expr>>,
    ) -> Result<(), Gap> {
        if self.read_first.contains(&variable) {
            self.arbitrary(state, variable)?;
        }
        self.unwritten(state, variable);
        let size = match size {
            Some(size) => self.distance(state, size)?,
            None => {
                let bytes = i128::from(self.program.variables[variable].size);
                self.pointers.offset(&mut self.store, bytes)
            }
        };
        match self.homes[variable.index()] {
            Home::Cells(_) => {}
            Home::Object(number) => {
                let object = self.pointers.object(&mut self.store, number);
                self.resize(state, object, size);
            }
            Home::Moving(slot) => {
                let Value::Pointer { object, .. } = self.allocate(state, size, false)? else {
                    return Ok(());
                };
                self.set(state, slot, object);
            }
        }
        Ok(())
    }

    fn dead(&mut self, state: &mut State, variable: Id<Variable>) {
        let object = match self.homes[variable.index()] {
            Home::Cells(_) => return,
            Home::Object(number) => self.pointers.object(&mut self.store, number),
            Home::Moving(slot) => {
                let object = self.get(state, slot);
                let null = self.pointers.object(&mut self.store, crate::pointer::NULL);
                self.set(state, slot, null);
                object
            }
        };
        let gone = self.pointers.offset(&mut self.store, -1);
        self.resize(state, object, gone);
    }

    fn resize(&mut self, state: &mut State, object: Term, size: Term) {
        let Some(sizes) = self.sizes else { return };
        let array = self.get(state, sizes);
        let array = self.store.store(array, object, size);
        self.set(state, sizes, array);
    }

    /// A function without a body: any result, and any contents of the memory
    /// that code outside the program knows.
    fn unknown_call(
        &mut self,
        state: &mut State,
        to: Option<Id<Place>>,
        callee: Callee,
    ) -> Result<(), Gap> {
        let Callee::Direct(function) = callee else {
            return Err(Gap::new("a call through a pointer to an unknown function"));
        };
        let program = self.program;
        let callee = &program.functions[function];
        if callee.is_defined {
            return Err(Gap::new("a call that was not inlined"));
        }
        if callee.is_unknown() {
            self.outside_memory(state);
        }
        let Some(to) = to else { return Ok(()) };
        let ty: Id<Type> = self.place(to).ty;
        match self.scalar(ty) {
            Some(kind) => {
                let value = self.any(&callee.name.clone(), kind, &Source::Open);
                self.store_value(state, to, value)
            }
            None => self.havoc(state, to),
        }
    }

    /// Code outside the program may write to all memory that it was ever given
    /// a pointer to.
    fn outside_memory(&mut self, state: &mut State) {
        for region in self.regions.clone() {
            if region.escaped {
                self.any_contents(state, "contents", region.slots);
            }
        }
    }

    fn primitive(
        &mut self,
        state: &mut State,
        to: Option<Id<Place>>,
        primitive: Primitive,
        arguments: &[Id<Expr>],
    ) -> Result<(), Gap> {
        match (primitive, arguments) {
            // In a loop it may be that of a function that inlining has dissolved,
            // and ends with it.
            (Primitive::AllocateLocal, _)
                if self.options.memory() && self.cyclic.contains(&(self.function, self.edge)) =>
            {
                Err(Gap::new("the life of memory from `alloca` in a loop"))
            }
            (Primitive::Allocate | Primitive::AllocateLocal, [size]) => {
                let size = self.distance(state, *size)?;
                let value = self.allocate(state, size, primitive == Primitive::Allocate)?;
                match to {
                    Some(to) => self.store_value(state, to, value),
                    None => Ok(()),
                }
            }
            (Primitive::Free, [pointer]) => {
                let (object, _) = self.pointer(state, *pointer)?;
                self.free(state, object);
                Ok(())
            }
            (Primitive::VaEnd | Primitive::Letter, _) => Ok(()),
            (Primitive::Atom, &[formula, atom, truth]) => self.atom(state, formula, atom, truth),
            (Primitive::CopyBytes | Primitive::SetBytes | Primitive::HavocBytes, _) => {
                Err(Gap::new("a block of memory whose shape is not known"))
            }
            (thread, _) if thread.is_thread() => self.team_work(state, to, thread, arguments),
            _ => Err(Gap::new("variable arguments")),
        }
    }

    /// An atom of a formula, if that one is asked.
    fn atom(
        &mut self,
        state: &mut State,
        formula: Id<Expr>,
        atom: Id<Expr>,
        truth: Id<Expr>,
    ) -> Result<(), Gap> {
        let number = |e: Id<Expr>| match self.program.exprs[e].kind {
            ExprKind::Int(value) => Some(value),
            _ => None,
        };
        let asked = self.options.formula().map(|f| i128::from(f.number));
        let letter = number(atom).and_then(|atom| usize::try_from(atom).ok());
        let Some(slot) = letter.and_then(|atom| self.letter.get(atom).copied()) else {
            return Ok(());
        };
        if number(formula) == asked {
            let holds = self.truth(state, truth)?;
            self.set(state, slot, holds);
        }
        Ok(())
    }

    /// A new object, on the heap or on the stack.
    fn allocate(&mut self, state: &mut State, size: Term, on_heap: bool) -> Result<Value, Gap> {
        let counter = if on_heap { self.heap } else { self.stack };
        let Some(counter) = counter else { return Err(Gap::new("new memory")) };
        let object = self.get(state, counter);
        let next = self.pointers.successor(&mut self.store, object);
        self.set(state, counter, next);
        self.resize(state, object, size);
        if let (Some(live), true) = (self.live, on_heap) {
            let (count, one) = (self.get(state, live), self.store.int(1));
            let more = self.store.add(count, one);
            self.set(state, live, more);
        }
        let offset = self.pointers.offset(&mut self.store, 0);
        Ok(Value::Pointer { object, offset })
    }

    fn free(&mut self, state: &mut State, object: Term) {
        let null = self.pointers.object(&mut self.store, crate::pointer::NULL);
        let is_null = self.store.eq(object, null);
        if let Some(sizes) = self.sizes {
            let array = self.get(state, sizes);
            let gone = self.pointers.offset(&mut self.store, -1);
            let freed = self.store.store(array, object, gone);
            let array = self.store.ite(is_null, array, freed);
            self.set(state, sizes, array);
        }
        if let Some(live) = self.live {
            let (count, one) = (self.get(state, live), self.store.int(1));
            let less = self.store.sub(count, one);
            let count = self.store.ite(is_null, count, less);
            self.set(state, live, count);
        }
    }
}
