//! What threads know of each other: who has begun, who has ended, with what.
//!
//! A thread is its number, in the order in which threads begin, as in the
//! interpreter. All of this is in variables of the program over terms, so that
//! waiting for a thread is a condition like others.

use crate::arithmetic::{IntType, Word};
use crate::blocks::Target;
use crate::encoder::{Encoder, Gap, Home, Slots};
use crate::execute::{End, Outcome};
use crate::state::State;
use crate::value::{Kind, Value};
use parallax_base::{Id, Span};
use parallax_cfa::{
    Base, Binary, CProperty, Expr, ExprKind, Function, Location, LockRule, Place, Primitive,
    Variable,
};
use parallax_ir::Domain;
use parallax_term::{Term, Value as Constant};

/// One thread.
pub(crate) struct Member {
    /// The function it runs.
    pub(crate) function: Id<Function>,
    /// Whether it has begun; `main` always has.
    pub(crate) begun: Option<usize>,
    /// Whether it has ended.
    ended: usize,
    /// Its number, a word.
    number: Option<usize>,
    /// What it ended with, a pointer.
    result: Slots,
    /// Whether it sleeps, and on what; only if somebody asks for deadlocks.
    asleep: Option<(usize, Slots)>,
}

/// All threads of a program that has several.
pub(crate) struct Team {
    pub(crate) members: Vec<Member>,
    /// How many have begun beside `main`.
    count: usize,
    /// Who is in an atomic section that has a cut point inside: one plus its
    /// position, or zero.
    pub(crate) section: Option<usize>,
    /// The thread that is being encoded.
    pub(crate) current: usize,
    /// How deep in atomic sections its locations are.
    pub(crate) depths: Vec<Vec<Option<u32>>>,
}

impl Team {
    /// Whether a location of the thread that is being encoded is in a section.
    pub(crate) fn is_inside(&self, at: usize) -> bool {
        self.depths[self.current].get(at).is_some_and(|depth| depth.is_some_and(|d| d > 0))
    }
}

impl Encoder<'_> {
    /// The type of a thread's number.
    fn number_type(&self) -> IntType {
        IntType { bits: self.pointers.bits, signed: false }
    }

    /// Makes the variables that threads share beside those of the program.
    pub(crate) fn make_team(&mut self, starts: &[Id<Function>], depths: Vec<Vec<Option<u32>>>) {
        let span = Span::default();
        let word = self.arithmetic.domain(self.number_type());
        let mut members = Vec::new();
        for (position, &function) in starts.iter().enumerate() {
            let name = self.program.functions[function].name.clone();
            let is_main = position == 0;
            let result = self.slots(&format!("result of {name}"), Kind::Pointer, None, span);
            let asleep = self.options.properties.contains(&CProperty::Deadlock).then(|| {
                let flag = self.variable(&format!("{name} sleeps"), Domain::Bool, span);
                let on = format!("what {name} sleeps on");
                (flag, self.slots(&on, Kind::Pointer, None, span))
            });
            members.push(Member {
                function,
                begun: (!is_main)
                    .then(|| self.variable(&format!("{name} has begun"), Domain::Bool, span)),
                ended: self.variable(&format!("{name} has ended"), Domain::Bool, span),
                number: (!is_main)
                    .then(|| self.variable(&format!("number of {name}"), word.clone(), span)),
                result,
                asleep,
            });
        }
        let count = self.variable("threads", word, span);
        self.team = Some(Team { members, count, section: None, current: 0, depths });
    }

    /// Makes the variable that says who is in an atomic section.
    pub(crate) fn make_section(&mut self) {
        let last = self.team.as_ref().map_or(0, |team| team.members.len());
        let domain = Domain::Range(0.into(), (last as i64).into());
        let slot = self.variable("atomic section", domain, Span::default());
        if let Some(team) = &mut self.team {
            team.section = Some(slot);
        }
    }

    /// Nobody has begun.
    pub(crate) fn initial_team(&mut self, fixed: &mut Vec<Option<Constant>>) {
        fixed.resize(self.symbols.len(), None);
        let ty = self.number_type();
        let zero = self.arithmetic.constant(&mut self.store, ty, 0).term;
        let zero = self.store.value(zero).cloned();
        let Value::Pointer { object, offset } = self.pointers.null(&mut self.store) else { return };
        let null = [object, offset].map(|term| self.store.value(term).cloned());
        let Some(team) = &self.team else { return };
        fixed[team.count] = zero.clone();
        if let Some(section) = team.section {
            fixed[section] = Some(Constant::int(0));
        }
        for member in &team.members {
            for slot in member.begun.into_iter().chain([member.ended]) {
                fixed[slot] = Some(Constant::Bool(false));
            }
            if let Some(slot) = member.number {
                fixed[slot] = zero.clone();
            }
            for (slot, value) in member.result.list().into_iter().zip(&null) {
                fixed[slot] = value.clone();
            }
            if let Some((flag, on)) = member.asleep {
                fixed[flag] = Some(Constant::Bool(false));
                for (slot, value) in on.list().into_iter().zip(&null) {
                    fixed[slot] = value.clone();
                }
            }
            // What a thread is given is written in the step that lets it begin, and it
            // alone reads it.
            let parameter = self.program.functions[member.function].parameters.first();
            if let (Some(&parameter), Some(_)) = (parameter, member.begun)
                && self.whole(parameter).is_some()
                && let Home::Cells(cells) = &self.homes[parameter.index()]
            {
                for slot in cells.iter().flat_map(|(_, slots)| slots.list()) {
                    let sort = self.store.sort(self.symbols[slot]);
                    fixed[slot].get_or_insert(Constant::default_of(sort));
                }
            }
        }
    }

    /// An operation on threads; the others of a program with one thread.
    pub(crate) fn team_work(
        &mut self,
        state: &mut State,
        to: Option<Id<Place>>,
        primitive: Primitive,
        arguments: &[Id<Expr>],
    ) -> Result<(), Gap> {
        let Some(team) = &self.team else { return Err(Gap::new("threads")) };
        match (primitive, arguments) {
            (Primitive::Yield | Primitive::AtomicBegin | Primitive::AtomicEnd, _) => Ok(()),
            (Primitive::ThreadSelf, _) => {
                let own = team.members[team.current].number;
                let ty = self.number_type();
                let value = match own {
                    Some(slot) => self.arithmetic.whole(ty, self.get(state, slot)),
                    None => self.arithmetic.constant(&mut self.store, ty, 0),
                };
                to.map_or(Ok(()), |to| self.store_value(state, to, Value::Word(value)))
            }
            (Primitive::ThreadMark, _) => {
                let mark = Value::Word(self.lock_mark());
                to.map_or(Ok(()), |to| self.store_value(state, to, mark))
            }
            (Primitive::Sleep, [condition]) => self.sleep(state, *condition),
            (Primitive::Rise, _) => {
                if let Some((flag, _)) = team.members[team.current].asleep {
                    let awake = self.store.bool(false);
                    self.set(state, flag, awake);
                }
                Ok(())
            }
            (Primitive::Wake, [condition, thread]) => self.wake(state, *condition, Some(*thread)),
            (Primitive::WakeAll, [condition]) => self.wake(state, *condition, None),
            (Primitive::Spawn, [start, argument]) => {
                self.begin_thread(state, to, *start, *argument)
            }
            (Primitive::Join, [thread]) => self.await_thread(state, to, *thread),
            _ => Err(Gap::new("threads")),
        }
    }

    /// A variable as a whole, if some expression is about that.
    fn whole(&self, variable: Id<Variable>) -> Option<Id<Place>> {
        let is_whole = |place: &Place| {
            place.base == Base::Variable(variable)
                && place.path.is_empty()
                && place.bits.is_none()
                && place.ty == self.program.variables[variable].ty
        };
        self.program.places.iter_enumerated().find(|(_, place)| is_whole(place)).map(|(id, _)| id)
    }

    fn begin_thread(
        &mut self,
        state: &mut State,
        to: Option<Id<Place>>,
        start: Id<Expr>,
        argument: Id<Expr>,
    ) -> Result<(), Gap> {
        let unknown = || Gap::new("a thread that starts in a function that is not known");
        let ExprKind::Function(function) = self.program.exprs[start].kind else {
            return Err(unknown());
        };
        let Some(team) = &self.team else { return Err(unknown()) };
        let member = team.members.iter().find(|m| m.function == function).ok_or_else(unknown)?;
        let (Some(begun), Some(number)) = (member.begun, member.number) else {
            return Err(unknown());
        };
        let count = team.count;
        if let Some(&parameter) = self.program.functions[function].parameters.first() {
            let ty = self.program.variables[parameter].ty;
            if self.scalar(ty) != Some(Kind::Pointer) {
                return Err(Gap::new("a thread whose function does not take a pointer"));
            }
            let value = self.eval(state, argument)?;
            // Where nobody mentions it, nobody reads it.
            if let Some(place) = self.whole(parameter)
                && self.mentioned.contains(&parameter)
            {
                self.store_value(state, place, value)?;
            }
        }
        let ty = self.number_type();
        let before = self.arithmetic.whole(ty, self.get(state, count));
        let one = self.arithmetic.constant(&mut self.store, ty, 1);
        let next = self.arithmetic.binary(&mut self.store, Binary::Add, ty, &before, &one);
        let truth = self.store.bool(true);
        self.set(state, count, next.term);
        self.set(state, number, next.term);
        self.set(state, begun, truth);
        to.map_or(Ok(()), |to| {
            self.store_value(state, to, Value::Word(self.arithmetic.whole(ty, next.term)))
        })
    }

    /// Whether a number is that of a thread, and where it has its result.
    fn is_member(&mut self, state: &State, position: usize, number: Term) -> Option<(Term, Slots)> {
        let ty = self.number_type();
        let member = self.team.as_ref()?.members.get(position)?;
        let (begun, own, result) = (member.begun, member.number, member.result);
        let own = match own {
            Some(slot) => self.get(state, slot),
            None => self.arithmetic.constant(&mut self.store, ty, 0).term,
        };
        let same = self.store.eq(own, number);
        let begun = match begun {
            Some(slot) => self.get(state, slot),
            None => self.store.bool(true),
        };
        Some((self.store.and([begun, same]), result))
    }

    fn await_thread(
        &mut self,
        state: &mut State,
        to: Option<Id<Place>>,
        thread: Id<Expr>,
    ) -> Result<(), Gap> {
        let value = self.eval(state, thread)?;
        let ty = self.number_type();
        let number = self.word(ty, &value).term;
        let Value::Pointer { mut object, mut offset } = self.pointers.null(&mut self.store) else {
            return Err(Gap::new("threads"));
        };
        let count = self.team.as_ref().map_or(0, |team| team.members.len());
        for position in 0..count {
            let Some((is_it, result)) = self.is_member(state, position, number) else { continue };
            let Some(ended) = self.team.as_ref().map(|team| team.members[position].ended) else {
                continue;
            };
            let ended = self.get(state, ended);
            let runs = self.store.not(ended);
            let waits = self.store.and([is_it, runs]);
            let goes_on = self.store.not(waits);
            if !state.assume(&mut self.store, goes_on) {
                return Err(Gap::Undefined);
            }
            if let Slots::Pointer(first, second) = result {
                let (first, second) = (self.get(state, first), self.get(state, second));
                object = self.store.ite(is_it, first, object);
                offset = self.store.ite(is_it, second, offset);
            }
        }
        to.map_or(Ok(()), |to| self.store_value(state, to, Value::Pointer { object, offset }))
    }

    /// What a lock holds that the thread that is being encoded has taken.
    fn lock_mark(&mut self) -> Word {
        let current = self.team.as_ref().map_or(0, |team| team.current as i128);
        let own = self.options.properties.contains(&CProperty::Locks);
        let int = IntType { bits: 32, signed: true };
        self.arithmetic.constant(&mut self.store, int, if own { current + 1 } else { 1 })
    }

    /// Whether a lock is what a rule says.
    pub(crate) fn lock_is(
        &mut self,
        state: &mut State,
        place: Id<Place>,
        rule: LockRule,
    ) -> Result<Term, Gap> {
        let int = IntType { bits: 32, signed: true };
        let value = self.load(state, place)?;
        let lock = self.word(int, &value);
        let zero = self.arithmetic.constant(&mut self.store, int, 0);
        let other = match rule {
            LockRule::Mine | LockRule::NotMine => self.lock_mark(),
            LockRule::Held | LockRule::Free => zero,
        };
        let same = self.arithmetic.compare(&mut self.store, Binary::Eq, int, &lock, &other);
        Ok(match rule {
            LockRule::Mine | LockRule::Free => same,
            LockRule::NotMine | LockRule::Held => self.store.not(same),
        })
    }

    fn sleep(&mut self, state: &mut State, condition: Id<Expr>) -> Result<(), Gap> {
        let (object, offset) = self.pointer(state, condition)?;
        let own = self.team.as_ref().and_then(|team| team.members[team.current].asleep);
        if let Some((flag, Slots::Pointer(first, second))) = own {
            let truth = self.store.bool(true);
            self.set(state, flag, truth);
            self.set(state, first, object);
            self.set(state, second, offset);
        }
        Ok(())
    }

    /// Wakes a thread that sleeps on a condition, or all of them if that one does not.
    fn wake(
        &mut self,
        state: &mut State,
        condition: Id<Expr>,
        thread: Option<Id<Expr>>,
    ) -> Result<(), Gap> {
        let (object, offset) = self.pointer(state, condition)?;
        let ty = self.number_type();
        let int = IntType { bits: 32, signed: true };
        let thread = match thread {
            Some(thread) => {
                let value = self.eval(state, thread)?;
                let word = self.word(int, &value);
                Some(self.arithmetic.convert(&mut self.store, int, ty, &word).term)
            }
            None => None,
        };
        let count = self.team.as_ref().map_or(0, |team| team.members.len());
        let (mut sleeping, mut chosen) = (Vec::new(), Vec::new());
        for position in 0..count {
            let Some(member) = self.team.as_ref().and_then(|team| team.members.get(position))
            else {
                continue;
            };
            let Some((flag, Slots::Pointer(first, second))) = member.asleep else { continue };
            let number = member.number;
            let asleep = self.get(state, flag);
            let (first, second) = (self.get(state, first), self.get(state, second));
            let (there, at) = (self.store.eq(first, object), self.store.eq(second, offset));
            let sleeps = self.store.and([asleep, there, at]);
            let number = match number {
                Some(slot) => self.get(state, slot),
                None => self.arithmetic.constant(&mut self.store, ty, 0).term,
            };
            let is_it = match thread {
                Some(thread) => self.store.eq(thread, number),
                None => self.store.bool(false),
            };
            let is_it = self.store.and([sleeps, is_it]);
            sleeping.push((flag, asleep, sleeps, is_it));
            chosen.push(is_it);
        }
        let one = self.store.or(chosen);
        let all = self.store.not(one);
        for (flag, asleep, sleeps, is_it) in sleeping {
            let everybody = self.store.and([all, sleeps]);
            let woken = self.store.or([is_it, everybody]);
            let stays = self.store.not(woken);
            let still = self.store.and([asleep, stays]);
            self.set(state, flag, still);
        }
        Ok(())
    }

    /// Whether a thread is out of it, not begun or ended, and whether it sleeps.
    pub(crate) fn standing_of(&mut self, thread: usize) -> (Term, Term) {
        let falsity = self.store.bool(false);
        let Some(member) = self.team.as_ref().and_then(|team| team.members.get(thread)) else {
            return (falsity, falsity);
        };
        let ended = self.symbols[member.ended];
        let asleep = member.asleep.map_or(falsity, |(flag, _)| self.symbols[flag]);
        let out = match member.begun.map(|slot| self.symbols[slot]) {
            Some(begun) => {
                let not_begun = self.store.not(begun);
                self.store.or([not_begun, ended])
            }
            None => ended,
        };
        (out, asleep)
    }

    /// Whether a thread that somebody waits for has ended, or there is none.
    pub(crate) fn has_ended(&mut self, state: &State, thread: Id<Expr>) -> Result<Term, Gap> {
        let mut here = state.clone();
        let value = self.eval(&mut here, thread)?;
        let ty = self.number_type();
        let number = self.word(ty, &value).term;
        let count = self.team.as_ref().map_or(0, |team| team.members.len());
        let mut fine = Vec::new();
        for position in 0..count {
            let Some((is_it, _)) = self.is_member(state, position, number) else { continue };
            let Some(ended) = self.team.as_ref().map(|team| team.members[position].ended) else {
                continue;
            };
            let (ended, other) = (self.get(state, ended), self.store.not(is_it));
            fine.push(self.store.or([other, ended]));
        }
        Ok(self.store.and(fine))
    }

    /// What a step of a thread has to do with the others: it must have begun, and
    /// nobody else may be in an atomic section that goes on.
    pub(crate) fn turn(
        &mut self,
        state: &mut State,
        from: Option<Id<Location>>,
        to: &Target,
        is_start: bool,
    ) {
        let Some(team) = &self.team else { return };
        let inside = |at: usize| team.is_inside(at);
        let was_inside = from.is_some_and(|at| inside(at.index()));
        let stays_inside = match to {
            Target::Cut(at) => inside(*at),
            Target::End(..) => false,
        };
        let (section, own) = (team.section, team.current + 1);
        let begun = team.members[team.current].begun.filter(|_| is_start);
        if let Some(section) = section {
            let free = self.store.int(0);
            if !was_inside {
                let nobody = self.store.eq(self.symbols[section], free);
                state.path.insert(0, nobody);
            }
            if stays_inside {
                let me = self.store.int(own as i64);
                self.set(state, section, me);
            } else if was_inside {
                self.set(state, section, free);
            }
        }
        if let Some(begun) = begun {
            state.path.insert(0, self.symbols[begun]);
        }
    }

    /// What the thread that is being encoded ends with.
    pub(crate) fn set_result(&mut self, state: &mut State, value: Id<Expr>) -> Result<(), Gap> {
        let Some(team) = &self.team else { return Ok(()) };
        let result = team.members[team.current].result;
        let is_main = team.current == 0;
        let (Slots::Pointer(first, second), Value::Pointer { object, offset }) =
            (result, self.eval(state, value)?)
        else {
            let what = "a thread that does not return a pointer";
            return if is_main { Ok(()) } else { Err(Gap::new(what)) };
        };
        self.set(state, first, object);
        self.set(state, second, offset);
        Ok(())
    }

    /// The thread that is being encoded ends. The program goes on, so this is a
    /// state like others; `main` stops just before it would end the run.
    pub(crate) fn end_thread(&mut self, mut state: State, leaves: bool) -> Outcome {
        let truth = self.store.bool(true);
        if let Some(team) = &self.team {
            let (current, ended) = (team.current, team.members[team.current].ended);
            if current > 0 || leaves {
                self.set(&mut state, ended, truth);
            }
        }
        Outcome::end(End::Finished, state)
    }

    /// The run goes no further for the thread that is being encoded. Others may
    /// go on, unless it is in an atomic section: then nobody can have seen that
    /// it had begun, and it is as if it waited before.
    pub(crate) fn stuck(&mut self, state: State) -> Outcome {
        let inside = self.team.as_ref().is_some_and(|team| team.is_inside(self.location.index()));
        match &self.team {
            Some(_) if !inside => Outcome::end(End::Finished, state),
            _ => Outcome::default(),
        }
    }
}
