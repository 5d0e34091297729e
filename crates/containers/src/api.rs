//! What can be called, as checked against the program.

use crate::given::{Given, Passing};
use parallax_base::Id;
use parallax_cfa::{Function, ScalarType, Type};

/// How a container comes to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MakerKind {
    /// A function returns a pointer to it.
    Returned(Id<Function>),
    /// A function fills an object that is given to it.
    Initialized(Id<Function>),
    /// It is an object of zeros.
    Zeroed,
    /// It is a pointer, null at first, that operations return anew.
    Null,
    /// It lies in static variables; there is nothing to pass.
    Global(Option<Id<Function>>),
}

/// A container, or the model that it is compared with.
#[derive(Clone, Debug)]
pub struct Maker {
    /// How it comes to be.
    pub kind: MakerKind,
    /// Further arguments of the function.
    pub arguments: Vec<i64>,
    /// What ends it.
    pub delete: Option<Id<Function>>,
    /// The type of the pointer that operations take; `None` for static ones.
    pub pointer: Option<Id<Type>>,
    /// How many of them a sequence has.
    pub count: usize,
}

/// The most containers of one sequence.
pub const MOST: usize = 4;

/// A parameter of an operation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Parameter {
    /// The container.
    Container,
    /// One of this many containers, another one for each parameter of a call.
    Chosen(usize),
    /// As many values as the search has, from this one on.
    Value {
        /// The first.
        first: i64,
    },
    /// One of these values.
    Values(Vec<i64>),
    /// Always this value.
    Constant(i64),
    /// One of these objects; values are their numbers.
    Given(Passing, Vec<Given>),
}

/// What is done with the result of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultUse {
    /// There is none, or nothing can be said about it.
    Nothing,
    /// A scalar: tests say what it was, and the model must return the same.
    Scalar(ScalarType),
    /// A pointer: tests say whether it was null.
    Pointer,
    /// It is the container from now on.
    Container,
}

/// An operation.
#[derive(Clone, Debug)]
pub struct Operation {
    /// The name of its function.
    pub name: String,
    /// The function.
    pub function: Id<Function>,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// What is done with its result.
    pub result: ResultUse,
    /// The same on the model.
    pub model: Option<Id<Function>>,
}

/// All that can be called.
#[derive(Clone, Debug)]
pub struct Api {
    /// The container.
    pub container: Maker,
    /// The model.
    pub model: Option<Maker>,
    /// The operations.
    pub operations: Vec<Operation>,
    /// Says whether the container is well formed.
    pub invariant: Option<Id<Function>>,
    /// Says what a state is for [`crate::Match::User`].
    pub abstraction: Option<Id<Function>>,
}

/// An operation with its values; there is one value per parameter that has any.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Call {
    /// Which.
    pub operation: usize,
    /// The values of the parameters that are neither container nor constant.
    pub values: Vec<i64>,
}

impl Parameter {
    /// The values it can have, if the search has `count`.
    pub fn values(&self, count: u32) -> Option<Vec<i64>> {
        match self {
            Parameter::Value { first } => {
                Some((0..i64::from(count)).map(|at| first + at).collect())
            }
            Parameter::Values(values) => Some(values.clone()),
            Parameter::Given(_, list) => Some((0..list.len() as i64).collect()),
            Parameter::Chosen(count) => Some((0..*count as i64).collect()),
            Parameter::Container | Parameter::Constant(_) => None,
        }
    }
}

impl Operation {
    /// Whether a call has a value for each parameter that takes one.
    pub fn takes(&self, call: &Call) -> bool {
        let takes = |(parameter, value): (&Parameter, &i64)| match parameter {
            Parameter::Value { first } => value >= first,
            _ => parameter.values(0).is_some_and(|values| values.contains(value)),
        };
        let open: Vec<&Parameter> =
            self.parameters.iter().filter(|p| p.values(0).is_some()).collect();
        open.len() == call.values.len() && open.into_iter().zip(&call.values).all(takes)
    }

    /// All calls of it, in the order of their values; `operation` is its number.
    pub fn calls(&self, operation: usize, count: u32) -> Vec<Call> {
        let mut calls = vec![Call { operation, values: Vec::new() }];
        for values in self.parameters.iter().filter_map(|p| p.values(count)) {
            let mut longer = Vec::with_capacity(calls.len() * values.len());
            for call in &calls {
                for value in &values {
                    let mut call = call.clone();
                    call.values.push(*value);
                    longer.push(call);
                }
            }
            calls = longer;
        }
        calls.retain(|call| self.has_different_containers(call.values.iter().copied()));
        calls
    }

    /// The containers among the values of a call, in the order of parameters.
    pub fn containers<'a>(
        &'a self,
        values: impl Iterator<Item = i64> + 'a,
    ) -> impl Iterator<Item = usize> + 'a {
        let chosen = self.parameters.iter().filter(|p| p.values(1).is_some());
        let is_container = |(p, _): &(&Parameter, i64)| matches!(p, Parameter::Chosen(_));
        chosen.zip(values).filter(is_container).map(|(_, value)| value as usize)
    }

    /// Whether no container is passed twice.
    pub(crate) fn has_different_containers(&self, values: impl Iterator<Item = i64>) -> bool {
        let mut seen = [false; MOST];
        self.containers(values).all(|at| at < MOST && !std::mem::replace(&mut seen[at], true))
    }
}

impl Api {
    /// All calls: operation by operation, then by value.
    pub fn calls(&self, count: u32) -> Vec<Call> {
        let operations = self.operations.iter().enumerate();
        operations.flat_map(|(at, operation)| operation.calls(at, count)).collect()
    }
}
