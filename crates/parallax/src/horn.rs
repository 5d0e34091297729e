//! Programs as Horn clauses, to look at or to give to another solver.

use crate::isolate::isolated;
use crate::{Budget, SolverConfig, Task};
use parallax_base::{Id, Stop};
use parallax_engine::Question;
use parallax_engine_horn::encode;
use parallax_ir::Property;

/// Why a task is not shown as clauses.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum HornError {
    /// Several properties are asked, or none of the name given.
    #[error("give one of the properties: {0}")]
    WhichProperty(String),
    /// The property is about runs, not about states.
    #[error("formulas of linear temporal logic are not about single states")]
    Temporal,
    /// Control is in too many places.
    #[error("the program has too many places of control")]
    TooLarge,
    /// Limits, or a solver that cannot be had.
    #[error("{0}")]
    Stopped(String),
}

impl From<Stop> for HornError {
    fn from(stop: Stop) -> HornError {
        HornError::Stopped(format!("{stop} reached"))
    }
}

/// The clauses of one property, in the format of CHC-COMP. They have a solution
/// if and only if no run reaches the target of the property.
pub fn horn_clauses(
    task: &Task,
    property: Option<&str>,
    solver: &SolverConfig,
    budget: &Budget,
) -> Result<String, HornError> {
    let all = &task.program.properties;
    let asked: Vec<Id<Property>> = match property {
        Some(name) => task.program.property(name).into_iter().collect(),
        None => all.iter_enumerated().filter(|(_, p)| !p.implicit).map(|(id, _)| id).collect(),
    };
    let [property] = asked.as_slice() else {
        let names: Vec<_> = all.iter().map(|p| format!("`{}`", p.name)).collect();
        return Err(HornError::WhichProperty(names.join(", ")));
    };
    let (program, property) = match task.parts.get(property.index()) {
        Some(part) => (&part.program, Id::new(0)),
        None => (&task.program, *property),
    };
    if program.properties[property].temporal.is_some() {
        return Err(HornError::Temporal);
    }
    let encoded = isolated(|| encode(Question { program, property }, solver, budget));
    let encoded = encoded.map_err(|halt| HornError::Stopped(halt.to_string()))?;
    let encoded = encoded.ok_or(HornError::TooLarge)?;
    Ok(format!("{}(check-sat)\n", encoded.system.smtlib()))
}
