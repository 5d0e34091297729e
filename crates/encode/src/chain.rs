//! The passes over a program that is inlined, each with its way back.
//!
//! Constants are folded, objects that pointers are known to lead to become
//! variables, checks that cannot fail and assignments that nobody reads are
//! dropped, and what cannot matter to the properties is sliced away.

use crate::expand::expand;
use crate::{Options, Pass, Passes};
use parallax_cfa::{CProperty, Function, Op, Primitive, Program};
use parallax_transform::points_to::{self, PointsTo};
use parallax_transform::ranges;
use parallax_transform::{
    Origin, compact, drop_checks, fold_constants, fold_pointers, promote_heap, release_addresses,
    remove_dead, slice, spell_blocks,
};
use std::collections::BTreeSet;

/// A program with more edges is sliced before all else, which is cheap. A smaller
/// one is sliced at the end: fewer checks are lost then.
const LARGE: usize = 30_000;

/// How often variables are looked for to which no pointer is needed.
const ROUNDS: usize = 3;

/// A program on its way through the passes.
#[derive(Clone, Debug)]
pub struct Chain {
    /// The program as it is now.
    pub program: Program,
    /// The way back to where it began.
    pub origin: Origin,
    /// The passes that changed it and stand in no certificate.
    pub trusted: BTreeSet<Pass>,
}

impl Chain {
    /// A program, where it comes from, and what has changed it before.
    pub fn new(program: Program, origin: Origin, trusted: BTreeSet<Pass>) -> Chain {
        Chain { program, origin, trusted }
    }

    /// The result of a pass that stands in no certificate.
    fn pass(&mut self, pass: Pass, (next, way): (Program, Origin)) {
        if is_changed(&self.program, &next) {
            self.trusted.insert(pass);
        }
        self.program = next;
        self.origin = way.after(&self.origin);
    }

    fn fold(&mut self) {
        let folded = fold_constants(&self.program);
        self.pass(Pass::Folding, (folded.program, folded.origin));
    }

    /// Removes what nobody reads and what does nothing. Whether an object is lost
    /// depends on all pointers at the end, read or not.
    pub fn prune(&mut self, options: &Options) {
        if options.properties.contains(&CProperty::Track) {
            return;
        }
        let pruned = remove_dead(&self.program);
        self.pass(Pass::Dead, (pruned.program, pruned.origin));
        self.compact();
    }

    fn compact(&mut self) {
        let compacted = compact(&self.program);
        self.pass(Pass::Dead, (compacted.program, compacted.origin));
    }

    /// Cuts away what cannot matter to what is asked.
    fn slice(&mut self, options: &Options, choice: &points_to::Options) {
        let points_to = PointsTo::analyze(&self.program, choice);
        let sliced = slice(&self.program, &points_to, &|op| options.is_target(op));
        if let Some(sliced) = sliced {
            self.pass(Pass::Slice, (sliced.program, sliced.origin));
        }
    }

    /// Objects that a pointer is known to lead to become variables. What pointers
    /// are known, and what they lead to, is found in turns.
    pub fn name_objects(&mut self, options: &Options, choice: &points_to::Options) {
        let promoted = promote_heap(&self.program, &PointsTo::analyze(&self.program, choice));
        self.pass(Pass::Promotion, (promoted.program, promoted.origin));
        for _ in 0..ROUNDS {
            let folded = fold_pointers(&self.program);
            self.pass(Pass::Folding, (folded.program, folded.origin));
            self.prune(options);
            if release_addresses(&mut self.program) == 0 {
                break;
            }
        }
    }

    /// Checks that cannot fail are dropped.
    pub fn drop_checks(&mut self, options: &Options) {
        let known = ranges::Options { overflow_ends: options.stop_at_overflow() };
        let unchecked = drop_checks(&self.program, known);
        self.pass(Pass::Checks, (unchecked.program, unchecked.origin));
    }

    /// Copies of objects and blocks of memory become loads and stores of
    /// scalars. No proof is without this.
    fn spell(&mut self, choice: &points_to::Options) {
        let (expanded, way) = expand(&self.program);
        (self.program, self.origin) = (expanded, way.after(&self.origin));
        if copies_raw(&self.program) {
            let spelled = spell_blocks(&self.program, &PointsTo::analyze(&self.program, choice));
            self.origin = spelled.origin.after(&self.origin);
            self.program = spelled.program;
        }
    }

    /// The passes for a question to engines, one after the other.
    pub(crate) fn run(&mut self, options: &Options, choice: &points_to::Options) {
        use CProperty::{Call, Errors, Label};
        let all = options.passes == Passes::All;
        let edges: usize = self.program.functions.iter().map(|f| f.edges.len()).sum();
        if all && options.can_slice() && edges > LARGE {
            self.compact();
            self.slice(options, choice);
            self.compact();
        }
        // Sizes of blocks are often constants.
        if all && copies_raw(&self.program) {
            self.fold();
        }
        self.spell(choice);
        if !all {
            return;
        }
        if options.memory() || options.properties.contains(&CProperty::Initialized) {
            self.fold();
        } else {
            self.name_objects(options, choice);
        }
        // Checks that are asked for decide what the slice keeps.
        let asked = options.properties.iter().any(|p| !matches!(p, Errors | Call(_) | Label(_)));
        if asked {
            self.drop_checks(options);
        }
        // A slice keeps no more checks than it must, and what copies memory raw
        // is mostly proved with them.
        if options.can_slice() && !copies_raw(&self.program) {
            self.slice(options, choice);
            self.compact();
        }
        if !asked {
            self.drop_checks(options);
        }
        self.prune(options);
    }
}

/// Whether memory is copied without regard to what lies in it.
fn copies_raw(program: &Program) -> bool {
    let raw = |op: &Op| {
        use Primitive::{CopyBytes, HavocBytes, SetBytes};
        matches!(op, Op::Copy { .. })
            || matches!(op, Op::Primitive { primitive: CopyBytes | HavocBytes | SetBytes, .. })
    };
    program.functions.iter().any(|f| f.edges.iter().any(|e| raw(&e.op)))
}

/// Whether a pass did anything: it takes operations away, or makes new ones.
fn is_changed(before: &Program, after: &Program) -> bool {
    let skips = |function: &Function| {
        function.edges.iter().filter(|edge| matches!(edge.op, Op::Skip)).count()
    };
    before.exprs.len() != after.exprs.len()
        || before.places.len() != after.places.len()
        || before.variables.len() != after.variables.len()
        || before.functions.iter().zip(&after.functions).any(|(before, after)| {
            before.edges.len() != after.edges.len() || skips(before) != skips(after)
        })
}
