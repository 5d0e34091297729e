//! Sets of states that are closed whatever some constants are.
//!
//! The constants are indices that a run picks beforehand and its last step confirms
//! (`parallax_ir::Pick`); the set is one of the program with these constants. Read
//! without them it says: for all indices, such a formula about the elements there holds.

use crate::ClosedSet;
use parallax_base::Id;
use parallax_ir::{Pick, Program, Property};
use parallax_term::Term;

/// A closed set of the program with constants.
#[derive(Clone, Debug)]
pub struct Quantified {
    /// The set. Its store has grown from the program's, and is that of all terms here.
    pub set: ClosedSet,
    /// The constants: symbols that the program does not have.
    pub constants: Vec<Term>,
    /// What steps into a target say of them.
    pub picks: Vec<Pick>,
}

impl Quantified {
    /// The program that the set is about, with this property alone.
    ///
    /// # Errors
    /// Why there is no such program.
    pub fn program(&self, program: &Program, property: Id<Property>) -> Result<Program, String> {
        program.with_picks(property, &self.set.store, &self.constants, &self.picks)
    }
}
