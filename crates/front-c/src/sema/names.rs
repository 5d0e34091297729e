//! One unit alone, and what the names at its end stand for: whoever writes C text
//! to be read with a unit has to know.

use super::Checker;
use super::scope::Symbol;
use crate::ast::Unit;
use crate::typed::{Function, Program, Variable};
use parallax_base::{Diagnostics, Id};
use parallax_cfa::{DataModel, Type};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the names at the end of a unit stand for.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    /// Types by the names that `typedef` gives them.
    pub(crate) types: BTreeMap<Arc<str>, Id<Type>>,
    /// Variables at file level.
    pub(crate) variables: BTreeMap<Arc<str>, Id<Variable>>,
    /// Functions.
    pub(crate) functions: BTreeMap<Arc<str>, Id<Function>>,
}

/// Checks a unit as if it were all of the program. Warnings are dropped.
pub(crate) fn check_alone(unit: &Unit, model: DataModel) -> Result<(Program, Names), Diagnostics> {
    let mut checker = Checker::new(unit, model);
    checker.unit(unit);
    let mut names = Names::default();
    for (name, _, symbol) in checker.scopes.symbols.visible_here() {
        let name = Arc::from(name);
        match symbol {
            Symbol::Typedef(ty) => drop(names.types.insert(name, ty.id)),
            Symbol::Variable(variable, _) => drop(names.variables.insert(name, *variable)),
            Symbol::Function(function, _) => drop(names.functions.insert(name, *function)),
            Symbol::Constant(..) | Symbol::Parameter(_) | Symbol::Poisoned => {}
        }
    }
    checker.finish();
    match checker.errors.has_errors() {
        true => Err(checker.errors),
        false => Ok((checker.out, names)),
    }
}
