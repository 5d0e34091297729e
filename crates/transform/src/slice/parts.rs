//! The parts of the state, and what operations read and write of them.
//!
//! A part is a variable without pointers to it, a region of memory, or all of an
//! object: what copies memory without regard to what lies in it reads and writes
//! objects as wholes, also where no access sees a scalar.

use crate::points_to::{Accessed, ObjectKind, PointsTo, Region, Regions};
use crate::rewrite::{Node, Uses, visit_op, visit_place};
use parallax_base::Id;
use parallax_cfa::{
    Argument, Base, Callee, Check, Expr, ExprKind, Function, Op, Place, Primitive, Program,
    Storage, Variable,
};
use rustc_hash::FxHashMap;

/// A part of the state that operations read and write.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Part {
    Variable(Id<Variable>),
    Region(Id<Region>),
    /// An object as a whole.
    Object(Id<crate::points_to::Object>),
    /// Which objects live.
    Life,
}

/// The parts that places and operations of a program touch.
pub(super) struct Parts<'a> {
    program: &'a Program,
    points_to: &'a PointsTo,
    regions: Regions,
    /// What code outside the program reads and writes.
    outside: Vec<Part>,
    /// The parameters of the functions that are reached.
    parameters: FxHashMap<Id<Variable>, (Id<Function>, usize)>,
}

impl<'a> Parts<'a> {
    pub(super) fn new(program: &'a Program, points_to: &'a PointsTo) -> Parts<'a> {
        let regions = points_to.regions(program);
        let mut outside = Vec::new();
        for (id, object) in points_to.objects().iter_enumerated() {
            if points_to.has_escaped(id) {
                if let ObjectKind::Variable(v) = object.kind
                    && !program.variables[v].address_taken
                {
                    outside.push(Part::Variable(v));
                }
                outside.push(Part::Object(id));
                outside.extend(regions.of_object(id).map(Part::Region));
            }
        }
        let mut parameters = FxHashMap::default();
        for f in points_to.reached() {
            for (number, v) in program.functions[*f].parameters.iter().enumerate() {
                parameters.insert(*v, (*f, number));
            }
        }
        Parts { program, points_to, regions, outside, parameters }
    }

    /// The function of whose calls the part is, if it is of a single one.
    pub(super) fn owner(&self, part: Part) -> Option<Id<Function>> {
        let Part::Variable(v) = part else { return None };
        let variable = &self.program.variables[v];
        match variable.storage {
            Storage::Static | Storage::Thread => None,
            Storage::Parameter | Storage::Local | Storage::Temporary => variable.owner,
        }
    }

    /// The parameter that a part is: of which function, and its number.
    pub(super) fn parameter(&self, part: Part) -> Option<(Id<Function>, usize)> {
        let Part::Variable(v) = part else { return None };
        self.parameters.get(&v).copied()
    }

    /// The parts that an access to a place touches.
    pub(super) fn of_place(&self, place: Id<Place>) -> Vec<Part> {
        let Place { base, ty, .. } = &self.program.places[place];
        if let Base::Variable(v) = *base
            && !self.program.variables[v].address_taken
        {
            return vec![Part::Variable(v)];
        }
        let touched = |at: &Accessed| match *at {
            Accessed::Region(region) => Some(Part::Region(region)),
            Accessed::Plain(v) => Some(Part::Variable(v)),
            Accessed::Nowhere => None,
        };
        let parts = self.regions.parts(place).iter();
        let mut parts: Vec<Part> = parts.filter_map(|(_, at)| touched(at)).collect();
        if self.program.types.scalar(*ty).is_none() {
            match *base {
                Base::Variable(v) => parts.extend(self.of_variable(v)),
                Base::Pointer(e) => parts.extend(self.of_pointer(e)),
            }
        }
        parts
    }

    /// All of a variable.
    fn of_variable(&self, v: Id<Variable>) -> Vec<Part> {
        if !self.program.variables[v].address_taken {
            return vec![Part::Variable(v)];
        }
        self.points_to.variable(v).into_iter().flat_map(|object| self.of_object(object)).collect()
    }

    fn of_object(&self, object: Id<crate::points_to::Object>) -> Vec<Part> {
        let regions = self.regions.of_object(object).map(Part::Region);
        regions.chain([Part::Object(object)]).collect()
    }

    /// All of what a pointer may point into.
    fn of_pointer(&self, e: Id<Expr>) -> Vec<Part> {
        let objects = self.points_to.pointees(e).into_iter();
        objects.flat_map(|object| self.of_object(object)).collect()
    }

    /// What is read to evaluate expressions and to find places.
    fn of_nodes(&self, roots: Vec<Node>) -> Vec<Part> {
        let uses = Uses::of_nodes(self.program, roots);
        let mut parts = Vec::new();
        for e in &uses.exprs {
            match self.program.exprs[*e].kind {
                ExprKind::Load(place) => parts.extend(self.of_place(place)),
                ExprKind::ObjectSize(_) => parts.push(Part::Life),
                _ => {}
            }
        }
        parts
    }

    /// What is read to find a place.
    pub(super) fn behind(&self, place: Id<Place>) -> Vec<Part> {
        let mut roots = Vec::new();
        visit_place(&self.program.places[place], &mut |node| roots.push(node));
        self.of_nodes(roots)
    }

    /// What an argument reads.
    pub(super) fn of_argument(&self, argument: &Argument) -> Vec<Part> {
        match *argument {
            Argument::Scalar(e) => self.of_nodes(vec![Node::Expr(e)]),
            Argument::Aggregate(place) => {
                let mut parts = self.behind(place);
                parts.extend(self.of_place(place));
                parts
            }
        }
    }

    /// What a call of unknown code reads and writes; it frees nothing. What is not
    /// modelled of the library touches no memory of the program.
    fn outside(&self, op: &Op, parts: &mut Vec<Part>) {
        if let Op::Call { callee: Callee::Direct(f), .. } = op
            && self.program.functions[*f].is_unknown()
        {
            parts.extend(&self.outside);
        }
    }

    /// What an operation needs: everything its expressions load. A call of a
    /// function with a body is none of them.
    pub(super) fn reads(&self, op: &Op) -> Vec<Part> {
        let mut roots = Vec::new();
        visit_op(op, &mut |node| roots.push(node));
        let mut parts = self.of_nodes(roots);
        match op {
            Op::Copy { from, .. } => parts.extend(self.of_place(*from)),
            Op::Return(Some(Argument::Aggregate(place))) => parts.extend(self.of_place(*place)),
            Op::Check(Check::Initialized(place)) => {
                parts.extend(self.of_place(*place));
                parts.push(Part::Life);
            }
            Op::Check(Check::Access { .. } | Check::AccessBytes { .. } | Check::Free(_)) => {
                parts.push(Part::Life);
            }
            Op::Primitive { primitive: Primitive::CopyBytes, arguments, .. } => {
                parts.extend(arguments.get(1).into_iter().flat_map(|e| self.of_pointer(*e)));
            }
            Op::Call { arguments, .. } => {
                for argument in arguments {
                    if let Argument::Aggregate(place) = argument {
                        parts.extend(self.of_place(*place));
                    }
                }
                self.outside(op, &mut parts);
            }
            // The list of arguments is read and advanced.
            Op::Primitive {
                primitive:
                    Primitive::VaArg | Primitive::VaCopy | Primitive::VaStart | Primitive::VaEnd,
                arguments,
                ..
            } => parts.extend(arguments.iter().flat_map(|e| self.of_pointer(*e))),
            _ => {}
        }
        parts
    }

    /// What an operation may change. Of a call of a function with a body it is
    /// what becomes of its parameters; its result comes on top.
    pub(super) fn writes(&self, op: &Op, callee: Option<Id<Function>>) -> Vec<Part> {
        let mut parts = Vec::new();
        match op {
            Op::Assign(to, _)
            | Op::Copy { to, .. }
            | Op::Input { to, .. }
            | Op::Havoc { to, .. } => parts.extend(self.of_place(*to)),
            Op::Call { to, .. } => match callee {
                Some(callee) => {
                    for v in &self.program.functions[callee].parameters {
                        if self.program.variables[*v].address_taken {
                            parts.extend(self.of_variable(*v));
                            parts.push(Part::Life);
                        }
                    }
                }
                None => {
                    parts.extend(to.iter().flat_map(|to| self.of_place(*to)));
                    self.outside(op, &mut parts);
                }
            },
            Op::Primitive { to, primitive, arguments } => {
                parts.extend(to.iter().flat_map(|to| self.of_place(*to)));
                match primitive {
                    Primitive::Allocate | Primitive::AllocateLocal | Primitive::Free => {
                        parts.push(Part::Life);
                    }
                    _ => {
                        let into = arguments.first().into_iter();
                        parts.extend(into.flat_map(|e| self.of_pointer(*e)));
                    }
                }
            }
            Op::Live(v, _) | Op::Dead(v) => {
                parts.extend(self.of_variable(*v));
                if self.program.variables[*v].address_taken {
                    parts.push(Part::Life);
                }
            }
            _ => {}
        }
        parts
    }

    /// Whether an argument is always passed: it is more than a number or a
    /// pointer that nothing but its parameter holds.
    pub(super) fn is_always_passed(
        &self,
        callee: Id<Function>,
        number: usize,
        argument: &Argument,
    ) -> bool {
        let Some(v) = self.program.functions[callee].parameters.get(number) else { return true };
        let types = &self.program.types;
        match *argument {
            Argument::Scalar(e) => {
                let ty = self.program.exprs[e].ty;
                self.program.variables[*v].address_taken
                    || types.int_kind(ty).is_none() && types.pointee(ty).is_none()
            }
            Argument::Aggregate(_) => true,
        }
    }
}
