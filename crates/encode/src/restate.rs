//! The choices of a run, restated for the program as written.
//!
//! The form that was encoded is inlined and sliced: what it asks for is part of
//! what the program asks for. A choice finds its way back by the edge it was
//! made at. Inputs that were sliced away cannot matter; they are zero.
//!
//! # Soundness
//! Nothing here is trusted: the interpreter runs the program with the choices,
//! and only what it then does counts.

use crate::back::{Given, Replayed};
use crate::prepare::Prepared;
use parallax_base::Id;
use parallax_cfa::run::{Arbitrary, Interpreter, Observer, Options, Oracle, View};
use parallax_cfa::{Edge, Function, Program, Scalar, ScalarType};
use std::cell::Cell;
use std::collections::VecDeque;
use std::rc::Rc;

/// An edge of the program as written.
type Place = (Id<Function>, Id<Edge>);

impl Prepared {
    /// What the program as written must be given, in order, to do what the
    /// encoded form did.
    pub fn restate(&self, program: &Program, replayed: &Replayed, options: Options) -> Vec<Given> {
        let Some(main) = self.encoded.form.main else { return Vec::new() };
        let place = |edge: &Option<Id<Edge>>| {
            let origin = self.origin.edge(main, (*edge)?)?;
            Some((origin.function, origin.edge))
        };
        let places = replayed.edges.iter().map(place);
        let at = Rc::new(Cell::new(None));
        let mut oracle = Restated {
            choices: places.zip(replayed.given.iter().cloned()).collect(),
            at: Rc::clone(&at),
            given: Vec::new(),
        };
        Interpreter::new(program, options).observe(&mut oracle, &mut Watch { at });
        oracle.given
    }
}

struct Watch {
    at: Rc<Cell<Option<Place>>>,
}

impl Observer for Watch {
    fn step(&mut self, view: &View<'_>, edge: Id<Edge>) {
        self.at.set(view.function().map(|function| (function, edge)));
    }
}

struct Restated {
    choices: VecDeque<(Option<Place>, Given)>,
    at: Rc<Cell<Option<Place>>>,
    given: Vec<Given>,
}

impl Restated {
    /// The next choice that was made here.
    fn next(&mut self, fits: impl Fn(&Given) -> bool) -> Option<Given> {
        let here = self.at.get();
        let found = self.choices.iter().position(|(place, given)| *place == here && fits(given))?;
        self.choices.remove(found).map(|(_, given)| given)
    }
}

impl Oracle for Restated {
    fn input(&mut self, _name: &str, ty: ScalarType) -> Option<Scalar> {
        let scalar = match self.next(|g| matches!(g, Given::Input(s) if s.ty == ty)) {
            Some(Given::Input(scalar)) => scalar,
            _ => Scalar { ty, bits: 0 },
        };
        self.given.push(Given::Input(scalar));
        Some(scalar)
    }

    fn arbitrary(&mut self, _what: Arbitrary<'_>, ty: ScalarType) -> Scalar {
        let scalar = match self.next(|g| matches!(g, Given::Arbitrary(s) if s.ty == ty)) {
            Some(Given::Arbitrary(scalar)) => scalar,
            _ => Scalar { ty, bits: 0 },
        };
        self.given.push(Given::Arbitrary(scalar));
        scalar
    }

    fn contents(&mut self, _what: Arbitrary<'_>, bytes: &mut [u8]) {
        let size = bytes.len();
        if let Some(Given::Contents(given)) =
            self.next(|g| matches!(g, Given::Contents(c) if c.len() == size))
        {
            bytes.copy_from_slice(&given);
        }
        self.given.push(Given::Contents(bytes.to_vec()));
    }
}
