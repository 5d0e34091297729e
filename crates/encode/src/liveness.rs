//! Which local variables may be read before they are written.
//!
//! A variable that begins to live has arbitrary contents. Saying so costs a
//! free choice on an edge, which is worth it only if somebody may look.

use parallax_base::Id;
use parallax_cfa::{Argument, Base, Expr, ExprKind, Function, Op, Place, Program, Step, Variable};
use std::collections::BTreeSet;

/// What each edge of a function reads and writes of whole variables.
pub(crate) struct Effects {
    reads: Vec<Vec<Id<Variable>>>,
    writes: Vec<Option<Id<Variable>>>,
    out: Vec<Vec<usize>>,
    targets: Vec<usize>,
    starts: Vec<(Id<Variable>, usize)>,
}

impl Effects {
    /// Looks at every edge once.
    pub(crate) fn new(program: &Program, function: &Function) -> Effects {
        let mut out = vec![Vec::new(); function.locations.len()];
        let (mut reads, mut writes, mut targets) = (Vec::new(), Vec::new(), Vec::new());
        let mut starts = Vec::new();
        for (index, edge) in function.edges.iter().enumerate() {
            out[edge.source.index()].push(index);
            targets.push(edge.target.index());
            let mut found = Reads { program, variables: BTreeSet::new() };
            let mut written = None;
            match &edge.op {
                Op::Assign(place, value) => {
                    found.expr(*value);
                    written = found.target(*place);
                }
                Op::Input { to, .. } | Op::Havoc { to, .. } => written = found.target(*to),
                Op::Assume(e) => found.expr(*e),
                Op::Copy { to, from } => {
                    found.place(*from);
                    written = found.target(*to);
                }
                Op::Call { to, arguments, .. } => {
                    for argument in arguments {
                        match argument {
                            Argument::Scalar(e) => found.expr(*e),
                            Argument::Aggregate(place) => found.place(*place),
                        }
                    }
                    written = to.and_then(|to| found.target(to));
                }
                Op::Primitive { to, arguments, .. } => {
                    arguments.iter().for_each(|e| found.expr(*e));
                    written = to.and_then(|to| found.target(to));
                }
                Op::Live(variable, size) => {
                    size.iter().for_each(|e| found.expr(*e));
                    starts.push((*variable, edge.target.index()));
                    // A new life ends the question about the old one.
                    written = Some(*variable);
                }
                // A check of what is written later reads nothing by itself,
                // and what it computes is computed again by the operation.
                Op::Check(_)
                | Op::Skip
                | Op::Return(_)
                | Op::Dead(_)
                | Op::Error(_)
                | Op::Halt
                | Op::Unsupported(_) => {}
            }
            reads.push(found.variables.into_iter().collect());
            writes.push(written);
        }
        Effects { reads, writes, out, targets, starts }
    }

    /// The variables some life of which may be read before it is written.
    pub(crate) fn read_first(&self) -> BTreeSet<Id<Variable>> {
        let mut found = BTreeSet::new();
        for &(variable, start) in &self.starts {
            if !found.contains(&variable) && self.reads_from(variable, start) {
                found.insert(variable);
            }
        }
        found
    }

    fn reads_from(&self, variable: Id<Variable>, start: usize) -> bool {
        let mut seen = BTreeSet::from([start]);
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            for &edge in &self.out[at] {
                if self.reads[edge].binary_search(&variable).is_ok() {
                    return true;
                }
                let target = self.targets[edge];
                if self.writes[edge] != Some(variable) && seen.insert(target) {
                    open.push(target);
                }
            }
        }
        false
    }
}

struct Reads<'p> {
    program: &'p Program,
    variables: BTreeSet<Id<Variable>>,
}

impl Reads<'_> {
    fn expr(&mut self, root: Id<Expr>) {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            match &self.program.exprs[id].kind {
                ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => {}
                ExprKind::Load(place) => {
                    let place = &self.program.places[*place];
                    if let Base::Variable(v) = place.base {
                        self.variables.insert(v);
                    }
                    inner(place, &mut open);
                }
                // Taking an address lets anybody read.
                ExprKind::Address(place) => {
                    let place = &self.program.places[*place];
                    if let Base::Variable(v) = place.base {
                        self.variables.insert(v);
                    }
                    inner(place, &mut open);
                }
                ExprKind::Unary(_, a) | ExprKind::Convert(a) | ExprKind::ObjectSize(a) => {
                    open.push(*a);
                }
                ExprKind::Binary(_, a, b) => open.extend([*a, *b]),
                ExprKind::PointerAdd { pointer, index, scale } => {
                    open.extend([*pointer, *index, *scale]);
                }
                ExprKind::PointerDiff { left, right, scale } => {
                    open.extend([*left, *right, *scale]);
                }
                ExprKind::Conditional(c, a, b) => open.extend([*c, *a, *b]),
            }
        }
    }

    /// A place that is read.
    fn place(&mut self, id: Id<Place>) {
        let place = &self.program.places[id];
        if let Base::Variable(v) = place.base {
            self.variables.insert(v);
        }
        let mut open = Vec::new();
        inner(place, &mut open);
        open.into_iter().for_each(|e| self.expr(e));
    }

    /// A place that is written; the variable if it is written as a whole.
    fn target(&mut self, id: Id<Place>) -> Option<Id<Variable>> {
        let place = &self.program.places[id];
        let mut open = Vec::new();
        inner(place, &mut open);
        open.into_iter().for_each(|e| self.expr(e));
        match place.base {
            Base::Variable(v) if place.path.is_empty() && place.bits.is_none() => Some(v),
            _ => None,
        }
    }
}

/// The expressions that say where a place is.
fn inner(place: &Place, open: &mut Vec<Id<Expr>>) {
    if let Base::Pointer(e) = place.base {
        open.push(e);
    }
    for step in &place.path {
        if let Step::Index(e) = step {
            open.push(*e);
        }
    }
}
