//! Any function as the start of a run: C text that calls it with arbitrary
//! arguments.
//!
//! The text is read with the unit that defines the function, so it may name what is
//! local to the unit, and means what it says: people can read it, write it to a
//! file, edit and check it again. Numbers are inputs. A pointer leads to an object
//! of its own: an array of free size, a string, or a record whose members are made
//! alike. Records that lead to records of their own kind are linked to a depth.
//!
//! # Soundness
//! What the text leaves out is not looked at: sizes beyond the bound, longer chains,
//! two pointers to one object. All of that is an assumption, which is returned with
//! the text.

mod lines;
mod shape;
mod words;
mod write;

use crate::ast::{Item, Unit};
use crate::sema::check_alone;
use parallax_base::{Diagnostic, Diagnostics, Span};
use parallax_cfa::DataModel;
use shape::Shapes;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use write::Writer;

/// The function that a run begins with.
pub const ENTRY: &str = "parallax_driver";

/// The function to call, and how large what it is given may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The function.
    pub function: String,
    /// Conditions on its parameters, on variables, and on the sizes of arrays,
    /// which are called as the parameter with `_size` behind it.
    pub assume: Vec<String>,
    /// How many elements arrays have at most.
    pub elements: u64,
    /// How many records of a kind are linked in a row at most.
    pub links: u32,
    /// Whether pointers may be null.
    pub null: bool,
    /// Whether variables at file level may have any value.
    pub free_globals: bool,
}

impl Request {
    /// A call of a function, with bounds that most code needs no more than.
    pub fn call(function: impl Into<String>) -> Request {
        Request {
            function: function.into(),
            assume: Vec::new(),
            elements: 4,
            links: 3,
            null: false,
            free_globals: false,
        }
    }
}

/// A function, called with arbitrary arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Driver {
    /// C text, to be read at the end of the unit that defines the function. It
    /// defines [`ENTRY`].
    pub text: Arc<str>,
    /// What is taken for granted, one sentence each.
    pub assumed: Vec<Arc<str>>,
    /// The file of the unit.
    pub file: PathBuf,
    /// Whether the unit defines `main`.
    pub has_main: bool,
}

/// Which of the units defines a function.
pub(crate) fn unit_of(units: &[Unit], function: &str) -> Option<usize> {
    units.iter().position(|unit| functions(unit).any(|(name, _)| **name == *function))
}

/// The functions that a unit defines, with their places.
pub(crate) fn functions(unit: &Unit) -> impl Iterator<Item = (&Arc<str>, Span)> {
    unit.items.iter().filter_map(|item| match item {
        Item::Function(function) => {
            let name = function.declarator.name.as_ref()?;
            Some((&name.text, name.span))
        }
        _ => None,
    })
}

/// The text for a function of a unit.
pub(crate) fn driver(
    unit: &Unit,
    file: &Path,
    model: DataModel,
    request: &Request,
) -> Result<Driver, Diagnostics> {
    let (program, names) = check_alone(unit, model)?;
    let known = names.functions.get(&*request.function);
    let Some(function) = known.map(|id| &program.functions[*id]) else {
        // It was found in the text of the unit.
        return Err(Diagnostics::default());
    };
    let shapes = Shapes::new(&program, &names);
    let writer = Writer::new(&shapes, request);
    let has_main = functions(unit).any(|(name, _)| &**name == "main");
    let made = writer.driver(function).map(|(text, assumed)| Driver {
        text: text.into(),
        assumed,
        file: file.to_owned(),
        has_main,
    });
    made.map_err(|stuck| {
        let message = format!("`{}` cannot be called with any arguments: {stuck}", function.name);
        let mut all = Diagnostics::default();
        all.push(Diagnostic::error("C0041", function.span, message));
        all
    })
}

/// The message that nobody defines a function.
pub(crate) fn undefined(units: &[Unit], request: &Request, at: Span) -> Diagnostics {
    let message = format!("no file defines a function `{}`", request.function);
    let mut error = Diagnostic::error("C0040", at, message);
    let known = units.iter().flat_map(functions).map(|(name, _)| &**name);
    let known: Vec<&str> = known.take(KNOWN).collect();
    if !known.is_empty() {
        error = error.help(format!("defined are {}", known.join(", ")));
    }
    let mut all = Diagnostics::default();
    all.push(error);
    all
}

/// Names in one message.
const KNOWN: usize = 8;
