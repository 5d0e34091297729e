//! The choices of a run, restated for the program as written.
//!
//! The form that was encoded is inlined and sliced: what it asks for is part of
//! what the program asks for. A choice finds its way back by the edge it was
//! made at. Inputs that were sliced away cannot matter; they are zero, or
//! pointers to memory outside the program, so that using them does no harm.
//!
//! # Soundness
//! Nothing here is trusted: the interpreter runs the program with the choices,
//! and only what it then does counts.

use crate::back::Replayed;
use crate::prepare::Prepared;
use crate::schedule::Turns;
use parallax_base::Id;
use parallax_cfa::run::{
    Arbitrary, Given, Interpreter, OUTSIDE_END, OUTSIDE_ROOM, Observer, Options, Oracle, Outcome,
    Unwritten, UnwrittenObject, View,
};
use parallax_cfa::{Edge, Function, Location, Program, Scalar, ScalarType, Variable};
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

/// A location of the program as written.
type Place = (Id<Function>, Id<Location>);

/// A thread, and where it is.
type Here = (usize, Option<Place>);

impl Prepared {
    /// What the program as written must be given, in order, to do what the
    /// encoded form did.
    pub fn restate(&self, program: &Program, replayed: &Replayed, options: Options) -> Vec<Given> {
        let mut choices = VecDeque::new();
        for asked in &replayed.asked {
            let place = asked.edge.and_then(|(f, edge)| self.origin.edge(f, edge));
            let source = |f: Id<Function>, e: Id<Edge>| (f, program.functions[f].edges[e].source);
            let place = place.map(|origin| source(origin.function, origin.edge));
            let variable = asked.variable.and_then(|v| self.origin.variable(v)?.variable);
            choices.push_back(((asked.thread, place), variable, asked.given.clone()));
        }
        // In the encoded form a lock is a condition, and who tries a lock that somebody
        // holds is stuck.
        let is_deadlock = match replayed.report.outcome {
            Outcome::Deadlock => true,
            Outcome::Stuck => options.deadlocks,
            _ => false,
        };
        let programs = (program, &self.encoded.form);
        let turns = Turns::new(programs, &self.origin, &replayed.log, is_deadlock);
        let turns = Rc::new(RefCell::new(turns));
        let at = Rc::new(Cell::new((0, None)));
        let given = Vec::new();
        let mut oracle =
            Restated { program, choices, at: Rc::clone(&at), turns: Rc::clone(&turns), given };
        let options = Options { lazy: true, ..options };
        let mut watch = Watch { program, at, turns };
        Interpreter::new(program, options).observe(&mut oracle, &mut watch);
        oracle.given
    }
}

struct Watch<'p> {
    program: &'p Program,
    at: Rc<Cell<Here>>,
    turns: Rc<RefCell<Turns>>,
}

impl Observer for Watch<'_> {
    fn step(&mut self, view: &View<'_>, edge: Id<Edge>) {
        self.resumed(view, edge);
        if let Some(function) = view.function() {
            self.turns.borrow_mut().step(view.thread(), (function, edge));
        }
    }

    fn resumed(&mut self, view: &View<'_>, edge: Id<Edge>) {
        let place = |f: Id<Function>| (f, self.program.functions[f].edges[edge].source);
        self.at.set((view.thread(), view.function().map(place)));
    }
}

struct Restated<'p> {
    program: &'p Program,
    choices: VecDeque<(Here, Option<Id<Variable>>, Given)>,
    at: Rc<Cell<Here>>,
    turns: Rc<RefCell<Turns>>,
    given: Vec<Given>,
}

impl Restated<'_> {
    /// The next choice that was made here, for this variable if it is one's.
    fn next(
        &mut self,
        variable: Option<Id<Variable>>,
        fits: impl Fn(&Given) -> bool,
    ) -> Option<Given> {
        self.next_at(self.at.get(), variable, fits)
    }

    fn next_at(
        &mut self,
        here: Here,
        variable: Option<Id<Variable>>,
        fits: impl Fn(&Given) -> bool,
    ) -> Option<Given> {
        let found = self.choices.iter().position(|(place, of, given)| {
            let is_same = match given {
                Given::Arbitrary(_) => *of == variable,
                _ => variable.is_none() || *of == variable,
            };
            *place == here && is_same && fits(given)
        })?;
        self.choices.remove(found).map(|(.., given)| given)
    }
}

impl Oracle for Restated<'_> {
    fn input(&mut self, _name: &str, ty: ScalarType) -> Option<Scalar> {
        let scalar = match self.next(None, |g| matches!(g, Given::Input(s) if s.ty == ty)) {
            Some(Given::Input(scalar)) => scalar,
            _ => harmless(ty),
        };
        self.given.push(Given::Input(scalar));
        Some(scalar)
    }

    fn arbitrary(&mut self, what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        let variable = match what {
            Arbitrary::Variable(v) => Some(v),
            _ => None,
        };
        let fits = |g: &Given| matches!(g, Given::Arbitrary(s) if s.ty == ty);
        let scalar = match self.next(variable, fits) {
            Some(Given::Arbitrary(scalar)) => scalar,
            _ => harmless(ty),
        };
        self.given.push(Given::Arbitrary(scalar));
        scalar
    }

    fn call_back(&mut self, _known: &[Id<Function>]) -> Option<Id<Function>> {
        let function = match self.next(None, |g| matches!(g, Given::CallBack(_))) {
            Some(Given::CallBack(function)) => function,
            _ => None,
        };
        self.given.push(Given::CallBack(function));
        function
    }

    fn turn(&mut self, able: &[usize]) -> usize {
        let position = self.turns.borrow_mut().turn(able);
        self.given.push(Given::Turn(able[position]));
        position
    }

    fn unwritten(&mut self, at: Unwritten, bytes: &mut [u8]) {
        let variable = match at.object {
            UnwrittenObject::Variable(v) => Some(v),
            _ => None,
        };
        let size = bytes.len();
        let fits = |g: &Given| matches!(g, Given::Contents(c) if c.len() == size);
        let place = at.edge.map(|(f, edge)| (f, self.program.functions[f].edges[edge].source));
        let here = (self.at.get().0, place);
        if let Some(Given::Contents(given)) = self.next_at(here, variable, fits) {
            bytes.copy_from_slice(&given);
        } else if let (Some(_), 0) = (variable, at.offset) {
            // A variable in memory may have been one without an address.
            let known = self.choices.iter().position(|(_, of, given)| {
                *of == variable && matches!(given, Given::Arbitrary(s) if bytes_of(*s) == size)
            });
            let known = known.and_then(|known| self.choices.remove(known));
            if let Some((.., Given::Arbitrary(scalar))) = known {
                bytes.copy_from_slice(&scalar.bits.to_le_bytes()[..size]);
            }
        } else if let Some(ty) = self.program.types.scalar(self.program.places[at.place].ty)
            && ty.is_pointer()
            && bytes_of(harmless(ty)) == size
        {
            bytes.copy_from_slice(&harmless(ty).bits.to_le_bytes()[..size]);
        }
        self.given.push(Given::Contents(bytes.to_vec()));
    }
}

/// A value that does nobody harm: of pointers one with room before and behind.
fn harmless(ty: ScalarType) -> Scalar {
    let middle = OUTSIDE_END - OUTSIDE_ROOM + OUTSIDE_ROOM / 4;
    let bits = if ty.is_pointer() { u128::from(middle) } else { 0 };
    Scalar { ty, bits }
}

/// How many bytes a scalar has in memory, up to sixteen.
fn bytes_of(scalar: Scalar) -> usize {
    scalar.ty.bits().div_ceil(8) as usize
}
