//! Where a node of the graph stands: control, and the values that are tracked.

use parallax_base::Id;
use parallax_ir::Variable;
use parallax_term::Value;
use std::rc::Rc;

/// Where control is: one location number per process.
pub(crate) type Location = Rc<[i64]>;

/// Variables with one known value, in increasing order.
pub(crate) type Values = Rc<[(Id<Variable>, Value)]>;

/// Control and tracked values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Place {
    /// Where control is.
    pub(crate) location: Location,
    /// What is known by value.
    pub(crate) values: Values,
}

impl Place {
    /// The value of a variable here, if it is known.
    pub(crate) fn value(&self, variable: Id<Variable>) -> Option<&Value> {
        let at = self.values.binary_search_by_key(&variable, |(v, _)| *v).ok()?;
        Some(&self.values[at].1)
    }

    /// The same place with only these variables known; `None` if one of them is
    /// not known here.
    pub(crate) fn project(&self, variables: &[Id<Variable>]) -> Option<Place> {
        let pairs = variables.iter().map(|&v| Some((v, self.value(v)?.clone())));
        let values: Option<Vec<_>> = pairs.collect();
        Some(Place { location: self.location.clone(), values: values?.into() })
    }
}
