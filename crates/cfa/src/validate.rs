//! Well-formedness of programs.
//!
//! What the doc comments of the program form promise is checked here: ids are
//! in range, children are older than parents, operands have the types their
//! operator wants, paths fit the types they walk through, edges that leave one
//! location are either one operation or assumptions, returns lead to the exit,
//! and nothing follows the end of a run. Front ends call it in tests and debug
//! builds; whoever makes a program by hand can do so too.
//!
//! Types are compared by what arithmetic sees: `int` and an enumeration, or two
//! pointers, agree.

mod expr;
mod op;
#[cfg(test)]
mod tests;

use crate::{Function, Initial, Location, Op, Program, Storage, Type};
use parallax_base::Id;

/// How many flaws are listed.
const MOST: usize = 50;

/// What is wrong with a program; empty if nothing is.
pub fn validate(program: &Program) -> Vec<String> {
    let mut validator = Validator { program, flaws: Vec::new(), at: String::new() };
    validator.exprs();
    validator.places();
    if validator.flaws.is_empty() {
        validator.variables();
        validator.initials();
        for (id, function) in program.functions.iter_enumerated() {
            validator.function(id, function);
        }
    }
    validator.flaws
}

/// The state of a validation.
struct Validator<'p> {
    program: &'p Program,
    flaws: Vec<String>,
    /// What is looked at.
    at: String,
}

impl Validator<'_> {
    fn flaw(&mut self, text: impl std::fmt::Display) {
        if self.flaws.len() < MOST {
            self.flaws.push(format!("{}: {text}", self.at));
        }
    }

    fn demand(&mut self, holds: bool, text: impl std::fmt::Display) {
        if !holds {
            self.flaw(text);
        }
    }

    fn variables(&mut self) {
        for (id, variable) in self.program.variables.iter_enumerated() {
            self.at = format!("variable {id:?} `{}`", variable.name);
            let owned = !matches!(variable.storage, Storage::Static | Storage::Thread);
            let owner = variable.owner.is_some_and(|f| self.program.functions.get(f).is_some());
            self.demand(owned == owner, "owner and storage disagree");
        }
    }

    fn initials(&mut self) {
        for (variable, initial) in &self.program.initials {
            self.at = format!("initial value of {variable:?}");
            let Initial::Items(items) = initial else { continue };
            for item in items {
                let place = &self.program.places[item.place];
                self.demand(
                    place.base == crate::Base::Variable(*variable),
                    "an item of another variable",
                );
                self.same(place.ty, self.program.exprs[item.value].ty, "an item");
                let constant = self.is_constant(item.value);
                self.demand(constant, "an item that is no constant");
            }
        }
    }

    fn function(&mut self, id: Id<Function>, function: &Function) {
        self.at = format!("function `{}`", function.name);
        let is_function = matches!(self.program.types.get(function.ty), Type::Function(_));
        self.demand(is_function, "its type is no function type");
        if !function.is_defined {
            self.demand(function.locations.is_empty(), "undefined, but with locations");
            return;
        }
        let count = function.locations.len();
        if function.entry.index() >= count || function.exit.index() >= count {
            return self.flaw("entry or exit out of range");
        }
        for parameter in &function.parameters {
            let variable = &self.program.variables[*parameter];
            let own = variable.storage == Storage::Parameter && variable.owner == Some(id);
            self.demand(own, "a parameter that is none");
        }
        // How many assumptions and other operations leave each location.
        let mut leaving = vec![(0u32, 0u32); count];
        let mut ended = vec![false; count];
        for (edge_id, edge) in function.edges.iter_enumerated() {
            self.at = format!("`{}`, edge {edge_id:?}", function.name);
            if edge.source.index() >= count || edge.target.index() >= count {
                self.flaw("location out of range");
                continue;
            }
            let slot = &mut leaving[edge.source.index()];
            match edge.op {
                Op::Assume(_) => slot.0 += 1,
                _ => slot.1 += 1,
            }
            if matches!(edge.op, Op::Halt(_) | Op::Error(_)) {
                ended[edge.target.index()] = true;
            }
            let returns = matches!(edge.op, Op::Return(_));
            self.demand(returns == (edge.target == function.exit), "only returns lead to the exit");
            self.op(id, function, &edge.op);
        }
        for location in function.locations.ids() {
            self.at = format!("`{}`, location {location:?}", function.name);
            self.leaving(function, location, leaving[location.index()], ended[location.index()]);
        }
    }

    fn leaving(
        &mut self,
        function: &Function,
        location: Id<Location>,
        (assumptions, others): (u32, u32),
        ended: bool,
    ) {
        let none = assumptions + others == 0;
        if location == function.exit || ended {
            return self.demand(none, "edges after the end");
        }
        self.demand(!none, "no edge leaves");
        self.demand(assumptions == 0 || others == 0, "assumptions next to other operations");
        self.demand(others <= 1, "several operations leave");
        self.demand(assumptions != 1, "one assumption alone");
    }
}
